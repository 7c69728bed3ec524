"""Seconds that a search for the failure length takes, with little effort, and what it finds: `make bench`."""

from __future__ import annotations

from typing import Any

import pytest

from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.running import parameter_values
from weightproof.numeric.model.transformer import IMPLEMENTATIONS, Transformer, rules
from weightproof.numeric.search.search import Search

EFFORT, MAX_LENGTH = 1 << 20, 2_000


@pytest.mark.parametrize("attention", IMPLEMENTATIONS)
@pytest.mark.parametrize("name", names())
def test_search(benchmark: Any, name: str, attention: str) -> None:
    construction = load(name)
    model = Transformer(construction, dtype="float16", attention=attention)
    search = Search(construction, model, parameter_values(construction), EFFORT)
    found = benchmark.pedantic(search.run, (rules(model.network, None), MAX_LENGTH), rounds=3, warmup_rounds=1)
    benchmark.extra_info |= {
        "construction": name,
        "attention": attention,
        "effort": EFFORT,
        "first failing lengths": {f.rule.name: len(f.failure.word) if f.failure else None for f in found},
        "searched to": max(f.searched_to for f in found),
    }
