"""What the ledger says of the points: what is left for them, in words. Reads the ledger alone."""

from __future__ import annotations

from typing import NamedTuple

from ..algorithms.base import sentence
from ..algorithms.spending import own_ledger
from ..library import geodp
from ..translation import tr

PROPERTY = "geodp/dataset"
"""Where a layer keeps the name that its data have in the ledger."""


class Balance(NamedTuple):
    """What is left of a cap.

    Attributes
    ----------
    known : bool
        Whether the name is in the ledger, so that no cap is asked for.
    left, cap : float
        Zero where nothing is known.
    text : str
        For people.
    """

    known: bool
    left: float
    cap: float
    text: str


def names():
    """All names in the ledger; none where there is no ledger, or none that can be read."""
    try:
        return list(_ledger() or [])
    except geodp.GeodpError:
        return []


def balance_of(name, epsilon):
    """The balance under a name, and what a run would leave of it."""
    name = name.strip()
    if not name:
        return _unknown(tr("Without a name nobody adds up what is spent on these points."))
    try:
        ledger = _ledger()
        if ledger is None or name not in ledger:
            return _unknown(tr("This name is new: say how much ε may ever be spent on it."))
        found = ledger[name].statement()
    except geodp.GeodpError as error:
        return Balance(True, 0.0, 0.0, sentence(error))
    left, cap = float(found.left), float(found.cap)
    after = float(found.left - geodp.Budget(epsilon).epsilon)
    if after < 0:
        text = tr("ε = {:g} would pass the cap: {:g} of {:g} is left.").format(epsilon, left, cap)
    else:
        text = tr("{:g} after this map.").format(after)
    if found.unit is not None:
        text += " " + tr("Protected: {}.").format(found.unit)
    return Balance(True, left, cap, text)


def _unknown(text):
    return Balance(False, 0.0, 0.0, text)


def _ledger():
    path = own_ledger()
    return geodp.Ledger(path) if path.exists() else None
