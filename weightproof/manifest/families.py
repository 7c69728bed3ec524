"""What is proved of families and their members, simulators, circuits and networks that add: a page for each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.library import (
    ADDERS,
    AS_PRINTED,
    COUNTERS,
    FAMILIES,
    adder_of,
    circuit_network_of,
    circuits_of,
    network_of,
    simulation_of,
    units_of,
)
from weightproof.constructions.library import CIRCUITS as OF_CIRCUITS
from weightproof.constructions.machines.files import SHIPPED as MACHINES
from weightproof.constructions.machines.files import find_machine
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.record import fingerprint, plain
from weightproof.constructions.modular.family import every_modulus
from weightproof.document import markdown
from weightproof.document.blocks import Code, Heading, Spans, Table, Text
from weightproof.manifest.rows import at_a_step, hashed, section, settled
from weightproof.proofs.circuits.deciding import CHECKED_GATES, CHECKED_RUNS, FEW_GATES, FEW_INPUTS
from weightproof.proofs.circuits.prove import of_circuit
from weightproof.proofs.circuits.prove import of_family as of_circuits
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST
from weightproof.proofs.modular.deciding import CHECKED as MODULI_RUN
from weightproof.proofs.modular.prove import of_family as of_sums
from weightproof.proofs.prover import Exact, proved
from weightproof.proofs.simulation.components import components, evidence_of, judged, theorems
from weightproof.proofs.simulation.deciding import CHECKED as SPELT
from weightproof.proofs.simulation.prove import SIZED, SIZES, of_machine
from weightproof.proofs.simulation.prove import of_family as of_simulators
from weightproof.proofs.verdict import Counterexample, Result

SIMULATIONS = f"""\
# Simulations, step by step

What an encoder-decoder computes, step by step, is defined by `constructions/meaning/interpreter.py`; what recurrent
networks and Turing machines do, by `constructions/machines/`. The proofs are inductions over the steps, whose
obligations speak of polynomials with rational coefficients and are settled by exact arithmetic, without a solver
(`proofs/simulation/`, `symbolic/simulation/`); that these imply the theorems is programmed, not proved. Before every
`proved` all words of up to {SPELT} symbols are run. A recurrent network holds every configuration of its machine, from
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

COMPONENTS = f"""\
# What a transformer needs of its components

What Bhattamishra et al. (2020) say of each component, in figure 2 and section 4.2, of simulating every recurrent
network: judged by transformers without it, of which that is proved of some sizes alone, so that the evidence is
`sampled`, or by what no network without it can do. The sizes are
{SIZED}. The latter is read off the blocks of every shape of a layer
(`symbolic/simulation/flow.py`), whatever the weights, the width and the number of layers are. "Essential" is judged of
simulating every recurrent network; of running every Turing machine it would say more.
"""

CIRCUITS = f"""\
# Circuits

What a decoder appends is defined by `constructions/meaning/interpreter.py`, in numbers of s bits, every result rounded
as `constructions/scalars/fixed_point.py` says; what a circuit computes, by `constructions/circuits/circuit.py`. What a
step computes is derived by `symbolic/fixed_point/`, which is written apart from both: the score of a head is gone
through row by row, with every bit free. Where all bits have rows that are alike, a further one that leads to no new
state leads to none however often it comes: so it is true of every width. That decoders are made of such blocks is seen
of each width of up to {WIDEST} bits. A table has a row for each position, of the gate that is written there, and a
format's greatest number stands in the place of its name: that is how `constructions/circuits/family.py` makes decoders,
and nothing else does. What a row holds is seen of each of these widths and each kind of gate, the bits of all numbers
being free; so by induction over the gates every address is the number of one position that is seen, as a gate reads
wires before its own. Beside that the tables of all circuits of up to {FEW_GATES} gates over {FEW_INPUTS} inputs are
checked. That two numbers of so many bits differ in a bit is arithmetic, and taken as known. Of a circuit that is named
every row of its table is checked, of whatever size it is, and its first {CHECKED_GATES} gates are run on {CHECKED_RUNS}
inputs. A regular language's circuit is nothing but a prologue, a block for each symbol and an epilogue
(`assembled` in `constructions/circuits/regular.py`).

The hash of a family is that of its decoder for numbers of one bit, of a circuit that of its decoder with its table.
"""

