from __future__ import annotations

import numpy as np
import pytest

from study.metrics import geometric_mean, spreads


def test_errors_by_hand():
    truth = np.array([10, 0, 1000, 2000])
    answers = np.array([[11.0, 1.0, 1100.0, 2000.0], [9.0, 3.0, 1000.0, 1000.0]])
    small, large = spreads(answers, truth, 5000, 2)
    # |error| / max(truth, 1): 0.1, 1, 0.1, 3
    assert small.median == pytest.approx(0.55)
    # |error| / max(truth, 5): 0.1, 0.2 and 0.1, 0.6
    assert small.mean == pytest.approx((0.15 + 0.35) / 2)
    assert small.mean_sd == pytest.approx(0.2 / np.sqrt(2))
    assert large.mean == pytest.approx((0.05 + 0.25) / 2)
    assert large.q75 == pytest.approx(np.quantile([0.1, 0, 0, 0.5], 0.75))


def test_geometric_mean():
    assert geometric_mean([0.01, 1.0]) == pytest.approx(0.1)
