"""Proofs by covering as files: checked set by set, and refused where one is missing, or says too much."""

from __future__ import annotations

import dataclasses
import gzip
import itertools
import json
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.proofs.covering.adders import adder, adds
from tests.proofs.covering.certificates import certificate, changed, nodes, shown
from tests.proofs.covering.random_networks import encoder
from tests.proofs.covering.trained import TRAINED
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.record import digest
from weightproof.proofs.covering.certificate import Certificate, as_data, read, written
from weightproof.proofs.covering.checking.sets import Uncovered
from weightproof.proofs.covering.checking.theorem import NONE, pieces
from weightproof.proofs.covering.deciding import by_covering
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.running.every import Decided
from weightproof.proofs.running.forward import outputs
from weightproof.proofs.theorem import Appends, Decides
from weightproof.proofs.verdict import Covered, Proved

ADDER, ADDS = adder(2), adds(2)


@pytest.fixture(scope="module")
def proof() -> tuple[Certificate, Covered]:
    return certificate(ADDER, ADDS)


@pytest.mark.parametrize("length", [15, 30])
def test_all_words_up_to_a_length_are_checked(length: int) -> None:
    theorem = Decides("majority", "accepts MAJ", up_to=length)
    given, said = certificate(TRAINED, theorem)
    found = shown(TRAINED, theorem, given)
    assert found.words == said.words == 2**length - 1
    assert (found.sets, found.run) == (said.sets, said.run)
    assert float(found.margin or 0) >= 0.99 * float(said.margin or 0) > 0


def test_all_inputs_of_an_adder_are_checked(proof: tuple[Certificate, Covered]) -> None:
    given, said = proof
    found = shown(ADDER, ADDS, given)
    assert found.words == 3 * 10**4  # the same inputs at each of three tokens
    assert (found.sets, found.run) == (said.sets, said.run)
    assert said.run > 0


def above_nothing(seed: int) -> Construction:
    """A random network whose least logit on words of up to 5 positions is about 1/4, so that it accepts them all. A
    bias is added at each position that is read."""
    construction = encoder(Random(seed))
    network = dataclasses.replace(
        construction.encoder, readout=dataclasses.replace(construction.encoder.readout, accept="logit > 0")
    )
    words = [
        "".join(word)
        for length in range(6 - len(network.markers))
        for word in itertools.product("ab", repeat=length)
        if word or network.markers
    ]
    added = (len(network.markers) + len(word) if network.readout.position == "sum" else 1 for word in words)
    least = min(
        float(outputs(network, [word], {}).values.middle[0, 0]) / n for word, n in zip(words, added, strict=True)
    )
    least = least if math.isfinite(least) else 0.0  # of a norm without a value
    W = network.readout.W
    bias = {"logit": f"({W.bias['logit']}) + {Fraction(1, 4) - Fraction(least)}"}
    readout = dataclasses.replace(network.readout, W=dataclasses.replace(W, bias=bias))
    return dataclasses.replace(construction, network=dataclasses.replace(network, readout=readout))


def test_random_networks_with_norms_gates_and_several_layers_are_checked() -> None:
    theorem, found, seen = Decides("all", "accepts all", accepts="n >= 1", up_to=5), NONE, set[str]()
    for seed in range(40):
        construction = above_nothing(seed)
        verdict, positions = by_covering(Decided(Analysis(construction), theorem), Deadline.after(60))
        given = Certificate(construction.name, digest(construction), theorem.name, positions)
        if not isinstance(verdict, Proved) or verdict.covered is None:
            continue
        try:
            covered = shown(construction, theorem, given)
        except NotCovered as error:
            seen.add(str(error))
            continue
        assert (covered.words, covered.sets, covered.run) == (
            verdict.covered.words,
            verdict.covered.sets,
            verdict.covered.run,
        )
        found += covered
        network = construction.encoder
        seen |= {f"{len(network.layers)} layers", "norms" if network.normed else "no norms"}
        seen |= {"gate" for layer in network.layers if layer.feed_forward and layer.feed_forward.gate}
    assert found.sets > 40, found
    assert {"norms", "gate", "1 layers", "2 layers"} <= seen
    assert "the check of a certificate reads no hard attention, and hardmax is" in seen


