"""Find the sentences that the core says to people, as templates with numbered blanks.

The core raises plain English. So its sources are read here, with :mod:`ast`. A sentence such as
``f"epsilon must be greater than 0; got {epsilon}."`` becomes ``epsilon must be greater than 0; got
{1}.``. Where the sources tell what can stand in a blank (a constant, a choice between two words,
what a function of the core returns), these words are listed with the blank and are translated as
well; everything else is a value, which stays. Other texts of the core are phrases
(``geodp/core/common/phrases.py``), whose templates stand in the sources as they are.
"""

import ast
import functools
import re
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "geodp" / "core"

ERRORS = ("InputError", "FileError", "CrsError", "GeodpError", "Overspent")
"""Errors whose first argument is a sentence, wherever they are made."""

SPOKEN = {"forecasts/forecast_table.py": ("_advice",)}
"""Functions that return a sentence."""

LISTED = {
    "releases/verification.py": ("__str__",),
    "forecasts/forecast_table.py": ("assumes",),
}
"""Functions that put sentences into a list."""

VIEWS = "publish/views.py"
"""Where a dict of that name has sentences about views."""

CELL_FACTS = ("cell_facts", "_grid_facts", "_district_facts", "_sliver_facts")
"""Functions in which facts are tuples of a label, a text and a value."""

TEMPLATES = {"pictures/page.py": ("_WORDS",), "releases/describe.py": ("_STORED", "_LEVEL")}
"""Names of templates that are listed, and no call of ``Phrase`` names."""

PHRASES = ("common/phrases.py", "common/language.py")
"""Where phrases are made of anything."""

PROPERTIES = {
    "in_words": ("records/groups.py", "in_words"),
}
"""Attributes whose words are those of a function elsewhere."""

UNIT = (
    (
        ("one record",),
        ("one feature, at most 1 point",),
        ("one feature, at most ", None, " points"),
        ("one person, at most 1 record",),
        ("one person, at most ", None, " records"),
        ("one person, spread over their records",),
    ),
    ((", by the field ", None), ()),
    ((", replaced by another",), ()),
)
"""What a unit prints itself as: gender and number are of the thing, and words cannot be joined."""

UNITS = ("self.unit", "account.unit", "unit")
"""Expressions for a unit, in the files that print one."""

KINDS = ("record", "feature", "person")
"""What ``unit.kind`` can be."""

FAULT = ("regions/validity.py", "RingError")
"""An error that keeps a part of its sentence for others, in ``fault``."""

BLANK = re.compile(r"\{(\d+)\}")
DEEPEST = 12
HOLE = (None,)
"""A pattern with a value alone. A pattern is a tuple of texts, values and choices of patterns."""


class Choice(tuple):
    """Patterns of which one stands in a blank."""

    @property
    def is_ending(self):
        """Tell whether one of them goes on with the word before, as the s of a plural does."""
        return any(piece and isinstance(piece[0], str) and piece[0][0].isalpha() for piece in self)


class Module:
    """One file of the core."""

    def __init__(self, path):
        self.path = path
        self.tree = ast.parse((CORE / path).read_text(encoding="utf-8"))
        self.parents = {
            child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)
        }
        self.functions, self.classes, self.names, self.imports = {}, {}, {}, {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                self.functions.setdefault(node.name, node)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, ast.ImportFrom) and node.level:
                self._note_import(node)
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.names[node.targets[0].id] = node.value

    def _note_import(self, node):
        folder = Path(self.path).parent
        for _ in range(node.level - 1):
            if folder == Path():
                return  # beyond the core
            folder = folder.parent
        place = (folder / (node.module or "").replace(".", "/")).with_suffix(".py")
        for alias in node.names:
            self.imports[alias.asname or alias.name] = place.as_posix(), alias.name

    def around(self, node, kind=ast.FunctionDef):
        """Return the function, or class, that a node stands in; None outside of all."""
        while node is not None and not isinstance(node, kind):
            node = self.parents.get(node)
        return node

    def calls(self, name):
        return [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call) and _called(node.func) == name
        ]


@functools.cache
def module(path):
    return Module(path) if (CORE / path).is_file() else None


def _called(function):
    return getattr(function, "id", getattr(function, "attr", ""))


