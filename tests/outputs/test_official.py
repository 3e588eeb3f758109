"""Identifiers of the official grid in files, tables and through the command line."""

from __future__ import annotations

import geopandas
import pandas
import pytest
from commands import ran, refused

import geodp

CELL = "CRS3035RES1000mN2684000E4334000"
BOUNDS = ["--bounds", "4334200", "2684900", "4341000", "2690001", "--crs", "EPSG:3035"]


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x,y\n4334100,2684100\n4334200,2684900\n")
    return [path, "--x", "x", "--y", "y", "--points-crs", "EPSG:3035"]


def squares(seed=None):
    region = geodp.Domain((4334200, 2684900, 4341000, 2690001), crs="EPSG:3035").snapped(1000)
    cells = geodp.Regular(cell_sizes=[1000])
    return geodp.release(([4334500.0], [2684500.0]), region, epsilon=1, cells=cells, seed=seed)


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb", ".geojson", ".shp"])
def test_files_have_them_and_open_again(suffix, tmp_path):
    release, path = squares(), tmp_path / f"counts{suffix}"
    release.to_vector(path)
    layer = {"layer": "counts"} if suffix == ".gpkg" else {}
    read = geopandas.read_parquet if suffix == ".parquet" else geopandas.read_file
    table = read(path, **layer)
    wanted = release.to_geodataframe()[["GRD_ID", "count"]]
    assert sorted(zip(table["GRD_ID"], table["count"])) == sorted(wanted.itertuples(index=False))
    if suffix not in (".geojson", ".shp"):
        assert geodp.open_release(path).cells == release.cells


def test_tables_and_candidates_have_them(tmp_path):
    release = squares()
    release.to_csv(tmp_path / "counts.csv")
    table = pandas.read_csv(tmp_path / "counts.csv")
    assert table["GRD_ID"].is_unique
    assert len(table) == 49
    assert CELL in set(table["GRD_ID"])
    assert CELL in set(release.cells.grid.to_geodataframe()["GRD_ID"])


def test_the_command_line_snaps(points, tmp_path):
    words = ["release", *points, *BOUNDS, "--epsilon", "1", "--one-each"]
    ran(*words, "--snap", "1km", "--cell-sizes", "1km", "-o", tmp_path / "a.csv")
    assert CELL in set(pandas.read_csv(tmp_path / "a.csv")["GRD_ID"])
    ran(*words, "--snap", "500", "--cell-sizes", "1km", "-o", tmp_path / "b.csv")
    assert CELL not in set(pandas.read_csv(tmp_path / "b.csv").get("GRD_ID", []))
    assert "7 × 7 cells" in ran("grids", *BOUNDS, "--snap", "1km", "--cell-sizes", "1km")


def test_a_look_is_at_the_snapped_bounds(points):
    assert ran("check", *points, *BOUNDS, "--snap", "1km") != ran("check", *points, *BOUNDS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--snap", "0"], "a size to snap to must be a positive number"),
        (["--snap", "wide"], "a length must be one number"),
        (["--snap", "1km,2km"], "a length must be one number"),
    ],
)
def test_what_is_no_size_is_refused(words, message):
    assert message in refused("grids", *BOUNDS, *words)


def test_districts_are_not_snapped(points, tmp_path):
    words = ["release", *points, "--districts", tmp_path / "d.gpkg", "--snap", "1km"]
    message = refused(*words, "--epsilon", "1", "-o", tmp_path / "a.csv")
    assert "--districts say where records are counted; got --snap too" in message
    assert "--snap goes with --bounds" in refused("check", *points, "--snap", "1km")
