"""What can go wrong, as one small tree.

::

    GeodpError
    ├── InputError (also ValueError)     a value that breaks a rule: bounds, ε, shapes, regions
    │   └── CrsError                     a coordinate system that is missing, unknown or geographic
    └── FileError (also OSError)         a file that cannot be read or written

Every message is one sentence: the rule, what was given, the remedy. No message holds anything
computed from the private points: an error is seen by people, and nobody paid budget for it.

What only Python calls so (arguments, functions) stands between backticks: "pass `overwrite=True`".
The command line and QGIS put the words of their own users there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


class GeodpError(Exception):
    """Root of every error that geodp raises on purpose."""


class InputError(GeodpError, ValueError):
    """A value breaks a rule."""


class CrsError(InputError):
    """A coordinate reference system is missing, unknown, or not fit for counting areas."""


class FileError(GeodpError, OSError):
    """A file cannot be read or written."""


def reworded(message: str, words: Mapping[str, str]) -> str:
    """Put other words in the place of Python's names, which messages have between backticks.

    Examples
    --------
    >>> reworded("it exists: pass `overwrite=True`.", {"overwrite=True": "--force"})
    'it exists: pass --force.'
    """
    return re.sub(r"`([^`]*)`", lambda found: words.get(found[1], found[1]), message)
