"""Hold what a publisher says of a release: a title, where the records are from. Public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..common.errors import InputError
from ..common.phrases import Phrase
from ..common.text import LONGEST, is_line

LABELS = {
    "title": Phrase("Title"),
    "subject": Phrase("What it shows"),
    "source": Phrase("Source"),
    "publisher": Phrase("Publisher"),
    "licence": Phrase("Licence"),
    "date": Phrase("Date"),
}


class About(NamedTuple):
    """Words of the publisher, all of them optional.

    Attributes
    ----------
    title, subject, source, publisher, licence, date : str
        Empty where nothing was said. They go into every file and onto every page.

    Examples
    --------
    >>> About.of(title="Thefts in 2025", licence="CC BY 4.0").given
    {'title': 'Thefts in 2025', 'licence': 'CC BY 4.0'}
    """

    title: str = ""
    subject: str = ""
    source: str = ""
    publisher: str = ""
    licence: str = ""
    date: str = ""

    @classmethod
    def of(cls, **words: Any) -> About:
        """Take words, and refuse what is none of a single line."""
        for name, text in words.items():
            if name not in cls._fields:
                raise InputError(
                    f"a release is told about by {', '.join(cls._fields)}; got {name!r}."
                )
            if not is_line(text):
                raise InputError(
                    f"the {name} must be a line of text of at most {LONGEST:,} characters; "
                    f"got {type(text).__name__ if not isinstance(text, str) else 'another'}."
                )
        return cls(**words)

    @property
    def given(self) -> dict[str, str]:
        """Return the words that were given, by their names."""
        return {name: text for name, text in self._asdict().items() if text}

    def but(self, words: Mapping[str, Any]) -> About:
        """Return the same with some words changed; None leaves one as it is."""
        new = {name: text for name, text in words.items() if text is not None}
        return About.of(**{**self._asdict(), **new})
