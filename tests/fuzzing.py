"""Inputs that nobody should have made: mutated files, hostile tags, odd values.

Whatever is read must come out as what was written, or be refused with a sentence of ours.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np

import geodp
from geodp import GeodpError
from geodp.core.kernel.measurements import Measurements
from geodp.core.publish import metadata
from geodp.core.publish.metadata import _digest, release_tags, restore

RECORD = geodp.Unit("record")
CELLS = ("regular", "adaptive")
FORMATS = (".tif", ".gpkg", ".parquet", ".fgb")


def mutants(data: bytes, rng: random.Random) -> Iterator[bytes]:
    """Yield endless damaged copies: bytes changed, cut, doubled, swapped for telling ones."""
    telling = [b"\x00", b"\xff", b"\x7f", b"GEODP_", b"1e999999", b'{"', b"\xff\xff\xff\x7f"]
    while True:
        broken = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 8, 64])):
            at = rng.randrange(len(broken) + 1)
            action = rng.randrange(4)
            if action == 0 and at < len(broken):
                broken[at] = rng.randrange(256)
            elif action == 1:
                word = rng.choice(telling)
                broken[at : at + len(word)] = word
            elif action == 2:
                del broken[at : at + rng.choice([1, 16, 4096])]
            else:
                broken[at:at] = broken[at : at + rng.choice([1, 16, 512])]
        yield bytes(broken)


def sample_release(cells: str = "regular") -> geodp.Release:
    domain = geodp.Domain((0, 0, 60, 40), crs="EPSG:5070")
    points = (np.full(50, 9.0), np.full(50, 9.0))
    if cells == "adaptive":
        return geodp.release(points, domain, epsilon=1, seed=1, cells=cells)
    return geodp.release(
        points, cells=geodp.Regular(geodp.candidate_grids(domain, [4, 6])), epsilon=1, seed=1
    )


def forged_tags(release: geodp.Release, facts: str) -> dict[str, str]:
    """Return tags with other facts, of an attacker who knows how the checksum is made."""
    values = metadata._checked_values(release)
    with suppress(GeodpError, LookupError, TypeError, ValueError, RecursionError):
        # Of a regular grid the measurements are in the file, and not among the facts.
        values = Measurements.from_text(str(json.loads(facts)["measured"]), 1 << 16).value
    return {**release_tags(release), "GEODP_FACTS": facts, "GEODP_DIGEST": _digest(facts, values)}


def fuzz_files(folder: Path, each: int, seed: int = 0) -> int:
    """Open damaged copies of releases in every format; return how many were tried."""
    rng, tried = random.Random(seed), 0
    for cells, suffix in product(CELLS, FORMATS):
        release, original = sample_release(cells), folder / f"{cells}{suffix}"
        release.to_geotiff(original) if suffix == ".tif" else release.to_vector(original)
        source = mutants(original.read_bytes(), rng)
        for _ in range(each):
            path = folder / f"damaged{suffix}"
            path.write_bytes(next(source))
            unharmed(path, release)
            for left in folder.glob("damaged*"):  # journals and the like
                shutil.rmtree(left) if left.is_dir() else left.unlink()
            tried += 1
    return tried


def unharmed(path: Path, release: geodp.Release) -> None:
    """Check that a damaged file is refused, or still holds the very same release."""
    try:
        opened = geodp.open_release(path)
    except GeodpError as error:
        assert "\n" not in str(error)
        return
    assert opened.cells == release.cells
    assert opened.measurements == release.measurements
    assert opened.spends == release.spends


def fuzz_tags(each: int, seed: int = 0) -> int:
    """Damage one tag at a time, with a right checksum over it, and restore."""
    rng = random.Random(seed)
    for cells in CELLS:
        release = sample_release(cells)
        source = mutants(release_tags(release)["GEODP_FACTS"].encode(), rng)
        for _ in range(each):
            facts = next(source).decode("utf-8", "replace")
            try:
                restored = restore(forged_tags(release, facts), release.counts)
            except GeodpError as error:
                assert "\n" not in str(error)
            else:
                assert restored.counts.shape == (len(restored.cells),)
                str(restored.promise)
    return len(CELLS) * each


def fuzz_ledgers(folder: Path, each: int, seed: int = 0) -> int:
    """Damage a ledger: it must be refused and left alone, or never show less than was spent."""
    rng = random.Random(seed)
    original = geodp.Ledger(folder / "whole")
    original.register("d", cap=10)
    for _ in range(20):
        original["d"].spend("1/10", RECORD, "one of twenty")
    source = mutants(original.path.read_bytes(), rng)
    for _ in range(each):
        path = folder / "damaged"
        path.write_bytes(next(source))
        before = path.read_bytes()
        try:
            geodp.Ledger(path)["d"].spend(9, RECORD, "would pass the cap")
        except GeodpError as error:
            assert "\n" not in str(error)
            assert path.read_bytes() == before
        else:
            # Only a change to the amounts themselves can make room; a checksum is no signature.
            assert geodp.Ledger(path)["d"].left >= 0
        for left in folder.glob("damaged*"):
            left.unlink()
    return each
