"""What may be published: cells with noisy counts, what they promise, and how to use them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from .answers import Answers, answer
from .budget import Spend, total
from .errors import InputError
from .grid import Grid
from .noise import laplace_variance
from .workload import Workload

if TYPE_CHECKING:
    import geopandas

PathLike = Union[str, os.PathLike[str]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)

NEIGHBOURS = {"add-remove": 1, "replace": 2}
"""How many records of difference each neighbour relation stands for, per record of a unit."""

_RECORDS = "It protects records, not people: someone with several records is protected less."
UNITS = {
    "record": ("one record", _RECORDS),
    "feature": ("one feature of at most {} points", _RECORDS),
    "person": (
        "one person with all their records, of which at most {} were kept,",
        "It protects people, as far as each person has one value in the person field.",
    ),
}
"""What may be protected: how to call it, and what to say about people."""


@dataclass(frozen=True)
class Inputs:
    """The public inputs that a release was tuned with.

    Attributes
    ----------
    candidates : tuple of Grid
        What it could choose from.
    workload : str
        The regions that it was tuned for, in words.
    tuner : str
        The tuner, as it would be written in Python.
    neighbours : str
        ``"add-remove"``: one protected unit more or less; ``"replace"``: one exchanged.
    unit : str
        What is protected: ``"record"``, ``"feature"`` with at most ``max_records`` points, or
        ``"person"`` with at most ``max_records`` records kept of each.
    max_records : int
        Records that one protected unit may hold.
    noise : str
        Whose sampler drew the noise.
    """

    candidates: tuple[Grid, ...]
    workload: str
    tuner: str
    neighbours: str
    unit: str
    max_records: int
    noise: str


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """A spatial histogram that may be published: cells with signed counts and known noise.

    Attributes
    ----------
    grid : Grid
        The cells that were chosen privately.
    counts : ndarray of int
        True count plus noise for each cell, row 0 in the north. Some are negative; they must stay
        so, or sums would drift upwards.
    scale : Fraction
        Scale of the discrete Laplace noise.
    spends : tuple of Spend
        What each step cost.
    inputs : Inputs
        Public inputs of the tuning.
    seeded : bool
        Made with a fixed seed: repeatable, and therefore not private.
    """

    grid: Grid
    counts: npt.NDArray[np.int64]
    scale: Fraction
    spends: tuple[Spend, ...]
    inputs: Inputs
    seeded: bool = field(default=False)

    def __repr__(self) -> str:
        rows, columns = self.grid.shape
        made = "seeded, not private" if self.seeded else f"epsilon={float(self.epsilon):g}"
        return f"Release({rows} × {columns} cells, {made})"

    @property
    def epsilon(self) -> Fraction:
        """Everything that was spent, added up."""
        return total(self.spends)

    @property
    def variance(self) -> npt.NDArray[np.float64]:
        """Variance of the noise in each cell."""
        return np.full(self.grid.shape, laplace_variance(self.scale))

    @property
    def promise(self) -> str:
        """What the release promises, in one sentence for people."""
        if self.seeded:
            return (
                "This release was made with a fixed seed for testing and is NOT private: anyone "
                "with the seed can take the noise off again."
            )
        change = "adding or removing" if self.inputs.neighbours == "add-remove" else "exchanging"
        what, aside = UNITS[self.inputs.unit]
        what = what.format(self.inputs.max_records)
        return (
            f"Differentially private with epsilon = {float(self.epsilon):g}: {change} {what} "
            f"changes the probability of any outcome, cell size included, by a factor of at most "
            f"exp({float(self.epsilon):g}). {aside}"
        )

    def query(self, regions: Any) -> Any:
        """Estimate the number of records in regions, with the error that the noise causes.

        Parameters
        ----------
        regions : GeoDataFrame, GeoSeries, Workload or array_like of boxes
            Polygons in any CRS, or rows of ``xmin, ymin, xmax, ymax`` in the domain's CRS.

        Returns
        -------
        GeoDataFrame or Answers
            The given layer with the columns ``estimate``, ``std_error``, ``ci_low`` and
            ``ci_high`` (95 %), or the same as arrays for boxes. The interval holds the noise,
            which is known; it does not hold the error from taking people as evenly spread inside
            a cell.
        """
        if isinstance(regions, Workload):
            return self._answer(regions)
        if not hasattr(regions, "geometry"):
            return self._answer(Workload.from_boxes(self.grid.domain, regions))
        import geopandas

        answers = self._answer(Workload.from_geodataframe(regions, self.grid.domain))
        layer = (
            regions if isinstance(regions, geopandas.GeoDataFrame) else regions.to_frame("geometry")
        )
        return layer.assign(**answers._asdict())

    def _answer(self, regions: Workload) -> Answers:
        if regions.domain != self.grid.domain:
            raise InputError(
                "regions must be on the release's domain; got "
                f"{regions.domain!r} for {self.grid.domain!r}."
            )
        return answer(self.grid, self.counts, self.scale, regions)

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """Return the cells as polygons with their noisy ``count``."""
        cells = self.grid.to_geodataframe()
        cells.insert(len(cells.columns) - 1, "count", self.counts.ravel())
        return cells

    def to_geotiff(self, path: PathLike, *, view: str = "counts", overwrite: bool = False) -> None:
        """Write a Cloud-Optimized GeoTIFF with the counts in band 1.

        Parameters
        ----------
        path : path
            A name that ends in ``.tif``.
        view : {"counts", "density", "clamped"}
            The signed counts, which make a file that opens as a release again; or, derived from
            them and labelled so, records per square kilometre, or counts with negative ones set to
            zero.
        overwrite : bool
            Replace a file that exists.

        Examples
        --------
        >>> import numpy as np, geodp, tempfile, pathlib
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> made = geodp.release((np.array([100.0]), np.array([200.0])), town, epsilon=1)
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "counts.tif"
        >>> made.to_geotiff(file)
        >>> bool((geodp.open_release(file).counts == made.counts).all())
        True
        """
        from ..outputs.raster import to_geotiff

        to_geotiff(self, path, view=view, overwrite=overwrite)

    def to_vector(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Write the cells as polygons with their noisy ``count`` and a style for QGIS.

        Parameters
        ----------
        path : path
            A name that ends in ``.gpkg``, ``.parquet``, ``.fgb`` (these open as a release again),
            ``.geojson`` (in longitude and latitude, as its standard says) or ``.shp``. The style
            is inside a GeoPackage and beside the others, with the suffix ``.qml``.
        overwrite : bool
            Replace a file that exists.
        """
        from ..outputs.vector import to_vector

        to_vector(self, path, overwrite=overwrite)

    def to_report(self, path: PathLike, *, boundary: Any = None, overwrite: bool = False) -> None:
        """Write one HTML page: the map, the promise in plain words, errors to expect.

        Parameters
        ----------
        path : path
            A name that ends in ``.html``.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the map.
        overwrite : bool
            Replace a file that exists.
        """
        from ..outputs.report import to_report

        to_report(self, path, boundary=boundary, overwrite=overwrite)

    def plot(self, ax: Any = None, *, boundary: Any = None) -> Any:
        """Draw the counts with matplotlib and return the axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default a new figure.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the map.
        """
        from ..outputs.plot import plot

        return plot(self, ax, boundary=boundary)

    def explore(self, **options: Any) -> Any:
        """Show the cells on a map to move about in, where folium is installed.

        Parameters
        ----------
        **options
            Passed on to :meth:`geopandas.GeoDataFrame.explore`, for example ``tiles``.
        """
        from ..outputs.plot import explore

        return explore(self, **options)


def open_release(path: PathLike) -> Release:
    """Open a written release: the same grid, counts and promise as before.

    Parameters
    ----------
    path : path
        A GeoTIFF, GeoPackage, GeoParquet or FlatGeobuf file that geodp or its QGIS plugin wrote.

    Raises
    ------
    FileError
        If the file is no release, was cut short, or was changed.

    Examples
    --------
    >>> import numpy as np, geodp, tempfile, pathlib
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release((np.array([100.0]), np.array([200.0])), town, epsilon=1)
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "counts.gpkg"
    >>> made.to_vector(file)
    >>> geodp.open_release(file).epsilon
    Fraction(1, 1)
    """
    from ..outputs.reopen import open_release

    return open_release(path)
