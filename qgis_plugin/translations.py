"""Keep the plugin's translations up to date: ``python qgis_plugin/translations.py``.

Every text that goes through ``tr`` is collected, from the plugin and from the core's names of steps
and facts, into ``geodp_qgis/i18n/geodp_LANGUAGE.ts``, where translators work (with Qt Linguist).
Texts that are gone go, new ones are marked as unfinished. Then ``lrelease`` of Qt makes the ``.qm``
files that QGIS loads. For a new language, copy a ``.ts`` file and the folder ``help/de``.
"""

import ast
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
PLUGIN = HERE / "geodp_qgis"
CORE = HERE.parent / "geodp" / "core"
FOLDER = PLUGIN / "i18n"


def texts():
    """Every text to translate, with the file that it is in, in a fixed order."""
    found = {}
    for path in sorted(PLUGIN.rglob("*.py")):
        for text in _arguments(path, "tr"):
            found.setdefault(text, path.relative_to(HERE).as_posix())
    for path in sorted(CORE.rglob("*.py")):
        for text in (*_arguments(path, "say"), *_labels(path)):
            found.setdefault(text, path.relative_to(CORE.parent).as_posix())
    return found


def _arguments(path, function):
    """Texts that a function is called with."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
            text = node.args[0]
            if isinstance(text, ast.Constant):
                yield text.value


def _labels(path):
    """Names of facts: ``Fact(key, topic, label, …)``, ``cell_facts()``, and steps of ε."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Fact":
            if isinstance(node.args[2], ast.Constant):
                yield node.args[2].value
        elif isinstance(node, ast.FunctionDef) and node.name in ("cell_facts", "_grid_facts"):
            yield from (
                part.elts[0].value
                for part in ast.walk(node)
                if isinstance(part, ast.Tuple) and isinstance(part.elts[0], ast.Constant)
            )
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("_STEPS", "LABELS"):
            steps = ast.unparse(node.targets[0]) == "_STEPS"
            for value in node.value.values:
                yield f"ε for {value.value}" if steps else value.value


def _tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def read(path):
    """Translations of a file: text to translation, empty where there is none yet."""
    return {
        message.findtext("source"): message.findtext("translation") or ""
        for message in ElementTree.parse(path).iter("message")
    }


def write(path, language, translations):
    """Write the texts as they are now, with what is known of their translations."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = "geodp"
    for text, place in texts().items():
        message = ElementTree.SubElement(context, "message")
        ElementTree.SubElement(message, "location", filename=place)
        ElementTree.SubElement(message, "source").text = text
        translation = ElementTree.SubElement(message, "translation")
        translation.text = translations.get(text, "")
        if not translation.text:
            translation.set("type", "unfinished")
    ElementTree.indent(root, " ")
    body = ElementTree.tostring(root, encoding="unicode")
    path.write_text(
        f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8"
    )


def compiled(path, target):
    """Make what QGIS loads."""
    subprocess.run(["lrelease", "-silent", str(path), "-qm", str(target)], check=True)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("geodp_*.ts")):
        write(path, path.stem.partition("_")[2], read(path))
        compiled(path, path.with_suffix(".qm"))
        missing = sum(not text for text in read(path).values())
        print(f"{path.name}: {missing} to translate")
