# SPDX-License-Identifier: GPL-2.0-or-later
"""Answers as a map: colours by size, grey where too little is known.

The standard error has a style of its own, in *Styles* of the layer's menu. Answers about several
groups lie upon each other, a row for each: there is a style for each of them, and where time
divides them one that QGIS's temporal controller plays.
"""

import math
from html import escape

from qgis.core import QgsFillSymbol, QgsGraduatedSymbolRenderer, QgsRendererRange
from qgis.PyQt.QtGui import QColor

from ..library import geodp, np
from ..messages import number
from ..translation import tr
from .post import when_loaded

COLOURS = ("#ffffcc", "#fed976", "#fd8d3c", "#e31a1c", "#800026")
UNSURE = ("#f2f0f7", "#cbc9e2", "#9e9ac8", "#756bb1", "#54278f")

GREY = "#c4c4c4"
"""Colour of what is too uncertain, as in the library's pictures."""

UNCERTAIN = 1e300
"""What an uncertain answer counts as among the classes: a number that no other has."""


def style_answers(destination, tables, release, context, rates=None, grey=0.5):
    """Dress a layer of answers when it is loaded: by rate or density where there is one.

    Parameters
    ----------
    tables : mapping
        Columns of answers by the name of their group; a plain release has one without a name.
    rates : Rates or None
        What rates are of.
    grey : float
        Part of an estimate that half of its interval may be, where it is not grey.
    """
    first = next(iter(tables.values()))
    field = next(name for name in ("rate", "density", "estimate") if name in first)
    values = np.concatenate([columns[field] for columns in tables.values()])
    reliable = np.concatenate([columns["reliable"] for columns in tables.values()])
    limits = breaks(values[reliable])
    errors = breaks(np.concatenate([columns["std_error"] for columns in tables.values()]))

    unit = legend_unit(field, release, rates)

    def put_on(layer, _project):
        describe(layer, release, rates, decimal_places(values) if rates else 0)
        if errors:
            dress(layer, field, limits, errors, release, grey, unit)

    when_loaded(destination, put_on, context)


def widen(layer):
    """Make columns of the table as wide as what stands above them."""
    table = layer.attributeTableConfig()
    table.update(layer.fields())
    for place, column in enumerate(table.columns()):
        words = layer.attributeAlias(layer.fields().indexOf(column.name)) or column.name
        table.setColumnWidth(place, max(90, 24 + 7 * len(words)))
    layer.setAttributeTableConfig(table)


def legend_unit(field, release, rates):
    """Return what the first class of a legend adds to its limits: of what they are."""
    things = release.method.quantity.things
    if field == "rate":
        return f"({rate_names(rates)['rate']})"
    if field == "density":
        return tr("per km²")
    return {"records": tr("records"), "people": tr("people")}.get(things, things)


