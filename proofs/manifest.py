"""The trust manifest: what is proved, what each verdict rests on, and of which weights it is true.

`python -m weightproof.proofs.manifest` proves every theorem that is stated and prints it; `make manifest` writes it
into TRUST.md. It names no time and no date: it changes when the weights, a verdict or a pinned version does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version

from weightproof.constructions.circuits.files import SHIPPED, find_circuit
from weightproof.constructions.languages.samples import BEYOND, EVERY
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
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.record import digest, fingerprint, plain
from weightproof.constructions.modular.family import every_modulus
from weightproof.proofs.circuits.deciding import CHECKED_GATES, CHECKED_RUNS, FEW_GATES, FEW_INPUTS
from weightproof.proofs.circuits.prove import of_circuit
from weightproof.proofs.circuits.prove import of_family as of_circuits
from weightproof.proofs.circuits.widths import ONE_BIT, WIDEST
from weightproof.proofs.kernel.checked import Record, strengthened
from weightproof.proofs.modular.deciding import CHECKED as MODULI_RUN
from weightproof.proofs.modular.prove import of_family as of_sums
from weightproof.proofs.prover import Exact, proved
from weightproof.proofs.simulation.components import components, evidence_of, judged, theorems
from weightproof.proofs.simulation.deciding import CHECKED as SPELT
from weightproof.proofs.simulation.prove import SIZED, SIZES, of_machine
from weightproof.proofs.simulation.prove import of_family as of_simulators
from weightproof.proofs.solving.trusted import FACTS
from weightproof.proofs.theorem import EVERYTHING, NEVER, Decides, Predicts, Theorem
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Result, Unknown

SOFTWARE = {
    "z3-solver": "the first solver",
    "cvc5": "the second solver",
    "sympy": "expands and cancels polynomials and rational functions of the closed forms and certificates",
    "python-flint": "exact rationals and balls of the interpreter",
}

PATIENT = 180
"""Seconds of counted work for a theorem."""

TOLD = """\
## What is asserted without an obligation

Two solvers agree on what they are told. So each fact that a proof uses without an obligation of its own is computed
each time in exact arithmetic, or shown; what is left is a definition or a rule, which is trusted and stands here.
"""

HEAD = f"""\
# Trust manifest

Written by `make manifest`, which proves everything below anew; `tests/proofs/test_proofs.py` fails when this file no
longer says what comes out.

## What every verdict rests on

- **What a network computes** is defined by `constructions/meaning/schema.py` and
  `constructions/meaning/interpreter.py`, in real numbers. No verdict speaks of floating point.
- **What a language is** is defined by its formula. Its Python function is held against the formula on every word up to
  length 10, and on words of up to {max(BEYOND)} symbols at several parameter values, not proved equal.
- **Every value exists.** That no weight, encoding, scale or formula divides by zero or leaves the reals, for any n,
  position or parameter, is shown before a closed form is derived or a formula is used.
- **The closed form is the forward pass.** `symbolic/` derives it by rules that are programmed, not proved. It is
  compared with the interpreter on every word up to length 10, over three symbols 7, and on random long ones
  (`tests/symbolic/`), on random networks from the whole schema (`tests/controls/test_random_constructions.py`), and,
  with the theorem itself, before every `proved`: on words of every length up to {EVERY} and some up to
  {max(BEYOND)}, of a large network on as many as a fixed number of products allows. A difference is no verdict; where
  no sign of them can be decided nothing is proved.
- **A proof** takes the closed form apart into obligations (`proofs/`); that these imply the theorem is programmed, not
  proved. As a control every nonzero weight is changed: the verdict must become a word, or stay proved because the
  change is harmless (`make controls`).
- **Transformed constructions**, named after what was done to them, as `one+sharpen`, have had less: every weight is
  changed of ONE under a norm and of FIRST with log length alone; of FIRST, PARITY, palindromes, 1-DYCK and bounded
  depth, with and without a margin, under a norm, of FIRST by one layer with log length, of ONE and PARITY sharpened,
  and of FIRST, PARITY and 1-DYCK with a margin sharpened under a norm, a sample (`tests/controls/test_controls.py` says
  how many); a few of their closed forms are compared with the interpreter on words of up to 3 to 5 symbols only, beside
  the comparison before every `proved`.
