"""The dock's wish and the Processing call that it comes to; nothing here needs a screen."""

from dataclasses import replace

import pytest
from conftest import CRS, EXTENT


@pytest.fixture
def wish(qgis):
    from geodp_qgis.dock.state import Wish
    from qgis.core import QgsCoordinateReferenceSystem

    return Wish(points="p", extent=EXTENT, crs=QgsCoordinateReferenceSystem(CRS))


def test_the_least_that_is_asked_for(wish):
    assert wish.lacks() is None
    assert wish.parameters() == {
        "INPUT": "p",
        "EXTENT": EXTENT,
        "CRS": wish.crs,
        "EPSILON": 1.0,
        "CELLS": 1,
        "OUTPUT_RASTER": "TEMPORARY_OUTPUT",
    }


def test_all_that_can_be_asked_for(wish):
    full = replace(
        wish,
        person="who",
        most=3,
        dataset=" visits ",
        cap=5.0,
        extent_is_public=True,
        within="land",
        kind=0,
        regions="districts",
        sizes="30, 20x30",
        expected=9000,
        epsilon=0.5,
        target="counts.tif",
    )
    assert full.parameters() == {
        "INPUT": "p",
        "EXTENT": EXTENT,
        "CRS": wish.crs,
        "EPSILON": 0.5,
        "CELLS": 0,
        "EXTENT_IS_PUBLIC": True,
        "WITHIN": "land",
        "PERSON": "who",
        "MAX_RECORDS": 3,
        "DATASET": "visits",
        "CAP": 5.0,
        "REGIONS": "districts",
        "SIZES": "30, 20x30",
        "OUTPUT_RASTER": "counts.tif",
    }
    planned = full.planned()
    assert {"INPUT", "PERSON", "DATASET", "EPSILON"} & set(planned) == set()
    assert planned["EXPECTED"] == 9000
    assert planned["MAX_RECORDS"] == 3


def test_districts_say_where(wish):
    from geodp_qgis.dock.state import chosen_algorithm

    asked = replace(
        wish,
        extent="",
        crs=None,
        kind=2,
        districts="states",
        within="land",
        person="who",
        dataset=" visits ",
        breaks="hourly",
        by="time",
        target="counts.gpkg",
        cells_too=True,
        page_too=True,
    )
    assert asked.lacks() is None
    assert asked.parameters() == {
        "INPUT": "p",
        "DISTRICTS": "states",
        "WITHIN": "land",
        "EPSILON": 1.0,
        "PERSON": "who",
        "DATASET": "visits",
        "BY": "time",
        "BREAKS": "hourly",
        "OUTPUT": "counts.gpkg",
        "OUTPUT_HTML": "counts.html",
    }
    assert chosen_algorithm(asked.parameters()) == "geodp:privatedistricts"
    assert chosen_algorithm(wish.parameters()) == "geodp:privatehistogram"
    assert replace(asked, districts="").lacks()[0] == "districts"
    assert replace(asked, person="", several=True).lacks()[0] == "most"


