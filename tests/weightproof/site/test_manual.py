"""The manual: every page leads somewhere, none asks anything of any other place, what Python has is on its page, and
where there is nothing to make it of, it is left out and that is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib
import pytest

import weightproof as wp
from tests.support.browser import Browser, browser, needs_browser
from tests.support.places import ROOT
from tests.weightproof.site.test_in_browser import DESK, PHONE, elsewhere, needs_axe, violations
from weightproof.cli import main
from weightproof.constructions.scalars.grammar import WORDS, expression
from weightproof.proofs.claims.judging import VerdictName
from weightproof.proofs.verdict import Counterexample, Evidence, WrongStep
from weightproof.website import building
from weightproof.website.building import Site, built_of
from weightproof.website.manual.building import Unbuildable, manual

pytestmark = pytest.mark.xdist_group("manual")
PAPERS = {path.stem for path in (ROOT / "findings" / "claims").glob("*.md")} - {"README"}
BESIDE = {"index.html", "wide.js", *(f"paper-{name}.html" for name in PAPERS)}
"""Files of the site to which the manual leads."""
OF_EACH_KIND = ("index.html", "api.html", "notebook.html", "findings/trust/index.html")
"""Pages that have all that others have."""
QUICKLY = OF_EACH_KIND[2:]
"""Those of them that are checked for accessibility in `make test`, too."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site of no network with the manual."""
    return built_of((), (), tmp_path_factory.mktemp("site"), (), manual())


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as one:
        yield one


def pages(site: Site) -> list[Path]:
    found = sorted((site.folder / "manual").rglob("*.html"))
    assert len(found) > 40
    return found


def parsed(path: Path) -> Element:
    tree: Element = html5lib.parse(path.read_text(), namespaceHTMLElements=False)
    return tree


def broken(folder: Path) -> set[tuple[str, str]]:
    """Page and address of every link of the manual that leads to no file, or to no place in it; and of every file that
    a page takes from elsewhere. What a reader may follow to other places is in no page but by its whole address."""
    trees = {path: parsed(path) for path in (folder / "manual").rglob("*.html")}
    anchors = {path: {each.attrib["id"] for each in tree.iter() if "id" in each.attrib} for path, tree in trees.items()}
    found = set()
    for path, tree in trees.items():
        for element in tree.iter():
            for address in (element.attrib[name] for name in ("href", "src") if name in element.attrib):
                parts = urlsplit(address)
                to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                place = unquote(parts.fragment)
                if parts.scheme or parts.netloc:
                    known = parts.scheme == "data" or (element.tag == "a" and parts.scheme == "https")
                elif to.parent == folder.resolve():
                    known = to.name in BESIDE
                else:
                    known = to.is_file() and (not place or to not in trees or place in anchors[to] | {"__skip"})
                if not known:
                    found.add((path.relative_to(folder).as_posix(), address))
    return found


def test_every_link_leads_somewhere(made: Site) -> None:
    assert broken(made.folder) == set()
    to_manual = set(re.findall(r'href="(manual/[^"#]*)', (made.folder / "index.html").read_text()))
    assert {f"manual/{page}.html" for page in ("index", "cookbook", "findings/contest")} < to_manual
    assert all((made.folder / page).is_file() for page in to_manual), to_manual
    assert all(
        'href="' + "../" * len(path.relative_to(made.folder).parts[:-1]) + 'index.html"' in path.read_text()
        for path in pages(made)
    )


def test_a_link_that_leads_nowhere_is_found(made: Site, tmp_path: Path) -> None:
    page = tmp_path / "manual" / "formulas.html"
    page.parent.mkdir()
    whole = (made.folder / "manual" / "formulas.html").read_text()
    page.write_text(whole)
    before = broken(tmp_path)
    for planted in (
        '<img src="https://example.org/x.png" alt="">',
        '<a href="#nowhere">x</a>',
        '<a href="none.html">x</a>',
        '<a href="../none.html">x</a>',
    ):
        page.write_text(whole.replace("</article>", f"{planted}</article>"))
        assert len(broken(tmp_path) - before) == 1, planted


def nameless(path: Path) -> list[str]:
    """The columns and rows of tables that have a header without a letter, as all the headers of their row read."""
    rows = (["".join(each.itertext()).strip() for each in row.iter("th")] for row in parsed(path).iter("tr"))
    return [" | ".join(row) for row in rows if "" in row]


def test_every_column_has_a_name(made: Site, tmp_path: Path) -> None:
    """Without one, who hears the table does not learn what stands in the column."""
    for path in pages(made):
        assert nameless(path) == [], path
    page = tmp_path / "automata.html"
    page.write_text("<table><thead><tr><th>of a network</th><th> </th></tr></thead></table>")
    assert nameless(page) == ["of a network | "]


