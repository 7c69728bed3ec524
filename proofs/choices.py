"""What the prover is called where it refuses a choice of a network, or a kind of theorem, that it does not know."""

from weightproof.constructions.meaning.choices import Choices

PROVER = Choices("the prover")
