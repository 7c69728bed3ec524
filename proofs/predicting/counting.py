"""Words that are too long to be written out, with a run of 2^k equal symbols: what is predicted after one, and a search
for one after which a theorem is wrong.

Only of networks that see counts alone (`constructions.meaning.counting`). The interpreter, which goes through a word
position by position, has not run these: `Counterexample.counted` says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from flint import ctx

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import BITS, Runs, counted, sees_counts
from weightproof.constructions.meaning.interpreter import mark, parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars import work
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import holds_on_runs
from weightproof.proofs.predicting.parts import Part
from weightproof.proofs.predicting.replaying import counterexample, right_tokens
from weightproof.proofs.quantities.subject import Subject
from weightproof.proofs.refuting.critical import relations, settings
from weightproof.proofs.theorem import Predicts
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

LARGEST = 1 << 12
"""The greatest k."""
LONGEST = 2
"""Symbols beside those of the run."""


@dataclass(frozen=True)
class Long:
    """A word, and before one of its indices a run of a symbol."""

    word: tuple[str, ...]
    place: int
    symbol: str

    def marked(self, network: Encoder, k: int) -> Runs:
        """With 2^k symbols in the run, between the markers of a network."""
        ones = [(token, 1) for token in mark(network, self.word)]
        place = self.place + int(network.begin is not None)
        return (*ones[:place], (self.symbol, 2**k), *ones[place:])

    def shown(self, k: int) -> str:
        return f"{''.join(self.word[: self.place])}{self.symbol}{{2^{k}}}{''.join(self.word[self.place :])}"


def search(subject: Subject, theorem: Predicts, part: Part, end: float) -> Counterexample | None:
    """A counterexample with a run of 2^k equal symbols, at the values of parameters that are critical to one of the
    statements of a part; end: as `work.seconds` tells it, after which no further word is tried."""
    if not sees_counts(subject.network):
        return None
    tried = _settings(subject, part)
    for long in _long_words(subject.alphabet):
        for parameters in tried:
            if work.seconds() > end:
                return None
            found = _at_least_k(subject.construction, theorem, long, parameters)
            if found is not None:
                return found
    return None


def _long_words(alphabet: Sequence[str]) -> Iterator[Long]:
    for length in range(LONGEST + 1):
        for word in itertools.product(alphabet, repeat=length):
            yield from itertools.starmap(partial(Long, word), itertools.product(range(length + 1), alphabet))


def _settings(subject: Subject, part: Part) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for other in part.others:
        pair = subject.output(part.token, other)
        derivation = pair.attempt()
        if isinstance(derivation, Derivation):
            try:
                found += settings(pair.construction, relations(part.compares(other), derivation))
            except (Underivable, ValueError):  # a formula that only the interpreter reads
                continue
    return [given for place, given in enumerate(found) if given not in found[:place]]


def _at_least_k(
    construction: Construction, theorem: Predicts, long: Long, parameters: Mapping[str, str]
) -> Counterexample | None:
    """If the longest run is wrong, a shorter one, by bisection."""
    wrong = partial(misprediction, construction, theorem, long, parameters)
    least, most, best = 0, LARGEST, wrong(LARGEST)
    while best is not None and most - least > 1:
        middle = (least + most) // 2
        found = wrong(middle)
        least, most, best = (middle, most, best) if found is None else (least, middle, found)
    return best


def misprediction(
    construction: Construction, theorem: Predicts, long: Long, parameters: Mapping[str, str], k: int
) -> Counterexample | None:
    """As of a word that is run (`replaying.misprediction`), but counted; None, too, where balls do not tell."""
    network, language = construction.network, construction.language
    assert isinstance(network, Encoder)
    values, runs = parameter_values(construction, parameters), long.marked(network, k)

    def holds(formula: Expression) -> bool:
        return holds_on_runs(formula, values, runs, language.alphabet)

    try:
        if not holds(theorem.hypothesis):
            return None
        for right, wanted in right_tokens(construction, theorem, holds):
            found = counted(network, runs, values)
            if wanted != (found.decided and found.token == right):
                with ctx.workprec(BITS):
                    wrong = counterexample(construction, long.shown(k), parameters, right, found)
                return replace(wrong, bits=BITS, counted=True)
    except ArithmeticError:
        pass
    return None
