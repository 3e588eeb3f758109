"""A kind of cells is one class: this one is written here, and everything else works with it.

docs/architecture.md has the exercise, "Add a kind of cells".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import geodp
from geodp.core.cells.cells import Cells
from geodp.core.cells.district_cells import PolygonShares
from geodp.core.estimates.direct import measured_once
from geodp.core.pictures.drawing import cell_pixels
from geodp.core.pictures.page import explorer_html, shown_groups
from geodp.core.publish import metadata
from geodp.core.regions.overlap import Overlap
from geodp.core.regions.polygons import Polygons
from geodp.core.releases.cell_words import cells_in_words

TOWN = geodp.Domain((0.0, 0.0, 4000.0, 2000.0), geodp.Crs("EPSG:5070"))
CORNERS = {
    "south-east": [(0, 0), (4000, 0), (4000, 2000)],
    "north-west": [(0, 0), (4000, 2000), (0, 2000)],
}


class Triangles(Cells):
    """Two triangles on either side of a diagonal: polygons with names, and no raster."""

    kind, format = "triangles", "test"

    def __init__(self, domain: geodp.Domain) -> None:
        self._domain = domain
        rings = [(i, False, np.array(ring, float)) for i, ring in enumerate(CORNERS.values())]
        self._polygons = Polygons.from_rings(rings, len(rings))

    @property
    def identity(self) -> geodp.Domain:
        return self.domain

    @property
    def domain(self) -> geodp.Domain:
        return self._domain

    def __len__(self) -> int:
        return 2

    @property
    def bounds(self) -> np.ndarray:
        return np.array([self.domain.bounds] * 2)

    @property
    def polygons(self) -> Polygons:
        return self._polygons

    def attributes(self) -> dict[str, np.ndarray]:
        return {"name": np.array(list(CORNERS), dtype=object)}

    def locate(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return (y > x / 2).astype(np.int64)

    def overlap(self, regions: geodp.Workload) -> Overlap:
        return PolygonShares(self.polygons, regions)

    def to_facts(self) -> dict[str, Any]:
        return {}

    @classmethod
    def from_facts(cls, facts: dict[str, Any], domain: geodp.Domain, most: int) -> Triangles:
        del facts, most
        return cls(domain)

    @staticmethod
    def candidate(layout: Any, domain: geodp.Domain) -> Any:
        return geodp.Grid(domain, tuple(layout))


@pytest.fixture
def release(monkeypatch: Any) -> geodp.Release:
    monkeypatch.setitem(metadata.KINDS, Triangles.format, Triangles)
    plain = geodp.release(
        ([], []), cells=geodp.Regular(geodp.Grid(TOWN, (1, 1))), epsilon=1, seed=1
    )
    cells = Triangles(TOWN)
    measured = measured_once(cells, np.array([100, 300]), Fraction(3))
    return replace(plain, cells=cells, measurements=measured)


def test_estimates_and_answers_come_for_free(release):
    assert release.counts.tolist() == [100, 300]
    assert release.variance[0] == release.variance[1] > 0
    town, half = TOWN.bounds, (0, 0, 2000, 2000)
    answers = release.query([town, half])
    assert answers.estimate == pytest.approx([400, 100 / 4 + 300 * 3 / 4])
    assert answers.noise_error[0] ** 2 == pytest.approx(2 * release.variance[0])
    assert answers.std_error[0] == pytest.approx(answers.noise_error[0])  # no border cuts a cell
    assert answers.std_error[1] > answers.noise_error[1]
    assert release.cells.areas().sum() == pytest.approx(8, rel=0.05)


@pytest.mark.parametrize("suffix", [".gpkg", ".parquet", ".fgb"])
def test_vector_files_open_again(release, suffix, tmp_path):
    release.to_vector(tmp_path / f"c{suffix}")
    again = geodp.open_release(tmp_path / f"c{suffix}")
    assert again.cells == release.cells
    assert again.measurements == release.measurements
    shapes = release.to_geodataframe()
    assert shapes["name"].tolist() == list(CORNERS)
    assert shapes.area.tolist() == pytest.approx([4e6, 4e6])
    assert list(shapes)[:3] == ["id", "name", "count"]


def test_words_and_pictures_follow(release, tmp_path):
    assert cells_in_words(release.cells) == "2 cells"
    assert release.describe()["cells"].text == "2"
    assert release.legend.field == "drawn"
    pixel = cell_pixels(release.cells)
    assert set(np.unique(pixel)) == {0, 1}
    assert pixel[0, 0] == 1  # north-west
    assert release.plot() is not None
    assert "<script" in explorer_html(shown_groups(release))
    release.to_report(tmp_path / "r.html")


def test_a_raster_is_refused_with_the_remedy(release, tmp_path):
    with pytest.raises(geodp.InputError, match="polygons: write them as a vector layer"):
        release.to_geotiff(tmp_path / "c.tif")
    assert not list(tmp_path.iterdir())


def test_a_difference_is_on_the_cells_of_either(release):
    other = replace(
        release, measurements=measured_once(release.cells, np.array([1, 2]), Fraction(3))
    )
    assert (release - other).counts.tolist() == [99, 298]
    assert (release - other).query([TOWN.bounds]).estimate == pytest.approx([397])
