"""Pictures laid out and painted as SVG: everything on the sheet, nothing over anything else."""

import re
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest

import geodp
from geodp.core.pictures.marks import (
    LETTER,
    Dots,
    Labels,
    Look,
    Pixels,
    Shapes,
    Words,
    length_in_box,
    map_marks,
)
from geodp.core.pictures.sheet import (
    Around,
    Key,
    Map,
    Sheet,
    Swatch,
    lay_out,
    map_sheet,
    regions_sheet,
)
from geodp.core.pictures.svg import encode_png, sheet_svg
from geodp.core.views.legend import hexadecimal
from geodp.core.views.picture import HARDLY_ANY, ramp

ODD = "]]> & <script>alert(1)</script> \" ' $x^2$ [% env('HOME') %]"


def make_domain(ratio):
    return geodp.Domain((0, 0, 4000, 4000 * ratio), geodp.Crs("EPSG:5070"))


def text_box(words):
    """Return left, top, right and bottom of a line of text on a sheet, in inches, as it is
    reckoned.
    """
    wide, high = (part * words.size / 72 for part in (LETTER * len(words.text), 1.0))
    return words.x, words.y - 0.8 * high, words.x + wide, words.y + 0.2 * high


def meet(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


CLASSES = [Swatch(f"{low} to {10 * low}", "#ff0000") for low in (1, 10, 100)]
TRUST = [Swatch(words, "#0000ff") for words in ("below half", "above the count: little is known")]
KEYS = [Key("Records per 100,000 km²\n(at most 5 per person)", CLASSES, 7), Key("", TRUST)]


@pytest.mark.parametrize("ratio", [0.1, 0.6, 1.0, 4.0])
@pytest.mark.parametrize("width", [None, 2.5, 7.0, 40.0])
@pytest.mark.parametrize("count", [1, 2, 7, 24])
def test_nothing_lies_outside_the_sheet_or_over_anything_else(ratio, width, count):
    names = [""] if count == 1 else [f"group {number} with a long name" for number in range(count)]
    insets = [(0, 0, 400, 400 * ratio), (0, 0, 100, 100)] if count == 1 else []
    heading = "A title of some length for a map that may be narrow\nRecords per km², protected"
    note = "Source: the office of somebody, somewhere · Published by others"
    sheet = lay_out(make_domain(ratio), Around(heading, note, KEYS), names, width, insets)
    wide, high = sheet.size
    assert wide == width if width else wide <= 11
    places = [each.place for each in sheet.maps]
    boxes = [(left, top, left + w, top + h) for left, top, w, h in places]
    boxes += [text_box(mark) for mark in sheet.marks if isinstance(mark, Words)]
    for place, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= wide + 1e-9
        assert box[3] <= high + 1e-9
        assert not any(meet(box, other) for other in boxes[:place])
    for _, _, w, h in places[:count]:
        assert h / w == pytest.approx(ratio)


def test_a_picture_has_the_same_size_whatever_was_counted():
    town = make_domain(0.75)
    sizes, grid = set(), geodp.Regular(sizes=[8])
    for number in (0, 20_000):
        x = np.linspace(1, 2999, number)
        sizes.add(map_sheet(geodp.release((x, x), town, epsilon=1, cells=grid)).size)
    assert len(sizes) == 1


@pytest.mark.parametrize("seed", range(5))
def test_lengths_of_lines_in_a_box_are_those_of_many_small_steps(seed):
    rng = np.random.default_rng(seed)
    lines = [rng.integers(-4, 8, (count, 2)).astype(float) for count in (2, 5, 9)]
    lines.append(np.array([(1.0, -9.0), (1.0, 9.0), (9.0, 9.0)]))
    box, expected = (0.0, 0.5, 5.0, 4.0), 0.0
    for line in lines:
        for start, step in zip(line, np.diff(line, axis=0)):
            parts = start + (np.arange(20_000) + 0.5)[:, None] / 20_000 * step
            inside = ((parts >= box[:2]) & (parts <= box[2:])).all(axis=1).mean()
            expected += inside * np.hypot(*step)
    assert length_in_box(lines, box) == pytest.approx(expected, abs=0.02)
    assert length_in_box([], box) == 0


def test_marks_are_painted_where_they_are_and_words_are_harmless():
    colours = np.array([[(255, 0, 0), (0, 255, 0), (1, 2, 3)]], dtype=np.uint8)
    triangle = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (40.0, 30.0)])
    shape = Shapes(triangle, np.array([0, 4]), "#123456", hatched=True)
    dots = Dots(np.array([20.0]), np.array([15.0]), 2.0)
    name = Words(0, 30, ODD, 8, (4, -8), halo=2, centred=True, bold=True)
    marks = [Pixels(colours, (0, 0, 40, 30)), shape, dots, name]
    sheet = Sheet((2, 1), [Map((0.5, 0.25, 1.0, 0.75), (0, 0, 40, 30), marks)], [])
    text = sheet_svg(sheet, ODD)
    root = ElementTree.fromstring(text)
    assert {each.tag for each in root.iter()} == {
        *("svg", "rect", "image", "path", "text", "defs", "pattern"),
    }
    assert root.get("viewBox") == "0 0 1440 720"
    harmless = ODD.replace("[%", "[ %")
    assert root.get("aria-label") == root.find(".//text").text == harmless
    inner = root.find("svg")
    assert [inner.get(name) for name in ("x", "y", "width", "height")] == [
        "360",
        "180",
        "720",
        "540",
    ]
    assert root.find(".//text").get("x") == "40"
    assert root.find(".//text").get("y") == "80"
    (drawn, *_), (dot,) = (
        inner.findall(f"path[@{key}]") for key in ("fill-rule", "stroke-linecap")
    )
    assert drawn.get("d") == "M0 540 720 540 720 0z", "corners that fall together are one"
    assert dot.get("d") == "M360 270h0"
    image = inner.find("image")
    assert [image.get(name) for name in ("x", "y", "width", "height")] == ["0", "0", "720", "540"]


