"""Derivations as LaTeX, for amsmath and amssymb: the twin of `symbolic.writing.plain`.

k_a is the number of symbols a in the word, k_a(i) those at positions 0..i, w_i the token at position i, and I[...] an
Iverson bracket. A value is given in pieces, so that whoever sets it can break it into lines between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy

from weightproof.symbolic.algebra.constants import exponent_of, logarithm_of
from weightproof.symbolic.algebra.iverson import Conditions, Iverson
from weightproof.symbolic.algebra.vocabulary import Vocabulary, is_power_of_e, is_scale
from weightproof.symbolic.derivation import Derivation, ExplicitSum
from weightproof.symbolic.writing.breakable import Cases, Terms, Written
from weightproof.symbolic.writing.hyperbolic import HYPERBOLIC
from weightproof.symbolic.writing.joining import Joined
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
    summand,
    summands,
)

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly a text binds."""

SIGNS = {"==": "=", "!=": r"\ne", "<": "<", "<=": r"\le", ">": ">", ">=": r"\ge"}

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "%": r"\%",
    "#": r"\#",
    "&": r"\&",
    "$": r"\$",
    "^": r"\^{}",
    "~": r"\~{}",
}


EMPTY = r"\varepsilon"
"""The empty word."""


def escaped(text: str) -> str:
    """A text as it is written outside formulas and inside \\texttt."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def label(name: str) -> str:
    """The name of a coordinate, a unit or a token, which means nothing but itself; a blank is seen."""
    return rf"\texttt{{{escaped(name)}}}" if name.strip() or not name else r"\sqcup" * len(name)


GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega",
))  # fmt: skip
"""Names that are one letter in print."""


TAKEN = r"e|[wk]\d+"
"""Names that would be read as something else: Euler's number, a token, a count."""


def identifier(name: str) -> str:
    """A parameter, an explicit sum S1, S2, ..., a word of a claim; no two look alike. A letter with an index or with
    names, words apart, or as it is typed; what is not called by one letter stands upright, or else looks like a
    product."""
    if re.fullmatch(TAKEN, name):
        return rf"\mathtt{{{name}}}"
    letter, index = re.fullmatch(r"(.*?)(\d*)", name).groups()  # type: ignore[union-attr]
    if re.fullmatch("[A-Za-z]", letter) or letter in GREEK:
        base = letter if len(letter) == 1 else rf"\{letter}"
        return f"{base}_{{{index}}}" if index else base
    if re.fullmatch("[A-Za-z]_[A-Za-z]", name):
        return f"{name[0]}_{{{name[2]}}}"
    if re.fullmatch("[A-Za-z](_[A-Za-z][A-Za-z0-9]*)+", name):
        letter, *indices = name.split("_")
        return f"{letter}_{{{', '.join(map(label, indices))}}}"
    if re.fullmatch("[A-Za-z]+(_[A-Za-z]+)*", name):
        return rf"\text{{{name.replace('_', ' ')}}}"
    return rf"\text{{{escaped(name)}}}"


def count(symbol: str, place: str | None = None) -> str:
    """The symbols `symbol` in the word, or at positions up to a place."""
    return f"k_{{{label(symbol)}}}" + ("" if place is None else f"({place})")


def token(place: str) -> str:
    return f"w_{{{place}}}"


def matching(pattern: str) -> str:
    """That the word matches a regular expression, which may be that of the empty word alone."""
    return rf"w \text{{ matches }} {label(pattern) if pattern else EMPTY}"


def indicator(condition: str) -> str:
    return rf"\mathbb{{I}}[{condition}]"


def bound(text: str, binding: int, least: int) -> str:
    """The text, in brackets where it binds less tightly than `least`; they grow with what is high."""
    if binding >= least:
        return text
    return rf"\left({text}\right)" if r"\frac" in text else f"({text})"


