"""Exports as the programs that they are for read them: ONNX Runtime, the parser of VNN-LIB, TransformerLens, and both
solvers on files of SMT-LIB; held against the exact interpreter."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

import weightproof as wp
from tests.constructions.meaning.masked_words import CASES, added
from tests.constructions.meaning.masked_words import construction as masked
from tests.controls.random_constructions import constructions
from tests.numeric.test_positions import PARTS, logits_of, network
from tests.symbolic.test_activations import balance
from tests.test_fields import construction as of_encoder
from tests.weightproof.exports.test_exports import exact_logit, rebuilt, words
from weightproof.cli import main
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.outputs import outputs
from weightproof.constructions.meaning.running import predict, run
from weightproof.constructions.meaning.schema import Activation, Encoder, Place, UnknownChoice
from weightproof.constructions.scalars.exact import ball
from weightproof.exports.exporting import Options, exported
from weightproof.named import source_of

pytestmark = pytest.mark.controls
CLOSE = 1e-12
"""In float64, of logits below 1 of words of a few symbols."""
LENGTH = 5


@dataclass(frozen=True)
class Network:
    """A network that ONNX Runtime has read."""

    construction: Construction
    session: Any

    @staticmethod
    def read(construction: Construction, folder: Path) -> Network:
        import onnxruntime

        return Network(construction, onnxruntime.InferenceSession(str(folder / "model.onnx")))

    def logit(self, x: np.ndarray) -> float:
        [y] = self.session.run(["Y"], {"X": x})
        return float(y[0])

    def of(self, word: str, dtype: str = "float64") -> float:
        alphabet = self.construction.language.alphabet
        return self.logit(np.array([[float(symbol == read) for symbol in alphabet] for read in word], dtype=dtype))


CHOSEN = (
    *((name, ()) for name in names()),
    ("one", ("remove-centering", "layer-norm:epsilon=0")),
    ("palindrome-isometric", ("remove-centering", "layer-norm:epsilon=1/100")),
    ("first", ("scale-attention-by-log-length",)),
)


@pytest.mark.parametrize(("name", "asked"), CHOSEN)
def test_the_onnx_network_computes_the_logits_of_all_words_of_its_length(
    name: str, asked: tuple[str, ...], tmp_path: Path
) -> None:
    construction = wp.transformed(name, *asked)
    wp.export(construction, "onnx", tmp_path, length=LENGTH)
    network = Network.read(construction, tmp_path)
    checked = [word for word in words(construction, LENGTH) if len(word) == LENGTH]
    assert max(abs(network.of(word) - exact_logit(construction, word)) for word in checked) < CLOSE


@pytest.mark.parametrize("activation", get_args(Activation))
def test_every_activation_is_computed(activation: Activation, tmp_path: Path) -> None:
    construction, dtype = balance(activation), "float32" if activation == "gelu" else "float64"
    if dtype == "float32":
        with pytest.raises(InputError, match=r"^gelu: runtimes of ONNX have the error function in float32 alone"):
            wp.export(construction, "onnx", tmp_path, length=3)
    wp.export(construction, "onnx", tmp_path, length=3, dtype=dtype)
    network = Network.read(construction, tmp_path)
    checked = [word for word in words(construction, 3) if len(word) == 3]
    close = {"float32": 1e-6, "float64": CLOSE}[dtype]
    assert max(abs(network.of(word, dtype) - exact_logit(construction, word)) for word in checked) < close


@pytest.mark.parametrize("parts", [*PARTS])
def test_what_heads_make_of_positions_is_computed(parts: str, tmp_path: Path) -> None:
    two = network("last", **PARTS[parts])
    construction = of_encoder(replace(two, layers=two.layers[:1]))
    wp.export(construction, "onnx", tmp_path, length=3)
    read = Network.read(construction, tmp_path)
    checked = [word for word in words(construction, 3) if len(word) == 3]
    assert [read.of(word) for word in checked] == pytest.approx(logits_of(construction, checked), abs=CLOSE)


@pytest.mark.parametrize(("mask", "normaliser", "sees"), CASES)
def test_every_mask_and_normaliser_is_computed(mask: Any, normaliser: Any, sees: str | None, tmp_path: Path) -> None:
    """Or refused, where a position sees nothing and so has no value."""
    construction, length = masked(mask, normaliser, sees), 4
    if added(mask, normaliser, sees, "abca") is None:
        with pytest.raises(InputError, match=r"position \d sees nothing; let it see some position"):
            wp.export(construction, "onnx", tmp_path, length=length)
        return
    wp.export(construction, "onnx", tmp_path, length=length)
    network = Network.read(construction, tmp_path)
    for word in ("aaaa", "abca", "cbab", "bbbb", "caac"):
        assert network.of(word) == pytest.approx(float(sum(added(mask, normaliser, sees, word) or ())), abs=CLOSE)


WRONG = "set-weight:layer=2,head=1,part=W_V,row=s,column=[i=k]/n,to=20"
LOST = {
    ("parity", (WRONG,)): {"rejected"},
    ("palindrome-as-printed", ()): {"accepted", "rejected"},
    ("first-one-layer", ()): {"accepted"},  # at c = log(2); it takes a c that grows with the length
}
"""In which of its properties there is a word that breaks it; of no other construction there is."""


@pytest.mark.parametrize(("name", "asked"), [*CHOSEN, ("parity", (WRONG,))])
def test_a_property_is_answered_as_exact_arithmetic_says(name: str, asked: tuple[str, ...], tmp_path: Path) -> None:
    """Each word that a property spells out is put into the network; it breaks the property where it is decided wrongly
    in exact arithmetic, and the answer is sat where there is such a word."""
    import vnnlib

    construction = wp.transformed(name, *asked)
    wp.export(construction, "onnx", tmp_path, length=4)
    network, alphabet = Network.read(construction, tmp_path), construction.language.alphabet
    spelt, lost, bits = Counter[str](), set(), 256 if construction.network.normed else None  # type: ignore[union-attr]
    for file in sorted(tmp_path.glob("*.vnnlib")):
        cases, decided = (assertion.expr.to_dnf() for assertion in vnnlib.parse_query_file(str(file)).assertions)
        said = re.findall(r"; in exact arithmetic: (unsat|sat, on '\w+')", file.read_text())
        broken = []
        for x in (point(case, 4, len(alphabet)) for case in cases):
            word = "".join(alphabet[number] for number in x.argmax(1))
            is_wrong = run(construction, word, bits=bits).accepts != (file.stem == "accepted")
            assert any(all(map(holds_of(network.logit(x)), case)) for case in decided) == is_wrong, word
            broken += [word] * is_wrong
            spelt[word] += 1
        assert said == ([f"sat, on {broken[0]!r}"] if broken else ["unsat"])
        lost |= {file.stem} if broken else set()
    assert lost == LOST.get((name, asked), set())
    assert set(spelt.values()) == {1}
    assert len(spelt) == len(alphabet) ** 4


def point(case: Sequence[Any], length: int, symbols: int) -> np.ndarray:
    x = np.full((length, symbols), np.nan)
    for equation in case:
        x[tuple(equation.lhs.indices)] = float(equation.rhs.value)
    assert (x.sum(1) == 1).all()
    return x


def holds_of(y: float) -> Any:
    import vnnlib

    def holds(comparison: Any) -> bool:
        right = str(comparison.rhs).replace("(", "").replace(")", "").replace(" ", "")
        return y <= float(right) if isinstance(comparison, vnnlib.LessEqual) else y >= float(right)

    return holds


@dataclass(frozen=True)
class Bridge:
    """A network that TransformerLens has read. tables: the position encodings by the number of positions, or None where
    they do not depend on it."""

    construction: Construction
    tokens: tuple[str, ...]
    model: Any
    weights: dict[str, torch.Tensor]
    tables: torch.Tensor | None

    @staticmethod
    def read(construction: Construction, folder: Path) -> Bridge:
        from transformer_lens import TransformerBridge, TransformerBridgeConfig

        config = json.loads((folder / "config.json").read_text())
        made = TransformerBridgeConfig.from_dict(config["transformer_lens"] | {"dtype": torch.float64})
        model = TransformerBridge.boot_native(made, dtype=torch.float64)
        file = folder / "positions.safetensors"
        tables = load_file(file)["W_pos"] if file.exists() else None
        return Bridge(construction, tuple(config["tokens"]), model, load_file(folder / "model.safetensors"), tables)

    def outputs(self, word: str) -> torch.Tensor:
        """Of shape [n, outputs]."""
        network = self.construction.network
        assert isinstance(network, Encoder)
        ids = torch.tensor([[self.tokens.index(token) for token in add_markers(network, word)]])
        positions = {} if self.tables is None else {"pos_embed.weight": self.tables[ids.shape[1]]}
        self.model.load_state_dict(self.weights | positions, strict=True)
        with torch.inference_mode():
            found: torch.Tensor = self.model(ids)[0]
        return found

    def logit(self, word: str) -> float:
        """As the readout takes it from those of all positions."""
        found = self.outputs(word)[:, 0]
        places = {"first": found[0], "last": found[-1], "sum": found.sum(), "mean": found.mean()}
        return places[self.construction.network.readout.position].item()


HELD = ("parity", "first", "first-one-layer", "one", "palindrome", "dyck1", "dyck1-depth-margin")


@pytest.mark.parametrize("name", HELD)
def test_transformer_lens_computes_the_logits(name: str, tmp_path: Path) -> None:
    construction = load(name)
    wp.export(construction, "transformer-lens", tmp_path, max_length=8)
    bridge = Bridge.read(construction, tmp_path)
    for word in [*words(construction, 4), "01100110"]:
        assert abs(bridge.logit(word) - exact_logit(construction, word)) < CLOSE, word
    bridge.weights["embed.weight"][0] += 1
    changed = [bridge.logit(word) - exact_logit(construction, word) for word in words(construction, 3)]
    assert max(map(abs, changed)) > CLOSE


def test_hooks_of_transformer_lens_see_the_exact_attention(tmp_path: Path) -> None:
    """What its tools read off CLS of the two heads of PARITY on '10', with c = log(2)."""
    construction = load("parity")
    wp.export(construction, "transformer-lens", tmp_path, max_length=2)
    bridge = Bridge.read(construction, tmp_path)
    bridge.outputs("10")  # with the position encodings of three positions
    with torch.inference_mode():
        _, cache = bridge.model.run_with_cache(
            torch.tensor([[bridge.tokens.index(token) for token in ("CLS", "1", "0")]])
        )
    # A score is at most log(2) and takes four roundings, a power is within two units, sum and quotient take three.
    room = 16 * 2.0**-53
    odd, even = cache["blocks.1.attn.hook_pattern"][0, :, 0].tolist()
    assert odd == pytest.approx([1 / 6, 2 / 3, 1 / 6], rel=0, abs=room)
    assert even == pytest.approx([4 / 9, 1 / 9, 4 / 9], rel=0, abs=room)


RANDOM_LENS = {
    "d_model": 4, "d_head": 3, "n_heads": 2, "n_layers": 2, "n_ctx": 6, "d_mlp": 5, "d_vocab": 2, "d_vocab_out": 1,
    "act_fn": "relu", "normalization_type": None, "positional_embedding_type": "standard", "init_weights": False,
}  # fmt: skip


@pytest.mark.parametrize(("direction", "mask"), [("causal", "causal"), ("bidirectional", "none")])
def test_what_transformer_lens_computes_is_what_is_imported(direction: str, mask: Any) -> None:
    """Random weights, biases and positions under its own key names; the other mask would compute something else."""
    from transformer_lens import TransformerBridge, TransformerBridgeConfig

    config = RANDOM_LENS | {"attention_dir": direction, "dtype": torch.float64}
    model = TransformerBridge.boot_native(TransformerBridgeConfig.from_dict(config), dtype=torch.float64)
    generator = torch.Generator().manual_seed(0)
    weights = {name: torch.randint(-8, 9, x.shape, generator=generator) / 8 for name, x in model.state_dict().items()}
    weights["pos_embed.weight"] = torch.zeros(6, 4).index_fill(1, torch.tensor([2]), 1) * torch.arange(6)[:, None] / 4
    model.load_state_dict(weights, strict=True)
    said: dict[str, Any] = {"language": load("parity").language, "tokens": ("0", "1"), "heads": 2, "read": "last"}
    said |= {"activation": "relu", "norms": "none"}
    found = {
        how: wp.from_torch(weights, **said, mask=how, position={2: "i/4"}).construction for how in ("causal", "none")
    }
    apart = dict.fromkeys(found, 0.0)
    for word in words(found["none"], 6):
        if word:
            with torch.inference_mode():
                logit = model(torch.tensor([[int(symbol) for symbol in word]]))[0, -1, 0].item()
            for how, construction in found.items():
                exact = float(run(construction, word, bits=256).logit.mid())  # type: ignore[union-attr]
                apart[how] = max(apart[how], abs(logit - exact) / max(1.0, abs(exact)))
    assert apart.pop(mask) < CLOSE
    assert min(apart.values()) > 1e-3


def test_transformer_lens_predicts(tmp_path: Path) -> None:
    construction = load("noisy-majority")
    wp.export(construction, "transformer-lens", tmp_path, max_length=4)
    bridge = Bridge.read(construction, tmp_path)
    names = outputs(construction)
    for word in words(construction, 3):
        found = dict(zip(names, bridge.outputs(word)[-1].tolist(), strict=True))
        exact = predict(construction, word).outputs
        assert max(abs(found[name] - float(ball(exact[name]).mid())) for name in names) < 1e-11, word


RANDOM = 600
FORMATS = ("safetensors", "edges", "onnx", "transformer-lens")


def logits(format: str, construction: Construction, folder: Path, checked: Sequence[str]) -> list[float]:
    """What is computed by that which was read back."""
    match format:
        case "safetensors":
            model = wp.Transformer(construction, dtype="float64")
            model.load_state_dict(load_file(folder / "model.safetensors"), strict=True)
            found: list[float] = model.logits(checked).tolist()
            return found
        case "edges":
            again = replace(construction, network=rebuilt(json.loads((folder / "edges.json").read_text())))
            return [exact_logit(again, word) for word in checked]
        case "onnx":
            network = Network.read(construction, folder)
            return [network.of(word) for word in checked]
    bridge = Bridge.read(construction, folder)
    return [bridge.logit(word) for word in checked]


def test_random_networks_of_the_whole_schema(tmp_path: Path) -> None:
    """On words of two symbols, in float64. Of each format some are held."""
    tally, kinds = Counter[tuple[str, str]](), Counter[object]()

    @seed(7)
    @settings(max_examples=RANDOM, suppress_health_check=list(HealthCheck), deadline=None, database=None)
    @given(st.data())
    def one(data: st.DataObject) -> None:
        try:
            construction = data.draw(constructions(ranked=False))
            checked = [word for word in words(construction, 2) if len(word) == 2]
            exact = [exact_logit(construction, word) for word in checked]
        except (ConstructionError, InputError, ArithmeticError):
            return
        for format in FORMATS:
            options = Options({}, length=2) if format == "onnx" else Options({})
            if format in ("safetensors", "transformer-lens"):
                options = replace(options, max_length=2)
            try:
                exported(source_of(construction), format, tmp_path, options)
            except (InputError, ArithmeticError, UnknownChoice):
                tally[format, "refused"] += 1
                continue
            found = logits(format, construction, tmp_path, checked)
            for x, y in zip(exact, found, strict=True):
                is_close = x == y or abs(x - y) <= 1e-9 * max(1.0, abs(x))  # equal, too, where no float is so great
                tally[format, "close" if is_close else "apart"] += 1
            (tmp_path / "positions.safetensors").unlink(missing_ok=True)
        network = construction.encoder
        kinds.update([network.readout.position])
        for layer in network.layers:
            kinds.update((head.normaliser, head.score, head.mask) for head in layer.heads)
            if (units := layer.feed_forward) is not None:
                kinds.update([units.activation, "plain" if units.gate is None else "gated"])

    one()
    assert all(tally[format, "close"] > 0 and tally[format, "apart"] == 0 for format in FORMATS)
    heads = {("softmax", "dot", "causal"), ("hardmax", "dot", "none")}
    assert set(kinds) >= {*heads, "relu", "square", "plain", "gated", *get_args(Place)}


READER = """
import sys, cvc5
for file in sys.argv[1:]:
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, file)
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        print(command.invoke(solver, symbols), end="")
"""


def test_obligations_are_answered_from_outside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The solvers read the files themselves, in processes of their own; every fourth one, and what was not closed, as
    the theorem is refuted: of that nothing is announced, and it is false."""
    assert main(["prove", "palindrome", "--smt", str(tmp_path)]) == 0
    capsys.readouterr()
    announced = {
        file: re.findall(r"\(set-info :status (\w+)\)", file.read_text()) for file in sorted(tmp_path.glob("*.smt2"))
    }
    [open_] = [file for file, status in announced.items() if status == ["unknown"]]
    files = [*[file for file in announced if file != open_][::4], open_]
    expected = [["unsat"]] * (len(files) - 1) + [["sat"]]
    assert len(files) >= 20
    assert all(announced[file] == ["unsat"] for file in files[:-1])
    z3 = Path(sys.executable).with_name("z3")
    by_z3 = [subprocess.run([z3, file], capture_output=True, text=True, timeout=600).stdout.split() for file in files]
    by_cvc5 = subprocess.run([sys.executable, "-c", READER, *files], capture_output=True, text=True, timeout=600)
    assert by_z3 == expected
    assert [[answer] for answer in by_cvc5.stdout.split()] == expected, by_cvc5.stderr
