"""`weightproof import`: from a safetensors file to Python that defines the same construction; nothing is executed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from tests.support.places import EXAMPLES
from tests.weightproof.imports.published import PUBLISHED
from weightproof.cli import main
from weightproof.constructions.library import load_file, load_language
from weightproof.imports.tensors import load_tensors
from weightproof.imports.writing import python

OPTIONS = [
    "--tokens", "0,1,$", "--end", "$", "--read", "last", "--heads", "2", "--norms", "none", "--embedding", "E",
    "--mask", "none", "--activation", "relu",
    "--readout", "output_layer", "--position", "3=i/n", "--position", "4=cos(pi*i)",
]  # fmt: skip


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Chiang and Cholak's PARITY, in float32."""
    module = PUBLISHED["chiang-parity"].module(torch.float32)
    path = tmp_path_factory.mktemp("weights") / "parity.safetensors"
    save_file({**module.state_dict(), "E": module.word_embedding}, path)
    return path


def said(weights: Path, to: Path, *options: str, language: str = "PARITY") -> list[str]:
    return ["import", str(weights), "--as", str(to), "--language", language, *OPTIONS, *options]


def test_the_file_defines_the_same_construction(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "my_parity.py"
    assert main(said(weights, to)) == 0
    assert "my-parity: 2 layers, 3 heads, 10 coordinates" in capsys.readouterr().out
    construction = load_file(to).construction
    assert construction.name == "my-parity"
    module = PUBLISHED["chiang-parity"].imported()
    assert construction.network == module.construction.network
    assert main(["prove", str(to)]) == 0
    assert "proved   all lengths" in capsys.readouterr().out
    assert max(map(len, to.read_text().splitlines())) <= 120
    assert main(said(weights, to)) == 2  # nothing is overwritten
    assert "my_parity.py: the file is there already" in capsys.readouterr().err


def test_a_language_of_the_user_is_carried_over(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    language = tmp_path / "odd.py"
    language.write_text(
        "from weightproof import Language\n\n"
        "language = Language('ODD', ('0', '1'), lambda word: word.count('1') % 2 == 1, \"count('1') % 2 == 1\")\n"
    )
    to = tmp_path / "odd_network.py"
    assert main([*said(weights, to, language=str(language)), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert len(data.pop("warnings")) == 1
    assert data == {
        "construction": "odd-network",
        "recognised": [],
        "compared": None,
        "table_of": None,
        "file": str(to),
    }
    assert load_file(to).construction.language.name == "ODD"
    assert main(["run", str(to), "0111"]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "defines no 'language'; write language = Language(...)"),
        (
            "from weightproof.constructions.languages.languages import ONE",
            "defines no 'language'; write language = ONE",
        ),
        (
            "import weightproof as wp\nconstruction = wp.load('one')",
            "defines no 'language'; write language = construction.language",
        ),
        ("language = 'ONE'", "'language' is of type str, not a Language"),
    ],
)
def test_of_a_file_without_a_language_it_is_said_what_to_write(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(wp.InputError) as refused:
        load_language(path)
    assert str(refused.value) == f"{path}: {message}"


def test_the_report_lists_what_was_recognised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tensors = {
        "W_E": torch.tensor([[1.0, 0], [0, 1]]),
        "layers.0.heads.0.W_V": torch.tensor([[1 / 3, 0], [0, 0]]),
        "W_U": torch.tensor([[1.0, -0.1]]),
    }
    save_file(tensors, tmp_path / "a.safetensors")
    given = ["import", str(tmp_path / "a.safetensors"), "--language", "first", "--tokens", "0,1"]
    given += ["--norms", "none", "--mask", "none"]
    assert main([*given, "--as", str(tmp_path / "exact.py")]) == 0
    assert "Recognised" not in capsys.readouterr().out
    assert "11184811/33554432" in (tmp_path / "exact.py").read_text()
    assert main([*given, "--as", str(tmp_path / "short.py"), "--recognise"]) == 0
    out = capsys.readouterr().out
    assert "layers.0, head 1, W_V, row v1, [w=0]    0.3333333432674408  1/3" in out
    assert "readout, [w=1]" in out
    assert "-1/10" in out
    text = (tmp_path / "short.py").read_text()
    assert '"1/3"' in text
    assert '"-1/10"' in text


WITHOUT_PARAMETERS = [path for path in EXAMPLES if "Parameter(" not in path.read_text()]


@pytest.mark.parametrize("path", WITHOUT_PARAMETERS, ids=lambda path: path.stem)
def test_every_example_is_what_its_python_defines(path: Path, tmp_path: Path) -> None:
    construction = wp.load(path)
    to = tmp_path / "again.py"
    language = f"import runpy\n\nlanguage = runpy.run_path({str(path)!r})['construction'].language\n"
    to.write_text(python(construction, language))
    assert load_file(to).construction.network == construction.network


def test_pickles_are_never_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    touched = tmp_path / "touched"

    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path(touched).write_text, ("executed",)

    for name in ("a.pt", "a.pkl", "a.safetensors"):
        torch.save({"W_E": Trap()}, tmp_path / name)
        assert main(said(tmp_path / name, tmp_path / "b.py")) == 2
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert ("only .safetensors is read" in line) == (name != "a.safetensors")
    assert not touched.exists()
    with pytest.raises(wp.InputError, match="no such file"):
        load_tensors(tmp_path / "nothing.safetensors")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--language", "PARTIY"], "no language is called 'PARTIY'; there are PARITY"),
        (["--language", "nothing.py"], "nothing.py: no such file"),
        (["--position", "i/n"], "cannot read --position 'i/n': write K=EXPR"),
        (["--as", "here.txt"], "--as here.txt: the construction is written as Python"),
        (["--as", "/nowhere/here.py"], "--as /nowhere/here.py: No such file or directory"),
        (["--ignore", "E"], "which tensor is the embedding, of "),
        (["--norms", "before"], "--norms before is not known; there are none, post, pre"),
        (["--activation", "swirl"], "--activation swirl is not known; there are relu, saturated-linear, step, square"),
        (["--mask", "future"], "--mask future is not known; there are none, causal"),
        (["--epsilon", "0"], "epsilon is of norms, and there are none"),
        (["--read", "middle"], "--read middle is not known; there are first, last, sum, mean"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(
    weights: Path, tmp_path: Path, change: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*said(weights, tmp_path / "x.py"), *change]) == 2
    line = capsys.readouterr().err
    assert message in line
    assert line.count("\n") == 1
