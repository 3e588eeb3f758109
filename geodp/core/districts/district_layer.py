"""Name the districts of a layer by its columns, whatever program reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Optional

import numpy as np

from ..common.errors import InputError
from ..common.types import Ints

Texts = Callable[[str], Sequence[Optional[str]]]  # noqa: UP045 (QGIS 3.22 may run on Python 3.9)
"""Gives the values of a column as text, None where there is none."""


class NamedRows(NamedTuple):
    """Say which district each row of a layer is of; districts of one larger unit stand together.

    Attributes
    ----------
    levels : tuple of str
        What the levels are called, from the largest units down to the districts.
    districts : list of tuple of str
        For each district, the label of the unit that holds it on every level.
    owner : ndarray of int
        Number of the district that each row is of.
    """

    levels: tuple[str, ...]
    districts: list[tuple[str, ...]]
    owner: Ints

    @property
    def labels(self) -> list[str]:
        """Return names of the districts."""
        return [path[-1] for path in self.districts]

    @property
    def ids(self) -> list[str]:
        """Return the same where they are all unlike, else with the names of what holds them."""
        labels = self.labels
        alike = len(set(labels)) < len(labels)
        return [" > ".join(path) for path in self.districts] if alike else labels

    @property
    def row_names(self) -> list[str]:
        """Return what to call each row in a message."""
        return [" > ".join(self.districts[number]) for number in self.owner.tolist()]


def named_rows(
    rows: int,
    columns: Sequence[str],
    texts: Texts,
    *,
    name: str | None = None,
    levels: Sequence[str] | None = None,
) -> NamedRows:
    """Say which district each row of a layer is of, or what is wrong with its columns.

    Parameters
    ----------
    rows : int
        How many rows there are.
    columns : sequence of str
        Names of the columns.
    texts : callable
        Gives the values of a column as text.
    name : str, optional
        Column that names the districts; without it and levels, rows are numbered from 1 on.
    levels : sequence of str, optional
        Columns with the larger units, from the largest down to the districts.

    Examples
    --------
    >>> table = {"state": ["A", "B", "A"], "county": ["x", "x", "y"]}
    >>> rows = named_rows(3, list(table), table.__getitem__, levels=["state", "county"])
    >>> rows.districts, rows.owner
    ([('A', 'x'), ('A', 'y'), ('B', 'x')], array([0, 2, 1]))
    >>> rows.ids
    ['A > x', 'A > y', 'B > x']
    """
    asked = _asked(name, levels)
    paths: list[tuple[str, ...]] = [(str(row),) for row in range(1, rows + 1)]
    if asked:
        paths = list(zip(*(_values(column, columns, texts) for column in asked)))
    if levels is not None:
        _check_order(paths, levels)
    elif len(set(paths)) < len(paths):
        double, _ = Counter(paths).most_common(1)[0]
        raise InputError(
            f"names of districts must be unlike; {double[0]!r} is more than once in {asked[0]!r}: "
            "name another column, or dissolve the layer."
        )
    ranks = _ranks(paths)
    order = sorted(range(len(paths)), key=ranks.__getitem__)
    districts = list(dict.fromkeys(paths[row] for row in order))
    number = {path: place for place, path in enumerate(districts)}
    owner = np.array([number[path] for path in paths], dtype=np.int64)
    return NamedRows(tuple(levels) if levels is not None else ("district",), districts, owner)


def naming_column(columns: Iterable[tuple[str, Sequence[object]]]) -> str | None:
    """Find the first column of text that differs in every row.

    Where texts repeat or are missing in all columns, return the first of these, which is refused
    later: whoever has names would not know their districts by numbers. Return None where there is
    no text.

    Examples
    --------
    >>> naming_column([("id", [1, 2]), ("kind", ["a", "a"]), ("town", ["x", "y"])])
    'town'
    """
    first = None
    for column, values in columns:
        texts = sum(isinstance(value, str) for value in values)
        if texts == len(values) == len(set(values)):
            return column
        if texts and first is None:
            first = column
    return first


def _asked(name: str | None, levels: Sequence[str] | None) -> list[str]:
    """Return columns that name the districts, and what holds them."""
    if levels is None:
        return [] if name is None else [name]
    if name is not None:
        raise InputError("levels end with the districts; leave out the column that names them.")
    if not levels:
        raise InputError("levels need one column at least; got none.")
    if len(set(levels)) < len(levels):
        twice, _ = Counter(levels).most_common(1)[0]
        raise InputError(f"levels need unlike columns; {twice!r} is there twice: leave one out.")
    return list(levels)


def _values(column: str, columns: Sequence[str], texts: Texts) -> list[str]:
    if column not in columns:
        raise InputError(
            f"districts are named by a column of their layer; there is no {column!r}: the "
            f"columns are {', '.join(map(repr, columns)) or 'none'}."
        )
    values = [text for text in texts(column) if text is not None]
    if len(values) < len(texts(column)):
        raise InputError(
            f"every district needs a value in {column!r}; one has none: fill it in, or name "
            "another column."
        )
    return values


def _check_order(paths: list[tuple[str, ...]], levels: Sequence[str]) -> None:
    """Refuse levels the wrong way round: units that hold one each, and several hold the same."""
    for depth in range(1, len(levels)):
        larger, units = ({path[:upto] for path in paths} for upto in (depth, depth + 1))
        if len(units) == len(larger) > len({unit[-1] for unit in units}):
            above, below = levels[depth - 1 : depth + 1]
            raise InputError(
                f"levels go from the largest units down; every unit of {above!r} holds a single "
                f"{below!r}, and several hold the same: turn the levels round, or leave out "
                f"{above!r}."
            )


def _ranks(paths: list[tuple[str, ...]]) -> list[tuple[int, ...]]:
    """Place units by their first row, so that those of one larger unit stand together."""
    first: dict[tuple[str, ...], int] = {}
    for path in paths:
        for depth in range(1, len(path) + 1):
            first.setdefault(path[:depth], len(first))
    return [tuple(first[path[:depth]] for depth in range(1, len(path) + 1)) for path in paths]
