"""What a decoder reads out at a generic position i, whatever stands before it: the tokens at i and just before it are
known, and shares of tokens, and no more.

Heads look with hardmax. They have these rules:

    nothing, mean, token, two    as cross heads have them, of the positions 0 ... i: see `decoder`
    back                         the scores are -|c (j - i + k)|, or -|c (2^-j - 2^(k-i))|, with c not 0, which may be
                                 another one for each key, and k = 0, 1, ...: so the value of position i - k; where k
                                 is 0 that of the position itself, whatever it depends on
    known                        all tokens before are known: the greatest of the scores are found among them all

In front of the first layer a vector depends on the token at its position. Behind a head that looks k positions back it
depends on the k tokens before, too; so positions are told apart by windows of tokens. What depends on more than its
window is not known at other positions, and no head is derived that sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from flint import fmpq

from weightproof.constructions.meaning.choices import Ranked
from weightproof.constructions.meaning.schema import Activation, Decoder, Head, Layer
from weightproof.symbolic.algebra.vocabulary import DERIVATION, Underivable
from weightproof.symbolic.simulation import parts
from weightproof.symbolic.simulation.constraints import SHARE, Facts
from weightproof.symbolic.simulation.decoder import LOOKING, POSITION, Look, Moment, look, unknown
from weightproof.symbolic.simulation.parts import Place, added, weight
from weightproof.symbolic.simulation.polynomial import MINUS, NOTHING, Made, Polynomial, Region, Unknown, Values
from weightproof.symbolic.simulation.windows import Standing, Window, Windows, kind, numbered, standing

ONE = Polynomial.number(1)
MOST_SPLITS = 6
UNSEEN = "heads that see what is not known at every position"
FARTHEST_BACK = 8
"""Positions that a head looks back."""


@dataclass(frozen=True)
class Stage:
    """What is known in front of a layer: the vector at a position, by its window, in terms of POSITION or of the number
    that it has; `unknown` is what depends on more."""

    windows: Windows
    vectors: Mapping[Window, Values]

    def place(self, window: Window) -> Place:
        return numbered(len(window) - 1) if self.windows.is_known(window) else Place.called(POSITION)

    def at(self, window: Window, place: Place) -> dict[str, Polynomial]:
        """The vector at a place that has this window, or one that reaches farther back."""
        return parts.moved(self.vectors[self.windows.shorter(window)], POSITION, place)


@dataclass(frozen=True)
class Stages:
    """A decoder with the stage in front of each layer. windows: those by which positions are told apart where it is
    read out; signs: of parameters."""

    network: Decoder
    stages: tuple[Stage, ...]
    windows: Windows
    signs: Region


@dataclass(frozen=True)
class LayerRead:
    """What a layer makes at a position. looks: of its heads; attended: the vector behind them; hidden: the units of its
    feed-forward network, none where it has none; output: what the next layer gets."""

    looks: tuple[Look, ...]
    attended: Values
    hidden: Values
    output: Values


@dataclass(frozen=True)
class Read:
    """What is made at a position of its input vector; outputs: by token."""

    input: Values
    layers: tuple[LayerRead, ...]
    outputs: Values


@dataclass(frozen=True)
class Case:
    """What is made at a position where, beside what is known of it, `where` is so. rank: which output counts."""

    where: Facts
    at: Standing
    made: Read
    rank: Ranked

    def ahead(self, token: str, other: str) -> Polynomial:
        """By how much the output of a token is ahead of another one's."""
        difference: Polynomial = self.rank.ahead(self.made.outputs[token], self.made.outputs[other])
        return difference


