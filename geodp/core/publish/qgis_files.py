"""Put styles and descriptions where QGIS looks: beside a file, in a GeoPackage, in a group.

A style stands in a ``.qml`` file beside a layer, and a description in a ``.qmd`` file; a GeoPackage
has tables for both. A raster of several groups also has a layer definition beside it (``.qlr``),
which opens all of them as a group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..common.atomic import OWN_STYLE
from ..common.text import for_attribute, for_xml
from ..records.groups import slugs
from .qgis_style import (
    classes_in_group,
    described,
    group_rasters,
    group_spans,
    layer_abstract,
    layer_qmd,
    styles_in_time,
    view_styles,
)
from .views import view_title

if TYPE_CHECKING:
    from ..releases.published import Published

_MOST_FILES = 24
"""Styles that are written beside a file; of more groups, the first."""


def style_files(release: Published) -> dict[str, str]:
    """Return the styles by the suffixes of the files that they stand in beside a layer.

    QGIS takes the first by itself; those of other groups of a release are there to be loaded.
    """
    suffixes = style_suffixes(release.groups)
    return dict(zip(suffixes, view_styles(release).values()))


def style_suffixes(groups: Sequence[str]) -> tuple[str, ...]:
    """Return the suffixes of styles beside a file, one for each of the first groups.

    Examples
    --------
    >>> style_suffixes(()), style_suffixes(("theft", "0 to 6"))
    (('.qml',), ('.qml', '.0_to_6.qml'))
    """
    return (".qml", *(f".{slug}.qml" for slug in slugs(groups)[1:_MOST_FILES]))


def beside_raster(groups: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the suffixes of what is written beside a raster of counts, or of a view of them."""
    return (".qml", ".qmd", ".qlr") if groups else (".qml", ".qmd")


def files_beside(
    release: Published, file: str, view: str = "counts", pixels: int | None = None
) -> dict[str, str]:
    """Return what is written beside a raster of a release, by suffixes.

    Parameters
    ----------
    release : Release
        What the raster holds.
    file : str
        Its name.
    view : str
        What it shows: one of :data:`~geodp.core.publish.views.VIEWS`.
    pixels : int, optional
        How many pixels it has, where that is not as by default.
    """
    style = next(iter(view_styles(release, view, pixels).values()))
    files = {".qml": style, ".qmd": layer_qmd(release, view)}
    return (
        files | {".qlr": layer_definition(release, file, view, pixels)} if release.groups else files
    )


def layer_definition(
    release: Published, file: str, view: str = "counts", pixels: int | None = None
) -> str:
    """Return a layer definition for QGIS: a group with a raster for each group of a release.

    If time divides the groups, QGIS's temporal controller plays the group, which shows one of them
    at a time otherwise.

    Parameters
    ----------
    release : Release
        What was written.
    file : str
        Name of the GeoTIFF that lies beside the definition.
    view : str
        What it shows.
    pixels : int, optional
        How many pixels it has, where that is not as by default.
    """
    spans, rasters = group_spans(release), group_rasters(release, view, pixels)
    alone = "" if any(spans) else ' mutually-exclusive="1" mutually-exclusive-child="0"'
    source, about = f"./{file}", "\n".join(described(release, view))
    nodes, members = [], []
    for number, ((name, raster), span) in enumerate(zip(rasters.items(), spans)):
        shown = number == 0 or span is not None
        used = classes_in_group(release, name, view)
        # The first entry of the legend would be the name of the band.
        order = ",".join(str(place + 1) for place in used) or "empty"
        nodes.append(
            f'   <layer-tree-layer id="geodp_{number}" name={for_attribute(name)} '
            f'providerKey="gdal" source={for_attribute(source)} '
            f'checked="Qt::{"Checked" if shown else "Unchecked"}" '
            f'expanded="{int(number == 0)}"><customproperties><Option type="Map">'
            f'<Option name="legend/node-order" type="QString" value="{order}"/>'
            "</Option></customproperties></layer-tree-layer>"
        )
        members.append(f"""  <maplayer type="raster">
 <id>geodp_{number}</id>
 <datasource>{for_xml(source)}</datasource>
 <layername>{for_xml(name)}</layername>
 {_srs(release.domain.crs.name)}
 <resourceMetadata>{about}</resourceMetadata>
 <provider>gdal</provider>{raster}
 <blendMode>0</blendMode>
  </maplayer>""")
    return "\n".join(
        [
            "<!DOCTYPE qgis-layer-definition>",
            f"{OWN_STYLE} -->",
            "<qlr>",
            ' <layer-tree-group name="" checked="Qt::Checked" expanded="1">',
            f"  <layer-tree-group name={for_attribute(view_title(release, view))} "
            f'checked="Qt::Checked" expanded="1"{alone}>',
            *nodes,
            "  </layer-tree-group>",
            " </layer-tree-group>",
            " <maplayers>",
            *members,
            " </maplayers>",
            "</qlr>",
            "",
        ]
    )


def _srs(crs: str) -> str:
    """Write a CRS for QGIS, as WKT or by its code; that is read only beside a number."""
    known = f"<wkt>{for_xml(crs)}</wkt>"
    if "[" not in crs:
        known = f"<srsid>1</srsid><authid>{for_xml(crs)}</authid>"
    return f"<srs><spatialrefsys>{known}</spatialrefsys></srs>"


def geopackage_statements(
    release: Published, table: str, geometry: str
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL, with its values, that puts style and description of a layer into a GeoPackage."""
    styles, about = styles_in_time(release), layer_abstract(release)
    return layer_statements(styles, view_title(release), about, table, geometry)


def layer_statements(
    styles: Mapping[str, str], title: str, abstract: str, table: str, geometry: str
) -> list[tuple[str, tuple[str, ...]]]:
    """Return SQL, with its values, for styles by their names and a description of any layer.

    The table of styles must be listed among the contents, or QGIS does not find it; so programs see
    a second table beside the cells, without geometries.
    """
    about = "classes of a best guess for the eye, or of its error"
    dressed = [
        (
            "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, "
            "f_geometry_column, styleName, styleQML, styleSLD, useAsDefault, description, "
            "owner, ui) VALUES ('', '', ?, ?, ?, ?, '', ?, ?, '', '')",
            (table, geometry, name, style, "0" if number else "1", about),
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
