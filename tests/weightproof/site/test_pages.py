"""The pages: well-formed, every link leads somewhere, nothing is asked of any other place, and every formula is set."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

import html5lib
import pytest

from tests.support.places import ROOT
from weightproof.appendix.published import TITLE
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document import mathml
from weightproof.document.blocks import Code, Equations, Heading, Items, Line, Link, Math, Matrix, Reference, Table
from weightproof.document.html import Page, span
from weightproof.subjects.registry import printed_in
from weightproof.symbolic.writing.breakable import Terms
from weightproof.symbolic.writing.latex import label
from weightproof.website.building import Site, built_of
from weightproof.website.telling import judged_apart

pytestmark = pytest.mark.xdist_group("site")
ADDRESSES = ("href", "src", "srcset", "data", "poster", "action", "cite")
STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]?([^'\";]+)")
FETCHES = re.compile(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|https?://")


def parsed(text: str) -> Element:
    """As a browser reads it; an error of the page is an error here."""
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    return tree


def addresses(tree: Element) -> Iterator[str]:
    for element in tree.iter():
        yield from (element.attrib[name] for name in ADDRESSES if name in element.attrib)
        for style in (element.attrib.get("style", ""), element.text or "" if element.tag == "style" else ""):
            yield from (first or second for first, second in STYLE_ADDRESS.findall(style))


def broken(folder: Path) -> set[tuple[str, str]]:
    """Page and address of every link that leads nowhere in the folder, or out of it."""
    trees = {path.name: parsed(path.read_text()) for path in folder.glob("*.html")}
    anchors = {name: {each.attrib["id"] for each in tree.iter() if "id" in each.attrib} for name, tree in trees.items()}
    found = set()
    for name, tree in trees.items():
        for address in addresses(tree):
            parts = urlsplit(address)
            page = parts.path or name
            known = (folder / page).is_file() and (not parts.fragment or unquote(parts.fragment) in anchors[page])
            if parts.scheme or parts.netloc or not known:
                found |= {(name, address)} - {(name, "data:,")}  # an icon of nothing, so that none is asked for
    for path in folder.glob("*.css"):
        found |= {(path.name, first or second) for first, second in STYLE_ADDRESS.findall(path.read_text())}
    return found


def test_every_page_is_well_formed_and_its_links_lead_somewhere(site: Site) -> None:
    assert broken(site.folder) == set()
    assert {path.name for path in site.files} == {path.name for path in site.folder.iterdir()}
    for path in site.files:
        if path.suffix == ".js":
            assert not FETCHES.search(path.read_text()), path


def test_a_link_that_leads_nowhere_or_out_is_found(site: Site, tmp_path: Path) -> None:
    for name in ("one.html", "site.css"):
        (tmp_path / name).write_text((site.folder / name).read_text())
    page, style = tmp_path / "one.html", tmp_path / "site.css"
    whole, before = page.read_text(), broken(tmp_path)
    for planted in (
        '<img src="https://example.org/x.png" alt="">',
        '<a href="#nowhere">x</a>',
        '<a href="no.html">x</a>',
    ):
        page.write_text(whole.replace("</main>", f"{planted}</main>"))
        assert len(broken(tmp_path) - before) == 1, planted
    page.write_text(whole)
    style.write_text("@import 'https://example.org/x.css'; p { background: url(//example.org/x.png) }")
    assert len(broken(tmp_path) - before) == 2
    with pytest.raises(html5lib.html5parser.ParseError):
        parsed(whole.replace("</main>", "</mane>"))


def test_ids_are_used_once_and_headings_go_down_step_by_step(site: Site) -> None:
    for path in site.folder.glob("*.html"):
        tree = parsed(path.read_text())
        ids = [each.attrib["id"] for each in tree.iter() if "id" in each.attrib]
        assert len(ids) == len({*ids}), path
        levels = [int(each.tag[1]) for each in tree.iter() if re.fullmatch("h[1-6]", str(each.tag))]
        assert levels[0] == 1
        assert levels.count(1) == 1, path
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), path


def test_no_formula_is_left_as_tex(site: Site) -> None:
    formulas = 0
    for path in site.folder.glob("*.html"):
        tree = parsed(path.read_text())
        for formula in (each for each in tree.iter() if str(each.tag).endswith("}math")):
            formulas += 1
            assert "\\" not in "".join(formula.itertext()), path
    assert formulas > 500


def test_names_of_rows_and_columns_have_letters(site: Site) -> None:
    """Not every reader speaks formulas there, and to axe a header of nothing else is empty."""
    formulas = 0
    for path in site.folder.glob("*.html"):
        for header in parsed(path.read_text()).iter("th"):
            own = [text for each in header for text in each.itertext() if not str(each.tag).endswith("}math")]
            assert "".join([header.text or "", *own]).strip(), path
            formulas += any(str(each.tag).endswith("}math") for each in header)
    assert formulas > 50


def test_what_papers_print_converts() -> None:
    found: set[str] = set()
    for page in (ROOT / "findings" / "claims").glob("*.md"):
        found |= {*re.findall(r"\$`(.*?)`\$", page.read_text())}
    assert len(found) > 500
    for formula in found:
        assert "<math>" in span(Math(formula))


UNKNOWN = (
    r"\lvertx",
    r"\mathrm{\lvert x}",
    r"\unheardof x",
    "a & b",
    r"\frac{1}",
    r"\begin{tikzpicture}x\end{tikzpicture}",
    r"\texttt{\frac{1}{2}}",
)


@pytest.mark.parametrize("formula", UNKNOWN)
def test_a_formula_that_is_not_known_is_an_error(formula: str) -> None:
    with pytest.raises(mathml.Unconvertible):
        mathml.mathml(formula)


PREFIX = '<mo form="prefix">&#x02212;</mo>'


def test_a_sign_stands_close_to_what_it_belongs_to() -> None:
    """A browser takes a minus that is not the first in its row for a difference, and a bar for a relation."""
    for signed in (
        r"(-1)",
        r"\bigl(-1\bigr)",
        r"\left(-x\right)",
        "x = -1",
        r"x \ge -1",
        "a, -b",
        r"1 \cdot -1",
        r"\lvert -x \rvert",
    ):
        assert mathml.inside(signed).count(PREFIX) == 1, signed
    for difference in ("x - 1", "(x) - 1", r"[x] - 1", r"\lvert x \rvert - 1", r"x\text{ even} - 1"):
        assert PREFIX not in mathml.inside(difference), difference
    first, last = (f'<mo form="{form}" fence="true" stretchy="false">|</mo>' for form in ("prefix", "postfix"))
    assert mathml.inside(r"\lvert x \rvert") == f"<mrow>{first}<mi>x</mi>{last}</mrow>"
    assert "<mtext>relu</mtext>" in mathml.inside(r"\operatorname{relu}(x)")


def test_names_are_set_as_they_are_typed() -> None:
    for name in ("a_b", "{", "}", "\\", "a^b~", "50% & #1 $x", "<w>", "[w=CLS]"):
        assert mathml.spoken(label(name)) == name


def test_blocks_are_written() -> None:
    page = Page()
    written = page.written(
        (
            Heading(1, "A"),
            Heading(4, ("Slip 1: ", Code("x/y"))),
            Heading(2, "A"),
            Items((("see ", Link("it", "other", "Slip 1: x/y"), ", ", Reference("A.1")),)),
            Equations((Line("y", (Terms(("x",)),), ("since ", Math("x")), "A.1"),)),
            Matrix("W", (label("r"),), (label("c"),), (("-1",),)),
            Table(("name", "number"), (("<b>", "1"),), right=frozenset({"number"})),
        )
    )
    assert '<h1 id="a">' in written
    assert '<h2 id="slip-1-xy">' in written
    assert '<h2 id="a-1">' in written
    assert 'href="other.html#slip-1-xy"' in written
    assert 'href="#equation-A.1"' in written
    assert 'id="equation-A.1"' in written
    assert "\N{MINUS SIGN}1</td>" in written
    assert '<td class="right">1</td>' in written
    assert "&lt;b&gt;" in written
    with pytest.raises(TypeError, match="HTML has no int"):
        page.written((1,))  # type: ignore[arg-type]


def test_a_page_tells_what_the_program_does(site: Site) -> None:
    index = (site.folder / "index.html").read_text()
    assert "is no formula" not in index
    for subject in ("one", "full-adder"):
        assert f'href="{subject}.html"' in index
    assert 'href="paper-bhattamishra2020.html#slip-1-' in index
    assert 'href="one-sharpen.html"' in index
    page = (site.folder / "one.html").read_text()
    for part in ("Theorems and their evidence", "Run a word", "Readout", "Worked example", "What the paper prints"):
        assert part in page, part
    assert 'class="lengths"' in page
    other = (site.folder / "full-adder.html").read_text()
    assert "only encoders are run in a page; elsewhere: <code>weightproof run full-adder WORD</code>" in other
    assert site.as_expected
    assert {each["name"] for each in site.data["files"]} == set(site.sizes)
    json.dumps(site.data)


def table(page: Path) -> list[list[Element]]:
    """The cells of the first table of a page, which is that of its theorems, by rows."""
    rows = [each for each in parsed(page.read_text()).iter("tr") if each.find("td") is not None]
    return [[*row] for row in rows[: next(k for k, row in enumerate(rows) if row.find("th") is not None)]]


def test_statements_of_theorems_are_set_as_formulas(site: Site) -> None:
    """And what they suppose; and the kernel's record is told."""
    for page in ("one", "one-sharpen", "dyck1-depth-margin"):
        rows = table(site.folder / f"{page}.html")
        assert len(rows) > 3
        for name, verdict, evidence, _, given, statement in rows:
            said = "".join(statement.itertext())
            assert "count(" not in said, said
            assert not re.search(r"[<>=]", given.text or ""), given.text
            if "margin" in "".join(name.itertext()):
                assert [each.tag for each in statement.iter() if str(each.tag).endswith("}math")], said
                assert [each.tag for each in given.iter() if str(each.tag).endswith("}math")] or given.text == "-"
            if page == "one":
                assert (verdict.text, evidence.text) == (None, "kernel")


