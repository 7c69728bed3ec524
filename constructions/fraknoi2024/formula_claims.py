"""What Fraknói (2024) prints in formulas that are about no network in particular: sections 2, 3.1 and 4."""

from weightproof.constructions.claims.published import Claims, Formulas
from weightproof.constructions.fraknoi2024 import attention_claims, modular_claims, normalising_claims, training_claims
from weightproof.constructions.fraknoi2024.naming import NAME

printed = Formulas(
    "formulas of a framework for transformers, and of addition modulo 113",
    "Fraknói (2024), sections 2, 3.1 and 4",
    Claims(
        NAME,
        *normalising_claims.CLAIMS,
        *attention_claims.CLAIMS,
        *training_claims.CLAIMS,
        *modular_claims.CLAIMS,
        notation="An entry of the vector w is called x, and scores are called so, too; sizes are natural numbers.",
    ),
)
