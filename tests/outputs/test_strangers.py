"""A release may come from a stranger: what stands in it is checked, and does no harm anywhere."""

from __future__ import annotations

import json
import socket
import sqlite3
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from xml.sax import saxutils

import geopandas
import matplotlib as mpl
import matplotlib.figure
import numpy as np
import pyarrow.parquet
import pytest
import rasterio
import rasterio.shutil
import shapely
from click.testing import CliRunner
from samples import DOMAIN

import geodp
from geodp.cli import main
from geodp.core.common.text import for_attribute, for_qgis, for_terminal, for_xml
from geodp.core.publish import metadata
from geodp.core.publish.qgis_files import layer_definition
from geodp.core.publish.qgis_style import layer_qmd
from geodp.outputs.report import report_html

NOBODY = {"x": np.zeros(0), "y": np.zeros(0), "kind": np.zeros(0, dtype=object)}
GRIDS = [geodp.Grid(DOMAIN, (4, 5))]


def released(*names: str, **options) -> geodp.Release:
    given = {"cells": geodp.Regular(GRIDS), "by": geodp.Categories("kind", names)}
    return geodp.release(NOBODY, epsilon=1, seed=1, **given, **options)


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "{{ cycler.__init__.__globals__.os.mkdir(FOLDER) }}",
        "{% for each in [1] %}{{ cycler.__init__.__globals__.os.mkdir(FOLDER) }}{% endfor %}",
        "{# gone #}",
        "<script>alert(1)</script>",
        "</script><script>alert(1)</script>",
    ],
)
def test_no_name_is_run_or_becomes_a_script_on_a_map_to_move_about_in(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "received.gpkg"
    released(name.replace("FOLDER", "'run'"), "theft").to_vector(path)
    page = geodp.open_release(path).explore().get_root().render()
    assert not (tmp_path / "run").exists()
    assert "<script>alert" not in page
    assert "gone" in page or "{#" not in name


@pytest.mark.parametrize("text", ["a", "", "'", '"', "\"'", "a\tb\r\nc", "<&>;&amp;", "[% 1 %]"])
def test_text_for_xml_is_escaped_as_its_library_does(text):
    assert for_xml(text) == saxutils.escape(for_qgis(text))
    assert for_attribute(text) == saxutils.quoteattr(for_qgis(text))
    element = ElementTree.fromstring(f"<a b={for_attribute(text)}>{for_xml(text)}</a>")
    assert element.get("b") == for_qgis(text)


@pytest.mark.parametrize(
    "name",
    [
        "{{ cycler.__init__.__globals__.os.mkdir(dict(run=1)|first) }}",
        "{% for each in [cycler.__init__.__globals__.os.mkdir(dict(run=1)|first)] %}{% endfor %}",
        "{{{% endraw %}{{ cycler.__init__.__globals__.os.mkdir(dict(run=1)|first) }}",
        "<img src=x onerror=alert(1)>",
    ],
)
@pytest.mark.parametrize("place", ["district", "level", "name of a level", "cells in districts"])
def test_no_district_is_run_or_becomes_html_on_a_map_to_move_about_in(
    name, place, tmp_path, monkeypatch
):
    """Tooltips take text for HTML, and folium takes columns, and values too, for a template."""
    monkeypatch.chdir(tmp_path)
    level = name if place == "name of a level" else "state"
    layer = geopandas.GeoDataFrame(
        {"name": [name, "other"] if "district" in place else ["one", "other"],
         level: [name, "there"] if place == "level" else ["here", "there"]},
        geometry=[shapely.box(0, 0, 4e4, 8e4), shapely.box(4e4, 0, 1e5, 8e4)],
        crs=DOMAIN.crs.name,
    )  # fmt: skip
    cells = {
        "district": geodp.Districts(layer, name="name"),
        "cells in districts": geodp.Adaptive(districts=layer[["name", "geometry"]]),
    }.get(place, geodp.Districts(layer, levels=[level, "name"]))
    release = geodp.release((NOBODY["x"], NOBODY["y"]), epsilon=1, seed=1, cells=cells)
    release.to_vector(tmp_path / "received.gpkg")
    page = geodp.open_release(tmp_path / "received.gpkg").explore().get_root().render()
    assert not (tmp_path / "run").exists()
    assert "<img src=x" not in page
    assert "\\u003cimg src=x" not in page
    assert "onerror" in page or "onerror" not in name, "the name itself is shown"


def test_names_reach_reports_and_styles_as_text_alone():
    name = "[% env('HOME') %]</layername><evil/>&\"'"
    release = released(name, "theft").with_about(title="</title><script>alert(1)</script>")
    texts = layer_definition(release, "c.tif"), layer_qmd(release)
    for text in texts:
        assert "[%" not in text
        assert not list(ElementTree.fromstring(text.split("-->", 1)[1]).iter("evil"))
    page = report_html(release)
    assert "<script>alert" not in page
    assert "<evil" not in page


@pytest.mark.parametrize("text", ["$\\frac{1}{0}$ and $x", "$unknown{$", "US$ and $"])
def test_dollar_signs_are_no_formulas(text):
    release = released(text, "theft").with_about(title=text, source=text)
    with mpl.rc_context({"text.usetex": False}):
        (first, _) = release.plot()
        first.figure.canvas.draw()
    drawn = [text for text in first.figure.texts if "$" in text.get_text()]
    assert len(drawn) == 3, "title, group and source"
    ax = release[text].with_about(title=text).plot(mpl.figure.Figure().add_subplot())
    drawn += [ax._left_title, ax.xaxis.label, ax.get_legend().get_title()]
    assert not any(each.get_parse_math() for each in drawn)
    assert first.get_label() == text
    with mpl.rc_context({"text.usetex": True}):  # there may be no TeX, and it would run commands
        assert not any(text.get_usetex() for text in release.maps["theft"].plot().figure.texts)


def test_a_terminal_hears_text_alone(tmp_path):
    assert for_terminal("\x1b]0;owned\x07\x9b31m\u202eabc\n") == (
        "\\u001b]0;owned\\u0007\\u009b31m\\u202eabc\n"
    )
    regions = tmp_path / "regions.geojson"
    square = [[[0, 0], [1, 0], [1, 1], [0, 0]]]
    feature = {"type": "Feature", "properties": {"name": "\x1b[2Jgone"}}
    feature["geometry"] = {"type": "Polygon", "coordinates": square}
    regions.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    path = tmp_path / "counts.tif"
    released("theft").to_geotiff(path)
    done = CliRunner().invoke(main, ["query", str(path), str(regions)])
    assert "\x1b" not in done.output


# --- what a file may say -------------------------------------------------------------------------


def rewritten(release: geodp.Release, path, change) -> None:
    """Write a release whose facts were changed by somebody who knows how the checksum is made."""
    tags = metadata.release_tags(release)
    facts = json.loads(tags["GEODP_FACTS"])
    change(facts)
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    values = metadata._checked_values(release)
    tags |= {"GEODP_FACTS": text, "GEODP_DIGEST": metadata._digest(text, values)}
    release.to_geotiff(path)
    with rasterio.open(path, "r+", IGNORE_COG_LAYOUT_BREAK="YES") as image:
        image.update_tags(**tags)


def test_a_file_that_was_rewritten_opens_where_nothing_is_wrong(tmp_path):
    path = tmp_path / "c.tif"
    rewritten(released("theft"), path, lambda facts: facts.update(workload="wards"))
    assert geodp.open_release(path).method.workload == "wards"


@pytest.mark.parametrize(
    "crs",
    [
        "http://localhost:9/crs",
        "/vsicurl/http://localhost:9/crs.prj",
        "https:x",
        "file:x",
        "crs.prj",
        "/etc/passwd",
        "+init=epsg:5070",
        "+proj=longlat +nadgrids=http://localhost:9/g.tif",
        '{"$schema": "https://proj.org/schemas/v0.7/projjson.schema.json"}',
        "urn:ogc:def:crs:EPSG::5070,http://localhost:9",
        'PROJCS["a",EXTENSION["PROJ4","+proj=merc +nadgrids=http://localhost:9/g"]]',
        'BOUNDCRS[SOURCECRS[x],PARAMETERFILE["file","http://localhost:9/g.tif"]]',
        'PROJCS["never closed"',
        "GEOGCS[" * 20000,
        "EPSG:5070\x1b[2J",
    ],
)
def test_a_crs_is_a_code_or_wkt_before_any_library_sees_it(crs, tmp_path, monkeypatch):
    path = tmp_path / "c.tif"
    rewritten(released("theft"), path, lambda facts: facts["domain"].update(crs=crs))

    def never(*_, **__):
        raise AssertionError("a library was asked")

    monkeypatch.setattr("rasterio.crs.CRS", never)
    monkeypatch.setattr("pyproj.CRS.from_user_input", never)
    with pytest.raises(geodp.FileError, match="do not describe a release"):
        geodp.open_release(path)


@pytest.mark.parametrize("metres", [1e308, -1.0, 0.0, 5e-324, float("nan"), float("inf")])
def test_a_unit_of_a_crs_has_a_size_for_maps(metres, tmp_path):
    """Areas in words would be beyond all numbers, long after the file was opened."""
    path = tmp_path / "c.tif"
    rewritten(released("theft"), path, lambda facts: facts["domain"].update(metres_per_unit=metres))
    with pytest.raises(geodp.FileError, match="do not describe a release"):
        geodp.open_release(path)


@pytest.mark.parametrize("odd", [{}, 7, None, ["a"]], ids=repr)
def test_what_is_packed_in_a_file_must_be_text(odd):
    layer = geopandas.GeoDataFrame(
        {"name": ["one"]}, geometry=[shapely.box(0, 0, 1e5, 8e4)], crs=DOMAIN.crs.name
    )
    place = (NOBODY["x"], NOBODY["y"])
    release = geodp.release(place, epsilon=1, seed=1, cells=geodp.Districts(layer))
    tags, counts = metadata.release_tags(release), release.counts
    facts = json.loads(tags["GEODP_FACTS"])
    packed = [name for name, value in facts["districts"].items() if isinstance(value, str)]
    assert packed
    for name in packed:
        text = json.dumps({**facts, "districts": {**facts["districts"], name: odd}})
        digest = metadata._digest(text, metadata._checked_values(release))
        with pytest.raises(geodp.FileError):
            metadata.restore({**tags, "GEODP_FACTS": text, "GEODP_DIGEST": digest}, counts)


def test_wkt_opens_if_it_parses(tmp_path):
    import pyproj

    wkt = pyproj.CRS("+proj=laea +lat_0=40 +lon_0=-96 +datum=WGS84").to_wkt()
    place = geodp.Domain((0, 0, 4000, 3000), crs=wkt)
    grids = [geodp.Grid(place, (3, 4))]
    release = geodp.release(
        (np.zeros(0), np.zeros(0)), cells=geodp.Regular(grids), epsilon=1, seed=1
    )
    for name in ("c.tif", "c.gpkg", "c.parquet"):
        release.to_geotiff(tmp_path / name) if name == "c.tif" else release.to_vector(
            tmp_path / name
        )
        assert geodp.open_release(tmp_path / name).domain == place
    path = tmp_path / "d.tif"
    rewritten(release, path, lambda facts: facts["domain"].update(crs='PROJCS["nothing"]'))
    with pytest.raises(geodp.FileError, match="cannot be read"):
        geodp.open_release(path)


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\nb", "\x9b31m", "\u202egpj.exe", "long " * 300])
@pytest.mark.parametrize("place", ["workload", "tuner", "layer", "title", "other"])
def test_text_in_a_file_is_printable_and_of_one_line(text, place, tmp_path):
    def change(facts):
        if place == "title":
            facts["about"] = {"title": text}
        elif place == "layer":
            facts["groups"][0]["listed"] = [text]
        elif place == "other":
            facts["groups"][0]["other"] = text
        else:
            facts[place] = text

    rewritten(released("theft"), tmp_path / "c.tif", change)
    with pytest.raises(geodp.FileError, match="do not describe a release") as refused:
        geodp.open_release(tmp_path / "c.tif")
    assert str(refused.value).isprintable()


def test_a_view_is_refused_without_words_that_it_made_up(tmp_path):
    path = tmp_path / "c.tif"
    released("theft").to_geotiff(path)
    with rasterio.open(path, "r+", IGNORE_COG_LAYOUT_BREAK="YES") as image:
        image.update_tags(GEODP_DERIVED="a\u202eb")
    with pytest.raises(geodp.FileError, match="holds a view and not") as refused:
        geodp.open_release(path)
    assert "\u202e" not in str(refused.value)


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2J", "x" * 1001])
def test_what_could_not_be_opened_is_refused_before_it_is_released(name):
    for given in ((name, ["theft"]), ("kind", [name]), ("kind", ["theft"], name)):
        with pytest.raises(geodp.InputError, match="line of"):
            geodp.Categories(*given)


# --- sizes ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_small_raster_of_many_cells_is_refused_before_they_are_read(tmp_path, monkeypatch):
    grids = [geodp.Grid(DOMAIN, (2500, 2500))]
    none = (np.zeros(0), np.zeros(0))
    release = geodp.release(
        none, cells=geodp.Regular(grids), epsilon=30, seed=1
    )  # next to no noise
    large, small = tmp_path / "whole.tif", tmp_path / "small.tif"
    release.to_geotiff(large)
    assert len(geodp.open_release(large).counts) == 2500 * 2500  # what geodp writes, it opens
    rasterio.shutil.copy(large, small, driver="GTiff", compress="DEFLATE", tiled=True)
    assert small.stat().st_size < 50_000
    monkeypatch.setattr("rasterio.DatasetReader.read", None, raising=False)
    with pytest.raises(geodp.FileError, match="more cells than it can hold"):
        geodp.open_release(small)


@pytest.mark.slow
def test_blocks_of_very_many_bands_are_refused(tmp_path):
    """Bands that are packed together are unpacked together, however few are wanted."""
    names = list(map(str, range(400)))
    release = released(*names)
    path, wide = tmp_path / "c.tif", tmp_path / "wide.tif"
    release.to_geotiff(path)
    options = {"tiled": True, "blockxsize": 256, "blockysize": 256, "interleave": "pixel"}
    rasterio.shutil.copy(path, wide, driver="GTiff", compress="DEFLATE", **options)
    with pytest.raises(geodp.FileError, match="blocks of usual size"):
        geodp.open_release(wide)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("geometry", b"\0" * (1 << 20), "do not lie where"),
        ("geometry", [b"\0"] * 100, r"changed\.$"),
        ("id", b"\0" * (1 << 20), r"changed\.$"),
        ("left", "0" * (1 << 20), r"changed\.$"),
        ("count_theft", [7] * 100, r"changed\.$"),
    ],
    ids=["shape", "list of shapes", "id", "edge", "list"],
)
def test_one_value_that_stands_for_all_is_not_unpacked_for_each(name, value, words, tmp_path):
    """Ten kilobytes could take as many gigabytes: only columns of numbers are read, and shapes."""
    path = tmp_path / "c.parquet"
    released("theft").to_vector(path)
    table = pyarrow.parquet.read_table(path)
    same = pyarrow.array([value] * len(table))
    swollen = table.set_column(table.column_names.index(name), name, same)
    pyarrow.parquet.write_table(swollen, path, compression="zstd")
    with pytest.raises(geodp.FileError, match=words):
        geodp.open_release(path)