def stages_of(network: Decoder, signs: Region) -> Stages:
    """signs: of the parameters. Underivable for what has no rule at all."""
    if network.table is not None:
        raise Underivable("a table, with a row for each position")
    if network.arithmetic is not None:
        raise Underivable(f"numbers of {network.arithmetic.name}, in which every operation is rounded")
    symbols = tuple(token for token in network.embedding.WE if token not in (network.begin, network.stop))
    windows = Windows(symbols, network.begin, 0)
    stage = Stage(windows, {})
    embedded = {each: parts.moved(_embedded(network, each[-1]), POSITION, stage.place(each)) for each in windows.all()}
    found = [Stage(windows, embedded)]
    for layer in network.layers:
        parts.require_bare(layer)
        windows = replace(windows, back=windows.back + _farthest(layer, found[-1]))
        if len(found) < len(network.layers):
            made = {each: _handed_on(layer, found[-1], standing(windows, each, signs)) for each in windows.all()}
            found.append(Stage(windows, made))
    return Stages(network, tuple(found[: len(network.layers)]), windows, signs)


def read(stages: Stages, at: Standing) -> Read:
    """What is made at a position; Underivable where no rule covers a part."""
    network = stages.network
    given = vector = parts.moved(_embedded(network, at.window[-1]), POSITION, at.place)
    layers = []
    for number, (layer, stage) in enumerate(zip(network.layers, stages.stages, strict=True), start=1):
        try:
            looks = tuple(_look(head, stage, vector, at) for head in layer.heads)
        except Underivable as error:
            raise Underivable(f"layer {number}: {error}") from error
        layers.append(_behind(layer, looks, _attended(layer, looks, vector), at.region))
        vector = dict(layers[-1].output)
    return Read(given, tuple(layers), parts.linear(network.readout.W, vector))


class Unclear(Underivable):
    """The sign of x, on which the activation of a unit depends, is not known."""

    def __init__(self, x: Polynomial) -> None:
        super().__init__(f"whether {x} is positive")
        self.x = x


def cases(stages: Stages, at: Standing, splits: int = MOST_SPLITS, where: Facts = ()) -> Iterator[Case]:
    """All there are: where the sign of an argument is not known both are gone through, so many one inside the other."""
    try:
        made = read(stages, at)
    except Unclear as unclear:
        if splits == 0:
            raise
        facts = ((unclear.x, True), (MINUS * unclear.x, False))
        for region, fact in zip(at.region.cases(unclear.x), facts, strict=True):
            yield from cases(stages, replace(at, region=region), splits - 1, (*where, fact))
        return
    yield Case(where, at, made, DERIVATION.ranked(stages.network.readout.accept))


def best(case: Case) -> dict[str, Facts]:
    """Token -> where its output is ahead of all others, the first one of several: what is not known of that, nothing
    where it is so for certain. A token is left out that is known not to be appended."""
    outputs, region = case.made.outputs, case.at.region
    found: dict[str, Facts] = {}
    for number, token in enumerate(outputs):
        ahead = [(case.ahead(token, other), place < number) for place, other in enumerate(outputs) if other != token]
        if not any(_is_false(region, fact) for fact in ahead):
            found[token] = tuple(dict.fromkeys(fact for fact in ahead if not _is_true(region, fact)))
    return found


def _is_true(region: Region, fact: tuple[Polynomial, bool]) -> bool:
    x, strict = fact
    return region.is_positive(x) if strict else region.is_not_negative(x)


def _is_false(region: Region, fact: tuple[Polynomial, bool]) -> bool:
    x, strict = fact
    return _is_true(region, (MINUS * x, not strict))


def appended(stages: Stages, at: Standing, splits: int = MOST_SPLITS) -> str:
    """The token that is predicted, the same in all cases; Underivable where that is not known."""
    return alone(at, cases(stages, at, splits))


def alone(at: Standing, made: Iterable[Case]) -> str:
    """The same of cases that have been made."""
    found: dict[str, Case] = {}
    for case in made:
        certain = [token for token, facts in best(case).items() if not facts]
        if not certain:
            shown = ", ".join(f"{row!r} {output}" for row, output in case.made.outputs.items())
            raise Underivable(f"behind {kind(at.window)!r}: which output is the {case.rank.called} of {shown}")
        found.setdefault(certain[0], case)
        if len(found) > 1:
            first, second = found
            told = " and ".join(f"{x} {'>' if strict else '>='} 0" for x, strict in case.where)
            raise Underivable(f"{second!r} is appended where {told}, and {first!r} elsewhere")
    return next(iter(found))


