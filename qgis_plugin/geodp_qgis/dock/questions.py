# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions as boxes of widgets; each gives its part of the wish. The first is in ``protected``."""

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFieldProxyModel,
    QgsMapLayerProxyModel,
    QgsProject,
    QgsRasterLayer,
)
from qgis.gui import (
    QgsFieldComboBox,
    QgsFileWidget,
    QgsMapLayerComboBox,
    QgsProjectionSelectionWidget,
)
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
)

from ..compatibility import layer_filters
from ..translation import tr
from .extent_box import ExtentBox
from .state import box_in
from .suited import suited_crs

KEYED = (QLineEdit, QComboBox, QAbstractButton)
"""Parts of a widget that take keys, and that must have a name for those who hear the screen."""

BY_DISTRICTS = 2
"""Place of districts among the kinds of cells."""

NARROW = 8
"""Letters that a list shows at least; longer names must not widen the dock."""


class Question(QGroupBox):
    """A numbered question with a row for each part of the answer."""

    changed = pyqtSignal()

    def __init__(self, title):
        super().__init__(title)
        self.rows = QFormLayout()
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addLayout(self.rows)
        self.rows.setVerticalSpacing(4)
        self.rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def ask(self, text, widget, help_text):
        """Add a row to the question."""
        return add_row(self.rows, text, widget, help_text)

    def below(self, widget):
        """Add a widget below all rows; in a form, sentences of several lines would be cut."""
        self.layout().addWidget(widget)

    def stops(self):
        """List where the Tab key stops, in order."""
        raise NotImplementedError


def add_row(rows, text, widget, help_text):
    """Add a row to a form; its label is the widget's name for those who hear the screen."""
    label = QLabel(text)
    label.setBuddy(widget)
    name = text.replace("&", "")
    for part in (widget, *(each for kind in KEYED for each in widget.findChildren(kind))):
        part.setAccessibleName(part.accessibleName() or name)
        part.setAccessibleDescription(help_text)
    widget.setToolTip(help_text)
    label.setToolTip(help_text)
    if isinstance(widget, QAbstractSpinBox):
        widget.setMinimumWidth(80)  # not the width of the largest number
    rows.addRow(label, widget)
    return label


