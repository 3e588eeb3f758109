"""Hold releases of several groups on one set of cells, for one ε."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import numpy.typing as npt

from ..cells.cells import Cells
from ..common.errors import InputError
from ..common.types import PathLike
from ..estimates.answers import RELIABLE, AmountAnswers, Answers, checked_level
from ..estimates.fitting import fit
from ..estimates.quantiles import Quantiles, checked_part, quantiles
from ..estimates.queries import ask_ratio, asked_about
from ..estimates.ratios import group_share, noise_terms
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend
from ..records.groups import Groups, slugs
from .about import About
from .published import Method, Published
from .release import Release, group_counts

if TYPE_CHECKING:
    import geopandas
    from matplotlib.axes import Axes

    from .published import Boundary


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseSet(Published, Mapping[str, Release]):
    """Releases of several groups of records on the same cells, by their names: ε is paid once.

    ``releases["theft"]`` is the release of one group, and ``releases.total`` that of all of them
    together, whose noise is that of all. The set is written, drawn and asked about group by group.

    Attributes
    ----------
    cells : Cells
        The cells, which all groups share.
    parts : tuple of Measurements
        What was published about each group; of an amount, above and below of each in turn.
    spends : tuple of Spend
        What each step cost.
    method : Method
        How it was made: the public choices.
    seeded : bool
        Made with a fixed seed: repeatable, and therefore not private.
    about : About
        What its publisher says about it; see :meth:`with_about`.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> crimes = {"x": [100.0, 150.0], "y": [200.0, 250.0], "kind": ["theft", "assault"]}
    >>> by_kind = geodp.Categories("kind", ["theft", "assault"])
    >>> kinds = geodp.release(crimes, town, epsilon=1, cells="regular", by=by_kind)
    >>> list(kinds), len(kinds)
    (['theft', 'assault'], 2)
    >>> bool((sum(one.counts for one in kinds.values()) == kinds.total.counts).all())
    True
    """

    cells: Cells
    parts: tuple[Measurements, ...]
    spends: tuple[Spend, ...]
    method: Method
    seeded: bool = field(default=False)
    about: About = field(default=About())

    def __post_init__(self) -> None:
        layers = 1 if self.method.amount is None else 2
        if self.method.groups is None or len(self.parts) != layers * len(self.method.groups):
            raise InputError("a set of releases needs measurements of each of its groups.")
        self.total.estimate  # noqa: B018 (refuses measurements that are not of these cells)

    def __repr__(self) -> str:
        return repr(self.total).replace("Release(", f"ReleaseSet({len(self):,} groups, ", 1)

    @property
    def _by(self) -> Groups:
        assert self.method.groups is not None
        return self.method.groups

    @property
    def groups(self) -> tuple[str, ...]:
        """Return the names of the groups, in their order."""
        return self._by.names

    @cached_property
    def _releases(self) -> dict[str, Release]:
        return {
            name: self._release(part, replace(self.method, group=name))
            for name, part in zip(self.groups, group_counts(self.parts, self.method))
        }

    def _release(self, measured: Measurements, method: Method) -> Release:
        spends, seeded, about = self.spends, self.seeded, self.about
        return Release(self.cells, measured, spends, method, seeded, about, self.parts)

    @property
    def maps(self) -> Mapping[str, Release]:
        """Return the releases themselves."""
        return self._releases

    @cached_property
    def total(self) -> Release:
        """Return the total over all groups, as a release with error bars of its own."""
        return self._release(Measurements.sum(self.parts), self.method)

    def __getitem__(self, name: Any) -> Release:
        """Return the release of one group: by its name, or by a name for each crossed field."""
        return self._releases[self.groups[self._by.group_index(name)]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def __contains__(self, name: object) -> bool:
        try:
            self._by.group_index(name)
        except InputError:
            return False
        return True

    def get(self, name: Any, default: Any = None) -> Any:
        """Return the release of one group, or a default where there is no such group."""
        try:
            return self[name]
        except InputError:
            return default

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __sub__(self, other: object) -> NoReturn:
        """Refuse: one group is compared with one, or a total with a total."""
        raise InputError(
            "releases are compared one with one; this is a set of groups: take one of them by its "
            "name, or their total."
        )

    __rsub__ = __truediv__ = __rtruediv__ = __sub__

    def query(
        self,
        regions: Any,
        *,
        level: float = 0.95,
        skip_invalid: bool = False,
        density: bool = False,
        total: bool = False,
        per: str | None = None,
        each: float = 1,
        reliable: float = RELIABLE,
        wide: bool = False,
    ) -> geopandas.GeoDataFrame | dict[str, Answers]:
        """Estimate the number of records of each group in regions, with the error to expect.

        Parameters
        ----------
        regions, level, skip_invalid, density, total, per, each, reliable
            As for :meth:`geodp.Release.query`.
        wide : bool
            One row for each region, with columns such as ``estimate_theft``, instead of one row
            for each region and group.

        Returns
        -------
        GeoDataFrame or dict
            One row for each region and group, named in the column ``group``; for boxes, the
            :class:`geodp.Answers` of each group by its name. ``releases.total.query(regions)``
            answers for all groups together.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> releases = geodp.release(
        ...     ([], [], []), town, epsilon=1, by=geodp.Breaks("hour", [0, 12, 24])
        ... )
        >>> list(releases.query([(0, 0, 1000, 1000)]))
        ['0 to 12', '12 to 24']
        """
        asked: Any = asked_about(regions, self.domain, skip_invalid=skip_invalid, total=total)
        options: dict[str, Any] = {"level": level, "density": density, "total": total}
        options |= {"per": per, "each": each, "reliable": reliable}
        answers: dict[str, Any] = {name: one.query(asked, **options) for name, one in self.items()}
        if isinstance(answers[self.groups[0]], (Answers, AmountAnswers)):
            return answers
        frame = _wide(answers) if wide else _long(answers)
        frame.attrs["geodp_counted"] = self.counted
        return frame

    def share(
        self, name: Any, regions: Any = None, *, level: float = 0.95, skip_invalid: bool = False
    ) -> Any:
        """Estimate the share of one group in all of them, with an interval, at no further ε.

        Parameters
        ----------
        name : str
            The group, or a name for each crossed field.
        regions, level, skip_invalid
            As for :meth:`geodp.Release.query`; without regions, the share in every cell.

        Returns
        -------
        GeoDataFrame or Ratios
            The layer with the columns ``share``, ``share_low`` and ``share_high``, or arrays for
            boxes and for cells. Where there may be no records at all the share is NaN, from 0 to 1.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> points = {"x": [100.0] * 90, "y": [100.0] * 90, "kind": ["theft"] * 60 + ["fraud"] * 30}
        >>> kinds = geodp.Categories("kind", ["theft", "fraud"])
        >>> releases = geodp.release(points, town, epsilon=10, by=kinds)
        >>> bool(abs(releases.share("theft", [town.bounds]).ratio[0] - 2 / 3) < 0.1)
        True
        """
        part, rest = self[name].beside_others
        if regions is None:
            group_terms, others = (
                noise_terms(estimate.counts, estimate.variance) for estimate in (part, rest)
            )
            return group_share(group_terms, others, checked_level(level))
        return ask_ratio(
            lambda asked, at: group_share(part.parts(asked), rest.parts(asked), at),
            regions,
            self.domain,
            level=level,
            names=("share", "share_low", "share_high"),
            skip_invalid=skip_invalid,
        )

    def quantile(
        self, regions: Any, part: float = 0.5, *, level: float = 0.95, skip_invalid: bool = False
    ) -> Any:
        """Estimate a quantile of the field that breaks divide, with an interval, at no further ε.

        Records outside of all breaks are not among those that it is a quantile of.

        Parameters
        ----------
        regions, level, skip_invalid
            As for :meth:`geodp.Release.query`.
        part : float
            Which quantile: 0.5 for the median.

        Returns
        -------
        GeoDataFrame or Quantiles
            The layer with the columns ``quantile``, ``quantile_low`` and ``quantile_high``, or
            arrays for boxes. The ends of an interval are breaks. Where there may be no records at
            all the quantile is NaN, from the first break to the last.

        Examples
        --------
        >>> import numpy as np, geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> ages = geodp.Breaks("age", [0, 20, 40, 60, 80, 100])
        >>> people = {"x": [100.0] * 900, "y": [100.0] * 900, "age": np.arange(900) % 100}
        >>> releases = geodp.release(people, town, epsilon=10, by=ages)
        >>> median = releases.quantile([town.bounds], 0.5)
        >>> bool(45 < median.quantile[0] < 55), median.quantile_low, median.quantile_high
        (True, array([40.]), array([60.]))
        """
        asked = checked_part(part)
        fields = self._by.fields
        if len(fields) != 1 or fields[0].kind != "number":
            raise InputError(
                "a quantile needs groups between breaks of one field of numbers; this release is "
                f"divided {self._by.in_words}: divide it by `Breaks(field, limits)` alone."
            )
        breaks = fields[0].listed
        every = group_counts(self.parts, self.method)
        counted = every[: len(breaks) - 1]  # and none of the others
        if len(counted) < 2:
            raise InputError("a quantile needs two groups at least; this release has one alone.")
        cuts = range(1, len(counted))
        below = [fit(self.cells, Measurements.sum(counted[:cut]), alone=False) for cut in cuts]
        above = [fit(self.cells, Measurements.sum(counted[cut:]), alone=False) for cut in cuts]
        return ask_ratio(
            lambda where, at: quantiles(
                breaks,
                [estimate.parts(where) for estimate in below],
                [estimate.parts(where) for estimate in above],
                asked,
                at,
            ),
            regions,
            self.domain,
            level=level,
            names=("quantile", "quantile_low", "quantile_high"),
            skip_invalid=skip_invalid,
            empty=Quantiles,
        )

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the estimates of each group by the names that fields have in files."""
        columns = {name: one.columns() for name, one in zip(self.slugs, self.values())}
        joined: dict[str, npt.NDArray[Any]] = {}
        for word, values in columns[self.slugs[0]].items():
            if word == "std_error":  # the same in every group
                joined[word] = values
            else:
                joined |= {f"{word}_{slug}": estimates[word] for slug, estimates in columns.items()}
        return joined

    def plot(
        self,
        ax: None = None,
        *,
        view: str = "best",
        boundary: Boundary | None = None,
        uncertainty: bool = False,
        grey: float | None = None,
        labels: Any = None,
        north: bool = False,
    ) -> list[Axes]:
        """Draw a map of each group, side by side and in one scale, and return their axes.

        Parameters
        ----------
        ax : None
            Maps of several groups take a figure of their own; draw one of them with
            ``releases["theft"].plot(ax)``.
        view : {"best", "signed", "error", "dots", "smooth", "mean", "share"}
            What the maps show, as in :meth:`geodp.Release.plot`.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the maps.
        uncertainty : bool
            Draw cells paler, the larger their error is beside their count.
        grey : float, optional
            Draw cells grey that are too uncertain, as in :meth:`geodp.Release.plot`.
        labels : GeoDataFrame or path, optional
            A public layer of names to write on the maps: towns as points, or polygons. Of names
            that would cover each other, the first in the layer is written.
        north : bool
            Draw an arrow that points up, to the north of the CRS's grid.
        """
        from ...outputs.plot import plot_groups

        if ax is not None:
            raise InputError(
                "the maps of several groups take a figure of their own; got axes of another: draw "
                f"one group there, `releases[{self.groups[0]!r}].plot(ax)`."
            )
        options: dict[str, Any] = {"view": view, "boundary": boundary, "grey": grey}
        options["north"] = north
        return plot_groups(self, **options, uncertainty=uncertainty, labels=labels)

    @property
    def slugs(self) -> tuple[str, ...]:
        """Return the short names of the groups, as in ``count_theft``."""
        return slugs(self.groups)


