"""Settings of the documentation site: ``make docs`` builds it, strictly and without a network."""

from __future__ import annotations

import sys
from importlib.metadata import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from geodp.core.common.version import __version__

project = "geodp"
author = "the geodp contributors"
release = version = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "README.md"]
source_suffix = {".md": "markdown"}
root_doc = "index"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autosummary_generate = False
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# Names that people use for the classes they know; nothing is looked up on the web.
add_function_parentheses = False

html_theme = "pydata_sphinx_theme"
html_title = "geodp"
html_show_sourcelink = False
html_copy_source = False
_addresses = (each.split(", ", 1) for each in metadata("geodp").get_all("Project-URL", []))
html_theme_options = {
    "external_links": [{"name": name, "url": address} for name, address in _addresses],
    "navigation_with_keys": True,
    "header_links_before_dropdown": 6,
    # How-tos are short, and have a column already: commands need the room of another.
    "secondary_sidebar_items": {"*": ["page-toc"], "howto/*": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Only the how-tos are a section; elsewhere an empty column would take room from the text.
html_sidebars = {"*": [], "howto/*": ["sidebar-nav-bs"]}
html_context = {"default_mode": "auto"}
copyright = "the geodp contributors, MIT licence"
