"""What the document says: of each construction its data, its derivation, its theorems, an example, and what is printed.

To say more of every construction, add a line to `_section`. Each is derived once, its theorems are proved once, its
claims judged once; several are shared out among processes. What comes back from those is what the document says, which
is plain data; the constructions themselves, with their Python functions, stay where they were read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from weightproof.appendix.arguments import theorems
from weightproof.appendix.example import example
from weightproof.appendix.language import language
from weightproof.appendix.published import published
from weightproof.appendix.steps import Teller
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import first_right, logit_difference, predicts, tied_outputs
from weightproof.constructions.meaning.schema import Decoder
from weightproof.decoders.deriving import derivation as of_decoder
from weightproof.document import blocks
from weightproof.named import Named
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.kernel.checked import with_kernel
from weightproof.proofs.prove import Proof, proofs
from weightproof.proofs.quantities.analysis import DERIVATION_SECONDS, Analysis, derived_in_time
from weightproof.proofs.theorem import Theorem
from weightproof.proofs.verdict import Result
from weightproof.reports.claiming import Section, judged
from weightproof.reports.matrices import weights
from weightproof.stating import theorems_about
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.writing.latex import equations

LETTERS = 26
INDEX = "index"
"""The file that leads to those of the constructions."""


@dataclass(frozen=True)
class Findings:
    """A construction and what was found out about it.

    derivation: None where no rule covers a step, and then `underivable` says why; proofs: None where the theorems are
    not told; argument: how the user named it, so that a counterexample can be replayed.
    """

    construction: Construction
    derivation: Derivation | None
    underivable: str = ""
    proofs: tuple[Proof, ...] | None = None
    argument: str | None = None
    claims: Section | None = None


def letter(number: int) -> str:
    """What the section of that number, from 0, is called, as in an appendix: A to Z, AA, AB, ..., ZZ; LaTeX counts its
    sections in the same way."""
    before, last = divmod(number, LETTERS)
    return (chr(ord("A") + before - 1) if before else "") + chr(ord("A") + last)


def section(findings: Findings, name: str) -> tuple[blocks.Block, ...]:
    """All that is said of a construction, in the section of that letter."""
    return tuple(_section(findings, name))


def _section(findings: Findings, name: str) -> Iterator[blocks.Block]:
    construction, derivation = findings.construction, findings.derivation
    yield blocks.Heading(1, (construction.title,))
    yield from language(construction)
    yield from weights(construction.network)
    yield from _derivation(findings, name)
    yield from theorems(findings.proofs or (), derivation, name, findings.argument or construction.name)
    if predicts(construction) and derivation is not None:
        yield from example(derivation.construction, derivation, first_right(construction))
    else:
        yield from example(construction, derivation)
    if findings.claims is not None:
        yield from published(findings.claims)


def _derivation(findings: Findings, section: str) -> Iterator[blocks.Block]:
    if isinstance(findings.construction.network, Decoder):
        yield from of_decoder(findings.construction)
    elif findings.derivation is not None:
        yield from Teller(findings.derivation, section).blocks()
        if predicts(findings.construction):
            yield from _outputs(findings.construction)
    else:
        yield blocks.Heading(2, ("Derivation",))
        yield blocks.Paragraph((f"There is no closed form: {findings.underivable}.",))


def _outputs(construction: Construction) -> Iterator[blocks.Block]:
    """What is derived above is one output; the others are told by their closed forms."""
    told = first_right(construction)
    yield blocks.Paragraph(
        (
            "The logit above is the output of ",
            blocks.Code(told),
            ". The other outputs are read off the same row:",
        )
    )
    for token, tokens in tied_outputs(construction).items():
        derived = derived_in_time(logit_difference(construction, token))
        if token != told and isinstance(derived, Derivation):
            names = blocks.joined([(blocks.Code(each),) for each in tokens])
            yield blocks.Paragraph((*names, ":"))
            yield blocks.Equations(tuple(blocks.Line(left, (right,)) for left, right in equations(derived)))


def document(found: Sequence[Findings]) -> blocks.Document:
    """Each construction in a section of its own."""
    return assembled([named_section(findings, number) for number, findings in enumerate(found)])


def named_section(findings: Findings, number: int) -> blocks.NamedSection:
    """The section of that number, from 0, with the name of the file that it may have of its own."""
    return file_name(findings.construction.name), section(findings, letter(number))


def assembled(sections: Sequence[blocks.NamedSection]) -> blocks.Document:
    return blocks.Document(title="Derivations and proofs", preface=PREFACE, sections=tuple(sections))


def derivation_alone(derivation: Derivation) -> tuple[blocks.Block, ...]:
    """The derivation without what surrounds it."""
    return tuple(Teller(derivation, letter(0)).blocks())


def file_name(name: str) -> str:
    """A construction's name as that of a file."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip(".-") or "construction"


