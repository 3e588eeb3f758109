"""Take the polygons of a public layer as cells: districts, alone or nested in levels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.compact import unzipped, zipped
from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints
from ..districts.district_overlaps import overlap_areas, overlap_weights, polygon_weights
from ..districts.district_raster import PolygonRows
from ..districts.districts import DistrictMap, Slivers
from ..regions.overlap import UNIT, Objects, Overlap, Weight
from ..regions.polygons import Polygons
from ..regions.strips import Strips
from ..regions.validity import in_parts
from ..regions.workload import Workload
from ..space.axis import ranges
from ..space.domain import Domain
from ..space.grid import in_domain
from ..space.levels import Levels
from ..space.support import Support
from .cells import Cells

_ROUNDING = 1e-9
"""Shares of a district nearer than this to none or all of it are that: areas are rounded."""

_TAKEN = (
    *("id", "fid", "ogc_fid", "geom", "geometry", "left", "top", "right", "bottom", "row_index"),
    *("col_index", "depth", "level", "district", "name", "group"),
    *("count", "std_error", "ci_low", "ci_high", "density"),
)
_BEGINNINGS = ("count_", "density_", "ci_low_", "ci_high_", "geodp_")
"""Names of columns that files have for themselves."""

_UNPACKED, _UNPACKED_PER_CHARACTER = 1 << 20, 64
"""Bytes that the corners of a file may unfold into, and for each character: coordinates hardly
become shorter by packing."""


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

    @property
    def identity(self) -> tuple[Any, ...]:
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

    def part(self, kept: Bools) -> DistrictCells:
        """Return some of the districts by themselves, in their order."""
        paths = [path for path, held in zip(self.levels.paths, kept) if held]
        levels = Levels(self.levels.names, paths)
        return DistrictCells(self.districts.part(kept), self._domain, levels)

    def on_support(self, within: Any) -> DistrictCells:
        """Return the same districts where records can be in a part of them, by a public layer."""
        place = self._domain
        domain = Domain(
            place.bounds,
            place.crs,
            within=within,
            resolution=place.resolution,
            allow_geographic=place.allow_geographic,
        )
        return DistrictCells(self.districts, domain, self.levels)

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        columns = {"district": self.districts.ids, "name": self.districts.names}
        if self.districts.ids == self.districts.names:
            del columns["name"]
        columns |= dict(zip(level_columns(self.levels.names[:-1]), zip(*self.levels.paths)))
        return {name: np.array(values, dtype=object) for name, values in columns.items()}

    def locate(self, x: Floats, y: Floats) -> Ints:
        code = self.districts.locate(x, y).astype(np.int64)
        if self.domain.within is not None:
            code[~in_domain(self.domain, x, y)[0]] = -1
        return code

    def overlap(self, regions: Workload) -> DistrictOverlap:
        return DistrictOverlap(self.districts, regions)

    def to_facts(self) -> dict[str, Any]:
        return {
            "districts": district_facts(self.districts),
            "levels": level_facts(self.levels),
        }

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> DistrictCells:
        districts = districts_from_facts(facts["districts"], most)
        return cls(districts, domain, levels_from_facts(facts["levels"]))

    @staticmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        del layout, domain
        raise ValueError("nothing was chosen among districts")


def level_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Name the columns of files that say which larger units hold a district.

    A level may be called like a column that files have anyway, in letters of any case, and some
    formats would then refuse the file.

    Examples
    --------
    >>> level_columns(["state", "ID", "id"])
    ('state', 'level_ID', 'level_id_')
    """
    columns: list[str] = []
    taken = set(_TAKEN)
    for name in names:
        column = name
        if name.lower() in taken or name.lower().startswith(_BEGINNINGS):
            column = f"level_{name}"
        while column.lower() in taken:
            column += "_"
        taken.add(column.lower())
        columns.append(column)
    return tuple(columns)


def district_facts(districts: DistrictMap) -> dict[str, Any]:
    """Return all that a layer of districts is made of, as JSON."""
    polygons = districts.polygons
    _, first = np.unique(polygons.ring, return_index=True)
    return {
        "corners": zipped(polygons.edges[:, :2].astype("<f8").tobytes()),
        "rings": np.diff(np.append(first, len(polygons.ring))).tolist(),
        "owners": polygons.owner[first].tolist(),
        "ids": list(districts.ids),
        "names": list(districts.names),
        "slivers": list(districts.slivers),
    }


def level_facts(levels: Levels) -> list[list[Any]]:
    """Return all that levels are made of, as JSON."""
    return [list(levels.names), [list(path) for path in levels.paths]]


def levels_from_facts(facts: list[list[Any]]) -> Levels:
    """Make levels again from what :func:`level_facts` gave."""
    names, paths = facts
    return Levels(names, [tuple(map(str, path)) for path in paths])


