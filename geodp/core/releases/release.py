"""Hold what may be published: cells with noisy counts, what they promise, how to use them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Union, overload

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.types import PathLike, read_only
from ..estimates.answers import RELIABLE, Answers
from ..estimates.estimate import Estimate
from ..estimates.fitting import fit
from ..estimates.queries import ask
from ..estimates.ratios import AmountEstimate
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend
from ..regions.workload import Workload
from .about import About
from .cell_words import cells_in_words
from .difference import Difference
from .published import Method, Published
from .quotient import Quotient

if TYPE_CHECKING:
    import geopandas
    from matplotlib.axes import Axes

    from .published import Boundary

Boxes = Union[Sequence[Sequence[float]], Sequence[float], npt.NDArray[Any]]  # noqa: UP007

_ASKED_OF_ALL = (
    "shares and quantiles are asked of all groups together; this is one release: make one with "
    "`by`, for quantiles by `Breaks(field, limits)`, and ask what that returns."
)


def group_counts(parts: Sequence[Measurements], method: Method) -> list[Measurements]:
    """Return what was published of the counts of each group: of an amount, both layers together."""
    if method.amount is None:
        return list(parts)
    return [Measurements.sum(pair) for pair in zip(parts[::2], parts[1::2])]


@dataclass(frozen=True, eq=False, repr=False)
class Release(Published):
    """A spatial histogram that may be published: cells with signed counts and known noise.

    Attributes
    ----------
    cells : Cells
        The cells that were chosen privately: of one regular grid, or of a tree.
    measurements : Measurements
        True counts plus noise, as whole numbers: all that is known about the records.
    spends : tuple of Spend
        What each step cost.
    method : Method
        How it was made: the public choices.
    seeded : bool
        Made with a fixed seed: repeatable, and therefore not private.
    about : About
        What its publisher says about it; see :meth:`with_about`.
    parts : tuple of Measurements
        What was published about each group, where this is one of several, or their total; of an
        amount, above and below, for each group in turn.
    """

    cells: Cells
    measurements: Measurements
    spends: tuple[Spend, ...]
    method: Method
    seeded: bool = field(default=False)
    about: About = field(default=About())
    parts: tuple[Measurements, ...] = field(default=())

    def __post_init__(self) -> None:
        self.estimate  # noqa: B018 (refuses measurements that are not of these cells)

    def __repr__(self) -> str:
        promised = f"epsilon={float(self.epsilon):g} per {self.method.unit.kind}"
        promise = "seeded, not private" if self.seeded else promised
        return f"Release({cells_in_words(self.cells)}, {promise})"

    @property
    def maps(self) -> Mapping[str, Release]:
        """Return the release alone, without a name."""
        return {"": self}

    @property
    def total(self) -> Release:
        """Return the release itself."""
        return self

    @property
    def noise_sources(self) -> tuple[Measurements, ...]:
        """Return the measurements whose noise is in the counts: of a total, those of all groups."""
        if self.method.group and self.method.amount is not None:
            return self.layers
        return (self.measurements,) if self.method.group or not self.parts else self.parts

    @property
    def layers(self) -> tuple[Measurements, ...]:
        """Return the measurements of an amount, above and below; none where there is no amount."""
        if self.method.amount is None or len(self.parts) == 2:
            return self.parts if self.method.amount is not None else ()
        above, below = self.parts[::2], self.parts[1::2]  # group by group
        if self.method.group and self.method.groups is not None:
            place = self.method.groups.group_index(self.method.group)
            return above[place], below[place]
        return Measurements.sum(above), Measurements.sum(below)

    @cached_property
    def estimate(self) -> Estimate:
        """Return the map from what was measured to counts of cells and regions."""
        alone = self.method.groups is None and self.method.amount is None
        return fit(self.cells, self.measurements, alone=alone)

    @cached_property
    def beside_others(self) -> tuple[Estimate, Estimate]:
        """Estimate counts of one group among several, and of all others together."""
        method = self.method
        if method.groups is None or not method.group or len(method.groups.names) < 2:
            raise InputError(
                "a share is that of a group in several; this release has none beside it: make a "
                "release with `by`, and take one of its groups."
            )
        counted = group_counts(self.parts, method)
        part = counted.pop(method.groups.group_index(method.group))
        rest = Measurements.sum(counted)
        return fit(self.cells, part, alone=False), fit(self.cells, rest, alone=False)

    @cached_property
    def overall(self) -> Answers:
        """Return the estimate for the whole domain, as ``query([domain.bounds])`` answers it."""
        return self.query([self.domain.bounds])

    @cached_property
    def amounts(self) -> AmountEstimate | None:
        """Return sums and means of the amount, where one was added up."""
        if self.method.amount is None:
            return None
        above, below = (fit(self.cells, layer, alone=False) for layer in self.layers)
        low, high = float(self.method.amount.low), float(self.method.amount.high)
        return AmountEstimate(above, below, low, high)

    @property
    def scale(self) -> Fraction:
        """Scale of the discrete Laplace noise; the least where there are several."""
        return min(self.measurements.count_scales)

    @property
    def counts(self) -> npt.NDArray[Any]:
        """Return the estimated count of each cell, in the order of the cells; read-only.

        Cells of a grid come row by row from the north-west, and have whole numbers, true count plus
        noise; in a tree of cells they are least-squares estimates. Some are negative; they must
        stay so, or sums would drift upwards. :attr:`counted` says what they are counts of, and
        :meth:`to_xarray` has them in rows and columns.
        """
        return self.estimate.counts

    @property
    def variance(self) -> npt.NDArray[np.float64]:
        """Return the variance of the noise in each cell; read-only."""
        return self.estimate.variance

    @overload
    def query(
        self,
        regions: Boxes | Workload,
        *,
        level: float = ...,
        skip_invalid: bool = ...,
        density: bool = ...,
        total: bool = ...,
        per: str | None = ...,
        each: float = ...,
        reliable: float = ...,
    ) -> Answers: ...

    @overload
    def query(
        self,
        regions: geopandas.GeoDataFrame | geopandas.GeoSeries | PathLike,
        *,
        level: float = ...,
        skip_invalid: bool = ...,
        density: bool = ...,
        total: bool = ...,
        per: str | None = ...,
        each: float = ...,
        reliable: float = ...,
    ) -> geopandas.GeoDataFrame: ...

    def query(
        self,
        regions: Any,
        *,
        level: float = 0.95,
        skip_invalid: bool = False,
        density: bool = False,
        total: bool = False,
        per: str | None = None,
        each: float = 1,
        reliable: float = RELIABLE,
    ) -> Any:
        """Estimate the number of records in regions, with the error to expect.

        Parameters
        ----------
        regions : GeoDataFrame, GeoSeries, path, Workload or array_like of boxes
            Polygons in any CRS or a file of them, or rows of ``xmin, ymin, xmax, ymax`` in the
            domain's CRS.
        level : float
            How often the interval shall hold the true count.
        skip_invalid : bool
            Answer the others where polygons of a layer are broken; by default the layer is refused
            with the number of the first.
        density : bool
            Of a layer, add ``density``, ``density_low`` and ``density_high``: records per square
            kilometre of what lies in the domain.
        total : bool
            Give one answer for all regions together: for what they cover, however they overlap.
            Answers add up, their errors do not: what a border between two regions gives one too
            much it takes from the other.
        per : str, optional
            A column of the layer with public populations: add ``rate``, ``rate_low`` and
            ``rate_high``, records per one of them. Where the population is 0 or missing, or a part
            of the region lies outside the domain, the rate is not known: NaN, from 0 to infinity.
        each : float
            Of how many of them the rate is: 100_000 for records per 100,000 people.
        reliable : float
            Part of an estimate that half of its interval may be, where the column ``reliable``
            says so.

        Returns
        -------
        GeoDataFrame or Answers
            The given layer with the columns ``estimate``, ``std_error``, ``noise_error``,
            ``ci_low``, ``ci_high``, ``border_share``, ``covered`` and ``reliable``, or the same as
            arrays for boxes: see :class:`geodp.Answers`. The interval holds both the noise, which
            is known, and the error from taking records as evenly spread inside a cell, which is
            estimated from how uneven the published cells are. Regions outside the domain have no
            answer (NaN) and ``covered`` 0. What the numbers are of stands in the layer's
            ``attrs["geodp_counted"]``, and in :attr:`counted`.

        Examples
        --------
        >>> import numpy as np, geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release((np.array([100.0]), np.array([200.0])), town, epsilon=1)
        >>> parts = [(0, 0, 1000, 3000), (1000, 0, 4000, 3000)]
        >>> len(release.query(parts).estimate)
        2
        >>> total = release.query([town.bounds])
        >>> bool(abs(release.query(parts, total=True).std_error / total.std_error - 1) < 1e-9)
        True
        """
        return ask(
            self,
            regions,
            level=level,
            skip_invalid=skip_invalid,
            density=density,
            total=total,
            per=per,
            each=each,
            reliable=reliable,
        )

    def __sub__(self, earlier: Release) -> Difference:
        """Return what changed since an earlier release of the same domain, with its error.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> before, after = (geodp.release(([], []), town, epsilon=1) for _ in range(2))
        >>> (after - before).query([town.bounds]).noise_error.shape
        (1,)
        """
        if not isinstance(earlier, Release):
            return NotImplemented
        return Difference(self, earlier)

    def __truediv__(self, earlier: Release) -> Quotient:
        """Return how many times as many records there are as in another release, with its error.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> before = geodp.release(([100.0] * 100, [100.0] * 100), town, epsilon=9)
        >>> after = geodp.release(([100.0] * 150, [100.0] * 150), town, epsilon=9)
        >>> bool(abs((after / before).query([town.bounds]).ratio[0] - 1.5) < 0.2)
        True
        """
        if not isinstance(earlier, Release):
            return NotImplemented
        return Quotient(self, earlier)

    def share(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: shares are asked of all groups together, :meth:`geodp.ReleaseSet.share`."""
        raise InputError(_ASKED_OF_ALL)

    def quantile(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: quantiles are asked of all groups together, :meth:`geodp.ReleaseSet.quantile`."""
        raise InputError(_ASKED_OF_ALL)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the estimates of the cells by the names that their fields have in files.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> hours = geodp.Breaks("hour", [0, 12, 24])
        >>> release = geodp.release(([], [], []), town, epsilon=1, cells="regular", by=hours)
        >>> list(release.columns())
        ['count_0_to_12', 'count_12_to_24', 'drawn_0_to_12', 'drawn_12_to_24']
        """
        from ..publish.columns import estimate_columns

        columns = estimate_columns(self.cells, self.estimate, self.measurements, self.amounts)
        return {**columns, "drawn": self.drawn}

    @cached_property
    def drawn(self) -> npt.NDArray[np.float64]:
        """Return what pictures draw of each cell: a best guess, never negative, per area.

        The area is that on the ground where records can be, in square kilometres (or square
        degrees). It is made for the eye, from the published counts alone; sums and answers come
        from :attr:`counts` and :meth:`query`.
        """
        from ..views.picture import drawn_density

        return read_only(drawn_density(self))

    def plot(
        self,
        ax: Axes | None = None,
        *,
        view: str = "best",
        boundary: Boundary | None = None,
        uncertainty: bool = False,
        grey: float | None = None,
        labels: Any = None,
        insets: Sequence[Sequence[float]] = (),
        north: bool = False,
    ) -> Axes:
        """Draw a map with matplotlib and return the axes.

        Title, subject and source of :meth:`with_about` are drawn above and below the map. The scale
        bar stands in the corner with least in it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        view : {"best", "signed", "error", "dots", "smooth", "mean", "share"}
            A best guess for the eye, never negative, in at most seven classes; the signed counts
            as they are; how large the error of each cell is beside its count; dots at random inside
            the cells, none of which is a real place; the best guess smoothed between cells, which
            suggests detail that is not known; the mean of the amount, or the share of a group in
            all of them, both grey where not known. No view changes a number: sums and answers come
            from the counts.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the map.
        uncertainty : bool
            Draw cells paler, the larger their error is beside their count.
        grey : float, optional
            Draw cells grey where half of the interval is more than this part of the count, or of
            the mean: 0.5 for half of it.
        labels : GeoDataFrame or path, optional
            A public layer of names to write on the map: towns as points, or polygons. Of names that
            would cover each other, the first in the layer is written.
        insets : sequence of sequence of float
            Parts of the map that are drawn larger below it: ``xmin, ymin, xmax, ymax`` of each.
        north : bool
            Draw an arrow that points up, to the north of the CRS's grid.
        """
        from ...outputs.plot import plot

        options: dict[str, Any] = {"view": view, "boundary": boundary, "grey": grey}
        options |= {"labels": labels, "insets": insets, "north": north}
        return plot(self, ax, **options, uncertainty=uncertainty)
