"""Constants with tens of digits, as training leaves them: no power of a unit is too high to be cancelled."""

from __future__ import annotations

import pytest
import sympy

from weightproof.constructions.languages.languages import BITS
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Proved, Refuted
from weightproof.symbolic.algebra.constants import constant_unit
from weightproof.symbolic.algebra.exponentials import _with_whole_exponents
from weightproof.symbolic.algebra.iverson import HIGHEST_POWER, canonical

SCORES = ("-7455421376893671/4503599627370496", "2572314641410845/2251799813685248")
"""Floats of 53 bits, as they are."""
MORE = Language("MORE", BITS, lambda word: 2 * word.count("1") > word.count("0"), "2*count('1') > count('0')")
NO_FEWER = Decides("of all lengths", "accepts", given="count('1') >= count('0') and count('1') > 0")


def weighing(ones: str) -> Construction:
    """CLS attends to 1 and to 0 with these scores; a 1 pulls up by the number, a 0 down by 1."""
    scores = dict(zip(BITS, SCORES, strict=True))
    return Construction(
        name="weighing",
        title="weighing",
        source="a test",
        language=MORE,
        network=Encoder(
            coordinates=("score", "value", "one", "s"),
            embedding=Embedding(
                {
                    **{bit: {"score": scores[bit], "value": {"0": -1, "1": ones}[bit]} for bit in BITS},
                    "CLS": {"one": 1},
                }
            ),
            layers=(
                Layer(
                    heads=(
                        Head(
                            W_Q={"q": {"one": "1"}},
                            W_K={"q": {"score": "1"}},
                            W_V={"s": {"value": 1}},
                            scale="1/sqrt(6)",
                        ),
                    )
                ),
            ),
            readout=Readout(Linear({"logit": {"s": 1}})),
        ),
    )


def test_each_has_a_unit_of_its_own() -> None:
    n = sympy.Symbol("n", integer=True)
    unit, third = constant_unit(sympy.sqrt(6)), sympy.Rational(10**15 + 1, 3 * 10**15)
    found = _with_whole_exponents(unit, third - 2 * n)
    assert found == constant_unit(sympy.sqrt(6) * third) * constant_unit(2 * sympy.sqrt(6)) ** -n
    assert _with_whole_exponents(unit, n / 3 - 2) == constant_unit(sympy.sqrt(6) / 3) ** (n - 6)


def test_what_has_higher_powers_stays_as_it_is() -> None:
    x, y = sympy.symbols("x y", positive=True)
    open_form = (x ** (2 * HIGHEST_POWER + 2) - y**2) / (x ** (HIGHEST_POWER + 1) - y)
    assert canonical(open_form) == open_form
    assert canonical((x**4 - y**2) / (x**2 - y)) == x**2 + y


@pytest.mark.parametrize(("ones", "verdict"), [("1", Proved), ("1/10", Refuted)])
def test_verdicts_are_those_of_the_network(ones: str, verdict: type) -> None:
    """e^(1.14/sqrt 6)/e^(-1.66/sqrt 6) is 3.13: a 1 weighs as much as three 0s, or as a third of one."""
    construction = weighing(ones)
    [result] = prove(construction, (NO_FEWER,))
    assert isinstance(result.verdict, verdict)
