"""What is printed about simulators of recurrent networks: each false claim is run again, no changed one comes out true
that is not, and changed weights change verdicts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import get_args

import pytest
from flint import fmpq

from tests.support.suites import short_suite
from weightproof.constructions.claims.published import Claims
from weightproof.constructions.claims.stepwise import (
    Attends,
    BlockMatrix,
    Blocks,
    Growth,
    Holds,
    Keys,
    OfEvery,
    Ratio,
    Row,
    Score,
    Share,
    Simulates,
    Steps,
    Stepwise,
)
from weightproof.constructions.library import AS_PRINTED, printed_of, simulation_of
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.interpreter import DecodedStep, decoded_steps
from weightproof.constructions.meaning.schema import Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.claims import simulated
from weightproof.proofs.claims.judging import Judgement, judge_printed
from weightproof.proofs.claims.simulated import (
    EXAMPLES,
    PLACES,
    Family,
    family_of,
    in_range,
    judge_family,
    keys_made,
    reaches,
)
from weightproof.proofs.quantities import outcome
from weightproof.proofs.quantities.outcome import Difference, Fails, Open
from weightproof.proofs.simulation.deciding import decide_simulation
from weightproof.proofs.simulation.prove import OF_SIZES, invariant_of
from weightproof.proofs.verdict import Evidence

pytestmark = pytest.mark.xdist_group("claims about simulators")
"""What is printed is judged once, in one process."""

SMALLEST = every_rnn(1, 1, 1)
RIGHT, RIGHT_WITH_POSITIONS = "rnn-by-directional", "rnn-by-encoder-decoder"
DIRECTIONAL, WITH_POSITIONS = "rnn-by-directional-as-printed", "rnn-by-encoder-decoder-as-printed"


@pytest.fixture(scope="module")
def judged() -> dict[str, list[Judgement]]:
    return {family: list(judge_printed(claims_of(family).claims)) for family in AS_PRINTED}


def claims_of(family: str) -> Claims:
    printed = printed_of(family)
    assert printed is not None
    return printed.claims


def test_nothing_is_unknown_and_every_kind_occurs(judged: dict[str, list[Judgement]]) -> None:
    every = [judgement for found in judged.values() for judgement in found]
    assert Counter(judgement.verdict for judgement in every) == {"true": 48, "true-under": 8, "false": 41}
    said = [read.reading.statement for judgement in every for read in judgement.readings]
    kinds = {type(each.made(SMALLEST)) for each in said if isinstance(each, OfEvery)}
    assert kinds == set(Stepwise.__subclasses__())


def test_what_is_true_of_the_sizes_that_are_judged_is_sampled(judged: dict[str, list[Judgement]]) -> None:
    """Print speaks of every size: a family may be wrong of recurrent networks that are larger than all that are."""
    held = [each.deciding.outcome for found in judged.values() for each in found]
    bases = Counter((each.evidence, each.scope) for each in held if isinstance(each, outcome.Holds))
    sizes = "RNNs of 1/1/1, 2/1/2, 2/2/2, 3/2/3 units/inputs/symbols"
    assert set(bases) == {
        ("sampled", f"all words, all steps, {sizes}"),
        ("sampled", f"the weights, {sizes}"),
        ("certificate", "all sizes"),
    }


def test_a_family_that_is_wrong_from_five_units_on_is_not_true_of_every_size() -> None:
    def made(rnn: RNN) -> Simulation:
        simulation = simulation_of(RIGHT, rnn)
        if len(rnn.units) < 5:
            return simulation
        return replace(simulation, network=replace(simulation.network, feedback=Linear()))

    wrong = Family("wrong from 5 units on", made, lambda rnn: invariant_of(RIGHT, rnn))
    found = judge_family(wrong, lambda rnn: Simulates())
    assert isinstance(found, outcome.Holds)
    assert (found.evidence, found.scope) == (Evidence.SAMPLED.value, OF_SIZES)
    five = every_rnn(5, 1, 1)
    assert decide_simulation(made(five), invariant_of(RIGHT, five)).gap is not None


def test_what_is_false_is_seen_in_a_run(judged: dict[str, list[Judgement]]) -> None:
    """What a difference says was found stands there in a run, and what it says was printed does not."""
    replayed = Counter[str]()
    for family, found in judged.items():
        for judgement in found:
            for read in judgement.readings:
                if isinstance(read.outcome, Fails) and read.outcome.difference.word is not None:
                    difference, statement = read.outcome.difference, read.reading.statement
                    assert isinstance(statement, OfEvery)
                    said = statement.made(SMALLEST)
                    assert difference.found in replay(family, said, difference), judgement.claim.id
                    assert difference.printed != difference.found
                    replayed[type(said).__name__] += 1
    assert set(replayed) == {"Holds", "Ratio", "Keys", "Attends", "Simulates"}
    assert replayed["Holds"] >= 20


def replay(family: str, statement: object, difference: Difference) -> set[str]:
    """The values that a run has at the place that a difference speaks of."""
    assert difference.word is not None
    simulation = simulation_of(family, numbered(SMALLEST, dict(difference.parameters)))
    if isinstance(statement, Simulates):
        unit, _, step = difference.what.partition(" of the output vector of step ")
        return {str(at(simulation, difference.word, int(step)).output[unit])}
    step, _, what = difference.what.removeprefix("step ").partition(": ")
    made = at(simulation, difference.word, int(step))
    match statement:
        case Holds(place=place, layer=layer):
            coordinate = what.removesuffix(f" of {PLACES[place]}")
            vector = {
                "input": made.input,
                "looked": made.layers[layer - 1].looked,
                "attended": made.layers[layer - 1].attended,
                "hidden": made.layers[layer - 1].hidden,
                "update": made.layers[layer - 1].update,
                "output": made.layers[layer - 1].output,
                "next": made.next_input,
            }[place]
            return {str(vector.get(coordinate, 0))}
        case Keys():
            return {str(len(made.layers[0].weights[0]))}
        case Attends(layer=layer):
            return {str(made.layers[layer - 1].weights[0][int(what.split()[3])])}
        case Ratio(of=Score(layer=layer)):
            return set(map(str, made.layers[layer - 1].scores[0]))
    tokens = ("#", *difference.word, "$")
    token = what[-2]
    now, before = (share(tokens[: int(step) + more], token) for more in (1, 0))
    assert isinstance(statement, Ratio)
    return {str(now if isinstance(statement.of, Share) else now - before)}


def share(seen: tuple[str, ...], token: str) -> fmpq:
    return fmpq(seen.count(token), len(seen)) if seen else fmpq(0)


def at(simulation: Simulation, word: str, step: int) -> DecodedStep:
    return next(itertools.islice(decoded_steps(simulation.network, word), step, None))


def changed(statement: Stepwise) -> Iterator[Stepwise]:
    """Statements that are wrong if this one is right: 1 more in a coordinate, a formula or a size, say."""
    match statement:
        case Holds(rows=rows):
            for name, row in rows.items():
                more: Row = {**row, "1": str(fmpq(*map(int, f"{row.get('1', 0)}/1".split("/")[:2])) + 1)}
                yield replace(statement, rows={**rows, name: more})
        case Ratio(op="=="):
            yield Ratio(statement.of, "==", f"({statement.value}) + 1", statement.steps, statement.ahead)
        case Ratio(op=op):
            value = f"({statement.value}) {'-' if op == '<=' else '+'} 2"
            yield Ratio(statement.of, op, value, statement.steps, statement.ahead)
        case Attends():
            yield replace(statement, first=statement.first + 1)
            yield replace(statement, same=not statement.same)
            yield replace(statement, counted="n - 1" if statement.counted == "t'" else "t'")
        case Blocks():
            yield Blocks(statement.width, *statement.sizes, 1)
        case BlockMatrix(blocks=(first, *rest)):
            yield replace(statement, blocks=tuple(rest))
            if isinstance(first.diagonal, int):
                yield replace(statement, blocks=(replace(first, diagonal=-first.diagonal), *rest))


@pytest.mark.parametrize("family", short_suite(AS_PRINTED, [WITH_POSITIONS]))
def test_a_changed_claim_is_false(family: str, judged: dict[str, list[Judgement]]) -> None:
    """Of every claim that is true, and with a word wherever it is about runs; keys and values are not run."""
    tried = 0
    for number, judgement in enumerate(judged[family]):
        if judgement.verdict != "true":
            continue
        for place in range(len(list(changed(statement_of(family, number)(SMALLEST))))):

            def wrong(rnn: RNN, number: int = number, place: int = place) -> Stepwise:
                return next(itertools.islice(changed(statement_of(family, number)(rnn)), place, None))

            found = judge_family(family_of(family), wrong)
            said = wrong(SMALLEST)
            not_run = isinstance(said, Holds) and said.place in ("keys", "values")
            assert isinstance(found, Open if not_run else Fails), (judgement.claim.id, said, found)
            tried += 1
    assert tried >= 20


def statement_of(family: str, number: int) -> Callable[[RNN], Stepwise]:
    statement = claims_of(family).claims[number].senses[0].statement
    assert isinstance(statement, OfEvery)
    return statement.made


def verdict_with(change: Callable[[Simulation], Simulation], family: str, id: str) -> str:
    """Of a claim about the family with changed weights."""
    other = Family("changed", lambda rnn: change(simulation_of(family, rnn)), lambda rnn: invariant_of(family, rnn))
    number = [claim.id for claim in claims_of(family).claims].index(id)
    match judge_family(other, statement_of(family, number)):
        case outcome.Holds():
            return "true"
        case Fails():
            return "false"
    return "unknown"


def look_up(simulation: Simulation, layer: int, **parts: object) -> Simulation:
    """With another cross head."""
    layers = list(simulation.network.layers)
    [head] = layers[layer].cross_heads
    layers[layer] = replace(layers[layer], cross_heads=(replace(head, **parts),))  # type: ignore[arg-type]
    return replace(simulation, network=replace(simulation.network, layers=tuple(layers)))


def second_map(simulation: Simulation, layer: int, row: str, column: str, to: object) -> Simulation:
    layers = list(simulation.network.layers)
    feed_forward = layers[layer].feed_forward
    assert feed_forward is not None
    rows = {**feed_forward.second.weights, row: {**feed_forward.second.weights.get(row, {}), column: to}}
    layers[layer] = replace(layers[layer], feed_forward=replace(feed_forward, second=Linear(rows)))
    return replace(simulation, network=replace(simulation.network, layers=tuple(layers)))


CHANGES: list[tuple[str, str, Callable[[Simulation], Simulation], str]] = [
    (DIRECTIONAL, "D/mean", lambda s: look_up(s, 0, W_V={}), "false"),
    (DIRECTIONAL, "D/scores1", lambda s: look_up(s, 0, W_Q={"q": {"2^-t": 1}}, W_K={"q": {"[s=#]": 1}}), "false"),
    (DIRECTIONAL, "D.3/weights", lambda s: look_up(s, 1, W_Q={}, W_K={}), "false"),
    (DIRECTIONAL, "D/Att2", lambda s: look_up(s, 1, W_Q={}, W_K={}), "false"),
    (DIRECTIONAL, "D/k", lambda s: look_up(s, 1, W_Q={}, W_K={}), "unknown"),
    (DIRECTIONAL, "D.3/behind", lambda s: second_map(s, 0, "delta $", "half", 2), "false"),
    (DIRECTIONAL, "D.2/W_2", lambda s: second_map(s, 0, "w #", "grown #", 1), "false"),
    (WITH_POSITIONS, "4.1/score", lambda s: look_up(s, 0, W_K={"q1": {"1": -1}, "q2": {"j": 2}}), "false"),
    (WITH_POSITIONS, "4.1/score", lambda s: look_up(s, 0, scale=Expression("2")), "false"),
    (DIRECTIONAL, "D/scores1", lambda s: look_up(s, 0, scale=Expression("2")), "true"),  # they are 0
    (WITH_POSITIONS, "C.5/Att", lambda s: look_up(s, 0, W_V={}), "false"),
    (WITH_POSITIONS, "C.3/W_k", lambda s: look_up(s, 0, W_K={"q1": {"1": 1}, "q2": {"j": -1}}), "true"),
]


@pytest.mark.parametrize(("family", "id", "change", "expected"), CHANGES)
def test_changed_weights_change_a_verdict(
    family: str, id: str, change: Callable[[Simulation], Simulation], expected: str
) -> None:
    assert verdict_with(change, family, id) == expected


def test_a_printed_block_that_stands_in_a_network_is_true_of_it() -> None:
    """Of one symbol; the identity between tokens has as many entries as there are tokens that grow."""
    both = [("w #", "grown #"), ("w a", "grown a"), ("w b", "grown b"), ("w c", "grown c")]

    def as_printed(simulation: Simulation) -> Simulation:
        for row, column in both:
            if row.removeprefix("w ") in simulation.rnn.tokens:
                simulation = second_map(simulation, 0, row, column, 1)
        return simulation

    assert verdict_with(as_printed, DIRECTIONAL, "D.2/W_2") == "true"


def test_a_claim_about_no_position_is_not_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end marker is not seen before step n: nothing is said of its score there, and no run can be apart from it."""
    monkeypatch.setattr(simulated, "run_apart", lambda *_: None)  # all runs that are tried take half a minute
    found = judge_family(family_of(DIRECTIONAL), lambda rnn: Ratio(Score(2, "$"), "==", 7, "0 <= t < n"))
    assert isinstance(found, Open)
    assert "no such position" in found.reason


