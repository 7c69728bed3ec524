"""Documents of derivations, proofs and claims: complete, about the weights of the day, and readable in both formats."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.constructions.predicting.ranking import ranking
from tests.support.derived import NAMES, derivation_of, proofs_of
from tests.support.places import EXAMPLES, NEWCOMERS, ROOT, TESTS
from tests.support.printed import assert_is_markdown, balanced
from weightproof.appendix.appendix import Findings, derivation_alone, document, letter, section
from weightproof.appendix.published import TITLE
from weightproof.constructions.library import load, load_file, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.transforms.by_name import transformed
from weightproof.document import markdown, tex
from weightproof.document.blocks import Equations, Matrix, Table
from weightproof.named import resolve
from weightproof.proofs.prove import proofs
from weightproof.proofs.theorem import Decides, Predicts, Theorem
from weightproof.reports.claiming import judged
from weightproof.reports.matrices import weights
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive
from weightproof.symbolic.writing.latex import label
from weightproof.symbolic.writing.latex_source import scalar


def texts(data: Any) -> list[str]:
    """Every string inside a block."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, tuple):
        return [text for part in data for text in texts(part)]
    return [text for field in fields(data) for text in texts(getattr(data, field.name))] if is_dataclass(data) else []


NORMALISED = {
    "with its mean": ("one", "layer-norm:epsilon=1"),
    "sharpened": ("one", "sharpen:eta=1/2"),
    "of an open sign": ("first-one-layer", "sharpen:eta=1/2"),
}


HARD = {path.stem: path for path in NEWCOMERS if path.stem == "nearest_to_three"}
"""With hardmax attention and scores -|q.k|."""


@functools.cache
def hard(name: str) -> Derivation:
    return derive(load_file(HARD[name]).construction)


@functools.cache
def normalised(what: str) -> Derivation:
    """With its centring, so that the mean is not 0; with a row of one value; with such a row and two units that are
    subtracted."""
    name, asked = NORMALISED[what]
    return derive(transformed(load(name), [asked]))


@pytest.mark.parametrize("name", [*NAMES, *NORMALISED, *HARD])
def test_every_step_is_told_with_its_rule(name: str) -> None:
    derive_it = normalised if name in NORMALISED else hard if name in HARD else derivation_of
    derivation = derive_it(name)
    told = derivation_alone(derivation)
    written = set(texts(told))
    for step in derivation.steps[:-1]:
        assert {step.rule, f"{step.rule}, "} & written, step.rule
    lines = [line for block in told if isinstance(block, Equations) for line in block.lines]
    assert next(line.number for line in lines if line.number) == "A.1"
    assert len([line for line in lines if line.number]) == 1 + len(derivation.all_sums)
    assert all(balanced(text) for text in written)


@pytest.mark.parametrize("name", NAMES)
def test_side_conditions_are_shown_or_counted(name: str) -> None:
    derivation = derivation_of(name)
    told = derivation_alone(derivation)
    counted = re.search(r"leave none \((\d+) times\)", "".join(texts(told)))
    sets = [text for text in texts(told) if text.startswith(r"\{") and text.endswith(r"\quad")]
    assert len(sets) + (int(counted[1]) if counted else 0) == len(derivation.facts)
    assert all("," in text for text in sets)  # more than one inequality


def rules() -> set[str]:
    """The rules that the symbolic reading can record, from its source."""
    found = set()
    for path in (ROOT / "symbolic").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "step":
                rule = node.args[0]
                found |= {rule.value} if isinstance(rule, ast.Constant) else set()
    return found


def test_every_rule_occurs_in_some_derivation() -> None:
    derivations = [*map(derivation_of, NAMES), *map(normalised, NORMALISED), *map(hard, HARD)]
    told = {step.rule for derivation in derivations for step in derivation.steps}
    assert len(rules()) >= 5
    assert rules() - {"times its gate"} <= told  # tests/symbolic/test_activations.py has networks with gates


