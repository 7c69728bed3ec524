"""A readout of several outputs: classes that the language names, or two of which one is membership."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from tests.weightproof.imports.test_from_torch import Standard
from weightproof.cli import main
from weightproof.constructions.languages.languages import FIRST
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import predict, run
from weightproof.constructions.meaning.schema import Place

COMPARED_FILE = """from weightproof import Language


def compared(word):
    a, b = word.count("a"), word.count("b")
    return "more" if a > b else "fewer" if a < b else "equal"


language = Language(
    name="COMPARED",
    alphabet=("a", "b"),
    member=lambda word: True,
    characterisation="n >= 1",
    labels={
        "more": "count('a') > count('b')",
        "fewer": "count('a') < count('b')",
        "equal": "count('a') == count('b')",
    },
    label=compared,
)
"""
COMPARED: wp.Language
_made: dict[str, Any] = {}
exec(COMPARED_FILE, _made)
COMPARED = _made["language"]
CLASSES = ("more", "fewer", "equal")
SAID: dict[str, Any] = {
    "language": COMPARED, "tokens": ("a", "b", "$"), "begin": "$", "position": {2: "i/n"}, "classes": CLASSES,
}  # fmt: skip


MORE = wp.Language(
    name="MORE", alphabet=("a", "b"), member=lambda word: word.count("a") > word.count("b"),
    characterisation="count('a') > count('b')",
)  # fmt: skip


class Classifier(Standard):
    """torch's own encoder with random weights, and an output for each class."""

    def __init__(self, outputs: int, read: str, readout_comes_first: bool = False) -> None:
        super().__init__()
        self.read, self.readout_comes_first = read, readout_comes_first
        self.out = torch.nn.Linear(4, outputs).double()

    def pooled(self, x: torch.Tensor) -> torch.Tensor:
        return {"first": x[:, 0], "last": x[:, -1], "sum": x.sum(1), "mean": x.mean(1)}[self.read]

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        encoding = torch.zeros(len(ids), 4).to(self.embed.weight)
        encoding[:, 2] = torch.arange(len(ids)).double() / len(ids)
        x = self.encoder((self.embed(ids) + encoding)[None])
        outputs = self.pooled(self.out(x)) if self.readout_comes_first else self.out(self.pooled(x))
        return torch.softmax(outputs, -1)


def without_bias(module: Classifier) -> Classifier:
    with torch.no_grad():
        module.out.bias.zero_()
    return module


@pytest.mark.parametrize("readout_comes_first", [False, True])
@pytest.mark.parametrize("read", get_args(Place))
def test_an_output_for_each_class_is_read_wherever_it_is(read: str, readout_comes_first: bool) -> None:
    """The bias of a sum that is read at once is added once, and not at each position."""
    module = Classifier(3, read, readout_comes_first)
    if read == "sum" and not readout_comes_first:
        with pytest.raises(InputError, match=r"^imported: on 'a' the module has for the class 'more' the output"):
            wp.from_torch(module, **SAID, read=read)
        module = without_bias(module)
    imported = wp.from_torch(module, **SAID, read=read)
    readout = imported.construction.network.readout
    assert readout.W.rows == CLASSES
    assert (readout.position, readout.accept) == (read, "argmax")
    assert imported.compared is not None
    print(f"{read}, {readout_comes_first}: {imported.compared}")
    assert imported.compared.difference < 1e-12
    for word in ("a", "abba", "bbbab"):
        made = module(torch.tensor([SAID["tokens"].index(token) for token in ("$", *word)]))
        assert predict(imported.construction, word, bits=128).token == CLASSES[int(made.argmax())]


@pytest.mark.parametrize("read", ["first", "mean"])
def test_what_differs_by_rounding_alone_is_no_difference(read: str) -> None:
    """Outputs of some hundreds, in float32."""
    module = Classifier(2, read, readout_comes_first=True)
    with torch.no_grad():
        module.out.weight.mul_(1000)
    said = SAID | {"language": MORE, "classes": ("no", "yes"), "read": read}
    imported = wp.from_torch(module.float(), **said, member="yes")
    assert imported.compared is not None
    assert 1e-9 < imported.compared.difference < 1


