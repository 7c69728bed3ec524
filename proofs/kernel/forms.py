"""What closed forms are called in Coq: kinds of positions, stages, and the shape of a proof by kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Norm
from weightproof.proofs.kernel.of_sign import OfSign, of_sign
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
    def of_sign(self) -> OfSign | None:
        """What the logit is, where a norm may have no value."""
        return of_sign(self.derivation)

    def logit(self, terms: Terms) -> str:
        """The closed form of the logit."""
        if self.of_sign is None:
            return terms.iverson(self.derivation.logit)
        return self.of_sign.logit(terms, f"({terms.iverson(self.of_sign.value)})")

    @cached_property
    def named(self) -> tuple[ExplicitSum | sympy.Expr, ...]:
        """The explicit sums and the scales, each behind those that it speaks of."""
        sums, scales = self.derivation.all_sums, self.derivation.scales
        speak = {str(symbol): (total, total.body) for symbol, total in sums.items()}
        speak |= {scale_name(scale): (scale, square) for scale, square in scales.items()}
        found = dict[str, ExplicitSum | sympy.Expr]()

        def add(name: str) -> None:
            if name not in found:
                each, value = speak[name]
                atoms = {atom for _, x in value.terms for atom in x.atoms(sympy.Symbol, AppliedUndef)}
                for atom in sorted(atoms, key=str):
                    if atom in sums or is_scale(atom):
                        add(str(atom) if atom in sums else scale_name(atom))
                found[name] = each

        for name in speak:
            add(name)
        return tuple(found.values())

    def applied(self, total: ExplicitSum) -> str:
        """An explicit sum as a function of its upper end."""
        return f"{total.symbol} i" if i in total.lo.free_symbols | total.body.free_symbols else str(total.symbol)

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def network(self) -> Encoder:
        return self.construction.encoder

    @cached_property
    def table(self) -> dict[str, Row]:
        """The kinds of positions by name."""
        vocabulary = self.derivation.vocabulary
        return rows(vocabulary, (self.network.begin, self.network.end), vocabulary.words())

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The kinds of positions as numbers."""
        begin, end = marker_names(self.network.begin, self.network.end)
        markers = {begin: BEFORE, end: BEHIND}
        alphabet = self.derivation.vocabulary.alphabet
        return {name: markers[name] if name in markers else alphabet.index(name) for name in self.table}

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """The embedding, and then each sublayer that is there."""
        found = [Stage("", 0, self.derivation.streams[0])]
        for number, layer in enumerate(self.network.layers, start=1):
            if layer.heads or not layer.attention_residual or layer.attention_norm is not None:
                found.append(Stage(f"attention_{number}", number, self.derivation.attended[number - 1], True))
            if layer.feed_forward is not None:
                found.append(Stage(f"feed_{number}", number, self.derivation.streams[number]))
        return tuple(found)

    def by_kind(self, name: str, binders: str, values: Mapping[str, str], otherwise: str) -> str:
        """A definition by the kind of a position, among the binders."""
        cases = "".join(f"\n  | {self.kinds[row]} => {value}" for row, value in values.items())
        return f"Definition {name} {binders} := match kind with{cases}\n  | _ => {otherwise}\n  end%Z.\n"

    def at_kinds(
        self,
        rows: Iterable[str],
        position: str,
        prove: Callable[[str], str],
        bound: str = "ltac:(lia)",
        name: str = "K",
        bullet: str = "  -",
    ) -> str:
        """A proof by the kinds of a position; of those that are not among the rows it is shown that they are not there.

        bound: that there is the position; name: of what is known of its kind.
        """
        wanted, others = list(rows), len(self.kinds) - 1
        either = f"[{name}|" * others + name + "]" * others
        lines = [f"destruct (kinds {position} {bound}) as {either}."]
        for row, number in self.kinds.items():
            facts = f"kind_facts known (Z.of_nat {position}) ({number})%Z {name}."
            lines.append(f"{bullet} {facts} {prove(row) if row in wanted else 'absurd_integers.'}")
        return "\n".join(lines)

    def facts(self, row: str) -> str:
        """What is known of a position p of the kind of a row, as K says."""
        return f"kind_facts known (Z.of_nat p) ({self.kinds[row]})%Z K."

    def condition(self, stage: Stage) -> str:
        """The positions at which the stream behind a stage is read."""
        if stage.layer < len(self.network.layers):
            return "everywhere"
        return {"first": "is_first", "last": "(is_last len)", "sum": "everywhere"}[self.network.readout.position]

    def norm_of(self, stage: Stage) -> Norm | None:
        """The norm behind a sublayer."""
        if stage.layer == 0:
            return None
        layer = self.network.layers[stage.layer - 1]
        return layer.attention_norm if stage.is_attention else layer.feed_forward_norm

    def normed(self, number: int, row: str) -> Normed:
        """What the norm behind a sublayer does at a row."""
        stage = self.stages[number]
        place = "attention" if stage.is_attention else "feed-forward"
        return self.derivation.norms[f"layer {stage.layer}, norm after {place}", row]

    def agreement(self, number: int, prove: Callable[[str], str]) -> str:
        """The lemma that what a sublayer computes from the closed forms before it are those behind it, or those before
        its norm, if it has one."""
        stage = self.stages[number]
        part, before = f"({stage.part}{self.arguments})", self.stream(number - 1)
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