def test_a_file_says_what_was_written_and_is_the_same_again(proof: tuple[Certificate, Covered], tmp_path: Path) -> None:
    size = written(proof[0], tmp_path / "adds.json.gz")
    content = (tmp_path / "adds.json.gz").read_bytes()
    assert len(content) == size < 10_000
    assert read(tmp_path / "adds.json.gz") == proof[0]
    written(proof[0], tmp_path / "again.json.gz")
    assert (tmp_path / "again.json.gz").read_bytes() == content


def test_the_check_has_nothing_of_the_search() -> None:
    told = "import sys, weightproof.proofs.covering.checking.theorem; print(*sys.modules)"
    loaded = {*subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout.split()}
    own = {name.rpartition(".")[2] for name in loaded if name.startswith("weightproof.proofs.covering.")}
    assert {"automaton", "progression", "transduction", "asking", "certificate", "checking", "theorem"} <= own
    assert not own & {"searching", "reading", "forms", "bounds", "deciding", "computing"}


def leave_out_a_set(data: Any) -> None:
    next(nodes(data, "layer"))["parts"].pop()


def have_an_edge_twice(data: Any) -> None:
    one, other, *_ = next(nodes(data, "layer"))["parts"]
    one["edges"] += other["edges"][:1]


def leave_out_an_edge(data: Any) -> None:
    next(node for node in nodes(data, "layer") if len(node["parts"][0]["edges"]) > 1)["parts"][0]["edges"].pop()


def name_another_layer(data: Any) -> None:
    next(nodes(data, "layer"))["layer"] = 7


def say_more(data: Any) -> None:
    next(nodes(data, "margin"))["margin"] = "20"


def say_nothing(data: Any) -> None:
    next(nodes(data, "margin"))["margin"] = "0"


def say_less_than_nothing(data: Any) -> None:
    next(nodes(data, "margin"))["margin"] = "-1"


def leave_out_a_word(data: Any) -> None:
    next(nodes(data, "run"))["run"].pop()


def run_a_word_twice(data: Any) -> None:
    run = next(node for node in nodes(data, "run") if len(node["run"]) > 1)["run"]
    run[0] = run[1]


def take_parts_together(data: Any) -> None:
    parts = data["positions"][0]["parts"]
    parts[0]["sets"], parts[1]["sets"] = parts[1]["sets"], {"margin": "0.01"}


def leave_out_a_part(data: Any) -> None:
    data["positions"][1]["parts"].pop()


def leave_out_a_token(data: Any) -> None:
    data["positions"].pop()


def repeat_a_token(data: Any) -> None:
    data["positions"].append(data["positions"][0])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (leave_out_a_set, r"^[1-9]\d* words in no set: edges of layer \d$"),
        (have_an_edge_twice, r"^edge \d+ of layer \d in two sets$"),
        (leave_out_an_edge, r"^[1-9]\d* words in no set: edges of layer \d$"),
        (name_another_layer, r"^a set in parts by layer 7, of 3 layers$"),
        (say_more, r"^a set of \d+ words: at least [\d.]+, not 20$"),
        (say_nothing, r"^a set of \d+ words of which nothing is said: a margin of 0$"),
        (say_less_than_nothing, r"^a set of \d+ words of which nothing is said: a margin of -1$"),
        (leave_out_a_word, r"^a set of \d+ words, not the \d+ that are to be run$"),
        (run_a_word_twice, r"^a set of \d+ words, not the \d+ that are to be run$"),
        (take_parts_together, r"^a set of \d+ words: at least -|in no set|in two sets|that are to be run"),
        (leave_out_a_part, r"^7 positions: its parts are not those of the theorem$"),
        (leave_out_a_token, r"^it is of other lengths than the theorem: 8$"),
        (repeat_a_token, r"^it is of other lengths than the theorem: one twice$"),
    ],
)
def test_a_certificate_with_a_mistake_is_refused(
    proof: tuple[Certificate, Covered], change: Callable[[Any], None], told: str, tmp_path: Path
) -> None:
    with pytest.raises(Uncovered, match=told):
        shown(ADDER, ADDS, changed(proof[0], change, tmp_path))


