"""A town in three hundred strips, each a cell of its own, to see how often intervals hold."""

from __future__ import annotations

from typing import Any

import numpy as np

import geodp
from geodp.core.space.grid import Grid

TOWN = geodp.Domain((0, 0, 4000, 4000), crs="EPSG:5070")
COLUMNS = 300
STRIPS = geodp.Regular(Grid(TOWN, (1, COLUMNS)))
BOXES = np.array([
    (4000 * i / COLUMNS, 0, 4000 * (i + 1) / COLUMNS, 4000) for i in range(COLUMNS)
])  # fmt: skip


def in_strips(size: int) -> dict[str, Any]:
    """Put so many records into each strip, in the order of the strips."""
    strip = np.repeat(np.arange(COLUMNS), size)
    x = (strip + 0.5) * 4000 / COLUMNS
    return {"x": x, "y": np.full(len(x), 50.0), "strip": strip}
