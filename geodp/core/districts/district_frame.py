"""The public tree that a release rooted in districts grows on.

Depth 0 is the layer. Depth 1 cuts its list of districts into at most 16 *unions* of neighbouring
districts; further depths cut a union into up to four, down to single districts. Below a district,
every depth halves the district's own bounding box along both axes, and a node is what the box
shares with the district.

Every point of a district has a *base code*: the place of its district in the public order, and two
bits for each halving. All nodes are runs of base codes, and a record is in one node of each depth:
which one follows from its own coordinates and from public input alone. The *code* of a node is the
first of its base codes, and behind that how often it was halved, or cut out of the list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Bools, Floats, Ints, freeze
from ..regions.strips import Strips
from ..regions.weighted_overlap import PolygonWeights
from ..space.axis import ranges
from ..space.domain import Domain
from ..space.frame import ROOT_CELLS
from ..space.grid import in_domain
from ..space.levels import Levels
from .district_overlaps import polygon_weights
from .districts import DistrictMap
from .halving import Halving, halve

HALVINGS = 13
"""Most halvings of a district's bounding box."""

_ROOT_LEVEL = ROOT_CELLS.bit_length() - 1
"""Halvings of the list of districts that make the root unions."""

_STEP = 2
"""Halvings of a union's list when it is split: into four, as cells are."""

_TAG_BITS, _UNION = 6, 32
"""Bits of a code for how a node was made; from 32 on, by halving the list of districts."""

_MOST_HALVINGS = 31
"""Halvings of a list that the bits of a code can tell."""

_TOO_OFTEN = "levels of districts must be fewer: their list is halved too often."

_SLIVER = 1e-6
"""Part of a box below which a district does not reach into it: no cell is so small a sliver."""

_ROUNDING = 1e-9
"""Shares nearer than this to all of a box are that: areas are rounded."""


