"""What closed forms are called in Coq: kinds of positions, stages, and the shape of a proof by kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, LayerNorm
from weightproof.proofs.kernel.terms import ATOM, Terms, scale_name
from weightproof.proofs.kernel.weights import arguments
from weightproof.symbolic.algebra.vocabulary import i, is_scale
from weightproof.symbolic.derivation import Derivation, ExplicitSum, Normed, Stream, marker_names
from weightproof.symbolic.rules.rows import Row, rows

BEFORE, BEHIND = -1, -2
"""The kinds of the positions of markers, as `Words.kind` has them."""


@dataclass(frozen=True)
class Stage:
    """The residual stream behind a sublayer, or behind the embedding: the part of the network, and the closed forms."""

    part: str
    layer: int
    stream: Stream
    is_attention: bool = False


@dataclass(frozen=True)
class Forms:
    """What is written of a derivation."""

    derivation: Derivation
    module: str

    @property
    def arguments(self) -> str:
        """The parameters and n, as the parts of the network are applied to them."""
        return f"{arguments(self.construction)} (IZR n)"

    def stream(self, number: int) -> str:
        """The stream with the closed forms behind so many sublayers."""
        return f"(closed kind X{number})"

    @cached_property
    def terms(self) -> Terms:
        terms = Terms(self.derivation.vocabulary)
        for symbol, total in self.derivation.all_sums.items():
            terms.explicit[symbol] = f"({self.applied(total)} {terms.integer(total.hi, ATOM)})"
        return terms

    @cached_property
    def named(self) -> tuple[ExplicitSum | sympy.Expr, ...]:
        """The explicit sums and the scales, each behind those that it speaks of."""
        sums, scales = self.derivation.all_sums, self.derivation.scales
        speak = {str(symbol): (total, total.body) for symbol, total in sums.items()}
        speak |= {scale_name(scale): (scale, square) for scale, square in scales.items()}
        found = f"forms_{number} : agree len {{}} names\n  (after names {part} len {before}) {self.stream(number)}"
        if self.norm_of(stage) is not None:
            found = f"before_{number} : agree len {{}} names\n  (update {part} len {before}) (closed kind U{number})"
        return (
            f"Lemma {found.format(self.condition(stage))}.\n"
            "Proof.\n  intros p P A name N. word_facts known. position A.\n"
            f"  {self.at_kinds(stage.stream, 'p', prove, 'P')}\nQed.\n"
        )

    def label(self, row: str) -> str:
        """What a kind is called in the name of a lemma."""
        return {BEFORE: "before", BEHIND: "behind"}.get(self.kinds[row], str(self.kinds[row]))
