# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells as polygon features, and layers that are written whole or taken away again."""

import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path

from qgis.core import (
    QgsFeature,
    QgsFeatureRequest,
    QgsFeatureSink,
    QgsFields,
    QgsGeometry,
    QgsProcessingException,
    QgsProviderRegistry,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
)

from .adapters import stop_if_cancelled
from .compatibility import BOOLEAN, REAL, TEXT, WHOLE, field
from .library import gdal, geodp, np
from .messages import said
from .rasters import gdal_quiet, read_release
from .translation import tr

CHUNK = 1 << 10
"""Features between two looks at *Cancel*."""


def build_fields(*described):
    fields = QgsFields()
    for name, kind in described:
        fields.append(field(name, kind))
    return fields


def described(columns):
    """Describe fields by names and types, from arrays of the library."""
    kinds = {"i": WHOLE, "O": TEXT, "b": BOOLEAN}
    return [(name, kinds.get(values.dtype.kind, REAL)) for name, values in columns.items()]


def boxes(columns):
    """Yield rectangle and attributes of each cell, from arrays of the library."""
    corners = [columns[name] for name in ("left", "bottom", "right", "top")]
    for first in range(0, len(corners[0]), CHUNK):
        part = slice(first, first + CHUNK)
        shapes = zip(*(side[part].tolist() for side in corners))
        rows = zip(*(values[part].tolist() for values in columns.values()))
        for corner, attributes in zip(shapes, rows):
            yield QgsGeometry.fromRect(QgsRectangle(*corner)), list(attributes)


def cells(grid):
    """Yield rectangle and attributes of each cell of a grid, some rows at a time."""
    rows, columns = grid.shape
    step = max(1, CHUNK // columns)
    for first in range(0, rows, step):
        yield from boxes(geodp.cell_fields(grid, range(first, min(first + step, rows))))


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


def keep_release(destination, release):
    """Put tags, styles and description into a GeoPackage, or beside another file."""

    def statements(name, geometry):
        return geodp.geopackage_statements(release, name, geometry)

    beside = {**geodp.style_files(release), ".qmd": geodp.layer_qmd(release)}
    _keep(destination, geodp.release_tags(release), statements, beside)


def keep_difference(destination, change):
    """Put tags, style and description into a GeoPackage, or the style beside another file."""

    def statements(name, geometry):
        return geodp.difference_statements(change, name, geometry)

    beside = {".qml": geodp.style_qml(change.legend)}
    _keep(destination, geodp.difference_tags(change), statements, beside)


def _keep(destination, tags, statements, beside):
    """Put tags, and what SQL says, into a GeoPackage; or texts beside another file."""
    parts = QgsProviderRegistry.instance().decodeUri("ogr", destination)
    path = Path(parts.get("path") or "")
    if not path.is_file():
        return  # in memory, or in a database
    if path.suffix.lower() != ".gpkg":
        for suffix, text in beside.items():
            path.with_suffix(suffix).write_text(text, encoding="utf-8")
        return
    name = parts.get("layerName") or path.stem
    with gdal_quiet():
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_UPDATE)
        layer = dataset.GetLayerByName(name)
        layer.SetMetadata(tags)
        geometry = layer.GetGeometryColumn()
        layer = dataset = None  # GDAL writes when the last reference goes
    with closing(sqlite3.connect(path)) as database, database:
        for statement, values in statements(name, geometry):
            database.execute(statement, values)