def _embedded(network: Decoder, token: str) -> Values:
    word = {name: weight(value) for name, value in network.embedding.WE.get(token, {}).items()}
    here = Place.called(POSITION)
    encoding = parts.position(network.embedding.PE, here)
    seen = {"n": here.index + ONE}  # of each position its own
    return added(word, {name: value.replaced(seen) for name, value in encoding.items()})


def _look(head: Head, stage: Stage, vector: Values, at: Standing) -> Look:
    if parts.adds_nothing(head):
        return Look("nothing", {}, {}, {})
    parts.require_hardmax(head, at.region)
    if at.known:
        return _look_at_known(head, stage, vector, at)
    scores, values = _seen(head, stage, vector)
    named = {kind(window): score for window, score in scores.items()}, {kind(w): value for w, value in values.items()}
    if DERIVATION.is_less_size(head.score):
        back = _steps_back(stage, scores)
        if back is None:
            said = "-|q.k| that is no multiple of j - i + k or of 2^-j - 2^(k-i)"
            raise Underivable(UNSEEN if any(map(_is_unknown, scores.values())) else said)
        found = parts.valued(head, vector) if back == 0 else _value_back(head, stage, at, back)
        return Look("back", *named, found)
    if any(map(_is_unknown, (*scores.values(), *(x for row in values.values() for x in row.values())))):
        raise Underivable(UNSEEN)
    own, shares = kind(stage.windows.shorter(at.window)), at.shares_of(stage.windows)
    moment = Moment(f"behind {own!r}", own, at.place, at.place, shares, (), at.region)
    memory = {kind(window): held for window, held in stage.vectors.items()}
    return look(head, memory, vector, moment, (stage.windows.begin, None))


def _seen(head: Head, stage: Stage, vector: Values) -> tuple[dict[Window, Polynomial], dict[Window, Values]]:
    """Scores and values of the positions that are seen."""
    scores = {window: parts.scored(head, vector, held) for window, held in stage.vectors.items()}
    return scores, {window: parts.valued(head, held) for window, held in stage.vectors.items()}


def _is_unknown(x: Polynomial) -> bool:
    return any(isinstance(name, Unknown) for name in x.atoms)


def _value_back(head: Head, stage: Stage, at: Standing, back: int) -> Values:
    """The value of the position so many before one of which not all is known that stands before."""
    window = at.window[:-back]
    if len(window) <= stage.windows.back:
        raise Underivable("a head that looks farther back than the tokens that are known")
    there = Place(at.place.index - Polynomial.number(back), Polynomial.number(2**back) * at.place.halved)
    found = parts.valued(head, stage.at(window, there))
    if any(map(_is_unknown, found.values())):
        raise Underivable(UNSEEN)
    return found


def _look_at_known(head: Head, stage: Stage, vector: Values, at: Standing) -> Look:
    """What a head does where all tokens from position 0 on are known: all scores are compared."""
    held = [stage.at(at.window[: place + 1], numbered(place)) for place in range(len(at.window) - 1)]
    scores = [parts.scored(head, vector, each) for each in (*held, vector)]
    values = [parts.valued(head, each) for each in (*held, vector)]
    if any(map(_is_unknown, (*scores, *(x for row in values for x in row.values())))):
        raise Underivable(UNSEEN)
    compared = [_less_its_size(score) for score in scores] if DERIVATION.is_less_size(head.score) else scores
    best = next((x for x in compared if all(x == y or at.region.is_positive(x - y) for y in compared)), None)
    if best is None:
        raise Underivable(f"which score is the greatest on {kind(at.window)!r}")
    chosen = [value for value, score in zip(values, compared, strict=True) if score == best]
    share = Polynomial.number(fmpq(1, len(chosen)))
    mean = {row: share * x for row, x in added(*chosen).items()}
    names = [kind(at.window[: place + 1]) for place in range(len(scores))]
    return Look("known", dict(zip(names, scores, strict=True)), dict(zip(names, values, strict=True)), mean)


def _less_its_size(x: Polynomial) -> Polynomial:
    if x.atoms:
        raise Underivable(f"-|q.k| where q.k is {x}")
    size = x.at({})
    return Polynomial.number(-abs(size))


