# SPDX-License-Identifier: GPL-2.0-or-later
"""Find what the plugin needs beyond PyQGIS: NumPy, GDAL's Python module, the core of geodp.

All three are imported here and nowhere else, so that the plugin still loads in a QGIS that lacks
one and can name it. The core is the copy in this folder, imported relatively: a geodp that
happens to be installed elsewhere never gets in between.
"""

try:
    import numpy as np
    from osgeo import gdal, osr

    from .vendor.geodp.core import host as geodp

    MISSING = ""
except ImportError as error:
    np = gdal = osr = geodp = None
    MISSING = str(error)

__all__ = ["MISSING", "gdal", "geodp", "np", "osr"]
