"""The session of words, each with its label, and what the networks that are trained on them compute."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Self

import numpy as np
import torch
from flint import fmpq

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import LayerNorm, Normaliser, known
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.learning.architecture import READ, SEES_ALL, TRAINING, Architecture, Block
from weightproof.numeric.learning.experiment import Adam, Curve, Experiment, Measure
from weightproof.numeric.learning.heads import kept
from weightproof.numeric.learning.products import mean, multiplied, padded, times
from weightproof.numeric.learning.session import Session, Step, Validation, Weights
from weightproof.numeric.learning.states import State, apart
from weightproof.numeric.learning.tasks import Seen, drawn, number, seen
from weightproof.numeric.learning.tensors import HEADS, Free, encoder, tensors

Tensor = torch.Tensor


def named_weights(experiment: Experiment, curve: Curve, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Those of one seed, by the names of their tensors."""
    return apart(WordsSession.tensors(experiment, curve), weights)


def trained(experiment: Experiment, curve: Curve, seed: int, weights: np.ndarray) -> Construction:
    """One seed's network as a construction, every weight exactly the float that training ended with."""
    symbols = experiment.language.alphabet
    return Construction(
        name=f"{experiment.name}-{curve.name}-seed-{seed}".replace("=", "").replace(" ", "-"),
        title=f"{experiment.language.name}, trained on words of {curve.trained_on}",
        source=f"trained as in {experiment.source}, {experiment.figure}: {curve.name}, seed {seed}",
        language=experiment.language,
        network=encoder(curve.architecture, symbols, named_weights(experiment, curve, weights)),
    )


@dataclass(frozen=True)
class WordsSession(Session):
    """Of words, each with its label. draws: any network of them, for its language and its markers; kept, validation:
    words that are the same in every epoch, where there are such."""

    experiment: Experiment
    curve: Curve
    seeds: tuple[int, ...]
    place: torch.device
    draws: Construction
    kept: tuple[Seen, Tensor] | None
    validated: tuple[Seen, Tensor] | None

    @classmethod
    def of(cls, experiment: Experiment, curve: Curve, states: Mapping[int, State], place: torch.device) -> Self:
        seeds = tuple(states)
        draws = trained(experiment, curve, seeds[0], states[seeds[0]].weights)
        bare = cls(experiment, curve, seeds, place, draws, None, None)
        kept, validated = None, None
        if experiment.kept is not None:
            kept = bare.words("words", experiment.kept, curve.shortest, curve.length, experiment.stop)
        if curve.validated is not None:
            validated = bare.words("validation", experiment.test_words, *curve.validated)
        return replace(bare, kept=kept, validated=validated)

    @staticmethod
    def tensors(experiment: Experiment, curve: Curve) -> tuple[Free, ...]:
        return tensors(curve.architecture, experiment.language.alphabet, curve.heads)

    @property
    def adam(self) -> Adam:
        return Adam(decay=self.experiment.decay)

    def rate(self, number: int) -> float:
        rate, warmed = self.experiment.rate, self.experiment.warmed
        return rate * min(1, number / warmed) if warmed else rate

    def steps(self, epoch: int, weights: Weights) -> Iterator[Step]:
        experiment = self.experiment
        inputs, right = self.lesson(epoch)
        size = experiment.words * (1 if experiment.stop is None else 2)
        for step in range(experiment.steps):
            here = slice(step * size, (step + 1) * size)
            logits, _ = outputs(self.curve.architecture, weights, inputs.of(here))
            loss, is_right = losses(logits, right[:, here])
            yield Step(loss.sum() / size, loss, is_right)

    def tested(self, epoch: int, weights: Weights) -> dict[Measure, np.ndarray]:
        experiment, curve = self.experiment, self.curve
        inputs, right = self.words(f"test {epoch}", experiment.test_words, curve.tested_from, curve.tested)
        with torch.no_grad():
            logits, attention = outputs(curve.architecture, weights, inputs)
            found: dict[Measure, np.ndarray] = {}
            if logits.shape[2] == 1:
                side = np.where(right.cpu().numpy(), 1, -1) * logits[:, :, 0].double().cpu().numpy()
                found |= {"accuracy": (side > 0).mean(1), "cross-entropy": np.logaddexp(0, -side).mean(1) / math.log(2)}
            else:
                loss, is_right = losses(logits.double(), right)
                found |= {"accuracy": mean(is_right), "cross-entropy": mean(loss) / math.log(2)}
            if "attention" in experiment.measures and attention is not None:
                found["attention"] = mean(attention)
            if (validation := self.validation) is not None:
                found["validation accuracy"] = validation.shares(weights)
            if "heads" in experiment.measures:
                found["heads"] = heads_left(weights)
        return found

    @property
    def validation(self) -> WordsValidation | None:
        return None if self.validated is None else WordsValidation(self, *self.validated)

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
class WordsValidation(Validation):
    """By the share of words that is decided rightly."""

    session: WordsSession
    inputs: Seen
    right: Tensor

    def shares(self, weights: Weights) -> np.ndarray:
        with torch.no_grad():
            return mean(losses(outputs(self.session.curve.architecture, weights, self.inputs)[0], self.right)[1])

    def goodness(self, weights: Weights, shares: np.ndarray) -> tuple[tuple[float, ...], ...]:
        """Fewest heads first, then the greatest share."""
        return tuple((-float(many), float(share)) for many, share in zip(heads_left(weights), shares, strict=True))

    def after(self, weights: Weights, shares: np.ndarray) -> None:
        """Drops heads."""
        halving = self.session.curve.halving
        if halving is not None:
            halve(self.session, weights, shares >= halving.share)


def heads_left(named: Mapping[str, Tensor]) -> np.ndarray:
    """Of all layers together, [seeds]."""
    return torch.cat([values for name, values in named.items() if name.endswith(HEADS)], 1).sum(1).cpu().numpy()


def halve(session: WordsSession, weights: Weights, good: np.ndarray) -> None:
    """Drops half of the heads that are left of these seeds, bool [seeds], in a network that looks once."""
    curve = session.curve
    name = f"0.{HEADS}"
    assert curve.halving is not None
    assert session.kept is not None
    assert session.validated is not None
    of_heads = weights[name]
    with torch.no_grad():
        for place in np.flatnonzero(good):
            here = slice(int(place), int(place) + 1)
            there = [int(head) for head in of_heads[here].nonzero()[:, 1]]
            if len(there) > 1:
                own = {tensor: values[here] for tensor, values in weights.items()}
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


def losses(logits: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropies in nats, and whether words are decided rightly, [seeds, words] each, of outputs [seeds, words,
    rows]. Of one row the sign decides, and right says on which side it is to be; of several the greatest, and right
    says which."""
    if logits.shape[2] > 1:
        of_right = logits.gather(2, right[:, :, None])[:, :, 0]
        return torch.logsumexp(logits, 2) - of_right, logits.detach().argmax(2) == right
    side = logits[:, :, 0] * (right.float() * 2 - 1)
    return torch.nn.functional.softplus(-padded(side))[: side.numel()].view(side.shape), side.detach() > 0


@cache
def number_of(scalar: Expression, n: int, d: int) -> float:
    """A scalar of words of n positions, in a stream of d coordinates."""
    return float(ball(evaluate(scalar, {"n": fmpq(n), "d": fmpq(d)})))


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
