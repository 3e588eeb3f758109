"""Read public layers that go with a release: regions to ask about, a boundary to draw."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

from ..core.common.errors import CrsError, FileError, InputError
from ..core.common.types import Floats, PathLike
from ..core.pictures.marks import Labels
from ..core.pictures.page import naming
from ..core.space.domain import Domain
from .opening import without_secrets
from .parquet import read_parquet_layer

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
"""A scheme has two letters or more: one letter is a drive of Windows."""

_REMOTE = ("http", "https", "ftp", "s3", "gs", "az")
_ARCHIVES = ("zip", "tar", "gzip")


def read_layer(path: PathLike, what: str, layer: str | None = None) -> Any:
    """Read a layer from any vector file.

    Parameters
    ----------
    path : path
        The file; also an address that GDAL reads, such as ``https://…``, ``s3://…`` or
        ``/vsizip/…``. ``file.gpkg|layername=counties`` names a layer of it, as in QGIS.
    what : str
        What it is for, to name it in an error.
    layer : str, optional
        Layer of a file that holds several; by default the one named in the path, or the first.

    Returns
    -------
    geopandas.GeoDataFrame
    """
    import geopandas
    import pyogrio
    import shapely

    path, named = divided(path)
    layer = named if layer is None else layer
    source = located(path, what)
    parquet = source.split("?")[0].lower().endswith((".parquet", ".geoparquet"))
    away = not Path(source).exists()
    if parquet and away:
        raise FileError(
            f"the {what} must be a local file where they are GeoParquet; "
            f"{without_secrets(source)} is not: download it first."
        )
    try:
        if parquet:
            return read_parquet_layer(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # several layers: the first is meant
            # Not by geopandas, which opens web addresses once more by itself.
            frame = pyogrio.read_dataframe(source, layer=layer)
    except (OSError, ValueError, RuntimeError):
        aside = ", or cannot be reached" if away else ""
        aside += "" if layer is None else f", or has no layer {layer!r}"
        raise FileError(
            f"the {what} must be a vector file that GDAL reads; "
            f"{without_secrets(source)} is not{aside}."
        ) from None
    except shapely.errors.ShapelyError:
        raise FileError(
            f"the {what} must be simple geometries; {without_secrets(source)} has broken ones, or "
            "of a kind that GEOS does not know, such as TIN: mend them, or save them as polygons."
        ) from None
    if not isinstance(frame, geopandas.GeoDataFrame):
        raise FileError(f"the {what} must hold geometries; {without_secrets(source)} has none.")
    return frame


def divided(path: PathLike) -> tuple[PathLike, str | None]:
    """Divide a path into the file and the layer that it names, if it does.

    Examples
    --------
    >>> divided("areas.gpkg|layername=counties"), divided("areas.gpkg")
    (('areas.gpkg', 'counties'), ('areas.gpkg', None))
    """
    if not isinstance(path, (str, os.PathLike)):
        return path, None
    file, mark, layer = os.fspath(path).partition("|layername=")
    return (file, layer) if mark else (path, None)


def located(path: PathLike, what: str) -> str:
    """Return the name of a file that exists, or an address as GDAL wants it; refuse others."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(
            f"the {what} must be a GeoDataFrame, a GeoSeries or the path of a layer; got "
            f"{type(path).__name__}."
        )
    text = os.fspath(path)
    if text.startswith("/vsi"):
        return _virtual(text)
    address = _ADDRESS.match(text)
    if address is None:
        if not Path(text).exists():
            raise FileError(
                f"the {what} must be in a file that exists; there is no {without_secrets(text)}."
            )
        return text
    scheme = address[1].lower()
    if scheme in _REMOTE:  # a Path has lost one of the two slashes
        return f"{scheme}://{text[address.end() :].lstrip('/')}"
    if scheme not in _ARCHIVES:
        raise FileError(
            f"the {what} must be a file or an address that GDAL reads; {scheme}:// is neither: "
            f"use one of {', '.join((*_REMOTE, *_ARCHIVES))}, or download them first."
        )
    return text


