"""Run the command line as ``python -m geodp``."""

from .cli import main

main(prog_name="geodp")
