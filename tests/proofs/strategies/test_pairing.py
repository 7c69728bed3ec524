"""Positions in pairs: PARITY under layer normalisation, for words of every length; and what is not proved by it."""

from __future__ import annotations

import functools
from dataclasses import replace
from itertools import product
from random import Random

import pytest
import sympy
from flint import fmpq

from tests.support.suites import short_suite
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.constructions.scalars.exact import ball, exp
from weightproof.constructions.transforms.by_name import transformed
from weightproof.numeric.model.transformer import Transformer
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Formula, Rel
from weightproof.proofs.strategies.pairing import by_pairing
from weightproof.proofs.strategies.scales import without_scales
from weightproof.proofs.theorem import Decides, Margin
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable, j
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word
from weightproof.symbolic.forward import derive

RECOGNISES = Decides("recognises", "a test")
NORMALISED = ["remove-centering", "layer-norm:epsilon=0"]
TWICE = ["set-weight:layer=2,head=1,part=W_Q,row=q,column=[w=CLS],to=2*c*sqrt(d)", *NORMALISED]
"""One head twice as strong as the other, which decides the same words, by Karamata's inequality."""
UNCENTRED, NORM = NORMALISED


def added(head: int, number: str) -> list[str]:
    """One head stronger than the other by number/sqrt(d), which matters the more the smaller c is."""
    row = f"layer=2,head={head},part=W_Q,row=q,column=[w=CLS]"
    return [UNCENTRED, f"set-weight:{row},to=c*sqrt(d) + {number}", NORM]


@functools.cache
def parity(*asked: str) -> Construction:
    return transformed(load("parity"), asked or NORMALISED)


@functools.cache
def derived(*asked: str) -> Derivation:
    return without_scales(derive(parity(*asked)), RECOGNISES)


def obligations(theorem: Decides, derivation: Derivation) -> list[Implication]:
    return list(by_pairing(derivation, theorem, derivation.vocabulary.words()))


def test_parity_is_recognised_under_layer_normalisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weightproof.proofs.deciding.EARLY", 1 / 90)  # of looking for words that are not there
    [result] = prove(parity(), [RECOGNISES], timeout=90)
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.controls
def test_parity_is_recognised_for_every_epsilon_at_once() -> None:
    [result] = prove(parity("remove-centering", "layer-norm"), [RECOGNISES], timeout=90)
    assert isinstance(result.verdict, Proved)
    assert result.verdict.scope == "all lengths"


@pytest.mark.parametrize("longest", [40, pytest.param(300, marks=pytest.mark.controls)])
def test_every_count_of_every_length_is_decided_rightly(longest: int) -> None:
    """An independent witness: the weights in float64, each count in a random order."""
    model, random = Transformer(parity()), Random(0)
    for symbols in range(1, longest + 1):
        words = ["".join(random.sample("1" * k + "0" * (symbols - k), symbols)) for k in range(symbols + 1)]
        assert model.accepts(words).tolist() == [k % 2 == 1 for k in range(symbols + 1)]


@pytest.mark.parametrize(
    "asked",
    [
        NORMALISED,
        *(pytest.param(asked, marks=pytest.mark.controls) for asked in (TWICE, added(1, "1"), added(2, "1"))),
    ],
    ids=["as printed", "one head twice as strong", "the first a little stronger", "the second a little stronger"],
)
def test_every_obligation_holds_at_every_place_of_short_words(asked: list[str]) -> None:
    """With the exact values of the scales: the hypotheses, the comparisons of scales, and what follows from them."""
    derivation, met = derived(*asked), 0
    items = obligations(RECOGNISES, derivation)
    for length in range(5):
        for symbols in product("01", repeat=length):
            word = Word(
                derivation.vocabulary,
                add_markers(_network(parity(*asked)), symbols),
                parameter_values(parity(*asked)),
                derivation.scales,
            )
            for item in items:
                for place in range(length + 1):
                    word.values[j] = fmpq(place)
                    if _holds_in(item, word):
                        assert all(_true(rel, word) for rel in (*item.relations, item.goal)), item
                        met += 1
    assert met > 200


