"""Derivations as plain text. Every value and every condition is written in the language of `constructions.expressions`,
so that what a reader sees can be read back and evaluated, exactly."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import sympy

from symbolic.derivation import Derivation, ExplicitSum, OverPositions, Quotient, Step
from symbolic.iverson import Condition, Conditions, Iverson, intersect, substitute
from symbolic.linear import Form
from symbolic.vocabulary import Vocabulary, j

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a text binds."""


def number(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    """An expression without brackets."""
    return _written(_presented(expression, vocabulary), vocabulary)[0]


def condition(conditions: Conditions, vocabulary: Vocabulary) -> str:
    """A conjunction of conditions; the empty one is "" and always true."""
    texts = sorted(text for one in conditions for text in _conjuncts(one, vocabulary))
    return " and ".join(texts)


def value(iverson: Iverson, vocabulary: Vocabulary) -> str:
    """A sum of bracketed terms in one line."""
    result = ""
    for conditions, coefficient in iverson.terms:
        text, binding = _written(_presented(coefficient, vocabulary), vocabulary)
        bracket = condition(conditions, vocabulary)
        negative = text.startswith("-") and binding > SUM
        text = text[1:] if negative else text
        if bracket:
            rest = "" if text == "1" else text[1:] if text.startswith("1/") else f"*{_bound(text, binding, PRODUCT)}"
            text = f"({bracket}){rest}"
        if result:
            result += f" - {text}" if negative else f" + {text}"
        else:
            result = f"-{text}" if negative else text
    return result or "0"


def cases(iverson: Iverson, vocabulary: Vocabulary) -> tuple[tuple[str, str], ...] | None:
    """(value, condition) for each term if no two can hold together; where none holds, the value is 0."""
    for (left, _), (right, _) in itertools.combinations(iverson.terms, 2):
        if intersect(left, right) is not None:
            return None
    return tuple((number(x, vocabulary), condition(conditions, vocabulary)) for conditions, x in iverson.terms)


def explicit_sum(total: ExplicitSum, vocabulary: Vocabulary) -> str:
    """A sum over the positions that hold symbols, and what it adds beyond them."""
    first, last = sympy.Integer(vocabulary.first), vocabulary.last
    below, above = first - total.lo, sympy.expand(total.hi - last)
    beyond = [total.lo + step for step in range(max(int(below), 0))] if below.is_Integer else []
    beyond += [last + 1 + step for step in range(max(int(above), 0))] if above.is_Integer else []
    inside = [
        *([] if below.is_Integer and below >= 0 else [f"j >= {number(total.lo, vocabulary)}"]),
        *([] if above.is_Integer and above >= 0 else [f"j <= {number(total.hi, vocabulary)}"]),
    ]
    body = value(total.body, vocabulary)
    if inside:
        body = f"({' and '.join(inside)})*({body})"
    parts = [value(substitute(total.body, {j: place}), vocabulary) for place in beyond]
    return " + ".join([f"sum({body} for j in positions)", *(f"({part})" for part in parts if part != "0")])


def closed_form(derivation: Derivation) -> str:
    """The logit, case by case on lines of their own, and the sums that it mentions."""
    return "\n".join(_closed_form(derivation))


def _closed_form(derivation: Derivation) -> Iterator[str]:
    vocabulary = derivation.vocabulary
    yield from _equation("logit", derivation.logit, vocabulary)
    for symbol, total in derivation.sums.items():
        yield f"where {symbol} = {explicit_sum(total, vocabulary)}"


def steps(derivation: Derivation) -> str:
    """Every recorded step: rule, place, before, after, and what has to be positive for it."""
    blocks = ["\n".join(_step(step, derivation.vocabulary)) for step in derivation.steps]
    sums = [f"{symbol} = {explicit_sum(total, derivation.vocabulary)}" for symbol, total in derivation.all_sums.items()]
    return "\n\n".join([*blocks, *(["\n".join(sums)] if sums else [])])


def _step(step: Step, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"{step.location}: {step.rule}"
    match step.before:
        case OverPositions(summands=summands):
            yield "  sum over the positions in view of"
            for token, summand in summands:
                yield f"    {value(summand, vocabulary)}   at {token}"
        case Quotient(numerator=numerator, denominator=denominator):
            yield f"  {_factor(numerator, vocabulary)}/{_factor(denominator, vocabulary)}"
        case Iverson() as before:
            yield f"  {value(before, vocabulary)}"
    yield from (f"  {line}" for line in _equation("", step.after, vocabulary))
    if step.positive is not None:
        yield f"  because {value(step.positive, vocabulary)} > 0"


def _factor(iverson: Iverson, vocabulary: Vocabulary) -> str:
    text = value(iverson, vocabulary)
    return text if re.fullmatch(r"[\w.]+|count\('\w+'\)", text) else f"({text})"


def _exhaustive(iverson: Iverson, vocabulary: Vocabulary) -> bool:
    """Whether in every word one of the conditions holds."""
    held = Iverson(tuple((conditions, sympy.S.One) for conditions, _ in iverson.terms))
    return not vocabulary.tokens_in_range(Iverson.constant(1) - held, vocabulary.words()).terms


def _equation(name: str, iverson: Iverson, vocabulary: Vocabulary) -> Iterator[str]:
    listed = cases(iverson, vocabulary)
    if listed is None or len(listed) < 2:
        yield f"{name} = {value(iverson, vocabulary)}".lstrip()
        return
    yield f"{name} =".lstrip()
    widest = max(len(text) for text, _ in listed)
    for text, where in listed:
        yield f"  {text:<{widest}}   if {where}"
    if not _exhaustive(iverson, vocabulary):
        yield f"  {'0':<{widest}}   otherwise"


def _presented(expression: sympy.Expr, vocabulary: Vocabulary) -> sympy.Expr:
    """Factored; factors of units alone are multiplied out again, so that e^(2c) - 1 stays in one piece."""
    if any(not power.exp.is_Rational for power in expression.atoms(sympy.Pow)) or expression.has(sympy.log):
        return sympy.factor_terms(expression)
    factored = sympy.factor(expression)
    units = {vocabulary.unit(name) for name in vocabulary.real}
    result = []
    for side in sympy.fraction(factored):
        own = [factor for factor in sympy.Mul.make_args(side) if factor.is_Add or factor.is_Pow]
        alone = [factor for factor in own if factor.free_symbols and factor.free_symbols <= units]
        rest = sympy.Mul(*(factor for factor in sympy.Mul.make_args(side) if factor not in alone))
        result.append((rest, sympy.expand(sympy.Mul(*alone))))
    (above, above_units), (below, below_units) = result
    return sympy.Mul(above, above_units, 1 / below, 1 / below_units, evaluate=True)


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
            terms = sorted(expression.as_ordered_terms(), key=lambda term: term.could_extract_minus_sign())
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
        case sympy.log(args=(argument,)):
            return f"log({inside(argument, SUM)})", ATOM
        case sympy.Abs(args=(argument,)):
            return f"sqrt({inside(argument, ATOM)}**2)", ATOM
        case sympy.Symbol():
            return _symbol(expression, vocabulary), ATOM
    [place] = expression.args
    assert vocabulary.is_prefix(expression), expression
    return f"count({str(expression.func)[2:]!r}, {inside(place, SUM)})", ATOM


def _quotient(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    """A product: negative powers below the line, powers of one unit joined, no sign where a factor can take it."""
    coefficient, factors = expression.as_coeff_mul()
    above, below = [sympy.Integer(abs(coefficient.p))], [sympy.Integer(coefficient.q)]
    negative = coefficient < 0
    exponents: dict[sympy.Expr, sympy.Expr] = {}
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if base in {vocabulary.unit(name) for name in vocabulary.real}:
            exponents[base] = exponents.get(base, sympy.S.Zero) + exponent
        elif exponent.could_extract_minus_sign():
            below.append(base**-exponent)
        else:
            above.append(factor)
    for unit, exponent in exponents.items():
        falls = exponent.is_Rational and exponent < 0
        (below if falls else above).append(unit ** (-exponent if falls else exponent))
    for place, factor in enumerate(above):
        if (
            negative
            and factor.is_Add
            and 2 * sum(t.could_extract_minus_sign() for t in factor.args) >= len(factor.args)
        ):
            above[place], negative = -factor, False
    above.sort(key=lambda factor: bool(factor.free_symbols))
    top, bottom = _factors(above, vocabulary), _factors(below, vocabulary)
    result = ("-" if negative else "") + ("*".join(top) or "1")
    if bottom:
        result += f"/{bottom[0]}" if len(bottom) == 1 else f"/({'*'.join(bottom)})"
    return result


def _factors(factors: Sequence[sympy.Expr], vocabulary: Vocabulary) -> list[str]:
    return [_bound(*_written(factor, vocabulary), POWER) for factor in factors if factor != 1]


def _power(base: sympy.Expr, exponent: sympy.Expr, vocabulary: Vocabulary) -> tuple[str, int]:
    for name in vocabulary.real:
        if base == vocabulary.unit(name):
            if exponent.is_Add:
                return f"exp({name}*({_written(exponent, vocabulary)[0]}))", ATOM
            return f"exp({_written(vocabulary.parameter(name) * exponent, vocabulary)[0]})", ATOM
    text = str(base)
    if base.is_Symbol and text.startswith("exp("):  # the unit of a constant, named by its own expression
        return f"exp({_bound(text[4:-1], SUM, POWER)}*{_bound(*_written(exponent, vocabulary), POWER)})", ATOM
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


def _conjuncts(one: Condition, vocabulary: Vocabulary) -> list[str]:
    tokens = sorted((atom for atom in one.axis.atoms if vocabulary.is_token(atom)), key=str)
    if not tokens:
        return _linear(one, vocabulary)
    if len(one.axis.terms) == 1:
        [token] = tokens
        return [_one_token(token, one, vocabulary)]
    if len(tokens) == len(one.axis.terms) == 2 and (one.lo, one.hi) == (0, 0):
        (_, left), (_, right) = one.axis.terms
        if left + right == 0:
            return [f"{_token(tokens[0], vocabulary)} == {_token(tokens[1], vocabulary)}"]
    return [_by_tokens(tokens, one, vocabulary)]


def _token(token: sympy.Expr, vocabulary: Vocabulary) -> str:
    return f"w[{number(token.args[0], vocabulary)}]"


def _is(token: sympy.Expr, index: int, vocabulary: Vocabulary) -> str:
    name = _token(token, vocabulary)
    if index >= 0:
        return f"{name} == {vocabulary.alphabet[index]!r}"
    return " and ".join(f"{name} != {letter!r}" for letter in vocabulary.alphabet)


def _one_token(token: sympy.Expr, one: Condition, vocabulary: Vocabulary) -> str:
    indices = range(-1, len(vocabulary.alphabet))
    allowed = [index for index in indices if one.covers(index, index)]
    if -1 in allowed:
        excluded = [vocabulary.alphabet[index] for index in indices if index not in allowed]
        return " and ".join(f"{_token(token, vocabulary)} != {letter!r}" for letter in excluded) or "n >= 1"
    return _any([_is(token, index, vocabulary) for index in allowed])


def _by_tokens(tokens: Sequence[sympy.Expr], one: Condition, vocabulary: Vocabulary) -> str:
    """A condition that adds up token indices, by cases of the tokens."""
    ways = []
    for indices in itertools.product(range(-1, len(vocabulary.alphabet)), repeat=len(tokens)):
        known = dict(zip(tokens, indices, strict=True))
        shift = sum(int(factor) * known[atom] for atom, factor in one.axis.terms if atom in known)
        rest = Form(tuple((atom, factor) for atom, factor in one.axis.terms if atom not in known))
        left = Condition(rest, None if one.lo is None else one.lo - shift, None if one.hi is None else one.hi - shift)
        if rest.terms or left.covers(0, 0):
            here = [_is(token, index, vocabulary) for token, index in known.items()]
            ways.append(" and ".join([*here, *(_linear(left, vocabulary) if rest.terms else [])]))
    return _any(ways)


def _any(texts: list[str]) -> str:
    if not texts:
        return "n < 1"
    return (
        texts[0]
        if len(texts) == 1
        else "(" + " or ".join(f"({text})" if " and " in text else text for text in texts) + ")"
    )


def _linear(one: Condition, vocabulary: Vocabulary) -> list[str]:
    """lo <= axis <= hi with only positive terms on either side."""
    left = Form(tuple((atom, factor) for atom, factor in one.axis.terms if factor > 0)).expression()
    right = -Form(tuple((atom, factor) for atom, factor in one.axis.terms if factor < 0)).expression()

    def compared(op: str, bound: int) -> str:
        return f"{number(left, vocabulary)} {op} {number(right + bound, vocabulary)}"

    if one.lo is not None and one.lo == one.hi:
        return [compared("==", one.lo)]
    parts = []
    if one.lo is not None:
        parts.append(compared(">", 0) if one.lo == 1 else compared(">=", one.lo))
    if one.hi is not None:
        parts.append(compared("<", 0) if one.hi == -1 else compared("<=", one.hi))
    return parts
