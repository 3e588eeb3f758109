"""Draw the pictures of the README and of the site: districts, means, shares, maps, a report.

python docs/images/make_maps.py

The picture of the report is a screenshot by Chromium, and stays as it is where there is none.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import geodp
from geodp.outputs.plot import picture

FOLDER = Path(__file__).parent
DATA = FOLDER.parents[1] / "sample_data"
WORDS = {
    "title": "Populated places of the United States",
    "source": "GeoNames",
    "licence": "CC BY 4.0",
}


def main() -> None:
    land, places = DATA / "us_boundary.gpkg", DATA / "us_places.gpkg"
    states = geodp.Districts(DATA / "us_districts.gpkg")
    table = geodp.release(places, epsilon=1, cells=states).with_about(**WORDS)
    (FOLDER / "states.png").write_bytes(picture(table, dpi=110))
    draw_report(table)
    size = geodp.Amount("population", 0, 50_000, label="inhabitants")
    means = geodp.release(places, epsilon=1, cells=states, amount=size)
    means = means.with_about(**{**WORDS, "title": "How large are places?"})
    (FOLDER / "mean.png").write_bytes(picture(means, view="mean", dpi=110))
    draw_shares()
    bounds = (-2_400_000, 200_000, 2_300_000, 3_200_000)
    country = geodp.Domain(bounds, crs="EPSG:5070", within=land)
    for cells, name in (("adaptive", "map.png"), ("regular", "map-regular.png")):
        release = geodp.release(places, country, epsilon=1, cells=cells).with_about(**WORDS)
        (FOLDER / name).write_bytes(picture(release, boundary=land, dpi=110))
    draw_views(geodp.release(places, country, epsilon=1).with_about(**WORDS))


def draw_views(release: geodp.Release) -> None:
    """Show one release smoothed, and as dots, with states and a part drawn larger."""
    northeast = (1_500_000, 2_000_000, 2_200_000, 2_600_000)
    states = DATA / "us_districts.gpkg"
    for view in ("smooth", "dots"):
        drawn = picture(release, view=view, boundary=states, insets=[northeast], dpi=90)
        (FOLDER / f"{view}.png").write_bytes(drawn)


def draw_shares() -> None:
    """Show the share of each kind of incident in all, in hexagons of a town."""
    town = geodp.Domain((490_000, 5_390_000, 510_000, 5_410_000), crs="EPSG:32633")
    kinds = geodp.Categories("kind", ["theft", "burglary", "assault"])
    incidents, hexagons = DATA / "incidents.parquet", geodp.Hexagons(1000)
    release = geodp.release(incidents, town, epsilon=1, cells=hexagons, by=kinds)
    release = release.with_about(title="What happens where?", source="invented incidents")
    (FOLDER / "share.png").write_bytes(picture(release, view="share", dpi=110))


def draw_report(release: geodp.Release) -> None:
    """Show the upper part of a report as a browser does."""
    browser = shutil.which("chromium")
    if browser is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        release.to_report(page)
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
        shot = f"--screenshot={FOLDER / 'report.png'}"
        # The map is there a moment after the page.
        options += ("--virtual-time-budget=10000", "--window-size=1000,840")
        command = [browser, *options, shot, page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    main()
