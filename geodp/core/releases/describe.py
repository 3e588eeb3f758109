"""Describe a release: every fact about it, stated once, in the order in which people read.

Tags of files, ``geodp info``, the report, the page in QGIS and ``repr`` are views of what
:func:`describe` finds. All of it comes from the release, which is public; labels are plain strings
from a fixed list, so that a host may translate them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..common.phrases import Number, Phrase, capital, joined, recognised
from ..privacy.budget import Spend
from ..space.wording import significant
from .about import LABELS
from .cell_words import cell_facts, cells_in_words, place_in_words

if TYPE_CHECKING:
    from .published import Method, Published

_NOT_PEOPLE = "It protects records, not people: someone with several records is protected less."

PROTECTED = {
    "record": ("one record", _NOT_PEOPLE),
    "feature": ("one feature with all its points ({1})", _NOT_PEOPLE),
    "person": (
        "one person with all their records ({1})",
        "It protects people, as far as each person has one value in the person field.",
    ),
}
"""What may be protected: how to call it, and what to say about people."""

_CHANGES = {"add-remove": "adding or removing", "replace": "exchanging"}
_DIFFERENCES = {
    ("add-remove", "record"): "one record more or less",
    ("add-remove", "feature"): "one feature more or less",
    ("add-remove", "person"): "one person more or less",
    ("replace", "record"): "one record exchanged for another",
    ("replace", "feature"): "one feature exchanged for another",
    ("replace", "person"): "one person exchanged for another",
}
_KINDS = {"record": "record", "feature": "feature", "person": "person"}
_STEPS = {
    "total": "the number of all records",
    "root": "a first look at where records are",
    "tree": "looking closer where it pays, and counting",
    "sketch": "a coarse look at where records are",
    "tuning": "choosing the size of the cells",
    "counts": "counting",
}
_CHOOSING = ("root", "tree", "sketch", "tuning")
"""Steps from which cells follow."""

_TUNERS = {
    "Growth": "growth: spend a little, look, and go on where it pays",
    "Influence": "influence: the least error to be expected over the regions",
    "E2EPriv": "e2epriv: the scores of Fanaeepour and Rubinstein (2017), repaired",
}
_MOST_TOLD = 30
"""Groups that are told one by one."""

_LINE = 100
"""Letters of a line in the table of facts."""

_SAMPLERS = {"geodp": "the exact sampler of geodp", "opendp": "the sampler of OpenDP"}

_STORED = (
    "discrete Laplace noise",
    "discrete Laplace noise on {1} × {2} coarse counts",
    "discrete Laplace noise on the counts by district",
    "discrete Laplace noise on the root cells",
    "discrete Laplace noise on unions of districts",
    "discrete Laplace noise along every path",
    "permute-and-flip on generalized exponential scores",
    "exponential mechanism on the paper's scores, repaired",
    "none: a single candidate",
    "none: the hexagons are given",
    "all regions alike",
    "the districts themselves",
    "the districts, and all regions alike",
    "given boxes",
    "polygons of a layer",
    "random boxes, shares {1}, {2} each, seed {3}",
    "hexagons with sides of {1}",
    "H3 cells of resolution {1}",
    "{1} districts",
    "{1} × {2}",
)
"""Texts of geodp that a file holds as they are: mechanisms, what cells were tuned for, cells."""

_LEVEL = "discrete Laplace noise on the counts by {1}"
"""One more, in which somebody's name for a level stands."""


@dataclass(frozen=True)
class Fact:
    """One thing to know about a release.

    Attributes
    ----------
    key : str
        A name for programs, which stays the same.
    topic : str
        What it is about: ``"promise"``, ``"cost"``, ``"noise"``, ``"map"`` or ``"choice"``.
    label : str
        A name for people.
    text : str
        The value for people; empty where another fact tells them the same.
    value
        The value for programs: a number, text, yes or no, or a list.
    """

    key: str
    topic: str
    label: str
    text: str
    value: Any


