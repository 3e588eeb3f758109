"""A public layer of districts: polygons with ids, one rule for every point, and checks.

Everything here is public and is fixed before a point is read. A record is in the one district that
:meth:`DistrictMap.locate` names, or in none; ``district_raster`` has the rule. Districts may leave
gaps. They must not overlap, because a record in several districts would count several times, but
for slivers such as redrawn or rounded borders leave: those belong to the first of the two.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.text import LONGEST, is_line
from ..common.types import Bools, Floats, Ints, freeze
from ..regions.orientation import LARGEST, direction
from ..regions.outlines import dissolved
from ..regions.polygons import Polygons
from ..regions.validity import RingError
from ..space.axis import ranges
from ..space.frame import Codes
from .district_overlaps import overlap_areas, overlapping_pairs
from .district_raster import CoveredTwiceError, DistrictRaster, PolygonRows
from .halving import Halving, halve

SLIVER_OF_DISTRICT = 1e-3
"""Two districts may share at most this part of the smaller one: records are moved from one to the
other by no more than a thousandth of what it holds, if they are spread evenly ..."""

SLIVER_OF_EXTENT = 1e-6
"""... and at most this part of the rectangle around the layer, so that a few large districts cannot
share what is no sliver: over a country 4,000 km wide that is a border 2,000 km long drawn 8 m
apart."""

_PAIRS_AT_ONCE = 1 << 12


class Slivers(NamedTuple):
    """Say what districts share, all of it below the tolerance.

    Attributes
    ----------
    pairs : int
        Number of pairs of districts.
    area : float
        Sum of what they share, in squared units of the layer.
    """

    pairs: int
    area: float


class DistrictMap:
    """Polygons that do not overlap, with ids, in a public order. Frozen and hashable.

    Build it with :meth:`from_rings` or :meth:`from_arrays`, which check the layer.

    Attributes
    ----------
    polygons : Polygons
        Directed edges, shells counter-clockwise, holes clockwise; the code of a district is the
        number of its polygon.
    ids : tuple of str
        One for each district, all unlike.
    names : tuple of str
        What people call them; the ids where nothing else was given.
    slivers : Slivers
        What districts share; it belongs to the first of the two.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
    >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
    >>> towns
    DistrictMap(2 districts, f6cd5e5c7aee)
    >>> towns.locate(np.array([0.5, 1.0, 2.0, np.nan]), np.array([0.5, 0.0, 0.5, 0.5]))
    array([ 0,  1, -1, -1], dtype=int32)
    """

    polygons: Polygons
    ids: tuple[str, ...]
    names: tuple[str, ...]
    slivers: Slivers
    _raster: DistrictRaster

    def __init__(
        self, polygons: Polygons, ids: tuple[str, ...], names: tuple[str, ...], slivers: Slivers
    ) -> None:
        """Take polygons that were checked before, as a copy or another process does."""
        vars(self).update(polygons=polygons, ids=ids, names=names, slivers=slivers)
        vars(self).update(_raster=DistrictRaster(polygons))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a district map cannot be changed; {name} was to be set.")

    def __reduce__(self) -> tuple[Any, ...]:
        return DistrictMap, (self.polygons, self.ids, self.names, self.slivers)

    def part(self, kept: Bools) -> DistrictMap:
        """Return some of the districts by themselves, in their order.

        Examples
        --------
        >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
        >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
        >>> towns.part(np.array([False, True])).ids
        ('east',)
        """
        polygons, number = self.polygons, np.cumsum(kept) - 1
        edge = kept[polygons.owner]
        _, ring = np.unique(polygons.ring[edge], return_inverse=True)
        held = Polygons(
            polygons.edges[edge], number[polygons.owner[edge]], ring, int(np.count_nonzero(kept))
        )
        ids, names = (
            tuple(text for text, here in zip(texts, kept) if here)
            for texts in (self.ids, self.names)
        )
        return DistrictMap(held, ids, names, self.slivers)

    @classmethod
    def from_rings(
        cls,
        rings: Sequence[tuple[int, bool, Floats]],
        ids: Sequence[str],
        names: Sequence[str] | None = None,
    ) -> DistrictMap:
        """Build from ``(district, is_hole, coordinates)`` triples, rings closed or not.

        Parameters
        ----------
        rings : sequence of tuple
            Number of the district in the order of ``ids``; shells and holes in any direction.
        ids, names : sequence of str
            One for each district.

        Raises
        ------
        InputError
            As :meth:`from_arrays` does.
        """
        parts = [np.asarray(ring, dtype=np.float64) for _, _, ring in rings]
        for (district, _, _), part in zip(rings, parts):
            if part.ndim != 2 or part.shape[1] != 2:
                raise InputError(
                    f"a ring must be rows of x and y; one of district {district} has shape "
                    f"{part.shape}."
                )
        lengths = np.array([len(part) for part in parts], dtype=np.int64)
        return cls.from_arrays(
            np.concatenate([np.empty((0, 2)), *parts]),
            np.append(0, np.cumsum(lengths)),
            np.array([district for district, _, _ in rings], dtype=np.int64),
            np.array([is_hole for _, is_hole, _ in rings], dtype=bool),
            ids,
            names,
        )

    @classmethod
    def from_arrays(
        cls,
        coordinates: npt.ArrayLike,
        ring_starts: npt.ArrayLike,
        ring_districts: npt.ArrayLike,
        ring_is_hole: npt.ArrayLike,
        ids: Sequence[str],
        names: Sequence[str] | None = None,
    ) -> DistrictMap:
        """Build from rings that stand one after the other in one array, as in GeoArrow.

        Parameters
        ----------
        coordinates : array_like, shape (c, 2)
            Corners of all rings.
        ring_starts : array_like of int, shape (r + 1,)
            Where each ring begins, and where the last one ends.
        ring_districts : array_like of int, shape (r,)
            Number of its district, in the order of ``ids``.
        ring_is_hole : array_like of bool, shape (r,)
            Whether it is a hole.
        ids, names : sequence of str
            One for each district; ids are all unlike, names are the ids if they are not given.

        Raises
        ------
        InputError
            If there is no district, ids are missing or repeated; or, with its id and name, if a
            district has no ring, has coordinates that are not finite, has rings that cross or
            bound no area, is there twice, or overlaps another by more than a sliver.

        Examples
        --------
        >>> corners = [[0, 0], [4, 0], [4, 4], [0, 4], [1, 1], [2, 1], [2, 2]]
        >>> ring = DistrictMap.from_arrays(corners, [0, 4, 7], [0, 0], [False, True], ["ring"])
        >>> ring.areas
        array([15.5])
        """
        ids, names = _checked_names(ids, names)
        polygons = _polygons(
            np.asarray(coordinates, dtype=np.float64).reshape(-1, 2),
            np.asarray(ring_starts, dtype=np.int64),
            np.asarray(ring_districts, dtype=np.int64),
            np.asarray(ring_is_hole, dtype=bool),
            ids,
            names,
        )
        try:
            polygons.check()
        except RingError as error:
            raise InputError(
                f"every district must be a valid polygon; {_called(ids, names, error.region)} "
                f"{error.fault}: repair it with `make_valid()`."
            ) from None
        try:
            layer = cls(polygons, ids, names, Slivers(0, 0.0))
        except CoveredTwiceError as error:
            raise _overlap_error(polygons, ids, names, *error.pair) from None
        vars(layer).update(slivers=_checked_overlaps(layer))
        return layer

    def __len__(self) -> int:
        return self.polygons.count

    def __repr__(self) -> str:
        number = f"{len(self):,} district{'s' if len(self) > 1 else ''}"
        return f"DistrictMap({number}, {self.digest[:12]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistrictMap) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """Return SHA-256 of ids, names and rings: equal layers in one order have the same."""
        hasher = hashlib.sha256(repr((self.ids, self.names)).encode())
        for part in (self.polygons.edges, self.polygons.owner, self.polygons.ring):
            hasher.update(np.ascontiguousarray(part).astype(part.dtype.newbyteorder("<")).tobytes())
        return hasher.hexdigest()

    def locate(self, x: Floats, y: Floats) -> Codes:
        """Return the code of the district that holds each point, -1 where none does.

        Threads may call it at the same time. Memory beyond the result is bounded.

        Parameters
        ----------
        x, y : ndarray
            Coordinates in the CRS of the layer; what is not finite is in no district.

        Returns
        -------
        ndarray of int32
            West and south borders belong to a district, east and north borders do not.
        """
        return self._raster.locate(x, y)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return the rectangle around the layer: xmin, ymin, xmax, ymax."""
        low, high = self.district_bounds[:, :2].min(axis=0), self.district_bounds[:, 2:].max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    @cached_property
    def district_bounds(self) -> Floats:
        """Return the rectangle around each district: xmin, ymin, xmax, ymax."""
        corners = self.polygons.edges[:, :2]
        first = np.searchsorted(self.polygons.owner, np.arange(len(self)))
        low, high = (side.reduceat(corners, first) for side in (np.minimum, np.maximum))
        return freeze(np.hstack([low, high]))

    @cached_property
    def areas(self) -> Floats:
        """Return the area of each district, holes taken off, in squared units of the layer."""
        return freeze(polygon_areas(self.polygons, self.centres))

    @cached_property
    def centres(self) -> Floats:
        """Return the middle of the rectangle around each district."""
        low, high = self.district_bounds[:, :2], self.district_bounds[:, 2:]
        return freeze(low + (high - low) / 2)

    def outline(self, code: int) -> list[tuple[bool, Floats]]:
        """Return the rings of a district, closed, and which are holes; holes follow their shell.

        Examples
        --------
        >>> corner = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        >>> DistrictMap.from_rings([(0, False, corner)], ["corner"]).outline(0)[0][1]
        array([[0., 0.],
               [1., 0.],
               [0., 1.],
               [0., 0.]])
        """
        first, stop = np.searchsorted(self.polygons.owner, [code, code + 1])
        ring = self.polygons.ring[first:stop]
        cuts = np.flatnonzero(np.diff(ring)) + 1
        corners = np.split(self.polygons.edges[first:stop, :2], cuts)
        return [(direction(part) < 0, np.vstack([part, part[:1]])) for part in corners]

    def unions(self, groups: npt.ArrayLike, count: int) -> Polygons:
        """Return polygons of groups of districts, as levels are made of: shared borders disappear.

        Borders between two districts of a group are left out where they are the same to the bit;
        elsewhere they stay as hairlines. A point is in the union of the group that its district
        has: ``groups[codes]``.

        Parameters
        ----------
        groups : array_like of int, shape (n,)
            Number of the group of each district, from 0 to ``count - 1``.
        count : int
            Number of groups.

        Examples
        --------
        >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
        >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
        >>> len(towns.polygons.edges), len(towns.unions([0, 0], 1).edges)
        (8, 6)
        """
        return dissolved(self.polygons, np.asarray(groups, dtype=np.int64), count)

    @cached_property
    def halving(self) -> Halving:
        """Return the public order of the districts by their centres, as lists that halve."""
        return halve(self.centres)


