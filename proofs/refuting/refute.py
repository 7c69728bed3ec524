"""Counterexamples: words that the exact interpreter decides otherwise than a theorem says, shortest first.

Candidates may come from anywhere; only the replay makes one a counterexample. Here parameters are tried at a few fixed
values (`constructions.languages.samples`); `critical` tries the values that matter to a word.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from flint import arb, fmpq

from weightproof.constructions.languages.samples import inside, samples, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, add_markers
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import Real, Undecided, ball, sign
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.constructions.scalars.values import COMPARISONS, Number, difference, evaluate
from weightproof.proofs.theorem import PROVER, Compares, Decides, OnWords, Predicts, most_positions
from weightproof.proofs.verdict import Counterexample

Reader = Callable[[Sequence[str], Mapping[str, Real]], Run]
"""What gives the run of a marked word at parameter values: the interpreter, or for leads something quicker."""

Replay = Callable[[Sequence[str], Mapping[str, str], int | None], Run]
"""What gives the interpreter's run of a word at parameters, exactly, or in balls computed with so many bits."""


def counterexample(
    construction: Construction,
    theorem: OnWords,
    word: Sequence[str],
    parameters: Mapping[str, str],
    lead: Reader | None = None,
    replay: Replay | None = None,
) -> Counterexample | None:
    """Replay a word, exactly or in balls; a Counterexample if it satisfies the hypothesis and breaks the theorem.

    A word on which a norm has no value breaks every theorem. An empty input without markers, or a sign that cannot be
    certified, is no counterexample. lead: what the word is tried with first; only a word that breaks the theorem there
    is replayed. replay: what keeps runs for the next theorem; None is the interpreter.
    """
    network, alphabet = construction.encoder, construction.language.alphabet
    replay = functools.partial(run, construction, unread=False) if replay is None else replay
    values = parameter_values(construction, parameters)
    tokens = add_markers(network, word)
    if not tokens or not in_scope(construction, theorem, tokens, values):
        return None
    try:
        wanted = holds(theorem.accepts or construction.language.characterisation, values, tokens, alphabet)
        if lead is not None and broken(construction, theorem, lead(tokens, values), wanted, values) is None:
            return None
        found = Counterexample(construction.name, "".join(word), dict(parameters), wanted)
        wrong = functools.partial(broken, construction, theorem, wanted=wanted, values=values)
        return certain(construction, found, lambda bits: replay(word, parameters, bits), wrong)
    except ArithmeticError:
        return None


def certain(
    construction: Construction,
    found: Counterexample,
    ran: Callable[[int | None], Run],
    wrong: Callable[[Run], str | None],
) -> Counterexample | None:
    """A counterexample with what a run makes of its word, in the first arithmetic in which that is decided: in balls of
    so many bits, or exactly; None where nothing is wrong with it, or where all of them leave it undecided."""
    for bits in arithmetics(construction):
        try:
            result = ran(bits)
            note = wrong(result)
            accepts, logit = result.accepts, text(result.logit)
        except Undecided:
            continue
        except NoValue:
            accepts, logit, note = False, UNDEFINED, NOWHERE
        return None if note is None else replace(found, accepts=accepts, logit=logit, note=note, bits=bits)
    return None


def in_balls(construction: Construction) -> Replay:
    """Runs that leave undecided what balls do not tell: exactly, a long word would take all the time there is."""

    def replay(word: Sequence[str], parameters: Mapping[str, str], bits: int | None) -> Run:
        if bits is None:
            raise Undecided("the balls do not tell")
        return run(construction, word, parameters, bits, unread=False)

    return replay


ENOUGH = 1 << 11
"""Bits to tell a logit from a value that a theorem names; where they do not, they are taken for forms of one number."""
UNDEFINED, NOWHERE = "undefined", "a norm with epsilon = 0 has no value there"
"""What stands for the logit of a word on which the network has none, and why."""
BITS = 256
"""Of the balls in which a network with layer normalisation is run: exactly, its numbers are roots of roots, each longer
than the last."""


def arithmetics(construction: Construction) -> tuple[int | None, ...]:
    """The bits of the balls to run it in, None for exactly, one after another while it stays undecided."""
    network = construction.encoder
    return (BITS, None) if network.normed or _has_long_weights(network) else (None,)


LONG = re.compile(r"\d{6}")
"""In a weight that training left."""


def _has_long_weights(network: Encoder) -> bool:
    """Whether scores are made of long fractions: powers of e to them have exact forms that grow for ever."""
    rows = (row for layer in network.layers for head in layer.heads for row in head.W_Q.values())
    return any(LONG.search(weight.source) for row in rows for weight in row.values())


def broken(
    construction: Construction, theorem: OnWords, result: Run, wanted: bool, values: Mapping[str, Real]
) -> str | None:
    """What is wrong with the run of a word that is `wanted` or not, at parameter values; None if nothing is."""
    return broken_at(
        theorem, construction.encoder.readout.accept, result, wanted, {**values, "n": fmpq(len(result.tokens))}
    )


def broken_at(theorem: OnWords, rule: str, result: Run, wanted: bool, values: dict[str, Real]) -> str | None:
    """As `broken`, of what accepts by a rule; values: n among them."""
    if isinstance(theorem, Decides):
        if result.accepts != wanted:
            return ""
        at_zero = theorem.strict and PROVER.accepted(rule).side and sign(result.logit) == 0
        return "the logit is 0" if at_zero else None
    if isinstance(theorem, Compares):
        level = evaluate(theorem.value, values)
        if (wanted or theorem.only) and COMPARISONS[theorem.op](
            sign(difference(result.logit, level), ENOUGH)
        ) != wanted:
            return f"the logit is {'not ' * wanted}{theorem.op} {text(level)}"
        return None
    if wanted != theorem.of_accepted:
        return None
    if theorem.value is None:
        return f"there is a word of {values['n']} positions that is to be {theorem.side}"
    least = evaluate(theorem.value, values)
    if sign(least) < 0:
        return below_zero(least)
    if _keeps(rule, wanted, result.logit, least):
        return None
    return f"the least |logit| of {theorem.side} words of {values['n']} positions is not {text(least)}"


