"""Look at points for whoever holds them: are they read rightly? Private, not for publication.

What is found here comes from the points without any noise, in rough words. It is for seeing that
columns, decimal marks, axes and coordinate systems are what they were said to be; whatever else is
chosen by it is not covered by ε. Nothing is written, kept or logged.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.cells.cells import Cells
from ..core.common.types import Floats, Ints
from ..core.records.amounts import Amount
from ..core.records.groups import Field, FieldValues, Groups
from ..core.records.reprojection import XY, Reprojection, reprojection
from ..core.records.source import PointSource, Request, as_floats
from ..core.space.domain import Crs, Domain
from ..core.space.grid import in_domain
from .files import FileSource
from .geojson import property_names
from .opening import path_kind
from .text import numbers, read_text, texts

_SAMPLE = 1 << 17
"""Points, the first that come, on which other readings are tried."""

_SEXAGESIMAL = re.compile(r"^\s*[NSEWO+-]?\s*\d{1,3}\s*[°d:\s]\s*\d{1,2}\s*(\D|$)", re.IGNORECASE)
"""Degrees, minutes and perhaps seconds: 52°31'12"N, 52 31 12, 52:31:12."""

_MOST_GROUPS = 30
"""Groups that are told one by one."""

_LONLAT = Crs("EPSG:4326", geographic=True)


def roughly(part: float, total: float) -> str:
    """Say a share in a word.

    Examples
    --------
    >>> [roughly(part, 100) for part in (0, 3, 40, 90, 100)]
    ['none', 'few', 'about half', 'most', 'all']
    """
    if part <= 0 or total <= 0:
        return "none"
    if part >= total:
        return "all"
    return "few" if part < total / 4 else "about half" if part <= total * 3 / 4 else "most"


def about(value: float) -> str:
    """Round a number to one digit.

    Examples
    --------
    >>> about(1234), about(7.4), about(0)
    ('about 1,000', 'about 7', 'about 0')
    """
    digits = len(str(int(value))) - 1
    return f"about {round(value, -digits):,.0f}"


@dataclass(frozen=True)
class _Raw(Request):
    """Ask for coordinates as they stand in the source, and remember what else it holds."""

    seen: dict[str, Any] = field(default_factory=dict)

    def reprojection(self, crs: Any) -> Reprojection:
        if crs is None:
            return super().reprojection(crs)  # says that a CRS is needed
        self.seen["crs"] = crs
        return _stay

    def check_columns(self, names: list[str], *others: str | None, declared: bool = False) -> None:
        self.seen.setdefault("columns", list(map(str, names)))
        super().check_columns(names, *others, declared=declared)

    def group_codes(
        self, columns: Any, read: Callable[[Any, Field], FieldValues], feature: Ints | None = None
    ) -> npt.NDArray[Any] | None:
        if self.amount is not None:
            values = as_floats(read(columns[self.amount.field], self.amount.rule))
            amounts = self.seen.setdefault("amounts", _Amounts(self.amount))
            amounts.take(values if feature is None else values[feature])
        return Request(self.domain, groups=self.groups).group_codes(columns, read, feature)


class _Amounts:
    """Count how large amounts are, in powers of ten. Private."""

    def __init__(self, amount: Amount) -> None:
        self.amount = amount
        self.numbers = self.records = self.zero = self.negative = self.above = self.below = 0
        self.powers: Counter[int] = Counter()

    def __repr__(self) -> str:
        return "_Amounts(<private>)"

    def take(self, values: Floats) -> None:
        known = values[np.isfinite(values)]
        self.records, self.numbers = self.records + len(values), self.numbers + len(known)
        self.zero += int((known == 0).sum())
        self.negative += int((known < 0).sum())
        self.above += int((known > float(self.amount.high)).sum())
        self.below += int((known < float(self.amount.low)).sum())
        size = np.abs(known[known != 0])
        self.powers.update(np.floor(np.log10(size)).astype(np.int64).tolist())


def _stay(x: Floats, y: Floats) -> XY:
    return x, y


@dataclass
class _Totals:
    """Add up what the points hold. Private."""

    records: int = 0
    numbers: int = 0
    inside: int = 0
    nobody: int = 0
    located: int = 0
    grouped: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    by_group: Counter[str] = field(default_factory=Counter)
    sample: list[XY] = field(default_factory=list)

    def __repr__(self) -> str:
        return "_Totals(<private>)"

    def take(self, x: Floats, y: Floats, ids: Any) -> None:
        known = np.isfinite(x) & np.isfinite(y)
        self.records += len(x)
        self.numbers += int(known.sum())
        if sum(len(part) for part, _ in self.sample) < _SAMPLE:
            self.sample.append((x[known][:_SAMPLE], y[known][:_SAMPLE]))
        if ids is not None:
            counts = np.bincount(ids.index, minlength=len(ids.texts)).tolist()
            for text, count in zip(ids.texts, counts):
                if text is None:
                    self.nobody += count
                elif count:
                    self.by_group[text] += count


