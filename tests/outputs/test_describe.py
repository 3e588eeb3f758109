"""Descriptions of a release: once, in plain words, and alike in every view."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure

import geodp
from geodp.cli import main
from geodp.core.cells.grid_cells import GridCells
from geodp.core.estimates.fitting import fit
from geodp.core.kernel.measurements import Measurements
from geodp.core.publish.metadata import _digest, derived_tags, release_tags, restore
from geodp.core.releases.describe import PROTECTED, describe, map_title
from geodp.outputs.plot import plot
from geodp.outputs.report import report_html

TOWN = geodp.Domain((1000, 2000, 9000, 8000), crs="EPSG:5070")

CAPS = {
    "record": "",
    "feature": "at most 5 points of each feature",
    "person": "at most 5 records of each person",
}


def make(unit="record", most=1, **options):
    points = (np.full(9, 1500.0), np.full(9, 2500.0))
    release = geodp.release(points, TOWN, epsilon=1, **{"cells": "regular", **options})
    return replace(
        release,
        method=replace(release.method, unit=geodp.Unit(unit, 1 if unit == "record" else most)),
    )


def without_tags(page):
    return re.sub(r"<[^>]+>", " ", page)


def test_facts_are_plain_types_with_keys_of_their_own():
    description = make().describe()
    keys = [fact.key for fact in description.facts]
    assert len(set(keys)) == len(keys)
    facts = description.as_dict()
    assert json.loads(json.dumps(facts)) == facts
    assert keys[:2] == ["promise", "counted"]
    assert facts["spends"][-1] == {
        "step": "counts",
        "mechanism": "discrete Laplace noise",
        "epsilon": 0.9,
    }


def test_numbers_are_those_of_the_release():
    release = make()
    facts = release.describe().as_dict()
    assert facts["epsilon"] == sum(facts[f"epsilon_for_{step}"] for step in STEPS) == 1
    assert facts["noise_scale"] == pytest.approx(10 / 9, abs=1e-6)
    assert facts["std_error_of_a_cell"] ** 2 == pytest.approx(release.variance[0], rel=1e-5)
    assert facts["estimated_records"] == release.counts.sum()
    assert (facts["rows"], facts["columns"]) == release.cells.grid.shape
    assert facts["cells"] == release.cells.grid.cells
    assert len(facts["candidates"]) == 11


STEPS = {
    "sketch": "a coarse look at where records are",
    "tuning": "choosing the size of the cells",
    "counts": "counting",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tuner", "words"),
    [
        ("influence", "influence: the least error to be expected over the regions "
                      "(beta 1/10, sketch share 1/5)"),
        (geodp.Influence(sketch_share=0), "(beta 1/10, sketch share 0)"),
        ("e2epriv", "Rubinstein (2017), repaired (score relative, sensitivity response, "
                    "delta 1/10, n0 10)"),
    ],
)  # fmt: skip
def test_people_read_words_where_programs_read_code(tuner, words):
    release = make(cells=geodp.Regular(tuner=tuner))
    description = release.describe()
    assert description["tuner"].text.endswith(words)
    assert description["tuner"].value == release.method.tuner
    for text in (
        description.as_text(),
        without_tags(report_html(release)),
        release_tags(release)["GEODP_TUNER"],
    ):
        assert "Fraction(" not in text
        assert words in text
    labels = [fact.label for fact in description.about("cost")]
    assert labels[1:] == [f"ε for {STEPS[spend.step]}" for spend in release.spends]


def test_a_single_candidate_needs_no_choice():
    release = geodp.release(([], []), cells=geodp.Regular(geodp.Grid(TOWN, (3, 4))), epsilon=1)
    assert release.describe()["tuner"].text == "none: a single candidate"


def test_a_system_without_code_is_called_by_its_name():
    crs = geodp.Crs('PROJCS["Our town",GEOGCS["WGS 84"]]')
    town = geodp.Domain((0, 0, 900, 900), crs)
    description = geodp.release(([], []), town, epsilon=1).describe()
    assert (description["crs"].text, description["crs"].value) == ("Our town", crs.name)


@pytest.mark.slow
@pytest.mark.parametrize("unit", CAPS)
def test_every_view_says_what_is_counted(unit, tmp_path):
    release = make(unit, 5)
    cap = CAPS[unit]
    assert release.counted.startswith(f"Counts {cap or 'every record'}")
    assert ("fall short" in release.counted) == bool(cap)
    release.to_geotiff(tmp_path / "counts.tif")
    output = CliRunner().invoke(main, ["info", str(tmp_path / "counts.tif")]).output
    page = without_tags(report_html(release))
    for text in (output, page, release_tags(release)["GEODP_COUNTS"]):
        assert release.counted in text
    assert derived_tags(release, "a view")["GEODP_COUNTS"] == release.counted
    assert release.to_geodataframe().attrs["geodp_counted"] == release.counted
    records = release.describe()["estimated_records"].text
    drawn = plot(release, Figure().add_subplot())
    legend = drawn.get_legend().get_title().get_text()
    places = (records, map_title(release), drawn.get_xlabel().replace("\n", " "), legend)
    assert all(("at most" in place) == bool(cap) and cap in place for place in places)
    assert page.count(cap) > 4 or not cap


@pytest.mark.parametrize("unit", PROTECTED)
def test_one_is_singular(unit):
    text = make(unit, 1).describe().as_text()
    assert "1 records" not in text
    assert "1 points" not in text


@pytest.mark.parametrize(
    ("neighbours", "words"),
    [("add-remove", "one person more or less"), ("replace", "one person exchanged for another")],
)
def test_neighbours_are_said_in_words(neighbours, words):
    release = make("person", 3)
    release = replace(
        release,
        method=replace(release.method, unit=replace(release.method.unit, neighbours=neighbours)),
    )
    assert release.describe()["neighbours"].text == words
    assert release.describe()["neighbours"].value == neighbours


def test_what_is_printed_names_the_unit():
    release = make("person", 3)
    assert repr(release).endswith("cells, epsilon=1 per person)")
    assert "not private" in repr(make(seed=1))
    assert describe(make(seed=1))["private"].value is False


@pytest.mark.slow
def test_the_explorable_map_says_what_is_counted():
    release = with_counts(make("person", 5), np.eye(2, dtype=int))
    assert "count (at most 5 records of each person)" in rendered(release)
    assert "at most" not in rendered(release, tooltip=["count"])


def with_counts(release, counts):
    cells = GridCells(geodp.Grid(TOWN, counts.shape))
    return replace(
        release, cells=cells, measurements=Measurements.from_counts(counts, release.scale)
    )


def rendered(release, **options):
    return release.explore(tiles=None, **options).get_root().render()


def test_arrays_of_a_release_are_read_only():
    given = np.zeros((3, 4), np.int32)
    release = make()
    release = with_counts(release, given)
    given[0, 0] = 7
    assert release.counts.dtype == np.int64
    assert release.counts.sum() == 0
    for array in (release.counts, release.variance, make().counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    cells = release.to_geodataframe()
    cells.loc[0, "count"] = 5  # a table of its own
    assert release.counts.sum() == 0


@pytest.mark.parametrize(
    ("counts", "rule"),
    [
        (np.zeros((4, 3), int), r"one value for each cell.*\(4, 3\) for \(3, 4\)"),
        (np.zeros(12, int), "one value for each cell"),
        (np.zeros((3, 4)), "whole numbers.*float64"),
        (np.zeros((3, 4), bool), "whole numbers.*bool"),
        (np.zeros((3, 4), np.uint64), "whole numbers.*uint64"),
    ],
)
def test_counts_must_fit_the_grid(counts, rule):
    with pytest.raises(geodp.InputError, match=rule):
        Measurements.from_counts(counts, Fraction(1), (3, 4))


@pytest.mark.parametrize("scale", [0, -1, 1 << 63])
def test_noise_has_a_scale(scale):
    with pytest.raises(geodp.InputError, match="scale of the noise must be positive"):
        Measurements.from_counts(np.zeros((3, 4), int), Fraction(scale))


def test_measurements_must_be_of_the_cells():
    with pytest.raises(geodp.InputError, match=r"one value for each cell.*11 for 12 cells"):
        fit(
            GridCells(geodp.Grid(TOWN, (3, 4))),
            Measurements.from_counts(np.zeros(11, int), Fraction(1)),
        )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scale", "-1"),
        ("scale", "1e300"),
        ("spends", [["counts", "noise", "1e400", "1"]]),
        ("unit", "nobody"),
        ("neighbours", "near"),
        ("max_records", -3),
    ],
)
def test_facts_that_nobody_can_describe_are_refused(field, value):
    release = make()
    tags = release_tags(release)
    text = json.dumps({**json.loads(tags["GEODP_FACTS"]), field: value})
    forged = {**tags, "GEODP_FACTS": text, "GEODP_DIGEST": _digest(text, release.counts)}
    with pytest.raises(geodp.FileError, match="do not describe a release"):
        restore(forged, release.counts)


def test_releases_of_the_first_format_are_refused_in_a_sentence():
    release = make()
    assert release_tags(release)["GEODP_FORMAT"] == "2"
    with pytest.raises(geodp.FileError, match="reads releases of format 2"):
        restore({**release_tags(release), "GEODP_FORMAT": "1"}, release.counts)


# --- words of the publisher ---------------------------------------------------------------------

WORDS = {
    "title": "Thefts <2025>",
    "subject": "Thefts that were reported",
    "source": "City police",
    "publisher": "The city",
    "licence": "CC BY 4.0",
    "date": "2025",
}


@pytest.mark.parametrize("suffix", [".tif", ".gpkg", ".parquet", ".fgb"])
def test_words_of_the_publisher_are_in_every_file(tmp_path, suffix):
    path = tmp_path / f"counts{suffix}"
    release = make().with_about(**WORDS)
    (release.to_geotiff if suffix == ".tif" else release.to_vector)(path)
    again = geodp.open_release(path)
    assert again.about == release.about == geodp.About(**WORDS)
    assert again.describe()["licence"].text == "CC BY 4.0"
    if suffix == ".tif":
        assert "<license>CC BY 4.0</license>" in path.with_suffix(".qmd").read_text()


def test_words_of_the_publisher_head_the_page_and_the_map():
    release = make().with_about(**WORDS)
    page = report_html(release)
    assert "<h1>Thefts &lt;2025&gt;</h1>" in page
    assert "Source: City police · Publisher: The city · Licence: CC BY 4.0 · Date: 2025" in page
    axes = plot(release, Figure().add_subplot())
    assert axes.get_title(loc="left").startswith("Thefts <2025>\n")
    assert axes.get_xlabel().startswith("Source: City police · Published by The city · 2025")


def test_a_release_without_words_has_no_tags_for_them():
    assert not {f"GEODP_{name.upper()}" for name in WORDS} & set(release_tags(make()))
    assert make().with_about(title=None).about == geodp.About()


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ({"title": "two\nlines"}, "a line of text"),
        ({"title": 5}, "got int"),
        ({"source": "x" * 1001}, "at most 1,000 characters"),
        ({"author": "me"}, "got 'author'"),
    ],
)
def test_words_that_cannot_be_kept_are_refused(words, rule):
    with pytest.raises(geodp.InputError, match=rule):
        make().with_about(**words)
