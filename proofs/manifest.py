"""The trust manifest: what is proved, what each verdict rests on, and of which weights it is true.

`python -m weightproof.proofs.manifest` proves every theorem that is stated and prints it; `make manifest` writes it
into TRUST.md. It names no time and no date: it changes when the weights, a verdict or a pinned version does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

from weightproof.constructions.languages.samples import BEYOND, EVERY
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest
from weightproof.proofs.solving.told.trusted import FACTS
from weightproof.proofs.theorem import EVERYTHING, NEVER, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Result, Unknown

SOFTWARE = {
    "z3-solver": "the first solver",
    "cvc5": "the second solver",
    "sympy": "expands and cancels polynomials and rational functions of the closed forms and certificates",
    "python-flint": "exact rationals and balls of the interpreter",
}

PATIENT = 180
"""Seconds of counted work for a theorem."""

TOLD = """\
## What is asserted without an obligation

Two solvers agree on what they are told. So each fact that a proof uses without an obligation of its own is computed
each time in exact arithmetic, or shown; what is left is a definition or a rule, which is trusted and stands here.
"""

HEAD = f"""\
# Trust manifest

Written by `make manifest`, which proves everything below anew; `tests/proofs/test_proofs.py` fails when this file no
longer says what comes out.

## What every verdict rests on

- **What a network computes** is defined by `constructions/meaning/schema.py` and
  `constructions/meaning/interpreter.py`, in real numbers. No verdict speaks of floating point.
- **What a language is** is defined by its formula. Its Python function is held against the formula on every word up to
  length 10, and on words of up to {max(BEYOND)} symbols at several parameter values, not proved equal.
- **Every value exists.** That no weight, encoding, scale or formula divides by zero or leaves the reals, for any n,
  position or parameter, is shown before a closed form is derived or a formula is used.
- **The closed form is the forward pass.** `symbolic/` derives it by rules that are programmed, not proved. It is
  compared with the interpreter on every word up to length 10, over three symbols 7, and on random long ones
  (`tests/symbolic/`), on random networks from the whole schema (`tests/controls/test_random_constructions.py`), and,
  with the theorem itself, before every `proved`: on words of every length up to {EVERY} and some up to
  {max(BEYOND)}, of a large network on as many as a fixed number of products allows. A difference is no verdict; where
  no sign of them can be decided nothing is proved.
- **A proof** takes the closed form apart into obligations (`proofs/`); that these imply the theorem is programmed, not
  proved. As a control every nonzero weight is changed: the verdict must become a word, or stay proved because the
  change is harmless (`make controls`).
- **Transformed constructions**, named after what was done to them, as `one+sharpen`, have had less: every weight is
  changed of ONE under a norm and of FIRST with log length alone; of FIRST, PARITY, palindromes, 1-DYCK and bounded
  depth, with and without a margin, under a norm, of FIRST by one layer with log length, of ONE and PARITY sharpened,
  and of FIRST, PARITY and 1-DYCK with a margin sharpened under a norm, a sample (`tests/controls/test_controls.py` says
  how many); a few of their closed forms are compared with the interpreter on words of up to 3 to 5 symbols only, beside
  the comparison before every `proved`.
- **Predicted tokens** are those of the greatest output, alone. Each output less each other one is a closed form, held
  against the outputs of the interpreter's run of the whole network.
- **Side conditions** that are linear in integers are settled by exact elimination and put to both solvers again.
- **A margin** is the least |logit| of the accepted or of the rejected words of n positions: a bound that holds on
  every word, and for every n a word that attains it. A margin of 0 means that no rounded arithmetic can be trusted.
- **A refutation** rests on the interpreter alone: its word has been replayed there, exactly, or under a norm in
  balls, of which only what is true of every number in them is taken; or, of a network that sees counts alone, where its
  word is too long to be written out, on sums over tokens in balls: the evidence says `counted in balls, not replayed`,
  and no verdict here is of that kind.
"""
RESTS_ON = {
    Evidence.CERTIFICATE: "exact arithmetic that checks an algebraic certificate",
    Evidence.TWO_SOLVERS: "Z3 and cvc5, which agree",
    Evidence.ONE_SOLVER: "Z3 or cvc5; the other gave no answer within its steps",
    Evidence.BOUNDED: "certificates, solvers or runs, one length, size or format at a time, for all those in the scope",
    Evidence.SAMPLED: "the same at chosen points alone, which the scope names; beyond them nothing is proved",
}
HASHES = """\
A theorem is as strong as its weakest step; in brackets stands how many obligations were closed by which.

