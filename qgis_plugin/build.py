"""Build the zip of the QGIS plugin: ``python qgis_plugin/build.py [FOLDER]``.

The zip holds one folder, ``geodp_qgis``: the plugin and, under ``vendor/geodp/core``, the core of
geodp, which needs NumPy alone, as it is. It depends on the sources and on nothing else: the same
sources give the same bytes.
"""

import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLUGIN = HERE / "geodp_qgis"
CORE = ROOT / "geodp" / "core"

SHIPPED = (".py", ".txt", ".html", ".svg")
EPOCH = (1980, 1, 1, 0, 0, 0)


def version():
    text = (CORE / "version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "([^"]+)"', text)[1]


def contents():
    """Name in the zip and bytes of every file, sorted."""
    files = {}
    for path in PLUGIN.rglob("*"):
        if path.is_file() and (path.suffix in SHIPPED or path.name == "LICENSE"):
            files[path.relative_to(HERE).as_posix()] = path.read_bytes()
    text = files["geodp_qgis/metadata.txt"].decode()
    files["geodp_qgis/metadata.txt"] = text.replace("@VERSION@", version()).encode()
    vendor = "geodp_qgis/vendor"
    files[f"{vendor}/__init__.py"] = b'"""Carried along, so that nothing must be installed."""\n'
    files[f"{vendor}/geodp/__init__.py"] = b'"""geodp without files and maps: its core alone."""\n'
    files[f"{vendor}/geodp/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    for path in CORE.glob("*.py"):
        files[f"{vendor}/geodp/core/{path.name}"] = path.read_bytes()
    return dict(sorted(files.items()))


def build(folder):
    """Write the zip into a folder and return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"geodp_qgis-{version()}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents().items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return path


if __name__ == "__main__":
    print(build(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist"))
