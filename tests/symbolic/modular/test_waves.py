"""Sums of waves of formal phases: read from weights, compared with what the exact arithmetic says at numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.fraknoi2024.modular_addition import modular_addition, uncorrected
from weightproof.constructions.meaning.running import predicted
from weightproof.constructions.meaning.schema import Head, LayerNorm
from weightproof.constructions.modular.addition import SUMMANDS, Adder, Makes
from weightproof.constructions.modular.family import every_modulus, modulus
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.adding import forward
from weightproof.symbolic.modular.waves import Phase, Waves, read, read_phase

NAMES = {"a": fmpq(2), "b": fmpq(-3), "k": fmpq(5), "p": fmpq(7)}
ARGUMENTS = st.sampled_from(["2*pi*k*a/p", "pi*(a - b)", "pi/3", "pi*3/2", "pi*k*(a + 2*b)/(3*p)", "-pi*a/p", "pi*a*b"])
ATOMS = st.one_of(st.builds(lambda f, x: f"{f}({x})", st.sampled_from(["cos", "sin"]), ARGUMENTS), st.just("1/2"))
JOINED = st.sampled_from("+-*")
TEXTS = st.recursive(ATOMS, lambda x: st.builds(lambda a, op, b: f"({a}) {op} ({b})", x, JOINED, x), max_leaves=4)


def at_numbers(text: str) -> object:
    scalar = expression(text)
    return evaluate(scalar, {name: NAMES[name] for name in scalar.names})


@given(text=TEXTS)
def test_what_is_read_is_the_same_number(text: str) -> None:
    made = read(Expression(text))
    if all(function != "exp" for _, function, _ in made.parts):
        assert sign(at_numbers(str(made)) - at_numbers(text)) == 0  # type: ignore[operator]


@given(text=TEXTS)
def test_a_text_is_read_as_the_same_waves(text: str) -> None:
    made = read(Expression(text))
    if all(function != "exp" for _, function, _ in made.parts):
        assert read(Expression(str(made))) == made


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("cos(pi*a)**2 + sin(pi*a)**2", "1"),
        ("cos(pi*(a + 2))", "cos(pi*a)"),
        ("sin(pi*(a + 1/2))", "cos(pi*a)"),
        ("cos(2*pi*a/p)", "2*cos(pi*a/p)**2 - 1"),
        ("sin(pi*a)*sin(pi*b)", "(cos(pi*(a - b)) - cos(pi*(a + b)))/2"),
    ],
)
def test_addition_theorems_hold_formally(left: str, right: str) -> None:
    assert read(Expression(left)) == read(Expression(right))
    assert read(Expression(f"({left}) + cos(pi*b/9)/1000")) != read(Expression(right))


@pytest.mark.parametrize("text", ["a", "a*cos(pi*b)", "sqrt(2)", "(a == b)", "1/cos(pi*a)", "cos(pi*cos(pi*a))"])
def test_other_weights_are_refused(text: str) -> None:
    with pytest.raises(Underivable):
        read(Expression(text))


def test_a_phase_is_read_as_one() -> None:
    assert read_phase(Expression("2*p")) == Phase.number(2) * Phase.name("p")
    assert str(read_phase(Expression("-3*(a - b)/(2*p)"))) == "3*(-a + b)/p/2"
    with pytest.raises(Underivable):
        read_phase(Expression("cos(pi*a)"))
    with pytest.raises(Underivable):
        read_phase(Expression("1/(a + b)"))


@pytest.mark.parametrize("family", [modular_addition, uncorrected])
@pytest.mark.parametrize(("p", "k"), [(2, 1), (3, 2), (4, 3), (7, 3)])
def test_the_forward_pass_is_that_of_the_interpreter(family: Makes, p: int, k: int) -> None:
    made, adder = forward(family(every_modulus()).network, SUMMANDS), family(modulus(p, (k,)))
    for a, b in ((0, 0), (1, 0), (p - 1, 1), (p - 1, p - 1)):
        ran = predicted(adder.name, adder.network, (str(a), str(b)))
        for c in range(p):
            numbers = {"a": fmpq(a), "b": fmpq(b), "c": fmpq(c), "k": fmpq(k), "p": fmpq(p)}
            assert sign(_at(made.outputs["c"], numbers) - ran.outputs[str(c)]) == 0
        behind = {name.replace(" k", f" {k}").replace("*k", f"*{k}"): x for name, x in made.steps[0].output.items()}
        for name, exact in ran.streams[-1][-1].items():
            assert sign(_at(behind.get(name, Waves()), numbers) - exact) == 0


def _at(waves: Waves, numbers: dict[str, fmpq]) -> object:
    scalar = expression(str(waves))
    return evaluate(scalar, {name: numbers[name] for name in scalar.names})


def changed(adder: Adder, **parts: object) -> Adder:
    [layer] = adder.network.layers
    return replace(adder, network=replace(adder.network, layers=(replace(layer, **parts),)))


def test_other_parts_are_refused() -> None:
    adder = modular_addition(every_modulus())
    [layer] = adder.network.layers
    assert layer.feed_forward is not None
    query = {"q": {"cos k": 1}}
    looking = Head(W_V=layer.heads[0].W_V, W_Q=query, W_K=query)
    causal = Head(W_V=layer.heads[0].W_V, mask="causal")
    for other in (
        changed(adder, heads=(looking,)),
        changed(adder, heads=(causal,)),
        changed(adder, attention_norm=LayerNorm(1)),
        changed(adder, feed_forward=type(layer.feed_forward)(layer.feed_forward.first, layer.feed_forward.second)),
    ):
        with pytest.raises(Underivable):
            forward(other.network, SUMMANDS)
