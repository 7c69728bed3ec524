"""What Steffen et al. (2022) print about the cross-entropy of another paper's networks: section 1."""

from weightproof.constructions.chiang2022.transformed import EXACTLY, SHARPEN
from weightproof.constructions.claims.published import Claims, Reading, slips
from weightproof.constructions.claims.statements import CrossEntropy

NOT_EMPTY, SMALL = "n >= 2", "eta < 1/4"
SLIPS = slips(
    "steffen2022",
    "parity",
    r"close-to-zero: What Chiang and Cholak (2022) bring it close to is 0: at most $\eta$, any positive number; 1 "
    "bit is what it costs not to decide at all.",
    "Steffen et al. (2022), section 1: the cross entropy can be arbitrarily close to zero by adding layer "
    r"normalization: of PARITY, words not empty, it is at most $\eta$ for $\eta < \frac{1}{4}$",
    CrossEntropy("<=", "eta", f"{NOT_EMPTY} and {SMALL}"),
    transforms=(*EXACTLY, SHARPEN),
)

claims = (
    Claims(
        "parity",
        "Steffen et al. (2022), section 1",
        "parity-sharpened/close-to-one: the cross entropy can be arbitrarily close to one by adding layer "
        r"normalization: of PARITY, words not empty, it is less by at most $\eta$, for $\eta < \frac{1}{4}$",
        Reading(CrossEntropy(">=", "1 - eta", f"{NOT_EMPTY} and {SMALL}"), "one nat"),
        Reading(CrossEntropy(">=", "log(2) - eta", f"{NOT_EMPTY} and {SMALL}"), "one bit"),
        SLIPS["close-to-zero"],
        transforms=(*EXACTLY, SHARPEN),
        notation="The network is that of Chiang and Cholak (2022), of which the sentence speaks.",
    ),
)
