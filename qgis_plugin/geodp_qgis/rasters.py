"""Releases as GeoTIFF files: written whole or not at all, and read back."""

import os
import re
import uuid
from contextlib import contextmanager
from pathlib import Path

from qgis.core import QgsProcessing, QgsProcessingOutputLayerDefinition

from .adapters import wkt_of
from .library import gdal, geodp, metadata, np
from .translation import tr

SUFFIXES = (".tif", ".tiff")
OPTIONS = ["TILED=YES", "COMPRESS=DEFLATE", "PREDICTOR=2"]
BAND = "count"


@contextmanager
def whole_file(path):
    """Give a temporary name beside ``path``; rename it at the end, or remove it on an error."""
    path = Path(path)
    draft = path.with_name(f".{path.stem}-{uuid.uuid4().hex}{path.suffix}")
    try:
        draft.touch()
    except OSError:
        raise _unwritten(path) from None
    try:
        yield draft
        try:
            os.replace(draft, path)
        except OSError:
            raise geodp.FileError(
                tr("The file {} cannot be written: it may be open elsewhere.").format(path)
            ) from None
    finally:
        draft.unlink(missing_ok=True)


def check_path(path):
    """Refuse a name under which the counts and their promise cannot be kept together."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise geodp.InputError(
            tr("The raster of counts must be a GeoTIFF; name it .tif, not '{}'.").format(
                Path(path).suffix
            )
        )
    check_folder(path)


def check_folder(path):
    if not Path(path).parent.is_dir():
        raise geodp.FileError(
            tr("The folder of an output must exist; there is no {}.").format(Path(path).parent)
        )


def check_destinations(raster, vector):
    """Check the names of the outputs early, where they name a file.

    ``parameterAsOutputLayer`` would already announce the layer for loading, before the run.
    """
    if path := _file(raster):
        check_path(path)
    if path := _file(vector):
        check_folder(path)


def _file(value):
    """The path that a destination names, or None: it may be temporary, or in a database."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink.staticValue()
    if not isinstance(value, str) or value == QgsProcessing.TEMPORARY_OUTPUT:
        return None
    return None if re.match(r"\w\w+:", value) else value


def write_release(path, release, crs):
    """Write counts and tags, then read them back: a full disk is noticed before it matters."""
    tags = metadata.tags_of(release)
    rows, columns = release.grid.shape
    driver = gdal.GetDriverByName("GTiff")
    with gdal_quiet():
        dataset = driver.Create(
            str(path), columns, rows, 1, _number_type(release.counts), options=OPTIONS
        )
        if dataset is None:
            raise _unwritten(path)
        a, b, c, d, e, f = release.grid.transform
        dataset.SetGeoTransform((c, a, b, f, d, e))
        dataset.SetProjection(wkt_of(crs))
        dataset.SetMetadata(tags)
        band = dataset.GetRasterBand(1)
        band.SetDescription(BAND)
        band.WriteArray(release.counts)
        band = dataset = None  # GDAL writes when the last reference goes
        try:
            read_release(path)
        except geodp.FileError:
            raise _unwritten(path) from None


def forget_statistics(path):
    """Remove what GDAL and QGIS may have noted about an earlier file of this name."""
    Path(f"{path}.aux.xml").unlink(missing_ok=True)


def read_release(path):
    """Make a release again from a raster that geodp wrote, from whichever door."""
    with gdal_quiet():
        dataset = gdal.Open(str(path))
        if dataset is None:
            raise geodp.FileError(tr("The raster {} cannot be opened.").format(path))
        counts = dataset.GetRasterBand(1).ReadAsArray()
        if counts is None:
            raise geodp.FileError(tr("The raster {} cannot be read to its end.").format(path))
        return metadata.restore(dataset.GetMetadata(), counts)


def release_of_layer(layer):
    """The release behind a raster layer."""
    if layer is None or not layer.isValid():
        raise geodp.InputError(tr("A raster layer is needed; this one cannot be opened."))
    if layer.dataProvider().name() != "gdal":
        raise geodp.InputError(
            tr("The raster must be the file that geodp wrote, not a service or a copy in memory.")
        )
    return read_release(layer.source())


@contextmanager
def gdal_quiet():
    """Failures are told by our own messages, not on the terminal."""
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()


def _unwritten(path):
    folder = Path(path).parent
    return geodp.FileError(
        tr("The raster cannot be written; does {} exist, with room and leave to write?").format(
            folder
        )
    )


def _number_type(counts):
    """32 bits where they suffice: older QGIS and GDAL know no wider integers."""
    limits = np.iinfo(np.int32)
    if counts.size == 0 or (limits.min <= counts.min() and counts.max() <= limits.max):
        return gdal.GDT_Int32
    wide = getattr(gdal, "GDT_Int64", None)
    if wide is None:
        raise geodp.FileError(
            tr("Counts beyond 32 bits need GDAL 3.5; this QGIS has an older one: use a larger ε.")
        )
    return wide
