"""``geodp release``: points in, noisy counts out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .districts import cells_in, district_options, districts_given
from .group import Refusal
from .groups import group_options, groups_given
from .help import Sectioned
from .hexagons import are_polygons, cells_given, hexagon_options
from .options import (
    COORDINATE,
    FILE,
    FORCE,
    GREY,
    LANGUAGE,
    QUIET,
    YES,
    about_given,
    about_options,
    answered,
    at_terminal,
    cell_options,
    confirm,
    domain_given,
    frame_options,
    offer_folders,
    outputs_option,
    refuse_overwriting_inputs,
    refuse_overwriting_releases,
    tuning_options,
    workload_given,
)
from .people import amount_given, check_people, people_options, protection_given
from .points import points_given, points_options
from .progress import Steps
from .words import echo, private_look

if TYPE_CHECKING:
    from ..core.pipeline.choice_kind import Choice
    from ..core.pipeline.district_kind import Districts
    from ..core.pipeline.kinds import Kind
    from ..core.space.domain import Domain

_READ = ("within", "districts", "candidate", "regions", "boundary", "labels", "ledger")
"""Options that name files beside the points."""


@click.command(cls=Sectioned)
@click.argument("points", nargs=-1, required=True)
@frame_options
@click.option("--epsilon", required=True, help="Privacy budget: smaller is more private.")
@district_options
@hexagon_options
@cell_options
@click.option("--regions", type=FILE, help="Polygons that one grid shall suit; public.")
@tuning_options
@points_options
@click.option("--scheduler", help="Dask scheduler that counts the files: tcp://…")
@group_options
@people_options
@click.option("--noise", default="geodp", show_default=True, help="Sampler: geodp or opendp.")
@outputs_option(
    "Files: .tif .gpkg .parquet .geojson .fgb .shp .csv .png .pdf .svg .html .pmtiles .mbtiles.",
    required=True,
)
@click.option("--pixel", help="Longest side of pixels in .tif: 100 in CRS units, or 100m, 1km.")
@click.option(
    "--view",
    default="best",
    show_default=True,
    help="Map: best, smooth, dots, signed, error, mean, share.",
)
@GREY
@click.option("--width", type=float, help="Inches across the map in .png, .pdf and .svg.")
@click.option("--dpi", type=float, help="Dots in an inch of the map in .png.")
@click.option("--font", help="Family of fonts of the map.")
@click.option("--labels", type=FILE, help="Public layer of names to write on the map.")
@click.option(
    "--inset",
    "insets",
    type=COORDINATE,
    nargs=4,
    multiple=True,
    metavar="XMIN YMIN XMAX YMAX",
    help="Part of the map to draw larger below it; may be repeated.",
)
@click.option("--north", is_flag=True, help="Draw an arrow to the north on the map.")
@click.option("--density", type=FILE, help="Also write records per km² (.tif), a derived view.")
@click.option("--clamped", type=FILE, help="Also write counts without negatives (.tif), derived.")
@click.option("--smooth", type=FILE, help="Also write a smoothed picture (.tif), a derived view.")
@click.option("--dots", type=FILE, help="Also write synthetic points; none is a real place.")
@click.option("--report", type=FILE, help="Also write a page that explains the release (.html).")
@LANGUAGE
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
    or a folder; a database, as postgresql://… or a .duckdb file.

    With --districts each polygon of a public layer gets one count. Without them, --bounds say
    where; cells are then fine where records crowd and coarse where there are few. --hexagons, --h3
    and --cell-sizes ask for others, --candidate for one of several layers; "Sums and means" and
    "Groups" for more than one count of each.

    All outputs, and all groups, come from one release: epsilon is spent once.

    \b
    Example:
      geodp release places.gpkg --districts counties.gpkg --epsilon 1 -o counts.gpkg -o counts.csv
      geodp release places.gpkg --bounds -2400000 200000 2300000 3200000 \\
            --crs EPSG:5070 --epsilon 1 -o counts.tif -o counts.gpkg --report report.html
    """
    from ..core.pipeline.pipeline import release as make
    from ..core.records.divisions import grouped
    from ..core.releases.about import About
    from ..outputs.several import Outputs
    from ..sources.layers import read_boundary, read_labels, read_layer

    _ask_about_people(given)
    _check(given)
    districts = districts_given(given)
    arguments = _arguments(given, districts)
    groups = grouped(arguments["by"])
    domain = arguments["domain"] if districts is None else districts.cells.domain
    boundary = read_boundary(given["boundary"], domain)
    read_labels(given["labels"], domain)  # refuses a layer without names
    outputs = Outputs(
        given["outputs"],
        density=given["density"],
        clamped=given["clamped"],
        smooth=given["smooth"],
        report=given["report"],
        dots=given["dots"],
        overwrite=given["force"],
        groups=() if groups is None else groups.names,
        domain=domain,
        pixels=districts is None and not are_polygons(given),
        h3_integers=given["h3_integers"],
        pixel=_pixel(given["pixel"], domain),
        view=given["view"],
        width=given["width"],
        dpi=given["dpi"],
        font=given["font"],
        labels=None if given["labels"] is None else read_layer(given["labels"], "labels"),
        insets=given["insets"],
        north=given["north"],
        grey=given["grey"],
        language=given["language"],
        amounts=given["amount"] is not None,
    )
    about = about_given(given)
    About().but(about)  # refuses words that cannot be kept
    refuse_overwriting_inputs([*given["points"], *map(given.get, _READ)], outputs.paths)
    refuse_overwriting_releases(outputs.paths, force=given["force"])
    offer_folders(outputs.paths, quiet=given["quiet"])
    outputs.check()  # before the points are read: nothing must be spent for nothing
    _offer_check(given, {**arguments, "domain": domain}, groups)
    with Steps(5 + len(outputs), quiet=given["quiet"]) as say:
        published = make(**arguments, progress=say).with_about(**about)
        outputs.write(published, boundary, say, given["regions"])
    if published.seeded:
        echo(f"{published.promise}\n{published.counted}", err=True)
    elif not given["quiet"]:
        written = ", ".join(map(str, outputs.paths))
        echo(f"{published.promise}\n{published.counted}\nWritten: {written}")


