"""Random trees of cells with measurements, and what is known of them by dense algebra."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from strategies import PLANE, domains

from geodp.core.counts.tree_tally import BaseTally
from geodp.core.estimates.least_squares import Fit
from geodp.core.kernel.kernel import Kernel
from geodp.core.kernel.measurements import Measurements
from geodp.core.mechanisms.growth import grow
from geodp.core.mechanisms.tree_budget import TreeBudget
from geodp.core.privacy.noise import RandomBits, laplace_variance
from geodp.core.privacy.unit import Unit
from geodp.core.regions.polygons import Polygons
from geodp.core.regions.workload import Workload
from geodp.core.space.domain import Domain
from geodp.core.space.frame import Frame
from geodp.core.space.support import Support
from geodp.core.space.tree import Tree

SCALES = (Fraction(1), Fraction(20, 3), Fraction(1, 2), Fraction(100))


def grow_tree(tally: BaseTally, budget: TreeBudget, bits: RandomBits) -> tuple[Tree, Measurements]:
    """Grow a tree for one group, with a kernel of its own."""
    unit = Unit("person", budget.distance)
    kernel = Kernel(tally, epsilon=budget.epsilon, unit=unit, bits=bits)
    tree, (measurements,) = grow(kernel, budget, tally.frame)
    return tree, measurements


def random_tree(frame: Frame, rng: np.random.Generator, chance: float = 0.5) -> Tree:
    splits, code = [], np.arange(frame.children(0))
    for depth in range(1, frame.depth + 1):
        split = rng.random(len(code)) < (chance if depth < frame.depth else 0)
        split &= frame.supported_codes(depth, code)
        splits.append(split)
        code = (code[split, None] * 4 + np.arange(4)).ravel()
        if not len(code):
            break
    return Tree(frame, splits)


def random_measurements(tree: Tree, rng: np.random.Generator) -> Measurements:
    """Measure every final cell once or twice, other nodes up to twice or not at all.

    Nodes where no records can be are not measured.
    """
    final = np.isin(np.arange(tree.nodes), tree.cell_node)
    times = rng.integers(0, 3, tree.nodes)
    times[final] = np.maximum(times[final], 1)
    times[~np.concatenate([level.supported for level in tree.levels])] = 0
    node = np.repeat(np.arange(tree.nodes), times)
    value = rng.integers(-20, 200, len(node))
    return Measurements(node, value, rng.integers(0, len(SCALES), len(node)), SCALES)


@st.composite
def fits(draw: st.DrawFn) -> Fit:
    root = draw(st.sampled_from([(1, 1), (1, 2), (2, 3)]))
    frame = Frame(draw(domains()), root, draw(st.integers(0, 3)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tree = random_tree(frame, rng)
    return Fit(tree, random_measurements(tree, rng))


def matrices(fit: Fit):
    """Say which final cells each measurement adds up, and the measurements' variances."""
    tree, measured = fit.tree, fit.measurements
    above = np.concatenate([[-1], *(level.parent for level in tree.levels[1:])])
    firsts = np.repeat([0, *(lv.first for lv in tree.levels)][:-1], [len(v) for v in tree.levels])
    above[1:] += firsts[1:]
    contains = np.zeros((tree.nodes, len(tree)))
    for cell, node in enumerate(tree.cell_node.tolist()):
        while node >= 0:
            contains[node, cell] = 1
            node = above[node]
    variance = np.array([laplace_variance(scale) for scale in measured.scales])
    return contains, contains[measured.node], variance[measured.scale]


def weighted_variance(fit: Fit, weights: np.ndarray) -> np.ndarray:
    """Add up the noise variance of ``Σ w_i · estimate_i`` node by node, from the fit's gains.

    ``weights`` has one weight per final cell in its last axis.
    """
    given = np.zeros((*weights.shape[:-1], fit.tree.nodes))
    given[..., fit.tree.cell_node] = weights
    carried = np.zeros(0)
    variance = np.zeros(weights.shape[:-1])
    for depth in range(len(fit.tree.levels) - 1, -1, -1):
        level = fit.tree.levels[depth]
        here = given[..., level.first : level.first + len(level)]
        if level.split.any():
            here[..., level.split] = carried
        variance += (here * here) @ fit.gains[depth]
        if depth:
            carried = fit.tree.family_sums(depth - 1, here * fit.shares[depth])
    return variance


def rows_and_columns(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return row and column of each final cell on the lattice of its depth, from the south-west."""
    rows = tree.at_cells([level.row for level in tree.levels])
    return rows, tree.at_cells([level.column for level in tree.levels])


def grown(halvings: int = 5, within: Support | None = None) -> Fit:
    rng = np.random.default_rng(8)
    domain = Domain((0, 0, 3, 2), PLANE, within=within)
    tree = random_tree(Frame(domain, (2, 3), halvings), rng, 0.7)
    return Fit(tree, random_measurements(tree, rng))


def of_polygons(polygons: Polygons, domain: Domain) -> Workload:
    return Workload(domain, None, polygons, np.ones(polygons.count, dtype=np.int64), "test")