def test_what_is_wrong_in_a_page_ends_the_making(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The page is that of another checkout, in which nothing else is."""
    from weightproof.website.manual import building as making

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A page\n\n[nowhere](none.md)\n")
    configuration = tmp_path / "manual.yml"
    configuration.write_text("site_name: x\nstrict: true\nvalidation: {links: {not_found: warn}}\n")
    monkeypatch.setattr(making, "CONFIGURATION", configuration)
    with pytest.raises(Unbuildable, match=r"index\.md.*none\.md"):
        manual.__wrapped__()


def test_pages_that_are_not_there_are_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from weightproof.website.manual import building as making

    monkeypatch.setattr(making, "CHECKOUT", tmp_path)
    assert manual.__wrapped__() == {}
    without = built_of((), (), tmp_path / "site")
    assert "manual" not in (tmp_path / "site" / "index.html").read_text()
    monkeypatch.setattr(building, "built", lambda folder, rows: without)
    main(["site", "-o", str(tmp_path / "site")])
    assert "Without the manual: " in capsys.readouterr().out


def test_nothing_of_anybody_else_is_overwritten(made: Site, capsys: pytest.CaptureFixture[str]) -> None:
    mine = made.folder / "manual" / "mine.txt"
    mine.write_text("")
    assert main(["site", "-o", str(made.folder)]) == 2
    assert "it holds manual/mine.txt, which is no file of this site" in capsys.readouterr().err
    mine.unlink()


def test_what_python_has_is_on_its_page(made: Site) -> None:
    described = re.findall(r"^::: weightproof\.(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE)
    assert len(described) == len({*described})
    assert {*described} == {*wp.__all__, "claims"} | {name for name in dir(wp) if name in wp._WITH_TORCH}
    written = (made.folder / "manual" / "api.html").read_text()
    assert all(f'id="weightproof.{name}"' in written for name in described)
    assert "Written" not in written


def test_the_page_of_formulas_has_the_whole_language_and_nothing_else() -> None:
    page = (ROOT / "docs" / "formulas.md").read_text()
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    written = [text.strip('"') for row in rows for text in re.findall(r"`(.*?)`", row)]
    assert len(written) > 20
    for text in written:
        expression(text)
    assert {*WORDS, "n", "i", "d"} <= {*re.findall(r"\w+", " ".join(re.findall(r"`(.*?)`", page)))}


HIDING = """[...document.querySelectorAll(".wide, pre > code, .md-typeset__scrollwrap, .md-typeset__table")]
  .filter((each) => each.scrollWidth > each.clientWidth)"""


def quiet(opened: Browser, made: Site, path: Path) -> None:
    opened.open(path, width=PHONE)
    assert opened.evaluate(f"{HIDING}.every((each) => each.tabIndex === 0)"), path
    assert opened.evaluate("document.documentElement.scrollWidth") <= PHONE, path
    assert elsewhere(opened, made.folder) == [], path
    assert opened.complaints == [], path


def test_every_verdict_is_explained() -> None:
    page = (ROOT / "docs" / "verdicts.md").read_text()
    refuted = [Counterexample("x", "", {}, bits=bits, symbols=symbols) for bits in (None, 64) for symbols in (None, 9)]
    refuted.append(Counterexample.at(WrongStep(0, "h", "0", "1"), "x", ""))
    verdicts = ("proved", "refuted", "unknown", *get_args(VerdictName))
    for name in (*verdicts, *map(str, Evidence), *(found.evidence for found in refuted)):
        assert f"`{name}`" in page, name


@needs_browser
def test_what_a_frame_hides_is_reached_with_the_keyboard_by_the_script_of_the_site(made: Site, opened: Browser) -> None:
    opened.open(made.folder / "manual" / "api.html", width=PHONE)
    assert (made.folder / "wide.js").resolve().as_uri() in opened.requests
    assert opened.evaluate(f"{HIDING}.length") > 0


@needs_browser
def test_rows_of_many_columns_stay_low_on_a_phone(made: Site, opened: Browser) -> None:
    opened.open(made.folder / "manual" / "findings" / "contest.html", width=PHONE)
    assert opened.evaluate("""Math.max(...[...document.querySelectorAll("tbody tr")]
      .filter((each) => each.cells.length > 5).map((each) => each.clientHeight))""") in range(20, 90)


@needs_browser
def test_nothing_is_asked_of_any_other_place(made: Site, opened: Browser) -> None:
    for name in OF_EACH_KIND:
        quiet(opened, made, made.folder / "manual" / name)


@pytest.mark.controls
@needs_browser
def test_no_page_asks_anything_of_any_other_place(made: Site, opened: Browser) -> None:
    for path in pages(made):
        quiet(opened, made, path)


@needs_browser
def test_a_page_from_a_disk_is_searched(made: Site, opened: Browser) -> None:
    opened.open(made.folder / "manual" / "kernel.html", width=DESK)
    found = opened.evaluate("""new Promise((done) => {
      const field = document.querySelector(".md-search__input");
      const list = document.querySelector(".md-search-result__list");
      new MutationObserver(() => done([...list.querySelectorAll("a")].map((each) => each.getAttribute("href"))))
        .observe(list, { childList: true });
      field.focus();
      field.value = "palindrome";
      field.dispatchEvent(new Event("keyup", { bubbles: true }));
    })""")
    assert any("findings/" in each or "index.html" in each for each in found)
    assert elsewhere(opened, made.folder) == []


def checked(opened: Browser, path: Path, width: int, dark: bool) -> None:
    opened.open(path, width=width, dark=dark)
    opened.evaluate("new Promise((done) => setTimeout(done, 200))")  # colours change in steps
    assert opened.evaluate("document.body.dataset.mdColorScheme") == ("slate" if dark else "default")
    assert violations(opened) == [], (path, width, dark)


@needs_browser
@needs_axe
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(made: Site, opened: Browser, dark: bool) -> None:
    for name in QUICKLY:
        checked(opened, made.folder / "manual" / name, DESK if dark else PHONE, dark)


@pytest.mark.controls
@needs_browser
@needs_axe
def test_axe_finds_nothing_on_any_page(made: Site, opened: Browser) -> None:
    """Of the pages that the program writes on those that lead to others, which have all that these have."""
    kept = [path for path in pages(made) if "findings" not in path.parts or path.name == "index.html"]
    assert len(kept) > 20
    for number, path in enumerate(kept):
        checked(opened, path, PHONE if number % 2 else DESK, dark=bool(number % 4 // 2))
