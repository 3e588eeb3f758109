"""``python -m study NAME``, in a checkout."""

from .commands import study

if __name__ == "__main__":
    study(prog_name="python -m study")
