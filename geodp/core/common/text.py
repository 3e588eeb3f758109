r"""Text from elsewhere: what may stand in a file, and what may reach a page, a style or a terminal.

Names of groups, titles and the like are somebody's words, and a file may come from a stranger. They
are checked where a file is opened (:func:`is_line`), and made harmless where they leave: one
function for each kind of place.
"""

from __future__ import annotations

import html
import re

LONGEST = 1000
"""Characters of a line of text in a file."""

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that move a terminal's cursor, change colours or turn the direction of writing."""

_SPACES = re.compile("[\u00a0\u00ad\u1680\u2000-\u200a\u200c\u200d\u202f\u205f\u3000]")
"""Spaces that Python does not call printable, and names have."""

_FORMULA = re.compile("(^|[;\t\r\n])([ '\"\t\r\n\u00a0]*[=+@\uff1d\uff0b\uff0d\uff20-])")
"""Beginnings of what a spreadsheet may take for a formula."""

_BREAKS = {ord(space): f"&#{ord(space)};" for space in "\t\n\r"}
"""Breaks as they must stand in an attribute, where a parser would take them for spaces."""

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def is_line(text: object, longest: int = LONGEST) -> bool:
    r"""Tell whether it is one line of printable text that is not too long.

    Spaces of any width, and what joins or parts letters in some scripts, may stand in names.

    Examples
    --------
    >>> is_line("Überfall"), is_line("a\x1b[2Jb"), is_line("a\nb"), is_line("a" * 2000), is_line(7)
    (True, False, False, False, False)
    """
    if not isinstance(text, str) or len(text) > longest:
        return False
    return text.isprintable() or _SPACES.sub("", text).isprintable()


def for_page(text: str) -> str:
    """Escape text for HTML behind a template, as folium's is: no tag and no brace is left.

    Examples
    --------
    >>> for_page("{{ 7 * 7 }} <b>")
    '&#123;&#123; 7 * 7 &#125;&#125; &lt;b&gt;'
    """
    return html.escape(text).replace("{", "&#123;").replace("}", "&#125;")


def for_xml(text: str) -> str:
    """Escape text of an element for QGIS, which would evaluate what is between ``[%`` and ``%]``.

    Examples
    --------
    >>> for_xml("a < b [% env('HOME') %]")
    "a &lt; b [ % env('HOME') %]"
    """
    return html.escape(for_qgis(text), quote=False)


def for_attribute(text: str) -> str:
    """Return the same as the value of an attribute, with its quotation marks.

    Examples
    --------
    >>> print(for_attribute('a "b" <c>'))
    'a "b" &lt;c&gt;'
    """
    value = html.escape(for_qgis(text), quote=False).translate(_BREAKS)
    if '"' not in value:
        return f'"{value}"'
    return '"' + value.replace('"', "&quot;") + '"' if "'" in value else f"'{value}'"


def for_terminal(text: str) -> str:
    r"""Write text for a terminal: what would steer it is written as in JSON.

    Examples
    --------
    >>> print(for_terminal("a\x1b[2Jb"))
    a\u001b[2Jb
    """
    return _CONTROLS.sub(lambda control: f"\\u{ord(control[0]):04x}", text)


def for_spreadsheet(text: str) -> str:
    """Escape text for a spreadsheet, which would take what begins with ``=`` for a formula.

    An apostrophe before it says that it is text. Some programs part a line at other marks than the
    commas of the file, so that a formula may begin after those too.

    Examples
    --------
    >>> for_spreadsheet("=HYPERLINK(0)"), for_spreadsheet("a;=1+1"), for_spreadsheet("Baden-Baden")
    ("'=HYPERLINK(0)", "a;'=1+1", 'Baden-Baden')
    """
    return _FORMULA.sub(r"\1'\2", text)


def for_qgis(text: str) -> str:
    """Escape a name or title for QGIS, in which no expression is evaluated.

    Examples
    --------
    >>> for_qgis("a [% env('HOME') %]")
    "a [ % env('HOME') %]"
    """
    return _NOT_IN_XML.sub("", text).replace("[%", "[ %")
