"""Training, of many seeds at once: every tensor of weights has a leading dimension of seeds, and nothing is ever added
up over it.

What comes out for a seed is the same to the bit whatever other seeds are beside it. That rests on two things about how
torch computes on one thread of a CPU. The product of a batch of matrices is, matrix by matrix, the product of each, as
long as none has a single column; so are sums over rows. And what is done entry by entry is done in vectors of up to 64
entries, with other instructions for what is left over behind the last full one, as in a softplus: so weights, and
logits, stand in buffers whose size is a multiple of that.

Tests compare runs of one seed and of several, bit by bit; between two kinds of processor, or of torch, nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeVar

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import LayerNorm, Normaliser, known
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.learning.architecture import (
    READ,
    SEES_ALL,
    TRAINING,
    Architecture,
    AsWritten,
    Block,
    Constant,
    Normal,
    Uniform,
)
from weightproof.numeric.learning.experiment import OF_TRAINING, Curve, Experiment, Measure
from weightproof.numeric.learning.heads import kept
from weightproof.numeric.learning.tasks import Seen, drawn, number, seen
from weightproof.numeric.learning.tensors import HEADS, Free, encoder, tensors

Tensor = torch.Tensor
T = TypeVar("T")
VECTOR = 64
"""Entries of the longest vectors that a CPU computes with at once, in float32, several of them in one turn."""
ALIGNED = 4
"""Floats in 16 bytes."""
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
"""Of Adam: Kingma and Ba (2015), algorithm 1."""
KEPT = 50
"""Epochs after which a state is handed out, if it is not tested."""


@dataclass(frozen=True)
class State:
    """Of one seed, after an epoch: its weights and the two moments of Adam, one after the other, float32 [weights];
    chosen: its weights after that epoch which the words of validation have chosen, where they choose any."""

    epoch: int
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray
    chosen: np.ndarray | None = None

    @property
    def best(self) -> np.ndarray:
        """The weights that are tested."""
        return self.weights if self.chosen is None else self.chosen


@dataclass(frozen=True)
class Reached:
    """What a seed has reached; measured: where it was tested then."""

    seed: int
    state: State
    measured: Mapping[Measure, float] | None


class Buffers:
    """The weights of all seeds in one buffer, tensor by tensor, with their gradients in another."""

    def __init__(self, free: Sequence[Free], states: Sequence[State], device: torch.device) -> None:
        self.tensors, self.seeds = free, len(states)
        self.epoch = states[0].epoch
        self.weights, self.first, self.second = (
            self._together([getattr(state, name) for state in states]).to(device)
            for name in ("weights", "first", "second")
        )
        self.gradients = torch.zeros_like(self.weights)
        self.trained = torch.zeros_like(self.weights)
        self.named: dict[str, Tensor] = {}
        start = 0
        for tensor in free:
            here = slice(start, start + self.seeds * tensor.size)
            named = self.weights[here].view(self.seeds, *tensor.shape)
            if tensor.trained:
                named.requires_grad_().grad = self.gradients[here].view(self.seeds, *tensor.shape)
                self.trained[here] = 1
            self.named[tensor.name], start = named, here.stop

    def states(self, chosen: Sequence[np.ndarray | None]) -> list[State]:
        """Of each seed, with what has been chosen."""
        weights, first, second = map(self._apart, (self.weights, self.first, self.second))
        return [State(self.epoch, *each) for each in zip(weights, first, second, chosen, strict=True)]

    def all_weights(self) -> list[np.ndarray]:
        """Of each seed."""
        return self._apart(self.weights)

    def _together(self, each: Sequence[np.ndarray]) -> Tensor:
        parts, start = list[np.ndarray](), 0
        for tensor in self.tensors:
            parts += [one[start : start + tensor.size] for one in each]
            start += tensor.size
        whole = np.concatenate(parts)
        return torch.from_numpy(np.concatenate([whole, np.zeros(-len(whole) % VECTOR, dtype=np.float32)]))

    def _apart(self, buffer: Tensor) -> list[np.ndarray]:
        values, start = buffer.detach().cpu().numpy(), 0
        parts: list[list[np.ndarray]] = [[] for _ in range(self.seeds)]
        for tensor in self.tensors:
            for place, part in enumerate(parts):
                part.append(values[start + place * tensor.size :][: tensor.size])
            start += self.seeds * tensor.size
        return [np.concatenate(part) for part in parts]

    def step(self, number: int, rate: float, decay: float = 0) -> None:
        """One of Adam, the number-th, counted from 1, with the gradients that are there; these are 0 then. decay: the
        share of each weight that is taken away before, times the rate: Loshchilov and Hutter (2019), algorithm 2."""
        with torch.no_grad():
            if decay:
                self.weights.addcmul_(self.weights, self.trained, value=-rate * decay)
            self.first.mul_(BETA_1).add_(self.gradients, alpha=1 - BETA_1)
            self.second.mul_(BETA_2).addcmul_(self.gradients, self.gradients, value=1 - BETA_2)
            scale = (self.second.sqrt() / math.sqrt(1 - BETA_2**number)).add_(EPSILON)
            self.weights.addcdiv_(self.first, scale, value=-rate / (1 - BETA_1**number))
            self.gradients.zero_()


def begun(experiment: Experiment, curve: Curve, seed: int) -> State:
    """The weights that a seed begins with."""
    draws = torch.Generator().manual_seed(number(experiment, curve, seed, "weights"))
    made: dict[str, Tensor] = {}
    for tensor in tensors(curve.architecture, experiment.language.alphabet):
        match tensor.begins:
            case _ if tensor.like is not None:
                made[tensor.name] = made[tensor.like]
            case Constant(value=value):
                made[tensor.name] = torch.full(tensor.shape, value)
            case Uniform(bound=bound):
                made[tensor.name] = (torch.rand(tensor.shape, generator=draws) * 2 - 1) * bound
            case Normal(deviation=deviation):
                made[tensor.name] = torch.randn(tensor.shape, generator=draws) * deviation
            case AsWritten(deviation=deviation):
                moved = torch.randn(tensor.shape, generator=draws) * deviation if deviation else 0
                made[tensor.name] = torch.from_numpy(tensor.written) + moved
    if curve.heads is not None:
        for name in made:
            if name.endswith(HEADS):
                made[name][curve.heads :] = 0
    weights = torch.cat([tensor.flatten() for tensor in made.values()]).numpy()
    chosen = None if curve.validated is None else weights
    return State(0, weights, np.zeros_like(weights), np.zeros_like(weights), chosen)


def named_weights(experiment: Experiment, curve: Curve, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Those of one seed, by the names of their tensors."""
    found, start = {}, 0
    for tensor in tensors(curve.architecture, experiment.language.alphabet):
        found[tensor.name] = weights[start : start + tensor.size].reshape(tensor.shape)
        start += tensor.size
    return found


