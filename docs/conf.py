"""How Sphinx builds the documentation."""

from importlib.metadata import version as version_of

project = "perfectplay"
author = "the perfectplay authors"
copyright = "2026, the perfectplay authors"
release = version = version_of("perfectplay")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"perfectplay {release}"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
default_role = "code"
nitpicky = True
