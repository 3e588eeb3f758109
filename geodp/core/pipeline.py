"""From points to a private release: every step in order, and what each may see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .budget import Budget, Number
from .counting import count
from .domain import Domain
from .errors import InputError
from .grid import Grid, candidate_grids, checked_candidates
from .ledger import Ledger
from .noise import RandomBits, laplace_noise
from .points import reading_of
from .release import NEIGHBOURS, Inputs, Release
from .selection import choose
from .shares import Shares
from .tally import Plan
from .tuners import Tuner, tuner_of
from .workload import Workload

DEFAULT_SEED = 1
"""Public seed of the default workload of boxes."""


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
    seed: int | RandomBits | None = None,
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
    seed : int or RandomBits, optional
        For tests, studies and audits: makes the release repeatable and *not private*.
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
    chooser = tuner_of(tuner)
    bits = seed if isinstance(seed, RandomBits) else RandomBits(seed)
    unit, distance = _unit(neighbours, person, max_records)
    _check_account(ledger, dataset)
    if len(grids) == 1:
        workload = None  # nothing is tuned
    elif workload is None:
        workload = Workload.random_boxes(grids[0].domain, seed=DEFAULT_SEED)
    # All scales are known, or refused, before a point is read or anything is spent.
    shares = Shares.of(epsilon, chooser, workload, tuning_share=tuning_share, distance=distance)
    scale = shares.counts_scale
    laplace_noise(scale, 0, bits, noise)  # a sampler that is missing must fail before any work

    say("preparing")
    plan = Plan(grids, workload)
    say("counting")
    tally = count(
        points,
        plan,
        reading_of(plan.domain, points_crs, layer, max_records, person, x, y, sql),
        bits,
        most=None if person is None else max_records,
        scheduler=scheduler,
        advance=getattr(progress, "advance", None),
    )
    if ledger is not None and dataset is not None:
        say("recording the spend")
        ledger.spend(dataset, epsilon, f"geodp release of {len(grids)} candidate grids")

    chosen = 0
    if workload is not None:
        say("choosing the grid")
        chosen = choose(chooser, tally, shares, bits)
    say("adding noise")
    true = tally.counts(chosen)
    added = laplace_noise(scale, true.size, bits, noise).reshape(true.shape)
    inputs = Inputs(
        candidates=tuple(grids),
        workload="none: a single candidate" if workload is None else workload.source,
        tuner=repr(chooser),
        neighbours=neighbours,
        unit=unit,
        max_records=max_records or 1,
        noise=noise,
    )
    spends = shares.spends(chooser)
    return Release(grids[chosen], true + added, scale, spends, inputs, bits.seeded)


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


def _unit(neighbours: str, person: Any, max_records: int | None) -> tuple[str, int]:
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