def test_hexagons_sums_and_grey(wish):
    from geodp_qgis.dock.state import chosen_algorithm

    asked = replace(wish, kind=3, side=" 5km ", within="land", amount="d", low="-1", high=" 1e3")
    asked = replace(asked, grey=0.5, extent_is_public=True, by="kind", categories="a", other="rest")
    assert asked.lacks() is None
    assert asked.parameters() == {
        "INPUT": "p",
        "EXTENT": EXTENT,
        "CRS": wish.crs,
        "EXTENT_IS_PUBLIC": True,
        "SIDE": "5km",
        "WITHIN": "land",
        "EPSILON": 1.0,
        "AMOUNT": "d",
        "AMOUNT_LOW": -1.0,
        "AMOUNT_HIGH": 1000.0,
        "GREY": 0.5,
        "BY": "kind",
        "CATEGORIES": "a",
        "OTHER": "rest",
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    assert chosen_algorithm(asked.parameters()) == "geodp:privatehexagons"
    assert replace(asked, side="  ").lacks()[0] == "side"
    assert replace(asked, low="").lacks()[0] == "low"
    assert replace(asked, high="much").lacks()[0] == "high"
    assert replace(asked, high="nan").lacks()[0] == "high"
    others = {"SIDE", "AMOUNT", "AMOUNT_LOW", "GREY"}
    assert not others & set(replace(asked, kind=1, low="").parameters())
    assert replace(asked, kind=1, low="", side="").lacks() is None


def test_levels_end_with_the_field_that_names_the_districts(wish):
    asked = replace(wish, kind=2, districts="d", named_by="county", levels=("state",))
    asked = replace(asked, per="people", each=100.0)
    given = asked.parameters()
    assert given["LEVELS"] == ["state", "county"]
    assert "NAME_FIELD" not in given
    assert (given["PER"], given["EACH"]) == ("people", 100.0)
    assert replace(asked, levels=()).parameters()["NAME_FIELD"] == "county"
    assert replace(asked, named_by="").lacks()[0] == "named_by"
    assert "EACH" not in replace(asked, per="").parameters()


@pytest.mark.parametrize("amount", [None, (0, 100), (-20, 50)])
@pytest.mark.parametrize(("epsilon", "most"), [(1.0, None), (0.1, 3), (5.0, 1)])
def test_the_noise_of_a_district_is_the_librarys(wish, epsilon, most, amount):
    from geodp_qgis.library import geodp

    person = "" if most is None else "who"
    asked = replace(wish, kind=2, epsilon=epsilon, most=most, person=person)
    protect = geodp.Record() if most is None else geodp.Person("who", most)
    town = geodp.Domain((0, 0, 1000, 1000), geodp.Crs(CRS))
    cells = geodp.Hexagons(5000)
    nobody = {"x": [], "y": [], "who": [], "d": []}
    options = {"epsilon": epsilon, "cells": cells, "protect": protect, "seed": 1}
    if amount is not None:
        options["amount"] = geodp.Amount("d", *amount)
        asked = replace(asked, amount="d", low=str(amount[0]), high=str(amount[1]))
    release = geodp.release(nobody, town, **options)
    error = float(release.variance[0]) ** 0.5
    assert asked.noise() == pytest.approx(error, rel=1e-6 if amount is None else 0.01)
    if amount is not None:
        columns = release.columns()
        half = (columns["sum_high"][0] - columns["sum_low"][0]) / 2
        assert 1.9 < half / asked.noise_of_sums() < 2.25


def test_groups_title_and_further_files(wish, tmp_path):
    asked = replace(
        wish,
        by="kind",
        categories=" theft, assault",
        title=" Town ",
        cells_too=True,
        page_too=True,
        selected=True,
    )
    given = asked.parameters()
    assert given["INPUT"].selectedFeaturesOnly
    assert given["INPUT"].source.staticValue() == "p"
    assert (given["BY"], given["CATEGORIES"], given["TITLE"]) == ("kind", "theft, assault", "Town")
    assert "BREAKS" not in given
    assert given["OUTPUT_VECTOR"] == given["OUTPUT_HTML"] == "TEMPORARY_OUTPUT"
    named = replace(asked, target=str(tmp_path / "a.b.tif")).parameters()
    assert named["OUTPUT_VECTOR"] == str(tmp_path / "a.b.gpkg")
    assert named["OUTPUT_HTML"] == str(tmp_path / "a.b.html")


@pytest.mark.parametrize(
    ("sides", "crs", "expected"),
    [
        ((14.9, 15.1, 48.6, 48.8), "EPSG:4326", "EPSG:32633"),
        ((18.3, 18.6, -34.1, -33.8), "EPSG:4326", "EPSG:32734"),
        ((-2400000, 2300000, 200000, 3200000), "EPSG:5070", "EPSG:5070"),
        ((-10, 30, 36, 65), "EPSG:4326", "EPSG:3035"),
        ((-126, -66, 24, 50), "EPSG:4326", "EPSG:5070"),
        ((-180, 180, -60, 80), "EPSG:4326", "EPSG:6933"),
        ((179.5, 179.9, -18, -17), "EPSG:4326", "EPSG:32760"),
        ((5, 5, 2, 3), "EPSG:4326", None),
        ((0, 1, 85, 89), "EPSG:4326", None),
        ((1e9, 2e9, 1e9, 2e9), "EPSG:4326", None),
        ((0, 1, 2, 3), "", None),
    ],
)
def test_a_crs_that_suits_a_rectangle(qgis, sides, crs, expected):
    from geodp_qgis.dock.suited import suited_crs
    from qgis.core import QgsCoordinateReferenceSystem

    suited = suited_crs(sides, QgsCoordinateReferenceSystem(crs))
    assert suited == expected
    assert suited is None or not QgsCoordinateReferenceSystem(suited).isGeographic()


def test_where_records_can_be_is_polygons_or_a_raster(wish):
    asked = replace(wish, within_raster="people")
    districts = replace(asked, kind=2, districts="states")
    for given in (asked.parameters(), asked.planned(), districts.parameters()):
        assert given["WITHIN_RASTER"] == "people"
        assert "WITHIN" not in given


def test_adaptive_cells_do_without_what_is_for_one_grid(wish):
    given = replace(wish, regions="districts", sizes="30").parameters()
    assert given["CELLS"] == 1
    assert {"REGIONS", "SIZES", "CELL_SIZES"} & set(given) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [("30, 40", "SIZES"), ("20x30", "SIZES"), ("20 X 30", "SIZES"), ("5km, 10 km", "CELL_SIZES")],
)
def test_sizes_with_a_unit_are_lengths(wish, text, name):
    assert replace(wish, kind=0, sizes=text).parameters()[name] == text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"points": ""}, "points"),
        ({"extent": "  "}, "extent"),
        ({"crs": None}, "crs"),
        ({"several": True, "person": ""}, "most"),
        # QGIS would take these for names of layers, and so for the extent of the points
        ({"extent": "us_places"}, "extent"),
        ({"extent": "us_places_1234"}, "extent"),
        ({"extent": "1,2,3"}, "extent"),
        ({"extent": "1,2,3,nan"}, "extent"),
    ],
)
def test_what_is_missing_is_asked_for_in_a_sentence(wish, changes, field):
    missing, why = replace(wish, **changes).lacks()
    assert missing == field
    assert why.endswith(".")


