"""Regions that the release should answer well: public, and chosen before looking at the points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints, read_only
from ..space.domain import Domain, checked_domain
from ..space.grid import Grid
from .overlap import BoxOverlap, Overlap
from .polygons import PolygonOverlap, Polygons
from .strips import Strips
from .weighted_overlap import BoxOverlapWithin, PolygonOverlapWithin, PolygonWeights

if TYPE_CHECKING:
    import geopandas

    from ...sources.regions import Regions

Expected = Union[str, Sequence[float], Floats, None]  # noqa: UP007 (QGIS 3.22 has Python 3.9)

DEFAULT_SHARES = (0.01, 0.04, 0.09, 0.16, 0.25, 0.64)
"""Box areas of the paper's experiments, as shares of the domain."""

_WEIGHT_BITS = 32


@dataclass(frozen=True, eq=False, repr=False)
class Workload:
    """Regions with weights. Make one with a class method.

    Regions follow the rule of cells: what lies on a left or lower edge is in, what lies on a right
    or upper edge is out. Parts outside the domain are cut away, since no point is counted there.

    Attributes
    ----------
    domain : Domain
        The rectangle that the regions were cut to.
    boxes : ndarray, shape (m, 4), or None
        Axis-parallel boxes, where that is what the regions are; read-only, like the weights.
    polygons : Polygons or None
        Polygons otherwise.
    weights : ndarray of int
        Positive; only their ratios matter.
    source : str
        What the regions are, in words for the release's metadata.
    weighted : bool
        Whether weights were asked for. If not, a tuner may estimate them privately.
    uncut_areas : ndarray, optional
        Areas of the regions before they were cut to the domain, where they were.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> Workload.random_boxes(town, shares=[0.01, 0.25], per_share=10, seed=1)
    Workload(20 regions: random boxes, shares 0.01 0.25, 10 each, seed 1)
    """

    domain: Domain
    boxes: Floats | None
    polygons: Polygons | None
    weights: Ints
    source: str
    weighted: bool = False
    uncut_areas: Floats | None = None

    def __post_init__(self) -> None:
        checked_domain(self.domain)
        if self.boxes is not None:
            object.__setattr__(self, "boxes", read_only(self.boxes))
        object.__setattr__(self, "weights", read_only(self.weights))

    def __reduce__(self) -> tuple[Any, ...]:
        # Copies are made anew: a pickled array would come back writable.
        return Workload, tuple(getattr(self, part.name) for part in fields(self))

    def __repr__(self) -> str:
        return f"Workload({len(self)} regions: {self.source})"

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def areas(self) -> Floats:
        """Return areas of complete regions in squared CRS units, outside the domain too."""
        if self.uncut_areas is not None:
            return self.uncut_areas
        assert self.polygons is not None
        return self.polygons.areas

    @cached_property
    def inside(self) -> Floats:
        """Return areas of the regions inside the domain, in squared CRS units."""
        if self.boxes is not None:
            return np.asarray((self.boxes[:, 2:] - self.boxes[:, :2]).prod(axis=1))
        assert self.polygons is not None
        rectangle = (np.full(len(self), side) for side in self.domain.bounds)
        shares = Strips(self.polygons, self.domain).shares(np.arange(len(self)), *rectangle)
        return np.asarray(shares * self.domain.area)

    def in_parts(self, most: int) -> Iterator[Workload]:
        """Return boxes a bounded number at a time; polygons together."""
        if self.boxes is None or len(self) <= most:
            yield self
            return
        for start in range(0, len(self), most):
            part = slice(start, start + most)
            areas = None if self.uncut_areas is None else self.uncut_areas[part]
            yield replace(
                self, boxes=self.boxes[part], weights=self.weights[part], uncut_areas=areas
            )

    def overlap(self, grid: Grid) -> Overlap:
        """Compute overlaps of the regions with a grid's cells, by area or where records can be."""
        by_weight = grid.domain.within is not None
        if self.boxes is not None:
            return (BoxOverlapWithin if by_weight else BoxOverlap)(self.boxes, grid)
        assert self.polygons is not None
        if by_weight:
            return PolygonOverlapWithin(self.polygons, grid, self.polygon_weights)
        return PolygonOverlap(self.polygons, grid)

    @cached_property
    def polygon_weights(self) -> PolygonWeights:
        """Return what polygons have of where records can be; needs a domain that says it."""
        assert self.polygons is not None
        assert self.domain.within is not None
        return PolygonWeights(self.polygons, self.domain.within)

    @classmethod
    def random_boxes(
        cls,
        domain: Domain,
        shares: Sequence[float] = DEFAULT_SHARES,
        per_share: int = 100,
        *,
        seed: int,
        expected: Expected = None,
    ) -> Workload:
        """Make boxes of the domain's own shape at random places.

        Parameters
        ----------
        domain : Domain
            Where to put them.
        shares : sequence of float
            Areas as shares of the domain's, each between 0 and 1.
        per_share : int
            How many of each.
        seed : int
            Public seed of the places: the same seed gives the same boxes everywhere.
        expected : {"area"} or sequence of float, optional
            See :meth:`from_boxes`.
        """
        domain = checked_domain(domain)
        for share in shares:
            if not 0 < share < 1:
                raise InputError(f"shares must lie between 0 and 1, both excluded; got {share}.")
        if per_share < 1 or not len(shares):
            raise InputError("a workload needs at least one box; got no shares or `per_share` < 1.")
        # The raw 64-bit stream is fixed for ever; helper methods of generators may change.
        raw = np.random.PCG64(seed).random_raw(2 * len(shares) * per_share)
        place = (raw >> np.uint64(11)).astype(np.float64).reshape(-1, 2) * 2.0**-53
        side = np.repeat([math.sqrt(share) for share in shares], per_share)
        low = place * (1 - side)[:, None]
        start, extent = np.array(domain.bounds[:2]), np.array([domain.width, domain.height])
        boxes = np.hstack([start + low * extent, start + (low + side[:, None]) * extent])
        words = " ".join(format(share, "g") for share in shares)
        source = f"random boxes, shares {words}, {per_share} each, seed {seed}"
        return _from_boxes(boxes, domain, expected, source)

    @classmethod
    def from_boxes(
        cls,
        boxes: npt.ArrayLike,
        domain: Domain,
        *,
        expected: Expected = None,
    ) -> Workload:
        """Use the given boxes.

        Parameters
        ----------
        boxes : array_like, shape (m, 4)
            ``xmin, ymin, xmax, ymax`` in the domain's CRS.
        domain : Domain
            Rectangle of the release.
        expected : {"area"} or sequence of float, optional
            Public guess of each region's count: errors then weigh relative to it. ``"area"``
            expects counts in proportion to area. By default the tuner ``"influence"`` estimates
            the counts privately, and ``"e2epriv"`` weighs all errors alike.

        Examples
        --------
        >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> len(Workload.from_boxes([(0, 0, 1000, 1000)], town))
        1
        """
        return _from_boxes(boxes, checked_domain(domain), expected, "given boxes")

    @classmethod
    def from_geodataframe(
        cls,
        regions: geopandas.GeoDataFrame | geopandas.GeoSeries,
        domain: Domain,
        *,
        expected: Expected = None,
    ) -> Workload:
        """Use the polygons of a layer in any CRS.

        Parameters
        ----------
        regions : GeoDataFrame or GeoSeries
            Polygons or multipolygons.
        domain : Domain
            Rectangle of the release; polygons are reprojected to its CRS.
        expected : {"area"} or sequence of float, optional
            See :meth:`from_boxes`.
        """
        from ...sources.regions import read_regions

        inside = read_regions(regions, checked_domain(domain))
        if len(inside.outside):
            raise InputError(_outside(int(inside.outside[0]), domain))
        return cls.from_regions(inside, domain, expected=expected)

    @classmethod
    def from_regions(
        cls, regions: Regions, domain: Domain, *, expected: Expected = None
    ) -> Workload:
        """Use regions that were read from a layer."""
        return cls(
            domain,
            None,
            regions.polygons,
            region_weights(expected, regions.inside),
            "polygons of a layer",
            expected is not None,
            regions.areas,
        )

    @classmethod
    def from_polygons(
        cls,
        polygons: Polygons,
        domain: Domain,
        *,
        expected: Sequence[float] | None = None,
    ) -> Workload:
        """Use polygons that are already rings of coordinates in the domain's CRS.

        Parameters
        ----------
        polygons : Polygons
            Rings that bound an area; see :meth:`Polygons.check`.
        domain : Domain
            Rectangle of the release.
        expected : sequence of float, optional
            See :meth:`from_boxes`.

        Examples
        --------
        >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> triangle = np.array([[0.0, 0.0], [2000.0, 0.0], [0.0, 2000.0]])
        >>> Workload.from_polygons(Polygons.from_rings([(0, False, triangle)], 1), town)
        Workload(1 regions: polygons of a layer)
        """
        weights, given = region_weights(expected, np.ones(polygons.count)), expected is not None
        return cls(domain, None, polygons.check(), weights, "polygons of a layer", given)


