"""``geodp check``: a private look at points by whoever holds them."""

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
    SNAP,
    cell_options,
    domain_given,
    option_name,
    tuning_options,
    workload_given,
)
from .people import amount_given, check_people, people_options, protection_given
from .points import columns_alone, points_given, points_options
from .words import echo, private_look

if TYPE_CHECKING:
    from ..core.space.domain import Domain

_CELLS = ("cells", "resolution", "sizes", "cell_sizes", "regions", "tuner", "tuning_share")


@click.command(cls=Sectioned)
@click.argument("points", nargs=-1, required=True)
@click.option(
    "--bounds",
    nargs=4,
    type=COORDINATE,
    metavar="XMIN YMIN XMAX YMAX",
    help="Public rectangle that the points should lie in, in units of --crs.",
)
@click.option("--crs", help="Projected CRS of the release, such as EPSG:5070.")
@SNAP
@click.option("--within", type=FILE, help="Where records can be, as for a release.")
@district_options
@hexagon_options
@cell_options
@click.option("--regions", type=FILE, help="Polygons that one grid shall suit, as for a release.")
@tuning_options
@points_options
@group_options
@people_options
def check(**given: Any) -> None:
    """Look privately whether POINTS are read rightly.

    Are columns, numbers, axes and CRS what they were said to be, and are there records in each of
    the groups that --by divides them into? How large are amounts, and how many records has a
    person? For whoever holds the data: what is shown is private. Nothing is written and nothing is
    spent. Cells, persons and amounts are given as for geodp release, and refused as there.

    \b
    Example:
      geodp check visits.csv --x lon --y lat --points-crs EPSG:4326 \\
            --bounds 490000 5390000 510000 5410000 --crs EPSG:32633 --person who
    """
    from ..core.records.divisions import grouped
    from ..sources.look import look

    check_people(given)
    if (given["bounds"] is None) != (given["crs"] is None):
        raise Refusal("--bounds and --crs say together where points should be; give both or none.")
    for name in ("within", "snap"):
        if given[name] is not None and given["bounds"] is None and given["districts"] is None:
            raise Refusal(f"--{name} goes with --bounds and --crs; give all of them.")
    domain, districts = _place(given)
    alone = columns_alone(given)
    protection_given(given)  # refuses what a release would
    limits: dict[str, Any] = {"person": given["person"], "districts": districts}
    limits["max_records"] = given["max_records"]
    groups = grouped(groups_given(given))
    if given["between"] is not None and given["amount"] is None:
        raise Refusal("--between gives the bounds of an amount; name its field with --amount.")
    if given["amount"] is not None:
        bounded = given["between"] is not None
        any_bounds = {"between": (0, 1), "unit": None}  # any do for a look at the field
        limits["amount"] = amount_given(given if bounded else {**given, **any_bounds})
        limits["bounded"] = bounded
    sentences = (
        [alone] if alone else list(look(points_given(given), domain, **limits, groups=groups))
    )
    echo(private_look(sentences))


def _place(given: dict[str, Any]) -> tuple[Domain | None, Any]:
    """Return where points should be, and the districts they are counted in, as for a release."""
    districts = districts_given(given)
    are_polygons(given)  # refuses kinds that exclude each other
    if districts is not None:
        cells_in(districts, given)  # refuses what a release would
        return districts.cells.domain, districts.cells
    if given["bounds"] is None:
        for name in ("candidate", "hexagons", "h3", *_CELLS):
            if given[name] is not None:
                raise Refusal(
                    f"{option_name(name)} is about cells inside of --bounds and --crs; give both."
                )
        return None, None
    domain = domain_given(given)
    workload = workload_given(given["regions"], domain)
    cells_given(given, domain, workload)  # refuses what a release would
    return domain, None
