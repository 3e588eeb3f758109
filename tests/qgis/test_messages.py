"""Sentences of the library in German and French: refusals, lines of the log, and numbers."""

import ast
import json
import re

import pytest
import sentences
import translations
from changed import add_one
from conftest import ROOT

I18N = ROOT / "qgis_plugin" / "geodp_qgis" / "i18n"
LIBRARY = ROOT / "geodp" / "core" / "common" / "languages"
LANGUAGES = sorted(path.stem for path in LIBRARY.glob("*.json"))
BLANKS = re.compile(r"\{\d+\}")
NAMES = re.compile(r"`[^`]*`")


@pytest.fixture(scope="module")
def templates():
    return sentences.templates()


@pytest.fixture(scope="module")
def listed():
    return json.loads((I18N / "sentences.json").read_text(encoding="utf-8"))


@pytest.fixture
def said(german):
    from geodp_qgis.algorithms.base import WORDS
    from geodp_qgis.messages import said

    return lambda text: said(text, WORDS)


def test_german_and_french_are_there():
    assert LANGUAGES == ["de", "fr"]


# --- the catalogue --------------------------------------------------------------------------


def test_the_templates_are_those_of_the_core(templates):
    kept = (I18N / "sentences.json").read_text(encoding="utf-8")
    assert kept == translations.listed(templates), "run qgis_plugin/translations.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_core_is_translated(templates, language):
    translated_texts = translations.read_library(LIBRARY / f"{language}.json")
    assert set(translated_texts) == set(translations.library_texts(templates)), (
        "run qgis_plugin/translations.py"
    )
    assert [text for text, translated in translated_texts.items() if not translated] == []
    for text, translated in translated_texts.items():
        assert sorted(BLANKS.findall(text)) == sorted(BLANKS.findall(translated)), text
        assert sorted(NAMES.findall(text)) == sorted(NAMES.findall(translated)), text
        assert text.endswith(".") == translated.endswith("."), text
        assert text.startswith(" ") == translated.startswith(" "), text
        assert len(translated) <= max(1.6 * len(text), len(text) + 25), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_both_catalogues_has_one_translation(language):
    """The plugin and the core share some texts; *counting* is a step here, and a purpose there."""
    plugin = translations.read(I18N / f"geodp_{language}.ts")
    library = translations.read_library(LIBRARY / f"{language}.json")
    both = set(plugin) & set(library)
    assert "Regions" in both
    assert {text for text in both if plugin[text] != library[text]} == {"counting"}


def test_the_dialogs_labels_are_called_as_in_the_dialog(qgis):
    """In messages stand labels, or what they begin with, in the words that the dialog has."""
    plugin = translations.read(I18N / "geodp_de.ts")
    library = translations.read_library(LIBRARY / "de.json")
    from geodp_qgis.algorithms.base import WORDS

    for label in WORDS.values():
        ours, theirs = label.strip("'").lower(), library[label].strip("„“").lower()
        fitting = [text for text in plugin if ours in text.lower()]
        assert any(theirs in plugin[text].lower() for text in fitting), label


# --- every raise ----------------------------------------------------------------------------


