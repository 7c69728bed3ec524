"""Words as token ids: the alphabet's symbols in its order, then the markers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import Runs
from weightproof.constructions.meaning.schema import Encoder


def token_names(construction: Runs) -> tuple[str, ...]:
    """The tokens in the order of their ids."""
    network = construction.network
    assert isinstance(network, Encoder)
    return (*construction.alphabet, *network.markers)


def by_length(words: Sequence[Sequence[str]]) -> Iterator[tuple[list[int], int]]:
    """The indices of the words of each length, and the length."""
    groups: dict[int, list[int]] = {}
    for index, word in enumerate(words):
        groups.setdefault(len(word), []).append(index)
    for length, indices in groups.items():
        yield indices, length


def encode(construction: Runs, words: Sequence[Sequence[str]]) -> torch.Tensor:
    """Token ids of words of one length, markers added: uint8 where they are so few, shape [words, n].

    Raises InputError for a symbol outside the alphabet, and for the empty input without markers.
    """
    network, alphabet = construction.network, construction.alphabet
    assert isinstance(network, Encoder)
    names = token_names(construction)
    length = len(words[0])
    n = length + len(network.markers)
    if n == 0:
        raise InputError(f"{construction.name}: the empty word has no position to read out; give a word")
    ids = np.empty((len(words), n), dtype=np.uint8 if len(names) <= FEW else np.int32)
    first = int(network.begin is not None)
    ids[:, first : first + length] = _symbols(construction, words, length)
    if network.begin is not None:
        ids[:, 0] = names.index(network.begin)
    if network.end is not None:
        ids[:, -1] = len(alphabet) + int(network.begin is not None)
    return torch.from_numpy(ids)


FEW = 255
"""Tokens of which an id is one byte, and another byte is left, which is none."""


def _symbols(construction: Runs, words: Sequence[Sequence[str]], length: int) -> np.ndarray:
    """The ids of the symbols, shape [words, length]."""
    alphabet = construction.alphabet
    unknown = len(alphabet)
    known = {symbol: index for index, symbol in enumerate(alphabet)}
    bytewise = unknown <= FEW and all(len(symbol) == 1 for symbol in alphabet)
    if bytewise and all(isinstance(word, str) and word.isascii() for word in words):
        table = bytes(known.get(chr(code), unknown) for code in range(256))
        codes = "".join(words).encode("ascii").translate(table)  # type: ignore[arg-type]
        ids = np.frombuffer(codes, dtype=np.uint8)
    else:
        ids = np.array([[known.get(symbol, unknown) for symbol in word] for word in words], dtype=np.int32)
    ids = ids.reshape(len(words), length)
    if (ids == unknown).any():
        word, position = (int(axis[0]) for axis in np.nonzero(ids == unknown))
        raise InputError(
            f"{construction.name}: symbol {words[word][position]!r} at index {position} of the word is not in the "
            f"alphabet {{{', '.join(alphabet)}}}"
        )
    return ids
