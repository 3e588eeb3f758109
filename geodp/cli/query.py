"""``geodp query``: counts in regions, from a written release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .group import Refusal
from .options import (
    FILE,
    FORCE,
    GREY,
    JSON,
    LANGUAGE,
    LEVEL,
    QUIET,
    SKIP_INVALID,
    TOTAL,
    offer_folders,
    refuse_overwriting_inputs,
    refuse_overwriting_releases,
)
from .progress import Steps
from .words import echo


@click.command()
@click.argument("release", type=FILE)
@click.argument("regions", type=FILE)
@click.option("--layer", help="Layer of a regions file that holds several.")
@LEVEL
@click.option("--density", is_flag=True, help="Also estimate records per km².")
@TOTAL
@click.option("--per", metavar="COLUMN", help="Also estimate rates per this public population.")
@click.option("--each", type=float, default=1, help="Rates of so many, such as 100000; or of one.")
@click.option(
    "--reliable",
    type=float,
    default=0.5,
    show_default=True,
    help="Call an answer reliable where half its interval is at most this part of it.",
)
@SKIP_INVALID
@click.option("--wide", is_flag=True, help="Of several groups: one column for each.")
@click.option("--all-groups", is_flag=True, help="Of several groups: their total.")
@click.option("--share", metavar="GROUP", help="Of several groups: also the share of one in all.")
@click.option(
    "--quantile",
    type=float,
    metavar="PART",
    help="Of groups between breaks: also a quantile of their field; 0.5 is the median.",
)
@click.option(
    "--report", type=FILE, help="Also write the release's page with these regions (.html)."
)
@GREY
@LANGUAGE
@click.option("-o", "--output", type=FILE, help="File to write: a vector format or .csv.")
@JSON
@QUIET
@FORCE
def query(
    release: Path,
    regions: Path,
    layer: str | None,
    level: float,
    density: bool,
    total: bool,
    per: str | None,
    each: float,
    reliable: float,
    skip_invalid: bool,
    wide: bool,
    all_groups: bool,
    share: str | None,
    quantile: float | None,
    report: Path | None,
    grey: float | None,
    language: str,
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

    refuse_overwriting_inputs([release, regions], [output, report])
    refuse_overwriting_releases([output, report], force=force)
    offer_folders([output, report], quiet=quiet)
    opened: Any = open_release(release)
    asked = read_layer(regions, "regions", layer)
    if (wide or all_groups) and not opened.groups:
        raise Refusal("--wide and --all-groups are for releases of several groups; this has none.")
    if wide and all_groups:
        raise Refusal("--wide and --all-groups exclude each other; give one of them.")
    if share is not None or quantile is not None:
        _check_shares(opened, share, total=total, wide=wide)
        all_groups = True  # shares and quantiles need all groups
    options: dict[str, Any] = {"level": level, "skip_invalid": skip_invalid}
    options |= {"density": density, "total": total, "reliable": reliable}
    if per is None and each != 1:
        raise Refusal("--each says of how many a rate is; name their column with --per.")
    if grey is not None and report is None:
        raise Refusal("--grey is for the maps of a page; name its file with --report.")
    if language != "en" and report is None:
        raise Refusal("--language is for a page; name its file with --report.")
    options |= {"per": per, "each": each}
    if wide:
        options["wide"] = True
    answers = (opened.total if all_groups else opened).query(asked, **options)
    invalid = {"level": level, "skip_invalid": skip_invalid}
    if share is not None:
        answers = opened.share(share, answers, **invalid)
    if quantile is not None:
        answers = opened.quantile(answers, quantile, **invalid)
    if output is not None:
        with Steps(1, quiet=quiet) as say:
            say(f"writing {output.name}")
            to_answers(opened, answers, output, overwrite=force)
    if report is not None:
        with Steps(1, quiet=quiet) as say:
            say(f"writing {report.name}")
            page = {"regions": asked, "grey": grey, "language": language}
            opened.to_report(report, **page, overwrite=force)
    if as_json or (output is None and report is None and not quiet):
        echo(answers_table(answers, as_json=as_json))
    if not quiet:
        # Under a table that people read; beside a file or JSON that programs do.
        echo(opened.counted, err=as_json or output is not None or report is not None)
        remark(answers)


def _check_shares(release: Any, share: str | None, *, total: bool, wide: bool) -> None:
    """Refuse what does not go with shares and quantiles."""
    if not release.groups:
        raise Refusal("--share and --quantile are for releases of several groups; this has none.")
    if total or wide:
        option = "--total" if total else "--wide"
        raise Refusal(f"--share and --quantile are of each region; got {option}: leave it out.")
    if share is not None and share not in release.groups:
        names = ", ".join(map(repr, release.groups[:20]))
        raise Refusal(f"--share names a group of the release; got {share!r}: there are {names}.")


def answers_table(answers: Any, *, as_json: bool) -> str:
    """Write answers without shapes, for people or as JSON."""
    table = answers.drop(columns=answers.geometry.name)
    if as_json:
        return str(table.to_json(orient="records"))
    narrow = ("rate", "ratio", "share", "quantile", "mean")
    small = {name: _digits for name in table.columns if str(name).startswith(narrow)}
    shown = {name: column for name, column in small.items() if table[name].dtype.kind == "f"}
    return str(table.to_string(index=False, float_format=_tenths, formatters=shown))


def _tenths(value: float) -> str:
    """Write one place after the point, and no minus before a zero."""
    return f"{round(value, 1) + 0.0:,.1f}"


def _digits(value: float) -> str:
    """Write four digits of a small number, and all of a large one before the point."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def remark(answers: Any) -> None:
    """Say which regions have no answer, and why."""
    outside = int((answers["covered"] == 0).sum())
    broken = int(answers["covered"].isna().sum())
    if outside:
        echo(f"Outside the extent of the release, without an answer: {outside}.", err=True)
    if broken:
        echo(f"Not valid, without an answer: {broken}.", err=True)
