"""Everything there is to say about a release, once, in an order in which people read it.

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

from ..privacy.budget import Spend
from ..space.wording import significant
from .about import LABELS
from .cell_words import cell_facts, cells_in_words

if TYPE_CHECKING:
    from .release import Method, Published

_NOT_PEOPLE = "It protects records, not people: someone with several records is protected less."

PROTECTED = {
    "record": ("one record", _NOT_PEOPLE),
    "feature": ("one feature with all its points ({})", _NOT_PEOPLE),
    "person": (
        "one person with all their records ({})",
        "It protects people, as far as each person has one value in the person field.",
    ),
}
"""What may be protected: how to call it, and what to say about people."""

_CHANGES = {"add-remove": "adding or removing", "replace": "exchanging"}
_DIFFERENCES = {"add-remove": "one {} more or less", "replace": "one {} exchanged for another"}
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
        told = self.about()
        width = max((len(fact.label) for fact in told), default=0)
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
            for fact in told
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
    """Say everything there is to say about a release.

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


def promise_text(release: Published) -> str:
    """Say what a release promises, in a few sentences for people."""
    if release.seeded:
        return (
            "This release was made with a fixed seed for testing and is NOT private: anyone "
            "with the seed can take the noise off again."
        )
    epsilon = f"{float(release.epsilon):g}"
    change = _CHANGES[release.method.unit.neighbours]
    return (
        f"Differentially private with epsilon = {epsilon}: {change} "
        f"{_unit(release.method)} changes the probability of any outcome{_choice(release)} by a "
        f"factor of at most exp({epsilon}). {PROTECTED[release.method.unit.kind][1]}"
    )


def _choice(release: Published) -> str:
    """Say that the promise holds for the choice of cells, where there was one."""
    given = release.method.tuner == "none"  # levels of districts may be called anything
    chosen = not given and any(spend.step in _CHOOSING for spend in release.spends)
    return ", cell size included," if chosen else ""


def counted_text(release: Published) -> str:
    """Say what the counts are of, in one sentence, to stand wherever a number is shown."""
    method = release.method
    cap = cap_text(method)
    which = "" if method.groups is None else method.groups.condition_text(method.group)
    public = release.domain.within is not None
    where = "the extent" if release.cells.levels is None else "the districts"
    where += " and a public layer of where records can be" if public else ""
    amount = _amount_words(method)
    if not cap:
        return f"Counts every record inside {where}{f' {which}' if which else ''}.{amount}"
    if method.quantity.at_places:
        return _places_in_words(method, cap, where, which)
    if method.quantity.divided:
        part = f"; of these, what falls on records {which}" if which else ""
        return (
            f"Counts {cap} inside {where}, and no record without a person{part}: a person with "
            f"several records counts in parts, which add up to one.{amount}"
        )
    nameless = " and no record without a person" if method.unit.kind == "person" else ""
    things = "points" if method.unit.kind == "feature" else "records"
    groups = "" if method.groups is None else ", over all groups together"
    only = f"; of these, {things} {which}" if which else ""
    return (
        f"Counts {cap}{nameless}{groups}{only}: any sum may fall short of all {things} by an "
        f"unknown share.{amount}"
    )


def _places_in_words(method: Method, cap: str, where: str, which: str) -> str:
    """Say what the counts are of where people count at places."""
    groups = "" if method.groups is None else ", over all groups together"
    only = f"; of these, those counted by records {which}" if which else ""
    if method.quantity.things == "people":
        meaning = "the whole adds up to the people who have records there"
    else:
        meaning = (
            "a person counts in each of several places, so that sums are of visits, and any number "
            "may fall short of all visitors by an unknown share"
        )
    return f"Counts {cap} inside {where}{groups}, and no record without a person{only}: {meaning}."


