"""What `export` writes: weights that load again, exact entries that round to them, the circuit, and what is refused."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from flint import arb, fmpq
from safetensors.torch import load_file

import weightproof as wp
from tests.proofs.kernel.test_coq import DEVELOPMENT
from tests.support.derived import file_of
from tests.support.printed import section_of
from tests.support.unusual import recogniser
from weightproof.cli import main
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Layer, UnknownChoice
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.document import markdown
from weightproof.exports import coq
from weightproof.exports.exporting import Exporting, Options
from weightproof.exports.verifying import known_words
from weightproof.manifest.pages import name_of
from weightproof.named import source_of
from weightproof.numeric.rounding.formats import FORMATS, rounded
from weightproof.proofs.kernel.coq import written
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import AboutLogits, Decides

SHIPPED = ("parity", "palindrome", "dyck1-depth", "first-one-layer")
TRANSFORMED = ("one", "remove-centering", "layer-norm:epsilon=1/100")
CLOSE = 1e-12
"""In float64, of logits below 1 of words of a few symbols."""


def words(construction: Construction, longest: int) -> list[str]:
    symbols = construction.language.alphabet
    lengths = (itertools.product(symbols, repeat=length) for length in range(longest + 1))
    return ["".join(word) for words in lengths for word in words]


def exact_logit(construction: Construction, word: str) -> float:
    bits = 256 if construction.network.normed else None  # type: ignore[union-attr]
    logit = run(construction, word, bits=bits).logit
    return float((logit if isinstance(logit, arb) else ball(logit)).mid())


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A construction's name -> the folder of its export in float64."""
    found = {}
    for construction in (*map(load, SHIPPED), wp.transformed(*TRANSFORMED)):
        found[construction.name] = tmp_path_factory.mktemp("exported")
        wp.export(construction, "safetensors", found[construction.name], max_length=6)
    return found


def built(name: str) -> Construction:
    return load(name) if name in names() else wp.transformed(*TRANSFORMED)


def data(file: Path) -> Any:
    return json.loads(file.read_text())


def test_the_weights_load_into_the_module_and_compute_the_logits(folders: dict[str, Path]) -> None:
    assert len(folders) == len(SHIPPED) + 1
    for name, folder in folders.items():
        construction = built(name)
        model = wp.Transformer(construction, dtype="float64")
        for parameter in model.parameters():
            parameter.data.fill_(float("nan"))
        model.load_state_dict(load_file(folder / "model.safetensors"), strict=True)
        checked = words(construction, 4)
        found = model.logits(checked).tolist()
        apart = [abs(x - exact_logit(construction, word)) for x, word in zip(found, checked, strict=True)]
        assert max(apart) < CLOSE, name


def test_the_weights_are_imported_again(folders: dict[str, Path], tmp_path: Path) -> None:
    """As `import` reads any file of tensors, told what a file does not say: the same exact logits."""
    file, back = folders["parity"] / "model.safetensors", tmp_path / "back.py"
    told = ["--language", "PARITY", "--tokens", "0,1,CLS", "--begin", "CLS", "--scale", "1/sqrt(d)", "--recognise"]
    told += ["--activation", "relu", "--norms", "none", "--mask", "none"]
    positions = ["--position", "3=i/n", "--position", "4=cos(pi*i)"]
    assert main(["import", str(file), "--as", str(back), *told, *positions]) == 0
    assert_the_same(load("parity"), wp.load(back).network)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_the_weights_are_those_of_the_module_in_each_format(dtype: str, tmp_path: Path) -> None:
    wp.export("parity", "safetensors", tmp_path, dtype=dtype, c="log(3)")
    written = load_file(tmp_path / "model.safetensors")
    module = wp.Transformer(load("parity"), {"c": "log(3)"}, dtype=dtype).state_dict()
    assert {(name, x.dtype) for name, x in written.items()} == {(name, x.dtype) for name, x in module.items()}
    assert all(torch.equal(written[name], module[name]) for name in module)
    assert data(tmp_path / "config.json")["parameters"] == {"c": "log(3)"}


