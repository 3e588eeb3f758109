"""PROJ fetches no grid for private points: which parts of it are asked for tells where they lie."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

SHIFTED = """
import threading
import geopandas, geodp
from pyproj import network

assert network.is_network_enabled()
places = geopandas.points_from_xy([-100.0, -90.0], [40.0, 41.0], crs="EPSG:4267")
points = geopandas.GeoDataFrame(geometry=places)
country = geodp.Domain((-2400000, 200000, 2300000, 3200000), crs="EPSG:5070")

def release():
    geodp.release(points, country, epsilon=1, seed=1)
    after.append(network.is_network_enabled())

def release_at_once():
    assert network.is_network_enabled()
    start.wait()
    release()

after, start = [], threading.Barrier(4)
release()
threads = [threading.Thread(target=release_at_once) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(after) == 5 and all(after), after
"""
"""A datum whose shift to that of the domain stands in a grid that wheels of pyproj do not have."""

ASKING = """
from pyproj import Transformer
Transformer.from_crs(4267, 5070, always_xy=True).transform([-100.0], [40.0])
"""


@pytest.fixture
def endpoint():
    """Stand in for the place where PROJ's grids come from, and note what is asked for."""
    asked = []

    class Grids(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Grids) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def run(script: str, address: str, home) -> None:
    switched = {"PROJ_NETWORK": "ON", "PROJ_NETWORK_ENDPOINT": address, "HOME": str(home)}
    subprocess.run([sys.executable, "-c", script], env={**os.environ, **switched}, check=True)


@pytest.mark.slow
def test_no_grid_is_fetched_for_private_points_and_the_switch_is_put_back(endpoint, tmp_path):
    address, asked = endpoint
    run(SHIFTED, address, tmp_path)
    assert asked == []


def test_the_stand_in_would_have_noticed(endpoint, tmp_path):
    address, asked = endpoint
    run(ASKING, address, tmp_path)
    assert asked
