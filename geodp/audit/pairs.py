"""List neighbouring datasets that are awkward, and how each pair is released."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..core.common.types import Floats
from ..core.mechanisms.tuners import E2EPriv, Influence, Tuner
from ..core.pipeline.choice_kind import Choice
from ..core.pipeline.district_kind import Districts
from ..core.pipeline.h3_kind import H3
from ..core.pipeline.hexagon_kind import Hexagons
from ..core.pipeline.kinds import Adaptive, Regular
from ..core.privacy.protection import Feature, Person, Protection, Record
from ..core.records.amounts import Amount
from ..core.records.divisions import Categories
from ..core.regions.polygons import Polygons
from ..core.regions.workload import Workload
from ..core.releases.release import Release
from ..core.space.domain import Crs, Domain
from ..core.space.frame import Frame
from ..core.space.grid import Grid, candidate_grids
from ..core.space.support import LARGEST, Support

DOMAIN = Domain((0.0, 0.0, 8.0, 8.0), Crs("EPSG:5070"))

Attack = Callable[..., Release]
"""What is attacked: called as :func:`geodp.release` is."""

Points = list[tuple[Any, ...]]
"""Records ``(x, y)``, or ``(x, y, kind)`` where there are groups."""

Boxes = list[tuple[float, float, float, float]]


@dataclass(frozen=True, eq=False)
class Pair:
    """Describe two neighbouring datasets and how they are released.

    Attributes
    ----------
    name : str
        What is awkward about them.
    points : list of (x, y)
        Records of others, each a unit of its own.
    extra : list of (x, y)
        All records of the unit that the datasets differ in.
    grids : tuple of Grid, optional
        Candidates; None leaves grids and workload to the release, as most callers do.
    boxes, rings : list, optional
        The workload's regions, as boxes or as polygons of one ring.
    expected : list of float, optional
        Counts that the workload states for its regions.
    tuner : Tuner
        How the grid is chosen.
    unit : {"record", "person", "feature"}
        What is protected.
    most : int, optional
        Records that count of one person or feature; a person without it counts as one.
    at : {"", "most frequent", "visited"}
        Where people count at places: which.
    instead : list of (x, y), optional
        For replace neighbours: the unit's records in the first dataset, which has none otherwise.
    block : int, optional
        Records arrive in blocks of this size instead of all at once.
    rarely : int
        Whole releases are slow here: only one run in so many is made.
    cells : {"regular", "adaptive"}, Frame, Adaptive, Districts, Hexagons, H3 or Choice
        Kind of cells; grids, regions and the tuner are for regular ones.
    groups : tuple of str
        Kinds of records that are counted apart, if any.
    place : Domain, optional
        Where cells lie that do not say it themselves.
    amount : Amount, optional
        What is added up: records have amounts from -1 on, each one more than the record before.
    """

    name: str
    points: Points
    extra: Points
    grids: tuple[Grid, ...] | None
    boxes: Boxes | None = None
    rings: list[Points] | None = None
    expected: list[float] | None = None
    tuner: Tuner = field(default_factory=Influence)
    unit: str = "record"
    most: int | None = None
    at: str = ""
    instead: Points | None = None
    block: int | None = None
    rarely: int = 1
    cells: str | Frame | Adaptive | Districts | Hexagons | H3 | Choice = "regular"
    groups: tuple[str, ...] = ()
    place: Domain | None = None
    amount: Amount | None = None

    @property
    def distance(self) -> int:
        """Return by how many records the two datasets may differ once each unit is capped."""
        return (self.most or 1) * (1 if self.instead is None else 2)

    @property
    def worth(self) -> int:
        """Return the units of one record: a person's records share what one may add up to."""
        if self.unit == "person" and not self.at:
            return 720_720
        return 1 if self.amount is None else self.amount.steps

    @cached_property
    def workload(self) -> Workload | None:
        """Return the regions, or None where a single grid needs none."""
        if self.rings is not None:
            rings: Any = [(i, False, np.array(ring)) for i, ring in enumerate(self.rings)]
            return Workload.from_polygons(Polygons.from_rings(rings, len(rings)), self.domain)
        if self.boxes is not None:
            return Workload.from_boxes(self.boxes, self.domain, expected=self.expected)
        return None

    @property
    def domain(self) -> Domain:
        """Return the public rectangle that the records are released in."""
        if isinstance(self.cells, Frame):
            return self.cells.domain
        if self.place is not None:
            return self.place
        return DOMAIN if self.grids is None else self.grids[0].domain

    def units(self, side: int) -> list[Points]:
        """Return the records of every unit in one of the two datasets, what differs last."""
        unit = self.extra if side else self.instead or []
        return [[place] for place in self.points] + ([unit] if unit else [])

    def release(self, attack: Attack, side: int, **options: Any) -> Release:
        """Release one of the two datasets."""
        tuner = options.pop("tuner", self.tuner)
        if self.cells == "regular":
            cells: Any = Regular(self.grids, workload=self.workload, tuner=tuner)
        else:
            cells = self.cells
        if isinstance(cells, Choice):
            cells = copy(cells)
            cells.chooser = tuner
        by = Categories("kind", self.groups) if self.groups else None
        # Districts say where records are counted.
        named = isinstance(cells, Districts) or getattr(cells, "districts", None) is not None
        domain = None if named else self.domain
        options = {"domain": domain, "cells": cells, "by": by, "amount": self.amount, **options}
        # On purpose the cells are tiny and some budgets large.
        return attack(self._points(side), protect=self._protection, force=True, **options)

    @property
    def _protection(self) -> Protection:
        relation = "add-remove" if self.instead is None else "replace"
        if self.unit == "record":
            return Record(neighbours=relation)
        if self.unit == "feature":
            return Feature(self.most or 1, neighbours=relation)
        if self.at == "most frequent":
            return Person("who", neighbours=relation, place=self.at)
        if self.at:
            return Person("who", neighbours=relation, visits=self.most)
        return Person("who", self.most, neighbours=relation)

    def _points(self, side: int) -> Any:
        """Return points that say whose they are, in one piece or in blocks."""
        units = self.units(side)
        places = [place for unit in units for place in unit]
        whose = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
        spots = np.array([place[:2] for place in places], dtype=np.float64).reshape(-1, 2)
        paid: Any = None if self.amount is None else np.arange(len(spots)) % 5 - 1.0
        if self.unit == "feature":
            return multipoints(spots, whose, [p[2] for p in places] if self.groups else None, paid)
        x, y = spots.T
        columns: dict[str, Any] = {"x": x, "y": y, "who": whose}
        if paid is not None:
            columns["paid"] = paid
        if self.groups:
            columns["kind"] = [place[2] for place in places]
        if self.block is None:
            return columns
        starts = range(0, len(x), self.block)
        return iter(
            {name: column[i : i + self.block] for name, column in columns.items()} for i in starts
        )


