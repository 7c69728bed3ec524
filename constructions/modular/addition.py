"""Addition modulo p, and networks that are said to do it: two residues are read, the argmax is to be their sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder, Parameter
from weightproof.constructions.scalars.frozen import Checked

EQUALS = "="
"""The token behind the two residues, at which the sum is read out."""
LARGEST_MODULUS = 10**18
"""Modulus, so that all that is printed of it can be read."""


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


def modulus(p: int, frequencies: tuple[int, ...], residues: tuple[int, ...] | None = None) -> Modulus:
    """All residues, or some, which is the part of the network that knows these alone; InputError for what is none."""
    if not 2 <= p <= LARGEST_MODULUS:
        raise InputError(f"the modulus p = {p} is not from 2 to {LARGEST_MODULUS}: give 2 or more")
    for k in frequencies:
        if not 1 <= k <= LARGEST_MODULUS:
            raise InputError(f"the frequency k = {k} is not from 1 to {LARGEST_MODULUS}: give 1 or more")
    if not frequencies or len(set(frequencies)) < len(frequencies):
        raise InputError(f"frequencies {', '.join(map(str, frequencies)) or 'none'}: give one or more, each once")
    if residues is not None and (len(set(residues)) < len(residues) or not all(0 <= a < p for a in residues)):
        raise InputError(f"residues {', '.join(map(str, residues))}: give some from 0 to {p - 1}, each once")
    return Modulus(p, frequencies, tuple(range(p)) if residues is None else residues)


def all_frequencies(p: int) -> tuple[int, ...]:
    return tuple(range(1, p))


SUMMANDS, OUTPUT = ("a", "b"), "c"


def every_modulus(*frequencies: str) -> Modulus:
    """Any modulus with any frequencies, k where none is named; two residues and an output: what is proved of it is true
    of all."""
    return Modulus("p", frequencies or ("k",), (*SUMMANDS, OUTPUT))


def refuse_ties(name: str, of: Modulus) -> None:
    """InputError where the frequencies have a divisor in common with p: then two residues tie, whatever is added."""
    if of.names or (divisor := of.divisor) == 1:
        return
    assert not isinstance(of.p, str)
    said = ", ".join(map(str, of.frequencies))
    what = f"frequency {said} is not coprime to"
    if len(of.frequencies) > 1:
        what = f"frequencies {said} have the divisor {divisor} in common with"
    raise InputError(
        f"{name}: {what} {of.p}: the outputs 0 and {of.p // divisor} always tie; take a frequency coprime to {of.p}"
    )


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
    def parameters(self) -> tuple[Parameter, ...]:
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
