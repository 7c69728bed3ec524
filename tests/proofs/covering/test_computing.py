"""What a decoder computes, proved of all inputs or refuted by one: as every input, run, says."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from flint import ctx

import weightproof as wp
from tests.proofs.covering.adders import DIGITS, adder, adds, carried
from weightproof.constructions.languages.transducers import Track, Transducer
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import appended
from weightproof.constructions.meaning.schema import Decoder, Linear
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Computes
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Unknown, Verdict


def verdict(construction: Construction, theorem: Computes) -> Verdict:
    (result,) = prove(construction, [theorem])
    return result.verdict


def wrong(construction: Construction, digits: int) -> list[str]:
    """The prompts after which a decoder, in float64, appends another token than it should before all are appended."""
    pairs = list(itertools.product(range(10**digits), repeat=2))
    prompts = [f"{a:0{digits}}0{b:0{digits}}0" for a, b in pairs]
    model = wp.DecoderTransformer(construction)
    runs = zip(prompts, pairs, strict=True)
    made: list[str] = [""] * len(prompts)
    for step in itertools.islice(model.generate(prompts), digits + 1):
        made = [before + token for before, token in zip(made, step.tokens, strict=True)]
    return [
        prompt for (prompt, (a, b)), tokens in zip(runs, made, strict=True) if tokens != f"{a + b:0{digits + 1}}"[::-1]
    ]


def test_an_adder_adds_all_numbers_of_two_digits() -> None:
    found = verdict(adder(2), adds(2))
    assert isinstance(found, Proved)
    assert (found.scope, found.evidence) == ("all inputs", Evidence.COVERING)
    assert found.covered is not None
    assert found.covered.words == 10**4
    assert found.covered.run < 1000
    assert wrong(adder(2), 2) == []


def test_a_tie_does_not_hide_a_wrong_word() -> None:
    """Outputs 8 and 9 are alike, which leaves their prompts open, and 0 and 1 have changed places."""
    network = adder(1).network
    assert isinstance(network, Decoder)
    weights = dict(network.readout.W.weights)
    weights |= {"9": weights["8"], "0": weights["1"], "1": weights["0"]}
    bias = dict(network.readout.W.bias)
    bias |= {"9": bias["8"], "0": bias["1"], "1": bias["0"]} if bias else {}
    readout = dataclasses.replace(network.readout, W=Linear(weights, bias))
    changed = dataclasses.replace(adder(1), network=dataclasses.replace(network, readout=readout))
    found = verdict(changed, adds(1))
    assert isinstance(found, Refuted)
    assert str(found.counterexample.word) in wrong(changed, 1)


@pytest.mark.controls
def test_an_adder_adds_all_numbers_of_ten_digits() -> None:
    """10^20 pairs."""
    found = verdict(adder(10), adds(10))
    assert isinstance(found, Proved)
    assert found.covered is not None
    assert (found.covered.words, found.covered.run) == (10**20, 0)


def changed(construction: Construction) -> Iterator[tuple[str, Construction]]:
    """With one weight of its feed-forward network, or of a head, another one."""
    network = construction.network
    assert isinstance(network, Decoder)
    (layer,) = network.layers
    assert layer.feed_forward is not None
    for map_name in ("first", "second"):
        linear = getattr(layer.feed_forward, map_name)
        for row, entries in linear.weights.items():
            for column, weight in entries.items():
                for factor in ("0", "-1", "101/100"):
                    weights = {**linear.weights, row: {**entries, column: f"({weight})*({factor})"}}
                    fed = dataclasses.replace(
                        layer.feed_forward, **{map_name: dataclasses.replace(linear, weights=weights)}
                    )
                    other = dataclasses.replace(layer, feed_forward=fed)
                    yield (
                        f"{map_name}, {row}, {column}, {factor}",
                        dataclasses.replace(construction, network=dataclasses.replace(network, layers=(other,))),
                    )


def test_a_changed_weight_is_refuted_by_a_prompt_or_harmless() -> None:
    refuted = proved = 0
    for name, other in changed(adder(1)):
        found, failing = verdict(other, adds(1)), wrong(other, 1)
        if isinstance(found, Refuted):
            assert found.counterexample.word in failing, name
            refuted += 1
        else:
            assert isinstance(found, Proved), name
            assert failing == [], name
            proved += 1
    assert refuted > 20
    assert proved > 2


def test_a_refutation_is_run_by_the_interpreter() -> None:
    theorem = dataclasses.replace(
        adds(1), transducer=Transducer(tracks={"a": DIGITS, "b": DIGITS}, slots=1, step=wrongly, start=0, more=1)
    )
    found = verdict(adder(1), theorem)
    assert isinstance(found, Refuted)
    step = found.counterexample.step
    assert step is not None
    network = adder(1).network
    assert isinstance(network, Decoder)
    with ctx.workprec(128):
        steps = itertools.islice(appended(network, found.counterexample.word, {}, in_balls), step.number)
        made = [each.token for each in steps]
    assert made[-1] == step.found
    assert step.found != step.expected


def wrongly(carry: int, a: str, b: str) -> tuple[int, str]:
    """Forgets one carry of all."""
    return (0, "0") if (a, b) == ("7", "3") else carried(carry, a, b)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"prompt": (Track("a"), "+", Track("b"))}, "prompt: '\\+' is no symbol"),
        ({"prompt": (Track("a"), "0")}, "prompt has the tracks a, not each of a, b once"),
        ({"prompt": ("0", 1)}, "not a tuple of texts and tracks"),
        ({"transducer": None}, "not a Transducer"),
        (
            {"transducer": Transducer(tracks={"a": DIGITS, "b": ("x",)}, slots=1, step=carried, start=0)},
            "track b: 'x' is no symbol",
        ),
        (
            {"transducer": Transducer(tracks={"a": DIGITS, "b": DIGITS}, slots=0, step=carried, start=0)},
            "slots is 0, not a number from 1 to 1000",
        ),
        (
            {
                "transducer": Transducer(
                    tracks={"a": DIGITS, "b": DIGITS}, slots=1, step=carried, start=0, more=1, blank=""
                )
            },
            "blank is '', no symbol",
        ),
    ],
)
def test_what_is_malformed_is_refused_in_a_line(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        verdict(adder(1), dataclasses.replace(adds(1), **change))


def test_a_token_that_is_no_output_is_unknown() -> None:
    def spelled(carry: int, a: str, b: str) -> tuple[int, str]:
        return 0, "10"

    theorem = dataclasses.replace(
        adds(1), transducer=Transducer(tracks={"a": DIGITS, "b": DIGITS}, slots=1, step=spelled, start=0)
    )
    found = verdict(adder(1), theorem)
    assert isinstance(found, Unknown)
    assert "'10' is to be appended, which is no output of the network" in found.reason


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (lambda carry, a, b: 1 / 0, r"step\(0, '0', '0'\) raises ZeroDivisionError: division by zero"),
        (lambda carry, a: (0, a), "raises TypeError"),
        (lambda carry, a, b: a, "is '0', not a state, which"),
        (lambda carry, a, b: (0, 7), r"is \(0, 7\), not a state, which"),
        (lambda carry, a, b: ([], a), "not a state, which can be told from others, and a token"),
    ],
)
def test_a_step_that_makes_nothing_is_refused_in_a_line(step: Any, told: str) -> None:
    transducer = Transducer(tracks={"a": DIGITS, "b": DIGITS}, slots=1, step=step, start=0)
    with pytest.raises(InputError, match=told):
        verdict(adder(1), dataclasses.replace(adds(1), transducer=transducer))