def _network(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def _holds_in(item: Implication, word: Word) -> bool:
    """Whether the context does, its quotients being those of the remainders."""
    for form in item.context.constraints:
        values = [(_value(atom, word), factor) for atom, factor in form.terms]
        if (
            sum((value * fmpq(f.numerator, f.denominator) for value, f in values), fmpq(0))
            + fmpq(form.constant.numerator, form.constant.denominator)
            < 0
        ):
            return False
    return True


def _value(atom: sympy.Expr, word: Word) -> fmpq:
    text = str(atom)
    if "//" in text:
        inner, modulus = text.rsplit(" // ", 1)
        form = sympy.sympify(inner, {"n": sympy.Symbol("n", integer=True), "K_1": sympy.Symbol("K_1", integer=True)})
        return fmpq(word.integer(form) // int(modulus))
    value = word.atom(atom)
    assert isinstance(value, fmpq)
    return value


def _true(rel: Formula, word: Word) -> bool:
    assert isinstance(rel, Rel)
    value = ball(word.expression(rel.expression))
    return bool(value > 0 if rel.op == ">" else not value < 0)


def test_two_powers_exceed_two_others_where_their_exponents_lie_further_apart_or_higher() -> None:
    """The sign of e^a + e^b - e^x - e^y on a grid; and neither comparison suffices alone."""
    of_too_little = set()
    for a, b, x, y in product(range(-2, 3), repeat=4):
        value = ball(exp(fmpq(a))) + ball(exp(fmpq(b))) - ball(exp(fmpq(x))) - ball(exp(fmpq(y)))
        above, total = min(a - x, a - y) >= 0, a + b - x - y
        if above and total >= 0:
            assert value > 0 or (total == 0 and value.contains(0))
        elif value < 0:
            of_too_little |= {"above"} if not above and total >= 0 else {"total"} if above else set()
    assert of_too_little == {"above", "total"}


@pytest.mark.controls
@pytest.mark.parametrize(("times", "proved"), [("2", True), ("1/2", True), ("-1", False)])
def test_heads_of_different_strength(times: str, proved: bool) -> None:
    asked = TWICE[0].replace("to=2*c", f"to={times}*c")
    [result] = prove(parity(asked, *NORMALISED), [RECOGNISES])
    assert isinstance(result.verdict, Proved if proved else Refuted)


@pytest.mark.controls
@pytest.mark.parametrize("head", [1, 2])
def test_a_head_that_is_a_little_stronger_for_every_c(head: int) -> None:
    [result] = prove(parity(*added(head, "1")), [RECOGNISES])
    assert isinstance(result.verdict, Proved)
    model = Transformer(parity(*added(head, "1")), parameters={"c": "1/1000"})
    for symbols in range(1, 60):
        words = ["1" * k + "0" * (symbols - k) for k in range(symbols + 1)]
        assert model.accepts(words).tolist() == [k % 2 == 1 for k in range(symbols + 1)]


@pytest.mark.controls
@pytest.mark.parametrize("head", [1, 2])
def test_a_head_that_is_much_stronger_has_no_pairs_and_is_wrong_in_the_end(head: int) -> None:
    """5/sqrt(d) is more than the rule can show, and 12/sqrt(d) too much."""
    with pytest.raises(Underivable, match="no way to pair positions"):
        obligations(RECOGNISES, derived(*added(head, "5")))
    [result] = prove(parity(*added(head, "12")), [RECOGNISES])
    assert isinstance(result.verdict, Refuted)


CLAIMS = ["count('1') % 2 == 0", "count('1') % 2 == 1 and n > 3", "count('0') % 2 == 1", "count('1') == 1"]


@pytest.mark.parametrize("accepts", short_suite(CLAIMS, CLAIMS[:1]))
def test_a_wrong_claim_is_refuted_and_has_no_pairs(accepts: str) -> None:
    wrong = Decides("wrong", "a test", accepts=accepts)
    [result] = prove(parity(), [wrong])
    assert isinstance(result.verdict, Refuted)
    with pytest.raises(Underivable):
        obligations(wrong, derived())


def turned(head: Head) -> Head:
    return replace(head, W_K={"q": {"cos(i*pi)": 1}})


def test_a_network_that_leans_to_one_side_twice_is_not_proved() -> None:
    """Both heads lean to the even positions, so that their difference is 0."""
    of = load("parity")
    first, second = _network(of).layers
    heads = tuple(turned(head) for head in second.heads)
    mistaken = replace(of, network=replace(_network(of), layers=(first, replace(second, heads=heads))))
    [result] = prove(transformed(mistaken, NORMALISED), [RECOGNISES])
    assert isinstance(result.verdict, Refuted)


def test_what_has_another_shape_is_refused() -> None:
    with pytest.raises(Underivable, match="for the sign of a logit only"):
        list(by_pairing(derived(), Margin("accepted", "1/n"), derived().vocabulary.words()))  # type: ignore[arg-type]
    dyck = transformed(load("dyck1"), NORMALISED)
    derivation = derive(dyck)
    with pytest.raises(Underivable):
        list(by_pairing(derivation, Decides("a", "b", accepts="n > 2"), derivation.vocabulary.words()))


@pytest.mark.parametrize(("added", "given", "is_paired"), [
    (1, "count('1') % 2 == 1", True), (-1, "count('1') % 2 == 0", True),
    (-1, "count('1') % 2 == 1", False), (1, "count('1') % 2 == 0", False),
])  # fmt: skip
def test_what_is_added_on_the_right_side_does_no_harm(added: int, given: str, is_paired: bool) -> None:
    """A product of two sums, each of terms that are not negative."""
    first, second = list(derived().sums)[:2]
    terms = tuple((conditions, x + added * first * second) for conditions, x in derived().logit.terms)
    shifted = replace(derived(), logit=Iverson(terms))
    theorem = replace(RECOGNISES, given=given)
    if is_paired:
        assert obligations(theorem, shifted)
    else:
        with pytest.raises(Underivable, match="not linear in the sums"):
            obligations(theorem, shifted)
