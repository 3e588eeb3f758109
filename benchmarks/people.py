"""People as shares beside k random records of each, at the same ε per person.

Error against people: each person is one, spread over all of their records. Boxes of several sizes
at random places, relative errors, means over sizes on a logarithmic scale. With datasets that have
users, in files of longitude, latitude and ``user_id``:

    python benchmarks/people.py checkins.parquet -125.5 25 -65.5 50 --repeats 10
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

import geodp

SIDES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8)
KS = (1, 2, 5, 10, 20, 50)
SIZE = 1_000_000.0
"""Side of the square that places are drawn onto."""


def dropped(who: np.ndarray, most: int, rng: np.random.Generator) -> np.ndarray:
    """Positions of so many random records of each person."""
    order = np.lexsort((rng.random(len(who)), who))
    mine = who[order]
    return order[np.arange(len(who)) - np.searchsorted(mine, mine) < most]


def relative_errors(made: geodp.Release, boxes: np.ndarray, truth: np.ndarray, k: int) -> float:
    """Geometric mean over the sizes of the mean relative error."""
    found = made.query(boxes).estimate / k
    error = np.abs(found - truth) / np.maximum(truth, 0.001 * truth.max())
    return float(np.exp(np.log(error.reshape(len(SIDES), -1).mean(axis=1)).mean()))


def main() -> None:
    """Print errors for every ε, and each k as a ratio to shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("bounds", nargs=4, type=float, help="west, south, east, north")
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--boxes", type=int, default=40)
    given = parser.parse_args()
    west, south, east, north = given.bounds
    table = pd.read_parquet(given.path, columns=["lon", "lat", "user_id"])
    x = (table.lon.to_numpy() - west) / (east - west) * SIZE
    y = (table.lat.to_numpy() - south) / (north - south) * SIZE
    inside = (x >= 0) & (x < SIZE) & (y >= 0) & (y < SIZE)
    x, y = x[inside], y[inside]
    who = np.unique(table.user_id.to_numpy()[inside], return_inverse=True)[1]
    weight = 1 / np.bincount(who)[who]
    square = geodp.Domain((0, 0, SIZE, SIZE), crs="EPSG:5070")
    rng = np.random.default_rng(99)
    corner = np.concatenate([rng.uniform(0, 1 - side, (given.boxes, 2)) for side in SIDES])
    side = np.repeat(SIDES, given.boxes)[:, None]
    boxes = np.hstack([corner, corner + side]) * SIZE
    truth = np.array([
        weight[(x >= x0) & (x < x1) & (y >= y0) & (y < y1)].sum() for x0, y0, x1, y1 in boxes
    ])  # fmt: skip
    print(f"{len(x):,} records of {who.max() + 1:,} people")
    for epsilon in ("1/2", 1, 5):
        errors: dict[str, list[float]] = {}
        for _ in range(given.repeats):
            options = {"epsilon": epsilon, "force": True}
            points = {"x": x, "y": y, "who": who}
            made = geodp.release(points, square, protect=geodp.Person("who"), **options)
            errors.setdefault("shares", []).append(relative_errors(made, boxes, truth, 1))
            for k in KS:
                kept = dropped(who, k, rng)
                # A record of k has the noise of k records: so much less ε for each.
                part = {"epsilon": geodp.Budget(epsilon).epsilon / k, "force": True}
                made = geodp.release((x[kept], y[kept]), square, **part)
                errors.setdefault(f"drop {k}", []).append(relative_errors(made, boxes, truth, k))
                if k in (1, 5, 20):
                    person = geodp.Person("who", max_records=k)
                    made = geodp.release(points, square, protect=person, **options)
                    error = relative_errors(made, boxes, truth, k)
                    errors.setdefault(f"weights {k}", []).append(error)
        shares = np.mean(errors["shares"])
        ratios = ", ".join(f"{name} {np.mean(each) / shares:.2f}" for name, each in errors.items())
        print(f"ε = {epsilon}: error of shares {shares:.3f}; ratios to it: {ratios}", flush=True)


if __name__ == "__main__":
    main()
