"""The part of the trust manifest about what runs step by step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence

from weightproof.constructions.library import AS_PRINTED, FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.rnn import RNN, every_rnn
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs.machines.components import Shown, components, evidence_of, judged, prove_components, theorems
from weightproof.proofs.machines.deciding import SPOT
from weightproof.proofs.machines.prove import SIZED, SIZES, prove_family, prove_machine
from weightproof.proofs.verdict import Proved, Refuted, Result, Unknown

HEADING = "Simulations"
HEAD = f"""\
## {HEADING}

What an encoder-decoder computes, step by step, is defined by `constructions/meaning/decoding.py`; what recurrent
networks and Turing machines do, by `constructions/machines/`. The proofs are inductions over the steps, whose
obligations speak of polynomials with rational coefficients and are settled by exact arithmetic, without a solver
(`proofs/machines/`, `symbolic/machines/`); that these imply the theorems is programmed, not proved. Before every
`proved` all words of up to {SPOT} symbols are run. A recurrent network holds every configuration of its machine, from
the step after the word is read, every fourth step; a transformer holds the state of its recurrent network at every
step. A family is proved for every recurrent network of a size at once, its numbers being names; the transformer for
numbers is that one with the numbers put in (`with_numbers` in `constructions/machines/simulation.py`). Of other sizes,
and of units and symbols that are called otherwise, nothing is proved but of a network that is named. As printed a
family is refuted by one of them, whose numbers are 0 but for those that are told.

All of this is proved from more than the beginning: from every state, its values in [0, 1], that is put in before any
step, and from every configuration that is put in the place of the first. So a changed weight that no word shows is
refuted by a state; of the shipped machines' networks and transformers a sample of the changes is tried in
`make controls`, and each is refuted or proved harmless.

The hash of a machine is that of its table, its network and both transformers; of a family, that of its transformers.
"""


COMPONENTS_HEAD = f"""\
### Components

What Bhattamishra et al. (2020) say of each component, in figure 2 and section 4.2, of simulating every recurrent
network: judged by transformers without it, of which that is proved of some sizes alone, so that the evidence is
`sampled`, or by what no network without it can do. The sizes are
{SIZED}. The latter is read off the blocks of every shape of a layer
(`symbolic/machines/flow.py`), whatever the weights, the width and the number of layers are. "Essential" is judged of
simulating every recurrent network; of running every Turing machine it would say more.
"""


def simulations() -> str:
    """Everything that is stated of simulations and of components, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines(), COMPONENTS_HEAD, *_components()))


def _components() -> Iterator[str]:
    results = {result.theorem: result for result in prove_components()}
    yield "| component | printed | where | judged | evidence | rests on | note |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in components():
        rests = "; ".join(each.name for each in (*row.without, *row.impossible)) or "-"
        said = (
            row.name,
            row.printed,
            row.source,
            judged(row, results),
            evidence_of(row, results) or "-",
            rests,
            row.note or "-",
        )
        yield f"| {' | '.join(said)} |"
    yield ""
    yield from header()
    for each in theorems():
        yield from rows([results[each.name]], _theorem_hash(each))
    yield ""


def _theorem_hash(theorem: Shown) -> str:
    """Of its transformers; a theorem about all networks has none."""
    made = theorem.made
    return "-" if made is None else _fingerprint_of(made)


def _lines() -> Iterator[str]:
    yield from header()
    for family in (*FAMILIES, *AS_PRINTED):
        yield from rows(list(prove_family(family)), _family_hash(family))
    for name in SHIPPED:
        machine = find_machine(name)
        assert machine is not None
        yield from rows(list(prove_machine(machine)), _machine_hash(machine))
    yield ""


def header() -> Iterator[str]:
    """Of a table of families, machines or circuits."""
    yield "| construction | hash | theorem | statement | verdict | scope | evidence |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"


def _machine_hash(machine: TuringMachine) -> str:
    network = network_of(machine).rnn
    return fingerprint((machine.table, network, *(simulation_of(family, network).network for family in FAMILIES)))


def _family_hash(family: str) -> str:
    return _fingerprint_of(functools.partial(simulation_of, family))


def _fingerprint_of(made: Callable[[RNN], Simulation]) -> str:
    return fingerprint(tuple(made(every_rnn(*size)).network for size in SIZES))


def rows(results: Sequence[Result], fingerprint: str) -> Iterator[str]:
    """A row for each theorem."""
    for result in results:
        match result.verdict:
            case Proved(scope=scope, evidence=evidence):
                basis = f"{evidence} ({result.obligations[evidence.value]})"
            case Refuted(counterexample=found):
                numbers = "".join(f", {name} = {value}" for name, value in found.parameters.items())
                scope, basis = f"word `{found.word!r}`{numbers}: {found.note}", found.evidence
            case Unknown(reason=reason):
                scope, basis = "-", reason
        verdict = result.verdict.name + ("" if result.as_expected else f", **expected {result.expected}**")
        said = (result.construction, f"`{fingerprint}`", result.theorem, result.statement, verdict, scope, basis)
        yield f"| {' | '.join(said)} |"
