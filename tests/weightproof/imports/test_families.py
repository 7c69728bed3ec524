"""GPT-2, nanoGPT, Llama and Qwen3: tiny random networks of the library itself are what they compute, in float64; what
is missing, unknown, or computed otherwise is refused by its name, and a planted mistake is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from weightproof.cli import main
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.inputs import InputError

pytestmark = pytest.mark.controls  # the library that they are of is with what reads exported networks
SAID: dict[str, Any] = {"language": PARITY, "tokens": ("0", "1", "END"), "stop": "END"}
SIZE = 2.0**-53
OPERATIONS = 2000
"""Roundings in the path of a logit, at most: two layers, each of products of at most 12 terms that are added up a few
dozen times. Each adds about SIZE, relatively to numbers that are no greater than GREATEST."""
GREATEST = 16.0
FLOAT64 = OPERATIONS * SIZE * GREATEST
FLOAT32 = 12 * 2.0**-24 * GREATEST * 8
"""Of rotations and norms in float32: an angle of at most 12 radians is off by 2^-24 of it, and so is each of 8
coordinates."""
POSITIONS = 9


def scrambled(module: torch.nn.Module) -> torch.nn.Module:
    """Weights, gains and biases of about 1, so that all of them bear on outputs."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, tensor in module.double().named_parameters():
            at = 1.0 if "norm" in name or ".ln_" in name else 0.0
            tensor.copy_(at + torch.randn(tensor.shape, generator=generator, dtype=torch.float64) / 2)
    return module.eval()


def gpt(**changed: Any) -> torch.nn.Module:
    import transformers

    config = transformers.GPT2Config(
        vocab_size=3, n_positions=POSITIONS, n_embd=8, n_layer=2, n_head=2, n_inner=5, bos_token_id=None,
        eos_token_id=None, **changed,
    )  # fmt: skip
    return scrambled(transformers.GPT2LMHeadModel(config))


SMALL: dict[str, Any] = {
    "vocab_size": 3, "hidden_size": 8, "intermediate_size": 5, "num_hidden_layers": 2, "num_attention_heads": 2,
    "bos_token_id": None, "eos_token_id": None,
}  # fmt: skip


def llama(**changed: Any) -> torch.nn.Module:
    import transformers

    return scrambled(transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL | changed)))


def qwen(**changed: Any) -> torch.nn.Module:
    import transformers

    more = {"num_key_value_heads": 1, "head_dim": 6, "tie_word_embeddings": True}
    return scrambled(transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**SMALL | more | changed)))


