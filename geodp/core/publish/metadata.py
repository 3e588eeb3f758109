"""Write a release as text tags, alike in every format, and read it again.

Some tags are for people, in the words of ``releases.describe``; ``GEODP_COUNTS`` says what the
counts are of. One holds all that a release is made of as JSON (``GEODP_FACTS``), and
``GEODP_DIGEST`` is a checksum over facts and counts, so that a file that was edited or cut short is
noticed. A checksum is no signature: it guards against accidents, not against forgery.

Of a regular grid the counts are in the file itself, and the tags hold the rest. Of a tree of cells
the file shows estimates, and its tags hold what these are made of: the tree and its measurements.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.cells import Cells
from ..cells.district_cells import DistrictCells
from ..cells.district_tree_cells import DistrictTreeCells
from ..cells.grid_cells import GridCells
from ..cells.h3_cells import H3Cells
from ..cells.hexagon_cells import HexagonCells
from ..cells.partitions import Alternative
from ..cells.tree_cells import TreeCells
from ..common.errors import FileError, GeodpError
from ..common.text import is_line
from ..common.version import __version__
from ..estimates.direct import measured_once
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend, exact, total
from ..privacy.quantity import PLAIN, Quantity
from ..privacy.unit import Unit
from ..records.amounts import Amount
from ..records.groups import Groups, slugs
from ..releases.about import About
from ..releases.published import Method, Published
from ..releases.release import Release
from ..releases.release_set import ReleaseSet
from ..space.domain import Crs, Domain
from ..space.support import Support
from .views import VIEWS

_MOST_LINES, _MOST_CANDIDATES = 1 << 22, 1000
"""A hostile file must not make us build grids without end."""

KINDS: dict[str, type[Cells]] = {
    kind.format: kind
    for kind in (GridCells, TreeCells, DistrictCells, HexagonCells, DistrictTreeCells, H3Cells)
}
"""Kinds of cells by the format in which they are written."""

GROUPED = "+groups"
"""Behind the format where a file holds several groups: programs that know none must not open it."""

AMOUNTS = "+amounts"
"""Behind the format where a file holds sums of an amount, likewise."""

IN_UNITS = "+units"
"""Behind the format where counts were measured in units of which several make one, likewise."""

_NODES, _NODES_PER_CHARACTER = 1 << 20, 16
"""Nodes that a file may claim, and more of them for each character of its measurements. Noise takes
some bits for every node, however it is zipped: a file that claims many more is hostile."""

_MOST_COUNTS = 1 << 28
"""Cells times groups."""

PREFIX = "GEODP_"

_PACKED = re.compile(r"[A-Za-z0-9+/=,;.]*")
"""Numbers as :mod:`geodp.core.common.compact` packs them, behind scales as fractions."""


def release_tags(release: Published) -> dict[str, str]:
    """Return text tags that describe a release completely, counts aside.

    Examples
    --------
    >>> import geodp, numpy as np
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release((np.zeros(0), np.zeros(0)), town, epsilon=1)
    >>> tags = release_tags(release)
    >>> tags["GEODP_EPSILON"], tags["GEODP_PRIVACY_UNIT"]
    ('1', 'record')
    >>> restore(tags, release.counts).epsilon
    Fraction(1, 1)
    """
    facts = json.dumps(_facts(release), sort_keys=True, separators=(",", ":"))
    description = release.describe()
    steps = [
        f"{fact.label}: {fact.text}" for fact in description.about("cost") if fact.key != "epsilon"
    ]
    readable = {
        "FORMAT": _format(release),
        "VERSION": __version__,
        "PROMISE": description["promise"].text,
        "COUNTS": description["counted"].text,
        "EPSILON": str(release.epsilon),
        "PRIVACY_UNIT": description["protected_unit"].value,
        "MAX_RECORDS": str(description["max_records"].value or ""),
        "NEIGHBOURS": description["neighbours"].value,
        "SPENDS": "; ".join(steps),
        "TUNER": description["tuner"].text,
        "WORKLOAD": description["tuned_for"].text,
        "NOISE": description["noise_scale"].text,
        "DOMAIN": " ".join(map(repr, release.domain.bounds)),
        "GRID": description["cells"].text,
        "SEEDED": "yes: NOT private" if release.seeded else "no",
        **{name.upper(): text for name, text in release.about.given.items()},
        "FACTS": facts,
        "DIGEST": _digest(facts, _checked_values(release)),
    }
    if release.domain.within is not None:
        share = description["within_share"].text
        readable["WITHIN"] = f"{share}; checksum {release.domain.within.digest}"
    if release.method.groups is not None:
        names = release.groups or (release.method.group or "all together",)
        readable["GROUPS"] = "; ".join(names)
        readable["GROUPED_BY"] = release.method.groups.in_words.removeprefix("by ")
    return {PREFIX + key: value for key, value in readable.items()}


def restore(tags: Mapping[str, str], counts: npt.NDArray[Any]) -> Release | ReleaseSet:
    """Make a release again from its tags and counts.

    Raises
    ------
    FileError
        If the tags are missing, from a newer format, or do not belong to these counts.
    """
    return FileTags(tags).release(counts)


class FileTags:
    """Read what the tags of a file say, before its counts are read.

    Parameters
    ----------
    tags : mapping
        Metadata of the file.

    Attributes
    ----------
    cells : Cells
        Where the file's cells must lie.
    groups : Groups or None
        What the file holds counts of, where it holds several groups.
    """

    def __init__(self, tags: Mapping[str, str]) -> None:
        if PREFIX + "FACTS" not in tags or PREFIX + "DIGEST" not in tags:
            raise FileError("this is not a geodp release: it does not carry the GEODP tags of one.")
        form = tags.get(PREFIX + "FORMAT", "")
        plain = form.removesuffix(IN_UNITS).removesuffix(AMOUNTS)
        kind = KINDS.get(plain.removesuffix(GROUPED))
        if kind is None:
            raise FileError(
                f"this geodp reads releases of format {' and '.join(KINDS)}; the file has another "
                "format: use the version of geodp that wrote it, or a newer one."
            )
        self._text, self._digest = tags[PREFIX + "FACTS"], tags[PREFIX + "DIGEST"]
        with _described():
            self._facts = json.loads(self._text)
            _check_texts(self._facts)
            self._domain = _domain(self._facts["domain"])
            most = _NODES + _NODES_PER_CHARACTER * len(self._facts.get("measured", ""))
            self.cells = kind.from_facts(self._facts, self._domain, most)
            grouped = plain.endswith(GROUPED)
            self._quantity = _quantity(self._facts)
            if form.endswith(IN_UNITS) != (self._quantity.units > 1):
                raise ValueError("units that the format does not name")
            self.groups = Groups.from_facts(self._facts["groups"]) if grouped else None
        if self.groups is not None and len(self.cells) * len(self.groups) > _MOST_COUNTS:
            raise FileError(f"a release has at most {_MOST_COUNTS:,} counts; this file has more.")

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the shape of the counts: cells, in a row for each group if there are any."""
        cells = len(self.cells)
        return (cells,) if self.groups is None else (len(self.groups), cells)

    @property
    def has_integer_counts(self) -> bool:
        """Tell whether the counts are whole numbers."""
        return self.cells.nodes is None and self._quantity.units == 1

    @property
    def columns(self) -> list[str]:
        """Return columns of a vector grid that hold the counts."""
        if self.groups is None:
            return ["count"]
        return [f"count_{slug}" for slug in slugs(self.groups.names)]

    def release(self, counts: npt.NDArray[Any]) -> Release | ReleaseSet:
        """Return the release, if these are its counts, in the shape of its cells and groups."""
        counts = np.asarray(counts)
        if counts.shape != self.shape:
            raise changed()
        if self.has_integer_counts and counts.dtype.kind not in "iu":
            raise FileError("the counts of a release are whole numbers; this file holds others.")
        release = self._release(counts)
        # Files and other programs may round what they show of an estimate.
        shown = [counts] if self.groups is None else list(counts)
        for given, one in zip(shown, release.maps.values()):
            if not is_rounded(given, one.counts):
                raise changed()
        return release

    def measured_release(self) -> Release | ReleaseSet:
        """Return a release whose tags hold all that was measured, before any counts are read."""
        assert self.cells.nodes is not None
        return self._release(np.broadcast_to(0.0, self.shape))

    def _release(self, counts: npt.NDArray[Any]) -> Release | ReleaseSet:
        with _described():
            measured = self._measured(counts)
            release = _release(self._facts, self._domain, self.cells, measured, self.groups)
            if _digest(self._text, _checked_values(release)) != self._digest:
                raise changed()
        return release

    def _measured(self, counts: npt.NDArray[Any]) -> list[Measurements]:
        """Return what was published, of each group."""
        facts = self._facts
        terms = int(facts.get("terms", 1))
        if self.groups is None:
            return [layer.with_terms(terms) for layer in self._layers(facts, counts)]
        parts = facts.get("parts", [{}] * len(self.groups))
        by_group = (
            self._layers({**facts, **part}, group_counts)
            for part, group_counts in zip(parts, counts)
        )
        return [layer for layers in by_group for layer in layers]

    def _layers(self, facts: dict[str, Any], counts: npt.NDArray[Any]) -> list[Measurements]:
        """Return what was published of one group: of an amount, above and below."""
        listed = [facts, {**facts, "measured": facts["below"]}] if "amount" in facts else [facts]
        return [_measured(self.cells, measurement, counts) for measurement in listed]


