"""GeoJSON files: one odd feature changes nothing but itself, whatever it holds."""

from __future__ import annotations

import gzip
import json
import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from profiles import examples

import geodp
from geodp.sources import elements
from geodp.sources.geojson import geojson_crs, read_geojson


def feature(coordinates, who=None, kind="Point", **more):
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "properties": {"who": who}, "geometry": geometry, **more}


def rows(path, block=1 << 16):
    """Return all coordinates with the property of their feature."""
    listed = []
    for batch, share in read_geojson(path, ["who"], block):
        assert 0 < share <= 1
        who = batch.columns["who"]
        listed += [(x, y, who[i]) for x, y, i in zip(batch.x, batch.y, batch.feature)]
    return listed


@pytest.fixture
def written(tmp_path):
    def write(content, name="points.geojson"):
        path = tmp_path / name
        content = content if isinstance(content, (str, bytes)) else json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def collection(*features, **more):
    """Text of a collection of features, each given as text or as a value."""
    inside = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in features)
    head = json.dumps({"type": "FeatureCollection", **more})
    return head[:-1] + ', "features": [' + inside + "]}"


# --- one odd record ------------------------------------------------------------------------------

GOOD = [
    feature([1, 2], "ann"),
    feature([3.5, -4e1], 9007199254740993),
    feature([[5, 6], [7, 8, 9]], '}]"\\', "MultiPoint"),
]
KEPT = [
    *((1.0, 2.0, "ann"), (3.5, -40.0, "9007199254740993")),
    *((5.0, 6.0, '}]"\\'), (7.0, 8.0, '}]"\\')),
]
AFTER = [0, 1, 2, 4]
"""Coordinates of the first so many good features."""

