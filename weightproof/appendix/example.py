"""The document's worked example: the exact interpreter's trace of one short word."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from flint import fmpq

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.running import Run, parameter_values, run
from weightproof.constructions.scalars.exact import Real, Undecided, sign
from weightproof.document import blocks
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit
from weightproof.symbolic.writing.latex import label, token
from weightproof.symbolic.writing.latex_source import source
from weightproof.terminal.digits import decimal, fraction

SHORTEST_TRIED, LONGEST_TRIED = 2, 4
"""Symbols of the words that are tried."""
LONGEST_FRACTION = 9
NO_VALUE = r"\text{--}"
DIGITS = 5


def example_word(construction: Construction) -> str | None:
    """The first member of 2, 3 or 4 symbols that has different symbols, else the first member, else the first word.

    None where the network has no exact value on any of them.
    """
    values = parameter_values(construction)
    words = [
        "".join(word)
        for length in range(SHORTEST_TRIED, LONGEST_TRIED + 1)
        for word in itertools.product(construction.language.alphabet, repeat=length)
    ]
    members = [word for word in words if is_member(construction, word, values)]
    for word in (*(word for word in members if len(set(word)) > 1), *members, *words):
        if _run(construction, word) is not None:
            return word
    return None


def _run(construction: Construction, word: str) -> Run | None:
    try:
        return run(construction, word)
    except (InputError, ArithmeticError):
        return None


def example(
    construction: Construction, derivation: Derivation | None, output: str | None = None
) -> Iterator[blocks.Block]:
    """The residual stream at every layer, the logit, and the closed form on the same word. output: that which the
    construction is one of, where the network predicts a token or a class."""
    word = example_word(construction)
    result = None if word is None else _run(construction, word)
    if word is None or result is None:
        return
    yield blocks.Heading(2, ("Worked example",))
    values: list[blocks.Spans] = [(blocks.Math(f"{p.name} = {source(p.default)}"),) for p in construction.parameters]
    given: blocks.Spans = (" with ", *blocks.joined(values)) if values else ()
    member = "is in the language" if is_member(construction, word, parameter_values(construction)) else "is not"
    said = f"; the word {member}." if output is None else "."
    yield blocks.Paragraph(
        (
            "The exact interpreter, which knows nothing of the derivation, on the word ",
            blocks.Code(word),
            *given,
            said,
        )
    )
    columns = tuple(f"{token(str(place))} = {label(name)}" for place, name in enumerate(result.tokens))
    for layer, stream in enumerate(result.streams):
        coordinates = tuple(dict.fromkeys(name for vector in stream for name in vector))
        entries = tuple(tuple(exact(v[name]) if v else NO_VALUE for v in stream) for name in coordinates)
        yield blocks.Matrix(f"a^{{{layer},i}}", tuple(map(label, coordinates)), columns, entries)
    yield blocks.Equations((blocks.equation(r"\mathrm{logit}", *_logit(result.logit)),))
    verdict = "The network accepts the word" if result.accepts else "The network rejects the word"
    shown: blocks.Spans = (f"{verdict}{'' if result.decided else ', at a logit of 0'}.",)
    if output is not None:
        shown = "This is the output of ", blocks.Code(output), "."
    yield blocks.Paragraph((*shown, *_closed(derivation, result)))


def _logit(value: Real) -> tuple[str, ...]:
    text = fraction(value)
    digits = digital(str(decimal(value)))
    if text is None or text == digits:
        return (digits,)
    return (exact(value), digits) if len(text) <= 3 * LONGEST_FRACTION else (digits,)


def _closed(derivation: Derivation | None, result: Run) -> blocks.Spans:
    """Whether the closed form says the same; InputError where it does not."""
    if derivation is None:
        return ()
    values = parameter_values(derivation.construction)
    closed = evaluate_logit(derivation, result.tokens, values)
    if isinstance(closed, fmpq) and isinstance(result.logit, fmpq):
        same = closed == result.logit
    else:
        try:
            same = sign(closed - result.logit) == 0
        except Undecided:  # equal as far as any precision tells
            same = True
    if not same:
        raise InputError(
            f"{derivation.construction.name}: the closed form is {closed} where the exact run gives {result.logit}"
        )
    return (" The closed form has the same value there.",)


def exact(value: Real) -> str:
    """A short fraction, else a few digits."""
    text = fraction(value)
    if text is None or len(text) > LONGEST_FRACTION:
        return digital(str(decimal(value, DIGITS)))
    minus, rest = ("-", text[1:]) if text.startswith("-") else ("", text)
    above, slash, below = rest.partition("/")
    return rf"{minus}\frac{{{above}}}{{{below}}}" if slash else text


def digital(text: str) -> str:
    """A decimal as a formula."""
    mantissa, _, exponent = text.replace("...", r"\ldots ").partition("e")
    return rf"{mantissa}\cdot 10^{{{exponent}}}" if exponent else mantissa.strip()