def test_the_exact_entries_round_to_the_weights(folders: dict[str, Path]) -> None:
    for folder in folders.values():
        exact, weights = data(folder / "exact.json"), load_file(folder / "model.safetensors")
        values = {name: evaluate(Expression(text), {}) for name, text in exact["names"].items()}
        assert exact["tensors"].keys() == weights.keys()
        for name, tensor in exact["tensors"].items():
            expected = torch.zeros(tensor["shape"], dtype=torch.float64)
            for place, entry in tensor["entries"]:
                expected[tuple(place)] = rounded(evaluate(Expression(entry), values), FORMATS["float64"])
            assert torch.equal(expected, weights[name]), name


def test_position_tables_are_the_encodings(folders: dict[str, Path]) -> None:
    by_length = {}
    for name, folder in folders.items():
        exact, tables = data(folder / "exact.json"), load_file(folder / "positions.safetensors")
        config = data(folder / "config.json")
        values = {key: evaluate(Expression(text), {}) for key, text in exact["names"].items()}
        by_length[name] = config["position_tables"] == "W_pos[n, i]"
        markers = sum(config[marker] is not None for marker in ("begin", "end"))
        for n in range(max(1, markers), 6 + markers + 1):
            table = tables["W_pos"][n, :n] if by_length[name] else tables["W_pos"][:n]
            for i, (column, coordinate) in itertools.product(range(n), enumerate(config["coordinates"])):
                encoding = Expression(exact["W_pos"].get(coordinate, "0"))
                wanted = rounded(evaluate(encoding, {**values, "n": fmpq(n), "i": fmpq(i)}), FORMATS["float64"])
                assert table[i, column].item() == wanted, (name, n, i, coordinate)
    assert by_length["parity"]
    assert not by_length["first-one-layer"]


def test_scales_that_depend_on_the_length_have_a_table(tmp_path: Path) -> None:
    construction = wp.transformed("first", "scale-attention-by-log-length")
    wp.export(construction, "safetensors", tmp_path, max_length=4)
    tables = load_file(tmp_path / "positions.safetensors")
    [head] = construction.network.layers[1].heads
    for n in range(1, 6):
        names = {"n": fmpq(n), "d": fmpq(len(construction.network.coordinates)), **parameter_values(construction)}
        assert tables["blocks.1.attn.scale"][n, 0].item() == rounded(evaluate(head.scale, names), FORMATS["float64"])


def test_hash_and_theorems_are_those_of_the_trust_manifest(folders: dict[str, Path]) -> None:
    for name in SHIPPED:
        section = section_of(name, name_of(file_of(name)))
        config = data(folders[name] / "config.json")
        assert f"- hash: `{config['sha256']}`" in section
        stated = config["theorems"]["stated"]
        rows = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")]
        assert [theorem["name"] for theorem in stated] == [markdown.unmarked(row) for row in rows[2:]]
        for theorem in stated:
            assert f"| {theorem['expected']} |" in next(
                x for x in section.splitlines() if f"| {markdown.text(theorem['name'])} |" in x
            )
    assert {theorem["scope"] for theorem in data(folders["parity"] / "config.json")["theorems"]["stated"]} == {
        "all lengths",
        "n <= 12",
    }


