"""Recurrent networks, which transformers are said to simulate: Bhattamishra et al. (2020), section 3.1.

h_t = saturated(W_h h_(t-1) + W_x x_t + b) for t = 0, 1, 2, ..., from h_(-1) = 0. The input is the word between "#" and
"$", a token a step, and then "$" for ever: x_t embeds the token at position min(t, n-1).

The paper lets h_0 be given. That is no more than this: b alone makes any vector in [0, 1] of the step on "#".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from weightproof.constructions.meaning.inputs import refuse_foreign
from weightproof.constructions.meaning.interpreter import Vector, affine, numbers, saturated
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.frozen import Checked
from weightproof.constructions.scalars.values import ZERO, exactly

BEGIN, END = "#", "$"
"""The markers, of alphabets that have neither of them."""
State = Vector
"""Unit -> its value."""


@dataclass(frozen=True)
class RNN(Checked):
    """units name the coordinates of h, inputs those of x.

    embedding: a row for each symbol of the alphabet, which is written in single characters; "#" and "$" embed as 0, as
    in the paper, unless they have one. Where the alphabet has one of these, the marker is "##", or "$$". There are no
    position encodings. W_h maps units to units, and has no bias; W_x maps inputs to units, and its bias is b. numbers:
    names that stand for any rational numbers in it, of a network that is to be proved and not run; fractions: those of
    them that lie in [0, 1]. A malformed one raises ConstructionError.
    """

    name: str
    alphabet: tuple[str, ...]
    units: tuple[str, ...]
    inputs: tuple[str, ...]
    embedding: Embedding
    W_h: Linear
    W_x: Linear
    numbers: tuple[str, ...] = ()
    fractions: tuple[str, ...] = ()

    @property
    def begin(self) -> str:
        """What is read before the word."""
        return marker(BEGIN, self.alphabet)

    @property
    def end(self) -> str:
        """What is read behind it."""
        return marker(END, self.alphabet)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All that can be read."""
        return (self.begin, *self.alphabet, self.end)


def marker(usual: str, alphabet: Sequence[str]) -> str:
    """BEGIN or END, or what it is instead where it is a symbol itself."""
    return 2 * usual if usual in alphabet else usual


def read(rnn: RNN, word: Sequence[str]) -> Iterator[str]:
    """The tokens that are read on a word, one a step, without end."""
    return itertools.chain((rnn.begin,), word, itertools.repeat(rnn.end))


def states(
    rnn: RNN, word: Sequence[str], at: int = 0, put_in: Mapping[str, Real] = MappingProxyType({})
) -> Iterator[State]:
    """h_0, h_1, h_2, ... without end, in exact arithmetic; InputError for a symbol outside the alphabet.

    put_in: values of units that are put in the place of those of h_(at-1) before step `at`.
    """
    refuse_foreign(rnn.name, rnn.alphabet, word)
    scalars = exactly({})
    W_h, W_x, embedding = affine(rnn.W_h, scalars), affine(rnn.W_x, scalars), numbers(rnn.embedding.WE, scalars)
    h: State = dict.fromkeys(rnn.units, ZERO)
    for step, token in enumerate(read(rnn, word)):
        h = {**h, **put_in} if step == at else h
        of_h, of_x = W_h.apply(h), W_x.apply(embedding.get(token, {}))
        h = {unit: saturated(of_h.get(unit, ZERO) + of_x.get(unit, ZERO)) for unit in rnn.units}
        yield h
