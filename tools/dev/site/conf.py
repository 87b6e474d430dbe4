"""How Sphinx makes the site; `python -m tools.dev.site` calls it and says where the rulebooks are."""

from __future__ import annotations

import os

from rulespec.system.version import __version__

project = "Rulespec"
author = "the Rulespec authors"
release = __version__
extensions = ["myst_parser", "tools.dev.site.pages"]
root_doc = "docs/README"
source_suffix = {".md": "markdown"}
include_patterns = ["docs/**", "*.md", "interpreter/README.md", "games/*/README.md"]
exclude_patterns = [".*", "dist", "build", "node_modules"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["toc.not_included", "myst.header", "misc.highlighting_failure"]
html_theme = "furo"
html_title = "Rulespec"
html_show_sphinx = False
html_copy_source = False
html_extra_path = [os.environ.get("RULESPEC_SITE_EXTRA", "")]
