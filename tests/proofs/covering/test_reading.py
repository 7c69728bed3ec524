"""Enclosures of outputs on sets of words, held against runs of every word in them."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.proofs.covering.adders import adder, adds
from tests.proofs.covering.random_networks import encoder
from weightproof.constructions.languages.transducers import laid_out
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Decoder, Embedding, Linear, Readout, RootMeanSquare
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.proofs.covering import norms
from weightproof.proofs.covering import reading as read
from weightproof.proofs.covering.automaton import Words
from weightproof.proofs.covering.deciding import bare
from weightproof.proofs.covering.forms import Forms
from weightproof.proofs.covering.progression import automaton
from weightproof.proofs.covering.reading import Reading, Tables
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import all_of
from weightproof.proofs.covering.transduction import automaton as of_inputs
from weightproof.proofs.running.enclosures import Floats
from weightproof.proofs.running.forward import outputs


def sets(random: Random, construction: Construction, length: int) -> tuple[Reading, list[Words]]:
    """All words of a length, and some of them, with one token where the stream is read."""
    network = construction.encoder
    reader = automaton(network, construction.alphabet, (construction.language.characterisation,), length)
    reading = Reading(network, reader)
    every = reader.everything([True] * len(reader.outcomes))
    found = []
    for number in range(4):
        kept = np.array([number == 0 or random.random() < 0.7 for _ in range(every.edges.shape[-1])])
        some = Words(reader, every.edges & kept, every.ends).pruned()
        if some.some.all() and len(reading.places_read) == 1:
            place = reading.places_read[0]
            some = some.with_token(place, random.choice(reading.tokens_in(some, place))).pruned()
        found += [some] * bool(some.some.all())
    return reading, found


def left(reading: Reading, words: Words) -> tuple[int, int]:
    """How many words of a set were run, and how many of their logits lie outside of what encloses them: by tables of
    the set, and by those of all words."""
    ran = outputs(reading.network, [bare(reading.network, word) for word in all_of(words[0])], {})
    middle, radius = ran.values.middle[~ran.open, 0], ran.values.radius[~ran.open, 0]
    outside = np.zeros(len(middle), dtype=np.bool_)
    for tables in (None, reading.of_all):
        low, high = (side[0, 0] for side in reading.outputs(words, tables).range())
        outside |= (middle + radius < low) | (middle - radius > high)
    return len(middle), int(outside.sum())


def counted(seeds: range) -> tuple[int, int]:
    """The same of sets of words of random networks."""
    runs = outside = 0
    for seed in seeds:
        random = Random(seed)
        construction = encoder(random)
        length = random.randint(max(len(construction.encoder.markers), 1), 6)
        reading, some = sets(random, construction, length)
        for words in some:
            with np.errstate(all="ignore"):
                ran, out = left(reading, words)
            runs, outside = runs + ran, outside + out
    return runs, outside


def test_no_run_leaves_its_enclosure() -> None:
    runs, outside = counted(range(60))
    assert runs > 600
    assert outside == 0


@pytest.mark.controls
def test_no_run_of_many_leaves_its_enclosure() -> None:
    runs, outside = counted(range(1000, 3000))
    assert runs > 24_000
    assert outside == 0


def test_a_line_that_is_too_narrow_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow(activation: object, low: Floats, high: Floats) -> tuple[Floats, Floats, Floats]:
        slope, _, most = true(activation, low, high)  # type: ignore[arg-type]
        return slope, most, most

    true = read.line
    monkeypatch.setattr(read, "line", narrow)
    assert counted(range(60))[1] > 0


def test_a_quotient_that_is_not_enclosed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "between", lambda low, high: read.point(np.where(np.isfinite(high), high, low)))
    assert counted(range(60))[1] > 0


def test_a_row_that_norms_divide_by_is_enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow(x: Forms) -> tuple[Any, Floats, Floats]:
        which, least, most = true(x)
        return which, 0.9 * most + 0.1 * least, most

    true = norms._farthest
    monkeypatch.setattr(norms, "_farthest", narrow)
    assert counted(range(200))[1] > 0


def test_tables_of_other_words_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What layers read behind the first one, as if only one word were there."""

    def of_first(self: Reading, words: Words) -> Tables:
        word = next(all_of(words[0]))
        alone = self.automaton.of_word(word)
        return true(self, Words(self.automaton, alone.edges[None], alone.ends[None]))

    true = Reading.tables
    monkeypatch.setattr(Reading, "tables", of_first)
    assert counted(range(200))[1] > 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"table": ({"x": 1},) * 3}, "the decoder has 3 positions, and 7 are spoken of"),
        ({"final_norm": RootMeanSquare(0)}, "a norm whose epsilon is 0"),
        ({"arithmetic": FixedPoint(8, 4)}, "covering does not round"),
        ({"final_norm": RootMeanSquare(1, gain={"x": "i + 1"})}, "weights of a decoder that depend on the position"),
        ({"readout": Readout(Linear({"0": {"x": "n"}, "1": {"x": 1}}), "last", "argmax")}, "depend on the position"),
    ],
)
def test_what_is_not_read_of_a_decoder_is_refused_by_name(change: dict[str, Any], told: str) -> None:
    theorem = adds(2)
    items, length = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
    network = dataclasses.replace(adder(2).network, **change)  # type: ignore[type-var]
    with pytest.raises(NotCovered, match=told):
        Reading(network, of_inputs(theorem, items), length + 1)  # type: ignore[arg-type]


def test_a_table_of_positions_is_added() -> None:
    """As an encoding that says the same."""
    theorem = adds(1)
    items, length = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
    network = adder(1).network
    assert isinstance(network, Decoder)
    table = tuple({"s": f"({i}*5 + 1)/3"} for i in range(9))
    tabled = dataclasses.replace(network, table=table)
    waves = {**network.embedding.PE, "s": f"{network.embedding.PE['s']} + (i*5 + 1)/3"}
    encoded = dataclasses.replace(network, embedding=Embedding(network.embedding.WE, waves))
    reader = of_inputs(theorem, items)
    added, said, without = (Reading(each, reader, length).embedded for each in (tabled, encoded, network))
    assert (abs(added.middle - said.middle) <= added.radius + said.radius).all()  # they hold the same numbers
    assert (abs(added.middle - without.middle) > added.radius + without.radius).any(-1).all()
