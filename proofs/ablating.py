"""What language an ablated construction is left with, compared with that of the construction as it is.

Words of every length come first, shortest first, run exactly through both. Where none is decided otherwise, the
languages are shown to be equal: by the logit, which is the same in closed form, or by the theorem of the original,
proved of what is left. A longer word may come out of that proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import sympy

from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.interpreter import decision
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.values import difference
from weightproof.constructions.transforms.ablate import PARTS, Ablation, Part, ablations
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prove import prove
from weightproof.proofs.quantities.analysis import Analysis, MaybeDerived
from weightproof.proofs.quantities.runs import InternalError
from weightproof.proofs.refuting.refute import BITS
from weightproof.proofs.refuting.replaying import Base, Question, Questions
from weightproof.proofs.solving.close import confirm
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Result, weakest
from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.linear import Fact
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation, ExplicitSum, Record
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.rules.sums import collect


@dataclass(frozen=True)
class Change:
    """after - before. sums: those that it mentions. facts: the linear side conditions of both derivations and of the
    subtraction."""

    value: Iverson
    sums: tuple[ExplicitSum, ...]
    facts: frozenset[Fact]


def change(before: Derivation, after: Derivation) -> Change:
    """The logit after, less that before. Underivable where a norm scales one of them: the scales of two networks have
    nothing in common, and their difference would say nothing."""
    if before.scales or after.scales:
        raise Underivable("a norm scales the logit")
    vocabulary, record = before.vocabulary, Record(facts={*before.facts, *after.facts})
    record.sums |= before.sums
    names: dict[sympy.Symbol, sympy.Symbol] = {}
    for symbol, total in after.sums.items():  # a body mentions only sums before it
        names[symbol] = record.explicit(total.lo, total.hi, substitute(total.body, names))
    words = vocabulary.words(record.facts)
    difference = substitute(after.logit, names) - before.logit
    difference = vocabulary.tokens_in_range(vocabulary.without_first_count(difference), words)
    value = normalise(collect(difference, record, words, vocabulary), words)
    return _numbered(Change(value, tuple(_mentioned(value, record)), frozenset(record.facts)))


def _mentioned(value: Iverson, record: Record) -> list[ExplicitSum]:
    """In the order of their numbers, also those that only the body of another one mentions."""
    wanted, found = set(value.free_symbols), []
    for symbol in reversed(record.sums):
        if symbol in wanted:
            found.append(record.sums[symbol])
            wanted |= record.sums[symbol].body.free_symbols
    return found[::-1]


def _numbered(found: Change) -> Change:
    """With the sums called S1, S2, ... again."""
    names = {total.symbol: sympy.Symbol(f"S{k}", real=True) for k, total in enumerate(found.sums, start=1)}
    sums = tuple(replace(x, symbol=names[x.symbol], body=substitute(x.body, names)) for x in found.sums)
    return Change(substitute(found.value, names), sums, found.facts)


WORDS = 1 / 3
"""The share of the time for one component in which words are run."""
CHECKED = 8
"""Words, about, on which the change of a logit is held against two runs."""
Fate = Literal["lost", "gained"]


@dataclass(frozen=True)
class Word:
    """A word that only one of the two accepts; lost: the original does. shortest: no shorter one was tried that is
    decided otherwise, and all were tried, at the sampled parameters."""

    word: str
    parameters: dict[str, str]
    fate: Fate
    shortest: bool


@dataclass(frozen=True)
class Effect:
    """What is left of a construction without a component. verdict: whether the language is the same; by: what shows
    that, as "the same logit". change: of the logit, None where `no_change` says why."""

    ablation: Ablation
    verdict: Literal["same", "other", "unknown", "not made"]
    word: Word | None = None
    by: str = ""
    evidence: Evidence | None = None
    reason: str = ""
    change: Change | None = None
    no_change: str = ""


@dataclass
class Original:
    """A construction whose components are taken out, with what is known of it: whether its theorem is proved, its
    derivation, and which words it accepts."""

    construction: Construction
    theorem: Decides
    timeout: float
    result: Result
    derivation: MaybeDerived
    questions: Questions
    base: Base
    _accepted: dict[Question, bool | None] = field(default_factory=dict)

    @staticmethod
    def of(construction: Construction, theorem: Decides, timeout: float) -> Original:
        network, analysis = construction.encoder, Analysis(construction)
        [result] = prove(construction, [theorem], timeout=timeout)
        questions = Questions(construction, theorem)
        questions.add_words()
        derivation = analysis.maybe_derived(None, Deadline.after(timeout))
        return Original(construction, theorem, timeout, result, derivation, questions, Base(network))

    def accepts(self, question: Question) -> bool | None:
        """None where that is open, or where there is no value."""
        if question not in self._accepted:
            self._accepted[question] = _accepts(self.base.network, self.base, question)
        return self._accepted[question]

    def effects(self, parts: tuple[Part, ...] = PARTS) -> Iterator[Effect]:
        """Of each component in turn."""
        for ablation in ablations(self.base.network, parts):
            yield self.effect(ablation)

    def effect(self, ablation: Ablation) -> Effect:
        if ablation.network is None:
            return Effect(ablation, "not made", reason=ablation.reason)
        name = after(self.construction.name, (f"{ablation.how} {ablation.component}",))
        changed = replace(self.construction, name=name, network=ablation.network)
        deadline = Deadline.after(self.timeout)
        word = self._told_apart(ablation.network, deadline.share(WORDS))
        derivation = Analysis(changed).maybe_derived(None, deadline.share(2 / 3))
        found, reason = self._change(derivation, deadline)
        if found is not None:
            self._require_right(found, ablation.network)
        if word is not None:
            self._replay(word, changed)
            return Effect(ablation, "other", word, change=found, no_change=reason)
        return self._unless_told_apart(Effect(ablation, "unknown", change=found, no_change=reason), changed, deadline)

    def _told_apart(self, network: Encoder, deadline: Deadline) -> Word | None:
        """The first word that one accepts and the other does not; None where there is none, or no time."""
        base = Base(network)

        def search() -> Word | None:
            for question in self.questions.known:
                before, now = self.accepts(question), _accepts(network, base, question)
                if before is not None and now is not None and before != now:
                    fate: Fate = "lost" if before else "gained"
                    shortest = self.questions.tried_all(len(question.word))
                    return Word(question.word, dict(question.parameters), fate, shortest)
            return None

        try:
            return deadline.during("the run of words", search)
        except TimeUp:
            return None

    def _replay(self, found: Word, changed: Construction) -> None:
        """Raises InternalError where the interpreter does not decide a word as was said."""
        bits = BITS if self.base.network.normed else None
        before, now = (run(each, found.word, found.parameters, bits) for each in (self.construction, changed))
        if (before.accepts, now.accepts) != (found.fate == "lost", found.fate == "gained"):
            raise InternalError(f"{changed.name} on {found.word!r}: not {found.fate} when it is run again")

    def _change(self, derivation: MaybeDerived, deadline: Deadline) -> tuple[Change | None, str]:
        before = self.derivation
        for each in (before, derivation):
            if not isinstance(each, Derivation):
                return None, f"no closed form: {each}"
        assert isinstance(before, Derivation)
        assert isinstance(derivation, Derivation)
        try:
            return deadline.during("the subtraction", lambda: change(before, derivation)), ""
        except (Underivable, TimeUp) as error:
            return None, str(error)

    def _require_right(self, found: Change, network: Encoder) -> None:
        """Raises InternalError where the change of the logit is not that of the two runs of a word."""
        assert isinstance(self.derivation, Derivation)
        as_logit = replace(self.derivation, logit=found.value, sums={total.symbol: total for total in found.sums})
        base = Base(network)
        for question in self.questions.known[:: max(len(self.questions.known) // CHECKED, 1)]:
            try:
                ran = base.logit(network, question) - self.base.logit(self.base.network, question)
                said = evaluate_logit(as_logit, question.tokens, question.names)
                same = sign(difference(ran, said)) == 0
            except Undecided:
                continue
            if not same:
                raise InternalError(
                    f"{self.construction.name} on {question.word!r}: the derived change of the logit is not that of "
                    "the two runs"
                )

    def _unless_told_apart(self, effect: Effect, changed: Construction, deadline: Deadline) -> Effect:
        """Where no word that was run tells the two apart."""
        if effect.change is not None and not effect.change.value.terms and isinstance(self.derivation, Derivation):
            closed = confirm(effect.change.facts, self.derivation.vocabulary, self.timeout)
            if closed.evidence is not None:
                return replace(effect, verdict="same", by="the same logit", evidence=Evidence.CERTIFICATE)
        if not isinstance(self.result.verdict, Proved):
            return replace(effect, reason="no short word is decided otherwise, and the original is not proved")
        [result] = prove(changed, [self.theorem], timeout=max(deadline.remaining(), 1.0))
        match result.verdict:
            case Proved(evidence=evidence):
                both = weakest((evidence, self.result.verdict.evidence))
                return replace(effect, verdict="same", by="both recognise it", evidence=both)
            case Refuted(counterexample=found):
                fate: Fate = "lost" if found.member else "gained"
                return replace(effect, verdict="other", word=Word(found.word, found.parameters, fate, False))
            case unknown:
                return replace(effect, reason=getattr(unknown, "reason", ""))


def _accepts(network: Encoder, base: Base, question: Question) -> bool | None:
    try:
        accepts, _ = decision(network.readout, base.logit(network, question))
    except ArithmeticError:
        return None
    return accepts
