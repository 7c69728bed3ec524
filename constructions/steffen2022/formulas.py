"""What Steffen et al. (2022) print in formulas that are about no network in particular: section 3."""

from weightproof.constructions.claims.formulas import Always
from weightproof.constructions.claims.published import Claims, Printed, slips

NAME = "steffen2022-formulas"
COLUMNS = "0 <= 2*j and 2*j + 1 <= d - 1"
SLIPS = slips(
    "steffen2022",
    NAME,
    "range-of-j: There are two columns for each $j$, and so half as many $j$ as columns, from 0 on.",
    r"section 3: for $j \in [0, \frac{d}{2} - 1]$, where $d$ is even, columns $2j$ and $2j + 1$ are among the $d$ "
    "columns",
    Always(COLUMNS, {"j": "integer", "d": "natural"}, "0 <= j and j <= d/2 - 1 and d % 2 == 0"),
)

printed = Printed(
    "the position encoding of the experiments",
    "Steffen et al. (2022), section 3",
    Claims(
        NAME,
        "section 3",
        "range-of-j: $PE(i, 2j)$ and $PE(i, 2j + 1)$ for $j = [1, d]$ are among the $d$ columns",
        Always(COLUMNS, {"j": "integer", "d": "natural"}, "1 <= j and j <= d"),
        SLIPS["range-of-j"],
        notation="Columns are counted from 0.",
    ),
)
