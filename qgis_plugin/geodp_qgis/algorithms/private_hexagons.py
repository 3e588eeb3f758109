# SPDX-License-Identifier: GPL-2.0-or-later
"""Private counts in hexagons: points in, one count for each hexagon over a public extent out."""

from __future__ import annotations

import struct

from qgis.core import QgsGeometry, QgsProcessingParameterString

from ..adapters import Part, stop_if_cancelled
from ..library import geodp, np
from ..rasters import check_crs
from ..translation import tr
from ..vectors import CHUNK
from .framing import add_extent, read_frame
from .private_points import check_extent
from .private_polygons import PolygonRelease, Polygons
from .releasing import EXTENT_IS_PUBLIC

SIDE = "SIDE"
_MULTIPOLYGON, _POLYGON = 6, 3
_HEAD = struct.pack("<BIIBII", 1, _MULTIPOLYGON, 1, 1, _POLYGON, 1)
"""The first bytes of a multipolygon in WKB that has one polygon with one ring."""


class PrivateHexagons(PolygonRelease):
    NAME = "privatehexagons"
    HELP = "private_hexagons.html"
    ICON = "hexagons.svg"

    def displayName(self):
        return tr("Private counts in hexagons")

    def tags(self):
        return tr(
            "privacy,differential privacy,dp,anonymize,hexagons,hexbin,honeycomb,count"
        ).split(",")

    def shortDescription(self):
        return tr("Counts points in hexagons of one size and adds noise that protects each one.")

    def output_name(self):
        return tr("Private counts of hexagons")

    def output_help(self):
        return tr(
            "The hexagons with 'count' and its standard error. A GeoPackage keeps style and "
            "promise, and opens as a release again."
        )

    def mistakes(self):
        return tr(
            "An extent of degrees in a CRS of metres, one of a few metres, ε above 10 and "
            "cells that drown in noise are refused, because what is spent on them is lost. "
            "Tick it if they are meant."
        )

    def add_where(self):
        add_extent(self, self.add_public)
        self.add(
            QgsProcessingParameterString(SIDE, tr("Side of a hexagon, such as 5km")),
            tr(
                "A number in units of the CRS, or a length such as 500m or 5km. A hexagon has the "
                "area of about 2.6 squares of that side."
            ),
        )

    def read_where(self, parameters, context, source, options):
        crs, domain = read_frame(self, parameters, context)
        check_crs(crs)
        if options["seed"] is None:
            geodp.check_domain(domain, force=options["force"])
        if not self.parameterAsBoolean(parameters, EXTENT_IS_PUBLIC, context):
            check_extent(self, parameters, context, source, crs)
        side = self.parameterAsString(parameters, SIDE, context)
        kind = geodp.Hexagons(geodp.parse_length(side, domain.crs))
        return (kind, domain, kind.cells(domain)), crs

    def not_counted(self):
        return tr(
            "Points outside the extent are not counted; how many there are is private and is "
            "not told. A map of nothing but noise may mean a wrong extent or CRS."
        )

    def read_polygons(self, request, context, feedback):
        kind, domain, cells = request.where
        return Polygons(kind, domain, cell_shapes(cells, Part(feedback, 0, 15)))

    def report_regions(self, request):
        return None


def cell_shapes(cells, feedback):
    """Make a geometry for each cell that is one ring."""
    polygons = cells.polygons
    first = np.flatnonzero(np.diff(polygons.owner, prepend=-1))
    shapes = []
    for place, ring in enumerate(np.split(polygons.edges[:, :2], first[1:])):
        if place % CHUNK == 0:
            stop_if_cancelled(feedback)
            feedback.setProgress(100 * place / len(first))
        shapes.append(QgsGeometry())
        shapes[-1].fromWkb(_HEAD + struct.pack("<I", len(ring) + 1) + _closed(ring))
    return shapes


def _closed(ring):
    return np.concatenate((ring, ring[:1])).astype("<f8").tobytes()
