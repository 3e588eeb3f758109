"""Count records per district with geodp and with other libraries for differential privacy.

python benchmarks/beside.py             # prints the table, of what is installed
python benchmarks/beside.py --write     # and puts it into docs/beside.md

The other libraries are not among the dependencies of geodp, and do not all agree on the versions of
what they need. An environment of its own holds them:

python -m pip install . 'opendp[polars]' pipeline-dp python-dp diffprivlib 'scikit-learn<1.6'

Each function below is what a user would write: points and districts come as GeoDataFrames, and a
table of noisy counts goes out, with 95 % error bars where the library gives them. The lines that
are counted are those of the function.
"""

from __future__ import annotations

import inspect
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import geopandas as gpd
import numpy as np
import pandas as pd
import shared

SAMPLE = Path(__file__).parents[1] / "sample_data"
PAGE = shared.DOCS / "beside.md"
EPSILON = 1.0

Counted = tuple[pd.Series, "pd.Series | float | None"]
"""Noisy counts by the names of districts, and half the width of their error bars."""

Tool = Callable[[Any, Any], Counted]


def with_numpy(points: Any, districts: Any) -> Counted:
    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    counts = joined["name_district"].value_counts().reindex(districts["name"], fill_value=0)
    noise = np.random.default_rng().laplace(scale=1 / EPSILON, size=len(counts))
    return counts + noise, None


def with_geodp(points: Any, districts: Any) -> Counted:
    import geodp

    release = geodp.release(points, epsilon=EPSILON, cells=geodp.Districts(districts, name="name"))
    answers = release.query(districts)
    half = (answers["ci_high"] - answers["ci_low"]) / 2
    return answers.set_index("name")["estimate"], half.set_axis(answers["name"])


def with_opendp(points: Any, districts: Any) -> Counted:
    import opendp.prelude as dp
    import polars as pl

    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.LazyFrame({"name": joined["name_district"].tolist()}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=EPSILON),
        split_evenly_over=1,
    )
    names = pl.LazyFrame({"name": districts["name"].tolist()})
    query = context.query().group_by("name").agg(dp.len(signed=True)).with_keys(names)
    half = query.summarize(alpha=0.05)["accuracy"][0]
    table = query.release().collect()
    return pd.Series(table["len"].to_list(), index=table["name"].to_list()), half


def with_pipelinedp(points: Any, districts: Any) -> Counted:
    import pipeline_dp

    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=0)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    result = engine.aggregate(
        list(enumerate(joined["name_district"])),
        pipeline_dp.AggregateParams(
            metrics=[pipeline_dp.Metrics.COUNT],
            noise_kind=pipeline_dp.NoiseKind.LAPLACE,
            max_partitions_contributed=1,
            max_contributions_per_partition=1,
        ),
        pipeline_dp.DataExtractors(
            privacy_id_extractor=lambda row: row[0],
            partition_extractor=lambda row: row[1],
            value_extractor=lambda _: 0,
        ),
        public_partitions=districts["name"].tolist(),
    )
    accountant.compute_budgets()
    return pd.Series({name: metrics.count for name, metrics in result}), None


def with_pydp(points: Any, districts: Any) -> Counted:
    from pydp.algorithms.laplacian import Count

    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    counts = joined["name_district"].value_counts().reindex(districts["name"], fill_value=0)
    noisy = [Count(epsilon=EPSILON, dtype="int").quick_result([1] * number) for number in counts]
    return pd.Series(noisy, index=counts.index), None


def with_diffprivlib(points: Any, districts: Any) -> Counted:
    from diffprivlib import tools

    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    codes = pd.Index(districts["name"]).get_indexer(joined["name_district"])
    number = len(districts)
    counts, _ = tools.histogram(codes, EPSILON, bins=number, range=(-0.5, number - 0.5))
    return pd.Series(counts, index=districts["name"]), None


TOOLS: dict[str, tuple[str, Tool]] = {
    "NumPy, by hand": ("numpy", with_numpy),
    "geodp": ("geodp", with_geodp),
    "OpenDP": ("opendp", with_opendp),
    "PipelineDP": ("pipeline-dp", with_pipelinedp),
    "PyDP": ("python-dp", with_pydp),
    "diffprivlib": ("diffprivlib", with_diffprivlib),
}


def lines(function: Callable[..., object]) -> int:
    """Lines of code in a function, without its first and empty ones."""
    text = inspect.getsource(function).splitlines()[1:]
    return sum(bool(line.strip()) for line in text)


def truth(points: Any, districts: Any) -> pd.Series:
    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    return joined["name_district"].value_counts().reindex(districts["name"], fill_value=0)


class Figures(NamedTuple):
    """What came of some runs of one tool."""

    error: float
    seconds: float
    bars: str


def measured(count: Tool, points: Any, districts: Any, runs: int) -> Figures:
    """Run a tool some times; what it loads once is no part of the time."""
    true = truth(points, districts)
    count(points, districts)
    errors, held, took = [], [], []
    half: Any = None
    for _ in range(runs):
        start = time.perf_counter()
        noisy, half = count(points, districts)
        took.append(time.perf_counter() - start)
        off = (noisy.reindex(true.index) - true).abs()
        errors.append(off.mean())
        held.append(0.0 if half is None else (off <= half).mean())
    bars = "none" if half is None else f"± {np.mean(half):.1f}, {np.mean(held):.0%} hold"
    return Figures(float(np.mean(errors)), float(np.median(took)), bars)


def rows(runs: int) -> list[tuple[str, ...]]:
    """Compare error, error bars, time and lines of all tools that are installed."""
    points = gpd.read_file(SAMPLE / "us_places.gpkg")
    districts = gpd.read_file(SAMPLE / "us_districts.gpkg")
    plain = measured(with_numpy, points, districts, runs)
    listed = []
    for name, (package, count) in TOOLS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                figures = plain
                if count is not with_numpy:
                    figures = measured(count, points, districts, runs)
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
            continue
        error, ratio = figures.error, figures.error / plain.error
        times = figures.seconds / plain.seconds
        words = f"{name} {version(package)}", figures.bars
        listed.append((*words, f"{error:.2f}", f"{ratio:.2f}", f"{times:.1f}", f"{lines(count)}"))
    return listed


def main() -> None:
    options = shared.parser_of(__doc__, "five runs of each", "beside.md").parse_args()
    heads = ("tool", "95 % error bars", "mean error, records", "to NumPy", "time to NumPy", "lines")
    text = "\n".join(shared.table(heads, rows(5 if options.quick else 20), words=2))
    print(text)
    if options.write:
        shared.write_part(PAGE, "districts", text)


if __name__ == "__main__":
    main()
