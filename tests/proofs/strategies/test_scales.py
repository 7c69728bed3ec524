"""Scales that an induction compares: the Dyck languages under layer normalisation, and what is not proved of them."""

from __future__ import annotations

import functools
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from flint import fmpq

from tests.support.suites import short_suite
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder, Linear, Readout
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.numeric.model.transformer import Transformer
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.strategies.inductive import induction
from weightproof.proofs.strategies.inductive.induction import by_induction
from weightproof.proofs.strategies.scales import COMPARED, at_most, scales_of
from weightproof.proofs.theorem import Decides
from weightproof.proofs.theorems.chiang2022.layer_norm import OUTWEIGHED
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.forward import derive

RECOGNISES = Decides("recognises", "a test", invariant=OUTWEIGHED)
NORMALISED = ["remove-centering", "layer-norm:epsilon=1/7"]


def network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def weighing(violation: str) -> Construction:
    """dyck1, in which a violation at i weighs another multiple of 1/(i+1)."""
    of = load("dyck1")
    readout = Readout(Linear({"logit": {"[k=0 and last]/i": 1, "[k>0]/i": violation}}), position="sum")
    return transformed(replace(of, network=replace(network(of), readout=readout)), NORMALISED)


@functools.cache
def derived(violation: str = "-1") -> Derivation:
    return derive(weighing(violation))


@functools.cache
def steps(violation: str = "-1") -> tuple[Implication, ...]:
    derivation = derived(violation)
    return tuple(by_induction(derivation, RECOGNISES, derivation.vocabulary.words()))


def compared(items: tuple[Implication, ...]) -> list[Implication]:
    """Those with a comparison of two scales among their hypotheses."""
    return [item for item in items if any(len(scales_of(rel.expression)) == 2 for rel in item.relations)]


@pytest.mark.controls
def test_every_comparison_holds_at_every_place_of_short_words() -> None:
    """With the exact values of the scales; and what shows it, with those of the counts."""
    derivation, met = derived(), 0
    shown = [item for item in steps() if COMPARED in item.name]
    assert len(shown) > 2
    for length in range(1, 7):
        for symbols in product("01", repeat=length):
            tokens = add_markers(network(derivation.construction), symbols)
            word = Word(derivation.vocabulary, tokens, parameter_values(derivation.construction), derivation.scales)
            for place in range(length):
                word.values[j] = fmpq(place)
                for item in [*shown, *compared(steps())]:
                    if symbols[place] == item.name[len("step on ")] and _holds(item, word):
                        known = [rel for rel in item.relations if len(scales_of(rel.expression)) == 2]
                        asked = known if item not in shown else [item.goal]
                        for rel in asked:
                            assert isinstance(rel, Rel)
                            assert sign(word.expression(rel.expression)) >= 0, (symbols, place, item.name)
                            met += 1
    assert met > 100


def _holds(item: Implication, word: Word) -> bool:
    return all(sign(word.expression(form.expression())) >= 0 for form in item.context.constraints)


def test_a_comparison_is_shown_in_one_direction_only() -> None:
    derivation = derived()
    [scale] = {scale for total in derivation.sums.values() for _, x in total.body.terms for scale in scales_of(x)}
    earlier, last = (scale.func(place) / (place + 1) for place in (j, n - 1))
    [context, *_] = [item.context for item in compared(steps()) if "lost" in item.name]
    here, there = (value.xreplace({j: j + 1}) for value in (earlier, last))
    for left, right in ((here, there), (here, there / 2)):
        assert at_most(left, right, context, derivation) is None


@pytest.mark.controls
@pytest.mark.usefixtures("little_search")
def test_without_comparisons_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(induction, "with_comparison", lambda item, *_: [item])
    [result] = prove(weighing("-1"), [RECOGNISES])
    assert isinstance(result.verdict, Unknown)


@pytest.mark.parametrize("violation", ["-1/3", "1", "0"])
def test_a_violation_that_weighs_too_little_is_refuted(violation: str) -> None:
    [result] = prove(weighing(violation), [RECOGNISES])
    assert isinstance(result.verdict, Refuted)
    if violation == "-1/3":
        assert compared(steps(violation)) == []


def without_its_opposite(factor: str) -> Construction:
    """dyck1-margin, where the opposite of [k=0]/i has another multiple of a hidden unit: none of it any more, and the
    norm's mean grows with the brackets that are closed too many."""
    weight = f"set-weight:layer=1,part=W_F2,row=-[k=0]/i,column=h2,to={factor}"
    return transformed(load("dyck1-margin"), [NORMALISED[0], weight, NORMALISED[1]])


@pytest.mark.controls
@pytest.mark.parametrize("factor", ["0", "-8"])
def test_what_the_last_position_adds_decides_where_too_many_brackets_are_closed(factor: str) -> None:
    """What the logit has beside its sum is positive there, and no constant bounds the sum: its last summand does."""
    construction = without_its_opposite(factor)
    [result] = prove(construction, [RECOGNISES])
    assert isinstance(result.verdict, Proved)
    longer, random = Transformer(construction), Random(0)
    for length in range(1, 60):
        words = ["".join(random.choices("01", k=length)) for _ in range(20)] + ["1" * length, "0" + "1" * (length - 1)]
        assert longer.accepts(words).tolist() == [is_member(construction, word, {}) for word in words]


@pytest.mark.controls
@pytest.mark.usefixtures("little_search")
def test_without_the_last_summand_nothing_is_proved() -> None:
    lacking = str(OUTWEIGHED).replace(" and S1 <= S1_added", "")
    assert lacking != str(OUTWEIGHED)
    [result] = prove(without_its_opposite("0"), [Decides("recognises", "a test", invariant=lacking)])
    assert isinstance(result.verdict, Unknown)
    assert result.verdict.obligation.startswith("conclusion")


@pytest.mark.parametrize("factor", short_suite(["3", "-20"], ["-20"]))
def test_a_last_summand_that_weighs_too_little_is_refuted(factor: str) -> None:
    [result] = prove(without_its_opposite(factor), [RECOGNISES])
    assert isinstance(result.verdict, Refuted)


@pytest.mark.controls
@pytest.mark.parametrize(("weight", "proved"), [("-2", True), ("2", False)])
def test_scales_are_compared_at_an_end_that_earns_nothing_too(weight: str, proved: bool) -> None:
    """dyck1, where a word that ends with 0 earns less at its end than one that is balanced, or other 0s earn something.

    The square of the last scale is another one then; a violation has to outweigh it all the same, in the invariant.
    """
    changed = f"set-weight:layer=2,part=W_F1,row=h,column=[w=0],to={weight}"
    [result] = prove(transformed(load("dyck1"), [changed, *NORMALISED]), [RECOGNISES])
    assert isinstance(result.verdict, Proved if proved else Refuted)
