"""The choices that stand in no network: of gates, machines, claims and theorems. A name that is new is refused when the
whole is made, or by whoever reads it; and no choice of the program is left out here.
"""

from __future__ import annotations

import ast
import copy
import importlib
import pkgutil
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy
from flint import fmpq

import weightproof as wp
from tests.support.places import ROOT
from tests.test_choices import ENCODER, KINDS, NEW, OF_ONE_UNIT, SIMULATION, constructed
from weightproof import constructions, numeric, proofs, symbolic
from weightproof.constructions.circuits.circuit import Circuit, Gate, conjunction, values
from weightproof.constructions.circuits.files import listed
from weightproof.constructions.claims import circuits, formulas, statements, stepwise
from weightproof.constructions.claims.problems import check_claims, claim_problems
from weightproof.constructions.claims.published import Claims, Published
from weightproof.constructions.claims.statement import Topic
from weightproof.constructions.claims.statements import stage_name
from weightproof.constructions.fraknoi2024.circuit_by_decoder import circuit_by_decoder
from weightproof.constructions.languages.languages import PARITY
from weightproof.constructions.machines.turing import Transition, TuringMachine
from weightproof.constructions.machines.turing import run as machine_run
from weightproof.constructions.meaning.running import value_of
from weightproof.constructions.siegelmann1992.machine_network import machine_network
from weightproof.imports import dense, modules, reading, settings, sparse
from weightproof.imports.settings import Settings
from weightproof.learning.report import Observed, over_seeds
from weightproof.numeric.certificate.certificate import certifier
from weightproof.numeric.learning.experiment import Said
from weightproof.numeric.learning.heads import kept
from weightproof.numeric.learning.library import experiments
from weightproof.numeric.learning.training import begun, train
from weightproof.proofs.claims.circuits import _is_power, _speaks_of
from weightproof.proofs.claims.formulas.always import _is_one
from weightproof.proofs.claims.formulas.components import judge_needs, judge_takes
from weightproof.proofs.claims.formulas.shapes import shape_of
from weightproof.proofs.claims.formulas.sums import judge_circular
from weightproof.proofs.claims.simulated import (
    _attended_on_run,
    _compared,
    _in_region,
    _matrix,
    _place,
    _run_place,
    in_range,
    tokens_of,
)
from weightproof.proofs.claims.weights import entries_of
from weightproof.proofs.quantities.probe import Point, _up_to
from weightproof.proofs.simulation.lemmas import Lemma
from weightproof.proofs.simulation.lemmas import compared as compared_by
from weightproof.proofs.simulation.prove import invariant_of
from weightproof.proofs.simulation.simulates import induction_steps
from weightproof.proofs.wellformed import check
from weightproof.symbolic.simulation.polynomial import Polynomial


def with_new(value: Any, field: str, new: Any = NEW) -> Any:
    """A copy with the name in that field, which nothing has checked."""
    changed = copy.copy(value)
    object.__setattr__(changed, field, new)
    return changed


def checked(statement: Any, under: Any = ()) -> None:
    """As a claim about a network is."""
    claim = Published("id", "here", "it is so", statement, under=under)
    for message in claim_problems(claim, constructed(ENCODER)):
        raise ValueError(message)


def checked_of_circuits(statement: Any) -> None:
    claims = Claims("tried", Published("id", "here", "it is so", statement))
    check_claims(claims, Topic("circuits", circuits.Circuital, ("tried",)))


def checked_of_formulas(statement: Any) -> None:
    claims = Claims("tried", Published("id", "here", "it is so", statement))
    check_claims(claims, Topic("formulas", formulas.Formulaic, ("tried",)))


def stated(theorem: Any) -> None:
    check(constructed(ENCODER), (theorem,))


