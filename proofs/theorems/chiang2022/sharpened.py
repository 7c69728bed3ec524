"""Cross-entropy eta for every word of every length: Chiang and Cholak (2022), proposition 2.

A logit s costs log(1 + e^-s) nats where the word is accepted rightly, and log(1 + e^s) where it is rejected rightly.
That is eta for |s| = -log(e^eta - 1), which is what the margins say, for every eta below log 2. The proposition is
stated for any eta > 0; above log 2 its factor c is negative, and every decision is turned round, as is shown for ONE.

A word with the logit 0 is rejected; behind the proposition's last layer, whose norm divides by |s|, it has no value at
all. Such are the empty word of PARITY and of FIRST, and many words that `dyck1` rejects, so that the proposition fails
for these networks; it holds of their other words, and of `dyck1-margin`, which has no such word. One weight repairs
FIRST, and PARITY without other norms: the empty word has a negative logit then, and the proposition holds of all words.

Where the logit is a sum over positions the new layer averages instead: S1 adds 1/(j+1) for a violation at j, times the
scale of the row if there is one, but for the last symbol's violation, which stands beside the sum.
"""

from weightproof.constructions.chiang2022.transformed import EXACTLY, FIRST_REPAIRED, PARITY_REPAIRED, SHARPEN
from weightproof.proofs.theorem import Decides, Margin, Theorem, Transformed

LEAST = "-log(exp(eta) - 1)"
BELOW_LOG_2, ABOVE_LOG_2 = "exp(eta) < 2", "exp(eta) > 2"

Words = tuple[tuple[str, object], ...]

ONE_1: Words = (("1", 1), ("0", "n - 2"))
NO_1: Words = (("0", "n - 1"),)
PAIRS: Words = (("01", "(n - 1)/2"),)

LOST_BY = (
    "(so_far and S1 == 0 and count('1', j) <= count('0', j){shallow}) or "
    "(not so_far and S1 >= 0 and ({weighs} or (j == n - 1 and count('1', j) != count('0', j))))"
)
PLAIN, NORMALISED = "S1*(j + 1) >= 1", "count('1') != count('0') or S1 > reward"
AT_MOST_D = " and count('0', j) - count('1', j) <= D"
UNVIOLATED = (
    "so_far and S1 == 0 and count('1', j) <= count('0', j){shallow} and (w[j] != '0' or count('1', j) < count('0', j))"
)
OUTWEIGHED = (
    f"({UNVIOLATED}) or (not so_far and S1 >= 0 and S1 >= S1_added and ({NORMALISED}))",
    f"({UNVIOLATED}) or (not so_far and S1 <= 0 and S1 <= S1_added and (count('1') != count('0') or S1 < -reward))",
)
"""For other weights that decide the same words: as `LOST_BY`, and S1 is at least what j adds; or both are negative,
where the means of rows grow with the brackets that are closed too many."""


def outweighed(shallow: str) -> tuple[str, ...]:
    return tuple(invariant.format(shallow=shallow) for invariant in OUTWEIGHED)


def costs_eta(
    statement: str,
    accepted: Words,
    given: str = BELOW_LOG_2,
    when: str = "n >= 2",
    rejected: str = "n >= 2",
    invariant: str | None = None,
    or_else: tuple[str, ...] = (),
) -> tuple[Theorem, ...]:
    return (
        Decides("recognises", statement, given=given, invariant=invariant, or_else=or_else),
        Margin("accepted", LEAST, when=when, given=BELOW_LOG_2, invariant=invariant, attained=accepted),
        Margin("rejected", LEAST, when=rejected, given=BELOW_LOG_2, invariant=invariant, attained=NO_1),
    )


def undefined(statement: str) -> Decides:
    return Decides("recognises every word", statement, given=BELOW_LOG_2, expected="refuted")


one = costs_eta("accepts exactly the words with exactly one 1", ONE_1)
above_log_2 = (
    Decides("recognises for every eta", one[0].statement, expected="refuted"),
    Decides("rejects where it should accept", "and accepts all others", accepts="count('1') != 1", given=ABOVE_LOG_2),
)
parity = costs_eta(
    "accepts exactly the words with an odd number of 1s, for every c > 0", ONE_1, given=f"n >= 2 and {BELOW_LOG_2}"
)
first = costs_eta(
    "accepts exactly the words that start with 1, for every c > 0", ONE_1, given=f"n >= 2 and {BELOW_LOG_2}"
)

parity_repaired = costs_eta(parity[0].statement, ONE_1, rejected="n >= 1")
first_repaired = costs_eta(first[0].statement, ONE_1, rejected="n >= 1")

BALANCED = "accepts exactly the balanced words"
NESTED = f"{BALANCED} nested at most D deep, for every D >= 0"
dyck1, dyck1_normalised = (
    costs_eta(BALANCED, PAIRS, when="n % 2 == 1", invariant=LOST_BY.format(weighs=weighs, shallow=""), or_else=or_else)
    for weighs, or_else in ((PLAIN, ()), (NORMALISED, outweighed("")))
)
depth, depth_normalised = (
    costs_eta(
        NESTED,
        PAIRS,
        when="n % 2 == 1 and D >= 1",
        invariant=LOST_BY.format(weighs=weighs, shallow=AT_MOST_D),
        or_else=or_else,
    )
    for weighs, or_else in ((PLAIN, ()), (NORMALISED, outweighed(AT_MOST_D)))
)

theorems = (
    Transformed("one", (SHARPEN,), (*one, *above_log_2)),
    Transformed("one", (*EXACTLY, SHARPEN), (*one, *above_log_2)),
    Transformed("parity", (SHARPEN,), (*parity, undefined(parity[0].statement))),
    Transformed("parity", (*EXACTLY, SHARPEN), parity),
    Transformed("first", (SHARPEN,), (*first, undefined(first[0].statement))),
    Transformed("first", (*EXACTLY, SHARPEN), first),
    Transformed("parity", (PARITY_REPAIRED, SHARPEN), parity_repaired),
    Transformed("first", (FIRST_REPAIRED, SHARPEN), first_repaired),
    Transformed("first", (FIRST_REPAIRED, *EXACTLY, SHARPEN), first_repaired),
    Transformed("dyck1", (SHARPEN,), (undefined(BALANCED),)),
    Transformed("dyck1-margin", (SHARPEN,), dyck1),
    Transformed("dyck1-margin", (*EXACTLY, SHARPEN), dyck1_normalised),
    Transformed("dyck1-depth-margin", (SHARPEN,), depth),
    Transformed("dyck1-depth-margin", (*EXACTLY, SHARPEN), depth_normalised),
)
