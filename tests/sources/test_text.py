"""Text files: one odd line changes nothing but itself, whatever it holds."""

from __future__ import annotations

import gzip
import math
import re

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.sources import lines
from geodp.sources.text import numbers, read_text, text_columns, texts


def rows(path, columns, **options):
    """Return all records as tuples of text."""
    listed = []
    for batch, share in read_text(path, columns, **options):
        assert 0 < share <= 1
        listed += zip(*(texts(batch[name]).tolist() for name in columns))
    return listed


@pytest.fixture
def written(tmp_path):
    def write(content, name="points.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- one odd record ------------------------------------------------------------------------------

GOOD = [b"1,2,ann", b'"3","4","b, ""b"""', b"5,6,", b"7,8,5'10\" tall", b'9,10,"c" d']
KEPT = [
    *(("1", "2", "ann"), ("3", "4", 'b, "b"'), ("5", "6", None)),
    *(("7", "8", "5'10\" tall"), ("9", "10", "c d")),
]
ODD = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from([b'"', b",", b"a", b"\r", b"\xff", b"\0", b" "])).map(b"".join),
).map(lambda line: line.replace(b"\n", b""))


@examples(200)
@given(odd=ODD, place=st.integers(0, len(GOOD)), end=st.sampled_from([b"\n", b"\r\n"]))
def test_any_odd_line_changes_no_other(tmp_path_factory, odd, place, end):
    path = tmp_path_factory.getbasetemp() / "odd.csv"
    path.write_bytes(end.join([b"x,y,who", *GOOD[:place], odd, *GOOD[place:]]) + end)
    read = rows(path, ["x", "y", "who"])
    assert read[:place] == KEPT[:place]
    assert read[len(read) - len(KEPT) + place :] == KEPT[place:]
    assert len(read) - len(KEPT) in (0, 1)


@examples(100)
@given(records=st.lists(ODD, max_size=12), block=st.integers(1, 60), longest=st.integers(4, 30))
def test_borders_of_blocks_do_not_show(tmp_path_factory, records, block, longest):
    """Each line alone, in one block, or cut anywhere: the same records."""
    path = tmp_path_factory.getbasetemp() / "blocks.csv"
    patch = pytest.MonkeyPatch()
    with patch.context() as patched:
        patched.setattr(lines, "LONGEST", longest)
        alone = []
        for line in records:
            path.write_bytes(b"a,b\n" + line + b"\n")
            alone += rows(path, ["a", "b"])
        path.write_bytes(b"a,b\n" + b"\n".join(records))
        expected = rows(path, ["a", "b"])
        patched.setattr(lines, "BLOCK", block)
        assert rows(path, ["a", "b"]) == expected == alone
    assert len(alone) <= len(records)


@pytest.mark.slow
@pytest.mark.parametrize("length", [lines.LONGEST - 8, lines.LONGEST + 1, 3 * lines.BLOCK])
@pytest.mark.parametrize("before", [0, lines.BLOCK - 30, lines.BLOCK - lines.LONGEST // 2])
def test_a_long_line_is_one_line(written, length, before):
    many = b"1,2\n" * (before // 4)
    path = written(b"a,b\n" + many + b"x," + b"z" * (length - 2) + b"\n3,4\n")
    read = rows(path, ["a", "b"])
    long = [record for record in read if record[0] == "x"]
    assert len(long) == (length <= lines.LONGEST)
    assert len(read) == before // 4 + 1 + len(long)
    assert read[-1] == ("3", "4")


def test_quotes_that_are_not_closed_end_with_their_line(written):
    path = written('x,who\n1,"ann\n2,"bob"\n3,carl"\n"4,dora\n5,""eve\n6,"f""\n7,"g"""\n')
    assert rows(path, ["x", "who"]) == [
        *(("2", "bob"), ("3", 'carl"'), ("5", "eve"), ("7", 'g"')),
    ]


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_last_line_is_a_line_like_others(written, end):
    """At the end of what it is given, Arrow takes an open quote for a closed one."""
    assert rows(written(f'x,who\n1,a\n2,"b{end}'), ["x", "who"]) == [("1", "a")]
    assert rows(written(f"x,who\n1,a\n2,b{end}"), ["x", "who"]) == [("1", "a"), ("2", "b")]


def test_lines_of_other_widths_are_dropped_though_they_are_not_utf8(written, capfd):
    path = written(b"x,who\n1,a\n\xff\n2,\xfe,\xff\n3,b\xff\n")
    assert rows(path, ["x", "who"]) == [("1", "a"), ("3", "b\\xff")]
    assert capfd.readouterr() == ("", "")


def test_a_carriage_return_inside_a_line_does_not_make_two_records(written):
    path = written(b"x,who\r\n1,a\r\n2,b\r3,c\r\n4,d\r\r\n5,e\r\n")
    assert rows(path, ["x", "who"]) == [("1", "a"), ("5", "e")]


def test_what_is_empty_is_missing_and_nothing_else_is(written):
    path = written('x,who\n1,NULL\n2,\n3,""\n4,nan\n\n\r\n5,NA\n')
    assert [who for _, who in rows(path, ["x", "who"])] == ["NULL", None, None, "nan", "NA"]


# --- header --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("a,b\n", ["a", "b"]),
        ("\ufeffa;b\n1;2\n", ["a", "b"]),
        ("a\tb,c\td\r\n", ["a", "b,c", "d"]),
        ('"a ""q""","b,c"\n', ['a "q"', "b,c"]),
        ("\n\r\nalone\n1\n", ["alone"]),
        ("a,b", ["a", "b"]),
    ],
)
def test_the_header_alone_tells_names_and_separator(written, content, names):
    path = written(content)
    assert text_columns(path) == names
    assert rows(path, names[:1], delimiter=None) in ([], [("1",)])


def test_the_separator_can_be_given(written):
    path = written("a|b,c\n1|2\n")
    assert text_columns(path, delimiter="|") == ["a", "b,c"]
    assert rows(path, ["a"], delimiter="|") == [("1",)]
    with pytest.raises(geodp.InputError, match="one ASCII character"):
        rows(path, ["a"], delimiter="||")


def test_beside_a_decimal_comma_a_comma_separates_last(written):
    path = written("a, of all, in %, rounded;b\n1,5;2,5\n")
    assert rows(path, ["b"], decimal=",") == [("2,5",)]
    path = written('a,b\n"1,5","2,5"\n')
    assert rows(path, ["b"], decimal=",") == [("2,5",)]


def test_columns_must_be_named_once(written):
    path = written("x,y,y,who\n1,2,3,secret\n")
    assert rows(path, ["who", "x", "x"]) == [("secret", "1", "1")]
    for missing in ("y", "z"):
        with pytest.raises(geodp.InputError, match="'x', 'y', 'y', 'who'") as caught:
            rows(path, ["x", missing])
        assert "secret" not in str(caught.value)


def test_a_file_without_a_header_line_does_not_show_its_first_record(written):
    path = written("secret,-77.1,38.9\n")
    with pytest.raises(geodp.InputError, match="header line") as caught:
        rows(path, ["x"])
    assert not re.search("secret|77|38", str(caught.value))


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", "a,b\n1,2\n".encode("utf-16"), "a,b\n".encode("utf-16-le"), b"a,b\r1,2\r"],
)
def test_what_is_no_text_with_lines_is_refused(written, content):
    with pytest.raises(geodp.FileError, match=r"points\.csv") as caught:
        rows(written(content), ["a"])
    assert caught.value.__cause__ is None


