"""The benchmark of accuracy runs on the sample data and writes its part of the page."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "accuracy.py"


@pytest.fixture(scope="module")
def accuracy():
    spec = importlib.util.spec_from_file_location("accuracy", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["accuracy"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["accuracy"]


@pytest.mark.slow
def test_quick_run_writes_between_its_markers(accuracy, tmp_path):
    page = tmp_path / "benchmarks.md"
    page.write_text(
        f"# Benchmarks\n\nSpeed here.\n\n{accuracy.BEGIN}\nyesterday\n{accuracy.END}\nTail.\n"
    )
    words = ["--quick", "--quiet", "--jobs", "1", "--out", str(tmp_path), "--page", str(page)]
    assert accuracy.main(words) == 0
    text = page.read_text()
    assert text.startswith("# Benchmarks\n\nSpeed here.\n")
    assert text.endswith(f"{accuracy.END}\nTail.\n")
    assert "yesterday" not in text
    assert "### ε = 0.1" in text
    assert "| US places, sample layer | 9,127 |" in text
    assert text.count("PASS") + text.count("FAIL") == 6
    accuracy.main(words)  # nothing left to do, and the same page again
    assert page.read_text() == text


def test_ratio_is_to_the_best_peer(accuracy):
    errors = {"influence": 0.06, "ag": 0.04, "privtree": 0.03, "plain": 0.12}
    rows = [
        {
            "dataset": "d",
            "title": "D",
            "records": "10",
            "epsilon": "1",
            "method": m,
            "error": str(e),
        }
        for m, e in errors.items()
    ]
    results = accuracy.Results(rows)
    assert results.best_peer("d", 1.0) == 0.03
    assert "| D | 10 | 6.00 | 4.00 | **3.00** | 12.00 | 2.00 |" in accuracy.table(results, 1.0)
