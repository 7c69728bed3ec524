"""Counterexamples: words that the exact interpreter decides otherwise than a theorem says, shortest first.

Candidates may come from anywhere; only the replay makes one a counterexample. Here parameters are tried at a few fixed
values; `critical` tries the values that matter to a word.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

from flint import fmpq

from constructions.exact import Real, ball, evaluate, holds, sign
from constructions.interpreter import InputError, Run, mark, parameter_values, run
from constructions.schema import Construction, Encoder
from proofs.theorem import Margin, OnWords
from proofs.verdict import Counterexample

REAL_SAMPLES = ("log(2)", "log(1001/1000)", "log(1000)")
NATURAL_SAMPLES = ("0", "1", "2", "3")
MOST_WITNESSES, LONGEST_WITNESS = 2_000, 60
"""Words of each kind, and symbols of a word, that are tried for one that satisfies a hypothesis."""
MOST_SAMPLES = 64
"""Combinations of them."""


def words(alphabet: Sequence[str], longest: int, shortest: int = 0) -> Iterator[str]:
    """All words from `shortest` to `longest`, shortest first, in the order of the alphabet."""
    for length in range(shortest, longest + 1):
        for symbols in itertools.product(alphabet, repeat=length):
            yield "".join(symbols)


def samples(construction: Construction) -> list[dict[str, str]]:
    """Parameter values to try: the defaults, then fixed ones inside the domains; of many parameters not every
    combination, but each one changed alone, and all of them together."""
    default = {p.name: str(p.default) for p in construction.parameters}
    options = [REAL_SAMPLES if p.kind == "real" else NATURAL_SAMPLES for p in construction.parameters]
    if math.prod(map(len, options)) <= MOST_SAMPLES:
        combined = [dict(zip(default, values, strict=True)) for values in itertools.product(*options)]
    else:
        alone = [{**default, name: value} for name, values in zip(default, options, strict=True) for value in values]
        longest = max(map(len, options))
        together = [{n: o[k % len(o)] for n, o in zip(default, options, strict=True)} for k in range(longest)]
        combined = alone + together
    result = [default]
    for given in combined:
        try:
            parameter_values(construction, given)
        except InputError:
            continue
        if given not in result:
            result.append(given)
    return result


def counterexample(
    construction: Construction, theorem: OnWords, word: str, parameters: Mapping[str, str]
) -> Counterexample | None:
    """Replay a word exactly; a Counterexample if it satisfies the hypothesis and breaks the theorem.

    An empty input without markers, a sign that cannot be certified, or no value at all, is no counterexample.
    """
    network = construction.network
    assert isinstance(network, Encoder)
    values = parameter_values(construction, parameters)
    tokens = mark(network, word)
    if not tokens or not _in_scope(theorem, tokens, values, construction):
        return None
    try:
        result = run(construction, word, parameters)
        wanted = holds(
            theorem.accepts or construction.language.characterisation, values, tokens, construction.language.alphabet
        )
        note = _broken(theorem, network.readout.accept, result, wanted, {**values, "n": fmpq(len(tokens))})
    except ArithmeticError:
        return None
    if note is None:
        return None
    return Counterexample(construction.name, word, dict(parameters), wanted, result.accepts, text(result.logit), note)


def _broken(theorem: OnWords, rule: str, result: Run, wanted: bool, values: dict[str, Real]) -> str | None:
    """What is wrong with a run, in words where acceptance does not say it; None if nothing is."""
    if not isinstance(theorem, Margin):
        return None if result.accepts == wanted else ""
    if wanted != (theorem.side == "accepted"):
        return None
    if theorem.value is None:
        return f"there is a word of {len(result.tokens)} positions that is to be {theorem.side}"
    least = evaluate(theorem.value, values)
    if _keeps(rule, wanted, result.logit, least):
        return None
    return f"the least |logit| of {theorem.side} words of {len(result.tokens)} positions is not {text(least)}"


def _keeps(rule: str, wanted: bool, logit: Real, least: Real) -> bool:
    """Whether a logit keeps its distance from 0, on the right side."""
    if rule == "logit > 0":
        return sign((logit if wanted else -logit) - least) >= 0
    if wanted:
        return sign(logit) == 0 and sign(least) <= 0
    return sign(logit * sign(logit) - least) >= 0


def _in_scope(theorem: OnWords, tokens: Sequence[str], values: dict[str, Real], construction: Construction) -> bool:
    if not isinstance(theorem, Margin) and theorem.up_to is not None and len(tokens) > theorem.up_to:
        return False
    try:
        return holds(theorem.hypothesis, values, tokens, construction.language.alphabet)
    except ArithmeticError:
        return False


def logit_text(result: Run) -> str:
    return text(result.logit)


def text(value: Real) -> str:
    """A value as an exact rational, or as a ball that contains it."""
    return str(value) if isinstance(value, fmpq) else ball(value).str(20)


def search(construction: Construction, theorem: OnWords, longest: int, shortest: int = 0) -> Counterexample | None:
    """The first counterexample among all words of the lengths, at the sampled parameters."""
    tried = samples(construction)
    for word in words(construction.language.alphabet, longest, shortest):
        for parameters in tried:
            found = counterexample(construction, theorem, word, parameters)
            if found is not None:
                return found
    return None


def witness(construction: Construction, theorem: OnWords, longest: int = 6) -> tuple[str, dict[str, str]] | None:
    """A word and parameters that satisfy the hypothesis: without one the theorem would be vacuous.

    All short words are tried, as long as they are not too many, and of longer ones the plainest.
    """
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    short = itertools.islice(words(alphabet, longest), MOST_WITNESSES)
    long = (_pattern(left, right, n) for n in range(LONGEST_WITNESS + 1) for left in alphabet for right in alphabet)
    for word in itertools.chain(short, itertools.islice(long, MOST_WITNESSES)):
        tokens = mark(network, word)
        for parameters in samples(construction) if tokens else []:
            if _in_scope(theorem, tokens, parameter_values(construction, parameters), construction):
                return word, parameters
    return None


def _pattern(left: str, right: str, length: int) -> str:
    return left * (length // 2) + right * (length - length // 2)