The hash of a construction is the SHA-256 of its network with all weights, its parameters, its alphabet and its formula
(`constructions/meaning/record.py`); `weightproof show NAME --json` prints it.
"""


def manifest(
    stated: Mapping[str, tuple[Construction, Sequence[Theorem]]], results: Mapping[str, Sequence[Result]]
) -> str:
    """The manifest of constructions with what is stated of them and what came out, by name, in Markdown."""
    sections = (section(construction, results[name], theorems) for name, (construction, theorems) in stated.items())
    return "\n".join([preface(), *sections])


def preface() -> str:
    """What the verdicts on all constructions rest on."""
    versions = _table(("software", "version", "what it does"), [(n, version(n), use) for n, use in SOFTWARE.items()])
    evidence = _table(("evidence", "rests on"), list(RESTS_ON.items()))
    told = _table(("fact", "how it is settled", "where"), [(x.fact, x.how, f"`{x.where}`") for x in FACTS])
    return f"{HEAD}\n{evidence}\n{HASHES}\n{versions}\n\n{TOLD}\n{told}"


def section(construction: Construction, results: Sequence[Result], theorems: Sequence[Theorem]) -> str:
    """What is settled of one construction."""
    language = construction.language
    domains = ", ".join(f"`{parameter.domain}`" for parameter in construction.parameters) or "none"
    rows = [_row(result, theorem) for result, theorem in zip(results, theorems, strict=True)]
    header = ("theorem", "statement", "for all words and parameters with", "verdict", "scope", "evidence", "solvers")
    return "\n".join(
        [
            f"## {construction.name}",
            "",
            f"{construction.title}; {construction.source}.",
            "",
            f"- language: {language.name}, the words with `{language.characterisation}`",
            *(f"- the right token is {token} where `{formula}`" for token, formula in language.labels.items()),
            f"- parameters: {domains}",
            f"- hash: `{digest(construction)}`",
            "",
            _table(header, rows),
        ]
    )


def _row(result: Result, theorem: Theorem) -> tuple[str, ...]:
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            verdict, basis = "proved", _counted(evidence, result.obligations)
            basis += "; by induction, invariant found" * (result.invariant is not None)
        case Refuted(counterexample=counterexample):
            values = "".join(f", {name} = {value}" for name, value in counterexample.parameters.items())
            verdict, scope, basis = "refuted", f"word `{counterexample.word!r}`{values}", counterexample.evidence
        case Unknown(reason=reason):
            verdict, scope, basis = "unknown", "-", reason
    if not result.as_expected:
        verdict += f", **expected {result.expected}**"
    match theorem:
        case Decides():
            statement = _statement(result, theorem)
        case Predicts():
            statement = _predicted(result)
        case _:
            statement = f"`{theorem.statement}`"
    solvers = ", ".join(result.solvers) if isinstance(result.verdict, Proved) else ""
    return (
        result.theorem,
        statement,
        ", ".join(f"`{hypothesis}`" for hypothesis in result.given or (EVERYTHING,)),
        verdict,
        scope,
        basis,
        solvers or "-",
    )


def _counted(evidence: Evidence, obligations: Mapping[str, int]) -> str:
    """The obligations by what closed them, weakest first."""
    kinds = [kind for kind in reversed(Evidence) if kind in obligations]
    counts = ", ".join(f"{kind} ({obligations[kind]})" for kind in kinds)
    return counts if evidence in kinds else f"{evidence}: {counts}"


def _statement(result: Result, theorem: Decides) -> str:
    """The sentence, and the formula that it is about where that is not the language's."""
    accepts = result.accepts
    return result.statement if accepts is None else f"{result.statement}: accepts iff `{accepts}`"


def _predicted(result: Result) -> str:
    """The sentence, and of each right token where it is predicted, if that is not said of all words."""
    said = (result.predicts or {}).items()
    always = {NEVER: "never", EVERYTHING: "always"}
    where = "; ".join(f"{token} {always.get(formula, f'iff `{formula}`')}" for token, formula in said)
    return f"{result.statement}: {where}" if where else result.statement


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def lines() -> Iterator[str]:
        for cells in (header, ["---"] * len(header), *rows):
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join(lines()) + "\n"


def main() -> None:
    from weightproof.proofs.circuits.manifest import circuits
    from weightproof.proofs.machines.manifest import simulations
    from weightproof.proofs.prove import prove
    from weightproof.proofs.stated import stated
    from weightproof.proofs.sums.manifest import sums

    found = stated()
    results = {name: tuple(prove(*about, timeout=PATIENT)) for name, about in found.items()}
    print(f"{manifest(found, results)}\n{simulations()}\n{circuits()}\n{sums()}", end="")


if __name__ == "__main__":
    main()
