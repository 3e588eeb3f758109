"""What a written release says about itself: text tags, alike in every format.

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

from ..common.errors import FileError, GeodpError
from ..common.text import is_line
from ..common.version import __version__
from ..estimates.adaptive import AdaptiveCells
from ..estimates.partition import Partition
from ..estimates.regular import RegularCells
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend, exact, total
from ..privacy.unit import Unit
from ..records.groups import Layers, slugs
from ..releases.about import About
from ..releases.release import Method, Release
from ..releases.release_set import Layered
from ..space.domain import Crs, Domain
from ..space.support import Support
from .views import VIEWS

_MOST_LINES, _MOST_CANDIDATES = 1 << 22, 1000
"""A hostile file must not make us build grids without end."""

KINDS: dict[str, type[Partition]] = {kind.format: kind for kind in (RegularCells, AdaptiveCells)}
"""Kinds of cells by the format in which they are written."""

LAYERED = "+layers"
"""Behind the format where a file holds several layers: programs that know none must not open it."""

_MOST_COUNTS = 1 << 28
"""Cells times layers."""

PREFIX = "GEODP_"

_PACKED = re.compile(r"[A-Za-z0-9+/=,;.]*")
"""Numbers as :mod:`geodp.core.common.compact` packs them, behind scales as fractions."""


def tags_of(release: Release) -> dict[str, str]:
    """Text tags that describe a release completely, counts aside.

    Examples
    --------
    >>> import geodp, numpy as np
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> made = geodp.release((np.zeros(0), np.zeros(0)), town, epsilon=1)
    >>> tags = tags_of(made)
    >>> tags["GEODP_EPSILON"], tags["GEODP_PRIVACY_UNIT"]
    ('1', 'record')
    >>> restore(tags, made.counts).epsilon
    Fraction(1, 1)
    """
    facts = json.dumps(_facts(release), sort_keys=True, separators=(",", ":"))
    found = release.describe()
    steps = [f"{fact.label}: {fact.text}" for fact in found.about("cost") if fact.key != "epsilon"]
    readable = {
        "FORMAT": release.cells.format + (LAYERED if release.layers else ""),
        "VERSION": __version__,
        "PROMISE": found["promise"].text,
        "COUNTS": found["counted"].text,
        "EPSILON": str(release.epsilon),
        "PRIVACY_UNIT": found["protected_unit"].value,
        "MAX_RECORDS": str(found["max_records"].value),
        "NEIGHBOURS": found["neighbours"].value,
        "SPENDS": "; ".join(steps),
        "TUNER": found["tuner"].text,
        "WORKLOAD": found["tuned_for"].text,
        "NOISE": found["noise_scale"].text,
        "DOMAIN": " ".join(map(repr, release.domain.bounds)),
        "GRID": found["cells"].text,
        "SEEDED": "yes: NOT private" if release.seeded else "no",
        **{name.upper(): text for name, text in release.about.given.items()},
        "FACTS": facts,
        "DIGEST": _digest(facts, _checked_values(release)),
    }
    if release.domain.within is not None:
        share = found["within_share"].text
        readable["WITHIN"] = f"{share}; checksum {release.domain.within.digest}"
    if release.method.layers is not None:
        told = release.layers or (release.method.layer or "all together",)
        readable["LAYERS"] = "; ".join(told)
        readable["LAYERED_BY"] = release.method.layers.in_words.removeprefix("by ")
    return {PREFIX + key: value for key, value in readable.items()}


def restore(tags: Mapping[str, str], counts: npt.NDArray[Any]) -> Release:
    """Make a release again from its tags and counts.

    Raises
    ------
    FileError
        If the tags are missing, from a newer format, or do not belong to these counts.
    """
    return FileTags(tags).release(counts)


class FileTags:
    """What the tags of a file say, before its counts are read.

    Parameters
    ----------
    tags : mapping
        Metadata of the file.

    Attributes
    ----------
    cells : Partition
        Where the file's cells must lie.
    layers : Layers or None
        What the file holds counts of, where it holds several layers.
    """

    def __init__(self, tags: Mapping[str, str]) -> None:
        if PREFIX + "FACTS" not in tags or PREFIX + "DIGEST" not in tags:
            raise FileError("this is not a geodp release: it does not carry the GEODP tags of one.")
        form = tags.get(PREFIX + "FORMAT", "")
        kind = KINDS.get(form.removesuffix(LAYERED))
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
            self.cells = kind.of_facts(self._facts, self._domain)
            layered = form.endswith(LAYERED)
            self.layers = Layers.of_facts(self._facts["layers"]) if layered else None
        if self.layers is not None and len(self.cells) * len(self.layers) > _MOST_COUNTS:
            raise FileError(f"a release has at most {_MOST_COUNTS:,} counts; this file has more.")

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the counts: that of the cells, after one for the layers if there are any."""
        return self.cells.shape if self.layers is None else (len(self.layers), *self.cells.shape)

    @property
    def columns(self) -> list[str]:
        """Columns of a vector grid that hold the counts."""
        if self.layers is None:
            return ["count"]
        return [f"count_{slug}" for slug in slugs(self.layers.names)]

    def release(self, counts: npt.NDArray[Any]) -> Release:
        """Return the release, if these are its counts, in the shape of its cells and layers."""
        counts = np.asarray(counts)
        if counts.shape != self.shape:
            raise changed()
        if self.cells.integer_counts and counts.dtype.kind not in "iu":
            raise FileError("the counts of a release are whole numbers; this file holds others.")
        with _described():
            measured = self._measured(counts)
            made = _release(self._facts, self._domain, self.cells, measured, self.layers)
            if _digest(self._text, _checked_values(made)) != self._digest:
                raise changed()
        # Files and other programs may round what they show of an estimate.
        shown = [counts] if self.layers is None else list(counts)
        for given, one in zip(shown, made.by_group.values()):
            if not np.allclose(given, one.counts, rtol=1e-6, atol=1e-6):
                raise changed()
        return made

    def _measured(self, counts: npt.NDArray[Any]) -> list[Measurements]:
        """What was published, of each layer."""
        facts = self._facts
        if self.layers is None:
            return [self.cells.measured(facts, counts).with_terms(int(facts.get("terms", 1)))]
        parts = facts.get("parts", [{}] * len(self.layers))
        return [self.cells.measured({**facts, **part}, each) for part, each in zip(parts, counts)]


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
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += [part for part in each if not isinstance(part, (int, float))]
        elif isinstance(each, str) and not (is_line(each) or _PACKED.fullmatch(each)):
            wkt = each.isprintable() and each == facts["domain"]["crs"]
            if not wkt:
                raise ValueError("text that is none of a line")


