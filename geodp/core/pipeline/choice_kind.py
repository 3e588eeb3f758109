"""Ask for a private choice among cells of any kind. Public."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..cells.partitions import GridPartition, Partition, PolygonPartition
from ..common.errors import InputError
from ..mechanisms.tuners import Influence, Tuner
from ..privacy.budget import ExactNumber
from ..regions.workload import Workload
from ..space.domain import Domain
from ..space.grid import Grid
from .district_kind import Districts
from .fixed_kind import FixedKind
from .kinds import Regular


class Choice:
    """Ask for one of several layers of cells, chosen privately for regions that are named.

    Candidates may be polygons of public layers, hexagons and grids. What a layer leaves of the
    domain is a cell of its own, called "elsewhere"; of a domain that says ``within`` what records
    can be, cells of every candidate that lie outside are left out. The choice is that of
    :class:`geodp.Regular`, by its default tuner.

    Parameters
    ----------
    candidates : sequence of Districts, GeoDataFrame, path, Hexagons, H3, Grid or Regular
        What to choose from, two at least; all candidates of a ``Regular`` and of an ``H3`` count.
    workload : Workload, GeoDataFrame, GeoSeries, path or boxes, optional
        Public regions that the release should answer well; by default boxes at public random
        places.
    tuning_share : number, optional
        Part of ε for the choice; 0.1 by default.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> cells = Choice([geodp.Hexagons(200), geodp.Hexagons(800), geodp.Grid(town, (6, 8))])
    >>> release = geodp.release(([100.0] * 50, [200.0] * 50), town, epsilon=1, cells=cells)
    >>> len(release.method.candidates)
    3
    """

    def __init__(
        self,
        candidates: Sequence[Any],
        *,
        workload: Any = None,
        tuning_share: ExactNumber | None = None,
    ) -> None:
        if isinstance(candidates, (str, bytes)) or not isinstance(candidates, (list, tuple)):
            raise InputError(
                f"candidates of a choice must be a list; got a {type(candidates).__name__}."
            )
        self.candidates = tuple(map(_candidate, candidates))
        self.tuning_share = tuning_share
        self._asked = Regular(workload=workload, tuning_share=tuning_share)
        self.chooser: Tuner = Influence()
        self._partitions: dict[Domain, tuple[Partition, ...]] = {}

    def __repr__(self) -> str:
        return f"Choice([{', '.join(map(repr, self.candidates))}])"

    def regions(self, domain: Domain) -> Workload | None:
        """Return the regions that should come out well; None where none were named."""
        return self._asked.regions(domain)

    def partitions(self, domain: Domain) -> tuple[Partition, ...]:
        """Return all candidates on a domain; they are built once, as they are public."""
        if domain not in self._partitions:
            self._partitions = {domain: self._candidates(domain)}
        return self._partitions[domain]

    def _candidates(self, domain: Domain) -> tuple[Partition, ...]:
        candidates: list[Partition] = []
        for candidate in self.candidates:
            if isinstance(candidate, FixedKind):
                candidates += map(PolygonPartition, candidate.candidates(domain))
            elif isinstance(candidate, Districts):
                from ...sources.districts import districts_on

                candidates.append(
                    PolygonPartition(districts_on(candidate.layer, domain, name=candidate.name))
                )
            else:
                candidates += map(GridPartition, candidate.candidates(domain))
        if len(candidates) < 2:
            raise InputError(
                f"a choice needs two candidates at least; got {len(candidates)}: name others too, "
                "or ask for one kind of cells."
            )
        return tuple(candidates)


def _candidate(given: Any) -> Districts | FixedKind | Regular:
    if isinstance(given, Districts) and given.levels is not None:
        raise InputError("candidates of a choice have no `levels`; got some: leave them out.")
    if isinstance(given, Districts) and given.within is not None:
        raise InputError(
            "candidates of a choice share one domain, which says where records can be; got "
            "`within` for one of them: give it to the domain."
        )
    if isinstance(given, (Districts, FixedKind)):
        return given
    if isinstance(given, Regular):
        return given
    if isinstance(given, Grid):
        return Regular(given)
    if isinstance(given, (str, os.PathLike)) or hasattr(given, "geometry"):
        return Districts(given)
    raise InputError(
        "a candidate of a choice must be districts, hexagons, H3 or a grid; got a "
        f"{type(given).__name__}."
    )
