"""What a decoder appends, for all tokens that stand before: proved at a generic position, or refuted by a word.

Every position of a decoder but for its token knows what stood before by what its heads bring. So a theorem speaks of
all words that end in a token, however they came about, and of their counts; from several of them follows what is
appended to a word in the end.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.decoding import generate
from weightproof.constructions.meaning.schema import Decoder, Parameter
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate, holds
from weightproof.proofs.carried import share
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.machines.deciding import SEARCH
from weightproof.proofs.machines.diverging import first, words
from weightproof.proofs.machines.timed import Decided, Progress, proved_in_time, within
from weightproof.proofs.theorem import EVERYTHING, Appends
from weightproof.proofs.verdict import Divergence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.machines import parts
from weightproof.symbolic.machines.decoder import TAKEN, Moment
from weightproof.symbolic.machines.encoder import LOOKING
from weightproof.symbolic.machines.generating import appended
from weightproof.symbolic.machines.given import Given, facts
from weightproof.symbolic.machines.parts import Place
from weightproof.symbolic.machines.polynomial import Polynomial, Simplex, interval, total

SPOT_WORDS, MOST_WORDS = 200, 1500
"""How many words are looked at, the shortest first, before a proof counts, and to refute."""
ONE = Polynomial.number(1)
START = Place(Polynomial(), ONE)
ALWAYS = Expression(EVERYTHING)


def decide_appends(construction: Construction, theorem: Appends, deadline: Deadline | None = None) -> Decided:
    """Whether it is so; InputError where short words cannot be run."""
    network = construction.network
    assert isinstance(network, Decoder)

    def prove(proof: Progress) -> None:
        try:
            found = appended(network, moment_behind(construction, theorem.behind, theorem.given, theorem.name))
            proof.reason = None if found == theorem.token else f"{found!r} is appended"
        except Underivable as error:
            proof.reason = f"not derived: {error}"
        proof.closed = int(proof.reason is None)

    proof = proved_in_time(prove, deadline)
    most = SPOT_WORDS if proof.reason is None else MOST_WORDS
    tried = (word for word in _tried(construction, network, theorem, most) if _is_given(construction, theorem, word))
    some, given = itertools.tee(tried)
    try:
        is_vacuous = within(deadline, SEARCH, lambda: next(some, None)) is None
        divergence = within(deadline, SEARCH, lambda: first(_diverges(construction, theorem, word) for word in given))
    except TimeUp as late:
        return proof.decided(late=late)
    if proof.reason is None and divergence is not None:
        raise AssertionError(f"proved, but on {divergence.word!r} {divergence.note}")
    if is_vacuous:
        proof.reason = "no word was found that satisfies the hypothesis: the theorem may be vacuous"
    return proof.decided(divergence)


def moment_behind(
    construction: Construction, behind: str, given: Expression = ALWAYS, name: str | None = None
) -> Moment:
    """The position of the last token, `behind`, of every word of which so much is given; that of the empty word, where
    it is the marker of the beginning. Underivable for what is given but comparisons of counts of symbols."""
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Decoder)
    for parameter in construction.parameters:
        if parameter.name in TAKEN:
            raise Underivable(f"a parameter is called {parameter.name!r}, as is a position")
    name = name or f"behind {behind!r}"
    positive, not_negative = _signs(construction.parameters)
    if behind == network.begin:
        region = Given(positive=positive, not_negative=not_negative)
        return Moment(name, behind, START, START, {behind: ONE}, (), region)
    others = [token for token in (*alphabet, *_marker(network)) if token != behind]
    atoms = tuple(map(share, others))
    own = ONE - total(map(Polynomial.atom, atoms))
    shares = {**{token: Polynomial.atom(share(token)) for token in others}, behind: own}

    def of_symbol(symbol: str) -> Polynomial:
        if symbol not in alphabet:
            raise Underivable(f"a hypothesis about {symbol!r}, which is no symbol")
        return shares[symbol]

    known = () if given == ALWAYS else facts(given, of_symbol)
    corners = tuple(tuple(fmpq(int(k == number)) for k in range(len(atoms))) for number in range(len(atoms)))
    here = Place.called(LOOKING)
    halves = parts.halved(LOOKING)
    region = Given(
        simplices=(Simplex(atoms, ((fmpq(0),) * len(atoms), *corners)), interval(halves, 0, 1)),
        positive=positive | {halves, *map(share, _marker(network))},
        not_negative=not_negative,
        above=(own, *(fact for fact, strict in known if strict)),
        not_below=tuple(fact for fact, strict in known if not strict),
    )
    return Moment(name, behind, here, here, shares, (), region)


def _signs(parameters: Iterable[Parameter]) -> tuple[frozenset[str], frozenset[str]]:
    """Those whose domain says that they are positive, and those of which it says that they are not negative."""
    positive, not_negative = set(), set()
    for parameter in parameters:
        match parameter.domain.tree:
            case ast.Compare(ops=[op], comparators=[least]):
                bound = sign(evaluate(Expression(ast.unparse(least)), {}))
                if bound > 0 or (bound == 0 and isinstance(op, ast.Gt)):
                    positive.add(parameter.name)
                elif bound == 0:
                    not_negative.add(parameter.name)
    return frozenset(positive), frozenset(not_negative)


def _marker(network: Decoder) -> tuple[str, ...]:
    return () if network.begin is None else (network.begin,)


def _tried(construction: Construction, network: Decoder, theorem: Appends, most: int) -> Iterator[str]:
    """Words that end as the theorem says, the shortest first."""
    if theorem.behind == network.begin:
        yield ""
        return
    for before in itertools.islice(words(construction.language.alphabet), most):
        yield before + theorem.behind


def _is_given(construction: Construction, theorem: Appends, word: str) -> bool:
    network = construction.network
    assert isinstance(network, Decoder)
    return holds(theorem.given, {}, (*_marker(network), *word), construction.language.alphabet)


def _diverges(construction: Construction, theorem: Appends, word: str) -> Divergence | None:
    try:
        found = next(generate(construction, word)).token
    except ArithmeticError:  # it has no value there, or none that is certain
        return None
    if found == theorem.token:
        return None
    return Divergence(construction.name, word, 1, "the token", theorem.token, found)
