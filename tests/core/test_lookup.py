"""Cells of points from tables: what comparing with every edge gives, for any edges and points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

from geodp.core.space import axis, lookup
from geodp.core.space.axis import Axis, equal_edges
from geodp.core.space.domain import Crs, Domain
from geodp.core.space.lookup import Lookup

INF = np.inf


def make_edges(kind: str, low: float, width: float, rng: np.random.Generator) -> np.ndarray:
    high = low + width
    if kind == "equal":
        return np.unique(equal_edges(low, high, int(rng.integers(1, 300))))
    inner = low + width * rng.random(int(rng.integers(0, 80)))
    if kind == "crowded":
        some = low + width * rng.random(2)
        inner = np.concatenate([inner, some, np.nextafter(some, INF), some + width * 1e-7])
    return np.unique(np.append(np.clip(inner, low, high), [low, high]))


def beside(edges: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return every edge, both floats beside it, and coordinates in between, outside, and no
    numbers.
    """
    low, high = edges[0], edges[-1]
    return np.concatenate(
        [
            *(edges, np.nextafter(edges, -INF), np.nextafter(edges, INF)),
            low + (high - low) * rng.uniform(-0.5, 1.5, 200),
            [np.nan, INF, -INF, 1e308, -1e308, 0.0, -0.0],
        ]
    )


PLACES = st.tuples(
    st.sampled_from([0.0, -1.0, 1e6, -122.5, 4_567_890.123, 1e-300]),
    st.sampled_from([1.0, 1e-9, 0.22, 1e5, 3.0]),
)
KINDS = st.sampled_from(["equal", "uneven", "crowded"])


@pytest.fixture(params=[4, 1 << 17])
def buckets(request, monkeypatch):
    """Set few buckets, with many edges each, so that every way to tell cells apart is taken."""
    monkeypatch.setattr(axis, "MOST_BUCKETS", request.param)
    monkeypatch.setattr(lookup, "BLOCK", 50)


@examples(60)
@given(PLACES, KINDS, st.integers(0, 2**32 - 1))
@pytest.mark.usefixtures("buckets")
def test_a_guess_says_no_more_than_it_knows(place, kind, seed):
    rng = np.random.default_rng(seed)
    edges = make_edges(kind, *place, rng)
    x = beside(edges, rng)
    cell = np.searchsorted(edges, x, side="right") - 1
    inside = (x >= edges[0]) & (x < edges[-1])
    axis = Axis(edges)
    guess = axis.guess(x).astype(np.int64)
    assert (guess[~inside] == -1).all()
    known = guess >= 0
    assert np.isin((cell - guess)[known], (0, 1)).all()
    with np.errstate(all="ignore"):
        bucket = np.clip(axis.bucket(x, np.empty(len(x))), 0, axis.buckets - 1)
    sure = axis.sure[bucket]
    np.testing.assert_array_equal(guess[sure], cell[sure])
    assert (bucket[inside] >= axis.inside.start).all()
    assert (bucket[x == edges[-1]] < axis.inside.stop).all()
    assert (bucket[inside] < axis.inside.stop).all()
    np.testing.assert_array_equal(axis.locate(x[inside]), cell[inside])


@examples(60)
@given(PLACES, PLACES, KINDS, KINDS, st.integers(1, 5), st.integers(0, 2**32 - 1))
@pytest.mark.usefixtures("buckets")
def test_numbers_are_those_of_every_edge_compared(across, along, one, other, lattices, seed):
    rng = np.random.default_rng(seed)
    x_edges, y_edges = make_edges(one, *across, rng), make_edges(other, *along, rng)
    columns = rng.integers(0, 1000, (len(x_edges) - 1, lattices))
    rows = rng.integers(0, 1000, (len(y_edges) - 1, lattices))
    bounds = (x_edges[0], y_edges[0], x_edges[-1], y_edges[-1])
    domain = Domain(bounds, crs=Crs("EPSG:5070"))
    lookup = Lookup(domain, Axis(x_edges), Axis(y_edges), columns, rows)
    x, y = beside(x_edges, rng), beside(y_edges, rng)
    x, y = rng.choice(x, 500), rng.choice(y, 500)
    numbers, kept = lookup.numbers(x, y)
    inside = (x >= bounds[0]) & (x <= bounds[2]) & (y >= bounds[1]) & (y <= bounds[3])
    np.testing.assert_array_equal(np.ones(500, bool) if kept is None else kept, inside)
    # A point on the right or upper edge of the domain belongs to the last cell.
    column = np.minimum(np.searchsorted(x_edges, x[inside], side="right"), len(columns)) - 1
    row = np.minimum(np.searchsorted(y_edges, y[inside], side="right"), len(rows)) - 1
    np.testing.assert_array_equal(numbers, columns[column] + rows[row])


def test_many_edges_take_wider_numbers():
    edges = equal_edges(0.0, 1.0, 40_000)
    x = np.random.default_rng(1).random(5000)
    guess = Axis(edges).guess(x)
    assert guess.dtype == np.int32
    np.testing.assert_array_equal(Axis(edges).locate(x), np.searchsorted(edges, x, "right") - 1)
    assert Axis(edges[:32_768]).guess(x).dtype == np.int32
    assert Axis(edges[:32_767]).guess(x).dtype == np.int16