def _farthest(layer: Layer, stage: Stage) -> int:
    """How far the heads of a layer look back, from a position of which not all is known that stands before."""
    found = [0]
    for head in layer.heads:
        for window in stage.vectors if DERIVATION.is_less_size(head.score) and not parts.adds_nothing(head) else ():
            if not stage.windows.is_known(window):
                scores, _ = _seen(head, stage, stage.at(window, Place.called(LOOKING)))
                found.append(_steps_back(stage, scores) or 0)
    return max(found)


def _steps_back(stage: Stage, scores: Mapping[Window, Polynomial]) -> int | None:
    """k where all scores are multiples, not by 0, of j - i + k or of 2^-j - 2^(k-i), at the place i = LOOKING."""
    here = Place.called(LOOKING)
    for back in range(FARTHEST_BACK + 1):
        less = Place(Polynomial.number(back) - here.index, Polynomial.number(-(2**back)) * here.halved)
        if all(_is_multiple(score, less, stage.place(window)) for window, score in scores.items()):
            return back
    return None


def _is_multiple(score: Polynomial, less: Place, there: Place) -> bool:
    for name, away in (
        (LOOKING, there.index + less.index),
        (parts.halved(LOOKING), there.halved + less.halved),
    ):
        factor = dict(score.terms).get((name,), fmpq(0)) / dict(away.terms)[(name,)]
        if factor != 0 and score == Polynomial.number(factor) * away:
            return True
    return False


def _handed_on(layer: Layer, stage: Stage, at: Standing) -> Values:
    """What a position with a window holds behind a layer, as far as that depends on nothing else."""
    vector, looks, lost = stage.at(at.window, at.place), [], set[str]()
    for head in layer.heads:
        try:
            looks.append(_look(head, stage, vector, at))
        except Underivable:
            lost |= {*(head.W_V if head.W_O is None else head.W_O)}
    # Named otherwise than what stood there in front of the layer.
    attended = {**_attended(layer, looks, vector), **{row: unknown(f"{row} behind the heads") for row in lost}}
    network = layer.feed_forward
    try:
        output = dict(_behind(layer, (), attended, at.region).output)
    except Unclear:
        assert network is not None
        kept = attended if layer.feed_forward_residual else {}
        output = {**kept, **{row: unknown(row) for row in network.second.rows}}
    portable = {row: x if all(map(_is_portable, x.atoms)) else unknown(row) for row, x in output.items()}
    return portable if at.known else parts.moved(portable, LOOKING, Place.called(POSITION))


def _is_portable(name: str) -> bool:
    """Whether an atom stands for the same at every position, or is that position."""
    return not isinstance(name, Made) and not name.startswith(SHARE)


def _attended(layer: Layer, looks: Iterable[Look], vector: Values) -> Values:
    return parts.joined([each.added for each in looks], vector, layer.attention_residual)


def _behind(layer: Layer, looks: tuple[Look, ...], attended: Values, region: Region) -> LayerRead:
    """Behind the feed-forward network."""
    hidden, output = parts.fed_forward(layer, attended, lambda activation, x: _activated(activation, x, region))
    return LayerRead(looks, attended, hidden, output)


def _activated(activation: Activation, x: Polynomial, region: Region) -> Polynomial:
    match activation:
        case "saturated-linear":
            return region.saturated(x)
        case "square":
            return x * x
        case "relu":
            return _above_nothing(x, x, region)
        case "step":
            return _above_nothing(x, ONE, region)
        case "identity":
            return x
        case "abs":
            return _above_nothing(x, x + x, region) - x
        case "tanh" | "sigmoid" | "silu" | "gelu" | "gelu-tanh":
            raise Underivable(f"the activation {activation} has no rule for closed forms")
    DERIVATION.refuse("activation", activation)


def _above_nothing(x: Polynomial, value: Polynomial, region: Region) -> Polynomial:
    """The value where x > 0, and 0 elsewhere."""
    if region.is_positive(x):
        return value
    if region.is_not_negative(MINUS * x):
        return NOTHING
    raise Unclear(x)
