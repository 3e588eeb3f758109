"""Coverage-guided fuzzing of what parses text: facts of a release, numbers, sizes, ledger amounts.

    python tests/guided.py -runs=20000

Needs the package atheris. It watches which branches an input reaches and breeds those that reach
new ones. Anything but a value or a GeodpError is a finding, and ends the run with a traceback.
"""

from __future__ import annotations

import base64
import json
import resource
import sys
import zlib
from contextlib import suppress

import atheris

with atheris.instrument_imports(include=["geodp"]):
    from fuzzing import CELLS, forged_tags, sample_release

    from geodp.core.common.errors import GeodpError
    from geodp.core.kernel.measurements import Measurements
    from geodp.core.privacy.budget import Budget, exact
    from geodp.core.publish.metadata import release_tags, restore
    from geodp.core.space.domain import Crs
    from geodp.core.space.frame import Frame
    from geodp.core.space.sizes import parse_cell_sizes, parse_sizes
    from geodp.core.space.tree import Tree

RELEASES = [sample_release(cells) for cells in CELLS]
FACTS = [json.loads(release_tags(release)["GEODP_FACTS"]) for release in RELEASES]
FRAME = Frame(RELEASES[0].domain)
MOST_MEMORY = 2 << 30
"""Bytes that no text may need: whoever asks for more gets a MemoryError, which is a finding."""


def forged(provider: atheris.FuzzedDataProvider) -> None:
    """Return any text as facts."""
    release = RELEASES[provider.ConsumeIntInRange(0, len(RELEASES) - 1)]
    restore(forged_tags(release, provider.ConsumeUnicodeNoSurrogates(400)), release.counts)


def one_field(provider: atheris.FuzzedDataProvider) -> None:
    """Return the true facts with one of them replaced by any JSON that parses."""
    kind = provider.ConsumeIntInRange(0, len(RELEASES) - 1)
    release, facts = RELEASES[kind], FACTS[kind]
    field = sorted(facts)[provider.ConsumeIntInRange(0, len(facts) - 1)]
    try:
        value = json.loads(provider.ConsumeUnicodeNoSurrogates(200))
    except (ValueError, RecursionError):
        return
    restore(forged_tags(release, json.dumps({**facts, field: value})), release.counts)


def zipped(provider: atheris.FuzzedDataProvider) -> str:
    """Return any bytes, as they stand in the facts of a tree."""
    packed = zlib.compress(provider.ConsumeBytes(300))
    return base64.b64encode(packed).decode("ascii")


TARGETS = (
    forged,
    one_field,
    lambda provider: Tree.from_text(zipped(provider), FRAME),
    lambda provider: Measurements.from_text(
        provider.ConsumeUnicodeNoSurrogates(20) + ";" + zipped(provider), 100
    ),
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
    # The fuzzer's own limit counts the memory that a parent process ever had, so it is off.
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    atheris.Setup([*sys.argv, "-rss_limit_mb=0"], attack)
    atheris.Fuzz()
