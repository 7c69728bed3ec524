"""The components of a transformer: every theorem is proved, and none of what is changed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from tests.proofs.simulation.test_simulations_proved import SMALL, changed
from weightproof.constructions.bhattamishra2020 import components as without
from weightproof.constructions.bhattamishra2020.counting import INPUT, SUM, counting, halving, rising
from weightproof.constructions.machines.rnn import RNN, states
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import Embedding, EncoderDecoder, FeedForward, Head, Linear
from weightproof.constructions.scalars.exact import exp, sign
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.prover import Obligations, checked, proved, settle
from weightproof.proofs.simulation import bounds
from weightproof.proofs.simulation.bounds import CHOICES, HARD
from weightproof.proofs.simulation.components import (
    Component,
    Shown,
    bound,
    components,
    evidence_of,
    judged,
    simulates,
    theorems,
)
from weightproof.proofs.simulation.deciding import decide_simulation, simulation_diverges
from weightproof.proofs.solving.solvers import SOLVERS, ask
from weightproof.proofs.theorems.bhattamishra2020 import components as stated
from weightproof.proofs.theorems.bhattamishra2020 import encoder_decoder
from weightproof.proofs.verdict import Evidence, Proved, Result, Unknown
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial

MADE = {each.name: each.made for each in theorems() if each.made is not None}


@functools.cache
def settled() -> dict[str, Result]:
    return {result.theorem: result for result in proved(theorems())}


def test_what_is_printed_is_judged() -> None:
    assert len(settled()) == len(theorems())
    assert {row.name: judged(row, settled()) for row in components()} == {
        "encoder self-attention; residual around it": "true",
        "encoder feed-forward network; residual around it": "true",
        "decoder-decoder attention; residual around it": "true",
        "decoder-encoder attention": "true",
        "residual around decoder-encoder attention": "true",
        "decoder feed-forward network": "false",
        "residual around the decoder's feed-forward network": "true",
        "position encodings; masks": "true",
    }


def test_a_judgement_says_what_it_rests_on() -> None:
    """Print speaks of every recurrent network; that networks without a part simulate them is proved of some sizes."""
    sampled = {row.name for row in components() if evidence_of(row, settled()) is Evidence.SAMPLED}
    assert sampled == {row.name for row in components() if judged(row, settled()) == "true" and row.without} | {
        "decoder feed-forward network"
    }
    alone = {row.name: evidence_of(row, settled()) for row in components() if row.name not in sampled}
    assert set(alone.values()) == {Evidence.CERTIFICATE}
    scopes = {each.scope for row in components() for each in row.without}
    assert scopes == {"all words, all steps, RNNs of 1/1/1, 2/1/2, 2/2/2, 3/2/3 units/inputs/symbols"}


def test_a_judgement_rests_on_proofs() -> None:
    """What is not proved judges nothing; a network without what is called essential does."""
    done, open_ = bound("done", "-", lambda: iter([("x", None)])), bound("open", "-", lambda: iter([("x", "open")]))
    results = {
        each.name: replace(settled()["without masks"], verdict=verdict)
        for each, verdict in ((done, Proved("all", Evidence.CERTIFICATE)), (open_, Unknown("open")))
    }

    def judge(printed: Any, without: tuple[Shown, ...], impossible: tuple[Shown, ...]) -> str:
        return judged(Component("part", printed, "here", without, impossible), results)

    assert judge("essential", (), ()) == judge("essential", (open_,), (open_,)) == "unknown"
    assert judge("essential", (), (done,)) == "true"
    assert judge("essential", (done,), ()) == "false"
    assert judge("either suffices", (done, open_), (done,)) == "unknown"
    assert judge("either suffices", (done, done), ()) == "true"
    assert judge("not necessary", (done,), ()) == "true"
    assert judge("not necessary", (), (done,)) == "false"


@pytest.mark.parametrize("name", MADE)
def test_random_networks_are_simulated_without_a_component(name: str) -> None:
    made = MADE[name]

    @settings(max_examples=8, deadline=None)
    @given(networks(), st.data())
    def run(rnn: RNN, data: st.DataObject) -> None:
        assert simulation_diverges(made(rnn), data.draw(st.text(rnn.alphabet, max_size=5))) is None

    run()


def parts_gone(simulation: Simulation) -> set[str]:
    """What a transformer of one layer lacks of `complete`."""
    [layer], [coder] = simulation.network.layers, simulation.network.encoder.layers
    found = {f"decoder {name}" for name in ("heads", "cross_heads", "feed_forward") if not getattr(layer, name)}
    found |= {f"encoder {name}" for name in ("heads", "feed_forward") if not getattr(coder, name)}
    residuals = ("attention_residual", "cross_residual", "feed_forward_residual")
    found |= {f"decoder {name}" for name in residuals if not getattr(layer, name)}
    return found | {f"encoder {name}" for name in residuals if not getattr(coder, name)}


def test_each_lacks_what_it_says_and_nothing_else() -> None:
    assert parts_gone(without.complete(SMALL)) == set()
    for name, gone in {
        "without encoder self-attention": "encoder heads",
        "without the residual around encoder self-attention": "encoder attention_residual",
        "without the encoder's feed-forward network": "encoder feed_forward",
        "without the residual around the encoder's feed-forward network": "encoder feed_forward_residual",
        "without decoder-decoder attention": "decoder heads",
        "without the residual around decoder-decoder attention": "decoder attention_residual",
        "without the residual around the decoder's feed-forward network": "decoder feed_forward_residual",
    }.items():
        assert parts_gone(MADE[name](SMALL)) == {gone}
    networks_ = [MADE[name](SMALL).network for name in ("without masks", "without position encodings")]
    masks = [{head.mask for layer in each.layers for head in layer.cross_heads} for each in networks_]
    assert masks == [{"none"}, {"causal"}]
    assert [bool(each.PE or each.encoder.embedding.PE) for each in networks_] == [True, False]


def with_head(simulation: Simulation, room: str, **parts: Any) -> Simulation:
    """With another part in the one head of the encoder's or the decoder's layer."""
    place = simulation.network.encoder if room == "encoder" else simulation.network
    [layer] = place.layers
    [head] = layer.heads
    replaced = replace(place, layers=(replace(layer, heads=(replace(head, **parts),)),))
    network = replace(simulation.network, encoder=replaced) if room == "encoder" else replaced
    return replace(simulation, network=network)  # type: ignore[arg-type]


def with_pass(simulation: Simulation, part: str, row: str, column: str, to: object) -> Simulation:
    """With another weight in the feed-forward network of the encoder."""
    encoder = simulation.network.encoder
    [layer] = encoder.layers
    assert layer.feed_forward is not None
    linear = changed(getattr(layer.feed_forward, part), row, column, to)
    network: FeedForward = replace(layer.feed_forward, **{part: linear})  # type: ignore[arg-type]
    encoder = replace(encoder, layers=(replace(layer, feed_forward=network),))
    return replace(simulation, network=replace(simulation.network, encoder=encoder))


def with_printed_position(simulation: Simulation) -> Simulation:
    """i and t for their powers."""
    encoder = simulation.network.encoder
    embedding = Embedding(encoder.embedding.WE, {"2^-j": "i", "1": 1})
    network = replace(simulation.network, encoder=replace(encoder, embedding=embedding), PE={"2^-t": "i", "1": 1})
    return replace(simulation, network=network)


OWN_ENCODER = without.without_encoder_attention_residual
OWN_DECODER = without.without_decoder_attention_residual
PASSED = without.without_encoder_feed_forward_residual
WRONG: dict[str, Callable[[RNN], Simulation]] = {
    "it looks one ahead": lambda rnn: with_head(
        OWN_ENCODER(rnn), "encoder", W_Q={"q1": {"j": 1, "1": 1}, "q2": {"1": 1}}
    ),
    "it forgets the embedding": lambda rnn: with_head(OWN_ENCODER(rnn), "encoder", W_V={"j": {"j": 1}, "1": {"1": 1}}),
    "it takes the mean of all": lambda rnn: with_head(OWN_ENCODER(rnn), "encoder", W_Q={}, W_K={}),
    "it looks one step back": lambda rnn: with_head(
        OWN_DECODER(rnn), "decoder", W_Q={"q1": {"t": 1, "1": -1}, "q2": {"1": 1}}
    ),
    "it takes the first step": lambda rnn: with_head(
        OWN_DECODER(rnn), "decoder", W_Q={"q1": {"1": 1}}, W_K={"q1": {"t": 1}}
    ),
    "a token does not pass": lambda rnn: with_pass(PASSED(rnn), "second", "[s=a]", "pass [s=a]", 0),
    "half a position passes": lambda rnn: with_pass(PASSED(rnn), "first", "pass 2^-j", "2^-j", "1/2"),
    "the printed position does not pass": lambda rnn: with_printed_position(PASSED(rnn)),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_weight_is_refuted_and_not_proved(what: str) -> None:
    wrong = WRONG[what](SMALL)
    for invariant in (encoder_decoder.invariant(SMALL), stated.halves(SMALL), {"2^-t": "t", "1": "1"}):
        assert decide_simulation(wrong, invariant).gap is not None
    found = decide_simulation(wrong, encoder_decoder.invariant(SMALL)).counterexample
    assert found is not None
    assert simulation_diverges(wrong, found.word) == found


def test_a_wrong_weight_of_every_network_stays_open() -> None:
    def made(rnn: RNN) -> Simulation:
        return with_head(OWN_DECODER(rnn), "decoder", W_V={"t": {"t": 1}, "1": {"1": 1}})

    decided = simulates("wrong", made, encoder_decoder.invariant).decided(Deadline.after(60))
    assert decided.gap is not None
    assert "every RNN" in decided.gap[0]


def first_open(obligations: Obligations) -> object | None:
    return next((gap for each in obligations if (gap := each.gap()) is not None), None)


SOFT = Head({}, scale=1)
REFUSED: dict[str, Callable[[], Obligations]] = {
    "the residual is there": partial(bounds.chooses_alone),
    "the residual around the cross heads is there": partial(bounds.chooses_alone, cross_residual=(True,)),
    "cross heads of softmax": partial(bounds.chooses_alone, cross_heads=((SOFT,),), cross_residual=(False,)),
    "only the decoder's attention is cut": partial(bounds.chooses_alone, heads=((),)),
    "only its residual is cut": partial(bounds.chooses_alone, attention_residual=(False,)),
    "the encoder says something": partial(bounds.encoder_says_nothing, attention_residual=(False,)),
    "its feed-forward network is there": partial(bounds.encoder_says_nothing, feed_forward_residual=(False,)),
    "a count that is one more": partial(bounds.counts_choices, CHOICES + Polynomial.number(1)),
    "a count that is twice as much": partial(bounds.counts_choices, CHOICES + CHOICES),
    "numbers that are no more": partial(bounds.asks_for_more, CHOICES - Polynomial.number(1)),
    "one position, and the residual is there": bounds.is_the_same,
    "one position, and only the decoder's attention is cut": partial(bounds.is_the_same, heads=((),)),
    "one position, and only its residual is cut": partial(bounds.is_the_same, attention_residual=(False,)),
    "one position, and only the residual around the feed-forward network is cut": partial(
        bounds.is_the_same, feed_forward_residual=(False,)
    ),
    "one position and a sink": partial(
        bounds.is_the_same, cross_residual=(False,), cross_heads=((replace(SOFT, sink=0),),)
    ),
    "one position, hidden at some steps": partial(
        bounds.is_the_same, cross_residual=(False,), cross_heads=((SOFT, replace(SOFT, sees="i > 3")),)
    ),
    "a sink that has weight": partial(bounds.has_all_weight, Polynomial.atom("sink")),
    "another position that has weight": partial(bounds.has_all_weight, Polynomial.number(1)),
    "numbers one of which is asked twice": partial(
        bounds.asks_for_different, [*stated.follow(Polynomial()), Polynomial.number(5)]
    ),
    "one number": partial(bounds.asks_for_different, stated.follow(Polynomial())[:1]),
    "numbers of which it is not known": partial(
        bounds.asks_for_different, [Polynomial.atom("k"), Polynomial.atom("l")]
    ),
    "states that are the same": partial(bounds.tells_apart, halving(), "ab", "ab"),
    "words of two lengths": partial(bounds.tells_apart, halving(), "a", "ab"),
    "no value": partial(bounds.takes_ever_new_values, halving(), "h", "b", "b"),
    "two values": partial(bounds.takes_ever_new_values, halving(), "h", "a", "a"),
    "a value that stays": partial(
        bounds.takes_ever_new_values, replace(halving(), W_h=Linear({"h": {"h": 1}})), "h", "a", "b"
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_comes_through_is_noticed(what: str) -> None:
    assert first_open(REFUSED[what]()) is not None


@pytest.mark.parametrize("mask", ["strictly-causal", "future", "strictly-future"])
def test_one_position_that_a_mask_hides_is_not_derived(mask: Any) -> None:
    head = Head({}, normaliser="leftmost", scale=1, mask=mask)
    decided = settle(bounds.is_the_same(cross_residual=(False,), cross_heads=((head,),)))
    assert decided.gap is not None
    assert mask in decided.gap[1]


@pytest.mark.parametrize("weight", [Polynomial(), Polynomial.atom("w"), Polynomial.number(-1)])
@pytest.mark.parametrize("normaliser", bounds.WEIGHT_OF_ONE)
def test_a_weight_that_may_be_0_has_no_share(
    normaliser: str, weight: Polynomial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bounds.WEIGHT_OF_ONE, normaliser, weight)  # type: ignore[arg-type]
    assert first_open(bounds.has_all_weight()) is not None


def scripts(obligations: Obligations) -> list[str]:
    return [each.smt() for each in obligations if each.smt is not None]


def test_solvers_agree_on_one_position_and_on_two() -> None:
    """Of what is a formula: a weight of 1, numbers that are different, outputs that rise; not where they fall."""
    of_one = [
        *scripts(bounds.has_all_weight()),
        *scripts(bounds.asks_for_different(stated.follow(Polynomial.atom("k")))),
    ]
    of_two = scripts(stated.rises())
    assert (len(of_one), len(of_two)) == (8, 3)
    assert {ask(solver, each, 5.0).status for each in (*of_one, *of_two) for solver in SOLVERS} == {"unsat"}


def test_solvers_have_a_model_of_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stated, "rising", lambda: changed_head(scale=-1))
    wrong = [
        *scripts(bounds.has_all_weight(Polynomial.atom("sink"))),
        *scripts(bounds.asks_for_different([Polynomial.atom("k"), Polynomial.atom("l")])),
        scripts(stated.rises())[0],
    ]
    assert {ask(solver, each, 5.0).status for each in wrong for solver in SOLVERS} == {"sat"}


def changed_head(**parts: Any) -> EncoderDecoder:
    """The rising network, with other parts in its head."""
    [layer] = rising().layers
    [head] = layer.cross_heads
    return replace(rising(), layers=(replace(layer, cross_heads=(replace(head, **parts),)),))


def changed_layer(**parts: Any) -> EncoderDecoder:
    return replace(rising(), layers=(replace(rising().layers[0], **parts),))


def rises_where_run(network: EncoderDecoder, steps: int = 5) -> bool:
    held = [vector[SUM] for vector in itertools.islice(decode(network, stated.WORD), steps)]
    return all(sign(then - before) > 0 for before, then in itertools.pairwise(held))


def test_the_rising_network_rises() -> None:
    """At every step it holds what the sigmoid function makes of what it held before."""
    assert rises_where_run(rising())
    held = fmpq(0)
    for vector in itertools.islice(decode(rising(), stated.WORD), 4):
        held = exp(held) / (exp(held) + 1)  # type: ignore[assignment]
        assert vector == {SUM: held}


FALLING: dict[str, EncoderDecoder] = {
    "hardmax": changed_head(normaliser="hardmax"),
    "unique attention": changed_head(normaliser="rightmost"),
    "less the size of the product": changed_head(score="-|dot|"),
    "a mask": changed_head(mask="causal"),
    "scores that are the same": changed_head(scale=0),
    "scores that fall": changed_head(scale=-1),
    "queries that are the same": changed_head(W_Q={}),
    "no values": changed_head(W_V={}),
    "values that fall": changed_head(W_V={SUM: {INPUT: -1}}),
    "a first input that is more": replace(rising(), seed={SUM: 1}),
    "nothing fed back": replace(rising(), feedback=Linear()),
    "less fed back": replace(rising(), feedback=Linear({SUM: {SUM: -1}})),
    "a position encoding": replace(rising(), PE={SUM: "-i"}),
}
NOT_READ: dict[str, EncoderDecoder] = {
    "a sink": changed_head(sink=0),
    "a bias": changed_head(bias="j"),
    "the residual": changed_layer(cross_residual=True),
    "a head of its own": changed_layer(heads=(Head({}),)),
    "a marker": replace(rising(), encoder=replace(rising().encoder, begin="D")),
    "positions of the encoder": replace(
        rising(), encoder=replace(rising().encoder, embedding=replace(rising().encoder.embedding, PE={INPUT: "i"}))
    ),
}
"""Some of these rise, too, and of others nothing is known."""


@pytest.mark.parametrize("what", FALLING)
def test_a_network_that_does_not_rise_is_not_proved(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not rises_where_run(FALLING[what])
    monkeypatch.setattr(stated, "rising", lambda: FALLING[what])
    assert settle(stated.rises()).gap is not None


@pytest.mark.parametrize("what", NOT_READ)
def test_a_network_that_is_another_one_stays_open(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stated, "rising", lambda: NOT_READ[what])
    assert settle(stated.rises()).gap is not None


def test_masks_and_positions_bring_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "UNMASKED", HARD)
    assert "order comes through" in str(first_open(bounds.reads_no_order()))


def test_cross_heads_bring_the_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(**fixed: Any) -> Iterator[Any]:
        return shapes()

    shapes = bounds.shapes
    monkeypatch.setattr(bounds, "shapes", seen)
    assert "word comes through" in str(first_open(bounds.reads_no_word()))


def test_every_shape_of_a_layer_is_gone_through() -> None:
    """Three parts with their residuals; where a part is away its residual is not cut, but for attention."""
    shapes = list(bounds.shapes())
    assert len(shapes) == len(bounds.UNMASKED) * 2 * (2 * len(bounds.SEEN) - 1) * 3
    assert len(set(map(str, shapes))) == len(shapes)


def test_choices_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.name for each in bounds.every_choice(3)] == ["weights on 3 positions", "means on 3 positions"]
    monkeypatch.setattr(bounds, "PLAIN", SOFT)
    assert first_open(bounds.every_choice(3)) is not None


def test_what_is_not_derived_stays_open() -> None:
    def obligations() -> Obligations:
        yield checked("first", None)
        raise Underivable("no rule")

    decided = settle(obligations())
    assert (decided.obligations, decided.gap) == (1, ("", "not derived: no rule"))


@pytest.mark.parametrize("value", ["1/3", "1/7", "2/5", 1, "-4", 0])
def test_the_counting_network_counts(value: str) -> None:
    held = [vector[SUM] for vector in itertools.islice(decode(counting(value), "D"), 12)]
    assert held == [step * fmpq(*map(int, str(value).split("/"))) for step in range(12)]


def test_a_counting_network_with_another_weight_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = stated.counting
    monkeypatch.setattr(
        stated, "counting", lambda value: replace(plain(value), feedback=Linear({SUM: {SUM: 1, "D": 2}}))
    )
    assert first_open(stated.counts()) is not None
    monkeypatch.setattr(stated, "counting", lambda value: replace(plain(value), seed={SUM: 1}))
    assert first_open(stated.counts()) is not None


@pytest.mark.parametrize("positions", range(1, 8))
def test_the_count_of_the_counting_task_is_sharp(positions: int) -> None:
    """D = 1/(2^n - 1) asks for more numbers than there are choices, and a greater D does not; printed is D < 1/2^n."""
    choices = 2**positions - 1

    def asked(value: fmpq) -> int:
        return sum(1 for _ in itertools.takewhile(lambda k: k * value <= 1, itertools.count()))

    assert asked(fmpq(1, choices)) == choices + 1
    assert asked(fmpq(1, choices) + fmpq(1, 10**6)) == choices
    assert fmpq(1, 2**positions) < fmpq(1, choices)


def test_a_network_without_the_residual_does_not_count() -> None:
    """Of one input it holds the same at every step, as is printed."""
    network = counting("1/3")
    [layer] = network.layers
    cut = replace(network, layers=(replace(layer, cross_residual=False),))
    held = [tuple(vector.values()) for vector in itertools.islice(decode(cut, "D"), 8)]
    assert len(set(held)) == 1


def test_halving_takes_ever_new_values_on_one_word() -> None:
    taken = [h["h"] for h in itertools.islice(states(halving(), "a"), 20)]
    assert len(set(taken)) == 20
    assert {h["h"] for h in itertools.islice(states(halving(), "b"), 20)} == {0}
