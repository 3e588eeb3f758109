"""What a release is made of: cells, and estimates of their counts with known noise. Public.

A :class:`Partition` divides the domain into cells. Whole numbers with discrete Laplace noise were
published about it (``Measurements``), and an :class:`Estimate` is the
linear map from these to the counts of cells and regions. Regular grids and trees of cells are the
two kinds there are; answers, files, maps and descriptions know none of the two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..common.types import Floats, Ints
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from .legend import Legend


class ErrorTerms(NamedTuple):
    """What regions add up to, and the parts of their error; one entry per region.

    Attributes
    ----------
    estimate : ndarray
        Sum of the cells' estimates in proportion to what the region covers of them.
    noise : ndarray
        Variance of the noise in it.
    excess : ndarray
        Excess kurtosis of that noise: 0 for many counts together, large for a single one.
    spread : ndarray
        Variance of what the even spread inside cells gets wrong, where borders cut them.
    step : ndarray
        How far one whole count moves the estimate.
    border_share : ndarray
        Part of the estimate that comes from cells which the region's border cuts.
    inside : ndarray
        Area of the region inside the domain.
    """

    estimate: Floats
    noise: Floats
    excess: Floats
    spread: Floats
    step: Floats
    border_share: Floats
    inside: Floats


class Estimate(ABC):
    """Counts of cells and regions, linear in what was measured."""

    @property
    @abstractmethod
    def counts(self) -> npt.NDArray[Any]:
        """Estimated count of each cell, in the partition's shape; read-only."""

    @property
    @abstractmethod
    def variance(self) -> Floats:
        """Variance of the noise in each; read-only."""

    @abstractmethod
    def parts(self, regions: Workload) -> ErrorTerms:
        """Estimates for regions, and what their errors are made of."""


class Partition(ABC):
    """Cells that divide the domain."""

    kind: ClassVar[str]
    """What a person asks for: ``"regular"`` or ``"adaptive"``."""

    format: ClassVar[str]
    """Number of the format in which such a release is written: programs can tell kinds apart."""

    integer_counts: ClassVar[bool]
    """Whether the counts of cells are whole numbers."""

    bands: ClassVar[tuple[str, ...]]
    """What a raster of the cells holds in its bands: ``count``, ``std_error``, ``depth``."""

    reading: ClassVar[str]
    """How to read the count of a cell, in words with a place for what is counted."""

    @property
    @abstractmethod
    def domain(self) -> Domain:
        """The rectangle that is divided."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """Shape of an array with one value for each cell."""

    @property
    def supported(self) -> npt.NDArray[np.bool_]:
        """Which cells are measured, because records can be there: all but a grid's others."""
        return np.broadcast_to(np.True_, self.shape)

    def __len__(self) -> int:
        """Number of cells that are measured."""
        return int(np.count_nonzero(self.supported))

    @property
    @abstractmethod
    def grid(self) -> Grid:
        """The grid, of regular cells; others have none and say so."""

    @property
    @abstractmethod
    def raster(self) -> Grid:
        """The grid of a raster that shows every cell: the finest cells that occur."""

    @abstractmethod
    def pixels(self, rows: range) -> Ints:
        """Which of the measured cells each pixel in some rows of the raster belongs to.

        Cells are counted through in the order of :meth:`fields`; -1 where no records can be.
        """

    def pixel_weights(self, rows: range) -> Floats | None:
        """Weights by which the count of a cell is spread over its pixels in some rows.

        None where its pixels are alike.
        """
        del rows
        return None

    @abstractmethod
    def fields(self) -> dict[str, npt.NDArray[Any]]:
        """What a vector layer says of each measured cell: number ``id``, edges, place."""

    @abstractmethod
    def nodes(self) -> Floats:
        """Edges ``xmin, ymin, xmax, ymax`` of all that can be measured, in their order."""

    @abstractmethod
    def columns(self, estimate: Estimate) -> dict[str, npt.NDArray[Any]]:
        """What a vector layer says of the count of each measured cell."""

    @abstractmethod
    def areas(self) -> Floats:
        """Areas of the cells in square kilometres, in the partition's shape."""

    @abstractmethod
    def facts(self) -> dict[str, tuple[str, str, Any]]:
        """Facts for :func:`geodp.core.releases.describe.describe`: key to label, text and value."""

    @property
    @abstractmethod
    def in_words(self) -> str:
        """The cells in a few words, for titles and legends."""

    @abstractmethod
    def examples(self) -> list[tuple[str, tuple[float, float, float, float]]]:
        """Regions of whole cells, from small to large, with a name for each."""

    @abstractmethod
    def legend(self, measurements: Measurements) -> Legend:
        """Classes and colours of a map, from the cells and the scale of the noise alone."""

    @abstractmethod
    def to_facts(self, measurements: Measurements) -> dict[str, Any]:
        """Cells and measurements as JSON, but for what a file's counts tell by themselves."""

    @classmethod
    @abstractmethod
    def of_facts(cls, facts: dict[str, Any], domain: Domain) -> Partition:
        """Make the cells again from what :meth:`to_facts` gave."""

    @abstractmethod
    def measured(self, facts: dict[str, Any], counts: npt.NDArray[Any]) -> Measurements:
        """Make the measurements again from what :meth:`to_facts` gave and the file's counts."""

    @abstractmethod
    def checked_values(self, measurements: Measurements) -> Ints:
        """Measured values, in the shape in which the file's checksum takes them."""

    @staticmethod
    @abstractmethod
    def candidate(layout: Any, domain: Domain) -> Grid | Frame:
        """Make what could be chosen from again, out of its ``layout``."""

    @abstractmethod
    def fit(self, measurements: Measurements, alone: bool = True) -> Estimate:
        """Estimates from measurements, which must be of these cells.

        Parameters
        ----------
        measurements : Measurements
            What was published.
        alone : bool
            Whether the cells were chosen by these measurements alone; not so for one layer of
            several, nor for their sum.
        """


class HasCells(Protocol):
    """Whatever lies on cells of a domain: a release, or the difference of two."""

    @property
    def cells(self) -> Partition:
        """The cells."""

    @property
    def domain(self) -> Domain:
        """What they divide."""
