"""Statements about all positions that are statements about counts, in Coq: that the positions at which they fail are 0
in number. How many fail up to a position m is summed by the rules of the derivation; that none does up to m is proved
by an induction over m. Where only the first few positions can fail, it is said of each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import sympy
from sympy.core.function import AppliedUndef

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.scalars.expressions import Expression, quantifier
from weightproof.proofs.kernel.formulas import Truth, at_places, negation
from weightproof.proofs.kernel.inductions import written as in_coq
from weightproof.proofs.kernel.partial_sums import partial_sum
from weightproof.proofs.kernel.subjects import OR, either
from weightproof.proofs.kernel.terms import ATOM, Terms, m
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.solving.logic import (
    Formula,
    bracket_of,
    conjunction,
    disjunction,
    expressions_of,
    of_cell,
    read_formula,
    relation,
)
from weightproof.proofs.strategies.found.clauses import written
from weightproof.symbolic.algebra.iverson import Iverson, normalise, substitute
from weightproof.symbolic.algebra.vocabulary import Underivable, Vocabulary, cells, i, j
from weightproof.symbolic.derivation import Record
from weightproof.symbolic.rules.shared_terms import bounds, is_range

OWN, AROUND = "p", "i"
"""What the position of a statement is called in Coq, and that of the one around it."""
LARGEST_WINDOW = 10
"""Positions of which a statement is said one by one."""
OF_WORD = "_ _ _ _ _ _ _ marked"


@dataclass(frozen=True)
class Counted:
    """A statement that holds at all positions. name: of the position; body: the statement; around: the position that it
    is inside of, if it is inside of one; upto: that it holds up to position m, or, a number, the last position at which
    it can fail; whole: that it holds at all, in the language of theorems."""

    number: int
    name: str
    body: ast.expr
    around: str | None
    upto: Formula | int
    whole: ast.expr

    @property
    def uses(self) -> tuple[str, ...]:
        """The tactics that use the two lemmas, at whatever position around it."""
        names = (f"every_{self.number}", f"some_{self.number}")
        return tuple(f"exact {x}" if self.around is None else f"solve [eapply {x}; eassumption]" for x in names)


def counted(formula: Expression, vocabulary: Vocabulary, outermost: bool) -> tuple[Expression, tuple[Counted, ...]]:
    """A formula without the statements about all positions that it has inside of others, and, if `outermost`, without
    all others; and what was put in the place of each. Unwritten where no rule sums up where one fails."""
    found = list[Counted]()

    def read(node: ast.expr, around: tuple[str, ...]) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="all" | "any" as which) as func, args=[ast.GeneratorExp() as generator]):
                name, domain, inner = quantifier(generator)
                body = read(inner, (*around, name))
                if domain != "positions" or not (around or outermost):
                    return ast.Call(func, [ast.GeneratorExp(body, generator.generators)], [])
                every = which == "all"
                each = _counted(len(found) + 1, name, body if every else _not(body), around, vocabulary)
                found.append(each)
                return each.whole if every else _not(each.whole)
            case ast.BoolOp(op=op, values=values):
                return ast.BoolOp(op, [read(value, around) for value in values])
            case ast.UnaryOp(op=ast.Not() as op, operand=operand):
                return ast.UnaryOp(op, read(operand, around))
        return node

    tree = read(formula.tree, ())
    return (Expression(ast.unparse(ast.fix_missing_locations(tree))) if found else formula), tuple(found)


def _not(node: ast.expr) -> ast.expr:
    return (
        node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else ast.UnaryOp(ast.Not(), node)
    )


def _counted(number: int, name: str, body: ast.expr, around: tuple[str, ...], vocabulary: Vocabulary) -> Counted:
    text = ast.unparse(ast.fix_missing_locations(body))
    if len(around) > 1:
        raise Unwritten(f"a statement about all positions inside two others: {text}")
    named = {**dict.fromkeys(around, Iverson.constant(i)), name: Iverson.constant(j)}
    words = vocabulary.words()
    context = words.within(i, vocabulary.first, vocabulary.last) if around else words
    inside = context.within(j, vocabulary.first, vocabulary.last)
    try:
        said = read_formula(Expression(text), vocabulary, named.get, context=inside)
        fails = Iverson.constant(1) - bracket_of(said)
        at_symbol = vocabulary.prefixes(j, inside)
        window = _window(normalise(fails, at_symbol), vocabulary)
        if window is not None:
            tree = _at_each(name, body, window, vocabulary)
            return Counted(number, name, body, next(iter(around), None), window, tree)
        values = {a: normalise(vocabulary.known_token(fails, a, j), at_symbol) for a in vocabulary.alphabet}
        record = Record()
        failing = partial_sum(values, context, vocabulary, record)
    except Underivable as error:
        raise Unwritten(f"where a statement about all positions fails: {error}") from error
    if record.sums:
        raise Unwritten(f"at how many positions a statement fails: {text}")
    all_symbols = {vocabulary.prefix_atom(a)(vocabulary.last): vocabulary.total(a) for a in vocabulary.alphabet}
    in_all = substitute(substitute(failing, {m: vocabulary.last + 1}), all_symbols)
    of_language = {i: sympy.Symbol(around[0], integer=True)} if around else {}
    whole = written(_none(substitute(normalise(in_all, context), of_language)), vocabulary)
    if whole is None:
        raise Unwritten(f"in a formula that is not too long, at how many positions a statement fails: {text}")
    tree = ast.parse(whole, mode="eval").body
    return Counted(number, name, body, next(iter(around), None), _none(substitute(failing, {m: m + 1})), tree)


def _window(fails: Iverson, vocabulary: Vocabulary) -> int | None:
    """The last position at which a statement can fail; None where that is no number, or one too far from the first."""
    found = [vocabulary.first]
    for conditions, _ in fails.terms:
        highs = [high for condition in conditions if is_range(condition) for high in bounds(condition)[1:]]
        numbers = [int(high) for high in highs if high is not None and high.is_Integer]
        if not numbers:
            return None
        found.append(min(numbers))
    return max(found) if max(found) - vocabulary.first < LARGEST_WINDOW else None


def _at_each(name: str, body: ast.expr, window: int, vocabulary: Vocabulary) -> ast.expr:
    """That a statement holds at each of the first positions that is there."""
    last = ast.parse(str(vocabulary.last), mode="eval").body
    parts = [
        ast.BoolOp(
            ast.Or(), [ast.Compare(last, [ast.Lt()], [ast.Constant(place)]), _Put(name, place).visit(deepcopy(body))]
        )
        for place in range(vocabulary.first, window + 1)
    ]
    return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), list[ast.expr](parts))


@dataclass(frozen=True)
class _Put(ast.NodeTransformer):
    """Puts a number in the place of a name."""

    name: str
    number: int

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self.number) if node.id == self.name else node


def _none(number: Iverson) -> Formula:
    """That a number is 0."""
    return disjunction(*(conjunction(of_cell(cell), relation("==", value)) for cell, value in cells(number)))


def lemmas(statement: Counted, construction: Construction, vocabulary: Vocabulary) -> Iterator[str]:
    """That a statement holds at all positions where what was put in its place does, as `every_N`, and that its negation
    holds at some position where that does not, as `some_N`."""
    yield from _Lemmas(statement, construction, vocabulary).all()


@dataclass(frozen=True)
class _Lemmas:
    """The lemmas of a statement."""

    statement: Counted
    construction: Construction
    vocabulary: Vocabulary

    @property
    def number(self) -> int:
        return self.statement.number

    @property
    def first(self) -> int:
        return self.vocabulary.first

    @property
    def last(self) -> str:
        return Terms(self.vocabulary).integer(self.vocabulary.last, ATOM)

    @property
    def symbols(self) -> range:
        return range(len(self.vocabulary.alphabet))

    def said(self, tree: ast.expr) -> Truth:
        around = {} if self.statement.around is None else {self.statement.around: AROUND}
        return at_places(tree, self.construction, around | {self.statement.name: OWN})

    @property
    def binder(self) -> str:
        return "" if self.statement.around is None else f" ({AROUND} : Z)"

    @property
    def supposed(self) -> str:
        return "" if self.statement.around is None else f"({self.first} <= {AROUND} <= {self.last})%Z -> "

    @property
    def introduced(self) -> str:
        return "" if self.statement.around is None else "intros around. "

    def applied(self, name: str) -> str:
        """A definition or a lemma at the position around."""
        return f"{name}_{self.number}" if self.statement.around is None else f"({name}_{self.number} {AROUND})"

    def all(self) -> Iterator[str]:
        holds, whole, at = self.said(self.statement.body), self.said(self.statement.whole), self.applied("at")
        there = f"({self.first} <= {OWN} <= {self.last})%Z"
        yield f"Definition at_{self.number}{self.binder} ({OWN} : Z) : Prop := ({holds.text})%Z."
        upto = self.statement.upto
        if not isinstance(upto, int):
            yield from self._upto(upto)
        yield (
            f"Lemma every_{self.number}{self.binder} : {self.supposed}(\n"
            f"  (forall {OWN}, {there} -> ({holds.text})%Z) <-> ({whole.text})%Z).\nProof.\n  {self.introduced}facts."
        )
        if isinstance(upto, int):
            yield from self._in_window(upto)
        else:
            yield f"  change (everywhere {self.first} {at} {self.last} <-> ({whole.text})%Z)."
            yield from self._reached(upto)
        yield "Qed."
        yield (
            f"Lemma some_{self.number}{self.binder} : {self.supposed}(\n"
            f"  (exists {OWN}, {there} /\\ ({negation(holds).text})%Z) <-> ({negation(whole).text})%Z).\n"
            f"Proof.\n  {self.introduced}rewrite (somewhere_is {self.first} {self.last} {at} _ ({whole.text})%Z);\n"
            f"    [|unfold at_{self.number}; intros; lia..|facts; lia|].\n"
            f"  - clear. lia.\n  - apply {self.applied('every')}{', around' if self.supposed else ''}.\nQed."
        )

    def _in_window(self, window: int) -> Iterator[str]:
        """By each position at which it can fail."""
        places = range(self.first, window + 1)
        which = OR.join((*(f"({OWN} = {place})%Z" for place in places), f"({window} < {OWN})%Z"))
        yield "  split."
        yield "  - intros every. repeat apply conj."
        for place in places:
            yield f"    + destruct (Z_lt_le_dec {self.last} {place}) as [L|L]; [left; lia|right]."
            yield f"      refine (every {place}%Z _). lia."
        yield f"  - intros whole {OWN} P. assert (C : {which}) by (clear - P; lia)."
        yield f"    destruct whole as ({' & '.join(f'W{place}' for place in places)})."
        told = "|".join(f"clear - P W{place}; destruct W{place} as [W|W]; [lia|exact W]" for place in places)
        yield f"    destruct C as {'[->|' * len(places)}C{']' * len(places)}; [{told}|clear - P C; lia]."

    def _upto(self, upto: Formula) -> Iterator[str]:
        """That it holds up to position m, by induction."""
        number, fixed = self.number, [*self._fixed(upto)]
        unfolded, before = f"unfold at_{number}, upto_{number}", self.first - 1
        yield (
            f"Definition upto_{number}{self.binder} (m : Z) : Prop :=\n  {in_coq(upto, Terms(self.vocabulary), {})}.\n"
            f"Lemma upto_{number}_is{self.binder} : {self.supposed}\n"
            f"  forall m, ({before} <= m <= {self.last})%Z ->\n"
            f"  (everywhere {self.first} {self.applied('at')} m <-> {self.applied('upto')} m).\n"
            f"Proof.\n  {self.introduced}apply (everywhere_is {self.first} {self.last}); {unfolded}."
        )
        yield f"  - change ({self.first} - 1)%Z with {before}%Z. facts."
        yield from (
            f"    pose proof (prefix_begins {OF_WORD} {a} {before} ltac:(lia) ltac:(lia))." for a in self.symbols
        )
        yield from (f"    pose proof (prefix_begins {OF_WORD} {a} {place} ltac:(lia))." for a, place in fixed)
        yield "    lia."
        yield "  - intros m M. facts."
        yield from (f"    pose proof (prefix_is_nonnegative {OF_WORD} {a} m)." for a in self.symbols)
        yield from (f"    pose proof (prefix_is_nonnegative {OF_WORD} {a} {place})." for a, place in fixed)
        yield f"    pose proof (token_facts {OF_WORD} ltac:(lia) (m + 1)%Z)."
        yield f"    assert (t : {OR.join(f'(token (m + 1) = {a})%Z' for a in self.symbols)}) by lia."
        yield f"    {either('t', 'T', len(self.symbols))};"
        for a in self.symbols:
            yield f"      pose proof (prefix_next {OF_WORD} m {a} _ ltac:(lia) T) as N_{a};"
            yield f"      cbn [Z.eqb Pos.eqb] in N_{a};"
        yield from (f"      beside marked prefix {a}%Z {place}%Z m;" for a, place in fixed)
        yield "      lia.\nQed."

    def _reached(self, upto: Formula) -> Iterator[str]:
        """That it holds up to the last symbol."""
        yield f"  rewrite upto_{self.number}_is by lia. unfold upto_{self.number}."
        yield from (
            f"  pose proof (prefix_ends {OF_WORD} {a} {self.last} ltac:(lia) ltac:(lia))." for a in self.symbols
        )
        for a, place in self._fixed(upto):
            yield f"  pose proof (prefix_is_nonnegative {OF_WORD} {a} {place})."
            yield f"  pose proof (prefix_ends {OF_WORD} {a} {place} ltac:(lia))."
        yield "  lia."

    def _fixed(self, upto: Formula) -> Iterator[tuple[int, str]]:
        """The symbols that are counted up to places that do not move with m, and these places."""
        vocabulary = self.vocabulary
        found = {each for e in expressions_of(upto) for each in e.atoms(AppliedUndef) if vocabulary.is_prefix(each)}
        for each in sorted((each for each in found if m not in each.free_symbols), key=str):
            place = Terms(vocabulary).integer(each.args[0], ATOM)
            yield next(a for a in self.symbols if each.func == vocabulary.prefix_atom(vocabulary.alphabet[a])), place