ANY_GATE: Any = Gate(NEW, 1, 2)
CIRCUIT = Circuit("tried", 2, (conjunction(1, 2),))
MACHINE = TuringMachine("tried", " ", "a", {"a": {"0": Transition("1", "R", "a")}})
ANY_MOVE: Any = Transition("1", NEW, "a")
CONSTANT = wp.Parameter("c", "c > 0", 1)
TRAINED = replace(experiments()["exact-first"], steps=1)
STATES = {0: begun(TRAINED, TRAINED.curves[0], 0)}
TWO_HEADS = (np.array([[[0.0], [1.0]], [[1.0], [1.0]]]), np.array([1.0, -1.0]))
OF_TRAINING = Said("section 5", "it is learned", ("a",), "mean", "accuracy", ">=", 0.9)
WORDS = statements.Compares(">", 0)
KEYS = statements.Weights("W_K", 1, 1)
BITS = circuits.PartialSum("tried", 1, "a", "first", ("equal",), "==", 1)
LOOKS_UP = circuits.LooksUp("tried", 1, "score", "a", 0, 1, 1)
CARRIES = circuits.Carries("tried", (circuits.Place(NEW),), {"1": 1})
ANGLES = formulas.Wave(NEW, x=1)
NEEDS = formulas.Needs("decoder-encoder attention", NEW)
TAKES = formulas.Takes(NEW, 1)
HOLDS = stepwise.Holds("output", 1, {})
STEP: Any = SimpleNamespace(layers=[SimpleNamespace()], input={}, next_input={})
WEIGHED: Any = SimpleNamespace(layers=[SimpleNamespace(weights=[[1]])])
INVARIANT = invariant_of("rnn-by-encoder-decoder", OF_ONE_UNIT)
RATIO = stepwise.Ratio(stepwise.Share("#"), "==", 1)
EACH = next(induction_steps(OF_ONE_UNIT))
VALUE = Polynomial.number(1)
Asked = Callable[[], Any]


def of_statement(statement: Any, *names: str) -> dict[str, tuple[Asked, ...]]:
    return {name: (lambda name=name: checked(with_new(statement, name)),) for name in names}


def of_theorem(theorem: Any, *names: str) -> dict[str, tuple[Asked, ...]]:
    return {name: (lambda name=name: stated(with_new(theorem, name)),) for name in names}


