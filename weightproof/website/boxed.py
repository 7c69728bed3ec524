"""What the word box of a page is given: the network's weights, each rounded once to float64, the exact verdicts on all
short words, and what is proved of longer ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from flint import fmpq

from weightproof.appendix.example import example_word
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import Environment
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.running import Prediction, Run, parameter_values, predict, predicted, run
from weightproof.constructions.modular.addition import SUMMANDS, Adder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.rounding.formats import FORMATS, rounded
from weightproof.proofs.deadline import Deadline, TimeUp
from weightproof.proofs.theorem import EVERYTHING, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Proved, Result
from weightproof.website.trees import NotWhole, formula, scalar

Ran = TypeVar("Ran", Run, Prediction)
DTYPE = "float64"
"""In which pages compute."""
MOST_WORDS = 2_100
"""Of all words up to some length, whose exact verdicts a page has."""
BOX = Choices("the word box", InputError)
SECONDS = 10.0
"""Of counted work, for these verdicts."""
BITS = 128
"""Of the balls in which a word is run first."""
ALL_LENGTHS = "all lengths"
ACCEPTS, REJECTS, AT_0, OPEN = "+-0?"
"""Verdicts of a recogniser: the last but one on a logit of 0, under the rule that the sign accepts; and where the exact
run has none."""
FIRST_TOKEN, FIRST_TIE = "A", "a"
"""Of tokens, by their number among the outputs: predicted alone, and the first of several with equal outputs."""
MOST_TOKENS = 26


def boxed(
    construction: Construction, theorems: Sequence[Theorem], results: Sequence[Result], verdicts: Sequence[str]
) -> dict[str, Any]:
    """All of it, as JSON; symbols: how many each word has, None for any number. results: of the theorems, in their
    order; verdicts: as `exact_verdicts` has them, or none. InputError for a network that a page cannot run."""
    if not isinstance(construction.network, schema.Encoder):
        raise InputError(f"{construction.name}: only encoders are run in a page")
    values = parameter_values(construction)
    return {
        **_encoder(construction.network, construction.alphabet, values),
        "name": construction.name,
        "parameters": {parameter.name: parameter.default.source for parameter in construction.parameters},
        "symbols": None,
        "verdicts": list(verdicts),
        "longer": longer(construction, theorems, results, values),
        "example": example_word(construction) or "",
    }


def boxed_adder(adder: Adder) -> dict[str, Any]:
    """The same of a network that adds residues, whose words are any two of them: each has its verdict."""
    p, *frequencies = adder.modulus.numbers
    words = [*itertools.product(adder.alphabet, repeat=len(SUMMANDS))]
    found = [_certain(partial(predicted, adder.name, adder.network, word)) for word in words]
    return {
        **_encoder(adder.network, adder.alphabet, {}),
        "name": adder.name,
        "parameters": {"p": str(p), "k": ", ".join(map(str, frequencies))},
        "symbols": len(SUMMANDS),
        "verdicts": [*("" for _ in SUMMANDS), "".join(_token(adder, each) for each in found)],
        "longer": None,
        "example": " ".join(adder.alphabet[-len(SUMMANDS) :]),
    }


def _encoder(network: schema.Encoder, alphabet: Sequence[str], values: Environment) -> dict[str, Any]:
    """What it computes, at these values of its parameters."""
    reading = _Reading({**values, "d": fmpq(len(network.coordinates))})
    return {
        "alphabet": list(alphabet),
        "begin": network.begin,
        "end": network.end,
        "coordinates": list(network.coordinates),
        "embedding": reading.rows(network.embedding.WE),
        "positions": reading.row(network.embedding.PE),
        "layers": [reading.layer(layer) for layer in network.layers],
        "final_norm": reading.norm(network.final_norm),
        "readout": {
            **reading.linear(network.readout.W),
            "position": network.readout.position,
            "accept": network.readout.accept,
            "outputs": list(network.readout.W.rows),
        },
        "names": reading.numbers,
    }


@dataclass(frozen=True)
class _Reading:
    """Scalars as numbers where they are the same at all positions and for all lengths, and else as trees."""

    values: Environment

    @property
    def numbers(self) -> dict[str, float]:
        """What the names in trees stand for."""
        return {name: rounded(value, FORMATS[DTYPE]) for name, value in self.values.items()}

    def scalar(self, expression: Expression) -> Any:
        if expression.names <= self.values.keys():
            return rounded(evaluate(expression, self.values), FORMATS[DTYPE])
        return scalar(expression)

    def row(self, entries: Mapping[str, Expression]) -> dict[str, Any]:
        return {name: self.scalar(entry) for name, entry in entries.items()}

    def rows(self, rows: schema.Rows) -> dict[str, dict[str, Any]]:
        return {name: self.row(row) for name, row in rows.items()}

    def linear(self, linear: schema.Linear) -> dict[str, Any]:
        return {"weights": self.rows(linear.weights), "bias": self.row(linear.bias), "rows": list(linear.rows)}

    def head(self, head: schema.Head) -> dict[str, Any]:
        BOX.require_plain(head)
        return {
            "W_Q": self.rows(head.W_Q),
            "W_K": self.rows(head.W_K),
            "W_V": self.rows(head.W_V),
            "W_O": None if head.W_O is None else self.rows(head.W_O),
            "score": head.score,
            "scale": self.scalar(head.scale),
            "normaliser": head.normaliser,
            "mask": head.mask,
            "query_norm": self.norm(head.query_norm),
            "key_norm": self.norm(head.key_norm),
        }

    def layer(self, layer: schema.Layer) -> dict[str, Any]:
        units = layer.feed_forward
        return {
            "heads": [self.head(head) for head in layer.heads],
            "feed_forward": None
            if units is None
            else {
                "first": self.linear(units.first),
                "second": self.linear(units.second),
                "activation": units.activation,
                "gate": None if units.gate is None else self.linear(units.gate),
            },
            "attention_residual": layer.attention_residual,
            "feed_forward_residual": layer.feed_forward_residual,
            "attention_norm": self.norm(layer.attention_norm),
            "feed_forward_norm": self.norm(layer.feed_forward_norm),
            "attention_norm_before": self.norm(layer.attention_norm_before),
            "feed_forward_norm_before": self.norm(layer.feed_forward_norm_before),
        }

    def norm(self, norm: schema.Norm | None) -> dict[str, Any] | None:
        if norm is None:
            return None
        return {
            "kind": type(norm).__name__,
            "epsilon": self.scalar(norm.epsilon),
            "gain": None if norm.gain is None else self.row(norm.gain),
            "bias": None if norm.bias is None else self.row(norm.bias),
        }


def exact_verdicts(construction: Construction) -> list[str]:
    """Of each length from 0 on one letter a word, the words in the order of the alphabet; as many lengths as the work
    and the number of words allow, and none of what a page cannot run."""
    if not isinstance(construction.network, schema.Encoder):
        return []
    size, deadline = len(construction.alphabet), Deadline.after(SECONDS)
    found: list[str] = []
    for length in itertools.count():
        if sum(size**shorter for shorter in range(length + 1)) > MOST_WORDS:
            return found
        words = map("".join, itertools.product(construction.alphabet, repeat=length))
        try:
            found.append(deadline.during("exact verdicts", partial(_together, construction, words)))
        except TimeUp:
            return found
    raise AssertionError("lengths do not end")


def _together(construction: Construction, words: Iterator[str]) -> str:
    return "".join(_verdicts(construction, words))


def _verdicts(construction: Construction, words: Iterator[str]) -> Iterator[str]:
    for word in words:
        try:
            yield _verdict(construction, word)
        except (ArithmeticError, InputError):  # it has no value, or no position
            yield OPEN


def _certain(running: Callable[..., Ran]) -> Ran:
    """In balls, which are quick and of which only what is certain counts, and exactly where they decide nothing."""
    try:
        return running(bits=BITS, unread=False)
    except Undecided:
        return running(unread=False)


def _verdict(construction: Construction, word: str) -> str:
    if predicts(construction):
        return _token(construction, _certain(partial(predict, construction, word)))
    found = _certain(partial(run, construction, word))
    return ACCEPTS if found.accepts else REJECTS if found.decided else AT_0


def _token(of: Construction | Adder, found: Prediction) -> str:
    number = of.network.readout.W.rows.index(found.token)
    if number >= MOST_TOKENS:
        raise InputError(f"{of.name}: more outputs than a page has letters for")
    return chr(ord(FIRST_TOKEN if found.decided else FIRST_TIE) + number)


def longer(
    construction: Construction, theorems: Sequence[Theorem], results: Sequence[Result], values: Environment
) -> dict[str, Any] | None:
    """What is proved at the default values of the parameters of the words of every length, as formulas that a page can
    evaluate without rounding; None where nothing is."""
    for theorem, result in zip(theorems, results, strict=True):
        verdict = result.verdict
        if not isinstance(verdict, Proved) or verdict.scope != ALL_LENGTHS:
            continue
        try:
            said = _said(construction, theorem, values)
        except (NotWhole, OverflowError):
            continue
        if said is not None:
            return {"theorem": result.theorem, "evidence": verdict.evidence.value, **said}
    return None


def _said(construction: Construction, theorem: Theorem, values: Environment) -> dict[str, Any] | None:
    language = construction.language
    if not isinstance(theorem, Decides | Predicts) or not _is_given(theorem.given, values):
        return None
    match theorem:
        case Decides(accepts=accepts):
            return {"accepts": formula(language.characterisation if accepts is None else accepts, values)}
        case Predicts(where=None):
            right = {token: formula(of, values) for token, of in language.labels.items()}
            return {"language": formula(language.characterisation, values), "right": right}
    return None


def _is_given(hypothesis: Expression, values: Environment) -> bool:
    """Whether it is true of these values, whatever the word."""
    if hypothesis.source == EVERYTHING:
        return True
    if symbols_of(hypothesis.tree) is not None or not hypothesis.names <= values.keys():
        return False
    return holds(hypothesis, {name: values[name] for name in hypothesis.names}, (), ())
