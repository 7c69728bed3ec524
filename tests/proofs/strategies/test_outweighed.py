"""Sums that outweigh a multiple of a scale at every step: changed weights of the Dyck languages under layer
normalisation, the rule that eliminates the sum, and what is not proved with it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import sympy
from flint import fmpq

from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs import deciding
from weightproof.proofs.prove import proofs
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.strategies.inductive.induction import by_induction, least_before_last
from weightproof.proofs.strategies.inductive.outweighed import Bounds, at_the_last_place
from weightproof.proofs.strategies.scales import COMPARED, scales_of, without_scales
from weightproof.proofs.theorem import Decides
from weightproof.proofs.theorems.chiang2022.layer_norm import IN_EXCESS, OUTWEIGHED
from weightproof.proofs.verdict import Proved, Refuted, Unknown
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.forward import derive

RECOGNISES = Decides("recognises", "a test", invariant=IN_EXCESS)
EITHER = Decides("recognises", "a test", invariant=OUTWEIGHED, or_else=(IN_EXCESS,))


def undecided(construction: Construction, theorem: Decides) -> Unknown | None:
    """Why the strategies leave a theorem open, before any word is searched for."""
    derivation = without_scales(derive(construction), theorem)
    return deciding._undecided(derivation, theorem, deciding.Deadline.after(90), deciding.Tried(theorem))


def changed(row: str, column: str, to: str) -> Construction:
    """dyck1, one weight of its first feed-forward network changed: the mean of a row grows with the excess then."""
    weight = f"set-weight:layer=1,part=W_F2,row={row},column={column},to={to}"
    return transformed(load("dyck1"), ["remove-centering", weight, "layer-norm:epsilon=1/7"])


@functools.cache
def derived(to: str = "0") -> Derivation:
    return derive(changed("-[k>0]/i", "h2", to))


@functools.cache
def steps() -> tuple[Implication, ...]:
    """Those of a word that was lost before, and has a sum to bound."""
    derivation = derived()
    items = by_induction(derivation, RECOGNISES, derivation.vocabulary.words())
    return tuple(item for item in items if "already lost" in item.name and item.otherwise is not None)


@functools.cache
def eliminated() -> tuple[tuple[Implication, tuple[Implication, ...]], ...]:
    return tuple((item, tuple(item.otherwise())) for item in steps() if item.otherwise is not None)


def places() -> Iterator[tuple[Word, str]]:
    """Every place of every short word, with the sum up to it and the symbol behind it."""
    derivation = derived()
    [total] = derivation.sums.values()
    assert isinstance(derivation.construction.network, Encoder)
    for length in range(1, 6):
        for symbols in product("01", repeat=length):
            tokens = add_markers(derivation.construction.network, symbols)
            word = Word(derivation.vocabulary, tokens, parameter_values(derivation.construction), derivation.scales)
            so_far = fmpq(0)
            for place in range(length):
                word.values[j] = fmpq(place)
                so_far = so_far + (word.iverson(total.body) if place else 0)  # type: ignore[assignment,operator]
                word.values[total.symbol] = so_far
                yield word, symbols[place]


def holds(word: Word, relations: tuple[Rel, ...]) -> bool:
    return all(sign(word.expression(rel.expression)) >= (rel.op == ">") for rel in relations)


def within(word: Word, item: Implication) -> bool:
    return all(sign(word.expression(form.expression())) >= 0 for form in item.context.constraints)


@pytest.mark.controls
def test_what_is_eliminated_holds_at_every_place_of_short_words() -> None:
    """What shows it, and the bound that follows from those that are known, in the case of the goal that holds there."""
    met = {"shown": 0, "followed": 0}
    for word, symbol in places():
        for item, parts in eliminated():
            if item.name[len("step on ")] != symbol or not within(word, item):
                continue
            here = [part for part in parts if within(word, part)]
            lasts = [part for part in here if COMPARED not in part.name]
            assert len(lasts) == 1, item.name
            for each in here:
                if COMPARED in each.name:
                    assert isinstance(each.goal, Rel)
                    assert holds(word, (each.goal,)), each.name
                    met["shown"] += 1
            if holds(word, tuple(rel for rel in item.relations if rel.op != "==")):
                assert holds(word, lasts[0].relations[len(item.relations) :]), lasts[0].name
                met["followed"] += len(lasts[0].relations) > len(item.relations)
    assert min(met.values()) > 20


def test_the_least_addition_is_at_most_every_addition_before_the_last() -> None:
    derivation, met = derived(), 0
    [total] = derivation.sums.values()
    least = least_before_last(total, derivation.vocabulary, derivation.vocabulary.words())
    assert least != 0
    for word, _ in places():
        added = word.iverson(total.body)
        if word.values[j] >= 1 and sign(added) != 0:
            assert sign(sign(added) * added - word.expression(least)) >= 0
            met += 1
    assert met > 20


def test_no_value_is_least_where_the_sign_of_an_addition_is_open() -> None:
    """1/18 of the excess less 1 at every position: for a long word the sum grows."""
    construction = load("dyck1-depth")
    weight = "set-weight:layer=1,part=W_F2,row=-[k<-D]/i,column=h4,to=0"
    derivation = derive(transformed(construction, ["remove-centering", weight, "layer-norm:epsilon=1/7"]))
    [total] = derivation.sums.values()
    assert least_before_last(total, derivation.vocabulary, derivation.vocabulary.words()) == 0


def bounds() -> tuple[Bounds, sympy.Symbol, sympy.Expr, sympy.Expr, sympy.Expr]:
    """A step on 1 before the last position, the sum, the excess, and the scales at j and j+1."""
    derivation = derived()
    [total] = derivation.sums
    [scale] = {s for t in derivation.sums.values() for _, x in t.body.terms for s in scales_of(x)}
    zeros, ones = (derivation.vocabulary.prefix_atom(symbol)(j) for symbol in "01")
    after = {derivation.vocabulary.prefix_atom(s)(j + 1): k for s, k in (("0", zeros), ("1", ones + 1))}
    forms = [linear_form(e) for e in (j - 1, n - j - 3, ones - zeros - 1)]
    context = derivation.vocabulary.prefixes(j, derivation.vocabulary.words().given(*(f for f in forms if f)))
    return Bounds(derivation, context, after), total, ones - zeros, scale, scale.func(j + 1)


@pytest.mark.parametrize(("times", "op", "follows"), [(1, ">=", True), (1, ">", True), (3, ">=", False)])
def test_a_bound_follows_from_a_weaker_multiple_only(times: int, op: str, follows: bool) -> None:
    """S <= -e R(j)/(j+1) says that S is at most -e R(j+1)/(j+2), as scales over positions fall; but not three times
    that."""
    rule, total, excess, here, after = bounds()
    known = Rel(">=", sympy.expand(-total * (j + 1) - excess * here))
    asked = Rel(op, sympy.expand(-total * (j + 2) - times * excess * after))
    assert bool(rule._follows(asked, known, total)) == follows


def test_no_bound_follows_from_one_of_the_other_side() -> None:
    rule, total, excess, here, after = bounds()
    asked = Rel(">=", sympy.expand(-total * (j + 2) - excess * after))
    for known in (
        Rel(">=", sympy.expand(total * (j + 1) + excess * here)),  # S is at least that
        Rel("==", sympy.expand(-total * (j + 1) - excess * here)),  # of which only inequalities are read
        Rel(">=", sympy.expand(-total * (j + 1) + excess * here)),  # S may be positive
    ):
        assert rule._follows(asked, known, total) == []


def test_the_last_place_is_written_as_the_next_one_only_where_it_is() -> None:
    derivation = derived()
    rule, total, _, _, after = bounds()
    vocabulary = derivation.vocabulary
    counts = {vocabulary.prefix_atom(symbol)(j + 1): vocabulary.prefix_atom(symbol)(j) for symbol in "0"}
    counts |= {vocabulary.prefix_atom("1")(j + 1): vocabulary.prefix_atom("1")(j) + 1, vocabulary.token(j + 1): 1}
    last = after.func(n - 1)
    item = Implication("an end", vocabulary, rule.context, (), Rel(">=", n * last - total * vocabulary.total("1")))
    assert at_the_last_place(item, j + 1, counts) == item
    form = linear_form(n - j - 2)
    assert form is not None
    ends = replace(item, context=vocabulary.words().equal(form))
    ones = vocabulary.prefix_atom("1")(j) + 1
    assert at_the_last_place(ends, j + 1, counts).goal == Rel(">=", sympy.expand((j + 2) * after - total * ones))


@pytest.mark.controls
@pytest.mark.parametrize(
    ("row", "column", "to"),
    [("-[k>0]/i", "h2", "0"), ("-[k=0]/i", "h1", "-2"), ("-[k=0]/i", "h3", "1"), ("[k=0]/i", "h1", "1/2")],
)
def test_an_excess_is_outweighed_by_the_sum(row: str, column: str, to: str) -> None:
    """With the second invariant, which is the one that is told; not with the first alone."""
    [proof] = proofs(changed(row, column, to), [EITHER], timeout=90)
    assert isinstance(proof.result.verdict, Proved)
    assert proof.theorem == RECOGNISES
    assert undecided(changed(row, column, to), replace(EITHER, or_else=())) is not None


@pytest.mark.controls
def test_without_elimination_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bounds, "compared", lambda _, item: [replace(item, otherwise=None)])
    left = undecided(changed("-[k>0]/i", "h2", "0"), RECOGNISES)
    assert left is not None
    assert left.obligation is not None
    assert COMPARED not in left.obligation


@pytest.mark.controls
def test_an_excess_that_earns_more_than_the_sum_is_refuted() -> None:
    """The mistake takes a long word to show."""
    [proof] = proofs(changed("[k=0]/i", "h3", "2"), [EITHER], timeout=90)
    assert isinstance(proof.result.verdict, Refuted)
    assert len(proof.result.verdict.counterexample.word) > 16


def test_what_closes_an_obligation_otherwise_has_to_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that stays open leaves the theorem open; one that is closed as it is is not asked for in another way."""
    items = [item for item in steps() if item.otherwise is not None]
    monkeypatch.setattr(deciding, "obligations", lambda *_: items[:1])
    tried = deciding.Tried(RECOGNISES)
    asked: list[str] = []

    def wrong(item: Implication) -> Iterator[Implication]:
        asked.append(item.name)
        yield replace(item, relations=(), goal=Rel(">", -j), otherwise=None)

    items[0] = replace(items[0], goal=Rel(">", -j), otherwise=lambda item=items[0]: wrong(item))  # type: ignore[misc]
    assert deciding._undecided(derived(), RECOGNISES, deciding.Deadline.after(20), tried) is not None
    assert asked == [items[0].name]
    items[0] = replace(items[0], goal=Rel(">", j + 1))
    assert deciding._undecided(derived(), RECOGNISES, deciding.Deadline.after(20), tried) is None
    assert asked == [items[0].name]
