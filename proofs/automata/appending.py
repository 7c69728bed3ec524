"""What a decoder appends, by automata: how far its output for a token is ahead of each other one."""

from __future__ import annotations

import itertools
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.outputs import logit_difference, outputs
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.automata.cases import Case
from weightproof.proofs.automata.deciding import by_automata
from weightproof.proofs.automata.network import read
from weightproof.proofs.automata.walking import require_read
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.solving.close import Closed
from weightproof.proofs.strategies.appending import speaks_of_one
from weightproof.proofs.theorem import Appends, Compares
from weightproof.symbolic.algebra.definedness import scalars
from weightproof.symbolic.algebra.vocabulary import Underivable

MOST_WORDS = 50
"""Of a solver's, that are asked whether the theorem speaks of them."""


def as_encoder(construction: Construction) -> Construction:
    """The encoder that predicts what a decoder appends to a word, where no two of its outputs are equal. Underivable
    where its weights know the length, which at every position of a decoder is that of what is before it."""
    network = construction.network
    assert isinstance(network, Decoder)
    if network.table is not None or network.arithmetic is not None:
        raise Underivable("a decoder with a table of positions, or with rounded arithmetic")
    made = Encoder(
        network.coordinates,
        network.embedding,
        network.layers,
        network.readout,
        network.begin,
        final_norm=network.final_norm,
    )
    if any("n" in each.names for _, each in scalars(made)):
        raise Underivable("a decoder whose weights depend on the length of what is before a position")
    return replace(construction, network=made)


def appended_by_automata(
    construction: Construction, theorem: Appends, deadline: Deadline
) -> tuple[tuple[Case, ...], list[Closed], str | None]:
    """The kinds of words, the obligations that were closed, and why that is not enough: a word that refutes it among
    the reasons; None where it is. Underivable where no automata tell the network, or what is given."""
    predicting = as_encoder(construction)
    is_marker = theorem.behind == predicting.encoder.begin
    place = "n == 1" if is_marker else f"n >= 1 and w[n-1] == {theorem.behind!r}"
    given = Expression(f"({theorem.given}) and {place}")
    tokens = outputs(predicting)
    if theorem.token not in tokens:
        raise Underivable(f"{theorem.token!r} is no output that is compared with others")
    cases, closed, analysis = tuple[Case, ...](), list[Closed](), Analysis(predicting)
    words = list[tuple[str, ...]]()
    for other in tokens:
        if other == theorem.token:
            continue
        ahead = logit_difference(predicting, theorem.token, other)
        earlier = tokens.index(other) < tokens.index(theorem.token)
        name = f"{theorem.token!r} over {other!r}"
        compares = Compares(">" if earlier else ">=", 0, "n >= 0", given=given, name=name)
        runs = deadline.during("the reading as an automaton", lambda made=ahead: read(made))  # type: ignore[misc]
        proving = by_automata(ahead, runs, compares, deadline)
        if proving.counterexample is not None:
            return cases, closed, f"{name}: not so on {proving.counterexample.word!r}"
        if proving.gap is not None:
            return cases, closed, f"{proving.gap.obligation.name}: {proving.gap.reason}"
        require_read(ahead, runs, analysis.output(theorem.token, other).runs(None, {}).decided)
        cases = (*cases, *(case.named(name) for case in proving.cases))
        closed += [item.named(name) for item in proving.closed]
        words += itertools.islice(proving.words(), MOST_WORDS)
    if not all(item.vacuous for item in closed) and not speaks_of_one(construction, theorem, map("".join, words)):
        return cases, closed, "no word was found that the theorem speaks of: it may be vacuous"
    return cases, closed, None