SCORES: list[tuple[str, Stepwise, type]] = [
    (WITH_POSITIONS, Ratio(Score(1, "#", whole=True), "==", "t"), Fails),
    (WITH_POSITIONS, Ratio(Score(1, None, whole=True), "==", "i - t"), Fails),
    (WITH_POSITIONS, Ratio(Score(1, None, whole=True), "==", "t - i"), Fails),
    (WITH_POSITIONS, Ratio(Score(1, None), "==", "i - t"), outcome.Holds),
    (WITH_POSITIONS, Ratio(Score(1, "$", best=True), "==", "n - t", "t > n"), outcome.Holds),
    (DIRECTIONAL, Ratio(Score(2, "$", whole=True), "==", "p/2", "t >= n"), outcome.Holds),
    (DIRECTIONAL, Ratio(Score(2, "$", whole=True), "==", "-p/2", "t >= n"), Fails),
]


@pytest.mark.parametrize(("family", "said", "expected"), SCORES)
def test_a_whole_score_has_its_sign(family: str, said: Stepwise, expected: type) -> None:
    assert isinstance(judge_family(family_of(family), lambda rnn: said), expected)


@pytest.mark.parametrize("of", [Score(1, "$", best=True), Score(1, "$", whole=True)], ids=["best", "whole"])
def test_what_stands_between_the_bars_is_not_taken_for_the_score(of: Score) -> None:
    """With keys of the other sign it is positive behind the word, where the score is not."""
    turned = Family(
        "turned",
        lambda rnn: look_up(simulation_of(WITH_POSITIONS, rnn), 0, W_K={"q1": {"1": 1}, "q2": {"j": -1}}),
        lambda rnn: invariant_of(WITH_POSITIONS, rnn),
    )
    found = judge_family(turned, lambda rnn: Ratio(of, ">", 0, "t > n"))
    assert isinstance(found, Fails)


