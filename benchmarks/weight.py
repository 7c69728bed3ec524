"""Figure 3 of Chiang and Cholak (2022): PARITY against the one weight that counts 1s: `make curves`.

Measured is the network under layer normalisation with epsilon = 0, as they run it, in PyTorch, on random words; the
weight is set before the network gets its opposites, which then have it, too. Beside it stands what the closed form
makes of the weight, that of the network without norms, derived anew at each value: the share of all words of the length
that it decides rightly, as a logit depends on the number of 1s alone. Writes benchmarks/results/weight-cpu.json, from
which `pictures` draws.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from curves import SHARP, accuracy, cross_entropy, drawn

from weightproof.constructions.files import write
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.transforms.by_name import transformed
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.forward import derive

RESULTS = Path(__file__).parent / "results" / "weight-cpu.json"
NORMS = ("remove-centering", "layer-norm:epsilon=0")
COUNTS = "set-weight:layer=1,head=1,part=W_V,row=k/n,column=[w=1],to={weight}"
"""Row 6, column 2 of their figure: 1 where it is right."""
WEIGHTS = tuple(str(Fraction(number, 200)) for number in range(120, 281))
LENGTH, WORDS = 40, 1_000

Row = dict[str, Any]


def measured(weight: str) -> tuple[float, float]:
    """Accuracy and cross-entropy, in bits, of random words in float64."""
    from weightproof.numeric.model.transformer import Transformer

    construction = transformed(load("parity"), (COUNTS.format(weight=weight), *NORMS, SHARP))
    model = Transformer(construction)
    words = drawn(construction.language, "random", LENGTH, WORDS)
    members = np.array([is_member(construction, word, model.names) for word in words])
    logits = model.logits(words).double().numpy()
    return accuracy(logits > 0, members), cross_entropy(logits, members)


def derived(weight: str) -> tuple[float, float]:
    """The share of words that the closed form decides rightly, and what they cost, as with opposites the width is twice
    as much, and so all logits are sqrt(d) or -sqrt(d)."""
    construction = transformed(load("parity"), (COUNTS.format(weight=weight),))
    derivation = derive(construction)
    right = sum(comb(LENGTH, ones) for ones in range(LENGTH + 1) if _is_right(derivation, ones)) / 2**LENGTH
    logit = np.sqrt(len(construction.encoder.coordinates))
    return right, float(right * np.log2(1 + np.exp(-logit)) + (1 - right) * np.log2(1 + np.exp(logit)))


def _is_right(derivation: Derivation, ones: int) -> bool:
    construction = derivation.construction
    word, values = "1" * ones + "0" * (LENGTH - ones), parameter_values(construction)
    logit = evaluate_logit(derivation, add_markers(construction.encoder, word), values)
    return (sign(logit) > 0) == is_member(construction, word, values)


def rows(weights: tuple[str, ...] = WEIGHTS, tell: Callable[[str], None] = lambda line: None) -> list[Row]:
    """All that the picture shows."""
    found = []
    for weight in weights:
        tell(f"PARITY, weight {weight}")
        numeric, exact = measured(weight), derived(weight)
        names = ("accuracy", "cross-entropy", "derived accuracy", "derived cross-entropy")
        found.append({"weight": weight, "length": LENGTH, **dict(zip(names, (*numeric, *exact), strict=True))})
    return found


def main() -> None:
    found = rows(tell=lambda line: print(line, file=sys.stderr, flush=True))
    write(RESULTS, '{"rows": [\n' + ",\n".join(map(json.dumps, found)) + "\n]}\n")


if __name__ == "__main__":
    main()