# what reads what in the network of Chiang and Cholak (2022), section 3.2, by hand
PARITY_EDGES = {
    ("embedding", "layer 1, head 1, W_V", ("[w=1]", "[w=CLS]")),
    ("positions", "layer 1, unit h1", ("i/n",)),
    ("positions", "layer 1, unit h2", ("i/n",)),
    ("positions", "layer 1, unit h3", ("i/n",)),
    ("layer 1, head 1", "layer 1, unit h1", ("1/n", "k/n")),
    ("layer 1, head 1", "layer 1, unit h2", ("k/n",)),
    ("layer 1, head 1", "layer 1, unit h3", ("1/n", "k/n")),
    *(("embedding", f"layer 2, head {head}, W_Q", ("[w=CLS]",)) for head in (1, 2)),
    *(("positions", f"layer 2, head {head}, W_K", ("cos(i*pi)",)) for head in (1, 2)),
    *((f"layer 1, unit h{h}", f"layer 2, head {head}, W_V", ("[i=k]/n",)) for head in (1, 2) for h in (1, 2, 3)),
    ("layer 2, head 1", "readout", ("s",)),
    ("layer 2, head 2", "readout", ("s",)),
}


def edges_of(given: Any, folder: Path) -> tuple[Any, set[tuple[str, str, tuple[str, ...]]]]:
    wp.export(given, "edges", folder)
    found = data(folder / "edges.json")
    edges = [(edge["from"], edge["to"], tuple(sorted(edge["coordinates"]))) for edge in found["edges"]]
    assert len(set(edges)) == len(edges)
    return found, set(edges)


def test_the_circuit_is_the_one_in_the_paper(tmp_path: Path) -> None:
    assert edges_of("parity", tmp_path)[1] == PARITY_EDGES


def test_a_weight_that_is_0_is_no_edge(tmp_path: Path) -> None:
    """Nor are keys that are multiplied by queries of 0."""
    gone = "set-weight:layer=1,head=1,part=W_V,row=1/n,column=[w=CLS],to=0"
    _, edges = edges_of(wp.transformed("parity", gone), tmp_path)
    cut = {(start, end, tuple(x for x in names if x not in ("1/n", "[w=CLS]"))) for start, end, names in PARITY_EDGES}
    kept = {edge for edge in PARITY_EDGES if "layer 2" in edge[1]}
    assert edges == {edge for edge in cut if "layer 2" not in edge[1]} | kept
    looks = wp.Head({"s": {"1": 1}}, {"q": {}}, {"q": {"1": 1}})
    _, edges = edges_of(recogniser(layers=(wp.Layer((looks,)),)), tmp_path)
    assert edges == {("embedding", "layer 1, head 1, W_V", ("1",)), ("layer 1, head 1", "readout", ("s",))}


def test_behind_a_norm_all_is_read_from_it(tmp_path: Path) -> None:
    found, edges = edges_of(wp.transformed(*TRANSFORMED), tmp_path)
    norms = [part["part"] for part in found["parts"] if "norm" in part["part"]]
    assert norms
    assert {start for start, end, _ in edges if end == "readout"} == {norms[-1]}
    for norm, following in itertools.pairwise(norms):
        assert (norm, following) in {(start, end) for start, end, _ in edges}


def rebuilt(found: Any) -> Encoder:
    """The network, from what edges.json says of its parts alone."""
    kinds = {kind: [part for part in found["parts"] if part["kind"] == kind] for kind in KINDS}
    [embedding], [positions], [readout] = (kinds[kind] for kind in ("embedding", "positions", "readout"))
    last = max((part["layer"] for part in kinds["residual"]), default=0)
    return wp.Encoder(
        tuple(found["coordinates"]),
        wp.Embedding(embedding["weights"], positions["encodings"]),
        tuple(layer_of(number, kinds) for number in range(1, last + 1)),
        wp.Readout(wp.Linear(readout["weights"], readout["bias"]), **found["readout"]),
        found["begin"],
        found["end"],
    )


KINDS = ("embedding", "positions", "head", "residual", "norm", "unit", "bias", "readout")


