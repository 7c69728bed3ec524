"""Every word up to a length, run: what is decided so needs no derivation, and says nothing of longer words.

The words of one length are run together in enclosures; those whose sign these leave open, one by one by the
interpreter, in balls and then exactly. A word that is wrong counts as any other counterexample does: replayed. Networks
with parameters are not decided so, as no number of parameter values stands for all of them.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from flint import arb, ctx

from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, Vector, add_markers
from weightproof.constructions.meaning.running import appended_to_each
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.refuting.refute import BITS, counterexample
from weightproof.proofs.running.forward import Outputs, outputs
from weightproof.proofs.theorem import EVERYTHING, PROVER, Appends, Decides, OnWords, Predicts
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict, WrongStep

FEW, MOST_SYMBOLS = 1 << 14, 1 << 22
"""Words that are run before anything is derived, and those that are run where there is no proof."""
TOGETHER = 1 << 11
"""Words of one length that are run at a time."""
LOGIT = "logit"
"""The one output of a network that accepts words."""
Found = TypeVar("Found")
NONE_SPOKEN_OF = Unknown("no word was found that satisfies the hypothesis: the theorem may be vacuous")


def are_more(construction: Construction, longest: int, most: int) -> bool:
    """Whether there are more words of up to so many symbols than `most`."""
    words, of_length = 0, 1
    for _ in range(longest + 1):
        words, of_length = words + of_length, of_length * len(construction.language.alphabet)
        if words > most:
            return True
    return False


def by_running(
    up_to: int | None,
    every: Callable[[int], Verdict | None],
    deadline: Deadline,
    by_proof: Callable[[], Verdict],
    by_covering: Callable[[], Verdict | None] = lambda: None,
) -> Verdict:
    """The verdict on a theorem: where it is said up to a length, and so few words are, by running them; else by proof;
    and where that says nothing, by covering all words, or by running more. every: the verdict from the runs, None of
    more words than it is told. TimeUp where the runs take too long."""
    if up_to is None:
        return by_proof()
    few = deadline.during("the run of every word", lambda: every(FEW))
    verdict = by_proof() if few is None else few
    if few is not None or not isinstance(verdict, Unknown):
        return verdict
    covered = by_covering()
    if covered is not None:
        return covered
    more = deadline.during("the run of every word", lambda: every(MOST_SYMBOLS))
    return verdict if more is None else more


def every_word(analysis: Analysis, theorem: OnWords, most: int) -> Verdict | None:
    """The verdict on a theorem with a length up to which it is said; None where the network has parameters, or where
    these are more words than `most`. Raises InternalError where a word is decided in two ways."""
    assert isinstance(theorem, Decides)
    return checked(Decided(analysis, theorem), most)


def checked(check: Check, most: int) -> Verdict | None:
    """As `every_word`, of whatever is said of words."""
    construction, up_to = check.analysis.construction, check.theorem.up_to
    assert up_to is not None
    longest = up_to - len(add_markers(check.analysis.network, ""))
    if construction.parameters or are_more(construction, longest, most):
        return None
    for length in range(longest + 1):
        for some in _together(construction, length):
            decided = check.of(some)
            if decided is not None:
                return decided
    if check.words == 0:
        return NONE_SPOKEN_OF
    return Proved(f"n <= {up_to}", Evidence.BOUNDED, words=check.words)


def _together(construction: Construction, length: int) -> Iterator[list[str]]:
    """The words of a length, so many at a time."""
    of_length = words(construction.language.alphabet, length, length)
    while some := list(itertools.islice(of_length, TOGETHER)):
        yield some


Said = tuple[tuple[str, bool], ...]
"""Of a word: tokens, each with whether it is said to be predicted; or of the logit whether it is said to accept."""


class Check(ABC):
    """A theorem that is held against words. words: how many were decided so far."""

    analysis: Analysis
    theorem: Decides | Predicts
    words: int

    def of(self, words: list[str]) -> Refuted | Unknown | None:
        """Of words of one length; None where all are as they should be. Those are asked that come before one on which a
        formula of the theorem has no value."""
        spoken: dict[str, Said] = {}
        unread: Unknown | None = None
        for word in words:
            try:
                said = self._said_of(word)
            except ArithmeticError as error:
                unread = Unknown(f"on {quoted(word)} a formula of the theorem has no value: {error}")
                break
            if said:
                spoken[word] = said
        if not spoken:
            return unread
        try:
            found: Outputs | None = outputs(self.analysis.network, [*spoken], {})
        except ArithmeticError:  # a weight that has no value at this length, or a choice that is not enclosed
            found = None
        if found is not None and not found.open[0]:
            self._require_enclosed(next(iter(spoken)), found)
        for number, (word, said) in enumerate(spoken.items()):
            try:
                right = None if found is None or found.open[number] else self._by_enclosures(found, number, said)
                if right is None:
                    right = self._by_the_interpreter(word, said)
                wrong = None if right else self._replayed(word)
            except ArithmeticError as error:
                return Unknown(f"on {quoted(word)}: {error}")
            if wrong is not None:
                return Refuted(wrong)
            if not right:
                name = self.analysis.construction.name
                raise InternalError(f"{name} on {word!r}: wrong in enclosures, right when run exactly")
            self.words += 1
        return unread

    def _said_of(self, word: str) -> Said:
        """Nothing where the theorem does not speak of it; ArithmeticError where one of its formulas has no value."""
        tokens, alphabet = add_markers(self.analysis.network, word), self.analysis.construction.language.alphabet

        def true(formula: Expression) -> bool:
            return holds(formula, {}, tokens, alphabet)

        if not tokens or (self.theorem.given.source != EVERYTHING and not true(self.theorem.given)):
            return ()
        return tuple(self._said(true))

    @abstractmethod
    def _said(self, true: Callable[[Expression], bool]) -> Iterable[tuple[str, bool]]:
        """true: whether a formula is, of the word."""

    @abstractmethod
    def _by_enclosures(self, found: Outputs, number: int, said: Said) -> bool | None:
        """Whether the word with this number, among those that were run, is as it should be; None if that is open."""

    @abstractmethod
    def _by_the_interpreter(self, word: str, said: Said) -> bool:
        """The same of the interpreter's run, in balls or exactly; ArithmeticError where that cannot be certified, or a
        weight has no value."""

    @abstractmethod
    def _replayed(self, word: str) -> Counterexample | None:
        """Undecided where it cannot be certified."""

    @abstractmethod
    def _outputs(self, word: str) -> Vector:
        """What the interpreter reads out, in balls."""

    def _require_enclosed(self, word: str, found: Outputs) -> None:
        """What the interpreter reads out of the first of the words lies where it should."""
        try:
            read = self._outputs(word)
        except ArithmeticError:
            return
        for column, name in enumerate(found.names):
            middle, radius = float(found.values.middle[0, column]), float(found.values.radius[0, column])
            with ctx.workprec(BITS):
                output = read[name]
                away = abs((output if isinstance(output, arb) else arb(output)) - arb(middle))
                if away > arb(radius):
                    told = f"the {name if name == LOGIT else f'output {name!r}'} does not lie where it is enclosed"
                    raise InternalError(f"{self.analysis.construction.name} on {word!r}: {told}")


@dataclass
class Decided(Check):
    """That words are accepted as a theorem says."""

    analysis: Analysis
    theorem: Decides
    words: int = 0

    def _said(self, true: Callable[[Expression], bool]) -> Iterable[tuple[str, bool]]:
        return ((LOGIT, true(self.theorem.accepts or self.analysis.construction.language.characterisation)),)

    def _by_enclosures(self, found: Outputs, number: int, said: Said) -> bool | None:
        logit = found.values[number, 0]
        if logit.zero:
            return self._is_right(0, said)
        return self._is_right(1 if logit.positive else -1, said) if logit.positive or logit.negative else None

    def _by_the_interpreter(self, word: str, said: Said) -> bool:
        logit = in_balls_or_exactly(lambda bits: self.analysis.run(word, {}, bits).logit)
        return logit is not None and self._is_right(sign(logit), said)

    def _is_right(self, direction: int, said: Said) -> bool:
        """direction: the sign of the logit."""
        accepted = PROVER.accepted(self.analysis.network.readout.accept)
        is_open = self.theorem.strict and accepted.side and direction == 0
        return (LOGIT, accepted.accepts(direction)) in said and not is_open

    def _replayed(self, word: str) -> Counterexample | None:
        return counterexample(self.analysis.construction, self.theorem, word, {}, replay=self.analysis.replay)

    def _outputs(self, word: str) -> Vector:
        return {LOGIT: self.analysis.run(word, {}, BITS).logit}


def in_balls_or_exactly(run: Callable[[int | None], Found]) -> Found | None:
    """What a run finds, in balls of so many bits, or exactly where these do not tell; None where it has no value."""
    try:
        return run(BITS)
    except NoValue:
        return None
    except Undecided:
        pass
    try:
        return run(None)
    except NoValue:
        return None


def every_token(construction: Construction, theorem: Appends, most: int) -> Verdict | None:
    """As `every_word`, of what a decoder appends; all is exact."""
    network = construction.network
    assert isinstance(network, Decoder)
    assert theorem.up_to is not None
    marker = () if network.begin is None else (network.begin,)
    longest, number = theorem.up_to - len(marker), 0
    if construction.parameters or are_more(construction, longest, most):
        return None
    if network.table is not None and theorem.up_to > len(network.table):
        return Unknown(f"there are {len(network.table)} positions, and words of up to {theorem.up_to} are spoken of")
    wrong: Counterexample | None = None
    for tokens, made in appended_to_each(network, construction.language.alphabet, longest, {}):
        word, alphabet = "".join(tokens), construction.language.alphabet
        if (tokens or marker)[-1] != theorem.behind:
            continue
        try:
            if not holds(theorem.given, {}, (*marker, *tokens), alphabet):
                continue
        except ArithmeticError as error:
            return Unknown(f"on {quoted(word)} the hypothesis has no value: {error}")
        if isinstance(made, ArithmeticError):
            return Unknown(f"on {quoted(word)}: {made}")
        if made.token != theorem.token and (wrong is None or len(word) < len(wrong.word)):
            wrong = Counterexample.at(WrongStep(1, "the token", theorem.token, made.token), construction.name, word)
        number += 1
    if wrong is not None:
        return Refuted(wrong)
    return Proved(f"n <= {theorem.up_to}", Evidence.BOUNDED, words=number) if number else NONE_SPOKEN_OF
