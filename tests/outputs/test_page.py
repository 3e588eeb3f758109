"""The page of a release in a real browser: pointed at, zoomed, sorted, narrow, without scripts."""

from __future__ import annotations

import os
import re
import shutil
from html import escape

import geopandas
import numpy as np
import pytest
import shapely
from samples import DOMAIN, made

import geodp
from geodp.outputs.choropleth import answers_png, nice_limits
from geodp.outputs.page import explorer_of
from geodp.outputs.report import html_of

WEST, EAST = shapely.box(0, 0, 50_000, 80_000), shapely.box(50_000, 0, 100_000, 80_000)
ODD = "</script><!-- <script>alert(1)"
FAR = shapely.box(300_000, 0, 310_000, 9_000)


@pytest.fixture(scope="module")
def regions():
    names = ["<West>", "East", ODD]
    return geopandas.GeoDataFrame({"name": names}, geometry=[WEST, EAST, FAR], crs="EPSG:5070")


@pytest.fixture(scope="module", params=["regular", "adaptive"])
def release(request):
    return geodp.release(made(), DOMAIN, epsilon=1, cells=request.param, seed=3)


def test_the_page_stands_alone(release, regions):
    page = html_of(release, regions=regions)
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "http" not in re.sub(r"base64,[^\"]*", "", page)
    assert "&lt;West&gt;" in page
    assert "<West>" not in page
    assert ODD not in page


def test_regions_have_a_table_with_intervals(release, regions):
    page = html_of(release, regions=regions)
    answers = release.query(regions)
    rows = re.findall(r'<tr data-region="(\d)"><td>(.*?)</td>(.*?)</tr>', page)
    assert [row[1] for row in rows] == ["&lt;West&gt;", "East", escape(ODD)]
    numbers = [re.findall(r'data-value="(.*?)"', row[2]) for row in rows]
    wanted = answers[["estimate", "ci_low", "ci_high"]].to_numpy()
    np.testing.assert_allclose(np.array(numbers[:2], dtype=float), wanted[:2], rtol=1e-5)
    assert numbers[2] == ["", "", ""]


def test_regions_without_names_have_numbers(release, regions):
    page = html_of(release, regions=regions.geometry)
    assert re.findall(r'<tr data-region="\d"><td>(.*?)</td>', page) == ["1", "2", "3"]


def test_too_many_cells_leave_the_picture(monkeypatch, release):
    assert "<script" in explorer_of(release)
    monkeypatch.setattr("geodp.outputs.page._MOST_CELLS", 3)
    assert explorer_of(release) == ""


def test_a_map_of_answers_is_a_picture(release, regions):
    answers = release.query(regions)
    assert answers_png(release, answers).startswith(b"\x89PNG")
    assert nice_limits(np.zeros(3)) == []


# --- in a browser -------------------------------------------------------------------------------


def browser_at(width: int, *, scripts: bool = True):
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not program:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium and chromium-driver are missing")
        pytest.skip("chromium and chromium-driver are missing: the page was not looked at")
    options = Options()
    options.binary_location = program
    quiet = ("background-networking", "component-update", "sync", "gpu", "quic")
    for word in ("headless=new", "no-sandbox", "no-first-run", *(f"disable-{w}" for w in quiet)):
        options.add_argument(f"--{word}")
    options.add_argument(f"--window-size={width},900")
    if not scripts:
        blocked = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", blocked)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


@pytest.fixture(scope="module")
def page(release, regions, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    release.to_report(path, regions=regions)
    return path.as_uri()


@pytest.fixture(scope="module")
def browser():
    driver = browser_at(1100)
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, page):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(page)
    WebDriverWait(browser, 20).until(
        lambda found: found.find_elements("css selector", "#legend li")
    )
    yield browser
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def point(browser, x: float, y: float) -> str:
    """Point at a place of the map, given as parts of its sides, and read what is said."""
    from selenium.webdriver import ActionChains

    canvas = browser.find_element("id", "map")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
    width, height = canvas.size["width"], canvas.size["height"]
    move = ActionChains(browser)
    move.move_to_element_with_offset(canvas, round((x - 0.5) * width), round((y - 0.5) * height))
    move.perform()
    return browser.find_element("id", "told").text


