"""Entries for a register: filled from the release, and honest about what is missing."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import geodp
from geodp.cli import main

TOWN = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
ABOUT = {"title": 'A "quoted": title # no comment', "publisher": "Büro", "date": "2025"}
WORDS = {"intended_use": "buses", "region": "Ohio", "sector": "public", "justification": "small"}

FIELDS = {
    "basic": {
        *("name", "data_curator", "description", "intended_use", "data_product_type"),
        *("data_product_region", "data_product_sector", "publication_date"),
    },
    "dp_variant": {"name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {
        *("privacy_unit", "privacy_unit_description", "privacy_parameters"),
        "privacy_parameters_description",
    },
    "deployment_model": {
        *("model_name", "model_name_description", "actors", "release_type"),
        *("release_type_description", "data_source_type", "access_type"),
    },
    "accounting": {"post_processing", "composition"},
    "implementation": {
        *("pre_processing_eda_hyperparameter_tuning", "mechanisms", "justification"),
        *("floating_point_and_timing", "software"),
    },
}
"""Sections and fields of the register, restated."""


def read(text):
    """Return nested mappings of one line for each value, as in JSON: all of YAML that an entry
    needs.
    """
    fields, open_at = {}, {}
    for line in text.splitlines()[1:]:
        depth = (len(line) - len(line.lstrip())) // 2
        name, _, value = line.strip().partition(":")
        within = open_at[depth - 1] if depth else fields
        if value:
            within[name] = json.loads(value.partition("  # MISSING: ")[0])
        else:
            within[name] = open_at[depth] = {}
    return fields["deployment"]


@pytest.fixture(scope="module")
def release():
    return geodp.release(([], []), TOWN, epsilon="0.5").with_about(**ABOUT)


def test_every_field_is_there_and_filled_from_the_release(release):
    text = release.to_registry(**WORDS)
    entry = read(text)
    assert {name: set(section) for name, section in entry.items()} == FIELDS
    assert "MISSING: " not in text
    assert entry["basic"]["name"] == ABOUT["title"]
    assert entry["basic"]["data_curator"] == "Büro"
    assert entry["basic"]["data_product_region"] == "Ohio"
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5, "delta": 0}
    assert entry["privacy_loss"]["privacy_unit"] == "record"
    assert entry["implementation"]["mechanisms"].count("discrete Laplace") == len(release.spends)
    assert entry["implementation"]["justification"] == "small"


def test_what_nobody_said_is_marked(release):
    bare = release.with_about(title="", publisher="", date="")
    lines = [line for line in bare.to_registry().splitlines()[1:] if "MISSING: " in line]
    names = {line.split(":")[0].strip() for line in lines}
    assert names == {
        *("name", "data_curator", "intended_use", "data_product_region", "data_product_sector"),
        *("publication_date", "justification"),
    }
    assert all(line.split(":")[1].startswith(" null  #") for line in lines)


def test_people_groups_and_other_cells():
    people = geodp.Person("who", max_records=3, neighbours="replace")
    points = {"x": [], "y": [], "who": [], "kind": []}
    kinds = geodp.Categories("kind", ["a", "b"])
    for cells in ("adaptive", "regular", geodp.Regular(sizes=[2])):
        released = geodp.release(points, TOWN, epsilon=1, cells=cells, protect=people, by=kinds)
        entry = read(released.to_registry())
        assert entry["privacy_loss"]["privacy_unit"] == "person"
        description = entry["privacy_loss"]["privacy_unit_description"]
        assert "at most 3 records" in description
        assert "exchanged for another" in description
        assert "by kind" in entry["dp_variant"]["data_domain"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (geodp.Regular(sizes=[2]), "None: a single candidate."),
        (geodp.Hexagons(500), "None: the cells are given."),
        (
            "adaptive",
            "Cells were chosen within epsilon, by growth: spend a little, look, and go on",
        ),
        (geodp.Regular(sizes=[2, 4]), "Cells were chosen within epsilon, by influence: the least"),
    ],
)
def test_an_entry_says_how_cells_were_chosen(cells, words):
    entry = read(geodp.release(([], []), TOWN, epsilon=1, cells=cells).to_registry())
    said = entry["implementation"]["pre_processing_eda_hyperparameter_tuning"]
    assert said.startswith(words)
    assert said.endswith("; from 2 × 2, 4 × 4.") == ("influence" in words)


def test_releases_of_tests_and_odd_words_are_refused(release):
    seeded = geodp.release(([], []), TOWN, epsilon=1, seed=1)
    with pytest.raises(geodp.InputError, match="made with a seed"):
        seeded.to_registry()
    with pytest.raises(geodp.InputError, match="the intended use must be a line of text"):
        release.to_registry(intended_use="a\nb: c")


def test_the_command_line_writes_the_same(release, tmp_path):
    release.to_geotiff(tmp_path / "c.tif")
    words = ["registry", str(tmp_path / "c.tif"), "--region", "Ohio", "--intended-use", "buses"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert done.output == release.to_registry(region="Ohio", intended_use="buses")
