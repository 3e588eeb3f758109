"""Private maps of where people were.

A guided tour, in the order of the data::

    Domain            the public rectangle and its CRS
    candidate_grids   cell sizes to choose from          Grid     one of them
    Workload          regions that should come out well
    release           points in, a private Release out   Budget   how much ε, exactly
    Release.query     counts in regions with error bars
    Release.to_geotiff, to_vector, to_report, plot       open_release   a file is a release again
    Ledger            what was spent on a dataset, and a cap on it

``Influence`` and ``E2EPriv`` are the two ways to choose a grid; errors are ``GeodpError`` and its
children.
"""

from .core.answers import Answers
from .core.budget import Budget, Spend
from .core.domain import Crs, Domain
from .core.errors import CrsError, FileError, GeodpError, InputError
from .core.grid import Grid, candidate_grids
from .core.ledger import Ledger
from .core.pipeline import release
from .core.release import Method, Release, open_release
from .core.tuners import E2EPriv, Influence
from .core.version import __version__
from .core.workload import Workload

__all__ = [
    "Answers",
    "Budget",
    "Crs",
    "CrsError",
    "Domain",
    "E2EPriv",
    "FileError",
    "GeodpError",
    "Grid",
    "Influence",
    "InputError",
    "Ledger",
    "Method",
    "Release",
    "Spend",
    "Workload",
    "__version__",
    "candidate_grids",
    "open_release",
    "release",
]
