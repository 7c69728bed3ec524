"""What the names of `stepwise` stand for, at a generic step of the symbolic reading and at a step that was run; and
claims about how much a token's share grows, and about scores: quotients of polynomials in t and in shares.

At a generic step both sides are brought over one denominator, whose coefficients are positive; then they are equal
where the numerator of their difference is 0, and one is no less where its coefficients are not negative, as t and the
shares of tokens are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import sympy
from flint import fmpq

from weightproof.constructions.claims import stepwise as says
from weightproof.constructions.claims.stepwise import BACK, GROWTH, INPUT, IS, MEAN, NEXT, NOW, SHARE
from weightproof.constructions.machines.rnn import BEGIN, END, RNN, State
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import DecodedStep
from weightproof.constructions.meaning.schema import EncoderDecoder, Head
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.values import compare, evaluate
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference
from weightproof.proofs.simulation.holding import HALVED, STEP
from weightproof.proofs.simulation.simulates import LAST, SHRINKING, InductionStep
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.simulation.constraints import SHARE as SHARE_OF
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.decoder import POSITION, LayerStep
from weightproof.symbolic.simulation.parts import advanced, embedded, moved, weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Values, total

T = TypeVar("T")
ZERO, ONE = Polynomial(), Polynomial.number(1)
Moment = Literal["begin", "symbol", "end", "after"]
"""Steps 0, 0 < t < n, n, and those behind."""


def moment_of(each: InductionStep) -> Moment:
    if each.moment.token == BEGIN:
        return "begin"
    if each.moment.token != END:
        return "symbol"
    return "end" if each.moment.step == each.moment.place else "after"


def in_range(steps: says.Steps, t: int, n: int) -> bool:
    """Whether step t of a word whose last position is n is one of those."""
    ranges: Mapping[str, bool] = {
        "t >= 0": t >= 0,
        "t = 0": t == 0,
        "0 < t < n": 0 < t < n,
        "0 <= t < n": 0 <= t < n,
        "0 < t <= n": 0 < t <= n,
        "0 <= t <= n": 0 <= t <= n,
        "t = n": t == n,
        "t >= n": t >= n,
        "t > n": t > n,
    }
    return PROVER.of("range of steps", steps, ranges)


EXAMPLES: Mapping[Moment, tuple[tuple[int, int], ...]] = {
    "begin": ((0, 3),),
    "symbol": ((1, 3), (2, 3)),
    "end": ((3, 3),),
    "after": ((4, 3), (5, 3)),
}
"""Steps t and last positions n that tell the ranges of `Steps` apart, one step later, too."""


def reaches(steps: says.Steps, ahead: int, moment: Moment) -> bool:
    """Whether print's range, with its step t as step t + ahead, has steps at a moment."""
    return any(in_range(steps, t - ahead, n) for t, n in EXAMPLES[moment])


def generic(rnn: RNN, each: InductionStep, ahead: int) -> Values:
    """The values by name at a generic step; a name that is missing has no value there that could be told."""
    moment, kind = each.moment, moment_of(each)
    state = {unit: each.before.get(unit, ZERO) for unit in rnn.units}
    before, now = ({token: shares[share(token)] for token in rnn.tokens} for shares in (each.before, each.after))
    x = {token: embedded(rnn, token) for token in moment.shares}
    known = {
        **state,
        "1": ONE,
        "t": each.before[STEP] - Polynomial.number(ahead),
        "2^-t": Polynomial.number(1 << ahead) * each.before[HALVED],
        **_after_words(
            {
                NEXT: advanced(rnn, state, moment.token, moment.region),
                SHARE: before,
                NOW: now,
                GROWTH: {token: moment.region.saturated(now[token] - before[token]) for token in rnn.tokens},
                MEAN: {
                    name: total(part * x[token].get(name, ZERO) for token, part in moment.shares.items())
                    for name in rnn.inputs
                },
            }
        ),
        **inputs_of(rnn, moment.token),
    }
    if kind != "after":
        known |= {**_after_words({BACK: before}), "2^-t'": known["2^-t"]}
    if kind in ("end", "after"):
        known["n"] = Polynomial.atom(LAST) if kind == "after" else each.before[STEP]
    return known