def multipoints(
    places: Floats, unit: Any, kind: Sequence[str] | None, paid: Floats | None = None
) -> Any:
    """Join the records of each unit, which stand together, to a MultiPoint of the first's kind.

    It has the amount of the first, too, if there are any.
    """
    import geopandas
    import shapely

    first = np.flatnonzero(np.diff(unit, prepend=-1)).tolist()
    number = np.cumsum(np.diff(unit, prepend=-1) != 0) - 1
    shapes = shapely.multipoints(shapely.points(places), indices=number)
    # Of text, even where there is none: pandas takes an empty list for one of numbers.
    kinds = np.array([] if kind is None else [kind[place] for place in first], dtype=object)
    columns = {} if kind is None else {"kind": kinds}
    columns |= {} if paid is None else {"paid": paid[first]}
    return geopandas.GeoDataFrame(columns, geometry=shapes, crs=DOMAIN.crs.name)


def cases() -> list[Pair]:
    """List awkward neighbours: lone points, edges, crowds on borders, sizes at the floor, persons.

    Examples
    --------
    >>> len({case.name for case in cases()}) == len(cases())
    True
    """
    return [
        *(*_records(), *_tuned(), *_units(), *_replaced()),
        *(*_trees(), *_groups(), *_shores(), *_polygons(), *_indexed(), *_amounts()),
    ]


