"""Count records, people and kinds per district with geodp and with other libraries.

python benchmarks/beside.py             # prints the tables, of what is installed
python benchmarks/beside.py --write     # and puts them into docs/beside.md

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
import shapely
import shared

SAMPLE = Path(__file__).parents[1] / "sample_data"
PAGE = shared.DOCS / "beside.md"
EPSILON = 1.0
KINDS = ["theft", "burglary", "assault", "fraud"]

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


# --- at most five records of each person ------------------------------------------------------


def people_with_numpy(points: Any, districts: Any) -> Counted:
    joined = points.sjoin(districts[["geometry", "name"]])
    kept = joined.sample(frac=1).groupby("person_id").head(5)
    counts = kept["name"].value_counts().reindex(districts["name"], fill_value=0)
    noise = np.random.default_rng().laplace(scale=5 / EPSILON, size=len(counts))
    return counts + noise, None


def people_with_geodp(points: Any, districts: Any) -> Counted:
    import geodp

    cells, person = geodp.Districts(districts, name="name"), geodp.Person("person_id", 5)
    release = geodp.release(points, epsilon=EPSILON, cells=cells, protect=person)
    answers = release.query(districts)
    half = (answers["ci_high"] - answers["ci_low"]) / 2
    return answers.set_index("name")["estimate"], half.set_axis(answers["name"])


def people_with_opendp(points: Any, districts: Any) -> Counted:
    import opendp.prelude as dp
    import polars as pl

    joined = points.sjoin(districts[["geometry", "name"]])
    dp.enable_features("contrib")
    context = dp.Context.compositor(
        data=pl.LazyFrame({column: joined[column].tolist() for column in ("name", "person_id")}),
        privacy_unit=dp.unit_of(contributions=1, identifier="person_id"),
        privacy_loss=dp.loss_of(epsilon=EPSILON),
        split_evenly_over=1,
    )
    names = pl.LazyFrame({"name": districts["name"].tolist()})
    query = context.query().truncate_per_group(5)
    query = query.group_by("name").agg(dp.len(signed=True)).with_keys(names)
    half = query.summarize(alpha=0.05)["accuracy"][0]
    table = query.release().collect()
    return pd.Series(table["len"].to_list(), index=table["name"].to_list()), half


def people_with_pipelinedp(points: Any, districts: Any) -> Counted:
    import pipeline_dp

    joined = points.sjoin(districts[["geometry", "name"]])
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=0)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    result = engine.aggregate(
        list(zip(joined["person_id"], joined["name"], strict=True)),
        pipeline_dp.AggregateParams(
            metrics=[pipeline_dp.Metrics.COUNT],
            noise_kind=pipeline_dp.NoiseKind.LAPLACE,
            max_contributions=5,
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


# --- several kinds of records -----------------------------------------------------------------


def kinds_with_numpy(points: Any, districts: Any) -> Counted:
    joined = points.sjoin(districts[["geometry", "name"]])
    every = pd.MultiIndex.from_product([KINDS, districts["name"]])
    counts = joined.groupby(["kind", "name"]).size().reindex(every, fill_value=0)
    noise = np.random.default_rng().laplace(scale=1 / EPSILON, size=len(counts))
    return counts + noise, None


def kinds_with_geodp(points: Any, districts: Any) -> Counted:
    import geodp

    cells, kinds = geodp.Districts(districts, name="name"), geodp.Categories("kind", KINDS)
    releases = geodp.release(points, epsilon=EPSILON, cells=cells, by=kinds)
    answers = {kind: releases[kind].query(districts).set_index("name") for kind in KINDS}
    table = pd.concat(answers)
    return table["estimate"], (table["ci_high"] - table["ci_low"]) / 2


TOOLS: dict[str, tuple[str, Tool]] = {
    "NumPy, by hand": ("numpy", with_numpy),
    "geodp": ("geodp", with_geodp),
    "OpenDP": ("opendp", with_opendp),
    "PipelineDP": ("pipeline-dp", with_pipelinedp),
    "PyDP": ("python-dp", with_pydp),
    "diffprivlib": ("diffprivlib", with_diffprivlib),
}


PEOPLE_TOOLS: dict[str, tuple[str, Tool]] = {
    "NumPy, by hand": ("numpy", people_with_numpy),
    "geodp": ("geodp", people_with_geodp),
    "OpenDP": ("opendp", people_with_opendp),
    "PipelineDP": ("pipeline-dp", people_with_pipelinedp),
}

KIND_TOOLS: dict[str, tuple[str, Tool]] = {
    "NumPy, by hand": ("numpy", kinds_with_numpy),
    "geodp": ("geodp", kinds_with_geodp),
}


def lines(function: Callable[..., object]) -> int:
    """Count lines of code in a function, without its first and empty ones."""
    text = inspect.getsource(function).splitlines()[1:]
    return sum(bool(line.strip()) for line in text)


def true_counts(points: Any, districts: Any) -> pd.Series:
    """Count records by district."""
    joined = points.sjoin(districts[["geometry", "name"]], rsuffix="district")
    name = "name_district" if "name_district" in joined else "name"
    return joined[name].value_counts().reindex(districts["name"], fill_value=0)


def true_people(points: Any, districts: Any) -> pd.Series:
    """Count records by district, those of whoever has m > 5 of them as 5/m each."""
    joined = points.sjoin(districts[["geometry", "name"]])
    weights = np.minimum(1, 5 / joined.groupby("person_id")["person_id"].transform("size"))
    return weights.groupby(joined["name"]).sum().reindex(districts["name"], fill_value=0)


def true_kinds(points: Any, districts: Any) -> pd.Series:
    """Count records by kind and district."""
    joined = points.sjoin(districts[["geometry", "name"]])
    every = pd.MultiIndex.from_product([KINDS, districts["name"]])
    return joined.groupby(["kind", "name"]).size().reindex(every, fill_value=0)


class Figures(NamedTuple):
    """Hold what came of some runs of one tool."""

    error: float
    seconds: float
    bars: str


class Job(NamedTuple):
    """Describe what is counted: points, districts, the truth, and who can do it."""

    points: Any
    districts: Any
    true: pd.Series
    tools: dict[str, tuple[str, Tool]]
    runs: int

    def figures(self, count: Tool, runs: int) -> Figures:
        """Run a tool some times; what it loads once is no part of the time."""
        count(self.points, self.districts)
        errors, held, took = [], [], []
        half: Any = None
        for _ in range(runs):
            start = time.process_time()
            noisy, half = count(self.points, self.districts)
            took.append(time.process_time() - start)
            off = (noisy.reindex(self.true.index) - self.true).abs()
            errors.append(off.mean())
            held.append(0.0 if half is None else (off <= half).mean())
        bars = "none"
        if half is not None:
            bars = f"± {np.mean(half):.1f}, {100 * np.mean(held):.0f} % hold"
        return Figures(float(np.mean(errors)), float(np.median(took)), bars)

    def rows(self, runs: int) -> list[tuple[str, ...]]:
        """Compare error, error bars, time and lines of all tools that are installed."""
        listed: list[tuple[str, ...]] = []
        plain: Figures | None = None
        for name, (package, count) in self.tools.items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    figures = self.figures(count, runs)
            except ImportError as missing:
                print(f"{name} is left out: {missing}")
                continue
            plain = plain or figures
            error, ratio = figures.error, figures.error / plain.error
            times = figures.seconds / plain.seconds
            tool, *aside = name.split(", ")
            words = ", ".join([f"{tool} {version(package)}", *aside]), figures.bars
            numbers = f"{error:.2f}", f"{ratio:.2f}", f"{times:.1f}", f"{lines(count)}"
            listed.append((*words, *numbers))
        return listed


def town_squares() -> gpd.GeoDataFrame:
    """Make 25 districts of the town that check-ins and incidents are in."""
    places = [(490_000 + 4_000 * i, 5_390_000 + 4_000 * j) for i in range(5) for j in range(5)]
    squares = [shapely.box(x, y, x + 4_000, y + 4_000) for x, y in places]
    names = [f"square {number}" for number in range(1, len(squares) + 1)]
    return gpd.GeoDataFrame({"name": names}, geometry=squares, crs="EPSG:32633")


def jobs() -> dict[str, Job]:
    """Load the sample data for each job."""
    places = gpd.read_file(SAMPLE / "us_places.gpkg")
    states = gpd.read_file(SAMPLE / "us_districts.gpkg")
    visits = gpd.read_parquet(SAMPLE / "checkins.parquet")
    incidents = gpd.read_parquet(SAMPLE / "incidents.parquet")
    squares = town_squares()
    return {
        "districts": Job(places, states, true_counts(places, states), TOOLS, 200),
        "people": Job(visits, squares, true_people(visits, squares), PEOPLE_TOOLS, 40),
        "kinds": Job(incidents, squares, true_kinds(incidents, squares), KIND_TOOLS, 200),
    }


def main() -> None:
    """Print the tables, or put them into their page."""
    options = shared.make_parser(__doc__, "five runs of each", "beside.md").parse_args()
    for name, job in jobs().items():
        subject = "people" if name == "people" else "records"
        ratios = "error / NumPy's", "time / NumPy's"
        heads = ("tool", "95 % error bars", f"mean error, {subject}", *ratios)
        text = "\n".join(
            shared.table((*heads, "lines"), job.rows(5 if options.quick else job.runs), words=2)
        )
        print(text)
        if options.write:
            shared.write_part(PAGE, name, text)


if __name__ == "__main__":
    main()
