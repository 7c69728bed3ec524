"""`run` of a decoder: the tokens that it appends to a word, exactly, and in floating point where that is asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Produced
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder
from weightproof.document.blocks import Heading, Paragraph, Plain, Styled, Table, pairs
from weightproof.kinds import Running
from weightproof.named import Named
from weightproof.reported import Ran
from weightproof.reports import running
from weightproof.terminal.digits import decimal, fraction

MOST_TOKENS = 100
"""Tokens that a decoder appends, unless more are asked for."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Generated(Ran):
    """What a decoder appends to a word, `produced` in exact arithmetic, or in balls of so many bits; argument: the
    construction as the user named it; numeric: the readings in floating point; every: each token is shown with its
    outputs."""

    argument: str
    construction: Construction
    given: Mapping[str, str]
    produced: tuple[Produced, ...]
    bits: int | None
    numeric: tuple[Mapping[str, Any], ...]
    every: bool
    must_agree: ClassVar[bool] = False

    @property
    def agrees(self) -> None:
        return None

    @property
    def stopped(self) -> bool:
        network = self.construction.network
        assert isinstance(network, Decoder)
        return bool(self.produced) and self.produced[-1].token == network.stop

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.argument,
            "word": self.word,
            "parameters": running.parameters_of(self.construction, self.given),
            "appended": [
                {"token": each.token, "outputs": {token: _exact(value) for token, value in each.outputs.items()}}
                for each in self.produced
            ],
            "stopped": self.stopped,
            "evaluated": running.INTERPRETER if self.bits is None else running.IN_BALLS,
            "numeric": list(self.numeric),
        }

    def report(self) -> Iterator[Plain]:
        """The tokens, with their outputs where every one is asked for, and those in floating point."""
        tokens = [each.token for each in self.produced]
        yield Heading(3, f"{self.construction.name} on {compact(self.word)!r}")
        values = ", ".join(
            f"{name} = {value}" for name, value in running.parameters_of(self.construction, self.given).items()
        )
        appends = Styled(" ".join(tokens) or "nothing yet")
        said = [("parameters", values)] if values else []
        yield pairs([*said, *running.said_of_balls(self.bits), ("appends", appends)])
        if self.every:
            outputs = list(self.produced[0].outputs) if self.produced else []
            rows = [
                [str(number), each.token, *(_exact(each.outputs[token]) for token in outputs)]
                for number, each in enumerate(self.produced, start=1)
            ]
            yield Table(("step", "token", *map(repr, outputs)), rows, right=frozenset({"step"}))
        yield from running.in_floating_point(
            (*running.PLACE, "appends", "agrees"),
            [[*running.place(row), " ".join(row["tokens"]), running.agreement(row["agrees"])] for row in self.numeric],
        )
        if not self.stopped:
            told = f"It has not stopped after {len(tokens)} tokens; raise --max-steps to go on."
            yield Paragraph(Styled(told, "yellow"))


def generated(source: Named, word: str, how: Running) -> Generated:
    """Run a word until the decoder stops, or as many tokens are appended as there may be; InputError for what cannot be
    run."""
    floating, construction, given = running.floating_point(how), source.construction, how.parameters
    most = MOST_TOKENS if how.max_steps is None else how.max_steps
    if len(word) > running.LONGEST_TRACED:
        raise InputError(
            f"{construction.name}: a word of {len(word)} symbols is too long; give {running.LONGEST_TRACED} or less"
        )
    with running.valued(construction, word):
        produced, bits = running.in_numbers(
            construction.name,
            lambda bits: tuple(itertools.islice(generate(construction, word, given, bits), most)),
            how.exact,
        )
    wanted = [each.token for each in produced]

    def answer(dtype: str, device: str, attention: str) -> dict[str, Any]:
        from weightproof.numeric.decoding.networks import DecoderTransformer

        model = DecoderTransformer(construction, given, dtype, device, attention)
        tokens = [each.tokens[0] for each in itertools.islice(model.generate([word]), most)]
        return {"tokens": tokens, "agrees": tokens == wanted}

    return Generated(
        word=word,
        argument=source.argument,
        construction=construction,
        given=given,
        produced=produced,
        bits=bits,
        numeric=() if floating is None else floating.rows(answer),
        every=how.steps,
    )


def _exact(value: Any) -> str:
    return fraction(value) or decimal(value).digits
