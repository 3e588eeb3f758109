# SPDX-License-Identifier: GPL-2.0-or-later
"""Words for people: everything that they read goes through ``tr``, help pages aside.

Translations are made from ``i18n/geodp_LANGUAGE.ts`` (see ``qgis_plugin/translations.py``); what
the core says is translated by ``messages``, from a catalogue of its own. Help
pages stand in ``help``, and translated in a folder of it that has the name of the language.
"""

from pathlib import Path

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

FOLDER = Path(__file__).parent


def tr(text):
    return QCoreApplication.translate("geodp", text)


def language():
    """Return the language that QGIS speaks, such as ``de``.

    That of ``qgis --lang``, which the settings know nothing of; otherwise that of the settings.
    """
    return locale_name()[:2]


def locale_name():
    """Return the language with its country where that is known, such as ``de_CH``."""
    return QgsApplication.instance().translation() or QgsApplication.locale()


def load_translation():
    """Make ``tr`` speak QGIS's language if there is a translation; what must be kept alive."""
    translator = QTranslator()
    if not translator.load(str(FOLDER / "i18n" / f"geodp_{language()}.qm")):
        return None
    QCoreApplication.installTranslator(translator)
    return translator


def help_page(name):
    """Return the path of a help page, in QGIS's language where there is one."""
    translated = FOLDER / "help" / language() / name
    return translated if translated.exists() else FOLDER / "help" / name
