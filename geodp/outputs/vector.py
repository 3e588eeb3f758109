"""Write releases, answers and candidate grids as vector layers, in the formats of a GIS.

Files are built from the release alone, as in :mod:`geodp.outputs.raster`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.cells.h3_cells import H3_COLUMN, H3Cells
from ..core.common.atomic import check_target, known_suffix, scratch, whole_file
from ..core.common.errors import FileError, InputError
from ..core.common.text import for_xml
from ..core.common.types import PathLike
from ..core.estimates.answers import Answers
from ..core.publish.metadata import derived_tags, release_tags
from ..core.publish.qgis_files import geopackage_statements, style_files, style_suffixes
from ..core.publish.table import promise_columns, rounded
from ..core.records.groups import clipped, slugs
from ..core.releases.published import Published
from ..core.space.domain import Domain
from ..core.space.grid import Grid
from .table import write_table

PARQUETS = (".parquet", ".geoparquet")
VECTORS = (".gpkg", *PARQUETS, ".geojson", ".fgb", ".shp")
ANSWERS = (*VECTORS, ".csv")
BESIDE = {
    **dict.fromkeys((".parquet", ".geoparquet", ".geojson", ".fgb"), (".qml",)),
    ".shp": (".shx", ".dbf", ".prj", ".cpg", ".qmd", ".qml"),
}
"""Suffixes of what is written beside a vector grid: its style, the parts of a Shapefile."""

SHORT = {"noise_error": "noise_err", "border_share": "border_shr"}
"""Columns of answers in a Shapefile, where a name has ten letters."""

_MOST_DRAWN = 1 << 18
"""Cells of a candidate grid that are drawn one by one."""

_LONGEST = 10
"""Bytes that a name has in a Shapefile."""

LAYER = "counts"
"""Name of the layer of cells in a GeoPackage."""

WITHIN = "within"
"""Name of the layer beside it that shows where records can be."""


def to_vector(
    release: Published, path: PathLike, *, overwrite: bool = False, h3_integers: bool = False
) -> None:
    """Write the cells as polygons. See :meth:`geodp.Release.to_vector`."""
    target = Path(path)
    suffix = known_suffix(target, VECTORS)
    check_target(target, overwrite=overwrite, beside=beside_vector(suffix, release.groups))
    indices = _integer_indices(release, suffix) if h3_integers else None
    cells = release.to_geodataframe()
    if indices is not None:
        cells[H3_COLUMN] = indices
    short = _short_names(release.groups) if suffix == ".shp" else {}
    cells = cells.rename(columns=short)
    with whole_file(target) as built:
        write_layer(cells, built, LAYER, release_tags(release))
        if suffix == ".gpkg":
            if release.domain.within is not None:
                write_layer(_outline(release.domain), built, WITHIN, {})
            run_statements(built, geopackage_statements(release, LAYER, "geom"))
        else:
            for end, style in style_files(release).items():
                if short:  # fields of groups have other names in a Shapefile
                    style = re.sub(r"\w+", lambda word: short.get(word[0], word[0]), style)
                built.with_suffix(end).write_text(style, encoding="utf-8")


def _integer_indices(release: Published, suffix: str) -> Any:
    """Return indices of H3 as numbers of 64 bits, where the format has such numbers."""
    if not isinstance(release.cells, H3Cells):
        raise InputError(
            "`h3_integers` is about cells of H3; these are of another kind: leave it out."
        )
    if suffix not in PARQUETS:
        raise InputError(
            f"indices of H3 are whole numbers in .parquet alone; got {suffix}: write that, or "
            "leave `h3_integers` out."
        )
    return release.cells.indices


def try_vector(
    path: Path,
    domain: Domain,
    groups: Sequence[str] = (),
    columns: Sequence[str] = ("count", "density"),
) -> None:
    """Write one cell under a name and throw it away, to see that the format takes the name.

    Drivers give some names and folders a meaning of their own, such as those with ``!`` or ``;``,
    and some formats have no room for the columns of very many groups.

    Parameters
    ----------
    path : Path
        Where a release shall be written.
    domain : Domain
        Its rectangle.
    groups : sequence of str
        Names of its groups.
    columns : sequence of str
        What the file will say of each group.
    """
    import geopandas
    import shapely

    suffix = path.suffix.lower()
    words = [f"{word}_{slug}" for slug in slugs(groups) for word in columns]
    cell = geopandas.GeoDataFrame(
        {name: [0.0] for name in (words or columns)},
        geometry=[shapely.box(*domain.bounds)],
        crs=domain.crs.name,
    )
    if suffix == ".shp":
        cell = cell.rename(columns=_short_names(groups))
    with scratch(path) as folder:
        built = folder / path.name
        try:
            write_layer(cell, built, LAYER, {"GEODP_TRIAL": "yes"})
            for end in beside_vector(suffix, groups):
                built.with_suffix(end).touch()
        except OSError:
            raise FileError(
                f"an output must have a name that its format takes; {path} cannot be written as "
                f"{suffix}: choose a plain name and folder, without marks such as ! and ;, or "
                "another format."
            ) from None


_SHORT_COUNTS = MappingProxyType(
    {
        "count": "c",
        "density": "d",
        "ci_low": "l",
        "ci_high": "h",
        "drawn": "b",
        "sum": "t",
        "sum_low": "tl",
        "sum_high": "th",
        "mean": "m",
        "mean_low": "ml",
        "mean_high": "mh",
    }
)


def _short_names(
    names: Sequence[str],
    words: Mapping[str, str] = _SHORT_COUNTS,
) -> dict[str, str]:
    """Shorten names of columns for a Shapefile: a group's number and first letters."""
    short = {}
    for number, slug in enumerate(slugs(names), start=1):
        for word, letter in words.items():
            start = f"{letter}{number}_"
            short[f"{word}_{slug}"] = clipped(f"{start}{slug}", _LONGEST)
    return short