OTHERS: dict[str, dict[str, tuple[Asked, ...]]] = {
    "weightproof.constructions.meaning.construction.Parameter": {
        "kind": (
            lambda: value_of(with_new(CONSTANT, "kind"), "2"),
            lambda: wp.Construction("tried", "", "", PARITY, ENCODER, (with_new(CONSTANT, "kind"),)),
        )
    },
    "weightproof.constructions.circuits.circuit.Gate": {
        "kind": (
            lambda: Circuit("tried", 2, (ANY_GATE,)),
            lambda: ANY_GATE(True, False),
            lambda: listed([ANY_GATE]),
            lambda: values(with_new(CIRCUIT, "gates", (ANY_GATE,)), "01"),
            lambda: circuit_by_decoder(with_new(CIRCUIT, "gates", (ANY_GATE,))),
        )
    },
    "weightproof.constructions.machines.turing.Transition": {
        "move": (
            lambda: TuringMachine("tried", " ", "a", {"a": {"0": ANY_MOVE}}),
            lambda: [*machine_run(with_new(MACHINE, "table", {"a": {"0": ANY_MOVE}}), "0")],
            lambda: machine_network(with_new(MACHINE, "table", {"a": {"0": ANY_MOVE}})),
        )
    },
    "weightproof.constructions.claims.statements.Stream": {
        "stage": (
            lambda: stage_name(1, NEW),
            lambda: checked(statements.Value(statements.Stream("s", 1, NEW), 0)),
        )
    },
    "weightproof.constructions.claims.statements.Projected": {
        "part": (lambda: checked(statements.Value(statements.Projected(NEW, 1, 1, "q"), 0)),)
    },
    "weightproof.constructions.claims.statements.Weights": {
        "part": (
            lambda: checked(statements.Matrix(with_new(KEYS, "part"), "1")),
            lambda: entries_of(ENCODER, with_new(KEYS, "part")),
        )
    },
    "weightproof.constructions.claims.statements.Rows": {
        "stage": (lambda: checked(statements.Shape(statements.Rows(1, NEW), 1, 1)),)
    },
    "weightproof.constructions.claims.statements.Vector": of_statement(statements.Vector(1, "0"), "stage"),
    "weightproof.constructions.claims.statements.Stack": of_statement(
        statements.Stack("W_K", 1, 1, "rows", "n", 1), "part", "put"
    ),
    "weightproof.constructions.claims.statements.Domain": of_statement(statements.Domain("PE"), "of"),
    "weightproof.constructions.claims.statements.Output": of_statement(statements.Output("last"), "position"),
    "weightproof.constructions.claims.statements.Count": of_statement(statements.Count("width", 3), "of"),
    "weightproof.constructions.claims.statements.CrossEntropy": of_statement(statements.CrossEntropy("==", 1), "op"),
    "weightproof.constructions.claims.statements.Compares": of_statement(WORDS, "op"),
    "weightproof.constructions.claims.statements.Order": of_statement(statements.Order("O", "1/n"), "relation", "side"),
    "weightproof.constructions.claims.published.Published": {
        "under": (lambda: checked(statements.Domain("PE"), ((NEW,),)),)
    },
    "weightproof.constructions.claims.circuits.Place": {"part": (lambda: checked_of_circuits(CARRIES),)},
    "weightproof.constructions.claims.circuits.PartialSum": {
        "products": (
            lambda: checked_of_circuits(with_new(BITS, "products")),
            lambda: _speaks_of(with_new(BITS, "products"), 1),
        ),
        "address": (lambda: checked_of_circuits(with_new(BITS, "address")),),
        "phases": (lambda: checked_of_circuits(with_new(BITS, "phases", (NEW,))),),
        "op": (lambda: checked_of_circuits(with_new(BITS, "op")),),
    },
    "weightproof.constructions.claims.circuits.LooksUp": {
        "of": (lambda: checked_of_circuits(with_new(LOOKS_UP, "of")), lambda: _is_power(with_new(LOOKS_UP, "of"))),
        "address": (lambda: checked_of_circuits(with_new(LOOKS_UP, "address")),),
    },
    "weightproof.constructions.claims.circuits.Numbered": {
        "numbers": (lambda: checked_of_circuits(circuits.Numbered("tried", {NEW: "i"})),)
    },
    "weightproof.constructions.claims.circuits.HasValue": {
        "of": (lambda: checked_of_circuits(circuits.HasValue("tried", (NEW,))),)
    },
    "weightproof.constructions.claims.formulas.Always": {
        "over": (
            lambda: checked_of_formulas(formulas.Always("x == x", {"x": NEW})),
            lambda: _is_one(fmpq(1), NEW),
        )
    },
    "weightproof.constructions.claims.formulas.OfVectors": {
        "vectors": (lambda: checked_of_formulas(formulas.OfVectors("m == m", {}, {"v": NEW}, "m")),),
        "numbers": (lambda: checked_of_formulas(formulas.OfVectors("x == x", {}, {"v": "real"}, "m", {"x": NEW})),),
    },
    "weightproof.constructions.claims.formulas.Heads": {
        "put": (
            lambda: shape_of(formulas.Heads("A", 2, NEW), formulas.Sizes({"A": ("n", "m")})),
            lambda: checked_of_formulas(
                formulas.Shaped(formulas.Heads("A", 2, NEW), formulas.Sizes({"A": ("n", "m")}), 1, 1)
            ),
        )
    },
    "weightproof.constructions.claims.formulas.Needs": {
        "role": (lambda: checked_of_formulas(NEEDS), lambda: judge_needs(NEEDS)),
    },
    "weightproof.constructions.claims.formulas.Takes": {
        "of": (lambda: checked_of_formulas(TAKES), lambda: judge_takes(TAKES)),
    },
    "weightproof.constructions.claims.formulas.Wave": {
        "function": (
            lambda: judge_circular(formulas.Circular(((1, (ANGLES,)),), ((1, ()),))),
            lambda: checked_of_formulas(formulas.Circular(((1, (ANGLES,)),), ((1, ()),))),
        )
    },
    "weightproof.constructions.claims.stepwise.Holds": {
        "place": (
            lambda: _run_place(with_new(HOLDS, "place"), STEP),
            lambda: _place(SIMULATION, with_new(HOLDS, "place"), STEP),
        ),
        "steps": (lambda: in_range(NEW, 0, 1),),
    },
    "weightproof.constructions.claims.stepwise.Growth": {
        "token": (lambda: tokens_of(with_new(RATIO, "of", stepwise.Growth(NEW)), SIMULATION, EACH, ()),)
    },
    "weightproof.constructions.claims.stepwise.Share": {
        "token": (lambda: tokens_of(with_new(RATIO, "of", stepwise.Share(NEW)), SIMULATION, EACH, ()),)
    },
    "weightproof.constructions.claims.stepwise.Score": {
        "token": (lambda: tokens_of(with_new(RATIO, "of", stepwise.Score(1, NEW)), SIMULATION, EACH, ()),)
    },
    "weightproof.constructions.claims.stepwise.Ratio": {
        "op": (
            lambda: _compared(with_new(RATIO, "op"), sympy.Integer(1), sympy.Integer(1)),
            lambda: _in_region(with_new(RATIO, "op"), VALUE, EACH),
        ),
        "steps": (lambda: in_range(NEW, 0, 1),),
    },
    "weightproof.constructions.claims.stepwise.Attends": {
        "counted": (lambda: _attended_on_run(stepwise.Attends(1, counted=NEW), "a", 0, WEIGHED),),
        "steps": (lambda: in_range(NEW, 0, 1),),
    },
    "weightproof.constructions.claims.stepwise.BlockMatrix": {
        "part": (lambda: _matrix(SIMULATION, stepwise.BlockMatrix(NEW, 1, ())),)
    },
    "weightproof.proofs.theorem.Decides": of_theorem(wp.Decides("said", "it is"), "expected"),
    "weightproof.proofs.theorem.Compares": of_theorem(wp.Compares(">", 0), "op", "expected"),
    "weightproof.proofs.theorem.Margin": of_theorem(wp.Margin("accepted", 0), "side", "expected")
    | {"side": (lambda: with_new(wp.Margin("accepted", 0), "side").of_accepted,)},
    "weightproof.proofs.simulation.lemmas.Lemma": {
        "place": (lambda: [each.gap() for each in compared_by(SIMULATION, INVARIANT, Lemma("l", "s", NEW, 0, {}))],)
    },
    "weightproof.proofs.quantities.probe.Point": {"stage": (lambda: _up_to(ENCODER, Point(1, NEW)),)},
    "weightproof.numeric.certificate.certificate.Certifier": {
        "order": (lambda: with_new(certifier(wp.load("first"), ()), "order").block(1, 1),)
    },
    "weightproof.numeric.learning.experiment.Halving": {"rule": (lambda: kept(NEW, [0, 1], TWO_HEADS, TWO_HEADS),)},
    **{
        f"weightproof.numeric.learning.{kind}": {
            "measures": (lambda: [*train(with_new(TRAINED, "measures", (NEW,)), TRAINED.curves[0], STATES, 1)],)
        }
        for kind in ("experiment.AnyExperiment", "experiment.Experiment", "sequences.PairsExperiment")
    },
    "weightproof.numeric.learning.experiment.Said": {
        "of": (lambda: over_seeds(with_new(OF_TRAINING, "of"), []),),
        "measure": (lambda: over_seeds(with_new(OF_TRAINING, "measure"), [{}]),),
        "relation": (lambda: Observed(with_new(OF_TRAINING, "relation"), "a", 1, 0.5).agrees,),
    },
    "weightproof.imports.settings.Settings": {
        name: (lambda name=name: settings.checked(with_new(Settings(), name)),)
        for name in ("activation", "norms", "mask")
    },
}