@dataclass(frozen=True)
class Description:
    """The facts about a release, in the order in which people read them.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> one = geodp.Regular(sizes=[(3, 4)])
    >>> description = geodp.release(([], []), town, epsilon=1, cells=one).describe()
    >>> description["cell_size"].label, description["cell_size"].text
    ('Size of a cell', '1 × 1 km')
    >>> description.as_dict()["epsilon"]
    1.0
    >>> print(description.as_text().splitlines()[-3])
    Chosen from: 3 × 4

    Printed, it is a table:

    >>> print(str(description).splitlines()[-1])
    Way of choosing               none: a single candidate
    """

    facts: tuple[Fact, ...]

    def __repr__(self) -> str:
        return f"Description({len(self.facts)} facts)"

    def __str__(self) -> str:
        """Print the facts as a table: labels on the left, values beside them, lines wrapped."""
        shown = self.about()
        width = max((len(fact.label) for fact in shown), default=0)
        indent = " " * (width + 2)
        return "\n".join(
            textwrap.fill(
                fact.text,
                max(_LINE, width + 42),
                initial_indent=fact.label.ljust(width + 2),
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            for fact in shown
        )

    def __getitem__(self, key: str) -> Fact:
        return {fact.key: fact for fact in self.facts}[key]

    def about(self, *topics: str) -> tuple[Fact, ...]:
        """Return facts for people about some topics, or about all of them."""
        return tuple(
            fact for fact in self.facts if fact.text and (not topics or fact.topic in topics)
        )

    def as_dict(self) -> dict[str, Any]:
        """Return keys and values for programs, in types that JSON has."""
        return {fact.key: fact.value for fact in self.facts}

    def as_text(self) -> str:
        """Return lines for a terminal: what it promises, what it counts, then labels and values."""
        first = ("promise", "counted")
        lines = [self[key].text for key in first]
        lines += [f"{fact.label}: {fact.text}" for fact in self.about() if fact.key not in first]
        return "\n".join(lines)


def describe(release: Published) -> Description:
    """Describe a release: all that is known of it, fact by fact.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> description = describe(geodp.release(([], []), town, epsilon=1, cells="regular"))
    >>> for fact in description.about("cost"):
    ...     print(fact.label, "|", fact.text)
    ε in all | 1
    ε for a coarse look at where records are | 0.02 (discrete Laplace noise on 8 × 8 coarse counts)
    ε for choosing the size of the cells | 0.08 (permute-and-flip on generalized exponential scores)
    ε for counting | 0.9 (discrete Laplace noise)
    """
    parts = (_about_facts, _promise_facts, _cost_facts, _noise_facts, _map_facts, _choice_facts)
    return Description(tuple(fact for part in parts for fact in part(release)))


def _about_facts(release: Published) -> Iterator[Fact]:
    for name, text in release.about.given.items():
        yield Fact(name, "about", LABELS[name], text, text)


def promise_text(release: Published) -> Phrase:
    """Say what a release promises, in a few sentences for people."""
    if release.seeded:
        return Phrase(
            "This release was made with a fixed seed for testing and is NOT private: anyone "
            "with the seed can take the noise off again."
        )
    epsilon = epsilon_text(release)
    return Phrase(
        "Differentially private with epsilon = {1}: {2} {3} changes the probability of any "
        "outcome{4} by a factor of at most exp({5}). {6}",
        epsilon,
        Phrase(_CHANGES[release.method.unit.neighbours]),
        _unit(release.method),
        _choice(release),
        epsilon,
        Phrase(PROTECTED[release.method.unit.kind][1]),
    )


def epsilon_text(release: Published) -> Number:
    """Return ε in all, as people write it."""
    return Number(f"{float(release.epsilon):g}")


def _choice(release: Published) -> Phrase:
    """Say that the promise holds for the choice of cells, where there was one."""
    given = release.method.tuner == "none"  # levels of districts may be called anything
    chosen = not given and any(spend.step in _CHOOSING for spend in release.spends)
    return Phrase(", the choice of cells included,") if chosen else Phrase("")


def counted_text(release: Published) -> Phrase:
    """Say what the counts are of, in one sentence, to stand wherever a number is shown."""
    method = release.method
    cap = cap_text(method)
    nothing = Phrase("")
    which = nothing if method.groups is None else method.groups.condition_text(method.group)
    where = place_in_words(release.cells, among=method.tuner != "none")
    if release.domain.within is not None:
        where = Phrase("{1} and a public layer of where records can be", where)
    amount = _amount_words(method)
    if not cap:
        only = Phrase(" {1}", which) if which else nothing
        return Phrase("Counts every record inside {1}{2}.{3}", where, only, amount)
    groups = nothing if method.groups is None else Phrase(", over all groups together")
    if method.quantity.at_places:
        return _places_in_words(method, cap, Phrase("{1}{2}", where, groups), which)
    if method.quantity.divided:
        part = Phrase("; of these, what falls on records {1}", which) if which else nothing
        return Phrase(
            "Counts {1} inside {2}, and no record without a person{3}: a person with several "
            "records counts in parts, which add up to one.{4}",
            *(cap, where, part, amount),
        )
    nameless = nothing
    if method.unit.kind == "person":
        nameless = Phrase(" and no record without a person")
    things = Phrase("points" if method.unit.kind == "feature" else "records")
    only = Phrase("; of these, {1} {2}", things, which) if which else nothing
    return Phrase(
        "Counts {1}{2}{3}{4}: any sum may fall short of all {5} by an unknown share.{6}",
        *(cap, nameless, groups, only, things, amount),
    )


def _places_in_words(method: Method, cap: str, where: str, which: str) -> Phrase:
    """Say what the counts are of where people count at places."""
    only = Phrase("")
    if which:
        only = Phrase("; of these, those counted by records {1}", which)
    if method.quantity.things == "people":
        meaning = Phrase("the whole adds up to the people who have records there")
    else:
        meaning = Phrase(
            "a person counts in each of several places, so that sums are of visits, and any number "
            "may fall short of all visitors by an unknown share"
        )
    return Phrase(
        "Counts {1} inside {2}, and no record without a person{3}: {4}.", cap, where, only, meaning
    )


def _amount_words(method: Method) -> Phrase:
    """Say how amounts outside the bounds are cut, wherever a sum is shown."""
    amount = method.amount
    if amount is None:
        return Phrase("")
    low, high = amount.bound_numbers
    most = Phrase("{1} {2}", high, amount.label) if amount.label else high
    if amount.per_person:
        return Phrase(
            " Records without {1} are left out. Sums are of what all records of a person add up "
            "to, and means are over people: a total above {2} counts as {3}; intervals do not "
            "account for that.",
            *(amount.field, most, high),
        )
    return Phrase(
        " Records without {1} are left out. In its sums and means, amounts above {2} count as {3}, "
        "and those below {4} as {5}; intervals do not account for that.",
        *(amount.field, most, high, low, low),
    )


def cap_text(method: Method) -> Phrase:
    """Return the limit on what is counted, for a legend or a footer; empty where all records are.

    Examples
    --------
    >>> from geodp import Method, Unit
    >>> cap_text(Method((), "", "", Unit("person", 5), "geodp"))
    'at most 5 records of each person'
    """
    kind = method.unit.kind
    if method.quantity.divided:
        return Phrase("people, each spread over the places of their records")
    if method.quantity.things == "people":
        return Phrase("people, each once at the place where most of their records are")
    if method.quantity.things == "visitors":
        return Phrase("visitors of each place, each person in {1}", _at_most(method))
    if kind == "record":
        return Phrase("")
    return Phrase("{1} of each {2}", _at_most(method), Phrase(_KINDS[kind]))


def map_title(release: Published, joint: str = ", ", what: str = "") -> Phrase:
    """Name a map of a release in one line, or in two where not all records are counted.

    Parameters
    ----------
    release : Release
        What was published.
    joint : str
        What stands before how many records are counted.
    what : str
        What is drawn, where that is not the counts as their legend has them.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> map_title(geodp.release(([], []), town, epsilon=1, cells=geodp.Regular(sizes=[2])))
    'Records per km², protected (ε = 1), 2 × 2 cells'
    """
    cap = cap_text(release.method)
    words = what or release.legend.words
    group = release.method.group
    shown = Phrase("{1}: {2}", group, words) if group else capital(words)
    if release.groups and release.method.groups:
        shown = Phrase("{1} {2}", shown, release.method.groups.in_words)
    parts = [joined(", ", [shown, protected_words(release), cells_in_words(release.cells)])]
    parts += [Phrase("counting {1}", cap)] if cap else []
    return joined(joint, parts)


def protected_words(release: Published) -> Phrase:
    """Say in a title that records are protected, and how much, or that they are not.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> protected_words(geodp.release(([], []), town, epsilon=0.5))
    'protected (ε = 0.5)'
    """
    if release.seeded:
        return Phrase("NOT private (seeded)")
    return Phrase("protected (ε = {1})", epsilon_text(release))


_ONE = {
    "point": "at most {1} point",
    "record": "at most {1} record",
    "place": "at most {1} place",
}
_SEVERAL = {
    "point": "at most {1} points",
    "record": "at most {1} records",
    "place": "at most {1} places",
}


def _at_most(method: Method) -> Phrase:
    most = method.unit.max_records or 1
    held = "point" if method.unit.kind == "feature" else "record"
    held = "place" if method.quantity.things == "visitors" else held
    template = _ONE[held] if most == 1 else _SEVERAL[held]
    return Phrase(template, Number(f"{most:,}"))


def _unit(method: Method) -> Phrase:
    counted = Phrase("{1} counted", _at_most(method))
    if method.quantity.things == "people":
        counted = Phrase("counted as one")
    elif method.quantity.things == "visitors":
        counted = Phrase("counted in {1}", _at_most(method))
    return Phrase(PROTECTED[method.unit.kind][0], counted)


def _promise_facts(release: Published) -> Iterator[Fact]:
    method, topic = release.method, "promise"
    private = Phrase("no: made with a seed, for tests" if release.seeded else "yes")
    unit = method.unit
    differ = Phrase(_DIFFERENCES[unit.neighbours, unit.kind])
    yield Fact("promise", topic, "Promise", release.promise, release.promise)
    yield Fact("counted", topic, "What is counted", release.counted, release.counted)
    yield Fact("private", topic, "Private", private, not release.seeded)
    yield Fact("protected_unit", topic, "Protected unit", _unit(method), unit.kind)
    yield Fact("max_records", topic, "Records of a unit, at most", "", unit.max_records)
    yield Fact("quantity", topic, "What is added up", "", method.quantity.things)
    yield Fact("neighbours", topic, "Difference that is hidden", differ, unit.neighbours)


def _cost_facts(release: Published) -> Iterator[Fact]:
    epsilon = float(release.epsilon)
    yield Fact("epsilon", "cost", "ε in all", epsilon_text(release), epsilon)
    for spend in release.spends:
        part, step = float(spend.epsilon), spend.step
        label = Phrase("ε for {1}", Phrase(_STEPS[step]) if step in _STEPS else step)
        text = Phrase("{1} ({2})", Number(f"{part:g}"), _known(spend.mechanism))
        yield Fact(f"epsilon_for_{spend.step}", "cost", label, text, part)
    yield Fact("spends", "cost", "Steps", "", [_spend(spend) for spend in release.spends])


def _spend(spend: Spend) -> dict[str, Any]:
    return {"step": spend.step, "mechanism": spend.mechanism, "epsilon": float(spend.epsilon)}


def _noise_facts(release: Published) -> Iterator[Fact]:
    release = release.first  # the noise is alike in all groups
    scales = sorted({float(scale) for scale in release.measurements.count_scales})
    errors = np.sqrt(release.variance)
    error = float(np.median(errors))
    if len(scales) == 1:
        noise = Phrase("discrete Laplace of scale {1} on every count", _digits(scales[0], 4))
        one: str = _digits(error)
    else:
        ends = _digits(scales[0], 4), _digits(scales[-1], 4)
        noise = Phrase("discrete Laplace of scales from {1} to {2} on the counts", *ends)
        spread = (_digits(float(error)) for error in (errors.min(), errors.max()))
        one = Phrase("{1} (from {2} to {3})", _digits(error), *spread)
    if release.measurements.terms > 1:
        terms = Number(f"{release.measurements.terms:,}")
        noise = Phrase("{1}, in sums of {2} of them", noise, terms)
    sampler = release.method.noise
    drawn = Phrase(_SAMPLERS[sampler]) if sampler in _SAMPLERS else sampler
    yield Fact("noise_scale", "noise", "Noise", noise, round(scales[0], 6))
    yield Fact("std_error_of_a_cell", "noise", "Standard error of a cell", one, round(error, 6))
    yield Fact("sampler", "noise", "Noise drawn by", drawn, sampler)


def _digits(value: float, digits: int = 3) -> Number:
    return Number(f"{value:.{digits}g}")


def _map_facts(release: Published) -> Iterator[Fact]:
    domain, topic = release.domain, "map"
    bounds, crs = domain.bounds, domain.crs
    overall = release.total.overall
    records, error = float(overall.estimate[0]), float(overall.std_error[0])
    cap = cap_text(release.method)
    known = Number(f"{records:,.0f}"), significant(error)
    total = Phrase("{1} with a standard error of {2}", *known)
    total = Phrase("{1}, counting {2}", total, cap) if cap else total
    corners = " ".join(f"{side:.15g}" for side in bounds)
    things = release.method.quantity.things
    if things == "people":
        yield Fact("estimated_people", topic, "Estimated number of people", total, round(records))
    elif things == "visitors":
        yield Fact("estimated_visits", topic, "Estimated number of visits", total, round(records))
    else:
        yield Fact("estimated_records", topic, "Estimated number of records", total, round(records))
    yield Fact("std_error_of_the_whole", topic, "Standard error of that", "", round(error, 3))
    yield from _group_facts(release)
    yield Fact("bounds", topic, "Extent (xmin ymin xmax ymax)", corners, list(bounds))
    yield Fact("crs", topic, "Coordinate system", crs.short, crs.name)
    if domain.within is not None:
        percent = _digits(100 * domain.within.share)
        part = Phrase("in {1} % of the extent, by a public layer", percent)
        digest = domain.within.digest
        yield Fact("within_share", topic, "Where records can be", part, domain.within.share)
        yield Fact("within", topic, "Checksum of that layer", digest[:16], digest)
    for key, (label, text, value) in cell_facts(release.cells).items():
        yield Fact(key, topic, label, text, value)


def _group_facts(release: Published) -> Iterator[Fact]:
    groups = release.method.groups
    if groups is None:
        return
    if not release.groups:
        words = release.method.group or Phrase("all together")
        label = Phrase("Group {1}", groups.in_words)
        yield Fact("group", "map", label, words, release.method.group)
        return
    counts = {name: round(float(one.overall.estimate[0])) for name, one in release.maps.items()}
    listed = [Phrase("{1} {2}", name, Number(f"{count:,}")) for name, count in counts.items()]
    text = joined(", ", listed)
    if len(listed) > _MOST_TOLD:
        text = Phrase("{1} of them", Number(f"{len(listed):,}"))
    error = significant(float(release.first.overall.std_error[0]))
    text = Phrase("{1}, each with a standard error of {2}", text, error)
    label = Phrase("Groups {1}", groups.in_words)
    yield Fact("groups", "map", label, text, list(release.groups))
    yield Fact("estimated_records_of_groups", "map", "Records of each group", "", counts)


def _choice_facts(release: Published) -> Iterator[Fact]:
    method, topic = release.method, "choice"
    tuned = any(spend.step != "counts" for spend in release.spends)
    tuner = _tuner(method.tuner) if tuned else Phrase("none: a single candidate")
    if not method.candidates and method.tuner == "none":
        tuner = Phrase("none: the cells are given")
    texts = Phrase("nothing: the cells are given")
    if method.candidates:
        words = (candidate.in_words for candidate in method.candidates)
        texts = joined(", ", (_known(word) for word in words))
    cuts = [candidate.cut for candidate in method.candidates]
    yield Fact("candidates", topic, "Chosen from", texts, cuts)
    yield Fact("tuned_for", topic, "Tuned for", _known(method.workload), method.workload)
    yield Fact("tuner", topic, "Way of choosing", tuner, method.tuner)


def _known(text: str) -> str:
    """Return a text from a file as a phrase again, where it was written as one."""
    return text if isinstance(text, Phrase) else recognised(text, _STORED, names=(_LEVEL,))


def _tuner(code: str) -> str:
    """Write ``Influence(beta=Fraction(1, 10), …)`` as people would say it."""
    name, _, settings = code.partition("(")
    plain = re.sub(r"Fraction\((\d+), 1\)", r"\1", settings.removesuffix(")"))
    plain = re.sub(r"Fraction\((\d+), (\d+)\)", r"\1/\2", plain)
    plain = re.sub(r"[_=]", " ", plain).replace("'", "")
    way = Phrase(_TUNERS[name]) if name in _TUNERS else name
    return Phrase("{1} ({2})", way, plain) if plain else way
