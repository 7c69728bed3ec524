"""Long words in short: 1{5858}0{3}(01){40} is 1 repeated 5858 times, 0 three times, and 01 forty times."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from weightproof.constructions.meaning.inputs import InputError

LONGEST_UNIT = 8
QUOTED = 40
LONGEST_WORD = 1 << 30
LONGEST_NUMBER = 18
"""Digits of a repetition that is read at all."""
REPEATED = re.compile(r"\(([^(){}]+)\)\{(\d+)\}|([^(){}])\{(\d+)\}|([^(){}])")
BRACKETS = frozenset("(){}")
TIMES = re.compile(r"\{(\d+)\}")
SYMBOLS_REPEATED = re.compile(r"(.)\{(\d+)\}|(.)", re.DOTALL)
"""The same over an alphabet with brackets: they stand for themselves, and only single symbols are repeated."""


def expand(text: str, alphabet: Sequence[str] = ()) -> str:
    """The word that a notation stands for; a text without braces is the word itself, and so is one of symbols of the
    alphabet alone. Where brackets are among these, ({40} is one of them 40 times, and no parts are repeated.

    Raises InputError where braces or brackets do not match, or where the word would not fit into memory.
    """
    if "{" not in text or set(text) <= {*alphabet}:
        return text
    pattern = REPEATED if BRACKETS.isdisjoint(alphabet) else SYMBOLS_REPEATED
    parts, place, length = [], 0, 0
    while place < len(text):
        found = pattern.match(text, place)
        if found is None:
            raise InputError(
                f"word {text!r}: not understood at {text[place:]!r}; write repeated parts as 1{{12}} or (01){{12}}"
            )
        unit, *times = (part for part in found.groups() if part is not None)
        written = times[0] if times else "1"
        repeated = int(written) if len(written) <= LONGEST_NUMBER else LONGEST_WORD + 1
        length += len(unit) * repeated
        if length > LONGEST_WORD:
            raise InputError(f"word {text!r}: more than {LONGEST_WORD} symbols do not fit into memory; give fewer")
        parts.append(unit * repeated)
        place = found.end()
    return "".join(parts)


def stretched(text: str, times: Fraction) -> str:
    """A notation with its parts repeated so many times as often, to nearest, and once at least."""
    return TIMES.sub(lambda found: f"{{{max(1, round(int(found[1]) * times))}}}", text)


def quoted(word: str) -> str:
    """In quotes, as a sentence has it; one of more than QUOTED symbols in short."""
    return repr(word if len(word) <= QUOTED else compact(word))


def compact(word: str) -> str:
    """The word, its repeated parts written in short where that is shorter.

    A word with brackets or braces among its symbols stays as it is: in short it could not be told from the notation.
    """
    if not BRACKETS.isdisjoint(word):
        return word
    parts, place = [], 0
    while place < len(word):
        unit, times = max(
            ((size, _repeats(word, place, size)) for size in range(1, LONGEST_UNIT + 1)),
            key=lambda candidate: candidate[0] * candidate[1] if candidate[1] > 1 else 0,
        )
        block = word[place : place + unit]
        short = f"{block}{{{times}}}" if unit == 1 else f"({block}){{{times}}}"
        if times == 1 or len(short) >= unit * times:
            parts.append(word[place])
            place += 1
        else:
            parts.append(short)
            place += unit * times
    return "".join(parts)


def _repeats(word: str, place: int, size: int) -> int:
    """How often the `size` symbols at a place stand there one after the other."""
    block, step, times = word[place : place + size], 1, 0
    while word.startswith(block, place):
        place, times = place + len(block), times + step
        block, step = block + block, 2 * step
    while step > 1:
        block, step = block[: len(block) // 2], step // 2
        if word.startswith(block, place):
            place, times = place + len(block), times + step
    return times


def run_command(name: str, word: str, options: str = "") -> str:
    """The command that runs a word, as a shell takes it; options begin with a blank. A word that begins with - stands
    behind all of them."""
    quoted = word.replace("'", "'\\''")
    if word.startswith("-"):
        return f"weightproof run {name}{options} -- '{quoted}'"
    return f"weightproof run {name} '{quoted}'{options}"