def trained(experiment: Experiment, curve: Curve, seed: int, weights: np.ndarray) -> Construction:
    """One seed's network as a construction, every weight exactly the float that training ended with."""
    symbols = experiment.language.alphabet
    return Construction(
        name=f"{experiment.name}-{curve.name}-seed-{seed}".replace("=", "").replace(" ", "-"),
        title=f"{experiment.language.name}, trained on words of {curve.length} symbols",
        source=f"trained as in {experiment.source}, {experiment.figure}: {curve.name}, seed {seed}",
        language=experiment.language,
        network=encoder(curve.architecture, symbols, named_weights(experiment, curve, weights)),
    )


@dataclass(frozen=True)
class Session:
    """What does not change while seeds are trained. numbers: their seeds; draws: any network of them, for its language
    and its markers; kept, validated: words that are the same in every epoch, where there are such."""

    experiment: Experiment
    curve: Curve
    seeds: tuple[int, ...]
    place: torch.device
    draws: Construction
    kept: tuple[Seen, Tensor] | None
    validated: tuple[Seen, Tensor] | None

    @classmethod
    def of(cls, experiment: Experiment, curve: Curve, states: Mapping[int, State], place: torch.device) -> Session:
        seeds = tuple(states)
        draws = trained(experiment, curve, seeds[0], states[seeds[0]].weights)
        bare = cls(experiment, curve, seeds, place, draws, None, None)
        kept, validated = None, None
        if experiment.kept is not None:
            kept = bare.words("words", experiment.kept, curve.shortest, curve.length, experiment.stop)
        if curve.validated is not None:
            validated = bare.words("validation", experiment.test_words, *curve.validated)
        return replace(bare, kept=kept, validated=validated)

    def words(
        self, purpose: str, words: int, shortest: int | None, longest: int, stop: str | None = None
    ) -> tuple[Seen, Tensor]:
        """Words of every seed as they are seen, on the device, and what is right of them."""
        numbers = [number(self.experiment, self.curve, seed, purpose) for seed in self.seeds]
        least = longest if shortest is None else shortest
        found = drawn(self.experiment, self.draws, words, least, longest, numbers, stop)
        symbols = self.experiment.language.alphabet
        return seen(self.curve.architecture, symbols, found.tokens).to(self.place), found.right.to(self.place)

    def first_task(self, words: tuple[Seen, Tensor]) -> tuple[Seen, Tensor]:
        """Those of them that end with the word itself, and not with its label."""
        inputs, right = words
        step = 1 if self.experiment.stop is None else 2
        return inputs.of(slice(None, None, step)), right[:, ::step]

    def lesson(self, epoch: int) -> tuple[Seen, Tensor]:
        """The words of an epoch, counted from 1, step by step."""
        experiment, curve = self.experiment, self.curve
        many = experiment.steps * experiment.words
        if self.kept is None:
            return self.words(f"epoch {epoch}", many, curve.shortest, curve.length, experiment.stop)
        order = []
        for seed in self.seeds:
            draws = torch.Generator().manual_seed(number(experiment, curve, seed, f"epoch {epoch}"))
            assert experiment.kept is not None
            order.append(torch.randperm(experiment.kept, generator=draws)[:many])
        places = torch.stack(order)
        if experiment.stop is not None:
            places = torch.stack([2 * places, 2 * places + 1], 2).flatten(1)
        inputs, right = self.kept
        return inputs.at(places.to(self.place)), right.gather(1, places.to(self.place))


