"""The three questions as boxes of widgets; each gives its part of the wish.

What is asked of the layer of points is its name, its kind and its fields, which are declared.
"""

from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel, QgsProject, QgsWkbTypes
from qgis.gui import (
    QgsFieldComboBox,
    QgsFileWidget,
    QgsMapLayerComboBox,
    QgsProjectionSelectionWidget,
)
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QSpinBox,
)

from ..algorithms.private_points import only_layer
from ..translation import tr
from .balance import PROPERTY, balance_of, names
from .extent_box import ExtentBox

NARROW = 8
"""Letters that a list shows at least; longer names must not widen the dock."""


class Question(QGroupBox):
    """A numbered question with a row for each part of the answer."""

    changed = pyqtSignal()

    def __init__(self, title):
        super().__init__(title)
        self.rows = QFormLayout(self)
        self.rows.setVerticalSpacing(4)
        self.rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def ask(self, text, widget, help_text):
        """Add a row; its label is the widget's name for those who hear the screen."""
        label = QLabel(text)
        label.setBuddy(widget)
        widget.setAccessibleName(text.replace("&", ""))
        widget.setAccessibleDescription(help_text)
        widget.setToolTip(help_text)
        label.setToolTip(help_text)
        if isinstance(widget, QAbstractSpinBox):
            widget.setMinimumWidth(80)  # not the width of the largest number
        self.rows.addRow(label, widget)
        return label

    def stops(self):
        """Where the Tab key stops, in order."""
        raise NotImplementedError


