"""A logit that is a constant times the sign of a value, as a norm with epsilon = 0 leaves it: what is shown of the
value, and what of the constant.

Of a row with more than one value the logit is R x, R being the scale of the row. What is derived with the factor R is
made of the coordinates of rows with that scale, times what is free of it: where x is not 0, one of these is not, and so
R exists.
"""

from __future__ import annotations

from dataclasses import replace

import sympy

from weightproof.proofs.strategies.scales import told_sign, without_scales
from weightproof.proofs.theorem import EVERYTHING, Compares, Decides, Margin, OnWords
from weightproof.symbolic.algebra.iverson import Iverson, canonical, normalise
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary
from weightproof.symbolic.derivation import Derivation, NonZero

Question = tuple[Derivation, OnWords]


def by_sign(derivation: Derivation, theorem: OnWords) -> tuple[Question, Question]:
    """Two questions that together are the theorem: the value before the norm is positive on the accepted words and
    negative on the others, so that there is a value on all of them; and the constant is positive, or as large as asked.

    Raises Underivable where the logit has another shape, or the theorem asks for something else.
    """
    bare, question, size = before_norm(derivation, theorem)
    sides = {None: 1, derivation.construction.language.complement: -1}
    if isinstance(theorem, Decides):
        of_size = Compares(">", 0, where=EVERYTHING, given=theorem.hypothesis)
    elif isinstance(theorem, Margin) and theorem.value is not None:
        of_size = Compares(">=", theorem.value, where=EVERYTHING, given=theorem.hypothesis)
    elif isinstance(theorem, Compares) and not theorem.only and theorem.where in sides:
        size *= sides[theorem.where]
        of_size = Compares(theorem.op, theorem.value, where=EVERYTHING, given=theorem.hypothesis)
    else:
        raise Underivable("of a logit that is the sign of a value its decisions are proved, and how large it is")
    constant = replace(derivation, logit=Iverson.constant(size), scales={}, nonzero={}, sums={})
    return (without_scales(bare, question), question), (constant, of_size)


def before_norm(derivation: Derivation, theorem: OnWords) -> tuple[Derivation, Decides, sympy.Expr]:
    """The derivation of the value before the norm, or of its opposite, what is asked of it, and the size of the logit.
    Raises Underivable as `by_sign` does."""
    if len(derivation.nonzero) != 1 or derivation.construction.network.readout.accept != "logit > 0":
        raise Underivable("the logit is not the sign of one value, which is asked for")
    [(scale, row)] = derivation.nonzero.items()
    before, size = value_and_size(derivation, scale, row)
    if _looks_negative(size, theorem, derivation.vocabulary):
        before, size = before.scaled(-1), -size
    if len(row.values) > 1 and not isinstance(theorem, Decides):
        raise Underivable("of a row with more than one value before the last norm the decisions are proved alone")
    other_scales = {symbol: square for symbol, square in derivation.scales.items() if symbol != scale}
    question = Decides(
        theorem.name,
        theorem.statement,
        accepts=None if isinstance(theorem, Compares) else theorem.accepts,
        given=theorem.hypothesis,
        invariant=theorem.invariant,
        up_to=theorem.up_to if isinstance(theorem, Decides) else None,
        strict=True,
    )
    bare = replace(derivation, logit=before, scales=other_scales, nonzero={})
    return bare, question, size


def value_and_size(derivation: Derivation, scale: sympy.Expr, row: NonZero) -> tuple[Iverson, sympy.Expr]:
    """A value with the sign of the logit, and the size of the logit where there is but one value; else a 1."""
    if len(row.values) == 1:
        [value] = row.values
        return value, _factor(derivation, value.scaled(scale)) / sympy.sqrt(row.ratio)
    over = Iverson(tuple((conditions, canonical(x / scale)) for conditions, x in derivation.logit.terms))
    if any(x.has(scale) for _, x in over.terms):
        raise Underivable("the logit is no multiple of the scale of the row that may have none")
    return Iverson(tuple((conditions, _without_absolute(x)) for conditions, x in over.terms)), sympy.S.One


def _looks_negative(size: sympy.Expr, theorem: OnWords, vocabulary: Vocabulary) -> bool:
    """Which of the value and its opposite to ask for: that the size is positive is shown, whichever it is."""
    logarithms = size.atoms(sympy.log)
    if len(logarithms) != 1:
        return False
    [logarithm] = logarithms
    sign = told_sign(logarithm, theorem.hypothesis, vocabulary)
    return sign is not None and bool((sign * size / logarithm).is_negative)


def _without_absolute(value: sympy.Expr) -> sympy.Expr:
    """A value with the same sign: of a x + b |x| it is that of a x where |a| > |b|, of whatever sign x is."""
    absolute = value.atoms(sympy.Abs)
    if len(absolute) != 1:
        return value
    [size] = absolute
    stand_in = sympy.Dummy(nonnegative=True)
    open_one = sympy.expand(value.xreplace({size: stand_in}))
    beside, factor = (canonical(open_one.coeff(stand_in, power)) for power in (0, 1))
    ratio = canonical(beside / (factor * size.args[0]))
    linear = canonical(open_one - beside - factor * stand_in) == 0
    return beside if linear and ratio.is_Rational and abs(ratio) > 1 else value


def _factor(derivation: Derivation, value: Iverson) -> sympy.Expr:
    """The constant f with logit = f value."""
    logit, words = derivation.logit, derivation.vocabulary.words()
    factor = canonical(logit.terms[0][1] / value.terms[0][1]) if logit.terms else sympy.S.Zero
    mentioned = factor.free_symbols & (value.free_symbols | derivation.sums.keys())
    if mentioned or normalise(logit - value.scaled(factor), words).terms:
        raise Underivable("the logit is not a constant times the sign of a value")
    return factor
