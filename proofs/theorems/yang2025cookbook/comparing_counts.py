"""Comparisons of counts: what is found for every word, and what is wrong with gtz in print."""

from weightproof.proofs.theorem import Compares, Decides, Expected

AT_MOST = "accepts exactly the words with no more 1s than 0s"


def halves(expected: Expected = "proved") -> Compares:
    """gtz, where a <= b."""
    return Compares("==", "1/2/n", where="count('1') <= count('0')", name="1/(2n) where a <= b", expected=expected)


def below() -> Compares:
    """gtz, where a > b."""
    return Compares("==", "-1/2/n", where="count('1') > count('0')", name="-1/(2n) where a > b")


theorems = (Decides("recognises", AT_MOST), halves(), below())
as_stated = as_printed = (Decides("recognises", AT_MOST, expected="refuted"), halves("refuted"), below())
"""Both are right but where a = b."""
positive = (
    Decides("recognises", "accepts exactly the words with more 1s than 0s"),
    Compares("==", "1/2/n", where="count('1') > count('0')", name="1/n where x > 0"),
    Compares("==", "-1/2/n", where="count('1') <= count('0')", name="0 where x <= 0"),
)
zero = (
    Decides("recognises", "accepts exactly the words with as many 1s as 0s"),
    Compares("==", "1/2/n", where="count('1') == count('0')", name="1/n where x = 0"),
    Compares("==", "-1/2/n", where="count('1') != count('0')", name="0 where x != 0"),
)
"""1/n and 0, less 1/(2n)."""
