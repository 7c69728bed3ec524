"""Every word up to a length, run: what is decided so needs no derivation, and says nothing of longer words.

The words of one length are run together in enclosures; those whose sign these leave open, one by one by the
interpreter, in balls and then exactly. A word that is wrong counts as any other counterexample does: replayed. Networks
with parameters are not decided so, as no number of parameter values stands for all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flint import arb, ctx

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.decoding import appended_to_each
from weightproof.constructions.meaning.interpreter import NoValue, mark
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.numbers import sign
from weightproof.constructions.scalars.values import holds
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.quantities.subject import Subject
from weightproof.proofs.refuting.refute import BITS, counterexample
from weightproof.proofs.running.forward import Outputs, outputs
from weightproof.proofs.theorem import EVERYTHING, PROVER, Appends, Decides, OnWords
from weightproof.proofs.verdict import Divergence, Evidence, Proved, Refuted, Unknown, Verdict

FEW, MOST = 1 << 14, 1 << 22
"""Words that are run before anything is derived, and those that are run where there is no proof."""
TOGETHER = 1 << 11
"""Words of one length that are run at a time."""
WITHOUT_VALUE = 2
"""In the place of a sign."""
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
    up_to: int | None, every: Callable[[int], Verdict | None], deadline: Deadline, by_proof: Callable[[], Verdict]
) -> Verdict:
    """The verdict on a theorem: where it is said up to a length, and so few words are, by running them; else by proof;
    and where that says nothing, by running more. every: the verdict from the runs, None of more words than it is told.
    TimeUp where the runs take too long."""
    if up_to is None:
        return by_proof()
    few = deadline.during("the run of every word", lambda: every(FEW))
    verdict = by_proof() if few is None else few
    if few is not None or not isinstance(verdict, Unknown):
        return verdict
    more = deadline.during("the run of every word", lambda: every(MOST))
    return verdict if more is None else more


def every_word(subject: Subject, theorem: OnWords, most: int) -> Verdict | None:
    """The verdict on a theorem with a length up to which it is said; None where the network has parameters, or where
    these are more words than `most`. Raises InternalError where a word is decided in two ways."""
    construction = subject.construction
    assert isinstance(theorem, Decides)
    assert theorem.up_to is not None
    longest = theorem.up_to - len(mark(subject.network, ""))
    if construction.parameters or are_more(construction, longest, most):
        return None
    check = _Check(subject, theorem)
    for length in range(longest + 1):
        for words in _together(construction, length):
            decided = check.of(words)
            if decided is not None:
                return decided
    if check.words == 0:
        return NONE_SPOKEN_OF
    return Proved(f"n <= {theorem.up_to}", Evidence.BOUNDED, words=check.words)


def _together(construction: Construction, length: int) -> Iterator[list[str]]:
    """The words of a length, so many at a time."""
    words = map("".join, itertools.product(construction.language.alphabet, repeat=length))
    while some := list(itertools.islice(words, TOGETHER)):
        yield some


@dataclass
class _Check:
    """words: how many were decided so far."""

    subject: Subject
    theorem: Decides
    words: int = 0

    def of(self, words: list[str]) -> Refuted | Unknown | None:
        """Of words of one length; None where all are as they should be. Those are asked that come before one on which a
        formula of the theorem has no value."""
        construction, theorem, network = self.subject.construction, self.theorem, self.subject.network
        formula, of_all = theorem.accepts or construction.language.characterisation, theorem.given.source == EVERYTHING
        wanted: dict[str, bool] = {}
        unread: Unknown | None = None
        for word in words:
            tokens = mark(network, word)
            try:
                if tokens and (of_all or holds(theorem.given, {}, tokens, construction.language.alphabet)):
                    wanted[word] = holds(formula, {}, tokens, construction.language.alphabet)
            except ArithmeticError as error:
                unread = Unknown(f"on {word!r} a formula of the theorem has no value: {error}")
                break
        if not wanted:
            return unread
        spoken = list(wanted)
        try:
            found: Outputs | None = outputs(network, spoken, {})
        except ArithmeticError:  # a weight that has no value at this length
            found = None
        if found is not None and not found.open[0]:
            self._require_enclosed(spoken[0], found)
        for number, word in enumerate(spoken):
            direction = None if found is None else _sign(found, number)
            if direction is None:
                try:
                    direction = self._by_the_interpreter(word)
                except ArithmeticError as error:
                    return Unknown(f"on {word!r}: {error}")
            above = PROVER.accepts_above(network.readout.accept)
            accepts = direction == 1 if above else direction == 0
            is_open = above and direction == 0
            if direction == WITHOUT_VALUE or accepts != wanted[word] or (theorem.strict and is_open):
                wrong = counterexample(construction, theorem, word, {}, replay=self.subject.replay)
                if wrong is None:
                    raise InternalError(f"{construction.name} on {word!r}: wrong in enclosures, right when run exactly")
                return Refuted(wrong)
            self.words += 1
        return unread

    def _by_the_interpreter(self, word: str) -> int:
        """The sign of the logit, WITHOUT_VALUE where there is none; Undecided where it cannot be certified, and another
        ArithmeticError where a weight has no value."""
        for bits in (BITS, None):
            try:
                result = self.subject.run(word, {}, bits)
            except NoValue:
                return WITHOUT_VALUE
            except Undecided:
                if bits is None:
                    raise
                continue
            return sign(result.logit)
        raise AssertionError("the exact run answers or raises")

    def _require_enclosed(self, word: str, found: Outputs) -> None:
        """The interpreter's logit on the first of the words lies where it should."""
        try:
            logit = self.subject.run(word, {}, BITS).logit
        except ArithmeticError:
            return
        middle, radius = float(found.values.middle[0, 0]), float(found.values.radius[0, 0])
        with ctx.workprec(BITS):
            away = abs((logit if isinstance(logit, arb) else arb(logit)) - arb(middle))
            if away > arb(radius):
                name = self.subject.construction.name
                raise InternalError(f"{name} on {word!r}: the logit does not lie where it is enclosed")


def _sign(found: Outputs, number: int) -> int | None:
    """That of the logit of a word; None where the enclosure leaves it open."""
    if found.open[number]:
        return None
    logit = found.values[number, 0]
    if logit.zero:
        return 0
    return 1 if logit.positive else -1 if logit.negative else None


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
    wrong: Divergence | None = None
    for tokens, made in appended_to_each(network, construction.language.alphabet, longest, {}):
        word, alphabet = "".join(tokens), construction.language.alphabet
        if (tokens or marker)[-1] != theorem.behind:
            continue
        try:
            if not holds(theorem.given, {}, (*marker, *tokens), alphabet):
                continue
        except ArithmeticError as error:
            return Unknown(f"on {word!r} the hypothesis has no value: {error}")
        if isinstance(made, ArithmeticError):
            return Unknown(f"on {word!r}: {made}")
        if made.token != theorem.token and (wrong is None or len(word) < len(wrong.word)):
            wrong = Divergence(construction.name, word, 1, "the token", theorem.token, made.token)
        number += 1
    if wrong is not None:
        return Refuted(wrong)
    return Proved(f"n <= {theorem.up_to}", Evidence.BOUNDED, words=number) if number else NONE_SPOKEN_OF
