"""Coordinates from the CRS of the points into that of the domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..common.errors import CrsError
from ..common.types import Floats
from ..space.domain import Crs, Domain

XY = tuple[Floats, Floats]
Reprojection = Callable[[Floats, Floats], XY]


def reprojection(crs: Any, domain: Domain) -> Reprojection:
    """Return a function that brings coordinates into the domain's CRS.

    Parameters
    ----------
    crs
        CRS of the points: a :class:`~geodp.Crs`, or anything that pyproj understands.
    domain : Domain
        Whose CRS the coordinates shall be in. What cannot be expressed there becomes infinite, and
        so lies outside.
    """
    if crs is None:
        raise CrsError(
            "the points need a CRS; these state none: set it with `set_crs()`, or pass `crs`."
        )
    if isinstance(crs, Crs) and crs == domain.crs:
        return _stay
    from pyproj import CRS, Transformer

    source = CRS.from_user_input(crs if isinstance(crs, dict) else Crs.of(crs).name)
    target = CRS.from_user_input(domain.crs.name)
    if source.equals(target, ignore_axis_order=True):
        return _stay
    transformer = Transformer.from_crs(source, target, always_xy=True)

    def move(x: Floats, y: Floats) -> XY:
        moved = transformer.transform(x, y)
        return np.asarray(moved[0]), np.asarray(moved[1])

    return move


def _stay(x: Floats, y: Floats) -> XY:
    return x, y
