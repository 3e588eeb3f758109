"""Share what all tests need."""

import profiles
import programs
import pytest

SERVERS = {"client", "cluster", "server"}
"""Fixtures that start processes of their own: whoever uses them is slow."""

profiles.settings.load_profile("full")  # unless --hypothesis-profile names another


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if not SERVERS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


def pytest_terminal_summary(terminalreporter):
    """Say loudly which tests did not run because a program is missing."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = programs.summary([str(report.longrepr[-1]) for report in skipped])
    for line in lines:
        terminalreporter.write_line(line, red=True, bold=True)