def districts_from_facts(facts: dict[str, Any], most: int) -> DistrictMap:
    """Make a layer again from what :func:`district_facts` gave, of so many districts at most."""
    lengths, owners = (np.array(facts[name], dtype=np.int64) for name in ("rings", "owners"))
    if len(owners) != len(lengths) or (lengths < 3).any() or len(facts["ids"]) > most:
        raise ValueError("rings that are none")
    size = 16 * sum(lengths.tolist())
    if size > _UNPACKED + _UNPACKED_PER_CHARACTER * len(facts["corners"]):
        raise ValueError("more corners than the file can hold")
    corners = np.frombuffer(unzipped(facts["corners"], size), dtype="<f8")
    points = corners.reshape(-1, 2).astype(np.float64)
    if len(points) != lengths.sum() or not np.isfinite(points).all():
        raise ValueError("corners that are none")
    ring = np.repeat(np.arange(len(lengths)), lengths)
    last = np.cumsum(lengths) - 1
    following = np.arange(1, len(points) + 1)
    following[last] = last - lengths + 1
    edges = np.hstack([points, points[following]])
    count = len(facts["ids"])
    if not np.array_equal(np.unique(owners), np.arange(count)) or (np.diff(owners) < 0).any():
        raise ValueError("districts without rings")
    ids, names = (tuple(map(str, facts[name])) for name in ("ids", "names"))
    slivers = Slivers(int(facts["slivers"][0]), float(facts["slivers"][1]))
    return DistrictMap(Polygons(edges, owners[ring], ring, count), ids, names, slivers)


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


def box_areas_in(
    strips: Strips, district: Ints, bounds: Floats, boxes: Workload, region: Ints
) -> Floats:
    """Compute areas that districts have in boxes, as far as both reach into some bounds."""
    assert boxes.boxes is not None
    low = np.maximum(boxes.boxes[region, :2], bounds[:, :2])
    size = np.maximum(np.minimum(boxes.boxes[region, 2:], bounds[:, 2:]) - low, 0.0)
    area = size.prod(axis=1)
    some = np.flatnonzero(area > 0)
    west, south = low[some].T
    east, north = (low + size)[some].T
    area[some] *= strips.shares(district[some], west, south, east, north)
    return np.asarray(area)


def shares_by_weight(
    support: Support, layers: tuple[Polygons, Polygons], pairs: tuple[Ints, Ints], by_area: Floats
) -> Floats:
    """Compute which shares of cells regions cover, by where records can be in the cells.

    Of a cell in which records are taken as evenly spread, or can be nowhere, areas tell.

    Parameters
    ----------
    support : Support
        Where records can be.
    layers : tuple of Polygons
        Cells and regions.
    pairs : tuple of ndarray
        Number of the cell and of the region of each pair.
    by_area : ndarray
        Shares of the cells' areas.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    >>> cells = Polygons.from_rings([(0, False, unit)], 1)
    >>> west = Polygons.from_rings([(0, False, unit / [4.0, 1.0])], 1)
    >>> pair = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    >>> land = Support((0, 0, 2, 2), [[1, 0]])
    >>> shares_by_weight(land, (cells, west), pair, np.array([0.25]))
    array([0.5])
    """
    (cells, regions), (cell, region), share = layers, pairs, by_area.copy()
    boxes = np.clip(polygon_bounds(cells)[cell], support.bounds[:2] * 2, support.bounds[2:] * 2)
    uneven = np.flatnonzero(~support.is_even(*boxes.T))
    cell, region = cell[uneven], region[uneven]
    every, place = np.unique(cell, return_inverse=True)
    held = polygon_weights(some_polygons(cells, every), support)[place.ravel()]
    some = np.flatnonzero(held > 0)
    if len(some):
        both = joined_polygons(cells, regions)
        one, other = cell[some], cells.count + region[some]
        covered = overlap_weights(both, PolygonRows(both), one, other, support)
        share[uneven[some]] = covered / held[some]
    return np.asarray(np.minimum(share, 1.0))


def some_polygons(polygons: Polygons, which: Ints) -> Polygons:
    """Return some polygons by themselves, named by their numbers, which rise."""
    place = np.searchsorted(which, polygons.owner)
    kept = np.append(which, -1)[place] == polygons.owner
    _, ring = np.unique(polygons.ring[kept], return_inverse=True)
    return Polygons(polygons.edges[kept], place[kept], ring.ravel(), len(which))