@dataclass(frozen=True)
class Choice:
    """Of each seed, the weights that words of validation have chosen so far, None where there are none, and how good
    they are: fewest heads first, then the greatest share of right answers, then the earliest epoch."""

    chosen: tuple[np.ndarray | None, ...]
    goodness: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, session: Session, chosen: Sequence[np.ndarray | None]) -> Choice:
        """What has been chosen before."""
        there = [each for each in chosen if each is not None]
        if session.validated is None or len(there) < len(chosen):
            return cls((None,) * len(chosen), ())
        named = stacked(session, there)
        return cls(tuple(there), _goodness(named, validated(session, named)))

    def after(self, shares: np.ndarray, buffers: Buffers) -> Choice:
        """With the weights that there are now, where they are better. shares: of words of validation, [seeds]."""
        now, weights = _goodness(buffers.named, shares), buffers.all_weights()
        better = [new > old for new, old in zip(now, self.goodness, strict=True)]
        return Choice(_replaced(better, weights, self.chosen), _replaced(better, now, self.goodness))


def _replaced(better: Sequence[bool], new: Sequence[T], old: Sequence[T]) -> tuple[T, ...]:
    return tuple(one if is_better else other for is_better, one, other in zip(better, new, old, strict=True))


def _goodness(named: Mapping[str, Tensor], shares: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((-float(many), float(share)) for many, share in zip(heads_left(named), shares, strict=True))


def heads_left(named: Mapping[str, Tensor]) -> np.ndarray:
    """Of all layers together, [seeds]."""
    return torch.cat([values for name, values in named.items() if name.endswith(HEADS)], 1).sum(1).cpu().numpy()


def halve(session: Session, buffers: Buffers, good: np.ndarray) -> None:
    """Drops half of the heads that are left of these seeds, bool [seeds], in a network that looks once."""
    curve = session.curve
    name = f"0.{HEADS}"
    assert curve.halving is not None
    assert session.kept is not None
    assert session.validated is not None
    of_heads = buffers.named[name]
    with torch.no_grad():
        for place in np.flatnonzero(good):
            here = slice(int(place), int(place) + 1)
            there = [int(head) for head in of_heads[here].nonzero()[:, 1]]
            if len(there) > 1:
                own = {tensor: values[here] for tensor, values in buffers.named.items()}
                training, validation = (
                    found_by_heads(curve.architecture, own, inputs.of_seed(here), right[here])
                    for inputs, right in (session.first_task(session.kept), session.validated)
                )
                left = kept(curve.halving.rule, there, training, validation)
                of_heads[here] = torch.tensor([float(head in left) for head in range(of_heads.shape[1])])


def found_by_heads(
    architecture: Architecture, weights: Mapping[str, Tensor], inputs: Seen, right: Tensor
) -> tuple[np.ndarray, np.ndarray]:
    """Of one seed: what heads find for words, [words, heads, carried], and on which side words are to be, [words]: 1
    where the first of the labels is right, and -1 where another one is."""
    x = embedded(weights, inputs, once=True)
    [block] = architecture.blocks
    _, mixed = looked(block, of_layer(weights, 0), inputs, x, x, architecture.width)
    first = int(right.min())
    sides = torch.where(right[0] == first, 1.0, -1.0)
    return mixed[0, :, :, 0].double().cpu().numpy(), sides.double().cpu().numpy()


def train(
    experiment: Experiment, curve: Curve, states: Mapping[int, State], epochs: int, device: str = "cpu"
) -> Iterator[list[Reached]]:
    """Goes on from the states of seeds, all after the same epoch, to the last of so many epochs: what all of them have
    reached after each at which they are tested, each KEPT-th, and the last."""
    place = torch.device(device)
    with one_thread(place):
        buffers = Buffers(tensors(curve.architecture, experiment.language.alphabet), [*states.values()], place)
        session = Session.of(experiment, curve, states, place)
        choice = Choice.of(session, [state.chosen for state in states.values()])
    if buffers.epoch == 0 and 0 in experiment.points:
        with one_thread(place):
            reached = _reached(session, buffers, choice, None)
        yield reached
    while buffers.epoch < epochs:
        with one_thread(place):
            before = _epoch(session, buffers)
            if session.validated is not None:
                shares = validated(session, buffers.named)
                choice = choice.after(shares, buffers)
                if curve.halving is not None:
                    halve(session, buffers, shares >= curve.halving.share)
            epoch = buffers.epoch
            if not (tested := epoch in experiment.points or epoch == epochs) and epoch % KEPT:
                continue
            reached = _reached(session, buffers, choice, before if tested else None, tested)
        yield reached


@contextmanager
def one_thread(device: torch.device) -> Iterator[None]:
    """On a CPU, torch computes with one thread: several would add up in parts, and are for other seeds."""
    threads = torch.get_num_threads()
    if device.type == "cpu":
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _epoch(session: Session, buffers: Buffers) -> tuple[np.ndarray, np.ndarray]:
    """Shares of right answers and cross-entropies in bits, of the words of an epoch, [seeds] each."""
    experiment, architecture = session.experiment, session.curve.architecture
    inputs, right = session.lesson(buffers.epoch + 1)
    size = experiment.words * (1 if experiment.stop is None else 2)
    found, rights = [], []
    for step in range(experiment.steps):
        here = slice(step * size, (step + 1) * size)
        logits, _ = outputs(architecture, buffers.named, inputs.of(here))
        loss, is_right = losses(logits, right[:, here])
        (loss.sum() / size).backward()  # type: ignore[no-untyped-call]
        number = buffers.epoch * experiment.steps + step + 1
        rate = experiment.rate * min(1, number / experiment.warmed) if experiment.warmed else experiment.rate
        buffers.step(number, rate, experiment.decay)
        found.append(loss.detach())
        rights.append(is_right)
    buffers.epoch += 1
    return _mean(torch.cat(rights, 1)), _mean(torch.cat(found, 1)) / math.log(2)


def _mean(values: Tensor) -> np.ndarray:
    """Over words, of each seed."""
    return values.double().cpu().numpy().mean(1)


def losses(logits: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropies in nats, and whether words are decided rightly, [seeds, words] each, of outputs [seeds, words,
    rows]. Of one row the sign decides, and right says on which side it is to be; of several the greatest, and right
    says which."""
    if logits.shape[2] > 1:
        of_right = logits.gather(2, right[:, :, None])[:, :, 0]
        return torch.logsumexp(logits, 2) - of_right, logits.detach().argmax(2) == right
    side = logits[:, :, 0] * (right.float() * 2 - 1)
    return torch.nn.functional.softplus(-padded(side))[: side.numel()].view(side.shape), side.detach() > 0


def _reached(
    session: Session,
    buffers: Buffers,
    choice: Choice,
    before: tuple[np.ndarray, np.ndarray] | None,
    tested: bool = True,
) -> list[Reached]:
    """What each seed has reached. before: shares of right answers and cross-entropies of the words of the last epoch,
    where there was one."""
    states = buffers.states(choice.chosen)
    measured: dict[Measure, np.ndarray] = {}
    wanted: list[Measure] = []
    if tested:
        measured |= _tested(session, [state.best for state in states], buffers.epoch)
        wanted = [name for name in session.experiment.measures if before is not None or name not in OF_TRAINING]
    if before is not None:
        measured |= dict(zip(OF_TRAINING, before, strict=True))
    every = [{name: float(_measure(name, measured)[place]) for name in wanted} for place in range(len(states))]
    return [Reached(*each) for each in zip(session.seeds, states, (each or None for each in every), strict=True)]


def _measure(name: Measure, measured: Mapping[Measure, np.ndarray]) -> np.ndarray:
    return known(TRAINING, "measure", name, {str(each): values for each, values in measured.items()})


def _tested(session: Session, weights: Sequence[np.ndarray], epoch: int) -> dict[Measure, np.ndarray]:
    """What is measured of weights, [seeds] each."""
    experiment, curve = session.experiment, session.curve
    inputs, right = session.words(f"test {epoch}", experiment.test_words, curve.tested_from, curve.tested)
    with torch.no_grad():
        named = stacked(session, weights)
        logits, attention = outputs(curve.architecture, named, inputs)
        found: dict[Measure, np.ndarray] = {}
        if logits.shape[2] == 1:
            side = np.where(right.cpu().numpy(), 1, -1) * logits[:, :, 0].double().cpu().numpy()
            found |= {"accuracy": (side > 0).mean(1), "cross-entropy": np.logaddexp(0, -side).mean(1) / math.log(2)}
        else:
            loss, is_right = losses(logits.double(), right)
            found |= {"accuracy": _mean(is_right), "cross-entropy": _mean(loss) / math.log(2)}
        if "attention" in experiment.measures and attention is not None:
            found["attention"] = _mean(attention)
        if session.validated is not None:
            found["validation accuracy"] = validated(session, named)
        if "heads" in experiment.measures:
            found["heads"] = heads_left(named)
    return found


def validated(session: Session, named: Mapping[str, Tensor]) -> np.ndarray:
    """The share of words of validation that is decided rightly, [seeds]."""
    assert session.validated is not None
    inputs, right = session.validated
    with torch.no_grad():
        return _mean(losses(outputs(session.curve.architecture, named, inputs)[0], right)[1])


def stacked(session: Session, weights: Sequence[np.ndarray]) -> dict[str, Tensor]:
    """By the names of tensors, [seeds, ...] each, on the device."""
    every = [named_weights(session.experiment, session.curve, each) for each in weights]
    return {name: torch.from_numpy(np.stack([each[name] for each in every])).to(session.place) for name in every[0]}


@cache
def number_of(scalar: Expression, n: int, d: int) -> float:
    """A scalar of words of n positions, in a stream of d coordinates."""
    return float(ball(evaluate(scalar, {"n": fmpq(n), "d": fmpq(d)})))


def padded(values: Tensor) -> Tensor:
    """One after the other, and 0s behind, so that all of them are computed as vectors."""
    return torch.nn.functional.pad(values.flatten(), (0, -values.numel() % VECTOR))


def times(x: Tensor, W: Tensor) -> Tensor:
    """x [seeds, words, rows, columns] @ W [seeds, columns, others]."""
    product = multiplied(x.reshape(x.shape[0], -1, x.shape[-1]), W)
    return product.view(*x.shape[:-1], product.shape[-1])


def multiplied(left: Tensor, right: Tensor) -> Tensor:
    """torch.bmm, of batches whose matrices do not begin at other places for one seed than for another: in what order a
    product is added up depends on whether that is a multiple of 16 bytes. Where neither rows nor columns of the right
    one make it one, rows and columns of 0s are joined."""
    (rows, inner), columns = left.shape[1:], right.shape[2]
    if not inner % ALIGNED or not columns % ALIGNED:
        return torch.bmm(left, right)
    more = [-size % ALIGNED for size in (rows, inner, columns)]
    left = torch.nn.functional.pad(left, (0, more[1], 0, more[0]))
    right = torch.nn.functional.pad(right, (0, more[2], 0, more[1]))
    return torch.bmm(left, right)[:, :rows, :columns].contiguous()


def outputs(architecture: Architecture, weights: Mapping[str, Tensor], inputs: Seen) -> tuple[Tensor, Tensor | None]:
    """The outputs of words, [seeds, words, rows], and, where the first position is read, how much it attends to
    position 1, summed over layers and averaged over heads, [seeds, words]. weights: by the names of `tensors`, each
    [seeds, ...]."""
    read = READ[architecture.network.readout.position]
    attention = inputs.tokens.new_zeros(inputs.tokens.shape[:2]) if read == 0 else None
    once = architecture.looks_once and inputs.logs is not None
    x = embedded(weights, inputs, once)
    for layer, block in enumerate(architecture.blocks):
        own = of_layer(weights, layer)
        last = layer + 1 == len(architecture.blocks)
        here = _read(x, inputs) if last else x
        if block.head is not None:
            look = looked if once else attended
            shares, mixed = look(block, own, inputs, here, x, architecture.width)
            if attention is not None:
                with torch.no_grad():
                    attention = attention + _to(shares[:, :, :, 0], inputs)
            here = here + written(block, own, mixed, architecture.network.coordinates)
        here = _normed(here, block.norms[0], own, "1")
        if block.feed_forward:
            inner = torch.relu(times(here, own["W_F1"]) + own["b_F1"][:, None, None])
            here = here + (times(inner, own["W_F2"]) + own["b_F2"][:, None, None])
        x = _normed(here, block.norms[1], own, "2")
    if not architecture.blocks:
        x = _read(x, inputs)
    return read_out(weights, x, read is None), attention


def of_layer(weights: Mapping[str, Tensor], layer: int) -> dict[str, Tensor]:
    """Its own, without its number."""
    return {name.removeprefix(f"{layer}."): W for name, W in weights.items() if name.startswith(f"{layer}.")}


def embedded(weights: Mapping[str, Tensor], inputs: Seen, once: bool) -> Tensor:
    """The stream before the first layer, [seeds, words, places, d]; once: of one word, where it is that of all."""
    ids = inputs.tokens[:, :1] if once else inputs.tokens
    return times(ids, weights["W_E"]) + inputs.encodings


def _read(x: Tensor, inputs: Seen) -> Tensor:
    """The places that are read, [seeds, words, places, d], of all."""
    if inputs.read is None:
        return x
    if not inputs.read.any():
        return x[:, :, :1]
    if x.shape[1] < inputs.read.shape[1]:  # one word stands for all
        return x[:, 0].gather(1, inputs.read[:, :, None].expand(-1, -1, x.shape[3]))[:, :, None]
    return x.gather(2, inputs.read[:, :, None, None].expand(-1, -1, 1, x.shape[3]))


def attended(
    block: Block, weights: Mapping[str, Tensor], inputs: Seen, here: Tensor, x: Tensor, d: int
) -> tuple[Tensor, Tensor]:
    """What places `here`, [seeds, words, rows, d], take from the places x: the shares, [seeds, words, heads, rows,
    places], and what the heads find, [seeds, words, heads, rows, carried]."""
    assert block.head is not None
    seeds, words, places = x.shape[:3]
    rows, heads = here.shape[2], block.heads

    def apart(y: Tensor, size: int) -> Tensor:
        """[seeds, words, rows, heads * size] to [seeds * words * heads, rows, size]."""
        by_head = y.view(seeds, words, y.shape[2], heads, size).transpose(2, 3)
        return by_head.reshape(seeds * words * heads, y.shape[2], size)

    q, k = apart(times(here, weights["W_Q"]), block.scored), apart(times(x, weights["W_K"]), block.scored)
    v = apart(times(x, weights["W_V"]), block.carried)
    scale = number_of(block.head.scale, inputs.n, d)
    scores = (multiplied(q, k.transpose(1, 2)) * scale).view(seeds, words, heads, rows, places)
    if rows > 1 and not SEES_ALL[block.head.mask]:
        scores = scores + torch.full((rows, places), -math.inf, device=scores.device).triu(1)
    shares = shared(block.head.normaliser, scores, None if inputs.logs is None else inputs.logs[:, :, None, None])
    mixed = multiplied(shares.view(-1, rows, places), v).view(seeds, words, heads, rows, -1)
    return shares, mixed


def looked(
    block: Block, weights: Mapping[str, Tensor], inputs: Seen, here: Tensor, x: Tensor, d: int
) -> tuple[Tensor, Tensor]:
    """As `attended`, where x is that of one word, [seeds, 1, places, d], and of all others: scores are those of places
    with places, of which each word has those of the place that it reads."""
    assert block.head is not None
    assert inputs.logs is not None
    assert inputs.read is not None
    seeds, _, places, _ = x.shape
    heads, words = block.heads, inputs.read.shape[1]

    def apart(name: str, size: int) -> Tensor:
        """[seeds * heads, places, size]."""
        return times(x, weights[name]).view(seeds, places, heads, size).transpose(1, 2).reshape(-1, places, size)

    q, k, v = apart("W_Q", block.scored), apart("W_K", block.scored), apart("W_V", block.carried)
    scores = multiplied(q, k.transpose(1, 2)) * number_of(block.head.scale, inputs.n, d)
    own = inputs.read[:, None, :, None].expand(-1, heads, -1, places)
    of_words = scores.view(seeds, heads, places, places).gather(2, own)
    shares = shared(block.head.normaliser, of_words, inputs.logs[:, None])
    mixed = multiplied(shares.view(seeds * heads, words, places), v).view(seeds, heads, words, 1, -1)
    return shares.transpose(1, 2)[:, :, :, None], mixed.transpose(1, 2)


def written(block: Block, weights: Mapping[str, Tensor], mixed: Tensor, coordinates: tuple[str, ...]) -> Tensor:
    """What heads add to the stream, [seeds, words, rows, d], of what they find."""
    seeds, words, heads, rows, carried = mixed.shape
    if heads > 1:
        mixed = mixed * weights[HEADS][:, None, :, None, None]
    mixed = mixed.transpose(2, 3).reshape(seeds, words, rows, heads * carried)
    W = weights["W_O"] if block.writes is None else placed(block.writes, coordinates).expand(seeds, -1, -1)
    return times(mixed, W.to(mixed))


@lru_cache(maxsize=16)
def placed(writes: tuple[tuple[str, ...], ...], coordinates: tuple[str, ...]) -> Tensor:
    """What heads without W_O write where, 0 and 1, [heads * carried, d]."""
    places = torch.tensor([coordinates.index(name) for names in writes for name in names])
    return torch.nn.functional.one_hot(places, len(coordinates)).float()


def _normed(x: Tensor, norm: LayerNorm | None, weights: Mapping[str, Tensor], which: str) -> Tensor:
    if norm is None:
        return x
    centred = torch.nn.functional.layer_norm(x, (x.shape[-1],), eps=number_of(norm.epsilon, 0, x.shape[-1]))
    return centred * weights[f"gain_{which}"][:, None, None] + weights[f"bias_{which}"][:, None, None]


def read_out(weights: Mapping[str, Tensor], x: Tensor, summed: bool) -> Tensor:
    """Of the places that are read, [seeds, words, places, d]."""
    W, b = weights["W_U"], weights["b_U"]
    b, x = (b * x.shape[2], _added(x)) if summed else (b, x[:, :, 0])
    if W.shape[2] > 1:
        return multiplied(x, W) + b[:, None]
    return ((x * W[:, None, :, 0]).sum(-1) + b)[:, :, None]  # a matrix of one column is no batch


def _added(x: Tensor) -> Tensor:
    """The sum over places, [seeds, words, d], as a product: torch.sum takes them in another order beside others."""
    seeds, words, places, d = x.shape
    return multiplied(x.new_ones(seeds * words, 1, places), x.reshape(-1, places, d)).view(seeds, words, d)


def _softmax(scores: Tensor, logs: Tensor | None) -> Tensor:
    return torch.softmax(scores if logs is None else scores + logs, -1)


def _hardmax(scores: Tensor, logs: Tensor | None) -> Tensor:
    """Each of the positions with the greatest score gets as much."""
    counts = torch.ones_like(scores) if logs is None else logs.exp().expand_as(scores)
    there = scores.detach().masked_fill(counts == 0, -math.inf)
    greatest = (there == there.amax(-1, keepdim=True)) * counts
    return greatest / greatest.sum(-1, keepdim=True)


SHARES: dict[str, Callable[[Tensor, Tensor | None], Tensor]] = {"softmax": _softmax, "hardmax": _hardmax}
"""By normaliser."""


def shared(normaliser: Normaliser, scores: Tensor, logs: Tensor | None) -> Tensor:
    """What each place gets, for all positions that it stands for, of scores [..., places] and with the logs of `Seen`,
    along the same places."""
    return known(TRAINING, "normaliser", normaliser, SHARES)(scores, logs)


def _to(shares: Tensor, inputs: Seen) -> Tensor:
    """Of what CLS attends to, [seeds, words, heads, places]: to position 1, the mean over heads, [seeds, words]."""
    place = inputs.after_first[:, :, None, None]
    found = shares.gather(3, place.expand(-1, -1, shares.shape[2], 1))[..., 0]
    if inputs.logs is not None:
        found = found / inputs.logs.gather(2, inputs.after_first[:, :, None]).exp()
    return found.mean(2)
