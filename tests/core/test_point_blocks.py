"""Points that come as a stream of blocks: a host such as QGIS has readers of its own."""

import numpy as np
import pytest

import geodp
from geodp.core.common.errors import Cancelled
from geodp.core.records.arrays import StreamSource
from geodp.core.records.source import Request

TOWN = geodp.Domain((0, 0, 40, 30), geodp.Crs("EPSG:5070", metres_per_unit=1000.0))


def _points():
    return np.linspace(0, 40, 1000), np.linspace(0, 30, 1000) ** 2 / 30


def test_blocks_give_what_one_pair_gives():
    x, y = _points()
    blocks = ((x[start : start + 77], y[start : start + 77]) for start in range(0, 1000, 77))
    expected = geodp.release((x, y), TOWN, epsilon=1, seed=5)
    streamed = geodp.release(blocks, TOWN, epsilon=1, seed=5)
    assert expected.cells == streamed.cells
    assert np.array_equal(expected.counts, streamed.counts)


def test_blocks_are_read_one_at_a_time():
    taken = []

    def blocks():
        for number in range(3):
            taken.append(number)
            yield np.array([1.0]), np.array([2.0])

    stream = StreamSource(blocks()).blocks(Request(TOWN))
    next(stream)
    assert taken == [0]


def test_a_stream_that_is_cancelled_says_so():
    class Stopped(Cancelled):
        pass

    def blocks():
        yield np.array([1.0]), np.array([2.0])
        raise Stopped

    with pytest.raises(Stopped):
        geodp.release(blocks(), TOWN, epsilon=1)


def test_no_blocks_are_no_points():
    assert geodp.release(iter(()), TOWN, epsilon=1).epsilon == 1


@pytest.mark.parametrize("block", [7, (1.0, 2.0), (np.zeros(2), np.zeros(3)), (np.zeros(2),)])
def test_a_block_that_is_no_pair_of_arrays_is_refused(block):
    with pytest.raises(geodp.InputError, match="are a pair"):
        geodp.release(iter([block]), TOWN, epsilon=1)


def test_a_stream_says_whose_the_points_are():
    x, y = _points()
    whom = np.arange(1000) % 10
    parts = [slice(i, i + 77) for i in range(0, 1000, 77)]
    blocks = ({"x": x[part], "y": y[part], "who": whom[part]} for part in parts)
    grids = [geodp.Grid(TOWN, (1, 1))]
    options = {
        "cells": geodp.Regular(grids),
        "force": True,
        "epsilon": 10**6,
        "protect": geodp.Person("who", 3),
    }
    assert geodp.release(blocks, **options).counts.tolist() == pytest.approx([30])
    with pytest.raises(geodp.InputError, match="there is no 'who'"):
        geodp.release(iter([(x, y)]), **options)
