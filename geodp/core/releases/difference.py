"""Compare two releases of one domain: what changed, with its error. Public.

A difference is computed from what was published about both, and so costs nothing. Their noise is
independent: variances add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.phrases import Number, Phrase
from ..common.types import Floats, PathLike
from ..estimates.estimate import ErrorTerms, Estimate
from ..estimates.queries import ask
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from ..space.domain import Domain
from .cell_words import cells_in_words

if TYPE_CHECKING:
    import geopandas
    from matplotlib.axes import Axes

    from ..views.legend import Legend
    from .published import Boundary
    from .release import Release

_BY_CHANCE = 1e-9
"""Noise that is alike with at most this probability is the same noise."""


@dataclass(frozen=True, eq=False, repr=False)
class Difference:
    """Compare two releases: how many records more ``later`` counts than ``earlier``.

    Both must be on one domain, and their noise must be independent: two releases, or two groups of
    one. Where their cells are unlike, the map has the cells of the one with fewer, and the other is
    asked about them.

    Attributes
    ----------
    later, earlier : Release
        What is compared: two releases, or two groups of one.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> visits = ([100.0, 150.0], [200.0, 250.0], [2024, 2025])
    >>> years = geodp.release(visits, town, epsilon=1, by=geodp.Categories("year", [2024, 2025]))
    >>> change = years["2025"] - years["2024"]
    >>> bool((change.counts == years["2025"].counts - years["2024"].counts).all())
    True
    >>> len(change.query([(0, 0, 1000, 1000)]).estimate)
    1
    """

    later: Release
    earlier: Release

    def __post_init__(self) -> None:
        unlike = _unlike(self.later.domain, self.earlier.domain)
        if unlike:
            raise InputError(
                "a difference is between releases of one domain; these two have different "
                f"{unlike}."
            )
        if share_noise(self.later, self.earlier):
            raise InputError(
                "a difference is between two releases, or between two groups of one; these share "
                "records and noise."
            )

    def __repr__(self) -> str:
        later, earlier = (cells_in_words(release.cells) for release in (self.later, self.earlier))
        return f"Difference({later} - {earlier})"

    def _repr_html_(self) -> str:
        """Show the map and the promise in a notebook."""
        from ...outputs.report import difference_card

        return difference_card(self)

    @property
    def domain(self) -> Domain:
        """Return the public rectangle of both."""
        return self.later.domain

    @property
    def base(self) -> Release:
        """Return the release whose cells the map has: the one with fewer."""
        return min(self.later, self.earlier, key=lambda release: len(release.cells))

    @property
    def cells(self) -> Cells:
        """Return the cells of the map: those of the release that has fewer."""
        return self.base.cells

    @cached_property
    def estimate(self) -> Estimate:
        """Return the difference of cells and regions, linear in what was measured."""
        return DifferenceEstimate(self.later, self.earlier, self.cells)

    @property
    def counts(self) -> npt.NDArray[Any]:
        """Return the difference of each cell's counts; read-only."""
        return self.estimate.counts

    @property
    def variance(self) -> Floats:
        """Return the variance of each difference; read-only.

        It is that of both noises and, on unlike cells, of what the even spread gets wrong.
        """
        return self.estimate.variance

    @property
    def shown(self) -> npt.NDArray[Any]:
        """Return what a map shows of each cell: its difference, or that in standard errors.

        Of cells of many sizes, small ones differ by chance far more per area than large ones.
        """
        return np.asarray(self.columns()[self.legend.field])

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return what a vector layer says of each cell.

        The ``difference``, its ``std_error``, and the ratio of the two, the ``z_score``.
        """
        difference, error = self.counts, np.sqrt(self.variance)
        return {"difference": difference, "std_error": error, "z_score": difference / error}

    @property
    def legend(self) -> Legend:
        """Return classes and colours of a map, alike above zero and below."""
        from ..views.legend import difference_legend

        return difference_legend(self)

    @property
    def one_release(self) -> bool:
        """Tell whether both are groups of one release, which one ε bought."""
        later, earlier = self.later.parts, self.earlier.parts
        return len(later) == len(earlier) > 0 and all(map(_same, later, earlier))

    @property
    def promise(self) -> str:
        """Say what both releases promise together, in a few sentences for people."""
        if self.one_release or self.later.seeded or self.earlier.seeded:
            return (self.earlier if self.earlier.seeded else self.later).promise
        spent = Number(f"{float(self.later.epsilon + self.earlier.epsilon):g}")
        return Phrase(
            "Computed from two differentially private releases at no further cost. As far as both "
            "are about the same people, they promise epsilon = {1} together. The later: {2} The "
            "earlier: {3}",
            *(spent, self.later.promise, self.earlier.promise),
        )

    @property
    def counted(self) -> str:
        """Say what the numbers are differences of."""
        both = self.later.counted, self.earlier.counted
        return Phrase("{1} From that, what the earlier counts: {2}", *both)

    @property
    def seeded(self) -> bool:
        """Tell whether one of them was made with a fixed seed, and is therefore not private."""
        return self.later.seeded or self.earlier.seeded

    def query(
        self,
        regions: Any,
        *,
        level: float = 0.95,
        skip_invalid: bool = False,
        density: bool = False,
        total: bool = False,
    ) -> Any:
        """Estimate the change in regions, with the error to expect.

        Parameters
        ----------
        regions, level, skip_invalid, density, total
            As for :meth:`geodp.Release.query`, and so is what comes back.
        """
        return ask(
            self, regions, level=level, skip_invalid=skip_invalid, density=density, total=total
        )

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """Return the cells as polygons with their ``difference``, ``std_error`` and ``z_score``.

        The last is the difference in standard errors.
        """
        from ...outputs.shapes import cells_frame

        return cells_frame(self)

    def to_geotiff(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write a GeoTIFF with the difference in band 1 and its standard error in band 2.

        Cells of many sizes have the difference in standard errors in band 3. Beside the file lies a
        style for QGIS (``.qml``). It is a view, labelled as such, and does not open as a release.

        Parameters
        ----------
        path : path
            A name that ends in ``.tif``.
        overwrite : bool
            Replace a file that exists.
        """
        from ...outputs.difference import to_geotiff

        to_geotiff(self, path, overwrite=overwrite)

    def to_vector(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write the cells as polygons, as in :meth:`to_geodataframe`, with a style for QGIS.

        Parameters
        ----------
        path : path
            A name that ends in ``.gpkg``, ``.parquet``, ``.fgb``, ``.geojson`` or ``.shp``.
        overwrite : bool
            Replace a file that exists.

        Examples
        --------
        >>> import geodp, geopandas, pathlib, tempfile
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> grids = [geodp.Grid(town, (3, 4))]
        >>> one = geodp.Regular(grids)
        >>> before, after = (geodp.release(([], []), epsilon=1, cells=one) for _ in range(2))
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "change.gpkg"
        >>> (after - before).to_vector(file)
        >>> geopandas.read_file(file, layer="difference")["difference"].size
        12
        """
        from ...outputs.difference import to_vector

        to_vector(self, path, overwrite=overwrite)

    def plot(self, ax: Axes | None = None, *, boundary: Boundary | None = None) -> Axes:
        """Draw the difference with matplotlib and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the map.
        """
        from ...outputs.difference import plot_difference

        return plot_difference(self, ax, boundary=boundary)


def share_noise(one: Release, other: Release) -> bool:
    """Tell whether both hold the same noise: one release twice, or a total and its group.

    That is told by what was drawn, since a release may have been written and opened in between.
    """
    drawn = {measured: measured for measured in (*other.noise_sources, other.measurements)}
    return any(
        measured in drawn and _same(measured, drawn[measured])
        for measured in (*one.noise_sources, one.measurements)
    )


def _same(one: Measurements, other: Measurements) -> bool:
    """Tell whether two measurements are one, not only alike by chance as a few cells may be."""
    return one is other or (one == other and other.chance_alike < _BY_CHANCE)


def _unlike(one: Domain, other: Domain) -> str:
    """Say in what two domains differ, with both values where they are short; or nothing."""
    if one == other:
        return ""
    if one.bounds != other.bounds:
        return f"bounds, {one.bounds} and {other.bounds}"
    if one.crs != other.crs:
        return f"coordinate systems, {one.crs.short} and {other.crs.short}"
    return "places where records can be" if one.within != other.within else "resolutions"


class DifferenceEstimate(Estimate):
    """Differences of cells and regions, from the estimates of both releases."""

    def __init__(self, later: Release, earlier: Release, cells: Cells) -> None:
        self._sides = later, earlier
        self._cells = cells

    @cached_property
    def _on_cells(self) -> list[tuple[npt.NDArray[Any], Floats]]:
        """Return counts and variances of both on the cells of the map."""
        sides = []
        for side in self._sides:
            if side.cells == self._cells:
                sides.append((side.counts, side.variance))
            else:
                parts = side.estimate.parts(self._cells.as_regions())
                sides.append((parts.estimate, parts.noise + parts.spread))
        return sides

    @cached_property
    def counts(self) -> npt.NDArray[Any]:
        (later, _), (earlier, _) = self._on_cells
        return np.asarray(later - earlier)

    @cached_property
    def variance(self) -> Floats:
        (_, later), (_, earlier) = self._on_cells
        return np.asarray(later + earlier)

    def parts(self, regions: Workload) -> ErrorTerms:
        later, earlier = (side.estimate.parts(regions) for side in self._sides)
        noise = later.noise + earlier.noise
        with np.errstate(divide="ignore", invalid="ignore"):
            # Fourth cumulants of independent noise add up.
            excess = (later.excess * later.noise**2 + earlier.excess * earlier.noise**2) / noise**2
        return ErrorTerms(
            estimate=later.estimate - earlier.estimate,
            noise=noise,
            excess=excess,
            spread=later.spread + earlier.spread,
            step=np.maximum(later.step, earlier.step),
            integer=later.integer & earlier.integer,
            border_share=np.maximum(later.border_share, earlier.border_share),
            inside=later.inside,
        )
