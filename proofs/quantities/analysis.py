"""A construction under judgement: its probes, their derivations and their runs, each made once, and the facts that were
used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import ahead
from weightproof.constructions.meaning.outputs import logit_difference
from weightproof.constructions.meaning.running import Prediction, Run, predict, run
from weightproof.constructions.meaning.schema import Encoder, Readout, UnknownChoice
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.quantities.probe import AttentionPoint, Point, preference, probe
from weightproof.proofs.quantities.runs import CERTAIN, WORK, Runs, compare, few_words, many_words, sampled
from weightproof.symbolic.algebra.linear import Context, Fact
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.forward import derive

DERIVATION_SECONDS = 30.0
"""For a derivation that no theorem asks for."""

MaybeDerived = Derivation | Underivable | TimeUp
"""The derivation; or that no rule covers a step; or that it takes too long."""
DERIVES = "the derivation"
"""The stage of the work that a deadline names."""


def derived_in_time(construction: Construction, deadline: Deadline | None = None) -> MaybeDerived:
    """Derive a construction, within DERIVATION_SECONDS where no deadline is given."""
    within = Deadline.after(DERIVATION_SECONDS) if deadline is None else deadline
    try:
        return within.during(DERIVES, lambda: derive(construction))
    except (Underivable, TimeUp) as error:
        return error
    except OverflowError:
        return Underivable("its numbers are too long for the polynomials of its closed form")


DERIVING = 1 / 2
"""The share of the time for a judgement that a derivation takes at most."""

Place = Point | AttentionPoint | None
"""Where a probe stops; None is the end."""


@dataclass
class Analysis:
    """timeout: seconds for one judgement. ledger: the linear facts behind everything that was judged."""

    construction: Construction
    timeout: float = 20.0
    ledger: set[Fact] = field(default_factory=set)
    _probes: dict[Place, Construction] = field(default_factory=dict)
    _derivations: dict[Place, Derivation | Underivable] = field(default_factory=dict)
    _too_few: dict[Place, float] = field(default_factory=dict)
    """Seconds of counted work, the most that were tried, in which there was no derivation."""
    _runs: dict[tuple[Place, tuple[tuple[str, Expression], ...], bool], Runs] = field(default_factory=dict)
    _replays: dict[tuple[object, ...], Run | ArithmeticError] = field(default_factory=dict)
    _outputs: dict[tuple[str, str | None], Analysis] = field(default_factory=dict)
    _preferences: dict[AttentionPoint, Analysis] = field(default_factory=dict)
    _whole: Callable[[Sequence[str], Mapping[str, str], int | None], Run] | None = None
    """Of one output: what the whole network makes of a word, which is run once for all of them."""
    _predictions: dict[tuple[object, ...], Prediction | ArithmeticError] = field(default_factory=dict)

    @property
    def network(self) -> Encoder:
        return self.construction.encoder

    @property
    def alphabet(self) -> tuple[str, ...]:
        return self.construction.language.alphabet

    def probe(self, point: Place) -> Construction:
        """The construction, or the probe that stops at a point."""
        if point is None:
            return self.construction
        if point not in self._probes:
            self._probes[point] = probe(self.construction, point)
        return self._probes[point]

    def output(self, token: str, over_other: str | None = None) -> Analysis:
        """Of a network that predicts a token or a class: one output, or by how much it is ahead of another one."""
        key = token, over_other

        def run_whole(word: Sequence[str], parameters: Mapping[str, str], bits: int | None) -> Run:
            try:  # exactly, sums of many different powers of e take long
                return _output(self.network.readout, self.prediction(word, parameters, CERTAIN), *key)
            except Undecided:
                return _output(self.network.readout, self.prediction(word, parameters, bits), *key)

        if key not in self._outputs:
            self._outputs[key] = Analysis(
                logit_difference(self.construction, *key), self.timeout, self.ledger, _whole=run_whole
            )
        return self._outputs[key]

    def preference(self, point: AttentionPoint) -> Analysis:
        """By how much more weight a head gives to one position than to another."""
        if point not in self._preferences:
            self._preferences[point] = Analysis(preference(self.construction, point), self.timeout, self.ledger)
        return self._preferences[point]

    def prediction(self, word: Sequence[str], parameters: Mapping[str, str], bits: int | None = None) -> Prediction:
        """What the interpreter predicts after a word, or the ArithmeticError that it raises."""
        key = (*word, *parameters.items(), bits)
        if key not in self._predictions:
            try:
                self._predictions[key] = predict(self.construction, word, parameters, bits, unread=False)
            except ArithmeticError as error:
                self._predictions[key] = error
        known = self._predictions[key]
        if isinstance(known, ArithmeticError):
            raise known
        return known

    def run(self, word: Sequence[str], parameters: Mapping[str, str], bits: int | None) -> Run:
        """The interpreter's run of a word."""
        if self._whole is not None:
            return self._whole(word, parameters, bits)
        return run(self.construction, word, parameters, bits, unread=False)

    def maybe_derived(self, point: Place = None, deadline: Deadline | None = None) -> MaybeDerived:
        """What came of deriving the construction, or its probe, the first time that it was asked for; deadline: of that
        one, a share of the time for a judgement where none is given. That it takes too long holds of the time that
        there was: whoever has more has it derived anew."""
        if point in self._derivations:
            return self._derivations[point]
        within = Deadline.after(self.timeout * DERIVING) if deadline is None else deadline
        seconds = within.remaining()
        if seconds <= self._too_few.get(point, -1.0):
            return within.given_up(DERIVES)
        try:
            target = self.probe(point)
        except UnknownChoice as error:
            return Underivable(str(error))
        found = derived_in_time(target, within)
        if not isinstance(found, TimeUp):
            self._derivations[point] = found
        elif within.remaining() == 0:  # and not a user's own limit, which is no count of work
            self._too_few[point] = seconds
        return found

    def derivation(self, point: Place = None) -> Derivation:
        """As `maybe_derived`; Underivable where no rule applies or the network may have no value, TimeUp where it takes
        too long."""
        derived = self.maybe_derived(point)
        if not isinstance(derived, Derivation):
            raise derived
        if derived.nonzero:
            raise Underivable("a norm with epsilon = 0 may have no value on some word")
        self.ledger |= derived.facts
        return derived

    def replay(self, word: Sequence[str], parameters: Mapping[str, str], bits: int | None) -> Run:
        """The interpreter's run of a short word, or the ArithmeticError that it raises, for all theorems alike."""
        key = (*word, *parameters.items(), bits)
        if key not in self._replays:
            try:
                self._replays[key] = self.run(word, parameters, bits)
            except ArithmeticError as error:
                self._replays[key] = error
        known = self._replays[key]
        if isinstance(known, ArithmeticError):
            raise known
        return known

    def words(self, derivation: Derivation) -> Context:
        """What holds of every word; the facts that are used go to the ledger."""
        return derivation.vocabulary.words(self.ledger)

    def runs(self, point: Place, at: Mapping[str, Expression], brief: bool = False) -> Runs:
        """Runs on words of many lengths, against which all that is proved is held, the derivation, where there is one,
        first of all.

        at: values of some parameters, formulas in n. brief: on few words, as there are many probes. They are exact,
        or of a network with norms in balls.

        Raises InternalError where the derived logit is not that of a run.
        """
        key = (point, tuple(at.items()), brief)
        if key not in self._runs:
            target, chosen = self.probe(point), few_words if brief else many_words
            found = self.maybe_derived(point)
            derived = found if isinstance(found, Derivation) else None
            runner, bits = self.run if point is None else None, CERTAIN if self.network.normed else None
            made = sampled(target, chosen(target, at), WORK, derived, bits, runner)
            if point is None and derived is not None:
                compare(target, derived, made.decided)
            self._runs[key] = made
        return self._runs[key]


def _output(readout: Readout, found: Prediction, token: str, over_other: str | None) -> Run:
    output = found.outputs[token] if over_other is None else ahead(readout, found.outputs, token, over_other)
    direction = sign(output)
    return Run(found.tokens, found.streams, output, direction > 0, direction != 0)
