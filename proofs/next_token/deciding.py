"""Decides a theorem about predicted tokens: each of its parts is a theorem about a recogniser, proved as those are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from weightproof.proofs.automata.cases import Case
from weightproof.proofs.covering.certificate import Positions
from weightproof.proofs.covering.deciding import by_covering
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.deciding import EARLY, LONGEST_EARLY, VACUOUS, decide
from weightproof.proofs.deciding import require_true as require_true_of_words
from weightproof.proofs.next_token import counting
from weightproof.proofs.next_token.replaying import Predicted, every_prediction, misprediction, require_true, search
from weightproof.proofs.prover import SEARCH
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.refuting.long import marked, read
from weightproof.proofs.refuting.search import FIRST_SEARCH
from weightproof.proofs.running.every import by_running
from weightproof.proofs.solving.close import SIDE_CONDITIONS, Closed
from weightproof.proofs.theorem import Part, Predicts, parts
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict, weakest

BRIEFLY = 3.0
"""Seconds of counted work for an output of which it is enough that it is one of them."""


def predicted(
    analysis: Analysis, theorem: Predicts, timeout: float
) -> tuple[Verdict, tuple[Closed, ...], tuple[Positions, ...], tuple[Case, ...]]:
    """What is reached in time, in seconds, the obligations that were tried, of a proof by covering its sets, and of one
    by automata the kinds of words.

    Raises InternalError where what was proved is wrong of a word that is run.
    """
    deadline, closed, positions, cases = Deadline.after(timeout), list[Closed](), list[Positions](), list[Case]()
    every = partial(every_prediction, analysis, theorem)
    by_proof = partial(_by_proof, analysis, theorem, deadline, closed, cases)
    covered = partial(_covered, analysis, theorem, deadline, positions)
    try:
        verdict = by_running(theorem.up_to, every, deadline, by_proof, covered)
    except TimeUp as error:
        verdict = Unknown(str(error), timed_out=True)
    return verdict, tuple(closed), tuple(positions), tuple(cases)


def _covered(analysis: Analysis, theorem: Predicts, deadline: Deadline, positions: list[Positions]) -> Verdict | None:
    """The verdict, if any; the sets go to `positions`."""
    verdict, found = by_covering(Predicted(analysis, theorem), deadline)
    positions += found
    return verdict


def _by_proof(
    analysis: Analysis, theorem: Predicts, deadline: Deadline, closed: list[Closed], cases: list[Case]
) -> Verdict:
    """The verdict; the obligations that are tried go to `closed`, the kinds of words of automata to `cases`."""
    try:
        first = Deadline.after(min(deadline.seconds * EARLY, LONGEST_EARLY))
        early = first.during(SEARCH, lambda: search(analysis, theorem, FIRST_SEARCH))
    except TimeUp:
        early = None
    if early is not None:
        return Refuted(early)
    all_parts = list(parts(analysis.construction, theorem))
    verdicts: list[Verdict] = []
    for number, part in enumerate(all_parts):
        until = Deadline.after(deadline.remaining() / (len(all_parts) - number))
        verdicts.append(_part(analysis, theorem, part, until, closed, cases))
        if not isinstance(verdicts[-1], Proved) and verdicts[-1] != VACUOUS:
            return _of_long_words(analysis, theorem, part, verdicts[-1], deadline)
    proved = [verdict for verdict in verdicts if isinstance(verdict, Proved)]
    if not proved:
        return VACUOUS
    undecided = require_true(analysis, theorem)
    if undecided is not None:
        return undecided
    scope = "all lengths" if theorem.up_to is None else f"n <= {theorem.up_to}"
    return Proved(scope, weakest(each.evidence for each in proved))


def _of_long_words(analysis: Analysis, theorem: Predicts, part: Part, verdict: Verdict, deadline: Deadline) -> Verdict:
    """Where there is no proof and no word that can be run, what words say that are too long for that."""
    if not isinstance(verdict, Unknown):
        return verdict
    try:
        found = deadline.during(SEARCH, lambda: counting.search(analysis, theorem, part))
    except TimeUp:
        found = None
    return verdict if found is None else Refuted(found)


def _part(
    analysis: Analysis,
    theorem: Predicts,
    part: Part,
    deadline: Deadline,
    closed: list[Closed],
    cases: list[Case],
) -> Verdict:
    """Of a token that is predicted, each of the others has to be less; of one that is not, one of them is enough."""
    proved: list[Proved] = []
    open_one: Unknown | None = None
    for other, seconds, longer in _shares(part, deadline):
        verdict, tried, kinds = _over(analysis, part, other, seconds, longer)
        if isinstance(verdict, Refuted):
            found = _replayed(analysis, theorem, verdict)
            if found is not None:
                return Refuted(found)
            if not part.predicted:
                continue
            verdict = Unknown(f"{part.compares(other).name}: the word that refutes it was not replayed")
        if isinstance(verdict, Unknown) and verdict != VACUOUS:
            if part.predicted:
                return verdict
            open_one = verdict
            continue
        closed += tried
        cases += kinds
        if verdict == VACUOUS:
            return verdict  # of the words, which are the same for all others
        assert isinstance(verdict, Proved)
        proved.append(verdict)
        if not part.predicted:
            return verdict
    if proved:
        return max(proved, key=lambda each: list(Evidence).index(each.evidence))
    none = Unknown(f"no other output is found to be at least that of {part.token!r} on all of these words")
    return none if open_one is None else open_one


def _shares(part: Part, deadline: Deadline) -> Iterator[tuple[str, float, bool]]:
    """The others, each with its time, and whether longer words are looked for where there is no proof. Where one of
    them is enough each is first asked briefly, for a proof alone: most of the time goes to those that are not it, and
    of which nothing can be shown."""
    if not part.predicted:
        for other in part.others:
            yield other, min(BRIEFLY, deadline.remaining() / (2 * len(part.others))), False
    for number, other in enumerate(part.others):
        yield other, deadline.remaining() / (len(part.others) - number), True


def _over(
    analysis: Analysis, part: Part, other: str, seconds: float, longer: bool
) -> tuple[Verdict, list[Closed], list[Case]]:
    if seconds <= 0:
        return Unknown("time-out before the proof of all parts", timed_out=True), [], []
    of_pair, compares = analysis.output(part.token, other), part.compares(other)
    verdict, tried = decide(of_pair, compares, seconds, searched=part.predicted, longer=longer)
    if isinstance(verdict, Proved):
        undecided = require_true_of_words(of_pair, compares)
        verdict = verdict if undecided is None else undecided
    named = [item if item.obligation.name == SIDE_CONDITIONS else item.named(compares.name) for item in tried.closed]
    if isinstance(verdict, Unknown) and verdict != VACUOUS:
        verdict = replace(verdict, reason=f"{compares.name}: {verdict.reason}")
    return verdict, named, [case.named(compares.name) for case in tried.cases]


def _replayed(analysis: Analysis, theorem: Predicts, verdict: Refuted) -> Counterexample | None:
    """The word that refutes a part, where it breaks the theorem."""
    found = verdict.counterexample
    if found.counted:
        tokens = marked(analysis.network, read(found.word))
        return counting.misprediction_in_runs(analysis.construction, theorem, tokens, found.parameters)
    return misprediction(analysis, theorem, found.word, found.parameters)
