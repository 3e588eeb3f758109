"""The page and the map: self-contained, safe, and the same legend for any data."""

import io
import re
from dataclasses import replace
from fractions import Fraction
from html import escape
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import pairwise

import geopandas
import matplotlib
import numpy as np
import pytest
import shapely
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.legend import Legend

import geodp
from geodp.core.pictures.report import expected_errors
from geodp.core.publish.views import signed_legend
from geodp.core.space.wording import significant
from geodp.core.views.legend import count_classes, noise_step
from geodp.outputs.plot import picture, plot
from geodp.outputs.report import report_html

TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:5070")


def make(domain=TOWN, shape=(6, 8), seed=None, **options):
    x, y = np.array([1500.0, 1500.0, 1500.0, 8000.0]), np.array([2500.0, 2500.0, 2500.0, 7000.0])
    grids = [geodp.Grid(domain, shape)]
    return geodp.release((x, y), cells=geodp.Regular(grids), epsilon=1, seed=seed, **options)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.open = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("src", "href")]
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, "tags must close in order"


def test_the_report_stands_alone(tmp_path):
    release = make()
    release.to_report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    assert not {"link", "iframe"} & set(page.tags)
    assert page.tags.count("script") == 4  # cells, languages, and what shows each of them
    assert len(page.links) == 1
    assert page.links[0].startswith("data:image/png;base64,")
    assert "http" not in text.replace(page.links[0], "")
    assert "url(" not in text


def test_the_report_says_what_was_promised():
    release = make()
    text = report_html(release)
    words = re.sub(r"<[^>]+>", " ", text)
    assert release.promise in words
    assert "2.72 times as likely" in words
    assert "Some counts are negative" in words
    assert "discrete Laplace" in words
    assert "NOT private" not in words


def test_the_report_is_headed_by_what_it_shows():
    text = report_html(make())
    shown = "Records per km², protected (ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}1)"
    assert f"<h1>{shown}</h1>" in text
    assert '<p class="lead">In 6 × 8 cells.</p>' in text
    titled = report_html(make().with_about(title="Places, ε = 1"))
    assert "<h1>Places, ε = 1</h1>" in titled
    assert f'<p class="lead">{shown}. In 6 × 8 cells.</p>' in titled
    assert "<h1>Records per km², NOT private (seeded)</h1>" in report_html(make(seed=1))


def test_what_was_given_is_not_called_chosen():
    districts = geopandas.GeoDataFrame(
        {"tree": ["a", "a"], "name": ["x", "y"]},
        geometry=[shapely.box(1000, 2000, 5000, 8000), shapely.box(5000, 2000, 9000, 8000)],
        crs="EPSG:5070",
    )
    nested = geodp.Districts(districts, levels=["tree", "name"])
    for cells, domain in ((nested, None), (geodp.Regular([geodp.Grid(TOWN, (6, 8))]), None)):
        assert (
            "of any outcome by a" in geodp.release(([], []), domain, epsilon=1, cells=cells).promise
        )
    for cells in ("adaptive", "regular"):
        chosen = geodp.release(([], []), TOWN, epsilon=1, cells=cells)
        assert "of any outcome, the choice of cells included, by a" in chosen.promise


def test_a_seeded_report_says_that_it_is_not_private():
    text = report_html(make(seed=1))
    assert 'class="alarm"' in text
    assert "is NOT private" in text
    assert "times as likely" not in text


def test_the_report_escapes_what_others_wrote():
    release = make()
    method = geodp.Method(
        **{**vars(release.method), "workload": "<script>alert(1)</script> & more", "tuner": '"<b>'}
    )
    bad = replace(release, method=method, seeded=False)
    text = report_html(bad)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in text


def test_a_notebook_shows_the_map_and_the_promise(monkeypatch):
    release = make()
    shown = release._repr_html_()
    assert 'src="data:image/png;base64,' in shown
    assert escape(release.promise) in shown
    assert release.counted in shown
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "matplotlib" else find_spec(name)
    )
    plain = release._repr_html_()
    assert "<img" not in plain
    assert escape(release.promise) in plain


def test_expected_errors_are_those_of_queries():
    release = make(shape=(12, 16))
    rows = expected_errors(release)
    assert [row[0] for row in rows] == ["1 cell", "3 × 3 cells", "10 × 10 cells", "the whole map"]
    assert rows[0][1:3] == ("0.25 km²", "0.521 %")
    assert rows[-1][1:3] == ("48 km²", "100 %")
    answers = release.query([TOWN.bounds])
    assert rows[-1][3] == f"± {significant(float(answers.ci_high[0] - answers.estimate[0]))}"
    one = release.query([(1000, 7500, 1500, 8000)])
    assert rows[0][3] == f"± {significant(float(one.ci_high[0] - one.estimate[0]))}"


def pixel_colours(release, legend, shown):
    """Say what pixels of a grid show, by the classes of a legend."""
    which = np.searchsorted([class_.high for class_ in legend.classes[:-1]], shown)
    return np.array([class_.colour for class_ in legend.classes])[which].reshape(
        *release.cells.grid.shape, 3
    )


