"""Divide a domain into cells: the public geometry of whatever is counted.

A kind of cells is one class. It says where its cells lie, how regions cover them, and how to make
them again from what a file holds. The rest follows from that: estimates (``estimates.fitting``),
and words, colours, bands and columns of files (``publish``), which ask what cells can do (are they
one grid, a tree, do pixels show them) and never which kind they are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints
from ..regions.overlap import Overlap
from ..regions.polygons import Polygons
from ..regions.workload import Workload
from ..space.cells import box_areas, square_kilometres
from ..space.domain import Domain
from ..space.ground import ground_share

if TYPE_CHECKING:
    from ..space.grid import Grid
    from ..space.levels import Levels
    from ..space.tree import Tree


class Cells(ABC):
    """Cells that divide a domain, or as much of it as records can be in.

    Every array about cells has one entry for each, in one order, the order of their codes.
    """

    kind: ClassVar[str]
    """Name the kind, as a person asks for it: ``"regular"``, ``"adaptive"``."""

    format: ClassVar[str]
    """Number the format in which such a release is written: programs can tell kinds apart."""

    grid: Grid | None = None
    """The grid, where the cells are those of one grid."""

    tree: Tree | None = None
    """The tree, where larger cells were measured as well."""

    levels: Levels | None = None
    """The larger units, where cells are nested in some."""

    @property
    @abstractmethod
    def identity(self) -> Hashable:
        """Return all that tells the cells from others of their kind."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def nodes(self) -> int | None:
        """Return how many cells and larger units can be measured; None where cells alone are."""
        if self.tree is not None:
            return self.tree.nodes
        return self.levels.nodes if self.levels is not None and self.levels.depth > 1 else None

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """Return the rectangle in which records are counted."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of cells: those where records can be."""

    @property
    @abstractmethod
    def bounds(self) -> Floats:
        """Return the edges ``xmin, ymin, xmax, ymax`` of each cell, or of what it is inside of."""

    @property
    def polygons(self) -> Polygons | None:
        """Return the outlines of cells that are polygons; None where each fills its bounds."""
        return None

    @property
    def codes(self) -> Ints:
        """Return the number that files know each cell by, rising."""
        return np.arange(len(self))

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        """Return what else is known of each cell, by the names of columns: a depth, a name."""
        return {}

    @abstractmethod
    def locate(self, x: Floats, y: Floats) -> Ints:
        """Find the cell of each point, as a place in the order of cells; -1 for none."""

    def overlap(self, regions: Workload) -> Overlap:
        """Compute how regions cover the cells. Trees do without: they are asked from the top."""
        raise NotImplementedError(f"{type(self).__name__} do not tell how regions cover them.")

    @abstractmethod
    def to_facts(self) -> dict[str, Any]:
        """Return all that the cells are made of, as JSON."""

    @classmethod
    @abstractmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> Cells:
        """Make the cells again from what :meth:`to_facts` gave.

        Parameters
        ----------
        facts : dict
            What a file says.
        domain : Domain
            Which rectangle is divided.
        most : int
            More cells than this are refused: no file of that size holds so many.
        """

    @staticmethod
    @abstractmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        """Make what could be chosen from again, out of its ``layout``."""

    @property
    def raster(self) -> Grid | None:
        """Return the pixels of a raster in which every cell shows; None where there is none."""
        return None

    def pixels(self, rows: range) -> Ints:
        """Find the cell that each pixel in some rows of the raster shows; -1 for none."""
        del rows
        raise no_raster()

    def pixel_weights(self, rows: range) -> Floats | None:
        """Return the weights by which pixels share the count of their cell; None if alike."""
        del rows
        return None

    def map_areas(self) -> Floats:
        """Compute the areas of cells on the map: square kilometres, or square degrees."""
        if self.polygons is not None:
            areas = self.polygons.areas
            return (
                areas if self.domain.crs.geographic else square_kilometres(areas, self.domain.crs)
            )
        return areas_on_map(self.bounds, self.domain)

    def ground_areas(self) -> Floats:
        """Compute the areas of cells on the ground, in the same units."""
        left, bottom, right, top = self.bounds.T
        share = ground_share((left + right) / 2, (bottom + top) / 2, self.domain)
        return np.asarray(self.map_areas() * share)

    def areas(self) -> Floats:
        """Compute the areas of cells on the ground in square kilometres; degrees have none."""
        box_areas(self.bounds[:0], self.domain.crs)
        return self.ground_areas()

    def as_regions(self) -> Workload:
        """Return the cells as regions that something else can be asked about."""
        if self.polygons is not None:
            return Workload.from_polygons(self.polygons, self.domain)
        return Workload.from_boxes(self.bounds, self.domain)


class HasCells(Protocol):
    """Lie on cells of a domain, as a release does, or the difference of two."""

    @property
    def cells(self) -> Cells:
        """Return the cells."""

    @property
    def domain(self) -> Domain:
        """Return what they divide."""


def raster_for(cells: Cells) -> Grid:
    """Return the pixels of a raster that shows the cells, or say that there is none."""
    if cells.raster is None:
        raise no_raster()
    return cells.raster


def no_raster() -> InputError:
    """Return the error about a raster of cells that no pixels show exactly."""
    return InputError(
        "a raster needs cells whose edges are edges of pixels; these cells are polygons: write "
        "them as a vector layer, such as .gpkg."
    )


def areas_on_map(boxes: Floats, domain: Domain) -> Floats:
    """Compute the areas of boxes on the map: in square kilometres, or in square degrees."""
    if not domain.crs.geographic:
        return box_areas(boxes, domain.crs)
    left, bottom, right, top = boxes.T
    return np.asarray((right - left) * (top - bottom))
