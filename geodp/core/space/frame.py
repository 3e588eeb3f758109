"""The public lattices of an adaptive release: a few root cells, each halved again and again.

Depth 0 is the domain. Depth 1 cuts it into at most 16 near-square *root* cells; every further depth
halves each cell along both axes, down to the *base* lattice. All lattices share the base's float64
edges, so every node of a tree is a rectangle of whole base cells, decided by exact comparison.

Nodes of one depth have *codes*: root cells are numbered row by row from the south-west, and the
children of code c are ``4c``, ``4c + 1`` (south), ``4c + 2`` and ``4c + 3`` (north). The base cells
of a node therefore have consecutive codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..common.phrases import Number, Phrase
from ..common.types import Floats, Ints, read_only
from .axis import Axis, equal_edges
from .domain import Domain, checked_domain
from .grid import Grid
from .lookup import Lookup

Codes = npt.NDArray[np.int32]

ROOT_CELLS = 16
"""Most root cells that a domain is cut into."""

HALVINGS = 11
"""Most halvings of a root cell: a square domain has a base of 8,192 by 8,192 cells.

Sixteen root cells halved eleven times are 2**26 base cells, the most that a grid may have, so that
every code fits into 32 bits.
"""


@dataclass(frozen=True, repr=False)
class Frame:
    """A domain, its root cells, and how often they may be halved. Public.

    Parameters
    ----------
    domain : Domain
        The rectangle that is cut.
    root : tuple of int, optional
        ``(rows, columns)`` of the root cells; by default as many as possible, up to 16, that are
        less than 3/2 times as long as wide (or the nearest to that).
    halvings : int, optional
        How often a root cell may be halved; by default 11, or fewer where a resolution says so, or
        where float64 resolves no more.
    resolution : float, optional
        Side below which no cell shall fall, in CRS units, where ``root`` and ``halvings`` are left
        open. The domain may state one too: the coarser counts.

    Examples
    --------
    >>> frame = Frame(Domain((0, 0, 4000, 2000), crs="EPSG:5070"))
    >>> frame
    Frame(Domain((0.0, 0.0, 4000.0, 2000.0), crs='EPSG:5070'), (3, 5), 11)
    >>> frame.depth, frame.shape(1), frame.shape(frame.depth)
    (12, (3, 5), (6144, 10240))
    """

    domain: Domain
    root: tuple[int, int]
    halvings: int

    def __init__(
        self,
        domain: Domain,
        root: tuple[int, int] | None = None,
        halvings: int | None = None,
        *,
        resolution: float | None = None,
    ) -> None:
        object.__setattr__(self, "domain", checked_domain(domain))
        least = max(domain.resolution or 0.0, resolution or 0.0)
        object.__setattr__(
            self, "root", _checked_root(_root_shape(domain, least) if root is None else root)
        )
        most = _halvings_within(domain, self.root, least) if halvings is None else halvings
        if most not in range(HALVINGS + 1):
            raise InputError(
                f"halvings must be a whole number from 0 to {HALVINGS}; got {halvings!r}."
            )
        object.__setattr__(self, "halvings", int(most))
        Grid(self.domain, self.shape(self.depth))  # refuses cells that float64 does not resolve

    def __repr__(self) -> str:
        return f"Frame({self.domain!r}, {self.root!r}, {self.halvings!r})"

    def __getstate__(self) -> dict[str, Any]:
        # Copies make their edges and tables anew: a pickled array would come back writable.
        return {"domain": self.domain, "root": self.root, "halvings": self.halvings}

    @property
    def in_words(self) -> Phrase:
        """Return the lattices, for a list of candidates.

        Examples
        --------
        >>> Frame(Domain((0, 0, 4, 2), crs="EPSG:5070"), (1, 2), 3).in_words
        '1 × 2 root cells, each halved up to 3 times'
        """
        numbers = (Number(number) for number in (*self.root, self.halvings))
        return Phrase("{1} × {2} root cells, each halved up to {3} times", *numbers)

    @property
    def cut(self) -> dict[str, Any]:
        """Return the root cells and halvings, for programs."""
        return {"root": list(self.root), "halvings": self.halvings}

    layout = cut
    """What it takes to make the frame again."""

    @classmethod
    def from_layout(cls, layout: Any, domain: Domain) -> Frame:
        """Make a frame again."""
        rows, columns = layout["root"]
        return cls(domain, (rows, columns), layout["halvings"])

    @property
    def lattices(self) -> tuple[Grid, Grid]:
        """Return the coarsest cells that a release can have and the finest, as grids to look at."""
        return Grid(self.domain, self.root), Grid(self.domain, self.shape(self.depth))

    @property
    def depth(self) -> int:
        """Return the depth of the base lattice: the deepest that a node can be."""
        return self.halvings + 1

    @property
    def cells(self) -> int:
        """Return the number of base cells."""
        return self.root[0] * self.root[1] << 2 * self.halvings

    def shape(self, depth: int) -> tuple[int, int]:
        """Return rows and columns of the lattice at a depth."""
        if depth == 0:
            return (1, 1)
        return (self.root[0] << depth - 1, self.root[1] << depth - 1)

    def children(self, depth: int) -> int:
        """Return how many children a node at this depth has when it is split."""
        return self.root[0] * self.root[1] if depth == 0 else 4

    def child_codes(self, depth: int, codes: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
        """List the codes of all children of nodes, and how many each node has.

        Examples
        --------
        >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 1)
        >>> frame.child_codes(1, np.array([1]))
        (array([4, 5, 6, 7]), 4)
        """
        if depth >= self.depth and len(codes):
            raise InputError("cells of the finest lattice have no children.")
        fan_out = self.children(depth)
        children = np.empty((len(codes), fan_out), dtype=codes.dtype)
        for child in range(fan_out):
            children[:, child] = codes * fan_out + child
        return children.ravel(), fan_out

    def bits(self, depth: int) -> int:
        """Count the bits by which base codes are longer than those of nodes at a depth from 1."""
        return 2 * (self.depth - depth)

    @cached_property
    def x_edges(self) -> Floats:
        """Return edges of the base columns from west to east; read-only."""
        return read_only(equal_edges(self.domain.bounds[0], self.domain.bounds[2], self._base[1]))

    @cached_property
    def y_edges(self) -> Floats:
        """Return edges of the base rows from south to north; read-only."""
        return read_only(equal_edges(self.domain.bounds[1], self.domain.bounds[3], self._base[0]))

    @property
    def _base(self) -> tuple[int, int]:
        return self.shape(self.depth)

    def lines(self, depth: int) -> tuple[Floats, Floats]:
        """Return edges of columns and of rows of the lattice at a depth: some of the base's."""
        rows, columns = self.shape(depth)
        return self.x_edges[:: self._base[1] // columns], self.y_edges[:: self._base[0] // rows]

    def places(self, code: npt.NDArray[Any], depth: int) -> tuple[Ints, Ints]:
        """Return row, from the south, and column of the nodes with these codes at a depth from 1.

        Examples
        --------
        >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 2), 1)
        >>> frame.places(np.array([0, 3, 6]), 2)
        (array([0, 1, 1]), array([0, 1, 2]))
        """
        halved = depth - 1
        row, column = np.divmod(np.asarray(code, dtype=np.int64) >> 2 * halved, self.root[1])
        for bit in range(halved - 1, -1, -1):
            row, column = row << 1 | code >> 2 * bit + 1 & 1, column << 1 | code >> 2 * bit & 1
        return row, column

    def supported(self, depth: int, row: Ints, column: Ints) -> npt.NDArray[np.bool_]:
        """Tell whether records can be in nodes at a depth."""
        within = self.domain.within
        if within is None or not len(row):
            return np.ones(len(row), dtype=np.bool_)
        x, y = self.lines(depth)
        return within.meets(x[column], y[row], x[column + 1], y[row + 1])

    def supported_codes(self, depth: int, code: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """Return the same for nodes that are given by their codes."""
        if self.domain.within is None:
            return np.ones(len(code), dtype=np.bool_)
        return self.supported(depth, *self.places(code, depth))

    @cached_property
    def _lookup(self) -> Lookup:
        """Return what a base column and a base row (from the south) add to the code."""
        tables = []
        for axis, step in ((1, 1), (0, self.root[1])):
            place = np.arange(self._base[axis], dtype=np.int64)
            code = (place >> self.halvings) * step << 2 * self.halvings
            for bit in range(self.halvings):
                code |= (place >> bit & 1) << 2 * bit + 1 - axis
            tables.append(code[:, None])
        return Lookup(self.domain, Axis(self.x_edges), Axis(self.y_edges), *tables)

    def codes(self, x: Floats, y: Floats) -> Codes:
        """Return the base cell's code of each point in the domain; points outside are left out.

        Examples
        --------
        >>> frame = Frame(Domain((0, 0, 4, 4), crs="EPSG:5070"), (1, 1), 2)
        >>> frame.codes(np.array([0.0, 1.0, 0.0, 4.0, 5.0]), np.array([0.0, 0.0, 1.0, 4.0, 0.0]))
        array([ 0,  1,  2, 15], dtype=int32)
        """
        return self.located(x, y)[0]

    def located(self, x: Floats, y: Floats) -> tuple[Codes, npt.NDArray[np.bool_] | None]:
        """Return the same codes, and which points are in the domain; None for all."""
        codes, inside = self._lookup.numbers(x, y)
        return codes.ravel(), inside


def _root_shape(domain: Domain, resolution: float) -> tuple[int, int]:
    """Return the most root cells of at most 16 whose sides differ by less than a factor of 3/2."""
    least = resolution or float(np.nextafter(0, 1))  # a side of 0 is none
    ranked = []
    for rows in range(1, ROOT_CELLS + 1):
        for columns in range(1, ROOT_CELLS // rows + 1):
            width, height = domain.width / columns, domain.height / rows
            if rows * columns > 1 and min(width, height) < least:
                continue
            long = max(width / height, height / width)
            near_square = 2 * long < 3
            ranked.append((near_square, rows * columns if near_square else 0, -long, rows, columns))
    return max(ranked)[-2:]


def _halvings_within(domain: Domain, root: tuple[int, int], resolution: float) -> int:
    """Count how often root cells can be halved before coordinates cannot tell them apart."""
    side = min(domain.width / root[1], domain.height / root[0])
    xmin, ymin, xmax, ymax = domain.bounds
    # Edges are the rounded sum of a bound and a multiple of the side: four units apart, they rise.
    spacing = 4 * float(np.spacing(max(map(abs, (xmin, ymin, xmax, ymax)))))
    least = max(resolution, spacing)
    halvings = 0
    while halvings < HALVINGS and side / 2 >= least:
        side /= 2
        halvings += 1
    return halvings


def _checked_root(root: Any) -> tuple[int, int]:
    try:
        rows, columns = root
        if rows < 1 or columns < 1 or rows * columns > ROOT_CELLS or rows % 1 or columns % 1:
            raise ValueError
    except (TypeError, ValueError):
        raise InputError(
            f"root cells must be rows and columns, 1 to {ROOT_CELLS} cells together; got {root!r}."
        ) from None
    return int(rows), int(columns)
