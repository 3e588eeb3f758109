"""Sizes as people type them."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from geodp.core.common.errors import CrsError, InputError
from geodp.core.space.domain import Crs
from geodp.core.space.sizes import METRES, parse_cell_sizes, parse_sizes

METRE = Crs("EPSG:5070")
SURVEY = Crs("EPSG:2263", metres_per_unit=0.3048006096012192)
DEGREE = Crs("EPSG:4326", geographic=True, metres_per_unit=0.017453292519943295)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("30,40,50", [(30, 30), (40, 40), (50, 50)]),
        ("30x60", [(30, 60)]),
        ("20×30; 5", [(20, 30), (5, 5)]),
        (" 2 X 3  4 ,", [(2, 3), (4, 4)]),
        ("\u00a0;2\u00a0", [(2, 2)]),
        ("007", [(7, 7)]),
    ],
)
def test_divisions(text, sizes):
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize(
    "text",
    ["", " ", ",", "a few", "30x", "x30", "30x40x50", "3.5", "-3", "1e3", "٣", "²", "9" * 5000],
)
def test_what_are_no_divisions(text):
    with pytest.raises(InputError, match="whole numbers with commas"):
        parse_sizes(text)


@pytest.mark.parametrize("text", ["5km", "500m, 1000m", "0.5"])
def test_a_length_among_divisions_is_sent_to_the_cell_sizes(text):
    with pytest.raises(InputError, match=r"lengths are cell sizes\.$"):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("text", "crs", "lengths"),
    [
        ("500,1000", METRE, [500, 1000]),
        ("500 1000;2e3", METRE, [500, 1000, 2000]),
        (".5, 1., -1, 0", METRE, [0.5, 1, -1, 0]),
        ("500m 5km", METRE, [500, 5000]),
        ("500 m, 5 KM", METRE, [500, 5000]),
        ("1.1km", METRE, [1100]),
        ("1000ft, 1mi", METRE, [304.8, 1609.344]),
        ("1000ft, 1mi", SURVEY, [1000, 5280]),
        ("1000", SURVEY, [1000]),
        ("1km", Crs("in kilometres", metres_per_unit=1000), [1]),
        ("0.5", DEGREE, [0.5]),
    ],
)
def test_lengths_come_out_in_units_of_the_crs(text, crs, lengths):
    assert parse_cell_sizes(text, crs) == lengths


def test_metres_in_a_crs_of_feet():
    (length,) = parse_cell_sizes("1km", SURVEY)
    assert length == pytest.approx(1000 / 0.3048006096012192, rel=1e-15)


@pytest.mark.parametrize(
    "text", ["", "wide", "500x600", "5 parsecs", "5kmm", "nan", "inf", "1_000", "1e999", "9" * 400]
)
def test_what_are_no_lengths(text):
    with pytest.raises(InputError, match="numbers with commas"):
        parse_cell_sizes(text, METRE)


def test_degrees_take_no_length():
    with pytest.raises(CrsError, match=r"needs a projected CRS; EPSG:4326 is geographic") as caught:
        parse_cell_sizes("1, 5km", DEGREE)
    assert str(caught.value).count(".") == 1


TEXTS = st.text() | st.text(string.digits + " ,;.x×+-ekmft", max_size=30)
CRSES = st.sampled_from([METRE, SURVEY, DEGREE])


@given(TEXTS, CRSES)
@example("1e99mi", SURVEY)
@example("0" * 10_000, METRE)
@example("\ud800", METRE)
def test_any_text_is_read_or_refused(text, crs):
    """Whatever is typed: numbers that are finite, or one sentence, never another error."""
    try:
        for rows, columns in parse_sizes(text):
            assert type(rows) is type(columns) is int
            assert min(rows, columns) >= 0
    except InputError as error:
        assert str(error).endswith(".")
    try:
        assert all(map(math.isfinite, parse_cell_sizes(text, crs)))
    except InputError as error:
        assert str(error).endswith(".")


@given(
    st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), min_size=1),
    st.sampled_from(["x", "×", " x ", "X"]),
    st.sampled_from([",", ", ", ";", " "]),
)
def test_divisions_that_are_written_are_read(sizes, times, between):
    text = between.join(f"{rows}{times}{columns}" for rows, columns in sizes)
    assert parse_sizes(text) == sizes


@given(st.decimals(0, 10**9, places=3), st.sampled_from(list(METRES)), st.sampled_from(["", " "]))
def test_a_length_is_as_exact_as_a_float_can_be(number, unit, blank):
    metres = {"m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344}[unit]
    (length,) = parse_cell_sizes(f"{number}{blank}{unit}", METRE)
    assert length == pytest.approx(float(number) * metres, rel=1e-15)
