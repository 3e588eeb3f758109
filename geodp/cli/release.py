"""``geodp release``: points in, noisy counts out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from .group import Refusal
from .groups import group_options, groups_given
from .options import (
    CELLS,
    FILE,
    FORCE,
    QUIET,
    YES,
    about_of,
    about_options,
    domain_of,
    frame_of,
    frame_options,
    grids_of,
    refuse_overwriting_inputs,
)
from .points import points_of, points_options
from .progress import Steps

_READ = ("within", "regions", "boundary", "ledger")
"""Options that name files beside the points."""


@click.command()
@click.argument("points", nargs=-1, required=True)
@frame_options
@CELLS
@click.option("--epsilon", required=True, help="Privacy budget: smaller is more private.")
@points_options
@click.option("--scheduler", help="Dask scheduler that counts the files: tcp://…")
@click.option("--regions", type=FILE, help="Polygons that should come out well; public.")
@click.option("--tuner", help="Way to choose the grid: influence (default) or e2epriv.")
@click.option("--tuning-share", help="Part of epsilon for choosing the grid, between 0 and 1.")
@group_options
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
@about_options
@YES
@QUIET
@FORCE
@click.option("--seed", type=int, hidden=True)
def release(**given: Any) -> None:
    """Count POINTS in privately chosen cells and write the noisy counts.

    POINTS is any vector file, GeoParquet, or CSV with --x, --y and --points-crs; several of them,
    or a folder; a database, as postgresql://… or a .duckdb file. All outputs come from one release:
    epsilon is spent once. So it is for all groups together, where --by names a field.

    \b
    Example:
      geodp release places.gpkg --bounds -2400000 200000 2300000 3200000 \\
            --crs EPSG:5070 --epsilon 1 -o counts.tif -o counts.gpkg --report report.html
    """
    from ..core.releases.about import About
    from ..core.releases.pipeline import release as make
    from ..outputs.several import Outputs
    from ..sources.layers import read_boundary

    _ask_about_people(given)
    _check(given)
    arguments = _arguments(given)
    boundary = read_boundary(given["boundary"], arguments["domain"])
    outputs = Outputs(
        given["outputs"],
        density=given["density"],
        clamped=given["clamped"],
        report=given["report"],
        overwrite=given["force"],
        groups=() if arguments["by"] is None else arguments["by"].names,
    )
    about = about_of(given)
    About().but(about)  # refuses words that cannot be kept
    refuse_overwriting_inputs([*given["points"], *map(given.get, _READ)], outputs.paths)
    outputs.check()  # before the points are read: nothing must be spent for nothing
    with Steps(5 + len(outputs), quiet=given["quiet"]) as say:
        made = make(**arguments, progress=say).with_about(**about)
        outputs.write(made, boundary, say, given["regions"])
    if made.seeded:
        click.echo(f"{made.promise}\n{made.counted}", err=True)
    elif not given["quiet"]:
        click.echo(f"{made.promise}\n{made.counted}\nWritten: {', '.join(map(str, outputs.paths))}")


def _ask_about_people(given: dict[str, Any]) -> None:
    """Ask a person at a terminal whose records these are; scripts say it with options."""
    said = given["one_each"] or given["person"] or given["max_records"]
    if said or given["quiet"] or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if click.confirm("Can one person have more than one record?", err=True):
        given["person"] = click.prompt("Which field says whose record it is?", err=True)
        given["max_records"] = click.prompt("At most how many records each?", type=int, err=True)


def _check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is opened."""
    if given["one_each"] and given["person"]:
        raise Refusal("--one-each and --person exclude each other; give one of them.")
    if given["person"] and given["max_records"] is None:
        raise Refusal("--person needs --max-records: how many records a person may keep.")
    if (given["ledger"] is None) != (given["dataset"] is None):
        raise Refusal("--ledger and --dataset go together; give both or none.")
    if (given["x"] is None) != (given["y"] is None):
        raise Refusal("--x and --y name the columns of coordinates together; give both or none.")


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """What ``geodp.release`` is called with: the one place that knows both sets of names."""
    domain = domain_of(given)
    adaptive = given["cells"] == "adaptive"
    return {
        "points": points_of(given),
        "domain": domain,
        "cells": frame_of(given, domain) if adaptive else given["cells"],
        "grids": None if adaptive else grids_of(given, domain),
        "epsilon": given["epsilon"],
        "workload": _workload(given["regions"], domain),
        "tuner": given["tuner"],
        "tuning_share": given["tuning_share"],
        "by": groups_given(given),
        "protect": _protection(given),
        "account": _account(given),
        "noise": given["noise"],
        "seed": given["seed"],
        "force": given["yes"],
    }


def _protection(given: dict[str, Any]) -> Any:
    from ..core.privacy.protection import Feature, Person, Record

    most, relation = given["max_records"], given["neighbours"]
    if given["person"]:
        return Person(given["person"], most, neighbours=relation)
    if most is not None:
        return Feature(most, neighbours=relation)
    return Record(neighbours=relation)


def _account(given: dict[str, Any]) -> Any:
    from ..core.privacy.ledger import Ledger

    if given["ledger"] is None:
        return None
    written = ", ".join(path.name for path in given["outputs"])
    return Ledger(given["ledger"])[given["dataset"]].with_note(written)


def _workload(regions: Path | None, domain: Any) -> Any:
    from ..core.regions.workload import Workload
    from ..sources.layers import read_layer

    if regions is None:
        return None
    return Workload.from_geodataframe(read_layer(regions, "regions"), domain)
