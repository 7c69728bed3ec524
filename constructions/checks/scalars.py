"""What is wrong with a scalar or a formula that stands in a construction, a theorem or a claim.

Each generator yields what is wrong and may rely on nothing being wrong before, as in `validation`.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Collection, Iterator, Mapping

from flint import fmpq

from weightproof.constructions.scalars.cosines import Cosines
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.expressions import kind as kind_of
from weightproof.constructions.scalars.grammar import expression, quoted, symbols_of
from weightproof.constructions.scalars.irrational import Irrational
from weightproof.constructions.scalars.values import evaluate

Known = Mapping[str, Real | None]
"""Names that a scalar may use, with their values: the width, and the parameters at their defaults; None where there is
none, as for positions."""
MOST_DIGITS = 1_000
"""Of each integer that stands in a value."""


TRUTHS = frozenset({"so_far"})
"""The names that are true or false; every other one is a number."""


def scalar_problems(value: object, names: Collection[str] | Known, place: str) -> Iterator[str]:
    """A scalar that does not speak of the word; where all its names are known by value, it has one itself."""
    yield from _expression(value, names, None, place)
    if isinstance(names, Mapping) and (said := _without_value(expression(value), names)) is not None:
        yield f"{place}: {said}"


def value_problems(value: object, names: Collection[str], alphabet: tuple[str, ...], place: str) -> Iterator[str]:
    """A scalar that may speak of the word."""
    yield from _expression(value, names, alphabet, place)


def formula_problems(
    value: object, names: Collection[str], alphabet: tuple[str, ...] | None, place: str
) -> Iterator[str]:
    """What is wrong with a statement about a word; names are those that it may use."""
    yield from _expression(value, names, alphabet, place)
    tree = expression(value).tree
    if kind_of(tree) != "truth" and not (isinstance(tree, ast.Name) and tree.id in TRUTHS):
        yield f"{place}: {value} is neither true nor false; write a comparison"


def _expression(value: object, names: Collection[str], alphabet: tuple[str, ...] | None, place: str) -> Iterator[str]:
    try:
        read = expression(value)
        unknown = sorted(read.names - set(names))
        spoken = symbols_of(read.tree)
    except ExpressionError as error:
        yield f"{place}: {error}"
        return
    if unknown:
        yield f"{place}: {read} uses {', '.join(unknown)}, but may use only {', '.join(sorted(names)) or 'numbers'}"
    if alphabet is None and spoken is not None:
        yield f"{place}: {read} speaks of the word, which a weight does not see"
    for symbol in sorted((spoken or frozenset()) - set(alphabet or ())):
        yield f"{place}: {read} speaks of {symbol!r}, which is no symbol of the alphabet"
    for name in _used_as_truths(read):
        if name not in TRUTHS:
            yield f"{place}: {read} uses {name} as if it were true or false; write a comparison"


def _without_value(scalar: Expression, known: Known) -> str | None:
    """What is wrong with the value of a scalar; None where nothing is, or where not all of its names have a value."""
    values = {name: value for name in scalar.names if (value := known.get(name)) is not None}
    if len(values) < len(scalar.names):
        return None
    where = "".join(
        f" at {name} = {value}" for name, value in sorted(values.items()) if not isinstance(value, Irrational | Cosines)
    )
    try:
        digits = _longest(evaluate(scalar, values)) * 3 // 10
    except Undecided:  # of a divisor, say: no reason to refuse it
        return None
    except ZeroDivisionError:
        return f"{quoted(scalar.source)} has no value{where}: division by zero"
    except ArithmeticError as error:
        return f"{quoted(scalar.source)} has no value{where}: {error}"
    if digits > MOST_DIGITS:
        return f"{quoted(scalar.source)} is a number of some {digits} digits{where}; at most {MOST_DIGITS} are read"
    return None


def is_negative(scalar: Expression, known: Known) -> bool:
    """Whether a scalar that is well formed is certain to be negative."""
    if any(known.get(name) is None for name in scalar.names):
        return False
    try:
        return sign(evaluate(scalar, {name: value for name in scalar.names if (value := known[name]) is not None})) < 0
    except Undecided:
        return False


def _longest(value: Real) -> int:
    """The bits of the longest integer in a value."""
    if isinstance(value, Cosines):
        return max(max(_longest(turn), _longest(x)) for turn, x in value.terms)
    if isinstance(value, fmpq):
        return int(max(value.p.bit_length(), value.q.bit_length()))
    assert isinstance(value, Irrational)
    found = [0]
    for monomial, coefficient in (*value.numerator, *value.denominator):
        found.append(_longest(coefficient))
        for generator, exponent in monomial:
            found.append(exponent.bit_length() if isinstance(exponent, int) else _longest(exponent))
            found.append(_longest(generator.argument))
    return max(found)


@functools.lru_cache(maxsize=4096)
def _used_as_truths(read: Expression) -> tuple[str, ...]:
    """Names that stand where a truth value is needed."""
    found: list[str] = []
    for node in ast.walk(read.tree):
        match node:
            case ast.BoolOp(values=parts):
                pass
            case ast.UnaryOp(op=ast.Not(), operand=part) | ast.GeneratorExp(elt=part):
                parts = [part]
            case _:
                continue
        found += (part.id for part in parts if isinstance(part, ast.Name))
    return tuple(found)