def test_every_error_of_the_core_is_read(templates):
    """No error is made of something that the collector cannot follow to its words."""
    unread = []
    for path in sorted(sentences.CORE.rglob("*.py")):
        home = sentences.module(path.relative_to(sentences.CORE).as_posix())
        for node in ast.walk(home.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in sentences.ERRORS:
                patterns = sentences.Reader(home).patterns(node.args[0])
                texts = {sentences.template(pattern)[0] for pattern in patterns}
                unread += [(path.name, node.lineno)] if texts - set(templates) else []
    assert unread == []


def test_every_sentence_has_words_of_its_own(listed):
    """Else it would be taken for others."""
    assert len(listed) > 300
    for text, choices in listed:
        letters = re.findall(r"[^\W\d_]", BLANKS.sub("", text))
        assert len(letters) > 8 or len(choices) == len(BLANKS.findall(text)), text


SAMPLES = ("7", "'a name'", "/folder/file.gpkg")


def filled(text, choices, sample):
    """A sentence that a template can make: with the last of its words, or a sample."""

    def put(blank):
        if inner := choices.get(blank[0][1:-1]):
            return filled(*inner[-1 if sample == SAMPLES[0] else 0], sample)
        return sample

    return BLANKS.sub(put, text)


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sentence_is_translated_by_its_own_template(german, listed, sample):
    from geodp_qgis.messages import Catalogue, Template, spoken

    catalogue = Catalogue(spoken())
    for text, choices in listed:
        sentence = filled(text, choices, sample)
        translation = catalogue.said(sentence, {})
        match = Template(text, choices).find(sentence)
        assert translation == catalogue.filled(match, {}), sentence
        assert translation != sentence
        assert translation.count(sample) == sentence.count(sample), translation


# --- real refusals --------------------------------------------------------------------------

REFUSED = (
    # parameters, the message
    ({"CRS": "EPSG:4326"}, "Das Gitter braucht ein projiziertes KBS, damit Zellen gleiche Flächen"),
    ({"EPSILON": 0}, "Epsilon muss größer als 0 sein; angegeben ist 0,0."),
    ({"EPSILON": -1.5}, "Epsilon muss größer als 0 sein; angegeben ist -1,5."),
    (
        {"EPSILON": 11.5, "GO_ON": False},
        "Epsilon über 10 verspricht so gut wie nichts; angegeben ist 11,5: Wählen Sie ein "
        "kleineres, oder sagen Sie mit „Fortfahren, wo Eingaben nach einem Versehen aussehen“, "
        "dass es so gemeint ist.",
    ),
    (
        {"EXTENT": "0,60,5,40 [EPSG:3857]", "CRS": "EPSG:3857"},
        "Die Ausdehnung muss in Einheiten des KBS angegeben sein; (0.0, 5.0, 60.0, 40.0) sehen "
        "wie Grad aus, und EPSG:3857 ist projiziert",
    ),
    ({"SIZES": "1000", "EPSILON": 0.001}, "bräuchten bei diesem Epsilon insgesamt etwa 3."),
    ({"TUNING_SHARE": 1}, "Ein Anteil muss zwischen 0 und 1 liegen, beide ausgeschlossen; "),
    ({"SIZES": "a few"}, "angegeben ist 'a few'."),
    ({"SIZES": "5km"}, "angegeben ist '5km': Längen sind Zellgrößen."),
    ({"SIZES": "0"}, "Ein Gitter braucht mindestens eine Zeile und eine Spalte; angegeben ist"),
    ({"SIZES": "5, 5"}, "Mögliche Gitter müssen verschieden sein; (5, 5) teilt das Rechteck"),
    ({"CELL_SIZES": "wide"}, "etwa 500, 1000, oder Längen wie 500m, 5km, 1000ft, 0.5mi; "),
    ({"CELL_SIZES": "-1"}, "Eine Zellgröße muss größer als 0 und höchstens die kürzere Seite"),
    ({"CELL_SIZES": "0.001"}, "Ein Gitter darf höchstens 67.108.864 Zellen haben und "),
    ({"CAP": 0}, "Epsilon muss größer als 0 sein"),
)


@pytest.mark.parametrize(("change", "words"), REFUSED)
def test_refusals_of_the_library_are_german(german, histogram, tmp_path, change, words):
    from qgis.core import QgsProcessingException

    with pytest.raises(QgsProcessingException) as raised:
        histogram(OUTPUT_RASTER=str(tmp_path / "counts.tif"), **change)
    assert words in str(raised.value)
    assert "must" not in str(raised.value)
    assert "got" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_was_edited_is_refused_in_german(german, histogram, run, tmp_path):
    from qgis.core import QgsProcessingException

    path = tmp_path / "counts.tif"
    histogram(SIZES="4", OUTPUT_RASTER=str(path))
    add_one(path)
    with pytest.raises(QgsProcessingException, match="Prüfsumme passt nicht zu ihrem Inhalt"):
        run("about", INPUT=str(path), OUTPUT_HTML="TEMPORARY_OUTPUT")


def refusals(geodp, library, folder):
    """Calls of the library that are refused, with what is said of them in German."""
    from geodp_qgis.vendor.geodp.core.common.atomic import known_suffix

    domain = geodp.Domain((0, 0, 4000, 3000), geodp.Crs("EPSG:5070"))
    small = geodp.Domain((500000, 500000, 500050.5, 500050.5), geodp.Crs("EPSG:5070"))
    release = geodp.release(
        ([], []), domain, epsilon=1, cells=library.geodp.Regular(sizes=[4]), seed=1
    )
    odd = folder / "%1 {1} (a+b)* `force=True`\n; got {2}."
    ledger = geodp.Ledger(folder / "ledger.sqlite")
    ledger.register("1.5", 2)
    person, record = library.geodp.Person("who", 3).unit, library.geodp.Record().unit
    ledger["1.5"].spend(1.5, person, "a map")
    outside = library.geodp.Regular(workload=[(8000, 8000, 9000, 9000)])
    bow = library.np.array([[0.0, 0.0], [9.0, 9.0], [9.0, 0.0], [0.0, 4.0]])
    places = library.geodp.DistrictMap
    return (
        (
            lambda: library.geodp.check_target(odd / "counts.tif", overwrite=False),
            f"Eine Ausgabe kommt in einen Ordner, den es gibt; es gibt kein {odd}: Legen Sie ihn "
            "erst an (mkdir -p), oder wählen Sie einen anderen.",
        ),
        (
            lambda: known_suffix(folder / "a\nb.doc", (".tif", ".gpkg")),
            "Der Name einer Ausgabe sagt ihr Format durch eines von .tif .gpkg; "
            "angegeben ist 'a\\nb.doc'.",
        ),
        (
            lambda: ledger.register("1.5", 3),
            "Ein Datenbestand wird einmal eingetragen und behält seine Obergrenze; '1.5' ist "
            "schon da.",
        ),
        (
            lambda: ledger["1.5"].spend(1, record, "another"),
            "Ein Konto zählt ε für eine einzige Einheit zusammen, die seine erste Ausgabe "
            "festlegt; die von '1.5' ist: eine Person, höchstens 3 Datensätze, nach dem Feld "
            "'who', und die dieser wäre: ein Datensatz; veröffentlichen Sie für dieselbe Einheit, "
            "oder tragen Sie ein Konto für die andere ein.",
        ),
        (
            lambda: ledger["1.5"].spend(1, person, "another"),
            "Veröffentlichungen von '1.5' dürfen insgesamt 2 ausgeben; 1,5 ist ausgegeben, und 1 "
            "mehr würde die Obergrenze überschreiten: Nehmen Sie höchstens 0,5.",
        ),
        (
            lambda: geodp.release(([], []), domain, epsilon=1, seed=1, cells=outside),
            "Jedes Gebiet muss das Rechteck überdecken; Gebiet 0 liegt außerhalb von "
            "(0.0, 0.0, 4000.0, 3000.0): Entfernen Sie es, oder erweitern Sie das Rechteck.",
        ),
        (
            lambda: release.query([(0, 0, 900, 900)], level=1.25),
            "Das Niveau muss zwischen 0 und 1 liegen, beide ausgeschlossen; angegeben ist 1,25.",
        ),
        (
            lambda: geodp.candidate_grids(domain, [5], cell_sizes=[1000.0]),
            "Mögliche Gitter kommen aus „Mögliche Größen“ oder aus „Größen der Zellen“; angegeben "
            "ist beides: Wählen Sie eines.",
        ),
        (
            lambda: geodp.candidate_grids(domain, cell_sizes=[5000.5]),
            "Eine Zellgröße muss größer als 0 und höchstens die kürzere Seite des Rechtecks sein, "
            "3000; angegeben ist 5000,5.",
        ),
        (
            lambda: library.geodp.Adaptive(resolution=-1.5),
            "„Kleinste sinnvolle Zellen“ muss eine positive Zahl sein; angegeben ist -1,5.",
        ),
        (
            lambda: library.geodp.Person("who", 0),
            "„Höchstzahl gezählter Datensätze je Person“ muss eine ganze Zahl ab 1 sein; "
            "angegeben ist 0.",
        ),
        (
            lambda: library.geodp.check_domain(small),
            "Ein Rechteck sollte mindestens 100 m breit und hoch sein; dieses ist 50,5 × 50,5 m: "
            "Prüfen Sie die Ausdehnung und die Einheiten von EPSG:5070, oder sagen Sie mit "
            "„Fortfahren, wo Eingaben nach einem Versehen aussehen“, dass es so gemeint ist.",
        ),
        (
            lambda: library.geodp.parse_cell_sizes("5km", geodp.Crs("EPSG:4326", geographic=True)),
            "Eine Länge in km braucht ein projiziertes KBS; EPSG:4326 ist geographisch (Grad): "
            "Wählen Sie ein projiziertes, oder geben Sie Zellgrößen in Grad an, ohne Einheit.",
        ),
        (
            lambda: places.from_rings([(0, False, bow)], ["1.5"]),
            "Jeder Bezirk muss ein gültiges Polygon sein; Bezirk '1.5' schneidet sich selbst: "
            "Reparieren Sie ihn mit „Geometrien reparieren“.",
        ),
    )


def test_what_the_library_refuses_is_said_in_german(german, tmp_path):
    from geodp_qgis import library
    from geodp_qgis.algorithms.base import sentence

    for call, words in refusals(library.geodp, library, tmp_path):
        with pytest.raises(library.geodp.GeodpError) as raised:
            call()
        assert sentence(raised.value) == words


# --- what is put in -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "%1",
        "{1}",
        "{2} %2",
        r"\1 \g<1> (?P<a>.*) [x]* $^",
        "two\nlines",
        "`force=True`",
        "`cells`",
        "",
        " ",
        "; got '7'.",
        "1.4.2",
        "v1.4",
        "EPSG:25832",
        "2024.01.02",
        "1,23",
        "a 1.4 b",
        "/data/1.4/2,000.gpkg",
        "none",
        "records",
        "ε 😀 \u202e",
    ],
)
def test_values_are_put_in_as_they_are(said, value):
    sentence = said(f"an output must be a file; {value} is a folder.")
    assert sentence == f"Eine Ausgabe muss eine Datei sein; {value} ist ein Ordner."


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1.4", "1,4"),
        ("-1.4", "-1,4"),
        ("1,234", "1.234"),
        ("1,234,567.5", "1.234.567,5"),
        ("1.5e-05", "1,5e-05"),
        ("12", "12"),
        ("3.5 %", "3,5 %"),
        ("1.33 × 1.5 km", "1,33 × 1,5 km"),
        ("'1.4'", "'1.4'"),
        ("(1.4, 2.5)", "(1.4, 2.5)"),
    ],
)
def test_numbers_have_the_signs_of_the_language(said, value, written):
    assert said(f"epsilon must be greater than 0; got {value}.").endswith(f"ist {written}.")


