"""Tell what a path or an address is, and keep errors of readers from telling anything else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from ..core.common.errors import FileError, GeodpError, InputError

PARQUET = (".parquet", ".geoparquet", ".pq")
TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
_JSON = (".geojson", ".json", ".geojsonl", ".geojsons", ".ndjson", ".geojsonseq")
GEOJSON = (*_JSON, *(f"{ending}.gz" for ending in _JSON))
DUCKDB = (".duckdb", ".ddb")
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")

_ADDRESS = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]+):/")
"""A scheme has two letters or more: one letter is a drive of Windows. A Path has lost a slash."""

_POSTGRES = re.compile(r"\s*(pg:|(?=\S+=)[^/]*\bpassword\s*=)", re.IGNORECASE)
"""Other ways to name a PostgreSQL database, of GDAL and of its own library."""


def path_kind(source: Any) -> str | None:
    """Tell a path by what it names: the one place where that is decided.

    Returns
    -------
    {"postgres", "duckdb", "remote", "parquet", "text", "geojson", "ogr"} or None
        None where it is no path. An address may hold a password and is never repeated.

    Examples
    --------
    >>> path_kind("postgresql+psycopg://me:secret@host/db"), path_kind("visits.CSV"), path_kind(7)
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


_VIRTUAL = re.compile(r"/vsi([a-z0-9_]+)/+?(.*)", re.DOTALL)
_ARCHIVES = ("zip", "tar", "7z", "rar", "gzip")
"""GDAL's handlers of files in a file of this machine; others lead elsewhere, or nobody knows to
what, and then no one can tell whether a record is there twice."""


def is_virtual(path: str | os.PathLike[str]) -> bool:
    """Tell whether a path is one of GDAL's, such as ``/vsizip/points.zip/points.shp``."""
    return _slashes(path).startswith("/vsi")


def _slashes(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    return text.replace("\\", "/") if text[:1] in ("/", "\\") else text


class Member(NamedTuple):
    """Name an archive, and the place in it, empty for all of it, that a virtual path leads to."""

    handler: str
    archive: Path
    inside: PurePosixPath


def archive_member(path: str | os.PathLike[str]) -> Member | None:
    """Take a virtual path apart; None where it is none.

    Examples
    --------
    >>> handler, archive, inside = archive_member("/vsizip/{points.zip}/may/./points.shp")
    >>> handler, archive.name, inside
    ('zip', 'points.zip', PurePosixPath('may/points.shp'))
    """
    text = _slashes(path)
    virtual = _VIRTUAL.match(text)
    if virtual is None:
        return None
    handler, rest = virtual.groups()
    if handler not in _ARCHIVES or rest.startswith("/vsi"):
        raise InputError(
            "a virtual path of points leads into one archive on this machine, with "
            f"{', '.join(f'/vsi{name}/' for name in _ARCHIVES)}; this one does not: unpack or "
            "fetch the file, and name it."
        )
    archive, inside = _halves(rest) if handler != "gzip" else (rest.strip("{}"), "")
    if not os.path.isfile(archive) and os.path.isfile(f"/{archive}"):
        archive = f"/{archive}"  # a Path has lost the second of two slashes
    inner = PurePosixPath(os.path.normpath(inside.strip("/")).replace("\\", "/"))
    return Member(handler, Path(archive), inner)


def _halves(rest: str) -> tuple[str, str]:
    """Split a path at the archive, its first part that is a file, and the place in it."""
    if rest.startswith("{"):
        depth = 0
        for place, sign in enumerate(rest):
            depth += (sign == "{") - (sign == "}")
            if not depth:
                return rest[1:place], rest[place + 1 :]
    for end in (*(match.start() for match in re.finditer("/", rest)), len(rest)):
        if any(os.path.isfile(start + rest[:end]) for start in ("", "/")):
            return rest[:end], rest[end:]
    return rest, ""


def gdal_path(path: Path) -> str:
    """Write a path as GDAL wants it: within an archive, that one stands after two slashes."""
    member = archive_member(path)
    if member is None:
        return str(path)
    inside = "" if member.inside == PurePosixPath() else f"/{member.inside}"
    return f"/vsi{member.handler}/{member.archive.as_posix()}{inside}"


def checked_path(source: str | os.PathLike[str]) -> Path:
    """Return the path of a file or folder that exists; addresses are refused as what they are."""
    kind = path_kind(source)
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
    if not os.fspath(source).strip():  # a Path would take it for the folder that one is in
        raise InputError("points in a file are named by its path; this one is empty: name a file.")
    member = archive_member(source)
    if member is None:
        path = file = Path(source)
    else:  # in braces, since a Path would lose one of two slashes
        file = member.archive.absolute()
        path = Path(f"/vsi{member.handler}", f"{{{file.as_posix()}}}", member.inside)
    if not _exists(file):
        if _holds_more(os.fspath(source)):
            raise InputError(
                "points in a file are named by its path; this text is none, and is not repeated, "
                "since it may hold records: write it to a file, or make a GeoDataFrame of it."
            )
        raise FileError(f"the points file must exist; there is no {without_secrets(source)}.")
    if str(path).lower().endswith(SPREADSHEETS):
        raise InputError(
            f"points are read from tables of text, layers and databases; {file_name(path)} is a "
            "spreadsheet: open it, choose Save as, take CSV UTF-8 (or Text CSV) for the type, and "
            "name the columns of coordinates with `x`, `y` and `crs`."
        )
    return path


def _exists(file: Path) -> bool:
    """Tell whether there is a file; a name that no file can have makes the system complain."""
    try:
        return file.exists()
    except OSError:  # its words repeat the name
        return False


def _holds_more(text: str | bytes) -> bool:
    """Tell whether text given as a path may be what a file holds, such as GeoJSON or lines."""
    words = text.decode(errors="replace") if isinstance(text, bytes) else text
    return len(words) > _LONGEST or "\n" in words or words.lstrip()[:1] in ("{", "[")


_LONGEST = 1024
"""Letters of a path; few are a quarter as long."""


def without_secrets(path: str | os.PathLike[str]) -> str:
    """Write a path or address without what may be secret: user, password, what may hold them.

    Examples
    --------
    >>> without_secrets("tls://me:secret@host:8786")
    'tls://host:8786'
    >>> without_secrets("data/visits.csv"), without_secrets("db=1 password=secret")
    ('data/visits.csv', 'such file')
    """
    text = str(os.fspath(path))
    if "://" in text:
        return re.sub(r"://.*@", "://", text, flags=re.DOTALL).partition("?")[0]
    return "such file" if re.search(r"@|:/.*:|password|=", text, re.IGNORECASE) else text


def file_name(path: Path) -> str:
    """Return the last part of a path, for messages."""
    member = archive_member(path)
    if member is None:
        return path.name
    return member.inside.name or member.archive.name


@contextmanager
def naming_file(path: Path, rule: str, *, unless: str = "is damaged") -> Iterator[None]:
    """Turn a reader's error into one that names the file and repeats none of its content."""
    try:
        yield
    except GeodpError:
        raise
    except Exception:  # readers stumble over damaged files in ways that no list covers
        raise FileError(
            f"the points file must be {rule}; {file_name(path)} is not, or {unless}."
        ) from None
