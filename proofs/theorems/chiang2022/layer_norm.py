"""Layer normalisation leaves decisions alone, for every epsilon >= 0: Chiang and Cholak (2022), section 4.

The paper's argument treats the scale of a row as one constant; it differs from row to row. For FIRST and ONE that is no
matter, as the logit has it as a factor. For PARITY it stands in exponents, and neighbouring positions are compared. For
the Dyck languages it stands in the sum over positions: S1 adds R(j)/(j+1) for a violation at j, which outweighs the
R(n-1)/n that a balanced end earns, as the square of (j+1)/R(j) is at most that of n/R(n-1). That S1 is at most what j
adds is not needed for these weights, but for some that decide the same words.

For others of these the mean of a row grows with the brackets that are closed too many, or opened too deep, and with it
what the last position earns. There S1 is at most -e R(j)/(j+1) for so many brackets e, as e/(j+1) R(j) is at least
(e-2)/(j+2) R(j+1) where e falls, and at least e/(j+2) R(j+1) where it grows. At the last position, whose row has
another mean, the logit itself decides.

For palindromes it is wrong. The scale of a row with its position i in it is about 1/i: the normalised positions,
and with them the weights of the positions, are no powers of one base any more, and the two halves are numbers that lie
closer together than 1/Z.
"""

from weightproof.constructions.chiang2022.transformed import NORMALISED
from weightproof.proofs.theorem import Decides, Transformed

OUTWEIGHED = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j) "
    "and (w[j] != '0' or count('1', j) < count('0', j))) "
    "or (not so_far and S1 <= 0 and S1 <= S1_added and (count('1') != count('0') or S1 <= -reward))"
)


UNVIOLATED = "so_far and S1 == 0 and count('1', j) <= count('0', j) and (w[j] != '0' or count('1', j) < count('0', j))"
VIOLATED = (
    "not so_far and S1 <= 0 and S1 <= -S1_least*(count('1', j) - count('0', j)) "
    "and (count('1') != count('0') or S1 <= -reward)"
)
DECIDED = (
    "(so_far and count('1') == count('0') and logit > 0) or ((not so_far or count('1') != count('0')) and logit <= 0)"
)


def until_the_end(unviolated: str, violated: str) -> str:
    """What holds before the last position, and that the last one decides as it should."""
    return f"(j < n - 1 and (({unviolated}) or ({violated}))) or (j == n - 1 and ({DECIDED}))"


IN_EXCESS = until_the_end(UNVIOLATED, VIOLATED)
IN_EXCESS_OR_DEPTH = until_the_end(
    f"{UNVIOLATED} and count('0', j) - count('1', j) <= D",
    f"{VIOLATED} and S1 <= -S1_least*(count('0', j) - count('1', j) - D)",
)


def recognises(construction: str, statement: str, *invariants: str) -> Transformed:
    """invariants: those of a proof by induction, in the order in which they are tried."""
    first, or_else = (invariants[0], invariants[1:]) if invariants else (None, ())
    return Transformed(construction, NORMALISED, (Decides("recognises", statement, invariant=first, or_else=or_else),))


BALANCED = "accepts exactly the balanced words"

theorems = (
    recognises("parity", "accepts exactly the words with an odd number of 1s, for every c > 0"),
    recognises("first", "accepts exactly the words that start with 1, for every c > 0"),
    recognises("one", "accepts exactly the words with exactly one 1"),
    recognises("dyck1", BALANCED, OUTWEIGHED, IN_EXCESS),
    recognises("dyck1-margin", BALANCED, OUTWEIGHED, IN_EXCESS),
    recognises("dyck1-depth", f"{BALANCED} nested at most D deep, for every D >= 0", OUTWEIGHED, IN_EXCESS_OR_DEPTH),
    recognises(
        "dyck1-depth-margin", f"{BALANCED} nested at most D deep, for every D >= 0", OUTWEIGHED, IN_EXCESS_OR_DEPTH
    ),
    Transformed(
        "palindrome-margin",
        NORMALISED,
        (Decides("recognises", "accepts exactly the palindromes", expected="refuted"),),
    ),
)
