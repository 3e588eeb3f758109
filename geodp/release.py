"""From points to a private release: the pipeline, and what it hands out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .bounding import Bounded
from .budget import Budget, Number, Spend, total
from .domain import Domain
from .errors import InputError
from .grid import Grid, candidate_grids, checked_candidates
from .ledger import Ledger
from .noise import Entropy, laplace_noise, laplace_variance, practical_rate
from .points import Block, coordinate_blocks
from .query import Answers, answer
from .tally import Plan, Tally
from .tuning import Choice, Tuner, choose, tuner_of
from .workload import Workload

if TYPE_CHECKING:
    import geopandas

PathLike = str | os.PathLike[str]

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

DEFAULT_SEED = 1
"""Public seed of the default workload of boxes."""


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
    rate : Fraction
        One over the scale of the discrete Laplace noise.
    spends : tuple of Spend
        What each step cost.
    inputs : Inputs
        Public inputs of the tuning.
    seeded : bool
        Made with a fixed seed: repeatable, and therefore not private.
    """

    grid: Grid
    counts: npt.NDArray[np.int64]
    rate: Fraction
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
        return np.full(self.grid.shape, laplace_variance(self.rate))

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
        return answer(self.grid, self.counts, self.rate, regions)

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
        from .export import to_geotiff

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
        from .export import to_vector

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
        from .report import to_report

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
        from .plot import plot

        return plot(self, ax, boundary=boundary)

    def explore(self, **options: Any) -> Any:
        """Show the cells on a map to move about in, where folium is installed.

        Parameters
        ----------
        **options
            Passed on to :meth:`geopandas.GeoDataFrame.explore`, for example ``tiles``.
        """
        from .plot import explore

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
    from .reopen import open_release

    return open_release(path)


