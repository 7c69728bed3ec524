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

import sympy

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head
from weightproof.proofs.kernel.partial_sums import partial_sum
from weightproof.proofs.kernel.scalars import parameter_name, scalar
from weightproof.proofs.kernel.terms import Terms
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import arguments, binders, text, texts
from weightproof.symbolic.algebra.iverson import ZERO, Iverson
from weightproof.symbolic.algebra.linear import Context
from weightproof.symbolic.derivation import Derivation, Looked, Record, Stream, Vector, marker_names
from weightproof.symbolic.rules.rows import Row, rows

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
        sums = {symbol: str(symbol) for symbol in self.derivation.all_sums}
        return Terms(self.derivation.vocabulary, sums)

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
        yield from self._embedding()
        for number, stage in enumerate(self.stages[1:], start=1):
            if stage.part.startswith("attention"):
                yield from self._attention(number, stage)
            else:
                yield from self._feed_forward(number, stage)
        yield from self._logit()
        yield "End Forms."

    def _opening(self) -> Iterator[str]:
        vocabulary = self.derivation.vocabulary
        size, begin, end = len(vocabulary.alphabet), int(vocabulary.begin), int(vocabulary.end)
        yield "(* Closed forms of every sublayer, each proved from those before it. *)"
        yield f"From Weightproof Require Import Tactics Weights_{self.module}.\nOpen Scope string_scope.\nOpen Scope R_scope.\n"
        yield "Section Forms."
        for parameter in self.construction.parameters:
            name = parameter_name(parameter)
            yield f"Variable {name} : {'Z' if parameter.is_natural else 'R'}."
            domain = scalar(parameter.domain, self.construction) if False else self._domain(parameter.domain, parameter.is_natural)
            yield f"Hypothesis domain_{name} : {domain}."
        yield "Variable w : list string."
        yield "Hypothesis word : Forall (fun symbol => In symbol alphabet) w."
        yield "Variables (len : nat) (n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)."
        yield "Hypothesis len_is : List.length (marked w) = len."
        yield "Hypothesis n_is : Z.of_nat len = n."
        yield "Hypothesis token_is : forall p, Words.token alphabet (marked w) p = token p."
        yield f"Hypothesis known : marked_word {size} {begin} {end} n token prefix count."
        yield f"Notation kind := (Words.kind {begin} {end} n token).\n"

    def _domain(self, domain: object, natural: bool) -> str:
        import ast

        tree = domain.tree  # type: ignore[attr-defined]
        match tree:
            case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[right]):
                sign = ">" if isinstance(op, ast.Gt) else ">="
                from weightproof.constructions.scalars.expressions import Expression

                bound = scalar(Expression(ast.unparse(right)), self.construction)
                return f"({name}_ {sign} {bound})%Z" if natural else f"{name}_ {sign} {bound}"
        raise Unwritten(f"the domain {domain}")

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
        written = [list((head.W_V if head.W_O is None else head.W_O)) for head in layer.heads]

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

    def _seen(self, head: Head, row: str) -> tuple[str, list[str], bool]:
        """How many positions a row sees, the kinds of them, and whether the marker behind the word is the last."""
        everything = head.mask == "none" or self.kinds[row] == BEHIND
        if everything:
            return "len", list(self.table), BEHIND in self.kinds.values()
        if self.kinds[row] == BEFORE:
            return "(S p)", [row], False
        return "(S p)", [each for each, kind in self.kinds.items() if kind != BEHIND], False

    def _looked(
        self, name: str, head: Head, row: str, looked: Looked, whole: str, stream: str, written: list[str]
    ) -> Iterator[str]:
        terms, label, kind = self.terms, self._label(row), self.kinds[row]
        if head.normaliser != "softmax":
            raise Unwritten("hard attention")
        count, keys, with_end = self._seen(head, row)
        if self.kinds[row] == BEHIND and head.mask != "none":
            count = "(S p)"
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
        context = self.table[row].context
        sums = [("total", None, looked.total)]
        sums += [(str(place), place, looked.numerators[each]) for place, each in enumerate(written)]
        for sum_name, place, closed_form in sums:
            summands = {}
            for key in keys:
                value = Iverson.constant(1) if place is None else looked.values[key].get(written[place], ZERO)
                summands[key] = looked.weights[key] * value
            yield from self._sum(
                f"sum_{name}_{sum_name}_{label}", count, with_end, kind, summands, closed_form, context,
                weight, None if place is None else f"value_{name}_{place}",
            )
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
        self, lemma: str, count: str, with_end: bool, kind: int, summands: dict[str, Iverson], closed_form: Iverson,
        context: Context, weight: str, value: str | None,
    ) -> Iterator[str]:
        terms, vocabulary = self.terms, self.derivation.vocabulary
        begin = next((key for key in summands if self.kinds[key] == BEFORE), None)
        end = next((key for key in summands if self.kinds[key] == BEHIND), None)
        record = Record()
        by_symbol = {key: summands[key] for key in summands if self.kinds[key] >= 0}
        function = partial_sum(by_symbol, context, vocabulary, record) if by_symbol else ZERO
        if record.sums:
            raise Unwritten("explicit sums")
        if begin is not None:
            function = function + summands[begin]
        arguments_ = "(Z.of_nat p) (kind (Z.of_nat j)) (Z.of_nat j)"
        summand = f"{weight} {arguments_}"
        if value is not None:
            summand += f" * {value} (kind (Z.of_nat j)) (Z.of_nat j)"
        unfolded = weight if value is None else f"{weight}, {value}"
        yield (
            f"Lemma {lemma} p : (p < len)%nat -> kind (Z.of_nat p) = ({kind})%Z ->\n"
            f"  sum {count} (fun j => {summand}) = let i := Z.of_nat p in {terms.iverson(closed_form)}."
        )
        facts = f"kind_facts known (Z.of_nat p) ({kind})%Z K."
        yield f"Proof.\n  intros P K. word_facts known. {facts} end_facts known. cbv zeta."
        if end is not None:
            yield f"  take_last {count}. rewrite (kind_behind _ _ _ _ (Z.of_nat ({count} - 1))) by lia."
        upper = f"({count} - 1)" if end is not None else count
        yield (
            f"  rewrite (telescopes {int(begin is not None)} {upper} _ (fun m => let i := Z.of_nat p in "
            f"{terms.iverson(function)})); cbv beta zeta."
        )
        yield f"  - unfold {unfolded}. decide_equation."
        yield "  - lia."
        start = "rewrite (kind_before _ _ _ _ (Z.of_nat 0)) by lia. " if begin is not None else ""
        yield f"  - cbn [sum]. {start}unfold {unfolded}. decide_equation."
        prove = lambda key: f"unfold {unfolded}. rewrite L. decide_equation."
        keys = [key for key in summands if self.kinds[key] >= 0]
        yield "  - intros j J.\n  " + self._at_keys(keys, prove).replace("\n  -", "\n    +") + "\nQed.\n"

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
        yield f"Theorem logit_is : output ({network}) (marked w) \"logit\" = {logit}."
        yield "Proof.\n  word_facts known. unfold output, last_stream, size_of. rewrite len_is, n_is."
        place = {"first": "0%nat", "last": "(len - 1)%nat"}.get(self.network.readout.position)
        if place is None:
            raise Unwritten("a readout that sums over the positions")
        yield f"  change (affine (readout ({network} (IZR n))) (stream_{last} {place}) \"logit\" = {logit})."
        yield f"  rewrite (affine_agrees _ _ _ _ _ _ _ _ agrees_{last});"
        yield "    [|reflexivity|lia|first [exact Logic.I|reflexivity|unfold is_last; lia]]."
        yield f"  assert (P : ({place} < len)%nat) by lia."
        prove = lambda row: "unfold closed. rewrite K. reduce. decide_equation."
        yield self._at_kinds(self.stages[-1].stream, place, "P", prove) + "\nQed."
