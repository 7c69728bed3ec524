"""Powers of e and logarithms in the atoms of the vocabulary: e^(c*j) is u_c**j."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy.core.function import AppliedUndef

from weightproof.symbolic.algebra.constants import (
    LONGEST_POWER,
    constant_bounds,
    constant_logarithm,
    constant_unit,
    exponent_of,
    is_constant,
    logarithm_of,
    multiple_of,
)
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.lengths import power_of_length
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_power_of_e, is_scale


def exponential(exponent: sympy.Expr, vocabulary: Vocabulary) -> sympy.Expr:
    """e^exponent as a product of powers of units: e^(c*j) is u_c**j, a constant k > 0 has the unit e^k, and a multiple
    k*c with an irrational k the unit e^(k*c). Of parameters alone e^(c**2), say, is a positive real of its own."""
    result: sympy.Expr = sympy.S.One
    multiples: dict[sympy.Expr, sympy.Expr] = {}
    for term in _terms(sympy.expand(exponent)):
        if any(is_scale(atom) for atom in term.atoms(sympy.Symbol, AppliedUndef)):
            result *= _power_of_e(term)
            continue
        if (power := power_of_length(term, vocabulary.least_values)) is not None:
            result *= power
            continue
        base, rest = _base(term, vocabulary)
        if linear_form(rest) is None and _is_of_parameters(term, vocabulary):
            result *= _power_of_e(term)
            continue
        if linear_form(rest) is None:
            raise Underivable(f"e^({exponent}): the exponent is no integer form times a parameter or a constant")
        if exponent_of(base) is None:
            result *= base**rest
        else:
            multiples[base] = multiples.get(base, sympy.S.Zero) + rest
    return result * sympy.Mul(*(_with_whole_exponents(base, rest) for base, rest in multiples.items()))


def _terms(exponent: sympy.Expr) -> Iterator[sympy.Expr]:
    """The terms of a sum, those that are numbers times the logarithm of one length as one."""
    multiples: dict[sympy.Expr, sympy.Expr] = {}
    for term in sympy.Add.make_args(exponent):
        number, rest = term.as_independent(*term.atoms(sympy.Symbol, AppliedUndef), as_Add=False)
        if isinstance(rest, sympy.log):
            multiples[rest] = multiples.get(rest, sympy.S.Zero) + number
        else:
            yield term
    yield from (multiple * logarithm for logarithm, multiple in multiples.items())


def _with_whole_exponents(unit: sympy.Symbol, form: sympy.Expr) -> sympy.Expr:
    """unit**form as a power of the q-th root of the unit, q being the least for which the exponent has whole
    coefficients: the powers in one exponent are those of one unit. Where that would take a power beyond LONGEST_POWER,
    each is of a unit of its own: of weights that training found, q has tens of digits, and so have its multiples."""
    coefficients = form.as_coefficients_dict()
    q = sympy.ilcm(1, *(coefficient.q for coefficient in coefficients.values()))
    if all(abs(q * coefficient) <= LONGEST_POWER for coefficient in coefficients.values()):
        return constant_unit(exponent_of(unit) / q) ** sympy.expand(q * form)
    return sympy.Mul(
        *(
            constant_unit(exponent_of(unit) * abs(coefficient)) ** (atom * sympy.sign(coefficient))
            for atom, coefficient in coefficients.items()
        )
    )


def _is_of_parameters(term: sympy.Expr, vocabulary: Vocabulary) -> bool:
    """Whether it is made of parameters and constants, and not of what changes from word to word."""
    parameters = {vocabulary.parameter(name) for name in (*vocabulary.real, *vocabulary.natural)}
    atoms = term.atoms(sympy.Symbol, AppliedUndef)
    return bool(atoms) and all(atom in parameters or constant_bounds(atom) is not None for atom in atoms)


def logarithm(argument: sympy.Expr, vocabulary: Vocabulary) -> sympy.Expr:
    """The logarithm of a positive expression: that of a constant is a real of its own, that of u_c**k is k*c."""
    if is_constant(argument):
        constant = constant_logarithm(argument)
        if constant is None:
            raise Underivable(f"the sign of log({argument}) is open")
        return constant
    base, power = canonical(argument).as_base_exp()
    for name in vocabulary.real:
        if base == vocabulary.unit(name):
            return power * vocabulary.parameter(name)
    if multiple_of(base) is not None:
        return power * exponent_of(base)
    return sympy.log(argument)


def square_root(argument: sympy.Expr) -> sympy.Expr:
    """The square root; that of a power of e is e to half the exponent, in the same atoms as if it were read so."""

    def is_power(x: sympy.Expr) -> bool:
        return isinstance(x, sympy.Pow) and (exponent_of(x.base) is not None or is_power_of_e(x.base))

    def halved(x: sympy.Pow) -> sympy.Expr:
        if not is_power_of_e(x.base):
            return _with_whole_exponents(x.base, x.exp)
        return x if x.exp.is_Integer else _power_of_e(x.exp * x.base.args[0])

    root: sympy.Expr = sympy.sqrt(argument).replace(is_power, halved)
    return root


def _base(term: sympy.Expr, vocabulary: Vocabulary) -> tuple[sympy.Expr, sympy.Expr]:
    """A base b and a rational multiple r of an integer atom with e^term = b**r; for an irrational k > 0 the base is e^k
    or e^(k*c), whatever rational multiples of k there are.

    Multiples that are rationally independent have units that are independent, too, but for their bounds.
    """
    for factor in sympy.Mul.make_args(term):
        if factor in [vocabulary.parameter(name) for name in vocabulary.real]:
            multiple, rest = _irrational(term / factor)
            return vocabulary.unit(str(factor)) if multiple == 1 else constant_unit(multiple * factor), rest
        if isinstance(factor, sympy.log):
            return factor.args[0], term / factor
        if (of := logarithm_of(factor)) is not None:
            return of, term / factor
    multiple, rest = _irrational(term)
    return constant_unit(multiple), rest


def _irrational(term: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """A positive number without a rational factor, 1 for a rational one, and the rest of a product."""
    constant, rest = term.as_independent(*term.atoms(sympy.Symbol, AppliedUndef), as_Add=False)
    rational, irrational = constant.as_coeff_Mul()
    sign = -1 if irrational.is_negative else 1
    return sign * irrational, sign * rational * rest


def _power_of_e(exponent: sympy.Expr) -> sympy.Expr:
    """e^exponent, one over e^-exponent where the exponent has a minus sign."""
    function = sympy.Function("exp", positive=True)
    return 1 / function(-exponent) if exponent.could_extract_minus_sign() else function(exponent)
