"""Made data that goes where it hurts: edges of cells and regions, and one ulp beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from geodp.core.common.errors import InputError
from geodp.core.common.types import Floats
from geodp.core.privacy.quantity import Contribution
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.releases.release import Release
from geodp.core.space.domain import Crs, Domain
from geodp.core.space.grid import Grid, checked_candidates
from geodp.core.space.support import LARGEST, Support

PLANE = Crs("EPSG:5070", metres_per_unit=1000.0)
"""A projected CRS by its facts, so that no test of the core needs pyproj."""

BOUNDS = [
    (0.0, 0.0, 1.0, 1.0),
    (0.0, 0.0, 3.0, 2.0),
    (-2400000.0, 200000.0, 2300000.0, 3200000.0),
    (500000.1, 4100000.7, 500333.4, 4100100.2),
    (-1e-3, -7e-4, 1.3e-3, 1e-9),
]


@dataclass(frozen=True)
class Case:
    """A domain with candidates, the coordinates that matter on each axis, and regions."""

    grids: tuple[Grid, ...]
    workload: Workload
    x: Floats
    y: Floats


def square(size: float = 2.0) -> Domain:
    return Domain((0.0, 0.0, size, size), PLANE)


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    bounds = draw(st.sampled_from(BOUNDS))
    return Domain(bounds, PLANE, within=draw(st.one_of(st.none(), supports(bounds))))


@st.composite
def supports(draw: st.DrawFn, bounds: tuple[float, float, float, float]) -> Support:
    """Return a few pixels with and without weight."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    weight = st.sampled_from([0, 0, 1, 3, 255, LARGEST])
    drawn = draw(st.lists(weight, min_size=rows * columns, max_size=rows * columns))
    drawn[draw(st.integers(0, len(drawn) - 1))] = 7
    return Support(bounds, np.array(drawn).reshape(rows, columns))


@st.composite
def grid_sets(draw: st.DrawFn, most: int = 3) -> tuple[Grid, ...]:
    domain = draw(domains())
    grids: dict[tuple[bytes, bytes], Grid] = {}
    for _ in range(draw(st.integers(1, most))):
        if draw(st.integers(0, 3)) == 0:
            shorter = min(domain.width, domain.height)
            grid = Grid(domain, cell_size=shorter / draw(st.sampled_from([1.0, 1.7, 2.0, 3.3])))
        else:
            grid = Grid(domain, (draw(st.integers(1, 5)), draw(st.integers(1, 5))))
        grids[grid.x_edges.tobytes(), grid.y_edges.tobytes()] = grid
    return checked_candidates(list(grids.values()))


def telling(edges: list[Floats], extra: Floats) -> Floats:
    """Return edges, their neighbours in float64, and some places between, all inside the outer
    edges.
    """
    lines = np.unique(np.concatenate(edges))
    values = np.concatenate(
        [lines, np.nextafter(lines, -np.inf), np.nextafter(lines, np.inf), extra]
    )
    return np.unique(np.clip(values, lines[0], lines[-1]))


@st.composite
def box_cases(draw: st.DrawFn) -> Case:
    grids = draw(grid_sets())
    x, y = places(draw, grids)
    boxes = []
    for _ in range(draw(st.integers(1, 4))):
        (x0, x1), (y0, y1) = pair(draw, x), pair(draw, y)
        boxes.append((x0, y0, x1, y1))
    expected = draw(st.sampled_from([None, "area"]))
    workload = Workload.from_boxes(boxes, grids[0].domain, expected=expected)
    x = telling([x, workload.boxes[:, 0], workload.boxes[:, 2]], x)
    y = telling([y, workload.boxes[:, 1], workload.boxes[:, 3]], y)
    return Case(grids, workload, x, y)


@st.composite
def polygon_cases(draw: st.DrawFn, unchecked: bool = True) -> Case:
    """Draw regions of any closed rings; those that bound no area only where they are unchecked."""
    grids = draw(grid_sets())
    x, y = places(draw, grids)
    count = draw(st.integers(1, 3))
    rings = []
    for polygon in range(count):
        rings.append((polygon, False, draw_ring(draw, x, y, wild=unchecked)))
        if draw(st.integers(0, 2)) == 0 and unchecked:
            rings.append((polygon, draw(st.booleans()), draw_ring(draw, x, y)))
    polygons, domain = Polygons.from_rings(rings, count), grids[0].domain
    if unchecked:
        weights = np.ones(count, dtype=np.int64)
        return Case(grids, Workload(domain, None, polygons, weights, "any rings"), x, y)
    try:
        return Case(grids, Workload.from_polygons(polygons, domain), x, y)
    except InputError:
        reject()


def draw_ring(draw: st.DrawFn, x: Floats, y: Floats, wild: bool = True) -> Floats:
    """Return corners at telling places: bow-ties, spikes, corners twice, edges on one another."""
    sizes = [3, 3, 4, 5, 7] if wild else [3, 3, 4]
    corners = [pick(draw, x, y) for _ in range(draw(st.sampled_from(sizes)))]
    if not wild:
        return np.array(corners)
    for kind in draw(st.lists(st.sampled_from(["repeat", "spike"]), max_size=2)):
        at = draw(st.integers(0, len(corners) - 1))
        back = corners[at] if kind == "repeat" else corners[at - 1]
        corners.insert(at + 1, back)
    return np.array(corners)


def places(draw: st.DrawFn, grids: tuple[Grid, ...]) -> tuple[Floats, Floats]:
    """Return coordinates that matter on both axes, with a few random ones."""
    xmin, ymin, xmax, ymax = grids[0].domain.bounds
    shares = np.array(draw(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=4)))
    within = grids[0].domain.within
    cut = list(grids) if within is None else [*grids, within]
    x = telling([each.x_edges for each in cut], xmin + shares * (xmax - xmin))
    y = telling([each.y_edges for each in cut], ymin + shares * (ymax - ymin))
    return x, y


def pair(draw: st.DrawFn, values: Floats) -> tuple[float, float]:
    first = draw(st.integers(0, len(values) - 2))
    second = draw(st.integers(first + 1, len(values) - 1))
    return float(values[first]), float(values[second])


def pick(draw: st.DrawFn, x: Floats, y: Floats) -> tuple[float, float]:
    i, j = draw(st.integers(0, len(x) - 1)), draw(st.integers(0, len(y) - 1))
    return float(x[i]), float(y[j])


@st.composite
def draw_points(draw: st.DrawFn, case: Case, most: int = 8) -> tuple[Floats, Floats]:
    """Return a few records at telling places, some of them many times over."""
    picked = [pick(draw, case.x, case.y) for _ in range(draw(st.integers(0, most)))]
    times = draw(st.lists(st.sampled_from([1, 1, 2, 30]), min_size=most, max_size=most))
    repeated = [place for place, n in zip(picked, times) for _ in range(n)]
    array = np.array(repeated, dtype=np.float64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def count_table(release: Release) -> np.ndarray:
    """Counts of a regular release in rows and columns, row 0 in the north."""
    return release.cells.grid.reshape(release.counts)


def at_most(most: int) -> Contribution:
    """Return so many records of each person, each of which is one."""
    return Contribution(most, keep=most, units=1)