def check_names(names: Sequence[str]) -> None:
    """Raises InputError where two constructions, or machines, would have the same file."""
    files = [file_name(name) for name in names]
    for name in files:
        if files.count(name) > 1 or name == INDEX:
            raise InputError(f"two files would be called {name}: rename a construction, or leave one out")


_NOTATION: tuple[blocks.Spans, ...] = (
    (
        "Positions count from 0; ",
        blocks.Math("n"),
        " is the number of positions, markers included, ",
        blocks.Math("i"),
        " a generic position, and ",
        blocks.Math("j"),
        " the position that a sum runs over. A sum or a quantifier over positions without bounds runs over those that "
        "hold a symbol of the word.",
    ),
    (
        blocks.Math("w_{i}"),
        " is the token at position ",
        blocks.Math("i"),
        "; ",
        blocks.Math(r"k_{\texttt{a}}"),
        " is the number of symbols ",
        blocks.Math(r"\texttt{a}"),
        " in the word, ",
        blocks.Math(r"k_{\texttt{a}}(i)"),
        " that at positions 0 to ",
        blocks.Math("i"),
        ", inclusive; ",
        blocks.Math(r"\mathbb{I}[\,\cdot\,]"),
        " is 1 where its condition holds, and 0 elsewhere. That ",
        blocks.Math("w"),
        " matches a regular expression says so of all of the word, from its first to its last symbol, without markers.",
    ),
    (
        blocks.Math("a^{0,i}"),
        " is the input vector at position ",
        blocks.Math("i"),
        ", ",
        blocks.Math("c^{l,i}"),
        " the vector after the attention of layer ",
        blocks.Math("l"),
        " and its residual connection, ",
        blocks.Math("a^{l,i}"),
        " that after its feed-forward network. The name of a coordinate is a label and proves nothing. Of a wide "
        "matrix in several parts, a row that is not in one of them is 0 there.",
    ),
    (
        "Of head ",
        blocks.Math("h"),
        " of layer ",
        blocks.Math("l"),
        ", ",
        blocks.Math("q^{l,h}"),
        " is the query at the position in question, ",
        blocks.Math("K^{l,h}_{j}"),
        " the key at position ",
        blocks.Math("j"),
        ", whose weight is ",
        blocks.Math("e"),
        " to the power of their scaled product, over the partition function ",
        blocks.Math("Z^{l,h}"),
        "; ",
        blocks.Math("N^{l,h}_{x}"),
        " is the sum of the weighted values of coordinate ",
        blocks.Math("x"),
        ", and ",
        blocks.Math("o^{l,h}_{x}"),
        " their quotient, which the head adds to the coordinate; of the feed-forward network of layer ",
        blocks.Math("l"),
        ", ",
        blocks.Math("h^{l}_{u}"),
        " is the value of hidden unit ",
        blocks.Math("u"),
        " and ",
        blocks.Math("f^{l}_{x}"),
        " what is added to coordinate ",
        blocks.Math("x"),
        ".",
    ),
    (
        "Sums that no rule closes are called ",
        blocks.Math(r"S_{1}, S_{2}, \dots"),
        ". Beside each step stands the rule that was applied and, where there is one, the condition under which it "
        "holds. Between a sum and its closed form stand numbers of positions, each times the value that is added "
        "there, where the values are not numbers; or its rule says at which one position anything is added.",
    ),
    (
        blocks.Math(r"\cosh(x) = \frac{1}{2}(e^{x} + e^{-x})"),
        ", ",
        blocks.Math(r"\sinh(x) = \frac{1}{2}(e^{x} - e^{-x})"),
        " and ",
        blocks.Math(r"\tanh(x) = \sinh(x) / \cosh(x)"),
        " stand where that is shorter; each is expanded again and compared.",
    ),
    (
        "Layer normalisation takes the mean ",
        blocks.Math(r"\mu"),
        " from a row and multiplies it by a positive scale ",
        blocks.Math(r"R_{1}, R_{2}(i), \dots"),
        ", of which one over the square is given; a norm after a norm has one scale for both.",
    ),
    (
        "In an invariant, ",
        blocks.Math(r"\text{so far}"),
        " says that the part of the language's definition that is about all positions has held at all positions up to ",
        blocks.Math("j"),
        "; ",
        blocks.Math(r"S_{1}^{\text{next}}"),
        " is the least absolute value of what position ",
        blocks.Math("j+1"),
        " adds to ",
        blocks.Math("S_{1}"),
        " where it adds anything, ",
        blocks.Math(r"S_{1}^{\text{first}}"),
        " the same for the first symbol, and ",
        blocks.Math(r"\text{reward}"),
        " the most that the logit of an accepted word has beside its sums.",
    ),
    (
        "An obligation is written with its hypotheses before ",
        blocks.Math(r"\vdash"),
        " and its goal behind it, denominators cleared; what holds of every word and every prefix (that counts "
        "add up, that position ",
        blocks.Math("j+1"),
        " of a step holds a symbol) goes without saying. It is closed by a certificate, which exact arithmetic checks "
        "without a solver, or by the solvers that are named.",
    ),
    (
        "What the paper prints is in its own notation. It is ",
        blocks.Styled("true"),
        " where it is what was derived from the weights; ",
        blocks.Styled("true-under"),
        " where it is so under the convention that is named, but not literally; ",
        blocks.Styled("ambiguous"),
        " where print leaves more than one literal reading, with different verdicts. What is false names the slip that "
        "makes it so; its cause and a correction stand below the table.",
    ),
)
PREFACE: tuple[blocks.Block, ...] = (
    blocks.Paragraph(
        (
            "This document is generated. The weights are those of the constructions, every equation is a recorded step "
            "of the derivation from them, and every verdict was reached in making the document.",
        )
    ),
    blocks.Items(_NOTATION),
)


