"""Releases as files: GeoTIFF and vector grids that say what they promise.

Files are built from the release alone. The points cannot be reached from here, so no statistics,
source path or number of features of theirs can slip in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from ..core.errors import CrsError, InputError
from ..core.grid import Grid
from ..core.metadata import PREFIX, tags_of
from ..core.release import PathLike, Release
from ..core.style import qml_of
from .atomic import check_target, known_suffix, place, scratch

RASTERS = (".tif", ".tiff")
VECTORS = (".gpkg", ".parquet", ".geoparquet", ".geojson", ".fgb", ".shp")
BESIDE = {
    **dict.fromkeys((".parquet", ".geoparquet", ".geojson", ".fgb"), (".qml",)),
    ".shp": (".shx", ".dbf", ".prj", ".cpg", ".qmd", ".qml"),
}
"""Suffixes of what is written beside a vector grid: its style, the parts of a Shapefile."""

LAYER = "counts"
"""Name of the layer of cells in a GeoPackage."""

VIEWS = {
    "counts": ("noisy count of records per cell", "records"),
    "density": ("noisy records per square kilometre, derived from a geodp release", "records/km²"),
    "clamped": ("noisy count, negative ones set to 0, derived from a geodp release", "records"),
}
"""Band description and unit of each view of the counts."""


def to_geotiff(
    release: Release, path: PathLike, *, view: str = "counts", overwrite: bool = False
) -> None:
    """Write a Cloud-Optimized GeoTIFF. See :meth:`geodp.Release.to_geotiff`.

    There are no overviews: they would average or pick counts, and a reader of a smaller image
    would then see sums that are not there.
    """
    target = Path(path)
    known_suffix(target, RASTERS)
    if view not in VIEWS:
        raise InputError(f"view must be one of {', '.join(map(repr, VIEWS))}; got {view!r}.")
    band, tags = _view(release, view)
    check_target(target, overwrite=overwrite)
    data = _cog(release.grid, band, tags, *VIEWS[view])
    with scratch(target) as folder:
        built = folder / target.name
        built.write_bytes(data)
        place(built, target)


def _view(release: Release, view: str) -> tuple[npt.NDArray[Any], dict[str, str]]:
    """Band and tags of a view. Only the counts themselves can be a release again."""
    counts, grid = release.counts, release.grid
    if view == "counts":
        return _smallest(counts), tags_of(release)
    if view == "clamped":
        return _smallest(np.maximum(counts, 0)), derived_tags(release, VIEWS[view][0])
    return counts / cell_areas(grid), derived_tags(release, VIEWS[view][0])


def derived_tags(release: Release, what: str) -> dict[str, str]:
    """Tags for what was computed from a release and is no release itself."""
    tags = tags_of(release)
    kept = ["VERSION", "PROMISE", "COUNTS", "EPSILON", "PRIVACY_UNIT", "NEIGHBOURS", "NOISE"]
    kept.append("SEEDED")
    return {PREFIX + "DERIVED": what} | {PREFIX + key: tags[PREFIX + key] for key in kept}


def cell_areas(grid: Grid) -> npt.NDArray[np.float64]:
    """Areas of the cells in square kilometres; those cut by the domain's edge are smaller."""
    crs = grid.domain.crs
    if crs.geographic:
        raise CrsError(
            f"areas need a projected CRS; {crs.name} is geographic (degrees): "
            "make the release in a projected one."
        )
    kilometres = crs.metres_per_unit / 1000
    heights, widths = np.diff(grid.y_edges)[::-1] * kilometres, np.diff(grid.x_edges) * kilometres
    return np.multiply.outer(heights, widths)