def _after_words(values: Mapping[str, Mapping[str, T]]) -> dict[str, T]:
    """The values of units, inputs and tokens, by the word before their names."""
    return {word + name: value for word, each in values.items() for name, value in each.items()}


def inputs_of(rnn: RNN, token: str) -> Values:
    """What is known of a token, wherever it stands."""
    x = embedded(rnn, token)
    marks = {each: ONE if each == token else ZERO for each in rnn.tokens}
    return _after_words({INPUT: {name: x.get(name, ZERO) for name in rnn.inputs}, IS: marks})


def run_values(rnn: RNN, word: Sequence[str], t: int, state: State, after: State, ahead: int) -> dict[str, Real]:
    """The values by name at step t of a run, from the word and the states before and after it."""
    tokens, n = (BEGIN, *word, END), len(word) + 1
    last = min(t, n)
    now, before, back = (_shares(rnn, tokens[:length]) for length in (last + 1, min(t, n + 1), last))
    x = {token: {name: evaluate(w, {}) for name, w in rnn.embedding.WE.get(token, {}).items()} for token in rnn.tokens}
    values: Mapping[str, Mapping[str, Real]] = {
        NEXT: after,
        SHARE: before,
        NOW: now,
        BACK: back,
        GROWTH: {token: _positive(now[token] - before[token]) for token in rnn.tokens},
        INPUT: {name: x[tokens[last]].get(name, fmpq(0)) for name in rnn.inputs},
        MEAN: {
            name: sum((part * x[token].get(name, fmpq(0)) for token, part in now.items()), fmpq(0))
            for name in rnn.inputs
        },
        IS: {token: fmpq(int(token == tokens[last])) for token in rnn.tokens},
    }
    numbers = {"1": 1, "t": t - ahead, "n": n, "2^-t": fmpq(2**ahead, 2**t), "2^-t'": fmpq(2**ahead, 2**last)}
    return {**state, **{name: fmpq(number) for name, number in numbers.items()}, **_after_words(values)}


def _shares(rnn: RNN, seen: Sequence[str]) -> dict[str, fmpq]:
    return {token: fmpq(seen.count(token), len(seen)) if seen else fmpq(0) for token in rnn.tokens}


def _positive(x: fmpq) -> fmpq:
    return x if sign(x) > 0 else fmpq(0)


def row_value(row: says.Row, known: Values) -> Polynomial:
    """KeyError for a name without a value."""
    return total(Polynomial.number(fmpq(*_fraction(weight))) * known[name] for name, weight in row.items())


def run_value(row: says.Row, known: Mapping[str, Real]) -> Real:
    return sum((fmpq(*_fraction(weight)) * known[name] for name, weight in row.items()), fmpq(0))


def _fraction(weight: int | str) -> tuple[int, int]:
    numerator, _, denominator = str(weight).partition("/")
    return int(numerator), int(denominator or 1)


BEYOND = sympy.Symbol("beyond", nonnegative=True)
"""t - n - 1, at a step behind n."""
LATER, LONGER = sympy.Symbol("later", nonnegative=True), sympy.Symbol("longer", nonnegative=True)
"""t - 1, at a step that is not the first; n - 1."""


def ratio_difference(
    said: says.Ratio, network: EncoderDecoder, each: InductionStep, layers: tuple[LayerStep, ...], token: str
) -> str | None:
    """What is derived of a token at a generic step, where it is not as said."""
    found = _derived(said, network, each, layers, token)
    if found is None:
        return None
    derived, before, t = (_over_t(x, each) for x in (found, each.before[share(token)], each.before[STEP]))
    others = [each.before[name] for name in each.before if name.startswith(SHARE_OF) and name != share(token)]
    n = {"after": _over_t(Polynomial.atom(LAST), each), "end": t}.get(moment_of(each), sympy.Symbol("n"))
    names = {
        "t": t - said.ahead,
        "p": (1 << said.ahead) * _over_t(each.before[HALVED], each),
        "phi": t * before,
        "i": sympy.Symbol(POSITION, nonnegative=True),
        "n": n,
    }
    spoken_of = [{"psi": t * _over_t(other, each)} for other in others] if "psi" in said.value.names else [{}]
    values = [sympy.sympify(said.value.source, locals=names | other) for other in spoken_of]
    if _is_less_size(said.of, network):
        fits = all(_negated_size(said, derived, wanted) for wanted in values)
        return None if fits else f"{_named(said.of)} of {token!r} is -|{sympy.factor(derived)}|"
    if all(_compared(said, derived, wanted) or _in_region(said, found, each) for wanted in values):
        return None
    return f"{_named(said.of)} of {token!r} is {sympy.factor(derived)}"


