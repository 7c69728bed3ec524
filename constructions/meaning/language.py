"""What is wrong with a language, and with the tokens that are to be predicted after its words.

Each generator yields what is wrong and may rely on nothing being wrong before, as there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from reprlib import repr as short

from weightproof.constructions.meaning.schema import Encoder, Language, Network
from weightproof.constructions.scalars.problems import formula_problems


def types(value: object, place: str, /, **expected: type | tuple[type, ...]) -> Iterator[str]:
    """The fields of `value` have the types that the schema says."""
    for field, kind in expected.items():
        found = getattr(value, field)
        if not isinstance(found, kind):
            kinds = kind if isinstance(kind, tuple) else (kind,)
            yield f"{place}: {field} is {short(found)}, not a {' or '.join(k.__name__ for k in kinds)}"


def tuples(value: object, place: str, /, **expected: type) -> Iterator[str]:
    """The fields of `value` are tuples, each entry of the type that the schema says."""
    yield from types(value, place, **dict.fromkeys(expected, tuple))
    for field, kind in expected.items():
        for number, found in enumerate(getattr(value, field), start=1):
            if not isinstance(found, kind):
                yield f"{place}: {field}, entry {number} is {short(found)}, not a {kind.__name__}"


def alphabet_problems(value: object, place: str) -> Iterator[str]:
    """Of a field `alphabet`: words are written as text, a character a symbol."""
    yield from tuples(value, place, alphabet=str)
    alphabet: tuple[str, ...] = value.alphabet  # type: ignore[attr-defined]
    if not alphabet or len(set(alphabet)) != len(alphabet):
        yield f"{place}: the alphabet is empty or repeats a symbol"
    for symbol in alphabet:
        if len(symbol) != 1:
            yield f"{place}: symbols of the alphabet are single characters, not {symbol!r}"
        if not symbol.isprintable():
            yield f"{place}: symbol {symbol!r} of the alphabet cannot be printed; take another character"


def language_problems(language: Language, parameters: Collection[str]) -> Iterator[str]:
    yield from types(language, "language", name=str, description=str, families=Mapping)
    place = f"language {language.name}"
    yield from alphabet_problems(language, place)
    functions = {"member": language.member, "sample": language.sample}
    for name, function in (functions | {f"family {short(name)}": f for name, f in language.families.items()}).items():
        if not callable(function):
            yield f"{place}: {name} is {short(function)}, not a function"
    names = {"n", *parameters}
    yield from formula_problems(language.characterisation, names, language.alphabet, f"{place}, characterisation")
    yield from types(language, place, labels=Mapping)
    for token, formula in language.labels.items():
        yield from formula_problems(formula, {"n"}, language.alphabet, f"{place}, label {short(token)}")
    if bool(language.labels) != callable(language.label):
        yield f"{place}: labels are said twice: as formulas, in labels, and by a function, label"


def label_problems(language: Language, network: Network) -> Iterator[str]:
    """The right tokens are tokens that the network may predict."""
    if not language.labels:
        return
    readout = network.readout
    if not isinstance(network, Encoder) or not readout.ranks:
        yield f"language {language.name}: labels are for encoders that take the argmax over tokens"
    for token in language.labels:
        if token not in {*readout.W.weights, *readout.W.bias}:
            yield f"language {language.name}: label {short(token)} is no output of the network"
