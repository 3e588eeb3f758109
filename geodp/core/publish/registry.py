"""An entry for a public register of differentially private releases, as YAML.

What a release knows of itself is filled in, with the words of its publisher. What only people know
is marked as missing, with the question to answer. Sections and names are those of the register that
OpenDP and NIST build (docs/reviewers.md says what was restated, and from where). It takes no other
fields, so that floating point, timing and software stand among the mechanisms.
"""

from __future__ import annotations

import json
import re
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
    "url_slug": "a short name for its address, such as thefts-city-of-ohio-2025",
    "name": "what is it called? (title)",
    "data_curator_name": "who is responsible for the data? (publisher)",
    "data_curator_type": "what is the curator: Government, Nonprofit, Company?",
    "intended_use": "what shall it be used for?",
    "data_product_region": "of which country or region is it?",
    "data_product_sector": "of which sector is it: Government, Healthcare, Technology?",
    "publication_date": "when was it published? (date, as 2025-12-31)",
    "justification": "why this epsilon, this unit and this mechanism?",
    "sources": "where is it described?",
    "registry_authors": "who wrote this entry?",
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
    >>> for line in registry_entry(release, {}).splitlines()[3:8]:
    ...     print(line)
    tier: 3
    deployment:
      basic:
        name: "Thefts"
        data_curators:
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
    about = release.about
    entry = {
        "url_slug": _slug(about.title, about.publisher, about.date) if about.title else None,
        "status": "Draft",
        "tier": 3,
        "deployment": _deployment(release, words),
    }
    return "\n".join([first, *_lines(entry, 0)]) + "\n"


def _slug(*words: str) -> str | None:
    """Join words for an address.

    Examples
    --------
    >>> _slug("Thefts, by kind", "", "2025")
    'thefts-by-kind-2025'
    """
    return "-".join(re.findall("[a-z0-9]+", " ".join(words).lower())) or None


def _deployment(release: Published, words: Mapping[str, str | None]) -> dict[str, Any]:
    facts = describe(release)
    unit, about = release.method.unit, release.about
    costs = [f"{fact.label}: {fact.text}" for fact in facts.about("cost")]
    shown = f"{about.subject}. " if about.subject else ""
    extent = f"{facts['bounds'].text} in {facts['crs'].text}"
    return {
        "basic": {
            "name": about.title or None,
            "data_curators": [
                {"data_curator_name": about.publisher or None, "data_curator_type": None}
            ],
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
            "variant_name": "Pure DP",
            "data_domain": f"Records with a place{_extra_columns(release)}.",
            "unprotected_quantities": (
                f"Public inputs: the extent ({extent}), what cells could be chosen from, groups, "
                "limits on records and budgets. None of them was read off the records."
            ),
        },
        "privacy_loss": {
            "privacy_unit": _UNITS[unit.kind],
            "privacy_unit_details": (
                f"{facts['protected_unit'].text}; neighbouring datasets: {facts['neighbours'].text}"
            ),
            "privacy_parameters": {"epsilon": float(release.epsilon), "delta": 0},
            "privacy_parameters_details": "; ".join(costs),
        },
        "deployment_model": {
            "model_name": "Central",
            "model_name_details": "The curator holds the records and publishes noisy counts.",
            "actors": "Curator: holds the records, and is trusted. Public: sees what is released.",
            "release_type": "One release",
            "release_type_details": "Others about the same people are added up in a ledger.",
            "data_source_type": "Static",
            "access_type": "Non-interactive",
            "access_type_details": "Readers have files, and ask these, not the records.",
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
            "preprocessing_and_hyperparameter_tuning": _choice(facts),
            "mechanisms": (
                "; ".join(
                    f"{spend.mechanism} (epsilon {float(spend.epsilon):g})"
                    for spend in release.spends
                )
                + f". By geodp {__version__}; noise drawn by {facts['sampler'].text}. Floating "
                "point: noise is discrete, drawn with whole numbers by rejection, and budgets are "
                "exact fractions: no float decides an outcome. Timing: how long a release takes is "
                "not hidden from whoever watches the curator's machine."
            ),
            "justification": words.get("justification"),
        },
        "administrative": {"sources": None, "registry_authors": None},
    }


_UNITS = {"record": "Record-level", "feature": "Feature-level", "person": "Individual-level"}
"""What is protected, as entries of the register say it."""


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
        elif isinstance(value, list):
            yield start
            for item in value:  # the first line of each has a dash before it
                head, *tail = _lines(item, depth + 2)
                indent = "  " * (depth + 1)
                yield from (f"{indent}- {head.lstrip()}", *tail)
        elif value is None:
            yield f"{start} null  # {MISSING}: {_QUESTIONS[name]}"
        else:
            # JSON is YAML: quotes, colons and signs of any script stay text.
            yield f"{start} {json.dumps(value, ensure_ascii=False)}"
