"""What is left of a derived value when a claimed one is subtracted: nothing where they agree, or else leads to words on
which they differ.

Equality is decided by normal forms: in each case of the brackets both sides are rational functions, and their
difference cancels to 0 or does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.claims.statements import Value
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.refuting.decode import Lead, decoded
from weightproof.proofs.solving.cases import cleared, obligations_of
from weightproof.proofs.solving.implication import Implication, to_smt
from weightproof.proofs.solving.logic import conjunction, of_cell, relation
from weightproof.proofs.solving.solvers import ask
from weightproof.symbolic.algebra.exponentials import exponential
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, canonical, normalise, substitute
from weightproof.symbolic.algebra.linear import Context, Form, form_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, is_power_of_e, is_scale
from weightproof.symbolic.derivation import Derivation, Record, square_of
from weightproof.symbolic.rules.reading import read_scalar
from weightproof.symbolic.rules.rows import rows
from weightproof.symbolic.rules.sums import collect

Derived = Iverson | Mapping[str, Iverson]
"""One value, or the value at each kind of position."""


@dataclass(frozen=True)
class Rest:
    """derived - claimed where a claim is made, which is not 0 everywhere in the context.

    position: of the row that it is about, None for what stands at none; symbol: that of the row, None at a marker.
    """

    value: Iverson
    context: Context
    position: sympy.Expr | None
    symbol: str | None


def differences(derivation: Derivation, claim: Value, words: Context, derived: Derived) -> Iterator[Rest]:
    """Where what was derived is not what is claimed; words: what holds of every word, with the ledger.

    Raises Underivable where the claim cannot be read.
    """
    vocabulary = derivation.vocabulary
    given = substitutions(claim.at, vocabulary)
    for row, case, value in _cases(derivation, claim, words, derived):
        record = Record(facts=words.ledger)
        for atom, total in derivation.all_sums.items():
            record.sums[atom] = replace(total, body=substitute(total.body, given))
        claimed = read_scalar(claim.equals, vocabulary, row.position, record, row.context)
        difference = _known((value - claimed) * case, row, given, vocabulary)
        difference = vocabulary.tokens_in_range(vocabulary.without_first_count(difference), row.context)
        rest = collect(difference, record, row.context, vocabulary)
        rest = normalise(_without_absent_symbols(rest, row.context, vocabulary), row.context)
        rest = normalise(_with_scales_for_roots(rest, derivation, row, given), row.context)
        if rest.terms:
            yield replace(row, value=rest)


def occurrences(derivation: Derivation, claim: Value, words: Context, derived: Derived) -> Iterator[Rest]:
    """Where a claim is made at all, as if its value were wrong by 1 everywhere."""
    for row, case, _ in _cases(derivation, claim, words, derived):
        yield replace(row, value=case)


def _cases(
    derivation: Derivation, claim: Value, words: Context, derived: Derived
) -> Iterator[tuple[Rest, Iverson, Iverson]]:
    """The ways in which the case of a claim can hold, as far as linear arithmetic tells them apart: the row, what holds
    there, and what was derived."""
    vocabulary = derivation.vocabulary
    network = derivation.construction.encoder
    given = substitutions(claim.at, vocabulary)
    of_rows: list[tuple[Rest, Iverson]] = []
    if isinstance(derived, Iverson):
        of_rows.append((Rest(ZERO, words, None, None), derived))
    else:
        table = rows(vocabulary, (network.begin, network.end), words)
        for name, value in derived.items():
            symbol = name if name in vocabulary.alphabet else None
            of_rows.append((Rest(ZERO, table[name].context, table[name].position, symbol), value))
    for row, value in of_rows:
        when = _known(read_scalar(claim.when, vocabulary, row.position, context=row.context), row, given, vocabulary)
        for case, true in cells(normalise(when, row.context)):
            inside = row.context.given(*case.forms())
            if true != 0 and not inside.impossible():
                yield replace(row, context=inside), case, value


def _known(value: Iverson, row: Rest, given: Mapping[sympy.Expr, sympy.Expr], vocabulary: Vocabulary) -> Iverson:
    """The value at the parameters that are given, with the token at the row itself, which is known."""
    value = vocabulary.settle(substitute(value, given))
    if row.position is None or row.symbol is None:
        return value
    return vocabulary.known_token(value, row.symbol, row.position)


def _without_absent_symbols(value: Iverson, context: Context, vocabulary: Vocabulary) -> Iverson:
    """Counts replaced by 0 in the cases that leave no room for the symbol."""
    total = ZERO
    for conditions, coefficient in value.terms:
        inside = context.given(*(form for condition in conditions for form in condition.forms()))
        atoms = [vocabulary.total(symbol) for symbol in vocabulary.alphabet]
        absent = [atom for atom in atoms if atom in coefficient.free_symbols and inside.impossible(_at_least_one(atom))]
        total += Iverson(((conditions, coefficient.xreplace(dict.fromkeys(absent, sympy.S.Zero))),))
    return total


def _with_scales_for_roots(
    value: Iverson, derivation: Derivation, row: Rest, given: Mapping[sympy.Expr, sympy.Expr]
) -> Iverson:
    """Roots that print has of the mean square of a normalised row, written with the row's scale, which is their
    inverse; a scale of which the square is a number becomes its root."""
    vocabulary, total = derivation.vocabulary, ZERO
    for conditions, coefficient in value.terms:
        inside = row.context.given(*(form for condition in conditions for form in condition.forms()))
        squares: dict[sympy.Expr, sympy.Expr] = {}
        for scale in sorted(filter(is_scale, coefficient.atoms(sympy.Symbol, AppliedUndef)), key=str):
            one_over = normalise(_known(square_of(scale, derivation.scales), row, given, vocabulary), inside)
            match one_over.terms:
                case ((none, x),) if not none:
                    squares[scale] = x
        numbers = {scale: 1 / sympy.sqrt(x) for scale, x in squares.items() if x.is_number and x.is_positive}
        coefficient = _at_numbers(coefficient, numbers, vocabulary)
        for scale, square in squares.items():
            if scale not in numbers:
                coefficient = _with_scale(coefficient, scale, _at_numbers(square, numbers, vocabulary))
        total += Iverson(((conditions, coefficient),))
    return total


def _at_numbers(expression: sympy.Expr, numbers: Mapping[sympy.Expr, sympy.Expr], vocabulary: Vocabulary) -> sympy.Expr:
    """An expression with the scales that are numbers, in exponents, too."""
    powers = {
        atom: exponential(atom.args[0].xreplace(numbers), vocabulary)
        for atom in filter(is_power_of_e, expression.atoms(AppliedUndef))
        if atom.has(*numbers)
    }
    return expression.xreplace(powers).xreplace(numbers)


def _with_scale(coefficient: sympy.Expr, scale: sympy.Expr, square: sympy.Expr) -> sympy.Expr:
    """A coefficient in which 1/scale^2 = square."""
    roots = [power for power in coefficient.atoms(sympy.Pow) if (2 * power.exp).is_odd]
    factors = {root: canonical(root.base / square) for root in roots}
    return coefficient.xreplace(
        {
            root: (sympy.sqrt(factor) / scale) ** (2 * root.exp)
            for root, factor in factors.items()
            if factor.is_Rational and factor.is_positive
        }
    )


def _at_least_one(atom: sympy.Symbol) -> Form:
    return form_of(atom - 1)


def substitutions(at: Mapping[str, Expression], vocabulary: Vocabulary) -> dict[sympy.Expr, sympy.Expr]:
    """The units and the natural parameters at the values that something is printed for."""
    result = {}
    for name, value in at.items():
        atom = vocabulary.unit(name) if name in vocabulary.real else vocabulary.parameter(name)
        scalar = Expression(f"exp({value})") if name in vocabulary.real else value
        value_at = read_scalar(scalar, vocabulary)
        if value_at.axes:
            raise Underivable(f"{name} = {value} depends on a bracket")
        result[atom] = sum((number for _, number in value_at.terms), sympy.S.Zero)
    return result


RANGES = ((1, 12), (13, 48), (49, 300), (301, 1000))
"""Numbers of positions, shortest words first."""
LONGEST_QUESTION = 2.0
"""Seconds for one question to the solver."""


def leads(rests: Iterable[Rest], vocabulary: Vocabulary, seconds: float) -> Iterator[Lead]:
    """Words, with parameters, on which a solver sees the difference; only a replay shows that it is there."""
    deadline = work.seconds() + seconds
    items = [item for rest in rests for item in _questions(rest, vocabulary)]
    for least, most in RANGES:
        for item in items:
            left = deadline - work.seconds()
            if left <= 0:
                return
            bounded = f"(assert (and (>= |n| {least}) (<= |n| {most})))\n(check-sat)"
            try:
                script = to_smt(item, integers=True).replace("(check-sat)", bounded)
            except Underivable:  # of what cannot be told to a solver it has nothing to say
                continue
            answer = ask("z3", script, min(LONGEST_QUESTION, left))
            found = decoded(answer.model, item.expressions(), vocabulary) if answer.status == "sat" else None
            if found is not None:
                yield found


def _questions(rest: Rest, vocabulary: Vocabulary) -> Iterator[Implication]:
    """That there is no difference, in each case of it."""
    here = []
    if rest.position is not None and rest.symbol is not None:
        here.append(relation("==", vocabulary.token(rest.position) - vocabulary.alphabet.index(rest.symbol)))
    for cell, value in cells(rest.value):
        if value == 0:
            continue
        try:
            yield from obligations_of(
                "difference",
                vocabulary,
                rest.context,
                conjunction(of_cell(cell), *here),
                lambda c, x=value: relation("==", cleared(x, c, vocabulary)),  # type: ignore[misc]
            )
        except Underivable:  # a divisor of unknown sign
            continue
