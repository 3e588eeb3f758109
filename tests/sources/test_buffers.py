"""Blocks as readers hand them out: GDAL's threads, and values outside the bytes of a block."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyogrio
import pytest
from everywhere import as_frame, columns
from samples import DOMAIN, released, same

import geodp
from geodp.core.records.source import Request
from geodp.sources.columns import UNSOUND, Layout, batch_block
from geodp.sources.ogr import ogr_blocks

NAMES = ("OGR_GPKG_STREAM_BASE_IMPL", "OGR_GPKG_NUM_THREADS")
PERSON = {"protect": geodp.Person("who", max_records=2)}


def settings() -> list:
    return [pyogrio.get_gdal_config_option(name) for name in NAMES]


@pytest.fixture
def layer(tmp_path):
    as_frame(columns("text", missing=True), dtype="str").to_file(tmp_path / "p.gpkg")
    return tmp_path / "p.gpkg"


def blocks(path):
    return ogr_blocks(path, Layout(), Request(DOMAIN), 50)


@pytest.mark.parametrize("before", [[None, None], ["NO", 3]])
def test_an_older_gdal_reads_private_layers_in_one_thread(layer, before, monkeypatch):
    expected = [released(layer, **how) for how in ({}, PERSON)]
    monkeypatch.setattr(pyogrio, "__gdal_version__", (3, 11, 3))
    pyogrio.set_gdal_config_options(dict(zip(NAMES, before)))
    try:
        one, other = blocks(layer), blocks(layer)
        total = 0
        for (block, _), _ in zip(one, other):
            total += len(block.x)
            assert settings() == ["YES", 1]
        assert total == 180
        other.close()
        assert settings() == before
        abandoned = blocks(layer)
        next(abandoned)
        assert settings() == ["YES", 1]
        del abandoned
        assert settings() == before
        releases = [released(layer, **how) for how in ({}, PERSON)]
        assert all(map(same, releases, expected))
        assert settings() == before
    finally:
        pyogrio.set_gdal_config_options(dict.fromkeys(NAMES))


def test_a_newer_gdal_is_left_as_it_is(layer, monkeypatch):
    monkeypatch.setattr(pyogrio, "__gdal_version__", (3, 11, 4))
    for _ in blocks(layer):
        assert settings() == [None, None]


# --- values outside of a block -------------------------------------------------------------------


def changing(kind, length, size):
    """Return an array of empty values over so many bytes, and its offsets, which can still be
    changed.
    """
    offsets = np.zeros(length + 1, np.int64 if str(kind).startswith("large") else np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"\0" * size)]
    return pa.Array.from_buffers(kind, length, buffers), offsets


WRONG = {
    "bytes that are not there": ([0, 21, 42], 0),
    "fewer bytes": ([0, 21, 42], 41),
    "offsets that fall": ([0, 30, 21], 42),
    "offsets that fall at first": ([50, 0, 42], 42),
    "offsets below 0": ([-21, 0, 42], 42),
    "offsets that jump and come back": ([0, 1 << 30, 42], 42),
}
KINDS = [pa.binary(), pa.large_binary(), pa.string(), pa.large_string()]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("wrong", WRONG)
def test_values_outside_of_a_block_are_refused_in_one_sentence(kind, wrong):
    blocks = pa.array([b"\0" * 21] * 2, pa.binary())
    after, size = WRONG[wrong]
    messages = set()
    for names in (["place", "who"], ["who", "place"]):
        broken, offsets = changing(kind, 2, size)
        batch = pa.RecordBatch.from_arrays([broken, blocks], names)
        offsets[:] = after
        with pytest.raises(geodp.FileError) as caught:
            batch_block(batch, "place", Layout(), Request(DOMAIN, "who"), lambda x, y: (x, y))
        messages.add(str(caught.value))
    assert messages == {UNSOUND}


class Shapes(pa.ExtensionType):
    """WKB that says so by its type, as where a library has registered GeoArrow's types."""

    def __init__(self):
        super().__init__(pa.binary(), "geodp.tests.shapes")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls()


@pytest.mark.parametrize("wrong", WRONG)
def test_values_of_a_registered_type_are_looked_at_alike(wrong):
    after, size = WRONG[wrong]
    broken, offsets = changing(pa.binary(), 2, size)
    shapes = pa.ExtensionArray.from_storage(Shapes(), broken)
    batch = pa.RecordBatch.from_arrays([shapes], ["place"])
    offsets[:] = after
    with pytest.raises(geodp.FileError) as caught:
        batch_block(batch, "place", Layout(), Request(DOMAIN), lambda x, y: (x, y))
    assert str(caught.value) == UNSOUND


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_slices_missing_values_and_odd_text_are_sound(kind):
    values = pa.array([b"ab", None, b"\xff\xfe", b"", b"c" * 40], pa.large_binary())
    texts = values.cast(kind, safe=False) if "string" in str(kind) else values.cast(kind)
    for column in (texts, texts[1:], texts[2:3], texts[:0], texts.take(pa.array([], pa.int64()))):
        batch = pa.RecordBatch.from_arrays([column, column], ["place", "who"])
        request = Request(DOMAIN, "who")
        x, _, ids, _ = batch_block(batch, "who", Layout(), request, lambda x, y: (x, y))
        assert len(x) == len(ids.index) == 0


def test_nothing_is_counted_or_booked_where_a_later_block_is_broken(layer, tmp_path, monkeypatch):
    open_arrow = pyogrio.open_arrow

    @contextmanager
    def broken(*given, **options):
        with open_arrow(*given, **{**options, "batch_size": 60}) as (meta, reader):
            batches = list(reader)
            name = meta["geometry_name"] or "wkb_geometry"
            column, offsets = changing(pa.binary(), 60, 0)
            place = batches[-1].schema.get_field_index(name)
            batches[-1] = batches[-1].set_column(place, batches[-1].schema.field(place), column)
            reader = pa.RecordBatchReader.from_batches(reader.schema, batches)
            offsets[:] = 21 * np.arange(61)
            yield meta, reader

    monkeypatch.setattr(pyogrio, "open_arrow", broken)
    ledger = geodp.Ledger(tmp_path / "l.geodp")
    ledger.register("visits", cap=5)
    for how in ({}, PERSON, {"cells": "adaptive"}):
        with pytest.raises(geodp.FileError) as caught:
            released(layer, account=ledger["visits"], **how)
        assert str(caught.value) == UNSOUND
    assert ledger["visits"].entries() == ()
