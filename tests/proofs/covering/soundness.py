"""Covering held against brute force: enclosures of sets of words against runs of every word in them, down to sets of
one word, and verdicts against those of every word.

A word is run in float64 with the bound that `forward` derives of its own rounding, all of a length together. Where that
bound does not put the word inside what encloses its set, and for every word that is a set of its own, the interpreter
runs it again, in balls.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from random import Random

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from tests.proofs.covering.random_networks import ALPHABET, decoder, drawn, predictor
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import NoValue, appended, read_out, streams
from weightproof.constructions.meaning.running import predict, run
from weightproof.constructions.meaning.schema import Decoder, Encoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.grammar import LONGEST_SOURCE
from weightproof.constructions.scalars.values import Number, in_balls
from weightproof.proofs.covering.automaton import Automaton, Words, layered
from weightproof.proofs.covering.deciding import bare, by_covering, by_token
from weightproof.proofs.covering.forms import Forms
from weightproof.proofs.covering.reading import Reading
from weightproof.proofs.covering.scope import NotCovered
from weightproof.proofs.covering.searching import _split, stacked
from weightproof.proofs.deadline import Deadline
from weightproof.proofs.next_token.replaying import Predicted
from weightproof.proofs.quantities.analysis import Analysis
from weightproof.proofs.running.enclosures import Floats
from weightproof.proofs.running.every import Check, Decided
from weightproof.proofs.running.forward import outputs
from weightproof.proofs.theorem import Decides, Predicts
from weightproof.proofs.verdict import Proved, Refuted, Unknown

LETTERS = (*ALPHABET, "c", "d", "e")
LONGEST = 6
TRUTHS = {True: "n>0", False: "n<0"}
DEPTH, MOST_SETS, ALONE = 4, 24, 6
"""How often sets are split in two, how many of them are kept each time, and how many words are sets of their own."""
MOST_IN_BALLS = 12
"""Words of a set that the interpreter runs."""
MOST_TIED = 4
"""Words of a network in which balls do not tell which score is the greatest, after which no others are run."""
BITS = 192


@dataclass
class Held:
    """Of random networks. refused: those that are not read, or have no value at their length. sets: those whose outputs
    have an end; runs: words in them; compared: a run with an end of an output of a set that it is in; in_balls: words
    that the interpreter ran; tied: of these, in which balls do not tell which score is the greatest. outside: runs that
    leave what encloses them; without_value: those that have none, where there is an end; touching: those that balls do
    not put on a side of an end."""

    networks: int = 0
    refused: int = 0
    sets: int = 0
    runs: int = 0
    compared: int = 0
    in_balls: int = 0
    tied: int = 0
    touching: int = 0
    outside: list[str] = field(default_factory=list)
    without_value: list[str] = field(default_factory=list)

    def __add__(self, other: Held) -> Held:
        return Held(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Held)))


def every_path(reader: Automaton) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The words of an automaton, a row each: their edges, among those of all layers, and the state at their end."""
    paths, states = np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for number, layer in enumerate(reader.layers):
        before, edge = np.nonzero(states[:, None] == layer.source)
        paths = np.concatenate([paths[before], edge[:, None] + reader.starts[number]], 1)
        states = layer.target[edge]
    return paths, states


