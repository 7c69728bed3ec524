"""Encoder-decoders in PyTorch against the exact interpreter, and against fractions rounded one operation at a time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import isfinite

import pytest
import torch
from hypothesis import Phase, assume, given, reject, settings
from hypothesis import strategies as st

from tests.numeric.decoding.naive import outputs
from tests.numeric.decoding.random_decoders import ANY, DYADIC, encoder_decoders
from weightproof.constructions.library import FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.numbered import every_rnn, numbered
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.numeric.decoding import layers
from weightproof.numeric.decoding.layers import Memory
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.numeric.rounding.formats import FORMATS

KINDS = ("strict", "explicit")


def exactly(network: EncoderDecoder, word: str, steps: int) -> list[list[object]]:
    vectors = itertools.islice(decode(network, word), steps)
    return [[vector[name] for name in network.coordinates] for vector in vectors]


def computed(network: EncoderDecoder, words: Sequence[str], steps: int, dtype: str, kind: str) -> torch.Tensor:
    model = EncoderDecoderTransformer(network, ("0", "1"), dtype, attention=kind)
    return model(words, steps).double()


def same(found: torch.Tensor, wanted: list[list[object]]) -> bool:
    return [[str(x) for x in map(_fraction, row)] for row in found.tolist()] == [
        [str(x) for x in row] for row in wanted
    ]


def _fraction(x: float) -> str:
    above, below = x.as_integer_ratio()
    return str(above) if below == 1 else f"{above}/{below}"


@pytest.mark.controls
@settings(max_examples=150, phases=[Phase.generate])
@given(encoder_decoders(DYADIC), st.sampled_from(("0", "1")))
def test_dyadic_numbers_are_exact(network: EncoderDecoder, symbol: str) -> None:
    """Two steps, and no more than two positions: the mean of three numbers need not be dyadic; and few bits, as scores
    are products of two numbers."""
    word = symbol if (network.encoder.begin, network.encoder.end) == (None, None) else ""
    wanted = exactly(network, word, 2)
    assume(all(abs(x.p) * x.q < 2**20 for row in wanted for x in row))  # type: ignore[attr-defined]
    for kind in KINDS:
        assert same(computed(network, [word], 2, "float64", kind)[0], wanted)


@pytest.mark.controls
@pytest.mark.parametrize("dtype", FORMATS)
@settings(max_examples=40, phases=[Phase.generate])
@given(encoder_decoders(ANY), st.text(("0", "1"), min_size=1, max_size=3))
def test_strict_is_each_operation_rounded_and_all_steps_anew(dtype: str, network: EncoderDecoder, word: str) -> None:
    """What is kept of former steps is what would be computed again."""
    found = computed(network, [word], 5, dtype, "strict")[0].tolist()
    assume(all(isfinite(x) for row in found for x in row))  # fractions are
    try:
        naive = [list(vector.values()) for vector in outputs(network, word, FORMATS[dtype], 5)]
    except OverflowError:  # what is divided by infinity is finite again
        reject()
    assert found == naive


MACHINES = {"busy-beaver-3": ("", "1", "11111"), "unary-to-binary": ("|||", "1|0", "01")}
"""Their tapes are numbers in base 4 and 8: all that a run computes is dyadic."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MACHINES)
def test_a_shipped_machine_in_a_base_that_is_a_power_of_two_is_run_exactly(name: str, kind: str) -> None:
    rnn = network_of(find_machine(name)).rnn  # type: ignore[arg-type]
    for word in MACHINES[name]:
        network = simulation_of("rnn-by-encoder-decoder", rnn).network
        model = EncoderDecoderTransformer(network, rnn.alphabet, attention=kind)
        assert same(model([word], 60)[0], exactly(network, word, 60))