@pytest.mark.parametrize("parts", [3, 4])
def test_pixels_are_packed_without_loss(parts):
    colours = np.random.default_rng(1).integers(0, 256, (5, 7, parts)).astype(np.uint8)
    data = encode_png(colours)
    chunks, place = {}, 8
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        check = int.from_bytes(data[place + 8 + size : place + 12 + size], "big")
        assert zlib.crc32(kind + body) == check
        chunks[kind] = body
        place += 12 + size
    assert chunks[b"IHDR"] == bytes([0, 0, 0, 7, 0, 0, 0, 5, 8, {3: 2, 4: 6}[parts], 0, 0, 0])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(5, -1)
    assert (lines[:, 0] == 0).all()
    np.testing.assert_array_equal(lines[:, 1:].reshape(colours.shape), colours)


def test_regions_are_hatched_where_little_is_known():
    town = make_domain(1.0)
    release = geodp.release(([], []), town, epsilon=1, cells="regular")
    answers = release.query([town.bounds] * 4)._replace(
        estimate=np.array([90.0, 7.0, np.nan, 0.0]), std_error=np.array([9.0, 9.0, np.nan, 0.0])
    )
    square = np.array([(0.0, 0.0), (2000.0, 0.0), (2000.0, 2000.0)])
    rings = [[square], [square + 2000], [square + np.array([2000, 0])], []]
    sheet = regions_sheet(town, rings, answers, np.array([1.0, 1.0, np.nan, 1.0]))
    shapes = [mark for mark in sheet.maps[0].marks if isinstance(mark, Shapes) and mark.closed]
    assert [mark.hatched for mark in shapes] == [False, True, False, False]
    fills = [hexadecimal(each) for each in (HARDLY_ANY, *ramp(4))]
    assert [mark.fill for mark in shapes] == [fills[4], fills[1], "#dddddd", fills[0]]
    text = sheet_svg(sheet, "Regions")
    assert text.count('fill="url(#hatching)"') == 2  # of the region, and in the legend
    words = re.findall("<text.*?>(.*?)</text>", text)
    assert words[:2] == ["500 m", "Records per km²"]
    assert words[2].endswith("hardly any")
    assert words[-1] == "error above half of it"


def test_names_that_would_cover_each_other_are_left_out():
    town = make_domain(1.0)
    release = geodp.release(([], []), town, epsilon=1, cells="regular")
    x, y = np.array([1000.0, 1010.0, 3000.0, 3990.0]), np.array([1000.0, 1010.0, 3000.0, 3000.0])
    for marked in (True, False):
        look = Look(labels=Labels(x, y, ["first", "second", "third", "beyond"], marked))
        marks = map_marks(release, look, 10.0, bar=False)
        assert [mark.text for mark in marks if isinstance(mark, Words)] == ["first", "third"]
