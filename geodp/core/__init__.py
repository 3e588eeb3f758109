"""The core: from coordinates to published counts, with NumPy and nothing else.

Read it in the order of the data: budget, ledger; domain, axis, grid; workload with overlap and
polygons; noise; canonical and ids (who is the same person), contribution (at most k records of a
person); tally; scores, tuners and selection; release with metadata and answers; pipeline, which
ties them together. The QGIS plugin carries this folder as it is.
"""

from .budget import Budget
from .domain import Crs, Domain
from .errors import CrsError, FileError, GeodpError, InputError
from .grid import candidate_grids
from .ledger import Ledger
from .pipeline import release
from .release import Release
from .version import __version__
from .workload import Workload

__all__ = [
    "Budget",
    "Crs",
    "CrsError",
    "Domain",
    "FileError",
    "GeodpError",
    "InputError",
    "Ledger",
    "Release",
    "Workload",
    "__version__",
    "candidate_grids",
    "release",
]
