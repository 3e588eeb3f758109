"""Answers as a map: colours by size, pale where the error is larger than half the estimate.

The standard error has a style of its own, in *Styles* of the layer's menu. Answers about several
groups lie upon each other, a row for each: there is a style for each of them, and where time
divides them one that QGIS's temporal controller plays.
"""

from qgis.core import (
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsProperty,
    QgsRendererRange,
    QgsSymbol,
)
from qgis.PyQt.QtGui import QColor

from ..library import geodp, np
from ..messages import number
from ..translation import tr
from .post import when_loaded

COLOURS = ("#ffffcc", "#fed976", "#fd8d3c", "#e31a1c", "#800026")
UNSURE = ("#f2f0f7", "#cbc9e2", "#9e9ac8", "#756bb1", "#54278f")

PALE = 30
"""Per cent of its colour that an answer keeps which is hardly more than its error."""

SURE = f'if("std_error" > abs("estimate") / 2, {PALE}, 100)'


def style_answers(destination, tables, release, context):
    """Dress a layer of answers when it is loaded: by density where there is one.

    Parameters
    ----------
    tables : mapping
        Columns of answers by the name of their group; a plain release has one without a name.
    """
    field = "density" if "density" in next(iter(tables.values())) else "estimate"
    limits = breaks(np.concatenate([columns[field] for columns in tables.values()]))
    errors = breaks(np.concatenate([columns["std_error"] for columns in tables.values()]))

    def put_on(layer, _project):
        describe(layer, release)
        if limits:
            dress(layer, field, limits, errors, release)

    when_loaded(destination, put_on, context)


def describe(layer, release):
    """Give fields names for people, the layer its promise, and the map a tip: 162 (135 to 189)."""
    names = {
        "group": tr("Map"),
        "estimate": tr("Estimated number of records"),
        "std_error": tr("Standard error"),
        "noise_error": tr("Standard deviation of the noise alone"),
        "ci_low": tr("Lower end of the interval"),
        "ci_high": tr("Upper end of the interval"),
        "border_share": tr("Share from cells that the border cuts"),
        "covered": tr("Share inside the release's extent"),
        "density": tr("Records per km²"),
        "density_low": tr("Records per km², at least"),
        "density_high": tr("Records per km², at most"),
    }
    fields = layer.fields()
    for name, alias in names.items():
        if fields.indexOf(name) >= 0:
            layer.setFieldAlias(fields.indexOf(name), alias)
    numbers = (
        f"[% coalesce(format_number(\"{name}\", 0), '?') %]"
        for name in ("estimate", "ci_low", "ci_high")
    )
    tip = tr("{} ({} to {})").format(*numbers)
    before = '<b>[% "group" %]</b><br>' if fields.indexOf("group") >= 0 else ""
    layer.setMapTipTemplate(f"{before}{tip}")
    about = layer.metadata()
    about.setTitle(geodp.for_qgis(tr("Answers of a private histogram")))
    about.setAbstract(geodp.for_qgis(f"{release.promise}\n{release.counted}"))
    layer.setMetadata(about)


def dress(layer, field, limits, errors, release):
    """Give a layer of answers its styles, and show the first."""
    styles = {tr("answers"): renderer(f'"{field}"', limits)}
    if release.groups:
        styles = {
            name: renderer(f'if("group" = {quoted(name)}, "{field}", NULL)', limits)
            for name in release.groups
        }
    else:
        styles[tr("standard error")] = renderer('"std_error"', errors, UNSURE, pale=False)
    manager = layer.styleManager()
    for name, style in styles.items():
        layer.setRenderer(style)
        manager.addStyleFromLayer(name)
    first = next(iter(styles))
    if any(geodp.spans_of(release)):
        first = tr("over time")
        play(layer, field, limits, release)
        manager.addStyleFromLayer(first)
    manager.setCurrentStyle(first)
    manager.removeStyle("default")  # what QGIS began with has been worked on


def play(layer, field, limits, release):
    """Let each answer be there in the time of its group; without a time, show the first."""
    spans = {name: span for name, span in zip(release.groups, geodp.spans_of(release)) if span}
    first, *_ = names = [quoted(name) for name in spans]
    timed = f'@map_start_time IS NOT NULL AND "group" IN ({", ".join(names)})'
    shown = f'if("group" = {first} OR ({timed}), "{field}", NULL)'
    layer.setRenderer(renderer(shown, limits))
    times = layer.temporalProperties()
    times.setMode(times.ModeFeatureDateTimeStartAndEndFromExpressions)
    for side, set_expression in enumerate((times.setStartExpression, times.setEndExpression)):
        cases = " ".join(
            f"WHEN \"group\" = {quoted(name)} THEN to_datetime('{span[side]}')"
            for name, span in spans.items()
        )
        set_expression(f"CASE {cases} END")
    times.setIsActive(True)


def quoted(text):
    """A text as an expression has it."""
    return "'{}'".format(text.replace("'", "''"))


def breaks(values):
    """Limits of classes with about as many answers in each; none where there are no answers."""
    known = np.sort(values[np.isfinite(values)])
    if not len(known):
        return []
    return np.unique(np.quantile(known, np.linspace(0, 1, len(COLOURS) + 1))).tolist()


def renderer(field, limits, colours=COLOURS, pale=True):
    """Classes of a field or an expression."""
    lows, highs = (limits[:-1], limits[1:]) if len(limits) > 1 else (limits, limits)
    ranges = []
    for low, high, name in zip(lows, highs, colours):
        symbol = QgsFillSymbol.createSimple({"outline_color": "#808080", "outline_width": "0.2"})
        symbol.setColor(QColor(name))
        if pale:
            symbol.setDataDefinedProperty(
                QgsSymbol.Property.PropertyOpacity, QgsProperty.fromExpression(SURE)
            )
        ranges.append(
            QgsRendererRange(low, high, symbol, f"{number(low):,.4g} – {number(high):,.4g}")
        )
    return QgsGraduatedSymbolRenderer(field, ranges)
