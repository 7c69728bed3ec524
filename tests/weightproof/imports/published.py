"""The networks that two papers published as PyTorch, built anew with the conventions of their code.

github.com/ndnlp/parity, of Chiang and Cholak (2022): first_exact.py, first_exact_layernorm.py, parity_exact.py and
parity_exact_layernorm.py. github.com/giacomocamposampiero/palindrome-transformer, of Nowak et al. (2022):
src/transformer.py, src/encoder.py and src/positional.py. In both, layers are subclasses of
torch.nn.TransformerEncoderLayer with a forward pass of their own, in_proj is packed, scores are scaled by
1/sqrt(d_head), and the embedding is a tensor that is no parameter.

What they do otherwise than the papers: the marker stands last in Chiang and Cholak's PARITY; there is no constant c, so
that e^c is e^(1/sqrt(d_head)); Nowak et al. read PARITY as "even" where the logit is not positive, take |logit| <= 1e-7
for "equals zero" in PALINDROME, and have biases of shape [1, size] in ONE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

import weightproof as wp
from weightproof.constructions.languages.languages import FIRST, ONE, PALINDROME, PARITY

Tensor = torch.Tensor
Matrix = Sequence[Sequence[float]]
Cells = dict[tuple[int, int], float]


@dataclass(frozen=True)
class Weights:
    """One layer by what is not 0: (row, column) -> weight. hidden: units of the feed-forward network."""

    hidden: int
    W_Q: Cells = field(default_factory=dict)
    W_K: Cells = field(default_factory=dict)
    W_V: Cells = field(default_factory=dict)
    W_O: Cells = field(default_factory=dict)
    W_1: Cells = field(default_factory=dict)
    b_1: Cells = field(default_factory=dict)
    W_2: Cells = field(default_factory=dict)


def filled(rows: int, columns: int, cells: Cells, dtype: torch.dtype) -> torch.nn.Parameter:
    result = torch.zeros(rows, columns, dtype=dtype)
    for place, value in cells.items():
        result[place] = value
    return torch.nn.Parameter(result)


class ExactLayer(torch.nn.TransformerEncoderLayer):
    """As FirstLayer and SecondLayer of the two repositories. norms: whether its forward pass normalises."""

    def __init__(self, d: int, heads: int, weights: Weights, norms: float | None, wide_bias: bool, dtype: torch.dtype):
        super().__init__(d, heads, weights.hidden, dropout=0.0, dtype=dtype)
        attention = self.self_attn
        packed = [filled(d, d, cells, dtype) for cells in (weights.W_Q, weights.W_K, weights.W_V)]
        attention.in_proj_weight = torch.nn.Parameter(torch.cat(packed))
        attention.in_proj_bias = torch.nn.Parameter(torch.zeros(3 * d, dtype=dtype))
        attention.out_proj.weight = filled(d, d, weights.W_O, dtype)
        attention.out_proj.bias = torch.nn.Parameter(torch.zeros(d, dtype=dtype))
        self.linear1.weight = filled(weights.hidden, d, weights.W_1, dtype)
        self.linear2.weight = filled(d, weights.hidden, weights.W_2, dtype)
        b_1, b_2 = filled(1, weights.hidden, weights.b_1, dtype), filled(1, d, {}, dtype)
        self.linear1.bias = b_1 if wide_bias else torch.nn.Parameter(b_1[0])
        self.linear2.bias = b_2 if wide_bias else torch.nn.Parameter(b_2[0])
        self.normalises = norms is not None
        self.norm1.eps = self.norm2.eps = 1e-5 if norms is None else norms

    def forward(self, src: Tensor, src_mask: Any = None, src_key_padding_mask: Any = None) -> Tensor:
        src2 = self.self_attn(src, src, src, attn_mask=src_mask, key_padding_mask=src_key_padding_mask)[0]
        src = src + self.dropout1(src2)
        src = self.norm1(src) if self.normalises else src
        src2 = self.linear2(self.dropout(self.activation(self.linear1(src))))
        src = src + self.dropout2(src2)
        return self.norm2(src) if self.normalises else src


class ExactTransformer(torch.nn.Module):
    """word_embedding[w] + pos_encoding(n), with both signs where `mirrored`; layers; output_layer(y[read])."""

    def __init__(
        self,
        embedding: Tensor,
        position: Callable[[Tensor, int], dict[int, Tensor]],
        layers: Sequence[ExactLayer],
        read: int,
        out: int,
        mirrored: bool = False,
    ) -> None:
        super().__init__()
        d = embedding.shape[1]
        self.word_embedding, self.position, self.read, self.mirrored = embedding, position, read, mirrored
        self.layers = torch.nn.ModuleList(layers)
        self.output_layer = torch.nn.Linear(2 * d if mirrored else d, 1, dtype=embedding.dtype)
        self.output_layer.weight = filled(1, 2 * d if mirrored else d, {(0, out): 1}, embedding.dtype)
        self.output_layer.bias = torch.nn.Parameter(torch.zeros(1, dtype=embedding.dtype))

    def pos_encoding(self, n: int) -> Tensor:
        pos = torch.arange(0, n).to(self.word_embedding.dtype)
        columns = self.position(pos, n)
        zero = torch.zeros(n, dtype=pos.dtype)
        return torch.stack([columns.get(c, zero).to(pos.dtype) for c in range(self.word_embedding.shape[1])], dim=1)

    def forward(self, w: Tensor) -> Tensor:
        x = self.word_embedding[w] + self.pos_encoding(len(w))
        x = torch.cat([x, -x], dim=-1) if self.mirrored else x
        y = x.unsqueeze(1)
        for layer in self.layers:
            y = layer(y)
        z: Tensor = self.output_layer(y.squeeze(1)[self.read])
        return z


@dataclass(frozen=True)
class Published:
    """A network, and what of it no tensor says, as `from_torch` takes it."""

    file: str
    module: Callable[[torch.dtype], ExactTransformer]
    said: dict[str, Any]

    def imported(self, dtype: torch.dtype = torch.float64, **others: Any) -> Any:
        return wp.from_torch(self.module(dtype), **{"source": self.file, **self.said, **others})


CHIANG, NOWAK = "github.com/ndnlp/parity", "github.com/giacomocamposampiero/palindrome-transformer"

FIRST_FFN = {"W_1": {(0, 1): 1, (0, 3): 1}, "b_1": {(0, 0): -1}, "W_2": {(4, 0): 1}}
"""first_exact.py has a bias where the paper, first_exact_layernorm.py and Nowak et al. have none."""
UNBIASED_FFN = {"W_1": {(0, 0): -1, (0, 2): -1, (0, 3): 1}, "W_2": {(4, 0): 1}}
FIRST_HEAD = {"W_Q": {(0, 2): 1}, "W_K": {(0, 3): 1}, "W_V": {(5, 3): -0.5, (5, 4): 1}, "W_O": {(5, 5): 1}}


def first(feed_forward: dict[str, Cells]) -> Callable[[torch.dtype], ExactTransformer]:
    def make(dtype: torch.dtype) -> ExactTransformer:
        layers = [Weights(1, **feed_forward), Weights(1, **FIRST_HEAD)]
        return ExactTransformer(
            torch.eye(3, 6, dtype=dtype),
            lambda pos, n: {3: pos == 1},
            [ExactLayer(6, 1, each, None, False, dtype) for each in layers],
            0,
            5,
        )

    return make


def parity(read: int) -> Callable[[torch.dtype], ExactTransformer]:
    def make(dtype: torch.dtype) -> ExactTransformer:
        layers = [
            Weights(
                3,
                W_V={(0, 1): 1, (1, 2): 1},
                W_O={(5, 0): 1, (6, 1): 1},
                W_1={(unit, column): w for unit in range(3) for column, w in ((3, -1), (5, 1), (6, unit - 1))},
                W_2={(7, 0): 1, (7, 1): -2, (7, 2): 1},
            ),
            Weights(
                3,
                W_Q={(0, 2): 1, (5, 2): 1},
                W_K={(0, 4): 1, (5, 4): -1},
                W_V={(0, 7): 1, (5, 7): 1},
                W_O={(8, 0): -1, (8, 5): 1},
            ),
        ]
        return ExactTransformer(
            torch.eye(3, 10, dtype=dtype),
            lambda pos, n: {3: pos / n, 4: torch.cos(pos * torch.pi)},
            [ExactLayer(10, 2, each, None, False, dtype) for each in layers],
            read,
            8,
        )

    return make


def one(dtype: torch.dtype) -> ExactTransformer:
    layer = Weights(
        4,
        W_V={(0, 1): 1, (1, 2): 1},
        W_O={(4, 0): 1, (5, 1): 1},
        W_1={(0, 4): 1, (0, 5): -2, (1, 4): 1, (1, 5): -1, (2, 4): 1, (3, 5): 1},
        W_2={(6, 0): 1, (6, 1): -2, (6, 2): 1, (6, 3): -0.5},
    )
    return ExactTransformer(
        torch.eye(3, 7, dtype=dtype), lambda pos, n: {3: pos / n}, [ExactLayer(7, 1, layer, None, True, dtype)], 0, 6
    )


def palindrome(dtype: torch.dtype) -> ExactTransformer:
    layers = [
        Weights(
            2,
            W_1={(unit, column): w for unit in range(2) for column, w in ((0, -1), (2, -1), (3, -1), (6 + unit, 1))},
            W_2={(8, 0): 1, (9, 1): 1},
        ),
        Weights(
            3,
            W_Q={(0, 2): 1, (6, 2): 1},
            W_K={(0, 4): 1, (6, 5): 1},
            W_V={(0, 8): 1, (6, 9): 1},
            W_O={(10, 0): 1, (10, 6): -1},
        ),
    ]
    return ExactTransformer(
        torch.eye(4, 12, dtype=dtype),
        lambda pos, n: {4: pos, 5: n - pos - 1, 6: pos <= (n - 1) / 2, 7: pos >= (n - 1) / 2},
        [ExactLayer(12, 2, each, None, False, dtype) for each in layers],
        0,
        10,
    )


def mirrored(cells: Cells, d: int) -> Cells:
    """What is written is written with the opposite sign, too, d rows further down."""
    return cells | {(row + d, column): -w for (row, column), w in cells.items()}


def erased(d: int, kept: int) -> dict[str, Cells]:
    """A feed-forward network that takes everything back but one coordinate and its mirror image, so that the norm
    behind it makes that one large."""
    W_2 = {}
    for row in range(d):
        W_2[row, row], W_2[row, row + d] = -1, 1
        W_2[row + d, row], W_2[row + d, row + d] = 1, -1
    return {
        "W_1": {(unit, unit): 1 for unit in range(2 * d)},
        "W_2": {place: w for place, w in W_2.items() if place[0] % d != kept},
    }


def first_layernorm(epsilon: float) -> Callable[[torch.dtype], ExactTransformer]:
    def make(dtype: torch.dtype) -> ExactTransformer:
        head = FIRST_HEAD | {"W_O": mirrored(FIRST_HEAD["W_O"], 6)}
        layers = [
            Weights(1, W_1=UNBIASED_FFN["W_1"], W_2=mirrored(UNBIASED_FFN["W_2"], 6)),
            Weights(12, **head, **erased(6, 5)),
        ]
        return ExactTransformer(
            torch.eye(3, 6, dtype=dtype),
            lambda pos, n: {3: pos == 1},
            [ExactLayer(12, 1, each, epsilon, False, dtype) for each in layers],
            0,
            5,
            mirrored=True,
        )

    return make


def parity_layernorm(epsilon: float) -> Callable[[torch.dtype], ExactTransformer]:
    def make(dtype: torch.dtype) -> ExactTransformer:
        layers = [
            Weights(
                3,
                W_V={(0, 1): 1, (1, 2): 1},
                W_O=mirrored({(5, 0): 1, (6, 1): 1}, 10),
                W_1={(unit, column): w for unit in range(3) for column, w in ((3, -1), (5, 1), (6, unit - 1))},
                W_2=mirrored({(7, 0): 1, (7, 1): -2, (7, 2): 1}, 10),
            ),
            Weights(
                20,
                W_Q={(0, 2): 1, (10, 2): 1},
                W_K={(0, 4): 1, (10, 4): -1},
                W_V={(0, 7): 1, (10, 7): 1},
                W_O=mirrored({(8, 0): -1, (8, 10): 1}, 10),
                **erased(10, 8),
            ),
        ]
        return ExactTransformer(
            torch.eye(3, 10, dtype=dtype),
            lambda pos, n: {3: pos / n, 4: torch.cos(pos * torch.pi)},
            [ExactLayer(20, 2, each, epsilon, False, dtype) for each in layers],
            -1,
            8,
            mirrored=True,
        )

    return make


BITS = {"tokens": ("0", "1", "$"), "begin": "$", "embedding": "word_embedding", "norms": "none"}
LAST = {"begin": None, "end": "$", "read": "last"}
IS_FIRST, OVER_N = {3: "(i == 1)"}, {3: "i/n", 4: "cos(pi*i)"}
HALVES = {4: "i", 5: "n - i - 1", 6: "(i <= (n - 1)/2)", 7: "(i >= (n - 1)/2)"}


def twice(position: dict[int, str], d: int) -> dict[int, str]:
    return position | {column + d: f"-({text})" for column, text in position.items()}


def both_signs(d: int) -> Tensor:
    return torch.cat([torch.eye(3, d), -torch.eye(3, d)], dim=-1)


PUBLISHED = {
    "chiang-first": Published(
        f"{CHIANG}, first_exact.py", first(FIRST_FFN), BITS | {"language": FIRST, "position": IS_FIRST}
    ),
    "chiang-parity": Published(
        f"{CHIANG}, parity_exact.py", parity(-1), BITS | LAST | {"language": PARITY, "position": OVER_N}
    ),
    "chiang-first-layernorm": Published(
        f"{CHIANG}, first_exact_layernorm.py",
        first_layernorm(1e-5),
        BITS | {"language": FIRST, "position": twice(IS_FIRST, 6), "norms": "post", "embedding": both_signs(6)},
    ),
    "chiang-parity-layernorm": Published(
        f"{CHIANG}, parity_exact_layernorm.py",
        parity_layernorm(1e-5),
        BITS | LAST | {"language": PARITY, "position": twice(OVER_N, 10), "norms": "post", "embedding": both_signs(10)},
    ),
    "nowak-first": Published(
        f"{NOWAK}, FirstExactTransformer", first(UNBIASED_FFN), BITS | {"language": FIRST, "position": IS_FIRST}
    ),
    "nowak-parity": Published(
        f"{NOWAK}, ParityExactTransformer", parity(0), BITS | {"language": PARITY, "position": OVER_N}
    ),
    "nowak-one": Published(f"{NOWAK}, OneExactTransformer", one, BITS | {"language": ONE, "position": {3: "i/n"}}),
    "nowak-palindrome": Published(
        f"{NOWAK}, PalindromeExactTransformer",
        palindrome,
        BITS
        | {
            "tokens": ("0", "1", "$", "&"),
            "end": "&",
            "language": PALINDROME,
            "position": HALVES,
            "accept": "logit = 0",
        },
    ),
}
