"""The ledger: recorded before the noise is drawn, refused past the cap, exact."""

from fractions import Fraction

import pytest
from conftest import DISTRICTS, PLACES


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def recorded(histogram, path):
    """*Private histogram* with a ledger."""

    def go(cancel_at=None, **changes):
        given = {"SIZES": "4", "DATASET": "towns", "LEDGER": str(path)}
        return histogram(cancel_at=cancel_at, **{**given, **changes})

    return go


def account(path, name="towns"):
    from geodp_qgis.library import geodp

    return geodp.Ledger(path)[name]


def register(path, cap, name="towns"):
    from geodp_qgis.library import geodp

    geodp.Ledger(path).register(name, cap)


def refused(run, **parameters):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        run(**parameters)
    return str(raised.value)


def test_runs_add_up_exactly_until_the_cap(recorded, path, tmp_path):
    first = recorded(EPSILON=0.1, CAP=0.3)
    assert "Ledger: ε = 0.1 of 0.3 is spent on 'towns', 0.2 is left." in first.text
    recorded(EPSILON=0.1)
    assert account(path).spent == Fraction(1, 5)
    recorded(EPSILON=0.1, CAP=0.3)  # the cap once more, as the dialog keeps it, is no mistake
    assert account(path).left == 0
    target = tmp_path / "counts.tif"
    message = refused(recorded, EPSILON=0.0001, OUTPUT_RASTER=str(target))
    assert "would pass the cap of 'towns': 0 is left" in message
    assert not target.exists()
    assert account(path).spent == Fraction(3, 10)


def test_a_ledger_of_the_library_is_the_same_ledger(recorded, library, path):
    script = "import sys, geodp; geodp.Ledger(sys.argv[1]).register('towns', '1/3')"
    library(script, path)
    assert "0.0833333 is left" in recorded(EPSILON=0.25).text
    script = "import sys, geodp; print(geodp.Ledger(sys.argv[1])['towns'].left)"
    assert library(script, path) == "1/12\n"


@pytest.fixture
def profile(qgis, tmp_path, monkeypatch):
    """An empty place for the ledger of the profile."""
    from geodp_qgis.algorithms.accounts import usual_ledger
    from qgis.core import QgsApplication

    monkeypatch.setattr(QgsApplication, "qgisSettingsDirPath", lambda: str(tmp_path))
    return usual_ledger()


def test_by_default_the_ledger_lies_in_the_profile(recorded, profile):
    assert profile.name == "geodp-ledger.sqlite"
    recorded(LEDGER=None, DATASET="in the profile", CAP=2)
    assert account(profile, "in the profile").left == 1


def test_every_layer_has_an_account(histogram, profile, settings, project):
    """By where its records are, whatever it is called and whatever is left out of it."""
    from qgis.core import QgsProcessingFeatureSourceDefinition, QgsVectorLayer

    settings(CAP=10)
    name = PLACES.partition("|")[0]
    first = histogram(SIZES="4", EPSILON=0.5)
    assert f"Ledger: ε = 0.5 of 10 is spent on '{name}', 9.5 is left." in first.text
    assert "was spent before" not in first.text
    layer = QgsVectorLayer(PLACES, "another name", "ogr")
    layer.setSubsetString("\"state\" = 'TX'")
    project.addMapLayer(layer)
    again = histogram(SIZES="4", EPSILON=0.25, INPUT=layer)
    assert f"On '{name}', ε = 0.5 was spent before, the last time on 20" in again.text
    assert "adds 0.25: 0.75 of 10 in all" in again.text
    layer.selectAll()
    histogram(SIZES="4", INPUT=QgsProcessingFeatureSourceDefinition(layer.id(), True))
    assert account(profile, name).spent == Fraction(7, 4)
    message = refused(histogram, SIZES="4", EPSILON=9)
    assert "would pass the cap" in message
    assert "give these data a name and a cap under Advanced" in message


def test_people_and_records_have_accounts_apart(histogram, profile):
    histogram(SIZES="4")
    histogram(SIZES="4", PERSON="state", MAX_RECORDS=2)
    from geodp_qgis.library import geodp

    name = PLACES.partition("|")[0]
    person = f"{name}, one person, at most 2 records, by the field 'state'"
    assert list(geodp.Ledger(profile)) == [name, person]


def test_the_settings_have_path_and_cap(histogram, profile, settings, tmp_path):
    from processing.core.ProcessingConfig import ProcessingConfig

    elsewhere = tmp_path / "team.sqlite"
    settings(LEDGER=str(elsewhere), CAP=3)
    histogram(SIZES="4")
    assert not profile.exists()
    assert account(elsewhere, PLACES.partition("|")[0]).cap == 3
    assert set(ProcessingConfig.getSettings()["geodp"]) == {
        ProcessingConfig.settings[name] for name in ("GEODP_LEDGER", "GEODP_CAP")
    }
    with pytest.raises(ValueError, match="folder of the ledger"):
        ProcessingConfig.settings["GEODP_LEDGER"].setValue("/nowhere/ledger.sqlite")


