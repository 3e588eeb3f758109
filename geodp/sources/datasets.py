"""Tell which files are one dataset, however they are named: a record must not count twice.

A dataset is its files. Two are one where a file of the one is a file of the other, by whatever
links, spellings or folders it is reached; where both are parts of what GDAL opens as one (the .shp
and the .dbf of a Shapefile); where both are in one place of one archive; and where one is the
other, packed beside it. That is decided by names and places alone: what the files hold is private,
and must not decide whether a release succeeds.
"""

from __future__ import annotations

import os
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..core.common.errors import InputError
from .opening import GEOJSON, PARQUET, TEXT, archive_member, file_name

_FAMILIES = {
    "shp": ("shx", "dbf", "sbn", "sbx", "cpg", "prj", "qpj", "qix", "ain", "aih", "idm", "shz"),
    "tab": ("dat", "map", "id", "ind"),
    "mif": ("mid",),
    "gml": ("gfs", "xsd"),
    "gpkg": ("gpkg-wal", "gpkg-shm", "gpkg-journal"),
    "sqlite": ("sqlite-wal", "sqlite-shm", "sqlite-journal"),
    "kml": ("kmz",),
}
"""Endings of files that GDAL opens as one dataset, by the first of them."""

_FAMILY = {suffix: name for name, others in _FAMILIES.items() for suffix in (name, *others)}

_OTHERS = ("fgb", "gdb", "db", "gpx", "dxf", "xlsx", "ods", "geojsonl", "topojson", "arrow")
_KNOWN = {
    *_FAMILY,
    *_OTHERS,
    *(ending[1:] for ending in (*PARQUET, *TEXT, *GEOJSON) if not ending.endswith(".gz")),
}
"""Endings that say what a file holds, unlike those that say how it is packed."""

_PACKED = (".gz", ".tgz", ".tar", ".zip", ".7z", ".rar", ".bz2", ".zst", ".xz")
_ARCHIVES = (".zip", ".tar", ".tgz", ".7z", ".rar", ".tar.gz")

FileId = tuple[int, int]
"""Device and number of a file or folder."""

Name = tuple[FileId, str, str]
"""Folder, stem and family of a dataset."""


@dataclass(frozen=True)
class Dataset:
    """Hold what tells a dataset from others. Public: nothing in it is of the records.

    Attributes
    ----------
    files : frozenset of FileId
        The file itself, its companions, all that is in the folder.
    inside : PurePosixPath
        Where in the archive; empty where it is none, and for all of it.
    names : frozenset of Name
        What it is called without its packing.
    members : frozenset of Name
        What its files would be called if they were unpacked where they are.
    """

    files: frozenset[FileId]
    inside: PurePosixPath
    names: frozenset[Name]
    members: frozenset[Name]


def check_once(paths: Sequence[Path]) -> None:
    """Refuse two paths that name the same records, before anything is read."""
    if len(paths) < 2:
        return
    seen, listings = _Seen(), _Listings()
    for path in paths:
        other = seen.add(path, dataset_at(path, listings))
        if other is not None:
            raise InputError(
                "every points file is counted once, or its records would be protected half as "
                f"well; {file_name(other)} and {file_name(path)} are one dataset, or one is a "
                "part of the other: name it once."
            )


class _Seen:
    """Remember datasets by all that another could share with one of them."""

    def __init__(self) -> None:
        self._files: dict[FileId, list[tuple[PurePosixPath, Path]]] = {}
        self._names: dict[Name, Path] = {}
        self._members: dict[Name, Path] = {}

    def add(self, path: Path, one: Dataset) -> Path | None:
        """Remember a dataset, or return an earlier one with which it shares records."""
        for file in one.files:
            for inside, other in self._files.get(file, ()):
                if _meet(inside, one.inside):
                    return other
        for names, others in (
            (one.names, (self._names, self._members)),
            (one.members, (self._names,)),
        ):
            for name in names:
                for known in others:
                    if name in known:
                        return known[name]
        for file in one.files:
            self._files.setdefault(file, []).append((one.inside, path))
        self._names.update(dict.fromkeys(one.names, path))
        self._members.update(dict.fromkeys(one.members, path))
        return None


