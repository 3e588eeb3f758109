"""The page of a release in a real browser: pointed at, zoomed, sorted, narrow, without scripts.

Groups are switched, land is told from sea, and all of it goes by keys as well.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from html import escape

import geopandas
import numpy as np
import pytest
import shapely
from programs import left_out
from samples import DOMAIN, sample_points

import geodp
from geodp.core.pictures.page import explorer_html, shown_groups
from geodp.core.publish.columns import cell_columns
from geodp.core.views.means import means_on
from geodp.outputs.report import report_html

WEST, EAST = shapely.box(0, 0, 50_000, 80_000), shapely.box(50_000, 0, 100_000, 80_000)
ODD = "</script><!-- <script>alert(1)"
FAR = shapely.box(300_000, 0, 310_000, 9_000)
LAND = shapely.box(0, 0, 100_000, 41_000)  # the north is sea


@pytest.fixture(scope="module")
def regions():
    names = ["<West>", "East", ODD]
    return geopandas.GeoDataFrame({"name": names}, geometry=[WEST, EAST, FAR], crs="EPSG:5070")


@pytest.fixture(scope="module", params=["regular", "adaptive"])
def release(request):
    return geodp.release(sample_points(), DOMAIN, epsilon=1, cells=request.param, seed=3)


@pytest.mark.slow
def test_the_page_stands_alone(release, regions):
    page = report_html(release, regions=regions)
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "http" not in re.sub(r"base64,[^\"]*", "", page)
    assert "&lt;West&gt;" in page
    assert "<West>" not in page
    assert ODD not in page


@pytest.mark.slow
def test_regions_have_a_table_with_intervals(release, regions):
    page = report_html(release, regions=regions)
    answers = release.query(regions)
    rows = re.findall(r'<tr data-region="(\d)"><td>(.*?)</td>(.*?)</tr>', page)
    assert [row[1] for row in rows] == ["&lt;West&gt;", "East", escape(ODD)]
    numbers = [re.findall(r'data-value="(.*?)"', row[2]) for row in rows]
    wanted = answers[["estimate", "ci_low", "ci_high"]].to_numpy()
    np.testing.assert_allclose(np.array(numbers[:2], dtype=float), wanted[:2], rtol=1e-5)
    assert numbers[2] == ["", "", ""]


@pytest.mark.slow
def test_regions_without_names_have_numbers(release, regions):
    page = report_html(release, regions=regions.geometry)
    assert re.findall(r'<tr data-region="\d"><td>(.*?)</td>', page) == ["1", "2", "3"]


@pytest.mark.slow
def test_regions_whose_name_is_missing_have_numbers(release, regions):
    page = report_html(release, regions=regions.assign(name=["West", None, np.nan]))
    assert re.findall(r'<tr data-region="\d"><td>(.*?)</td>', page) == ["West", "2", "3"]


@pytest.mark.slow
def test_outlines_are_cut_at_the_edge_of_the_map(release):
    """A side that leaves the map meets its edge where it should, not where its end would."""
    triangle = shapely.Polygon([(0, 0), (300_000, 0), (0, 80_000)])
    around = triangle.buffer(1_000_000)
    layer = geopandas.GeoSeries([triangle, around, FAR], crs="EPSG:5070")
    rings = [each["rings"] for each in page_data(report_html(release, regions=layer))["regions"]]
    x, y = np.array(rings[0][0]).reshape(-1, 2).T / 65535
    drawn = shapely.Polygon(zip(x * 100_000, (1 - y) * 80_000))
    wanted = triangle.intersection(shapely.box(*DOMAIN.bounds))
    assert drawn.symmetric_difference(wanted).area < 1e-4 * wanted.area
    assert shapely.Polygon(np.array(rings[1][0]).reshape(-1, 2)).equals(
        shapely.box(0, 0, 65535, 65535)
    )
    assert rings[2] == []


def test_too_many_cells_leave_the_picture(monkeypatch, release, kinds):
    assert "<script" in explorer_html(shown_groups(release))
    monkeypatch.setattr("geodp.core.pictures.page.MOST_NUMBERS", 2 * len(kinds.cells))
    assert explorer_html(shown_groups(kinds)) == ""
    monkeypatch.setattr("geodp.core.pictures.page.MOST_CELLS", 3)
    assert explorer_html(shown_groups(release)) == ""


@pytest.fixture(scope="module")
def kinds():
    points = sample_points().assign(
        kind=lambda frame: np.where(frame.east < 50_000, "theft", "a<b")
    )
    lists = {"by": geodp.Categories("kind", ["theft", "a<b"])}
    return geodp.release(points, DOMAIN, epsilon=1, cells="adaptive", seed=3, **lists)


@pytest.fixture(scope="module")
def on_land():
    within = geopandas.GeoSeries([LAND], crs="EPSG:5070")
    domain = geodp.Domain(DOMAIN.bounds, crs="EPSG:5070", within=within)
    return geodp.release(
        sample_points(), cells=geodp.Regular(geodp.Grid(domain, (9, 11))), epsilon=1, seed=3
    )


def page_data(page: str) -> dict:
    return json.loads(re.search(r'id="cells">(.*?)</script>', page).group(1))


def unpacked(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=kind)


@pytest.mark.slow
def test_all_layers_are_in_the_page_with_their_numbers(kinds, regions):
    data = page_data(report_html(kinds, regions=regions))
    assert [each["name"] for each in data["groups"]] == ["All groups together", "theft", "a<b"]
    cells = cell_columns(kinds.cells)
    boxes = np.stack([cells[name] for name in ("left", "bottom", "right", "top")], axis=1)
    for layer, one in zip(data["groups"], (kinds.total, *kinds.maps.values())):
        numbers = unpacked(layer["numbers"], "<f4").reshape(-1, 3)
        answer = one.query(boxes)
        for column, wanted in enumerate((answer.estimate, answer.ci_low, answer.ci_high)):
            np.testing.assert_allclose(numbers[:, column], wanted, rtol=6e-4, atol=1e-9)
        assert unpacked(layer["views"][0]["classes"], np.uint8).size == data["count"]
    west = data["regions"][0]["numbers"]
    wanted = [one.query(regions)["estimate"].iloc[0] for one in kinds.maps.values()]
    np.testing.assert_allclose([west[1][0], west[2][0]], wanted, atol=1e-3)
    assert data["regions"][2]["numbers"] == [None, None, None]


@pytest.fixture(scope="module")
def paid():
    points = sample_points()
    x, y = points.geometry.x.to_numpy(), points.geometry.y.to_numpy()
    rows = {"x": x, "y": y, "paid": np.arange(len(x)) % 70, "kind": np.resize(["a", "b"], len(x))}
    kinds = geodp.Categories("kind", ["a", "b"])
    amount = geodp.Amount("paid", 0, 100, label="EUR")
    return geodp.release(rows, DOMAIN, epsilon=1, by=kinds, amount=amount, seed=1)


@pytest.mark.slow
def test_sums_and_means_are_in_the_page_with_their_intervals(paid, regions):
    page = report_html(paid, regions=regions)
    heads = re.findall(r'<th class="n">(.*?)</th>', page)
    names = ["records", "mean paid (EUR)", "sum of paid (EUR)"]
    assert [name for name in heads if name in names] == [*names, *names]  # groups, then regions
    answers = paid.total.query(regions)
    row = re.findall(r'<tr data-region="0">(.*?)</tr>', page)[0]
    shown = np.array(re.findall(r'data-value="(.*?)"', row)[3:], dtype=float)
    words = [word + end for word in ("mean", "sum") for end in ("", "_low", "_high")]
    wanted, width = answers[words].to_numpy()[0], np.repeat([2, 5], 3)
    reach = answers[words].to_numpy()[0][width] - answers[words].to_numpy()[0][width - 1]
    assert (np.abs(shown - wanted) <= 0.0051 * reach).all()
    assert "amounts above 100 EUR count as 100" in page
    data = page_data(page)
    assert data["mean"] == "Mean paid (EUR)"
    for group, one in zip(data["groups"], (paid.total, *paid.values())):
        assert len(group["views"]) == 4
        means, sums = unpacked(group["means"], "<f4").reshape(-1, 3), means_on(one, one.cells)
        assert np.isnan(means[:, 0]).tolist() == np.isnan(sums.mean).tolist()
        reach = sums.mean_high - sums.mean_low
        assert (np.abs(means[:, 1] - sums.mean_low) <= 0.0051 * reach).all()
        legend = group["views"][1]["legend"]
        grey = unpacked(group["views"][1]["classes"], np.uint8) == len(legend) - 1
        assert grey.tolist() == np.isnan(sums.mean).tolist()
        assert legend[-1]["label"] == "not known"
    assert data["regions"][2]["means"] == [None] * 3
    one, low, high = data["regions"][1]["means"][2]
    answered = paid["b"].query(regions)
    assert one == pytest.approx(answered["mean"][1], rel=0.01)
    assert low <= one <= high


@pytest.mark.slow
def test_the_page_knows_where_no_records_can_be(on_land, release):
    assert page_data(report_html(release))["nowhere"] is None
    nowhere = page_data(report_html(on_land))["nowhere"]
    shape = nowhere["rows"], nowhere["columns"]
    assert max(shape) == 1024
    empty = np.unpackbits(unpacked(nowhere["bits"], np.uint8))[: shape[0] * shape[1]].reshape(shape)
    assert empty[: int(shape[0] * 0.48)].all()
    assert not empty[int(shape[0] * 0.5) :].any()


# --- in a browser -------------------------------------------------------------------------------


def browser_at(width: int, *, scripts: bool = True):
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    driver, program = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not program:
        left_out("the page in a browser", "chromium and chromium-driver")
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


def open_page(browser, page):
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(page)
    WebDriverWait(browser, 20).until(
        lambda driver: driver.find_elements("css selector", "#legend li")
    )
    return browser


@pytest.fixture
def opened(browser, page):
    yield open_page(browser, page)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.fixture
def opened_kinds(browser, kinds, regions, tmp_path):
    kinds.to_report(tmp_path / "kinds.html", regions=regions)
    yield open_page(browser, (tmp_path / "kinds.html").as_uri())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.fixture
def opened_land(browser, on_land, tmp_path):
    on_land.to_report(tmp_path / "land.html")
    yield open_page(browser, (tmp_path / "land.html").as_uri())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def colour_at(browser, x: float, y: float) -> list[int]:
    """Return colour of the map at a place, given as parts of its sides."""
    script = """
        const map = document.getElementById("map"), [x, y] = arguments;
        const pen = map.getContext("2d");
        return [...pen.getImageData(x * map.width, y * map.height, 1, 1).data].slice(0, 3)"""
    return browser.execute_script(script, x, y)


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


def significant_digits(value: float) -> str:
    """Return three significant digits, as the page writes them."""
    from geodp.core.space.wording import significant

    return significant(value).replace("-", "−")


@pytest.mark.slow
def test_pointing_at_the_map_tells_region_and_cell(opened, release, regions):
    cells = release.to_geodataframe()
    west = cells[cells.geometry.within(WEST)]
    cell = west.loc[west.area.idxmax()]  # large enough that no rounding of pixels matters
    x, y = (cell.left + cell.right) / 2, (cell.bottom + cell.top) / 2
    text = point(opened, x / 100_000, 1 - y / 80_000)
    answer = release.query(regions).iloc[0]
    assert text.startswith(f"<West>: about {significant_digits(answer.estimate)} record")
    assert f"about {significant_digits(float(cell['count']))} record" in text.split("This cell")[1]
    lit = opened.find_elements("css selector", "tr.lit td")
    assert lit[0].text == "<West>"
    assert "East" in point(opened, 0.8, 0.3)


@pytest.mark.slow
def test_a_list_switches_between_layers(opened_kinds, kinds, regions):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    choice = opened_kinds.find_element("css selector", "select[name=group]")
    names = [option.text for option in Select(choice).options]
    assert names == ["All groups together", "theft", "a<b"]
    assert choice.accessible_name == "Group"
    for name, one in zip(names, (kinds.total, *kinds.maps.values())):
        estimate = one.query(regions)["estimate"].iloc[0]
        assert (text := point(opened_kinds, 0.2, 0.3)).startswith(f"{name}. <West>: about")
        assert f"about {significant_digits(estimate)} record" in text
        before = opened_kinds.find_element("id", "map").screenshot_as_base64
        choice.send_keys(Keys.ARROW_DOWN)
        same = opened_kinds.find_element("id", "map").screenshot_as_base64 == before
        assert same == (name == "a<b")  # the last stays


@pytest.mark.slow
def test_the_script_speaks_the_language_of_the_page(browser, kinds, regions, tmp_path):
    kinds.to_report(tmp_path / "kinds.html", regions=regions, language="de")
    opened = open_page(browser, (tmp_path / "kinds.html").as_uri())
    answer = kinds.total.query(regions).iloc[0]
    words = (significant_digits(each) for each in (answer.estimate, answer.ci_low, answer.ci_high))
    numbers = [word.replace(",", "\u202f").replace(".", ",") for word in words]
    answered = "<West>: etwa {} Datensätze, sehr wahrscheinlich zwischen {} und {}."
    wanted = f"Alle Gruppen zusammen. {answered.format(*numbers)}"
    assert point(opened, 0.2, 0.3).startswith(wanted)
    assert "Diese Zelle (" in opened.find_element("id", "told").text
    choice = opened.find_element("css selector", "select[name=group]")
    assert choice.accessible_name == "Gruppe"
    assert opened.find_element("id", "closer").accessible_name == "Vergrößern"
    assert opened.find_element("id", "whole").text == "Ganze Karte"
    assert opened.find_element("id", "map").accessible_name.startswith("Karte der Zahlen. Pfeil")
    labels = [label.text for label in opened.find_elements("css selector", ".tools label")]
    assert labels[1:] == ["Datensätze je 100 km²", "Verlässlichkeit", "Punkte"]
    assert "hardly" not in opened.find_element("tag name", "body").text
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_buttons_put_the_page_into_another_language(browser, kinds, regions, tmp_path):
    from selenium.webdriver.support.ui import Select, WebDriverWait

    def choose(code):
        browser.find_element("css selector", f"#spoken [lang={code}]").click()
        WebDriverWait(browser, 20).until(
            lambda driver: driver.find_elements("css selector", "#legend li")
        )

    kinds.to_report(tmp_path / "kinds.html", regions=regions)
    opened = open_page(browser, (tmp_path / "kinds.html").as_uri())
    buttons = opened.find_elements("css selector", "#spoken button")
    assert [button.text for button in buttons] == ["English", "Deutsch", "français"]
    assert opened.find_element("id", "spoken").accessible_name == "Language"
    before = opened.find_element("id", "page").get_attribute("innerText")
    answered = point(opened, 0.2, 0.3)
    assert answered.startswith("All groups together. <West>: about")

    for code, heading, words in (
        ("fr", "Comment lire la carte", "Tous les groupes ensemble. <West>"),
        ("de", "Wie die Karte zu lesen ist", "Alle Gruppen zusammen. <West>: etwa"),
    ):
        choose(code)
        assert opened.execute_script("return document.documentElement.lang") == code
        assert heading in [element.text for element in opened.find_elements("tag name", "h2")]
        assert point(opened, 0.2, 0.3).startswith(words)
        assert len(opened.find_elements("id", "explorer")) == 1
        pressed = opened.find_elements("css selector", "#spoken [aria-pressed=true]")
        assert [button.get_attribute("lang") for button in pressed] == [code]
    assert opened.title.startswith("Bericht von geodp: ")
    choice = Select(opened.find_element("css selector", "select[name=group]"))
    choice.select_by_visible_text("a<b")
    assert point(opened, 0.2, 0.3).startswith("a<b. <West>: etwa")
    heads = opened.find_elements("css selector", "#districts th button")
    heads[1].click()
    assert opened.find_elements("css selector", "#districts th[aria-sort=ascending]")

    choose("en")
    assert opened.find_element("id", "page").get_attribute("innerText") == before
    assert point(opened, 0.2, 0.3) == answered
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_only_land_is_coloured_and_the_sea_says_so(opened_land, on_land):
    sea = [233, 237, 240]
    assert colour_at(opened_land, 0.5, 0.2) == sea
    coast = 1 - 41_000 / 80_000  # cuts through cells: these have two colours
    assert (41_000 * on_land.cells.grid.shape[0]) % 80_000
    assert colour_at(opened_land, 0.3, coast - 0.01) == sea
    assert colour_at(opened_land, 0.3, coast + 0.01) != sea
    canvas = opened_land.find_element("id", "map")
    canvas.send_keys("0")
    opened_land.execute_script("arguments[0].focus()", canvas)
    for _ in range(40):
        canvas.send_keys("\ue013")  # up
    assert opened_land.find_element("id", "told").text == "No records can be here."


@pytest.mark.slow
def test_a_scale_bar_follows_the_zoom(opened_land):
    script = """
        const map = document.getElementById("map"), pen = map.getContext("2d"), dark = [];
        const row = pen.getImageData(0, map.height - 10, map.width, 1).data;
        for (let i = 0; i < map.width; i++)
          if (row[4 * i] === 51 && row[4 * i + 1] === 51) dark.push(i);
        return [dark.length / map.width, dark[0]]"""
    part, start = opened_land.execute_script(script)
    assert part == pytest.approx(0.2, abs=0.01)  # 20 km of 100
    assert start == pytest.approx(12, abs=1)
    for _ in range(3):
        opened_land.find_element("id", "closer").click()
    part, _ = opened_land.execute_script(script)
    assert part == pytest.approx(0.02 * 1.6**3, abs=0.01)  # 2 km


@pytest.mark.slow
def test_arrow_keys_go_from_cell_to_cell(opened_land, on_land):
    from selenium.webdriver.common.keys import Keys

    canvas = opened_land.find_element("id", "map")
    assert canvas.aria_role == "application"
    assert canvas.accessible_name.startswith("Map of counts. Arrow keys")
    width, height = 100_000, 80_000
    x, y = 0.5 * width, 0.5 * height
    canvas.send_keys("0", Keys.ARROW_DOWN)
    cells = on_land.to_geodataframe()
    for _ in range(3):
        here = cells[(cells.left <= x) & (x < cells.right) & (cells.bottom < y) & (y <= cells.top)]
        y = min(here.bottom.iloc[0], y - height / 40) - 1
        here = cells[(cells.left <= x) & (x < cells.right) & (cells.bottom < y) & (y <= cells.top)]
        count = float(here["count"].iloc[0])
        assert (
            f"about {significant_digits(count)} record"
            in opened_land.find_element("id", "told").text
        )
        canvas.send_keys(Keys.ARROW_DOWN)


@pytest.mark.slow
def test_rows_of_the_table_can_be_gone_through_by_keys(opened):
    from selenium.webdriver.common.keys import Keys

    rows = opened.find_elements("css selector", "#districts tbody tr")
    assert [row.get_attribute("tabindex") for row in rows] == ["0", "-1", "-1"]
    opened.execute_script("arguments[0].focus()", rows[0])
    assert opened.find_element("id", "told").text.startswith("<West>: about")
    rows[0].send_keys(Keys.ARROW_DOWN)
    assert opened.switch_to.active_element == rows[1]
    assert opened.find_element("id", "told").text.startswith("East: about")
    assert opened.find_elements("css selector", "tr.lit td")[0].text == "East"


@pytest.mark.slow
def test_paper_shows_pictures_and_all_that_is_folded(opened_kinds):
    opened_kinds.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert not opened_kinds.find_element("id", "map").is_displayed()
        assert opened_kinds.find_element("id", "picture").is_displayed()
        script = (
            "return [...document.querySelectorAll('details table')].map((t) => t.checkVisibility())"
        )
        assert opened_kinds.execute_script(script) == [True, True]
    finally:
        opened_kinds.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.slow
def test_zooming_and_moving_by_keys_reads_what_is_there(opened):
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
def test_means_are_shown_and_told(browser, paid, regions, tmp_path):
    paid.to_report(tmp_path / "paid.html", regions=regions)
    opened = open_page(browser, (tmp_path / "paid.html").as_uri())
    views = [element.text for element in opened.find_elements("css selector", ".tools label")][1:]
    assert views == ["Records per km²", "Mean paid (EUR)", "How far to trust it", "Dots"]
    opened.find_elements("name", "view")[1].click()
    mean = data_of(opened)["regions"][0]["means"][0][0]
    assert f"Mean paid (EUR): about {mean:,.6g}, very likely between" in point(opened, 0.3, 0.5)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def data_of(opened) -> dict:
    return json.loads(opened.execute_script("return document.getElementById('cells').textContent"))


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
        pictures = driver.find_elements("css selector", "figure > svg")
        assert len(pictures) == 2
        assert all(picture.is_displayed() and picture.size["height"] > 200 for picture in pictures)
    finally:
        driver.quit()


# --- districts, outlines, a sentence, the dark ----------------------------------------------------


@pytest.fixture(scope="module")
def districts(regions):
    inside = regions.iloc[:2]
    return geodp.release(sample_points(), epsilon=1, cells=geodp.Districts(inside), seed=3)


def test_a_page_of_districts_lists_them_and_reads_one_out(districts):
    page = report_html(districts)
    names = re.findall(r'<tr data-region="\d"><td>(.*?)</td>', page)
    assert names == ["&lt;West&gt;", "East"]
    cells = districts.to_geodataframe()
    middle = cells.sort_values("count").iloc[1]
    number = [f"{round(middle[name]):,}" for name in ("count", "ci_low", "ci_high")]
    wanted = "{}: about {} records, very likely between {} and {}."
    assert wanted.format(escape(middle["district"]), *number) in page


def test_a_page_of_districts_shows_one_map_and_speaks_of_districts(regions):
    layer = regions.iloc[:2]
    release = geodp.release(sample_points(), epsilon=1, cells=geodp.Districts(layer))
    for given, maps in ((None, 1), (layer, 1), (regions, 2)):
        page = report_html(release, regions=given).partition("<script")[0]
        assert page.count("<figure") == maps
        assert "Every district shows its true count plus random noise." in page
        assert "choosing the grid" not in page
        assert page.index("<figure") < page.index(escape(str(release.promise)))


def test_a_page_of_one_grid_cites_how_it_was_chosen(release):
    assert ("choosing the grid" in report_html(release)) == (len(release.method.candidates) > 1)


def test_a_page_without_regions_reads_out_the_whole_map(release):
    answers = release.query([DOMAIN.bounds])
    about = (
        f"The whole map: about {round(float(answers.estimate[0])):,} records, very likely between"
    )
    assert about in report_html(release)


@pytest.mark.slow
def test_the_boundary_is_drawn_on_the_map_to_look_at(release):
    layer = geopandas.GeoSeries([WEST, EAST.buffer(50_000), FAR], crs="EPSG:5070")
    lines = page_data(report_html(release, boundary=layer))["lines"]
    drawn = shapely.union_all([shapely.LineString(np.reshape(line, (-1, 2))) for line in lines])
    middle = shapely.LineString([(32768, 0), (32768, 65535)])
    assert middle.hausdorff_distance(drawn.intersection(middle.buffer(2))) < 3
    assert page_data(report_html(release))["lines"] == []
    x, y = np.concatenate([np.reshape(line, (-1, 2)) for line in lines]).T
    assert max(x.max(), y.max()) <= 65535
    assert not np.any((x == 65535) & (y > 0) & (y < 65535)), "nothing runs along the edge"


@pytest.mark.slow
def test_districts_can_be_pointed_at(browser, districts, tmp_path):
    districts.to_report(tmp_path / "districts.html")
    open_page(browser, (tmp_path / "districts.html").as_uri())
    west, east = districts.counts.tolist()
    assert point(browser, 0.2, 0.3).startswith(f"<West>: about {significant_digits(west)} record")
    text = point(browser, 0.8, 0.3)
    assert text.startswith(f"East: about {significant_digits(east)} record")
    assert text.count("about") == 1, "a district that is a cell and a row is told once"
    assert browser.find_elements("css selector", "tr.lit td")[0].text == "East"
    which = np.searchsorted(
        [class_.high for class_ in districts.legend.classes[:-1]], districts.drawn
    )
    colours = [list(districts.legend.classes[place].colour) for place in which.tolist()]
    assert [colour_at(browser, x, 0.5) for x in (0.2, 0.8)] == colours
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.mark.slow
def test_dots_are_a_way_to_look_at_the_map(opened):
    before = opened.find_element("id", "map").screenshot_as_base64
    opened.find_elements("css selector", "input[name=view]")[2].click()
    legend = opened.find_element("id", "legend").text
    assert re.match(r"one dot: [\d,]+ records?, .*none is a real place$", legend)
    assert opened.find_element("id", "map").screenshot_as_base64 != before
    assert "about" in point(opened, 0.2, 0.3), "what is read stays the count with its interval"


@pytest.mark.slow
def test_a_dark_screen_has_a_dark_page_that_can_be_read(opened):
    script = """
        const style = getComputedStyle(arguments[0]);
        return [style.color, style.backgroundColor]"""

    def contrast(element) -> float:
        """Return contrast of text and page, by the rule for accessible pages."""
        ink, paper = opened.execute_script(script, element)
        luminance = []
        for colour in (ink, paper):
            value = np.array([int(part) for part in re.findall(r"\d+", colour)[:3]]) / 255
            linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
            luminance.append(float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05)
        return max(luminance) / min(luminance)

    body = opened.find_element("css selector", "body")
    shown = [body, *opened.find_elements("css selector", ".promise, .alarm, #closer")]
    light = opened.execute_script(script, body)
    wanted = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)
    try:
        dark = opened.execute_script(script, body)
        assert dark != light
        assert sum(int(part) for part in re.findall(r"\d+", dark[1])[:3]) < 150
        assert len(shown) == 3
        assert all(contrast(each) > 7 for each in shown)
    finally:
        opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert opened.execute_script(script, body) == light
