"""A value as LaTeX in pieces, between which whoever sets it can break it into lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """A sum in pieces, each but the first with its sign in front: between them a line may be broken."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.parts)


@dataclass(frozen=True)
class Cases:
    """Value and condition, case by case."""

    rows: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        rows = r" \\ ".join(f"{value} & {condition}" for value, condition in self.rows)
        return rf"\begin{{cases}} {rows} \end{{cases}}"


Written = Terms | Cases