def _meet(one: PurePosixPath, other: PurePosixPath) -> bool:
    """Tell whether two places in an archive are the same, or one is a folder around the other."""
    if one == other or one in other.parents or other in one.parents:
        return True
    return one.parent == other.parent and _called(one.name) == _called(other.name)


def dataset_at(path: Path, listings: _Listings) -> Dataset:
    """Tell what a path of points stands for, by names and places alone."""
    member = archive_member(path)
    file = path if member is None else member.archive
    inside = PurePosixPath() if member is None else member.inside
    files = {_id(file), *map(_id, listings.companions(file))}
    places = {(_id(path.parent), path.name) for path in (file.absolute(), file.resolve())}
    names = {(folder, *_called(name)) for folder, name in places}
    members: set[Name] = set()
    if file.name.casefold().endswith(_ARCHIVES):
        within = [inside.name] if _ending(inside.name) in _KNOWN else _listed(file, inside)
        members = {(folder, *_called(name)) for folder, _ in places for name in within}
        if inside != PurePosixPath():
            names = set()
    return Dataset(frozenset(files), inside, frozenset(names), frozenset(members))


def _id(path: Path) -> FileId:
    about = path.stat()
    return about.st_dev, about.st_ino


def _ending(name: str) -> str:
    return name.casefold().rpartition(".")[2] if "." in name else ""


def _called(name: str) -> tuple[str, str]:
    """Split a name without its packing into stem and family.

    Examples
    --------
    >>> _called("v.csv.gz"), _called("V.DBF"), _called("2024.zip")
    (('v', 'csv'), ('v', 'shp'), ('2024', ''))
    """
    while name.casefold().endswith(_PACKED):
        name = name.rpartition(".")[0]
    stem, _, ending = name.rpartition(".")
    ending = ending.casefold()
    if ending not in _KNOWN or not stem:
        return name, ""
    family = _FAMILY.get(ending, ending)
    return (stem.casefold() if family in _FAMILIES else stem), family


class _Listings:
    """List files of folders by what they are called, each folder read once."""

    def __init__(self) -> None:
        self._folders: dict[Path, dict[tuple[str, str], list[Path]]] = {}

    def companions(self, file: Path) -> Iterator[Path]:
        """Yield further files of a dataset: those in a folder, or that GDAL opens with this one."""
        if file.is_dir():
            for folder, _, names in os.walk(file):
                yield from filter(Path.exists, (Path(folder, name) for name in names))
        elif _called(file.name)[1] in _FAMILIES:
            yield from self._folder(file.absolute().parent).get(_called(file.name), ())

    def _folder(self, folder: Path) -> dict[tuple[str, str], list[Path]]:
        if folder not in self._folders:
            held = self._folders[folder] = {}
            for file in filter(Path.is_file, folder.iterdir()):
                held.setdefault(_called(file.name), []).append(file)
        return self._folders[folder]


def _listed(archive: Path, inside: PurePosixPath) -> list[str]:
    """List the names of the files in an archive, below a folder of it.

    Where only GDAL could tell, whatever has the archive's own name may be in it.
    """
    if archive.name.casefold().endswith((".7z", ".rar")):
        return [f"{_called(archive.name)[0]}.{ending}" for ending in _KNOWN]
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as packed:
                names = packed.namelist()
        else:
            with tarfile.open(archive) as tar:
                names = tar.getnames()
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, tarfile.TarError):
        return []  # whoever reads it will say what is wrong
    places = map(PurePosixPath, names)
    return [place.name for place in places if inside in (PurePosixPath(), place, *place.parents)]
