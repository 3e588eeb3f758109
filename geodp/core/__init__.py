"""The core: from coordinates to published counts, with NumPy and nothing else.

Read it in the order of the data: budget, account, ledger; domain, axis, grid; workload with
overlap, polygons and locator; noise; canonical and ids (who is the same person), contribution (at
most k records of a person); tally; scores, tuners, shares and selection; release with describe,
metadata and answers; source (where points come from) and pipeline, which ties them together. The
QGIS plugin carries this folder as it is.
"""

from .account import Account
from .budget import Budget
from .domain import Crs, Domain
from .errors import CrsError, FileError, GeodpError, InputError
from .grid import candidate_grids
from .ledger import Ledger
from .pipeline import release
from .release import Release
from .unit import Unit
from .version import __version__
from .workload import Workload

__all__ = [
    "Account",
    "Budget",
    "Crs",
    "CrsError",
    "Domain",
    "FileError",
    "GeodpError",
    "InputError",
    "Ledger",
    "Release",
    "Unit",
    "Workload",
    "__version__",
    "candidate_grids",
    "release",
]
