"""Counting in several layers: a tally of its own for each, filled in one pass.

A tally is private: it holds true counts. It has a redacted repr and nothing exports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.errors import InputError
from ..records.groups import GroupCodes, Layers
from ..space.domain import Domain
from .counting import Countable

MOST_BYTES = 1 << 30
"""Memory that the counts of all layers may take in one tally."""

_BLOCK = 1 << 16
"""Points located at once."""


@dataclass(frozen=True)
class LayeredPlan:
    """What to count, in each of several layers. Public, and small enough to send to workers.

    Parameters
    ----------
    plan : Plan or FramePlan
        What to count in each.
    layers : Layers
        How to tell them apart.
    """

    plan: Any
    layers: Layers

    def __post_init__(self) -> None:
        if self.size > MOST_BYTES:
            most = MOST_BYTES // self.plan.size
            raise InputError(
                f"the counts of all layers must fit into {MOST_BYTES >> 20:,} MiB; "
                f"{len(self.layers):,} layers of {self.plan.size / 2**20:,.1f} MiB do not: ask "
                f"for {most:,} layers at most, or for coarser cells."
            )

    @property
    def domain(self) -> Domain:
        """Where points are counted."""
        return self.plan.domain  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """Tells one plan from another."""
        return self.plan.name  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        """Bytes that the counts may take."""
        return int(self.plan.size) * len(self.layers)

    def tally(self) -> LayeredTally:
        """Return a new tally, which has counted nothing yet."""
        names = self.layers.names
        return LayeredTally(tuple(self.plan.tally(len(names)) for _ in names))


class LayeredTally:
    """True counts of the points seen so far, in each layer. Private.

    Parameters
    ----------
    layers : tuple of Tally or BaseTally
        One for each layer.

    Examples
    --------
    >>> from geodp import Domain, Grid
    >>> from geodp.core.counts.grid_tally import Plan
    >>> plan = Plan((Grid(Domain((0, 0, 2, 2), crs="EPSG:5070"), (1, 2)),))
    >>> tally = LayeredPlan(plan, Layers.of("kind", ["theft", "assault"])).tally()
    >>> tally.add(np.array([0.5, 1.5, 0.5]), np.ones(3), np.array([1, 1, -1]))
    >>> tally
    LayeredTally(private)
    >>> [layer.counts(0).tolist() for layer in tally.layers]
    [[[0, 0]], [[1, 1]]]
    """

    def __init__(self, layers: tuple[Any, ...]) -> None:
        self.layers = layers

    def __repr__(self) -> str:
        return "LayeredTally(private)"

    @property
    def plan(self) -> Any:
        """What is counted in each layer."""
        return self.layers[0].plan

    def add(self, x: npt.ArrayLike, y: npt.ArrayLike, layer: GroupCodes) -> None:
        """Count points; those outside the domain, and those in no layer, are dropped."""
        xs, ys = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        # Bytes are sorted by counting, fast. None, which is -1, becomes the largest of all.
        number = layer.astype(np.uint8 if len(self.layers) < 256 else np.uint16)
        if self.layers[0].borders:
            for tally, (own_x, own_y) in zip(self.layers, self._dealt(number, xs, ys)):
                tally.add(own_x, own_y)
            return
        for start in range(0, len(xs), _BLOCK):
            part = slice(start, start + _BLOCK)
            # All layers are counted on the same cells, so that a point is located once.
            found, inside = self.layers[0].locate(xs[part], ys[part])
            own = number[part] if inside is None else number[part][inside]
            for tally, (cells,) in zip(self.layers, self._dealt(own, found)):
                tally.keep(cells)

    def _dealt(self, number: npt.NDArray[Any], *columns: Any) -> Iterator[tuple[Any, ...]]:
        """What is known of the points in each layer."""
        order = np.argsort(number, kind="stable")
        ends = np.arange(len(self.layers) + 1, dtype=number.dtype)
        cuts = np.searchsorted(number, ends, sorter=order).tolist()
        ordered = [column.take(order, axis=0) for column in columns]
        for start, stop in zip(cuts, cuts[1:]):  # noqa: RUF007 (Python 3.9 has no pairwise)
            yield tuple(column[start:stop] for column in ordered)

    def __add__(self, other: LayeredTally) -> LayeredTally:
        """Merge two tallies of one plan."""
        return LayeredTally(tuple(a + b for a, b in zip(self.layers, other.layers)))

    def __iadd__(self, other: LayeredTally) -> LayeredTally:
        """Take in what another tally has counted; the other stays as it is."""
        merged = list(self.layers)
        for place, layer in enumerate(other.layers):
            merged[place] += layer
        self.layers = tuple(merged)
        return self


def planned(plan: Countable, layers: Layers | None) -> Countable:
    """What to count, in each layer if there are any."""
    return plan if layers is None else LayeredPlan(plan, layers)
