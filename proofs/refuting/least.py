"""The least |logit| of the words of one length, by trying them all: how a margin that is too small is refuted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.refuting.refute import text, words
from weightproof.proofs.theorem import Margin
from weightproof.proofs.verdict import Counterexample


@dataclass(frozen=True)
class NoWord:
    """No word of `positions` positions is on the side that a margin speaks of."""

    positions: int
    parameters: dict[str, str]


def unattained(
    construction: Construction, theorem: Margin, longest: int, shortest: int = 0
) -> Counterexample | NoWord | None:
    """The first length, up to `longest` symbols, at which the least |logit| is not the margin but more."""
    if theorem.value is None:  # says that there are none
        return None
    for length in range(shortest, longest + 1):
        positions = len(add_markers(construction.encoder, ["?"] * length))
        for parameters in samples(construction) if positions else []:
            try:
                if not _is_in_case(construction, theorem, positions, parameters):
                    continue
                values: dict[str, Real] = {**parameter_values(construction, parameters), "n": fmpq(positions)}
                closest = min(_logits(construction, theorem, length, parameters), key=_Order, default=None)
                if closest is None:
                    return NoWord(positions, parameters)
                word, result = closest
                least = result.logit * sign(result.logit)
                margin = evaluate(theorem.value, values)
                if sign(least - margin) > 0:
                    return Counterexample(
                        construction.name,
                        word,
                        parameters,
                        theorem.of_accepted,
                        result.accepts,
                        text(result.logit),
                        f"the least |logit| of {theorem.side} words of {positions} positions is {text(least)}, "
                        f"not {text(margin)}",
                    )
            except (Undecided, ArithmeticError):
                continue
    return None


def is_in_reach(construction: Construction, theorem: Margin, longest: int) -> bool:
    """Whether the case of a margin has a length up to `longest` symbols, at which it can be seen to be attained."""
    lengths = [len(add_markers(construction.encoder, ["?"] * length)) for length in range(longest + 1)]
    return any(
        _is_in_case(construction, theorem, positions, parameters)
        for positions in lengths
        for parameters in (samples(construction) if positions else [])
    )


def _is_in_case(construction: Construction, theorem: Margin, positions: int, parameters: dict[str, str]) -> bool:
    values: dict[str, Real] = {**parameter_values(construction, parameters), "n": fmpq(positions)}
    try:
        return holds(theorem.hypothesis, values, ["?"] * positions, construction.language.alphabet)
    except ArithmeticError:
        return False


class _Order:
    """Runs in the order of their |logit|, compared exactly."""

    def __init__(self, found: tuple[str, Run]) -> None:
        logit = found[1].logit
        self.value: Real = logit * sign(logit)

    def __lt__(self, other: _Order) -> bool:
        return sign(self.value - other.value) < 0


def _logits(
    construction: Construction, theorem: Margin, length: int, parameters: dict[str, str]
) -> Iterator[tuple[str, Run]]:
    """The runs of the words of a length that are on the side of the theorem."""
    network, language = construction.encoder, construction.language
    values = parameter_values(construction, parameters)
    for word in words(language.alphabet, length, length):
        if (
            holds(language.characterisation, values, add_markers(network, word), language.alphabet)
            == theorem.of_accepted
        ):
            yield word, run(construction, word, parameters, unread=False)