class Public(Question):
    """Ask where is public: the rectangle, its CRS, and where records can be."""

    def __init__(self, canvas):
        super().__init__(tr("&2  Where is public?"))
        self.extent = ExtentBox(canvas)
        self.crs = QgsProjectionSelectionWidget()
        self.within = WithinList()
        self.known = QCheckBox(tr("This extent is public anyway"))
        self.offer = QPushButton()
        self._offered = None
        self.ask(
            tr("E&xtent"),
            self.extent,
            tr(
                "The rectangle that is counted, known to everybody: a city, a country, a round "
                "box. Never from the points."
            ),
        )
        words = tr(
            "Needed only when the extent equals that of the points. Tick it if the rectangle "
            "was known before the points were, for example the frame of a survey."
        )
        self.known.setToolTip(words)
        self.known.setAccessibleDescription(words)
        self.rows.addRow(self.known)
        self.ask(
            tr("&Grid CRS"),
            self.crs,
            tr(
                "A projected coordinate system, so that cells have equal areas; degrees are "
                "refused."
            ),
        )
        words = tr("A projected coordinate system that suits the public extent")
        self.offer.setText(words)
        self.offer.setToolTip(words)
        self.offer.setAccessibleDescription(words)
        # Names of systems are long, and must not widen the dock.
        self.offer.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rows.addRow(self.offer)
        self.ask(tr("Within"), self.within, within_help())
        for box in self.crs.findChildren(QComboBox):
            narrow(box)
        self.extent.changed.connect(self.doubt)
        self.extent.changed.connect(self.changed)
        self.crs.crsChanged.connect(self.changed)
        self.within.layerChanged.connect(self.changed)
        self.known.toggled.connect(self.changed)
        self.offer.clicked.connect(self._take_offer)
        for signal in (self.extent.changed, self.crs.crsChanged):
            signal.connect(self.see_offer)
        self.see_offer()

    def stops(self):
        line, button = self.extent.line, self.extent.button
        return line, button, self.known, self.crs, self.offer, self.within

    def see_offer(self):
        """Offer a CRS that suits the extent, where none is chosen that could."""
        self._offered, crs = None, self.crs.crs()
        box = box_in(self.extent.text())
        if box is not None and (not crs.isValid() or crs.isGeographic()):
            self._offered = suited_crs(box[0], self._crs_of(box))
        self.offer.setVisible(self._offered is not None)
        if self._offered is not None:
            crs = QgsCoordinateReferenceSystem(self._offered)
            self.offer.setText(tr("Use {}").format(self._offered))
            self.offer.setToolTip(crs.userFriendlyIdentifier())

    def _crs_of(self, box):
        """That of the extent: its own, or the project's, where the numbers were read off."""
        return QgsCoordinateReferenceSystem(box[1]) if box[1] else QgsProject.instance().crs()

    def _take_offer(self):
        box, code = box_in(self.extent.text()), self._offered
        if not box[1]:  # it would be read in the new one
            crs = self._crs_of(box)
            self.extent.line.setText(f"{self.extent.text().strip()} [{crs.authid()}]")
        self.crs.setCrs(QgsCoordinateReferenceSystem(code))

    def forget(self):
        """Take back what was said of another project's place."""
        self.extent.line.clear()
        self.crs.setCrs(QgsCoordinateReferenceSystem())

    def doubt(self):
        """Take back that the extent is public anyway: that was said of others."""
        self.known.setChecked(False)

    def preselect(self):
        """The project's CRS, if none is chosen and it is projected."""
        crs = QgsProject.instance().crs()
        if not self.crs.crs().isValid() and crs.isValid() and not crs.isGeographic():
            self.crs.setCrs(crs)

    def answers(self):
        return {
            "extent": self.extent.text(),
            "crs": self.crs.crs(),
            **self.within.answers(),
            "extent_is_public": self.known.isChecked(),
        }


