"""`derive`: the closed form of the logit and every step to it, as a document with proofs, as plain text, or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar, assert_never

from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import alike, first_right, outputs, over, ranks
from weightproof.constructions.meaning.schema import Decoder, EncoderDecoder
from weightproof.decoders import deriving as decoders
from weightproof.document.blocks import Block
from weightproof.machines.derivable import Derivable
from weightproof.proofs.attempt import SECONDS, attempt
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.sources import Source
from weightproof.symbolic.algebra.iverson import Iverson
from weightproof.symbolic.derivation import Applied, Derivation, DotProduct, OverPositions, Quotient, Step
from weightproof.symbolic.writing.plain import applied, cases, closed_form, explicit_sum, steps, value
from weightproof.symbolic.writing.presentation import logit
from weightproof.terminal.page import Page, PlainPage

T = TypeVar("T")

DOCUMENT = "derivations"
"""The name of the one file that holds them all."""


class Format(Enum):
    TEXT = "text"
    LATEX = "latex"
    MARKDOWN = "md"

    @staticmethod
    def of(name: str | None, output: Path | None, pdf: bool, with_steps: bool) -> Format:
        """The format that is asked for: LaTeX if nothing is said, text with its steps where those are asked for."""
        formats = {each.value: each for each in Format}
        if name is not None and name not in formats:
            raise InputError(f"--format {name} is not known; give {', '.join(formats)}")
        chosen = formats[name] if name is not None else Format.TEXT if with_steps and not pdf else Format.LATEX
        if pdf and chosen is not Format.LATEX:
            raise InputError(f"--pdf is made from LaTeX; leave out --format {name}")
        if with_steps and chosen is not Format.TEXT:
            raise InputError("--steps is for --format text; a document has every step as it is")
        if pdf and output is None:
            raise InputError("--pdf needs a place for its file; name a directory with --output DIR")
        return chosen


def derived(construction: Construction, output: str | None = None) -> Derivation:
    """The derivation; InputError where no rule covers a step, or where it takes too long.

    output: of a network that takes the argmax over tokens, the token whose output it is of; the first one that is ever
    right where none is named.
    """
    if isinstance(construction.network, EncoderDecoder):
        raise InputError(
            f"{construction.name}: an encoder-decoder is derived if it runs a recurrent network; give that, an RNN(...)"
        )
    if ranks(construction):
        return derived(over(construction, first_right(construction) if output is None else output))
    if output is not None:
        raise InputError(f"{construction.name}: it reads out a logit, and has no output {output!r}")
    match attempt(construction):
        case Derivation() as derivation:
            return derivation
        case reason:
            raise InputError(f"{construction.name}: no closed form: {reason}") from reason


def _in_time(name: str, write: Callable[[], T]) -> T:
    """What is written of a construction or a machine, or InputError where that takes too long."""
    try:
        return Deadline.after(SECONDS).during("writing it down", write)
    except TimeUp as late:
        raise InputError(f"{name}: {late}") from late


def reports(page: Page, sources: Sequence[Source], others: Sequence[Derivable], with_steps: bool) -> None:
    """Of several, one without a closed form, or that takes too long, is no reason to keep the others back."""
    alone = len(sources) + len(others) == 1
    for source in sources:
        with _told_instead(page, alone):
            if isinstance(source.construction.network, Decoder):
                _in_time(source.construction.name, lambda of=source: decoders.report(page, of.construction, with_steps))  # type: ignore[misc]
                continue
            for token in alike(source.construction) if ranks(source.construction) else (None,):
                derivation = derived(source.construction, token)
                _in_time(source.construction.name, lambda found=derivation: report(page, found, with_steps))  # type: ignore[misc]
    for other in others:
        with _told_instead(page, alone):
            _in_time(other.name, lambda found=other: found.report(page, with_steps))  # type: ignore[misc]


@contextmanager
def _told_instead(page: Page, alone: bool) -> Iterator[None]:
    """What could not be written, unless nothing else is."""
    try:
        yield
    except InputError as error:
        if alone:
            raise
        page.heading(str(error))


def report(page: Page, derivation: Derivation, with_steps: bool) -> None:
    construction = derivation.construction
    page.heading(f"{construction.name}: {construction.title}")
    for line in closed_form(derivation).splitlines():
        page.line(line, indent=1)
    if with_steps:
        page.heading("Steps")
        for line in steps(derivation).splitlines():
            page.line(line, indent=1)


def publish(
    sources: Sequence[Source],
    others: Sequence[Derivable],
    chosen: Format,
    output: Path | None,
    pdf: bool,
    with_steps: bool,
) -> bool:
    """Write the document, to standard output or as files; whether every verdict in it is the expected one."""
    from weightproof.appendix.appendix import assembled, check_names, file_name
    from weightproof.appendix.subjects import told
    from weightproof.document.pdf import build, require

    check_names([*(source.construction.name for source in sources), *(other.name for other in others)])
    if chosen is Format.TEXT:
        assert output is not None
        _texts(sources, others, output, with_steps)
        return True
    if pdf:
        require()  # now, not after minutes of proofs
    found = told(sources)
    simulators = [(file_name(other.name), *_section(other)) for other in others]
    sections = [*(each.section for each in found), *((name, section) for name, section, _ in simulators)]
    for name, text in _files(assembled(sections), chosen).items():
        if output is None:
            print(text, end="")
        else:
            write(output / name, text)
    if pdf and output is not None:
        build(output / f"{DOCUMENT}.tex")
    return all(each.as_expected for each in found) and all(as_expected for _, _, as_expected in simulators)


def _texts(sources: Sequence[Source], others: Sequence[Derivable], output: Path, with_steps: bool) -> None:
    """A file for each."""
    from weightproof.appendix.appendix import file_name

    each = [*((source.construction.name, [source], []) for source in sources), *((o.name, [], [o]) for o in others)]
    for name, source, other in each:
        text = StringIO()
        reports(PlainPage(text), source, other, with_steps)
        write(output / f"{file_name(name)}.txt", text.getvalue())


def _files(whole: Any, chosen: Format) -> dict[str, str]:
    """Name -> content: one file of LaTeX; of Markdown one for each construction, and where there are several, an
    index."""
    from weightproof.document import markdown, tex

    if chosen is Format.LATEX:
        return {f"{DOCUMENT}.tex": tex.latex(whole)}
    first = {"index.md": markdown.index(whole)}
    return first | {f"{name}.md": markdown.page(section) for name, section in whole.sections}


def _section(other: Derivable) -> tuple[tuple[Block, ...], bool]:
    try:
        return other.section()
    except TimeUp as late:
        raise InputError(f"{other.name}: {late}") from late


def payloads(sources: Sequence[Source], others: Sequence[Derivable]) -> dict[str, Any]:
    """The JSON: the object of one construction, machine or family, or those of several under "derivations"."""
    if len(sources) == 1 and not others:
        return _payload(sources[0])
    if len(others) == 1 and not sources:
        return _in_time(others[0].name, others[0].payload)
    return {"derivations": [*map(_payload_or_reason, sources), *map(_other_or_reason, others)]}


def _other_or_reason(other: Derivable) -> dict[str, Any]:
    try:
        return _in_time(other.name, other.payload)
    except InputError as error:
        return {"construction": other.argument, "closed_form": None, "reason": str(error)}


def _payload(source: Source) -> dict[str, Any]:
    if isinstance(source.construction.network, Decoder):
        return _in_time(source.construction.name, lambda: decoders.payload(source.argument, source.construction))
    derivation = derived(source.construction)
    whole = _in_time(source.construction.name, lambda: payload(source.argument, derivation))
    return whole | ({"outputs": _outputs(source.construction)} if ranks(source.construction) else {})


def _outputs(construction: Construction) -> dict[str, str]:
    """The closed form of each output; "closed_form" and what belongs to it is that of the first right token."""
    found: dict[str, str] = {}
    for token, tokens in alike(construction).items():
        derivation = derived(construction, token)
        found |= dict.fromkeys(tokens, value(logit(derivation), derivation.vocabulary))
    return {token: found[token] for token in outputs(construction)}


def _payload_or_reason(source: Source) -> dict[str, Any]:
    try:
        return _payload(source)
    except InputError as error:
        return {"construction": source.argument, "closed_form": None, "reason": str(error)}


def payload(argument: str, derivation: Derivation) -> dict[str, Any]:
    from weightproof.appendix.appendix import derivation_alone
    from weightproof.document.tex import fragment

    vocabulary = derivation.vocabulary
    shown = logit(derivation)
    listed = cases(shown, vocabulary)
    return {
        "construction": argument,
        "closed_form": value(shown, vocabulary),
        "cases": None if listed is None else [{"value": text, "condition": where} for text, where in listed],
        "sums": {str(symbol): explicit_sum(total, vocabulary) for symbol, total in derivation.all_sums.items()},
        "steps": [_step(step, derivation) for step in derivation.steps],
        "latex": fragment(derivation_alone(derivation)),
    }


def _step(step: Step, derivation: Derivation) -> dict[str, Any]:
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
    return {
        "rule": step.rule,
        "location": step.location,
        "before": before,
        "after": value(step.after, vocabulary),
        "condition": None if step.positive is None else f"{value(step.positive, vocabulary)} > 0",
    }