SAID = {
    "constructions.circuits.regular.BlockGate": ("kind",),
    "constructions.circuits.regular.Wire": ("of",),
    "constructions.claims.published.Reading": ("conventions",),
    "constructions.crasp.program.Comparison": ("comparator",),
    "constructions.crasp.program.Extreme": ("which",),
    "constructions.claims.stepwise.Block": ("diagonal",),
    "constructions.transforms.ablate.Ablation": ("how", "part"),
    "constructions.transforms.places.Matrix": ("kind",),
    "imports.dense.DenseFeedForward": ("activation",),
    "imports.modules.Described": ("activations", "norms"),
    "imports.sparse.Reading": ("mask",),
    "imports.reading.Of": ("activation", "norms"),
    "numeric.certificate.certificate.Margin": ("side",),
    "numeric.certificate.scaling.Law": ("form",),
    "numeric.learning.training.Reached": ("measured",),
    "numeric.search.search.Extent": ("parts",),
    "numeric.search.search.Part": ("phase",),
    "numeric.search.mechanism.Mechanism": ("kind",),
    "numeric.search.search.Finding": ("searched",),
    "constructions.circuits.family.Family": ("missing",),
    "symbolic.derivation.Applied": ("function",),
    "proofs.ablating.Effect": ("verdict",),
    "proofs.automata.deciding.Side": ("op",),
    "proofs.ablating.Word": ("fate",),
    "proofs.thresholds.Question": ("reach",),
    "proofs.prover.Exact": ("expected",),
    "proofs.prover.Provable": ("expected",),
    "proofs.prove._OfConstruction": ("expected",),
    "proofs.simulation.components.Shown": ("expected",),
    "proofs.claims.formulas.vectors._Reading": ("known",),
    "proofs.claims.judging.Judgement": ("verdict",),
    "proofs.simulation.components.Component": ("printed",),
    "proofs.strategies.goals.DecidesBy": ("expected",),
    "proofs.modular.stated.Gap": ("expected",),
    "proofs.modular.stated.Holds": ("expected",),
    "proofs.modular.stated.Predicts": ("expected",),
    "proofs.theorem.Appends": ("expected",),
    "proofs.theorem.ClosedForm": ("expected",),
    "proofs.theorem.Computes": ("expected",),
    "proofs.theorem.Predicts": ("expected",),
    "proofs.verdict.Result": ("expected",),
}
"""What the program itself says, of results and of steps on its way, or what is checked with others above."""
ASKED = [(of, field, number) for of, each in OTHERS.items() for field in each for number in range(len(each[field]))]


