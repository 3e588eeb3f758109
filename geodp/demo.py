"""Make first releases from the sample data: places of the United States, incidents by kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .core.common.atomic import check_target, make_folder, write_bytes
from .core.common.errors import FileError
from .core.pipeline.district_kind import Districts
from .core.pipeline.pipeline import release
from .core.records.divisions import Categories
from .core.releases.release import Release
from .core.space.domain import Domain
from .outputs.painter import need
from .outputs.plot import picture
from .sources.layers import read_layer

BOUNDS = (-2_400_000, 200_000, 2_300_000, 3_200_000)
"""Round numbers around the contiguous United States, in metres of EPSG:5070."""

TOWN = (490_000, 5_390_000, 510_000, 5_410_000)
"""Round numbers around the town of the invented incidents, in metres of EPSG:32633."""

FILES = (
    *("states.gpkg", "states.csv", "states.png", "report.html", "registry.yaml"),
    *("counts.tif", "counts.gpkg", "map.png"),
    *("kinds.gpkg", "kinds.png"),
)
STEPS = 15

PLACES = {
    "title": "Populated places of the United States",
    "source": "GeoNames",
    "licence": "CC BY 4.0",
}
"""What pages, maps and files of the places say."""

INCIDENTS = {"title": "Incidents of a town, by kind", "source": "invented"}


def sample_data() -> Path:
    """Find the folder of the sample layers: in an installed package, or beside it in a checkout."""
    package = Path(__file__).parent
    for folder in (package / "sample_data", package.parent / "sample_data"):
        if (folder / "us_places.gpkg").is_file():
            return folder
    raise FileError(
        "the demo needs geodp's sample data, which this installation has not: "
        "install geodp again, or run the demo in a checkout."
    )


def demo(folder: Path, say: Callable[[str], None], *, overwrite: bool) -> Release:
    """Release the sample points and write every kind of output: a table, a map, groups.

    Parameters
    ----------
    folder : Path
        Where to write; it is made if needed.
    say : callable
        Called with the name of each step as it begins.
    overwrite : bool
        Replace files that exist.

    Returns
    -------
    Release
        Counts of the states.
    """
    need("matplotlib")
    data = sample_data()
    make_folder(folder)
    for name in FILES:
        check_target(folder / name, overwrite=overwrite)
    states = _states(data, folder, say)
    _map(data, folder, say)
    _kinds(data, folder, say)
    return states


def _states(data: Path, folder: Path, say: Callable[[str], None]) -> Release:
    """Release one count for each state."""
    states = read_layer(data / "us_districts.gpkg", "districts")
    cells = Districts(states)
    counts = release(data / "us_places.gpkg", epsilon=1, cells=cells, progress=say)
    counts = counts.with_about(**PLACES)
    say("writing states.gpkg")
    counts.to_vector(folder / "states.gpkg", overwrite=True)
    say("writing states.csv")
    counts.to_csv(folder / "states.csv", overwrite=True)
    say("drawing states.png")
    write_bytes(folder / "states.png", picture(counts))
    say("writing report.html")
    counts.to_report(folder / "report.html", overwrite=True)
    say("writing registry.yaml")
    entry = counts.to_registry(region="United States", sector="Government")
    write_bytes(folder / "registry.yaml", entry.encode())
    return counts


def _map(data: Path, folder: Path, say: Callable[[str], None]) -> None:
    """Release a finer map of the same places, on cells that follow them."""
    say("counting in adaptive cells")
    boundary = read_layer(data / "us_boundary.gpkg", "boundary")
    domain = Domain(BOUNDS, crs="EPSG:5070", within=boundary)  # nobody lives at sea
    counts = release(data / "us_places.gpkg", domain, epsilon=1).with_about(**PLACES)
    say("writing counts.tif")
    counts.to_geotiff(folder / "counts.tif", overwrite=True)
    say("writing counts.gpkg")
    counts.to_vector(folder / "counts.gpkg", overwrite=True)
    say("drawing map.png")
    write_bytes(folder / "map.png", picture(counts, boundary=boundary))


def _kinds(data: Path, folder: Path, say: Callable[[str], None]) -> None:
    """Release incidents by their kind: three groups for one ε."""
    say("counting incidents by kind")
    kinds = Categories("kind", ["theft", "burglary", "assault"])
    town = Domain(TOWN, crs="EPSG:32633")
    counts = release(data / "incidents.parquet", town, epsilon=1, by=kinds)
    counts = counts.with_about(**INCIDENTS)
    say("writing kinds.gpkg")
    counts.to_vector(folder / "kinds.gpkg", overwrite=True)
    say("drawing kinds.png")
    write_bytes(folder / "kinds.png", picture(counts))
