"""Count the lines that the promise rests on: what docs/privacy.md says must be trusted.

python tests/trusted.py     # writes the table into docs/privacy.md
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))  # pytest knows it already
import shared

CORE = Path(__file__).parents[1] / "geodp" / "core"
PAGE = shared.DOCS / "privacy.md"

TRUSTED: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "the kernel: what is spent, and noise on counts": [("kernel/kernel.py", ())],
    "bits, coins, noise and private choice": [
        ("privacy/noise.py", ()),
        ("privacy/noise_tables.py", ()),
    ],
    "at most k records of a person": [
        (
            "records/contribution.py",
            ("BoundedRecords", "_by_person", "shared_units", "divided_totals"),
        ),
        ("records/places.py", ()),
    ],
    "a record adds one to one count of a group": [
        ("counts/count.py", ()),
        ("counts/streams.py", ()),
        ("counts/group_tally.py", ("GroupedTally", "dealt")),
        ("counts/grid_tally.py", ("Tally",)),
        ("counts/single_tally.py", ()),
        ("counts/tree_tally.py", ("BaseTally",)),
        ("counts/unit_tally.py", ("UnitTally",)),
        ("counts/node_counts.py", ()),
        ("counts/district_tree_tally.py", ("DistrictTreeTally",)),
        ("counts/cell_tally.py", ("CountsByCell", "CellTally", "DistrictTally")),
        ("counts/choice_tally.py", ("ChoiceTally",)),
    ],
    "who is one person, which group a record is in, how far neighbours differ": [
        ("records/canonical.py", ()),
        ("records/ids.py", ()),
        ("records/groups.py", ("Field", "Groups")),
        ("privacy/unit.py", ()),
        ("privacy/quantity.py", ()),
    ],
    "nodes of one depth are disjoint, and lie inside of their parents": [
        ("space/frame.py", ("Frame",)),
        ("space/levels.py", ("Levels",)),
        ("districts/district_frame.py", ("DistrictFrame",)),
    ],
    "an amount is cut, and its two parts are one": [
        ("records/amounts.py", ("Amount",)),
        ("counts/amount_tally.py", ("TwoTallies", "AmountTally")),
        ("counts/step_tally.py", ("StepTally", "StepLayer")),
    ],
    "how far a record moves a score, where a grid is chosen": [
        ("mechanisms/scores.py", ()),
        ("mechanisms/tuners.py", ()),
        ("mechanisms/selection.py", ("GridChoice", "PartitionChoice", "choose_partition")),
        ("cells/partitions.py", ()),
        ("regions/overlap.py", ()),
        ("regions/weighted_overlap.py", ()),
        ("regions/polygons.py", ()),
        ("regions/locator.py", ()),
        ("space/axis.py", ()),
    ],
}
"""Parts, and the files they are in; of some files only certain classes and functions."""


def code_lines(path: Path, parts: tuple[str, ...] = ()) -> int:
    """Return lines that hold code: no comments, no docstrings, nothing empty."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _SILENT
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for each in body if isinstance(body, list) else []:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                lines -= set(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    if parts:
        kinds = (ast.ClassDef, ast.FunctionDef)
        chosen = [n for n in tree.body if isinstance(n, kinds) and n.name in parts]
        assert len(chosen) == len(parts), f"{path} has not all of {parts}"
        lines &= {line for n in chosen for line in range(n.lineno, (n.end_lineno or 0) + 1)}
    return len(lines)


_SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
           tokenize.ENDMARKER}  # fmt: skip


def table() -> str:
    """Return the table of docs/privacy.md."""
    rows, total = [], 0
    for words, files in TRUSTED.items():
        lines = sum(code_lines(CORE / path, parts) for path, parts in files)
        names = ", ".join(
            f"`{path}`" + (f" ({', '.join(parts)})" if parts else "") for path, parts in files
        )
        rows.append((words, names, f"{lines:,}"))
        total += lines
    rows.append(("all together", "", f"{total:,}"))
    return "\n".join(
        shared.table(("what", "where in `geodp/core`", "lines of code"), rows, words=2)
    )


if __name__ == "__main__":
    shared.write_part(PAGE, "trusted", table())
