"""Take regular hexagons over a domain as cells."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.types import Bools, Floats, Ints, freeze
from ..districts.district_pieces import cut_edges
from ..districts.hexagons import HexagonGrid
from ..regions.polygons import Polygons
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.grid import in_domain
from .cells import Cells
from .district_cells import PolygonShares


class HexagonCells(Cells):
    """Hexagons where records can be, in rows from the south.

    A hexagon at the edge of the domain reaches out of it, and is drawn so. Records are counted
    inside of the domain alone, and are taken to be spread over what lies there.

    Parameters
    ----------
    hexagons : HexagonGrid
        The hexagons.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> cells = HexagonCells(HexagonGrid(town, 1000))
    >>> len(cells), cells.locate(np.array([0.0, 1800.0, -1.0]), np.array([0.0, 0.0, 0.0]))
    (9, array([ 0,  1, -1]))
    """

    kind: ClassVar[str] = "hexagons"
    format: ClassVar[str] = "5"

    def __init__(self, hexagons: HexagonGrid) -> None:
        self.hexagons = hexagons

    def __repr__(self) -> str:
        return f"HexagonCells({len(self):,} cells of side {self.hexagons.side:g})"

    @property
    def identity(self) -> HexagonGrid:
        return self.hexagons

    def __reduce__(self) -> tuple[Any, ...]:
        return HexagonCells, (self.hexagons,)

    @property
    def domain(self) -> Domain:
        return self.hexagons.domain

    @cached_property
    def supported(self) -> Bools:
        """Tell whether records can be in each hexagon, or in the box around it."""
        within = self.domain.within
        if within is None:
            return freeze(np.ones(len(self.hexagons), dtype=np.bool_))
        west, south, east, north = self.domain.bounds
        low, high = self._corners.min(axis=1), self._corners.max(axis=1)
        x0, x1 = np.maximum(low[:, 0], west), np.minimum(high[:, 0], east)
        y0, y1 = np.maximum(low[:, 1], south), np.minimum(high[:, 1], north)
        return freeze(within.meets(x0, y0, x1, y1))

    @cached_property
    def _corners(self) -> Floats:
        """Return corners of all hexagons, those where no records can be among them."""
        return self.hexagons.corners(np.arange(len(self.hexagons)))

    @cached_property
    def codes(self) -> Ints:
        return freeze(np.flatnonzero(self.supported))

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def bounds(self) -> Floats:
        corners = self._corners[self.codes]
        return freeze(np.hstack([corners.min(axis=1), corners.max(axis=1)]))

    @cached_property
    def polygons(self) -> Polygons:
        corners = self._corners[self.codes]
        edges = np.concatenate([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 4)
        owner = np.repeat(np.arange(len(self)), 6)
        return Polygons(edges, owner, owner, len(self))

    @cached_property
    def inside(self) -> Polygons:
        """Return outlines of what lies in the domain."""
        boxes = np.broadcast_to(np.array(self.domain.bounds), (len(self), 4))
        return cut_edges(self.polygons, np.arange(len(self)), boxes)

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        return {"hexagon": np.array(self.hexagons.ids, dtype=object)[self.codes]}

    def located(self, x: Floats, y: Floats) -> Ints:
        """Find the hexagon of each point of the domain, those without support among them."""
        return self.hexagons.locate(x, y).astype(np.int64)

    def locate(self, x: Floats, y: Floats) -> Ints:
        inside, x, y = in_domain(self.domain, np.asarray(x, float), np.asarray(y, float))
        place = np.full(inside.shape, -1, dtype=np.int64)
        numbers = np.where(self.supported, np.cumsum(self.supported) - 1, -1)
        place[inside] = numbers[self.located(x, y)]
        return place

    def overlap(self, regions: Workload) -> PolygonShares:
        return PolygonShares(self.inside, regions)

    def to_facts(self) -> dict[str, Any]:
        return {"side": self.hexagons.side}

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> HexagonCells:
        hexagons = HexagonGrid(domain, float(facts["side"]))
        if len(hexagons) > most:
            raise ValueError("more hexagons than the file can hold")
        return cls(hexagons)

    @staticmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        del layout, domain
        raise ValueError("nothing was chosen among hexagons")
