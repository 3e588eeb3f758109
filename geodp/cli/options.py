"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal

if TYPE_CHECKING:
    from ..core.space.domain import Domain
    from ..core.space.frame import Frame
    from ..core.space.grid import Grid

FILE = click.Path(path_type=Path)
CELLS = click.option(
    "--cells",
    default="regular",
    show_default=True,
    help="regular: one grid, its size chosen privately; adaptive: fine where records crowd.",
)
_ABOUT = (
    click.option("--title", help="Title of the map, for its files and pages."),
    click.option("--subject", help="What it shows, in a sentence."),
    click.option("--source", help="Where the records are from."),
    click.option("--publisher", help="Who publishes it."),
    click.option("--licence", help="Under which licence."),
    click.option("--date", help="Date or period, as it shall be shown."),
)
QUIET = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
YES = click.option(
    "--yes", is_flag=True, help="Go on where bounds, CRS, epsilon or sizes look like a mistake."
)
_OVERWRITE = "geodp.overwrite"
"""What the context of a command remembers of ``--overwrite``."""

_REPLACING = (
    click.option(
        "--force",
        is_flag=True,
        callback=lambda ctx, _, given: given or ctx.meta.get(_OVERWRITE, False),
        help="Replace files that exist, but for releases: epsilon was spent on them.",
    ),
    click.option(
        "--overwrite",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=lambda ctx, _, given: ctx.meta.update({_OVERWRITE: given}),
        help="Replace files that exist, releases too.",
    ),
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")

_FRAME = (
    click.option(
        "--bounds",
        nargs=4,
        type=float,
        required=True,
        metavar="XMIN YMIN XMAX YMAX",
        help="Public rectangle in units of the CRS; never read off the points.",
    ),
    click.option("--crs", required=True, help="Projected CRS, such as EPSG:5070."),
    click.option(
        "--within",
        type=FILE,
        help="Where records can be: public polygons, or a GeoTIFF of weights.",
    ),
    click.option("--sizes", help="Divisions per axis to choose from: 30,40,50 or 30x60,40x80."),
    click.option(
        "--cell-sizes",
        help="Sides of square cells: 500,1000 in CRS units, or 500m,5km (m, km, ft, mi).",
    ),
)


def frame_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of the public frame: bounds, CRS, support and sizes."""
    return with_options(command, _FRAME)


def about_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for words of the publisher."""
    return with_options(command, _ABOUT)


def with_options(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    """Give a command several options, which its help lists in their order."""
    for option in reversed(options):
        command = option(command)
    return command


def FORCE(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that allow it to replace files."""
    return with_options(command, _REPLACING)


def about_of(given: dict[str, Any]) -> dict[str, str | None]:
    """Words of the publisher, as :meth:`geodp.Release.with_about` takes them."""
    names = ("title", "subject", "source", "publisher", "licence", "date")
    return {name: given[name] for name in names}


def domain_of(given: dict[str, Any]) -> Domain:
    """The public rectangle."""
    from ..core.space.domain import Domain

    return Domain(given["bounds"], crs=given["crs"], within=given["within"])


def frame_of(given: dict[str, Any], domain: Domain) -> Frame:
    """Lattices of an adaptive release, for which no sizes are chosen from."""
    from ..core.space.frame import Frame

    for option in ("sizes", "cell_sizes"):
        if given[option] is not None:
            raise Refusal(
                f"--{option.replace('_', '-')} is for regular cells, and --cells is adaptive; "
                "leave one of them out."
            )
    return Frame(domain)


def grids_of(given: dict[str, Any], domain: Domain) -> tuple[Grid, ...]:
    """Candidate grids from the options of the public frame."""
    from ..core.space.grid import candidate_grids
    from ..core.space.sizes import parse_cell_sizes, parse_sizes

    sizes, lengths = given["sizes"], given["cell_sizes"]
    return candidate_grids(
        domain,
        sizes=None if sizes is None else parse_sizes(sizes),
        cell_sizes=None if lengths is None else parse_cell_sizes(lengths, domain.crs),
    )


def refuse_overwriting_inputs(read: Iterable[Any], written: Iterable[Path | None]) -> None:
    """Refuse to replace what is read, whatever else may be replaced: it is the only copy."""
    kept = [Path(path) for path in read if path is not None]
    for path in filter(None, written):
        if any(_is_same(path, other) for other in kept):
            raise Refusal(
                f"what is read is never written over; {path.name} would be: choose another name."
            )


def refuse_overwriting_releases(written: Iterable[Path | None], *, force: bool) -> None:
    """Refuse to replace a release by the way: ask at a terminal, or have it said in so many words.

    Parameters
    ----------
    written : iterable of Path
        Files that the command writes.
    force : bool
        Whether files may be replaced at all; where not, they are refused as any others.
    """
    from ..core.publish.reopen import holds_release

    if not force or click.get_current_context().meta.get(_OVERWRITE):
        return
    for path in filter(None, written):
        if not holds_release(path):
            continue
        rule = f"{path.name} is a release that epsilon was spent on"
        if at_terminal():
            if click.confirm(f"{rule}. Replace it?", default=False, err=True):
                continue
            raise Refusal("the release is kept, and nothing was done.")
        raise Refusal(f"{rule}, and is kept: choose another name, or pass --overwrite.")


def at_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there yet, or is an address
        return False