def _short_answers(release: Published) -> dict[str, str]:
    words = {word: word[0] for word in Answers._fields} | {"ci_low": "l", "ci_high": "h"}
    more = {"reliable": "r"}
    for word, letter in (("density", "d"), ("rate", "p"), ("sum", "t"), ("mean", "m")):
        more |= {word: letter, f"{word}_low": f"{letter}l", f"{word}_high": f"{letter}h"}
    return {**SHORT, **_short_names(release.groups, words | more)}


def beside_vector(suffix: str, groups: Sequence[str] = ()) -> tuple[str, ...]:
    """Return suffixes of what is written beside a vector grid: styles, parts of a Shapefile."""
    parts = BESIDE.get(suffix, ())
    return (*parts, *style_suffixes(groups)[1:]) if parts else ()


def _outline(domain: Domain) -> Any:
    """Return where records can be, as polygons along the pixels of the support."""
    import geopandas
    import shapely
    from rasterio import Affine, features

    support = domain.within
    assert support is not None
    some = (support.weights > 0).astype(np.uint8)
    xmin, _, _, ymax = domain.bounds
    rows, columns = support.shape
    lies = Affine(domain.width / columns, 0.0, xmin, 0.0, -domain.height / rows, ymax)
    outlines = features.shapes(some, some > 0, 4, lies)
    drawn = [shapely.geometry.shape(outline) for outline, _ in outlines]
    about = {"share": [support.share], "checksum": [support.digest]}
    return geopandas.GeoDataFrame(
        about, geometry=[shapely.MultiPolygon(drawn)], crs=domain.crs.name
    )


def to_answers(
    release: Published, answers: Any, path: PathLike, *, overwrite: bool = False
) -> None:
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
    tags = derived_tags(release, "answers to regions, estimated from a geodp release")
    short, promised = _short_answers(release), promise_columns(release)
    ends = ("", *(f"_{slug}" for slug in slugs(release.groups)))
    write_answers(answers, path, tags, short, promised, ends, overwrite=overwrite)