# --- files ---------------------------------------------------------------------------------------


def test_packed_files_are_read_and_damaged_ones_refused(written):
    content = b"a,b\n" + b"1,2\n" * 50_000
    packed = gzip.compress(content[:1000]) + gzip.compress(content[1000:])
    assert len(rows(written(packed, "a.csv.gz"), ["a"])) == 50_000
    wrong = bytearray(gzip.compress(content))
    wrong[len(wrong) // 2] ^= 255
    for damaged in (wrong, packed[:-9], packed + b"rest", b"\x1f\x8b"):
        with pytest.raises(geodp.FileError, match=r"b\.csv\.gz") as caught:
            rows(written(bytes(damaged), "b.csv.gz"), ["a"])
        assert caught.value.__suppress_context__


def test_files_that_cannot_be_opened_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(geodp.FileError):
            rows(path, ["a"])
        with pytest.raises(geodp.FileError):
            text_columns(path)


# --- values --------------------------------------------------------------------------------------


def plainly(value):
    """Say what the numbers must be, by Python alone."""
    try:
        return float("nan") if value is None or b"_" in value else float(value)
    except ValueError:
        return float("nan")


NUMERALS = st.one_of(
    st.floats().map(lambda v: repr(v).encode()),
    st.floats(-1e3, 1e3).map(lambda v: f"{v:.7f}".encode()),
    st.from_regex(rb"\A[ \t]?[+-]?[0-9]{0,40}\.?[0-9]{0,40}([eE][+-]?[0-9]{1,4})? ?\Z"),
    st.sampled_from([b"1e400", b"-1e400", b"1e-400", b"nan", b"-inf", b"0x1p3", b"1_0", b"", None]),
    st.sampled_from([b"1" * 5000, b"." + b"3" * 5000, b"\xd9\xa1", b"1d5", b"1,5", b"nan(7)"]),
    st.binary(max_size=6),
)


@examples(200)
@given(st.lists(NUMERALS, max_size=6))
def test_numbers_are_those_of_python_whatever_stands_beside_them(values):
    expected = [plainly(value) for value in values]
    np.testing.assert_array_equal(numbers(pyarrow.array(values, pyarrow.binary())), expected)
    for value, number in zip(values, expected):
        np.testing.assert_array_equal(numbers(pyarrow.array([value], pyarrow.binary())), [number])


def test_a_decimal_comma():
    column = pyarrow.array([b"1,5", b" 2", b"1.5", b"1.000,5", b"1,5,5", None, b"1e400"])
    values = numbers(column, decimal=",").tolist()
    assert values[:2] == [1.5, 2.0]
    assert list(map(math.isnan, values[2:])) == [True, True, True, True, False]
    with pytest.raises(geodp.InputError, match="decimal mark"):
        numbers(column, decimal="'")


def test_numbers_of_strings_too():
    assert numbers(pyarrow.array(["1.5", "x"])).tolist()[0] == 1.5
    assert numbers(pyarrow.array([], pyarrow.binary())).tolist() == []


def test_text_can_always_be_encoded_again():
    values = [b"a", b"\xed\xa0\x80", b"\xff", None, b"a", "é".encode()]
    read = texts(pyarrow.array(values, pyarrow.binary())).tolist()
    assert read == ["a", r"\xed\xa0\x80", r"\xff", None, "a", "é"]
    assert read[0] is read[4]
