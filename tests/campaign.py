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

from faults import FAULTS, PAGE, caught, shared, table
from fuzzing import fuzz_files, fuzz_ledgers, fuzz_tags
from kills import hammer, losses, survive

from geodp import Ledger
from geodp.audit import audit, audit_combinations, audit_sampler, cases, combinations
from geodp.audit.finding import Finding
from geodp.cli.progress import Steps
from geodp.core.releases.pipeline import release

SHARES = 4
"""Parts that combinations and pairs of neighbours are divided into; noise is pooled in each."""


def guided(runs: int) -> str:
    """Let atheris breed inputs, where it is installed; a finding ends the campaign."""
    if find_spec("atheris") is None:
        return "left out: atheris is not installed"
    script = Path(__file__).with_name("guided.py")
    done = subprocess.run(
        [sys.executable, str(script), f"-runs={runs}"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"atheris found something:\n{done.stderr}")
    return f"{runs:,} inputs"


def audit_rows(part: int, start: int) -> list[Finding]:
    """Release a share of all combinations of three choices, with files."""
    return audit_combinations(rows=combinations(strength=3)[::part][start::SHARES], files=True)


def audit_pairs(runs: int, start: int) -> list[Finding]:
    """Attack a share of all neighbouring datasets."""
    return audit(attacked=cases()[start::SHARES], runs=runs)


def sample(part: int) -> list[Finding]:
    """Try the sampler by itself."""
    return audit_sampler(release, draws=80_000 // part, releases=3000 // part)


def side_by_side(runs: int, part: int, say: Steps) -> tuple[list[Finding], ...]:
    """Audit combinations, neighbouring datasets and the sampler, on all processors."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        first = [pool.submit(audit_rows, part, start) for start in range(SHARES)]
        then = [pool.submit(audit_pairs, runs, start) for start in range(SHARES)]
        last = pool.submit(sample, part)
        for number, _ in enumerate(as_completed([*first, *then, last]), 1):
            say(f"audited part {number} of {2 * SHARES + 1}")
        found, findings = ([f for each in some for f in each.result()] for some in (first, then))
        return findings, found, last.result()


def rows(part: int, say: Steps) -> Iterator[tuple[str, str, str]]:
    """What was done, how often, and how it ended."""
    runs = 2000 // part
    findings, found, draws = side_by_side(runs, part, say)
    releases = len(combinations(strength=3)[::part])
    failed = [finding for finding in findings if not finding.passed]
    sharpest = max(f.shown / f.claimed for f in findings if f.measure == "outcomes")
    yield (
        "audit of neighbouring datasets",
        f"{len(findings)} checks, up to {runs:,} releases a side",
        f"{len(failed)} failed; the most shown was {sharpest:.2f} of the claimed ε",
    )
    wrong = [[f for f in some if not f.passed] for some in (found, draws)]
    yield (
        "real releases of every combination of three choices",
        f"{releases} combinations, {len(found):,} checks",
        f"{len(wrong[0])} failed",
    )
    yield "sampler and kernel alone, real bits", f"{len(draws)} checks", f"{len(wrong[1])} failed"
    failed += [*wrong[0], *wrong[1]]
    for finding in failed:
        print(finding, file=sys.stderr)
    say("planting faults")
    noticed = sum(caught(fault) for fault in FAULTS)
    claims = len({fault.claim for fault in FAULTS})
    yield "faults planted", f"{len(FAULTS)} against {claims} claims", f"{noticed} caught"
    say("killing releases")
    with tempfile.TemporaryDirectory() as folder:
        released, spent = survive(Path(folder), kills=200 // part)
    yield (
        "releases with a ledger killed with SIGKILL",
        f"{200 // part} kills",
        f"{released:,} files out, all whole; {spent:,} spends on record; none missing",
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
    say("fuzzing")
    with tempfile.TemporaryDirectory() as folder:
        files = fuzz_files(Path(folder), each=5000 // part)
    with tempfile.TemporaryDirectory() as folder:
        ledgers = fuzz_ledgers(Path(folder), each=2000 // part)
    inputs = files + ledgers + fuzz_tags(each=20_000 // part)
    yield "damaged files, tags and ledgers", f"{inputs:,} inputs", "all refused or unchanged"
    say("fuzzing by coverage")
    bred = guided(500_000 // part)
    found = "no finding" if bred.endswith("inputs") else "not known"
    yield "coverage-guided fuzzing of parsers (atheris)", bred, found
    if failed or noticed < len(FAULTS) or done != 100 or lost:
        raise SystemExit("a check failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/privacy.md")
    options = parser.parse_args()
    logging.getLogger("rasterio").setLevel(logging.CRITICAL)  # damaged files make it talkative
    logging.getLogger("pyogrio").setLevel(logging.CRITICAL)
    with Steps(2 * SHARES + 8) as say:
        done = list(rows(10 if options.quick else 1, say))
    attacks = "\n".join(shared.table(("attack", "how often", "outcome"), done, words=3))
    print(attacks, table(), sep="\n\n")
    if options.write:
        shared.write_part(PAGE, "campaign", attacks)
        shared.write_part(PAGE, "faults", table())


if __name__ == "__main__":
    main()
