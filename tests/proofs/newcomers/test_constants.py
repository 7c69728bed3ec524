"""Roots, logarithms, parameters and powers of the length as weights: proved for all lengths, and wrong ones refuted."""

from __future__ import annotations

import pytest
import sympy

from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.prove import prove
from weightproof.proofs.solving.combining import without_root
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.theorem import Decides
from weightproof.symbolic.algebra.constants import number_bounds
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary, n

TIES = Language("TIES", ("0", "1"), lambda w: w.count("1") >= w.count("0"), "count('1') >= count('0')")
GOLDEN = Language(
    "GOLDEN",
    ("0", "1"),
    lambda w: 2 * w.count("0") < w.count("1") or (2 * w.count("0") - w.count("1")) ** 2 < 5 * w.count("1") ** 2,
    "(sqrt(5) + 1)*count('1') > 2*count('0')",
)
FIRST = Language("FIRST", ("0", "1"), lambda w: w[:1] == "1", "w[1] == '1'")
C, D = Parameter("c", "c >= 1", 2), Parameter("D", "D >= 1", 2, "natural")
WORDS = Vocabulary(("0", "1"), True, False, (), (), 5)


def network(
    language: Language, head: Head, parameters: tuple[Parameter, ...] = (), name: str = "constants"
) -> Construction:
    return Construction(
        name=name,
        title="constants as weights",
        source="a test",
        language=language,
        parameters=parameters,
        network=Encoder(
            coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "s"),
            embedding=Embedding({"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}}, {"[i=1]": "(i == 1)"}),
            layers=(Layer(heads=(head,)),),
            readout=Readout(Linear({"logit": {"s": 1}})),
        ),
    )


def weighed(zero: str, one: str, marker: str = "0") -> Head:
    return Head({"s": {"[w=0]": zero, "[w=1]": one, "[w=CLS]": marker}})


def leaning(score: str) -> Head:
    """To position 1, with a weight that is a power of n."""
    values = {"[w=0]": -1, "[w=1]": 1, "[w=CLS]": -1}
    return Head({"s": values}, {"q": {"[w=CLS]": score}}, {"q": {"[i=1]": 1}}, scale="log(n)/sqrt(d)")


CASES: dict[str, tuple[Construction, str]] = {
    "roots": (network(TIES, weighed("-sqrt(3)", "sqrt(3)", "1/2")), "proved"),
    "a rounded root": (network(TIES, weighed("-sqrt(3)", "7/4", "-1/40")), "refuted"),
    "a logarithm and a root": (network(TIES, weighed("-log(3)", "log(3)", "sqrt(2)/2")), "proved"),
    "a root that is too great": (network(TIES, weighed("-log(3)", "log(3)", "sqrt(2)")), "refuted"),
    "the golden ratio": (network(GOLDEN, weighed("-1", "sqrt(5)/2 + 1/2")), "proved"),
    "a parameter": (network(TIES, weighed("-c", "c", "c/2"), (C,)), "proved"),
    "n": (network(FIRST, leaning("sqrt(d)")), "proved"),
    "n^c": (network(FIRST, leaning("c*sqrt(d)"), (C,)), "proved"),
    "n^D": (network(FIRST, leaning("D*sqrt(d)"), (D,)), "proved"),
    "n^sqrt(2)": (network(FIRST, leaning("sqrt(2)*sqrt(d)")), "proved"),
    "the root of n": (network(FIRST, leaning("sqrt(d)/2")), "refuted"),
}


@pytest.mark.parametrize("case", CASES)
def test_constants_as_weights(case: str) -> None:
    construction, wanted = CASES[case]
    [result] = prove(construction, [Decides("recognises", "a test")], timeout=60)
    assert result.verdict.name == wanted, result.verdict


def test_numbers_are_enclosed_and_their_signs_told() -> None:
    for number in (sympy.sqrt(2) - sympy.log(3), sympy.sqrt(2) / 2 - 1, sympy.log(2) ** 2 - sympy.Rational(12, 25)):
        bounds = number_bounds(number)
        assert bounds is not None
        assert bounds[0] < bounds[1] < bounds[0] + 1 / 2**50
        sign = Sign.POSITIVE if bounds[0] > 0 else Sign.NEGATIVE
        assert sign is (Sign.POSITIVE if number.evalf() > 0 else Sign.NEGATIVE)
        assert sign_of(number, WORDS.words(), WORDS) is sign
    assert number_bounds(sympy.sqrt(2) * n) is None


def test_a_conjugate_takes_the_root_away_where_its_terms_have_a_sign() -> None:
    ones, zeros = WORDS.total("1"), WORDS.total("0")
    goal = Rel(">", sympy.sqrt(2) * ones - zeros)
    assert without_root(goal, WORDS.words(), WORDS) == Rel(">", 2 * ones**2 - zeros**2)
    opposite = Rel(">=", zeros - sympy.sqrt(2) * ones)
    assert without_root(opposite, WORDS.words(), WORDS) == Rel(">=", zeros**2 - 2 * ones**2)
    assert without_root(Rel(">", sympy.sqrt(2) * (ones - zeros) - 1), WORDS.words(), WORDS) is None
    assert without_root(Rel("==", goal.expression), WORDS.words(), WORDS) is None
    assert without_root(Rel(">", ones - zeros), WORDS.words(), WORDS) is None


def test_a_root_inside_of_a_power_of_e_is_left() -> None:
    """There the product has it again, and so on for ever."""
    ones, power = WORDS.total("1"), sympy.Function("exp", positive=True)(sympy.sqrt(2) * sympy.Symbol("c", real=True))
    assert without_root(Rel(">", sympy.sqrt(2) * ones * power - 1), WORDS.words(), WORDS) is None
