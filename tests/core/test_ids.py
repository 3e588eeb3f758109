"""One text for each person: by value alone, whatever the container and whoever else is in it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import examples
from strategies import at_most

from geodp.core.common.errors import InputError
from geodp.core.privacy.noise import RandomBits
from geodp.core.records.contribution import BoundedRecords, RepeatableRecords, digests
from geodp.core.records.ids import Ids, canonical, check_dtype

BIG = 2**60
NAN = float("nan")
UNIQUE = UUID("0188B9A4-7E5A-7D3C-8A51-3F0DCEB2D3A1")


class Hostile:
    """Cannot be compared, hashed or shown."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class Masquerade:
    """Raises as soon as anybody asks what it is."""

    @property
    def __class__(self):  # type: ignore[override]
        raise RuntimeError


class Autumn(tzinfo):
    """A zone whose clocks show the hour from 2 to 3 twice: first two hours ahead, then one."""

    def utcoffset(self, when: datetime | None) -> timedelta:
        return timedelta(hours=1 if when is not None and when.fold else 2)


BERLIN = timezone(timedelta(hours=1))
AUTUMN = Autumn()
TWICE = [datetime(2024, 10, 27, 2, 30, tzinfo=AUTUMN, fold=fold) for fold in (0, 1)]

NASTY = [
    *(None, NAN, np.nan, float("inf"), -0.0, 0.5, 7.0, 1e300, float(BIG), 2.0**53),
    *(7, True, False, 2**53, BIG, BIG + 1, -(2**63), 10**400, 10**5000),
    *("", " ", "7", "7.0", "007", "nan", "NA", "null", "ann", "\ud800", "a\0", "é", "e\u0301"),
    *("9" * 5000, "2024-05-01T00:00:00Z", "2024-13-99T00:00:00"),
    *(Decimal("7.00"), Decimal("NaN"), Decimal("sNaN"), Decimal("1e999999"), Decimal("-Infinity")),
    *(Fraction(7), Fraction(1, 3), Fraction(1, 10**2000), 7j, b"7", b"\xff\xfe", bytearray(b"7")),
    *([], [7], {}, {"a": 1}, (), ("a", 1), set(), object(), Hostile(), type, len),
    *(np.int8(7), np.uint64(2**64 - 1), np.float16(0.1), np.float32(0.1), np.longdouble(7)),
    *(np.bool_(True), np.str_("ann"), np.complex64(7), np.array(7), np.array([1, 2])),
    *(np.datetime64("NaT", "s"), np.datetime64("2024-05-01", "ns"), np.timedelta64(7, "ns")),
    *(date(2024, 5, 1), datetime(2024, 5, 1), datetime.min.replace(tzinfo=BERLIN), *TWICE, UNIQUE),
]


def texts(values: object) -> list[str | None]:
    """Say whose each record is."""
    ids = Ids.of(values)
    return [ids.texts[place] for place in ids.index]


