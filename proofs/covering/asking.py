"""What is to be shown of the outputs of a network, as signs of numbers: of a word by which formulas are true of
it, and of a prompt by the token that is to be appended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Readout
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.theorem import PROVER, Decides, Predicts, rivals


@dataclass(frozen=True)
class Signs:
    """What is to be shown of outputs: what each row of the matrix makes of them has the sign."""

    matrix: tuple[tuple[int, ...], ...]
    sign: str


@dataclass(frozen=True)
class Asked:
    """Of each word, by which formulas are true of it, what is to be shown; None where nothing is."""

    formulas: tuple[Expression, ...]
    of: Callable[[Sequence[bool]], Signs | None]


def asked(construction: Construction, theorem: Decides | Predicts) -> Asked:
    """What a theorem asks of outputs. NotCovered for one that says in which cases a token is predicted."""
    if isinstance(theorem, Decides):
        accepts = theorem.accepts or construction.language.characterisation
        rule = PROVER.accepted(construction.encoder.readout.accept)

        def of(truths: Sequence[bool]) -> Signs | None:
            given, accepted = truths
            if not given:
                return None
            if not rule.side:
                return Signs(((1,),), "zero" if accepted else "not zero")
            direction, apart = rule.on_side(accepted)
            return Signs(((direction,),), "positive" if apart or theorem.strict else "not negative")

        return Asked((theorem.given, accepts), of)
    if theorem.where is not None:
        raise NotCovered("covering does not read a theorem that says after which words a token is predicted")
    labels, readout = construction.language.labels, construction.encoder.readout

    def of_token(truths: Sequence[bool]) -> Signs | None:
        given, *right = truths
        wanted = [token for token, is_right in zip(labels, right, strict=True) if is_right]
        rows = tuple(_over(readout, token, other) for token in wanted for other in rivals(construction, token))
        return Signs(rows, "positive") if given and rows else None

    return Asked((theorem.given, *labels.values()), of_token)


def over_others(token: str, readout: Readout) -> Signs:
    """That the output of a token is ahead of each other one."""
    rows = tuple(_over(readout, token, other) for other in readout.W.rows if other != token)
    return Signs(rows, "positive")


def _over(readout: Readout, token: str, other: str) -> tuple[int, ...]:
    rank = PROVER.ranked(readout.accept)
    return tuple(rank.ahead(int(name == token), int(name == other)) for name in readout.W.rows)