def test_swiss_numbers_are_not_german_ones(german):
    from geodp_qgis.messages import local, number
    from qgis.core import QgsSettings

    assert local("1,234.5") == f"{number(1234.5):,.1f}" == "1.234,5"
    QgsSettings().setValue("locale/userLocale", "de_CH")
    assert local("1,234.5") == "1’234.5"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no such sentence",
        "Die Ausdehnung muss ein Rechteck sein; dieses fehlt oder hat keine Fläche.",
        "epsilon must be greater than 0; got 1. And more",
        "not epsilon must be greater than 0; got 1.",
        "x" * 100_000,
        "a share; got " * 2_000,
        "releases of  may spend  in all;  is spent and  more " * 50 + "would pass the cap: use!",
    ],
)
def test_other_sentences_stay_as_they_are(said, text):
    assert said(text) == text


def test_without_a_catalogue_the_library_speaks_english(qgis):
    from geodp_qgis.algorithms.base import WORDS
    from geodp_qgis.messages import number, said, shown

    text = "epsilon above 10 promises much; got 1.5, or say with `force=True` that it is meant."
    words = "say with 'Go on where inputs look like a mistake' that"
    assert words in said(text, WORDS)
    assert "got 1.5" in said(text, WORDS)
    assert shown("0.9 (discrete Laplace noise)") == "0.9 (discrete Laplace noise)"
    assert f"{number(1234.5):,g}" == "1,234.5"


