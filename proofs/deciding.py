"""Decides a theorem: proved by obligations that are closed, refuted by a word, or neither, in the time there is."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.record import plain
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.automata.appending import appended_by_automata
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.automata.deciding import by_automata
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.walking import require_read
from weightproof.proofs.covering.certificate import Positions
from weightproof.proofs.covering.computing import computed
from weightproof.proofs.covering.deciding import by_covering, shortest_wrong
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prover import PROVING, SCOPE, SEARCH, Obligation
from weightproof.proofs.quantities import judge
from weightproof.proofs.quantities.analysis import Analysis, MaybeDerived
from weightproof.proofs.quantities.instances import Instance
from weightproof.proofs.quantities.judge import compared
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference, Holds, Open
from weightproof.proofs.quantities.quantity import wanted
from weightproof.proofs.quantities.runs import differing
from weightproof.proofs.refuting.critical import search_critical
from weightproof.proofs.refuting.decode import decoded
from weightproof.proofs.refuting.long import marked, symbols_in
from weightproof.proofs.refuting.margins import NoFamily, NoWord, is_in_reach, misattained, misattained_at, unattained
from weightproof.proofs.refuting.refute import broken, in_scope, search, text
from weightproof.proofs.refuting.search import FIRST_SEARCH, REFUSED, SEARCHED, last_search, late, runs_long
from weightproof.proofs.refuting.witness import witness, witness_among
from weightproof.proofs.running.every import Decided, by_running, every_token, every_word
from weightproof.proofs.solving.close import SIDE_CONDITIONS, Closed, close, confirm
from weightproof.proofs.solving.implication import Implication
from weightproof.proofs.strategies.appending import decide_appends
from weightproof.proofs.strategies.direct import bounded, direct
from weightproof.proofs.strategies.family import attained
from weightproof.proofs.strategies.found.search import SHAPES, find, takes_one
from weightproof.proofs.strategies.goals import NOT_NEGATIVE, not_negative
from weightproof.proofs.strategies.inductive.induction import by_induction
from weightproof.proofs.strategies.inductive.one_scale import ONE_SCALE, with_one_scale
from weightproof.proofs.strategies.lengths import with_lengths
from weightproof.proofs.strategies.pairing import by_pairing
from weightproof.proofs.strategies.scales import scales_of, without_scales
from weightproof.proofs.strategies.signs import by_sign
from weightproof.proofs.strategies.squares import by_squares, with_squares
from weightproof.proofs.strategies.transcendence import by_transcendence, has_transcendental_base
from weightproof.proofs.theorem import (
    AboutLogits,
    Appends,
    ClosedForm,
    Compares,
    Computes,
    Decides,
    Margin,
    OnWords,
    most_positions,
    with_each_invariant,
)
from weightproof.proofs.verdict import Counterexample, Evidence, Proved, Refuted, Unknown, Verdict, weakest
from weightproof.symbolic.algebra.linear import Context, Fact
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary
from weightproof.symbolic.derivation import Derivation

EARLY, QUESTION = 1 / 6, 1 / 4
"""The share of the work after which the first search gives way to the derivation, and that for one question to a
solver."""
VACUOUS = Unknown("no obligation has hypotheses that can be satisfied: the proof is vacuous")
MAY_BE_VACUOUS = Unknown("no word was found that the theorem speaks of: it may be vacuous")
BEFORE_OTHERWISE = 2.0
"""Seconds of counted work for one question about an obligation that there is another way to close."""
LONGEST_EARLY = 5.0
"""Seconds of counted work for the first search in any case."""

LONGEST_COVERING = 5.0
"""The same for covering, where nothing is known of all lengths: it is done in any case, but for this."""


@dataclass
class Tried:
    """The obligations of a theorem that were tried, with the last one of its invariants that was. found: that
    one where it was not given; exactly: those that exact arithmetic closed one after the other; cases: the kinds of
    words that finite automata tell apart, of a proof by these."""

    theorem: AboutLogits | Appends | Computes
    closed: list[Closed] = field(default_factory=list)
    found: Expression | None = None
    exactly: tuple[Obligation, ...] = ()
    covered: tuple[Positions, ...] = ()
    cases: tuple[Case, ...] = ()


def decide(
    analysis: Analysis,
    theorem: AboutLogits | Appends | Computes,
    timeout: float,
    searched: bool = False,
    longer: bool = True,
) -> tuple[Verdict, Tried]:
    """What is reached, and what was tried. timeout: seconds of counted work. searched: whether short words are known
    not to refute it; longer: whether longer ones are looked for where there is no proof."""
    construction, tried, deadline = analysis.construction, Tried(theorem), Deadline.after(timeout)
    network = construction.network
    try:
        if isinstance(theorem, Appends):
            of_tokens = functools.partial(_appends, construction, theorem, deadline, tried)
            every = functools.partial(every_token, construction, theorem)
            return by_running(theorem.up_to, every, deadline, of_tokens), tried
        if isinstance(theorem, Computes):
            verdict, tried.covered = computed(construction, theorem, deadline)
            return verdict, tried
        if isinstance(network, Decoder):
            return Unknown("a decoder reads out no logit; state what it appends: theorems = (Appends(...),)"), tried
        if not isinstance(network, Encoder) or network.readout.predicts:
            return Unknown("only encoders that read out a logit can be proved so far"), tried
        if isinstance(theorem, ClosedForm):
            return _of_a_quantity(analysis, theorem, deadline, tried.closed), tried
        by_proof = functools.partial(_of_words, analysis, theorem, deadline, tried, searched, longer)
        every = functools.partial(every_word, analysis, theorem)
        covered = functools.partial(_covered, analysis, theorem, deadline, tried)
        if not isinstance(theorem, Decides) or theorem.up_to is not None or not longer:
            return by_running(most_positions(theorem), every, deadline, by_proof, covered), tried
        by_lengths = functools.cache(functools.partial(_by_lengths, analysis, theorem, deadline))
        if has_long_numbers(construction) and (wrong := by_lengths()[1]) is not None:  # long to derive, too
            return wrong, tried
        verdict = by_proof()
        if isinstance(verdict, Unknown):
            return _with_lengths(verdict, *by_lengths()), tried
        if isinstance(verdict, Refuted) and tried.cases:  # by a solver's word, which need not be a shortest one
            shortest = by_lengths()[1]
            return verdict if shortest is None else shortest, tried
        return verdict, tried
    except TimeUp as error:
        return Unknown(str(error), timed_out=True), tried


def _covered(analysis: Analysis, theorem: OnWords, deadline: Deadline, tried: Tried) -> Verdict | None:
    assert isinstance(theorem, Decides)
    verdict, tried.covered = by_covering(Decided(analysis, theorem), deadline)
    return verdict


def _by_lengths(analysis: Analysis, theorem: Decides, deadline: Deadline) -> tuple[int, Refuted | None]:
    """Up to which length covering shows every word to be right, and a word of the next length that is wrong."""
    limit = Deadline.after(min(deadline.remaining(), LONGEST_COVERING))
    return shortest_wrong(Decided(analysis, theorem), limit)


def _with_lengths(undecided: Unknown, longest: int, wrong: Refuted | None) -> Unknown | Refuted:
    """What covering says of words up to some length, where nothing is known of all."""
    if wrong is not None:
        return wrong
    told = f"every word of n <= {longest} positions is right, by covering"
    return replace(undecided, reason=f"{undecided.reason}; {told}") if longest else undecided


LONG_NUMBER = re.compile(r"\d{10}")


def has_long_numbers(construction: Construction) -> bool:
    """Whether a weight has a number of ten digits in it, as those out of training have: closed forms of these grow
    beyond use."""
    return LONG_NUMBER.search(json.dumps(plain(construction.network))) is not None


def _appends(construction: Construction, theorem: Appends, deadline: Deadline, tried: Tried) -> Verdict:
    decided = decide_appends(construction, theorem, deadline)
    tried.exactly, verdict = decided.closed, decided.verdict(SCOPE)
    if not isinstance(verdict, Unknown) or theorem.up_to is not None:
        return verdict
    try:
        cases, closed, why = appended_by_automata(construction, theorem, deadline)
    except (Underivable, TimeUp) as error:
        return replace(verdict, reason=f"{verdict.reason}; as an automaton: {error}")
    if why is not None:
        return replace(verdict, reason=f"{verdict.reason}; as an automaton: {why}")
    if all(item.vacuous for item in closed):
        return VACUOUS
    tried.exactly, tried.cases, tried.closed[:] = (), cases, closed
    return Proved(SCOPE, weakest(item.evidence for item in closed if item.evidence is not None))


def _of_a_quantity(analysis: Analysis, theorem: ClosedForm, deadline: Deadline, closed: list[Closed]) -> Verdict:
    construction, claim = analysis.construction, theorem.stated
    alone = replace(analysis, ledger=set())  # the facts behind this theorem, and no others
    derived = alone.maybe_derived(wanted(claim.of, alone.network).point, deadline)
    if isinstance(derived, TimeUp):
        return _no_closed_form(derived)
    found = deadline.during("the comparison", lambda: compared(alone, claim))
    match found:
        case Difference():
            return Refuted(_counterexample(construction, found))
        case Open(reason=reason):
            return _no_closed_form(derived) if isinstance(derived, Underivable) else Unknown(reason)
    assert isinstance(found, Holds)
    closed.append(_confirmed(alone.ledger, Vocabulary.of(construction), deadline))
    unclosed = closed[-1].evidence is None
    return _unknown(closed[-1]) if unclosed else Proved(found.scope, Evidence.CERTIFICATE)


def _counterexample(construction: Construction, found: Difference) -> Counterexample:
    """The word on which a quantity has another value than the printed one."""
    assert found.word is not None
    parameters = dict(found.parameters)
    member = is_member(construction, found.word, parameter_values(construction, parameters))
    result = run(construction, found.word, parameters)
    note = "the printed formula has no value there" if NO_VALUE in (found.printed, found.found) else ""
    return Counterexample(construction.name, found.word, parameters, member, result.accepts, text(result.logit), note)


def _of_words(
    analysis: Analysis, theorem: OnWords, deadline: Deadline, tried: Tried, searched: bool, longer: bool
) -> Verdict:
    """The verdict; what is tried goes to `tried`."""
    construction = analysis.construction
    proving = deadline.share(PROVING)
    try:
        first = Deadline.after(min(deadline.seconds * EARLY, LONGEST_EARLY))
        early = None if searched else first.during(SEARCH, lambda: _early(analysis, theorem))
    except TimeUp:
        early = None
    if isinstance(early, Unknown | Refuted):
        return early
    if early is not None and (len(early.word) < 2 or runs_long(construction)):  # long to derive, too
        return Refuted(early)
    derivation = analysis.maybe_derived(None, proving)
    if isinstance(derivation, Derivation):
        derivation = _with_known_factors(derivation, theorem)
    if early is not None:
        return Refuted(_shorter(construction, theorem, derivation, len(early.word), deadline) or early)
    told = "" if _is_direct(derivation, theorem) else _by_automata(analysis, theorem, proving, tried)
    if not isinstance(told, str):
        return told
    if isinstance(derivation, Underivable | TimeUp):
        undecided = _no_closed_form(derivation)
    else:
        open_one = _undecided(derivation, theorem, proving, tried)
        if open_one is None:
            conclude = functools.partial(_proved, construction, theorem, derivation, tried.closed)
            return deadline.during(SEARCH, conclude)
        undecided = open_one
    if told:
        undecided = replace(undecided, reason=f"{undecided.reason}; as an automaton: {told}")
    if not longer:
        return undecided
    return _late(construction, theorem, derivation, deadline, undecided, tuple(tried.closed))


def _is_direct(derivation: MaybeDerived, theorem: OnWords) -> bool:
    """Whether the closed form may be enough, or there is an invariant given."""
    if theorem.invariant is not None:
        return True
    try:
        return isinstance(derivation, Derivation) and not takes_one(derivation, theorem)
    except Underivable:
        return False


def _by_automata(analysis: Analysis, theorem: OnWords, deadline: Deadline, tried: Tried) -> Verdict | str:
    """What finite automata that count tell; where they do not, why, or nothing where they are not asked."""
    construction = analysis.construction
    if not isinstance(theorem, Decides | Compares) or most_positions(theorem) is not None:
        return ""
    try:
        runs = deadline.during("the reading as an automaton", lambda: read(construction))
        proving = by_automata(construction, runs, theorem, deadline)
    except (Underivable, TimeUp) as error:
        return str(error)
    if proving.gap is not None and proving.counterexample is None:
        return f"{proving.gap.obligation.name}: {proving.gap.reason}"
    tried.cases = proving.cases
    if proving.counterexample is not None:
        return Refuted(proving.counterexample)
    tried.closed[:] = proving.closed
    if all(item.vacuous for item in proving.closed):
        return VACUOUS
    if deadline.during(SEARCH, lambda: witness_among(construction, theorem, proving.words())) is None:
        return MAY_BE_VACUOUS
    require_read(construction, runs, analysis.runs(None, {}).decided)
    return Proved("all lengths", weakest(item.evidence for item in proving.closed if item.evidence is not None))


def _with_known_factors(derivation: Derivation, theorem: OnWords) -> Derivation | Underivable:
    try:
        return without_scales(derivation, theorem)
    except Underivable as error:
        return error


def _early(analysis: Analysis, theorem: OnWords) -> Counterexample | Refuted | Unknown | None:
    """What the shortest words say, before anything is derived."""
    construction = analysis.construction
    early = search(construction, theorem, FIRST_SEARCH, replay=analysis.replay)
    if early is None and isinstance(theorem, Margin) and not runs_long(construction):
        short = unattained(construction, theorem, min(FIRST_SEARCH, last_search(construction)))
        if short is not None:
            return _of_short_words(theorem, short)
    if early is None and isinstance(theorem, Margin):
        match misattained(construction, theorem):
            case NoFamily(reason=reason):
                return Unknown(reason)
            case found:
                return found
    return early


def _undecided(derivation: Derivation, theorem: OnWords, deadline: Deadline, tried: Tried) -> Unknown | None:
    """Why there is no proof with the last one of its invariants, or None where every obligation is closed with one."""
    undecided = None
    for each in with_each_invariant(theorem):
        try:
            sought = takes_one(derivation, each)
        except Underivable as error:
            return Unknown(str(error))
        if sought and derivation.sums and not has_transcendental_base(derivation, each):
            return _undecided_with_one_found(derivation, each, deadline, tried)
        tried.theorem = each
        tried.closed.clear()
        undecided = _undecided_with(derivation, each, deadline, tried.closed)
        if undecided is None or undecided.timed_out:
            return undecided
        if sought:  # the language speaks of all positions, which may be no obstacle, or the base decides
            return _undecided_with_one_found(derivation, each, deadline, tried)
    if theorem.invariant is not None:
        return undecided
    return _undecided_with_one_scale(derivation, theorem, deadline, tried, undecided)


def _undecided_with_one_scale(
    derivation: Derivation, theorem: OnWords, deadline: Deadline, tried: Tried, undecided: Unknown | None
) -> Unknown | None:
    """As `_undecided`, where the scales in its sums are nearly one; `undecided` where they are not."""
    try:
        scaled = deadline.during("the proof", lambda: with_one_scale(derivation, theorem))
        bounds: list[Closed] = []
        _close_all(scaled.shown, deadline, bounds)
    except Underivable:
        return undecided
    except TimeUp as error:
        return Unknown(str(error), timed_out=True)
    if any(item.evidence is None for item in bounds):
        return undecided
    left = _undecided_with_one_found(scaled.derivation, scaled.theorem, deadline, tried)
    tried.closed[:0] = bounds
    tried.theorem, tried.found = theorem, None  # the invariant speaks of another sum
    return None if left is None else replace(left, reason=f"{ONE_SCALE}: {left.reason}")


def _undecided_with_one_found(
    derivation: Derivation, theorem: OnWords, deadline: Deadline, tried: Tried
) -> Unknown | None:
    """As `_undecided`, with an invariant that is looked for."""
    tried.closed.clear()
    try:
        invariant = deadline.during("the search for an invariant", lambda: find(derivation, theorem, deadline))
    except Underivable as error:
        return Unknown(str(error))
    except TimeUp as error:
        return Unknown(f"{error} ({SHAPES})", timed_out=True)
    tried.theorem, tried.found = replace(theorem, invariant=invariant), invariant
    return _undecided_with(derivation, tried.theorem, deadline, tried.closed)


def _undecided_with(
    derivation: Derivation, theorem: OnWords, deadline: Deadline, closed: list[Closed]
) -> Unknown | None:
    """As `_undecided`, with its invariant alone."""
    words = derivation.vocabulary.words()
    try:
        _close_all(obligations(derivation, theorem, words), deadline, closed)
        facts = derivation.facts | words.ledger
        closed.append(_confirmed(facts, derivation.vocabulary, deadline))
    except Underivable as error:
        closed.clear()
        return Unknown(str(error))
    except TimeUp as error:
        return Unknown(str(error), timed_out=True)
    return next((_unknown(c) for c in closed if c.evidence is None), None)


def _confirmed(facts: Iterable[Fact], vocabulary: Vocabulary, deadline: Deadline) -> Closed:
    limit = deadline.remaining() / 3  # two solvers are asked, and no answer from either is an answer
    return deadline.during("the solvers", lambda: confirm(facts, vocabulary, limit))


def _misattained(construction: Construction, theorem: Margin, closed: Iterable[Closed]) -> Iterator[Counterexample]:
    """The words that are said to attain a margin, of as many positions as countermodels have, where they do not."""
    for item in closed:
        for answer in item.answers if item.evidence is None else ():
            lead = decoded(answer.model, item.obligation.expressions(), item.obligation.vocabulary)
            if lead is None:
                continue
            positions = symbols_in(marked(construction.encoder, lead.runs))
            found = misattained_at(construction, theorem, positions, lead.parameters)
            if found is not None:
                yield found


def _late(
    construction: Construction,
    theorem: OnWords,
    derivation: MaybeDerived,
    deadline: Deadline,
    undecided: Unknown,
    closed: Iterable[Closed],
) -> Verdict:
    """What longer words say where there is no proof."""
    derived = derivation if isinstance(derivation, Derivation) and not derivation.scales else None
    quick = isinstance(derivation, Underivable) and not runs_long(construction)
    steps = REFUSED if quick else SEARCHED
    found: list[Counterexample | NoWord] = []  # what came before the time was up stays
    search_for = functools.partial(deadline.during, SEARCH)
    with contextlib.suppress(TimeUp):  # that nothing else did says nothing
        if isinstance(theorem, Margin):
            search_for(lambda: found.extend(_misattained(construction, theorem, closed)))
        if not found:
            search_for(lambda: found.extend(late(construction, theorem, derived, steps)))
    return _of_short_words(theorem, found[-1]) if found else undecided


def _no_closed_form(reason: Underivable | TimeUp) -> Unknown:
    return Unknown(f"no closed form: {reason}", timed_out=isinstance(reason, TimeUp))


def _unknown(unclosed: Closed) -> Unknown:
    return Unknown(unclosed.reason + _countermodel(unclosed), unclosed.obligation.name, unclosed.timed_out)


def _countermodel(unclosed: Closed) -> str:
    """What a solver answered that was not made a word."""
    models = [answer.model for answer in unclosed.answers if answer.status == "sat"]
    if not models:
        return ""
    return ": " + ", ".join(f"{name.strip('|')} = {value}" for name, value in sorted(models[-1].items()))


def _shorter(
    construction: Construction,
    theorem: OnWords,
    derivation: MaybeDerived,
    length: int,
    deadline: Deadline,
) -> Counterexample | None:
    """A counterexample shorter than `length`, at parameter values that were not among the sampled ones."""
    if not isinstance(derivation, Derivation) or derivation.scales:
        return None
    try:
        return deadline.during(
            SEARCH,
            lambda: search_critical(construction, theorem, derivation, length - 1, Budget(SEARCHED)),
        )
    except TimeUp:
        return None


def obligations(derivation: Derivation, theorem: OnWords, words: Context) -> Iterable[Implication]:
    """What has to be shown for a theorem, by the strategy that its shape asks for; words: what holds of every word."""
    of_logits = _of_logits(derivation, theorem, words)
    if isinstance(theorem, Margin) and theorem.value is not None:
        return itertools.chain(not_negative(theorem, derivation.vocabulary, words), of_logits)
    return of_logits


def _of_logits(derivation: Derivation, theorem: OnWords, words: Context) -> Iterable[Implication]:
    if derivation.nonzero:
        return _by_sign(derivation, theorem, words)
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        return bounded(derivation, theorem, words)
    if theorem.invariant is not None:
        on_words = by_induction(derivation, theorem, words)
    elif derivation.sums and derivation.scales:
        on_words = by_pairing(derivation, theorem, words)
    elif has_transcendental_base(derivation, theorem):
        on_words = by_transcendence(derivation, theorem, words)
    elif not any(scales_of(x) for _, x in derivation.logit.terms):
        on_words = with_lengths(direct(derivation, theorem, words))
    elif isinstance(theorem, Compares) and theorem.value.source != "0":
        on_words = by_squares(derivation, theorem, words)
    else:
        on_words = with_squares(derivation, theorem, words)
    if isinstance(theorem, Margin) and theorem.attained is not None:
        return itertools.chain(on_words, attained(derivation, theorem, words))
    return on_words


ITS_SIZE = "its size"
"""What obligations about the size of a logit are called."""
OF_ALL_WORDS = (SIDE_CONDITIONS, ITS_SIZE, ONE_SCALE, NOT_NEGATIVE)
"""Those that hold of all words alike, and so are never vacuous."""


def _by_sign(derivation: Derivation, theorem: OnWords, words: Context) -> Iterator[Implication]:
    (before, decides), (size, compares) = by_sign(derivation, theorem)
    for item in obligations(before, decides, words):
        yield replace(item, name=f"before the norm: {item.name}")
    for item in obligations(size, compares, words):
        yield replace(item, name=f"{ITS_SIZE}: {item.name}")
    if isinstance(theorem, Margin) and theorem.attained is not None:
        opposite = replace(size, logit=size.logit.scaled(-1)) if not theorem.of_accepted else size
        yield from attained(opposite, theorem, words)


def _close_all(items: Iterable[Implication], deadline: Deadline, closed: list[Closed]) -> None:
    """Closes obligations until one stays open, in the second way where there is one and the first does not."""
    each = iter(items)
    while (item := deadline.during("the proof", lambda: next(each, None))) is not None:
        longest = deadline.seconds * QUESTION if item.otherwise is None else BEFORE_OTHERWISE
        timeout = min(deadline.remaining(), longest)
        found = deadline.during("the solvers", functools.partial(close, item, timeout))
        if found.evidence is None and item.otherwise is not None:
            _close_all(item.otherwise(), deadline, closed)
        else:
            closed.append(found)
        if closed[-1].evidence is None:
            return


def _proved(construction: Construction, theorem: OnWords, derivation: Derivation, closed: list[Closed]) -> Verdict:
    if all(item.vacuous for item in closed if not item.obligation.name.startswith(OF_ALL_WORDS)):
        return VACUOUS
    if witness(construction, theorem, derivation, closed) is None:
        return MAY_BE_VACUOUS
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        return Proved(f"n <= {theorem.up_to}", Evidence.BOUNDED)
    if isinstance(theorem, Margin) and theorem.value is not None and theorem.attained is None:
        return _attained_on_short_words(construction, theorem)
    return Proved("all lengths", weakest(item.evidence for item in closed if item.evidence is not None))


def _attained_on_short_words(construction: Construction, theorem: Margin) -> Verdict:
    """The verdict on a margin whose bound is proved, and of which no words are named that attain it: that it is
    attained is sampled, at short words and some parameter values."""
    longest = last_search(construction)
    found = unattained(construction, theorem, longest)
    if found is not None:
        return _of_short_words(theorem, found)
    if not is_in_reach(construction, theorem, longest):
        return Unknown(f"all words of up to {longest} symbols are shorter than the case: name words that attain it")
    scope = f"all lengths, attained up to n = {len(add_markers(construction.encoder, '?' * longest))}"
    if construction.parameters:
        scope += f", at {len(samples(construction))} parameter values"
    return Proved(scope, Evidence.SAMPLED)


def _of_short_words(theorem: OnWords, found: Counterexample | NoWord) -> Refuted | Unknown:
    if isinstance(found, Counterexample):
        return Refuted(found)
    assert isinstance(theorem, Margin)
    values = "".join(f", {name} = {value}" for name, value in found.parameters.items())
    return Unknown(f"there are no {theorem.side} words of {found.positions} positions{values}: narrow the case")


UNDECIDED = Unknown("it was derived, but on no word that was run can the interpreter decide whether it is right")


def require_true(analysis: Analysis, theorem: AboutLogits) -> Unknown | None:
    """The last wall before `proved`: what is about to be said, held against the exact interpreter on words of many
    lengths. A difference is a mistake of this program, whichever part made it: it is raised, and never becomes a
    verdict. Where no word could be decided there is no wall, and no `proved`.

    None where the theorem is right of words that were run, or speaks of none of these; UNDECIDED where it speaks of
    some, and a sign stays open on all of them.

    Raises InternalError where a theorem whose proof was found is wrong of a word that is run, or where the derivation
    that it rests on is. That a value is not to be told from the printed one is no open sign.
    """
    if isinstance(theorem, ClosedForm):
        judge.require_true(analysis, theorem.stated)
        return None
    runs = analysis.runs(None, {})
    decided = skipped = 0
    for sample in runs.decided:
        if not _in_scope(analysis, theorem, sample.instance):
            continue
        try:
            values = sample.instance.values
            wanted = holds(_formula(analysis, theorem), dict(values), sample.run.tokens, analysis.alphabet)
            wrong = broken(analysis.construction, theorem, sample.run, wanted, values)
            decided += 1
        except Undecided:
            skipped += 1
            continue
        except ArithmeticError as error:
            wrong = str(error)
        if wrong is not None:
            said = f"theorem {theorem.name!r} was proved, but is wrong{f': {wrong}' if wrong else ''}"
            raise differing(analysis.construction, sample.instance, said)
    skipped += sum(_in_scope(analysis, theorem, instance) for instance in runs.skipped)
    return UNDECIDED if skipped and not decided else None


def _formula(analysis: Analysis, theorem: OnWords) -> Expression:
    return theorem.accepts or analysis.construction.language.characterisation


def _in_scope(analysis: Analysis, theorem: OnWords, instance: Instance) -> bool:
    return in_scope(analysis.construction, theorem, instance.tokens, instance.values)
