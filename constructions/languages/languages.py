"""The languages of the papers: membership, characterisation, the papers' test distributions, and words that are hard.

Brackets of the Dyck languages are 0 (opening) and 1 (closing), as in Steffen et al., section 4.1.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import TypeVar

from weightproof.constructions.languages.families import (
    each_count,
    few_ones,
    late_violations,
    lone_first,
    mountains,
    single_flips,
)
from weightproof.constructions.meaning.construction import Language

BITS = ("0", "1")
Choice = TypeVar("Choice")


def odd_number_of_ones(word: str) -> bool:
    return word.count("1") % 2 == 1


def starts_with_one(word: str) -> bool:
    return word[:1] == "1"


def is_ordered(word: str) -> bool:
    return "10" not in word


def exactly_one_one(word: str) -> bool:
    return word.count("1") == 1


def is_palindrome(word: str) -> bool:
    return word == word[::-1]


def depths(word: str) -> list[int]:
    """Opened minus closed brackets after each symbol."""
    return list(accumulate(map({"0": 1, "1": -1}.__getitem__, word)))


def is_balanced(word: str) -> bool:
    depth = depths(word)
    return not depth or (min(depth) >= 0 and depth[-1] == 0)


def is_balanced_within(word: str, D: int) -> bool:
    return is_balanced(word) and max(depths(word), default=0) <= D


def balanced_within(depth: str) -> str:
    """The formula of `is_balanced_within`."""
    return (
        "count('1') == count('0') and all(count('1', j) <= count('0', j) "
        f"and count('0', j) - count('1', j) <= {depth} for j in positions)"
    )


def sample_one(random: Random, length: int) -> str:
    """The number of 1s is Poisson with mean 1.5, their places uniform: Nowak et al., appendix B.2."""
    import math

    ones, product = 0, random.random()
    while product > math.exp(-1.5):
        ones, product = ones + 1, product * random.random()
    places = set(random.sample(range(length), min(ones, length)))
    return "".join("1" if j in places else "0" for j in range(length))


def sample_palindrome(random: Random, length: int) -> str:
    """Half palindromes, half palindromes with one symbol flipped, not the middle one: Nowak et al., appendix B.3."""
    left = random.choices(BITS, k=length // 2)
    middle = random.choices(BITS, k=length % 2)
    word = left + middle + left[::-1]
    if left and random.random() < 0.5:
        place = random.choice([j for j in range(length) if j != length - 1 - j])
        word[place] = "1" if word[place] == "0" else "0"
    return "".join(word)


def sample_ordered(random: Random, length: int) -> str:
    """Half 0s and then 1s, the number of 0s uniform; half the same with one symbol changed: a choice of ours."""
    zeros = random.randint(0, length)
    word = ["0"] * zeros + ["1"] * (length - zeros)
    if word and random.random() < 0.5:
        place = random.randrange(length)
        word[place] = "1" if word[place] == "0" else "0"
    return "".join(word)


def sample_dyck(bound: int | None, kinds: Sequence[tuple[str, str]] = (("0", "1"),)) -> Callable[[Random, int], str]:
    """Half balanced words drawn with a stack, half with one symbol changed: Steffen et al., section 3. bound: how many
    brackets may be open at once; kinds: an opening and a closing bracket each."""
    symbols = [symbol for kind in kinds for symbol in kind]

    def sample(random: Random, length: int) -> str:
        word: list[str] = []
        stack: list[str] = []
        while len(word) < length:
            rest = length - len(word)
            may_open = rest > len(stack) and (bound is None or len(stack) < bound)
            if not stack or (may_open and random.random() < 0.5):
                opening, closing = _one_of(random, kinds)
                word.append(opening)
                stack.append(closing)
            else:
                word.append(stack.pop())
        if word and random.random() < 0.5:
            place = random.randrange(length)
            word[place] = _one_of(random, [symbol for symbol in symbols if symbol != word[place]])
        return "".join(word)

    return sample


def _one_of(random: Random, choices: Sequence[Choice]) -> Choice:
    """Nothing is drawn where there is no choice."""
    return choices[0] if len(choices) == 1 else random.choice(choices)


PARITY = Language(
    name="PARITY",
    alphabet=BITS,
    member=odd_number_of_ones,
    characterisation="count('1') % 2 == 1",
    families={"each count": each_count},
    description="an odd number of 1s",
)
FIRST = Language(
    name="FIRST",
    alphabet=BITS,
    member=starts_with_one,
    characterisation="w[1] == '1'",
    families={"lone first": lone_first},
    description="the first symbol is 1",
)
ONE = Language(
    name="ONE",
    alphabet=BITS,
    member=exactly_one_one,
    characterisation="count('1') == 1",
    sample=sample_one,
    families={"few ones": few_ones, "each count": each_count},
    description="exactly one 1",
)
ORDERED = Language(
    name="ORDERED",
    alphabet=BITS,
    member=is_ordered,
    characterisation="count('10') == 0",
    sample=sample_ordered,
    families={"each count": each_count},
    description="no 0 behind a 1",
)
PALINDROME = Language(
    name="PALINDROME",
    alphabet=BITS,
    member=is_palindrome,
    characterisation="all(2*j > n - 1 or w[j] == w[n - 1 - j] for j in positions)",
    sample=sample_palindrome,
    families={"single flips": single_flips},
    description="equal to its reversal",
)
DYCK1 = Language(
    name="1-DYCK",
    alphabet=BITS,
    member=is_balanced,
    characterisation="count('1') == count('0') and all(count('1', j) <= count('0', j) for j in positions)",
    sample=sample_dyck(None),
    families={"late violations": late_violations, "mountains": mountains},
    description="balanced brackets, 0 opening and 1 closing",
)
DYCK1_DEPTH = Language(
    name="DYCK-(1,D)",
    alphabet=BITS,
    member=is_balanced_within,
    characterisation=balanced_within("D"),
    sample=sample_dyck(3),
    families={"late violations": late_violations, "mountains": mountains},
    description="balanced brackets nested at most D deep, 0 opening and 1 closing",
)
