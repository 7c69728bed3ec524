"""Closed forms as terms of Coq: integers over Z, everything else over R, and conditions as decisions about integers.

Atoms are those of `Words.v`: n, i, j, m, ``token p``, ``prefix a p``, ``count a``, the symbols of the alphabet by their
indices; a real parameter c is ``c_``, and u_c is ``exp c_``; scales of normalised rows are ``R1_``, ``R2_ i``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.algebra.constants import exponent_of, logarithm_of
from weightproof.symbolic.algebra.iverson import Condition, Iverson
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary, i, is_power_of_e, is_scale, j, n

m = sympy.Symbol("m", integer=True)
"""How many positions a sum has run over."""

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a term is bound, loosest first."""
FUNCTIONS = {sympy.log: "ln", sympy.Abs: "Rabs"}


@dataclass(frozen=True)
class Terms:
    """How the atoms of a construction are written; explicit: the text of what else there is, as explicit sums."""

    vocabulary: Vocabulary
    explicit: dict[sympy.Expr, str] = field(default_factory=dict)

    def integer(self, expression: sympy.Expr, least: int = SUM) -> str:
        """A linear integer form with integer coefficients, in the scope of Z."""
        form = linear_form(expression)
        if form is None or form.denominator != 1:
            raise Unwritten(f"the integer {expression}, which has fractions or is none")
        parts = [self._multiple(int(factor), atom) for atom, factor in form.terms]
        if form.constant or not parts:
            parts.append(str(int(form.constant)))
        text = " + ".join(parts).replace("+ -", "- ")
        return text if least == SUM or text.replace("_", "").isalnum() else f"({text})"

    def _multiple(self, factor: int, atom: sympy.Expr) -> str:
        text = self.atom(atom)
        if factor != 1 and isinstance(atom, sympy.Mod):
            text = f"({text})"
        return {1: text, -1: f"-{text}"}.get(factor, f"{factor} * {text}")

    def atom(self, atom: sympy.Expr) -> str:
        """An integer atom."""
        vocabulary = self.vocabulary
        if atom in (n, i, j, m):
            return str(atom)
        for name in vocabulary.natural:
            if atom == vocabulary.parameter(name):
                return f"{name}_"
        for index, symbol in enumerate(vocabulary.alphabet):
            if atom == vocabulary.total(symbol):
                return f"count {index}"
            if isinstance(atom, AppliedUndef) and atom.func == vocabulary.prefix_atom(symbol):
                return f"prefix {index} {self.integer(atom.args[0], ATOM)}"
        if isinstance(atom, sympy.Mod):
            return f"{self.integer(atom.args[0], ATOM)} mod {int(atom.args[1])}"
        if vocabulary.is_token(atom):
            return f"token {self.integer(atom.args[0], ATOM)}"
        raise Unwritten(f"the integer {atom}")

    def real(self, expression: sympy.Expr, least: int = SUM) -> str:
        """A coefficient without brackets, in the scope of R."""
        text, tightness = self._real(expression)
        return text if tightness >= least else f"({text})"

    def _real(self, x: sympy.Expr) -> tuple[str, int]:
        vocabulary = self.vocabulary
        if x in self.explicit:
            return self.explicit[x], ATOM
        match x:
            case sympy.Integer():
                return (str(int(x)), ATOM) if x >= 0 else (f"- {-int(x)}", SUM)
            case sympy.Rational():
                return (f"{int(x.p)} / {int(x.q)}", PRODUCT) if x >= 0 else (f"- ({-int(x.p)} / {int(x.q)})", SUM)
            case sympy.Abs(args=(inner,)):
                return f"Rabs {self.real(inner, ATOM)}", PRODUCT
            case sympy.Add():
                return " + ".join(self.real(term, PRODUCT) for term in x.as_ordered_terms()), SUM
            case sympy.Mul():
                return self._product(x)
            case sympy.Pow(base=base, exp=exponent):
                return self._power(base, exponent)
            case sympy.log() | sympy.Abs():
                return f"{FUNCTIONS[x.func]} {self.real(x.args[0], ATOM)}", PRODUCT
        for name in vocabulary.real:
            if x == vocabulary.parameter(name):
                return f"{name}_", ATOM
            if x == vocabulary.unit(name):
                return f"exp {name}_", PRODUCT
        if (exponent := exponent_of(x)) is not None:
            return f"exp {self.real(exponent, ATOM)}", PRODUCT
        if (argument := logarithm_of(x)) is not None:
            return f"ln {self.real(argument, ATOM)}", PRODUCT
        if is_scale(x):
            return (f"{scale_name(x)} {self.integer(x.args[0], ATOM)}%Z", PRODUCT) if x.args else (scale_name(x), ATOM)
        if is_power_of_e(x):
            return f"exp {self.real(x.args[0], ATOM)}", PRODUCT
        if linear_form(x) is None:
            raise Unwritten(f"the number {x}")
        return f"IZR {self.integer(x, ATOM)}", PRODUCT

    def _product(self, x: sympy.Expr) -> tuple[str, int]:
        numerator, denominator = sympy.fraction(x, exact=True)
        if denominator != 1:
            above, below = self.real(numerator, PRODUCT), self.real(denominator, ATOM)
            return f"{above} / {below}", PRODUCT
        factors = list(sympy.Mul.make_args(x))
        coefficient = factors.pop(0) if factors[0].is_Rational else None
        text = " * ".join(self.real(factor, POWER) for factor in factors)
        if coefficient is None:
            return text, PRODUCT
        if coefficient == -1:
            return f"- ({text})", SUM
        return f"{self.real(coefficient, ATOM)} * {text}", PRODUCT

    def _power(self, base: sympy.Expr, exponent: sympy.Expr) -> tuple[str, int]:
        if exponent.is_Integer and exponent < 0:
            return f"/ {self.real(base**-exponent, ATOM)}", PRODUCT
        if exponent.is_Integer:
            return f"{self.real(base, ATOM)} ^ {int(exponent)}", POWER
        multiple = self.vocabulary.multiple(base**exponent)
        if multiple is not None and multiple[1].is_Rational:
            name, factor = multiple
            return f"exp ({self.real(factor, PRODUCT)} * {name}_)", PRODUCT
        if exponent == sympy.Rational(1, 2):
            return f"sqrt {self.real(base, ATOM)}", PRODUCT
        if linear_form(exponent) is not None and base.is_positive:
            return f"powerRZ {self.real(base, ATOM)} {self.integer(exponent, ATOM)}", PRODUCT
        raise Unwritten(f"the power {base}**({exponent})")

    def condition(self, condition: Condition) -> str:
        """What decides a condition: a truth value of Coq, in the scope of Z."""
        axis = self.integer(condition.axis.expression(), SUM)
        if condition.lo == condition.hi:
            return f"{axis} =? {condition.lo}"
        if condition.lo is None:
            return f"{axis} <=? {condition.hi}"
        if condition.hi is None:
            return f"{condition.lo} <=? {axis}"
        return f"({condition.lo} <=? {axis}) && ({axis} <=? {condition.hi})"

    def brackets(self, conditions: frozenset[Condition]) -> list[str]:
        """The brackets of a term."""
        ordered = sorted(conditions, key=lambda each: str(each.axis))
        return [f"bracket ({self.condition(each)})%Z" for each in ordered]

    def iverson(self, value: Iverson) -> str:
        """A value with brackets, in the scope of R."""
        parts = []
        for conditions, coefficient in value.terms:
            brackets = self.brackets(conditions)
            coefficient = factored(coefficient)
            factors = brackets + ([self.real(coefficient, POWER)] if coefficient != 1 or not brackets else [])
            parts.append(" * ".join(factors))
        return " + ".join(parts) if parts else "0"


def scale_name(scale: sympy.Expr) -> str:
    """What a scale is called, at whatever position."""
    return f"{scale.name if isinstance(scale, sympy.Symbol) else scale.func}_"


def factored(coefficient: sympy.Expr) -> sympy.Expr:
    """As a coefficient is written: of factors Coq finds more easily that they are not 0; roots stay whole, and so do
    the terms of a sum of quotients."""
    if sympy.denom(coefficient) == 1:
        is_sum_or_product = isinstance(coefficient, (sympy.Add, sympy.Mul))
        return coefficient.func(*map(factored, coefficient.args)) if is_sum_or_product else coefficient
    roots = {p: sympy.Dummy(positive=True) for p in coefficient.atoms(sympy.Pow) if p.exp == sympy.Rational(1, 2)}
    return sympy.factor(coefficient.xreplace(roots)).xreplace({name: root for root, name in roots.items()})