def checked_boxes(boxes: npt.ArrayLike, domain: Domain) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return boxes as an array, and which of them overlap the domain; what is no box is refused."""
    try:
        given = np.atleast_2d(np.asarray(boxes, dtype=np.float64))
    except (TypeError, ValueError):
        raise InputError(
            "boxes must be rows of xmin, ymin, xmax, ymax, all numbers; got a "
            f"{type(boxes).__name__} that is not."
        ) from None
    if given.ndim != 2 or given.shape[1] != 4 or not len(given):
        raise InputError(
            f"boxes must be rows of xmin, ymin, xmax, ymax, at least one; got shape {given.shape}."
        )
    xmin, ymin, xmax, ymax = domain.bounds
    cut = np.clip(given, [xmin, ymin] * 2, [xmax, ymax] * 2)
    bad = ~np.isfinite(given).all(axis=1) | (given[:, :2] >= given[:, 2:]).any(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(
            f"a box needs finite xmin < xmax and ymin < ymax; box {row} is {given[row].tolist()}."
        )
    return given, np.asarray((cut[:, :2] < cut[:, 2:]).all(axis=1))


def _from_boxes(boxes: npt.ArrayLike, domain: Domain, expected: Expected, source: str) -> Workload:
    given, inside = checked_boxes(boxes, domain)
    if not inside.all():
        raise InputError(_outside(int(np.argmin(inside)), domain))
    xmin, ymin, xmax, ymax = domain.bounds
    cut = np.clip(given, [xmin, ymin] * 2, [xmax, ymax] * 2)
    # As shares of the domain, kept above 0: the area of a sliver may underflow.
    sides = (cut[:, 2:] - cut[:, :2]) / [domain.width, domain.height]
    areas = np.maximum(sides.prod(axis=1), 2.0**-100)
    given_weights = expected is not None
    with np.errstate(over="ignore"):
        uncut = (given[:, 2:] - given[:, :2]).prod(axis=1)
    weights = region_weights(expected, areas)
    return Workload(domain, cut, None, weights, source, given_weights, uncut)


def _outside(row: int, domain: Domain) -> str:
    return (
        f"every region must overlap the domain; region {row} lies outside {domain.bounds}: "
        "remove it or widen the domain."
    )


def region_weights(expected: Expected, areas: Floats) -> Ints:
    """Return one over the expected count, as whole numbers that add up to about ``2**32``."""
    if expected is None:
        return np.ones(len(areas), dtype=np.int64)
    guess = areas if isinstance(expected, str) and expected == "area" else expected
    try:
        counts = np.asarray(guess, dtype=np.float64)
    except ValueError:
        counts = np.empty(0)
    if counts.shape != areas.shape or not (np.isfinite(counts) & (counts > 0)).all():
        raise InputError(
            "expected must be 'area' or one positive number for each region; "
            f"got {len(areas)} regions and {expected!r}."
        )
    with np.errstate(under="ignore"):
        inverse = counts.min() / counts
    rounded = np.rint(inverse / inverse.sum() * 2**_WEIGHT_BITS)
    return np.asarray(np.maximum(rounded, 1), dtype=np.int64)
