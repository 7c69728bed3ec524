"""The search for the failure length: the least length at which some word is misclassified in floating point.

All words while there are few; then, at every length, the hard families of the language and words drawn as its source
draws them, all of a family or evenly chosen ones; then lengths that grow by a quarter, whose failures are traced back
towards shorter words. Failures are not monotone in the length: only what was searched without a gap counts as searched.

Effort is counted in symbols, not in seconds, so that a search finds the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal

import torch

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Names
from weightproof.numeric.model.acceptance import Rule
from weightproof.numeric.model.transformer import Transformer

Searched = Literal["exhaustive", "families", "sampled"]

FULL = 200
"""Lengths up to which families are searched in full."""
FEW = 24
"""Words of each family beyond."""
DRAWN = 8
"""Random words of each length up to there; one beyond."""
GROWTH = 5 / 4
WORST = 1
"""Misclassified words that are followed back to shorter lengths."""
FOLLOWED = 1 << 26
"""Symbols spent on following a failure back, or on a predicted length; where time is quadratic, the effort is."""
POSITION = 1 << 8
CALL = 1 << 13
"""Symbols that a run of fewer takes as long as."""
FURTHER = (1, 3 / 2, 2)
"""Multiples of a predicted failing length that are run."""


@dataclass(frozen=True)
class Failure:
    """A word that is misclassified, alone in its batch, and the computed logit."""

    word: str
    member: bool
    logit: float


@dataclass(frozen=True)
class Finding:
    """What a search found for one rule.

    Every length up to `searched_to` was searched without a failure; the words were all words, whole families or some
    of them (`searched`). `failure` is of the least length found: if that is searched_to + 1, no searched word is
    shorter; otherwise lengths between were passed over, or searched only for words like it (`followed`). Lengths up to
    probed_to were looked at.
    """

    rule: Rule
    failure: Failure | None
    searched: Searched
    searched_to: int
    probed_to: int
    followed: bool = False
    only_in_batches: int | None = None


@dataclass
class _Open:
    """A rule for which no failure is known yet."""

    rule: Rule
    searched: Searched = "exhaustive"
    searched_to: int = -1
    probed_to: int = -1
    only_in_batches: int | None = None
    failure: Failure | None = None
    followed: bool = False


Progress = Callable[[float], None]


class Search:
    """A search on one model; names: the exact parameters, as the language's membership wants them."""

    def __init__(self, construction: Construction, model: Transformer, names: Names, effort: int) -> None:
        self.construction, self.model, self.names = construction, model, names
        self.language = construction.language
        self.effort = effort
        self.shortest = 0 if model.network.begin is not None or model.network.end is not None else 1
        self._quadratic = model.quadratic
        self._followed = effort if model.quadratic else FOLLOWED

    def run(
        self,
        rules: tuple[Rule, ...],
        max_length: int,
        predicted: Mapping[str, int] | None = None,
        progress: Progress = lambda done: None,
    ) -> list[Finding]:
        """One finding for each rule; progress is told the share of the effort that is spent.

        predicted: lengths, by the names of rules, near which a failure is expected; words there are run where nothing
        shorter was found to fail, whatever the effort, unless time is quadratic.
        """
        states = [_Open(rule) for rule in rules]
        spent, length = 0, self.shortest - 1
        while length < max_length and spent < self.effort and (open_ := [s for s in states if s.failure is None]):
            length += 1
            searched, words = self._words(length)
            self._examine(words, open_)
            spent += self._cost(len(words), length)
            progress(min(1.0, spent / self.effort) * 0.7)
            for state in open_:
                state.probed_to = length
                state.searched = searched if state.searched_to < 0 or searched != "exhaustive" else state.searched
                if state.failure is None:
                    state.searched_to = length
        self._probe(states, length, max_length, progress)
        for state in states:
            self._predicted(state, (predicted or {}).get(state.rule.name), max_length)
        progress(1.0)
        return [
            Finding(s.rule, s.failure, s.searched, s.searched_to, s.probed_to, s.followed, s.only_in_batches)
            for s in states
        ]

    def _cost(self, words: int, length: int) -> int:
        """In symbols; where time is quadratic, each position takes as long as POSITION symbols at least."""
        if self._quadratic:
            return (length + 2) * max(POSITION, words * (1 + length // 16))
        return words * (length + 2)

    def _words(self, length: int) -> tuple[Searched, list[str]]:
        alphabet = self.language.alphabet
        if self._cost(len(alphabet) ** length, length) <= self.effort >> 6:
            return "exhaustive", ["".join(word) for word in product(alphabet, repeat=length)]
        full = length <= FULL
        return "families" if full else "sampled", self._hard(length, 1 << 60 if full else FEW, DRAWN if full else 1)

    def _hard(self, length: int, most: int, drawn: int) -> list[str]:
        """Words of the families, and random ones: the same every time."""
        random = Random(length)
        words = [word for family in self.language.families.values() for word in family(length, most)]
        words += [self.language.sample(random, length) for _ in range(drawn)]
        return list(dict.fromkeys(words))

    def _last(self, length: int) -> list[str]:
        """The last word of each family."""
        return [[*family(length, 1)][-1] for family in self.language.families.values()]

    def _examine(self, words: list[str], states: list[_Open]) -> None:
        """Sets the failure of the rules under which one of the words, all of one length, is misclassified."""
        logits = self.model.logits(words)
        members = torch.tensor([is_member(self.construction, word, self.names) for word in words])
        for state in states:
            wrong = torch.nonzero(state.rule.accepts(self.model, logits).cpu() != members)[:, 0].tolist()
            state.failure = next(filter(None, (self._alone(state.rule, words[i]) for i in wrong[:FEW])), None)
            if wrong and state.failure is None and state.only_in_batches is None:
                state.only_in_batches = len(words[0])

    def _alone(self, rule: Rule, word: str) -> Failure | None:
        """The failure of a word on its own, as `run` runs it: kernels sum differently in batches."""
        logits, member = self.model.logits([word]), is_member(self.construction, word, self.names)
        if bool(rule.accepts(self.model, logits)[0]) == member:
            return None
        return Failure(word, member, float(logits[0]))

    def _probe(self, states: list[_Open], reached: int, max_length: int, progress: Progress) -> None:
        """Ever longer words, the lengths growing by a factor; what fails is followed back to shorter lengths."""
        for length, most in self._probes(reached, max_length):
            open_ = [state for state in states if state.failure is None]
            if not open_:
                return
            words = self._hard(length, most, 1)
            self._examine(words, open_)
            progress(0.7 + 0.3 * length / max_length)
            for state in open_:
                if state.failure is not None:
                    self._back(state, most, self._worst(state.rule, words))
                state.probed_to = length

    def _predicted(self, state: _Open, near: int | None, max_length: int) -> None:
        """The ends of the families at lengths near a predicted one, one word after the other: they may be very long."""
        for length in () if near is None else (int(near * factor) for factor in FURTHER):
            within = length <= max_length and not (self._quadratic and self._cost(1, length) > self.effort)
            if state.failure is None and state.probed_to < length and within:
                few = self._hard(length, 1, 0)
                for word in few if self._cost(len(few), length) <= self._followed else self._last(length):
                    self._examine([word], [state])
                    if state.failure is not None:
                        return
                state.probed_to = length

    def _probes(self, reached: int, max_length: int) -> Iterator[tuple[int, int]]:
        """Lengths, and how many words of each family can be afforded there."""
        length = reached
        while length < max_length:
            length = min(max(length + 1, int(length * GROWTH)), max_length)
            families = len(self.language.families) or 1
            most = min(FEW // 2, self.effort // 4 // self._cost(families, length))
            if most < 4:
                return
            yield length, most

    def _worst(self, rule: Rule, words: list[str]) -> list[int]:
        """The places of the misclassified words, the few whose logits are farthest off."""
        logits = self.model.logits(words)
        members = torch.tensor([is_member(self.construction, word, self.names) for word in words])
        wrong = torch.nonzero(rule.accepts(self.model, logits).cpu() != members)[:, 0].tolist()
        return sorted(wrong, key=lambda place: -abs(float(logits[place])))[:WORST]

    def _back(self, state: _Open, most: int, places: list[int]) -> None:
        """Runs the words at the same places, and the last of each family, at every length that was passed over.

        Where those are too many, it halves the rest of the distance as long as that finds failures.
        """
        assert state.failure is not None
        passed, failing = max(state.probed_to, state.searched_to), len(state.failure.word)

        def fails(length: int) -> bool:
            words = self._hard(length, most, 0)
            tried = _Open(state.rule)
            same = [words[place] for place in places if place < len(words)]
            self._examine([*same, *self._last(length)], [tried])
            state.failure = tried.failure or state.failure
            return tried.failure is not None

        spent = 0
        for length in range(state.searched_to + 1, failing):
            spent += max(CALL, self._cost(2, length))
            if spent > self._followed:
                break
            if fails(length):
                break
        if spent <= self._followed:
            state.followed = True
            return
        while failing - passed > 1:
            middle = (passed + failing) // 2
            passed, failing = (passed, middle) if fails(middle) else (middle, failing)
