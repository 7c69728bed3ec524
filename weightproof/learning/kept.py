"""The results of `learn`, in memory and in a file: of each seed of a curve, what was measured, and the state from which
training goes on.

What is in a file is read anew whenever something is added, under a lock, as that of `precision` is. Floats are written
as the base64 of their bytes, so that what goes on from a file goes on from the same numbers.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weightproof import keeping
from weightproof.constructions.files import locked
from weightproof.constructions.meaning.inputs import InputError
from weightproof.measuring.kept import HASH, LENGTH, NUMBER, OBJECTS, TEXT, Columns, fault
from weightproof.numeric.learning.experiment import MEASURES, AnyCurve, AnyExperiment, Measure

if TYPE_CHECKING:
    import numpy as np

    from weightproof.numeric.learning.states import State

Row = dict[str, Any]
LISTS = ("machines", "rows")
ROW: Columns = {
    "experiment": TEXT,
    "curve": TEXT,
    "sha256": HASH,
    "seed": LENGTH,
    "epoch": LENGTH,
    "seconds": NUMBER,
    "device": TEXT,
    "machine": LENGTH,
    "points": OBJECTS,
    "weights": TEXT,
    "moments": TEXT.or_null,
    "chosen": TEXT.or_null,
}
POINT: Columns = {"epoch": LENGTH, **dict.fromkeys(MEASURES, NUMBER.or_null)}
Key = tuple[str, str, int]
"""The SHA-256 of what decides it, the curve, the seed."""


@dataclass(frozen=True)
class Learner:
    """What one seed of a curve has reached. seconds: of training, its share of those of all that were trained beside
    it; points: what was measured, after which epoch; machine: the computer that trained it last."""

    experiment: str
    curve: str
    sha256: str
    seed: int
    state: State
    seconds: float
    device: str
    machine: Row
    points: tuple[tuple[int, Mapping[Measure, float]], ...]

    @property
    def key(self) -> Key:
        return self.sha256, self.curve, self.seed

    def last(self, measure: Measure) -> float:
        """What was measured last."""
        return self.points[-1][1][measure]


@dataclass(frozen=True)
class Kept:
    """By their keys."""

    learners: Mapping[Key, Learner] = field(default_factory=dict)

    def with_(self, others: Iterable[Learner]) -> Kept:
        """These and the others; of one seed that which is further."""
        whole = dict(self.learners)
        for each in others:
            known = whole.get(each.key)
            if known is None or known.state.epoch <= each.state.epoch:
                whole[each.key] = each
        return Kept(whole)

    def of(self, experiment: AnyExperiment, curve: AnyCurve, seed: int) -> Learner | None:
        return self.learners.get((experiment.sha256(curve), curve.name, seed))


def taken_up(file: Path | None) -> Kept:
    """What earlier calls have kept there; InputError where that is no results of `learn`, or where nothing could be
    written."""
    return Kept() if file is None else keeping.taken_up(file, _read)


def added(known: Kept, new: Iterable[Learner], file: Path | None, ends: Mapping[str, int]) -> Kept:
    """What is known, what is new, and whatever else is in the file by now, which then holds all of it. ends: epochs of
    an experiment, behind which nothing goes on, so that no moments are kept."""
    if file is None:
        return known.with_(new)
    with locked(file):
        whole = _read(file).with_(known.learners.values()).with_(new)
        machines: list[Row] = []
        rows = [_row(each, machines, ends) for each in whole.learners.values()]
        keeping.put(file, {"machines": machines, "rows": rows})
    return whole


def _row(learner: Learner, machines: list[Row], ends: Mapping[str, int]) -> Row:
    if learner.machine not in machines:
        machines.append(learner.machine)
    state = learner.state
    goes_on = state.epoch < ends.get(learner.experiment, state.epoch + 1) and state.first.size
    return {
        "experiment": learner.experiment,
        "curve": learner.curve,
        "sha256": learner.sha256,
        "seed": learner.seed,
        "epoch": state.epoch,
        "seconds": round(learner.seconds, 3),
        "device": learner.device,
        "machine": machines.index(learner.machine),
        "points": [
            {"epoch": epoch, **{name: measured.get(name) for name in MEASURES}} for epoch, measured in learner.points
        ],
        "weights": _text(state.weights),
        "moments": _text(state.first, state.second) if goes_on else None,
        "chosen": None if state.chosen is None else _text(state.chosen),
    }


def _text(*values: np.ndarray) -> str:
    return base64.b64encode(b"".join(each.astype("<f4").tobytes() for each in values)).decode("ascii")


def _read(file: Path) -> Kept:
    """Nothing where there is no file."""
    kept = keeping.content(file, "learn", LISTS)
    learners = []
    for place, row in enumerate(kept["rows"]):
        try:
            learners.append(_learner(row, kept["machines"]))
        except ValueError as error:
            raise InputError(f"{file}: rows[{place}] {error}; mend it, or name another file") from error
    return Kept().with_(learners)


def _learner(row: Any, machines: list[Any]) -> Learner:
    """ValueError with the first thing that is wrong."""
    if (wrong := fault(row, ROW)) is not None:
        raise ValueError(wrong)
    for point in row["points"]:
        if (wrong := fault(point, POINT)) is not None:
            raise ValueError(f"has a point that {wrong}")
    if row["machine"] >= len(machines):
        raise ValueError(f"'machine' is {row['machine']}, of which there are only {len(machines)}")
    weights = _floats(row["weights"])
    moments = _floats(row["moments"] or "")
    if len(moments) not in (0, 2 * len(weights)):
        raise ValueError(f"has {len(weights)} weights, and {len(moments)} moments of them")
    chosen = None if row["chosen"] is None else _floats(row["chosen"])
    if chosen is not None and len(chosen) != len(weights):
        raise ValueError(f"has {len(weights)} weights, and {len(chosen)} that were chosen")
    from weightproof.numeric.learning.states import State

    half = len(moments) // 2
    return Learner(
        row["experiment"],
        row["curve"],
        row["sha256"],
        row["seed"],
        State(row["epoch"], weights, moments[:half], moments[half:], chosen),
        row["seconds"],
        row["device"],
        machines[row["machine"]],
        tuple(
            (point["epoch"], {name: point[name] for name in MEASURES if point[name] is not None})
            for point in row["points"]
        ),
    )


def _floats(text: str) -> np.ndarray:
    import numpy as np

    try:
        return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError) as error:
        raise ValueError("has weights that are no base64 of floats") from error
