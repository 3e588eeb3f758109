"""Say how points stand in files and databases, in options of the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from .group import Refusal
from .options import option_name, with_options

_WITH_GEOMETRY = (".gpkg", ".shp", ".geojson", ".json", ".fgb", ".kml", ".gml")

_OPTIONS = (
    click.option("--x", help="Column of x coordinates in a table, such as a CSV file."),
    click.option("--y", help="Column of y coordinates."),
    click.option("--points-crs", help="CRS of x and y, or of a layer that states none."),
    click.option("--layer", help="Layer of a points file that holds several; table of a database."),
    click.option("--sql", help="Query of a database."),
    click.option("--decimal", help="Decimal mark of a text file: . (default, not beside ;) or ,"),
    click.option("--separator", help="What separates fields of a text file: ; or , or tab."),
    click.option("--encoding", help="What a text file is in: utf-8 (default), cp1252, …"),
    click.option("--date-format", help="How dates stand in a text file: %d.%m.%Y, %m/%d/%Y %H:%M."),
)


def points_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how points stand."""
    return with_options(command, _OPTIONS)


def columns_alone(given: dict[str, Any]) -> str | None:
    """List the columns of a text file where those of coordinates are not named yet."""
    from ..sources.encodings import checked_encoding
    from ..sources.opening import checked_path, path_kind
    from ..sources.text import text_columns

    words: tuple[str, ...] = given["points"]
    if {path_kind(word) for word in words} != {"text"} or given["x"] or given["y"]:
        return None
    path = checked_path(words[0])
    if path.is_dir():
        return None
    codec = checked_encoding(given["encoding"] or "utf-8")
    names = text_columns(path, _mark(given["separator"]), given["decimal"] or ".", codec)
    sentence = f"Columns: {', '.join(names)}. Name those of coordinates: --x, --y and --points-crs."
    if any("\ufffd" in name for name in names):
        sentence += (
            f"\nThe first line is not in {codec.upper()}: say what it is in with --encoding, such "
            "as cp1252 for files of Windows."
        )
    return sentence


def points_given(given: dict[str, Any]) -> Any:
    """Open a database or files, as the options say that they are to be read."""
    from ..sources import read_points, read_sql
    from ..sources.opening import checked_path, path_kind

    words: tuple[str, ...] = given["points"]
    kinds = {path_kind(word) for word in words}
    where = {"x": given["x"], "y": given["y"], "crs": given["points_crs"]}
    text = {
        "decimal": given["decimal"],
        "separator": _mark(given["separator"]),
        "encoding": given["encoding"],
        "date_format": given["date_format"],
    }
    if kinds & {"postgres", "duckdb"}:
        if len(words) > 1:
            raise Refusal("POINTS is one database or several files; give one database alone.")
        if (given["sql"] is None) == (given["layer"] is None):
            raise Refusal("a database needs --sql or --layer; give one of them, not both.")
        for name, value in text.items():
            if value is not None:
                raise Refusal(
                    f"{option_name(name)} is for text files; POINTS is a database: leave it out."
                )
        if given.get("scheduler"):
            raise Refusal("--scheduler counts files; POINTS is a database: leave it out.")
        return read_sql(words[0], given["sql"], table=given["layer"], **where)
    if given["sql"]:
        raise Refusal("--sql goes with a database; POINTS is none: leave it out.")
    if kinds == {"text"} and None in where.values():
        for word in words:
            checked_path(word)  # a name that is misspelt is said first
        names = ("--x", "--y", "--points-crs")
        missing = ", ".join(name for name, value in zip(names, where.values()) if value is None)
        raise Refusal(
            f"a CSV file needs --x, --y and --points-crs; missing: {missing}. 'geodp check' lists "
            "its columns, and longitude and latitude have the CRS EPSG:4326."
        )
    if given["x"] and words[0].lower().endswith(_WITH_GEOMETRY):
        raise Refusal("--x and --y name columns of a table; POINTS has geometries: leave them out.")
    options = {"layer": given["layer"], "scheduler": given.get("scheduler")}
    return read_points(list(words), **where, **text, **options)


def _mark(word: str | None) -> str | None:
    """Read a separator as people can type it."""
    return "\t" if word in ("tab", "\\t") else word
