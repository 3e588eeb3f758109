"""``geodp verify`` adds ε up from a file and says what it found."""

from __future__ import annotations

import json

import numpy as np
from click.testing import CliRunner
from strategies import square

import geodp
from geodp.cli import main

POINTS = (np.linspace(1, 60, 50), np.linspace(2, 61, 50))


def run(*arguments: object):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_written_release_keeps_its_promise(tmp_path):
    release = geodp.release(POINTS, square(64.0), epsilon=2, cells="adaptive")
    for name in ("cells.gpkg", "cells.tif"):
        (release.to_vector if name.endswith("gpkg") else release.to_geotiff)(tmp_path / name)
        done = run("verify", tmp_path / name)
        assert done.exit_code == 0
        assert "Promised: ε = 2 for one record." in done.output
        assert "Together 2: the numbers keep the promise." in done.output


def test_programs_get_exact_fractions(tmp_path):
    release = geodp.release(POINTS, square(64.0), epsilon="1/3", cells="regular")
    release.to_geotiff(tmp_path / "cells.tif")
    verified = json.loads(run("verify", tmp_path / "cells.tif", "--json").output)
    assert verified["stated"] == "1/3"
    assert verified["holds"]


def test_a_seeded_release_has_exit_code_1(tmp_path):
    geodp.release(POINTS, square(64.0), epsilon=1, seed=1).to_vector(tmp_path / "cells.gpkg")
    done = run("verify", tmp_path / "cells.gpkg")
    assert done.exit_code == 1
    assert "nothing is promised" in done.output