def tokens_of(
    said: says.Ratio, simulation: Simulation, each: InductionStep, layers: tuple[LayerStep, ...]
) -> tuple[str, ...]:
    """The tokens that a claim speaks of at a generic step; of scores, those that are seen."""
    here, every = each.moment.token, simulation.rnn.tokens
    spoken_of = {
        "the token at t'": (here,),
        "another token": tuple(token for token in every if token != here),
        **{token: (token,) for token in (BEGIN, END)},
    }
    tokens = every if said.of.token is None else PROVER.of("token", said.of.token, spoken_of)
    return tuple(token for token in tokens if _derived(said, simulation.network, each, layers, token) is not None)


def _derived(
    said: says.Ratio, network: EncoderDecoder, each: InductionStep, layers: tuple[LayerStep, ...], token: str
) -> Polynomial | None:
    """None where no position that is seen holds the token."""
    match said.of:
        case says.Growth():
            return each.after[share(token)] - each.before[share(token)]
        case says.Share():
            return each.after[share(token)]
        case says.Score(layer=layer, best=best):
            scores = layers[layer - 1].looks[0].products
            if token not in scores:
                return None
            score = weight(_head(network, said.of).scale) * scores[token]
            return moved({"": score}, POSITION, each.moment.place)[""] if best else score


def _named(of: says.Growth | says.Share | says.Score) -> str:
    match of:
        case says.Growth():
            return "the growth of the share"
        case says.Share():
            return "the share"
        case says.Score():
            return f"the score in layer {of.layer}"


def _over_t(polynomial: Polynomial, each: InductionStep) -> sympy.Expr:
    """In t, or in n and how far t is behind it, and in the shares of tokens; "#" has 1/t of the first t positions."""
    kind = moment_of(each)
    n = 1 + LONGER
    t = {"begin": sympy.Integer(0), "after": n + 1 + BEYOND}.get(kind, 1 + LATER)
    values = {STEP: t, SHRINKING: 1 / (t + 1), LAST: n}
    if kind in ("symbol", "end"):
        values[share(BEGIN)] = 1 / t
    terms = [
        sympy.Rational(int(c.p), int(c.q))
        * sympy.Mul(*(values.get(name, sympy.Symbol(name, nonnegative=True)) for name in monomial))
        for monomial, c in polynomial.terms
    ]
    return sympy.Add(*terms)


def _in_region(said: says.Ratio, found: Polynomial, each: InductionStep) -> bool:
    """Whether a number compares as said by what is known of the atoms of the step."""
    if said.value.names:
        return False
    region, over = each.moment.region, found - weight(said.value)
    known = {
        "==": False,
        ">=": region.is_not_negative(over),
        "<=": region.is_not_negative(Polynomial() - over),
        ">": region.is_positive(over),
    }
    return PROVER.of("comparison", said.op, known)


def _compared(said: says.Ratio, derived: sympy.Expr, wanted: sympy.Expr) -> bool:
    found, below = _sign(derived - wanted), _sign(wanted - derived)
    at_least = ("0", "+", ">=")
    known = {"==": found == "0", ">=": found in at_least, "<=": below in at_least, ">": found == "+"}
    return PROVER.of("comparison", said.op, known)


def _negated_size(said: says.Ratio, within: sympy.Expr, wanted: sympy.Expr) -> bool:
    """Whether -|within| is as said: what else than equal to a number that is not positive, these signs do not tell."""
    apart = (wanted - within, wanted + within)
    return said.op == "==" and any(_sign(each) == "0" for each in apart) and _sign(-wanted) is not None


