"""Modules, state dictionaries and named tensors: what is read is what they compute, and what is not read is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import torch

import weightproof as wp
from tests.weightproof.imports.published import IS_FIRST, PUBLISHED, ExactLayer, ExactTransformer, Weights
from weightproof.constructions.languages.languages import FIRST, ONE, PARITY
from weightproof.constructions.meaning.inputs import InputError

Tensors = dict[str, torch.Tensor]
SAID: dict[str, Any] = {"language": FIRST, "tokens": ("0", "1", "$"), "begin": "$"}


class Standard(torch.nn.Module):
    """An embedding, torch's own encoder, which normalises after each residual connection, and a readout of the last."""

    def __init__(self, activation: Any = "relu", norm_first: bool = False, dropout: float = 0.0) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embed = torch.nn.Embedding(3, 4)
        layer = torch.nn.TransformerEncoderLayer(4, 2, 5, dropout, activation, batch_first=True, norm_first=norm_first)
        self.encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = torch.nn.Linear(4, 1)
        self.double()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        place = torch.arange(len(ids)).to(torch.float64)
        encoding = torch.zeros(len(ids), 4, dtype=torch.float64)
        encoding[:, 2] = place / len(ids)
        result: torch.Tensor = self.out(self.encoder((self.embed(ids) + encoding)[None])[0, -1])
        return result


STANDARD = SAID | {"position": {2: "i/n"}, "read": "last"}


def test_a_standard_encoder_of_random_weights_is_what_it_computes() -> None:
    imported = wp.from_torch(Standard(), **STANDARD)
    network = imported.construction.network
    assert isinstance(network, wp.Encoder)
    assert [len(layer.heads) for layer in network.layers] == [2, 2]
    assert all(layer.attention_norm == wp.LayerNorm(str(Fraction(1e-5))) for layer in network.layers)
    assert imported.compared is not None
    assert imported.compared.difference < 1e-12


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("gelu", "gelu"),
        (torch.nn.GELU(approximate="tanh"), "gelu-tanh"),
        (torch.nn.SiLU(), "silu"),
        (torch.tanh, "tanh"),
        (torch.nn.Sigmoid(), "sigmoid"),
        (torch.abs, "abs"),
        (torch.nn.Identity(), "identity"),
    ],
)
def test_the_activation_of_a_module_is_the_one_that_it_computes(module: Any, name: str) -> None:
    imported = wp.from_torch(Standard(module), **STANDARD)
    assert {layer.feed_forward.activation for layer in imported.construction.encoder.layers if layer.feed_forward} == {
        name
    }
    assert imported.compared is not None
    assert imported.compared.difference < 1e-12


def biased(seed: int) -> ExactTransformer:
    """Random weights and biases everywhere, without norms."""
    torch.manual_seed(seed)
    layers = [ExactLayer(4, 2, Weights(3), None, False, torch.float64) for _ in range(2)]
    module = ExactTransformer(torch.eye(3, 4).double(), lambda pos, n: {3: pos == 1}, layers, 0, 1)
    with torch.no_grad():
        for tensor in module.parameters():
            tensor.copy_(torch.randint(-8, 9, tensor.shape) / 8)
    return module


BIASED = SAID | {"position": IS_FIRST, "embedding": "word_embedding", "norms": "none"}


def test_biases_of_attention_are_folded_into_what_there_is() -> None:
    """The module is what says that nothing is lost: queries by a coordinate that is 1, keys not at all, values and
    outputs by the feed-forward network."""
    imported = wp.from_torch(biased(0), **BIASED)
    network = imported.construction.network
    assert isinstance(network, wp.Encoder)
    assert network.coordinates[-1] == "1"
    assert imported.compared is not None
    assert imported.compared.difference < 1e-12