def _pixel(given: str | None, domain: Any) -> float | None:
    """Return the longest side of a pixel, in units of the CRS."""
    from ..core.space.sizes import parse_length

    return None if given is None else parse_length(given, domain.crs)


def _ask_about_people(given: dict[str, Any]) -> None:
    """Ask a person at a terminal whose records these are; scripts say it with options."""
    settled = given["one_each"] or given["person"] or given["max_records"]
    settled = settled or given["place"] or given["visits"]  # _check wants a person for them
    if settled or given["quiet"] or not at_terminal():
        return
    remedy = "pass --one-each, or --person"
    if confirm("Can one person have more than one record?", remedy):
        with answered(remedy):
            given["person"] = click.prompt("Which field says whose record it is?", err=True)


def _offer_check(given: dict[str, Any], arguments: dict[str, Any], groups: Any) -> None:
    """Offer a private look at groups and amounts: where no value fits, epsilon buys noise."""
    from ..sources.look import look

    amount = arguments["amount"]
    if groups is None and amount is None:
        return
    if given["quiet"] or given["yes"] or not at_terminal():
        return
    subject = "large amounts are" if groups is None else "many records are in each group"
    question = f"Look privately how {subject}, before epsilon is spent?"
    if not confirm(question, "pass --yes"):
        return
    person = arguments["protect"].person
    about = {"person": person, "groups": groups, "amount": amount}
    sentences = look(arguments["points"], arguments["domain"], **about)
    echo(private_look(list(sentences)), err=True)
    if not confirm("Go on, and spend epsilon?", "pass --yes"):
        raise Refusal("nothing was released, and no epsilon is spent.")


def _check(given: dict[str, Any]) -> None:
    """Refuse options that do not go together, before anything is opened."""
    check_people(given)
    if (given["amount"] is None) != (given["between"] is None):
        raise Refusal("--amount and --between go together: a field and its public bounds.")
    if given["view"] == "mean" and given["amount"] is None:
        raise Refusal("a map of means needs an amount; name its field with --amount.")
    if given["view"] == "share" and not given["by"]:
        raise Refusal("a map of shares needs groups; name their field with --by.")
    are_polygons(given)
    if (given["ledger"] is None) != (given["dataset"] is None):
        raise Refusal("--ledger and --dataset go together; give both or none.")
    if (given["x"] is None) != (given["y"] is None):
        raise Refusal("--x and --y name the columns of coordinates together; give both or none.")


def _arguments(given: dict[str, Any], districts: Districts | None) -> dict[str, Any]:
    """Return the arguments of ``geodp.release``: the one place that knows both sets of names."""
    domain: Domain | None = None
    cells: Kind | Choice
    if districts is not None:
        cells = cells_in(districts, given)
    else:
        domain = domain_given(given)
        workload = workload_given(given["regions"], domain)
        cells = cells_given(given, domain, workload)
    return {
        "points": points_given(given),
        "domain": domain,
        "cells": cells,
        "epsilon": given["epsilon"],
        "by": groups_given(given),
        "amount": amount_given(given),
        "protect": protection_given(given),
        "account": _account(given),
        "noise": given["noise"],
        "seed": given["seed"],
        "force": given["yes"],
    }


def _account(given: dict[str, Any]) -> Any:
    from ..core.privacy.ledger import Ledger

    if given["ledger"] is None:
        return None
    written = ", ".join(path.name for path in given["outputs"])
    return Ledger(given["ledger"])[given["dataset"]].with_note(written)
