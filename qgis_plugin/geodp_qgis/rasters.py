# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases as GeoTIFF files: written whole or not at all, and read back."""

import re
import uuid
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProcessing,
    QgsProcessingOutputLayerDefinition,
)

from .adapters import crs_wkt, stop_if_cancelled
from .library import gdal, geodp, osr
from .translation import tr

SUFFIXES = (".tif", ".tiff")
GDAL_TYPES = {
    "int32": "GDT_Int32",
    "int64": "GDT_Int64",
    "float32": "GDT_Float32",
    "float64": "GDT_Float64",
}
OPTIONS = ["TILED=YES", "INTERLEAVE=BAND", "BIGTIFF=IF_SAFER"]
"""Tiles of one band each, so that less memory is needed: a band is packed and unpacked alone."""

TILE = 256
"""Side of a tile of a large raster; the library hands on whole tiles of this size."""

FEW_BANDS = 6
"""Bands of a file of one map. Those of several may be unpacked together, and are all needed."""


def whole_file(path):
    """Lend a name to build a file under; when all went well, it takes the place of ``path``."""
    return geodp.whole_file(Path(path))


def check_path(path):
    """Refuse a name under which the counts and their promise cannot be kept together."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise geodp.InputError(
            tr("The raster of counts must be a GeoTIFF; name it .tif, not '{}'.").format(
                Path(path).suffix
            )
        )
    check_folder(path)
    # QGIS has asked whether it may be replaced.
    geodp.check_target(Path(path), overwrite=True)


def check_folder(path):
    if Path(path).is_dir():
        raise geodp.FileError(
            tr("An output is a file; '{}' is a folder: choose another name.").format(path)
        )
    if not Path(path).parent.is_dir():
        raise geodp.FileError(
            tr("The folder of an output must exist; there is no {}.").format(Path(path).parent)
        )


def check_destinations(raster, vector):
    """Check the names of the outputs early, where they name a file.

    ``parameterAsOutputLayer`` would already announce the layer for loading, before the run.
    """
    if path := named_file(raster):
        check_path(path)
    if path := named_file(vector):
        check_folder(path)


def check_no_releases(*destinations):
    """Refuse to replace a release: ε was spent on it, and a run from the history would not ask."""
    for path in filter(None, map(replaced_file, destinations)):
        if geodp.holds_release(Path(path)):
            raise geodp.FileError(
                tr(
                    "A release is never written over, because ε was spent on it; {} is one: choose "
                    "another name, or delete the file first."
                ).format(Path(path).name)
            )


def replaced_file(value):
    """Return the file that a destination replaces: one that it names, or one of its tables."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink.staticValue()
    inside = re.match(r"""ogr:dbname=(['"])(?P<path>.*?)\1 table="(?P<table>.*?)\"""", str(value))
    if inside is None:
        return named_file(value)
    with gdal_quiet():
        held = gdal.OpenEx(inside["path"], gdal.OF_VECTOR)
        return inside["path"] if held is not None and held.GetLayerByName(inside["table"]) else None


def named_file(value):
    """Return the path that a destination names, or None: it may be temporary, or in a database."""
    if isinstance(value, QgsProcessingOutputLayerDefinition):
        value = value.sink.staticValue()
    if not isinstance(value, str) or value == QgsProcessing.TEMPORARY_OUTPUT:
        return None
    return None if re.match(r"\w\w+:", value) else value


def write_release(path, release, crs, feedback=None):
    """Write counts and tags, then read them back: a full disk is noticed before it matters.

    Style, description and, of several layers, a group of them go beside. To be called inside
    :func:`whole_file`, which makes a sentence of an ``OSError``. With ``feedback``, the bar moves
    and *Cancel* is heard.
    """
    with gdal_quiet():
        image, tags = geodp.release_image(release), geodp.release_tags(release)
        _write(path, image, tags, crs, feedback=feedback)
        grid, size = release.cells.grid, Path(path).stat().st_size
        if grid is not None and not geodp.has_room(grid.cells * len(release.maps), size):
            # Next to no noise packs so well that whoever opens the file would take it for a trap.
            _write(path, image, tags, crs, packed=False, feedback=feedback)
        try:
            read_release(path, feedback)
        except geodp.FileError:
            raise OSError from None
    _write_beside(path, release)


def write_view(path, release, view, crs):
    """Write what is derived from a release, with style and description, as the library does."""
    with gdal_quiet():
        image = geodp.release_image(release, view)
        _write(path, image, geodp.view_tags(release, view), crs)
        _reread(path)
    _write_beside(path, release, view)


def _write_beside(path, release, view="counts"):
    for suffix, text in geodp.files_beside(release, Path(path).name, view).items():
        Path(path).with_suffix(suffix).write_text(text, encoding="utf-8")


def write_difference(path, change, crs):
    """Write what changed between two releases, and its style beside it, as the library does."""
    image = geodp.difference_image(change)
    with gdal_quiet():
        _write(path, image, geodp.difference_tags(change), crs)
        _reread(path)
    style = geodp.style_qml(change.legend)
    Path(path).with_suffix(".qml").write_text(style, encoding="utf-8")


def _write(path, image, tags, crs, packed=True, feedback=None):
    """Write bands and tags; GDAL says nothing."""
    grid = image.grid
    dataset = _create(path, grid.shape, len(image.bands), _number_type(image.kind), crs, packed)
    if dataset is None:
        raise OSError
    a, b, c, d, e, f = grid.transform
    dataset.SetGeoTransform((c, a, b, f, d, e))
    dataset.SetMetadata(tags)
    for number, band in enumerate(image.bands, start=1):
        dataset.GetRasterBand(number).SetDescription(band.description)
        dataset.GetRasterBand(number).SetUnitType(band.unit)
        if image.no_data is not None:
            dataset.GetRasterBand(number).SetNoDataValue(image.no_data)
    for rows, pixels in image.blocks():
        for number, values in enumerate(pixels, start=1):
            _go_on(feedback, 100 * rows.start / grid.shape[0])
            band = dataset.GetRasterBand(number)
            band.WriteArray(values, 0, rows.start)
            # These are whole tiles. GDAL would keep them until its cache is full, maybe never.
            band.FlushCache()