def _smallest(counts: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Use 32 bits wherever the published counts fit, because every GIS reads those."""
    limits = np.iinfo(np.int32)
    fits = limits.min <= counts.min() and counts.max() <= limits.max
    return counts.astype(np.int32) if fits else counts


def _cog(
    grid: Grid, band: npt.NDArray[Any], tags: dict[str, str], description: str, unit: str
) -> bytes:
    """Bytes of a Cloud-Optimized GeoTIFF, made in memory so that a full disk cannot spoil it."""
    import rasterio
    from rasterio.io import MemoryFile
    from rasterio.shutil import copy

    with MemoryFile() as plain, MemoryFile(ext=".tif") as cloud:
        with plain.open(
            driver="GTiff",
            height=grid.shape[0],
            width=grid.shape[1],
            count=1,
            dtype=band.dtype.name,
            crs=grid.domain.crs.name,
            transform=rasterio.Affine(*grid.transform),
        ) as image:
            image.write(band, 1)
            image.update_tags(AREA_OR_POINT="Area", **tags)
            image.set_band_description(1, description)
            image.units = (unit,)
        with plain.open() as image:
            copy(image, cloud.name, driver="COG", compress="DEFLATE", overviews="NONE")
        return bytes(cloud.read())


def to_vector(release: Release, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the cells as polygons. See :meth:`geodp.Release.to_vector`."""
    target = Path(path)
    suffix = known_suffix(target, VECTORS)
    check_target(target, overwrite=overwrite, beside=BESIDE.get(suffix, ()))
    cells, style = release.to_geodataframe(), qml_of(release.scale)
    with scratch(target) as folder:
        built = folder / target.name
        write_layer(cells, built, LAYER, tags_of(release))
        if suffix == ".gpkg":
            _add_style(built, style)
        else:
            built.with_suffix(".qml").write_text(style, encoding="utf-8")
        place(built, target)


def to_answers(release: Release, answers: Any, path: PathLike, *, overwrite: bool = False) -> None:
    """Write a layer of answers, or with the suffix ``.csv`` its table alone.

    Parameters
    ----------
    release : Release
        What was asked.
    answers : GeoDataFrame
        What :meth:`geodp.Release.query` returned for a layer.
    path : path
        A name with the suffix of a vector format, or ``.csv``.
    overwrite : bool
        Replace a file that exists.
    """
    target = Path(path)
    suffix = known_suffix(target, (*VECTORS, ".csv"))
    parts = BESIDE[suffix][:-1] if suffix in BESIDE else ()  # answers have no style
    check_target(target, overwrite=overwrite, beside=parts)
    tags = derived_tags(release, "answers to regions, estimated from a geodp release")
    with scratch(target) as folder:
        built = folder / target.name
        if suffix == ".csv":
            answers.drop(columns=answers.geometry.name).to_csv(built, index=False)
        else:
            write_layer(answers, built, "answers", tags)
        place(built, target)


def to_grids(grids: Sequence[Grid], path: PathLike, *, overwrite: bool = False) -> None:
    """Write candidate grids as layers of a GeoPackage, to look at before anything is counted."""
    target = Path(path)
    known_suffix(target, (".gpkg",))
    check_target(target, overwrite=overwrite)
    with scratch(target) as folder:
        built = folder / target.name
        for grid in grids:
            name = "grid_{}x{}".format(*grid.shape)
            write_layer(grid.to_geodataframe(), built, name, {})
        place(built, target)


def write_layer(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """Write a GeoDataFrame with tags, in the format that the suffix tells, and check it."""
    import pyogrio

    write = _WRITERS.get(built.suffix.lower(), _write_parquet)
    try:
        write(layer, built, name, tags)
        whole = write is _write_parquet or _is_whole(layer, built, name)
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, RuntimeError):
        whole = False  # GDAL's own words name the folder in which the file was being built
    if not whole:
        raise OSError


def _is_whole(layer: Any, built: Path, name: str) -> bool:
    """Read a file back: on a full disk GDAL may leave parts out and not complain."""
    import pyogrio

    inside = name if built.suffix.lower() == ".gpkg" else None
    back = pyogrio.read_dataframe(built, layer=inside)
    own = "fid" in map(str.lower, layer.columns)  # GDAL may take that for the number of a feature
    if len(back) != len(layer) or len(back.columns) < len(layer.columns) - own:
        return False
    if not back.geometry.notna().all():
        return False
    if inside and not pyogrio.read_info(built, layer=inside)["capabilities"]["fast_spatial_filter"]:
        return False  # the spatial index, written last, did not fit
    numbers = layer.select_dtypes("number").columns.intersection(back.columns)
    # Sorted, because a FlatGeobuf has an order of its own.
    pairs = (
        [np.sort(side[column].to_numpy(float, na_value=np.nan)) for side in (back, layer)]
        for column in numbers
    )
    return all(np.allclose(found, given, equal_nan=True) for found, given in pairs)


def _write_geopackage(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    options = {"layer": name, "layer_metadata": tags, "VERSION": "1.2"}  # old programs read 1.2
    layer.to_file(built, driver="GPKG", engine="pyogrio", **options)


def _write_flatgeobuf(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    layer.to_file(built, driver="FlatGeobuf", engine="pyogrio", layer=name, layer_metadata=tags)


def _write_geojson(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """GeoJSON is in longitude and latitude (RFC 7946); other members may stand beside features."""
    layer.to_crs("EPSG:4326").to_file(
        built, driver="GeoJSON", engine="pyogrio", layer=name, RFC7946="YES"
    )
    head = '"type": "FeatureCollection",'
    text = built.read_text(encoding="utf-8")
    about = json.dumps({"geodp": tags}, ensure_ascii=False)[1:-1]
    built.write_text(text.replace(head, f"{head}\n{about},", 1), encoding="utf-8")


def _write_shapefile(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """A Shapefile cannot hold tags: QGIS reads them from a .qmd file beside it."""
    layer.to_file(built, driver="ESRI Shapefile", engine="pyogrio", encoding="UTF-8")
    lines = escape("\n".join(f"{key}: {value}" for key, value in tags.items()))
    built.with_suffix(".qmd").write_text(
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        f"<qgis>\n <title>{escape(name)}</title>\n <abstract>{lines}</abstract>\n</qgis>\n",
        encoding="utf-8",
    )


def _write_parquet(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """GeoParquet keeps text beside its own metadata, where geopandas does not reach."""
    import io

    import pyarrow.parquet

    del name  # a Parquet file is its only layer
    plain = io.BytesIO()
    layer.to_parquet(plain, index=False, write_covering_bbox=False)
    table = pyarrow.parquet.read_table(plain)
    metadata = {**table.schema.metadata, **{key: value.encode() for key, value in tags.items()}}
    pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), built)


_WRITERS: dict[str, Callable[[Any, Path, str, dict[str, str]], None]] = {
    ".gpkg": _write_geopackage,
    ".fgb": _write_flatgeobuf,
    ".geojson": _write_geojson,
    ".shp": _write_shapefile,
}


def _add_style(built: Path, style: str) -> None:
    """Put a style into the table where QGIS looks for a layer's default."""
    import sqlite3

    try:
        with closing(sqlite3.connect(built)) as database, database:
            database.execute(_STYLES)
            database.execute(
                "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
                "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
                "owner, ui) VALUES ('', '', ?, 'geom', 'geodp', ?, '', 1, ?, '', '')",
                (LAYER, style, "classes from the scale of the noise"),
            )
            database.execute(
                "INSERT INTO gpkg_contents (table_name, data_type, identifier) "
                "VALUES ('layer_styles', 'attributes', 'layer_styles')"
            )
    except sqlite3.Error:
        raise OSError from None


_STYLES = """CREATE TABLE layer_styles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    f_table_catalog TEXT, f_table_schema TEXT, f_table_name TEXT, f_geometry_column TEXT,
    styleName TEXT, styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT,
    owner TEXT, ui TEXT, update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))"""
"""The table as QGIS itself makes it."""
