"""Divide one release by another: how many times as many records, with intervals. Public."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..common.errors import InputError
from ..estimates.queries import ask_ratio
from ..estimates.ratios import count_ratio
from .cell_words import cells_in_words
from .difference import share_noise

if TYPE_CHECKING:
    from .release import Release


class Quotient:
    """Two releases, one over the other. Make one with ``later / earlier``.

    Their noise must be of different draws: of two releases, or of two groups of one.

    Parameters
    ----------
    later, earlier : Release
        What is divided, and by what.
    """

    def __init__(self, later: Release, earlier: Release) -> None:
        if later.domain != earlier.domain:
            raise InputError(
                f"releases are compared on one domain; got {later.domain!r} and {earlier.domain!r}."
            )
        if share_noise(later, earlier):
            raise InputError(
                "counts that hold the same noise have no quotient with a known error; got a "
                "release and itself, or a group and its total: use the share of a group instead."
            )
        self.later, self.earlier = later, earlier

    def __repr__(self) -> str:
        later, earlier = (cells_in_words(release.cells) for release in (self.later, self.earlier))
        return f"Quotient({later} / {earlier})"

    def query(self, regions: Any, *, level: float = 0.95, skip_invalid: bool = False) -> Any:
        """Estimate the quotient in regions, with an interval by test inversion.

        Parameters
        ----------
        regions, level, skip_invalid
            As for :meth:`geodp.Release.query`. A change in per cent is ``100 · (ratio - 1)``.

        Returns
        -------
        GeoDataFrame or Ratios
            The layer with ``ratio``, ``ratio_low`` and ``ratio_high``, or arrays for boxes. Where
            the lower count may be zero, the quotient is NaN.
        """
        later, earlier = self.later.estimate, self.earlier.estimate
        return ask_ratio(
            lambda asked, at: count_ratio(later.parts(asked), earlier.parts(asked), at),
            regions,
            self.later.domain,
            level=level,
            skip_invalid=skip_invalid,
        )
