"""Whatever fails once counting began fails in one sentence, and keeps nothing private with it."""

from __future__ import annotations

import traceback

import numpy as np
import pytest
from strategies import PLANE

import geodp
from geodp.core.common.errors import UNFINISHED, Cancelled
from geodp.core.counts import count as counting
from geodp.core.counts.grid_tally import Tally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.pipeline import mechanism
from geodp.core.privacy.noise import RandomBits
from geodp.core.records.source import PointSource

TOWN = geodp.Domain((0, 0, 4000, 3000), PLANE)
POINTS = {"x": np.arange(50.0), "y": np.arange(50.0), "who": np.arange(50), "hour": np.arange(50)}
SECRET = "secret 13.4 52.5"
ERRORS = [
    MemoryError(SECRET), OSError(28, SECRET), ValueError(SECRET), KeyError(SECRET),
    IndexError(SECRET), RecursionError(SECRET), AssertionError(SECRET), StopIteration(SECRET),
    UnicodeDecodeError("utf-8", b"secret", 0, 1, "bad"), FloatingPointError(SECRET),
]  # fmt: skip
HOURS = geodp.Breaks("hour", [0, 9, 60])
WAYS = [
    {"cells": "regular"},
    {"cells": "adaptive"},
    {"cells": "regular", "protect": geodp.Person("who", 2)},
    {"cells": "regular", "by": HOURS},
    {"cells": "adaptive", "by": HOURS, "protect": geodp.Person("who", 2)},
]


@pytest.fixture
def account(tmp_path):
    ledger = geodp.Ledger(tmp_path / "l.geodp")
    ledger.register("visits", cap=100)
    return ledger["visits"]


def failing(error: BaseException):
    def fail(*_, **__):
        raise error

    return fail


def refused(points, account, **how) -> geodp.GeodpError:
    """Return the error of a release that tells nothing but the sentence."""
    with pytest.raises(geodp.GeodpError) as caught:
        geodp.release(points, TOWN, epsilon=1, account=account, **how)
    error = caught.value
    assert type(error) is geodp.GeodpError
    assert str(error) == UNFINISHED
    assert error.__cause__ is None
    assert error.__context__ is None
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    assert "secret" not in "".join(lines)
    return error


class Broken(PointSource):
    """Reads one block and then breaks."""

    def __init__(self, error):
        self._error = error

    def check(self, request):
        pass

    def blocks(self, request, advance=None):
        from geodp.core.records.arrays import ArraySource

        yield from ArraySource(POINTS).blocks(request, advance)
        raise self._error


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_reading_that_breaks_books_nothing(how, error, account):
    refused(Broken(error), account, **how)
    refused((failing(error)() for _ in range(1)), account, **how)
    assert account.entries() == ()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    ("room", "name", "how"),
    [
        (Tally, "add", WAYS[0]),
        (BaseTally, "add", WAYS[1]),
        (counting, "fill", WAYS[2]),
        (RandomBits, "priorities", WAYS[2]),
    ],
)
def test_counting_that_breaks_books_nothing(room, name, how, error, account, monkeypatch):
    monkeypatch.setattr(room, name, failing(error))
    refused(POINTS, account, **how)
    assert account.entries() == ()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    ("room", "name", "how"),
    [
        (mechanism.RegularMechanism, "publish", WAYS[0]),
        (mechanism.AdaptiveMechanism, "publish", WAYS[1]),
        (BaseTally, "node_counts", WAYS[1]),
        (mechanism.RegularMechanism, "method", WAYS[3]),
    ],
)
def test_what_breaks_after_the_spend_says_the_same(room, name, how, error, account, monkeypatch):
    monkeypatch.setattr(room, name, failing(error))
    refused(POINTS, account, **how)
    assert account.spent == 1


def test_whoever_handles_another_error_keeps_that_one(account):
    """The error that was being handled outside is the caller's own."""
    try:
        raise LookupError("mine")
    except LookupError as mine:
        with pytest.raises(geodp.GeodpError) as caught:
            geodp.release(Broken(ValueError(SECRET)), TOWN, epsilon=1, account=account)
        assert caught.value.__context__ is mine


def test_errors_with_a_public_reason_stay_and_lose_what_they_came_from(account):
    class Damaged(Broken):
        def blocks(self, *given):
            try:
                yield from super().blocks(*given)
            except ValueError as error:
                raise geodp.FileError("the points file must be whole; v.csv is not.") from error

    with pytest.raises(geodp.FileError, match=r"v\.csv") as caught:
        geodp.release(Damaged(ValueError(SECRET)), TOWN, epsilon=1, account=account)
    assert caught.value.__cause__ is caught.value.__context__ is None
    assert account.entries() == ()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Cancelled()])
def test_whoever_stops_a_release_is_heard(error, account):
    with pytest.raises(type(error)):
        geodp.release(Broken(error), TOWN, epsilon=1, account=account)

    def progress(step):
        if step == "counting":
            raise error

    with pytest.raises(type(error)):
        geodp.release(POINTS, TOWN, epsilon=1, account=account, progress=progress)
    assert account.entries() == ()


def test_a_block_that_fails_in_a_thread_of_its_own_is_not_passed_over(account, monkeypatch):
    """Were it the last of all, too: what was counted would be some of the records."""
    calls, true = [], Tally.add

    def fail(self, *place):
        calls.append(len(place[0]))
        if len(calls) == 3:
            raise MemoryError(SECRET)
        true(self, *place)

    monkeypatch.setattr(Tally, "add", fail)
    blocks = ((np.full(1 << 17, 5.0), np.full(1 << 17, 5.0)) for _ in range(3))
    refused(blocks, account, cells="regular")
    assert len(calls) == 3
    assert account.spent == 0