class Answer(Question):
    """Ask what to answer: which cells, for which regions, among which sizes."""

    def __init__(self):
        super().__init__(tr("&3  What do you want to answer?"))
        self.cells = QComboBox()
        self.cells.addItems(
            [
                tr("One regular grid"),
                tr("Fine where records crowd"),
                tr("Districts of a public layer"),
            ]
        )
        self.cells.setCurrentIndex(1)
        narrow(self.cells)
        self.districts = layer_list(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.per = QgsFieldComboBox()
        self.per.setAllowEmptyFieldName(True)
        self.per.setFilters(QgsFieldProxyModel.Filter.Numeric)
        narrow(self.per)
        self.within = WithinList()
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
        self._build()
        self._offer_kind()
        self.cells.currentIndexChanged.connect(self._see_kind)
        for layers in (self.districts, self.within, self.regions):
            layers.layerChanged.connect(self.changed)
        self.districts.layerChanged.connect(self.per.setLayer)
        self.per.fieldChanged.connect(self.changed)
        self.sizes.textChanged.connect(self.changed)
        self.expected.valueChanged.connect(self.changed)
        self.target.fileChanged.connect(self.changed)

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
        districts = self.ask(
            tr("Districts"),
            self.districts,
            tr(
                "Polygons that do not overlap, known to everybody, in any CRS: each gets one "
                "count. Points in none of them are not counted."
            ),
        )
        rates = self.ask(
            tr("Rates per"),
            self.per,
            tr(
                "A population of each polygon, known to everybody: adds the fields rate, rate_low "
                "and rate_high. Never a number that was counted from the points."
            ),
        )
        within = self.ask(tr("Within"), self.within, within_help())
        self._of_districts = (districts, self.districts, rates, self.per, within, self.within)
        regions = self.ask(
            tr("Regions"),
            self.regions,
            tr(
                "Polygons whose counts matter, such as districts: the cell size is chosen for "
                "them. Without it: 600 boxes from 1 % to 64 % of the area."
            ),
        )
        sizes = self.ask(
            tr("Si&zes"),
            self.sizes,
            tr(
                "Lengths of cells with a unit, such as 5km, 10km, or numbers of cells per side, "
                "such as 30, 40 or 20x30. Empty: a ladder from coarse to fine."
            ),
        )
        guess = self.ask(
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
        self._for_cells = (regions, self.regions, sizes, self.sizes, guess, self.expected)

    def stops(self):
        others = self.regions, self.sizes, self.expected
        return self.cells, self.districts, self.per, self.within, *others, self.target.lineEdit()

    def _offer_kind(self):
        """Regions and sizes are for one grid, and districts for themselves."""
        by_districts = self.cells.currentIndex() == BY_DISTRICTS
        for widget in (self.regions, self.sizes):
            widget.setEnabled(self.cells.currentIndex() == 0)
        for widget in self._for_cells:
            widget.setVisible(not by_districts)
        for widget in self._of_districts:
            widget.setVisible(by_districts)
        file = tr("GeoPackage (*.gpkg)") if by_districts else tr("GeoTIFF (*.tif)")
        if file != self._file:
            self.target.setFilter(file)
            if self._file:
                self.forget_target()  # its suffix is that of another kind
            self._file = file

    def _see_kind(self, kind):
        self._offer_kind()
        layers = [self.districts.layer(place) for place in range(self.districts.count())]
        only = [layer for layer in layers if layer is not None]
        if kind == BY_DISTRICTS and self.districts.currentLayer() is None and len(only) == 1:
            self.districts.setLayer(only[0])  # what can only be meant
        self.changed.emit()

    def forget(self):
        """Take back what was said of another project's records."""
        self.sizes.clear()
        self.expected.setValue(0)
        self.forget_target()

    def forget_target(self):
        """A file that was written is a release that cannot be made again: none may replace it."""
        self.target.setFilePath("")

    def answers(self):
        by_districts = self.cells.currentIndex() == BY_DISTRICTS
        return {
            "adaptive": self.cells.currentIndex() == 1,
            "by_districts": by_districts,
            "districts": id_of(self.districts),
            "per": self.per.currentField(),
            "regions": id_of(self.regions),
            "sizes": self.sizes.text(),
            "expected": self.expected.value() or None,
            "target": self.target.filePath(),
            **(self.within.answers() if by_districts else {}),
        }


class WithinList(QgsMapLayerComboBox):
    """List the layers that can say where records can be: polygons, and rasters of weights."""

    def __init__(self):
        super().__init__()
        kinds = QgsMapLayerProxyModel.Filter
        offer_layers(self, kinds.PolygonLayer, kinds.RasterLayer)
        self.setExcludedProviders(["wms"])  # pictures of maps

    def answers(self):
        """Return the chosen layer under both names, of which one is empty."""
        chosen = id_of(self)
        raster = isinstance(self.currentLayer(), QgsRasterLayer)
        return {"within": "" if raster else chosen, "within_raster": chosen if raster else ""}


def within_help():
    return tr(
        "Where records can be: polygons such as land or a jurisdiction, or a raster of "
        "weights such as population, known to everybody. May be left empty."
    )


def layer_list(*kinds):
    """A list of the project's layers of some kinds, none of them chosen at first."""
    box = QgsMapLayerComboBox()
    offer_layers(box, *kinds)
    return box


def offer_layers(box, *kinds):
    """Fill a list with the project's layers of some kinds, none of them chosen."""
    box.setFilters(layer_filters(*kinds))
    box.setAllowEmptyLayer(True)
    box.setCurrentIndex(0)
    narrow(box)


def narrow(box):
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(NARROW)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def id_of(box):
    layer = box.currentLayer()
    return "" if layer is None else layer.id()
