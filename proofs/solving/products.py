"""Goals that are sums of products of what is known: m g = c + w_1 p_1 + ... + w_k p_k, where m > 0, no constant is
negative, and each p is a product of inequalities that are known, or a multiple of an equation.

That is a certificate as in the Positivstellensatz (Krivine 1964; Handelman 1988). Z3 finds the weights, which solve
linear equations and inequalities over the rationals; the identity is then checked by exact arithmetic, so that nothing
rests on Z3. Where there is none, another rule may still show the goal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import sympy
from flint import fmpq, fmpq_mat, fmpq_mpoly

from weightproof.constructions.scalars import work
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import Rel
from weightproof.proofs.solving.smt import rational
from weightproof.proofs.solving.solvers import ask
from weightproof.symbolic.algebra.certificates import power_bound
from weightproof.symbolic.algebra.linear import Context, linear_form
from weightproof.symbolic.algebra.rings import Names, names, polynomial_in, variables_of
from weightproof.symbolic.algebra.vocabulary import Vocabulary

MOST_PRODUCTS = 800
"""Products of two inequalities, and multiples of equations, that are tried of one goal."""
LONGEST_SEARCH = 0.1
"""Seconds of counted work for the weights."""
ONE = Fraction(1)


@dataclass(frozen=True)
class Product:
    """weight * multiple * the product of inequalities that are known, or of one equation. The multiple is 1 but for an
    equation, of which every multiple is 0."""

    weight: Fraction
    factors: tuple[Rel, ...]
    multiple: sympy.Expr = sympy.S.One

    @property
    def is_zero(self) -> bool:
        return any(known.op == "==" for known in self.factors)

    @property
    def is_strict(self) -> bool:
        return all(known.op == ">" for known in self.factors)

    def expression(self) -> sympy.Expr:
        return sympy.Mul(_number(self.weight), self.multiple, *(known.expression for known in self.factors))


@dataclass(frozen=True)
class SumOfProducts:
    """multiplier * goal = constant + the products; the multiplier is 1 or known to be positive."""

    goal: Rel
    multiplier: sympy.Expr
    constant: Fraction
    products: tuple[Product, ...]


Valued = tuple[Product, fmpq_mpoly]
"""A product, and what it is multiplied out."""


def check(found: SumOfProducts) -> bool:
    """Whether the identity holds, and what it adds up has the sign of the goal. What is not checked is that the
    inequalities and equations in it are known, and that the multiplier is positive."""
    total = sympy.Add(_number(found.constant), *(product.expression() for product in found.products))
    difference = _opened(found.multiplier * found.goal.expression - total)
    if difference != 0 or found.constant < 0:
        return False
    if any((product.weight < 0 or product.multiple != 1) and not product.is_zero for product in found.products):
        return False
    if found.goal.op == "==":
        return found.constant == 0 and all(product.is_zero for product in found.products)
    if found.goal.op == ">=":
        return True
    return found.constant > 0 or any(
        product.weight > 0 and not product.is_zero and product.is_strict for product in found.products
    )


def sum_of_products(item: Implication, vocabulary: Vocabulary) -> SumOfProducts | None:
    """The goal of an obligation, a relation, as such a sum; None if none is found. vocabulary: with the bounds that the
    hypotheses give."""
    goal = item.goal
    if not isinstance(goal, Rel):
        return None
    try:
        terms = _Terms.of(item, goal, vocabulary)
    except ValueError:  # the goal is no polynomial
        return None
    for products, multipliers in terms.choices():
        found = terms.solved(products, multipliers)
        if found is not None:
            return found if check(found) else None
    return None


def _opened(expression: sympy.Expr) -> sympy.Expr:
    """Expanded, u^(j+1) as u u^j."""
    return sympy.expand(sympy.expand_power_exp(sympy.expand(expression)))


def _number(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


def _repeated(factor: sympy.Expr) -> list[sympy.Expr]:
    """A variable as often as a power of it says."""
    base, exponent = factor.as_base_exp()
    return [base] * int(exponent) if exponent.is_Integer else [factor]


def _monomials(rel: Rel) -> list[sympy.Expr]:
    return [term.as_coeff_Mul()[1] for term in sympy.Add.make_args(rel.expression)]


def _linear(context: Context) -> Iterator[Rel]:
    """What a context says; an equation once."""
    for form in sorted(context.constraints, key=str):
        if -form not in context.constraints:
            yield Rel(">=", form.expression())
        elif str(form) <= str(-form):
            yield Rel("==", form.expression())


def _bounds(factors: Iterable[sympy.Expr], context: Context, vocabulary: Vocabulary) -> Iterator[Rel]:
    """What is known of what the goal and the hypotheses are made of."""
    for factor in factors:
        is_power = isinstance(factor, sympy.Pow)
        bound = power_bound(factor, context, vocabulary) if is_power else vocabulary.lower_bound(factor)
        if bound is not None:
            yield Rel(">" if bound[1] else ">=", factor - _number(bound[0]))
        if (bound is None or bound[0] > 0) and factor.is_positive and linear_form(factor) is None:
            yield Rel(">", factor)


@dataclass(frozen=True)
class _Terms:
    """The goal and what is known as polynomials in the same variables."""

    goal: Rel
    context: Context
    variables: tuple[sympy.Expr, ...]
    named: Names
    inequalities: tuple[Rel, ...]
    equations: tuple[Rel, ...]
    own: int
    """So many of the inequalities are hypotheses beside the linear ones, or bounds of what these speak of; they come
    first."""

    @staticmethod
    def of(item: Implication, goal: Rel, vocabulary: Vocabulary) -> _Terms:
        """Raises ValueError where the goal is no polynomial; a hypothesis that is none is left out."""
        wanted = Rel(goal.op, _opened(goal.expression))
        given = [Rel(rel.op, _opened(rel.expression)) for rel in item.relations]
        linear = list(_linear(item.context))
        variables = variables_of([wanted.expression, *(rel.expression for rel in (*given, *linear))])
        named = names(variables)
        polynomial_in(wanted.expression, named)
        known = [*given, *_bounds(variables, item.context, vocabulary)]
        own = [rel for rel in dict.fromkeys(known) if rel.op != "==" and _is_polynomial(rel.expression, named)]
        inequalities = dict.fromkeys((*own, *(rel for rel in linear if rel.op != "==")))
        equations = (rel for rel in (*given, *linear) if rel.op == "==" and _is_polynomial(rel.expression, named))
        return _Terms(
            wanted,
            item.context,
            tuple(variables),
            named,
            tuple(inequalities),
            tuple(dict.fromkeys(equations)),
            len(own),
        )

    def choices(self) -> Iterator[tuple[list[Product], list[sympy.Expr]]]:
        """What may be added up, and what the goal may be multiplied with, more each time: what is known, products of
        two, and multiples that have a term of the goal; of what holds of every word alone products come last."""
        equations = [Product(ONE, (rel,)) for rel in self.equations]
        by_one = [sympy.S.One]
        if self.goal.op == "==":
            yield equations, by_one
            yield [*equations, *self._multiples_of_equations()], by_one
            return
        some = [*equations, *(Product(ONE, (rel,)) for rel in self.inequalities)]
        yield some, by_one
        own = self.inequalities[: self.own]
        pairs = [Product(ONE, pair) for pair in itertools.combinations_with_replacement(own, 2)]
        mixed = [Product(ONE, pair) for pair in itertools.product(own, self.inequalities[self.own :])]
        some = [*some, *self._multiples_of_equations(), *self._multiples_of_inequalities(), *pairs, *mixed]
        some = some[:MOST_PRODUCTS]
        yield some, by_one
        by_positive = [*by_one, *self._positive()]
        if len(by_positive) > 1:
            yield some, by_positive
        rest = itertools.combinations_with_replacement(self.inequalities[self.own :], 2)
        more = [*some, *(Product(ONE, pair) for pair in rest)]
        if len(some) < len(more) <= MOST_PRODUCTS:
            yield more, by_positive

    def _multiples_of_equations(self) -> Iterator[Product]:
        """Those that have a term of the goal or of an inequality, and those by a variable."""
        for rel in self.equations:
            useful = self._quotients(rel, (self.goal, *self.inequalities))
            for multiple in sorted(useful | set(self.variables), key=str):
                yield Product(ONE, (rel,), multiple)

    def _multiples_of_inequalities(self) -> Iterator[Product]:
        """By variables that are not negative, those that have a term of the goal."""
        least = {variable: self._least(variable) for variable in self.variables}
        for rel in self.inequalities[: self.own]:
            for multiple in sorted(self._quotients(rel, (self.goal,)), key=str):
                known = [
                    least.get(variable) for factor in sympy.Mul.make_args(multiple) for variable in _repeated(factor)
                ]
                if all(known):
                    yield Product(ONE, (rel, *(each for each in known if each is not None)))

    def _quotients(self, rel: Rel, wanted: Iterable[Rel]) -> set[sympy.Expr]:
        """What makes one of the terms of what is wanted of one of a relation."""
        terms = [_monomials(each) for each in (rel, Rel("==", sympy.Add(*(w.expression for w in wanted))))]
        quotients = {(each / term).as_coeff_Mul()[1] for each in terms[1] for term in terms[0]}
        return {q for q in quotients if q != 1 and _is_polynomial(q, self.named)}

    def _least(self, variable: sympy.Expr) -> Rel | None:
        """That a variable is positive, or not negative, where that is known."""
        form = linear_form(variable)
        if form is None:
            return next((rel for rel in self.inequalities if rel.expression == variable), None)
        if self.context.positive(form):
            return Rel(">", variable)
        return Rel(">=", variable) if self.context.nonnegative(form) else None

    def _positive(self) -> list[sympy.Expr]:
        """What the goal may be multiplied with: what is known to be positive, and x + 1 for integers x >= 0."""
        least = [rel for rel in map(self._least, self.variables) if rel is not None]
        known = [rel.expression for rel in (*self.inequalities, *least) if rel.op == ">"]
        known += [rel.expression + 1 for rel in least if rel.op == ">="]
        return list(dict.fromkeys(known))

    def solved(self, products: list[Product], multipliers: list[sympy.Expr]) -> SumOfProducts | None:
        """Weights of the simplest products that are enough, none of which can be left out; None if there are none."""
        goals = [self._poly(multiplier) * self._poly(self.goal.expression) for multiplier in multipliers]
        tried = [(product, self._value(product)) for product in products]
        if self._weights(tried, goals) is None:
            return None
        tried = self._simplest(tried, goals)
        for pair in () if self._is_only_way(tried, goals) else list(tried):
            fewer = [each for each in tried if each is not pair]
            if self._weights(fewer, goals) is not None:
                tried = fewer
        weights = self._weights(tried, goals)
        return None if weights is None else self._found([product for product, _ in tried], multipliers, *weights)

    def _simplest(self, tried: Sequence[Valued], goals: Sequence[fmpq_mpoly]) -> list[Valued]:
        """As many as are needed of what is enough, those with the fewest terms first."""
        ordered = sorted(tried, key=lambda pair: len(pair[1].to_dict()))
        few, enough = 0, len(ordered)
        while few + 1 < enough:
            middle = (few + enough) // 2
            if self._weights(ordered[:middle], goals) is None:
                few = middle
            else:
                enough = middle
        weights = self._weights(ordered[:enough], goals)
        return ordered if weights is None else [pair for pair, w in zip(ordered, weights[0], strict=False) if w]

    def _is_only_way(self, tried: Sequence[Valued], goals: Sequence[fmpq_mpoly]) -> bool:
        """Whether there are no other weights of these products, as all columns of their equations are independent; so
        none of those that are not 0 can be left out."""
        columns = [(value.to_dict(), 0) for _, value in tried] + [(value.to_dict(), 1) for value in goals]
        if self.goal.op != "==":
            columns.append(({(0,) * (len(self.variables) + 1): fmpq(1)}, 0))
        rows = sorted({tuple(map(int, powers)) for column, _ in columns for powers in column})
        work.spend(len(columns) * len(rows))
        entries = [[fmpq(column.get(row, 0)) for column, _ in columns] for row in rows]
        entries.append([fmpq(share) for _, share in columns])
        return int(fmpq_mat(entries).rank()) == len(columns)

    def _found(
        self,
        products: Sequence[Product],
        multipliers: Sequence[sympy.Expr],
        weights: Sequence[Fraction],
        shares: Sequence[Fraction],
        constant: Fraction,
    ) -> SumOfProducts:
        multiplier = sympy.Add(*(_number(share) * each for share, each in zip(shares, multipliers, strict=True)))
        summed = (
            Product(weight, product.factors, product.multiple)
            for product, weight in zip(products, weights, strict=True)
            if weight
        )
        return SumOfProducts(self.goal, multiplier, constant, tuple(summed))

    def _poly(self, expression: sympy.Expr) -> fmpq_mpoly:
        return polynomial_in(expression, self.named)

    def _value(self, product: Product) -> fmpq_mpoly:
        return prod((self._poly(rel.expression) for rel in product.factors), start=self._poly(product.multiple))

    def _weights(
        self, tried: Sequence[Valued], goals: Sequence[fmpq_mpoly]
    ) -> tuple[list[Fraction], list[Fraction], Fraction] | None:
        """Of the products, of the multipliers, which add up to 1, and the constant."""
        weights = [f"w{number}" for number in range(len(tried))]
        shares = [f"s{number}" for number in range(len(goals))]
        sums: dict[tuple[int, ...], list[str]] = {}
        columns = [*zip(weights, (value for _, value in tried), (1 for _ in tried), strict=True)]
        columns += zip(shares, goals, (-1 for _ in goals), strict=True)
        for name, value, sign in columns:
            for powers, coefficient in value.to_dict().items():
                sums.setdefault(tuple(map(int, powers)), []).append(f"(* {_term(coefficient * sign)} {name})")
        constant = (0,) * (len(self.variables) + 1)
        lines = [f"(declare-const {name} Real)" for name in (*weights, *shares)]
        lines += [f"(assert (>= {name} 0.0))" for name in shares]
        lines += [
            f"(assert (>= {name} 0.0))" for name, (each, _) in zip(weights, tried, strict=True) if not each.is_zero
        ]
        lines.append(f"(assert (= 1.0 {_sum(shares)}))")
        lines += [f"(assert (= 0.0 {_sum(terms)}))" for powers, terms in sums.items() if powers != constant]
        over = _sum(sums.get(constant, []))  # the goal is the products and what this lacks to 0
        if self.goal.op == "==":
            lines.append(f"(assert (= 0.0 {over}))")
        elif self.goal.op == ">=":
            lines.append(f"(assert (>= 0.0 {over}))")
        else:
            strict = [
                name for name, (each, _) in zip(weights, tried, strict=True) if each.is_strict and not each.is_zero
            ]
            more = "".join(f" (> {name} 0.0)" for name in strict)
            lines += [f"(assert (>= 0.0 {over}))", f"(assert (or (> 0.0 {over}){more}))"]
        answer = ask("z3", "\n".join([*lines, "(check-sat)"]) + "\n", LONGEST_SEARCH)
        if answer.status != "sat":
            return None
        values = {name: Fraction(answer.model.get(name, "0")) for name in (*weights, *shares)}
        lacking = sum(
            (
                Fraction(int(c.p), int(c.q)) * values[name] * sign
                for name, value, sign in columns
                if (c := value.to_dict().get(constant)) is not None
            ),
            Fraction(0),
        )
        return [values[name] for name in weights], [values[name] for name in shares], -lacking


def _is_polynomial(expression: sympy.Expr, named: Names) -> bool:
    try:
        polynomial_in(expression, named)
    except ValueError:
        return False
    return True


def _term(value: fmpq) -> str:
    return rational(Fraction(int(value.p), int(value.q)))


def _sum(terms: Sequence[str]) -> str:
    return f"(+ 0.0 {' '.join(terms)})" if terms else "0.0"
