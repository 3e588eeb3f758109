"""Draw the two maps at the top of the README: one ε, adaptive cells beside one regular grid.

python docs/images/make_maps.py
"""

from __future__ import annotations

from pathlib import Path

import geodp
from geodp.outputs.multiples import png

FOLDER = Path(__file__).parent
DATA = FOLDER.parents[1] / "sample_data"


def main() -> None:
    land = DATA / "us_boundary.gpkg"
    bounds = (-2_400_000, 200_000, 2_300_000, 3_200_000)
    country = geodp.Domain(bounds, crs="EPSG:5070", within=land)
    for cells, name in (("adaptive", "map.png"), ("regular", "map-regular.png")):
        release = geodp.release(DATA / "us_places.gpkg", country, epsilon=1, cells=cells)
        words = {"source": "GeoNames", "licence": "CC BY 4.0"}
        release = release.with_about(title="Populated places of the United States", **words)
        (FOLDER / name).write_bytes(png(release, boundary=land, dpi=110))


if __name__ == "__main__":
    main()
