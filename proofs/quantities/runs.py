"""Exact runs on words of many lengths, against which what was derived is held before it proves anything.

The derivation's logit has to be the interpreter's. A difference is a mistake of this program, whichever part made it:
it is raised, and never becomes a verdict.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, product

from flint import arb, fmpq

from weightproof.constructions.languages.notation import compact
from weightproof.constructions.languages.samples import long_words, words
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import Run, run
from weightproof.constructions.scalars.exact import Undecided, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import difference
from weightproof.proofs.quantities.instances import Instance, on_word
from weightproof.proofs.refuting.refute import text
from weightproof.symbolic.algebra.definedness import scalars
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit, has_value

SHORT, SHORTEST = 4, 2
"""Symbols up to which every parameter value is tried; up to which all words of a probe are run."""
LONG = 5
"""How many longer words are run of a probe."""
MOST_TRIED = 4
"""Parameter values that are tried on a word until its run is decided."""
WORK = 400_000
"""As many products of a weight or a score with a value are made in the runs of a construction, about, and no more words
are run: a count, so that the same words are run on every machine. Of what is built in all words are."""


class InternalError(Exception):
    """Two readings of the same data differ, or what was proved is wrong of a word: a mistake of this program."""


@dataclass(frozen=True)
class Sample:
    """A word with parameter values, and its run."""

    instance: Instance
    run: Run


@dataclass(frozen=True)
class Runs:
    """decided: the samples; skipped: of each word whose run was decided at none of the values that were tried, one."""

    decided: tuple[Sample, ...]
    skipped: tuple[Instance, ...]


Runner = Callable[[Sequence[str], Mapping[str, str], int | None], Run]


def sampled(
    construction: Construction,
    chosen: Iterable[Sequence[Instance]],
    work: int = WORK,
    derivation: Derivation | None = None,
    bits: int | None = None,
    runner: Runner | None = None,
) -> Runs:
    """Runs on the chosen words, exactly or in balls, as many as so much work allows; of the instances of a word the
    first whose run is decided.

    runner: what runs a word where the construction is one output of a network that has been run already.

    Raises InternalError where the interpreter has no value on a word of a network that was derived, unless the
    derivation has none there either.
    """
    decided, skipped = list[Sample](), list[Instance]()
    on = functools.partial(run, construction) if runner is None else runner
    for instances in within(construction, chosen, work):
        for instance in instances:
            try:
                decided.append(Sample(instance, on(instance.word, instance.parameters, bits)))
                break
            except Undecided:
                continue
            except ArithmeticError as error:
                given = {name: instance.values[name] for name in instance.parameters}
                if derivation is None or has_value(derivation, instance.tokens, given):
                    raise differing(construction, instance, f"{_read(derivation)}, but {error}") from error
                break
        else:
            skipped += instances[:1]
    return Runs(tuple(decided), tuple(skipped))


def _read(derivation: Derivation | None) -> str:
    """How a network was read of which a run has no value."""
    return "it was read as an automaton" if derivation is None else "a closed form was derived"


def within(construction: Construction, chosen: Iterable[Sequence[Instance]], work: int) -> Iterator[Sequence[Instance]]:
    """The chosen words, as many as so much work allows, counting one run of each: every weight at every position, and
    every score of every head."""
    network = construction.encoder
    weights, heads = sum(1 for _ in scalars(network)), sum(len(layer.heads) for layer in network.layers)
    for instances in chosen:
        yield instances
        positions = len(instances[0].tokens)
        work -= positions * weights + positions**2 * heads
        if work < 0:
            return


def many_words(construction: Construction, at: Mapping[str, Expression]) -> Iterator[Sequence[Instance]]:
    """Short words, then long ones, of every length up to 40 and some up to 100, at one of the parameter values to try
    each, or more until one is decided; then the short ones at all others."""
    alphabet = construction.language.alphabet
    short = ["".join(word) for length in range(SHORT + 1) for word in islice(product(alphabet, repeat=length), 2)]
    yield from _at_one_each(construction, chain(short, long_words(alphabet, SHORT + 1)), at)
    for number, word in enumerate(short):
        options = list(on_word(construction, word, at))
        yield from ([option] for other, option in enumerate(options) if other != number % len(options))


def few_words(construction: Construction, at: Mapping[str, Expression]) -> Iterator[Sequence[Instance]]:
    """All words up to SHORTEST, and some long ones, at one of the parameter values to try each."""
    alphabet = construction.language.alphabet
    longer = islice(long_words(alphabet, SHORTEST + 1), LONG)
    yield from _at_one_each(construction, chain(words(alphabet, SHORTEST), longer), at)


def _at_one_each(
    construction: Construction, chosen: Iterable[str], at: Mapping[str, Expression]
) -> Iterator[Sequence[Instance]]:
    """The options are found anew only where they depend on the length; each word begins with another one."""
    alike, options = all("n" not in value.names for value in at.values()), list[Instance]()
    for number, word in enumerate(chosen):
        if not (alike and options):
            options = list(on_word(construction, word, at))
        tokens = add_markers(construction.encoder, word)
        if options and tokens:
            first = number % len(options)
            tried = [*options[first:], *options[:first]][:MOST_TRIED]
            yield [
                replace(option, word=word, tokens=tokens, values={**option.values, "n": fmpq(len(tokens))})
                for option in tried
            ]


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
