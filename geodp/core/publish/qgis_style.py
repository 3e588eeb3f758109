"""Styles and descriptions as QGIS reads them: classes of pictures, errors and views.

The library writes them into files (``qgis_files``), and the QGIS plugin gives them to its layers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..cells.cells import areas_on_map
from ..common.atomic import OWN_STYLE
from ..common.language import ENGLISH, Language
from ..common.phrases import Phrase
from ..common.text import for_attribute, for_xml
from ..common.version import __version__
from ..records.groups import slugs
from ..releases.about import LABELS
from ..views.legend import Class, Colour, Legend, hexadecimal, spread_classes
from .bands import has_drawn_band
from .columns import band_names
from .views import VIEWS, signed_legend, view_columns, view_legend, view_title

if TYPE_CHECKING:
    from ..releases.published import Published

_FAR = 1e15
"""Beyond any count: classes of a vector layer need an end where ours have none."""

_KIND = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>"

_HEAD = f"""{_KIND}
{OWN_STYLE}: classes of a best guess for the eye, or of a view -->
<qgis version="3.22.0" styleCategories="Symbology|Temporal">"""

SIGNED = "signed counts"
"""Name of the style that shows counts as they are, some of them below zero."""

KEYWORDS = ("differential privacy", "histogram", "counts")
"""What layers of a release are found by."""


def style_qml(
    legend: Legend,
    temporal: str = "",
    tip: str = "",
    *,
    pixels: Legend | None = None,
    language: Language = ENGLISH,
) -> str:
    """Return a QGIS style for the cells, as a vector layer and as a raster.

    One file serves both, since a raster and a layer of cells with the same name share it.

    Parameters
    ----------
    legend : Legend
        Classes and colours; of a vector layer, the field may also be an expression.
    temporal : str
        When QGIS's temporal controller shall show it, as an element of XML.
    tip : str
        What QGIS shows of a polygon under the pointer, as HTML with expressions.
    pixels : Legend, optional
        Classes of the raster, where they are not those of the cells.
    language : Language, optional
        What the legend is written in; files are in English.
    """
    labels = class_labels(legend, language)
    ranges = "\n".join(
        _range(number, class_, labels[number]) for number, class_ in enumerate(legend.classes)
    )
    symbols = "\n".join(
        _symbol(number, class_.colour) for number, class_ in enumerate(legend.classes)
    )
    head = _HEAD.replace("Symbology|", "Symbology|MapTips|") if tip else _HEAD
    shown = f"\n <mapTip>{escape(tip, quote=False)}</mapTip>" if tip else ""
    return f"""{head}{temporal}{shown}
 <renderer-v2 type="graduatedSymbol" attr={for_attribute(legend.field)} \
graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" forceraster="0">
  <ranges>
{ranges}
  </ranges>
  <symbols>
{symbols}
  </symbols>
 </renderer-v2>
{_pipe(pixels or legend, language)}
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>2</layerGeometryType>
</qgis>
"""


def view_styles(
    release: Published,
    view: str = "counts",
    pixels: int | None = None,
    *,
    language: Language = ENGLISH,
) -> dict[str, str]:
    """Return the styles of a view of a release by the names that QGIS shows: one for each group.

    The first is the one to begin with. Of a raster that is not as fine as by default, ``pixels``
    says how many it has. Legends and tips are in ``language``; names of styles stay as they are.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> list(view_styles(geodp.release(([], []), town, epsilon=1)))
    ['counts', 'signed counts', 'standard error']
    >>> hours = geodp.Breaks("hour", [0, 6, 12])
    >>> list(view_styles(geodp.release(([], [], []), town, epsilon=1, by=hours)))
    ['0 to 6', '6 to 12', 'standard error']
    """
    shown = _with_signed(release, view, pixels)
    rasters = _with_signed(release, view, pixels, raster=True)
    return {
        name: style_qml(
            legend, tip=_tip(release, legend, language), pixels=rasters[name], language=language
        )
        for name, legend in shown.items()
    }


def _with_signed(
    release: Published, view: str = "counts", pixels: int | None = None, *, raster: bool = False
) -> dict[str, Legend]:
    """Return the legends, after the first one that of the counts as they are, noise and all.

    Of several groups each has a style already, and there is none of these.
    """
    legends = _legends(release, view, pixels, raster=raster)
    if view != "counts" or release.groups:
        return legends
    signed = signed_legend(release)
    if raster:
        signed = _on_raster(signed, release, pixels)
    (first, shown), *others = legends.items()
    return {first: shown, SIGNED: signed, **dict(others)}


def _legends(
    release: Published, view: str = "counts", pixels: int | None = None, *, raster: bool = False
) -> dict[str, Legend]:
    """Return the legend of each group, with field and band; then that of the standard error."""
    legend = view_legend(release, view)
    if raster:
        legend = _on_raster(legend, release, pixels)
    first = legend.band
    legends = {view: legend}
    if release.groups:
        fields = (f"{legend.field}_{slug}" for slug in slugs(release.groups))
        legends = {
            name: replace(legend, field=field, band=number)
            for number, (name, field) in enumerate(zip(release.groups, fields), start=first)
        }
    if "std_error" not in band_names(release.cells) or view != "counts":
        return legends
    return {**legends, _apart("standard error", release): _error_legend(release)}


def _on_raster(legend: Legend, release: Published, pixels: int | None) -> Legend:
    """Return the legend with the band that it is of, and what a pixel of that holds.

    What is drawn has a band of its own, but for grids of more cells than a picture shows. These
    have the classes of signed counts, which follow from the noise: else noise would be coloured.
    """
    cells = release.cells
    if legend.field == "drawn":
        if not has_drawn_band(release):
            return signed_legend(release)
        return replace(legend, band=len(release.maps) + len(band_names(cells)))
    if pixels is not None and (legend.pixel != 1.0 or legend.field == "smooth"):
        area = float(areas_on_map(np.array([cells.domain.bounds]), cells.domain)[0])
        return replace(legend, pixel=area / pixels)
    return legend


def _tip(release: Published, legend: Legend, language: Language) -> str:
    """Write what is shown of a district or hexagon under the pointer."""
    cells = release.cells
    names = cells.attributes() if cells.tree is None and cells.grid is None else {}
    if not names:
        return ""
    # A name may hold anything: QGIS would take marks of HTML in it for such.
    name = "name" if "name" in names else next(iter(names))
    safe = f"""replace(replace("{name}", '&', '&amp;'), '<', '&lt;')"""
    group = legend.field.partition("_")[2] if release.groups else ""
    of_group = f"_{group}" if group and legend.field != "std_error" else ""
    if release.groups and not of_group:
        return f"<b>[% {safe} %]</b>"
    count, low, high = (
        f'[% format_number("{word}{of_group}", 0) %]' for word in ("count", "ci_low", "ci_high")
    )
    things = Phrase.of(release.method.quantity.things)
    sentence = Phrase("{1} {2} (19 of 20 times from {3} to {4})", count, things, low, high)
    return f"<b>[% {safe} %]</b><br>{language.say(sentence)}"


def _apart(name: str, release: Published) -> str:
    """Return a name that no group has."""
    return f"{name} (geodp)" if name in release.groups else name


def _error_legend(release: Published) -> Legend:
    """Return the legend of standard errors of a tree; on a grid they are all the same."""
    errors = np.sqrt(release.first.variance)
    classes = spread_classes(float(errors.min()), float(errors.max()))
    things = Phrase.of(release.method.quantity.things)
    words = Phrase("({1}: standard error)", things)
    return Legend("std_error", words, classes, band=len(release.maps) + 1)


def group_styles(
    release: Published, view: str = "counts", *, language: Language = ENGLISH
) -> dict[str, str]:
    """Return a style for each group of a release where every one is a layer of QGIS.

    The last is of the standard error, if that is not the same everywhere. Of those that time
    divides, QGIS's temporal controller shows each in its own.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> days = ["2024-05-01", "2024-05-02", "2024-05-03"]
    >>> release = geodp.release(([], [], []), town, epsilon=1, by=geodp.Breaks("time", days))
    >>> "<end>2024-05-01T23:59:59Z</end>" in group_styles(release)["2024-05-01"]
    True
    """
    times = (_during(span) for span in group_spans(release))
    rasters = _legends(release, view, raster=True)
    legends = _legends(release, view).items()
    return {
        name: style_qml(legend, time, pixels=rasters[name], language=language)
        for (name, legend), time in zip(legends, times)
    }


def group_rasters(
    release: Published, view: str = "counts", pixels: int | None = None
) -> dict[str, str]:
    """Return the same for rasters alone, as elements of XML."""
    times = (_during(span) for span in group_spans(release))
    legends = _legends(release, view, pixels, raster=True).items()
    return {name: f"{time}\n{_pipe(legend)}" for (name, legend), time in zip(legends, times)}


def styles_in_time(release: Published, *, language: Language = ENGLISH) -> dict[str, str]:
    """Return the styles of cells as one vector layer: first of all one that changes with time.

    That one is there if time divides the groups. QGIS's temporal controller plays it: each cell has
    the colour of whichever group the time on the map falls into, and without a time of the first.
    """
    styles = view_styles(release, language=language)
    spans = group_spans(release)
    if not any(spans):
        return styles
    fields = [f'"{legend.field}"' for legend in _legends(release).values()]
    timed = [(span, field) for span, field in zip(spans, fields) if span is not None]
    # As text, since the times of a map are in no zone or in UTC, whatever QGIS takes them for.
    start, end = (
        f"format_date(@map_{word}_time, 'yyyy-MM-ddTHH:mm:ss')" for word in ("start", "end")
    )
    cases = " ".join(
        f"WHEN {start} < '{upper}' AND {end} > '{lower}' THEN {field}"
        for (lower, upper), field in timed
    )
    shown = f"CASE WHEN @map_start_time IS NULL THEN {timed[0][1]} {cases} END"
    time = _all_along(timed[0][0], timed[-1][0])
    played = style_qml(replace(release.legend, field=shown), time, language=language)
    return {_apart("over time", release): played, **styles}


Span = tuple[str, str]
"""First moment of a time and the first after it, in ISO 8601 without a zone: UTC."""


def group_spans(release: Published) -> tuple[Span | None, ...]:
    """Return the time of each group, None for those that no time divides: always the last."""
    groups = release.method.groups
    if not release.groups or groups is None or groups.spans is None:
        return (None,) * (len(release.maps) + 1)
    return (*groups.spans, None)


def _during(span: Span | None) -> str:
    """Say when to show a layer; QGIS counts the last second of a fixed range as inside."""
    if span is None:
        return ""
    start, end = span
    last = np.datetime64(end, "s") - np.timedelta64(1, "s")
    return f"""
 <temporal enabled="1" mode="0" fetchMode="0">
  <fixedRange><start>{start}Z</start><end>{last}Z</end></fixedRange>
 </temporal>"""


def _all_along(first: Span, last: Span) -> str:
    """Say when to show cells that are drawn anew for every time; fixed ranges do not do it."""
    start, end = (f"to_datetime('{moment}')" for moment in (first[0], last[1]))
    return f"""
 <temporal enabled="1" mode="4" limitMode="0" accumulate="0" fixedDuration="0" durationUnit="min" \