def read_cells(path, name):
    """Make a release again from cells that geodp wrote into a file, here or elsewhere."""
    with gdal_quiet():
        dataset = gdal.OpenEx(str(path), gdal.OF_VECTOR)
        layer = None
        if dataset is not None:
            layer = dataset.GetLayerByName(name) if name else dataset.GetLayer(0)
        if layer is None:
            raise geodp.FileError(tr("The layer {} cannot be opened.").format(path))
        tags, name = layer.GetMetadata(), layer.GetName()
        geodp.check_tags(tags)
        geodp.check_size(layer.GetFeatureCount(), Path(path).stat().st_size)
        layer = dataset = None
    # Read anew: the layer in the project may have a filter, or edits that are not saved.
    layer = QgsVectorLayer(f"{path}|layername={name}", name, "ogr")
    known = [field.name() for field in layer.fields() if geodp.is_cell_field(field.name())]
    request = QgsFeatureRequest().setSubsetOfAttributes(known, layer.fields())
    places = [layer.fields().indexOf(field) for field in known]
    rows, drawn = [], []
    for feature in layer.getFeatures(request):
        values = feature.attributes()
        rows.append([values[place] for place in places])
        box = feature.geometry().boundingBox()
        drawn.append((box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()))
    try:
        columns = {field: np.array(values) for field, values in zip(known, zip(*rows))}
        return geodp.release_from_cells(tags, columns, np.array(drawn).reshape(-1, 4))
    except (TypeError, ValueError):  # values that are missing, or are no numbers
        raise geodp.changed() from None


def is_release(layer):
    """Tell whether a layer is the file of a release, by its tags; counts are not looked at."""
    provider = layer.dataProvider() if layer.isValid() else None  # annotations have none
    kind = "" if provider is None else provider.name()
    if kind not in ("gdal", "ogr"):
        return False
    parts = QgsProviderRegistry.instance().decodeUri(kind, layer.source())
    path = parts.get("path") or ""
    known = (".tif", ".tiff") if kind == "gdal" else (".gpkg",)
    if not path.lower().endswith(known) or not Path(path).is_file():
        return False
    with gdal_quiet():
        dataset = gdal.OpenEx(path, gdal.OF_RASTER if kind == "gdal" else gdal.OF_VECTOR)
        held = dataset
        if kind == "ogr" and dataset is not None:
            name = parts.get("layerName")
            held = dataset.GetLayerByName(name) if name else dataset.GetLayer(0)
        tags = held.GetMetadata() if held is not None else {}
    try:
        geodp.check_tags(tags)
    except geodp.GeodpError:
        return False
    return True


def shown_map_name(layer, release, project, given=None):
    """Name the map that a layer of a group shows; None for a raster by itself, which shows all.

    A raster of several maps comes as a group of layers of one file, each of which shows a band.
    Where ``given`` is the name of the file, the whole file is meant.
    """
    if given == layer.source():
        return None
    node = project.layerTreeRoot().findLayer(layer.id()) if project is not None else None
    if node is None or not release.groups or not isinstance(layer, QgsRasterLayer):
        return None
    beside = [entry.layer() for entry in node.parent().findLayers() if entry.layer() is not None]
    shown = layer.renderer().usesBands() if layer.renderer() is not None else []
    if sum(other.source() == layer.source() for other in beside) < 2 or len(shown) != 1:
        return None
    names = list(release.groups)
    # Bands of counts come first, then what maps share, then what is drawn of each.
    first_drawn = len(names) - 1 + len(geodp.band_names(release.cells))
    place = shown[0] - 1 if shown[0] <= first_drawn else shown[0] - 1 - first_drawn
    return names[place] if place < len(names) else None


def release_from_layer(layer):
    """Read the release behind a layer: a raster of counts, or cells."""
    if layer is None or not layer.isValid():
        raise geodp.InputError(tr("A layer that geodp made is needed; this one cannot be opened."))
    kind = layer.dataProvider().name()
    if kind not in ("gdal", "ogr"):
        raise geodp.InputError(
            tr("The release must be the file that geodp wrote, not a service or a copy in memory.")
        )
    parts = QgsProviderRegistry.instance().decodeUri(kind, layer.source())
    try:
        if kind == "gdal":
            return read_release(parts.get("path") or layer.source())
        return read_cells(parts.get("path"), parts.get("layerName"))
    except geodp.FileError as error:
        if is_release(layer):
            raise
        hint = tr("Copies that QGIS exports have lost them: copy the file itself.")
        raise geodp.FileError(f"{said(str(error))} {hint}") from None
