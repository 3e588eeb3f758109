# SPDX-License-Identifier: GPL-2.0-or-later
"""Say what the ledger has left for the points, in words. Reads the ledger alone."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..algorithms.accounts import usual_cap, usual_ledger, usual_name
from ..algorithms.base import sentence
from ..algorithms.people import chosen_protection
from ..algorithms.spending import spent_before, unit_in_words
from ..library import geodp
from ..messages import number
from ..translation import tr


class Account(NamedTuple):
    """Hold what the ledger knows under a name.

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
    """List all names in the ledger; none where there is no ledger, or none that can be read."""
    try:
        return list(_ledger() or [])
    except geodp.GeodpError:
        return []


def look_up(name):
    """Look up the account under a name, as it is now."""
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
    """Look up the account of a layer whose data have no name in the ledger."""
    if layer is None:
        return Account()
    if not usual_cap():
        return Account(text=tr("Without a name nobody adds up what is spent on these points."))
    account = look_up(usual_name(layer, chosen_protection(person or None, most).unit))
    if account.is_new:
        text = tr("Without a name, this layer has an account of its own, with a cap of ε = {:g}.")
        return Account(text=text.format(number(usual_cap())))
    return account


def doubts(account, epsilon):
    """Word the question before more is spent on the same data; empty where nothing is yet."""
    statement = account.statement
    return spent_before(statement, epsilon) if statement is not None and statement.entries else ""


def in_words(account, epsilon):
    """Return what a run would leave in an account."""
    statement = account.statement
    if statement is None:
        return account.text
    after = statement.left - geodp.Budget(epsilon).epsilon
    text = tr("{:g} after this map.").format(number(after))
    if after < 0:
        text = tr("ε = {:g} would pass the cap: {:g} of {:g} is left.").format(
            number(epsilon), number(statement.left), number(statement.cap)
        )
    if statement.unit is not None:
        text += " " + tr("Protected: {}.").format(unit_in_words(statement.unit))
    return text


def _ledger():
    path = usual_ledger()
    return geodp.Ledger(path) if path.exists() else None
