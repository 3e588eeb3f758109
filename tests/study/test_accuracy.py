"""The benchmark of accuracy runs on the sample data and writes its part of the page."""

from __future__ import annotations

import accuracy
import numpy as np
import pytest
import shared

from geodp.core.space.domain import Crs, Domain
from geodp.core.space.frame import Frame
from study import datasets

BEGIN, END = "<!-- accuracy -->", "<!-- /accuracy -->"


def test_a_part_of_a_page_is_replaced_and_the_rest_left_alone(tmp_path):
    page = tmp_path / "page.md"
    shared.write_part(page, "speed", "one")
    shared.write_part(page, "scale", "two")
    shared.write_part(page, "speed", r"three \\1")
    assert page.read_text() == (
        "# Benchmarks\n\n## Speed\n\n<!-- speed -->\nthree \\\\1\n<!-- /speed -->\n\n"
        "## Scale\n\n<!-- scale -->\ntwo\n<!-- /scale -->\n"
    )
    lines = shared.table(("what", "s"), [("reading", 1)])
    assert lines == ["| what | s |", "| --- | ---: |", "| reading | 1 |"]


@pytest.mark.slow
def test_quick_run_writes_between_its_markers(tmp_path):
    page = tmp_path / "benchmarks.md"
    page.write_text(f"# Benchmarks\n\nSpeed here.\n\n{BEGIN}\nyesterday\n{END}\nTail.\n")
    words = ["--quick", "--quiet", "--jobs", "1", "--out", str(tmp_path)]
    words += ["--write", "--page", str(page)]
    assert accuracy.main(words) == 0
    text = page.read_text()
    assert text.startswith("# Benchmarks\n\nSpeed here.\n")
    assert text.endswith(f"{END}\nTail.\n")
    assert "yesterday" not in text
    assert "### ε = 0.1" in text
    assert "| US places, sample layer | 9,127 |" in text
    assert text.count("PASS") + text.count("FAIL") == 6
    assert "geodp adaptive" in text
    assert "95 % interval holds" in text
    accuracy.main(words)  # nothing left to do, and the same page again
    assert page.read_text() == text


def make_rows(epsilon, dataset="d", **errors):
    """Return rows as a run writes them, with error bars for the adaptive release."""
    held = {"noise": "0.94", "interval": "0.96", "bias": "0.1"}
    same = {"dataset": dataset, "title": dataset.upper(), "records": "10", "epsilon": str(epsilon)}
    return [
        {**same, "method": m, "error": str(e), **(held if m == "adaptive" else {})}
        for m, e in errors.items()
    ]


ERRORS = {"adaptive": 0.03, "influence": 0.06, "ag": 0.04, "privtree": 0.05, "plain": 0.02}


def test_ratios_are_to_the_better_of_two_peers_and_to_the_regular_default():
    results = accuracy.Results(make_rows(1.0, **ERRORS))
    table = accuracy.table(results, 1.0)
    assert "| D | 10 | 3.00 | 6.00 | 4.00 | 5.00 | **2.00** | 0.75 | 0.50 |" in table
    assert "| geometric mean |  | 3.00 | 6.00 | 4.00 | 5.00 | 2.00 | 0.75 | 0.50 |" in table


def test_figures_are_geometric_means_with_the_worst_dataset():
    rows = []
    for epsilon in accuracy.EPSILONS:
        rows += make_rows(epsilon, "one", adaptive=0.02, influence=0.1, ag=0.04, privtree=0.08)
        rows += make_rows(epsilon, "two", adaptive=0.02, influence=0.1, ag=0.04, privtree=0.01)
    results = accuracy.Results(rows)
    assert results.hindsight(1.0) == pytest.approx([0.5, 2.0])
    lines = accuracy.figures(results).splitlines()
    assert "| 1 | 1.000 (MISSES 0.78) | 2.000 (MISSES 1.10) | 0.200 (at most 0.35) |" in lines
    assert "| 5 | 1.000 | 2.000 | 0.200 |" in lines
    assert "| 94.0% (94.0% to 94.0%) | 96.0% (96.0% to 96.0%) | +0.10 " in accuracy.intervals(
        results
    )


def test_rasters_that_are_spread_out_do_not_share_lines_with_trees():
    left, bottom, right, top = datasets.SHIFTED
    assert left < 0 < 256 < right
    assert bottom < 0 < 256 < top
    frame = Frame(Domain(datasets.SHIFTED, Crs("cells of the raster")))
    for lines in frame.lines(4):
        assert (np.abs(lines - np.round(lines)) > 0.005).all()