@pytest.mark.parametrize(("of", "field", "number"), ASKED)
def test_a_name_that_is_new_is_refused_by_name(of: str, field: str, number: int) -> None:
    with pytest.raises(Exception, match=NEW) as refused:
        OTHERS[of][field][number]()
    assert "\n" not in str(refused.value)


def literals(hint: Any) -> Iterator[Any]:
    """The Literals in a type, but for those of one name, which choose nothing."""
    if typing.get_origin(hint) is typing.Literal:
        if len(typing.get_args(hint)) > 1:
            yield hint
    else:
        for part in typing.get_args(hint):
            yield from literals(part)


def every_module(*packages: ModuleType) -> Iterator[ModuleType]:
    for package in packages:
        yield package
        for info in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{package.__name__}."):
            yield importlib.import_module(info.name)


def choices() -> set[tuple[str, str]]:
    """The class, and its field, of every choice of names."""
    found = set()
    for module in every_module(constructions, symbolic, proofs, numeric, dense, modules, sparse, settings, reading):
        for kind in vars(module).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__:
                hints = typing.get_type_hints(kind, localns={"Claims": Claims})  # which the library loads when asked
                names = [field.name for field in fields(kind) if any(literals(hints[field.name]))]
                found |= {(f"{module.__name__}.{kind.__qualname__}", name) for name in names}
    return found


def test_no_choice_is_left_out() -> None:
    asked = {(of, field) for of, each in OTHERS.items() for field in each}
    asked |= {(f"{module}.{kind}", field) for module, kind, field in KINDS}
    assert choices() == asked | {(f"weightproof.{of}", field) for of, each in SAID.items() for field in each}


ROOMS = ("constructions", "symbolic", "proofs", "numeric")
OF_HEADS_AND_UNITS = ("activation", "normaliser", "mask", "score", "accept")
ONE_NAME_ALONE = {
    "numeric/simulation/certificate.py": 1,  # whether a network is covered; no other is bounded
}
"""Files that ask whether a choice is one name, and take all others together for what they do not read."""


def compared(tree: ast.AST) -> Iterator[ast.Compare]:
    """Comparisons that tell one name of a choice from all others: what is new would fall to the others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
            of_choice = node.left.attr in OF_HEADS_AND_UNITS and isinstance(node.comparators[0], ast.Constant)
            if of_choice and isinstance(node.ops[0], ast.Eq | ast.In):
                yield node


def test_no_reading_takes_all_names_but_one_for_another() -> None:
    """Names are told apart by `Choices`, or by a match that ends in a refusal; behind `!=` the rest is refused."""
    found = {}
    for room in (*ROOMS, "weightproof"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.is_symlink() or (room == "weightproof" and path.parts[len(ROOT.parts) + 1] in ROOMS):
                continue
            count = len(list(compared(ast.parse(path.read_text()))))
            if count:
                found[str(path.relative_to(ROOT))] = count
    assert found == ONE_NAME_ALONE
    assert [*compared(ast.parse("x = 1 if head.mask == 'causal' else 0"))]
