"""Turn points into a private release: every step in order, and what each may see."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, overload

from ..common.errors import UNFINISHED, Cancelled, GeodpError, InputError
from ..counts.count import count
from ..kernel.kernel import Kernel
from ..kernel.measurements import Measurements
from ..privacy.account import Account
from ..privacy.budget import Budget, ExactNumber
from ..privacy.noise import OpenDPBits, RandomBits
from ..privacy.protection import Protection, Record, checked_protection
from ..privacy.quantity import Quantity
from ..records.amounts import Amount, check_person, checked_amount
from ..records.arrays import array_source
from ..records.divisions import By, grouped
from ..records.source import PointSource, Request
from ..releases.release import Release
from ..releases.release_set import ReleaseSet
from ..space.domain import Domain, checked_domain
from ..space.frame import Frame
from .choice_kind import Choice
from .guard import check_domain, check_spend
from .kinds import Cells, checked_kind
from .mechanism import Terms, mechanism_for


@overload
def release(
    points: Any,
    domain: Domain | None = None,
    *,
    epsilon: ExactNumber | Budget,
    cells: Cells | Choice = "adaptive",
    by: None = None,
    amount: Amount | None = None,
    protect: Protection | None = None,
    account: Account | None = None,
    noise: str = "geodp",
    seed: int | RandomBits | None = None,
    progress: Callable[[str], None] | None = None,
    force: bool = False,
) -> Release: ...


@overload
def release(
    points: Any,
    domain: Domain | None = None,
    *,
    epsilon: ExactNumber | Budget,
    cells: Cells | Choice = "adaptive",
    by: By,
    amount: Amount | None = None,
    protect: Protection | None = None,
    account: Account | None = None,
    noise: str = "geodp",
    seed: int | RandomBits | None = None,
    progress: Callable[[str], None] | None = None,
    force: bool = False,
) -> ReleaseSet: ...


def release(
    points: Any,
    domain: Domain | None = None,
    *,
    epsilon: ExactNumber | Budget,
    cells: Cells | Choice = "adaptive",
    by: By | None = None,
    amount: Amount | None = None,
    protect: Protection | None = None,
    account: Account | None = None,
    noise: str = "geodp",
    seed: int | RandomBits | None = None,
    progress: Callable[[str], None] | None = None,
    force: bool = False,
) -> Release | ReleaseSet:
    """Choose cells privately and publish noisy counts: ε-differentially private, end to end.

    Only points, domain and ε must be given; everything else has a public default.

    Parameters
    ----------
    points : GeoDataFrame, path, arrays, or what read_points or read_sql gives
        The private records: anything that :func:`geodp.read_points` takes, which also says in which
        columns and CRS they stand; or a query, from :func:`geodp.read_sql`.
    domain : Domain, optional
        The public rectangle; not needed where ``cells`` are districts or grids, which have theirs.
    epsilon : number or Budget
        Privacy budget of the whole release: smaller is more private and noisier.
    cells : Adaptive, Regular, Districts, Hexagons, H3, Choice, "adaptive" or "regular"
        :class:`geodp.Adaptive` cells, by default: fine where records crowd and coarse where there
        are few. Or :class:`geodp.Districts`: one count for each polygon of a public layer, or for
        each of :class:`geodp.Hexagons` or of :class:`geodp.H3`; or a private
        :class:`geodp.Choice` among such layers. Or :class:`geodp.Regular`: one grid, its size
        chosen privately among candidates, for regions that are named. The words are short for
        ``Adaptive()`` and ``Regular()``.
    by : Categories, Breaks or sequence of these, optional
        Field that says which group a record is in, with the public list of its values or limits:
        ``Categories("kind", ["theft", "assault"])``, ``Breaks("hour", [0, 6, 12, 18, 24])``.
        Several are crossed. All groups together cost ε once, since a record is in one of them.
    amount : Amount, optional
        A field whose values are added up, with their public bounds:
        ``Amount("damage", 0, 10_000)``. Counts, sums and means together cost ε once, and so do
        those of all groups.
    protect : Record, Feature or Person, optional
        What is protected; by default every single record. ``Person("who")`` protects people with
        all their records, and counts people, each spread over the places of their records.
    account : Account, optional
        Where to record the spend, before anything is drawn: ``Ledger("file")["name"]``. It refuses
        to pass its cap, and to add up unlike promises.
    noise : {"geodp", "opendp"}
        Whose sampler draws the noise on the counts.
    seed : int or RandomBits, optional
        For tests, studies and audits: makes the release repeatable and *not private*.
    progress : callable, optional
        Called with the name of each step as it begins. If it has a method ``advance(done, total)``,
        that hears how many bytes of the points files are read; never how many records.
    force : bool
        Go on where public inputs look like a mistake: bounds in degrees or far from where the CRS
        is used, ε above 10, cells that drown in noise. By default they are refused, before
        anything is read or spent.

    Returns
    -------
    Release or ReleaseSet
        A :class:`geodp.ReleaseSet` where ``by`` divides the records.

    Examples
    --------
    >>> import numpy as np, geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> x, y = np.array([100.0, 150.0, 3000.0]), np.array([200.0, 250.0, 2000.0])
    >>> geodp.release((x, y), town, epsilon=1).cells.kind
    'adaptive'

    One grid, its size chosen privately:

    >>> grids = geodp.Regular(cell_sizes=[250, 500, 1000])
    >>> geodp.release((x, y), town, epsilon=1, cells=grids).cells.kind
    'regular'

    People with many records, each of whom counts as one:

    >>> visits = {"x": x, "y": y, "who": ["ann", "ann", "bob"], "hour": [7, 22, 8]}
    >>> release = geodp.release(visits, town, epsilon=1, protect=geodp.Person("who"))
    >>> print(release.counted)  # doctest: +ELLIPSIS
    Counts people, each spread over the places of their records...

    Sums and means of an amount:

    >>> claims = {"x": x, "y": y, "damage": [250.0, 80.5, 99_999]}
    >>> damage = geodp.Amount("damage", 0, 10_000)
    >>> geodp.release(claims, town, epsilon=1, amount=damage).query([town.bounds])._fields[7:10]
    ('sum', 'sum_low', 'sum_high')

    Several groups for one ε:

    >>> hours = geodp.Breaks("hour", [0, 6, 12, 18, 24])
    >>> geodp.release(visits, town, epsilon=1, by=hours).groups
    ('0 to 6', '6 to 12', '12 to 18', '18 to 24')
    """
    say = progress or (lambda _: None)
    public = None if domain is None else checked_domain(domain)
    protection = checked_protection(Record() if protect is None else protect)
    unit = protection.unit
    groups = grouped(by)
    given: Any = cells  # audits pass a frame
    kind = given if isinstance(given, (Frame, Choice)) else checked_kind(given)
    adds = checked_amount(amount)
    check_person(protection, adds)
    quantity = protection.quantity
    if adds is not None and quantity.units == 1:
        quantity = Quantity(quantity.things, adds.steps)
    mechanism = mechanism_for(kind, public, Terms(epsilon, unit, groups, quantity, adds))
    bits = seed if isinstance(seed, RandomBits) else _bits(noise, seed)
    plan = mechanism.plan
    if not bits.seeded:  # a seeded release spends nothing
        check_domain(plan.domain, force=force)
        check_spend(epsilon, mechanism.needed, force=force)
    if account is not None:
        if not hasattr(account, "check"):
            raise InputError(
                "account must be one of a ledger, `Ledger(path)[name]`; got "
                f"{type(account).__name__}."
            )
        account.check(epsilon, unit)  # what will be refused must be refused before any work

    say("preparing")
    source = _source(points)
    source.check(Request.of(plan.domain, protection, groups, adds))

    def private_steps() -> Release | ReleaseSet:
        say("counting")
        tally = count(source, plan, protection, bits, getattr(progress, "advance", None), adds)
        if account is not None:
            say("recording the spend")
        kernel = Kernel(
            tally,
            epsilon=epsilon,
            unit=unit,
            bits=bits,
            quantity=quantity,
            groups=mechanism.group_names,
            account=account,
            ledger_text=mechanism.ledger_text,
        )
        chosen, measured = mechanism.publish(kernel, say)
        method = mechanism.method(unit.published, noise)
        if groups is not None:
            return ReleaseSet(chosen, tuple(measured), kernel.spends, method, bits.seeded)
        if adds is not None:
            total, parts = Measurements.sum(measured), tuple(measured)
            return Release(chosen, total, kernel.spends, method, bits.seeded, parts=parts)
        return Release(chosen, measured[0], kernel.spends, method, bits.seeded)

    return _telling_nothing(private_steps)


def _telling_nothing(private_steps: Callable[[], Release | ReleaseSet]) -> Release | ReleaseSet:
    """Run what follows the first read record; its errors tell nothing about the points.

    An error with a public reason (a damaged file, a cap that another run has reached) stays, and
    all others become one sentence. None keeps the error that it came from.
    """
    try:
        return private_steps()
    except (Cancelled, GeodpError) as error:
        error.__cause__ = error.__context__ = None
        raise
    except Exception:
        pass
    raise GeodpError(UNFINISHED)  # outside of the block above, or it would hold the first error


def _bits(noise: str, seed: object) -> RandomBits:
    """Return the source of randomness that was asked for, or refuse an unknown one."""
    samplers: dict[str, type[RandomBits]] = {"geodp": RandomBits, "opendp": OpenDPBits}
    if noise not in samplers:
        raise InputError(f"noise must be 'geodp' or 'opendp'; got {noise!r}.")
    return samplers[noise](_checked_seed(seed))


def _checked_seed(seed: object) -> int | None:
    """Return a whole number, of NumPy too, or refuse the seed.

    Of anything else Python's generator would make a number without a word.
    """
    if seed is None:
        return None
    if isinstance(seed, Integral) and not isinstance(seed, bool):
        return int(seed)
    raise InputError(f"seed must be a whole number; got a {type(seed).__name__}.")


def _source(points: Any) -> PointSource:
    if isinstance(points, PointSource):
        return points
    source = array_source(points)
    if source is not None:
        return source
    from ...sources import read_points

    return read_points(points)
