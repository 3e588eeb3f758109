"""Hold what may be published: cells with noisy counts, what they promise, how to use them."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..cells.partitions import Alternative
from ..common.errors import InputError
from ..common.types import read_only
from ..estimates.amount_estimate import AmountEstimate
from ..estimates.answers import RELIABLE, Answers
from ..estimates.estimate import Estimate
from ..estimates.fitting import fit
from ..estimates.queries import ask
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend, total
from ..privacy.quantity import PLAIN, Quantity
from ..privacy.unit import Unit
from ..records.amounts import Amount
from ..records.groups import Groups
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from .about import About
from .cell_words import cells_in_words
from .describe import Description, counted_text, describe, promise_text
from .difference import Difference
from .quotient import Quotient

if TYPE_CHECKING:
    from typing import TypeAlias

    import folium
    import geopandas
    import pyarrow
    import xarray
    from matplotlib.axes import Axes

    from ..views.legend import Legend

    Boundary: TypeAlias = geopandas.GeoDataFrame | geopandas.GeoSeries | str | os.PathLike[str]

Self = TypeVar("Self", bound="Published")
PathLike = Union[str, os.PathLike[str]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)
Boxes = Union[Sequence[Sequence[float]], Sequence[float], npt.NDArray[Any]]  # noqa: UP007

_ASKED_OF_ALL = (
    "shares and quantiles are asked of all groups together; this is one release: make one with "
    "`by`, for quantiles by `Breaks(field, limits)`, and ask what that returns."
)


@dataclass(frozen=True)
class Method:
    """State how a release was made: the public choices behind it.

    Attributes
    ----------
    candidates : tuple of Grid, Frame or Alternative
        What it could choose from: grids, or the lattices of a tree of cells.
    workload : str
        The regions that it was tuned for, in words.
    tuner : str
        The tuner, as it would be written in Python.
    unit : Unit
        What is protected, and how neighbouring datasets differ.
    noise : str
        Whose sampler drew the noise.
    groups : Groups, optional
        How records were told apart, where they were counted in groups.
    group : str
        The group that is counted; empty for all of them together.
    quantity : Quantity
        What the numbers are of, and in which units they were measured.
    amount : Amount, optional
        What was added up beside counts.
    """

    candidates: tuple[Grid | Frame | Alternative, ...]
    workload: str
    tuner: str
    unit: Unit
    noise: str
    groups: Groups | None = None
    group: str = ""
    quantity: Quantity = PLAIN
    amount: Amount | None = None

    def __repr__(self) -> str:
        tuner = self.tuner.partition("(")[0]
        groups = "" if self.groups is None else f", {self.groups.in_words}"
        return f"Method({tuner} of {len(self.candidates)}, {self.unit.kind}, {self.noise}{groups})"


class Published(ABC):
    """Hold what may be published about records on cells: one release, or the releases of groups.

    Files, pages and descriptions are made of the ``maps`` in it, each of which is a release.
    """

    cells: Cells
    spends: tuple[Spend, ...]
    method: Method
    seeded: bool
    about: About

    @property
    @abstractmethod
    def maps(self) -> Mapping[str, Release]:
        """Return each release by the name of its group; one alone has no name."""

    @property
    @abstractmethod
    def total(self) -> Release:
        """Return the release of all records together."""

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the names of the groups: none where all records were counted alike."""
        return ()

    @property
    def first(self) -> Release:
        """Return the first of the maps: noise and errors of cells are alike in all of them."""
        return next(iter(self.maps.values()))

    @cached_property
    def legend(self) -> Legend:
        """Return classes and colours of a picture, from what is drawn; groups share them."""
        from ..views.picture import picture_legend

        return picture_legend(self)

    @abstractmethod
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the estimates of the cells by the names that their fields have in files."""

    def _repr_html_(self) -> str:
        """Show the map and the promise in a notebook."""
        from ...outputs.report import release_card

        return release_card(self)

    @property
    def domain(self) -> Domain:
        """Return the public rectangle that the release speaks about."""
        return self.cells.domain

    @property
    def epsilon(self) -> Fraction:
        """Add up all that was spent."""
        return total(self.spends)

    @property
    def promise(self) -> str:
        """Say what the release promises, in a few sentences for people."""
        return promise_text(self)

    @property
    def counted(self) -> str:
        """Say what the counts are of, in one sentence: with persons, not of all records.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> geodp.release(([], []), town, epsilon=1).counted
        'Counts every record inside the extent.'
        """
        return counted_text(self)

    def describe(self) -> Description:
        """Describe the release, for people and for programs.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> geodp.release(([], []), town, epsilon=1).describe()["protected_unit"].text
        'one record'
        """
        return describe(self)

    def with_about(self: Self, **words: str | None) -> Self:
        """Return the same release with words of its publisher, for its files and pages.

        Parameters
        ----------
        **words : str
            Any of ``title``, ``subject``, ``source``, ``publisher``, ``licence`` and ``date``.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release(([], []), town, epsilon=1)
        >>> release.with_about(title="Thefts in 2025", source="City police").about.title
        'Thefts in 2025'
        """
        return replace(self, about=self.about.but(words))  # type: ignore[type-var]

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """Return the cells as polygons with their noisy ``count``.

        Cells of a tree also have the ``std_error`` of the noise, a ``density`` (records per square
        kilometre) and their ``depth``. What is promised and what the counts are of is in the
        frame's ``attrs``.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[(3, 4)]))
        >>> release.to_geodataframe()["count"].size
        12
        """
        from ...outputs.shapes import cells_frame

        return cells_frame(self)

    def to_arrow(self) -> pyarrow.Table:
        """Return the cells as an Arrow table: the columns of :meth:`to_geodataframe`, and WKB.

        The geometry says by GeoArrow's metadata what it is, so that Polars, DuckDB and others know
        it. What is promised, and all that files hold beside the cells, is in the table's metadata.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[(3, 4)]))
        >>> release.to_arrow().num_rows
        12
        """
        from ...outputs.shapes import cells_table

        return cells_table(self)

    def to_geotiff(
        self,
        path: PathLike,
        *,
        view: str = "counts",
        resolution: float | None = None,
        overwrite: bool = False,
    ) -> None:
        """Write a Cloud-Optimized GeoTIFF with the counts in band 1.

        Pixels of adaptive cells each have a share of their cell's count, so that sums over any
        block of them are right. There are at most 4,096 of them a side, unless a ``resolution``
        asks for more: finer cells are then taken together, and stand one by one in the vector
        file. Numbers have 32 bits where that keeps every count to a thousandth of its standard
        error, and 64 where not. The file opens as the same release whatever its pixels are.

        Beside it lie, for QGIS, a style (``.qml``) and a description (``.qmd``); beside one of
        several groups also a layer definition (``.qlr``), which opens them as a group that
        QGIS's temporal controller plays where time divides them.

        Parameters
        ----------
        path : path
            A name that ends in ``.tif``.
        view : {"counts", "density", "clamped", "smooth"}
            The signed counts, which make a file that opens as a release again; or, derived from
            them and labelled so, records per square kilometre, counts with negative ones set to
            zero, or records in each pixel of a smooth picture.
        resolution : float, optional
            Longest side of a pixel, in units of the CRS, where adaptive cells shall be shown finer
            or coarser than by default. Cells of a regular grid are pixels as they are.
        overwrite : bool
            Replace a file that exists.

        Examples
        --------
        >>> import numpy as np, geodp, tempfile, pathlib
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release((np.array([100.0]), np.array([200.0])), town, epsilon=1)
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "counts.tif"
        >>> release.to_geotiff(file)
        >>> bool((geodp.open_release(file).counts == release.counts).all())
        True
        """
        from ...outputs.raster import to_geotiff

        to_geotiff(self, path, view=view, resolution=resolution, overwrite=overwrite)

    def to_vector(
        self, path: PathLike, *, overwrite: bool = False, h3_integers: bool = False
    ) -> None:
        """Write the cells as polygons with their noisy ``count`` and a style for QGIS.

        Parameters
        ----------
        path : path
            A name that ends in ``.gpkg``, ``.parquet``, ``.fgb`` (these open as a release again),
            ``.geojson`` (in longitude and latitude, as its standard says) or ``.shp``. The style
            is inside a GeoPackage and beside the others, with the suffix ``.qml``.
        overwrite : bool
            Replace a file that exists.
        h3_integers : bool
            Write indices of H3 as whole numbers of 64 bits, in GeoParquet, instead of text.
        """
        from ...outputs.vector import to_vector

        to_vector(self, path, overwrite=overwrite, h3_integers=h3_integers)

    def to_csv(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write a table of the cells, with an interval for every count, for spreadsheets.

        Of districts in levels there are rows for the units of every level; of several groups, rows
        for each of them. The last two columns repeat what is promised. Estimates and their limits
        are rounded to the power of ten at or below a hundredth of their error. A table has no
        shapes and does not open as a release again: write one of :meth:`to_vector` too.

        Parameters
        ----------
        path : path
            A name that ends in ``.csv``.
        overwrite : bool
            Replace a file that exists.

        Examples
        --------
        >>> import geodp, pathlib, tempfile
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2]))
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "counts.csv"
        >>> release.to_csv(file)
        >>> file.read_text(encoding="utf-8-sig").splitlines()[0].split(",")[-6:]
        ['std_error', 'ci_low', 'ci_high', 'reliable', 'geodp_epsilon', 'geodp_protects']
        """
        from ...outputs.table import to_csv

        to_csv(self, path, overwrite=overwrite)

    def to_tiles(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write vector tiles for maps on the web, with the promise as their description.

        They are for looking: nothing may be summed over tiles, and they do not open as a release.

        Parameters
        ----------
        path : path
            A name that ends in ``.pmtiles`` or ``.mbtiles``.
        overwrite : bool
            Replace a file that exists.
        """
        from ...outputs.tiles import to_tiles

        to_tiles(self, path, overwrite=overwrite)

    def to_points(
        self,
        path: PathLike,
        *,
        per: int | None = None,
        seed: int | None = None,
        overwrite: bool = False,
    ) -> None:
        """Write synthetic points, whose numbers follow what is drawn: none is a real place.

        Points of any node of a tree of cells, and of all cells together, differ from the best guess
        by less than one. Inside a cell they lie at random where records can be. They are made of
        published numbers, and say so in the metadata of their layer. A column names the group.

        Parameters
        ----------
        path : path
            A name that ends in ``.gpkg``, ``.parquet``, ``.fgb``, ``.geojson`` or ``.shp``.
        per : int, optional
            How many records a point stands for; by default a round number that leaves at most
            12,000 points.
        seed : int, optional
            For the same points again. It takes nothing from the promise.
        overwrite : bool
            Replace a file that exists.
        """
        from ...outputs.dots import to_points

        to_points(self, path, per=per, seed=seed, overwrite=overwrite)

    def to_xarray(self, *, resolution: float | None = None) -> xarray.Dataset:
        """Return counts over pixels as labelled arrays; adaptive cells have their error and depth.

        Pixels show what they do in :meth:`to_geotiff`: sums over any block of them are right.

        Parameters
        ----------
        resolution : float, optional
            Longest side of a pixel, as for :meth:`to_geotiff`.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> release = geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[(3, 4)]))
        >>> release.to_xarray()["count"].dims
        ('y', 'x')
        """
        from ...outputs.labelled import to_xarray

        return to_xarray(self, resolution)

    def to_report(
        self,
        path: PathLike,
        *,
        boundary: Boundary | None = None,
        regions: Boundary | None = None,
        grey: float | None = None,
        language: str = "en",
        overwrite: bool = False,
    ) -> None:
        """Write one HTML page: a map to look at closely, the promise in plain words, errors.

        The page needs no network. The map of several groups switches between them. With
        scripts off, and on paper, there are pictures instead.

        Parameters
        ----------
        path : path
            A name that ends in ``.html``.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the map.
        regions : GeoDataFrame, GeoSeries or path, optional
            Public regions, whose counts are listed and drawn.
        grey : float, optional
            Draw cells and regions of the pictures grey where half of the interval is more than
            this part of the count.
        language : {"en", "de", "fr"}
            What the page and its pictures are written in. Titles, names of regions and groups and
            the like stay as they are.
        overwrite : bool
            Replace a file that exists.
        """
        from ...outputs.report import to_report

        options: dict[str, Any] = {"boundary": boundary, "regions": regions, "grey": grey}
        to_report(self, path, **options, language=language, overwrite=overwrite)

    def to_registry(
        self,
        *,
        intended_use: str | None = None,
        region: str | None = None,
        sector: str | None = None,
        justification: str | None = None,
    ) -> str:
        """Write what a public register of differentially private releases asks, as YAML.

        Title, publisher and date are those of :meth:`with_about`. What nobody said is marked as
        missing, with the question to answer.

        Parameters
        ----------
        intended_use : str, optional
            What it shall be used for.
        region, sector : str, optional
            Of which country or region, and of which sector it is.
        justification : str, optional
            Why this ε, this unit and this mechanism.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> entry = geodp.release(([], []), town, epsilon=1).to_registry(region="Ohio")
        >>> 'data_product_region: "Ohio"' in entry, entry.count("MISSING: ")
        (True, 6)
        """
        from ..publish.registry import registry_entry

        words = {"intended_use": intended_use, "region": region, "sector": sector}
        return registry_entry(self, {**words, "justification": justification})


def counts_of_groups(parts: Sequence[Measurements], method: Method) -> list[Measurements]:
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
        above, below = self.parts[::2], self.parts[1::2]  # of each group in turn
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
        counted = counts_of_groups(self.parts, method)
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

    def explore(self, boundary: Boundary | None = None, **options: Any) -> folium.Map:
        """Show the cells on a map to move about in, where folium is installed.

        Whoever looks at it needs a network: scripts and background come from there. The map in
        :meth:`to_report` needs none.

        Parameters
        ----------
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the cells, as in :meth:`plot`.
        **options
            Passed on to :meth:`geopandas.GeoDataFrame.explore`, for example ``tiles``.
        """
        from ...outputs.plot import explore

        return explore(self, boundary, **options)
