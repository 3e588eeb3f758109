"""Take cells of the H3 system over a domain as cells.

H3 numbers hexagons on the whole Earth, twelve pentagons among them, by an index of 64 bits. A
record is counted by its index, which the ``h3`` package computes; outlines are for looks and for
overlaps. They are kept with the cells, so that a file opens where there is no such package.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.compact import unzipped, zipped
from ..common.types import Bools, Floats, Ints, freeze
from ..districts.district_pieces import cut_edges
from ..districts.district_raster import DistrictRaster
from ..regions.polygons import Polygons
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.grid import in_domain
from .cells import Cells
from .district_cells import PolygonShares, polygon_bounds

H3_COLUMN = "h3"
"""What files call the index of each cell."""

_FINEST = 15
_MOST_CORNERS = 1 << 8
"""Corners of one cell: six, or ten where edges of the icosahedron cross it, and those between."""

Indices = npt.NDArray[np.uint64]


class H3Cells(Cells):
    """Cells of one resolution of H3 that reach into a domain, in the order of their indices.

    A cell at the edge of the domain reaches out of it, and is drawn so. Records are counted inside
    of the domain alone, and are taken to be spread over what lies there.

    Parameters
    ----------
    domain : Domain
        Where records are counted.
    resolution : int
        From 0 to 15.
    indices : ndarray of uint64
        The cells, rising.
    polygons : Polygons
        Their outlines, one ring each, in the CRS of the domain.
    """

    kind: ClassVar[str] = "h3"
    format: ClassVar[str] = "7"

    def __init__(
        self, domain: Domain, resolution: int, indices: Indices, polygons: Polygons
    ) -> None:
        self._domain, self.resolution, self._polygons = domain, resolution, polygons
        self.indices = freeze(np.array(indices, dtype=np.uint64))

    def __repr__(self) -> str:
        return f"H3Cells({len(self):,} cells of resolution {self.resolution})"

    def __reduce__(self) -> tuple[Any, ...]:
        return H3Cells, (self._domain, self.resolution, self.indices, self._polygons)

    @property
    def identity(self) -> tuple[Any, ...]:
        return self._domain, self.resolution, self.indices.tobytes()

    @property
    def domain(self) -> Domain:
        return self._domain

    def __len__(self) -> int:
        return len(self.indices)

    @cached_property
    def bounds(self) -> Floats:
        return freeze(polygon_bounds(self._polygons))

    @property
    def polygons(self) -> Polygons:
        return self._polygons

    @cached_property
    def inside(self) -> Polygons:
        """Return outlines of what lies in the domain."""
        boxes = np.broadcast_to(np.array(self.domain.bounds), (len(self), 4))
        return cut_edges(self._polygons, np.arange(len(self)), boxes)

    @cached_property
    def supported(self) -> Bools:
        """Tell which counts are of cells: not the last, of records that are in none."""
        return freeze(np.append(np.ones(len(self), dtype=np.bool_), False))

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        return {H3_COLUMN: np.char.mod("%x", self.indices).astype(object)}

    def located(self, x: Floats, y: Floats) -> Ints:
        """Find the cell of each point of the domain by its index; one more for those in none."""
        from ...sources.h3_cells import h3_indices

        indices = h3_indices(x, y, self.domain, self.resolution)
        place = np.minimum(np.searchsorted(self.indices, indices), len(self) - 1)
        return np.where(self.indices[place] == indices, place, len(self))

    @cached_property
    def _raster(self) -> DistrictRaster:
        return DistrictRaster(self._polygons)

    def locate(self, x: Floats, y: Floats) -> Ints:
        """Find the cell of each point by outlines, for pictures; -1 for none."""
        inside, x, y = in_domain(self.domain, np.asarray(x, float), np.asarray(y, float))
        place = np.full(inside.shape, -1, dtype=np.int64)
        place[inside] = self._raster.locate(x, y)
        return place

    def overlap(self, regions: Workload) -> PolygonShares:
        return PolygonShares(self.inside, regions)

    def to_facts(self) -> dict[str, Any]:
        corners = np.bincount(self._polygons.owner, minlength=len(self))
        return {
            "resolution": self.resolution,
            "indices": zipped(self.indices.astype("<u8").tobytes()),
            "corners": corners.tolist(),
            "outlines": zipped(self._polygons.edges[:, :2].astype("<f8").tobytes()),
        }

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> H3Cells:
        resolution, corners = facts["resolution"], np.array(facts["corners"], dtype=np.int64)
        if type(resolution) is not int or not 0 <= resolution <= _FINEST:
            raise ValueError("a resolution that H3 has not")
        if not 0 < len(corners) <= most or corners.min() < 3 or corners.max() > _MOST_CORNERS:
            raise ValueError("outlines that are none")
        indices = np.frombuffer(unzipped(facts["indices"], 8 * len(corners)), dtype="<u8")
        if len(indices) != len(corners) or (indices[1:] <= indices[:-1]).any():
            raise ValueError("indices that are none")
        total = int(corners.sum())
        points = np.frombuffer(unzipped(facts["outlines"], 16 * total), dtype="<f8")
        points = points.reshape(-1, 2).astype(np.float64)
        if len(points) != total or not np.isfinite(points).all():
            raise ValueError("corners that are none")
        return cls(domain, resolution, indices.astype(np.uint64), rings(points, corners))

    @staticmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        del layout, domain
        raise ValueError("candidates of H3 are kept in words")


def rings(points: Floats, corners: Ints) -> Polygons:
    """Return polygons of one ring each, from all corners and how many each has.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> rings(np.concatenate([unit, unit + 5]), np.array([3, 3])).areas
    array([0.5, 0.5])
    """
    owner = np.repeat(np.arange(len(corners)), corners)
    last = np.cumsum(corners) - 1
    following = np.arange(1, len(points) + 1)
    following[last] = last - corners + 1
    return Polygons(np.hstack([points, points[following]]), owner, owner, len(corners))
