"""Every public method of whatever is published: it works, or says what it needs in a sentence."""

from __future__ import annotations

import inspect
import itertools
import operator

import geopandas as gpd
import numpy as np
import pytest
import shapely

import geodp

pyplot = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(0)
POINTS = {
    "x": RNG.uniform(0, 4000, 200),
    "y": RNG.uniform(0, 3000, 200),
    "who": RNG.integers(0, 60, 200),
    "kind": RNG.choice(["a", "b"], 200),
    "age": RNG.integers(0, 99, 200),
}
BOUNDS = (0, 0, 4000, 3000)
TOWN = geodp.Domain(BOUNDS, crs="EPSG:5070")
QUARTERS = gpd.GeoDataFrame(
    {"half": ["W", "W", "E", "E"], "name": ["sw", "nw", "se", "ne"], "people": [10, 20, 30, 40]},
    geometry=[shapely.box(x, y, x + 2000, y + 1500) for x in (0, 2000) for y in (0, 1500)],
    crs="EPSG:5070",
)
LAND = geodp.Domain(BOUNDS, crs="EPSG:5070", within=QUARTERS.iloc[:3])
BOXES = [(0, 0, 1000, 1000), (9000, 0, 9900, 900)]
KINDS = geodp.Categories("kind", ["a", "b"])
AGES = geodp.Breaks("age", [0, 30, 60, 99])
AGE = geodp.Amount("age", 0, 99)

CASES = {
    "regular": {"domain": TOWN, "cells": geodp.Regular(sizes=[3, 4])},
    "adaptive, breaks": {"domain": TOWN, "by": AGES},
    "within, amount": {"domain": LAND, "amount": AGE},
    "districts, amount, groups": {"cells": geodp.Districts(QUARTERS), "amount": AGE, "by": KINDS},
    "levels, people": {
        "cells": geodp.Districts(QUARTERS, levels=["half", "name"]),
        "protect": geodp.Person("who"),
    },
    "hexagons, visits": {
        "domain": TOWN,
        "cells": geodp.Hexagons(900),
        "protect": geodp.Person("who", visits=2),
    },
    "H3, one group": {
        "domain": TOWN,
        "cells": geodp.H3(8),
        "by": geodp.Categories("kind", ["a"]),
    },
    "choice": {
        "domain": TOWN,
        "cells": geodp.Choice([geodp.Districts(QUARTERS), geodp.Hexagons(900)]),
    },
    "cells in districts": {"cells": geodp.Adaptive(districts=QUARTERS)},
}

OPTIONS = {
    "query": [{}, {"density": True}, {"total": True}, {"per": "people"}, {"level": 2}],
    "plot": [{"view": view} for view in ("best", "signed", "dots", "mean", "share", "none")],
}
FILES = {
    "to_csv": ".csv",
    "to_geotiff": ".tif",
    "to_points": ".gpkg",
    "to_report": ".html",
    "to_tiles": ".mbtiles",
    "to_vector": ".gpkg",
}
"""Methods that write a file, with a suffix of it."""

ARGUMENTS = {
    "get": [("a",)],
    "quantile": [(BOXES,), (QUARTERS, 0.5), (BOXES, 7)],
    "query": [(BOXES,), (QUARTERS,)],
    "share": [("a",), ("a", QUARTERS), ("c", BOXES)],
    "suits": [(1,), (7,)],
}
"""Methods that need more than nothing."""

PLAIN = {
    *("as_dict", "as_text", "columns", "describe", "explore", "items", "keys", "plot"),
    *("to_arrow", "to_dataframe", "to_geodataframe", "to_registry"),
    *("to_xarray", "unit_columns", "table", "values", "with_about"),
}


def tried(call):
    """Call something, and return what it refuses to do, if it does."""
    try:
        call()
    except geodp.GeodpError as refused:
        text = str(refused)
        assert text.endswith(".")
        assert text.count(". ") == 0, text
        assert "\n" not in text
        return text
    finally:
        pyplot.close("all")
    return None


