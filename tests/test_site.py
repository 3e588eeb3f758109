"""The documentation site: it builds without a warning, and all its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import geodp

ROOT = Path(__file__).resolve().parents[1]


class Page(HTMLParser):
    """Links, names and what is loaded of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.names |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("script", "img", "link"):
            self.loaded += [attributes[name] for name in ("src", "href") if name in attributes]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Build the site as ``make docs`` does: a warning is an error."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(target)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    paths = (path for path in site.rglob("*.html") if "_static" not in path.parts)
    return {path: Page(path.read_text(encoding="utf-8")) for path in paths}


@pytest.mark.slow
def test_every_link_leads_somewhere(site, pages):
    checked = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), f"{path.relative_to(site)}: {link}"
            if parts.fragment and target in pages:
                names = pages[target].names
                assert unquote(parts.fragment) in names, f"{path.relative_to(site)}: {link}"
            checked += 1
    assert checked > 200


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(pages):
    for path, page in pages.items():
        for source in page.loaded:
            parts = urlsplit(source)
            assert not parts.scheme or parts.scheme == "data", f"{path.name}: {source}"
            assert (path.parent / unquote(parts.path)).exists(), f"{path.name}: {source}"


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site):
    text = (site / "api.html").read_text(encoding="utf-8")
    documented = set(re.findall(r'id="geodp\.(\w+)"', text))
    assert documented == set(geodp.__all__) - {"__version__"}


@pytest.mark.slow
def test_every_page_is_reached_from_the_first(site, pages):
    reached, waiting = set(), [site / "index.html"]
    while waiting:
        path = waiting.pop()
        if path in reached or path not in pages:
            continue
        reached.add(path)
        links = (urlsplit(link) for link in pages[path].links)
        waiting += [
            (path.parent / unquote(link.path)).resolve()
            for link in links
            if link.path and not link.scheme
        ]
    expected = {path.with_suffix(".html").name for path in (ROOT / "docs").rglob("*.md")}
    assert {path.name for path in reached} >= expected - {"README.html"}
