"""Errors of districts with and without a layer that says where records can be, on the sample data.

python benchmarks/within.py --write     into docs/guide.md
python benchmarks/within.py             prints only
"""

from __future__ import annotations

import argparse
from typing import Any

import geopandas
import numpy as np
from shared import DOCS, table, write_part

import geodp
from geodp.demo import BOUNDS, sample_data

RELEASES = 40
SMALL = "District of Columbia"
HEADS = ("cells", "within", "mean error of a state", "intervals that hold the truth",
         "sum of all states", f"{SMALL}: mean (95 %), truth")  # fmt: skip


def measured(releases: list[geodp.Release], states: Any, truth: np.ndarray) -> tuple[str, ...]:
    """Return one row: means over releases."""
    answers = [release.query(states) for release in releases]
    estimate, low, high = (
        np.array([answer[name] for answer in answers]) for name in ("estimate", "ci_low", "ci_high")
    )
    small = int(np.flatnonzero(states["name"] == SMALL)[0])
    error = np.abs(estimate - truth).mean()
    held = ((low <= truth) & (truth <= high)).mean()
    bias = estimate.sum(axis=1).mean() / truth.sum() - 1
    mean, first, last = (part[:, small].mean() for part in (estimate, low, high))
    return (
        f"{error:.1f}",
        f"{100 * held:.0f} %",
        f"{100 * bias:+.1f} %",
        f"{mean:.0f} ({first:.0f} to {last:.0f}), {truth[small]}",
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    data = sample_data()
    states = geopandas.read_file(data / "us_districts.gpkg")
    places = geopandas.read_file(data / "us_places.gpkg")
    inside = geopandas.sjoin(places, states, predicate="within")["index_right"]
    truth = np.bincount(inside, minlength=len(states))
    points = places.geometry.x.to_numpy(), places.geometry.y.to_numpy()
    kinds: dict[str, dict[str, Any]] = {
        "40 × 40": {"sizes": [40]},
        "80 × 80": {"sizes": [80]},
        "chosen privately": {"sizes": None},
        "adaptive": {"cells": "adaptive"},
    }
    rows = []
    for name, how in kinds.items():
        for words, within in (("", None), ("land", data / "us_boundary.gpkg")):
            domain = geodp.Domain(BOUNDS, "EPSG:5070", within=within)
            given: dict[str, Any] = {"domain": domain, "cells": "adaptive"}
            if "sizes" in how:
                given = {"cells": geodp.Regular(geodp.candidate_grids(domain, how["sizes"]))}
            releases = [geodp.release(points, epsilon=1, **given) for _ in range(RELEASES)]
            rows.append((name, words, *measured(releases, states, truth)))
            print(*rows[-1], sep=" | ", flush=True)
    if options.parse_args().write:
        write_part(DOCS / "guide.md", "within", "\n".join(table(HEADS, rows, words=2)))


if __name__ == "__main__":
    main()
