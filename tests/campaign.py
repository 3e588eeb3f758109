"""All attacks in one go, with numbers: what `make audit` runs and docs/privacy.md quotes.

python tests/campaign.py             # prints the tables
python tests/campaign.py --write     # and puts them into docs/privacy.md
python tests/campaign.py --quick     # a tenth of everything
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from faults import FAULTS, PAGE, caught, shared, table
from fuzzing import fuzz_files, fuzz_ledgers, fuzz_tags
from kills import hammer, losses, survive

from geodp import Ledger
from geodp.audit import audit, audit_combinations, audit_sampler, cases, combinations
from geodp.audit.finding import Finding
from geodp.cli.progress import Steps
from geodp.core.pipeline.pipeline import release

RUNS = 1000
"""Releases on each side of a pair of neighbours."""

SHARES = 4
"""Turns that combinations, pairs of neighbours and faults are divided into."""

TURNS = 3 * SHARES + 3
"""Turns in all."""


def breed(part: int) -> str:
    """Let atheris breed inputs, where it is installed; a finding ends the campaign."""
    if find_spec("atheris") is None:
        return "left out: atheris is not installed"
    runs, script = 500_000 // part, Path(__file__).with_name("guided.py")
    done = subprocess.run(
        [sys.executable, str(script), f"-runs={runs}"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"atheris found something:\n{done.stderr}")
    return f"{runs:,} inputs"


def audit_rows(part: int, start: int) -> list[Finding]:
    """Release a share of all combinations of three choices, with files."""
    return audit_combinations(rows=combinations(strength=3)[::part][start::SHARES], files=True)


def audit_pairs(part: int, start: int) -> list[Finding]:
    """Attack a share of all neighbouring datasets."""
    return audit(attacked=cases()[start::SHARES], runs=RUNS // part)


def plant(part: int, start: int) -> int:
    """Plant a share of all faults, and count those that are caught."""
    del part
    return sum(caught(fault) for fault in FAULTS[start::SHARES])


def sample(part: int) -> list[Finding]:
    """Try the sampler by itself."""
    return audit_sampler(release, draws=80_000 // part, releases=3000 // part)


def damage(part: int) -> int:
    """Open damaged files, tags and ledgers, and count them."""
    logging.getLogger("rasterio").setLevel(logging.CRITICAL)  # damaged files make it talkative
    logging.getLogger("pyogrio").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        files = fuzz_files(Path(folder), each=5000 // part)
    with tempfile.TemporaryDirectory() as folder:
        ledgers = fuzz_ledgers(Path(folder), each=2000 // part)
    return files + ledgers + fuzz_tags(each=20_000 // part)


def side_by_side(part: int, say: Steps) -> dict[str, list[Any]]:
    """Attack on all processors, in turns, and return the outcome of every turn by its name."""
    shared_work = (audit_rows, audit_pairs, plant)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        turns = {
            task.__name__: [pool.submit(task, part, start) for start in range(SHARES)]
            for task in shared_work
        }
        turns |= {task.__name__: [pool.submit(task, part)] for task in (sample, damage, breed)}
        every = [turn for some in turns.values() for turn in some]
        for number, _ in enumerate(as_completed(every), 1):
            say(f"{number} of {TURNS} attacks side by side are done")
        return {name: [turn.result() for turn in some] for name, some in turns.items()}


def rows(part: int, say: Steps) -> Iterator[tuple[str, str, str]]:
    """Say what was done, how often, and how it ended."""
    ended = side_by_side(part, say)
    pairs, released, draws = (
        [finding for turn in ended[name] for finding in turn]
        for name in ("audit_pairs", "audit_rows", "sample")
    )
    wrong = [[f for f in some if not f.passed] for some in (pairs, released, draws)]
    sharpest = max(f.shown / f.claimed for f in pairs if f.measure == "outcomes")
    yield (
        "audit of neighbouring datasets",
        f"{len(pairs)} checks, up to {RUNS // part:,} releases a side",
        f"{len(wrong[0])} failed; the most shown was {sharpest:.2f} of the claimed ε",
    )
    yield (
        "real releases of every combination of three choices",
        f"{len(combinations(strength=3)[::part])} combinations, {len(released):,} checks",
        f"{len(wrong[1])} failed",
    )
    yield "sampler and kernel alone, real bits", f"{len(draws)} checks", f"{len(wrong[2])} failed"
    failed = [finding for some in wrong for finding in some]
    for finding in failed:
        print(finding, file=sys.stderr)
    noticed = sum(ended["plant"])
    claims = len({fault.claim for fault in FAULTS})
    yield "faults planted", f"{len(FAULTS)} against {claims} claims", f"{noticed} caught"
    say("killing releases")
    with tempfile.TemporaryDirectory() as folder:
        released_files, spent = survive(Path(folder), kills=200 // part)
    yield (
        "releases with a ledger killed with SIGKILL",
        f"{200 // part} kills",
        f"{released_files:,} files out, all whole; {spent:,} spends on record; none missing",
    )
    say("hammering a ledger")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger"
        Ledger(path).register("d", cap=1)
        with get_context("spawn").Pool(8) as pool:
            done = sum(pool.starmap(hammer, [(str(path), 50)] * 8))
        spent_in_all = Ledger(path)["d"].spent
    yield (
        "eight processes against one cap",
        "400 tries for 100 places",
        f"{done} allowed, {spent_in_all} of 1 spent",
    )
    say("cutting the power of a ledger")
    with tempfile.TemporaryDirectory() as folder:
        cuts, lost = losses(Path(folder), spends=10 if part == 1 else 2)
    yield (
        "power cuts while a ledger is written",
        f"{cuts:,} disks that a cut may leave",
        f"{len(lost)} without a spend that was confirmed",
    )
    inputs, bred = ended["damage"][0], ended["breed"][0]
    yield "damaged files, tags and ledgers", f"{inputs:,} inputs", "all refused or unchanged"
    outcome = "no finding" if bred.endswith("inputs") else "not known"
    yield "coverage-guided fuzzing of parsers (atheris)", bred, outcome
    if failed or noticed < len(FAULTS) or done != 100 or lost:
        raise SystemExit("a check failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/privacy.md")
    options = parser.parse_args()
    with Steps(TURNS + 3) as say:
        done = list(rows(10 if options.quick else 1, say))
    attacks = "\n".join(shared.table(("attack", "how often", "outcome"), done, words=3))
    print(attacks, table(), sep="\n\n")
    if options.write:
        shared.write_part(PAGE, "campaign", attacks)
        shared.write_part(PAGE, "faults", table())


if __name__ == "__main__":
    main()
