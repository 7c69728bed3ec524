"""One construction in one dtype, on one device, by one implementation of attention: what is measured, and certified.

A row of results belongs to one rule of acceptance, as a paper or its code decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, TypedDict

from flint import fmpq

from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.languages.notation import compact, expand
from weightproof.constructions.languages.words import drawn
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.running import parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.kinds import Measuring, require_tolerance
from weightproof.measuring.kept import ENCODER, LAW, NOT_LOST, Row, Rows, refused, require_kind
from weightproof.measuring.session import Advance, Again, Place, places
from weightproof.named import Named

if TYPE_CHECKING:
    from weightproof.numeric.certificate.certificate import Margin, Side
    from weightproof.numeric.certificate.scaling import Law, Point
    from weightproof.numeric.model.transformer import Transformer
    from weightproof.numeric.search.search import Finding

EFFORT = 1 << 23
"""Symbols that a search runs: a few seconds."""
SQUARE = 10_000
"""Symbols of the longest words in `matmul` and `fused`, as long as words are published: of the former the scores take
400 MB in float32, and of both the time grows with the square."""
SAMPLE = 64, 1_000
"""Words, and their symbols, on which the dependence on batches is measured."""


class Decided(TypedDict):
    """How a computed logit is taken: within which tolerance as 0, and whether by its probability."""

    tolerance: str
    by_probability: bool


@dataclass(frozen=True)
class LogitSearch:
    """Of an encoder that reads out a logit. margins: what is proved of its logits, once it is wanted."""

    source: Named
    parameters: Mapping[str, str]
    tolerance: float | None
    place: Place
    law: bool
    margins: Callable[[], Sequence[Margin]]

    @property
    def construction(self) -> Construction:
        return self.source.construction

    @property
    def key(self) -> Row:
        key = self.place.key(self.source.argument, digest(self.construction), parameters=self.values)
        return key | {"tolerance": self.tolerance}

    @property
    def values(self) -> dict[str, str]:
        return {p.name: self.parameters.get(p.name, p.default.source) for p in self.construction.parameters}

    @property
    def names(self) -> Environment:
        return parameter_values(self.construction, self.parameters)

    def model(self) -> Transformer:
        """The network; InputError where the dtype, the device or the length cannot be had."""
        from weightproof.numeric.model.transformer import Transformer

        place = self.place
        model = Transformer(self.construction, self.parameters, place.dtype, place.device, place.attention)
        model.require_memory(self.reach + 2)
        return model

    @property
    def reach(self) -> int:
        """Symbols of the longest words that are run."""
        longest = self.place.max_length
        from weightproof.numeric.model.attention import DENSE

        return min(longest, SQUARE) if self.place.attention in DENSE else longest

    def done(self, kept: Rows) -> bool:
        rows = kept.of(self.key)
        wanted = self.law and any(row["refused"] is None for row in rows)
        return bool(rows) and not (wanted and kept.law(self.key) is None)

    def measured(self, kept: Rows, advance: Advance) -> Rows:
        """A row for each rule of acceptance, and, if asked for, the law of the certificate, once for each construction
        with its parameters and tolerance. By a law that is known what failed in lower precision is carried on, and says
        where to look; without one the search goes by what it finds."""
        from weightproof.numeric.model.kernels import NoKernel

        name = self.source.argument
        try:
            self.model()
        except NoKernel as error:
            return Rows(rows=({**self.key, **self._unfound, **refused(error)},))
        advance(f"{name} margins", 0)
        self.margins()
        laws: tuple[Row, ...] = ()
        if self.law and kept.law(self.key) is None:
            advance(f"{name} law", 0)
            laws = (self._law(),)
        if kept.of(self.key):
            return Rows(laws=laws)
        doing = f"{name} {self.place.dtype} {self.place.attention}"
        predicted = self._predicted(kept.joined(Rows(laws=laws)))
        lost = {row["rule"]: row["witness"]["word"] for row in self._lower(kept)}
        rows = rows_of(self, predicted, lost, lambda share: advance(doing, share))
        return Rows(rows=tuple(rows), laws=laws)

    @property
    def _unfound(self) -> Row:
        """What the row of its own rule has beside that of every row, where nothing was run."""
        from weightproof.numeric.model.transformer import rules

        nothing = dict.fromkeys(("certified_strict", "predicted_length", "luck", "only_in_batches", "dependence"))
        own = rules(self.construction.encoder, self.tolerance)[0].name
        searched = {"probed_to": 0, "followed": False, "of_families": False, "in_full": [], "in_part": []}
        return {"rule": own, **nothing, **searched}

    def again(self, row: Row) -> Again:
        from weightproof.numeric.model.transformer import rules

        require_kind(row, ENCODER)
        witness, model = row["witness"], self.model()
        rule = next((each for each in rules(model.network, self.tolerance) if each.name == row["rule"]), None)
        if rule is None:
            raise InputError(f"{self.source.argument}: no rule of acceptance is called {row['rule']!r}")
        word = expand(witness["word"], self.construction.language.alphabet)
        logits = model.logits([word])
        logit, accepts = float(logits[0]), bool(rule.accepts(model, logits)[0])
        member = is_member(self.construction, word, self.names)
        told = witness["accepts"], witness["member"], row["first_failing_length"]
        return Again(
            accepts != member and (accepts, member, len(word)) == told,
            repr(logit) == repr(float(witness["logit"])),
            f"logit {logit!r} {'accepts' if accepts else 'rejects'} {'a member' if member else 'no member'} of "
            f"{len(word)} symbols",
        )

    def _law(self) -> Row:
        from weightproof.numeric.certificate.scaling import certified_points, fitted

        points = certified_points(self.construction, self.margins(), self.parameters)
        law, key = fitted(points), {name: self.key[name] for name in LAW}
        return {**key, "form": law and law.form, "rate": law and law.rate, "text": law and str(law), "points": points}

    def _predicted(self, kept: Rows) -> dict[str, int]:
        """Failing lengths by the names of the rules: the one of the next lower precision that fails, carried on."""
        law, own = law_of(kept, self.key), precision_of(self.place.dtype)
        points = {row["rule"]: failing_points([row])[0] for row in self._lower(kept)}
        return {} if law is None else {rule: law.extended(*point, own) for rule, point in points.items()}

    def _lower(self, kept: Rows) -> list[Row]:
        """Rows of lower precision that fail, of this network and kind of attention, the lowest precision first."""
        same = kept.of({name: value for name, value in self.key.items() if name not in ("dtype", "kernel")})
        lower = [row for row in same if precision_of(row["dtype"]) < precision_of(self.place.dtype)]
        lost = [row for row in lower if row["first_failing_length"] is not None]
        return sorted(lost, key=lambda row: (precision_of(row["dtype"]), row["first_failing_length"]))


def law_of(kept: Rows, row: Row) -> Law | None:
    """The law of the certificate for a row."""
    from weightproof.numeric.certificate.scaling import Law

    found = kept.law(row)
    return None if found is None or found["form"] is None else Law(found["form"], found["rate"])


def precision_of(dtype: str) -> int:
    """Bits of a significand, with the one that is not written."""
    from weightproof.numeric.rounding.formats import FORMATS

    return FORMATS[dtype].precision


def failing_points(rows: Sequence[Row]) -> list[Point]:
    """Precisions and failing lengths."""
    return [
        (precision_of(row["dtype"]), row["first_failing_length"])
        for row in rows
        if row["first_failing_length"] is not None
    ]


def searches(source: Named, how: Measuring) -> list[LogitSearch]:
    """In all places; InputError where it cannot be run in one of them."""
    from weightproof.numeric.model.kernels import NoKernel

    require_tolerance(how.tolerance)
    margins = cache(partial(proved_margins, source, how.parameters))
    found = [LogitSearch(source, how.parameters, how.tolerance, place, how.law, margins) for place in places(how)]
    for search in found:
        with suppress(NoKernel):  # which its row says
            search.model()  # refused now, not after the first search
    return found


def proved_margins(source: Named, parameters: Mapping[str, str]) -> list[Margin]:
    """The margins that the construction's theorems state for these parameters and the prover proves, here and now."""
    from weightproof.constructions.scalars.formulas import holds
    from weightproof.numeric.certificate.certificate import Margin as Case
    from weightproof.proofs.prove import prove
    from weightproof.proofs.theorem import Margin, theorems_of
    from weightproof.proofs.verdict import Proved

    construction = source.construction
    names, alphabet = parameter_values(construction, parameters), construction.language.alphabet
    stated = (source.theorems if source.is_own else theorems_of(source.argument)) or ()
    wanted = [
        theorem
        for theorem in stated
        if isinstance(theorem, Margin) and ("n" in theorem.given.names or holds(theorem.given, names, (), alphabet))
    ]
    return [
        Case(theorem.side, theorem.value, theorem.hypothesis if "n" in theorem.given.names else theorem.when)
        for theorem, result in zip(wanted, prove(construction, wanted), strict=True)
        if isinstance(result.verdict, Proved)
    ]


