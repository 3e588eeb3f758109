"""What a written release says about itself: text tags, alike in every format.

Some tags are for people, in the words of :mod:`geodp.core.describe`; ``GEODP_COUNTS`` says what the
counts are of. One holds all that a release is made of as JSON (``GEODP_FACTS``), and
``GEODP_DIGEST`` is a checksum over facts and counts, so that a file that was edited or cut short is
noticed. A checksum is no signature: it guards against accidents, not against forgery.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .budget import Spend, exact, total
from .domain import Crs, Domain
from .errors import FileError, GeodpError
from .grid import Grid
from .release import Method, Release
from .unit import Unit
from .version import __version__

_MOST_LINES, _MOST_CANDIDATES = 1 << 22, 1000
"""A hostile file must not make us build grids without end."""

FORMAT = "2"
PREFIX = "GEODP_"


def tags_of(release: Release) -> dict[str, str]:
    """Text tags that describe a release completely, counts aside.

    Examples
    --------
    >>> import geodp, numpy as np
    >>> town = geodp.Domain((0, 0, 4, 4), crs="EPSG:5070")
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
        "FORMAT": FORMAT,
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
        "DOMAIN": " ".join(map(repr, release.grid.domain.bounds)),
        "GRID": found["cells"].text,
        "SEEDED": "yes: NOT private" if release.seeded else "no",
        "FACTS": facts,
        "DIGEST": _digest(facts, release.counts),
    }
    return {PREFIX + key: value for key, value in readable.items()}


def restore(tags: Mapping[str, str], counts: npt.NDArray[Any]) -> Release:
    """Make a release again from its tags and counts.

    Raises
    ------
    FileError
        If the tags are missing, from a newer format, or do not belong to these counts.
    """
    if PREFIX + "FACTS" not in tags or PREFIX + "DIGEST" not in tags:
        raise FileError("this is not a geodp release: it does not carry the GEODP tags of one.")
    if tags.get(PREFIX + "FORMAT") != FORMAT:
        raise FileError(
            f"this geodp reads releases of format {FORMAT}; the file has another format: "
            "use the version of geodp that wrote it, or a newer one."
        )
    text = tags[PREFIX + "FACTS"]
    counts = np.asarray(counts)
    if not np.issubdtype(counts.dtype, np.integer):
        raise FileError("the counts of a release are whole numbers; this file holds others.")
    if _digest(text, counts) != tags[PREFIX + "DIGEST"]:
        raise FileError(
            "this release was changed or cut short after it was written: its checksum does not "
            "match its contents; get the original file."
        )
    try:
        return _release(json.loads(text), counts)
    except (GeodpError, LookupError, TypeError, ValueError, RecursionError, OverflowError):
        raise FileError("the GEODP tags of this file do not describe a release.") from None


def derived_tags(release: Release, what: str) -> dict[str, str]:
    """Tags for what was computed from a release and is no release itself."""
    tags = tags_of(release)
    kept = ["VERSION", "PROMISE", "COUNTS", "EPSILON", "PRIVACY_UNIT", "NEIGHBOURS", "NOISE"]
    kept.append("SEEDED")
    return {PREFIX + "DERIVED": what} | {PREFIX + key: tags[PREFIX + key] for key in kept}


def _digest(facts: str, counts: npt.NDArray[Any]) -> str:
    hasher = hashlib.sha256(facts.encode())
    hasher.update(repr(counts.shape).encode())
    hasher.update(np.ascontiguousarray(counts, dtype="<i8").tobytes())
    return hasher.hexdigest()


def _facts(release: Release) -> dict[str, Any]:
    domain, method = release.grid.domain, release.method
    return {
        "domain": {
            "bounds": list(domain.bounds),
            "crs": domain.crs.name,
            "metres_per_unit": domain.crs.metres_per_unit,
            "geographic": domain.crs.geographic,
            "resolution": domain.resolution,
        },
        "grid": _cut(release.grid),
        "scale": str(release.scale),
        "spends": [
            [s.step, s.mechanism, str(s.epsilon), str(s.sensitivity)] for s in release.spends
        ],
        "candidates": [_cut(grid) for grid in method.candidates],
        "workload": method.workload,
        "tuner": method.tuner,
        "neighbours": method.unit.neighbours,
        "unit": method.unit.kind,
        "max_records": method.unit.max_records,
        "noise": method.noise,
        "seeded": release.seeded,
    }


def _cut(grid: Grid) -> list[int] | float:
    """Shape, or cell size where the grid is laid out by that."""
    return list(grid.shape) if grid.cell_size is None else grid.cell_size


def _release(facts: dict[str, Any], counts: npt.NDArray[Any]) -> Release:
    about = facts["domain"]
    crs = Crs(str(about["crs"]), bool(about["geographic"]), float(about["metres_per_unit"]))
    domain = Domain(
        tuple(about["bounds"]),
        crs,
        resolution=about["resolution"],
        allow_geographic=crs.geographic,
    )
    sizes = [max(cut) if isinstance(cut, list) else 0 for cut in facts["candidates"]]
    if sum(sizes) > _MOST_LINES or len(sizes) > _MOST_CANDIDATES:
        raise ValueError("more candidates than anyone would have")
    method = Method(
        candidates=tuple(_grid(domain, cut) for cut in facts["candidates"]),
        workload=str(facts["workload"]),
        tuner=str(facts["tuner"]),
        unit=Unit(str(facts["unit"]), int(facts["max_records"]), str(facts["neighbours"])),
        noise=str(facts["noise"]),
    )
    spends = tuple(
        Spend(str(step), str(mechanism), exact(epsilon), exact(sensitivity))
        for step, mechanism, epsilon, sensitivity in facts["spends"]
    )
    float(total(spends))  # an amount that no number holds is no promise either
    grid, scale = _grid(domain, facts["grid"]), exact(facts["scale"])
    return Release(grid, counts, scale, spends, method, bool(facts["seeded"]))


def _grid(domain: Domain, cut: Any) -> Grid:
    if isinstance(cut, list):
        return Grid(domain, (cut[0], cut[1]))
    return Grid(domain, cell_size=float(cut))
