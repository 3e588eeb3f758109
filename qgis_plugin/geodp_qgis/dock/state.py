# SPDX-License-Identifier: GPL-2.0-or-later
"""Hold what is asked for in the dock, and make a Processing call of it. No widget is here."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingFeatureSourceDefinition,
)

from ..algorithms import (
    amounts,
    plan,
    private_districts,
    private_hexagons,
    private_histogram,
    private_polygons,
    rates,
)
from ..algorithms.framing import CELL_SIZES, CRS, EXTENT, SIZES, WITHIN, WITHIN_RASTER
from ..algorithms.groups import BREAKS, BY, CATEGORIES, OTHER
from ..algorithms.people import MAX_RECORDS, PERSON
from ..algorithms.private_points import INPUT
from ..algorithms.publishing import TITLE
from ..algorithms.spending import CAP, DATASET
from ..library import geodp
from ..translation import tr

ALGORITHM = f"geodp:{private_histogram.PrivateHistogram.NAME}"
OF_DISTRICTS = f"geodp:{private_districts.PrivateDistricts.NAME}"
OF_HEXAGONS = f"geodp:{private_hexagons.PrivateHexagons.NAME}"

REGULAR, ADAPTIVE, DISTRICTS, HEXAGONS = range(4)
"""Kinds of cells, as the dock lists them; the first two as *Private histogram* numbers them."""

_STEPS = (10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90)
EPSILONS = (*(float(f"{step}e{power}") for power in (-3, -2, -1) for step in _STEPS), 10.0)
"""Where the slider stops: round numbers from 0.01 to 10."""

_NUMBER = r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*"
_BOX = re.compile(rf"{_NUMBER}(?:,{_NUMBER}){{3}}(?:\[([^\[\]]+)\])?\s*")
_NOTHING = ("", None, [])
_UNIT = re.compile(r"[a-wyz]", re.IGNORECASE)  # all but the x of 20x30


@dataclass(frozen=True)
class Wish:
    """The answers to the three questions, and ε. Layers are named by their ids.

    ``several`` says that a person, or a feature, may have several records, of which at most
    ``most`` count. ``sizes`` are numbers of cells per side, or lengths where one has a unit.
    ``expected`` is a public guess of how many records there are, for the forecast alone. With
    ``by``, there is one map per value of that field. ``cells_too`` and ``page_too`` ask for further
    files, which are named as the raster is. Districts say where themselves, and of places only
    ``within`` or ``within_raster`` counts besides; ``per`` is a field of theirs that rates are of,
    ``levels`` are fields of their larger units, the largest first. Hexagons have a ``side``. Both
    may add up an ``amount`` between bounds, which are as they were typed. What is for other cells
    than the chosen ones does not count.
    """

    points: str = ""
    person: str = ""
    several: bool = False
    most: int | None = None
    dataset: str = ""
    cap: float | None = None
    extent: str = ""
    crs: Any = None
    extent_is_public: bool = False
    within: str = ""
    within_raster: str = ""
    kind: int = ADAPTIVE
    districts: str = ""
    named_by: str = ""
    levels: tuple = ()
    per: str = ""
    each: float | None = None
    side: str = ""
    amount: str = ""
    low: str = ""
    high: str = ""
    grey: float | None = None
    regions: str = ""
    sizes: str = ""
    expected: float | None = None
    epsilon: float = 1.0
    target: str = ""
    selected: bool = False
    by: str = ""
    categories: str = ""
    breaks: str = ""
    other: str = ""
    title: str = ""
    cells_too: bool = False
    page_too: bool = False

    @property
    def adaptive(self):
        """Tell whether cells are fine where records crowd."""
        return self.kind == ADAPTIVE

    @property
    def by_districts(self):
        return self.kind == DISTRICTS

    @property
    def by_polygons(self):
        """Tell whether cells are known beforehand, and so is all of their error."""
        return self.kind in (DISTRICTS, HEXAGONS)

    def lacks(self):
        """Name the field that must be filled in first, with a sentence that says so; or None."""
        if not self.points:
            return "points", tr("Choose the points that shall be protected.")
        return self.lacks_place()

    def lacks_place(self):
        """Name it as above, for what is needed to look ahead."""
        if self.by_districts:
            if not self.districts:
                return "districts", tr("Choose the districts, a public layer of polygons.")
            if self.levels and not self.named_by:
                return "named_by", tr("Choose the field that names the districts in larger units.")
            return self._lacks_bounds() or self._lacks_most()
        if not self.extent.strip():
            return "extent", tr("Give a public extent: type it, draw it, or take a public layer's.")
        # QGIS would take the name of a layer as well, and so the extent of the points.
        matched = _BOX.fullmatch(self.extent)
        if matched is None:
            return "extent", tr(
                "The extent must be four numbers, xmin, xmax, ymin, ymax; got '{}'."
            ).format(self.extent)
        # and would take an unknown CRS for that of the grid
        if matched[1] and not QgsCoordinateReferenceSystem(matched[1].strip()).isValid():
            return "extent", tr("This QGIS does not know the extent's CRS, {}.").format(matched[1])
        if self.crs is None or not self.crs.isValid():
            return "crs", tr("Choose the CRS of the grid, a projected one for your region.")
        if self.kind == HEXAGONS and not self.side.strip():
            return "side", tr("Say how long a side of a hexagon is, such as 5km.")
        return self._lacks_bounds() or self._lacks_most()

    def _lacks_bounds(self):
        if not (self.by_polygons and self.amount):
            return None
        for name, text in (("low", self.low), ("high", self.high)):
            if not text.strip():
                return name, amounts.no_bounds()
            if re.fullmatch(_NUMBER, text) is None:
                return name, tr("A bound must be a number, such as 10000; got '{}'.").format(text)
        return None

    def _lacks_most(self):
        if self.several and not self.person and self.most is None:
            return "most", tr("Say in 'At most' how many records of each may count.")
        return None

    def parameters(self):
        """Return parameters of the algorithm that is run, as its dialog would have them."""
        points = self.points
        if self.selected:
            points = QgsProcessingFeatureSourceDefinition(self.points, True)
        ways = {DISTRICTS: self._by_districts, HEXAGONS: self._by_hexagons}
        others = ways.get(self.kind, self._by_cells)() | self._about_records()
        output = private_polygons.OUTPUT if self.by_polygons else private_histogram.OUTPUT_RASTER
        return {
            INPUT: points,
            private_histogram.EPSILON: self.epsilon,
            **{name: value for name, value in others.items() if value not in _NOTHING},
            output: self.target or QgsProcessing.TEMPORARY_OUTPUT,
            **{name: path or QgsProcessing.TEMPORARY_OUTPUT for name, path in self.further()},
        }

    def _by_cells(self):
        """Return what is for *Private histogram* alone."""
        cells = {private_histogram.CELLS: self.kind, **self._place()}
        if self.adaptive:
            return cells
        return {**cells, private_histogram.REGIONS: self.regions, **self._sizes()}

    def _by_districts(self):
        """Return what is for *Private counts for districts* alone."""
        if self.levels:
            named = {private_districts.LEVELS: [*self.levels, self.named_by]}
        else:
            named = {private_districts.NAME_FIELD: self.named_by}
        return {
            private_districts.DISTRICTS: self.districts,
            **named,
            rates.PER: self.per,
            rates.EACH: self.each if self.per else None,
            **self._limits(),
            **self._about_numbers(),
        }

    def _by_hexagons(self):
        """Return what is for *Private counts in hexagons* alone."""
        side = {private_hexagons.SIDE: self.side.strip()}
        return {**self._place(), **side, **self._about_numbers()}

    def _place(self):
        """Return where is public, in units of a CRS."""
        return {
            EXTENT: self.extent.strip(),
            CRS: self.crs,
            private_histogram.EXTENT_IS_PUBLIC: self.extent_is_public or None,
            **self._limits(),
        }

    def _limits(self):
        return {WITHIN: self.within, WITHIN_RASTER: self.within_raster}

    def _about_numbers(self):
        """Return what is added up and what is drawn grey, in polygons."""
        asked = {rates.GREY: self.grey}
        if not self.amount:
            return asked
        low, high = (float(text) for text in (self.low, self.high))
        return {
            **asked,
            amounts.AMOUNT: self.amount,
            amounts.AMOUNT_LOW: low,
            amounts.AMOUNT_HIGH: high,
        }

    def _about_records(self):
        """Return what was asked of records, whatever counts them; empty where nothing was."""
        return {
            PERSON: self.person,
            DATASET: self.dataset.strip(),
            CAP: self.cap,
            MAX_RECORDS: self.most,
            BY: self.by,
            CATEGORIES: self.categories.strip(),
            BREAKS: self.breaks.strip(),
            OTHER: self.other.strip(),
            TITLE: self.title.strip(),
        }

    def further(self):
        """Name the outputs beside the first, with their files; empty for temporary ones."""
        asked = (
            (private_histogram.OUTPUT_VECTOR, ".gpkg", self.cells_too and not self.by_polygons),
            (private_histogram.OUTPUT_HTML, ".html", self.page_too),
        )
        for name, suffix, is_asked in asked:
            if is_asked:
                yield name, str(Path(self.target).with_suffix(suffix)) if self.target else ""

    def planned(self):
        """Return public parameters of *Plan a private histogram*, for every ε of the slider."""
        others = {
            WITHIN: self.within,
            WITHIN_RASTER: self.within_raster,
            plan.MAX_RECORDS: self.most,
            plan.EXPECTED: self.expected,
        }
        if not self.adaptive:
            others |= {plan.REGIONS: self.regions, **self._sizes()}
        return {
            EXTENT: self.extent.strip(),
            CRS: self.crs,
            plan.EPSILONS: ", ".join(map(repr, EPSILONS)),
            **{name: value for name, value in others.items() if value not in ("", None)},
        }

    def noise(self):
        """Return the standard error of the count of a polygon: all of it is known before."""
        most = 1 if self.most is None else self.most
        if self.amount:  # of which each record may take part in two numbers
            return 2 * most / self.epsilon
        if self.person:  # who is divided among the places of their records
            return 2**0.5 * most / self.epsilon
        left = math.exp(-self.epsilon / most)
        return (2 * left) ** 0.5 / (1 - left)

    def noise_of_sums(self):
        """Return the standard error of the sum of an amount: each bound has noise of its own."""
        return self.noise() * math.hypot(float(self.low), float(self.high)) / 2**0.5

    def _sizes(self):
        text = self.sizes.strip()
        return {CELL_SIZES if _UNIT.search(text) else SIZES: text}


def chosen_algorithm(parameters):
    """Return which algorithm a call is of."""
    if private_hexagons.SIDE in parameters:
        return OF_HEXAGONS
    return OF_DISTRICTS if private_districts.DISTRICTS in parameters else ALGORITHM


def box_in(text):
    """Return the four numbers of an extent and the name of its CRS, which may be empty; or None."""
    matched = _BOX.fullmatch(text)
    if matched is None:
        return None
    numbers, _, _ = text.partition("[")
    return tuple(map(float, numbers.split(","))), (matched[1] or "").strip()


def rounded(left, bottom, right, top):
    """Round the sides of a drawn rectangle, so that it does not cling to what it was drawn around.

    Sides move outwards to the next multiple of a round number near a fiftieth of the longer one.
    """
    step = round_number(max(right - left, top - bottom) / 50)
    down, up = (lambda x: step * (x // step)), (lambda x: -step * (-x // step))
    return down(left), down(bottom), up(right), up(top)


def round_number(size):
    """Return the largest of …, 1, 2, 5, 10, … that is not above a size."""
    return geodp.nice_length(size * (1 + 1e-9))  # a size that was rounded stays as it is


def extent_in_words(box, authority):
    """Write an extent as QGIS's own boxes write it."""
    left, bottom, right, top = (f"{side:.12g}" for side in box)
    return f"{left},{right},{bottom},{top}" + (f" [{authority}]" if authority else "")