def test_no_set_of_a_certificate_can_be_spared(proof: tuple[Certificate, Covered], tmp_path: Path) -> None:
    """Each of many that is taken out is missed."""
    splits = len([*nodes(as_data(proof[0]), "layer")])
    for number in range(0, splits, 20):

        def spare(data: Any, number: int = number) -> None:
            [*nodes(data, "layer")][number]["parts"].pop(0)

        with pytest.raises(Uncovered, match="words in no set"):
            shown(ADDER, ADDS, changed(proof[0], spare, tmp_path))


def test_a_word_that_is_wrong_is_told(proof: tuple[Certificate, Covered]) -> None:
    """The certificate of another adder, where all its words are said to be run."""
    network = ADDER.network
    worse = dataclasses.replace(
        ADDER, network=dataclasses.replace(network, readout=dataclasses.replace(network.readout, W=_worse()))
    )
    with pytest.raises(Uncovered, match=r"at least -|is wrong"):
        shown(worse, ADDS, proof[0])


def _worse() -> Any:
    readout = ADDER.network.readout  # type: ignore[union-attr]
    return dataclasses.replace(readout.W, bias={**readout.W.bias, "7": -60})


def zipped(content: bytes) -> bytes:
    """The same whenever it is made."""
    return gzip.compress(content, mtime=0)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no gzip", "it is no file of gzip"),
        (zipped(b'{"construction": "adder", ')[:-12], "it is not whole, or no JSON"),
        (zipped(b'{"construction": "adder", '), "it is not whole, or no JSON"),
        (zipped(b"\xff\xfe"), "it is not whole, or no JSON"),
        (zipped(b'{"construction": "adder"}'), "it has no 'digest'"),
        (zipped(b"[]"), "it is no certificate"),
        (zipped(b'{"construction": 1, "digest": "", "theorem": ""}'), "it is no certificate"),
        (zipped(b'{"a":' * 100_000), "it is no certificate|it is not whole"),
    ],
)
def test_a_file_that_is_no_certificate_is_refused_in_a_line(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "adds.json.gz"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"^{path}: ({told}); have it written by: "):
        read(path)


@pytest.mark.parametrize("margin", ["NaN", "Infinity", "1e99999", "much", 1, None])
def test_a_margin_that_is_no_decimal_is_refused(
    proof: tuple[Certificate, Covered], margin: object, tmp_path: Path
) -> None:
    def change(data: Any) -> None:
        next(nodes(data, "margin"))["margin"] = margin

    with pytest.raises(InputError, match="it is no certificate"):
        changed(proof[0], change, tmp_path)


def test_no_part_of_a_file_is_of_another_kind(proof: tuple[Certificate, Covered], tmp_path: Path) -> None:
    """Whatever stands in the place of whatever is refused."""

    def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        items = data.items() if isinstance(data, dict) else enumerate(data[:2]) if isinstance(data, list) else ()
        return [path] * bool(path) + [place for key, each in items for place in places(each, (*path, key))]

    data = as_data(proof[0])
    text = json.dumps(data)
    for place in places(data)[:300]:
        changed_data = json.loads(text)
        at = changed_data
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = -0.5
        file = tmp_path / "changed.json.gz"
        file.write_bytes(gzip.compress(json.dumps(changed_data).encode(), 1))
        with pytest.raises(InputError, match=r"it is no certificate|it has no"):
            read(file)


def test_what_is_not_checked_is_refused_by_name(proof: tuple[Certificate, Covered]) -> None:
    given = proof[0]
    with pytest.raises(NotCovered, match="up to a length alone"):
        pieces(TRAINED, Decides("majority", "accepts MAJ"), given)
    with pytest.raises(NotCovered, match="says something else"):
        pieces(ADDER, Appends("0", "1"), given)
