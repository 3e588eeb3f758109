"""Ask pyproj where a CRS is used, and how much it stretches areas."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pyproj
import pytest
import shapely

import geodp
from geodp.core.pipeline.guard import check_domain
from geodp.core.space.cells import cell_areas
from geodp.core.space.ground import ground_share

FAR = {
    "metres of another zone's north": ((300_000, -9_000_000, 700_000, -8_000_000), 32633),
    "metres of Web Mercator": ((1_400_000, 6_800_000, 1_500_000, 6_900_000), 27700),
    "x and y exchanged": ((4_500_000, 500_000, 5_500_000, 1_000_000), 2154),
    "nowhere on Earth": ((1e9, 1e9, 2e9, 2e9), 32633),
    "kilometres for metres": ((-2400, 200, 2300, 3200), 2056),
}

NEAR = {
    "the United States": ((-2_400_000, 200_000, 2_300_000, 3_200_000), 5070),
    "Germany in the zone of its middle": ((280_000, 5_230_000, 930_000, 6_110_000), 32632),
    "a zone's western neighbour": ((-200_000, 5_000_000, 100_000, 5_500_000), 32633),
    "the examples of this documentation": ((0, 0, 4000, 3000), 5070),
    "across the date line": ((1_500_000, 5_000_000, 2_000_000, 6_000_000), 2193),
    "the world": ((-2e7, -1.8e7, 2e7, 1.8e7), 3857),
    "the world, areas kept": ((-1.7e7, -7e6, 1.7e7, 7e6), 6933),
    "the ice": ((-3e6, -3e6, 3e6, 3e6), 3031),
}


@pytest.mark.parametrize("case", FAR)
def test_a_domain_far_from_where_its_crs_is_used(case):
    bounds, code = FAR[case]
    domain = geodp.Domain(bounds, crs=code)
    with pytest.raises(geodp.InputError, match=f"must lie where .*EPSG:{code} is for .*° [EW] to"):
        geodp.release(([], []), domain, epsilon=1)
    assert geodp.release(([], []), domain, epsilon=1, force=True).epsilon == 1


@pytest.mark.parametrize("case", NEAR)
def test_a_domain_where_its_crs_is_used(case):
    bounds, code = NEAR[case]
    check_domain(geodp.Domain(bounds, crs=code))


def test_a_crs_without_a_code_or_an_area_passes():
    check_domain(geodp.Domain((0, 0, 4000, 3000), "+proj=laea +lat_0=10 +lon_0=20"))


STRETCHED = {3857: (-1e6, 4e6, 3e6, 9e6), 32633: (1e5, 5e6, 9e5, 6e6), 2154: (1e5, 6e6, 1e6, 7e6)}


@pytest.mark.parametrize("code", STRETCHED)
def test_areas_of_cells_are_those_of_the_ground(code):
    domain = geodp.Domain(STRETCHED[code], crs=code)
    grid = geodp.Grid(domain, (24, 20))
    shapes = grid.to_geodataframe().geometry.segmentize(20_000).to_crs(4326)
    geod = pyproj.Geod(ellps="WGS84" if code != 2154 else "GRS80")
    true = np.abs([geod.geometry_area_perimeter(shape)[0] / 1e6 for shape in shapes])
    assert cell_areas(grid).ravel() == pytest.approx(true, rel=2e-4)
    flat = domain.area / grid.cells / 1e6
    assert np.abs(true / flat - 1).max() > 2e-3  # so that areas of the map would be found out


@pytest.mark.parametrize("code", [5070, 3035, 6933])
def test_areas_that_a_crs_keeps_stay_as_they_are(code):
    domain = geodp.Domain((0, 200_000, 2_000_000, 3_200_000), crs=code)
    assert (ground_share(np.array([1e6]), np.array([2e6]), domain) == 1).all()
    assert (cell_areas(geodp.Grid(domain, (3, 2))) == 1e6).all()


@pytest.mark.parametrize("cells", ["regular", "adaptive"])
def test_densities_are_of_the_ground(cells, tmp_path):
    """Web Mercator at 60° north: a square kilometre of the map is a quarter of one."""
    import rasterio

    domain = geodp.Domain((0, 8_390_000, 20_000, 8_410_000), crs=3857)
    released = geodp.release(([], []), domain, epsilon=1, cells=cells)
    assert released.cells.areas().sum() == pytest.approx(400 / 4, rel=0.01)
    released.to_geotiff(tmp_path / "d.tif", view="density")
    with rasterio.open(tmp_path / "d.tif") as image:
        first = image.read(1)[0, 0]
    cell = released.cells.pixels(range(1))[0, 0]
    assert first == first.dtype.type(released.counts[cell] / released.cells.areas()[cell])
    boxes = [shapely.box(0, 8_390_000, 20_000, 8_410_000), shapely.box(9e3, 8.4e6, 9.1e3, 8.401e6)]
    asked = released.query(gpd.GeoSeries(boxes, crs=3857), density=True)
    size = np.array([400, 0.1])
    four_times = (4 * asked.estimate).tolist()  # which may be zero
    assert (asked.density * size).tolist() == pytest.approx(four_times, rel=0.01)