def said(value: float) -> str:
    """Three significant digits, as the page writes them."""
    from geodp.core.wording import significant

    return significant(value).replace("-", "−")


@pytest.mark.slow
def test_pointing_at_the_map_tells_region_and_cell(opened, release, regions):
    cells = release.to_geodataframe()
    west = cells[cells.geometry.within(WEST)]
    cell = west.loc[west.area.idxmax()]  # large enough that no rounding of pixels matters
    x, y = (cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2
    told = point(opened, x / 100_000, 1 - y / 80_000)
    answer = release.query(regions).iloc[0]
    assert told.startswith(f"<West>: about {said(answer.estimate)} records")
    assert f"about {said(float(cell['count']))} records" in told.split("This cell")[1]
    lit = opened.find_elements("css selector", "tr.lit td")
    assert lit[0].text == "<West>"
    assert "East" in point(opened, 0.8, 0.3)


@pytest.mark.slow
def test_zooming_and_moving_by_keys_reads_the_middle(opened):
    from selenium.webdriver.common.keys import Keys

    canvas = opened.find_element("id", "map")
    before = canvas.screenshot_as_base64
    canvas.send_keys("+++")
    closer = canvas.screenshot_as_base64
    assert closer != before
    first = opened.find_element("id", "told").text
    canvas.send_keys(Keys.ARROW_RIGHT * 3)
    assert opened.find_element("id", "told").text != first
    canvas.send_keys("0")
    opened.find_element("id", "closer").click()
    opened.find_element("id", "whole").click()
    assert opened.find_element("id", "told").get_attribute("aria-live") == "polite"


@pytest.mark.slow
def test_the_table_sorts_both_ways_and_keeps_what_is_empty_last(opened, release, regions):
    heads = opened.find_elements("css selector", "#districts th button")
    first = [release.query(regions)["estimate"].iloc[:2].argsort().tolist()]
    by_estimate = [["<West>", "East"][place] for place in first[0]]
    heads[1].click()
    rows = [row.text for row in opened.find_elements("css selector", "#districts td:first-child")]
    assert rows == [*by_estimate, ODD]
    heads[1].click()
    rows = [row.text for row in opened.find_elements("css selector", "#districts td:first-child")]
    assert rows == [*by_estimate[::-1], ODD]
    sorts = [h.get_attribute("aria-sort") for h in opened.find_elements("css selector", "th")]
    assert sorts.count("descending") == 1


@pytest.mark.slow
def test_the_second_view_says_how_far_to_trust_it(opened):
    canvas = opened.find_element("id", "map")
    before, legend = canvas.screenshot_as_base64, opened.find_element("id", "legend").text
    opened.find_elements("css selector", "input[name=view]")[1].click()
    assert canvas.screenshot_as_base64 != before
    assert opened.find_element("id", "legend").text != legend
    assert "little is known" in opened.find_element("id", "legend").text


@pytest.mark.slow
def test_a_narrow_window_has_no_sideways_scrolling(page):
    driver = browser_at(500)
    try:
        driver.set_window_size(400, 800)
        driver.get(page)
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= driver.execute_script("return window.innerWidth")
        canvas = driver.find_element("id", "map")
        assert canvas.size["width"] > 250
    finally:
        driver.quit()


@pytest.mark.slow
def test_without_scripts_the_pictures_remain(page):
    driver = browser_at(900, scripts=False)
    try:
        driver.get(page)
        assert not driver.find_elements("id", "map")
        pictures = driver.find_elements("css selector", "img")
        assert len(pictures) == 2
        assert all(picture.is_displayed() and picture.size["height"] > 200 for picture in pictures)
    finally:
        driver.quit()