@pytest.mark.parametrize(
    "text",
    [
        '<OGRVRTDataSource><OGRVRTLayer name="counts"><SrcDataSource>/vsicurl/{}/c.geojson'
        "</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>",
        "<OGRWFSDataSource><URL>{}/wfs?</URL></OGRWFSDataSource>",
    ],
)
@pytest.mark.parametrize("ending", ["fgb", "gpkg", "parquet", "tif"])
def test_a_file_that_leads_into_a_network_is_refused_before_it_does(
    text, ending, tmp_path, monkeypatch
):
    """GDAL goes by what a file holds, whatever its name says."""
    monkeypatch.setenv("GDAL_HTTP_TIMEOUT", "2")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.0)
        path = tmp_path / f"c.{ending}"
        path.write_text(text.format(f"http://127.0.0.1:{server.getsockname()[1]}"))
        with pytest.raises(geodp.FileError):
            geodp.open_release(path)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_geopackage_with_tables_that_are_elsewhere_is_refused(tmp_path):
    path = tmp_path / "c.gpkg"
    released("theft").to_vector(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE VIRTUAL TABLE more USING fts4(words)")
    with pytest.raises(geodp.FileError, match="tables that are elsewhere"):
        geodp.open_release(path)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE/**/VIRTUAL TABLE more USING fts4(words)",
        "CREATE  VIRTUAL TABLE more USING fts4(words)",
        "CREATE VIRTUAL TABLE more USING fts4(words) -- using rtree(",
        'CREATE VIRTUAL TABLE "using rtree(" USING fts4(words)',
        "create\tview more AS SELECT 1",
    ],
)
def test_a_geopackage_that_hides_what_it_holds_is_refused(sql, tmp_path):
    """Whoever forges a file may write what SQLite itself never would."""
    path = tmp_path / "c.gpkg"
    released("theft").to_vector(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("INSERT INTO sqlite_master VALUES ('table', 'more', 'more', 0, ?)", [sql])
    with pytest.raises(geodp.FileError):
        geodp.open_release(path)


@pytest.mark.parametrize("kept", ["VIRTUAL", "STORED", ""])
def test_a_geopackage_that_computes_its_columns_is_refused(kept, tmp_path):
    """A few bytes could ask for gigabytes, and for hours, of every row."""
    path = tmp_path / "c.gpkg"
    released("theft").to_vector(path)
    with closing(sqlite3.connect(path)) as database, database:
        (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = 'counts'").fetchone()
        forged = sql.replace('"id" INTEGER', f'"id" INTEGER AS (length(hex(1))) {kept}')
        assert forged != sql
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'counts'", [forged])
    with pytest.raises(geodp.FileError, match="the cells of a release are a table"):
        geodp.open_release(path)


def test_a_geopackage_that_runs_queries_is_refused(tmp_path):
    path = tmp_path / "c.gpkg"
    released("theft").to_vector(path)
    geodp.open_release(path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE VIEW more AS SELECT * FROM counts, counts AS others")
    with pytest.raises(geodp.FileError, match="has views"):
        geodp.open_release(path)