class Protected(Question):
    """What is protected: which points, whose they are, and what may be spent on them."""

    def __init__(self):
        super().__init__(tr("&1  What is protected?"))
        self.points = _layers(QgsMapLayerProxyModel.Filter.PointLayer)
        self.person, self.most = QgsFieldComboBox(), QSpinBox()
        self.name, self.cap = QComboBox(), QDoubleSpinBox()
        self.left, self.balance = QProgressBar(), _words()
        self._build()
        self._connect()
        self.see_layer(self.points.currentLayer())

    def _build(self):
        self.person.setAllowEmptyFieldName(True)
        kinds = QgsFieldProxyModel.Filter
        self.person.setFilters(kinds.String | kinds.Numeric)
        _narrow(self.person)
        self.most.setRange(0, 1_000_000)
        self.most.setSpecialValueText(tr("not set"))
        self.name.setEditable(True)
        self.name.lineEdit().setPlaceholderText(tr("such as visits"))
        _narrow(self.name)
        self.cap.setRange(0, 1000)
        self.cap.setDecimals(3)
        self.cap.setSpecialValueText(tr("not set"))
        self.left.setAccessibleName(tr("What is left in the ledger"))
        self.ask(
            tr("Po&ints"),
            self.points,
            tr("The layer to protect, one point per record. Nothing but the result leaves it."),
        )
        self.ask(
            tr("Person &field"),
            self.person,
            tr(
                "For data where one person can have several records. Empty: records are protected, "
                "not people."
            ),
        )
        self._most_label = self.ask(
            tr("&At most"),
            self.most,
            tr(
                "How many records of each person may count; the noise grows with this number. "
                "Choose it without looking at the layer."
            ),
        )
        self.ask(
            tr("Ledger &name"),
            self.name,
            tr("One name for all layers about the same people: under it, what is spent adds up."),
        )
        self._cap_label = self.ask(
            tr("Cap ε"),
            self.cap,
            tr(
                "The most ε that may ever be spent on these data. Needed once, to enter a new name "
                "into the ledger; a cap is never changed."
            ),
        )
        self.rows.addRow(self.left)
        self.rows.addRow(self.balance)

    def _connect(self):
        self.points.layerChanged.connect(self.see_layer)
        self.person.fieldChanged.connect(self._see_person)
        self.most.valueChanged.connect(self.changed)
        self.name.editTextChanged.connect(self.changed)
        self.cap.valueChanged.connect(self.changed)

    def stops(self):
        return self.points, self.person, self.most, self.name, self.cap

    def preselect(self):
        """The only point layer, if none is chosen."""
        if self.points.currentLayer() is None:
            self.points.setLayer(only_layer())

    def see_layer(self, layer):
        self.person.setLayer(layer)
        self.person.setField("")
        kept = layer.customProperty(PROPERTY, "") if layer is not None else ""
        self.name.setEditText(kept)
        self._see_person()

    def _see_person(self, _name=""):
        counted = self._counts_several()
        self.most.setVisible(counted)
        self._most_label.setVisible(counted)
        self.changed.emit()

    def _counts_several(self):
        """Whether it must be said how many records count: of a person, or of a MultiPoint."""
        layer = self.points.currentLayer()
        several = layer is not None and QgsWkbTypes.isMultiType(layer.wkbType())
        return bool(self.person.currentField()) or several

    def lacks_cap(self):
        """A sentence where a new name needs a cap."""
        return self.balance.text() if not self.cap.isHidden() and not self.cap.value() else ""

    def see_ledger(self, epsilon):
        """Show the balance under the name, as the ledger has it now."""
        found = balance_of(self.name.currentText(), epsilon)
        asks_cap = bool(self.name.currentText().strip()) and not found.known
        self.cap.setVisible(asks_cap)
        self._cap_label.setVisible(asks_cap)
        self.left.setVisible(found.cap > 0)
        if found.cap > 0:
            self.left.setRange(0, 1000)
            self.left.setValue(round(1000 * found.left / found.cap))
            self.left.setFormat(tr("{:g} of {:g} left").format(found.left, found.cap))
        self.balance.setText(found.text)

    def offer_names(self):
        """Put the names of the ledger into the list, and leave what was typed."""
        text, known = self.name.currentText(), names()
        if known == [self.name.itemText(place) for place in range(self.name.count())]:
            return
        self.name.blockSignals(True)
        self.name.clear()
        self.name.addItems(known)
        self.name.setEditText(text)
        self.name.blockSignals(False)

    def remember(self):
        """Keep the name with the layer, for the next time and in the project."""
        self.points.currentLayer().setCustomProperty(PROPERTY, self.name.currentText().strip())

    def answers(self):
        named = bool(self.name.currentText().strip())
        return {
            "points": _id(self.points),
            "person": self.person.currentField(),
            "most": (self.most.value() or None) if self._counts_several() else None,
            "dataset": self.name.currentText(),
            "cap": (self.cap.value() or None) if named and not self.cap.isHidden() else None,
        }


