"""What is proved of each construction that theorems are stated of: a page for each paper, and one for each file of
theorems about transformed constructions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest
from weightproof.document.blocks import Code, Spans, Table, Text, joined
from weightproof.manifest.rows import hashed, on_a_word, section, settled
from weightproof.proofs.kernel.checked import with_kernel
from weightproof.proofs.theorem import EVERYTHING, NEVER, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Proved, Result

HEADER = ("theorem", "statement", "for all words and parameters with", "verdict", "scope", "evidence", "solvers")


def of_construction(construction: Construction, results: Iterable[Result], theorems: Sequence[Theorem]) -> str:
    """What is settled of one construction; results: of the theorems, in their order."""
    rows = [_row(construction, result, theorem) for result, theorem in zip(results, theorems, strict=True)]
    return section(construction.name, tuple(_about(construction)), Table(HEADER, rows))


def _about(construction: Construction) -> Iterator[Text]:
    language = construction.language
    yield f"{construction.title}; {construction.source}"
    yield f"language: {language.name}, the words with ", Code(str(language.characterisation))
    for token, formula in language.labels.items():
        yield f"the right token is {token} where ", Code(str(formula))
    domains: list[Spans] = [(Code(str(parameter.domain)),) for parameter in construction.parameters]
    yield "parameters: ", *(joined(domains) if domains else ("none",))
    yield hashed(digest(construction))


def _row(construction: Construction, result: Result, theorem: Theorem) -> tuple[Text, ...]:
    known = replace(result, verdict=with_kernel(construction, theorem, result.verdict))
    verdict, scope, basis = settled(known, on_a_word)
    induction = "; by induction, invariant found"
    by = induction * (isinstance(result.verdict, Proved) and result.invariant is not None)
    statement: Text
    match theorem:
        case Decides():
            statement = _statement(result)
        case Predicts():
            statement = _predicted(result)
        case _:
            statement = Code(str(theorem.statement))
    solvers = ", ".join(result.solvers) if isinstance(result.verdict, Proved) else ""
    given = joined([(Code(hypothesis),) for hypothesis in result.hypotheses or (EVERYTHING,)])
    return result.theorem, statement, given, verdict, scope, f"{basis}{by}", solvers or "-"


def _statement(result: Result) -> Text:
    """The sentence, and the formula that it is about where that is not the language's."""
    accepts = result.accepts
    return result.statement if accepts is None else (f"{result.statement}: accepts iff ", Code(accepts))


def _predicted(result: Result) -> Text:
    """The sentence, and of each right token where it is predicted, if that is not said of all words."""
    always = {NEVER: "never", EVERYTHING: "always"}
    where: list[Spans] = [
        (f"{token} {always[formula]}",) if formula in always else (f"{token} iff ", Code(formula))
        for token, formula in (result.predicts or {}).items()
    ]
    return (f"{result.statement}: ", *joined(where, "; ")) if where else result.statement
