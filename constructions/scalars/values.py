"""What expressions and formulas mean, in exact arithmetic: the value of a scalar, the truth of a formula on a word.

Plain enumeration: this is the meaning against which the other readings are tested.
"""

from __future__ import annotations

import ast
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from flint import fmpq

from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.cosines import cosine
from weightproof.constructions.scalars.exact import Real, exp, identity, log, power, sign, sqrt
from weightproof.constructions.scalars.expressions import Domain, Expression, Meaning, fold


def _function(name: str, value: Real) -> Real:
    match name:
        case "cospi" | "sinpi":
            if not isinstance(value, fmpq):
                raise ArithmeticError(f"{name.removesuffix('pi')}(pi*x) is exact only at rational x")
            return cosine((value if name == "cospi" else value - fmpq(1, 2)) / 2)
        case "sqrt" | "log" | "exp":
            return {"sqrt": sqrt, "log": log, "exp": exp}[name](value)
    up, down = exp(value), exp(-value)
    match name:
        case "tanh":
            return (up - down) / (up + down)
        case "sinh":
            return (up - down) / 2
        case "cosh":
            return (up + down) / 2
    raise TypeError(name)


COMPARISONS: dict[str, Callable[[int], bool]] = {
    "==": lambda s: s == 0, "!=": lambda s: s != 0, "<": lambda s: s < 0,
    "<=": lambda s: s <= 0, ">": lambda s: s > 0, ">=": lambda s: s >= 0,
}  # fmt: skip


def _compare(op: str, left: Real, right: Real) -> bool:
    return COMPARISONS[op](sign(left - right))


