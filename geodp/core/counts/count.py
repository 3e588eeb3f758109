"""Count the points of any source: the one way from records to a tally."""

from __future__ import annotations

import os

from ..privacy.noise import RandomBits
from ..privacy.protection import Protection
from ..records.amounts import Amount, contribution_for
from ..records.places import records_for
from ..records.source import Advance, PointSource, RemoteSource, Request
from .counting import Countable, Counting
from .streams import fill, tally_stream, without_ids

_MOST_THREADS = 4
"""The reader keeps no more than a few busy."""


def count(
    source: PointSource,
    plan: Countable,
    protect: Protection,
    bits: RandomBits,
    advance: Advance | None = None,
    amount: Amount | None = None,
) -> Counting:
    """Count every point once, and no person as more than is promised. Private.

    Parameters
    ----------
    source : PointSource
        Where the points are.
    plan : Countable
        What to count.
    protect : Protection
        Whose records are bounded.
    bits : RandomBits
        Draws the lots by which a person's records are kept.
    advance : callable, optional
        Hears how many bytes of the points files are read.
    amount : Amount, optional
        What is added up beside counts.
    """
    if isinstance(source, RemoteSource):
        tally: Counting = source.tally(plan, protect, bits, advance, amount)
        return tally
    blocks = source.blocks(Request.of(plan.domain, protect, plan.groups, amount), advance)
    threads = min(os.cpu_count() or 1, _MOST_THREADS)
    limit = contribution_for(protect, amount)
    if limit is None:
        return tally_stream(without_ids(blocks), plan, threads)
    kept = fill(records_for(limit, bits), blocks, plan)
    return tally_stream(kept.blocks(), plan, threads)
