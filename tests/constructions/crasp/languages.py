"""The programs that come with the code, beside the languages that they are said to accept, in Python.

What the words are for copying, incrementing, a^n b^n c^n, brackets and even length is that of the examples of
https://github.com/m-hahn/c-rasp, and the verdicts are those which its interpreter gives there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from tests.support.places import ROOT

FOLDER = ROOT / "constructions" / "crasp" / "programs"


@dataclass(frozen=True)
class Case:
    """member: of words that are not empty; words: some with their verdicts; longest: of all words that are run."""

    member: Callable[[str], bool]
    longest: int = 6
    words: Mapping[str, bool] = field(default_factory=dict)


def depths(word: str, opening: str, closing: str) -> list[int]:
    return list(accumulate((symbol == opening) - (symbol == closing) for symbol in word))


def is_balanced(word: str, opening: str = "(", closing: str = ")") -> bool:
    found = depths(word, opening, closing)
    return min(found) >= 0 and found[-1] == 0


def is_incremented(word: str) -> bool:
    """Four bits, the least first, and four of a number that is greater by 1, modulo 16."""
    if len(word) != 8:
        return False
    before, after = (int(half[::-1], 2) for half in (word[:4], word[4:]))
    return after == (before + 1) % 16


def pairs(word: str, pair: str) -> int:
    return sum(word[k : k + 2] == pair for k in range(len(word)))


LANGUAGES: dict[str, Case] = {
    "majority": Case(lambda w: w.count("1") > w.count("0"), 8),
    "dyck1": Case(is_balanced, 8, {"()": True, "(()())": True, "(()(": False, "())": False}),
    "anbn": Case(lambda w: w == "a" * (len(w) // 2) + "b" * (len(w) // 2), 8),
    "anbncn": Case(
        lambda w: w == "".join(symbol * (len(w) // 3) for symbol in "abc"),
        6,
        {"aabbcc": True, "ababcc": False, "abbcc": False, "aabbc": False, "aacc": False, "aaaabbbbcccc": True},
    ),
    "subsequence_abc": Case(lambda w: re.search("a.*b.*c", w) is not None),
    "ab_plus": Case(lambda w: re.fullmatch("(ab)+", w) is not None, 8),
    "contains_ab": Case(lambda w: "ab" in w, 8),
    "three": Case(lambda w: w.count("a") >= 3, 8),
    "shuffle": Case(
        lambda w: is_balanced(w) and is_balanced(w, "[", "]"), 5, {"([)]": True, "[(])": True, ")(": False}
    ),
    "prefixes": Case(lambda w: min(depths(w, "a", "b")) >= 0, 8),
    "even_length": Case(lambda w: re.fullmatch("(aa)+", w) is not None, 8, {"aa": True, "aaa": False, "aaaa": True}),
    "copy4": Case(
        lambda w: len(w) == 8 and w[:4] == w[4:] and "d" not in w,
        4,
        {"abcbabcb": True, "abcabc": False, "abcccabccc": False, "abcdabcb": False, "abcbabcba": False},
    ),
    "increment": Case(
        is_incremented,
        8,
        {"00001000": True, "10000100": True, "11000010": True, "10100110": True, "10001000": False, "11110000": True},
    ),
    "nearly_balanced": Case(lambda w: abs(w.count("a") - w.count("b")) <= 2, 8),
    "odd_places": Case(lambda w: w[::2].count("a") > w[::2].count("b"), 8),
    "two_thirds": Case(lambda w: 3 * w.count("a") >= 2 * len(w)),
    "bigrams": Case(lambda w: pairs(w, "aa") > pairs(w, "bb"), 8),
    "first_is_last": Case(lambda w: w[0] == w[-1], 8),
    "a_star_b_star": Case(lambda w: re.fullmatch("a*b*", w) is not None, 8),
    "depth3": Case(lambda w: is_balanced(w) and max(depths(w, "(", ")")) <= 3, 8),
}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.cr"


MISTAKES: dict[str, tuple[str, str]] = {
    "majority": (">", ">="),
    "dyck1": ("closed > opened", "closed > opened + 1"),
    "anbn": ("late == 0", "late <= 1"),
    "anbncn": ('# "b" == # "c"', '# "b" >= # "c"'),
    "subsequence_abc": ("# ab > 0", "# ab > 1"),
    "ab_plus": ('== 0 && "b"', "== 0"),
    "contains_ab": (">= 1", ">= 2"),
    "shuffle": ("||", "&&"),
    "copy4": ("# true == 8", "# true == 7"),
    "nearly_balanced": ("max", "min"),
    "odd_places": ("i % 2 == 0", "i % 2 == 1"),
    "two_thirds": ("3 *", "2 *"),
    "bigrams": ('j == i - 1] "b"', 'j == i - 2] "b"'),
    "first_is_last": ("# true == 1", "# true == 2"),
    "a_star_b_star": ("j < i", "j == i"),
    "depth3": ("> 3", "> 2"),
}
"""Of a program what is replaced, and by what, so that it accepts another language."""


def mistaken(name: str) -> str:
    """The text of a program with its mistake."""
    old, new = MISTAKES[name]
    text = path_of(name).read_text()
    assert old in text
    return text.replace(old, new)
