"""Phrases and catalogues: what is translated, what stays, and that nothing is missing."""

import importlib.util
import json
import pickle
import re
import sys
from pathlib import Path

import pytest

import geodp
from geodp.core.common.language import CATALOGUES, ENGLISH, language_by_code, languages
from geodp.core.common.phrases import Number, Phrase, capital, joined, recognised, uncapital

ROOT = Path(__file__).resolve().parents[2]
CODES = languages()[1:]
BLANKS = re.compile(r"\{\d+\}")
NAMES = re.compile(r"`[^`]*`")
SPACE = "\N{NO-BREAK SPACE}"
THIN = "\N{NARROW NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def collected():
    """Every text of the core, as the plugin's collector reads it off the sources."""
    folder = ROOT / "qgis_plugin"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("translations", folder / "translations.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(folder))


def catalogue(code):
    return json.loads((CATALOGUES / f"{code}.json").read_text(encoding="utf-8"))


# --- phrases ---------------------------------------------------------------------------------


ODD = ("{1}", "{2}", "%1", r"\1 \g<1>", "records", "{0.__class__}", "`cells`", "1,234.5", "<b>", "")


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("code", languages())
def test_names_are_put_in_as_they_are(code, name):
    language = language_by_code(code)
    said = language.say(Phrase("{1}: {2}", name, Phrase("ε for {1}", name)))
    assert said.count(name) >= 2 or not name
    space = "\N{NO-BREAK SPACE}" if code == "fr" else ""
    assert said.startswith(f"{name}{space}: ε ")
    assert language.say(name) == name


def test_a_phrase_is_its_english():
    phrase = Phrase("{2} of {1}", Number("1,000"), Phrase("records"))
    assert phrase == "records of 1,000"
    assert type(ENGLISH.say(phrase)) is str
    assert ENGLISH.say(phrase) == phrase
    again = pickle.loads(pickle.dumps(capital(phrase)))
    assert (again, again.template, again.values) == (
        "Records of 1,000",
        phrase.template,
        phrase.values,
    )
    assert again.capital
    assert json.dumps(phrase) == '"records of 1,000"'


def test_words_and_numbers_are_those_of_the_language():
    german, french = language_by_code("de"), language_by_code("fr")
    phrase = Phrase("{1} per {2}", Phrase("records"), Phrase("km²"))
    assert german.say(phrase) == "Datensätze je km²"
    assert french.say(phrase) == "enregistrements par km²"
    assert french.say(capital(phrase)) == "Enregistrements par km²"
    assert french.say(uncapital(capital(phrase))) == "enregistrements par km²"
    assert german.say(Number("−1,234.5")) == f"−1{THIN}234,5"
    assert french.say(joined(", ", ["1,234.5", Number("0.5")])) == "1,234.5, 0,5"
    assert german.html(Phrase("{1}: {2}", "<b>", "&")) == "&lt;b&gt;: &amp;"


def test_a_language_that_is_not_there_is_refused():
    for wrong in ("xx", "DE", "../de", "", None, 7):
        with pytest.raises(geodp.InputError, match="the language must be one of en, de, fr; got"):
            language_by_code(wrong)


def test_texts_of_files_are_recognised_and_their_names_stay():
    known, named = ["noise on {1} × {2} counts"], ["counts of {1}"]
    read = recognised("noise on 8 × 1,000 counts", known, named)
    assert all(isinstance(value, Number) for value in read.values)
    assert type(recognised("counts of 1.5", known, named).values[0]) is str
    long = f"noise on {'8' * 1000} × 8 counts"
    for other in ("noise on a × 8 counts", "noise on 8 × 8 counts!", "", "{1}", long):
        assert type(recognised(other, known, named)) is str


# --- catalogues ------------------------------------------------------------------------------


def test_the_languages_are_those_of_the_catalogues():
    assert sorted(CODES) == sorted(path.stem for path in CATALOGUES.iterdir()) == ["de", "fr"]


@pytest.mark.parametrize("code", CODES)
def test_every_text_of_the_core_is_translated(collected, code):
    translations = catalogue(code)
    assert set(translations) == set(collected.library_texts()), "run qgis_plugin/translations.py"
    for text, translated in translations.items():
        assert translated.strip(), text
        assert sorted(BLANKS.findall(text)) == sorted(BLANKS.findall(translated)), text
        assert sorted(NAMES.findall(text)) == sorted(NAMES.findall(translated)), text
        assert text.endswith(".") == translated.endswith("."), text
        assert text.startswith(" ") == translated.startswith(" "), text
        assert len(translated) <= max(1.6 * len(text), len(text) + 25), text


def test_every_phrase_of_the_core_is_read(collected):
    """No template is made of something that the collector cannot follow to its words."""
    sentences = collected.sentences
    homes = [home for home in sentences.modules() if home.path not in sentences.PHRASES]
    assert [home.path for home in homes if None in sentences.phrases(home)] == []


def test_french_has_its_spaces_and_marks():
    texts = list(catalogue("fr").values())
    assert sum(f"{SPACE}:" in text for text in texts) > 100
    for text in texts:
        text = re.sub(r"`[^`]*`|'[^' ]*'|EPSG:|=…", "", text)  # not French, but Python's and PROJ's
        assert re.findall(rf".*(?<!{SPACE})[:;?!»%].*", text) == []
        assert re.findall(rf".*«(?!{SPACE}).*", text) == []
        assert re.findall(r".*\w'\w.*", text) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", {"ledger": "Kassenb", "budget": "udget", "district": "ezirk", "region": "ebiet"}),
        ("fr", {"ledger": "registre", "record": "nregistrement", "district": "istrict"}),
        ("fr", {"noise": "ruit", "seed": "raine", "cap": "plafond", "account": "ompte"}),
    ],
)
def test_one_thing_has_one_word(code, words):
    plain = re.compile(r"`[^`]*`|your region")
    for text, translated in catalogue(code).items():
        for ours, theirs in words.items():
            if re.search(rf"\b{ours}s?\b", plain.sub("", text)):
                assert theirs in translated, text
