"""Releases of the same data add up: a ledger keeps the sum and refuses what would pass the cap.

A ledger is one SQLite file with an account for each dataset. A spend is on the disk *before*
anything is drawn or released and is never given back, so a crash or a power cut at any moment can
only count too much, never too little. SQLite's own locking keeps two processes from spending the
same remainder; amounts are exact fractions, as text. Nothing computed from points enters the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..common.errors import FileError, InputError
from .account import BEFORE_FIELDS, Account, check_text, now, readable_amount
from .budget import Budget, ExactNumber

APPLICATION = 0x67644450  # "gdDP": tells our files from other SQLite files
SCHEMA = 3
WAIT_SECONDS = 60.0

# A transaction ends when its journal does. By default SQLite unlinks the journal and leaves it to
# the system when the folder reaches the disk; until then a power cut brings the journal back, and
# the next reader rolls the spend back with it. PERSIST overwrites the journal's head and syncs it,
# on every system; EXTRA syncs the folder wherever a journal is unlinked after all.
_JOURNAL = "PERSIST"
_SYNCHRONOUS = "EXTRA"

_TABLES = """
CREATE TABLE dataset (
    name TEXT PRIMARY KEY NOT NULL, cap TEXT NOT NULL, registered TEXT NOT NULL,
    kind TEXT, max_records INTEGER, neighbours TEXT, field TEXT
);
CREATE TABLE spend (
    id INTEGER PRIMARY KEY, dataset TEXT NOT NULL REFERENCES dataset(name),
    epsilon TEXT NOT NULL, what TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL,
    field TEXT
);
"""


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
    >>> ledger["patients"].left
    Fraction(1, 1)
    >>> "visitors" in ledger, list(ledger)
    (False, ['patients'])
    >>> folder.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"Ledger({str(self.path)!r})"

    def __getitem__(self, name: str) -> Account:
        account = Account(self, name)
        account.statement()  # an unknown name must fail here, before any work
        return account

    def __iter__(self) -> Iterator[str]:
        """Return names of all datasets, in order."""
        with self._read() as db:
            names = db.execute("SELECT name FROM dataset ORDER BY name").fetchall()
        return iter([name for (name,) in names])

    def __contains__(self, name: object) -> bool:
        return self.path.exists() and name in list(self)

    def accounts(self) -> list[Account]:
        """Return all accounts, by name."""
        return [Account(self, name) for name in self]

    def register(self, name: str, cap: ExactNumber | Budget) -> None:
        """Enter a dataset with the most ε that may ever be spent on it. A cap is never changed."""
        limit = readable_amount(cap)
        check_text(name=name)
        if not name.strip():
            raise InputError(f"a dataset needs a name; got {name!r}.")
        with self._write(create=True) as db:
            if db.execute("SELECT 1 FROM dataset WHERE name = ?", (name,)).fetchone():
                raise InputError(
                    f"a dataset is registered once and keeps its cap; {name!r} is there already."
                )
            db.execute(
                "INSERT INTO dataset (name, cap, registered) VALUES (?, ?, ?)",
                (name, str(limit), now()),
            )

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction: all that is read in it is of one moment."""
        with self._open() as db, self._sound():
            db.execute("BEGIN")
            _check(db, self.path)
            yield db

    @contextmanager
    def _write(self, *, create: bool = False, keep: bool = True) -> Iterator[sqlite3.Connection]:
        """Open a transaction that no other process can interleave with."""
        with self._open(create=create) as db, self._sound():
            db.execute("BEGIN IMMEDIATE")
            try:
                empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
                if create and empty and not _pragma(db, "application_id"):
                    self._make(db)
                _check(db, self.path)
                if _pragma(db, "user_version") == BEFORE_FIELDS:
                    _add_fields(db)
                yield db
                db.execute("COMMIT" if keep else "ROLLBACK")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def _make(self, db: sqlite3.Connection) -> None:
        for statement in _TABLES.split(";\n"):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {SCHEMA}")
        _sync_folder(self.path.resolve().parent)

    @contextmanager
    def _open(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        if not create and not self.path.is_file():
            raise FileError(
                f"the ledger must exist; there is no {self.path}: register a dataset first."
            )
        mode = "rwc" if create else "rw"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        with self._sound():
            db = sqlite3.connect(uri, uri=True, timeout=WAIT_SECONDS, isolation_level=None)
        with closing(db):
            with self._sound():
                _make_durable(db)
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


def _make_durable(db: sqlite3.Connection) -> None:
    """See to it that what is committed stays, also when the power fails right after."""
    db.execute(f"PRAGMA synchronous = {_SYNCHRONOUS}")
    # A file that another program switched to WAL stays so: each commit is synced there as well,
    # and switching back would write to a file that may not be ours.
    if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        db.execute(f"PRAGMA journal_mode = {_JOURNAL}")


def _sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system has a call for it."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise FileError(
            f"a ledger needs a folder that can be synced to the disk; {folder} cannot be: "
            f"{error.strerror}."
        ) from None


def _check(db: sqlite3.Connection, path: Path) -> None:
    if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError
    if _pragma(db, "application_id") != APPLICATION:
        raise FileError(f"{path} is not a geodp ledger; it was left as it is: name another file.")
    version = _pragma(db, "user_version")
    if version not in (BEFORE_FIELDS, SCHEMA):
        raise FileError(
            f"this geodp reads ledgers of version {SCHEMA}; {path} has version {version}: "
            "use the geodp that wrote it."
        )


def _add_fields(db: sqlite3.Connection) -> None:
    """Make room for the fields that tell persons apart; older versions will refuse the file."""
    for table in ("dataset", "spend"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN field TEXT")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def _pragma(db: sqlite3.Connection, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
