"""Recurrent networks whose numbers are names: what is proved of one of these is true of all numbers in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import Embedding, Linear
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import rewritten


def every_rnn(units: int, inputs: int, symbols: int, embedded_in_fractions: bool = False) -> RNN:
    """The recurrent network of so many units, inputs and symbols whose numbers are all names: what is proved of it is
    true of every one of these sizes, or of those whose embeddings lie in [0, 1]. "#" and "$" have one, too."""
    h = [f"h{number}" for number in range(1, units + 1)]
    x = [f"x{number}" for number in range(1, inputs + 1)]
    alphabet = tuple(chr(ord("a") + number) for number in range(symbols))
    tokens = {**{symbol: symbol for symbol in alphabet}, BEGIN: "begin", END: "end"}
    embedding = {token: {each: f"f_{name}_{each}" for each in x} for token, name in tokens.items()}
    W_h = {unit: {other: f"W_{unit}_{other}" for other in h} for unit in h}
    W_x = {unit: {each: f"W_{unit}_{each}" for each in x} for unit in h}
    b = {unit: f"b_{unit}" for unit in h}
    rows = (*embedding.values(), *W_h.values(), *W_x.values(), b)
    return RNN(
        name=f"every RNN with {_sizes(units, inputs, symbols)}"
        + (", all embeddings in [0, 1]" if embedded_in_fractions else ""),
        alphabet=alphabet,
        units=tuple(h),
        inputs=tuple(x),
        embedding=Embedding(WE=embedding),
        W_h=Linear(W_h),
        W_x=Linear(W_x, bias=b),
        numbers=tuple(name for row in rows for name in row.values()),
        fractions=tuple(name for row in embedding.values() for name in row.values()) if embedded_in_fractions else (),
    )


def _sizes(units: int, inputs: int, symbols: int) -> str:
    """How many of each, in words."""
    counted = {"unit": units, "input": inputs, "symbol": symbols}
    return ", ".join(f"{number} {noun}{'' if number == 1 else 's'}" for noun, number in counted.items())


def numbered(rnn: RNN, values: Mapping[str, object]) -> RNN:
    """With values in the place of its numbers, 0 where none is given; InputError for a name that it does not have."""
    for name in values:
        if name not in rnn.numbers:
            raise InputError(f"{rnn.name}: no number {name!r}; it has {', '.join(rnn.numbers)}")

    def row(columns: Mapping[str, Expression]) -> dict[str, object]:
        return {name: values.get(w.source, 0) if w.source in rnn.numbers else w for name, w in columns.items()}

    def rows(weights: Mapping[str, Mapping[str, Expression]]) -> dict[str, dict[str, object]]:
        return {name: row(columns) for name, columns in weights.items()}

    return replace(
        rnn,
        embedding=Embedding(rows(rnn.embedding.WE)),
        W_h=Linear(rows(rnn.W_h.weights), row(rnn.W_h.bias)),
        W_x=Linear(rows(rnn.W_x.weights), row(rnn.W_x.bias)),
        numbers=(),
        fractions=(),
    )


def with_numbers(simulation: Simulation, values: Mapping[str, object]) -> Simulation:
    """That of the recurrent network with values in the place of its numbers, 0 where none is given, as `numbered`; the
    transformer is the same one, these numbers put in. So what is proved of all numbers at once is true of each."""
    rnn = numbered(simulation.rnn, values)
    told = {name: str(values.get(name, 0)) for name in simulation.rnn.numbers}
    names = re.compile(rf"\b({'|'.join(told)})\b")

    def put(weight: Expression) -> Expression:
        if weight.source in told:
            return Expression(told[weight.source])
        return Expression(names.sub(lambda found: f"({told[found[0]]})", weight.source))

    return replace(simulation, rnn=rnn, network=rewritten(simulation.network, put)) if told else simulation
