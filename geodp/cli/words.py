"""Say in the words of the command line what the library's messages name in Python."""

from __future__ import annotations

from typing import Any

import click

from ..core.common.errors import reworded
from ..core.common.text import for_terminal

WORDS = {
    "Breaks(field, limits)": "--breaks",
    "Categories(field, values)": "--categories",
    "Amount(field, low, high)": "--amount",
    "Feature(max_points=…)": "--max-records",
    "amount": "--amount",
    "breaks": "--breaks",
    "by": "--by",
    "categories": "--categories",
    "cell_sizes": "--cell-sizes",
    "cells": "--cells",
    "grey": "--grey",
    "grids": "--sizes",
    "tuner": "--tuner",
    "tuning_share": "--tuning-share",
    "workload": "--regions",
    "decimal": "--decimal",
    "districts": "--districts",
    "h3_integers": "--h3-integers",
    "levels": "--levels",
    "separator": "--separator",
    "share": "--district-share",
    "encoding": "--encoding",
    "font": "--font",
    "insets": "--inset",
    "date_format": "--date-format",
    "crs": "--points-crs",
    "each": "--each",
    "explode()": "ogr2ogr -explodecollections",
    "make_valid()": "ogr2ogr -makevalid",
    "name": "--district-name",
    "max_points": "--max-records",
    "max_records": "--max-records",
    "force=True": "--yes",
    "noise='opendp'": "--noise opendp",
    "other": "--other",
    "read_points(…, x=…, y=…, crs=…)": "--x, --y and --points-crs",
    "resolution": "--resolution",
    "overwrite=True": "--force",
    "per": "--per",
    "per_person": "--per-person",
    "place": "--place",
    "set_crs()": "ogr2ogr -a_srs",
    "sizes": "--sizes",
    "total": "--total",
    "visits": "--visits",
    "within": "--within",
    "x": "--x",
    "y": "--y",
}
"""By what stands between backticks in a message (see :mod:`geodp.core.common.errors`)."""


_FIRST = "PRIVATE: for whoever holds these points, and not for publication. Nothing is written."
_LAST = (
    "Use this to see whether the points are read rightly. It is not protected by noise: bounds, "
    "sizes or limits that are chosen by it are not covered by epsilon."
)


def in_options(message: str) -> str:
    """Say a message of the library in the words of the command line.

    Examples
    --------
    >>> in_options("counts.tif exists: choose another name, or pass `overwrite=True`.")
    'counts.tif exists: choose another name, or pass --force.'
    """
    return reworded(message, WORDS)


def echo(text: str, **options: Any) -> None:
    """Print text, some of which may be from a stranger's file: nothing in it steers the terminal.

    Parameters
    ----------
    text : str
        What to print.
    **options
        As :func:`click.echo` takes them.
    """
    click.echo(for_terminal(text), **options)


def private_look(sentences: list[str]) -> str:
    """Put sentences about points between words that say whom they are for."""
    return "\n".join([_FIRST, *map(in_options, sentences), _LAST])
