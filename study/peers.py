"""Run what a user could pick instead of geodp, as methods of the study."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from geodp.core.common.errors import GeodpError

from .adaptive import AdaptiveGridMaker
from .case import Case, table
from .dawa import DawaMaker, base_size, hilbert_order
from .hb import best_hierarchy
from .hierarchy import axis_shares
from .method import Method, Outcome, noisy_answers
from .privtree import PrivTreeMaker

_FEW = 60
"""Boxes that DAWA divides its budget by: their shares of all cells are kept at once."""

PLAIN_SIZE = 100
"""Divisions per axis of someone who does not tune: a round public number."""


@dataclass(frozen=True)
class PlainGrid(Method):
    """A histogram on one public grid, all of ε for its noise.

    Parameters
    ----------
    size : int
        Divisions per axis, chosen without looking at the points.
    """

    size: int = PLAIN_SIZE

    name: ClassVar[str] = "plain-grid"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        answers = noisy_answers(case, case.grid(self.size), 1 / epsilon, repetitions, random)
        return Outcome(answers, np.full(repetitions, self.size))


class Ag(Method):
    """AG of Qardaji, Yang & Li (2013); private if the number of records is public."""

    name: ClassVar[str] = "ag"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        maker = AdaptiveGridMaker(*case.unit_points, epsilon)
        releases = (maker.release(random) for _ in range(repetitions))
        answers = np.array([release.answers(case.unit_boxes) for release in releases])
        return Outcome(answers, np.zeros(repetitions, dtype=np.int64))


class PrivTreePeer(Method):
    """PrivTree of Zhang, Xiao & Xie (2016)."""

    name: ClassVar[str] = "privtree"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        maker = PrivTreeMaker(*case.unit_points)
        releases = (maker.release(epsilon, random) for _ in range(repetitions))
        answers = np.array([release.answers(case.unit_boxes) for release in releases])
        return Outcome(answers, np.zeros(repetitions, dtype=np.int64))


class Hb(Method):
    """HB of Qardaji, Yang & Li (2013); private if the number of records is public."""

    name: ClassVar[str] = "hb"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        chosen = best_hierarchy(case.records, epsilon, case.unit_tuning_boxes)
        grid = case.grid(chosen.size)
        counts, corners = case.counts(grid).astype(np.float64), case.test_corners(grid)
        answers = [
            corners.read(table(chosen.release(counts, epsilon, random))) for _ in range(repetitions)
        ]
        return Outcome(np.array(answers), np.full(repetitions, chosen.size))


class Dawa(Method):
    """DAWA of Li, Hay, Miklau & Wang (2014); private if the number of records is public."""

    name: ClassVar[str] = "dawa"
    private: ClassVar[bool] = True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        size = base_size(case.records, epsilon)
        grid, order = case.grid(size), hilbert_order(size)
        few = case.unit_tuning_boxes[:: max(1, len(case.tuning) // _FEW)]
        across, up = axis_shares(few, size)
        weights = (up[:, ::-1, None] * across[:, None, :]).reshape(len(few), -1)[:, order]
        weights /= np.sqrt((weights**2).sum(axis=1, keepdims=True))  # large boxes count no more
        maker = DawaMaker(case.counts(grid).astype(np.float64).ravel()[order], weights)
        corners, answers = case.test_corners(grid), []
        for _ in range(repetitions):
            raster = np.empty(size * size)
            raster[order] = maker.release(epsilon, random)
            answers.append(corners.read(table(raster.reshape(grid.shape))))
        return Outcome(np.array(answers), np.full(repetitions, size))


@dataclass(frozen=True)
class Diffprivlib(Method):
    """``diffprivlib.tools.histogram2d``, which clamps negative counts to zero.

    Parameters
    ----------
    size : int
        Divisions per axis.
    """

    size: int = PLAIN_SIZE

    name: ClassVar[str] = "diffprivlib"
    private: ClassVar[bool] = True

    @staticmethod
    @cache
    def installed() -> bool:
        """Tell whether diffprivlib can be imported; recent scikit-learn breaks it."""
        try:
            import diffprivlib.tools  # noqa: F401
        except ImportError:
            return False
        return True

    def run(
        self, case: Case, epsilon: float, repetitions: int, random: np.random.Generator
    ) -> Outcome:
        if not self.installed():
            raise GeodpError("this peer needs diffprivlib: install it, or run 'make setup'.")
        from diffprivlib.tools import histogram2d

        grid = case.grid(self.size)
        x, y = ((edges[1:] + edges[:-1]) / 2 for edges in (grid.x_edges, grid.y_edges))
        # Weights at cell centres give the same histogram as the points, without a new pass.
        across, up = (part.ravel() for part in np.meshgrid(x, y))
        weights = case.counts(grid)[::-1].ravel()
        corners, answers = case.test_corners(grid), []
        for _ in range(repetitions):
            seed = int(random.integers(1 << 31))
            noisy = histogram2d(
                across,
                up,
                epsilon=epsilon,
                bins=[grid.x_edges, grid.y_edges],
                weights=weights,
                random_state=seed,
            )[0]
            answers.append(corners.read(table(noisy.T[::-1])))
        return Outcome(np.array(answers), np.full(repetitions, self.size))