@pytest.mark.parametrize("change", [{"cap": 0}, {"SEED": 7}])
def test_without_a_cap_or_with_a_seed_nothing_is_recorded(histogram, profile, settings, change):
    settings(CAP=change.pop("cap", 10))
    assert "Ledger" not in histogram(SIZES="4", **change).text
    assert not profile.exists()


def test_a_name_of_the_dock_is_that_of_the_layer(histogram, profile, project):
    from geodp_qgis.algorithms.accounts import PROPERTY
    from qgis.core import QgsVectorLayer

    layer = QgsVectorLayer(PLACES, "places", "ogr")
    project.addMapLayer(layer)
    layer.setCustomProperty(PROPERTY, "towns")
    histogram(SIZES="4", INPUT=layer)
    assert account(profile).spent == 1


def test_where_records_are_has_no_password(qgis):
    from geodp_qgis.algorithms.accounts import stored_at
    from qgis.core import QgsVectorLayer

    source = "dbname='town' host=server user='me' password='secret' table=\"public\".\"calls\" (g)"
    layer = QgsVectorLayer(source, "calls", "postgres")
    assert stored_at(layer) == "server/town/public/calls"


def test_what_for_names_title_source_and_outputs(recorded, path, tmp_path):
    recorded(CAP=1, TITLE="Towns", OUTPUT_RASTER=str(tmp_path / "counts.tif"))
    (entry,) = account(path).entries()
    words = ": 'Towns', from us_places.gpkg, to counts.tif"
    assert entry.what == f"geodp release of 1 candidate grid{words}"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "The ledger has no data named 'towns'"),
        ({"CAP": 0.5}, "ε = 1 would pass the cap of 'towns': 0.5 is left"),
        ({"CAP": 0}, "epsilon must be greater than 0"),
        ({"DATASET": "", "CAP": 0.5}, "would pass the cap of"),
        ({"CAP": 2, "LEDGER": "/nowhere/ledger.sqlite"}, "folder of the ledger must exist"),
    ],
)
def test_what_cannot_be_recorded_is_refused_before_points_are_read(
    recorded, histogram, tmp_path, change, words
):
    message = refused(recorded, OUTPUT_RASTER=str(tmp_path / "counts.tif"), **change)
    assert words in message
    assert list(tmp_path.iterdir()) == []
    assert "counting" not in histogram.run.last.text


def test_a_cap_is_never_changed(recorded, path):
    register(path, 1)
    assert "that of 'towns' is 1" in refused(recorded, EPSILON=0.5, CAP=2)
    assert account(path).cap == 1
    assert account(path).spent == 0


def test_a_file_that_is_no_ledger_is_refused_and_left_alone(recorded, path):
    path.write_bytes(b"something else")
    assert "not a geodp ledger" in refused(recorded, CAP=1)
    assert path.read_bytes() == b"something else"


@pytest.mark.parametrize(
    "stage", ["start", "reading the regions", "counting", "recording the spend"]
)
def test_a_run_cancelled_before_the_noise_spends_nothing(recorded, path, tmp_path, stage):
    register(path, 1)
    target = tmp_path / "counts.tif"
    given = {"REGIONS": DISTRICTS, "SIZES": "4, 5", "OUTPUT_RASTER": str(target)}
    message = refused(recorded, cancel_at=stage, **given)
    assert "no budget is spent" in message
    assert account(path).spent == 0
    assert not target.exists()


def test_a_cancelled_first_run_does_not_even_make_the_ledger(recorded, path):
    refused(recorded, cancel_at="recording the spend", CAP=1)
    assert not path.exists()


@pytest.mark.parametrize("stage", ["choosing the grid", "adding noise", "writing"])
def test_once_recorded_a_spend_stays_and_is_told(recorded, histogram, path, tmp_path, stage):
    target = tmp_path / "counts.tif"
    given = {"SIZES": "4, 5", "CAP": 3, "OUTPUT_RASTER": str(target)}
    message = refused(recorded, cancel_at=stage, **given)
    assert "recorded before and stays" in message
    assert "ε = 1 of 3 is spent on 'towns'" in histogram.run.last.text
    assert account(path).spent == 1
    assert not target.exists()


def test_a_run_that_fails_after_all_says_what_is_spent(recorded, histogram, tmp_path, monkeypatch):
    from geodp_qgis.algorithms import private_histogram

    def fail(*_):
        raise OSError(28, "No space left on device", "cells.gpkg")

    monkeypatch.setattr(private_histogram, "keep_release", fail)
    recorded(CAP=2, OUTPUT_VECTOR=str(tmp_path / "cells.gpkg"))
    assert "There is no layer of cells: " in histogram.run.last.text
    assert "ε = 1 of 2 is spent on 'towns', 1 is left" in histogram.run.last.text


def test_a_place_that_takes_no_file_costs_nothing(recorded, histogram, path):
    message = refused(recorded, CAP=1, OUTPUT_RASTER="/proc/counts.tif")
    assert "cannot be written" in message
    assert not path.exists()
    assert "counting" not in histogram.run.last.text


