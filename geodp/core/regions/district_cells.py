"""Take the polygons of a public layer as cells: districts, alone or nested in levels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.compact import unzipped, zipped
from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..space.domain import Domain
from ..space.levels import Levels
from .cells import Cells
from .district_overlaps import overlap_areas
from .district_raster import PolygonRows
from .districts import DistrictMap, Slivers
from .overlap import UNIT, Objects, Overlap, Weight
from .polygons import Polygons
from .workload import Workload

_ROUNDING = 1e-9
"""Shares of a district nearer than this to none or all of it are that: areas are rounded."""

_UNPACKED, _UNPACKED_PER_CHARACTER = 1 << 20, 64
"""Bytes that the corners of a file may unfold into, and for each character: coordinates hardly
become shorter by packing."""

_PAIRS = 1 << 20
"""Pairs of bounding boxes that are compared at once."""


class DistrictCells(Cells):
    """Districts as cells, in the order of their levels.

    Parameters
    ----------
    districts : DistrictMap
        The polygons.
    domain : Domain
        A rectangle around them, in their CRS.
    levels : Levels
        Which larger units hold each district; one level where there are none.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
    >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
    >>> domain = Domain((0, 0, 2, 1), crs="EPSG:5070")
    >>> cells = DistrictCells(towns, domain, Levels(["district"], [("west",), ("east",)]))
    >>> cells.locate(np.array([0.5, 1.5, 3.0]), np.array([0.5, 0.5, 0.5]))
    array([ 0,  1, -1])
    """

    kind: ClassVar[str] = "districts"
    format: ClassVar[str] = "4"
    levels: Levels

    def __init__(self, districts: DistrictMap, domain: Domain, levels: Levels) -> None:
        if len(levels) != len(districts):
            raise InputError("every district needs a place in the levels.")
        self.districts, self._domain, self.levels = districts, domain, levels

    def __repr__(self) -> str:
        return f"DistrictCells({self.districts!r}, {self.levels!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistrictCells) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    @property
    def _facts(self) -> tuple[Any, ...]:
        return self.districts, self._domain, self.levels

    @property
    def domain(self) -> Domain:
        return self._domain

    def __len__(self) -> int:
        return len(self.districts)

    @property
    def bounds(self) -> Floats:
        return self.districts.district_bounds

    @property
    def polygons(self) -> Polygons:
        return self.districts.polygons

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        columns = {"district": self.districts.ids, "name": self.districts.names}
        if self.districts.ids == self.districts.names:
            del columns["name"]
        uppers = zip(self.levels.names[:-1], zip(*self.levels.paths))
        columns |= {name: labels for name, labels in uppers if name not in columns}
        return {name: np.array(values, dtype=object) for name, values in columns.items()}

    def locate(self, x: Floats, y: Floats) -> Ints:
        return self.districts.locate(x, y).astype(np.int64)

    def overlap(self, regions: Workload) -> DistrictOverlap:
        return DistrictOverlap(self.districts, region_polygons(regions))

    def to_facts(self) -> dict[str, Any]:
        polygons = self.polygons
        _, first = np.unique(polygons.ring, return_index=True)
        return {
            "districts": {
                "corners": zipped(polygons.edges[:, :2].astype("<f8").tobytes()),
                "rings": np.diff(np.append(first, len(polygons.ring))).tolist(),
                "owners": polygons.owner[first].tolist(),
                "ids": list(self.districts.ids),
                "names": list(self.districts.names),
                "slivers": list(self.districts.slivers),
            },
            "levels": [list(self.levels.names), [list(path) for path in self.levels.paths]],
        }

    @classmethod
    def of_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> DistrictCells:
        told = facts["districts"]
        lengths, owners = (np.array(told[name], dtype=np.int64) for name in ("rings", "owners"))
        if len(owners) != len(lengths) or (lengths < 3).any() or len(told["ids"]) > most:
            raise ValueError("rings that are none")
        size = 16 * sum(lengths.tolist())
        if size > _UNPACKED + _UNPACKED_PER_CHARACTER * len(told["corners"]):
            raise ValueError("more corners than the file can hold")
        corners = np.frombuffer(unzipped(told["corners"], size), dtype="<f8")
        points = corners.reshape(-1, 2).astype(np.float64)
        if len(points) != lengths.sum() or not np.isfinite(points).all():
            raise ValueError("corners that are none")
        ring = np.repeat(np.arange(len(lengths)), lengths)
        last = np.cumsum(lengths) - 1
        following = np.arange(1, len(points) + 1)
        following[last] = last - lengths + 1
        edges = np.hstack([points, points[following]])
        count = len(told["ids"])
        if not np.array_equal(np.unique(owners), np.arange(count)) or (np.diff(owners) < 0).any():
            raise ValueError("districts without rings")
        ids, names = (tuple(map(str, told[name])) for name in ("ids", "names"))
        slivers = Slivers(int(told["slivers"][0]), float(told["slivers"][1]))
        districts = DistrictMap(Polygons(edges, owners[ring], ring, count), ids, names, slivers)
        levels, paths = facts["levels"]
        return cls(districts, domain, Levels(levels, [tuple(map(str, path)) for path in paths]))

    @staticmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        del layout, domain
        raise ValueError("nothing was chosen among districts")


def region_polygons(regions: Workload) -> Polygons:
    """Return regions as polygons, boxes among them."""
    if regions.polygons is not None:
        return regions.polygons
    assert regions.boxes is not None
    xmin, ymin, xmax, ymax = regions.boxes.T
    corners = [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)]
    sides = [np.column_stack([*corners[i], *corners[(i + 1) % 4]]) for i in range(4)]
    edges = np.stack(sides, axis=1).reshape(-1, 4)
    owner = np.repeat(np.arange(len(xmin)), 4)
    return Polygons(edges, owner, owner, len(xmin))


class DistrictOverlap(Overlap):
    """Shares of districts that regions cover, listed pair by pair.

    Attributes
    ----------
    region, cell : ndarray of int
        Pairs of a region and a district that share something, ordered by region.
    share : ndarray of float
        Covered part of the district, above 0 and at most 1.
    """

    def __init__(self, districts: DistrictMap, regions: Polygons) -> None:
        self.count = regions.count
        region, cell = _near_pairs(districts.district_bounds, regions)
        # A region that is a district, to the bit, is that one and no sliver of another.
        same = _prints(regions)[region] == _prints(districts.polygons)[cell]
        known = np.isin(region, region[same])
        share = same.astype(np.float64)
        asked = np.flatnonzero(~known)
        if len(asked):
            both = _concatenated(districts.polygons, regions)
            pairs = cell[asked], len(districts) + region[asked]
            share[asked] = overlap_areas(both, PolygonRows(both), *pairs)
            share[asked] /= districts.areas[cell[asked]]
        share[share > 1 - _ROUNDING] = 1.0
        kept = share > _ROUNDING
        self.region, self.cell, self.share = region[kept], cell[kept], share[kept]

    def _sums(self, values: Floats) -> Floats:
        return np.bincount(self.region, values, minlength=self.count).astype(np.float64)

    def responses(self, counts: npt.NDArray[Any]) -> Objects:
        sums = self._sums(self.share * counts[self.cell])
        return np.array([round(value * UNIT) for value in sums.tolist()], dtype=object)

    def power_sum(self, power: int) -> Floats:
        return self._sums(self.share**power)

    def weighted(self, values: Floats, weight: Weight) -> Floats:
        return self._sums(weight(self.share) * values[self.cell])

    def borders(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        cut = self.share < 1
        yield self.region[cut], self.cell[cut], self.share[cut]

    def influence(self, weights: Ints) -> int:
        raise NotImplementedError("no choice is made among districts")


def _prints(polygons: Polygons) -> npt.NDArray[np.uint64]:
    """Compute a number for each polygon that is the same for the same edges, in any order."""
    mixed = np.zeros(len(polygons.edges), dtype=np.uint64)
    for column in (polygons.edges + 0.0).T:  # there is one zero only
        mixed ^= np.ascontiguousarray(column).view(np.uint64)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    prints = np.zeros(polygons.count, dtype=np.uint64)
    np.add.at(prints, polygons.owner, mixed)
    return prints


def _concatenated(first: Polygons, second: Polygons) -> Polygons:
    rings = int(first.ring[-1]) + 1 if len(first.ring) else 0
    return Polygons(
        np.concatenate([first.edges, second.edges]),
        np.concatenate([first.owner, second.owner + first.count]),
        np.concatenate([first.ring, second.ring + rings]),
        first.count + second.count,
    )


def _near_pairs(bounds: Floats, regions: Polygons) -> tuple[Ints, Ints]:
    """List regions and districts whose bounding boxes overlap, ordered by region."""
    region_bounds = np.full((regions.count, 4), np.nan)
    owners, first = np.unique(regions.owner, return_index=True)
    for side, end in enumerate((np.minimum, np.minimum, np.maximum, np.maximum)):
        if len(first):
            region_bounds[owners, side] = end.reduceat(regions.edges[:, side % 2], first)
    at_once = max(1, _PAIRS // max(1, len(bounds)))
    pairs = []
    for start in range(0, regions.count, at_once):
        part = region_bounds[start : start + at_once, None, :]
        near = (part[..., 0] < bounds[:, 2]) & (bounds[:, 0] < part[..., 2])
        near &= (part[..., 1] < bounds[:, 3]) & (bounds[:, 1] < part[..., 3])
        region, cell = np.nonzero(near)
        pairs.append((region + start, cell))
    if not pairs:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])
