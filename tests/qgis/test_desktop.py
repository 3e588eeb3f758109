"""A QGIS desktop on a virtual screen: install the zip, press the button, run, look, leave."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import SAMPLE

DRIVER = Path(__file__).with_name("desktop_driver.py")
PROGRAM = shutil.which("qgis.bin") or shutil.which("qgis")
LIMIT = 120
"""Seconds without a step of the driver after which the desktop is taken for stuck and ended."""


@pytest.fixture(scope="module")
def desktop(plugin_zip, packages, tmp_path_factory):
    """Return what the driver saw and how QGIS left. GEODP_SCREENSHOTS: a folder for pictures."""
    home = tmp_path_factory.mktemp("desktop")
    settings = home / "config" / "profiles" / "default" / "QGIS"
    settings.mkdir(parents=True)
    (settings / "QGIS3.ini").write_text("[PythonPlugins]\nprocessing=true\n")
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    pictures = home / "pictures"
    pictures.mkdir()
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "LANG": "C.UTF-8",
        "GEODP_DESKTOP_FOLDER": str(pictures),
        "GEODP_DESKTOP_DATA": str(SAMPLE),
        "GEODP_DESKTOP_TOWN": str(packages),
        "GEODP_DESKTOP_ZIP": str(plugin_zip),
        "GEODP_DESKTOP_STEPS": str(DRIVER.parent),
    }
    command = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", PROGRAM, "--nologo"]
    command += ["--noversioncheck", "--profiles-path", str(home / "config"), "--code", str(DRIVER)]
    with (home / "output").open("w") as output:
        # In a process group of its own, so that ending it ends what it started and nothing else.
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        )
        code = ended(process, pictures / "step")
    text = (home / "output").read_text(errors="replace")
    assert (pictures / "seen.json").exists(), f"exit code {code}\n{text}"
    seen = json.loads((pictures / "seen.json").read_text(encoding="utf-8"))
    keep = os.environ.get("GEODP_SCREENSHOTS")
    if keep:
        shutil.copytree(pictures, keep, dirs_exist_ok=True)
    return {**seen, "code": code, "output": text, "pictures": pictures}


def ended(process, step):
    """Wait until QGIS ends, however long that takes while it gets on, and tell how."""
    last, since = None, time.monotonic()
    while True:
        try:
            return process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            now = step.read_text() if step.exists() else None
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() > since + LIMIT:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"stuck at {last}"


def test_every_step_went_through(desktop):
    assert "error" not in desktop, desktop["error"]


def test_qgis_left_in_peace(desktop):
    assert desktop["code"] == 0, desktop["output"]
    assert "Traceback" not in desktop["output"]


def test_qgis_installs_the_zip_and_starts_the_plugin(desktop):
    assert desktop["active"]


def test_the_toolbox_shows_the_algorithms(desktop):
    assert set(desktop["toolbox"]) == {
        "geodp",
        "Publish",
        "Private histogram",
        "Candidate grids",
        "Ledger",
        "Use a release",
        "Query a private histogram",
        "About a private histogram",
        "Change between two maps",
        "Density or clamped counts",
        "Report page",
        "Private counts for districts",
        "Private counts in hexagons",
        "Style a private histogram",
        "Plan a private histogram",
    }


def test_button_and_menu_entry_are_there(desktop):
    assert desktop["button"] == ["Vector Toolbar"]
    assert desktop["button_visible"] == [True]
    assert desktop["button_icon"]
    entries = desktop["menu"]["geodp"]
    first = ["Private map", "Private counts for districts…", "Private histogram…"]
    assert entries[:3] == first
    algorithms = set(desktop["toolbox"]) - {"geodp", "Publish", "Use a release"}
    others = {"Private map", "Try with sample data"}
    assert set(entries) == {*others, *(f"{name}…" for name in algorithms)}


def test_the_tutorial_can_be_followed(desktop):
    assert desktop["in_help_menu"]
    assert desktop["offered"] == ["Open the tutorial"]
    assert desktop["sample_layers"] == [["us_places", 9127], ["us_districts", 49]]
    assert desktop["sample_crs"] == "EPSG:5070"
    assert desktop["only_districts"] == "us_districts"
    assert "ε = 1" in desktop["asked"]  # what the first map has cost
    assert desktop["tutorial_legend"][-1] == "uncertain: ±50 % or more"


def test_the_button_opens_the_dialog_and_the_run_succeeds(desktop):
    assert desktop["dialog"].endswith("Private histogram")  # newer: its group before it
    assert desktop["successful"] is True


def test_the_dialog_opens_in_good_order(desktop):
    assert desktop["preselected"] == desktop["points"]
    assert (
        desktop["preselected_at_night"] == desktop["points_at_night"]
    )  # another layer was active then
    assert desktop["scrollbars"] == [False] * len(desktop["scrollbars"])


def test_layers_are_added_with_their_style_and_their_promise(desktop):
    names = desktop["layers"]
    assert set(names) == {"QgsSingleBandPseudoColorRenderer", "QgsGraduatedSymbolRenderer"}
    for name in names.values():
        assert re.fullmatch(r"Private counts, ε = 1, \d+ × \d+ cells, \d{4}-\d\d-\d\d", name)
    assert sum("Differentially private" in text for text in desktop["promises"]) == 2


def test_the_legend_says_what_the_numbers_are_and_holds_no_more(desktop):
    legend = desktop["legend"]
    assert sum(bool(re.match(r"below [\d.,]+ records per ", label)) for label in legend) == 1
    assert not any("Band " in label for label in legend)
    assert 3 <= len(legend) <= 7


def test_colours_outlive_the_layers_own_dialog(desktop):
    """Layer Properties, then OK with nothing changed."""
    assert desktop["colours_kept"]


def test_a_raster_that_is_opened_again_has_colours_and_promise(desktop):
    assert desktop["again"]
    assert "Differentially private with epsilon = 1" in desktop["again_promise"]


def test_bold_words_of_the_help_can_be_read_at_night(desktop):
    """QGIS paints <b> in dark grey, whatever is behind it."""
    night = desktop["night"]
    assert night["background"] < 60
    assert len(night["bold"]) > 5
    assert min(night["bold"][1:]) > night["background"] + 40


def test_adaptive_cells_are_coloured_by_what_is_drawn(desktop):
    assert desktop["adaptive"] == "drawn"


def test_log_and_history_hold_what_is_public_and_no_count(desktop):
    assert "Protected: every record of the layer." in desktop["log"]
    assert "Spent in all: ε = 1." in desktop["log"]
    assert desktop["history"].startswith('processing.run("geodp:privatehistogram"')
    for text in (desktop["log"], desktop["history"]):
        assert "9127" not in text
        assert "9,127" not in text


def test_a_run_of_the_history_is_asked_about_before_it_spends(desktop):
    assert len(desktop["questions"]) == 2
    for text, buttons, usual in desktop["questions"]:
        assert "us_places.gpkg', ε = 1 was spent before, the last time on 20" in text
        assert "and adds 1: 2 of 10 in all" in text
        assert set(buttons) == {"Make another map", "Cancel"}
        assert usual == "Cancel"
    assert desktop["spent_at_first"] == 1
    assert desktop["spent_after_no"] == 1
    assert "Nothing was read, no budget is spent." in desktop["said_after_no"]
    assert desktop["asked_ends"] == [True]
    assert desktop["spent_after_yes"] == 2


def test_the_other_algorithms_run_on_the_result(desktop):
    assert desktop["promise"].startswith("Differentially private with epsilon = 1")
    assert desktop["answers"] == 49
    assert desktop["answers_style"] == "graduatedSymbol"


def test_no_library_that_breaks_qgis_was_imported(desktop):
    assert desktop["imported"] == []


def test_the_dock_makes_a_map_and_shows_what_is_left(desktop):
    assert desktop["dock_points"]
    assert desktop["dock_bands"] == 1  # cells on the map before anything is spent
    assert desktop["dock_bands_after"] == 0  # and nothing over the map that was made
    assert desktop["dock_said"].startswith("Done")
    assert desktop["dock_left"] == "4 of 5 left"
    assert desktop["dock_made"]  # the counts, and what else a map of adaptive cells shows
    assert any(name.startswith("Private counts, ε = 1, ") for name in desktop["dock_made"])


def test_the_dock_and_the_dialog_make_the_same_call(desktop):
    assert set(desktop["dock_same"]) > {"INPUT", "EXTENT", "CRS", "EPSILON", "DATASET"}
    for name, (wished, given) in desktop["dock_same"].items():
        if name == "EXTENT":
            wished, given = (
                list(map(float, text.split(" ")[0].split(","))) for text in (wished, given)
            )
        assert wished == given, name
    assert desktop["dock_more"] == {}


def test_the_dock_shows_hexagons_and_what_they_have(desktop):
    assert desktop["dock_rows"] == ["amount", "low", "grey"]
    assert "hexagons will be off by about 2 records" in desktop["dock_expects"]
    assert "Sums will be off by about 28,300" in desktop["dock_expects"]
    (drawn,) = desktop["dock_hexagons"]
    assert f"each of {drawn} hexagons" in desktop["dock_expects"]


def test_the_dock_is_hidden_and_keeps_its_answers(desktop):
    assert desktop["dock_hidden"] == [True, 0]
    assert desktop["dock_again"][0].startswith("-2400000,")
    assert desktop["dock_again"][1] == 1
    assert desktop["dock_unticked"]


def test_the_dock_is_never_cut(desktop):
    wide, narrow, _, _, _ = desktop["dock_widths"]
    assert narrow < 330
    assert wide > 500
    assert desktop["dock_cut"] == [False] * 5
    assert desktop["sentences_cut"] == []


@pytest.mark.parametrize(
    "name", ["button", "dialog", "log", "result", "properties", "adaptive", "answers", "dock"]
)
def test_screenshots_show_something(desktop, qgis, name):
    from qgis.PyQt.QtGui import QImage

    picture = QImage(str(desktop["pictures"] / f"{name}.png"))
    assert picture.width() > 500
    colours = {
        picture.pixel(x, y)
        for x in range(0, picture.width(), 7)
        for y in range(0, picture.height(), 7)
    }
    assert len(colours) > 20


def test_the_temporal_controller_plays_twenty_four_saved_hours(desktop, qgis):
    """Every cell of every frame on the screen has the colour of what is drawn of that hour."""
    from geodp_qgis.rasters import read_release

    release = read_release(desktop["pictures"] / "day.tif")
    assert desktop["group"] == list(release.groups)
    assert desktop["frames"] == 24
    assert desktop["cells_in_time"]
    assert set(desktop["played"]) == {"rasters", "cells"}
    for frames in desktop["played"].values():
        assert len(set(map(tuple, frames))) > 12, "some hours may have hardly any"
        for one, shown in zip(release.maps.values(), frames, strict=True):
            assert shown == [class_colour(release.legend, value) for value in one.drawn.tolist()]


def test_what_changed_is_on_the_map(desktop):
    assert desktop["change"].startswith("2025 minus 2024, with noise, ε = 1 for both, 24 × 24")
    assert "−2 to 2 records per cell" in desktop["change_legend"]
    assert not any(label.startswith("Band") for label in desktop["change_legend"])


def class_colour(legend, value):
    return "#{:02x}{:02x}{:02x}".format(
        *next(class_.colour for class_ in legend.classes if class_.low <= value < class_.high)
    )
