"""Negative controls of networks that add: every nonzero weight changed, in all members of a family alike, or in one.

A family's weight of a residue is a column of its embedding, that of an output a column of the readout: these are
changed for all residues, or all outputs, at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from tests.support.changes import changed_weights
from weightproof.constructions.meaning.schema import Embedding, Encoder, Linear, Readout
from weightproof.constructions.modular.addition import Adder
from weightproof.constructions.modular.counting import Counter, Units
from weightproof.constructions.modular.family import Family
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.changes import CHANGES, weights

Rewrite = Callable[[Expression], Expression]


def changed_families(family: Family) -> Iterator[tuple[str, str, Family]]:
    """Where, what, and the family whose members are changed there, each once."""
    seen = set()
    for what in CHANGES:
        for place, network in zip(_places(family.network), _rewritten(family.network, _rewrite(what)), strict=True):
            there = tuple((at, w if w.names else evaluate(w, {})) for at, w, _ in weights(network))
            if there not in seen:
                seen.add(there)
                yield place, what, replace(family, network=network)


def _rewrite(what: str) -> Rewrite:
    template = CHANGES[what]
    return lambda w: Expression(template.format(w=w) if what != "zeroed" else "0")


def _places(network: Encoder) -> list[str]:
    columns = list(dict.fromkeys(name for row in network.embedding.WE.values() for name in row))
    inner = [place for place, _, _ in _layer_weights(network)]
    outputs = list(dict.fromkeys(name for row in network.readout.W.weights.values() for name in row))
    return [*(f"WE {name!r}" for name in columns), *inner, *(f"readout {name!r}" for name in outputs)]


def _rewritten(network: Encoder, rewrite: Rewrite) -> Iterator[Encoder]:
    """With one place changed, in the order of `_places`."""
    WE, W = network.embedding.WE, network.readout.W
    for column in dict.fromkeys(name for row in WE.values() for name in row):
        yield replace(network, embedding=Embedding(_column(WE, column, rewrite), network.embedding.PE))
    for _, old, rebuild in _layer_weights(network):
        yield rebuild(rewrite(old))
    for column in dict.fromkeys(name for row in W.weights.values() for name in row):
        readout = Linear(_column(W.weights, column, rewrite), W.bias)
        yield replace(network, readout=Readout(readout, network.readout.position, network.readout.accept))


def _column(
    rows: Mapping[str, Mapping[str, Expression]], column: str, rewrite: Rewrite
) -> dict[str, dict[str, Expression]]:
    return {row: {n: rewrite(w) if n == column else w for n, w in columns.items()} for row, columns in rows.items()}


def _layer_weights(network: Encoder) -> list[tuple[str, Expression, Callable[[Expression], Any]]]:
    bare = replace(network, embedding=Embedding({}), readout=Readout(Linear()))

    def rebuild(build: Callable[[Expression], Encoder]) -> Callable[[Expression], Encoder]:
        return lambda w: replace(network, layers=build(w).layers)

    return [(place, old, rebuild(build)) for place, old, build in weights(bare)]


def changed_members(adder: Adder) -> Iterator[tuple[str, str, Adder]]:
    """One weight of one network changed, a residue's or an output's alone."""
    for place, what, network in changed_weights(weights(adder.network)):
        yield place, what, replace(adder, network=network)


def changed_units(units: Units) -> Iterator[tuple[str, str, Units]]:
    """A weight changed in all units at once."""
    for place in ("W_1", "b_1", "W_2", "b_2"):
        for what in CHANGES:
            changed = {name: getattr(units, name) for name in ("W_1", "b_1", "W_2", "b_2")}
            changed[place] = _rewrite(what)(changed[place])
            yield place, what, Units(units.name, units.title, units.source, **changed)


def changed_counters(counter: Counter) -> Iterator[tuple[str, str, Counter]]:
    """One weight of the network of one length changed."""
    for part in ("first", "second"):
        linear: Linear = getattr(counter.network, part)
        for row, columns in linear.weights.items():
            for name, w in columns.items():
                yield from _each(counter, part, f"{row} from {name}", w, _entry(linear, row, name))
        for row, w in linear.bias.items():
            yield from _each(counter, part, f"bias of {row}", w, _bias(linear, row))


def _each(
    counter: Counter, part: str, place: str, w: Expression, rebuild: Callable[[Expression], Linear]
) -> Iterator[tuple[str, str, Counter]]:
    if evaluate(w, {}) == 0:
        return
    for what in CHANGES:
        new, inner = rebuild(_rewrite(what)(w)), counter.network
        network = replace(inner, first=new) if part == "first" else replace(inner, second=new)
        yield f"{part} map, {place}", what, replace(counter, network=network)


def _entry(linear: Linear, row: str, name: str) -> Callable[[Expression], Linear]:
    return lambda w: Linear({**linear.weights, row: {**linear.weights[row], name: w}}, linear.bias)


def _bias(linear: Linear, row: str) -> Callable[[Expression], Linear]:
    return lambda w: Linear(linear.weights, {**linear.bias, row: w})
