"""The plugin in another language: every text, every help page, and what QGIS loads is current."""

import importlib.util
import re
import shutil

import pytest
from conftest import ROOT

PLUGIN = ROOT / "qgis_plugin" / "geodp_qgis"
LANGUAGES = sorted(path.stem.partition("_")[2] for path in (PLUGIN / "i18n").glob("*.ts"))
BLANKS = re.compile(r"\{.*?\}")


@pytest.fixture(scope="module")
def translations():
    path = ROOT / "qgis_plugin" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_german_is_there():
    assert "de" in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_with_its_blanks(translations, language):
    found = translations.read(PLUGIN / "i18n" / f"geodp_{language}.ts")
    assert set(found) == set(translations.texts()), "run qgis_plugin/translations.py"
    assert [text for text, translated in found.items() if not translated] == []
    for text, translated in found.items():
        assert BLANKS.findall(text) == BLANKS.findall(translated)
        assert text.count(",") == translated.count(",") or not text.startswith("privacy,")


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_help_page_is_translated(language):
    def pages(folder):
        return {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}

    ours, theirs = pages(PLUGIN / "help"), pages(PLUGIN / "help" / language)
    assert set(ours) == set(theirs)
    for name, text in ours.items():
        for tag in ("<p>", "<strong>", "<code>", "<i>"):
            assert text.count(tag) == theirs[name].count(tag), (name, tag)
        assert f'<html lang="{language}">' in theirs[name]


def test_the_plugin_speaks_german(german, histogram):
    from geodp_qgis.algorithms.private_histogram import PrivateHistogram
    from qgis.core import QgsProcessingException

    made = PrivateHistogram()
    assert made.displayName() == "Privates Histogramm"
    assert "<strong>Beispiel:</strong>" in made.shortHelpString()
    made.initAlgorithm()
    assert made.parameterDefinition("INPUT").description() == "Punkte (privat)"
    text = histogram(SIZES="20, 40").text
    assert "Geschützt: jeder Datensatz des Layers." in text
    assert "ε für das Zählen: 0,9" in text
    with pytest.raises(QgsProcessingException, match="nicht beides"):
        histogram(SIZES="20", CELL_SIZES="50km")


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
    from geodp_qgis.library import protection

    units = [protection.Record().unit, protection.Record(neighbours="replace").unit]
    units += [protection.Feature(most).unit for most in (1, 4)]
    units += [protection.Person("who", most).unit for most in (1, 4)]
    assert list(map(unit_in_words, units)) == list(map(str, units))


def test_what_is_protected_is_said_in_german(german):
    from geodp_qgis.algorithms.spending import unit_in_words
    from geodp_qgis.library import protection

    words = unit_in_words(protection.Person("who", 4).unit)
    assert words == "eine Person, höchstens 4 Datensätze, nach dem Feld „who“"
