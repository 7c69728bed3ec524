"""Members of a family of networks that add, run exactly: what a theorem says of them, and where it is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import gcd

from flint import fmpq

from weightproof.constructions.meaning.interpreter import Vector, layer_steps
from weightproof.constructions.meaning.running import Prediction, predicted
from weightproof.constructions.modular.addition import Adder, Makes, added
from weightproof.constructions.modular.family import all_frequencies, modulus
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate, exactly
from weightproof.proofs.modular.stated import Frequencies
from weightproof.proofs.verdict import Counterexample

MOST_OF_ONE, MOST_OF_SEVERAL = 5, 4
"""Moduli up to which every frequency is run, and every set of them; of greater ones 1 alone, as another one that is
coprime to p permutes residues and outputs."""
BITS = 64
"""Of balls in which it is seen at first whether a network is right; what is decided there is certain."""


def frequency_sets(frequencies: Frequencies, p: int) -> Iterator[tuple[int, ...]]:
    """The frequencies below p of which a theorem speaks, a set at a time."""
    everything = all_frequencies(p) if p <= MOST_OF_ONE or frequencies is Frequencies.ALL else (1,)
    match frequencies:
        case Frequencies.ONE:
            yield from ((k,) for k in everything if gcd(k, p) == 1)
        case Frequencies.ANY:
            yield from ((k,) for k in everything)
        case Frequencies.ALL:
            yield everything
        case Frequencies.SEVERAL if p <= MOST_OF_SEVERAL:
            sets = itertools.chain(*(itertools.combinations(everything, size) for size in everything))
            yield from (each for each in sets if gcd(p, *each) == 1)


@dataclass(frozen=True)
class AdderRun:
    """A network on two residues; ahead: the expected output less the greatest other one."""

    adder: Adder
    word: str
    expected: str
    prediction: Prediction
    ahead: Real

    @property
    def is_right(self) -> bool:
        return self.prediction.token == self.expected and self.prediction.decided

    def attended(self, number: int) -> Vector:
        """The stream at the last position between the heads and the feed-forward network of a layer."""
        network, stream = self.adder.network, self.prediction.streams[number]
        names = {"n": fmpq(len(stream)), "d": fmpq(len(network.coordinates))}
        return layer_steps(network.layers[number], stream, exactly(names))[-1].attended


def run(adder: Adder, word: str, unread: bool = True) -> AdderRun:
    """Run a network on two residues; unread: whether what nothing reads is computed, too, which a trace shows.
    InputError for a word that is not two residues."""
    summands = adder.read(word)
    prediction = predicted(adder.name, adder.network, summands, unread=unread)
    expected = added(adder.modulus, summands)
    outputs = dict(prediction.outputs)
    own = outputs.pop(expected)
    others = iter(outputs.values())
    greatest = next(others)
    for other in others:
        greatest = other if sign(other - greatest) > 0 else greatest
    return AdderRun(adder, word, expected, prediction, own - greatest)


def words(p: int) -> Iterator[str]:
    return (f"{a} {b}" for a in range(p) for b in range(p))


def wrong(adder: Adder) -> Counterexample | None:
    """The first two residues of all whose sum is not the argmax; where there are none, the first for which it is not
    alone."""
    p, *_ = adder.modulus.numbers
    tied = None
    for at in (run(adder, word, unread=False) for word in words(p) if not _is_right(adder, word)):
        if at.prediction.token != at.expected:
            return _counterexample(at, _misread(at))
        tied = at if tied is None and not at.prediction.decided else tied
    return None if tied is None else _counterexample(tied, _misread(tied))


def _is_right(adder: Adder, word: str) -> bool:
    """Whether it is right for certain."""
    summands = adder.read(word)
    try:
        made = predicted(adder.name, adder.network, summands, BITS, unread=False)
    except Undecided:
        return False
    return made.decided and made.token == added(adder.modulus, summands)


def _misread(at: AdderRun) -> str:
    token = at.prediction.token
    tie = "" if at.prediction.decided else ", and others are as great"
    return f"the argmax is {token}{tie}" if token == at.expected else f"the argmax is {token}{tie}, not {at.expected}"


def _counterexample(at: AdderRun, note: str) -> Counterexample:
    p, *frequencies = at.adder.modulus.numbers
    return Counterexample(
        construction=at.adder.name,
        word=at.word,
        parameters={"p": str(p), "k": ",".join(map(str, frequencies))},
        member=True,
        accepts=at.is_right,
        logit=str(at.prediction.outputs[at.prediction.token]),
        note=note,
    )


def members(family: Makes, frequencies: Frequencies, odd: bool, largest: int) -> Iterator[Adder]:
    """Those of the moduli up to the largest, of which a theorem speaks."""
    for p in range(3 if odd else 2, largest + 1, 2 if odd else 1):
        yield from (family(modulus(p, each)) for each in frequency_sets(frequencies, p))


def misread(family: Makes, frequencies: Frequencies, odd: bool, largest: int) -> Counterexample | None:
    """Of the least modulus for which a sum is not the argmax, alone."""
    found = map(wrong, members(family, frequencies, odd, largest))
    return next((each for each in found if each is not None), None)


def other_gap(
    family: Makes, frequencies: Frequencies, odd: bool, equals: Expression, largest: int
) -> Counterexample | None:
    """Of the least modulus for which the least difference is another one than a function of p; the word has it."""
    for adder in members(family, frequencies, odd, largest):
        p, *_ = adder.modulus.numbers
        least = _least(run(adder, word, unread=False) for word in words(p))
        wanted = evaluate(equals, {"p": fmpq(p)})
        if sign(least.ahead - wanted) != 0:
            return _counterexample(least, f"the least difference is {least.ahead}, not {wanted}")
    return None


def _least(runs: Iterator[AdderRun]) -> AdderRun:
    least = next(runs)
    for each in runs:
        least = each if sign(each.ahead - least.ahead) < 0 else least
    return least


def other_value(
    family: Makes, value: Callable[[Prediction, str, str], Real], equals: Expression, largest: int
) -> Counterexample | None:
    """Of the least modulus for which something is another number than a function of a, b, c, k and p."""
    for adder in members(family, Frequencies.ONE, False, largest):
        p, k = adder.modulus.numbers
        for word in words(p):
            at = run(adder, word, unread=False)
            a, b = map(int, word.split())
            for c in range(p):
                numbers = {"a": fmpq(a), "b": fmpq(b), "c": fmpq(c), "k": fmpq(k), "p": fmpq(p)}
                wanted = evaluate(equals, {name: numbers[name] for name in equals.names})
                found = value(at.prediction, str(k), str(c))
                if sign(found - wanted) != 0:
                    return _counterexample(at, f"at c = {c} it is {found}, not {wanted}")
    return None
