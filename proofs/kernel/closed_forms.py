"""The closed forms of every sublayer, with the proof of each from those before it: what `derive` found, checked step by
step.

X0, X1, ... are the residual stream behind the embedding and behind each sublayer, by kind of position. Of each head at
each kind of row the weights and values are proved, then their sums, then the quotients; of each feed-forward network
its units. A sum over positions is proved by telescoping.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy

from weightproof.proofs.kernel.forms import BEFORE, BEHIND, Forms, Stage
from weightproof.proofs.kernel.formulas import OfTokens, proposition
from weightproof.proofs.kernel.heads import attention
from weightproof.proofs.kernel.norms import (
    images,
    in_sums,
    norm,
    of_last_norm,
    scale_defined,
    scale_variable,
    scales_of_all_words,
    squares_by_name,
)
from weightproof.proofs.kernel.outputs import logit, streams
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.terms import ATOM, Terms, scale_name
from weightproof.proofs.kernel.units import feed_forward
from weightproof.proofs.kernel.weights import arguments, text
from weightproof.symbolic.algebra.vocabulary import i
from weightproof.symbolic.derivation import Derivation, ExplicitSum, Stream

REDUCED = (
    "after", "normed", "norm", "update", "residual", "computes", "attend_all", "score", "scored", "inner", "value",
    "apply", "dot", "row", "entry", "W_Q", "W_K", "W_V", "W_O", "scale", "normalise", "masked", "feed", "affine",
    "first", "second", "activation", "weights", "bias", "coordinates", "word_embedding", "position_encoding",
    "sublayers", "readout", "read_at", "embed", "String.eqb", "Ascii.eqb", "Bool.eqb", "closed", "epsilon_of", "total",
    "square",
)  # fmt: skip
"""What is unfolded where a network is computed at a position: no sum, and no function of real numbers."""


def closed_forms(derivation: Derivation, module: str) -> str:
    """A file of Coq with the theorem `logit_of_word`: on every word the logit of the network of `Weights_MODULE.v` is
    its closed form. Unwritten names the step that is missing."""
    return "\n".join(_parts(Forms(derivation, module))) + "\n"


def _parts(forms: Forms) -> Iterator[str]:
    begin, end = int(forms.network.begin is not None), int(forms.network.end is not None)
    yield "(* Closed forms of every sublayer, each proved from those before it. *)"
    yield f"From Weightproof Require Import Tactics Hard Norms Weights_{forms.module}."
    yield "Open Scope string_scope.\nOpen Scope R_scope.\n\nSection Forms."
    yield from _word(forms)
    yield f"Notation kind := (Words.kind {begin} {end} n token).\n"
    for each in forms.named:
        is_sum = isinstance(each, ExplicitSum)
        yield _explicit_sum(forms, each) if is_sum else scale_variable(forms, each)
    for number, stage in enumerate(forms.stages):
        yield _stream(forms, f"X{number}", stage.stream)
        if forms.norm_of(stage) is not None:
            normed = {row: forms.normed(number, row) for row in stage.stream}
            yield _stream(forms, f"U{number}", {row: each.vector for row, each in normed.items()})
            yield _stream(forms, f"Y{number}", {row: each.divided for row, each in normed.items()})
    yield _reduction(forms)
    yield _sums(forms)
    yield from _embedding(forms)
    for number, stage in enumerate(forms.stages[1:], start=1):
        yield from (attention if stage.is_attention else feed_forward)(forms, number)
        if forms.norm_of(stage) is not None:
            yield from norm(forms, number)
    yield from streams(forms)
    yield from logit(forms)
    if forms.network.normed:
        yield from images(forms)
    yield "End Forms.\n\nSection Word."
    yield from _word(forms)
    yield from _of_word(forms)
    yield "End Word."


def _word(forms: Forms) -> Iterator[str]:
    """The parameters, any word, and its integers."""
    construction, network = forms.construction, forms.network
    for parameter in construction.parameters:
        name, scope = parameter_name(parameter), "Z" if parameter.is_natural else "R"
        domain = proposition(parameter.domain, construction, OfTokens())
        yield f"Variable {name} : {scope}.\nHypothesis domain_{name} : ({domain})%{scope}."
    yield "Variable w : list string."
    yield "Hypothesis word : Forall (fun symbol => In symbol alphabet) w."
    yield "Variables (len : nat) (n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)."
    yield "Hypothesis len_is : List.length (marked w) = len."
    yield "Hypothesis n_is : Z.of_nat len = n."
    yield "Hypothesis token_is : forall p, Words.token alphabet (marked w) p = token p."
    size, begin, end = len(construction.alphabet), int(network.begin is not None), int(network.end is not None)
    yield f"Hypothesis known : marked_word {size} {begin} {end} n token prefix count."
    if not network.markers:
        yield "Hypothesis positions : (1 <= n)%Z."


def _explicit_sum(forms: Forms, total: ExplicitSum) -> str:
    """An explicit sum as a function of its upper end, and that it grows by each summand."""
    name, function = str(total.symbol), forms.applied(total)
    of_i = function != name
    lo, body = forms.terms.integer(total.lo, ATOM), forms.terms.iverson(total.body)
    given = "i p" if of_i else "p"
    return (
        f"Variable {name} : {'Z -> ' * of_i}Z -> R.\n"
        f"Hypothesis {name}_is : forall {given} : Z, {function} p = sum_over {lo} p (fun j : Z => {body}).\n"
        f"Lemma {name}_none {given} : (p < {lo})%Z -> {function} p = 0.\n"
        f"Proof. intros H. rewrite {name}_is. apply sum_over_none, H. Qed.\n"
        f"Lemma {name}_grows {given} : ({lo} <= p)%Z -> {function} p = {function} (p - 1)%Z + let j := p in {body}.\n"
        f"Proof. intros H. rewrite !{name}_is. apply sum_over_step, H. Qed.\n"
    )


def _sums(forms: Forms) -> str:
    """What is known of the explicit sums: before they begin, and at a position."""
    none, grown = [], []
    for total in forms.derivation.all_sums.values():
        name, lo = str(total.symbol), forms.terms.integer(total.lo - 1, ATOM)
        at = "(Z.of_nat p) " * (forms.applied(total) != name)
        none.append(f"pose proof ({name}_none {at}{lo} ltac:(lia))")
        grown.append(f"try pose proof ({name}_grows {at}q ltac:(lia))")
    return (
        f"Ltac ends_of_sums := {'; '.join(none) or 'idtac'}.\n"
        f"Ltac sums_grow q := {'; '.join(grown) or 'idtac'}; cbv zeta in *.\n"
    )


def _stream(forms: Forms, name: str, stream: Stream) -> str:
    """Closed forms by kinds of positions."""
    vectors = {}
    for row, vector in stream.items():
        entries = ";\n      ".join(f"({text(at)}, {forms.terms.iverson(value)})" for at, value in vector.items())
        vectors[row] = f"[{entries}]%R"
    return forms.by_kind(name, "(kind i : Z) : sparse", vectors, "[]")


def _streams(forms: Forms, stage: Stage) -> str:
    """What the closed forms of a stage are called: X, and with a norm U before it, and Y less the mean, divided."""
    return "X" if forms.norm_of(stage) is None else "XUY"


def _reduction(forms: Forms) -> str:
    """The tactics that compute with the tables of this network."""
    names = [
        *REDUCED,
        *(f"{each}{number}" for number, stage in enumerate(forms.stages) for each in _streams(forms, stage)),
    ]
    names += (stage.part for stage in forms.stages[1:])
    for number, layer in enumerate(forms.network.layers, start=1):
        names += (f"head_{number}_{place}" for place, _ in enumerate(layer.heads, start=1))
        names += [f"feed_forward_{number}"] * (layer.feed_forward is not None)
    return (
        f"Ltac reduce := cbv beta iota zeta delta [{' '.join(names)} network].\n"
        "Ltac each_name N := cbv beta iota zeta delta [In coordinates network] in N;\n"
        "  repeat match type of N with _ \\/ _ => destruct N as [<-|N] end; [..|destruct N].\n"
    )


def _embedding(forms: Forms) -> Iterator[str]:
    """The kinds of positions that there are, and that the embedding has its closed forms."""
    cases = " \\/ ".join(f"kind (Z.of_nat p) = {number}" for number in forms.kinds.values())
    yield f"Notation names := (coordinates (network{forms.arguments}))."
    yield f"Lemma size_is : size names = {len(forms.network.coordinates)}.\nProof. reflexivity. Qed."
    yield f"Lemma kinds p : (p < len)%nat -> ({cases})%Z.\nProof. intros P. kinds_of known p. Qed.\n"

    def prove(row: str) -> str:
        number = forms.kinds[row]
        why = {
            BEFORE: "replace p with 0%nat by lia; reflexivity",
            BEHIND: "apply last_string; fold (marked w); lia",
        }.get(
            number,
            f"rewrite (token_string alphabet (marked w) p {number}); [reflexivity|lia|rewrite token_is; assumption]",
        )
        return (
            f'assert (T : List.nth p (marked w) "" = {text(forms.table[row].token)}) by ({why}).\n'
            "    each_name N; unfold closed, embed; rewrite K, T; reduce; encoded."
        )

    yield (
        "Lemma embedded :\n"
        f"  agree len everywhere names (embed (network{forms.arguments}) (marked w)) {forms.stream(0)}.\n"
        f"Proof.\n  intros p P _ name N. word_facts known.\n  {forms.at_kinds(forms.kinds, 'p', prove, 'P')}\nQed.\n"
    )


def _of_word(forms: Forms) -> Iterator[str]:
    """The closed form of the logit without names for its sums, for some scales that are positive; and that it has a
    value, where there are norms. What rests on a scale that there may not be is said where there is one."""
    supposed, scales_are, sign = list[str](), list[str](), forms.of_sign
    there = "" if sign is None else sign.there
    for parameter in map(parameter_name, forms.construction.parameters):
        supposed += [parameter, f"domain_{parameter}"]
    supposed += ["w", "word", "len", "n", "token", "prefix", "count", "len_is", "n_is", "token_is", "known"]
    supposed += ["positions"] * (not forms.network.markers)
    terms = Terms(forms.derivation.vocabulary)
    for each in forms.named:
        if not isinstance(each, ExplicitSum):
            scales_are.append(scale_defined(forms, terms, each))
            supposed += [scale_name(each), f"{scale_name(each)}is"]
            supposed += [there] * (sign is not None and each == sign.scale)
            continue
        lo, body = terms.integer(each.lo, ATOM), terms.iverson(each.body)
        of_i = forms.applied(each) != str(each.symbol)
        supposed += [
            f"(fun {'i ' * of_i}p : Z => sum_over {lo} p (fun j : Z => {body}))",
            f"(fun {'_ ' * of_i}_ => eq_refl)",
        ]
        terms.explicit[each.symbol] = f"(sum_over {lo} {terms.integer(each.hi, ATOM)} (fun j : Z => {body}))"
    network, applied = f"network{arguments(forms.construction)}", " ".join(supposed)
    claim = f'output ({network}) (marked w) "logit" = {forms.logit(terms)}'
    if not forms.network.normed:
        yield f"Theorem logit_of_word : {claim}."
        yield f"Proof using All. exact (logit_is {applied}). Qed."
        return
    squares, everywhere = squares_by_name(forms, terms), " ".join(each for each in supposed if each != there)
    always, where_there_is = _Conjunction(), _Conjunction()
    for scale in scales_of_all_words(forms):
        always.add(f"({scale.stated})", f"exact ({scale.label.format('known')} {everywhere})")
    for scale in in_sums(forms):
        squared = f"exact ({scale.label.format('square_known')} {everywhere})"
        always.add(f"({scale.squared(squares[scale.name])})", squared)
    for scale in of_last_norm(forms):
        where_there_is.add(f"({scale.stated})", f"exact ({scale.label.format('known')} {applied})")
        squared = f"exact ({scale.label.format('square_known')} {applied})"
        where_there_is.add(f"({scale.squared(squares[scale.name])})", squared)
    of_images = f"unfold has_value, size_of; rewrite len_is, n_is; exact (images {applied})"
    where_there_is.add(f"has_value ({network}) (marked w)", of_images)
    where_there_is.add(claim, f"exact (logit_is {applied})")
    last = where_there_is
    if sign is not None:
        said = f"({terms.iverson(sign.value)} <> 0 ->\n  {last.stated})"
        last = _Conjunction([said], [f"intros {there}; {last.proof}"])
    named: list[sympy.Expr] = [scale for scale in forms.named if scale in forms.derivation.scales]
    there_are = "".join(f"exists {scale_name(scale)} : {'Z -> ' * (i in scale.free_symbols)}R, " for scale in named)
    whole = _Conjunction(always.claims + last.claims, always.proofs + last.proofs)
    yield f"Theorem logit_of_word : {there_are}\n  {whole.stated}."
    yield "Proof using All."
    yield from (f"  {line}" for line in scales_are)
    yield from (f"  exists {scale_name(scale)}." for scale in named)
    yield f"  {whole.proof}.\nQed."


@dataclass(frozen=True)
class _Conjunction:
    """Claims, each with its proof."""

    claims: list[str] = field(default_factory=list)
    proofs: list[str] = field(default_factory=list)

    def add(self, claim: str, proof: str) -> None:
        self.claims.append(claim)
        self.proofs.append(proof)

    @property
    def stated(self) -> str:
        return " /\\\n  ".join(self.claims)

    @property
    def proof(self) -> str:
        *before, last = self.proofs
        return "".join(f"split; [{each}|].\n  " for each in before) + last
