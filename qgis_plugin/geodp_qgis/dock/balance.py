# SPDX-License-Identifier: GPL-2.0-or-later
"""What the ledger says of the points: what is left for them, in words. Reads the ledger alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..algorithms.accounts import own_ledger, usual_cap, usual_name
from ..algorithms.base import sentence
from ..algorithms.people import protection_of
from ..algorithms.spending import spent_before, unit_in_words
from ..library import geodp
from ..messages import number
from ..translation import tr


class Account(NamedTuple):
    """What the ledger knows under a name.

    Attributes
    ----------
    statement : Statement or None
        Cap, unit and spends.
    text : str
        What is to be said where there is none.
    is_new : bool
        Whether a cap is needed.
    """

    statement: Any = None
    text: str = ""
    is_new: bool = False


def names():
    """All names in the ledger; none where there is no ledger, or none that can be read."""
    try:
        return list(_ledger() or [])
    except geodp.GeodpError:
        return []


def look_up(name):
    """The account under a name, as it is now."""
    name = name.strip()
    if not name:
        return Account()
    try:
        ledger = _ledger()
        if ledger is None or name not in ledger:
            new = tr("This name is new: say how much ε may ever be spent on it.")
            return Account(text=new, is_new=True)
        return Account(ledger[name].statement())
    except geodp.GeodpError as error:
        return Account(text=sentence(error))


def look_up_layer(layer, person, most):
    """The account of a layer whose data have no name in the ledger."""
    if layer is None:
        return Account()
    if not usual_cap():
        return Account(text=tr("Without a name nobody adds up what is spent on these points."))
    found = look_up(usual_name(layer, protection_of(person or None, most).unit))
    if found.is_new:
        text = tr("Without a name, this layer has an account of its own, with a cap of ε = {:g}.")
        return Account(text=text.format(number(usual_cap())))
    return found


def doubts(account, epsilon):
    """What to ask before more is spent on the same data; empty where nothing is spent yet."""
    found = account.statement
    return spent_before(found, epsilon) if found is not None and found.entries else ""


def in_words(account, epsilon):
    """What a run would leave in an account."""
    found = account.statement
    if found is None:
        return account.text
    after = found.left - geodp.Budget(epsilon).epsilon
    text = tr("{:g} after this map.").format(number(after))
    if after < 0:
        text = tr("ε = {:g} would pass the cap: {:g} of {:g} is left.").format(
            number(epsilon), number(found.left), number(found.cap)
        )
    if found.unit is not None:
        text += " " + tr("Protected: {}.").format(unit_in_words(found.unit))
    return text


def _ledger():
    path = own_ledger()
    return geodp.Ledger(path) if path.exists() else None
