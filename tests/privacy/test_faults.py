"""Every claim of docs/privacy.md has planted faults, all are caught, and the page says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import trusted
from faults import FAULTS, caught, no_fault, table

PAGE = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
CLAIMS = [int(number) for number in re.findall(r"^## Claim (\d+):", PAGE, re.MULTILINE)]


LONGER = {
    "nothing_private_is_left_behind",
    "noise_of_a_release_fits",
    "one_epsilon_is_booked_in_every_way",
}
"""Checks that take seconds."""

CHECKS = {
    fault.check.__name__: fault.check
    for fault in FAULTS
    if "<locals>" not in fault.check.__qualname__
}
"""Checks that are no audit."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in LONGER else name for name in CHECKS],
)
def test_a_check_holds_while_nothing_is_planted(name):
    """So what a fault would break is looked at every day, and not only where faults are planted."""
    with no_fault() as attack:
        assert CHECKS[name](attack)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.claim}: {fault.name}")
def test_a_planted_fault_is_caught(fault):
    assert caught(fault)


def test_every_claim_has_a_fault_and_every_fault_a_claim():
    assert list(range(1, len(CLAIMS) + 1)) == CLAIMS
    assert {fault.claim for fault in FAULTS} == set(CLAIMS)
    assert [fault.claim for fault in FAULTS] == sorted(fault.claim for fault in FAULTS)
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_the_table_in_the_documentation_is_that_of_the_faults():
    """If this fails: python tests/faults.py writes it."""
    (block,) = re.findall(r"<!-- faults -->\n(.*?)\n<!-- /faults -->", PAGE, re.DOTALL)
    assert block == table()


@pytest.mark.slow
def test_the_lines_that_must_be_trusted_are_counted():
    """If this fails: python tests/trusted.py writes them."""
    (block,) = re.findall(r"<!-- trusted -->\n(.*?)\n<!-- /trusted -->", PAGE, re.DOTALL)
    assert block == trusted.table()
