"""Parameter values and words on which readings of a construction are compared: a few, fixed, and always the same."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.values import evaluate

REAL_SAMPLES = ("log(2)", "log(1001/1000)", "log(1000)")
NATURAL_SAMPLES = ("0", "1", "2", "3")
MOST_SAMPLES = 64
"""Combinations of them."""


def samples(construction: Construction) -> list[dict[str, str]]:
    """Parameter values to try: the defaults, then fixed ones and the least ones inside the domains; of many parameters
    not every combination, but each one changed alone, and all of them together."""
    default = {p.name: str(p.default) for p in construction.parameters}
    options = [_options(p) for p in construction.parameters]
    if math.prod(map(len, options)) <= MOST_SAMPLES:
        tried = [dict(zip(default, values, strict=True)) for values in itertools.product(*options)]
    else:
        alone = [{**default, name: value} for name, values in zip(default, options, strict=True) for value in values]
        longest = max(map(len, options))
        together = [{n: o[k % len(o)] for n, o in zip(default, options, strict=True)} for k in range(longest)]
        tried = alone + together
    return list(inside(construction, [default, *tried]))


def inside(construction: Construction, tried: Iterable[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Parameter values that lie in their domains, each once, in their order."""
    found: list[dict[str, str]] = []
    for given in tried:
        try:
            parameter_values(construction, given)
        except InputError:
            continue
        if given not in found:
            found.append(given)
            yield given


def _options(parameter: Parameter) -> list[str]:
    """Fixed values, and those next to the bound of the domain, which may be outside it."""
    fixed = REAL_SAMPLES if not parameter.is_natural else NATURAL_SAMPLES
    bound, _ = parameter.bound
    near = [bound.source]
    if parameter.is_natural:
        value = evaluate(bound, {})
        near = [str(value.p // value.q + step) for step in range(3)] if isinstance(value, fmpq) else []
    return list(dict.fromkeys((*fixed, *near)))


def words(alphabet: Sequence[str], longest: int | None = None, shortest: int = 0) -> Iterator[str]:
    """All words of `shortest` symbols or more, the shortest first, in the order of the alphabet; longest: how many the
    last ones have, None for words without end."""
    for length in itertools.count(shortest) if longest is None else range(shortest, longest + 1):
        yield from map("".join, itertools.product(alphabet, repeat=length))


EVERY, BEYOND = 40, (48, 56, 64, 80, 100)
"""Symbols up to which every length has a word, and then some lengths."""


def long_words(alphabet: tuple[str, ...], shortest: int = 0) -> Iterator[str]:
    """A word of every length up to EVERY symbols, and of a few more; lengths that are far apart come first, so that
    what is left out for want of time is spread over all of them."""
    random = Random(0)
    for length in (*_coarse_to_fine(shortest), *BEYOND):
        yield "".join(random.choices(alphabet, k=length))


def _coarse_to_fine(shortest: int) -> Iterator[int]:
    coarsest = 16
    for step in (16, 8, 4, 2, 1):
        for length in range(shortest, EVERY + 1):
            if length % step == 0 and (step == coarsest or length % (2 * step)):
                yield length
