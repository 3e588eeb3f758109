"""Translate phrases: a catalogue, and the signs of numbers, for each language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

from .errors import InputError
from .phrases import Number, Phrase, capital, fill

CATALOGUES = Path(__file__).with_name("languages")
"""Folder of the catalogues: texts of the core in English, each with its translation."""

_THIN = "\N{NARROW NO-BREAK SPACE}"

_SIGNS: dict[str, dict[str, str]] = {
    "en": {},
    "de": {",": _THIN, ".": ","},
    "fr": {",": _THIN, ".": ","},
}
"""Languages, and what each writes for the comma and the point of English numbers."""


@dataclass(frozen=True)
class Language:
    """A language of pages and pictures.

    Attributes
    ----------
    code : str
        As pages name it: ``"de"``.
    signs : mapping
        What is written for the comma and the point of English numbers.
    texts : mapping
        Templates of phrases, and their translations.

    Examples
    --------
    >>> german = Language("de", {",": " ", ".": ","}, {"{1} cells": "{1} Zellen"})
    >>> german.say(Phrase("{1} cells", Number("1,234.5")))
    '1 234,5 Zellen'
    >>> german.say("{1} cells"), german.say(Phrase("no such text"))
    ('{1} cells', 'no such text')
    """

    code: str = "en"
    signs: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def say(self, text: str) -> str:
        """Return a phrase in this language, and a number with its signs; other text as it is."""
        if isinstance(text, Phrase):
            if not self.texts:
                return str(text)
            translated = fill(
                self.template(text.template), [self.say(value) for value in text.values]
            )
            return capital(translated) if text.capital else translated
        if isinstance(text, Number):
            return "".join(self.signs.get(letter, letter) for letter in text)
        return text

    def template(self, text: str) -> str:
        """Return a template in this language, in English where there is no translation."""
        return self.texts.get(text) or text

    def html(self, text: str) -> str:
        """Return the same as :meth:`say` for a page, with nothing in it that a browser reads."""
        return escape(self.say(text))


ENGLISH = Language()


def language_by_code(code: object) -> Language:
    """Return the language of a code.

    Examples
    --------
    >>> language_by_code("de").say(Phrase("{1} × {2} cells", Number("2"), Number("4")))
    '2 × 4 Zellen'
    >>> language_by_code("xx")
    Traceback (most recent call last):
        ...
    geodp.core.common.errors.InputError: the language must be one of en, de, fr; got 'xx'.
    """
    if not isinstance(code, str) or code not in _SIGNS:
        raise InputError(f"the language must be one of {', '.join(_SIGNS)}; got {code!r}.")
    return _read(code)


def languages() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    return tuple(_SIGNS)


@cache
def _read(code: str) -> Language:
    if code == ENGLISH.code:
        return ENGLISH
    texts = json.loads((CATALOGUES / f"{code}.json").read_text(encoding="utf-8"))
    return Language(code, _SIGNS[code], texts)
