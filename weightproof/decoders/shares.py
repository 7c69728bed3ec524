"""Polynomials of a position of a decoder as a person reads them: in shares of tokens, or of windows of several, or in
counts of them.

The shares add up to 1, so that a polynomial in them has several forms; n = i + 1 is the number of positions up to i.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

from weightproof.machines.formulas import tex
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.polynomial import Monomial, Polynomial, Rectified, Saturated, Values, total
from weightproof.symbolic.simulation.windows import Standing, Window, kind

ONE = Polynomial.number(1)
Fact = tuple[Polynomial, bool]
"""What is not negative, and whether it is positive."""


@dataclass(frozen=True)
class InShares:
    """How what is known at a position is written; marker: the token of the beginning, of which there is one."""

    at: Standing
    marker: str | None

    @cached_property
    def shares(self) -> dict[str, Window]:
        """Atom -> window."""
        return {} if self.at.known else {share(kind(window)): window for window in self.at.shares}

    @cached_property
    def all(self) -> Polynomial:
        """The sum of the shares, which is 1."""
        return total(map(Polynomial.atom, self.shares)) if self.shares else ONE

    def short(self, x: Polynomial) -> Polynomial:
        """The form that has the fewest terms, as it stands where that is one of them."""
        x = x.replaced({atom: self._inside(atom) for atom in x.atoms if isinstance(atom, Saturated | Rectified)})
        known = dict(x.terms)
        factors = [known.get((), 0), *(-known.get((atom,), 0) for atom in self.shares)]
        forms = (x, *(x + Polynomial.number(factor) * (self.all - ONE) for factor in factors))
        return min(forms, key=lambda form: len(form.terms))

    def _inside(self, atom: Saturated | Rectified) -> Polynomial:
        argument = self.short(atom.argument)
        made = Saturated(argument, atom.positive) if isinstance(atom, Saturated) else Rectified(argument)
        return Polynomial.atom(made)

    def vector(self, values: Values) -> Values:
        return {row: self.short(value) for row, value in values.items()}

    def sides(self, fact: Fact) -> tuple[Polynomial, Polynomial]:
        """What is greater, or not less, and than what: integer multiples of shares where it is about these alone."""
        x = fact[0]
        whole = x + Polynomial.number(dict(x.terms).get((), 0)) * (self.all - ONE)
        if not self._is_linear(whole):
            whole = self.short(x)
        numbers = [value for _, value in whole.terms]
        size = Polynomial.number(lcm(*(int(x.q) for x in numbers))) * whole
        common = gcd(*(int(value.p) for _, value in size.terms)) or 1
        left, right = (
            {monomial: abs(value) / common for monomial, value in size.terms if (value > 0) == positive}
            for positive in (True, False)
        )
        return Polynomial.of(left), Polynomial.of(right)

    def _is_linear(self, x: Polynomial) -> bool:
        return all(len(monomial) == 1 and monomial[0] in self.shares for monomial, _ in x.terms)

    def condition_tex(self, fact: Fact) -> str:
        left, right = self.sides(fact)
        sign = ">" if fact[1] else r"\ge"
        return f"{tex(left)} {sign} {tex(right)}"

    def condition(self, fact: Fact) -> str:
        """As formulas are typed, and so as what is given in an `Appends`, where it is about counts of symbols."""
        left, right = self.sides(fact)
        sign = ">" if fact[1] else ">="
        if self._is_linear(left) and self._is_linear(right):
            return f"{self._counts(left)} {sign} {self._counts(right)}"
        return f"{self.text(left)} {sign} {self.text(right)}"

    def _counts(self, x: Polynomial) -> str:
        """n times a polynomial in shares alone."""
        counted = ((self.shares[atom], value) for (atom,), value in x.terms)
        return _sum({() if window == (self.marker,) else (_count(window),): value for window, value in counted})

    def text(self, x: Polynomial) -> str:
        """As formulas are typed."""
        x = self.short(x)
        alone = Polynomial(tuple((m, value) for m, value in x.terms if len(m) == 1 and m[0] in self.shares))
        others = {tuple(map(self._factor, m)): value for m, value in (x - alone).terms}
        if not alone.terms:
            return _sum(others)
        counts = self._counts(alone)
        first = f"{f'({counts})' if len(alone.terms) > 1 else counts}/n"
        rest = _sum(others)
        return first if not others else f"{first} - {rest[1:]}" if rest.startswith("-") else f"{first} + {rest}"

    def _factor(self, atom: str) -> str:
        if isinstance(atom, Saturated):
            return f"min(1, max(0, {self.text(atom.argument)}))"
        if isinstance(atom, Rectified):
            return f"max(0, {self.text(atom.argument)})"
        if atom.startswith("2^-"):
            return f"2**(-{atom.removeprefix('2^-')})"
        if atom in self.shares:
            return "1/n" if self.shares[atom] == (self.marker,) else f"{_count(self.shares[atom])}/n"
        return atom


def _count(window: Window) -> str:
    return f"count({''.join(window)!r})"


def _sum(terms: Mapping[Monomial, object]) -> str:
    """Products with their coefficients, signs between them, first those that are added."""
    text = ""
    for monomial, value in sorted(terms.items(), key=lambda term: str(term[1]).startswith("-")):
        size = str(value).removeprefix("-")
        product = "*".join((*(() if size == "1" and monomial else (size,)), *monomial))
        text += f" {'-' if str(value).startswith('-') else '+'} {product}"
    return f"-{text[3:]}" if text.startswith(" -") else text[3:] or "0"