@pytest.mark.parametrize("name", names())
def test_every_nonzero_weight_stands_in_its_row_and_column(name: str) -> None:
    construction = load(name)
    matrices = [block for block in weights(construction.network) if isinstance(block, Matrix)]
    assert all(block.entries for block in matrices if block.rows)
    shown = {
        block.name: {
            (row, column): entry
            for row, entries in zip(block.rows, block.entries, strict=True)
            for column, entry in zip(block.columns, entries, strict=True)
        }
        for block in matrices
    }
    expected: dict[str, Any] = {}
    for number, layer in enumerate(construction.network.layers, start=1):
        for index, head in enumerate(layer.heads, start=1):
            for which, rows in (("Q", head.W_Q), ("K", head.W_K), ("V", head.W_V), ("O", head.W_O or {})):
                expected[f"W^{{{which},{number},{index}}}"] = rows
        if layer.feed_forward is not None:
            for place, part in ((1, layer.feed_forward.first), (2, layer.feed_forward.second)):
                expected[f"W^{{F,{number},{place}}}"] = part.weights
                assert shown[f"b^{{F,{number},{place}}}"] == {
                    (label(row), ""): scalar(value) for row, value in part.bias.items()
                }
    expected[r"W^{\mathrm{out}}"] = construction.network.readout.W.weights
    assert len(expected) > 2
    for name_, rows in expected.items():
        entries = {(label(row), label(c)): scalar(x) for row, columns in rows.items() for c, x in columns.items()}
        found = {where: entry for where, entry in shown.get(name_, {}).items() if entry != "0" or where in entries}
        assert found == entries, name_


def test_vectors_have_the_names_of_the_papers() -> None:
    """c^{l,i} after attention, a^{l,i} after the layer: Chiang and Cholak (2022), section 2.2.2."""
    rows = {block.name: block.rows for block in derivation_alone(derivation_of("parity")) if isinstance(block, Matrix)}
    assert label("[w=1]") in rows["a^{0,i}"]
    assert label("k/n") not in rows["a^{0,i}"]  # which attention averages
    assert label("k/n") in rows["c^{1,i}"]
    assert label("[i=k]/n") not in rows["c^{1,i}"]  # which the feed-forward network adds
    assert label("[i=k]/n") in rows["a^{1,i}"]


def scores(derivation: Derivation) -> list[tuple[str, str]]:
    """Query times key, as told, with what comes out."""
    lines = [line for block in derivation_alone(derivation) if isinstance(block, Equations) for line in block.lines]
    return [(line.left, str(line.rights[-1])) for line in lines if line.note[:1] == ("scaled dot product",)]


def test_attention_is_told_from_query_and_key_on(tmp_path: Path) -> None:
    product = r"\frac{1}{\sqrt{d}}\,q^{2,1} \cdot K^{2,1}_"
    assert scores(derivation_of("first")) == [(product + "{0}", "0"), (product + "{j}", r"c\,\mathbb{I}[j = 1]")]
    uniform = TESTS / "examples" / "more_ones.py"
    assert scores(derivation_of(uniform.stem)) == []
    keys = """Head(W_Q={"q": {"[w=0]": 2}}, W_K={"q": {"[w=1]": 1}}, scale="n/3 + 1", """
    changed(uniform, "Head(", keys, tmp_path)
    leaning = derive(changed(tmp_path / "changed.py", '"CLS": {}', '"CLS": {"[w=0]": 1}', tmp_path))
    scale = r"\left(\frac{n}{3} + 1\right)"
    product = rf"{scale}\,q^{{1,1}} \cdot K^{{1,1}}_"
    expected = [(product + "{0}", "0"), (product + "{j}", "0"), (product + "{j}", r"\frac{2 n}{3} + 2")]
    assert scores(leaning) == expected
    text = markdown.markdown(derivation_alone(leaning))
    for symbol in "01":
        assert rf"*scaled dot product, $`w_{{j}} = \texttt{{{symbol}}}`$:*" in text
    assert rf"= {scale} \cdot 2 \cdot 1 =" in text


def changed(path: Path, old: str, new: str, folder: Path) -> Construction:
    text = path.read_text(encoding="utf-8")
    assert old in text
    (folder / "changed.py").write_text(text.replace(old, new), encoding="utf-8")
    return load_file(folder / "changed.py").construction


def test_a_changed_weight_changes_matrix_derivation_and_example(tmp_path: Path) -> None:
    path = TESTS / "examples" / "more_ones.py"
    original, other = load_file(path).construction, changed(path, '"[w=1]": 1', '"[w=1]": 2', tmp_path)
    before, after = (section(Findings(c, derive(c)), "A") for c in (original, other))
    for kind in (Matrix, Equations):
        assert [b for b in before if isinstance(b, kind)] != [b for b in after if isinstance(b, kind)]
    assert tex.fragment(derivation_alone(derive(original))) != tex.fragment(derivation_alone(derive(other)))


