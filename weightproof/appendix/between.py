"""The lines between what is added up and its closed form: how many positions have each value, and what several heads
add over one denominator."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import sympy

from weightproof.constructions.meaning.schema import Head
from weightproof.document.blocks import Line
from weightproof.symbolic.algebra.iverson import ZERO, Conditions, Iverson, normalise, substitute
from weightproof.symbolic.algebra.vocabulary import Vocabulary, j
from weightproof.symbolic.derivation import Derivation, OverPositions, Step
from weightproof.symbolic.rules.counting import counted
from weightproof.symbolic.rules.rows import Row, rows
from weightproof.symbolic.writing import latex
from weightproof.symbolic.writing.breakable import Terms, Written
from weightproof.symbolic.writing.joining import joined, multiplied_out
from weightproof.symbolic.writing.presentation import disjoint_cases, exhaustive


@dataclass(frozen=True)
class Between:
    """Writes these lines for one derivation."""

    derivation: Derivation

    @property
    def vocabulary(self) -> Vocabulary:
        return self.derivation.vocabulary

    @functools.cached_property
    def table(self) -> dict[str, Row]:
        network = self.derivation.construction.encoder
        return rows(self.vocabulary, (network.begin, network.end), self.vocabulary.words())

    def counts(self, step: Step, head: Head, row: str) -> Written | None:
        """Numbers of positions times values, case by case; None where no case has two values that are more than
        numbers, and where they are not told."""
        if not isinstance(step.before, OverPositions):
            return None
        if all(x.is_Rational for _, value in step.before.summands for _, x in value.terms):
            return None
        found = counted(step.before, step.after, head, self.table[row], self.table)
        told = None if found is None else disjoint_cases(found.total, self.vocabulary)
        if found is None or told is None:
            return None
        counts = [(found.counts(case), conditions) for case, conditions in told]
        if max((len(each) for each, _ in counts), default=0) < 2:
            return None
        texts = [(latex.multiples(each, self.vocabulary), conditions) for each, conditions in counts]
        return self._cases(texts, found.total)

    def place(self, summed: OverPositions) -> sympy.Expr | None:
        """The one position j that adds anything to a sum over all, where each of its brackets says so."""
        values = dict(summed.summands)
        symbols = {values.get(symbol, ZERO) for symbol in self.vocabulary.alphabet}
        places = {_place(conditions) for value in symbols for conditions, _ in value.terms}
        if len(symbols) != 1 or len(places) != 1:
            return None
        [value], [found] = symbols, places
        at = {row.name: row.position for row in self.table.values()}
        markers = (token for token in values if token not in self.vocabulary.alphabet)
        return found if all(values[each] == substitute(value, {j: at[each]}) for each in markers) else None

    def _cases(self, texts: list[tuple[str, Conditions]], whole: Iverson) -> Written:
        match texts:
            case [(text, _)] if exhaustive(whole, self.vocabulary):
                return Terms((text,))
        return latex.cases(texts, self.vocabulary, exhaustive(whole, self.vocabulary))

    def join(self, layer: int, row: str, coordinate: str, name: str) -> Line | None:
        """What the heads of a layer add to a coordinate at a row, and what was there, as one fraction, case by case;
        name: of the sum. None where there are not two fractions in any case, and where they are not told."""
        network = self.derivation.construction.encoder.layers[layer - 1]
        total = self.derivation.attended[layer - 1][row].get(coordinate, ZERO)
        context, label = self.table[row].context, latex.label(coordinate)
        parts = {
            f"o^{{{layer},{number}}}_{{{label}}}": self.derivation.looked[f"layer {layer}, head {number}", row].added
            for number in range(1, len(network.heads) + 1)
        }
        if network.attention_residual:
            parts = {f"a^{{{layer - 1},i}}_{{{label}}}": self.derivation.streams[layer - 1][row], **parts}
        summed = {part: vector[coordinate] for part, vector in parts.items() if coordinate in vector}
        told = disjoint_cases(total, self.vocabulary)
        if network.attention_norm is not None or len(summed) < 2 or not told:
            return None
        added, over, out, closed = [], [], [], []
        for case, conditions in told:
            cell = normalise(Iverson(((conditions, sympy.S.One),)), context)
            values = [normalise(value * cell, context).terms for value in summed.values()]
            if any(terms and [where for where, _ in terms] != [where for where, _ in cell.terms] for terms in values):
                return None  # which has cases of its own there
            here = [terms[0][1] for terms in values if terms]
            one = joined(here, case, self.vocabulary)
            if one is None:
                return None
            added.append((latex.addition(here, self.vocabulary), conditions))
            over.append((latex.over_common_denominator(one, self.vocabulary), conditions))
            above = multiplied_out(one)
            out.append(
                over[-1] if above is None else (latex.over_same_denominator(above, one, self.vocabulary), conditions)
            )
            closed.append((latex.number(case, self.vocabulary), conditions))
        forms = [Terms((" + ".join(summed),)), *(self._cases(each, total) for each in (added, over, out, closed))]
        rights = tuple(form for form, _ in itertools.groupby(forms))
        reason = "over a common denominator" + (", multiplied out" if out != over else "")
        return Line(f"{name}_{{{label}}}", rights, (reason,)) if len(rights) > 2 else None


def _place(conditions: Conditions) -> sympy.Expr | None:
    """What j is equal to."""
    for condition in conditions:
        factor = dict(condition.axis.terms).get(j)
        if factor in (1, -1) and condition.lo is not None and condition.lo == condition.hi:
            return sympy.expand(j - int(factor) * (condition.axis.expression() - condition.lo))
    return None
