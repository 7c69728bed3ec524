"""Heads that look at the position whose number is a count, in networks that know no length: 1/n is a mean of theirs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.proofs.automata.drawn import construction, words
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.automata import numbered
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.walking import logits, path_of
from weightproof.symbolic.algebra.vocabulary import Underivable

MARKERS = {"CLS": {"[C]": 1}, "EOS": {"[E]": 1}}
MARKS: dict[str, dict[str, Any]] = {
    "of the first marker": {"[C]": 1},
    "of the last marker": {"[E]": 1},
    "of the first position, by its encoding": {"first": 1},
    "of another size": {"[C]": "1/2", "first": "1/2"},
}


def looking(one: dict[str, Any], *, begin: str | None = "CLS", end: str | None = "EOS", factor: int = -1) -> Encoder:
    """Finds whether there is a 1 at the position whose number is that of the 1s."""
    averages = Head(W_V={"k": {"[1]": 1}, "l": one})
    look = Head(
        W_V={"s": {"[1]": 1}},
        W_Q={"x": {"k": 1}, "y": {"l": factor}},
        W_K={"x": {"one": 1}, "y": {"i": 1}},
        score="-|dot|",
        normaliser="hardmax",
        scale=1,
    )
    markers = {marker: MARKERS[marker] for marker in (begin, end) if marker is not None}
    return Encoder(
        coordinates=("[1]", "[C]", "[E]", "one", "i", "first", "k", "l", "s"),
        embedding=Embedding(WE={"0": {}, "1": {"[1]": 1}, **markers}, PE={"one": 1, "i": "i", "first": "(i == 0)"}),
        layers=(Layer((averages,)), Layer((look,))),
        begin=begin,
        end=end,
        readout=Readout(Linear({"logit": {"s": 1}}), position="last"),
    )


def elsewhere(network: Encoder) -> list[str]:
    """The words of up to five symbols whose logit is not where their path says."""
    made = construction(network)
    runs = read(made)
    found = []
    for word in words(5, 0 if network.markers else 1):
        ran = run(made, word)
        try:
            there = logits(made, path_of(runs, ran.tokens))
        except ArithmeticError:  # no path, or more than one
            found.append(word)
            continue
        if not any(each.low <= ran.logit <= each.high for each in there):
            found.append(word)
    return found


@pytest.mark.parametrize("one", MARKS)
def test_a_mean_of_one_position_is_so_much_over_the_length(one: str) -> None:
    assert elsewhere(looking(MARKS[one])) == []


def test_a_position_is_marked_without_markers() -> None:
    assert elsewhere(looking({"first": 1}, begin=None, end=None)) == []


def test_a_total_that_is_taken_wrongly_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    total = numbered._total_of_one

    def less(*of: Any) -> Any:
        found = total(*of)
        return None if found is None else -found

    monkeypatch.setattr(numbered, "_total_of_one", less)
    assert elsewhere(looking({"[C]": 1})) != []


@pytest.mark.parametrize(
    ("one", "begin", "end"),
    [({"first": 1, "[1]": 1}, None, None), ({"[C]": 1, "[E]": 1}, "CLS", "EOS"), ({"[1]": 1}, "CLS", None)],
)
def test_a_mean_of_more_is_no_number_over_the_length(one: dict[str, Any], begin: str | None, end: str | None) -> None:
    """What the first position holds depends on its symbol; two positions hold something; any may."""
    with pytest.raises(Underivable, match="no distance from a count"):
        read(construction(looking(one, begin=begin, end=end)))
