"""Heads that look at the position whose number is a count, in networks that know no length: 1/n is a mean of theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.proofs.automata.drawn import construction, words
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.constructions.scalars.values import compare
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


def by_square(nearest: int, *, twice: int = 2, bent: int = -1, **more: Any) -> Encoder:
    """The same by 2 k j - j^2 over n, and some positions further on; an unmasked mean of a marker is 1/n."""
    network = looking({"[C]": 1})
    [averages, look] = network.layers
    keys = {"x": {"i": twice}, "y": {"i^2": bent, "i": 2 * nearest}}
    dot = replace(look.heads[0], W_Q={"x": {"k": 1}, "y": {"l": 1}}, W_K=keys, score="dot", **more)
    places = {**network.embedding.PE, "i^2": "i**2"}
    return replace(
        network,
        coordinates=(*network.coordinates, "i^2"),
        embedding=replace(network.embedding, PE=places),
        layers=(averages, Layer((dot,))),
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
        if not any(compare("<=", each.low, ran.logit) and compare("<=", ran.logit, each.high) for each in there):
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


@pytest.mark.parametrize("nearest", [-2, 0, 1])
@pytest.mark.parametrize("more", [{}, {"normaliser": "softmax", "scale": "3*n"}], ids=["hard", "soft"])
def test_a_square_is_as_near_as_a_distance(nearest: int, more: dict[str, Any]) -> None:
    assert elsewhere(by_square(nearest, **more)) == []


def test_a_square_that_is_looked_for_at_another_place_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = numbered._whole
    monkeypatch.setattr(numbered, "_whole", lambda *of: whole(*of[:3], of[3] + of[4], of[4]))
    assert elsewhere(by_square(0)) != []


@pytest.mark.parametrize("made", [by_square(0, bent=1), by_square(0, twice=1), by_square(0, twice=0, bent=0)])
def test_what_is_no_square_of_a_distance_from_a_count_is_refused(made: Encoder) -> None:
    """One that rises with the distance; half of a count, where two positions may be as near; and none."""
    with pytest.raises(Underivable, match="no square of a distance from a count"):
        read(construction(made))


def test_a_square_of_the_position_alone_is_greatest_at_one_place() -> None:
    """-j^2 + 4 j, of any query: at position 2, or at the last one where a word is shorter."""
    network = by_square(2)
    look = replace(network.layers[1].heads[0], W_Q={"x": {}, "y": {"one": 1}})
    assert elsewhere(replace(network, layers=(network.layers[0], Layer((look,))))) == []


FROM_END = (
    ({"k": 1, "one": -1}, 1),  # n - k
    ({"one": -1}, 1),  # n, which is no position: the last one is nearest
    ({"one": 1, "k": -2}, -1),  # n - 2 k
    ({"one": 1, "l": -2}, -1),  # n - 2
)


@pytest.mark.parametrize(("query", "factor"), FROM_END)
@pytest.mark.parametrize("square", [False, True])
def test_a_place_may_be_counted_from_the_end(query: dict[str, Any], factor: int, square: bool) -> None:
    network = by_square(0) if square else looking({"[C]": 1})
    turned = {name: -factor * weight for name, weight in query.items()}
    found = {"x": turned, "y": {"l": 1}} if square else {"x": query, "y": {"l": factor}}
    look = replace(network.layers[1].heads[0], W_Q=found)
    assert elsewhere(replace(network, layers=(network.layers[0], Layer((look,))))) == []


@pytest.mark.parametrize("made", [looking({"[C]": 1}), by_square(0)], ids=["distance", "square"])
def test_at_the_last_position_a_mean_so_far_is_one_of_all(made: Encoder) -> None:
    [averages, look] = made.layers
    causal = Layer((replace(averages.heads[0], mask="causal"),))
    assert elsewhere(replace(made, layers=(causal, look))) == []
    with pytest.raises(Underivable, match="from a count"):  # at others, which are read, too, it is not
        read(construction(replace(made, layers=(causal, look), readout=replace(made.readout, position="sum"))))
