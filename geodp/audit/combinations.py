"""Combinations of everything that a release can be asked for, and data whose counts are known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..core.common.types import Floats
from ..core.mechanisms.tuners import as_tuner
from ..core.pipeline.choice_kind import Choice
from ..core.pipeline.district_kind import Districts
from ..core.pipeline.hexagon_kind import Hexagons
from ..core.pipeline.kinds import Adaptive, Regular
from ..core.privacy.protection import Feature, Person, Protection, Record
from ..core.privacy.quantity import MOST_FREQUENT, VISITED
from ..core.records.amounts import Amount
from ..core.records.divisions import Categories
from ..core.regions.workload import Workload
from ..core.releases.release import Release
from ..core.space.domain import Domain
from ..core.space.frame import Frame
from ..core.space.grid import Grid, candidate_grids
from ..core.space.support import LARGEST, Support
from .covering import covering_rows
from .pairs import DOMAIN, Attack, Pair, multipoints

CHOICES: dict[str, tuple[Any, ...]] = {
    "cells": (
        *("grid", "influence", "e2epriv", "adaptive"),
        *("districts", "levels", "district tree", "hexagons", "choice"),
    ),
    "unit": ("record", "person", "person 1", "person 5", "person 60", "feature 3"),
    "neighbours": ("add-remove", "replace"),
    "groups": (0, 1, 2, 4, 30, 260),
    "noise": ("geodp", "opendp"),
    "within": (False, True),
    "crowd": ("nobody", "one place", "everywhere", "edges"),
    "epsilon": (Fraction(1), Fraction(4), Fraction(1, 30), Fraction(1, 4000)),
}
"""What releases are asked for; 0 groups for none. Each crowd is in another place."""

WITH_AMOUNTS: dict[str, tuple[Any, ...]] = {
    **CHOICES,
    "unit": ("record", "person", "person total", "person 5", "feature 3"),
    "groups": (0, 2, 30),
    "crowd": CHOICES["crowd"][1:],
    "epsilon": (Fraction(1), Fraction(1, 4000)),
    "amount": ("coarse", "fine"),
}
"""The same where records carry amounts; those of a person may be added up first."""

AT_PLACES: dict[str, tuple[Any, ...]] = {
    **WITH_AMOUNTS,
    "cells": ("grid", "districts", "hexagons"),
    "unit": ("home", "visits 2", "visits 12"),
    "groups": (0, 2, 6, 30),
    "amount": ("none",),
}
"""The same where people count at places, which are fixed."""

_FINE = 10**7
"""Steps of one, in fine amounts."""

QUARTERS = 4
"""Amounts of the audit are so many parts of what one record may have: none, some or all."""

COUNTS_SHARE = {
    "influence": Fraction(9, 10),
    "choice": Fraction(9, 10),
    "e2epriv": Fraction(4, 5),
}
"""Part of ε for the counts of cells that are chosen, as the documentation states it."""

UNITS = 720_720
"""Units of one record of a person, as the documentation states it."""

SKETCH_SHARE = Fraction(1, 50)
"""Part of ε for the sketch of the usual tuner."""

WEIGHTS = [[0, 0, 0, 0], [0, 1, 0, 3], [1, 5, 0, 0], [LARGEST, 3, 1, 0]]
"""Where records can be, on four by four pixels, from the north."""

_SHORE = Domain(DOMAIN.bounds, DOMAIN.crs, within=Support(DOMAIN.bounds, WEIGHTS))
_BOXES = [(0.0, 0.0, 3.0, 8.0), (0.0, 0.0, 8.0, 5.0), (1.0, 1.0, 7.0, 7.0), (0.0, 0.0, 2.5, 2.5)]
_LARGE = 33_000
"""Records at one place: more than 16 bits with a sign can count."""

DISTRICTS = ("districts", "levels", "district tree")
"""Cells that say where records are counted."""

_SIDE = 0.2937
"""Side of hexagons on whose borders no record is; those of groups by the hundred are larger."""

_HUNDREDS = 100
"""Groups from which cells are few and large, and rows of the covering array rare."""

_MOST_HEARD = 6
"""Groups in the exact checks, which listen to each of them."""

BUSY, ROVING = (1.3, 0.3), (5.1, 1.1)
"""Where one unit has more records than count; and near where another's records are."""


