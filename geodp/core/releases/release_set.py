"""Several layers on one set of cells, for one ε: each is a release like any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from ..common.errors import InputError
from ..estimates.answers import Answers
from ..estimates.legend import Legend
from ..estimates.partition import Partition
from ..estimates.queries import asked_about
from ..kernel.measurements import Measurements
from ..privacy.budget import Spend
from ..records.groups import Layers, slugs
from .about import About
from .release import Method, Release

if TYPE_CHECKING:
    import folium
    import geopandas
    from matplotlib.axes import Axes

    from .release import Boundary


_NOTHING = About()


@dataclass(frozen=True, eq=False, repr=False)
class Layered(Release):
    """Noisy counts of several layers on the same cells: all of them together cost ε once.

    What it counts is the total over all layers, whose noise is that of all of them together;
    ``made["theft"]`` is the release of one layer. It is written, drawn and asked about layer by
    layer.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> crimes = {"x": [100.0, 150.0], "y": [200.0, 250.0], "kind": ["theft", "assault"]}
    >>> kinds = geodp.Categories("kind", ["theft", "assault"])
    >>> made = geodp.release(crimes, town, epsilon=1, cells="regular", by=kinds)
    >>> made.layers
    ('theft', 'assault')
    >>> bool((made["theft"].counts + made["assault"].counts == made.counts).all())
    True
    """

    @classmethod
    def of(
        cls,
        cells: Partition,
        parts: Sequence[Measurements],
        spends: tuple[Spend, ...],
        method: Method,
        seeded: bool = False,
        about: About = _NOTHING,
    ) -> Layered:
        """Put layers together."""
        whole = Measurements.sum(parts)
        return cls(cells, whole, spends, method, seeded, about, tuple(parts))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method.layers is None or len(self.parts) != len(self.method.layers):
            raise InputError("a layered release needs measurements of each of its layers.")

    def __repr__(self) -> str:
        return super().__repr__().replace("Release(", f"Layered({len(self.parts):,} layers, ", 1)

    @property
    def _layers(self) -> Layers:
        assert self.method.layers is not None
        return self.method.layers

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers, in their order."""
        return self._layers.names

    @cached_property
    def by_group(self) -> Mapping[str, Release]:
        """The release of each layer, by its name."""
        return {
            name: self._one(part, replace(self.method, layer=name))
            for name, part in zip(self.layers, self.parts)
        }

    def _one(self, measured: Measurements, method: Method) -> Release:
        spends, seeded, about = self.spends, self.seeded, self.about
        return Release(self.cells, measured, spends, method, seeded, about, self.parts)

    @property
    def legend(self) -> Legend:
        """Classes and colours of a map, the same for all layers."""
        return self.by_group[self.layers[0]].legend

    @property
    def total(self) -> Release:
        """The total over all layers, as a release of its own with its own error bars."""
        return self._one(self.measurements, self.method)

    def __getitem__(self, name: Any) -> Release:
        """The release of one layer: by its name, or by one name for each of crossed fields."""
        return self.by_group[self.layers[self._layers.place_of(name)]]

    def __iter__(self) -> Iterator[str]:
        return iter(self.layers)

    def __contains__(self, name: object) -> bool:
        return name in self.layers

    def query(  # type: ignore[override]
        self,
        regions: Any,
        *,
        level: float = 0.95,
        skip_invalid: bool = False,
        density: bool = False,
        total: bool = False,
        wide: bool = False,
    ) -> geopandas.GeoDataFrame | dict[str, Answers]:
        """Estimate the number of records of each layer in regions, with the error to expect.

        Parameters
        ----------
        regions, level, skip_invalid, density, total
            As for :meth:`geodp.Release.query`.
        wide : bool
            One row for each region, with columns such as ``estimate_theft``, instead of one row
            for each region and layer.

        Returns
        -------
        GeoDataFrame or dict
            One row for each region and layer, named in the column ``layer``; for boxes, the
            :class:`geodp.Answers` of each layer by its name. ``made.total.query(regions)`` has the
            total over all layers.

        Examples
        --------
        >>> import geodp
        >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
        >>> made = geodp.release(
        ...     ([], [], []), town, epsilon=1, by=geodp.Breaks("hour", [0, 12, 24])
        ... )
        >>> list(made.query([(0, 0, 1000, 1000)]))
        ['0 to 12', '12 to 24']
        """
        asked: Any = asked_about(regions, self.domain, skip_invalid=skip_invalid, total=total)
        found: dict[str, Any] = {
            name: one.query(asked, level=level, density=density)
            for name, one in self.by_group.items()
        }
        if isinstance(found[self.layers[0]], Answers):
            return found
        frame = _wide(found) if wide else _long(found)
        frame.attrs["geodp_counted"] = self.counted
        return frame

    def to_geodataframe(self) -> geopandas.GeoDataFrame:
        """Return the cells as polygons with a noisy count for each layer, such as ``count_theft``.

        The counts of cells of a tree have one ``std_error`` in all layers.
        """
        return super().to_geodataframe()

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the estimates of each layer by the names that fields have in files."""
        columns = {
            name: self.cells.columns(one.estimate)
            for name, one in zip(self.slugs, self.by_group.values())
        }
        found: dict[str, npt.NDArray[Any]] = {}
        for word, values in columns[self.slugs[0]].items():
            if word == "std_error":  # the same in every layer
                found[word] = values
            else:
                found |= {f"{word}_{slug}": own[word] for slug, own in columns.items()}
        return found

    def plot(  # type: ignore[override]
        self,
        ax: None = None,
        *,
        boundary: Boundary | None = None,
        uncertainty: bool = False,
    ) -> list[Axes]:
        """Draw a map of each layer, side by side and in one scale, and return their axes.

        Parameters
        ----------
        ax : None
            Maps of several layers take a figure of their own; ``made["theft"].plot(ax)`` draws one.
        boundary : GeoDataFrame, GeoSeries or path, optional
            A public outline to draw over the maps.
        uncertainty : bool
            Draw cells paler, the larger their error is beside their count.
        """
        from ...outputs.multiples import plot_layers

        if ax is not None:
            raise InputError(
                "the maps of several layers take a figure of their own; draw one of them there, "
                f"`made[{self.layers[0]!r}].plot(ax)`."
            )
        return plot_layers(self, boundary=boundary, uncertainty=uncertainty)

    def explore(self, **options: Any) -> folium.Map:
        """Show the layers on a map to move about in, where folium is installed.

        Whoever looks at it needs a network: scripts and background come from there. The map in
        :meth:`to_report` needs none.

        Parameters
        ----------
        **options
            Passed on to :meth:`geopandas.GeoDataFrame.explore`, for example ``tiles``.
        """
        from ...outputs.multiples import explore_layers

        return explore_layers(self, **options)

    @property
    def slugs(self) -> tuple[str, ...]:
        """Short names of the layers, as in ``count_theft``."""
        return slugs(self.layers)


def _long(found: Mapping[str, geopandas.GeoDataFrame]) -> Any:
    """Rows of all layers, those of one region one after another."""
    import pandas

    frames = [frame.assign(layer=name) for name, frame in found.items()]
    rows = pandas.concat(frames).iloc[_woven(len(frames[0]), len(frames))]
    own = list(frames[0].columns)
    place = own.index("estimate")
    return rows[[*own[:place], "layer", *(name for name in own[place:] if name != "layer")]]


def _woven(regions: int, layers: int) -> list[int]:
    return [layer * regions + region for region in range(regions) for layer in range(layers)]


def _wide(found: Mapping[str, geopandas.GeoDataFrame]) -> Any:
    """One row for each region, with the answers of every layer side by side."""
    first = next(iter(found.values()))
    own = list(first.columns)
    answers = own[own.index("estimate") :]
    alike = ("covered",)
    frame = first.drop(columns=answers)
    for slug, one in zip(slugs(list(found)), found.values()):
        for name in answers:
            if name not in alike:
                frame[f"{name}_{slug}"] = one[name]
    return frame.assign(**{name: first[name] for name in alike})