@pytest.mark.parametrize("part", ["weight", "bias"])
@pytest.mark.parametrize("number", range(3))
def test_another_weight_of_a_class_is_found(part: str, number: int) -> None:
    module = Classifier(3, "first")
    tensor = module.out.get_parameter(part)

    def call(ids: list[int]) -> torch.Tensor:
        with torch.no_grad():
            tensor.view(3, -1)[number, 0] += 1 / 8
            result: torch.Tensor = module(torch.tensor(ids))
            tensor.view(3, -1)[number, 0] -= 1 / 8
        return result

    with pytest.raises(InputError, match=f"on '' the module has for the class {CLASSES[number]!r} the output"):
        wp.from_torch(module, **SAID, call=call)


def test_one_of_two_classes_may_be_membership() -> None:
    module = Classifier(2, "last")
    said = SAID | {"language": FIRST, "tokens": ("0", "1", "$"), "classes": ("no", "yes"), "read": "last"}
    with pytest.raises(
        InputError, match=r"^nothing says which words are of the class 'no'; give a language whose labels"
    ):
        wp.from_torch(module, **said)
    for member, accept in (("yes", "logit > 0"), ("no", "logit >= 0")):
        imported = wp.from_torch(module, **said, member=member, accept=accept)
        assert imported.compared is not None
        assert imported.compared.difference < 1e-12
        assert imported.construction.network.readout.accept == accept
        for word in ("", "1", "0110"):
            [[no, yes]] = module(torch.tensor([said["tokens"].index(token) for token in ("$", *word)]))
            greater = (yes > no) if member == "yes" else (no > yes)
            assert run(imported.construction, word, bits=128).accepts == bool(greater)


def test_two_classes_that_the_language_names_are_classes() -> None:
    language = wp.Language(
        name="HALVES", alphabet=("a", "b"), member=lambda word: True, characterisation="n >= 1",
        labels={"most": "count('a') > count('b')", "others": "count('a') <= count('b')"},
        label=lambda word: "most" if word.count("a") > word.count("b") else "others",
    )  # fmt: skip
    said = SAID | {"language": language, "classes": ("others", "most")}
    imported = wp.from_torch(Classifier(2, "first"), **said)
    assert imported.construction.network.readout.W.rows == ("others", "most")
    assert (
        wp.from_torch(Classifier(2, "first"), **said, accept="argmin").construction.network.readout.accept == "argmin"
    )


def compare_tensors() -> dict[str, torch.Tensor]:
    """Compares, by the mean of what is 1 for a and -1 for b, and 1/n from the marker."""
    return {
        "W_E": torch.tensor([[1.0, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0]]),
        "layers.0.heads.0.W_V": torch.tensor([[1.0, 0, 0, 0], [0, 1, 0, 0]]),
        "layers.0.heads.0.W_O": torch.tensor([[0.0, 0], [0, 0], [1, 0], [0, 1]]),
        "W_U": torch.tensor([[0.0, 0, 2, 0], [0, 0, -2, 0], [0, 0, 0, 1]]),
    }


PLAIN = {name: said for name, said in SAID.items() if name != "position"} | {
    "norms": "none", "mask": "none", "read": "last"
}  # fmt: skip


def test_names_in_another_order_are_refuted() -> None:
    """Nothing but a proof tells which output is for which class."""
    verdicts = {}
    for classes in (CLASSES, ("fewer", "more", "equal")):
        imported = wp.from_torch(compare_tensors(), **PLAIN | {"classes": classes})
        [proof] = wp.prove(imported.construction).data["theorems"]
        verdicts[classes] = proof["verdict"]
    assert [*verdicts.values()] == ["proved", "refuted"]


