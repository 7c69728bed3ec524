"""`precision` of a network that predicts a token or a class: the shortest word found after which rounding changes what
it predicts.

The words are all those of a few symbols, and then, of each length, those of the language's families and some that are
drawn. A word counts where exact arithmetic predicts the right token, and the format does not, or another output is as
great. From below a length is certified, for any order of sums, of networks that see counts alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from weightproof.constructions.languages.membership import right_token
from weightproof.constructions.languages.notation import compact, expand
from weightproof.constructions.languages.words import drawn, hard_words
from weightproof.constructions.meaning.choices import Choices, Ranked
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.outputs import tied_outputs
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.values import Number
from weightproof.kinds import Measuring
from weightproof.measuring.kept import NOT_LOST, PREDICTING, Row, require_kind
from weightproof.measuring.session import Again, Place, RowSearch, places
from weightproof.named import Named
from weightproof.terminal.digits import decimal

if TYPE_CHECKING:
    from weightproof.numeric.model.transformer import Transformer

MEASURING = Choices("precision", InputError)
ALL, EACH = 3_000, 64
"""Short words that are all run, as far as there are so many; symbols up to which every length has words."""
OF_A_LENGTH, DRAWN = 6, 2
"""Words of the families, and words that are drawn, of one length."""
LONGEST_LINEAR, LONGEST_QUADRATIC = 20_000, 200
"""Symbols, where time grows with the length, and where it grows with its square."""


def searches(source: Named, how: Measuring) -> list[RowSearch]:
    """In all places; InputError for what cannot be run."""
    from weightproof.numeric.model.kernels import NoKernel

    construction, given = source.construction, how.parameters
    if construction.language.label is None:
        raise InputError(f"{construction.name}: its language does not say which token is right")
    values = {p.name: given.get(p.name, p.default.source) for p in construction.parameters}
    found = []
    for place in places(how, "explicit"):
        with suppress(NoKernel):  # which its row says
            _model(construction, given, place)  # refused now, not after the first search
        key = place.key(source.argument, digest(construction), parameters=values)
        row = partial(_found, construction, given, place, values)
        once_more = partial(_again, construction, given, place)
        doing = f"{source.argument} {place.dtype}"
        found.append(
            RowSearch(doing, key, f"{_rank(construction).called} output, alone", row, once_more, {PREDICTING: 0})
        )
    return found


def _rank(construction: Construction) -> Ranked:
    return MEASURING.ranked(construction.encoder.readout.accept)


def _model(construction: Construction, given: Mapping[str, str], place: Place) -> Transformer:
    from weightproof.numeric.model.transformer import Transformer

    return Transformer(construction, given, place.dtype, place.device, place.attention)


def _found(construction: Construction, given: Mapping[str, str], place: Place, values: Mapping[str, str]) -> Row:
    """given: parameter values as the user gave them; values: of all parameters."""
    from weightproof.appendix.deriving import derived

    model = _model(construction, given, place)
    closed = {token: derived(construction, token) for token in tied_outputs(construction)}
    reach = min(place.max_length, LONGEST_QUADRATIC if model.quadratic else LONGEST_LINEAR)
    found, searched, in_full = None, -1, -1
    for length, words, every in _words(construction, reach):
        searched = length
        for word, outputs in zip(words, _outputs(construction, model, words), strict=True):
            right = right_token(construction, word)
            if right is not None and _fails(construction, outputs, right):
                exact = {token: _output(closed[token], construction, word, given) for token in closed}
                if not _loses(construction, exact, right):
                    found = found or (word, right, outputs, exact)
        if found is not None:
            break
        in_full = length if every else in_full
    safe = _certified(construction, values, place)
    known: Row = {
        "certified_safe_length": safe,
        "searched": "exhaustive" if in_full == searched else "families",
        "searched_to": searched,
        PREDICTING: in_full,
        **NOT_LOST,
    }
    if found is None:
        return known
    word, right, outputs, exact = found
    witness = {
        "word": compact(word),
        "right": right,
        "outputs": {token: str(value) for token, value in outputs.items()},
        "exact_outputs": {token: decimal(value).digits for token, value in exact.items()},
    }
    least = len(word) <= max(in_full, -1 if safe is None else safe) + 1
    return known | {"first_failing_length": len(word), "least": least, "witness": witness}


def _outputs(construction: Construction, model: Transformer, words: Sequence[str]) -> Iterator[dict[str, float]]:
    """Of each word those that are computed, of tokens with the same output that of the first."""
    apart = tied_outputs(construction)
    for computed in model.outputs(words).tolist():
        yield {token: x for token, x in zip(model.rows, computed, strict=True) if token in apart}


def _again(construction: Construction, given: Mapping[str, str], place: Place, row: Row) -> Again:
    require_kind(row, PREDICTING)
    witness, word = row["witness"], expand(row["witness"]["word"], construction.language.alphabet)
    [outputs] = _outputs(construction, _model(construction, given, place), [word])
    right = right_token(construction, word)
    if right is None:
        return Again(False, False, f"no output is right after these {len(word)} symbols")
    fails = _fails(construction, outputs, right)
    told = ", ".join(f"{token} {output!r}" for token, output in outputs.items())
    has = f"has {'not ' if fails else ''}the {_rank(construction).called} output"
    return Again(
        fails and (right, len(word)) == (witness["right"], row["first_failing_length"]),
        {token: str(output) for token, output in outputs.items()} == witness["outputs"],
        f"after {len(word)} symbols comes {right!r}, which {has} of {told}",
    )


_known: dict[tuple[object, ...], int | None] = {}
"""A certificate holds for every implementation that it covers."""


def _certified(construction: Construction, values: Mapping[str, str], place: Place) -> int | None:
    """Symbols up to which no word is lost that exact arithmetic predicts rightly; None where no certificate covers the
    row, or the network is of a kind that is not analysed."""
    from weightproof.numeric.certificate.next_token import certified_length
    from weightproof.numeric.rounding.model import is_modelled

    if not is_modelled(place.device, place.attention):
        return None
    longest = min(LONGEST_LINEAR, place.max_length)
    case = digest(construction), *values.items(), place.dtype, longest
    if case not in _known:
        _known[case] = certified_length(construction, values, place.dtype, longest)
    return _known[case]


def _words(construction: Construction, reach: int) -> Iterator[tuple[int, list[str], bool]]:
    """Of one length after the other words, and whether these are all of that length."""
    language, random, run = construction.language, Random(0), 0
    for length in _lengths(0 if construction.encoder.markers else 1, reach):
        run += len(language.alphabet) ** length if length <= EACH else ALL
        if run <= ALL:
            yield length, ["".join(word) for word in itertools.product(language.alphabet, repeat=length)], True
            continue
        hard = (
            itertools.islice(hard_words(language, name, length, OF_A_LENGTH), OF_A_LENGTH) for name in language.families
        )
        sampled = [drawn(language, random, length) for _ in range(DRAWN)]
        yield length, list(dict.fromkeys([*itertools.chain.from_iterable(hard), *sampled])), False


def _lengths(shortest: int, reach: int) -> Iterator[int]:
    length = shortest
    while length <= reach:
        yield length
        length += max(1, length // EACH)


def _fails(construction: Construction, outputs: Mapping[str, float], right: str) -> bool:
    """Whether another output is equal in the format, or ahead, or a number is none."""
    groups, rank = tied_outputs(construction), _rank(construction)
    own = next(first for first, tokens in groups.items() if right in tokens)
    if len(groups[own]) > 1:
        return True
    return not all(rank.ahead(outputs[own], output) > 0 for token, output in outputs.items() if token != own)


def _loses(construction: Construction, exact: Mapping[str, Number], right: str) -> bool:
    groups, rank = tied_outputs(construction), _rank(construction)
    own = next(first for first, tokens in groups.items() if right in tokens)
    ahead = (sign(rank.ahead(exact[own], x)) > 0 for token, x in exact.items() if token != own)
    return len(groups[own]) > 1 or not all(ahead)


def _output(derivation: Any, construction: Construction, word: str, given: Mapping[str, str]) -> Number:
    """By the closed form, in which a long word takes no longer than a short one."""
    from weightproof.symbolic.evaluate import evaluate_logit

    network = construction.encoder
    output: Number = evaluate_logit(derivation, add_markers(network, word), parameter_values(construction, given))
    return output
