"""How the command line behaves as a whole: errors are sentences, help comes at once."""

from __future__ import annotations

import errno
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from ..core.errors import GeodpError

LATER = {
    "ledger": ("geodp.cli.privacy", "ledger", "Keep count of what was spent on each dataset."),
    "audit": ("geodp.cli.privacy", "audit", "Attack the installed software, to see if it holds."),
    "study": ("geodp.study.cli", "study", "Repeat the experiments behind geodp."),
}
"""Command groups that are imported when called: module, name in it, help."""


class Refusal(click.ClickException):
    """One sentence on the error stream and exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """Commands whose errors are sentences, some of them loaded only when called."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GeodpError as error:
            raise Refusal(_in_options(str(error))) from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of a pipe has gone: click knows what to do
                raise
            raise Refusal(f"a file cannot be read or written: {error.strerror}.") from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        later = [name for name, (module, _, _) in LATER.items() if _is_there(module)]
        return [*super().list_commands(ctx), *later]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in LATER and _is_there(LATER[name][0]):
            module, attribute, _ = LATER[name]
            found: click.Command = getattr(import_module(module), attribute)
            return found
        return super().get_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._words(name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _words(self, name: str) -> str:
        """First sentence of a command's help, without importing what is for later."""
        command = self.commands.get(name)
        return command.get_short_help_str(limit=80) if command else LATER[name][2]


def _in_options(sentence: str) -> str:
    """A sentence of the library with the words of the command line."""
    return sentence.replace("overwrite=True", "--force")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
