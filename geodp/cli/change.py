"""``geodp change``: what changed between two releases, or between two groups of one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal
from .options import (
    FILE,
    FORCE,
    JSON,
    LEVEL,
    QUIET,
    SKIP_INVALID,
    TOTAL,
    offer_folders,
    outputs_option,
    refuse_overwriting_inputs,
    refuse_overwriting_releases,
)
from .progress import Steps
from .query import answers_table, remark
from .words import echo

if TYPE_CHECKING:
    from ..core.releases.difference import Difference
    from ..core.releases.published import Published
    from ..core.releases.release import Release


@click.command()
@click.argument("earlier", type=FILE)
@click.argument("later", type=FILE, required=False)
@click.option("--from", "first", metavar="GROUP", help="Group of EARLIER to compare with.")
@click.option("--to", "second", metavar="GROUP", help="Group of LATER, or of the only file.")
@click.option("--regions", type=FILE, help="Also estimate the change in each of these regions.")
@LEVEL
@click.option("--density", is_flag=True, help="Also estimate the change per km².")
@click.option("--ratio", is_flag=True, help="Also estimate how many times as many there are.")
@TOTAL
@SKIP_INVALID
@click.option("--answers", type=FILE, help="File for the regions: a vector format or .csv.")
@click.option("--boundary", type=FILE, help="Public outline for the map in .png.")
@outputs_option("Map to write: .tif, .gpkg, .png, …")
@JSON
@QUIET
@FORCE
def change(**given: Any) -> None:
    """Subtract one release from a later one, with error bars. Costs nothing.

    Both must have the same bounds, CRS and places where records can be. Instead of a second file,
    --from and --to name two groups of one, which one epsilon bought. Of a file of groups without a
    named one all groups are added up. With --ratio regions get the later over the earlier count as
    well: a ratio of 1.2 is a change of +20 per cent.

    \b
    Example:
      geodp change 2024.tif 2025.tif -o change.tif -o change.png
      geodp change years.gpkg --from 2024 --to 2025 --regions districts.gpkg --ratio
    """
    from ..outputs.several import write_difference
    from ..sources.layers import read_boundary, read_layer

    if given["answers"] is not None and given["regions"] is None:
        raise Refusal("--answers are of regions; name their file with --regions.")
    if given["ratio"] and (given["regions"] is None or given["total"]):
        raise Refusal("--ratio is of each region; name their file with --regions, without --total.")
    read = [given[name] for name in ("earlier", "later", "regions", "boundary")]
    written = [*given["outputs"], given["answers"]]
    refuse_overwriting_inputs(read, written)
    refuse_overwriting_releases(written, force=given["force"])
    offer_folders(written, quiet=given["quiet"])
    difference = _difference(given)
    boundary = read_boundary(given["boundary"], difference.domain)
    words = {name: given[name] for name in ("level", "density", "total", "skip_invalid")}
    asked = None if given["regions"] is None else read_layer(given["regions"], "regions")
    answers = None if asked is None else difference.query(asked, **words)
    if given["ratio"]:
        options = {"level": given["level"], "skip_invalid": given["skip_invalid"]}
        answers = (difference.later / difference.earlier).query(answers, **options)
    listed = None if given["answers"] is None else (answers, given["answers"])
    with Steps(len(given["outputs"]) + (listed is not None), quiet=given["quiet"]) as say:
        options = {"boundary": boundary, "overwrite": given["force"]}
        write_difference(difference, given["outputs"], say, answers=listed, **options)
    _print(given, difference, answers)


def _difference(given: dict[str, Any]) -> Difference:
    from ..outputs.reopen import open_release

    earlier, later = given["earlier"], given["later"]
    first = open_release(earlier)
    if later is not None and not (later.exists() and later.samefile(earlier)):
        second = open_release(later)
    elif given["first"] is None or given["second"] is None:
        names = f" ({', '.join(first.groups[:6])})" if first.groups else ""
        raise Refusal(
            f"one file is compared with another, or two of its groups{names} with --from and --to."
        )
    else:
        second = first
    return _group(second, given["second"], "--to") - _group(first, given["first"], "--from")


def _group(release: Published, name: str | None, option: str) -> Release:
    if name is None:
        return release.total
    if not release.groups:
        raise Refusal(f"{option} names a group, and that release has none.")
    if name not in release.maps:
        names = ", ".join(map(repr, release.groups[:20]))
        raise Refusal(f"{option} names a group of the release; got {name!r}: there are {names}.")
    return release.maps[name]


def _print(given: dict[str, Any], difference: Difference, answers: Any) -> None:
    """Print the answers, or the change in the whole extent, and what is promised."""
    if given["as_json"]:
        echo(_as_json(difference, answers, given["level"]))
    elif answers is not None and given["answers"] is None and not given["quiet"]:
        echo(answers_table(answers, as_json=False))
    elif not given["quiet"]:
        echo(_in_words(difference, given["level"]))
    if not given["quiet"]:
        echo(difference.promise, err=given["as_json"])
        if answers is not None:
            remark(answers)


def _as_json(difference: Difference, answers: Any, level: float) -> str:
    if answers is not None:
        return answers_table(answers, as_json=True)
    overall = difference.query([difference.domain.bounds], level=level)
    return json.dumps([{name: float(part[0]) for name, part in overall._asdict().items()}])


def _in_words(difference: Difference, level: float) -> str:
    overall = difference.query([difference.domain.bounds], level=level)
    change, low, high = (
        float(part[0]) for part in (overall.estimate, overall.ci_low, overall.ci_high)
    )
    reach = f"between {low:+,.0f} and {high:+,.0f} with {100 * level:g} % confidence"
    return f"Change in the whole extent: {change:+,.0f} records, {reach}.".replace("-", "−")
