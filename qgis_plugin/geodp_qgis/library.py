"""What the plugin needs beyond PyQGIS: NumPy, GDAL's Python module and the core of geodp.

All three are imported here and nowhere else, so that the plugin still loads in a QGIS that lacks
one and can name it. The core is the copy in this folder, imported relatively: a geodp that
happens to be installed elsewhere never gets in between.
"""

try:
    import numpy as np
    from osgeo import gdal, osr

    from .vendor.geodp import core as geodp
    from .vendor.geodp.core.common import atomic, errors, text
    from .vendor.geodp.core.estimates import answers, queries
    from .vendor.geodp.core.privacy import protection
    from .vendor.geodp.core.publish import (
        bands,
        columns,
        difference_bands,
        marks,
        metadata,
        page,
        qgis_files,
        qgis_style,
        raster_cells,
        reopen,
        report,
        views,
    )
    from .vendor.geodp.core.records import arrays, divisions, groups, ids, source
    from .vendor.geodp.core.regions import (
        coverage,
        district_cells,
        district_layer,
        polygons,
        weights,
    )
    from .vendor.geodp.core.regions import districts as region_districts
    from .vendor.geodp.core.releases import about, cell_words, forecast, guard, kinds, verification
    from .vendor.geodp.core.space import cells, frame, grid, ground, levels, sizes, wording

    MISSING = ""
except ImportError as error:
    np = gdal = osr = geodp = None
    about = answers = arrays = atomic = bands = cells = coverage = errors = forecast = frame = None
    grid = ground = guard = ids = groups = metadata = polygons = protection = qgis_files = None
    qgis_style = queries = reopen = sizes = source = views = weights = wording = None
    cell_words = columns = difference_bands = divisions = kinds = page = None
    report = text = district_cells = district_layer = levels = region_districts = None
    marks = raster_cells = verification = None
    MISSING = str(error)

__all__ = [
    "MISSING",
    "about",
    "answers",
    "arrays",
    "atomic",
    "bands",
    "cell_words",
    "cells",
    "columns",
    "coverage",
    "difference_bands",
    "district_cells",
    "district_layer",
    "divisions",
    "marks",
    "errors",
    "forecast",
    "frame",
    "gdal",
    "geodp",
    "grid",
    "ground",
    "groups",
    "guard",
    "ids",
    "kinds",
    "levels",
    "metadata",
    "np",
    "osr",
    "page",
    "polygons",
    "protection",
    "qgis_files",
    "qgis_style",
    "queries",
    "raster_cells",
    "region_districts",
    "reopen",
    "report",
    "sizes",
    "source",
    "text",
    "verification",
    "views",
    "weights",
    "wording",
]
