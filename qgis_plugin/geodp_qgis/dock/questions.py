# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions as boxes of widgets; each gives its part of the wish. The first is in ``protected``."""

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsMapLayerProxyModel,
    QgsProject,
    QgsRasterLayer,
)
from qgis.gui import (
    QgsFieldComboBox,
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
    QVBoxLayout,
)

from ..compatibility import layer_filters
from ..translation import tr
from .extent_box import ExtentBox
from .state import box_in
from .suited import suited_crs

KEYED = (QLineEdit, QComboBox, QAbstractButton)
"""Parts of a widget that take keys, and that must have a name for those who hear the screen."""

GAP = 4
"""Pixels between two rows."""

NARROW = 8
"""Letters that a list shows at least; longer names must not widen the dock."""


class Question(QGroupBox):
    """A numbered question with a row for each part of the answer."""

    changed = pyqtSignal()

    def __init__(self, title):
        super().__init__(title)
        self.rows = form()
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addLayout(self.rows)

    def ask(self, text, widget, help_text):
        """Add a row to the question."""
        return add_row(self.rows, text, widget, help_text)

    def below(self, widget):
        """Add a widget below all rows; in a form, sentences of several lines would be cut."""
        self.layout().addWidget(widget)

    def stops(self):
        """List where the Tab key stops, in order."""
        raise NotImplementedError


def form(parent=None):
    """Return an empty form, for :func:`add_row`."""
    rows = QFormLayout(parent)
    rows.setVerticalSpacing(0)  # a gap is part of its row, and hidden with it
    rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return rows


def add_row(rows, text, widget, help_text):
    """Add a row to a form; its label is the widget's name for those who hear the screen."""
    label = QLabel(text)
    label.setBuddy(widget)
    name = text.replace("&", "")
    for part in (widget, *(child for kind in KEYED for child in widget.findChildren(kind))):
        part.setAccessibleName(part.accessibleName() or name)
        part.setAccessibleDescription(help_text)
    widget.setToolTip(help_text)
    label.setToolTip(help_text)
    if isinstance(widget, QAbstractSpinBox):
        widget.setMinimumWidth(80)  # not the width of the largest number
    label.setMinimumHeight(widget.sizeHint().height() + GAP)
    rows.addRow(label, widget)
    return label


class Public(Question):
    """Ask where is public: the rectangle, its CRS, and where records can be."""

    def __init__(self, canvas):
        super().__init__(tr("&2  Which area is public?"))
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
            self._offered = suited_crs(box[0], self._extent_crs(box))
        self.offer.setVisible(self._offered is not None)
        if self._offered is not None:
            crs = QgsCoordinateReferenceSystem(self._offered)
            self.offer.setText(tr("Use {}").format(self._offered))
            self.offer.setToolTip(crs.userFriendlyIdentifier())

    def _extent_crs(self, box):
        """Return the CRS of the extent: its own, or the project's, where numbers were read off."""
        return QgsCoordinateReferenceSystem(box[1]) if box[1] else QgsProject.instance().crs()

    def _take_offer(self):
        box, code = box_in(self.extent.text()), self._offered
        if not box[1]:  # it would be read in the new one
            crs = self._extent_crs(box)
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
        """Choose the project's CRS, if none is chosen and it is projected."""
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


class WithinList(QgsMapLayerComboBox):
    """List the layers that can say where records can be: polygons, and rasters of weights."""

    def __init__(self):
        super().__init__()
        kinds = QgsMapLayerProxyModel.Filter
        offer_layers(self, kinds.PolygonLayer, kinds.RasterLayer)
        self.setExcludedProviders(["wms"])  # pictures of maps

    def answers(self):
        """Return the chosen layer under both names, of which one is empty."""
        chosen = chosen_layer_id(self)
        raster = isinstance(self.currentLayer(), QgsRasterLayer)
        return {"within": "" if raster else chosen, "within_raster": chosen if raster else ""}


def within_help():
    return tr(
        "Where records can be: polygons such as land or a jurisdiction, or a raster of "
        "weights such as population, known to everybody. May be left empty."
    )


def layer_list(*kinds):
    """Make a list of the project's layers of some kinds, none of them chosen at first."""
    box = QgsMapLayerComboBox()
    offer_layers(box, *kinds)
    return box


def field_list(kinds=None):
    """Make a list of fields of one layer, of some kinds, none of them chosen at first."""
    box = QgsFieldComboBox()
    box.setAllowEmptyFieldName(True)
    if kinds is not None:
        box.setFilters(kinds)
    narrow(box)
    return box


def offer_layers(box, *kinds):
    """Fill a list with the project's layers of some kinds, none of them chosen."""
    box.setFilters(layer_filters(*kinds))
    box.setAllowEmptyLayer(True)
    box.setCurrentIndex(0)
    narrow(box)


def show_rows(rows, shown):
    """Show rows of a form, or hide them; each is a label with its widget."""
    for row in rows:
        for part in row:
            part.setVisible(shown)


def narrow(box):
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(NARROW)
    box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)


def chosen_layer_id(box):
    layer = box.currentLayer()
    return "" if layer is None else layer.id()
