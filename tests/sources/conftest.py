"""A real PostGIS, and silence."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import left_out
from samples import PASSWORD


@pytest.fixture
def silence(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Check that nothing is printed, past Python neither, whatever the test does."""
    yield
    assert capfd.readouterr() == ("", "")


PACKAGES = "postgresql and postgresql-postgis"


def programs() -> Path | None:
    """Return folder with initdb and pg_ctl of a PostgreSQL that has PostGIS."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        extensions = Path("/usr/share/postgresql") / folder.parent.name / "extension"
        if (folder / "initdb").exists() and (extensions / "postgis.control").exists():
            return folder
    return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Yield address of a private server on the loopback, with PostGIS, stopped afterwards."""
    psycopg = pytest.importorskip("psycopg")
    folder = programs()
    if folder is None:
        left_out("PostGIS", PACKAGES)
    # PostgreSQL refuses to run as root, and the folders of pytest are closed to others.
    other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as name:
        home, port = Path(name), free_port()
        (home / "password").write_text(PASSWORD)
        if other:
            shutil.chown(home, "postgres")
            shutil.chown(home / "password", "postgres")

        def run(program: str, *arguments: str) -> None:
            command = [*other, str(folder / program), "-D", str(home / "data"), *arguments]
            done = subprocess.run(command, cwd=home, capture_output=True, text=True, timeout=60)
            if done.returncode:
                left_out(f"PostGIS, since {program} failed: {done.stderr.strip()[-200:]}", PACKAGES)

        run("initdb", "-U", "geodp", "--auth=scram-sha-256", f"--pwfile={home / 'password'}", "-N")
        settings = f"-p {port} -c listen_addresses=127.0.0.1 -k {home} -c fsync=off -c jit=off"
        run("pg_ctl", "-w", "-l", str(home / "log"), "-o", settings, "start")
        try:
            address = f"postgresql://geodp:{PASSWORD}@127.0.0.1:{port}/postgres"
            with psycopg.connect(address) as connection:
                connection.execute("CREATE EXTENSION postgis")
            yield address
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
