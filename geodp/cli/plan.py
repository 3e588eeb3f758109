"""``geodp plan``: what error to expect, before anything is spent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from .districts import cells_in, district_options, districts_given
from .group import Refusal
from .groups import group_options, groups_given
from .help import Sectioned
from .hexagons import are_polygons, cells_given, hexagon_options, polygons_given
from .options import (
    FILE,
    FORCE,
    JSON,
    QUIET,
    YES,
    cell_options,
    domain_given,
    frame_options,
    outputs_option,
    tuning_options,
)
from .people import amount_given, check_people, people_options, protection_given
from .progress import Steps
from .words import echo


@click.command(cls=Sectioned, first=("regions",))
@frame_options
@district_options
@hexagon_options
@cell_options
@click.option("--regions", type=FILE, help="Polygons that will be asked about; public.")
@click.option("--layer", help="Layer of a regions file that holds several.")
@click.option("--epsilons", default="0.1,0.3,1,3", show_default=True, help="Budgets to compare.")
@click.option(
    "--expected",
    help="Records to expect, a public guess: a number in all, or a field of the regions; with "
    "--between, in one district or hexagon.",
)
@click.option("--unevenness", type=float, help="From 0 (even) to 0.1875; 0.08 is usual.")
@group_options
@people_options
@tuning_options
@outputs_option("File to write: .csv (errors of each region) or .png (a chart); may be repeated.")
@JSON
@YES
@QUIET
@FORCE
def plan(**given: Any) -> None:
    """Say what error to expect, before anything is spent. Reads no points.

    Adaptive cells come first, then the sizes of one regular grid; --cells, or an option of one of
    them, asks for that kind alone. The noise of a grid is what the release will state. With a guess
    of how many records there are, the whole error is foreseen too, and which cells would suit; of
    adaptive cells nothing is known without one. Of --districts, --hexagons and --h3 all is known,
    exactly; of an amount --between two bounds the error of sums, and that of means for some numbers
    of records. Persons and groups are given as for geodp release: all groups share epsilon, and
    errors are of each.

    \b
    Example:
      geodp plan --bounds -2400000 200000 2300000 3200000 --crs EPSG:5070 \\
            --regions states.gpkg --expected 10000 --epsilons 0.1,1,3 -o plan.csv -o plan.png
    """
    from ..core.common.atomic import check_target, known_suffix
    from ..core.forecasts.forecast import forecast
    from ..core.records.divisions import grouped

    for path in given["outputs"]:
        known_suffix(path, (".csv", ".png"))
        check_target(path, overwrite=given["force"])
    check_people(given)
    groups = grouped(groups_given(given))
    errors = forecast(**_arguments(given))
    with Steps(len(given["outputs"]), quiet=given["quiet"]) as say:
        for path in given["outputs"]:
            say(f"writing {path.name}")
            _write(errors, path, given["force"])
    if given["as_json"]:
        named = {} if groups is None else {"groups": list(groups.names)}
        echo(json.dumps({**errors.as_dict(), **named}, ensure_ascii=False, indent=2))
    elif not given["quiet"]:
        echo(errors.as_text())
        if groups is not None:
            echo(
                f"These are the errors of each of {len(groups):,} groups, which share epsilon; "
                "records to expect are those of one group."
            )


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``geodp.forecast``."""
    from ..core.pipeline.kinds import KINDS, Adaptive

    common = {
        "epsilons": given["epsilons"].replace(",", " ").split(),
        "force": given["yes"],
        "protect": _protection(given),
    }
    # Of an amount in districts, the records to expect say how well its means will be known.
    counted = {**given, "expected": None} if given["between"] is not None else given
    districts = districts_given(counted)
    if districts is not None:
        if given["layer"] is not None:
            raise Refusal("--layer names a layer of --regions; there are none: leave it out.")
        return {"cells": cells_in(districts, counted), **common, **_amount(given)}
    if are_polygons(given):
        if given["expected"] is not None and given["between"] is None:
            raise Refusal(
                "--expected is about other cells than hexagons, whose error is the same whatever "
                "they hold: leave it out."
            )
        domain = domain_given(given)
        hexagons = polygons_given(given, domain, None)
        return {"domain": domain, "cells": hexagons, **common, **_amount(given)}
    if given["between"] is not None:
        raise Refusal(
            "--between is about sums in districts or hexagons: add --districts, --hexagons or --h3."
        )
    domain = domain_given(given)
    one = cells_given(given, domain)
    named = any(given[name] is not None for name in ("cells", "resolution"))
    both = not named and isinstance(one, Adaptive)  # nothing was said about cells
    optional = {name: given[name] for name in ("unevenness",) if given[name] is not None}
    return {
        "domain": domain,
        "regions": _regions(given),
        "cells": list(KINDS) if both else one,
        "expected": _expected(given),
        **optional,
        **common,
    }


def _amount(given: dict[str, Any]) -> dict[str, Any]:
    """Return the amount that would be added up, and the records that a district may have."""
    amount = amount_given(given)
    return {} if amount is None else {"amount": amount, "expected": _expected(given)}


def _protection(given: dict[str, Any]) -> Any:
    """Return what is protected: persons and features of as many records get the same noise."""
    unnamed = given["person"] is None and given["max_records"] is not None
    return protection_given({**given, "person": "any"} if unnamed else given)


def _regions(given: dict[str, Any]) -> Any:
    from ..sources.layers import read_layer

    if given["regions"] is not None:
        return read_layer(given["regions"], "regions", given["layer"])
    if given["layer"] is not None:
        raise Refusal("--layer names a layer of --regions; give both or leave it out.")
    return None


def _expected(given: dict[str, Any]) -> Any:
    """Return a number of records, or else the name of a field."""
    text = given["expected"]
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        if given["regions"] is None:
            raise Refusal(
                f"--expected must be a number of records, or a field of --regions; got {text!r} "
                "without --regions."
            ) from None
        return text


def _write(errors: Any, path: Path, overwrite: bool) -> None:
    from ..outputs.forecast import to_csv, to_png

    write = to_csv if path.suffix.lower() == ".csv" else to_png
    write(errors, path, overwrite=overwrite)
