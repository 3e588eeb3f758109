"""Make texts that remember their template and its parts, so that they can be translated.

A phrase is a string in English like any other. Beside that it keeps its template, which has
numbered blanks, and what went into these. Only templates are translated. What fills a blank is
another phrase, a number, or plain text: names of districts, titles, words of a file. Plain text is
put in as it is, and is neither looked up nor read as a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from .text import LONGEST

_BLANK = re.compile(r"\{(\d{1,5})\}")

_NUMBERS = r"([\d., ]+)"
"""A blank with a number in it, or with several in a row."""


class Number(str):
    """A number with the signs of English: commas between thousands, a point before tenths."""


class Phrase(str):
    """A text in English, with its template and what fills the blanks.

    Parameters
    ----------
    template : str
        The text; ``{1}``, ``{2}`` and so on are blanks.
    values : str
        What fills them, from the first on.

    Examples
    --------
    >>> told = Phrase("{1} cells of {2}", Number("1,234"), "{1} {x}")
    >>> print(told)
    1,234 cells of {1} {x}
    >>> told.template
    '{1} cells of {2}'
    """

    template: str
    values: tuple[str, ...]
    capital: bool

    def __new__(cls, template: str, *values: str) -> Phrase:
        """Fill the blanks in English."""
        return cls._of(fill(template, values), template, values, capital=False)

    @classmethod
    def of(cls, text: str) -> Phrase:
        """Return a text of geodp's as a phrase, which it may be already."""
        return text if isinstance(text, Phrase) else cls(text)

    @classmethod
    def _of(cls, text: str, template: str, values: tuple[str, ...], capital: bool) -> Phrase:
        phrase = str.__new__(cls, text)
        phrase.template, phrase.values, phrase.capital = template, values, capital
        return phrase

    def __reduce__(self) -> tuple[Any, ...]:
        return Phrase._of, (str(self), self.template, self.values, self.capital)


def fill(template: str, values: Sequence[str]) -> str:
    """Put values into numbered blanks in one go, so that nothing in a value is taken for a blank.

    Examples
    --------
    >>> fill("{2} before {1}", ["{2}", "b"])
    'b before {2}'
    """

    def value(blank: re.Match[str]) -> str:
        place = int(blank[1]) - 1
        return str(values[place]) if 0 <= place < len(values) else blank[0]

    return _BLANK.sub(value, template)


def joined(joint: str, parts: Iterable[str]) -> Phrase:
    """Join texts by a sign, each of them still a phrase if it was one.

    Examples
    --------
    >>> joined(" · ", [Phrase("Source: {1}", "police"), "2025"])
    'Source: police · 2025'
    """
    values = tuple(parts)
    return Phrase(joint.join(f"{{{place}}}" for place in range(1, len(values) + 1)), *values)


def capital(text: str) -> str:
    """Begin a text with a capital letter, in every language.

    Examples
    --------
    >>> capital(Phrase("records per cell"))
    'Records per cell'
    """
    upper = text[:1].upper() + text[1:]
    if not isinstance(text, Phrase):
        return upper
    return Phrase._of(upper, text.template, text.values, capital=True)


def uncapital(text: str) -> str:
    """Begin a text with a small letter, in English; other languages have it as they write it.

    Examples
    --------
    >>> uncapital(Phrase("How far to trust each cell"))
    'how far to trust each cell'
    """
    lower = text[:1].lower() + text[1:]
    if not isinstance(text, Phrase):
        return lower
    return Phrase._of(lower, text.template, text.values, capital=False)


def recognised(text: str, templates: Iterable[str], names: Iterable[str] = ()) -> str:
    """Return a text that a file holds as the phrase that it was, or as it is if it was none.

    Parameters
    ----------
    text : str
        What the file holds.
    templates : iterable of str
        What it may be, with numbers in the blanks.
    names : iterable of str
        The same with names in the blanks, which are no numbers whatever they look like.

    Examples
    --------
    >>> known = ["noise on {1} × {2} counts", "noise"]
    >>> recognised("noise on 8 × 1,000 counts", known).values
    ('8', '1,000')
    >>> type(recognised("something else", known))
    <class 'str'>
    """
    if len(text) > LONGEST:
        return text
    for kind, blank, listed in ((Number, _NUMBERS, templates), (str, "(.*)", names)):
        for template in listed:
            literals = _BLANK.split(template)[::2]
            match = re.fullmatch(blank.join(map(re.escape, literals)), text)
            if match is not None:
                return Phrase(template, *map(kind, match.groups()))
    return text
