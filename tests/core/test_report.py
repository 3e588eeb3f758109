"""The report page with NumPy alone: its words, its regions, and outlines cut at the map's edge."""

import json
import re
from html import unescape

import numpy as np
import pytest
from strategies import count_table

import geodp
from geodp.core.common.errors import Cancelled
from geodp.core.estimates.queries import asked_about
from geodp.core.pictures.marks import bar_marks, scale_bar
from geodp.core.pictures.page import _cut, list_regions, shown_groups
from geodp.core.pictures.report import report_page

TOWN = geodp.Domain((0, 0, 4, 4), geodp.Crs("EPSG:5070"))
BOXES = [(0, 0, 2, 4), (2, 0, 4, 4), (9, 9, 10, 10)]


def ring(*corners):
    return np.array(corners, dtype=float)


@pytest.fixture
def release():
    points = np.full(50, 1.5), np.full(50, 2.5)
    published = geodp.release(
        points, cells=geodp.Regular(geodp.Grid(TOWN, (2, 2))), epsilon=1, force=True
    )
    return published.with_about(title="Owls & others")


def test_the_page_has_words_and_regions(release):
    asked = asked_about(BOXES, TOWN)
    rings = [[ring((0, 0), (2, 0), (2, 4), (0, 4))], [], []]
    listed = list_regions(shown_groups(release), asked, ["<West>", None, float("nan")], rings)
    page = report_page(release, listed)
    assert page.count('role="img"') == 2
    assert "Owls &amp; others" in page
    assert release.promise in unescape(page)
    rows = re.findall(r'<tr data-region="\d"><td>(.*?)</td><td class="n" data-value="(.*?)">', page)
    assert [name for name, _ in rows] == ["&lt;West&gt;", "2", "3"]
    assert [float(number) for _, number in rows[:2]] == count_table(release).sum(axis=0).tolist()
    assert rows[2][1] == ""
    data = json.loads(re.search(r'id="cells">(.*?)</script>', page)[1])
    assert [len(each["rings"]) for each in data["regions"]] == [1, 0, 0]
    assert data["regions"][2]["numbers"] == [None]
    assert "url(" not in page.replace("url(#hatching)", "")  # style and script are inside


def test_the_page_tells_how_far_it_is_and_can_be_stopped(release):
    told = []
    report_page(release, progress=told.append)
    assert told == sorted(set(told))
    assert told[0] == 0
    assert len(told) > 2

    def stop(percent):
        if percent > told[1]:
            raise Cancelled

    with pytest.raises(Cancelled):
        report_page(release, progress=stop)


def test_outlines_are_cut_where_they_leave_the_map():
    inside = ring((1, 1), (3, 1), (3, 3))
    assert _cut(inside, TOWN) is inside or (_cut(inside, TOWN) == inside).all()
    # A side from (2, 2) to (6, 4) leaves the map at (4, 3), and not at (4, 4).
    pieces = _cut(ring((2, 2), (6, 4), (2, 4)), TOWN)
    assert pieces.tolist() == [[2, 2], [4, 3], [4, 4], [2, 4]]
    assert len(_cut(ring((5, 5), (6, 5), (6, 6)), TOWN)) == 0
    around = _cut(ring((-9, -9), (9, -9), (9, 9), (-9, 9)), TOWN)
    assert sorted(around.tolist()) == [[0, 0], [0, 4], [4, 0], [4, 4]]
    assert len(_cut(ring((1, 1), (np.inf, 1), (3, 1), (3, 3)), TOWN)) == 3


def test_a_scale_bar_goes_where_fewest_lines_are():
    assert (
        scale_bar(geodp.Domain((0, 0, 1, 1), geodp.Crs("EPSG:4326", True), allow_geographic=True))
        is None
    )
    town = geodp.Domain((0, 0, 40_000, 40_000), geodp.Crs("EPSG:5070"))
    first = scale_bar(town)
    assert (first.words, first.end - first.start) == ("5 km", 5000)
    assert first.start < 20_000 > first.base
    east = scale_bar(town, [ring((0, 0), (9000, 9000)), ring((0, 39_000), (0, 0))])
    assert east.end > 20_000 > east.base
    far = scale_bar(town, [ring((0, 2000), (40_000, 2000)), ring((3000, 40_000), (3000, 30_000))])
    assert far.end > 20_000 < far.base


@pytest.mark.parametrize(
    "lines", [(), [ring((0, 0), (9000, 9000)), ring((0, 39_000), (0, 0))]], ids=["left", "right"]
)
def test_words_of_a_scale_bar_stay_inside_a_small_map(lines):
    """Maps of 24 hours are so small that the words are wider than the bar."""
    town = geodp.Domain((0, 0, 40_000, 40_000), geodp.Crs("EPSG:5070"))
    unit = 300.0  # the map is 133 points wide
    half = 0.5 * 8 * 0.6 * len("5 km") * unit  # few letters are wider than that
    words = bar_marks(town, lines, unit=unit)[-1]
    assert half <= words.x <= 40_000 - half
    bar = scale_bar(town, lines)
    assert bar_marks(town, lines)[-1].x == (bar.start + bar.end) / 2
