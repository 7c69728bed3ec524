"""From construction to construction: what changes, what stays the same on every short word, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb, fmpq

from tests.support.derived import NAMES, construction_of
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import Run, predict, run
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
)
from weightproof.constructions.scalars.exact import ball, sign, sqrt
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.by_name import TRANSFORMS, transformed
from weightproof.constructions.transforms.rewriting import negated, put
from weightproof.numeric.certificate.bound import output_balls
from weightproof.numeric.model.transformer import Transformer
from weightproof.proofs.changes import weights

NORMALISED = ["remove-centering", "layer-norm:epsilon=0"]
KEEP_THEIR_DECISIONS = ["parity", "first", "one", "more_ones", "contains_a"]
"""Under layer normalisation, as far as short words say."""


def network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def changed(name: str, **fields: Any) -> Construction:
    """A built-in construction with other parts in its network."""
    return replace(load(name), network=replace(network(load(name)), **fields))


def words(construction: Construction, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        if length or network(construction).begin or network(construction).end:
            yield from map("".join, product(construction.language.alphabet, repeat=length))


@pytest.mark.parametrize("name", NAMES)
def test_without_centring_every_logit_is_the_same_and_every_mean_is_0(name: str) -> None:
    before, after = construction_of(name), transformed(construction_of(name), ["remove-centering"])
    for word in words(before, 4):
        result = run(after, word)
        assert sign(result.logit - run(before, word).logit) == 0, word
        for stream in result.streams:
            assert all(sign(sum(vector.values(), fmpq(0))) == 0 for vector in stream), word


def test_a_weight_that_speaks_of_the_width_keeps_its_value() -> None:
    """Also where d is not in the factor sqrt(d) of the queries alone."""
    [layer] = network(load("one")).layers
    scaled = Linear({"h1": {"k/n": "d/7", "1/n": -2}}, {"h1": "-d**-2"})
    before = changed(
        "one",
        layers=(replace(layer, feed_forward=FeedForward(scaled, Linear({"s": {"h1": "sqrt(d)"}}))),),
        readout=Readout(Linear({"logit": {"s": "d"}}, {"logit": "-1/d"})),
    )
    odd = replace(network(before).layers[0].heads[0], W_Q={"q": {"[w=CLS]": "d"}}, W_K={"q": {"[w=1]": "1/d"}})
    for construction in (before, replace(before, network=replace(network(before), layers=(Layer(heads=(odd,)),)))):
        after = transformed(construction, ["remove-centering"])
        for word in words(construction, 3):
            assert sign(run(after, word).logit - run(construction, word).logit) == 0


def mean_squares(result: Run, layer: int, places: slice) -> list[arb]:
    return [
        ball(sum((x * x for x in vector.values()), fmpq(0)) / len(vector)) for vector in result.streams[layer][places]
    ]


def test_normalised_vectors_have_the_variance_that_epsilon_leaves() -> None:
    for epsilon in ("0", "1/100000", "2"):
        construction = transformed(load("parity"), ["remove-centering", f"layer-norm:epsilon={epsilon}"])
        for squares in (mean_squares(run(construction, "101"), layer, slice(0, 1)) for layer in (1, 2)):
            for square in squares:
                assert square.overlaps(arb(1)) if epsilon == "0" else 0 < square < 1


@pytest.mark.parametrize("epsilon", ["0", "1/100000", "1"])
@pytest.mark.parametrize("name", KEEP_THEIR_DECISIONS)
def test_decisions_stay_where_weights_are_homogeneous(name: str, epsilon: str) -> None:
    before = construction_of(name)
    after = transformed(before, ["remove-centering", f"layer-norm:epsilon={epsilon}"])
    kept = [word for word in words(before, 5) if sign(run(before, word).logit) != 0]
    computed = Transformer(after).accepts(kept).tolist()
    assert computed == [run(before, word).accepts for word in kept]


@pytest.mark.parametrize("asked", [NORMALISED, ["remove-centering", "layer-norm"], [*NORMALISED, "sharpen:eta=1/100"]])
@pytest.mark.parametrize("name", ["parity", "one", "dyck1-margin", "palindrome-margin", "first"])
def test_three_readings_agree(name: str, asked: list[str]) -> None:
    """The interpreter and PyTorch; what is derived is held against the interpreter elsewhere."""
    construction = transformed(load(name), asked)
    tried = {"palindrome-margin": ["01", "00"], "dyck1-margin": ["01", "10"]}.get(name, ["1", "10", "011"])
    for word, computed in zip(tried, Transformer(construction).logits(tried).tolist(), strict=True):
        rounded = output_balls(construction, word, dtype="float64")["logit"]
        assert rounded.contains(arb(computed)), word
        assert rounded.overlaps(ball(run(construction, word).logit)), word


SHARP = ["1/100", "1/2", "69/100"]


@pytest.mark.parametrize("eta", SHARP)
@pytest.mark.parametrize("name", ["one", "dyck1-margin", "dyck1-depth-margin", "more_ones"])
def test_the_cross_entropy_of_a_sharpened_construction_is_eta(name: str, eta: str) -> None:
    """log(1 + e^-logit) nats for a member, log(1 + e^logit) for another word, wherever the logit is not 0."""
    before = construction_of(name)
    after = transformed(before, [f"sharpen:eta={eta}"])
    wanted = ball(run(after, "1" if name in ("one", "more_ones") else "01").logit).exp()
    assert (1 + 1 / wanted).log().overlaps(arb(fmpq(*map(int, eta.split("/")))))
    for word in words(before, 4):
        if (s := sign(run(before, word).logit)) != 0:
            logit = ball(run(after, word).logit)
            assert logit.overlaps(s * wanted.log()), word


def test_another_epsilon_than_0_costs_more() -> None:
    """As figure 2 of Chiang and Cholak (2022) has it: the longer the word, the more."""
    asked = ["remove-centering", "layer-norm:epsilon=1/10", "sharpen:eta=log(1 + exp(-sqrt(d/2))),epsilon=1/10"]
    after = transformed(load("one"), asked)
    exactly = ball(sqrt(fmpq(7)))  # width 14, and a readout of weight 1
    short, long = (run(after, "1" + "0" * length, bits=128).logit for length in (1, 20))
    assert 0 < long < short < exactly
    same = transformed(load("one"), ["remove-centering", "layer-norm:epsilon=0", asked[2].partition(",")[0]])
    assert run(same, "100", bits=128).logit.overlaps(exactly)


def test_a_bias_of_the_readout_is_sharpened_too() -> None:
    before = changed("one", readout=Readout(Linear({"logit": {"s": 1}}, {"logit": "-1/100"})))
    after = transformed(before, ["sharpen:eta=1/10"])
    for word in words(before, 4):
        assert run(after, word).accepts == run(before, word).accepts


def test_from_log_2_on_the_printed_proposition_turns_every_decision_round() -> None:
    """c = -log(e^eta - 1)/sqrt(d/2) is negative there."""
    before = load("one")
    for eta, turned in (("693/1000", False), ("694/1000", True), ("5", True)):
        after = transformed(before, [f"sharpen:eta={eta}"])
        assert all((run(after, w).accepts != run(before, w).accepts) == turned for w in words(before, 3))


def test_eta_stays_open_where_it_has_no_value() -> None:
    opened, settled = (transformed(load("one"), [asked]) for asked in ("sharpen", "sharpen:eta=1/3"))
    assert [(each.name, str(each.domain)) for each in opened.parameters] == [("eta", "eta > 0")]
    for word in ("1", "0", "0110"):
        assert run(opened, word, {"eta": "1/3"}).logit == run(settled, word).logit
    with pytest.raises(InputError, match="outside its domain eta > 0"):
        run(opened, "1", {"eta": "0"})


def test_a_logit_of_0_has_no_value_once_it_is_sharpened() -> None:
    with pytest.raises(ArithmeticError, match="constant vector with epsilon 0"):
        run(transformed(load("parity"), ["sharpen:eta=1/100"]), "")


def test_a_vector_without_a_value_does_no_harm_where_nothing_reads_it() -> None:
    construction = transformed(load("parity"), [*NORMALISED, "sharpen:eta=1/100"])
    result = run(construction, "1")
    assert result.accepts
    assert [bool(vector) for vector in result.streams[-1]] == [True, False]
    again = replace(
        construction, network=replace(network(construction), layers=(*network(construction).layers, Layer()))
    )
    with pytest.raises(ArithmeticError, match="constant vector"):
        run(again, "1")


def test_a_factor_of_an_embedding_is_one_of_every_layer_before_the_last_and_squared_in_the_attention() -> None:
    """Appendix B of Chiang and Cholak: 3 for what the last layer reads, 5 for what is read out."""
    scaled, plain = transformed(load("first"), ["scale-activations"]), load("first")
    for word in ("", "1", "01", "110"):
        found = run(scaled, word, {"c": "log(2)", "inner": "3", "outer": "5"})
        expected = run(plain, word, {"c": "9*log(2)"})
        assert found.streams[1] == tuple({name: 3 * x for name, x in row.items()} for row in expected.streams[1])
        assert sign(found.logit - 15 * expected.logit) == 0


def test_attention_that_grows_with_log_n_weighs_the_first_position_n_times() -> None:
    """The closed form of section 5.3: n/(2n-1) (I[w_1 = 1] - 1/2)."""
    construction = transformed(load("first"), ["fix:c=1", "scale-attention-by-log-length"])
    for word in ("1", "01", "1101", "01011"):
        n = len(word) + 1
        wanted = fmpq(n, 2 * n - 1) * (fmpq(1, 2) if word[0] == "1" else fmpq(-1, 2))
        assert sign(run(construction, word).logit - wanted) == 0
    scale = network(construction).layers[1].heads[0].scale
    assert scale == Expression("log(n)/sqrt(d)")


def test_a_fixed_parameter_is_gone() -> None:
    construction = transformed(load("parity"), ["fix:c=log(3)"])
    assert construction.parameters == ()
    assert sign(run(construction, "01").logit - run(load("parity"), "01", {"c": "log(3)"}).logit) == 0


def test_weights_are_the_nearest_of_few_bits_and_nothing_else_is_changed() -> None:
    norm = LayerNorm("1/100000", gain={"s": "7/5"}, bias={"s": "-1/3"})
    head = Head(W_V={"m": {"s": "3/8"}}, W_Q={"q": {"s": "-5/8"}}, W_K={"q": {"s": "1/7"}}, scale="log(n)")
    before = Encoder(
        coordinates=("s", "m"),
        embedding=Embedding(WE={"0": {}, "1": {"s": "9/10"}, "CLS": {"s": "1/9"}}, PE={"m": "i/(3*n)"}),
        layers=(Layer(heads=(head,), attention_norm=norm),),
        readout=Readout(Linear({"logit": {"m": "-99/100"}}, {"logit": "1/8"})),
    )
    network = transformed(replace(load("one"), network=before), ["snap:bits=2"]).encoder
    norm = LayerNorm("1/100000", gain={"s": "3/2"}, bias={"s": "-1/4"})
    head = Head(W_V={"m": {"s": "1/2"}}, W_Q={"q": {"s": "-1/2"}}, W_K={"q": {"s": "1/4"}}, scale="log(n)")
    assert network == replace(
        before,
        embedding=replace(before.embedding, WE={"0": {}, "1": {"s": "1"}, "CLS": {"s": "0"}}),  # type: ignore[arg-type]
        layers=(Layer(heads=(head,), attention_norm=norm),),
        readout=Readout(Linear({"logit": {"m": "-1"}}, {"logit": "0"})),
    )


def test_the_name_says_what_was_done() -> None:
    construction = transformed(load("one"), NORMALISED)
    assert construction.name == "one+remove-centering+layer-norm:epsilon=0"
    assert construction.language is load("one").language


BIASED = Layer(feed_forward=FeedForward(Linear({"h": {"s": 1}}, {"h": 1}), Linear({"s": {"h": 1}})))
STEP = Layer(feed_forward=FeedForward(Linear({"h": {"s": 1}}), Linear({"s": {"h": 1}}), "step"))
GATED = Layer(feed_forward=FeedForward(Linear({"h": {"s": 1}}), Linear({"s": {"h": 1}}), gate=Linear({"h": {"s": 1}})))


def counting(position: str = "first", end: str | None = None, accept: str = "logit > 0", **fields: Any) -> Construction:
    """Two heads that weigh symbols, and a readout of one row or of two."""
    matrices: dict[str, Any] = {
        "W_Q": {"q": {"a": 2, "b": "1/3"}},
        "W_K": {"q": {"a": "-1/2", "b": 1}},
        "W_V": {"a": {"s": 1, "b": 3}, "s": {"a": -1}},
    }
    heads = (Head(**(matrices | fields)), Head({"v": {"s": 2}}, W_O={"b": {"v": -3}}, scale="2/3"))
    rows: dict[str, dict[str, object]] = {"logit": {"a": 1, "s": 1}}
    if accept == "argmax":
        rows = {"0": {"a": 1, "b": 1}, "1": {"s": 2, "b": -1}, "CLS": {"a": "1/5"}}
    vectors: dict[str, dict[str, object]] = {"0": {"a": 1, "s": -1}, "1": {"b": 2, "s": 1}, "CLS": {"a": "1/2"}}
    embedding = Embedding(vectors | ({} if end is None else {end: {"b": "1/7"}}))
    readout = Readout(Linear(rows, {"0": 1} if accept == "argmax" else {"logit": "-1/9"}), position, accept)  # type: ignore[arg-type]
    return replace(load("one"), network=Encoder(("a", "b", "s"), embedding, (Layer(heads=heads),), readout, end=end))


COUNTS = Head({"s": {"[w=1]": 1}})


@pytest.mark.parametrize(("position", "end"), [("first", None), ("last", "EOS"), ("first", "EOS")])
def test_circuits_have_the_logits_of_the_network_but_for_a_factor(position: str, end: str | None) -> None:
    before = counting(position, end)
    after = transformed(before, ["circuits"])
    ratios = {run(before, word).logit / run(after, word).logit for word in words(before, 0)}
    [ratio] = ratios
    assert sign(ratio) > 0
    for word in words(before, 5):
        assert sign(run(before, word).logit - ratio * run(after, word).logit) == 0
    scores = [*network(after).layers[0].heads[0].W_K["q"].values()]
    assert sum(Fraction(x.source) for x in scores) == 0
    assert [Fraction(x.source) for row in network(after).layers[0].heads[0].W_V.values() for x in row.values()]


@pytest.mark.parametrize(("position", "end", "mask"), [("first", None, "none"), ("last", "EOS", "causal")])
def test_circuits_predict_what_the_network_does(position: str, end: str | None, mask: str) -> None:
    """Outputs differ by one factor, and by what they all have."""
    before = counting(position, end, "argmax", mask=mask)
    after = transformed(before, ["circuits"])
    own = {word: (predict(before, word), predict(after, word)) for word in words(before, 4)}
    first, second = next(iter(own.values()))
    ratio = (first.outputs["0"] - first.outputs["1"]) / (second.outputs["0"] - second.outputs["1"])
    assert sign(ratio) > 0
    for first, second in own.values():
        assert first.token == second.token
        for row in ("1", "CLS"):
            left, right = (each.outputs["0"] - each.outputs[row] for each in (first, second))
            assert sign(left - ratio * right) == 0
        assert sign(sum(second.outputs.values(), fmpq(0))) == 0
    assert len({first.token for first, _ in own.values()}) > 1


HERE = "row=s,column=[w=1],to=1"
REFUSED: list[tuple[Construction, str, str]] = [
    (load("one"), "layernorm", "unknown transformation 'layernorm'; there are remove-centering, layer-norm"),
    (load("one"), "remove-centering:x=1", "write remove-centering"),
    (load("one"), "layer-norm:epsilon", "write layer-norm, or layer-norm:epsilon=0"),
    (load("one"), "layer-norm:epsilon=0,epsilon=1", "write layer-norm"),
    (load("one"), "layer-norm:epsilon=0.5", "0.5 is not exact; write a fraction"),
    (load("one"), "layer-norm:epsilon=-1", "epsilon -1 is negative"),
    (load("one"), "layer-norm:epsilon=d+x", "may use only"),
    (load("one"), "sharpen:eta", "write sharpen, or sharpen:eta=1/100"),
    (transformed(load("one"), ["sharpen"]), "sharpen", "there is a parameter 'eta' already: give eta a value"),
    (transformed(load("one"), ["scale-activations"]), "scale-activations", "there is a parameter 'inner' already"),
    (load("dyck1-margin"), "scale-activations:by=2", "write scale-activations"),
    (load("one"), "sharpen:eta=0", "no positive number of nats"),
    (load("one"), "sharpen:eta=log(0)", "logarithm of a number that is not positive"),
    (load("one"), "sharpen:eta=x", "no positive number of nats"),
    (load("one"), "sharpen:eta=1/10,epsilon=-1", "epsilon -1 is negative"),
    (load("palindrome"), "sharpen:eta=1/10", "accepts at logit = 0"),
    (load("one"), "snap", "write snap:bits=4"),
    (load("one"), "snap:bits=-1", "bits = -1 is no number of bits from 0 to 1000"),
    (load("one"), "snap:bits=1/2", "bits = 1/2 is no number of bits"),
    (load("one"), "snap:bits=n", "bits = n is no number of bits"),
    (transformed(load("one"), ["sharpen:eta=1/10"]), "snap:bits=4", "is no fraction, and is not rounded"),
    (changed("one", layers=(Layer(heads=(COUNTS,)),)), "circuits", "positions have encodings"),
    (load("parity"), "circuits", "one layer of attention, without a feed-forward network"),
    (changed("one", layers=(Layer(heads=(COUNTS,), attention_norm=LayerNorm()),)), "circuits", "behind a norm"),
    (counting(mask="causal"), "circuits", "the mask 'causal' hides positions from the one that is read"),
    (counting(W_V={"s": {"a": "log(2)"}}), "circuits", "the weight log(2) is no fraction"),
    (counting(position="last"), "circuits", "the last position is read, where no marker stands"),
    (counting(position="sum"), "circuits", "'sum'"),
    (load("one"), "set-weight:layer=1", "write set-weight:layer=1,head=1,part=W_V,row=s,column=[w=1],to=1/2"),
    (load("one"), f"set-weight:layer=2,head=1,part=W_V,{HERE}", "there is no layer 2; there are 1"),
    (load("one"), f"set-weight:head=1,part=W_V,{HERE}", "there is no layer (write its number); there are 1"),
    (load("one"), f"set-weight:layer=1,head=x,part=W_V,{HERE}", "there is no head x; there are 1"),
    (load("one"), f"set-weight:layer=1,head=1,part=W_O,{HERE}", "the head has no W_O"),
    (load("one"), f"set-weight:layer=1,head=1,part=W_X,{HERE}", "part=W_X is none of W_Q, W_K, W_V"),
    (load("first"), f"set-weight:layer=2,part=W_F1,{HERE}", "the layer has no feed-forward network"),
    (load("one"), "set-weight:layer=1,head=1,part=W_V,row=s,column=x,to=1", "coordinate 'x' does not exist"),
    (load("one"), f"set-weight:layer=1,head=1,part=W_V,{HERE}+x", "may use only"),
    (load("one"), "fix", "write fix:c=1"),
    (load("one"), "fix:c=1", "no parameter 'c'; there are none"),
    (load("parity"), "fix:c=-1", "outside its domain c > 0"),
    (load("dyck1-depth"), "fix:D=2", "depends on D"),
    (changed("one", layers=(BIASED,)), "layer-norm", "layer 1, feed-forward network, first map: the bias of 'h'"),
    (changed("one", layers=(STEP,)), "layer-norm", "step is not homogeneous"),
    (changed("one", layers=(GATED,)), "layer-norm", "a product with a gate is not homogeneous"),
    (
        changed("one", readout=Readout(Linear({"logit": {"s": 1}}, {"logit": 1}))),
        "layer-norm",
        "the readout has a bias",
    ),
    (transformed(load("one"), ["layer-norm:epsilon=1"]), "layer-norm", "layer 1 has a norm already"),
    (transformed(load("one"), ["layer-norm:epsilon=1"]), "sharpen:eta=1/10", "the proposition needs 0"),
    (transformed(load("one"), ["remove-centering"]), "remove-centering", "'[w=0]' has its opposite already"),
]


SET = [
    ("layer=2,head=1,part=W_Q,row=q,column=[w=0]", "layer 2, head 1, W_Q 'q' from '[w=0]'"),
    ("layer=2,head=2,part=W_K,row=q,column=cos(i*pi)", "layer 2, head 2, W_K 'q' from 'cos(i*pi)'"),
    ("layer=1,head=1,part=W_V,row=k/n,column=[w=1]", "layer 1, head 1, W_V 'k/n' from '[w=1]'"),
    ("layer=1,part=W_F1,row=h2,column=k/n", "layer 1, feed-forward first 'h2' from 'k/n'"),
    ("layer=1,part=W_F2,row=[i=k]/n,column=h2", "layer 1, feed-forward second '[i=k]/n' from 'h2'"),
    ("layer=2,head=2,part=W_V,row=s,column=[i=k]/n", "layer 2, head 2, W_V 's' from '[i=k]/n'"),
    ("part=W,row=logit,column=s", "readout 'logit' from 's'"),
]


@pytest.mark.parametrize(("where", "place"), SET, ids=[place for _, place in SET])
def test_one_weight_is_set_and_no_other(where: str, place: str) -> None:
    before, after = load("parity"), transformed(load("parity"), [f"set-weight:{where},to=c/7"])
    old, new = ({at: weight for at, weight, _ in weights(network(each))} for each in (before, after))
    assert {at for at in old | new if old.get(at) != new.get(at)} == {place}
    assert new[place] == Expression("c/7")


@pytest.mark.parametrize(("construction", "item", "says"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_cannot_be_transformed_is_refused_in_one_line(construction: Construction, item: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        transformed(construction, [item])
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_transformation_says_how_it_is_written() -> None:
    for name, transform in TRANSFORMS.items():
        assert transform.usage.startswith(name)


@pytest.mark.parametrize(
    ("weight", "opposite"),
    [
        ("1", "-1"),
        ("-1/2", "1/2"),
        ("i/n", "-i/n"),
        ("c*sqrt(d)", "-c*sqrt(d)"),
        ("1 - i", "-(1 - i)"),
        ("-x**2", "x ** 2"),
    ],
)
def test_the_opposite_of_a_weight_reads_well(weight: str, opposite: str) -> None:
    assert negated(Expression(weight)) == Expression(opposite)


def test_a_name_is_replaced_wherever_it_stands() -> None:
    assert put(Expression("c*sqrt(d)/d"), "d", Expression("(d/2)")) == Expression("c*sqrt(d/2)/(d/2)")
    assert put(Expression("(i == 1)"), "d", Expression("2")) == Expression("(i == 1)")
