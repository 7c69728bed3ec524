"""The weights as definitions in Coq: what they say, and what is refused by name."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.proofs.kernel import agreement as held
from tests.proofs.kernel.agreement import Library, agreement
from tests.test_choices import DECODER, ENCODER, HEAD, SIMULATION, constructed
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Layer, Linear, Readout
from weightproof.constructions.scalars.expressions import exact
from weightproof.proofs.kernel.scalars import scalar
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import text, weights

with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
PARAMETERS = (Parameter("c", "c > 0", "log(2)"), Parameter("D", "D >= 0", 3, kind="natural"))


def construction(network: Any, *parameters: Parameter) -> Construction:
    return Construction("tried", "", "", PARITY, network, parameters)


@pytest.fixture
def coq(library: Path) -> Library:
    return Library(library)


WRITTEN = """\
Definition head_1_1 (c_ : R) (D_ : Z) (n : R) : head := {|
  W_Q := [("q", [("1", 1)])];
  W_K := [("q", [("a", 1)])];
  W_V := [("s", [("a", 1)])];
  W_O := None;
  scored := Dot;
  scale := 1;
  normalise := Softmax;
  masked := Unmasked |}.

Definition attention_1 (c_ : R) (D_ : Z) (n : R) : sublayer := {|
  computes := Attention [head_1_1 c_ D_ n];
  residual := true;
  norm := None |}.

Definition feed_forward_1 (c_ : R) (D_ : Z) (n : R) : feed_forward := {|
  first := {| weights := [("h", [("s", 1)])];
    bias := [("h", 1)] |};
  second := {| weights := [("s", [("h", 1)])];
    bias := [] |};
  activation := relu |}.

Definition feed_1 (c_ : R) (D_ : Z) (n : R) : sublayer := {|
  computes := FeedForward (feed_forward_1 c_ D_ n);
  residual := true;
  norm := None |}.

Definition network (c_ : R) (D_ : Z) : network := fun n => {|
  coordinates := ["1"; "a"; "s"];
  word_embedding := [("0", [("1", 1)]);
    ("1", [("1", 1); ("a", 1)]);
    ("CLS", [("1", 1)])];
  position_encoding := fun i => [];
  sublayers := [attention_1 c_ D_ n; feed_1 c_ D_ n];
  readout := {| weights := [("logit", [("s", 1)])];
    bias := [("logit", -3 / 2)] |};
  read_at := First |}.