class DistrictFrame:
    """Districts, unions of them, and how often their bounding boxes may be halved. Public.

    Parameters
    ----------
    districts : DistrictMap
        The layer.
    domain : Domain
        A rectangle around it.
    halvings : int, optional
        How often a bounding box may be halved, at most.
    resolution : float, optional
        Side below which no box shall fall, in CRS units.
    levels : Levels, optional
        Larger units that hold the districts: unions of neighbours are then cut so that every unit
        is a node.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
    >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
    >>> frame = DistrictFrame(towns, Domain((0, 0, 2, 1), crs="EPSG:5070"), 1)
    >>> codes, fan_out = frame.child_codes(0, np.zeros(1, dtype=np.int64))
    >>> frame.district(codes), frame.bounds(codes)[1]
    (array([0, 1]), array([1., 0., 2., 1.]))
    >>> frame.base_codes(np.array([0.2, 1.7, 9.0]), np.array([0.2, 0.9, 0.0]))[0]
    array([0, 7])
    """

    def __init__(
        self,
        districts: DistrictMap,
        domain: Domain,
        halvings: int = HALVINGS,
        *,
        resolution: float | None = None,
        levels: Levels | None = None,
    ) -> None:
        if halvings not in range(HALVINGS + 1):
            raise InputError(f"halvings must be a whole number from 0 to {HALVINGS}.")
        if resolution is not None and not 0 <= resolution < math.inf:
            raise InputError(f"a resolution must be a number from 0; got {resolution!r}.")
        self.districts, self.domain, self.halvings = districts, domain, int(halvings)
        self.resolution = max(resolution or 0.0, domain.resolution or 0.0)
        self.levels = None if levels is None or levels.depth == 1 else levels
        if self.levels is not None and len(self.levels) != len(districts):
            raise InputError("every district needs a place in the levels.")
        self._asked: tuple[Ints, Floats] | None = None

    def __repr__(self) -> str:
        return f"DistrictFrame({self.districts!r}, {self.halvings})"

    @property
    def _facts(self) -> tuple[Any, ...]:
        return self.districts, self.domain, self.halvings, self.resolution, self.levels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistrictFrame) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled_frame, self._facts

    # --- districts and unions -----------------------------------------------------------------

    @cached_property
    def halving(self) -> Halving:
        """Return the public order of the districts, as lists that halve."""
        if self.levels is None:
            return self.districts.halving
        halved = halve(self.districts.centres, *self._larger(self.levels))
        if halved.level.max() > _MOST_HALVINGS:
            raise InputError(_TOO_OFTEN)
        return halved

    def _larger(self, levels: Levels) -> Iterator[tuple[Ints, Floats]]:
        """List which unit of each larger level holds a district, and the middle of each unit."""
        low, high = np.split(self.districts.district_bounds, 2, axis=1)
        for depth in range(1, levels.depth):
            starts = levels.smallest_units(depth)
            unit = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            least = np.minimum.reduceat(low, starts[:-1])
            yield unit, least + (np.maximum.reduceat(high, starts[:-1]) - least) / 2

    @cached_property
    def order(self) -> Ints:
        """Return codes of the districts in the public order."""
        return self.halving.order

    @cached_property
    def _rank(self) -> Ints:
        """Return the place of each district in the public order."""
        rank = np.empty(len(self.order), dtype=np.int64)
        rank[self.order] = np.arange(len(self.order))
        return freeze(rank)

    @cached_property
    def deepest(self) -> int:
        """Return the depth that no node is below."""
        depth, nodes = 1, self._roots
        while (self.halving.child[nodes] >= 0).any():
            nodes, _ = self.halving.below(nodes[self.halving.child[nodes] >= 0], _STEP)
            depth += 1
            if depth > _MOST_HALVINGS:  # or a list that holds itself
                raise InputError(_TOO_OFTEN)
        return depth + self.halvings

    @cached_property
    def _roots(self) -> Ints:
        return self.halving.below(np.zeros(1, dtype=np.int64), _ROOT_LEVEL)[0]

    def _list_nodes(self, codes: Ints) -> Ints:
        """Return nodes of the halved list that unions are."""
        level = (codes & (1 << _TAG_BITS) - 1) - _UNION
        start = codes >> _TAG_BITS + 2 * self.halvings
        place = np.searchsorted(self._keys, self.halving.node_keys(level, start))
        return np.minimum(place, len(self._keys) - 1)

    @cached_property
    def _keys(self) -> Ints:
        return self.halving.keys

    def _node_codes(self, nodes: Ints) -> Ints:
        """Return codes of nodes of the halved list: single districts have not been halved."""
        halving = self.halving
        tag = np.where(halving.child[nodes] < 0, 0, _UNION + halving.level[nodes])
        return np.asarray((halving.start[nodes] << 2 * self.halvings << _TAG_BITS) | tag)

    def ranks(self, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """Return places in the public order at which the districts of nodes begin and end."""
        first = codes >> _TAG_BITS + 2 * self.halvings
        last = first + 1
        union = self.is_union(codes)
        last[union] = self.halving.stop[self._list_nodes(codes[union])]
        return first, last

    def is_union(self, codes: npt.NDArray[Any]) -> Bools:
        """Tell whether nodes hold several districts."""
        return np.asarray(codes & (1 << _TAG_BITS) - 1 >= _UNION)

    def is_unit(self, codes: npt.NDArray[Any]) -> Bools:
        """Tell whether nodes are districts, or larger units of some level."""
        unit = self.is_district(codes)
        union = self.is_union(codes)
        unit[union] = self.halving.unit[self._list_nodes(codes[union])]
        return unit

    def is_district(self, codes: npt.NDArray[Any]) -> Bools:
        """Tell whether nodes are districts, not halved yet."""
        return np.asarray(codes & (1 << _TAG_BITS) - 1 == 0)

    def district(self, codes: npt.NDArray[Any]) -> Ints:
        """Return the code of the district that holds each node; -1 for unions."""
        district = self.order[codes >> _TAG_BITS + 2 * self.halvings]
        return np.where(self.is_union(codes), -1, district)

    # --- nodes --------------------------------------------------------------------------------

    def spans(self, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """Run of base codes of each node, half-open."""
        start = codes >> _TAG_BITS
        halved = codes & (1 << _TAG_BITS) - 1
        union = halved >= _UNION
        length = np.left_shift(1, 2 * (self.halvings - np.where(union, 0, halved)))
        stop = start + length
        if union.any():
            stop[union] = self.ranks(codes[union])[1] << 2 * self.halvings
        return start, stop

    def child_codes(self, depth: int, codes: npt.NDArray[Any]) -> tuple[Ints, Ints]:
        """List the codes of all children of nodes, and how many each node has."""
        if depth == 0:
            return self._node_codes(self._roots), np.array([len(self._roots)])
        codes = np.asarray(codes, dtype=np.int64)
        tag, start = codes & (1 << _TAG_BITS) - 1, codes >> _TAG_BITS
        fan_out = np.full(len(codes), 4, dtype=np.int64)
        union = self.is_union(codes)
        parts, fan_out[union] = self.halving.below(self._list_nodes(codes[union]), _STEP)
        which, step = ranges(np.zeros(len(codes), dtype=np.int64), fan_out)
        length = np.left_shift(1, 2 * np.maximum(self.halvings - tag - 1, 0))
        children = (start[which] + step * length[which] << _TAG_BITS) | (tag[which] + 1)
        children[union[which]] = self._node_codes(parts)
        self._check_children(codes, children, which)
        return children, fan_out

    def _check_children(self, codes: Ints, children: Ints, which: Ints) -> None:
        """Refuse children with a base code that is none of their parent's.

        A record in such a child would be in another node of the parent's depth, whose budget would
        be spent beside that of the child. What is counted in a node are the same runs.
        """
        tag = codes & (1 << _TAG_BITS) - 1
        if (tag[tag < _UNION] >= self.halvings).any():
            raise InputError("boxes of the finest lattice have no children.")
        (start, stop), (first, last) = self.spans(codes), self.spans(children)
        inside = (start[which] <= first) & (first < last) & (last <= stop[which])
        if not inside.all():
            raise InputError("children of a node must lie inside of it: a record is in no other.")

    def can_split(self, codes: npt.NDArray[Any]) -> Bools:
        """Tell whether nodes can have children."""
        tag = codes & (1 << _TAG_BITS) - 1
        return np.asarray((tag >= _UNION) | (tag < self._most[self.district(codes)]))

    @cached_property
    def _most(self) -> Ints:
        """Return how often the bounding box of each district may be halved."""
        box = self.districts.district_bounds
        side = np.minimum(box[:, 2] - box[:, 0], box[:, 3] - box[:, 1])
        # Edges are rounded sums: four units in the last place apart, they rise.
        least = np.maximum(4 * np.spacing(np.abs(box).max(axis=1)), self.resolution)
        times = np.floor(np.log2(np.maximum(side / least, 1.0))).astype(np.int64)
        return freeze(np.minimum(times, self.halvings))

    def bounds(self, codes: npt.NDArray[Any]) -> Floats:
        """Return ``xmin, ymin, xmax, ymax`` of the box of each node; around all of a union."""
        codes = np.asarray(codes, dtype=np.int64)
        box = np.empty((len(codes), 4))
        union = self.is_union(codes)
        if union.any():
            ordered = self.districts.district_bounds[self.order]
            ordered = np.vstack([ordered, ordered[-1:]])
            runs = np.stack(self.ranks(codes[union]), axis=1).ravel()
            low = np.minimum.reduceat(ordered[:, :2], runs)[::2]
            box[union] = np.hstack([low, np.maximum.reduceat(ordered[:, 2:], runs)[::2]])
        inner = ~union
        district, halved = self.district(codes[inner]), codes[inner] & (1 << _TAG_BITS) - 1
        size = np.left_shift(1, self.halvings - halved)
        base = codes[inner] >> _TAG_BITS & (1 << 2 * self.halvings) - 1
        column, row = _evens(base), _evens(base >> 1)
        for side, place in enumerate((column, row, column + size, row + size)):
            box[inner, side] = self._edge(district, side % 2, place)
        return box

    def _edge(self, district: Ints, axis: int, place: Ints) -> Floats:
        """Return coordinate of a line of the finest lattice in a district's bounding box."""
        box = self.districts.district_bounds[district]
        low, high = box[:, axis], box[:, axis + 2]
        last = 1 << self.halvings
        return np.where(place == last, high, low + (high - low) * (place / last))

    def base_codes(self, x: Floats, y: Floats) -> tuple[Ints, Bools]:
        """Return base codes of those points that are in a district, and which these are."""
        district = self.districts.locate(x, y)
        inside = district >= 0
        if self.domain.within is not None:
            inside &= in_domain(self.domain, x, y)[0]
        held = district[inside].astype(np.int64)
        column, row = (
            self._place(held, axis, values[inside]) for axis, values in enumerate((x, y))
        )
        codes = self._rank[held] << 2 * self.halvings
        return codes | _spread(column) | _spread(row) << 1, inside

    def _place(self, district: Ints, axis: int, values: Floats) -> Ints:
        """Return the column or row of the finest lattice: guessed, then compared with its lines."""
        box = self.districts.district_bounds[district]
        low, high, count = box[:, axis], box[:, axis + 2], 1 << self.halvings
        place = np.clip(((values - low) / (high - low) * count).astype(np.int64), 0, count - 1)
        place -= (values < self._edge(district, axis, place)) & (place > 0)
        place += (values >= self._edge(district, axis, place + 1)) & (place < count - 1)
        return np.asarray(place)

    # --- areas --------------------------------------------------------------------------------

    @cached_property
    def strips(self) -> Strips:
        """Return areas of districts in rectangles."""
        return Strips(self.districts.polygons, self.domain)

    def shares(self, codes: npt.NDArray[Any]) -> Floats:
        """Return the part of each node's box that its district fills; 1 for unions."""
        if self._asked is not None and np.array_equal(self._asked[0], codes):
            return self._asked[1]
        share = np.ones(len(codes))
        inner = np.flatnonzero(~self.is_union(codes))
        box = self.bounds(codes[inner]).T
        share[inner] = self.strips.shares(self.district(codes[inner]), *box)
        share[share < _SLIVER] = 0.0
        share[share > 1 - _ROUNDING] = 1.0
        self._asked = np.array(codes), freeze(share)
        return share

    def supported_codes(self, depth: int, codes: npt.NDArray[Any]) -> Bools:
        """Tell whether records can be in nodes: whether the district reaches into the box.

        Where it is known within what records can be, boxes elsewhere have none. Districts and
        unions of them stay: each may have a count.
        """
        del depth
        supported = np.asarray(self.shares(codes) > 0)
        if self.domain.within is not None:
            boxes = np.flatnonzero(supported & ~(self.is_union(codes) | self.is_district(codes)))
            supported[boxes] = self.domain.within.meets(*self.bounds(codes[boxes]).T)
        return supported

    def areas(self, codes: npt.NDArray[Any]) -> Floats:
        """Return the area of each node, in squared units of the CRS."""
        box = self.bounds(codes)
        areas = self.shares(codes) * (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
        complete = np.flatnonzero(self.is_union(codes) | self.is_district(codes))
        sums = _run_sums(self.districts.areas[self.order])
        first, last = self.ranks(codes[complete])
        areas[complete] = sums[last] - sums[first]
        return np.asarray(areas)

    def weights(self, codes: npt.NDArray[Any]) -> Floats:
        """Return what nodes have of where records can be; needs a domain that says it.

        In a pixel that the border of a district cuts, its part is taken as alike all over it.
        """
        complete = self.is_union(codes) | self.is_district(codes)
        inner = np.flatnonzero(~complete)
        weights, box = np.zeros(len(codes)), self.bounds(codes[inner]).T
        weights[inner] = self._polygon_weights.weight(self.district(codes[inner]), *box)
        sums = _run_sums(self.district_sizes[0][self.order])
        first, last = self.ranks(codes[complete])
        weights[complete] = sums[last] - sums[first]
        return weights

    @cached_property
    def district_sizes(self) -> tuple[Floats, ...]:
        """Return sizes of districts: weights where these are known, and areas."""
        within, areas = self.domain.within, self.districts.areas
        if within is None:
            return (areas,)
        return freeze(polygon_weights(self.districts.polygons, within)), areas

    def run_shares(self, part: tuple[Ints, Ints], run: tuple[Ints, Ints]) -> Floats:
        """Return which share of runs of districts parts of them have, by places in the order."""
        sizes = (_run_sums(size[self.order]) for size in self.district_sizes)
        held, total = zip(*((s[part[1]] - s[part[0]], s[run[1]] - s[run[0]]) for s in sizes))
        return share_of_first(held, total)

    @cached_property
    def units(self) -> tuple[Ints, Ints]:
        """Return where units of all levels begin and end in the public order, the largest first."""
        assert self.levels is not None
        starts = [self.levels.smallest_units(depth + 1) for depth in range(self.levels.depth)]
        first = np.concatenate([np.minimum.reduceat(self._rank, start[:-1]) for start in starts])
        return first, first + np.concatenate([np.diff(start) for start in starts])

    @cached_property
    def _polygon_weights(self) -> PolygonWeights:
        assert self.domain.within is not None
        return PolygonWeights(self.districts.polygons, self.domain.within)


def share_of_first(parts: Sequence[Floats], sizes: Sequence[Floats]) -> Floats:
    """Divide parts by sizes, the first of which is not 0: by area where weights are nowhere.

    Examples
    --------
    >>> share_of_first([np.array([1.0, 0.0]), np.ones(2)], [np.array([2.0, 0.0]), np.full(2, 5.0)])
    array([0.5, 0.2])
    """
    share = np.zeros(len(parts[0]))
    for part, size in zip(reversed(parts), reversed(sizes)):
        share = np.where(size > 0, part / np.where(size > 0, size, 1.0), share)
    return share


def _run_sums(values: Floats) -> Floats:
    """Return sums of all values before each place."""
    return np.append(0.0, np.cumsum(values))


def _unpickled_frame(
    districts: DistrictMap, domain: Domain, halvings: int, resolution: float, levels: Levels | None
) -> DistrictFrame:
    return DistrictFrame(districts, domain, halvings, resolution=resolution, levels=levels)


_MASKS = (
    0x0000FFFF0000FFFF,
    0x00FF00FF00FF00FF,
    0x0F0F0F0F0F0F0F0F,
    0x3333333333333333,
    0x5555555555555555,
)


def _spread(values: Ints) -> Ints:
    """Put a zero between the bits of whole numbers.

    Examples
    --------
    >>> _spread(np.array([5]))
    array([17])
    """
    spread = values.astype(np.int64)
    for shift, mask in zip((16, 8, 4, 2, 1), _MASKS):
        spread = (spread | spread << shift) & mask
    return spread


def _evens(values: Ints) -> Ints:
    """Gather every second bit: the reverse of :func:`_spread`."""
    packed = values & _MASKS[-1]
    for shift, mask in zip((1, 2, 4, 8, 16), (*_MASKS[-2::-1], 0x00000000FFFFFFFF)):
        packed = (packed | packed >> shift) & mask
    return np.asarray(packed)
