"""The command line, called as a test calls it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from geodp.cli import main


def result(*words: object) -> Result:
    """Say what came of a command, whatever it was."""
    return CliRunner().invoke(main, [str(word) for word in words])


def ran(*words: object) -> str:
    """Say what a command that went well has said."""
    done = result(*words)
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: object) -> str:
    """Say what a command that was refused has said."""
    done = result(*words)
    assert done.exit_code == 2, done.output
    return done.output
