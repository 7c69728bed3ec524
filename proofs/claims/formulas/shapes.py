"""Claims about the shapes of matrices and about the work of multiplying them: polynomials in sizes, compared."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.claims.formulas import Costs, Heads, Plus, Shaped, Sizes, Times, Transposed, Tree
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.claims.formulas.always import MOST_COMBINATIONS, differs
from weightproof.proofs.claims.formulas.quotients import Quotient, polynomial, quotient
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import Evaluated, Fails, Holds, Open, Outcome
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.polynomial import Polynomial, total

HOLDS = Holds("all sizes", Evidence.CERTIFICATE.value)
NONE = Polynomial()
LARGEST_SIZE = 4
"""The sizes that are tried, from 1 on."""
GROWN = 1000
"""The size at which it is shown how much more the work is than a bound."""


@dataclass(frozen=True)
class Shape:
    """rows: None for a vector that is added to every row; work: multiplications of entries that it takes."""

    rows: Polynomial | None
    columns: Polynomial
    work: Polynomial = NONE


class Unequal(Exception):
    """Two sizes that are to be equal. printed: the first one is what print says of the second one."""

    def __init__(self, what: str, first: Polynomial, second: Polynomial, printed: bool) -> None:
        super().__init__(what)
        self.what, self.first, self.second, self.printed = what, first, second, printed


def judge_shaped(said: Shaped) -> Outcome:
    """The shape of the tree, or the first place where it does not fit, or is another one than printed."""
    try:
        shape = shape_of(said.tree, said.sizes)
        if shape.rows is None:
            return Open("it is a vector")
        what = written(said.tree)
        _equal(f"rows of {what}", _size(said.rows, said.sizes), shape.rows, printed=True)
        _equal(f"columns of {what}", _size(said.columns, said.sizes), shape.columns, printed=True)
    except Unequal as unequal:
        return _apart(unequal)
    return HOLDS


def shape_of(tree: Tree, sizes: Sizes) -> Shape:
    """Unequal where it does not fit."""
    match tree:
        case str():
            *rows, columns = (_size(size, sizes) for size in sizes.of[tree])
            return Shape(rows[0] if rows else None, columns)
        case Transposed(of=of):
            shape = shape_of(of, sizes)
            if shape.rows is None:
                raise Underivable(f"a vector is transposed: {written(of)}")
            return Shape(shape.columns, shape.rows, shape.work)
        case Times(factors=factors):
            return _product(factors, sizes)
        case Plus(terms=terms):
            return _sum(terms, sizes)
        case Heads(of=of, how_many=how_many, put=put):
            shape, times = shape_of(of, sizes), _size(how_many, sizes)
            return Shape(
                shape.rows,
                PROVER.of("heads", put, {"beside": shape.columns * times, "sum": shape.columns}),
                shape.work * times,
            )
    raise TypeError(tree)


def _product(factors: tuple[Tree, ...], sizes: Sizes) -> Shape:
    shape = shape_of(factors[0], sizes)
    for before, factor in itertools.pairwise(factors):
        other = shape_of(factor, sizes)
        if shape.rows is None or other.rows is None:
            raise Underivable(f"a vector is multiplied: {written(Times(*factors))}")
        _equal(f"columns of {written(before)} and rows of {written(factor)}", shape.columns, other.rows)
        work = total((shape.work, other.work, shape.rows * shape.columns * other.columns))
        shape = Shape(shape.rows, other.columns, work)
    return shape


def _sum(terms: tuple[Tree, ...], sizes: Sizes) -> Shape:
    shape = shape_of(terms[0], sizes)
    for term in terms[1:]:
        other = shape_of(term, sizes)
        added = f"of {written(terms[0])} and of {written(term)}"
        _equal(f"columns {added}", shape.columns, other.columns)
        if other.rows is not None and shape.rows is not None:
            _equal(f"rows {added}", shape.rows, other.rows)
        rows = other.rows if shape.rows is None else shape.rows
        shape = Shape(rows, shape.columns, shape.work + other.work)
    return shape


def written(tree: Tree) -> str:
    match tree:
        case str():
            return tree
        case Transposed(of=of):
            return f"{written(of)}^T"
        case Times(factors=factors):
            return " ".join(f"({written(each)})" if isinstance(each, Plus) else written(each) for each in factors)
        case Plus(terms=terms):
            return " + ".join(map(written, terms))
        case Heads(of=of, put="beside"):
            return f"[{written(of)}, ...]"
    return f"the sum of {written(tree.of)} over the heads"


def _equal(what: str, first: Polynomial, second: Polynomial, printed: bool = False) -> None:
    if first != second:
        raise Unequal(what, first, second, printed)


def _apart(unequal: Unequal) -> Outcome:
    """Sizes at which they differ."""
    for names in _small(unequal.first.atoms | unequal.second.atoms):
        first, second = unequal.first.at(names), unequal.second.at(names)
        if first != second:
            if unequal.printed:
                return differs(unequal.what, first, second, names, _formula(unequal.second))
            place = {name: str(value) for name, value in names.items()}
            difference = Evaluated(unequal.what, "equal", f"{first} and {second}", parameters=place)
            return Fails(explained(_formula(unequal.first), " and ", _formula(unequal.second)), difference)
    return Open(f"{unequal.first} and {unequal.second} are equal at small sizes")


def _small(names: frozenset[str]) -> Iterator[dict[str, fmpq]]:
    ordered = sorted(names)
    choices = itertools.product(range(1, LARGEST_SIZE + 1), repeat=len(ordered))
    for values in sorted(itertools.islice(choices, MOST_COMBINATIONS), key=sum):
        yield dict(zip(ordered, map(fmpq, values), strict=True))


def _formula(size: Polynomial) -> Expression:
    """A size as a formula with powers, for a reader."""
    terms = []
    for monomial, coefficient in size.terms:
        powers = {name: monomial.count(name) for name in monomial}
        factors = [name if times == 1 else f"{name}**{times}" for name, times in powers.items()]
        terms.append("*".join([*([] if coefficient == 1 and factors else [str(coefficient)]), *factors]))
    return Expression(" + ".join(terms) or "0")


def _size(size: Expression, sizes: Sizes) -> Polynomial:
    """Underivable where it is no polynomial."""

    def name(of: str) -> Quotient:
        return quotient(sizes.where[of], name) if of in sizes.where else Quotient.atom(of)

    return polynomial(quotient(size, name))


def judge_costs(said: Costs) -> Outcome:
    """Where every monomial of the work divides one of the bound, with sizes that stay left out, the work is O of it;
    where sizes that grow alike make the work grow faster, it is not."""
    try:
        work = total(shape_of(tree, said.sizes).work for tree in said.trees)
    except Unequal as unequal:
        return _apart(unequal)
    bound = _size(said.bound, said.sizes)
    if not bound.terms or any(value < 0 for _, value in (*work.terms, *bound.terms)):
        return Open(f"{bound} is no sum of positive terms")
    if all(any(_divides(small, large, said.growing) for large, _ in bound.terms) for small, _ in work.terms):
        return Holds("all sizes", Evidence.CERTIFICATE.value, explained("the work is ", _formula(work)))
    for count in range(1, len(said.growing) + 1):
        for chosen in itertools.combinations(said.growing, count):
            if _degree(work, chosen) > _degree(bound, chosen):
                return _too_much(said, work, bound, chosen)
    return Open(f"whether {work} is of the order of {bound} is not seen from their monomials")


def _divides(small: tuple[str, ...], large: tuple[str, ...], names: tuple[str, ...]) -> bool:
    return all(small.count(name) <= large.count(name) for name in names)


def _degree(polynomial: Polynomial, names: tuple[str, ...]) -> int:
    """The growth where these are the same large number and the others 1; all coefficients are positive."""
    return max(sum(monomial.count(name) for name in names) for monomial, _ in polynomial.terms)


def _too_much(said: Costs, work: Polynomial, bound: Polynomial, chosen: tuple[str, ...]) -> Outcome:
    """Shown at one large size; by its degree the quotient is larger still at larger ones."""
    names = {name: fmpq(GROWN if name in chosen else 1) for name in sorted(work.atoms | bound.atoms)}
    made = {name: _size(Expression(name), said.sizes).at(names) for name in said.sizes.where}
    printed = f"bounded as {' and '.join(chosen)} grow{'s' if len(chosen) == 1 else ''}"
    what = f"multiplications divided by {said.bound}"
    at = dict(sorted({**names, **made}.items()))
    return differs(what, printed, work.at(names) / bound.at(names), at, _formula(work))
