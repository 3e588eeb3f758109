"""The zip: what the plugin repository asks for, and a core that needs NumPy alone."""

import ast
import configparser
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

HEAVY = ("geopandas", "shapely", "pyproj", "rasterio", "pyarrow", "pandas", "matplotlib")


def names(plugin_zip):
    with zipfile.ZipFile(plugin_zip) as archive:
        return archive.namelist()


def test_one_folder_with_an_identifiers_name(plugin_zip):
    tops = {name.split("/")[0] for name in names(plugin_zip)}
    assert tops == {"geodp_qgis"}
    assert plugin_zip.stat().st_size < 1_000_000


def test_nothing_but_text_is_shipped(plugin_zip):
    with zipfile.ZipFile(plugin_zip) as archive:
        for name in archive.namelist():
            assert name.endswith((".py", ".txt", ".html", ".svg", "LICENSE")), name
            assert "__pycache__" not in name
            archive.read(name).decode("utf-8")


def test_what_the_plugin_needs_is_there(plugin_zip):
    found = set(names(plugin_zip))
    for name in ("__init__.py", "metadata.txt", "LICENSE", "icons/geodp.svg", "help/about.html"):
        assert f"geodp_qgis/{name}" in found


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
    text = (ROOT / "geodp" / "core" / "version.py").read_text(encoding="utf-8")
    assert general["version"] == re.search(r'"(.+)"\n', text[text.index("=") :])[1]
    assert general["qgisMinimumVersion"] == "3.22"
    assert general["hasProcessingProvider"] == "yes"
    assert "GNU GENERAL PUBLIC LICENSE" in (unpacked / "geodp_qgis" / "LICENSE").read_text()


def test_the_same_sources_give_the_same_bytes(builder, plugin_zip, tmp_path):
    assert builder.build(tmp_path).read_bytes() == plugin_zip.read_bytes()


def test_the_core_is_the_packages_own(unpacked):
    vendor = unpacked / "geodp_qgis" / "vendor" / "geodp"
    own = {path.name: path.read_bytes() for path in (ROOT / "geodp" / "core").glob("*.py")}
    assert {path.name: path.read_bytes() for path in (vendor / "core").iterdir()} == own
    assert {path.name for path in vendor.iterdir()} == {"__init__.py", "LICENSE", "core"}


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
from geodp import core as geodp
for module in pkgutil.iter_modules(geodp.__path__):
    importlib.import_module("geodp.core." + module.name)
domain = geodp.Domain((0, 0, 40, 30), geodp.Crs("EPSG:5070"))
from geodp.core.arrays import StreamSource
points = StreamSource(iter([([1.0, 2.0], [3.0, 4.0])]))
made = geodp.release(points, domain, epsilon=1)
assert made.epsilon == 1
print("ran")
"""
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout == "ran\n", done.stderr


@pytest.mark.parametrize("pattern", [r"PyQt[56]", r"\bQgis\.WkbType\b", r"QtGui import.*QAction"])
def test_the_plugin_keeps_to_what_old_and_new_qgis_share(unpacked, pattern):
    for path in (unpacked / "geodp_qgis").rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(pattern, line.replace("qgis.PyQt", "")), (path.name, line)


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
    assert len(lines) == 6, done.stderr
    for line in lines:
        assert line.startswith("(False, ")
        assert "geodp_qgis.vendor" in line
