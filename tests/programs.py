"""Programs of the system that tests need, and what happens where one is missing."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

LEFT_OUT = "NOT TESTED: "


def left_out(subject: str, packages: str) -> NoReturn:
    """Fail in continuous integration; elsewhere skip, and say so at the end of the run."""
    words = f"{LEFT_OUT}{subject}. Install {packages} ('make system-deps' does it on Debian)."
    if os.environ.get("CI") == "true":
        pytest.fail(words)
    pytest.skip(words)


def summary(reasons: list[str]) -> list[str]:
    """Return lines that nobody overlooks, one for each reason, with the number of its tests."""
    loud = [words[words.index(LEFT_OUT) :] for words in reasons if LEFT_OUT in words]
    return [f"*** {loud.count(words)} × {words}" for words in sorted(set(loud))]
