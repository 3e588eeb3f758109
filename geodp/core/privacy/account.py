"""One dataset in a ledger: what was spent on it, for which unit, and what may still be.

An account adds up ε for one unit, which its first spend sets. Everything is read from the file
whenever it is asked; how the file stays whole is in ``ledger``.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from fractions import Fraction
from typing import TYPE_CHECKING

from ..common.errors import InputError
from .budget import Budget, ExactNumber, exact, in_digits
from .composition import DELTA, composed
from .unit import Unit

if TYPE_CHECKING:
    from .ledger import Ledger


BEFORE_FIELDS = 2
"""Version of ledgers that do not say which field tells persons apart."""

SPREAD = 0
"""Stands in the column of records for persons who count as one, spread over all of theirs."""


@dataclass(frozen=True)
class Entry:
    """One spend in an account: when (UTC), how much, for one of which unit, what for, and a note.

    The note is the caller's own words, such as the names of files; geodp adds nothing to it.
    """

    at: str
    epsilon: Fraction
    unit: Unit
    what: str
    note: str


@dataclass(frozen=True)
class Statement:
    """An account as it was at one moment.

    ``unit`` is None as long as nothing is spent: the first spend sets it.
    """

    name: str
    cap: Fraction
    unit: Unit | None
    entries: tuple[Entry, ...]

    @property
    def spent(self) -> Fraction:
        """Return the sum of all spends."""
        return sum((entry.epsilon for entry in self.entries), Fraction(0))

    @property
    def left(self) -> Fraction:
        """Return what may still be spent."""
        return self.cap - self.spent

    def composed(self, delta: ExactNumber = DELTA) -> Fraction:
        """Compute what the spends add up to as (ε, δ): see :meth:`Account.composed`."""
        return composed((entry.epsilon for entry in self.entries), delta)


class Account:
    """One dataset in a ledger, read from the file whenever it is asked.

    Made by ``Ledger(path)[name]``. An account adds up ε for one unit, which its first spend sets:
    ε = 1 per person and ε = 1 per record have no sum that is true of anybody, nor have ε = 1 per
    user and ε = 1 per device.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from geodp import Ledger, Unit
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = Ledger(pathlib.Path(folder.name) / "spends.geodp")
    >>> ledger.register("visits", cap=1)
    >>> visits = ledger["visits"]
    >>> visits.spend("0.4", Unit("person", 5), "map of May", note="may.tif")
    >>> visits.left
    Fraction(3, 5)
    >>> print(visits.unit)
    one person, at most 5 records
    >>> folder.cleanup()
    """

    def __init__(self, ledger: Ledger, name: str, note: str = "") -> None:
        self.ledger = ledger
        self.name = name
        self.note = note

    def __repr__(self) -> str:
        return f"{self.ledger!r}[{self.name!r}]"

    @property
    def cap(self) -> Fraction:
        """Return the most that may ever be spent."""
        return self.statement().cap

    @property
    def spent(self) -> Fraction:
        """Return the sum of all spends."""
        return self.statement().spent

    @property
    def left(self) -> Fraction:
        """Return what may still be spent."""
        return self.statement().left

    @property
    def unit(self) -> Unit | None:
        """Return the unit that ε protects in this account, or None before the first spend."""
        return self.statement().unit

    def entries(self) -> tuple[Entry, ...]:
        """Return every spend, oldest first."""
        return self.statement().entries

    def statement(self) -> Statement:
        """Return cap, unit and spends, all of one moment."""
        with self.ledger._read() as db:
            return _statement(db, self.name)

    def composed(self, delta: ExactNumber = DELTA) -> Fraction:
        """Compute what the spends add up to as (ε, δ), at a public δ.

        Many small spends promise more than their plain sum says, but for a probability δ. It is
        for information, an upper bound, and true where the amounts did not depend on what earlier
        releases showed. The cap counts the plain sum.

        Parameters
        ----------
        delta : number
            Probability, fixed beforehand: 10⁻⁶ by default.

        Returns
        -------
        Fraction
            The ε that goes with δ, rounded up.
        """
        return self.statement().composed(delta)

    def with_note(self, note: str) -> Account:
        """Return the same account, whose further spends carry a note, such as names of files."""
        check_text(note=note)
        return Account(self.ledger, self.name, note)

    def check(self, epsilon: ExactNumber | Budget, unit: Unit) -> None:
        """Refuse now what ``spend`` would refuse, and record nothing."""
        amount = readable_amount(epsilon)
        with self.ledger._write(keep=False) as db:
            _refuse(_statement(db, self.name), amount, unit)

    def spend(
        self, epsilon: ExactNumber | Budget, unit: Unit, what: str, note: str | None = None
    ) -> None:
        """Record a spend, final once this returns; or refuse it, and record nothing.

        Parameters
        ----------
        epsilon : number or Budget
            How much; refused if it would pass the cap.
        unit : Unit
            What it is about; refused if the account has another.
        what : str
            What it is spent on, for whoever reads the account.
        note : str, optional
            Words of your own, such as the names of files; by default the account's note.
        """
        amount = readable_amount(epsilon)
        note = self.note if note is None else note
        check_text(what=what, note=note, field=getattr(unit, "field", None) or "")
        with self.ledger._write() as db:
            before = _statement(db, self.name)
            _refuse(before, amount, unit)
            if before.unit != unit:  # none yet, or one from before fields were written down
                db.execute(
                    "UPDATE dataset SET kind = ?, max_records = ?, neighbours = ?, field = ? "
                    "WHERE name = ?",
                    (unit.kind, unit.max_records or SPREAD, unit.neighbours, unit.field, self.name),
                )
            db.execute(
                "INSERT INTO spend (dataset, epsilon, what, note, at, field) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (self.name, str(amount), what, note, now(), unit.field),
            )


def _statement(db: sqlite3.Connection, name: str) -> Statement:
    row = None
    if isinstance(name, str):
        row = db.execute(_in_version(db, _DATASET), (name,)).fetchone()
    if row is None:
        raise InputError(
            f"a dataset must be registered before it is released; the ledger has no {name!r}: "
            "register it with a cap."
        )
    rows = db.execute(_in_version(db, _SPENDS), (name,)).fetchall()
    try:
        if not rows:
            return Statement(name, _positive(row[0]), None, ())
        kind, most, neighbours, field = row[1:]
        unit = Unit(kind, None if most == SPREAD else most, neighbours, field)
        entries = tuple(
            Entry(at, _positive(epsilon), replace(unit, field=field), what, note)
            for at, epsilon, what, note, field in rows
        )
        return Statement(name, _positive(row[0]), unit, entries)
    except InputError:
        raise sqlite3.DatabaseError from None  # not as it was written: the file is damaged


def _positive(amount: str) -> Fraction:
    """Read an amount; one below 0 would take back what was spent."""
    return Budget(exact(amount)).epsilon


_DATASET = "SELECT cap, kind, max_records, neighbours, field FROM dataset WHERE name = ?"
_SPENDS = "SELECT at, epsilon, what, note, field FROM spend WHERE dataset = ? ORDER BY id"


def _in_version(db: sqlite3.Connection, query: str) -> str:
    """Leave out the columns that ledgers of older versions lack."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    return query.replace(", field ", ", NULL ") if version == BEFORE_FIELDS else query


