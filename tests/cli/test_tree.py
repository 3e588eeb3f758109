"""One tree of commands: listed at once, loaded when called, completed by the shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from geodp.cli import main
from geodp.cli.group import COMMANDS
from geodp.cli.help import SECTIONS, Sectioned

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

HEAVY = {
    *("geopandas", "shapely", "pyproj", "rasterio", "pyogrio", "pyarrow", "pandas"),
    *("matplotlib", "rich", "dask", "distributed", "duckdb", "psycopg"),
    *("numpy", "geodp.audit", "geodp.demo", "geodp.outputs.vector"),
}


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="geodp")


def every_command(group: click.Group = main, path: tuple[str, ...] = ()):
    """Yield paths and commands, groups included, in the order of the help."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))


TREE = dict(every_command())


def test_the_tree_is_what_it_is_and_nothing_more():
    assert [path[0] for path in TREE if len(path) == 1] == list(COMMANDS)
    assert [path[1] for path in TREE if path[0] == "ledger" and path[1:]] == [
        *("list", "register", "show")
    ]
    assert {path[0] for path in TREE if len(path) > 1} == {"ledger"}
    assert max(map(len, TREE)) == 2


@pytest.mark.parametrize("name", ["ledger", "audit", "release"])
def test_no_command_is_reachable_under_another(name):
    done = run("ledger", name, "--help")
    assert done.exit_code == 2
    assert done.output == f"Error: No such command '{name}': see 'geodp ledger --help'.\n"


@pytest.mark.parametrize("path", TREE, ids=" ".join)
def test_every_command_has_an_example(path):
    done = run(*path, "--help")
    assert done.exit_code == 0, done.output
    assert "Example:\n" in done.output
    assert f"  geodp {' '.join(path)} " in done.output
    assert run(*path, "-h").output == done.output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_they_say_of_themselves(name):
    assert TREE[name,].get_short_help_str(limit=200) == COMMANDS[name]
    assert COMMANDS[name].split()[0] in run("--help").output


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["release", "--help"], ["ledger", "--help"]])
def test_help_imports_no_library(words):
    code = (
        "import sys; from geodp.cli import main\n"
        f"try: main({words!r}, prog_name='geodp')\n"
        f"finally: print('imported', *sorted({HEAVY!r} & set(sys.modules)))\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert done.stdout.startswith("Usage: geodp")
    assert done.stdout.endswith("imported\n"), done.stdout.splitlines()[-1]


@pytest.mark.parametrize("words", [[], ["ledger"]])
def test_a_group_without_a_command_shows_its_help(words):
    done = run(*words)
    assert done.exit_code == 2
    assert "Usage:" in done.output
    assert "Commands:" in done.output


@pytest.mark.slow
def test_the_module_is_the_program():
    command = [sys.executable, "-m", "geodp", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert done.stdout.startswith("geodp, version ")


# --- completion ---------------------------------------------------------------------------------


def completed(typed: str) -> list[str]:
    """Say what bash is offered after these words."""
    words = typed.split(" ")
    asked = {"_GEODP_COMPLETE": "bash_complete", "COMP_WORDS": typed}
    done = subprocess.run(
        [sys.executable, "-m", "geodp"],
        capture_output=True,
        text=True,
        env={**ENVIRONMENT, **asked, "COMP_CWORD": str(len(words) - 1)},
    )
    assert done.stderr == ""
    return [line.split(",", 1)[1] for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("geodp ", list(COMMANDS)),
        ("geodp rel", ["release"]),
        ("geodp ledger ", ["list", "register", "show"]),
        ("geodp release --max", ["--max-records"]),
        ("geodp grids --cell", ["--cells", "--cell-sizes"]),
    ],
)
def test_the_shell_completes_commands_and_options(typed, offered):
    assert completed(typed) == offered


@pytest.mark.slow
def test_the_guide_says_how_to_switch_completion_on():
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    assert "_GEODP_COMPLETE=bash_source geodp" in guide
    asked = {**ENVIRONMENT, "_GEODP_COMPLETE": "bash_source"}
    command = [sys.executable, "-m", "geodp"]
    script = subprocess.run(command, capture_output=True, text=True, env=asked, check=True).stdout
    shell = f"{script}\ncomplete -p geodp"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert "_geodp_completion" in done.stdout


@pytest.mark.parametrize("name", ["release", "plan", "check"])
def test_sections_of_the_help_hold_every_option_once(name):
    command = TREE[name,]
    assert isinstance(command, Sectioned)
    sections = re.split(r"^(?=[A-Z].*:$)", run(name, "--help").output, flags=re.MULTILINE)[1:]
    listed = re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+)", "".join(sections), re.MULTILINE)
    shown = [
        param for param in command.params if isinstance(param, click.Option) and not param.hidden
    ]
    assert sorted(listed) == sorted(["--help", *(each.opts[-1] for each in shown)])
    assert len(sections) > 6
    assert sections[-1].startswith("Others:")


def test_sections_name_parameters_that_there_are():
    names = {param.name for name in ("release", "plan", "check") for param in TREE[name,].params}
    sections = [name for section in SECTIONS.values() for name in section]
    assert set(sections) <= names
    assert len(set(sections)) == len(sections)