def open_release(path: PathLike) -> Release | ReleaseSet:
    """Open a written release: the same grid, counts and promise as before.

    Parameters
    ----------
    path : path
        A GeoTIFF, GeoPackage, GeoParquet or FlatGeobuf file that geodp or its QGIS plugin wrote.

    Returns
    -------
    Release or ReleaseSet
        A :class:`geodp.ReleaseSet` where the file holds several groups.

    Raises
    ------
    FileError
        If the file is no release, was cut short, or was changed.

    Examples
    --------
    >>> import numpy as np, geodp, tempfile, pathlib
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> releases = geodp.release((np.array([100.0]), np.array([200.0])), town, epsilon=1)
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "counts.gpkg"
    >>> releases.to_vector(file)
    >>> geodp.open_release(file).epsilon
    Fraction(1, 1)
    """
    from ...outputs.reopen import open_release

    return open_release(path)


def _long(layers: Mapping[str, geopandas.GeoDataFrame]) -> Any:
    """Stack the rows of all groups, those of one region one after another."""
    import pandas

    frames = [frame.assign(group=name) for name, frame in layers.items()]
    rows = pandas.concat(frames).iloc[_woven(len(frames[0]), len(frames))]
    columns = list(frames[0].columns)
    place = columns.index("estimate")
    return rows[[*columns[:place], "group", *(name for name in columns[place:] if name != "group")]]


def _woven(regions: int, groups: int) -> list[int]:
    return [group * regions + region for region in range(regions) for group in range(groups)]


def _wide(layers: Mapping[str, geopandas.GeoDataFrame]) -> Any:
    """Return one row for each region, with the answers of every group side by side."""
    first = next(iter(layers.values()))
    columns = list(first.columns)
    answers = columns[columns.index("estimate") :]
    alike = ("covered",)
    frame = first.drop(columns=answers)
    for slug, one in zip(slugs(list(layers)), layers.values()):
        for name in answers:
            if name not in alike:
                frame[f"{name}_{slug}"] = one[name]
    return frame.assign(**{name: first[name] for name in alike})