def test_what_is_printed_is_told_with_its_verdict(tmp_path: Path) -> None:
    """Also of a user's file; a claim written wrongly on purpose is then false, and nothing else changes its verdict."""

    def verdicts(path: Path) -> dict[str, str]:
        source = resolve(str(path))
        text = markdown.markdown(section(Findings(source.construction, None, claims=judged(source)), "A"))
        assert_is_markdown(text)
        _, told = text.split(f"## {TITLE}\n")
        wrong = re.findall(
            r"^- `(\S+)`, here, \*\*(false|ambiguous)\*\*: .*; replay: `weightproof (?:run|show) ", told, re.M
        )
        rows = dict(
            re.findall(r"^\| `(\S+)` \| here \| .* \| \**(true-under|true|false|ambiguous|unknown)\b.* \|$", told, re.M)
        )
        odd = {id: verdict for id, verdict in rows.items() if verdict in ("false", "ambiguous")}
        assert dict(wrong) == odd
        return rows

    path = TESTS / "examples" / "more_b.py"
    before = verdicts(path)
    assert Counter(before.values()) == {"true": 11, "false": 2, "true-under": 1, "ambiguous": 1}
    (tmp_path / "changed.py").write_text(
        path.read_text().replace(
            "statements.Value(statements.Logit(), UP)),", 'statements.Value(statements.Logit(), f"{UP}/2")),', 1
        )
    )
    after = verdicts(tmp_path / "changed.py")
    assert {id for id in before if before[id] != after[id]} == {"s"}
    assert (before["s"], after["s"]) == ("true", "false")


def test_a_construction_without_closed_form_says_why(tmp_path: Path) -> None:
    path = TESTS / "examples" / "more_ones.py"
    other = changed(path, "Head(", 'Head(scale="1/n", ', tmp_path)
    text = markdown.markdown(section(Findings(other, None, "the exponent is no integer form"), "A"))
    assert "There is no closed form: the exponent is no integer form." in text
    assert "W^{V,1,1}" in text
    assert "## Worked example" in text


@pytest.mark.parametrize(
    ("construction", "theorem", "words"),
    [
        (load_file(TESTS / "examples" / "more_ones.py").construction, Decides("short", "a test", up_to=6), 63),
        (ranking(), Predicts("short", "a test", given="count('0') > count('1')", up_to=6), 27),
    ],
)
def test_that_every_word_was_run_is_all_that_is_told_of_a_bounded_check(
    construction: Construction, theorem: Theorem, words: int
) -> None:
    [proof] = proofs(construction, [theorem])
    derived = None if predicts(construction) else derive(construction)
    told = markdown.markdown(section(Findings(construction, derived, "", (proof,)), "A"))
    assert r"scope: $`n \le 6`$; weakest evidence: bounded check" in told
    assert f"each of the {words} words that it speaks of was run" in told
    assert "from the closed form" not in told.partition("Theorem A.1")[2]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_construction_never_seen_before_is_told_with_its_proofs(path: Path) -> None:
    file = load_file(path)
    subject = Findings(
        file.construction, derive(file.construction), "", tuple(proofs(file.construction, file.theorems))
    )
    [(_, told)] = document([subject]).sections
    for text in (tex.latex(document([subject])), markdown.markdown(told)):
        for part in ("Language and architecture", "Embeddings and weights", "Derivation", "Theorems", "Worked example"):
            assert part in text
    wrong = [proof for proof in subject.proofs or () if not proof.result.as_expected]
    assert ("planted" in path.stem) == bool(wrong)
    assert ("Refuted (expected: proved)" in markdown.markdown(told)) == bool(wrong)
    assert_is_markdown(markdown.markdown(told))


def test_sections_are_called_as_in_an_appendix() -> None:
    assert [letter(number) for number in (0, 25, 26, 51, 52, 701)] == ["A", "Z", "AA", "AZ", "BA", "ZZ"]
    assert len({letter(number) for number in range(702)}) == 702


def test_cases_that_are_counted_stand_in_their_order() -> None:
    """Whichever of them the shortest word is of."""
    told = section(Findings(load("parity"), derivation_of("parity"), proofs=tuple(proofs_of("parity").values())), "A")
    [table] = [
        each
        for each in told
        if isinstance(each, Table) and each.header == (("part",), ("obligations",), ("closed by",))
    ]
    parts = ["".join(texts(row[0])) for row in table.rows]
    assert [int(part.split()[1].rstrip(",")) for part in parts] == [1, 2, 3, 4]
