"""Attack the sampler and the kernel by themselves, with real bits: any scale, count and process."""

from __future__ import annotations

import math
import os
import random
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from ..core.common.types import Ints
from ..core.kernel.kernel import Kernel
from ..core.pipeline.kinds import Regular
from ..core.pipeline.pipeline import release as real_release
from ..core.privacy.noise import OpenDPBits, RandomBits
from ..core.privacy.unit import Unit
from ..core.records.divisions import Categories
from ..core.space.frame import Frame
from ..core.space.grid import Grid
from .finding import Finding
from .fit import (
    LIMIT,
    exponential_sizes,
    fair_signs,
    surprise_of_mean,
    surprise_of_share,
    surprise_of_sizes,
)
from .pairs import DOMAIN, Attack
from .releases import WRONG
from .sizes import size_findings

SOURCES: tuple[type[RandomBits], ...] = (RandomBits, OpenDPBits)

SCALES = tuple(
    Fraction(text)
    for text in (
        *("1/3", "1/2", "1", "10/9", "7/3", "50", "64", "65", "128", "129", "999", "1001", "4097"),
        *("32769", "65537", "1000000", "100000000", "12.3456789012345678", "1234567.8901234567"),
    )
)
"""Scales on both sides of all that a sampler might treat differently."""

COUNTS = (
    *(0, 1, 2, 255, 256, 999, 1001, 32_767, 32_768, 65_535, 65_536, 99_999, 10**6, 10**7),
    *(2**24 + 1, 2**31 - 1, 2**31, 2**32, 2**40),
)
"""True counts, likewise."""

_REACH = 8.0
"""Sizes in units of the scale from which the tail begins."""


