"""People and their records per state, beside what one would write with NumPy.

    python benchmarks/visits.py checkins.parquet            prints the tables
    python benchmarks/visits.py checkins.parquet --write    and puts them into docs/benchmarks.md

The file holds longitude, latitude and ``user_id``; states are those of ``sample_data``. With NumPy,
k random records of each person are kept, or k of their states, and Laplace noise of scale k/ε is
added. Errors are means over all states and runs. Those of records are errors against what is
expected of k random records of each person, which both aim at; those of visitors and of people are
errors against all people, so that they hold what is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import shared

import geodp

SAMPLE = Path(__file__).parents[1] / "sample_data"
PAGE = shared.DOCS / "benchmarks.md"
GOALS = {1: "≤ 0.35", 5: "≤ 0.65", 20: "≤ 0.90"}


def joined(path: str) -> tuple[pd.DataFrame, gpd.GeoDataFrame]:
    """Join records with their states; return them, and the states."""
    states = gpd.read_file(SAMPLE / "us_districts.gpkg")[["state", "geometry"]]
    given = pd.read_parquet(path, columns=["lon", "lat", "user_id"])
    places = gpd.points_from_xy(given.lon, given.lat, crs=4326).to_crs(states.crs)
    points = gpd.GeoDataFrame({"who": given.user_id}, geometry=places)
    inside = points.sjoin(states, predicate="within")
    inside = inside.assign(
        x=inside.geometry.x, y=inside.geometry.y, code=inside.index_right.astype(int)
    )
    return pd.DataFrame(inside[["who", "x", "y", "code"]]), states


def dropped(table: pd.DataFrame, most: int, rng: np.random.Generator) -> pd.DataFrame:
    """Keep so many random rows of each person."""
    order = np.lexsort((rng.random(len(table)), table.who))
    who = table.who.to_numpy()[order]
    return table.iloc[order[np.arange(len(table)) - np.searchsorted(who, who) < most]]


def main() -> None:
    """Print the tables, and write them if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--write", action="store_true", help="put the figures into the page")
    given = parser.parse_args()
    table, states = joined(given.path)
    table["who"] = np.unique(table.who, return_inverse=True)[1]
    rng = np.random.default_rng(5)
    size, districts = len(states), geodp.Districts(states, name="state")
    points = {name: table[name].to_numpy() for name in ("x", "y", "who")}

    def per_state(rows: pd.DataFrame, weights: object = None) -> np.ndarray:
        return np.bincount(rows.code, weights, minlength=size)

    def by_numpy(rows: pd.DataFrame, most: int, truth: np.ndarray) -> float:
        errors = []
        for _ in range(given.runs):
            kept = per_state(dropped(rows, most, rng))
            errors.append(np.abs(kept + rng.laplace(0, most, size) - truth).mean())
        return float(np.mean(errors))

    def by_geodp(truth: np.ndarray, **way: object) -> float:
        person = geodp.Person("who", **way)
        errors = []
        for _ in range(given.runs):
            release = geodp.release(points, epsilon=1, cells=districts, protect=person)
            order = [release.cells.districts.names.index(name) for name in states.state]
            errors.append(np.abs(np.asarray(release.counts)[order] - truth).mean())
        return float(np.mean(errors))

    records = np.bincount(table.who)
    rows = []
    for most, goal in GOALS.items():
        truth = per_state(table, np.minimum(1, most / records)[table.who])
        ours, plain = by_geodp(truth, max_records=most), by_numpy(table, most, truth)
        words = f"at most {most} record{'s' * (most > 1)} of each person"
        rows.append((words, f"{ours:.1f}", f"{plain:.1f}", f"{ours / plain:.2f}", goal))
    visits = table[["who", "code"]].drop_duplicates()
    people = per_state(visits)
    for most in (1, 3, 5, 10, 20):
        ours, plain = by_geodp(people, visits=most), by_numpy(visits, most, people)
        goal = "error ≤ 13.5" if most == 10 else ""
        words = f"different people, each in at most {most} state{'s' * (most > 1)}"
        rows.append((words, f"{ours:.1f}", f"{plain:.1f}", f"{ours / plain:.2f}", goal))
    counts = table.groupby(["who", "code"]).size().reset_index(name="n")
    homes = counts[counts.n == counts.groupby("who").n.transform("max")]
    # Of several states with as many records each has its part of a person, on average.
    truth = per_state(homes, 1 / np.bincount(homes.who)[homes.who])
    noisy = [
        np.abs(per_state(dropped(homes, 1, rng)) + rng.laplace(0, 1, size) - truth).mean()
        for _ in range(given.runs)
    ]
    ours, plain = by_geodp(truth, place="most frequent"), float(np.mean(noisy))
    rows.append(("people, each where most of their records are", f"{ours:.2f}", f"{plain:.2f}",
                 f"{ours / plain:.2f}", ""))  # fmt: skip
    lines = [
        f"{len(table):,} check-ins of {len(records):,} people in {size} states, ε = 1 for each "
        f"person, {given.runs} releases each:",
        "",
        *shared.table(("what is counted", "geodp", "NumPy", "ratio", "goal"), rows),
        "",
        "Made by `python benchmarks/visits.py checkins.parquet`.",
    ]
    print("\n".join(lines))
    if given.write:
        shared.write_part(PAGE, "people", "\n".join(lines))


if __name__ == "__main__":
    main()
