"""Keep the plugin's translations up to date: ``python qgis_plugin/translations.py [LANGUAGE …]``.

There are two catalogues for each language, both made by collecting and both for Qt Linguist:

- ``geodp_qgis/i18n/geodp_LANGUAGE.ts``: what the plugin says. Every text that goes through ``tr``,
  from the plugin and from the core's names of steps and facts.
- ``geodp_qgis/i18n/library/LANGUAGE.ts``: what the core says. Its refusals and the lines that the
  plugin logs, as templates with numbered blanks (see ``sentences.py``), and the labels of the
  dialog that take the place of Python's names in them. A language may do without: then these stay
  English.

Texts that are gone go, new ones are marked as unfinished. ``lrelease`` of Qt makes the ``.qm``
files that QGIS loads, and ``i18n/library/sentences.json`` lists the templates that
``geodp_qgis/messages.py`` looks for.

To add a language, say French, call it by its code: ``python qgis_plugin/translations.py fr`` begins
both catalogues. Translate what is marked as unfinished, copy the folder ``help/de`` to ``help/fr``
and translate it, and run this again. In a translation of the core's sentences, each ``{1}`` stays
as often as it is there, in any order, and so does what is between backticks; words that can stand
in a blank are texts of their own, so write them to fit where they go.
"""

import ast
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import sentences

HERE = Path(__file__).resolve().parent
PLUGIN = HERE / "geodp_qgis"
CORE = HERE.parent / "geodp" / "core"
FOLDER = PLUGIN / "i18n"
LIBRARY = FOLDER / "library"
SENTENCES = LIBRARY / "sentences.json"
LABELS = PLUGIN / "algorithms" / "base.py"


def texts():
    """Every text of the plugin to translate, with the file that it is in, in a fixed order."""
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


def library_texts(templates=None):
    """Every text of the core to translate, with its file, and the labels of the dialog."""
    found = sentences.texts(templates or sentences.templates())
    for node in ast.walk(_tree(LABELS)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WORDS":
            for value in node.value.values:
                found.setdefault(value.value, LABELS.relative_to(HERE).as_posix())
    return found


def listed(templates=None):
    """The templates as the plugin reads them: JSON, with a line for each."""
    kinds = []
    for kind, found in (templates or sentences.templates()).items():
        lines = (
            json.dumps([text, choices], ensure_ascii=False) for text, (_, choices) in found.items()
        )
        kinds.append(f"{json.dumps(kind)}: [\n" + ",\n".join(lines) + "\n]")
    return "{\n" + ",\n".join(kinds) + "\n}\n"


def read(path):
    """Translations of a file: text to translation, empty where there is none yet."""
    return {
        message.findtext("source"): message.findtext("translation") or ""
        for message in ElementTree.parse(path).iter("message")
    }


def write(path, language, translations, collected=None):
    """Write the texts as they are now, with what is known of their translations."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ElementTree.SubElement(root, "context")
    ElementTree.SubElement(context, "name").text = "geodp"
    for text, place in (collected or texts()).items():
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


def renew(path, language, collected):
    """Bring a catalogue up to date, or begin it."""
    write(path, language, read(path) if path.exists() else {}, collected)
    compiled(path, path.with_suffix(".qm"))
    missing = sum(not text for text in read(path).values())
    print(f"{path.relative_to(FOLDER)}: {missing} to translate")


def main(begun):
    templates = sentences.templates()
    SENTENCES.write_text(listed(templates), encoding="utf-8")
    known = {path.stem.partition("_")[2] for path in FOLDER.glob("geodp_*.ts")}
    for language in sorted(known | set(begun)):
        renew(FOLDER / f"geodp_{language}.ts", language, texts())
    known = {path.stem for path in LIBRARY.glob("*.ts")}
    for language in sorted(known | set(begun)):
        renew(LIBRARY / f"{language}.ts", language, library_texts(templates))


if __name__ == "__main__":
    main(sys.argv[1:])
