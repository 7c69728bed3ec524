"""Work that is counted, and not timed: what a search tries does not depend on how busy a machine is.

A step is about what a quiet machine does in a microsecond.
"""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder

SCORE, POSITION = 3, 60
"""Steps of a run for each score, and for each position of each layer."""


@dataclass
class Work:
    """So many steps that are left."""

    left: int

    def allows(self, steps: int) -> bool:
        """Whether there is any left, before so many are done."""
        if self.left <= 0:
            return False
        self.left -= steps
        return True

    def share(self, part: float) -> Work:
        """A part of what is left, to be settled when it is done."""
        return Work(int(self.left * part))

    def settle(self, given: int, share: Work) -> None:
        """Less what a share of so many steps has used."""
        self.left -= given - max(share.left, 0)


def run_steps(construction: Construction, symbols: int) -> int:
    """Of the run of a word."""
    network = construction.network
    assert isinstance(network, Encoder)
    heads = sum(len(layer.heads) for layer in network.layers)
    return (symbols + 1) * (POSITION * (len(network.layers) + 1) + SCORE * heads * (symbols + 1))
