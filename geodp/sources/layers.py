"""Public layers that go with a release: regions to ask about, a boundary to draw."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from ..core.domain import Domain
from ..core.errors import CrsError, FileError
from ..core.release import PathLike


def read_layer(path: PathLike, what: str, layer: str | None = None) -> Any:
    """Read a layer from any vector file.

    Parameters
    ----------
    path : path
        The file.
    what : str
        What it is for, to name it in an error.
    layer : str, optional
        Layer of a file that holds several; by default the first.

    Returns
    -------
    geopandas.GeoDataFrame
    """
    import geopandas

    source = Path(path)
    if not source.exists():
        raise FileError(f"the {what} must be in a file that exists; there is no {source}.")
    try:
        if source.suffix.lower() in (".parquet", ".geoparquet"):
            return geopandas.read_parquet(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # several layers: the first is meant
            found = geopandas.read_file(source, engine="pyogrio", layer=layer)
    except (OSError, ValueError, RuntimeError):
        named = "" if layer is None else f", or has no layer {layer!r}"
        raise FileError(
            f"the {what} must be a vector file that GDAL reads; {source} is not{named}."
        ) from None
    if not isinstance(found, geopandas.GeoDataFrame):
        raise FileError(f"the {what} must hold geometries; {source} has none.")
    return found


def read_boundary(boundary: Any, domain: Domain) -> Any:
    """Lines to draw over a map, in its CRS, from a layer or the path of one.

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
    return boundary.geometry.to_crs(domain.crs.name)
