"""Norms with epsilon = 0 of rows that may have none: where the derivation has a value, and what is proved then."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.changes import changes
from tests.support.derived import construction_of
from tests.symbolic.norms.normalised import CERTAIN, SHARP, network, valued, wrong
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, add_markers
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Head, Layer, LayerNorm
from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs.deciding import obligations
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.close import close
from weightproof.proofs.strategies.signs import by_sign
from weightproof.proofs.theorem import Decides, Margin, stated
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import NonZero
from weightproof.symbolic.evaluate import evaluate_logit, has_value
from weightproof.symbolic.forward import derive


def test_rows_of_symbols_that_may_have_no_norm_are_refused() -> None:
    of = transformed(construction_of("more_ones"), ["remove-centering"])
    encoder = network(of)
    nothing = replace(encoder.embedding, WE={**encoder.embedding.WE, "0": {}})
    layers = (Layer((), attention_norm=LayerNorm(0)), *encoder.layers)
    with pytest.raises(Underivable, match="all coordinates may be equal, and then a norm with epsilon = 0"):
        derive(replace(of, network=replace(encoder, embedding=nothing, layers=layers)))


def test_a_norm_that_has_no_value_on_some_word_is_refuted_with_it() -> None:
    """Without a coordinate for CLS, the two values that are read there are 0 for the empty word."""
    apart = Head(W_V={"s": {"[w=1]": 1, "[w=0]": -1}, "-s": {"[w=1]": -1, "[w=0]": 2}})
    of = transformed(construction_of("more_ones"), ["remove-centering"])
    at_0, at_1 = (
        replace(of, network=replace(network(of), layers=(Layer((apart,), attention_norm=LayerNorm(epsilon)),)))
        for epsilon in (0, 1)
    )
    assert len(one_nonzero(at_0).values) > 1
    assert words_without_value(at_0) > 0
    [result] = prove(at_0, timeout=5)
    assert isinstance(result.verdict, Refuted)
    assert (result.verdict.counterexample.word, result.verdict.counterexample.logit) == ("", "undefined")
    assert wrong(derive(at_1), 4) == []


OPEN = ["parity", "first-one-layer", "majority_with_ties", "dyck1-margin"]


@pytest.mark.parametrize("name", OPEN)
def test_where_the_sign_is_open_there_is_a_value_wherever_the_network_has_one(name: str) -> None:
    construction = transformed(construction_of(name), SHARP[:1])
    assert len(one_nonzero(construction).values) == 1
    assert (words_without_value(construction) > 0) == (name in ("parity", "first-one-layer"))


def test_so_of_a_row_of_which_all_coordinates_may_be_0() -> None:
    """The last layer moves a value and what is negative of it by different weights: no coordinate is a multiple of
    another."""
    construction = leaning(transformed(construction_of("first"), SHARP[:1]))
    assert len(one_nonzero(construction).values) > 1
    assert words_without_value(construction) == 1


def test_a_logit_whose_row_may_have_no_value_is_decided_where_it_has_one() -> None:
    construction = leaning(transformed(construction_of("first"), SHARP[:1]))
    for given, verdict in (("n >= 2", Proved), ("n >= 1", Refuted)):
        [result] = prove(construction, (Decides("recognises", "the first symbol is 1", given=given),), timeout=60)
        assert isinstance(result.verdict, verdict)
    derived = derive(construction)
    everywhere = Decides("recognises", "the first symbol is 1", given="n >= 1")
    assert any(close(item, 5).evidence is None for item in obligations(derived, everywhere, derived.vocabulary.words()))


def test_only_a_multiple_of_the_scale_says_that_there_is_one() -> None:
    derived = derive(leaning(transformed(construction_of("first"), SHARP[:1])))
    [scale] = derived.nonzero
    (before, _), _ = by_sign(derived, THEOREM)
    assert scale not in before.logit.free_symbols
    with pytest.raises(Underivable, match="no multiple of the scale"):
        by_sign(replace(derived, logit=derived.logit + Iverson.constant(1)), THEOREM)
    with pytest.raises(Underivable, match="decisions are proved alone"):
        by_sign(derived, Margin("accepted", "1"))


THEOREM = Decides("recognises", "the first symbol is 1", given="n >= 2")


def leaning(construction: Construction) -> Construction:
    """With one weight into the coordinate that is read doubled."""
    [row] = network(construction).readout.W.weights["logit"]
    place = re.compile(rf"layer \d, feed-forward second '{re.escape(row)}' from '\+\(.*doubled")
    found = [change for change in changes(construction) if place.match(f"{change.place} {change.what}")]
    return found[-1].construction


def one_nonzero(construction: Construction) -> NonZero:
    [found] = derive(construction).nonzero.values()
    return found


def words_without_value(construction: Construction) -> int:
    """The short words on which the network has no value, on which the derivation has none, either; on all others both
    have the same."""
    derived = derive(construction)
    undefined = 0
    for word, values in valued(construction, 5):
        tokens = add_markers(network(construction), word)
        try:
            logit = run(construction, word).logit
        except NoValue:
            undefined += 1
            assert not has_value(derived, tokens, values)
            continue
        assert has_value(derived, tokens, values)
        assert sign(evaluate_logit(derived, tokens, values)) == sign(logit)
        enclosed = evaluate_logit(derived, tokens, values, CERTAIN)
        assert enclosed.overlaps(ball(logit, CERTAIN))
        assert enclosed.rad() < 2**-400
    return undefined


@pytest.mark.controls
def test_a_logit_of_another_shape_is_no_error() -> None:
    """Twice the symbol 0 in the embedding shifts the mean: the logit is no constant times the sign of one value. Short
    words are decided rightly with the default parameters."""
    name = "first+set-weight:layer=2,head=1,part=W_V,row=s,column=[w=CLS],to=-1/4+remove-centering+layer-norm:epsilon=0"
    construction, [theorem, *_] = stated()[f"{name}+sharpen"]
    [changed] = [c for c in changes(construction) if (c.place, c.what) == ("WE '0' from '[w=0]': 1", "doubled")]
    [result] = prove(changed.construction, (theorem,), timeout=10)
    assert isinstance(result.verdict, Refuted)
