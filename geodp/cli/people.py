"""Options that say who is protected and what is added up, and what they are turned into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from .group import Refusal
from .options import NEIGHBOURS, option_name, with_options

if TYPE_CHECKING:
    from ..core.privacy.protection import Protection
    from ..core.records.amounts import Amount

_OPTIONS = (
    click.option("--one-each", is_flag=True, help="Nobody has more than one record: do not ask."),
    click.option("--person", help="Field that says whose record it is: people count."),
    click.option(
        "--max-records",
        type=int,
        help="As how many records a person may count; without --person, points of a feature.",
    ),
    click.option("--place", help="Count each person once, where most records are: most-frequent."),
    click.option("--visits", type=int, help="Count visitors of each cell, a person in so many."),
    click.option("--amount", help="Field to add up: also publish sums and means, with --between."),
    click.option(
        "--between",
        nargs=2,
        metavar="LOW HIGH",
        help="Public bounds of the amount: what lies beyond counts as the bound.",
    ),
    click.option("--unit", help="Smallest step of the amount that is told apart, such as 1."),
    click.option("--label", help="What the amount is in, for words: EUR."),
    click.option(
        "--per-person", is_flag=True, help="The upper bound is one of each person's total amount."
    ),
    NEIGHBOURS,
)


def people_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of protection and amounts, alike for all that have them."""
    return with_options(command, _OPTIONS)


def check_people(given: Mapping[str, Any]) -> None:
    """Refuse options that do not go together, before anything is opened."""
    if given["one_each"] and given["person"]:
        raise Refusal("--one-each and --person exclude each other; give one of them.")
    for name in ("place", "visits"):
        if given[name] is not None and not given["person"]:
            raise Refusal(f"--{name} is about people; name the field that tells them by --person.")
    for name in ("per_person", "unit", "label"):
        if given[name] and given["amount"] is None and given["between"] is None:
            raise Refusal(
                f"{option_name(name)} is about amounts; name their field with --amount, and their "
                "bounds with --between."
            )


def protection_given(given: Mapping[str, Any]) -> Protection:
    """Return what the options ask to protect."""
    from ..core.privacy.protection import Feature, Person, Record

    most, relation = given["max_records"], given["neighbours"]
    if given["person"]:
        place = None if given["place"] is None else given["place"].replace("-", " ")
        return Person(given["person"], most, relation, place, given["visits"])
    if most is not None:
        return Feature(most, neighbours=relation)
    return Record(neighbours=relation)


def amount_given(given: Mapping[str, Any]) -> Amount | None:
    """Return what the options ask to add up, if anything; its field may be left open."""
    from ..core.records.amounts import Amount

    if given["between"] is None:
        return None
    low, high = given["between"]
    return Amount(
        given["amount"] or "amount",
        low,
        high,
        unit=given["unit"],
        label=given["label"] or "",
        per_person=given["per_person"],
    )