def joined(*patterns):
    """Join patterns: neighbouring texts become one, as do a word and its ending."""
    parts = []
    for part in (piece for pattern in patterns for piece in pattern):
        last = parts[-1] if parts else None
        if isinstance(part, str) and isinstance(last, str):
            parts[-1] += part
        elif isinstance(part, Choice) and isinstance(last, Choice) and part.is_ending:
            parts[-1] = Choice(joined(one, two) for two in part for one in last)
        elif part != "":
            parts.append(part)
    return tuple(parts)


def one_of(patterns):
    """Make a pattern for any of several; a value comes last, since it can be anything."""
    listed = sorted(dict.fromkeys(patterns), key=lambda pattern: pattern == HOLE)
    if len(listed) == 1:
        return listed[0]
    if HOLE in listed and not any(isinstance(part, str) for pattern in listed for part in pattern):
        return HOLE
    return (Choice(listed),)


class Reader:
    """Turns expressions of one file into the patterns of what they can be."""

    def __init__(self, home, seen=frozenset(), depth=0):
        self.home, self.seen, self.depth = home, seen, depth

    def _deeper(self, home=None, seen=()):
        return Reader(home or self.home, self.seen | set(seen), self.depth + 1)

    def patterns(self, node):
        """Return every pattern of an expression; a value where nothing is known about it."""
        if self.depth > DEEPEST:
            return [HOLE]
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        return (method(node) if method else None) or [HOLE]

    def pattern(self, node):
        return one_of(self.patterns(node))

    def _constant(self, node):
        return [joined((node.value,))] if isinstance(node.value, str) else None

    def _joinedstr(self, node):
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append((value.value,))
            elif value.conversion != -1 or value.format_spec or _in_backticks(parts):
                parts.append(HOLE)
            else:
                parts.append(self.pattern(value.value))
        return [joined(*parts)]

    def _ifexp(self, node):
        return self.patterns(node.body) + self.patterns(node.orelse)

    def _boolop(self, node):
        return [pattern for value in node.values for pattern in self.patterns(value)]

    def _binop(self, node):
        if not isinstance(node.op, ast.Add):
            return None
        return [joined(self.pattern(node.left), self.pattern(node.right))]

    def _name(self, node):
        if (unit := self._unit(node)) is not None:
            return unit
        function = self.home.around(node)
        while function is not None:
            patterns = self._local(function, node.id)
            if patterns is not None:
                return patterns
            function = self.home.around(self.home.parents.get(function))
        if node.id in self.home.names:
            return self._deeper().patterns(self.home.names[node.id])
        home, name = self._imported(node.id)
        return (
            self._deeper(home).patterns(home.names[name]) if home and name in home.names else None
        )

    def _imported(self, name):
        path, name = self.home.imports.get(name, ("", name))
        return (module(path) if path else None), name

    def _local(self, function, name):
        """Return what a name can be inside a function, or None if it is not given there."""
        arguments = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        for place, argument in enumerate(arguments):
            if argument.arg == name:
                return self._parameter(function, place, argument)
        patterns, more = [], []
        for node in ast.walk(function):
            if node in self.seen:
                continue
            if isinstance(node, ast.Assign) and any(map(_is(name), node.targets)):
                patterns += self._deeper(seen=[node]).patterns(node.value)
            elif isinstance(node, ast.Assign) and any(map(_has(name), node.targets)):
                patterns += self._deeper(seen=[node])._unpacked(node, name)
            elif isinstance(node, ast.AugAssign) and _is(name)(node.target):
                more += self._deeper(seen=[node]).patterns(node.value)
            elif isinstance(node, ast.For) and _is(name)(node.target):
                patterns += self._deeper(seen=[node]).patterns(node.iter)
        if not patterns:
            return None
        return [joined(one_of(patterns), one_of([*more, ()]))] if more else patterns

    def _unpacked(self, node, name):
        value = node.value
        if isinstance(value, ast.GeneratorExp):
            return self.patterns(value.elt)
        place = [
            element.id for element in node.targets[0].elts if isinstance(element, ast.Name)
        ].index(name)
        if isinstance(value, ast.Tuple):
            return self.patterns(value.elts[place])
        return [HOLE]

    def _parameter(self, function, place, argument):
        """Return what a private function is called with in its file; of others nothing is known."""
        name = function.name
        if name == "__init__":
            name, place = self.home.around(function, ast.ClassDef).name, place - 1
        elif not name.startswith("_"):
            return [HOLE]
        if argument.annotation is None or ast.unparse(argument.annotation) != "str":
            return [HOLE]
        values = []
        for call in self.home.calls(name):
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            if place < len(call.args):
                values.append(call.args[place])
            elif argument.arg in given:
                values.append(given[argument.arg])
        deeper = self._deeper(seen=values)
        return [pattern for value in values for pattern in deeper.patterns(value)]

    def _call(self, node):
        function = node.func
        name = _called(function)
        if isinstance(function, ast.Attribute):
            if name == "get" and (values := self._values(function.value)):
                return [
                    pattern
                    for value in (*values, *node.args[1:])
                    for pattern in self.patterns(value)
                ]
            return None
        if name == "Phrase":
            return self._phrase(node)
        if name in self.home.functions:
            return self._deeper().returned(self.home.functions[name])
        home, name = self._imported(name)
        if home is not None and name in home.functions:
            return self._deeper(home).returned(home.functions[name])
        return None

    def returned(self, function):
        """Return what a function that says something returns, or yields."""
        if not re.search("str|Phrase", ast.unparse(function.returns or ast.Constant(""))):
            return None
        return [
            pattern
            for node in ast.walk(function)
            if isinstance(node, (ast.Return, ast.Yield)) and not _is_none(node.value)
            for pattern in self.patterns(node.value)
        ]

    def _phrase(self, node):
        """Read ``Phrase("{1} × {2} cells", …)``, with the arguments in the numbered blanks."""
        arguments = node.args[1:]
        known = next(
            (
                place
                for place, argument in enumerate(arguments)
                if isinstance(argument, ast.Starred)
            ),
            len(arguments),
        )
        filled = []
        for pattern in self.patterns(node.args[0]):
            first, *others = BLANK.split(pattern[0] if pattern else "")
            parts = [(first,)]
            for number, text in zip(others[::2], others[1::2]):
                place = int(number) - 1
                parts += [self.pattern(arguments[place]) if place < known else HOLE, (text,)]
            filled.append(joined(*parts))
        return filled

    def _values(self, node):
        """Return expressions in a dict or tuple that is written out; empty if it is not."""
        if isinstance(node, ast.Dict):
            return node.values
        if isinstance(node, ast.Name) and node.id in self.home.names:
            return self._values(self.home.names[node.id])
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            rows = self._values(node.value)
            return [row.elts[node.slice.value] for row in rows if isinstance(row, ast.Tuple)]
        if isinstance(node, ast.Subscript):
            return self._values(node.value)
        return []

    def _subscript(self, node):
        return [pattern for value in self._values(node) for pattern in self.patterns(value)]

    def _unit(self, node):
        prints = self.home.path in ("privacy/account.py", "releases/verification.py")
        if not prints or ast.unparse(node) not in UNITS:
            return None
        return [(Choice([tuple(map(Choice, UNIT))]),)]

    def _attribute(self, node):
        if (unit := self._unit(node)) is not None:
            return unit
        if node.attr == "fault":
            home = module(FAULT[0])
            function = home.classes[FAULT[1]].body[-1]
            return self._deeper(home)._local(function, "fault")
        if node.attr == "kind" and ast.unparse(node).endswith("unit.kind"):
            return [(kind,) for kind in KINDS]
        if node.attr not in PROPERTIES:
            return None
        path, name = PROPERTIES[node.attr]
        home = module(path)
        return self._deeper(home).returned(home.functions[name])


