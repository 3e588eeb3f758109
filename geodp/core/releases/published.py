"""Say what every release offers: its promise in words, tables, files and pages."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy.typing as npt

from ..cells.cells import Cells
from ..cells.partitions import Alternative
from ..common.types import PathLike
from ..privacy.budget import Spend, total
from ..privacy.quantity import PLAIN, Quantity
from ..privacy.unit import Unit
from ..records.amounts import Amount
from ..records.groups import Groups
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid
from .about import About
from .describe import Description, counted_text, describe, promise_text

if TYPE_CHECKING:
    from typing import TypeAlias

    import folium
    import geopandas
    import pyarrow
    import xarray

    from ..views.legend import Legend
    from .release import Release

    Boundary: TypeAlias = geopandas.GeoDataFrame | geopandas.GeoSeries | str | os.PathLike[str]

Self = TypeVar("Self", bound="Published")


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

    def explore(self, boundary: Boundary | None = None, **options: Any) -> folium.Map:
        """Show the cells, or those of each group, on a map to move about in.

        It is there where folium is installed. Whoever looks at it needs a network: scripts and
        background come from there. The map in :meth:`to_report` needs none.

        Parameters
        ----------
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the cells, as in :meth:`plot`.
        **options
            Passed on to :meth:`geopandas.GeoDataFrame.explore`, for example ``tiles``.
        """
        from ...outputs.plot import explore

        return explore(self, boundary, **options)

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
            What the page opens in, from which its reader can switch to the others. Titles, names
            of regions and groups and the like stay as they are.
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
        (True, 10)
        """
        from ..publish.registry import registry_entry

        words = {"intended_use": intended_use, "region": region, "sector": sector}
        return registry_entry(self, {**words, "justification": justification})
