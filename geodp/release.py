"""From points to a private release: the pipeline, and what it hands out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .budget import Budget, Number, Spend, total
from .counting import count
from .domain import Domain
from .errors import InputError
from .grid import Grid, candidate_grids, checked_candidates
from .ledger import Ledger
from .noise import Entropy, laplace_noise, laplace_variance, practical_rate
from .points import reading_of
from .query import Answers, answer
from .tally import Plan
from .tuning import Tuner, tuner_of
from .workload import Workload

if TYPE_CHECKING:
    import geopandas

NEIGHBOURS = {"add-remove": 1, "replace": 2}
"""How many records of difference each neighbour relation stands for, per record of a unit."""

_RECORDS = "It protects records, not people: someone with several records is protected less."
_PROTECTED = {
    "record": ("one record", _RECORDS),
    "feature": ("one feature of at most {} points", _RECORDS),
    "person": (
        "one person with all their records, of which at most {} were kept,",
        "It protects people, as far as each person has one value in the person field.",
    ),
}

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
        what, aside = _PROTECTED[self.inputs.unit]
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
    x: str | None = None,
    y: str | None = None,
    sql: str | None = None,
    scheduler: Any = None,
    ledger: Ledger | None = None,
    dataset: str | None = None,
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Release:
    """Choose a grid privately and publish noisy counts: ε-differentially private, end to end.

    Only points, domain and ε must be given; everything else has a public default.

    Parameters
    ----------
    points : GeoDataFrame, GeoSeries, DataFrame, (x, y) pair, path or paths, database, iterator
        The private records. A path may be a folder of Parquet files; a database is an address
        ``postgresql://…``, a DuckDB file or a DuckDB connection; a Dask DataFrame or GeoDataFrame
        is counted by its scheduler; an iterator yields ``(x, y)`` arrays, or ``(x, y, person)``
        with ``person=True``. Arrays are in the domain's CRS unless ``points_crs`` says otherwise.
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
        CRS of arrays, of x and y columns, or of a layer that states none.
    layer : str, optional
        Layer of a points file that holds several, or table of a database.
    x, y : str, optional
        Columns of coordinates, where a table has no geometry; needs ``points_crs``.
    sql : str, optional
        Query of a database: a geometry, or x and y, and the person if there is one.
    scheduler : str or client, optional
        Where Dask counts a Dask collection or files: ``"tcp://…"``, a ``distributed.Client``, or
        a name such as ``"processes"``. By default the active client or Dask's own choice.
    ledger : Ledger, optional
        Where to record the spend, before anything is drawn; refuses to pass the dataset's cap.
    dataset : str, optional
        Name of the dataset in the ledger.
    seed : int, optional
        For tests and studies: makes the release repeatable and *not private*.
    progress : callable, optional
        Called with the name of each step as it begins. If it has a method ``advance(done, total)``,
        that hears how many bytes of the points files are read; never how many records.

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
    tally = count(
        points,
        plan,
        reading_of(plan.domain, points_crs, layer, max_records, person, x, y, sql),
        entropy,
        most=None if person is None else max_records,
        scheduler=scheduler,
        advance=getattr(progress, "advance", None),
    )
    if ledger is not None and dataset is not None:
        say("recording the spend")
        ledger.spend(dataset, epsilon, f"geodp release of {len(grids)} candidate grids")

    spends, chosen = [], 0
    if not alone and workload is not None:
        say("choosing the grid")
        per_record = tuning.epsilon / contribution
        overlaps = [workload.overlap(grid) for grid in grids]
        qualities = chooser.qualities(tally, overlaps, per_record, rate)
        chosen = chooser.choose(qualities, per_record, entropy)
        spends.append(Spend("tuning", chooser.mechanism, tuning.epsilon, Fraction(contribution)))
    say("adding noise")
    true = tally.counts(chosen)
    added = laplace_noise(rate, true.size, entropy, noise).reshape(true.shape)
    spends.append(
        Spend("counts", "discrete Laplace noise", counting.epsilon, Fraction(contribution))
    )
    inputs = Inputs(
        candidates=tuple(grids),
        workload="none: a single candidate" if alone else workload.source,  # type: ignore[union-attr]
        tuner=repr(chooser),
        neighbours=neighbours,
        unit=unit,
        max_records=max_records or 1,
        noise=noise,
    )
    return Release(grids[chosen], true + added, rate, tuple(spends), inputs, entropy.seeded)


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
