"""Cover the cells of a tree by regions, from the top: only border nodes are looked into.

A node wholly inside a region stands for all cells below it: their estimates add up to its own. So
a region is a list of nodes with weights, few of them even where cells are many: nodes wholly
inside, with weight 1, and final cells on the border, with the covered share of their area.
Everything here is public, and is used on published numbers only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..common.types import Bools, Floats, Ints
from ..regions.overlap import share_in_units
from ..regions.polygons import Polygons
from ..regions.strips import Strips
from ..regions.weighted_overlap import weight_shares
from ..regions.workload import Workload
from ..space.axis import WHOLE, ranges
from ..space.support import Support
from ..space.tree import Tree

BLOCK = 1 << 10
"""Boxes covered at once."""


@dataclass(frozen=True, eq=False)
class Covered:
    """Nodes of one depth that meet regions, one entry for each pair of a region and a node.

    Attributes
    ----------
    region : ndarray of int
        Which region.
    node : ndarray of int
        Position of the node at its depth.
    parent : ndarray of int
        Position of the entry for the node's parent, at the depth above.
    weight : ndarray of float
        Covered share of the node's area where ``ends``; 0 elsewhere.
    ends : ndarray of bool
        Whether the entry stands for all that lies below: the node is wholly inside, or final.
    """

    region: Ints
    node: Ints
    parent: Ints
    weight: Floats
    ends: Bools

    def keep(self, kept: Bools) -> Covered:
        """Return some of the entries."""
        return Covered(
            self.region[kept],
            self.node[kept],
            self.parent[kept],
            self.weight[kept],
            self.ends[kept],
        )


def covered_in_parts(tree: Tree, regions: Workload) -> Iterator[tuple[slice, list[Covered]]]:
    """Cover regions a few at a time, so that memory stays bounded: which, and their nodes."""
    if regions.boxes is None:
        yield slice(0, len(regions)), covered(tree, regions)
        return
    for start in range(0, len(regions), BLOCK):
        part = slice(start, min(start + BLOCK, len(regions)))
        yield part, _box_nodes(tree, regions.boxes[part])


def covered(tree: Tree, regions: Workload) -> list[Covered]:
    """Return nodes that regions cover, for every depth of the tree.

    Examples
    --------
    >>> from geodp.core.space.domain import Domain
    >>> from geodp.core.space.frame import Frame
    >>> town = Domain((0, 0, 4, 4), crs="EPSG:5070")
    >>> tree = Tree(Frame(town, (2, 2), 1), [[True, False, False, False], [False] * 4])
    >>> covers = covered(tree, Workload.from_boxes([(0, 0, 3, 2)], town))
    >>> [depth.node.tolist() for depth in covers], covers[1].weight
    ([[0], [0, 1], []], array([1. , 0.5]))
    """
    if regions.boxes is not None:
        return _box_nodes(tree, regions.boxes)
    return _polygon_nodes(tree, regions)


def start_entries(count: int) -> Covered:
    """Return every region with the domain."""
    every, zero = np.arange(count), np.zeros(count, dtype=np.int64)
    return Covered(every, zero, every, np.zeros(count), np.zeros(count, dtype=np.bool_))


def _children(tree: Tree, depth: int, above: Covered) -> tuple[Ints, Ints, Ints]:
    """List region, node and parent entry of all children of nodes that are looked into."""
    opened = np.flatnonzero(~above.ends)
    fan_out = tree.frame.children(depth - 1)
    family = np.cumsum(tree.levels[depth - 1].split) - 1
    first = family[above.node[opened]] * fan_out
    which, node = ranges(first, np.full(len(opened), fan_out))
    return above.region[opened][which], node, opened[which]


# --- boxes ------------------------------------------------------------------------------------


def _box_nodes(tree: Tree, boxes: Floats) -> list[Covered]:
    covers = [start_entries(len(boxes))]
    for depth in range(1, len(tree.levels)):
        region, node, parent = _children(tree, depth, covers[-1])
        xmin, ymin, xmax, ymax = tree.node_bounds(depth, node)
        low_x, low_y, high_x, high_y = boxes[region].T
        x, inside_x = _along(xmin, xmax, low_x, high_x)
        y, inside_y = _along(ymin, ymax, low_y, high_y)
        inside = inside_x & inside_y
        ends = inside | ~tree.levels[depth].split[node]
        share = x * y
        kept = (np.minimum(xmax, high_x) > np.maximum(xmin, low_x)) & (
            np.minimum(ymax, high_y) > np.maximum(ymin, low_y)
        )
        within = tree.frame.domain.within
        if within is not None:
            kept &= tree.levels[depth].supported[node]
            cut = np.flatnonzero(kept & ends & ~inside)
            share[cut] = _box_shares(within, boxes[region[cut]], tree.node_bounds(depth, node[cut]))
        weight = np.where(ends, share, 0.0)
        covers.append(Covered(region, node, parent, weight, ends).keep(kept))
    return covers


def _box_shares(within: Support, boxes: Floats, nodes: tuple[Floats, ...]) -> Floats:
    """Return shares of nodes' weights that lie in boxes, in steps of ``2**-24``."""
    low_x, low_y, high_x, high_y = boxes.T
    xmin, ymin, xmax, ymax = nodes
    inside = within.weight(
        np.maximum(xmin, low_x),
        np.maximum(ymin, low_y),
        np.minimum(xmax, high_x),
        np.minimum(ymax, high_y),
    )
    return weight_shares(inside, within.weight(xmin, ymin, xmax, ymax)) / WHOLE


