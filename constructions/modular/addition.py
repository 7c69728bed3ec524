"""Addition modulo p, and networks that are said to do it: two residues are read, the argmax is to be their sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.frozen import Checked

EQUALS = "="
"""The token behind the two residues, at which the sum is read out."""


@dataclass(frozen=True)
class Modulus:
    """p, the frequencies that a network is to use, and the residues that it is to know: those are its tokens and its
    outputs. Names may stand in the place of numbers, of a network that is to be proved and not run."""

    p: int | str
    frequencies: tuple[int | str, ...]
    residues: tuple[int | str, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(map(str, self.residues))

    @property
    def names(self) -> tuple[str, ...]:
        """That stand in the place of numbers."""
        return tuple(x for x in (self.p, *self.frequencies, *self.residues) if isinstance(x, str))

    @property
    def divisor(self) -> int:
        """The greatest common one of p and all frequencies. Residues that p/divisor lies between have the same wave."""
        return gcd(*self.numbers)

    @property
    def numbers(self) -> tuple[int, ...]:
        """p and the frequencies, where they are numbers."""
        return tuple(x for x in (self.p, *self.frequencies) if not isinstance(x, str))


SUMMANDS, OUTPUT = ("a", "b"), "c"


@dataclass(frozen=True)
class Adder(Checked):
    """An encoder of the residues of a modulus and "=" whose argmax is said to be the sum of two of them; a malformed
    one raises ConstructionError."""

    name: str
    title: str
    source: str
    modulus: Modulus
    network: Encoder

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The residues, of which two are a word."""
        return self.modulus.tokens

    @property
    def parameters(self) -> tuple[()]:
        """None: the numbers of the modulus stand in the weights."""
        return ()

    def read(self, word: str) -> tuple[str, str]:
        """The two residues of a word, which is written as 3 5; InputError for another one."""
        tokens = word.split()
        for token in tokens:
            if token not in self.modulus.tokens:
                raise InputError(
                    f"{self.name}: {token!r} is no residue modulo {self.modulus.p}: take 0 to {_last(self)}"
                )
        if len(tokens) != 2:
            raise InputError(f"{self.name}: {word!r} is not two residues: write them as '3 5'")
        return tokens[0], tokens[1]


def _last(adder: Adder) -> str:
    return adder.modulus.tokens[-1]


def added(of: Modulus, summands: tuple[str, str]) -> str:
    """The sum modulo p of two tokens."""
    assert not isinstance(of.p, str)
    return str(sum(map(int, summands)) % of.p)


Makes = Callable[[Modulus], Adder]
"""What makes a network of a modulus: a `Family`, of which all members can be proved at once, or any other function, of
which some can be run."""
