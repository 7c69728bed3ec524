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
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import known
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.learning.architecture import Constant, Free, Normal, Uniform, encoder, free
from weightproof.numeric.learning.experiment import MEASURES, Architecture, Curve, Experiment, Measure
from weightproof.numeric.learning.tasks import Seen, Words, drawn, number, seen

Tensor = torch.Tensor
VECTOR = 64
"""Entries of the longest vectors that a CPU computes with at once, in float32, several of them in one turn."""
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
"""Of Adam: Kingma and Ba (2015), algorithm 1."""
SHORTEST = 2
"""Symbols of the shortest words where lengths vary."""
KEPT = 50
"""Epochs after which a state is handed out, if it is not tested."""


@dataclass(frozen=True)
class State:
    """Of one seed, after an epoch: its weights and the two moments of Adam, one after the other, float32 [weights]."""

    epoch: int
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray


@dataclass(frozen=True)
class Reached:
    """What a seed has reached; measured: where it was tested then."""

    seed: int
    state: State
    measured: Mapping[Measure, float] | None


class Buffers:
    """The weights of all seeds in one buffer, tensor by tensor, with their gradients in another."""

    def __init__(self, tensors: Sequence[Free], states: Sequence[State], device: torch.device) -> None:
        self.tensors, self.seeds = tensors, len(states)
        self.epoch = states[0].epoch
        self.weights, self.first, self.second = (
            self._together([getattr(state, name) for state in states]).to(device)
            for name in ("weights", "first", "second")
        )
        self.gradients = torch.zeros_like(self.weights)
        self.named: dict[str, Tensor] = {}
        start = 0
        for tensor in tensors:
            here = slice(start, start + self.seeds * tensor.size)
            named = self.weights[here].view(self.seeds, *tensor.shape).requires_grad_()
            named.grad = self.gradients[here].view(self.seeds, *tensor.shape)
            self.named[tensor.name], start = named, here.stop

    def states(self) -> list[State]:
        """Of each seed."""
        weights, first, second = map(self._apart, (self.weights, self.first, self.second))
        return [State(self.epoch, *each) for each in zip(weights, first, second, strict=True)]

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

    def step(self, number: int, rate: float) -> None:
        """One of Adam, the number-th, counted from 1, with the gradients that are there; these are 0 then."""
        with torch.no_grad():
            self.first.mul_(BETA_1).add_(self.gradients, alpha=1 - BETA_1)
            self.second.mul_(BETA_2).addcmul_(self.gradients, self.gradients, value=1 - BETA_2)
            scale = (self.second.sqrt() / math.sqrt(1 - BETA_2**number)).add_(EPSILON)
            self.weights.addcdiv_(self.first, scale, value=-rate / (1 - BETA_1**number))
            self.gradients.zero_()


def begun(experiment: Experiment, curve: Curve, seed: int) -> State:
    """The weights that a seed begins with."""
    draws = torch.Generator().manual_seed(number(experiment, curve, seed, "weights"))
    made: dict[str, Tensor] = {}
    for tensor in free(curve.architecture, experiment.language.alphabet):
        match tensor.begins:
            case _ if tensor.like is not None:
                made[tensor.name] = made[tensor.like]
            case Constant(value=value):
                made[tensor.name] = torch.full(tensor.shape, value)
            case Uniform(bound=bound):
                made[tensor.name] = (torch.rand(tensor.shape, generator=draws) * 2 - 1) * bound
            case Normal():
                made[tensor.name] = torch.randn(tensor.shape, generator=draws)
    weights = torch.cat([tensor.flatten() for tensor in made.values()]).numpy()
    return State(0, weights, np.zeros_like(weights), np.zeros_like(weights))


