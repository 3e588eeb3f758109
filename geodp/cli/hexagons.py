"""Options that take hexagons as cells, or layers of any kind as candidates for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal
from .options import FILE, kind_given, option_name, with_options

if TYPE_CHECKING:
    from ..core.pipeline.choice_kind import Choice
    from ..core.pipeline.h3_kind import H3
    from ..core.pipeline.hexagon_kind import Hexagons
    from ..core.pipeline.kinds import Kind
    from ..core.space.domain import Domain

_OPTIONS = (
    click.option(
        "--candidate",
        type=FILE,
        multiple=True,
        callback=lambda _context, _option, layers: list(layers) or None,
        help="Public polygons that may become the cells; repeat for more. One layer, or one of "
        "--hexagons, --h3, --sizes and --cell-sizes, is chosen privately.",
    ),
    click.option(
        "--hexagons",
        help="Hexagons with sides of 500, in CRS units, or of 500m, 1km; one of several sizes is "
        "chosen privately.",
    ),
    click.option(
        "--h3", help="Cells of H3 of a resolution, or of one that is chosen privately: 7 or 6,7,8."
    ),
    click.option(
        "--h3-integers", is_flag=True, help="Write indices of H3 as whole numbers in .parquet."
    ),
)

_OTHERS = ("cells", "resolution", "sizes", "cell_sizes", "tuner")
_NO_CANDIDATES = ("cells", "resolution", "tuner")


def hexagon_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of hexagons."""
    return with_options(command, _OPTIONS)


def are_polygons(given: Mapping[str, Any]) -> bool:
    """Tell whether cells may have other shapes than boxes, or refuse kinds that exclude others."""
    if given["h3_integers"] and given["h3"] is None:
        raise Refusal("--h3-integers is about the cells of --h3; there are none: leave it out.")
    if given["candidate"] is not None and given["districts"] is None:
        return True
    asked = [name for name in ("districts", "hexagons", "h3") if given[name] is not None]
    if len(asked) > 1:
        raise Refusal(f"cells are of one kind; got --{asked[0]} and --{asked[1]}: leave one out.")
    return "h3" in asked or "hexagons" in asked


def cells_given(given: dict[str, Any], domain: Domain, workload: Any = None) -> Kind | Choice:
    """Return the cells inside of a domain that the options ask for, of any kind."""
    if are_polygons(given):
        return polygons_given(given, domain, workload)
    return kind_given(given, domain, workload)


def polygons_given(given: dict[str, Any], domain: Domain, workload: Any) -> H3 | Hexagons | Choice:
    """Return the hexagons or candidates asked for, or refuse options of other cells."""
    from ..core.pipeline.choice_kind import Choice
    from ..core.pipeline.h3_kind import H3
    from ..core.pipeline.hexagon_kind import Hexagons
    from ..core.space.sizes import parse_cell_sizes

    layers = given["candidate"]
    name = "candidate" if layers else "h3" if given["h3"] is not None else "hexagons"
    resolutions = [] if given["h3"] is None else _resolutions(given["h3"])
    sides = [] if given["hexagons"] is None else parse_cell_sizes(given["hexagons"], domain.crs)
    several = layers or len(resolutions) + len(sides) > 1
    chosen = () if several else ("regions", "tuning_share")
    for other in (*(_NO_CANDIDATES if layers else _OTHERS), *chosen):
        if given.get(other) is not None:
            raise Refusal(
                f"{option_name(other)} is about other cells than --{name}: leave one of them out."
            )
    choice = {"workload": workload, "tuning_share": given["tuning_share"]}
    hexagons = [Hexagons(side) for side in sides]
    if name == "h3":
        return H3(resolutions, **choice) if several else H3(resolutions[0])
    if not several:
        return hexagons[0]
    candidates: list[Any] = [*(layers or ()), *hexagons]
    if resolutions:
        candidates.append(H3(resolutions))
    if given["sizes"] is not None or given["cell_sizes"] is not None:
        candidates.append(kind_given({**given, "tuning_share": None}, domain))
    return Choice(candidates, **choice)


def _resolutions(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise Refusal(
            "--h3 must be a resolution of H3, or several with commas between them, such as 7 or "
            f"6,7,8; got {text!r}."
        )
    return [int(word) for word in words]
