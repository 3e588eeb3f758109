"""Write several files from one release or difference: all names are checked first."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..core.cells.cells import no_raster
from ..core.common.atomic import check_target, known_suffix, scratch, write_bytes
from ..core.common.errors import FileError, GeodpError, InputError
from ..core.common.language import language_by_code
from ..core.estimates.ratios import Sums
from ..core.pictures.sheet import check_inset
from ..core.publish.qgis_files import beside_raster
from ..core.releases.difference import Difference
from ..core.releases.published import Published
from ..core.space.domain import Domain
from . import difference
from .dots import to_points
from .painter import font_settings, need
from .plot import check_grey, check_view, picture
from .raster import RASTERS, to_geotiff, try_geotiff
from .report import SUFFIXES, to_report
from .table import TABLES, to_csv
from .tiles import TILES, to_tiles, try_tiles
from .vector import ANSWERS, PARQUETS, VECTORS, beside_answers, beside_vector, to_vector, try_vector

PICTURES = (".png", ".pdf", ".svg")
"""Maps as pictures: of pixels, or of shapes and text."""

Suffixes = tuple[str, ...]
Write = Callable[[Published, Path, Any], None]

_OPENED = (".gpkg", ".fgb", ".parquet", ".geoparquet")
"""Vector formats that keep all of a release."""


class Outputs:
    """The files that a release shall be written to.

    Parameters
    ----------
    outputs : sequence of Path
        Files whose format follows from the suffix: rasters, vector grids, tables, a map as
        ``.png``, ``.pdf`` or ``.svg``, or the page that explains the release as ``.html``.
    density, clamped, smooth : Path, optional
        GeoTIFFs of the derived views.
    report : Path, optional
        The page that explains the release.
    dots : Path, optional
        A layer of synthetic points.
    overwrite : bool
        Replace files that exist.
    groups : sequence of str
        Names of the groups that the release will have.
    domain : Domain, optional
        Rectangle of the release; with it, every file is tried out.
    pixels : bool
        Whether pixels show the cells that the release will have.
    h3_integers : bool
        Whether indices of H3 are whole numbers in GeoParquet.
    pixel : float, optional
        Longest side of a pixel of the rasters, in units of the CRS.
    view : str
        What maps show.
    width, dpi : float, optional
        Inches across a map, and dots in an inch of a ``.png``.
    grey : float, optional
        Part of a count that half of its interval may be, where a cell is not drawn grey.
    amounts : bool
        Whether there will be sums and means beside counts.
    font : str, optional
        A family of fonts for maps.
    labels : GeoDataFrame or path, optional
        A public layer of names to write on maps.
    insets : sequence of sequence of float
        Parts of the map that are drawn larger.
    north : bool
        Whether maps have an arrow to the north.
    language : str
        What maps and the page are written in.
    """

    def __init__(
        self,
        outputs: Sequence[Path],
        *,
        density: Path | None = None,
        clamped: Path | None = None,
        smooth: Path | None = None,
        report: Path | None = None,
        dots: Path | None = None,
        overwrite: bool = False,
        groups: Sequence[str] = (),
        domain: Domain | None = None,
        pixels: bool = True,
        h3_integers: bool = False,
        pixel: float | None = None,
        view: str = "best",
        width: float | None = None,
        dpi: float | None = None,
        grey: float | None = None,
        amounts: bool = False,
        font: str | None = None,
        labels: Any = None,
        insets: Sequence[Sequence[float]] = (),
        north: bool = False,
        language: str = "en",
    ) -> None:
        language_by_code(language)
        check_picture(view, width, dpi)
        check_grey(grey, view)
        self._check_page(groups, domain, font, insets)
        self._pixel, self._shown, self._grey = pixel, view, grey
        self._page: dict[str, Any] = {
            "font": font,
            "labels": labels,
            "insets": insets,
            "north": north,
            "language": language,
        }
        self._page |= {"width": width, **({} if dpi is None else {"dpi": dpi})}
        self._groups, self._domain, self._pixels = tuple(groups), domain, pixels
        self._overwrite, self._amounts, self._h3_integers = overwrite, amounts, h3_integers
        self._regions: Any = None
        kinds = (*RASTERS, *VECTORS, *TABLES, *TILES, *PICTURES, *SUFFIXES)
        wanted: list[tuple[Path, Suffixes, Suffixes, Write]] = [
            (path, kinds, _beside(path, groups), self._writer(path)) for path in outputs
        ]
        derived = ((density, "density"), (clamped, "clamped"), (smooth, "smooth"))
        views = [(path, view) for path, view in derived if path]
        beside = beside_raster(groups)
        wanted += [(path, RASTERS, beside, self._view(view)) for path, view in views]
        self._views = [path for path, _ in views]
        if report is not None:
            wanted.append((report, SUFFIXES, (), self._report))
        if dots is not None:
            wanted.append((dots, VECTORS, beside_answers(dots.suffix.lower()), self._points))
        self._dots = dots
        self._wanted = wanted

    @staticmethod
    def _check_page(groups: Any, domain: Any, font: Any, insets: Any) -> None:
        """Refuse what no page can have, before anything is spent."""
        if font is not None:
            need("matplotlib")
            font_settings(font)
        if len(insets) and groups:
            raise InputError("`insets` go with one map; these are several, one for each group.")
        for box in insets if domain is not None else ():
            check_inset(box, domain)

    def __len__(self) -> int:
        return len(self._wanted)

    @property
    def paths(self) -> list[Path]:
        """Return files in the order of writing."""
        return [path for path, *_ in self._wanted]

    def check(self) -> None:
        """Refuse names of unknown formats, names given twice, and places that take no file."""
        _check([output[:3] for output in self._wanted], overwrite=self._overwrite)
        if not self._pixels and any(path.suffix.lower() in RASTERS for path in self.paths):
            raise no_raster()
        styled = [path.resolve().with_suffix("") for path, _, beside, _ in self._wanted if beside]
        for path in self._views:
            if styled.count(path.resolve().with_suffix("")) > 1:
                raise InputError(
                    "a derived view needs a name of its own, because its style lies beside it; "
                    f"{path.name} shares one with another output."
                )

        if self._domain is not None:
            for path in self.paths:
                self._try(path, self._domain)

    def _try(self, path: Path, domain: Domain) -> None:
        """Write something under every name, since only that tells whether it can be done."""
        suffix = path.suffix.lower()
        if suffix in RASTERS:
            try_geotiff(path, self._groups)
        elif suffix in VECTORS:
            limits = () if self._pixels else ("ci_low", "ci_high")  # layers of polygons have them
            sums = Sums._fields if self._amounts else ()
            try_vector(path, domain, self._groups, ("count", "density", *limits, *sums))
        elif suffix in TILES:
            try_tiles(path, domain)
        else:
            with scratch(path) as folder:
                (folder / path.name).touch()

    def write(
        self, release: Published, boundary: Any, say: Callable[[str], None], regions: Any = None
    ) -> None:
        """Write all of them; regions are for the report.

        ε is spent by now. Where a file cannot be written the others are, and the release is kept.

        Raises
        ------
        FileError
            If one could not be written; it says which, why, and where the release is.
        """
        self._regions = regions
        failed: dict[Path, Exception] = {}
        for path, *_, write in self._wanted:
            say(f"writing {path.name}")
            try:
                write(release, path, boundary)
            except Exception as error:  # another library may write the next file
                failed[path] = error
        if failed:
            first, cause = next(iter(failed.items()))
            reason = str(cause).rstrip(".") if isinstance(cause, GeodpError) else ""
            what = reason or f"{first} cannot be written: {type(cause).__name__}"
            kept = next((path for path in self._releases if path not in failed), None)
            raise FileError(f"{what}; {_where(release, kept or self._rescue(release))}") from None

    @property
    def _releases(self) -> list[Path]:
        """Return files from which a release can be opened again."""
        return [
            path
            for path in self.paths
            if path.suffix.lower() in _OPENED + RASTERS and path not in (*self._views, self._dots)
        ]

    def _rescue(self, release: Published) -> Path | None:
        """Put the release wherever there is room, under a name that nobody has."""
        places = [*(path.parent for path in self.paths), Path.cwd(), Path.home()]
        for folder in dict.fromkeys([*places, Path(tempfile.gettempdir())]):
            name = folder / f"geodp-release-{secrets.token_hex(4)}"
            for suffix, write in ((".tif", to_geotiff), (".parquet", to_vector)):
                path = name.with_suffix(suffix)
                try:
                    write(release, path)
                except Exception:  # not all cells have a raster, and not all places have room
                    continue
                return path
        return None

    def _writer(self, path: Path) -> Write:
        suffix = path.suffix.lower()
        if suffix in RASTERS:
            return self._view("counts")
        if suffix in SUFFIXES:
            return self._report
        if suffix in TABLES:
            return self._table
        if suffix in TILES:
            return self._tiles
        return self._vector if suffix in VECTORS else self._picture

    def _view(self, view: str) -> Write:
        def write(release: Published, path: Path, _: Any) -> None:
            options: dict[str, Any] = {"view": view, "resolution": self._pixel}
            to_geotiff(release, path, **options, overwrite=self._overwrite)

        return write

    def _vector(self, release: Published, path: Path, _: Any) -> None:
        integers = self._h3_integers and path.suffix.lower() in PARQUETS
        to_vector(release, path, overwrite=self._overwrite, h3_integers=integers)

    def _points(self, release: Published, path: Path, _: Any) -> None:
        to_points(release, path, overwrite=self._overwrite)

    def _tiles(self, release: Published, path: Path, _: Any) -> None:
        to_tiles(release, path, overwrite=self._overwrite)

    def _table(self, release: Published, path: Path, _: Any) -> None:
        to_csv(release, path, overwrite=self._overwrite)

    def _picture(self, release: Published, path: Path, boundary: Any) -> None:
        check_target(path, overwrite=self._overwrite)
        form = path.suffix.lower()[1:]
        shown = {"boundary": boundary, "view": self._shown, "grey": self._grey, **self._page}
        write_bytes(path, picture(release, form=form, **shown))

    def _report(self, release: Published, path: Path, boundary: Any) -> None:
        options = {"boundary": boundary, "regions": self._regions, "grey": self._grey}
        options["language"] = self._page["language"]
        to_report(release, path, **options, overwrite=self._overwrite)


def check_picture(view: str, width: float | None, dpi: float | None) -> None:
    """Refuse a view or a size that no picture has."""
    check_view(view)
    for name, value, least, most in (("width", width, 2, 60), ("dpi", dpi, 20, 1200)):
        if value is not None and not least <= value <= most:
            unit = "inches" if name == "width" else "dots in an inch"
            raise InputError(f"{name} must be from {least} to {most:,} {unit}; got {value:g}.")


def _where(release: Published, kept: Path | None) -> str:
    spent = "" if release.seeded else "epsilon is spent, and "
    if kept is None:
        return f"{spent}the release could not be kept anywhere."
    return f"{spent}the release is kept in {kept}: open it, and write it elsewhere."


def write_difference(
    change: Difference,
    paths: Sequence[Path],
    say: Callable[[str], None],
    *,
    answers: tuple[Any, Path] | None = None,
    boundary: Any = None,
    overwrite: bool = False,
) -> None:
    """Write maps of what changed, by their suffixes, and answers about regions."""
    kinds = (*RASTERS, *VECTORS, ".png")
    wanted: list[tuple[Path, Suffixes, Suffixes]]
    wanted = [(path, kinds, _beside_difference(path)) for path in paths]
    if answers is not None:
        wanted.append((answers[1], ANSWERS, beside_answers(answers[1].suffix.lower())))
    _check(wanted, overwrite=overwrite)
    for path in paths:
        say(f"writing {path.name}")
        suffix = path.suffix.lower()
        if suffix == ".png":
            write_bytes(path, difference.difference_png(change, boundary=boundary))
        else:
            write = difference.to_geotiff if suffix in RASTERS else difference.to_vector
            write(change, path, overwrite=overwrite)
    if answers is not None:
        say(f"writing {answers[1].name}")
        difference.to_answers(change, *answers, overwrite=overwrite)


def _check(wanted: Sequence[tuple[Path, Suffixes, Suffixes]], *, overwrite: bool) -> None:
    """Check files: their suffixes, and the files that are written beside them."""
    for path, suffixes, _ in wanted:
        if known_suffix(path, suffixes) in PICTURES:
            need("matplotlib")
    places = [path.resolve() for path, *_ in wanted]
    if len(set(places)) < len(places):
        raise InputError("every output needs a name of its own; one is given twice.")
    # Rasters and other layers share a style, which serves both; names of a Shapefile's fields are
    # its own, and so is its description.
    styled = [path.resolve().with_suffix("") for path, _, beside in wanted if beside]
    for path, *_ in wanted:
        if path.suffix.lower() == ".shp" and styled.count(path.resolve().with_suffix("")) > 1:
            raise InputError(
                "a Shapefile needs a name of its own, because style and description lie beside "
                f"it; {path.name} shares one with another output."
            )
    for path, _, beside in wanted:
        check_target(path, overwrite=overwrite, beside=beside)


def _beside_difference(path: Path) -> Suffixes:
    suffix = path.suffix.lower()
    return (".qml",) if suffix in RASTERS else beside_vector(suffix)


def _beside(path: Path, groups: Sequence[str]) -> tuple[str, ...]:
    """Return suffixes of files beside a raster or a vector grid."""
    suffix = path.suffix.lower()
    return beside_raster(groups) if suffix in RASTERS else beside_vector(suffix, groups)