_SINGLE = (Grid(DOMAIN, (2, 2)),)
_SEVERAL = candidate_grids(DOMAIN, [1, 3, 8])
_CROWD = [(3.5, 3.5)] * 40
_BELOW = float(np.nextafter(4.0, 0.0))
_HALVES = [(0.0, 0.0, 3.0, 8.0), (0.0, 0.0, 8.0, 5.0), (1.0, 1.0, 7.0, 7.0)]
_CORNERS = [(0.0, 0.0, 2.5, 2.5), (5.5, 5.5, 8.0, 8.0)]
_TRIANGLES = [[(0.0, 0.0), (7.0, 0.0), (3.5, 7.0)], [(1.0, 8.0), (4.0, 4.0), (8.0, 8.0)]]
_EVEN = [(x + 0.5, y + 0.5) for x in range(8) for y in range(8)]
_TREE = Frame(DOMAIN, (2, 2), 3)
_CORNER = (0.1, 0.1)
_SHORE = Domain(
    DOMAIN.bounds,
    DOMAIN.crs,
    within=Support(DOMAIN.bounds, [[0, 0, 0], [1, 0, 0], [LARGEST, 3, 0]]),
)


def _records() -> list[Pair]:
    """List cases of a single grid, where everything is in the noise on the counts."""
    return [
        Pair("a lone point in an empty map", [], [(1.0, 1.0)], _SINGLE),
        Pair("a point on the outer edge", [(1.0, 1.0)], [(8.0, 8.0)], _SINGLE),
        Pair("a point outside", [(1.0, 1.0)], [(9.0, 1.0)], _SINGLE),
    ]


def _tuned() -> list[Pair]:
    """List cases of several grids and one record of difference, with and without a sketch."""
    halves: dict[str, Any] = {"boxes": _HALVES, "rarely": 5}
    edge = [(4.0, 4.0)] * 30
    floor = E2EPriv(delta="0.1", n0=10)
    return [
        Pair("nothing given but a domain", _CROWD, [(7.9, 7.9)], None, rarely=25),
        Pair("a lone point far from a crowd", _CROWD, [(7.9, 7.9)], _SEVERAL, **halves),
        Pair("all points on a cell edge", edge, [(4.0, 4.0)], _SEVERAL, **halves),
        Pair("a point one ulp below an edge", edge, [(_BELOW, 4.0)], _SEVERAL, **halves),
        Pair("a border through the densest cell", _CROWD, [(2.9, 3.5)], _SEVERAL, **halves),
        Pair("an empty dataset", [], [(2.9, 3.5)], _SEVERAL, **halves),
        Pair("a full step", [(1.0, 1.0)] * 40, [(1.0, 1.0)], candidate_grids(DOMAIN, [1, 8]),
             boxes=_HALVES[:1], rarely=5),
        Pair("a second record in a region that had one", [*_CROWD, (0.5, 0.5)], [(0.6, 0.6)],
             _SEVERAL, boxes=_CORNERS, rarely=5),
        Pair("regions with stated counts", _CROWD, [(2.9, 3.5)], _SEVERAL, boxes=_HALVES,
             expected=[10.0, 30.0, 40.0], rarely=5),
        Pair("polygons whose corners touch cells", _EVEN, [(4.0, 4.0)], _SEVERAL,
             rings=_TRIANGLES, rarely=5),
        Pair("n at the floor of the paper's score", _CROWD[:9], [(2.9, 3.5)], _SEVERAL,
             tuner=floor, **halves),
        Pair("n above the floor", _CROWD[:10], [(3.5, 3.5)], _SEVERAL, tuner=floor, **halves),
        Pair("the paper's score with a large delta", [(6.0, 4.0)] * 20, [(2.0, 4.0)],
             candidate_grids(DOMAIN, [1, 2]), boxes=_HALVES[:1],
             tuner=E2EPriv(delta="0.9", n0=2), rarely=5),
        Pair("the paper's absolute score", _CROWD, [(2.9, 3.5)], _SEVERAL,
             tuner=E2EPriv("absolute"), **halves),
    ]  # fmt: skip


