"""The benchmark of accuracy runs on the sample data and writes its part of the page."""

from __future__ import annotations

import accuracy
import pytest
import shared

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
    words = ["--quick", "--quiet", "--jobs", "1", "--out", str(tmp_path), "--page", str(page)]
    assert accuracy.main(words) == 0
    text = page.read_text()
    assert text.startswith("# Benchmarks\n\nSpeed here.\n")
    assert text.endswith(f"{END}\nTail.\n")
    assert "yesterday" not in text
    assert "### ε = 0.1" in text
    assert "| US places, sample layer | 9,127 |" in text
    assert text.count("PASS") + text.count("FAIL") == 6
    accuracy.main(words)  # nothing left to do, and the same page again
    assert page.read_text() == text


def test_ratio_is_to_the_best_peer():
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
