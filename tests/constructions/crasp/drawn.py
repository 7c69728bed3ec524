"""Programs that are drawn at random, in the notation, with brackets around everything."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

ALPHABET = ("a", "b", "c")
LONGEST = 60
"""Of what is also written again, and not only named."""


def drawn(random: Random, alphabet: Sequence[str] = ALPHABET, lines: int = 4) -> str:
    """The text of a program; its last line, D, is a truth value."""
    truths: list[str] = []
    counts: list[str] = []
    written = ["#alphabet " + " ".join(f'"{symbol}"' for symbol in alphabet)]
    for number in range(lines):
        is_count = random.random() < 0.3
        name = f"{'C' if is_count else 'P'}{number}"
        depth = random.choice((1, 1, 2))
        made = (_count if is_count else _truth)(random, alphabet, truths, counts, depth)
        written.append(f"{name} = {made}")
        (counts if is_count else truths).extend((name, made) if len(made) < LONGEST else (name,))
    written.append(f"D = {_truth(random, alphabet, truths, counts, 2)}")
    return "\n".join(written) + "\n"


def _truth(random: Random, alphabet: Sequence[str], truths: list[str], counts: list[str], depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        leaves = [f'"{symbol}"' for symbol in alphabet] + truths * 3 + ["true", "(i % 2 == 1)", "(i % 3 == 2)", "false"]
        return random.choice(leaves)

    def truth() -> str:
        return _truth(random, alphabet, truths, counts, depth - 1)

    def count() -> str:
        return _count(random, alphabet, truths, counts, depth - 1)

    match random.randrange(6):
        case 0:
            return f"(!{truth()})"
        case 1:
            return f"({truth()} && {truth()})"
        case 2:
            return f"({truth()} || {truth()})"
    return f"({count()} {random.choice(('==', '!=', '<', '<=', '>', '>='))} {count()})"


def _count(random: Random, alphabet: Sequence[str], truths: list[str], counts: list[str], depth: int) -> str:
    def truth() -> str:
        return _truth(random, alphabet, truths, counts, depth - 1 if depth else 0)

    def count() -> str:
        return _count(random, alphabet, truths, counts, depth - 1)

    if depth == 0 or random.random() < 0.3:
        guards = ("", "", "", "[j <= i] ", "[j < i] ", "[j == i - 1] ", "[j == i - 2] ", "[j == i] ")
        leaf = random.choice((*counts * 2, f"(# {random.choice(guards)}{truth()})", str(random.randrange(3))))
        return leaf
    match random.randrange(6):
        case 0:
            return f"({count()} + {count()})"
        case 1:
            return f"({count()} - {count()})"
        case 2:
            return f"({random.randrange(1, 4)} * {count()})"
        case 3:
            return f"({count()} if {truth()} else {count()})"
        case 4:
            return f"{random.choice(('min', 'max'))}({count()}, {count()})"
    return f"(# {truth()})"