def layer_of(number: int, kinds: dict[str, list[Any]]) -> Layer:
    own = {kind: [part for part in parts if part.get("layer") == number] for kind, parts in kinds.items()}
    residuals = {part["behind"]: part["kept"] for part in own["residual"]}
    norms = {part["behind"]: wp.LayerNorm(part["epsilon"]) for part in own["norm"]}
    feed_forward = None
    for bias in own["bias"]:
        into = {part["unit"]: part["weights"] for part in own["unit"]}
        added = {part["unit"]: part["bias"] for part in own["unit"] if part["bias"] is not None}
        out: dict[str, dict[str, str]] = {}
        for part in own["unit"]:
            for row, weight in part["adds"].items():
                out.setdefault(row, {})[part["unit"]] = weight
        activations, gate = {part["activation"] for part in own["unit"]}, None
        if any("gate" in part for part in own["unit"]):
            opened = {part["unit"]: part["gate_bias"] for part in own["unit"] if part["gate_bias"] is not None}
            gate = wp.Linear({part["unit"]: part["gate"] for part in own["unit"]}, opened)
        feed_forward = wp.FeedForward(wp.Linear(into, added), wp.Linear(out, bias["bias"]), *activations, gate=gate)
    return wp.Layer(
        tuple(
            wp.Head(
                *(part[name] for name in ("W_V", "W_Q", "W_K", "W_O")),
                **{name: part[name] for name in ("score", "scale", "normaliser", "mask")},
            )
            for part in own["head"]
        ),
        feed_forward,
        attention_residual=residuals["attention"],
        feed_forward_residual=residuals.get("the feed-forward network", True),
        attention_norm=norms.get("attention"),
        feed_forward_norm=norms.get("the feed-forward network"),
    )


@pytest.mark.parametrize("name", [*SHIPPED, "transformed"])
def test_the_circuit_has_every_weight(name: str, tmp_path: Path) -> None:
    """A network made of it computes the same exact logits."""
    construction = load(name) if name in SHIPPED else wp.transformed(*TRANSFORMED)
    assert_the_same(construction, rebuilt(edges_of(construction, tmp_path)[0]))


def test_a_weight_that_is_lost_is_noticed(tmp_path: Path) -> None:
    found = edges_of("parity", tmp_path)[0]
    [unit] = [part for part in found["parts"] if part["part"] == "layer 1, unit h2"]
    unit["adds"]["[i=k]/n"] = "-1"
    with pytest.raises(AssertionError):
        assert_the_same(load("parity"), rebuilt(found))


def assert_the_same(construction: Construction, network: Any) -> None:
    """Exactly, on short words."""
    assert isinstance(network, Encoder)
    again = replace(construction, network=network)
    bits = 256 if network.normed else None
    for word in words(construction, 3):
        assert str(run(again, word, bits=bits).logit) == str(run(construction, word, bits=bits).logit), word


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "parity", "--to", "safetensors", "-o", str(tmp_path / "new"), "--with", "fix:c=1"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["construction"], found["format"]) == ("parity+fix:c=1", "safetensors")
    assert {file["name"]: file["bytes"] for file in found["files"]} == {
        file.name: file.stat().st_size for file in (tmp_path / "new").iterdir()
    }
    assert main(arguments) == 0
    assert str(tmp_path / "new" / "model.safetensors") in capsys.readouterr().out
    assert data(tmp_path / "new" / "config.json")["theorems"]["prove"] == "weightproof prove parity --with fix:c=1"


