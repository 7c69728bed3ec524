"""Prompts of the entries of a contest, what is right behind them, and the same of numbers of fewer digits."""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.languages.transducers import Track, laid_out
from weightproof.proofs.theorem import Computes


def prompt(theorem: Computes, a: int, b: int) -> tuple[str, ...]:
    """That of two numbers."""
    items, length = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
    digits = {"a": _digits(a, theorem.transducer.slots), "b": _digits(b, theorem.transducer.slots)}
    return tuple(item if isinstance(item, str) else digits[item[0]][item[1]] for item in items[:length])


def right(theorem: Computes, a: int, b: int) -> str:
    """The digits of their sum, in the order in which they are to be appended."""
    digits = _digits(a + b, theorem.transducer.count)
    return digits[::-1] if theorem.backward else digits


def _digits(number: int, most: int) -> str:
    """The last one first."""
    return f"{number:0{most}d}"[::-1]


def of_digits(theorem: Computes, digits: int) -> Computes:
    """The same of the same network, of numbers with so many digits: all others of the prompt are 0."""
    zeros = "0" * (theorem.transducer.slots - digits)
    parts: list[str | Track] = []
    for part in theorem.prompt:
        match part:
            case Track(backward=True):
                parts += [zeros, part]
            case Track():
                parts += [part, zeros]
            case _:
                parts += [part]
    transducer = replace(theorem.transducer, slots=digits, more=theorem.transducer.count - digits)
    return replace(theorem, transducer=transducer, prompt=tuple(parts))
