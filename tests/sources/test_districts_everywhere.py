"""Cells that are polygons: whatever holds the points, the same seed gives the same release."""

from __future__ import annotations

import dask.dataframe
import duckdb
import geopandas
import numpy as np
import pandas
import pytest
import shapely

import geodp

CRS = "EPSG:5070"
TOWN = geodp.Domain((0, 0, 8000, 6000), crs=CRS)
LAYER = geopandas.GeoDataFrame(
    {"name": ["west", "middle", "east"]},
    geometry=[
        shapely.box(0, 0, 3000, 6000),
        shapely.box(3000, 0, 5000, 4000),
        shapely.Polygon([(5000, 0), (8000, 0), (6000, 3000)]),
    ],
    crs=CRS,
)
TABLE = pandas.DataFrame(
    dict(zip("xy", np.random.default_rng(4).uniform(-100, 8100, (2, 3000)).round(1)))
)
KINDS = {
    "districts": (geodp.Districts(LAYER), None),
    "tree in districts": (geodp.Adaptive(districts=LAYER), None),
    "hexagons": (geodp.Hexagons(900), TOWN),
    "choice": (geodp.Choice([LAYER, geodp.Hexagons(900), geodp.Grid(TOWN, (4, 5))]), TOWN),
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("points")
    frame = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(*TABLE.T.to_numpy()), crs=CRS)
    TABLE.to_csv(folder / "p.csv", index=False)
    frame.to_file(folder / "p.gpkg")
    frame.to_parquet(folder / "p.parquet")
    columns = {"x": "x", "y": "y", "crs": CRS}
    database = str(folder / "p.duckdb")
    with duckdb.connect(database) as connection:
        connection.execute(f"CREATE TABLE p AS SELECT * FROM '{folder / 'p.csv'}'")
    return {
        "arrays": (TABLE["x"].to_numpy(), TABLE["y"].to_numpy()),
        "frame": frame,
        "CSV": geodp.read_points(folder / "p.csv", **columns),
        "GeoPackage": folder / "p.gpkg",
        "GeoParquet": folder / "p.parquet",
        "Dask": geodp.read_points(dask.dataframe.from_pandas(TABLE, npartitions=3), **columns),
        "DuckDB": geodp.read_sql(duckdb.connect(database), "SELECT * FROM p", **columns),
    }


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_source_gives_the_same_release(kind, sources):
    cells, domain = KINDS[kind]
    releases = {
        name: geodp.release(points, domain, epsilon=2, cells=cells, seed=9)
        for name, points in sources.items()
    }
    first = releases["arrays"]
    for name, release in releases.items():
        assert release.cells == first.cells, name
        assert release.measurements == first.measurements, name
