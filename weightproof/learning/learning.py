"""One call of `learn`: seeds of curves trained in pieces, each kept as soon as it is tested, and not trained again."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from weightproof import constructions
from weightproof.constructions import languages
from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.transforms.by_name import transformed
from weightproof.learning.kept import Kept, Learner, Row, added, taken_up
from weightproof.learning.report import Experiments, Learned, Written
from weightproof.numeric.learning.experiment import AnyCurve, AnyExperiment, Curve, Experiment
from weightproof.numeric.learning.library import experiment as named_experiment
from weightproof.numeric.learning.library import experiments
from weightproof.parallel.pieces import Gone, Workers
from weightproof.parallel.processes import Processes, processors
from weightproof.proofs.prove import proofs
from weightproof.proofs.theorem import Decides, Predicts
from weightproof.proofs.verdict import Counterexample, Proved, Refuted
from weightproof.terminal.streams import progress

if TYPE_CHECKING:
    from weightproof.numeric.learning.states import State
    from weightproof.numeric.learning.training import Reached

Asked = Decides | Predicts
MOST = 1000
"""Seeds that are trained in one call: far more than any paper has, and as many as fit into memory."""
BITS_OF_A_FLOAT, BITS_OF_A_SCORE = 24, 9
"""Of a weight as training leaves it; and of what heads score and carry, of which more have made nothing right."""
TOGETHER = 20
"""Seeds of a curve that are trained in one piece; what comes out does not depend on it."""


@dataclass(frozen=True)
class Training:
    """How it is done. seeds: those from 0 to before this number; curves: by name, all if none; epochs: up to those that
    the experiment has; together: seeds in one piece. None is what the experiment has."""

    seeds: int | None = None
    epochs: int | None = None
    curves: tuple[str, ...] = ()
    device: str = "cpu"
    together: int = TOGETHER


@dataclass(frozen=True)
class Piece:
    """Seeds of a curve that have been trained up to the same epoch, with their states."""

    curve: AnyCurve
    states: Mapping[int, State]


def listed() -> Experiments:
    """All experiments."""
    return Experiments(tuple(experiments().values()))


def learned(
    given: str | AnyExperiment,
    how: Training,
    file: Path | None = None,
    workers: Workers | None = None,
    output: Path | None = None,
    seed: int | None = None,
    snapped: bool = False,
) -> Learned:
    """Train what is missing; Ctrl-C ends it early, and keeps what is there.

    file: in which results are kept, and from which training goes on. workers: who trains; where none are given, and
    there are several pieces for a CPU, all cores do. output, seed: the network of that seed, or of the best one, is
    written there as a construction; snapped: with weights of as few bits as decide its own words rightly. InputError
    for what cannot be trained.
    """
    experiment = named_experiment(given) if isinstance(given, str) else given
    curves, seeds, epochs = _checked(experiment, how)
    if output is not None:
        _require_output(experiment, output, seed, seeds)
    kept = taken_up(file)
    wanted = [(curve, each) for curve in curves for each in range(seeds)]
    pieces = _pieces(experiment, wanted, kept, epochs, how.together)
    ends = {each.name: each.epochs for each in (*experiments().values(), experiment)}
    if workers is None and how.device == "cpu" and len(pieces) > 1 and processors() > 1:
        workers = Processes(min(processors(), len(pieces)))
    work = partial(_work, experiment, pieces, epochs, how.device)
    done = sum(state.epoch for piece in pieces for state in piece.states.values())
    interrupted, gone = False, None
    try:
        with progress(sum(epochs * len(piece.states) for piece in pieces)) as advance:
            advance(experiment.name, done)
            for number, reached, seconds, where in _done(work, len(pieces), workers):
                curve = pieces[number].curve
                share = seconds / len(reached)
                new = [_learner(experiment, curve, each, share, where, kept, how.device) for each in reached]
                done += sum(each.state.epoch - _epoch(experiment, curve, each.seed, kept) for each in new)
                kept = added(kept, new, file, ends)
                advance(f"{experiment.name}, {curve.name}", done)
    except KeyboardInterrupt:
        interrupted = True
    except Gone as error:
        gone = error
    found = {
        curve.name: tuple(learner for each in range(seeds) if (learner := kept.of(experiment, curve, each)) is not None)
        for curve in curves
    }
    complaint = str(gone) if gone is not None else None
    if interrupted:
        more = f"; what was reached is in {file}" if file is not None else ", and kept nowhere; give --keep FILE"
        complaint = f"interrupted{more}"
    written = None
    if output is not None and complaint is None:
        assert isinstance(experiment, Experiment)
        written = _written(experiment, found, seed, snapped, output)
    return Learned(experiment, found, epochs, written, complaint, interrupted)


def _checked(experiment: AnyExperiment, how: Training) -> tuple[tuple[AnyCurve, ...], int, int]:
    """The curves, how many seeds, and how many epochs; InputError for what is none."""
    from weightproof.numeric.model.parts import device_named

    device_named(how.device)
    for name, given in (("seeds", how.seeds), ("epochs", how.epochs)):
        if given is not None and given < 1:
            raise InputError(f"--{name} {given}: nothing would be trained; give 1 or more")
    if how.seeds is not None and how.seeds > MOST:
        raise InputError(f"--seeds {how.seeds}: give {MOST} at most")
    epochs = experiment.epochs if how.epochs is None else how.epochs
    if epochs > experiment.epochs:
        raise InputError(f"--epochs {epochs}: {experiment.name} has {experiment.epochs}; give so many at most")
    names = [curve.name for curve in experiment.curves]
    for name in how.curves:
        if name not in names:
            raise InputError(f"--curve {name}: {experiment.name} has no such curve; there are: {', '.join(names)}")
    curves = tuple(curve for curve in experiment.curves if not how.curves or curve.name in how.curves)
    return curves, experiment.seeds if how.seeds is None else how.seeds, epochs


def _require_output(experiment: AnyExperiment, output: Path, seed: int | None, seeds: int) -> None:
    """InputError before anything is trained."""
    if not isinstance(experiment, Experiment):
        raise InputError(
            f"-o {output}: networks of {experiment.name} take in the tokens that they say, for which a construction "
            "has no place; leave -o away"
        )
    if output.suffix != ".py":
        raise InputError(f"-o {output}: the construction is written as Python; name a FILE.py")
    if output.exists():
        raise InputError(f"-o {output}: the file is there already; name another one, or remove it")
    if seed is not None and not 0 <= seed < seeds:
        raise InputError(f"--seed {seed}: seeds are 0 to {seeds - 1}; name one of them")


def _epoch(experiment: AnyExperiment, curve: AnyCurve, seed: int, kept: Kept) -> int:
    known = kept.of(experiment, curve, seed)
    return 0 if known is None else known.state.epoch


def _pieces(
    experiment: AnyExperiment, wanted: Sequence[tuple[AnyCurve, int]], kept: Kept, epochs: int, together: int
) -> list[Piece]:
    """What is to be trained further: seeds of a curve that have reached the same epoch, so many at a time."""
    from weightproof.numeric.learning.training import begun

    groups: dict[tuple[str, int], dict[int, State]] = {}
    for curve, seed in wanted:
        known = kept.of(experiment, curve, seed)
        first = begun(experiment, curve, seed)
        state = first if known is None else known.state
        if state.weights.shape != first.weights.shape:
            raise InputError(
                f"what is kept of {experiment.name}, {curve.name}, seed {seed} has {state.weights.size} weights, where "
                f"its network has {first.weights.size}; name another file"
            )
        if state.epoch < epochs:
            if state.first.shape != state.weights.shape:
                raise InputError(
                    f"what is kept of {experiment.name}, {curve.name}, seed {seed} has no moments to go on from; name "
                    "another file"
                )
            groups.setdefault((curve.name, state.epoch), {})[seed] = state
    return [
        Piece(experiment.curve(name), dict(list(states.items())[start : start + together]))
        for (name, _), states in groups.items()
        for start in range(0, len(states), together)
    ]


Result = tuple[list["Reached"], float, Row]
"""What a piece has reached, in how many seconds since it last had, and on which computer."""


def _done(
    work: Callable[[], Sequence[Callable[[], Iterator[Result]]]], number: int, workers: Workers | None
) -> Iterator[tuple[int, list[Reached], float, Row]]:
    if workers is None:
        for place, piece in enumerate(work()):
            for result in piece():
                yield place, *result
    else:
        for place, _, result in workers.spread(work, range(number)):
            yield place, *result


def _work(
    experiment: AnyExperiment, pieces: Sequence[Piece], epochs: int, device: str
) -> list[Callable[[], Iterator[Result]]]:
    return [partial(_piece, experiment, piece, epochs, device) for piece in pieces]


def _piece(experiment: AnyExperiment, piece: Piece, epochs: int, device: str) -> Iterator[Result]:
    from weightproof.measuring.machine import machine
    from weightproof.numeric.learning.training import train

    begun, where = time.monotonic(), machine()
    for reached in train(experiment, piece.curve, piece.states, epochs, device):
        now = time.monotonic()
        yield reached, now - begun, where
        begun = now


def _learner(
    experiment: AnyExperiment, curve: AnyCurve, reached: Reached, seconds: float, where: Row, kept: Kept, device: str
) -> Learner:
    """With what was known of the seed before."""
    known = kept.of(experiment, curve, reached.seed)
    points = () if known is None else known.points
    if reached.measured is not None:
        points = (*points, (reached.state.epoch, reached.measured))
    before = 0.0 if known is None else known.seconds
    sha256 = experiment.sha256(curve)
    state = reached.state
    return Learner(experiment.name, curve.name, sha256, reached.seed, state, before + seconds, device, where, points)


def _written(
    experiment: Experiment, found: Mapping[str, Sequence[Learner]], seed: int | None, snapped: bool, output: Path
) -> Written:
    """The network of a seed, or of that with the greatest accuracy, and of these that with the least cross-entropy."""
    from weightproof.imports.writing import python
    from weightproof.numeric.learning.words import trained

    every = [each for learners in found.values() for each in learners if seed is None or each.seed == seed]
    best = min(every, key=lambda each: (-each.last("accuracy"), each.last("cross-entropy")))
    curve = experiment.curve(best.curve)
    construction, asked = trained(experiment, curve, best.seed, best.state.best), _asked(experiment, curve)
    bits, circuits = None, curve.architecture.looks_once
    if snapped:
        bits, construction = _snapped(construction, asked, circuits)
    written = Written(best, output, bits, circuits)
    left = "every weight as training left it" if bits is None else written.rounding
    place, name = _named(experiment.language)
    head = (
        f"# {construction.source}: after {best.state.epoch} epochs, {left}.\n\nfrom {place} import {name} as language"
    )
    try:
        write(output, f"{python(construction, head)}\n{_theorems(asked)}")
    except OSError as error:
        raise InputError(f"-o {output}: {error.strerror}; name a file that can be written") from error
    return written


def _named(language: Language) -> tuple[str, str]:
    """The module of the package that has a language, and its name there."""
    every = (name for name in sys.modules if name.startswith(f"{constructions.__name__}."))
    modules = sorted(every, key=lambda name: (not name.startswith(f"{languages.__name__}."), name))
    return next(
        (place, name) for place in modules for name, value in vars(sys.modules[place]).items() if value is language
    )


def _asked(experiment: Experiment, curve: Curve) -> tuple[Asked, ...]:
    """What is to be asked of a trained network: of the words of its training, and of shorter ones, but not of the empty
    word, which nobody has shown it, unless somebody has; of all words, where each is its counts."""
    network, name = curve.architecture.network, experiment.language.name
    asked: type[Asked] = Predicts if network.readout.predicts else Decides
    does = f"predicts what is right for {name}" if network.readout.predicts else f"accepts exactly the words of {name}"
    markers = len(network.markers)
    n, least = curve.length + markers, (curve.shortest or 0) + markers
    if curve.architecture.looks_once:
        return (
            asked(f"of {curve.trained_on}", f"{does} of these lengths", given=f"{least} <= n", up_to=n),
            asked("of all lengths", does, given=f"{least} <= n"),
        )
    return (
        asked(f"of {curve.length} symbols", f"{does} of that length", given=f"n == {n}", up_to=n),
        asked("of fewer", f"{does} that are shorter", given=f"{1 + markers} <= n and n < {n}", up_to=n - 1),
    )


def _theorems(asked: Sequence[Asked]) -> str:
    """Python that states them."""
    kinds = sorted({type(each).__name__ for each in asked})
    lines = (
        f'    {type(each).__name__}("{each.name}", "{each.statement}", given="{each.given}", up_to={each.up_to}),\n'
        for each in asked
    )
    return f"from weightproof import {', '.join(kinds)}\n\ntheorems = (\n{''.join(lines)})\n"


def _snapped(construction: Construction, asked: Sequence[Asked], circuits: bool = False) -> tuple[int, Construction]:
    """The network with its weights rounded to the fewest bits behind the point with which what is asked of it is
    proved; InputError where none is found, or where it is not so of the network itself. circuits: what is rounded is
    what its heads score and carry, and that may be right where the network itself is not."""
    if not circuits and (open_one := _unproved(construction, asked)) is not None:
        raise InputError(f"--snap: {construction.name}, {open_one}: so it is unrounded, and no rounding is looked for")
    found = []
    for bits in range(BITS_OF_A_SCORE if circuits else BITS_OF_A_FLOAT):
        transforms = (*(("circuits",) if circuits else ()), f"snap:bits={bits}")
        rounded = replace(transformed(construction, transforms), name=f"{construction.name}-{bits}-bits")
        if (open_one := _unproved(rounded, asked)) is None:
            return bits, rounded
        found.append(f"{bits} bits, {open_one}")
    raise InputError(f"--snap: {construction.name} is not proved with any number of bits: {'; '.join(found)}")


def _unproved(construction: Construction, asked: Sequence[Asked]) -> str | None:
    """The first theorem that is not proved of a network, and why not."""
    for theorem in asked:
        [proof] = proofs(construction, (theorem,))
        match proof.result.verdict:
            case Proved():
                continue
            case Refuted(counterexample=Counterexample(word=word)):
                return f"{theorem.name}: wrong on {word!r}"
            case verdict:
                return f"{theorem.name}: {getattr(verdict, 'reason', 'not proved')}"
    return None


def learn(
    given: str | AnyExperiment,
    *,
    seeds: int | None = None,
    epochs: int | None = None,
    curves: Sequence[str] = (),
    device: str = "cpu",
    keep: str | Path | None = None,
    output: str | Path | None = None,
    seed: int | None = None,
    snap: bool = False,
) -> Learned:
    """Train the networks of an experiment of a paper, and compare what comes out with what the paper says.

    seeds: how many; epochs: for how long; curves: which, by name; those that the experiment has unless told. keep: a
    file in which results are kept, and from which training goes on. output: a Python file to which the network of the
    seed, or of the best one, is written as a construction, every weight exactly as training left it; or
    snap: rounded to the fewest bits behind the point with which it is right on all words as long as its own or shorter.
    """
    how = Training(seeds, epochs, tuple(curves), device)
    file, to = (None if each is None else Path(each) for each in (keep, output))
    found = learned(given, how, file, None, to, seed, snap)
    if found.interrupted:
        raise KeyboardInterrupt
    return found
