"""How a computed logit decides: by the construction's own rule, and by the rules that papers and their code use."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from weightproof.constructions.meaning.schema import Encoder
from weightproof.numeric.choices import MODEL
from weightproof.numeric.model.transformer import Transformer


@dataclass(frozen=True)
class Rule:
    """A name, as tables print it, and the tolerance of a rule that has one."""

    name: str
    tolerance: float | None = None

    def accepts(self, model: Transformer, logits: torch.Tensor) -> torch.Tensor:
        """Whether computed logits accept, bool, shape [words]. A logit that is no number accepts nothing."""
        if self.name == "logit > 0":
            return logits > 0
        if self.name == "logit = 0":
            return logits == 0
        if self.tolerance is not None:
            return logits.double().abs() <= self.tolerance
        return model.probabilities(logits) > 0.5


PROBABILITY = Rule("probability > 1/2")
"""The sigmoid of the logit, computed in the dtype, is above 1/2: Chiang and Cholak (2022), section 2."""


def rules(network: Encoder, tolerance: float | None) -> tuple[Rule, ...]:
    """The construction's own rule, then the probability for a sign, or the tolerance, if given, for an equality."""
    if MODEL.accepts_above(network.readout.accept):
        return Rule("logit > 0"), PROBABILITY
    own = Rule("logit = 0")
    return (own,) if tolerance is None else (own, Rule(f"|logit| <= {tolerance:g}", tolerance))