def test_what_is_folded_is_folded_exactly() -> None:
    """Products of tenths, which no floating-point number is."""
    tenth = torch.tensor(0.1, dtype=torch.float64)
    one = torch.ones(1, 1, 1, dtype=torch.float64)
    tensors = {
        "W_E": torch.eye(2).double(),
        "unembed.W_U": torch.ones(2, 1),
        "blocks.0.attn.W_Q": torch.zeros(1, 2, 1),
        "blocks.0.attn.W_K": torch.zeros(1, 2, 1),
        "blocks.0.attn.W_V": torch.zeros(1, 2, 1),
        "blocks.0.attn.W_O": tenth * torch.tensor([[[1.0, 0.0]]]).double(),
        "blocks.0.attn.b_V": 3 * tenth * one[0],
        "blocks.0.attn.b_O": tenth * torch.ones(2).double(),
    }
    said: dict[str, Any] = {"language": FIRST, "tokens": ("0", "1"), "norms": "none", "mask": "none"}
    network = wp.from_torch(tensors, **said).construction.network
    assert isinstance(network, wp.Encoder)
    [layer] = network.layers
    assert layer.feed_forward is not None
    found = {name: str(value) for name, value in layer.feed_forward.second.bias.items()}
    exact, three = Fraction(0.1), Fraction((3 * tenth).item())
    assert found == {"[w=0]": str(exact * three + exact), "[w=1]": str(exact)}
    taken = wp.from_torch(tensors, **said, recognise=True)
    assert {each.expression for each in taken.recognised} == {"1/10", "3/10"}
    assert len(set(taken.recognised)) == len(taken.recognised)
    assert wp.run(taken.construction, "0").data["logit"] == "123/100"


def test_norms_that_are_not_said_to_be_there_are_missed() -> None:
    with pytest.raises(InputError, match=r"after layer 1 the construction has .* norms, mask, scale"):
        wp.from_torch(Standard(), **STANDARD, norms="none")


class Normed(Standard):
    """The same with all that torch's layers can have beside it: gains and biases everywhere that are not 1 and 0, and a
    final norm."""

    def __init__(self, activation: str, norm_first: bool, query_biases: bool) -> None:
        super().__init__(activation, norm_first)
        self.encoder.norm = torch.nn.LayerNorm(4, eps=1e-3).double()
        with torch.no_grad():
            for name, tensor in self.named_parameters():
                if "norm" in name or "bias" in name:
                    tensor.add_(torch.randn(tensor.shape).to(tensor) / 2)
                if name.endswith("in_proj_bias") and not query_biases:
                    tensor[:4] = 0


@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize(("norm_first", "query_biases"), [(True, True), (True, False), (False, False)])
def test_norms_with_gains_and_biases_are_what_they_compute(
    activation: str, norm_first: bool, query_biases: bool
) -> None:
    """A bias of queries behind a norm takes a coordinate that the norm makes 1; a bias of values that a norm comes
    behind takes a layer. Tensors alone say the same."""
    module = Normed(activation, norm_first, query_biases)
    imported = wp.from_torch(module, **STANDARD)
    network = imported.construction.encoder
    assert ("mean" in network.coordinates) == query_biases
    assert len(network.layers) == 4
    assert network.final_norm is not None
    assert imported.compared is not None
    assert imported.compared.difference < 1e-12
    said = {"heads": 2, "activation": activation, "mask": "none", "norms": "pre" if norm_first else "post"}
    tensors = module.state_dict()
    with pytest.raises(InputError, match="which epsilon"):
        wp.from_torch(tensors, **STANDARD, **said, embedding="embed", readout="out")
    module.encoder.norm.eps = 1e-5  # type: ignore[union-attr]
    alone = wp.from_torch(tensors, **STANDARD, **said, embedding="embed", readout="out", epsilon=1e-5)
    assert alone.construction == wp.from_torch(module, **STANDARD).construction