def test_two_at_once_cannot_overspend(recorded, histogram, path, tmp_path, monkeypatch):
    """Somebody else spends after the early look: the ledger itself has the last word."""
    from geodp_qgis.algorithms import spending
    from geodp_qgis.library import geodp

    register(path, 1)
    geodp.Ledger(path)["towns"].spend("0.75", geodp.Unit("record"), "elsewhere")
    monkeypatch.setattr(spending.Book, "check", lambda *_: None)
    target = tmp_path / "counts.tif"
    assert "more would pass the cap" in refused(recorded, OUTPUT_RASTER=str(target))
    assert "recording the spend" in histogram.run.last.text
    assert account(path).spent == Fraction(3, 4)
    assert not target.exists()


def test_many_spends_are_told_as_epsilon_and_delta(run, path, tmp_path):
    """The plain sum stays, and beside it stands what it is worth: docs/privacy.md, claim 10."""
    register(path, 40)
    from geodp_qgis.library import geodp

    towns = account(path)
    for _ in range(60):
        towns.spend("0.1", geodp.Unit("record"), "a map a day")
    page = tmp_path / "ledger.html"
    run("ledger", LEDGER=str(path), OUTPUT_HTML=str(page))
    together = float(towns.composed())
    assert 3.5 < together < 4.2
    words = "ε = 6 of 40 is spent, 34 is left. Protected: one record. Together the spends are"
    assert f"{words} ({together:g}, 10⁻⁶)-differentially private" in page.read_text("utf-8")


def test_the_page_shows_every_account(recorded, run, path, tmp_path):
    recorded(EPSILON=0.25, CAP=1)
    register(path, 2, "<b>others</b>")
    from geodp_qgis.library import geodp

    unit = geodp.Unit("person", 5)
    account(path, "<b>others</b>").spend("0.5", unit, "map of May", note="<b>may.tif")
    page = tmp_path / "ledger.html"
    done = run("ledger", LEDGER=str(path), OUTPUT_HTML=str(page))
    text = page.read_text(encoding="utf-8")
    words = "ε = 0.25 of 1 is spent, 0.75 is left. Protected: one record."
    assert f"<h2>towns</h2>\n<p>{words}</p>" in text
    words = "geodp release of 1 candidate grid: from us_places.gpkg, to a temporary layer"
    cells = ("0.25", "one record", words, "&lt;b&gt;may.tif")
    assert "".join(f"<td align='left'>{cell}</td>" for cell in cells[:3]) in text
    assert "".join(f"<td align='left'>{cell}</td>" for cell in cells[2:]) not in text
    assert f"<td align='left'>{cells[3]}</td>" in text
    assert "&lt;b&gt;others" in text
    assert "<b>" not in text
    assert done.results["DATASETS"] == 2
    assert "towns: ε = 0.25 of 1 is spent" in done.text


def test_the_page_of_no_ledger_is_refused(run, path, tmp_path):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException, match="There is no ledger"):
        run("ledger", LEDGER=str(path), OUTPUT_HTML=str(tmp_path / "page.html"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (None, "one person, at most 5 records"),
        ("user", "one person, at most 5 records, by the field 'user'"),
    ],
)
def test_another_unit_is_refused_before_points_are_read(
    field, words, recorded, histogram, path, tmp_path
):
    from geodp_qgis.library import geodp

    register(path, 3)
    account(path).spend(1, geodp.Unit("person", 5, field=field), "elsewhere")
    target = tmp_path / "counts.tif"
    message = refused(recorded, OUTPUT_RASTER=str(target))
    assert f"is counted for {words}; this run would spend it for one record" in message
    assert "counting" not in histogram.run.last.text
    assert account(path).spent == 1
    assert not target.exists()


def test_the_first_run_sets_what_is_protected(recorded, path):
    from geodp_qgis.library import geodp

    recorded(CAP=3, EPSILON=0.5)
    assert account(path).unit == geodp.Unit("record")
    with pytest.raises(geodp.InputError, match="one unit"):
        account(path).spend(1, geodp.Unit("person", 5), "elsewhere")


def test_a_book_is_an_account_to_the_library(qgis, path):
    from geodp_qgis.algorithms.people import chosen_protection
    from geodp_qgis.algorithms.spending import Book
    from geodp_qgis.library import geodp

    book = Book(path, "towns", geodp.Budget(1))
    book.check("0.5", chosen_protection("who", 5).unit)
    assert not path.exists()  # looking makes no ledger
    book.spend("0.5", chosen_protection("who", 5).unit, "map of May", "may.tif")
    assert book.recorded
    (entry,) = account(path).entries()
    assert (entry.unit, entry.note) == (geodp.Unit("person", 5, field="who"), "may.tif")
    for unit in (
        chosen_protection(None, None).unit,
        chosen_protection(None, 5).unit,
        chosen_protection("who", 4).unit,
        chosen_protection("device", 5).unit,
    ):
        with pytest.raises(geodp.InputError, match="cannot be added"):
            book.check("0.1", unit)
        with pytest.raises(geodp.InputError, match="one unit"):
            book.spend("0.1", unit, "")
    assert account(path).spent == Fraction(1, 2)