def look(
    source: PointSource,
    domain: Domain | None = None,
    *,
    person: str | None = None,
    max_records: int | None = None,
    groups: Groups | None = None,
    districts: Cells | None = None,
    amount: Amount | None = None,
    bounded: bool = True,
) -> Iterator[str]:
    """Yield sentences about how points are read. Private.

    Parameters
    ----------
    source : PointSource
        The points as they were described.
    domain : Domain, optional
        The public rectangle that they should lie in.
    person : str, optional
        Field that says whose record it is.
    max_records : int, optional
        As how many records a person may count.
    groups : Groups, optional
        Groups that records shall be divided into.
    districts : Cells, optional
        Districts in the domain; records in none of them are not counted.
    amount : Amount, optional
        What shall be added up.
    bounded : bool
        Whether the bounds of the amount were given, and not only its field.

    Yields
    ------
    str
        What was found; Python's names stand between backticks, as in errors.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> for line in look(geodp.read_points(([1.0, 9e6], [2.0, 5.0])), town):
    ...     print(line)
    Columns: x, y.
    Coordinates: all are numbers.
    In the domain: about half of the points.
    """
    anywhere = Domain((0, 0, 1000, 1000), Crs("anywhere"))
    frame = anywhere if domain is None else domain
    request = _Raw(frame, person, None, groups=groups, amount=amount)
    source.check(request)
    totals = _Totals(grouped=np.zeros(1 if groups is None else len(groups) + 1, dtype=np.int64))
    for block in source.blocks(request):
        totals.take(block.x, block.y, block.ids)
        if groups is not None and block.group is not None:
            totals.grouped += np.bincount(block.group + 1, minlength=len(groups) + 1)
        if domain is not None:
            totals.inside += _inside(block.x, block.y, request.seen["crs"], domain)
            if districts is not None:
                x, y = reprojection(request.seen["crs"], domain)(block.x, block.y)
                known = np.isfinite(x) & np.isfinite(y)
                totals.located += int((districts.locate(x[known], y[known]) >= 0).sum())
    fields = request.seen.get("columns") or _properties(source)
    yield f"Columns: {', '.join(fields) or 'none'}."
    yield from _coordinates(source, totals)
    if domain is not None and totals.numbers:
        yield f"In the domain: {roughly(totals.inside, totals.numbers)} of the points."
        if totals.inside < totals.numbers / 4:
            yield from _remedies(totals, request.seen["crs"], domain)
    if districts is not None and totals.numbers:
        share = roughly(totals.numbers - totals.located, totals.numbers)
        yield f"In no district, and so not counted: {share} of the points."
    if groups is not None:
        yield from _groups(totals, groups)
    if amount is not None:
        yield from _amounts(request.seen.get("amounts", _Amounts(amount)), bounded)
    if person is not None:
        yield from _persons(totals, person, max_records, fields)


def _inside(x: Floats, y: Floats, crs: Any, domain: Domain) -> int:
    return int(in_domain(domain, *reprojection(crs, domain)(x, y))[0].sum())


def _properties(source: PointSource) -> list[str]:
    """Name the properties: GeoJSON declares none, so that features are looked at."""
    if not isinstance(source, FileSource):
        return []
    names: dict[str, None] = {}
    for path in source.files():
        names |= dict.fromkeys(property_names(path))
    return list(names)


# --- coordinates ---------------------------------------------------------------------------------


def _coordinates(source: PointSource, totals: _Totals) -> Iterator[str]:
    if not totals.records:
        yield "Coordinates: no points were found."
        return
    yield f"Coordinates: {roughly(totals.numbers, totals.records)} are numbers."
    if totals.numbers < totals.records * 3 / 4 and isinstance(source, FileSource):
        yield from _marks(source)


def _marks(source: FileSource) -> Iterator[str]:
    """Say what text that is no number may be."""
    layout, path = source.layout, source.files()[0]
    if path_kind(path) != "text" or layout.x is None or layout.y is None:
        return
    decimal = layout.decimal or "."
    other = "," if decimal == "." else "."
    names, separator = [layout.x, layout.y], layout.separator
    batches = read_text(path, names, decimal=decimal, delimiter=separator, encoding=layout.codec)
    columns = next((batch for batch, _ in batches), None)
    if columns is None:
        yield "No line has as many fields as the header line: look at the `separator`."
        return
    values = [value for column in columns.values() for value in texts(column)[:_SAMPLE] if value]
    marked = sum(int(np.isfinite(numbers(column, other)).sum()) for column in columns.values())
    if marked > len(values) / 2:
        mark = "comma" if other == "," else "point"
        yield f"They have a decimal {mark}: say so with `decimal`."
    elif sum(bool(_SEXAGESIMAL.match(value)) for value in values) > len(values) / 2:
        yield "They are degrees, minutes and seconds: make them decimal degrees first."


