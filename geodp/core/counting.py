"""The counting pass: every record once, in this process or on many workers, into one tally."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .columns import Reading
from .contribution import bounded_records
from .errors import InputError
from .noise import RandomBits
from .points import blocks_of, paths_of
from .streams import fill, is_dask, tally_stream, without_persons
from .tally import Plan, Tally

if TYPE_CHECKING:
    from ..sources.files import Advance

_MOST_THREADS = 4
"""Each thread has a tally of its own in memory, and the reader keeps no more than a few busy."""


def count(
    points: Any,
    plan: Plan,
    reading: Reading,
    bits: RandomBits,
    *,
    most: int | None = None,
    scheduler: Any = None,
    advance: Advance | None = None,
) -> Tally:
    """Tally the points, at most so many of each person.

    Parameters
    ----------
    points
        Anything that :func:`geodp.core.points.coordinate_blocks` takes, or a Dask collection.
    plan : Plan
        What to count.
    reading : Reading
        How to read the points.
    bits : RandomBits
        Decides which records of a person are kept.
    most : int, optional
        Records that a person may keep, where there are persons.
    scheduler : optional
        Where to count files or a Dask collection: an address, a client, or a name that Dask knows.
    advance : callable, optional
        Called with bytes done and in total.

    Examples
    --------
    >>> import numpy as np
    >>> from geodp import Crs, Domain, Grid
    >>> town = Domain((0, 0, 2, 2), Crs("EPSG:5070"))
    >>> points = iter([(np.array([0.5]), np.array([1.5]))])
    >>> count(points, Plan((Grid(town, (2, 2)),)), Reading(town), RandomBits()).total
    1
    """
    parts = points if is_dask(points) else None
    if parts is None and scheduler is not None:
        paths = paths_of(points)
        if paths is None or reading.sql is not None:
            raise InputError(
                "a scheduler counts files and Dask collections; these points are neither: leave "
                "it out."
            )
        from ..sources.files import pieces

        parts = pieces(paths)
    if parts is not None:
        from ..sources.dask import tally_parts

        return tally_parts(parts, plan, reading, most, bits, scheduler)
    blocks = blocks_of(points, reading, advance)
    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    if most is None:
        return tally_stream(without_persons(blocks), plan, threads)
    kept = fill(bounded_records(most, bits), blocks, plan.domain)
    return tally_stream(kept.blocks(), plan, threads)