def write_answers(
    answers: Any,
    path: PathLike,
    tags: dict[str, str],
    short: dict[str, str],
    promised: dict[str, Any],
    ends: Sequence[str] = ("",),
    *,
    overwrite: bool,
) -> None:
    """Write answers about regions, with tags.

    A Shapefile takes short names. A table takes columns that say what is promised, and answers
    rounded by their errors; those of several groups side by side have names with such ends.
    """
    target = Path(path)
    suffix = known_suffix(target, ANSWERS)
    check_target(target, overwrite=overwrite, beside=beside_answers(suffix))
    with whole_file(target) as built:
        if suffix == ".csv":
            table = answers.drop(columns=answers.geometry.name)
            write_table(table.assign(**_rounded(table, ends)), built, promised)
        else:
            layer = answers.rename(columns=short) if suffix == ".shp" else answers
            try:
                write_layer(layer, built, "answers", tags)
            except (OSError, TypeError, ValueError, AttributeError, OverflowError) as error:
                if getattr(error, "errno", None):
                    raise
                raise FileError(
                    f"{target} cannot be written: the disk refuses it, or the format cannot hold a "
                    "column of the regions as it is; leave that column out, or choose another "
                    "format."
                ) from None


def _rounded(table: Any, ends: Sequence[str]) -> dict[str, Any]:
    """Round the answers; columns of the regions stand before them, and stay as they are."""
    names = list(table.columns)
    estimates = [names.index(f"estimate{end}") for end in ends if f"estimate{end}" in names]
    return rounded(dict(table.iloc[:, min(estimates, default=0) :].items()), ends)


def beside_answers(suffix: str) -> tuple[str, ...]:
    """Return suffixes of files beside answers, which have no style."""
    return BESIDE[suffix][:-1] if suffix in BESIDE else ()


def to_grids(grids: Sequence[Grid], path: PathLike, *, overwrite: bool = False) -> None:
    """Write candidate grids as layers of a GeoPackage, to look at before anything is counted.

    Very fine ones are written as the lines between their cells.
    """
    target = Path(path)
    known_suffix(target, (".gpkg",))
    check_target(target, overwrite=overwrite)
    with whole_file(target) as built:
        for grid in grids:
            name = "grid_{}x{}".format(*grid.shape)
            drawn = grid.to_geodataframe() if grid.cells <= _MOST_DRAWN else _lines(grid)
            write_layer(drawn, built, name, {})


def _lines(grid: Grid) -> Any:
    import geopandas
    import shapely

    xmin, ymin, xmax, ymax = grid.domain.bounds
    x, y = grid.x_edges, grid.y_edges
    ends = [
        np.stack([x, np.full_like(x, ymin), x, np.full_like(x, ymax)], axis=1),
        np.stack([np.full_like(y, xmin), y, np.full_like(y, xmax), y], axis=1),
    ]
    lines = shapely.linestrings(np.concatenate(ends).reshape(-1, 2, 2))
    along = ["north-south"] * len(x) + ["east-west"] * len(y)
    return geopandas.GeoDataFrame({"along": along}, geometry=lines, crs=grid.domain.crs.name)


def write_layer(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """Write a GeoDataFrame with tags, in the format that the suffix tells, and check it."""
    import pyogrio

    write = _WRITERS.get(built.suffix.lower(), _write_parquet)
    try:
        write(layer, built, name, tags)
        # A name with an exclamation mark is an address inside a zip file to some programs.
        complete = built.is_file() and (write is _write_parquet or _is_complete(layer, built, name))
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, RuntimeError):
        complete = False  # GDAL's own words name the folder in which the file was being built
    if not complete:
        raise OSError