def attempts(name, folder):
    """Return arguments and options for a method."""
    if name in FILES:
        return [((folder / f"{next(COUNT)}{FILES[name]}",), {})]
    assert name in ARGUMENTS or name in PLAIN, f"say here how `{name}` is called"
    ways = itertools.product(ARGUMENTS.get(name, [()]), OPTIONS.get(name, [{}]))
    return [(given, more) for given, more in ways if "per" not in more or given[0] is not BOXES]


COUNT = itertools.count()


def use_all(published, folder):
    """Use every public attribute and method; return what is refused."""
    refused = {}
    assert repr(published)
    if hasattr(published, "_repr_html_"):
        published._repr_html_()  # which notebooks show
    for name in (each for each in dir(published) if not each.startswith("_")):
        text = tried(lambda name=name: getattr(published, name))
        if text is not None or not callable(getattr(published, name)):
            refused[name] = text
            continue
        if name == "relative_error":
            refused[name] = tried(lambda: published.relative_error(published.outlooks[0]))
            continue
        for given, more in attempts(name, folder):
            call = getattr(published, name)
            if not set(more) <= set(inspect.signature(call).parameters):
                continue  # which others have
            refused[name] = tried(lambda c=call, g=given, m=more: c(*g, **m)) or refused.get(name)
    return {name: text for name, text in refused.items() if text is not None}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_method_works_or_says_what_it_needs(case, tmp_path):
    release, other = (geodp.release(POINTS, epsilon=2, **CASES[case]) for _ in range(2))
    use_all(release, tmp_path)
    release.to_vector(tmp_path / "release.gpkg")
    reopened = geodp.open_release(tmp_path / "release.gpkg")
    use_all(reopened, tmp_path)
    geodp.verify(tmp_path / "release.gpkg")
    if release.groups:
        use_all(release.total, tmp_path)
        use_all(reopened.first, tmp_path)
        for compare, sides in itertools.product(
            (operator.sub, operator.truediv), ((release, other), (release.total, other))
        ):
            assert "a set of groups" in tried(lambda c=compare, s=sides: c(*s))
    use_all(release.total - other.total, tmp_path)
    quotient = release.total / other.total
    for regions in (BOXES, QUARTERS):
        quotient.query(regions)
    assert tried(lambda: quotient.query(BOXES, level=7)).startswith("level must lie between")


FORECASTS = {
    "regions": {"domain": TOWN, "regions": QUARTERS, "expected": "people"},
    "no regions": {"domain": TOWN},
    "districts": {"cells": geodp.Districts(QUARTERS, levels=["half", "name"])},
    "amounts": {"cells": geodp.Districts(QUARTERS), "amount": AGE, "expected": 100},
}


@pytest.mark.parametrize("case", FORECASTS)
def test_every_method_of_a_forecast_works(case, tmp_path):
    forecast = geodp.forecast(epsilons=[0.1, 1], **FORECASTS[case])
    assert use_all(forecast, tmp_path) == {}


@pytest.mark.parametrize("by", [None, KINDS])
def test_what_is_asked_of_all_groups_says_so_of_one(by):
    """A newcomer asks a release for a median, and hears what is needed."""
    release = geodp.release(POINTS, TOWN, epsilon=1, by=by)
    for one in (release.total, release.first):
        for ask in (one.share, one.quantile):
            with pytest.raises(geodp.InputError, match="make one with `by`, for quantiles by"):
                ask(BOXES)


def test_a_set_of_groups_is_asked_for_names_as_a_mapping_is():
    years = geodp.Categories("age", [2024, 2025])
    release = geodp.release(POINTS, TOWN, epsilon=1, by=years)
    assert 2024 in release
    assert release.get(2024) is release["2024"]
    assert release.get("2026") is None
    assert release.get("2026", 5) == 5
    assert "2026" not in release
    assert (None in release, ("2024", "x") in release) == (False, False)


def test_two_releases_that_are_alike_by_chance_have_a_quotient():
    """Few counts of little noise are often equal: that does not make them one release."""
    cells = geodp.Districts(QUARTERS)
    one, other = (geodp.release(POINTS, epsilon=20, cells=cells, seed=seed) for seed in (1, 2))
    assert (one.counts == other.counts).all()
    assert ((one / other).query(QUARTERS)["ratio"] - 1).abs().max() < 0.1
    with pytest.raises(geodp.InputError, match="hold the same noise"):
        one / one