REFUSED = [
    ("parity --to pickle", "--to pickle: no such format; there are safetensors, transformer-lens, onnx, edges"),
    ("parity --to safetensors --dtype int8", "unknown dtype 'int8'"),
    ("parity --to safetensors --param z=1", "parity: no parameter 'z'; it has c"),
    ("parity --to safetensors --param c=-1", "parity: "),
    (
        "parity --to safetensors --param c=1000000 --dtype float16",
        "blocks.1.attn.W_Q[0, 2, 0] is beyond the greatest number of float16; give another --dtype or value",
    ),
    ("parity --to safetensors --length 3", "--length is for other formats; leave it out with --to safetensors"),
    ("parity --to safetensors --max-length 0", "--max-length 0 leaves no word: give 1 or more"),
    ("parity --to safetensors --max-length 100000", "the position tables get too large"),
    ("parity --to edges --max-length 3", "--max-length is for other formats; leave it out with --to edges"),
    ("parity --to onnx", "--to onnx is for words of one length: give it as --length 5, in symbols"),
    ("parity --to onnx --length 0", "--length 0 leaves the network no input"),
    ("parity --to onnx --length 30", "--length 30: 2^30 words to spell out; give 12 or less"),
    ("parity --to onnx --length 3 --dtype bfloat16", "runtimes of ONNX compute in float64 or float32"),
    ("noisy-majority --to onnx --length 3", "it predicts a token or a class, and properties speak of a logit"),
    ("increment --to edges", "increment is a Turing machine"),
    ("full-adder --to edges", "full-adder is a circuit; export takes:"),
    ("rnn-by-directional --to edges", "rnn-by-directional is a family of transformers"),
    (
        "one --to transformer-lens --with remove-centering --with layer-norm",
        "TransformerLens cannot hold it: layer 1 has a norm behind the residual connection",
    ),
    (
        "first --to transformer-lens --with scale-attention-by-log-length",
        "TransformerLens cannot hold it: layer 2 has a head with the scale log(n)",
    ),
]


@pytest.mark.parametrize(("arguments", "says"), REFUSED)
def test_what_cannot_be_exported_is_refused_in_a_line(
    arguments: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", *arguments.split(), "-o", str(tmp_path / "nothing")]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not (tmp_path / "nothing").exists()


NOTHING: dict[str, dict[str, int]] = {"0": {}, "1": {}, "CLS": {}}
LOOKS = wp.Head({"s": {"1": 1}}, {"q": {"1": 1}}, {"q": {"1": 1}})
STRANGE = [
    (wp.Layer((replace(LOOKS, normaliser="hardmax"),)), "layer 1 has a head with the normaliser hardmax"),
    (wp.Layer((replace(LOOKS, score="-|dot|"),)), "layer 1 has a head with the score -|dot|"),
    (wp.Layer((LOOKS,), attention_residual=False), "layer 1 has a residual connection that is cut"),
    (
        wp.Layer((LOOKS,), wp.FeedForward(wp.Linear({"h": {"1": 1}}), wp.Linear({"s": {"h": 1}}), "step")),
        "layer 1 has the activation step",
    ),
    (
        wp.Layer((LOOKS,), wp.FeedForward(wp.Linear({"h": {"1": 1}}), wp.Linear({"s": {"h": 1}}), "tanh")),
        "layer 1 has the activation tanh",
    ),
    (wp.Layer((LOOKS, replace(LOOKS, mask="causal"))), "some heads have a causal mask and others none"),
]


@pytest.mark.parametrize("to", ["safetensors", "edges"])
@pytest.mark.parametrize(
    ("layer", "says"),
    [
        (wp.Layer((LOOKS,), attention_norm_before=wp.LayerNorm(1)), "norms before a sublayer"),
        (wp.Layer((LOOKS,), attention_norm=wp.RootMeanSquare(1)), "norms by the root mean square"),
        (wp.Layer((LOOKS,), attention_norm=wp.LayerNorm(1, gain={"s": 1})), "norms with a gain or a bias"),
        (wp.Layer((replace(LOOKS, key_norm=wp.LayerNorm(1)),)), "norms of queries and keys"),
    ],
)
def test_norms_that_a_file_has_no_place_for_are_refused_by_name(
    to: str, layer: Layer, says: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownChoice, match=f"does not know {says}$"):
        wp.export(recogniser(layers=(layer,)), to, tmp_path)
    final = recogniser(layers=(wp.Layer((LOOKS,)),))
    final = replace(final, network=replace(final.encoder, final_norm=wp.LayerNorm(1)))
    with pytest.raises(UnknownChoice, match=r"does not know a norm before the readout$"):
        wp.export(final, to, tmp_path)
    with pytest.raises(wp.InputError, match="norm"):
        wp.export(recogniser(layers=(layer,)), "transformer-lens", tmp_path)


@pytest.mark.parametrize(("layer", "says"), STRANGE)
def test_what_transformer_lens_cannot_hold_is_held_by_the_circuit(layer: Layer, says: str, tmp_path: Path) -> None:
    construction = recogniser(layers=(layer,))
    with pytest.raises(wp.InputError, match=re.escape(f"TransformerLens cannot hold it: {says}")):
        wp.export(construction, "transformer-lens", tmp_path)
    assert_the_same(construction, rebuilt(edges_of(construction, tmp_path)[0]))


def test_an_encoding_without_value_is_said(tmp_path: Path) -> None:
    with pytest.raises(wp.InputError, match="unusual: of words of 3 positions a position encoding divides by 0"):
        wp.export(recogniser(PE={"p": "1/(n - 3)"}), "safetensors", tmp_path, max_length=4)


@pytest.mark.parametrize(
    "changes",
    [{"PE": {"p": "1/(n - 3)"}}, {"layers": (wp.Layer(attention_norm=wp.LayerNorm()),), "WE": NOTHING}],
)
def test_a_word_without_value_is_said(changes: Any) -> None:
    exporting = Exporting(source_of(recogniser(**changes)), Options({}))
    with pytest.raises(wp.InputError, match="unusual: no exact value on '00': "):
        known_words(exporting, 2)


def test_a_folder_that_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "parity", "--to", "edges", "-o", "/dev/null/here"]) == 2
    assert capsys.readouterr().err == (
        "weightproof: -o /dev/null/here: Not a directory; name a folder that can be written to\n"
    )


