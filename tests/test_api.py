"""Imports: when, from where, and under which name."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import geodp
from geodp.core import host

PACKAGE = Path(geodp.__file__).parent

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


def reading_order() -> list[str]:
    """Return modules in the order in which docs/architecture.md lists them.

    A folder that is a package of its own stands behind what is in it.
    """
    listing = PAGE.read_text(encoding="utf-8").split("```")[1]
    order: list[str] = []
    folders: list[str] = []
    for line in listing.splitlines()[2:]:
        if not line.strip():
            continue
        depth, name = (len(line) - len(line.lstrip())) // 2 - 1, line.split()[0]
        while len(folders) > depth:
            order.append(".".join(folders))
            folders.pop()
        if name.endswith("/"):
            folders.append(name[:-1])
        elif name.endswith(".py") and name != "__init__.py":
            order.append(".".join([*folders, name[:-3]]))
    while folders:
        order.append(".".join(folders))
        folders.pop()
    return order


ORDER = reading_order()
"""Modules from public inputs to published files: each may import only from those before it."""

LAZY = {
    # Against the order: what a user calls in one place, although its work is done further on.
    "core.space.domain": {"sources.within"},
    "core.pipeline.pipeline": {"sources"},
    "core.pipeline.kinds": {"sources.layers"},
    "core.regions.workload": {"sources.regions"},
    "core.estimates.queries": {"sources.layers", "sources.regions"},
    "core.releases.published": {
        f"outputs.{name}"
        for name in (
            *("dots", "labelled", "plot", "raster", "report", "shapes", "table", "tiles"),
            "vector",
        )
    }
    | {"core.views.picture", "core.publish.registry"},
    "core.releases.release": {"core.publish.columns", "core.views.picture", "outputs.plot"},
    "core.pipeline.choice_kind": {"sources.districts"},
    "core.pipeline.h3_kind": {"sources.h3_cells"},
    "core.cells.h3_cells": {"sources.h3_cells"},
    "core.pipeline.district_kind": {"sources.districts"},
    "core.releases.difference": {
        *("core.views.legend", "outputs.difference", "outputs.report", "outputs.shapes"),
    },
    "core.releases.release_set": {"outputs.plot", "outputs.reopen"},
    "core.forecasts.forecast_table": {"outputs.forecast"},
    "core.forecasts.district_forecast": {"outputs.forecast"},
    "core.space.ground": {"sources.earth"},
    "core.pipeline.guard": {"sources.earth"},
    # With the order: each kind of points and each command loads what it needs, when it is called.
    "sources.districts": {"sources.layers"},
    "sources": {"sources.dask", "sources.databases", "sources.files", "sources.frames"}
    | {"sources.arrow"},
    "cli.groups": {"core.records.divisions", "core.records.groups"},
    "cli.districts": {"core.pipeline.district_kind", "core.pipeline.kinds", "core.space.sizes"},
    "cli.hexagons": {"core.pipeline.choice_kind", "core.pipeline.h3_kind", "core.space.sizes"}
    | {"core.pipeline.hexagon_kind"},
    "cli.options": {"core.space.domain", "core.pipeline.kinds", "core.space.sizes"}
    | {"core.publish.reopen", "core.regions.workload", "core.space.ground", "sources.layers"},
    "cli.people": {"core.privacy.protection", "core.records.amounts"},
    "cli.points": {"sources", "sources.encodings", "sources.opening", "sources.text"},
    "cli.check": {"core.records.divisions", "sources.look"},
    "cli.release": {
        "core.records.divisions",
        "core.releases.about",
        "core.privacy.ledger",
        "core.pipeline.pipeline",
        "core.space.sizes",
    }
    | {"outputs.several", "sources.layers", "sources.look"},
    "cli.plan": {"core.common.atomic", "core.forecasts.forecast", "core.records.divisions"}
    | {"core.pipeline.kinds", "outputs.forecast", "sources.layers"},
    "cli.grids": {"core.pipeline.kinds", "core.space.wording", "outputs.vector"},
    "cli.query": {"outputs.reopen", "outputs.vector", "sources.layers"},
    "cli.change": {"outputs.reopen", "outputs.several", "sources.layers"},
    "cli.info": {"outputs.reopen"},
    "cli.registry": {"outputs.reopen"},
    "cli.verify": {"core.releases.verification"},
    "cli.demo": {"demo"},
    "cli.ledger": {"core.privacy.budget", "core.privacy.ledger"},
    "cli.audit": {"audit", "core.privacy.budget"},
}
"""Which module may import what inside its functions; all others import at their top alone."""

TYPES = {
    "core.privacy.account": {"core.privacy.ledger"},
    "core.space.cells": {"core.space.grid"},
    "core.releases.describe": {"core.releases.published"},
    "core.releases.difference": {
        "core.views.legend",
        "core.releases.published",
        "core.releases.release",
    },
    "core.releases.quotient": {"core.releases.release"},
    "core.releases.published": {"core.views.legend", "core.releases.release"},
    "core.estimates.queries": {"core.releases.difference", "core.releases.release"},
    "core.regions.workload": {"sources.regions"},
}
"""What is named against the order for type checkers alone, and never when the package runs."""

HEAVY = [
    *("geopandas", "shapely", "pyproj", "rasterio", "pyarrow", "pyogrio", "matplotlib", "pandas"),
    *("dask", "distributed", "psycopg", "duckdb", "xarray"),
]


def module_path(module: str) -> Path:
    """Return file of a module, or of a package's own code."""
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imports(module: str, when: str) -> set[str]:
    """Return modules of the package that a module imports: at its ``top``, ``later`` or for
    ``types``.
    """
    return all_imports(module)[when]


