"""Attack the installed software, to see whether it shows more ε than it claims.

Each case is a pair of neighbouring datasets, picked to be awkward. Releases of both are made with a
script in place of randomness (:mod:`geodp.audit.script`), which tells without any sampling:

- *sketch* and *counts*, or *total*, *root* and *tree*: the privacy loss of each noisy step, from
  the true numbers that the noise was added to and the scale that it was drawn with;
- *steps*: how far one record moves the qualities that the choice of a grid is based on;
- *odds*: how far the probabilities of choosing a grid are apart, for several published sketches;
- *draws*: how far the course of a draw is from the odds that are stated for it;
- *budget*: what the steps cost together;
- *said*: things that a release says which differ although all published numbers are the same.

Then whole releases are made many times, with the real randomness:

- *outcomes*: the ε that was shown beyond doubt by what can be seen: the chosen cells, how much the
  counts speak for one side, and everything that is said about the release.

Real releases of every combination of cells, units, neighbours, groups, samplers and supports are
made of records whose counts are known (:mod:`geodp.audit.releases`): the noise that was added, what
all of it costs around a record, and every ε that is stated must be right. The sampler is tried by
itself, too (:mod:`geodp.audit.sampler`).

A claim that is broken shows here with high probability; passing is evidence, the proof is in
docs/privacy.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..core.pipeline.pipeline import release as real_release
from .combinations import Combination, combinations
from .exact import exact_findings
from .finding import Finding
from .outcomes import CONFIDENCE, shown_by_outcomes
from .pairs import Attack, Pair, cases
from .releases import audit_releases
from .sampler import audit_sampler

__all__ = [
    "CONFIDENCE",
    "Combination",
    "Pair",
    "Finding",
    "audit",
    "audit_combinations",
    "audit_sampler",
    "cases",
    "combinations",
]


def audit(
    *,
    attacked: Sequence[Pair] | None = None,
    runs: int = 2000,
    epsilon: Fraction = Fraction(1),
    release: Attack = real_release,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Check every case and return what was found.

    Parameters
    ----------
    attacked : sequence of Pair, optional
        Cases to check; all of :func:`cases` by default.
    runs : int
        Releases on each side of each case, fewer where a release takes long; 0 for the exact
        checks alone.
    epsilon : Fraction
        Budget of each release.
    release : callable
        What to attack; a stand-in with a fault must be found out.
    progress : callable, optional
        Called with the name of each case.

    Examples
    --------
    >>> all(finding.passed for finding in audit(attacked=cases()[:3], runs=20))
    True
    """
    findings = []
    for case in cases() if attacked is None else attacked:
        if progress is not None:
            progress(case.name)
        findings += exact_findings(case, epsilon, release)
        if runs:
            shown = shown_by_outcomes(case, -(-runs // case.rarely), epsilon, release)
            findings.append(Finding(case.name, "outcomes", float(epsilon), shown))
    return findings


def audit_combinations(
    *,
    rows: Sequence[Combination] | None = None,
    release: Attack = real_release,
    files: bool = False,
    progress: Callable[[str], None] | None = None,
) -> list[Finding]:
    """Check combinations of all that a release can be asked for, exactly and with real noise.

    Parameters
    ----------
    rows : sequence of Combination, optional
        What to check; by default every choice with every other.
    release : callable
        What to attack.
    files : bool
        Whether files are written and read as well.
    progress : callable, optional
        Called with the name of each combination.

    Examples
    --------
    >>> all(finding.passed for finding in audit_combinations(rows=combinations()[:1]))
    True
    """
    chosen = combinations() if rows is None else list(rows)
    findings = audit_releases(chosen, release, files=files, progress=progress)
    for row in chosen:
        findings += exact_findings(row.pair, row.epsilon, release)
    return findings
