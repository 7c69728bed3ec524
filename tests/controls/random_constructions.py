"""Random constructions drawn from the whole schema, and random theorems about them.

Every field varies. Networks without any structure are almost never derived, and what they are said to recognise is
almost never true; so heads that average, queries on a marker, and clipped counts are likely, and the language is chosen
among random formulas, and formulas fitted to short words, as the one that the network gets right most often there.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from flint import fmpq
from hypothesis import strategies as st

from tests.controls.random_formulas import characterisations, often, position_encodings, scales, some_symbol, weights
from weightproof.constructions.claims.published import Published
from weightproof.constructions.claims.statements import Logit, Stream, Value
from weightproof.constructions.languages.samples import words
from weightproof.constructions.meaning.choices import ACCEPTED
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import (
    OF_ONE_POSITION,
    Acceptance,
    Activation,
    Embedding,
    Encoder,
    Extreme,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Mask,
    Norm,
    Place,
    Readout,
    RootMeanSquare,
    Rotary,
)
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.theorem import ClosedForm, Decides

USUAL, SHORTER, LONGER = ("0", "1"), ("a",), ("a", "b", "c")
ALPHABETS = (*[USUAL] * 24, *[SHORTER, LONGER] * 3, ("é", "'"), ("#", " "), ("n", "\\"), ("\x00", "x"))
MARKERS = ("CLS", "EOS", "#", "s", "[0]", "é ")
DOMAINS = {
    "real": (
        ("{p} > 0", "1"), ("{p} > 0", "log(2)"), ("{p} >= log(2)", "log(3)"), ("{p} >= 0", "1"), ("{p} > -1", "1"),
        ("{p} >= 1", "3/2"), ("{p} >= -2", "1/2"), ("{p} > 1/3", "exp(1)"), ("{p} > 10**400", "10**401"),
    ),
    "natural": (
        ("{p} >= 0", "2"), ("{p} >= 0", "1"), ("{p} >= 3", "3"), ("{p} > 0", "2"), ("{p} >= -1", "3"),
        ("{p} > 1/2", "1"), ("{p} >= 20", "21"),
    ),
}  # fmt: skip
NAMES = ("c", "D") * 10 + ("j", "K_1", "u_c", "S1", "k", "é", "w_", "x2")
REALS = ("log(1001/1000)", "log(2)", "log(1000)", "1/3", "1", "20", "0", "-1/2")
NATURALS = ("0", "1", "2", "3", "4", "20")
SHORT = 3
"""The language is chosen on all words up to this length."""


@st.composite
def parameters(draw: st.DrawFn) -> tuple[Parameter, ...]:
    number = draw(st.sampled_from((0, 0, 0, 1, 1, 2)))
    found = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=number, max_size=number, unique=True)):
        kind = draw(st.sampled_from(("real", "natural")))
        domain, default = draw(st.sampled_from(DOMAINS[kind]))
        found.append(Parameter(name, domain.format(p=name), default, kind))
    return tuple(found)


def admissible(construction: Construction) -> list[dict[str, str]]:
    """Parameter values: the defaults, then the least admissible ones, then others."""
    default = {p.name: str(p.default) for p in construction.parameters}
    found = [default]
    for index in range(len(REALS)) if default else ():
        given = {}
        for number, p in enumerate(construction.parameters):
            options = (str(p.domain).split(" ")[-1], *(REALS if p.kind == "real" else NATURALS))
            given[p.name] = options[(index + number * (index // 2)) % len(options)]
        try:
            parameter_values(construction, given)
        except ValueError:
            continue
        if given not in found:
            found.append(given)
    return found


@st.composite
def rows(draw: st.DrawFn, outputs: Sequence[str], inputs: Sequence[str], names: tuple[str, ...], most: int) -> Any:
    """A sparse matrix with at least one entry."""
    result: dict[str, dict[str, str]] = {}
    for _ in range(draw(st.integers(1, most))):
        output, entry = draw(st.sampled_from(list(outputs))), draw(st.sampled_from(list(inputs)))
        result.setdefault(output, {})[entry] = draw(weights(names))
    return result


@st.composite
def heads(draw: st.DrawFn, coordinates: Sequence[str], marker: str | None, names: tuple[str, ...]) -> Head:
    """Uniform, or with a query on a marker or on anything; into the working coordinates, by W_O or directly."""
    kind = draw(st.sampled_from(("uniform", "uniform", "uniform", "marker", "free")))
    fields: dict[str, Any] = {}
    if kind != "uniform":
        asks = marker if kind == "marker" and marker is not None else draw(st.sampled_from(list(coordinates)))
        fields["W_Q"] = {"q": {asks: draw(weights(names))}}
        fields["W_K"] = {"q": {draw(st.sampled_from(list(coordinates))): draw(weights(names))}}
        fields["score"] = draw(st.sampled_from(("dot",) * 9 + ("-|dot|",)))
        fields["normaliser"] = draw(st.sampled_from(("softmax",) * 9 + ("hardmax",)))
        if draw(st.integers(1, 20)) == 20:
            fields[draw(st.sampled_from(("query_norm", "key_norm")))] = draw(norms(("q",), names))
    elif draw(st.integers(1, 40)) == 40:
        fields["normaliser"] = "hardmax"
    if draw(st.integers(1, 4)) == 4:
        fields["scale"] = draw(scales(names))
    if draw(st.integers(1, 4)) == 4:
        fields["mask"] = "causal"
    if draw(st.integers(1, 15)) == 15:
        fields["mask"] = draw(st.sampled_from(get_args(Mask)))
        if "strictly" in fields["mask"] or draw(st.booleans()):
            fields["normaliser"] = draw(st.sampled_from(OF_ONE_POSITION))
    if draw(st.integers(1, 25)) == 25:
        fields |= draw(of_positions(coordinates, fields, names))
    working = [coordinates[-1], coordinates[-1], coordinates[-2]]
    if draw(st.integers(1, 6)) == 6:
        fields["W_V"] = draw(rows(("v", "u"), coordinates, names, 3))
        fields["W_O"] = draw(rows(working, tuple(fields["W_V"]), names, 2))
    else:
        fields["W_V"] = draw(rows(working, coordinates, names, 4))
    return Head(**fields)


@st.composite
def of_positions(
    draw: st.DrawFn, coordinates: Sequence[str], head: Mapping[str, Any], names: tuple[str, ...]
) -> dict[str, Any]:
    """Of a head some of what it may make of positions, and a sink; a position may see nothing."""
    found: dict[str, Any] = {}
    if "W_Q" in head and draw(st.booleans()):
        for name in ("W_Q", "W_K"):
            found[name] = {**head[name], "r": {draw(st.sampled_from(list(coordinates))): draw(weights(names))}}
        pair = draw(st.permutations(("q", "r")))
        found["rotary"] = (Rotary(*pair, draw(st.sampled_from(("pi", "pi/2", "2*pi/3", "1/d", "1")))),)
        found |= dict.fromkeys(({"query_norm", "key_norm"} & head.keys()), None)
    if draw(st.booleans()) and "j" not in names:
        found["bias"] = draw(st.sampled_from(("j - i", "-(i - j)/2", "(i == j)", "i % 2", "j/n", "log(1 + j)")))
    if draw(st.booleans()) and "j" not in names:
        found["sees"] = draw(st.sampled_from(("i - j < 2", "i == j or j == 0", "(i + j) % 2 == 0", "j != i", "j < i")))
    if head.get("normaliser", "softmax") == "softmax" and draw(st.booleans()):
        found["sink"] = draw(st.sampled_from(("0", "1", "-log(n)")))
    return found


@st.composite
def feed_forwards(draw: st.DrawFn, coordinates: Sequence[str], names: tuple[str, ...]) -> FeedForward:
    units = ("h1", "h2", "h3")[: draw(st.integers(1, 3))]
    first = draw(rows(units, coordinates, names, 4))
    bias = {unit: draw(weights(names)) for unit in units if draw(st.integers(1, 4)) == 4}
    hidden = tuple({**first, **bias})
    activation = draw(st.one_of(st.just("relu"), st.sampled_from(get_args(Activation))))
    back = draw(st.sampled_from(({}, {}, {}, {coordinates[-1]: "1/2"})))
    second = Linear(draw(rows([coordinates[-1], coordinates[-2]], hidden, names, 3)), back)
    gate = None
    if draw(st.integers(1, 4)) == 4:
        opens = {unit: draw(rows((unit,), coordinates, names, 2)).get(unit, {}) for unit in hidden}
        gate = Linear(opens, {unit: draw(weights(names)) for unit in hidden if draw(st.booleans())})
    return FeedForward(Linear(first, bias), second, activation, gate=gate)


@st.composite
def layers(draw: st.DrawFn, coordinates: Sequence[str], marker: str | None, names: tuple[str, ...]) -> Layer:
    number = draw(st.sampled_from((0, 1, 1, 1, 1, 2)))
    fields: dict[str, Any] = {"heads": tuple(draw(heads(coordinates, marker, names)) for _ in range(number))}
    if draw(st.integers(1, 5)) == 5:
        fields["attention_residual"] = False
    if draw(st.integers(1, 3)) == 3:
        fields["feed_forward"] = draw(feed_forwards(coordinates, names))
        fields["feed_forward_residual"] = draw(st.integers(1, 5)) != 5
    if draw(st.integers(1, 25)) == 25:
        fields["attention_norm"] = draw(norms(coordinates, names, ("0", "1", "1/100", "-1")))
    if draw(st.integers(1, 40)) == 40:
        fields["feed_forward_norm"] = draw(norms(coordinates, names))
    if fields["heads"] and draw(st.integers(1, 25)) == 25:
        fields["attention_norm_before"] = draw(norms(coordinates, names))
    if "feed_forward" in fields and draw(st.integers(1, 15)) == 15:
        fields["feed_forward_norm_before"] = draw(norms(coordinates, names))
    return Layer(**fields)


@st.composite
def norms(
    draw: st.DrawFn, coordinates: Sequence[str], names: tuple[str, ...], epsilons: Sequence[str] = ("0", "1")
) -> Norm:
    """Of either kind, with gain and bias or without."""
    epsilon = draw(st.sampled_from(epsilons))
    gain = draw(st.none() | rows(("gain",), coordinates, names, 4).map(lambda found: found["gain"]))
    if draw(st.booleans()):
        return RootMeanSquare(epsilon, gain=gain)
    return LayerNorm(
        epsilon,
        gain=gain,
        bias=draw(st.none() | rows(("bias",), coordinates, names, 2).map(lambda found: found["bias"])),
    )


@st.composite
def networks(draw: st.DrawFn, alphabet: tuple[str, ...], names: tuple[str, ...]) -> Encoder:
    begin = draw(st.sampled_from(("CLS", "CLS", "CLS", *MARKERS, None, None)))
    end = draw(st.sampled_from((None, None, None, *MARKERS, begin)))
    tokens = list(dict.fromkeys((*alphabet, *(marker for marker in (begin, end) if marker is not None))))
    indicators = {token: f"[{token}]" for token in tokens}
    encoded = ("p", "p2")[: draw(st.sampled_from((0, 1, 1, 2)))]
    coordinates = (*indicators.values(), *encoded, "t", "s")
    table = {token: {indicators[token]: "1"} for token in tokens}
    for _ in range(draw(st.integers(0, 3))):
        token, name = draw(st.sampled_from(tokens)), draw(st.sampled_from(coordinates))
        table[token][name] = draw(weights(names))
    places = {name: draw(position_encodings(names)) for name in encoded}
    marker = indicators.get(begin if begin is not None else end)  # type: ignore[arg-type]
    depth = draw(st.sampled_from((0, 1, 1, 1, 1, 1, 2, 2)))
    position = draw(st.sampled_from(("first", *get_args(Place))))
    rule = draw(st.sampled_from(("logit > 0",) * 18 + ("logit = 0",) * 5 + get_args(Acceptance)))
    outputs = alphabet if rule in get_args(Extreme) else ("logit",)
    read = {output: {"s": draw(often(st.just("1"), weights(names), 3))} for output in outputs}
    for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)) if depth else st.integers(1, 3))):
        read[outputs[0]][draw(st.sampled_from(coordinates))] = draw(weights(names))
    bias = {outputs[-1]: draw(weights(names))} if draw(st.integers(1, 4)) == 4 else {}
    return Encoder(
        coordinates=coordinates,
        embedding=Embedding(table, places),
        layers=tuple(draw(layers(coordinates, marker, names)) for _ in range(depth)),
        readout=Readout(Linear(read, bias), position, rule),
        begin=begin,
        end=end,
        final_norm=draw(norms(coordinates, names)) if draw(st.integers(1, 40)) == 40 else None,
    )


def language(alphabet: tuple[str, ...], formula: str, markers: tuple[str | None, str | None]) -> Language:
    """Membership is the formula itself, so that the two never differ."""
    begin, end = markers

    def member(word: str, **values: Any) -> bool:
        tokens = (*(() if begin is None else (begin,)), *word, *(() if end is None else (end,)))
        return holds(Expression(formula), values, tokens, alphabet)

    return Language("L", tuple(alphabet), member, formula)


def encoder(construction: Construction) -> Encoder:
    assert isinstance(construction.network, Encoder)
    return construction.network


def fitted(logits: Mapping[str, Real], construction: Construction) -> list[str]:
    """Formulas that say which words are accepted, if the logit, or n times it, is linear in the counts; and the same
    but for long words."""
    network, alphabet = encoder(construction), construction.language.alphabet
    rule = f"{ACCEPTED[network.readout.accept].op(True)} 0"
    result = []
    for power in (0, 1):
        scaled = {word: logit * fmpq(len(add_markers(network, word))) ** power for word, logit in logits.items()}
        base, *others = [scaled.get(word) for word in ("", *alphabet)]
        slopes = [None if base is None or x is None else x - base for x in others]
        if all(isinstance(x, fmpq) and abs(x.p) < 1000 > x.q for x in (base, *slopes)):
            terms = [f"({slope})*count({symbol!r})" for slope, symbol in zip(slopes, alphabet, strict=True)]
            total = " + ".join((*terms, f"({base})"))
            result += [f"{total} {rule}", f"{total} - (n > 20) {rule}"]
    return result


def chosen(construction: Construction, candidates: Sequence[str], given: str = "n >= 0") -> list[str]:
    """The candidates, those that agree with the network on most short words of a hypothesis first."""
    network, alphabet = encoder(construction), construction.language.alphabet
    values = parameter_values(construction)
    logits: dict[str, Real] = {}
    for word in words(alphabet, SHORT if len(alphabet) < 3 else SHORT - 1):
        with contextlib.suppress(ArithmeticError, InputError):
            if holds(Expression(given), values, add_markers(network, word), alphabet):
                logits[word] = run(construction, word).logit

    def agreements(formula: str) -> int:
        number = 0
        for word, logit in logits.items():
            try:
                accepts = ACCEPTED[network.readout.accept].accepts(sign(logit))
                number += accepts == holds(Expression(formula), values, add_markers(network, word), alphabet)
            except ArithmeticError:
                return -1
        return number

    return sorted((*fitted(logits, construction), *candidates), key=agreements, reverse=True)


RANKS = st.sampled_from((0, 0, 0, 0, 1, 1, 2, 3))


@st.composite
def closed_forms(draw: st.DrawFn, construction: Construction) -> tuple[ClosedForm, ...]:
    """What nobody printed of the logit or of a coordinate after the last layer; none, mostly."""
    if draw(st.integers(1, 6)) != 6:
        return ()
    alphabet, names = construction.language.alphabet, tuple(p.name for p in construction.parameters)
    coordinates = [Stream(name) for name in encoder(construction).coordinates]
    quantity = draw(st.sampled_from((Logit(), Logit(), *coordinates)))
    symbol, number = repr(draw(st.sampled_from(list(alphabet)))), draw(weights(names))
    values = (f"({number})*count({symbol})/n", f"({number})/n", number, f"({number})*(w[1] == {symbol})")
    when = draw(often(st.just("n >= 1"), characterisations(alphabet, names)))
    return (ClosedForm(Published("drawn", "here", "at random", Value(quantity, draw(st.sampled_from(values)), when))),)


@st.composite
def constructions(draw: st.DrawFn, ranked: bool = True) -> Construction:
    """A construction; ConstructionError escapes where the schema refuses it.

    ranked: among a few languages one is taken that short words speak for, so that something can be proved; that costs
    more than the rest of the drawing.
    """
    alphabet = draw(st.sampled_from(ALPHABETS))
    given = draw(parameters())
    names = tuple(parameter.name for parameter in given)
    network = draw(networks(alphabet, names))
    candidates = [draw(characterisations(alphabet, names)) for _ in range(draw(st.integers(1, 6)))]

    def said_to_be(formula: str) -> Construction:
        said = language(alphabet, formula, (network.begin, network.end))
        return Construction("random", "a random construction", "none", said, network, given)

    construction = said_to_be(candidates[0])
    if not ranked or network.readout.predicts or draw(st.integers(1, 6)) == 6:
        return construction
    best = chosen(construction, candidates)
    return said_to_be(best[min(draw(RANKS), len(best) - 1)])


@st.composite
def theorems(draw: st.DrawFn, construction: Construction) -> tuple[Decides | ClosedForm, ...]:
    """A random theorem about it, or none: another language under a hypothesis or up to a length, or one word's; and
    perhaps a closed form."""
    if encoder(construction).readout.predicts:
        return ()
    return (*draw(closed_forms(construction)), *draw(of_words(construction)))


@st.composite
def of_words(draw: st.DrawFn, construction: Construction) -> tuple[Decides, ...]:
    kind = draw(st.sampled_from(("none", "none", "none", "hypothesis", "hypothesis", "word")))
    if kind == "none":
        return ()
    alphabet = construction.language.alphabet
    formulas = characterisations(alphabet, tuple(p.name for p in construction.parameters))
    if kind == "word":
        holds_symbol = Decides("a symbol", "drawn at random", draw(some_symbol(alphabet)), "n > 5")
        return (*draw(of_one_word(construction, draw(formulas))), holds_symbol)
    given = draw(often(formulas, st.sampled_from(("n >= 1", "n > 5")), 3))
    ranked = chosen(construction, [draw(formulas) for _ in range(draw(st.integers(1, 4)))], given)
    accepts, up_to = draw(st.sampled_from((None, *ranked[:3]))), draw(st.sampled_from((None, None, None, 1, 4, 9)))
    return (Decides("drawn", "drawn at random", accepts, given, up_to=up_to),)


@st.composite
def of_one_word(draw: st.DrawFn, construction: Construction, formula: str) -> tuple[Decides, ...]:
    """What a formula says of one word, and the opposite, one of which is false: however a formula is misread, that
    shows here."""
    network, alphabet = encoder(construction), construction.language.alphabet
    word = "".join(draw(st.lists(st.sampled_from(alphabet), min_size=4, max_size=6)))
    tokens = add_markers(network, word)
    places = [f"w[{place}] == {symbol!r}" for place, symbol in enumerate(word, start=int(network.begin is not None))]
    given = " and ".join((f"n == {len(tokens)}", *places))
    return (
        Decides("as it says", "drawn at random", formula, given),
        Decides("the opposite", "drawn at random", f"not ({formula})", given),
    )
