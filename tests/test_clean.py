"""What `make clean` removes recursively holds nothing of the machine."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "qgis" / "newer.sh"


def clean(folder: Path, *before: str) -> tuple[int, str]:
    command = [*before, "sh", SCRIPT, "clean", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_folder_with_another_system_is_removed_and_no_other(tmp_path):
    mine, other = tmp_path / "qgis-new", tmp_path / "photos"
    for folder in (mine, other):
        (folder / "proc").mkdir(parents=True)
    assert clean(mine) == (0, "")
    assert not mine.exists()
    code, said = clean(other)
    assert (code, other.exists()) == (1, True)
    assert "does not look like" in said


def may_mount() -> bool:
    apart = ["unshare", "--mount", "true"]
    return (
        bool(shutil.which("unshare")) and not subprocess.run(apart, capture_output=True).returncode
    )


@pytest.mark.skipif(not may_mount(), reason="only root may mount")
def test_nothing_is_removed_while_something_is_mounted_below(tmp_path):
    folder = tmp_path / "qgis-new"
    (folder / "proc").mkdir(parents=True)
    (folder / "kept").touch()
    mounted = 'mount -t tmpfs none "$0/proc" && exec "$@"'
    apart = ("unshare", "--mount", "--propagation", "private", "sh", "-c", mounted, str(folder))
    code, said = clean(folder, *apart)
    assert "Something is mounted below" in said
    assert code == 1
    assert (folder / "kept").exists()
    assert clean(folder) == (0, "")
