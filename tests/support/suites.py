"""What of a comparison that takes long is part of `make test`, the rest being of `make controls`; and up to which
lengths all words are run, as the trust manifest says, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

CLOSED_FORMS = {2: (7, 10), 3: (5, 7)}
"""Symbols of the longest words on which closed forms are compared, by the size of the alphabet: in `make test`, and in
`make controls`."""
MEMBERSHIP = 10
"""The same of languages, function against formula."""


def short_suite(values: Iterable[Any], of_make_test: Iterable[Any]) -> list[Any]:
    """All values as parameters, those that are not of `make test` marked as of `make controls`."""
    kept = list(of_make_test)
    return [value if value in kept else pytest.param(value, marks=pytest.mark.controls) for value in values]
