"""Regular grids on a domain, and the candidates among which a release chooses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.types import Floats, Ints, read_only
from .axis import equal_edges, stepped_edges
from .cells import EDGES, cell_fields
from .domain import Domain, checked_domain
from .official import GRID_ID, official_ids

if TYPE_CHECKING:
    import geopandas

Size = Union[int, tuple[int, int]]  # noqa: UP007 (QGIS 3.22 may run on Python 3.9)

MAX_CELLS = 1 << 26
"""More cells than this is taken for a slip of the hand (67 million; 8,192 × 8,192)."""

MAX_DIVISIONS = 1 << 20

DEFAULT_SIZES = (10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320)
"""Public ladder of divisions per axis of a square, each about √2 times the one before."""


@dataclass(frozen=True, repr=False)
class Grid:
    """A domain cut into rows and columns of cells, row 0 in the north.

    A cell holds its left and lower edge and leaves its right and upper edge to the neighbour;
    the last cells also hold the domain's own right and upper edge.

    Parameters
    ----------
    domain : Domain
        The rectangle that is cut.
    shape : tuple of int
        ``(rows, columns)``. May be left out where ``cell_size`` is given.
    cell_size : float, optional
        Side of square cells in CRS units, laid from the upper left corner. Where the domain is no
        multiple of it, the last row and column are cut at the domain's edge.

    Examples
    --------
    >>> grid = Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (2, 4))
    >>> grid
    Grid(Domain((0.0, 0.0, 4.0, 2.0), crs='EPSG:5070'), (2, 4))
    >>> grid.index(np.array([0.5, 4.0, 5.0]), np.array([1.5, 0.0, 1.0]))
    array([ 0,  7, -1])
    """

    domain: Domain
    shape: tuple[int, int]
    cell_size: float | None

    def __init__(
        self,
        domain: Domain,
        shape: tuple[int, int] | None = None,
        *,
        cell_size: float | None = None,
    ) -> None:
        domain = checked_domain(domain)
        if cell_size is not None:
            cell_size = float(cell_size)
            limit = min(domain.width, domain.height)
            if not 0 < cell_size <= limit * (1 + 1e-6):
                raise InputError(
                    "a cell size must be greater than 0 and at most the shorter side of the "
                    f"domain, {limit:g}; got {cell_size:g}."
                )
            across = (domain.height / cell_size, domain.width / cell_size)
            fitting = tuple(max(1, math.ceil(min(n - 1e-6, 1e18))) for n in across)
            if shape is not None and tuple(shape) != fitting:
                raise InputError(f"cells of {cell_size:g} make a shape of {fitting}; got {shape}.")
            shape = (fitting[0], fitting[1])
        if shape is None:
            raise InputError("a grid needs a shape (rows, columns) or a cell size; got neither.")
        object.__setattr__(self, "domain", domain)
        object.__setattr__(self, "shape", _checked_shape(shape))
        object.__setattr__(self, "cell_size", cell_size)
        if not (np.all(np.diff(self.x_edges) > 0) and np.all(np.diff(self.y_edges) > 0)):
            raise InputError(
                f"cells must be wider than float64 can resolve at these bounds; {self.shape} is "
                "too fine: use fewer cells."
            )

    def __repr__(self) -> str:
        if self.cell_size is not None:
            return f"Grid({self.domain!r}, cell_size={self.cell_size!r})"
        return f"Grid({self.domain!r}, {self.shape!r})"

    def __getstate__(self) -> dict[str, Any]:
        # Copies make their edges anew: a pickled array would come back writable.
        return {"domain": self.domain, "shape": self.shape, "cell_size": self.cell_size}

    @property
    def in_words(self) -> str:
        """Return rows and columns, for a list of candidates."""
        return "{} × {}".format(*self.shape)

    @property
    def cut(self) -> list[int]:
        """Return rows and columns, for programs."""
        return list(self.shape)

    @property
    def layout(self) -> list[int] | float:
        """Return what it takes to make the grid again: its shape, or the size of its cells."""
        return list(self.shape) if self.cell_size is None else self.cell_size

    @classmethod
    def from_layout(cls, layout: Any, domain: Domain) -> Grid:
        """Make a grid again."""
        if isinstance(layout, list):
            return cls(domain, (layout[0], layout[1]))
        return cls(domain, cell_size=float(layout))

    @property
    def cells(self) -> int:
        """Return the number of cells."""
        return self.shape[0] * self.shape[1]

    @cached_property
    def x_edges(self) -> Floats:
        """Return the column edges from west to east, one more than columns; read-only."""
        xmin, _, xmax, _ = self.domain.bounds
        if self.cell_size is None:
            return read_only(equal_edges(xmin, xmax, self.shape[1]))
        return read_only(stepped_edges(xmin, xmax, self.cell_size))

    @cached_property
    def y_edges(self) -> Floats:
        """Return the row edges from south to north, one more than rows; read-only."""
        _, ymin, _, ymax = self.domain.bounds
        if self.cell_size is None:
            return read_only(equal_edges(ymin, ymax, self.shape[0]))
        return read_only(0.0 - stepped_edges(-ymax, -ymin, self.cell_size)[::-1])  # no -0.0

    @cached_property
    def supported(self) -> npt.NDArray[np.bool_]:
        """Return where records can be: one flag for each cell, row 0 in the north; read-only."""
        within = self.domain.within
        if within is None:
            return np.broadcast_to(np.True_, self.shape)
        return read_only(within.meets_cells(self.x_edges, self.y_edges))

    @cached_property
    def weights(self) -> Floats:
        """Return the weight of each cell, where the domain says within what; read-only."""
        within = self.domain.within
        if within is None:
            raise InputError("cells have weights only where `within` is given; this domain is all.")
        return read_only(within.weight_of_cells(self.x_edges, self.y_edges))

    @property
    def cell_width(self) -> float:
        """Return the nominal width of a cell in CRS units."""
        return self.cell_size or self.domain.width / self.shape[1]

    @property
    def cell_height(self) -> float:
        """Return the nominal height of a cell in CRS units."""
        return self.cell_size or self.domain.height / self.shape[0]

    @property
    def transform(self) -> tuple[float, float, float, float, float, float]:
        """Return affine coefficients ``(a, b, c, d, e, f)`` from (column, row) to coordinates."""
        xmin, _, _, ymax = self.domain.bounds
        return (self.cell_width, 0.0, xmin, 0.0, -self.cell_height, ymax)

    def index(self, x: Floats, y: Floats) -> Ints:
        """Return the cell of each point as ``row * columns + column``; -1 outside the domain."""
        inside, x, y = in_domain(self.domain, np.asarray(x, float), np.asarray(y, float))
        column = np.searchsorted(self.x_edges, x, side="right") - 1
        row = self.shape[0] - np.searchsorted(self.y_edges, y, side="right")
        cells = np.full(inside.shape, -1, dtype=np.int64)
        cells[inside] = row * self.shape[1] + column
        return cells

    def reshape(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Put one value for each cell with records into rows and columns, with 0 elsewhere.

        Examples
        --------
        >>> Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2)).reshape(np.array([3, 4]))
        array([[3, 4]])
        """
        if len(values) == self.cells:
            return values.reshape(self.shape)
        table = np.zeros(self.shape, dtype=values.dtype)
        table[self.supported] = values
        return table

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """Return the cells as polygons with the fields that QGIS gives a grid layer.

        Returns
        -------
        geopandas.GeoDataFrame
            ``id left top right bottom row_index col_index`` and the geometry, row by row from
            the north-west; also ``GRD_ID`` where cells are those of the official grid of Europe.

        Examples
        --------
        >>> Grid(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2)).to_geodataframe().right.tolist()
        [2.0, 4.0]
        """
        import geopandas
        import shapely

        fields = cell_fields(self)
        ids = official_ids(np.column_stack([fields[name] for name in EDGES]), self.domain.crs)
        fields |= {} if ids is None else {GRID_ID: ids}
        boxes = shapely.box(fields["left"], fields["bottom"], fields["right"], fields["top"])
        return geopandas.GeoDataFrame(fields, geometry=boxes, crs=self.domain.crs.name)


