"""Styles and descriptions as QGIS reads them: from the cells and the noise, not from the counts.

A style stands in a ``.qml`` file beside a layer, and a description in a ``.qmd`` file; a GeoPackage
has tables for both. The library writes them, and the QGIS plugin dresses its layers in the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from .about import LABELS
from .describe import title_of
from .layers import slugs
from .style import OWN_STYLE, Class, Colour, Legend
from .version import __version__

if TYPE_CHECKING:
    from .release import Release

_FAR = 1e15
"""Beyond any count: classes of a vector layer need an end where ours have none."""

_MOST_FILES = 24
"""Styles that are written beside a file; of more layers, the first."""

_KIND = "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>"

_HEAD = f"""{_KIND}
{OWN_STYLE}: classes follow from the scale of the noise, not from the counts -->
<qgis version="3.22.0" styleCategories="Symbology">"""

KEYWORDS = ("differential privacy", "histogram", "counts")
"""What layers of a release are found by."""


def qml_of(legend: Legend) -> str:
    """Return a QGIS style for the cells, as a vector layer and as a raster.

    One file serves both, since a raster and a layer of cells with the same name share it.
    """
    labels = labels_of(legend)
    ranges = "\n".join(
        _range(number, each, labels[number]) for number, each in enumerate(legend.classes)
    )
    symbols = "\n".join(_symbol(number, each.colour) for number, each in enumerate(legend.classes))
    return f"""{_HEAD}
 <renderer-v2 type="graduatedSymbol" attr="{legend.field}" graduatedMethod="GraduatedColor" \
symbollevels="0" enableorderby="0" forceraster="0">
  <ranges>
{ranges}
  </ranges>
  <symbols>
{symbols}
  </symbols>
 </renderer-v2>
{_pipe(legend)}
 <blendMode>0</blendMode>
 <featureBlendMode>0</featureBlendMode>
 <layerGeometryType>2</layerGeometryType>