@contextmanager
def _described() -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except (
        *(GeodpError, LookupError, TypeError, ValueError, RecursionError, ArithmeticError),
        zlib.error,
    ):
        raise FileError("the GEODP tags of this file do not describe a release.") from None


def view_tags(release: Release, view: str) -> dict[str, str]:
    """Tags of a raster that shows a view: the release itself, or what is derived from it."""
    what, _, done = VIEWS[view]
    return tags_of(release) if view == "counts" else derived_tags(release, what, done)


def derived_tags(release: Release, what: str, done: str = "") -> dict[str, str]:
    """Tags for what was computed from a release and is no release itself.

    Parameters
    ----------
    release : Release
        What it was computed from.
    what, done : str
        What it is, and what was done to the counts.
    """
    tags = tags_of(release)
    kept = ["VERSION", "PROMISE", "COUNTS", "EPSILON", "PRIVACY_UNIT", "NEIGHBOURS", "NOISE"]
    kept.append("SEEDED")
    told = {"DERIVED": what, **({"DONE": done} if done else {})}
    return {PREFIX + key: text for key, text in told.items()} | {
        PREFIX + key: tags[PREFIX + key] for key in kept
    }


def _digest(facts: str, values: npt.NDArray[Any]) -> str:
    hasher = hashlib.sha256(facts.encode())
    hasher.update(repr(values.shape).encode())
    hasher.update(np.ascontiguousarray(values, dtype="<i8").tobytes())
    return hasher.hexdigest()


