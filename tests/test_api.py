"""What is imported when, from where, and under which name."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import geodp

PACKAGE = Path(geodp.__file__).parent

CORE = [
    *("version", "errors", "about", "budget", "unit", "account", "ledger"),
    *("axis", "sums", "compact", "support", "domain", "sizes", "ground", "cells", "grid"),
    *("wording", "overlap", "orientation", "validity", "polygons", "strips", "support_overlap"),
    *("locator", "workload", "noise", "tabled_noise", "lookup"),
    *("frame", "coverage", "weights", "tree", "measurements", "least_squares", "tree_overlap"),
    *("unevenness", "tree_answers", "style", "node_counts", "base_tally"),
    *("tree_budget", "known_nodes", "growth", "split_bias"),
    *("partition", "regular", "adaptive"),
    *("canonical", "ids", "breaks", "layers", "contribution"),
    *("tally", "scores", "tuners", "shares", "selection"),
    *("counting", "layered_tally", "answers", "describe", "views", "qgis_style"),
    "qgis_files",
    *("questions", "difference", "release"),
    *("layered", "making", "guard"),
    *("protection", "reprojection", "streams", "source"),
    *("arrays", "pipeline", "outlook", "forecast", "metadata", "atomic", "reopen", "bands"),
    *("difference_files", "drawing", "shading", "page", "report"),
]
ORDER = [
    *(f"core.{name}" for name in CORE),
    "core",
    *(f"sources.{name}" for name in ("opening", "silence", "lines", "text", "elements")),
    *(f"sources.{name}" for name in ("geojson", "wkb", "columns", "parquet", "ogr", "tables")),
    *(f"sources.{name}" for name in ("files", "frames", "databases", "dask", "layers", "regions")),
    "sources.within",
    *("sources.earth", "sources.look"),
    "sources",
    *(f"audit.{name}" for name in ("finding", "pairs", "script", "exact", "outcomes")),
    "audit",
    *(
        f"outputs.{name}"
        for name in ("raster", "vector", "labelled", "reopen", "scale_bar", "plot")
    ),
    *("outputs.multiples", "outputs.difference"),
    *(f"outputs.{name}" for name in ("choropleth", "forecast", "report", "several")),
    "demo",
    *(f"study.{name}" for name in ("metrics", "datasets", "case", "method", "baselines")),
    *(
        f"study.{name}"
        for name in (
            "adaptive",
            "privtree",
            "hierarchy",
            "hb",
            "dawa",
            "peers",
            "tree",
            "runner",
            "experiments",
        )
    ),
    "study.figures",
    "study",
    *(
        f"cli.{name}"
        for name in (
            "progress",
            "words",
            "group",
            "options",
            "layers",
            "points",
            "release",
            "check",
        )
    ),
    *(f"cli.{name}" for name in ("plan", "grids", "query", "change", "info", "demo", "ledger")),
    "cli.audit",
    "cli.study",
    "cli",
    "study.__main__",
    "__main__",
]
"""Modules from public inputs to published files: each may import only from those before it."""

LAZY = {
    # Against the order: what a user calls in one place, although its work is done further on.
    "core.domain": {"sources.within"},
    "core.pipeline": {"sources"},
    "core.workload": {"sources.regions"},
    "core.questions": {"sources.layers", "sources.regions"},
    "core.release": {
        f"outputs.{name}" for name in ("raster", "vector", "labelled", "reopen", "plot", "report")
    },
    "core.difference": {"outputs.difference", "outputs.report"},
    "core.layered": {"outputs.multiples"},
    "core.outlook": {"outputs.forecast"},
    "core.ground": {"sources.earth"},
    "core.guard": {"sources.earth"},
    # With the order: each kind of points and each command loads what it needs, when it is called.
    "sources": {"sources.dask", "sources.databases", "sources.files", "sources.frames"},
    "cli.layers": {"core.layers"},
    "cli.options": {"core.domain", "core.frame", "core.grid", "core.sizes"},
    "cli.points": {"sources", "sources.opening", "sources.text"},
    "cli.check": {"sources.look"},
    "cli.release": {
        "core.about",
        "core.ledger",
        "core.pipeline",
        "core.protection",
        "core.workload",
    }
    | {"outputs.several", "sources.layers"},
    "cli.plan": {"core.atomic", "core.forecast", "core.protection"}
    | {"outputs.forecast", "sources.layers"},
    "cli.grids": {"core.wording", "outputs.vector"},
    "cli.query": {"outputs.reopen", "outputs.vector", "sources.layers"},
    "cli.change": {"outputs.reopen", "outputs.several", "sources.layers"},
    "cli.info": {"outputs.reopen"},
    "cli.demo": {"demo"},
    "cli.ledger": {"core.ledger"},
    "cli.audit": {"audit", "core.budget"},
    "cli.study": {"study.experiments", "study.figures", "study.runner"},
}
"""Which module may import what inside its functions; all others import at their top alone."""

TYPES = {
    "core.account": {"core.ledger"},
    "core.cells": {"core.grid"},
    "core.describe": {"core.release"},
    "core.difference": {"core.release"},
    "core.qgis_files": {"core.release"},
    "core.qgis_style": {"core.release"},
    "core.views": {"core.release"},
    "core.questions": {"core.difference", "core.release"},
    "core.workload": {"sources.regions"},
}
"""What is named against the order for type checkers alone, and never when the package runs."""

HEAVY = [
    *("geopandas", "shapely", "pyproj", "rasterio", "pyarrow", "pyogrio", "matplotlib", "pandas"),
    *("dask", "distributed", "psycopg", "duckdb", "xarray"),
]


def path_of(module: str) -> Path:
    """File of a module, or of a package's own code."""
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imports(module: str, when: str) -> set[str]:
    """Modules of the package that a module imports: at its ``top``, ``later`` or for ``types``."""
    path = path_of(module)
    package = list(path.relative_to(PACKAGE).parts[:-1])
    tree = ast.parse(path.read_text())
    moments = {id(node): "top" for node in tree.body}
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            moments |= {id(inner): "types" for inner in ast.walk(node)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):  # the package names itself by dots alone
            assert not any(alias.name.split(".")[0] == "geodp" for alias in node.names)
        if isinstance(node, ast.ImportFrom) and not node.level:
            assert node.module is not None
            assert node.module.split(".")[0] != "geodp"
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) + 1 - node.level]
            base += node.module.split(".") if node.module else []
            for alias in node.names:  # "from . import noise" names a module, others names in one
                inner = ".".join([*base, alias.name])
                if moments.get(id(node), "later") == when:
                    found.add(inner if inner in ORDER else ".".join(base))
    return found - {""}