def test_what_is_transformed_leads_to_its_origin_and_back(site: Site) -> None:
    origin, transformed = ((site.folder / f"{name}.html").read_text() for name in ("one", "one-sharpen"))
    assert 'href="one-sharpen.html"' in origin
    assert 'href="one.html"' in transformed
    assert 'href="one-sharpen.html"' not in (site.folder / "first-one-layer.html").read_text()
    for part in ("Embeddings and weights", 'id="network"', 'id="derivation"', "relu by cases", "Worked example"):
        assert part in transformed, part


def test_what_is_printed_of_a_transformed_network_stands_on_its_page(site: Site) -> None:
    page = (site.folder / "first-one-layer-fix-c-1-scale-attention-by-log-length.html").read_text()
    assert TITLE in page
    assert "first-one-layer-scaled/sign" in page
    assert TITLE not in (site.folder / "one-sharpen.html").read_text()


def test_nothing_is_judged_twice() -> None:
    """What papers print of a network is judged with its page; of all else, apart."""
    pages = ("first", "parity --with remove-centering --with layer-norm", "circuit-by-decoder-as-printed")
    papers = ("chiang2022", "fraknoi2024")
    every = {subject.argument for paper in papers for subject in printed_in(paper)}
    assert every - {subject.argument for subject in judged_apart(pages, papers)} == {*pages[:2]}


def test_a_folder_with_other_files_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"it holds thesis\.tex, which is no file of this site"):
        built_of(("one",), (), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="it is no folder"):
        built_of(("one",), (), tmp_path / "file")
    with pytest.raises(InputError, match="no such file"):
        built_of(("one",), (), tmp_path / "new", (tmp_path / "rows.json",))


def test_without_the_converter_it_is_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"latex2mathml is not installed, .* run: pip install"):
        built_of(("one",), (), tmp_path)


def test_what_is_said_of_a_network_stands_above_its_word_box(site: Site) -> None:
    page = (site.folder / "full-adder.html").read_text()
    assert page.index("</h1>") < page.index("A position knows its token") < page.index('id="run-a-word"')
    assert page.count('<table class="matrix">') > 5
    assert page.index('id="run-a-word"') < page.index('<table class="matrix">')