def named_weights(experiment: Experiment, curve: Curve, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Those of one seed, by the names of their tensors."""
    found, start = {}, 0
    for tensor in free(curve.architecture, experiment.language.alphabet):
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


def train(
    experiment: Experiment, curve: Curve, states: Mapping[int, State], epochs: int, device: str = "cpu"
) -> Iterator[list[Reached]]:
    """Goes on from the states of seeds, all after the same epoch, to the last of so many epochs: what all of them have
    reached after each at which they are tested, each KEPT-th, and the last."""
    place, seeds = torch.device(device), [*states]
    tensors = free(curve.architecture, experiment.language.alphabet)
    with one_thread(place):
        buffers = Buffers(tensors, [*states.values()], place)
        draws = trained(experiment, curve, seeds[0], states[seeds[0]].weights)  # for its language and its markers
    while buffers.epoch < epochs:
        with one_thread(place):
            losses, rights = _epoch(experiment, curve, buffers, seeds, draws, place)
            measures: tuple[np.ndarray, ...] = ()
            if (epoch := buffers.epoch) in experiment.points or epoch == epochs:
                numbers = [number(experiment, curve, seed, f"test {epoch}") for seed in seeds]
                words = drawn(experiment, draws, experiment.test_words, curve.tested, curve.tested, numbers)
                alphabet = len(experiment.language.alphabet)
                measures = (*_tested(curve.architecture, buffers.named, words, alphabet, place), rights, losses)
            if not measures and epoch % KEPT:
                continue
            states_now = buffers.states()
        yield [
            Reached(seed, state, _measured(measures, place_of) if measures else None)
            for place_of, (seed, state) in enumerate(zip(seeds, states_now, strict=True))
        ]


def _measured(measures: Sequence[np.ndarray], number: int) -> dict[Measure, float]:
    """Of one seed."""
    return {name: float(each[number]) for name, each in zip(MEASURES, measures, strict=True)}


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


def _epoch(
    experiment: Experiment,
    curve: Curve,
    buffers: Buffers,
    seeds: Sequence[int],
    draws: Construction,
    place: torch.device,
) -> tuple[np.ndarray, np.ndarray]:
    """Cross-entropies in bits and shares of right answers, of the words of an epoch, [seeds] each."""
    numbers = [number(experiment, curve, seed, f"epoch {buffers.epoch + 1}") for seed in seeds]
    shortest = SHORTEST if curve.varied else curve.length
    whole = drawn(experiment, draws, experiment.steps * experiment.words, shortest, curve.length, numbers)
    inputs = moved(seen(curve.architecture, whole.tokens, len(experiment.language.alphabet)), place)
    right = whole.right.to(place)
    scale = scale_at(curve.architecture, whole.tokens.shape[2])
    found, sides = [], []
    for step in range(experiment.steps):
        here = slice(step * experiment.words, (step + 1) * experiment.words)
        logits, _ = outputs(curve.architecture, buffers.named, part(inputs, here), scale)
        side = logits * (right[:, here].float() * 2 - 1)
        loss = torch.nn.functional.softplus(-padded(side))[: side.numel()].view(side.shape)
        (loss.sum() / experiment.words).backward()  # type: ignore[no-untyped-call]
        buffers.step(buffers.epoch * experiment.steps + step + 1, experiment.rate)
        found.append(loss.detach())
        sides.append(side.detach())
    losses = torch.cat(found, 1).double().cpu().numpy().mean(1) / math.log(2)
    rights = (torch.cat(sides, 1) > 0).double().cpu().numpy().mean(1)
    buffers.epoch += 1
    return losses, rights


def _tested(
    architecture: Architecture, weights: Mapping[str, Tensor], words: Words, alphabet: int, place: torch.device
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each seed: the share of right answers, the cross-entropy in bits, the attention to position 1."""
    with torch.no_grad():
        inputs = moved(seen(architecture, words.tokens, alphabet), place)
        logits, attention = outputs(architecture, weights, inputs, scale_at(architecture, words.tokens.shape[2]))
    side = np.where(words.right.numpy(), 1, -1) * logits.double().cpu().numpy()
    return (
        (side > 0).mean(1),
        np.logaddexp(0, -side).mean(1) / math.log(2),
        attention.double().cpu().numpy().mean(1),
    )


@cache
def epsilon_of(architecture: Architecture) -> float:
    """Of its norms."""
    return float(ball(evaluate(Expression(architecture.epsilon), {})))


def scale_at(architecture: Architecture, n: int) -> float:
    """What scores of words of n positions are multiplied by."""
    names = {"n": fmpq(n), "d": fmpq(architecture.width)}
    return float(ball(evaluate(Expression(architecture.scale), names)))


def part(inputs: Seen, words: slice) -> Seen:
    """Of some words."""
    logs = None if inputs.logs is None else inputs.logs[:, words]
    return Seen(inputs.tokens[:, words], inputs.encodings, logs, inputs.after_first[:, words])


def moved(inputs: Seen, place: torch.device) -> Seen:
    """To a device."""
    logs = None if inputs.logs is None else inputs.logs.to(place)
    return Seen(inputs.tokens.to(place), inputs.encodings.to(place), logs, inputs.after_first.to(place))


def padded(values: Tensor) -> Tensor:
    """One after the other, and 0s behind, so that all of them are computed as vectors."""
    return torch.nn.functional.pad(values.flatten(), (0, -values.numel() % VECTOR))


def outputs(
    architecture: Architecture, weights: Mapping[str, Tensor], inputs: Seen, scale: float
) -> tuple[Tensor, Tensor]:
    """The logits of words, and how much CLS attends to position 1, summed over layers and averaged over heads: [seeds,
    words] each. weights: by the names of `free`, each [seeds, ...]."""
    seeds, words, places = inputs.tokens.shape[:3]
    d, heads = architecture.width, architecture.heads

    def times(x: Tensor, name: str) -> Tensor:
        """x [seeds, words, rows, columns] @ W."""
        product = torch.bmm(x.reshape(seeds, -1, x.shape[-1]), weights[name])
        return product.view(*x.shape[:-1], product.shape[-1])

    def along(name: str) -> Tensor:
        return weights[name][:, None, None]

    def apart(x: Tensor) -> Tensor:
        """[seeds, words, rows, d] to [seeds * words * heads, rows, d_head]."""
        by_head = x.view(seeds, words, x.shape[2], heads, d // heads).transpose(2, 3)
        return by_head.reshape(seeds * words * heads, x.shape[2], d // heads)

    def normed(x: Tensor, which: str) -> Tensor:
        centred = torch.nn.functional.layer_norm(x, (d,), eps=epsilon)
        return centred * along(f"{layer}.gain_{which}") + along(f"{layer}.bias_{which}")

    attention, epsilon = inputs.tokens.new_zeros(seeds, words), epsilon_of(architecture)
    x = times(inputs.tokens, "W_E") + inputs.encodings
    for layer in range(architecture.layers):
        here = x if layer + 1 < architecture.layers else x[:, :, :1]  # CLS alone is read
        q, k, v = (apart(times(y, f"{layer}.{name}")) for y, name in ((here, "W_Q"), (x, "W_K"), (x, "W_V")))
        scores = (torch.bmm(q, k.transpose(1, 2)) * scale).view(seeds, words, heads, here.shape[2], places)
        shares = shared(architecture, scores, None if inputs.logs is None else inputs.logs[:, :, None, None])
        with torch.no_grad():
            attention = attention + _to(shares[:, :, :, 0], inputs)
        mixed = torch.bmm(shares.view(-1, here.shape[2], places), v).view(seeds, words, heads, here.shape[2], -1)
        mixed = mixed.transpose(2, 3).reshape(seeds, words, here.shape[2], d)
        x = normed(here + times(mixed, f"{layer}.W_O"), "1")
        inner = torch.relu(times(x, f"{layer}.W_F1") + along(f"{layer}.b_F1"))
        x = normed(x + (times(inner, f"{layer}.W_F2") + along(f"{layer}.b_F2")), "2")
    logits = (x[:, :, 0] * weights["W_U"][:, None, :, 0]).sum(-1) + weights["b_U"]  # a matrix of one column is no batch
    return logits, attention


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


def shared(architecture: Architecture, scores: Tensor, logs: Tensor | None) -> Tensor:
    """What each place gets, for all positions that it stands for, of scores [..., places] and with the logs of `Seen`,
    along the same places."""
    return known("training", "normaliser", architecture.normaliser, SHARES)(scores, logs)


def _to(shares: Tensor, inputs: Seen) -> Tensor:
    """Of what CLS attends to, [seeds, words, heads, places]: to position 1, the mean over heads, [seeds, words]."""
    place = inputs.after_first[:, :, None, None]
    found = shares.gather(3, place.expand(-1, -1, shares.shape[2], 1))[..., 0]
    if inputs.logs is not None:
        found = found / inputs.logs.gather(2, inputs.after_first[:, :, None]).exp()
    return found.mean(2)