def rows_of(
    search: LogitSearch, predicted: Mapping[str, int], lost: Mapping[str, str], advance: Callable[[float], None]
) -> Iterator[Row]:
    """One row for each rule of acceptance; predicted: failing lengths by the names of the rules, and lost: words that
    lower precision loses, as far as they are known."""
    from weightproof.numeric.model.transformer import rules
    from weightproof.numeric.search.search import Search

    model, margins = search.model(), search.margins()
    made = Search(search.construction, model, search.names, EFFORT)
    dependence = _dependence(search, model)
    for finding in made.run(rules(model.network, search.tolerance), search.reach, predicted, advance, lost):
        safe = certified(search, finding.rule.name)
        strict = _certified_strict(search, model, finding, safe)
        yield {
            **search.key,
            "rule": finding.rule.name,
            "certified_safe_length": safe,
            "certified_strict": strict,
            **_found(search, finding),
            "least": _is_least(finding, safe, strict),
            "of_families": finding.of_families,
            "predicted_length": predicted.get(finding.rule.name),
            "luck": _luck(search, model, finding, margins, predicted.get(finding.rule.name)),
            "searched": finding.searched,
            "searched_to": finding.searched_to,
            "probed_to": finding.probed_to,
            "followed": finding.followed,
            "only_in_batches": finding.only_in_batches,
            "in_full": [[*stretch] for stretch in finding.in_full],
            "in_part": [asdict(part) for part in finding.in_part],
            "dependence": dependence,
        }


