"""Report one check of an audit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """State one check: what was claimed and what was shown.

    Examples
    --------
    >>> Finding("a lone point", "counts", claimed=0.9, shown=0.9).passed
    True
    """

    case: str
    measure: str
    claimed: float
    shown: float

    @property
    def passed(self) -> bool:
        """Tell whether no more was shown than claimed; exact measures are compared to 12 digits."""
        return self.shown <= self.claimed + 1e-12 * max(1.0, self.claimed)
