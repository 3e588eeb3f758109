"""The frame of an adaptive release, and counting on its base lattice."""

from __future__ import annotations

import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from profiles import examples
from strategies import PLANE, domains, square

from geodp.core.common.errors import InputError
from geodp.core.counts import node_counts, single_tally, tree_tally
from geodp.core.counts.step_tally import StepTally
from geodp.core.counts.tree_tally import BaseTally
from geodp.core.counts.unit_tally import UnitTally
from geodp.core.space.domain import Domain
from geodp.core.space.frame import Frame
from geodp.core.space.grid import Grid


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    root = draw(st.sampled_from([(1, 1), (1, 3), (2, 2), (4, 4), (3, 5)]))
    return Frame(draw(domains()), root, draw(st.integers(0, 4)))


def points_near_edges(frame: Frame, rng: np.random.Generator, count: int):
    """Put points on base edges, one unit in the last place beside them, and outside the domain."""
    columns = []
    for edges in (frame.x_edges, frame.y_edges):
        lines = rng.choice(edges, count)
        toward = rng.choice([-np.inf, np.inf], count)
        near = np.where(rng.random(count) < 0.5, lines, np.nextafter(lines, toward))
        anywhere = edges[0] + rng.random(count) * (edges[-1] - edges[0]) * 1.2
        columns.append(np.where(rng.random(count) < 0.6, near, anywhere))
    columns[0][rng.random(count) < 0.02] = np.nan
    return columns


@pytest.mark.parametrize(
    ("size", "root"),
    [
        ((1, 1), (4, 4)),
        ((4, 3), (4, 4)),
        ((2, 1), (3, 5)),
        ((1, 2), (5, 3)),
        ((12, 5), (3, 5)),  # 1.44 times as wide as high, and 15 of them; 2 by 6 are squarer
        ((16, 1), (1, 16)),
        ((1000, 1), (1, 16)),
    ],
)
def test_root_cells_are_near_square_and_at_most_sixteen(size, root):
    frame = Frame(Domain((0, 0, *size), PLANE))
    assert frame.root == root
    assert frame.halvings == 11
    assert frame.cells <= 1 << 26


@examples(60)
@given(st.floats(0.05, 20))
def test_no_root_cell_is_much_longer_than_wide(ratio):
    frame = Frame(Domain((0, 0, ratio, 1), PLANE))
    rows, columns = frame.root
    assert rows * columns <= 16
    long = ratio / columns * rows
    assert 2 / 3 <= long <= 3 / 2 or rows * columns == 16


def test_cells_never_fall_below_the_stated_resolution():
    for resolution in (0.001, 0.3, 3, 30, 99, 150):
        frame = Frame(Domain((0, 0, 100, 200), PLANE, resolution=resolution))
        if frame.cells > 1:
            assert np.diff(frame.x_edges).min() >= resolution * (1 - 1e-9)
            assert np.diff(frame.y_edges).min() >= resolution * (1 - 1e-9)
    assert Frame(Domain((0, 0, 100, 200), PLANE, resolution=150)).cells == 1


def test_a_domain_that_float64_hardly_resolves_has_few_halvings():
    frame = Frame(Domain((1e15, 1e15, 1e15 + 64, 1e15 + 64), PLANE))
    assert 0 < frame.halvings < 11
    assert (np.diff(frame.x_edges) > 0).all()