def _checked_values(release: Release) -> npt.NDArray[Any]:
    """What the checksum is over: the published numbers, of each layer if there are any."""
    found = [release.cells.checked_values(one.measurements) for one in release.by_group.values()]
    return np.stack(found) if release.layers else found[0]


def _layer_facts(release: Release) -> dict[str, Any]:
    """What a file says about layers, where there are any, and what differs between them."""
    method = release.method
    found: dict[str, Any] = {}
    if release.measurements.terms != 1 and not release.layers:
        found["terms"] = release.measurements.terms
    if method.layers is not None:
        found |= {"layers": method.layers.to_facts(), "layer": method.layer}
    if release.layers:
        each = [release.cells.to_facts(one.measurements) for one in release.by_group.values()]
        parts = [{k: v for k, v in own.items() if v != each[0][k]} for own in each]
        if any(parts):
            found["parts"] = parts
    return found


def _facts(release: Release) -> dict[str, Any]:
    method = release.method
    first = next(iter(release.by_group.values()))
    return {
        "domain": _domain_facts(release.domain),
        **release.cells.to_facts(first.measurements),
        **_layer_facts(release),
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
        **({"about": release.about.given} if release.about.given else {}),
    }


def _domain_facts(domain: Domain) -> dict[str, Any]:
    found = {
        "bounds": list(domain.bounds),
        "crs": domain.crs.name,
        "metres_per_unit": domain.crs.metres_per_unit,
        "geographic": domain.crs.geographic,
        "resolution": domain.resolution,
    }
    return found if domain.within is None else {**found, "within": domain.within.to_facts()}


def _domain(about: dict[str, Any]) -> Domain:
    crs = Crs.from_file(about["crs"], bool(about["geographic"]), float(about["metres_per_unit"]))
    bounds = tuple(about["bounds"])
    return Domain(
        bounds,
        crs,
        within=Support.of_facts(about["within"], bounds) if "within" in about else None,
        resolution=about["resolution"],
        allow_geographic=crs.geographic,
    )


def _release(
    facts: dict[str, Any],
    domain: Domain,
    cells: Partition,
    measured: list[Measurements],
    layers: Layers | None,
) -> Release:
    sizes = [max(each) if isinstance(each, list) else 0 for each in facts["candidates"]]
    if sum(sizes) > _MOST_LINES or len(sizes) > _MOST_CANDIDATES:
        raise ValueError("more candidates than anyone would have")
    method = Method(
        candidates=tuple(cells.candidate(each, domain) for each in facts["candidates"]),
        workload=str(facts["workload"]),
        tuner=str(facts["tuner"]),
        unit=Unit(str(facts["unit"]), int(facts["max_records"]), str(facts["neighbours"])),
        noise=str(facts["noise"]),
        layers=Layers.of_facts(facts["layers"]) if "layers" in facts else None,
        layer=str(facts.get("layer", "")),
    )
    if method.layer and method.layers is not None:
        method.layers.place_of(method.layer)
    spends = tuple(
        Spend(str(step), str(mechanism), exact(epsilon), exact(sensitivity))
        for step, mechanism, epsilon, sensitivity in facts["spends"]
    )
    float(total(spends))  # an amount that no number holds is no promise either
    about = About.of(**facts.get("about", {}))
    seeded = bool(facts["seeded"])
    if layers is not None:
        return Layered.of(cells, measured, spends, method, seeded, about)
    return Release(cells, measured[0], spends, method, seeded, about)