def is_rounded(given: npt.NDArray[Any], counts: npt.NDArray[Any]) -> bool:
    """Tell whether a file shows these counts, as programs and 32 bits may round them."""
    return bool(np.allclose(given, counts, rtol=1e-6, atol=1e-6))


def _format(release: Published) -> str:
    """Name the format of a release's file, with all that a program must know to open it."""
    groups = GROUPED if release.groups else ""
    amounts = AMOUNTS if release.method.amount is not None else ""
    units = IN_UNITS if release.method.quantity.units > 1 else ""
    return release.cells.format + groups + amounts + units


def _quantity(facts: dict[str, Any]) -> Quantity:
    return Quantity.from_facts(facts["quantity"]) if "quantity" in facts else PLAIN


def changed() -> FileError:
    """Return the error about contents that are not what was written."""
    return FileError(
        "this release was changed or cut short after it was written: its checksum does not "
        "match its contents; get the original file."
    )


def _check_texts(facts: Any) -> None:
    """Refuse what is no line of text anywhere in the facts of a file, keys included.

    The CRS has a rule of its own, and what is packed is long: letters and digits without spaces.
    """
    waiting: list[Any] = [facts]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, list):
            waiting += [part for part in item if not isinstance(part, (int, float))]
        elif isinstance(item, str) and not (is_line(item) or _PACKED.fullmatch(item)):
            wkt = item.isprintable() and item == facts["domain"]["crs"]
            if not wkt:
                raise ValueError("text that is none of a line")


