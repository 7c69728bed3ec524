"""`--to onnx`: a network for words of one length, and what a verifier of neural networks may be asked about it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from flint import arb

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.notation import quoted
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.exact import ball, sign
from weightproof.constructions.scalars.values import Number
from weightproof.exports import onnx_graph
from weightproof.exports.exporting import Exporting, about, as_json, require_unset
from weightproof.extras import require
from weightproof.terminal.streams import progress

MOST_WORDS = 4096
"""Words of one length that are spelt out."""
BITS = 512
"""Of balls, in which networks with norms are run."""


@dataclass(frozen=True)
class Known:
    """What exact arithmetic says of a word. logit: the nearest float64, or one beside it; positive: its sign."""

    member: bool
    accepts: bool
    logit: float


def require_few(exporting: Exporting, length: int) -> None:
    """InputError where there are too many words of so many symbols."""
    symbols = len(exporting.construction.language.alphabet)
    most = max(n for n in range(MOST_WORDS.bit_length()) if symbols**n <= MOST_WORDS) if symbols > 1 else MOST_WORDS
    if length > most:
        raise InputError(f"--length {length}: {symbols}^{length} words to spell out; give {most} or less")


def known_words(exporting: Exporting, length: int) -> dict[str, Known]:
    """All words of so many symbols; InputError where one has no value."""
    construction, alphabet = exporting.construction, exporting.construction.language.alphabet
    bits = BITS if exporting.network.normed else None
    found = {}
    with progress(len(alphabet) ** length) as advance:
        for number, symbols in enumerate(itertools.product(alphabet, repeat=length)):
            word = "".join(symbols)
            advance(word, number)
            try:
                ran = run(construction, word, exporting.options.given, bits)
            except ArithmeticError as error:
                raise InputError(f"{construction.name}: no exact value on {quoted(word)}: {error}") from error
            member = is_member(construction, word, {name: x for name, x in exporting.names.items() if name != "d"})
            found[word] = Known(member, ran.accepts, _float(ran.logit))
    return found


def _float(x: Number) -> float:
    """0 where it is 0, and else another number."""
    if sign(x) == 0:
        return 0.0
    return float((x if isinstance(x, arb) else ball(x)).mid())


def properties(exporting: Exporting, length: int) -> dict[str, str]:
    """accepted.vnnlib: a word of the language is not accepted; rejected.vnnlib: another word is."""
    known = known_words(exporting, length)
    threshold = min((abs(each.logit) for each in known.values() if each.logit), default=1.0) / 2
    return {
        f"{name}.vnnlib": _property(
            exporting, length, threshold, {word: each for word, each in known.items() if each.member == member}
        )
        for name, member in (("accepted", True), ("rejected", False))
        if any(each.member == member for each in known.values())
    }


def _property(exporting: Exporting, length: int, threshold: float, words: Mapping[str, Known]) -> str:
    alphabet = exporting.construction.language.alphabet
    wrong = [word for word, each in words.items() if each.accepts != each.member]
    member = next(iter(words.values())).member
    said = "is in the language, and not accepted" if member else "is not in the language, and accepted"
    lost = f"sat, on {wrong[0]!r}" if wrong else "unsat"
    lines = [
        f"; {exporting.construction.name}: a word of {length} symbols {said}",
        f"; in exact arithmetic: {lost}; the least |logit| that is not 0 is twice {threshold!r}",
        "(vnnlib-version <2.0>)",
        "(declare-network network",
        f"  (declare-input X {exporting.options.dtype} [{length}, {len(alphabet)}])",
        f"  (declare-output Y {exporting.options.dtype} [1])",
        ")",
        "(assert (or",
        *(f"  {_spelt(word, alphabet)}" for word in words),
        "))",
        f"(assert {_misread(exporting, member, threshold)})",
    ]
    return "\n".join(lines) + "\n"


def _spelt(word: str, alphabet: tuple[str, ...]) -> str:
    bits = (
        f"(== X[{place},{number}] {float(symbol == read)})"
        for place, read in enumerate(word)
        for number, symbol in enumerate(alphabet)
    )
    return f"(and {' '.join(bits)})"


def _misread(exporting: Exporting, member: bool, threshold: float) -> str:
    """That Y decides otherwise than it should."""
    size = format(Decimal(repr(threshold)), "f")  # there are no exponents there
    rule = Choices("VNN-LIB").accepted(exporting.network.readout.accept)
    if rule.side:
        cut = f"{'-' if rule.on_side(True) in ((1, False), (-1, True)) else ''}{size}"
        return f"({'<=' if rule.on_side(member)[0] > 0 else '>='} Y[0] {cut})"
    if member:
        return f"(or (>= Y[0] {size}) (<= Y[0] -{size}))"
    return f"(and (<= Y[0] {size}) (>= Y[0] -{size}))"


FORMAT = "onnx"
DTYPES = ("float64", "float32")


def files(exporting: Exporting) -> dict[str, bytes]:
    """model.onnx, accepted.vnnlib and rejected.vnnlib, as far as there are such words, and config.json."""
    options, construction = exporting.options, exporting.construction
    require_unset(FORMAT, max_length=options.max_length)
    if options.length is None:
        raise InputError("--to onnx is for words of one length: give it as --length 5, in symbols")
    if options.length < 1:
        raise InputError(f"--length {options.length} leaves the network no input: give 1 or more")
    if options.dtype not in DTYPES:
        raise InputError(f"--dtype {options.dtype}: runtimes of ONNX compute in {' or '.join(DTYPES)}")
    if predicts(construction):
        raise exporting.refused(
            "this export to ONNX", "it predicts a token or a class, and properties speak of a logit"
        )
    require_few(exporting, options.length)
    require("onnx")
    said = properties(exporting, options.length)
    config = about(exporting) | {
        "dtype": options.dtype,
        "length": options.length,
        "input": "X[i, a] is 1 where symbol i of the word is the a-th of the alphabet, and 0 elsewhere",
        "output": "Y[0] is the logit",
    }
    return {
        "model.onnx": onnx_graph.model(exporting, options.length),
        **{name: text.encode() for name, text in said.items()},
        "config.json": as_json(config),
    }
