"""How long a private histogram takes in QGIS, beside *Reproject layer* on the same points.

Needs QGIS's own Python and the plugin's zip: ``make plugin``, then ``QT_QPA_PLATFORM=offscreen
/usr/bin/python3 benchmarks/plugin.py dist/geodp_qgis-VERSION-development.zip``.
CPU time is compared, which a busy machine disturbs less than the clock.
"""

import sys
import tempfile
import time
import zipfile
from pathlib import Path

FOLDER = Path(tempfile.mkdtemp(prefix="geodp-benchmark-"))
EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"
ROUNDS = 3


def start(plugin):
    """QGIS without windows, with the plugin's algorithms."""
    with zipfile.ZipFile(plugin) as archive:
        archive.extractall(FOLDER / "plugins")
    sys.path[:0] = ["/usr/share/qgis/python/plugins", str(FOLDER / "plugins")]
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    from processing.core.Processing import Processing

    Processing.initialize()
    import geodp_qgis

    loaded = geodp_qgis.classFactory(None)
    loaded.initProcessing()
    return application, loaded


def write_points(number):
    import numpy as np
    from osgeo import ogr, osr

    path = FOLDER / "points.gpkg"
    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    file = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = file.CreateLayer("points", degrees, ogr.wkbPoint)
    generator = np.random.default_rng(1)
    layer.StartTransaction()
    for x, y in zip(generator.uniform(-120, -70, number), generator.uniform(26, 48, number)):
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT({x} {y})"))
        layer.CreateFeature(feature)
    layer.CommitTransaction()
    return str(path)


def seconds(algorithm, **parameters):
    import processing

    begun = time.process_time()
    processing.run(algorithm, parameters)
    return time.process_time() - begun


def main(plugin, number=300_000):
    keep = start(plugin)
    points = write_points(int(number))
    found = {"native:reprojectlayer": [], "regular": [], "adaptive": []}
    for _ in range(ROUNDS):
        found["native:reprojectlayer"].append(
            seconds(
                "native:reprojectlayer",
                INPUT=points,
                TARGET_CRS="EPSG:5070",
                OUTPUT="TEMPORARY_OUTPUT",
            )
        )
        for kind, name in enumerate(("regular", "adaptive")):
            given = {"INPUT": points, "EXTENT": EXTENT, "CRS": "EPSG:5070", "EPSILON": 1}
            given |= {"CELLS": kind, "OUTPUT_RASTER": "TEMPORARY_OUTPUT"}
            found[name].append(seconds("geodp:privatehistogram", **given))
    base = min(found["native:reprojectlayer"])
    for name, times in found.items():
        print(f"{name:24} {min(times):6.2f} s {min(times) / base:6.2f} x")
    del keep


if __name__ == "__main__":
    main(*sys.argv[1:])
