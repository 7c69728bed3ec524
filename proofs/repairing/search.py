"""The search for the smallest change that turns a refuted theorem of a construction into a proved one.

Every candidate is run on the words that have discarded others, then on short and on regular words; what decides them
all rightly is given to the prover. A word that refutes it there is asked of all candidates after it.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import Encoder
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.deciding import decide
from weightproof.proofs.prove import prove
from weightproof.proofs.prover import SEARCH
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting.margins import NoWord
from weightproof.proofs.refuting.replaying import Base, Questions
from weightproof.proofs.refuting.search import late
from weightproof.proofs.repairing.candidates import KEYS, TWO, Candidate, Edit, Kind, double, single
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Counterexample, Proved, Result, Unknown
from weightproof.symbolic.derivation import Derivation

WORDS, PROOF = 5.0, 10.0
"""Seconds for one candidate: for the words that it is run on, and for its proof."""
LONGER = 3_000_000
"""Steps of the search for a longer word, where a solver has a countermodel."""
REPAIRED = "repaired"
"""What a construction is called after its repair."""


@dataclass(frozen=True)
class Repair:
    """A change after which the theorem is proved; result: of the changed construction."""

    kind: str
    edits: tuple[Edit, ...]
    construction: Construction
    result: Result


@dataclass(frozen=True)
class Unsettled:
    """A candidate that no word refutes and that is not proved, and why."""

    candidate: Candidate
    reason: str


@dataclass
class Tried:
    """What became of the candidates of one kind so far: `outcomes` by what happened to each."""

    kind: str
    count: int
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def candidates(self) -> int:
        return self.outcomes.total()

    @property
    def proofs(self) -> int:
        """How many were given to the prover."""
        return sum(self.outcomes[name] for name in (PROVED, REFUTED, OPEN))


BY_WORDS, PROVED, REFUTED, OPEN, MALFORMED = OUTCOMES = "discarded by words", "proved", "refuted", "open", "malformed"
"""What becomes of a candidate: by words, or else by the prover; malformed is what the schema refuses."""
Advance = Callable[[str, int, int], None]
"""Told the kind, how many candidates of it were tried, and how many there are."""


@dataclass
class Search:
    """What a search has reached so far, which is kept when it is interrupted. keys: the kinds that are tried; most: how
    many repairs are enough."""

    construction: Construction
    theorem: Decides
    keys: Sequence[str] = KEYS
    most: int = 1
    found: list[Repair] = field(default_factory=list)
    tried: list[Tried] = field(default_factory=list)
    unsettled: list[Unsettled] = field(default_factory=list)
    seconds: float = 0.0
    discarding: float = 0.0
    """The part of the seconds in which candidates were discarded by words."""
    timed_out: bool = False

    def run(self, refuted_by: Counterexample, timeout: float, advance: Advance) -> None:
        """Tries the candidates in their order until enough are proved, or the time is up, in seconds."""
        begin, deadline = time.monotonic(), Deadline.after(timeout)
        try:
            self._run(refuted_by, deadline, advance)
        except TimeUp:
            self.timed_out = True
        finally:
            self.seconds = time.monotonic() - begin

    def _run(self, refuted_by: Counterexample, deadline: Deadline, advance: Advance) -> None:
        network, questions = self.construction.encoder, Questions(self.construction, self.theorem)
        alone = deadline.during("the making of candidates", lambda: single(self.construction))
        deadline.during("the making of words", questions.add_words)
        questions.add(refuted_by)
        for kind in (kind for kind in alone if kind.key in self.keys):
            self._try(kind, questions, deadline, advance)
        unsettled = {change for each in self.unsettled for change in each.candidate.changes}
        for kind in double(network, alone, unsettled) if TWO in self.keys else ():
            self._try(kind, questions, deadline, advance)

    def _try(self, kind: Kind, questions: Questions, deadline: Deadline, advance: Advance) -> None:
        if len(self.found) >= self.most:
            return
        tried = Tried(kind.name, kind.count())
        self.tried.append(tried)
        for candidate, base in _with_base(kind, self.construction.encoder):
            advance(kind.name, tried.candidates, tried.count)
            tried.outcomes[self._outcome(candidate, base, questions, deadline)] += 1
            if len(self.found) >= self.most:
                return

    def _outcome(self, candidate: Candidate, base: Base, questions: Questions, deadline: Deadline) -> str:
        words, begin = Deadline.after(min(WORDS, deadline.remaining())), time.monotonic()
        try:
            if words.during("the run of words", lambda: questions.discards(candidate.network, base)):
                self.discarding += time.monotonic() - begin
                return BY_WORDS
        except TimeUp as error:
            return self._open(candidate, str(error), deadline)
        try:
            name = after(self.construction.name, (REPAIRED,))
            changed = replace(self.construction, name=name, network=candidate.network)
        except ConstructionError:
            return MALFORMED
        analysis = Analysis(changed)
        verdict, _ = decide(analysis, self.theorem, min(PROOF, deadline.remaining()), searched=True, longer=False)
        if isinstance(verdict, Proved):
            [result] = prove(changed, [self.theorem], timeout=min(PROOF, deadline.remaining()))
            if isinstance(result.verdict, Proved):
                self.found.append(Repair(self.tried[-1].kind, candidate.edits, changed, result))
                return PROVED
            verdict = result.verdict
        assert isinstance(verdict, Unknown)
        word = self._refuting(analysis, verdict, deadline)
        if word is None:
            return self._open(candidate, verdict.reason, deadline)
        questions.add(word)
        return REFUTED

    def _refuting(self, analysis: Analysis, verdict: Unknown, deadline: Deadline) -> Counterexample | None:
        """A longer word that refutes what a solver has a countermodel of."""
        if verdict.obligation is None or not isinstance(derivation := analysis.maybe_derived(), Derivation):
            return None
        known = None if derivation.scales else derivation
        found: list[Counterexample | NoWord] = []
        with contextlib.suppress(TimeUp):
            searched = late(analysis.construction, self.theorem, known, LONGER)
            deadline.during(SEARCH, lambda: found.extend(itertools.islice(searched, 1)))
        return next((word for word in found if isinstance(word, Counterexample)), None)

    def _open(self, candidate: Candidate, reason: str, deadline: Deadline) -> str:
        if deadline.remaining() == 0:
            raise TimeUp(reason)
        self.unsettled.append(Unsettled(candidate, reason))
        return OPEN


def _with_base(kind: Kind, network: Encoder) -> Iterator[tuple[Candidate, Base]]:
    """Each candidate, with what is known of the network that it was made of."""
    base = Base(network)
    for candidate in kind.candidates(network):
        if candidate.before is not base.network:
            base = Base(candidate.before)
        yield candidate, base
