"""What of a comparison that takes long is part of `make test`; the rest is of `make controls`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def short_suite(values: Iterable[Any], of_make_test: Iterable[Any]) -> list[Any]:
    """All values as parameters, those that are not of `make test` marked as of `make controls`."""
    kept = list(of_make_test)
    return [value if value in kept else pytest.param(value, marks=pytest.mark.controls) for value in values]
