"""The audit passes what is sound and fails what is broken."""

from __future__ import annotations

import math

import numpy as np
import pytest
from faults import FAULTS, case_named, failures, no_fault
from scipy import stats

from geodp.audit import CONFIDENCE, _at_least, audit, cases


@pytest.mark.slow
def test_the_sound_mechanism_passes():
    findings = audit(runs=60)
    assert all(finding.passed for finding in findings)
    assert {finding.measure for finding in findings} == {"steps", "odds", "outcomes"}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault):
    plant, case, runs = FAULTS[fault]
    assert failures(no_fault, case, runs) == []
    assert failures(plant, case, runs) != []


@pytest.mark.slow
def test_the_audit_is_sharp():
    """On a lone point the shown ε comes close to the claimed one, so that a small fault shows."""
    (finding,) = audit(attacked=[case_named("a lone point in an empty map")], runs=6000)
    assert 0.7 < finding.shown <= 1  # 0.87 is expected, give or take 0.02


def test_one_case_moves_a_quality_by_the_whole_sensitivity():
    steps = [f for f in audit(attacked=[case_named("a full step")], runs=1) if f.measure == "steps"]
    assert 0.98 < steps[0].shown <= 1


def test_cases_have_names_of_their_own():
    names = [case.name for case in cases()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("hits", "runs"), [(0, 50), (1, 50), (25, 50), (50, 50), (900, 4000)])
def test_confidence_bounds_are_those_of_clopper_and_pearson(hits, runs):
    doubt = 1 - CONFIDENCE
    exact = stats.beta.ppf(doubt, hits, runs - hits + 1) if hits else 0.0
    assert _at_least(hits, runs, doubt) == pytest.approx(exact, abs=1e-9)


def test_chance_alone_rarely_shows_anything():
    """Two equal coins: the bound on their log ratio stays below zero or near it."""
    rng = np.random.default_rng(2)
    shown = [
        math.log(max(_at_least(a, 500, 1e-3), 1e-9) / (1 - _at_least(500 - b, 500, 1e-3)))
        for a, b in rng.binomial(500, 0.5, (100, 2))
    ]
    assert max(shown) <= 0