@pytest.mark.parametrize("view", ["best", "signed"])
def test_the_map_is_a_picture_of_the_counts(view):
    release = make()
    axes = Figure().add_subplot()
    release.plot(axes, view=view)
    image = axes.images[0]
    signed = view == "signed"
    legend = signed_legend(release) if signed else release.legend
    expected = pixel_colours(release, legend, release.counts if signed else release.drawn)
    np.testing.assert_array_equal(image.get_array()[..., :3], expected)
    assert (axes.get_xlim(), axes.get_ylim()) == ((1000, 9000), (2000, 8000))
    assert image.get_extent() == [1000, 9000, 2000, 8000]
    assert "1 km" in [text.get_text() for text in axes.texts]
    words = "Records per cell with noise" if signed else f"R{legend.words[1:]}"
    assert axes.get_title(loc="left") == f"{words}, protected"
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == [class_.label for class_ in legend.classes]
    assert not signed or legend.classes == count_classes(release.scale)


def test_the_map_shows_cut_cells_cut():
    release = geodp.release(
        (np.zeros(0), np.zeros(0)),
        cells=geodp.Regular(geodp.Grid(TOWN, cell_size=3500.0)),
        epsilon=1,
    )
    axes = plot(release, Figure().add_subplot())
    assert axes.images[0].get_extent() == [1000, 11500, 1000, 8000]
    assert (axes.get_xlim(), axes.get_ylim()) == ((1000, 9000), (2000, 8000))


def test_the_boundary_is_drawn_in_the_crs_of_the_map(tmp_path):
    inside = geopandas.GeoSeries([shapely.box(2000, 3000, 8000, 7000)], crs=5070).to_crs(4326)
    inside.to_file(tmp_path / "boundary.gpkg")
    for boundary in (inside, tmp_path / "boundary.gpkg"):
        axes = plot(make(), Figure().add_subplot(), boundary=boundary)
        drawn = axes.collections[0].get_paths()[0].get_extents().extents
        np.testing.assert_allclose(drawn, [2000, 3000, 8000, 7000], atol=1)
    road = [(2000.0, 3000.0), (5000.0, 7000.0), (8000.0, 3000.0)]
    lines = geopandas.GeoSeries([shapely.LineString(road), None], crs=5070)
    axes = plot(make(), Figure().add_subplot(), boundary=lines)
    np.testing.assert_array_equal(axes.collections[0].get_paths()[0].vertices, road)
    with pytest.raises(geodp.CrsError, match="boundary needs a CRS"):
        make().plot(boundary=geopandas.GeoSeries([shapely.box(0, 0, 1, 1)]))


def test_pale_cells_are_those_of_large_relative_error():
    x = np.repeat([1500.0, 2500.0, 3500.0], [300, 5, 2])  # and nobody elsewhere
    grid = geodp.Grid(TOWN, (6, 8))
    release = geodp.release(
        (x, np.full(len(x), 2500.0)), cells=geodp.Regular(grid), epsilon=1, seed=1
    )
    axes = release.plot(Figure().add_subplot(), uncertainty=True)
    full = release.plot(Figure().add_subplot()).images[0].get_array()[..., :3].reshape(-1, 3)
    shown = axes.images[0].get_array()[..., :3].reshape(-1, 3)
    error = np.sqrt(release.variance)
    with np.errstate(divide="ignore"):
        relative = np.where(release.counts > 0, error / release.counts, np.inf)
    for low, high, part in ((0, 0.2, 1.0), (0.2, 0.5, 0.6), (0.5, 1, 0.3), (1, np.inf, 0.08)):
        in_class = (low < relative) & (relative <= high)
        assert in_class.any()
        over_white = 255 + (full[in_class].astype(float) - 255) * part
        np.testing.assert_allclose(shown[in_class], over_white, atol=0.51)
    words = [text.get_text() for each in legends(axes) for text in each.get_texts()]
    assert {"error below a fifth of the count", release.legend.classes[0].label} <= set(words)


def test_the_scale_bar_stands_where_no_line_is():
    cells = geodp.Regular(sizes=[(6, 8)])
    blank = geodp.release(([], []), TOWN, epsilon=100, cells=cells, force=True)  # without noise

    def bar(*boxes):
        lines = geopandas.GeoSeries([shapely.box(*box) for box in boxes], crs=5070)
        axes = plot(blank, Figure().add_subplot(), boundary=lines if boxes else None)
        (left, base), (right, _) = axes.collections[-1].get_segments()[0]
        assert left > 1000
        assert right < 9000
        return "west" if left < 5000 else "east", "south" if base < 5000 else ""

    assert bar() == ("west", "south")
    assert bar((1100, 2100, 1800, 2300)) == ("east", "south")
    assert bar((1100, 2100, 8900, 2300)) == ("west", "")
    assert bar((1100, 2100, 8900, 2300), (1200, 7500, 2000, 7900)) == ("east", "")
    assert bar((1000, 2000, 9000, 8000)) == ("west", "south")  # the frame itself is in no way


