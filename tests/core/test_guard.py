"""Mistakes that would waste a budget are refused before it is spent, and can be meant."""

from __future__ import annotations

import numpy as np
import pytest

import geodp
from geodp.core.pipeline.guard import check_domain, check_spend

NOBODY = (np.zeros(0), np.zeros(0))
METRES = geodp.Crs("a plane")
TOWN = geodp.Domain((0, 0, 4000, 3000), METRES)


def refused(domain: geodp.Domain, words: str, **options: object) -> None:
    """Expect one sentence with a way round, before points are looked at; or none, where it is
    meant.
    """

    class Unread:
        def __getattr__(self, name):
            raise AssertionError("the points were looked at")

    options = {"epsilon": 1, **options}
    with pytest.raises(geodp.InputError, match=words) as caught:
        geodp.release(Unread(), domain, **options)
    message = str(caught.value)
    assert message.endswith("or say with `force=True` that it is meant.")
    assert "\n" not in message
    release = geodp.release(NOBODY, domain, **options, force=True)
    assert release.epsilon == geodp.Budget(options["epsilon"]).epsilon
    assert geodp.release(NOBODY, domain, **options, seed=1).seeded  # nothing is spent


@pytest.mark.parametrize(
    "bounds", [(-125, 24, -66, 50), (5.8, 47.2, 15.1, 55.1), (0, -90, 360, 90), (0, 0, 4, 4)]
)
def test_degrees_in_a_metric_crs(bounds):
    refused(geodp.Domain(bounds, METRES), "look like degrees, and a plane is projected")


@pytest.mark.slow
def test_numbers_of_degrees_may_be_kilometres():
    kilometres = geodp.Crs("a wide plane", metres_per_unit=1000.0)
    check_domain(geodp.Domain((0, 0, 60, 40), kilometres))
    degrees = geodp.Crs("a globe", geographic=True)
    check_domain(geodp.Domain((0, 0, 60, 40), degrees, allow_geographic=True))


def test_a_domain_of_metres():
    refused(geodp.Domain((500_000, 0, 500_090, 9000), METRES), "at least 100 m .* is 90 × 9,000 m")
    feet = geodp.Crs("a plane in feet", metres_per_unit=0.3)
    refused(geodp.Domain((5000, 5000, 5300, 9000), feet), "is 90 × 1,200 m")
    check_domain(geodp.Domain((5000, 5000, 5400, 9000), feet))


def test_a_budget_that_protects_nobody():
    refused(TOWN, "above 10 promises next to nothing; got 10.5", epsilon=10.5)
    geodp.release(NOBODY, TOWN, epsilon=10)
    refused(TOWN, "above 10", epsilon=100, cells="adaptive")


def test_cells_that_drown_in_noise():
    fine = [geodp.Grid(TOWN, (400, 400))]
    words = "would need some 4,800,000,000 records in all at this epsilon: use larger cells"
    refused(TOWN, words, cells=geodp.Regular(fine), epsilon="1/10000")
    grids = [*fine, geodp.Grid(TOWN, (3, 4))]
    # The choice can still be a good one.
    geodp.release(NOBODY, epsilon="1/10000", cells=geodp.Regular(grids))
    geodp.release(NOBODY, cells=geodp.Regular(fine), epsilon="1/100")
    people = {"x": NOBODY[0], "y": NOBODY[1], "who": np.zeros(0, dtype=int)}
    with pytest.raises(geodp.InputError, match="some 480,000,000 records"):
        geodp.release(
            people, cells=geodp.Regular(fine), epsilon="1/100", protect=geodp.Person("who", 10)
        )


def test_a_tree_that_drowns_in_noise():
    people = {"x": NOBODY[0], "y": NOBODY[1], "who": NOBODY[0].astype(int)}
    options = {"epsilon": "1/100000", "protect": geodp.Person("who", 100)}
    with pytest.raises(geodp.InputError, match="would need some 3,230,000,000 records"):
        geodp.release(people, TOWN, **options)
    assert (
        geodp.release(people, TOWN, **options, force=True).epsilon == geodp.Budget("1e-5").epsilon
    )
    geodp.release(NOBODY, TOWN, epsilon="1/10000")


def test_nothing_is_spent_on_a_mistake(tmp_path):
    ledger = geodp.Ledger(tmp_path / "ledger")
    ledger.register("d", cap=100)
    with pytest.raises(geodp.InputError, match="above 10"):
        geodp.release(NOBODY, TOWN, epsilon=50, account=ledger["d"])
    assert ledger["d"].spent == 0


def test_a_forecast_is_of_a_domain_that_can_be_meant():
    domain = geodp.Domain((-125, 24, -66, 50), METRES)
    with pytest.raises(geodp.InputError, match="look like degrees"):
        geodp.forecast(domain)
    assert len(geodp.forecast(domain, force=True).outlooks) == 48


def test_what_is_usual_passes():
    check_domain(TOWN)
    for epsilon in (0.001, 1, 10):
        check_spend(epsilon)