def objects(values: list) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    for place, value in enumerate(values):
        array[place] = value
    return array


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", [7, 7.0, "7", "7.0", "7.000", "+7", " 7\n", b"7", np.int8(7), np.uint64(7)]),
        ("7", [np.float32(7), np.longdouble(7), Decimal("7.00"), Decimal("0.7e1"), Fraction(7)]),
        ("-7", [-7, -7.0, "-7", "-7.0", Decimal(-7), np.int64(-7)]),
        ("0", [0, 0.0, -0.0, "0", "-0", "-0.0", "+0", False, np.bool_(False), Decimal("-0.00")]),
        ("1", [1, True, np.bool_(True), "1"]),
        ("9007199254740993", [2**53 + 1, "9007199254740993", "9007199254740993.0"]),
        ("18446744073709551615", [2**64 - 1, np.uint64(2**64 - 1), Decimal(2**64 - 1)]),
        ("1" + "0" * 400, [10**400, Decimal("1e400"), "1" + "0" * 400]),
        ("0.5", [0.5, np.float16(0.5), "0.5", Decimal("0.50")]),
        ("0.10000000149011612", [np.float32(0.1)]),
        ("1/3", [Fraction(1, 3)]),
        ("007", ["007", b"007"]),
        ("1e3", ["1e3"]),
        ("ann", ["ann", " ann\t", "ann\0", b"ann\0\0", np.str_("ann"), np.bytes_("ann")]),
        ("\u00e9", ["\u00e9", "e\u0301", "e\0\u0301", "\u00e9".encode()]),
        ("nan", ["nan"]),
        ("\ud800", ["\ud800"]),
        ("0xfffe", [b"\xff\xfe", bytearray(b"\xff\xfe"), memoryview(b"\xff\xfe"), b"\xff\xfe\0"]),
        (str(UNIQUE), [UNIQUE, str(UNIQUE), str(UNIQUE).upper()]),
        ("2024-05-01", [date(2024, 5, 1), datetime(2024, 5, 1), "2024-05-01", "2024-05-01 00:00"]),
        ("2024-05-01", ["2024-05-01T00:00:00.000Z", "2024-05-01T02:00+02", "2024-05-01t00:00z"]),
        ("2024-05-01", [datetime(2024, 5, 1, 1, tzinfo=BERLIN), np.datetime64("2024-05-01", "us")]),
        ("2024-05-01", [np.datetime64("2024-05-01", unit) for unit in ("D", "h", "m", "s", "ns")]),
        ("2024-01-01", [np.datetime64("2024", "Y"), np.datetime64("2024-01", "M")]),
        ("2024-05-01T01:30:00", [datetime(2024, 5, 1, 1, 30), "2024-05-01 01:30"]),
        ("2024-05-01T01:30:00", ["2024-05-01T03:15:30+01:45:30", "2024-04-30T20:30-0500"]),
        ("2024-05-01T01:30:00.5", [datetime(2024, 5, 1, 1, 30, 0, 500_000)]),
        ("2024-05-01T01:30:00.5", [np.datetime64("2024-05-01T01:30:00.500", "ms")]),
        (
            "2024-05-01T01:30:00.000000001",
            [np.datetime64("2024-05-01T01:30:00.000000001"), "2024-05-01 01:30:00.000000001+00:00"],
        ),
        ("12345-01-01", [np.datetime64("12345-01-01"), np.datetime64("12345-01-01", "s")]),
        ("2024-10-27T00:30:00", TWICE[:1]),
        ("2024-10-27T01:30:00", TWICE[1:]),
        *((text, [text]) for text in ("2024-02-30T00:00:00", "2024-05-01T24:00:00", "24-5-1")),
    ],
)
def test_one_person_has_one_text(text, values):
    assert [canonical(value) for value in values] == [text] * len(values)
    assert texts(values) == texts(objects(values)) == [text] * len(values)