class NanoBlock(torch.nn.Module):
    """As in nanoGPT, model.py: names, layouts, and what is computed."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = torch.nn.LayerNorm(8), torch.nn.LayerNorm(8)
        self.attn, self.mlp = torch.nn.Module(), torch.nn.Module()
        self.attn.c_attn, self.attn.c_proj = torch.nn.Linear(8, 24), torch.nn.Linear(8, 8)
        self.attn.register_buffer("bias", torch.tril(torch.ones(POSITIONS, POSITIONS)).view(1, 1, POSITIONS, POSITIONS))
        self.mlp.c_fc, self.mlp.c_proj = torch.nn.Linear(8, 32), torch.nn.Linear(32, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (
            part.view(*x.shape[:2], 2, 4).transpose(1, 2)
            for part in self.attn.c_attn(self.ln_1(x)).split(8, dim=2)  # type: ignore[operator]
        )
        seen = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.attn.c_proj(seen.transpose(1, 2).reshape(x.shape))  # type: ignore[operator]
        made: torch.Tensor = x + self.mlp.c_proj(torch.nn.functional.gelu(self.mlp.c_fc(self.ln_2(x))))  # type: ignore[operator]
        return made


class NanoGPT(torch.nn.Module):
    """It returns the logits of the last position, and no loss, as nanoGPT does."""

    def __init__(self) -> None:
        super().__init__()
        self.transformer = torch.nn.ModuleDict(
            {
                "wte": torch.nn.Embedding(3, 8),
                "wpe": torch.nn.Embedding(POSITIONS, 8),
                "h": torch.nn.ModuleList([NanoBlock(), NanoBlock()]),
                "ln_f": torch.nn.LayerNorm(8),
            }
        )
        self.lm_head = torch.nn.Linear(8, 3, bias=False)
        self.transformer["wte"].weight = self.lm_head.weight

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, None]:
        parts = self.transformer
        x = parts["wte"](ids) + parts["wpe"](torch.arange(ids.shape[1]))
        for block in parts["h"]:  # type: ignore[union-attr,operator]
            x = block(x)
        return self.lm_head(parts["ln_f"](x)[:, [-1], :]), None


FAMILIES: dict[str, tuple[Callable[[], torch.nn.Module], dict[str, Any], float]] = {
    "GPT-2": (gpt, {}, FLOAT64),
    "GPT-2, untied, relu": (lambda: gpt(tie_word_embeddings=False, activation_function="relu"), {}, FLOAT64),
    "GPT-2, scores as they are": (lambda: gpt(scale_attn_weights=False), {}, FLOAT64),
    "nanoGPT": (lambda: scrambled(NanoGPT()), {"heads": 2, "activation": "gelu", "epsilon": 1e-5}, FLOAT64),
    "Llama": (llama, {}, FLOAT32),
    "Llama, groups, theta": (
        lambda: llama(
            num_attention_heads=4, num_key_value_heads=2, head_dim=4,
            rope_parameters={"rope_theta": 100.0, "rope_type": "default"},
        ),
        {}, FLOAT32,
    ),
    "Qwen3": (qwen, {}, FLOAT32),
    "Qwen3, groups": (lambda: qwen(num_attention_heads=4, num_key_value_heads=2), {}, FLOAT32),
}  # fmt: skip


def imported(module: torch.nn.Module, **said: Any) -> wp.Imported:
    config = {} if isinstance(module, NanoGPT) else {"config": module.config.to_dict()}  # type: ignore[operator,union-attr]
    return wp.from_torch(module, **SAID | config | said)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_network_of_the_library_is_what_it_computes(name: str) -> None:
    make, said, tolerance = FAMILIES[name]
    found = imported(make(), **said)
    assert found.compared is not None
    print(f"{name}: {found.compared}")
    assert found.compared.words >= 13
    assert found.compared.difference < tolerance


class Rotated(torch.nn.Module):
    """The rotation of the library in float64."""

    def __init__(self, size: int, theta: float) -> None:
        super().__init__()
        self.angles = theta ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)

    def forward(self, x: torch.Tensor, position_ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        turned = position_ids[..., None].to(torch.float64) * self.angles
        both = torch.cat((turned, turned), dim=-1)
        return both.cos(), both.sin()


def root_mean_square(norm: Any, x: torch.Tensor) -> torch.Tensor:
    """As the library, in float64."""
    made: torch.Tensor = norm.weight * x / torch.sqrt(x.square().mean(-1, keepdim=True) + norm.variance_epsilon)
    return made


def in_float64(module: Any) -> Any:
    """The same network of the library, whose rotations and norms are not in float32."""
    config = module.config
    module.model.rotary_emb = Rotated(config.head_dim, config.rope_parameters["rope_theta"])
    for part in module.modules():
        if type(part).__name__.endswith("RMSNorm"):
            part.forward = partial(root_mean_square, part)
    return module


@pytest.mark.parametrize("make", [llama, qwen])
def test_what_differs_is_what_the_library_computes_in_float32(make: Callable[[], torch.nn.Module]) -> None:
    found = imported(in_float64(make()))
    assert found.compared is not None
    print(found.compared)
    assert found.compared.difference < FLOAT64


@pytest.mark.parametrize("make", [gpt, lambda: llama(num_key_value_heads=1), qwen])
def test_no_weight_is_lost(make: Callable[[], torch.nn.Module]) -> None:
    """Of each tensor of the last layer and outside of layers, an entry is another one where the module runs."""
    module = make()
    changed = [name for name, _ in module.named_parameters() if "0" not in name]
    assert len(changed) >= 10
    for name in changed:
        entry = module.get_parameter(name).view(-1)

        def call(ids: list[int], entry: torch.Tensor = entry) -> torch.Tensor:
            with torch.no_grad():
                entry[0] += 1 / 4
                logits: torch.Tensor = module(torch.tensor([ids])).logits
                entry[0] -= 1 / 4
            return logits

        with pytest.raises(InputError, match=r"^imported: behind '.*' the module gives"):
            imported(module, call=call)


def tensors_of(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """As they are in a file: what is tied stands there once."""
    return {name: tensor for name, tensor in module.state_dict().items() if name != "lm_head.weight"}


def test_a_file_and_the_configuration_beside_it_are_written_as_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, module in {"gpt": gpt(), "qwen": qwen()}.items():
        weights, config, to = (tmp_path / f"{name}.{ending}" for ending in ("safetensors", "json", "py"))
        save_file(tensors_of(module), weights)
        module.config.to_json_file(config, use_diff=False)  # type: ignore[union-attr,operator]
        said = ["--language", "PARITY", "--tokens", "0,1,END", "--stop", "END", "--config", str(config)]
        assert main(["import", str(weights), "--as", str(to), *said]) == 0
        assert "compared with nothing" in capsys.readouterr().err
        assert load_file(to).construction.network == imported(module).construction.network


def test_the_names_of_transformers_may_begin_later() -> None:
    module = gpt()
    bare = {name.removeprefix("transformer."): tensor for name, tensor in tensors_of(module).items()}
    config = module.config.to_dict()  # type: ignore[union-attr,operator]
    assert wp.from_torch(bare, **SAID, config=config).construction == imported(module).construction


def missing(*fields: str) -> dict[str, Any]:
    config: dict[str, Any] = llama().config.to_dict()  # type: ignore[union-attr,operator,assignment]
    return {name: value for name, value in config.items() if name not in fields}


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "how many heads": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing("num_attention_heads")),
        r"^model\.layers\.0\.self_attn\.q_proj\.weight has 8 rows, and no tensor says of how many heads",
    ),
    "which theta": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing("rope_parameters")), "base of rotary"
    ),
    "which epsilon": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing("rms_norm_eps")), "which epsilon"
    ),
    "which activation": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing("hidden_act")), "says the activation"
    ),
    "another theta": (lambda: imported(llama(), theta=100.0), "^theta=100.0, and the config says 10000.0"),
    "another theta that nothing says": (
        lambda: wp.from_torch(llama(), **SAID, config=missing("rope_parameters"), theta=2.0), "the module gives"
    ),
    "heads that nothing says": (
        lambda: wp.from_torch(scrambled(NanoGPT()), **SAID, heads=4, activation="gelu", epsilon=1e-5),
        "the module gives",
    ),
    "another activation": (
        lambda: wp.from_torch(scrambled(NanoGPT()), **SAID, heads=2, activation="gelu-tanh", epsilon=1e-5),
        "the module gives",
    ),
    "scaled rotation": (
        lambda: wp.from_torch(
            llama().state_dict(), **SAID,
            config=missing("rope_parameters") | {"rope_parameters": {"rope_type": "linear", "factor": 2.0}},
        ),
        "^config: rope_type = 'linear' has no place here",
    ),
    "a window": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing() | {"use_sliding_window": True}),
        "^config: use_sliding_window = True has no place here",
    ),
    "a field of a later version": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing() | {"swirl": 2}),
        "^config: swirl = 2 is a field that is not known here",
    ),
    "layers of two kinds": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config=missing() | {"layer_types": ["sliding_attention"]}),
        "only full attention has",
    ),
    "another family": (
        lambda: wp.from_torch(llama().state_dict(), **SAID, config={"model_type": "bert"}),
        "^config: model_type = 'bert' is not read; there are gpt2, llama, qwen3",
    ),
    "a bias of queries before no LayerNorm": (
        lambda: imported(llama(attention_bias=True)), r"k_proj\.bias: keys that are turned have a bias"
    ),
    "an unknown tensor": (
        lambda: wp.from_torch(llama().state_dict() | {"model.sinks": torch.ones(2)}, **SAID, config=missing()),
        "^unknown tensor model.sinks",
    ),
    "a readout that is missing": (
        lambda: wp.from_torch(tensors_of(llama()), **SAID, config=missing()),
        "the config says tie_word_embeddings = False",
    ),
    "a readout of its own": (
        lambda: wp.from_torch(llama(), **SAID, config=missing() | {"tie_word_embeddings": True}),
        "lm_head.weight is not what embeds, and",
    ),
    "begin": (lambda: imported(gpt(), begin="END", stop=None), "^begin has no place: by its names"),
    "dropout that is on": (lambda: imported(gpt().train()), r"drops out with p = 0\.1; call \.eval\(\)"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_place_is_refused_in_one_line(what: str) -> None:
    make, message = REFUSED[what]
    with pytest.raises(InputError, match=message) as refused:
        make()
    assert "\n" not in str(refused.value)


class Own(torch.nn.Module):
    """A network of one's own: that of nanoGPT by other names."""

    def __init__(self, of: NanoGPT, slope: float = 1.0) -> None:
        super().__init__()
        self.of, self.slope = [of], slope
        self.tokens, self.places, self.blocks = (of.transformer[name] for name in ("wte", "wpe", "h"))
        self.last, self.unembed = of.transformer["ln_f"], of.lm_head

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.slope * self.of[0](ids)[0]