@pytest.mark.controls
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_machine_is_run_with_each_operation_rounded(name: str, family: str) -> None:
    """The word is loaded, and the machine takes a step."""
    machine = find_machine(name)
    assert machine is not None
    rnn, word, steps = network_of(machine).rnn, machine.alphabet[-1] * 2, 10
    network = simulation_of(family, rnn).network
    found = EncoderDecoderTransformer(network, rnn.alphabet, attention="strict")([word], steps)[0].tolist()
    assert found == [list(vector.values()) for vector in outputs(network, word, FORMATS["float64"], steps)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_machine_is_run_within_the_bound_of_its_growth(name: str, family: str, kind: str) -> None:
    """A pop makes 2m times as much of an error, and there is at most one in four steps; to begin with, and again in
    each step, there are 64 units in the last place of 1."""
    machine = find_machine(name)
    assert machine is not None
    rnn, base, steps = network_of(machine).rnn, 2 * len(machine.symbols), 40
    word = machine.alphabet[-1] * 3
    network = simulation_of(family, rnn).network
    units = [network.coordinates.index(unit) for unit in rnn.units]
    found = EncoderDecoderTransformer(network, rnn.alphabet, attention=kind)([word], steps)[0]
    for t, vector in enumerate(exactly(network, word, steps)):
        wanted = torch.tensor([float(vector[k].p) / float(vector[k].q) for k in units], dtype=torch.float64)  # type: ignore[attr-defined]
        assert float((found[t, units] - wanted).abs().max()) <= 64 * (t + 1) * base ** (t / 4 + 1) * 2.0**-53


QUARTERS = numbered(
    every_rnn(2, 1, 2),
    {"f_a_x1": "1/2", "f_b_x1": "1/4", "W_h1_h1": 1, "W_h1_x1": 1, "W_h2_h1": 1, "W_h2_h2": "-1", "b_h2": "1/4"},
)
"""All that it and its transformer by position compute with is a multiple of 1/4 and small: nothing is ever rounded."""


@pytest.mark.parametrize("kind", KINDS)
def test_words_of_a_batch_do_not_see_each_other(kind: str) -> None:
    network, steps = simulation_of("rnn-by-encoder-decoder", QUARTERS).network, 30
    model = EncoderDecoderTransformer(network, QUARTERS.alphabet, "float32", attention=kind)
    words = ["".join(word) for word in itertools.product(QUARTERS.alphabet, repeat=3)]
    together = model(words, steps)
    assert together.dtype == torch.float32
    assert len({tuple(rows.flatten().tolist()) for rows in together}) == len(words)
    for word, rows in zip(words, together, strict=True):
        assert torch.equal(rows, model([word], steps)[0])
        assert same(rows.double(), exactly(network, word, steps))


def test_rounded_words_of_a_batch_do_not_see_each_other() -> None:
    """Strictly, where sums have one order."""
    rnn = network_of(find_machine("increment")).rnn  # type: ignore[arg-type]
    network = simulation_of("rnn-by-directional", rnn).network
    model = EncoderDecoderTransformer(network, rnn.alphabet, "float32", attention="strict")
    words = ["".join(word) for word in itertools.product("01", repeat=3)]
    for word, rows in zip(words, model(words, 30), strict=True):
        assert torch.equal(rows, model([word], 30)[0])


class Forgetful(Memory):
    """Loses what came before."""

    def add(self, *parts: torch.Tensor) -> None:
        self.length, self._buffers = 0, []
        super().add(*parts)


class Shifted(Memory):
    """Shows what stands one position before."""

    def __call__(self, seen: int) -> list[torch.Tensor]:
        return [torch.cat([part[:, :1], part[:, :-1]], 1) for part in super().__call__(seen)]


def drawn() -> Iterator[tuple[EncoderDecoder, str]]:
    """Networks whose own heads matter, and causal cross heads, too."""
    rnn = network_of(find_machine("increment")).rnn  # type: ignore[arg-type]
    yield simulation_of("rnn-by-directional", rnn).network, "101"
    found: list[EncoderDecoder] = []

    @settings(max_examples=150, database=None)
    @given(encoder_decoders(ANY))
    def collect(network: EncoderDecoder) -> None:
        found.append(network)

    collect()
    for network in found:
        if any(layer.heads for layer in network.layers):
            yield network, "101"


@pytest.mark.controls
@pytest.mark.parametrize("wrong", [Forgetful, Shifted])
def test_a_memory_that_is_wrong_is_noticed(wrong: type[Memory], monkeypatch: pytest.MonkeyPatch) -> None:
    networks = list(drawn())
    assert len(networks) > 20

    def differ() -> int:
        runs = (
            (computed(n, [w], 4, "float64", "strict")[0].tolist(), outputs(n, w, FORMATS["float64"], 4))
            for n, w in networks
        )
        return sum([list(v.values()) for v in naive] != found for found, naive in runs)

    assert differ() == 0
    monkeypatch.setattr(layers, "Memory", wrong)
    assert differ() > len(networks) / 4


def test_parameters_have_the_names_and_shapes_that_tools_expect() -> None:
    rnn = network_of(find_machine("increment")).rnn  # type: ignore[arg-type]
    network = simulation_of("rnn-by-encoder-decoder", rnn).network
    model = EncoderDecoderTransformer(network, rnn.alphabet, "bfloat16")
    shapes = {name: tuple(tensor.shape) for name, tensor in model.named_parameters()}
    width, inner = len(network.coordinates), len(network.encoder.coordinates)
    assert shapes["encoder.W_E"] == (4, inner)
    assert shapes["blocks.0.cross.W_Q"][:2] == (1, width)
    assert shapes["blocks.0.cross.W_K"][:2] == (1, inner)
    assert shapes["blocks.0.mlp.W_in"] == (width, 2 * len(rnn.units))
    assert shapes["feedback.W"] == (width, width)
    assert {tensor.dtype for tensor in model.parameters()} == {torch.bfloat16}


def test_what_cannot_be_run_is_refused() -> None:
    rnn = network_of(find_machine("increment")).rnn  # type: ignore[arg-type]
    network = simulation_of("rnn-by-encoder-decoder", rnn).network
    for options, says in (({"dtype": "float12"}, "unknown dtype"), ({"attention": "fused"}, "unknown attention")):
        with pytest.raises(InputError, match=says):
            EncoderDecoderTransformer(network, rnn.alphabet, **options)
    model = EncoderDecoderTransformer(network, rnn.alphabet)
    with pytest.raises(InputError, match="of one length"):
        model(["0", "11"], 1)
    with pytest.raises(InputError, match="not in the alphabet"):
        model(["2"], 1)
