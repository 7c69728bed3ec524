"""Words are text, a character a symbol: a symbol of several characters is refused wherever one is brought, in one line
that names it. Markers, what stops a decoder, and names of classes may have several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import weightproof as wp
from tests.constructions.predicting.comparing import comparing
from tests.proofs.covering.adders import adder, adds
from weightproof.cli import main
from weightproof.constructions.circuits.regular import automaton_of
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.proofs.theorem import Appends, Computes, Predicts

SINGLE = "symbols of the alphabet are single characters, not 'ab'; take one for it"


def encoder() -> Construction:
    made = comparing()
    embedding = Embedding({"ab": {"x": 1}, "b": {"x": -1}, "CLS": {}})
    return replace(made, language=long("ab", "b"), network=replace(made.encoder, embedding=embedding))


def long(*alphabet: str) -> Language:
    return Language("LONG", alphabet, lambda word: True, "n >= 1")


def decoder() -> Construction:
    made = adder(1)
    return replace(made, language=long(*made.language.alphabet, "ab"))


def recurrent() -> wp.RNN:
    row = Linear({"h": {"x": 1}})
    return wp.RNN(
        name="one unit", alphabet=("ab",), units=("h",), inputs=("x",), embedding=Embedding({"ab": {"x": 1}}),
        W_h=Linear({"h": {"h": 1}}), W_x=row,
    )  # fmt: skip


def computing(**changed: Any) -> Computes:
    theorem = adds(1)
    prompt = changed.pop("prompt", theorem.prompt)
    return replace(theorem, prompt=prompt, transducer=replace(theorem.transducer, **changed))


def prove(construction: Construction, theorem: Any) -> Callable[[], object]:
    return lambda: wp.prove(construction, [theorem])


BROUGHT: dict[str, tuple[Callable[[], object], str]] = {
    "an encoder": (encoder, SINGLE),
    "a decoder": (decoder, SINGLE),
    "a recurrent network": (recurrent, SINGLE),
    "a formula": (
        prove(comparing(), Predicts("x", "y", given="w[n-1] == 'ab'")), "speaks of 'ab', which is no symbol"
    ),
    "a word": (lambda: wp.run(comparing(), ["ab", "a"]), "is no text; write it in quotes"),  # type: ignore[arg-type]
    "what is appended": (prove(adder(1), Appends("1", "ab")), "token is 'ab', neither a symbol"),
    "what it is behind": (prove(adder(1), Appends("ab", "1")), "behind is 'ab', neither a symbol"),
    "a letter": (
        prove(adder(1), computing(tracks={"a": ("ab",), "b": ("1",)})), "track a: 'ab' is no symbol of {0, 1"
    ),
    "a blank": (prove(adder(1), computing(blank="ab")), "blank is 'ab', no symbol of {0, 1"),
    "an automaton": (lambda: automaton_of("a*", ("ab", "b")), "'ab', 'b': no alphabet; give single"),
}  # fmt: skip


@pytest.mark.parametrize("where", BROUGHT)
def test_it_is_refused_in_one_line_that_names_it(where: str) -> None:
    brings, said = BROUGHT[where]
    with pytest.raises((ConstructionError, InputError)) as refused:
        brings()
    assert said in str(refused.value)
    assert "'ab'" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_writes_one_is_wrong(tmp_path: Path) -> None:
    theorem = replace(adds(1), transducer=replace(adds(1).transducer, step=lambda *_: (0, "ab")))
    assert "'ab' is to be appended, which is no output of the network" in str(wp.prove(adder(1), [theorem]))


FILE = """
from weightproof import Language

language = Language("LONG", ("ab", "b"), lambda word: "b" in word, "count('b') > 0")
"""


def test_files_and_imports_refuse_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    language, weights = tmp_path / "long.py", tmp_path / "weights.safetensors"
    language.write_text(FILE)
    save_file({"W_E": torch.eye(3), "W_U": torch.ones(1, 3)}, weights)
    asked = ["import", str(weights), "--as", str(tmp_path / "made.py"), "--tokens", "ab,b,$", "--begin", "$"]
    for named, said in ((str(language), SINGLE), ("PARITY", "tokens: '0' is none of 'ab', 'b', '$'")):
        assert main([*asked, "--language", named]) == 2
        [line] = capsys.readouterr().err.splitlines()
        assert said in line


def test_markers_stops_and_classes_may_have_several() -> None:
    assert comparing().encoder.begin == "CLS"
    assert wp.run(comparing(), "a").prediction == "more"