startExpression={for_attribute(start)} endExpression={for_attribute(end)}/>"""


def class_labels(legend: Legend, language: Language = ENGLISH) -> list[str]:
    """Return the labels of the classes; the one around zero says what the numbers are of.

    Examples
    --------
    >>> from geodp.core.views.legend import Class
    >>> class_labels(Legend("count", "records per cell", (Class(-2.5, 2.5, (0, 0, 0)),)))
    ['−2 to 2 records per cell']
    """
    labels = (legend.calm if class_.holds_zero else class_.label for class_ in legend.classes)
    return [language.say(label) for label in labels]


def labels_in_use(
    release: Published,
    name: str,
    view: str = "counts",
    *,
    raster: bool = False,
    language: Language = ENGLISH,
) -> list[str]:
    """Return the labels of the classes that occur in a style, and of the one around zero.

    That one says what the numbers are of, and so belongs into every legend.

    Parameters
    ----------
    release : Release
        What was published.
    name : str
        One of :func:`view_styles`.
    view : str
        What is shown of it.
    raster : bool
        Whether the style is that of a raster.
    language : Language, optional
        What the legend is written in.
    """
    legend = _with_signed(release, view, raster=raster)[name]
    return used_labels(legend, view_columns(release, view), language)


def classes_in_group(release: Published, name: str, view: str = "counts") -> list[int]:
    """Return the numbers of the classes that one raster of a group of maps lists in its legend.

    All maps of a release have the same classes. The first lists those of all maps and the others
    none, so that six maps with their legend fit a page.
    """
    legends, columns = _legends(release, view, raster=True), view_columns(release, view)
    names = list(release.groups)
    if name not in names:
        return _used(legends[name], columns)
    if name != names[0]:
        return []
    return sorted({number for name in names for number in _used(legends[name], columns)})


def labels_in_group(
    release: Published, name: str, view: str = "counts", *, language: Language = ENGLISH
) -> list[str]:
    """Return the labels of the same classes."""
    labels = class_labels(_legends(release, view, raster=True)[name], language)
    return [labels[number] for number in classes_in_group(release, name, view)]


def used_labels(
    legend: Legend, columns: Mapping[str, npt.NDArray[Any]], language: Language = ENGLISH
) -> list[str]:
    """Return the labels of the classes that occur among the fields of cells."""
    labels = class_labels(legend, language)
    return [labels[number] for number in _used(legend, columns)]


def _used(legend: Legend, columns: Mapping[str, npt.NDArray[Any]]) -> list[int]:
    classes = np.searchsorted([class_.high for class_ in legend.classes], columns[legend.field])
    return sorted({*classes.tolist(), class_labels(legend).index(legend.calm)})


def _range(number: int, class_: Class, label: str) -> str:
    low, high = (max(-_FAR, min(_FAR, limit)) for limit in (class_.low, class_.high))
    places = ".15g" if class_.per else ".6f"
    return (
        f'   <range lower="{low:{places}}" upper="{high:{places}}" symbol="{number}" '
        f'label={for_attribute(label)} render="true"/>'
    )


def _symbol(number: int, colour: Colour) -> str:
    red, green, blue = colour
    options = {
        "color": f"{red},{green},{blue},255",
        "style": "solid",
        "outline_style": "no",
    }
    inner = "".join(
        f'<Option name="{name}" value="{value}" type="QString"/>' for name, value in options.items()
    )
    return (
        f'   <symbol name="{number}" type="fill" alpha="1" clip_to_extent="1" force_rhr="0">'
        '<layer class="SimpleFill" enabled="1" locked="0" pass="0">'
        f'<Option type="Map">{inner}</Option></layer></symbol>'
    )


def _pipe(legend: Legend, language: Language = ENGLISH) -> str:
    """Return how a raster is drawn.

    QGIS's own dialog makes classes anew unless the renderer names where they begin and end: the
    upper limit of the first and the lower one of the last.
    """
    first, last = legend.classes[0].high * legend.pixel, legend.classes[-1].low * legend.pixel
    if len(legend.classes) == 1:
        first, last = 0.0, 1.0  # one class has no limits
    items = "\n".join(
        f'     <item value="{class_.high * legend.pixel:.17g}" label={for_attribute(label)} '
        f'color="{hexadecimal(class_.colour)}" alpha="255"/>'
        for class_, label in zip(legend.classes, class_labels(legend, language))
    )
    return f""" <pipe>
  <rasterrenderer type="singlebandpseudocolor" band="{legend.band}" opacity="1" alphaBand="-1" \
