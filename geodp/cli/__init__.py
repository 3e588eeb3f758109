"""The command line: each command parses, makes one library call, prints.

Libraries are imported inside the commands, so that ``geodp --help`` answers at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.version import __version__
from .group import Commands, Refusal
from .progress import Steps

if TYPE_CHECKING:
    from ..core.domain import Domain
    from ..core.grid import Grid


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="geodp")
def main() -> None:
    """Publish maps of counts without giving anybody away.

    \b
    Begin with:    geodp demo
    Your own data: geodp release --help
    """


def _domain_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option(
            "--bounds",
            nargs=4,
            type=float,
            required=True,
            metavar="XMIN YMIN XMAX YMAX",
            help="Public rectangle in units of the CRS; never read off the points.",
        ),
        click.option("--crs", required=True, help="Projected CRS, such as EPSG:5070."),
        click.option("--sizes", help="Divisions per axis to choose from: 30,40,50 or 30x60,40x80."),
        click.option("--cell-sizes", help="Sides of square cells in CRS units: 500,1000,2000."),
    )
    for option in reversed(options):
        command = option(command)
    return command


QUIET = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
FORCE = click.option("--force", is_flag=True, help="Replace files that exist.")
FILE = click.Path(path_type=Path)


@main.command()
@click.argument("points", nargs=-1, required=True)
@_domain_options
@click.option("--epsilon", required=True, help="Privacy budget: smaller is more private.")
@click.option("--x", help="Column of x coordinates in a table, such as a CSV file.")
@click.option("--y", help="Column of y coordinates.")
@click.option("--points-crs", help="CRS of x and y, or of a layer that states none.")
@click.option("--layer", help="Layer of a points file that holds several; table of a database.")
@click.option("--sql", help="Query of a database.")
@click.option("--scheduler", help="Dask scheduler that counts the files: tcp://…")
@click.option("--regions", type=FILE, help="Polygons that should come out well; public.")
@click.option("--tuner", default="influence", show_default=True, help="influence or e2epriv.")
@click.option("--tuning-share", help="Part of epsilon for choosing the grid, between 0 and 1.")
@click.option("--one-each", is_flag=True, help="Nobody has more than one record: do not ask.")
@click.option("--person", help="Field that says whose record it is: people are protected.")
@click.option("--max-records", type=int, help="Records that a person may keep, or a MultiPoint.")
@click.option("--neighbours", default="add-remove", show_default=True, help="Or replace.")
@click.option("--noise", default="geodp", show_default=True, help="Sampler: geodp or opendp.")
@click.option(
    "-o",
    "--output",
    "outputs",
    type=FILE,
    multiple=True,
    required=True,
    help="File to write: .tif .gpkg .parquet .geojson .fgb .shp .png; may be repeated.",
)
@click.option("--density", type=FILE, help="Also write records per km² (.tif), a derived view.")
@click.option("--clamped", type=FILE, help="Also write counts without negatives (.tif), derived.")
@click.option("--report", type=FILE, help="Also write a page that explains the release (.html).")
@click.option("--ledger", type=FILE, help="Ledger to record the spend in, with --dataset.")
@click.option("--dataset", help="Name of the dataset in the ledger.")
@click.option("--boundary", type=FILE, help="Public outline for the map in .png and report.")
@QUIET
@FORCE
@click.option("--seed", type=int, hidden=True)
def release(**given: Any) -> None:
    """Count POINTS on a privately chosen grid and write the noisy counts.

    POINTS is any vector file, GeoParquet, or CSV with --x, --y and --points-crs; several of them,
    or a folder; a database, as postgresql://… or a .duckdb file. All outputs come from one release:
    epsilon is spent once.

    \b
    Example:
      geodp release places.gpkg --bounds -2400000 200000 2300000 3200000 \\
            --crs EPSG:5070 --epsilon 1 -o counts.tif -o counts.gpkg --report report.html
    """
    from ..core.ledger import Ledger
    from ..core.pipeline import release as make
    from ..outputs.several import Outputs
    from ..sources.layers import read_boundary

    _ask_about_people(given)
    domain, grids = _grids(given)
    workload = _workload(given["regions"], domain)
    boundary = read_boundary(given["boundary"], domain)
    outputs = Outputs(
        given["outputs"],
        density=given["density"],
        clamped=given["clamped"],
        report=given["report"],
        overwrite=given["force"],
    )
    outputs.check()  # before the points are read: nothing must be spent for nothing
    with Steps(5 + len(outputs), quiet=given["quiet"]) as say:
        made = make(
            _points(given),
            grids=grids,
            epsilon=given["epsilon"],
            workload=workload,
            tuner=given["tuner"],
            tuning_share=given["tuning_share"],
            noise=given["noise"],
            neighbours=given["neighbours"],
            person=given["person"],
            max_records=given["max_records"],
            ledger=None if given["ledger"] is None else Ledger(given["ledger"]),
            dataset=given["dataset"],
            points_crs=given["points_crs"],
            layer=given["layer"],
            x=given["x"],
            y=given["y"],
            sql=given["sql"],
            scheduler=given["scheduler"],
            seed=given["seed"],
            progress=say,
        )
        outputs.write(made, boundary, say)
    if made.seeded:
        click.echo(made.promise, err=True)
    elif not given["quiet"]:
        click.echo(f"{made.promise}\nWritten: {', '.join(map(str, outputs.paths))}")


@main.command()
@_domain_options
@click.option("-o", "--output", type=FILE, help="Also write the cells of each (.gpkg).")
@QUIET
@FORCE
def grids(**given: Any) -> None:
    """List the grids that a release would choose from. Reads no points, spends nothing.

    \b
    Example:
      geodp grids --bounds 0 0 20000 15000 --crs EPSG:32633 --cell-sizes 500,1000 -o grids.gpkg
    """
    from ..outputs.report import cell_size
    from ..outputs.vector import to_grids

    _, found = _grids(given)
    if given["output"] is not None:
        with Steps(1, quiet=given["quiet"]) as say:
            say(f"writing {given['output'].name}")
            to_grids(found, given["output"], overwrite=given["force"])
    if not given["quiet"]:
        for grid in found:
            click.echo("{} × {} cells of {}".format(*grid.shape, cell_size(grid)))


@main.command()
@click.argument("release", type=FILE)
@click.argument("regions", type=FILE)
@click.option("--layer", help="Layer of a regions file that holds several.")
@click.option("-o", "--output", type=FILE, help="File to write: a vector format or .csv.")
@click.option("--json", "as_json", is_flag=True, help="Print the answers as JSON.")
@QUIET
@FORCE
def query(
    release: Path,
    regions: Path,
    layer: str | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    force: bool,
) -> None:
    """Estimate the records in each of REGIONS, with error bars. Costs nothing.

    \b
    Example:
      geodp query counts.tif districts.gpkg -o answers.gpkg
    """
    from ..outputs.reopen import open_release
    from ..outputs.vector import to_answers
    from ..sources.layers import read_layer

    made = open_release(release)
    answers = made.query(read_layer(regions, "regions", layer))
    if output is not None:
        with Steps(1, quiet=quiet) as say:
            say(f"writing {output.name}")
            to_answers(made, answers, output, overwrite=force)
    table = answers.drop(columns=answers.geometry.name)
    if as_json:
        click.echo(table.to_json(orient="records"))
    elif output is None and not quiet:
        click.echo(table.to_string(index=False, float_format="{:,.1f}".format))


@main.command()
@click.argument("release", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")
def info(release: Path, as_json: bool) -> None:
    """Say what a written release promises and how far to trust it.

    \b
    Example:
      geodp info counts.tif
    """
    from ..outputs.reopen import open_release
    from ..outputs.several import facts_of

    made = open_release(release)
    facts = facts_of(made)
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    click.echo(made.promise)
    for key, value in facts.items():
        if key != "promise":
            click.echo(f"{key.replace('_', ' ')}: {_in_words(value)}")


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


@main.command()
@click.argument("folder", type=FILE, default=Path("geodp-demo"))
@QUIET
@FORCE
def demo(folder: Path, quiet: bool, force: bool) -> None:
    """Make a first release from the sample data, with a map and a report.

    \b
    Example:
      geodp demo my-first-map
    """
    from ..demo import FILES, STEPS, sample_data
    from ..demo import demo as run

    with Steps(STEPS, quiet=quiet) as say:
        run(folder, say, overwrite=force or folder == Path("geodp-demo"))
    if not quiet:
        districts = sample_data() / "us_districts.gpkg"
        click.echo(f"Made in {folder}: {', '.join(FILES)}.")
        click.echo(f"Look at {folder / 'report.html'}, or drag {folder / 'counts.gpkg'} into QGIS.")
        click.echo(f"Try next: geodp query {folder / 'counts.tif'} {districts}")


def _ask_about_people(given: dict[str, Any]) -> None:
    """Ask a person at a terminal whose records these are; scripts say it with options."""
    said = given["one_each"] or given["person"] or given["max_records"]
    if given["one_each"] and given["person"]:
        raise Refusal("--one-each and --person exclude each other; give one of them.")
    if said or given["quiet"] or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if click.confirm("Can one person have more than one record?", err=True):
        given["person"] = click.prompt("Which field says whose record it is?", err=True)
        given["max_records"] = click.prompt("At most how many records each?", type=int, err=True)


def _grids(given: dict[str, Any]) -> tuple[Domain, tuple[Grid, ...]]:
    from ..core.domain import Domain
    from ..core.grid import candidate_grids

    domain = Domain(given["bounds"], crs=given["crs"])
    sizes, cell_sizes = _numbers(given["sizes"]), _numbers(given["cell_sizes"])
    return domain, candidate_grids(domain, sizes=sizes, cell_sizes=cell_sizes)


def _numbers(text: str | None) -> Any:
    """``30,40`` as numbers, ``30x60`` as a pair."""
    if text is None:
        return None
    try:
        parts = [[_number(word) for word in part.split("x")] for part in text.split(",")]
    except ValueError:
        raise Refusal(f"sizes are numbers with commas between them; got {text!r}.") from None
    return [tuple(part) if len(part) > 1 else part[0] for part in parts]


def _number(word: str) -> int | float:
    return int(word) if word.strip().isdecimal() else float(word)


def _workload(regions: Path | None, domain: Domain) -> Any:
    from ..core.workload import Workload
    from ..sources.layers import read_layer

    if regions is None:
        return None
    return Workload.from_geodataframe(read_layer(regions, "regions"), domain)


def _points(given: dict[str, Any]) -> Any:
    """A database or paths for the library to read, if the options go with them."""
    from ..core.points import POSTGRES
    from ..sources.files import TEXT

    words: tuple[str, ...] = given["points"]
    if words[0].startswith(POSTGRES):
        return words[0]
    paths = [Path(word) for word in words]
    text = all(path.name.lower().endswith(TEXT) for path in paths)
    named = (given["x"], given["y"])
    if text and None in (*named, given["points_crs"]):
        raise Refusal("a CSV file needs --x, --y and --points-crs; at least one is missing.")
    if any(named) and paths[0].suffix.lower() in _WITH_GEOMETRY:
        raise Refusal("--x and --y name columns of a table; POINTS has geometries: leave them out.")
    return paths[0] if len(paths) == 1 else paths


_WITH_GEOMETRY = (".gpkg", ".shp", ".geojson", ".json", ".fgb", ".kml", ".gml")
