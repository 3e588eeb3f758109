"""``python -m geodp.study NAME`` does what ``geodp study NAME`` does."""

from ..cli.study import study

if __name__ == "__main__":
    study(prog_name="geodp study")
