"""The plugin in another language: every text, every help page, and what QGIS loads is current."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest
from conftest import ROOT

PLUGIN = ROOT / "qgis_plugin" / "geodp_qgis"
LANGUAGES = sorted(path.stem.partition("_")[2] for path in (PLUGIN / "i18n").glob("*.ts"))
BLANKS = re.compile(r"\{.*?\}")
SPACE = "\N{NO-BREAK SPACE}"

OTHER_SENSES = {
    "A coordinate reference system is needed; choose a projected one for your region.",
    "Cells that are fine where records crowd follow the records: guess how many there are, and the "
    "error is foreseen.",
    "Choose the CRS of the grid, a projected one for your region.",
    "Fine where records crowd",
    "Guess how many records there are, and the whole error is foreseen.",
    "Ledger &name",
    "Most ε ever to be spent on it, when it is new",
    "Most ε for a layer whose data have no name in the ledger (0: do not record it)",
    "Says what a released raster promises, what it cost and how noisy it is.",
    "Verify, and show what it promises…",
    "What the histogram promises",
    "geodp cannot run in this QGIS, which lacks a part: {}",
    "how many records?",
}
"""Texts in which a word means something else (a part of the world, to write down, to work), is a
verb, or would be cut in its box.
"""


def words(text):
    """A text without the letters that are keys, and with simple spaces."""
    return " ".join(text.replace("&", "").split())


def pages(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}


@pytest.fixture(scope="module")
def translations():
    path = ROOT / "qgis_plugin" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_german_and_french_are_there():
    assert {"de", "fr"} <= set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_its_blanks(translations, language):
    translated_texts = translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts")
    assert set(translated_texts) == set(translations.texts()), "run qgis_plugin/translations.py"
    assert [text for text, translated in translated_texts.items() if not translated] == []
    for text, translated in translated_texts.items():
        assert BLANKS.findall(text) == BLANKS.findall(translated)
        assert text.count(",") == translated.count(",") or not text.startswith("privacy,")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_much_longer_than_its_text(translations, language):
    translated_texts = translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts")
    assert [
        text for text in translated_texts if len(translated_texts[text]) > 1.6 * len(text) + 15
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_and_dots_and_spaces_at_the_ends_are_kept(translations, language):
    for text, translated in translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts").items():
        assert text.count("&") == translated.count("&"), text
        assert re.findall(r"<.*?>", text) == re.findall(r"<.*?>", translated), text
        assert re.findall(r"\(\*.*?\)", text) == re.findall(r"\(\*.*?\)", translated), text
        for end in ("…", " "):
            assert text.startswith(end) == translated.startswith(end), text
            assert text.endswith(end) == translated.endswith(end), text
        assert text.endswith(".") == translated.endswith("."), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_qgis_loads_is_what_translators_wrote(qgis, translations, language):
    from qgis.PyQt.QtCore import QTranslator

    translator = QTranslator()
    assert translator.load(str(PLUGIN / "i18n" / f"geodp_{language}.qm"))
    for text, translated in translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts").items():
        assert translator.translate("geodp", text.encode()) == translated


@pytest.mark.parametrize("language", LANGUAGES)
def test_lrelease_makes_the_same(translations, language, tmp_path):
    if not shutil.which("lrelease"):
        pytest.skip("lrelease of Qt is not installed")
    path = PLUGIN / "i18n" / f"geodp_{language}.ts"
    translations.compiled(path, tmp_path / "made.qm")
    assert (tmp_path / "made.qm").read_bytes() == path.with_suffix(".qm").read_bytes()


@pytest.mark.parametrize(("given", "ends"), [("--help", 0), ("-h", 0), ("../es", 2), ("--es", 2)])
def test_what_is_no_language_begins_none(translations, capsys, given, ends):
    with pytest.raises(SystemExit) as left:
        translations.asked([given])
    assert left.value.code == ends
    printed = capsys.readouterr()
    assert "LANGUAGE" in printed.out + printed.err
    assert translations.asked([]) == []
    assert translations.asked(["es", "pt_BR"]) == ["es", "pt_BR"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_help_page_is_translated(language):
    ours, theirs = pages(PLUGIN / "help"), pages(PLUGIN / "help" / language)
    assert set(ours) == set(theirs)
    for name, text in ours.items():
        for tag in set(re.findall(r"</?\w+", text)) | set(re.findall(r"</?\w+", theirs[name])):
            assert text.count(tag) == theirs[name].count(tag), (name, tag)
        for kept in (r"<code>(.*?)</code>", r'(?:href|src)="(?:\.\./)*(.*?)"'):
            assert sorted(re.findall(kept, text)) == sorted(re.findall(kept, theirs[name])), name
        assert f'<html lang="{language}">' in theirs[name]
        assert len(theirs[name]) < 1.6 * len(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_pages_call_things_as_the_plugin_does(translations, language):
    translated_texts = translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts")
    names = {words(text): words(translated) for text, translated in translated_texts.items()}
    theirs = pages(PLUGIN / "help" / language)
    for page, text in pages(PLUGIN / "help").items():
        for tag in ("i", "title"):
            named = re.findall(rf"<{tag}>(.*?)</{tag}>", words(text))
            for name in set(named) & set(names):
                assert f"<{tag}>{names[name]}</{tag}>" in words(theirs[page]), (page, name)


def test_french_has_its_spaces_and_marks(translations):
    translated_texts = translations.read(PLUGIN / "i18n" / "geodp_fr.ts")
    texts = [*translated_texts.values(), *pages(PLUGIN / "help" / "fr").values()]
    assert sum(f"{SPACE}:" in text for text in texts) > 100
    for text in texts:
        # What is typed so, and what Qt, Python or a browser reads, is not French.
        text = re.sub(r"\w+=[\w, ;-]+=|\);;|<!DOCTYPE|EPSG:|\d\d:\d\d|\{.*?\}", "", text)
        assert re.findall(rf".*(?<!{SPACE})[:;?!»].*", text) == []
        assert re.findall(rf".*«(?!{SPACE}).*", text) == []
        assert re.findall(r".* %.*", text) == []
        assert re.findall(r".*\w'\w.*", text) == []


def without_umlauts(text):
    return text.lower().translate(str.maketrans("äöü", "aou"))


@pytest.mark.parametrize(("language", "place", "ending"), [("fr", 1, 1), ("de", 2, 2)])
def test_one_thing_has_one_word(translations, language, place, ending):
    """The table of words in the plugin's README holds wherever its words are."""
    readme = (ROOT / "qgis_plugin" / "README.md").read_text(encoding="utf-8")
    table = readme.split("| French | German |")[1]
    chosen = re.findall(r"^\| ([\w ]+) \| ([\w ]+) \| ([\w ]+) \|$", table, re.M)
    assert len(chosen) > 20
    known = translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts")
    for row in chosen:
        ours, theirs = row[0], row[place]
        asked = re.compile(rf"\b{ours}s?\b", re.I)
        here = {
            text: without_umlauts(words(known[text])) for text in known if asked.search(words(text))
        }
        assert here, ours
        stems = [word[: max(3, len(word) - ending)] for word in without_umlauts(theirs).split()]
        others = [text for text in here if not all(stem in here[text] for stem in stems)]
        assert set(others) <= OTHER_SENSES, (ours, theirs)


