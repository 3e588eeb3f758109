"""An entry for a public register of differentially private releases, as YAML.

What a release knows of itself is filled in, with the words of its publisher. What only people know
is marked as missing, with the question to answer. Sections and names are those of the register that
OpenDP and NIST build (docs/reviewers.md says what was restated, and from where).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..common.errors import InputError
from ..common.phrases import capital
from ..common.text import LONGEST, is_line
from ..common.version import __version__
from ..releases.cell_words import cells_in_words
from ..releases.describe import Description, describe
from ..releases.published import Published

MISSING = "MISSING"
"""Marks a line that somebody has to fill in."""

_QUESTIONS = {
    "name": "what is it called? (title)",
    "data_curator": "who is responsible for the data? (publisher)",
    "intended_use": "what shall it be used for?",
    "data_product_region": "of which country or region is it?",
    "data_product_sector": "of which sector is it: public, health, transport?",
    "publication_date": "when was it published? (date)",
    "justification": "why this epsilon, this unit and this mechanism?",
}
WORDS = ("intended_use", "region", "sector", "justification")
"""What a release does not know, and may be told."""


def registry_entry(release: Published, words: Mapping[str, str | None]) -> str:
    """Write what a register asks about a release, as YAML.

    Parameters
    ----------
    release : Release or ReleaseSet
        What was published.
    words : mapping
        Lines of text by the names of :data:`WORDS`; None where nothing is said.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([], []), town, epsilon=1).with_about(title="Thefts")
    >>> for line in registry_entry(release, {}).splitlines()[1:5]:
    ...     print(line)
    deployment:
      basic:
        name: "Thefts"
        data_curator: null  # MISSING: who is responsible for the data? (publisher)
    """
    for name, text in words.items():
        if text is not None and not is_line(text):
            raise InputError(
                f"the {name.replace('_', ' ')} must be a line of text of at most {LONGEST:,} "
                f"characters; this one is not."
            )
    if release.seeded:
        raise InputError(
            "a register lists private releases; this one was made with a seed, for tests, and is "
            "not private: make it without."
        )
    first = (
        f"# Written by geodp {__version__} from the release; lines that say {MISSING} are yours."
    )
    return "\n".join([first, *_lines({"deployment": _entry(release, words)}, 0)]) + "\n"


def _entry(release: Published, words: Mapping[str, str | None]) -> dict[str, Any]:
    facts = describe(release)
    unit, about = release.method.unit, release.about
    costs = [f"{fact.label}: {fact.text}" for fact in facts.about("cost")]
    shown = f"{about.subject}. " if about.subject else ""
    extent = f"{facts['bounds'].text} in {facts['crs'].text}"
    return {
        "basic": {
            "name": about.title or None,
            "data_curator": about.publisher or None,
            "description": (
                f"{shown}{release.counted.rstrip('.')}, in {cells_in_words(release.cells)}."
            ),
            "intended_use": words.get("intended_use"),
            "data_product_type": "Summary statistics",
            "data_product_region": words.get("region"),
            "data_product_sector": words.get("sector"),
            "publication_date": about.date or None,
        },
        "dp_variant": {
            "name": "Pure differential privacy",
            "data_domain": f"Records with a place{_extra_columns(release)}.",
            "unprotected_quantities": (
                f"Public inputs: the extent ({extent}), what cells could be chosen from, groups, "
                "limits on records and budgets. None of them was read off the records."
            ),
        },
        "privacy_loss": {
            "privacy_unit": unit.kind,
            "privacy_unit_description": (
                f"{facts['protected_unit'].text}; neighbouring datasets: {facts['neighbours'].text}"
            ),
            "privacy_parameters": {"epsilon": float(release.epsilon), "delta": 0},
            "privacy_parameters_description": "; ".join(costs),
        },
        "deployment_model": {
            "model_name": "Central",
            "model_name_description": "The curator holds the records and publishes noisy counts.",
            "actors": "Curator: holds the records, and is trusted. Public: sees what is released.",
            "release_type": "One-shot",
            "release_type_description": "One release; others are added up in a ledger.",
            "data_source_type": "Static",
            "access_type": "Non-interactive",
        },
        "accounting": {
            "post_processing": (
                "Least squares where counts of several levels must agree, answers about regions, "
                "error bars and pictures: all from the published noisy counts."
            ),
            "composition": "Steps add up in exact fractions; groups and cells that share no record "
            "cost once.",
        },
        "implementation": {
            "pre_processing_eda_hyperparameter_tuning": _choice(facts),
            "mechanisms": "; ".join(
                f"{spend.mechanism} (epsilon {float(spend.epsilon):g})" for spend in release.spends
            ),
            "floating_point_and_timing": (
                "Noise is discrete, drawn with whole numbers by rejection, and budgets are exact "
                "fractions: no float decides an outcome. How long a release takes is not hidden "
                "from whoever watches the curator's machine."
            ),
            "software": f"geodp; noise drawn by {facts['sampler'].text}",
            "justification": words.get("justification"),
        },
    }


def _choice(facts: Description) -> str:
    """Say how cells were chosen, and from what, or why there was nothing to choose."""
    way, candidates = facts["tuner"].text, facts["candidates"].text
    if way.startswith("none: "):
        return capital(f"{way}.")
    among = "" if candidates.startswith("nothing: ") else f"; from {candidates}"
    return f"Cells were chosen within epsilon, by {way}{among}."


def _extra_columns(release: Published) -> str:
    parts = ["whose each is"] if release.method.unit.kind == "person" else []
    if release.method.groups is not None:
        parts.append(f"which group each is in ({release.method.groups.in_words})")
    return f", and fields that tell {' and '.join(parts)}" if parts else ""


def _lines(section: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in section.items():
        start = f"{'  ' * depth}{name}:"
        if isinstance(value, Mapping):
            yield start
            yield from _lines(value, depth + 1)
        elif value is None:
            yield f"{start} null  # {MISSING}: {_QUESTIONS[name]}"
        else:
            # JSON is YAML: quotes, colons and signs of any script stay text.
            yield f"{start} {json.dumps(value, ensure_ascii=False)}"
