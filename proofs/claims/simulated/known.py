"""What the names of `stepwise` stand for: at a generic step of the symbolic reading, and at a step that was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from flint import fmpq

from weightproof.constructions.claims.stepwise import BACK, GROWTH, INPUT, IS, MEAN, NEXT, NOW, SHARE, Row, Steps
from weightproof.constructions.machines.rnn import BEGIN, END, RNN, State
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.simulation.holding import HALVED, STEP
from weightproof.proofs.simulation.simulates import LAST, InductionStep
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.simulation.given import share
from weightproof.symbolic.simulation.polynomial import Polynomial, total
from weightproof.symbolic.simulation.recurrent import Values, advanced, embedded

ZERO, ONE = Polynomial(), Polynomial.number(1)
Moment = Literal["begin", "symbol", "end", "after"]
"""Steps 0, 0 < t < n, n, and those behind."""


def moment_of(each: InductionStep) -> Moment:
    if each.moment.token == BEGIN:
        return "begin"
    if each.moment.token != END:
        return "symbol"
    return "end" if each.moment.step == each.moment.place else "after"


def in_range(steps: Steps, t: int, n: int) -> bool:
    """Whether step t of a word whose last position is n is one of those."""
    match steps:
        case "t >= 0":
            return t >= 0
        case "t = 0":
            return t == 0
        case "0 < t < n":
            return 0 < t < n
        case "0 <= t < n":
            return 0 <= t < n
        case "0 < t <= n":
            return 0 < t <= n
        case "0 <= t <= n":
            return 0 <= t <= n
        case "t = n":
            return t == n
        case "t >= n":
            return t >= n
        case "t > n":
            return t > n
    PROVER.refuse("range of steps", steps)


EXAMPLES: Mapping[Moment, tuple[tuple[int, int], ...]] = {
    "begin": ((0, 3),),
    "symbol": ((1, 3), (2, 3)),
    "end": ((3, 3),),
    "after": ((4, 3), (5, 3)),
}
"""Steps t and last positions n that tell the ranges of `Steps` apart, one step later, too."""


def reaches(steps: Steps, ahead: int, moment: Moment) -> bool:
    """Whether print's range, with its step t as step t + ahead, has steps at a moment."""
    return any(in_range(steps, t - ahead, n) for t, n in EXAMPLES[moment])


def generic(rnn: RNN, each: InductionStep, ahead: int) -> Values:
    """By name, at a generic step; a name that is missing has no value there that could be told."""
    moment, kind = each.moment, moment_of(each)
    state = {unit: each.before.get(unit, ZERO) for unit in rnn.units}
    after = advanced(rnn, state, moment.token, moment.region)
    shares = {token: (each.before[share(token)], each.after[share(token)]) for token in rnn.tokens}
    embeddings = {token: embedded(rnn, token) for token in moment.shares}
    known = {
        **state,
        "1": ONE,
        "t": each.before[STEP] - Polynomial.number(ahead),
        "2^-t": Polynomial.number(1 << ahead) * each.before[HALVED],
        **{NEXT + unit: value for unit, value in after.items()},
        **{SHARE + token: before for token, (before, _) in shares.items()},
        **{NOW + token: now for token, (_, now) in shares.items()},
        **{GROWTH + token: moment.region.saturated(now - before) for token, (before, now) in shares.items()},
        **inputs_of(rnn, moment.token),
        **{
            MEAN + name: total(part * embeddings[token].get(name, ZERO) for token, part in moment.shares.items())
            for name in rnn.inputs
        },
    }
    if kind != "after":
        known |= {BACK + token: before for token, (before, _) in shares.items()}
        known["2^-t'"] = known["2^-t"]
    if kind in ("end", "after"):
        known["n"] = Polynomial.atom(LAST) if kind == "after" else each.before[STEP]
    return known


def inputs_of(rnn: RNN, token: str) -> Values:
    """What is known of a token, wherever it stands."""
    x = embedded(rnn, token)
    return {
        **{INPUT + name: x.get(name, ZERO) for name in rnn.inputs},
        **{IS + each: ONE if each == token else ZERO for each in rnn.tokens},
    }


def run_values(rnn: RNN, word: Sequence[str], t: int, state: State, after: State, ahead: int) -> dict[str, Real]:
    """By name, at step t of a run, from the word and the states before and after it."""
    tokens, n = (BEGIN, *word, END), len(word) + 1
    last = min(t, n)
    now, before, back = (_shares(rnn, tokens[:length]) for length in (last + 1, min(t, n + 1), last))
    x = {token: {name: evaluate(w, {}) for name, w in rnn.embedding.WE.get(token, {}).items()} for token in rnn.tokens}
    return {
        **state,
        "1": fmpq(1),
        "t": fmpq(t - ahead),
        "n": fmpq(n),
        "2^-t": fmpq(1, 2**t) * 2**ahead,
        "2^-t'": fmpq(1, 2**last) * 2**ahead,
        **{NEXT + unit: value for unit, value in after.items()},
        **{SHARE + token: before[token] for token in rnn.tokens},
        **{NOW + token: now[token] for token in rnn.tokens},
        **{BACK + token: back[token] for token in rnn.tokens},
        **{GROWTH + token: _positive(now[token] - before[token]) for token in rnn.tokens},
        **{INPUT + name: x[tokens[last]].get(name, fmpq(0)) for name in rnn.inputs},
        **{
            MEAN + name: sum((part * x[token].get(name, fmpq(0)) for token, part in now.items()), fmpq(0))
            for name in rnn.inputs
        },
        **{IS + token: fmpq(int(token == tokens[last])) for token in rnn.tokens},
    }


def _shares(rnn: RNN, seen: Sequence[str]) -> dict[str, fmpq]:
    return {token: fmpq(seen.count(token), len(seen)) if seen else fmpq(0) for token in rnn.tokens}


def _positive(x: fmpq) -> fmpq:
    return x if sign(x) > 0 else fmpq(0)


def row_value(row: Row, known: Values) -> Polynomial:
    """KeyError for a name without a value."""
    return total(Polynomial.number(fmpq(*_fraction(weight))) * known[name] for name, weight in row.items())


def run_value(row: Row, known: Mapping[str, Real]) -> Real:
    return sum((fmpq(*_fraction(weight)) * known[name] for name, weight in row.items()), fmpq(0))


def _fraction(weight: int | str) -> tuple[int, int]:
    numerator, _, denominator = str(weight).partition("/")
    return int(numerator), int(denominator or 1)
