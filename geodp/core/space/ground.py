"""Compute areas on the ground: most projections stretch areas, and densities need true ones.

How much, the geodesic areas of small squares tell, as far as pyproj knows the CRS, or a host that
has a PROJ of its own (:func:`measure_with`). Where neither is there, areas are those of the map.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..common.types import Bounds, Floats
from .domain import Domain

_PLACES = 33
"""Places along each side of the domain where the stretch is measured; it changes smoothly."""

_ALIKE = 1e-6
"""A projection that stretches no area by more than this keeps areas."""

_NOTABLE = 0.1
"""A projection that stretches areas by less is not worth a word."""

Measure = Callable[[Bounds, str, int], "Floats | None"]

_host: list[Measure] = []


def measure_with(ground_shares: Measure) -> None:
    """Let a host measure areas, as QGIS does, which must not load a PROJ beside its own.

    Parameters
    ----------
    ground_shares : callable
        As :func:`geodp.sources.earth.ground_shares`.
    """
    _host[:] = [ground_shares]
    _measured.cache_clear()


def ground_share(x: Floats, y: Floats, domain: Domain) -> Floats:
    """Return the true area of small areas of the map, as a part of their area on the map.

    Parameters
    ----------
    x, y : ndarray
        Where they are, in units of the CRS.
    domain : Domain
        Where places are.

    Returns
    -------
    ndarray
        1 everywhere if the CRS keeps areas, or if nothing is known about it.

    Examples
    --------
    >>> north = Domain((0, 8_000_000, 100_000, 9_000_000), crs="EPSG:3857")
    >>> ground_share(np.array([50_000.0]), np.array([8_500_000.0]), north).round(2)
    array([0.24])
    >>> ground_share(np.array([5.0]), np.array([5.0]), Domain((0, 0, 9, 9), crs="EPSG:5070"))
    array([1.])
    """
    shares = None if domain.crs.geographic else _measured(domain.bounds, domain.crs.name)
    if shares is None:
        return np.ones(np.broadcast(x, y).shape)
    xmin, ymin, _, _ = domain.bounds
    across, along = (
        np.clip((place - low) / size * (_PLACES - 1), 0, _PLACES - 1)
        for place, low, size in ((x, xmin, domain.width), (y, ymin, domain.height))
    )
    column, row = (np.minimum(at.astype(np.int64), _PLACES - 2) for at in (across, along))
    right, up = across - column, along - row
    south = shares[row, column] * (1 - right) + shares[row, column + 1] * right
    north = shares[row + 1, column] * (1 - right) + shares[row + 1, column + 1] * right
    return np.asarray(south * (1 - up) + north * up)


def stretch_in_words(domain: Domain) -> str | None:
    """Say by how much the CRS of a domain stretches areas; None where by little.

    Examples
    --------
    >>> print(stretch_in_words(Domain((0, 8_000_000, 100_000, 9_000_000), crs="EPSG:3857")))
    EPSG:3857 stretches areas: what is 1 km² on the map is 0.21 to 0.28 km² on the ground here. ...
    >>> stretch_in_words(Domain((500_000, 5_000_000, 600_000, 5_100_000), crs="EPSG:32633"))
    """
    share = None if domain.crs.geographic else _measured(domain.bounds, domain.crs.name)
    if share is None or np.abs(share - 1).max() < _NOTABLE:
        return None
    low, high = (f"{value:.2g}" for value in (share.min(), share.max()))
    span = low if low == high else f"{low} to {high}"
    return (
        f"{domain.crs.short} stretches areas: what is 1 km² on the map is {span} km² on the ground "
        "here. Densities are of the ground, sizes of cells are those of the map: a CRS that keeps "
        "areas, or one of the region, such as its UTM zone, has the same size everywhere."
    )


@lru_cache(maxsize=8)
def _measured(bounds: Bounds, name: str) -> Floats | None:
    """Return ground shares on a lattice; None where areas are kept, or nothing is known."""
    measure = _host[0] if _host else _by_pyproj()
    share = None if measure is None else measure(bounds, name, _PLACES)
    if share is None:
        return None
    known = np.isfinite(share)
    if not known.any() or (np.abs(share[known] - 1) < _ALIKE).all():
        return None
    share[~known] = share[known].mean()  # corners of the domain that are not on the map
    return share


def _by_pyproj() -> Measure | None:
    try:
        from ...sources.earth import ground_shares
    except ImportError:
        return None  # the core stands alone
    return ground_shares
