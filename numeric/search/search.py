"""The search for the failure length: the least length at which some word is misclassified in floating point.

All words while there are few; then, at every length, the hard families of the language and words drawn as its source
draws them, all of a family or evenly chosen ones; then lengths that grow by a quarter, whose failures are traced back
towards shorter words. Failures are not monotone in the length: only what was searched without a gap counts as searched.

A failure can hide in a word unlike all of those. So words are bred at lengths below the shortest one that is known to
fail: drawn ones and some of the families, of which those that come nearest to a wrong decision have children; and what
fails has symbols taken out of it as long as it still does.

A failure can hide in one word of a family. So families are then run in full where one is most likely: around a length
that is predicted, just below a failure that is known, around the length to which the format counts, and at lengths at
which some logit came close to the edge of a decision.

Where sums run from left to right, a closed form says at which lengths some mean is off by most: words of one symbol, or
all but one, are run there (see `scan`), however long they are.

Effort is counted in symbols, not in seconds, so that a search finds the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, count, islice, product, takewhile
from math import comb, inf, isqrt
from random import Random
from typing import Literal

import torch

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.notation import expand, stretched
from weightproof.constructions.languages.words import drawn, hard_words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.numeric.model.transformer import Rule, Transformer
from weightproof.numeric.search.arrangements import arrangements_are_alike, by_counts
from weightproof.numeric.search.breeding import Bred, children, fittest, resized, without
from weightproof.numeric.search.scan import means, nearly_all, run_candidates, scanned

Phase = Literal[
    "every length",
    "growing lengths",
    "scanned lengths",
    "predicted lengths",
    "stretched words",
    "followed back",
    "bred",
]


@dataclass(frozen=True)
class Part:
    """Lengths at which only some words were run: how many lengths from `first` to `last`, and at least so many words.

    Words of each of the lengths, counted as often as they were run. "followed back": only words like a longer one that
    fails, and the last of each family.
    """

    phase: Phase
    first: int
    last: int
    lengths: int
    words: int


@dataclass
class Extent:
    """The lengths that were run for one rule and at which nothing failed."""

    full: set[int] = field(default_factory=set)
    """With all words, or all words of all families."""
    parts: dict[Phase, dict[int, int]] = field(default_factory=dict)

    def ran(self, phase: Phase, length: int, words: int) -> None:
        """Some words of a length."""
        lengths = self.parts.setdefault(phase, {})
        lengths[length] = lengths.get(length, 0) + words

    def below(self, length: int) -> Extent:
        """Of shorter words."""
        parts = {phase: {at: words for at, words in part.items() if at < length} for phase, part in self.parts.items()}
        return Extent({at for at in self.full if at < length}, parts)

    @property
    def in_full(self) -> tuple[tuple[int, int], ...]:
        """The first and the last length of each stretch that was run in full."""
        return stretches(self.full)

    @property
    def in_part(self) -> tuple[Part, ...]:
        found = []
        for phase, words in self.parts.items():
            lengths = sorted(words.keys() - self.full)
            if lengths:
                least = min(words[length] for length in lengths)
                found.append(Part(phase, lengths[0], lengths[-1], len(lengths), least))
        return tuple(found)


def stretches(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The first and the last of each stretch of consecutive numbers."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return tuple(found)


Searched = Literal["exhaustive", "families", "sampled"]

FULL = 200
"""Lengths up to which families are searched in full."""
ALL = 1 << 60
FEW = 24
"""Words of each family beyond."""
DRAWN = 8
"""Random words of each length up to there; one beyond."""
GROWTH = 5 / 4
WORST = 1
"""Misclassified words that are followed back to shorter lengths."""
FOLLOWED = 1 << 26
"""Symbols spent on following a failure back, or on a predicted length; where time is quadratic, the effort is. And the
most of a word that is stretched."""
POSITION = 1 << 8
CALL = 1 << 13
"""Symbols that a run of fewer takes as long as."""
FURTHER = (1, 3 / 2, 2)
"""Multiples of a predicted failing length that are run."""
ALONE = 256
"""Misclassified words of a batch that are run alone, if the first of them are right there."""
DENSE = 4
"""Times the effort of a search that is spent where attention is computed over all rows, by products of matrices."""
AROUND, SQUARED, SLOWER, SLOWEST = 64, 8, 16, 1 / 4
"""Times the effort of a search, spent on families in full around promising lengths: half a minute. A symbol takes
longer in products of matrices and in strict arithmetic, and much longer in strict arithmetic of quadratic time."""
BREEDING, BREEDING_SQUARED = 1 / 8, 1 / 2
"""Times the effort of a search, spent for each rule on words that breed; the second in strict arithmetic of quadratic
time."""
WIDE, NARROW, GENERATIONS = 128, 16, 16
"""Words of a generation, as many as can be afforded from the one number down to the other; and generations."""
SHARE, FEWEST = 4, 4
"""Of the effort that is left one part is for a length; and generations that it has to do for."""
AS_MANY_WITHIN = 64
"""Where the words of a length are too many, so are those of lengths that are shorter by less than this part of it."""
CLOSE = 8
"""Unit roundoffs between a logit and the edge of a decision that make a length promising."""
CHUNK = 1 << 24
"""Symbols of words that are held at a time."""
MOST_EXHAUSTED = 9 << 20
"""Symbols of all words that `exhausted` runs, times the positions where time is quadratic: seconds."""
LEAST_EXHAUSTED, BATCH = 1 << 12, 1 << 14
"""Symbols that a run of fewer takes as long as there, and words of a batch."""


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
    of them (`searched`). `failure` is of the least length found. `of_families`: at every length below it all words were
    run, or all words of all families, and none of them fails; other words may. Otherwise lengths between were passed
    over, run with some words, or searched only for words like it (`followed`). Lengths up to probed_to were looked at.
    in_full and in_part: what was run where nothing failed. Words are run in batches of one length, and a failure is one
    alone, too.
    """

    rule: Rule
    failure: Failure | None
    searched: Searched
    searched_to: int
    probed_to: int
    followed: bool = False
    only_in_batches: int | None = None
    of_families: bool = False
    in_full: tuple[tuple[int, int], ...] = ()
    in_part: tuple[Part, ...] = ()

    @property
    def exhausted(self) -> bool:
        """Whether every word of every length below the failure was run."""
        return (
            self.failure is not None
            and (self.searched, self.searched_to) == ("exhaustive", len(self.failure.word) - 1)
            and self.of_families  # without a length at which too many words are wrong in batches to be run alone
        )