def _refuse(account: Statement, amount: Fraction, unit: Unit) -> None:
    """Refuse a spend that has no true sum with the others, or that would pass the cap."""
    if not isinstance(unit, Unit):
        raise InputError(f"a spend says what it is about; pass a Unit, got {unit!r}.")
    if account.unit is not None and not unit.adds_to(account.unit):
        raise InputError(
            f"an account adds up ε for one unit, which its first spend sets; that of "
            f"{account.name!r} is {account.unit}, and this would be for {unit}: release for the "
            "same unit, or register an account for the other."
        )
    if amount > account.left:
        cap, spent, more, left = map(in_digits, (account.cap, account.spent, amount, account.left))
        raise InputError(
            f"releases of {account.name!r} may spend {cap} in all; {spent} is "
            f"spent and {more} more would pass the cap: use at most {left}."
        )


def readable_amount(epsilon: ExactNumber | Budget) -> Fraction:
    """Return an amount that can be read back from its text."""
    amount = Budget(epsilon).epsilon
    try:
        exact(str(amount))
    except InputError:
        raise InputError(
            "an amount in a ledger must be a fraction of two numbers of at most 400 digits; "
            "got one with more: round it."
        ) from None
    return amount


def check_text(**texts: str) -> None:
    """Refuse what SQLite could not keep as it is."""
    for name, text in texts.items():
        try:
            text.encode()
        except (AttributeError, UnicodeEncodeError):
            raise InputError(f"{name} must be text that UTF-8 can write; got {text!r}.") from None


def now() -> str:
    """Return the moment, in UTC, as it is written down."""
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
