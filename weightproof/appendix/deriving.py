"""`derive`: the closed form of the logit and every step to it, as a document with proofs, as plain text, or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar, assert_never

from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import first_right, logit_difference, predicts, tied_outputs
from weightproof.constructions.meaning.schema import EncoderDecoder
from weightproof.document.blocks import Block, Heading, Paragraph, Plain
from weightproof.parallel.pieces import Workers
from weightproof.proofs.quantities.analysis import derived_in_time
from weightproof.reported import Ending
from weightproof.reports.explanation import Derivable, Explanation, ShownStep
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.derivation import Applied, Derivation, DotProduct, OverPositions, Quotient, Step
from weightproof.symbolic.writing.plain import applied, cases, closed_form, explicit_sum, steps, value
from weightproof.symbolic.writing.presentation import logit
from weightproof.terminal.page import plain

T = TypeVar("T")

DOCUMENT = "derivations"
"""The name of the one file that holds them all."""


class Format(Enum):
    TEXT = "text"
    LATEX = "latex"
    MARKDOWN = "md"

    @staticmethod
    def of(name: str | None, output: Path | None, pdf: bool, with_steps: bool, is_read: bool) -> Format:
        """The format that is asked for. If nothing is said, text for somebody who reads it on a terminal, and where its
        steps are asked for; else LaTeX."""
        formats = {each.value: each for each in Format}
        if name is not None and name not in formats:
            raise InputError(f"--format {name} is not known; give {', '.join(formats)}")
        is_text = (with_steps or (is_read and output is None)) and not pdf
        chosen = formats[name] if name is not None else Format.TEXT if is_text else Format.LATEX
        if pdf and chosen is not Format.LATEX:
            raise InputError(f"--pdf is made from LaTeX; leave out --format {name}")
        if with_steps and chosen is not Format.TEXT:
            raise InputError("--steps is for --format text; a document has every step as it is")
        if pdf and output is None:
            raise InputError("--pdf needs a place for its file; name a directory with --output DIR")
        return chosen


def derived(construction: Construction, output: str | None = None) -> Derivation:
    """The derivation; InputError where no rule covers a step, or where it takes too long.

    output: of a network that predicts a token or a class, the token whose output it is of; the first one that is ever
    right where none is named.
    """
    if isinstance(construction.network, EncoderDecoder):
        raise InputError(
            f"{construction.name}: an encoder-decoder is derived if it runs a recurrent network; give that, an RNN(...)"
        )
    if predicts(construction):
        return derived(logit_difference(construction, first_right(construction) if output is None else output))
    if output is not None:
        raise InputError(f"{construction.name}: it reads out a logit, and has no output {output!r}")
    match derived_in_time(construction):
        case Derivation() as derivation:
            return derivation
        case reason:
            raise InputError(f"{construction.name}: no closed form: {reason}") from reason


class LogitExplained(Explanation):
    """The closed form of a logit, and every step to it; outputs: the derivations of all outputs, by tokens that have
    the same one, where an argmax is taken over them."""

    def __init__(self, derivation: Derivation, outputs: Mapping[tuple[str, ...], Derivation] | None = None) -> None:
        self.derivation, self.outputs = derivation, outputs or {}

    @staticmethod
    def of(construction: Construction) -> LogitExplained:
        """InputError where it has no closed form."""
        groups = tied_outputs(construction) if predicts(construction) else {}
        equal = {tuple(tokens): derived(construction, first) for first, tokens in groups.items()}
        return LogitExplained(derived(construction), equal)

    def blocks(self) -> Iterator[Block]:
        from weightproof.appendix.appendix import derivation_alone

        yield from derivation_alone(self.derivation)

    @property
    def closed_form(self) -> str:
        return value(logit(self.derivation), self.derivation.vocabulary)

    @property
    def cases(self) -> list[dict[str, Any]] | None:
        listed = cases(logit(self.derivation), self.derivation.vocabulary)
        return None if listed is None else [{"value": text, "condition": where} for text, where in listed]

    @property
    def beside(self) -> dict[str, Any]:
        """The sums in it; the closed form of each output, as the closed form and what belongs to it is that of the
        first right token."""
        vocabulary = self.derivation.vocabulary
        sums = {str(symbol): explicit_sum(total, vocabulary) for symbol, total in self.derivation.all_sums.items()}
        if not self.outputs:
            return {"sums": sums}
        found = {tokens: value(logit(each), each.vocabulary) for tokens, each in self.outputs.items()}
        return {"sums": sums, "outputs": {token: found[tokens] for tokens in found for token in tokens}}

    def steps(self) -> Iterator[ShownStep]:
        return (_step(step, self.derivation) for step in self.derivation.steps)

    def text(self, with_steps: bool) -> Iterator[Plain]:
        for derivation in self.outputs.values() or (self.derivation,):
            construction = derivation.construction
            yield Heading(3, f"{construction.name}: {construction.title}")
            yield from (Paragraph(line, 1) for line in closed_form(derivation).splitlines())
            if with_steps:
                yield Heading(3, "Steps")
                yield from (Paragraph(line, 1) for line in steps(derivation).splitlines())


def reports(wanted: Sequence[Derivable], with_steps: bool) -> Iterator[Plain]:
    """Of several, one without a closed form, or that takes too long, is no reason to keep the others back."""
    for each in wanted:
        try:
            yield from each.report(with_steps)
        except InputError as error:
            if len(wanted) == 1:
                raise
            yield Heading(3, str(error))


def publish(
    again: Callable[[], Sequence[Derivable]],
    chosen: Format,
    output: Path | None,
    pdf: bool,
    with_steps: bool,
    workers: Workers | None = None,
    file: Path | None = None,
) -> Ending:
    """Write the document, to standard output or as files, with the sections that are reached; how the command ends.
    again, workers, file: as in `sections.made`."""
    from weightproof.appendix.appendix import assembled, check_names, file_name
    from weightproof.appendix.sections import SECTIONS, made
    from weightproof.document.tex import build, require

    wanted = again()
    check_names([each.name for each in wanted])
    if chosen is Format.TEXT:
        assert output is not None
        for each in wanted:
            write(output / f"{file_name(each.name)}.txt", f"{plain(reports([each], with_steps))}\n")
        return Ending()
    if pdf:
        require()  # now, not after minutes of proofs
    reached = made(again, SECTIONS, workers, file)
    if not reached.found:
        return reached.ending
    for name, text in _files(assembled([each.section for each in reached.found]), chosen).items():
        if output is None:
            print(text, end="")
        else:
            write(output / name, text)
    if pdf and output is not None:
        build(output / f"{DOCUMENT}.tex")
    return reached.ending


def _files(whole: Any, chosen: Format) -> dict[str, str]:
    """Name -> content: one file of LaTeX; of Markdown one for each construction, and where there are several, an
    index."""
    from weightproof.document import markdown, tex

    if chosen is Format.LATEX:
        return {f"{DOCUMENT}.tex": tex.latex(whole)}
    first = {"index.md": markdown.index(whole)}
    return first | {f"{name}.md": markdown.page(section) for name, section in whole.sections}


def payload(
    again: Callable[[], Sequence[Derivable]], workers: Workers | None = None, file: Path | None = None
) -> tuple[dict[str, Any] | None, Ending]:
    """The JSON, the object of one, or those of several under "derivations", None where not all of it was reached; and
    how the command ends. again, workers, file: as in `sections.made`."""
    from weightproof.appendix.sections import DATA, DATA_OR_REASON, made

    is_one = len(again()) == 1
    reached = made(again, DATA if is_one else DATA_OR_REASON, workers, file)
    if reached.interrupted or reached.gone is not None:
        return None, reached.ending
    return reached.found[0] if is_one else {"derivations": [*reached.found]}, reached.ending


def _step(step: Step, derivation: Derivation) -> ShownStep:
    vocabulary = derivation.vocabulary
    match step.before:
        case OverPositions(summands=summands):
            before: Any = {token: value(summand, vocabulary) for token, summand in summands}
        case Quotient(numerator=numerator, denominator=denominator):
            before = {"numerator": value(numerator, vocabulary), "denominator": value(denominator, vocabulary)}
        case DotProduct(scale=scale, factors=factors):
            query, key = ([value(pair[side], vocabulary) for pair in factors] for side in (0, 1))
            before = {"scale": value(scale, vocabulary), "query": query, "key": key}
        case Applied():
            before = applied(step.before, vocabulary)
        case Iverson():
            before = value(step.before, vocabulary)
        case other:
            assert_never(other)
    condition = None if step.positive is None else f"{value(step.positive, vocabulary)} > 0"
    return ShownStep(step.rule, step.location, before, value(step.after, vocabulary), condition)
