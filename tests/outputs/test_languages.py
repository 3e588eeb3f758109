"""The report in every language: no English is left, whatever cells, people and groups there are."""

import base64
import json
import re
import zlib
from html import escape, unescape
from html.parser import HTMLParser

import geopandas
import numpy as np
import pytest
import shapely
from click.testing import CliRunner

import geodp
from geodp.cli import main
from geodp.core.common.language import CATALOGUES, Language, language_by_code, languages
from geodp.core.pictures.page import _WORDS
from geodp.core.pictures.report import report_page
from geodp.outputs.report import _answered, report_html

TOWN = geodp.Domain((0, 0, 40_000, 30_000), crs="EPSG:5070")
GLOBE = geodp.Domain((0, 0, 10, 10), crs="EPSG:4326", allow_geographic=True)
BOXES = [shapely.box(x, y, x + 10_000, y + 15_000) for x in range(0, 40_000, 10_000) for y in (0,)]
UPPER = [shapely.box(x, 15_000, x + 10_000, 30_000) for x in range(0, 40_000, 10_000)]
NAMES = ["Юг", "{1} cells", "records", "1,234.5", "<b>", "How to read it", "%1", "ё"]
"""Names of districts: some of them are texts of the catalogue, which nobody may translate."""

DATA = re.compile("|".join([*map(re.escape, sorted(NAMES, key=len)[::-1]), r"\b[0-9a-f]{16}\b"]))
"""What stays as it is: these names, and checksums."""

OURS = {
    *(
        "km",
        "EPSG",
        "growth",
        "influence",
        "beta",
        "sketch",
        "share",
        "sketch_share",
        "delta",
        "n0",
    ),
    *("Maryam", "Fanaeepour", "Benjamin", "I", "P", "Rubinstein", "score", "sensitivity"),
    *("End", "to", "Differentially", "Private", "Parameter", "Tuning", "in", "Spatial"),
    *("Histograms", "relative", "response"),
}
"""Words of names: of people, of a paper, of a CRS, of a unit, of what tuners are set to."""


@pytest.fixture(scope="module")
def layer():
    states = ["Ж", "Ю"] * 4
    columns = {"край": states, "имя": NAMES}
    return geopandas.GeoDataFrame(columns, geometry=BOXES + UPPER, crs="EPSG:5070")


