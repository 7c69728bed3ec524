"""What is certified of all words of a length at once: bounds that hold of each, and that find what is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from weightproof.constructions.library import AS_PRINTED, FAMILIES, simulation_of
from weightproof.constructions.machines.rnn import read
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.running import decode
from weightproof.constructions.meaning.schema import Embedding
from weightproof.numeric.decoding.networks import EncoderDecoderTransformer
from weightproof.numeric.rounding.formats import FORMATS, Format
from weightproof.numeric.simulation import reading
from weightproof.numeric.simulation.certificate import Array, Bounds, Seen, bounds_of_outputs
from weightproof.numeric.simulation.reading import (
    BEHIND,
    ByCounts,
    ByPlaces,
    Known,
    Read,
    Reading,
    certified,
    first_misread,
    reader,
)

SHORT = Format("short", 4, -126, 127)
"""It counts to 16."""
FORMAT_OF = {**FORMATS, SHORT.name: SHORT}


def simulation(family: str) -> Simulation:
    return simulation_of(family, reader())


def bounds_on(reading: Reading, word: str) -> Iterator[Bounds]:
    """Of the run that goes on as one with that of the word, [1, coordinates], step after step to the end."""
    found: Read | None = reading.begun()
    counts = np.zeros(len(reading.tokens))
    for step, token in enumerate(itertools.islice(read(reader(), word), len(word) + 2 + BEHIND)):
        assert found is not None
        known, last = found.known, reading.tokens.index(token)
        if reading.memory.counts_tokens and step <= len(word) + 1:
            counts[last] += 1
        length = len(word) if step > len(word) else -1
        same = (known.last == last) & (known.length == length) & (known.counts == counts).all(1)
        assert same.sum() == 1, (word, step)
        yield Bounds(*(part[same] for part in found.z.parts))
        found = reading.after(found, step + 1)


def outside(family: str, word: str, dtype: str) -> list[tuple[int, str, str]]:
    """Where what is computed is farther from the exact number than the bound says."""
    network = simulation(family).network
    bound = list(bounds_on(Reading(simulation(family), len(word) + 1, FORMATS[dtype]), word))
    model = {
        kind: EncoderDecoderTransformer(network, ("a", "b"), dtype, attention=kind)([word], len(bound))[0].double()
        for kind in ("strict", "explicit")
    }
    found = []
    for step, (z, h) in enumerate(zip(decode(network, word), bound, strict=False)):
        for place, name in enumerate(network.coordinates):
            true = Fraction(int(z[name].p), int(z[name].q))  # type: ignore[union-attr]
            said = {kind: (float(vectors[step, place]), h.off[0, place]) for kind, vectors in model.items()}
            said["beside"] = float(h.beside[0, place]), h.beside_off[0, place]
            found += [
                (step, name, kind)
                for kind, (value, off) in said.items()
                if np.isfinite(off) and not abs(Fraction(value) - true) <= Fraction(float(off))
            ]
    return found


@pytest.mark.parametrize("family", [*FAMILIES, *AS_PRINTED])
@settings(max_examples=3, deadline=None, phases=[Phase.generate])
@given(st.text("ab", max_size=7), st.sampled_from(sorted(FORMATS)))
def test_no_run_is_farther_off_than_its_bound(family: str, word: str, dtype: str) -> None:
    assert outside(family, word, dtype) == []


def narrower(family: str, word: str, format: Format) -> list[int]:
    """At which steps a bound is less than the one of the word alone, by more than float64 rounds."""
    alone = bounds_of_outputs(simulation(family).network, [word], format)
    together = bounds_on(Reading(simulation(family), len(word) + 1, format), word)
    return [
        step
        for step, (one, all_) in enumerate(zip(alone, together, strict=False))
        if _is_less(all_.off, one.off) or _is_less(all_.beside_off, np.abs(one.beside - all_.beside) + one.beside_off)
    ]


def _is_less(bound: Array, other: Array) -> bool:
    """No number is no bound."""
    left, right = (np.where(np.isnan(each), np.inf, each) for each in (bound, other))
    return bool((left * (1 + 1e-6) + 1e-15 < right).any())


WORDS = ("", "b", "aab", "abba", "a" * 17 + "b", "ab" * 9)


@pytest.mark.parametrize(
    ("family", "dtype"),
    [
        ("rnn-by-encoder-decoder", SHORT.name),
        *(pytest.param("rnn-by-directional", dtype, marks=pytest.mark.controls) for dtype in ("bfloat16", SHORT.name)),
    ],
)
def test_what_is_known_of_a_word_alone_is_known_of_no_fewer(family: str, dtype: str) -> None:
    """In the short format more than one position is looked at behind position 16."""
    assert [word for word in WORDS if narrower(family, word, FORMAT_OF[dtype])] == []


def only_the_first(right: Any) -> Any:
    """Runs that go on as one, without what the others are off."""

    def forgetful(found: Read) -> Read:
        known = np.column_stack([found.known.length, found.known.last, found.known.counts])
        return reading._some(found, np.unique(known, axis=0, return_index=True)[1])

    return forgetful


def certain_alone(right: Any) -> Any:
    """Without positions of which the token is not known."""

    def forgetful(memory: ByPlaces, step: int, causal: bool) -> Seen:
        seen: Seen = right(memory, step, causal)
        return Seen(seen.first, seen.least, seen.least)

    return forgetful


def uncounted(right: Any) -> Any:
    """Each token once, however often it stands there."""

    def forgetful(memory: ByCounts, known: Known) -> None:
        right(memory, replace(known, counts=np.minimum(known.counts, 1)))

    return forgetful


FORGOTTEN: dict[str, tuple[Any, str, Callable[[Any], Any], str]] = {
    "other runs": (reading, "_as_one", only_the_first, "rnn-by-directional"),
    "other positions": (ByPlaces, "seen", certain_alone, "rnn-by-encoder-decoder"),
    "how many": (ByCounts, "stand", uncounted, "rnn-by-directional"),
}


@pytest.mark.controls
@pytest.mark.parametrize("forgotten", FORGOTTEN.values(), ids=FORGOTTEN)
def test_what_is_forgotten_is_noticed(forgotten: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, forgets, family = forgotten
    monkeypatch.setattr(owner, name, forgets(getattr(owner, name)))
    assert [word for word in WORDS if narrower(family, word, SHORT)] != []


@pytest.mark.controls
@pytest.mark.parametrize(("dtype", "length"), [("float16", 20), ("bfloat16", 52)])
def test_a_certified_length_is_below_every_failing_one(dtype: str, length: int) -> None:
    masks = simulation("rnn-by-directional")
    safe = certified(masks, FORMATS[dtype], length)
    found = [first_misread(masks, dtype, "cpu", kind, length)[0] for kind in ("strict", "explicit")]
    assert found[0] is not None
    assert safe is not None
    assert all(safe < len(each.word) for each in found if each is not None)


def test_how_much_is_certified() -> None:
    """With positions all words, as long as the format counts them; without, as long as 2^-t tells the end."""
    positions, masks = (simulation(family) for family in FAMILIES)
    assert certified(positions, SHORT, 40) == 16 - 2 - BEHIND - 1
    assert certified(positions, FORMATS["bfloat16"], 40) == 40
    assert [certified(masks, FORMATS[dtype], 15) for dtype in FORMATS] == [15, 12, 0, 1]


def test_a_reader_of_something_else_is_not_certified() -> None:
    """Of 0.4 of the token nothing is nearer than 1/2 to it, and of 0.6 all is."""
    for weight, safe in (("2/5", 0), ("3/5", 3), ("-1", 0)):
        [unit] = reader().units
        rnn = replace(reader(), W_x=replace(reader().W_x, weights={unit: {reader().inputs[0]: weight}}))
        for family in FAMILIES:
            found = certified(simulation_of(family, rnn), FORMATS["float64"], 3)
            assert found == safe, (family, weight)


def test_what_depends_on_the_length_is_not_covered() -> None:
    whole = simulation("rnn-by-encoder-decoder")
    encoder = whole.network.encoder
    other = replace(
        whole.network, encoder=replace(encoder, embedding=Embedding(encoder.embedding.WE, {"j": "i", "1": "n/n"}))
    )
    assert certified(replace(whole, network=other), FORMATS["float64"], 2) is None
    cut = replace(whole.network.layers[0], cross_residual=False)
    assert certified(replace(whole, network=replace(whole.network, layers=(cut,))), FORMATS["float64"], 2) is None
