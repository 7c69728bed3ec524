"""What Fraknói (2024) prints in formulas that are about no network in particular: sections 2, 3.1, 4 and 5."""

from weightproof.constructions.claims.published import Claims, Printed
from weightproof.constructions.fraknoi2024.formulas import attention, heads, modular, normalising, training
from weightproof.constructions.fraknoi2024.formulas.naming import NAME

printed = Printed(
    "formulas of a framework for transformers, and of addition modulo 113",
    "Fraknói (2024), sections 2, 3.1, 4 and 5",
    Claims(
        NAME,
        *normalising.CLAIMS,
        *attention.CLAIMS,
        *training.CLAIMS,
        *modular.CLAIMS,
        *heads.CLAIMS,
        notation="An entry of the vector w is called x, and scores are called so, too; sizes are natural numbers. "
        "Of halvings h is log_2 a and s the number of steps; z is y_i (r W_s + b_s). Of subsets s heads of h are in S. "
        "Of AdamW x is theta, g the gradient, l is lambda and e epsilon.",
    ),
)
