"""Nothing that is said holds a password, and reading leaves nothing behind."""

from __future__ import annotations

import logging
import pickle
import sqlite3
import traceback
from pathlib import Path
from typing import Any

import geopandas as gpd
import pytest
from click.testing import CliRunner
from samples import CRS, DOMAIN, PASSWORD, TABLE, sample_points

import geodp
from geodp.cli import main

pytestmark = pytest.mark.usefixtures("silence")
USER = f"u:{PASSWORD}@127.0.0.1:1"
ADDRESSES: list[Any] = [
    f"postgresql://{USER}/db",
    f"postgres://{USER}/db",
    f"postgresql+psycopg://{USER}/db",
    f" POSTGRESQL://{USER}/db?sslmode=disable",
    f"postgis://{USER}/db",
    f"mysql://{USER}/db",
    f"https://{USER}/points.csv",
    f"s3://{USER}/points.parquet",
    f"jdbc:postgresql://{USER}/db",
    f"PG:host=127.0.0.1 port=1 user=u password={PASSWORD} dbname=db",
    f"host=127.0.0.1 port=1 user=u password={PASSWORD} dbname=db",
    f"MYSQL:db,user=u,password={PASSWORD}",
    f"postgresql://u:{PASSWORD}@with@and/slash@127.0.0.1:1/db",
    Path(f"postgresql://{USER}/db"),
    Path(f"https://{USER}/points.csv"),
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"layer": "t"},
    {"scheduler": "synchronous"},
    {"layer": "t", "scheduler": "tcp://127.0.0.1:1"},
    TABLE,
]


def error_text(work: Any) -> str:
    """Return all that an error says of itself; the caller's line of code is not ours to hide."""
    with pytest.raises(geodp.GeodpError) as caught:
        work()
    text = "".join(traceback.format_exception(caught.value, chain=True))
    return text + repr(caught.value) + str(caught.value.args) + repr(caught.value.__cause__)


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda text: str(text)[:22])
def test_no_message_holds_a_password(address, caplog):
    caplog.set_level(logging.DEBUG)
    for points in (address, [address], (address, address), [address, "points.csv"]):
        assert PASSWORD not in error_text(
            lambda points=points: geodp.release(points, DOMAIN, epsilon=1)
        )
        for options in OPTIONS:
            assert PASSWORD not in error_text(
                lambda points=points, options=options: geodp.read_points(points, **options)
            )
    assert PASSWORD not in caplog.text


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda text: str(text)[:22])
def test_no_query_shows_a_password(address):
    def work() -> None:
        source = geodp.read_sql(address, "SELECT geom FROM t")
        assert PASSWORD not in repr(source)
        assert PASSWORD not in str(source)
        geodp.release(source, DOMAIN, epsilon=1)

    assert PASSWORD not in error_text(work)
    source_with = f"SELECT * FROM dblink('host=h password={PASSWORD}')"
    try:
        assert PASSWORD not in repr(geodp.read_sql(address, source_with))
    except geodp.InputError as error:
        assert PASSWORD not in str(error)


def test_a_described_database_is_not_counted_by_a_scheduler():
    source = geodp.read_sql(f"postgresql://{USER}/db", "SELECT geom FROM t")
    for scheduler in ("processes", "tcp://127.0.0.1:1"):
        text = error_text(lambda name=scheduler: geodp.read_points(source, scheduler=name))
        assert PASSWORD not in text
    assert PASSWORD not in repr(pickle.loads(pickle.dumps(source)))


def test_a_failed_task_tells_no_password():
    dask = pytest.importorskip("dask")
    source = geodp.read_sql(f"postgresql://{USER}/db", "SELECT geom FROM t")
    job = dask.delayed(geodp.release)(source, DOMAIN, epsilon=1)
    assert PASSWORD not in repr(job)
    assert PASSWORD not in str(dict(job.dask))
    assert PASSWORD not in error_text(lambda: job.compute(scheduler="synchronous"))


def test_a_scheduler_is_named_without_its_password():
    points = geodp.read_points(sample_points(50), scheduler=None)
    assert PASSWORD not in repr(points)
    pytest.importorskip("distributed")
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(sample_points(50).drop(columns="geometry"), npartitions=2)
    source = geodp.read_points(frame, **TABLE, scheduler=f"postgresql://{USER}/db")
    assert PASSWORD not in repr(source)
    assert PASSWORD not in error_text(lambda: geodp.release(source, DOMAIN, epsilon=1))


def test_the_command_line_says_no_password(tmp_path):
    bounds = [str(value) for value in DOMAIN.bounds]
    words = ["--bounds", *bounds, "--crs", CRS, "--epsilon", "1", "-o", str(tmp_path / "c.tif")]
    for address in map(str, ADDRESSES):
        for more in ([], ["--sql", "SELECT geom FROM t"], ["--layer", "t"]):
            done = CliRunner().invoke(main, ["release", address, *words, *more])
            assert done.exit_code == 2, done.output
            assert PASSWORD not in done.output + repr(done.exception)


# --- folders -------------------------------------------------------------------------------------

FILES = {
    **{
        name: {} for name in ("p.gpkg", "p.shp", "p.fgb", "p.geojson", "p.gml", "p.kml", "p.sqlite")
    },
    **{name: {} for name in ("q.GML", "gml.data", "p.parquet", "p.geojsonl", "wal.gpkg")},
    "p.csv": TABLE,
    "p.csv.gz": TABLE,
}


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
def test_reading_leaves_the_folder_as_it_was(tmp_path):
    points = sample_points(60)
    for name in ("p.gpkg", "p.shp", "p.fgb", "p.geojson", "p.geojsonl", "wal.gpkg"):
        points.to_file(tmp_path / name)
    points.to_file(tmp_path / "p.sqlite", driver="SQLite")
    points.to_file(tmp_path / "p.kml", driver="KML")
    for name in ("p.gml", "q.GML", "gml.data"):
        points.to_file(tmp_path / name, driver="GML")
    for scheme in tmp_path.glob("*.xsd"):  # without it, GDAL notes the schema that it infers
        scheme.unlink()
    points.to_parquet(tmp_path / "p.parquet")
    points.drop(columns="geometry").to_csv(tmp_path / "p.csv", index=False)
    points.drop(columns="geometry").to_csv(tmp_path / "p.csv.gz", index=False)
    connection = sqlite3.connect(tmp_path / "wal.gpkg")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    before = listing(tmp_path)
    for name, where in FILES.items():
        geodp.release(geodp.read_points(tmp_path / name, **where), DOMAIN, epsilon=1)
        assert listing(tmp_path) == before, name
    assert len(gpd.read_file(tmp_path / "p.gml")) == 60
    assert listing(tmp_path) != before  # as GDAL does it if nobody forbids
