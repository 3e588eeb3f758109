"""Text files in other encodings than UTF-8, with dates in other formats than ISO 8601."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import numpy as np
import pyarrow
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from samples import CRS, DOMAIN

import geodp
from geodp.cli import main
from geodp.sources.dates import formatted_times
from geodp.sources.encodings import LIKELY, checked_encoding, in_utf8

WHERE = {"x": "Länge", "y": "Höhe", "crs": CRS, "decimal": "."}
KINDS = geodp.Categories("Straße", ["Köln", "Århus"], other="andere")
ROWS = [(1, 1, "Köln"), (2, 2, "Århus"), (3, 3, "Köln"), (4, 4, "x")]


def table(encoding: str, rows=ROWS) -> bytes:
    lines = ["Länge;Höhe;Straße", *(f"{x};{y};{kind}" for x, y, kind in rows)]
    return "".join(f"{line}\r\n" for line in lines).encode(encoding)


def counts(points, by=KINDS, **where):
    source = geodp.read_points(points, **{**WHERE, **where})
    grid = geodp.Regular([geodp.Grid(DOMAIN, (1, 1))])
    options = {"cells": grid, "epsilon": 10**6, "seed": 1, "force": True}
    release = geodp.release(source, DOMAIN, by=by, **options)
    return {name: round(float(release[name].counts.sum())) for name in release}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "points.csv"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1", "mac_roman", "ISO-8859-15"])
def test_names_and_groups_are_read_in_the_encoding(path, encoding):
    path.write_bytes(table(encoding))
    assert counts(path, encoding=encoding) == {"Köln": 2, "Århus": 1, "andere": 1}


def test_people_are_told_apart_by_their_letters(path):
    """Two ids that differ in a letter beyond ASCII are two people; one, written twice, is one."""
    path.write_bytes("x,y,who\n1,1,Zoë\n1,1,Zoé\n1,1,Zoé\n".encode("cp1252"))
    source = geodp.read_points(path, x="x", y="y", crs=CRS, encoding="cp1252")
    release = geodp.release(
        source,
        DOMAIN,
        epsilon=10**6,
        cells=geodp.Regular([geodp.Grid(DOMAIN, (1, 1))]),
        protect=geodp.Person("who", max_records=1),
        seed=1,
        force=True,
    )
    assert round(float(release.counts.sum())) == 2


@examples(100)
@given(odd=st.binary(max_size=30), place=st.integers(0, 4))
def test_any_odd_line_changes_no_other(tmp_path_factory, odd, place):
    """Whatever its bytes are in the encoding, or are not."""
    path = tmp_path_factory.getbasetemp() / "encoded.csv"
    for encoding in ("cp1252", "shift_jis", "gb18030"):
        names = b"a;b;c"
        good = [f"1;1;{word}".encode(encoding) for word in ("abc", "xyz", "abc", "7")]
        odd = odd.replace(b"\n", b"")
        path.write_bytes(b"\n".join([names, *good[:place], b"9;9;" + odd, *good[place:]]) + b"\n")
        by = geodp.Categories("c", ["abc", "xyz", "7"])
        counted = counts(path, by, x="a", y="b", encoding=encoding)
        extra = {name: counted[name] - {"abc": 2, "xyz": 1, "7": 1}[name] for name in counted}
        assert sorted(extra.values()) in ([0, 0, 0], [0, 0, 1])


def test_each_field_is_decoded_by_itself():
    fields = [b"abc", b"\xe4", b"\x81\x8d", None, b""]
    at_once = in_utf8(pyarrow.array(fields, pyarrow.binary()), "cp1252").to_pylist()
    alone = [
        in_utf8(pyarrow.array([field], pyarrow.binary()), "cp1252")[0].as_py() for field in fields
    ]
    assert at_once == alone == [b"abc", "ä".encode(), rb"\x81\x8d", None, b""]


def test_the_encoding_is_named_where_the_names_that_were_asked_for_show_it(path):
    path.write_bytes(table("cp1252"))
    with pytest.raises(geodp.InputError, match="'Länge' if it is read as cp1252: pass `encoding`"):
        counts(path)
    path.write_bytes(b"x;y\xe4;z\n1;2;3\n")
    with pytest.raises(geodp.InputError, match="not in it; there is no 'Lenge': pass `encoding`"):
        counts(path, None, x="x", y="Lenge")


@pytest.mark.parametrize("first", [b"N52.5;E13.4;Zo\xeb", b"N52.5;E13.4;Ann"])
def test_nothing_is_said_of_a_first_line_that_may_be_a_record(path, first):
    """The same words, whether that record is in UTF-8 or not."""
    path.write_bytes(first + b"\n")
    with pytest.raises(geodp.InputError) as refused:
        counts(path, None, x="Länge", y="Höhe")
    assert str(refused.value).endswith("there is no 'Länge': the columns are not told, since they "
        "may be a record where there is no header line: look them up.")  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "utf-16",
        "utf-7",
        "cp037",
        "unicode_escape",
        "punycode",
        "rot13",
        "iso2022_jp",
        "nope",
        "",
        7,
    ],
)
def test_what_cannot_be_cut_by_bytes_is_refused(path, name):
    with pytest.raises(geodp.InputError, match="`encoding` must be UTF-8 or one such as 'cp1252'"):
        geodp.read_points(path, **WHERE, encoding=name)


def test_signs_of_lines_and_fields_are_no_half_letters():
    """In no encoding that is allowed, by trying all pairs of bytes."""
    for encoding in (*LIKELY, "shift_jis", "gbk", "euc_jp", "euc_kr", "cp950", "big5hkscs"):
        checked_encoding(encoding)
        for mark in b',;\t"\r\n':
            for first in range(128, 256):
                text = bytes([first, mark]).decode(encoding, "ignore")
                assert len(text) < 2 or text[1] == chr(mark), (encoding, first, mark)
                assert text in ("", chr(mark)) or text[-1] == chr(mark), (encoding, first, mark)
    with pytest.raises(geodp.InputError, match="separated by comma, semicolon or tab"):
        checked_encoding("shift_jis", "|")
    assert checked_encoding("cp1252", "|") == "cp1252"


def test_other_points_have_no_encoding(tmp_path):
    for option in ({"encoding": "cp1252"}, {"date_format": "%d.%m.%Y"}):
        with pytest.raises(geodp.InputError, match="are for text files such as CSV"):
            geodp.read_points(([1.0], [2.0]), **option)
        (tmp_path / "p.parquet").write_bytes(b"")
        with pytest.raises(geodp.InputError, match=r"p\.parquet is none"):
            geodp.read_points(tmp_path / "p.parquet", **option)


@pytest.mark.parametrize("suffix", ["xlsx", "XLS", "ods"])
def test_spreadsheets_are_refused_with_the_way_out(tmp_path, suffix):
    path = tmp_path / f"visits.{suffix}"
    path.write_bytes(b"PK")
    with pytest.raises(geodp.InputError, match=r"is a spreadsheet: .* CSV UTF-8 .* `x`, `y`"):
        geodp.read_points(path, **WHERE)


# --- dates ---------------------------------------------------------------------------------------


@examples(200)
@given(
    moment=st.datetimes(dt.datetime(1969, 1, 1), dt.datetime(2068, 12, 31)),
    form=st.sampled_from(
        ["%d.%m.%Y", "%m/%d/%Y %H:%M", "%y%m%d", "%d %b %Y %I:%M:%S %p", "%Y-%m-%dT%H:%M:%S.%f"]
    ),
)
def test_dates_are_read_as_python_reads_them(moment, form):
    text = moment.strftime(form)
    expected = np.datetime64(dt.datetime.strptime(text, form).replace(microsecond=0), "s")
    assert formatted_times(pyarrow.array([text, "x", None]), form)[0] == expected


@examples(200)
@given(texts=st.lists(st.text("0123456789./ :aApPmMjJnN%-\\", max_size=14), max_size=6))
def test_a_date_is_the_same_whatever_stands_beside_it(texts):
    for form in ("%d.%m.%Y", "%d %b %y", "%I:%M %p"):
        at_once = formatted_times(pyarrow.array(texts, pyarrow.string()), form)
        alone = [formatted_times(pyarrow.array([text]), form)[0] for text in texts]
        assert np.array_equal(at_once, np.array(alone, dtype="M8[s]"), equal_nan=True)


@pytest.mark.parametrize(
    "text", ["31.02.2024", "1.13.2024", "0.1.2024", "1.1.24", "1.1.2024x", "2024-01-01", "1,1,2024"]
)
def test_other_text_is_no_date(text):
    assert np.isnat(formatted_times(pyarrow.array([text]), "%d.%m.%Y"))[0]


def test_groups_by_dates_in_a_format(path):
    path.write_text("x;y;day\n1;1;31.12.2023\n1;1;1.1.2024\n2;2;02.01.2024\n2;2;2024-01-02\n")
    where = {"x": "x", "y": "y", "date_format": "%d.%m.%Y"}
    years = geodp.Breaks("day", ["2023-01-01", "2024-01-01", "2025-01-01"], other="none")
    assert counts(path, years, **where) == {"2023": 1, "2024": 2, "none": 1}
    week = geodp.Breaks("day", ["Mon", "Sat", "Mon"])
    assert counts(path, week, **where) == {"Mon to Fri": 2, "Sat to Sun": 1}
    kinds = geodp.Categories("day", ["1.1.2024"])
    assert counts(path, kinds, **where) == {"1.1.2024": 1}


@pytest.mark.parametrize(
    "form", ["%d.%m", "%A", "%d.%m.%Y %d", "%H %I %p", "%S", "", "%", "%I:%M", 7]
)
def test_formats_that_say_no_moment_are_refused(path, form):
    with pytest.raises(geodp.InputError, match="`date_format` says how dates stand"):
        geodp.read_points(path, **WHERE, date_format=form)


def test_a_time_of_day_is_no_date(path):
    path.write_text("x;y;at\n1;1;5:59 pm\n1;1;6:01 am\n2;2;12:30 am\n")
    where = {"x": "x", "y": "y", "date_format": "%I:%M %p"}
    halves = geodp.Breaks("at", ["00:00", "12:00", "24:00"])
    assert counts(path, halves, **where) == {"00:00 to 12:00": 2, "12:00 to 24:00": 1}
    for limits in (["Mon", "Sat"], ["2024-01-01", "2025-01-01"]):
        with pytest.raises(geodp.InputError, match="must have year, month and day where 'at'"):
            counts(path, geodp.Breaks("at", limits), **where)


# --- days of the week ----------------------------------------------------------------------------


@examples(100)
@given(
    day=st.dates(),
    start=st.integers(0, 6),
    steps=st.lists(st.integers(1, 7), min_size=1, max_size=7).filter(lambda each: sum(each) <= 7),
)
def test_weekdays_are_those_of_the_calendar(day, start, steps):
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    limits = [start, *(start + np.cumsum(steps))]
    field = geodp.Breaks("day", [names[limit % 7] for limit in limits]).rule
    spans = [{each % 7 for each in range(*pair)} for pair in pairwise(limits)]
    expected = [place for place, span in enumerate(spans) if day.weekday() in span] or [-1]
    values = np.array([day, "NaT"], dtype="M8[s]")
    assert field.place(values).tolist() == [*expected, -1]
    assert type(field).from_facts(field.to_facts()) == field


def test_weeks_longer_than_one_are_refused():
    for limits in (["Mon", "Sat", "Tue", "Sat"], ["Mon"], ["Mon", "Mon", "Mon"], ["Mon", "x"]):
        with pytest.raises(geodp.InputError, match="days of at most one week"):
            geodp.Breaks("day", limits)
    assert geodp.Breaks("day", ["sunday", "SUN"]).names == ("Sun to Sat",)
    assert eval(repr(geodp.Breaks("d", ["Sat", "Mon"])), {"Breaks": geodp.Breaks}) == geodp.Breaks(
        "d", ["Saturday", "Monday"]
    )


# --- command line --------------------------------------------------------------------------------


def test_the_command_line_says_the_same(path, tmp_path):
    path.write_bytes("Länge;Höhe;Tag\n1;1;31.12.2023\n2;2;1.1.2024\n".encode("cp1252"))
    bounds = ["--bounds", *map(str, DOMAIN.bounds), "--crs", CRS]
    words = [
        str(path),
        "--x",
        "Länge",
        "--y",
        "Höhe",
        "--points-crs",
        CRS,
        "--decimal",
        ".",
        *bounds,
    ]
    groups = ["--by", "Tag", "--breaks", "Mon,Sat,Mon"]
    printed = CliRunner().invoke(main, ["check", str(path)]).output
    assert "The first line is not in UTF-8: say what it is in with --encoding" in printed
    refused = CliRunner().invoke(main, ["check", *words])
    assert refused.exit_code == 2
    assert "pass --encoding, 'cp1252'" in refused.output
    words += ["--encoding", "cp1252", "--date-format", "%d.%m.%Y"]
    done = CliRunner().invoke(main, ["check", *words, *groups])
    assert "about half are in 'Mon to Fri'" in done.output, done.output
    output = tmp_path / "counts.gpkg"
    more = ["--epsilon", "1", "--one-each", "-o", str(output), "--yes"]
    done = CliRunner().invoke(main, ["release", *words, *groups, *more])
    assert done.exit_code == 0, done.output
    assert tuple(geodp.open_release(output)) == ("Mon to Fri", "Sat to Sun")
