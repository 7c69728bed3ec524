"""Every message that names what is said of a network names an argument in Python, and an option on a command line."""

from __future__ import annotations

import ast
import inspect
import json
import re
import traceback
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from tests.support.places import ROOT
from tests.weightproof.imports.test_key_names import random_tensors
from weightproof.cli import main
from weightproof.commands.import_ import import_
from weightproof.constructions.languages import languages
from weightproof.imports.saying import OPTIONS, Missaid

IMPORTS = ROOT / "weightproof" / "imports"
NAMES = set(inspect.signature(wp.from_torch).parameters) - {"given", "name", "title", "source", "language", "call"}
"""Of what a command line says, too: a language is a file there, and a module is not run."""
RUN_A_MODULE = {"comparing.py", "modules.py"}
"""What these say is shown in Python alone: on a command line there are tensors."""
Tensors = dict[str, torch.Tensor]

LENS: dict[str, Any] = {
    "language": "PARITY", "tokens": ["0", "1"], "heads": 2, "mask": "none", "norms": "none", "activation": "relu",
}  # fmt: skip
PLAIN: Tensors = {
    "W_E": torch.eye(2),
    "layers.0.heads.0.W_V": torch.eye(2),
    "layers.0.W_F1": torch.eye(2),
    "layers.0.W_F2": torch.eye(2),
    "W_U": torch.ones(1, 2),
}
BARE: dict[str, Any] = {name: value for name, value in LENS.items() if name != "heads"}
TORCH: Tensors = {
    **{f"layer.{name}": x for name, x in torch.nn.TransformerEncoderLayer(4, 2, 5).state_dict().items()},
    "W_E": torch.eye(2, 4), "W_U": torch.ones(1, 4),
}  # fmt: skip
NORMED = {**random_tensors(), **{f"blocks.0.ln1.{part}": torch.ones(4) for part in ("weight", "bias")}}
TOKENS = {**random_tensors(), "unembed.weight": torch.ones(2, 4), "unembed.bias": torch.ones(2)}
LLAMA: Tensors = {
    "embed_tokens.weight": torch.eye(3, 4), "norm.weight": torch.ones(4),
    **{f"layers.0.self_attn.{part}_proj.weight": torch.eye(4) for part in "qkvo"},
    **{f"layers.0.mlp.{part}_proj.weight": torch.eye(4) for part in ("up", "down", "gate")},
    **{f"layers.0.{part}_layernorm.weight": torch.ones(4) for part in ("input", "post_attention")},
}  # fmt: skip
FAMILY: dict[str, Any] = {
    "language": "PARITY", "tokens": ["0", "1", "END"], "stop": "END", "heads": 2, "activation": "silu", "epsilon": 0.0,
    "theta": 10000.0,
}  # fmt: skip
TWO, THREE = {**PLAIN, "W_U": torch.eye(2)}, {**PLAIN, "W_U": torch.ones(3, 2)}


def lens(**changed: Any) -> tuple[Tensors, dict[str, Any]]:
    return random_tensors(), LENS | changed


def plain(**changed: Any) -> tuple[Tensors, dict[str, Any]]:
    return PLAIN, BARE | changed


CASES: dict[str, tuple[Tensors, dict[str, Any]]] = {
    "rows of how many heads": lens(heads=None),
    "rows of no heads": lens(heads=4),
    "which activation": lens(activation=None),
    "which mask": lens(mask=None),
    "which norms": lens(norms=None),
    "which epsilon": lens(norms="post"),
    "which theta": (LLAMA, FAMILY | {"theta": None}),
    "an activation that is not known": lens(activation="swirl"),
    "a place that is not known": lens(read="middle"),
    "a rule that is not known": lens(accept="logit == 0"),
    "an epsilon of no norms": lens(epsilon=0.5),
    "what a configuration contradicts": lens(config={"n_heads": 3}),
    "a field of another network": lens(config={"gated_mlp": True}),
    "a value of another network": lens(config={"act_fn": "gelu_fast"}),
    "a scale that is none": lens(config={"attn_scale": -2.0}),
    "no configuration": lens(config={"transformer_lens": 3}),
    "no file": lens(config="none.json"),
    "another family": lens(config={"model_type": "bert"}),
    "a field of another family": lens(config={"model_type": "gpt2", "swirl": 2}),
    "layers of two kinds": lens(config={"model_type": "llama", "layer_types": ["sliding_attention"]}),
    "scaled rotation": lens(config={"model_type": "llama", "rope_parameters": {"rope_type": "linear"}}),
    "norms that are there": (NORMED, LENS | {"epsilon": None}),
    "other heads": plain(heads=2),
    "heads that do not divide": (TORCH, LENS | {"heads": 3}),
    "how many heads": (TORCH, LENS | {"heads": None}),
    "outputs for tokens": (TOKENS, LENS),
    "which embedding": plain(embedding="V"),
    "which readout": plain(readout="V"),
    "a tensor too many": ({**PLAIN, "extra": torch.ones(1)}, BARE),
    "ignored in vain": plain(ignore=["extra"]),
    "stop of a recogniser": ({**PLAIN, "W_E": torch.eye(3, 2)}, BARE | {"stop": "END", "tokens": ["0", "1", "END"]}),
    "begin of what predicts": (LLAMA, FAMILY | {"begin": "END", "stop": None}),
    "read of what predicts": (LLAMA, FAMILY | {"read": "first"}),
    "classes of what predicts": (LLAMA, FAMILY | {"classes": ["0", "1", "END"]}),
    "a symbol without a token": plain(tokens=["0", "2"]),
    "a token of nothing": plain(tokens=["0", "1", "2"]),
    "a name that is taken": lens(coordinates=["1", "a", "b", "c"]),
    "too few names": plain(coordinates=["a"]),
    "a coordinate that is not there": plain(position={7: "i"}),
    "a malformed expression": plain(position={1: "i/"}),
    "another encoding than the table's": ({**PLAIN, "pos_embed.weight": torch.ones(3, 2)}, BARE),
    "no classes": (THREE, BARE),
    "a class too few": (THREE, BARE | {"classes": ["a", "b"]}),
    "classes of a logit": plain(classes=["a", "b"]),
    "a member of a logit": plain(member="a"),
    "a member that is no class": (TWO, BARE | {"classes": ["no", "yes it is"], "member": "perhaps"}),
    "a member of three": (THREE, BARE | {"classes": ["a", "b", "c"], "member": "a"}),
    "classes that mean nothing": (TWO, BARE | {"classes": ["no", "yes it is"]}),
    "a rule of classes": plain(accept="argmax"),
}


