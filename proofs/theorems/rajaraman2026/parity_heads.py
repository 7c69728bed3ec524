"""The parity of k bits by k heads: Rajaraman, Sundaram and Tesfaye (2026), theorem 2, of words of k symbols.

The paper asks for an M that is large enough. For k = 2 that is exp(M) > 14/3; for k = 3 exp(M) >= 40 is enough, and
exp(M) = 24 is not.
"""

from weightproof.proofs.theorem import Decides

PARITY = "accepts exactly the words of this length with an odd number of 1s"


def theorems_of_length(k: int, enough: str) -> tuple[Decides, ...]:
    return (
        Decides("recognises", f"for M large enough {PARITY}", given=f"n == {k + 1} and {enough}"),
        Decides("recognises for every M", PARITY, given=f"n == {k + 1}", expected="refuted"),
        Decides(
            "recognises other lengths",
            "accepts exactly the words with an odd number of 1s",
            given=enough,
            expected="refuted",
        ),
    )


of_two = theorems_of_length(2, "exp(M) > 14/3")
of_three = theorems_of_length(3, "exp(M) >= 40")