@pytest.mark.parametrize(("number", "expected"), [("n + 1", outcome.Holds), ("n", Fails), ("n + 2", Fails)])
def test_there_is_a_key_for_every_position(number: str, expected: type) -> None:
    for family in AS_PRINTED:
        assert isinstance(judge_family(family_of(family), lambda rnn: Keys(number)), expected)


def test_keys_are_counted_with_the_markers_of_the_encoder() -> None:
    encoder = simulation_of(WITH_POSITIONS, SMALLEST).network.encoder
    kept = {token: row for token, row in encoder.embedding.WE.items() if token != encoder.end}
    without_end = replace(encoder, end=None, embedding=replace(encoder.embedding, WE=kept))
    assert [str(keys_made(each)) for each in (encoder, without_end)] == ["n + 1", "n"]


def test_the_state_before_step_0_of_a_run_is_0() -> None:
    """And only that before step 0."""
    for steps, expected in (("t = 0", outcome.Holds), ("0 <= t <= n", Fails)):
        said = Holds("input", 1, {"t": {"t": 1}, "1": {"1": 1}}, steps)  # type: ignore[arg-type]
        assert isinstance(judge_family(family_of(RIGHT_WITH_POSITIONS), lambda rnn, each=said: each), expected)  # type: ignore[misc]


