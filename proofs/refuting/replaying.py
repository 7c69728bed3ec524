"""Many networks that differ in one or two places, run on the same words: exactly, and each part that they share once.

All values are computed by the interpreter's own functions, but for two things: what comes before the first changed
layer is that of the network from which the candidate was made, and after the last layer only the positions that are
read are computed. Where the interpreter works in balls, an open sign discards nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from flint import ctx, fmpq

from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import (
    NoValue,
    Vector,
    add_markers,
    apply_layer,
    apply_linear,
    decision,
    embed,
    pooled,
    read_positions,
    require_values,
)
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, Undecided
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import Evaluator, Number, exactly, in_balls
from weightproof.proofs.refuting.patterns import patterns
from weightproof.proofs.refuting.refute import BITS, MOST_WORDS, in_scope, likely_words
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample

SHORT, LONG = 6, (8, 12, 20)
"""Symbols up to which all likely words are asked, and lengths of which regular ones are."""
Stream = list[Vector]


@dataclass(frozen=True, eq=False)
class Question:
    """A marked word at parameter values, with n and d among them, and whether it is to be accepted."""

    word: str
    parameters: Mapping[str, str]
    tokens: tuple[str, ...]
    names: Mapping[str, Real]
    wanted: bool


@dataclass
class Questions:
    """The words on which candidates are tried, those that have discarded one most recently first."""

    construction: Construction
    theorem: Decides
    known: list[Question] = field(default_factory=list)

    def add(self, found: Counterexample) -> None:
        """A counterexample, to be asked first, unless it is too long to be run."""
        if found.counted:
            return
        self.known[:0] = self._questions(found.word, found.parameters)

    def add_words(self) -> None:
        """Short words and regular long ones, at the sampled parameters."""
        for length in range(SHORT + 1):
            self._add_all(likely_words(self.construction, self.theorem, length))
        for length in LONG:
            self._add_all(dict.fromkeys(patterns(self.construction, self.theorem, length)))

    def tried_all(self, length: int) -> bool:
        """Whether `add_words` has added every word up to this length that the theorem speaks of."""
        return length <= SHORT and len(self.construction.language.alphabet) ** length <= MOST_WORDS

    def _add_all(self, words: Iterator[str] | Mapping[str, None]) -> None:
        tried = samples(self.construction)
        for word in words:
            for parameters in tried:
                self.known += self._questions(word, parameters)

    def _questions(self, word: Sequence[str], parameters: Mapping[str, str]) -> Iterator[Question]:
        """None of a word that the theorem does not speak of."""
        network, language = self.construction.encoder, self.construction.language
        tokens, values = add_markers(network, word), parameter_values(self.construction, parameters)
        if not tokens or not in_scope(self.construction, self.theorem, tokens, values):
            return
        try:
            wanted = holds(self.theorem.accepts or language.characterisation, values, tokens, language.alphabet)
        except ArithmeticError:
            return
        names = {**values, "n": fmpq(len(tokens)), "d": fmpq(len(network.coordinates))}
        yield Question("".join(word), parameters, tokens, names, wanted)

    def discards(self, network: Encoder, base: Base) -> bool:
        """Whether the network decides one of the words otherwise than the theorem says. base: of the network that it
        was made of."""
        for place, question in enumerate(self.known):
            if self._is_wrong(network, question, base):
                self.known.insert(0, self.known.pop(place))
                return True
        return False

    def _is_wrong(self, network: Encoder, question: Question, base: Base) -> bool:
        """A word without a value is wrong; one whose sign is open is not."""
        try:
            accepts, decided = decision(network.readout, base.logit(network, question))
        except Undecided:
            return False
        except (NoValue, ZeroDivisionError):
            return True
        except ArithmeticError:
            return False
        return accepts != question.wanted or (self.theorem.strict and not decided)


@dataclass
class Base:
    """A network with the residual streams of the words on which others were tried that were made of it.

    _streams: by question, the stream before each layer, as far as any was needed.
    """

    network: Encoder
    _streams: dict[Question, list[Stream]] = field(default_factory=dict)

    def logit(self, other: Encoder, question: Question) -> Number:
        """That of a network which has parts in common with this one, on a word."""
        if other.normed:
            with ctx.workprec(BITS):
                return self._logit(other, question, in_balls(question.names))
        return self._logit(other, question, exactly(question.names))

    def _logit(self, other: Encoder, question: Question, scalars: Evaluator) -> Number:
        start = self._common(other)
        stream = self._before(start, question, scalars) if start >= 0 else _embedded(other, question)
        for layer in other.layers[max(start, 0) : -1]:
            stream = apply_layer(layer, stream, scalars)
        rows = read_positions(other, len(stream))
        read = apply_layer(other.layers[-1], stream, scalars, rows) if other.layers else [stream[row] for row in rows]
        require_values(read)
        return pooled(other.readout, apply_linear(other.readout.W, read, scalars))["logit"]

    def _common(self, other: Encoder) -> int:
        """How many layers before the last one are the same; -1 where the embedding is another one."""
        if other.embedding is not self.network.embedding:
            return -1
        most = max(len(other.layers) - 1, 0)
        pairs = zip(self.network.layers[:most], other.layers[:most], strict=True)
        return next((k for k, (own, its) in enumerate(pairs) if own is not its), most)

    def _before(self, layer: int, question: Question, scalars: Evaluator) -> Stream:
        known = self._streams.setdefault(question, [])
        if not known:
            known.append(_embedded(self.network, question))
        while len(known) <= layer:
            known.append(apply_layer(self.network.layers[len(known) - 1], known[-1], scalars))
        return known[layer]


def _embedded(network: Encoder, question: Question) -> Stream:
    reading = in_balls if network.normed else exactly
    return [
        embed(network, token, reading({**question.names, "i": fmpq(place)}))
        for place, token in enumerate(question.tokens)
    ]