def release(
    points: Any,
    domain: Domain | None = None,
    *,
    epsilon: Number | Budget,
    grids: Sequence[Grid] | None = None,
    workload: Workload | None = None,
    tuner: str | Tuner = "influence",
    tuning_share: Number | None = None,
    noise: str = "geodp",
    neighbours: str = "add-remove",
    person: Any = None,
    max_records: int | None = None,
    points_crs: Any = None,
    layer: str | None = None,
    ledger: Ledger | None = None,
    dataset: str | None = None,
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Release:
    """Choose a grid privately and publish noisy counts: ε-differentially private, end to end.

    Only points, domain and ε must be given; everything else has a public default.

    Parameters
    ----------
    points : GeoDataFrame, GeoSeries, (x, y) pair of arrays, iterator of such pairs, or path
        The private records. Pairs are in the domain's CRS unless ``points_crs`` says otherwise.
    domain : Domain, optional
        The public rectangle; not needed where ``grids`` are given.
    epsilon : number or Budget
        Privacy budget of the whole release: smaller is more private and noisier.
    grids : sequence of Grid, optional
        Candidates; by default a ladder from 10 to 320 cells per axis. With a single candidate
        nothing is tuned and the whole budget goes to the counts.
    workload : Workload, optional
        Regions that the release should answer well; by default 600 boxes of 1 % to 64 % of the
        area at public random places.
    tuner : {"influence", "e2epriv"} or Tuner
        How to choose.
    tuning_share : number, optional
        Part of ε for the choice; 0.1 by default, 0.2 for ``"e2epriv"``.
    noise : {"geodp", "opendp"}
        Whose sampler draws the noise on the counts.
    neighbours : {"add-remove", "replace"}
        What one protected unit of difference means.
    person : str or array, optional
        Field that says whose record it is (for a pair of arrays, an array of their length): the
        release then protects people. Each keeps at most ``max_records`` records, chosen at random;
        records without a person are dropped.
    max_records : int, optional
        How many records a person may keep, or a MultiPoint feature may hold where there is no
        person; noise grows with it.
    points_crs : optional
        CRS of an (x, y) pair, or of a layer that states none.
    layer : str, optional
        Layer of a points file that holds several.
    ledger : Ledger, optional
        Where to record the spend, before anything is drawn; refuses to pass the dataset's cap.
    dataset : str, optional
        Name of the dataset in the ledger.
    seed : int, optional
        For tests and studies: makes the release repeatable and *not private*.
    progress : callable, optional
        Called with the name of each step as it begins.

    Returns
    -------
    Release

    Examples
    --------
    >>> import numpy as np, geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> x, y = np.array([100.0, 150.0, 3000.0]), np.array([200.0, 250.0, 2000.0])
    >>> geodp.release((x, y), town, epsilon=1).epsilon
    Fraction(1, 1)
    """
    say = progress or (lambda _: None)
    grids = _candidates(grids, domain)
    chooser, entropy = tuner_of(tuner), Entropy(seed)
    unit, contribution = _contribution(neighbours, person, max_records)
    _check_account(ledger, dataset)
    share = chooser.default_share if tuning_share is None else tuning_share
    tuning, counting = Budget(epsilon).split(share)
    alone = len(grids) == 1
    if alone:
        counting = Budget(epsilon)
    elif workload is None:
        workload = Workload.random_boxes(grids[0].domain, seed=DEFAULT_SEED)
    # A unit of k records is k records of difference: each is promised 1/k of the budget.
    rate = practical_rate(counting.epsilon / contribution)
    laplace_noise(rate, 0, entropy, noise)  # a sampler that is missing must fail before any work

    say("preparing")
    plan = Plan(grids, None if alone else workload)
    say("counting")
    blocks = coordinate_blocks(
        points,
        plan.domain,
        points_crs=points_crs,
        layer=layer,
        max_records=max_records,
        person=person,
    )
    tally = Tally(plan)
    for x, y in _bounded(blocks, None if person is None else max_records, entropy):
        tally.add(x, y)
    if ledger is not None and dataset is not None:
        say("recording the spend")
        ledger.spend(dataset, epsilon, f"geodp release of {len(grids)} candidate grids")

    choice = Choice(0, ())
    if not alone:
        say("choosing the grid")
        choice = choose(chooser, tally, tuning.epsilon, contribution, rate, entropy)
    say("adding noise")
    true = tally.counts(choice.candidate)
    added = laplace_noise(rate, true.size, entropy, noise).reshape(true.shape)
    spend = Spend("counts", "discrete Laplace noise", counting.epsilon, Fraction(contribution))
    inputs = Inputs(
        candidates=tuple(grids),
        workload="none: a single candidate" if alone else workload.source,  # type: ignore[union-attr]
        tuner=repr(chooser),
        neighbours=neighbours,
        unit=unit,
        max_records=max_records or 1,
        noise=noise,
    )
    spends = (*choice.spends, spend)
    return Release(grids[choice.candidate], true + added, rate, spends, inputs, entropy.seeded)


def _candidates(grids: Sequence[Grid] | None, domain: Domain | None) -> tuple[Grid, ...]:
    if grids is None:
        if domain is None:
            raise InputError(
                "a public domain is needed; none was given: pass Domain(bounds, crs), or grids. "
                "It is never read off the points, because that would tell where the outermost were."
            )
        return candidate_grids(domain)
    found = checked_candidates(tuple(grids))
    if domain is not None and found[0].domain != domain:
        raise InputError(
            f"the grids must be on the given domain; got {domain!r} and {found[0].domain!r}."
        )
    return found


def _bounded(
    blocks: Iterator[Block], most: int | None, entropy: Entropy
) -> Iterator[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
    """Coordinates of all records, or of at most so many of each person."""
    if most is None:
        yield from ((x, y) for x, y, _ in blocks)
        return
    kept = Bounded(most, entropy)
    for x, y, whose in blocks:
        kept.add(x, y, whose)
    yield from kept.blocks()


def _check_account(ledger: Ledger | None, dataset: str | None) -> None:
    if (ledger is None) != (dataset is None):
        raise InputError("a ledger and the name of a dataset in it go together; give both or none.")
    if ledger is not None and dataset is not None:
        ledger.account(dataset)  # an unknown dataset must fail before any work


def _contribution(neighbours: str, person: Any, max_records: int | None) -> tuple[str, int]:
    if neighbours not in NEIGHBOURS:
        raise InputError(f"neighbours must be 'add-remove' or 'replace'; got {neighbours!r}.")
    if max_records is not None and (max_records < 1 or int(max_records) != max_records):
        raise InputError(f"max_records must be a whole number of at least 1; got {max_records}.")
    if person is not None and max_records is None:
        raise InputError(
            "with a person field, say how many records a person may keep; pass max_records."
        )
    unit = "record" if max_records is None else "feature" if person is None else "person"
    return unit, NEIGHBOURS[neighbours] * (max_records or 1)
