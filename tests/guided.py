"""Coverage-guided fuzzing of what parses text: facts of a release, numbers, sizes, ledger amounts.

    python tests/guided.py -runs=20000

Needs the package atheris. It watches which branches an input reaches and breeds those that reach
new ones. Anything but a value or a GeodpError is a finding, and ends the run with a traceback.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress

import atheris

with atheris.instrument_imports(include=["geodp"]):
    from fuzzing import sample_release

    from geodp.core.budget import Budget, exact
    from geodp.core.domain import Crs
    from geodp.core.errors import GeodpError
    from geodp.core.metadata import _digest, restore, tags_of
    from geodp.core.sizes import parse_cell_sizes, parse_sizes

MADE = sample_release()
TAGS = tags_of(MADE)
FACTS = json.loads(TAGS["GEODP_FACTS"])


def forged(text: str) -> None:
    restore({**TAGS, "GEODP_FACTS": text, "GEODP_DIGEST": _digest(text, MADE.counts)}, MADE.counts)


def one_field(provider: atheris.FuzzedDataProvider) -> None:
    """The true facts with one of them replaced by any JSON that parses."""
    field = sorted(FACTS)[provider.ConsumeIntInRange(0, len(FACTS) - 1)]
    try:
        value = json.loads(provider.ConsumeUnicodeNoSurrogates(200))
    except (ValueError, RecursionError):
        return
    forged(json.dumps({**FACTS, field: value}))


TARGETS = (
    lambda provider: forged(provider.ConsumeUnicodeNoSurrogates(400)),
    one_field,
    lambda provider: exact(provider.ConsumeUnicodeNoSurrogates(40)),
    lambda provider: Budget(provider.ConsumeUnicodeNoSurrogates(20)).split("0.1"),
    lambda provider: parse_sizes(provider.ConsumeUnicodeNoSurrogates(40)),
    lambda provider: parse_cell_sizes(provider.ConsumeUnicodeNoSurrogates(40), Crs("EPSG:5070")),
)


def attack(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    target = TARGETS[provider.ConsumeIntInRange(0, len(TARGETS) - 1)]
    with suppress(GeodpError):
        target(provider)


if __name__ == "__main__":
    atheris.Setup(sys.argv, attack)
    atheris.Fuzz()
