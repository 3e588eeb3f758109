"""Ledgers under attack: releases killed again and again, processes that spend at once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import geodp

CHILD = """
import sys, numpy as np, geodp
folder, start = sys.argv[1], int(sys.argv[2])
domain = geodp.Domain((0, 0, 8, 8), crs="EPSG:5070")
ledger = geodp.Ledger(folder + "/ledger")
for run in range(start, start + 10000):
    made = geodp.release((np.ones(9), np.ones(9)), grids=geodp.candidate_grids(domain, [2, 3]),
                         epsilon="1/1000", ledger=ledger, dataset="d")
    made.to_geotiff(f"{folder}/counts.tif", overwrite=True)
    made.to_geotiff(f"{folder}/{run}.tif")
    print(run, flush=True)
"""


def survive(folder: Path, kills: int, seed: int = 0) -> tuple[int, int]:
    """Kill a releasing process at random moments; return releases out and spends on record."""
    ledger = geodp.Ledger(folder / "ledger")
    ledger.register("d", cap=1000)
    rng = random.Random(seed)
    for kill in range(kills):
        with subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), str(kill * 10_000)],
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stdout is not None
            for _ in range(rng.randint(1, 4)):  # whole runs before the last one
                assert child.stdout.readline()
            time.sleep(rng.uniform(0, 0.03))
            child.send_signal(signal.SIGKILL)
        out = [path for path in folder.glob("*.tif") if path.name != "counts.tif"]
        spent = len(ledger["d"].entries())
        assert len(out) <= spent, "a release is out without its spend"
        assert spent <= len(out) + kill + 1, "a kill cost more than one spend"
        for path in (*out[-3:], folder / "counts.tif"):
            geodp.open_release(path)  # whole, or it would be refused
    return len(out), spent


def hammer(path: str, tries: int) -> int:
    """Spend a hundredth again and again; return how often it was allowed."""
    done = 0
    for _ in range(tries):
        try:
            geodp.Ledger(path)["d"].spend("1/100", geodp.Unit("record"), "one of many")
            done += 1
        except geodp.InputError:
            pass
    return done


def race(path: str, max_records: int, tries: int) -> tuple[int, int]:
    """Spend for persons with a cap of one's own; return how often it was allowed and refused."""
    done = refused = 0
    for _ in range(tries):
        try:
            geodp.Ledger(path)["d"].spend("1/100", geodp.Unit("person", max_records), "mine")
            done += 1
        except geodp.InputError as error:
            assert "adds up ε for one unit" in str(error)
            refused += 1
    return done, refused