@pytest.mark.parametrize("part", ["norm1.weight", "norm2.bias", "self_attn.in_proj_bias", "self_attn.out_proj.bias"])
def test_no_gain_and_no_bias_is_lost(part: str) -> None:
    """The module has another value where it runs than what is read of it."""
    module = Normed("relu", True, True)
    tensor = module.get_parameter(f"encoder.layers.1.{part}")

    def call(ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            tensor[0] += 1 / 8
            result: torch.Tensor = module(torch.tensor(ids))
            tensor[0] -= 1 / 8
        return result

    with pytest.raises(InputError, match="after layer 2 the construction has"):
        wp.from_torch(module, **STANDARD, call=call)


def test_a_bias_where_no_part_can_hold_it_is_refused() -> None:
    with pytest.raises(InputError, match=r"^encoder\.layers\.0: a bias of queries .* a norm behind would see it"):
        wp.from_torch(Normed("relu", False, True), **STANDARD)


PARITY_SAID: dict[str, Any] = {
    "language": PARITY, "tokens": ("0", "1", "CLS"), "begin": "CLS", "scale": "1/3",
    "norms": "none", "mask": "none", "activation": "relu",
}  # fmt: skip
PARITY_PE = {3: "i/n", 4: "cos(pi*i)"}


def own_tensors() -> Tensors:
    """Those of our own module of PARITY with c = log(2), whose weight of queries is 3*log(2), rounded to float64."""
    return dict(wp.Transformer(wp.load("parity")).state_dict())


def test_our_own_modules_have_the_names_of_transformerlens() -> None:
    exact = wp.from_torch(own_tensors(), **PARITY_SAID, position=PARITY_PE)
    rounded = Fraction(own_tensors()["blocks.1.attn.W_Q"].max().item())
    heads = exact.construction.network.layers[1].heads  # type: ignore[union-attr]
    assert {str(weight) for head in heads for row in head.W_Q.values() for weight in row.values()} == {str(rounded)}
    assert exact.recognised == ()
    taken = wp.from_torch(own_tensors(), **PARITY_SAID, position=PARITY_PE, recognise=True)
    assert {(each.expression, each.value) for each in taken.recognised} == {("3*log(2)", float(rounded))}
    assert all(abs(each.difference) < 1e-15 for each in taken.recognised)
    for word in ("1", "0110", "10110"):
        logits = [wp.run(given, word).data["logit"] for given in (wp.load("parity"), taken.construction)]
        assert logits[0] == logits[1]


def test_plain_matrices_and_lens_names_say_the_same() -> None:
    """The first layer of PARITY and its readout, both ways."""
    W_V = torch.zeros(2, 9)
    W_V[0, 1] = W_V[1, 2] = 1
    W_O = torch.zeros(9, 2)
    W_O[5, 0] = W_O[6, 1] = 1
    embedding, readout = torch.eye(3, 9), torch.eye(9)[5:6]
    plain = {"W_E": embedding, "layers.0.heads.0.W_V": W_V, "layers.0.heads.0.W_O": W_O, "W_U": readout}
    lens = {
        "embed.W_E": embedding,
        "unembed.W_U": readout.T,
        "unembed.b_U": torch.zeros(1),
        "blocks.0.attn.W_Q": torch.zeros(1, 9, 2),
        "blocks.0.attn.W_K": torch.zeros(1, 9, 2),
        "blocks.0.attn.W_V": W_V.T[None],
        "blocks.0.attn.W_O": W_O.T[None],
        "blocks.0.attn.b_K": torch.ones(1, 2),
        "blocks.0.attn.mask": torch.ones(5, 5, dtype=torch.bool),
        "blocks.0.attn.IGNORE": torch.tensor(float("-inf")),
    }
    said = PARITY_SAID | {"scale": None}
    first, second = wp.from_torch(plain, **said), wp.from_torch(lens, **said)
    assert first.construction.network == second.construction.network
    assert wp.run(first.construction, "011").data["logit"] == "1/2"
    with pytest.raises(InputError, match=r"blocks\.0\.attn\.W_Q is there; nothing says whether attention is causal"):
        wp.from_torch(lens, **PARITY_SAID | {"mask": None})


def test_a_table_of_positions_is_compared_with_expressions() -> None:
    table = torch.zeros(6, 9)
    table[:, 4] = torch.tensor([1.0, -1, 1, -1, 1, -1])
    tensors = own_tensors() | {"pos_embed.W_pos": table}
    said = {name: value for name, value in PARITY_SAID.items() if name != "position"}
    assert wp.from_torch(tensors, **said, position={4: "cos(pi*i)"}).construction.network
    with pytest.raises(InputError, match=r"coordinate 4 at position 0 of 6 is 1 in the table, and '0' is 0 there"):
        wp.from_torch(tensors, **said)
    with pytest.raises(InputError, match=r"coordinate 3 at position 1 of 6 is 0 in the table, and 'i/n' is 0\.16"):
        wp.from_torch(tensors, **said, position=PARITY_PE)


def test_a_wrong_position_encoding_is_refused_with_both_values() -> None:
    said = PUBLISHED["chiang-parity"].said | {"position": {3: "(i + 1)/n", 4: "cos(pi*i)"}}
    module = PUBLISHED["chiang-parity"].module(torch.float64)
    with pytest.raises(InputError) as refused:
        wp.from_torch(module, **said)
    assert str(refused.value) == (
        "imported: at position 0 of 1 ('$'), coordinate 3, the embedding has 1, the module 0; "
        "mend position[3], which is '(i + 1)/n'"
    )


def missing(module: torch.nn.Module, name: str) -> Tensors:
    return {key: tensor for key, tensor in module.state_dict().items() if key != name}


def one_tensors(**changed: torch.Tensor) -> Tensors:
    module = PUBLISHED["nowak-one"].module(torch.float64)
    return {**module.state_dict(), "E": module.word_embedding, **changed}


TENSORS: dict[str, Any] = {
    "language": ONE, "tokens": ("0", "1", "$"), "begin": "$", "embedding": "E", "readout": "output_layer",
    "norms": "none", "mask": "none", "activation": "relu", "heads": 1, "position": {3: "i/n"},
}  # fmt: skip


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in TENSORS.items() if name not in names}


