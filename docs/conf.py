"""Sphinx: pages, notebooks and the reference of the Python API, as a site (`make docs`).

The site asks no other host: Furo brings its own style and no fonts, and the search runs in the
browser.
"""

import gc
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from docutils.nodes import document
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from marubatsu import __version__

gc.disable()  # Sphinx keeps nearly all that it makes; to look for garbage took a third of the time.

project = "marubatsu"
author = "The marubatsu developers"
release = version = __version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.mermaid"]
exclude_patterns = ["_build"]
suppress_warnings = [
    "misc.highlighting_failure",  # what a command prints is no language
    "ref.python",  # a public class is described with the others and in its own module
]

myst_fence_as_directive = ["mermaid"]  # as the host of the repository draws it
myst_heading_anchors = 3

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_use_type_comments = False  # To look for them parses every function once more.
autodoc_mock_imports = ["pyspark", "matplotlib", "mcp"]  # need not be installed

toc_object_entries = False  # Every page would list the functions of all modules.

html_theme = "furo"
html_title = "marubatsu"
html_static_path = ["pictures"]
html_extra_path = ["audit.schema.json"]
html_show_sourcelink = False
html_copy_source = False

_ELSEWHERE = {"dictionary": "../data/README.md", "changelog": "../CHANGELOG.md"}
"""Pages of the site whose text is in another folder."""

FLOORS = tuple(f"marubatsu.{floor}" for floor in ("engine", "pipeline", "judge", "web", "cli"))

_LINKS = (
    *((rf"\]\({re.escape(file)}", f"]({page}.md") for page, file in _ELSEWHERE.items()),
    (r'"pictures/', '"_static/'),
    (r"\[([^\]]+)\]\(\.\./[\w/]+/\)", r"`\1`"),  # a folder is no page
    (r"(\[[^\]]*[\u3040-\u9fff][^\]]*\]\(notebooks/)(\w+)\.py\)", r"\1ja/\2.md)"),
    (r"\]\(notebooks/(\w+)\.py\)", r"](notebooks/en/\1.md)"),
)
"""What leads out of this folder, and where it leads in the site."""


def setup(app: Sphinx) -> None:
    """Make pages of the rooms, read pages of other folders, and let links stay in the site."""
    app.connect("builder-inited", _write_rooms)
    app.connect("source-read", _stay_inside)
    app.connect("doctree-read", _link_full_names)
    app.connect("html-page-context", _say_language)


def _write_rooms(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "modules"
    folder.mkdir(exist_ok=True)
    for room in FLOORS:
        _write_room(room, folder)


def _write_room(name: str, folder: Path) -> None:
    """Write a page with all modules of a room; with a page each, every page would list them all."""
    inside = [*iter_modules(import_module(name).__path__, f"{name}.")]
    rooms = [each.name for each in inside if each.ispkg]
    parts = [_title(name, "="), f".. automodule:: {name}"]
    for module in (each.name for each in inside if not each.ispkg):
        parts += [
            _title(module.removeprefix(f"{name}."), "-"),
            f".. automodule:: {module}\n   :members:\n   :show-inheritance:",
        ]
    if rooms:
        entries = (f"   {room.removeprefix(f'{name}.')} <{room}>" for room in rooms)
        parts.append("\n".join([".. toctree::", "   :maxdepth: 2", "", *entries]))
    for room in rooms:
        _write_room(room, folder)
    (folder / f"{name}.rst").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _title(name: str, line: str) -> str:
    title = name.replace("_", r"\_")
    return f"{title}\n{line * len(title)}"


def _stay_inside(app: Sphinx, name: str, source: list[str]) -> None:
    if name in _ELSEWHERE:
        source[0] = (Path(app.srcdir) / _ELSEWHERE[name]).read_text(encoding="utf-8")
    for pattern, inside in _LINKS:
        source[0] = re.sub(pattern, inside, source[0])


def _link_full_names(app: Sphinx, tree: document) -> None:
    """Look types up by their full names, which autodoc writes, and not by the ends of all names."""
    for link in tree.findall(pending_xref):
        link.attributes.pop("refspecific", None)


def _say_language(
    app: Sphinx, name: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Tell browsers which pages are Japanese: they choose letters and voices by that."""
    if name.startswith("notebooks/ja/"):
        context["language"] = "ja"