# --- the log --------------------------------------------------------------------------------


def test_the_log_is_german(german, histogram):
    text = histogram(SIZES="20, 40", SEED="").text
    assert "ε für das Zählen: 0,9 (diskretes Laplace-Rauschen)." in text
    assert "Rauschen: diskretes Laplace-Rauschen der Skala 1,11" in text
    assert (
        "Differenziell privat mit Epsilon = 1: Ob ein Datensatz hinzukommt oder wegfällt, " in text
    )
    assert "Geschützt sind Datensätze, nicht Personen: " in text
    assert "Zählt jeden Datensatz in der Ausdehnung." in text
    assert re.search(r"Gewählte Zellen: \d+ Zeilen × \d+ Spalten, [\d,.]+ × [\d,.]+ km\.", text)
    for word in ("noise", "records", "Counts", " of ", " the "):
        assert word not in text


def units(protection):
    yield protection.Record().unit
    yield protection.Record(neighbours="replace").unit
    for most in (1, 4):
        yield protection.Feature(most).unit
        yield protection.Person("who", most).unit
    yield protection.Person("who").unit


def test_what_a_release_says_of_itself_is_german(german):
    """Whatever it protects and counts: no English word is left."""
    from geodp_qgis import library
    from geodp_qgis.messages import said, shown

    geodp, np = library.geodp, library.np
    domain = geodp.Domain((0, 0, 4000, 3000), geodp.Crs("EPSG:5070"))
    points = {"x": np.array([1.0]), "y": np.array([2.0]), "who": np.array(["a"])}
    person, one = library.geodp.Person, library.geodp.Regular(sizes=[4])
    protected = [
        (library.geodp.Record(), ("regular", "adaptive")),
        (person("who", 4), ("regular", "adaptive")),
        (person("who", 1), ("regular", "adaptive")),
        (person("who"), ("regular", "adaptive")),
        (person("who", place="most frequent"), (one,)),
        (person("who", visits=3), (one,)),
    ]
    for protect, layers in protected:
        for cells in layers:
            release = geodp.release(points, domain, epsilon=0.5, protect=protect, cells=cells)
            lines = [release.promise, release.counted]
            lines += str(library.geodp.verify(release)).splitlines()
            for line in lines:
                assert not re.search(r"\b(the|and|of|every|with|most|one)\b", said(line)), line
            assert "Epsilon = 0,5" in said(release.promise)
            for fact in release.describe().about("cost", "noise", "promise", "choice"):
                text = shown(fact.text).replace("Permute-and-flip", "")
                assert not re.search(r"\b(the|and|of|with|every|most)\b", text), fact
    for unit in units(library.geodp):
        text = said(f"Promised: ε = 1 for {unit}.")
        assert not re.search(r"\b(one|by|most|records?|points?)\b", text), text


