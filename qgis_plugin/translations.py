"""Keep the translations up to date: ``python qgis_plugin/translations.py [LANGUAGE …]``.

There are two catalogues for each language, both made by collecting:

- ``geodp_qgis/i18n/geodp_LANGUAGE.ts``: what the plugin says, for Qt Linguist. Every text that goes
  through ``tr``, and the core's names of steps. ``lrelease`` of Qt makes the ``.qm`` files that
  QGIS loads.
- ``geodp/core/common/languages/LANGUAGE.json``: what the core says, for the plugin and for reports
  of the library alike. Its phrases and refusals, as templates with numbered blanks (see
  ``sentences.py``), and the labels of the dialog that take the place of Python's names in them.

Texts that are gone go. New ones are marked as unfinished in the one, and have an empty translation
in the other. ``geodp_qgis/i18n/sentences.json`` lists the templates of refusals that
``geodp_qgis/messages.py`` looks for.

To add a language, say Spanish, call it by its code: ``python qgis_plugin/translations.py es``
begins both catalogues. Translate what has no translation, copy the folder ``help/de`` to
``help/es`` and translate it, write its signs of numbers into ``geodp/core/common/language.py``,
and run this again. In a translation of the core's texts, each ``{1}`` stays as often as it is
there, in any order, and so does what is between backticks; words that can stand in a blank are
texts of their own, so write them to fit where they go.
"""

import argparse
import ast
import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import sentences

HERE = Path(__file__).resolve().parent
PLUGIN = HERE / "geodp_qgis"
CORE = HERE.parent / "geodp" / "core"
FOLDER = PLUGIN / "i18n"
LIBRARY = CORE / "common" / "languages"
SENTENCES = FOLDER / "sentences.json"
LABELS = PLUGIN / "algorithms" / "base.py"


def texts():
    """List every text of the plugin to translate, with the file that it is in, in a fixed order."""
    collected = {}
    for path in sorted(PLUGIN.rglob("*.py")):
        for text in _arguments(path, "tr"):
            collected.setdefault(text, path.relative_to(HERE).as_posix())
    for path in sorted(CORE.rglob("*.py")):
        for text in _arguments(path, "say"):
            collected.setdefault(text, path.relative_to(CORE.parent).as_posix())
    return collected


def _arguments(path, function):
    """List texts that a function is called with."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
            text = node.args[0]
            if isinstance(text, ast.Constant):
                yield text.value


def _tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def library_texts(templates=None):
    """List every text of the core to translate, with its file, and the labels of the dialog."""
    collected = sentences.texts(templates or sentences.templates())
    for node in ast.walk(_tree(LABELS)):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "WORDS":
            for value in node.value.values:
                collected.setdefault(value.value, LABELS.relative_to(HERE).as_posix())
    return collected


def listed(templates=None):
    """Write the templates as the plugin reads them: JSON, with a line for each."""
    collected = sorted((templates or sentences.templates()).items())
    lines = (json.dumps([text, choices], ensure_ascii=False) for text, (_, choices) in collected)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def read_library(path):
    """Read translations of the core's texts: text to translation, empty where there is none yet."""
    return json.loads(path.read_text(encoding="utf-8"))


def write_library(path, collected):
    """Write the core's texts as they are now, with what is known of their translations."""
    known = read_library(path) if path.exists() else {}
    known = {text: spaced(said) if path.stem == "fr" else said for text, said in known.items()}
    texts = {text: known.get(text, "") for text in sorted(collected)}
    path.write_text(json.dumps(texts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    missing = sum(not text for text in texts.values())
    print(f"{path.name}: {missing} to translate")


def spaced(text):
    """Put no-break spaces into French, which nobody types: before some marks, inside quotes."""
    return re.sub(r" (?=[:;?!%»])|(?<=«) ", "\N{NO-BREAK SPACE}", text)


def read(path):
    """Read translations of a file: text to translation, empty where there is none yet."""
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
    known = {path.stem for path in LIBRARY.glob("*.json")}
    for language in sorted(known | set(begun)):
        write_library(LIBRARY / f"{language}.json", library_texts(templates))


def code(text):
    """Return the code of a language, such as es or pt_BR, or refuse what is none."""
    if re.fullmatch("[a-z]{2,3}(_[A-Z]{2})?", text) is None:
        raise argparse.ArgumentTypeError(f"a language has a code such as es or pt_BR; got {text!r}")
    return text


def asked(arguments=None):
    """Return the languages to begin that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", metavar="LANGUAGE", nargs="*", type=code)
    return parser.parse_args(arguments).languages


if __name__ == "__main__":
    main(asked())