def below_zero(margin: Real) -> str:
    """What is wrong with a negative margin."""
    return f"a margin of {text(margin)} is below 0, which no |logit| is"


def _keeps(rule: str, wanted: bool, logit: Number, least: Real) -> bool:
    """Whether a logit keeps its distance from 0, on the right side."""
    accepted = PROVER.accepted(rule)
    if accepted.side:
        return sign(difference(accepted.on_side(wanted)[0] * logit, least), ENOUGH) >= 0
    if wanted:
        return sign(logit) == 0 and sign(least) == 0
    return sign(difference(logit * sign(logit), least), ENOUGH) >= 0


def in_scope(
    construction: Construction, theorem: OnWords | Predicts, tokens: Sequence[str], values: Mapping[str, Real]
) -> bool:
    """Whether a theorem speaks of a marked word at parameter values."""
    if len(tokens) > (most_positions(theorem) or len(tokens)):
        return False
    try:
        return holds(theorem.hypothesis, dict(values), tokens, construction.language.alphabet)
    except ArithmeticError:
        return False


def text(value: Number) -> str:
    """A value as an exact rational, or as a ball that contains it."""
    if isinstance(value, arb):
        return value.str(20)
    return str(value) if isinstance(value, fmpq) else ball(value).str(20)


MOST_WORDS = 600
"""As many words of a length as this are tried, all of two symbols up to length 9."""


def likely_words(construction: Construction, theorem: OnWords | Predicts, length: int) -> Iterator[str]:
    """All words of a length, or of a large alphabet MOST_WORDS with few different symbols, those spoken of first."""
    alphabet = construction.language.alphabet
    if len(alphabet) ** length <= MOST_WORDS:
        yield from words(alphabet, length, length)
    else:
        yield from itertools.islice(_with_few_symbols(by_interest(construction, theorem), length), MOST_WORDS)


def _with_few_symbols(alphabet: Sequence[str], length: int) -> Iterator[str]:
    for different in range(1, length + 1):
        for chosen in itertools.combinations(alphabet, different):
            for symbols in itertools.product(chosen, repeat=length):
                if len(set(symbols)) == different:
                    yield "".join(symbols)


def by_interest(construction: Construction, theorem: OnWords | Predicts) -> list[str]:
    """The alphabet, in this order: what the theorem speaks of, one symbol of each embedding, the others."""
    network, alphabet = construction.encoder, construction.language.alphabet
    formulas = (theorem.hypothesis, theorem.accepts or construction.language.characterisation)
    named = {symbol for formula in formulas for symbol in symbols_of(formula.tree) or ()}
    rows: dict[str, str] = {}
    for symbol in alphabet:
        if symbol not in named:
            rows.setdefault(str(network.embedding.WE.get(symbol)), symbol)
    first = [*(symbol for symbol in alphabet if symbol in named), *rows.values()]
    return list(dict.fromkeys([*first, *alphabet]))


def search(
    construction: Construction,
    theorem: OnWords,
    longest: int,
    shortest: int = 0,
    budget: Budget | None = None,
    replay: Replay | None = None,
) -> Counterexample | None:
    """The first counterexample among likely words of the lengths, at the sampled parameters; work: as far as it goes,
    None for all of them; replay: as for `counterexample`."""
    tried = samples(construction)
    for length in range(shortest, longest + 1):
        steps = len(tried) * run_steps(construction, length)
        for word in likely_words(construction, theorem, length):
            if budget is not None and not budget.allows(steps):
                return None
            for parameters in tried:
                found = counterexample(construction, theorem, word, parameters, replay=replay)
                if found is not None:
                    return found
    return None


FAR = ("8", "64", "512", "1/8", "1/64", "1/512")
"""Values of a real parameter. The nearest come first: beyond them a logit may be too small for the balls."""


def search_extreme(construction: Construction, theorem: OnWords, longest: int, budget: Budget) -> Counterexample | None:
    """The first counterexample among likely words of up to `longest` symbols, one real parameter far out and the others
    at their defaults: a mistake that takes, say, a strong attention to show is found there where there is no closed
    form with critical values. Words are run in balls alone."""
    replay = in_balls(construction)
    for length in range(longest + 1):
        steps = run_steps(construction, length)
        for word in likely_words(construction, theorem, length):
            for parameters in extremes(construction):
                if not budget.allows(steps):
                    return None
                found = counterexample(construction, theorem, word, parameters, replay=replay)
                if found is not None:
                    return found
    return None


def extremes(construction: Construction) -> Iterator[dict[str, str]]:
    """Parameter values to try."""
    defaults = {p.name: str(p.default) for p in construction.parameters}
    reals = [p.name for p in construction.parameters if p.kind == "real"]
    yield from inside(construction, (defaults | {name: value} for name in reals for value in FAR))


SCORE, POSITION = 3, 60
"""Steps of a run for each score, and for each position of each layer."""


def run_steps(construction: Construction, symbols: int) -> int:
    """Of the run of a word."""
    network = construction.encoder
    heads = sum(len(layer.heads) for layer in network.layers)
    return (symbols + 1) * (POSITION * (len(network.layers) + 1) + SCORE * heads * (symbols + 1))