def _is(name):
    return lambda target: isinstance(target, ast.Name) and target.id == name


def _has(name):
    return lambda target: isinstance(target, ast.Tuple) and any(map(_is(name), target.elts))


def _is_none(node):
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _in_backticks(parts):
    """Tell whether what comes next is a name of Python's, which has words in the dialog."""
    written = "".join(part for pattern in parts for part in pattern if isinstance(part, str))
    return written.count("`") % 2 == 1


def spoken(home):
    """Collect the patterns of all sentences of one file."""
    reader = Reader(home)
    for node in ast.walk(home.tree):
        if isinstance(node, ast.Call):
            yield from _of_call(reader, node)
    for name in SPOKEN.get(home.path, ()):
        yield from reader.returned(home.functions[name]) or ()
    for name in LISTED.get(home.path, ()):
        yield from _of_lists(reader, home.functions[name])
    if home.path == VIEWS:
        for view in home.names["VIEWS"].values:
            for argument in view.args[2:]:
                yield from reader.patterns(argument)


def _of_call(reader, node):
    name = _called(node.func)
    if name in ERRORS and node.args:
        yield from reader.patterns(node.args[0])
    elif name == "__init__" and node.args and reader.home.around(node, ast.ClassDef):
        bases = [_called(base) for base in reader.home.around(node, ast.ClassDef).bases]
        if set(bases) & set(ERRORS):
            yield from reader.patterns(node.args[0])


