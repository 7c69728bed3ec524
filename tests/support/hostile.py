"""Arithmetic of a format at its worst: sums in any of eleven orders, exponentials that are off, quotients either way.

Whatever of it the rounding model allows (`numeric.rounding.model`); a certificate has to stand it. It has the
operations of `numeric.decoding.layers`, so that every network that is made of layers runs in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import Runs, parameter_values
from weightproof.constructions.meaning.schema import Activation, Encoder
from weightproof.numeric.decoding.layers import Map, Stack
from weightproof.numeric.model.parts import Affine, Entries
from weightproof.numeric.rounding.arithmetic import TYPES
from weightproof.numeric.rounding.formats import Format

Array = np.ndarray
Tensor = torch.Tensor

ORDERS = (
    *("left to right", "right to left", "ascending", "descending", "positive first", "negative first", "alternating"),
    *("shuffled", "pairs", "lanes", "tree"),
)
OFF = (-3, 0, 3, None)
"""Units in the last place by which powers are off, beside their own rounding; None: each by another number."""
LANES = 8


@dataclass(frozen=True)
class Manner:
    """order: of sums, one of ORDERS; off: of powers, one of OFF; form: how a mean is made of powers p and values v, as
    sum of (p / sum p) v, of (p * (1 / sum p)) v, or as (sum p v) / (sum p); fused: products are added unrounded."""

    order: str
    off: int | None
    form: str
    fused: bool


FORMS = ("weights", "reciprocal", "quotient")
LEFT = Manner("left to right", 0, "weights", fused=False)


def manners(random: Random, many: int) -> list[Manner]:
    """Some, every order among them where there are enough."""
    return [
        Manner(ORDERS[number % len(ORDERS)], random.choice(OFF), random.choice(FORMS), random.random() < 0.5)
        for number in range(many)
    ]


class Hostile:
    """The operations of a network in a manner; what is random in it is drawn from a seed."""

    def __init__(self, format: Format, manner: Manner, seed: int = 0) -> None:
        self.format, self.manner, self.type = format, manner, TYPES[format.name]
        self.random = np.random.default_rng(seed)
        self.unit = np.dtype({2: np.int16, 4: np.int32, 8: np.int64}[np.dtype(self.type).itemsize])
        self._partition: Array | None = None

    def linear(self, W: Tensor, b: Tensor | None = None) -> Map:
        kept = [torch.nonzero(W[:, output])[:, 0] for output in range(W.shape[1])]
        weights = [self._array(W[places, output]) for output, places in enumerate(kept)]
        bias = None if b is None else self._array(b)

        def apply(x: Tensor) -> Tensor:
            inputs, shape = self._array(x), x.shape[:-1]
            sums = np.zeros((*shape, W.shape[1]), dtype=self.type)
            for output, (places, row) in enumerate(zip(kept, weights, strict=True)):
                if len(places):
                    sums[..., output] = self._dot(inputs[..., places.numpy()], np.broadcast_to(row, (*shape, len(row))))
            return self._tensor(sums if bias is None else sums + bias, x)

        return apply

    def activated(self, activation: Activation, x: Tensor) -> Tensor:
        match activation:
            case "relu":
                return torch.relu(x)
            case "step":
                return (x > 0).to(x.dtype)
            case "saturated-linear":
                return x.clamp(0, 1)
            case "square":
                return x * x
        raise AssertionError(f"no manner of rounding is stated for {activation}")

    def sqrt(self, x: Tensor) -> Tensor:
        return self._tensor(np.sqrt(self._array(x)), x)

    def total(self, x: Tensor) -> Tensor:
        return self._tensor(self._sum(self._array(x))[..., None], x)

    def mean(self, total: Tensor, positions: int) -> Tensor:
        """Of a sum over so many positions, whose number is stored in the format."""
        return self._tensor(self._array(total) / self.type(positions), total)

    def products(self, queries: Tensor, keys: Tensor) -> Tensor:
        q, k = self._array(queries), self._array(keys)
        q = q[:, :1] if _alike(q) else q
        shape = (*q.shape[:2], k.shape[1], q.shape[2])
        found = self._dot(np.broadcast_to(q[:, :, None], shape), np.broadcast_to(k[:, None], shape))
        return self._tensor(found, queries).expand(-1, queries.shape[1], -1)

    def weights(self, scores: Tensor, normaliser: str) -> Tensor:
        """The powers themselves where the mean is a quotient of sums, which `means` then makes."""
        scored = self._array(scores)
        scored = scored[:, :1] if _alike(scored) else scored
        best = scored.max(-1, keepdims=True)
        powers = self._exp(scored - best) if normaliser == "softmax" else (scored == best).astype(self.type)
        total = self._sum(powers)[..., None]
        self._partition = total if self.manner.form == "quotient" else None
        one = np.ones_like(total)
        made = {"weights": lambda: powers / total, "reciprocal": lambda: powers * (one / total)}
        made["quotient"] = lambda: powers
        return self._tensor(made[self.manner.form](), scores).expand(-1, scores.shape[1], -1)

    def means(self, weights: Tensor, values: Tensor) -> Tensor:
        w, v = self._array(weights), self._array(values)
        w = w[:, :1] if _alike(w) else w
        found = np.zeros((*w.shape[:2], v.shape[2]), dtype=self.type)
        for column in range(v.shape[2]):
            found[..., column] = self._dot(w, np.broadcast_to(v[:, None, :, column], w.shape))
        if self._partition is not None:
            found = found / self._partition
        return self._tensor(found, values).expand(-1, weights.shape[1], -1)

    def _dot(self, a: Array, b: Array) -> Array:
        """The sum of products along the last axis."""
        if not self.manner.fused or a.shape[-1] == 0:
            return self._sum(a * b)
        a, b = self._ordered(a, b)
        wide = np.longdouble if self.format.name == "float64" else np.float64
        total = a[..., 0] * b[..., 0]
        for term in range(1, a.shape[-1]):
            exact = a[..., term].astype(wide) * b[..., term].astype(wide) + total.astype(wide)
            total = exact.astype(self.type)
        return total

    def _ordered(self, a: Array, b: Array) -> tuple[Array, Array]:
        """The factors in the order in which their products are taken one after the other."""
        order = self._order((a * b).astype(np.float64))
        return np.take_along_axis(a, order, -1), np.take_along_axis(b, order, -1)

    def _order(self, x: Array) -> Array:
        """The places of terms, one after the other, shaped as they are."""
        m = x.shape[-1]
        if self.manner.order in ("left to right", "right to left", "shuffled", "pairs", "lanes", "tree"):
            places = np.arange(m)
            if self.manner.order == "right to left":
                places = places[::-1]
            elif self.manner.order in ("shuffled", "tree"):
                places = self.random.permutation(m)
            return np.broadcast_to(places, x.shape)
        key = {"ascending": abs(x), "descending": -abs(x), "negative first": x}.get(self.manner.order, -x)
        order = np.argsort(key, -1, kind="stable")
        if self.manner.order != "alternating":
            return order
        mixed = np.empty_like(order)
        mixed[..., ::2], mixed[..., 1::2] = order[..., : (m + 1) // 2], order[..., ::-1][..., : m // 2]
        return mixed

    def _sum(self, terms: Array) -> Array:
        """Along the last axis, in the order of the manner."""
        if terms.shape[-1] == 0:
            return np.zeros(terms.shape[:-1], dtype=self.type)
        ordered = np.take_along_axis(terms, self._order(terms.astype(np.float64)), -1)
        with np.errstate(all="ignore"):
            match self.manner.order:
                case "pairs":
                    while ordered.shape[-1] > 1:
                        whole, odd = ordered.shape[-1] // 2 * 2, ordered[..., ordered.shape[-1] // 2 * 2 :]
                        ordered = np.concatenate([ordered[..., 0:whole:2] + ordered[..., 1:whole:2], odd], -1)
                case "lanes":
                    short = -ordered.shape[-1] % LANES
                    padded = np.concatenate([ordered, np.zeros_like(ordered, shape=(*ordered.shape[:-1], short))], -1)
                    lanes = padded.reshape(*ordered.shape[:-1], -1, LANES)
                    ordered = np.add.accumulate(np.add.accumulate(lanes, -2)[..., -1, :], -1)[..., -1:]
                case "tree":
                    while ordered.shape[-1] > 1:
                        ends = np.cumsum(self.random.integers(2, 8, ordered.shape[-1]))
                        cuts = [0, *ends[ends < ordered.shape[-1]].tolist(), ordered.shape[-1]]
                        parts = [ordered[..., a:b] for a, b in pairwise(cuts)]
                        ordered = np.concatenate([np.add.accumulate(part, -1)[..., -1:] for part in parts], -1)
                case _:
                    ordered = np.add.accumulate(ordered, -1)[..., -1:]
        return ordered[..., 0]

    def _exp(self, x: Array) -> Array:
        """Off by at most 4 units in the last place, but for e^0 = 1."""
        with np.errstate(all="ignore"):
            powers = np.exp(x.astype(np.float64)).astype(self.type)
        off = self.random.integers(-3, 4, x.shape) if self.manner.off is None else self.manner.off
        bits = np.maximum(powers.view(self.unit) + np.asarray(off, dtype=self.unit), 0).astype(self.unit)
        moved = np.where((x == 0) | (powers == 0), powers, bits.view(self.type))
        return moved.astype(self.type)

    def _array(self, x: Tensor) -> Array:
        return x.double().numpy().astype(self.type)

    def _tensor(self, x: Array, like: Tensor) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(x.astype(np.float64))).to(like.dtype)


def _alike(x: Array) -> bool:
    """Whether all rows are the same."""
    return bool((x == x[:, :1]).all())


def outputs(
    construction: Runs, words: Sequence[Sequence[str]], dtype: str, operations: Hostile, given: Mapping[str, object]
) -> Tensor:
    """What an encoder reads out of words of one length, [words, rows]; given: parameters."""
    network = construction.network
    assert isinstance(network, Encoder)
    names = {**parameter_values(construction, given), "d": fmpq(len(network.coordinates))}
    entries = Entries(names, dtype, "cpu")
    tokens = [add_markers(network, word) for word in words]
    n = len(tokens[0])
    names = {**names, "n": fmpq(n)}
    embedding, coordinates = network.embedding, network.coordinates
    known = (*construction.alphabet, *network.markers)
    W_E = entries.matrix(embedding.WE, coordinates, known).T
    ids = torch.tensor([[known.index(token) for token in word] for word in tokens])
    places = [entries.vector(embedding.PE, coordinates, {**names, "i": fmpq(i)}) for i in range(n)]
    x = W_E[ids] + torch.stack(list(places))
    stack = Stack(network.layers, coordinates, entries)
    scalars = stack.scalars(names)
    for layer in stack.start(operations):
        x = layer(x, 0, scalars)
    unembed = Affine(network.readout.W, network.readout.W.rows, coordinates, entries)
    position = network.readout.position
    read = {"first": x[:, :1], "last": x[:, -1:], "sum": x, "mean": x}[position]
    total = operations.total(operations.linear(unembed.W_U, unembed.b_U)(read).transpose(1, 2))[..., 0]
    return operations.mean(total, n) if position == "mean" else total


def accepts(logits: Tensor, rule: str, tolerance: float | None, operations: Hostile) -> Tensor:
    """Whether each is accepted under a rule of a row of `precision`, the probability either way, [words] or more."""
    if rule == "logit > 0":
        return logits > 0
    if rule.startswith("probability"):
        x = operations._array(logits)
        power, one = operations._exp(-abs(x)), np.ones_like(x)
        greater = {"weights": one / (one + power), "reciprocal": one * (one / (one + power))}
        above = greater.get(operations.manner.form, one / (one + power))
        found = np.where(x < 0, power / (one + power), above)
        return torch.from_numpy(found.astype(np.float64) > 0.5)
    assert rule.startswith(("logit = 0", "|logit| <="))
    return logits.double().abs() <= (0.0 if rule == "logit = 0" or tolerance is None else tolerance)
