"""Judges what is printed of the architecture: what a map depends on, where the output is read, how vectors are put
together, which rows a matrix writes."""

from __future__ import annotations

from flint import fmpq

from weightproof.constructions.claims.statements import Domain, Output, Stack, Weights, Writes
from weightproof.constructions.languages.samples import samples
from weightproof.constructions.meaning.interpreter import apply_linear, decision
from weightproof.constructions.meaning.running import run
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.numbers import ZERO, exactly
from weightproof.constructions.scalars.values import evaluate
from weightproof.proofs.claims.weights import entries_of, shape, title
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.quantities.instances import equal, instances
from weightproof.proofs.quantities.outcome import WEIGHTS, Difference, Fails, Open, Outcome
from weightproof.proofs.quantities.told import joined, told
from weightproof.proofs.refuting.refute import text
from weightproof.proofs.theorem import PROVER
from weightproof.symbolic.algebra.iverson import normalise
from weightproof.symbolic.algebra.vocabulary import Vocabulary
from weightproof.symbolic.rules.reading import read_scalar

SHORT = 5
"""Symbols of the longest words that are read out another way."""
PLACES = {"first": "position 0", "last": "the last position", "sum": "all positions, summed"}


def judge_domain(analysis: Analysis, claim: Domain) -> Outcome:
    """The tokens that have a word embedding; or whether the position encoding depends on anything that is not named."""
    embedding = analysis.network.embedding
    if PROVER.of("domain", claim.of, {"WE": True, "PE": False}):
        if set(embedding.WE) == set(claim.names):
            return WEIGHTS
        printed, found = ", ".join(claim.names), ", ".join(embedding.WE)
        return Fails(told(found), Difference("tokens with a word embedding", printed, found, part="embedding"))
    depending = {name: value for name, value in embedding.PE.items() if value.names & {"i", "n"} - {*claim.names}}
    for name, value in depending.items():
        different = _two_values(analysis, name, value, claim)
        if different is not None:
            return Fails(told(f"{name}: ", value), different)
    if depending:
        return Open(f"{', '.join(depending)}: on the first positions of short words it depends on nothing else")
    return WEIGHTS


def _two_values(analysis: Analysis, name: str, value: Expression, claim: Domain) -> Difference | None:
    """Two values of a row of the position encoding at places that print does not tell apart."""
    given = samples(analysis.construction)[0]
    seen: dict[tuple[int, ...], tuple[Real, str]] = {}
    for instance in instances(analysis.construction):
        if instance.word.strip(analysis.alphabet[0]) or instance.parameters != given:
            continue
        for place in range(len(instance.tokens)):
            at = {"i": place, "n": len(instance.tokens)}
            here = evaluate(value, {**instance.values, "i": fmpq(place)})
            before, word = seen.setdefault(tuple(at[known] for known in claim.names), (here, instance.word))
            if not equal(before, here):
                what = f"{name} of the position encoding, as on {repr(word) if word else 'the empty word'}"
                return Difference(what, text(before), text(here), instance.word, given, place)
    return None


def judge_output(analysis: Analysis, claim: Output) -> Outcome:
    """The readout at another position, or at all of them, against the logit on short words; shown on the first one
    that it decides otherwise, if there is one."""
    readout = analysis.network.readout
    if readout.position == claim.position:
        return WEIGHTS
    first: Difference | None = None
    for instance in instances(analysis.construction, longest=SHORT):
        result = run(analysis.construction, instance.word, instance.parameters)
        stream = list(result.streams[-1])
        at = {"first": stream[:1], "last": stream[-1:], "sum": stream}
        vectors = PROVER.of("readout position", claim.position, at)
        names = {**instance.values, "d": fmpq(len(analysis.network.coordinates))}
        printed = sum((output["logit"] for output in apply_linear(readout.W, vectors, exactly(names))), ZERO)
        if equal(printed, result.logit):
            continue
        found = Difference("logit", text(printed), text(result.logit), instance.word, instance.parameters)
        first = first or found
        if result.accepts != decision(readout, printed)[0]:
            first = found
            break
    if first is None:
        return Open(f"it reads {PLACES[readout.position]}, but that makes no difference up to {SHORT} symbols")
    return Fails(told(f"the readout of {PLACES[readout.position]}"), first)


def judge_writes(analysis: Analysis, claim: Writes) -> Outcome:
    """The rows that have an entry that is not 0."""
    rows, _, entries = entries_of(analysis.network, claim.of)
    written = [
        number
        for number, row in enumerate(rows, start=1)
        if any(not _is_zero(analysis, entry) for entry in entries.get(row, {}).values())
    ]
    if written == sorted(set(claim.rows)):
        return WEIGHTS
    printed, found = ", ".join(map(str, claim.rows)), ", ".join(map(str, written)) or "none"
    what = f"rows of {title(claim.of)} that are not 0"
    rows_written = joined((told(Expression(str(number))) for number in written), ", ") if written else told(found)
    return Fails(
        rows_written, Difference(what, printed, found, part=f"layer-{claim.of.layer}" if claim.of.layer else None)
    )


def judge_stack(analysis: Analysis, claim: Stack) -> Outcome:
    """A row or a column for each position, of as many entries as the matrix has rows."""
    of = Weights(claim.part, claim.layer, claim.head)
    positions, entries = Expression("n"), Expression(str(shape(analysis.network, of)[0]))
    found = PROVER.of("stack", claim.put, {"rows": (positions, entries), "columns": (entries, positions)})
    wanted = (claim.rows, claim.columns)
    if all(_is_zero(analysis, Expression(f"({a}) - ({b})")) for a, b in zip(wanted, found, strict=True)):
        return WEIGHTS
    printed, derived = (" x ".join(map(str, pair)) for pair in (wanted, found))
    what = f"shape of {title(of)} times the vectors of all positions, put together as {claim.put}"
    return Fails(told(derived), Difference(what, printed, derived, part=f"layer-{claim.layer}"))


def _is_zero(analysis: Analysis, value: Expression) -> bool:
    """0 for every n and all parameters, by normal forms."""
    vocabulary = Vocabulary.of(analysis.construction)
    return not normalise(read_scalar(value, vocabulary), vocabulary.words(analysis.ledger)).terms
