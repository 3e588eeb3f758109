"""Transform coordinates from the CRS of the points into that of the domain, without the network.

PROJ can fetch grids for shifts of datum over the network, and then asks for the parts that the
points lie in: whoever answers learns where the records are. So the network is off while points are
moved. A shift whose grid is not installed is replaced by the best one that needs none, as on a
machine without a network.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..common.errors import CrsError
from ..common.types import Floats
from ..space.domain import Crs, Domain

XY = tuple[Floats, Floats]
Reprojection = Callable[[Floats, Floats], XY]

_SWITCH = threading.RLock()
"""Held by whoever has switched the network off, so that nobody else switches it on meanwhile."""


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
    with without_network():
        transformer = Transformer.from_crs(source, target, always_xy=True)

    def move(x: Floats, y: Floats) -> XY:
        with without_network():  # another thread makes a transformer of its own at this point
            moved = transformer.transform(x, y)
        return np.asarray(moved[0]), np.asarray(moved[1])

    return move


@contextmanager
def without_network() -> Iterator[None]:
    """Keep PROJ from fetching grids for as long as the context lasts.

    Where the network is on, threads go through one after the other: PROJ's switch belongs to a
    thread in some versions of pyproj, and to the process in others. It is put back as it was. A
    thread that meets PROJ for the first time in between stays without a network, which is the safe
    side.

    Examples
    --------
    >>> from pyproj import network
    >>> with without_network():
    ...     network.is_network_enabled()
    False
    """
    from pyproj.network import (  # type: ignore[attr-defined]
        is_network_enabled,
        set_network_enabled,
    )

    with _SWITCH:
        if is_network_enabled():
            set_network_enabled(False)
            try:
                yield
            finally:
                set_network_enabled(True)
            return
    yield


def _stay(x: Floats, y: Floats) -> XY:
    return x, y