def juxtaposed(factors: Sequence[str]) -> str:
    """A product, with a thin space between factors, and with a dot where two would be read as one: before a digit, or
    what may be a function before a bracket."""
    result, before = "", ""
    for factor in factors:
        opens, indexed = factor.startswith(("(", r"\left(")), re.match(r"-?[kR]_\{.*\}$", before)
        if factor[:1].isdigit() or (opens and indexed):
            result += r" \cdot " * bool(result)
        elif before.isdigit() and not factor.startswith("\\"):
            result += " "
        elif result:
            result += r"\,"
        result += factor
        before = factor
    return result


def number(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    """An expression without brackets."""
    return _written(presented(expression, vocabulary), vocabulary)[0]


def polynomial(expression: sympy.Expr, vocabulary: Vocabulary) -> Terms:
    """An expression as it is, in pieces."""
    if not isinstance(expression, sympy.Add):
        return Terms((_written(expression, vocabulary)[0],))
    first, *rest = summands(expression)
    pieces = [_bound(first, PRODUCT, vocabulary)]
    for term in rest:
        minus = term.could_extract_minus_sign()
        pieces.append(("- " if minus else "+ ") + _bound(-term if minus else term, PRODUCT, vocabulary))
    return Terms(tuple(pieces))


def conjunction(texts: Sequence[str]) -> str:
    return r" \land ".join(texts)


def condition(conditions: Conditions, vocabulary: Vocabulary) -> str:
    """A conjunction of conditions; the empty one is "" and always true."""
    texts = sorted(statement(part, vocabulary) for one in conditions for part in statements(one, vocabulary))
    return conjunction(texts)


def terms(iverson: Iverson, vocabulary: Vocabulary) -> Terms:
    """A sum of bracketed terms."""
    result: list[str] = []
    for conditions, coefficient in iverson.terms:
        first, *rest = _term(conditions, coefficient, vocabulary)
        if result:
            first = f"- {first[1:]}" if first.startswith("-") else f"+ {first}"
        result += [first, *rest]
    return Terms(tuple(result) or ("0",))


def value(iverson: Iverson, vocabulary: Vocabulary) -> str:
    """A sum of bracketed terms as one text."""
    return str(terms(iverson, vocabulary))


def written(iverson: Iverson, vocabulary: Vocabulary) -> Written:
    """The value by cases where no two terms hold together, otherwise as a sum."""
    listed = disjoint_cases(iverson, vocabulary)
    if listed is None or len(listed) < 2:
        return terms(iverson, vocabulary)
    texts = [(number(x, vocabulary), conditions) for x, conditions in listed]
    return cases(texts, vocabulary, exhaustive(iverson, vocabulary))


def cases(texts: Sequence[tuple[str, Conditions]], vocabulary: Vocabulary, are_all: bool) -> Written:
    """Texts of values with the conditions under which they hold; where they are not all cases, 0 in the others."""
    rows = [(text, condition(conditions, vocabulary)) for text, conditions in texts]
    if not are_all:
        rows.append(("0", r"\text{otherwise}"))
    return Cases(tuple(rows))


def multiples(counts: Sequence[tuple[sympy.Expr, sympy.Expr]], vocabulary: Vocabulary) -> str:
    """Numbers of positions times the values that are added there."""
    texts = []
    for times, x in counts:
        negative, text = _unsigned(presented(x, vocabulary), vocabulary)
        texts.append((negative, _times(times, text, vocabulary)))
    return added(texts)


def _times(number: sympy.Expr, text: str, vocabulary: Vocabulary) -> str:
    return text if number == 1 else rf"{_one_fraction(number, vocabulary)} \cdot {text}"


def _one_fraction(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    """A number of positions with its denominator under all of it."""
    above, below = sympy.fraction(sympy.together(expression))
    if below == 1:
        return _bound(above, PRODUCT, vocabulary)
    return rf"\frac{{{_written(above, vocabulary)[0]}}}{{{_written(below, vocabulary)[0]}}}"


def over_common_denominator(joined: Joined, vocabulary: Vocabulary) -> str:
    """Products that are not multiplied out, over one line."""
    numerators = ((each, _factors(each.factors, vocabulary, alone=not each.negative)) for each in joined.numerators)
    above = added([_signed(each.negative, juxtaposed(factors) or "1") for each, factors in numerators])
    return rf"\frac{{{above}}}{{{_denominator(joined, vocabulary)}}}"


def over_same_denominator(
    above: Sequence[tuple[sympy.Expr, sympy.Expr]], joined: Joined, vocabulary: Vocabulary
) -> str:
    """Coefficients times products of powers of e, added up over the line of a fraction."""
    texts = []
    for coefficient, power in above:
        negative = coefficient.could_extract_minus_sign()
        times = -coefficient if negative else coefficient
        one = _one_fraction(times, vocabulary)
        texts.append((negative, one if power == 1 else _times(times, _bound(power, PRODUCT, vocabulary), vocabulary)))
    return rf"\frac{{{added(texts)}}}{{{_denominator(joined, vocabulary)}}}"


def _denominator(joined: Joined, vocabulary: Vocabulary) -> str:
    return juxtaposed(_factors(joined.denominator, vocabulary, alone=True))


def _signed(negative: bool, text: str) -> tuple[bool, str]:
    """A sum that is added, and begins with a minus, as one whose first term is subtracted."""
    return (True, text[1:].lstrip()) if not negative and text.startswith("-") else (negative, text)


def addition(parts: Sequence[sympy.Expr], vocabulary: Vocabulary) -> str:
    """Values added up as they are."""
    return added([_unsigned(presented(part, vocabulary), vocabulary) for part in parts])


def added(texts: Sequence[tuple[bool, str]]) -> str:
    """(whether it is subtracted, text) as one sum."""
    (negative, first), *rest = texts
    return ("-" if negative else "") + " ".join([first, *(f"{'-' if less else '+'} {text}" for less, text in rest)])


def _unsigned(expression: sympy.Expr, vocabulary: Vocabulary) -> tuple[bool, str]:
    """Whether a minus sign stands in front of a product, and the text behind it; a sum is in brackets."""
    text = _bound(expression, PRODUCT, vocabulary)
    return (True, text[1:]) if text.startswith("-") else (False, text)


def closed_form(derivation: Derivation) -> str:
    """The logit, and the sums and the scales that it mentions, as one formula."""
    rows = " \\\\\n".join(f"{left} &= {right}" for left, right in equations(derivation))
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


def equations(derivation: Derivation) -> tuple[tuple[str, Written], ...]:
    """What stands on the left and on the right of the logit, and of the sums and the scales that it mentions."""
    vocabulary = derivation.vocabulary
    sums = ((number(symbol, vocabulary), explicit_sum(total, vocabulary)) for symbol, total in derivation.sums.items())
    squares = (
        (rf"{_power(scale, sympy.Integer(-2), vocabulary)[0]}", written(square, vocabulary))
        for scale, square in mentioned_scales(derivation).items()
    )
    return (r"\mathrm{logit}", written(logit(derivation), vocabulary)), *sums, *squares


def factor(iverson: Iverson, vocabulary: Vocabulary) -> str:
    """The value in brackets, unless it is a single symbol or number."""
    text = value(iverson, vocabulary)
    return text if re.fullmatch(r"[\w.]+(_\{[^{}]*(\{[^{}]*\})?\})?", text) else bound(text, SUM, ATOM)


def explicit_sum(total: ExplicitSum, vocabulary: Vocabulary) -> Terms:
    """A sum from its lower to its upper bound; at a marker no token is a symbol."""
    low, high = number(total.lo, vocabulary), number(total.hi, vocabulary)
    return summed(rf"\sum_{{j={low}}}^{{{high}}}", terms(summand(total, vocabulary), vocabulary))


def summed(sign: str, body: Terms) -> Terms:
    """The sum of a body under a sign, with brackets where it has several pieces."""
    first, *rest = body.parts
    if not rest and not first.startswith("-"):
        return Terms((f"{sign} {first}",))
    if not rest:
        return Terms((rf"{sign} \bigl({first}\bigr)",))
    return Terms((rf"{sign} \Bigl({first}", *rest[:-1], rf"{rest[-1]}\Bigr)"))


def statement(one: Statement, vocabulary: Vocabulary) -> str:
    """A condition on numbers or tokens, without a bracket."""
    match one:
        case Compared(left=sympy.Mod(args=(inner, modulus)), op="==", right=sympy.Integer() as rest) if (
            0 <= rest < modulus
        ):
            return congruent(number(inner, vocabulary), int(modulus), str(rest))
        case Compared(left=left, op=op, right=right):
            return f"{number(left, vocabulary)} {SIGNS[op]} {number(right, vocabulary)}"
        case TokenIs(place=place, symbol=symbol, negated=negated):
            return f"{token(number(place, vocabulary))} {SIGNS['!=' if negated else '==']} {label(symbol)}"
        case SameToken(left=left, right=right):
            return f"{token(number(left, vocabulary))} = {token(number(right, vocabulary))}"
        case AnyOf(ways=ways):
            texts = [conjunction([statement(part, vocabulary) for part in way]) for way in ways]
            return "(" + r" \lor ".join(f"({text})" if r"\land" in text else text for text in texts) + ")"
    raise TypeError(one)


def congruent(text: str, modulus: int, rest: str) -> str:
    """That a number leaves `rest`, which is less than the modulus: more is congruent than the rest itself. Even and odd
    in words."""
    words = {(2, "0"): r"\text{ even}", (2, "1"): r"\text{ odd}"}
    return text + words.get((modulus, rest), rf" \equiv {rest} \ (\mathrm{{mod}}\ {modulus})")


LONGEST_NUMERATOR = 6
"""Summands over a line; where there are more, they stand in brackets beside it, where they can be broken."""


def _term(conditions: Conditions, coefficient: sympy.Expr, vocabulary: Vocabulary) -> list[str]:
    """A coefficient with its brackets, in pieces; the first may start with a minus sign."""
    expression = presented(coefficient, vocabulary)
    held = indicator(condition(conditions, vocabulary)) if conditions else ""
    if isinstance(expression, sympy.Add):
        parts = list(polynomial(expression, vocabulary).parts)
        if not held:
            return parts
        return _in_brackets(parts, held) if len(parts) > LONGEST_NUMERATOR else [f"{_sum(parts)}\\,{held}"]
    fraction = as_fraction(expression, vocabulary)
    sign = "-" if fraction.negative else ""
    long = [each for each in fraction.above if isinstance(each, sympy.Add) and len(each.args) > LONGEST_NUMERATOR]
    if long and fraction.below:
        others = [each for each in fraction.above if each is not long[0]]
        over, below = (juxtaposed(_factors(each, vocabulary, alone=True)) for each in (others, fraction.below))
        first, *rest = _in_brackets(list(polynomial(long[0], vocabulary).parts), held)
        return [rf"{sign}\frac{{{over or 1}}}{{{below}}}\,{first}", *rest]
    if not held:
        return [_written(expression, vocabulary)[0]]
    if not fraction.below:
        return [sign + juxtaposed([*_factors(fraction.above, vocabulary), held])]
    above_ = juxtaposed(_factors(fraction.above, vocabulary, alone=True)) or held
    below = juxtaposed(_factors(fraction.below, vocabulary, alone=True))
    return [rf"{sign}\frac{{{above_}}}{{{below}}}" + (rf"\,{held}" if fraction.above else "")]


def _sum(parts: Sequence[str]) -> str:
    return bound(" ".join(parts), SUM, ATOM)


def _in_brackets(parts: Sequence[str], held: str) -> list[str]:
    """Pieces of a sum in brackets that may stand on different lines, and what it is multiplied with."""
    after = rf"\,{held}" if held else ""
    first, *rest = parts
    return [rf"\Bigl({first}", *rest[:-1], rf"{rest[-1]}\Bigr){after}"]


def _bound(expression: sympy.Expr, least: int, vocabulary: Vocabulary) -> str:
    return bound(*_written(expression, vocabulary), least)


def _written(expression: sympy.Expr, vocabulary: Vocabulary) -> tuple[str, int]:
    """The text of an expression, and how tightly it binds."""
    match expression:
        case sympy.Integer():
            return str(expression), ATOM if expression >= 0 else PRODUCT
        case sympy.Add():
            return str(polynomial(expression, vocabulary)), SUM
        case sympy.Mul() | sympy.Rational():
            return _product(expression, vocabulary), PRODUCT
        case sympy.Pow(base=base, exp=exponent):
            return _power(base, exponent, vocabulary)
        case sympy.Mod(args=(dividend, modulus)):
            return rf"{_bound(dividend, POWER, vocabulary)} \bmod {modulus}", PRODUCT
        case sympy.log() | sympy.sinh() | sympy.cosh() | sympy.tanh():
            return rf"\{type(expression).__name__}({number(expression.args[0], vocabulary)})", ATOM
        case sympy.Abs(args=(argument,)):
            return rf"\lvert {number(argument, vocabulary)} \rvert", ATOM
        case sympy.Symbol():
            return _symbol(expression, vocabulary)
    [place] = expression.args
    text = number(place, vocabulary)
    if vocabulary.is_token(expression):
        return token(text), ATOM
    if is_power_of_e(expression):
        return f"e^{{{text}}}", POWER
    if is_scale(expression):
        return f"{identifier(str(expression.func))}({text})", ATOM
    assert vocabulary.is_prefix(expression), expression
    return count(str(expression.func)[2:], text), ATOM


def _product(expression: sympy.Expr, vocabulary: Vocabulary) -> str:
    parts = as_fraction(expression, vocabulary)
    sign = "-" if parts.negative else ""
    if not parts.below:
        return sign + (juxtaposed(_factors(parts.above, vocabulary)) or "1")
    above = juxtaposed(_factors(parts.above, vocabulary, alone=True)) or "1"
    return rf"{sign}\frac{{{above}}}{{{juxtaposed(_factors(parts.below, vocabulary, alone=True))}}}"


def _factors(factors: Sequence[sympy.Expr], vocabulary: Vocabulary, alone: bool = False) -> list[str]:
    """alone: the product stands by itself over or under a line, so that a single factor needs no brackets."""
    least = SUM if alone and len(factors) == 1 else POWER
    return [_bound(each, least, vocabulary) for each in factors]


def _power(base: sympy.Expr, exponent: sympy.Expr, vocabulary: Vocabulary) -> tuple[str, int]:
    for name in vocabulary.real:
        if base == vocabulary.unit(name):
            power = vocabulary.parameter(name) * exponent
            return f"e^{{{_written(power, vocabulary)[0]}}}", POWER
    constant = exponent_of(base)
    if constant is not None:
        return f"e^{{{_written(constant * exponent, vocabulary)[0]}}}", POWER
    if exponent.is_Rational and exponent < 0:
        return rf"\frac{{1}}{{{_power(base, -exponent, vocabulary)[0]}}}", PRODUCT
    if exponent == 1:
        return _written(base, vocabulary)
    if isinstance(base, HYPERBOLIC):
        return rf"\{type(base).__name__}^{{{exponent}}}({number(base.args[0], vocabulary)})", ATOM
    if exponent.is_Rational and exponent.q == 2:
        root = rf"\sqrt{{{number(base, vocabulary)}}}"
        return (root, ATOM) if exponent.p == 1 else (f"{root}^{{{exponent.p}}}", POWER)
    return f"{_bound(base, ATOM, vocabulary)}^{{{_written(exponent, vocabulary)[0]}}}", POWER


def _symbol(symbol: sympy.Symbol, vocabulary: Vocabulary) -> tuple[str, int]:
    for name in vocabulary.real:
        if symbol == vocabulary.unit(name):
            return f"e^{{{identifier(name)}}}", POWER
    for letter in vocabulary.alphabet:
        if symbol == vocabulary.total(letter):
            return count(letter), ATOM
    exponent = exponent_of(symbol)
    if exponent is not None:
        return f"e^{{{_written(exponent, vocabulary)[0]}}}", POWER
    inside = logarithm_of(symbol)
    if inside is not None:
        return rf"\log({_written(inside, vocabulary)[0]})", ATOM
    return identifier(symbol.name), ATOM
