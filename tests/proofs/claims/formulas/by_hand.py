"""What printed formulas come to, by other means than the judges': Python's own evaluation of fractions, arrays of
zeros, loops, cosines in floating point, and runs of networks."""

from __future__ import annotations

import ast
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from weightproof.constructions.claims.formulas import (
    Adds,
    Always,
    Among,
    Circular,
    Costs,
    Each,
    Factorials,
    Formulaic,
    Heads,
    Needs,
    OfVectors,
    Peak,
    Plus,
    Shaped,
    Shares,
    Sizes,
    Takes,
    Times,
    Transposed,
    Tree,
    Waves,
    Weighs,
)
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN, states
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import decoded_steps
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.quantities.outcome import Difference
from weightproof.proofs.simulation.components import Component, Shown, components

CLOSE = 1e-9
SMALL, LARGE = 4, 12
"""Sizes between which a quotient that grows does so to more than its double."""
NUMBERS: Mapping[str, tuple[Fraction, ...]] = {
    "real": tuple(Fraction(x, 2) for x in (-3, 0, 1, 2, 3)),
    "positive": tuple(Fraction(x, 3) for x in (1, 3, 4)),
    "fraction": tuple(Fraction(x, 5) for x in (0, 1, 3, 5)),
    "integer": tuple(map(Fraction, range(-2, 11))),
    "natural": tuple(map(Fraction, range(1, 10))),
}
VECTORS: Mapping[str, tuple[tuple[Fraction, ...], ...]] = {
    kind: tuple(tuple(map(Fraction, vector)) for vector in vectors)
    for kind, vectors in {
        "real": [(3,), (0,), (2, -1), (1, 1), (0, 3), (1, 2, 4), (-2, 0, 5), (1, 0, 0, 7)],
        "positive": [(1,), (4,), (2, 1), (3, 3), (1, 5, 2)],
        "distribution": [("1",), ("1/3", "2/3"), ("1/5", "4/5"), ("1/2", "1/3", "1/6")],
    }.items()
}  # fmt: skip
FUNCTIONS = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt}