def _amount_words(method: Method) -> str:
    """Say what becomes of amounts outside the bounds, wherever a sum is shown."""
    if method.amount is None:
        return ""
    low, high = (f"{float(bound):,g}" for bound in (method.amount.low, method.amount.high))
    label = f" {method.amount.label}" if method.amount.label else ""
    if method.amount.per_person:
        return (
            f" Records without {method.amount.field} are left out. Sums are of what all records of "
            f"a person add up to, and means are over people: a total above {high}{label} counts as "
            f"{high}, which no interval holds."
        )
    return (
        f" Records without {method.amount.field} are left out. In its sums and means, amounts "
        f"above {high}{label} count as {high}, and those below {low} as {low}, which no interval "
        "holds."
    )


def cap_text(method: Method) -> str:
    """Return the limit on what is counted, for a legend or a footer; empty where all records are.

    Examples
    --------
    >>> from geodp import Method, Unit
    >>> cap_text(Method((), "", "", Unit("person", 5), "geodp"))
    'at most 5 records of each person'
    """
    kind = method.unit.kind
    if method.quantity.divided:
        return "people, each spread over the places of their records"
    if method.quantity.things == "people":
        return "people, each once at the place where most of their records are"
    if method.quantity.things == "visitors":
        return f"visitors of each place, each person in {_at_most(method)}"
    return "" if kind == "record" else f"{_at_most(method)} of each {kind}"


def map_title(release: Published, joint: str = ", ", what: str = "") -> str:
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
    shown = f"{group}: {words}" if group else f"{words[:1].upper()}{words[1:]}"
    by = f" {release.method.groups.in_words}" if release.groups and release.method.groups else ""
    first = f"{shown}{by}, {protected_words(release)}, {cells_in_words(release.cells)}"
    return f"{first}{joint}counting {cap}" if cap else first


def protected_words(release: Published) -> str:
    """Say in a title that records are protected, and how much, or that they are not.

    Examples
    --------
    >>> import geodp
    >>> town = geodp.Domain((0, 0, 4000, 3000), crs="EPSG:5070")
    >>> protected_words(geodp.release(([], []), town, epsilon=0.5))
    'protected (ε = 0.5)'
    """
    if release.seeded:
        return "NOT private (seeded)"
    return f"protected (ε = {float(release.epsilon):g})"


def _at_most(method: Method) -> str:
    most = method.unit.max_records or 1
    thing = "point" if method.unit.kind == "feature" else "record"
    thing = "place" if method.quantity.things == "visitors" else thing
    return f"at most {most:,} {thing}{'' if most == 1 else 's'}"


def _unit(method: Method) -> str:
    counted = f"{_at_most(method)} counted"
    if method.quantity.things == "people":
        counted = "counted as one"
    elif method.quantity.things == "visitors":
        counted = f"counted in {_at_most(method)}"
    return PROTECTED[method.unit.kind][0].format(counted)


def _promise_facts(release: Published) -> Iterator[Fact]:
    method, topic = release.method, "promise"
    private = "no: made with a seed, for tests" if release.seeded else "yes"
    unit = method.unit
    differ = _DIFFERENCES[unit.neighbours].format(unit.kind)
    yield Fact("promise", topic, "Promise", release.promise, release.promise)
    yield Fact("counted", topic, "What is counted", release.counted, release.counted)
    yield Fact("private", topic, "Private", private, not release.seeded)
    yield Fact("protected_unit", topic, "Protected unit", _unit(method), unit.kind)
    yield Fact("max_records", topic, "Records of a unit, at most", "", unit.max_records)
    yield Fact("quantity", topic, "What is added up", "", method.quantity.things)
    yield Fact("neighbours", topic, "Difference that is hidden", differ, unit.neighbours)


def _cost_facts(release: Published) -> Iterator[Fact]:
    epsilon = float(release.epsilon)
    yield Fact("epsilon", "cost", "ε in all", f"{epsilon:g}", epsilon)
    for spend in release.spends:
        part, label = float(spend.epsilon), f"ε for {_STEPS.get(spend.step, spend.step)}"
        text = f"{part:g} ({spend.mechanism})"
        yield Fact(f"epsilon_for_{spend.step}", "cost", label, text, part)
    yield Fact("spends", "cost", "Steps", "", [_spend(each) for each in release.spends])