def test_two_rows_are_proved_as_their_difference() -> None:
    tensors = compare_tensors() | {"W_U": torch.tensor([[0.0, 0, -0.25, 0], [0, 0, 0.5, 0]]), "b_U": torch.ones(2)}
    said = PLAIN | {"language": MORE, "classes": ("no", "yes")}
    imported = wp.from_torch(tensors, **said, member="yes")
    readout = imported.construction.network.readout.W
    assert {name: str(weight) for name, weight in readout.weights["logit"].items()} == {"x2": "3/4"}
    assert not readout.bias
    assert wp.prove(imported.construction).as_expected
    assert not wp.prove(wp.from_torch(tensors, **said, member="no").construction).as_expected


def test_classes_are_written_as_python_and_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights, language, to = (tmp_path / name for name in ("a.safetensors", "language.py", "a.py"))
    save_file(compare_tensors(), weights)
    language.write_text(COMPARED_FILE)
    asked = [
        "import", str(weights), "--as", str(to), "--language", str(language), "--tokens", "a,b,$", "--begin", "$",
        "--norms", "none", "--mask", "none", "--read", "last",
    ]  # fmt: skip
    assert main(asked) == 2
    assert "in order; COMPARED has the labels more, fewer, equal: say --classes ..." in capsys.readouterr().err
    assert main([*asked, "--classes", "more,fewer,equal"]) == 0
    assert load_file(to).construction.network == wp.from_torch(compare_tensors(), **PLAIN).construction.network
    assert main(["prove", str(to)]) == 0
    assert "proved" in capsys.readouterr().out


@pytest.mark.parametrize("format", ["safetensors", "transformer-lens"])
def test_a_classifier_that_is_exported_is_imported_again(format: str, tmp_path: Path) -> None:
    """There are as many tokens as classes, which nothing but their names tells apart."""
    given = wp.from_torch(compare_tensors(), **PLAIN).construction
    wp.export(given, format, tmp_path)
    said = PLAIN | {"coordinates": given.network.coordinates, "heads": 1}
    again = wp.from_torch(tmp_path / "model.safetensors", **said).construction
    assert again.network.readout == given.network.readout
    for word in ("a", "ab", "abb"):
        assert predict(again, word).token == predict(given, word).token
    with pytest.raises(InputError, match=r"what predicts tokens sees none that comes later: .* name these"):
        wp.from_torch(tmp_path / "model.safetensors", **said | {"classes": None})


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "nobody names them": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID | {"classes": None}),
        r"^the readout has 3 outputs, and nothing names their classes, in order; COMPARED .*: say classes=",
    ),
    "too few": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID | {"classes": ("more", "fewer")}),
        r"^classes=\('more', 'fewer'\), and there are 3 outputs; name each",
    ),
    "twice": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID | {"classes": ("more", "more", "equal")}), "none twice"
    ),
    "that the language does not know": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID | {"classes": ("more", "less", "equal")}),
        r"^nothing says which words are of the class 'less'; give a language whose labels say it$",
    ),
    "of one output": (lambda: wp.from_torch(Classifier(1, "first"), **SAID), "^classes is of several outputs"),
    "member of one output": (
        lambda: wp.from_torch(Classifier(1, "first"), **SAID | {"classes": None}, member="more"),
        "^member is of several outputs",
    ),
    "member of three": (lambda: wp.from_torch(Classifier(3, "first"), **SAID, member="more"), "^member is one of two"),
    "member that is no class": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID, member="yes"), "^member='yes' is no class; there"
    ),
    "a rule of logits": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID, accept="logit = 0"),
        "^accept='logit = 0' is no rule of several classes",
    ),
    "a rule of classes": (
        lambda: wp.from_torch(Classifier(1, "first"), **SAID | {"classes": None}, accept="argmax"),
        "^accept='argmax' is no rule of a logit",
    ),
    "read elsewhere": (
        lambda: wp.from_torch(Classifier(3, "first"), **SAID, read="mean"), "the module has for the class 'more' the"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused_in_one_line(what: str) -> None:
    make, message = REFUSED[what]
    with pytest.raises(InputError, match=message) as refused:
        make()
    assert "\n" not in str(refused.value)