@dataclass(eq=False)
class _Open:
    """A rule for which no failure is known yet."""

    rule: Rule
    searched_to: int = -1
    probed_to: int = -1
    only_in_batches: int | None = None
    failure: Failure | None = None
    followed: bool = False
    extent: Extent = field(default_factory=Extent)
    edges: dict[int, float] = field(default_factory=dict)
    """The least distance of a computed logit from the edge of the decision, by length."""

    def below(self, length: int) -> bool:
        """Whether a failure of that length would be news."""
        return self.failing is None or length < self.failing

    @property
    def failing(self) -> int | None:
        return None if self.failure is None else len(self.failure.word)


Progress = Callable[[float], None]


def distances(rule: Rule, logits: torch.Tensor) -> torch.Tensor:
    """How far logits are from where a rule decides otherwise, shape [words]; infinite for what is no number, and for a
    logit of 0 that accepts."""
    found = (logits.double().abs() - (rule.tolerance or 0)).abs().nan_to_num(inf)
    return found.where(found > 0, inf) if rule.name == "logit = 0" else found


def edge(rule: Rule, logits: torch.Tensor) -> float:
    """The least of the distances."""
    return float(distances(rule, logits).min())


def outward(centre: int, shortest: int, longest: int) -> Iterator[int]:
    """A length, and those around it, up to twice as much."""
    yield centre
    for step in range(1, centre + 1):
        if shortest <= centre - step:
            yield centre - step
        if centre + step <= longest:
            yield centre + step


