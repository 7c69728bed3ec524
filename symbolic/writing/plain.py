"""Derivations as plain text. Every value and every condition is written in the language of `expressions`,
so that what a reader sees can be read back and evaluated, exactly; a bracket that is false makes its term 0, also where
the rest of it has no value, as in (n > 3)/(n - 3). Where a step applies a function, that is max, min or abs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

import sympy

from weightproof.symbolic.algebra.constants import exponent_of
from weightproof.symbolic.algebra.iverson import Conditions, Iverson
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_power_of_e, is_scale
from weightproof.symbolic.derivation import Applied, Derivation, DotProduct, ExplicitSum, OverPositions, Quotient, Step
from weightproof.symbolic.writing.presentation import (
    AnyOf,
    Compared,
    SameToken,
    Statement,
    TokenIs,
    as_fraction,
    disjoint_cases,
    exhaustive,
    logit,
    mentioned_scales,
    presented,
    statements,
    sum_parts,
    summands,
)

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a text binds."""


def number(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    """An expression without brackets."""
    return _written(presented(expression, vocabulary), vocabulary)[0]


def condition(conditions: Conditions, vocabulary: Vocabulary) -> str:
    """A conjunction of conditions; the empty one is "" and always true."""
    texts = sorted(_statement(part, vocabulary) for one in conditions for part in statements(one, vocabulary))
    return " and ".join(texts)


def value(iverson: Iverson, vocabulary: Vocabulary) -> str:
    """A sum of bracketed terms in one line."""
    result = ""
    for conditions, coefficient in iverson.terms:
        text, binding = _written(presented(coefficient, vocabulary), vocabulary)
        bracket = condition(conditions, vocabulary)
        negative = text.startswith("-") and binding > SUM
        text = text[1:] if negative else text
        if bracket:
            one_over = binding == PRODUCT and text.startswith("1/")  # of a sum, 1/2 may be the first summand alone
            rest = "" if text == "1" else text[1:] if one_over else f"*{_bound(text, binding, PRODUCT)}"
            text = f"({bracket}){rest}"
        if result:
            result += f" - {text}" if negative else f" + {text}"
        else:
            result = f"-{text}" if negative else text
    return result or "0"


def cases(iverson: Iverson, vocabulary: Vocabulary) -> tuple[tuple[str, str], ...] | None:
    """(value, condition) for each term if no two can hold together; where none holds, the value is 0."""
    listed = disjoint_cases(iverson, vocabulary)
    if listed is None:
        return None
    return tuple((number(x, vocabulary), condition(conditions, vocabulary)) for x, conditions in listed)


def explicit_sum(total: ExplicitSum, vocabulary: Vocabulary) -> str:
    """A sum over the positions that hold symbols, and what it adds beyond them."""
    parts = sum_parts(total, vocabulary)
    inside = [
        *([] if parts.at_least is None else [f"j >= {number(parts.at_least, vocabulary)}"]),
        *([] if parts.at_most is None else [f"j <= {number(parts.at_most, vocabulary)}"]),
    ]
    body = value(parts.body, vocabulary)
    if inside:
        body = f"({' and '.join(inside)})*({body})"
    beyond = [value(part, vocabulary) for part in parts.beyond]
    return " + ".join([f"sum({body} for j in positions)", *(f"({part})" for part in beyond if part != "0")])


def closed_form(derivation: Derivation) -> str:
    """The logit, case by case on lines of their own, and the sums that it mentions."""
    return "\n".join(_closed_form(derivation))


def _closed_form(derivation: Derivation) -> Iterator[str]:
    vocabulary = derivation.vocabulary
    yield from _equation("logit", logit(derivation), vocabulary)
    for symbol, total in derivation.sums.items():
        yield f"where {symbol} = {explicit_sum(total, vocabulary)}"
    for scale, square in mentioned_scales(derivation).items():
        yield from _equation(f"where 1/{scale}**2", square, vocabulary)


def steps(derivation: Derivation) -> str:
    """Every recorded step: rule, place, before, after, and what has to be positive for it."""
    blocks = ["\n".join(_step(step, derivation.vocabulary)) for step in derivation.steps]
    vocabulary = derivation.vocabulary
    named = [f"{symbol} = {explicit_sum(total, vocabulary)}" for symbol, total in derivation.all_sums.items()]
    for scale, square in derivation.scales.items():
        named += _equation(f"1/{scale}**2", square, vocabulary)
    return "\n\n".join([*blocks, *(["\n".join(named)] if named else [])])


def _step(step: Step, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"{step.location}: {step.rule}"
    match step.before:
        case OverPositions(summands=summands):
            yield "  sum over the positions in view of"
            for token, summand in summands:
                yield f"    {value(summand, vocabulary)}   at {token}"
        case Quotient(numerator=numerator, denominator=denominator):
            yield f"  {_factor(numerator, vocabulary)}/{_factor(denominator, vocabulary)}"
        case DotProduct(scale=scale, factors=factors):
            products = " + ".join(f"{_factor(q, vocabulary)}*{_factor(k, vocabulary)}" for q, k in factors) or "0"
            yield f"  {_factor(scale, vocabulary)}*({products})"
        case Applied() as before:
            yield f"  {applied(before, vocabulary)}"
        case Iverson() as before:
            yield f"  {value(before, vocabulary)}"
        case before:
            assert_never(before)
    yield from (f"  {line}" for line in _equation("", step.after, vocabulary))
    if step.scale is not None:
        yield f"  = 1/{step.scale}**2"
    if step.positive is not None:
        yield f"  because {value(step.positive, vocabulary)} > 0"


def applied(before: Applied, vocabulary: Vocabulary) -> str:
    """A function of a value, and its scale, in terms of max, min, abs and brackets."""
    argument, scale = value(before.argument, vocabulary), _factor(before.scale, vocabulary)
    factor = "" if scale == "1" else f"{scale}*"
    match before.function:
        case "relu":
            return f"{factor}max(0, {argument})"
        case "saturated-linear":
            return f"{factor}min(1, max(0, {argument}))"
        case "step":
            return f"{factor}({argument} > 0)"
        case "square":
            return f"{factor}({argument})**2"
        case "identity":
            return f"{factor}({argument})"
        case "abs":
            return f"{factor}abs({argument})"
        case "tanh" | "sigmoid" | "silu" | "gelu" | "gelu-tanh":
            return f"{factor}{before.function.replace('-', '_')}({argument})"
        case "sgn":
            return f"{factor}(({argument} > 0) - ({argument} < 0))"
        case "-|x|":
            return f"-{factor}abs({argument})"
        case function:
            assert_never(function)


def _factor(iverson: Iverson, vocabulary: Vocabulary) -> str:
    text = value(iverson, vocabulary)
    return text if re.fullmatch(r"[\w.]+|count\('\w+'\)", text) else f"({text})"


def _equation(name: str, iverson: Iverson, vocabulary: Vocabulary) -> Iterator[str]:
    listed = cases(iverson, vocabulary)
    if listed is None or len(listed) < 2:
        yield f"{name} = {value(iverson, vocabulary)}".lstrip()
        return
    yield f"{name} =".lstrip()
    widest = max(len(text) for text, _ in listed)
    for text, where in listed:
        yield f"  {text:<{widest}}   if {where}"
    if not exhaustive(iverson, vocabulary):
        yield f"  {'0':<{widest}}   otherwise"


def _bound(text: str, binding: int, least: int) -> str:
    return text if binding >= least else f"({text})"


def _written(expression: sympy.Expr, vocabulary: Vocabulary) -> tuple[str, int]:
    """The text of an expression, and how tightly it binds."""

    def inside(part: sympy.Expr, least: int) -> str:
        return _bound(*_written(part, vocabulary), least)

    match expression:
        case sympy.Integer():
            return str(expression), ATOM if expression >= 0 else PRODUCT
        case sympy.Add():
            terms = summands(expression)
            text = inside(terms[0], PRODUCT)
            for term in terms[1:]:
                minus = term.could_extract_minus_sign()
                text += f" - {inside(-term, PRODUCT)}" if minus else f" + {inside(term, PRODUCT)}"
            return text, SUM
        case sympy.Mul() | sympy.Rational():
            return _quotient(expression, vocabulary), PRODUCT
        case sympy.Pow(base=base, exp=exponent):
            return _power(base, exponent, vocabulary)
        case sympy.Mod(args=(dividend, modulus)):
            return f"{inside(dividend, POWER)} % {modulus}", PRODUCT
        case sympy.log() | sympy.sinh() | sympy.cosh() | sympy.tanh():
            return f"{type(expression).__name__}({inside(expression.args[0], SUM)})", ATOM
        case sympy.Abs(args=(argument,)):
            return f"sqrt({inside(argument, ATOM)}**2)", ATOM
        case sympy.Symbol():
            return _symbol(expression, vocabulary), ATOM
    [place] = expression.args
    if is_scale(expression) or is_power_of_e(expression):
        return f"{expression.func}({inside(place, SUM)})", ATOM
    assert vocabulary.is_prefix(expression), expression
    return f"count({str(expression.func)[2:]!r}, {inside(place, SUM)})", ATOM


def _quotient(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    parts = as_fraction(expression, vocabulary)
    top, bottom = _factors(parts.above, vocabulary), _factors(parts.below, vocabulary)
    result = ("-" if parts.negative else "") + ("*".join(top) or "1")
    if bottom:
        result += f"/{bottom[0]}" if len(bottom) == 1 else f"/({'*'.join(bottom)})"
    return result


def _factors(factors: Sequence[sympy.Expr], vocabulary: Vocabulary) -> list[str]:
    return [_bound(*_written(factor, vocabulary), POWER) for factor in factors]


def _power(base: sympy.Expr, exponent: sympy.Expr, vocabulary: Vocabulary) -> tuple[str, int]:
    for name in vocabulary.real:
        if base == vocabulary.unit(name):
            if exponent.is_Add:
                return f"exp({name}*({_written(exponent, vocabulary)[0]}))", ATOM
            return f"exp({_written(vocabulary.parameter(name) * exponent, vocabulary)[0]})", ATOM
    constant = exponent_of(base)
    if constant is not None:
        if constant.is_Rational and exponent.is_Rational:
            return f"exp({constant * exponent})", ATOM
        return f"exp({_bound(str(constant), SUM, POWER)}*{_bound(*_written(exponent, vocabulary), POWER)})", ATOM
    if exponent.is_Rational and exponent < 0:
        return f"1/{_bound(*_power(base, -exponent, vocabulary), POWER)}", PRODUCT
    if exponent == sympy.Rational(1, 2):
        return f"sqrt({number(base, vocabulary)})", ATOM
    if exponent == 1:
        return _written(base, vocabulary)
    if exponent.is_Rational and exponent.q == 2:
        return f"sqrt({number(base, vocabulary)})**{exponent.p}", POWER
    power = _bound(*_written(exponent, vocabulary), ATOM)
    return f"{_bound(*_written(base, vocabulary), ATOM)}**{power}", POWER


def _symbol(symbol: sympy.Symbol, vocabulary: Vocabulary) -> str:
    for name in vocabulary.real:
        if symbol == vocabulary.unit(name):
            return f"exp({name})"
    for letter in vocabulary.alphabet:
        if symbol == vocabulary.total(letter):
            return f"count({letter!r})"
    return str(symbol)


def _statement(statement: Statement, vocabulary: Vocabulary) -> str:
    match statement:
        case Compared(left=left, op=op, right=right):
            return f"{number(left, vocabulary)} {op} {number(right, vocabulary)}"
        case TokenIs(place=place, symbol=symbol, negated=negated):
            return f"{_token(place, vocabulary)} {'!=' if negated else '=='} {symbol!r}"
        case SameToken(left=left, right=right):
            return f"{_token(left, vocabulary)} == {_token(right, vocabulary)}"
        case AnyOf(ways=ways):
            texts = [" and ".join(_statement(part, vocabulary) for part in way) for way in ways]
            return "(" + " or ".join(f"({text})" if " and " in text else text for text in texts) + ")"
    raise TypeError(statement)


def _token(place: sympy.Expr, vocabulary: Vocabulary) -> str:
    return f"w[{number(place, vocabulary)}]"
