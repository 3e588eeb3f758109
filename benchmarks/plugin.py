"""Measure time and memory of private maps in QGIS beside *Reproject layer* on the same points.

Needs QGIS's own Python and the plugin's zip: ``make plugin``, then ``QT_QPA_PLATFORM=offscreen
/usr/bin/python3 benchmarks/plugin.py dist/geodp_qgis-VERSION-development.zip [NUMBER ...]``.
Every algorithm runs in a process of its own, so that each has a peak of memory. CPU time is
compared, which a busy machine disturbs less than the clock: the least of some rounds.
"""

import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

EXTENT = "-2400000,2300000,200000,3200000 [EPSG:5070]"
DISTRICTS = Path(__file__).resolve().parents[1] / "sample_data" / "us_districts.gpkg"
ROUNDS = 3
NUMBERS = (369_443, 2_000_000)
TOWNS = 400
PERSONS_SHARE = 0.05
"""Persons for each record: a person has twenty records on average."""

HISTOGRAM = {"EXTENT": EXTENT, "CRS": "EPSG:5070", "EPSILON": 1, "OUTPUT_RASTER": "{}.tif"}
RUNS = {
    "native:reprojectlayer": (
        "native:reprojectlayer",
        {"TARGET_CRS": "EPSG:5070", "OUTPUT": "TEMPORARY_OUTPUT"},  # in memory: nothing is written
    ),
    "regular": ("geodp:privatehistogram", {**HISTOGRAM, "CELLS": 0}),
    "adaptive": ("geodp:privatehistogram", {**HISTOGRAM, "CELLS": 1}),
    "districts": (
        "geodp:privatedistricts",
        {"DISTRICTS": str(DISTRICTS), "EPSILON": 1, "OUTPUT": "{}.gpkg"},
    ),
    "people": ("geodp:privatehistogram", {**HISTOGRAM, "CELLS": 1, "PERSON": "who"}),
}


def write_points(path, number):
    """Write points in towns of very unlike sizes, in degrees, with whose they are."""
    import numpy as np
    from osgeo import ogr, osr

    degrees = osr.SpatialReference()
    degrees.ImportFromEPSG(4326)
    degrees.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    file = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = file.CreateLayer("points", degrees, ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("who", ogr.OFTInteger))
    generator = np.random.default_rng(1)
    weights = generator.lognormal(0, 1.5, TOWNS)
    town = generator.choice(TOWNS, number, p=weights / weights.sum())
    x = generator.uniform(-120, -75, TOWNS)[town] + generator.normal(0, 0.3, number)
    y = generator.uniform(30, 46, TOWNS)[town] + generator.normal(0, 0.2, number)
    who = generator.integers(0, max(1, round(PERSONS_SHARE * number)), number)
    layer.StartTransaction()
    for each_x, each_y, each_who in zip(x.tolist(), y.tolist(), who.tolist()):
        feature = ogr.Feature(layer.GetLayerDefn())
        point = ogr.Geometry(ogr.wkbPoint)
        point.SetPoint_2D(0, each_x, each_y)
        feature.SetGeometryDirectly(point)
        feature.SetField(0, each_who)
        layer.CreateFeature(feature)
    layer.CommitTransaction()


def start(folder):
    """Start QGIS without windows, with the plugin's algorithms."""
    sys.path[:0] = ["/usr/share/qgis/python/plugins", str(folder / "plugins")]
    from qgis.core import QgsApplication, QgsSettings

    application = QgsApplication([], True)
    application.initQgis()
    from processing.core.Processing import Processing

    Processing.initialize()
    import geodp_qgis

    QgsSettings().setValue("Processing/Configuration/GEODP_CAP", 1_000_000)
    loaded = geodp_qgis.classFactory(None)
    loaded.initProcessing()
    return application, loaded


def peak_memory():
    """Return the most memory that this process had so far, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(text for text in status.splitlines() if text.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def measure(folder, points, name, rounds):
    """Run one algorithm, and print its CPU seconds, and the memory before it and at most in MiB."""
    keep = start(folder)
    import processing

    before = peak_memory()

    algorithm, given = RUNS[name]
    times = []
    for number in range(rounds):
        stem = tempfile.mkdtemp(dir=folder) + f"/{number}"
        places = {
            key: value.format(stem) if isinstance(value, str) else value
            for key, value in given.items()
        }
        begun = time.process_time()
        processing.run(algorithm, {"INPUT": points, **places})
        times.append(time.process_time() - begun)
    print("measured", min(times), before, peak_memory())
    sys.stdout.flush()
    del keep


def main(plugin, *numbers):
    folder = Path(tempfile.mkdtemp(prefix="geodp-benchmark-"))
    with zipfile.ZipFile(plugin) as archive:
        archive.extractall(folder / "plugins")
    for number in map(int, numbers or NUMBERS):
        points = folder / f"points-{number}.gpkg"
        write_points(points, number)
        base = None
        print(f"{number:,} points")
        for name in RUNS:
            done = subprocess.run(
                [sys.executable, __file__, "--one", folder, points, name, str(ROUNDS)],
                check=True,
                capture_output=True,
                text=True,
            )
            line = next(text for text in done.stdout.splitlines() if text.startswith("measured"))
            seconds, before, peak = map(float, line.split()[1:])
            base = base or seconds
            memory = f"{peak:6.0f} MiB, {peak - before:.0f} above a QGIS that did nothing"
            print(f"{name:24} {seconds:6.2f} s {seconds / base:6.2f} x {memory}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        measure(Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]))
    else:
        main(*sys.argv[1:])
