"""Each family of names against the module of the library itself, on a thousand inputs: all words of up to nine symbols.

The module runs the words of a length in one batch. In the long suite it is held against the interpreter in balls, which
runs each prefix once; what is made of torch's own layers, without the library of a family, against our own numeric
reading, too, which takes batches as well.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest
import torch
from flint import arb, ctx

import weightproof as wp
from tests.weightproof.imports.test_families import (
    FAMILIES,
    FLOAT64,
    OWN,
    POSITIONS,
    SAID,
    NanoGPT,
    Own,
    imported,
    in_float64,
    scrambled,
)
from tests.weightproof.imports.test_from_torch import STANDARD, Normed
from weightproof.constructions.meaning.interpreter import Memories, Memory, at_position, nothing_seen, produced
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.values import Evaluator, Number, in_balls

SYMBOLS = "01"
INPUTS = 2 ** (POSITIONS + 1) - 2
"""All words of one symbol and more, up to as many as there are positions."""
BITS = 96
"""Of the balls, whose radii are far below what a float64 is off."""
ROUNDED = 53 - 5
"""Bits of balls each of whose operations is rounded by as much as 32 of float64, and no sum in these networks is of
more terms: so their radii are what roundings to float64 can come to at most, in whatever order a module adds."""


def lens(**changed: Any) -> Any:
    """A network of TransformerLens: random weights, gains and biases; the activation is said by its configuration."""
    from transformer_lens import TransformerBridge, TransformerBridgeConfig

    config = {
        "d_model": 8, "d_head": 4, "n_heads": 2, "n_layers": 2, "n_ctx": POSITIONS, "d_mlp": 5, "d_vocab": 3,
        "d_vocab_out": 3, "act_fn": "gelu_new", "normalization_type": "LN", "eps": 1e-3, "init_weights": False,
        "positional_embedding_type": "standard", "attention_dir": "causal", "dtype": torch.float64,
    }  # fmt: skip
    made = TransformerBridgeConfig.from_dict(config | changed)
    model = TransformerBridge.boot_native(made, dtype=torch.float64)
    generator, weights = torch.Generator().manual_seed(0), {}
    for name, tensor in model.state_dict().items():
        at = 1.0 if ".ln" in f".{name}" and name.endswith("weight") else 0.0
        weights[name] = at + torch.randn(tensor.shape, generator=generator, dtype=torch.float64) / 2
    model.load_state_dict(weights, strict=True)
    return model.eval()


Made = tuple[torch.nn.Module, wp.Imported]


def of_family(name: str) -> Made:
    make, said, bound = FAMILIES[name]
    module = make() if bound == FLOAT64 else in_float64(make())
    return module, imported(module, **said)


def of_lens(**changed: Any) -> Made:
    return (module := lens(**changed)), wp.from_torch(module, **SAID, config=module.cfg.to_dict())


def of_own() -> Made:
    nano = scrambled(NanoGPT())
    assert isinstance(nano, NanoGPT)
    return (module := Own(nano)), wp.from_torch(module, **SAID, **OWN)


HERE: dict[str, Callable[[], Made]] = {"nanoGPT": partial(of_family, "nanoGPT"), "one's own, by --map": of_own}
"""Those that need no library."""
DECODERS: dict[str, Callable[[], Made]] = {
    **{name: partial(of_family, name) for name in FAMILIES},
    **HERE,
    "TransformerLens, layer norms": of_lens,
    "TransformerLens, layer norms, silu": partial(of_lens, act_fn="silu"),
    "TransformerLens, layer norms that are folded": partial(of_lens, normalization_type="LNPre"),
    "TransformerLens, attention alone": partial(of_lens, attn_only=True, d_mlp=None),
    "TransformerLens, no norms": partial(of_lens, normalization_type=None, act_fn="relu"),
}


def words(longest: int, shortest: int = 1) -> Iterator[tuple[list[str], list[list[int]]]]:
    """All words of each length, and the ids of their symbols."""
    for length in range(shortest, longest + 1):
        ids = [[*each] for each in itertools.product(range(len(SYMBOLS)), repeat=length)]
        yield ["".join(SYMBOLS[k] for k in each) for each in ids], ids


def behind(module: torch.nn.Module, longest: int) -> dict[str, list[float]]:
    """The outputs of a module behind each word."""
    found = {}
    for texts, ids in words(longest):
        with torch.no_grad():
            made: Any = module(torch.tensor(ids))
        made = getattr(made, "logits", made[0] if isinstance(made, tuple) else made)
        found |= dict(zip(texts, made[:, -1].double().tolist(), strict=True))
    return found


class Once:
    """Weights in balls, once for each position."""

    def __init__(self) -> None:
        self.known: dict[object, Evaluator] = {}

    def __call__(self, names: Mapping[str, Real]) -> Evaluator:
        return self.known.setdefault(tuple(sorted(names.items())), in_balls(names))


def exact(
    network: Decoder, longest: int, reading: Once, word: str = "", own: Memories | None = None
) -> Iterator[tuple[str, list[Number]]]:
    """The outputs of a construction behind each word that begins so."""
    for symbol in SYMBOLS if len(word) < longest else ():
        seen = nothing_seen(network) if own is None else own
        memories = [[Memory([*each.keys], [*each.values]) for each in heads] for heads in seen]
        vectors = at_position(network, symbol, len(word), {}, memories, reading)
        made = produced(network, len(word), {}, vectors, reading).outputs
        yield word + symbol, [made[token] for token in SAID["tokens"]]
        yield from exact(network, longest, reading, word + symbol, memories)


def in_bits(given: wp.Imported, longest: int, bits: int) -> dict[str, list[Number]]:
    network = given.construction.network
    assert isinstance(network, Decoder)
    with ctx.workprec(bits):
        return dict(exact(network, longest, Once()))


def as_ball(value: Number, bits: int) -> arb:
    return value if isinstance(value, arb) else ball(value, bits)


def apart(found: float, wanted: Number) -> float:
    """The difference, at most; infinite where one is no number."""
    with ctx.workprec(BITS):
        return float(abs(arb(found) - as_ball(wanted, BITS)).upper()) if math.isfinite(found) else math.inf


def room(wanted: Number) -> float:
    """How far a float64 may be off the middle of what is computed with ROUNDED bits."""
    return float(as_ball(wanted, ROUNDED).rad())


def furthest(found: Mapping[str, list[float]], wanted: Mapping[str, list[Number]]) -> float:
    assert found.keys() == wanted.keys()
    return max(apart(*pair) for word in found for pair in zip(found[word], wanted[word], strict=True))


def are_within(
    found: Mapping[str, list[float]], wanted: Mapping[str, list[Number]], rounded: Mapping[str, list[Number]]
) -> bool:
    """Whether no output is further off than roundings can come to after that word."""
    return all(
        apart(x, y) <= room(z)
        for word in found
        for x, y, z in zip(found[word], wanted[word], rounded[word], strict=True)
    )


@pytest.mark.controls
@pytest.mark.parametrize("name", DECODERS)
def test_a_thousand_inputs(name: str) -> None:
    module, given = DECODERS[name]()
    wanted, rounded = in_bits(given, POSITIONS, BITS), in_bits(given, POSITIONS, ROUNDED)
    found = behind(module, POSITIONS)
    largest, bound = furthest(found, wanted), max(room(value) for values in rounded.values() for value in values)
    print(f"{name}: {len(found)} inputs, largest difference {largest:.2g}, of roundings at most {bound:.2g}")
    assert len(found) == INPUTS >= 1000
    assert largest < FLOAT64
    assert are_within(found, wanted, rounded)
    with torch.no_grad():  # one weight in the middle is another one
        parameters = [tensor for key, tensor in module.named_parameters() if "0" in key and key.endswith("weight")]
        parameters[0].view(-1)[0] += 1 / 4
    assert not are_within(behind(module, POSITIONS), wanted, rounded)


@pytest.mark.parametrize("name", HERE)
def test_a_hundred_inputs_without_a_library(name: str) -> None:
    module, given = HERE[name]()
    found, wanted = behind(module, 6), in_bits(given, 6, BITS)
    print(f"{name}: {len(found)} inputs, largest difference {furthest(found, wanted):.2g}, bound {FLOAT64:.2g}")
    assert len(found) == 2**7 - 2
    assert furthest(found, wanted) < FLOAT64
    with torch.no_grad():
        module.get_parameter(next(key for key, _ in module.named_parameters() if ".0." in key)).view(-1)[0] += 1 / 4
    assert furthest(behind(module, 6), wanted) > FLOAT64


LAYERS = [(True, "relu"), (True, "gelu"), (False, "relu"), (False, "gelu")]
"""Of torch: before or after each part, and the activation."""


def of_torch(norm_first: bool, activation: str) -> Made:
    """With gains and biases of all norms, and of the last one."""
    module = Normed(activation, norm_first, query_biases=norm_first)
    return module, wp.from_torch(module, **STANDARD)


def logits(module: torch.nn.Module) -> dict[str, list[float]]:
    """Of all words, as they see all positions."""
    assert isinstance(module, Normed)
    found = {}
    for texts, ids in words(POSITIONS, shortest=0):
        marked = torch.tensor([[2, *each] for each in ids])
        n = marked.shape[1]
        encoding = torch.zeros(n, 4, dtype=torch.float64)
        encoding[:, 2] = torch.arange(n, dtype=torch.float64) / n
        with torch.no_grad():
            made = module.out(module.encoder(module.embed(marked) + encoding))[:, -1]
        found |= dict(zip(texts, made.tolist(), strict=True))
    return found


@pytest.mark.parametrize(("norm_first", "activation"), LAYERS)
def test_a_thousand_inputs_of_torchs_layers_in_batches(norm_first: bool, activation: str) -> None:
    module, given = of_torch(norm_first, activation)
    found = logits(module)
    own = wp.Transformer(given.construction).logits([*found]).tolist()

    def largest() -> float:
        return max(abs(x - y) for [x], y in zip(logits(module).values(), own, strict=True))

    print(f"norm_first={norm_first}, {activation}: {len(found)} inputs, largest difference {largest():.2g}")
    assert len(found) == INPUTS + 1
    assert largest() < 2 * FLOAT64  # both are rounded
    with torch.no_grad():
        module.get_parameter("encoder.layers.1.norm1.weight")[0] += 1 / 64
    assert largest() > 2 * FLOAT64


@pytest.mark.controls
@pytest.mark.parametrize(("norm_first", "activation"), LAYERS)
def test_a_thousand_inputs_of_torchs_layers(norm_first: bool, activation: str) -> None:
    module, given = of_torch(norm_first, activation)
    found = logits(module)
    wanted, rounded = (
        {word: [run(given.construction, word, bits=bits, unread=False).logit] for word in found}
        for bits in (BITS, ROUNDED)
    )
    largest, bound = furthest(found, wanted), max(room(value) for [value] in rounded.values())
    print(
        f"norm_first={norm_first}, {activation}: {len(found)} inputs, largest difference {largest:.2g}, of roundings "
        f"at most {bound:.2g}"
    )
    assert len(found) == INPUTS + 1
    assert largest < FLOAT64
    assert are_within(found, wanted, rounded)
    with torch.no_grad():
        module.get_parameter("encoder.layers.1.norm1.weight")[0] += 1 / 64
    assert not are_within(logits(module), wanted, rounded)


@pytest.mark.controls
def test_a_configuration_that_says_another_activation_is_found() -> None:
    model = lens()
    with pytest.raises(wp.InputError, match="the module gives"):
        wp.from_torch(model, **SAID, config=model.cfg.to_dict() | {"act_fn": "gelu"})
    with pytest.raises(wp.InputError, match="the module gives"):
        wp.from_torch(model, **SAID, config=model.cfg.to_dict() | {"eps": 1e-2})
