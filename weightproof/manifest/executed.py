"""The entries of a contest as they are executed: in floating point, on inputs that are drawn."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from weightproof.constructions.languages.transducers import laid_out
from weightproof.constructions.meaning.construction import Construction
from weightproof.numeric.decoding.networks import DecoderTransformer
from weightproof.proofs.theorem import Computes

DTYPES = ("float64", "float32", "bfloat16")
INPUTS = 10_000
TOGETHER = 1_000

Word = tuple[str, ...]


@dataclass(frozen=True)
class Executed:
    """In a dtype, on so many inputs: how many get another token than the right one, and the first of them, with what is
    appended to it."""

    dtype: str
    inputs: int
    wrong: int
    first: str

    @property
    def said(self) -> str:
        if not self.wrong:
            return f"none wrong of {self.inputs:,}"
        return f"wrong: {self.wrong:,} of {self.inputs:,}"


def executed(construction: Construction, theorem: Computes, dtype: str, inputs: int) -> Executed:
    """Of a decoder, its attention computed as it stands (`explicit`), on the CPU."""
    model = DecoderTransformer(construction, {}, dtype, "cpu", "explicit")
    wrong, first, left = 0, "", drawn(theorem, inputs)
    while some := [*itertools.islice(left, TOGETHER)]:
        steps = [each.tokens for each in itertools.islice(model.generate([p for p, _ in some]), len(some[0][1]))]
        for (prompt, right), appended in zip(some, zip(*steps, strict=True), strict=True):
            if appended != right:
                wrong += 1
                first = first or f"{''.join(prompt)} {''.join(appended)}, not {''.join(right)}"
    return Executed(dtype, inputs, wrong, first)


def drawn(theorem: Computes, count: int) -> Iterator[tuple[Word, Word]]:
    """Prompts of two tracks, the same ones each time, each with what is to be appended. Every other one has in each
    slot, but for one, on the second track the letter that mirrors that of the first one: of digits such as add up to
    9, over which a carry goes far."""
    transducer, random = theorem.transducer, Random(0)
    items, prompt = laid_out(transducer, theorem.prompt, theorem.backward)
    names, (one, two) = [*transducer.tracks], transducer.tracks.values()
    of_slots = [[*transducer.choices(slot)] for slot in range(transducer.count)]
    for number in range(count):
        other = random.randrange(transducer.slots)
        state, there = transducer.start, list[dict[str, str]]()
        for slot, choices in enumerate(of_slots):
            letters = random.choice(choices)
            if number % 2 and slot < transducer.slots and slot != other:
                letters = (letters[0], two[-1 - one.index(letters[0])])
            state, written = transducer.written(state, letters)
            there.append({"": written, **dict(zip(names, letters, strict=True))})
        word = tuple(item if isinstance(item, str) else there[item[1]][item[0]] for item in items)
        yield word[:prompt], word[prompt:]
