"""Options that take hexagons as cells: regular ones, or those of H3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal
from .options import kind_given, option_name, with_options

if TYPE_CHECKING:
    from ..core.pipeline.h3_kind import H3
    from ..core.pipeline.hexagon_kind import Hexagons
    from ..core.pipeline.kinds import Kind
    from ..core.space.domain import Domain

_OPTIONS = (
    click.option("--hexagons", help="Hexagons with sides of 500, in CRS units, or of 500m, 1km."),
    click.option(
        "--h3", help="Cells of H3 of a resolution, or of one that is chosen privately: 7 or 6,7,8."
    ),
    click.option(
        "--h3-integers", is_flag=True, help="Write indices of H3 as whole numbers in .parquet."
    ),
)

_OTHERS = ("cells", "resolution", "sizes", "cell_sizes", "tuner")


def hexagon_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of hexagons."""
    return with_options(command, _OPTIONS)


def are_hexagons(given: Mapping[str, Any]) -> bool:
    """Tell whether the options ask for hexagons, or refuse those that do not go together."""
    if given["h3_integers"] and given["h3"] is None:
        raise Refusal("--h3-integers is about the cells of --h3; there are none: leave it out.")
    asked = [name for name in ("districts", "hexagons", "h3") if given[name] is not None]
    if len(asked) > 1:
        raise Refusal(f"cells are of one kind; got --{asked[0]} and --{asked[1]}: leave one out.")
    return "h3" in asked or "hexagons" in asked


def cells_given(given: dict[str, Any], domain: Domain, workload: Any = None) -> Kind:
    """Return the cells inside of a domain that the options ask for, of any kind."""
    if are_hexagons(given):
        return hexagons_given(given, domain, workload)
    return kind_given(given, domain, workload)


def hexagons_given(given: Mapping[str, Any], domain: Domain, workload: Any) -> H3 | Hexagons:
    """Return the hexagons that the options ask for, or refuse options of other cells."""
    from ..core.pipeline.h3_kind import H3
    from ..core.pipeline.hexagon_kind import Hexagons
    from ..core.space.sizes import parse_length

    name = "h3" if given["h3"] is not None else "hexagons"
    resolutions = [] if name == "hexagons" else _resolutions(given["h3"])
    chosen = () if len(resolutions) > 1 else ("regions", "tuning_share")
    for other in (*_OTHERS, *chosen):
        if given[other] is not None:
            raise Refusal(
                f"{option_name(other)} is about other cells than --{name}: leave one of them out."
            )
    if name == "hexagons":
        return Hexagons(parse_length(given["hexagons"], domain.crs))
    if len(resolutions) == 1:
        return H3(resolutions[0])
    return H3(resolutions, workload=workload, tuning_share=given["tuning_share"])


def _resolutions(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise Refusal(
            "--h3 must be a resolution of H3, or several with commas between them, such as 7 or "
            f"6,7,8; got {text!r}."
        )
    return [int(word) for word in words]