def decimal_places(values):
    """Return how many decimal places show three digits of the usual value."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return max(0, 2 - math.floor(math.log10(np.median(sizes)))) if len(sizes) else 0


def describe(layer, release, rates=None, places=0):
    """Give fields names for people, the layer its promise, and the map a tip: 162 (135 to 189)."""
    names = {} if rates is None else rate_names(rates)
    names |= {
        "group": tr("Map"),
        "estimate": tr("Estimated number of records"),
        "std_error": tr("Standard error"),
        "noise_error": tr("Standard deviation of the noise alone"),
        "ci_low": tr("Lower end of the interval"),
        "ci_high": tr("Upper end of the interval"),
        "border_share": tr("Share from cells that the border cuts"),
        "covered": tr("Share inside the release's extent"),
        "reliable": tr("Narrow interval beside the estimate"),
        "sum": tr("Estimated sum"),
        "sum_low": tr("Estimated sum, at least"),
        "sum_high": tr("Estimated sum, at most"),
        "mean": tr("Estimated mean"),
        "mean_low": tr("Estimated mean, at least"),
        "mean_high": tr("Estimated mean, at most"),
        "density": tr("Records per km²"),
        "density_low": tr("Records per km², at least"),
        "density_high": tr("Records per km², at most"),
    }
    fields = layer.fields()
    for name, alias in names.items():
        if fields.indexOf(name) >= 0:
            layer.setFieldAlias(fields.indexOf(name), alias)
    widen(layer)
    tip = interval_tip("estimate", "ci_low", "ci_high", 0)
    if rates is not None:
        more = interval_tip("rate", "rate_low", "rate_high", places)
        tip = f"{tip}<br>{in_tip(names['rate'])}: {more}"
    before = '<b>[% "group" %]</b><br>' if fields.indexOf("group") >= 0 else ""
    layer.setMapTipTemplate(f"{before}{tip}")
    about = layer.metadata()
    about.setTitle(geodp.for_qgis(tr("Answers of a private histogram")))
    about.setAbstract(geodp.for_qgis(f"{release.promise}\n{release.counted}"))
    layer.setMetadata(about)


def rate_names(rates):
    """Return what fields of rates are called for people."""
    what = tr("Rate per {} of '{}'").format(f"{number(rates.each):,g}", rates.field)
    return {
        "rate": what,
        "rate_low": tr("{}, at least").format(what),
        "rate_high": tr("{}, at most").format(what),
    }


def in_tip(words):
    """Escape words for a map tip: none of their signs is one of HTML or of an expression."""
    return escape(geodp.for_qgis(words), quote=False).replace("[%", "[ %")


def interval_tip(value, low, high, places):
    """Write a number with its interval, as a map tip has it: 162 (135 to 189)."""
    numbers = (
        f"[% coalesce(format_number(\"{name}\", {places}), '?') %]" for name in (value, low, high)
    )
    return tr("{} ({} to {})").format(*numbers)


def reliable_or_grey(field):
    """Return what has the colours: the value of a field, or a mark where too little is known."""
    return f'if("reliable" OR "{field}" IS NULL, "{field}", {UNCERTAIN:g})'


def dress(layer, field, limits, errors, release, grey, unit):
    """Give a layer of answers its styles, and show the first."""
    shown = reliable_or_grey(field)
    look = {"grey": grey, "unit": unit}
    styles = {tr("answers"): renderer(shown, limits, **look)}
    if release.groups:
        styles = {
            name: renderer(f'if("group" = {quoted(name)}, {shown}, NULL)', limits, **look)
            for name in release.groups
        }
    else:
        styles[tr("standard error")] = renderer('"std_error"', errors, UNSURE)
    manager = layer.styleManager()
    begun = manager.currentStyle()  # "default", in QGIS's language
    for name, style in styles.items():
        layer.setRenderer(style)
        manager.addStyleFromLayer(name)
    first = next(iter(styles))
    if any(geodp.group_spans(release)):
        first = tr("over time")
        play(layer, shown, limits, release, look)
        manager.addStyleFromLayer(first)
    manager.setCurrentStyle(first)
    manager.removeStyle(begun)  # what QGIS began with has been worked on


def play(layer, value, limits, release, look):
    """Let each answer be there in the time of its group; without a time, show the first."""
    spans = {name: span for name, span in zip(release.groups, geodp.group_spans(release)) if span}
    first, *_ = names = [quoted(name) for name in spans]
    timed = f'@map_start_time IS NOT NULL AND "group" IN ({", ".join(names)})'
    shown = f'if("group" = {first} OR ({timed}), {value}, NULL)'
    layer.setRenderer(renderer(shown, limits, **look))
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
    """Quote a text as an expression has it."""
    return "'{}'".format(text.replace("'", "''"))


def breaks(values):
    """Round limits of classes with about as many answers in each; none where there are no answers.

    The outermost hold all answers.
    """
    known = np.sort(values[np.isfinite(values)])
    if not len(known):
        return []
    quantiles = np.quantile(known, np.linspace(0, 1, len(COLOURS) + 1)).tolist()
    inner = (float(f"{limit:.2g}") for limit in quantiles[1:-1])
    low, high = outwards(quantiles[0], math.floor), outwards(quantiles[-1], math.ceil)
    return sorted({low, *(limit for limit in inner if low < limit < high), high})


def outwards(value, towards):
    """Return the next number of two digits below or above a value; never on its other side."""
    if value == 0:
        return value
    step = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    limit = float(f"{towards(value / step) * step:.6g}")
    beyond = limit <= value if towards is math.floor else limit >= value
    return limit if beyond else value


def renderer(field, limits, colours=COLOURS, grey=None, unit=""):
    """Make classes of a field or an expression; with ``grey``, one more for what is uncertain."""
    lows, highs = (limits[:-1], limits[1:]) if len(limits) > 1 else (limits, limits)
    ranges = []
    for low, high, name in zip(lows, highs, colours):
        words = (
            f"{number(low):,.4g} – {number(high):,.4g}{'' if ranges or not unit else f' {unit}'}"
        )
        ranges.append(QgsRendererRange(low, high, fill_symbol(name), words))
    if grey is not None:
        ranges.append(uncertain_class(grey))
    return QgsGraduatedSymbolRenderer(field, ranges)


def uncertain_class(grey):
    """Make the class of what is too uncertain to have a colour."""
    words = tr("uncertain: ±{} % or more").format(f"{number(100 * grey):g}")
    return QgsRendererRange(UNCERTAIN, UNCERTAIN, fill_symbol(GREY), words)


def fill_symbol(name):
    """Return the symbol that draws polygons of a class."""
    symbol = QgsFillSymbol.createSimple({"outline_color": "#808080", "outline_width": "0.2"})
    symbol.setColor(QColor(name))
    return symbol
