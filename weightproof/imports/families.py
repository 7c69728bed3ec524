"""Networks that predict the next token, whose tensors have the names of a family; what is particular to one is a file.

What no tensor says, heads and epsilon and activation, is read from the configuration that lies beside the weights of a
network of `transformers`, or said by the user.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from weightproof.imports import gpt, llama
from weightproof.imports.dense import Dense
from weightproof.imports.saying import Missaid, Saying
from weightproof.imports.settings import Settings, configured, fields_of
from weightproof.imports.tensors import Tensors


class Family(Protocol):
    """A module that reads one."""

    @property
    def MODEL_TYPES(self) -> tuple[str, ...]:
        """As a configuration of `transformers` calls them."""

    def is_one(self, tensors: Tensors) -> bool:
        """Whether the tensors have its names."""

    def read(self, tensors: Tensors, settings: Settings, tokens: int) -> Dense:
        """InputError for what is missing and does not fit."""

    def configured(self, config: Mapping[str, Any]) -> Settings:
        """What a configuration says; InputError by the name of a field that has no place here."""


FAMILIES: tuple[Family, ...] = (gpt, llama)


def family_of(tensors: Tensors) -> Family | None:
    """The one that has these names."""
    return next((family for family in FAMILIES if family.is_one(tensors)), None)


def settings_of(given: Mapping[str, Any] | str | Path) -> Settings:
    """What a configuration says, of `transformers` where it has a model_type, else of TransformerLens."""
    config = fields_of(given)
    model = config.get("model_type")
    if model is None:
        return configured(config)
    for family in FAMILIES:
        if model in family.MODEL_TYPES:
            return family.configured(config)
    known = ", ".join(name for family in FAMILIES for name in family.MODEL_TYPES)
    raise Missaid(Saying("config"), f": model_type = {model!r} is not read; there are {known}")