Definition marked (w : list string) : list string := (["CLS"] ++ w ++ [])%list.
Definition alphabet : list string := ["0"; "1"].
"""


def test_a_network_is_written_part_by_part() -> None:
    written = weights(construction(ENCODER, *PARAMETERS))
    assert written.endswith(f"Open Scope R_scope.\n\n{WRITTEN}")


def test_a_layer_that_does_nothing_is_no_sublayer() -> None:
    """Attention without heads adds 0: that is left out, but not a cut residual, or a norm."""
    nothing, cut = Layer(), Layer(attention_residual=False)
    assert "sublayers := []" in weights(construction(replace(ENCODER, layers=(nothing,))))
    written = weights(construction(replace(ENCODER, layers=(nothing, cut))))
    assert "sublayers := [attention_2 n]" in written
    assert "computes := Attention [];\n  residual := false" in written


SCALARS = {
    "-3/4": "-3 / 4",
    "c*sqrt(d)": "c_ * sqrt 3",
    "1/sqrt(d)": "1 / sqrt 3",
    "D/(i + 1)": "IZR D_ / (i + 1)",
    "-(i - n)**2": "- (i - n) ^ 2",
    "(-2)**i": "power (-2) i",
    "c**(-2)": "power c_ (-2)",
    "i - (n - 1)": "i - (n - 1)",
    "2*-i": "2 * - i",
    "1/(c/2)": "1 / (c_ / 2)",
    "i % 2": "modulo i 2",
    "(n - 1) % (D + 1)": "modulo (n - 1) (IZR D_ + 1)",
    "cos(pi*i)": "cos (PI * i)",
    "sin(pi*(i + n)/2)": "sin (PI * ((i + n) / 2))",
    "log(n)": "ln n",
    "exp(-c)": "exp (- c_)",
    "tanh(1)": "(exp 1 - exp (-1)) / (exp 1 + exp (-1))",
    "(i >= n - 1)": "is_at_most (n - 1) i",
    "(i > 1)": "is_less 1 i",
    "(i != 1)": "1 - is_equal i 1",
    "(i == 1)*c": "is_equal i 1 * c_",
    "(i == 1 and n > 2)": "is_equal i 1 * is_less 2 n",
    "(i == 1 or n > 2)": "1 - (1 - is_equal i 1) * (1 - is_less 2 n)",
    "(not (i < 2))": "1 - is_less i 2",
}


@pytest.mark.parametrize("source", SCALARS)
def test_scalars(source: str) -> None:
    assert scalar(exact(source), construction(ENCODER, *PARAMETERS)) == SCALARS[source]


REFUSED = {
    "i % c": "% of other numbers than an integer and a positive integer: i % c",
    "(i/2) % 2": "% of other numbers than an integer and a positive integer: (i/2) % 2",
    "i % (n - 1)": "% of other numbers than an integer and a positive integer: i % (n - 1)",
    "i % D": "% of other numbers than an integer and a positive integer: i % D",
    "2**(i/2)": "a power whose exponent may be no integer: 2**(i/2)",
    "2**c": "a power whose exponent may be no integer: 2**c",
    "sum(j for j in indices)": "a scalar that speaks of the word: sum(j for j in indices)",
}


@pytest.mark.parametrize("source", REFUSED)
def test_scalars_that_mean_something_else_in_coq_are_refused(source: str) -> None:
    """Or nothing: there x mod y is of integers, y positive, and powers have integer exponents."""
    with pytest.raises(Unwritten) as refused:
        scalar(exact(source), construction(ENCODER, *PARAMETERS))
    assert str(refused.value) == REFUSED[source]


def test_what_is_not_defined_in_coq_is_refused_by_name() -> None:
    with pytest.raises(Unwritten, match="of the kind Decoder"):
        weights(constructed(DECODER))
    with pytest.raises(Unwritten, match="of the kind EncoderDecoder"):
        weights(constructed(SIMULATION.network))
    crossed = replace(ENCODER)
    object.__setattr__(crossed, "layers", (Layer(cross_heads=(HEAD,)),))
    with pytest.raises(Unwritten, match="cross heads, in layer 1"):
        weights(constructed(crossed))
    with pytest.raises(Unwritten, match="the parameter 'é', which is not in ASCII"):
        weights(construction(ENCODER, Parameter("é", "é > 0", 1)))
    with pytest.raises(Unwritten, match="cannot be printed"):
        text("\x00")


# What is written means the same in Coq.

MEANINGS = (
    *SCALARS, "i**0", "(i - 1)**3", "2**(i - n)", "D**i", "(i <= 1)", "(i < 2)", "sqrt(n + i)", "exp(i)", "cos(pi*i/2)",
    "sinh(i)", "cosh(c)", "-i**2", "1/(i + 1)/2", "1/((i + 1)/2)", "-2*-i", "i - n - 1",
)  # fmt: skip


@with_coq
def test_scalars_mean_in_coq_what_they_mean_to_the_interpreter(coq: Library) -> None:
    """Each is a coordinate that is an output."""
    agreements = []
    for first in range(0, len(MEANINGS), 3):
        encoded = dict(zip("abc", MEANINGS[first : first + 3], strict=False))
        network = Encoder(
            coordinates=("a", "b", "c"),
            embedding=Embedding({token: {} for token in ("0", "1", "CLS", *encoded)}, encoded),
            layers=(),
            readout=Readout(Linear({name: {name: 1} for name in encoded}), "last", "argmax"),
        )
        agreements.append(agreement(construction(network, *PARAMETERS), ["", "0", "10", "011"]))
    assert sum(len(each.claims) for each in agreements) == 4 * len(MEANINGS)
    coq.compile("Scalars", held.proved(agreements))


AWKWARD = ('"', 'a"b', "é → ü", "(* x", "*)", "'", "\\", "{| |}", "; 1", " ")


@with_coq
def test_any_name_is_a_name_in_coq(coq: Library) -> None:
    symbols = ('"', "é", "*", " ")
    language = Language("L", symbols, lambda word: True, "n >= 0")
    network = Encoder(
        coordinates=AWKWARD,
        embedding=Embedding({**{each: {name: k for k, name in enumerate(AWKWARD)} for each in symbols}, "(*": {}}),
        layers=(Layer((replace(HEAD, W_Q={}, W_K={}, W_V={'"': dict.fromkeys(AWKWARD, 1)}),)),),
        readout=Readout(Linear({"logit": {'"': 1, "é → ü": 3}}), "sum"),
        begin="(*",
    )
    said = agreement(Construction("tried", "", "", language, network), ["", '"', 'é"', "* é"])
    assert len(said.claims) == 4
    coq.compile("Names", held.proved([said]))