@pytest.fixture(scope="module")
def points():
    random, number = np.random.default_rng(1), 4000
    x = np.clip(random.normal(15_000, 6000, number), 1, 39_999)
    y = np.clip(random.normal(12_000, 5000, number), 1, 29_999)
    return {
        "x": x,
        "y": y,
        "кто": (np.arange(number) // 3).astype(str),
        "вид": np.where(x < 15_000, "да", "нет"),
        "вред": random.uniform(0, 900, number),
    }


def kinds(points, layer):
    """Releases of every kind of cells, people, groups and amounts, with regions or without."""
    grid, by = geodp.Regular(sizes=[4]), geodp.Categories("вид", ["да", "нет"])
    land = geopandas.GeoSeries([shapely.box(0, 0, 35_000, 30_000)], crs="EPSG:5070")
    coast = geodp.Domain(TOWN.bounds, crs="EPSG:5070", within=land)
    amount = geodp.Amount("вред", 0, 1000, label="₽")
    person = geodp.Person
    degrees = {"x": points["x"] / 4000, "y": points["y"] / 3000}
    hexagons = geodp.Hexagons(3000)

    def publish(points, domain=TOWN, cells=grid, **options):
        return geodp.release(points, domain, epsilon=1.5, cells=cells, **options)

    yield publish(points, cells="regular"), layer
    yield publish(points, cells=geodp.Regular(sizes=[4, 8], workload=layer, tuner="e2epriv")), None
    yield publish(points, cells="adaptive"), layer
    yield publish(points, coast, "adaptive"), None
    yield publish(degrees, GLOBE, geodp.Regular(sizes=[4, 8])), None
    yield publish(degrees, GLOBE, "adaptive"), None
    yield publish(points, None, geodp.Districts(layer, name="имя")), None
    yield publish(points, None, geodp.Districts(layer, levels=["край", "имя"])), None
    yield publish(points, None, geodp.Adaptive(districts=layer)), None
    yield publish(points, cells=hexagons), None
    yield publish(points, cells=geodp.Choice([layer, hexagons, geodp.Grid(TOWN, (4, 4))])), None
    groups = publish(points, cells="adaptive", by=by)
    yield groups.with_about(title="Имя", source="Ж", publisher="Ю", licence="Я", date="Ц"), layer
    yield groups["да"], None
    yield publish(points, by=[by, geodp.Breaks("вред", list(range(0, 900, 100)))]), None
    yield publish(points, amount=amount), layer
    total = geodp.Amount("вред", 0, 9, per_person=True)
    yield publish(points, amount=total, protect=person("кто")), None
    yield publish(points, cells="adaptive", protect=person("кто", max_records=5), by=by), None
    yield publish(points, protect=person("кто", max_records=1)), None
    yield publish(points, protect=person("кто", place="most frequent"), by=by), layer
    yield publish(points, protect=person("кто", visits=3)), None
    districts = geodp.Districts(layer, name="имя")
    yield publish(points, None, districts, protect=person("кто", visits=1)), None
    yield publish(points, protect=geodp.Record(neighbours="replace")), None
    yield publish(([], []), cells="adaptive"), None
    yield publish(points, cells="adaptive", seed=1), None


@pytest.fixture(scope="module")
def loud():
    """A language whose letters are none of English: what is left in those was never translated."""
    letters = {ord("a") + place: chr(0x430 + place) for place in range(26)}
    letters |= {ord("A") + place: chr(0x410 + place) for place in range(26)}
    texts = json.loads((CATALOGUES / "de.json").read_text(encoding="utf-8"))
    return Language("xx", {",": "'", ".": "·"}, {text: text.translate(letters) for text in texts})


class Page(HTMLParser):
    """Every text of a page that someone sees or hears, with all tags closed in their order."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.open = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        assert len(given) == len(attrs)
        self.texts += [given[name] for name in ("aria-label", "title", "alt") if name in given]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)


def shown(page):
    """All texts of a page, those that its script shows among them."""
    texts = Page(page).texts
    data = re.search(r'id="cells">(.*?)</script>', page)
    if data is not None:
        about = json.loads(data[1])
        spoken = about["spoken"][re.search(r'<html lang="(\w+)"', page)[1]]
        put({name: said for name, said in spoken.items() if name != "signs"}, about)
        texts += [about["unit"], *about["things"], *about["words"].values()]
        texts += [each["name"] for each in about["regions"]]
        for group in about["groups"]:
            texts += [group["name"], *(unescape(view["name"]) for view in group["views"])]
            texts += [each["label"] for view in group["views"] for each in view["legend"]]
    return texts


def put(said, data):
    """Put phrases of a language at their places, as the script of the page does."""
    for key, part in said.items():
        place = int(key) if isinstance(data, list) else key
        if isinstance(part, str):
            data[place] = part
        else:
            put(part, data[place])


def otherwise(page):
    """The texts of a page in each of its languages, by their codes."""
    stored = re.search(r'id="languages">"(.*?)"</script>', page)
    texts = json.loads(zlib.decompress(base64.b64decode(stored[1])))
    lines = re.search(r'<div id="page">(.*)</div>\n<script', page, re.DOTALL)[1].split("\n")
    return {
        text["code"]: (
            text["title"],
            "\n".join(lines[x] if isinstance(x, int) else x for x in text["lines"]),
        )
        for text in texts
    }


def written(release, regions, language):
    listed = None if regions is None else _answered(release, regions)
    return report_page(release, listed, language=language)


def test_no_text_of_a_report_stays_english(points, layer, loud):
    every = set()
    for release, regions in kinds(points, layer):
        for text in shown(written(release, regions, loud)):
            plain = DATA.sub("", text)
            left = set(re.findall(r"[A-Za-z]\w+", plain)) - OURS
            assert not left, (text, release)
            numbers = re.findall(r"\d[.,]\d", plain.replace(geodp.__version__, ""))
            assert not numbers, (text, release)
            every.add(text)
    assert len(every) > 500


def test_the_test_of_english_can_fail(points, loud):
    texts = {text: said for text, said in loud.texts.items() if text != "How to read it"}
    page = written(geodp.release(points, TOWN, epsilon=1), None, Language("xx", {}, texts))
    assert any("How to read it" in text for text in shown(page))


@pytest.mark.parametrize("code", languages()[1:])
def test_names_titles_and_groups_stay_as_they_are(points, layer, code):
    districts = geodp.release(points, epsilon=1, cells=geodp.Districts(layer, name="имя"))
    page = report_html(districts.with_about(title="records", source="{1} cells"), language=code)
    rows = re.findall(r'<tr data-region="\d+"><td>(.*?)</td>', page)
    assert sorted(map(unescape, rows)) == sorted(NAMES)
    assert "<h1>records</h1>" in page
    assert "{1} cells" in page
    names = [shape["name"] for shape in json.loads(re.search(r'"cells">(.*?)<', page)[1])["shapes"]]
    assert sorted(names) == sorted(NAMES)
    kinds = geodp.Categories("вид", ["да", "records", "1,234.5", "All groups together"])
    groups = geodp.release(points, TOWN, epsilon=1, by=kinds, cells=geodp.Regular(sizes=[2]))
    texts = shown(report_html(groups, language=code))
    assert {"records", "1,234.5", "All groups together"} <= set(texts)
    assert language_by_code(code).texts["All groups together"] in texts


def test_french_has_a_space_before_a_colon(points):
    release = geodp.release(points, TOWN, epsilon=1).with_about(source="police", licence="a:b")
    page = report_html(release, language="fr")
    assert page.count("Source\N{NO-BREAK SPACE}: police") == 2  # above the map, and below it
    assert "Source: police" not in page
    assert "a:b" in page


@pytest.mark.parametrize("code", languages()[1:])
def test_numbers_have_the_signs_of_the_language(points, code):
    release = geodp.release(points, TOWN, epsilon=0.5)
    page = report_html(release, language=code)
    text = " ".join(Page(page).texts).replace(geodp.__version__, "")
    assert f'<html lang="{code}">' in page
    assert "ε = 0,5" in text
    assert re.findall(r"\d\.\d", text) == []
    assert re.search("\\d\N{NARROW NO-BREAK SPACE}\\d{3}", text)


def test_english_is_what_it_was(points, layer):
    release = geodp.release(points, TOWN, epsilon=1)
    assert report_html(release, regions=layer) == report_html(release, regions=layer, language="en")
    assert "How to read it" in report_html(release)


def test_a_page_holds_what_it_is_in_each_language(points, layer):
    """A page that was put into another language is one that was written in it."""
    for release, regions in kinds(points, layer):
        listed = None if regions is None else _answered(release, regions)
        pages = {
            code: report_page(release, listed, language=language_by_code(code))
            for code in languages()
        }
        for page in pages.values():
            texts = otherwise(page)
            assert {*texts} == {*languages()}
            for code, (title, body) in texts.items():
                assert f"<title>{escape(title)}</title>" in pages[code]
                assert f'<div id="page">{body}</div>' in pages[code]
        spoken = [
            json.loads(re.search(r'"cells">(.*?)<', page)[1])["spoken"] for page in pages.values()
        ]
        assert spoken[0] == spoken[1] == spoken[2]
        assert spoken[0]["de"]["words"]["whole"] == "Ganze Karte"


def test_what_the_script_says_is_in_its_list():
    """No sentence stands in the script itself: it says those of the page's language."""
    script = page_script()
    assert set(re.findall(r'phrase\("(\w+)"', script)) | {
        "closer",
        "farther",
        "label",
        "tools",
    } == {*_WORDS}
    plain = re.sub(r"//.*|class=\"[^\"]*\"|`\$\{12[^`]*`", "", script)
    sentences = re.findall(r'"[A-Z][a-z]+[^"]*"|"[a-z]+ [a-z]+[^"]*"', plain)
    assert [sentence for sentence in sentences if sentence not in KEYS] == []


KEYS = {'"use strict"', '"ArrowDown"', '"ArrowUp"'}


def page_script():
    from geodp.core.pictures.page import part

    return part("page.js")


def test_the_command_line_writes_pages_and_maps_in_a_language(points, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = zip(points["x"].tolist(), points["y"].tolist())
    (tmp_path / "p.csv").write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in rows))
    where = ["--x", "x", "--y", "y", "--points-crs", "EPSG:5070", "--crs", "EPSG:5070"]
    where += ["--bounds", "0", "0", "40000", "30000", "--epsilon", "1"]
    asked = ["-o", "c.gpkg", "-o", "m.svg", "--report", "r.html", "--language", "de", "--yes"]
    done = CliRunner().invoke(main, ["release", "p.csv", *where, *asked])
    assert done.exit_code == 0, done.output
    assert "<h2>Wie die Karte zu lesen ist</h2>" in (tmp_path / "r.html").read_text()
    assert "Datensätze je km², geschützt" in (tmp_path / "m.svg").read_text()
    query = ["query", "c.gpkg", "c.gpkg", "--language", "fr"]
    done = CliRunner().invoke(main, [*query, "--report", "q.html"])
    assert done.exit_code == 0, done.output
    assert "<h2>Comment lire la carte</h2>" in (tmp_path / "q.html").read_text()
    done = CliRunner().invoke(main, query)
    assert done.exit_code == 2
    assert "--language is for a page" in done.output
    other = ["-o", "d.gpkg", "--language", "xx"]
    done = CliRunner().invoke(main, ["release", "p.csv", *where, *other])
    assert done.exit_code == 2
    with pytest.raises(geodp.InputError, match="the language must be one of"):
        geodp.open_release("c.gpkg").to_report("x.html", language="xx")
    assert not (tmp_path / "x.html").exists()
