"""Say how many examples hypothesis tries: all, or a tenth of them in everyday runs.

``make unit`` asks for the profile ``everyday``. Without it, as in ``make slow`` and continuous
integration, every property is tried at full length. No example has a time limit, since a busy
machine is no fault of the code.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

FULL = 100
"""Examples of a test that names no number of its own: counts are per cent of it."""

FEWEST = 5

settings.register_profile("full", settings(max_examples=FULL, deadline=None))
settings.register_profile("everyday", settings(max_examples=FULL // 10, deadline=None))


def examples(count: int, **more: Any) -> settings:
    """Set the number of examples of a test at full length; the profile in use may take fewer."""
    fewer = count * settings.default.max_examples // FULL
    return settings(max_examples=max(fewer, min(count, FEWEST)), deadline=None, **more)
