"""Options that divide records into groups, and what they are turned into."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from .options import with_options

if TYPE_CHECKING:
    from ..core.records.divisions import Division

_OPTIONS = (
    click.option(
        "--by",
        multiple=True,
        help="Field that says which group a record is in; several are crossed. All share epsilon.",
    ),
    click.option(
        "--categories",
        multiple=True,
        help="Public list of the field's values: theft,assault; with several fields kind=theft,….",
    ),
    click.option(
        "--breaks",
        multiple=True,
        help="Or limits: numbers (0,6,12), dates (2024-01-01,…), times (06:00,…), Mon,Sat,Mon; or "
        "hourly, weekday, 'monthly 2024-01 to 2024-12', 'yearly 2020 to 2024'.",
    ),
    click.option("--other", help="Name of a group for all other records; they are dropped else."),
)


def group_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that divide records into groups."""
    return with_options(command, _OPTIONS)


def groups_given(given: dict[str, Any]) -> list[Division] | None:
    """Return what divides the records, by the options, if anything does."""
    from ..core.records.divisions import divisions
    from ..core.records.groups import split_lists

    fields = list(given["by"])
    lists = {name: split_lists(name, given[name], fields) for name in ("categories", "breaks")}
    return divisions(fields, lists["categories"], lists["breaks"], given["other"])
