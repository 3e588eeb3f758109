"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.common.atomic import make_folder
from ..core.common.language import languages
from .group import Refusal
from .words import echo

if TYPE_CHECKING:
    from ..core.pipeline.kinds import Kind
    from ..core.space.domain import Domain


class _Coordinate(click.types.FloatParamType):
    """One of four numbers; other programs take them with commas between, as one word."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Read a number, or say how four of them stand."""
        try:
            return float(value)
        except ValueError:
            rule = "four numbers stand with blanks between them, such as 0 0 4000 3000"
            self.fail(f"{rule}; got {value!r}", param, ctx)


COORDINATE = _Coordinate()
FILE = click.Path(path_type=Path)
_CELLS = (
    click.option(
        "--cells",
        help="adaptive: fine where records crowd (default); regular: one grid, chosen privately.",
    ),
    click.option(
        "--resolution",
        help="Smallest side of adaptive cells that makes sense: 100 in CRS units, or 100m, 1km.",
    ),
    click.option("--sizes", help="Divisions per axis to choose from: 30,40,50 or 30x60,40x80."),
    click.option(
        "--cell-sizes",
        help="Sides of square cells: 500,1000 in CRS units, or 500m,5km (m, km, ft, mi).",
    ),
)
_TUNING = (
    click.option("--tuner", help="Way to choose the grid: influence (default) or e2epriv."),
    click.option("--tuning-share", help="Part of epsilon for choosing the grid, between 0 and 1."),
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
GREY = click.option(
    "--grey",
    type=float,
    metavar="PART",
    help="Maps: grey where half the interval is more than this part of the count, such as 0.5.",
)
LANGUAGE = click.option(
    "--language",
    type=click.Choice(languages()),
    default="en",
    show_default=True,
    help="Language of maps, and in which the page opens; names and titles stay as they are.",
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
NEIGHBOURS = click.option(
    "--neighbours", default="add-remove", show_default=True, help="Or replace."
)
LEVEL = click.option(
    "--level", type=float, default=0.95, show_default=True, help="Of the intervals."
)
TOTAL = click.option("--total", is_flag=True, help="One answer for all regions together.")
SKIP_INVALID = click.option(
    "--skip-invalid", is_flag=True, help="Answer the others where polygons are broken."
)

SNAP = click.option(
    "--snap", help="Move the bounds outwards to whole multiples of a size: 1000, or 1km, 500m."
)

_FRAME = (
    click.option(
        "--bounds",
        nargs=4,
        type=COORDINATE,
        metavar="XMIN YMIN XMAX YMAX",
        help="Public rectangle in units of the CRS; never read off the points.",
    ),
    click.option("--crs", help="Projected CRS, such as EPSG:5070."),
    SNAP,
    click.option(
        "--within",
        type=FILE,
        help="Where records can be: public polygons, or a GeoTIFF of weights.",
    ),
)


def outputs_option(words: str, *, required: bool = False) -> Callable[..., Any]:
    """Make the option of files to write, which may be repeated."""
    return click.option(
        "-o", "--output", "outputs", type=FILE, multiple=True, required=required, help=words
    )


def frame_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of the public frame: bounds, CRS, and where records can be."""
    return with_options(command, _FRAME)


def cell_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of the cells: their kind, and sizes to choose from."""
    return with_options(command, _CELLS)


def tuning_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of the choice between grids."""
    return with_options(command, _TUNING)


def about_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for words of the publisher."""
    return with_options(command, _ABOUT)


def with_options(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    """Give a command several options, which its help lists in their order."""
    for option in reversed(options):
        command = option(command)
    return command


def option_name(parameter: str) -> str:
    """Return what the command line calls a parameter.

    Examples
    --------
    >>> option_name("cell_sizes")
    '--cell-sizes'
    """
    return f"--{parameter.replace('_', '-')}"


def FORCE(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that allow it to replace files."""
    return with_options(command, _REPLACING)


def about_given(given: dict[str, Any]) -> dict[str, str | None]:
    """Return the words of the publisher, as :meth:`geodp.Release.with_about` takes them."""
    names = ("title", "subject", "source", "publisher", "licence", "date")
    return {name: given[name] for name in names}


def domain_given(given: dict[str, Any]) -> Domain:
    """Return the public rectangle that the options give."""
    from ..core.space.domain import Domain
    from ..core.space.ground import stretch_in_words
    from ..core.space.sizes import parse_length

    missing = ", ".join(f"--{name}" for name in ("bounds", "crs") if given[name] is None)
    if missing:
        layer = "--districts with a layer, or " if "districts" in given else ""
        raise Refusal(
            f"where records are counted must be said; missing: {missing}; give {layer}--bounds "
            "with --crs: public, round numbers around the area, never read off the points."
        )
    if given["snap"] is None:
        domain = Domain(given["bounds"], crs=given["crs"], within=given["within"])
    else:
        bare = Domain(given["bounds"], crs=given["crs"])
        domain = bare.snapped(parse_length(given["snap"], bare.crs), within=given["within"])
    stretched = None if given.get("quiet") else stretch_in_words(domain)
    if stretched is not None:
        echo(f"Note: {stretched}", err=True)
    return domain


def kind_given(given: dict[str, Any], domain: Domain, workload: Any = None) -> Kind:
    """Return the kind of cells that the options ask for; any option of one grid means one grid."""
    from ..core.pipeline.kinds import kind_for
    from ..core.space.sizes import parse_cell_sizes, parse_length, parse_sizes

    def read(name: str, parse: Callable[..., Any], *more: Any) -> Any:
        return None if given[name] is None else parse(given[name], *more)

    return kind_for(
        given["cells"],
        adaptive={"resolution": read("resolution", parse_length, domain.crs)},
        regular={
            "sizes": read("sizes", parse_sizes),
            "cell_sizes": read("cell_sizes", parse_cell_sizes, domain.crs),
            "workload": workload,
            "tuner": given.get("tuner"),
            "tuning_share": given.get("tuning_share"),
        },
    )


def workload_given(regions: Path | None, domain: Domain) -> Any:
    """Return regions that one grid shall suit, if any are given."""
    from ..core.regions.workload import Workload
    from ..sources.layers import read_layer

    if regions is None:
        return None
    return Workload.from_geodataframe(read_layer(regions, "regions"), domain)


def refuse_overwriting_inputs(read: Iterable[Any], written: Iterable[Path | None]) -> None:
    """Refuse to replace a file that is read, even with ``--overwrite``: it is the only copy."""
    from ..sources.layers import divided

    layers = [layer if isinstance(layer, list) else [layer] for layer in read]
    kept = [Path(divided(path)[0]) for some in layers for path in some if path is not None]
    for path in filter(None, written):
        if any(_is_same(path, other) for other in kept):
            raise Refusal(
                f"what is read is never written over; {path.name} would be: choose another name."
            )


def refuse_overwriting_releases(written: Iterable[Path | None], *, force: bool) -> None:
    """Refuse to replace a release unless that was asked for: by an option, or at a terminal.

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
            if confirm(f"{rule}. Replace it?", "choose another name, or pass --overwrite"):
                continue
            raise Refusal("the release is kept, and nothing was done.")
        raise Refusal(f"{rule}, and is kept: choose another name, or pass --overwrite.")


def offer_folders(written: Iterable[Path | None], *, quiet: bool) -> None:
    """Offer whoever sits at a terminal to make the folders that outputs go into."""
    parents = [path.parent for path in written if path is not None]
    for folder in dict.fromkeys(parents):
        if folder.exists() or quiet or not at_terminal():
            continue  # nobody to ask: writing will refuse it
        if confirm(f"There is no folder {folder}. Make it?", "make it first", default=True):
            make_folder(folder)


def confirm(question: str, remedy: str, *, default: bool = False) -> bool:
    """Ask a question of yes or no at a terminal.

    Parameters
    ----------
    question : str
        What to ask.
    remedy : str
        What to do where nobody answers.
    default : bool
        What Enter means.
    """
    with answered(remedy):
        return click.confirm(question, default=default, err=True)


@contextmanager
def answered(remedy: str) -> Iterator[None]:
    """Refuse in a sentence where input ends before a question is answered.

    Some programs, such as ``script``, show a terminal to commands although nobody sits there.
    """
    try:
        yield
    except click.Abort as aborted:
        if not isinstance(aborted.__context__, EOFError):
            raise  # somebody sits there, and wants to stop
        echo("", err=True)
        raise Refusal(
            f"a question needs an answer; the input ended, so nothing was done: {remedy}."
        ) from None


def at_terminal() -> bool:
    """Tell whether somebody who can be asked sits at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there yet, or is an address
        return False