def test_a_coordinate_that_is_not_printed_is_0() -> None:
    found = judge_family(family_of(DIRECTIONAL), lambda rnn: Holds("looked", 1, {}))
    assert isinstance(found, Fails)


def test_embeddings_outside_of_0_to_1_are_not_held_against_a_claim_about_fractions() -> None:
    said = [Holds("hidden", 1, {}, fractions=True), Simulates(fractions=True)]
    first, second = (judge_family(family_of(DIRECTIONAL), lambda rnn, each=each: each) for each in said)  # type: ignore[misc]
    assert isinstance(first, Fails)
    assert set(first.difference.parameters.values()) <= {"1", "1/2"}
    assert isinstance(second, outcome.Holds)


@pytest.mark.parametrize("steps", get_args(Steps))
def test_ranges_reach_the_moments_at_which_they_have_steps(steps: Steps) -> None:
    for ahead, (moment, examples) in itertools.product((0, 1), EXAMPLES.items()):
        assert reaches(steps, ahead, moment) == any(in_range(steps, t - ahead, n) for t, n in examples)
    t, n = 2, 5
    assert in_range(steps, t, n) == bool(eval(python(steps), {"t": t, "n": n}))
    assert in_range(steps, n, n) == bool(eval(python(steps), {"t": n, "n": n}))
    assert in_range(steps, 0, n) == bool(eval(python(steps), {"t": 0, "n": n}))
    assert in_range(steps, n + 1, n) == bool(eval(python(steps), {"t": n + 1, "n": n}))
    assert in_range(steps, -1, n) == bool(eval(python(steps), {"t": -1, "n": n}))


def python(steps: str) -> str:
    return steps if "=" in steps.replace(" = ", "") else steps.replace(" = ", " == ")


def test_growth_is_of_the_word_alone() -> None:
    found = judge_family(family_of(DIRECTIONAL), lambda rnn: Ratio(Growth("another token"), ">", 0))
    assert isinstance(found, Fails)
    assert found.difference.word is not None
