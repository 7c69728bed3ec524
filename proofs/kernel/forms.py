"""The closed forms of every sublayer, with the proof of each from those before it: what `derive` found, checked step by
step.

X0, X1, ... are the residual stream behind the embedding and behind each sublayer, by kind of position. Of each head at
each kind of row the weights and values are proved, then their sums, then the quotients; of each feed-forward network
its units. A sum over positions is proved by telescoping: its value so far, as a function of how many positions it has
run over, grows by each summand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.proofs.kernel.formulas import OfTokens, proposition
from weightproof.proofs.kernel.partial_sums import partial_sum
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.terms import ATOM, Terms, m
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import arguments, text
from weightproof.symbolic.algebra.iverson import ZERO, Iverson, substitute
from weightproof.symbolic.algebra.linear import form_of
from weightproof.symbolic.algebra.vocabulary import i, j
from weightproof.symbolic.derivation import Derivation, ExplicitSum, Looked, Record, Stream, marker_names
from weightproof.symbolic.rules.feedforward import apply_linear
from weightproof.symbolic.rules.rows import Row, rows
from weightproof.symbolic.rules.sums import collect

BEFORE, BEHIND = -1, -2
"""The kinds of the positions of markers, as `Words.kind` has them."""

REDUCED = (
    "after", "normed", "norm", "update", "residual", "computes", "attend_all", "score", "scored", "inner", "value",
    "apply", "dot", "row", "entry", "W_Q", "W_K", "W_V", "W_O", "scale", "normalise", "masked", "feed", "affine",
    "first", "second", "activation", "weights", "bias", "coordinates", "word_embedding", "position_encoding",
    "sublayers", "readout", "read_at", "embed", "String.eqb", "Ascii.eqb", "Bool.eqb", "closed",
)  # fmt: skip
"""What is unfolded where a network is computed at a position: no sum, and no function of real numbers."""


@dataclass(frozen=True)
class Stage:
    """The residual stream behind a sublayer, or behind the embedding: the part of the network, and the closed forms."""

    part: str
    layer: int
    stream: Stream


@dataclass(frozen=True)
class Forms:
    """What is written of a derivation."""

    derivation: Derivation
    module: str

    @cached_property
    def terms(self) -> Terms:
        terms = Terms(self.derivation.vocabulary)
        for symbol, total in self.derivation.all_sums.items():
            terms.explicit[symbol] = f"({self._applied(total)} {terms.integer(total.hi, ATOM)})"
        return terms

    def _applied(self, total: ExplicitSum) -> str:
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
                found.append(Stage(f"attention_{number}", number, self.derivation.attended[number - 1]))
            if layer.feed_forward is not None:
                found.append(Stage(f"feed_{number}", number, self.derivation.streams[number]))
        return tuple(found)

    # The parts of the file.

    def text(self) -> str:
        """The whole file."""
        return "\n".join(self._parts()) + "\n"

    def _parts(self) -> Iterator[str]:
        yield from self._opening()
        for number, stage in enumerate(self.stages):
            yield self._closed_forms(number, stage)
        yield self._reduction()
        yield self._sums()
        yield from self._embedding()
        for number, stage in enumerate(self.stages[1:], start=1):
            if stage.part.startswith("attention"):
                yield from self._attention(number, stage)
            else:
                yield from self._feed_forward(number, stage)
        yield from self._logit()
        yield "End Forms.\n"
        yield from self._of_word()

    def _opening(self) -> Iterator[str]:
        yield "(* Closed forms of every sublayer, each proved from those before it. *)"
        yield f"From Weightproof Require Import Tactics Weights_{self.module}.\nOpen Scope string_scope.\nOpen Scope R_scope.\n"
        yield "Section Forms."
        yield from self._word()
        vocabulary = self.derivation.vocabulary
        yield f"Notation kind := (Words.kind {int(vocabulary.begin)} {int(vocabulary.end)} n token).\n"
        for total in self.derivation.all_sums.values():
            yield from self._explicit(total)

    def _word(self) -> Iterator[str]:
        """The parameters, any word, and its integers."""
        vocabulary = self.derivation.vocabulary
        size, begin, end = len(vocabulary.alphabet), int(vocabulary.begin), int(vocabulary.end)
        for parameter in self.construction.parameters:
            name = parameter_name(parameter)
            yield f"Variable {name} : {'Z' if parameter.is_natural else 'R'}."
            yield f"Hypothesis domain_{name} : ({proposition(parameter.domain, self.construction, OfTokens())})%{'Z' if parameter.is_natural else 'R'}."
        yield "Variable w : list string."
        yield "Hypothesis word : Forall (fun symbol => In symbol alphabet) w."
        yield "Variables (len : nat) (n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)."
        yield "Hypothesis len_is : List.length (marked w) = len."
        yield "Hypothesis n_is : Z.of_nat len = n."
        yield "Hypothesis token_is : forall p, Words.token alphabet (marked w) p = token p."
        yield f"Hypothesis known : marked_word {size} {begin} {end} n token prefix count."
        if not begin and not end:
            yield "Hypothesis positions : (1 <= n)%Z."

    def _of_word(self) -> Iterator[str]:
        """The closed form of the logit without names for its sums."""
        yield "Section Word."
        yield from self._word()
        parameters = [parameter_name(parameter) for parameter in self.construction.parameters]
        supposed = [each for name in parameters for each in (name, f"domain_{name}")]
        supposed += ["w", "word", "len", "n", "token", "prefix", "count", "len_is", "n_is", "token_is", "known"]
        supposed += ["positions"] * (not self.network.markers)
        written = Terms(self.derivation.vocabulary)
        for symbol, total in self.derivation.all_sums.items():
            lo, body = written.integer(total.lo, ATOM), written.iverson(total.body)
            of_i = self._applied(total) != str(symbol)
            supposed += [f"(fun {'i ' * of_i}p : Z => sum_over {lo} p (fun j : Z => {body}))", f"(fun {'_ ' * of_i}_ => eq_refl)"]
            written.explicit[symbol] = f"(sum_over {lo} {written.integer(total.hi, ATOM)} (fun j : Z => {body}))"
        logit = written.iverson(self.derivation.logit)
        network = f"network{arguments(self.construction)}"
        yield f"Theorem logit_of_word : output ({network}) (marked w) \"logit\" = {logit}."
        yield f"Proof using All. exact (logit_is {' '.join(supposed)}). Qed."
        yield "End Word."

    def _explicit(self, total: ExplicitSum) -> Iterator[str]:
        """An explicit sum as a function of its upper end, and that it grows by each summand."""
        terms, name = self.terms, str(total.symbol)
        function = self._applied(total)
        binder = "i " if function != name else ""
        lo, body = terms.integer(total.lo, ATOM), terms.iverson(total.body)
        yield f"Variable {name} : {'Z -> ' if binder else ''}Z -> R."
        yield f"Hypothesis {name}_is : forall {binder}p : Z, {function} p = sum_over {lo} p (fun j : Z => {body})."
        yield f"Lemma {name}_none {binder}p : (p < {lo})%Z -> {function} p = 0."
        yield f"Proof. intros H. rewrite {name}_is. apply sum_over_none, H. Qed."
        yield f"Lemma {name}_grows {binder}p : ({lo} <= p)%Z -> {function} p = {function} (p - 1)%Z + let j := p in {body}."
        yield f"Proof. intros H. rewrite !{name}_is. apply sum_over_step, H. Qed.\n"

    def _by_kind(self, name: str, by_kind: Mapping[str, str], kind: str, binders: str, otherwise: str) -> str:
        cases = "".join(f"\n  | {self.kinds[row]} => {value}" for row, value in by_kind.items())
        return f"Definition {name} {binders} := match {kind} with{cases}\n  | _ => {otherwise}\n  end%Z.\n"

    def _closed_forms(self, number: int, stage: Stage) -> str:
        by_kind = {}
        for row, vector in stage.stream.items():
            entries = ";\n      ".join(f"({text(name)}, {self.terms.iverson(value)})" for name, value in vector.items())
            by_kind[row] = f"[{entries}]%R"
        return self._by_kind(f"X{number}", by_kind, "kind", "(kind i : Z) : sparse", "[]")

    def _reduction(self) -> str:
        streams = [f"X{number}" for number, _ in enumerate(self.stages)]
        parts = [stage.part for stage in self.stages[1:]]
        for number, layer in enumerate(self.network.layers, start=1):
            parts += [f"head_{number}_{place}" for place, _ in enumerate(layer.heads, start=1)]
            parts += [f"feed_forward_{number}"] * (layer.feed_forward is not None)
        names = " ".join((*REDUCED, *streams, *parts, "network"))
        return (
            f"Ltac reduce := cbv beta iota zeta delta [{names}].\n"
            f"Ltac each_name N := cbv beta iota zeta delta [In coordinates network] in N;\n"
            "  repeat match type of N with _ \\/ _ => destruct N as [<-|N] end; [..|destruct N].\n"
        )

    def _sums(self) -> str:
        """What is known of the explicit sums: before they begin, and at a position."""
        none, grown = [], []
        for total in self.derivation.all_sums.values():
            lo = self.terms.integer(total.lo - 1, ATOM)
            name, at = str(total.symbol), "" if self._applied(total) == str(total.symbol) else "(Z.of_nat p) "
            none.append(f"pose proof ({name}_none {at}{lo} ltac:(lia))")
            grown.append(f"pose proof ({name}_grows {at}q ltac:(lia))")
        return (
            f"Ltac ends_of_sums := {'; '.join(none) or 'idtac'}.\n"
            f"Ltac sums_grow q := {'; '.join(grown) or 'idtac'}; cbv zeta in *.\n"
        )

    # Positions.

    def _at_kinds(self, rows: Iterable[str], position: str, bound: str, prove: Callable[[str], str]) -> str:
        """A proof by the kinds of positions; of those that are not among the rows it is known that they are not there."""
        wanted = list(rows)
        lines = [f"  destruct (kinds {position} {bound}) as {self._either('K')}."]
        for row, number in self.kinds.items():
            facts = f"kind_facts known (Z.of_nat {position}) ({number})%Z K."
            lines.append(f"  - {facts} {prove(row) if row in wanted else 'absurd_integers.'}")
        return "\n".join(lines)

    def _either(self, name: str) -> str:
        """The pattern of a disjunction over the kinds."""
        others = len(self.kinds) - 1
        return f"[{name}|" * others + name + "]" * others

    def _embedding(self) -> Iterator[str]:
        network = f"network{arguments(self.construction)} (IZR n)"
        cases = " \\/ ".join(f"kind (Z.of_nat p) = {number}" for number in self.kinds.values())
        yield f"Notation names := (coordinates ({network}))."
        yield f"Lemma kinds p : (p < len)%nat -> ({cases})%Z."
        yield "Proof. intros P. kinds_of known p. Qed.\n"

        def prove(row: str) -> str:
            token = text(self.table[row].token)
            if self.kinds[row] == BEFORE:
                known = f"assert (T : List.nth p (marked w) \"\" = {token}) by (replace p with 0%nat by lia; reflexivity)"
            elif self.kinds[row] == BEHIND:
                known = f"assert (T : List.nth p (marked w) \"\" = {token}) by (apply last_string; fold (marked w); lia)"
            else:
                known = (
                    f"assert (T : List.nth p (marked w) \"\" = {token}) by (rewrite (token_string alphabet (marked w) p "
                    f"{self.kinds[row]}); [reflexivity|lia|rewrite token_is; assumption])"
                )
            return f"{known}. each_name N; unfold closed, embed; rewrite K, T; reduce; encoded."

        yield f"Lemma embedded : agree len everywhere names (embed ({network}) (marked w)) (closed kind X0)."
        yield "Proof.\n  intros p P _ name N. word_facts known."
        yield self._at_kinds(self.kinds, "p", "P", prove) + "\nQed.\n"

    def _condition(self, stage: Stage) -> str:
        """The positions at which the stream behind a stage is read."""
        if stage.layer < len(self.network.layers):
            return "everywhere"
        return {"first": "is_first", "last": "(is_last len)", "sum": "everywhere"}[self.network.readout.position]

    # Attention.

    def _attention(self, number: int, stage: Stage) -> Iterator[str]:
        layer = self.network.layers[stage.layer - 1]
        stream = f"(closed kind X{number - 1})"
        for place, head in enumerate(layer.heads, start=1):
            yield from self._head(f"{stage.layer}_{place}", head, f"layer {stage.layer}, head {place}", stage, stream)
        heads = [f"head_{stage.layer}_{place}" for place, _ in enumerate(layer.heads, start=1)]
        written = [list(head.W_V if head.W_O is None else head.W_O) for head in layer.heads]

        def prove(row: str) -> str:
            cases = []
            for name in self.network.coordinates:
                steps = []
                for head, names in zip(heads, written, strict=True):
                    at = f"({head}{arguments(self.construction)} (IZR n)) len {stream} p {text(name)}"
                    if name in names:
                        lemma = f"attend_{head[5:]}_{names.index(name)}_{self._label(row)} p P K"
                        steps.append(f"rewrite ({lemma})")
                    else:
                        steps.append(f"rewrite (attend_absent {at}) by (intros; first [reflexivity | assumption])")
                cases.append("; ".join((*steps, "unfold closed; rewrite ?K; reduce; decide_equation")))
            return f"each_name N; unfold {stage.part}; after_attention;\n    [" + "\n    |".join(cases) + "]."

        yield self._agreement(number, stage, prove)

    def _agreement(self, number: int, stage: Stage, prove: Callable[[str], str]) -> str:
        part = f"({stage.part}{arguments(self.construction)} (IZR n))"
        return (
            f"Lemma forms_{number} : agree len {self._condition(stage)} names (after names {part} len "
            f"(closed kind X{number - 1})) (closed kind X{number}).\n"
            "Proof.\n  intros p P A name N. word_facts known. position A.\n"
            + self._at_kinds(stage.stream, "p", "P", prove) + "\nQed.\n"
        )

    def _label(self, row: str) -> str:
        """What a kind is called in the name of a lemma."""
        return {BEFORE: "before", BEHIND: "behind"}.get(self.kinds[row], str(self.kinds[row]))

    def _head(self, name: str, head: Head, location: str, stage: Stage, stream: str) -> Iterator[str]:
        terms, whole = self.terms, f"(head_{name}{arguments(self.construction)} (IZR n))"
        written = list(head.W_V if head.W_O is None else head.W_O)
        [some, *_] = (self.derivation.looked[location, row] for row in stage.stream)
        for place, coordinate in enumerate(written):
            by_kind = {row: terms.iverson(some.values[row].get(coordinate, ZERO)) + "%R" for row in self.table}
            by_kind = {row: f"({value[:-2]})%R" for row, value in by_kind.items()}
            yield self._by_kind(f"value_{name}_{place}", by_kind, "kind", "(kind j : Z) : R", "0%R")
            yield (
                f"Lemma value_{name}_{place}_is j : (j < len)%nat -> value {whole} ({stream} j) {text(coordinate)}\n"
                f"  = value_{name}_{place} (kind (Z.of_nat j)) (Z.of_nat j)."
            )
            prove = lambda row: f"unfold closed, value_{name}_{place}; rewrite K; reduce; decide_equation."
            yield "Proof.\n  intros J. word_facts known.\n" + self._at_kinds(self.table, "j", "J", prove) + "\nQed.\n"
        for row in stage.stream:
            looked = self.derivation.looked[location, row]
            yield from self._looked(name, head, row, looked, whole, stream, written)

    def _seen(self, head: Head, row: str) -> tuple[str, list[str]]:
        """How many positions a row sees, and the kinds of them."""
        count = "len" if head.mask == "none" else "(S p)"
        if head.mask == "none" or self.kinds[row] == BEHIND:
            return count, list(self.table)
        if self.kinds[row] == BEFORE:
            return count, [row]
        return count, [each for each, kind in self.kinds.items() if kind != BEHIND]

    def _looked(
        self, name: str, head: Head, row: str, looked: Looked, whole: str, stream: str, written: list[str]
    ) -> Iterator[str]:
        terms, label, kind = self.terms, self._label(row), self.kinds[row]
        if head.normaliser != "softmax":
            raise Unwritten("hard attention")
        count, keys = self._seen(head, row)
        weight = f"weight_{name}_{label}"
        by_kind = {key: f"({terms.iverson(looked.weights[key])})%R" for key in keys}
        yield self._by_kind(weight, by_kind, "kind", "(i kind j : Z) : R", "0%R")
        scores = f"(fun j => score {whole} ({stream} p) ({stream} j))"
        yield (
            f"Lemma {weight}_is p j : (p < len)%nat -> kind (Z.of_nat p) = ({kind})%Z -> (j < {count})%nat ->\n"
            f"  weight Softmax {count} {scores} j = {weight} (Z.of_nat p) (kind (Z.of_nat j)) (Z.of_nat j)."
        )

        def prove(key: str) -> str:
            value = terms.iverson(looked.scores[key])
            return (
                f"unfold weight, {weight}. rewrite L. transitivity (exp (let i := Z.of_nat p in let j := Z.of_nat j in "
                f"{value})); cbv zeta; [f_equal; unfold closed; rewrite K, L; reduce; decide_equation|exponential]."
            )

        facts = f"kind_facts known (Z.of_nat p) ({kind})%Z K."
        yield f"Proof.\n  intros P K J. word_facts known. {facts}"
        yield self._at_keys(keys, prove) + "\nQed.\n"
        for place, numerator in [(None, looked.total), *((k, looked.numerators[each]) for k, each in enumerate(written))]:
            summands, factors = looked.weights, {weight: "(Z.of_nat p) (kind (Z.of_nat j)) (Z.of_nat j)"}
            if place is not None:
                values = {key: looked.values[key].get(written[place], ZERO) for key in keys}
                summands = {key: looked.weights[key] * values[key] for key in keys}
                factors = factors | {f"value_{name}_{place}": "(kind (Z.of_nat j)) (Z.of_nat j)"}
            lemma = f"sum_{name}_{'total' if place is None else place}_{label}"
            yield from self._sum(lemma, count, row, {key: summands[key] for key in keys}, numerator, factors)
        for place, coordinate in enumerate(written):
            added = terms.iverson(looked.added.get(coordinate, ZERO))
            total, numerator = (terms.iverson(x) for x in (looked.total, looked.numerators[coordinate]))
            yield (
                f"Lemma attend_{name}_{place}_{label} p : (p < len)%nat -> kind (Z.of_nat p) = ({kind})%Z ->\n"
                f"  attend {whole} len {stream} p {text(coordinate)} = let i := Z.of_nat p in {added}."
            )
            yield (
                f"Proof.\n  intros P K. word_facts known. {facts} cbv zeta.\n"
                f"  change (mean {count} (weight Softmax {count} {scores}) (fun j => value {whole} ({stream} j) "
                f"{text(coordinate)}) = let i := Z.of_nat p in {added}).\n  rewrite (mean_is _ _ _ (let i := Z.of_nat p in {total}) (let i := Z.of_nat p in {numerator})); "
                f"cbv zeta.\n  - decide_quotient.\n"
                f"  - rewrite (sum_ext _ _ _ (fun j J => {weight}_is p j P K J)). apply sum_{name}_total_{label}; assumption.\n"
                f"  - rewrite (sum_ext _ _ (fun j => {weight} (Z.of_nat p) (kind (Z.of_nat j)) (Z.of_nat j) * "
                f"value_{name}_{place} (kind (Z.of_nat j)) (Z.of_nat j))); [apply sum_{name}_{place}_{label}; assumption|].\n"
                f"    intros j J. rewrite <- value_{name}_{place}_is by lia. f_equal. apply {weight}_is; assumption.\nQed.\n"
            )

    def _at_keys(self, keys: list[str], prove: Callable[[str], str]) -> str:
        """A proof by the kinds of position j, of which those among the keys are seen."""
        lines = [f"  destruct (kinds j ltac:(lia)) as {self._either('L')}."]
        for row, number in self.kinds.items():
            facts = f"kind_facts known (Z.of_nat j) ({number})%Z L."
            lines.append(f"  - {facts} {prove(row) if row in keys else 'absurd_integers.'}")
        return "\n".join(lines)

    def _sum(
        self,
        lemma: str,
        count: str,
        row: str | None,
        summands: dict[str, Iverson],
        closed_form: Iverson,
        factors: Mapping[str, str],
    ) -> Iterator[str]:
        """The lemma that the sum over the first positions of the product of some functions is a closed form.

        row: the row that looks at them, if one does; summands: of each kind of position that is there.
        """
        terms, vocabulary = self.terms, self.derivation.vocabulary
        begin, end = (next((key for key in summands if self.kinds[key] == kind), None) for kind in (BEFORE, BEHIND))
        context = vocabulary.words() if row is None else self.table[row].context
        symbols = {key: value for key, value in summands.items() if self.kinds[key] >= 0}
        record = Record()
        function = partial_sum(symbols, context, vocabulary, record) if symbols else ZERO
        if row is None:  # as the derivation does with the logit
            within = context.given(form_of(m - vocabulary.first), form_of(vocabulary.last + 1 - m))
            function = collect(function, record, within, vocabulary)
        so_far = self._with_sums(record, function)
        if begin is not None:
            function = function + summands[begin]
        summand = " * ".join(f"{factor} {arguments}" for factor, arguments in factors.items())
        unfolded = ", ".join(factors)
        at_row = "" if row is None else f" p : (p < len)%nat -> kind (Z.of_nat p) = ({self.kinds[row]})%Z ->"
        let = "" if row is None else "let i := Z.of_nat p in "
        yield f"Lemma {lemma}{at_row or ' :'}\n  sum {count} (fun j => {summand}) = {let}{terms.iverson(closed_form)}."
        yield "Proof.\n  word_facts known."
        if row is not None:
            yield f"  intros P K. kind_facts known (Z.of_nat p) ({self.kinds[row]})%Z K. cbv zeta."
        yield "  end_facts known. ends_of_sums."
        upper = count
        if end is not None:
            upper = f"({count} - 1)"
            yield f"  rewrite (sum_last {count}) by lia. rewrite (kind_behind _ _ _ _ (Z.of_nat {upper})) by lia."
        yield f"  rewrite (telescopes {int(begin is not None)} {upper} _ (fun m => {let}{so_far.iverson(function)})); cbv beta zeta."
        yield f"  - unfold {unfolded}. decide_equation."
        yield "  - lia."
        start = "rewrite (kind_before _ _ _ _ (Z.of_nat 0)) by lia. " if begin is not None else ""
        yield f"  - cbn [sum]. {start}unfold {unfolded}. decide_equation."
        lines = [f"  - intros j J. destruct (kinds j ltac:(lia)) as {self._either('L')}."]
        for key, number in self.kinds.items():
            prove = f"sums_grow (Z.of_nat j). unfold {unfolded}. rewrite L. decide_equation."
            facts = f"kind_facts known (Z.of_nat j) ({number})%Z L."
            lines.append(f"    + {facts} {prove if key in symbols else 'absurd_integers.'}")
        yield "\n".join(lines) + "\nQed.\n"

    def _with_sums(self, record: Record, function: Iverson) -> Terms:
        """The terms, with explicit sums up to the position before m as the derivation's own of the same body."""
        explicit = dict(self.terms.explicit)
        for symbol, total in record.sums.items():
            if symbol not in function.free_symbols:
                continue
            known = [each for each in self.derivation.all_sums.values() if (each.lo, each.body) == (total.lo, total.body)]
            if not known:
                raise Unwritten(f"a sum of {total.body.terms} so far, which is none of the derivation's")
            explicit[symbol] = f"({self._applied(known[0])} {self.terms.integer(total.hi, ATOM)})"
        return Terms(self.derivation.vocabulary, explicit)

    # Feed-forward networks.

    def _feed_forward(self, number: int, stage: Stage) -> Iterator[str]:
        network = self.network.layers[stage.layer - 1].feed_forward
        assert network is not None
        terms, stream = self.terms, f"(closed kind X{number - 1})"
        whole = f"(feed_forward_{stage.layer}{arguments(self.construction)} (IZR n))"
        units = list(network.first.rows)
        location = f"layer {stage.layer}, feed-forward network"
        if network.activation != "relu":
            raise Unwritten(f"units of the activation {network.activation}")
        for row in stage.stream:
            for place, unit in enumerate(units):
                argument, value = self.derivation.units[location, row].get(unit, (ZERO, ZERO))
                yield (
                    f"Lemma unit_{stage.layer}_{place}_{self._label(row)} p : (p < len)%nat -> kind (Z.of_nat p) = "
                    f"({self.kinds[row]})%Z ->\n  activation {whole} (affine (first {whole}) ({stream} p) {text(unit)}) = "
                    f"let i := Z.of_nat p in {terms.iverson(value)}."
                )
                yield (
                    f"Proof.\n  intros P K. word_facts known. kind_facts known (Z.of_nat p) ({self.kinds[row]})%Z K. "
                    f"cbv zeta. transitivity (relu (let i := Z.of_nat p in {terms.iverson(argument)})); cbv zeta.\n"
                    f"  - unfold closed. rewrite K. reduce. f_equal. decide_equation.\n  - unit_by_cases.\nQed.\n"
                )

        def prove(row: str) -> str:
            lemmas = [f"unit_{stage.layer}_{place}_{self._label(row)} p P K" for place, _ in enumerate(units)]
            named = [
                f"pose proof ({lemma} : units {text(unit)} = _) as U{place}"
                for place, (unit, lemma) in enumerate(zip(units, lemmas, strict=True))
            ]
            rewritten = ", ".join(f"?U{place}" for place, _ in enumerate(units))
            return (
                f"each_name N; unfold {stage.part}; after_feed; unfold feed; set (units := fun unit => activation {whole} (affine (first {whole}) "
                f"({stream} p) unit)); {'; '.join(named)}; clearbody units; unfold closed; rewrite ?K; reduce; "
                f"rewrite {rewritten}; cbv zeta; decide_equation."
            )

        yield self._agreement(number, stage, prove)

    # The output.

    def _logit(self) -> Iterator[str]:
        network, last = f"network{arguments(self.construction)}", len(self.stages) - 1
        yield f"Notation stream_0 := (embed ({network} (IZR n)) (marked w))."
        yield "Lemma agrees_0 : agree len everywhere names stream_0 (closed kind X0).\nProof. exact embedded. Qed."
        for number, stage in enumerate(self.stages[1:], start=1):
            part = f"({stage.part}{arguments(self.construction)} (IZR n))"
            yield f"Notation stream_{number} := (after names {part} len stream_{number - 1})."
            yield (
                f"Lemma agrees_{number} : agree len {self._condition(stage)} names stream_{number} (closed kind X{number}).\n"
                f"Proof.\n  eapply agree_trans; [apply after_agrees; [reflexivity|]|exact forms_{number}].\n"
                f"  eapply agree_at; [|exact agrees_{number - 1}]. intros; first [exact Logic.I|assumption].\nQed."
            )
        logit = self.terms.iverson(self.derivation.logit)
        if self.network.readout.position == "sum":
            vocabulary, values = self.derivation.vocabulary, {}
            for row, vector in self.stages[-1].stream.items():
                output = apply_linear(self.network.readout.W, vector, vocabulary).get("logit", ZERO)
                values[row] = substitute(output, {i: j})
            yield self._by_kind("output_at", {row: f"({self.terms.iverson(x)})%R" for row, x in values.items()}, "kind", "(kind j : Z) : R", "0%R")
            factors = {"output_at": "(kind (Z.of_nat j)) (Z.of_nat j)"}
            yield from self._sum("sum_of_outputs", "len", None, values, self.derivation.logit, factors)
        yield f"Theorem logit_is : output ({network}) (marked w) \"logit\" = {logit}."
        yield "Proof using All.\n  word_facts known. unfold output, last_stream, size_of. rewrite len_is, n_is."
        stream = self.stages[-1].stream
        readout = self.network.readout
        if readout.position == "sum":
            yield f"  change (sum len (fun j => affine (readout ({network} (IZR n))) (stream_{last} j) \"logit\") = {logit})."
            yield "  rewrite (sum_ext _ _ (fun j => output_at (kind (Z.of_nat j)) (Z.of_nat j))); [apply sum_of_outputs|]."
            yield f"  intros j J. rewrite (affine_agrees _ _ _ _ _ _ _ _ agrees_{last}); [|reflexivity|lia|exact Logic.I]."
            prove = lambda row: "unfold closed, output_at. rewrite K. reduce. decide_equation."
            yield self._at_kinds(stream, "j", "J", prove) + "\nQed."
            return
        place = {"first": "0%nat", "last": "(len - 1)%nat"}[readout.position]
        yield f"  change (affine (readout ({network} (IZR n))) (stream_{last} {place}) \"logit\" = {logit})."
        yield f"  rewrite (affine_agrees _ _ _ _ _ _ _ _ agrees_{last});"
        yield "    [|reflexivity|lia|first [exact Logic.I|reflexivity|unfold is_last; lia]]."
        yield f"  assert (P : ({place} < len)%nat) by lia."
        prove = lambda row: "unfold closed. rewrite K. reduce. decide_equation."
        yield self._at_kinds(stream, place, "P", prove) + "\nQed."