@examples(60)
@given(frames(), st.integers(0, 2**32 - 1))
def test_counts_of_nodes_are_those_of_a_grid_with_the_same_lines(frame, seed):
    rng = np.random.default_rng(seed)
    x, y = points_near_edges(frame, rng, 300)
    tally = BaseTally(frame)
    tally.add(x, y)
    base = Grid(frame.domain, frame.shape(frame.depth))
    np.testing.assert_array_equal(base.x_edges, frame.x_edges)
    np.testing.assert_array_equal(base.y_edges, frame.y_edges)
    cells = base.index(x, y)
    truth = np.bincount(cells[cells >= 0], minlength=base.cells).reshape(base.shape)[::-1]
    assert tally.total == truth.sum()
    for depth in range(1, frame.depth + 1):
        rows, columns = frame.shape(depth)
        side = (base.shape[0] // rows, base.shape[1] // columns)
        summed = truth.reshape(rows, side[0], columns, side[1]).sum(axis=(1, 3))
        place = rows_and_columns(frame, depth)
        counts = tally.node_counts(np.arange(rows * columns), depth)
        np.testing.assert_array_equal(counts, summed[place])
        some = rng.permutation(rows * columns)[: rng.integers(0, 20)]
        np.testing.assert_array_equal(tally.node_counts(some, depth), summed[place][some])


def rows_and_columns(frame: Frame, depth: int):
    """Return row and column of every code at a depth, by halving from the root."""
    code = np.arange(frame.root[0] * frame.root[1] << 2 * (depth - 1))
    root = code >> 2 * (depth - 1)
    row, column = root // frame.root[1], root % frame.root[1]
    for bit in range(depth - 2, -1, -1):
        quarter = code >> 2 * bit & 3
        row, column = 2 * row + (quarter >> 1), 2 * column + (quarter & 1)
    return row, column


@pytest.fixture(params=["sorted", "waiting", "lists", "counts", "no middle", "one tile"])
def small_tiles(request, monkeypatch):
    """Return few points to sort; a list of all; lists of many tiles; lists so short that all is
    counted at once; nothing below the middle lattice; and a base lattice of a single tile.
    """
    sizes = {
        "FEW": 1 << 13 if request.param == "sorted" else 10,
        "LIST": 30 if request.param in ("counts", "one tile") else 1 << 13,
        "WAIT": 1 << 13 if request.param in ("sorted", "waiting") else 10,
        "SHORT": 8,
        "TILE_BITS": 20 if request.param == "one tile" else 6,
        "BLOCK": 16,
    }
    monkeypatch.setattr(single_tally, "BLOCK", 16)
    for name, size in sizes.items():
        monkeypatch.setattr(tree_tally, name, size)
    middle = 1 << 20 if request.param == "no middle" else 16
    monkeypatch.setattr(node_counts, "MIDDLE_CELLS", middle)


def every_count(tally: BaseTally) -> list[list[int]]:
    frame = tally.frame
    shapes = [frame.shape(depth) for depth in range(1, frame.depth + 1)]
    return [
        tally.node_counts(np.arange(rows * columns), depth).tolist()
        for depth, (rows, columns) in enumerate(shapes, start=1)
    ]


@pytest.mark.usefixtures("small_tiles")
def test_merged_tallies_are_as_one():
    frame = Frame(square(), (2, 2), 3)
    rng = np.random.default_rng(3)
    x, y = points_near_edges(frame, rng, 2000)
    expected = BaseTally(frame)
    expected.add(x, y)
    merged = BaseTally(frame)
    for start in range(0, 2000, 190):
        part = BaseTally(frame)
        part.add(x[start : start + 190], y[start : start + 190])
        part = pickle.loads(pickle.dumps(part))
        before = every_count(part)
        merged = merged + part if start % 380 else part + merged
        assert every_count(part) == before
    assert merged.total == expected.total
    assert every_count(merged) == every_count(expected)
    more = BaseTally(frame)
    more += expected
    more.add(x[:10], y[:10])
    assert more.total - expected.total == frame.codes(x[:10], y[:10]).size
    assert np.sum(every_count(more)[-1]) == more.total


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("most", [1, 1000, 1 << 40])
def test_units_are_added_up_where_points_are_counted(most):
    """In one piece, in parts that are merged, and as what was sent elsewhere: to the unit."""
    frame = Frame(square(), (2, 2), 3)
    rng = np.random.default_rng(6)
    codes = rng.integers(0, frame.cells, 2000, dtype=np.int32)
    units = rng.integers(0, most, 2000, endpoint=True)
    truth = np.zeros(frame.cells, dtype=np.int64)
    np.add.at(truth, codes, units)
    expected = [
        truth.reshape(-1, 1 << frame.bits(depth)).sum(axis=1).tolist()
        for depth in range(1, frame.depth + 1)
    ]
    at_once, merged = UnitTally(frame), UnitTally(frame)
    at_once.keep(codes, units)
    for start in range(0, 2000, 190):
        part = UnitTally(frame)
        part.keep(codes[start : start + 190], units[start : start + 190])
        part = pickle.loads(pickle.dumps(part))
        merged = merged + part if start % 380 else part + merged
    for tally in (at_once, merged, pickle.loads(pickle.dumps(at_once))):
        assert tally.total == units.sum()
        assert every_count(tally) == expected
        some = np.sort(rng.choice(frame.cells, 9, replace=False))
        tally.prepare(some, frame.depth)
        assert tally.node_counts(some, frame.depth).tolist() == truth[some].tolist()
    at_once += merged
    assert every_count(at_once)[-1] == (2 * truth).tolist()


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("most", [2, 10_000, 1 << 30])
def test_steps_and_what_is_left_of_them_are_those_of_the_points(most):
    """Whatever is kept, merged and sent: of every node, and to the step; also at both bounds."""
    frame = Frame(square(), (2, 2), 3)
    rng = np.random.default_rng(9)
    x, y = points_near_edges(frame, rng, 2000)
    steps = rng.choice([0, 1, most // 2, most - 1, most], 2000).astype(np.int32)
    codes, inside = frame.located(x, y)
    steps = steps[inside]
    above, count = (np.zeros(frame.cells, dtype=np.int64) for _ in range(2))
    np.add.at(above, codes, steps)
    np.add.at(count, codes, 1)
    at_once, merged = StepTally(frame), StepTally(frame)
    at_once.keep(codes, steps)
    for start in range(0, len(codes), 190):
        part = StepTally(frame)
        part.keep(codes[start : start + 190], steps[start : start + 190])
        part = pickle.loads(pickle.dumps(part))
        merged = merged + part if start % 380 else part + merged
    for tally, times in ((at_once, 1), (merged, 1), (pickle.loads(pickle.dumps(merged)), 1),
                         (at_once + merged, 2)):  # fmt: skip
        assert tally.total == times * len(codes)
        for layer, truth in zip(tally.layers(most), (above, most * count - above)):
            sums = [times * truth.reshape(-1, 1 << frame.bits(depth)).sum(axis=1)
                    for depth in range(1, frame.depth + 1)]  # fmt: skip
            assert every_count(layer) == [each.tolist() for each in sums]
            assert layer.node_counts(np.array([0]), 0).tolist() == [times * truth.sum()]
            some = np.sort(rng.choice(frame.cells, 9, replace=False))
            layer.prepare(some, frame.depth)
            assert layer.node_counts(some, frame.depth).tolist() == sums[-1][some].tolist()
            assert repr(layer) == "StepLayer(private)"


@pytest.mark.usefixtures("small_tiles")
def test_layers_hold_points_that_came_after_the_other_was_asked_for():
    tally, nodes = StepTally(Frame(square(), (1, 1), 2)), np.array([0])
    above, below = tally.layers(10)
    point, points = (np.array([3], dtype=np.int32), np.array([7])), 0
    for depth in [0, 1] * 20:
        tally.keep(*point)
        assert above.node_counts(nodes, depth).tolist() == [7 * (points + 1)]
        assert below.node_counts(nodes, depth).tolist() == [3 * (points + 1)]
        assert above.node_counts(nodes, depth).tolist() == [7 * (points + 1)]
        tally.keep(*point)
        points += 2
        assert below.node_counts(nodes, depth).tolist() == [3 * points]


def test_steps_are_for_records_that_are_simply_one():
    tally, codes = StepTally(Frame(square(), (2, 2), 1)), np.zeros(1, dtype=np.int32)
    for units in ((), (codes, codes)):
        with pytest.raises(InputError, match="a tally of units"):
            tally.keep(codes, *units)


@pytest.mark.usefixtures("small_tiles")
def test_counts_after_more_points_are_new():
    tally = BaseTally(Frame(square(), (1, 1), 2))
    for total in range(1, 100):
        tally.add([0.1], [1.9])
        assert tally.node_counts(np.array([0]), 1).tolist() == [total]


@pytest.mark.usefixtures("small_tiles")
def test_nodes_may_be_asked_for_in_any_parts():
    """A tree's nodes are counted when it looks into them; later ones, together with those."""
    frame = Frame(square(), (2, 2), 4)
    rng = np.random.default_rng(5)
    tally = BaseTally(frame)
    tally.add(*points_near_edges(frame, rng, 900))
    truth = {depth: np.array(counts) for depth, counts in enumerate(every_count(tally), start=1)}
    for _ in range(5):
        again = BaseTally(frame) + tally
        for _ in range(12):
            depth = int(rng.integers(1, frame.depth + 1))
            some = np.sort(rng.choice(len(truth[depth]), rng.integers(1, 9)))
            if rng.random() < 0.5:
                again.prepare(some, depth)
            assert again.node_counts(some, depth).tolist() == truth[depth][some].tolist()


ROOTS = [(1, 1), (1, 2), (1, 3), (2, 2), (1, 5), (2, 3), (1, 7), (3, 3), (1, 11), (3, 5), (4, 4)]


@pytest.mark.parametrize("halvings", range(5))
@pytest.mark.parametrize("root", ROOTS)
def test_a_last_tile_that_is_partial_is_counted_like_the_others(root, halvings, monkeypatch):
    """With one point fewer in the last tile than makes its list be counted, as many, and more."""
    frame = Frame(square(), root, halvings)
    rng = np.random.default_rng(frame.cells)
    for tile_bits in (2, 4, 6):
        tiles = (frame.cells - 1 >> tile_bits) + 1
        if tiles > 64:  # more than the largest frame has
            continue
        sizes = {"TILE_BITS": tile_bits, "FEW": 1, "WAIT": 20, "SHORT": 4, "BLOCK": 16}
        monkeypatch.setattr(single_tally, "BLOCK", 16)
        for name, size in {**sizes, "LIST": 16, "MANY": 8}.items():
            monkeypatch.setattr(tree_tally, name, size)
        for middle in (tiles, frame.cells):
            monkeypatch.setattr(node_counts, "MIDDLE_CELLS", middle)
            for last in (1, 7, 8, 15, 16, 24, 40):
                first = tiles - 1 << tile_bits
                codes = rng.integers(first, frame.cells, last, dtype=np.int32)
                others = rng.integers(0, max(first, 1), 25, dtype=np.int32)
                check_counts(frame, np.concatenate([codes, others]))


def check_counts(frame: Frame, codes):
    """Count in blocks, at once, in parts that are merged, and as what was sent elsewhere."""
    truth = np.bincount(codes, minlength=frame.cells)
    expected = [
        truth.reshape(-1, 1 << frame.bits(depth)).sum(axis=1).tolist()
        for depth in range(1, frame.depth + 1)
    ]
    tallies = [BaseTally(frame) for _ in range(3)]
    tallies[0].keep(codes)
    for start in range(0, len(codes), 11):
        tallies[1 + start % 2].keep(codes[start : start + 11])
    merged = tallies[1] + pickle.loads(pickle.dumps(tallies[2]))
    for tally in (tallies[0], merged, pickle.loads(pickle.dumps(tallies[0]))):
        assert tally.total == len(codes)
        assert every_count(tally) == expected


@pytest.mark.parametrize("last", [(1 << 19) - 1, 1 << 19])
def test_one_point_more_in_a_partial_last_tile_does_not_stop_a_release(last):
    domain = Domain((0, 0, 30_000, 18_000), PLANE, resolution=10)
    frame = Frame(domain)
    assert frame.cells % (1 << tree_tally.TILE_BITS)
    spread = (np.arange((1 << 21) + 10 - last) * 7919 % (frame.cells >> 1)).astype(np.int32)
    tally = BaseTally(frame)
    tally.keep(np.concatenate([np.full(last, frame.cells - 1, dtype=np.int32), spread]))
    assert tally.node_counts(np.array([frame.cells - 1]), frame.depth).tolist() == [last]
    assert tally.node_counts(np.arange(frame.cells >> frame.bits(1)), 1).sum() == (1 << 21) + 10


def test_more_points_than_a_list_or_32_bits_can_hold_are_counted():
    frame = Frame(square(), (1, 1), 1)
    one = BaseTally(frame)
    one.add([0.1, 1.9, 1.9], [0.1, 1.9, 1.9])
    for power in range(1, 42):
        one += one + BaseTally(frame)
        assert one.total == 3 << power
        assert one.node_counts(np.arange(4), 2).tolist() == [1 << power, 0, 0, 2 << power]
    assert pickle.loads(pickle.dumps(one)).total == 3 << 41


@pytest.mark.parametrize("count", [1, 20, 1000])
def test_few_points_that_were_sent_are_counted_as_here(count):
    frame = Frame(square())
    tally, rng = BaseTally(frame), np.random.default_rng(count)
    tally.add(*rng.random((2, count)) * 2)
    sent = pickle.loads(pickle.dumps(tally))
    for depth in (1, 4, 11, 12):
        some = np.unique(tally.frame.codes(*rng.random((2, 100)) * 2) >> frame.bits(depth))
        assert sent.node_counts(some, depth).tolist() == tally.node_counts(some, depth).tolist()
    assert sent.node_counts(np.arange(16), 1).sum() == count


def test_what_is_sent_of_a_tally_is_small_where_few_cells_are_filled():
    """A base of 67 million cells: the whole of it would be 256 MiB for each part of the points."""
    rng = np.random.default_rng(4)
    x, y = rng.random((2, 20_000)) * 2
    tally = BaseTally(Frame(square()))
    assert len(pickle.dumps(tally)) < 1000
    tally.add(x[:5000], y[:5000])
    assert len(pickle.dumps(tally)) < 8 * 5000 + 1000
    tally.add(x, y)
    assert len(pickle.dumps(tally)) < 8 * 20_000 + 1000
    tally.add(np.full(10**6, 0.3), np.full(10**6, 0.3))
    assert len(pickle.dumps(tally)) < 8 * 20_001 + 1000


@pytest.mark.parametrize("size", [100, 10**5])
def test_counts_are_sent_as_a_list_while_that_is_smaller(size, monkeypatch):
    monkeypatch.setattr(tree_tally, "LIST", size)
    monkeypatch.setattr(tree_tally, "TILE_BITS", 12)
    monkeypatch.setattr(node_counts, "MIDDLE_CELLS", 1 << 10)
    frame = Frame(square(), (4, 4), 5)
    rng = np.random.default_rng(4)
    tally = BaseTally(frame)
    tally.add(*rng.random((2, 3000)) * 2)
    sent = pickle.dumps(tally)
    assert len(sent) < 5 * 3000 + 1000
    assert every_count(pickle.loads(sent)) == every_count(tally)
    tally.add(*rng.random((2, 10**5)) * 2)
    dense = pickle.dumps(tally)
    assert len(dense) < frame.cells + 2000
    merged = pickle.loads(sent) + pickle.loads(dense)
    assert merged.total == 3000 + tally.total
    assert np.sum(every_count(merged)[-1]) == merged.total


@pytest.mark.usefixtures("small_tiles")
def test_a_tally_in_memory_that_cannot_be_written_to_counts_on():
    """As Dask hands it over: its arrays are views of what came through the network."""
    frame = Frame(square(), (2, 2), 3)
    rng = np.random.default_rng(8)
    x, y = points_near_edges(frame, rng, 900)
    expected, sent = BaseTally(frame), BaseTally(frame)
    expected.add(x, y)
    sent.add(x[:500], y[:500])
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(sent, protocol=5, buffer_callback=buffers.append)
    frozen = [bytes(buffer.raw()) for buffer in buffers]
    assert frozen
    here, other = (pickle.loads(text, buffers=frozen) for _ in range(2))
    here.add(x[500:], y[500:])
    assert every_count(here) == every_count(expected)
    other += here
    assert other.total == expected.total + sent.total
    assert every_count(pickle.loads(text, buffers=frozen)) == every_count(sent)


@pytest.mark.parametrize(("first", "second", "bits"), [(200, 55, 8), (200, 56, 16), (1, 65535, 32)])
def test_counts_of_a_tile_are_added_in_the_narrowest_type(first, second, bits):
    frame = Frame(square(), (1, 1), 2)
    tallies = [BaseTally(frame) for _ in range(3)]
    for tally, count in zip(tallies, (first, second, 200)):
        tally._take(0, [np.array([count, *[0] * 15])])
        tally._totals = [count]
    merged = tallies[0] + tallies[1]
    (counts,) = merged._counted[0]
    assert counts.itemsize * 8 == bits
    assert counts.tolist() == [first + second, *[0] * 15]
    apart = BaseTally(frame)
    apart._take(0, [np.array([0, 200, *[0] * 14])])
    assert (tallies[2] + apart)._counted[0][0].dtype == np.uint8  # the most are in two cells
    assert tallies[2]._counted[0][0].tolist() == [200, *[0] * 15]


@pytest.mark.usefixtures("small_tiles")
def test_true_counts_are_gone_with_the_tally_that_has_them():
    """At once, and not whenever memory is searched for circles."""
    tally = BaseTally(Frame(square(), (2, 2), 4))
    tally.add(*points_near_edges(tally.frame, np.random.default_rng(2), 900))
    tally.node_counts(np.arange(1024), 5)
    alive = weakref.ref(tally)
    del tally
    assert alive() is None


def test_a_tally_tells_nothing_in_its_repr():
    tally = BaseTally(Frame(square()))
    tally.add([0.1] * 7, [0.1] * 7)
    assert repr(tally) == "BaseTally(private)"


def test_tallies_of_other_frames_are_refused():
    with pytest.raises(InputError, match="same frame"):
        BaseTally(Frame(square(), (1, 1), 1)) + BaseTally(Frame(square(), (1, 1), 2))


@pytest.mark.parametrize("root", [(0, 1), (5, 4), (1.5, 1), "ab", 3])
def test_a_root_must_be_rows_and_columns(root):
    with pytest.raises(InputError, match="root cells must be"):
        Frame(square(), root)


@pytest.mark.parametrize("halvings", [-1, 12, 1.5, "2"])
def test_halvings_must_be_a_small_whole_number(halvings):
    with pytest.raises(InputError, match="halvings must be"):
        Frame(square(), (1, 1), halvings)


def test_copies_of_a_frame_are_equal_and_read_only():
    frame = Frame(square())
    copy = pickle.loads(pickle.dumps(frame))
    assert copy == frame
    assert hash(copy) == hash(frame)
    assert not copy.x_edges.flags.writeable