def _modulo(left: Real, right: Real) -> Real:
    if not isinstance(left, fmpq) or not isinstance(right, fmpq) or right <= 0:
        raise ArithmeticError("% takes a rational and a positive rational")
    quotient = left / right
    return left - right * (quotient.p // quotient.q)


def _power(base: Real, exponent: Real) -> Real:
    if not isinstance(exponent, fmpq) or exponent.q != 1:
        raise ArithmeticError("powers take integer exponents")
    return power(base, int(exponent.p))


def evaluate(scalar: Expression, names: dict[str, Real]) -> Real:
    """The exact value of a scalar; raises KeyError for a name without a value, ArithmeticError outside the domain."""
    return _evaluate(scalar, tuple((name, identity(names[name])) for name in scalar.names))


Given = tuple[tuple[str, Hashable], ...]
"""Names with the identities of their values."""


def _values(given: Given) -> dict[str, Real]:
    return {name: fmpq(*value) if isinstance(value, tuple) else value for name, value in given}


@functools.lru_cache(1 << 14)
def _evaluate(scalar: Expression, given: Given) -> Real:
    """Kept: the same weights and encodings are asked for on every word."""
    value = fold(scalar.tree, _meaning(_values(given)))
    return fmpq(int(value)) if isinstance(value, bool) else value


def _meaning(names: dict[str, Real]) -> Meaning:
    return Meaning(
        number=fmpq,
        name=names.__getitem__,
        function=_function,
        compare=_compare,
        bracket=lambda truth: fmpq(int(truth)),
        conjunction=all,
        disjunction=any,
        negation=lambda truth: not truth,
        modulo=_modulo,
        power=_power,
    )


STEPS_A_FORMULA, STEPS_A_TOKEN = 100, 10
"""Of counted work, to tell whether a formula is true of a word."""


def holds(formula: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> bool:
    """Whether a formula is true of a marked word; `positions` are those that hold a symbol of the alphabet.

    A marker, like a position out of range, holds no symbol: it equals none, but another such position, and counts for
    none. Plain enumeration: this is the meaning of a characterisation, against which its symbolic reading is tested.
    """
    work.spend(STEPS_A_FORMULA + STEPS_A_TOKEN * len(tokens))
    of_word = _word_meaning(names, tokens, alphabet)
    given = tuple((name, identity(names[name])) for name in formula.names if name in names)
    counts = tuple(sorted(Counter(tokens).items()))
    found = [  # a part without a value leaves the whole without one
        _holds_of_counts(part, given, counts, tuple(alphabet)) if of_counts else bool(fold(part, of_word))
        for part, of_counts in formula.conjuncts
    ]
    return all(found)


@functools.lru_cache(1 << 14)
def _holds_of_counts(
    tree: ast.expr, given: Given, counts: tuple[tuple[str, int], ...], alphabet: tuple[str, ...]
) -> bool:
    """Kept: in many words each token is as often, and many theorems speak of the same words."""
    tokens = [token for token, times in counts for _ in range(times)]
    return bool(fold(tree, _word_meaning(_values(given), tokens, alphabet)))


def _word_meaning(names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> Meaning:
    symbols = [token if token in alphabet else None for token in tokens]
    places: dict[Domain, list[fmpq]] = {
        "positions": [fmpq(position) for position, symbol in enumerate(symbols) if symbol is not None],
        "indices": [fmpq(position) for position in range(len(symbols))],
    }

    def token(position: Real) -> str | None:
        inside = isinstance(position, fmpq) and position.q == 1 and 0 <= position < len(symbols)
        return symbols[int(position.p)] if inside else None  # type: ignore[union-attr]

    def count(symbol: str, last: Real | None) -> fmpq:
        if last is None:
            return fmpq(symbols.count(symbol))
        if not isinstance(last, fmpq) or last.q != 1:
            raise ArithmeticError(f"count({symbol!r}, j) takes a whole position j, not {last}")
        return fmpq(symbols[: max(int(last.p) + 1, 0)].count(symbol))

    def compare(op: str, left: Any, right: Any) -> bool:
        if isinstance(left, str | None) or isinstance(right, str | None):
            return bool(left == right) == (op == "==")
        return _compare(op, left, right)

    return replace(
        _meaning({**names, "n": fmpq(len(tokens))}),
        compare=compare,
        token=token,
        count=count,
        for_all=lambda body, domain: all(body(place) for place in places[domain]),
        total=lambda body, domain: sum((body(place) for place in places[domain]), fmpq(0)),
    )


def holds_on_runs(
    formula: Expression, names: dict[str, Real], runs: Sequence[tuple[str, int]], alphabet: Sequence[str]
) -> bool:
    """As `holds`, of a marked word that is too long to be written out: tokens, each with how often it stands there in a
    row. ArithmeticError for a formula that speaks of all positions."""
    work.spend(STEPS_A_FORMULA + STEPS_A_TOKEN * len(runs))
    symbols = [(token if token in alphabet else None, times) for token, times in runs]
    length = sum(times for _, times in runs)

    def token(position: Real) -> str | None:
        if not isinstance(position, fmpq) or position.q != 1 or not 0 <= position < length:
            return None
        ends = itertools.accumulate(times for _, times in symbols)
        return next(symbol for (symbol, _), end in zip(symbols, ends, strict=True) if position < end)

    def count(symbol: str, last: Real | None) -> fmpq:
        if last is not None and (not isinstance(last, fmpq) or last.q != 1):
            raise ArithmeticError(f"count({symbol!r}, j) takes a whole position j, not {last}")
        left, found = length if last is None else max(int(last.p) + 1, 0), 0
        for each, times in symbols:
            found += min(times, left) if each == symbol else 0
            left -= min(times, left)
        return fmpq(found)

    def refused(*_: object) -> NoReturn:
        raise ArithmeticError("a formula about all positions of a word that is too long to be written out")

    counted = replace(
        _word_meaning(names, (), alphabet),
        name={**names, "n": fmpq(length)}.__getitem__,
        token=token,
        count=count,
        for_all=refused,
        total=refused,
    )
    return bool(fold(formula.tree, counted))


def value_on(scalar: Expression, names: dict[str, Real], tokens: Sequence[str], alphabet: Sequence[str]) -> Real:
    """The exact value of a scalar that speaks of a marked word, its brackets read as `holds` reads them."""
    value = fold(scalar.tree, _word_meaning(names, tokens, alphabet))
    return fmpq(int(value)) if isinstance(value, bool) else value
