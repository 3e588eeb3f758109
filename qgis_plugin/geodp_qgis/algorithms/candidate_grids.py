# SPDX-License-Identifier: GPL-2.0-or-later
"""Candidate grids: look at the cells before spending anything."""

from qgis.core import (
    QgsProcessing,
    QgsProcessingParameterFeatureSink,
    QgsWkbTypes,
)

from ..compatibility import TEXT
from ..library import geodp
from ..styles.candidates import style_candidates
from ..translation import tr
from ..vectors import build_fields, cells, described, feature, write_layer
from .base import GeodpAlgorithm
from .framing import add_extent, add_sizes, read_frame, read_grids, size_in_words

OUTPUT = "OUTPUT"


class CandidateGrids(GeodpAlgorithm):
    NAME = "candidategrids"
    GROUP = "publish"
    HELP = "candidate_grids.html"
    ICON = "candidates.svg"

    def displayName(self):
        return tr("Candidate grids")

    def tags(self):
        return tr("privacy,grid,cells,preview").split(",")

    def shortDescription(self):
        return tr("Draws the grids that a private histogram would choose from; costs no budget.")

    def initAlgorithm(self, configuration=None):
        add_extent(self)
        add_sizes(self)
        self.add(
            QgsProcessingParameterFeatureSink(
                OUTPUT, tr("Candidate grids"), QgsProcessing.SourceType.TypeVectorPolygon
            ),
            tr("The cells of all candidates; the field 'candidate' says which they belong to."),
        )

    def read(self, parameters, context):
        crs, domain = read_frame(self, parameters, context)
        return crs, read_grids(self, parameters, context, domain)

    def carry_out(self, request, parameters, context, feedback):
        crs, grids = request
        facts = geodp.cell_fields(grids[0], range(0))
        fields = build_fields(("candidate", TEXT), *described(facts))

        def open_sink():
            kind = QgsWkbTypes.Type.Polygon
            return self.parameterAsSink(parameters, OUTPUT, context, fields, kind, crs)

        names = ["{} x {}".format(*grid.shape) for grid in grids]
        features = (
            feature(shape, [name, *attributes])
            for name, grid in zip(names, grids)
            for shape, attributes in cells(grid)
        )
        total = sum(grid.cells for grid in grids)
        destination = write_layer(open_sink, features, total, feedback)
        for grid in grids:
            feedback.pushInfo(tr("Candidate: {}.").format(size_in_words(grid, crs)))
        feedback.pushInfo(tr("No points were read and no budget was spent."))
        style_candidates(destination, names, context)
        return {OUTPUT: destination}