</qgis>
"""


def styles_of(release: Release) -> dict[str, str]:
    """Return the styles of a release by the names that QGIS shows: one for each layer.

    The first is the one to begin with.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> list(styles_of(geodp.release(([], [], []), town, epsilon=1, by="hour", breaks=[0, 6, 12])))
    ['0 to 6', '6 to 12']
    """
    legend = release.legend
    if not release.layers:
        return {"geodp": qml_of(legend)}
    fields = (f"{legend.field}_{slug}" for slug in slugs(release.layers))
    return {
        name: qml_of(replace(legend, field=field, band=number))
        for number, (name, field) in enumerate(zip(release.layers, fields), start=1)
    }


def style_files(release: Release) -> dict[str, str]:
    """Return the styles by the suffixes of the files that they stand in beside a layer.

    QGIS takes the first by itself; those of other layers of a release are there to be loaded.
    """
    suffixes = style_suffixes(release.layers)
    return dict(zip(suffixes, styles_of(release).values()))


def style_suffixes(layers: Sequence[str]) -> tuple[str, ...]:
    """Return the suffixes of styles beside a file, one for each of the first layers.

    Examples
    --------
    >>> style_suffixes(()), style_suffixes(("theft", "0 to 6"))
    (('.qml',), ('.qml', '.0_to_6.qml'))
    """
    return (".qml", *(f".{slug}.qml" for slug in slugs(layers)[1:_MOST_FILES]))


def labels_of(legend: Legend) -> list[str]:
    """Return the labels of the classes; the one around zero says what the numbers are of.

    Examples
    --------
    >>> from .style import Class
    >>> labels_of(Legend("count", "records per cell", (Class(-2.5, 2.5, (0, 0, 0)),)))
    ['−2 to 2 records per cell']
    """
    return [legend.calm if each.low < 0 < each.high else each.label for each in legend.classes]


def _range(number: int, each: Class, label: str) -> str:
    low, high = (max(-_FAR, min(_FAR, limit)) for limit in (each.low, each.high))
    places = ".15g" if each.per else ".6f"
    return (
        f'   <range lower="{low:{places}}" upper="{high:{places}}" symbol="{number}" '
        f'label={quoteattr(label)} render="true"/>'
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


def _pipe(legend: Legend) -> str:
    """How a raster is drawn.

    QGIS's own dialog makes classes anew unless the renderer names where they begin and end: the
    upper limit of the first and the lower one of the last.
    """
    first, last = legend.classes[0].high * legend.pixel, legend.classes[-1].low * legend.pixel
    items = "\n".join(
        f'     <item value="{each.high * legend.pixel:.17g}" label={quoteattr(label)} '
        f'color="{_hex(each.colour)}" alpha="255"/>'
        for each, label in zip(legend.classes, labels_of(legend))
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


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def qmd_of(release: Release) -> str:
    """Return what QGIS shall say of a layer: title, promise, keywords, extent, how it was made."""
    cost = release.describe().about("cost")
    west, south, east, north = map(repr, release.domain.bounds)
    lines = [
        f"<title>{escape(release.about.title or title_of(release))}</title>",
        f"<abstract>{escape(_abstract(release))}</abstract>",
        '<keywords vocabulary="geodp">',
        *(f" <keyword>{each}</keyword>" for each in KEYWORDS),
        "</keywords>",
        f"<history>made by geodp {__version__}</history>",
        *(f"<history>{escape(f'{fact.label}: {fact.text}')}</history>" for fact in cost),
        *(f"<license>{escape(text)}</license>" for text in (release.about.licence,) if text),
        f'<constraints type="privacy">{escape(release.promise)}</constraints>',
        f'<extent><spatial crs={quoteattr(release.domain.crs.name)} dimensions="2" '
        f'minx="{west}" miny="{south}" maxx="{east}" maxy="{north}" minz="0" maxz="0"/></extent>',
    ]
    inside = "\n ".join(lines)
    return f'{_KIND}\n{OWN_STYLE} -->\n<qgis version="3.22.0">\n {inside}\n</qgis>\n'


def _abstract(release: Release) -> str:
    said = (f"{LABELS[name]}: {text}." for name, text in release.about.given.items())
    return " ".join([*said, release.promise, release.counted])


def geopackage_statements(
    release: Release, table: str, geometry: str
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL, with its values, that puts style and description of a layer into a GeoPackage."""
    title = release.about.title or title_of(release)
    return layer_statements(styles_of(release), title, _abstract(release), table, geometry)


def layer_statements(
    styles: Mapping[str, str], title: str, abstract: str, table: str, geometry: str
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL, with its values, for styles by their names and a description of any layer.

    The table of styles must be listed among the contents, or QGIS does not find it; so programs see
    a second table beside the cells, without geometries.
    """
    about = "classes from the scale of the noise"
    dressed = [
        (
            "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
            "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
            f"owner, ui) VALUES ('', '', ?, ?, ?, ?, '', {0 if number else 1}, ?, '', '')",
            (table, geometry, name, style, about),
        )
        for number, (name, style) in enumerate(styles.items())
    ]
    return [
        (_STYLES, ()),
        ("DELETE FROM layer_styles WHERE f_table_name = ?", (table,)),
        *dressed,
        (
            "INSERT OR IGNORE INTO gpkg_contents (table_name, data_type, identifier) "
            "VALUES ('layer_styles', 'attributes', 'layer_styles')",
            (),
        ),
        # Two layers of one file cannot have the same title: the second keeps its name.
        (
            "UPDATE OR IGNORE gpkg_contents SET identifier = ? WHERE table_name = ?",
            (title, table),
        ),
        ("UPDATE gpkg_contents SET description = ? WHERE table_name = ?", (abstract, table)),
    ]


_STYLES = """CREATE TABLE IF NOT EXISTS layer_styles (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    f_table_catalog TEXT, f_table_schema TEXT, f_table_name TEXT, f_geometry_column TEXT,
    styleName TEXT, styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN, description TEXT,
    owner TEXT, ui TEXT, update_time DATETIME DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')))"""