def _go_on(feedback, percent=None):
    """Hear *Cancel* and move the bar, where there is somebody to see it."""
    if feedback is not None:
        stop_if_cancelled(feedback)
        if percent is not None:
            feedback.setProgress(percent)


def _reread(path):
    """Notice a full disk, which GDAL tells nobody of when it is quiet."""
    dataset = gdal.Open(str(path))
    if dataset is None:
        raise OSError
    for number in range(1, dataset.RasterCount + 1):
        band = dataset.GetRasterBand(number)
        step = band.GetBlockSize()[1]
        for start in range(0, band.YSize, step):
            if band.ReadAsArray(0, start, band.XSize, min(step, band.YSize - start)) is None:
                raise OSError


def _create(path, shape, count, kind, crs, packed=True):
    driver = gdal.GetDriverByName("GTiff")
    rows, columns = shape
    predictor = f"PREDICTOR={3 if kind in (gdal.GDT_Float32, gdal.GDT_Float64) else 2}"
    tile = 128 if max(shape) <= 128 else TILE
    options = [*OPTIONS, f"BLOCKXSIZE={tile}", f"BLOCKYSIZE={tile}"]
    # More than this would take a sixth longer, for a file that is a tenth smaller.
    options += ["COMPRESS=DEFLATE", "ZLEVEL=2", predictor] if packed else []
    dataset = driver.Create(str(path), columns, rows, count, kind, options=options)
    if dataset is not None:
        dataset.SetProjection(crs_wkt(crs))
    return dataset


def read_release(path, feedback=None):
    """Make a release again from a raster that geodp wrote, here or elsewhere."""
    with gdal_quiet():
        # A GeoTIFF and nothing else: other drivers may lead to other files, or into the network.
        dataset = gdal.OpenEx(str(path), gdal.OF_RASTER, allowed_drivers=["GTiff"])
        band = None if dataset is None else dataset.GetRasterBand(1)
        if band is None or not Path(path).is_file():
            raise geodp.FileError(tr("The raster {} cannot be opened.").format(path))

        def read(number, rows):
            _go_on(feedback)
            some = (0, rows.start, dataset.RasterXSize, len(rows))
            counts = dataset.GetRasterBand(number).ReadAsArray(*some)
            if counts is None:
                raise geodp.FileError(tr("The raster {} cannot be read to its end.").format(path))
            if dataset.RasterCount <= FEW_BANDS:
                dataset.FlushCache()  # what was unpacked, and is not needed again
            return counts

        c, a, b, f, d, e = dataset.GetGeoTransform()
        raster = geodp.Raster(
            tags=dataset.GetMetadata(),
            shape=(dataset.RasterYSize, dataset.RasterXSize),
            bands=dataset.RasterCount,
            block=tuple(band.GetBlockSize()[::-1]),
            size=Path(path).stat().st_size,
            transform=(a, b, c, d, e, f),
            has_crs=partial(_has_crs, dataset.GetSpatialRef()),
        )
        return geodp.release_from_raster(raster, read)


def check_crs(crs):
    """Refuse a CRS that a GeoTIFF loses, before anything is spent on a raster in it."""
    with gdal_quiet():
        if _in_geotiff(crs) is None:
            raise geodp.CrsError(
                tr("The CRS of the grid must be one that a GeoTIFF can hold; choose another.")
            )


def _has_crs(stored, code):
    if stored is None or code is None:
        return stored is not None
    stated = osr.SpatialReference()
    if stated.SetFromUserInput(code) == 0 and _same(stored, stated):
        return True
    # Some codes lose their name and a little more in every GeoTIFF.
    crs = QgsCoordinateReferenceSystem()
    kept = _in_geotiff(crs) if crs.createFromUserInput(code) else None
    return kept is not None and _same(stored, kept)


def _same(one, other):
    return bool(one.IsSame(other, ["IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES"]))


def _in_geotiff(crs):
    """Return what a GeoTIFF keeps of a CRS, or None."""
    path = f"/vsimem/geodp-{uuid.uuid4().hex}.tif"
    try:
        dataset = _create(path, (1, 1), 1, gdal.GDT_Int32, crs)
        dataset.SetGeoTransform((0, 1, 0, 0, 0, -1))
        dataset = None  # written here
        return gdal.Open(path).GetSpatialRef()
    finally:
        gdal.Unlink(path)


@contextmanager
def gdal_quiet():
    """Keep GDAL quiet: its messages would quote values of private layers; ours tell of failures.

    Newer versions of QGIS have GDAL raise exceptions, which would quote them as well.
    """
    raising = gdal.GetUseExceptions()
    gdal.DontUseExceptions()
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        yield
    finally:
        gdal.PopErrorHandler()
        if raising:
            gdal.UseExceptions()


def _number_type(kind):
    """Return GDAL's type for a type of NumPy's; old versions know none of 64 bits."""
    kind_of_gdal = getattr(gdal, GDAL_TYPES[kind], None)
    if kind_of_gdal is None:
        raise geodp.FileError(
            tr("Counts beyond 32 bits need GDAL 3.5; this QGIS has an older one: use a larger ε.")
        )
    return kind_of_gdal
