"""The command line: each command parses, makes one library call, prints.

One file for each command, imported when it is called; libraries are imported inside the commands,
so that ``geodp --help`` answers at once.
"""

from __future__ import annotations

import click

from ..core.common.version import __version__
from .group import SETTINGS, CommandTree


@click.group(cls=CommandTree, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="geodp")
def main() -> None:
    """Publish maps of counts without giving anybody away.

    \b
    Begin with:    geodp demo
    Your own data: geodp release --help
    """
