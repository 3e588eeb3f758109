# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of rates, and grey for what is too uncertain, on layers of counts.

Both are styles beside those that every file of a release has: the numbers stay what they are. A
GeoPackage keeps them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..compatibility import save_style
from ..library import np
from ..translation import tr
from .answers import (
    UNCERTAIN,
    breaks,
    decimal_places,
    in_tip,
    interval_tip,
    rate_names,
    renderer,
    uncertain_class,
)


class Look(NamedTuple):
    """Hold what to draw beyond counts: rates, and grey from which uncertainty on."""

    rates: Any = None
    grey: float | None = None


def groups_in(columns):
    """Return what the fields of each group end with; of counts without groups, nothing."""
    starts = (name[len("count") :] for name in columns if name.startswith("count"))
    return [end for end in starts if f"ci_low{end}" in columns]


def shade(look, columns):
    """Return what gives a layer these styles when it is loaded, or None without any."""
    if look == Look():
        return None
    groups = groups_in(columns)
    dress = Shades(look, columns)

    def put_on(layer, node):
        manager = layer.styleManager()
        from_counts = manager.styles()
        current = manager.currentStyle()
        styles = []
        for group in groups:
            for name in from_counts:
                manager.setCurrentStyle(name)
                if layer.renderer().classAttribute() == f"drawn{group}":
                    styles.append(dress(layer, name, group, first=not styles))
                    break
        manager.setCurrentStyle(styles[0] if styles else current)
        if node is not None:
            node.removeCustomProperty("legend/node-order")  # of the classes that counts had
            layer.legendChanged.emit()
            node.setExpanded(False)  # else QGIS takes it for expanded, and shows it folded
            node.setExpanded(True)

    return put_on


class Shades:
    """Styles of one layer, group by group."""

    def __init__(self, look, columns):
        self._look, self._columns = look, columns

    def __call__(self, layer, name, group, first):
        """Add the style of a group beside that of its counts, whose name is given.

        A GeoPackage opens with the first.
        """
        rates, grey = self._look
        if rates is None:
            shown = layer.renderer().clone()
            shown.setClassAttribute(self._or_grey(shown.classAttribute(), group))
            shown.addClassRange(uncertain_class(grey))
            title = tr("{}, uncertain ones grey").format(name)
        else:
            shown, title = self._rates(layer, group), tr("{} as rates").format(name)
        layer.setRenderer(shown)
        layer.styleManager().addStyleFromLayer(title)
        if layer.source().partition("|")[0].lower().endswith(".gpkg"):
            save_style(layer, title, first)
        return title

    def _rates(self, layer, group):
        """Make classes of rates; the names of their fields and the map tip tell of them too."""
        rates, grey = self._look
        field = f"rate{group}"
        names = rate_names(rates)
        for name, words in names.items():
            layer.setFieldAlias(layer.fields().indexOf(f"{name}{group}"), words)
        values, unit = self._columns[field], f"({names['rate']})"
        ends = (f"{name}{group}" for name in names)
        tip = interval_tip(*ends, decimal_places(values))
        layer.setMapTipTemplate(f"{layer.mapTipTemplate()}<br>{in_tip(names['rate'])}: {tip}")
        if grey is not None:
            values = values[self._sure(group)]
            return renderer(self._or_grey(field, group), breaks(values), grey=grey, unit=unit)
        return renderer(f'"{field}"', breaks(values), unit=unit)

    def _sure(self, group):
        count, low, high = (
            self._columns[f"{name}{group}"] for name in ("count", "ci_low", "ci_high")
        )
        return (count > 0) & ((high - low) / 2 <= self._look.grey * np.abs(count))

    def _or_grey(self, field, group):
        half = f'("ci_high{group}" - "ci_low{group}") / 2'
        sure = f'"count{group}" > 0 AND {half} <= {self._look.grey:.17g} * "count{group}"'
        return f'if("{field}" IS NULL OR ({sure}), "{field}", {UNCERTAIN:g})'
