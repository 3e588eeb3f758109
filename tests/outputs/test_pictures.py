"""Pictures for the eye: never negative, the same sums, classes that everybody can tell apart."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import geopandas
import numpy as np
import pyogrio
import pytest
import rasterio
import shapely
from matplotlib.figure import Figure

import geodp
from geodp.core.pictures import drawing
from geodp.core.pictures.drawing import INK
from geodp.core.pictures.marks import Dots, Look, Pixels, Shapes, scale_bar
from geodp.core.pictures.sheet import map_sheet
from geodp.core.views.best_guess import (
    _KERNELS,
    _first_part,
    best_guess,
    estimated_total,
    land_areas,
    projected,
)
from geodp.core.views.dots import place_dots
from geodp.core.views.picture import HARDLY_ANY, class_limits, picture_cells, ramp
from geodp.core.views.raster_cells import MOST_SIDE, raster_cells, values_on
from geodp.core.views.smooth import SMOOTH_SIDE, smooth_window, smoothed
from geodp.outputs.painter import paint
from geodp.outputs.plot import picture
from geodp.outputs.several import Outputs

TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:32633")
LAND = geopandas.GeoSeries([shapely.box(1000, 2000, 6000, 8000)], crs="EPSG:32633")
ISLAND = geodp.Domain(TOWN.bounds, crs="EPSG:32633", within=LAND)
PARTS = geopandas.GeoDataFrame(
    {"name": [f"{row}{column}" for row in "abc" for column in "xyz"], "side": list("sssmmmnnn")},
    geometry=[
        shapely.box(
            1000 + 2000 * column, 2000 + 2000 * row, 3000 + 2000 * column, 4000 + 2000 * row
        )
        for row in range(3)
        for column in range(3)
    ],
    crs="EPSG:32633",
)
KINDS = {
    "regular": (TOWN, geodp.Regular(sizes=[(12, 16)])),
    "regular on land": (ISLAND, geodp.Regular(sizes=[(12, 16)])),
    "adaptive": (TOWN, geodp.Adaptive()),
    "adaptive on land": (ISLAND, geodp.Adaptive()),
    "districts": (None, geodp.Districts(PARTS)),
    "levels": (None, geodp.Districts(PARTS, levels=["side", "name"])),
}


def crowd(number=3000):
    rng = np.random.default_rng(7)
    x = np.clip(rng.normal(3200, 500, number), 1001, 5900)
    y = np.clip(rng.normal(5000, 900, number), 2001, 7900)
    return x, y


def make(kind, points=None, epsilon=1, **options):
    domain, cells = KINDS[kind]
    points = crowd() if points is None else points
    return geodp.release(points, domain, epsilon=epsilon, cells=cells, seed=5, **options)


@pytest.fixture(params=KINDS)
def release(request):
    return make(request.param)


@pytest.mark.slow
def test_what_is_drawn_is_never_negative_and_adds_up_to_the_total(release):
    mass = release.drawn * land_areas(release.cells)
    assert release.drawn.min() >= 0
    assert mass.sum() == pytest.approx(release.counts.sum(), rel=1e-9)
    shown = picture_cells(release.cells)
    assert best_guess(release, shown).sum() == pytest.approx(release.counts.sum(), rel=1e-9)


@pytest.mark.slow
def test_no_view_changes_a_number(release):
    asked = [TOWN.bounds, (2500, 4000, 3900, 6100)]
    before, counts = release.query(asked), release.counts.copy()
    for view in ("best", "signed", "error", "dots", "smooth"):
        release.plot(Figure().add_subplot(), view=view)
    after = release.query(asked)
    for name in before._fields:
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))
    np.testing.assert_array_equal(release.counts, counts)


def test_groups_share_their_classes_and_add_up():
    x, y = crowd()
    kinds = np.resize(["theft", "fire", "theft"], len(x))
    releases = geodp.release(
        (x, y, kinds),
        TOWN,
        epsilon=1,
        by=geodp.Categories("kind", ["theft", "fire", "flood"]),
        seed=1,
    )
    areas = land_areas(releases.cells)
    for one in releases.values():
        assert (one.drawn * areas).sum() == pytest.approx(max(one.counts.sum(), 0), abs=1e-6)
    drawn = [len(cell_colours(each.marks)) for each in map_sheet(releases).maps]
    assert drawn[0] > 1
    assert drawn[2] == 1, "a group without records is blank, beside others that are not"


def test_a_group_of_few_records_does_not_hide_the_others():
    """The total of the second stands out of the noise, and only just."""
    x, y = crowd()
    few = geodp.release(
        (np.r_[x, x[:120]], np.r_[y, y[:120]], np.repeat(["day", "dawn"], [len(x), 120])),
        TOWN,
        epsilon=1,
        by=geodp.Categories("time", ["day", "dawn"]),
        cells=geodp.Regular(sizes=[(24, 24)]),
        seed=3,
    )
    totals = [estimated_total(one) for one in few.values()]
    assert 1 < totals[1][0] / (2 * totals[1][1] ** 0.5) < 3
    day, _ = map_sheet(few).maps
    assert len(cell_colours(day.marks)) > 4


def cell_colours(marks):
    """Return colours of the cells of a map."""
    fills = {mark.fill for mark in marks if is_filled(mark)}
    shades = {tuple(int(fill[part : part + 2], 16) for part in (1, 3, 5)) for fill in fills}
    for mark in marks:
        if isinstance(mark, Pixels) and mark.colours.shape[2] == 3:
            shades |= {*map(tuple, np.unique(mark.colours.reshape(-1, 3), axis=0).tolist())}
    return shades


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_dataset_is_a_blank_map(kind):
    release = make(kind, ([], []), epsilon=0.1)
    assert [class_.label for class_ in release.legend.classes] == ["hardly any"]
    nowhere = tuple(int(drawing.NOWHERE[part : part + 2], 16) for part in (1, 3, 5))
    assert cell_colours(map_sheet(release).maps[0].marks) <= {HARDLY_ANY, nowhere}
    assert set(np.unique(drawing.painted_smoothly(release, release.legend)[0])) <= {-1, 0}


def test_families_are_projected_as_by_hand():
    fitted = projected(
        np.array([[5.0, -3.0, 1.0], [2.0, 2.0, 9.0]]),
        np.array([[1.0, 1.0, 1.0], [1.0, 3.0, 0.0]]),
        np.array([4.0, 8.0]),
    )
    # Of the first the negative part is 0, and the others share what is missing; the last part of
    # the second cannot hold records, and the others take more, the less they are known.
    np.testing.assert_allclose(fitted, [[4.0, 0.0, 0.0], [3.0, 5.0, 0.0]])


def test_halves_of_all_but_nothing_are_guessed_without_a_warning():
    one = np.ones(1)
    halves = [[5 * one, one], [one, one], [one / 2, one / 2]]
    mix = np.full(_KERNELS.shape[1], 1 / _KERNELS.shape[1])
    part, _ = _first_part(halves, np.array([1e-320]), _KERNELS @ mix)
    assert 0 <= part[0] <= 1


def test_limits_are_few_and_round():
    rng = np.random.default_rng(3)
    for spread in (0.1, 1.0, 3.0, 6.0):
        density = np.exp(rng.normal(0, spread, 4000))
        limits = class_limits(density, np.ones(4000))
        assert 1 <= len(limits) <= 6
        assert all(f"{limit:e}"[:2] in ("1.", "2.", "3.", "5.") for limit in limits)
        below = density[density < limits[0]].sum() / density.sum()
        assert below <= 0.01


# --- colours --------------------------------------------------------------------------------------

_DEFECTS = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
"""How people with these defects see linear red, green and blue (Machado and others, 2009)."""


def lab(colour, defect="none"):
    """Return CIELAB coordinates of a colour, as somebody sees it."""
    value = np.array(colour) / 255
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(_DEFECTS[defect]) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(to_xyz) @ seen / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("defect", _DEFECTS)
@pytest.mark.parametrize("number", range(1, 7))
def test_everybody_tells_neighbouring_classes_apart(number, defect):
    seen = [lab(colour, defect) for colour in (HARDLY_ANY, *ramp(number))]
    for lighter, darker in pairwise(seen):
        assert np.linalg.norm(lighter - darker) > 10
        assert lighter[0] - darker[0] > 4, "each is darker than the one before, in grey as well"


# --- words and files ------------------------------------------------------------------------------

ODD = "$\\frac{1}{2}$ & <script>alert(1)</script> % _x^2"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["png", "pdf", "svg"])
def test_odd_titles_are_drawn_as_they_are(form):
    release = make("adaptive").with_about(title=ODD, source=ODD)
    drawn = picture(release, form=form)
    assert drawn.startswith({"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[form])
    if form == "svg":
        tree = ElementTree.fromstring(drawn)
        assert not any(each.tag.endswith("script") for each in tree.iter())
        assert ODD in [each.text for each in tree.iter() if each.tag.endswith("text")]


def test_pictures_of_shapes_have_text_and_shapes():
    release = make("adaptive")
    tree = ElementTree.fromstring(picture(release, form="svg"))
    words = [each.text for each in tree.iter() if each.tag.endswith("text")]
    assert {class_.label for class_ in release.legend.classes} <= set(words)
    assert not any(each.tag.endswith("image") for each in tree.iter())


def test_the_title_has_no_jargon_and_the_note_says_how_it_is_protected():
    release = make("adaptive")
    figure = release.plot().figure
    title, *_, note = (text.get_text() for text in figure.texts)
    assert title == f"{'R' + release.legend.words[1:]}, NOT private (seeded)"
    assert "NOT private (seeded)" in note
    assert "best guess" in note


def test_a_view_that_there_is_not_is_refused():
    with pytest.raises(geodp.InputError, match="view must be one of 'best', 'signed'"):
        make("adaptive").plot(view="nice")
    with pytest.raises(geodp.InputError, match="dpi must be from 20"):
        Outputs([], dpi=3)


# --- a page for print -----------------------------------------------------------------------------

TOWNS = geopandas.GeoDataFrame(
    {"code": [1, 2, 3, 4], "name": ["Alpha", ODD, "Alphaville", "Far"]},
    geometry=geopandas.points_from_xy([3000, 5000, 3010, 90_000], [4000, 6000, 4010, 0]),
    crs="EPSG:32633",
)


def svg_texts(svg):
    tree = ElementTree.fromstring(svg)
    return [each.text for each in tree.iter() if each.tag.endswith("text")]


@pytest.mark.slow
def test_names_are_written_unless_they_cover_each_other():
    words = svg_texts(picture(make("adaptive"), form="svg", labels=TOWNS))
    assert "Alpha" in words
    assert ODD in words, "as it is, and harmless"
    assert not {"Alphaville", "Far"} & set(words)
    words = svg_texts(picture(make("adaptive"), form="svg", labels=PARTS))
    assert set(PARTS["name"]) <= set(words)


def test_names_need_a_column_of_text_and_a_crs():
    with pytest.raises(geodp.InputError, match="column of text"):
        make("adaptive").plot(labels=TOWNS[["code", "geometry"]])
    with pytest.raises(geodp.CrsError, match="labels need a CRS"):
        make("adaptive").plot(labels=TOWNS.set_crs(None, allow_override=True))


@pytest.mark.slow
@pytest.mark.parametrize("view", ["best", "signed", "error", "dots", "smooth"])
@pytest.mark.parametrize("kind", ["regular on land", "adaptive on land", "districts"])
def test_insets_show_a_part_and_the_map_says_where(kind, view):
    release = make(kind)
    boxes = [(2000, 3000, 4000, 5000), (5000, 4000, 7000, 5000)]
    figure = Figure()
    main, *parts = paint(figure, map_sheet(release, Look(view), insets=boxes))
    assert figure.axes == [main, *parts]
    assert [(*part.get_xlim(), *part.get_ylim()) for part in parts] == [
        (2000, 4000, 3000, 5000),
        (5000, 7000, 4000, 5000),
    ]
    marked = [
        patch.get_path().get_extents().extents.tolist()
        for patch in main.patches
        if not patch.get_fill()
    ]
    assert marked[-2:] == [list(map(float, box)) for box in boxes]
    letters = [[text.get_text() for text in ax.texts] for ax in (main, *parts)]
    assert {"A", "B"} <= set(letters[0])
    assert "A" in letters[1]
    assert "B" in letters[2]


def test_an_inset_shows_cells_that_are_finer_than_the_map():
    x, y = np.full(40_000, 3210.5), np.full(40_000, 4321.5)
    release = geodp.release((x, y), TOWN, epsilon=100, seed=2)
    shown = picture_cells(release.cells)
    sheet = map_sheet(release, insets=[(3205, 4315, 3215, 4325)])
    drawn = sum(len(mark.corners) for mark in sheet.maps[1].marks if is_filled(mark)) // 4
    inside = [
        ((b[:, 0] < 3215) & (b[:, 2] > 3205) & (b[:, 1] < 4325) & (b[:, 3] > 4315)).sum()
        for b in (release.cells.bounds, shown.bounds)
    ]
    assert drawn == inside[0] > inside[1]


def is_filled(mark):
    return isinstance(mark, Shapes) and mark.fill != ""


@pytest.mark.parametrize(
    ("box", "rule"),
    [
        ((0, 0, 4000, 4000), "inside the extent 1000 2000 9000 8000; got 0 0 4000 4000"),
        ((4000, 4000, 3000, 5000), "must be a box"),
        ((2000, 3000, float("nan"), 5000), "must be a box"),
        ((2000, 3000, 2001, 8000), "nearer to a square"),
        ((2000, 3000, 4000), "four edges"),
    ],
)
def test_an_inset_that_is_no_part_of_the_map_is_refused(box, rule):
    with pytest.raises(geodp.InputError, match=rule):
        make("adaptive").plot(insets=[box])
    with pytest.raises(geodp.InputError, match=rule):
        Outputs([], domain=TOWN, insets=[box])


def test_insets_go_with_one_map_on_its_own_page():
    with pytest.raises(geodp.InputError, match="page of their own"):
        make("adaptive").plot(Figure().add_subplot(), insets=[(2000, 3000, 4000, 5000)])
    with pytest.raises(geodp.InputError, match="one map"):
        Outputs([], groups=["a", "b"], insets=[(2000, 3000, 4000, 5000)])


def test_the_font_is_one_that_is_there():
    drawn = picture(make("regular"), form="svg", font="DejaVu Serif")
    assert b"DejaVu Serif" in drawn
    with pytest.raises(geodp.InputError, match="there is no 'No such font'"):
        Outputs([], font="No such font")


def test_districts_have_borders_over_the_cells_inside_of_them():
    x, y = crowd()
    release = geodp.release((x, y), epsilon=1, cells=geodp.Adaptive(districts=PARTS), seed=1)
    axes = release.plot(Figure().add_subplot())
    borders = [patch for patch in axes.patches if not patch.get_fill()]
    assert len(borders) == 1
    corners = {tuple(corner) for corner in borders[0].get_path().vertices.tolist()}
    assert {(1000.0, 2000.0), (3000.0, 4000.0), (7000.0, 8000.0)} <= corners


def test_an_arrow_points_to_the_north_where_it_is_asked_for():
    release = make("adaptive")
    letters = [svg_texts(picture(release, form="svg", north=north)) for north in (False, True)]
    assert ["N" in letter for letter in letters] == [False, True]
    (place,) = map_sheet(release, Look(north=True)).maps
    arrow = next(mark for mark in place.marks if isinstance(mark, Shapes) and mark.fill == INK)
    assert arrow.corners[0, 1] == arrow.corners[:, 1].max(), "its tip is its highest corner"
    xmin, ymin, xmax, ymax = TOWN.bounds
    assert (arrow.corners > [xmin, ymin]).all()
    assert (arrow.corners < [xmax, ymax]).all()


@pytest.mark.parametrize("mark", ["pixels", "shapes", "dots"])
def test_the_scale_bar_stands_where_nothing_is_drawn(mark):
    """All corners but the upper right are full."""
    shades = np.zeros((6, 8, 3), dtype=np.uint8)
    shades[:3, 4:] = 255
    full = [(1000, 2000, 9000, 5000), (1000, 5000, 5000, 8000)]
    across, up = np.meshgrid(np.arange(1050, 9000, 100), np.arange(2050, 8000, 100))
    outside = (across < 5000) | (up < 5000)
    marks = {
        "pixels": [Pixels(shades, TOWN.bounds)],
        "shapes": [Shapes.from_box(box, "#000000") for box in full],
        "dots": [Dots(across[outside], up[outside], 1.0)],
    }
    bar = scale_bar(TOWN, (), marks[mark], ["#ffffff"])
    assert bar.start > 5000
    assert bar.base > 5000
    assert scale_bar(TOWN).start < 5000


def test_the_subject_stands_under_the_title():
    release = geodp.release(crowd(), TOWN, epsilon=1)
    titled = release.with_about(title="Visits", subject="Where people went in 2025")
    assert drawing.map_heading(titled) == "Visits\nWhere people went in 2025"
    assert drawing.map_heading(titled, "dots") == "Visits\nWhere records are, protected"
    seeded = make("adaptive").with_about(subject="Where people went in 2025")
    assert "NOT private" in drawing.map_heading(seeded), "which nothing may hide"


@pytest.mark.parametrize("kind", ["regular on land", "adaptive on land", "districts"])
def test_a_smooth_inset_has_pixels_of_its_own(kind):
    release, box = make(kind), (3000, 4000, 6500, 6000)
    density, (left, bottom, right, top) = smooth_window(release, box)
    assert left <= 3000
    assert bottom <= 4000
    assert right >= 6500
    assert top >= 6000
    assert 600 <= density.shape[1] * 3500 / (right - left) <= 1201
    inside = np.isfinite(density)
    assert density[inside].min() >= 0
    if "land" in kind:
        across = left + (np.arange(density.shape[1]) + 0.5) * (right - left) / density.shape[1]
        assert inside[:, across < 5980].all()
        assert not inside[:, across > 6020].any(), "where no records can be"
    part, edges = drawing.painted_smoothly(release, release.legend, box)
    assert part.shape == density.shape
    assert edges == (left, bottom, right, top)


def test_a_smooth_inset_keeps_the_sum_of_every_cell_in_it():
    release = make("regular")
    density, (left, bottom, right, top) = smooth_window(release, (3000, 4000, 6000, 6000))
    rows, columns = density.shape
    x = left + (np.arange(columns) + 0.5) * (right - left) / columns
    y = top - (np.arange(rows) + 0.5) * (top - bottom) / rows
    cell = np.stack([release.cells.locate(x, np.full(columns, each)) for each in y])
    sums, pixels = (
        np.bincount(cell.ravel(), values, minlength=len(release.cells))
        for values in (density.ravel(), None)
    )
    west, south, east, north = release.cells.bounds.T
    shown = (west >= left) & (south >= bottom) & (east <= right) & (north <= top)
    assert shown.sum() >= 6 * 4
    np.testing.assert_allclose(
        (sums / np.maximum(pixels, 1))[shown], release.drawn[shown], rtol=1e-3
    )


def test_the_sea_lies_over_shapes():
    sheet = map_sheet(make("adaptive on land"), Look(vector=True))
    (axes,) = paint(Figure(), sheet)
    sea = axes.images[0].get_zorder()
    assert max(patch.get_zorder() for patch in axes.patches) < sea


# --- smooth ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_smooth_picture_keeps_the_sum_of_every_cell(release):
    smooth = smoothed(release)
    guess = best_guess(release)
    assert smooth.mass.min() >= 0
    assert smooth.mass.sum() == pytest.approx(guess.sum(), rel=1e-9)
    x = (smooth.grid.x_edges[1:] + smooth.grid.x_edges[:-1]) / 2
    y = ((smooth.grid.y_edges[1:] + smooth.grid.y_edges[:-1]) / 2)[::-1]
    place = release.cells.locate(*(each.ravel() for each in np.meshgrid(x, y)))
    assert smooth.mass.ravel()[place < 0].sum() == 0
    inside = place >= 0
    sums = np.bincount(place[inside], smooth.mass.ravel()[inside], minlength=len(guess))
    np.testing.assert_allclose(sums, guess, rtol=1e-6, atol=1e-6)
    if release.domain.within is not None:
        assert smooth.mass[:, x > 6000].sum() == 0, "nothing flows to where no records can be"


def test_a_smooth_picture_has_smaller_steps_than_cells():
    release = make("regular")
    smooth = smoothed(release)
    flat = release.drawn.reshape(release.cells.grid.shape)
    parts = smooth.density.shape[0] // flat.shape[0]
    flat = flat.repeat(parts, axis=0).repeat(parts, axis=1)

    def steps(density):
        return np.abs(np.diff(density, axis=1)).max()

    assert steps(smooth.density) < steps(flat) / 3


@pytest.mark.slow
def test_cells_smaller_than_pixels_stay_in_a_smooth_picture():
    x, y = np.full(40_000, 3210.5), np.full(40_000, 4321.5)
    release = geodp.release((x, y), TOWN, epsilon=100, seed=2)
    assert max(release.cells.raster.shape) > SMOOTH_SIDE
    assert smoothed(release).mass.sum() == pytest.approx(best_guess(release).sum(), rel=1e-9)
    coarse = smoothed(release, resolution=600)
    assert max(coarse.grid.cell_width, coarse.grid.cell_height) <= 600
    assert coarse.mass.sum() == pytest.approx(best_guess(release).sum(), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regular", "regular on land", "adaptive on land"])
def test_a_smooth_raster_adds_up_and_opens_as_no_release(kind, tmp_path):
    release = make(kind)
    path = tmp_path / "smooth.tif"
    release.to_geotiff(path, view="smooth")
    with rasterio.open(path) as image:
        band = image.read(1, masked=True)
        assert "suggests detail that is not known" in str(image.tags())
    assert band.sum() == pytest.approx(best_guess(release).sum(), rel=1e-5)
    assert band.min() >= 0
    with pytest.raises(geodp.FileError, match="view"):
        geodp.open_release(path)


@pytest.mark.slow
def test_smooth_groups_have_a_band_each(tmp_path):
    x, y = crowd()
    kinds = geodp.Categories("kind", ["theft", "fire"])
    releases = geodp.release(
        (x, y, np.resize(["theft", "fire"], len(x))), TOWN, epsilon=1, by=kinds
    )
    releases.to_geotiff(tmp_path / "smooth.tif", view="smooth")
    with rasterio.open(tmp_path / "smooth.tif") as image:
        assert [words.partition(":")[0] for words in image.descriptions] == ["theft", "fire"]
        for band, one in zip(image.read(), releases.values()):
            assert band.sum() == pytest.approx(best_guess(one).sum(), rel=1e-5)


# --- dots -----------------------------------------------------------------------------------------


def test_dots_keep_the_sums_of_all_nodes(release):
    dots = place_dots(release, per=1, seed=4)
    place = release.cells.locate(dots.x, dots.y)
    assert (place >= 0).all()
    per_cell = np.bincount(place, minlength=len(release.cells))
    guess = best_guess(release)
    assert np.abs(per_cell - guess).max() < 1
    assert np.abs(np.cumsum(per_cell) - np.cumsum(guess)).max() < 1, (
        "of cells that follow each other"
    )
    if release.domain.within is not None:
        assert release.domain.within.holds(dots.x, dots.y).all()
    again = place_dots(release, per=1, seed=4)
    np.testing.assert_array_equal(again.x, dots.x)


def test_dots_are_a_layer_that_says_what_they_are(tmp_path):
    x, y = crowd()
    kinds = geodp.Categories("kind", ["theft", "fire"])
    releases = geodp.release(
        (x, y, np.resize(["theft", "fire"], len(x))), TOWN, epsilon=1, by=kinds
    )
    releases.to_points(tmp_path / "dots.gpkg", per=10, seed=1)
    dots = geopandas.read_file(tmp_path / "dots.gpkg")
    assert set(dots["group"]) == {"theft", "fire"}
    assert set(dots["records"]) == {10}
    metadata = pyogrio.read_info(tmp_path / "dots.gpkg")["layer_metadata"]
    assert "none of which is a real place" in metadata["GEODP_DERIVED"]
    with pytest.raises(geodp.FileError, match="view"):
        geodp.open_release(tmp_path / "dots.gpkg")
    with pytest.raises(geodp.InputError, match="whole number"):
        releases.to_points(tmp_path / "none.gpkg", per=0)


def test_nothing_is_dotted_where_nothing_stands_out():
    assert len(place_dots(make("adaptive", ([], []), epsilon=0.1), per=1).x) == 0


# --- rasters --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["adaptive", "adaptive on land"])
def test_a_raster_of_coarse_pixels_is_the_same_release(kind, tmp_path):
    release = make(kind, epsilon=20)
    release.to_geotiff(tmp_path / "fine.tif")
    release.to_geotiff(tmp_path / "coarse.tif", resolution=600)
    with (
        rasterio.open(tmp_path / "coarse.tif") as image,
        rasterio.open(tmp_path / "fine.tif") as fine,
    ):
        assert max(image.res) <= 600
        assert image.width < fine.width
        band, error = image.read(1).astype(float), image.read(2)
        step = fine.width // image.width
        finer = np.nan_to_num(fine.read(1).astype(float))
        transform = image.transform
    sums = finer.reshape(band.shape[0], step, band.shape[1], step).sum(axis=(1, 3))
    np.testing.assert_allclose(np.nan_to_num(band), sums, atol=1e-3)
    again = geodp.open_release(tmp_path / "coarse.tif")
    np.testing.assert_array_equal(again.counts, release.counts)
    # A pixel of several cells has the error of their sum.
    shown = raster_cells(release.cells, 600)
    several = np.flatnonzero(values_on(release, shown)[1] < 0.999 * release.variance.min())
    place = int(several[0]) if len(several) else 0
    box = shown.bounds[place]
    column, row = ~transform * ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    noise = release.query([box]).noise_error[0]
    assert error[int(row), int(column)] == pytest.approx(noise, rel=1e-5)


@pytest.mark.slow
def test_rasters_are_no_larger_than_they_need_be(tmp_path):
    x, y = np.full(40_000, 3210.5), np.full(40_000, 4321.5)
    release = geodp.release((x, y), TOWN, epsilon=100, seed=2)
    assert max(release.cells.raster.shape) > MOST_SIDE
    release.to_geotiff(tmp_path / "counts.tif")
    with rasterio.open(tmp_path / "counts.tif") as image:
        assert max(image.shape) <= MOST_SIDE
    assert max(release.to_xarray()["count"].shape) <= MOST_SIDE
    np.testing.assert_array_equal(
        geodp.open_release(tmp_path / "counts.tif").counts, release.counts
    )


def test_a_raster_of_another_depth_that_was_changed_is_refused(tmp_path):
    release = make("adaptive")
    path = tmp_path / "counts.tif"
    release.to_geotiff(path, resolution=600)
    with rasterio.open(path) as image:
        profile, tags, bands = image.profile, image.tags(), image.read()
    bands[0, 0, 0] += 1
    with rasterio.open(tmp_path / "changed.tif", "w", **profile) as image:
        image.update_tags(**tags)
        image.write(bands)
    with pytest.raises(geodp.FileError, match="changed"):
        geodp.open_release(tmp_path / "changed.tif")