- **Predicted tokens** are those of the greatest output, alone. Each output less each other one is a closed form, held
  against the outputs of the interpreter's run of the whole network.
- **Side conditions** that are linear in integers are settled by exact elimination and put to both solvers again.
- **A margin** is the least |logit| of the accepted or of the rejected words of n positions: a bound that holds on
  every word, and for every n a word that attains it. A margin of 0 means that no rounded arithmetic can be trusted.
- **The kernel** of Coq has checked the theorems whose evidence is `kernel`, from the weights on, for all words and all
  parameters: there `proofs/kernel/Transformer.v` says what a network computes, and all of the above is not needed but
  that the table of weights is the paper's and the statement what is meant. `make kernel` has it check the proofs, which
  the program writes, and notes the hash of each in `proofs/kernel/checked.json`: what is written otherwise by now is
  not counted here. Of a refutation it has checked that the statement is false, by computing what the network does with
  the word.
- **A refutation** of any other kind rests on the interpreter alone: its word has been replayed there, exactly, or under
  a norm in balls, of which only what is true of every number in them is taken; or, of a network that sees counts alone,
  where its word is too long to be written out, on sums over tokens in balls: the evidence says `counted in balls, not
  replayed`, and no verdict here is of that kind.
"""
RESTS_ON = {
    Evidence.KERNEL: "the kernel of Coq, which checked all of it, from the weights to the theorem",
    Evidence.CERTIFICATE: "exact arithmetic that checks an algebraic certificate",
    Evidence.TWO_SOLVERS: "Z3 and cvc5, which agree",
    Evidence.ONE_SOLVER: "Z3 or cvc5; the other gave no answer within its steps",
    Evidence.BOUNDED: "certificates, solvers or runs, one length, size or format at a time, for all those in the scope",
    Evidence.SAMPLED: "the same at chosen points alone, which the scope names; beyond them nothing is proved",
}
HASHES = """\
A theorem is as strong as its weakest step; in brackets stands how many obligations were closed by which.