def _units() -> list[Pair]:
    """List cases of a unit whose several records all lie where they tell most."""
    people: dict[str, Any] = {"unit": "person"}
    tuned: dict[str, Any] = {**people, "boxes": _HALVES, "rarely": 5}
    crowded = [(2.9, 3.5)] * 60
    return [
        Pair("one person with many records", _CROWD, [(1.0, 1.0)] * 50, _SINGLE, most=2, **people),
        Pair("a person whose records come in blocks", _CROWD, [(1.0, 1.0)] * 50, _SINGLE, most=2,
             block=20, **people),
        Pair("a person spread over many records", _CROWD, [(1.0, 1.0), (7.5, 1.0)] * 25, _SINGLE,
             **people),
        Pair("a person spread over records that come in blocks", _CROWD,
             [(1.0, 1.0), (7.5, 1.0)] * 25, _SINGLE, block=7, **people),
        Pair("a person spread over records, and grids to choose from", _CROWD, crowded, _SEVERAL,
             **tuned),
        Pair("a person who may keep one record", _CROWD, crowded, _SEVERAL, most=1, **tuned),
        Pair("a person who may keep five", _CROWD, crowded, _SEVERAL, most=5, **tuned),
        Pair("a person who may keep fifty", _CROWD, crowded, _SEVERAL, most=50, **tuned),
        Pair("fifty records in one region", [(1.0, 1.0)] * 90, [(1.0, 1.0)] * 60,
             candidate_grids(DOMAIN, [1, 2, 8]), boxes=_CORNERS, unit="person", most=50, rarely=5),
        Pair("the paper's score and persons", _CROWD, crowded, _SEVERAL, most=5,
             tuner=E2EPriv(delta="0.1", n0=10), **tuned),
        Pair("a person at home", _CROWD, crowded, _SINGLE, at="most frequent", **people),
        Pair("a person at home in records that come in blocks", _CROWD, _EVEN * 2, _SINGLE,
             at="most frequent", block=7, **people),
        Pair("a person who may visit two places", _CROWD, _EVEN, _SINGLE, at="visited", most=2,
             **people),
        Pair("a person whose visits come in blocks", _CROWD, _EVEN * 2, _SINGLE, at="visited",
             most=2, block=7, **people),
        Pair("a MultiPoint of four points", _CROWD, [(2.9, 3.5), (1.0, 1.0)] * 2, _SEVERAL,
             boxes=_HALVES, unit="feature", most=2, rarely=5),
    ]  # fmt: skip


def _replaced() -> list[Pair]:
    """List cases of a unit that is in both datasets, with other records."""
    return [
        Pair("a record that moves across the map", _CROWD, [(7.9, 7.9)], _SINGLE,
             instead=[(0.1, 0.1)]),
        Pair("a record that moves out of the densest cell", _CROWD, [(7.9, 7.9)], _SEVERAL,
             boxes=_HALVES, instead=[(2.9, 3.5)], rarely=5),
        Pair("a person whose records all move", _CROWD, [(7.9, 7.9)] * 9, _SEVERAL,
             boxes=_HALVES, unit="person", most=5, instead=[(2.9, 3.5)] * 9, rarely=5),
        Pair("a person who moves to another home", _CROWD, [(7.9, 7.9)] * 9, _SINGLE,
             unit="person", at="most frequent", instead=[(2.9, 3.5)] * 9),
        Pair("a person who visits other places", _CROWD, [(7.9, 7.9), (0.1, 7.9)] * 5, _SINGLE,
             unit="person", at="visited", most=2, instead=[(2.9, 3.5), (7.9, 0.1)] * 5),
    ]  # fmt: skip


