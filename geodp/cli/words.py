"""What the command line says where the library's messages name things of Python."""

from __future__ import annotations

from ..core.common.errors import reworded

WORDS = {
    "Feature(max_points=…)": "--max-records",
    "breaks": "--breaks",
    "by": "--by",
    "categories": "--categories",
    "cell_sizes": "--cell-sizes",
    "cells": "--cells",
    "grids": "--sizes",
    "tuner": "--tuner",
    "tuning_share": "--tuning-share",
    "workload": "--regions",
    "decimal": "--decimal",
    "separator": "--separator",
    "crs": "--points-crs",
    "explode()": "ogr2ogr -explodecollections",
    "make_valid()": "ogr2ogr -makevalid",
    "max_points": "--max-records",
    "max_records": "--max-records",
    "force=True": "--yes",
    "noise='opendp'": "--noise opendp",
    "other": "--other",
    "overwrite=True": "--force",
    "set_crs()": "ogr2ogr -a_srs",
    "sizes": "--sizes",
    "total": "--total",
    "within": "--within",
    "x": "--x",
    "y": "--y",
}
"""By what stands between backticks in a message (see :mod:`geodp.core.common.errors`)."""


def in_options(message: str) -> str:
    """Say a message of the library in the words of the command line.

    Examples
    --------
    >>> in_options("counts.tif exists: choose another name, or pass `overwrite=True`.")
    'counts.tif exists: choose another name, or pass --force.'
    """
    return reworded(message, WORDS)
