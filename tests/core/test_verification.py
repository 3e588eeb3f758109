"""ε is added up again from what was published, and a file that promises less is found out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import square
from trees import fits

import geodp
from geodp.core.kernel.measurements import Measurements
from geodp.core.privacy.budget import Spend
from geodp.core.releases.verification import costliest_path

DOMAIN = square(64.0)
X = np.concatenate([np.full(400, 3.3), np.linspace(1, 63, 200)])
Y = np.concatenate([np.full(400, 5.1), np.linspace(2, 60, 200)])


def path_by_path(measurements: Measurements, tree, distance: int) -> Fraction:
    """Return the same sum, node by node in Python."""
    cost = [Fraction(0)] * tree.nodes
    for node, scale in zip(measurements.node.tolist(), measurements.scale.tolist()):
        cost[node] += distance / measurements.scales[scale]
    for depth, level in enumerate(tree.levels[:-1]):
        below, each = tree.levels[depth + 1], tree.frame.children(depth)
        for order, place in enumerate(np.flatnonzero(level.split).tolist()):
            for child in range(each):
                cost[below.first + order * each + child] += cost[level.first + place]
    return max(cost)


@examples(60)
@given(fits(), st.integers(1, 10))
def test_the_costliest_path_is_that_of_adding_up_node_by_node(fit, distance):
    cost = costliest_path(fit.measurements, fit.tree, distance)
    assert cost == path_by_path(fit.measurements, fit.tree, distance)


@pytest.mark.parametrize("cells", ["regular", "adaptive"])
@pytest.mark.parametrize(
    "protect",
    [geodp.Record(), geodp.Record(neighbours="replace"), geodp.Person("who", 5)],
    ids=["record", "replaced", "person"],
)
def test_what_a_release_spent_is_what_it_promises(cells, protect):
    points = {"x": X, "y": Y, "who": np.arange(len(X)) // 7}
    for epsilon in (Fraction(1), Fraction("0.37")):
        release = geodp.release(points, DOMAIN, epsilon=epsilon, cells=cells, protect=protect)
        result = geodp.verify(release)
        assert result.holds
        assert result.stated == epsilon
        # Scales are rounded up by hardly anything.
        assert result.recomputed + result.without_trace > epsilon * Fraction(999, 1000)
        assert "keep the promise" in str(result)


@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_a_release_that_promises_less_than_it_spent_is_found_out(cells):
    release = geodp.release((X, Y), DOMAIN, epsilon=1, cells=cells)
    halves = tuple(replace(spend, epsilon=spend.epsilon / 2) for spend in release.spends)
    result = geodp.verify(replace(release, spends=halves))
    assert not result.holds
    assert "MORE than is promised" in str(result)
    measurements = release.measurements
    twice = Measurements(
        np.repeat(measurements.node, 2),
        np.repeat(measurements.value, 2),
        np.repeat(measurements.scale, 2),
        measurements.scales,
    )
    tree = getattr(release.cells, "tree", None)
    assert costliest_path(twice, tree, 1) == 2 * costliest_path(measurements, tree, 1)


@pytest.mark.parametrize("cost", [-9, 0])
def test_no_step_costs_less_than_nothing(cost):
    """Else a step that leaves no number behind could take back what counts have cost."""
    release = geodp.release((X, Y), DOMAIN, epsilon=10, cells=geodp.Hexagons(9), force=True)
    with pytest.raises(geodp.InputError, match="costs more than 0"):
        replace(release, spends=(*release.spends, Spend("tuning", "", Fraction(cost), Fraction(1))))


def test_a_seeded_release_promises_nothing():
    release = geodp.release((X, Y), DOMAIN, epsilon=1, seed=1)
    result = geodp.verify(release)
    assert not result.holds
    assert "nothing is promised" in str(result)


def test_a_release_of_several_maps_is_added_up_as_it_is():
    kinds = geodp.Categories("kind", ["a", "b"])
    release = geodp.release((X, Y, ["a"] * 400 + ["b"] * 200), DOMAIN, epsilon="1/2", by=kinds)
    result = geodp.verify(release)
    assert result.holds
    assert result.stated == Fraction(1, 2)
    assert result.counts == sum(len(one.measurements) for one in release.maps.values())
