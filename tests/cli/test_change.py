"""``geodp change``: two files, or two layers of one, with maps, answers and refusals."""

from __future__ import annotations

import json

import commands
import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import rasterio
import shapely
from commands import ran as run

import geodp

TOWN = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
GRIDS = geodp.candidate_grids(TOWN, [4])
N = 3000


def refused(*words: object) -> str:
    message = commands.refused(*words)
    assert len(message.strip().splitlines()) == 1
    return message


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write two years apart, both as layers of one file, and two districts."""
    folder = tmp_path_factory.mktemp("change")
    rng = np.random.default_rng(0)
    x, y = rng.random(N) * 4000, rng.random(N) * 3000
    year = np.where(rng.random(N) * 4000 < x, 2025, 2024)  # from the west to the east
    for each in (2024, 2025):
        here = year == each
        released = geodp.release(
            (x[here], y[here]), cells=geodp.Regular(GRIDS), epsilon=1, seed=each
        )
        released.to_geotiff(folder / f"{each}.tif")
    lists = {"by": geodp.Categories("year", [2024, 2025])}
    released = geodp.release((x, y, year), cells=geodp.Regular(GRIDS), epsilon=1, seed=1, **lists)
    released.to_vector(folder / "years.gpkg")
    halves = [shapely.box(0, 0, 2000, 3000), shapely.box(2000, 0, 4000, 3000)]
    names = {"name": ["west", "east"]}
    gpd.GeoDataFrame(names, geometry=halves, crs="EPSG:5070").to_file(folder / "halves.gpkg")
    return folder


@pytest.mark.slow
def test_two_files_are_subtracted_into_files(folder, tmp_path):
    names = ["change.tif", "change.gpkg", "change.png", "answers.csv"]
    tif, gpkg, png, csv = (tmp_path / name for name in names)
    words = ["--regions", folder / "halves.gpkg", "--answers", csv]
    output = run(
        "change", folder / "2024.tif", folder / "2025.tif", "-o", tif, "-o", gpkg, "-o", png, *words
    )
    sides = [geodp.open_release(folder / f"{year}.tif") for year in (2025, 2024)]
    change = sides[0] - sides[1]
    with rasterio.open(tif) as image:
        assert np.array_equal(image.read(1).ravel(), change.counts)
        assert np.allclose(image.read(2).ravel(), np.sqrt(change.variance))
    cells = gpd.read_file(gpkg, layer="difference")
    assert np.array_equal(cells["difference"], change.counts)
    assert png.read_bytes().startswith(b"\x89PNG")
    answers = pd.read_csv(csv)
    assert np.allclose(answers["estimate"], change.query(folder / "halves.gpkg")["estimate"])
    assert answers["estimate"][0] < 0 < answers["estimate"][1]
    estimate = change.query([TOWN.bounds]).estimate[0]
    assert f"Change in the whole extent: {estimate:+,.0f}".replace("-", "−") in output
    assert "NOT private" in output


def test_two_layers_of_one_file_are_subtracted(folder):
    words = ["--from", 2024, "--to", 2025]
    reopened = geodp.open_release(folder / "years.gpkg")
    change = reopened["2025"] - reopened["2024"]
    for files in ([folder / "years.gpkg"], [folder / "years.gpkg"] * 2):
        data = json.loads(run("change", *files, *words, "--json", "-q"))
        answer = change.query([TOWN.bounds])
        assert data == [{name: float(part[0]) for name, part in answer._asdict().items()}]
    asked = [*words, "--regions", folder / "halves.gpkg", "--density"]
    data = json.loads(run("change", folder / "years.gpkg", *asked, "--json", "-q"))
    assert [row["name"] for row in data] == ["west", "east"]
    assert data[0]["estimate"] < 0 < data[1]["density"]
    assert "east" in run("change", folder / "years.gpkg", *asked)
    assert run("change", folder / "years.gpkg", *asked, "-q") == ""
    total = [*asked, "--total", "--level", 0.5]
    (all_of_it,) = json.loads(run("change", folder / "years.gpkg", *total, "--json", "-q"))
    answer = change.query([TOWN.bounds], level=0.5)
    assert all_of_it["ci_low"] == pytest.approx(float(answer.ci_low[0]), abs=1e-6)


def test_all_layers_together_are_compared_where_none_is_named(folder):
    data = json.loads(run("change", folder / "2024.tif", folder / "years.gpkg", "--json", "-q"))
    reopened = geodp.open_release(folder / "years.gpkg")
    change = reopened.total - geodp.open_release(folder / "2024.tif")
    assert data[0]["estimate"] == change.query([TOWN.bounds]).estimate[0]
    words = ["--to", "2025", "--json", "-q"]
    data = json.loads(run("change", folder / "2024.tif", folder / "years.gpkg", *words))
    change = reopened["2025"] - geodp.open_release(folder / "2024.tif")
    assert data[0]["estimate"] == change.query([TOWN.bounds]).estimate[0]


def test_refusals_say_what_to_do(folder, tmp_path):
    one, years = folder / "2024.tif", folder / "years.gpkg"
    assert "two of its groups (2024, 2025) with --from and --to" in refused("change", years)
    assert "with another, or two of its groups with" in refused("change", one)
    assert "with another" in refused("change", one, one)
    assert "share records and noise" in refused("change", years, "--from", 2024, "--to", 2024)
    assert "there are '2024', '2025'" in refused("change", years, "--from", 2024, "--to", 1999)
    assert "--to names a group, and that" in refused("change", one, "--from", 2024, "--to", 2025)
    assert "with --regions" in refused("change", one, years, "--answers", tmp_path / "a.csv")
    (tmp_path / "there.csv").touch()
    regions = ["--regions", folder / "halves.gpkg", "--answers", tmp_path / "there.csv"]
    assert "exists" in refused(
        "change", one, folder / "2025.tif", *regions, "-o", tmp_path / "n.tif"
    )
    assert not (tmp_path / "n.tif").exists()  # all names are checked before one is written
    wide = geodp.Domain((0, 0, 5000, 3000), crs="EPSG:5070")
    geodp.release(([], []), wide, epsilon=1, seed=1).to_geotiff(tmp_path / "wide.tif")
    message = refused("change", one, tmp_path / "wide.tif", "-o", tmp_path / "c.tif")
    assert "different bounds, (0.0, 0.0, 5000.0, 3000.0) and (0.0, 0.0, 4000.0, 3000.0)" in message
    assert not (tmp_path / "c.tif").exists()
    twice = ["-o", tmp_path / "c.tif", "-o", tmp_path / "c.tif"]
    assert "given twice" in refused("change", one, folder / "2025.tif", *twice)
    (tmp_path / "c.tif").write_text("mine")
    message = refused("change", one, folder / "2025.tif", "-o", tmp_path / "c.tif")
    assert "--force" in message
    run("change", one, folder / "2025.tif", "-o", tmp_path / "c.tif", "--force", "-q")
    with pytest.raises(geodp.FileError, match="view"):
        geodp.open_release(tmp_path / "c.tif")


def test_a_ratio_is_that_of_the_library(folder, tmp_path):
    words = ["change", folder / "years.gpkg", "--from", "2024", "--to", "2025", "--ratio"]
    regions = folder / "halves.gpkg"
    run(*words, "--regions", regions, "--answers", tmp_path / "a.csv")
    answers = pd.read_csv(tmp_path / "a.csv")
    years = geodp.open_release(folder / "years.gpkg")
    ratio = (years["2025"] / years["2024"]).query(gpd.read_file(regions))
    for name in ("ratio", "ratio_low", "ratio_high"):
        assert answers[name].to_numpy() == pytest.approx(ratio[name].to_numpy(), rel=0.01)
    change = (years["2025"] - years["2024"]).query(gpd.read_file(regions))
    assert answers["estimate"].to_numpy() == pytest.approx(change["estimate"].to_numpy(), abs=1)
    assert answers["ratio"].iloc[0] < 1 < answers["ratio"].iloc[1]
    rows = json.loads(run(*words, "--regions", regions, "--json", "-q"))
    assert rows[0]["ratio"] == pytest.approx(ratio["ratio"].iloc[0])
    for more in ([], ["--regions", regions, "--total"]):
        assert "--ratio is of each region" in refused(*words, *more)
