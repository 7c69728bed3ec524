"""Lines of a file that a repair edits: the file with them makes the repaired construction; else there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.places import TESTS
from weightproof.changing import repairing as module
from weightproof.changing.repairing import lines
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.transforms.places import Place, matrices, value_at
from weightproof.named import resolve
from weightproof.proofs.repairing.candidates import Edit

MORE_ONES = (TESTS / "examples" / "more_ones.py").read_text()
ZEROS, ONES, READ = "embedding WE, '0' from '[w=0]'", "embedding WE, '1' from '[w=1]'", "readout W, 'logit' from 's'"
SHARED = MORE_ONES.replace('{"[w=0]": 1}', '{"[w=0]": one}').replace("embedding =", "one = 1\n\nembedding =")


def written(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text)
    return path


def edits(path: Path, **new: str) -> list[Edit]:
    """By the labels of places."""
    network = load_file(path).construction.network
    assert isinstance(network, Encoder)
    places = {place.label: place for matrix in matrices(network) for place in matrix.places()}
    places["accept"] = Place("readout, accept", ("readout", "accept"))
    return [Edit(places[label], str(value_at(network, places[label])), value) for label, value in new.items()]


def edited(path: Path, new: dict[str, str]) -> list[str]:
    """The lines that change, as they are after it; the file with them makes what the edits say, and nothing else."""
    found = lines(resolve(str(path)), edits(path, **new))
    before, text = load_file(path).construction, path.read_text().splitlines()
    for line in found:
        assert (line.file, text[line.number - 1]) == (str(path), line.old)
        text[line.number - 1] = line.new
    after = load_file(path, "\n".join(text)).construction
    if found:
        for edit in edits(path, **new):
            assert str(value_at(after.network, edit.place)) == edit.new  # type: ignore[arg-type]
        assert replace(after, network=before.network, language=before.language) == before
    return [line.new.strip() for line in found]


def test_a_weight_is_edited_where_it_stands(tmp_path: Path) -> None:
    path = written(tmp_path, MORE_ONES)
    assert edited(path, {ONES: "-1/2"}) == [
        'embedding = Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": "-1/2"}, "CLS": {}})'
    ]
    both = edited(path, {ZEROS: "2", ONES: "-3"})
    assert both == ['embedding = Embedding(WE={"0": {"[w=0]": 2}, "1": {"[w=1]": -3}, "CLS": {}})']
    assert len(edited(path, {ZEROS: "2", READ: "1/3"})) == 2


def test_behind_letters_of_more_than_a_byte(tmp_path: Path) -> None:
    path = written(tmp_path, MORE_ONES.replace("embedding = ", "ä, embedding = 'é', "))
    assert edited(path, {ONES: "7"}) == [
        'ä, embedding = \'é\', Embedding(WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 7}, "CLS": {}})'
    ]


def test_a_rule_is_edited_where_it_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, MORE_ONES)
    assert edited(path, {"accept": "logit = 0"}) == []  # it is the one that is meant where none is
    path = written(tmp_path, MORE_ONES.replace('"s": 1}})', '"s": 1}}), accept="logit > 0"'))
    [line] = edited(path, {"accept": "logit = 0"})
    assert 'accept="logit = 0"' in line


NONE = {
    "for two places at once": (SHARED.replace('{"[w=1]": 1}', '{"[w=1]": one}'), ONES),
    "in no literal": (MORE_ONES.replace('{"[w=1]": 1}', '{"[w=1]": 3 - 2}'), ONES),
    "where nothing stands": (MORE_ONES, "embedding WE, '0' from '[w=1]'"),
    "for what is proved of it, too": (
        SHARED.replace("import Construction", "import Decides, Construction")
        + "\ntheorems = (Decides('recognises', 'a test', given=f'n >= {one}'),)\n",
        ZEROS,
    ),
    "for what its words are, too": (
        SHARED.replace("from weight", "one = 1\nfrom weight").replace("\none = 1\n\n", "\n\n").replace(
            'word.count("1") > word.count("0")', 'word.count("1") > one * word.count("0")'
        ),
        ZEROS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("stands", NONE)
def test_there_is_no_line_where_a_weight_stands(stands: str, tmp_path: Path) -> None:
    text, label = NONE[stands]
    assert edited(written(tmp_path, text), {label: "5"}) == []


def test_a_weight_that_has_a_name_is_edited_there(tmp_path: Path) -> None:
    assert edited(written(tmp_path, SHARED), {ZEROS: "5"}) == ["one = 5"]


def test_a_file_that_would_not_end_has_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SECONDS", 0.3)
    assert edited(written(tmp_path, f"while 1 != 1:\n    pass\n{MORE_ONES}"), {ONES: "5"}) == []


def test_of_what_is_no_file_there_is_no_line(tmp_path: Path) -> None:
    path = written(tmp_path, MORE_ONES)
    assert lines(resolve(str(path), ("sharpen",)), edits(path, **{ONES: "5"})) == ()
    assert lines(resolve("one"), edits(path, **{ONES: "5"})) == ()