class Search:
    """A search on one model; names: the exact parameters, as the language's membership wants them."""

    def __init__(self, construction: Construction, model: Transformer, names: Environment, effort: int) -> None:
        self.construction, self.model, self.names = construction, model, names
        self.language = construction.language
        self.shortest = 0 if model.network.markers else 1
        self._quadratic = model.quadratic
        self.effort = effort * DENSE if model.quadratic and model.strict is None else effort
        self._followed = self.effort if model.quadratic else FOLLOWED
        fast, slow = (SQUARED, SLOWEST) if model.quadratic else (AROUND, SLOWER)
        self._around = int(self.effort * (fast if model.strict is None else slow))
        self._budget = self._around

    def run(
        self,
        rules: tuple[Rule, ...],
        max_length: int,
        predicted: Mapping[str, int] | None = None,
        progress: Progress = lambda done: None,
        known: Mapping[str, str] | None = None,
    ) -> list[Finding]:
        """One finding for each rule; progress is told the share of the effort that is spent.

        predicted: lengths, by the names of rules, near which a failure is expected; words there are run where nothing
        shorter was found to fail, whatever the effort, unless time is quadratic. known: words in short, by the names of
        rules, that lower precision loses.
        """
        states, self._budget = [_Open(rule) for rule in rules], self._around
        spent, length = 0, self.shortest - 1
        while length < max_length and spent < self.effort and (open_ := [s for s in states if s.failure is None]):
            length += 1
            words = self._words(length)
            right = self._examine(words, open_)
            spent += self._cost(len(words), length)
            progress(min(1.0, spent / self.effort) * 0.5)
            for state in open_:
                state.probed_to = length
                if state.failure is None:
                    state.searched_to = length
                    if self._searched(length) != "sampled" and state in right:
                        state.extent.full.add(length)
                    else:
                        state.extent.ran("every length", length, len(words))
        self._probe(states, length, max_length, progress)
        for state in states:
            self._scanned(state, max_length)
        for state in states:
            self._predicted(state, (predicted or {}).get(state.rule.name), max_length)
        for state in states:
            self._stretched(state, (known or {}).get(state.rule.name, ""), max_length)
        self._breed(states, max_length)
        for state in states:
            near = min(filter(None, (state.failing, (predicted or {}).get(state.rule.name))), default=max_length + 1)
            if near <= max_length and self._affordable(near) and not self._of_families(state):
                self._in_full(outward(near, self.shortest, max_length), states, progress)
        counted = 1 << self.model.format.precision
        if counted <= max_length and self._affordable(counted) and any(state.failure is None for state in states):
            self._in_full(outward(counted, self.shortest, max_length), states, progress)
        self._in_full(self._close(states), states, progress)
        progress(1.0)
        return [self._finding(state) for state in states]

    def _finding(self, state: _Open) -> Finding:
        """What was run at lengths below the failure."""
        searched_to, extent = state.searched_to, state.extent
        if state.failing is not None:
            searched_to, extent = min(searched_to, state.failing - 1), extent.below(state.failing)
        return Finding(
            state.rule,
            state.failure,
            self._searched(searched_to),
            searched_to,
            state.probed_to,
            state.followed and searched_to == state.searched_to,
            state.only_in_batches,
            self._of_families(state),
            extent.in_full,
            extent.in_part,
        )

    def _of_families(self, state: _Open) -> bool:
        """Whether every length below the failure was run in full."""
        return state.failing is not None and state.extent.full.issuperset(range(self.shortest, state.failing))

    def _cost(self, words: int, length: int) -> int:
        """What it takes to run words of a length, in symbols; where time is quadratic, each position takes as long as
        POSITION symbols at least."""
        if self._quadratic:
            return (length + 2) * max(POSITION, words * (1 + length // 16))
        return words * (length + 2)

    def _searched(self, length: int) -> Searched:
        """What is run at a length, and was at all shorter ones, one after the other."""
        if length < self.shortest or self._cost(len(self.language.alphabet) ** length, length) <= self.effort >> 6:
            return "exhaustive"
        return "families" if length <= FULL and self.language.families else "sampled"

    def _words(self, length: int) -> list[str]:
        if self._searched(length) == "exhaustive":
            return ["".join(word) for word in product(self.language.alphabet, repeat=length)]
        near = length <= FULL
        return self._hard(length, ALL if near else FEW, DRAWN if near else 1)

    def _hard(self, length: int, most: int, many: int) -> list[str]:
        """Words of the families, and random ones, one at least where there is no family: the same every time."""
        random, words = Random(length), [*self._every(length, most)]
        words += [drawn(self.language, random, length) for _ in range(many if words else max(many, 1))]
        return list(dict.fromkeys(words))

    def _last(self, length: int) -> list[str]:
        """The last word of each family; a drawn one where there is none."""
        each = ([*hard_words(self.language, family, length, 1)][-1:] for family in self.language.families)
        return [*chain.from_iterable(each)] or [drawn(self.language, Random(length), length)]

    def _examine(self, words: list[str], states: list[_Open]) -> list[_Open]:
        """Sets the failure of the rules under which one of the words, all of one length, is misclassified.

        The others are returned, but for those under which more words are wrong in the batch than are run alone.
        """
        return self._judge(words, self.model.logits(words), self._members(words), states)

    def _judge(self, words: list[str], logits: torch.Tensor, members: torch.Tensor, states: list[_Open]) -> list[_Open]:
        right = []
        for state in states:
            wrong = self._wrong(logits, members, state.rule)
            failure = next(filter(None, (self._alone(state.rule, words[i]) for i in wrong[:ALONE])), None)
            state.failure = failure or state.failure
            if wrong and failure is None and state.only_in_batches is None:
                state.only_in_batches = len(words[0])
            if failure is None and len(wrong) <= ALONE:
                right.append(state)
            state.edges[len(words[0])] = min(state.edges.get(len(words[0]), inf), edge(state.rule, logits))
        return right

    def _members(self, words: list[str]) -> torch.Tensor:
        return torch.tensor([is_member(self.construction, word, self.names) for word in words])

    def _wrong(self, logits: torch.Tensor, members: torch.Tensor, rule: Rule) -> list[int]:
        """The places of the words that are misclassified."""
        places: list[int] = torch.nonzero(rule.accepts(self.model, logits).cpu() != members)[:, 0].tolist()
        return places

    def _sampled(self, words: list[str], states: list[_Open], phase: Phase) -> None:
        """Runs some of the words of a length."""
        self._examine(words, states)
        for state in states:
            if state.below(len(words[0])):
                state.extent.ran(phase, len(words[0]), len(words))

    def _alone(self, rule: Rule, word: str) -> Failure | None:
        """The failure of a word on its own, as `run` runs it: kernels sum differently in batches."""
        logits, member = self.model.logits([word]), is_member(self.construction, word, self.names)
        if bool(rule.accepts(self.model, logits)[0]) == member:
            return None
        return Failure(word, member, float(logits[0]))

    def _close(self, states: list[_Open]) -> list[int]:
        """The lengths at which a logit came within a few unit roundoffs of the edge, the closest first."""
        near = CLOSE * float(self.model.format.unit_roundoff)
        edges: dict[int, float] = {}
        for state in states:
            for length, distance in state.edges.items():
                if distance <= near and state.below(length) and self._affordable(length):
                    edges[length] = min(edges.get(length, distance), distance)
        return sorted(edges, key=lambda length: (edges[length], length))

    def _in_full(self, lengths: Iterable[int], states: list[_Open], progress: Progress) -> None:
        """Runs all words of all families, if any, at the lengths that half of what is left allows, one by one."""
        left, longest = self._budget // 2, inf
        self._budget -= left
        for length in lengths if self.language.families else ():
            wanted = [state for state in states if state.below(length) and length not in state.extent.full]
            if not wanted or length > longest or self._cost(length, length) > left:
                continue
            cost = self._full_cost(length, left)
            if cost > left:  # to count the words of each length around it would take longer than to run some
                longest = length - 1 - length // AS_MANY_WITHIN
                continue
            left -= cost
            progress(1 - 0.1 * (left + self._budget) / self._around)
            self._every_word(length, wanted)
        self._budget += left

    def _affordable(self, length: int) -> bool:
        """Whether as many words as a length has symbols, of which most families have more, are within a budget."""
        return self._cost(length, length) <= self._around

    def _every(self, length: int, most: int = ALL) -> Iterator[str]:
        return chain.from_iterable(hard_words(self.language, name, length, most) for name in self.language.families)

    def _full_cost(self, length: int, most: int) -> int:
        """The cost of all words of all families; or something more than `most`."""
        words = 0
        for _ in self._every(length):
            words += 1
            if self._cost(words, length) > most:
                break
        return self._cost(words, length)

    def _every_word(self, length: int, states: list[_Open]) -> None:
        """All words of all families of a length, in batches; a failure ends it for a rule."""
        right = states
        for batch in _batches(self._every(length), max(1, CHUNK // (length + 1))):
            if not (right := self._examine(batch, right)):
                break
        for state in right:
            state.extent.full.add(length)

    def _probe(self, states: list[_Open], reached: int, max_length: int, progress: Progress) -> None:
        """Ever longer words, the lengths growing by a factor; what fails is followed back to shorter lengths."""
        for length, most in self._probes(reached, max_length):
            open_ = [state for state in states if state.failure is None]
            if not open_:
                return
            words = self._hard(length, most, 1) if most else self._last(length)
            self._sampled(words, open_, "growing lengths")
            progress(0.5 + 0.4 * length / max_length)
            for state in open_:
                if state.failure is not None:
                    self._back(state, most, self._worst(state.rule, words) if most else [])
                state.probed_to = length

    def _scanned(self, state: _Open, max_length: int) -> None:
        """Words of one symbol, or all but one, where the closed form of strict sums says that they are off by most."""
        strict, network, alphabet = self.model.strict, self.model.network, self.language.alphabet
        if strict is None or self._quadratic:
            return
        for mean in means(network, alphabet, strict, self.model.names):
            last = max_length if state.failing is None else state.failing - 1
            found = scanned(mean, state.searched_to + 1, last, len(network.markers), strict)
            run_candidates(found, partial(self._loses, state, mean.symbol))

    def _loses(self, state: _Open, symbol: str, length: int) -> bool:
        both = self._cost(2 * len(self.language.alphabet), length) <= self._followed
        for word in nearly_all(symbol, self.language.alphabet, length, both):
            self._sampled([word], [state], "scanned lengths")
            if state.failing == length:
                return True
        state.probed_to = max(state.probed_to, length)
        return False

    def _predicted(self, state: _Open, near: int | None, max_length: int) -> None:
        """Some words of the families at lengths near a predicted one, one after the other: they may be very long."""
        for length in () if near is None else (int(near * factor) for factor in FURTHER):
            within = length <= max_length and not (self._quadratic and self._cost(1, length) > self.effort)
            if state.failure is None and length not in state.extent.full and within:
                families = len(self.language.families) or 1
                few = self._hard(length, FEW // 2 if self._cost(FEW * families, length) <= self._followed else 1, 0)
                for word in few if self._cost(len(few), length) <= self._followed else self._last(length):
                    self._sampled([word], [state], "predicted lengths")
                    if state.failure is not None:
                        return
                state.probed_to = max(state.probed_to, length)

    def _stretched(self, state: _Open, known: str, max_length: int) -> None:
        """Words like one that lower precision loses, its repeated parts ever longer, up to the first that is lost, and
        from there back to the last that is not, by halves."""

        def loses(times: Fraction) -> bool | None:
            """None where a word is too long, or would be no news."""
            word = expand(stretched(known, times), self.language.alphabet)
            if len(word) > max_length or not state.below(len(word)) or self._cost(1, len(word)) > FOLLOWED:
                return None
            self._sampled([word], [state], "stretched words")
            state.probed_to = max(state.probed_to, len(word))
            return state.failing == len(word)

        if stretched(known, Fraction(2)) == known:
            return
        right, wrong = Fraction(0), Fraction(1)
        while not (lost := loses(wrong)):
            if lost is None:
                return
            right, wrong = wrong, wrong * Fraction(GROWTH)
        while wrong - right > wrong / AS_MANY_WITHIN:
            middle = (right + wrong) / 2
            right, wrong = (right, middle) if loses(middle) else (middle, wrong)

    def _breed(self, states: list[_Open], max_length: int) -> None:
        """Breeds words for each rule, first for the one that the shortest word fails; what is found to be right there
        goes on to the next rule, as does what is left of the effort."""
        exhausted = takewhile(lambda at: self._searched(at) == "exhaustive", count(self.shortest))
        low, pool, random, self._left = max([1, *exhausted]), list[Bred](), Random(0), 0
        for state in sorted(states, key=lambda state: inf if state.failing is None else state.failing):
            self._left += int(self.effort * (BREEDING_SQUARED if self.model.strict and self._quadratic else BREEDING))
            high = max_length + 1
            while not self._width(high) and state.failure is None and high > low:
                high = int(high / GROWTH)
            while (high := high if state.failing is None else state.failing) > low + 1:
                middle = min(high - 1, max(low + 2, isqrt(low * high)))
                if not (width := self._width(middle)):
                    break
                lengths = (middle, middle - 1) if middle - 1 > low else (middle,)
                pool = self._evolve(state, states, lengths, pool, width, random)
                if state.below(middle + 1):
                    low = middle
                else:
                    self._shorten(state, states, random)

    def _width(self, length: int) -> int:
        """Words of a generation; 0 where too few can be afforded."""
        width = WIDE
        while width >= NARROW and self._cost(width, length) > self._left // SHARE // FEWEST:
            width //= 2
        return width if width >= NARROW else 0

    def _evolve(
        self, state: _Open, states: list[_Open], lengths: Sequence[int], before: list[Bred], width: int, random: Random
    ) -> list[Bred]:
        """Generations of `width` words of one of the lengths, the one that begins nearer to a wrong decision: in some
        languages all members are of even length. The fittest of the last one; before: those of another length."""
        alphabet, least = self.language.alphabet, self._left - self._left // SHARE
        begun = {}
        for length in filter(state.below, lengths):
            some = [*self._every(length, 1), *(drawn(self.language, random, length) for _ in range(width // 2))]
            first = [*dict.fromkeys([*filter(None, (self._resized(bred, length, random) for bred in before)), *some])]
            near = children(first, alphabet, random, width // 2, {*first})
            begun[length] = fittest(self._bred(state, states, [*first, *near]))
        length = min(begun, key=lambda at: (begun[at][0].distance, -at))
        pool, known = begun[length], {bred.word for bred in begun[length]}
        for _ in range(GENERATIONS):
            words = children([bred.word for bred in pool], alphabet, random, width, known)
            if not words or not state.below(length) or self._left < least:
                break
            pool = fittest([*self._bred(state, states, words), *pool])
        return pool

    def _resized(self, bred: Bred, length: int, random: Random) -> str | None:
        def keeps(word: str) -> bool:
            return is_member(self.construction, word, self.names) == bred.member

        return resized(bred.word, length, self.language.alphabet, random, keeps)

    def _shorten(self, state: _Open, states: list[_Open], random: Random) -> None:
        """Takes symbols out of the word that fails, as long as it still does."""
        tried: str | None = None
        while state.failure is not None and (word := state.failure.word) != tried and (width := self._width(len(word))):
            tried = word
            for taken in (1, 2):
                if state.failure.word == word and len(word) > 1 + taken:
                    self._bred(state, states, without(word, taken, random, width))

    def _bred(self, state: _Open, states: list[_Open], words: list[str]) -> list[Bred]:
        """Runs words that are of one length."""
        length, logits, members = len(words[0]), self.model.logits(words), self._members(words)
        wrong = self._wrong(logits, members, state.rule)
        below = [each for each in states if each.below(length)]
        self._judge(words, logits, members, below)
        for each in below:
            each.probed_to = max(each.probed_to, length)
            if each.below(length):
                each.extent.ran("bred", length, len(words))
        alone = len(wrong[:ALONE]) if state.below(length) else 1
        self._left -= max(CALL, self._cost(len(words), length)) + alone * max(CALL, self._cost(1, length))
        return [*map(Bred, words, members.tolist(), distances(state.rule, logits).tolist())]

    def _probes(self, reached: int, max_length: int) -> Iterator[tuple[int, int]]:
        """Lengths, and how many words of each family can be afforded there; 0 for the last word of each."""
        length, left = reached, self._around
        while length < max_length:
            length = min(max(length + 1, int(length * GROWTH)), max_length)
            families = len(self.language.families) or 1
            most = min(FEW // 2, self.effort // 4 // self._cost(families, length))
            left -= self._cost(families, length) if most < 4 else 0
            if left < 0:
                return
            yield length, most if most >= 4 else 0

    def _worst(self, rule: Rule, words: list[str]) -> list[int]:
        """The places of the misclassified words, the few whose logits are farthest off."""
        logits = self.model.logits(words)
        wrong = self._wrong(logits, self._members(words), rule)
        return sorted(wrong, key=lambda place: -abs(float(logits[place])))[:WORST]

    def _back(self, state: _Open, most: int, places: list[int]) -> None:
        """Runs the words at the same places, and the last of each family, at every length that was passed over.

        Where those are too many, it halves the rest of the distance as long as that finds failures.
        """
        assert state.failure is not None
        passed, failing = max(state.probed_to, state.searched_to), len(state.failure.word)

        def fails(length: int) -> bool:
            words = self._hard(length, most, 0)
            tried = _Open(state.rule, extent=state.extent)
            same = [words[place] for place in places if place < len(words)]
            self._sampled([*same, *self._last(length)], [tried], "followed back")
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


def exhausted(construction: Construction, model: Transformer, names: Environment, rule: Rule, safe: int) -> int:
    """The greatest L such that strict arithmetic decides all words of at most L symbols rightly; -1 where none is.

    As far as the words have at most MOST_EXHAUSTED symbols together; where arrangements are alike, one word for each
    way to count its symbols stands for all. safe: up to there they are known to be right.
    """
    assert model.strict is not None
    alphabet, alike = construction.language.alphabet, arrangements_are_alike(construction)
    length, reached, spent = max(0 if model.network.markers else 1, safe + 1), safe, 0
    while (spent := spent + _cost(construction, model, length, alike)) <= MOST_EXHAUSTED:
        every = by_counts(alphabet, length) if alike else map("".join, product(alphabet, repeat=length))
        for words in _batches(every, BATCH):
            accepted = rule.accepts(model, model.logits(words)).tolist()
            if any(a != is_member(construction, word, names) for word, a in zip(words, accepted, strict=True)):
                return reached
        reached, length = length, length + 1
    return reached


def _cost(construction: Construction, model: Transformer, length: int, alike: bool) -> int:
    """More than MOST_EXHAUSTED where it would be: the number of all words of a length may not fit into memory."""
    letters = len(construction.language.alphabet)
    counts, short = comb(length + letters - 1, letters - 1), min(length, MOST_EXHAUSTED.bit_length())
    words = counts if alike else letters**short
    return max(LEAST_EXHAUSTED, int(words * length * (length if model.quadratic else 1)))


def _batches(words: Iterable[str], size: int) -> Iterator[list[str]]:
    remaining = iter(words)
    while batch := [*islice(remaining, size)]:
        yield batch
