"""Every option of every command with values that nobody means: an answer, or one line and status 2."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from typer.main import get_command

from tests.support.places import ROOT, TESTS
from weightproof.cli import app, main

pytestmark = pytest.mark.usefixtures("little_search")

MINE, MISTAKE = (str(TESTS / "examples" / name) for name in ("more_ones.py", "planted_mistake.py"))
PROGRAM = str(ROOT / "constructions" / "crasp" / "programs" / "dyck1.cr")
FEW = "--max-length", "2", "--dtype", "float16"
BASES: list[tuple[str, ...]] = [
    ("list",),
    ("doctor",),
    ("show", MINE),
    ("run", MINE, "01"),
    ("run", "increment", "1"),
    ("run", "full-adder", "000"),
    ("run", "modular-addition", "1 2"),
    ("run", "rnn-by-directional", "01"),
    ("prove", MINE),
    ("check", MINE, "mine.safetensors"),
    ("derive", MINE, "--format", "text"),
    ("repair", MISTAKE, "--kind", "sign"),
    ("ablate", MINE),
    ("threshold", MINE),
    ("claims", "first-one-layer"),
    ("learn", "chiang2022-first", "--curve", "n=10", "--epochs", "1", "--seeds", "1"),
    ("precision", MINE, *FEW),
    ("precision", "increment", *FEW),
    ("precision", "parity-feed-forward", *FEW),
    ("export", MINE, "--to", "safetensors", "-o", "out", "--max-length", "2"),
    ("export", MINE, "--to", "onnx", "-o", "out", "--length", "2"),
    ("compile", PROGRAM, "-o", "new.py"),
    ("import", "mine.safetensors", "--as", "new.py", "--language", "MAJORITY", "--tokens", "0,1,CLS", "--begin", "CLS"),
]
QUICK = [base for base in BASES if base[0] == "run" or base[:2] in {("prove", MINE), ("precision", MINE)}]
"""Those of which the numbers are part of `make test`."""
NUMBERS = ("", "0", "-1", "nan", "inf", "1e18", "9" * 20)
TEXTS = ("é", "=", "c=", "c=1/0", "{", "'", "/proc/nowhere/x", "/dev/null", "layer-norm:epsilon=", ":", f"{'9' * 20}=i")


LAST_FILE = shutil.ignore_patterns("*Assumptions_*")
"""That of a proof in Coq, with all that is noted of it."""


def options(base: tuple[str, ...]) -> list[str]:
    """Those of a command; what is no flag takes a value."""
    command: Any = get_command(app).commands[base[0]]  # type: ignore[attr-defined]
    return [p.opts[0] for p in command.params if p.param_type_name == "option" and not p.is_flag]


def numeric(base: tuple[str, ...]) -> list[str]:
    return [
        name for name in options(base) if name in {"--timeout", "--max-steps", "--max-length", "--length", "--most"}
    ]


def named(base: tuple[str, ...]) -> str:
    return " ".join(Path(part).name for part in base)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(4, 2, 4, dropout=0.0, batch_first=True)
    weights = {f"encoder.layers.0.{name}": value for name, value in layer.state_dict().items()}
    weights |= {"embed.weight": torch.randn(3, 4), "out.weight": torch.randn(1, 4), "out.bias": torch.randn(1)}
    save_file(weights, tmp_path / "mine.safetensors")
    return tmp_path


def is_answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> bool:
    """An answer and nothing on standard error, or one line and status 2."""
    status = main(arguments)
    told = capsys.readouterr().err
    if "internal error" in told or "Traceback" in told:
        return False
    return status in (0, 1, 2) and told.count("\n") <= 1 and bool(told) == (status == 2)


@pytest.mark.parametrize("base", [base for base in QUICK if numeric(base)], ids=named)
def test_every_number_of_every_command(capsys: pytest.CaptureFixture[str], folder: Path, base: tuple[str, ...]) -> None:
    wrong = [
        (name, value) for name in numeric(base) for value in NUMBERS if not is_answered(capsys, *base, name, value)
    ]
    assert wrong == []


def compile_once(folder: Path, base: tuple[str, ...]) -> None:
    """What Coq compiles for a proof, in a folder of one of the names, put into those of all others but for the last
    file: Coq is told no name of a folder, and works in each, on that file."""
    *others, name = (value for value in (*NUMBERS, *TEXTS) if "/" not in value)
    assert main([*base, "--kernel", name]) == 0
    for other in others:
        shutil.copytree(folder / name, folder / other, ignore=LAST_FILE, dirs_exist_ok=True)


@pytest.mark.controls
@pytest.mark.parametrize("base", BASES, ids=named)
def test_every_option_of_every_command(capsys: pytest.CaptureFixture[str], folder: Path, base: tuple[str, ...]) -> None:
    wrong = []
    for name in options(base):
        if name == "--kernel" and shutil.which("coqc") is not None:
            compile_once(folder, base)
        for value in (*NUMBERS, *TEXTS):
            (folder / "new.py").unlink(missing_ok=True)
            if not is_answered(capsys, *base, name, value):
                wrong.append((name, value))
    assert wrong == []


def test_a_fault_would_be_seen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr("weightproof.cli._invoke", broken)
    assert not is_answered(capsys, "list")
