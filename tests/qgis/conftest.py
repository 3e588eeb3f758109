"""QGIS, started once, with the plugin as it ships: built, unpacked and imported from the zip."""

import contextlib
import gc
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# QGIS changes a GeoPackage by merely opening it (its journal): the tests look at a copy.
_copy = tempfile.TemporaryDirectory(prefix="geodp-sample-")
SAMPLE = Path(_copy.name)
for _name in ("us_places.gpkg", "us_districts.gpkg"):
    shutil.copy(ROOT / "sample_data" / _name, SAMPLE)

QGIS_PLUGINS = "/usr/share/qgis/python/plugins"

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PLACES = f"{SAMPLE / 'us_places.gpkg'}|layername=us_places"
DISTRICTS = f"{SAMPLE / 'us_districts.gpkg'}|layername=us_districts"
EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"
BOUNDS = (-2400000.0, 200000.0, 2300000.0, 3200000.0)
CRS = "EPSG:5070"
TOWN = "490000,510000,5390000,5410000 [EPSG:32633]"
TOWN_CRS = "EPSG:32633"


def _builder():
    spec = importlib.util.spec_from_file_location("build", ROOT / "qgis_plugin" / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def builder():
    return _builder()


@pytest.fixture(scope="session")
def plugin_zip(builder, tmp_path_factory):
    return builder.build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def unpacked(plugin_zip, tmp_path_factory):
    """The folder that holds ``geodp_qgis``, as QGIS's plugin manager would make it."""
    folder = tmp_path_factory.mktemp("plugins")
    with zipfile.ZipFile(plugin_zip) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def qgis(unpacked, tmp_path_factory):
    """A QGIS without windows, with the provider in its registry."""
    os.environ["QGIS_CUSTOM_CONFIG_PATH"] = str(tmp_path_factory.mktemp("profile"))
    sys.path[:0] = [QGIS_PLUGINS, str(unpacked)]
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    from processing.core.Processing import Processing

    Processing.initialize()
    import geodp_qgis
    from qgis.core import QgsSettings

    # Tests spend on the same few files without end; what the usual cap does has tests of its own.
    QgsSettings().setValue("Processing/Configuration/GEODP_CAP", 1_000_000)
    plugin = geodp_qgis.classFactory(None)
    plugin.initProcessing()
    yield application
    plugin.unload()
    gc.collect()  # layers in cycles with a caught exception crash if they outlive QGIS
    application.exitQgis()


@pytest.fixture
def project(qgis):
    """An empty project, emptied again."""
    from qgis.core import QgsProject

    QgsProject.instance().clear()
    yield QgsProject.instance()
    QgsProject.instance().clear()


@pytest.fixture
def add_to(project):
    """``add_to(group)``: QGIS adds layers there, as it does where the current layer is inside."""
    from qgis.core import QgsLayerTreeRegistryBridge

    def go(group):
        point = QgsLayerTreeRegistryBridge.InsertionPoint(group, 0)
        project.layerTreeRegistryBridge().setLayerInsertionPoint(point)

    yield go
    go(project.layerTreeRoot())  # QGIS would go on to add to a group that is gone


def same_columns(release, expected):
    """Hold the fields of a release to the library's, to the last bit; some are NaN.

    What is drawn for the eye comes of powers and logarithms, whose last bit differs between two
    versions of NumPy on some processors.
    """
    columns = {name: values.tolist() for name, values in release.columns().items()}
    assert list(columns) == list(expected)
    for name, values in columns.items():
        if name.startswith("drawn"):
            least = 1e-12 * max(expected[name])
            assert values == pytest.approx(expected[name], rel=1e-9, abs=least)
        else:
            assert repr(values) == repr(expected[name]), name


class Run:
    """Outcome of a run: results, everything that was logged, and the progress bar's steps."""

    def __init__(self):
        self.results, self.log, self.progress = {}, [], []

    @property
    def text(self):
        return "\n".join(self.log)


@pytest.fixture
def run(project):
    """``run(name, **parameters)`` as ``processing.run`` does it, with the log kept."""
    import processing
    from qgis.core import QgsProcessingContext, QgsProcessingFeedback

    def go(algorithm, cancel_at=None, context=None, **parameters):
        outcome = Run()

        class Feedback(QgsProcessingFeedback):
            def pushInfo(self, info):
                outcome.log.append(info)

            def pushWarning(self, warning):
                outcome.log.append(warning)

            def reportError(self, error, fatalError=False):
                outcome.log.append(error)

            def setProgressText(self, text):
                outcome.log.append(text)
                if text == cancel_at:
                    self.cancel()

        feedback = Feedback()
        feedback.progressChanged.connect(outcome.progress.append)
        if cancel_at == "start":
            feedback.cancel()
        if context is None:
            context = QgsProcessingContext()
            context.setProject(project)
        go.last = outcome
        outcome.results = processing.run(
            f"geodp:{algorithm}", parameters, feedback=feedback, context=context
        )
        return outcome

    return go


@pytest.fixture
def histogram(run):
    """*Private histogram* on the sample data; parameters may be replaced."""

    def go(cancel_at=None, context=None, **changes):
        parameters = {
            "INPUT": PLACES,
            "EXTENT": EXTENT,
            "CRS": CRS,
            "EPSILON": 1.0,
            "OUTPUT_RASTER": "TEMPORARY_OUTPUT",
            "GO_ON": changes.get("EPSILON", 1) > 10,  # where tests want no noise
            **changes,
        }
        return run("privatehistogram", cancel_at=cancel_at, context=context, **parameters)

    go.run = run
    return go


@pytest.fixture
def settings(qgis):
    """``settings(NAME=value)``: settings of the provider, given back afterwards."""
    from qgis.core import QgsSettings

    kept, place = {}, "Processing/Configuration/GEODP_"

    def go(**values):
        for name, value in values.items():
            kept.setdefault(name, QgsSettings().value(place + name))
            QgsSettings().setValue(place + name, value)

    yield go
    for name, value in kept.items():
        QgsSettings().setValue(place + name, value)


@contextlib.contextmanager
def _speaking(locale):
    """QGIS in another language, as far as the plugin sees it."""
    from geodp_qgis.translation import load_translation
    from qgis.core import QgsSettings
    from qgis.PyQt.QtCore import QCoreApplication

    settings = QgsSettings()
    settings.setValue("locale/overrideFlag", True)
    settings.setValue("locale/userLocale", locale)
    translator = load_translation()
    assert translator is not None
    try:
        yield
    finally:
        QCoreApplication.removeTranslator(translator)
        settings.remove("locale")


@pytest.fixture
def german(qgis):
    with _speaking("de_DE"):
        yield


@pytest.fixture
def french(qgis):
    with _speaking("fr_FR"):
        yield


@pytest.fixture(scope="session")
def library():
    """``library(script, *arguments)``: what a script prints in geodp's own environment."""
    python = os.environ.get("GEODP_PYTHON")
    assert python, "GEODP_PYTHON must name the Python that geodp is installed in (make test-qgis)"

    def go(script, *arguments):
        # QGIS's settings must not leak into a Python with another GDAL and PROJ.
        kept = ("PATH", "HOME", "LANG", "TMPDIR")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment["PYTHONPATH"] = str(ROOT)
        done = subprocess.run(
            [python, "-c", script, *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return go


PACKAGE = """
import sys
import geopandas

for source, target in zip(sys.argv[1::2], sys.argv[2::2]):
    geopandas.read_parquet(source).to_file(target)
"""


@pytest.fixture(scope="session")
def packages(library, tmp_path_factory):
    """Sample check-ins and incidents as GeoPackages: this QGIS reads no GeoParquet."""
    folder = tmp_path_factory.mktemp("town")
    names = ("checkins", "incidents")
    sources = [ROOT / "sample_data" / f"{name}.parquet" for name in names]
    pairs = zip(sources, (folder / f"{name}.gpkg" for name in names))
    library(PACKAGE, *(path for pair in pairs for path in pair))
    return folder


@pytest.fixture(scope="session")
def checkins(packages):
    return str(packages / "checkins.gpkg")


@pytest.fixture(scope="session")
def incidents(packages):
    return str(packages / "incidents.gpkg")
