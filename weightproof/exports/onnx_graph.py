"""An encoder that reads out a logit, on words of one length, as an ONNX graph of elementary operations.

The input X has a row for each symbol of the word, 1 in the column of the symbol and 0 elsewhere; markers are constants
of the graph. Its output Y is the logit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, assert_never

from flint import fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import CUBIC, ROOT_2, ROOT_2_OVER_PI
from weightproof.constructions.meaning.schema import FeedForward, Head, Layer, LayerNorm, Linear, Norm, RootMeanSquare
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.exports.exporting import Exporting, table
from weightproof.exports.tensors import Tensor, head_matrices, matrix, vector

if TYPE_CHECKING:
    import torch

    from weightproof.numeric.model.positions import Positions

OPSET, IR_VERSION = 18, 9
"""What runtimes of the last years read."""
ONNX = Choices("ONNX")
MINUS_INFINITY = float("-inf")


def model(exporting: Exporting, length: int) -> bytes:
    """The model for words of so many symbols."""
    graph = Graph(exporting, exporting.positions(length))
    network, alphabet = exporting.network, exporting.construction.language.alphabet
    symbols = graph.node("MatMul", "X", graph.tensor("W_E", _embedding(exporting, alphabet)))
    markers = dict.fromkeys(exporting.tokens[len(alphabet) :])
    ends = {marker: graph.tensor(f"W_E[{marker}]", _embedding(exporting, [marker])) for marker in markers}
    begin = [ends[network.begin]] if network.begin is not None else []
    end = [ends[network.end]] if network.end is not None else []
    marked = graph.node("Concat", *begin, symbols, *end, axis=0)
    stream = graph.node("Add", marked, graph.constant("W_pos", table(exporting, graph.n)))
    for number, layer in enumerate(network.layers):
        stream = graph.layer(f"blocks.{number}", layer, stream)
    stream = graph.norm("ln_final", network.final_norm, stream)
    logits = graph.linear("unembed", stream, *_readout(exporting))
    graph.read(logits, network.readout.position)
    return graph.model(length, len(alphabet))


def _embedding(exporting: Exporting, tokens: Sequence[str]) -> Tensor:
    network = exporting.network
    entries = matrix(network.embedding.WE, tokens, network.coordinates)
    return Tensor("W_E", (len(tokens), len(network.coordinates)), {(y, x): e for (x, y), e in entries.items()})


def _readout(exporting: Exporting) -> tuple[Tensor, Tensor]:
    W = exporting.network.readout.W
    weights = matrix(W.weights, ("logit",), exporting.network.coordinates)
    return (
        Tensor("W", (len(exporting.network.coordinates), 1), weights),
        Tensor("b", (1,), vector(W.bias, ("logit",))),
    )


class Graph:
    """Nodes and constants that have been added; every method returns the name of what it adds, of shape [n, ...]."""

    def __init__(self, exporting: Exporting, n: int) -> None:
        from weightproof.numeric.rounding.formats import FORMATS

        self.exporting, self.n = exporting, n
        self.names, self.format = exporting.names, FORMATS[exporting.options.dtype]
        self.coordinates = exporting.network.coordinates
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def node(self, operation: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        import onnx.helper

        name = f"v{len(self.nodes)}" if output is None else output
        self.nodes.append(onnx.helper.make_node(operation, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, values: torch.Tensor) -> str:
        import onnx.numpy_helper

        self.constants.append(onnx.numpy_helper.from_array(values.numpy(), name))
        return name

    def tensor(self, name: str, exact: Tensor) -> str:
        return self.constant(name, exact.rounded(self.names, self.format))

    def number(self, name: str, exact: Expression) -> str:
        """A scalar, in which n may stand."""
        names = {**self.names, "n": fmpq(self.n)}
        return self.constant(name, Tensor(name, (1,), {(0,): exact}).rounded(names, self.format))

    def real(self, name: str, value: Real) -> str:
        """A number that no weight is."""
        import torch

        from weightproof.numeric.rounding.formats import rounded

        return self.constant(name, torch.tensor([rounded(value, self.format)], dtype=self.dtype))

    def integers(self, name: str, *values: int) -> str:
        import torch

        return self.constant(name, torch.tensor(values, dtype=torch.int64))

    def linear(self, name: str, x: str, weights: Tensor, bias: Tensor) -> str:
        product = self.node("MatMul", x, self.tensor(f"{name}.W", weights))
        return self.node("Add", product, self.tensor(f"{name}.b", bias))

    def layer(self, name: str, layer: Layer, stream: str) -> str:
        read = self.norm(f"{name}.before.1", layer.attention_norm_before, stream)
        added = [self.head(f"{name}.attn.{number}", head, read) for number, head in enumerate(layer.heads)]
        parts = [*([stream] if layer.attention_residual else []), *added]
        middle = self.sum(parts) if parts else self.node("Sub", stream, stream)
        middle = self.norm(f"{name}.ln1", layer.attention_norm, middle)
        if layer.feed_forward is None:
            return middle
        read = self.norm(f"{name}.before.2", layer.feed_forward_norm_before, middle)
        update = self.feed_forward(f"{name}.mlp", layer.feed_forward, read)
        after = self.sum([middle, update]) if layer.feed_forward_residual else update
        return self.norm(f"{name}.ln2", layer.feed_forward_norm, after)

    def sum(self, parts: Sequence[str]) -> str:
        first, *others = parts
        for other in others:
            first = self.node("Add", first, other)
        return first

    def head(self, name: str, head: Head, stream: str) -> str:
        made, d, values = head_matrices(head, self.coordinates), len(self.coordinates), len(head.W_V)
        value = self.node("MatMul", stream, self.tensor(f"{name}.W_V", Tensor("W_V", (d, values), made["W_V"])))
        positions = self.positions(head)
        weights = self.attention(name, head, positions, self.scores(name, head, positions, stream))
        mean = self.node("MatMul", weights, value)
        return self.node("MatMul", mean, self.tensor(f"{name}.W_O", Tensor("W_O", (values, d), made["W_O"])))

    def positions(self, head: Head) -> Positions | None:
        """What it makes of positions, of which there are n."""
        import torch

        from weightproof.numeric.model.positions import positions_of

        names = {**self.names, "n": fmpq(self.n)}
        return positions_of(head, names, self.format, self.n, lambda x: torch.from_numpy(x).to(self.dtype))

    def scores(self, name: str, head: Head, positions: Positions | None, stream: str) -> str:
        """[n, n], scaled, and biased where there is a bias; 0 before where the head has no W_Q or no W_K."""
        import torch

        if not head.W_Q or not head.W_K:
            scores = self.constant(f"{name}.scores", torch.zeros(self.n, self.n, dtype=self.dtype))
        else:
            scores = self.node(
                "Mul", self.products(name, head, positions, stream), self.number(f"{name}.scale", head.scale)
            )
        if positions is None or positions.bias is None:
            return scores
        return self.node("Add", scores, self.constant(f"{name}.bias", positions.bias))

    def products(self, name: str, head: Head, positions: Positions | None, stream: str) -> str:
        """Of queries and keys, or less their size."""
        made, shape = head_matrices(head, self.coordinates), (len(self.coordinates), len(head.W_Q))
        query, key = (
            self.node("MatMul", stream, self.tensor(f"{name}.{W}", Tensor(W, shape, made[W]))) for W in ("W_Q", "W_K")
        )
        order = tuple(head.W_Q)
        query = self.norm(f"{name}.q_norm", head.query_norm, query, order)
        key = self.norm(f"{name}.k_norm", head.key_norm, key, order)
        if positions is not None and positions.pairs:
            query, key = (
                self.turned(f"{name}.{x}_turn", positions, y, len(order)) for x, y in (("q", query), ("k", key))
            )
        products = self.node("MatMul", query, self.node("Transpose", key, perm=[1, 0]))
        return self.node("Neg", self.node("Abs", products)) if ONNX.is_less_size(head.score) else products

    def turned(self, name: str, positions: Positions, x: str, width: int) -> str:
        """Queries or keys [n, width], each coordinate of a pair times a cosine, and the other one times a sine."""
        import torch

        own, across = (fill(self.n, width, dtype=self.dtype) for fill in (torch.ones, torch.zeros))
        other = torch.eye(width, dtype=self.dtype)
        for pair in positions.pairs:
            own[:, pair.first] = own[:, pair.second] = pair.cosines
            across[:, pair.first], across[:, pair.second] = -pair.sines, pair.sines
            other[[pair.first, pair.second]] = other[[pair.second, pair.first]]
        kept = self.node("Mul", x, self.constant(f"{name}.cos", own))
        swapped = self.node("MatMul", x, self.constant(f"{name}.swap", other))
        return self.node("Add", kept, self.node("Mul", swapped, self.constant(f"{name}.sin", across)))

    def attention(self, name: str, head: Head, positions: Positions | None, scores: str) -> str:
        """Rows that sum to 1, with the weight of the sink, if there is one: softmax, or equal shares of the greatest
        scores, or all for the first or the last of these; or to 0, where one may see nothing."""
        import torch

        hidden = torch.ones(self.n, self.n, dtype=torch.bool).triu(1) if positions is None else positions.hidden
        hides = not ONNX.reach(head.mask).is_all or (positions is not None and head.sees is not None)
        if hides:
            mask = torch.zeros(self.n, self.n, dtype=self.dtype).masked_fill(hidden, MINUS_INFINITY)
            scores = self.node("Add", scores, self.constant(f"{name}.mask", mask))
        if positions is not None and positions.sink is not None:
            sink = self.constant(f"{name}.sink", positions.sink.expand(self.n, 1).clone())
            weights = self.node("Softmax", self.node("Concat", scores, sink, axis=1), axis=-1)
            ends = (self.integers(f"{name}.{end}", x) for end, x in (("from", 0), ("to", self.n), ("axis", 1)))
            return self.node("Slice", weights, *ends)
        if (side := ONNX.side(head.normaliser)) is None:
            return self.node("Softmax", scores, axis=-1)
        if side:
            place = self.node("ArgMax", scores, axis=-1, keepdims=1, select_last_index=int(side > 0))
            chosen = self.node("Equal", place, self.integers(f"{name}.places", *range(self.n)))
            one = self.node("Cast", chosen, to=self.element)
            return self.node("Mul", one, self.constant(f"{name}.seen", (~hidden).to(self.dtype))) if hides else one
        last = self.integers(f"{name}.last", -1)
        attained = self.node("Equal", scores, self.node("ReduceMax", scores, last, keepdims=1))
        shares = self.node("Cast", attained, to=self.element)
        return self.node("Div", shares, self.node("ReduceSum", shares, last, keepdims=1))

    def feed_forward(self, name: str, network: FeedForward, x: str) -> str:
        hidden, d = network.first.rows, len(self.coordinates)
        first, second = network.first, network.second

        def inward(part: str, linear: Linear) -> str:
            weights = Tensor(f"W_{part}", (d, len(hidden)), matrix(linear.weights, hidden, self.coordinates))
            bias = Tensor(f"b_{part}", (len(hidden),), vector(linear.bias, hidden))
            return self.linear(f"{name}.{part}", x, weights, bias)

        inner = inward("in", first)
        units = self.activation(name, network, inner if network.gate is None else inward("gate", network.gate))
        units = units if network.gate is None else self.node("Mul", units, inner)
        weights = Tensor("W_out", (len(hidden), d), matrix(second.weights, self.coordinates, hidden))
        bias = Tensor("b_out", (d,), vector(second.bias, self.coordinates))
        return self.linear(f"{name}.out", units, weights, bias)

    def activation(self, name: str, network: FeedForward, x: str) -> str:
        match network.activation:
            case "relu":
                return self.node("Relu", x)
            case "saturated-linear":
                zero, one = (self.number(f"{name}.{value}", Expression(value)) for value in ("0", "1"))
                return self.node("Clip", x, self.node("Squeeze", zero), self.node("Squeeze", one))
            case "step":
                positive = self.node("Greater", x, self.number(f"{name}.0", Expression("0")))
                return self.node("Cast", positive, to=self.element)
            case "square":
                return self.node("Mul", x, x)
            case "identity":
                return x
            case "abs":
                return self.node("Abs", x)
            case "tanh":
                return self.node("Tanh", x)
            case "sigmoid":
                return self.node("Sigmoid", x)
            case "silu":
                return self.node("Mul", x, self.node("Sigmoid", x))
            case "gelu":
                if self.format.name != "float32":
                    raise InputError(
                        "gelu: runtimes of ONNX have the error function in float32 alone; give --dtype float32"
                    )
                return self.gated(name, x, self.node("Erf", self.node("Div", x, self.real(f"{name}.root", ROOT_2))))
            case "gelu-tanh":
                cube = self.node("Mul", self.node("Mul", x, x), x)
                inner = self.node("Add", x, self.node("Mul", cube, self.real(f"{name}.cubic", CUBIC)))
                scaled = self.node("Mul", inner, self.real(f"{name}.scale", ROOT_2_OVER_PI))
                return self.gated(name, x, self.node("Tanh", scaled))
        ONNX.refuse("activation", network.activation)

    def gated(self, name: str, x: str, curve: str) -> str:
        """x (1 + curve)/2."""
        one, half = (self.number(f"{name}.{value}", Expression(value)) for value in ("1", "1/2"))
        return self.node("Mul", self.node("Mul", x, self.node("Add", curve, one)), half)

    def norm(self, name: str, norm: Norm | None, x: str, coordinates: tuple[str, ...] | None = None) -> str:
        """coordinates: over which it is, where they are not those of the stream."""
        if norm is None:
            return x
        last, names = self.integers(f"{name}.last", -1), self.coordinates if coordinates is None else coordinates
        match norm:
            case LayerNorm():
                away = self.node("Sub", x, self.node("ReduceMean", x, last, keepdims=1))
            case RootMeanSquare():
                away = x
            case other:
                assert_never(other)
        square = self.node("ReduceMean", self.node("Mul", away, away), last, keepdims=1)
        with_epsilon = self.node("Add", square, self.number(f"{name}.epsilon", norm.epsilon))
        result = self.node("Div", away, self.node("Sqrt", with_epsilon))
        for part, operation, row in (("w", "Mul", norm.gain), ("b", "Add", norm.bias)):
            if row is not None:
                values = Tensor(part, (len(names),), vector(row, names))
                result = self.node(operation, result, self.tensor(f"{name}.{part}", values))
        return result

    def read(self, logits: str, position: str) -> None:
        """Y, of shape [1], from the logits of all positions, [n, 1]."""
        axis = self.integers("readout.axis", 0)
        if ONNX.reads_all(position):
            self.node("ReduceMean" if position == "mean" else "ReduceSum", logits, axis, keepdims=0, output="Y")
            return
        read = ONNX.of("readout position", position, {"first": 0, "last": self.n - 1})
        place = self.integers("readout.position", read)
        self.node("Squeeze", self.node("Gather", logits, place, axis=0), axis, output="Y")

    @property
    def dtype(self) -> torch.dtype:
        from weightproof.numeric.model.parts import DTYPES

        return DTYPES[self.format.name]

    @property
    def element(self) -> int:
        """The type of all numbers, as ONNX numbers types."""
        import onnx

        types = {"float64": onnx.TensorProto.DOUBLE, "float32": onnx.TensorProto.FLOAT}
        return types[self.format.name]

    def model(self, length: int, symbols: int) -> bytes:
        import onnx.checker
        import onnx.helper

        put_in = onnx.helper.make_tensor_value_info("X", self.element, [length, symbols])
        logit = onnx.helper.make_tensor_value_info("Y", self.element, [1])
        graph = onnx.helper.make_graph(self.nodes, self.exporting.construction.name, [put_in], [logit], self.constants)
        made = onnx.helper.make_model(
            graph,
            opset_imports=[onnx.helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="weightproof",
        )
        onnx.checker.check_model(made, full_check=True)
        written: bytes = made.SerializeToString()
        return written
