"""Dialogs ask before they spend on the same data again; scripts and models are not held up."""

import time
from fractions import Fraction

import pytest
from conftest import CRS, EXTENT, PLACES

NAME = PLACES.partition("|")[0]
ALGORITHM = "geodp:privatehistogram"


@pytest.fixture
def account(qgis, settings, tmp_path):
    """Return what the ledger has of the places, which is nothing at first."""
    from geodp_qgis.library import geodp

    settings(LEDGER=str(tmp_path / "ledger.sqlite"), CAP=10)

    def go():
        ledger = geodp.Ledger(tmp_path / "ledger.sqlite")
        return ledger[NAME].statement() if NAME in ledger else None

    return go


@pytest.fixture
def asked(monkeypatch):
    """Texts of questions, which are all answered with no unless ``asked.answer`` is set."""
    import geodp_qgis.dialog

    class Asked(list):
        answer = False

    questions = Asked()

    def may_spend(_parent, _title, text):
        questions.append(text)
        return questions.answer

    monkeypatch.setattr(geodp_qgis.dialog, "may_spend", may_spend)
    return questions


@pytest.fixture
def dialog(qgis, project):
    """``dialog(**parameters)``: that of *Private histogram*, as toolbox and history open it."""
    from qgis.core import QgsApplication
    from qgis.PyQt import sip

    opened = []

    def go(**changes):
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(ALGORITHM)
        widget = algorithm.createCustomParametersWidget(None)
        opened.append(widget)
        widget.setParameters(
            {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "CELLS": 0, "SIZES": "4", **changes}
        )
        return widget

    yield go
    for each in opened:
        if not sip.isdeleted(each):  # QGIS closes it after a run
            sip.delete(each)


@pytest.fixture
def press(qgis, dialog):
    """``press(**parameters)``: fill the dialog in and press *Run*; whether it ran, and its bar."""

    def go(**changes):
        widget, ends = dialog(**changes), []
        widget.algorithmFinished.connect(lambda successful, _results: ends.append(successful))
        widget.runAlgorithm()
        message = widget.messageBar().currentItem()
        until = time.monotonic() + 60
        while not ends and widget.cancelButton().isEnabled() and time.monotonic() < until:
            qgis.processEvents()
        return ends, message.text() if message is not None else ""

    return go


def test_the_first_run_is_not_asked_about(press, asked, account):
    assert press() == ([True], "")
    assert asked == []
    assert account().spent == 1


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_second_run_says_what_was_spent_and_asks(press, asked, account, goes_on):
    asked.answer = goes_on
    press()
    ends, message = press(EPSILON=0.25)
    (text,) = asked
    assert f"On '{NAME}', ε = 1 was spent before, the last time on 20" in text
    assert "and adds 0.25: 1.25 of 10 in all" in text
    assert ends == ([True] if goes_on else [])
    assert message == ("" if goes_on else "Nothing was read, no budget is spent.")
    assert account().spent == (Fraction(5, 4) if goes_on else 1)


def test_what_is_refused_is_not_asked_about(press, asked, account, monkeypatch):
    from qgis.PyQt.QtWidgets import QMessageBox

    messages = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *words: messages.append(words[-1]))
    press()
    assert press(EPSILON=-1)[0] == []
    assert press(EPSILON=9.5)[0] == []
    assert asked == []
    assert "must be greater than 0" in messages[0]
    assert "would pass the cap" in messages[1]
    assert account().spent == 1


@pytest.mark.parametrize("kind", ["privatehistogram", "privatedistricts", "privatehexagons"])
def test_every_algorithm_that_spends_has_the_dialog(qgis, kind):
    from geodp_qgis.dialog import SpendingDialog
    from qgis.core import QgsApplication, QgsProcessingAlgorithm
    from qgis.PyQt import sip

    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"geodp:{kind}")
    # The toolbox would offer a table of runs that does not ask.
    assert not algorithm.flags() & QgsProcessingAlgorithm.Flag.FlagSupportsBatch
    widget = algorithm.createCustomParametersWidget(None)
    assert isinstance(widget, SpendingDialog)
    sip.delete(widget)


def test_scripts_are_told_and_not_held_up(histogram, asked, account):
    histogram(SIZES="4")
    assert "was spent before" in histogram(SIZES="4").text
    assert asked == []
    assert account().spent == 2


def table(*rows, newer=False):
    """The panel of a batch, as far as it is asked; a real one needs a desktop in QGIS 3.44."""

    class Panel:
        def batchRowCount(self):
            return len(rows)

        def parametersForRow(self, row, destinationProject=None, warnOnInvalid=True):
            return rows[row], True

    class NewerPanel(Panel):
        def parametersForRow(self, row, context, destinationProject=None, warnOnInvalid=True):
            assert context is not None
            return super().parametersForRow(row)

    return NewerPanel() if newer else Panel()


@pytest.mark.parametrize("newer", [False, True])
@pytest.mark.parametrize("goes_on", [False, True])
def test_a_batch_is_asked_about_once(qgis, project, asked, account, goes_on, newer):
    """The run itself differs between versions of QGIS, and is QGIS's own."""
    from geodp_qgis.dialog import Asking, SpendingBatch
    from qgis.core import QgsApplication

    given = {"INPUT": PLACES, "EXTENT": EXTENT, "CRS": CRS, "CELLS": 0, "SIZES": "4"}
    given["OUTPUT_RASTER"] = "TEMPORARY_OUTPUT"
    panel = table(*({**given, "EPSILON": each} for each in (0.5, 0.25)), newer=newer)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(ALGORITHM)
    begun = []

    class Bar:
        def clearWidgets(self):
            pass

        def pushInfo(self, _title, text):
            assert text == "Nothing was read, no budget is spent."

    class Stock:
        def runAlgorithm(self):
            begun.append(self)

    class Batch(Asking, Stock):
        runs = SpendingBatch.runs

        def mainWidget(self):
            return panel

        def algorithm(self):
            return algorithm

        def messageBar(self):
            return Bar()

    asked.answer = goes_on
    Batch().runAlgorithm()
    (text,) = asked
    assert text == (
        f"On '{NAME}', ε = 0 was spent before. These 2 runs make as many releases and add 0.75: "
        "0.75 of 10 in all."
    )
    assert len(begun) == goes_on
    assert account() is None