def test_tensors_alone_are_compared_with_nothing_and_proved() -> None:
    imported = wp.from_torch(one_tensors(), **TENSORS)
    assert imported.compared is None
    assert "compared with nothing" in repr(imported)
    assert imported.construction.network == PUBLISHED["nowak-one"].imported().construction.network
    assert wp.prove(imported.construction).as_expected


IN_PROJ = "layers.0.self_attn.in_proj_weight"
INFINITE = torch.full((1, 7), 0.0).index_fill(1, torch.tensor([2]), float("inf"))
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "dropout that is on": (
        lambda: wp.from_torch(Standard(dropout=0.1), **STANDARD),
        r"^encoder\.layers\.0\.self_attn drops out with p = 0\.1; call \.eval\(\) on the module first",
    ),
    "elu": (lambda: wp.from_torch(Standard(torch.nn.functional.elu), **STANDARD), "activation is elu; of those"),
    "no layer": (
        lambda: wp.from_torch(torch.nn.Sequential(torch.nn.LSTM(2, 2)), **SAID),
        "no torch.nn.TransformerEncoderLayer in the module, which is made of: Sequential, LSTM",
    ),
    "a layer of another kind": (
        lambda: wp.from_torch(torch.nn.ModuleDict({"a": Standard(), "b": torch.nn.LSTM(2, 2)}), **SAID),
        "^b is a LSTM, which is not read",
    ),
    "a forward pass of its own": (
        lambda: PUBLISHED["chiang-first"].imported(norms=None),
        r"^layers\.0\.forward is the module's own \(ExactLayer\): say norms",
    ),
    "an embedding that is not there": (
        lambda: PUBLISHED["chiang-first"].imported(embedding="embed"), "the module has no 'embed'"
    ),
    "no embedding": (lambda: PUBLISHED["chiang-first"].imported(embedding=None), "may be its embedding"),
    "another form of input": (
        lambda: PUBLISHED["chiang-first"].imported(call=lambda ids: 1 / 0), "the module fails on the token ids"
    ),
    "layers that do not run": (
        lambda: PUBLISHED["chiang-first"].imported(call=lambda ids: None), "does not run all of its layers"
    ),
    "read elsewhere": (lambda: PUBLISHED["chiang-first"].imported(read="last"), "the module has the logit"),
    "a weight that is infinite": (
        lambda: wp.from_torch(one_tensors(**{"output_layer.weight": INFINITE}), **TENSORS),
        r"^output_layer\.weight\[0, 2\] is inf; weights are finite",
    ),
    "a shape that does not fit": (
        lambda: wp.from_torch(one_tensors(**{IN_PROJ: torch.zeros(20, 7)}), **TENSORS),
        r"in_proj_weight has the shape \[20, 7\]; to fit it would be \[21, 7\]",
    ),
    "complex weights": (
        lambda: wp.from_torch(one_tensors(E=torch.zeros(3, 7, dtype=torch.complex64)), **TENSORS), "complex64"
    ),
    "an unknown tensor": (
        lambda: wp.from_torch(one_tensors(extra=torch.zeros(1)), **TENSORS), r"tensor extra; .*: ignore=\['extra'\]"
    ),
    "ignored in vain": (lambda: wp.from_torch(one_tensors(), **TENSORS, ignore=("ext",)), "no tensor is called 'ext'"),
    "a tensor that is missing": (
        lambda: wp.from_torch({k: v for k, v in one_tensors().items() if "linear2.w" not in k}, **TENSORS),
        r"no tensor is called 'layers\.0\.linear2\.weight'",
    ),
    "how many heads": (lambda: wp.from_torch(one_tensors(), **without("heads")), "say heads="),
    "heads that do not divide": (lambda: wp.from_torch(one_tensors(), **(TENSORS | {"heads": 2})), "not divided by 2"),
    "whether it normalises": (lambda: wp.from_torch(one_tensors(), **without("norms")), "norm1.weight is there"),
    "which epsilon": (lambda: wp.from_torch(one_tensors(), **(TENSORS | {"norms": "post"})), "which epsilon"),
    "which embedding": (lambda: wp.from_torch(one_tensors(), **without("embedding")), "say embedding="),
    "which readout": (lambda: wp.from_torch(one_tensors(), **without("readout")), "say readout="),
    "no language": (lambda: wp.from_torch(one_tensors(), **(TENSORS | {"language": "ONE"})), "give a Language"),
    "a token of nothing": (lambda: wp.from_torch(one_tensors(), **without("begin")), "token '\\$' is no symbol of ONE"),
    "a symbol without a token": (
        lambda: wp.from_torch(one_tensors(), **(TENSORS | {"tokens": ("0", "2", "$")})), "tokens: '1' is none of"
    ),
    "a coordinate that is not there": (
        lambda: wp.from_torch(one_tensors(), **(TENSORS | {"position": {7: "i"}})), r"position\[7\]: .* 0 to 6"
    ),
    "a malformed expression": (
        lambda: wp.from_torch(one_tensors(), **(TENSORS | {"position": {3: "i/"}})), r"position\[3\]: cannot read 'i/'"
    ),
    "too few names": (
        lambda: wp.from_torch(one_tensors(), **TENSORS, coordinates=("a", "b")), "2 names for 7 coordinates"
    ),
    "a norm of TransformerLens": (
        lambda: wp.from_torch(
            own_tensors() | {"blocks.0.ln1.w": torch.ones(9)}, **PARITY_SAID, position=PARITY_PE
        ),
        r"^blocks\.0\.ln1\.w is of a norm before a part of the network, and not norms='none'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_read_is_refused_in_one_line(what: str) -> None:
    make, message = REFUSED[what]
    with pytest.raises(InputError, match=message) as refused:
        make()
    assert "\n" not in str(refused.value)


def test_dropout_in_evaluation_is_none() -> None:
    assert wp.from_torch(Standard(dropout=0.1).eval(), **STANDARD).compared is not None
