"""e to irrational multiples of a parameter: units of their own, with their bounds and their order."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import sympy

from weightproof.constructions.languages.languages import BITS
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.constants import multiple_of
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

LONG = Language("LONG", BITS, lambda word: len(word) > 1, "n > 2", description="more than one symbol")


def leaning(scales: tuple[str, str], domain: str = "E > 0", name: str = "E") -> Construction:
    """Two heads lean to position 1 by e to multiples of one parameter, which is called like a number of SymPy's; the
    logit is the difference of what they see, positive where the first leans more and there is a symbol to see."""
    first, second = (
        Head(W_Q={"q": {"[CLS]": name}}, W_K={"q": {"[i=1]": 1}}, W_V={"s": {"[i=1]": value}}, scale=scale)
        for scale, value in zip(scales, (1, -1), strict=True)
    )
    return Construction(
        name="leaning",
        title="two leanings",
        source="a test",
        language=LONG,
        parameters=(Parameter(name, domain, 3),),
        network=Encoder(
            coordinates=("[CLS]", "[i=1]", "s"),
            embedding=Embedding({"0": {}, "1": {}, "CLS": {"[CLS]": 1}}, {"[i=1]": "(i == 1)"}),
            layers=(Layer(heads=(first, second)),),
            readout=Readout(Linear({"logit": {"s": 1}})),
        ),
    )


THEOREM = Decides("recognises", "all words of two or more symbols", given="n >= 3")


def test_the_closed_form_is_the_logit() -> None:
    construction = leaning(("sqrt(2)/2", "1/sqrt(3)"))
    derived = derive(construction)
    assert {multiple_of(atom) for atom in derived.logit.free_symbols} >= {
        ("E", sympy.sqrt(2) / 2),
        ("E", sympy.sqrt(3) / 3),
    }
    for value in ("1", "log(3)", "1/7"):
        values = parameter_values(construction, {"E": value})
        for word in map("".join, product("01", repeat=3)):
            tokens = add_markers(construction.network, word)  # type: ignore[arg-type]
            difference = evaluate_logit(derived, tokens, values) - run(construction, word, {"E": value}).logit
            assert difference == 0, (value, word)


@pytest.mark.parametrize(
    ("scales", "domain", "proved"),
    [
        (("1/sqrt(2)", "1/sqrt(3)"), "E > 0", True),
        (("1/sqrt(2)", "2/3"), "E > 0", True),  # a multiple beside u_E itself
        (("1/sqrt(3)", "1/sqrt(2)"), "E > 0", False),
        (("1/sqrt(2)", "1/sqrt(3)"), "E >= 0", False),  # at 0 both are 1
        (("1/sqrt(2)", "1/sqrt(2)"), "E > 0", False),
    ],
)
def test_multiples_of_one_parameter_keep_their_order(scales: tuple[str, str], domain: str, proved: bool) -> None:
    [result] = prove(leaning(scales, domain), (THEOREM,), timeout=60)
    assert isinstance(result.verdict, Proved if proved else Refuted)


def test_a_multiple_has_the_lower_bound_of_its_parameter() -> None:
    def bound(domain: str) -> tuple[Fraction, bool] | None:
        vocabulary = Vocabulary.of(leaning(("1", "1"), domain))
        c = vocabulary.parameter("E")
        return vocabulary.lower_bound(exponential(sympy.sqrt(5) * c / 5, vocabulary))

    assert bound("E > 0") == (1, True)
    assert bound("E >= 0") == (1, False)
    above = bound("E >= 2")
    assert above is not None
    assert 0 < Fraction(math.exp(2 / math.sqrt(5))) - above[0] + Fraction(1, 10**12) < Fraction(1, 10**9)
    below = bound("E > -1")
    assert below is not None
    assert 0 < Fraction(math.exp(-1 / math.sqrt(5))) - below[0] + Fraction(1, 10**12) < Fraction(1, 10**9)


def test_e_to_a_product_is_above_1_where_its_factors_are_positive() -> None:
    def bound(domain: str, exponent: str) -> tuple[Fraction, bool] | None:
        vocabulary = Vocabulary.of(leaning(("1", "1"), domain))
        e = vocabulary.parameter("E")
        return vocabulary.lower_bound(exponential(sympy.sympify(exponent, {"E": e}), vocabulary))

    assert bound("E > 0", "E**2") == bound("E > 0", "3*E**3/2") == (1, True)
    assert bound("E >= 0", "E**2") == (1, False)
    assert bound("E > -1", "E**2") == bound("E > -1", "E**3") == (0, True)


def test_rational_multiples_of_one_irrational_multiple_share_a_unit() -> None:
    vocabulary = Vocabulary.of(leaning(("1", "1")))
    c = vocabulary.parameter("E")
    unit = exponential(sympy.sqrt(5) * c / 5, vocabulary)
    assert exponential(2 * sympy.sqrt(5) * c / 5, vocabulary) == unit**2
    assert exponential(-sympy.sqrt(5) * c / 5, vocabulary) == 1 / unit
    assert exponential(sympy.sqrt(6) * c / 6, vocabulary) != unit
    assert replace(vocabulary, bounds=()).lower_bound(unit) == (1, True)  # as e^c is at least that
    assert replace(vocabulary, bounds=(), least=()).lower_bound(unit) == (0, True)
