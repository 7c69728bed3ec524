"""Decides what a decoder appends to every prompt: one token after the other, each after all prompts and the right
tokens before it, in sets of prompts on which intervals decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from flint import ctx

from weightproof.constructions.languages.transducers import laid_out
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.covering.asking import over_others
from weightproof.proofs.covering.automaton import Automaton, TooManyStates, Words
from weightproof.proofs.covering.certificate import Positions
from weightproof.proofs.covering.deciding import MOST_SETS, STAGE
from weightproof.proofs.covering.deciding import least as least_margin
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import Found, Open, Part, found_at, search, stacked
from weightproof.proofs.covering.transduction import automaton
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.running.enclosures import Enclosed, point
from weightproof.proofs.theorem import Computes, said_scope
from weightproof.proofs.verdict import Counterexample, Covered, Evidence, Proved, Refuted, Unknown, Verdict, WrongStep

PRECISIONS = (128, 512, 2048)
"""Bits of the balls in which a prompt is run, until its token is decided."""


def computed(
    construction: Construction, theorem: Computes, deadline: Deadline
) -> tuple[Verdict, tuple[Positions, ...]]:
    """The verdict on what a decoder is said to compute, and of a proof the sets of inputs for each token."""
    network = construction.network
    assert isinstance(network, Decoder)
    if construction.parameters:
        return Unknown("what a decoder with parameters computes is not covered"), ()
    items, prompt = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
    if network.begin is not None:
        items, prompt = (network.begin, *items), prompt + 1
    total, positions = Covered(0, 0, 0, None), list[Positions]()
    try:
        inputs = deadline.during(STAGE, lambda: automaton(theorem, items))
        for length in range(prompt, len(items)):
            one = _Step(construction, network, inputs, prompt, length)
            found = deadline.during(STAGE, one.decided)
            if not isinstance(found, tuple):
                return found, ()
            covered, sets = found
            total = replace(total + covered, words=covered.words)  # the same inputs at each token
            positions.append(sets)
    except (NotCovered, TooManyStates, ArithmeticError) as error:
        return Unknown(str(error)), ()
    except TimeUp as error:
        return Unknown(str(error), timed_out=True), ()
    return Proved(said_scope(theorem), Evidence.COVERING, covered=total), tuple(positions)


class _Step:
    """One token that is appended: what stands at the position `length`, after `prompt` positions of a prompt."""

    def __init__(
        self, construction: Construction, network: Decoder, inputs: Automaton, prompt: int, length: int
    ) -> None:
        self.construction, self.network = construction, network
        self.inputs, self.prompt, self.length = inputs, prompt, length
        self.reading = Reading(network, inputs, length)

    def decided(self) -> tuple[Covered, Positions] | Refuted | Unknown:
        """How all prompts are covered; or one after which another token is appended."""
        outputs = self.network.readout.W.rows
        every = self.inputs.everything([True] * len(self.inputs.outcomes))
        parts = []
        for words, last in self._by_token(every, self.length - 1):
            for part, number in self._by_token(words, self.length):
                token = self.inputs.tokens[number]
                if token not in outputs:
                    return Unknown(f"{token!r} is to be appended, which is no output of the network")
                parts.append(Part(part, self._over_others(token), "positive", last))
        found = search(self.reading, parts, self._wrong, MOST_SETS)
        if isinstance(found, Open):
            return Unknown(f"token {self.length - self.prompt + 1} is not decided after all inputs: {found.reason}")
        if not isinstance(found, Found):
            assert isinstance(found, Refuted | Unknown)
            return found
        sets = [leaf for leaf in found.leaves if not leaf.run]
        ran = sum(len(leaf.run) for leaf in found.leaves)
        covered = Covered(sum(every.counted()), len(sets), ran, least_margin([leaf.margin for leaf in sets]))
        return covered, found_at(self.length, parts, found)

    def _by_token(self, words: Words, place: int) -> Iterator[tuple[Words, int]]:
        for token in self.reading.tokens_in(words, place):
            yield words.with_token(place, token).pruned(), token

    def _wrong(self, words: Sequence[tuple[str, ...]]) -> Refuted | Unknown | None:
        """The first of some words that is wrong, run in balls, or else the first that is open; those are not run that
        intervals decide."""
        open_: Unknown | None = None
        for word in self._undecided(words):
            try:
                found, bits = self._appended(word[: self.length])
            except (Undecided, NoValue) as error:
                if open_ is None:
                    open_ = Unknown(f"after {''.join(word[: self.length])!r}: {error}")
                continue
            if found != word[self.length]:
                number = self.length - self.prompt + 1
                shown = "".join(word[self._marker : self.prompt])
                step = WrongStep(number, "the token", word[self.length], found)
                return Refuted(Counterexample.at(step, self.construction.name, shown, bits))
        return open_

    @property
    def _marker(self) -> int:
        return int(self.network.begin is not None)

    def _undecided(self, words: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
        """Those of which intervals do not say that the right token is appended."""
        together: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        for word in words:
            together.setdefault((word[self.length - 1], word[self.length]), []).append(word)
        for (_, token), some in together.items():
            sets = stacked([self.inputs.of_word(word) for word in some])
            with np.errstate(all="ignore"):
                low, _ = self.reading.outputs(sets).through(self._over_others(token)).range()
            yield from (word for word, least in zip(some, low, strict=True) if not (least > 0).all())

    def _over_others(self, token: str) -> Enclosed:
        """By how much an output is ahead of each other one."""
        readout = self.network.readout
        rows = over_others(token, readout).matrix
        return point(np.array(rows, dtype=np.float64).reshape(-1, len(readout.W.rows)))

    def _appended(self, tokens: Sequence[str]) -> tuple[str, int]:
        """The token that the interpreter appends, and of how many bits the balls are in which it does; Undecided where
        none of the precisions tells."""
        word = tokens[self._marker :]
        for bits in PRECISIONS[:-1]:
            try:
                return self._in_balls(word, bits), bits
            except Undecided:
                continue
        return self._in_balls(word, PRECISIONS[-1]), PRECISIONS[-1]

    def _in_balls(self, word: Sequence[str], bits: int) -> str:
        with ctx.workprec(bits):
            return next(appended(self.network, word, {}, in_balls)).token
