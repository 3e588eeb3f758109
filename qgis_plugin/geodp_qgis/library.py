"""What the plugin needs beyond PyQGIS: NumPy, GDAL's Python module and the core of geodp.

All three are imported here and nowhere else, so that the plugin still loads in a QGIS that lacks
one and can name it. The core is the copy in this folder, imported relatively: a geodp that
happens to be installed elsewhere never gets in between.
"""

try:
    import numpy as np
    from osgeo import gdal, osr

    from .vendor.geodp import core as geodp
    from .vendor.geodp.core import (
        about,
        answers,
        arrays,
        atomic,
        bands,
        cells,
        coverage,
        difference_files,
        drawing,
        errors,
        forecast,
        frame,
        grid,
        ground,
        guard,
        ids,
        layers,
        metadata,
        page,
        polygons,
        protection,
        qgis_files,
        qgis_style,
        questions,
        reopen,
        report,
        shading,
        sizes,
        source,
        views,
        weights,
        wording,
    )

    MISSING = ""
except ImportError as error:
    np = gdal = osr = geodp = None
    about = answers = arrays = atomic = bands = cells = coverage = errors = forecast = frame = None
    grid = ground = guard = ids = layers = metadata = polygons = protection = qgis_files = None
    qgis_style = questions = reopen = sizes = source = views = weights = wording = None
    difference_files = drawing = page = report = shading = None
    MISSING = str(error)

__all__ = [
    "MISSING",
    "about",
    "answers",
    "arrays",
    "atomic",
    "bands",
    "cells",
    "coverage",
    "difference_files",
    "drawing",
    "errors",
    "forecast",
    "frame",
    "gdal",
    "geodp",
    "grid",
    "ground",
    "guard",
    "ids",
    "layers",
    "metadata",
    "np",
    "osr",
    "page",
    "polygons",
    "protection",
    "qgis_files",
    "qgis_style",
    "questions",
    "reopen",
    "report",
    "shading",
    "sizes",
    "source",
    "views",
    "weights",
    "wording",
]
