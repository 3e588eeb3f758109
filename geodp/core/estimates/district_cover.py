"""Cover the nodes of a tree that is rooted in districts by regions, from the top. Public.

A region that is a district, or a union of districts, ends at their nodes: nothing below is looked
into. Elsewhere boxes are compared with the region first. What a region shares with the rest of a
district's border cell is measured by the cell's outline.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..cells.district_cells import (
    DistrictOverlap,
    box_areas_in,
    joined_polygons,
    region_polygons,
    shares_by_weight,
)
from ..common.types import Bools, Floats, Ints
from ..districts.district_frame import share_of_first
from ..districts.district_overlaps import overlap_areas
from ..districts.district_pieces import cut_edges
from ..districts.district_raster import PolygonRows
from ..districts.district_tree import DistrictTree
from ..regions.polygons import Polygons
from ..regions.strips import Strips
from ..regions.workload import Workload
from ..space.axis import ranges
from .tree_overlap import Covered, start_entries

_ROUNDING = 1e-9
"""Shares nearer than this to none or all are that: areas are rounded."""

_REGIONS = 1 << 9
"""Boxes covered at once."""


def cover_districts(tree: DistrictTree, regions: Workload) -> Iterator[tuple[slice, list[Covered]]]:
    """Cover regions a few at a time: which, and the nodes of every depth that they meet."""
    start = 0
    for some in regions.in_parts(_REGIONS):
        yield slice(start, start + len(some)), _covered(tree, some)
        start += len(some)


def _covered(tree: DistrictTree, regions: Workload) -> list[Covered]:
    polygons = region_polygons(regions)
    shared = _DistrictShares(tree, regions)
    strips, within = Strips(polygons, regions.domain), tree.frame.domain.within
    covers = [start_entries(polygons.count)]
    for depth in range(1, len(tree.levels)):
        above, level = covers[-1], tree.levels[depth]
        opened = np.flatnonzero(~above.ends)
        family = np.cumsum(tree.levels[depth - 1].split) - 1
        place = family[above.node[opened]]
        which, node = ranges(tree.family_start(depth - 1)[place], tree.fan_out(depth - 1)[place])
        region, parent = above.region[opened][which], opened[which]
        kept = level.supported[node]
        region, node, parent = region[kept], node[kept], parent[kept]
        code, split = level.code[node], level.split[node]
        upper = tree.frame.is_union(code) | tree.frame.is_district(code)
        weight = np.zeros(len(node))
        weight[upper] = shared.shares(region[upper], code[upper])
        inner = np.flatnonzero(~upper)
        box = tree.frame.bounds(code[inner]).T
        weight[inner] = _rounded(strips.shares(region[inner], *box))
        cut = (weight[inner] > 0) & (weight[inner] < 1)
        last = inner[cut & ~split[inner]]
        border = last[level.share[node[last]] < 1]
        area = tree.areas[depth][node[border]]
        if regions.boxes is None:
            shared_area = _piece_areas(tree, polygons, region[border], code[border])
        else:
            held = tree.frame.district(code[border]), tree.frame.bounds(code[border])
            shared_area = box_areas_in(tree.frame.strips, *held, regions, region[border])
        weight[border] = _rounded(shared_area / area)
        if within is not None:
            last = last[(weight[last] > 0) & (weight[last] < 1)]
            pieces, place = _pieces(tree, code[last])
            pairs = place, region[last]
            by_weight = shares_by_weight(within, (pieces, polygons), pairs, weight[last])
            weight[last] = _rounded(by_weight)
        ends = (weight >= 1) | ~split
        listed = weight > 0
        entry = Covered(region, node, parent, np.where(ends, weight, 0.0), ends)
        covers.append(entry.keep(listed))
    return covers


def cover_units(tree: DistrictTree) -> list[Covered]:
    """Cover the units of all levels, from the largest: the nodes of every depth that hold each.

    A unit is a node, or a part of one that was not split: then it has its share of that.
    """
    frame = tree.frame
    first, last = frame.units
    base = first << 2 * frame.halvings
    region, parent = np.arange(len(first)), np.arange(len(first))
    ends = last - first == len(frame.order)
    covers = [Covered(region, 0 * region, region, ends.astype(np.float64), ends)]
    for level in tree.levels[1:]:
        opened = np.flatnonzero(~covers[-1].ends)
        region, parent = covers[-1].region[opened], opened
        node = np.searchsorted(frame.spans(level.code)[0], base[region], side="right") - 1
        run = frame.ranks(level.code[node])
        weight = frame.run_shares((first[region], last[region]), run)
        complete = (run[0] == first[region]) & (run[1] == last[region])
        ends = complete | ~level.split[node]
        weight = np.where(complete, 1.0, np.where(ends, weight, 0.0))
        covers.append(Covered(region, node, parent, weight, ends))
    return covers


class _DistrictShares:
    """Shares of districts, and of unions of them, that regions cover."""

    def __init__(self, tree: DistrictTree, regions: Workload) -> None:
        frame = tree.frame
        overlap = DistrictOverlap(frame.districts, regions)
        rank = np.empty(len(frame.order), dtype=np.int64)
        rank[frame.order] = np.arange(len(rank))
        key = overlap.region * len(rank) + rank[overlap.cell]
        order = np.argsort(key)
        self._frame, self._count, self._key = frame, len(rank), key[order]
        self._share = overlap.share[order]
        self._complete = np.append(0, np.cumsum(self._share >= 1))
        sizes = frame.district_sizes
        self._covered = [
            np.append(0.0, np.cumsum((overlap.share * size[overlap.cell])[order])) for size in sizes
        ]
        self._size = [np.append(0.0, np.cumsum(size[frame.order])) for size in sizes]

    def shares(self, region: Ints, code: Ints) -> Floats:
        """Return the share of each node that a region covers, exactly 1 where it is all."""
        first, last = self._frame.ranks(code)
        start = np.searchsorted(self._key, region * self._count + first)
        stop = np.searchsorted(self._key, region * self._count + last)
        share = share_of_first(
            [covered[stop] - covered[start] for covered in self._covered],
            [size[last] - size[first] for size in self._size],
        )
        single = (last - first == 1) & (stop > start)
        share[single] = self._share[start[single]]
        complete = self._complete[stop] - self._complete[start] == last - first
        some: Bools = stop > start
        return np.where(complete, 1.0, np.where(some, np.clip(share, 0.0, 1 - _ROUNDING), 0.0))


def _piece_areas(tree: DistrictTree, polygons: Polygons, region: Ints, code: Ints) -> Floats:
    """Return areas of border cells that regions cover, by the outlines of both."""
    if not len(code):
        return np.zeros(0)
    pieces, place = _pieces(tree, code)
    both = joined_polygons(pieces, polygons)
    return overlap_areas(both, PolygonRows(both), place, pieces.count + region)


def _pieces(tree: DistrictTree, code: Ints) -> tuple[Polygons, Ints]:
    """Return outlines of border cells, each once, and which of them each code is of."""
    every, place = np.unique(code, return_inverse=True)
    frame = tree.frame
    pieces = cut_edges(frame.districts.polygons, frame.district(every), frame.bounds(every))
    return pieces, place.ravel()


def _rounded(share: Floats) -> Floats:
    share = np.where(share > 1 - _ROUNDING, 1.0, share)
    return np.where(share < _ROUNDING, 0.0, share)
