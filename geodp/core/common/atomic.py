"""Write files safely: a file exists complete, or not at all.

Everything is built in a folder with a name of its own beside the target, flushed to the disk, and
only then renamed. Whoever stops the process half-way finds the old file, or none.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import FileError

OWN_STYLE = "<!-- style made by geodp"
"""Begins the styles and descriptions that geodp writes, and so may replace without asking."""


def known_suffix(path: Path, suffixes: Iterable[str]) -> str:
    """Return the lower-case suffix of a path, or refuse one that is not in the list.

    Examples
    --------
    >>> known_suffix(Path("counts.TIF"), (".tif", ".gpkg"))
    '.tif'
    """
    suffix, known = path.suffix.lower(), tuple(suffixes)
    if suffix not in known:
        raise FileError(
            f"the name of an output tells its format by one of {' '.join(known)}; "
            f"got {path.name!r}."
        )
    return suffix


def check_target(path: Path, *, overwrite: bool, beside: Iterable[str] = ()) -> None:
    """Refuse a file that is there already, or a folder that takes none.

    Called before any budget is spent: a release that cannot be written is lost.

    Parameters
    ----------
    path : Path
        File to write.
    overwrite : bool
        Whether existing files may go.
    beside : iterable of str
        Suffixes of companions that will be written with it, such as parts of a Shapefile. Our own
        styles may go in any case, since they can be made again.
    """
    if path.is_dir():
        raise FileError(f"an output must be a file; {path} is a folder.")
    if not path.parent.exists():
        raise FileError(
            f"an output goes into a folder that exists; there is no {path.parent}: make it first "
            f"(mkdir -p), or choose another."
        )
    for taken in (path, *map(path.with_suffix, beside)):
        if taken.exists() and not overwrite and not _is_geodp_style(taken):
            raise FileError(
                f"an existing file is kept unless you say otherwise; {taken} exists: "
                "choose another name, or pass `overwrite=True`."
            )
    with scratch(path):  # a folder may look writable and still refuse: only trying tells
        pass


def _is_geodp_style(path: Path) -> bool:
    return path.suffix in (".qml", ".qmd", ".qlr") and OWN_STYLE in path.read_text(
        "utf-8", errors="replace"
    )


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Lend a folder beside ``path`` for building its files, and clear it away afterwards.

    Trouble with the disk comes out as one sentence.
    """
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix=".geodp-", dir=path.parent))
        yield folder
    except FileError:
        raise
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "the disk or the folder refuses it"
        raise FileError(f"{path} cannot be written: {reason}.") from None
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def place(built: Path, target: Path) -> None:
    """Move a built file and its companions to the target's name, the target itself last.

    Companions share the stem, as the parts of a Shapefile do. A Shapefile cannot be exchanged at
    one stroke: its old ``.shp`` goes first, so that old and new parts never form a file.
    What other programs keep beside a file (statistics, indexes, journals) would belong to the old
    one and is removed.
    """
    parts = sorted(part for part in built.parent.iterdir() if part != built)
    for part in (*parts, built):
        _flush(part)
    if target.suffix.lower() == ".shp":
        target.unlink(missing_ok=True)
    for leftover in _leftovers(target):
        leftover.unlink(missing_ok=True)
    for part in parts:
        os.replace(part, target.with_name(target.stem + part.name[len(built.stem) :]))
    os.replace(built, target)
    _flush(target.parent)


def _leftovers(target: Path) -> list[Path]:
    beside = [target.with_name(target.name + end) for end in (".aux.xml", "-wal", "-shm")]
    if target.suffix.lower() == ".shp":
        beside += [target.with_suffix(end) for end in (".qix", ".sbn", ".sbx")]
    layers = target.with_suffix(".qlr")  # which may name bands of the old file
    if target.suffix.lower() in (".tif", ".tiff") and layers.exists() and _is_geodp_style(layers):
        beside.append(layers)
    return beside


def _flush(path: Path) -> None:
    """Make sure that a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows has no handle for the names in a folder
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if they are not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be made: {error.strerror}.") from None


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Lend a name to build a file under; when all went well, it takes the place of ``path``.

    Examples
    --------
    >>> target = Path(tempfile.mkdtemp()) / "counts.txt"
    >>> with whole_file(target) as built:
    ...     _ = built.write_text("12")
    ...     target.exists()
    False
    >>> target.read_text()
    '12'
    """
    with scratch(path) as folder:
        built = folder / path.name
        yield built
        place(built, path)


def write_bytes(path: Path, data: bytes) -> None:
    """Write one file safely."""
    with whole_file(path) as built:
        built.write_bytes(data)
