"""Moments of any unit become whole seconds, however far away they are."""

from __future__ import annotations

import numpy as np
import pytest

from geodp.core.records.breaks import parse_moment, whole_seconds

EDGES = [-(2**63), -(2**63) + 1, -(2**62), 2**62, 2**63 - 1]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "3D", "7ms", "25us"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.filterwarnings("error")
def test_each_moment_is_read_as_it_is_alone(unit):
    near = np.array([-5, -1, 0, 1, 5, 1000, 1_000_001]).astype(f"M8[{unit}]")
    far = np.array(EDGES).astype(f"M8[{unit}]")
    together = whole_seconds(np.concatenate([near, far]))
    assert together.dtype == "M8[s]"
    np.testing.assert_array_equal(together[: len(near)], near.astype("M8[s]"))
    alone = np.concatenate([whole_seconds(far[place : place + 1]) for place in range(len(far))])
    np.testing.assert_array_equal(together[len(near) :], alone)
    assert np.isnat(alone[0])
    kept = {"s": 2, "ms": 4, "us": 4, "ns": 4, "ps": 4, "fs": 4}.get(unit, 0)
    assert np.sum(~np.isnat(alone)) == kept


def test_years_beyond_64_bits_are_no_moments():
    assert parse_moment("99999999999999999999-01-01") is None
    assert str(parse_moment("9999-12-31")) == "9999-12-31T00:00:00"
