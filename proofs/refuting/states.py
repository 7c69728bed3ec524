"""Search over states: what the closed form and the theorem can tell of a word, found symbol by symbol.

Two words that have reached the same state (counts, symbols at the places that are spoken of, partial sums, which of the
quantified statements have held) are the same to both, so that one of them is kept: a `Plan` says what matters. This
reaches words that are too long to try them all, and sees explicit sums exactly. What the closed form says of a word is
a lead; the replay decides.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import sympy
from flint import fmpq
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.proofs.refuting.critical import closed_run, relations, settings
from weightproof.proofs.refuting.refute import broken, counterexample, run_steps
from weightproof.proofs.solving.logic import Formula, Quantifier, expressions_of, read_formula, true
from weightproof.proofs.strategies.goals import require_plain_sums
from weightproof.proofs.theorem import OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, j, n
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import Word


@dataclass(frozen=True)
class Plan:
    """What of a word matters.

    quantified: the flag of each statement about all positions, and its body at j. head, tail: how many of its first and
    last symbols are spoken of by their place. window: how many of the last symbols the next ones are seen together
    with. counted: the symbols, by index, whose counts matter. inward: symbols are chosen from both ends, where those at
    j and n-1-j are seen together. by_length: what a position adds depends on n.
    """

    accepts: Formula
    given: Formula
    quantified: tuple[tuple[str, Formula], ...]
    head: int
    tail: int
    window: int
    counted: tuple[int, ...]
    inward: bool
    by_length: bool


def plan(derivation: Derivation, theorem: OnWords) -> Plan:
    """Raises Underivable where words cannot be told apart by states of this kind."""
    vocabulary = derivation.vocabulary
    require_plain_sums(derivation)
    quantifiers: list[Quantifier] = []
    accepts = theorem.accepts or derivation.construction.language.characterisation
    formulas = [read_formula(f, vocabulary, quantifiers=quantifiers) for f in (accepts, theorem.hypothesis)]
    once = [*_expressions(derivation.logit), *(e for formula in formulas for e in expressions_of(formula))]
    each = [e for total in derivation.sums.values() for e in _expressions(total.body)]
    quantified = tuple((quantifier.flag, quantifier.body(j)) for quantifier in quantifiers)
    each += [e for _, body in quantified for e in expressions_of(body)]
    if any(vocabulary.total(symbol) in e.free_symbols for e in each for symbol in vocabulary.alphabet):
        raise Underivable("what a position adds depends on the whole word")
    head, tail = _ends(_atoms(once), vocabulary)
    offsets = [(vocabulary.is_token(atom), atom.args[0] - j) for atom in _atoms(each) if atom.has(j)]
    ahead = [offset for _, offset in offsets if not offset.is_Integer or offset > 0]
    inward = bool(ahead)
    if inward and not all(
        token and (offset == 0 or offset + 2 * j - vocabulary.first - vocabulary.last == 0) for token, offset in offsets
    ):
        raise Underivable("what a position adds depends on symbols after it")
    if any(not atom.has(j) for atom in _atoms(each)):
        raise Underivable("what a position adds depends on a fixed one")
    counts = {str(a.func)[2:] for a in _atoms([*once, *each]) if vocabulary.is_prefix(a)}
    counts |= {a for a in vocabulary.alphabet if any(vocabulary.total(a) in e.free_symbols for e in once)}
    return Plan(
        formulas[0],
        formulas[1],
        quantified,
        head,
        tail,
        1 if inward else 1 + max((-int(offset) for _, offset in offsets), default=0),
        tuple(index for index, symbol in enumerate(vocabulary.alphabet) if symbol in counts),
        inward,
        inward or any(e.has(n) for e in each),
    )


def _expressions(value: Iverson) -> Iterator[sympy.Expr]:
    for conditions, coefficient in value.terms:
        yield coefficient
        yield from (condition.axis.expression() for condition in conditions)


def _atoms(expressions: Iterable[sympy.Expr]) -> set[sympy.Expr]:
    return {atom for expression in expressions for atom in expression.atoms(AppliedUndef)}


def _ends(atoms: Iterable[sympy.Expr], vocabulary: Vocabulary) -> tuple[int, int]:
    """How many of the first and of the last symbols are spoken of."""
    head = tail = 0
    for atom in atoms:
        from_start, from_end = (
            linear_form(p) for p in (atom.args[0] - vocabulary.first, vocabulary.last - atom.args[0])
        )
        if not vocabulary.is_token(atom) or from_start is None or from_end is None:
            raise Underivable(f"{atom} is known only where the position comes")
        if not from_start.terms:
            head = max(head, int(from_start.constant) + 1)
        elif not from_end.terms:
            tail = max(tail, int(from_end.constant) + 1)
        else:
            raise Underivable(f"{atom} stands neither near the start nor near the end")
    return head, tail


MANY_STATES, MOST_STATES = 400, 4_000
"""Of more states than these after a symbol, only those are kept whose sums are extreme among the like; never more."""

STATE = 100
"""Steps for a symbol behind a state, and to look at one."""
LONGEST_WITNESS = 600
"""Symbols of a word that satisfies a hypothesis."""


@dataclass(frozen=True)
class State:
    """A word so far, in the order in which its symbols were chosen, and what it adds up to."""

    word: tuple[int, ...]
    sums: tuple[Real, ...]
    flags: tuple[bool, ...]


def search_states(
    construction: Construction,
    theorem: OnWords,
    derivation: Derivation,
    longest: int,
    budget: Budget,
) -> Counterexample | None:
    """A shortest counterexample of at most `longest` symbols among the states that are reached.

    Raises Underivable where there are no states of this kind.
    """
    best: Counterexample | None = None
    how = plan(derivation, theorem)
    tried = settings(construction, relations(theorem, derivation))
    for number, parameters in enumerate(tried):
        share = budget.share(1 / min(len(tried) - number, 3))
        given, values = share.left, parameter_values(construction, parameters)
        walk = _walk(construction, theorem, derivation, how, values, share)
        for word in walk.leads(longest):
            if not share.allows(run_steps(construction, len(word))):
                break
            found = counterexample(construction, theorem, word, parameters)
            if found is not None:
                best, longest = found, len(word) - 1
                break
        budget.settle(given, share)
    return best


def satisfying(
    construction: Construction, theorem: OnWords, derivation: Derivation, budget: Budget
) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """Words with parameters at which the hypothesis of a theorem holds as far as states tell, shortest first."""
    how = plan(derivation, theorem)
    for parameters in settings(construction, relations(theorem, derivation)):
        values = parameter_values(construction, parameters)
        walk = _walk(construction, theorem, derivation, how, values, budget)
        for word, _, _ in walk.words(LONGEST_WITNESS):
            yield word, parameters


def _walk(
    construction: Construction,
    theorem: OnWords,
    derivation: Derivation,
    how: Plan,
    values: Mapping[str, Real],
    budget: Budget,
) -> _Walk:
    empty = Word(derivation.vocabulary, (), values)
    return _Walk(construction, theorem, derivation, how, values, budget, empty)


@dataclass
class _Walk:
    """The states of the words at one setting of the parameters."""

    construction: Construction
    theorem: OnWords
    derivation: Derivation
    plan: Plan
    values: Mapping[str, Real]
    budget: Budget
    empty: Word
    known: dict[tuple[object, ...], tuple[tuple[Real, ...], tuple[bool, ...]]] = field(default_factory=dict)

    def leads(self, longest: int) -> Iterator[tuple[str, ...]]:
        """Words that break the theorem as far as the closed form says, shortest first."""
        for word, at, flags in self.words(longest):
            try:
                wanted = true(self.plan.accepts, at, flags)
                run = closed_run(self.derivation, [""] * len(at.tokens), at.iverson(self.derivation.logit))
                if broken(self.construction, self.theorem, run, wanted, self.values) is not None:
                    yield word
            except ArithmeticError:
                continue

    def words(self, longest: int) -> Iterator[tuple[tuple[str, ...], Word, dict[str, bool]]]:
        """A word of each state that satisfies the hypothesis, with its values and flags, shortest first."""
        start = State((), (fmpq(0),) * len(self.derivation.sums), (True,) * len(self.plan.quantified))
        states = [start]
        for length in range(longest + 1):
            if self.plan.by_length:
                self.known.clear()
                states = [start]
                for _ in range(length):
                    states = self._next(states, length)
            elif length:
                states = self._next(states, length)
            if not states:
                return
            yield from self._satisfying(states, length)

    def _next(self, states: list[State], length: int) -> list[State]:
        """The states after one more symbol of words of `length` symbols; none when the work is done."""
        reached: dict[tuple[object, ...], State] = {}
        for state in states:
            if not self.budget.allows(STATE * len(self.derivation.vocabulary.alphabet)):
                return []
            for symbol in range(len(self.derivation.vocabulary.alphabet)):
                after = self._after(state, symbol, length)
                reached.setdefault((*self._likeness(after), after.sums), after)
        return list(reached.values()) if len(reached) <= MANY_STATES else self._extreme(reached.values())

    def _likeness(self, state: State) -> tuple[object, ...]:
        """What of a state matters beside its sums."""
        word, how = state.word, self.plan
        tail = max(how.tail, how.window - 1)
        ends = word[: 2 * max(how.head, how.tail)] if how.inward else (word[: how.head], word[len(word) - tail :])
        open_pair = word[-1:] if how.inward and len(word) % 2 else ()
        return tuple(map(word.count, how.counted)), ends, open_pair, state.flags

    def _extreme(self, states: Iterable[State]) -> list[State]:
        """Of the states that are alike, those with the least and the greatest of each sum; at most MOST_STATES."""
        groups: dict[tuple[object, ...], list[State]] = {}
        for state in states:
            groups.setdefault(self._likeness(state), []).append(state)
        kept: list[State] = []
        for group in groups.values():
            ends = []
            for number in range(len(self.derivation.sums)):
                ordered = sorted(group, key=lambda state, k=number: float(ball(state.sums[k]).mid()))  # type: ignore[misc]
                ends += [ordered[0], ordered[-1]]
            kept += dict.fromkeys(ends or group[:1])
        step = -(-len(kept) // MOST_STATES)
        return kept[::step]

    def _after(self, state: State, symbol: int, length: int) -> State:
        """With one more symbol, and what the positions add that are known now."""
        word = (*state.word, symbol)
        first = self.derivation.vocabulary.first
        sums, flags = state.sums, state.flags
        if not self.plan.inward:
            places: tuple[int, ...] = (first + len(word) - 1,)
            seen: tuple[object, ...] = (*map(word.count, self.plan.counted), word[-self.plan.window :])
        elif len(word) % 2 == 0:
            places = (first + len(word) // 2 - 1, first + length - len(word) // 2)
            seen = word[-2:]
        else:
            places = (first + len(word) // 2,) if len(word) == length else ()
            seen = word[-1:]
        for place in places:
            if (place, seen) not in self.known:
                self.known[place, seen] = self._added(word, length, place)
            added, held = self.known[place, seen]
            sums = tuple(total + more for total, more in zip(sums, added, strict=True))
            flags = tuple(before and now for before, now in zip(flags, held, strict=True))
        return State(word, sums, flags)

    def _added(self, word: tuple[int, ...], length: int, place: int) -> tuple[tuple[Real, ...], tuple[bool, ...]]:
        """What a position adds to each sum, and whether each quantified statement holds there."""
        at = self._word(word, length)
        at.values[j] = fmpq(place)
        added = tuple(at.iverson(total.body) for total in self.derivation.sums.values())
        held = tuple(true(body, at, {}) for _, body in self.plan.quantified)
        return added, held

    def _symbols(self, word: tuple[int, ...], length: int) -> list[int]:
        """The word in the order of its positions, -1 where no symbol has been chosen yet."""
        if not self.plan.inward:
            return list(word)
        left, right = word[::2], word[1::2]
        return [*left, *[-1] * (length - len(word)), *reversed(right)]

    def _word(self, word: tuple[int, ...], length: int) -> Word:
        vocabulary = self.derivation.vocabulary
        at = copy.copy(self.empty)
        at.values = dict(self.empty.values)
        symbols = self._symbols(word, length)
        at.tokens = [*[-1] * int(vocabulary.begin), *symbols, *[-1] * int(vocabulary.end)]
        at.values[n] = fmpq(length + int(vocabulary.begin) + int(vocabulary.end))
        for index, symbol in enumerate(vocabulary.alphabet):
            at.values[vocabulary.total(symbol)] = fmpq(symbols.count(index))
        return at

    def _satisfying(
        self, states: Iterable[State], length: int
    ) -> Iterator[tuple[tuple[str, ...], Word, dict[str, bool]]]:
        alphabet = self.derivation.vocabulary.alphabet
        for state in states:
            if not self.budget.allows(STATE):
                return
            at = self._word(state.word, length)
            at.values.update(zip(self.derivation.sums, state.sums, strict=True))
            flags = {name: held for (name, _), held in zip(self.plan.quantified, state.flags, strict=True)}
            try:
                if at.tokens and true(self.plan.given, at, flags):
                    yield tuple(alphabet[symbol] for symbol in self._symbols(state.word, length)), at, flags
            except ArithmeticError:
                continue
