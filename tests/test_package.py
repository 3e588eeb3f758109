"""Check what is packed, and what a type checker sees of it in a user's script."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from geodp import __version__

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (
    "geodp",
    "study",
    "tests",
    "benchmarks",
    "docs",
    "sample_data",
    "qgis_plugin",
    "conda",
    "examples",
)
FILES = ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md")
FILES += ("SECURITY.md", "pyproject.toml")
STRAYS = ("places.csv", "spends.geodp", "spends.geodp-journal", "counts.tif", "home.gpkg", ".env")
LAYERS = ("incidents.parquet", "us_boundary.gpkg", "us_districts.gpkg", "us_places.gpkg")

SCRIPT = """
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import geodp

town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
ledger = geodp.Ledger(Path("spends.geodp"))
ledger.register("visits", cap="3/2")
visits = geodp.read_points("visits.csv", x="lon", y="lat", crs=4326)
table = geodp.read_sql("postgresql://host/town", "SELECT geom, who FROM visits")
assert_type(visits, geodp.PointSource)
assert_type(table, geodp.PointSource)


def publish(points: geodp.PointSource, folder: Path) -> geodp.Release:
    person = geodp.Person("who", max_records=5)
    release = geodp.release(points, town, epsilon=1, protect=person, account=ledger["visits"])
    release.to_geotiff(folder / "counts.tif")
    release.to_vector("counts.gpkg", overwrite=True)
    release.to_report(folder / "report.html", boundary="outline.gpkg")
    release.plot(boundary=Path("outline.gpkg")).set_title("Visits")
    return release


release = publish(visits, Path("."))
answers = release.query([(0, 0, 1000, 1000)])
assert_type(answers, geodp.Answers)
assert_type(answers.estimate, npt.NDArray[np.float64])
assert_type(release.counts, npt.NDArray[Any])
assert_type(release.query(geodp.Workload.from_boxes([(0, 0, 9, 9)], town)), geodp.Answers)
release.query("districts.gpkg").to_file("answers.gpkg")
assert_type(ledger["visits"].unit, geodp.Unit | None)
assert_type(geodp.open_release("counts.tif"), geodp.Release | geodp.ReleaseSet)
x, y = np.zeros(3), np.ones(3)
cells = geodp.Regular(geodp.candidate_grids(town, [20, 30]), tuner="e2epriv")
geodp.release((x, y), epsilon="0.1", cells=cells, by=geodp.Categories("kind", ["a", "b"]))
words: dict[str, Any] = release.describe().as_dict()
damage = geodp.Amount("damage", 0, 10_000, unit="0.5")
layers = geodp.Choice(["wards.gpkg", geodp.Hexagons(1000), geodp.H3(7)], tuning_share=0.2)
several = geodp.release("claims.gpkg", town, epsilon=1, amount=damage, cells=layers)
assert_type(several, geodp.Release)
assert_type(several - several, geodp.Difference)
kinds = [geodp.Categories("kind", ["a", 1]), geodp.Breaks("hour", [0, 6, 12])]
assert_type(geodp.release("a.gpkg", town, epsilon=1, by=kinds, cells=layers), geodp.ReleaseSet)
states = geodp.Districts("counties.gpkg", levels=["state", "county"])
geodp.release("a.gpkg", epsilon=1, cells=geodp.Adaptive(districts=states, share=0.2))
assert_type(geodp.forecast(cells=states), geodp.DistrictForecast)
assert_type(geodp.forecast(town, epsilons=[0.1, 1]), geodp.Forecast)
geodp.Regular(sizes=[20, (30, 40)], tuner=geodp.Influence(sketch_share=0, beta=0.05))
"""

MISTAKES = """
import geodp

town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
release = geodp.release("visits.gpkg", town, epsilon=1)
geodp.release("visits.gpkg", town)
geodp.release("visits.gpkg", town, epsilon=1, protect="person")
geodp.release("visits.gpkg", town, epsilon=1, account="spends.geodp")
geodp.Person("who", max_records="5")
geodp.Ledger("spends.geodp").register("visits")
geodp.read_points("visits.csv", x=1)
geodp.read_sql("postgresql://host/town", sql="SELECT 1")
release.to_geotiff(3)
release.scale.lower()
release.query([(0, 0, 1, 1)]).estimates
"""


def run(*words: object, cwd: Path) -> str:
    environment = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Return wheel and sdist of a copy of the checkout in which files of a user lie about."""
    copy, target = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("dist")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, copy / name)
    folders = [copy, *(path for path in copy.rglob("*") if path.is_dir())]
    for stray in (folder / name for folder in folders for name in STRAYS):
        stray.write_text("private")
    run(sys.executable, "-m", "hatchling", "build", "-d", target, cwd=copy)
    return target


def find_wheel(folder: Path) -> Path:
    return next(folder.glob("*.whl"))


def wheel_names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(built):
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "geodp").rglob("*.py")}
    samples = {f"geodp/sample_data/{name}" for name in (*LAYERS, "README.md")}
    page = {f"geodp/core/pictures/{name}" for name in ("page.css", "page.js", "languages.js")}
    spoken = {f"geodp/core/common/languages/{code}.json" for code in ("de", "fr")}
    assert wheel_names(find_wheel(built)) == {*modules, "geodp/py.typed", *page, *spoken, *samples}


