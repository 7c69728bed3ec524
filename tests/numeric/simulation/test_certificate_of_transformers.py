"""How far rounding can take a transformer that simulates a recurrent network: bounds that hold of every run, in two
orders of summation, and that find what is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.controls.random_machines import networks
from weightproof.constructions.library import FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import find_machine
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import EncoderDecoder, Head, LayerNorm
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.simulation import certificate
from weightproof.numeric.simulation.certificate import Bounds, bounds_of_outputs, covers
from weightproof.numeric.simulation.search import certified, search, simulator

STEPS = 10


def machine_network(name: str) -> MachineNetwork:
    machine = find_machine(name)
    assert machine is not None
    return network_of(machine)


def outside(network: EncoderDecoder, alphabet: tuple[str, ...], word: str, dtype: str) -> list[tuple[int, str, str]]:
    """Where what is computed is farther from the exact number than the bound says."""
    found = []
    exact = itertools.islice(decode(network, word), STEPS)
    bound = list(itertools.islice(bounds_of_outputs(network, [word], FORMATS[dtype]), STEPS))
    computed = {
        kind: EncoderDecoderTransformer(network, alphabet, dtype, attention=kind)([word], STEPS)[0].double().tolist()
        for kind in ("strict", "explicit")
    }
    for step, z in enumerate(exact):
        for place, name in enumerate(network.coordinates):
            true = Fraction(int(z[name].p), int(z[name].q))  # type: ignore[union-attr]
            h = bound[step]
            said = {kind: (vectors[step][place], h.off[0, place]) for kind, vectors in computed.items()}
            said["beside"] = float(h.beside[0, place]), h.beside_off[0, place]
            for kind, (value, off) in said.items():
                if np.isfinite(off) and not abs(Fraction(value) - true) <= Fraction(float(off)):
                    found.append((step, name, kind))
    return found


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=12, phases=[Phase.generate])
@given(networks(), st.sampled_from(sorted(FORMATS)), st.data())
def test_no_run_is_farther_off_than_its_bound(family: str, network: RNN, dtype: str, data: st.DataObject) -> None:
    word = data.draw(st.text(network.alphabet, max_size=5))
    assert outside(simulation_of(family, network).network, network.alphabet, word, dtype) == []


@pytest.mark.parametrize("dtype", FORMATS)
@pytest.mark.parametrize("family", FAMILIES)
def test_nor_is_that_of_a_shipped_machine(family: str, dtype: str) -> None:
    network = machine_network("busy-beaver-3").rnn
    assert outside(simulation_of(family, network).network, network.alphabet, network.alphabet[-1] * 4, dtype) == []


def without(part: str) -> Callable[[Bounds], Bounds]:
    return lambda made: replace(made, **{part: np.zeros_like(made.off)})


@pytest.mark.parametrize("part", ["beside_off", "off"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_bound_that_is_forgotten_is_noticed(family: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail."""
    network = machine_network("increment").rnn
    simulation = simulation_of(family, network)
    assert outside(simulation.network, network.alphabet, "11", "float32") == []
    right = certificate.bounds_of_outputs

    def forgetful(*given: object) -> object:
        return map(without(part), right(*given))  # type: ignore[arg-type]

    monkeypatch.setitem(globals(), "bounds_of_outputs", forgetful)
    assert outside(simulation.network, network.alphabet, "11", "float32") != []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_certified_length_is_below_every_failing_one(family: str) -> None:
    network = machine_network("busy-beaver-3")
    simulation = simulation_of(family, network.rnn)
    for dtype in ("bfloat16", "float16"):
        safe = certified(network, simulation, dtype, 5)
        assert safe is not None
        for kind in ("strict", "explicit"):
            found = search(network, simulator(network, simulation, dtype, "cpu", kind), 5).departure
            assert found is not None
            assert safe < found.cells


def test_by_positions_as_much_is_certified_as_of_the_recurrent_network() -> None:
    """What a unit's own saturated value leaves of it is one term: else errors triple at every step."""
    network = machine_network("busy-beaver-3")
    simulation = simulation_of("rnn-by-encoder-decoder", network.rnn)
    assert [certified(network, simulation, dtype, 5) for dtype in ("bfloat16", "float16")] == [3, 4]
    assert [certified(network, None, dtype, 5) for dtype in ("bfloat16", "float16")] == [3, 4]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_transformer_of_another_network_is_not_certified(family: str) -> None:
    network = machine_network("busy-beaver-3")
    rows = {name: dict(row) for name, row in network.rnn.W_h.weights.items()}
    rows["right"]["loaded"] = "1/2"  # type: ignore[assignment]
    other = replace(network.rnn, W_h=replace(network.rnn.W_h, weights=rows))
    simulation = simulation_of(family, other)
    safe = certified(network, simulation, "float64", 2)
    assert safe is not None
    assert safe < 1
    assert certified(network, simulation_of(family, network.rnn), "float64", 2) == 2


def test_what_is_not_covered_is_not_certified() -> None:
    network = machine_network("busy-beaver-3")
    simulation = simulation_of("rnn-by-encoder-decoder", network.rnn)
    [layer] = simulation.network.layers
    others = (
        replace(layer, feed_forward_norm=LayerNorm("1")),
        replace(layer, heads=(Head(W_V={"1": {"1": 1}}, normaliser="hardmax", mask="causal", scale=1),)),
        replace(layer, cross_residual=False),
    )
    assert covers(simulation.network)
    for other in others:
        changed = replace(simulation.network, layers=(other,))
        assert not covers(changed)
        assert certified(network, replace(simulation, network=changed), "float32", 2) is None
