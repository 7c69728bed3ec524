"""What no tensor says is asked for, read from a configuration, or read from the module: never taken for granted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from tests.weightproof.imports.test_from_torch import STANDARD, Standard
from tests.weightproof.imports.test_key_names import SAID, Tensors, older, random_tensors
from weightproof.cli import main
from weightproof.constructions.languages.languages import FIRST
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Activation, UnknownChoice
from weightproof.imports.dense import norms_at

PLAIN: Tensors = {
    "W_E": torch.eye(2),
    "layers.0.heads.0.W_V": torch.eye(2),
    "layers.0.W_F1": torch.eye(2),
    "layers.0.W_F2": torch.eye(2),
    "W_U": torch.ones(1, 2),
}
TORCH: Tensors = {
    f"layer.{name}": tensor for name, tensor in torch.nn.TransformerEncoderLayer(4, 2, 5).state_dict().items()
} | {"W_E": torch.eye(2, 4), "W_U": torch.ones(1, 4)}
BARE: dict[str, Any] = {"language": FIRST, "tokens": ("0", "1"), "norms": "none", "mask": "none", "activation": "relu"}
KINDS: dict[str, tuple[Tensors, dict[str, Any]]] = {
    "TransformerLens": (random_tensors(), SAID),
    "older TransformerLens": (older(random_tensors()), SAID),
    "plain": (PLAIN, BARE),
    "torch": (TORCH, BARE | {"heads": 2}),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("what", "asked"),
    [
        (
            "activation",
            r" is there; nothing says the activation of its units: say activation='relu' or ",
        ),
        ("norms", r" is there; nothing says whether layers normalise, .*: say norms='none' or 'post' or 'pre'"),
        ("mask", r" is there; nothing says whether attention is causal: say mask="),
    ],
)
def test_what_tensors_do_not_say_is_asked_for(kind: str, what: str, asked: str) -> None:
    """A network of TransformerLens with GELU, one that is causal, and one that normalises with its gains folded away
    have the tensors of others without."""
    tensors, said = KINDS[kind]
    assert wp.from_torch(tensors, **said).construction.network
    with pytest.raises(InputError, match=asked):
        wp.from_torch(tensors, **said | {what: None})


@pytest.mark.parametrize("kind", KINDS)
def test_the_activation_that_is_said_is_the_one_that_is_imported(kind: str) -> None:
    tensors, said = KINDS[kind]
    for activation in get_args(Activation):
        assert activations(wp.from_torch(tensors, **said | {"activation": activation})) == {activation}
    with pytest.raises(InputError, match=r"^activation='swirl' is not known; there are relu, "):
        wp.from_torch(tensors, **said | {"activation": "swirl"})


def activations(imported: wp.Imported) -> set[str]:
    layers = imported.construction.network.layers
    return {layer.feed_forward.activation for layer in layers if layer.feed_forward is not None}


CONFIG: dict[str, Any] = {
    "act_fn": "relu", "attention_dir": "causal", "n_heads": 2, "n_layers": 1, "normalization_type": None,
    "positional_embedding_type": "standard", "attn_only": False, "d_head": 3, "attn_scores_soft_cap": -1.0, "seed": 3,
    "n_key_value_heads": None, "gated_mlp": False, "use_attn_scale": True, "attn_scale": 3**0.5,
    "dtype": "torch.float32",
}  # fmt: skip
CONFIGURED = {name: value for name, value in SAID.items() if name in ("language", "tokens")}


def configured(**changed: object) -> wp.Construction:
    return wp.from_torch(random_tensors(), **CONFIGURED, config=CONFIG | changed).construction


def test_a_configuration_says_what_tensors_do_not() -> None:
    said = wp.from_torch(random_tensors(), **SAID | {"mask": "causal"})
    assert configured().network == said.construction.network
    for changed, scale in (
        ({"use_attn_scale": False}, "1"),
        ({"attn_scale": 2.0}, "1/(2)"),
        ({"attn_scale": -1}, "1/sqrt(3)"),
        ({"attn_scale": -1, "d_head": None}, "1/sqrt(3)"),
        ({"attn_scale": 4.0, "d_head": 16}, "1/sqrt(16)"),
        ({"attn_scale": -1, "d_head": 16}, "1/sqrt(16)"),
    ):
        [layer] = configured(**changed).network.layers
        assert {head.scale.source for head in layer.heads} == {scale}
    for kind in ("LN", "LNPre"):
        [layer, *_] = configured(normalization_type=kind, eps=1 / 8).network.layers
        assert str(layer.attention_norm_before.epsilon) == "1/10"  # of five coordinates, one of which is the mean
    [layer] = configured(attention_dir="bidirectional").network.layers
    assert {head.mask for head in layer.heads} == {"none"}


NO_PLACE: dict[str, object] = {
    "act_fn": "gelu_fast", "normalization_type": "RMS", "final_rms": True, "attention_dir": "prefix",
    "positional_embedding_type": "rotary",
    "n_key_value_heads": 1, "gated_mlp": True, "use_local_attn": True, "parallel_attn_mlp": True, "use_qk_norm": True,
    "scale_attn_by_inverse_layer_idx": True, "attn_scores_soft_cap": 30.0, "output_logits_soft_cap": 30.0,
    "num_experts": 4, "post_embedding_ln": True, "attn_scale": 0.0, "use_normalization_before_and_after": True,
    "a_field_of_tomorrow": 1,
}  # fmt: skip


@pytest.mark.parametrize("field", NO_PLACE)
def test_a_field_that_has_no_place_here_is_refused_by_name(field: str) -> None:
    with pytest.raises(InputError, match=f"^config: {field} = ") as refused:
        configured(**{field: NO_PLACE[field]})
    assert "\n" not in str(refused.value)


def missing(*names: str) -> dict[str, Any]:
    return {name: value for name, value in CONFIG.items() if name not in names}


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a config that is silent": (
        lambda: wp.from_torch(random_tensors(), **CONFIGURED, config=missing("normalization_type")), "say norms="
    ),
    "another scale": (
        lambda: wp.from_torch(random_tensors(), **SAID | {"mask": "causal"}, scale="1", config=CONFIG),
        r"^scale='1', and the config says 1/sqrt\(3\);",
    ),
    "another mask": (
        lambda: wp.from_torch(random_tensors(), **SAID, config=CONFIG), "mask='none', and the config says causal"
    ),
    "units of attn_only": (lambda: configured(attn_only=True), r"mlp.* is there, and the config says attn_only = True"),
    "no units": (
        lambda: wp.from_torch(
            {name: x for name, x in random_tensors().items() if ".mlp." not in name}, **CONFIGURED, config=CONFIG
        ),
        "blocks.0.mlp.W_in, or the like, and the config says attn_only = False",
    ),
    "no file": (
        lambda: wp.from_torch(random_tensors(), **CONFIGURED, config="no.json"), r"^config='no\.json': .*No such file"
    ),
    "other heads": (
        lambda: wp.from_torch(older(random_tensors()), **SAID | {"heads": 3}), "W_Q is of 2 heads: .*, heads=3"
    ),
    "heads of plain matrices": (lambda: wp.from_torch(PLAIN, **BARE, heads=2), "heads is of 1 heads: .*, heads=2"),
    "an epsilon of nothing": (lambda: wp.from_torch(PLAIN, **BARE, epsilon=0.1), "^epsilon is of norms"),
    "nothing to call": (lambda: wp.from_torch(PLAIN, **BARE, call=print), "^call runs a module"),
    "other heads than the module's": (
        lambda: wp.from_torch(Standard(), **STANDARD, heads=1), "heads is 2 in the module, not 1"
    ),
    "another activation than the module's": (
        lambda: wp.from_torch(Standard(), **STANDARD, activation="step"), "is 'relu' in the module, not 'step'"
    ),
    "another epsilon than the module's": (
        lambda: wp.from_torch(Standard(), **STANDARD, norms="post", epsilon=0.5), "is 1e-05 in the module, not 0.5"
    ),
    "leaky": (lambda: wp.from_torch(activated(torch.nn.LeakyReLU()), **STANDARD), "activation is LeakyReLU"),
    "another Hardtanh": (lambda: wp.from_torch(activated(torch.nn.Hardtanh()), **STANDARD), "activation is Hardtanh"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_contradicted_or_read_by_nothing_is_refused(what: str) -> None:
    make, message = REFUSED[what]
    with pytest.raises(InputError, match=message) as refused:
        make()
    assert "\n" not in str(refused.value)


def activated(activation: Any) -> Standard:
    module = Standard()
    for layer in module.encoder.layers:
        layer.activation = activation
    return module


@pytest.mark.parametrize(
    ("activation", "name"), [(torch.square, "square"), (torch.nn.Hardtanh(0, 1), "saturated-linear")]
)
def test_the_activation_of_a_module_is_read(activation: object, name: str) -> None:
    imported = wp.from_torch(activated(activation), **STANDARD)
    assert imported.compared is not None
    assert imported.compared.difference < 1e-12
    assert imported.warnings == ()
    assert {layer.feed_forward.activation for layer in imported.construction.network.layers if layer.feed_forward} == {
        name
    }


def test_what_was_compared_with_nothing_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_file(random_tensors(), tmp_path / "a.safetensors")
    (tmp_path / "config.json").write_text(json.dumps({"transformer_lens": CONFIG}))
    asked = ["import", str(tmp_path / "a.safetensors"), "--language", "PARITY", "--tokens", "0,1"]
    assert main([*asked, "--as", str(tmp_path / "without.py")]) == 2
    assert "say --mask none or causal" in capsys.readouterr().err
    asked += ["--config", str(tmp_path / "config.json")]
    assert main([*asked, "--as", str(tmp_path / "a.py")]) == 0
    told = capsys.readouterr()
    [line] = told.err.splitlines()
    assert line.startswith("weightproof: warning: compared with nothing: there are tensors alone")
    assert "the activation relu, no norms, the mask causal, scores times 1/sqrt(3)" in line
    assert "compared with" not in told.out
    assert main([*asked, "--as", str(tmp_path / "b.py"), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["warnings"] == [line.removeprefix("weightproof: warning: ")]
    assert told.err.splitlines() == [line]


def test_numpy_arrays_are_tensors_and_what_is_neither_is_named() -> None:
    arrays = {name: tensor.numpy() for name, tensor in PLAIN.items()}
    assert wp.from_torch(arrays, **BARE).construction == wp.from_torch(PLAIN, **BARE).construction
    with pytest.raises(InputError, match=r"^W_U is a list, not a tensor$"):
        wp.from_torch(PLAIN | {"W_U": [1.0]}, **BARE)
    with pytest.raises(InputError, match=r"^W_U is an array of object, which no tensor holds"):
        wp.from_torch(arrays | {"W_U": arrays["W_U"].astype(object)}, **BARE)


def test_a_place_of_norms_that_is_new_is_refused_by_its_name() -> None:
    with pytest.raises(UnknownChoice, match="does not know the place of norms 'within'"):
        norms_at("within", None, None)  # type: ignore[arg-type]
