"""Words as tensors of token ids, made and judged on the device they are on: random ones, balanced ones, and members.

Membership is read off the language's characterisation, for all words at once: numbers are integers of tensors
[words, positions], either of which is 1 where all have the same. Whole numbers below 2^63 are exact.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import reduce
from typing import Any

import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars import patterns
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Domain, Meaning, fold
from weightproof.numeric.model.transformer import BLOCK

Tensor = torch.Tensor

COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def random_words(construction: Construction, words: int, length: int, generator: torch.Generator) -> Tensor:
    """Words of so many symbols, each symbol with the same probability, and their markers: uint8, [words, n]."""
    size = (words, length)
    symbols = torch.randint(
        len(construction.alphabet), size, dtype=torch.uint8, generator=generator, device=generator.device
    )
    return marked(construction, symbols)


def balanced_words(construction: Construction, words: int, length: int, generator: torch.Generator) -> Tensor:
    """As `random_words`, of words over two symbols in which no prefix has more of the second, and the whole as many.

    Of random symbols those that are too many are exchanged, the first ones; then the word is rotated to begin behind
    the first of its lowest prefixes (the cycle lemma: no prefix lies below it). All such words occur; they are not
    equally frequent. InputError for odd lengths.
    """
    if length % 2 or len(construction.alphabet) != 2:
        raise InputError(f"balanced words have two symbols and an even length, not {length}")
    size = (words, length)
    symbols = torch.randint(2, size, dtype=torch.uint8, generator=generator, device=generator.device)
    if not length:
        return marked(construction, symbols)
    return torch.cat([marked(construction, _rotated(_evened(block))) for block in _blocks(symbols)])


def _evened(symbols: Tensor) -> Tensor:
    """With as many 0s as 1s."""
    surplus = symbols.sum(1, keepdim=True) - symbols.shape[1] // 2
    many = symbols == (surplus > 0)
    return symbols ^ (many & (torch.cumsum(many, 1, dtype=torch.int32) <= surplus.abs()))


def _rotated(symbols: Tensor) -> Tensor:
    """To begin behind the first of the lowest prefixes, where 0 goes up and 1 down."""
    start = torch.cumsum(1 - 2 * symbols.to(torch.int8), 1, dtype=torch.int32).argmin(1, keepdim=True) + 1
    places = torch.arange(symbols.shape[1], device=symbols.device)[None] + start
    return torch.cat([symbols, symbols], 1).gather(1, places)


def _blocks(tokens: Tensor) -> tuple[Tensor, ...]:
    """Some words at a time, so many as stay in the cache or fill a GPU."""
    return torch.split(tokens, max(1, BLOCK[tokens.device.type] // tokens.shape[1]))


def marked(construction: Construction, symbols: Tensor) -> Tensor:
    """With the ids of the markers before and behind."""
    network = construction.network
    assert isinstance(network, Encoder)
    begin, end = network.begin is not None, network.end is not None
    parts = [symbols]
    if begin:
        parts.insert(0, symbols.new_full((len(symbols), 1), len(construction.alphabet)))
    if end:
        parts.append(symbols.new_full((len(symbols), 1), len(construction.alphabet) + begin))
    return torch.cat(parts, 1)


def members(construction: Construction, tokens: Tensor, names: Mapping[str, Real]) -> Tensor:
    """Which words, token ids with their markers [words, n], are in the language: bool, [words].

    InputError where the characterisation divides, takes functions, speaks of all positions for each of all positions,
    of a position that it finds by counting, or of a regular expression whose automaton is too large.
    """
    return torch.cat([_members(construction, block, names) for block in _blocks(tokens)])


def _members(construction: Construction, tokens: Tensor, names: Mapping[str, Real]) -> Tensor:
    found = fold(construction.language.characterisation.tree, _meaning(construction, tokens, names))
    return torch.as_tensor(found, device=tokens.device).expand(len(tokens), 1)[:, 0]


def _meaning(construction: Construction, tokens: Tensor, names: Mapping[str, Real]) -> Meaning:
    network, (_, n) = construction.network, tokens.shape
    assert isinstance(network, Encoder)
    ids = {symbol: number for number, symbol in enumerate(construction.alphabet)}
    first, last = int(network.begin is not None), n - (network.end is not None)
    places: dict[Domain, Tensor] = {
        "positions": torch.arange(first, last, device=tokens.device)[None],
        "indices": torch.arange(n, device=tokens.device)[None],
    }
    inside = False

    def refuse(*_: object) -> Any:
        raise InputError(
            f"{construction.name}: the characterisation of language {construction.language.name} is more than whole "
            "numbers of one position at a time, which is not read for many words at once"
        )

    def name(identifier: str) -> int:
        value = fmpq(n) if identifier == "n" else names[identifier]
        return int(value.p) if isinstance(value, fmpq) and value.q == 1 else refuse()

    def place(position: Any) -> Tensor:
        """One for all words, or each of a domain: [1, positions]."""
        index = torch.as_tensor(position, device=tokens.device)
        alike = index.dim() == 0 or len(index) == 1
        return index.reshape(1, -1) if alike and not index.is_floating_point() else refuse()

    def token(position: Any) -> Tensor:
        """Ids, -1 where no symbol is."""
        index = place(position)
        there = (index >= first) & (index < last)
        return torch.where(there, tokens[:, index[0].clamp(0, n - 1)].to(torch.int16), -1)

    def count(symbol: str, upto: Any | None) -> Tensor:
        equal = tokens == ids[symbol]
        if upto is None:
            return equal.sum(1, keepdim=True)
        prefixes = torch.cumsum(equal, 1, dtype=torch.int32)
        if upto is places["positions"]:
            return prefixes[:, first:last]
        index = place(upto)
        return torch.where(index < 0, 0, prefixes[:, index[0].clamp(0, n - 1)])

    def compared(op: str, left: Any, right: Any) -> Any:
        left, right = (ids.get(side, -2) if isinstance(side, str) else side for side in (left, right))
        if any(torch.as_tensor(side).is_floating_point() for side in (left, right)):
            refuse()
        return COMPARE[op](left, right)

    def matches(text: str) -> Tensor:
        """By the automaton, one position of all words at a time; a marker leaves it where it is."""
        try:
            found = patterns.table(text, construction.alphabet)
        except patterns.PatternError as error:
            raise InputError(f"{construction.name}: matches({text!r}) is {error}") from error
        table = torch.tensor(found.rows, device=tokens.device)
        state = torch.zeros(len(tokens), dtype=torch.long, device=tokens.device)
        for column in tokens[:, first:last].long().unbind(1):
            state = table[state, column]
        accepting = torch.tensor(sorted(found.accepting), dtype=torch.long, device=tokens.device)
        return torch.isin(state, accepting)[:, None]

    def once(reduced: str) -> Any:
        def over(body: Any, domain: Domain) -> Tensor:
            nonlocal inside
            if inside:
                refuse()
            inside = True
            values = torch.as_tensor(body(places[domain]), device=tokens.device).expand(-1, places[domain].shape[1])
            inside = False
            return getattr(values, reduced)(1, keepdim=True)

        return over

    return Meaning(
        number=int,
        name=name,
        function=refuse,
        compare=compared,
        bracket=lambda truth: torch.as_tensor(truth).long(),
        token=token,
        count=count,
        conjunction=lambda parts: reduce(operator.and_, parts),
        disjunction=lambda parts: reduce(operator.or_, parts),
        negation=lambda truth: torch.as_tensor(truth).logical_not(),
        for_all=once("all"),
        total=once("sum"),
        matches=matches,
        power=refuse,
    )
