"""Write tables as CSV files that spreadsheets and programs read alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..core.common.atomic import check_target, known_suffix, whole_file
from ..core.common.text import for_spreadsheet
from ..core.common.types import PathLike
from ..core.publish.table import promise_columns, rounded, table_columns
from ..core.releases.published import Published

TABLES = (".csv",)


def to_csv(release: Published, path: PathLike, *, overwrite: bool = False) -> None:
    """Write the cells as a table. See :meth:`geodp.Release.to_csv`."""
    import pandas

    target = Path(path)
    known_suffix(target, TABLES)
    check_target(target, overwrite=overwrite)
    with whole_file(target) as built:
        columns = table_columns(release)
        table = pandas.DataFrame(columns | rounded(columns))
        write_table(table, built, promise_columns(release))


def write_table(table: Any, built: Path, promised: dict[str, Any]) -> None:
    """Write rows with columns at their end that say what is promised.

    The first bytes say that it is UTF-8, which Excel does not know otherwise, and no text is left
    that a spreadsheet would take for a formula.

    Parameters
    ----------
    table : DataFrame
        The rows.
    built : Path
        File to write.
    promised : dict
        Names and values of the columns at the end.
    """
    table = table.drop(columns=[name for name in promised if name in table]).assign(**promised)
    for name in table.columns:
        if not _is_plain(table[name]):
            table[name] = table[name].astype(object).map(_harmless)
    named = table.rename(columns=_harmless)
    named.to_csv(built, index=False, encoding="utf-8-sig")


def _is_plain(values: Any) -> bool:
    """Tell whether no value can be text: numbers, truth values, dates."""
    return getattr(values.dtype, "kind", "O") in "biufmM"


def _harmless(value: Any) -> Any:
    return for_spreadsheet(value) if isinstance(value, str) else value
