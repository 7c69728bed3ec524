"""A theorem against its certificate: that the sets are all words that it speaks of, and each is as the theorem says.

Which words there are is read off the same automaton as in the search, which formulas or a transducer make. All else is
derived here once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from flint import arb, ctx, fmpq

from weightproof.constructions.languages.transducers import laid_out
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Vector, appended, read_out, streams
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.values import in_balls
from weightproof.proofs.covering.asking import Signs, asked, over_others
from weightproof.proofs.covering.certificate import Certificate, Positions, Ran, Sets, Shown, Split
from weightproof.proofs.covering.checking.network import Check
from weightproof.proofs.covering.checking.sets import Uncovered, WordSet
from weightproof.proofs.covering.progression import automaton as of_words
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.transduction import automaton as of_inputs
from weightproof.proofs.theorem import Computes, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Covered

PRECISIONS = (160, 640, 2560)
"""Bits of the balls in which a word is run, until its signs are known."""


@dataclass(frozen=True)
class Question:
    """Words of which the same is to be shown, which have one token at the place that is read, if one is."""

    token: str | None
    words: WordSet
    signs: Signs


def lengths(construction: Construction, theorem: Decides | Predicts | Computes) -> range:
    """How many positions have the words that a theorem speaks of, up to the place that is read. NotCovered where these
    have no end."""
    network = construction.network
    if isinstance(theorem, Computes):
        items, prompt = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
        marker = int(isinstance(network, Decoder) and network.begin is not None)
        return range(prompt + marker, len(items) + marker)
    if theorem.up_to is None:
        raise NotCovered("a certificate is checked of words up to a length alone")
    return range(max(len(construction.encoder.markers), 1), theorem.up_to + 1)


def questions(construction: Construction, theorem: Decides | Predicts | Computes, check: Check) -> Iterator[Question]:
    """All that a theorem asks of words of a length."""
    network = construction.network
    if isinstance(theorem, Computes):
        assert isinstance(network, Decoder)
        items, _ = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
        inputs = of_inputs(theorem, items if network.begin is None else (network.begin, *items))
        every = WordSet.everything(inputs, range(len(inputs.outcomes)))
        check.knows(every)
        for last, words in by_token(every, inputs.tokens, check.length - 1):
            for wanted, some in by_token(words, inputs.tokens, check.length):
                yield Question(last, some, over_others(wanted, network.readout))
        return
    assert isinstance(network, Encoder)
    wanted_of = asked(construction, theorem)
    reader = of_words(network, construction.language.alphabet, wanted_of.formulas, check.length)
    check.knows(WordSet.everything(reader, range(len(reader.outcomes))))
    ends: dict[Signs, list[int]] = {}
    for number, outcome in enumerate(reader.outcomes):
        if (signs := wanted_of.of(outcome)) is not None:  # type: ignore[arg-type]
            ends.setdefault(signs, []).append(number)
    for signs, some_ends in ends.items():
        every = WordSet.everything(reader, some_ends)
        if len(check.places_read) > 1:
            yield Question(None, every, signs)
            continue
        for token, some in by_token(every, reader.tokens, check.places_read[0]):
            yield Question(token, some, signs)


def by_token(words: WordSet, tokens: tuple[str, ...], place: int) -> Iterator[tuple[str, WordSet]]:
    for token in sorted(words.tokens_at(place), key=tokens.index):
        yield token, words.with_token(place, token)


NONE = Covered(0, 0, 0, None)


def pieces(
    construction: Construction, theorem: Theorem, certificate: Certificate
) -> list[Callable[[], Iterator[Covered]]]:
    """The checks of the words of each length, to be made in any order: Uncovered where the certificate shows less than
    the theorem says, and NotCovered where something in it is not read."""
    if not isinstance(theorem, Decides | Predicts | Computes) or not isinstance(
        construction.network, Encoder | Decoder
    ):
        raise NotCovered(
            f"a certificate is of what a network decides, predicts or computes: {theorem.name} says something else"
        )
    if construction.parameters:
        raise NotCovered("the check of a certificate reads no network with parameters")
    wanted, there = [*lengths(construction, theorem)], [each.positions for each in certificate.positions]
    if wanted != there:
        missing = sorted({*wanted} ^ {*there})
        raise Uncovered(f"it is of other lengths than the theorem: {', '.join(map(str, missing)) or 'one twice'}")
    return [partial(checked_at, construction, theorem, each) for each in certificate.positions]


def checked_at(
    construction: Construction, theorem: Decides | Predicts | Computes, positions: Positions
) -> Iterator[Covered]:
    """The words of a length, checked."""
    network = construction.network
    assert isinstance(network, Encoder | Decoder)
    check, total = Check(network, positions.positions), NONE
    asked_of = [*questions(construction, theorem, check)]
    if [question.token for question in asked_of] != [token for token, _ in positions.parts]:
        raise Uncovered(f"{positions.positions} positions: its parts are not those of the theorem")
    for question, (_, sets) in zip(asked_of, positions.parts, strict=True):
        total += covered(check, question.words, question.signs, sets)
    yield total


def covered(check: Check, words: WordSet, signs: Signs, sets: Sets) -> Covered:
    """That all words of a set are as they should be, as its parts are; Uncovered else."""
    match sets:
        case Shown(margin=margin):
            found, said, count = check.away(words, signs), Decimal(margin), words.count()
            if said < 0 or (said == 0 and signs.sign in ("positive", "not zero")):
                raise Uncovered(f"a set of {count} words of which nothing is said: a margin of {margin}")
            if not found >= arb(fmpq(*said.as_integer_ratio())):
                raise Uncovered(f"a set of {count} words: at least {found.str(6, radius=False)}, not {margin}")
            return Covered(count, 1, 0, margin)
        case Ran(words=run):
            if words.count() != len({*run}) or {*words.words()} != {*run}:
                raise Uncovered(f"a set of {words.count()} words, not the {len(run)} that are to be run")
            for word in run:
                require_right(check, word, signs)
            return Covered(len(run), 0, len(run), None)
        case Split(layer=layer, parts=parts):
            if layer >= len(words.layers):
                raise Uncovered(f"a set in parts by layer {layer}, of {len(words.layers)} layers")
            used = frozenset(number for number, _, _ in words.layers[layer])
            left, halves = used, []
            for edges, each in parts:
                kept = used & {*edges}
                if not kept <= left:
                    raise Uncovered(f"edge {min(kept - left)} of layer {layer} in two sets")
                left -= kept
                halves.append((kept, each))
            if left:
                raise Uncovered(f"{words.keeping(layer, left).count()} words in no set: edges of layer {layer}")
            some = (covered(check, words.keeping(layer, kept), signs, each) for kept, each in halves if kept)
            return sum(some, start=NONE)


def require_right(check: Check, word: tuple[str, ...], signs: Signs) -> None:
    """Uncovered unless the interpreter's outputs of a word have the signs, in balls."""
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            try:
                outputs = run(check, word)
                values = [outputs[name] for name in check.network.readout.W.rows]
                found = [
                    sign(sum((x * f for x, f in zip(values, row, strict=True) if f), fmpq(0))) for row in signs.matrix
                ]
            except Undecided:
                continue
        if all(HAS_SIGN[signs.sign](each) for each in found):
            return
        raise Uncovered(f"{''.join(word)!r} is wrong")
    raise Uncovered(f"{''.join(word)!r} is open in balls of {PRECISIONS[-1]} bits")


HAS_SIGN: dict[str, Callable[[int], bool]] = {
    "positive": lambda x: x > 0,
    "not negative": lambda x: x >= 0,
    "zero": lambda x: x == 0,
    "not zero": lambda x: x != 0,
}


def run(check: Check, word: tuple[str, ...]) -> Vector:
    """What the interpreter reads out behind a word."""
    network = check.network
    if isinstance(network, Decoder):
        symbols = word[int(network.begin is not None) : check.length]
        return dict(next(appended(network, symbols, {}, in_balls)).outputs)
    return read_out(network, streams(network, word, {}, in_balls)[-1], {}, in_balls)
