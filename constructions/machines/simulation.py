"""A transformer that is said to simulate a recurrent network: Bhattamishra et al. (2020), section 4."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.constructions.meaning.validation import ConstructionError, refuse_malformed


@dataclass(frozen=True)
class Simulation:
    """An encoder-decoder whose output vector at step t is said to hold h_t, in coordinates that are named like the
    units; a malformed one raises ConstructionError."""

    name: str
    title: str
    source: str
    rnn: RNN
    network: EncoderDecoder

    def __post_init__(self) -> None:
        refuse_malformed(self.name, self.network, self.rnn.alphabet)
        if (self.network.encoder.begin, self.network.encoder.end) != (BEGIN, END):
            raise ConstructionError(f"{self.name}: the word stands between {BEGIN!r} and {END!r}, as for the RNN")
        missing = [unit for unit in self.rnn.units if unit not in self.network.coordinates]
        if missing:
            raise ConstructionError(f"{self.name}: decoder: no coordinate for the unit {missing[0]!r}")