def _virtual(text: str) -> str:
    """Write a path in GDAL's archives as absolute where only that is a file.

    A Path has lost one of two slashes.
    """
    prefix, _, inner = text[1:].partition("/")
    if inner.startswith("/") or _is_in_file(Path(inner)) or not _is_in_file(Path("/", inner)):
        return text
    return f"/{prefix}//{inner}"


def _is_in_file(path: Path) -> bool:
    return any(place.is_file() for place in (path, *path.parents))


_AREAS = ("Polygon", "MultiPolygon")
_CURVES = ("LineString", "MultiLineString", "LinearRing")
_LINES = (1, 2)  # lines and rings, as GEOS numbers them

_POINTS = ("Point", "MultiPoint")

_MOST_LABELS, _LONGEST_LABEL = 2_000, 60
"""Names of a layer that are looked at, and letters of one."""


def read_labels(labels: Any, domain: Domain) -> Labels | None:
    """Read names to write on a map, from a layer with a column of text, or the path of one.

    Parameters
    ----------
    labels : GeoDataFrame, path or None
        A public layer of points or polygons.
    domain : Domain
        In whose CRS they shall be.
    """
    if labels is None:
        return None
    import geopandas

    if not isinstance(labels, geopandas.GeoDataFrame):
        labels = read_layer(labels, "labels")
    if labels.crs is None:
        raise CrsError("the labels need a CRS; this layer has none: set it with `set_crs()`.")
    others = (name for name in labels.columns if name != labels.geometry.name)
    column = naming([str(name) for name in others if labels[name].dtype.kind in "OUTS"])
    if column is None:
        raise InputError("the labels need a column of text that names them; this layer has none.")
    some = labels[labels.geometry.notna() & ~labels.geometry.is_empty & labels[column].notna()]
    some = some.iloc[:_MOST_LABELS]
    marked = bool(some.geometry.geom_type.isin(_POINTS).all())
    places = some.geometry.to_crs(domain.crs.name).representative_point()
    names = [" ".join(str(name).split())[:_LONGEST_LABEL] for name in some[column]]
    return Labels(places.x.to_numpy(), places.y.to_numpy(), names, marked)


def read_boundary(boundary: Any, domain: Domain) -> Any:
    """Read lines to draw over a map, in its CRS, from polygons or lines or the path of a layer.

    Parameters
    ----------
    boundary : GeoDataFrame, GeoSeries, path or None
        A public outline.
    domain : Domain
        Whose CRS the lines shall be in.

    Returns
    -------
    geopandas.GeoSeries or None
    """
    if boundary is None:
        return None
    import geopandas

    if not isinstance(boundary, (geopandas.GeoDataFrame, geopandas.GeoSeries)):
        boundary = read_layer(boundary, "boundary")
    if boundary.crs is None:
        raise CrsError("the boundary needs a CRS; this layer has none: set it with `set_crs()`.")
    other = set(boundary.geom_type.dropna()) - {*_AREAS, *_CURVES}
    if other:  # the points that are protected would be drawn, where their layer is given by mistake
        raise InputError(
            "the boundary must be polygons or lines; this layer holds something else: name the "
            "public outline."
        )
    shapes = boundary.geometry.to_crs(domain.crs.name)
    return shapes.where(~shapes.geom_type.isin(_AREAS), shapes.boundary)


def boundary_lines(boundary: Any, domain: Domain, detail: float | None = None) -> list[Floats]:
    """Return the coordinates of the lines of :func:`read_boundary`; none without a boundary.

    Parameters
    ----------
    boundary : GeoDataFrame, GeoSeries, path or None
        A public outline.
    domain : Domain
        Whose CRS the lines shall be in.
    detail : float, optional
        Leave out what is smaller than this, and what lies outside the domain.
    """
    outline = read_boundary(boundary, domain)
    if outline is None:
        return []
    import shapely

    shapes = outline.to_numpy()
    if detail is not None:
        shapes = shapely.clip_by_rect(shapely.simplify(shapes, detail), *domain.bounds)
    parts = shapely.get_parts(shapely.get_parts(shapes))  # lines of lines, where there are such
    lines = parts[[kind in _LINES for kind in shapely.get_type_id(parts).tolist()]]
    return [shapely.get_coordinates(line) for line in lines]
