"""Margins on words that are run: the least |logit| of the words of one length, by trying them all, which refutes one
that is too small; and the words that are said to attain one, length after length: whether there is one for each n of
the case, on the side of the theorem, and whether its |logit| is the margin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import fmpq

from weightproof.constructions.languages.samples import samples, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import difference, evaluate
from weightproof.proofs.refuting.long import LONGEST_RUN
from weightproof.proofs.refuting.refute import ENOUGH, below_zero, certain, text
from weightproof.proofs.theorem import PROVER, Margin
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
                values = _in_case(construction, theorem, positions, parameters)
                if values is None:
                    continue
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
        _in_case(construction, theorem, positions, parameters) is not None
        for positions in lengths
        for parameters in (samples(construction) if positions else [])
    )


def _in_case(
    construction: Construction, theorem: Margin, positions: int, parameters: dict[str, str]
) -> dict[str, Real] | None:
    """The values of n and the parameters; None where these are not for certain in the case of a margin."""
    values: dict[str, Real] = {**parameter_values(construction, parameters), "n": fmpq(positions)}
    try:
        inside = holds(theorem.hypothesis, values, ["?"] * positions, construction.language.alphabet)
    except ArithmeticError:
        return None
    return values if inside else None


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


LONGEST_CASE, RUN = 40, 3
"""Positions up to which it is looked whether there is such a word, and how many lengths of the case are run."""


@dataclass(frozen=True)
class NoFamily:
    """The words that are named do not make one word for each n of the case."""

    reason: str


def misattained(construction: Construction, theorem: Margin) -> Counterexample | NoFamily | None:
    """The first n of the case for which there is no such word, or at which it does not attain the margin; None where
    neither is found."""
    if theorem.value is None or theorem.attained is None:
        return None
    markers, are_run = len(add_markers(construction.encoder, ["?"])) - 1, set[int]()
    for n in range(max(markers, 1), LONGEST_CASE + 1):
        for parameters in samples(construction):
            try:
                values = _in_case(construction, theorem, n, parameters)
                if values is None:
                    continue
                if len(are_run) < RUN:
                    are_run.add(n)
                word = _word(theorem, values, n - markers)
                if isinstance(word, NoFamily):
                    return NoFamily(f"attained: at n = {n}{_at(parameters)} {word.reason}")
                found = _wrong(construction, theorem, word, parameters, values) if n in are_run else None
            except (Undecided, ArithmeticError):
                continue
            if found is not None:
                return found
    return None


def misattained_at(
    construction: Construction, theorem: Margin, positions: int, parameters: Mapping[str, str]
) -> Counterexample | None:
    """What is wrong with the word of so many positions, as a countermodel names them; None where nothing is, where it
    is not in the case, or too long to be run."""
    given = {p.name: str(p.default) for p in construction.parameters} | dict(parameters)
    room = positions - len(add_markers(construction.encoder, ["?"])) + 1
    if theorem.attained is None or room > LONGEST_RUN:
        return None
    try:
        values = _in_case(construction, theorem, positions, given)
        if values is None:
            return None
        word = _word(theorem, values, room)
        return None if isinstance(word, NoFamily) else _wrong(construction, theorem, word, given, values)
    except (InputError, ArithmeticError):  # outside a parameter's domain, or a sign that is not certain
        return None


def _at(parameters: Mapping[str, str]) -> str:
    return "".join(f", {name} = {value}" for name, value in parameters.items())


def _word(theorem: Margin, values: dict[str, Real], room: int) -> str | NoFamily:
    """The word, which has to be of `room` symbols."""
    made = ""
    for word, repeated in theorem.attained or ():
        times = evaluate(repeated, values)
        if not isinstance(times, fmpq) or times.q != 1 or times < 0:
            return NoFamily(f"{word!r} would be repeated {text(times)} times")
        made += word * int(times.p)
    return made if len(made) == room else NoFamily(f"they make {len(made)} symbols, and there are {room}")


def _wrong(
    construction: Construction, theorem: Margin, word: str, parameters: dict[str, str], values: dict[str, Real]
) -> Counterexample | None:
    network, language = construction.encoder, construction.language
    margin = fmpq(0) if theorem.value is None else evaluate(theorem.value, values)
    member = holds(language.characterisation, values, add_markers(network, word), language.alphabet)
    return certain(
        construction,
        Counterexample(construction.name, word, parameters, member),
        lambda bits: run(construction, word, parameters, bits, unread=False),
        lambda result: _note(theorem, network.readout.accept, member, result, margin),
    )


def _note(theorem: Margin, rule: str, member: bool, result: Run, margin: Real) -> str | None:
    """What is wrong with a word that is said to attain the margin; None if nothing is."""
    if sign(margin) < 0:
        return below_zero(margin)
    said = f"it is said to attain the margin {text(margin)} of {theorem.side} words"
    if member != (theorem.side == "accepted"):
        return f"{said}, and is to be {'accepted' if member else 'rejected'}"
    if result.accepts != member:
        return f"{said}, and the network {'accepts' if result.accepts else 'rejects'} it"
    direction = PROVER.accepted(rule).on_side(member)[0] or sign(result.logit)
    size = direction * result.logit
    return None if sign(difference(size, margin), ENOUGH) == 0 else said
