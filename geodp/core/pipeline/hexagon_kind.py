"""Ask for regular hexagons as cells. Public."""

from __future__ import annotations

from dataclasses import dataclass

from ..cells.hexagon_cells import HexagonCells
from ..common.errors import InputError
from ..common.types import as_positive
from ..districts.hexagons import HexagonGrid
from ..space.domain import Domain
from .fixed_kind import FixedKind


@dataclass(frozen=True)
class Hexagons(FixedKind):
    """Ask for one count for each regular hexagon of one size over the domain.

    Every hexagon is measured with all of ε. Hexagons are no more accurate than squares: they are
    for maps that should look alike, and for joins with other hexagons.

    Parameters
    ----------
    side : float
        Length of a side, in CRS units. A hexagon has an area of about 2.6 squares of that side.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0], [200.0]), town, epsilon=1, cells=Hexagons(500))
    >>> release.to_geodataframe()["hexagon"].iloc[0]
    '0-0'
    """

    side: float

    def __post_init__(self) -> None:
        side = as_positive(self.side)
        if side is None:
            raise InputError(f"the side of a hexagon must be a positive number; got {self.side!r}.")
        object.__setattr__(self, "side", side)

    def cells(self, domain: Domain) -> HexagonCells:
        """Return the hexagons over a domain."""
        return HexagonCells(HexagonGrid(domain, self.side))

    def candidates(self, domain: Domain) -> tuple[HexagonCells]:
        return (self.cells(domain),)
