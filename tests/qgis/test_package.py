"""The zip: what the plugin repository asks for, and a core that needs NumPy alone."""

import ast
import configparser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT

HEAVY = ("geopandas", "shapely", "pyproj", "rasterio", "pyarrow", "pandas", "matplotlib")


def names(plugin_zip):
    with zipfile.ZipFile(plugin_zip) as archive:
        return archive.namelist()


def test_one_folder_with_an_identifiers_name(plugin_zip):
    tops = {name.split("/")[0] for name in names(plugin_zip)}
    assert tops == {"geodp_qgis"}
    assert plugin_zip.stat().st_size < 3_000_000


def test_the_sample_data_are_two_small_files(plugin_zip):
    with zipfile.ZipFile(plugin_zip) as archive:
        sample = [each for each in archive.infolist() if "/sample_data/" in each.filename]
    assert [Path(each.filename).name for each in sample] == ["us_districts.gpkg", "us_places.gpkg"]
    assert sum(each.file_size for each in sample) < 1_000_000


def test_the_tutorial_has_its_pictures(unpacked):
    help_folder = unpacked / "geodp_qgis" / "help"
    for page in help_folder.rglob("tutorial.html"):
        pictures = re.findall(r'src="(.*?)"', page.read_text(encoding="utf-8"))
        assert len(pictures) == 3
        for name in pictures:
            assert (page.parent / name).resolve().is_file(), (page, name)


def test_nothing_but_text_is_shipped_beside_sample_data_and_pictures(plugin_zip):
    with zipfile.ZipFile(plugin_zip) as archive:
        for name in archive.namelist():
            if "/sample_data/" in name or "/help/images/" in name:
                assert name.endswith((".gpkg", ".png")), name
                continue
            kinds = (".py", ".txt", ".html", ".svg", ".qm", ".json", ".css", ".js", "LICENSE")
            assert name.endswith(kinds), name
            assert "__pycache__" not in name
            if not name.endswith(".qm"):
                archive.read(name).decode("utf-8")


def test_the_plugin_repository_would_take_it(plugin_zip, unpacked):
    """Its rules, as far as they can be checked without its server."""
    with zipfile.ZipFile(plugin_zip) as archive:
        assert archive.testzip() is None
        entries = archive.infolist()
    assert sum(entry.file_size for entry in entries) < 25_000_000
    for entry in entries:
        assert not entry.filename.startswith(("/", ".")), entry.filename
        parts = entry.filename.split("/")
        assert ".." not in parts
        assert not {"__MACOSX", ".git", "__pycache__", ".DS_Store"} & set(parts)
        assert not entry.filename.endswith((".pyc", ".so", ".dll", ".exe"))
    folder = unpacked / "geodp_qgis"
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9-_]+", folder.name)
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    assert "classFactory" in {getattr(node, "name", "") for node in tree.body}
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(folder / "metadata.txt", encoding="utf-8")
    general = parser["general"]
    assert (folder / general["icon"]).is_file()
    assert re.fullmatch(r"[\w.-]+", general["version"])
    assert "plugin" not in general["name"].lower()
    assert (folder / "LICENSE").is_file()


def test_what_the_plugin_needs_is_there(plugin_zip):
    files = set(names(plugin_zip))
    for name in ("__init__.py", "metadata.txt", "LICENSE", "icons/geodp.svg", "help/about.html"):
        assert f"geodp_qgis/{name}" in files


def test_every_module_of_the_plugin_names_its_licence(unpacked):
    folder = unpacked / "geodp_qgis"
    for path in folder.rglob("*.py"):
        if "vendor" not in path.relative_to(folder).parts:
            first, *_ = path.read_text(encoding="utf-8").splitlines()
            assert first == "# SPDX-License-Identifier: GPL-2.0-or-later", path