TEXT = st.text(st.sampled_from('ab"\\[]{},:\n\ud800\x00é'))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
VALUES = st.recursive(
    SCALARS | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from(["Point", "MultiPoint", "LineString", "GeometryCollection", None, 3])
ODD = st.one_of(
    VALUES,
    st.builds(feature, VALUES, VALUES, KINDS),
    st.fixed_dictionaries({"type": st.just("Feature"), "geometry": VALUES, "properties": VALUES}),
    st.builds(lambda geometry: {"type": "Feature", "geometry": geometry}, VALUES),
)


def check_one_more(path, place):
    read = rows(path, block=2)
    before, after = KEPT[: AFTER[place]], KEPT[AFTER[place] :]
    assert read[: len(before)] == before
    assert read[len(read) - len(after) :] == after


@pytest.mark.slow
@examples(200)
@given(odd=ODD, place=st.integers(0, len(GOOD)), ascii=st.booleans(), read=st.integers(1, 99))
def test_any_odd_feature_changes_no_other(tmp_path_factory, odd, place, ascii, read):
    path = tmp_path_factory.getbasetemp() / "odd.geojson"
    inserted = json.dumps(odd, ensure_ascii=ascii)
    content = collection(*GOOD[:place], inserted, *GOOD[place:])
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.MonkeyPatch().context() as patched:
        patched.setattr(elements, "READ", read)
        check_one_more(path, place)


@examples(200)
@given(
    odd=st.binary() | ODD.map(lambda value: json.dumps(value).encode()),
    place=st.integers(0, len(GOOD)),
    mark=st.sampled_from([b"\n", b"\r\n", b"\x1e", b"\n\x1e"]),
    read=st.integers(1, 99),
)
@example(odd=b"\x1e{", place=0, mark=b"\n", read=9)  # the first byte of a file is a record's
@example(odd=b"\x1f\x8b", place=0, mark=b"\n", read=9)
@example(odd=b"\xff\xfe", place=0, mark=b"\n", read=9)
def test_any_odd_record_of_a_sequence_changes_no_other(tmp_path_factory, odd, place, mark, read):
    odd = odd.replace(mark[-1:], b"")
    separated = b"\x1e" in mark
    path = tmp_path_factory.getbasetemp() / ("odd.geojsons" if separated else "odd.geojsonl")
    good = [json.dumps(one).encode() for one in GOOD]
    content = mark.join([*good[:place], odd, *good[place:]])
    path.write_bytes((mark if b"\x1e" in mark else b"").lstrip(b"\n") + content)
    with pytest.MonkeyPatch().context() as patched:
        patched.setattr(elements, "READ", read)
        check_one_more(path, place)


@pytest.mark.parametrize(
    "odd",
    [
        feature([[0, 0], [1, 1]], kind="LineString"),
        {"type": "Feature", "properties": {}, "geometry": None},
        *map(
            feature, (["1", "2"], [1], [], [[1, 2]], [1, None], [True, 2], None, "1 2", [1, 2, []])
        ),
        *(feature(c, kind="MultiPoint") for c in ([1, 2], [], [[1, 2], [1]], None, {"a": 1})),
        '{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2}]}',
        '{"type": "Feature", nonsense, "x": 01}',
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "null",
    ],
    ids=lambda odd: (odd if isinstance(odd, str) else json.dumps(odd))[:60],
)
def test_what_is_no_point_is_dropped_in_silence(written, odd, capfd, recwarn):
    assert rows(written(collection(GOOD[0], odd, *GOOD[1:]))) == KEPT
    assert capfd.readouterr() == ("", "")
    assert not recwarn.list


def test_no_value_has_a_say_in_how_others_are_read(written):
    """GDAL makes floats of all ids because of one, and 1,000 persons become 6."""
    ids = range(2**60, 2**60 + 1000)
    read = rows(written(collection(*(feature([1, 1], i) for i in ids), feature([1, 1], 0.5))))
    assert len({who for _, _, who in read}) == 1001
    assert read[0][2] == str(2**60)


def test_values_keep_their_text(written):
    raw = ["7", "7.0", "1e400", '"7"', "true", "null", "[7]", '{"a": 7}', "NaN", '"\\ud800"', '"é"']
    read = rows(written(collection(*(json.dumps(feature([1, 1])).replace("null", v) for v in raw))))
    assert [who for _, _, who in read] == [
        *("7", "7.0", "1e400", "7", "true", None, None, None, "NaN", "\\ud800", "é"),
    ]
    assert {type(who) for _, _, who in read} == {str, type(None)}


def test_numbers_beyond_floats_lie_nowhere(written):
    read = rows(
        written(
            collection(
                feature([10**400, 1]),
                '{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-1e400, NaN]}}',
            )
        )
    )
    assert read[0][0] == math.inf
    assert read[1][0] == -math.inf
    assert math.isnan(read[1][1])


def test_bytes_that_are_not_utf8_stay_in_their_feature(written):
    odd = json.dumps(feature([0, 0], "Zo#")).encode().replace(b"#", b"\xeb")
    path = written(collection(*GOOD, "@").encode().replace(b'"@"', b"@").replace(b"@", odd))
    assert rows(path) == [*KEPT, (0.0, 0.0, "Zo\ufffd")]


def test_coordinates_know_their_feature_in_every_batch(written):
    path = written(collection(*GOOD * 5))
    for block in (1, 2, 3, 100):
        assert rows(path, block) == KEPT * 5
    batches = [batch for batch, _ in read_geojson(path, ["who", "who"], 4)]
    assert all(len(batch.columns["who"]) == batch.feature[-1] + 1 for batch in batches)
    assert repr(batches[0]) == "Batch(<private>)"
    assert batches[0].x.dtype == np.float64


# --- files ---------------------------------------------------------------------------------------


def test_kinds_of_files(written):
    one = feature([1, 2], "ann")
    assert rows(written(one)) == KEPT[:1]
    assert rows(written(feature([[1, 2]], kind="LineString"))) == []
    assert rows(written(b"\xef\xbb\xbf" + collection(one).encode())) == KEPT[:1]
    assert rows(written(gzip.compress(collection(one).encode()), "a.geojson.gz")) == KEPT[:1]
    assert rows(written({"features": [one], "type": "FeatureCollection"})) == KEPT[:1]
    assert rows(written({"type": "FeatureCollection", "features": []})) == []
    assert rows(written("\x1e" + json.dumps(one, indent=1) + "\n\x1e{}\n")) == KEPT[:1]
    lines = gzip.compress(json.dumps(one).encode() + b"\n")
    assert rows(written(lines, "a.geojsonl.gz")) == KEPT[:1]


@pytest.mark.parametrize(
    "content",
    [
        *("", "secret", "[]", "3", '{"secret"', '{"type": "FeatureCollection", "features": 3}'),
        '{"type": "Topology", "objects": {"secret": 1}}',
        '{"type": "Point", "coordinates": [1, 2]}',
        '{"features": [{"attributes": {"secret": 1}, "geometry": {"x": 1, "y": 2}}]}',
        collection(*GOOD)[:-2],
        collection(*GOOD)[:-20],
        collection(*GOOD) + "secret",
        collection(*GOOD).replace("]}", "}}", -1)[:-2] + "}}",
        json.dumps(GOOD[0]) + "\n" + json.dumps(GOOD[1]),
        collection(*GOOD).encode("utf-16"),
        gzip.compress(collection(*GOOD).encode())[:-12],
        "{" + " " * 100 + '"type": [' + "9," * 50,
    ],
)
def test_a_damaged_file_is_refused_without_its_content(written, content, monkeypatch):
    monkeypatch.setattr(elements, "READ", 16)
    path = written(content)
    with pytest.raises(geodp.FileError, match=r"points\.geojson") as caught:
        rows(path)
    assert not re.search("secret|ann|9007", str(caught.value))
    assert caught.value.__context__ is None or isinstance(caught.value.__context__, EOFError)


def test_files_that_cannot_be_opened_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.geojson"):
        for read in (rows, geojson_crs):
            with pytest.raises(geodp.FileError):
                read(path)


@pytest.mark.parametrize("name", ["points.geojson", "points.geojsonl"])
def test_a_huge_feature_is_one_feature(written, name, monkeypatch):
    huge = json.dumps(feature([0, 0], "z" * (1 << 24)))
    between = [json.dumps(GOOD[0]), huge, json.dumps(GOOD[1])]
    path = written(collection(*between) if name == "points.geojson" else "\n".join(between), name)
    assert [len(who) for _, _, who in rows(path)] == [3, 1 << 24, 16]
    monkeypatch.setattr(elements, "LARGEST", 1 << 22)
    tracemalloc.start()
    assert rows(path) == KEPT[:2]
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()


# --- CRS -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("crs", "name"),
    [
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}, "EPSG:25832"),
        ({"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "OGC:CRS84"),
        ({"type": "name", "properties": {"name": "EPSG:3857"}}, "EPSG:3857"),
        ({"type": "EPSG", "properties": {"code": 2263}}, "EPSG:2263"),
    ],
)
def test_a_file_may_state_its_crs(written, crs, name):
    assert geojson_crs(written(collection(*GOOD, crs=crs))) == name
    after = {"type": "FeatureCollection", "features": GOOD, "crs": crs}
    assert geojson_crs(written(after)) == name


def test_a_file_without_crs_is_in_wgs84(written):
    crs = {"type": "name", "properties": {"name": "EPSG:3857"}}
    assert geojson_crs(written(collection(*GOOD))) == "OGC:CRS84"
    assert geojson_crs(written(collection(feature([1, 1], crs=crs)))) == "OGC:CRS84"
    assert geojson_crs(written(feature([1, 1], crs=crs), "a.geojsonl")) == "OGC:CRS84"


@pytest.mark.parametrize("crs", [None, 3, {}, {"type": "link", "properties": {"href": "a"}}])
def test_a_crs_that_names_none_is_refused(written, crs):
    with pytest.raises(geodp.CrsError, match=r"points\.geojson"):
        geojson_crs(written(collection(*GOOD, crs=crs)))
