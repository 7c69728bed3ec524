"""The picture of a word: what it shows are the numbers of the run, and what cannot be drawn is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

import weightproof as wp
from weightproof.cli import main
from weightproof.constructions.library import load
from weightproof.constructions.meaning.running import run
from weightproof.constructions.meaning.trace import trace
from weightproof.reports import drawing as pictures
from weightproof.reports.drawing import Pictured

PNG = b"\x89PNG\r\n\x1a\n"


def pictured(name: str, word: str) -> Pictured:
    construction = load(name)
    result = run(construction, word)
    return Pictured(construction, word, "", result, trace(construction, result), "logit = 0", None)


@pytest.mark.parametrize(("name", "word"), [("parity", "0110"), ("dyck1", "01" * 25)])
def test_the_heat_maps_hold_the_numbers_of_the_run(name: str, word: str) -> None:
    shown = pictured(name, word)
    maps = [image.get_array() for axes in pictures._figure(shown).get_axes() for image in axes.get_images()]
    count, width = len(shown.run.tokens), len(shown.construction.network.coordinates)
    squares = [grid for grid in maps if grid.shape == (count, count) and count != width]
    heads = [head.weights for layer in shown.trace.layers for head in layer.heads]
    assert len(squares) == len(heads)
    for grid, weights in zip(squares, heads, strict=True):
        for query, row in weights.items():
            for key in range(count):
                seen = key < len(row)
                assert bool(np.ma.getmaskarray(grid)[query, key]) is not seen
                assert not seen or grid[query, key] == int(fmpq(row[key]).p) / int(fmpq(row[key]).q)  # type: ignore[arg-type]
    streams = [grid for grid in maps if grid.shape == (width, count)]
    assert len(streams) == len(shown.run.streams)
    for number, (grid, stream) in enumerate(zip(streams, shown.run.streams, strict=True)):
        for row, coordinate in enumerate(shown.construction.network.coordinates):
            for place, vector in enumerate(stream):
                value = vector[coordinate]
                assert (grid[row, place] > 0, grid[row, place] < 0) == (value > 0, value < 0), (number, coordinate)  # type: ignore[operator]


def test_an_svg_shows_symbols_coordinates_and_the_logit_beside_its_closed_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.svg"
    assert main(["run", "parity", "0110", "--picture", str(path)]) == 0
    assert capsys.readouterr().err == ""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))
    shown = "\n".join(texts)
    assert {"CLS", "[i=k]/n", "1/5", "layer 2, head 2 (softmax); darkest 0.286"} <= set(texts)
    assert "logit of the run         -3/77 = -0.0389610389610389..., rejects (logit &gt; 0)" in shown
    assert "closed form at the word  -3/77 = -0.0389610389610389..." in shown
    assert "-(n - 1)*sinh(2*c)/(n*(n*cosh(c) - sinh(c))*(n*cosh(c) + sinh(c)))" in shown


@pytest.mark.parametrize(("name", "word"), [("palindrome", "0"), ("dyck1", "(01){50}")])
def test_a_png_of_one_and_of_a_hundred_symbols(name: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    assert main(["run", name, word, "--picture", str(path), "--json"]) == 0
    assert path.read_bytes().startswith(PNG)


def test_of_a_long_word_positions_are_numbered_and_the_row_that_is_read_stands_alone() -> None:
    figure = pictures._figure(pictured("parity", "01" * 25))
    labels = {text.get_text() for axes in figure.get_axes() for text in axes.get_xticklabels()}
    assert {"0", "10", "50"} <= labels
    assert "CLS" not in labels
    strips = [axes for axes in figure.findobj(lambda each: hasattr(each, "get_images")) if axes.get_images()]  # type: ignore[attr-defined]
    assert sum(axes.get_images()[0].get_array().shape == (1, 51) for axes in strips) == 3  # type: ignore[attr-defined]


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        pictures.draw(pictured("one", ""), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(("word", "turned"), [("0" * 12, set()), ("0" * 32, {"CLS", "EOS"}), ("0" * 40, set())])
def test_symbols_are_turned_where_they_do_not_fit_side_by_side(word: str, turned: set[str]) -> None:
    figure = pictures._figure(pictured("palindrome", word))
    labels = [text for axes in figure.get_axes() for text in axes.get_xticklabels()]
    assert {text.get_text() for text in labels if text.get_rotation()} == turned
    assert ("CLS" in {text.get_text() for text in labels}) == (len(word) < 36)


def test_what_python_draws_is_what_the_command_draws(tmp_path: Path) -> None:
    ran = wp.run("first-one-layer", "01", c="1/2")
    shown = ran.picture(tmp_path / "a.svg")
    assert shown == ran.picture()
    assert shown._repr_svg_() == (tmp_path / "a.svg").read_text()
    assert "<svg" not in repr(shown)
    assert main(["run", "first-one-layer", "01", "--param", "c=1/2", "--picture", str(tmp_path / "b.svg")]) == 0
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    with pytest.raises(wp.InputError, match="end its name in"):
        ran.picture(str(tmp_path / "a.pdf"))
    with pytest.raises(wp.InputError, match="predicts a token or a class, of which run takes no --picture"):
        wp.run("noisy-majority", "1").picture(tmp_path / "c.svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.svg", "b.svg"]


def test_why_there_is_no_closed_form_is_said() -> None:
    shown = pictures._text(replace(pictured("one", "1"), closed_form="none: no rule"))
    assert "closed form              none: no rule" in shown
    assert "at the word" not in shown


REFUSED = [
    (
        ["parity", "0", "--picture", "x.pdf"],
        "--picture x.pdf: a picture is an SVG or a PNG; end its name in .svg or .png",
    ),
    (["parity", "0", "--picture", "none/x.svg"], "--picture none/x.svg: No such file or directory; name a file in a"),
    (["parity", "1{201}", "--picture", "x.svg"], "--picture: a word of 201 symbols is too long to draw; give 200 or"),
    (
        ["noisy-majority", "1", "--picture", "x.svg"],
        "noisy-majority is a network that predicts a token or a",
    ),
    (["full-adder", "110", "--picture", "x.svg"], "full-adder is a circuit, of which run takes no --picture"),
    (["increment", "1", "--picture", "x.svg"], "increment is a Turing machine, of which run takes no --picture"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused(
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"weightproof: {message}")
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.svg").mkdir()
    assert main(["run", "one", "1", "--picture", str(tmp_path / "a.svg")]) == 2
    assert capsys.readouterr().err.endswith("a.svg: is a folder; name a file\n")
