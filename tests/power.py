"""Power cuts: a program's writes are recorded, and every disk that a cut may leave is rebuilt.

The model is what POSIX promises and no more. What is written to a file is safe once the file is
synced; until then each sector of each write may have reached the disk or not, in any combination.
What happens to names (made, unlinked) is safe once the folder is synced; until then each name
stands where any of its latest changes left it, independently of the other names.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from programs import left_out

SOURCE = Path(__file__).with_suffix(".c")
SECTOR = 512
MAX_SUBSETS = 32

Event = list[str]
Files = dict[str, bytes]


@cache
def recorder() -> Path:
    """Compile the recorder; a test that cannot have it fails in CI and says so elsewhere."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    library = Path(mkdtemp(prefix="geodp-power-")) / "power.so"
    why = ""
    if compiler and sys.platform == "linux":
        flags = ["-O1", "-Wall", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
        done = subprocess.run([compiler, *flags], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return library
        why = ": " + " ".join(done.stderr.split())
    left_out(f"power cuts ({SOURCE.name} is compiled on Linux){why}", "gcc and libc6-dev")
    raise AssertionError


def record(script: str, disk: Path, tape: Path) -> list[Event]:
    """Run a script that may call ``say(words)``; what it did to the files of a folder, in order."""
    library = recorder()
    preamble = (
        "import ctypes, sys\n"
        f"_say = ctypes.CDLL({str(library)!r}).say\n"
        "say = lambda words: _say(words.encode())\n"
        f"disk = {str(disk)!r}\n"
    )
    preload = {"LD_PRELOAD": str(library), "GEODP_DISK": str(disk), "GEODP_TAPE": str(tape)}
    subprocess.run(
        [sys.executable, "-c", preamble + script],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **preload},
        check=True,
    )
    return [line.split(" ") for line in tape.read_text().splitlines()]


@dataclass
class File:
    """Keep what is safe of a file, and the changes that are not: (offset, data), or a length."""

    safe: bytes = b""
    loose: list[tuple[int, bytes] | int] = field(default_factory=list)

    def contents(self, rng: random.Random) -> Iterator[bytes]:
        """Say what a power cut may leave: every combination, or many if there are too many."""
        count = len(self.loose)
        if 2**count <= MAX_SUBSETS:
            chosen = list(itertools.product((True, False), repeat=count))
        else:
            chosen = [(True,) * count, (False,) * count]
            chosen += [tuple(n < kept for n in range(count)) for kept in _spread(count)]
            chosen += [tuple(n != lost for n in range(count)) for lost in _spread(count)]
            chosen += [tuple(rng.random() < 0.5 for _ in range(count)) for _ in range(8)]
        for keep in dict.fromkeys(chosen):
            yield self._with(keep)

    def _with(self, keep: tuple[bool, ...]) -> bytes:
        content = bytearray(self.safe)
        for change in itertools.compress(self.loose, keep):
            if isinstance(change, int):
                content = content[:change].ljust(change, b"\0")
            else:
                offset, data = change
                content = content.ljust(offset + len(data), b"\0")
                content[offset : offset + len(data)] = data
        return bytes(content)


def _spread(count: int, most: int = 8) -> list[int]:
    return sorted({count * step // most for step in range(most)})


class Disk:
    """A folder as the system shows it, and as it may be after a power cut."""

    def __init__(self) -> None:
        self.names: dict[str, File] = {}
        self.history: dict[str, list[File | None]] = {}
        """What each name may stand for on the disk, the safe one first."""

    def play(self, event: Event) -> None:
        kind, *rest = event
        if kind == "folder":
            self.history = {name: [file] for name, file in self.names.items()}
        elif kind == "open":
            self._name(rest[0], File())
        elif kind == "unlink":
            self._name(rest[0], None)
        elif kind == "sync":
            file = self.names[rest[0]]
            file.safe, file.loose = file._with((True,) * len(file.loose)), []
        elif kind == "size":
            self.names[rest[0]].loose.append(int(rest[1]))
        elif kind == "write":
            start, data = int(rest[1]), bytes.fromhex(rest[2])
            cuts = range(-(start % SECTOR), len(data), SECTOR)
            for cut in cuts:
                first = max(cut, 0)
                self.names[rest[0]].loose.append((start + first, data[first : cut + SECTOR]))
        elif kind != "say":
            raise AssertionError(f"the model knows nothing of {event}")

    def _name(self, name: str, file: File | None) -> None:
        self.history.setdefault(name, [self.names.get(name)]).append(file)
        if file is None:
            del self.names[name]
        else:
            self.names[name] = file

    def after_a_cut(self, rng: random.Random) -> Iterator[Files]:
        """Yield folders that may be found when the power is back."""
        names = list(self.history)
        for stands in itertools.product(*self.history.values()):
            survivors = {name: file for name, file in zip(names, stands) if file is not None}
            choices = [list(file.contents(rng)) for file in survivors.values()]
            for contents in _combined(choices, rng):
                yield dict(zip(survivors, contents))


def _combined(choices: list[list[bytes]], rng: random.Random) -> Iterator[tuple[bytes, ...]]:
    """Yield all combinations, or some where there are too many."""
    total = 1
    for choice in choices:
        total *= len(choice)
    if total <= 4 * MAX_SUBSETS:
        yield from itertools.product(*choices)
    else:
        for _ in range(4 * MAX_SUBSETS):
            yield tuple(rng.choice(choice) for choice in choices)


def cuts(events: list[Event], seed: int = 0) -> Iterator[tuple[list[str], Files]]:
    """Yield each moment at which the power may fail: what was said by then, and what may remain."""
    disk, printed, rng = Disk(), [], random.Random(seed)
    for event in events:
        disk.play(event)
        if event[0] == "say":
            printed = [*printed, " ".join(event[1:])]
        for files in disk.after_a_cut(rng):
            yield printed, files


def each_cut(events: list[Event], look: Callable[[Path, list[str]], None]) -> int:
    """Look at every folder that differs, rebuilt in memory; return how many there were."""
    seen = set()
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        folder = Path(name)
        for printed, files in cuts(events):
            key = (len(printed), *sorted(files.items()))
            if key in seen:
                continue
            seen.add(key)
            for old in folder.iterdir():
                old.unlink()
            for path, content in files.items():
                (folder / path).write_bytes(content)
            look(folder, printed)
    return len(seen)
