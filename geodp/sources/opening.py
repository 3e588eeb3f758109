"""What kind of thing a path or an address is, and errors of readers that tell nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.common.errors import FileError, GeodpError, InputError

PARQUET = (".parquet", ".geoparquet", ".pq")
TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
_JSON = (".geojson", ".json", ".geojsonl", ".geojsons", ".ndjson", ".geojsonseq")
GEOJSON = (*_JSON, *(f"{ending}.gz" for ending in _JSON))
DUCKDB = (".duckdb", ".ddb")

_ADDRESS = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]+):/")
"""A scheme has two letters or more: one letter is a drive of Windows. A Path has lost a slash."""

_POSTGRES = re.compile(r"\s*(pg:|(?=\S+=)[^/]*\bpassword\s*=)", re.IGNORECASE)
"""Other ways to name a PostgreSQL database, of GDAL and of its own library."""


def kind_of(source: Any) -> str | None:
    """Tell a path by what it names: the one place where that is decided.

    Returns
    -------
    {"postgres", "duckdb", "remote", "parquet", "text", "geojson", "ogr"} or None
        None where it is no path. An address may hold a password and is never repeated.

    Examples
    --------
    >>> kind_of("postgresql+psycopg://me:secret@host/db"), kind_of("visits.CSV"), kind_of(7)
    ('postgres', 'text', None)
    """
    if not isinstance(source, (str, os.PathLike)):
        return "duckdb" if type(source).__name__ == "DuckDBPyConnection" else None
    text = os.fspath(source)
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    address = _ADDRESS.match(text)
    if address:
        scheme = address[1].lower()
        return "postgres" if scheme.startswith(("postgres", "postgis")) else "remote"
    if _POSTGRES.match(text):
        return "postgres"
    name = text.lower()
    for kind, endings in (
        ("duckdb", DUCKDB), ("parquet", PARQUET), ("text", TEXT), ("geojson", GEOJSON),
    ):  # fmt: skip
        if name.endswith(endings) and not is_virtual(text):
            return kind
    return "ogr"


def is_virtual(path: str | os.PathLike[str]) -> bool:
    """Whether it is one of GDAL's virtual paths, such as ``/vsizip/points.zip/points.shp``."""
    return os.fspath(path).replace("\\", "/").startswith("/vsi")


def checked_path(source: str | os.PathLike[str]) -> Path:
    """A path of a file or folder that is there; addresses are refused as what they are."""
    kind = kind_of(source)
    if kind in ("postgres", "duckdb"):
        raise InputError(
            "a database is read with a query; these points name a database: use "
            "`geodp.read_sql(address, query)`."
        )
    if kind == "remote":
        scheme = str(os.fspath(source)).partition(":")[0].strip()
        raise InputError(
            f"points are read from this machine; a {scheme}:// address is not on it: fetch the "
            "file first, since what is fetched would also tell others what is looked at."
        )
    path = Path(source)
    if not is_virtual(path) and not path.exists():
        raise FileError(f"the points file must exist; there is no {shown(path)}.")
    return path


def shown(path: str | os.PathLike[str]) -> str:
    """A path or address without what may be secret: user, password, and what may hold them.

    Examples
    --------
    >>> shown("tls://me:secret@host:8786"), shown("data/visits.csv"), shown("db=1 password=secret")
    ('tls://host:8786', 'data/visits.csv', 'such file')
    """
    text = str(os.fspath(path))
    if "://" in text:
        return re.sub(r"://.*@", "://", text, flags=re.DOTALL).partition("?")[0]
    return "such file" if re.search(r"@|:/.*:|password|=", text, re.IGNORECASE) else text


@contextmanager
def named(path: Path, rule: str, *, unless: str = "is damaged") -> Iterator[None]:
    """Turn a reader's error into one that names the file and repeats none of its content."""
    try:
        yield
    except GeodpError:
        raise
    except Exception:  # readers stumble over damaged files in ways that no list covers
        raise FileError(
            f"the points file must be {rule}; {path.name} is not, or {unless}."
        ) from None