def test_metadata_has_the_required_fields_and_the_one_version(unpacked):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(unpacked / "geodp_qgis" / "metadata.txt", encoding="utf-8")
    general = parser["general"]
    required = [
        "name",
        "description",
        "version",
        "qgisMinimumVersion",
        "author",
        "email",
        "about",
        "tracker",
        "repository",
    ]
    for field in required:
        assert general[field].strip(), field
    text = (ROOT / "geodp" / "core" / "common" / "version.py").read_text(encoding="utf-8")
    assert general["version"] == re.search(r'"(.+)"\n', text[text.index("=") :])[1]
    assert general["qgisMinimumVersion"] == "3.22"
    assert general["hasProcessingProvider"] == "yes"
    assert general["qgisMaximumVersion"] == "4.99"
    assert "supportsQt6" not in general
    lines = general["changelog"].strip().splitlines()
    assert len(lines) == 5
    assert all(re.fullmatch(r"- [A-Z].{15,300}\.", line) for line in lines)
    assert "QGIS" in lines[0]
    assert "@" not in "".join(general.values())
    assert "GNU GENERAL PUBLIC LICENSE" in (unpacked / "geodp_qgis" / "LICENSE").read_text()


PROJECT = """
authors = [{ name = "someone", email = "someone@example.org" }]
[project.urls]
# one place
Homepage = "https://example.org"
Repository = "https://example.org/code"
Issues = "https://example.org/issues"

[project.scripts]
"""


def test_a_zip_for_publishing_needs_its_addresses(builder, tmp_path, monkeypatch):
    addresses = builder.addresses(PROJECT)
    monkeypatch.setattr(builder, "addresses", lambda: {**addresses, "TRACKER": ""})
    with pytest.raises(SystemExit, match=r"needs tracker: write them into \[project.urls\]"):
        builder.build(tmp_path, release=True)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(builder, "addresses", lambda: addresses)
    path = builder.build(tmp_path, release=True)
    with zipfile.ZipFile(path) as archive:
        text = archive.read("geodp_qgis/metadata.txt").decode()
    assert "experimental=True" in text  # until a first version has been used
    assert "development" not in path.name
    assert "email=someone@example.org\n" in text
    assert "homepage=https://example.org\n" in text
    assert "repository=https://example.org/code\n" in text
    assert "tracker=https://example.org/issues\n" in text


def test_a_zip_for_trying_says_so(unpacked, plugin_zip):
    text = (unpacked / "geodp_qgis" / "metadata.txt").read_text(encoding="utf-8")
    assert plugin_zip.name.endswith("-development.zip")
    assert "tracker=none: a development build\n" in text
    assert "experimental=True" in text


def test_the_same_sources_give_the_same_bytes(builder, plugin_zip, tmp_path):
    built, before = (
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (builder.build(tmp_path), plugin_zip)
    )
    assert built == before


def test_the_core_is_the_packages_own(unpacked):
    vendor = unpacked / "geodp_qgis" / "vendor" / "geodp"
    ours, carried = (
        {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }
        for folder in (ROOT / "geodp" / "core", vendor / "core")
    )
    assert carried == ours
    names = {path.name for path in vendor.iterdir()} - {"__pycache__"}
    assert names == {"__init__.py", "LICENSE", "core"}


def test_the_core_imports_itself_relatively(unpacked):
    """An absolute ``import geodp`` would reach for another copy, or for none."""
    for path in (unpacked / "geodp_qgis").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert all(alias.name.split(".")[0] != "geodp" for alias in node.names), path
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert node.module.split(".")[0] != "geodp", path


def test_the_core_loads_and_runs_with_numpy_alone(unpacked):
    """Every vendored module is imported where the heavy libraries cannot be."""
    script = f"""
import importlib, pkgutil, sys
for name in {HEAVY!r}:
    sys.modules[name] = None  # importing it now fails
sys.path.insert(0, {str(unpacked / "geodp_qgis" / "vendor")!r})
from geodp import core
from geodp.core import host as geodp
for module in pkgutil.walk_packages(core.__path__, "geodp.core."):
    importlib.import_module(module.name)
domain = geodp.Domain((0, 0, 400, 300), geodp.Crs("EPSG:5070"))
from geodp.core.records.arrays import StreamSource
points = StreamSource(iter([([1.0, 2.0], [3.0, 4.0])]))
release = geodp.release(points, domain, epsilon=1)
assert release.epsilon == 1
print("ran")
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "ran\n", done.stderr


@pytest.mark.parametrize("pattern", [r"PyQt[56]", r"\bQgis\.WkbType\b", r"\bQVariant\b", "QAction"])
def test_what_differs_between_versions_is_in_one_place(unpacked, pattern):
    for path in (unpacked / "geodp_qgis").rglob("*.py"):
        with_actions = "QAction" in pattern and path.name in ("plugin.py", "layer_menu.py")
        if path.name == "compatibility.py" or with_actions:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(pattern, line.replace("qgis.PyQt", "")), (path.name, line)


QT6 = """
import importlib, pkgutil, sys, types

