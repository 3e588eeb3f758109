# SPDX-License-Identifier: GPL-2.0-or-later
"""Put what the core says into QGIS's language, by the core's own catalogues.

Most of it are phrases, which know what they were made of: the core says them itself, with the signs
of QGIS's language for numbers. Its errors are plain English. Such a sentence is found again among
the templates that ``qgis_plugin/translations.py`` read off the core's sources
(``i18n/sentences.json``): of those that match from beginning to end, it is of the one that leaves
least to values. The translation is filled with these values, which stay as they are, except that
numbers get the signs of the language. What matches no template stays English.
"""

import json
import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from qgis.PyQt.QtCore import QLocale

from . import library
from .translation import FOLDER, language, locale_name

LONGEST = 3_000
"""Letters of a text that is looked for: nothing that the core says is longer, values and all."""

_BLANK = re.compile(r"\{(\d+)\}")
_BLANK_OR_NAME = re.compile(r"`([^`]*)`|\{(\d+)\}")
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z])")
_DIGITS = r"[+\-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"
_NUMBER = re.compile(
    rf"{_DIGITS}(?: [×x] {_DIGITS})?(?: ?(?:%|°|m|km|ft|mi|m²|km²|MiB|GiB|degrees))?"
)


def spoken():
    """Return QGIS's language as the core knows it, with the country's signs; English for others."""
    return _spoken(language(), locale_name())


def page_language():
    """Return the language for a page, with the library's signs: one page at every door."""
    return library.geodp.language_by_code(spoken().code)


@cache
def _spoken(code, name):
    if code not in library.geodp.languages() or code == "en":
        return library.geodp.language_by_code("en")
    locale = QLocale(name)
    signs = {",": str(locale.groupSeparator()), ".": str(locale.decimalPoint())}
    return replace(library.geodp.language_by_code(code), signs=signs)


def said(text, words=None):
    """Put what the core says into QGIS's language: a phrase, a sentence, or several in a row.

    Parameters
    ----------
    text : str
        What the core says.
    words : mapping, optional
        What the dialog calls the names of Python's between backticks, in English.
    """
    if isinstance(text, library.geodp.Phrase):
        return spoken().say(text)
    words, speech = words or {}, spoken()
    if speech.texts and len(text) <= LONGEST:
        catalogue = Catalogue(speech)
        translation = catalogue.said(text, words)
        if translation is not None:
            return translation
        known = [catalogue.said(part, words) for part in _SENTENCE_END.split(text)]
        if all(known):
            return " ".join(known)
    return library.geodp.reworded(text, words) if words else local(text)


def shown(text):
    """Put the text of a fact into QGIS's language, as far as it is the core's."""
    return spoken().say(text)


def named(label):
    """Put the label of a fact into QGIS's language."""
    return spoken().say(library.geodp.Phrase.of(label))


def local(text):
    """Write a number, or a size, with the signs of QGIS's language; anything else as it is."""
    if not _NUMBER.fullmatch(text):
        return text
    return spoken().say(library.geodp.Number(text))


def number(value):
    """Make a number for ``format``, which writes it with the signs of QGIS's language."""
    return _Number(value)


class _Number(float):
    def __format__(self, how):
        return local(format(float(self), how))


@cache
def _templates():
    """Read the templates of the core's sentences, once."""
    listed = json.loads((FOLDER / "i18n" / "sentences.json").read_text(encoding="utf-8"))
    return sorted(
        (Template(*sentence) for sentence in listed), key=lambda template: -template.letters
    )


class Catalogue:
    """Templates of the core with their translations into one language."""

    def __init__(self, speech):
        self._texts = speech.texts

    def translated(self, text):
        """Translate a text; empty if there is no translation."""
        return self._texts.get(text, "")

    def said(self, text, words):
        """Translate what one template says, filled in; None if none says it."""
        match = _closest(_templates(), text)
        if match is None:
            return None
        words = {name: self.translated(label) or label for name, label in words.items()}
        return self.filled(match, words)

    def filled(self, match, words):
        """Translate a template with values in its blanks; None without a translation."""
        text = match.template.text
        if match.template.has_words:
            text = self.translated(text)
            if not text:
                return None
        filled = {name: self._value(*part, words) for name, part in match.parts.items()}

        def put(blank):
            if blank[1] is None:
                return filled[blank[2]]
            name = _BLANK.sub(lambda inner: match.parts[inner[1]][0], blank[1])
            return words.get(name, name)

        # In one go: what a value holds is never looked at again.
        return _BLANK_OR_NAME.sub(put, text)

    def _value(self, value, match, words):
        """Return what goes into a blank: words that the core has for it, or the value itself."""
        if match is None:
            return local(value)
        filled = self.filled(match, words)
        return value if filled is None else filled


class Match(NamedTuple):
    """A template in a text.

    Attributes
    ----------
    template : Template
        The template.
    parts : dict
        By the number of a blank, the text in it and, where the core has words for it, these as
        another ``Match``.
    free : int
        Letters that no template accounts for.
    """

    template: "Template"
    parts: dict
    free: int


def _closest(templates, text):
    """Choose, of templates that a text may be of, the one that leaves least of it to values."""
    matches = (template.find(text) for template in templates)
    return min(filter(None, matches), key=lambda match: match.free, default=None)


class Template:
    """A text with numbered blanks, some of which hold one of several other templates."""

    def __init__(self, text, choices):
        self.text = text
        self.choices = {
            name: [Template(*parts) for parts in listed] for name, listed in choices.items()
        }
        self._literals = _BLANK.split(text)[::2]
        self.letters = sum(map(len, self._literals))
        self.has_words = any(letter.isalpha() for part in self._literals for letter in part)
        self._pattern = None

    def pattern(self, hold):
        """Return the regular expression; ``hold`` opens a group around a blank."""
        parts = _BLANK.split(self.text)
        for place in range(1, len(parts), 2):
            inner = "|".join(choice.pattern("(?:") for choice in self.choices.get(parts[place], ()))
            parts[place] = f"{hold}{inner or '.*?'})"
        parts[::2] = map(re.escape, parts[::2])
        return "".join(parts)

    def find(self, text):
        """Take the text apart; None if it is another text."""
        values = self._between(text)
        if values is None:
            return None
        if self.choices:
            if self._pattern is None:
                self._pattern = re.compile(self.pattern("("), re.DOTALL)
            match = self._pattern.fullmatch(text)
            if match is None:
                return None
            values = match.groups()
        parts, free = {}, 0
        for name, value in zip(_BLANK.findall(self.text), values):
            inner = _closest(self.choices.get(name, ()), value)
            free += len(value) if inner is None else inner.free
            parts[name] = value, inner
        return Match(self, parts, free)

    def _between(self, text):
        """Find what lies between the fixed parts, each where it comes first; None if one lacks.

        No other places need be tried where a blank holds anything, so a long text costs no time.
        """
        first, *others = self._literals
        if not others:
            return [] if text == first else None
        last = others.pop()
        if not text.startswith(first) or not text[len(first) :].endswith(last):
            return None
        values, place, end = [], len(first), len(text) - len(last)
        for part in others:
            start = text.find(part, place, end)
            if start < 0:
                return None
            values.append(text[place:start])
            place = start + len(part)
        return [*values, text[place:end]]
