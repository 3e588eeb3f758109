"""Words that stand for limits between groups: hourly, weekday, monthly, yearly."""

from __future__ import annotations

import pytest

from geodp import Breaks, InputError
from geodp.core.records.breaks import spelled_out
from geodp.core.records.groups import split_lists


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("weekday", ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
        ("monthly 2024-11 to 2025-01", ("2024-11", "2024-12", "2025-01")),
        ("Monthly, 2024-02, 2024-02", ("2024-02",)),
        ("monthly: 2024-02", ("2024-02",)),
        ("yearly 2023 2024", ("2023", "2024")),
    ],
)
def test_words_name_the_groups(text, names):
    assert Breaks("time", text).names == names
    assert Breaks("time", split_lists("breaks", [text], ["time"])["time"]) == Breaks("time", text)


def test_a_day_has_24_hours():
    breaks = Breaks("time", " hourly ")
    assert len(breaks.names) == 24
    assert breaks.names[0] == "00:00 to 01:00"
    assert breaks.names[-1] == "23:00 to 24:00"
    assert eval(repr(breaks), {"Breaks": Breaks}) == breaks


@pytest.mark.parametrize(
    "text",
    [
        *("monthly", "yearly", "monthly 2024", "monthly 2024-01 2025", "yearly 2024-01"),
        *("monthly 2024-13", "monthly 2024-12 to 2024-01", "yearly 2025 2024", "hourly 2024"),
        *("yearly 0001 9999", "weekday 2024"),
    ],
)
def test_half_of_a_word_is_refused(text):
    with pytest.raises(InputError, match=r"needs the first and the last|write it alone"):
        spelled_out(text)


@pytest.mark.parametrize("text", ["hour", "06:00", "monthly tickets", "hourly, weekday", ""])
def test_other_texts_are_no_words(text):
    assert spelled_out(text) is None
    with pytest.raises(InputError):
        Breaks("time", text)


def test_values_may_be_called_so():
    assert split_lists("categories", ["hourly, weekday"], ["fare"]) == {
        "fare": ["hourly", "weekday"]
    }


def test_fields_are_crossed():
    fields = split_lists("breaks", ["a=weekday", "b=yearly 2024"], ["a", "b"])
    assert len(fields["a"]) == 8
    assert fields["b"] == ["2024-01-01", "2025-01-01"]
