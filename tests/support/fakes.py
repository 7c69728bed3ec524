"""For the suites of the precision search: a model that is right but for what a test plants, and quick measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import pytest
import torch

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.measuring import logits
from weightproof.numeric.certificate import scaling
from weightproof.numeric.certificate.certificate import Margin
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.search import search as module

Wrong = Callable[[str, int], bool]
"""Whether a word is misclassified in a batch of so many words."""


class Fake:
    """Logits 1 and -1, or what `logit` says; every batch that is run is kept."""

    quadratic = False

    def __init__(
        self, name: str, wrong: Wrong = lambda word, size: False, logit: Callable[[str], float] | None = None
    ) -> None:
        self.construction = load(name)
        network = self.construction.network
        assert isinstance(network, Encoder)
        self.network, self.wrong, self.logit = network, wrong, logit
        self.names = parameter_values(self.construction)
        self.format, self.dtype, self.device = FORMATS["bfloat16"], torch.bfloat16, torch.device("cpu")
        self.strict = None
        self.batches: list[list[str]] = []

    def logits(self, words: Sequence[str]) -> torch.Tensor:
        self.batches.append([*words])
        found = []
        for word in words:
            right = is_member(self.construction, word, self.names) != self.wrong(word, len(words))
            found.append((1.0 if right else -1.0) if self.logit is None else self.logit(word))
        return torch.tensor(found, dtype=torch.float64)

    def probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(logits)

    @property
    def model(self) -> Transformer:
        """Itself, where a model is asked for."""
        return cast(Transformer, self)

    def lengths(self) -> set[int]:
        """Of the words that were run."""
        return {len(word) for batch in self.batches for word in batch}


def quickly(patch: pytest.MonkeyPatch, margins: Callable[..., list[Margin]], effort: int = 1 << 16) -> None:
    """Makes `precision` quick: little effort, the law u^-1/2 for every certificate, and other margins."""
    patch.setattr(logits, "EFFORT", effort)
    patch.setattr(module, "MOST_EXHAUSTED", effort >> 4)
    patch.setattr(scaling, "certified_points", lambda *given: [(8, 16), (10, 32)])
    patch.setattr(logits, "proved_margins", margins)