def test_refusals_and_the_log_are_french(french, histogram, tmp_path):
    from qgis.core import QgsProcessingException

    for change, words in (
        ({"EPSILON": -1.5}, "Epsilon doit être supérieur à 0\u00a0; reçu\u00a0: -1,5."),
        ({"CRS": "EPSG:4326"}, "L’emprise nécessite un SCR projeté, pour que les cellules aient"),
        ({"SIZES": "5km"}, "les longueurs sont des tailles de cellules."),
        (
            {"EPSILON": 11.5, "GO_ON": False},
            "choisissez-en un plus petit, ou dites avec «\u00a0Continuer là où les entrées "
            "ressemblent à une erreur\u00a0» que c’est voulu.",
        ),
    ):
        with pytest.raises(QgsProcessingException) as raised:
            histogram(OUTPUT_RASTER=str(tmp_path / "counts.tif"), **change)
        assert words in str(raised.value)
    text = histogram(SIZES="20, 40", SEED="").text
    assert "ε pour le comptage\u00a0: 0,9 (bruit de Laplace discret)." in text
    assert "Compte chaque enregistrement dans l’emprise." in text
    assert "Elle protège les enregistrements, pas les personnes\u00a0: " in text
    for word in ("noise", "records", "Counts", " of ", " the "):
        assert word not in text


def test_french_labels_are_called_as_in_the_dialog(qgis):
    plugin = translations.read(I18N / "geodp_fr.ts")
    library = translations.read_library(LIBRARY / "fr.json")
    from geodp_qgis.algorithms.base import WORDS

    for label in WORDS.values():
        theirs = library[label].strip("«»\u00a0").lower()
        assert any(theirs in text.lower() for text in plugin.values()), label


def test_views_and_forecasts_are_german(german):
    from geodp_qgis import library
    from geodp_qgis.messages import said

    geodp = library.geodp
    domain = geodp.Domain((0, 0, 4000, 3000), geodp.Crs("EPSG:5070"))
    lines = [view.done for view in library.geodp.VIEWS.values() if view.done]
    for cells in ("adaptive", "regular"):
        for expected in (None, 2000):
            forecast = library.geodp.forecast(domain, cells=cells, epsilons=[1], expected=expected)
            lines += forecast.as_text().splitlines()[1 + len(forecast.outlooks) :]
    assert len(lines) > 7
    for line in lines:
        assert not re.search(r"\b(the|and|of|with|records|would)\b", said(line)), line
