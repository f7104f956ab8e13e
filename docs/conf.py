"""The site: `make docs` builds it from Markdown pages and docstrings, without a network.

The source folder is the repository, so that the relative links of a page are the same on the site and on a code host.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import metaheur  # noqa: E402

project = "metaheur"
author = copyright = "The metaheur developers"
release = version = metaheur.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_copybutton",
    "building.reference",
    "building.twins",
]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "tests/benchmarks/*.md"]
exclude_patterns = [".*", "build", "dist", "metaheur", "neighborhoods", "parallel", "problems", "**/.*"]

default_role = "py:obj"  # `Swap` in a docstring is a link where Swap is on a page, otherwise code
add_module_names = False
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_inherit_docstrings = False  # a member that says nothing new is left out
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
numpydoc_show_class_members = False
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
nitpick_ignore_regex = [
    # Other projects' names: nothing is fetched while the site is built.
    (r"py:class", r"(np|numpy|collections|concurrent|pathlib|os|abc|enum|fractions|functools|contextlib)\..*|PathLike"),
    # Types in signatures that have no page, because users meet them nowhere else.
    (r"py:class", r"metaheur\..*|[A-Z]\w*"),
]

html_theme = "furo"
html_title = "metaheur"
html_copy_source = html_show_sourcelink = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
copybutton_exclude = ".linenos, .gp, .go"