def options(said: dict[str, Any], folder: Path) -> list[str]:
    """As a command line says it."""
    found = []
    for name, value in said.items():
        texts = [value]
        match name, value:
            case _, None:
                texts = []
            case "position", dict():
                texts = [f"{key}={text}" for key, text in value.items()]
            case "ignore", list():
                texts = value
            case "config", dict():
                (folder / "config.json").write_text(json.dumps(value))
                texts = [folder / "config.json"]
            case _, list():
                texts = [",".join(value)]
        found += [each for text in texts for each in (f"--{name}", str(text))]
    return found


def refused_in_python(given: Tensors | Path, said: dict[str, Any]) -> Missaid:
    language = getattr(languages, said["language"])
    with pytest.raises(Missaid) as refused:
        wp.from_torch(given, **said | {"language": language})
    return refused.value


NAMED_IN_PYTHON = re.compile(rf"\b({'|'.join(NAMES)})(=|\[)|^({'|'.join(NAMES)}): ")


@pytest.mark.parametrize("case", CASES)
def test_each_place_has_its_own_language(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors, said = CASES[case]
    weights = tmp_path / "a.safetensors"
    save_file(tensors, weights)
    error = refused_in_python(weights, said)
    assert main(["import", str(weights), "--as", str(tmp_path / "a.py"), *options(said, tmp_path)]) == 2
    [line] = capsys.readouterr().err.splitlines()
    print(f"{error}\n{line}")
    assert line == f"weightproof: {error.on_command_line}"
    assert "--" not in str(error)
    assert NAMES & {*re.findall(r"[a-z]+", str(error))}
    named = re.findall(r"--([a-z]+)", line)
    assert named
    assert {*named} <= {OPTIONS.get(name, name) for name in NAMES}
    assert not NAMED_IN_PYTHON.search(re.sub(r"--[a-z]+", "", line))


def test_all_of_them_are_shown() -> None:
    """Each line of the importer that raises one."""
    raised = {
        (path.name, node.lineno): node.end_lineno or node.lineno
        for path in IMPORTS.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) == "Missaid"
    }
    shown = set()
    for tensors, said in CASES.values():
        *_, last = traceback.extract_tb(refused_in_python(tensors, said).__traceback__)
        shown.add((Path(last.filename).name, last.lineno))
    assert len(raised) > 40
    lines = {(name, start): {(name, line) for line in range(start, end + 1)} for (name, start), end in raised.items()}
    assert [place for place, within in lines.items() if not within & shown] == []


def plainly_named(text: str) -> list[str]:
    """Where a module of the importer names an argument in the text of a message, as no option is called."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            said = [each.value for each in ast.walk(node.exc) if isinstance(each, ast.Constant)]
            found += [each for each in said if isinstance(each, str) and NAMED_IN_PYTHON.search(each)]
    return found


def test_no_message_of_what_a_command_line_reads_names_an_argument_in_its_text() -> None:
    for path in IMPORTS.glob("*.py"):
        if path.name not in RUN_A_MODULE:
            assert plainly_named(path.read_text(encoding="utf-8")) == [], path.name
    assert plainly_named('raise InputError(f"{x} is there: say heads=...")') == [" is there: say heads=..."]
    assert plainly_named('raise InputError(f"position[{column}] is none")') == ["position["]
    assert plainly_named('raise InputError("config: no file")') == ["config: no file"]


def test_options_are_those_of_the_command() -> None:
    given = set(inspect.signature(import_).parameters)
    assert {OPTIONS.get(name, name) for name in NAMES} <= {name.removesuffix("_") for name in given}
