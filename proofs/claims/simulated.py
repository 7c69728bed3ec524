"""Claims about transformers that simulate recurrent networks: judged for all of those of `SIZES`, every word and every
step. Print speaks of every size: so what is true there is sampled, and the scope says at which.

A statement is judged at a generic step of each moment of a run, whose input is what the induction says, by comparing
polynomials. What differs is false only where a run shows it: a recurrent network, a word and a step. Otherwise it stays
open.

How much a token's share grows, and scores, are quotients of polynomials in t and in shares: at a generic step both
sides are brought over one denominator, whose coefficients are positive; then they are equal where the numerator of
their difference is 0, and one is no less where its coefficients are not negative: t and the shares of tokens are not.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import sympy
from flint import fmpq

from weightproof.constructions.claims import stepwise as says
from weightproof.constructions.claims.stepwise import BACK, GROWTH, INPUT, IS, MEAN, NEXT, NOW, SHARE
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import simulation_of
from weightproof.constructions.machines.numbered import every_rnn, with_numbers
from weightproof.constructions.machines.rnn import BEGIN, END, RNN, State, states
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import DecodedStep, Vector, decoded_steps
from weightproof.constructions.meaning.schema import Encoder, EncoderDecoder, FeedForward, Head, Linear
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import compare, evaluate
from weightproof.proofs.quantities import outcome
from weightproof.proofs.quantities.explanation import explained
from weightproof.proofs.quantities.outcome import NO_VALUE, WEIGHTS, Difference, Evaluated, Fails, Open, Outcome
from weightproof.proofs.simulation.deciding import decide_simulation
from weightproof.proofs.simulation.diverging import BEHIND, LONGEST_WORD, network_that_fails, numberings
from weightproof.proofs.simulation.holding import HALVED, STEP, Invariant
from weightproof.proofs.simulation.prove import OF_SIZES, SIZED, SIZES, invariant_of
from weightproof.proofs.simulation.simulates import (
    LAST,
    SHRINKING,
    InductionStep,
    before,
    induction_steps,
    input_at,
    start,
)
from weightproof.proofs.theorem import PROVER
from weightproof.proofs.verdict import Evidence
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.simulation import decoder, parts
from weightproof.symbolic.simulation.constraints import SHARE as SHARE_OF
from weightproof.symbolic.simulation.constraints import share
from weightproof.symbolic.simulation.decoder import POSITION, LayerStep, encoded
from weightproof.symbolic.simulation.parts import advanced, applied, embedded, moved, weight
from weightproof.symbolic.simulation.polynomial import Polynomial, Values, total

T = TypeVar("T")
Matrix = Mapping[str, Mapping[str, Expression]]


def judge_blocks(said: says.Blocks) -> Outcome:
    """The sizes add up to the width, as polynomials in the sizes of the recurrent network."""
    total = sympy.Add(*(sympy.sympify(size.source) for size in said.sizes))
    width = sympy.sympify(said.width.source)
    if sympy.Poly(total - width, *sympy.symbols("d_h d_b m")).is_zero:
        return outcome.Holds("all sizes", "certificate")
    return _differ("rows of the blocks", said.width.source, str(total))


def keys_made(encoder: Encoder) -> sympy.Expr:
    """One for each position: n - 1 symbols, and the markers that the encoder has."""
    return sympy.Symbol("n") - 1 + sum(marker is not None for marker in (encoder.begin, encoder.end))


def same_number(printed: Expression, number: sympy.Expr) -> bool:
    """Whether two formulas in n are the same polynomial."""
    return bool(sympy.Poly(sympy.sympify(printed.source) - number, sympy.Symbol("n")).is_zero)


def judge_matrix(simulation: Simulation, said: says.BlockMatrix) -> Outcome:
    """A matrix is the printed one, entry by entry."""
    here, printed = _matrix(simulation, said), _printed(simulation, said)
    for row in dict.fromkeys((*printed, *here)):
        for column in dict.fromkeys((*printed.get(row, {}), *here.get(row, {}))):
            found = weight(here[row][column]) if column in here.get(row, {}) else Polynomial()
            wanted = printed.get(row, {}).get(column, Polynomial())
            if found != wanted:
                what = f"{said.part} of layer {said.layer}, {row!r} from {column!r}"
                return _differ(what, str(wanted), str(found))
    return WEIGHTS


def _differ(what: str, printed: str, found: str) -> Fails:
    """How the family as a whole differs from print: no run of one member shows it."""
    return Fails(explained(found), Evaluated(what, printed, found, evidence="the entry differs"))


def _matrix(simulation: Simulation, said: says.BlockMatrix) -> Matrix:
    layer = simulation.network.layers[said.layer - 1]
    [head], feed_forward = layer.cross_heads, layer.feed_forward or FeedForward(Linear(), Linear())
    first, second = feed_forward.first.weights, feed_forward.second.weights
    return PROVER.of("part", said.part, {"W_K": head.W_K, "W_V": head.W_V, "W_F1": first, "W_F2": second})


def _printed(simulation: Simulation, said: says.BlockMatrix) -> dict[str, dict[str, Polynomial]]:
    rnn = simulation.rnn
    entries: dict[str, dict[str, Polynomial]] = {}
    for block in said.blocks:
        if block.diagonal in ("W_h", "W_x"):
            of, names = (rnn.W_h.weights, rnn.units) if block.diagonal == "W_h" else (rnn.W_x.weights, rnn.inputs)
            for row, unit in zip(block.rows, rnn.units, strict=True):
                named = dict(zip(names, block.columns, strict=True))
                entries.setdefault(row, {}).update({named[name]: weight(w) for name, w in of.get(unit, {}).items()})
            continue
        for row, column in zip(block.rows, block.columns, strict=True):
            entries.setdefault(row, {})[column] = weight(Expression(str(block.diagonal)))
    return entries


NOUGHT = fmpq(0)
ZERO, ONE = Polynomial(), Polynomial.number(1)


@dataclass(frozen=True)
class Family:
    """Transformers for recurrent networks, and what the input of each step is said to hold beside the state."""

    name: str
    simulation: Callable[[RNN], Simulation]
    invariant: Callable[[RNN], Invariant]


def run_apart(family: Family, statement: Callable[[RNN], says.Stepwise]) -> Difference | None:
    """A recurrent network of one unit, one input and one symbol, as few of whose numbers as possible are not 0, a word
    and a step where a run differs from print."""
    general = every_rnn(1, 1, 1)
    said = statement(general)
    if isinstance(said, says.Simulates) and not said.fractions:
        found = network_that_fails(family.simulation, general)
        if found is None or (wrong := found.step) is None:
            return None
        what = f"{wrong.unit} of the output vector of step {wrong.number}"
        return Difference(what, wrong.expected, wrong.found, found.word, found.parameters)
    if not isinstance(said, says.Holds | says.Ratio | says.Attends | says.Keys) or (
        isinstance(said, says.Holds) and said.place in ("keys", "values")
    ):
        return None
    fractions, simulations = isinstance(said, says.Holds) and said.fractions, family.simulation(general)
    for numbers in numberings(general):
        if fractions and any(numbers.get(name, "0") in OUTSIDE for name in _embeddings(general)):
            continue
        simulation = with_numbers(simulations, numbers)
        for word in itertools.takewhile(lambda word: len(word) <= LONGEST_WORD, words(general.alphabet)):
            difference = _on_run(family, simulation, said, word)
            if difference is not None:
                return replace(difference, parameters=numbers)
    return None


OUTSIDE = ("-1", "2")
"""The numbers outside [0, 1] among those that are tried."""


def _embeddings(rnn: RNN) -> set[str]:
    return {w.source for row in rnn.embedding.WE.values() for w in row.values()}


def _on_run(
    family: Family, simulation: Simulation, said: says.Holds | says.Ratio | says.Attends | says.Keys, word: str
) -> Difference | None:
    if isinstance(said, says.Keys):
        return _keys_on_run(simulation, said, word)
    rnn, n, ahead = simulation.rnn, len(word) + 1, getattr(said, "ahead", 0)
    invariant = family.invariant(rnn)
    state: State = dict.fromkeys(rnn.units, NOUGHT)
    runs = zip(states(rnn, word), decoded_steps(simulation.network, word), strict=True)
    for t, (after, step) in enumerate(itertools.islice(runs, n + 1 + BEHIND)):
        known = run_values(rnn, word, t, state, after, ahead)
        assumed = _assumed(invariant, rnn, state, run_values(rnn, word, t, state, after, 0))
        state = after
        # Print speaks of a step whose input is as it says; only of the input itself it is said of every step of a run.
        as_assumed = all(value == assumed.get(name, NOUGHT) for name, value in step.input.items())
        if not in_range(said.steps, t - ahead, n) or not (as_assumed or _is_of_runs(said)):
            continue
        match said:
            case says.Holds():
                found = _held_on_run(said, step, known)
            case says.Ratio():
                found = ratio_on_run(said, simulation, word, t, step)
            case says.Attends():
                found = _attended_on_run(said, word, t, step)
        if found is not None:
            return replace(found, what=f"step {t}: {found.what}", word=word)
    return None


def _assumed(invariant: Invariant, rnn: RNN, state: State, known: Mapping[str, Real]) -> Vector:
    """The input of a step as the induction says it; coordinates that are missing hold 0."""
    exactly = {
        STEP: known["t"],
        HALVED: known["2^-t"],
        **{share(token): known[says.SHARE + token] for token in rnn.tokens},
    }
    held = {name: exactly[said] if said in exactly else fmpq(int(str(said))) for name, said in invariant.items()}
    return {**state, **held}


def _held_on_run(said: says.Holds, step: DecodedStep, known: Mapping[str, Real]) -> Difference | None:
    made = _run_place(said, step)
    for name in dict.fromkeys((*said.rows, *made)):
        found = made.get(name, NOUGHT)
        wanted = run_value(said.rows.get(name, {}), known)
        if found != wanted:
            return Difference(f"{name} of {PLACES[said.place]}", str(wanted), str(found))
    return None


def _keys_on_run(simulation: Simulation, said: says.Keys, word: str) -> Difference | None:
    """At step n, which masks let see all of them."""
    n = len(word) + 1
    step = next(itertools.islice(decoded_steps(simulation.network, word), n, None))
    wanted, found = evaluate(said.number, {"n": fmpq(n)}), len(step.layers[0].weights[0])
    return None if wanted == found else Difference(f"step {n}: keys", str(wanted), str(found), word)


def _is_of_runs(said: says.Stepwise) -> bool:
    return isinstance(said, says.Holds) and said.place == "input"


PLACES = {
    "input": "the input",
    "keys": "the keys",
    "values": "the values",
    "looked": "what the cross head adds",
    "attended": "the vector behind the cross head",
    "hidden": "the hidden units",
    "update": "what the feed-forward network adds",
    "output": "the output of the layer",
    "next": "the next input",
}


def _run_place(said: says.Holds, step: DecodedStep) -> Vector:
    """The vector at a place of a step that was run; keys and values are of the encoder, which has no steps."""
    layer = step.layers[said.layer - 1]
    of_step: Mapping[str, Vector] = {**vars(layer), "input": step.input, "next": step.next_input}
    return PROVER.of("place", said.place, of_step)


def _attended_on_run(said: says.Attends, word: str, t: int, step: DecodedStep) -> Difference | None:
    tokens = (BEGIN, *word, END)
    last = min(t, len(tokens) - 1)
    found = step.layers[said.layer - 1].weights[0]
    counted = PROVER.of("count", said.counted, {"t'": tokens[: last + 1], "n - 1": tokens[:-1]})
    number = sum(token == tokens[last] or not said.same for token in counted)
    for position, part in enumerate(found):
        chosen = said.first <= position <= last and (tokens[position] == tokens[last] or not said.same)
        printed = "0" if not chosen else str(fmpq(1, number)) if number else NO_VALUE
        if printed != str(part):
            return Difference(f"weight of position {position} in layer {said.layer}", printed, str(part))
    return None


HOLDS = outcome.Holds(OF_SIZES, Evidence.SAMPLED.value)


@dataclass(frozen=True)
class Apart:
    """Where a vector and print differ at a generic step: the coordinate, and what it holds; None where that is not
    derived, and why."""

    where: str
    found: str


@dataclass(frozen=True)
class GenericStep:
    """A step at a moment from the input that the induction says; layers: what each makes of it, or why that is not
    derived."""

    each: InductionStep
    given: Values
    layers: tuple[LayerStep, ...] | Underivable


@functools.cache
def _simulation(family: Family, size: tuple[int, int, int], fractions: bool) -> Simulation:
    """The simulation of every recurrent network of a size."""
    return family.simulation(every_rnn(*size, embedded_in_fractions=fractions))


@functools.cache
def _generic_steps(family: Family, size: tuple[int, int, int], fractions: bool) -> tuple[GenericStep, ...]:
    """A step at each moment of its runs: the same for all that is claimed."""
    simulation = _simulation(family, size, fractions)
    rnn, invariant = simulation.rnn, family.invariant(simulation.rnn)
    made: list[GenericStep] = []
    for each in induction_steps(rnn):
        given, earlier = input_at(each, rnn, invariant), before(invariant, rnn)
        try:
            layers = decoder.layer_steps(simulation.network, given, earlier, each.moment)
        except Underivable as error:
            made.append(GenericStep(each, given, error))
        else:
            made.append(GenericStep(each, given, layers))
    return tuple(made)


@functools.cache
def _induction(family: Family, size: tuple[int, int, int], fractions: bool) -> Apart | None:
    """The first obligation of the induction that is not closed."""
    simulation = _simulation(family, size, fractions)
    decided = decide_simulation(simulation, family.invariant(simulation.rnn))
    return None if decided.gap is None else Apart(*decided.gap)


@functools.cache
def family_of(name: str) -> Family:
    """The built-in family of that name."""
    return Family(name, lambda rnn: simulation_of(name, rnn), lambda rnn: invariant_of(name, rnn))


def judge_every(said: says.OfEvery) -> Outcome:
    return judge_family(family_of(said.family), said.made)


def judge_family(family: Family, statement: Callable[[RNN], says.Stepwise]) -> Outcome:
    """What comes of a statement about a family, for all sizes."""
    fractions = getattr(statement(every_rnn(1, 1, 1)), "fractions", False)
    for size in SIZES:
        simulation = _simulation(family, size, fractions)
        said = statement(simulation.rnn)
        match said:
            case says.Blocks():
                return judge_blocks(said)
            case says.Keys():
                made = keys_made(simulation.network.encoder)
                apart = None if same_number(said.number, made) else Apart("keys of the encoder", str(made))
            case says.BlockMatrix():
                found = judge_matrix(simulation, said)
                if not isinstance(found, outcome.Holds):
                    return found
                continue
            case says.Simulates():
                apart = _induction(family, size, fractions)
            case says.Holds() | says.Ratio() | says.Attends():
                apart = next(_differences(family, size, fractions, said), None)
            case _:
                raise TypeError(f"{type(said).__name__}: no judge of such a statement")
        if apart is not None:
            difference = run_apart(family, statement)
            if difference is None:
                return Open(f"{apart.where}: {apart.found}")
            return Fails(explained(f"{apart.where}: {apart.found}"), difference)
    return WEIGHTS_OF_ALL if isinstance(said, says.BlockMatrix) else HOLDS


WEIGHTS_OF_ALL = outcome.Holds(f"the weights, {SIZED}", Evidence.SAMPLED.value)


def _differences(
    family: Family, size: tuple[int, int, int], fractions: bool, said: says.Holds | says.Ratio | says.Attends
) -> Iterator[Apart]:
    """Where a statement about steps is not what is derived."""
    simulation = _simulation(family, size, fractions)
    if isinstance(said, says.Holds) and said.place in ("keys", "values"):
        yield from _of_encoder(simulation, said)
        return
    if isinstance(said, says.Holds) and said.place == "input":
        yield from _of_runs(family, size, fractions, said)
    ahead = getattr(said, "ahead", 0)
    reached = [
        step for step in _generic_steps(family, size, fractions) if reaches(said.steps, ahead, moment_of(step.each))
    ]
    spoken_of, network = not isinstance(said, says.Ratio), simulation.network
    for step in reached:
        if isinstance(step.layers, Underivable):
            yield Apart(step.each.name, f"not derived: {step.layers}")
            continue
        match said:
            case says.Holds():
                known, made = generic(simulation.rnn, step.each, said.ahead), _place(simulation, said, step)
                if said.place == "input" and moment_of(step.each) == "begin":  # of a run, whose first state is 0
                    known, made = (_with_units_0(simulation.rnn, each) for each in (known, made))
                yield from _unequal(step.each.name, made, said.rows, known)
            case says.Ratio():
                for token in tokens_of(said, simulation, step.each, step.layers):
                    spoken_of = True
                    if (derived := ratio_difference(said, network, step.each, step.layers, token)) is not None:
                        yield Apart(step.each.name, derived)
            case says.Attends():
                look = step.layers[said.layer - 1].looks[0]
                alone = set(step.each.moment.shares) == {step.each.moment.token}
                as_said = look.rule == "token" or alone if said.same else look.rule == "mean"
                if not as_said or said.first != 0 or said.counted != "t'":
                    seen = "with its token" if look.rule == "token" else "of 0 ... t'"
                    yield Apart(step.each.name, f"the same weight at each position {seen}")
    if not spoken_of:
        yield Apart("every step in the range", "there is no such position")


def _with_units_0(rnn: RNN, values: Values) -> Values:
    return {name: value.replaced(dict.fromkeys(rnn.units, ZERO)) for name, value in values.items()}


def _place(simulation: Simulation, said: says.Holds, step: GenericStep) -> Values:
    """The vector at a place of a generic step."""
    network, layers = simulation.network, step.layers
    assert not isinstance(layers, Underivable)
    made, feed_forward = layers[said.layer - 1], network.layers[said.layer - 1].feed_forward
    of_step: Mapping[str, Callable[[], Values]] = {
        "input": lambda: step.given,
        "looked": lambda: parts.added(*(look.added for look in made.looks)),
        "attended": lambda: made.attended,
        "hidden": lambda: made.hidden,
        "update": lambda: {} if feed_forward is None else parts.linear(feed_forward.second, made.hidden),
        "output": lambda: made.output,
        "next": lambda: decoder.next_input(network, layers[-1].output, step.each.moment.step),
    }
    return PROVER.of("place", said.place, of_step)()


def _of_runs(family: Family, size: tuple[int, int, int], fractions: bool, said: says.Holds) -> Iterator[Apart]:
    """Whether inputs are what the induction says: that of step 0, or by the induction those of all steps."""
    if said.steps != "t = 0":
        gap = _induction(family, size, fractions)
    else:
        simulation = _simulation(family, size, fractions)
        found = start(simulation, family.invariant(simulation.rnn)).gap
        gap = None if found is None else Apart("before the first step", str(found))
    if gap is not None:
        yield gap


def _of_encoder(simulation: Simulation, said: says.Holds) -> Iterator[Apart]:
    rnn, network = simulation.rnn, simulation.network
    [head] = network.layers[said.layer - 1].cross_heads
    memory = encoded(network.encoder, dict.fromkeys(rnn.tokens), next(induction_steps(rnn)).moment.region)
    for token in rnn.tokens:
        made = applied(head.W_K, memory[token]) if said.place == "keys" else parts.valued(head, memory[token])
        known = {**inputs_of(rnn, token), "1": Polynomial.number(1), "j": Polynomial.atom(POSITION)}
        yield from _unequal(f"token {token!r}", made, said.rows, known)


def _unequal(where: str, made: Values, rows: Mapping[str, says.Row], known: Values) -> Iterator[Apart]:
    for name in dict.fromkeys((*rows, *made)):
        found = made.get(name, ZERO)
        try:
            if found == row_value(rows.get(name, {}), known):
                continue
        except KeyError as error:
            yield Apart(where, f"{name!r} is {found}, and {error.args[0]} has no value there that can be told")
            continue
        yield Apart(where, f"{name!r} is {found}")


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
    now, before, back = (
        {token: _share_among(token, tokens[:length]) for token in rnn.tokens}
        for length in (last + 1, min(t, n + 1), last)
    )
    x = {token: {name: evaluate(w, {}) for name, w in rnn.embedding.WE.get(token, {}).items()} for token in rnn.tokens}
    values: Mapping[str, Mapping[str, Real]] = {
        NEXT: after,
        SHARE: before,
        NOW: now,
        BACK: back,
        GROWTH: {token: _positive(now[token] - before[token]) for token in rnn.tokens},
        INPUT: {name: x[tokens[last]].get(name, NOUGHT) for name in rnn.inputs},
        MEAN: {
            name: sum((part * x[token].get(name, NOUGHT) for token, part in now.items()), NOUGHT) for name in rnn.inputs
        },
        IS: {token: fmpq(int(token == tokens[last])) for token in rnn.tokens},
    }
    numbers = {"1": 1, "t": t - ahead, "n": n, "2^-t": fmpq(2**ahead, 2**t), "2^-t'": fmpq(2**ahead, 2**last)}
    return {**state, **{name: fmpq(number) for name, number in numbers.items()}, **_after_words(values)}


def _share_among(token: str, seen: Sequence[str]) -> fmpq:
    return fmpq(seen.count(token), len(seen)) if seen else NOUGHT


def _positive(x: fmpq) -> fmpq:
    return x if sign(x) > 0 else fmpq(0)


def row_value(row: says.Row, known: Values) -> Polynomial:
    """KeyError for a name without a value."""
    return total(Polynomial.number(fmpq(str(weight))) * known[name] for name, weight in row.items())


def run_value(row: says.Row, known: Mapping[str, Real]) -> Real:
    return sum((fmpq(str(weight)) * known[name] for name, weight in row.items()), NOUGHT)


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
        found = _quantity_on_run(said, tokens, t, step, token, position)
        if found is None or not (token == said.of.token if fits is None else fits):
            continue
        names = {
            "t": t - said.ahead,
            "p": fmpq(1, 2**t) * 2**said.ahead,
            "phi": tokens[:t].count(token),
            "i": position,
            "n": len(tokens) - 1,
        }
        known = {name: fmpq(value) for name, value in names.items()}
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


def _quantity_on_run(
    said: says.Ratio, tokens: tuple[str, ...], t: int, step: DecodedStep, token: str, position: int
) -> Real | None:
    """The quantity; None where no position of that kind is seen."""
    match said.of:
        case says.Growth():
            return _share_among(token, tokens[: t + 1]) - _share_among(token, tokens[:t])
        case says.Share():
            return _share_among(token, tokens[: t + 1])
        case says.Score(layer=number, best=best):
            layer = step.layers[number - 1]
            if position >= len(layer.scores[0]) or (best and layer.weights[0][position] == 0):
                return None
            return layer.scores[0][position]