def in_domain(
    domain: Domain, x: Floats, y: Floats
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.bool_]], Floats, Floats]:
    """Keep the points of the domain; those on its right or upper edge move one ulp inside.

    NaN compares false with everything and so is outside. Where the domain says within what records
    can be, points elsewhere are outside too. This is the only place that decides it.

    Returns
    -------
    inside, x, y
        A mask over the input, and the coordinates that it keeps.
    """
    xmin, ymin, xmax, ymax = domain.bounds
    inside = (x >= xmin) & (x <= xmax) & (y >= ymin) & (y <= ymax)
    if not inside.all():
        x, y = x[inside], y[inside]
    x, y = np.minimum(x, np.nextafter(xmax, xmin)), np.minimum(y, np.nextafter(ymax, ymin))
    if domain.within is not None:
        held = domain.within.holds(x, y)
        inside[inside] = held
        x, y = x[held], y[held]
    return inside, x, y


def candidate_grids(
    domain: Domain,
    sizes: Iterable[Size] | None = None,
    *,
    cell_sizes: Iterable[float] | None = None,
) -> tuple[Grid, ...]:
    """Return grids among which a release may choose.

    Parameters
    ----------
    domain : Domain
        The rectangle that all of them cut.
    sizes : iterable of int or (rows, columns), optional
        Divisions per axis, or per axis separately. Without sizes and cell sizes: a public ladder
        of as many near-square cells as 10 × 10 to 320 × 320 are, which stops at the domain's
        resolution where it has one.
    cell_sizes : iterable of float, optional
        Sides of square cells in CRS units, instead of ``sizes``.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> [grid.shape for grid in candidate_grids(town, sizes=[2, (3, 4)])]
    [(2, 2), (3, 4)]
    >>> [grid.shape for grid in candidate_grids(town, cell_sizes=[500, 1000])]
    [(6, 8), (3, 4)]
    >>> [grid.shape for grid in candidate_grids(town)][:2]
    [(9, 11), (12, 16)]
    """
    domain = checked_domain(domain)
    if sizes is not None and cell_sizes is not None:
        raise InputError(
            "candidates come by `sizes` or by `cell_sizes`; both were given: choose one."
        )
    if cell_sizes is not None:
        grids = [Grid(domain, cell_size=size) for size in cell_sizes]
    elif sizes is not None:
        grids = [Grid(domain, _per_axis(size)) for size in sizes]
    else:
        grids = [Grid(domain, shape) for shape in _ladder(domain)]
    return checked_candidates(grids)


