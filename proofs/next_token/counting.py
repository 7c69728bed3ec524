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
from weightproof.constructions.meaning.counting import BITS, Runs, read_runs, sees_runs
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, ranked
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.next_token.replaying import counterexample, is_predicted, right_tokens
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting.critical import relations, settings
from weightproof.proofs.refuting.long import symbols_in, true_on_runs, written
from weightproof.proofs.theorem import Part, Predicts
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

GREATEST_K = 1 << 12
"""The greatest k."""
LONGEST_BESIDE, MOST_TRIED = 2, 3_000
"""Symbols beside those of the run, and words at parameter values that are tried."""


@dataclass(frozen=True)
class Long:
    """A word, and before one of its indices a run of a symbol."""

    word: tuple[str, ...]
    place: int
    symbol: str

    def marked(self, network: Encoder, k: int) -> Runs:
        """With 2^k symbols in the run, between the markers of a network."""
        ones = [(token, 1) for token in add_markers(network, self.word)]
        place = self.place + int(network.begin is not None)
        return (*ones[:place], (self.symbol, 2**k), *ones[place:])

    def symbols(self, k: int) -> int:
        return len(self.word) + 2**k

    def shown(self, k: int) -> str:
        return f"{''.join(self.word[: self.place])}{self.symbol}{{2^{k}}}{''.join(self.word[self.place :])}"


def search(analysis: Analysis, theorem: Predicts, part: Part) -> Counterexample | None:
    """A counterexample with a run of 2^k equal symbols, at the values of parameters that are critical to one of the
    statements of a part, among the first MOST_TRIED."""
    if not sees_runs(analysis.network):
        return None
    tried = _settings(analysis, part)
    for long, parameters in itertools.islice(itertools.product(_long_words(analysis.alphabet), tried), MOST_TRIED):
        found = _at_least_k(analysis.construction, theorem, long, parameters)
        if found is not None:
            return found
    return None


def _long_words(alphabet: Sequence[str]) -> Iterator[Long]:
    for length in range(LONGEST_BESIDE + 1):
        for word in itertools.product(alphabet, repeat=length):
            yield from itertools.starmap(partial(Long, word), itertools.product(range(length + 1), alphabet))


def _settings(analysis: Analysis, part: Part) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for other in part.others:
        pair = analysis.output(part.token, other)
        derivation = pair.maybe_derived()
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
    least, most, best = 0, GREATEST_K, wrong(GREATEST_K)
    while best is not None and most - least > 1:
        middle = (least + most) // 2
        found = wrong(middle)
        least, most, best = (middle, most, best) if found is None else (least, middle, found)
    return best


def misprediction(
    construction: Construction, theorem: Predicts, long: Long, parameters: Mapping[str, str], k: int
) -> Counterexample | None:
    """As of a word that is run (`replaying.misprediction`), but counted; None, too, where balls do not tell."""
    wrong = misprediction_in_runs(construction, theorem, long.marked(construction.encoder, k), parameters)
    return None if wrong is None else replace(wrong, word=long.shown(k), symbols=long.symbols(k))


def misprediction_in_runs(
    construction: Construction, theorem: Predicts, tokens: Runs, parameters: Mapping[str, str]
) -> Counterexample | None:
    """The same of the runs of a marked word."""
    network, values = construction.encoder, parameter_values(construction, parameters)

    def holds(formula: Expression) -> bool:
        return true_on_runs(construction, formula, values, tokens)

    try:
        if not holds(theorem.hypothesis):
            return None
        for right, wanted in right_tokens(construction, theorem, holds):
            with ctx.workprec(BITS):
                found = ranked(network.readout, (), (), read_runs(network, tokens, values, BITS))
                if wanted != is_predicted(found, right):
                    symbols = tokens[int(network.begin is not None) : len(tokens) - int(network.end is not None)]
                    wrong = counterexample(construction, written(symbols), parameters, right, found, BITS)
                    return replace(wrong, symbols=symbols_in(symbols))
    except ArithmeticError:
        pass
    return None
