"""Change one thing in the lines that privacy rests on, and see whether the tests notice.

python tests/mutations.py              # two hundred changes, two at a time
python tests/mutations.py --count 20   # fewer
python tests/mutations.py --only 17    # one of them, with what the tests print

Each change is made in a copy of the package. A change that no test notices is a survivor: either it
changes nothing that matters, and docs/privacy.md says why, or a test is missing.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]

SEED = 22
"""Which changes are made: always the same."""

_PRIVACY, _CORE = "tests/privacy/test_combinations.py", "tests/core"

SELECTED = {
    "geodp/core/kernel/kernel.py": [
        f"{_CORE}/test_kernel.py",
        f"{_PRIVACY}::test_real_releases_of_two_combinations_hold",
    ],
    "geodp/core/privacy/noise.py": [
        f"{_CORE}/test_noise.py",
        f"{_CORE}/test_tabled_noise.py",
        f"{_CORE}/test_sampler.py",
        f"{_PRIVACY}::test_the_sampler_holds_in_short",
    ],
    "geodp/core/privacy/noise_tables.py": [
        f"{_CORE}/test_tabled_noise.py",
        f"{_CORE}/test_sampler.py",
        f"{_PRIVACY}::test_the_sampler_holds_in_short",
    ],
    "geodp/core/records/contribution.py": [
        f"{_CORE}/test_contribution.py",
        f"{_PRIVACY}::test_real_releases_of_two_combinations_hold",
    ],
}
"""Files, and the tests that must notice a change in them."""

PARTS = {"geodp/core/records/contribution.py": "BoundedRecords"}
"""Classes that alone are changed in a file: what caps records."""

_SECONDS = 20
"""Time on a processor after which a change counts as noticed: it never ends."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip

_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.Mod: ast.Add, ast.Pow: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Mutation:
    """One change: in which file, which of those that are possible there, and in words."""

    path: str
    number: int
    words: str


Site = tuple[str, int, Callable[[], None]]
"""What is changed, in which line, and how to do it."""


def sites(tree: ast.Module, part: str | None) -> list[Site]:
    """Return every change that can be made to a module, in the order of its text."""
    hints = {id(node) for each in ast.walk(tree) for node in _hints(each)}
    listed: list[Site] = []
    within = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == part), tree)
    modules = {n.asname or n.name for i in ast.walk(tree) if isinstance(i, ast.Import)
               for n in i.names}  # fmt: skip
    attributes: dict[str, set[str]] = {}
    for node in ast.walk(within):
        base = getattr(node, "value", None)
        if (
            isinstance(base, ast.Name)
            and isinstance(node, ast.Attribute)
            and base.id not in modules
        ):
            attributes.setdefault(base.id, set()).add(node.attr)
    for node in ast.walk(within):
        if id(node) in hints:
            continue
        line = getattr(node, "lineno", 0)
        listed += [(words, line, change) for words, change in _changes(node, attributes)]
        for block in ("body", "orelse"):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                listed += [
                    (
                        f"without `{ast.unparse(statement)[:60]}`",
                        statement.lineno,
                        _drop(statements, place),
                    )
                    for place, statement in enumerate(statements)
                    if isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise))
                    and not (
                        isinstance(statement, ast.Expr)
                        and isinstance(statement.value, ast.Constant)
                    )
                ]
    return sorted(listed, key=lambda site: (site[1], site[0]))


def _hints(node: ast.AST) -> Iterator[ast.AST]:
    """Yield types, decorators and default names: what says nothing when the code runs."""
    for name in ("annotation", "returns"):
        hint = getattr(node, name, None)
        if hint is not None:
            yield from ast.walk(hint)


def _drop(statements: list[ast.stmt], place: int) -> Callable[[], None]:
    def change() -> None:
        statements[place] = ast.copy_location(ast.Pass(), statements[place])

    return change


