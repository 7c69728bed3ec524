"""A construction under judgement: its probes and their derivations, each made once, and the facts that were used."""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flint import fmpq

from weightproof.constructions.languages.samples import long_words, samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Run, mark, parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import holds
from weightproof.proofs.attempt import Attempt, attempt
from weightproof.proofs.claims.probe import AttentionPoint, Point, probe, substituted
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prove import Proof, proofs
from weightproof.proofs.refuting.refute import words
from weightproof.proofs.spot import Wall
from weightproof.proofs.theorem import Compares, Decides, Theorem
from weightproof.proofs.verdict import Unknown, Verdict
from weightproof.symbolic.algebra.linear import Context, Fact
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

DERIVING = 1 / 2
"""The share of the time for a judgement that a derivation takes at most."""
LONGEST = 7
"""Symbols of the longest words on which a claim that no derivation settles is compared."""


SPOT, SHORT, LONG = 0.2, 2, 5
"""Seconds of processor time for the runs of a probe that a proof is held against, and symbols of words of which all are
run, and how many long ones."""


@dataclass
class Subject:
    """theorems: what is stated of the construction elsewhere, for the invariants and the margins.

    known: what was reached for some of them. timeout: seconds for one judgement. ledger: the linear facts
    behind everything that was judged.
    """

    construction: Construction
    theorems: Sequence[Theorem] = ()
    known: Sequence[Proof] = ()
    timeout: float = 20.0
    ledger: set[Fact] = field(default_factory=set)
    _probes: dict[Point | AttentionPoint, Construction] = field(default_factory=dict)
    _runs: dict[
        tuple[Point | AttentionPoint | None, tuple[tuple[str, Expression], ...]], list[tuple[Instance, Run]]
    ] = field(default_factory=dict)
    _derivations: dict[Point | AttentionPoint | None, Attempt] = field(default_factory=dict)

    @property
    def network(self) -> Encoder:
        network = self.construction.network
        assert isinstance(network, Encoder)
        return network

    @property
    def alphabet(self) -> tuple[str, ...]:
        return self.construction.language.alphabet

    @property
    def invariant(self) -> Expression | None:
        """The invariant of the theorem that the language is recognised, where that takes an induction."""
        known = (t.invariant for t in self.theorems if isinstance(t, Decides) and t.accepts is None)
        return next((invariant for invariant in known if invariant is not None), None)

    def derivation(self, point: Point | AttentionPoint | None = None) -> Derivation:
        """Of the construction, or of its probe; Underivable where no rule applies, TimeUp where it takes too long."""
        if point not in self._derivations:
            derived = attempt(self.probe(point), Deadline.after(self.timeout * DERIVING))
            if isinstance(derived, Derivation):
                self.ledger |= derived.facts
            self._derivations[point] = derived
        derived = self._derivations[point]
        if not isinstance(derived, Derivation):
            raise derived
        return derived

    def probe(self, point: Point | AttentionPoint | None) -> Construction:
        """The construction, or the probe that stops at a point."""
        if point is None:
            return self.construction
        if point not in self._probes:
            self._probes[point] = probe(self.construction, point)
        return self._probes[point]

    def verdict(self, theorem: Theorem) -> Verdict:
        """What is known of a theorem about the construction, or else what its proof comes to."""
        for proof in self.known:
            if proof.result.construction == self.construction.name and _same(proof.theorem, theorem):
                return proof.result.verdict
        derivation: Attempt
        try:
            derivation = self.derivation()
        except (Underivable, TimeUp) as error:
            derivation = error
        try:
            [proof] = proofs(self.construction, [theorem], timeout=self.timeout, derivation=derivation, wall=self.wall)
        except InputError as error:  # a formula that has no value on some short word
            return Unknown(str(error))
        return proof.result.verdict

    @functools.cached_property
    def wall(self) -> Wall:
        """What is proved of the construction is held against runs of it."""
        return Wall(self.construction)

    def runs(self, point: Point | AttentionPoint | None, at: Mapping[str, Expression]) -> list[tuple[Instance, Run]]:
        """Runs of a probe on short words and on a few long ones, at different parameter values; made once."""
        key = (point, tuple(at.items()))
        if key not in self._runs:
            target, end = self.probe(point), time.process_time() + SPOT
            short = words(self.alphabet, SHORT)
            self._runs[key] = []
            for number, word in enumerate(
                itertools.chain(short, itertools.islice(long_words(self.alphabet, SHORT + 1), LONG))
            ):
                options = list(on_word(target, word, at))
                if options and time.process_time() < end:
                    chosen = options[number % len(options)]
                    self._runs[key].append((chosen, run(target, chosen.word, chosen.parameters)))
        return self._runs[key]

    def words(self, derivation: Derivation) -> Context:
        """What holds of every word; the facts that are used go to the ledger."""
        return derivation.vocabulary.words(self.ledger)


@dataclass(frozen=True)
class Instance:
    """A word with parameters. values: their exact values, and n. at: what a claim is printed for."""

    word: str
    parameters: dict[str, str]
    values: dict[str, Real]
    tokens: tuple[str, ...]


def instances(
    construction: Construction, at: Mapping[str, Expression] | None = None, longest: int = LONGEST
) -> Iterator[Instance]:
    """Words, shortest first, with the parameter values to try: those of `at`, the others at samples."""
    for word in words(construction.language.alphabet, longest):
        yield from on_word(construction, word, at)


def on_word(
    construction: Construction,
    word: str,
    at: Mapping[str, Expression] | None = None,
    given: Mapping[str, str] | None = None,
) -> Iterator[Instance]:
    """A word with the parameter values to try: those of `at`, those that are given, the others at samples; and the
    natural ones as given with all others at samples."""
    assert isinstance(construction.network, Encoder)
    tokens = mark(construction.network, word)
    positions, known = len(tokens), dict(given or {})
    printed = {name: str(substituted(value, {"n": positions})) for name, value in (at or {}).items()}
    natural = {p.name: known[p.name] for p in construction.parameters if p.kind == "natural" and p.name in known}
    tried: list[dict[str, str]] = []
    sampled = samples(construction) if tokens else []
    for options in (sample | part | printed for part in (known, natural) for sample in sampled):
        if options in tried:
            continue
        tried.append(options)
        with contextlib.suppress(InputError):  # outside the parameter's domain at this length
            values = {**parameter_values(construction, options), "n": fmpq(positions)}
            yield Instance(word, options, values, tokens)


def truth(condition: Expression, instance: Instance, alphabet: Sequence[str], **names: int) -> bool | None:
    """Whether a condition holds of an instance; None where that cannot be certified, or it has no value."""
    values = {**instance.values, **{name: fmpq(value) for name, value in names.items()}}
    try:
        return holds(condition, values, instance.tokens, alphabet)
    except ArithmeticError:
        return None


def made(condition: Expression, instance: Instance, alphabet: Sequence[str], **names: int) -> bool:
    """Whether a condition is certain to hold of an instance."""
    return truth(condition, instance, alphabet, **names) is True


def _same(left: Theorem, right: Theorem) -> bool:
    """Whether two theorems say the same, by whatever name."""
    match left, right:
        case Decides(), Decides():
            left = replace(left, name=right.name, statement=right.statement, expected=right.expected)
        case Compares(), Compares():
            left = replace(left, name=right.name, expected=right.expected)
    return left == right


def equal(left: Real, right: Real) -> bool:
    """Whether two values are certain to be equal, or cannot be told apart."""
    try:
        return sign(left - right) == 0
    except Undecided:
        return True
