"""Kinds of cells, as people ask for them: adaptive cells, or one regular grid. Public.

A kind says which cells a release shall have and how they are chosen; :mod:`.mechanism` makes them.
The words "adaptive" and "regular" are short for ``Adaptive()`` and ``Regular()``. This is the only
place that knows which options go with which kind, the default tuner, and the default regions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Union

import numpy as np

from ..common.code import arguments, in_code
from ..common.errors import InputError
from ..common.types import as_positive
from ..districts.district_frame import DistrictFrame
from ..mechanisms.tuners import Tuner, as_tuner
from ..privacy.budget import ExactNumber, exact
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.frame import Frame
from ..space.grid import Grid, Size, candidate_grids, checked_candidates
from .district_kind import Districts
from .fixed_kind import FixedKind

BOX_SEED = 1
"""Public seed of the default boxes."""

BOXES, GROUPED_BOXES = 100, 25
"""Boxes of each size by default. Groups are asked about each, and so need fewer."""


def default_boxes(domain: Domain, *, grouped: bool = False) -> Workload:
    """Return the boxes at public random places that stand for regions where none are given.

    Examples
    --------
    >>> len(default_boxes(Domain((0, 0, 4000, 3000), crs="EPSG:5070")))
    600
    """
    per_share = GROUPED_BOXES if grouped else BOXES
    return Workload.random_boxes(domain, per_share=per_share, seed=BOX_SEED)


@dataclass(frozen=True, repr=False, eq=False)
class Adaptive:
    """Ask for cells that are fine where records crowd and coarse where there are few.

    Nothing has to be chosen: a tree of cells grows where the counts say that it pays, and on most
    data its error is a fraction of that of one grid.

    Parameters
    ----------
    resolution : float, optional
        Smallest cell side that makes sense, in CRS units, from public knowledge: no cell has a
        shorter one. It means what :class:`geodp.Domain` means by it, for this release alone; where
        both state one, the coarser counts. Without any, cells may be halved eleven times.
    districts : GeoDataFrame, GeoSeries, path or Districts, optional
        Public polygons that shall come out well too: every district is then a union of cells, and
        counts of districts and of cells agree. No domain is needed. Where districts hold too few
        records, several share a cell, and the release says which. With ``Districts(layer,
        levels=["state", "county"])`` larger units come out well too.
    share : number, optional
        Part of the remaining ε for the count of a district. More makes districts better and cells
        worse. By default 3/10, and less where districts seem to hold many records: 1/4, or 3/20.

    Examples
    --------
    >>> Adaptive(resolution=100)
    Adaptive(resolution=100.0)
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> Adaptive().frame(town).halvings, Adaptive(resolution=100).frame(town).halvings
    (11, 2)
    """

    resolution: float | None = None
    districts: Any = None
    share: ExactNumber | None = None

    def __post_init__(self) -> None:
        self._check_districts()
        if self.resolution is None:
            return
        resolution = as_positive(self.resolution)
        if resolution is None:
            raise InputError(f"`resolution` must be a positive number; got {self.resolution!r}.")
        object.__setattr__(self, "resolution", resolution)

    def __repr__(self) -> str:
        layer = None if self.districts is None else self.layer
        return in_code("Adaptive", resolution=self.resolution, districts=layer, share=self.share)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Adaptive) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    @property
    def _facts(self) -> tuple[Any, ...]:
        # A layer has no value to compare by: it is the same, or another.
        named = isinstance(self.districts, (str, os.PathLike))
        layer = os.fspath(self.districts) if named else id(self.districts)
        return self.resolution, None if self.districts is None else layer, self.share

    def _check_districts(self) -> None:
        if self.share is not None:
            if self.districts is None:
                raise InputError("`share` is for `districts`, and none were given: leave it out.")
            part = exact(self.share, "`share`")
            if not 0 < part < 1:
                raise InputError(f"`share` must lie between 0 and 1; got {self.share!r}.")
            object.__setattr__(self, "share", part)

    @cached_property
    def layer(self) -> Districts:
        """Return the districts that cells are inside of."""
        given = self.districts
        return given if isinstance(given, Districts) else Districts(given)

    def district_frame(self) -> DistrictFrame:
        """Return the public tree of districts and of cells in them."""
        cells = self.layer.cells
        return DistrictFrame(
            cells.districts, cells.domain, resolution=self.resolution, levels=cells.levels
        )

    def frame(self, domain: Domain | None) -> Frame:
        """Return the lattices in which the cells are found."""
        place = needed_domain(domain)
        side = min(place.width, place.height)
        if self.resolution is not None and self.resolution > side:
            raise InputError(
                "`resolution` must be at most the shorter side of the domain, "
                f"{side:g}; got {self.resolution:g}: use a finer one."
            )
        return Frame(place, resolution=self.resolution)


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Regular:
    """Ask for one regular grid, its size chosen privately among candidates.

    This is the way of the paper: candidate grids, a private choice between them, noisy counts.

    Parameters
    ----------
    grids : Grid or sequence of Grid, optional
        Candidates. With a single one nothing is tuned, and all of ε goes to the counts.
    sizes : sequence of int or (rows, columns), optional
        Instead: divisions per axis, as :func:`geodp.candidate_grids` takes them.
    cell_sizes : sequence of float, optional
        Instead: sides of square cells in CRS units. Without any of the three, the candidates are a
        ladder of near-square cells, as many as 10 × 10 to 320 × 320.
    workload : Workload, GeoDataFrame, GeoSeries, path or boxes, optional
        Public regions that the release should answer well; by default 600 boxes of 1 % to 64 % of
        the area at public random places.
    tuner : {"influence", "e2epriv"} or Tuner
        How to choose.
    tuning_share : number, optional
        Part of ε for the choice; 0.1 by default, 0.2 for ``"e2epriv"``.

    Examples
    --------
    >>> Regular()
    Regular()
    >>> Regular(cell_sizes=[500, 1000], tuner="e2epriv", tuning_share=0.2)
    Regular(cell_sizes=(500.0, 1000.0), tuner='e2epriv', tuning_share=0.2)
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> [grid.shape for grid in Regular(sizes=[2, (3, 4)]).candidates(town)]
    [(2, 2), (3, 4)]
    """

    grids: tuple[Grid, ...] | None
    sizes: tuple[Size, ...] | None
    cell_sizes: tuple[float, ...] | None
    workload: Any
    tuner: str | Tuner
    tuning_share: ExactNumber | None

    def __init__(
        self,
        grids: Grid | Sequence[Grid] | None = None,
        *,
        sizes: Iterable[Size] | None = None,
        cell_sizes: Iterable[float] | None = None,
        workload: Any = None,
        tuner: str | Tuner = "influence",
        tuning_share: ExactNumber | None = None,
    ) -> None:
        given = {"grids": grids, "sizes": sizes, "cell_sizes": cell_sizes}
        several = [f"`{name}`" for name, value in given.items() if value is not None]
        if len(several) > 1:
            raise InputError(
                f"candidates are given in one way; got {' and '.join(several)}: choose one."
            )
        if grids is not None:
            listed = (grids,) if isinstance(grids, Grid) else _listed("grids", grids)
            grids = checked_candidates(listed)
        as_tuner(tuner)  # refuses anything that is no tuner
        for name, value in {
            "grids": grids,
            "sizes": None if sizes is None else tuple(map(_size, _listed("sizes", sizes))),
            "cell_sizes": None
            if cell_sizes is None
            else tuple(map(_length, _listed("cell_sizes", cell_sizes))),
            "workload": _regions(workload),
            "tuner": tuner,
            "tuning_share": tuning_share,
        }.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        settings = arguments(
            sizes=self.sizes,
            cell_sizes=self.cell_sizes,
            workload=self.workload,
            tuner=None if self.tuner == "influence" else self.tuner,
            tuning_share=self.tuning_share,
        )
        grids = "" if self.grids is None else _grids_in_code(self.grids)
        return f"Regular({', '.join(filter(None, (grids, settings)))})"

    @property
    def _facts(self) -> tuple[Any, ...]:
        # A layer of regions has no value to compare by: it is the same, or another.
        regions = id(self.workload) if hasattr(self.workload, "geometry") else self.workload
        return (self.grids, self.sizes, self.cell_sizes, regions, self.tuner, self.tuning_share)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Regular) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    def candidates(self, domain: Domain | None) -> tuple[Grid, ...]:
        """Return the grids to choose from, on a domain unless grids say theirs."""
        if self.grids is None:
            place = needed_domain(domain)
            return candidate_grids(place, self.sizes, cell_sizes=self.cell_sizes)
        if domain is not None and self.grids[0].domain != domain:
            raise InputError(
                f"the grids must be on the given domain; got {domain!r} and "
                f"{self.grids[0].domain!r}."
            )
        return self.grids

    def regions(self, domain: Domain) -> Workload | None:
        """Return the regions that should come out well; None where none were named."""
        given = self.workload
        if given is None or isinstance(given, Workload):
            return given
        if isinstance(given, (str, os.PathLike)):
            from ...sources.layers import read_layer

            given = read_layer(given, "regions")
        if hasattr(given, "geometry"):
            return Workload.from_geodataframe(given, domain)
        return Workload.from_boxes(given, domain)

    def tuned_for(self, workload: Any) -> Regular:
        """Return the same candidates and tuner for other regions."""
        return Regular(
            self.grids,
            sizes=self.sizes,
            cell_sizes=self.cell_sizes,
            workload=workload,
            tuner=self.tuner,
            tuning_share=self.tuning_share,
        )

    @property
    def chooser(self) -> Tuner:
        """Return the tuner that chooses the grid."""
        return as_tuner(self.tuner)


Kind = Union[Adaptive, Regular, Districts, FixedKind]  # noqa: UP007 (QGIS 3.22 has Python 3.9)
Cells = Union[str, Kind]  # noqa: UP007

KINDS: dict[str, type[Adaptive] | type[Regular]] = {"adaptive": Adaptive, "regular": Regular}
"""Kinds of cells by their short words, the default first."""


def checked_kind(cells: Any) -> Kind:
    """Return a kind of cells, given as it is or by its word, and refuse anything else.

    Examples
    --------
    >>> checked_kind("adaptive")
    Adaptive()
    """
    if isinstance(cells, (Adaptive, Regular, Districts, FixedKind)):
        return cells
    if isinstance(cells, str) and cells in KINDS:
        return KINDS[cells]()
    given = repr(cells) if isinstance(cells, (str, type)) else f"a {type(cells).__name__}"
    raise InputError(
        "`cells` must be 'adaptive', 'regular', `Adaptive(…)`, `Regular(…)`, `Hexagons(…)`, "
        f"`H3(…)`, `Choice(…)` or, for the polygons of a layer, `Districts(layer)`; got {given}."
    )


def kind_word(word: str | None, *, adaptive: Mapping[str, Any], regular: Mapping[str, Any]) -> str:
    """Return the word for the cells that loose options ask for, or refuse those that do not fit.

    Parameters
    ----------
    word : {"adaptive", "regular"} or None
        The kind, if it was named. If not, any option of one grid means one grid.
    adaptive, regular : mapping
        What was given of the parameters of :class:`Adaptive` and of :class:`Regular`; None for
        what was not.

    Examples
    --------
    >>> kind_word(None, adaptive={}, regular={"sizes": [30, 40]})
    'regular'
    >>> kind_word("adaptive", adaptive={}, regular={"sizes": [30, 40]})
    Traceback (most recent call last):
    geodp.core.common.errors.InputError: `sizes` is for regular `cells`, and these are adaptive: ...
    """
    given = {
        "adaptive": [name for name, value in adaptive.items() if value is not None],
        "regular": [name for name, value in regular.items() if value is not None],
    }
    if word is None:
        word = "regular" if given["regular"] else "adaptive"
    if word not in KINDS:
        raise InputError(f"`cells` must be 'adaptive' or 'regular'; got {word!r}.")
    for other, names in given.items():
        if names and other != word:
            raise InputError(
                f"`{names[0]}` is for {other} `cells`, and these are {word}: leave one of them out."
            )
    return word


def kind_for(word: str | None, *, adaptive: Mapping[str, Any], regular: Mapping[str, Any]) -> Kind:
    """Return the kind of cells that loose options ask for: see :func:`kind_word`.

    Examples
    --------
    >>> kind_for(None, adaptive={"resolution": None}, regular={"sizes": [30, 40], "tuner": None})
    Regular(sizes=(30, 40))
    """
    named = kind_word(word, adaptive=adaptive, regular=regular)
    options = adaptive if named == "adaptive" else regular
    return KINDS[named](**{name: option for name, option in options.items() if option is not None})


def needed_domain(domain: Domain | None) -> Domain:
    """Return the domain, or refuse to do without one."""
    if domain is None:
        raise InputError(
            "a public domain is needed; none was given: pass `Domain(bounds, crs)`, or polygons "
            "with `Districts(layer)`. It is never read off the points, because that would tell "
            "where the outermost were."
        )
    return domain


def _grids_in_code(grids: tuple[Grid, ...]) -> str:
    """Write grids as code, with their domain once where that is possible."""
    if len(grids) == 1:
        return repr(grids[0])
    domain = grids[0].domain
    shapes = [grid.shape for grid in grids if grid.cell_size is None]
    lengths = [grid.cell_size for grid in grids if grid.cell_size is not None]
    if shapes and lengths:
        return repr(list(grids))
    cut = f"{shapes}" if shapes else f"cell_sizes={lengths}"
    return f"candidate_grids({domain!r}, {cut})"


def _listed(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        # The value is not repeated: it may be anything, by mistake.
        raise InputError(f"`{name}` must be a list; got a {type(values).__name__}.")
    return tuple(values)


def _size(value: Any) -> Any:
    """Return a number of divisions, or two of them, as something that can be hashed."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(item.item() if isinstance(item, np.generic) else item for item in value)
    return value.item() if isinstance(value, np.generic) else value


def _length(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"`cell_sizes` must be numbers, in CRS units; one is a {type(value).__name__}."
        ) from None


def _regions(value: Any) -> Any:
    """Return regions as they are and boxes as tuples; refuse what is neither."""
    if value is None or isinstance(value, (Workload, str, os.PathLike)):
        return value
    if hasattr(value, "geometry"):
        return value
    if isinstance(value, (Sequence, np.ndarray)):
        try:
            boxes = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            boxes = np.zeros(0)
        if boxes.ndim == 2 and boxes.shape[1] == 4:
            return tuple(map(tuple, boxes.tolist()))
    raise InputError(
        "`workload` must be a Workload, a GeoDataFrame, a GeoSeries, the path of a layer or rows "
        f"of xmin, ymin, xmax, ymax; got a {type(value).__name__}."
    )
