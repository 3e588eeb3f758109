"""Ledgers under attack: releases killed, processes that spend at once, power cuts."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from power import each_cut, record

import geodp
from geodp import GeodpError, InputError, Ledger, Unit

CHILD = """
import sys, numpy as np, geodp
folder, start = sys.argv[1], int(sys.argv[2])
domain = geodp.Domain((0, 0, 800, 800), crs="EPSG:5070")
ledger = geodp.Ledger(folder + "/ledger")
for run in range(start, start + 10000):
    release = geodp.release((np.ones(9), np.ones(9)), domain, epsilon="1/1000",
                            cells=geodp.Regular(sizes=[2, 3]), account=ledger["d"])
    release.to_geotiff(f"{folder}/counts.tif", overwrite=True)
    release.to_geotiff(f"{folder}/{run}.tif")
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


SPENDS = """
from geodp import Ledger, Unit
from geodp.core.privacy import ledger as module
{set_up}
book = Ledger(disk + "/spends")
say("registering")
book.register("d", cap=100)
say("registered")
{between}
for _ in range({spends}):
    say("spending")
    book["d"].spend("1/10", Unit("person", 5), "map")
    say("spent")
"""


def confirmed_spends_are_there(folder: Path, confirmed: list[str]) -> None:
    ledger = Ledger(folder / "spends")
    if "registered" not in confirmed:
        try:
            ledger.register("d", cap=100)  # whatever a cut left of the file can still be used
        except InputError as error:
            assert "there already" in str(error)
    entries = ledger["d"].entries()
    assert confirmed.count("spent") <= len(entries) <= confirmed.count("spending")
    assert all(entry.unit == Unit("person", 5) for entry in entries)
    ledger["d"].spend("1/100", Unit("person", 5), "after the cut")
    assert ledger["d"].entries()[:-1] == entries


def losses(tmp_path: Path, **parts: object) -> tuple[int, list[list[str]]]:
    """Return cuts tried, and what was said before each of those that lost something."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = SPENDS.format(**{"set_up": "", "between": "", "spends": 3, **parts})
    events = record(script, disk, tmp_path / "tape")
    assert ["say", "spent"] in events
    lost = []

    def look(folder: Path, confirmed: list[str]) -> None:
        try:
            confirmed_spends_are_there(folder, confirmed)
        except (AssertionError, GeodpError):
            lost.append(confirmed)

    return each_cut(events, look), lost
