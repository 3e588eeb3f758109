"""Releases of the same data add up: a ledger keeps the sum and refuses what would pass the cap.

A ledger is one SQLite file. A spend is committed *before* anything is drawn or released and is
never given back, so a crash at any moment can only count too much, never too little. SQLite's own
locking keeps two processes from spending the same remainder; amounts are exact fractions, as text.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from fractions import Fraction
from pathlib import Path

from .budget import Budget, Number, exact
from .errors import FileError, InputError

APPLICATION = 0x67644450  # "gdDP": tells our files from other SQLite files
SCHEMA = 1
_WAIT_SECONDS = 60.0

_TABLES = """
CREATE TABLE dataset (name TEXT PRIMARY KEY NOT NULL, cap TEXT NOT NULL, registered TEXT NOT NULL);
CREATE TABLE spend (
    id INTEGER PRIMARY KEY, dataset TEXT NOT NULL REFERENCES dataset(name),
    epsilon TEXT NOT NULL, what TEXT NOT NULL, at TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Entry:
    """One spend in a ledger: when, how much, what for."""

    at: str
    epsilon: Fraction
    what: str


@dataclass(frozen=True)
class Account:
    """A dataset in a ledger: its cap and what has been spent of it."""

    name: str
    cap: Fraction
    spent: Fraction

    @property
    def left(self) -> Fraction:
        """What may still be spent."""
        return self.cap - self.spent


class Ledger:
    """A file that remembers what was spent on which dataset.

    Parameters
    ----------
    path : path-like
        The file. It is made when the first dataset is registered; an existing file that is not a
        ledger is refused and left alone.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = Ledger(pathlib.Path(folder.name) / "spends.geodp")
    >>> ledger.register("patients", cap=1)
    >>> ledger.spend("patients", "0.4", "map of May")
    >>> ledger.account("patients").left
    Fraction(3, 5)
    >>> folder.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"

    def register(self, name: str, cap: Number | Budget) -> None:
        """Enter a dataset with the most ε that may ever be spent on it. A cap is never changed."""
        limit = Budget(cap).epsilon
        if not name.strip():
            raise InputError(f"a dataset needs a name; got {name!r}.")
        with self._write(create=True) as db:
            if db.execute("SELECT 1 FROM dataset WHERE name = ?", (name,)).fetchone():
                raise InputError(
                    f"a dataset is registered once and keeps its cap; {name!r} is there already."
                )
            db.execute("INSERT INTO dataset VALUES (?, ?, ?)", (name, str(limit), _now()))

    def spend(self, name: str, epsilon: Number | Budget, what: str) -> None:
        """Record a spend, or refuse it if it would pass the cap. Final once it returns."""
        amount = Budget(epsilon).epsilon
        with self._write() as db:
            account = _account(db, name)
            if amount > account.left:
                raise InputError(
                    f"releases of {name!r} may spend {account.cap} in all; {account.spent} is "
                    f"spent and {amount} more would pass the cap: use at most {account.left}."
                )
            db.execute(
                "INSERT INTO spend (dataset, epsilon, what, at) VALUES (?, ?, ?, ?)",
                (name, str(amount), what, _now()),
            )

    def account(self, name: str) -> Account:
        """Cap and spends of one dataset, added up."""
        with self._read() as db:
            return _account(db, name)

    def accounts(self) -> list[Account]:
        """All datasets, by name."""
        with self._read() as db:
            names = db.execute("SELECT name FROM dataset ORDER BY name").fetchall()
            return [_account(db, name) for (name,) in names]

    def entries(self, name: str) -> list[Entry]:
        """Every spend of one dataset, oldest first."""
        with self._read() as db:
            _account(db, name)
            rows = db.execute(
                "SELECT at, epsilon, what FROM spend WHERE dataset = ? ORDER BY id", (name,)
            ).fetchall()
            return [Entry(at, exact(epsilon), what) for at, epsilon, what in rows]

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._open() as db, self._sound():
            _check(db, self.path)
            yield db

    @contextmanager
    def _write(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction that no other process can interleave with."""
        with self._open(create=create) as db, self._sound():
            db.execute("BEGIN IMMEDIATE")
            try:
                empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
                if create and empty and not _pragma(db, "application_id"):
                    for statement in _TABLES.split(";\n"):
                        db.execute(statement)
                    db.execute(f"PRAGMA application_id = {APPLICATION}")
                    db.execute(f"PRAGMA user_version = {SCHEMA}")
                _check(db, self.path)
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _open(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        if not create and not self.path.is_file():
            raise FileError(
                f"the ledger must exist; there is no {self.path}: register a dataset first."
            )
        mode = "rwc" if create else "rw"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        with self._sound():
            db = sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
        with closing(db):
            with self._sound():
                db.execute("PRAGMA synchronous = FULL")
                db.execute("PRAGMA foreign_keys = ON")
            yield db

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Turn the database's own errors into one sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise FileError(f"the ledger {self.path} cannot be used: {error}.") from None
        except (sqlite3.DatabaseError, ValueError, ZeroDivisionError) as error:
            if isinstance(error, InputError):
                raise
            raise FileError(
                f"{self.path} is damaged or is not a geodp ledger; it was left as it is: "
                "restore it from a backup or name another file."
            ) from None


def _check(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError
    if _pragma(db, "application_id") != APPLICATION:
        raise FileError(f"{path} is not a geodp ledger; it was left as it is: name another file.")
    if _pragma(db, "user_version") != SCHEMA:
        raise FileError(
            f"this geodp reads ledgers of version {SCHEMA}; {path} has another: use a newer geodp."
        )


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _account(db: sqlite3.Connection, name: str) -> Account:
    row = db.execute("SELECT cap FROM dataset WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise InputError(
            f"a dataset must be registered before it is released; the ledger has no {name!r}: "
            "register it with a cap."
        )
    spends = db.execute("SELECT epsilon FROM spend WHERE dataset = ?", (name,)).fetchall()
    try:
        spent = sum((exact(epsilon) for (epsilon,) in spends), Fraction(0))
        return Account(name, exact(row[0]), spent)
    except InputError:
        raise sqlite3.DatabaseError from None  # amounts that are no numbers: the file is damaged


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