@cache
def all_imports(module: str) -> dict[str, set[str]]:
    """Return modules of the package that a module imports, by moment; each file is parsed once."""
    path = module_path(module)
    package = list(path.relative_to(PACKAGE).parts[:-1])
    tree = ast.parse(path.read_text())
    moments = {id(node): "top" for node in tree.body}
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            moments |= {id(inner): "types" for inner in ast.walk(node)}
    imported: dict[str, set[str]] = {"top": set(), "later": set(), "types": set()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):  # the package names itself by dots alone
            assert not {alias.name.split(".")[0] for alias in node.names} & {"geodp", "study"}
        if isinstance(node, ast.ImportFrom) and not node.level:
            assert node.module is not None
            assert node.module.split(".")[0] not in {"geodp", "study"}  # study lies beside it
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) + 1 - node.level]
            base += node.module.split(".") if node.module else []
            for alias in node.names:  # "from . import noise" names a module, others names in one
                inner = ".".join([*base, alias.name])
                name = inner if inner in ORDER else ".".join(base)
                if name:
                    imported[moments.get(id(node), "later")].add(name)
    return imported


@pytest.mark.parametrize("module", ORDER)
def test_modules_import_only_upward(module):
    assert imports(module, "top") <= set(ORDER[: ORDER.index(module)])


def test_functions_import_only_what_is_listed():
    """Both ways: an edge that is not listed fails, and so does a listed one that is gone."""
    late = {module: imports(module, "later") for module in ORDER}
    assert {module: edges for module, edges in late.items() if edges} == LAZY


def test_types_import_only_what_is_listed():
    late = {
        module: imports(module, "types") - set(ORDER[:place]) for place, module in enumerate(ORDER)
    }
    assert {module: edges for module, edges in late.items() if edges} == TYPES


def test_the_core_reaches_out_in_few_places_only():
    """A host that has its own readers and writers, such as QGIS, can do without the other rooms."""
    out = {name for name, edges in LAZY.items() if any(not e.startswith("core") for e in edges)}
    reaching = {
        "core.pipeline.pipeline",
        "core.pipeline.kinds",
        "core.estimates.queries",
        "core.releases.published",
        "core.releases.release",
        "core.regions.workload",
    }
    reaching |= {
        "core.space.domain",
        "core.releases.difference",
        "core.releases.release_set",
        "core.forecasts.district_forecast",
        "core.forecasts.forecast_table",
        "core.space.ground",
        "core.pipeline.guard",
        "core.pipeline.choice_kind",
        "core.pipeline.district_kind",
        "core.pipeline.h3_kind",
        "core.cells.h3_cells",
    }
    assert {name for name in out if name.startswith("core")} == reaching