class Public(Question):
    """Where is public: the rectangle, its CRS, and where records can be."""

    def __init__(self, canvas):
        super().__init__(tr("&2  Where is public?"))
        self.extent = ExtentBox(canvas)
        self.crs = QgsProjectionSelectionWidget()
        self.within = _layers(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.known = QCheckBox(tr("This extent is public anyway"))
        self.ask(
            tr("E&xtent"),
            self.extent,
            tr(
                "The rectangle that is counted, known to everybody: a city, a country, a round "
                "box. Never from the points."
            ),
        )
        self.ask(
            tr("&Grid CRS"),
            self.crs,
            tr(
                "A projected coordinate system, so that cells have equal areas; degrees are "
                "refused."
            ),
        )
        self.ask(
            tr("Within"),
            self.within,
            tr(
                "Where records can be: polygons such as land or a jurisdiction, known to "
                "everybody. May be left empty."
            ),
        )
        self.known.setToolTip(
            tr(
                "Needed only when the extent equals that of the points. Tick it if the rectangle "
                "was known before the points were, for example the frame of a survey."
            )
        )
        self.rows.addRow(self.known)
        for box in self.crs.findChildren(QComboBox):
            _narrow(box)
        self.extent.changed.connect(self.changed)
        self.crs.crsChanged.connect(self.changed)
        self.within.layerChanged.connect(self.changed)
        self.known.toggled.connect(self.changed)

    def stops(self):
        return self.extent.line, self.extent.button, self.crs, self.within, self.known

    def preselect(self):
        """The project's CRS, if none is chosen and it is projected."""
        crs = QgsProject.instance().crs()
        if not self.crs.crs().isValid() and crs.isValid() and not crs.isGeographic():
            self.crs.setCrs(crs)

    def answers(self):
        return {
            "extent": self.extent.text(),
            "crs": self.crs.crs(),
            "within": _id(self.within),
            "extent_is_public": self.known.isChecked(),
        }


class Answer(Question):
    """What to answer: which cells, for which regions, among which sizes."""

    def __init__(self):
        super().__init__(tr("&3  What do you want to answer?"))
        self.cells = QComboBox()
        self.cells.addItems(
            [tr("One regular grid, its size chosen privately"), tr("Fine where records crowd")]
        )
        _narrow(self.cells)
        self.regions = _layers(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.sizes, self.expected = QLineEdit(), QSpinBox()
        self.sizes.setPlaceholderText(tr("such as 5km, 10km or 30, 40"))
        self.expected.setRange(0, 2_000_000_000)
        self.expected.setGroupSeparatorShown(True)
        self.expected.setSuffix(tr(" records"))
        self.expected.setSpecialValueText(tr("no guess"))
        self.target = QgsFileWidget()
        self.target.setStorageMode(QgsFileWidget.StorageMode.SaveFile)
        self.target.setFilter(tr("GeoTIFF (*.tif)"))
        self.target.lineEdit().setPlaceholderText(tr("a temporary file"))
        self._build()
        self.cells.currentIndexChanged.connect(self._see_kind)
        self.regions.layerChanged.connect(self.changed)
        self.sizes.textChanged.connect(self.changed)
        self.expected.valueChanged.connect(self.changed)
        self.target.fileChanged.connect(self.changed)

    def _build(self):
        self.ask(
            tr("Cells"),
            self.cells,
            tr(
                "One grid is easy to read and can be chosen for your regions. Cells that are fine "
                "where records crowd and coarse where there are few are several times as accurate "
                "where records are uneven, as people are."
            ),
        )
        self.ask(
            tr("Regions"),
            self.regions,
            tr(
                "Polygons whose counts matter, such as districts: the cell size is chosen for "
                "them. Without it: 600 boxes from 1 % to 64 % of the area."
            ),
        )
        self.ask(
            tr("Si&zes"),
            self.sizes,
            tr(
                "Lengths of cells with a unit, such as 5km, 10km, or numbers of cells per side, "
                "such as 30, 40 or 20x30. Empty: a ladder from coarse to fine."
            ),
        )
        self.ask(
            tr("G&uess"),
            self.expected,
            tr(
                "A public guess of how many there will be, never a figure from the points. With it "
                "the whole error is foreseen, and which size would suit."
            ),
        )
        self.ask(
            tr("Save as"),
            self.target,
            tr("A GeoTIFF of signed counts that carries its own promise: see 'About …'."),
        )

    def stops(self):
        return self.cells, self.regions, self.sizes, self.expected, self.target.lineEdit()

    def _see_kind(self, kind):
        for widget in (self.regions, self.sizes):
            widget.setEnabled(kind == 0)
        self.changed.emit()

    def answers(self):
        return {
            "adaptive": self.cells.currentIndex() == 1,
            "regions": _id(self.regions),
            "sizes": self.sizes.text(),
            "expected": self.expected.value() or None,
            "target": self.target.filePath(),
        }


def _layers(kind):
    """A list of the project's layers of a kind, none of them chosen at first."""
    box = QgsMapLayerComboBox()
    box.setFilters(kind)
    box.setAllowEmptyLayer(True)
    box.setCurrentIndex(0)
    _narrow(box)
    return box


def _narrow(box):
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(NARROW)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def _words():
    label = QLabel()
    label.setWordWrap(True)
    return label


def _id(box):
    layer = box.currentLayer()
    return "" if layer is None else layer.id()
