"""Every page in a real browser: nothing is asked of any other place, nothing is wider than a phone, and what axe checks
of accessibility holds in light and dark colours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import Browser, browser, needs_browser
from tests.support.places import ROOT
from weightproof.website.building import Site

pytestmark = [pytest.mark.xdist_group("site"), needs_browser]
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="npm install --prefix build/axe axe-core was not run")
PHONE, DESK = 390, 1440
"""Pixels across."""
CHECK = """axe.run(document, { resultTypes: ["violations"] }).then((found) =>
  found.violations.map((each) => [each.id, each.nodes.length, each.nodes[0].html.slice(0, 200)]))"""


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as one:
        yield one


def pages(site: Site) -> list[Path]:
    found = [path for path in site.files if path.suffix == ".html"]
    assert len(found) > 4
    return found


def violations(opened: Browser) -> list[Any]:
    opened.evaluate(f"{AXE.read_text()}; null")
    found: list[Any] = opened.evaluate(CHECK)
    return found


def elsewhere(opened: Browser, folder: Path) -> list[str]:
    """What the page has asked for that is no file of the site."""
    own = f"{folder.resolve().as_uri()}/"
    return [each for each in opened.requests if not each.startswith((own, "data:"))]


def test_nothing_is_asked_of_any_other_place_and_no_script_fails(opened: Browser, site: Site) -> None:
    for path in pages(site):
        opened.open(path)
        opened.evaluate("null")
        assert path.resolve().as_uri() in opened.requests
        assert elsewhere(opened, site.folder) == []
        assert opened.complaints == []


def test_no_page_is_wider_than_a_phone(opened: Browser, site: Site) -> None:
    for path in pages(site):
        opened.open(path, width=PHONE)
        assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE, path
        hidden = "[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth)"
        assert opened.evaluate(f"{hidden}.every((each) => each.tabIndex === 0)"), path


def test_the_catalogue_fits_a_desk_and_its_longest_list_has_room(opened: Browser, site: Site) -> None:
    opened.open(site.folder / "index.html", width=DESK)
    frames = "[...document.querySelectorAll('#catalogue ~ .wide')]"
    assert opened.evaluate(f"{frames}.length") > 0
    assert opened.evaluate(f"{frames}.every((each) => each.scrollWidth <= each.clientWidth)")
    shares = opened.evaluate(
        f"{frames}.map((each) => each.querySelector('th:nth-child(3)').clientWidth / each.clientWidth)"
    )
    assert min(shares) > 0.35


def test_rows_of_many_columns_stay_low_on_a_phone(opened: Browser, site: Site) -> None:
    opened.open(site.folder / "full-adder.html", width=PHONE)
    assert opened.evaluate("""Math.max(...[...document.querySelectorAll("tbody tr")]
      .filter((each) => each.cells.length === 6).map((each) => each.clientHeight))""") in range(20, 130)


@needs_axe
def test_axe_finds_nothing_in_light_colours(opened: Browser, site: Site) -> None:
    for path in pages(site):
        opened.open(path, width=PHONE)
        assert violations(opened) == [], path


@needs_axe
def test_axe_finds_nothing_in_dark_colours(opened: Browser, site: Site) -> None:
    """Of two pages that have all that others have: what is written is the same in both schemes."""
    for name in ("index.html", "one.html"):
        opened.open(site.folder / name, width=DESK, dark=True)
        assert opened.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert violations(opened) == [], name


@needs_axe
def test_what_is_planted_is_found(opened: Browser, site: Site) -> None:
    page = site.folder / "index.html"
    opened.open(page)
    opened.evaluate("document.querySelector('main p').style.color = '#ccc'")
    assert [each[0] for each in violations(opened)] == ["color-contrast"]
    opened.open(page)
    opened.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert "label" in [each[0] for each in violations(opened)]
    opened.open(page)
    asked = "http://127.0.0.1:9/x"
    opened.evaluate(f"new Promise((done) => Object.assign(new Image(), {{ onerror: done, src: '{asked}' }}))")
    assert elsewhere(opened, site.folder) == [asked]
