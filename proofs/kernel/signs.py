"""Signs of rational functions in Coq: the certificates of the prover, as identities of polynomials and sums of products
of what is not negative."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import sympy

from weightproof.proofs.kernel.terms import ATOM, POWER, Terms
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.symbolic.algebra.certificates import LARGEST_FLOOR, Certificate, certify
from weightproof.symbolic.algebra.constants import exponent_of, number_bounds
from weightproof.symbolic.algebra.iverson import canonical
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_power_of_e, is_scale

CLOSE_BY = 2**30
"""A bound of a root or a logarithm is a multiple of 1 over this: it is still one by the bounds that Coq computes."""


@dataclass(frozen=True)
class Quotient:
    """positive * direction * left: a rational function by its sign. positive: a product of what is positive; left: what
    has the sign that is left open, or 1. proof: lines that show the parts of `positive` to be so."""

    positive: str
    left: sympy.Expr
    proof: tuple[str, ...]


@dataclass(frozen=True)
class Signs:
    """What is positive in a context, and the lines of Coq that say why; told: the signs of logarithms, as a theorem's
    hypothesis tells them."""

    terms: Terms
    context: Context
    told: Mapping[sympy.Expr, int] = field(default_factory=dict)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.terms.vocabulary

    def quotient(self, expression: sympy.Expr) -> Quotient:
        """A rational function, factor by factor. Denominators must have a sign."""
        if expression == 0:
            return Quotient("1", sympy.S.Zero, ())
        names = _named(expression)
        back = {name: value for value, name in names.items()}
        sides = sympy.fraction(canonical(expression.xreplace(names)))
        numerator, denominator = (side.xreplace(back) for side in sides)
        left, above, below = sympy.S.One, list[str](), list[str]()
        lines = dict[str, None]()
        for side, texts in ((numerator, above), (denominator, below)):
            constant, factors = factors_of(side)
            left *= sympy.sign(constant)
            texts.append(self.terms.real(abs(constant), ATOM))
            for factor, power in factors:
                direction, proof = self.factor(factor)
                if direction == 0 and side is denominator:
                    raise Unwritten(f"the sign of the denominator {factor}")
                if direction == 0:
                    left *= factor**power
                    continue
                left *= direction**power
                lines |= dict.fromkeys(proof)
                texts.append(f"{self.terms.real(direction * factor, ATOM)} ^ {power}")
        lines |= dict.fromkeys(self.denominators(expression))
        return Quotient(f"{' * '.join(above)} / ({' * '.join(below)})", left, tuple(lines))

    def denominators(self, expression: sympy.Expr) -> Iterable[str]:
        """That what an expression is divided by is positive or negative, as it is written: all of that is rational, and
        what divides is known by its own numerator and denominator."""
        for power in sorted(expression.atoms(sympy.Pow), key=str):
            if power.exp.is_Integer and power.exp < 0 and not power.base.is_number:
                quotient = self.quotient(power.base)
                if quotient.left not in (1, -1):
                    raise Unwritten(f"the sign of the denominator {power.base}")
                yield from quotient.proof
                base, value = self.terms.real(quotient.left * power.base, ATOM), quotient.positive
                yield f"assert (0 < {base}) by (replace {base} with ({value}) by (field; nonzero); positive)."

    def factor(self, factor: sympy.Expr) -> tuple[int, tuple[str, ...]]:
        """The sign of an irreducible polynomial, and why; 0 where it is open."""
        if factor in self.told:
            lemma = "logarithm_above" if self.told[factor] > 0 else "logarithm_below"
            text = self.terms.real(self.told[factor] * factor, ATOM)
            return self.told[factor], (f"assert (0 < {text}) by (apply {lemma}; lra).",)
        for direction in (1, -1):
            proof = self.positive(direction * factor)
            if proof is not None:
                return direction, proof
        return 0, ()

    def not_negative(self, polynomial: sympy.Expr) -> tuple[str, ...] | None:
        """Why a polynomial is 0 or more; None where no certificate is found."""
        text, form = self.terms.real(sympy.expand(polynomial), ATOM), linear_form(polynomial)
        if form is not None and self.context.nonnegative(form):
            return (f"assert (0 <= {text}) by ({self._integer(form.expression())}; lra).",)
        certificate = certify(polynomial, self.context, self.vocabulary, strict=False)
        return None if certificate is None else self._checked(polynomial, certificate)

    def positive(self, polynomial: sympy.Expr) -> tuple[str, ...] | None:
        """Why a polynomial is positive; None where no certificate is found."""
        text = self.terms.real(sympy.expand(polynomial), ATOM)
        base, exponent = polynomial.as_base_exp()
        if is_power_of_e(polynomial):
            return (f"assert (0 < {text}) by (apply exp_pos).",)
        if self.vocabulary.is_unit(base) and not exponent.is_number:
            return (f"assert (0 < {text}) by (apply powerRZ_lt, exp_pos).",)
        form = linear_form(polynomial)
        if form is not None and self.context.positive(form):
            return (f"assert (0 < {text}) by ({self._integer(form.expression() - 1)}; lra).",)
        certificate = certify(polynomial, self.context, self.vocabulary, strict=True)
        return None if certificate is None else self._checked(polynomial, certificate)

    def _integer(self, form: sympy.Expr) -> str:
        """Why an integer form, which the context shows to be 0 or more, is so as a real."""
        name = self.terms.integer(form)
        return f"pose proof (least_integer ({name})%Z ltac:(lia)) as L; in_reals L"

    def _checked(self, polynomial: sympy.Expr, certificate: Certificate) -> tuple[str, ...]:
        explicit, lines = dict(self.terms.explicit), list[str]()
        for slack, form in certificate.slacks:
            text = self.terms.real(form.expression(), ATOM)
            explicit[slack] = text
            lines.append(f"assert (0 <= {text}) by ({self._integer(form.expression())}; lra).")
        values = dict[sympy.Expr, sympy.Expr]()
        used = certificate.polynomial.xreplace(dict(certificate.substitution)).free_symbols
        for key, value in certificate.substitution:
            if not value.free_symbols <= used:
                continue  # it stands inside an atom
            if linear_form(key) is not None:
                values[key] = value
                continue
            meant = _meant(key, polynomial, certificate)
            slack, bound = _slack_of(value)
            if exponent_of(meant.as_base_exp()[0]) is not None and bound > 1:
                bound = sympy.S.One  # of e to a constant, no more is shown
            if number_bounds(meant) is not None:
                bound = sympy.Rational(sympy.floor(bound * CLOSE_BY), CLOSE_BY)
            strict = slack in certificate.positive
            explicit[slack] = text = self.terms.real(meant - bound, ATOM)
            lines.append(f"assert (0 {'<' if strict else '<='} {text}) by ({self._above(meant, bound, strict)}).")
            values[key] = bound + slack
        rewritten = sympy.expand(certificate.polynomial.xreplace(values))
        terms = Terms(self.vocabulary, explicit)
        monomials = sorted(sympy.Add.make_args(rewritten), key=lambda each: not _is_positive(each, certificate))
        text = self.terms.real(sympy.expand(polynomial), ATOM)
        sum_of = " + ".join(terms.real(each, POWER) for each in monomials)
        identity = "; ".join((*self._equations(certificate), "ring"))
        sign, parts = ("<", "positive") if certificate.strict else ("<=", "nonnegative")
        lines.append(f"assert (0 {sign} {text}) by (replace {text} with ({sum_of}) by ({identity}); {parts}).")
        return tuple(lines)

    def _equations(self, certificate: Certificate) -> Iterator[str]:
        """What the context says of atoms that a certificate has expressed by others."""
        forms = {slack: form.expression() for slack, form in certificate.slacks}
        for atom, value in certificate.substitution:
            if linear_form(atom) is None or sympy.expand(value.xreplace(forms) - atom) == 0:
                continue
            [other] = sympy.solve(value.xreplace(forms) - atom, atom)
            integers = f"{self.terms.integer(atom)} = {self.terms.integer(other)}"
            stated = f"assert (Q : {self.terms.real(atom)} = {self.terms.real(other)})"
            yield f"{stated} by (pose proof (f_equal IZR (ltac:(lia) : ({integers})%Z)) as L; in_reals L; lra)"
            yield "rewrite Q; clear Q"

    def _unit(self, unit: sympy.Expr) -> tuple[str, str, sympy.Expr, bool]:
        """e to a parameter or a constant: its text, why it is more than its bound, or no less, that bound, and whether
        it is strict."""
        constant = exponent_of(unit)
        if constant is not None and not constant.free_symbols:
            known = f"(exp_above_1 {self.terms.real(constant, ATOM)} ltac:(positive))"
            return self.terms.real(unit), known, sympy.S.One, True
        found, bound = self.vocabulary.multiple(unit), self.vocabulary.lower_bound(unit)
        if found is None or found[1] != 1 or bound is None:
            raise Unwritten(f"a bound of {unit}")
        least, is_strict = bound
        rational = sympy.Rational(least.numerator, least.denominator)
        return f"exp {found[0]}_", f"unit_{found[0]}_", rational, is_strict

    def _above(self, meant: sympy.Expr, bound: sympy.Expr, strict: bool) -> str:
        """Why a real is more than a bound, or no less."""
        base, exponent = meant.as_base_exp()
        named = {self.vocabulary.parameter(name): name for name in self.vocabulary.real}
        if meant in named:
            return f"pose proof domain_{named[meant]}_; lra"
        if number_bounds(meant) is not None:
            return f"number_bounds ({self.terms.real(meant)}) B; lra"
        if bound == 0 and exponent == 1 and (is_scale(base) or is_power_of_e(base)):
            return "known_scales; assumption" if is_scale(base) else "apply exp_pos"
        unit, known, least, is_strict = self._unit(base)
        if exponent == 1:
            return f"pose proof {known}; lra"
        if exponent.is_Integer and exponent > 0:
            if least == 1 and is_strict and bound == 1:
                return f"pose proof (power_above_1 ({unit}) {exponent} {known} ltac:(lia)); lra"
            number = self.terms.real(least, ATOM)
            lemma = f"power_at_least {number} ({unit}) {exponent} ltac:(lra) ltac:(pose proof {known}; lra)"
            if strict:
                raise Unwritten(f"why {meant} > {bound}")
            return f"pose proof ({lemma}) as P; cbn [INR] in P; lra"
        if bound == 1:
            lemma = "powerRZ_above_1" if strict else "powerRZ_at_least_1"
            why = f"{lemma} ({unit}) ({self.terms.integer(exponent)})%Z ltac:(pose proof {known}; lra) ltac:(lia)"
            return f"pose proof ({why}); lra"
        times = next((k for k in range(1, LARGEST_FLOOR + 1) if least**k == bound), None)
        if times is None or strict:
            raise Unwritten(f"why {meant} >= {bound}")
        number, power = self.terms.real(least, ATOM), self.terms.integer(exponent)
        lemma = f"powerRZ_at_least {number} ({unit}) ({power})%Z {times}"
        return f"pose proof ({lemma} ltac:(lra) ltac:(pose proof {known}; lra) ltac:(lia)); lra"


def _named(expression: sympy.Expr) -> dict[sympy.Expr, sympy.Symbol]:
    """Symbols for what is no polynomial: powers with open exponents, and absolute values."""
    powers = {power for power in expression.atoms(sympy.Pow) if not power.exp.is_number}
    found = sorted(powers | expression.atoms(sympy.Abs), key=str)
    return {value: sympy.Dummy(f"x{number}", real=True) for number, value in enumerate(found)}


def factors_of(polynomial: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """The constant and the irreducible factors with their powers."""
    names = _named(polynomial)
    back = {name: value for value, name in names.items()}
    constant, factors = sympy.factor_list(polynomial.xreplace(names))
    return constant, [(factor.xreplace(back), power) for factor, power in factors]


def _meant(key: sympy.Expr, polynomial: sympy.Expr, certificate: Certificate) -> sympy.Expr:
    """What a symbol of a certificate stands for: itself, or a power of a unit."""
    if not isinstance(key, sympy.Dummy):
        return key
    for power in sorted(polynomial.atoms(sympy.Pow), key=str):
        named = power.exp.is_Integer and str(power.base) == key.name
        if named and sympy.expand(certificate.polynomial.xreplace({key: power}) - polynomial) == 0:
            return power
    raise Unwritten(f"what {key} stands for in the certificate of {polynomial}")


def _slack_of(value: sympy.Expr) -> tuple[sympy.Symbol, sympy.Expr]:
    """A bound and a slack, from their sum."""
    bound, slack = value.as_coeff_Add()
    if not isinstance(slack, sympy.Symbol):
        raise Unwritten(f"a certificate with {value}")
    return slack, bound


def _is_positive(monomial: sympy.Expr, certificate: Certificate) -> bool:
    return monomial.free_symbols <= certificate.positive
