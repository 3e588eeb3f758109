"""Turn errors of all commands into sentences, and load a command when it is called."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from ..core.common.errors import GeodpError
from ..core.common.text import for_terminal
from .words import in_options

COMMANDS = {
    "release": "Count POINTS in privately chosen cells and write the noisy counts.",
    "check": "Look privately whether POINTS are read rightly.",
    "plan": "Say what error to expect, before anything is spent.",
    "grids": "List the cells that a release can have.",
    "query": "Estimate the records in each of REGIONS, with error bars.",
    "change": "Subtract one release from a later one, with error bars.",
    "info": "Say what a written release promises and how far to trust it.",
    "registry": "Write what a public register asks about a release, as YAML.",
    "verify": "Add ε up again from the numbers of a written release.",
    "demo": "Make a first release from the sample data, with a map and a report.",
    "ledger": "Keep count of what was spent on each dataset, up to a cap.",
    "audit": "Attack the installed software, to see if it holds.",
}
"""Commands and their help in short, so that listing them imports none."""

SETTINGS = {"help_option_names": ["-h", "--help"]}
"""For groups that can be called by themselves; their commands have the same."""


class Refusal(click.ClickException):
    """Print one sentence on the error stream and exit with code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(for_terminal(message))


class Commands(click.Group):
    """Group commands whose errors are sentences."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _sentences():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _sentences():
            return super().invoke(ctx)


class CommandTree(Commands):
    """List the commands of ``geodp``, and import each when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            if ctx.resilient_parsing:  # the shell completes words, and shows no errors
                return None
            from difflib import get_close_matches

            close = get_close_matches(name, COMMANDS, 1)
            guess = f"did you mean {close[0]!r}? See" if close else "see"
            raise Refusal(f"there is no command {name!r}; {guess} 'geodp --help'.")
        command: click.Command = getattr(import_module(f"geodp.cli.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn what goes wrong into one sentence, in the words of the command line."""
    try:
        yield
    except GeodpError as error:
        raise Refusal(in_options(str(error))) from None
    except click.UsageError as error:
        if error.ctx is None or isinstance(error, click.exceptions.NoArgsIsHelpError):
            raise  # a group without a command shows its help
        sentence = error.format_message().rstrip(".").replace("'. (Did you", "' (did you")
        raise Refusal(f"{sentence}: see '{error.ctx.command_path} --help'.") from None
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader of a pipe has gone: click knows what to do
            raise
        reason = error.strerror or "the system refuses it"
        raise Refusal(f"a file cannot be read or written: {reason}.") from None
