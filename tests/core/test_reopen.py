"""One set of rules for files that are opened again, on plain numbers and small grids."""

from dataclasses import replace

import numpy as np
import pytest
from strategies import count_table

import geodp
from geodp.core.publish.metadata import derived_tags, release_tags
from geodp.core.publish.reopen import (
    CELL_FIELDS,
    Raster,
    check_size,
    release_from_cells,
    release_from_raster,
)
from geodp.core.space.cells import EDGES, cell_fields

TOWN = geodp.Domain((1000, 2000, 9000, 8000), geodp.Crs("EPSG:5070"))


@pytest.fixture
def release():
    nobody = (np.zeros(0), np.zeros(0))
    return geodp.release(nobody, cells=geodp.Regular(geodp.Grid(TOWN, (3, 4))), epsilon=1, seed=1)


@pytest.fixture
def raster(release):
    return Raster(
        tags=release_tags(release),
        shape=(3, 4),
        bands=1,
        block=(3, 4),
        size=1000,
        transform=release.cells.grid.transform,
        has_crs=lambda code: code == "EPSG:5070",
    )


def never(*_):
    raise AssertionError("the cells were read")


def test_what_was_written_opens(release, raster):
    again = release_from_raster(raster, lambda *_: count_table(release))
    assert again.cells.grid == release.cells.grid
    np.testing.assert_array_equal(again.counts, release.counts)


# a cell is 2000 by 2000: a millionth of it is 0.002
@pytest.mark.parametrize(
    ("transform", "opens"),
    [
        ((2000, 0, 1000.001, 0, -2000, 8000), True),
        ((2000, 0, 1000.003, 0, -2000, 8000), False),
        ((2000, 0, 1000, 0, -2000, 8000.003), False),
        ((2000.0004, 0, 1000, 0, -2000, 8000), True),
        ((2000.0006, 0, 1000, 0, -2000, 8000), False),  # 4 columns: the far corner is 0.0024 off
        ((2000, 0.001, 1000, 0, -2000, 8000), False),
        ((2000, 0, 1000, 0.001, -2000, 8000), False),
        ((2000, 0, 1000, 0, 2000, 2000), False),
        ((2000, 0, float("nan"), 0, -2000, 8000), False),
    ],
)
def test_corners_may_be_off_by_a_millionth_of_a_cell(release, raster, transform, opens):
    changed = replace(raster, transform=transform)
    if opens:
        release_from_raster(changed, lambda *_: count_table(release))
        return
    with pytest.raises(geodp.FileError, match="do not lie where its tags say"):
        release_from_raster(changed, lambda *_: count_table(release))


def test_another_crs_is_refused(release, raster):
    with pytest.raises(geodp.FileError, match="do not lie where its tags say"):
        release_from_raster(
            replace(raster, has_crs=lambda _: False), lambda *_: count_table(release)
        )


def test_a_crs_without_a_code_is_asked_for_as_such():
    asked = []
    wkt = 'PROJCS["Town: its own grid",GEOGCS["WGS 84"]]'
    domain = geodp.Domain(TOWN.bounds, geodp.Crs(wkt))
    nobody = (np.zeros(0), np.zeros(0))
    release = geodp.release(nobody, cells=geodp.Regular(geodp.Grid(domain, (1, 1))), epsilon=1)

    def note(code):
        asked.append(code)
        return True

    about = Raster(
        release_tags(release), (1, 1), 1, (1, 1), 1000, release.cells.grid.transform, note
    )
    release_from_raster(about, lambda *_: count_table(release))
    assert asked == [None]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"shape": (1 << 14, 1 << 13)}, "at most 67,108,864 cells"),
        ({"bands": 3}, "others were added"),  # counts, and what is drawn of them, are two
        ({"bands": 0}, "bands of this release are missing"),
        ({"block": (1 << 12, 1 << 11)}, "blocks of usual size"),
        ({"tags": {}}, "not a geodp release"),
    ],
)
def test_what_cannot_be_a_release_is_refused_before_its_cells_are_read(raster, changes, words):
    with pytest.raises(geodp.FileError, match=words):
        release_from_raster(replace(raster, **changes), never)


def test_a_view_is_refused_before_its_cells_are_read(release, raster):
    view = replace(raster, tags=derived_tags(release, "records per square kilometre"))
    with pytest.raises(geodp.FileError, match="holds a view"):
        release_from_raster(view, never)


def test_edited_counts_and_real_numbers_are_refused(release, raster):
    with pytest.raises(geodp.FileError, match="checksum"):
        release_from_raster(raster, lambda *_: count_table(release) + 1)
    with pytest.raises(geodp.FileError, match="whole numbers"):
        release_from_raster(raster, lambda *_: count_table(release).astype(float))


# --- cells of a vector grid ---------------------------------------------------------------------


def cell_table(release):
    fields = {**cell_fields(release.cells.grid), "count": release.counts}
    fields = {name: fields[name] for name in CELL_FIELDS if name in fields}
    return fields, np.column_stack([fields[name] for name in EDGES])


def test_cells_open_in_any_order(release):
    fields, drawn = cell_table(release)
    order = np.random.default_rng(1).permutation(12)
    mixed = {name: column[order] for name, column in fields.items()}
    again = release_from_cells(release_tags(release), mixed, drawn[order])
    np.testing.assert_array_equal(again.counts, release.counts)


@pytest.mark.parametrize("name", ["row_index", "left", "count"])
def test_a_missing_field_is_refused(release, name):
    fields, drawn = cell_table(release)
    del fields[name]
    with pytest.raises(geodp.FileError, match="fields of the cells are missing"):
        release_from_cells(release_tags(release), fields, drawn)


def test_moved_swapped_and_missing_cells_are_refused(release):
    fields, drawn = cell_table(release)
    tags = release_tags(release)
    with pytest.raises(geodp.FileError, match="do not lie where"):
        release_from_cells(tags, fields, drawn + 0.003)
    with pytest.raises(geodp.FileError, match="do not lie where"):
        release_from_cells(tags, {**fields, "top": fields["top"] + 0.003}, drawn)
    with pytest.raises(geodp.FileError, match="cells are missing"):
        release_from_cells(tags, {name: part[1:] for name, part in fields.items()}, drawn[1:])
    twice = {name: part.copy() for name, part in fields.items()}
    twice["col_index"][1] = 0  # two cells in one place: the number is right, one place is empty
    with pytest.raises(geodp.FileError, match="do not lie where"):
        release_from_cells(tags, twice, drawn)


def test_layers_that_claim_more_than_they_can_hold_are_refused():
    check_size(1000, layer_bytes=4000)
    with pytest.raises(geodp.FileError, match="claims more cells"):
        check_size(1000, layer_bytes=3999)
