"""QGIS's dialog of an algorithm: what stands above its fields, and who can hear them."""

import pytest

HISTOGRAM = {
    "What is protected?": "Points (private)",
    "Which area is public?": "Public extent",
    "How private?": "Privacy budget ε",
    "What do you want to answer?": "Make one map per value of [optional]",
    "Results": "Private counts",
}
HEADINGS = {
    "privatehistogram": HISTOGRAM,
    "privatehexagons": {**HISTOGRAM, "Results": "Private counts of hexagons"},
    "privatedistricts": {
        **HISTOGRAM,
        "Which area is public?": "Districts (public)",
        "Results": "Private counts of districts",
    },
}


@pytest.fixture
def dialog(qgis, project):
    """``dialog(name)``: that of an algorithm, as toolbox and menu open it."""
    from qgis.core import QgsApplication
    from qgis.PyQt import sip

    opened = []

    def go(name):
        algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"geodp:{name}")
        opened.append(algorithm.createCustomParametersWidget(None))
        return opened[-1]

    yield go
    for each in opened:
        sip.delete(each)


@pytest.fixture
def names(qgis):
    from qgis.core import QgsApplication

    provider = QgsApplication.processingRegistry().providerById("geodp")
    return [algorithm.name() for algorithm in provider.algorithms()]


@pytest.mark.parametrize("name", HEADINGS)
def test_fields_stand_under_headings(qgis, dialog, name):
    from qgis.PyQt.QtWidgets import QLabel

    shown = dialog(name)
    shown.resize(1000, 1000)
    shown.show()
    qgis.processEvents()
    panel = shown.mainWidget()
    labels = [each for each in panel.findChildren(QLabel) if each.isVisible() and each.text()]
    labels.sort(key=lambda each: each.mapTo(panel, each.rect().topLeft()).y())
    texts = [label.text() for label in labels]
    below = {
        label.text(): following
        for label, following in zip(labels, texts[1:])
        if label.font().bold() and label.text() in HEADINGS[name]
    }
    assert below == HEADINGS[name]
    assert list(below) == list(HEADINGS[name])


def test_advanced_parameters_are_folded(qgis, dialog):
    from qgis.PyQt.QtWidgets import QGroupBox, QLabel

    shown = dialog("privatehistogram")
    shown.show()
    qgis.processEvents()
    (advanced,) = shown.mainWidget().findChildren(QGroupBox)
    inside = advanced.findChildren(QLabel)
    assert {"Tuner", "Title [optional]"} <= {each.text() for each in inside}
    assert not any(each.isVisible() for each in inside)


def test_every_field_of_every_dialog_can_be_heard(dialog, names):
    from qgis.PyQt.QtCore import Qt
    from qgis.PyQt.QtWidgets import (
        QAbstractButton,
        QAbstractItemView,
        QGroupBox,
        QScrollArea,
        QWidget,
    )

    assert len(names) == 12
    for name in names:
        panel = dialog(name).mainWidget()
        for wrapper in panel.wrappers.values():
            widget = getattr(wrapper, "widget", None) or wrapper.wrappedWidget()
            label = wrapper.parameterDefinition().description()
            for part in (widget, *widget.findChildren(QWidget)):
                if not part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    continue
                words = part.accessibleName()
                if isinstance(part, QAbstractButton) and not words:
                    words = part.text()
                assert len(words) > 3, (name, label, part)
                if not isinstance(
                    part, (QAbstractButton, QAbstractItemView, QGroupBox, QScrollArea)
                ):
                    assert part.accessibleDescription(), (name, label, part)
