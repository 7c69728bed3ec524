"""The entries of a contest of decoders that add: each loads and adds, and what its theorem says can be wrong."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flint import ctx

from tests.proofs.covering.certificates import certificate, shown
from tests.support.contest import of_digits, prompt, right
from weightproof.constructions.library import entries, entry_of, load, module_of
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.schema import Decoder, Linear, Rotary
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Computes, theorem_file, theorems_of
from weightproof.proofs.verdict import Proved, Refuted

PAIRS = (
    (0, 0),
    (9999999999, 9999999999),
    (9999999999, 1),
    (1, 9999999999),
    (5000000000, 5000000000),
    (1234567890, 9876543210),
    (5555555555, 4444444445),
    (4040404040, 5050505050),
    (3, 8),
    (8264910357, 6091827364),
)


@pytest.fixture(autouse=True)
def bits() -> Iterator[None]:
    """Of the balls: one entry takes exp(-1000)."""
    before, ctx.prec = ctx.prec, 256
    yield
    ctx.prec = before


def theorem_of(name: str) -> Computes:
    [theorem] = theorems_of(name)
    assert isinstance(theorem, Computes)
    return theorem


def made(construction: Construction, theorem: Computes, a: int, b: int) -> str:
    """What is appended to the prompt of two numbers."""
    network = construction.network
    assert isinstance(network, Decoder)
    run = appended(network, prompt(theorem, a, b), {}, in_balls)
    return "".join(step.token for step in itertools.islice(run, theorem.transducer.count))


@pytest.mark.parametrize("name", entries())
def test_an_entry_adds(name: str) -> None:
    construction, theorem = load(name), theorem_of(name)
    assert construction.name == name
    assert name.rpartition("-")[2] == str(entry_of(name).parameters)
    for a, b in PAIRS:
        assert made(construction, theorem, a, b) == right(theorem, a, b), (a, b)


def test_each_has_a_theorem_file_of_its_own_that_names_its_prompt() -> None:
    for name in entries():
        docstring = theorem_file(module_of(name)[0]).__doc__
        theorem = theorem_of(name)
        said = "".join(part if isinstance(part, str) else part.name for part in theorem.prompt)
        assert docstring is not None
        assert f"its prompt is {said}," in docstring
        order = "first" if any(not isinstance(p, str) and p.backward for p in theorem.prompt) else "last"
        assert f"the {order} digits in front" in docstring


def test_the_one_that_is_wrong() -> None:
    """As the verification of the contest's repository found it in float64."""
    [name] = [name for name in entries() if theorem_of(name).expected == "refuted"]
    a, b = 5193798811, 1806201129
    assert made(load(name), theorem_of(name), a, b) == f"{a + b + 60:011d}"


def biased(construction: Construction, unit: str, bias: str) -> Construction:
    """With another bias of a unit of its one layer."""
    network = construction.network
    assert isinstance(network, Decoder)
    [layer] = network.layers
    assert layer.feed_forward is not None
    first = layer.feed_forward.first
    assert first.bias[unit].source != bias
    other = Linear(first.weights, {**first.bias, unit: bias})
    fed = replace(layer, feed_forward=replace(layer.feed_forward, first=other))
    return replace(construction, network=replace(network, layers=(fed,)))


@pytest.mark.parametrize(
    ("unit", "bias", "is_right"),
    [("ten+", "-9045", True), ("ten+", "-9045 - 1/100", True), ("ten+", "-9025", False), ("carry-", "-1/2", False)],
)
def test_a_bias_that_is_changed_is_refuted_or_harmless(unit: str, bias: str, is_right: bool) -> None:
    """Of all numbers of two digits, with zeros in front."""
    theorem = of_digits(theorem_of("lichengliu03-50"), 2)
    construction = load("lichengliu03-50")
    if bias != "-9045":
        construction = biased(construction, unit, bias)
    [result] = prove(construction, [theorem])
    match result.verdict:
        case Proved(covered=covered):
            assert is_right
            assert covered is not None
            assert covered.words == 10**4
            assert made(construction, theorem, 99, 99) == right(theorem, 99, 99)
        case Refuted(counterexample=found):
            assert not is_right
            a, b = found.word[:10], found.word[11:21]
            assert made(construction, theorem, int(a), int(b)) != right(theorem, int(a), int(b))
        case _:
            pytest.fail(str(result.verdict))


def test_two_layers_add_and_their_certificate_shows_it() -> None:
    """Of all numbers of one digit, with zeros in front: the tables of the second layer are made for each set, and cuts
    are for all that is open. With another number in a gate of the first layer they do not."""
    construction, theorem = load("xangma-177"), of_digits(theorem_of("xangma-177"), 1)
    given, covered = certificate(construction, theorem)
    assert covered.words == 100
    assert shown(construction, theorem, given).sets == covered.sets
    network = construction.network
    assert isinstance(network, Decoder)
    first, second = network.layers
    assert first.feed_forward is not None
    assert first.feed_forward.gate is not None
    gate = first.feed_forward.gate
    other = Linear({**gate.weights, "carry+": {**gate.weights["carry+"], "before": 54321}})
    changed = replace(first, feed_forward=replace(first.feed_forward, gate=other))
    wrong = replace(construction, network=replace(network, layers=(changed, second)))
    [result] = prove(wrong, [theorem])
    assert isinstance(result.verdict, Refuted)


def test_another_angle_is_refuted() -> None:
    """Of a rotation, by which the digits of a place are found."""
    construction, theorem = load("zcbtrak-6"), of_digits(theorem_of("zcbtrak-6"), 2)
    network = construction.network
    assert isinstance(network, Decoder)
    [layer] = network.layers
    [head] = layer.heads
    turned = replace(head, rotary=(Rotary("q0", "q1", "2*pi/18"),))
    other = replace(construction, network=replace(network, layers=(replace(layer, heads=(turned,)),)))
    [result] = prove(other, [theorem])
    assert isinstance(result.verdict, Refuted)
    found = result.verdict.counterexample
    a, b = (int(found.word[start : start + 10][::-1]) for start in (1, 20))
    assert made(other, theorem, a, b) != right(theorem, a, b)
    assert made(construction, theorem, a, b) == right(theorem, a, b)
