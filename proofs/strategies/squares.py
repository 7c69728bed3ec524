"""Logits in which scales of normalised rows are left, of which the squares are known.

How large a logit is that scales are factors of: |x| and |v| compare as their squares do.

In x^2 every scale stands with an even power, and 1/R^2 is known. What is left are powers of e whose exponents have
scales: e^(r log n) is at least n^k where r >= k, which is a matter of squares, too. So there are cases: r below 1, from
1 to 2, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy.core.function import AppliedUndef

from weightproof.proofs.solving.cases import cases, cleared, obligations_of
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.solving.logic import TRUE, Formula, conjunction, disjunction, negation, read_formula, relation
from weightproof.proofs.strategies.direct import logit_cases
from weightproof.proofs.strategies.goals import goal, sides, value_of
from weightproof.proofs.strategies.scales import scales_of
from weightproof.proofs.theorem import Compares, OnWords
from weightproof.symbolic.algebra.iverson import Iverson, canonical, normalise
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.algebra.signs import Sign, sign_of
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, is_power_of_e, n
from weightproof.symbolic.derivation import Derivation, square_of

HIGHEST = 3
"""The highest power of n that one with an open exponent is compared with."""


def by_squares(derivation: Derivation, theorem: Compares, words: Context) -> Iterator[Implication]:
    """Raises Underivable where the sign of the logit or of the value is open, or they are to be equal."""
    if theorem.op in ("==", "!=") or theorem.only:
        raise Underivable("a logit with scales is compared by its square, from one side")
    vocabulary, direction = derivation.vocabulary, 1 if theorem.op in (">", ">=") else -1
    wanted = theorem.accepts or derivation.construction.language.characterisation
    accepts, given = (read_formula(formula, vocabulary) for formula in (wanted, theorem.hypothesis))
    for number, (where, logit) in enumerate(logit_cases(derivation, words), start=1):

        def larger(c: Context, x: sympy.Expr = direction * logit) -> Formula:
            least = direction * value_of(theorem.value, c, vocabulary)
            return _at_least(">" if theorem.op in ("<", ">") else ">=", x, least, c, derivation)

        for part, (context, literals) in enumerate(cases(conjunction(where, given, accepts), words), start=1):
            powers = [_growth(power, exponent, context, derivation) for power, exponent in _powers_of_n(logit)]
            name, here = f"case {number}, {part}", conjunction(*literals, *powers)
            yield from obligations_of(name, vocabulary, context, here, larger)


def with_squares(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Implication]:
    """The sign of a logit in which scales and powers of e are added up: what their squares are, and that a power of e
    is at least 1 where its exponent is positive, stands among the hypotheses."""
    vocabulary, rule = derivation.vocabulary, derivation.construction.network.readout.accept
    wanted = theorem.accepts or derivation.construction.language.characterisation
    accepts, given = (read_formula(formula, vocabulary) for formula in (wanted, theorem.hypothesis))
    for number, (where, logit) in enumerate(logit_cases(derivation, words), start=1):
        for side in sides(theorem):
            name = f"case {number}, {'accepted' if side else 'rejected'}"
            here = conjunction(where, given, accepts if side else negation(accepts))
            for part, (context, literals) in enumerate(cases(here, words), start=1):
                known = conjunction(*literals, *_known(logit, context, derivation))
                yield from obligations_of(
                    f"{name}, {part}",
                    vocabulary,
                    context,
                    known,
                    lambda c, x=logit, w=side: goal(theorem, rule, x, w, c, vocabulary),  # type: ignore[misc]
                )


def _known(logit: sympy.Expr, context: Context, derivation: Derivation) -> Iterator[Formula]:
    """What is known of the scales and the powers of e in a logit."""
    vocabulary = derivation.vocabulary
    powers = sorted(filter(is_power_of_e, logit.atoms(AppliedUndef)), key=str)
    outside = logit.xreplace({power: sympy.Dummy() for power in powers})
    for scale in sorted(scales_of(outside), key=str):
        square = _settled(square_of(scale, derivation.scales), context, vocabulary)
        if not scales_of(square):
            yield relation("==", cleared(scale**2 * square - 1, context, vocabulary))
    of_n = dict(_powers_of_n(logit))
    for power in powers:
        if power in of_n:
            yield _growth(power, of_n[power], context, derivation)
        elif sign_of(power.args[0], context, vocabulary) is Sign.POSITIVE:
            yield relation(">=", power - 1)


def _growth(power: sympy.Expr, exponent: sympy.Expr, context: Context, derivation: Derivation) -> Formula:
    """n^r >= n^k for k <= r < k + 1, case by case; nothing where r may be negative."""
    vocabulary = derivation.vocabulary
    if sign_of(exponent, context, vocabulary) is not Sign.POSITIVE:
        return TRUE
    square = _without_scales(exponent**2, context, derivation)
    choices = []
    for k in range(HIGHEST + 1):
        beyond = relation(">=", cleared(square - k**2, context, vocabulary))
        below = relation(">", cleared((k + 1) ** 2 - square, context, vocabulary)) if k < HIGHEST else TRUE
        choices.append(conjunction(beyond, below, relation(">=", power - n**k)))
    return disjunction(*choices)


def _at_least(op: str, x: sympy.Expr, least: sympy.Expr, context: Context, derivation: Derivation) -> Formula:
    """x op least, by the squares of both where both are positive."""
    vocabulary = derivation.vocabulary
    if context.impossible():
        return TRUE
    if not scales_of(x):
        return relation(op, cleared(x - least, context, vocabulary))
    signs = sign_of(x, context, vocabulary), sign_of(least, context, vocabulary)
    match signs:
        case (Sign.POSITIVE, Sign.NEGATIVE | Sign.ZERO):
            return TRUE
        case (Sign.POSITIVE, Sign.POSITIVE):
            difference = _without_scales(x**2, context, derivation) - least**2
            return relation(op, cleared(difference, context, vocabulary))
    raise Underivable("the sign of the logit, or of what it is compared with, is open")


def _without_scales(x: sympy.Expr, context: Context, derivation: Derivation) -> sympy.Expr:
    """An expression in squares of scales, with what these are; powers of e stay, with the scales in their exponents."""
    powers: dict[sympy.Expr, sympy.Expr] = {}

    def apart(value: sympy.Expr) -> sympy.Expr:
        for power in filter(is_power_of_e, value.atoms(AppliedUndef)):
            powers.setdefault(power, sympy.Dummy(positive=True))
        return value.xreplace(powers)

    x = apart(x)
    while scales := scales_of(x):
        last = max(scales, key=lambda scale: _number(scale, derivation.scales))  # the others' squares do not have it
        if canonical(x - x.subs(last, -last)) != 0:
            raise Underivable(f"an odd power of the scale {last} is left")
        square = apart(_settled(square_of(last, derivation.scales), context, derivation.vocabulary))
        x = canonical(x.subs(last, 1 / sympy.sqrt(square)))
    return x.xreplace({dummy: power for power, dummy in powers.items()})


def _number(scale: sympy.Expr, scales: Mapping[sympy.Expr, Iverson]) -> int:
    """The place of a scale in the order in which they arose."""
    name = scale.func if isinstance(scale, AppliedUndef) else scale
    return [known.func if isinstance(known, AppliedUndef) else known for known in scales].index(name)


def _settled(value: Iverson, context: Context, vocabulary: Vocabulary) -> sympy.Expr:
    """The one value that is left in a context."""
    terms = normalise(vocabulary.settle(value), context).terms
    if any(conditions for conditions, _ in terms):
        raise Underivable("the square of a scale has more than one case")
    return sum((x for _, x in terms), sympy.S.Zero)


def _powers_of_n(logit: sympy.Expr) -> list[tuple[sympy.Expr, sympy.Expr]]:
    """Each n^r with scales in r, written e^(r log n), and r."""
    found = []
    for power in sorted(filter(is_power_of_e, logit.atoms(AppliedUndef)), key=str):
        exponent = canonical(power.args[0] / sympy.log(n))
        if n not in exponent.free_symbols:
            found.append((power, exponent))
    return found
