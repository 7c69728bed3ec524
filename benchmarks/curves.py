"""Accuracy and cross-entropy against the length of words, as the papers draw them: `make curves`.

Writes benchmarks/results/curves-cpu.json, from which `pictures` draws; the measurements are listed in CURVES. Words are
the same in every run. Strict arithmetic gives the same numbers on every machine; explicit attention may not.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from weightproof.constructions.files import write
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.construction import Language
from weightproof.constructions.transforms.by_name import transformed

if TYPE_CHECKING:
    from weightproof.numeric.model.transformer import Rule, Transformer

RESULTS = Path(__file__).parent / "results" / "curves-cpu.json"

WORDS = 1_000
"""Of each length: Chiang and Cholak (2022), figure 2."""
SYMBOLS = 200_000
"""Of all words of one length in strict arithmetic, which takes up to 5 microseconds for each: fewer words beyond."""
FEWEST = 100
"""Words of each length, however long: their accuracy is off by 0.05, one standard deviation."""
A_DECADE = 20
TOLERANCE = 1e-7
"""Within which the code of Nowak et al. (2022) takes a logit for 0."""
CROSS_ENTROPY = "cross-entropy"

SHARP = "sharpen:eta=log(1 + exp(-sqrt(d/2)))"
"""The last layer of proposition 2 with a readout of weight 1, as the code of Chiang and Cholak (2022) runs it."""
NORMS: dict[str | None, tuple[str, ...]] = {
    None: (),
    "1/100000": ("remove-centering", "layer-norm:epsilon=1/100000", f"{SHARP},epsilon=1/100000"),
    "0": ("remove-centering", "layer-norm:epsilon=0", SHARP),
}
"""The curves of their figure 2, by epsilon: without layer normalisation, and with two of them."""
NORMED = ("parity", "first", "one", "palindrome-isometric", "dyck1-margin", "dyck1-depth-margin")
"""The constructions that are right under layer normalisation, and accept where the logit is positive."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Curve:
    """What is measured against the length: the share of words decided rightly by a rule, or the cross-entropy in bits.

    words: "random", as the language's source draws them, or the name of one of the language's hard families; after: the
    transformations of the construction.
    """

    picture: str
    construction: str
    c: str
    dtype: str
    attention: str
    measure: str
    words: str
    lengths: tuple[int, ...]
    symbols: int = SYMBOLS
    after: tuple[str, ...] = ()

    @property
    def key(self) -> Row:
        """What tells a curve from the others."""
        named = {name: value for name, value in asdict(self).items() if name not in ("lengths", "symbols")}
        return named | {"after": [*self.after]}  # as JSON has it

    def measured(self) -> Row:
        """The curve with its values, and the number of words that each of them rests on."""
        from weightproof.numeric.model.transformer import Transformer

        construction = transformed(load(self.construction), self.after)
        given = {"c": self.c} if any(parameter.name == "c" for parameter in construction.parameters) else {}
        model = Transformer(construction, given, self.dtype, "cpu", self.attention)
        value, count, values, counts = self._value(model), self._count, [], []
        for length in self.lengths:
            words = drawn(construction.language, self.words, length, count(length))
            members = np.array([is_member(construction, word, model.names) for word in words])
            values.append(value(model, words, members))
            counts.append(len(words))
        return {**self.key, "lengths": [*self.lengths], "counts": counts, "values": values}

    def _count(self, length: int) -> int:
        return max(FEWEST, min(WORDS, self.symbols // length))

    def _value(self, model: Transformer) -> Callable[[Transformer, list[str], np.ndarray], float]:
        from weightproof.numeric.model.transformer import rules

        if self.measure == CROSS_ENTROPY:
            return lambda model, words, members: cross_entropy(model.logits(words).double().numpy(), members)
        rule: Rule = next(rule for rule in rules(model.network, TOLERANCE) if rule.name == self.measure)
        return lambda model, words, members: accuracy(rule.accepts(model, model.logits(words)).numpy(), members)


def drawn(language: Language, words: str, length: int, count: int) -> list[str]:
    """Words of one length, the same every time: `count` random ones, or about as many of a hard family."""
    if words == "random":
        random = Random(length)
        return [language.sample(random, length) for _ in range(count)]
    return [*language.families[words](length, count)]


def accuracy(accepted: np.ndarray, members: np.ndarray) -> float:
    """The share of words that are accepted if and only if they are members."""
    return float((accepted == members).mean())


def cross_entropy(logits: np.ndarray, members: np.ndarray) -> float:
    """The mean over words of -log2 of the probability that the sigmoid of the logit gives to the right answer, in bits.

    That is log2(1 + e^-x) for the logit x of a member, and log2(1 + e^x) for another word's: Chiang and Cholak (2022),
    section 2. Computed in float64.
    """
    towards = np.where(members, logits, -logits).astype(np.float64)
    return float(np.logaddexp(0.0, -towards).mean() / math.log(2))


def spaced(most: int, least: int = 1) -> tuple[int, ...]:
    """Whole numbers from `least` to `most`, about A_DECADE of them between each power of ten and the next.

    Rounded powers of 10^(1/A_DECADE) are odd and even alike, and seldom powers of two, beside which rounding is kind.
    """
    numbers = (round(10 ** (step / A_DECADE)) for step in range(round(A_DECADE * math.log10(most)) + 1))
    return tuple(dict.fromkeys(number for number in numbers if least <= number <= most))


def curves() -> Iterator[Curve]:
    """All that is measured.

    PARITY by sign, in strict arithmetic. PALINDROME as in Nowak et al. (2022), figure 2 and section 4.1: every length
    up to 200, attention by products of matrices and explicit, a logit counting as 0 within 1e-7; c = log(2) are the
    printed weights, and 1/sqrt(6) is what their code runs, which leaves W_Q at 1 with a head width of 6. In float64 it
    is seen what of this is due to the tolerance alone. Cross-entropy as in Chiang and Cholak (2022), figure 2: without
    layer normalisation in two formats, and with it in float64.
    """
    for dtype, most in (("bfloat16", 1_000), ("float16", 2_000), ("float32", 32_000)):
        for words in ("random", "each count"):
            yield Curve("accuracy-parity", "parity", "log(2)", dtype, "strict", "logit > 0", words, spaced(most))
    within, every = f"|logit| <= {TOLERANCE:g}", tuple(range(1, 201))
    for c in ("log(2)", "1/sqrt(6)"):
        for dtype, attention, rule in (
            ("float32", "matmul", within),
            ("float32", "explicit", within),
            ("float64", "explicit", within),
            ("float32", "strict", "logit = 0"),
        ):
            yield Curve("accuracy-palindrome", "palindrome", c, dtype, attention, rule, "random", every)
    for name in ("parity", "first"):
        for dtype, attention in (("float32", "strict"), ("float64", "explicit")):
            lengths, symbols = spaced(2_000), WORDS * 2_000
            yield Curve("cross-entropy", name, "log(2)", dtype, attention, CROSS_ENTROPY, "random", lengths, symbols)
    for name in NORMED:
        for after in NORMS.values():
            yield Curve(
                "layer norm", name, "log(2)", "float64", "explicit", CROSS_ENTROPY, "random", spaced(1_000),
                WORDS * 1_000, after,
            )  # fmt: skip


def payload(wanted: Sequence[Curve], tell: Callable[[str], None] = lambda line: None) -> Row:
    """Machine and curves, measured here and now."""
    from weightproof.measuring.machine import machine

    rows = []
    for number, curve in enumerate(wanted, start=1):
        tell(f"{number}/{len(wanted)} {curve.construction} c={curve.c} {curve.dtype} {curve.measure}, {curve.words}")
        rows.append(curve.measured())
    return {"machine": machine(), "curves": rows}


def written(found: Mapping[str, Any]) -> str:
    """The payload as JSON, one curve a line, so that a difference between two files can be read."""
    lines = ",\n".join(json.dumps(row) for row in found["curves"])
    return f'{{"machine": {json.dumps(found["machine"], indent=1)},\n"curves": [\n{lines}\n]}}\n'


def main() -> None:
    found = payload([*curves()], lambda line: print(line, file=sys.stderr, flush=True))
    RESULTS.parent.mkdir(exist_ok=True)
    write(RESULTS, written(found))


if __name__ == "__main__":
    main()
