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
        *("name", "data_curators", "description", "intended_use", "data_product_type"),
        *("data_product_region", "data_product_sector", "publication_date"),
    },
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {
        *("privacy_unit", "privacy_unit_details", "privacy_parameters"),
        "privacy_parameters_details",
    },
    "deployment_model": {
        *("model_name", "model_name_details", "actors", "release_type", "release_type_details"),
        *("data_source_type", "access_type", "access_type_details"),
    },
    "accounting": {"post_processing", "composition"},
    "implementation": {"preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"},
    "administrative": {"sources", "registry_authors"},
}
"""Sections and fields of entries that the register took in September 2026, restated."""

CHOICES = {
    ("basic", "data_product_type"): "Summary statistics",
    ("dp_variant", "variant_name"): "Pure DP",
    ("deployment_model", "model_name"): "Central",
    ("deployment_model", "release_type"): "One release",
    ("deployment_model", "data_source_type"): "Static",
    ("deployment_model", "access_type"): "Non-interactive",
}
"""Words out of its closed lists."""


def read(text):
    """Return nested mappings of one line for each value, as in JSON, and a list of one mapping:
    all of YAML that an entry needs.
    """
    fields, open_at = {}, {}
    for line in text.splitlines()[1:]:
        line = line.replace("- ", "  ", 1) if line.lstrip().startswith("- ") else line
        depth = (len(line) - len(line.lstrip())) // 2
        depth -= "data_curator_" in line  # within an element of a list
        name, _, value = line.strip().partition(":")
        within = open_at[depth - 1] if depth else fields
        if value:
            within[name] = json.loads(value.partition("  # MISSING: ")[0])
        else:
            within[name] = open_at[depth] = {}
    assert (fields["status"], fields["tier"]) == ("Draft", 3)
    return fields["deployment"]


@pytest.fixture(scope="module")
def release():
    return geodp.release(([], []), TOWN, epsilon="0.5").with_about(**ABOUT)


def test_every_field_is_there_and_filled_from_the_release(release):
    text = release.to_registry(**WORDS)
    entry = read(text)
    assert {name: set(section) for name, section in entry.items()} == FIELDS
    for (section, name), word in CHOICES.items():
        assert entry[section][name] == word
    assert text.splitlines()[1] == 'url_slug: "a-quoted-title-no-comment-b-ro-2025"'
    assert entry["basic"]["name"] == ABOUT["title"]
    assert entry["basic"]["data_curators"]["data_curator_name"] == "Büro"
    assert '\n    data_curators:\n      - data_curator_name: "Büro"\n        data_cur' in text
    assert entry["basic"]["data_product_region"] == "Ohio"
    assert entry["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5, "delta": 0}
    assert entry["privacy_loss"]["privacy_unit"] == "Record-level"
    mechanisms = entry["implementation"]["mechanisms"]
    assert mechanisms.count("discrete Laplace") == len(release.spends)
    for words in ("By geodp 0.", "the exact sampler of geodp", "Floating point:", "Timing:"):
        assert words in mechanisms
    assert entry["implementation"]["justification"] == "small"
    assert missing(text) == {"data_curator_type", "sources", "registry_authors"}


def missing(text):
    lines = [line for line in text.splitlines()[1:] if "MISSING: " in line]
    assert all(line.split(":")[1].startswith(" null  #") for line in lines)
    return {line.split(":")[0].strip(" -") for line in lines}


def test_what_nobody_said_is_marked(release):
    bare = release.with_about(title="", publisher="", date="")
    assert missing(bare.to_registry()) == {
        *("url_slug", "name", "data_curator_name", "data_curator_type", "intended_use"),
        *("data_product_region", "data_product_sector", "publication_date", "justification"),
        *("sources", "registry_authors"),
    }


def test_people_groups_and_other_cells():
    people = geodp.Person("who", max_records=3, neighbours="replace")
    points = {"x": [], "y": [], "who": [], "kind": []}
    kinds = geodp.Categories("kind", ["a", "b"])
    for cells in ("adaptive", "regular", geodp.Regular(sizes=[2])):
        released = geodp.release(points, TOWN, epsilon=1, cells=cells, protect=people, by=kinds)
        entry = read(released.to_registry())
        assert entry["privacy_loss"]["privacy_unit"] == "Individual-level"
        description = entry["privacy_loss"]["privacy_unit_details"]
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
    preprocessing = entry["implementation"]["preprocessing_and_hyperparameter_tuning"]
    assert preprocessing.startswith(words)
    assert preprocessing.endswith("; from 2 × 2, 4 × 4.") == ("influence" in words)


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