def test_without_onnx_it_is_said_how_to_install_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "onnx" else there(name, *more))
    assert main(["export", "parity", "--to", "onnx", "--length", "3", "-o", str(tmp_path)]) == 2
    assert "pip install 'weightproof[exports]'" in capsys.readouterr().err


def test_proofs_are_exported_for_coq_as_far_as_they_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def as_expected(construction: Construction, theorem: AboutLogits) -> Development:
        if isinstance(theorem, Decides) and theorem.up_to is not None:
            raise Unwritten("a bounded proof")
        return DEVELOPMENT

    monkeypatch.setattr(coq, "as_expected", as_expected)
    assert main(["export", "parity", "--to", "coq", "-o", str(tmp_path)]) == 0
    assert capsys.readouterr().err == (
        "weightproof: warning: parity: left out is 'bounded', not written: a bounded proof\n"
    )
    expected = written(DEVELOPMENT)
    assert (tmp_path / "_CoqProject").read_text().split() == ["-Q", ".", "Weightproof", *expected]
    assert {path.name: path.read_text() for path in tmp_path.glob("*.v")} == expected
    for refused, why in (
        ("--param c=1", "--param is for other formats"),
        ("--max-length 3", "--max-length is for other formats"),
    ):
        assert main(["export", "parity", "--to", "coq", "-o", str(tmp_path), *refused.split()]) == 2
        assert why in capsys.readouterr().err


def test_where_no_proof_can_be_written_nothing_is_exported_for_coq(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_expected(construction: Construction, theorem: Decides) -> Development:
        raise Unwritten("the closed forms")

    monkeypatch.setattr(coq, "as_expected", as_expected)
    told = "one: coq cannot hold it: 'recognises', not written: the closed forms"
    with pytest.raises(wp.InputError, match=re.escape(told)):
        wp.export("one", "coq", tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
    with pytest.raises(wp.InputError, match="coq cannot hold it: no theorem speaks of the logit"):
        wp.export("noisy-majority", "coq", tmp_path)