@pytest.mark.parametrize("text", ["0,1,2,3", " -1.5e3, 2, .5 ,3. ", "0,1,2,3 [EPSG:5070]"])
def test_four_numbers_are_an_extent(wish, text):
    assert replace(wish, extent=text).lacks() is None


def test_the_slider_stops_at_round_numbers(qgis):
    from geodp_qgis.dock.state import EPSILONS

    assert EPSILONS[0] == 0.01
    assert EPSILONS[-1] == 10
    assert {0.1, 0.3, 0.5, 1.0, 2.0, 3.0} <= set(EPSILONS)
    assert list(EPSILONS) == sorted(EPSILONS)
    assert all(float(f"{epsilon:.2g}") == epsilon for epsilon in EPSILONS)


def test_drawn_rectangles_become_round_and_never_smaller(qgis):
    from geodp_qgis.dock.state import extent_in_words, round_number, rounded

    assert [round_number(size) for size in (1, 1.9, 2, 4.99, 5, 70, 0.03)] == [
        *(1, 1, 2, 2, 5, 50),
        0.02,
    ]
    drawn = (-2387123.4, 213456.7, 2298765.4, 3198765.4)
    bounds = rounded(*drawn)
    assert bounds == (-2400000, 200000, 2300000, 3200000)
    assert rounded(*bounds) == bounds
    assert extent_in_words(bounds, CRS) == EXTENT
    assert extent_in_words((0.5, 1, 2, 3), "") == "0.5,2,1,3"
