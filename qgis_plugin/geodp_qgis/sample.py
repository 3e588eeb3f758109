# SPDX-License-Identifier: GPL-2.0-or-later
"""Sample data to try the plugin with: towns, which stand for people, and states."""

import shutil
from pathlib import Path

from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QUrl
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import QPushButton

from .translation import help_page, tr

SHIPPED = Path(__file__).parent / "sample_data"
STATES, TOWNS = "us_districts", "us_places"
CRS = "EPSG:5070"


def load(project):
    """Add both layers to a project, towns above states, unless they are there; return them."""
    if not project.mapLayers():
        project.setCrs(QgsCoordinateReferenceSystem(CRS))
    return [_layer(name, project) for name in (STATES, TOWNS)]


def _layer(name, project):
    path = _copy(f"{name}.gpkg")
    layers = (layer for layer in project.mapLayers().values() if Path(_file(layer)) == path)
    layer = next(layers, None)
    if layer is not None:
        return layer
    layer = QgsVectorLayer(f"{path}|layername={name}", name, "ogr")
    if name == STATES:
        layer.renderer().symbol().symbolLayer(0).setBrushStyle(0)  # outlines alone
    else:
        layer.renderer().symbol().setSize(1)
    project.addMapLayer(layer, False)
    project.layerTreeRoot().insertLayer(0, layer)
    return layer


def _file(layer):
    return layer.source().partition("|")[0]


def _copy(name):
    """Make a copy in the profile: QGIS writes into a GeoPackage by merely opening it."""
    target = Path(QgsApplication.qgisSettingsDirPath()).resolve() / "geodp-sample" / name
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SHIPPED / name, target)
    return target


def show(iface):
    """Add the sample data to the project, go there, and say how to go on."""
    states, towns = load(QgsProject.instance())
    iface.setActiveLayer(states)
    iface.zoomToActiveLayer()
    iface.setActiveLayer(towns)
    bar = iface.messageBar()
    words = tr("Towns, which stand for people, and states. The tutorial makes a map of them.")
    message = bar.createMessage("geodp", words)
    button = QPushButton(tr("Open the tutorial"))
    button.clicked.connect(open_tutorial)
    message.layout().addWidget(button)
    bar.pushWidget(message)


def open_tutorial(_checked=False):
    """Show the tutorial in the browser; it is a file of the plugin."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(help_page("tutorial.html"))))
