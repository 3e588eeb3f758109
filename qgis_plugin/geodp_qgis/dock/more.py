# SPDX-License-Identifier: GPL-2.0-or-later
"""Ask for what most maps do without: a map per value, cells as polygons, a report, a title."""

from qgis.gui import QgsCollapsibleGroupBoxBasic
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout

from ..translation import tr
from .questions import add_row, field_list, form


class More(QgsCollapsibleGroupBoxBasic):
    """Folded at first.

    Signals
    -------
    changed
        An answer is another.
    """

    changed = pyqtSignal()

    def __init__(self):
        super().__init__(tr("Several maps, title, more files"))
        self.by, self.values, self.limits = field_list(), QLineEdit(), QLineEdit()
        self.other, self.heading = QLineEdit(), QLineEdit()
        self.cells = QCheckBox(tr("Cells as polygons, too"))
        self.page = QCheckBox(tr("Report page, too"))
        self._build()
        self.by.fieldChanged.connect(self._see_field)
        for line in (self.values, self.limits, self.other, self.heading):
            line.textChanged.connect(self.changed)
        for box in (self.cells, self.page):
            box.toggled.connect(self.changed)
        self._see_field()
        self.setCollapsed(True)

    def _build(self):
        self.values.setPlaceholderText(tr("such as theft, assault"))
        self.limits.setPlaceholderText(tr("such as hourly, or 2024-01-01, 2025-01-01"))
        rows = form()
        for text, widget, help_text in (
            (
                tr("One map per"),
                self.by,
                tr(
                    "A field that divides the records: kind, hour, year. All maps together cost ε "
                    "once, because each record is in one of them. Say below which values."
                ),
            ),
            (
                tr("Its values"),
                self.values,
                tr(
                    "Values of the field, with commas, each of which gets a map. Type what "
                    "everybody knows; the list is never read off the points."
                ),
            ),
            (
                tr("…or limits"),
                self.limits,
                tr(
                    "Instead: limits between numbers, between dates and times such as 2024-01-01 "
                    "(ISO, in UTC) or between times of day such as 06:00. Or a word: hourly, "
                    "weekday, monthly 2024-01 to 2024-12, yearly 2020 to 2024."
                ),
            ),
            (
                tr("All others"),
                self.other,
                tr("Name of a map for all other values")
                + ". "
                + tr("Empty: records with other values are not counted."),
            ),
            (tr("Title"), self.heading, tr("Title of the map, for its files and pages.")),
        ):
            add_row(rows, text, widget, help_text)
        for box, help_text in (
            (
                self.cells,
                tr("The same counts, one polygon per cell: beside the raster, as a GeoPackage."),
            ),
            (
                self.page,
                tr("A page that explains the map to whoever receives it: see 'Report page'."),
            ),
        ):
            box.setAccessibleDescription(help_text)
            box.setToolTip(help_text)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addLayout(rows)
        column.addWidget(self.cells)
        column.addWidget(self.page)

    def stops(self):
        lists = self.by, self.values, self.limits, self.other
        return *lists, self.heading, self.cells, self.page

    def see_kind(self, by_polygons):
        """See the kind of cells: districts and hexagons are polygons anyway."""
        self.cells.setEnabled(not by_polygons)

    def see_layer(self, layer):
        self.by.setLayer(layer)
        self.by.setField("")
        self._see_field()

    def _see_field(self, _name=""):
        for line in (self.values, self.limits, self.other):
            line.setEnabled(bool(self.by.currentField()))
        self.changed.emit()

    def forget(self):
        """Take back what was said of another project's records."""
        for line in (self.values, self.limits, self.other, self.heading):
            line.clear()

    def answers(self):
        field = self.by.currentField()
        return {
            "by": field,
            "categories": self.values.text() if field else "",
            "breaks": self.limits.text() if field else "",
            "other": self.other.text() if field else "",
            "title": self.heading.text(),
            "cells_too": self.cells.isChecked(),
            "page_too": self.page.isChecked(),
        }
