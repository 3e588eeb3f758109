"""Name what can go wrong, as one small tree.

::

    Cancelled                            somebody asked to stop
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

UNFINISHED = (
    "an error must not tell anything about the records, so why this release could not be finished "
    "is not told: nothing was released, and what an account has booked stays booked; see to "
    "memory, disk and workers, and try again."
)
"""The one sentence for whatever fails once counting began and has no public reason of its own."""


class Cancelled(Exception):
    """Somebody asked to stop: raised by a source or by what hears of progress, and passed on."""


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
    return re.sub(r"`([^`]*)`", lambda mark: words.get(mark[1], mark[1]), message)
