"""Words by their runs of equal symbols, as a countermodel gives them: run by the interpreter as long as they are short
enough for that, and read by their runs beyond (`constructions.meaning.counting`), exactly or in balls.

A word that is read so has not been replayed: `Counterexample.counted` says so.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.counting import Runs, read_runs
from weightproof.constructions.meaning.interpreter import decision
from weightproof.constructions.meaning.running import Run, parameter_values
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds, holds_on_runs
from weightproof.proofs.refuting.refute import Reader, broken_at, certain, counterexample
from weightproof.proofs.theorem import OnWords, most_positions
from weightproof.proofs.verdict import Counterexample

LONGEST_RUN = 600
"""Symbols up to which the interpreter runs a word: it compares all pairs of positions, and takes seconds there."""
LONGEST_SPOKEN = 20_000
"""Symbols up to which a formula about all positions is asked of each."""


def symbols_in(runs: Runs) -> int:
    return sum(times for _, times in runs)


def spelled(runs: Runs) -> tuple[str, ...]:
    """The symbols, one after the other."""
    return tuple(itertools.chain.from_iterable([symbol] * times for symbol, times in runs))


def merged(runs: Sequence[tuple[str, int]]) -> Runs:
    """Neighbours of the same symbol as one, and none that is empty."""
    found = [(symbol, sum(times for _, times in each)) for symbol, each in itertools.groupby(runs, lambda run: run[0])]
    return tuple((symbol, times) for symbol, times in found if times)


def written(runs: Runs) -> str:
    """The notation that `run` reads, as 0{1000}1{1001}."""
    return "".join(symbol * times if times < 4 else f"{symbol}{{{times}}}" for symbol, times in runs)


RUN = re.compile(r"(.)(?:\{(\d+)\})?", re.DOTALL)


def read(text: str) -> Runs:
    """The runs that `written` wrote."""
    return merged([(symbol, int(times or 1)) for symbol, times in RUN.findall(text)])


def marked(network: Encoder, runs: Runs) -> Runs:
    """Between its markers."""
    begin = () if network.begin is None else ((network.begin, 1),)
    end = () if network.end is None else ((network.end, 1),)
    return (*begin, *runs, *end)


def counterexample_in_runs(
    construction: Construction,
    theorem: OnWords,
    runs: Runs,
    parameters: Mapping[str, str],
    lead: Reader | None = None,
) -> Counterexample | None:
    """As `counterexample`, of a word of any length; lead: for those that the interpreter runs."""
    if symbols_in(runs) <= LONGEST_RUN:
        return counterexample(construction, theorem, spelled(runs), parameters, lead)
    network = construction.encoder
    values, tokens = parameter_values(construction, parameters), marked(network, runs)
    positions = symbols_in(tokens)
    if positions > (most_positions(theorem) or positions):
        return None
    try:
        if not true_on_runs(construction, theorem.hypothesis, values, tokens):
            return None
        formula = theorem.accepts or construction.language.characterisation
        wanted = true_on_runs(construction, formula, values, tokens)

        def ran(bits: int | None) -> Run:
            logit = read_runs(network, tokens, values, bits)["logit"]
            return Run((), (), logit, *decision(network.readout, logit))

        def wrong(result: Run) -> str | None:
            return broken_at(theorem, network.readout.accept, result, wanted, {**values, "n": fmpq(positions)})

        length = symbols_in(runs)
        found = Counterexample(construction.name, written(runs), dict(parameters), wanted, symbols=length)
        return certain(construction, found, ran, wrong)
    except ArithmeticError:
        return None


def true_on_runs(construction: Construction, formula: Expression, values: Mapping[str, Real], tokens: Runs) -> bool:
    """Whether a formula is true of a marked word; ArithmeticError where it has no value, or speaks of all positions of
    a word of more than LONGEST_SPOKEN."""
    alphabet = construction.language.alphabet
    if symbols_in(tokens) <= LONGEST_SPOKEN:
        return holds(formula, dict(values), spelled(tokens), alphabet)
    return holds_on_runs(formula, dict(values), tokens, alphabet)
