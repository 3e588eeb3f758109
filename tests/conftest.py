"""What all tests share."""

import pytest

SERVERS = {"client", "cluster", "server"}
"""Fixtures that start processes of their own: whoever uses them is slow."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if not SERVERS.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