The hash of a construction is the SHA-256 of its network with all weights, its parameters, its alphabet and its formula
(`constructions/meaning/record.py`); `weightproof show NAME --json` prints it.
"""


def preface(sections: str) -> str:
    """What the verdicts in all sections rest on, and how many rest on what."""
    record = Record.read()
    software = [(name, version(name), use) for name, use in SOFTWARE.items()]
    if record.proofs:
        software.append(("coq", record.coq, "its kernel has checked the proofs that were written for it"))
    versions = _table(("software", "version", "what it does"), software)
    number = numbers(sections)
    rows = [(each, what, f"{number[each]}") for each, what in RESTS_ON.items()]
    evidence = _table(("evidence", "rests on", "theorems"), rows)
    told = _table(("fact", "how it is settled", "where"), [(x.fact, x.how, f"`{x.where}`") for x in FACTS])
    others = f"Beside them {number[REFUTED]} theorems below are refuted by a word, and {number[UNKNOWN]} are unknown.\n"
    return f"{HEAD}\n{evidence}\n{others}\n{HASHES}\n{versions}\n\n{TOLD}\n{told}"


REFUTED, UNKNOWN = "refuted", "unknown"


def numbers(sections: str) -> Counter[str]:
    """How many theorems are proved, by their evidence, and how many are not, by the verdict: as it stands in the tables
    of the sections."""
    found = Counter[str]()
    for row in _rows_of(sections):
        verdict = row.get("verdict", "").partition(",")[0]
        if verdict == "proved":
            found[re.split(r" \(|: ", row["evidence"])[0]] += 1
        elif verdict in (REFUTED, UNKNOWN):
            found[verdict] += 1
    return found


def _rows_of(text: str) -> Iterator[dict[str, str]]:
    """Of all tables, as `_table` writes them; the line under the header is one, too."""
    header: list[str] = []
    for line in text.splitlines():
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if not line.startswith("| "):
            header = []
        elif header:
            yield dict(zip(header, cells, strict=True))
        else:
            header = cells


def with_kernel(
    construction: Construction, results: Iterable[Result], theorems: Iterable[Theorem]
) -> tuple[Result, ...]:
    """The results of theorems, with those that the kernel has checked."""
    pairs, record = zip(results, theorems, strict=True), Record.read()
    return tuple(strengthened(record, construction, theorem, result) for result, theorem in pairs)


def section(construction: Construction, results: Sequence[Result], theorems: Sequence[Theorem]) -> str:
    """What is settled of one construction."""
    language = construction.language
    domains = ", ".join(f"`{parameter.domain}`" for parameter in construction.parameters) or "none"
    rows = [_row(result, theorem) for result, theorem in zip(results, theorems, strict=True)]
    header = ("theorem", "statement", "for all words and parameters with", "verdict", "scope", "evidence", "solvers")
    return "\n".join(
        [
            f"## {construction.name}",
            "",
            f"{construction.title}; {construction.source}.",
            "",
            f"- language: {language.name}, the words with `{language.characterisation}`",
            *(f"- the right token is {token} where `{formula}`" for token, formula in language.labels.items()),
            f"- parameters: {domains}",
            f"- hash: `{digest(construction)}`",
            "",
            _table(header, rows),
        ]
    )


def _row(result: Result, theorem: Theorem) -> tuple[str, ...]:
    verdict, scope, basis = _settled(result, "word `{word!r}`{values}")
    basis += "; by induction, invariant found" * (isinstance(result.verdict, Proved) and result.invariant is not None)
    match theorem:
        case Decides():
            statement = _statement(result, theorem)
        case Predicts():
            statement = _predicted(result)
        case _:
            statement = f"`{theorem.statement}`"
    solvers = ", ".join(result.solvers) if isinstance(result.verdict, Proved) else ""
    given = ", ".join(f"`{hypothesis}`" for hypothesis in result.hypotheses or (EVERYTHING,))
    return result.theorem, statement, given, verdict, scope, basis, solvers or "-"


def _settled(result: Result, refuting: str) -> tuple[str, str, str]:
    """Verdict, scope and basis; refuting: how a word that refutes stands there."""
    match result.verdict:
        case Proved(scope=scope, evidence=evidence):
            basis = _counted(evidence, result.obligations)
        case Refuted(counterexample=found, evidence=evidence):
            values = "".join(f", {name} = {value}" for name, value in found.parameters.items())
            scope = refuting.format(word=found.word, values=values, note=found.note)
            basis = found.evidence if evidence is None else f"{evidence}: {found.evidence}"
        case Unknown(reason=reason):
            scope, basis = "-", reason
    expected = "" if result.as_expected else f", **expected {result.expected}**"
    return result.verdict.name + expected, scope, basis


def _counted(evidence: Evidence, obligations: Mapping[str, int]) -> str:
    """The obligations by what closed them, weakest first."""
    kinds = [kind for kind in reversed(Evidence) if kind in obligations]
    counts = ", ".join(f"{kind} ({obligations[kind]})" for kind in kinds)
    return counts if evidence in kinds else f"{evidence}: {counts}"


def _statement(result: Result, theorem: Decides) -> str:
    """The sentence, and the formula that it is about where that is not the language's."""
    accepts = result.accepts
    return result.statement if accepts is None else f"{result.statement}: accepts iff `{accepts}`"


def _predicted(result: Result) -> str:
    """The sentence, and of each right token where it is predicted, if that is not said of all words."""
    said = (result.predicts or {}).items()
    always = {NEVER: "never", EVERYTHING: "always"}
    where = "; ".join(f"{token} {always.get(formula, f'iff `{formula}`')}" for token, formula in said)
    return f"{result.statement}: {where}" if where else result.statement


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def lines() -> Iterator[str]:
        for cells in (header, ["---"] * len(header), *rows):
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join(lines()) + "\n"


SIMULATIONS = f"""\
## Simulations

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
### Components

What Bhattamishra et al. (2020) say of each component, in figure 2 and section 4.2, of simulating every recurrent
network: judged by transformers without it, of which that is proved of some sizes alone, so that the evidence is
`sampled`, or by what no network without it can do. The sizes are
{SIZED}. The latter is read off the blocks of every shape of a layer
(`symbolic/simulation/flow.py`), whatever the weights, the width and the number of layers are. "Essential" is judged of
simulating every recurrent network; of running every Turing machine it would say more.
"""

