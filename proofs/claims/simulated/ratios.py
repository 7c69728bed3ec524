"""Claims about how much a token's share grows, and about scores: quotients of polynomials in t and in shares.

At a generic step both sides are brought over one denominator, whose coefficients are positive; then they are equal
where the numerator of their difference is 0, and one is no less where its coefficients are not negative, as t and the
shares of tokens are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import sympy
from flint import fmpq

from weightproof.constructions.claims.stepwise import Growth, Ratio, Score, Share
from weightproof.constructions.machines.rnn import BEGIN, END
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import DecodedStep
from weightproof.constructions.meaning.schema import EncoderDecoder, Head
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.simulated.known import moment_of
from weightproof.proofs.quantities.outcome import NO_VALUE, Difference
from weightproof.proofs.simulation.holding import HALVED, STEP
from weightproof.proofs.simulation.simulates import LAST, SHRINKING, InductionStep
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.simulation.decoder import LayerStep
from weightproof.symbolic.simulation.encoder import POSITION
from weightproof.symbolic.simulation.given import SHARE, share
from weightproof.symbolic.simulation.parts import moved
from weightproof.symbolic.simulation.polynomial import Polynomial
from weightproof.symbolic.simulation.recurrent import weight

BEYOND = sympy.Symbol("beyond", nonnegative=True)
"""t - n - 1, at a step behind n."""
LATER, LONGER = sympy.Symbol("later", nonnegative=True), sympy.Symbol("longer", nonnegative=True)
"""t - 1, at a step that is not the first; n - 1."""


def ratio_difference(
    said: Ratio, network: EncoderDecoder, each: InductionStep, layers: tuple[LayerStep, ...], token: str
) -> str | None:
    """What is derived of a token at a generic step, where it is not as said."""
    found = _derived(said, network, each, layers, token)
    if found is None:
        return None
    derived, before, t = (_over_t(x, each) for x in (found, each.before[share(token)], each.before[STEP]))
    others = [each.before[name] for name in each.before if name.startswith(SHARE) and name != share(token)]
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
    said: Ratio, simulation: Simulation, each: InductionStep, layers: tuple[LayerStep, ...]
) -> tuple[str, ...]:
    """The tokens that a claim speaks of at a generic step; of scores, those that are seen."""
    rnn = simulation.rnn
    match said.of.token:
        case "the token at t'":
            tokens: tuple[str, ...] = (each.moment.token,)
        case "another token":
            tokens = tuple(token for token in rnn.tokens if token != each.moment.token)
        case None:
            tokens = rnn.tokens
        case "#" | "$" as token:
            tokens = (token,)
        case _:
            PROVER.refuse("token", said.of.token)
    return tuple(token for token in tokens if _derived(said, simulation.network, each, layers, token) is not None)


def _derived(
    said: Ratio, network: EncoderDecoder, each: InductionStep, layers: tuple[LayerStep, ...], token: str
) -> Polynomial | None:
    """None where no position that is seen holds the token."""
    match said.of:
        case Growth():
            return each.after[share(token)] - each.before[share(token)]
        case Share():
            return each.after[share(token)]
        case Score(layer=layer, best=best):
            scores = layers[layer - 1].looks[0].products
            if token not in scores:
                return None
            score = weight(_head(network, said.of).scale) * scores[token]
            return moved({"": score}, POSITION, each.moment.place)[""] if best else score


def _named(of: Growth | Share | Score) -> str:
    match of:
        case Growth():
            return "the growth of the share"
        case Share():
            return "the share"
        case Score():
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


def _in_region(said: Ratio, found: Polynomial, each: InductionStep) -> bool:
    """Whether a number compares as said by what is known of the atoms of the step."""
    if said.value.names:
        return False
    over = found - weight(said.value)
    match said.op:
        case ">=":
            return each.moment.region.is_not_negative(over)
        case "<=":
            return each.moment.region.is_not_negative(Polynomial() - over)
        case ">":
            return each.moment.region.is_positive(over)
        case "==":
            return False
    PROVER.refuse("comparison", said.op)


def _compared(said: Ratio, derived: sympy.Expr, wanted: sympy.Expr) -> bool:
    found = _sign(derived - wanted)
    below = _sign(wanted - derived)
    match said.op:
        case "==":
            return found == "0"
        case ">=":
            return found in ("0", "+", ">=")
        case "<=":
            return below in ("0", "+", ">=")
        case ">":
            return found == "+"
    PROVER.refuse("comparison", said.op)


def _negated_size(said: Ratio, within: sympy.Expr, wanted: sympy.Expr) -> bool:
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


def ratio_on_run(said: Ratio, simulation: Simulation, word: str, t: int, step: DecodedStep) -> Difference | None:
    """Where print is wrong at a step that was run: at one of the positions, for a score, and for one of the tokens."""
    tokens = (BEGIN, *word, END)
    places = enumerate(tokens) if isinstance(said.of, Score) else ((0, token) for token in simulation.rnn.tokens)
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
    said: Ratio, simulation: Simulation, token: str, found: Real, known: Mapping[str, Real]
) -> Difference | None:
    """Where a value of a run is not as said of numbers that are known."""
    try:
        wanted = evaluate(said.value, dict(known))
    except ArithmeticError:
        return Difference(f"{_named(said.of)} of {token!r}", NO_VALUE, str(found))
    if isinstance(said.of, Score) and not _is_itself(said.of) and _has_bars(simulation.network, said.of):
        wanted = wanted if sign(wanted) < 0 else -wanted
    gap = sign(found - wanted)
    if {"==": gap == 0, ">=": gap >= 0, "<=": gap <= 0, ">": gap > 0}[said.op]:
        return None
    printed = str(wanted) if said.op == "==" else f"{said.op} {wanted}"
    return Difference(f"{_named(said.of)} of {token!r}", printed, str(found))


def _is_itself(of: Score) -> bool:
    """Whether the score is meant, and not what stands between its bars."""
    return of.best or of.whole


def _has_bars(network: EncoderDecoder, of: Score) -> bool:
    return PROVER.is_less_size(_head(network, of).score)


def _head(network: EncoderDecoder, of: Score) -> Head:
    return network.layers[of.layer - 1].cross_heads[0]


def _is_less_size(of: Growth | Share | Score, network: EncoderDecoder) -> bool:
    """Whether the quantity is -|q.k|."""
    return isinstance(of, Score) and _is_itself(of) and _has_bars(network, of)


def _on_run(said: Ratio, tokens: tuple[str, ...], t: int, step: DecodedStep, token: str, position: int) -> Real | None:
    """The quantity; None where no position of that kind is seen."""
    match said.of:
        case Growth():
            now, before = tokens[: t + 1], tokens[:t]
            return fmpq(now.count(token), len(now)) - (fmpq(before.count(token), len(before)) if before else 0)
        case Share():
            return fmpq(tokens[: t + 1].count(token), len(tokens[: t + 1]))
        case Score(layer=number, best=best):
            layer = step.layers[number - 1]
            if position >= len(layer.scores[0]) or (best and layer.weights[0][position] == 0):
                return None
            return layer.scores[0][position]