nodataColor="" classificationMin="{first:.17g}" classificationMax="{last:.17g}">
   <minMaxOrigin><limits>None</limits><extent>WholeRaster</extent></minMaxOrigin>
   <rastershader>
    <colorrampshader colorRampType="DISCRETE" classificationMode="1" clip="0" labelPrecision="6" \
minimumValue="{first:.17g}" maximumValue="{last:.17g}">
{items}
    </colorrampshader>
   </rastershader>
  </rasterrenderer>
 </pipe>"""


def layer_qmd(release: Published, view: str = "counts") -> str:
    """Return what QGIS shall say of a layer: title, promise, keywords, extent, how it was made."""
    inside = "\n ".join(described(release, view))
    return f'{_KIND}\n{OWN_STYLE} -->\n<qgis version="3.22.0">\n {inside}\n</qgis>\n'


def described(release: Published, view: str = "counts") -> list[str]:
    """Return the same as elements of XML."""
    cost = release.describe().about("cost")
    west, south, east, north = map(repr, release.domain.bounds)
    return [
        f"<title>{for_xml(view_title(release, view))}</title>",
        f"<abstract>{for_xml(layer_abstract(release, view))}</abstract>",
        '<keywords vocabulary="geodp">',
        *(f" <keyword>{keyword}</keyword>" for keyword in KEYWORDS),
        "</keywords>",
        f"<history>made by geodp {__version__}</history>",
        *(f"<history>{for_xml(f'{fact.label}: {fact.text}')}</history>" for fact in cost),
        *(f"<history>{for_xml(done)}</history>" for done in (VIEWS[view].done,) if done),
        *(f"<license>{for_xml(text)}</license>" for text in (release.about.licence,) if text),
        f'<constraints type="privacy">{for_xml(release.promise)}</constraints>',
        f'<extent><spatial crs={for_attribute(release.domain.crs.name)} dimensions="2" '
        f'minx="{west}" miny="{south}" maxx="{east}" maxy="{north}" minz="0" maxz="0"/></extent>',
    ]


def layer_abstract(release: Published, view: str = "counts") -> str:
    """Return what QGIS shall say of a layer: words of the publisher, promise, what is counted.

    Of a view also what was done to the counts.
    """
    about = [f"{LABELS[name]}: {text}." for name, text in release.about.given.items()]
    sentences = (VIEWS[view].done, release.promise, release.counted)
    return " ".join([*about, *(text for text in sentences if text)])
