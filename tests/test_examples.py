"""The notebooks run as they stand, and keep what they showed."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def read(path: Path):
    import nbformat

    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_keep_their_output_and_name_no_machine(path):
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    kinds = {output.output_type for cell in cells for output in cell.outputs}
    assert "error" not in kinds
    assert any("image/png" in str(output) for cell in cells for output in cell.outputs)
    assert "/home/" not in path.read_text()
    assert "/tmp/" not in path.read_text()
    assert path.stat().st_size < 600_000
    assert f"({path.name})" in (ROOT / "examples" / "README.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path, monkeypatch):
    from nbclient import NotebookClient

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = read(path)
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": path.parent}})
    client.execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
