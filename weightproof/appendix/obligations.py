"""The obligations of a proof as mathematics: part by part, what is assumed, by which cases, and why what is left holds.

What several obligations of a part assume is said once; cases that hold for the same reason are told together. What
exact arithmetic does not show is marked with the solvers that it rests on.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from weightproof.appendix.reasons import reasoned
from weightproof.document.blocks import (
    Block,
    Equations,
    Line,
    Math,
    Paragraph,
    Spans,
    Table,
    equation,
    joined,
)
from weightproof.proofs.solving.close import SIDE_CONDITIONS, Closed
from weightproof.proofs.solving.latex import hypotheses
from weightproof.proofs.strategies.family import FAMILY
from weightproof.proofs.strategies.goals import NOT_NEGATIVE
from weightproof.proofs.theorem import PROVER, Compares, Decides, Margin, OnWords, Predicts
from weightproof.proofs.verdict import Evidence
from weightproof.reports.wording import case, leading
from weightproof.symbolic.algebra.linear import Context, form_of, linear_form
from weightproof.symbolic.algebra.vocabulary import j
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.writing.latex import SIGNS, label, number
from weightproof.symbolic.writing.latex_source import scalar

MOST_LINES = 80
"""Of a proof that is told in full; a longer one is told by the number of obligations in each part."""
SOLVERS = {"z3": "Z3", "cvc5": "cvc5"}
HELD = {
    "kept": "what is asked of all positions has held before and holds there, too",
    "lost": "what is asked of all positions has held before and fails there",
    "already lost": "what is asked of all positions has failed before",
}
"""Of a step, by what its strategy says of it."""
LOGIT = r"\mathrm{logit}"
OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def proved_by(closed: Sequence[Closed], theorem: OnWords | Predicts, derivation: Derivation) -> Iterator[Block]:
    """All obligations but the side conditions, in full where that is short; else how many there are of each kind."""
    shown = [each for each in closed if each.obligation.name != SIDE_CONDITIONS]
    in_groups = isinstance(theorem, Decides) and theorem.up_to is not None
    if in_groups:
        shown.sort(key=lambda each: _in_order(part_of(each.obligation.name)))
    told = [] if in_groups else list(_in_full(shown, theorem, derivation))
    length = sum(len(block.lines) for block in told if isinstance(block, Equations))
    if told and length <= MOST_LINES:
        yield from told
        return
    yield _summary(shown, theorem, derivation)


def part_of(name: str) -> str:
    """The part of a proof that an obligation belongs to: its name without its number."""
    return re.sub(r"(, \d+)+$", "", name.rsplit(": ", 1)[-1])


def _in_order(part: str) -> list[str | int]:
    """To be sorted by: the tenth case behind the ninth."""
    return [int(each) if each.isdigit() else each for each in re.split(r"(\d+)", part)]


def rests_on(item: Closed) -> str:
    """What closed an obligation."""
    if item.evidence is None:
        return f"open: {item.reason}"
    if item.evidence is Evidence.CERTIFICATE:
        return "certificate"
    solvers = dict.fromkeys(SOLVERS[answer.solver] for answer in item.answers if answer.status == "unsat")
    return " and ".join(solvers)


def by_solvers_alone(closed: Sequence[Closed]) -> int:
    """How many obligations exact arithmetic does not show."""
    return sum(item.evidence is not Evidence.CERTIFICATE for item in closed)


def _in_full(closed: Sequence[Closed], theorem: OnWords | Predicts, derivation: Derivation) -> Iterator[Block]:
    of_pairs: dict[str, dict[str, list[Closed]]] = {}
    for item in closed:
        name = item.obligation.name
        of_pairs.setdefault(_pair_of(name, theorem), {}).setdefault(part_of(name), []).append(item)
    for pair, parts in of_pairs.items():
        if pair:
            yield Paragraph(leading(f"Output {pair}"))
        for name, items in parts.items():
            yield from _part(name, items, theorem, derivation)


def _pair_of(name: str, theorem: OnWords | Predicts) -> str:
    """The outputs that an obligation compares, where there are several."""
    return name.rsplit(": ", 1)[0] if isinstance(theorem, Predicts) else ""


def _part(name: str, items: Sequence[Closed], theorem: OnWords | Predicts, derivation: Derivation) -> Iterator[Block]:
    known = _known(name, derivation)
    assumed = [hypotheses(item.obligation, known) for item in items]
    common = [each for each in assumed[0] if all(each in others for others in assumed)]
    cases: dict[tuple[Line, ...], dict[tuple[str, ...], None]] = {}
    for item, given in zip(items, assumed, strict=True):
        reason = reasoned(item.obligation, item.because, f"by {rests_on(item)}")
        cases.setdefault(reason, {})[tuple(each for each in given if each not in common)] = None
    let: Spans = (" Let ", *joined([(Math(each),) for each in common]), ".") if common else ()
    before, wanted = _said(name, theorem, derivation)
    end = (":",) if any(cases) else (": nothing is left to show.",)
    yield Paragraph((*leading(_quoted(name, derivation)), *before, *let, *wanted, *end))
    if not any(cases):
        return
    value = tuple(_value(name, theorem, derivation))
    for reason, places in cases.items():
        own = [where for where in places if where] if len(cases) > 1 or len(places) > 1 else []
        if own:
            yield Paragraph((*_case(own), ":" if reason else ": nothing is left to show."))
        if value or reason:
            for _, lines in itertools.groupby((*value, *reason), key=lambda line: bool(line.left)):
                yield Equations(tuple(lines))  # what has no left side needs the whole width
        value = ()


def _step(name: str, derivation: Derivation) -> tuple[str, str] | None:
    """The symbol that a step of an induction reads, and what else its name has."""
    for symbol in derivation.vocabulary.alphabet:
        if name.startswith(f"step on {symbol}, "):
            return symbol, name.removeprefix(f"step on {symbol}, ")
    return None


def _quoted(name: str, derivation: Derivation) -> str:
    """With quotes around the symbol."""
    step = _step(name, derivation)
    return name if step is None else f"step on {step[0]!r}, {step[1]}"


def _said(name: str, theorem: OnWords | Predicts, derivation: Derivation) -> tuple[Spans, Spans]:
    """What the obligations of a part are about, by the name that their strategy gives it, and what they show."""
    if (step := _step(name, derivation)) is not None:
        symbol, rest = step
        held = next((said for found, said in HELD.items() if re.match(rf"{found}\b", rest)), None)
        holds: Spans = (" Position ", Math("j + 1"), " holds ", Math(label(symbol)))
        return (*holds, f", and {held}." if held else "."), (" The invariant at ", Math("j + 1"))
    if name == "base":
        return (" Before the first symbol all counts and sums are 0, and nothing has failed.",), (" The invariant",)
    side = re.fullmatch(r"(case|conclusion|empty word) \d+, (accepted|rejected)", name)
    if side is not None:
        where = {
            "conclusion": " After the last symbol the invariant holds.",
            "empty word": " The word has no symbols.",
        }.get(side[1])
        return (where,) if where else (), _wanted(theorem, side[2] == "accepted", derivation)
    if name == NOT_NEGATIVE:
        return (), (" The value of the margin is not negative",)
    if name.startswith("attained"):
        return (), (" On these words the logit is that far from 0",)
    if name == FAMILY:
        return (), (" These words are of length ", Math("n"))
    return (), (" To be shown",)


def _wanted(theorem: OnWords | Predicts, accepted: bool, derivation: Derivation) -> Spans:
    """What a theorem says of the logit on a side, with cleared denominators where it has any."""
    wanted: str | None = None
    rule = PROVER.accepted(derivation.construction.network.readout.accept)
    match theorem:
        case Decides(strict=strict):
            wanted = f"{LOGIT} {SIGNS[rule.op(accepted, strict)]} 0"
        case Compares(op=op, value=value):
            wanted = f"{LOGIT} {SIGNS[op if accepted else OPPOSITES[op]]} {scalar(value)}"
        case Margin(value=None):
            return (" There is no such word",)
        case Margin():
            return (" The distance of the logit from 0 is at least the margin, with denominators cleared",)
    if wanted is None:
        return (" To be shown",)
    side = "The word is to be accepted" if accepted else "The word is to be rejected"
    return f" {side}: ", Math(wanted), ", with denominators cleared"


def _case(wheres: Sequence[tuple[str, ...]]) -> Spans:
    """If one holds, or another one."""
    return ("If ", *joined([joined([(Math(each),) for each in where]) for where in wheres], ", or if "))


def _value(name: str, theorem: OnWords | Predicts, derivation: Derivation) -> Iterator[Line]:
    """The logit in a case of the closed form, where the proof is one by these, and not by those of other outputs."""
    found = re.fullmatch(r"case (\d+), .+", name)
    if found is None or isinstance(theorem, Predicts) or derivation.scales or derivation.nonzero:
        return
    terms = derivation.logit.terms
    value = number(terms[int(found[1]) - 1][1], derivation.vocabulary) if int(found[1]) <= len(terms) else "0"
    yield equation(LOGIT, value)


def _known(name: str, derivation: Derivation) -> Context:
    """What goes without saying: what holds of every word, and of the prefix counts up to a position before the last;
    of a step also that there is one more of its symbol."""
    vocabulary = derivation.vocabulary
    inside = [linear_form(j + 1 - vocabulary.first), linear_form(vocabulary.last - (j + 1))]
    known = vocabulary.prefixes(j, vocabulary.words().given(*(form for form in inside if form is not None)))
    if (step := _step(name, derivation)) is None:
        return known
    return known.given(form_of(vocabulary.total(step[0]) - vocabulary.prefix_atom(step[0])(j) - 1))


def _summary(closed: Sequence[Closed], theorem: OnWords | Predicts, derivation: Derivation) -> Table:
    names = ((item, _pair_of(item.obligation.name, theorem), part_of(item.obligation.name)) for item in closed)
    counted = Counter((pair, part, rests_on(item)) for item, pair, part in names)
    rows = tuple(
        ((*case(f"{pair}: " if pair else ""), *case(_quoted(part, derivation))), (str(number_),), (by,))
        for (pair, part, by), number_ in counted.items()
    )
    return Table((("part",), ("obligations",), ("closed by",)), rows)