def _along(low: Floats, high: Floats, start: Floats, stop: Floats) -> tuple[Floats, Bools]:
    """Return the covered share of cells along one axis, and whether it is all, by comparing edges.

    Shares are multiples of ``2**-24``, as on regular grids.
    """
    inside = (start <= low) & (high <= stop)
    share = (np.minimum(high, stop) - np.maximum(low, start)) / (high - low)
    rounded = np.clip(np.rint(share * WHOLE), 0, WHOLE) / WHOLE
    return np.where(inside, 1.0, rounded), inside


# --- polygons ---------------------------------------------------------------------------------


def _polygon_nodes(tree: Tree, regions: Workload) -> list[Covered]:
    polygons = regions.polygons
    assert polygons is not None
    strips = Strips(polygons, tree.frame.domain)
    covers = [start_entries(polygons.count)]
    edge, entry = np.arange(len(polygons.edges)), polygons.owner
    for depth in range(1, len(tree.levels)):
        region, node, parent = _children(tree, depth, covers[-1])
        edge, entry = _touched(tree, depth, polygons, edge, entry, covers[-1], node)
        border = np.zeros(len(node), dtype=np.bool_)
        border[entry] = True
        ends = ~(border & tree.levels[depth].split[node])
        bounds = tree.node_bounds(depth, node)
        weight = np.zeros(len(node))
        supported = tree.levels[depth].supported[node]
        final = np.flatnonzero(border & ends & supported)
        xmin, ymin, xmax, ymax = (part[final] for part in bounds)
        share = share_in_units(strips.shares(region[final], xmin, ymin, xmax, ymax))
        if tree.frame.domain.within is not None:
            weights = regions.polygon_weights
            share = weights.shares(share, region[final], (xmin, ymin, xmax, ymax))
        weight[final] = share / WHOLE
        free = np.flatnonzero(~border & supported)
        weight[free] = strips.inside(region[free], *(part[free] for part in bounds))
        kept = ~ends | (weight > 0)
        position = np.cumsum(kept) - 1
        covers.append(Covered(region, node, parent, weight, ends).keep(kept))
        opened = ~ends[entry]
        edge, entry = edge[opened], position[entry[opened]]
    return covers


def _touched(
    tree: Tree,
    depth: int,
    polygons: Polygons,
    edge: Ints,
    above: Ints,
    parents: Covered,
    node: Ints,
) -> tuple[Ints, Ints]:
    """Return pairs of an edge and an entry of this depth whose node it meets.

    Nodes are looked for among the children of the entries that each edge met above. An edge along
    a side may be taken for one of either neighbour: both shares come out right.
    """
    fan_out = tree.frame.children(depth - 1)
    opened = np.cumsum(~parents.ends) - 1
    rows, columns = tree.frame.root if depth == 1 else (2, 2)
    # Children of one node are a small lattice: an edge meets a rectangle of it, at most.
    x, y = tree.frame.lines(depth)
    level, base = tree.levels[depth], opened[above] * fan_out
    west, south = level.column[node[base]], level.row[node[base]]
    ax, ay, bx, by = polygons.edges[edge].T
    spans = []
    for lines, first, count, a, b in ((x, west, columns, ax, bx), (y, south, rows, ay, by)):
        low, high = np.minimum(a, b), np.maximum(a, b)
        start = np.zeros(len(edge), dtype=np.int64)
        stop = np.zeros(len(edge), dtype=np.int64)
        for line in range(1, count):  # at most 15 at depth 1, one below
            start += lines[first + line] <= low
            stop += lines[first + line] <= high
        spans.append((start, stop, (high >= lines[first]) & (low <= lines[first + count])))
    (c0, c1, meets_x), (r0, r1, meets_y) = spans
    wide = np.where(meets_x & meets_y, c1 - c0 + 1, 0)
    which, step = ranges(np.zeros(len(edge), dtype=np.int64), wide * (r1 - r0 + 1))
    column, row = c0[which] + step % wide[which], r0[which] + step // wide[which]
    entry = base[which] + row * columns + column
    single = (c0 == c1)[which] & (r0 == r1)[which]
    crosses = single | _crosses(polygons.edges[edge[which]], tree.node_bounds(depth, node[entry]))
    return edge[which[crosses]], entry[crosses]


def _crosses(edges: Floats, bounds: tuple[Floats, Floats, Floats, Floats]) -> Bools:
    """Tell whether the line through an edge meets a rectangle: corners on both sides, or on it."""
    ax, ay, bx, by = edges.T
    xmin, ymin, xmax, ymax = bounds
    dx, dy = bx - ax, by - ay
    low, high = np.full(len(ax), np.inf), np.full(len(ax), -np.inf)
    for x, y in ((xmin, ymin), (xmax, ymin), (xmin, ymax), (xmax, ymax)):
        side = dx * (y - ay) - dy * (x - ax)
        low, high = np.minimum(low, side), np.maximum(high, side)
    # A corner that is on the line but for rounding counts as touched.
    slack = 2.0**-40 * (np.abs(dx) + np.abs(dy)) * ((xmax - xmin) + (ymax - ymin))
    return np.asarray((low <= slack) & (high >= -slack))
