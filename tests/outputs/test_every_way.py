"""Every way of releasing: ε is booked once, and nothing private is left behind."""

from __future__ import annotations

from fractions import Fraction

import pytest
from ways import WAYS, left_behind, released

import geodp


@pytest.mark.parametrize("way", WAYS)
def test_one_epsilon_is_asked_for_booked_spent_and_told(way, tmp_path):
    ledger = geodp.Ledger(tmp_path / "ledger")
    ledger.register("d", cap=1)
    release = released(way, epsilon=Fraction(3, 7), account=ledger["d"])
    assert ledger["d"].spent == release.epsilon == Fraction(3, 7)
    assert sum(spend.epsilon for spend in release.spends) == Fraction(3, 7)
    with pytest.raises(geodp.InputError, match="would pass the cap"):
        released(way, epsilon=Fraction(5, 7), account=ledger["d"])


@pytest.mark.parametrize("way", WAYS)
def test_nothing_private_is_left_behind_a_release(way):
    """Neither in what is returned, nor in a plan, a cache or a module."""
    assert left_behind(way) == []
