"""Private maps of where people were.

A guided tour, in the order of the data::

    Domain            the public rectangle and its CRS
    candidate_grids   cell sizes to choose from          Grid     one of them
    Workload          regions that should come out well
    read_points       files, frames and arrays of points
    read_sql          points in a database
    Record, Feature, Person                              what is protected
    Ledger            what was spent on a dataset, and a cap on it
    forecast          what error to expect, before anything is spent
    release           points in, a private Release out   Budget   how much ε, exactly
    Release.query     counts in regions with error bars
    Release.to_geotiff, to_vector, to_report, plot       open_release   a file is a release again

``Influence`` and ``E2EPriv`` are the two ways to choose a grid; errors are ``GeodpError`` and its
children.
"""

from .core.about import About
from .core.account import Account
from .core.answers import Answers
from .core.budget import Budget, Spend
from .core.difference import Difference
from .core.domain import Crs, Domain
from .core.errors import CrsError, FileError, GeodpError, InputError
from .core.forecast import forecast
from .core.grid import Grid, candidate_grids
from .core.layered import Layered
from .core.ledger import Ledger
from .core.outlook import Forecast, Outlook
from .core.pipeline import release
from .core.protection import Feature, Person, Record
from .core.release import Method, Release, open_release
from .core.source import PointSource
from .core.support import Support
from .core.tuners import E2EPriv, Influence
from .core.unit import Unit
from .core.version import __version__
from .core.workload import Workload
from .sources import read_points, read_sql

__all__ = [
    "About",
    "Account",
    "Answers",
    "Budget",
    "Crs",
    "CrsError",
    "Difference",
    "Domain",
    "E2EPriv",
    "Feature",
    "FileError",
    "Forecast",
    "GeodpError",
    "Grid",
    "Influence",
    "InputError",
    "Layered",
    "Ledger",
    "Method",
    "Outlook",
    "Person",
    "PointSource",
    "Record",
    "Release",
    "Spend",
    "Support",
    "Unit",
    "Workload",
    "__version__",
    "candidate_grids",
    "forecast",
    "open_release",
    "read_points",
    "read_sql",
    "release",
]
