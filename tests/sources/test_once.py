"""A record counts once, however its dataset is named: by parts, links, folders, archives."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import zipfile
from pathlib import Path

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
from samples import CRS, DOMAIN

import geodp

X, Y = np.full(5, 60_001.0), np.full(5, 40_001.0)
TABLE = pd.DataFrame({"east": X, "north": Y})
LAYER = gpd.GeoDataFrame({"n": np.arange(5.0)}, geometry=gpd.points_from_xy(X, Y), crs=CRS)
COLUMNS = {"x": "east", "y": "north", "crs": CRS}
SHAPEFILE = ("shp", "shx", "dbf", "prj", "cpg")


def total(points, **where) -> int:
    """Records that count, seen through a budget so large that no noise is left."""
    grids = [geodp.Grid(DOMAIN, (1, 1))]
    source = geodp.read_points(points, **where)
    return int(
        geodp.release(source, cells=geodp.Regular(grids), epsilon=10**6, force=True).counts.sum()
    )


@pytest.fixture(scope="module")
def forms(tmp_path_factory) -> Path:
    """Return one dataset in all its forms, and another beside it."""
    folder = tmp_path_factory.mktemp("forms")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_forms(folder)
    return folder


@pytest.fixture
def folder(forms, monkeypatch) -> Path:
    """Return the same, as the working folder, to look at only."""
    monkeypatch.chdir(forms)
    return forms


def write_forms(folder: Path) -> None:
    LAYER.to_file("v.shp")
    LAYER.to_file("w.shp")
    LAYER.to_file("v.gpkg", layer="v")
    LAYER.to_file("v.gdb", driver="OpenFileGDB")
    LAYER.to_file("v.tab", driver="MapInfo File")
    LAYER.to_file("v.mif", driver="MapInfo File")
    LAYER.to_parquet("v.parquet")
    LAYER.to_file("v.geojson", driver="GeoJSON", RFC7946="NO")
    TABLE.to_csv("v.csv", index=False)
    TABLE.to_csv("w.csv", index=False)
    for name in ("v.csv", "v.geojson"):
        Path(f"{name}.gz").write_bytes(gzip.compress(Path(name).read_bytes()))
    for name in ("v.zip", "other.zip", "V2.zip"):
        with zipfile.ZipFile(name, "w") as archive:
            for ending in SHAPEFILE:
                archive.write(f"v.{ending}")
                archive.write(f"w.{ending}")
    with zipfile.ZipFile("table.zip", "w") as archive:
        archive.write("v.csv")
    with zipfile.ZipFile("v.shp.zip", "w") as archive:
        for ending in SHAPEFILE:
            archive.write(f"v.{ending}")
    with zipfile.ZipFile("deep.zip", "w") as archive:
        for ending in SHAPEFILE:
            archive.write(f"v.{ending}", f"may/v.{ending}")
            archive.write(f"w.{ending}", f"june/v.{ending}")
    for name in ("v.tar", "v.tar.gz"):
        with tarfile.open(name, "w:gz" if name.endswith("gz") else "w") as tar:
            for ending in SHAPEFILE:
                tar.add(f"v.{ending}")
    Path("v.gpkg.gz").write_bytes(gzip.compress(Path("v.gpkg").read_bytes()))
    Path("parts/year=2024").mkdir(parents=True)
    LAYER.to_parquet("parts/year=2024/a.parquet")
    LAYER.to_parquet("parts/year=2024/b.parquet")
    Path("links").mkdir()
    for ending in SHAPEFILE:
        Path(f"links/u.{ending}").symlink_to(folder / f"v.{ending}")
    Path("links/hard.zip").hardlink_to("v.zip")
    Path("links/there").symlink_to(folder)
    Path("links/v.csv").symlink_to(folder / "w.csv")


TWICE = {
    "a Shapefile by two of its files": "v.shp v.shx|v.shp v.dbf|v.shx v.dbf|v.dbf v.shp",
    "in other letters": "v.shp ./v.shp|v.shp parts/../v.shp|v.shp {here}/v.dbf",
    "links to its files": "links/u.shx v.shp|v.dbf links/u.shp|links/u.shp links/there/v.shp",
    "MapInfo": "v.tab v.dat|v.tab v.map|v.mif v.mid",
    "an archive, spelled in two ways": (
        "/vsizip/v.zip/v.shp /vsizip/./v.zip/v.shp|/vsizip/v.zip/v.shp /vsizip//{here}/v.zip/v.shp"
        "|/vsizip/{{v.zip}}/v.shp /vsizip/v.zip/v.shp|/vsizip/v.zip/v.shp /vsizip/v.zip//v.shp"
        "|/vsizip/links/hard.zip/v.shp /vsizip/v.zip/v.shp"
        "|/vsizip/links/there/v.zip/v.shp /vsizip/v.zip/v.dbf"
        "|/vsitar/v.tar/v.shp /vsitar//{here}/v.tar/v.shx"
    ),
    "a part of an archive and all of it": (
        "/vsizip/v.zip/v.shp v.zip|v.zip /vsizip/v.zip/w.shp|/vsizip/v.zip v.zip"
        "|/vsizip/deep.zip/may /vsizip/deep.zip/may/v.shp|/vsizip/deep.zip /vsizip/deep.zip/june"
    ),
    "an archive and the file beside it": (
        "/vsizip/v.zip/v.shp v.shp|/vsizip/v.zip/v.dbf v.shp|v.zip v.shp|other.zip v.shp"
        "|table.zip v.csv|v.csv /vsizip/table.zip/v.csv|v.shp.zip v.shp|v.shp.zip v.shx"
        "|/vsitar/v.tar/v.shp v.shp|/vsitar/v.tar.gz v.shp|/vsizip/deep.zip v.shp"
    ),
    "packed and not": (
        "v.csv v.csv.gz|v.geojson.gz v.geojson|/vsigzip/v.gpkg.gz v.gpkg"
        "|/vsigzip//{here}/v.gpkg.gz /vsigzip/v.gpkg.gz|/vsigzip/v.csv.gz v.csv"
        "|/vsigzip/v.csv.gz v.csv.gz|table.zip v.csv.gz"
    ),
    "a folder and what is in it": (
        "parts parts/year=2024/a.parquet|parts/year=2024 parts"
        "|parts/year=2024/b.parquet links/there/parts"
        "|v.gdb v.gdb/a00000009.gdbtable|v.gdb ./v.gdb|links/there/v.gdb v.gdb"
    ),
}
PAIRS = [pair for pairs in TWICE.values() for pair in pairs.split("|")]


def where(*paths: str) -> dict[str, str]:
    return COLUMNS if any(".csv" in path or "table" in path for path in paths) else {}


@pytest.mark.parametrize("pair", PAIRS)
def test_what_is_one_dataset_is_refused_however_it_is_named(pair, folder):
    paths = pair.format(here=folder).split()
    for order in (paths, paths[::-1], list(map(Path, paths))):
        with pytest.raises(geodp.InputError, match=r"counted once.* are one dataset"):
            geodp.read_points(order, **where(*paths))


def test_a_folder_with_a_table_packed_and_not_is_refused(tmp_path):
    tables = tmp_path
    TABLE.to_csv(tables / "v.csv", index=False)
    assert total(tables, **COLUMNS) == 5
    TABLE.to_csv(tables / "v2.csv.gz", index=False)
    assert total(tables, **COLUMNS) == 10
    TABLE.to_csv(tables / "v.csv.gz", index=False)
    with pytest.raises(geodp.InputError, match="counted once"):
        geodp.read_points(tables, **COLUMNS)


ONCE = [
    *("v.shp w.shp", "v.csv w.csv", "v.csv.gz w.csv", "/vsizip/v.zip/v.shp /vsizip/v.zip/w.shp"),
    *("/vsizip/v.zip/v.shp w.shp", "/vsizip/deep.zip/may/v.shp /vsizip/deep.zip/june/v.shp"),
    *("/vsizip/v.zip/v.shp /vsizip/V2.zip/v.shp", "v.tab w.shp", "v.gdb w.shp"),
    *("parts/year=2024/a.parquet parts/year=2024/b.parquet", "links/v.csv v.csv", "v.mif v.tab"),
]


@pytest.mark.parametrize("pair", ONCE)
def test_unlike_datasets_may_stand_side_by_side(pair, folder):
    del folder
    assert total(pair.split(), **where(*pair.split())) == 10


SINGLE = [
    *("v.shp", "v.dbf", "v.shx", "v.gdb", "v.gpkg", "v.parquet", "v.geojson", "v.csv", "v.csv.gz"),
    *("/vsizip/v.zip/v.shp", "/vsizip//{here}/v.zip/v.shp", "/vsizip/{{v.zip}}/v.shp"),
    *("/vsizip/{{{here}/v.zip}}/v.shp", "/vsizip/{here}/v.zip/./may/../v.shp", "v.shp.zip"),
    *("/vsizip//{here}/deep.zip/may", "/vsitar//{here}/v.tar/v.shp", "/vsitar//{here}/v.tar.gz"),
    *("/vsigzip//{here}/v.gpkg.gz", "/vsigzip/v.gpkg.gz", "table.zip", "/vsizip//{here}/table.zip"),
]


@pytest.mark.parametrize("name", SINGLE)
def test_each_form_opens_by_itself_also_by_its_whole_path(name, folder):
    path = name.format(here=folder)
    for form in (path, Path(path)):
        assert total(form, **where(path)) == 5


def test_a_virtual_path_is_the_same_on_a_worker_elsewhere(folder, monkeypatch):
    source = geodp.read_points("/vsizip/v.zip/v.shp")
    monkeypatch.chdir(folder / "links")
    assert total(source) == 5


def test_links_in_a_circle_and_to_nowhere_do_not_stop_anybody(forms, tmp_path):
    base = tmp_path / "v.gdb"
    shutil.copytree(forms / "v.gdb", base)
    (base / "self").symlink_to(base)
    (base / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "link").symlink_to(base)
    with pytest.raises(geodp.InputError, match="counted once"):
        geodp.read_points([base, tmp_path / "link"])
    assert len(geodp.read_points([base, forms / "w.shp"]).files()) == 2


@pytest.mark.parametrize(
    "path",
    ["/vsicurl/http://a/v.gpkg", "/vsimem/v.gpkg", "/vsizip//vsizip/v.zip/v.zip", "/vsis3/b/v.gpkg",
     "/vsisubfile/0_100,v.gpkg", "/vsicached?file=v.gpkg", "/vsistdin/"],
)  # fmt: skip
def test_virtual_paths_to_elsewhere_are_refused(path, folder):
    del folder
    with pytest.raises(geodp.GeodpError, match=r"one archive on this machine|must exist"):
        geodp.read_points(path)


def test_an_archive_that_is_not_there_is_named(folder):
    del folder
    for path in ("/vsizip/none.zip/v.shp", "/vsizip//none/none.zip", "/vsigzip/none.csv.gz"):
        with pytest.raises(geodp.FileError, match=r"there is no /vsi.*none"):
            geodp.read_points(path)


def test_a_virtual_layer_leads_to_other_files_and_is_refused(forms, tmp_path):
    (tmp_path / "all.vrt").write_text(
        f'<OGRVRTDataSource><OGRVRTLayer name="v"><SrcDataSource>{forms}/v.gpkg</SrcDataSource>'
        "</OGRVRTLayer></OGRVRTDataSource>"
    )
    with pytest.raises(geodp.InputError, match="leads to those of other files"):
        total([tmp_path / "all.vrt", forms / "v.gpkg"])


def test_what_files_hold_does_not_decide(tmp_path):
    """Equal content under unlike names counts as often as it is there: contents are private."""
    for name in ("v.csv", "z.csv"):
        TABLE.to_csv(tmp_path / name, index=False)
    assert total([tmp_path / "v.csv", tmp_path / "z.csv"], **COLUMNS) == 10