SUMS = f"""\
# Sums

What these networks compute is defined by `constructions/meaning/interpreter.py`, and for the feed-forward networks by
`constructions/modular/counting.py`. Addition modulo p is proved of the network whose modulus, frequency and residues
are names (`symbolic/modular/waves.py`, `adding.py`): every value is a sum of waves with rational coefficients, and an
equality of those is true of all numbers. Three rules about cosines of whole multiples of 2 pi/p say the rest
(`symbolic/modular/rotations.py`); they are programmed, not proved, and held against exact numbers of small moduli.
Every network with numbers is that one with numbers in the place of its names, and with several frequencies one such
network beside the other: that is how `constructions/modular/family.py` makes them, and nothing else does. Before every
`proved` all pairs of residues of the moduli up to {MODULI_RUN} are run.

A feed-forward network for words of n bits is proved for a unit whose number is a name: the step function of a
difference of whole numbers, and a sum that telescopes (`proofs/modular/counting.py`,
`symbolic/modular/alternating.py`).

As a control every nonzero weight is changed, in all members of a family alike and in single members; each change is
refuted or proved harmless (`make controls`). The hash is that of the network with names.
"""


Family = tuple[str, str, Iterable[Exact]]
"""A name, a hash, and the theorems about what has it."""


def simulations() -> str:
    """Everything that is stated of simulations, proved anew."""
    families = [
        (family, _hash_of_simulations(partial(simulation_of, family)), of_simulators(family))
        for family in (*FAMILIES, *AS_PRINTED)
    ]
    machines = [(name, _hash_of_machine(_machine(name)), of_machine(_machine(name))) for name in MACHINES]
    return _page(SIMULATIONS, (*families, *machines))


def _machine(name: str) -> TuringMachine:
    machine = find_machine(name)
    assert machine is not None
    return machine


def _hash_of_machine(machine: TuringMachine) -> str:
    network = network_of(machine).rnn
    return fingerprint((machine.table, network, *(simulation_of(family, network).network for family in FAMILIES)))


def _hash_of_simulations(made: Callable[[RNN], Simulation]) -> str:
    return fingerprint(tuple(made(every_rnn(*size)).network for size in SIZES))


def of_components() -> str:
    """What is printed of each component, judged by theorems that are proved anew, and these."""
    results = {result.theorem: result for result in proved(theorems())}
    header = ("component", "printed", "where", "judged", "evidence", "rests on", "note")
    rows: list[tuple[str, ...]] = []
    for row in components():
        rests, evidence = "; ".join(each.name for each in (*row.without, *row.impossible)), evidence_of(row, results)
        said = row.name, row.printed, row.source, judged(row, results), evidence or "-", rests or "-", row.note or "-"
        rows.append(said)
    made = {each.name: each.made for each in theorems()}
    hashes = {name: "-" if of is None else _hash_of_simulations(of) for name, of in made.items()}
    stated = Table((*HEADER, "hash"), [(*_row(result), Code(hashes[name])) for name, result in results.items()])
    parts = (Table(header, rows), Heading(2, "The theorems"), stated)
    return f"{COMPONENTS}\n{markdown.markdown(parts)}"


def circuits() -> str:
    """Everything that is stated of circuits, proved anew."""
    families = [
        (family, fingerprint((circuits_of(family).decoder(ONE_BIT), family)), of_circuits(family))
        for family in OF_CIRCUITS
    ]
    return _page(CIRCUITS, (*families, *map(_of_circuit, SHIPPED)))


def _of_circuit(name: str) -> Family:
    circuit = find_circuit(name)
    assert circuit is not None
    networks = tuple(circuit_network_of(family, circuit).network for family in OF_CIRCUITS)
    return name, fingerprint(networks), of_circuit(circuit)


def sums() -> str:
    """Everything that is stated of families that add, proved anew."""
    families = ((family, hash_of_sums(family), of_sums(family)) for family in (*ADDERS, *COUNTERS))
    return _page(SUMS, families, _of_residues)


def hash_of_sums(family: str) -> str:
    """Of the network with names, or of the weights as functions of the numbers of input and unit."""
    if family in COUNTERS:
        units = plain(units_of(family))
        return fingerprint({name: units[name] for name in ("W_1", "b_1", "W_2", "b_2")})
    return fingerprint(adder_of(family, every_modulus()).network)


PAGES: dict[str, Callable[[], str]] = {
    "simulations": simulations,
    "components": of_components,
    "circuits": circuits,
    "sums": sums,
}
"""By their names, as files."""
HEADER = ("theorem", "statement", "given", "verdict", "scope", "evidence")


def _page(said: str, families: Iterable[Family], refuting: Callable[[Counterexample], Spans] = at_a_step) -> str:
    """What is said of all of them, then a section for each."""
    sections = (
        section(name, (hashed(mark),), Table(HEADER, [_row(result, refuting) for result in proved(stated)]))
        for name, mark, stated in families
    )
    return "\n".join((said, *sections))


def _row(result: Result, refuting: Callable[[Counterexample], Spans] = at_a_step) -> tuple[Text, ...]:
    given = " and ".join(result.hypotheses) or "-"
    return result.theorem, result.statement, given, *settled(result, refuting)


def _of_residues(found: Counterexample) -> Spans:
    values = "".join(f", {name} = {value}" for name, value in found.parameters.items())
    return Code(found.word), f"{values}: {found.note}"