@contextmanager
def _described() -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except (
        *(GeodpError, LookupError, TypeError, ValueError, AttributeError),
        *(RecursionError, ArithmeticError),
        zlib.error,
    ):
        raise FileError("the GEODP tags of this file do not describe a release.") from None


def view_tags(release: Published, view: str) -> dict[str, str]:
    """Return tags of a raster that shows a view: the release itself, or what is derived from it."""
    what, _, done = VIEWS[view]
    return release_tags(release) if view == "counts" else derived_tags(release, what, done)


def derived_tags(release: Published, what: str, done: str = "") -> dict[str, str]:
    """Return tags for what was computed from a release and is no release itself.

    Parameters
    ----------
    release : Release
        What it was computed from.
    what, done : str
        What it is, and what was done to the counts.
    """
    tags = release_tags(release)
    kept = ["VERSION", "PROMISE", "COUNTS", "EPSILON", "PRIVACY_UNIT", "NEIGHBOURS", "NOISE"]
    kept.append("SEEDED")
    derived = {"DERIVED": what, **({"DONE": done} if done else {})}
    return {PREFIX + key: text for key, text in derived.items()} | {
        PREFIX + key: tags[PREFIX + key] for key in kept
    }


def _digest(facts: str, values: npt.NDArray[Any]) -> str:
    hasher = hashlib.sha256(facts.encode())
    hasher.update(repr(values.shape).encode())
    hasher.update(np.ascontiguousarray(values, dtype="<i8").tobytes())
    return hasher.hexdigest()


def _checked_values(release: Published) -> npt.NDArray[Any]:
    """Return what the checksum is over: the published numbers, of all groups."""
    if release.method.amount is not None:
        layers = [layer for one in release.maps.values() for layer in one.layers]
        return np.stack([layer.value for layer in layers])
    values = [one.measurements.value for one in release.maps.values()]
    return np.stack(values) if release.groups else values[0]


def _group_facts(release: Published) -> dict[str, Any]:
    """Return what a file says about groups, and what differs between them."""
    method = release.method
    facts: dict[str, Any] = {}
    first = release.first
    terms = (first.measurements if method.amount is None else first.layers[0]).terms
    if terms != 1:
        facts["terms"] = terms
    if method.groups is not None:
        facts |= {"groups": method.groups.to_facts(), "group": method.group}
    if release.groups:
        by_group = [_measured_facts(one) for one in release.maps.values()]
        parts = [{k: v for k, v in group.items() if v != by_group[0][k]} for group in by_group]
        if any(parts):
            facts["parts"] = parts
    return facts