class PolygonShares(Overlap):
    """Shares of polygons that regions cover, listed pair by pair.

    Where it is known within what records can be, shares of a cell that a border cuts are those of
    its weight, not of its area.

    Parameters
    ----------
    cells : Polygons
        Cells that do not overlap.
    workload : Workload
        The regions.
    bounds, areas : ndarray, optional
        Bounding boxes and areas of the cells, where they are known.

    Attributes
    ----------
    region, cell : ndarray of int
        Pairs of a region and a cell that share something, ordered by region.
    share : ndarray of float
        Covered part of the cell, above 0 and at most 1.
    """

    def __init__(
        self,
        cells: Polygons,
        workload: Workload,
        bounds: Floats | None = None,
        areas: Floats | None = None,
    ) -> None:
        regions = region_polygons(workload)
        self.count, self._within = regions.count, workload.domain.within
        bounds = polygon_bounds(cells) if bounds is None else bounds
        areas = cells.areas if areas is None else areas
        region, cell = _near_pairs(bounds, regions)
        if workload.boxes is not None:
            strips = Strips(cells, workload.domain)
            share = box_areas_in(strips, cell, bounds[cell], workload, region)
            self._take(cells, regions, region, cell, share / areas[cell])
            return
        # A region that is a cell, to the bit, is that one and no sliver of another.
        same = _prints(regions)[region] == _prints(cells)[cell]
        known = np.isin(region, region[same])
        share = same.astype(np.float64)
        # Where a region holds all or nothing of the box around a cell, the box tells.
        strips = Strips(regions, workload.domain)
        share[~known] = strips.shares(region[~known], *bounds[cell[~known]].T)
        asked = np.flatnonzero(~known & (share > _ROUNDING) & (share < 1 - _ROUNDING))
        if len(asked):
            both = joined_polygons(cells, regions)
            pairs = cell[asked], cells.count + region[asked]
            share[asked] = overlap_areas(both, PolygonRows(both), *pairs)
            share[asked] /= areas[cell[asked]]
        self._take(cells, regions, region, cell, share)

    def _take(
        self, cells: Polygons, regions: Polygons, region: Ints, cell: Ints, share: Floats
    ) -> None:
        """List the pairs, of which shares by area are given."""
        if self._within is not None:
            cut = np.flatnonzero((share > _ROUNDING) & (share < 1 - _ROUNDING))
            pairs = cell[cut], region[cut]
            share[cut] = shares_by_weight(self._within, (cells, regions), pairs, share[cut])
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


class DistrictOverlap(PolygonShares):
    """Shares of districts that regions cover, listed pair by pair."""

    def __init__(self, districts: DistrictMap, workload: Workload) -> None:
        super().__init__(districts.polygons, workload, districts.district_bounds, districts.areas)


def polygon_bounds(polygons: Polygons) -> Floats:
    """Compute the box around each polygon; NaN for one without edges."""
    bounds = np.full((polygons.count, 4), np.nan)
    owners, first = np.unique(polygons.owner, return_index=True)
    for side, end in enumerate((np.minimum, np.minimum, np.maximum, np.maximum)):
        if len(first):
            bounds[owners, side] = end.reduceat(polygons.edges[:, side % 2], first)
    return bounds


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


def joined_polygons(first: Polygons, second: Polygons) -> Polygons:
    """List the polygons of two layers, those of the second behind those of the first."""
    rings = int(first.ring[-1]) + 1 if len(first.ring) else 0
    return Polygons(
        np.concatenate([first.edges, second.edges]),
        np.concatenate([first.owner, second.owner + first.count]),
        np.concatenate([first.ring, second.ring + rings]),
        first.count + second.count,
    )


def _near_pairs(bounds: Floats, regions: Polygons) -> tuple[Ints, Ints]:
    """List regions and cells whose bounding boxes overlap, ordered by region."""
    region, cell = near_boxes(polygon_bounds(regions), bounds)
    return region, cell


def near_boxes(regions: Floats, cells: Floats) -> tuple[Ints, Ints]:
    """List boxes of two lists that overlap in more than a point or a line, ordered by the first.

    Boxes of the second list are sorted by their west side: only those are compared that begin
    before the other one ends, and not further before it begins than the widest of them is wide.

    Examples
    --------
    >>> rows = np.array([[0.0, 0.0, 2.0, 1.0], [1.0, 0.0, 2.0, 1.0]])
    >>> near_boxes(rows, rows + [1.0, 0.0, 1.0, 0.0])
    (array([0, 1]), array([0, 0]))
    """
    order = np.argsort(cells[:, 0], kind="stable")
    west = cells[order, 0]
    widest = float(np.nanmax(cells[:, 2] - cells[:, 0], initial=0.0))
    first = np.searchsorted(west, regions[:, 0] - widest, side="left")
    length = np.searchsorted(west, regions[:, 2], side="left") - first
    length = np.where(np.isnan(regions[:, 0]), 0, np.maximum(length, 0))
    pairs = [(np.zeros(0, dtype=np.int64),) * 2]
    for part in in_parts(length):
        which, place = ranges(first[part], length[part])
        region, cell = which + part.start, order[place]
        one, other = regions[region], cells[cell]
        near = (one[:, 0] < other[:, 2]) & (other[:, 0] < one[:, 2])
        near &= (one[:, 1] < other[:, 3]) & (other[:, 1] < one[:, 3])
        pairs.append((region[near], cell[near]))
    region, cell = (np.concatenate(column) for column in zip(*pairs))
    listed = np.lexsort((cell, region))
    return region[listed], cell[listed]
