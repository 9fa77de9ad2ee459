"""How the site is built: `sphinx-build -W -b html docs build/site`. Nothing is fetched, no notebook is run."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lawful import __doc__ as about  # noqa: F401  (the package has to be installed: say so now, not page by page)

project = "lawful"
author = copyright = "the authors of lawful"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "site_pages",
]
exclude_patterns = ["schema", "site_pages", "README.md", "Thumbs.db", ".DS_Store"]
suppress_warnings = ["mystnb.unknown_mime_type"]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks are committed with their output, and run in the tests

napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_typehints = "none"  # the sections of the docstrings say them
autodoc_member_order = "bysource"
default_role = "code"

html_theme = "furo"
html_title = "lawful"
html_copy_source = False
html_show_sphinx = False
