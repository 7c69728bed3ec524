"""Exact runs on words of many lengths, against which what was derived is held before it proves anything.

The derivation's logit has to be the interpreter's. A difference is a mistake of this program, whichever part made it:
it is raised, and never becomes a verdict.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product

from flint import arb, fmpq

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.languages.samples import long_words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import Run, mark, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.numbers import difference, sign
from weightproof.proofs.quantities.instances import Instance, on_word
from weightproof.proofs.refuting.refute import text, words
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit, has_value

SHORT, SHORTEST = 4, 2
"""Symbols up to which every parameter value is tried; up to which all words of a probe are run."""
LONG = 5
"""How many longer words are run of a probe."""


class InternalError(Exception):
    """Two readings of the same data differ, or what was proved is wrong of a word: a mistake of this program."""


@dataclass(frozen=True)
class Sample:
    """A word with parameter values, and its run."""

    instance: Instance
    run: Run


Runner = Callable[[Sequence[str], Mapping[str, str], int | None], Run]


def sampled(
    construction: Construction,
    chosen: Iterable[Instance],
    seconds: float,
    derivation: Derivation | None = None,
    bits: int | None = None,
    runner: Runner | None = None,
) -> tuple[Sample, ...]:
    """Runs on the chosen words, exactly or in balls, as far as the seconds of processor time reach.

    runner: what runs a word where the construction is one output of a network that has been run already.

    Raises InternalError where the interpreter has no value on a word of a network that was derived, unless the
    derivation has none there either.
    """
    end, result = time.process_time() + seconds, []
    on = functools.partial(run, construction) if runner is None else runner
    for instance in chosen:
        try:
            result.append(Sample(instance, on(instance.word, instance.parameters, bits)))
        except Undecided:
            continue
        except ArithmeticError as error:
            given = {name: instance.values[name] for name in instance.parameters}
            if derivation is None or has_value(derivation, instance.tokens, given):
                raise differing(construction, instance, f"a closed form was derived, but {error}") from error
        if time.process_time() > end:
            break
    return tuple(result)


def many_words(construction: Construction, at: Mapping[str, Expression]) -> Iterator[Instance]:
    """Short words at all the parameter values to try, then long ones, of every length up to 40 and some up to 100, at
    one of them each."""
    alphabet = construction.language.alphabet
    short = ["".join(word) for length in range(SHORT + 1) for word in islice(product(alphabet, repeat=length), 2)]
    for word in short:
        yield from on_word(construction, word, at)
    yield from _at_one_each(construction, long_words(alphabet, SHORT + 1), at)


def few_words(construction: Construction, at: Mapping[str, Expression]) -> Iterator[Instance]:
    """All words up to SHORTEST, and some long ones, at one of the parameter values to try each."""
    alphabet = construction.language.alphabet
    longer = islice(long_words(alphabet, SHORTEST + 1), LONG)
    yield from _at_one_each(construction, chain(words(alphabet, SHORTEST), longer), at)


def _at_one_each(construction: Construction, chosen: Iterable[str], at: Mapping[str, Expression]) -> Iterator[Instance]:
    """The options are found anew only where they depend on the length."""
    network = construction.network
    assert isinstance(network, Encoder)
    alike, options = all("n" not in value.names for value in at.values()), list[Instance]()
    for number, word in enumerate(chosen):
        if not (alike and options):
            options = list(on_word(construction, word, at))
        tokens = mark(network, word)
        if options and tokens:
            option = options[number % len(options)]
            yield replace(option, word=word, tokens=tokens, values={**option.values, "n": fmpq(len(tokens))})


CERTAIN = 512
"""Bits that tell a logit from another; what they cannot tell apart is taken for equal forms that are not recognised."""


def compare(construction: Construction, derivation: Derivation, runs: Iterable[Sample]) -> None:
    """Raises InternalError unless the derived logit is that of each run."""
    for sample in runs:
        given = {name: sample.instance.values[name] for name in sample.instance.parameters}
        try:
            found = sample.run.logit
            derived = evaluate_logit(derivation, sample.run.tokens, given, CERTAIN if isinstance(found, arb) else None)
            same = sign(difference(derived, found), CERTAIN) == 0
        except Undecided:
            continue
        except ArithmeticError as error:
            raise differing(construction, sample.instance, f"the derived logit: {error}") from error
        if not same:
            said = f"the derived logit is {text(derived)}, the interpreter's {text(sample.run.logit)}"
            raise differing(construction, sample.instance, said)


def differing(construction: Construction, instance: Instance, what: str) -> InternalError:
    """The error that says what is wrong on a word."""
    at = "".join(f", {name} = {value}" for name, value in instance.parameters.items())
    return InternalError(f"{construction.name} on {compact(instance.word)!r}{at}: {what}")
