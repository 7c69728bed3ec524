"""Words a second through the PyTorch reading: `make bench`.

What bounds it is memory traffic inside the cache, at 4 bytes a coordinate in float32. A symbol of PARITY needs 137
bytes of it: 2 coordinates gathered by token (21), 4 weighted means (48), 3 hidden units (36), their sum (24), and one
negated value (8); all else is the same in all words or in all rows. The unit of comparison in the result file is the
addition of arrays of a block's size, 12 bytes a symbol: 11 of them are the bound, and PARITY takes as long as 40. Half
of what lies between is the gathering, which torch does on one core without vector instructions; the rest is a
millisecond of Python a block of 500,000 symbols, and arrays that leave the nearest cache before they are read again.
Time is linear in n, and so is memory.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from throughput import LENGTHS, SYMBOLS, batch, measure

from weightproof.constructions.library import names


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", names())
def test_token_ids(benchmark: Any, name: str, n: int) -> None:
    measure(benchmark, name, n, batch(name, n))


@pytest.mark.parametrize("name", ["parity"])
def test_strings(benchmark: Any, name: str) -> None:
    random = Random(0)
    measure(benchmark, name, 1_000, ["".join(random.choices("01", k=999)) for _ in range(SYMBOLS["cpu"] // 1_000)])


@pytest.mark.parametrize("name", ["parity"])
def test_fused(benchmark: Any, name: str) -> None:
    measure(benchmark, name, 1_000, batch(name, 1_000, symbols=64_000), attention="fused")