def test_the_plugin_speaks_german(german, histogram):
    from geodp_qgis.algorithms.private_histogram import PrivateHistogram
    from qgis.core import QgsProcessingException

    algorithm = PrivateHistogram()
    assert algorithm.displayName() == "Privates Histogramm"
    assert "<strong>Beispiel:</strong>" in algorithm.shortHelpString()
    algorithm.initAlgorithm()
    assert algorithm.parameterDefinition("INPUT").description() == "Punkte (privat)"
    text = histogram(SIZES="20, 40").text
    assert "Geschützt: jeder Datensatz des Layers." in text
    assert "ε für das Zählen: 0,9" in text
    with pytest.raises(QgsProcessingException, match="nicht beides"):
        histogram(SIZES="20", CELL_SIZES="50km")


def test_the_plugin_speaks_french(french, histogram):
    from geodp_qgis.algorithms.private_histogram import PrivateHistogram
    from qgis.core import QgsProcessingException

    algorithm = PrivateHistogram()
    assert algorithm.displayName() == "Histogramme privé"
    assert f"<strong>Exemple{SPACE}:</strong>" in algorithm.shortHelpString()
    algorithm.initAlgorithm()
    assert algorithm.parameterDefinition("INPUT").description() == "Points (privés)"
    text = histogram(SIZES="20, 40").text
    assert f"Protégé{SPACE}: chaque enregistrement de la couche." in text
    assert "ε pour le comptage" in text
    with pytest.raises(QgsProcessingException, match="pas les deux"):
        histogram(SIZES="20", CELL_SIZES="50km")


