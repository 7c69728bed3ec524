"""The experiments of Fraknoi (2024), section 5: networks of one layer of attention, and what is not as in print."""

from collections.abc import Sequence

from weightproof.constructions.fraknoi2024.noisy_majority import DIGITS
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout
from weightproof.numeric.learning.architecture import Architecture, Begin, Constant, Normal, free, named

TOKENS = ("[BOS]", *DIGITS, "=", "4", "5", "[EOS]")
"""Section 5.1."""

APART = (
    "There is no dropout; in print a tenth of what is embedded, and of what heads find, is left out.",
    "10 seeds and 200 epochs, where print has 100 runs and about 900 epochs.",
    "What is trained is the answer behind '=' and [EOS] behind the answer; section 2.6 has all positions, and digits "
    "are random.",
    "There is no layer normalisation: section 2.3 has one before attention, behind which a stream of two coordinates "
    "has two directions, and there are three digits.",
    "Section 2.7 does not say how W_V, the output layer, and its bias begin: here the first two as W_Q, the last as 0.",
    "The 76 words of 7500 that are left when 58 times 128 are taken are not used in that epoch.",
    "Lines are judged on words of validation, where definition 5.2 has those of the test.",
    "Of section 5.5 no epoch of the best weights is said for networks that still lose heads; here the fewest heads are "
    "best, and of these the epoch with the best validation accuracy.",
)


def network(width: int, heads: int) -> Architecture:
    """Section 5.2: one layer of attention, without a feed-forward network, without position encodings, and without an
    output matrix: each of the heads writes into width/heads coordinates of its own. It begins as in section 2.7."""
    coordinates, each = named("x", width), width // heads

    def head(number: int) -> Head:
        names = named("q", each)
        own = coordinates[number * each : (number + 1) * each]
        return Head(W_V=free(own), W_Q=free(names), W_K=free(names), mask="causal", scale=f"1/sqrt({each})")

    spread = Normal((2 / 3 / width) ** 0.5)
    begins: dict[str, Begin] = {
        "W_E": Normal(width**-0.5),
        **dict.fromkeys(("W_Q", "W_K", "W_V", "W_U"), spread),
        "b_U": Constant(0),
    }
    outputs: Sequence[str] = ("4", "5", *(token for token in TOKENS if token not in ("4", "5")))
    return Architecture(
        Encoder(
            coordinates=coordinates,
            embedding=Embedding(free(TOKENS)),
            layers=(Layer(heads=tuple(map(head, range(heads)))),),
            readout=Readout(Linear(free(outputs)), position="last", accept="argmax"),
            begin="[BOS]",
            end="=",
        ),
        begins,
    )