def _found(search: LogitSearch, finding: Finding) -> Row:
    failure = finding.failure
    if failure is None:
        return NOT_LOST
    return {
        "first_failing_length": len(failure.word),
        "witness": {
            "word": compact(failure.word),
            "member": failure.member,
            "accepts": not failure.member,
            "logit": failure.logit if abs(failure.logit) < float("inf") else str(failure.logit),
            "exact_logit": _exact_logit(search, failure.word),
        },
        "mechanism": _mechanism(search, finding),
    }


def _is_least(finding: Finding, *certified: int | None) -> bool:
    """Whether no word is shorter than the one that fails and fails, too: each was run, or a certificate covers it.

    certified: lengths of this very row, which hold whatever sums its implementation takes, in a batch or alone: up to
    there every word is right by proof, which says no less than a run of each.
    """
    if finding.failure is None:
        return False
    return finding.exhausted or any(len(finding.failure.word) <= safe + 1 for safe in certified if safe is not None)


_certified: dict[tuple[object, ...], int] = {}
"""A certificate holds for every implementation that it covers."""


def certified(search: LogitSearch, rule: str) -> int | None:
    """Symbols up to which every word is certainly right; None where no certificate covers the row."""
    from weightproof.numeric.certificate.certificate import certified_safe_length
    from weightproof.numeric.rounding.model import is_modelled

    if not is_modelled(search.place.device, search.place.attention):
        return None
    margins, dtype, decided = search.margins(), search.place.dtype, _decided(search, rule)
    case = digest(search.construction), *search.values.items(), *margins, dtype, *decided.items()
    if case not in _certified:
        _certified[case] = certified_safe_length(search.construction, margins, search.parameters, dtype, **decided)
    return _certified[case]


def _certified_strict(search: LogitSearch, model: Transformer, finding: Finding, safe: int | None) -> int | None:
    """The same for sums from left to right: also all the words that are few enough to be run, and what an analysis of
    that order certifies beyond them; None elsewhere."""
    from weightproof.numeric.certificate.certificate import certified_from_left_to_right
    from weightproof.numeric.search.search import exhausted

    if search.place.attention != "strict" or safe is None:
        return None
    return certified_from_left_to_right(
        search.construction,
        search.margins(),
        search.parameters,
        search.place.dtype,
        **_decided(search, finding.rule.name),
        known=exhausted(search.construction, model, search.names, finding.rule, safe),
    )


def _decided(search: LogitSearch, rule: str) -> Decided:
    """What a certificate has to know of a rule."""
    from weightproof.numeric.model.transformer import PROBABILITY

    tolerance = Fraction(search.tolerance or 0) if rule.startswith("|") else Fraction(0)
    return {
        "tolerance": f"{tolerance.numerator}/{tolerance.denominator}",
        "by_probability": rule == PROBABILITY.name,
    }


