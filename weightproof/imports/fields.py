"""Fields of configurations of `transformers`: each is read, or says nothing that bears on outputs, or is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weightproof.imports.saying import Missaid, Saying

SILENT = frozenset({
    "_name_or_path", "architectures", "bos_token_id", "chunk_size_feed_forward", "dtype", "eos_token_id", "id2label",
    "initializer_range", "label2id", "model_type", "output_attentions", "output_hidden_states", "pad_token_id",
    "problem_type", "return_dict", "torch_dtype", "transformers_version", "use_cache",
    "vocab_size",
})  # fmt: skip
"""Of every network: names, sizes that tensors have, and how it is called and trained."""


@dataclass(frozen=True)
class Fields:
    """read: those that are taken; only: of those by which a network computes otherwise, the values, besides None and
    False, that have a place here; silent: those that say nothing, beside SILENT."""

    read: frozenset[str]
    silent: frozenset[str]
    only: Mapping[str, tuple[object, ...]]

    def require(self, config: Mapping[str, Any]) -> None:
        """InputError by the name of a field that is not known, or has a value without a place."""
        for name, value in config.items():
            if value is None or value is False or name in self.read | self.silent | SILENT:
                continue
            if value not in self.only.get(name, ()):
                why = "has no place here" if name in self.only else "is a field that is not known here"
                raise Missaid(Saying("config"), f": {name} = {value!r} {why}")
