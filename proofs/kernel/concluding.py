"""The last file of a proof in Coq: that the closed form of the logit and what is said of it make the theorem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.margins import family, known_of_family
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.scales import Named, known_by_name
from weightproof.proofs.kernel.statement import (
    Part,
    hypothesis,
    identifier,
    language,
    module_of,
    on_integers,
    value,
)
from weightproof.proofs.kernel.subjects import Subject
from weightproof.proofs.kernel.weights import texts
from weightproof.proofs.theorem import AboutLogits, Decides, Margin
from weightproof.symbolic.derivation import Derivation


def concluding(derivation: Derivation, theorem: AboutLogits) -> str:
    """The text of `Proof_NAME.v`."""
    return "\n".join(_Conclusion(derivation, theorem).lines()) + "\n"


@dataclass(frozen=True)
class _Word:
    """A word in the proof: its name, and the names of what is known of it: that it is one over the alphabet, what its
    length is, and the facts about its integers; behind: what stands behind the names of its scales."""

    name: str
    word: str
    length: str
    known: str
    behind: str

    @property
    def integers(self) -> str:
        of_word = (f"({each} alphabet (marked {self.name}))" for each in ("token", "prefix", "count"))
        return f"(length_of (marked w)) {' '.join(of_word)}"


GIVEN, FOUND = (
    _Word("w", "word", "eq_refl", "known", ""),
    _Word("v", "of_over_alphabet", "of_length_is", "known_of_v", "_of_v"),
)
"""The word that a theorem speaks of, and one of the same length that attains its margin."""


@dataclass(frozen=True)
class _Conclusion:
    derivation: Derivation
    theorem: AboutLogits

    @property
    def construction(self) -> Construction:
        return self.derivation.construction

    @property
    def network(self) -> str:
        return identifier(self.construction.name)

    @property
    def module(self) -> str:
        return module_of(self.construction, self.theorem)

    @property
    def parameters(self) -> str:
        return " ".join(parameter_name(parameter) for parameter in self.construction.parameters)

    @property
    def domains(self) -> str:
        return " ".join(f"domain_{parameter_name(parameter)}" for parameter in self.construction.parameters)

    @property
    def of_parameters(self) -> str:
        """Each parameter, and that it is in its domain, in turn."""
        names = map(parameter_name, self.construction.parameters)
        return " ".join(f"{each} domain_{each}" for each in names)

    @property
    def scales(self) -> Named:
        return known_by_name(self.derivation)

    @property
    def asked(self) -> list[str]:
        """The names of what is asked of words: of their length, and of what the theorem asks."""
        short = isinstance(self.theorem, Decides) and self.theorem.up_to is not None
        given = hypothesis(self.construction, self.theorem) is not None
        return ["short"] * short + ["given"] * given

    @property
    def positions(self) -> list[str]:
        """The name of that there are positions, where no marker is one."""
        return [] if self.construction.encoder.markers else ["positions"]

    @property
    def spoken_of(self) -> list[Part]:
        """What the theorem compares the logit with."""
        parts = (language(self.construction, self.theorem), value(self.construction, self.theorem))
        return [part for part in parts if part is not None]

    def lines(self) -> Iterator[str]:
        construction, theorem, module = self.construction, self.theorem, self.module
        name = identifier(theorem.name)
        yield f"(* {construction.name}, {theorem.name}: from the weights to the words. *)"
        yield "Require Import Reals ZArith List String Lia."
        yield "From Weightproof Require Import Transformer Words Rules Languages Families."
        yield f"From Weightproof Require Import Weights_{self.network} Statement_{module}."
        yield f"From Weightproof Require Forms_{self.network} Decides_{module}."
        yield "Import ListNotations."
        yield "Open Scope string_scope."
        yield "Open Scope R_scope."
        yield ""
        yield on_integers(construction, theorem)
        margin = theorem if isinstance(theorem, Margin) and theorem.value is not None else None
        if margin is not None:
            yield from family(Subject(self.derivation, margin), margin)
        introduced = [self.of_parameters, "w", "word", *["nonempty" for _ in self.positions], *self.asked]
        yield f"Theorem {name} : Statement_{module}.{name}."
        yield "Proof."
        yield f"  unfold Statement_{module}.{name}. intros {' '.join(introduced)}."
        yield from self._known(GIVEN)
        if self.positions:
            nonempty = "destruct w; [easy|unfold length_of; cbn; lia]"
            yield f"  assert (positions : (1 <= length_of (marked w))%Z) by ({nonempty})."
        asked = hypothesis(construction, theorem)
        if asked is not None:
            yield f"  apply ({_on_integers(asked, GIVEN)}) in given. unfold given_of_integers in given."
        if construction.encoder.normed:
            yield from self._logit_is(GIVEN)
            yield "  split; [exact value|]."
        if margin is not None:
            yield "  split; [|split]."
            yield "  -"
        yield from self._said_of(GIVEN)
        yield f"  exact ({self._last_step('decides', GIVEN)})."
        if margin is not None:
            yield from self._attained(margin)
        yield "Qed."

    def _known(self, word: _Word) -> Iterator[str]:
        """What is known of the integers of a word."""
        construction, network = self.construction, self.construction.encoder
        before, behind = (texts(() if marker is None else (marker,)) for marker in (network.begin, network.end))
        size, first, last = len(construction.alphabet), int(network.begin is not None), int(network.end is not None)
        yield f"  assert ({word.known} : marked_word {size} {first} {last}\n    {word.integers})."
        yield f"  {{ {'' if word == GIVEN else f'rewrite <- {word.length}. '}refine (is_marked_word alphabet"
        yield f"    {before} {behind} {word.name} {word.word} _ _ _); unfold alphabet; cbn;"
        yield "    repeat constructor; cbn; intuition discriminate. }"

    def _logit_of(self, word: _Word) -> str:
        """That the logit of a word is the closed form, as a term."""
        supposed = " ".join([word.known, *self.positions])
        return (
            f"Forms_{self.network}.logit_of_word {self.of_parameters} {word.name} {word.word}\n    "
            f"(List.length (marked {word.name})) {word.integers}\n    "
            f"eq_refl {word.length} (fun _ => eq_refl) {supposed}"
        )

    def _logit_is(self, word: _Word) -> Iterator[str]:
        """Where there are norms: the scales, that the network has a value, and that its logit is the closed form."""
        scales, logit_is = self.scales, ("value", "logit_is")
        found = ("where_there_is",) if scales.last else logit_is
        yield f"  destruct ({self._logit_of(word)})\n    as {_named(*scales.found, *found, of=word)}."
        if scales.last:
            there_is = f"proj1 ({self._step('decides_before', word, *self._scales(word))})"
            yield f"  destruct (where_there_is{word.behind} ({there_is}))"
            yield f"    as {_named(*scales.last[1:], *logit_is, of=word)}."

    def _said_of(self, word: _Word) -> Iterator[str]:
        """What is said of a word, in the integers of the closed form."""
        for part in self.spoken_of:
            yield f"  rewrite ({_on_integers(part, word)}). unfold {part.name}_of_integers."
        yield "  unfold accepts_above_0, accepts_at_0."
        if not (isinstance(self.theorem, Margin) and self.theorem.value is None):
            yield from self._by_logit(word)

    def _by_logit(self, word: _Word) -> Iterator[str]:
        """The closed form in the place of the logit."""
        logit = f"logit_is{word.behind}" if self.construction.encoder.normed else self._logit_of(word)
        yield f"  rewrite ({logit})."

    def _scales(self, word: _Word) -> list[str]:
        """The scales that there are on all words, and what is known of them."""
        return [f"{each}{word.behind}" for each in self.scales.asked]

    def _last_step(self, theorem: str, word: _Word, *further: str) -> str:
        """A theorem of the last step, of a word that the network has a value on."""
        last = (f"{each}{word.behind}" for each in self.scales.last)
        return self._step(theorem, word, *self._scales(word), *last, *further)

    def _step(self, theorem: str, word: _Word, *further: str) -> str:
        """A theorem of `Decides_NAME.v`, of a word."""
        supposed = [self.domains, word.known, *self.positions, *self.asked, *further]
        return f"Decides_{self.module}.{theorem} {self.parameters} {word.integers}\n    {' '.join(supposed)}"

    def _attained(self, theorem: Margin) -> Iterator[str]:
        """That the value of a margin is 0 or more, and that a word attains it."""
        markers, asked = len(self.construction.encoder.markers), [each for each in self.asked if each == "given"]
        *words, compared = self.spoken_of
        natural = [parameter_name(each) for each in self.construction.parameters if each.is_natural]
        arguments = " ".join((self.of_parameters, GIVEN.integers, "room", *asked))
        known = [*known_of_family(Subject(self.derivation, theorem), theorem)]
        facts = [f"family_{number}" for number in range(len(known))]
        of_value = f"  rewrite ({_on_integers(compared, GIVEN)}). unfold {compared.name}_of_integers."
        yield f"  -{of_value[1:]}"
        yield f"    exact ({self._last_step('not_negative', GIVEN)})."
        yield f"  - assert (room : ({max(markers, 1)} <= length_of (marked w))%Z)"
        yield "      by (pose proof (has_room _ _ _ _ _ _ _ known); lia)."
        yield f"    exists (family {' '.join((*natural, '(length_of (marked w))'))})."
        for fact in ("over_alphabet", "length_is", *facts):
            yield f"    pose proof ({fact} {arguments}) as of_{fact}. cbv zeta in of_{fact}."
        yield f"    set (v := family {' '.join((*natural, '(length_of (marked w))'))}) in *."
        yield "    split; [exact of_over_alphabet|]. split; [exact of_length_is|]."
        yield from self._known(FOUND)
        for part in words:
            yield f"  rewrite ({_on_integers(part, FOUND)}). unfold {part.name}_of_integers."
        yield f"  rewrite ?{FOUND.length}."
        yield of_value
        if self.construction.encoder.normed:
            yield from self._logit_is(FOUND)
        yield from self._by_logit(FOUND)
        yield f"  exact ({self._last_step('attained', FOUND, *(f'of_{fact}' for fact in facts))})."


def _on_integers(part: Part, word: _Word) -> str:
    """That a formula of the theorem is the same of the integers of a word, as a term."""
    return f"{part.name}_on_integers{part.arguments} {word.name} {word.word}"


def _named(*names: str, of: _Word) -> str:
    """A pattern of what is known of a word."""
    return f"({' & '.join(f'{each}{of.behind}' for each in names)})"
