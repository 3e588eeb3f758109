"""Cells as polygon features, and layers that are written whole or taken away again."""

from itertools import islice
from pathlib import Path

from qgis.core import (
    QgsFeature,
    QgsFeatureSink,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsProcessingException,
    QgsProviderRegistry,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QVariant

from .adapters import stop_if_cancelled
from .library import cells as core_cells
from .library import gdal
from .rasters import gdal_quiet
from .translation import tr

WHOLE = QVariant.Type.LongLong
REAL = QVariant.Type.Double
TEXT = QVariant.Type.String

CELL_FIELDS = (
    ("id", WHOLE),
    ("left", REAL),
    ("top", REAL),
    ("right", REAL),
    ("bottom", REAL),
    ("row_index", WHOLE),
    ("col_index", WHOLE),
)
"""The fields that QGIS's own 'Create grid' gives its cells."""

CHUNK = 1 << 12


def fields_of(*described):
    fields = QgsFields()
    for name, kind in described:
        fields.append(QgsField(name, kind))
    return fields


def cells(grid):
    """Rectangle and attributes of each cell, row by row from the north-west."""
    rows, columns = grid.shape
    step = max(1, CHUNK // columns)
    for first in range(0, rows, step):
        fields = core_cells.cell_fields(grid, range(first, min(first + step, rows)))
        for attributes in zip(*(fields[name].tolist() for name, _ in CELL_FIELDS)):
            _, left, top, right, bottom, _, _ = attributes
            shape = QgsGeometry.fromRect(QgsRectangle(left, bottom, right, top))
            yield shape, list(attributes)


def feature(geometry, attributes):
    result = QgsFeature()
    result.setGeometry(geometry)
    result.setAttributes(attributes)
    return result


def write_layer(open_sink, features, total, feedback):
    """Write features to a new layer; on cancel or failure remove it again.

    Parameters
    ----------
    open_sink : callable
        Gives sink and destination, as ``parameterAsSink`` does. Called here, so that no reference
        elsewhere keeps the file open.
    features : iterator of QgsFeature
        What to write.
    total : int
        How many there will be, for the progress bar; public.
    """
    sink, destination = open_sink()
    if sink is None:
        raise QgsProcessingException(tr("The output layer cannot be created."))
    done = 0
    try:
        while chunk := list(islice(features, CHUNK)):
            stop_if_cancelled(feedback)
            if not sink.addFeatures(chunk, QgsFeatureSink.Flag.FastInsert):
                raise QgsProcessingException(
                    tr("The output layer cannot be written: {}").format(sink.lastError())
                )
            done += len(chunk)
            feedback.setProgress(100 * done / max(total, 1))
        sink.flushBuffer()
    except BaseException:
        sink = None  # closes the file
        discard(destination)
        raise
    return destination


def discard(destination):
    """Remove a layer that was begun: its table where the file holds others, else the file."""
    parts = QgsProviderRegistry.instance().decodeUri("ogr", destination)
    path = parts.get("path") or ""
    if not Path(path).is_file():
        return  # a layer in memory goes with the run's context
    with gdal_quiet():
        dataset = gdal.OpenEx(path, gdal.OF_VECTOR | gdal.OF_UPDATE)
        if dataset is not None and dataset.GetLayerCount() > 1:
            dataset.ExecuteSQL('DROP TABLE "{}"'.format(parts.get("layerName") or Path(path).stem))
            return
        driver = dataset.GetDriver() if dataset is not None else None
        dataset = None
        if driver is None or driver.Delete(path) != 0:
            Path(path).unlink(missing_ok=True)