@pytest.mark.parametrize("module", ORDER)
def test_modules_import_only_upward(module):
    assert imports(module, "top") <= set(ORDER[: ORDER.index(module)])


def test_functions_import_only_what_is_listed():
    """Both ways: an edge that is not listed fails, and so does a listed one that is gone."""
    found = {module: imports(module, "later") for module in ORDER}
    assert {module: edges for module, edges in found.items() if edges} == LAZY


def test_types_import_only_what_is_listed():
    found = {
        module: imports(module, "types") - set(ORDER[:place]) for place, module in enumerate(ORDER)
    }
    assert {module: edges for module, edges in found.items() if edges} == TYPES


def test_the_core_reaches_out_in_ten_places_only():
    """A host that has its own readers and writers, such as QGIS, can do without the other rooms."""
    out = {name for name, edges in LAZY.items() if any(not e.startswith("core") for e in edges)}
    reaching = {"core.pipeline", "core.questions", "core.release", "core.workload"}
    reaching |= {
        "core.domain",
        "core.difference",
        "core.layered",
        "core.outlook",
        "core.ground",
        "core.guard",
    }
    assert {name for name in out if name.startswith("core")} == reaching


def test_the_order_names_every_module():
    found = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    assert found - {"__init__", "outputs"} == set(ORDER)  # two that hold no code of their own
    assert len(ORDER) == len(set(ORDER))


def test_importing_geodp_loads_no_heavy_library():
    script = f"import sys, geodp; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_releasing_from_arrays_needs_numpy_alone():
    """A host that knows its CRS, such as QGIS, goes all the way without any other library."""
    script = (
        "import sys\n"
        f"for name in {HEAVY!r}: sys.modules[name] = None\n"
        "import numpy as np, geodp\n"
        "from geodp.core.metadata import tags_of\n"
        "domain = geodp.Domain((0, 0, 900, 900), geodp.Crs('EPSG:5070'))\n"
        "made = geodp.release((np.ones(5), np.ones(5)), domain, epsilon=1)\n"
        "print(len(made.query([(0, 0, 3, 3)]).estimate), len(tags_of(made)) > 10)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "True"]


def test_errors_are_also_those_of_python():
    assert issubclass(geodp.InputError, ValueError)
    assert issubclass(geodp.CrsError, geodp.InputError)
    assert issubclass(geodp.FileError, OSError)
    assert all(
        issubclass(error, geodp.GeodpError)
        for error in (geodp.InputError, geodp.CrsError, geodp.FileError)
    )


def test_what_prints_evaluates_back():
    domain = geodp.Domain((0, 0, 4, 2), crs="EPSG:5070", resolution=0.5)
    for value in (
        domain,
        geodp.Grid(domain, (2, 4)),
        geodp.Grid(domain, cell_size=0.75),
        geodp.Budget("2/3"),
        geodp.Crs.of("EPSG:2263"),
    ):
        assert eval(repr(value), vars(geodp)) == value
