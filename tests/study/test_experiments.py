"""Each experiment runs from the command line and leaves a file and a picture."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from study import commands, experiments
from study.datasets import expand_grid, invented_towns, study_datasets
from study.experiments import EXPERIMENTS, Task, experiment_tasks, work
from study.runner import read_rows

BASE = Task("", "small", "", repetitions=2, positions=5)


@pytest.fixture
def tiny(monkeypatch):
    """Yield two repetitions of five boxes, and small data in place of large."""
    full = study_datasets(None)

    def small(data):
        assert data is None
        return {name: replace(full["small"], name=name) for name in full}

    monkeypatch.setattr(commands, "QUICK", (2, 5))
    monkeypatch.setattr(experiments, "study_datasets", small)
    experiments._points.cache_clear()
    experiments._case.cache_clear()
    yield
    experiments._points.cache_clear()
    experiments._case.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_all_experiments_write_a_table_and_a_figure(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["all", "--quick", "--jobs", "1", "--quiet", "--out", str(tmp_path)]
    result = CliRunner().invoke(commands.study, words, catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output == ""
    for name in EXPERIMENTS:
        rows = read_rows(tmp_path / f"{name}.csv")
        assert rows
        picture = (tmp_path / f"study-{name}.png").read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) < 150_000
    before = {path: path.read_bytes() for path in tmp_path.glob("*.csv")}
    CliRunner().invoke(commands.study, words, catch_exceptions=False)
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_help_has_an_example(name):
    result = CliRunner().invoke(commands.study, [name, "-h"])
    assert f"python -m study {name} --quick" in result.output


def test_a_missing_dataset_is_one_sentence(tmp_path):
    for folder, rule in (
        (tmp_path, "geonames_cities500_us48.parquet"),
        (tmp_path / "nowhere", "does not exist"),
    ):
        words = ["epsilon", "--data", str(folder), "--jobs", "1", "--quiet"]
        result = CliRunner().invoke(commands.study, words)
        assert result.exit_code == 2
        (line,) = result.output.splitlines()
        assert rule in line


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_keys_tell_tasks_apart(name):
    tasks = experiment_tasks(name, BASE)
    assert len({task.key for task in tasks}) == len(tasks)
    assert not {task.key for task in tasks} & {
        task.key for task in experiment_tasks(name, replace(BASE, seed=2))
    }
    assert {replace(task, data="here").key for task in tasks} == {
        replace(task, data="there").key for task in tasks
    }


@pytest.mark.usefixtures("tiny")
def test_settings_of_the_paper():
    sizes = {task.regions for task in experiment_tasks("region-size", BASE)}
    assert sizes == {(0.01, 0.04, 0.09, 0.16, 0.25, 0.64)}
    assert {task.epsilon for task in experiment_tasks("epsilon", BASE)} == {0.2, 0.4, 0.6, 0.8, 1.0}
    assert {task.share for task in experiment_tasks("split", BASE)} == {0.2, 0.25, 0.5, 0.75}
    rows = work(experiment_tasks("sensitivity", BASE)[0])
    assert {row["delta"] for row in rows} == {"0.002", "0.01", "0.1"}
    assert {row["size"] for row in rows} == {"40", "60", "80"}
    assert commands.FULL == (100, 100)


@pytest.mark.usefixtures("tiny")
def test_the_same_seed_gives_the_same_rows():
    task = next(task for task in experiment_tasks("epsilon", BASE) if task.method == "leaky")
    assert work(task) == work(task)
    assert work(task) != work(replace(task, seed=7))


def test_made_and_expanded_points_are_repeatable():
    bounds = (0.0, 0.0, 4.0, 2.0)
    assert invented_towns(50, bounds)[0].tolist() == invented_towns(50, bounds)[0].tolist()
    counts = [[1, 0], [0, 3]]
    import numpy as np

    x, y = expand_grid(np.array(counts), bounds, seed=1)
    assert sorted(zip((x // 2).astype(int), (y // 1).astype(int))) == [(0, 0)] + [(1, 1)] * 3
