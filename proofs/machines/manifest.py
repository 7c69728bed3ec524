"""The part of the trust manifest about what runs step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weightproof.constructions.library import AS_PRINTED, FAMILIES, network_of, simulation_of
from weightproof.constructions.machines.files import SHIPPED, find_machine
from weightproof.constructions.machines.rnn import every_rnn
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.record import fingerprint
from weightproof.proofs.machines.prove import SIZES, prove_family, prove_machine
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Result, Unknown

HEADING = "Simulations"
HEAD = f"""\
## {HEADING}

What an encoder-decoder computes, step by step, is defined by `constructions/meaning/decoding.py`; what recurrent
networks and Turing machines do, by `constructions/machines/`. The proofs are inductions over the steps, whose
obligations speak of polynomials with rational coefficients and are settled by exact arithmetic, without a solver
(`proofs/machines/`, `symbolic/machines/`); that these imply the theorems is programmed, not proved. Before every
`proved` all words of up to two symbols are run. A recurrent network holds every configuration of its machine, from the
step after the word is read, every fourth step; a transformer holds the state of its recurrent network at every step. A
family is proved for every recurrent network of a size at once, its numbers being names; as printed it is refuted by one
of them, whose numbers are 0 but for those that are told.

All of this is proved from more than the beginning: from every state, its values in [0, 1], that is put in before any
step, and from every configuration that is put in the place of the first. So a changed weight that no word shows is
refuted by a state; of the shipped machines' networks and transformers a sample of the changes is tried in
`make controls`, and each is refuted or proved harmless.

The hash of a machine is that of its table, its network and both transformers; of a family, that of its transformers.
"""


def simulations() -> str:
    """Everything that is stated of simulations, proved anew, in Markdown."""
    return "\n".join((HEAD, *_lines()))


def _lines() -> Iterator[str]:
    yield "| construction | hash | theorem | statement | verdict | scope | evidence |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for family in (*FAMILIES, *AS_PRINTED):
        yield from _rows(list(prove_family(family)), _family_hash(family))
    for name in SHIPPED:
        machine = find_machine(name)
        assert machine is not None
        yield from _rows(list(prove_machine(machine)), _machine_hash(machine))
    yield ""


def _machine_hash(machine: TuringMachine) -> str:
    network = network_of(machine).rnn
    return fingerprint((machine.table, network, *(simulation_of(family, network).network for family in FAMILIES)))


def _family_hash(family: str) -> str:
    return fingerprint(tuple(simulation_of(family, every_rnn(*size)).network for size in SIZES))


def _rows(results: Sequence[Result], fingerprint: str) -> Iterator[str]:
    for result in results:
        match result.verdict:
            case Proved(scope=scope, evidence=evidence):
                basis = f"{evidence} ({result.obligations[Evidence.CERTIFICATE.value]})"
            case Refuted(counterexample=found):
                numbers = "".join(f", {name} = {value}" for name, value in found.parameters.items())
                scope, basis = f"word `{found.word!r}`{numbers}: {found.note}", found.evidence
            case Unknown(reason=reason):
                scope, basis = "-", reason
        verdict = result.verdict.name + ("" if result.as_expected else f", **expected {result.expected}**")
        said = (result.construction, f"`{fingerprint}`", result.theorem, result.statement, verdict, scope, basis)
        yield f"| {' | '.join(said)} |"