def test_the_order_names_every_module():
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        for path in PACKAGE.rglob("*.py")
    }
    assert modules - {"__init__"} == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


def test_the_study_imports_in_its_order():
    """The page lists `study/` too, which is no part of the package."""
    listing = PAGE.read_text(encoding="utf-8").split("```")[3].split("\n", 2)[2]
    order = [line.split()[0].removesuffix(".py") for line in listing.splitlines()]
    folder = PAGE.parents[1] / "study"
    assert sorted([*order, "__init__"]) == sorted(path.stem for path in folder.glob("*.py"))
    for place, module in enumerate(order):
        for node in ast.walk(ast.parse((folder / f"{module}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                assert node.module in order[:place], module


def modules_loaded_by(code: str) -> set[str]:
    """Return modules that code imports in a fresh Python, beyond those of its start."""
    script = f"import sys; sys.path[:] = {sys.path!r}; before = set(sys.modules); {code}; "
    script += "print(*set(sys.modules) - before)"
    command = [sys.executable, "-S", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.slow
def test_importing_geodp_loads_neither_its_modules_nor_libraries():
    loaded = modules_loaded_by("import geodp")
    assert {name for name in loaded if name.split(".")[0] == "geodp"} == {"geodp"}
    packages = {name.split(".")[0] for name in loaded} - {"geodp"}
    assert packages <= sys.stdlib_module_names
    assert len(loaded) < 40  # those of typing and importlib


@pytest.mark.slow
def test_public_names_load_no_heavy_library():
    """Nor what is for networks, threads or logs: a fifth of the time that it would take."""
    loaded = modules_loaded_by("from geodp import *")
    slow = {"concurrent.futures", "http.client", "logging", "ssl", "urllib.request", "xml.sax"}
    assert not loaded & {*slow, *HEAVY}
    assert {name.split(".")[0] for name in loaded} - sys.stdlib_module_names == {"geodp", "numpy"}


@pytest.mark.slow
def test_a_name_loads_what_it_needs():
    loaded = modules_loaded_by("from geodp import InputError, Budget, __version__")
    assert "numpy" not in loaded
    assert "geodp.core.pipeline.pipeline" not in modules_loaded_by("from geodp import Domain")


def test_public_names_are_where_type_checkers_find_them():
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }
    listed = {name: module for module, names in geodp._MODULES.items() for name in names.split()}
    assert listed == imported
    assert sorted(listed) == geodp.__all__
    assert set(geodp.__all__) <= set(dir(geodp))
    assert all(getattr(geodp, name) is getattr(geodp, name) for name in geodp.__all__)
    with pytest.raises(AttributeError, match="module 'geodp' has no attribute 'relase'"):
        _ = geodp.relase


@pytest.mark.slow
def test_releasing_from_arrays_needs_numpy_alone():
    """A host that knows its CRS, such as QGIS, goes all the way without any other library."""
    script = (
        "import sys\n"
        f"for name in {HEAVY!r}: sys.modules[name] = None\n"
        "import numpy as np, geodp\n"
        "from geodp.core.publish.metadata import release_tags\n"
        "domain = geodp.Domain((0, 0, 900, 900), geodp.Crs('EPSG:5070'))\n"
        "release = geodp.release((np.ones(5), np.ones(5)), domain, epsilon=1)\n"
        "print(len(release.query([(0, 0, 3, 3)]).estimate), len(release_tags(release)) > 10)\n"
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
    names = {name: getattr(geodp, name) for name in geodp.__all__}
    for value in (
        domain,
        geodp.Grid(domain, (2, 4)),
        geodp.Grid(domain, cell_size=0.75),
        geodp.Budget("2/3"),
        geodp.Crs.of("EPSG:2263"),
        *CELLS,
        geodp.Regular([geodp.Grid(SQUARE, (3, 4)), geodp.Grid(SQUARE, cell_size=500)]),
        geodp.Hexagons(500),
        *DIVISIONS,
        *PROTECTED,
        geodp.Amount("damage", 0, 10_000),
        geodp.Amount("delay", "-1/2", 60, unit=0.5, label="min"),
    ):
        assert eval(repr(value), names) == value
        assert hash(eval(repr(value), names)) == hash(value)


SQUARE = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
CELLS = [
    geodp.Adaptive(),
    geodp.Adaptive(resolution=np.float32(0.5)),
    geodp.Regular(),
    geodp.Regular(geodp.Grid(SQUARE, (3, 4))),
    geodp.Regular(geodp.candidate_grids(SQUARE, [3, 4])),
    geodp.Regular(geodp.candidate_grids(SQUARE, cell_sizes=[300, 400])),
    geodp.Regular(sizes=np.array([[3, 4], [6, 8]]), tuning_share="1/5"),
    geodp.Regular(cell_sizes=range(100, 300, 100), tuner="e2epriv"),
    geodp.Regular(sizes=[3], workload=[(0, 0, 1, 1)]),
]
DIVISIONS = [
    geodp.Categories("kind", ["theft", 1.0, "it's"], other="rest"),
    geodp.Breaks("hour", [0, 6, 12.5, float("inf")]),
    geodp.Breaks("day", [np.datetime64("2024-01-01"), "2024-01-01T06:30"]),
    geodp.Breaks("time", ["00:00", "06:30:05", "24:00"], other="else"),
]
PROTECTED = [
    geodp.Record(),
    geodp.Feature(3, neighbours="replace"),
    geodp.Person("who"),
    geodp.Person("who", max_records=5, neighbours="replace"),
    geodp.Person("who", place="most frequent"),
]


def test_reprs_fit_a_line():
    west = geodp.Support(SQUARE.bounds, [[1, 0]])
    half = geodp.Domain(SQUARE.bounds, crs=SQUARE.crs, within=west)
    release = geodp.release(([], [], []), SQUARE, epsilon=1, by=DIVISIONS[0])
    forecast = geodp.forecast(SQUARE, expected=100)
    regular = geodp.release(([], []), SQUARE, epsilon=1, cells="regular")
    shown = [
        *CELLS,
        *DIVISIONS,
        release,
        release["theft"],
        release.method,
        release.describe(),
        forecast,
    ]
    shown += [regular, regular.method, regular.method.unit, geodp.verify(regular)]
    shown += [*PROTECTED, geodp.Amount("damage", 0, 10_000), half, geodp.Grid(half, (3, 4))]
    later = geodp.release(([], []), half, epsilon=1, cells="regular")
    hexagons = geodp.release(([], []), SQUARE, epsilon=1, cells=geodp.Hexagons(1000))
    shown += [
        later - geodp.release(([], []), half, epsilon=2, cells="regular"),
        release["theft"] / release["rest"],
    ]
    shown += [each.cells for each in (release["theft"], regular, later, hexagons)]
    for value in shown:
        assert "\n" not in repr(value)
        assert len(repr(value)) <= 110, repr(value)


def test_a_layer_of_regions_is_the_same_or_another():
    import geopandas

    layer = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy([1], [1]).buffer(1), crs=5070)
    one, other = geodp.Regular(workload=layer), geodp.Regular(workload=layer.copy())
    assert one == geodp.Regular(workload=layer)
    assert one != other
    assert len({one, other, geodp.Regular(workload=layer)}) == 2
    assert repr(one) == "Regular(workload=<1 regions>)"


def test_the_door_for_the_plugin_offers_what_it_uses_and_no_more():
    plugin, tests = PACKAGE.parent / "qgis_plugin" / "geodp_qgis", Path(__file__).parent / "qgis"
    files = [path for path in plugin.rglob("*.py") if "vendor" not in path.parts]
    used = names_of_the_library(files)
    assert used <= set(host.__all__)
    assert set(host.__all__) <= used | names_of_the_library(tests.glob("*.py"))


def names_of_the_library(files: Iterable[Path]) -> set[str]:
    """Return names that files use as ``geodp.name``, or ``library.geodp.name`` where it may be
    missing.
    """
    attributes = [
        node
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
    ]
    return {
        node.attr
        for node in attributes
        if "geodp" in (getattr(node.value, "id", ""), getattr(node.value, "attr", ""))
    }
