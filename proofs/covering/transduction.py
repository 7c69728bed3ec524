"""The automaton that reads what a decoder is to compute: its words are all prompts with what a transducer writes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from weightproof.constructions.languages.transducers import Item
from weightproof.proofs.covering.automaton import MOST_EDGES, Automaton, Layer, TooManyStates
from weightproof.proofs.theorem import Computes


def automaton(theorem: Computes, items: Sequence[Item]) -> Automaton:
    """Its words are all prompts with what is written behind them; a layer a slot. items: what stands at each place."""
    transducer = theorem.transducer
    names = list(transducer.tracks)
    tokens: dict[str, int] = {}
    places: list[list[int]] = [[] for _ in range(transducer.count)]
    for place, item in enumerate(items):
        places[0 if isinstance(item, str) else item[1]].append(place)
    states, layers, total = {transducer.start: 0}, list[Layer](), 0
    for slot in range(transducer.count):
        behind: dict[object, int] = {}
        edges = []
        for (state, source), letters in itertools.product(states.items(), transducer.choices(slot)):
            after, written = transducer.written(state, letters)
            here = {"": written, **dict(zip(names, letters, strict=True))}
            carried = [item if isinstance(item, str) else here[item[0]] for item in (items[p] for p in places[slot])]
            numbers = [tokens.setdefault(token, len(tokens)) for token in carried]
            edges.append((behind.setdefault(after, len(behind)), source, *numbers))
        total += len(edges)
        if total > MOST_EDGES:
            raise TooManyStates(f"more than {MOST_EDGES} edges of an automaton that reads all inputs")
        target, source_of, *columns = np.array(sorted(edges), dtype=np.int64).T
        layers.append(Layer(source_of, target, np.stack(columns, -1), tuple(places[slot])))
        states = behind
    return Automaton(tuple(tokens), tuple(layers), tuple(states))