class _Exact(ast.NodeTransformer):
    """Numbers as fractions, so that / divides them."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Call(ast.Name("Fraction", ast.Load()), [node], [])


@functools.cache
def _compiled(source: str) -> Any:
    tree = ast.Expression(_Exact().visit(ast.parse(source, mode="eval").body))
    return compile(ast.fix_missing_locations(tree), source, "eval")


def value(formula: Expression, names: Mapping[str, Any]) -> Any:
    """By Python; ZeroDivisionError, ValueError or NameError where it has no value."""
    return eval(_compiled(formula.source), {"Fraction": Fraction, **FUNCTIONS}, dict(names))


def truth(formula: Expression, names: Mapping[str, Any]) -> bool:
    """Equalities of numbers that are not exact hold where they are close."""
    match ast.parse(formula.source, mode="eval").body:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            a, b = (value(Expression(ast.unparse(side)), names) for side in (left, right))
            near = (isinstance(a, float) or isinstance(b, float)) and abs(a - b) < CLOSE
            return bool(a == b or near) == isinstance(op, ast.Eq)
    return bool(value(formula, names))


def _or_no_value(says: Callable[[], bool]) -> bool:
    try:
        return says()
    except (ZeroDivisionError, ValueError, NameError):
        return False


def _defined(said: OfVectors, vectors: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    size = len(next(iter(vectors.values())))
    entries, names = dict(vectors), {**numbers, said.length: Fraction(size)}
    for name, defined in said.let.items():
        values = [
            value(defined.of, names | {each: entry[place] for each, entry in entries.items()}) for place in range(size)
        ]
        if isinstance(defined, Each):
            entries[name] = values
            continue
        upto = size if defined.upto is None else int(value(defined.upto, names))
        if upto < 0:
            raise ValueError(f"no first {upto} entries")
        names[name] = sum(values[:upto], start=Fraction(0)) / (size if defined.mean else 1)
    return names


def _array(tree: Tree, sizes: Sizes, names: Mapping[str, Any], work: list[int]) -> Any:
    """An array of zeros; work: the multiplications, as they are met. ValueError where something does not fit."""
    match tree:
        case str():
            return np.zeros([int(value(size, names)) for size in sizes.of[tree]])
        case Transposed(of=of):
            return _array(of, sizes, names, work).T
        case Times(factors=factors):
            result, *others = (_array(factor, sizes, names, work) for factor in factors)
            for other in others:
                work.append(result.shape[0] * result.shape[1] * other.shape[1])
                result = result @ other
            return result
        case Plus(terms=terms):
            arrays = [_array(term, sizes, names, work) for term in terms]
            whole = {array.shape for array in arrays if array.ndim == 2}
            if len(whole) > 1:  # numpy would stretch a row
                raise ValueError(f"shapes {whole} are added")
            if {array.shape for array in arrays if array.ndim == 1} - {tuple(shape[1:]) for shape in whole}:
                raise ValueError("a vector is added to rows of another length")
            return sum(arrays[1:], start=arrays[0])
        case Heads(of=of, how_many=how_many, put=put):
            heads = [_array(of, sizes, names, work) for _ in range(int(value(how_many, names)))]
            return np.concatenate(heads, axis=1) if put == "beside" else sum(heads[1:], start=heads[0])
    raise TypeError(tree)


def _with_made(sizes: Sizes, names: Mapping[str, Any]) -> dict[str, Any]:
    return {**names, **{name: value(made, names) for name, made in sizes.where.items()}}


def _free(sizes: Sizes, *formulas: Expression) -> list[str]:
    every = [*formulas, *(size for each in sizes.of.values() for size in each), *sizes.where.values()]
    return sorted(frozenset().union(*(each.names for each in every)) - set(sizes.where))


def _tree_sizes(tree: Tree) -> list[Expression]:
    match tree:
        case Heads(of=of, how_many=how_many):
            return [how_many, *_tree_sizes(of)]
        case Times(factors=parts) | Plus(terms=parts):
            return [size for part in parts for size in _tree_sizes(part)]
        case Transposed(of=of):
            return _tree_sizes(of)
    return []


def _fits(said: Shaped, names: Mapping[str, Any]) -> bool:
    names = _with_made(said.sizes, names)
    try:
        found = _array(said.tree, said.sizes, names, []).shape
    except ValueError:
        return False
    return bool(found == (value(said.rows, names), value(said.columns, names)))


def _ratio(said: Costs, size: int) -> list[float]:
    """Of the work to the bound, where the sizes that grow do so one by one, two by two, and so on."""
    free = _free(said.sizes, said.bound, *(size for tree in said.trees for size in _tree_sizes(tree)))
    found = []
    for count in range(1, len(said.growing) + 1):
        for chosen in itertools.combinations(said.growing, count):
            names = _with_made(said.sizes, {name: Fraction(size if name in chosen else 1) for name in free})
            work: list[int] = []
            for tree in said.trees:
                _array(tree, said.sizes, names, work)
            found.append(sum(work) / float(value(said.bound, names)))
    return found


def _waves(waves: Waves, at: Mapping[str, float]) -> float:
    return sum(
        coefficient
        * math.prod(getattr(math, w.function)(sum(k * at[name] for name, k in w.angles.items())) for w in product)
        for coefficient, product in waves
    )


def _angles(said: Circular) -> list[str]:
    return sorted(
        {name for side in (said.left, said.right) for _, product in side for w in product for name in w.angles}
    )


def _weight(of: Factorials, s: int, h: int) -> Fraction:
    """ValueError for a factorial of a number below 0, TypeError for that of a fraction."""
    parts = []
    for part in (of.over, of.under):
        numbers = [value(each, {"s": Fraction(s), "h": Fraction(h)}) for each in part]
        if any(number.denominator != 1 for number in numbers):
            raise ValueError(f"factorials of {numbers}")
        parts.append(math.prod(math.factorial(int(number)) for number in numbers))
    return Fraction(*parts)


def _dealt(weight: Factorials, h: int, v: Callable[[frozenset[int]], int]) -> Fraction:
    """The shares of all elements, each a sum over the subsets without it."""
    subsets = [frozenset(each) for s in range(h) for each in itertools.combinations(range(h), s)]
    return sum(
        (
            _weight(weight, len(each), h) * (v(each | {i}) - v(each))
            for i in range(h)
            for each in subsets
            if i not in each
        ),
        start=Fraction(0),
    )


def borne_out(said: Formulaic) -> bool:
    """Whether a statement is right wherever it is tried."""
    return all(_or_no_value(each) for each in _tried(said))


def _tried(said: Formulaic) -> Iterator[Callable[[], bool]]:
    match said:
        case Always():
            for values in itertools.islice(itertools.product(*(NUMBERS[kind] for kind in said.over.values())), 3_000):
                names = dict(zip(said.over, values, strict=True))
                if _or_no_value(functools.partial(truth, said.given, names)):
                    yield functools.partial(truth, said.says, names)
        case OfVectors():
            for vectors, numbers in _vectors(said):
                yield lambda v=vectors, n=numbers: truth(said.says, _defined(said, v, n))  # type: ignore[misc]
        case Shaped():
            free = _free(said.sizes, said.rows, said.columns, *_tree_sizes(said.tree))
            for values in itertools.islice(itertools.product((2, 1, 3), repeat=len(free)), 300):
                yield functools.partial(_fits, said, dict(zip(free, map(Fraction, values), strict=True)))
        case Costs():
            yield lambda: all(b <= 2 * a for a, b in zip(_ratio(said, SMALL), _ratio(said, LARGE), strict=True))
        case Circular():
            for values in itertools.product((0.3, 1.1, -2.0), repeat=len(_angles(said))):
                at = dict(zip(_angles(said), values, strict=True))
                yield lambda at=at: abs(_waves(said.left, at) - _waves(said.right, at)) < CLOSE  # type: ignore[misc]
        case Peak(modulus=m, without=without):
            chosen = [k for k in range(2 * m + 1) if k % m not in without]
            yield lambda: bool(chosen)
            for k in chosen:
                yield lambda k=k: all(math.cos(2 * math.pi * k * x / m) < 1 - CLOSE for x in range(1, m))  # type: ignore[misc]
        case Adds(term=term, total=total):
            for k in range(40):
                terms = [value(term, {"i": Fraction(i)}) for i in range(1, k + 1)]
                yield lambda k=k, t=terms: value(total, {"k": Fraction(k)}) == sum(t)  # type: ignore[misc]
        case Among(entries=entries, allowed=allowed, over=over):
            for values in itertools.product(range(1, 6), repeat=len(over)):
                names = dict(zip(over, map(Fraction, values), strict=True))
                there = {entry for entry, condition in entries.items() if truth(condition, names)}
                yield lambda there=there: there <= set(allowed)  # type: ignore[misc]
        case Weighs(left=left, right=right):
            for h in range(1, 10):
                for s in range(h):
                    yield lambda s=s, h=h: _weight(left, s, h) == _weight(right, s, h)  # type: ignore[misc]
        case Shares(weight=weight):
            for h in range(1, 6):
                for v in (len, lambda each: sum(3**i for i in each) % 7, lambda each: len(each) * max(each, default=0)):
                    yield lambda h=h, v=v: _dealt(weight, h, v) == v(frozenset(range(h)))  # type: ignore[misc]
        case Needs(component=name, role=role):
            yield lambda: (role == "essential") != bool(_without(name)) or (";" in name and bool(_impossible(name)))
            for made in _without(name):
                yield lambda made=made: _runs_like_its_network(made)  # type: ignore[misc]
        case Takes(of=of, at_most=at_most, positions=positions):
            for n in range(1, 6) if positions is None else (positions,):
                yield lambda n=n: of != "input" and value(at_most, {"p": Fraction(2**n)}) >= len(_subsets(n))  # type: ignore[misc]


def _subsets(n: int) -> list[tuple[int, ...]]:
    """Of n positions, those that are not empty: so many means of n values there are."""
    return [each for size in range(1, n + 1) for each in itertools.combinations(range(n), size)]


def _component(name: str) -> Component:
    return next(each for each in components() if each.name == name)


def _impossible(name: str) -> tuple[Shown, ...]:
    return _component(name).impossible


def _without(name: str) -> list[Callable[[RNN], Simulation]]:
    """Networks without it, or without one of a pair."""
    return [each.made for each in _component(name).without if each.made is not None]


NUMBERS_OF_AN_RNN = {"W_h1_h1": "1/2", "W_h1_x1": "1/3", "b_h1": "1/5", "f_a_x1": "1"}


def _runs_like_its_network(made: Callable[[RNN], Simulation]) -> bool:
    """On short words, some steps long."""
    rnn = numbered(every_rnn(1, 1, 1), NUMBERS_OF_AN_RNN)
    for word in ("", "a", "aa"):
        runs = zip(states(rnn, word), decoded_steps(made(rnn).network, word), strict=False)
        if any(state["h1"] != step.output["h1"] for state, step in itertools.islice(runs, 6)):
            return False
    return True


def _vectors(said: OfVectors) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for size in (1, 2, 3, 4):
        choices = [[v for v in VECTORS[kind] if len(v) == size] for kind in said.vectors.values()]
        for vectors in itertools.product(*choices):
            for numbers in itertools.product(*(NUMBERS[kind] for kind in said.numbers.values())):
                yield dict(zip(said.vectors, vectors, strict=True)), dict(zip(said.numbers, numbers, strict=True))


def breaks(said: Formulaic, difference: Difference) -> bool:
    """Whether a statement is false where the difference says."""
    names: dict[str, Any] = {name: _read(text) for name, text in difference.parameters.items()}
    match said:
        case Always():
            admissible = _or_no_value(lambda: truth(said.given, names)) and all(
                _is_one(names[name], kind) for name, kind in said.over.items()
            )
            return admissible and not _or_no_value(lambda: truth(said.says, names))
        case OfVectors():
            vectors = {name: names[name] for name in said.vectors}
            numbers = {name: names[name] for name in said.numbers}
            same = len({len(vector) for vector in vectors.values()}) == 1
            return same and not _or_no_value(lambda: truth(said.says, _defined(said, vectors, numbers)))
        case Shaped():
            free = _free(said.sizes, said.rows, said.columns, *_tree_sizes(said.tree))
            return not _fits(said, {name: names.get(name, Fraction(2)) for name in free})
        case Costs():
            free = _free(said.sizes, said.bound, *(size for tree in said.trees for size in _tree_sizes(tree)))
            at_sizes = _with_made(said.sizes, {name: names.get(name, Fraction(2)) for name in free})
            try:
                for tree in said.trees:
                    _array(tree, said.sizes, at_sizes, [])
            except ValueError:  # it does not fit
                return True
            return any(b > 2 * a for a, b in zip(_ratio(said, SMALL), _ratio(said, LARGE), strict=True))
        case Circular():
            at = {
                name: math.atan2(names.get(f"sin({name})", 0), names.get(f"cos({name})", 1)) for name in _angles(said)
            }
            return abs(_waves(said.left, at) - _waves(said.right, at)) > CLOSE
        case Peak(modulus=m, without=without):
            k, x = int(names["k"]), int(names["x"])
            return k % m not in without and x % m != 0 and math.cos(2 * math.pi * k * x / m) > 1 - CLOSE
        case Adds(term=term, total=total):
            k = int(names["k"])
            return not _or_no_value(
                lambda: value(total, names) == sum(value(term, {"i": Fraction(i)}) for i in range(1, k + 1))
            )
        case Needs(component=name, role=role):
            single = ";" not in name
            if role == "essential":
                return single and all(map(_runs_like_its_network, _without(name))) and bool(_without(name))
            return bool(_impossible(name)) and not (single and _without(name))
        case Takes(of=of, at_most=at_most):
            n = int(names["n"])
            return of == "input" or value(at_most, {"p": Fraction(2**n)}) < len(_subsets(n))
        case Among(entries=entries, allowed=allowed):
            return difference.found not in allowed and truth(entries[difference.found], names)
        case Weighs(left=left, right=right):
            s, h = int(names["s"]), int(names["h"])
            return 0 <= s < h and not _or_no_value(lambda: _weight(left, s, h) == _weight(right, s, h))
        case Shares(weight=weight):
            one, h = frozenset(range(int(names["s"]))), int(names["h"])
            whole = Fraction(len(one) == h)
            return 0 < len(one) <= h and not _or_no_value(lambda: _dealt(weight, h, lambda each: each == one) == whole)
    raise TypeError(said)


def _is_one(number: Fraction, kind: str) -> bool:
    return {
        "real": True,
        "positive": number > 0,
        "fraction": 0 <= number <= 1,
        "integer": number.denominator == 1,
        "natural": number.denominator == 1 and number >= 1,
    }[kind]


def _read(text: str) -> Any:
    if text.startswith("("):
        return tuple(map(Fraction, text.strip("()").split(", ")))
    return Fraction(text)
