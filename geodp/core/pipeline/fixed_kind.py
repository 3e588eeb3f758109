"""Ask for cells that are fixed: what all such kinds have in common. Public."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ..cells.h3_cells import H3Cells
from ..cells.hexagon_cells import HexagonCells
from ..privacy.budget import ExactNumber
from ..space.domain import Domain


class FixedKind(ABC):
    """Ask for one count for each of many public cells, each measured once with all of ε.

    A kind may stand for several sets of cells, of which one is chosen privately.
    """

    several: bool = False
    """Whether there are several sets to choose from."""

    workload: Any = None
    """Where there are: public regions that the release should answer well."""

    tuning_share: ExactNumber | None = None
    """Where there are: part of ε for the choice."""

    @abstractmethod
    def candidates(self, domain: Domain) -> Sequence[HexagonCells | H3Cells]:
        """Return the cells over a domain, of each set there is."""
