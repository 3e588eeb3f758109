"""Turn coordinates into published counts, with NumPy and nothing else.

The rooms are in the order of the data: common, privacy, space, regions, records, counts, kernel,
mechanisms, estimates, releases, publish. A module imports only from rooms before its own;
docs/architecture.md has every module in its order. The QGIS plugin carries this folder as it is.
"""

from .common.errors import CrsError, FileError, GeodpError, InputError
from .common.version import __version__
from .pipeline.district_kind import Districts
from .pipeline.hexagon_kind import Hexagons
from .pipeline.kinds import Adaptive, Regular
from .pipeline.pipeline import release
from .privacy.account import Account
from .privacy.budget import Budget
from .privacy.ledger import Ledger
from .privacy.unit import Unit
from .records.amounts import Amount
from .records.divisions import Breaks, Categories
from .regions.workload import Workload
from .releases.release import Release
from .space.domain import Crs, Domain
from .space.grid import candidate_grids

__all__ = [
    "Account",
    "Adaptive",
    "Amount",
    "Breaks",
    "Budget",
    "Categories",
    "Crs",
    "CrsError",
    "Districts",
    "Domain",
    "FileError",
    "GeodpError",
    "Hexagons",
    "InputError",
    "Ledger",
    "Regular",
    "Release",
    "Unit",
    "Workload",
    "__version__",
    "candidate_grids",
    "release",
]
