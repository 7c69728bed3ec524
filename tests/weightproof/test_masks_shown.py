"""Heads with every mask and normaliser as they are printed, and traced."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

import weightproof as wp
from tests.constructions.meaning.masked_words import construction
from weightproof.cli import main
from weightproof.constructions.meaning.schema import Mask, Normaliser
from weightproof.reports import matrices

REACHED = {
    "none": ("all positions", "all positions"),
    "causal": ("positions 0..i", r"positions 0, \dots, i"),
    "strictly-causal": ("positions 0..i-1", r"positions 0, \dots, i-1"),
    "future": ("positions i..n-1", r"positions i, \dots, n-1"),
    "strictly-future": ("positions i+1..n-1", r"positions i+1, \dots, n-1"),
}


@pytest.mark.parametrize("normaliser", get_args(Normaliser))
@pytest.mark.parametrize("mask", get_args(Mask))
def test_a_head_is_printed_with_its_mask_and_its_normaliser(mask: Mask, normaliser: Normaliser) -> None:
    made = construction(mask, normaliser, "i - j < 2")
    plain, latex = REACHED[mask]
    assert f"Layer 1, head 1: {normaliser} of (log(2)) q.k over {plain} j where i - j < 2" in str(wp.show(made))
    [head] = made.encoder.layers[0].heads
    written = "".join(str(getattr(span, "tex", span)) for span in matrices._attention(head))
    assert written.startswith(f"{normaliser} of ")
    assert f" over {latex} j where i - j < 2." in written


def test_weights_of_one_position_are_not_called_uniform() -> None:
    told = {name: _told(name) for name in get_args(Normaliser)}
    even = "W_Q = W_K = 0: every score is 0, attention is uniform"
    assert {name for name, said in told.items() if even in said} == {"softmax", "hardmax"}
    assert all("W_Q = W_K = 0: every score is 0" in said for said in told.values())


def _told(normaliser: Any) -> str:
    made = construction("none", normaliser, None)
    network = made.encoder
    [layer] = network.layers
    head = wp.Head(W_V=layer.heads[0].W_V, normaliser=normaliser)
    bare = wp.Encoder(network.coordinates, network.embedding, (wp.Layer((head,)),), network.readout, begin=None)
    return str(wp.show(wp.Construction(made.name, made.title, made.source, made.language, bare)))


FILE = """from tests.constructions.meaning.masked_words import construction as made
construction = made("strictly-future", "leftmost", None)
"""


def test_a_trace_leaves_hidden_keys_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ahead.py").write_text(FILE)
    assert main(["run", str(tmp_path / "ahead.py"), "acb", "--trace", "--json"]) in (0, 1)
    [head] = json.loads(capsys.readouterr().out)["trace"][1]["heads"]
    assert head["weights"] == [[None, "1", "0"], [None, None, "1"], []]
    assert main(["run", str(tmp_path / "ahead.py"), "acb", "--trace"]) in (0, 1)
    told = capsys.readouterr().out
    assert (
        "attention weights, leftmost of each row\n     0:a  1:c  2:b\n0:a         1    0\n1:c              1\n" in told
    )
