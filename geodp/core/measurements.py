"""Noisy counts of a tree's nodes: whole numbers, each with the scale of its noise. Public."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from .axis import Ints
from .errors import InputError
from .tree import Tree, unzipped

_MOST = 4
"""Times that a node may be measured, when text from a file is read."""


class Measurements:
    """Whole numbers that were published about the nodes of a tree.

    Parameters
    ----------
    node : array_like of int
        Which node each is about, nodes of all depths counted through from the domain.
    value : array_like of int
        True count of the node plus discrete Laplace noise.
    scale : array_like of int
        Which of ``scales`` the noise has.
    scales : sequence of Fraction
        Scales of the noise.

    Examples
    --------
    >>> made = Measurements([0, 1], [12, 13], [0, 1], [Fraction(100), Fraction(20, 17)])
    >>> made
    Measurements(2 counts, 2 scales)
    >>> Measurements.from_text(made.to_text()) == made
    True
    """

    def __init__(
        self,
        node: npt.ArrayLike,
        value: npt.ArrayLike,
        scale: npt.ArrayLike,
        scales: Sequence[Fraction],
    ) -> None:
        columns = [np.asarray(column, dtype=np.int64) for column in (node, value, scale)]
        if len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
            raise InputError("every measurement needs a node, a value and a scale.")
        order = np.argsort(columns[0], kind="stable")
        self.node: Ints
        self.value: Ints
        self.scale: Ints
        self.node, self.value, self.scale = (column[order] for column in columns)
        for column in (self.node, self.value, self.scale):
            column.flags.writeable = False
        self.scales = tuple(scales)
        if any(not 0 < scale < 1 << 63 for scale in self.scales):
            raise InputError("the scale of the noise must be positive and fit into 64 bits.")
        if len(self.node) and (self.node[0] < 0 or self.scale.min() < 0):
            raise InputError("measurements must name nodes and scales by numbers from 0.")
        if len(self.node) and self.scale.max() >= len(self.scales):
            raise InputError("every measurement must name one of the scales.")

    def __repr__(self) -> str:
        return f"Measurements({len(self.node):,} counts, {len(self.scales)} scales)"

    def __len__(self) -> int:
        return len(self.node)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measurements):
            return NotImplemented
        return self.scales == other.scales and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("node", "value", "scale")
        )

    def __hash__(self) -> int:
        return hash((self.scales, self.value.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Measurements, (self.node, self.value, self.scale, self.scales)

    def check(self, tree: Tree) -> Measurements:
        """Return the measurements, or refuse them where a final cell of the tree has none."""
        if len(self.node) and self.node[-1] >= tree.nodes:
            raise InputError("measurements must be of nodes of the tree; one is of no node.")
        if not np.isin(tree.cell_node, self.node).all():
            raise InputError("every final cell of a tree must be measured; one is not.")
        return self

    def to_text(self) -> str:
        """Everything as a short text, for metadata."""
        steps = np.stack([np.diff(self.node, prepend=0), self.value, self.scale])
        # Bytes of like weight side by side: most of the high ones are alike, and zip well.
        packed = steps.astype("<i8").view(np.uint8).reshape(-1, 8).T.tobytes()
        scales = ",".join(map(str, self.scales))
        return scales + ";" + base64.b64encode(zlib.compress(packed)).decode("ascii")

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
            scales, _, zipped = text.partition(";")
            found = np.frombuffer(unzipped(zipped, 24 * _MOST * largest), dtype=np.uint8)
            columns = found.reshape(8, -1).T.copy().view("<i8").reshape(3, -1)
            listed = [Fraction(scale) for scale in scales.split(",")]
        except (ValueError, ZeroDivisionError, binascii.Error, zlib.error):
            raise InputError(
                "the text of measurements must be as it was written; this one was changed."
            ) from None
        return cls(np.cumsum(columns[0]), columns[1], columns[2], listed)
