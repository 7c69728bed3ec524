"""`run --trace`: every quantity of the trace, in tables that can be read and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from weightproof.cli import main
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.trace import trace
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.terminal.digits import exactly, formula

Call = Callable[..., str]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def run_command(*arguments: str) -> str:
        status = main(arguments)
        captured = capsys.readouterr()
        assert (status, captured.err) == (0, "")
        return captured.out

    return run_command


def tables(text: str) -> dict[str, list[str]]:
    """The lines of each table, by its title."""
    blocks = [block.splitlines() for block in text.split("\n\n")[1:]]
    return {block[0]: block[1:] for block in blocks}


def test_every_quantity_has_its_table(call: Call) -> None:
    found = tables(call("run", "parity", "011", "--trace"))
    head = [
        "Layer {0}, head {1}: queries, keys and values, and what it adds",
        "Layer {0}, head {1}: scores, of the query in the row and the key in the column",
        "Layer {0}, head {1}: attention weights, softmax of each row",
    ]
    assert list(found) == [
        "Position encoding",
        "Residual stream, embedding",
        *(title.format(1, 1) for title in head),
        "Residual stream, after the attention of layer 1",
        "Layer 1, hidden units before relu",
        "Layer 1, hidden units after relu",
        "Residual stream, after layer 1",
        *(title.format(2, 1) for title in head),
        *(title.format(2, 2) for title in head),
        "Residual stream, after the attention of layer 2",
        "Residual stream, after layer 2",
    ]
    assert [line.split() for line in found[head[1].format(2, 1)]] == [
        ["0:CLS", "1:0", "2:1", "3:1"],
        ["0:CLS", "-log(2)", "log(2)", "-log(2)", "log(2)"],
        ["1-3", "0", "0", "0", "0"],
    ]
    assert [line.split() for line in found[head[2].format(2, 1)]][1:] == [
        ["0:CLS", "1/10", "2/5", "1/10", "2/5"],
        ["1-3", "1/4", "1/4", "1/4", "1/4"],
    ]
    assert [line.split() for line in found["Layer 1, hidden units before relu"]][1] == [
        "h1",
        "1/4",
        "0",
        "-1/4",
        "-1/2",
    ]
    assert [line.split() for line in found["Position encoding"]][1] == ["i/n", "0", "1/4", "1/2", "3/4"]


@pytest.mark.parametrize("name", names())
def test_tables_fit_a_hundred_columns(call: Call, name: str) -> None:
    text = call("run", name, "0110101101", "--trace").split("\n\n", 1)[1]
    assert max(map(len, text.splitlines())) <= 100


def test_keys_that_a_query_does_not_see_have_no_entry(call: Call) -> None:
    found = tables(call("run", "dyck1", "01", "--trace"))
    rows = found["Layer 1, head 1: attention weights, softmax of each row"]
    assert [line.split() for line in rows] == [
        ["0:CLS", "1:0", "2:1"],
        ["0:CLS", "1"],
        ["1:0", "1/2", "1/2"],
        ["2:1", "1/3", "1/3", "1/3"],
    ]


def test_a_long_word_shows_its_ends_and_the_positions_that_are_asked_for(call: Call) -> None:
    text = call("run", "parity", "0{60}", "--trace", "--position", "33")
    assert "44 of 61 positions are left out; --position P shows position P, too." in text
    encoding = tables(text)["Position encoding"]
    shown = [word for line in encoding if ":" in line for word in line.split()]
    assert shown == ["0:CLS", *(f"{p}:0" for p in (*range(1, 8), 33, *range(53, 61)))]
    assert "1-7, 33, 53-60" in text


def test_the_json_holds_the_numbers_of_the_trace(call: Call) -> None:
    first, second, third = json.loads(call("run", "parity", "011", "--trace", "--json"))["trace"]
    steps = trace(load("parity"), run(load("parity"), "011"))

    def listed(vectors: Any) -> list[dict[str, str]]:
        return [{name: exactly(x) for name, x in vector.items()} for vector in vectors]

    assert first == {
        "after": "embedding",
        "words": listed(steps.words),
        "positions": listed(steps.positions),
        "vectors": listed(steps.embedding),
    }
    for entry, layer in zip((second, third), steps.layers, strict=True):
        assert entry["attended"] == listed(layer.attended)
        assert entry["vectors"] == listed(layer.after)
        for found, head in zip(entry["heads"], layer.heads, strict=True):
            assert (found["queries"], found["keys"]) == (listed(head.queries), listed(head.keys))
            assert (found["values"], found["added"]) == (listed(head.values), listed(head.added))
            assert found["scores"] == [[exactly(x) for x in head.scores[row]] for row in range(4)]
            assert found["weights"] == [[exactly(x) for x in head.weights[row]] for row in range(4)]
            assert found["written"] is None
    assert third["hidden"] is None
    assert second["hidden"]["after"][0] == {"h1": "1/4", "h2": "1/2", "h3": "3/4"}
    assert third["heads"][0]["scores"][0][:2] == ["-log(2)", "log(2)"]


def test_the_json_of_a_long_word_has_null_for_queries_that_are_not_shown(call: Call) -> None:
    entry = json.loads(call("run", "parity", "0{60}", "--trace", "--json", "--position", "33"))["trace"][1]
    rows = entry["heads"][0]["weights"]
    assert [place for place, row in enumerate(rows) if row is not None] == [*range(8), 33, *range(53, 61)]
    assert rows[33] == ["1/61"] * 61


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--trace", "--position", "3"), "parity: no position 3; the word has 0 to 2"),
        (("--trace", "--position", "-1"), "parity: no position -1; the word has 0 to 2"),
        (("--position", "1"), "--position is for the trace of a word; add --trace"),
    ],
)
def test_a_position_that_cannot_be_shown_is_an_error_of_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    assert main(("run", "parity", "01", *arguments)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert says in said


PARTS = [
    evaluate(Expression(text), {}) for text in ("1", "log(2)", "log(3)", "sqrt(2)", "exp(1)", "exp(1/2)", "exp(-2)")
]
SUMS = st.lists(
    st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS), st.integers(-3, 3), st.integers(1, 4)), max_size=3
).map(lambda terms: sum((a * b * fmpq(p, q) for a, b, p, q in terms), fmpq(0)))


@settings(max_examples=100)
@given(SUMS, SUMS)
def test_an_exact_value_reads_back(above: Real, below: Real) -> None:
    value = above / below if sign(below) != 0 else above
    assert sign(evaluate(expression(formula(value)), {}) - value) == 0


def test_a_value_that_is_too_long_to_be_written_out_is_its_first_digits() -> None:
    value = evaluate(
        Expression("+".join(f"sqrt({p})*log({p})" for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37))), {}
    )
    assert exactly(value) == "127.602175277236"
