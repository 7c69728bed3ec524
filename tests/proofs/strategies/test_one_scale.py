"""Sums of scales that are nearly one: changed weights of a network for palindromes under layer normalisation, the
bounds of the errors on short words, and what is not proved with them."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import sympy
from flint import fmpq

from tests.support.changes import changes
from tests.support.suites import short_suite
from weightproof.appendix.arguments import theorems
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.proofs import deciding
from weightproof.proofs.prove import proofs
from weightproof.proofs.solving.close import close
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.strategies.goals import DecidesBy, goal
from weightproof.proofs.strategies.inductive import one_scale
from weightproof.proofs.strategies.inductive.one_scale import WithOneScale, with_one_scale
from weightproof.proofs.strategies.scales import without_scales
from weightproof.proofs.theorem import Compares, Decides, stated
from weightproof.proofs.verdict import Proved, Unknown
from weightproof.symbolic.algebra.iverson import ZERO, Iverson
from weightproof.symbolic.algebra.vocabulary import Underivable, j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word, evaluate_logit
from weightproof.symbolic.forward import derive
from weightproof.symbolic.writing.latex import explicit_sum

NAME = "palindrome-isometric+remove-centering+layer-norm"
RECOGNISES = Decides("recognises", "a test")
PLUS, MINUS = "PE 'e^(-cn)/n': exp(-c*n)/n", "PE '-e^(-cn)/n': -exp(-c*n)/n"
HARMLESS = [
    (PLUS, "doubled"),
    (PLUS, "halved"),
    *((MINUS, what) for what in ("negated", "doubled", "zeroed", "halved")),
]
WRONG = [(PLUS, "negated"), (PLUS, "zeroed")]
SETTINGS = ({"c": "log(2)", "epsilon": "1/100000"}, {"c": "log(2)", "epsilon": "0"}, {"c": "2", "epsilon": "50"})


@functools.cache
def changed(place: str, what: str) -> Construction:
    construction, _ = stated()[NAME]
    return next(each.construction for each in changes(construction) if (each.place, each.what) == (place, what))


@functools.cache
def derived(place: str, what: str) -> Derivation:
    return without_scales(derive(changed(place, what)), RECOGNISES)


@functools.cache
def over_one_scale(place: str, what: str) -> WithOneScale:
    return with_one_scale(derived(place, what), RECOGNISES)


def words(construction: Construction, longest: int = 5) -> Iterator[tuple[list[str], str, dict[str, Real]]]:
    assert isinstance(construction.network, Encoder)
    for length, setting in product(range(longest + 1), SETTINGS):
        for symbols in product("01", repeat=length):
            yield (
                list(add_markers(construction.network, symbols)),
                "".join(symbols),
                dict(parameter_values(construction, setting)),
            )


@pytest.mark.controls
@pytest.mark.parametrize("change", HARMLESS)
def test_a_logit_differs_from_that_without_scales_by_at_most_the_room(change: tuple[str, str]) -> None:
    """Over the scale and the factor of the absolute value; and the network decides these words as it should."""
    derivation, plain = derived(*change), over_one_scale(*change)
    [(_, value)] = derivation.logit.terms
    [size] = value.atoms(sympy.Abs)
    [scale] = [scale for scale in derivation.scales if str(scale) == "R3"]
    factor = -sympy.expand(value).coeff(sympy.expand(size)) * scale
    met = 0
    for tokens, symbols, parameters in words(derivation.construction):
        word = Word(derivation.vocabulary, tokens, parameters, derivation.scales, balls=True)
        found = evaluate_logit(derivation, tokens, parameters, 200)
        exact = found / word.expression(factor)  # type: ignore[operator]
        error = exact - evaluate_logit(plain.derivation, tokens, parameters, 200)  # type: ignore[operator]
        room = word.expression(plain.theorem.room)
        assert sign(room - error) >= 0  # type: ignore[arg-type,operator]
        assert sign(room + error) >= 0  # type: ignore[arg-type,operator]
        assert (sign(found) > 0) == is_member(derivation.construction, symbols, parameters)  # type: ignore[arg-type]
        met += 1
    assert met > 150


@pytest.mark.controls
def test_every_bound_holds_at_every_position_of_short_words() -> None:
    derivation, plain = derived(PLUS, "doubled"), over_one_scale(PLUS, "doubled")
    met = dict.fromkeys(plain.shown, 0)
    for tokens, _, parameters in words(derivation.construction):
        word = Word(derivation.vocabulary, tokens, parameters, derivation.scales, balls=True)
        for place in range(1, len(tokens) - 1):
            word.values[j] = fmpq(place)
            for item in plain.shown:
                if all(sign(word.expression(form.expression())) >= 0 for form in item.context.constraints):
                    assert isinstance(item.goal, Rel)
                    assert sign(word.expression(item.goal.expression)) >= 0, item.name
                    met[item] += 1
    assert min(met.values()) > 20


@pytest.mark.controls
@pytest.mark.parametrize("change", HARMLESS)
def test_it_is_proved(change: tuple[str, str]) -> None:
    """And the document says what its induction speaks of."""
    [proof] = proofs(changed(*change), [RECOGNISES], timeout=90)
    assert isinstance(proof.result.verdict, Proved)
    assert proof.result.verdict.scope == "all lengths"
    assert proof.result.invariant is None  # it would speak of another sum
    told = str(list(theorems([proof], derived(*change), "A", "FILE.py")))
    plain = over_one_scale(*change).derivation
    [(symbol, total)] = plain.sums.items()
    assert "are nearly one" in told
    assert explicit_sum(total, plain.vocabulary).parts[0] in told.replace("\\\\", "\\")
    assert str(symbol)[1:] in told


def undecided(derivation: Derivation, theorem: Decides = RECOGNISES) -> Unknown | None:
    return deciding._undecided(derivation, theorem, deciding.Deadline.after(60), deciding.Tried(theorem))


@pytest.mark.parametrize("change", short_suite(WRONG, WRONG[:1]))
def test_a_network_that_is_wrong_is_not_proved(change: tuple[str, str]) -> None:
    """Its bounds hold: what is not shown is that there is room."""
    assert undecided(derived(*change)) is not None


@pytest.mark.controls
def test_nothing_is_proved_with_too_little_room() -> None:
    """The other decisions of the network without scales leave no room for 7 times the errors."""
    plain = over_one_scale(MINUS, "negated")
    theorem = replace(plain.theorem, room=7 * plain.theorem.room)
    tried = deciding.Tried(theorem)
    found = deciding._undecided_with_one_found(plain.derivation, theorem, deciding.Deadline.after(60), tried)
    assert isinstance(found, Unknown)


def is_open(derivation: Derivation) -> bool:
    """Whether some bound of an error is."""
    return any(close(item, 10).evidence is None for item in with_one_scale(derivation, RECOGNISES).shown)


def with_squares(factor: sympy.Expr) -> Derivation:
    """The scales of positions with other squares."""
    derivation = derived(PLUS, "doubled")
    scales = {scale: square.scaled(1 if scale.is_Symbol else factor) for scale, square in derivation.scales.items()}
    return replace(derivation, scales=scales)


def test_a_planted_bound_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_open(with_squares(sympy.S.One))
    assert is_open(with_squares(sympy.Rational(1001, 1000)))
    assert undecided(with_squares(sympy.Rational(1001, 1000))) is not None
    monkeypatch.setattr(one_scale, "ALLOWED", sympy.S.Zero)
    assert is_open(with_squares(sympy.S.One))


def test_room_is_asked_for_on_both_sides() -> None:
    """With strict the logit is not -room, either."""
    derivation = derived(PLUS, "doubled")
    vocabulary, here = derivation.vocabulary, derivation.vocabulary.words()
    x = sympy.Symbol("x", real=True)
    for strict, op in ((False, ">="), (True, ">")):
        theorem = DecidesBy("a", "b", strict=strict, room=n)
        assert goal(theorem, "logit > 0", x, True, here, vocabulary) == Rel(">", x - n)
        assert goal(theorem, "logit > 0", x, False, here, vocabulary) == Rel(op, -x - n)


def test_other_shapes_are_refused() -> None:
    derivation, theorem = derived(PLUS, "doubled"), RECOGNISES
    [(_, value)] = derivation.logit.terms
    [size] = value.atoms(sympy.Abs)
    [first, *_] = derivation.sums
    logits = {
        "no scale": ZERO,
        "a square": Iverson.constant(value * size),
        "two absolute values": Iverson.constant(value + sympy.Abs(first)),
        "a sum outside": Iverson.constant(value + first),
    }
    for logit in logits.values():
        with pytest.raises(Underivable):
            with_one_scale(replace(derivation, logit=logit), theorem)
    with pytest.raises(Underivable):
        with_one_scale(derivation, replace(theorem, up_to=3))
    with pytest.raises(Underivable):
        with_one_scale(derivation, Compares(">", 0))
