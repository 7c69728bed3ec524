"""What the abstract of Kozachinskiy and Steifer (2025) says, of weights of ours: those of the paper we did not have."""

from weightproof.constructions.claims import statements as says
from weightproof.constructions.claims.published import Claims

claims = Claims(
    "parity-uniform",
    "abstract",
    "layers: the transformer has three layers",
    says.Count("layers", 3),
    "PE: the positional encoding does not depend on the input length",
    says.Domain("PE", "i"),
    notation="The weights are ours, after the paper's idea, and so the claims are those of its abstract.",
)
