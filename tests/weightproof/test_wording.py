"""Words in which formulas stand: what is a formula is set as one, and what is none is left alone."""

from __future__ import annotations

import re

import pytest

from weightproof.document import html, markdown, tex
from weightproof.document.blocks import Block, Code, Heading, Items, Math, Paragraph, Styled, Table, spans
from weightproof.reports.wording import case, leading, worded
from weightproof.subjects.registry import everything, subject_of


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("up to 2^24 wires", ["up to ", "$2^{24}$", " wires"]),
        ("2^-(t+1) for the end", ["$2^{-(t + 1)}$", " for the end"]),
        ("makes h_t of h_(t-1), x_1 and W_h1_x1", "makes |$h_{t}$| of |$h_{t - 1}$|, |$x_{1}$| and |$W_{h1, x1}$"),
        ("key (-1, j) at min(t, n-1)", ["key ", "$(-1, j)$", " at ", r"$\min(t, n - 1)$"]),
        ("formats with B >= 3 in which exp(-B) is 0", r"formats with |$B \ge 3$| in which |$\exp(-B)$| is 0"),
        ("-B elsewhere, -1 or 1", ["$-B$", " elsewhere, ", "$-1$", " or 1"]),
        ("is 4*cos(pi*k/p)**2*2*p", r"is |$4\,\cos(\pi\,k/p)^{2} \cdot 2\,p$"),
        ("(a + b) mod p, alone", [r"$(a + b) \bmod p$", ", alone"]),
        ("gcd(k, l, ..., p) = 1", [r"$\gcd(k, l, \dots, p) = 1$"]),
        ("k = 1, ..., p-1 alone", [r"$k = 1, \dots, p - 1$", " alone"]),
        ("n + 1 - 2k, with 1s and 3rds, e^c >= 2", ["$n + 1 - 2\\,k$", ", with 1s and 3rds, ", r"$e^{c} \ge 2$"]),
        ("k/i, appendix A, n odd", ["$k/i$", ", appendix A, ", "$n$", " odd"]),
        ("unit j is [k >= j], or [k is odd]", r"unit |$j$| is |$\mathbb{I}[k \ge j]$|, or [|$k$| is odd]"),
        ("embeddings in [0, 1]", ["embeddings in ", "$[0, 1]$"]),
        ("all a and b, for a score", ["all ", "$a$", " and ", "$b$", ", for a score"]),
        ("'cos of sum k' is 1 on '0 1'", ["`cos of sum k`", " is 1 on ", "`0 1`"]),
        (
            "A position I know of 1/1/1, 3rd, 24 bits, lemma C.3",
            ["A position I know of 1/1/1, 3rd, 24 bits, lemma C.3"],
        ),
        ("e.g. a T-shirt, x-axis, 1-DYCK, an RNN's", ["e.g. a T-shirt, x-axis, 1-DYCK, an RNN's"]),
        ("circuit = AND(1,1), bits = 2 (2022)", ["circuit = AND(1,1), bits = 2 (2022)"]),
        ("all of (x, or [y", ["all of (", "$x$", ", or [", "$y$"]),
        ("", []),
    ],
)
def test_what_is_a_formula_is_set_as_one(words: str, written: str | list[str]) -> None:
    expected = written.split("|") if isinstance(written, str) else written
    pieces = worded(words)
    assert [spelt(piece) for piece in pieces] == expected


def spelt(piece: object) -> str:
    match piece:
        case Math(tex=formula):
            return "$" + re.sub(r".texttt{(.*?)}", r"\1", formula) + "$"
        case Code(text=text):
            return f"`{text}`"
    return str(piece)


def test_terminals_have_the_words_as_they_are() -> None:
    words = "up to 2^24 wires, where h_(t-1) >= 3"
    assert "".join(piece.typed if isinstance(piece, Math) else str(piece) for piece in worded(words)) == words


SIGNS = re.compile(r"\^|\w_|\*\*|[<>!]=|\w\*\w")
"""Of formulas as they are typed."""


@pytest.mark.parametrize("name", [each.argument for each in everything("derive") if each.source is None])
def test_no_section_has_a_formula_as_it_is_typed(name: str) -> None:
    subject = next(each for each in everything("derive") if each.argument == name)
    for theorem in subject._theorems():
        words = (theorem.name, theorem.statement)
        for pieces in map(worded, words):
            assert not any(SIGNS.search(piece) for piece in pieces if isinstance(piece, str)), words
            for format in (tex.spans, markdown.spans, html.spans):
                assert format(pieces)
    assert SIGNS.search("up to 2^24 wires")
    assert SIGNS.search("makes h_t")


def test_symbols_in_the_names_of_cases_are_code() -> None:
    assert case("load, '0' behind ' '") == ("load, ", Code("'0'"), " behind ", Code("' '"))
    assert case("'right' on '0'") == (Code("'right'"), " on ", Code("'0'"))
    assert case("on \"'\", a machine's step") == ("on ", Code('"\'"'), ", a machine's step")
    assert case("load, #") == ("load, ", Code("#"))
    assert leading("step on 'a'") == (Styled("Step on "), Code("'a'"), Styled("."))


def in_words(block: Block) -> list[str]:
    """What stands as plain text, in bold or not."""
    match block:
        case Heading() | Paragraph():
            texts = [block.text]
        case Items():
            texts = [*block.items]
        case Table():
            texts = [each for row in (block.header, *block.rows) for each in row]
        case _:
            texts = []
    found = [span for each in texts for span in spans(each)]
    return [span.text if isinstance(span, Styled) else span for span in found if isinstance(span, str | Styled)]


@pytest.mark.parametrize("name", ["busy-beaver-3", "rnn-by-encoder-decoder", "rnn-by-directional", "full-adder"])
def test_no_symbol_stands_in_plain_text(name: str) -> None:
    blocks, _ = subject_of(name).derivation().section("A")
    said = [words for block in blocks for words in in_words(block)]
    assert len(said) > 20
    assert [words for words in said if len(case(words)) > 1] == []
