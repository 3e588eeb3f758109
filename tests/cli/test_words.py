"""Each speaks its own language: the library of arguments, the command line of options."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import click
import geopandas
import pytest
import shapely
from click.testing import CliRunner

import geodp
from geodp.cli import main
from geodp.cli.query import _tenths
from geodp.cli.words import WORDS

PACKAGE = Path(geodp.__file__).parent
ERRORS = {"GeodpError", "InputError", "CrsError", "FileError"}
PYTHON = re.compile(r"`|\w\(|\b[a-z0-9]+_[a-z0-9_]+|\b[a-z_]+=")
"""What only Python writes: calls, names with underscores, arguments; and the mark of all these."""

ONLY_IN_PYTHON = {
    *("Domain(bounds, crs)", "Domain((0, 0, 4000, 3000), crs='EPSG:5070')", "geodp.Crs"),
    *(
        "Ledger(path)[name]",
        "Record()",
        "Choice(…)",
        "Districts(layer)",
        "(xy[:, 0], xy[:, 1])",
        "ax",
        "Regular",
        "Person(field)",
        "{'x': x, 'y': y, 'who': ids}",
        "{{}: …}",
        "releases[{}].plot(ax)",
    ),
    *(
        "halvings",
        "root",
        "to_text",
        "geodp.read_sql(address, query)",
        "per_share",
        "(x, y)",
        "candidate_grids(domain, sizes)",
        "read_sql",
        "Adaptive(…)",
        "Regular(…)",
        "Hexagons(…)",
        "H3(…)",
        "Districts",
        "set_geometry()",
        "snapped",
        "unit",
        "{}",
    ),
}
"""Named in messages that no command line leads to."""


def literal_text(node: ast.expr) -> str:
    """Return the words of a string or an f-string, with braces where values come."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def messages() -> list[tuple[str, str]]:
    """Return every message with which the library makes one of its errors, and where."""
    texts = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.is_relative_to(PACKAGE / "cli"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name in ERRORS and node.args:
                texts.append((literal_text(node.args[0]), f"{path.name}:{node.lineno}"))
    return [(text, where) for text, where in texts if text]


@pytest.mark.slow
def test_the_library_marks_what_only_python_says_and_names_no_option():
    assert len(messages()) > 80
    for text, where in messages():
        bare = re.sub(r"`[^`]*`|'[^']*'", "", text)  # what is quoted is a value, not a name
        assert not PYTHON.search(bare), f"{where}: {text}"
        assert not re.search(r"(?<!\w)--[a-z]", text), f"{where}: {text}"


def test_the_command_line_has_a_word_for_every_mark():
    marked = {mark: where for text, where in messages() for mark in re.findall(r"`([^`]*)`", text)}
    marked |= {"make_valid()": "workload.py"}  # in a table of rules
    marked |= dict.fromkeys(("max_points", "max_records"), "protection.py")  # by name
    kinds = ("cell_sizes", "grids", "sizes", "tuner", "tuning_share", "workload")
    marked |= dict.fromkeys(kinds, "kinds.py")  # by name
    assert set(marked) - ONLY_IN_PYTHON == set(WORDS)
    assert {word.split()[0].rstrip(",") for word in WORDS.values()} - {"ogr2ogr"} <= options(main)


def options(group: click.Group) -> set[str]:
    """Return options of all commands of a group and of the groups in it."""
    context, names = click.Context(group), set()
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            names |= options(command)
        names |= {option for parameter in command.params for option in parameter.opts}
    return names


# --- refusals as users meet them ----------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return good files and bad ones, to be named in commands."""
    folder = tmp_path_factory.mktemp("words")
    point, square = shapely.Point(1, 1), shapely.box(0, 0, 50, 50)
    layers = {
        "points.geojson": point,
        "points.gpkg": point,
        "many.gpkg": shapely.MultiPoint([(1, 1), (2, 2)]),
        "regions.geojson": square,
        "crossed.geojson": shapely.Polygon([(0, 0), (9, 9), (9, 0), (0, 9)]),
        "lost_points.shp": point,
        "lost_regions.shp": square,
    }
    for name, shape in layers.items():
        frame = geopandas.GeoDataFrame({"who": [1]}, geometry=[shape], crs=5070)
        frame.to_file(folder / name)
        (folder / name).with_suffix(".prj").unlink(missing_ok=True)  # where the CRS would be
    frame.drop(columns="geometry").to_parquet(folder / "table.parquet")
    (folder / "table.csv").write_text("who,lon,lat\nsecret,1,1\n")
    (folder / "taken.tif").write_text("mine")
    (folder / "taken.csv").write_text("mine")
    (folder / "text.gpkg").write_text("hello")
    return folder


@pytest.fixture
def files(folder, monkeypatch):
    """Call commands where the files are; refusals leave them as they are."""
    monkeypatch.chdir(folder)


PLACE = "--bounds 0 0 100 100 --crs EPSG:5070"
FRAME = f"{PLACE} --epsilon 1"

REFUSALS = {
    "release points.geojson FRAME -o taken.tif": "--force",
    "release lost_points.shp FRAME -o new.tif": "ogr2ogr -a_srs, or pass --points-crs",
    "release many.gpkg FRAME -o new.tif": "pass --max-records, or split the layer with ogr2ogr",
    "release points.geojson FRAME -o new.tif --max-records 0": "--max-records must be a whole",
    "release points.gpkg FRAME -o new.tif --person nobody --max-records 1": "columns are 'who'",
    "release points.geojson FRAME -o new.tif --sizes 5 --cell-sizes 5": "--sizes and --cell-sizes",
    "release points.geojson FRAME -o new.tif --cells adaptive --tuner e2epriv": "--tuner is for",
    "release points.geojson FRAME -o new.tif --cells regular --resolution 5": "--resolution is for",
    "release points.geojson FRAME -o new.tif --sizes 5 --resolution 5": "--resolution is for",
    "release points.geojson FRAME -o new.tif --resolution 5parsec": "a length must be one number",
    "release points.geojson FRAME -o new.tif --cells fine": "--cells must be 'adaptive' or",
    "release points.geojson FRAME -o new.tif --sizes 5km": "lengths are cell sizes",
    "release points.geojson FRAME -o new.tif --cell-sizes 5parsec": "such as 500m, 5km",
    "release points.geojson FRAME -o new.tif --noise opendp --seed 1": "or --noise opendp",
    "release points.geojson FRAME -o new.tif --sql SELECT": "--sql goes with a database",
    "release points.geojson FRAME -o new.tif --x lon": "--x and --y name the columns",
    "release table.parquet FRAME -o new.tif": "name them by --x, --y and --points-crs",
    "release table.csv FRAME -o new.tif": "--x, --y and --points-crs",
    "release table.csv FRAME -o new.tif --x east --y lat --points-crs EPSG:4326": "'east'",
    "release points.geojson FRAME -o new.tif --regions crossed.geojson": "ogr2ogr -makevalid",
    "release points.geojson FRAME -o new.tif --regions lost_regions.shp": "ogr2ogr -a_srs",
    "release points.geojson FRAME -o new.tif --boundary lost_regions.shp": "ogr2ogr -a_srs",
    "release points.gpkg FRAME -o new.tif --decimal ,": "are for text files such as CSV",
    "release table.csv FRAME -o new.tif --x lon --y lat --points-crs 4326 --decimal ;": "got ';'",
    "release a.duckdb FRAME -o new.tif --layer t --separator ;": "--separator is for text files",
    "release points.geojson FRAME -o new.tif --ledger book": "--ledger and --dataset go together",
    "release points.geojson FRAME -o new.tif --ledger book --dataset who": "there is no book",
    "release nothing.gpkg FRAME -o new.tif": "there is no nothing.gpkg",
    "release text.gpkg FRAME -o new.tif": "GDAL reads",
    "release points.geojson --crs EPSG:5070 --epsilon 1 -o new.tif": "missing: --bounds; give",
    "release points.geojson --bounds 0,0,9,9 --crs 5070 --epsilon 1 -o new.tif": "got '0,0,9,9'",
    "release points.geojson FRAME -o new.tif --bounds a b c d": "with blanks between them, such as",
    "release points.geojson FRAME -o new.tif --colour red": "No such option",
    "release points.geojson FRAME -o new.tif --bounds 0 0 60 40": "or say with --yes that it is",
    "release points.geojson FRAME -o new.tif --epsilon 11": "say with --yes that it is meant",
    "release points.geojson FRAME -o new.tif --bounds 0 -9e6 9e5 -8e6": "EPSG:5070 is for 125° W",
    "release points.geojson FRAME -o new.tif --bounds 0 999 99 9e5": "at least 100 m wide and high",
    "release points.geojson FRAME -o new.tif --sizes 2000 --epsilon 0.01": "use larger cells, or",
    "plan PLACE --bounds 0 0 60 40": "look like degrees, and EPSG:5070 is projected",
    "grids --bounds 0 0 100 100 --crs EPSG:4326 --cell-sizes 5km": "projected CRS",
    "plan --bounds 0 0 100 100": "missing: --crs; give --districts with a layer, or --bounds with",
    "grids --bounds 0 0 100 100": "missing: --crs; give --bounds with --crs",
    "plan PLACE --epsilon 1": "--epsilons",  # suggested, in words of click's version
    "plan PLACE --epsilons 1,much": "epsilon must be a finite number, such as 0.5; got 'much'",
    "plan PLACE --epsilons ,": "at least one epsilon",
    "plan PLACE --expected many": "--expected must be a number of records, or a field",
    "plan PLACE --expected -3": "a number from 0 on",
    "plan PLACE --expected age --regions regions.geojson": "the columns are 'who'",
    "plan PLACE --unevenness 2": "between 0 and 3/16",
    "plan PLACE --layer one": "--layer names a layer of --regions",
    "plan PLACE --max-records 0": "--max-records must be a whole",
    "plan PLACE --neighbours none": "neighbours must be",
    "plan PLACE -o taken.tif": "one of .csv .png",
    "plan PLACE -o taken.csv": "--force",
    "query": "Missing argument 'RELEASE'",
    "query taken.tif": "Missing argument 'REGIONS'",
    "query nothing.tif regions.geojson": "there is no nothing.tif",
    "query taken.tif regions.geojson": "not a GeoTIFF",
    "info": "Missing argument 'RELEASE'",
    "info points.geojson": "a release opens from one of",
    "demo taken.tif": "cannot be made",
    "audit --runs 0": "0 is not in the range",
    "audit --epsilon much": "epsilon must be a finite number",
    "ledger show who --ledger book": "there is no book",
    "ledger register who": "Missing option '--cap'",
    "nonsense": "there is no command 'nonsense'; see",
    "releas": "did you mean 'release'?",
    "--nonsense": "No such option",
}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", REFUSALS)
def test_refusals_are_one_sentence_in_the_words_of_the_command_line(command):
    words = command.replace("FRAME", FRAME).replace("PLACE", PLACE).split()
    done = CliRunner().invoke(main, words, prog_name="geodp")
    assert done.exit_code == 2, done.output
    lines = [line for line in done.output.splitlines() if not line.endswith(" ...")]
    assert len(lines) == 1, done.output
    assert REFUSALS[command] in lines[0]
    assert re.match(r"Error: .*[.]$", lines[0])
    message = re.sub(
        r"'[^']*'|-a_srs|\S+\.(parquet|shp)", "", lines[0]
    )  # values, and names of files
    assert not PYTHON.search(message), lines[0]
    assert "secret" not in done.output
    assert not Path("new.tif").exists()
    assert Path("taken.tif").read_text() == "mine"


@pytest.mark.usefixtures("files")
def test_a_length_with_a_unit_is_a_cell_size(tmp_path):
    words = f"release points.geojson {FRAME} -o {tmp_path}/a.tif --cell-sizes 0.02km,50 --quiet"
    done = CliRunner().invoke(main, words.split())
    assert (done.exit_code, done.output) == (0, "")
    reopened = geodp.open_release(tmp_path / "a.tif")
    assert [grid.cell_size for grid in reopened.method.candidates] == [20, 50]
    assert "5km" in CliRunner().invoke(main, ["release", "--help"]).output


@pytest.mark.usefixtures("files")
def test_what_looks_like_a_mistake_can_be_meant(tmp_path):
    words = f"release points.geojson {FRAME} --bounds 0 0 60 40 --epsilon 20 --quiet"
    done = CliRunner().invoke(main, [*words.split(), "--yes", "-o", str(tmp_path / "a.tif")])
    assert (done.exit_code, done.output) == (0, "")
    assert geodp.open_release(tmp_path / "a.tif").epsilon == 20
    done = CliRunner().invoke(main, [*f"plan {PLACE} --bounds 0 0 60 40 --yes".split()])
    assert done.exit_code == 0


def test_every_command_prints_through_the_one_place_that_disarms_text():
    """A stranger's file must not steer the terminal, whichever command tells of it."""
    for path in sorted(Path(geodp.cli.__file__).parent.glob("*.py")):
        if path.name != "words.py":
            assert "click.echo(" not in path.read_text(encoding="utf-8"), path.name


def test_no_zero_on_the_terminal_has_a_minus():
    assert [_tenths(value) for value in (-0.04, 0.04, -0.06, 1234.56)] == [
        *("0.0", "0.0", "-0.1", "1,234.6")
    ]
