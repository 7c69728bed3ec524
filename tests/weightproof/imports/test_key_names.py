"""The key names of TransformerLens: an export comes back with the same exact logits, the names of its version 4 and the
older ones say the same, and what is missing, unknown or of another architecture is named."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import weightproof as wp
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Decoder, Encoder

Tensors = dict[str, torch.Tensor]
NAMES = ("dyck1", "palindrome", "parity")
"""With a causal mask, read out as a sum; with two heads and layers without, accepted at 0; with a scale of 1/3."""
LONGEST = 5


@dataclass(frozen=True)
class Exported:
    """What was exported, its tensors, and what else has to be said of them."""

    construction: Construction
    tensors: Tensors
    said: dict[str, Any]

    def imported(self, tensors: Tensors | None = None, **changed: object) -> wp.Imported:
        return wp.from_torch(self.tensors if tensors is None else tensors, **(self.said | changed))

    def logits(self, construction: Construction) -> dict[str, str]:
        alphabet = self.construction.language.alphabet
        words = ("".join(word) for n in range(LONGEST + 1) for word in itertools.product(alphabet, repeat=n))
        return {word: str(wp.run(construction, word).logit) for word in words}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Exported]:
    found = {}
    for name in NAMES:
        construction, folder = load(name), tmp_path_factory.mktemp(name)
        wp.export(construction, "transformer-lens", folder, max_length=LONGEST)
        found[name] = Exported(construction, load_file(folder / "model.safetensors"), _said(construction, folder))
    return found


def _said(construction: Construction, folder: Path) -> dict[str, Any]:
    config = json.loads((folder / "config.json").read_text())
    network = construction.network
    assert isinstance(network, Encoder)
    encodings = network.embedding.PE.items()
    return {
        "language": construction.language,
        "config": config,
        "tokens": config["tokens"],
        "begin": config["begin"],
        "end": config["end"],
        "read": config["readout"]["position"],
        "accept": config["readout"]["accept"],
        "position": {config["coordinates"].index(name): encoding for name, encoding in encodings},
        "recognise": True,
    }


@pytest.mark.parametrize("name", NAMES)
def test_an_export_comes_back_with_the_same_exact_logits(exported: dict[str, Exported], name: str) -> None:
    given = exported[name]
    imported = given.imported()
    exact = given.logits(imported.construction)
    assert exact == given.logits(given.construction)
    for word in exact:
        assert wp.run(imported.construction, word).agrees
    positions = LONGEST + len(given.said["tokens"]) - 2
    assert imported.table_of == positions
    assert f"those of the table at {positions} positions" in repr(imported)
    broken = "blocks.0.attn.o.weight" if name != "palindrome" else "blocks.1.attn.v.weight"
    entry = given.tensors[broken].nonzero()[0]
    changed = given.tensors | {broken: given.tensors[broken].clone()}
    changed[broken][tuple(entry)] *= -1
    assert given.logits(given.imported(changed).construction) != exact


def test_the_scale_that_was_folded_into_a_weight_is_recognised(exported: dict[str, Exported]) -> None:
    taken = {name: {each.expression for each in given.imported().recognised} for name, given in exported.items()}
    assert taken == {"dyck1": set(), "palindrome": {"log(2)"}, "parity": {"sqrt(2)*log(2)"}}


D, HEADS, SIZE, HIDDEN = 4, 2, 3, 5
SAID: dict[str, Any] = {
    "language": load("parity").language, "tokens": ("0", "1"),
    "heads": HEADS, "mask": "none", "norms": "none", "activation": "relu",
}  # fmt: skip


def random_tensors() -> Tensors:
    """Of one layer, with biases everywhere."""
    generator = torch.Generator().manual_seed(0)
    wide = HEADS * SIZE
    shapes: dict[str, tuple[int, ...]] = {
        "embed.weight": (2, D),
        **{f"blocks.0.attn.{part}.weight": (wide, D) for part in "qkv"},
        **{f"blocks.0.attn.{part}.bias": (wide,) for part in "qkv"},
        "blocks.0.attn.o.weight": (D, wide),
        "blocks.0.attn.o.bias": (D,),
        "blocks.0.mlp.in.weight": (HIDDEN, D),
        "blocks.0.mlp.in.bias": (HIDDEN,),
        "blocks.0.mlp.out.weight": (D, HIDDEN),
        "blocks.0.mlp.out.bias": (D,),
        "unembed.weight": (1, D),
        "unembed.bias": (1,),
    }
    return {name: torch.randint(-8, 9, shape, generator=generator) / 8 for name, shape in shapes.items()}


def older(tensors: Tensors) -> Tensors:
    """The same by the older names, a tensor of its own for each head."""
    attention = {}
    for part in "qkv":
        weight, bias = tensors[f"blocks.0.attn.{part}.weight"], tensors[f"blocks.0.attn.{part}.bias"]
        attention[f"W_{part.upper()}"] = torch.stack([weight[h * SIZE : (h + 1) * SIZE].T for h in range(HEADS)])
        attention[f"b_{part.upper()}"] = torch.stack([bias[h * SIZE : (h + 1) * SIZE] for h in range(HEADS)])
    out = tensors["blocks.0.attn.o.weight"]
    attention["W_O"] = torch.stack([out[:, h * SIZE : (h + 1) * SIZE].T for h in range(HEADS)])
    attention["b_O"] = tensors["blocks.0.attn.o.bias"]
    return {
        "embed.W_E": tensors["embed.weight"],
        **{f"blocks.0.attn.{name}": tensor for name, tensor in attention.items()},
        **{f"blocks.0.mlp.W_{part}": tensors[f"blocks.0.mlp.{part}.weight"].T for part in ("in", "out")},
        **{f"blocks.0.mlp.b_{part}": tensors[f"blocks.0.mlp.{part}.bias"] for part in ("in", "out")},
        "unembed.W_U": tensors["unembed.weight"].T,
        "unembed.b_U": tensors["unembed.bias"],
    }


def test_the_names_of_version_4_and_the_older_ones_say_the_same() -> None:
    tensors = random_tensors()
    first = wp.from_torch(tensors, **SAID).construction.network
    assert first == wp.from_torch(older(tensors), **SAID).construction.network
    assert first != wp.from_torch(tensors, **SAID | {"heads": 1}).construction.network


def test_several_outputs_are_the_next_token_and_a_bias_of_queries_has_its_coordinate() -> None:
    tensors = random_tensors() | {"unembed.weight": torch.ones(2, D), "unembed.bias": torch.zeros(2)}
    said = {name: value for name, value in SAID.items() if name != "position"}
    network = wp.from_torch(tensors, **said | {"mask": "causal"}).construction.network
    assert isinstance(network, Decoder)
    assert network.readout.predicts
    assert {name: str(value) for name, value in network.embedding.PE.items()} == {"1": "1"}


def normed() -> Tensors:
    """Of the older names, with gains and biases."""
    generator = torch.Generator().manual_seed(1)
    names = [f"{name}.{part}" for name in ("blocks.0.ln1", "blocks.0.ln2", "ln_final") for part in "wb"]
    return older(random_tensors()) | {name: torch.randn(D, generator=generator) for name in names}


NORMED = SAID | {"norms": None, "epsilon": 1e-5}


def without(tensors: Tensors, missing: str) -> Tensors:
    return {name: tensor for name, tensor in tensors.items() if name != missing}


def test_norms_that_are_folded_away_are_those_of_gain_1_and_bias_0() -> None:
    folded = wp.from_torch(older(random_tensors()), **NORMED | {"norms": "pre"}).construction.network
    plain = {name: torch.full((D,), float(name.endswith("w"))) for name in normed() if "ln" in name}
    assert wp.from_torch(normed() | plain, **NORMED).construction.network == folded
    assert wp.from_torch(normed(), **NORMED).construction.network != folded


def test_every_weight_that_is_missing_is_named() -> None:
    for tensors in (random_tensors(), older(random_tensors())):
        weights = [name for name in tensors if name.startswith("blocks") and ("weight" in name or ".W_" in name)]
        assert len(weights) == 6
        for name in weights:
            with pytest.raises(InputError, match=f"^no tensor is called '{name}'; there are embed"):
                wp.from_torch({key: tensor for key, tensor in tensors.items() if key != name}, **SAID)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "how many heads": (
        lambda: wp.from_torch(random_tensors(), **SAID | {"heads": None}),
        r"^blocks\.0\.attn\.q\.weight has 6 rows, and no tensor says of how many heads: say heads=",
    ),
    "heads that do not divide": (
        lambda: wp.from_torch(random_tensors(), **SAID | {"heads": 4}), "has 6 rows, and 4 heads do not divide them"
    ),
    "whether it is causal": (
        lambda: wp.from_torch(random_tensors(), **SAID | {"mask": None}),
        r"^blocks\.0\.attn\.q\.weight is there; nothing says whether attention is causal",
    ),
    "fewer heads of keys": (
        lambda: wp.from_torch(random_tensors() | {"blocks.0.attn.k.weight": torch.zeros(3, D)}, **SAID),
        r"^blocks\.0\.attn\.k\.weight has the shape \[3, 4\]; to fit it would be \[6, 4\]",
    ),
    "a norm before a block": (
        lambda: wp.from_torch(random_tensors() | {"blocks.0.ln2.weight": torch.ones(D)}, **SAID),
        r"^blocks\.0\.ln2\.weight is of a norm before a part of the network, and not norms='none'",
    ),
    "a norm before the readout": (
        lambda: wp.from_torch(older(random_tensors()) | {"ln_final.w": torch.ones(D)}, **SAID),
        r"^ln_final\.w is of a norm before a part of the network, and not norms='none'",
    ),
    "which epsilon": (lambda: wp.from_torch(normed(), **SAID | {"norms": None}), "which epsilon, .*: say epsilon="),
    "which norms": (lambda: wp.from_torch(random_tensors(), **SAID | {"norms": None}), "say norms='none' or"),
    "a norm that is missing": (
        lambda: wp.from_torch(without(normed(), "ln_final.w"), **NORMED),
        r"^no tensor is called 'ln_final\.w(eight)?'; there are",
    ),
    "a root mean square": (
        lambda: wp.from_torch(without(normed(), "blocks.0.ln2.b"), **NORMED),
        r"^blocks\.0\.ln2\.w: a norm without a bias, as by the root mean square, is not read here",
    ),
    "a norm of hidden units": (
        lambda: wp.from_torch(random_tensors() | {"blocks.0.mlp.ln.w": torch.ones(HIDDEN)}, **SAID),
        r"^blocks\.0\.mlp\.ln\.w: it normalises hidden units",
    ),
    "tokens that see later ones": (
        lambda: wp.from_torch(
            random_tensors() | {"unembed.weight": torch.ones(2, D), "unembed.bias": torch.ones(2)}, **SAID
        ),
        "^what predicts tokens sees none that comes later: say mask='causal', or, where",
    ),
    "a gated network": (
        lambda: wp.from_torch(random_tensors() | {"blocks.0.mlp.gate.weight": torch.ones(HIDDEN, D)}, **SAID),
        r"^blocks\.0\.mlp\.gate\.weight: its feed-forward network is gated",
    ),
    "more outputs": (
        lambda: wp.from_torch(random_tensors() | {"unembed.weight": torch.ones(3, D)}, **SAID),
        r"^unembed\.bias has the shape \[1\]; to fit it would be \[3\]",
    ),
    "an unknown key": (
        lambda: wp.from_torch(random_tensors() | {"blocks.0.attn.sinks": torch.ones(2)}, **SAID),
        r"^unknown tensor blocks\.0\.attn\.sinks; ",
    ),
    "a table that says otherwise": (
        lambda: wp.from_torch(random_tensors() | {"pos_embed.weight": torch.ones(2, D)}, **SAID),
        "coordinate 0 at position 0 of 2 is 1 in the table, and '0' is 0 there; mend position",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_place_is_refused_in_one_line(what: str) -> None:
    make, message = REFUSED[what]
    with pytest.raises(InputError, match=message) as refused:
        make()
    assert "\n" not in str(refused.value)
