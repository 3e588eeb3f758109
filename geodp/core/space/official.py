"""Identifiers that cells have in the official grid of Europe.

Statistical offices of Europe count on squares of ETRS89-LAEA (EPSG:3035) whose corners are whole
multiples of their side. Such a square is known by its side and its lower left corner, northing
first. Tables that have these identifiers join without any geometry.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats
from .domain import Crs

GRID_ID = "GRD_ID"
"""What the column of identifiers is called, as in the tables of Eurostat."""

_OFFICIAL = "EPSG:3035"


def official_ids(bounds: Floats, crs: Crs) -> npt.NDArray[Any] | None:
    """Return the official identifier of each square; None where there is none in any.

    Parameters
    ----------
    bounds : ndarray, shape (n, 4)
        Edges ``xmin, ymin, xmax, ymax`` of boxes.
    crs : Crs
        What they are in.

    Returns
    -------
    ndarray of object, or None
        Text, and None for a box that is no square of whole metres, or that is not at a whole
        multiple of its side.

    Examples
    --------
    >>> boxes = np.array([[4334e3, 2684e3, 4335e3, 2685e3], [4335e3, 2684e3, 4336e3, 2686e3]])
    >>> official_ids(boxes, Crs("EPSG:3035"))
    array(['CRS3035RES1000mN2684000E4334000', None], dtype=object)
    """
    if crs.name.upper() != _OFFICIAL:
        return None
    left, bottom, right, top = bounds.T
    side = right - left
    square = (side == top - bottom) & (side >= 1) & (left >= 0) & (bottom >= 0)
    square &= side == np.rint(side)
    divisor = np.where(square, side, 1.0)
    square &= (np.mod(left, divisor) == 0) & (np.mod(bottom, divisor) == 0)
    if not square.any():
        return None
    side, east, north = (
        np.char.mod("%d", values[square].astype(np.int64)) for values in (side, left, bottom)
    )
    text = np.char.add(np.char.add("CRS3035RES", side), np.char.add("mN", north))
    ids = np.full(len(bounds), None, dtype=object)
    ids[square] = np.char.add(text, np.char.add("E", east))
    return ids