def _sign(x: sympy.Expr) -> Literal["0", "+", ">="] | None:
    """Whether it is 0, positive, or not negative, by its coefficients, as no symbol is negative; None where these do
    not tell."""
    if x.has(sympy.zoo, sympy.nan):
        return None
    symbols = sorted(x.free_symbols, key=str) or [BEYOND]
    over, under = (sympy.Poly(part, *symbols) for part in sympy.fraction(sympy.cancel(sympy.together(x))))
    if over.is_zero:
        return "0"
    if not (_all_positive(under) and under.TC() > 0 and _all_positive(over)):
        return None
    return "+" if over.TC() > 0 else ">="


def _all_positive(polynomial: sympy.Poly) -> bool:
    return all(c > 0 for c in polynomial.coeffs())


def ratio_on_run(said: says.Ratio, simulation: Simulation, word: str, t: int, step: DecodedStep) -> Difference | None:
    """Where print is wrong at a step that was run: at one of the positions, for a score, and for one of the tokens."""
    tokens = (BEGIN, *word, END)
    places = enumerate(tokens) if isinstance(said.of, says.Score) else ((0, token) for token in simulation.rnn.tokens)
    for position, token in places:
        chosen = token == tokens[min(t, len(tokens) - 1)]
        fits = {"the token at t'": chosen, "another token": not chosen, None: True}.get(said.of.token)
        found = _on_run(said, tokens, t, step, token, position)
        if found is None or not (token == said.of.token if fits is None else fits):
            continue
        names = {
            "t": t - said.ahead,
            "p": fmpq(1, 2**t) * 2**said.ahead,
            "phi": tokens[:t].count(token),
            "i": position,
            "n": len(tokens) - 1,
        }
        known = {name: fmpq(value) for name, value in names.items()} | {"p": fmpq(1, 2**t) * 2**said.ahead}
        for other in (each for each in simulation.rnn.tokens if each != token):
            difference = _apart(said, simulation, token, found, known | {"psi": fmpq(tokens[:t].count(other))})
            if difference is not None:
                return difference
    return None


def _apart(
    said: says.Ratio, simulation: Simulation, token: str, found: Real, known: Mapping[str, Real]
) -> Difference | None:
    """Where a value of a run is not as said of numbers that are known."""
    try:
        wanted = evaluate(said.value, dict(known))
    except ArithmeticError:
        return Difference(f"{_named(said.of)} of {token!r}", NO_VALUE, str(found))
    if isinstance(said.of, says.Score) and not _is_itself(said.of) and _has_bars(simulation.network, said.of):
        wanted = wanted if sign(wanted) < 0 else -wanted
    if compare(said.op, found, wanted):
        return None
    printed = str(wanted) if said.op == "==" else f"{said.op} {wanted}"
    return Difference(f"{_named(said.of)} of {token!r}", printed, str(found))


def _is_itself(of: says.Score) -> bool:
    """Whether the score is meant, and not what stands between its bars."""
    return of.best or of.whole


def _has_bars(network: EncoderDecoder, of: says.Score) -> bool:
    return PROVER.is_less_size(_head(network, of).score)


def _head(network: EncoderDecoder, of: says.Score) -> Head:
    return network.layers[of.layer - 1].cross_heads[0]


def _is_less_size(of: says.Growth | says.Share | says.Score, network: EncoderDecoder) -> bool:
    """Whether the quantity is -|q.k|."""
    return isinstance(of, says.Score) and _is_itself(of) and _has_bars(network, of)


def _on_run(
    said: says.Ratio, tokens: tuple[str, ...], t: int, step: DecodedStep, token: str, position: int
) -> Real | None:
    """The quantity; None where no position of that kind is seen."""
    match said.of:
        case says.Growth():
            now, before = tokens[: t + 1], tokens[:t]
            return fmpq(now.count(token), len(now)) - (fmpq(before.count(token), len(before)) if before else 0)
        case says.Share():
            return fmpq(tokens[: t + 1].count(token), len(tokens[: t + 1]))
        case says.Score(layer=number, best=best):
            layer = step.layers[number - 1]
            if position >= len(layer.scores[0]) or (best and layer.weights[0][position] == 0):
                return None
            return layer.scores[0][position]