def _measured_facts(release: Release) -> dict[str, Any]:
    """Return what the counts do not tell: their noise, or all that they were made from."""
    if release.method.amount is not None:
        above, below = (layer.to_text() for layer in release.layers)
        return {"measured": above, "below": below}
    if release.cells.nodes is None and release.measurements.units == 1:
        return {"scale": str(release.measurements.scales[0])}
    return {"measured": release.measurements.to_text()}


def _measured(cells: Cells, facts: dict[str, Any], counts: npt.NDArray[Any]) -> Measurements:
    """Make the measurements again, from the counts in the file or from its facts."""
    units = _quantity(facts).units
    if cells.nodes is None and units == 1 and "measured" not in facts:
        return measured_once(cells, counts, exact(facts["scale"]))
    nodes = len(cells) if cells.nodes is None else cells.nodes
    return Measurements.from_text(str(facts["measured"]), nodes).with_units(units)


def _facts(release: Published) -> dict[str, Any]:
    method = release.method
    return {
        "domain": _domain_facts(release.domain),
        **release.cells.to_facts(),
        **_measured_facts(release.first),
        **_group_facts(release),
        "spends": [
            [s.step, s.mechanism, str(s.epsilon), str(s.sensitivity)] for s in release.spends
        ],
        "candidates": [candidate.layout for candidate in method.candidates],
        "workload": method.workload,
        "tuner": method.tuner,
        "neighbours": method.unit.neighbours,
        "unit": method.unit.kind,
        "max_records": method.unit.max_records,
        "noise": method.noise,
        "seeded": release.seeded,
        **({} if method.quantity.plain else {"quantity": method.quantity.to_facts()}),
        **({} if method.amount is None else {"amount": method.amount.to_facts()}),
        **({"about": release.about.given} if release.about.given else {}),
    }


def _domain_facts(domain: Domain) -> dict[str, Any]:
    facts = {
        "bounds": list(domain.bounds),
        "crs": domain.crs.name,
        "metres_per_unit": domain.crs.metres_per_unit,
        "geographic": domain.crs.geographic,
        "resolution": domain.resolution,
    }
    return facts if domain.within is None else {**facts, "within": domain.within.to_facts()}


def _domain(about: dict[str, Any]) -> Domain:
    crs = Crs.from_file(about["crs"], bool(about["geographic"]), float(about["metres_per_unit"]))
    bounds = tuple(about["bounds"])
    return Domain(
        bounds,
        crs,
        within=Support.from_facts(about["within"], bounds) if "within" in about else None,
        resolution=about["resolution"],
        allow_geographic=crs.geographic,
    )


def _most(value: Any) -> int | None:
    return None if value is None else int(value)


def _release(
    facts: dict[str, Any],
    domain: Domain,
    cells: Cells,
    measured: list[Measurements],
    groups: Groups | None,
) -> Release | ReleaseSet:
    sizes = [max(sides) if isinstance(sides, list) else 0 for sides in facts["candidates"]]
    if sum(sizes) > _MOST_LINES or len(sizes) > _MOST_CANDIDATES:
        raise ValueError("more candidates than anyone would have")
    method = Method(
        candidates=tuple(
            Alternative(str(candidate["words"]))
            if isinstance(candidate, dict) and "words" in candidate
            else cells.candidate(candidate, domain)
            for candidate in facts["candidates"]
        ),
        workload=str(facts["workload"]),
        tuner=str(facts["tuner"]),
        unit=Unit(str(facts["unit"]), _most(facts["max_records"]), str(facts["neighbours"])),
        noise=str(facts["noise"]),
        groups=Groups.from_facts(facts["groups"]) if "groups" in facts else None,
        group=str(facts.get("group", "")),
        quantity=_quantity(facts),
        amount=Amount.from_facts(facts["amount"]) if "amount" in facts else None,
    )
    if method.group and method.groups is not None:
        method.groups.group_index(method.group)
    spends = tuple(
        Spend(str(step), str(mechanism), exact(epsilon), exact(sensitivity))
        for step, mechanism, epsilon, sensitivity in facts["spends"]
    )
    float(total(spends))  # an amount that no number holds is no promise either
    about = About.of(**facts.get("about", {}))
    seeded = bool(facts["seeded"])
    if groups is not None:
        return ReleaseSet(cells, tuple(measured), spends, method, seeded, about)
    if method.amount is not None:
        both = Measurements.sum(measured)
        return Release(cells, both, spends, method, seeded, about, tuple(measured))
    return Release(cells, measured[0], spends, method, seeded, about)