def test_title_and_source_stand_above_and_below():
    words = {"title": "Thefts", "source": "City police", "publisher": "The city", "date": "2025"}
    release = make().with_about(**words, licence="CC BY 4.0")
    axes = release.plot(Figure().add_subplot())
    assert axes.get_title(loc="left").startswith("Thefts\nRecords per km², protected")
    below = axes.get_xlabel().replace("\n", " ")
    source = "Source: City police · Published by The city · 2025 · CC BY 4.0"
    assert below.startswith(f"{source} Protected with differential privacy, ε = 1 per record")


def legends(axes):
    return axes.findobj(Legend)


def test_words_fit_a_narrow_map():
    valley = geodp.Domain((0, 0, 10_000, 40_000), crs="EPSG:32633")
    words = {"title": "A long valley with a rather long title", "source": "Somewhere " * 9}
    release = make(valley, (40, 10)).with_about(**words)
    figure = Figure(figsize=(4.15, 9.5), layout="constrained")
    axes = release.plot(figure.add_subplot(), uncertainty=True)
    figure.draw_without_rendering()
    parts = [axes._left_title, axes.xaxis.label, *legends(axes)]
    assert len(parts) == 4
    for part in parts:
        extent = part.get_window_extent()
        assert extent.x0 >= 0
        assert extent.x1 <= figure.bbox.width
    boxes = [part.get_window_extent() for part in parts]
    assert boxes[1].y1 < min(box.y0 for box in boxes[2:]) + 5


def test_a_new_figure_is_made_where_none_is_given():
    matplotlib.use("agg")
    from matplotlib import pyplot

    axes = make().plot()
    assert axes.images[0].get_array().shape[:2] == (6, 8)
    pyplot.close(axes.figure)


@pytest.mark.slow
def test_pictures_have_the_size_of_the_public_domain():
    many = np.random.default_rng(1).uniform((1000, 2000), (3000, 4000), (5000, 2)).T
    crowded = geodp.release(
        (many[0], many[1]), cells=geodp.Regular(geodp.Grid(TOWN, (6, 8))), epsilon=1
    )
    one, other = (imread(io.BytesIO(picture(release))) for release in (make(), crowded))
    assert one.shape == other.shape
    assert not np.array_equal(one, other)


def test_degrees_get_no_scale_bar():
    globe = geodp.Domain((0, 0, 10, 10), crs="EPSG:4326", allow_geographic=True)
    axes = plot(make(globe, (2, 2)), Figure().add_subplot())
    assert len(axes.texts) == 0
    assert "degrees" in report_html(make(globe, (2, 2)))


def test_maps_without_matplotlib_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "matplotlib" else find_spec(name)
    )
    with pytest.raises(geodp.GeodpError, match=r"geodp\[plots\]"):
        make().plot()
    assert "<svg" in report_html(make()), "a report needs none"


def test_explore_draws_the_boundary_over_the_cells(tmp_path):
    release = make()
    x0, y0, x1, y1 = release.domain.bounds
    shape = shapely.Polygon([(x0, y0), (x1, y0), ((x0 + x1) / 2, y1)])
    outline = geopandas.GeoSeries([shape], crs=release.domain.crs.name)
    outline.to_file(tmp_path / "outline.gpkg")
    plain = release.explore(tiles=None).get_root().render()
    assert "LineString" not in plain
    assert "#404040" not in plain
    for boundary in (outline, tmp_path / "outline.gpkg", outline.to_crs(4326)):
        page = release.explore(boundary, tiles=None).get_root().render()
        assert page.count('"LineString"') == 1  # the border of an area, not the area
        assert "#404040" in page
        assert page.index('"LineString"') > page.rindex('"Polygon"')
    with pytest.raises(geodp.CrsError, match="boundary needs a CRS"):
        release.explore(geopandas.GeoSeries([shape]))


def test_explore_colours_cells_by_class():
    release = make()
    page = release.explore(tiles=None).get_root().render()
    assert page.count("If no map appears here, there is no network") == 1
    assert "needs a network" in geodp.Release.explore.__doc__
    cell = release.legend.classes
    which = [
        next(each for each in cell if each.low < shown <= each.high) for shown in release.drawn
    ]
    for each in which:
        assert "#{:02x}{:02x}{:02x}".format(*each.colour) in page


@pytest.mark.parametrize(("scale", "step"), [(1, 1), (2, 2), (3, 5), (10, 10), (100, 100)])
def test_classes_follow_from_the_noise(scale, step):
    scale = Fraction(scale)
    assert noise_step(scale) == step
    classes = count_classes(scale)
    assert all(low.high == high.low for low, high in pairwise(classes))
    assert len({class_.colour for class_ in classes}) == len(classes) == 14
    assert classes[3].low == -step - 0.5
    assert classes[-1].label == f"{1000 * step + 1:,} or more"
