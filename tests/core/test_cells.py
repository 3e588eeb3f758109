"""Cells, areas and number types on grids that fit in the reader's head."""

import numpy as np
import pytest

import geodp
from geodp.core.space.cells import cell_areas, cell_fields, narrowest

METRES = geodp.Crs("EPSG:5070")
TOWN = geodp.Domain((0, 0, 5, 4), METRES)


def test_fields_of_a_two_by_two_grid():
    fields = cell_fields(geodp.Grid(geodp.Domain((10, 0, 14, 6), METRES), (2, 2)))
    assert {name: column.tolist() for name, column in fields.items()} == {
        "id": [0, 1, 2, 3],
        "left": [10, 12, 10, 12],
        "top": [6, 6, 3, 3],
        "right": [12, 14, 12, 14],
        "bottom": [3, 3, 0, 0],
        "row_index": [0, 0, 1, 1],
        "col_index": [0, 1, 0, 1],
    }
    assert {fields[name].dtype for name in ("id", "row_index", "col_index")} == {np.dtype("int64")}


@pytest.mark.parametrize("cut", [{"shape": (4, 3)}, {"cell_size": 1.5}])
def test_rows_taken_apart_make_the_whole(cut):
    grid = geodp.Grid(TOWN, **cut)
    fields = cell_fields(grid)
    parts = [cell_fields(grid, range(row, row + 1)) for row in range(grid.shape[0])]
    for name, column in fields.items():
        np.testing.assert_array_equal(np.concatenate([part[name] for part in parts]), column)


def test_areas_of_cut_cells_and_of_feet():
    grid = geodp.Grid(geodp.Domain((0, 0, 2500, 1500), METRES), cell_size=1000)
    np.testing.assert_allclose(cell_areas(grid), [[1, 1, 0.5], [0.5, 0.5, 0.25]])
    feet = geodp.Domain((0, 0, 1000, 1000), geodp.Crs("a plane in feet", metres_per_unit=0.3))
    np.testing.assert_allclose(cell_areas(geodp.Grid(feet, (1, 1))), [[0.09]])


@pytest.mark.parametrize(
    ("values", "bits"),
    [
        ([2**31 - 1, 1 - 2**31], 32),
        ([2**31], 64),
        ([-(2**31)], 64),  # in 32 bits that is no data
        ([0], 32),
        ([], 32),
    ],
)
def test_counts_take_32_bits_where_they_fit(values, bits):
    counts = np.array(values, dtype=np.int64)
    narrow = narrowest(counts)
    assert narrow.dtype.itemsize * 8 == bits
    np.testing.assert_array_equal(narrow, counts)