def audit_sampler(
    release: Attack = real_release,
    *,
    draws: int = 40_000,
    releases: int = 1500,
    sources: Sequence[type[RandomBits]] = SOURCES,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Draw noise of all scales, add it to all counts, and see where the bits come from.

    Parameters
    ----------
    release : callable
        What to attack.
    draws : int
        Draws of each scale; fewer through OpenDP, which takes longer.
    releases : int
        Tiny releases of each kind that must all differ.
    sources : sequence of type
        Samplers.
    progress : callable, optional
        Called with the name of each part.

    Examples
    --------
    >>> findings = audit_sampler(draws=500, releases=50, sources=[RandomBits])
    >>> all(finding.passed for finding in findings)
    True
    """
    say = progress or (lambda _: None)
    say("scales of noise")
    findings = [f for source in sources for f in _scale_findings(source, draws)]
    say("counts of all sizes")
    findings += [f for source in sources for f in _count_findings(source, draws)]
    say("where bits come from")
    for source in sources:
        if source is not OpenDPBits:  # which draws bits of its own
            findings += _bit_findings(source)
    findings += _process_findings()
    say("releases that must all differ")
    return [*findings, *_distinct_findings(release, releases), *size_findings(release)]


# --- scales -----------------------------------------------------------------------------------


def _scale_findings(source: type[RandomBits], draws: int) -> Iterator[Finding]:
    """Check noise of every scale: sizes, signs, zeros, tails, low bits; nothing comes again."""
    rng, bits = np.random.default_rng(1), source()
    count = draws if source is not OpenDPBits else max(draws // 20, 200)
    every, tails, small = [], [], []
    name = source.__name__
    for scale in SCALES:
        noise = bits.discrete_laplace(scale, count)
        sizes = exponential_sizes(noise, scale, rng)
        every.append((scale, noise))
        tails.append(sizes[sizes > _REACH] - _REACH)
        label = f"{name}, scale {float(scale):g}"
        yield Finding(label, "noise", LIMIT, surprise_of_sizes(sizes))
        yield Finding(label, "signs", LIMIT, surprise_of_mean(fair_signs(noise, rng)))
        yield Finding(label, "zeros", LIMIT, _surprise_of_zeros(noise, scale))
        far = float((sizes > _REACH).mean())
        yield Finding(label, "tail", LIMIT, surprise_of_share(far, math.exp(-_REACH), count))
        if count >= 40_000:
            for factor in WRONG:
                shown = surprise_of_sizes(exponential_sizes(noise, scale * factor, rng))
                words = f"{label}, were the scale {float(factor):g} times"
                yield Finding(words, "sharpness", -LIMIT, -shown)
        if scale >= 10**6:
            yield Finding(label, "low bits", LIMIT, _surprise_of_low_bits(noise))
            windows = np.lib.stride_tricks.sliding_window_view(noise, 4)
            again = len(windows) - len(np.unique(windows, axis=0))
            yield Finding(label, "repeats", 0.0, float(again))
        # Few at a time, as for the nodes of a small tree.
        parts = [bits.discrete_laplace(scale, size) for size in (1, 2, 3, 7, 30) * 4]
        small.append(exponential_sizes(np.concatenate(parts), scale, rng))
    yield Finding(f"{name}, all scales", "tail", LIMIT, surprise_of_sizes(np.concatenate(tails)))
    few = np.concatenate(small)
    yield Finding(f"{name}, few draws at a time", "noise", LIMIT, surprise_of_sizes(few))


def _surprise_of_zeros(noise: Ints, scale: Fraction) -> float:
    ratio = math.exp(-float(1 / scale))
    return surprise_of_share(float((noise == 0).mean()), (1 - ratio) / (1 + ratio), len(noise))


def _surprise_of_low_bits(noise: Ints) -> float:
    """Check that bits far below a scale are fair coins, all but."""
    return max(surprise_of_mean((noise >> bit & 1) * 2.0 - 1) for bit in range(8))


# --- counts -----------------------------------------------------------------------------------


class _Lines:
    """Stand in for a public tree of one level, for counts that are made up."""

    def __init__(self, size: int) -> None:
        self.size = size

    def child_codes(self, depth: int, codes: Any) -> tuple[Any, int]:
        """Return the codes of all children of the domain, and how many there are."""
        del depth, codes
        return np.arange(self.size), self.size

    def children(self, depth: int) -> int:
        """Return the number of children."""
        del depth
        return self.size

    def supported_codes(self, depth: int, codes: Any) -> Any:
        """Let records be everywhere."""
        del depth
        return np.ones(len(codes), dtype=np.bool_)


class InventedTally:
    """Stand in for a tally of groups with counts that nobody counted.

    Parameters
    ----------
    counts : ndarray of int
        The count of each node, or of each cell, in every group.
    groups : int
        Number of groups.
    """

    def __init__(self, counts: Any, groups: int = 1) -> None:
        self.frame, self._counts = _Lines(len(counts)), counts
        self.groups = (self,) * groups

    def node_counts(self, codes: Any, depth: int) -> Any:
        """Return the counts of nodes."""
        return self._counts[codes] if depth else self._counts[:1]

    def prepare(self, codes: Any, depth: int) -> None:
        """Prepare nothing: all counts are there."""

    def on(self, grid: Any) -> Any:
        """Return the counts of cells."""
        return self._counts[: grid.cells].reshape(grid.shape)


def _count_findings(source: type[RandomBits], draws: int) -> Iterator[Finding]:
    """Check noise on counts of every size, through the verbs of the kernel."""
    rng, repeats = np.random.default_rng(2), max(min(draws // 100, 200), 40)
    counts = np.repeat(np.array(COUNTS, dtype=np.int64), repeats)
    sizes: dict[int, list[Any]] = {count: [] for count in COUNTS}
    one, root = np.zeros(1, dtype=np.int64), math.isqrt(len(counts))
    grid = Grid(DOMAIN, (root, root))
    for unit, epsilon, groups in _KERNELS:
        names = [str(number) for number in range(groups)]
        kernels = [
            Kernel(
                InventedTally(counts, groups),
                epsilon=epsilon,
                unit=unit,
                bits=source(),
                groups=names,
            )
            for _ in range(3)
        ]
        scale = (unit.max_records or 1) * (2 if unit.neighbours == "replace" else 1) / epsilon
        nodes = kernels[0].split(kernels[0].domain, one)
        which = np.arange(len(counts))
        values, _ = kernels[0].measure(nodes, which, epsilon, "nodes")
        cells, _ = kernels[1].measure_cells(grid, epsilon, "cells")
        both, _ = kernels[2].measure_cells(grid, epsilon, "cells", together=True)
        part = counts[: root * root]
        for value, true in (
            *((value, counts) for value in values),
            *((cell, part) for cell in cells),
        ):
            for count in COUNTS:
                sizes[count].append(exponential_sizes((value - true)[true == count], scale, rng))
        sums = (both[0] - groups * part).astype(np.int64)
        yield Finding(
            f"{source.__name__}, {groups} groups together", "noise", LIMIT,
            surprise_of_sizes(exponential_sizes(sums, scale, rng)),
        )  # fmt: skip
        if groups > 1:
            noises = np.array([value - counts for value in values])
            alike = groups - len(np.unique(noises, axis=0))
            yield Finding(f"{source.__name__}, {groups} groups", "repeats", 0.0, float(alike))
    for count, parts in sizes.items():
        label = f"{source.__name__}, counts of {count:,}"
        yield Finding(label, "noise", LIMIT, surprise_of_sizes(np.concatenate(parts)))


_KERNELS = (
    (Unit("record"), Fraction(1), 1),
    (Unit("person", 5, "replace"), Fraction(1, 3), 4),
    (Unit("feature", 3), Fraction(1, 2000), 2),
)


# --- bits -------------------------------------------------------------------------------------


@contextmanager
def _bytes_from(source: Callable[[int], bytes]) -> Iterator[None]:
    """Let the system's bits come from elsewhere."""
    true = os.urandom
    os.urandom = source
    try:
        yield
    finally:
        os.urandom = true


def _entropy(scale: Fraction) -> float:
    """Compute the bits that a draw of noise holds, on average."""
    rate = float(1 / scale)
    ratio = math.exp(-rate)
    mean = 2 * ratio / -math.expm1(-2 * rate)
    return math.log2((1 + ratio) / -math.expm1(-rate)) + mean * rate / math.log(2)


def _bit_findings(source: type[RandomBits]) -> Iterator[Finding]:
    """Check that all randomness is the system's, that it is enough, and that all of it counts."""
    name = source.__name__
    for scale in SCALES[::3]:
        asked: list[int] = []
        true = os.urandom

        def counted(size: int, asked: list[int] = asked, true: Any = true) -> bytes:
            asked.append(size)
            return bytes(true(size))

        with _bytes_from(counted):
            source().discrete_laplace(scale, 2000)
        needed = _entropy(scale) * 2000
        label = f"{name}, scale {float(scale):g}"
        yield Finding(label, "bits asked for", -0.9 * needed, -8.0 * sum(asked))
        yield Finding(label, "replays", 0.0, _replayed(source, scale))


def _replayed(source: type[RandomBits], scale: Fraction) -> float:
    """Count what does not follow from the system's bytes, and calls whose bytes do not matter."""

    def drawn(seed: int, flipped: int = -1) -> bytes:
        stream, calls = random.Random(seed), [0]

        def deal(size: int) -> bytes:
            data, calls[0] = stream.randbytes(size), calls[0] + 1
            return bytes(byte ^ 0xFF for byte in data) if calls[0] - 1 == flipped else data

        with _bytes_from(deal):
            return source().discrete_laplace(scale, 200).tobytes()

    seeds = range(5)
    same = sum(drawn(seed) != drawn(seed) for seed in seeds)
    unlike = len(seeds) - len({drawn(seed) for seed in seeds})
    calls = range(3 if scale > 2 else 0)  # a small scale may ask for numbers below 1 first
    idle = sum(all(drawn(seed, call) == drawn(seed) for seed in seeds) for call in calls)
    return float(same + unlike + idle)


def _process_findings() -> Iterator[Finding]:
    """Check that threads and forked processes never share bits."""
    keys: list[bytes] = []

    def draw() -> None:
        keys.extend(RandomBits().key() for _ in range(500))

    threads = [threading.Thread(target=draw) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield Finding("eight threads", "repeats", 0.0, float(len(keys) - len(set(keys))))
    if hasattr(os, "fork"):
        parts = [*_forked(4), _some_noise(RandomBits())]
        yield Finding("forked processes", "repeats", 0.0, float(len(parts) - len(set(parts))))


def _some_noise(bits: RandomBits) -> bytes:
    return bits.discrete_laplace(Fraction(10**8), 8).tobytes()


def _forked(count: int) -> list[bytes]:
    """Draw noise in children of this process, from one source that was in use before."""
    bits = RandomBits()
    _some_noise(bits)
    noise = []
    for _ in range(count):
        read_end, write_end = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a child that only draws is safe
            child = os.fork()
        if not child:
            try:
                os.write(write_end, _some_noise(bits))
            finally:
                os._exit(0)
        os.close(write_end)
        os.waitpid(child, 0)
        with os.fdopen(read_end, "rb") as pipe:
            noise.append(pipe.read())
    return noise


def _distinct_findings(
    release: Attack, releases: int, only: str | None = None
) -> Iterator[Finding]:
    """Check that no two of many tiny releases have the same noise."""
    grid, points = Regular(Grid(DOMAIN, (2, 2))), {"x": [1.0], "y": [1.0], "kind": ["a"]}
    kinds: dict[str, dict[str, Any]] = {
        "grid": {"cells": grid},
        "tree": {"cells": Frame(DOMAIN, (2, 2), 1)},
        "grid of four groups": {"cells": grid, "by": Categories("kind", list("abcd"))},
    }
    for name, options in kinds.items():
        if only not in (None, name):
            continue
        seen = []
        for _ in range(releases):
            one = release(points, epsilon=Fraction(1, 10_000), force=True, **options)
            parts = [one.measurements.value[:4] for one in one.maps.values()]
            seen += [part.tobytes() for part in parts]
        yield Finding(
            f"many releases of a {name}", "repeats", 0.0, float(len(seen) - len(set(seen)))
        )
    few = [
        RandomBits().discrete_laplace(Fraction(10**8), 3).tobytes() for _ in range(20 * releases)
    ]
    yield Finding("many sources of bits", "repeats", 0.0, float(len(few) - len(set(few))))
