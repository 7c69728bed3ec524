"""The rules that say which output is greatest, and how units add up, against numbers of small moduli and lengths."""

from __future__ import annotations

from math import gcd

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from weightproof.constructions.fraknoi2024.modular_addition import modular_addition
from weightproof.constructions.modular.family import every_modulus
from weightproof.constructions.scalars.exact import cosine, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.modular.adding import forward
from weightproof.symbolic.modular.alternating import Alternating, is_sum, read, telescoped
from weightproof.symbolic.modular.rotations import Rotation, rotation, rotations
from weightproof.symbolic.modular.waves import Phase, Waves


def at_modulus(waves: Waves | Phase, p: int) -> object:
    scalar = expression(str(waves))
    return evaluate(scalar, {name: fmpq(p) for name in scalar.names})


@pytest.mark.parametrize("p", range(2, 20))
def test_the_greatest_cosines_are_1_and_that_of_one_part(p: int) -> None:
    """With every multiple of a coprime frequency, as without."""
    for k in (k for k in range(1, p) if gcd(k, p) == 1):
        values = [cosine(fmpq(k * m, p)) for m in range(p)]
        assert values[0] == 1
        assert all(sign(cosine(fmpq(1, p)) - x) >= 0 for x in values[1:])
        assert cosine(fmpq(1, p)) in values[1:]


@pytest.mark.parametrize("p", range(2, 20))
def test_the_least_cosine(p: int) -> None:
    least = -cosine(fmpq(1, 2 * p)) if p % 2 else fmpq(-1)
    values = [cosine(fmpq(m, p)) for m in range(p)]
    assert all(sign(x - least) >= 0 for x in values)
    assert any(sign(x - least) == 0 for x in values)


@pytest.mark.parametrize("p", range(2, 14))
def test_the_sum_over_all_frequencies(p: int) -> None:
    for m in range(2 * p):
        total = sum((cosine(fmpq(k * m, p)) for k in range(1, p)), fmpq(0))
        assert sign(total - (p - 1 if m % p == 0 else -1)) == 0


NUMBERS = st.builds(lambda x, y: fmpq(x, y), st.integers(-4, 4), st.integers(1, 3))


def ahead(of: Rotation, p: int, d: int) -> object:
    """The output s = 0 less the greatest other one, at a - b = d."""
    factor = of.steady + of.varying * cosine(fmpq(d, p))
    outputs = [factor * cosine(fmpq(s, p)) for s in range(p)]
    greatest = outputs[1]
    for other in outputs[2:]:
        greatest = other if sign(other - greatest) > 0 else greatest
    return outputs[0] - greatest


@given(steady=NUMBERS, varying=NUMBERS, p=st.integers(2, 11))
def test_a_positive_factor_decides_and_the_gap_is_the_least(steady: fmpq, varying: fmpq, p: int) -> None:
    of, odd = Rotation(steady, varying), p % 2 == 1
    least = [ahead(of, p, d) for d in range(p)]
    if of.is_positive(odd):
        assert all(sign(x) > 0 for x in least)
        try:
            gap = at_modulus(of.gap_of_one(odd), p)
        except Underivable:
            assert varying > 0
            assert not odd
            return
        assert all(sign(x - gap) >= 0 for x in least)
        assert any(sign(x - gap) == 0 for x in least)


@given(steady=NUMBERS, varying=NUMBERS)
def test_what_is_not_called_positive_fails_somewhere(steady: fmpq, varying: fmpq) -> None:
    """For all moduli together."""
    of = Rotation(steady, varying)
    if not of.is_positive(False):
        assert any(sign(ahead(of, p, d)) <= 0 for p in (2, 4) for d in range(p))


@pytest.mark.parametrize("p", range(2, 12))
@pytest.mark.parametrize("steady", [fmpq(2), fmpq(1, 3)])
def test_the_gap_of_all_frequencies(p: int, steady: fmpq) -> None:
    outputs = [sum((steady * cosine(fmpq(k * s, p)) for k in range(1, p)), fmpq(0)) for s in range(p)]
    gap = at_modulus(Rotation(steady, fmpq(0)).gap_of_all(), p)
    assert all(sign(outputs[0] - x - gap) == 0 for x in outputs[1:])
    with pytest.raises(Underivable):
        Rotation(steady, fmpq(1)).gap_of_all()


@given(steady=NUMBERS, varying=NUMBERS)
def test_a_rotation_is_found_and_nothing_else(steady: fmpq, varying: fmpq) -> None:
    of, wanted = every_modulus(), Rotation(steady, varying)
    if (steady, varying) == (0, 0):
        return
    output = wanted.output("k")
    unmoved = Waves.wave(Phase.name("a")) + Waves.number(3)
    assert rotation(output + unmoved, of) == wanted
    with pytest.raises(Underivable):
        rotation(output + Waves.wave(Phase.name("c")), of)
    with pytest.raises(Underivable):
        rotation(unmoved, of)


def test_rotations_of_several_frequencies_are_told_apart() -> None:
    named = every_modulus("k", "l")
    output = forward(modular_addition(named).network, ("a", "b")).outputs["c"]
    assert list(rotations(output, named)) == [Rotation(fmpq(2), fmpq(0))] * 2
    with pytest.raises(Underivable):
        rotations(output + Waves.wave(Phase.name("c")), named)


SIGNS = st.builds(lambda a, g: Alternating.of([((0, 0), a), ((0, 1), g)]), NUMBERS, NUMBERS)


@given(terms=SIGNS, m=st.integers(0, 9))
def test_sums_telescope(terms: Alternating, m: int) -> None:
    total = telescoped(terms)
    assert total.at(m) == sum((terms.at(j) for j in range(1, m + 1)), fmpq(0))
    assert is_sum(total, terms)
    assert not is_sum(total + Alternating.number(1), terms)
    assert not is_sum(total + Alternating.of([((1, 0), fmpq(1))]), terms)


@pytest.mark.parametrize("text", ["j", "j**2 - 1/2", "(-1)**(j + 1)", "-(j - 1/2)*(-1)**(2*j)", "(-1)**(3*j)*j/2"])
def test_weights_of_units_are_read(text: str) -> None:
    made = read(Expression(text), "j")
    for j in range(1, 6):
        assert made.at(j) == evaluate(Expression(text), {"j": fmpq(j)})
        assert made.before().at(j + 1) == made.at(j)


@pytest.mark.parametrize("text", ["i", "2**j", "sqrt(j)", "1/j", "(j == 1)", "j % 2", "(-1)**(j/2)"])
def test_other_weights_of_units_are_refused(text: str) -> None:
    with pytest.raises(Underivable):
        read(Expression(text), "j")
    with pytest.raises(Underivable):
        telescoped(Alternating.of([((1, 0), fmpq(1))]))
