"""The public rectangle that a release speaks about, and its coordinate system.

Nothing here is ever read off the points: a bounding box tells where the outermost people were.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..common.errors import CrsError, InputError
from ..common.types import as_positive
from .support import Support

_CODE = re.compile(
    r"(?!(?:https?|ftp|file|init|urn):)[a-z][a-z0-9_]{0,30}:[a-z0-9_.]{1,30}(\+[0-9]{1,30})?",
    re.IGNORECASE,
)
"""Code of an authority, such as EPSG:5070, or two for place and height."""

_WKT = re.compile(r"[A-Z][A-Z0-9_]{4,30}\[")

_OUTSIDE = re.compile(r"PARAMETERFILE|/vsi|\+init|grids\s*=\s*(?!@null\b)", re.IGNORECASE)
"""What leads PROJ from WKT to files, or into the network."""

_LONGEST_WKT = 1 << 16


_MOST_METRES = 1e6
"""Metres that a unit may be long, and one over it how short: a degree has 111,320."""


@dataclass(frozen=True)
class Crs:
    """The few facts about a coordinate system that counting needs.

    The core of geodp works without pyproj: a host that knows its coordinate systems, such as
    QGIS, fills in the facts; everyone else lets :meth:`of` look them up.

    Attributes
    ----------
    name : str
        Authority code such as ``"EPSG:5070"``, or WKT where there is none.
    geographic : bool
        Whether the axes are angles.
    metres_per_unit : float
        Length of one unit of the axes (meaningless for angles).

    Examples
    --------
    >>> Crs("EPSG:2263", metres_per_unit=0.3048006096)
    Crs(name='EPSG:2263', geographic=False, metres_per_unit=0.3048006096)
    """

    name: str
    geographic: bool = False
    metres_per_unit: float = 1.0

    @property
    def short(self) -> str:
        """Return a code as it is; of WKT, the name in its first quotation marks.

        Examples
        --------
        >>> Crs('PROJCRS["A plane of our own",BASEGEOGCRS["WGS 84"]]').short
        'A plane of our own'
        """
        return self.name.split('"')[1] if self.name.count('"') > 1 else self.name

    @classmethod
    def from_file(cls, name: object, geographic: bool, metres_per_unit: float) -> Crs:
        """Take the facts that a file states, which may be a stranger's.

        A name goes to libraries that also take addresses, paths and lists of PROJ's own commands;
        here it is the code of an authority, or WKT that names no files.

        Examples
        --------
        >>> Crs.from_file("EPSG:5070", False, 1.0).name
        'EPSG:5070'
        >>> Crs.from_file("http://example.org/crs", False, 1.0)
        Traceback (most recent call last):
            ...
        geodp.core.common.errors.CrsError: a file names its CRS by the code of an authority or ...
        """
        if not isinstance(name, str) or not (_CODE.fullmatch(name) or _is_wkt(name)):
            raise CrsError(
                "a file names its CRS by the code of an authority or as WKT; this one does not: "
                "get the original file."
            )
        if not 1 / _MOST_METRES <= metres_per_unit <= _MOST_METRES:
            raise CrsError("a unit of a CRS is of a size for maps; that of this file is not.")
        return cls(name, geographic, metres_per_unit)

    @classmethod
    def of(cls, value: Any) -> Crs:
        """Look up anything that pyproj understands: a code, WKT, a PROJ string, a pyproj CRS.

        Examples
        --------
        >>> Crs.of("EPSG:5070").name
        'EPSG:5070'
        """
        if isinstance(value, Crs):
            return value
        if value is None or value == "":
            raise CrsError(
                "a coordinate reference system is needed; none was given: "
                "name the one that the coordinates are in, for example 'EPSG:5070'."
            )
        try:
            from pyproj import CRS
            from pyproj.exceptions import CRSError
        except ImportError:
            raise CrsError(
                f"looking up {value!r} needs pyproj, which is not installed: "
                "pass a `geodp.Crs` with its facts instead."
            ) from None

        try:
            crs = CRS.from_user_input(value)
        except CRSError:
            raise CrsError(
                f"the coordinate reference system must be one that PROJ knows; got {value!r}: "
                "use a code such as 'EPSG:5070'."
            ) from None
        if not (crs.is_geographic or crs.is_projected) and (crs.is_geocentric or crs.is_vertical):
            raise CrsError(
                "the coordinate reference system must have places on a map; "
                f"{crs.name} is {'vertical' if crs.is_vertical else 'geocentric'}: name another."
            )
        authority = crs.to_authority(min_confidence=100)
        name = ":".join(authority) if authority else crs.to_wkt()
        axes = crs.axis_info
        factor = axes[0].unit_conversion_factor if axes else 1.0
        return cls(name, crs.is_geographic, float(factor))


def _is_wkt(text: str) -> bool:
    """Tell whether it is WKT by its brackets, on one line, and names no files."""
    if len(text) > _LONGEST_WKT or not text.isprintable() or not _WKT.match(text):
        return False
    # In WKT a quotation mark inside a text is written twice, so that what is left has none.
    bare, depth = re.sub(r'"[^"]*"', "", text), 0
    for mark in re.findall(r"[\[\]\"]", bare):
        depth += {"[": 1, "]": -1, '"': -_LONGEST_WKT}[mark]
        if depth < 0:
            return False
    return depth == 0 and text.endswith("]") and not _OUTSIDE.search(text)


@dataclass(frozen=True, repr=False)
class Domain:
    """A rectangle in a projected coordinate system: the public frame of a release.

    A point on the right or upper edge still belongs to the domain. Everything outside is dropped
    without a word, because how many points lie outside is private too.

    Parameters
    ----------
    bounds : tuple of float
        ``(xmin, ymin, xmax, ymax)`` in units of the CRS. Choose them from public knowledge (a
        city, a country, a round box), never from the points.
    crs
        Anything that pyproj understands, or a :class:`Crs`.
    within : GeoDataFrame, GeoSeries, path or Support, optional
        Where records can be, from public knowledge: polygons in any CRS (land, a jurisdiction), or
        the path of a GeoTIFF with weights (population, built-up share). Points elsewhere are
        dropped, cells elsewhere are not measured, and records are taken as spread over a cell in
        proportion to it.
    resolution : float, optional
        Smallest cell side that makes sense, in CRS units, for example the precision of geocoding:
        neither adaptive cells nor those of the default grids have a shorter one.
    allow_geographic : bool
        Accept a CRS in degrees, where cells of equal size have unequal areas. Meant for studies.

    Examples
    --------
    >>> town = Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> town
    Domain((0.0, 0.0, 4000.0, 3000.0), crs='EPSG:5070')
    >>> town.width, town.height
    (4000.0, 3000.0)
    """

    bounds: tuple[float, float, float, float]
    crs: Crs
    resolution: float | None
    allow_geographic: bool
    within: Support | None

    def __init__(
        self,
        bounds: tuple[float, float, float, float],
        crs: Any,
        *,
        within: Any = None,
        resolution: float | None = None,
        allow_geographic: bool = False,
    ) -> None:
        given = Crs.of(crs)
        if given.geographic and not allow_geographic:
            raise CrsError(
                f"the domain needs a projected CRS, so that cells have equal areas; {given.name} "
                "is geographic (degrees): choose a projected one for your region, such as "
                "EPSG:5070 for the US, EPSG:3035 for Europe or your UTM zone."
            )
        if resolution is not None and as_positive(resolution) is None:
            raise InputError(f"resolution must be a positive number; got {resolution!r}.")
        object.__setattr__(self, "bounds", _checked(bounds))
        object.__setattr__(self, "crs", given)
        object.__setattr__(self, "resolution", None if resolution is None else float(resolution))
        object.__setattr__(self, "allow_geographic", bool(allow_geographic))
        object.__setattr__(self, "within", None)
        if within is not None:
            object.__setattr__(self, "within", _support(within, self))

    def __repr__(self) -> str:
        extra = ""
        if self.within is not None:  # its digest tells two alike apart
            share, digest = 100 * self.within.share, self.within.digest[:6]
            extra = f", within=<{share:.3g} %, {digest}>"
        extra += "" if self.resolution is None else f", resolution={self.resolution!r}"
        extra += ", allow_geographic=True" if self.allow_geographic else ""
        return f"Domain({self.bounds!r}, crs={self.crs.name!r}{extra})"

    def snapped(self, size: float, *, within: Any = None) -> Domain:
        """Return the domain with its bounds moved outwards to whole multiples of a size.

        Cells of that size then have their corners where everyone else's have them, as in official
        grids; bounds that are round already stay as they are.

        Parameters
        ----------
        size : float
            In units of the CRS, for example 1000 for squares of a kilometre.
        within : GeoDataFrame, GeoSeries, path or Support, optional
            Where records can be, on the larger rectangle.

        Examples
        --------
        >>> Domain((4334200, 2684900, 4341000, 2690001), crs="EPSG:3035").snapped(1000).bounds
        (4334000.0, 2684000.0, 4341000.0, 2691000.0)
        """
        if as_positive(size) is None:
            raise InputError(f"a size to snap to must be a positive number; got {size!r}.")
        if self.within is not None:
            raise InputError(
                "a domain is snapped before it is said within what records can be; this one has "
                "`within` already: pass it to `snapped` instead."
            )
        step = Fraction(float(size))
        low = [float(step * math.floor(Fraction(bound) / step)) for bound in self.bounds[:2]]
        high = [float(step * math.ceil(Fraction(bound) / step)) for bound in self.bounds[2:]]
        return Domain(
            (low[0], low[1], high[0], high[1]),
            self.crs,
            within=within,
            resolution=self.resolution,
            allow_geographic=self.allow_geographic,
        )

    @property
    def width(self) -> float:
        """Return the extent from west to east, in CRS units."""
        return self.bounds[2] - self.bounds[0]

    @property
    def height(self) -> float:
        """Return the extent from south to north, in CRS units."""
        return self.bounds[3] - self.bounds[1]

    @property
    def area(self) -> float:
        """Return the area in squared CRS units."""
        return self.width * self.height


def checked_domain(value: Any) -> Domain:
    """Return a domain as it is, and refuse anything else with a word on how to make one.

    Examples
    --------
    >>> checked_domain((0, 0, 1, 1))
    Traceback (most recent call last):
    geodp.core.common.errors.InputError: a domain is bounds with a CRS, such as `Domain((0, 0, ...
    """
    if isinstance(value, Domain):
        return value
    # The value is not repeated: it may be the extent of the points, by mistake.
    raise InputError(
        "a domain is bounds with a CRS, such as `Domain((0, 0, 4000, 3000), crs='EPSG:5070')`; "
        f"got {'nothing' if value is None else f'a {type(value).__name__}'}: pass one, or polygons "
        "with `Districts(layer)`."
    )


def _support(within: Any, domain: Domain) -> Support:
    if isinstance(within, Support):
        if within.bounds != domain.bounds:
            raise InputError(
                f"a support must be one of the domain's bounds, {domain.bounds}; got "
                f"{within.bounds}."
            )
        return within
    from ...sources.within import read_within

    return read_within(within, domain)


_FAR = 1e100
"""Coordinates are nearer than this, so that no area or sum of areas can overflow."""


def _checked(bounds: Any) -> tuple[float, float, float, float]:
    try:
        xmin, ymin, xmax, ymax = (float(value) for value in bounds)
    except (TypeError, ValueError):
        raise InputError(
            f"bounds must be four numbers (xmin, ymin, xmax, ymax); got {bounds!r}."
        ) from None
    given = (xmin, ymin, xmax, ymax)
    if not all(abs(value) < _FAR for value in given):
        raise InputError(f"bounds must be finite, and less than {_FAR:g}; got {given}.")
    if not (xmin < xmax and ymin < ymax):
        raise InputError(
            f"bounds must be (xmin, ymin, xmax, ymax), xmin < xmax and ymin < ymax; got {given}."
        )
    return given
