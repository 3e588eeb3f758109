"""Ask for cells of H3, of one resolution or of one that is chosen privately. Public."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from ..cells.h3_cells import H3Cells
from ..common.errors import InputError
from ..privacy.budget import ExactNumber
from ..space.domain import Domain
from .fixed_kind import FixedKind

FINEST = 15
"""The finest resolution of H3."""

_KNOWN = range(FINEST + 1)


class H3(FixedKind):
    """Ask for one count for each cell of H3 that reaches into the domain.

    With one resolution every cell is measured with all of ε; of several, one is chosen privately.
    Records are counted by their index, so that counts join with everything else that has one. The
    package ``h3`` is needed: ``pip install geodp[h3]``.

    Parameters
    ----------
    resolution : int or sequence of int
        From 0 to 15; cells of 7 have about 5 km², and each finer one a seventh of that.
    workload : Workload, GeoDataFrame, GeoSeries, path or boxes, optional
        Where there are several: public regions that the release should answer well; by default
        boxes at public random places.
    tuning_share : number, optional
        Where there are several: part of ε for the choice; 0.1 by default.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> release = geodp.release(([100.0], [200.0]), town, epsilon=1, cells=H3(7))
    >>> release.to_geodataframe()["h3"].iloc[0]
    '874568702ffffff'
    >>> release = geodp.release(([100.0] * 9, [200.0] * 9), town, epsilon=1, cells=H3([7, 8]))
    >>> [each.in_words for each in release.method.candidates]
    ['H3 cells of resolution 7', 'H3 cells of resolution 8']
    """

    def __init__(
        self,
        resolution: int | Sequence[int],
        *,
        workload: Any = None,
        tuning_share: ExactNumber | None = None,
    ) -> None:
        given: Any = resolution
        listed = list(given) if isinstance(given, (list, tuple, range)) else [given]
        for value in listed:
            if (
                isinstance(value, bool)
                or not isinstance(value, Integral)
                or int(value) not in _KNOWN
            ):
                raise InputError(
                    f"a resolution of H3 must be a whole number from 0 to {FINEST}; got {value!r}."
                )
        if not listed or len(set(listed)) < len(listed):
            raise InputError(
                "resolutions of H3 must be one at least, each of them once; got "
                f"{listed!r}: list those to choose from."
            )
        if len(listed) == 1 and (workload is not None or tuning_share is not None):
            raise InputError(
                "`workload` and `tuning_share` are for a choice of resolutions; got one: leave "
                "them out, or list several."
            )
        self.resolutions = tuple(int(resolution) for resolution in listed)
        self.several = len(self.resolutions) > 1
        self.workload, self.tuning_share = workload, tuning_share

    def __repr__(self) -> str:
        return f"H3({list(self.resolutions) if self.several else self.resolutions[0]})"

    def candidates(self, domain: Domain) -> list[H3Cells]:
        """Return the cells of each resolution over a domain."""
        from ...sources.h3_cells import h3_cells

        return [h3_cells(domain, resolution) for resolution in self.resolutions]
