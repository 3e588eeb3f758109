"""``geodp check``: a private look at points by whoever holds them."""

from __future__ import annotations

from typing import Any

import click

from .districts import district_options, districts_given
from .group import Refusal
from .groups import group_options, groups_given
from .options import FILE, SNAP, domain_given
from .points import columns_alone, points_given, points_options
from .words import echo, private_look


@click.command()
@click.argument("points", nargs=-1, required=True)
@click.option(
    "--bounds",
    nargs=4,
    type=float,
    metavar="XMIN YMIN XMAX YMAX",
    help="Public rectangle that the points should lie in, in units of --crs.",
)
@click.option("--crs", help="Projected CRS of the release, such as EPSG:5070.")
@SNAP
@click.option("--within", type=FILE, help="Where records can be, as for a release.")
@district_options
@points_options
@group_options
@click.option("--person", help="Field that says whose record it is.")
@click.option("--max-records", type=int, help="As how many records a person may count.")
@click.option("--amount", help="Field that shall be added up.")
@click.option("--between", nargs=2, metavar="LOW HIGH", help="Public bounds of the amount.")
def check(**given: Any) -> None:
    """Look privately whether POINTS are read rightly.

    Are columns, numbers, axes and CRS what they were said to be, and are there records in each of
    the groups that --by divides them into? How large are amounts, and how many records has a
    person? For whoever holds the data: what
    is shown is private. Nothing is written and nothing is spent.

    \b
    Example:
      geodp check visits.csv --x lon --y lat --points-crs EPSG:4326 \\
            --bounds 490000 5390000 510000 5410000 --crs EPSG:32633 --person who
    """
    from ..core.records.amounts import Amount
    from ..core.records.divisions import grouped
    from ..sources.look import look

    if (given["bounds"] is None) != (given["crs"] is None):
        raise Refusal("--bounds and --crs say together where points should be; give both or none.")
    for name in ("within", "snap"):
        if given[name] is not None and given["bounds"] is None and given["districts"] is None:
            raise Refusal(f"--{name} goes with --bounds and --crs; give all of them.")
    districts = districts_given(given)
    domain = None if given["bounds"] is None else domain_given(given)
    if districts is not None:
        domain = districts.cells.domain
    alone = columns_alone(given)
    limits = {"person": given["person"], "max_records": given["max_records"]}
    groups = grouped(groups_given(given))
    limits["districts"] = None if districts is None else districts.cells
    if given["between"] is not None and given["amount"] is None:
        raise Refusal("--between gives the bounds of an amount; name its field with --amount.")
    if given["amount"] is not None:
        limits["amount"] = Amount(given["amount"], *(given["between"] or (0, 1)))
        limits["bounded"] = given["between"] is not None
    sentences = (
        [alone] if alone else list(look(points_given(given), domain, **limits, groups=groups))
    )
    echo(private_look(sentences))
