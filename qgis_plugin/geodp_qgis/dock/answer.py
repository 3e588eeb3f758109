# SPDX-License-Identifier: GPL-2.0-or-later
"""The third question: which cells, for which regions, among which sizes."""

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel
from qgis.gui import QgsFileWidget
from qgis.PyQt.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox

from ..algorithms.rates import USUAL
from ..translation import tr
from .questions import (
    Question,
    WithinList,
    chosen_layer_id,
    field_list,
    layer_list,
    show_rows,
    within_help,
)
from .state import ADAPTIVE, DISTRICTS, HEXAGONS, REGULAR


class Answer(Question):
    """Ask what to answer; of its rows, those are shown that the kind of cells has."""

    def __init__(self):
        super().__init__(tr("&3  What do you want to answer?"))
        self.cells = QComboBox()
        self.cells.addItems(
            [
                tr("One regular grid"),
                tr("Fine where records crowd"),
                tr("Districts of a public layer"),
                tr("Hexagons"),
            ]
        )
        self.cells.setCurrentIndex(ADAPTIVE)
        self.cells.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # none is cut
        self.districts = layer_list(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.per = field_list(QgsFieldProxyModel.Filter.Numeric)
        self.each = QDoubleSpinBox()
        self.each.setDecimals(0)
        self.each.setRange(1, 1e9)
        self.each.setGroupSeparatorShown(True)
        self.each.setValue(USUAL)
        self.within = WithinList()
        self.side = QLineEdit()
        self.side.setPlaceholderText(tr("such as 5km"))
        self.regions = layer_list(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.sizes, self.expected = QLineEdit(), QSpinBox()
        self.sizes.setPlaceholderText(tr("such as 5km, 10km or 30, 40"))
        self.expected.setRange(0, 2_000_000_000)
        self.expected.setGroupSeparatorShown(True)
        self.expected.setSuffix(tr(" records"))
        self.expected.setSpecialValueText(tr("how many records?"))
        self.target = QgsFileWidget()
        self.target.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        self._file = ""
        self.target.lineEdit().setPlaceholderText(tr("a temporary file"))
        self._rows = []
        self._build()
        self._offer_kind()
        self._connect()

    def _build(self):
        self.ask(
            tr("Cells"),
            self.cells,
            tr(
                "Cells that are fine where records crowd and coarse where there are few are "
                "several times as accurate where records are uneven, as people are. One grid is "
                "easy to read and can be chosen for your regions. If counts of districts are what "
                "you want, take these."
            ),
        )
        self._ask_for(
            (DISTRICTS,),
            tr("Districts"),
            self.districts,
            tr(
                "Polygons that do not overlap, known to everybody, in any CRS: each gets one "
                "count. Points in none of them are not counted."
            ),
        )
        self._ask_for(
            (DISTRICTS,),
            tr("Rates per"),
            self.per,
            tr(
                "A population of each polygon, known to everybody: adds the fields rate, rate_low "
                "and rate_high. Never a number that was counted from the points."
            ),
        )
        words = tr("1000 gives records per 1000 of them.")
        self._each_row = self.ask(tr("Of how many"), self.each, words), self.each
        self._ask_for(
            (HEXAGONS,),
            tr("Side"),
            self.side,
            tr(
                "A number in units of the CRS, or a length such as 500m or 5km. A hexagon has the "
                "area of about 2.6 squares of that side."
            ),
        )
        self._ask_for((DISTRICTS,), tr("Within"), self.within, within_help())
        self._ask_for(
            (REGULAR,),
            tr("Regions"),
            self.regions,
            tr(
                "Polygons whose counts matter, such as districts: the cell size is chosen for "
                "them. Without it: 600 boxes from 1 % to 64 % of the area."
            ),
        )
        self._ask_for(
            (REGULAR,),
            tr("Si&zes"),
            self.sizes,
            tr(
                "Lengths of cells with a unit, such as 5km, 10km, or numbers of cells per side, "
                "such as 30, 40 or 20x30. Empty: a ladder from coarse to fine."
            ),
        )
        self._ask_for(
            (REGULAR, ADAPTIVE),
            tr("G&uess"),
            self.expected,
            tr(
                "A public guess of how many there will be, never a figure from the points. With it "
                "the whole error is foreseen."
            ),
        )
        self.ask(
            tr("Save as"),
            self.target,
            tr("A file of signed counts that carries its own promise: see 'About …'."),
        )

    def _ask_for(self, kinds, text, widget, help_text):
        """Add a row that some kinds of cells have."""
        self._rows.append((kinds, (self.ask(text, widget, help_text), widget)))

    def _connect(self):
        self.cells.currentIndexChanged.connect(self._see_kind)
        for layers in (self.districts, self.within, self.regions):
            layers.layerChanged.connect(self.changed)
        self.districts.layerChanged.connect(self.per.setLayer)
        self.per.fieldChanged.connect(self._see_rates)
        for line in (self.sizes, self.side):
            line.textChanged.connect(self.changed)
        for number in (self.expected, self.each):
            number.valueChanged.connect(self.changed)
        self.target.fileChanged.connect(self.changed)

    def stops(self):
        rates = self.per, self.each, self.side, self.within
        others = self.regions, self.sizes, self.expected
        return self.cells, self.districts, *rates, *others, self.target.lineEdit()

    @property
    def kind(self):
        """Return which cells are asked for, as ``state`` numbers them."""
        return self.cells.currentIndex()

    def _offer_kind(self):
        """Show the rows of the kind; districts, for example, say where themselves."""
        for kinds, row in self._rows:
            show_rows([row], self.kind in kinds)
        self._see_rates()
        polygons = self.kind in (DISTRICTS, HEXAGONS)
        file = tr("GeoPackage (*.gpkg)") if polygons else tr("GeoTIFF (*.tif)")
        if file != self._file:
            self.target.setFilter(file)
            if self._file:
                self.forget_target()  # its suffix is that of another kind
            self._file = file

    def _see_rates(self, _field=""):
        has_rates = self.kind == DISTRICTS and bool(self.per.currentField())
        show_rows([self._each_row], has_rates)
        self.changed.emit()

    def _see_kind(self, kind):
        self._offer_kind()
        layers = [self.districts.layer(place) for place in range(self.districts.count())]
        only = [layer for layer in layers if layer is not None]
        if kind == DISTRICTS and self.districts.currentLayer() is None and len(only) == 1:
            self.districts.setLayer(only[0])  # what can only be meant
        self.changed.emit()

    def forget(self):
        """Take back what was said of another project's records."""
        for line in (self.sizes, self.side):
            line.clear()
        self.expected.setValue(0)
        self.forget_target()

    def forget_target(self):
        """Forget the file that was written, so that the next run does not replace it."""
        self.target.setFilePath("")

    def answers(self):
        each = self.each.value()
        return {
            "kind": self.kind,
            "districts": chosen_layer_id(self.districts),
            "per": self.per.currentField(),
            "each": each if each != USUAL else None,
            "side": self.side.text(),
            "regions": chosen_layer_id(self.regions),
            "sizes": self.sizes.text(),
            "expected": self.expected.value() or None,
            "target": self.target.filePath(),
            **(self.within.answers() if self.kind == DISTRICTS else {}),
        }
