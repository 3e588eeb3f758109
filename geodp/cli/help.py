"""Show the options of a command in sections, where there are too many for one list."""

from __future__ import annotations

from typing import Any

import click

SECTIONS = {
    "What, and how private": ("epsilon", "epsilons", "outputs", "expected"),
    "Where: --districts, or --bounds and --crs": (
        *("districts", "district_name", "levels", "bounds", "crs", "snap", "within"),
    ),
    "Reading files": (
        *("x", "y", "points_crs", "layer", "sql", "decimal", "separator", "encoding"),
        *("date_format", "scheduler"),
    ),
    "Cells: adaptive, unless other ones are asked for": (
        *("cells", "resolution", "district_share", "candidate", "hexagons", "h3"),
        *("h3_integers", "sizes", "cell_sizes", "regions", "tuner", "tuning_share", "unevenness"),
    ),
    "People": ("one_each", "person", "max_records", "place", "visits", "neighbours"),
    "Groups": ("by", "categories", "breaks", "other"),
    "Sums and means": ("amount", "between", "unit", "label", "per_person"),
    "Page and maps": (
        *("report", "language", "boundary", "view", "grey", "labels", "insets", "north"),
        *("width", "dpi", "font"),
    ),
    "Words on page, maps and files": (
        *("title", "subject", "source", "publisher", "licence", "date"),
    ),
    "Rasters and dots": ("pixel", "density", "clamped", "smooth", "dots"),
    "Budget over time": ("ledger", "dataset"),
}
"""Names of parameters below the title of their section; all others come last."""

_REST = "Others"


class Sectioned(click.Command):
    """Show options in sections.

    Parameters
    ----------
    first : tuple of str
        Parameters that this command has in its first section.
    """

    def __init__(self, *args: Any, first: tuple[str, ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.first = first

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = {str(param.name): param for param in self.get_params(ctx)}
        shown = {
            name: record
            for name, option in options.items()
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx))
        }
        for number, (title, names) in enumerate([*SECTIONS.items(), (_REST, tuple(shown))]):
            these = (*names, *self.first) if number == 0 else names
            records = [shown.pop(name) for name in these if name in shown]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
