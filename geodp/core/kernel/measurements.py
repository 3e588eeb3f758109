"""Noisy counts of cells or of a tree's nodes: whole numbers with the scale of their noise. Public.

They are all that a release knows about the records.
"""

from __future__ import annotations

import binascii
import math
import zlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.compact import unzipped, zipped
from ..common.errors import InputError
from ..common.types import Ints, SignedInts, freeze, read_only
from ..privacy.budget import exact
from ..privacy.noise import excess_kurtosis, laplace_variance
from ..space.tree import Tree

_MOST = 4
"""Times that a node may be measured, when text from a file is read."""

_MOST_SCALES = 1000
"""Scales of the noise, likewise; a tree has some dozens."""


class Measurements:
    """Whole numbers that were published about cells, or about the nodes of a tree.

    Parameters
    ----------
    node : array_like of int
        Which cell or node each is about: cells row by row from the north-west, nodes of all depths
        counted through from the domain. None: one of each, in their order.
    value : array_like of int
        True count of the node plus discrete Laplace noise.
    scale : array_like of int
        Which of ``scales`` the noise has. None: the first.
    scales : sequence of Fraction
        Scales of the noise.
    terms : int
        How many draws of noise each value holds: more than one where values were added up.
    units : int
        How many units of the values and scales make one of what is counted.

    Examples
    --------
    >>> measured = Measurements([0, 1], [12, 13], [0, 1], [Fraction(100), Fraction(20, 17)])
    >>> measured
    Measurements(2 counts, 2 scales)
    >>> Measurements.from_text(measured.to_text()) == measured
    True
    """

    def __init__(
        self,
        node: npt.ArrayLike | None,
        value: npt.ArrayLike,
        scale: npt.ArrayLike | None,
        scales: Sequence[Fraction],
        terms: int = 1,
        units: int = 1,
    ) -> None:
        values = np.asarray(value, dtype=np.int64)
        given = [None if c is None else _as_integers(c) for c in (node, scale)]
        if values.ndim != 1 or any(c is not None and c.shape != values.shape for c in given):
            raise InputError("every measurement needs a node, a value and a scale.")
        nodes, numbers = given
        if nodes is not None and (nodes[1:] < nodes[:-1]).any():
            order = np.argsort(nodes, kind="stable")
            nodes, values = freeze(nodes[order]), freeze(values[order])
            numbers = None if numbers is None else freeze(numbers[order])
        self._node = None if nodes is None else read_only(nodes)
        self._scale = None if numbers is None else read_only(numbers)
        self.value: Ints = read_only(values)
        self.scales = tuple(scales)
        self.terms, self.units = terms, units
        if terms < 1 or units < 1:
            raise InputError(
                "a measurement holds one draw of noise at least, and its units are one at least; "
                f"got {terms} and {units}."
            )
        if any(not Fraction(1, 1 << 63) < scale < 1 << 63 for scale in self.scales):
            raise InputError("the scale of the noise must be positive and fit into 64 bits.")
        if len(self) and (self.node[0] < 0 or self.scale.min() < 0):
            raise InputError("measurements must name nodes and scales by numbers from 0.")
        if len(self) and self.scale.max() >= len(self.scales):
            raise InputError("every measurement must name one of the scales.")

    @classmethod
    def from_counts(
        cls, counts: Any, scale: Fraction, shape: tuple[int, ...] | None = None, units: int = 1
    ) -> Measurements:
        """Take an array with one noisy count for each cell, all with noise of one scale.

        Where the shape of the cells is given, the array must have it.

        Examples
        --------
        >>> import numpy as np
        >>> Measurements.from_counts(np.array([[3, -1]]), Fraction(1)).value
        array([ 3, -1])
        """
        given = np.asarray(counts)
        if given.dtype.kind not in "iu" or not np.can_cast(given.dtype, np.int64):
            raise InputError(
                f"counts must be whole numbers of at most 64 bits with a sign; got {given.dtype}."
            )
        if shape is not None and given.shape != shape:
            raise InputError(
                "counts must have one value for each cell, in the grid's shape; got "
                f"{given.shape} for {shape}."
            )
        value = given.astype(np.int64).flatten()
        value.setflags(write=False)
        return cls(None, value, None, [scale], units=units)

    @classmethod
    def sum(cls, parts: Sequence[Measurements]) -> Measurements:
        """Add up measurements that were made alike, each with noise of its own.

        Examples
        --------
        >>> measured = Measurements([0, 1], [12, 13], [0, 0], [Fraction(20)])
        >>> both = Measurements.sum([measured, measured])
        >>> both.value, both.terms
        (array([24, 26]), 2)
        """
        first = parts[0]
        for part in parts[1:]:
            alike = part.scales == first.scales and len(part) == len(first)
            alike = alike and part.units == first.units
            if not alike or not all(
                np.array_equal(getattr(part, name), getattr(first, name))
                for name in ("node", "scale")
            ):
                raise InputError("measurements add up only where they are of the same nodes.")
        value = np.sum([part.value for part in parts], axis=0)
        terms = sum(part.terms for part in parts)
        return cls(first._node, value, first._scale, first.scales, terms, first.units)

    def with_terms(self, terms: int) -> Measurements:
        """Return the same values, each of which holds the noise of several draws."""
        return Measurements(self._node, self.value, self._scale, self.scales, terms, self.units)

    def with_units(self, units: int) -> Measurements:
        """Return the same values as multiples of a part of one: ``units`` of them make one."""
        return Measurements(self._node, self.value, self._scale, self.scales, self.terms, units)

    @property
    def counts(self) -> npt.NDArray[Any]:
        """Return values as people read them: whole numbers, or parts of one where there are units.

        Examples
        --------
        >>> Measurements([0, 1], [12, 18], None, [Fraction(12)], units=12).counts
        array([1. , 1.5])
        """
        return self.value if self.units == 1 else read_only(self.value / self.units)

    @property
    def count_scales(self) -> tuple[Fraction, ...]:
        """Return scales of the noise on these."""
        return tuple(scale / self.units for scale in self.scales)

    def variances(self) -> list[float]:
        """Return the variance of the noise in counts at each of the scales."""
        in_units = [self.terms * laplace_variance(scale) for scale in self.scales]
        return in_units if self.units == 1 else [variance / self.units**2 for variance in in_units]

    def excess(self) -> list[float]:
        """Return the excess kurtosis of the noise at each of the scales."""
        return [excess_kurtosis(scale) / self.terms for scale in self.scales]

    @property
    def chance_alike(self) -> float:
        """Return how likely another draw of all the noise would be the same, at most.

        Examples
        --------
        >>> round(Measurements([0, 1], [12, 13], None, [Fraction(1)]).chance_alike, 4)
        0.0786
        """
        chance = 1.0
        for scale, times in zip(self.scales, np.bincount(self.scale, minlength=len(self.scales))):
            less = math.exp(-1 / float(scale))  # each step away from zero is that much rarer
            chance *= ((1 - less) * (1 + less**2) / (1 + less) ** 3) ** int(times)
        return chance

    @property
    def node(self) -> SignedInts:
        """Return which cell or node each measurement is about, rising."""
        return np.arange(len(self.value)) if self._node is None else self._node

    @property
    def scale(self) -> SignedInts:
        """Return which of the scales each has."""
        if self._scale is None:
            return np.broadcast_to(np.int64(0), self.value.shape)
        return self._scale

    def covers_once(self, cells: Ints) -> bool:
        """Tell whether they are of these cells, each measured once and with noise of one scale."""
        return len(self.scales) == 1 and np.array_equal(self.node, cells)

    def __repr__(self) -> str:
        return f"Measurements({len(self.node):,} counts, {len(self.scales)} scales)"

    def __len__(self) -> int:
        return len(self.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measurements):
            return NotImplemented
        settings, others = ((one.scales, one.terms, one.units) for one in (self, other))
        return settings == others and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("node", "value", "scale")
        )

    def __hash__(self) -> int:
        return hash((self.scales, self.terms, self.units, self.value.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        given = self._node, self.value, self._scale, self.scales, self.terms, self.units
        return Measurements, given

    def check(self, tree: Tree) -> Measurements:
        """Return the measurements, or refuse them where a final cell of the tree has none."""
        if len(self.node) and self.node[-1] >= tree.nodes:
            raise InputError("measurements must be of nodes of the tree; one is of no node.")
        measured = np.zeros(tree.nodes, dtype=np.bool_)
        measured[self.node] = True
        for level in tree.levels:
            here = measured[level.first : level.first + len(level)]
            if (here & ~level.supported).any():
                raise InputError("measurements must be of nodes where records can be; one is not.")
            if not (here | level.split | ~level.supported).all():
                raise InputError("every final cell of a tree must be measured; one is not.")
        return self

    def to_text(self) -> str:
        """Return everything as a short text, for metadata."""
        steps = np.stack([np.diff(self.node, prepend=0), self.value, self.scale])
        # Bytes of like weight side by side: most of the high ones are alike, and zip well.
        packed = steps.astype("<i8").view(np.uint8).reshape(-1, 8).T.tobytes()
        scales = ",".join(map(str, self.scales))
        return scales + ";" + zipped(packed)

    @classmethod
    def from_text(cls, text: str, largest: int = 1 << 28) -> Measurements:
        """Read the text of :meth:`to_text`, and refuse one that was changed.

        Parameters
        ----------
        text : str
            What :meth:`to_text` gave.
        largest : int
            More nodes than this are refused.
        """
        try:
            scales, _, text = text.partition(";")
            packed = np.frombuffer(unzipped(text, 24 * _MOST * largest), dtype=np.uint8)
            columns = packed.reshape(8, -1).T.copy().view("<i8").reshape(3, -1)
            listed = [exact(scale) for scale in scales.split(",", _MOST_SCALES)]
        except (InputError, ValueError, binascii.Error, zlib.error):
            raise InputError(
                "the text of measurements must be as it was written; this one was changed."
            ) from None
        return cls(np.cumsum(columns[0]), columns[1], columns[2], listed)


def _as_integers(values: npt.ArrayLike) -> SignedInts:
    """Return whole numbers as they are given; there may be millions, so small types stay small."""
    given = np.asarray(values)
    return given if given.dtype.kind == "i" else given.astype(np.int64)
