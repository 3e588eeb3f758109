"""Cells and counts as arrays, alike for every file format and for QGIS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..common.errors import CrsError
from ..common.types import Floats
from .domain import Crs
from .ground import ground_share

if TYPE_CHECKING:
    from .grid import Grid

EDGES = ("left", "bottom", "right", "top")
"""Fields of a cell that say where it lies, in the order of a bounding box."""


def cell_fields(grid: Grid, rows: range | None = None) -> dict[str, npt.NDArray[Any]]:
    """Return fields that QGIS gives the cells of a grid layer, row by row from the north-west.

    Cells where no records can be are left out.

    Parameters
    ----------
    grid : Grid
        Whose cells.
    rows : range, optional
        Neighbouring rows, for grids whose cells are better not held in memory all at once.

    Returns
    -------
    dict of ndarray
        ``id left top right bottom row_index col_index``, in this order.

    Examples
    --------
    >>> import geodp
    >>> grid = geodp.Grid(geodp.Domain((0, 0, 4, 2), crs="EPSG:5070"), (2, 2))
    >>> fields = cell_fields(grid)
    >>> fields["top"], fields["col_index"]
    (array([2., 2., 1., 1.]), array([0, 1, 0, 1]))
    >>> cell_fields(grid, range(1, 2))["id"]
    array([2, 3])
    """
    every, across = grid.shape
    first, stop = (0, every) if rows is None else (rows.start, rows.stop)
    cell = first * across + np.flatnonzero(grid.supported[first:stop])
    row, column = np.divmod(cell, across)
    north = grid.y_edges[::-1]
    return {
        "id": cell,
        "left": grid.x_edges[column],
        "top": north[row],
        "right": grid.x_edges[column + 1],
        "bottom": north[row + 1],
        "row_index": row,
        "col_index": column,
    }


def cell_areas(grid: Grid) -> Floats:
    """Return areas of the cells on the ground in km²; those that the domain cuts are less.

    Examples
    --------
    >>> import geodp
    >>> cell_areas(geodp.Grid(geodp.Domain((0, 0, 2500, 1000), crs="EPSG:5070"), cell_size=1000))
    array([[1. , 1. , 0.5]])
    """
    kilometres = _kilometres(grid.domain.crs)
    heights, widths = np.diff(grid.y_edges)[::-1] * kilometres, np.diff(grid.x_edges) * kilometres
    x, y = ((edges[1:] + edges[:-1]) / 2 for edges in (grid.x_edges, grid.y_edges[::-1]))
    share = ground_share(x[None, :], y[:, None], grid.domain)
    return np.asarray(np.multiply.outer(heights, widths) * share)


def box_areas(bounds: Floats, crs: Crs) -> Floats:
    """Return areas of boxes ``xmin, ymin, xmax, ymax`` in square kilometres."""
    left, bottom, right, top = bounds.T
    return square_kilometres((right - left) * (top - bottom), crs)


def square_kilometres(areas: Floats, crs: Crs) -> Floats:
    """Return areas in squared units of a CRS as square kilometres."""
    return np.asarray(areas * _kilometres(crs) ** 2)


def _kilometres(crs: Crs) -> float:
    if crs.geographic:
        raise CrsError(
            f"areas need a projected CRS; {crs.name} is geographic (degrees): "
            "make the release in a projected one."
        )
    return crs.metres_per_unit / 1000


def no_data(kind: npt.DTypeLike) -> float:
    """Return the number that rasters of a type show where no records can be.

    Examples
    --------
    >>> no_data("int32"), no_data("float64")
    (-2147483648, nan)
    """
    return float("nan") if np.dtype(kind).kind == "f" else int(np.iinfo(kind).min)


def is_no_data(values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Tell whether pixels say that no records can be there; their type may have widened."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    return np.isin(values, [no_data("int32"), no_data("int64")])


def narrowest(counts: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return published counts in 32 bits where all of them fit, because every GIS reads those.

    Examples
    --------
    >>> narrowest(np.array([-1, 7])).dtype, narrowest(np.array([1 << 31])).dtype
    (dtype('int32'), dtype('int64'))
    """
    limits = np.iinfo(np.int32)
    low, high = counts.min(initial=0), counts.max(initial=0)
    return counts.astype(np.int32) if limits.min < low and high <= limits.max else counts
