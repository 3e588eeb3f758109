"""`make clean` removes the folder of another system, and no other."""

from __future__ import annotations

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parent / "qgis" / "newer.sh"


def clean(folder: Path) -> tuple[int, str]:
    command = ["sh", SCRIPT, "clean", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_folder_with_another_system_is_removed_and_no_other(tmp_path):
    system, other = tmp_path / "qgis-new", tmp_path / "photos"
    for folder in (system, other):
        (folder / "proc").mkdir(parents=True)
    assert clean(system) == (0, "")
    assert not system.exists()
    code, output = clean(other)
    assert (code, other.exists()) == (1, True)
    assert "does not look like" in output
