"""Obligations about polynomials in named atoms, which exact arithmetic settles, as SMT-LIB 2: for who would rather ask
a solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from flint import fmpq

from weightproof.proofs.solving import smt
from weightproof.symbolic.simulation.constraints import Constrained
from weightproof.symbolic.simulation.polynomial import Monomial, Polynomial, Rectified, Region, Saturated

Fact = tuple[str, Polynomial]
""""=", ">=" or ">", and what stands in this relation to 0."""
EVERYWHERE = Region()


def script(
    name: str, region: Region, goals: Iterable[Fact], closed: bool, saturated: Mapping[str, Polynomial] | None = None
) -> str:
    """That all goals are so, whatever the atoms of a region are: their negation is unsat then. closed: whether that is
    expected. saturated: atoms that are the saturated values of polynomials."""
    wanted, known = list(goals), list(_facts(region))
    names: dict[str, str] = {}
    made = [line for _, polynomial in (*known, *wanted) for line in _declared(polynomial, saturated or {}, names)]
    lines = [f"; {' '.join(name.split())}", f"(set-info :status {'unsat' if closed else 'unknown'})", "(set-logic ALL)"]
    lines += sorted(made, key=lambda line: line.startswith("(assert"))
    lines += [f"(assert {_fact(fact, names)})" for fact in known]
    lines.append(f"(assert (not (and true {' '.join(_fact(fact, names) for fact in wanted)})))")
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def _facts(region: Region) -> Iterator[Fact]:
    for simplex in region.simplices:
        yield from ((">=", each) for each in simplex.coordinates({}))
    yield from ((">", Polynomial.atom(name)) for name in sorted(region.positive))
    yield from ((">=", Polynomial.atom(name)) for name in sorted(region.not_negative))
    yield from (("=", Polynomial.of({monomial: fmpq(1)}) - value) for monomial, value in region.equal.items())
    if isinstance(region, Constrained):
        yield from ((">", each) for each in region.above)
        yield from ((">=", each) for each in region.not_below)


def _declared(polynomial: Polynomial, saturated: Mapping[str, Polynomial], names: dict[str, str]) -> Iterator[str]:
    """The atoms that are new, and what those are that have an argument; two atoms may print alike."""
    for atom in sorted(polynomial.atoms - names.keys()):
        if atom in names:  # one of an argument before
            continue
        alike = smt.name(atom)
        names[atom] = alike if alike not in names.values() else f"{alike[:-1]} #{len(names)}|"
        yield f"(declare-const {names[atom]} Real)"
        argument = atom.argument if isinstance(atom, Saturated | Rectified) else saturated.get(atom)
        if argument is not None:
            yield from _declared(argument, saturated, names)
            x = _term(argument, names)
            most = x if isinstance(atom, Rectified) else f"(ite (> {x} 1.0) 1.0 {x})"
            yield f"(assert (= {names[atom]} (ite (< {x} 0.0) 0.0 {most})))"


def _fact(fact: Fact, names: Mapping[str, str]) -> str:
    op, polynomial = fact
    return f"({op} {_term(polynomial, names)} 0.0)"


def _term(polynomial: Polynomial, names: Mapping[str, str]) -> str:
    parts = [_product(monomial, value, names) for monomial, value in polynomial.terms]
    return f"(+ {' '.join(parts)})" if len(parts) > 1 else "".join(parts) or "0.0"


def _product(monomial: Monomial, value: fmpq, names: Mapping[str, str]) -> str:
    number = smt.rational(Fraction(int(value.p), int(value.q)))
    return f"(* {' '.join((number, *(names[atom] for atom in monomial)))})" if monomial else number