WRITING = 60.0
"""Seconds for the section on one construction, when all is derived and proved."""


@dataclass(frozen=True)
class Written:
    """A section of the document, and the results of the theorems in it; is_judged: no claim in it has a reading that is
    open."""

    section: blocks.NamedSection
    results: tuple[Result, ...]
    is_judged: bool = True


def written_alone(source: Named, number: int) -> Written:
    """The section of that number, from 0: derivation, proofs and judged claims of one construction."""
    return written_and_judged(source, number)[0]


def written_and_judged(source: Named, number: int) -> tuple[Written, Section | None]:
    """As `written_alone`, with the judged claims, if anything is printed of it."""
    construction = source.construction
    quantities = Analysis(construction)
    of_one = quantities.output(first_right(construction)) if predicts(construction) else quantities
    derived = of_one.maybe_derived(None, Deadline.after(DERIVATION_SECONDS))
    stated = theorems_about(source)
    reached = zip(stated, proofs(construction, stated, analysis=quantities), strict=True)
    proved = tuple(_known(construction, theorem, proof) for theorem, proof in reached)
    derivation, reason = (derived, "") if isinstance(derived, Derivation) else (None, str(derived))
    claims = judged(source, proved) if source.is_printed else None
    findings = Findings(construction, derivation, reason, proved, source.argument, claims)
    section = Deadline.after(WRITING).during(
        f"the document on {construction.name}", lambda: named_section(findings, number)
    )
    is_judged = claims is None or claims.is_settled
    return Written(section, tuple(proof.result for proof in proved), is_judged), claims


def _known(construction: Construction, theorem: Theorem, proof: Proof) -> Proof:
    """The proof of a theorem that is stated, with the evidence of the kernel where it was checked."""
    verdict = with_kernel(construction, theorem, proof.result.verdict)
    return replace(proof, result=replace(proof.result, verdict=verdict))