@pytest.mark.slow
def test_the_sdist_holds_no_stray_file(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = [name.split("/", 1)[1] for name in archive.getnames()]
        contents = {archive.extractfile(each).read() for each in archive if each.size < 100}
    assert not {Path(name).name for name in names} & set(STRAYS)
    assert b"private" not in contents
    assert {*FILES, "PKG-INFO", "geodp/py.typed", "tests/power.c", "docs/images/map.png"} <= {
        *names
    }
    assert {name.split("/")[0] for name in names} == {*FOLDERS, *FILES, "PKG-INFO"}


@pytest.mark.slow
def test_the_sdist_holds_everything_that_the_wheel_and_the_tests_need(built, tmp_path):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.iterdir())
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=unpacked)
    assert wheel_names(find_wheel(unpacked / "dist")) == wheel_names(find_wheel(built))
    for folder in ("study", "tests", "qgis_plugin", "benchmarks"):
        wanted = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*.py")}
        assert wanted == {path.relative_to(unpacked) for path in (unpacked / folder).rglob("*.py")}


@pytest.mark.slow
def test_the_packages_pass_the_checks_of_an_upload(built):
    output = run(sys.executable, "-m", "twine", "check", "--strict", *built.iterdir(), cwd=built)
    assert output.count("PASSED") == 2
    with zipfile.ZipFile(find_wheel(built)) as archive:
        assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())


def test_the_recipe_and_the_citation_say_what_the_project_says():
    project = (ROOT / "pyproject.toml").read_text()
    recipe, citation = (ROOT / "conda/meta.yaml").read_text(), (ROOT / "CITATION.cff").read_text()
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", project, re.MULTILINE | re.DOTALL)[1]
    wanted = {name.replace(">=", " >=") for name in re.findall(r'"(.*?)"', listed)}
    run_part = recipe.partition("  run:")[2].partition("\ntest:")[0]
    assert set(re.findall(r"- (.*)", run_part)) == {*wanted, "python >=3.10"}
    assert f'set version = "{__version__}"' in recipe
    assert f"\nversion: {__version__}\n" in citation


def test_addresses_are_those_of_the_project():
    """`[project.urls]` is where they are written; what cannot read it repeats it."""
    files = ("pyproject.toml", "CITATION.cff", "conda/meta.yaml")
    project, citation, recipe = ((ROOT / name).read_text() for name in files)
    listed = re.search(r"^\[project.urls\]\n(.*?)^\[", project, re.MULTILINE | re.DOTALL)[1]
    urls = dict(re.findall(r'^(\w+) = "(.+)"$', listed, re.MULTILINE))
    assert set(urls) <= {"Homepage", "Repository", "Issues"}
    same = {
        "Homepage": (r"^url: ", r"^  home: "),
        "Repository": (r"^repository-code: ", r"^  dev_url: "),
    }
    for name, places in same.items():
        for text, place in zip((citation, recipe), places):
            wanted = [urls[name]] if name in urls else []
            assert re.findall(place + r'"?(.*?)"?$', text, re.MULTILINE) == wanted, (name, place)


def test_every_dependency_says_from_which_version_on():
    """`make test-oldest` runs with these versions: one without would be any."""
    project = (ROOT / "pyproject.toml").read_text()
    used = re.search(r"^dependencies = \[.*?^docs = ", project, re.MULTILINE | re.DOTALL)[0]
    names = re.findall(r'"([a-z][a-z0-9\[\],-]*[a-z\]])((?:[<>=].*?)?)"', used)
    assert len(names) > 15
    assert [name for name, bound in names if not bound.startswith(">=")] == []
    extras = re.search(r"^OLDEST_EXTRAS := (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)[1]
    listed = set(re.findall(r"^([a-z0-9]+) = \[", used.partition("optional-dep")[2], re.MULTILINE))
    assert set(extras.split()) == listed - {"docs", "fuzz"}


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> Path:
    """Return the Python of an environment with the wheel, which shares the other libraries with
    ours.
    """
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    python = folder / "bin" / "python"
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    target, ours = (
        Path(run(each, "-c", where, cwd=folder).strip()) for each in (python, sys.executable)
    )
    install = ("pip", "install", "--quiet", "--no-deps", "--no-index", "--target", target)
    run(sys.executable, "-m", *install, find_wheel(built), cwd=folder)
    (target / "shared.pth").write_text(str(ours))
    assert str(target) in run(python, "-c", "import geodp; print(geodp.__file__)", cwd=folder)
    return python


def mypy(python: Path, script: str, folder: Path) -> str:
    (folder / "script.py").write_text(script)
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-geopandas.*]\nignore_missing_imports = True\n")
    return run(
        *(sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-color-output"),
        *("--python-executable", python, "script.py"),
        cwd=folder,
    )


@pytest.mark.slow
def test_a_strict_script_of_a_user_passes(installed, tmp_path):
    assert "Success: no issues" in mypy(installed, SCRIPT, tmp_path)


@pytest.mark.slow
def test_mistakes_of_a_user_are_told_before_anything_runs(installed, tmp_path):
    output = mypy(installed, MISTAKES, tmp_path)
    lines = {int(line) for line in re.findall(r"^script\.py:(\d+): error", output, re.MULTILINE)}
    first = MISTAKES.splitlines().index('geodp.release("visits.gpkg", town)') + 1
    assert lines == set(range(first, len(MISTAKES.splitlines()) + 1)), output
