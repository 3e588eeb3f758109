"""Every command and every line of Python in the README and the guide is run, top to bottom.

Two kinds of command cannot run inside a test: ``make`` (it would run the tests again) is only asked
what it would do, and installing is checked against the extras that the project names.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from geodp.core.common.errors import UNFINISHED
from geodp.sources.columns import UNSOUND
from geodp.sources.databases import UNANSWERED

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

WRITTEN = {
    "README.md": "states.csv states.gpkg by_state.csv answers.gpkg report.html places.tif",
    "docs/guide.md": "density.tif kinds.png",
    "docs/howto/amounts.md": "people.gpkg means.png means.csv",
    "docs/howto/billion-points.md": "visits.tif",
    "docs/howto/districts-from-csv.md": "states.csv nested.csv chosen.csv districts.csv",
    "docs/howto/groups.md": "kinds.tif hours.png",
    "docs/howto/hexagons.md": "places.gpkg places.csv hexagons.gpkg places.parquet",
    "docs/howto/people.md": "checkins.tif again.tif spends.geodp",
    "docs/howto/rates.md": "places.tif states.gpkg sizes.gpkg states.png states.csv",
    "docs/howto/two-years.md": "change.tif change.png quarters.csv",
    "docs/howto/which-epsilon.md": "error.png spends.geodp",
    "docs/reviewers.md": "places.tif entry.yaml",
}
"""Files that the blocks of each page leave behind."""

HOW_TOS = sorted(name for name in WRITTEN if "/howto/" in name)

SHELL = """
set -eu
geodp() { "$PYTHON" -m geodp "$@"; }
make() { command make --dry-run -C "$ROOT" "$@" > /dev/null; }
python() {
    [ "$*" = "-m pip install .[plots]" ] && grep -q '^plots = ' "$ROOT/pyproject.toml"
}
"""


def blocks(name):
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


def run_shell(text, folder):
    environment = {**os.environ, "PYTHON": sys.executable, "ROOT": str(ROOT)}
    environment["PYTHONPATH"] = str(ROOT)
    for inherited in ("MAKEFLAGS", "MAKELEVEL"):
        environment.pop(inherited, None)
    done = subprocess.run(
        ["bash", "-c", SHELL + text], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_every_block_runs(name, tmp_path, monkeypatch):
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    texts, names = blocks(name), {"__name__": "__main__"}
    assert {language for language, _ in texts if language != "{toctree}"} == {"bash", "python"}
    for language, text in texts:
        if language == "bash":
            run_shell(text, tmp_path)
        else:
            exec(compile(text, name, "exec"), names)
    files = {path.name for path in tmp_path.iterdir()}
    assert files >= set(WRITTEN[name].split())
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


PAGES = ["README.md", *sorted(p.relative_to(ROOT).as_posix() for p in ROOT.glob("docs/**/*.md"))]


def test_every_how_to_is_run():
    existing = {f"docs/howto/{path.name}" for path in (ROOT / "docs/howto").glob("*.md")}
    assert existing == {*HOW_TOS, "docs/howto/index.md"}


@pytest.mark.parametrize("name", PAGES)
def test_links_between_documents(name):
    """Links stay inside the project; those to documents are spelt as files are."""
    text = (ROOT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    for link in links:
        assert not link.startswith("/")
        folder = (ROOT / name).parent
        assert link.startswith("https://") or (folder / link).exists(), link


EVERYWHERE = [
    *PAGES,
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    *(f"{folder}/README.md" for folder in ("benchmarks", "examples", "qgis_plugin", "sample_data")),
]
FOLDERS = "geodp|study|tests|benchmarks|docs|sample_data|qgis_plugin|dist"


@pytest.mark.parametrize("name", EVERYWHERE)
def test_files_and_targets_that_a_page_names_are_there(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    for path in re.findall(
        rf"\b((?:{FOLDERS})/[\w./-]*\.(?:py|md|gpkg|parquet|png|toml|c))\b", text
    ):
        assert (ROOT / path).exists(), path
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"`make ([a-z-]+)`|^make ([a-z-]+)$", text, re.MULTILINE):
        assert "".join(target) in targets
    import geodp.cli.group

    for command in re.findall(r"`geodp ([a-z]+)", text):
        assert command in geodp.cli.group.COMMANDS


def test_the_page_of_benchmarks_lists_every_script_and_what_make_runs():
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)\.py` \|", text, re.MULTILINE)
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert sorted(listed) == sorted(scripts - {"shared"})
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    (turns,) = re.findall(r"^benchmarks:.*\n\t@for name in (.*?);", recipe, re.MULTILINE)
    (said,) = re.findall(r"which need nothing else: (.*?)\.\s", text, re.DOTALL)
    assert re.split(r",\s|\sand\s", said) == turns.split()


def test_the_tree_of_the_code_names_every_module_in_its_room():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (tree,) = re.findall(r"^```\n(geodp/.*?)^```$", text, re.MULTILINE | re.DOTALL)
    named: list[str] = []
    folders: list[str] = []
    for indent, name, words in re.findall(r"^( +)(\S+) +(\S.*)$", tree, re.MULTILINE):
        assert words
        del folders[len(indent) // 2 - 1 :]
        if name.endswith("/"):
            folders.append(name)
        else:
            named.append("".join([*folders, name]))
    package = ROOT / "geodp"
    files = (path for suffix in ("py", "css", "js") for path in package.rglob(f"*.{suffix}"))
    existing = {path.relative_to(package).as_posix() for path in files}
    said_by_the_folder = {name for name in existing if name.endswith("/__init__.py")} - set(named)
    assert sorted(named) == sorted({*existing, "py.typed"} - said_by_the_folder)


def test_the_exercise_of_the_newcomer_states_its_lines():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^ *\| `(\S+\.py)` \| (\d+) \|", text, re.MULTILINE)
    assert len(rows) > 3
    for name, stated in rows:
        lines = (ROOT / "geodp" / name).read_text(encoding="utf-8").splitlines()
        assert abs(len(lines) - int(stated)) <= int(stated) / 10, (name, len(lines))


def test_the_table_of_noise_is_right():
    import geodp

    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) \| ([\d.]+) \| ± ([\d.]+) \|$", text, re.MULTILINE)
    assert len(rows) == 4
    town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    for epsilon, factor, noise in rows:
        grids = geodp.candidate_grids(town, sizes=[1, 2])
        release = geodp.release(([], []), cells=geodp.Regular(grids), epsilon=epsilon)
        deviation = float(release.variance[0]) ** 0.5
        assert float(noise) == pytest.approx(deviation, rel=0.05)
        assert float(factor) == pytest.approx(2.718281828 ** float(epsilon), rel=0.05)


@pytest.mark.parametrize("sentence", [UNFINISHED, UNSOUND, UNANSWERED])
def test_what_can_fail_after_counting_began_is_listed(sentence):
    page = (ROOT / "docs/privacy.md").read_text(encoding="utf-8")
    assert f'"{sentence}"' in page.partition("### What can fail after counting began")[2]