CIRCUITS = f"""\
## Circuits

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
## Sums

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


Family = tuple[str, Iterable[Exact]]
"""A hash, and the theorems about what has it."""


def simulations() -> str:
    """Everything that is stated of simulations and of components, proved anew, in Markdown."""
    families = [
        (_hash_of_simulations(partial(simulation_of, family)), of_simulators(family))
        for family in (*FAMILIES, *AS_PRINTED)
    ]
    machines = [(_hash_of_machine(machine), of_machine(machine)) for machine in map(_machine, MACHINES)]
    return f"{SIMULATIONS}\n{_proved((*families, *machines))}\n{COMPONENTS}\n{_components()}"


def _machine(name: str) -> TuringMachine:
    machine = find_machine(name)
    assert machine is not None
    return machine


def _hash_of_machine(machine: TuringMachine) -> str:
    network = network_of(machine).rnn
    return fingerprint((machine.table, network, *(simulation_of(family, network).network for family in FAMILIES)))


def _hash_of_simulations(made: Callable[[RNN], Simulation]) -> str:
    return fingerprint(tuple(made(every_rnn(*size)).network for size in SIZES))


def _components() -> str:
    results = {result.theorem: result for result in proved(theorems())}
    header = ("component", "printed", "where", "judged", "evidence", "rests on", "note")
    rows: list[tuple[str, ...]] = []
    for row in components():
        rests, evidence = "; ".join(each.name for each in (*row.without, *row.impossible)), evidence_of(row, results)
        said = row.name, row.printed, row.source, judged(row, results), evidence or "-", rests or "-", row.note or "-"
        rows.append(said)
    table = _table(header, rows)
    made = {each.name: each.made for each in theorems()}
    hashes = {name: "-" if of is None else _hash_of_simulations(of) for name, of in made.items()}
    return f"{table}\n{_rows([(hashes[name], result) for name, result in results.items()])}"


def circuits() -> str:
    """Everything that is stated of circuits, proved anew, in Markdown."""
    families = [
        (fingerprint((circuits_of(family).decoder(ONE_BIT), family)), of_circuits(family)) for family in OF_CIRCUITS
    ]
    return f"{CIRCUITS}\n{_proved((*families, *map(_of_circuit, SHIPPED)))}"


def _of_circuit(name: str) -> Family:
    circuit = find_circuit(name)
    assert circuit is not None
    networks = tuple(circuit_network_of(family, circuit).network for family in OF_CIRCUITS)
    return fingerprint(networks), of_circuit(circuit)


def sums() -> str:
    """Everything that is stated of families that add, proved anew, in Markdown."""
    families = ((hash_of_sums(family), of_sums(family)) for family in (*ADDERS, *COUNTERS))
    return f"{SUMS}\n{_proved(families, '`{word}`{values}: {note}', True)}"


def hash_of_sums(family: str) -> str:
    """Of the network with names, or of the weights as functions of the numbers of input and unit."""
    if family in COUNTERS:
        units = plain(units_of(family))
        return fingerprint({name: units[name] for name in ("W_1", "b_1", "W_2", "b_2")})
    return fingerprint(adder_of(family, every_modulus()).network)


ON_A_WORD = "word `{word!r}`{values}: {note}"


def _proved(families: Iterable[Family], refuting: str = ON_A_WORD, with_given: bool = False) -> str:
    return _rows([(mark, each) for mark, stated in families for each in proved(stated)], refuting, with_given)


def _rows(results: Iterable[tuple[str, Result]], refuting: str = ON_A_WORD, with_given: bool = False) -> str:
    """The table of what was settled of what has these hashes."""
    given = ("given",) * with_given
    rows = []
    for mark, result in results:
        hypotheses = (" and ".join(result.hypotheses) or "-",) * with_given
        about = result.construction, f"`{mark}`", result.theorem, result.statement
        rows.append((*about, *hypotheses, *_settled(result, refuting)))
    return _table(("construction", "hash", "theorem", "statement", *given, "verdict", "scope", "evidence"), rows)


def main() -> None:
    from weightproof.proofs.prove import prove
    from weightproof.proofs.theorem import stated

    found = stated()
    of_constructions = (
        section(
            construction, with_kernel(construction, prove(construction, theorems, timeout=PATIENT), theorems), theorems
        )
        for construction, theorems in found.values()
    )
    sections = "\n".join([*of_constructions, simulations(), circuits(), sums()])
    print(f"{preface(sections)}\n{sections}", end="")


if __name__ == "__main__":
    main()
