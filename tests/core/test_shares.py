"""Divide ε: exact sums, one division by the distance, refusals before anything is read."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import square

import geodp
from geodp import E2EPriv, Influence, InputError, Workload
from geodp.core.mechanisms.shares import Shares
from geodp.core.privacy.noise import RandomBits

OPEN = Workload.from_boxes([(0, 0, 1, 1)], square())
STATED = Workload.from_boxes([(0, 0, 1, 1)], square(), expected=[10])


@given(
    st.fractions(Fraction(1, 1000), 1000),
    st.sampled_from([Influence(), Influence(sketch_share=0), E2EPriv()]),
    st.sampled_from([None, OPEN, STATED]),
    st.one_of(st.none(), st.fractions(Fraction(1, 100), Fraction(99, 100))),
    st.sampled_from([1, 2, 5, 10, 50, 100]),
)
def test_the_parts_add_up_and_every_scale_covers_its_part(epsilon, tuner, workload, share, k):
    shares = Shares.of(epsilon, tuner, workload, tuning_share=share, distance=k)
    assert shares.sketch + shares.choice + shares.counts == epsilon
    assert k / shares.counts_scale <= shares.counts
    assert shares.choice_rate * k == shares.choice
    assert (shares.sketch_scale is None) == (shares.sketch == 0)
    if shares.sketch_scale is not None:
        assert k / shares.sketch_scale <= shares.sketch
        assert workload is OPEN
    assert bool(shares.choice) == (workload is not None)


def test_the_shares_of_a_release_with_defaults():
    shares = Shares.of(1, Influence(), OPEN, distance=5)
    assert (shares.sketch, shares.choice, shares.counts) == tuple(
        Fraction(part, 50) for part in (1, 4, 45)
    )
    assert (shares.sketch_scale, shares.choice_rate, shares.counts_scale) == (
        250,
        Fraction(4, 250),
        Fraction(50, 9),
    )


class Untouchable:
    def __getattr__(self, name: str) -> object:
        raise AssertionError("the points were touched")


@pytest.mark.parametrize("epsilon", ["1e-8", "1e-12", "1e12"])
def test_an_unusable_budget_is_refused_before_points_are_read_or_anything_is_spent(
    tmp_path, epsilon
):
    ledger = geodp.Ledger(tmp_path / "ledger")
    ledger.register("d", cap="1e13")
    with pytest.raises(InputError, match="out of the range"):
        geodp.release(Untouchable(), square(), epsilon=epsilon, account=ledger["d"])
    assert ledger["d"].spent == 0


def test_a_sketch_may_be_what_makes_a_budget_unusable():
    assert Shares.of("1e-8", Influence(), STATED).sketch_scale is None
    with pytest.raises(InputError, match="out of the range"):
        Shares.of("1e-8", Influence(), OPEN)


def test_own_bits_are_used_for_everything():
    """An audit or a study may bring its own randomness; it decides all that is drawn."""
    points = np.ones(9), np.ones(9)
    first, second = (
        geodp.release(points, square(), epsilon=1, cells="regular", seed=seed)
        for seed in (7, RandomBits(7))
    )
    assert np.array_equal(first.counts, second.counts)
    assert second.seeded
