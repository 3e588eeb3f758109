"""Maps that are grey where little is known, maps of means, tables that say what to trust."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
from commands import ran, refused

import geodp
from geodp.core.estimates.answers import stands_above
from geodp.core.estimates.queries import asked_about
from geodp.core.pictures.drawing import GREY, classes_of_values, grey_words, greyed, unsure_cells
from geodp.core.pictures.marks import Shapes
from geodp.core.pictures.sheet import regions_sheet
from geodp.core.views.legend import hexadecimal
from geodp.core.views.means import (
    even_limits,
    mean_legend,
    means_on,
    percentages_on,
    share_legend,
)
from geodp.core.views.picture import picture_cells
from geodp.outputs.plot import picture

CRS = "EPSG:5070"
COUNTS = np.array([0, 3, 40, 200, 900, 4000])
LAYER = gpd.GeoDataFrame(
    {"land": list("aaabbb"), "town": list("uvwxyz")},
    geometry=[shapely.box(1000 * i, 0, 1000 * i + 1000, 3000) for i in range(6)],
    crs=CRS,
)
X = np.repeat(np.arange(6) * 1000.0 + 500, COUNTS)
PAID = 10.0 * np.repeat(np.arange(6), COUNTS)
POINTS = {"x": X, "y": np.full(len(X), 500.0), "paid": PAID, "kind": np.resize(["m", "n"], len(X))}
TOWN = geodp.Domain((0, 0, 6000, 3000), crs=CRS)
AMOUNT = geodp.Amount("paid", 0, 100, label="EUR")
DISTRICTS = geodp.Districts(LAYER, name="town")


@pytest.fixture(scope="module")
def towns():
    return geodp.release(POINTS, cells=DISTRICTS, epsilon=0.2, amount=AMOUNT, seed=5)


def shades(release, **options):
    """Return colours of the six districts, as they are drawn."""
    from matplotlib.figure import Figure

    ax = release.plot(Figure().add_subplot(), **options)
    colours = {}
    for patch in ax.patches:
        for number in range(6):
            if patch.get_path().contains_point((1000 * number + 500, 1500)):
                colours[number] = tuple(
                    np.rint(255 * np.array(patch.get_facecolor()[:3])).astype(int)
                )
    return [colours[number] for number in range(6)]


def test_districts_are_grey_where_their_interval_is_wide(towns):
    answers = towns.query(LAYER)
    drawn = shades(towns, grey=0.5)
    assert [shade == GREY for shade in drawn] == (~answers.reliable).tolist()
    assert answers.reliable.tolist() == [False, False, True, True, True, True]
    plain = shades(towns)
    assert GREY not in plain
    assert drawn[2:] == plain[2:]
    stricter = shades(towns, grey=0.05)
    assert [shade == GREY for shade in stricter] == (
        ~towns.query(LAYER, reliable=0.05).reliable
    ).tolist()


def test_grey_changes_no_number(towns):
    before = towns.counts.copy()
    picture(towns, grey=0.5)
    assert towns.counts.tolist() == before.tolist()
    total = towns.query(LAYER, total=True, reliable=0.01)
    assert total.estimate[0] == pytest.approx(before.sum())


def test_a_map_of_shares_shows_the_shares_and_what_is_not_known():
    kinds = geodp.Categories("kind", ["theft", "fraud"])
    kind = np.where(np.arange(len(POINTS["x"])) % 3, "theft", "fraud")
    points = {"x": POINTS["x"], "y": POINTS["y"], "kind": kind}
    releases = geodp.release(points, cells=DISTRICTS, epsilon=1, by=kinds, seed=1)
    legend = share_legend(releases)
    assert legend.words == "share of the total (%)"
    for name, one in releases.items():
        expected = releases.share(name, LAYER)["share"].to_numpy()
        drawn = percentages_on(one, one.cells).ratio
        assert np.isnan(drawn).tolist() == np.isnan(expected).tolist()
        assert np.isnan(drawn).any()
        assert not np.isnan(drawn).all()
        assert drawn == pytest.approx(100 * expected, nan_ok=True)
        alone = share_legend(one).classes
        which = classes_of_values(share_legend(one), drawn)
        colours = [GREY if np.isnan(v) else alone[k].colour for v, k in zip(drawn, which)]
        assert shades(one, view="share") == colours
        assert unsure_cells(one, one.cells, "share", 1e-9).all()
    assert picture(releases, view="share", dpi=40).startswith(b"\x89PNG")
    for alone in (releases.total, geodp.release(([], []), TOWN, epsilon=1)):
        with pytest.raises(geodp.InputError, match="a group in several"):
            alone.plot(view="share")


@pytest.mark.slow
@pytest.mark.parametrize("cells", [geodp.Adaptive(), geodp.Regular(sizes=[3]), DISTRICTS])
def test_every_kind_of_cells_and_view_can_be_grey(cells):
    domain = None if cells is DISTRICTS else TOWN
    release = geodp.release(POINTS, domain, cells=cells, epsilon=1, amount=AMOUNT, seed=1)
    shown = picture_cells(release.cells)
    for view in ("best", "signed", "mean"):
        unsure = unsure_cells(release, shown, view, 0.5)
        assert unsure.shape == (len(shown),)
        assert (unsure_cells(release, shown, view, 1e9) <= unsure).all()
        one, other = (picture(release, view=view, grey=share, dpi=40) for share in (0.5, 1e9))
        assert one != other


def test_a_map_of_means_shows_the_means_and_what_is_not_known(towns):
    means = towns.columns()["mean"]
    assert np.isnan(means).tolist() == [True, True, False, False, False, False]
    legend = mean_legend([towns])
    assert legend.words == "mean paid (EUR)"
    drawn = shades(towns, view="mean")
    which = classes_of_values(legend, means)
    expected = [
        GREY if np.isnan(mean) else legend.classes[k].colour for mean, k in zip(means, which)
    ]
    assert drawn == expected
    assert means_on(towns, towns.cells).mean[2:] == pytest.approx(means[2:])
    words = [class_.label for class_ in greyed(legend, grey_words("mean", None)).classes]
    assert words[-1] == "not known"
    with pytest.raises(geodp.InputError, match="needs a release with an amount"):
        geodp.release(([], []), TOWN, epsilon=1).plot(view="mean")


def test_no_empty_cell_of_a_map_looks_as_if_something_were_known_of_it():
    town = geodp.Domain((0, 0, 6000, 3000), crs=CRS)
    points = {"x": [], "y": [], "kind": [], "paid": []}
    options = {"cells": geodp.Regular(sizes=[30]), "epsilon": 1, "seed": 1}
    kinds = geodp.release(points, town, by=geodp.Categories("kind", ["m", "n"]), **options)
    amounts = geodp.release(points, town, amount=AMOUNT, **options)
    assert np.isfinite(kinds.share("m").ratio).sum() > 10  # each asked about by itself
    assert np.isfinite(amounts.columns()["mean"]).sum() > 10
    assert not np.isfinite(percentages_on(kinds["m"], kinds.cells).ratio).any()
    assert not np.isfinite(means_on(amounts, amounts.cells).mean).any()


@pytest.mark.parametrize(
    ("values", "limits"),
    [
        ([], []),
        ([5.0], []),
        ([-3.0, 3.0], [-2.0, -1.0, 0.0, 1.0, 2.0]),
        ([0.0, 1.0], [0.2, 0.4, 0.6, 0.8]),
        ([0.1, 0.30001], [0.15, 0.2, 0.25, 0.3]),
        ([1e6, 9e6], [2e6, 4e6, 6e6, 8e6]),
    ],
)
def test_limits_of_means_are_round(values, limits):
    assert even_limits(np.array(values)) == pytest.approx(limits)


def test_bad_shares_and_views_are_refused(towns, tmp_path):
    for wrong in (0, -1, np.nan, np.inf, "half", True):
        with pytest.raises(geodp.InputError, match="positive share"):
            towns.plot(grey=wrong)
        with pytest.raises(geodp.InputError, match="positive share"):
            towns.to_report(tmp_path / "r.html", grey=wrong)
    for view in ("dots", "error"):
        with pytest.raises(geodp.InputError, match="leave one of them out"):
            towns.plot(view=view, grey=0.5)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_map_of_answers_is_grey_by_the_same_rule(towns):
    answers = towns.query(asked_about(LAYER, towns.domain)._replace(layer=None))
    rings = [[np.array(each.exterior.coords)] for each in LAYER.geometry]
    areas = LAYER.area.to_numpy() / 1e6

    def fills(share):
        (drawn,) = regions_sheet(towns.domain, rings, answers, areas, share).maps
        return [mark.fill for mark in drawn.marks if isinstance(mark, Shapes) and mark.closed]

    grey = hexadecimal(GREY)
    assert [fill == grey for fill in fills(0.5)] == (~answers.reliable).tolist()
    assert grey not in fills(None)
    assert grey not in fills(1e9)[2:]


@pytest.mark.slow
def test_the_report_takes_it(towns, tmp_path):
    towns.to_report(tmp_path / "plain.html", regions=LAYER)
    towns.to_report(tmp_path / "grey.html", regions=LAYER, grey=0.5)
    one, other = (path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir()))
    assert one != other
    groups = geodp.release(POINTS, TOWN, epsilon=1, by=geodp.Categories("kind", ["m", "n"]), seed=1)
    assert picture(groups, grey=0.5, dpi=40) != picture(groups, dpi=40)
    assert len(groups.plot(grey=0.5)) == 2


def test_tables_say_what_is_reliable_and_have_sums_and_means(tmp_path):
    nested = geodp.Districts(LAYER, levels=["land", "town"])
    release = geodp.release(POINTS, cells=nested, epsilon=1, amount=AMOUNT, seed=3)
    release.to_csv(tmp_path / "t.csv")
    table = pd.read_csv(tmp_path / "t.csv")
    names = ["reliable", "sum", "sum_low", "sum_high", "mean", "mean_low", "mean_high"]
    place = list(table.columns).index("reliable")
    assert list(table.columns)[place : place + 7] == names
    half = (table.ci_high - table.ci_low) / 2
    assert table.reliable.tolist() == stands_above(table["count"], half, 0.5).tolist()
    towns_alone = table[table["level"] == "town"]
    lands = table[table["level"] == "land"]
    sums = towns_alone.groupby("land")["sum"].sum()
    assert sums.tolist() == pytest.approx(lands["sum"].tolist(), abs=0.5 * len(towns_alone))
    true = np.array([PAID[X < 3000].sum(), PAID[X > 3000].sum()])
    assert ((lands.sum_low <= true) & (true <= lands.sum_high)).all()
    answers = release.query(LAYER)
    for name in ("sum", "mean"):  # in steps of at most a hundredth of their error
        error = (answers[f"{name}_high"] - answers[f"{name}_low"]).to_numpy() / 4
        away = np.abs(towns_alone[name].to_numpy() - answers[name].to_numpy())
        assert ((away <= error / 200) | np.isnan(away)).all()


@pytest.mark.slow
def test_the_command_line_draws_means_and_greys(tmp_path):
    frame = gpd.GeoDataFrame(
        {"paid": PAID}, geometry=gpd.points_from_xy(POINTS["x"], POINTS["y"]), crs=CRS
    )
    frame.to_file(tmp_path / "claims.gpkg")
    LAYER.to_file(tmp_path / "towns.gpkg")
    words = ["release", tmp_path / "claims.gpkg", "--districts", tmp_path / "towns.gpkg"]
    words += ["--district-name", "town", "--epsilon", "1", "--one-each", "-q"]
    paid = ["--amount", "paid", "--between", "0", "100"]
    ran(*words, *paid, "--view", "mean", "--grey", "0.5", "-o", tmp_path / "mean.png",
        "-o", tmp_path / "mean.csv")  # fmt: skip
    assert (tmp_path / "mean.png").stat().st_size > 5000
    assert "mean_high" in (tmp_path / "mean.csv").read_text(encoding="utf-8-sig").split("\n")[0]
    out = ["-o", tmp_path / "x.png"]
    assert "name its field with --amount" in refused(*words, "--view", "mean", *out)
    assert "name their field with --by" in refused(*words, "--view", "share", *out)
    assert "positive share" in refused(*words, "--grey", "-1", *out)
    assert "got --grey for a view of dots" in refused(*words, "--grey", "1", "--view", "dots", *out)
    assert not (tmp_path / "x.png").exists()
    ran(*words, "-o", tmp_path / "c.gpkg")
    asked = ["query", tmp_path / "c.gpkg", tmp_path / "towns.gpkg", "--grey", "0.5"]
    assert "name its file with --report" in refused(*asked)
    assert "is a release" in refused(*words, "--force", "-o", tmp_path / "mean.csv")
