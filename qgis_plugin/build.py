"""Build the zip of the QGIS plugin: ``python qgis_plugin/build.py [--release] [FOLDER]``.

The zip holds one folder, ``geodp_qgis``: the plugin and, under ``vendor/geodp/core``, the core of
geodp, which needs NumPy alone, as it is; two files of the sample data; and the tutorial's pictures.
It depends on the sources and on nothing else: the same sources give the same bytes. With
``--release`` it is for publishing, and refused while there are no addresses in pyproject.toml;
without, it says that it is a development build.
"""

import argparse
import re
import zipfile
from pathlib import Path

DEVELOPMENT = "none: a development build"

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLUGIN = HERE / "geodp_qgis"
CORE = ROOT / "geodp" / "core"

SHIPPED = (".py", ".txt", ".html", ".svg", ".qm", ".json")
SAMPLE = ("us_districts.gpkg", "us_places.gpkg")
"""Of the sample data, what *Try with sample data* adds to a project."""

CARRIED = (".py", ".css", ".js", ".json")
"""Of the core: its modules, what goes into every page, and its translations."""

EPOCH = (1980, 1, 1, 0, 0, 0)


def version():
    text = (CORE / "common" / "version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "([^"]+)"', text)[1]


def addresses(text=None):
    """Return where the plugin lives, for its page and its users, as pyproject.toml has it."""
    text = text or (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^\[project.urls\]\n(.*?)^\[", text, re.M | re.S)[1]
    urls = dict(re.findall(r'^(\w+) = "(.*)"$', listed, re.M))
    email = re.search(r'^authors = .*email = "(.*?)"', text, re.M)
    return {
        "HOMEPAGE": urls.get("Homepage", ""),
        "TRACKER": urls.get("Issues", ""),
        "REPOSITORY": urls.get("Repository", ""),
        "EMAIL": email[1] if email else "",
    }


MOST_CHANGES = 5


def changes():
    """List what changed for users of QGIS, as the item about it in the list of changes says."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (item,) = re.findall(r"^- \*\*QGIS\.\*\* (.*(?:\n  .*)*)", text, re.M)
    plain = re.sub(r" \(.*?\)|[*`]", "", " ".join(item.split())).rstrip(".")
    lines = [line[0].upper() + line[1:] for line in re.split(r"[.;] ", plain)]
    return "".join(f"\n  - {line}." for line in lines[:MOST_CHANGES])


def metadata(text, release=False):
    """Fill in the blanks of the plugin's metadata."""
    values = addresses()
    missing = [name.lower() for name, value in values.items() if not value]
    if release and missing:
        raise SystemExit(
            f"A zip for publishing needs {', '.join(missing)}: write them into [project.urls] and "
            "the authors of pyproject.toml."
        )
    values = {name: value or DEVELOPMENT for name, value in values.items()}
    values |= {"VERSION": version(), "CHANGELOG": changes()}
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def contents(release=False):
    """Name in the zip and bytes of every file, sorted."""
    files = {}
    for path in PLUGIN.rglob("*"):
        if path.is_file() and (path.suffix in SHIPPED or path.name == "LICENSE"):
            files[path.relative_to(HERE).as_posix()] = path.read_bytes()
    text = files["geodp_qgis/metadata.txt"].decode()
    files["geodp_qgis/metadata.txt"] = metadata(text, release).encode()
    for name in SAMPLE:
        files[f"geodp_qgis/sample_data/{name}"] = (ROOT / "sample_data" / name).read_bytes()
    for path in (ROOT / "docs" / "images").glob("qgis-tutorial-*.png"):
        files[f"geodp_qgis/help/images/{path.name}"] = path.read_bytes()
    vendor = "geodp_qgis/vendor"
    files[f"{vendor}/__init__.py"] = b'"""Carried along, so that nothing must be installed."""\n'
    files[f"{vendor}/geodp/__init__.py"] = b'"""geodp without files and maps: its core alone."""\n'
    files[f"{vendor}/geodp/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    for path in CORE.rglob("*"):
        if path.suffix in CARRIED:
            files[f"{vendor}/geodp/core/{path.relative_to(CORE).as_posix()}"] = path.read_bytes()
    return dict(sorted(files.items()))


def build(folder, release=False):
    """Write the zip into a folder and return its path."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = contents(release)
    path = folder / f"geodp_qgis-{version()}{'' if release else '-development'}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the zip of the QGIS plugin.")
    parser.add_argument("folder", nargs="?", default=ROOT / "dist", help="where to write the zip")
    parser.add_argument("--release", action="store_true", help="not marked as development")
    options = parser.parse_args()
    print(build(options.folder, options.release))
