"""What a decoder appends, for all tokens that stand before: proved at a generic position, or refuted by a word.

Every position of a decoder but for its token knows what stood before by what its heads bring. So a theorem speaks of
all words that end in a token, however they came about, and of their counts; from several of them follows what is
appended to a word in the end.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.prover import (
    SEARCH,
    Decided,
    Obligation,
    Obligations,
    checked,
    first,
    proved_in_time,
    seen,
    within,
)
from weightproof.proofs.solving.polynomials import Fact, script
from weightproof.proofs.theorem import EVERYTHING, Appends
from weightproof.proofs.verdict import Counterexample, WrongStep
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation.constraints import facts
from weightproof.symbolic.simulation.decoder import TAKEN
from weightproof.symbolic.simulation.generating import Case, Stages, alone, best, cases, stages_of
from weightproof.symbolic.simulation.polynomial import Polynomial, Region, total
from weightproof.symbolic.simulation.windows import Standing, kind, standing

CHECKED_WORDS, MOST_WORDS = 200, 1500
"""How many words are looked at, the shortest first, before a proof counts, and to refute."""
ALWAYS = Expression(EVERYTHING)


def decide_appends(construction: Construction, theorem: Appends, deadline: Deadline | None = None) -> Decided:
    """Whether it is so; InputError where short words cannot be run."""
    network = construction.network
    assert isinstance(network, Decoder)

    def gaps() -> Obligations:
        stages = stages_for(construction)
        for at in standings(stages, theorem.behind, theorem.given):
            yield seen("", _chosen(stages, at, theorem.token))

    proof = proved_in_time(lambda proof: proof.close(gaps()), deadline)
    most = CHECKED_WORDS if proof.reason is None else MOST_WORDS
    tried = (word for word in _tried(construction, network, theorem, most) if _is_given(construction, theorem, word))
    some, given = itertools.tee(tried)
    try:
        is_vacuous = within(deadline, SEARCH, lambda: next(some, None)) is None
    except TimeUp as late:
        return proof.decided(late=late)
    if is_vacuous:
        proof.reason = "no word was found that satisfies the hypothesis: the theorem may be vacuous"
    return proof.held_against(lambda: first(_diverges(construction, theorem, word) for word in given), deadline)


@dataclass(frozen=True)
class Chosen:
    """What is appended where so much is known, with the cases of which that was read off, and the token that is said to
    be; marker: that of the beginning, if there is one."""

    at: Standing
    token: str
    found: str
    cases: tuple[Case, ...]
    marker: str | None

    @property
    def gap(self) -> str | None:
        return None if self.found == self.token else f"{self.found!r} is appended"


def _chosen(stages: Stages, at: Standing, token: str) -> Chosen:
    made = list[Case]()

    def kept() -> Iterator[Case]:
        for case in cases(stages, at):
            made.append(case)
            yield case

    found = alone(at, kept())
    return Chosen(at, token, found, tuple(made), stages.network.begin)


def by_case(construction: Construction, theorem: Appends) -> Iterator[Obligation]:
    """Of each window and in each case that is told apart: the output of the token is ahead of all others, the first of
    several that are."""
    stages = stages_for(construction)
    for at in standings(stages, theorem.behind, theorem.given):
        for case in cases(stages, at):
            tokens = list(case.made.outputs)
            goals: list[Fact] = [
                (">" if place < tokens.index(theorem.token) else ">=", case.ahead(theorem.token, other))
                for place, other in enumerate(tokens)
                if other != theorem.token
            ]
            reason = None if best(case).get(theorem.token) == () else "another output may be ahead, or equal"
            smt = partial(script, f"behind {kind(at.window)!r}", case.at.region, goals, reason is None)
            yield checked(kind(at.window), reason, smt)


def stages_for(construction: Construction) -> Stages:
    """Those of its decoder, for all parameters of their domains; Underivable where there are none."""
    network = construction.network
    assert isinstance(network, Decoder)
    for parameter in construction.parameters:
        if parameter.name in TAKEN:
            raise Underivable(f"a parameter is called {parameter.name!r}, as is a position")
    return stages_of(network, _signs(construction.parameters))


def standings(stages: Stages, behind: str, given: Expression = ALWAYS) -> Iterator[Standing]:
    """The last position of all words that end in `behind`, of which so much is given, by its window; of the empty word,
    where that is the marker of the beginning. Underivable for what is given but comparisons of counts of symbols."""
    for window in stages.windows.all():
        if window[-1] == behind:
            at = standing(stages.windows, window, stages.signs)
            if (found := _with_given(stages, at, given)) is not None:
                yield found


def _with_given(stages: Stages, at: Standing, given: Expression) -> Standing | None:
    """None where it is certainly not so."""
    if given == ALWAYS:
        return at

    def of_symbol(symbol: str) -> Polynomial:
        if symbol not in stages.windows.symbols:
            raise Underivable(f"a hypothesis about {symbol!r}, which is no symbol")
        return total(share for window, share in at.shares.items() if window[-1] == symbol)

    known = facts(given, of_symbol)
    if at.known and any(x.at({}) < 0 or (strict and x.at({}) == 0) for x, strict in known):
        return None
    above = (*at.region.above, *(fact for fact, strict in known if strict))
    not_below = (*at.region.not_below, *(fact for fact, strict in known if not strict))
    return replace(at, region=replace(at.region, above=above, not_below=not_below))


def _signs(parameters: Iterable[Parameter]) -> Region:
    """Those whose domain says that they are positive, and those of which it says that they are not negative."""
    positive, not_negative = set(), set()
    for parameter in parameters:
        least, strict = parameter.bound
        bound = sign(evaluate(least, {}))
        if bound > 0 or (bound == 0 and strict):
            positive.add(parameter.name)
        elif bound == 0:
            not_negative.add(parameter.name)
    return Region(positive=frozenset(positive), not_negative=frozenset(not_negative))


def _marker(network: Decoder) -> tuple[str, ...]:
    return () if network.begin is None else (network.begin,)


def _tried(construction: Construction, network: Decoder, theorem: Appends, most: int) -> Iterator[str]:
    """Words that end as the theorem says, the shortest first."""
    if theorem.behind == network.begin:
        yield ""
        return
    for before in itertools.islice(words(construction.language.alphabet), most):
        yield before + theorem.behind


def speaks_of_one(construction: Construction, theorem: Appends, words: Iterable[str]) -> bool:
    """Whether it says something of one of the shortest words, or of one of these."""
    network = construction.network
    assert isinstance(network, Decoder)
    ending = (word for word in words if (*_marker(network), *word)[-1:] == (theorem.behind,))
    tried = itertools.chain(_tried(construction, network, theorem, MOST_WORDS), ending)
    return any(_is_given(construction, theorem, word) for word in tried)


def _is_given(construction: Construction, theorem: Appends, word: str) -> bool:
    """Not where the hypothesis has no value; of such a one nothing is proved."""
    network = construction.network
    assert isinstance(network, Decoder)
    tokens = (*_marker(network), *word)
    if theorem.up_to is not None and len(tokens) > theorem.up_to:
        return False
    try:
        return holds(theorem.given, {}, tokens, construction.language.alphabet)
    except ArithmeticError:
        return False


def _diverges(construction: Construction, theorem: Appends, word: str) -> Counterexample | None:
    try:
        found = next(generate(construction, word)).token
    except ArithmeticError:  # it has no value there, or none that is certain
        return None
    if found == theorem.token:
        return None
    return Counterexample.at(WrongStep(1, "the token", theorem.token, found), construction.name, word)
