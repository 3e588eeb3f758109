"""Private maps of where people were.

A guided tour, in the order of the data::

    Domain            the public rectangle and its CRS
    candidate_grids   cell sizes to choose from          Grid     one of them
    Workload          regions that should come out well
    Adaptive, Regular, Districts, Hexagons, H3           kinds of cells to ask for
    Choice            one of several of them, chosen privately
    Categories, Breaks                                   what divides records: kinds, hours, years
    Amount            what records carry, for sums and means
    read_points       files, frames and arrays of points
    read_sql          points in a database
    Record, Feature, Person                              what is protected
    Ledger            what was spent on a dataset, and a cap on it
    forecast          what error to expect, before anything is spent
    release           points in, a private Release out   Budget   how much ε, exactly
    Release.query     counts in regions with error bars
    release - earlier, release / earlier                 what changed, with its error
    Release.to_geotiff, to_vector, to_report, plot       open_release   a file is a release again
    verify            ε, added up again from what was published

``Influence`` and ``E2EPriv`` are the two ways to choose a grid; errors are ``GeodpError`` and its
children.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .core.common.errors import CrsError, FileError, GeodpError, InputError
    from .core.common.version import __version__
    from .core.estimates.answers import AmountAnswers, Answers
    from .core.forecasts.district_forecast import DistrictForecast
    from .core.forecasts.forecast import forecast
    from .core.forecasts.forecast_table import Forecast, Outlook
    from .core.mechanisms.tuners import E2EPriv, Influence
    from .core.pipeline.choice_kind import Choice
    from .core.pipeline.district_kind import Districts
    from .core.pipeline.h3_kind import H3
    from .core.pipeline.hexagon_kind import Hexagons
    from .core.pipeline.kinds import Adaptive, Regular
    from .core.pipeline.pipeline import release
    from .core.privacy.account import Account
    from .core.privacy.budget import Budget, Spend
    from .core.privacy.ledger import Ledger
    from .core.privacy.protection import Feature, Person, Record
    from .core.privacy.unit import Unit
    from .core.records.amounts import Amount
    from .core.records.divisions import Breaks, Categories
    from .core.records.source import PointSource
    from .core.regions.workload import Workload
    from .core.releases.about import About
    from .core.releases.difference import Difference
    from .core.releases.published import Method
    from .core.releases.release import Release
    from .core.releases.release_set import ReleaseSet, open_release
    from .core.releases.verification import Verification, verify
    from .core.space.domain import Crs, Domain
    from .core.space.grid import Grid, candidate_grids
    from .core.space.support import Support
    from .sources import read_points, read_sql

__all__ = [
    "About",
    "Account",
    "Adaptive",
    "Amount",
    "AmountAnswers",
    "Answers",
    "Breaks",
    "Budget",
    "Categories",
    "Choice",
    "Crs",
    "CrsError",
    "Difference",
    "DistrictForecast",
    "Districts",
    "Domain",
    "E2EPriv",
    "Feature",
    "FileError",
    "Forecast",
    "GeodpError",
    "Grid",
    "H3",
    "Hexagons",
    "Influence",
    "InputError",
    "Ledger",
    "Method",
    "Outlook",
    "Person",
    "PointSource",
    "Record",
    "Regular",
    "Release",
    "ReleaseSet",
    "Spend",
    "Support",
    "Unit",
    "Verification",
    "Workload",
    "__version__",
    "candidate_grids",
    "forecast",
    "open_release",
    "read_points",
    "read_sql",
    "release",
    "verify",
]

_MODULES = {
    "core.common.errors": "CrsError FileError GeodpError InputError",
    "core.common.version": "__version__",
    "core.estimates.answers": "AmountAnswers Answers",
    "core.forecasts.district_forecast": "DistrictForecast",
    "core.forecasts.forecast": "forecast",
    "core.forecasts.forecast_table": "Forecast Outlook",
    "core.mechanisms.tuners": "E2EPriv Influence",
    "core.pipeline.choice_kind": "Choice",
    "core.pipeline.district_kind": "Districts",
    "core.pipeline.h3_kind": "H3",
    "core.pipeline.hexagon_kind": "Hexagons",
    "core.pipeline.kinds": "Adaptive Regular",
    "core.pipeline.pipeline": "release",
    "core.privacy.account": "Account",
    "core.privacy.budget": "Budget Spend",
    "core.privacy.ledger": "Ledger",
    "core.privacy.protection": "Feature Person Record",
    "core.privacy.unit": "Unit",
    "core.records.amounts": "Amount",
    "core.records.divisions": "Breaks Categories",
    "core.records.source": "PointSource",
    "core.regions.workload": "Workload",
    "core.releases.about": "About",
    "core.releases.difference": "Difference",
    "core.releases.published": "Method",
    "core.releases.release": "Release",
    "core.releases.release_set": "ReleaseSet open_release",
    "core.releases.verification": "Verification verify",
    "core.space.domain": "Crs Domain",
    "core.space.grid": "Grid candidate_grids",
    "core.space.support": "Support",
    "sources": "read_points read_sql",
}
"""Public names by the module that defines them, imported when one of them is first used."""

if not TYPE_CHECKING:  # type checkers read the imports above, and would take any name from here

    def __getattr__(name: str) -> object:
        for module, names in _MODULES.items():
            if name in names.split():
                value = getattr(import_module(f".{module}", __name__), name)
                globals()[name] = value  # from now on, Python finds it without asking here
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