def _of_lists(reader, function):
    for node in ast.walk(function):
        if isinstance(node, ast.List):
            for element in node.elts:
                yield from reader.patterns(element)
        elif isinstance(node, ast.Call) and _called(node.func) == "append":
            yield from reader.patterns(node.args[0])


def phrases(home):
    """Collect templates of all phrases of one file, and names of facts; None for one not known."""
    reader = Reader(home)
    for node in ast.walk(home.tree):
        if isinstance(node, ast.Call) and _called(node.func) == "Phrase":
            for pattern in reader.patterns(node.args[0]):
                yield None if None in pattern else "".join(pattern)
        elif isinstance(node, ast.Call) and _called(node.func) == "Fact":
            if isinstance(node.args[2], ast.Constant):
                yield node.args[2].value
        elif isinstance(node, ast.FunctionDef) and node.name in CELL_FACTS:
            yield from (_label(part) for part in ast.walk(node) if _label(part))
    for name in TEMPLATES.get(home.path, ()):
        listed = ast.literal_eval(home.names[name])
        listed = listed.values() if isinstance(listed, dict) else listed
        yield from [listed] if isinstance(listed, str) else listed


def _label(node):
    """Return the name of a fact, where that stands with its text and its value; else nothing."""
    if isinstance(node, ast.Tuple) and len(node.elts) == 3:
        return getattr(node.elts[0], "value", "")
    return ""


def template(pattern):
    """Write ``[text, {number: templates}]``: numbered blanks, with the words that some can hold."""
    text, choices, number = "", {}, 0
    for part in pattern:
        if isinstance(part, str):
            text += part
            continue
        number += 1
        text += f"{{{number}}}"
        if part is not None:
            choices[str(number)] = [template(alternative) for alternative in part]
    return [text, choices]


_SPACED = re.compile("[:;?!]")
"""Marks that languages put spaces around, each as it does: of phrases that are nothing else."""


def says_something(text):
    return re.search(r"[^\W\d_]", re.sub(r"\{\d+\}", "", text)) is not None


def templates():
    """Collect every template of a sentence once: text to ``(file that says it first, words)``."""
    collected = {}
    for home in modules():
        for pattern in spoken(home):
            text, choices = template(pattern)
            if not says_something(text) and (None in pattern or not choices):
                continue  # a value alone, which no words tell from others
            known = collected.setdefault(text, (f"core/{home.path}", {}))
            for number, listed in choices.items():
                mine = known[1].setdefault(number, [])
                mine += [sentence for sentence in listed if sentence not in mine]
    return collected


def modules():
    return [module(path.relative_to(CORE).as_posix()) for path in sorted(CORE.rglob("*.py"))]


def texts(collected):
    """List every text of the core that must be translated, with the file that says it first."""
    listed = {}

    def note(text, choices, place):
        if says_something(text):
            listed.setdefault(text, place)
        for alternatives in choices.values():
            for alternative in alternatives:
                note(*alternative, place)

    for text, (place, choices) in collected.items():
        note(text, choices, place)
    for home in modules():
        if home.path not in PHRASES:
            for text in filter(None, phrases(home)):
                if says_something(text) or _SPACED.search(text):
                    listed.setdefault(text, f"core/{home.path}")
    return listed