def _trees() -> list[Pair]:
    """List cases of trees, where what is looked at next depends on what was published before.

    The first cell of every step is the one in the corner, where the audit publishes crowds.
    """
    tree: dict[str, Any] = {"grids": None, "cells": _TREE, "rarely": 2}
    people: dict[str, Any] = {**tree, "unit": "person", "most": 5}
    places = [_CORNER, (1.1, 0.1), (0.1, 2.6), (7.9, 7.9), (4.0, 4.0)] * 3
    crowd = [_CORNER] * 400
    return [
        Pair("a lone point in an empty tree", [], [_CORNER], **tree),
        Pair("a point at the bar of a split", [_CORNER] * 8, [_CORNER], **tree),
        Pair("a point at the bar of two halvings", [_CORNER] * 23, [_CORNER], **tree),
        Pair("a point at the bar of a leap", [_CORNER] * 912, [_CORNER],
             **{**tree, "cells": Frame(DOMAIN, (2, 2), 5)}),
        Pair("a point more at the base of a tree", crowd, [_CORNER], **tree),
        Pair("a point far from the crowd of a tree", crowd, [(7.9, 7.9)], **tree),
        Pair("a point where cells of a tree meet", [(4.0, 4.0)] * 8, [(_BELOW, 4.0)], **tree),
        Pair("a point on the outer edge of a tree", _CROWD, [(8.0, 8.0)], **tree),
        Pair("a tree that can be nothing but its root", crowd, [_CORNER],
             **{**tree, "cells": Frame(DOMAIN, (1, 1), 0)}),
        Pair("a tree with nothing given but a domain", crowd, [_CORNER],
             **{**tree, "cells": "adaptive"}),
        Pair("a person spread over a tree", crowd, places, **{**people, "most": None}),
        Pair("a person at one place of a tree", crowd, [_CORNER] * 9, **people),
        Pair("a person at many places of a tree", crowd, places, **people),
        Pair("a person whose records come in blocks to a tree", crowd, places, block=99, **people),
        Pair("a MultiPoint in a tree", crowd, places, **{**people, "unit": "feature"}),
        Pair("a record that moves across a tree", crowd, [(7.9, 7.9)], instead=[_CORNER], **tree),
        Pair("a person whose records all move in a tree", crowd, [(7.9, 7.9)] * 9,
             instead=[_CORNER] * 9, **people),
    ]  # fmt: skip


def _groups() -> list[Pair]:
    """List cases of several kinds of records that are counted apart, for one ε together."""
    kinds: dict[str, Any] = {"groups": ("a", "b", "c")}
    tuned: dict[str, Any] = {**kinds, "boxes": _HALVES, "rarely": 5}
    tree: dict[str, Any] = {**kinds, "grids": None, "cells": _TREE, "rarely": 5}
    crowd: Points = [(3.5, 3.5, "abc"[number % 3]) for number in range(42)]
    mixed: Points = [(1.0, 1.0, kind) for kind in "abc"] * 20
    return [
        Pair("a lone record of one kind", [], [(1.0, 1.0, "b")], _SINGLE, **kinds),
        Pair("a record of a kind that is not listed", crowd, [(1.0, 1.0, "d")], _SINGLE, **kinds),
        Pair("a record of one kind among others", crowd, [(2.9, 3.5, "c")], _SEVERAL, **tuned),
        Pair("the paper's score and groups", crowd, [(2.9, 3.5, "c")], _SEVERAL,
             tuner=E2EPriv(delta="0.1", n0=10), **tuned),
        Pair("a record that changes its kind", crowd, [(2.9, 3.5, "c")], _SEVERAL,
             instead=[(2.9, 3.5, "a")], **tuned),
        Pair("a person whose records are in several groups", crowd, mixed, _SINGLE,
             unit="person", most=2, **kinds),
        Pair("a person spread over several groups", crowd, mixed, _SINGLE, unit="person", **kinds),
        Pair("a person at home in several groups", crowd, mixed, _SINGLE, unit="person",
             at="most frequent", **kinds),
        Pair("a person who visits in several groups", crowd, mixed, _SINGLE, unit="person",
             at="visited", most=2, **kinds),
        Pair("a person in several groups that are tuned for", crowd, mixed, _SEVERAL,
             unit="person", most=5, **tuned),
        Pair("a record of one kind in a tree", crowd, [(*_CORNER, "b")], **tree),
        Pair("a person in several groups of a tree", crowd,
             [(*_CORNER, kind) for kind in "abc"] * 3, unit="person", most=5, **tree),
    ]  # fmt: skip


