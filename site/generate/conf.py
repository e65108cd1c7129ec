# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings of the site, for one language at a time."""

import os

language = {"en": "en", "zh": "zh_CN"}[os.environ["ZTL_LANGUAGE"]]
project, author, release = "TensorLoad (Ztl)", "The Ztl project", os.environ["ZTL_VERSION"]
extensions = ["myst_parser"]
if os.environ.get("ZTL_XML"):
    extensions.append("breathe")
    breathe_projects = {"ztl": os.environ["ZTL_XML"]}
    breathe_default_project = "ztl"
    breathe_domain_by_extension = {"h": "c"}
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
suppress_warnings = ["myst.header", "myst.xref_missing", "misc.highlighting_failure", "toc.excluded",
                     "image.not_readable", "duplicate_declaration.c"]
html_theme = "alabaster"
html_theme_options = {"fixed_sidebar": False, "page_width": "1100px", "sidebar_width": "230px",
                      "font_family": "system-ui, sans-serif", "head_font_family": "system-ui, sans-serif",
                      "show_powered_by": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = html_show_copyright = html_copy_source = False
highlight_language = "none"
