"""The outputs of a network that predicts a token or a class, one at a time: as recognisers, which are proved, run and
measured like any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.schema import Embedding, Encoder, Linear, Readout
from weightproof.constructions.scalars.expressions import Expression


def predicts(construction: Construction) -> bool:
    """Whether it is an encoder that predicts a token or a class."""
    network = construction.network
    return isinstance(network, Encoder) and network.readout.predicts


def outputs(construction: Construction) -> tuple[str, ...]:
    """The tokens among which the argmax is taken, in the order of the readout's rows."""
    W = construction.network.readout.W
    return W.rows


def tied_outputs(construction: Construction) -> dict[str, tuple[str, ...]]:
    """The outputs that have the same weights, and so are always equal, by the first of them."""
    W = construction.network.readout.W
    rows: dict[tuple[object, ...], list[str]] = {}
    for token in outputs(construction):
        rows.setdefault((tuple(sorted(W.weights.get(token, {}).items())), W.bias.get(token)), []).append(token)
    return {tokens[0]: tuple(tokens) for tokens in rows.values()}


def first_right(construction: Construction) -> str:
    """The output that stands for all where one is told in full: that of the first token that is ever right."""
    return next(iter((*construction.language.labels, *outputs(construction))))


def logit_difference(construction: Construction, token: str, other: str | None = None) -> Construction:
    """The recogniser whose logit is the output of a token, or by how much it is ahead of another one's where that is
    named: the difference of the two (`interpreter.ahead`).

    It is said to accept the words after which the token is right, as far as the language says which those are: so they
    are all there is to be shown where the token is ahead of all others exactly when it is right. Raises InputError for
    what is no output.
    """
    network = construction.encoder
    for each in (token, *(() if other is None else (other,))):
        if each not in outputs(construction):
            known = ", ".join(map(repr, outputs(construction)))
            raise InputError(f"{construction.name}: {each!r} is no output of it; there are {known}")
    W, embedding = network.readout.W, network.embedding
    rank = Choices("the difference of outputs").ranked(network.readout.accept)
    own, less = (token, other) if other is None or rank.sign > 0 else (other, token)
    row = _difference(W.weights.get(own, {}), {} if less is None else W.weights.get(less, {}))
    bias = _difference(
        *({"logit": W.bias[each]} if each is not None and each in W.bias else {} for each in (own, less))
    )
    seen = {*construction.language.alphabet, *add_markers(network, ())}
    return replace(
        construction,
        name=f"{construction.name}, output {token!r}" + (f" over {other!r}" if other is not None else ""),
        language=_right(construction.language, token),
        network=replace(
            network,
            embedding=Embedding({each: row for each, row in embedding.WE.items() if each in seen}, embedding.PE),
            readout=Readout(Linear({"logit": row}, bias), network.readout.position),
        ),
    )


def _difference(left: Mapping[str, Expression], right: Mapping[str, Expression]) -> dict[str, Expression]:
    """Row by row; what stands on both sides is left out."""
    result = {}
    for name in dict.fromkeys((*left, *right)):
        if left.get(name) == right.get(name):
            continue
        if name not in right:
            result[name] = left[name]
        else:
            result[name] = Expression(f"{f'({left[name]})' if name in left else ''} - ({right[name]})".strip())
    return result


def _right(language: Language, token: str) -> Language:
    """The words after which a token is right; all words of the language where it says of no token when."""
    formula, label = language.labels.get(token), language.label
    if label is None:
        return language
    return Language(
        name=f"{language.name}, {token!r}",
        alphabet=language.alphabet,
        member=lambda word: label(word) == token,
        characterisation="n < 0" if formula is None else formula,
        sample=language.sample,
        families=language.families,
    )
