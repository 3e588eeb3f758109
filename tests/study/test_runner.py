"""Runs are resumable, repeatable, and leave whole files."""

from __future__ import annotations

import pytest
from tosses import Toss, generated, toss

from study.runner import Row, read_rows, run


def broken(task: Toss) -> list[Row]:
    if task.number == 2:
        raise RuntimeError("stopped half-way")
    return toss(task)


def refuse(task: Toss) -> list[Row]:
    raise AssertionError(f"{task.key} was done before")


def quietly(tasks, work, path, jobs=1):
    return run(tasks, work, path, jobs=jobs, quiet=True)


def test_what_is_done_is_not_done_again(tmp_path):
    path, tasks = tmp_path / "rows.csv", [Toss(1), Toss(2), Toss(3)]
    first = quietly(tasks, toss, path)
    assert [row["number"] for row in first] == ["1", "1", "2", "2", "3", "3"]
    assert quietly(tasks, refuse, path) == first


def test_a_stopped_run_goes_on(tmp_path):
    path, tasks = tmp_path / "rows.csv", [Toss(1), Toss(2), Toss(3)]
    with pytest.raises(RuntimeError):
        quietly(tasks, broken, path)
    assert [row["number"] for row in read_rows(path)] == ["1", "1"]
    expected = quietly(tasks, toss, path)
    assert expected == quietly(tasks, toss, tmp_path / "other.csv")
    assert not list(tmp_path.glob("*.part"))


def test_rows_of_other_tasks_stay_but_are_not_returned(tmp_path):
    path = tmp_path / "rows.csv"
    quietly([Toss(1)], toss, path)
    assert {row["number"] for row in quietly([Toss(2)], toss, path)} == {"2"}
    assert {row["number"] for row in read_rows(path)} == {"1", "2"}


@pytest.mark.slow
def test_processes_give_the_same_file(tmp_path):
    tasks = [Toss(number) for number in range(4)]
    quietly(tasks, generated, tmp_path / "one.csv")
    quietly(tasks, generated, tmp_path / "two.csv", jobs=2)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
