"""Estimate counts of a tree's cells by least squares from the measurements of all its nodes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ..common.types import Floats
from ..districts.district_tree import DistrictTree
from ..kernel.measurements import Measurements
from ..regions.workload import Workload
from ..space.tree import Tree
from .estimate import ErrorTerms, Estimate, proportion
from .least_squares import Fit
from .split_bias import split_bias
from .tree_answers import TreeAnswers, answer_tree, answer_units
from .unevenness import Unevenness, tree_unevenness


class TreeEstimate(Estimate):
    """Counts of cells and regions by least squares from all measurements of a tree.

    Parameters
    ----------
    tree : Tree
        The cells.
    measurements : Measurements
        What was published about its nodes.
    alone : bool
        Whether these measurements alone decided what was split; then what that adds to the
        estimates is taken off.
    """

    def __init__(self, tree: Tree, measurements: Measurements, alone: bool = True) -> None:
        self._measured = tree, measurements.check(tree)
        self._alone = alone and not isinstance(tree, DistrictTree)

    @cached_property
    def fit(self) -> Fit:
        """Estimate all nodes, once it is asked for."""
        return Fit(*self._measured, split_bias(*self._measured) if self._alone else None)

    @property
    def counts(self) -> npt.NDArray[Any]:
        return self.fit.estimate

    @property
    def variance(self) -> Floats:
        return self.fit.variance

    @cached_property
    def _uneven(self) -> Unevenness:
        return tree_unevenness(self.fit)

    def parts(self, regions: Workload) -> ErrorTerms:
        return self._terms(answer_tree(self.fit, regions, self._uneven), regions.inside)

    @property
    def has_units(self) -> bool:
        """Tell whether the districts that cells are inside of are nested in larger units."""
        tree = self._measured[0]
        return isinstance(tree, DistrictTree) and tree.frame.levels is not None

    def unit_parts(self) -> ErrorTerms:
        """Return estimates and errors of the units of all levels, from the largest."""
        answers = answer_units(self.fit, self._uneven)
        return self._terms(answers, np.ones(len(answers.estimate)))

    def _terms(self, answers: TreeAnswers, inside: Floats) -> ErrorTerms:
        with np.errstate(divide="ignore", invalid="ignore"):
            excess = answers.fourth / answers.variance**2
        return ErrorTerms(
            answers.estimate,
            answers.variance,
            excess,
            answers.spread,
            np.sqrt(answers.squares) / self._measured[1].units,
            np.zeros(len(answers.estimate), dtype=np.bool_),
            proportion(answers.cut, answers.present),
            inside,
        )