@pytest.mark.parametrize(
    ("language", "first", "more", "tip", "error"),
    [
        ("german", "unter ", " oder mehr", " Datensätze (in 19 von 20 Fällen ", "Standardfehler"),
        ("french", "moins de ", " ou plus", " enregistrements (19 fois sur 20, de ", "erreur type"),
    ],
)
def test_legends_and_map_tips_speak_as_qgis_does(
    request, project, language, first, more, tip, error
):
    """In the project; files are in English, and open elsewhere."""
    import processing
    from conftest import CRS, DISTRICTS, EXTENT, PLACES
    from qgis.core import QgsProcessingContext, QgsRasterLayer

    request.getfixturevalue(language)
    context = QgsProcessingContext()
    context.setProject(project)
    given = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "EPSILON": 1, "CELLS": 1}
    outputs = {"OUTPUT_RASTER": "TEMPORARY_OUTPUT", "OUTPUT_VECTOR": "TEMPORARY_OUTPUT"}
    processing.runAndLoadResults("geodp:privatehistogram", {**given, **outputs}, context=context)
    given = {"INPUT": PLACES, "DISTRICTS": DISTRICTS, "EPSILON": 1, "OUTPUT": "TEMPORARY_OUTPUT"}
    districts = processing.runAndLoadResults("geodp:privatedistricts", given, context=context)
    layers = list(project.mapLayers().values())
    assert len(layers) == 4
    assert error in [layer.name() for layer in layers]
    for layer in layers:
        style = layer.renderer()
        if isinstance(layer, QgsRasterLayer):
            classes = style.shader().rasterShaderFunction().colorRampItemList()
            labels = [class_.label for class_ in classes]
        else:
            labels = [each.label() for each in style.ranges()]
        assert labels[-1].endswith(more), labels
        assert not any(re.search(r"\b(below|to|or more|records)\b", label) for label in labels)
        assert layer.name() == error or labels[0].startswith(first), labels
    path = districts["OUTPUT"].partition("|")[0]
    (layer,) = (layer for layer in layers if layer.source().startswith(path))
    assert tip in layer.mapTipTemplate()
    text = Path(path).read_bytes()
    assert b"19 of 20 times from" in text
    assert b" or more" in text


def test_other_languages_get_english(qgis):
    from geodp_qgis.translation import help_page, load_translation

    assert load_translation() is None
    assert help_page("query.html").parent.name == "help"


def test_the_language_of_the_command_line_comes_first(qgis):
    """Of ``qgis --lang de`` the settings know nothing."""
    from geodp_qgis.translation import help_page, language

    assert language() != "de"
    qgis.setTranslation("de")
    try:
        assert language() == "de"
        assert help_page("query.html").parent.name == "de"
    finally:
        qgis.setTranslation("")


def test_what_is_protected_is_said_in_the_librarys_words(qgis):
    from geodp_qgis.algorithms.spending import unit_in_words
    from geodp_qgis.library import geodp

    units = [geodp.Record().unit, geodp.Record(neighbours="replace").unit]
    units += [geodp.Feature(most).unit for most in (1, 4)]
    units += [geodp.Person("who", most).unit for most in (1, 4)]
    assert list(map(unit_in_words, units)) == list(map(str, units))


def test_what_is_protected_is_said_in_german(german):
    from geodp_qgis.algorithms.spending import unit_in_words
    from geodp_qgis.library import geodp

    words = unit_in_words(geodp.Person("who", 4).unit)
    assert words == "eine Person, höchstens 4 Datensätze, nach dem Feld „who“"


def test_what_is_protected_is_said_in_french(french):
    from geodp_qgis.algorithms.spending import unit_in_words
    from geodp_qgis.library import geodp

    words = unit_in_words(geodp.Person("who", 4).unit)
    assert words == f"une personne, au plus 4 enregistrements, d’après le champ «{SPACE}who{SPACE}»"