@pytest.mark.parametrize("make", [list, objects])
def test_what_is_no_id_belongs_to_nobody(make):
    nobody = [
        *(None, NAN, float("inf"), 2.0**53, float(BIG), -1e300, "", " \t", "\0", b"", b" "),
        *(Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e999999")),
        *(Decimal("1e-999999"), Fraction(1, 10**2000), 10**5000, 7j, [], {}, (7,), set(), object()),
        *(
            Hostile(),
            Masquerade(),
            np.datetime64("NaT", "s"),
            np.timedelta64(7, "ns"),
            np.array([7]),
        ),
        *(np.float64("nan"), np.float32("inf"), np.complex128(7), timedelta(1), int),
        np.zeros(1, dtype=[("a", int)])[0],
    ]
    assert [canonical(value) for value in nobody] == [None] * len(nobody)
    assert texts(make(nobody)) == [None] * len(nobody)


def test_persons_that_only_look_alike_stay_apart():
    apart = [7, "007", "nan", "NA", "null", "None", "Ann", "ann", 0.5, "0.50", 2**53, BIG, BIG + 1]
    assert len(set(texts(apart))) == len(apart)
    assert None not in texts(apart)


@examples(400)
@given(
    st.lists(st.sampled_from(NASTY), max_size=12),
    st.sampled_from(NASTY),
    st.integers(0, 12),
    st.sampled_from([list, objects]),
)
@example([BIG, BIG + 1], NAN, 0, list)
@example([float(2**53)], 2**53, 0, list)
@example(["a", "b", NAN], NAN, 3, list)
@example([7], "abc", 1, list)
@example(TWICE[1:], TWICE[0], 0, list)
def test_an_odd_record_changes_nobody_else(values, odd, place, make):
    place = min(place, len(values))
    before = texts(make(values))
    after = texts(make([*values[:place], odd, *values[place:]]))
    assert after[:place] + after[place + 1 :] == before
    assert before == [canonical(value) for value in values]


@pytest.mark.slow
@examples(300)
@given(st.one_of(st.text(), st.from_regex(r"[+-]?[0-9]{1,3}(\.0*)?"), st.sampled_from(NASTY)))
def test_a_text_is_its_own_canonical_form(value):
    text = canonical(value)
    if text is not None:
        assert canonical(text) == text
        assert digests([text]).dtype == np.uint64


integers = st.integers(-(2**63), 2**63 - 1)


@examples(200)
@given(st.lists(st.one_of(st.integers(-5, 300), integers), max_size=20))
def test_numbers_are_the_same_persons_in_every_container(numbers):
    expected = [str(number) for number in numbers]
    for values in (
        *(numbers, tuple(numbers), objects(numbers), np.array(numbers, dtype=np.int64)),
        np.array(numbers, dtype=">i8"),
        np.array(expected, dtype="U20"),
        np.array(expected, dtype="S20"),
        *([kind(number) for number in numbers] for kind in (str, Decimal, Fraction, np.int64)),
        [str(number) + ".0" for number in numbers],
    ):
        assert texts(values) == expected
    small = [number for number in numbers if abs(number) < 2**53]
    assert texts(np.array(small, dtype=float)) == texts(list(map(float, small)))
    assert texts(np.array(small, dtype=float)) == texts(small)


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u4", "i8", "u8", ">u8"])
def test_whole_numbers_at_the_ends_of_their_types(dtype):
    kind = np.dtype(dtype)
    ends = [0, 1] if kind == np.bool_ else [np.iinfo(kind).min, 0, 1, np.iinfo(kind).max]
    for values in (ends, ends[-1:], ends[-2:], ends[:1] * 3):
        assert texts(np.array(values, dtype=kind)) == [str(int(value)) for value in values]


@examples(200)
@given(st.lists(st.text(max_size=4), max_size=15))
def test_names_are_the_same_persons_in_every_container(names):
    expected = [canonical(name) for name in names]
    assert texts(names) == texts(objects(names)) == texts(np.array(names, dtype="U8")) == expected
    if all(char < "\ud800" or char > "\udfff" for name in names for char in name):
        assert texts([name.encode() for name in names]) == expected


@examples(200)
@given(st.lists(st.datetimes(), max_size=10), st.integers(-720, 720))
def test_times_are_the_same_persons_in_every_container(times, minutes):
    times = [time for time in times if 1 < time.year < 9999]
    expected = [canonical(time) for time in times]
    zone = timezone(timedelta(minutes=minutes))
    moved = [time.replace(tzinfo=timezone.utc).astimezone(zone) for time in times]
    assert (
        texts(times) == texts(moved) == texts([time.isoformat(" ") for time in moved]) == expected
    )
    assert texts(np.array(times, dtype="datetime64[us]")) == expected
    assert texts([np.datetime64(time) for time in times]) == expected
    assert len(set(expected)) == len(set(times))


def test_typed_arrays_with_values_that_are_no_ids():
    assert texts(np.array([7.0, NAN, np.inf, -0.0, 2.0**53, 0.5])) == [
        *("7", None, None, "0", None, "0.5"),
    ]
    assert texts(np.array(["2024-05-01", "NaT"], dtype="M8[ns]")) == ["2024-05-01", None]
    for kind in ("c16", "m8[s]", "V3", [("a", int)]):
        assert texts(np.zeros(2, dtype=kind)) == [None, None]
    assert texts(np.ma.array([7, 8, 7], mask=[False, False, True])) == ["7", "8", None]
    assert texts(np.array([])) == texts([]) == texts(np.array([], dtype=int)) == []


class Column:
    """Read values as a table hands them out, here whole numbers with gaps: floats, or objects."""

    dtype = "Int64"

    def __init__(self, values: list) -> None:
        self.values = values

    def to_numpy(self, dtype: object = None) -> np.ndarray:
        return objects(self.values) if dtype is object else np.array(self.values, dtype=float)

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.to_numpy(dtype)


class Categories:
    """A dictionary-encoded column."""

    def __init__(self, categories: list, codes: list) -> None:
        self.categories, self.codes = np.array(categories), np.array(codes, dtype=np.int8)


def test_columns_do_not_become_floats():
    assert texts(Column([BIG, BIG + 1, NAN])) == [str(BIG), str(BIG + 1), None]
    assert texts(Categories([BIG, BIG + 1], [1, 0, -1, 1])) == [
        *(str(BIG + 1), str(BIG), None, str(BIG + 1)),
    ]


def test_distinct_values_and_their_numbers():
    ids = Ids.from_distinct(["7", 7.0, None, "ann", [7]], np.array([0, 1, 2, 3, 4, -1, 3]))
    assert [ids.texts[place] for place in ids.index] == ["7", "7", None, "ann", None, None, "ann"]
    assert sorted(map(str, ids.texts)) == ["7", "None", "ann"]
    assert len(Ids.from_distinct([], np.array([-1, -1]))) == 2


def test_ids_are_private_small_and_cannot_be_changed():
    ids = Ids.of(["ann", "bob", "ann"])
    assert repr(ids) == str(ids) == f"{ids}" == "Ids(private)"
    assert Ids.of(ids) is ids
    for some in (np.array([False, True, True]), np.array([1, 2]), slice(1, None)):
        part = ids.take(some)
        assert [part.texts[place] for place in part.index] == ["bob", "ann"]
        assert len(part) == 2
    with pytest.raises(ValueError, match="read-only"):
        ids.index[0] = 1
    with pytest.raises(AttributeError):
        ids.texts = ()
    again = pickle.loads(pickle.dumps(ids))
    assert again.texts == ids.texts
    assert np.array_equal(again.index, ids.index)
    with pytest.raises(InputError, match="must be a flat list or array"):
        Ids.of(np.zeros((2, 2)))


def test_types_are_refused_as_declared():
    for kind in ("O", "U5", "S5", "?", "i1", "u8", "f8", ">f8", "M8[ns]"):
        check_dtype(np.dtype(kind), "who")
    check_dtype("string", "who")
    for kind in ("f2", "f4", "c16", "V8", "m8[s]", np.longdouble, [("a", int)]):
        if np.dtype(kind) != np.float64:  # long doubles are doubles on some machines
            with pytest.raises(InputError, match="ids must be text, whole numbers, dates or UUIDs"):
                check_dtype(np.dtype(kind), "who")


def kept(parts: list, max_records: int) -> list[float]:
    """Say which records stay, of parts that come one after the other or are merged."""
    stream = RepeatableRecords(at_most(max_records), b"key")
    merged = RepeatableRecords(at_most(max_records), b"key")
    start = 0
    for values in parts:
        x = np.arange(start, start + len(values), dtype=float)
        start += len(values)
        part = RepeatableRecords(at_most(max_records), b"key")
        for records in (stream, part):
            records.add(x, x, Ids.of(values))
        for dealt in pickle.loads(pickle.dumps(part.split(3))):
            merged.absorb(dealt)
    first, second = (
        sorted(v for x, *_ in records.blocks() for v in x.tolist()) for records in (stream, merged)
    )
    assert first == second
    return first


@examples(200)
@given(
    st.lists(st.sampled_from(NASTY), max_size=30),
    st.lists(st.integers(0, 30), max_size=4),
    st.integers(1, 3),
    st.data(),
)
def test_parts_of_any_kind_keep_what_the_whole_keeps(values, cuts, max_records, data):
    ends = [0, *sorted(min(cut, len(values)) for cut in cuts), len(values)]
    make = st.sampled_from([list, objects, tuple])
    pairs = zip(ends, ends[1:])  # noqa: RUF007 (Python 3.9 has no pairwise)
    parts = [data.draw(make)(values[slice(*pair)]) for pair in pairs]
    assert kept(parts, max_records) == kept([values], max_records)


@pytest.mark.parametrize(
    "parts",
    [
        ([7], [7.0], ["7"], ["7.0"], [Decimal(7)]),
        (np.array([7]), np.array([7.0, NAN]), np.array(["7"]), objects([7, None])),
        (
            [datetime(2024, 5, 1, 12, tzinfo=BERLIN)],
            [datetime(2024, 5, 1, 11, tzinfo=timezone.utc)],
        ),
        ([UNIQUE], [str(UNIQUE)], [str(UNIQUE).upper().encode()]),
    ],
)
def test_one_person_under_several_types_keeps_one_record(parts):
    """A file of numbers and one of text, a part with a gap in it, times of two zones."""
    assert len(kept(list(parts), 1)) == 1
    records = BoundedRecords(at_most(1), RandomBits())
    for values in parts:
        records.add(np.zeros(len(values)), np.zeros(len(values)), Ids.of(values))
    assert sum(len(x) for x, *_ in records.blocks()) == 1


def test_one_nameless_record_does_not_merge_long_ids():
    """As floats, a thousand ids near 2**60 are four."""
    persons = [BIG + number for number in range(1000)]
    assert len(kept([persons], 1)) == 1000
    assert kept([[*persons, NAN]], 1) == kept([persons], 1)
    assert len(kept([[*persons, NAN, NAN, None, "", 0.5]], 1)) == 1001
    assert len(kept([["a", "b", NAN, NAN]], 1)) == 2


def test_text_that_takes_long_to_normalise_is_nobody():
    """Python sorts accents in a row by insertion: millions of them would hold up everybody."""
    assert canonical("e\u0301" * 5000) == "\u00e9" * 5000
    for odd in ("e" + "\u0301\u0316" * 2_000_000, ("e" + "\u0301\u0316" * 10**6).encode()):
        assert canonical(odd) is None


def test_bytes_beside_text_are_never_compared_with_it():
    """Python says so on its standard error, where it is asked to, and tells of a record thus."""
    words = "from geodp.core.records.ids import Ids; print(Ids.of(['a', b'a', b'b']).texts)"
    finished = subprocess.run(
        [sys.executable, "-bb", "-c", words], capture_output=True, check=False
    )
    assert (finished.stdout.split(), finished.stderr) == ([b"('a',", b"'b')"], b"")