def polygon_areas(polygons: Polygons, centres: Floats) -> Floats:
    """Return areas from corners relative to a centre near each polygon, so that little cancels."""
    x, y = centres[polygons.owner].T
    ax, ay, bx, by = polygons.edges.T
    twice = (ax - x) * (by - y) - (bx - x) * (ay - y)
    return np.abs(np.bincount(polygons.owner, twice, minlength=polygons.count)) / 2


def _checked_names(
    ids: Sequence[str], names: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ids = tuple(ids)
    names = ids if names is None else tuple(names)
    if not ids:
        raise InputError("a layer must have at least one district; it has none.")
    if len(names) != len(ids):
        raise InputError(
            f"every district needs one name; there are {len(names)} for {len(ids)} ids."
        )
    for text in (*ids, *names):
        if not isinstance(text, str):
            raise InputError(
                f"ids and names of districts must be text; got a {type(text).__name__}: "
                "turn them into text first."
            )
        if not is_line(text):
            raise InputError(
                f"ids and names of districts must be lines of at most {LONGEST:,} printable "
                f"characters, as a file can hold them; {text[:40]!r} is not: mend the layer."
            )
    if len(set(ids)) < len(ids):
        twice, _ = Counter(ids).most_common(1)[0]
        raise InputError(
            f"every district needs an id of its own; {twice!r} is there twice: "
            "choose a column whose values are all unlike."
        )
    return ids, names


def _called(ids: Sequence[str], names: Sequence[str], code: int) -> str:
    more = f" ({names[code]})" if names[code] != ids[code] else ""
    return f"district {ids[code]!r}{more}"


def _polygons(
    coordinates: Floats,
    starts: Ints,
    districts: Ints,
    is_hole: Bools,
    ids: Sequence[str],
    names: Sequence[str],
) -> Polygons:
    """Return directed edges of all rings, districts in order, without repeated corners."""
    rings = len(districts)
    if len(starts) != rings + 1 or len(is_hole) != rings or (rings and starts[0] != 0):
        raise InputError(
            f"rings need a start, a district and a word on holes each, and one more start at the "
            f"end; got {len(starts)} starts, {rings} districts and {len(is_hole)} words."
        )
    if (np.diff(starts) < 0).any() or starts[-1:].sum() != len(coordinates):
        raise InputError("starts of rings must rise from 0 to the number of corners.")
    if ((districts < 0) | (districts >= len(ids))).any():
        raise InputError(f"rings must be of districts 0 to {len(ids) - 1}, one for each id.")
    missing = np.flatnonzero(np.bincount(districts, minlength=len(ids)) == 0)
    if missing.size:
        raise InputError(
            f"every district must have a polygon; {_called(ids, names, int(missing[0]))} is empty: "
            "leave it out."
        )
    order = np.argsort(districts, kind="stable")
    lengths = np.diff(starts)
    ring, corner = ranges(starts[order], lengths[order])
    points = coordinates[corner] + 0.0  # a zero has one sign
    owner = districts[order]
    far = np.flatnonzero(~(np.abs(points) <= LARGEST).all(axis=1))
    if far.size:
        raise InputError(
            "coordinates of districts must be finite and below 1e150; "
            f"{_called(ids, names, int(owner[ring[far[0]]]))} has others: correct or remove it."
        )
    _, last, _ = _ring_ends(ring)
    before = np.arange(-1, len(ring) - 1)
    before[last[0]] = last[1]
    keep = (points != points[before]).any(axis=1)
    points, ring = points[keep], ring[keep]
    ways = _directions(points, ring, rings)
    if (ways == 0).any():
        code = int(owner[np.flatnonzero(ways == 0)[0]])
        raise InputError(
            f"every ring of a district must bound an area; {_called(ids, names, code)} has none in "
            "a ring: remove it, or repair the district with `make_valid()`."
        )
    _, ends, turned = _ring_ends(ring)
    turn_round = (ways < 0) != is_hole[order]
    points = np.where(turn_round[ring][:, None], points[turned], points)
    after = np.arange(1, len(ring) + 1)
    after[ends[1]] = ends[0]
    return Polygons(np.hstack([points, points[after]]), owner[ring], ring, len(ids))


def _ring_ends(ring: Ints) -> tuple[Ints, tuple[Ints, Ints], Ints]:
    """Number the rings; return first and last corner of each, and all corners reversed."""
    first = np.flatnonzero(np.append(True, ring[1:] != ring[:-1])[: len(ring)])
    last = np.append(first[1:], len(ring)) - 1
    lengths = last - first + 1
    reverse = np.repeat(first + last, lengths) - np.arange(len(ring))
    return ring[first], (first, last), reverse


def _directions(points: Floats, ring: Ints, rings: int) -> Ints:
    """Return 1 for counter-clockwise rings, -1 for clockwise, 0 for those without area; exact."""
    number, (first, last), _ = _ring_ends(ring)
    ways = np.zeros(rings, dtype=np.int64)
    if not len(ring):
        return ways
    lengths = last - first + 1
    after = np.arange(1, len(ring) + 1)
    after[last] = first
    x, y = (points - np.repeat(points[first], lengths, axis=0)).T
    left, right = x * y[after], y * x[after]
    twice_area = np.add.reduceat(left - right, first)
    size = np.add.reduceat(np.abs(left) + np.abs(right), first)
    # As in `direction`: four roundings in each term and one for each addition, doubled.
    sure = (size > 2.0**-900) & (np.abs(twice_area) > (lengths + 8) * 2.0**-52 * size)
    ways[number[sure]] = np.sign(twice_area[sure]).astype(np.int64)
    for i in np.flatnonzero(~sure):
        ways[number[i]] = direction(points[first[i] : last[i] + 1])
    return ways


def _checked_overlaps(layer: DistrictMap) -> Slivers:
    """Sum up what districts share, or refuse the first pair that shares more than a sliver."""
    one, other = overlapping_pairs(layer.polygons, layer._raster)
    smaller = np.minimum(layer.areas[one], layer.areas[other])
    xmin, ymin, xmax, ymax = layer.bounds
    most = np.minimum(
        smaller * SLIVER_OF_DISTRICT, (xmax - xmin) * (ymax - ymin) * SLIVER_OF_EXTENT
    )
    total = 0.0
    for start in range(0, len(one), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        shared = overlap_areas(layer.polygons, layer._raster, one[part], other[part])
        excess = np.flatnonzero(shared > most[part])
        if excess.size:
            worst = start + int(excess[np.argmax(shared[excess] / smaller[part][excess])])
            raise _overlap_error(
                layer.polygons, layer.ids, layer.names, int(one[worst]), int(other[worst])
            )
        total += float(shared.sum())
    return Slivers(len(one), total)


def _overlap_error(
    polygons: Polygons, ids: Sequence[str], names: Sequence[str], one: int, other: int
) -> InputError:
    """Say how much two districts share, or that they are the same."""
    first, second = (_called(ids, names, code) for code in (one, other))
    edges = [polygons.edges[polygons.owner == code] for code in (one, other)]
    a, b = (part[np.lexsort(part.T)] for part in edges)
    if np.array_equal(a, b):
        return InputError(
            f"districts must not overlap; {first} and {second} have the same borders: "
            "leave one of them out."
        )
    owner = np.repeat([0, 1], [len(part) for part in edges])
    pair = Polygons(np.concatenate(edges), owner, np.zeros_like(owner), 2)
    centres = np.stack([part[:, :2].mean(axis=0) for part in edges])
    area = float(overlap_areas(pair, PolygonRows(pair), np.array([0]), np.array([1]))[0])
    share = min(area / float(polygon_areas(pair, centres).min()), 1.0)
    return InputError(
        f"districts must not overlap; {first} and {second} share {area:,.6g} square units of the "
        f"layer, {100 * share:.3g} % of the smaller one: correct their borders, or leave one of "
        "them out."
    )