OWN: dict[str, Any] = {
    "mapping": {
        "blocks": "transformer.h", "tokens": "transformer.wte", "places": "transformer.wpe", "last": "transformer.ln_f",
        "unembed": "lm_head",
    },
    "heads": 2, "activation": "gelu", "epsilon": 1e-5,
}  # fmt: skip


def test_a_module_of_ones_own_is_read_by_a_mapping_of_names_and_held_against_what_it_computes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nano = scrambled(NanoGPT())
    assert isinstance(nano, NanoGPT)
    found = wp.from_torch(Own(nano), **SAID, **OWN)
    assert found.compared is not None
    assert found.compared.difference < FLOAT64
    assert found.construction.network == imported(nano, heads=2, activation="gelu", epsilon=1e-5).construction.network
    with pytest.raises(InputError, match="the module gives"):
        wp.from_torch(Own(nano, slope=1.5), **SAID, **OWN)
    with pytest.raises(InputError, match=r"^no tensor is called 'block', which is mapped to 'h'"):
        wp.from_torch(Own(nano), **SAID, **OWN | {"mapping": {"block": "h"}})
    with pytest.raises(InputError, match=r"^places\.weight is mapped to tokens\.weight, as another one is"):
        wp.from_torch(Own(nano), **SAID, **OWN | {"mapping": {"places": "tokens"}})
    weights, to = tmp_path / "own.safetensors", tmp_path / "own.py"
    save_file({name: tensor.clone() for name, tensor in Own(nano).state_dict().items()}, weights)
    mapped = [each for pair in OWN["mapping"].items() for each in ("--map", "=".join(pair))]
    said = ["--language", "PARITY", "--tokens", "0,1,END", "--stop", "END", "--heads", "2", "--epsilon", "1e-5"]
    command = ["import", str(weights), "--as", str(to), *said, *mapped]
    assert main(command) == 2
    assert "say --activation relu or" in capsys.readouterr().err
    assert main([*command, "--activation", "gelu"]) == 0
    assert load_file(to).construction.network == found.construction.network
