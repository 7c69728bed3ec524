"""From dense matrices to the parts of a construction: sparse maps between names, with exact scalars.

What adds exactly 0 is left out: rows of zeros among scores, values and hidden units, and heads of nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from weightproof.constructions.meaning.schema import (
    Decoder,
    Embedding,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Mask,
    Norm,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.imports.dense import Dense, DenseFeedForward, DenseHead, DenseLayer, DenseNorm, Tensor
from weightproof.imports.recognising import Recognised, recognised

Scalar = Fraction | str
Rows = dict[str, dict[str, Scalar]]
ONE = "1"
"""The coordinate that is 1 everywhere, which is added where a query has a bias and there are no norms."""


@dataclass
class Exactly:
    """Floating-point numbers as exact scalars. precision: None takes each as it is; else short expressions that near to
    it, relatively, are recognised, and listed."""

    precision: float | None
    found: list[Recognised] = field(default_factory=list)

    def __call__(self, value: float, place: str) -> Scalar:
        known = None if self.precision is None else recognised(value, self.precision, place)
        if known is None:
            return Fraction(value)
        self.found.append(known)
        return known.expression

    def row(self, values: Tensor, names: Sequence[str], place: str) -> dict[str, Scalar]:
        """What is not 0, by name."""
        numbers = zip(names, values.tolist(), strict=True)
        return {name: self(value, f"{place}, {name}") for name, value in numbers if value}


@dataclass(frozen=True)
class Reading:
    """What is the same for all layers of a network.

    scale: of the scores, None for 1/sqrt(d_head); mask: as in `Head`. has_mean: whether the coordinate MEAN is there.
    """

    coordinates: tuple[str, ...]
    exactly: Exactly
    scale: str | None
    mask: Mask
    has_mean: bool = False

    @property
    def one(self) -> str:
        """The coordinate that is 1 in all that a query reads."""
        return MEAN if self.has_mean else ONE

    def written(self, rows: Rows) -> Rows:
        """A map into the residual stream, which keeps the mean of the coordinates in MEAN."""
        if not self.has_mean:
            return rows
        mean: dict[str, Scalar] = {}
        for row in rows.values():
            mean = _sum(mean, row)
        share = Fraction(1, len(self.coordinates))
        averaged = {column: _product(share, value) for column, value in mean.items()}
        return rows | ({MEAN: averaged} if averaged else {})

    def vector(self, values: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """A vector of the residual stream, with its mean."""
        rows = self.written({name: {"": value} for name, value in values.items()})
        return {name: row[""] for name, row in rows.items()}

    def score_norm(self, dense: DenseNorm | None, names: Sequence[str], place: str) -> Norm | None:
        """A norm of queries or keys."""
        if dense is None:
            return None
        epsilon = self.exactly(dense.epsilon, f"{place}, epsilon")
        gain, bias = self._affine(dense, names, place)
        return LayerNorm(epsilon, gain=gain, bias=bias) if dense.is_centred else RootMeanSquare(epsilon, gain=gain)

    def _affine(
        self, dense: DenseNorm, names: Sequence[str], place: str
    ) -> tuple[dict[str, Scalar] | None, dict[str, Scalar] | None]:
        """Gain and bias."""
        return (
            None if dense.gain is None else self.exactly.row(dense.gain, names, f"{place}, gain"),
            None if dense.bias is None else self.exactly.row(dense.bias, names, f"{place}, bias"),
        )

    def norm(self, dense: DenseNorm | None, place: str, of_queries: bool = False) -> Norm | None:
        """A norm, which sees the mean of its coordinates as one more of them: that is the same mean, and d/(d + 1) of
        the variance. of_queries: what queries read, where that coordinate becomes 1, and 0 elsewhere."""
        if dense is None:
            return None
        epsilon = self.exactly(dense.epsilon, f"{place}, epsilon")
        gain, bias = self._affine(dense, self.coordinates, place)
        if self.has_mean:
            d = len(self.coordinates)
            gain = dict.fromkeys(self.coordinates, Fraction(1)) if gain is None else gain
            gain = {name: f"({value})*sqrt({d}/{d + 1})" for name, value in gain.items()}
            bias = {**(bias or {}), **({MEAN: Fraction(1)} if of_queries else {})} or None
            epsilon = _product(Fraction(d, d + 1), epsilon)
        if dense.is_centred:
            return LayerNorm(epsilon, gain=gain, bias=bias)
        return RootMeanSquare(epsilon, gain=gain)


MEAN = "mean"
"""The mean of the others, which is added where a query has a bias and reads what a norm makes of the stream."""


def layers_of(dense: DenseLayer, reading: Reading) -> tuple[Layer, ...]:
    """The layer; or two, of attention and of the feed-forward network, where attention adds what is the same everywhere
    and a norm comes next: that is added in between by a feed-forward network of its own."""
    heads, constant = [], _row_or_none(dense.b_O, reading, f"{dense.name}, bias of attention")
    for number, head in enumerate(dense.heads, start=1):
        place = f"{dense.name}, head {number}"
        made = head_of(head, reading, place)
        heads += [] if made is None else [made]
        outward = _rows(head.W_O.T, "v", reading, f"{place}, W_O")
        for value, bias in _row_or_none(head.b_V, reading, f"{place}, b_V", _numbered("v", len(head.W_V))).items():
            row = outward.get(value, {})  # the weights of attention add up to 1
            constant = _sum(constant, {name: _product(weight, bias) for name, weight in row.items()})
    before_attention = reading.norm(
        dense.norms.before_attention, f"{dense.name}, norm before attention", of_queries=True
    )
    after_attention = reading.norm(dense.norms.after_attention, f"{dense.name}, norm after attention")
    before = reading.norm(dense.norms.before_feed_forward, f"{dense.name}, norm before the feed-forward network")
    after = reading.norm(dense.norms.after_feed_forward, f"{dense.name}, norm after the feed-forward network")
    attention = Layer(tuple(heads), attention_norm_before=before_attention if heads else None)
    if not constant or (after_attention is None and before is None):
        feed_forward = feed_forward_of(dense.feed_forward, constant, reading, dense.name)
        if feed_forward is None and after is not None:
            feed_forward = FeedForward(Linear(), Linear())
        return (
            replace(
                attention,
                feed_forward=feed_forward,
                attention_norm=after_attention,
                feed_forward_norm_before=before if feed_forward is not None else None,
                feed_forward_norm=after,
            ),
        )
    feed_forward = feed_forward_of(dense.feed_forward, {}, reading, dense.name) or FeedForward(Linear(), Linear())
    return (
        replace(
            attention,
            feed_forward=FeedForward(Linear(), Linear(bias=reading.vector(constant))),
            feed_forward_norm=after_attention,
        ),
        Layer(feed_forward=feed_forward, feed_forward_norm_before=before, feed_forward_norm=after),
    )


def decoder_of(
    dense: Dense,
    tokens: Sequence[str],
    layers: tuple[Layer, ...],
    reading: Reading,
    added: str | None,
    stop: str | None,
) -> Decoder:
    """A network that predicts the next token, of its layers and the coordinate that is added to the stream."""
    names, exactly = reading.coordinates, reading.exactly

    def row(values: Tensor, place: str) -> dict[str, Scalar]:
        return reading.vector(exactly.row(values, names, place))

    named = {f"token {token}": numbers for token, numbers in zip(tokens, dense.W_E, strict=True)}
    embedded = [row(numbers, f"embedding, {place}") for place, numbers in named.items()]
    table = None if dense.table is None else enumerate(dense.table)
    return Decoder(
        coordinates=names if added is None else (*names, added),
        embedding=Embedding(dict(zip(tokens, embedded, strict=True)), {ONE: 1} if added == ONE else {}),
        layers=layers,
        readout=Readout(
            Linear(
                {
                    token: exactly.row(numbers, names, f"readout, token {token}")
                    for token, numbers in zip(tokens, dense.W_U, strict=True)
                },
                _row_or_none(dense.b_U, reading, "readout, bias", tokens),
            ),
            position="last",
            accept="argmax",
        ),
        stop=stop,
        table=None if table is None else tuple(row(numbers, f"position {position}") for position, numbers in table),
        final_norm=reading.norm(dense.final_norm, "final norm"),
    )


def head_of(dense: DenseHead, reading: Reading, place: str) -> Head | None:
    """None where it adds nothing."""
    d_head = dense.W_Q.shape[0]
    queries, keys = _rows(dense.W_Q, "q", reading, f"{place}, W_Q"), _rows(dense.W_K, "q", reading, f"{place}, W_K")
    for name, bias in _row_or_none(dense.b_Q, reading, f"{place}, b_Q", _numbered("q", d_head)).items():
        queries.setdefault(name, {})[reading.one] = bias
    numbered = _numbered("q", d_head)
    scored = numbered if dense.reads_whole else [name for name in numbered if name in queries and name in keys]
    outward = _rows(dense.W_O.T, "v", reading, f"{place}, W_O")
    inward = _rows(dense.W_V, "v", reading, f"{place}, W_V")
    carried = [name for name in inward if name in outward]
    if not carried:
        return None
    W_O = reading.written(_transposed({name: outward[name] for name in carried}, reading))
    W_V = {name: inward[name] for name in carried}
    if sorted(map(str, W_O.values())) == sorted(str({name: Fraction(1)}) for name in carried):  # each goes to one place
        W_V, W_O = {coordinate: inward[name] for coordinate, [name] in W_O.items()}, {}
    return Head(
        W_Q={name: queries.get(name, {}) for name in scored},
        W_K={name: keys.get(name, {}) for name in scored},
        W_V=W_V,
        W_O=W_O or None,
        scale=reading.scale or (f"1/sqrt({d_head})" if scored else 1),
        mask=reading.mask,
        query_norm=reading.score_norm(dense.query_norm, numbered, f"{place}, norm of queries"),
        key_norm=reading.score_norm(dense.key_norm, numbered, f"{place}, norm of keys"),
        rotary=tuple(Rotary(numbered[each.first], numbered[each.second], each.angle) for each in dense.rotary),
    )


def feed_forward_of(
    dense: DenseFeedForward | None, constant: Mapping[str, Scalar], reading: Reading, place: str
) -> FeedForward | None:
    """None where it adds nothing. constant: what attention adds everywhere, which is added here, before and after the
    hidden units."""
    if dense is None:
        return FeedForward(Linear(), Linear(bias=reading.vector(constant))) if constant else None
    place = f"{place}, feed-forward network"
    hidden = _numbered("h", dense.W_F1.shape[0])
    first, bias = _units(dense.W_F1, dense.b_F1, constant, reading, f"{place}, W_F1")
    outward = _rows(dense.W_F2.T, "h", reading, f"{place}, W_F2")
    live = [unit for unit in hidden if unit in outward and (unit in first or unit in bias)]
    second = _transposed({unit: outward[unit] for unit in live}, reading)
    added = _sum(_row_or_none(dense.b_F2, reading, f"{place}, b_F2"), constant)
    if not live and not added:
        return None
    gate = None
    if dense.W_G is not None:
        weights, shift = _units(dense.W_G, dense.b_G, constant, reading, f"{place}, W_G")
        gate = Linear(
            {unit: weights.get(unit, {}) for unit in live}, {unit: shift[unit] for unit in live if unit in shift}
        )
    return FeedForward(
        Linear(
            {unit: first[unit] for unit in live if unit in first}, {unit: bias[unit] for unit in live if unit in bias}
        ),
        Linear(reading.written(second), reading.vector(added)),
        dense.activation,
        gate=gate,
    )


def _units(
    matrix: Tensor, bias: Tensor | None, constant: Mapping[str, Scalar], reading: Reading, place: str
) -> tuple[Rows, dict[str, Scalar]]:
    """What hidden units read, by unit, and their biases, with what the constant adds."""
    rows = _rows(matrix, "h", reading, place)
    biases = _row_or_none(bias, reading, f"{place}, bias", _numbered("h", len(matrix)))
    for unit, row in rows.items():
        for name, weight in row.items():
            if name in constant:
                biases = _sum(biases, {unit: _product(weight, constant[name])})
    return rows, biases


def _transposed(rows: Rows, reading: Reading) -> Rows:
    """By coordinate, in their order."""
    found = {
        name: {row: values[name] for row, values in rows.items() if name in values} for name in reading.coordinates
    }
    return {name: row for name, row in found.items() if row}


def _rows(matrix: Tensor, name: str, reading: Reading, place: str) -> Rows:
    """The rows that are not 0, numbered; columns by the names of the coordinates."""
    rows = zip(_numbered(name, matrix.shape[0]), matrix, strict=True)
    found = {row: reading.exactly.row(values, reading.coordinates, f"{place}, row {row}") for row, values in rows}
    return {row: values for row, values in found.items() if values}


def _numbered(name: str, count: int) -> tuple[str, ...]:
    return tuple(f"{name}{number}" for number in range(1, count + 1))


def _row_or_none(
    values: Tensor | None, reading: Reading, place: str, names: Sequence[str] | None = None
) -> dict[str, Scalar]:
    names = reading.coordinates if names is None else names
    return {} if values is None else reading.exactly.row(values, names, place)


def _sum(left: Mapping[str, Scalar], right: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Name by name; what is 0 is left out."""
    result = dict(left)
    for name, value in right.items():
        before = result.get(name, Fraction(0))
        exact = isinstance(before, Fraction) and isinstance(value, Fraction)
        result[name] = before + value if exact else f"{before} + ({value})"  # type: ignore[operator]
    return {name: value for name, value in result.items() if value != 0}


def difference(left: Mapping[str, Scalar], right: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Name by name; what is 0 is left out."""
    return _sum(left, {name: _product(Fraction(-1), value) for name, value in right.items()})


def _product(left: Scalar, right: Scalar) -> Scalar:
    exact = isinstance(left, Fraction) and isinstance(right, Fraction)
    return left * right if exact else f"({left})*({right})"  # type: ignore[operator]
