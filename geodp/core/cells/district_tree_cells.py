"""Take the final cells of a tree that is rooted in districts: each is a union of cells."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..common.text import LONGEST
from ..common.types import Bools, Floats, Ints, freeze
from ..districts.district_frame import DistrictFrame
from ..districts.district_pieces import piece_outlines
from ..districts.district_tree import DistrictTree
from ..districts.districts import DistrictMap
from ..regions.outlines import dissolved
from ..regions.polygons import Polygons
from ..regions.workload import Workload
from ..space.axis import ranges
from ..space.domain import Domain
from ..space.levels import Levels
from .cells import Cells
from .district_cells import (
    district_facts,
    districts_from_facts,
    joined_polygons,
    level_columns,
    level_facts,
    levels_from_facts,
)


class DistrictTreeCells(Cells):
    """Cells inside of districts, districts, and unions of districts that hold few records.

    Examples
    --------
    >>> unit = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> rings = [(0, False, unit), (1, False, unit + [1.0, 0.0])]
    >>> towns = DistrictMap.from_rings(rings, ["west", "east"])
    >>> frame = DistrictFrame(towns, Domain((0, 0, 2, 1), crs="EPSG:5070"))
    >>> cells = DistrictTreeCells(DistrictTree(frame, [[True, False], [False] * 4]))
    >>> cells.attributes()["district"].tolist()
    ['west', 'west', 'west', 'west', 'east']
    """

    kind: ClassVar[str] = "adaptive districts"
    format: ClassVar[str] = "6"
    tree: DistrictTree

    def __init__(self, tree: DistrictTree) -> None:
        self.tree = tree

    def __repr__(self) -> str:
        return f"DistrictTreeCells({self.tree!r}, {self.districts!r})"

    @property
    def identity(self) -> DistrictTree:
        return self.tree

    @property
    def domain(self) -> Domain:
        return self.tree.frame.domain

    @property
    def districts(self) -> DistrictMap:
        """Return the layer."""
        return self.tree.frame.districts

    @property
    def levels(self) -> Levels | None:  # type: ignore[override]
        """Return the larger units that hold the districts, where some were named."""
        return self.tree.frame.levels

    def __len__(self) -> int:
        return len(self.tree)

    @cached_property
    def bounds(self) -> Floats:
        polygons = self.polygons
        first = np.searchsorted(polygons.owner, np.arange(len(self)))
        low, high = (
            side.reduceat(polygons.edges[:, :2], first) for side in (np.minimum, np.maximum)
        )
        return freeze(np.hstack([low, high]))

    @cached_property
    def _district(self) -> Ints:
        """Return the district that holds each cell; -1 for cells that hold several."""
        return freeze(self.tree.frame.district(self.tree.cell_code))

    @property
    def without_count(self) -> tuple[str, ...]:
        """Return ids of districts that share a cell with others, and so have no count."""
        frame = self.tree.frame
        first, last = frame.ranks(self.tree.cell_code[self._district < 0])
        ids = self.districts.ids
        ranks = [range(*run) for run in zip(first.tolist(), last.tolist())]
        return tuple(ids[frame.order[rank]] for run in ranks for rank in run)

    def attributes(self) -> dict[str, npt.NDArray[Any]]:
        ids = np.array([*self.districts.ids, ""], dtype=object)
        names = ids[self._district]
        union = np.flatnonzero(self._district < 0)
        names[union] = [self._union_name(code) for code in self.tree.cell_code[union]]
        return {"district": names, **self._unit_names(), "depth": self.tree.cell_depth}

    def _unit_names(self) -> dict[str, npt.NDArray[Any]]:
        """Return the larger units that hold each cell; no text for cells that hold several."""
        if self.levels is None:
            return {}
        frame, columns = self.tree.frame, level_columns(self.levels.names[:-1])
        first, last = frame.ranks(self.tree.cell_code)
        names: dict[str, npt.NDArray[Any]] = {}
        for depth, column in enumerate(columns, start=1):
            starts, labels = self.levels.smallest_units(depth), self.levels.labels[depth - 1]
            unit = np.searchsorted(starts, frame.order, side="right") - 1
            one = unit[first] == unit[last - 1]
            names[column] = np.where(one, np.array([*labels], dtype=object)[unit[first]], "")
        return names

    def _union_name(self, code: Any) -> str:
        """Return names of the districts in a union, or of the first and how many more there are."""
        (first,), (last,) = self.tree.frame.ranks(np.array([code]))
        ids = [self.districts.ids[district] for district in self.tree.frame.order[first:last]]
        name = " + ".join(ids)
        return name if len(name) <= LONGEST else f"{ids[0]} + {len(ids) - 1:,} more"[:LONGEST]

    def unit_regions(self) -> tuple[Workload, list[str]]:
        """Return the units of all levels as regions, from the largest, and what they are called.

        Where no larger units were named, these are the districts.
        """
        levels = self.levels or Levels(["district"], [(name,) for name in self.districts.ids])
        every: Polygons | None = None
        names: list[str] = []
        for depth in range(1, levels.depth + 1):
            starts, labels = levels.smallest_units(depth), levels.labels[depth - 1]
            unit = np.repeat(np.arange(len(labels)), np.diff(starts))
            united = self.districts.unions(unit, len(labels))
            every = united if every is None else joined_polygons(every, united)
            names += self.districts.ids if depth == levels.depth else labels
        assert every is not None
        weights = np.ones(every.count, dtype=np.int64)
        return Workload(self.domain, None, every, weights, "units of all levels"), names

    def locate(self, x: Floats, y: Floats) -> Ints:
        return self.tree.locate(np.asarray(x, dtype=float), np.asarray(y, dtype=float))

    @cached_property
    def polygons(self) -> Polygons:
        tree, layer = self.tree, self.districts.polygons
        code, frame = tree.cell_code, tree.frame
        union, district = frame.is_union(code), frame.is_district(code)
        full = ~union & ~district & (tree.cell_share >= 1)
        cut = np.flatnonzero(~union & ~district & ~full)
        parts = [_boxes(tree.bounds[full], np.flatnonzero(full))]
        pieces = piece_outlines(layer, self._district[cut], tree.bounds[cut])
        parts.append((pieces.edges, cut[pieces.owner], pieces.ring))
        parts.append(self._complete_districts(code, union | district))
        rings, edges, owners, numbers = 0, [], [], []
        for some, owner, ring in parts:
            edges.append(some)
            owners.append(owner)
            numbers.append(ring + rings)
            rings += int(ring.max(initial=-1)) + 1
        owner, ring = np.concatenate(owners), np.concatenate(numbers)
        order = np.lexsort((ring, owner))
        ring = ring[order]
        ring = np.cumsum(np.append(False, ring[1:] != ring[:-1]))
        return Polygons(np.concatenate(edges)[order], owner[order], ring, len(self))

    def _complete_districts(self, code: Ints, some: Bools) -> tuple[Floats, Ints, Ints]:
        """Return edges, cells and rings of cells that are districts, or unions of them."""
        frame, layer = self.tree.frame, self.districts.polygons
        first, last = frame.ranks(code[some])
        group = np.full(len(self.districts), -1, dtype=np.int64)
        group[frame.order[_runs(first, last)]] = np.repeat(np.arange(len(first)), last - first)
        kept = group[layer.owner] >= 0
        chosen = Polygons(layer.edges[kept], layer.owner[kept], layer.ring[kept], layer.count)
        united = dissolved(chosen, group, len(first))
        return united.edges, np.flatnonzero(some)[united.owner], united.ring

    def to_facts(self) -> dict[str, Any]:
        frame = self.tree.frame
        return {
            "districts": district_facts(self.districts),
            "halvings": frame.halvings,
            "resolution": frame.resolution,
            "tree": self.tree.to_text(),
            **({} if self.levels is None else {"levels": level_facts(self.levels)}),
        }

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: Domain, most: int) -> DistrictTreeCells:
        districts = districts_from_facts(facts["districts"], most)
        resolution = float(facts["resolution"])
        levels = levels_from_facts(facts["levels"]) if "levels" in facts else None
        halvings = int(facts["halvings"])
        frame = DistrictFrame(districts, domain, halvings, resolution=resolution, levels=levels)
        return cls(DistrictTree.from_text(str(facts["tree"]), frame, most))

    @staticmethod
    def candidate(layout: Any, domain: Domain) -> Any:
        del layout, domain
        raise ValueError("nothing was chosen among districts")


def _boxes(boxes: Floats, owner: Ints) -> tuple[Floats, Ints, Ints]:
    """Return edges of boxes, counter-clockwise, with their cells and rings."""
    west, south, east, north = boxes.T
    corners = [(west, south), (east, south), (east, north), (west, north)]
    sides = [np.column_stack([*corners[i], *corners[(i + 1) % 4]]) for i in range(4)]
    edges = np.stack(sides, axis=1).reshape(-1, 4)
    return edges, np.repeat(owner, 4), np.repeat(np.arange(len(owner)), 4)


def _runs(first: Ints, last: Ints) -> Ints:
    """Return numbers from each first up to each last, one run after the other."""
    length = last - first
    return ranges(first, length)[1]
