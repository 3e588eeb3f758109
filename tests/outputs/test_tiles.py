"""Vector tiles: read back by GDAL, with every cell and the promise."""

from __future__ import annotations

import numpy as np
import pyogrio
import pytest
from click.testing import CliRunner

import geodp
from geodp.cli import main
from geodp.outputs import tiles

TOWN = geodp.Domain((500_000, 5_400_000, 508_000, 5_406_000), crs="EPSG:32633")


@pytest.fixture(scope="module")
def release():
    points = (np.full(400, 500_100.0), np.full(400, 5_400_100.0))
    published = geodp.release(points, TOWN, epsilon=1, cells=geodp.Regular(sizes=[(3, 4)]))
    return published.with_about(title="Thefts")


@pytest.mark.parametrize("suffix", tiles.TILES)
def test_every_cell_and_the_promise_are_in_them(release, suffix, tmp_path, monkeypatch):
    monkeypatch.setattr(tiles, "ACROSS", 4)
    path = tmp_path / f"map{suffix}"
    release.to_tiles(path)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    about = pyogrio.read_info(path)["dataset_metadata"]
    assert about["name"] == "Thefts"
    assert release.promise in about["description"]
    assert release.counted in about["description"]
    table = pyogrio.read_dataframe(path)
    shown = table.drop_duplicates("id").sort_values("id")  # a cell on an edge is in two tiles
    frame = release.to_geodataframe().sort_values("id")
    assert shown["id"].tolist() == frame["id"].tolist()
    assert np.allclose(shown["count"], frame["count"])
    corners = table.to_crs(TOWN.crs.name).total_bounds
    assert np.allclose(corners, TOWN.bounds, atol=30)
    with pytest.raises(geodp.FileError, match="exists"):
        release.to_tiles(path)


def test_what_cannot_be_written_is_refused_before_the_spend(tmp_path, monkeypatch):
    points = tmp_path / "p.csv"
    points.write_text("x,y\n1,1\n")
    words = ["release", str(points), "--x", "x", "--y", "y", "--points-crs", "EPSG:3413", "--crs"]
    words += ["EPSG:3413", "--bounds", "-9000", "-9000", "9000", "9000", "--one-each", "--epsilon"]
    words += ["1", "-o", str(tmp_path / "pole.pmtiles"), "--cell-sizes", "3000"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "Web Mercator, which ends at 85°" in done.output
    monkeypatch.setattr(pyogrio, "list_drivers", dict)
    done = CliRunner().invoke(main, words)
    assert "the GDAL of this pyogrio has none" in done.output
    assert not (tmp_path / "pole.pmtiles").exists()
