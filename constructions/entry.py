"""What a contest says of an entry, beside its weights."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """author: as the contest's table has them. parameters: how many the table counts; counted: what they are.

    elsewhere: what is reported of it in the contest's own repository: proven, falsified, unknown, or not run.
    """

    author: str
    parameters: int
    counted: str
    elsewhere: str