def _shores() -> list[Pair]:
    """List cases of records in the south-west alone, most in its corner; pixels cut the cells."""
    several = candidate_grids(_SHORE, [1, 3, 8])
    tuned: dict[str, Any] = {"grids": several, "boxes": _HALVES, "rarely": 5}
    tree: dict[str, Any] = {"grids": None, "cells": Frame(_SHORE, (2, 2), 3), "rarely": 2}
    crowd = [_CORNER] * 400
    return [
        Pair("a point where no records can be", _CROWD, [(7.9, 7.9)], (Grid(_SHORE, (3, 3)),)),
        Pair("a point beside a region at sea", _CROWD, [(6.0, 1.0)], **tuned),
        Pair("a point where few records are to be", [_CORNER] * 40, [(2.0, 4.0)], **tuned),
        Pair("polygons along a shore", [_CORNER] * 40, [(2.6, 4.0)], several, rings=_TRIANGLES,
             rarely=5),
        Pair("a lone point in a tree that ends at a shore", [], [_CORNER], **tree),
        Pair("a point at the shore of a tree", crowd, [(2.6, 4.0)], **tree),
        Pair("a point beyond the shore of a tree", crowd, [(7.9, 7.9)], **tree),
    ]  # fmt: skip


def _polygons() -> list[Pair]:
    """List cases of cells that are polygons: hexagons, districts with gaps, trees, a choice."""
    import geopandas
    import shapely

    corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0), (3.0, 3.0), (6.5, 0.0)]
    layer = geopandas.GeoDataFrame(
        {"name": list("abcde")},
        geometry=[shapely.box(x, y, x + 3.0, y + 3.0) for x, y in corners[:4]]
        + [shapely.box(6.5, 0.0, 8.0, 8.0)],
        crs=DOMAIN.crs.name,
    )
    districts = Districts(layer, name="name")
    tree: dict[str, Any] = {"grids": None, "rarely": 5, "cells": Adaptive(0.4, districts=districts)}
    hexagons: dict[str, Any] = {"grids": None, "cells": Hexagons(1.7), "rarely": 2}
    chosen: dict[str, Any] = {
        "grids": None,
        "rarely": 25,
        "cells": Choice([Hexagons(1.7), districts, Grid(DOMAIN, (3, 3))], workload=_HALVES),
    }
    named: dict[str, Any] = {"grids": None, "cells": districts, "rarely": 5}
    crowd = [_CORNER] * 200
    many = [_CORNER, (3.1, 0.1), (6.3, 5.0), (7.9, 7.9)] * 3
    return [
        Pair("a point where districts meet", [(2.9, 2.9)], [(3.0, 3.0)], **named),
        Pair("a point in no district", [(2.9, 2.9)], [(6.3, 3.0)], **named),
        Pair("a point on the outer border of districts", [], [(6.0, 3.0)], **named),
        Pair("a person in several districts", [], many, unit="person", **named),
        Pair("a person at home in a level", [(2.9, 2.9)], many, unit="person", at="most frequent",
             grids=None, rarely=5,
             cells=Districts(layer.assign(state=list("xxyyy")), levels=["state", "name"])),
        Pair("a lone point in a tree of districts", [], [_CORNER], **tree),
        Pair("a point where districts of a tree meet", crowd, [(3.0, 3.0)], **tree),
        Pair("a point in no district of a tree", crowd, [(6.3, 3.0)], **tree),
        Pair("a point that moves between districts of a tree", crowd, [(7.9, 7.9)],
             instead=[_CORNER], **tree),
        Pair("a person in several districts of a tree", crowd, many, unit="person", most=5, **tree),
        Pair("a lone point in a hexagon", [], [(1.0, 1.0)], **hexagons),
        Pair("a point in the corner of a hexagon", [], [(0.0, 0.0)], **hexagons),
        Pair("a point for a choice of cells", crowd, [(7.9, 7.9)], **chosen),
        Pair("a point in a gap of one of the cells to choose", crowd, [(6.3, 3.0)], **chosen),
        Pair("a person for a choice of cells", crowd, many, unit="person", most=5, **chosen),
        Pair("a point that moves, for a choice of cells", crowd, [(2.9, 3.5)],
             instead=[(6.3, 7.0)], **chosen),
    ]  # fmt: skip


