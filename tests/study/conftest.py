from __future__ import annotations

import numpy as np
import pytest

from geodp.core.regions.workload import Workload
from geodp.core.space.domain import Crs, Domain
from study.case import Case
from study.datasets import Dataset, benchmark_datasets, study_datasets

UNIT = Domain((0.0, 0.0, 1.0, 1.0), Crs("unit square"))


def unit_case(x, y, sizes=(2, 4), boxes=((0.0, 0.0, 0.5, 0.5),)) -> Case:
    """Return a case on the unit square, tuned and tested on the same boxes."""
    points = np.asarray(x, float), np.asarray(y, float)
    regions = Workload.from_boxes(boxes, UNIT)
    return Case(Dataset("unit", "unit square", UNIT, lambda: points), sizes, regions, regions)


@pytest.fixture(scope="session")
def places() -> Case:
    """Return the sample layer of US places, with the paper's candidates and region sizes."""
    dataset = study_datasets(None)["small"]
    tuning = Workload.random_boxes(dataset.domain, seed=1)
    test = Workload.random_boxes(dataset.domain, seed=2)
    return Case(dataset, (30, 40, 50, 60, 70, 80), tuning, test)


@pytest.fixture(scope="session")
def samples() -> dict[str, Dataset]:
    return benchmark_datasets(None)