def _set(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _changes(
    node: ast.AST, attributes: dict[str, set[str]]
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the changes that can be made to one node."""
    text = ast.unparse(node)[:60] if isinstance(node, (ast.expr, ast.stmt)) else ""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            other = _COMPARED[type(operator)]
            swapped: list[ast.cmpop] = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield f"`{text}` with {other.__name__}", _set(node, "ops", swapped)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _COMPUTED:
        changed = _COMPUTED[type(node.op)]
        yield f"`{text}` with {changed.__name__}", _set(node, "op", changed())
    elif isinstance(node, ast.BoolOp):
        joined = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield f"`{text}` with {joined.__name__}", _set(node, "op", joined())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{not node.value} for {text}", _set(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        for value in (node.value + 1, node.value - 1):
            yield f"{value} for {text}", _set(node, "value", value)
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        negated = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        yield f"not `{ast.unparse(node.test)[:60]}`", _set(node, "test", negated)
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        first, second, *others = node.args
        yield f"`{text}` with arguments swapped", _set(node, "args", [second, first, *others])
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        for other_name in sorted(attributes.get(node.value.id, set()) - {node.attr})[:1]:
            yield f"`{other_name}` for `{text}`", _set(node, "attr", other_name)


def mutations(count: int) -> list[Mutation]:
    """Draw changes at random, always the same."""
    every = [
        Mutation(path, number, f"line {line}: {words}")
        for path in SELECTED
        for number, (words, line, _) in enumerate(sites(_parsed(path), PARTS.get(path)))
    ]
    return random.Random(SEED).sample(every, count)


def _parsed(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def changed(mutation: Mutation) -> str:
    """Return the text of the file with the change."""
    tree = _parsed(mutation.path)
    sites(tree, PARTS.get(mutation.path))[mutation.number][2]()
    return ast.unparse(ast.fix_missing_locations(tree))


class Copy:
    """A copy of the package in which changes are made, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "geodp", folder / "geodp", ignore=ignored)
        for name in ("tests", "benchmarks", "docs", "pyproject.toml"):
            (folder / name).symlink_to(ROOT / name)

    def run(self, mutation: Mutation | None, path: str) -> subprocess.CompletedProcess[str]:
        """Run the tests of a file, with a change or without."""
        place = self.folder / path
        text = (ROOT / path).read_text(encoding="utf-8") if mutation is None else changed(mutation)
        for stale in place.parent.glob(f"__pycache__/{place.stem}.*"):
            stale.unlink()
        place.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p",
                   "no:xdist", "--hypothesis-profile", "everyday", *SELECTED[path]]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, preexec_fn=_limited, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        place.write_text((ROOT / path).read_text(encoding="utf-8"), encoding="utf-8")
        return done


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="changes to make")
    parser.add_argument("--only", type=int, help="the number of one change")
    options = parser.parse_args()
    drawn = mutations(options.count)
    numbers = range(len(drawn)) if options.only is None else [options.only]
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Copy] = Queue()
        for name in ("one", "other"):
            copies.put(Copy(Path(folder) / name))
        for path in SELECTED:
            copy = copies.get()
            sound = copy.run(None, path)
            copies.put(copy)
            if sound.returncode:
                raise SystemExit(f"the tests of {path} fail as it is:\n{sound.stdout}")

        def survives(number: int) -> bool:
            copy = copies.get()
            try:
                done = copy.run(drawn[number], drawn[number].path)
            finally:
                copies.put(copy)
            noticed = done.returncode != 0
            one = drawn[number]
            print("noticed " if noticed else "SURVIVED", number, one.path, one.words, flush=True)
            if options.only is not None:
                print(done.stdout)
            return not noticed

        with ThreadPoolExecutor(2) as pool:
            survived = sum(pool.map(survives, numbers))
    print(f"{len(numbers) - survived} of {len(numbers)} changes were noticed.")


if __name__ == "__main__":
    main()
