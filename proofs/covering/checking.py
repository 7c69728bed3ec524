"""Checks what a proof by covering rests on, word by word in its sets, with nothing of how the sets were found.

A certificate names sets of words by cuts: of a part (all words of a length of which the same is to be shown) the words
whose paths use, in some layers, none but certain edges. Checked is that the sets of a part are its parts under cuts, so
that together they are all of it; how many words they have; and on each set, in balls of many bits and Python's own
integers, what is to be shown of every word in it. This is a second reading of the network, kept as plain as it can be:
no arrays, no floats, no noise but what an activation or a quotient leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from flint import arb, ctx, fmpq

from weightproof.constructions.meaning.interpreter import embed
from weightproof.constructions.meaning.schema import Decoder, Encoder, FeedForward, Head, Layer, Linear, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import Evaluator, in_balls
from weightproof.proofs.covering.automaton import Automaton
from weightproof.proofs.covering.scope import COVERING, NotCovered, require_readable
from weightproof.proofs.running.weights import ball

BITS = 160
"""Of the balls."""
SCALE = 120
"""Sums over paths are compared in multiples of 2^-SCALE, rounded downward."""


class Uncovered(Exception):
    """A certificate that shows less than it says; one line."""


Kept = Mapping[int, frozenset[int]]
"""By layer, the edges that paths may use there, by their numbers in it; all of them in a layer that is not named."""


@dataclass(frozen=True)
class Sum:
    """constant + sums over the edges of a path, each times a factor + numbers from -1 to 1, each times a size."""

    constant: arb
    paths: Mapping[int, arb] = field(default_factory=dict)
    noise: Mapping[int, arb] = field(default_factory=dict)

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.constant + other.constant, _plus(self.paths, other.paths), _plus(self.noise, other.noise))

    def times(self, by: arb) -> Sum:
        return Sum(self.constant * by, *({k: x * by for k, x in part.items()} for part in (self.paths, self.noise)))


def _plus(left: Mapping[int, arb], right: Mapping[int, arb]) -> dict[int, arb]:
    found = dict(left)
    for key, value in right.items():
        found[key] = found.get(key, arb(0)) + value
    return found


@dataclass
class WordSet:
    """The words of an automaton whose paths use these edges and end in one of these states."""

    automaton: Automaton
    kept: Kept
    ends: frozenset[int]
    paths: list[list[list[arb]]] = field(default_factory=list)
    """Of each sum over a path what every edge adds, by layer."""
    noises: int = 0

    def __post_init__(self) -> None:
        self.layers = [
            [
                (number, int(source), int(target))
                for number, (source, target) in enumerate(zip(layer.source, layer.target, strict=True))
                if k not in self.kept or number in self.kept[k]
            ]
            for k, layer in enumerate(self.automaton.layers)
        ]

    def count(self) -> int:
        """How many words it has."""
        ways = {0: 1}
        for edges in self.layers:
            behind: dict[int, int] = {}
            for _, source, target in edges:
                behind[target] = behind.get(target, 0) + ways.get(source, 0)
            ways = behind
        return sum(ways.get(end, 0) for end in self.ends)

    def tokens_at(self, place: int) -> set[str]:
        """Those that some edge carries there."""
        layer, column = self.automaton.carriers[place]
        tokens = self.automaton.layers[layer].tokens
        return {self.automaton.tokens[tokens[number, column]] for number, _, _ in self.layers[layer]}

    def path(self, table: Sequence[Mapping[str, arb]]) -> Sum:
        """The sum of what a table has for each of the first places and the token there."""
        numbers = [[arb(0)] * len(layer.source) for layer in self.automaton.layers]
        for place, row in enumerate(table):
            layer, column = self.automaton.carriers[place]
            tokens = self.automaton.layers[layer].tokens
            for number, _, _ in self.layers[layer]:
                token = self.automaton.tokens[tokens[number, column]]
                numbers[layer][number] += row.get(token, arb(0))
        self.paths.append(numbers)
        return Sum(arb(0), {len(self.paths) - 1: arb(1)})

    def open(self, size: arb) -> Sum:
        """A number from -size to size."""
        self.noises += 1
        return Sum(arb(0), {}, {self.noises: size.abs_upper()})

    def least(self, of: Sum) -> arb:
        """No more than what it is on any word of the set."""
        ways: dict[int, int] = {0: 0}
        for k, edges in enumerate(self.layers):
            behind: dict[int, int] = {}
            for number, source, target in edges:
                if source not in ways:
                    continue
                added = arb(0)
                for key, factor in of.paths.items():
                    added += factor * self.paths[key][k][number]
                total = ways[source] + _floor(added)
                if target not in behind or total < behind[target]:
                    behind[target] = total
            ways = behind
        found = min(ways[end] for end in self.ends if end in ways)
        noise = sum((abs(size).upper() for size in of.noise.values()), arb(0))
        return (arb(found) / 2**SCALE + of.constant - noise).lower()

    def range(self, of: Sum) -> tuple[arb, arb]:
        return self.least(of), -self.least(of.times(arb(-1)))


def _floor(x: arb) -> int:
    """Of x times 2^SCALE, rounded downward."""
    if not x.is_finite():
        raise Uncovered("a number that is not finite")
    mantissa, exponent = x.lower().man_exp()
    shift = int(exponent) + SCALE
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift


@dataclass
class Check:
    """A network of one layer, or none, on the first `length` places of an automaton; NotCovered for any other."""

    network: Encoder | Decoder
    automaton: Automaton
    length: int

    def __post_init__(self) -> None:
        network, at = self.network, "last"
        require_readable(network, self.length)
        if isinstance(network, Decoder):
            if network.table is not None:
                raise NotCovered("a certificate is checked of decoders without a table alone")
        else:
            at = network.readout.position
        if network.final_norm is not None or any(layer.norms for layer in network.layers):
            raise NotCovered("a certificate is checked of networks without norms alone")
        if len(network.layers) > 1 or at == "sum":
            raise NotCovered("a certificate is checked of networks of one layer, read at one position, alone")
        self.row = 0 if at == "first" else self.length - 1
        self.scalars = self._at(self.row)

    def _at(self, place: int) -> Evaluator:
        n = self.length if isinstance(self.network, Encoder) else place + 1
        return in_balls({"i": fmpq(place), "n": fmpq(n), "d": fmpq(len(self.network.coordinates))})

    def least(self, words: WordSet, matrix: Sequence[Sequence[int]]) -> arb:
        """No more than any row of a matrix of outputs is on any word of the set, where one token is read in all."""
        with ctx.workprec(BITS):
            (token,) = words.tokens_at(self.row)
            own = self._embedded(self.row, token)
            stream = {name: Sum(value) for name, value in own.items()}
            for layer in self.network.layers:
                stream = self._layer(words, layer, stream)
            outputs = self._linear(self.network.readout.W, stream)
            names = self.network.readout.W.rows
            zero = Sum(arb(0))
            found = []
            for row in matrix:
                parts = [outputs[name].times(arb(factor)) for name, factor in zip(names, row, strict=True) if factor]
                found.append(words.least(sum(parts, zero)))
            return min(found, key=lambda x: x)

    def _embedded(self, place: int, token: str) -> dict[str, arb]:
        found = embed(self.network, token, self._at(place))
        return {name: arb(ball(value)) for name, value in found.items()}

    def _scalar(self, scalar: Expression) -> arb:
        return arb(ball(self.scalars(scalar)))

    def _layer(self, words: WordSet, layer: Layer, stream: dict[str, Sum]) -> dict[str, Sum]:
        zero = {name: Sum(arb(0)) for name in stream}
        middle = dict(stream if layer.attention_residual else zero)
        for head in layer.heads:
            for name, value in self._attended(words, head, stream).items():
                middle[name] += value
        if layer.feed_forward is None:
            return middle
        found = dict(middle if layer.feed_forward_residual else zero)
        for name, value in self._fed_forward(words, layer.feed_forward, middle).items():
            found[name] += value
        return found

    def _attended(self, words: WordSet, head: Head, stream: dict[str, Sum]) -> dict[str, Sum]:
        queries = self._mapped(head.W_Q, {name: x.constant for name, x in stream.items()})
        causal = COVERING.is_causal(head.mask) or isinstance(self.network, Decoder)
        seen = range(self.row + 1) if causal else range(self.length)
        scores: list[dict[str, arb]] = [{} for _ in range(self.length)]
        values: list[dict[str, dict[str, arb]]] = [{} for _ in range(self.length)]
        for place in seen:
            for token in words.tokens_at(place):
                vector = self._embedded(place, token)
                keys = self._mapped(head.W_K, vector)
                score = sum((queries[name] * keys[name] for name in queries if name in keys), arb(0))
                score = -abs(score) if COVERING.is_less_size(head.score) else score
                scores[place][token] = score * self._scalar(head.scale)
                read = self._mapped(head.W_V, vector)
                values[place][token] = read if head.W_O is None else self._mapped(head.W_O, read)
        if head.normaliser != "softmax":
            raise NotCovered("a certificate is checked of softmax alone")
        greatest = max((x.mid() for row in scores for x in row.values()), key=lambda x: x)
        weights = [{token: (x - greatest).exp() for token, x in row.items()} for row in scores]
        below = words.range(words.path(weights))
        if not below[0] > 0:
            raise Uncovered("a sum of weights that is not known to be positive")
        low, high = (1 / below[1]).lower(), (1 / below[0]).upper()
        inverse = ((low + high) / 2).mid()
        away_from_it = max((high - inverse).upper(), (inverse - low).upper(), key=lambda x: x)
        found = {}
        for name in head.W_V if head.W_O is None else head.W_O:
            own = [{token: row[token] * values[p][token][name] for token in row} for p, row in enumerate(weights)]
            low, high = words.range(words.path(own))
            centre = ((low + high) / (below[0] + below[1])).mid()
            away = words.path(
                [{t: row[t] * (values[p][t][name] - centre) for t in row} for p, row in enumerate(weights)]
            )
            low, high = words.range(away)
            lost = away_from_it * max(abs(low).upper(), abs(high).upper(), key=lambda x: x)
            found[name] = away.times(inverse) + Sum(centre) + words.open(lost)
        return found

    def _fed_forward(self, words: WordSet, network: FeedForward, stream: dict[str, Sum]) -> dict[str, Sum]:
        COVERING.require_ungated(network)
        if network.activation != "relu":
            raise NotCovered("a certificate is checked of ReLU alone")
        units = {}
        for name, x in self._linear(network.first, stream).items():
            low, high = words.range(x)
            if low >= 0:
                units[name] = x
            elif high <= 0:
                units[name] = Sum(arb(0))
            else:  # between a line through 0 and the chord, which is parallel to it
                slope = (high / (high - low)).mid()
                most = max(((1 - slope) * high).upper(), (-slope * low).upper(), key=lambda x: x)
                units[name] = x.times(slope) + Sum(most / 2) + words.open(most / 2)
        return self._linear(network.second, units)

    def _linear(self, linear: Linear, x: Mapping[str, Sum]) -> dict[str, Sum]:
        found = {}
        for row in linear.rows:
            total = Sum(self._scalar(linear.bias[row]) if row in linear.bias else arb(0))
            for column, weight in linear.weights.get(row, {}).items():
                total += x[column].times(self._scalar(weight))
            found[row] = total
        return found

    def _mapped(self, rows: Rows, x: Mapping[str, arb]) -> dict[str, arb]:
        return {
            row: sum((self._scalar(weight) * x[column] for column, weight in entries.items()), arb(0))
            for row, entries in rows.items()
        }


Cuts = Sequence[tuple[int, frozenset[int]]]
"""Layers, one after the other, each with the edges that are kept there."""


def require_partition(sets: Sequence[Cuts], whole: WordSet) -> None:
    """Uncovered unless sets, each named by cuts, are all of a set: the first cuts of all are in one layer, their edges
    are different ones, and together all that words of the set use there; and so on within each."""
    if len(sets) == 1 and not sets[0]:
        return
    if not sets or not all(sets):
        raise Uncovered("a set of words that is there beside parts of it, or no set where there are words")
    layer, *others = {cuts[0][0] for cuts in sets}
    if others:
        raise Uncovered(f"cuts in layers {layer} and {others[0]} of one set")
    used = frozenset(number for number, _, _ in whole.layers[layer])
    groups: dict[frozenset[int], list[Cuts]] = {}
    for cuts in sets:
        groups.setdefault(cuts[0][1] & used, []).append(cuts[1:])
    together = frozenset().union(*groups)
    if sum(map(len, groups)) != len(together):
        raise Uncovered(f"an edge of layer {layer} in two sets")
    if WordSet(whole.automaton, {**whole.kept, layer: used - together}, whole.ends).count():
        raise Uncovered(f"words in no set: edges of layer {layer}")
    for kept, rest in groups.items():
        require_partition(rest, WordSet(whole.automaton, {**whole.kept, layer: kept}, whole.ends))


def within(whole: WordSet, cuts: Cuts) -> WordSet:
    """What cuts leave of a set."""
    kept = dict(whole.kept)
    for layer, edges in cuts:
        kept[layer] = edges & kept.get(layer, edges)
    return WordSet(whole.automaton, kept, whole.ends)


def require_margin(check: Check, words: WordSet, matrix: Sequence[Sequence[int]], margin: float) -> None:
    """Uncovered unless each row of a matrix of outputs is at least `margin` on every word of a set."""
    found = check.least(words, matrix)
    if not found >= arb(margin):
        raise Uncovered(f"a set of {words.count()} words: at least {found.str(6, radius=False)}, not {margin}")