def _spend(spend: Spend) -> dict[str, Any]:
    return {"step": spend.step, "mechanism": spend.mechanism, "epsilon": float(spend.epsilon)}


def _noise_facts(release: Published) -> Iterator[Fact]:
    release = release.first  # the noise is alike in all groups
    scales = sorted({float(scale) for scale in release.measurements.count_scales})
    errors = np.sqrt(release.variance)
    error = float(np.median(errors))
    if len(scales) == 1:
        noise = f"discrete Laplace of scale {scales[0]:.4g} on every count"
        one = f"{error:.3g}"
    else:
        noise = f"discrete Laplace of scales from {scales[0]:.4g} to {scales[-1]:.4g} on the counts"
        one = f"{error:.3g} (from {errors.min():.3g} to {errors.max():.3g})"
    if release.measurements.terms > 1:
        noise = f"{noise}, in sums of {release.measurements.terms:,} of them"
    sampler = release.method.noise
    yield Fact("noise_scale", "noise", "Noise", noise, round(scales[0], 6))
    yield Fact("std_error_of_a_cell", "noise", "Standard error of a cell", one, round(error, 6))
    yield Fact("sampler", "noise", "Noise drawn by", _SAMPLERS.get(sampler, sampler), sampler)


def _map_facts(release: Published) -> Iterator[Fact]:
    domain, topic = release.domain, "map"
    bounds, crs = domain.bounds, domain.crs
    overall = release.total.overall
    records, error = float(overall.estimate[0]), float(overall.std_error[0])
    cap = cap_text(release.method)
    total = f"{records:,.0f} with a standard error of {significant(error)}"
    total += f", counting {cap}" if cap else ""
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
        part = f"in {100 * domain.within.share:.3g} % of the extent, by a public layer"
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
        words = release.method.group or "all together"
        yield Fact("group", "map", f"Group {groups.in_words}", words, release.method.group)
        return
    counts = {name: round(float(one.overall.estimate[0])) for name, one in release.maps.items()}
    listed = [f"{name} {count:,}" for name, count in counts.items()]
    text = ", ".join(listed) if len(listed) <= _MOST_TOLD else f"{len(listed):,} of them"
    error = significant(float(release.first.overall.std_error[0]))
    text = f"{text}, each with a standard error of {error}"
    yield Fact("groups", "map", f"Groups {groups.in_words}", text, list(release.groups))
    yield Fact("estimated_records_of_groups", "map", "Records of each group", "", counts)


def _choice_facts(release: Published) -> Iterator[Fact]:
    method, topic = release.method, "choice"
    tuned = any(spend.step != "counts" for spend in release.spends)
    tuner = _tuner(method.tuner) if tuned else "none: a single candidate"
    if not method.candidates and method.tuner == "none":
        tuner = "none: the cells are given"
    listed = ", ".join(candidate.in_words for candidate in method.candidates)
    texts = listed or "nothing: the cells are given"
    cuts = [candidate.cut for candidate in method.candidates]
    yield Fact("candidates", topic, "Chosen from", texts, cuts)
    yield Fact("tuned_for", topic, "Tuned for", method.workload, method.workload)
    yield Fact("tuner", topic, "Way of choosing", tuner, method.tuner)


def _tuner(code: str) -> str:
    """Write ``Influence(beta=Fraction(1, 10), …)`` as people would say it."""
    name, _, settings = code.partition("(")
    plain = re.sub(r"Fraction\((\d+), 1\)", r"\1", settings.removesuffix(")"))
    plain = re.sub(r"Fraction\((\d+), (\d+)\)", r"\1/\2", plain)
    plain = re.sub(r"[_=]", " ", plain).replace("'", "")
    return f"{_TUNERS.get(name, name)}{f' ({plain})' if plain else ''}"
