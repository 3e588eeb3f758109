"""Read files of points: one or many, folders of tables; Parquet, text, GeoJSON, GDAL's formats.

A file is read in batches, so memory stays bounded however long it is. All files are checked before
the first row is read; one that turns out to be damaged later stops everything with an error that
names it, before anything is drawn or spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core.common.errors import InputError
from ..core.records.source import BLOCK, Advance, Block, PointSource, Request
from .columns import Layout
from .datasets import check_once
from .ogr import ogr_blocks, ogr_check
from .opening import PARQUET, TEXT, checked_path, is_virtual, path_kind
from .parquet import parquet_blocks, parquet_check, parquet_pieces
from .tables import geojson_blocks, text_blocks, text_check


class FileSource(PointSource):
    """Read points from files, described and not yet opened.

    Parameters
    ----------
    paths : iterable of path
        Files, or folders of Parquet or text files.
    layout : Layout
        How the points stand in them.
    groups : tuple of int, optional
        Row groups of a single Parquet file; all by default.
    """

    def __init__(
        self, paths: Iterable[Path], layout: Layout, groups: tuple[int, ...] | None = None
    ) -> None:
        self.paths, self.layout, self.groups = tuple(paths), layout, groups
        files = self.files()
        check_once(files)
        for path in files:
            _check_words(path, layout)

    def __repr__(self) -> str:
        names = [str(path) for path in self.paths]
        return f"read_points({names[0] if len(names) == 1 else names!r}{self.layout.in_words})"

    def files(self) -> list[Path]:
        """List the files that the paths stand for: each itself, or the tables in a folder, sorted.

        A folder without Parquet or text files is left as it is, since GDAL reads some folders too.
        """
        files: list[Path] = []
        for path in self.paths:
            inside = sorted(path.rglob("*")) if path.is_dir() else []
            tables = [file for file in inside if file.is_file() and not _hidden(file, path)]
            parts = [file for file in tables if file.name.lower().endswith(PARQUET)]
            texts = [file for file in tables if file.name.lower().endswith(TEXT)]
            files += parts or texts or [path]
        if not files:
            raise InputError("at least one points file is needed; the list is empty.")
        return files

    def check(self, request: Request) -> None:
        for path in self.files():
            kind = path_kind(path)
            if kind == "parquet":
                parquet_check(path, self.layout, request)
            elif kind == "text":
                text_check(path, self.layout, request)
            elif kind != "geojson":
                ogr_check(path, self.layout, request)

    def blocks(self, request: Request, advance: Advance | None = None) -> Iterator[Block]:
        files = self.files()
        sizes = [_size(path) for path in files]
        before, total = 0, sum(sizes)
        for path, size in zip(files, sizes):
            for block, share in self._blocks(path, request):
                yield block
                if advance is not None:
                    advance(before + int(size * share), total)
            before += size
            if advance is not None:
                advance(before, total)

    def _blocks(self, path: Path, request: Request) -> Iterator[tuple[Block, float]]:
        kind = path_kind(path)
        if kind == "parquet":
            return parquet_blocks(path, self.layout, request, BLOCK, self.groups)
        if kind == "text":
            return text_blocks(path, self.layout, request)
        if kind == "geojson":
            return geojson_blocks(path, request)
        return ogr_blocks(path, self.layout, request, BLOCK)

    def pieces(self) -> list[FileSource]:
        """Cut into parts for workers, of about one size as far as the format can be cut."""
        pieces: list[FileSource] = []
        for path in self.files():
            groups = parquet_pieces(path) if path_kind(path) == "parquet" else [None]
            pieces += [FileSource([path], self.layout, group) for group in groups]
        return pieces


def file_source(paths: Iterable[object], layout: Layout) -> FileSource:
    """Open files from paths that exist; addresses are refused as what they are."""
    return FileSource([checked_path(path) for path in paths], layout)  # type: ignore[arg-type]


def _check_words(path: Path, layout: Layout) -> None:
    """Refuse options that do not go with the kind of file, without looking into it."""
    kind = path_kind(path)
    if kind == "text" and (layout.x is None or layout.crs is None):
        raise InputError(
            "a text file needs the names of its columns of coordinates and their CRS; for "
            f"{path.name} something is missing: name them by `read_points(…, x=…, y=…, crs=…)`."
        )
    if kind != "text" and layout.for_text_only:
        raise InputError(
            "a decimal mark, a separator, an encoding and a date format are for text files such as "
            f"CSV; {path.name} is none: leave them out."
        )
    if kind == "geojson" and layout.x is not None:
        raise InputError(
            f"`x` and `y` name columns of a table; {path.name} holds geometries: leave them out."
        )
    if kind in ("text", "parquet", "geojson") and layout.layer is not None:
        raise InputError(f"{path.name} is one layer; {layout.layer!r} was named: leave it out.")


def _hidden(file: Path, folder: Path) -> bool:
    """Tell whether other programs would pass a file over: markers and half-written parts."""
    return any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)


def _size(path: Path) -> int:
    if is_virtual(path):
        return 0
    inside = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in inside if file.is_file())