def _is_complete(layer: Any, built: Path, name: str) -> bool:
    """Read a file back: on a full disk GDAL may leave parts out and not complain."""
    import pyogrio

    inside = name if built.suffix.lower() == ".gpkg" else None
    back = pyogrio.read_dataframe(built, layer=inside)
    numbered = "fid" in map(
        str.lower, layer.columns
    )  # GDAL may take that for the number of a feature
    if len(back) != len(layer) or len(back.columns) < len(layer.columns) - numbered:
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
    return all(np.allclose(read, given, equal_nan=True) for read, given in pairs)


def _write_geopackage(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    options = {"layer": name, "layer_metadata": tags, "VERSION": "1.2"}  # old programs read 1.2
    layer.to_file(built, driver="GPKG", engine="pyogrio", **options)


def _write_flatgeobuf(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    layer.to_file(built, driver="FlatGeobuf", engine="pyogrio", layer=name, layer_metadata=tags)


def _write_geojson(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """Write GeoJSON: longitude and latitude (RFC 7946), with tags beside the features."""
    layer.to_crs("EPSG:4326").to_file(
        built, driver="GeoJSON", engine="pyogrio", layer=name, RFC7946="YES"
    )
    head = '"type": "FeatureCollection",'
    text = built.read_text(encoding="utf-8")
    about = json.dumps({"geodp": tags}, ensure_ascii=False)[1:-1]
    built.write_text(text.replace(head, f"{head}\n{about},", 1), encoding="utf-8")


def _write_shapefile(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """Write a Shapefile; it cannot hold tags, which QGIS reads from a .qmd file beside it."""
    # GDAL would cut a letter of several bytes in two, and could not read the name again.
    names = [name for name in layer.columns if not str(name).isascii()]
    layer = layer.rename(columns={name: clipped(name, _LONGEST) for name in names})
    layer.to_file(built, driver="ESRI Shapefile", engine="pyogrio", encoding="UTF-8")
    lines = for_xml("\n".join(f"{key}: {value}" for key, value in tags.items()))
    built.with_suffix(".qmd").write_text(
        "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n"
        f"<qgis>\n <title>{for_xml(name)}</title>\n <abstract>{lines}</abstract>\n</qgis>\n",
        encoding="utf-8",
    )


_COVERING = "bbox"
"""Name of the column of bounds in GeoParquet, unless a layer has a field of that name."""

_ROW_GROUP = 1 << 16
"""Shapes that are read or passed over together."""


def _write_parquet(layer: Any, built: Path, name: str, tags: dict[str, str]) -> None:
    """Write GeoParquet with tags beside its own metadata, where geopandas does not reach.

    Bounds of each shape stand in a column of their own, so that a reader of a part of the map can
    pass over the rest.
    """
    import io

    import pyarrow.parquet

    del name  # a Parquet file is its only layer
    plain = io.BytesIO()
    layer.to_parquet(plain, index=False, write_covering_bbox=_COVERING not in layer.columns)
    table = pyarrow.parquet.read_table(plain)
    metadata = {**table.schema.metadata, **{key: value.encode() for key, value in tags.items()}}
    table = table.replace_schema_metadata(metadata)
    pyarrow.parquet.write_table(table, built, row_group_size=_ROW_GROUP)


_WRITERS: dict[str, Callable[[Any, Path, str, dict[str, str]], None]] = {
    ".gpkg": _write_geopackage,
    ".fgb": _write_flatgeobuf,
    ".geojson": _write_geojson,
    ".shp": _write_shapefile,
}


def run_statements(built: Path, statements: list[tuple[str, tuple[str, ...]]]) -> None:
    """Put style and description into the tables of a GeoPackage where QGIS looks for them."""
    import sqlite3

    try:
        with closing(sqlite3.connect(built)) as database, database:
            for statement, values in statements:
                database.execute(statement, values)
    except sqlite3.Error:
        raise OSError from None
