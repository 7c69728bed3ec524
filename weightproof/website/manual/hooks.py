"""What MkDocs is told beside its configuration: which files of the checkout are pages, and where they lead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page

from weightproof.document.mathml import mathml
from weightproof.website.manual.building import CHECKOUT
from weightproof.website.manual.notebook import as_markdown

DOCS = "docs/"
BESIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")
FOLDERS = ("docs/*.md", "docs/*.ipynb", "findings/*.md", "findings/*/*.md", "benchmarks/pictures/*.png")
CLAIMS = "findings/claims/"
"""What papers print, judged: each paper has its page in the site."""
ABOVE = "above/"
"""Stands for the folder of the site, which is that above the manual: links of MkDocs do not lead out of its own."""
FORMULA = re.compile(r"\$<code>(.*?)</code>\$")
NAMELESS = re.compile(r"<thead>\s*<tr>(?:\s*<th[^>]*></th>)+\s*</tr>\s*</thead>")


class OfTheSite(File):
    """A page that is not of the manual, one folder above it."""

    def is_documentation_page(self) -> bool:
        return False

    def copy_file(self, dirty: bool = False) -> None:
        """It is there."""


class Notebook(File):
    """A notebook with its outputs, as a page."""

    def is_documentation_page(self) -> bool:
        return True


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Every file at its place in the checkout, so that links lead where they lead there."""
    theme = [each for each in files if each.src_dir != config.docs_dir]
    return Files([*theme, *_of_the_checkout(config.site_dir)])


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    nav.items.append(Link("All that is proved", "../index.html"))
    return nav


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links to the site lead there, formulas are set, and a table without names of columns has no line for them."""
    html = re.sub(rf'(href="(?:\.\./)*){ABOVE}', r"\1../", html)
    return NAMELESS.sub("", FORMULA.sub(lambda found: mathml(unescape(found[1])), html))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """What the theme calls a dialog has a name."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)


def _of_the_checkout(site: str) -> Iterator[File]:
    for path in (
        *map(CHECKOUT.joinpath, BESIDE),
        *(each for folder in FOLDERS for each in sorted(CHECKOUT.glob(folder))),
    ):
        name = path.relative_to(CHECKOUT).as_posix()
        if name.startswith(CLAIMS) and path.stem != "README":
            yield OfTheSite(name, str(CHECKOUT), site, False, dest_uri=f"{ABOVE}paper-{path.stem}.html")
            continue
        file = File(name, str(CHECKOUT), site, False)
        if path.suffix == ".ipynb":
            file = Notebook(name, str(CHECKOUT), site, False)
            file.content_string = as_markdown(path.read_bytes())
        file.dest_uri = file.dest_uri.removeprefix(DOCS)
        yield file
