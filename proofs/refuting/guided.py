"""Words from a solver's countermodels: each obligation of a direct proof is asked for the least n at which it fails,
and what the solver answers is built into a word and replayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import arb, fmpq

from weightproof.constructions.languages.samples import inside, samples
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.scalars.budget import Budget
from weightproof.constructions.scalars.exact import ball, exp
from weightproof.proofs.refuting.critical import RATIONAL, Relations, on_word, relations, settings
from weightproof.proofs.refuting.decode import Lead, decoded
from weightproof.proofs.refuting.long import LONGEST_RUN, counterexample_in_runs, symbols_in
from weightproof.proofs.solving.implication import Implication, to_smt
from weightproof.proofs.solving.solvers import ask
from weightproof.proofs.strategies.direct import direct
from weightproof.proofs.theorem import Decides, OnWords
from weightproof.proofs.verdict import Counterexample
from weightproof.symbolic.algebra.vocabulary import Underivable
from weightproof.symbolic.derivation import Derivation

LONGEST_QUESTION = 2.0
"""Seconds of counted work for one question to the solver, at most."""
QUESTION = 50_000
"""Steps that a question counts as."""
SYMBOL = 10
"""Steps for each symbol of a word of which the closed form is asked."""
MOST_OBLIGATIONS = 200
"""Of a theorem, that are asked."""
RANGES = ((1, 16), (17, 64), (65, 256), (257, 600), (601, 5_000), (5_001, 10**6), (10**6 + 1, 10**300))
"""Numbers of positions, shortest words first: the solver is quicker where n is bounded."""
ANOTHER_MODEL = 3
"""So many models that do not replay are passed over before the next range of n is asked for."""


def search_guided(
    construction: Construction, theorem: OnWords, derivation: Derivation, longest: int | None, budget: Budget
) -> Counterexample | None:
    """The counterexample with the fewest positions that the solver's models lead to; None where none replays.
    longest: symbols that it may have, None for any number.

    For closed forms without explicit sums: a model knows nothing of a sum.
    """
    if derivation.sums:
        return None
    items: list[Implication] = []
    try:
        known = relations(theorem, derivation)
        for item in direct(derivation, theorem, derivation.vocabulary.words()):
            items.append(item)
            if len(items) == MOST_OBLIGATIONS:
                break
    except (Underivable, ValueError):  # those before it can be asked
        pass
    markers = int(derivation.vocabulary.begin) + int(derivation.vocabulary.end)
    spoken_of = theorem.up_to if isinstance(theorem, Decides) else None
    limits = (spoken_of, None if longest is None else longest + markers)
    allowed = min((limit for limit in limits if limit is not None), default=RANGES[-1][1])
    free: list[dict[str, str] | None] = [None]
    for pinned in [*free, *(settings(construction, known) if derivation.vocabulary.real else ())] if items else ():
        for least, most in RANGES:
            best: Counterexample | None = None
            for item in items:
                shorter = min(most, allowed if best is None else best.length + markers - 1)
                best = _least(_Search(construction, theorem, known, item, budget, pinned), least, shorter) or best
            if best is not None:
                return best
    return None


@dataclass(frozen=True)
class _Search:
    construction: Construction
    theorem: OnWords
    known: Relations
    item: Implication
    budget: Budget
    pinned: Mapping[str, str] | None
    """Values of the parameters; a solver that may choose them knows little of what e to them is."""

    def models(self, least: int, most: int) -> Iterator[Mapping[str, str]]:
        """Countermodels with least <= n <= most, no two with the same integers."""
        script = to_smt(self.item, integers=True)
        if self.pinned is not None:
            script = script.replace("(check-sat)", f"{self._pins(self.pinned)}\n(check-sat)")
        while self.budget.allows(QUESTION):
            bounded = f"(assert (and (>= |n| {least}) (<= |n| {most})))\n(check-sat)"
            answer = ask("z3", script.replace("(check-sat)", bounded), LONGEST_QUESTION)
            if answer.status != "sat":
                return
            yield answer.model
            integers = {name.strip("|"): value for name, value in answer.model.items() if value.isdigit()}
            different = " ".join(f"(= |{name}| {value})" for name, value in sorted(integers.items()))
            script = script.replace("(check-sat)", f"(assert (not (and {different})))\n(check-sat)")

    def _pins(self, given: Mapping[str, str]) -> str:
        """That each parameter, and each power of e to one, has its value, or lies near it."""
        vocabulary, values = self.item.vocabulary, parameter_values(self.construction, given)
        asserted = []
        for atom in sorted({x for each in self.item.expressions() for x in each.free_symbols}, key=str):
            of = next((name for name in values if atom == vocabulary.parameter(name)), None)
            value = None if of is None else values[of]
            match vocabulary.multiple(atom):
                case (str(name), factor) if name in values and RATIONAL.fullmatch(str(factor)):
                    value = exp(values[name] * fmpq(*map(int, str(factor).split("/"))))
            if value is not None:
                near = ball(value)
                asserted.append(f"(assert (and (>= |{atom}| {_lower(near)}) (<= |{atom}| (- {_lower(-near)}))))")
        return "\n".join(asserted)

    def found(self, least: int, most: int) -> Counterexample | None:
        """A counterexample with least <= n <= most."""
        for _, model in zip(range(ANOTHER_MODEL), self.models(least, most), strict=False):
            lead = decoded(model, self.item.expressions(), self.item.vocabulary)
            found = None if lead is None else self.replayed(lead)
            if found is not None:
                return found
        return None

    def replayed(self, lead: Lead) -> Counterexample | None:
        """The lead at its own parameters, at those that are critical on its word, at the samples."""
        defaults = {p.name: str(p.default) for p in self.construction.parameters}
        given = defaults | dict(lead.parameters)
        naturals = {p.name: given[p.name] for p in self.construction.parameters if p.is_natural}
        known = self.known
        sampled = (*samples(self.construction), *settings(self.construction, known))
        steps = SYMBOL * min(symbols_in(lead.runs), LONGEST_RUN)  # a longer one is asked by its runs
        first = given if self.pinned is None else {**self.pinned, **naturals}
        for parameters in inside(self.construction, (first, *(sample | naturals for sample in sampled))):
            if not self.budget.allows(steps):
                return None
            found = counterexample_in_runs(self.construction, self.theorem, lead.runs, parameters, known.reader)
            if found is not None:
                return found
        return on_word(self.construction, self.theorem, known, lead.runs, given)


def _least(search: _Search, least: int, most: int) -> Counterexample | None:
    """The counterexample to one obligation with the least n of a range, by bisection."""
    vocabulary = search.item.vocabulary
    best, top = None, most
    while least <= top:
        found = search.found(least, top)
        if found is None:
            least = top + 1
        else:
            best, most = found, found.length + int(vocabulary.begin) + int(vocabulary.end) - 1
        top = most if best is None else (least + most) // 2
    return best


def _lower(near: arb) -> str:
    """The lower end of a ball, as SMT-LIB writes a rational."""
    end = near.lower().fmpq()
    size = f"(/ {abs(end.p)} {end.q})"
    return size if end >= 0 else f"(- {size})"
