"""Official grids: bounds that are moved outwards, identifiers by the lower left corner."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from strategies import PLANE

import geodp
from geodp import Crs, Domain, Grid, InputError
from geodp.core.cells.grid_cells import GridCells
from geodp.core.cells.tree_cells import TreeCells
from geodp.core.publish.columns import cell_columns
from geodp.core.space.frame import Frame
from geodp.core.space.official import official_ids
from geodp.core.space.support import Support
from geodp.core.space.tree import Tree

EUROPE = Crs("EPSG:3035")


def ids(*boxes, crs=EUROPE):
    texts = official_ids(np.array(boxes, dtype=float).reshape(-1, 4), crs)
    return None if texts is None else texts.tolist()


def test_an_identifier_has_side_northing_and_easting():
    assert ids((4334000, 2684000, 4335000, 2685000)) == ["CRS3035RES1000mN2684000E4334000"]
    assert ids((900, 1800, 1000, 1900)) == ["CRS3035RES100mN1800E900"]
    assert ids((7, 5, 8, 6)) == ["CRS3035RES1mN5E7"]
    assert ids((0, 0, 100_000, 100_000)) == ["CRS3035RES100000mN0E0"]


@pytest.mark.parametrize(
    "box",
    [
        (4334000, 2684000, 4335000, 2684500),  # no square
        (4334500, 2684000, 4335500, 2685000),  # not at a multiple of its side
        (4334000, 2684100, 4335000, 2685100),
        (0, 0, 0.5, 0.5),  # no whole metres
        (0, 0, 1000.5, 1000.5),
        (0.25, 0, 1.25, 1),
        (-1000, 0, 0, 1000),  # the official grid begins at the origin
        (0, -1000, 1000, 0),
    ],
)
def test_other_boxes_have_none(box):
    assert ids(box) is None
    assert ids(box, (1000, 0, 2000, 1000)) == [None, "CRS3035RES1000mN0E1000"]


def test_other_systems_have_none_and_no_boxes_are_no_column():
    assert ids((0, 0, 1000, 1000), crs=PLANE) is None
    assert ids() is None


def test_a_regular_grid_has_them_where_it_is_aligned():
    region = Domain((4334200, 2684900, 4336000, 2686001), EUROPE)
    assert "GRD_ID" not in cell_columns(GridCells(Grid(region, cell_size=1000)))
    grid = Grid(region.snapped(1000), cell_size=1000)
    columns = cell_columns(GridCells(grid))
    assert columns["GRD_ID"].tolist() == [
        f"CRS3035RES1000mN{north}E{east}"
        for north in (2686000, 2685000, 2684000)
        for east in (4334000, 4335000)
    ]
    by_shape = cell_columns(GridCells(Grid(grid.domain, grid.shape)))
    assert by_shape["GRD_ID"].tolist() == columns["GRD_ID"].tolist()


def test_cells_that_the_domain_cuts_have_none():
    # Cells are laid from the north-west: those in the last column and the last row are cut.
    cut = cell_columns(GridCells(Grid(Domain((0, 400, 1500, 2000), EUROPE), cell_size=1000)))
    assert cut["GRD_ID"].tolist() == ["CRS3035RES1000mN1000E0", None, None, None]


def test_adaptive_cells_have_them_where_they_are_such_squares():
    frame = Frame(Domain((0, 0, 2000, 1000), EUROPE), (1, 2), 2)
    cells = TreeCells(Tree(frame, [[False, True], [False] * 4]))
    named = dict(zip(cell_columns(cells)["GRD_ID"].tolist(), cells.bounds.tolist()))
    assert named["CRS3035RES1000mN0E0"] == [0, 0, 1000, 1000]
    assert named["CRS3035RES500mN500E1500"] == [1500, 500, 2000, 1000]
    assert len(named) == 5
    odd = Frame(Domain((100, 0, 3100, 1500), EUROPE), (1, 2), 2)
    assert "GRD_ID" not in cell_columns(TreeCells(Tree(odd, [[True, True], [False] * 8])))


@pytest.mark.parametrize("size", [1000, 250, 0.1, 3, 1e-3, 7.3])
@pytest.mark.parametrize("bounds", [(-1.5, 0.1, 12.25, 1e6 + 0.3), (1e5, -1e5, 2e5, 3.7)])
def test_snapped_bounds_are_the_nearest_multiples_outside(bounds, size):
    snapped = Domain(bounds, PLANE).snapped(size)
    low, high = snapped.bounds[:2], snapped.bounds[2:]
    for given, edge in zip(bounds[:2], low):
        assert edge == float(math.floor(Fraction(given) / Fraction(size)) * Fraction(size))
        assert edge <= given
    for given, edge in zip(bounds[2:], high):
        assert edge == float(math.ceil(Fraction(given) / Fraction(size)) * Fraction(size))
        assert given <= edge
    assert snapped.snapped(size).crs == PLANE


def test_round_bounds_stay():
    town = Domain((0, -2000, 3000, 1000), PLANE, resolution=50)
    assert town.snapped(1000) == town
    assert town.snapped(1000).resolution == 50


@pytest.mark.parametrize("size", [0, -1, math.nan, math.inf, "1km", None, True])
def test_a_size_is_a_positive_number(size):
    with pytest.raises(InputError, match="a size to snap to must be a positive number"):
        Domain((0, 0, 1, 1), PLANE).snapped(size)


def test_where_records_can_be_is_said_of_the_larger_rectangle():
    land = Support((0, 0, 2000, 1000), [[1, 0]])
    town = Domain((100, 0, 1500, 900), PLANE).snapped(1000, within=land)
    assert town.within == land
    with pytest.raises(InputError, match="pass it to `snapped` instead"):
        town.snapped(1000)


def test_counts_do_not_change():
    region = Domain((4334200, 2684900, 4336000, 2686001), EUROPE).snapped(1000)
    points = (np.array([4334000.0, 4334999.0]), np.array([2684000.0, 2684999.0]))
    cells = geodp.Regular(cell_sizes=[1000])
    release = geodp.release(points, region, epsilon=40, cells=cells, seed=1)
    columns = cell_columns(release.cells) | release.columns()
    held = dict(zip(columns["GRD_ID"], columns["count"]))
    assert held["CRS3035RES1000mN2684000E4334000"] == 2