def checked_candidates(grids: Sequence[Grid]) -> tuple[Grid, ...]:
    """Refuse an empty list of candidates, several domains, and candidates that repeat."""
    if not grids:
        raise InputError("at least one candidate grid is needed; none was given.")
    for grid in grids:
        if not isinstance(grid, Grid):
            raise InputError(
                "candidates must be grids, as `candidate_grids(domain, sizes)` makes them; one is "
                f"a {type(grid).__name__}."
            )
    if any(grid.domain != grids[0].domain for grid in grids):
        raise InputError("all candidate grids must share one domain; these have several.")
    cuts = [(grid.x_edges.tobytes(), grid.y_edges.tobytes()) for grid in grids]
    for position, cut in enumerate(cuts):
        if cut in cuts[:position]:
            raise InputError(
                f"candidate grids must differ; {grids[position].shape} cuts the domain as an "
                "earlier one does: give each size once."
            )
    return tuple(grids)


def _ladder(domain: Domain) -> list[tuple[int, int]]:
    """Return shapes of near-square cells, as many as the default sizes make of a square."""
    least = domain.resolution or 0.0
    shapes = [_near_square(domain, size) for size in DEFAULT_SIZES]
    fits = [
        (rows, columns)
        for rows, columns in shapes
        if min(domain.height / rows, domain.width / columns) >= least
    ]
    if fits:
        return fits
    rows, columns = shapes[0]
    return [(_at_most(rows, domain.height / least), _at_most(columns, domain.width / least))]


def _near_square(domain: Domain, size: int) -> tuple[int, int]:
    """Return rows and columns, together about ``size**2`` cells: first along the shorter side."""
    sides = domain.height, domain.width
    few = max(1, round(size * math.sqrt(min(sides) / max(sides))))
    many = round(size * size / few)
    return (few, many) if domain.height <= domain.width else (many, few)


def _at_most(divisions: int, limit: float) -> int:
    return max(1, min(divisions, int(limit)))


def _per_axis(size: Size) -> tuple[int, int]:
    if isinstance(size, (int, np.integer)):
        return (int(size), int(size))
    return size


def _checked_shape(shape: tuple[int, int]) -> tuple[int, int]:
    try:
        rows, columns = shape
        integers = int(rows) == rows and int(columns) == columns
    except (TypeError, ValueError, OverflowError):
        integers = False
    if not integers:
        raise InputError(f"a grid's shape must be two whole numbers; got {shape!r}.")
    if rows < 1 or columns < 1:
        raise InputError(f"a grid needs at least one row and one column; got {shape}.")
    if rows * columns > MAX_CELLS or max(rows, columns) > MAX_DIVISIONS:
        raise InputError(
            f"a grid may have at most {MAX_CELLS:,} cells and {MAX_DIVISIONS:,} along an axis; "
            f"{rows:,} by {columns:,} are more: use larger cells."
        )
    return (int(rows), int(columns))