def _remedies(totals: _Totals, crs: Any, domain: Domain) -> Iterator[str]:
    """Name the other reading of coordinates with the most points in the domain, if any."""
    x, y = (np.concatenate(parts)[:_SAMPLE] for parts in zip(*totals.sample))
    degrees = bool((np.abs(x) <= 360).all() and (np.abs(y) <= 360).all())
    declared = Crs.of(crs) if not isinstance(crs, dict) else None
    readings = [((y, x, crs), "with x and y exchanged: name them the other way round")]
    if degrees and not (declared is not None and declared.geographic):
        readings += [
            ((x, y, _LONLAT), "as longitude and latitude: their CRS is not what was said"),
            ((y, x, _LONLAT), "as latitude and longitude: their CRS is not what was said"),
        ]
    if not degrees:
        readings.append(
            ((x, y, domain.crs), "in the CRS of the domain: theirs is not what was said")
        )
    held = [(_inside(*reading, domain), words) for reading, words in readings]
    most, words = max(held, key=lambda pair: pair[0])
    if most > max(len(x) / 4, _inside(x, y, crs, domain)):
        yield f"{roughly(most, len(x)).capitalize()} would be {words}."
    else:
        yield "Neither exchanged axes nor another CRS explains it: look at the bounds."


# --- groups --------------------------------------------------------------------------------------


def _groups(totals: _Totals, groups: Groups) -> Iterator[str]:
    """Say how many records are in each group, and in none."""
    none, *counts = totals.grouped.tolist()
    total = sum(counts) + none
    for name, count in list(zip(groups.names, counts))[:_MOST_GROUPS]:
        yield f"Of the records, {roughly(count, total)} are in {name!r}."
    if len(groups) > _MOST_GROUPS:
        empty = sum(not count for count in counts)
        yield f"Of all {len(groups):,} groups, {roughly(empty, len(groups))} have no record."
    if none:
        kinds = dict.fromkeys(field.kind for field in groups.fields)
        rules = " ".join(_IN_A_GROUP[kind] for kind in kinds)
        yield f"Of the records, {roughly(none, total)} are in no group: not counted. {rules}"


_DATES = "2024-12-31 or, in a text file, as `date_format` says"
_IN_A_GROUP = {
    "category": "Values must be as they are listed, capital letters too.",
    "number": "Numbers must lie between the first limit and the last.",
    "time": f"Dates must lie between the first limit and the last, and stand as {_DATES}.",
    "clock": "Times of day must lie between the first limit and the last, and stand as 13:30 or "
    f"with a date, as {_DATES}.",
    "weekday": f"Dates must stand as {_DATES}.",
}
"""Rules for the values of a field, by its kind: other records are in no group."""


# --- amounts -------------------------------------------------------------------------------------


def _amounts(amounts: _Amounts, bounded: bool) -> Iterator[str]:
    """Say how large amounts are, in powers of ten, and how many of them the bounds would cut."""
    share = roughly(amounts.numbers, amounts.records)
    yield f"Amounts: {share} of the records have a number in {amounts.amount.field!r}."
    if not amounts.numbers:
        return
    for count, words in ((amounts.negative, "below zero"), (amounts.zero, "zero")):
        if count:
            yield f"Of the amounts, {roughly(count, amounts.numbers)} are {words}."
    if amounts.powers:
        powers = sorted(amounts.powers.elements())
        low, high = (powers[int(part * (len(powers) - 1))] for part in (0.05, 0.95))
        aside = f" {amounts.amount.label}" if amounts.amount.label else ""
        yield (
            f"In size, nine of ten lie between {_power(low)} and {_power(high + 1)}{aside}, and "
            f"all below {_power(powers[-1] + 1)}{aside}."
        )
    if bounded:
        yield (
            f"Of the amounts, {roughly(amounts.above, amounts.numbers)} lie above the bounds and "
            f"{roughly(amounts.below, amounts.numbers)} below: they would count as the bound."
        )
    yield (
        "A bound that is chosen by these amounts is not covered by epsilon: take it from a "
        "contract, the law or an earlier report."
    )


def _power(exponent: int) -> str:
    """Write a power of ten as people do.

    Examples
    --------
    >>> _power(3), _power(-2), _power(20)
    ('1,000', '0.01', '1e+20')
    """
    if -6 <= exponent <= 15:
        return f"{10**exponent:,}" if exponent >= 0 else f"{10.0**exponent:.{-exponent}f}"
    return f"1e{exponent:+d}"


# --- persons -------------------------------------------------------------------------------------


def _persons(
    totals: _Totals, person: str, max_records: int | None, fields: list[str]
) -> Iterator[str]:
    if not totals.by_group:
        near = difflib.get_close_matches(person, fields, 1)
        hint = f" Is it {near[0]!r}?" if near else ""
        yield f"Persons: no record has a value in {person!r}, so that none would be counted.{hint}"
        return
    counts = np.array(list(totals.by_group.values()))
    yield (
        f"Persons: {about(len(counts))}, with {about(float(np.median(counts)))} "
        f"records typically and {about(int(counts.max()))} at the most."
    )
    if totals.nobody:
        share = roughly(totals.nobody, totals.records)
        yield f"Of the records, {share} have no person: not counted."
    if max_records is not None:
        kept = roughly(int(np.minimum(counts, max_records).sum()), int(counts.sum()))
        yield f"As at most {max_records} of each person, {kept} of their records count."