sys.path[:0] = [sys.argv[1], sys.argv[2]]
import PyQt6.QtCore, PyQt6.QtGui, PyQt6.QtWidgets, PyQt6.QtXml


class Anything(type):
    \"\"\"Classes of QGIS, as far as they matter here: any attribute, any call.\"\"\"

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = 34400 if name == "QGIS_VERSION_INT" else Anything(name, (Base,), {})
        setattr(cls, name, value)
        return value

    def __or__(cls, other):
        return cls

    def __getitem__(cls, key):
        return cls


class Base(metaclass=Anything):
    def __init__(self, *given, **named):
        pass

    def __getattr__(self, name):
        return Base

    def __iter__(self):
        return iter(())

    def __getitem__(self, key):
        return ""

    def __or__(self, other):
        return self


class Core(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = Anything(name, (Base,), {})
        setattr(self, name, value)
        return value


qgis = types.ModuleType("qgis")
qgis.__path__ = []
qgis.core = Core("qgis.core")
qgis.gui = Core("qgis.gui")
qgis.PyQt = PyQt6
sys.modules |= {"qgis": qgis, "qgis.core": qgis.core, "qgis.gui": qgis.gui, "qgis.PyQt": PyQt6}
for name in ("QtCore", "QtGui", "QtWidgets", "QtXml"):
    sys.modules[f"qgis.PyQt.{name}"] = getattr(PyQt6, name)
for name in ("gui.AlgorithmDialog", "gui.AlgorithmDialogBase", "gui.BatchAlgorithmDialog"):
    sys.modules[f"processing.{name}"] = Core(name)  # that plugin of QGIS is not there
for name in ("", ".gui", ".tools", ".tools.dataobjects"):
    sys.modules[f"processing{name}"] = Core(f"processing{name}")
application = PyQt6.QtWidgets.QApplication([])


# Widgets of QGIS's own that the dock is made of, as far as it uses them.
class Layers(PyQt6.QtWidgets.QComboBox):
    layerChanged = PyQt6.QtCore.pyqtSignal(object)
    fieldChanged = PyQt6.QtCore.pyqtSignal(str)
    setFilters = setAllowEmptyLayer = setAllowEmptyFieldName = setLayer = setField = (
        lambda self, value: None
    )
    setExcludedProviders = setFilters
    currentLayer = lambda self: None
    currentField = lambda self: ""


class Reference(PyQt6.QtWidgets.QWidget):
    crsChanged = PyQt6.QtCore.pyqtSignal(object)
    setCrs = lambda self, value: None
    crs = lambda self: types.SimpleNamespace(isValid=lambda: True)


class File(PyQt6.QtWidgets.QWidget):
    StorageMode = types.SimpleNamespace(SaveFile=0)
    fileChanged = PyQt6.QtCore.pyqtSignal(str)
    setStorageMode = setFilter = lambda self, value: None
    filePath = lambda self: ""

    def __init__(self):
        super().__init__()
        self._line = PyQt6.QtWidgets.QLineEdit(self)

    def lineEdit(self):
        return self._line


class Folding(PyQt6.QtWidgets.QGroupBox):
    setCollapsed = lambda self, value: None


qgis.gui.QgsMapLayerComboBox = qgis.gui.QgsFieldComboBox = Layers
qgis.gui.QgsProjectionSelectionWidget, qgis.gui.QgsFileWidget = Reference, File
qgis.gui.QgsCollapsibleGroupBoxBasic = Folding
qgis.core.QgsApplication.locale = staticmethod(lambda: "en_US")
qgis.core.QgsApplication.qgisSettingsDirPath = staticmethod(lambda: "nowhere")
qgis.core.QgsSettings.value = lambda self, name, usual=None: usual

import geodp_qgis

for module in pkgutil.walk_packages(geodp_qgis.__path__, "geodp_qgis."):
    if ".vendor" not in module.name:
        importlib.import_module(module.name)
from geodp_qgis import compatibility, library

assert library.MISSING == "", library.MISSING
assert compatibility.QAction is PyQt6.QtGui.QAction
assert compatibility.TEXT is PyQt6.QtCore.QMetaType.Type.QString


class Interface:
    def __init__(self):
        self.entries, self.buttons = [], []
        self.help = PyQt6.QtWidgets.QMenu()

    def mainWindow(self):
        return None

    def addVectorToolBarIcon(self, action):
        self.buttons.append(action)

    def addPluginToVectorMenu(self, menu, action):
        self.entries.append(action.text())

    def removeVectorToolBarIcon(self, action):
        pass

    def removePluginVectorMenu(self, menu, action):
        self.entries.remove(action.text())

    def addCustomActionForLayerType(self, action, menu, kind, every):
        pass

    def removeCustomActionForLayerType(self, action):
        pass

    def pluginHelpMenu(self):
        return self.help

    def mapCanvas(self):
        return Base()

    def addDockWidget(self, area, dock):
        dock.show()

    def removeDockWidget(self, dock):
        dock.hide()


interface = Interface()
plugin = geodp_qgis.classFactory(interface)
plugin.initGui()
print(*(button.text() for button in interface.buttons), sep=", ")
for kind in geodp_qgis.provider.ALGORITHMS:
    algorithm = kind()
    algorithm.initAlgorithm()
    assert algorithm.shortHelpString()
    assert not algorithm.icon().isNull()
from geodp_qgis.points import _plain
from PyQt6.QtCore import QDate, QDateTime, QTime, QUuid

assert _plain(QDate(2026, 1, 2)).isoformat() == "2026-01-02"
assert _plain(QDateTime(QDate(2026, 1, 2), QTime(3, 4))).isoformat() == "2026-01-02T03:04:00"
assert _plain(QTime(3, 4)).isoformat() == "03:04:00"
assert _plain(None) is None

# What a report page is made of.
from geodp_qgis.library import geodp

domain = geodp.Domain((0, 0, 4000, 3000), geodp.Crs("EPSG:5070"))
geodp.measure_with(lambda *_: None)  # what stands in for QGIS has no projections
release = geodp.release(([], []), domain, epsilon=1, cells="regular")
assert '<svg viewBox="0 0 6480' in geodp.report_page(release)

# The dock, shown by its button, with a forecast that the library makes.
interface.buttons[0].setChecked(True)
dock = plugin.dock
assert dock.isVisible()
assert dock.grab().toImage().width() > 100
from geodp_qgis.dock.foresight import forecast_curves
from geodp_qgis.dock.state import EPSILONS
from geodp_qgis.library import geodp

curves = forecast_curves(geodp.forecast(domain, cells="regular", epsilons=EPSILONS, expected=1000))
dock.forecast.wait_for(curves.grids, False)
dock.forecast.show_curves(curves, "")
dock.forecast.slider.setValue(10)
assert dock.forecast.reading.text().startswith("At ε = 0.025")
dock.resize(900, 700)
assert dock.grab().toImage().width() == 900
from PyQt6.QtTest import QTest

QTest.mouseClick(dock.forecast.chart, PyQt6.QtCore.Qt.MouseButton.LeftButton)
dock.foot.make.click()
assert dock.foot.message.text() == "Choose the points that shall be protected."
interface.buttons[0].setChecked(False)
assert dock.isHidden()
plugin.unload()
assert interface.entries == []
"""


def test_the_plugin_runs_with_the_names_of_qt_6(unpacked):
    """Every module, with PyQt6 in the place of PyQt5; QGIS itself is stood in for."""
    folder = os.environ.get("GEODP_QT6", "")
    if not Path(folder, "PyQt6").is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail("PyQt6 is missing: make test-qgis installs it beside the tests")
        pytest.skip("PyQt6 could not be installed: nothing is said about Qt 6")
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", QT6, folder, str(unpacked)],
        capture_output=True,
        text=True,
        env={**kept, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Private map, Private histogram…"


def test_a_checkout_without_the_core_loads_and_says_so(qgis, tmp_path):
    """In a Python of its own: this one has the whole plugin."""
    shutil.copytree(ROOT / "qgis_plugin" / "geodp_qgis", tmp_path / "geodp_qgis")
    script = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from qgis.core import QgsApplication
application = QgsApplication([], False)
application.initQgis()
import geodp_qgis
plugin = geodp_qgis.classFactory(None)
plugin.initProcessing()
print(*(algorithm.canExecute() for algorithm in plugin.provider.algorithms()), sep="\\n")
plugin.unload()
application.exitQgis()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 12, done.stderr
    for line in lines:
        assert line.startswith("(False, ")
        assert "geodp_qgis.vendor" in line
