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

from ..algorithms import plan, private_districts, private_histogram, private_polygons, rates
from ..algorithms.framing import CELL_SIZES, CRS, EXTENT, SIZES, WITHIN, WITHIN_RASTER
from ..algorithms.groups import BREAKS, BY, CATEGORIES
from ..algorithms.people import MAX_RECORDS, PERSON
from ..algorithms.private_points import INPUT
from ..algorithms.publishing import TITLE
from ..algorithms.spending import CAP, DATASET
from ..library import geodp
from ..translation import tr

ALGORITHM = f"geodp:{private_histogram.PrivateHistogram.NAME}"
OF_DISTRICTS = f"geodp:{private_districts.PrivateDistricts.NAME}"

_STEPS = (10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90)
EPSILONS = (*(float(f"{step}e{power}") for power in (-3, -2, -1) for step in _STEPS), 10.0)
"""Where the slider stops: round numbers from 0.01 to 10."""

_NUMBER = r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*"
_BOX = re.compile(rf"{_NUMBER}(?:,{_NUMBER}){{3}}(?:\[([^\[\]]+)\])?\s*")
_UNIT = re.compile(r"[a-wyz]", re.IGNORECASE)  # all but the x of 20x30


@dataclass(frozen=True)
class Wish:
    """The answers to the three questions, and ε. Layers are named by their ids.

    ``several`` says that a person, or a feature, may have several records, of which at most
    ``most`` count. ``sizes`` are numbers of cells per side, or lengths where one has a unit.
    ``expected`` is a public guess of how many records there are, for the forecast alone. With
    ``by``, there is one map per value of that field. ``cells_too`` and ``page_too`` ask for further
    files, which are named as the raster is. With ``by_districts`` there is one count for each
    polygon of ``districts``, which say where, and of places only ``within`` or ``within_raster``
    counts besides; ``per`` is a field of theirs that rates are of.
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
    adaptive: bool = True
    by_districts: bool = False
    districts: str = ""
    per: str = ""
    regions: str = ""
    sizes: str = ""
    expected: float | None = None
    epsilon: float = 1.0
    target: str = ""
    selected: bool = False
    by: str = ""
    categories: str = ""
    breaks: str = ""
    title: str = ""
    cells_too: bool = False
    page_too: bool = False

    def lacks(self):
        """The field that must be filled in first, and a sentence that says so; or None."""
        if not self.points:
            return "points", tr("Choose the points that shall be protected.")
        return self.lacks_place()

    def lacks_place(self):
        """As above, for what is needed to look ahead."""
        if self.by_districts:
            if not self.districts:
                return "districts", tr("Choose the districts, a public layer of polygons.")
            return self._lacks_most()
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
        return self._lacks_most()

    def _lacks_most(self):
        if self.several and not self.person and self.most is None:
            return "most", tr("Say in 'At most' how many records of each may count.")
        return None

    def parameters(self):
        """Of the algorithm that is run, as its dialog would have them."""
        points = self.points
        if self.selected:
            points = QgsProcessingFeatureSourceDefinition(self.points, True)
        if self.by_districts:
            return self._of_districts(points)
        given = {
            INPUT: points,
            EXTENT: self.extent.strip(),
            CRS: self.crs,
            private_histogram.EPSILON: self.epsilon,
            private_histogram.CELLS: int(self.adaptive),
        }
        flags = {private_histogram.EXTENT_IS_PUBLIC: self.extent_is_public}
        others = {WITHIN: self.within, WITHIN_RASTER: self.within_raster, **self._about_records()}
        if not self.adaptive:
            others |= {private_histogram.REGIONS: self.regions, **self._sizes()}
        given |= {name: value for name, value in flags.items() if value}
        given |= {name: value for name, value in others.items() if value not in ("", None)}
        given[private_histogram.OUTPUT_RASTER] = self.target or QgsProcessing.TEMPORARY_OUTPUT
        given |= {name: path or QgsProcessing.TEMPORARY_OUTPUT for name, path in self.further()}
        return given

    def _of_districts(self, points):
        """Parameters of *Private counts for districts*."""
        others = {rates.PER: self.per, WITHIN: self.within, WITHIN_RASTER: self.within_raster}
        others |= self._about_records()
        return {
            INPUT: points,
            private_districts.DISTRICTS: self.districts,
            private_histogram.EPSILON: self.epsilon,
            **{name: value for name, value in others.items() if value not in ("", None)},
            private_polygons.OUTPUT: self.target or QgsProcessing.TEMPORARY_OUTPUT,
            **{name: path or QgsProcessing.TEMPORARY_OUTPUT for name, path in self.further()},
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
            TITLE: self.title.strip(),
        }

    def further(self):
        """Names of the outputs beside the first with their files; empty for temporary ones."""
        asked = (
            (private_histogram.OUTPUT_VECTOR, ".gpkg", self.cells_too and not self.by_districts),
            (private_histogram.OUTPUT_HTML, ".html", self.page_too),
        )
        for name, suffix, is_asked in asked:
            if is_asked:
                yield name, str(Path(self.target).with_suffix(suffix)) if self.target else ""

    def planned(self):
        """Parameters of *Plan a private histogram*: the public ones, for every ε of the slider."""
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
        """The standard error of the count of a district: all of it is known before."""
        most = 1 if self.most is None else self.most
        if self.person:  # who is divided among the places of their records
            return 2**0.5 * most / self.epsilon
        left = math.exp(-self.epsilon / most)
        return (2 * left) ** 0.5 / (1 - left)

    def _sizes(self):
        text = self.sizes.strip()
        return {CELL_SIZES if _UNIT.search(text) else SIZES: text}


def algorithm_of(parameters):
    """Return which algorithm a call is of."""
    return OF_DISTRICTS if private_districts.DISTRICTS in parameters else ALGORITHM


def box_in(text):
    """The four numbers of an extent and the name of its CRS, which may be empty; or None."""
    matched = _BOX.fullmatch(text)
    if matched is None:
        return None
    numbers, _, _ = text.partition("[")
    return tuple(map(float, numbers.split(","))), (matched[1] or "").strip()


def rounded(left, bottom, right, top):
    """A drawn rectangle with round sides, so that it does not cling to what it was drawn around.

    Sides move outwards to the next multiple of a round number near a fiftieth of the longer one.
    """
    step = round_number(max(right - left, top - bottom) / 50)
    down, up = (lambda x: step * (x // step)), (lambda x: -step * (-x // step))
    return down(left), down(bottom), up(right), up(top)


def round_number(size):
    """The largest of …, 1, 2, 5, 10, … that is not above a size."""
    return geodp.nice_length(size * (1 + 1e-9))  # a size that was rounded stays as it is


def extent_in_words(box, authority):
    """As QGIS's own extent boxes write it."""
    left, bottom, right, top = (f"{side:.12g}" for side in box)
    return f"{left},{right},{bottom},{top}" + (f" [{authority}]" if authority else "")