@dataclass(frozen=True)
class Records:
    """Records of a dataset, one row each.

    Attributes
    ----------
    places : ndarray of float
        x and y.
    group : ndarray of int
        Which group each is in.
    unit : ndarray of int
        Whose each is.
    quarters : ndarray of int
        Amount of each, in quarters of the largest that counts.
    """

    places: Floats
    group: Any
    unit: Any
    quarters: Any


@dataclass(frozen=True)
class Combination:
    """One row of the covering array: what a release is asked for.

    Examples
    --------
    >>> rows = combinations()
    >>> len(rows) < 130 < len(combinations(strength=3)) < 400
    True
    >>> rows[0].distance
    1
    """

    cells: str
    unit: str
    neighbours: str
    groups: int
    noise: str
    within: bool
    crowd: str
    epsilon: Fraction
    amount: str = "none"

    def __str__(self) -> str:
        groups = f"{self.groups} groups" if self.groups else "no groups"
        where = "within a shore" if self.within else "anywhere"
        amounts = "" if self.amount == "none" else f", {self.amount} amounts"
        return (
            f"{self.cells}, {self.unit}, {self.neighbours}, {groups}, {self.noise}, {where}, "
            f"{self.crowd}, ε = {self.epsilon}{amounts}"
        )

    @property
    def most(self) -> int:
        """Return how many records of one unit count, or in how many places."""
        number = self.unit.split()[-1]
        return int(number) if number.isdigit() else 1

    @property
    def at(self) -> str:
        """Return which places people count at, where they do."""
        return {"home": MOST_FREQUENT, "visits": VISITED}.get(self.unit.split()[0], "")

    @property
    def layers(self) -> int:
        """Return how many counts a cell has: of every group, above and below with amounts."""
        return max(self.groups, 1) * (1 if self.amount == "none" else 2)

    @cached_property
    def adds(self) -> Amount | None:
        """Return what is added up beside counts."""
        if self.amount == "none":
            return None
        unit = Fraction(1, _FINE) if self.amount == "fine" else Fraction(1, 2)
        totals = self.unit == "person total"
        return Amount("paid", Fraction(0), Fraction(2), unit, per_person=totals)

    @property
    def units(self) -> int:
        """Return how many units make one record: a person's share what one may add up to."""
        if self.unit.startswith("person"):
            return UNITS
        return {"none": 1, "coarse": QUARTERS, "fine": 2 * _FINE}[self.amount]

    @property
    def distance(self) -> int:
        """Return by how many records neighbours differ."""
        return self.most * (2 if self.neighbours == "replace" else 1)

    @property
    def names(self) -> tuple[str, ...]:
        """Name the groups."""
        return tuple(f"kind {number}" for number in range(self.groups))

    @property
    def domain(self) -> Domain:
        """Return the public rectangle; districts have one of their own."""
        if self.cells in DISTRICTS:
            return self.districts.cells.domain
        return _SHORE if self.within else DOMAIN

    @property
    def protection(self) -> Protection:
        """Return the unit that is protected."""
        if self.at:
            visits = self.most if self.at == VISITED else None
            place = None if visits else MOST_FREQUENT
            return Person("who", neighbours=self.neighbours, place=place, visits=visits)
        if self.unit.startswith("person"):
            most = self.most if self.unit.split()[-1].isdigit() else None
            return Person("who", most, self.neighbours)
        if self.unit.startswith("feature"):
            return Feature(self.most, self.neighbours)
        return Record(self.neighbours)

    @cached_property
    def records(self) -> Records:
        """Make records of which is known how many count in each place and group.

        One unit has more records than count, all of them at one place and in one group.
        """
        places = self._crowd()
        units = np.arange(len(places))
        quarters = units % (QUARTERS + 1)
        if self.unit != "record":
            many = self.most + 7
            places = np.concatenate([places, np.tile(BUSY, (many, 1))])
            units = np.append(units, np.repeat(len(units), many))
            quarters = np.append(quarters, np.full(many, QUARTERS))
        group = units * 7 % max(self.groups, 1)
        if self.crowd == "one place":
            group[:_LARGE] = max(self.groups, 1) - 1
        return Records(places, group, units, quarters)

    @cached_property
    def with_roving(self) -> Records:
        """Add one unit with records in four places, or in a hundred, and in all groups.

        How many of these count is known only for all together.
        """
        base, many = self.records, 0 if self.unit == "record" else self.most + 90
        turns, across, step = np.arange(many), 10 if self.at else 2, 0.3 if self.at else 0.5
        places = np.add(ROVING, step * np.stack([turns % across, turns // across % across], axis=1))
        # All points of a feature are in one group.
        group = np.zeros(many, int) if self.unit == "feature 3" else turns % max(self.groups, 1)
        return Records(
            np.concatenate([base.places, places]),
            np.append(base.group, group),
            np.append(base.unit, np.full(many, len(base.unit) + 1)),
            np.append(base.quarters, turns % (QUARTERS + 1)),
        )

    def _crowd(self) -> Floats:
        """Place the crowd, each record of a unit of its own."""
        if self.crowd == "nobody":
            return np.zeros((0, 2))
        if self.crowd == "one place":
            few = np.array([[0.1, 0.1], [4.0, 4.0], [6.3, 5.1]])
            return np.concatenate([np.tile([0.6, 2.1], (_LARGE, 1)), few])
        if self.crowd == "everywhere":
            lines = np.arange(32) / 4 + 0.05
            return np.tile(np.stack(np.meshgrid(lines, lines), -1).reshape(-1, 2), (12, 1))
        ends = [
            0.0,
            -1e-9,
            float(np.nextafter(4, 0)),
            2.0,
            4.0,
            float(np.nextafter(8, 0)),
            8.0,
            8.5,
        ]
        return np.tile(np.stack(np.meshgrid(ends, ends), -1).reshape(-1, 2), (3, 1))

    def release(self, attack: Attack, records: Records, **options: Any) -> Release:
        """Release some records as this combination says."""
        given: dict[str, Any] = {
            "epsilon": self.epsilon,
            "noise": self.noise,
            "protect": self.protection,
            "cells": self._cells,
            "domain": self.domain if self.cells in ("hexagons", "choice") else None,
            "by": Categories("kind", self.names) if self.groups else None,
            "amount": self.adds,
            **options,
        }
        # On purpose the cells are tiny and some budgets large.
        return attack(self._columns(records), force=True, **given)

    @cached_property
    def _cells(self) -> Any:
        if self.cells == "adaptive":
            return self.frame
        if self.cells == "grid":
            return Regular(self.grids)
        if self.cells in ("influence", "e2epriv"):
            return Regular(self.grids, workload=self._workload, tuner=self.cells)
        return self._named_cells

    @cached_property
    def _named_cells(self) -> Any:
        """Ask for cells that are neither of one grid nor of a tree of boxes."""
        hexagons = Hexagons(
            _SIDE * (4 if self.groups > _HUNDREDS else 2 if self.groups > 20 else 1)
        )
        if self.cells == "hexagons":
            return hexagons
        if self.cells == "choice":
            candidates = [hexagons, *self.grids, self.districts]
            return Choice(candidates, workload=self._workload)
        if self.cells == "district tree":
            return Adaptive(resolution=0.1, districts=self.districts)
        return self.districts

    @property
    def _workload(self) -> Workload:
        return Workload.from_boxes(_BOXES, self.domain)

    @cached_property
    def districts(self) -> Districts:
        """Draw squares whose borders no record is on, in strips from south to north.

        Every third is missing at a shore, and in others no records can be.
        """
        import geopandas
        import shapely

        many = 4 if self.groups > _HUNDREDS else 8 if self.groups > 20 else 24
        side = 7.93 / many
        row, column = np.divmod(np.arange(many * many), many)
        if self.within:
            row, column = row[(row + column) % 3 > 0], column[(row + column) % 3 > 0]
        west, south = 0.0137 + side * column, 0.0137 + side * row
        names = [f"{i:02} {j:02}" for i, j in zip(column, row)]
        shapes = shapely.box(west, south, west + side, south + side)
        strips = [name[:2] for name in names]
        layer = {"strip": strips, "name": names, "geometry": shapes}
        districts = Districts(
            geopandas.GeoDataFrame(layer, crs=DOMAIN.crs.name),
            name=None if self.cells == "levels" else "name",
            levels=["strip", "name"] if self.cells == "levels" else None,
        )
        if not self.within or self.cells not in DISTRICTS:
            return districts
        cells = districts.cells
        return Districts(cells, within=Support(cells.domain.bounds, WEIGHTS))

    @cached_property
    def frame(self) -> Frame:
        """Return the lattices in which a tree may grow."""
        return Frame(
            self.domain, (3, 4), 1 if self.groups > _HUNDREDS else 4 if self.groups < 2 else 3
        )

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """Return the candidates for regular cells."""
        fine = 5 if self.groups > _HUNDREDS else 12 if self.groups > 20 else 30
        if self.cells in ("grid", "choice"):
            return (Grid(self.domain, (fine, fine)),)
        return candidate_grids(self.domain, [fine - 2, fine])

    def _columns(self, records: Records) -> Any:
        kind = np.array(self.names)[records.group].tolist() if self.groups else None
        paid = None if self.adds is None else amounts_paid(records.quarters)
        if self.unit.startswith("feature"):
            return multipoints(records.places, records.unit, kind, paid)
        x, y = records.places.T
        columns = {"x": x, "y": y, "who": records.unit, "kind": kind, "paid": paid}
        return {name: values for name, values in columns.items() if values is not None}

    @property
    def pair(self) -> Pair:
        """Make neighbours with few records, for the exact checks.

        The unit that differs has more records than count, in all groups and at several places.
        """
        kinds = self.names[:_MOST_HEARD]
        names = kinds or ("",)
        one_kind = self.unit.startswith("feature")
        step = max(len(names) // 5, 1)

        def with_kinds(places: Any) -> Any:
            return [
                (float(x), float(y), names[0 if one_kind else step * number % len(names)])
                for number, (x, y) in enumerate(places)
            ]

        crowd = self._crowd()
        crowd = crowd[:: max(len(crowd) // 40, 1)][:40]
        many = 1 if self.unit == "record" else self.most + 6
        spots = [BUSY, (0.1, 0.1), (5.2, 3.1), ROVING]
        extra, before = ([spots[(turn + first) % 4] for turn in range(many)] for first in (0, 2))
        return Pair(
            str(self),
            with_kinds(crowd),
            with_kinds(extra),
            self.grids if self._pair_cells == "regular" else None,
            boxes=_BOXES if self.cells in ("influence", "e2epriv") else None,
            unit="person" if self.at else self.unit.split()[0],
            most=self.most if self.unit == "record" or self.unit.split()[-1].isdigit() else None,
            at=self.at,
            amount=self.adds,
            instead=with_kinds(before) if self.neighbours == "replace" else None,
            cells=self._pair_cells,
            groups=kinds,
            tuner=as_tuner("e2epriv" if self.cells == "e2epriv" else "influence"),
            place=self.domain,
        )

    @property
    def _pair_cells(self) -> Any:
        if self.cells == "adaptive":
            return Frame(self.domain, (3, 4), 2)
        return "regular" if isinstance(self._cells, Regular) else self._cells


def amounts_paid(quarters: Any) -> Floats:
    """Return amounts, some of them beyond their bounds of 0 and 2, where they are cut."""
    return np.asarray(np.choose(quarters, [-3.0, 0.5, 1.0, 1.5, 99.0]), dtype=np.float64)


def combinations(strength: int = 2) -> list[Combination]:
    """List combinations in which every choice meets every other: in pairs, or in threes.

    Hundreds of groups take long and meet the others in pairs only, and so do amounts and people at
    places.
    """
    rows = covering_rows(CHOICES)
    if strength > 2:
        few = [groups for groups in CHOICES["groups"] if groups < _HUNDREDS]
        many = [row for row in rows if row["groups"] >= _HUNDREDS]
        rows = covering_rows({**CHOICES, "groups": few}, strength) + many
    rows += covering_rows(WITH_AMOUNTS) + covering_rows(AT_PLACES)
    return [Combination(**row) for row in rows]