_COARSE = Amount("paid", Fraction(0), Fraction(2), Fraction(1, 2))
_TOTALS = Amount("paid", Fraction(0), Fraction(2), Fraction(1, 2), per_person=True)


def _indexed() -> list[Pair]:
    """List cases of cells of H3, of a few square metres, where its package is installed."""
    if find_spec("h3") is None:
        return []
    one: dict[str, Any] = {"grids": None, "cells": H3(13), "rarely": 5}
    chosen: dict[str, Any] = {
        "grids": None,
        "rarely": 50,
        "cells": Choice([H3([13, 14]), Hexagons(1.7)], workload=_HALVES),
    }
    shore: dict[str, Any] = {**chosen, "place": _SHORE}
    crowd, many = [_CORNER] * 200, [_CORNER, (3.1, 0.1), (6.3, 5.0), (7.9, 7.9)] * 3
    return [
        Pair("a lone point in a cell of H3", [], [(1.0, 1.0)], **one),
        Pair("a point of H3 on the outer edge", [(1.0, 1.0)], [(8.0, 8.0)], **one),
        Pair("a person in several cells of H3", [], many, unit="person", **one),
        Pair("a person at home in a cell of H3", crowd, many, unit="person", at="most frequent",
             **one),
        Pair("a person who visits cells of H3", crowd, many, unit="person", most=2, at="visited",
             instead=many[2:3], **one),
        Pair("an amount in a cell of H3", crowd, [(7.9, 7.9)], amount=_COARSE, **one),
        Pair("totals of a person in cells of H3", crowd, many, amount=_TOTALS, unit="person",
             **one),
        Pair("an amount for a choice of resolutions", crowd, [(7.9, 7.9)], amount=_COARSE,
             **chosen),
        Pair("a point for a choice of resolutions", crowd, [(7.9, 7.9)], **chosen),
        Pair("a point in the corner for a choice of resolutions", crowd, [(8.0, 0.0)], **chosen),
        Pair("a point that moves, for a choice of resolutions", crowd, [(2.9, 3.5)],
             instead=[(6.3, 7.0)], **chosen),
        Pair("a point for a choice of resolutions at a shore", crowd, [(2.6, 4.0)], **shore),
    ]  # fmt: skip


def _amounts() -> list[Pair]:
    """Give records amounts, inside their bounds and beyond, alone and where cells are chosen."""
    fine = Amount("paid", Fraction(-1), Fraction(3), Fraction(1, 10**7))
    tuned: dict[str, Any] = {"grids": _SEVERAL, "boxes": _HALVES, "rarely": 25}
    tree: dict[str, Any] = {"grids": None, "cells": _TREE, "rarely": 25}
    chosen: dict[str, Any] = {
        "grids": None,
        "rarely": 50,
        "cells": Choice([Hexagons(1.7), Grid(DOMAIN, (3, 3))], workload=_HALVES),
    }
    many = [_CORNER, (3.1, 0.1), (6.3, 5.0), (7.9, 7.9)] * 3
    return [
        Pair("a lone amount", [], [(1.0, 1.0)], _SINGLE, amount=_COARSE),
        Pair("an amount for several grids", _CROWD, [(2.9, 3.5)], amount=_COARSE, **tuned),
        Pair("a fine amount for several grids", _CROWD, [(2.9, 3.5)], amount=fine, **tuned),
        Pair("an amount for the paper's score", _CROWD, [(2.9, 3.5)], amount=_COARSE,
             tuner=E2EPriv(delta="0.1", n0=10), **tuned),
        Pair("an amount that moves, for several grids", _CROWD, [(2.9, 3.5)], amount=_COARSE,
             instead=[(7.9, 7.9)], **tuned),
        Pair("an amount for a choice of cells", _CROWD, [(2.9, 3.5)], amount=fine, **chosen),
        Pair("totals of a person for a choice of cells", _CROWD, many, amount=_TOTALS,
             unit="person", **chosen),
        Pair("amounts of a person in a tree", _CROWD, many, amount=fine, unit="person", most=5,
             **tree),
    ]  # fmt: skip
