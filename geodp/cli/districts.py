"""Options that take the polygons of a public layer as cells, and what they are turned into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal
from .options import FILE, option_name, with_options

if TYPE_CHECKING:
    from ..core.pipeline.district_kind import Districts
    from ..core.pipeline.kinds import Adaptive


def _one_or_several(_context: Any, _option: Any, layers: tuple[Path, ...]) -> Any:
    """Return the layer that was named, a list where there are several, or None."""
    return list(layers) if len(layers) > 1 else layers[0] if layers else None


_OPTIONS = (
    click.option(
        "--districts",
        type=FILE,
        multiple=True,
        callback=_one_or_several,
        help="Public polygons, one count for each; they say where, without --bounds and --crs. "
        "With --cells adaptive, cells inside of them too. Again for layers that nest, from the "
        "largest units down.",
    ),
    click.option("--district-name", help="Field of --districts that names them."),
    click.option(
        "--levels", help="Fields of --districts, from the largest units down: state,county."
    ),
    click.option(
        "--district-share",
        help="With --cells adaptive: part of epsilon for the districts themselves; 0.3 or less by "
        "default.",
    ),
)

_ABOUT_ADAPTIVE = ("cells", "resolution")
_ABOUT_CELLS = (
    *("candidate", "sizes", "cell_sizes", "regions", "tuner", "tuning_share"),
    *("expected", "unevenness"),
)
_ABOUT_PLACE = ("bounds", "crs", "snap")


def district_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of districts."""
    return with_options(command, _OPTIONS)


def districts_given(given: Mapping[str, Any]) -> Districts | None:
    """Return the districts that the options ask for, or refuse options that do not go with them.

    The layer is read, so that whatever is wrong with it is said before anything is spent.
    """
    from ..core.pipeline.district_kind import Districts

    if given["districts"] is None:
        for name in ("district_name", "levels", "district_share"):
            if given[name] is not None:
                raise Refusal(
                    f"{option_name(name)} is about the layer of --districts; there is none: give "
                    "both, or leave it out."
                )
        return None
    for name in _ABOUT_PLACE:
        if given.get(name) is not None:
            raise Refusal(
                f"--districts say where records are counted; got {option_name(name)} too: leave it "
                "out."
            )
    adaptive = _are_adaptive(given)
    others = "--districts, which have one count for each polygon"
    if adaptive:
        others = "those inside of --districts"
    for name in _ABOUT_CELLS if adaptive else (*_ABOUT_ADAPTIVE, *_ABOUT_CELLS):
        if given.get(name) is not None:
            raise Refusal(f"{option_name(name)} is about other cells than {others}: leave it out.")
    if given["district_share"] is not None and not adaptive:
        raise Refusal(
            "--district-share is about cells inside of districts: add --cells adaptive, or leave "
            "it out."
        )
    levels = given["levels"]
    columns = None if levels is None else [word.strip() for word in levels.split(",")]
    districts = Districts(
        given["districts"],
        name=given["district_name"],
        levels=columns,
        within=given.get("within"),
    )
    districts.cells  # noqa: B018 (refuses a layer that has no districts)
    return districts


def cells_in(districts: Districts, given: Mapping[str, Any]) -> Districts | Adaptive:
    """Return districts as cells, or adaptive cells inside of them where these are asked for."""
    from ..core.pipeline.kinds import Adaptive
    from ..core.space.sizes import parse_length

    if not _are_adaptive(given):
        return districts
    side = given.get("resolution")
    return Adaptive(
        resolution=None if side is None else parse_length(side, districts.cells.domain.crs),
        districts=districts,
        share=given["district_share"],
    )


def _are_adaptive(given: Mapping[str, Any]) -> bool:
    return given.get("cells") == "adaptive"
