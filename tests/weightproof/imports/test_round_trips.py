"""Each family of names against the module of the library itself, on a thousand inputs: all words of up to nine symbols.

The module runs all words of nine symbols in one batch, as behind each of their symbols it gives what it gives behind
that prefix alone; the construction is run by the interpreter in balls, each prefix once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import torch
from flint import arb, ctx

import weightproof as wp
from tests.weightproof.imports.test_families import (
    FAMILIES,
    FLOAT64,
    POSITIONS,
    SAID,
    NanoGPT,
    imported,
)
from tests.weightproof.imports.test_from_torch import STANDARD, Normed
from weightproof.constructions.meaning.interpreter import Memories, Memory, at_position, nothing_seen, produced
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Real, ball
from weightproof.constructions.scalars.values import Evaluator, Number, in_balls

pytestmark = pytest.mark.controls
SYMBOLS = "01"
INPUTS = 2 ** (POSITIONS + 1) - 2
"""All words of one symbol and more, up to as many as there are positions."""
BITS = 96
"""Of the balls, whose radii are far below what a float64 is off."""


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


def of_lens(model: Any) -> wp.Imported:
    return wp.from_torch(model, **SAID, config=model.cfg.to_dict())


Made = tuple[torch.nn.Module, wp.Imported]
LENS: dict[str, Callable[[], Any]] = {
    "TransformerLens, layer norms": lens,
    "TransformerLens, layer norms, silu": lambda: lens(act_fn="silu"),
    "TransformerLens, layer norms that are folded": lambda: lens(normalization_type="LNPre"),
    "TransformerLens, attention alone": lambda: lens(attn_only=True, d_mlp=None),
    "TransformerLens, no norms": lambda: lens(normalization_type=None, act_fn="relu"),
}


def of_family(name: str) -> Made:
    make, said, _ = FAMILIES[name]
    return (module := make()), imported(module, **said)


def of_bridge(name: str) -> Made:
    return (module := LENS[name]()), of_lens(module)


DECODERS: dict[str, tuple[Callable[[str], Made], float]] = {
    **{name: (of_family, bound) for name, (_, _, bound) in FAMILIES.items()},
    **dict.fromkeys(LENS, (of_bridge, FLOAT64)),
}
"""How each is made, and how far outputs may be off: by `OPERATIONS` roundings to float64 of numbers up to `GREATEST`;
or, of what transformers turns and squares in float32, by the roundings of that; see there."""


def batched(module: torch.nn.Module) -> dict[str, list[float]]:
    """The outputs of a module behind each word."""
    rows = list(itertools.product(range(len(SYMBOLS)), repeat=POSITIONS))
    with torch.no_grad():
        if isinstance(module, NanoGPT):  # it gives the outputs behind the last symbol alone
            found = torch.stack([module(torch.tensor(rows)[:, :n])[0][:, -1] for n in range(1, POSITIONS + 1)], 1)
        else:
            made: Any = module(torch.tensor(rows))
            found = getattr(made, "logits", made)
    outputs = found.double().tolist()
    return {
        "".join(SYMBOLS[k] for k in row[: n + 1]): outputs[number][n]
        for number, row in enumerate(rows)
        for n in range(POSITIONS)
    }


class Once:
    """Weights in balls, once for each position."""

    def __init__(self) -> None:
        self.known: dict[object, Evaluator] = {}

    def __call__(self, names: Mapping[str, Real]) -> Evaluator:
        return self.known.setdefault(tuple(sorted(names.items())), in_balls(names))


def exact(
    network: Decoder, reading: Once, word: str = "", own: Memories | None = None
) -> Iterator[tuple[str, list[Number]]]:
    """The outputs of a construction behind each word that begins so."""
    for symbol in SYMBOLS if len(word) < POSITIONS else ():
        seen = nothing_seen(network) if own is None else own
        memories = [[Memory([*each.keys], [*each.values]) for each in heads] for heads in seen]
        vectors = at_position(network, symbol, len(word), {}, memories, reading)
        made = produced(network, len(word), {}, vectors, reading).outputs
        yield word + symbol, [made[token] for token in SAID["tokens"]]
        yield from exact(network, reading, word + symbol, memories)


def furthest(pairs: Iterator[tuple[float, Number]]) -> float:
    """The largest difference, at most; infinite where one is no number."""
    return max(
        float(abs(arb(found) - (x if isinstance(x, arb) else ball(x, BITS))).upper())
        if math.isfinite(found)
        else math.inf
        for found, x in pairs
    )


def apart(module: torch.nn.Module, found: dict[str, list[Number]]) -> float:
    """How far the outputs of a module are off at most."""
    outputs = batched(module)
    assert found.keys() == outputs.keys()
    with ctx.workprec(BITS):
        return furthest(pair for word in found for pair in zip(outputs[word], found[word], strict=True))


@pytest.mark.parametrize("name", DECODERS)
def test_a_thousand_inputs(name: str) -> None:
    make, bound = DECODERS[name]
    module, given = make(name)
    network = given.construction.network
    assert isinstance(network, Decoder)
    with ctx.workprec(BITS):
        found = dict(exact(network, Once()))
    difference = apart(module, found)
    print(f"{name}: {len(found)} inputs, largest difference {difference:.2g}, bound {bound:.2g}")
    assert len(found) == INPUTS >= 1000
    assert difference < bound
    with torch.no_grad():  # one weight in the middle is another one
        parameters = [tensor for key, tensor in module.named_parameters() if "0" in key and key.endswith("weight")]
        parameters[0].view(-1)[0] += 1 / 4
    assert apart(module, found) > bound


@pytest.mark.parametrize(("norm_first", "activation"), [(True, "relu"), (True, "gelu"), (False, "relu")])
def test_a_thousand_inputs_of_torchs_encoder_layers(norm_first: bool, activation: str) -> None:
    """They see all positions, so that each word is run for itself; norms have gains and biases, and so has the last."""
    module = Normed(activation, norm_first, query_biases=norm_first)
    construction = wp.from_torch(module, **STANDARD).construction

    def logits() -> dict[str, float]:
        found: dict[str, float] = {}
        for length in range(POSITIONS + 1):
            words = ["".join(word) for word in itertools.product(SYMBOLS, repeat=length)]
            ids = torch.tensor([[2, *map(int, word)] for word in words])
            encoding = torch.zeros(length + 1, 4, dtype=torch.float64)
            encoding[:, 2] = torch.arange(length + 1, dtype=torch.float64) / (length + 1)
            with torch.no_grad():
                made = module.out(module.encoder(module.embed(ids) + encoding))[:, -1, 0]
            found |= dict(zip(words, made.tolist(), strict=True))
        return found

    wanted = {word: run(construction, word, bits=BITS, unread=False).logit for word in logits()}

    def difference() -> float:
        with ctx.workprec(BITS):
            return furthest((found, wanted[word]) for word, found in logits().items())

    print(f"norm_first={norm_first}, {activation}: {len(wanted)} inputs, largest difference {difference():.2g}")
    assert len(wanted) == INPUTS + 1
    assert difference() < FLOAT64
    with torch.no_grad():
        module.get_parameter("encoder.layers.1.norm1.weight")[0] += 1 / 64
    assert difference() > FLOAT64


def test_a_configuration_that_says_another_activation_is_found() -> None:
    model = lens()
    with pytest.raises(wp.InputError, match="the module gives"):
        wp.from_torch(model, **SAID, config=model.cfg.to_dict() | {"act_fn": "gelu"})
    with pytest.raises(wp.InputError, match="the module gives"):
        wp.from_torch(model, **SAID, config=model.cfg.to_dict() | {"eps": 1e-2})