def tokens_of(reader: Automaton, paths: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """Of automata whose layers carry one place each."""
    carried = np.concatenate([layer.tokens[:, 0] for layer in reader.layers])
    return [tuple(reader.tokens[token] for token in row) for row in carried[paths]]


def interpreted(network: Encoder | Decoder, tokens: Sequence[str], bits: int) -> list[Number]:
    """What the interpreter reads out; NoValue and Undecided as there."""
    with ctx.workprec(bits):
        if isinstance(network, Encoder):
            found = streams(network, tuple(tokens), {}, in_balls, False)
            return [*read_out(network, found[-1], {}, in_balls).values()]
        return [*next(appended(network, tokens[int(network.begin is not None) :], {}, in_balls)).outputs.values()]


@dataclass
class Ran:
    """All words of a length that one network has been run on, by the rows of `every_path`. known: between which numbers
    each output lies, of a word in float64; without ends where that says nothing."""

    network: Encoder | Decoder
    words: list[tuple[str, ...]]
    low: Floats
    high: Floats
    in_balls: dict[int, list[Number] | NoValue | Undecided] = field(default_factory=dict)

    @staticmethod
    def of(network: Encoder | Decoder, words: list[tuple[str, ...]]) -> Ran:
        shape = len(words), len(network.readout.W.rows)
        low, high = np.full(shape, -np.inf), np.full(shape, np.inf)
        if isinstance(network, Encoder):
            found = outputs(network, [bare(network, word) for word in words], {})
            middle, radius, closed = found.values.middle, found.values.radius, ~found.open
            low[closed] = np.nextafter(middle - radius, -np.inf)[closed]
            high[closed] = np.nextafter(middle + radius, np.inf)[closed]
        return Ran(network, words, low, high)

    def again(self, word: int) -> list[Number] | NoValue | Undecided:
        """Its outputs in balls, or why there are none."""
        if word not in self.in_balls:
            try:
                self.in_balls[word] = interpreted(self.network, self.words[word], BITS)
            except (NoValue, Undecided) as error:
                self.in_balls[word] = error
        return self.in_balls[word]

    def worth(self, word: int) -> bool:
        """Whether to run it, where balls have not told enough of others."""
        tied = sum(isinstance(each, Undecided) for each in self.in_balls.values())
        return word in self.in_balls or tied < MOST_TIED


def sets(reading: Reading, random: Random) -> Iterator[tuple[Words, Floats, Floats]]:
    """All words, and what is left of them where they are split as the search splits them, again and again, and where
    edges are taken away at random; at last some words alone. Each time with the ends of all outputs."""
    every = reading.automaton.everything([True] * len(reading.automaton.outcomes))
    for whole, _ in by_token(reading, every):
        some = [whole[0]]
        for _ in range(DEPTH):
            words = stacked(some)
            with np.errstate(all="ignore"):
                forms = reading.outputs(words)
                yield words, *forms.range()
            halves = [half for k, one in enumerate(some) for half in _parts(words, forms, k, one, random)]
            some = random.sample(halves, min(len(halves), MOST_SETS))
            if not some:
                break
        words = stacked([whole[0]] + [_thinned(whole[0], random) for _ in range(MOST_SETS // 4)])
        words = words[words.some]
        with np.errstate(all="ignore"):
            yield words, *reading.outputs(words).range()
    paths, states = every_path(reading.automaton)
    for number in random.sample(range(len(paths)), min(len(paths), ALONE)):
        edges, ends = np.zeros_like(every.edges), np.zeros_like(every.ends)
        edges[0, paths[number]], ends[0, states[number]] = True, True
        words = Words(reading.automaton, edges, ends)
        with np.errstate(all="ignore"):
            yield words, *reading.outputs(words).range()


def _parts(words: Words, forms: Forms, k: int, one: Words, random: Random) -> list[Words]:
    if one.are_few(1):
        return []
    row = random.randrange(forms.radius.shape[-1])
    return [half for half, _ in _split(words, forms, k, row)]


def _thinned(one: Words, random: Random) -> Words:
    kept = np.array([random.random() < 0.7 for _ in one.edges])
    return Words(one.automaton, one.edges & kept, one.ends).pruned()


def held(reading: Reading, random: Random) -> Held:
    """What runs of all words of a length say of enclosures of sets of them."""
    paths, states = every_path(reading.automaton)
    ran = Ran.of(reading.network, tokens_of(reading.automaton, paths))
    found = Held(networks=1)
    told = set[int]()
    for words, low, high in sets(reading, random):
        low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
        ends = np.isfinite(low).astype(np.int64) + np.isfinite(high)
        found.sets += int((ends > 0).any(-1).sum())
        in_set = words.edges[:, paths].all(-1) & words.ends[:, states] & (ends > 0).any(-1)[:, None]
        surely_in = ((ran.low >= low[:, None]) & (ran.high <= high[:, None])).all(-1)
        surely_out = ((ran.low > high[:, None]) | (ran.high < low[:, None])).any(-1)
        for number, inside in enumerate(in_set):
            near = [*map(int, np.flatnonzero(inside & ~surely_in[number] & ~surely_out[number]))]
            near = [word for word in near if ran.worth(word)]
            for word in np.flatnonzero(inside & surely_out[number]):
                found.outside += ["".join(ran.words[word])]
            for word in (tried := random.sample(near, min(len(near), MOST_IN_BALLS))):
                _hold(found, ran, word, low[number], high[number])
            tried = [word for word in tried if not isinstance(ran.again(word), Undecided)]
            sure = surely_in[number] | surely_out[number]
            here = [*map(int, np.flatnonzero(inside & sure)), *tried]
            told |= {*here}
            found.compared += len(here) * int(ends[number].sum())
    found.runs, found.in_balls = len(told), len(ran.in_balls)
    found.tied = sum(isinstance(each, Undecided) for each in ran.in_balls.values())
    return found


def _hold(found: Held, ran: Ran, word: int, low: Floats, high: Floats) -> None:
    """One word, run in balls, against what encloses a set that it is in."""
    values, told = ran.again(word), "".join(ran.words[word])
    if isinstance(values, NoValue):
        found.without_value += [told]
    elif not isinstance(values, Undecided):
        balls = [value if isinstance(value, arb) else arb(value) for value in values]
        if any(ball < arb(least) or ball > arb(most) for ball, least, most in zip(balls, low, high, strict=True)):
            found.outside += [told]
        elif not all(arb(least) <= ball <= arb(most) for ball, least, most in zip(balls, low, high, strict=True)):
            found.touching += 1


def encoders(seeds: range, of: Callable[[Random, Sequence[str]], Construction] = drawn) -> Held:
    """Of encoders, words of up to LONGEST positions over LETTERS. of: how they are drawn."""
    found = Held()
    for seed in seeds:
        random = Random(seed)
        construction = of(random, LETTERS)
        network = construction.encoder
        length = random.choice((*range(max(len(network.markers), 1), LONGEST), LONGEST, LONGEST, LONGEST))
        markers = [[marker] if marker else [] for marker in (network.begin, network.end)]
        symbols = [LETTERS] * (length - len(network.markers))
        choices = [*([markers[0]] if markers[0] else []), *symbols, *([markers[1]] if markers[1] else [])]
        found += _held(network, choices, random, seed)
    return found


def decoders(seeds: range) -> Held:
    """Of decoders, words of up to LONGEST positions, at the last of which the token behind is read."""
    found = Held()
    for seed in seeds:
        random = Random(seed)
        length = random.randint(2, LONGEST)
        network = decoder(random, length)
        begin = [] if network.begin is None else [(network.begin,)]
        found += _held(network, [*begin, *[ALPHABET] * (length - len(begin))], random, seed)
    return found


def _held(network: Encoder | Decoder, choices: Sequence[Sequence[str]], random: Random, seed: int) -> Held:
    reader = layered(choices, 0, lambda state, place, token: state + ord(token[0]) % 2, lambda state: state)
    try:
        found = held(Reading(network, reader), random)
    except (NotCovered, ArithmeticError):
        return Held(refused=1)
    for some in (found.outside, found.without_value):
        some[:] = [f"network {seed}: {each}" for each in some]
    return found


@dataclass
class Verdicts:
    """Of theorems about random encoders. proved, refuted: as they should be; open: by sets; not_asked: where balls do
    not tell what a word comes to. words: of those proved, decided: how many of them no run decided. wrong: networks of
    which something else is said than is so of each word."""

    proved: int = 0
    refuted: int = 0
    open: int = 0
    not_asked: int = 0
    words: int = 0
    decided: int = 0
    wrong: list[int] = field(default_factory=list)

    def __add__(self, other: Verdicts) -> Verdicts:
        return Verdicts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Verdicts)))


Outcomes = Mapping[tuple[str, ...], str | None]
"""Of every word of some lengths, with its markers, what it comes to; None where nothing is said of that."""
ComesTo = Callable[[Construction, tuple[str, ...]], tuple[tuple[str, ...], str | None]]
"""A word with its markers, and what it comes to."""


def verdicts(seeds: range) -> Verdicts:
    """Of what a recogniser is said to accept up to LONGEST positions: exactly the words that it does accept, in runs;
    and, in every second network, one word more or less, which then is the one that is wrong."""
    return sum((_verdict(seed, drawn, _accepted, _recognises) for seed in seeds), start=Verdicts())


def predictions(seeds: range) -> Verdicts:
    """The same of what is said to be predicted after each word, but for those after which outputs tie; in every second
    network another token after one word."""
    return sum((_verdict(seed, predictor, _predicted, _predicts) for seed in seeds), start=Verdicts())


def _verdict(
    seed: int,
    of: Callable[[Random], Construction],
    comes_to: ComesTo,
    checked: Callable[[Construction, Mapping[str, str], int], Check],
) -> Verdicts:
    random = Random(seed)
    construction = of(random)
    network = construction.encoder
    outcomes = _outcomes(construction, comes_to)
    if outcomes is None:
        return Verdicts(not_asked=1)
    for longest in range(LONGEST, 0, -1):
        said = {word: outcome for word, outcome in outcomes.items() if len(word) <= longest}
        wrong = random.choice([*said]) if seed % 2 else None
        if wrong is not None:
            said[wrong] = random.choice([other for other in _possible(construction) if other != said[wrong]])
        formulas = _said(said)
        if all(len(formula) <= LONGEST_SOURCE for formula in formulas.values()):
            break
    if not formulas:
        return Verdicts(not_asked=1)
    verdict, _ = by_covering(checked(construction, formulas, longest), Deadline.after(60))
    match verdict:
        case None | Unknown():
            return Verdicts(open=1)
        case Proved(covered=covered) if wrong is None:
            assert covered is not None
            return Verdicts(proved=1, words=covered.words, decided=covered.words - covered.run)
        case Refuted(counterexample=found) if wrong is not None and found.word == bare(network, wrong):
            return Verdicts(refuted=1)
    return Verdicts(wrong=[seed])


def _outcomes(construction: Construction, comes_to: ComesTo) -> Outcomes | None:
    """Up to LONGEST positions; None where balls do not tell that of one word."""
    network, found = construction.encoder, dict[tuple[str, ...], str | None]()
    for length in range(max(len(network.markers), 1), LONGEST + 1):
        for word in itertools.product(ALPHABET, repeat=length - len(network.markers)):
            try:
                tokens, outcome = comes_to(construction, word)
            except ArithmeticError:
                return None
            found[tokens] = outcome
    return found


ACCEPTS, REJECTS = "accepts", "rejects"


def _accepted(construction: Construction, word: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    ran = run(construction, word, bits=BITS, unread=False)
    return ran.tokens, ACCEPTS if ran.accepts else REJECTS


def _predicted(construction: Construction, word: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """None after a word after which outputs tie."""
    ran = predict(construction, word, bits=BITS, unread=False)
    return ran.tokens, ran.token if ran.decided else None


def _recognises(construction: Construction, said: Mapping[str, str], longest: int) -> Check:
    theorem = Decides("drawn", "accepts these words", accepts=said.get(ACCEPTS, TRUTHS[False]), up_to=longest)
    return Decided(Analysis(construction), theorem)


def _predicts(construction: Construction, said: Mapping[str, str], longest: int) -> Check:
    language = replace(construction.language, labels=said, label=lambda word: None)
    theorem = Predicts("drawn", "predicts these tokens", up_to=longest)
    return Predicted(Analysis(replace(construction, language=language)), theorem)


def _possible(construction: Construction) -> tuple[str, ...]:
    readout = construction.encoder.readout
    return readout.W.rows if readout.predicts else (ACCEPTS, REJECTS)


def _said(outcomes: Outcomes) -> dict[str, str]:
    """Of each outcome a formula that is true of the words that come to it: what stands at one place after the other."""
    return {outcome: _formula(outcomes, outcome) for outcome in sorted({*outcomes.values()} - {None})}  # type: ignore[type-var]


def _formula(outcomes: Outcomes, outcome: str) -> str:
    def behind(words: Sequence[tuple[str, ...]], place: int) -> str:
        if len({outcomes[word] == outcome for word in words}) == 1:
            return TRUTHS[outcomes[words[0]] == outcome]
        parts = {token: [word for word in words if word[place] == token] for token in {word[place] for word in words}}
        if len(parts) == 1:
            return behind(words, place + 1)
        (one, here), (_, there) = sorted(parts.items())
        yes, no = behind(here, place + 1), behind(there, place + 1)
        return f"(w[{place}]=='{one}' and {yes} or w[{place}]!='{one}' and {no})"

    lengths = sorted({len(word) for word in outcomes})
    of_length = {length: [word for word in outcomes if len(word) == length] for length in lengths}
    return " or ".join(f"n=={length} and {behind(words, 0)}" for length, words in of_length.items())