def _exact_logit(search: LogitSearch, word: str) -> str | None:
    from weightproof.numeric.model.strict import exact_pass
    from weightproof.numeric.search.mechanism import longest
    from weightproof.terminal.digits import cell

    if len(word) > longest(search.construction):
        return None
    return cell(exact_pass(search.construction, word, _with_width(search)).logits()[0])


def _with_width(search: LogitSearch) -> Environment:
    return {**search.names, "d": fmpq(len(search.construction.network.coordinates))}


def _mechanism(search: LogitSearch, finding: Finding) -> str | None:
    """How the word was lost, in one line; None where it is too long to be traced."""
    from weightproof.numeric.model.strict import exact_pass
    from weightproof.numeric.model.transformer import PROBABILITY
    from weightproof.numeric.search.mechanism import explained, longest, mechanism

    failure, rule = finding.failure, finding.rule
    assert failure is not None
    if rule == PROBABILITY and (failure.logit > 0) == failure.member:
        return f"the logit {failure.logit:.6g} is right; its probability rounds to 1/2"
    if len(failure.word) > longest(search.construction):
        return None
    exact = exact_pass(search.construction, failure.word, _with_width(search))
    if exact.accepts() != failure.member:
        return "no rounding: the exact network misclassifies the word, too"
    if rule.tolerance is not None and not failure.member:
        return f"the exact logit is within the tolerance of {rule.tolerance:g}"
    found = mechanism(search.construction, failure.word, _with_width(search), search.place.dtype)
    if found is None:
        return "none in strict arithmetic, which gets the word right: the order of the kernel's sums"
    return explained(found) if search.place.attention == "strict" else f"as in strict arithmetic: {explained(found)}"


def _side_of_zero(network: Encoder) -> Side:
    """The side whose words keep a logit of 0 only where rounding does them no harm."""
    accepted = Choices("the search").accepted(network.readout.accept)
    return "accepted" if accepted.side and accepted.at_zero else "rejected"


def _is_zero_for_long_words(case: Margin, side: Side, names: Environment) -> bool:
    """Whether a margin of words of a side is 0 at some of a few consecutive numbers of positions."""
    from weightproof.constructions.scalars.exact import sign
    from weightproof.constructions.scalars.formulas import holds
    from weightproof.constructions.scalars.values import evaluate

    if case.side != side or case.value is None:
        return False
    return any(
        holds(case.when, dict(names), [""] * n, ()) and sign(evaluate(case.value, {**names, "n": fmpq(n)})) == 0
        for n in range(1000, 1004)
    )


def _luck(
    search: LogitSearch, model: Transformer, finding: Finding, margins: Sequence[Margin], predicted: int | None
) -> str | None:
    """Why no failure was found, where it should have been, and what was searched; None for all other rows.

    It should, where some word of each length has a logit of exactly 0, and among words of more positions than the
    format can count. It is no luck yet where families were not run in full at the length where a failure is predicted,
    or, without a prediction, at the one to which the format counts.
    """
    from weightproof.numeric.search.mechanism import reasons

    counted = 1 << model.format.precision
    side = _side_of_zero(model.network)
    zero = any(_is_zero_for_long_words(case, side, search.names) for case in margins)
    expected = None if zero else counted
    wanted = expected if predicted is None else predicted
    full = wanted is None or any(first <= wanted <= last for first, last in finding.in_full)
    if finding.failure is not None or not full or not (zero or finding.probed_to >= 4 * counted):
        return None
    said = f"the margin of the {side} words is 0, but no rounding error was found to their harm"
    if not zero:
        word = drawn(search.construction.language, Random(4 * counted), 4 * counted)
        said = "; ".join(reasons(search.construction, model, word)) or "for no known reason"
    return f"{said}; families were run in full at {spans(finding.in_full)} symbols"


def spans(stretches: Sequence[Sequence[int]]) -> str:
    """Stretches of lengths, as 0-200, 544."""
    return ", ".join(f"{first:,}" if first == last else f"{first:,}-{last:,}" for first, last in stretches) or "no"


def _dependence(search: LogitSearch, model: Transformer) -> dict[str, Any] | None:
    """How much the logits of random words depend on the batch and on threads; strict arithmetic depends on neither."""
    from weightproof.numeric.search.mechanism import on_batch, on_threads

    if search.place.attention == "strict":
        return None
    count, length = SAMPLE
    random, length = Random(0), min(length, search.place.max_length)
    words = [drawn(search.construction.language, random, length) for _ in range(count)]
    return {"batch": asdict(on_batch(model, words)), "threads": asdict(on_threads(model, words))}
