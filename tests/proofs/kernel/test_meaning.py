"""What `Transformer.v` defines is what the interpreter computes: outputs on words are proved equal in Coq.

Nothing here rests on the derivation: weights are written from the data, values are the interpreter's.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.controls.random_constructions import constructions
from tests.proofs.kernel import agreement as held
from tests.proofs.kernel.agreement import Agreement, HasValue, Library, Refused, agreement
from tests.readings import construction
from tests.test_fields import ENCODERS
from weightproof.constructions.languages.samples import words
from weightproof.constructions.library import load, names, predictors
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Place,
    Readout,
)
from weightproof.constructions.transforms.by_name import transformed
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import PLACES, weights

pytestmark = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")


@pytest.fixture
def coq(library: Path) -> Library:
    return Library(library)


def built_in(name: str, longest: int, *transforms: str, **values: object) -> Agreement:
    known = transformed(load(name), transforms)
    return agreement(known, words(known.alphabet, longest), values)


@pytest.mark.parametrize("name", ["parity", "one", "palindrome-margin", "dyck1-depth"])
def test_outputs_on_short_words(name: str, coq: Library) -> None:
    coq.compile("Short", held.proved([built_in(name, 2)]))


VALUES: dict[str, Sequence[str]] = {"c": ("log(2)", "log(3)"), "D": ("0", "1", "3")}
TRANSCENDENTAL = ("parity", "first", "first-one-layer", "palindrome", "palindrome-as-printed")
"""Those that have values in Coq where exp(c) is no rational number."""


def instances() -> Iterator[tuple[str, dict[str, str]]]:
    """The built-in encoders, with several values of their parameters."""
    for name in names():
        parameters = load(name).parameters
        for parameter in parameters:
            yield from ((name, {parameter.name: value}) for value in VALUES[parameter.name])
        if not parameters:
            yield name, {}
    yield from ((name, {"c": "1"}) for name in TRANSCENDENTAL)


@pytest.mark.controls
@pytest.mark.parametrize(("name", "values"), list(instances()))
def test_outputs_of_built_in_encoders(name: str, values: dict[str, str], coq: Library) -> None:
    """On all words of up to four symbols."""
    found = built_in(name, 4, **values)
    assert not found.undefined
    assert len(found.claims) == sum(len(found.construction.alphabet) ** length for length in range(5))
    coq.compile("Built_in", held.proved([found]))


@pytest.mark.controls
@pytest.mark.parametrize("name", ["one", "dyck1"])
@pytest.mark.parametrize("epsilon", ["0", "1"])
def test_outputs_behind_norms(name: str, epsilon: str, coq: Library) -> None:
    found = built_in(name, 4, f"layer-norm:epsilon={epsilon}")
    assert len(found.claims) == 2 * 31
    coq.compile("Normed", held.proved([found]))


@pytest.mark.controls
@pytest.mark.parametrize("name", predictors())
def test_outputs_of_what_predicts(name: str, coq: Library) -> None:
    """On words of up to two symbols that are no weight of attention to the power of another one."""
    known = load(name)
    tried = (word for word in words(known.alphabet, 2) if not ("silent" in name and "2" in word))
    coq.compile("Predicting", held.proved([agreement(known, tried)]))


# Every field of the schema, and random networks.


UNKNOWN = {
    ("FeedForward", "gate"), ("Encoder", "final_norm"), ("Head", "query_norm"), ("Head", "key_norm"),
    ("Layer", "attention_norm_before"), ("Layer", "feed_forward_norm_before"), ("LayerNorm", "gain"),
    ("LayerNorm", "bias"), ("RootMeanSquare", "epsilon"), ("RootMeanSquare", "gain"), ("Head", "rotary"),
    ("Rotary", "first"), ("Rotary", "second"), ("Rotary", "angle"), ("Head", "bias"), ("Head", "sees"),
    ("Head", "sink"),
}  # fmt: skip
"""Which the definition in Coq does not know."""


def differing(longest: int) -> Iterator[tuple[str, Agreement, Agreement]]:
    """Networks that differ in one field: the field, and what both compute on words of up to so many symbols."""
    for place, pair in ENCODERS.items():
        if place in UNKNOWN:
            continue
        try:
            first, second = (agreement(construction(network), words("01", longest)) for network in pair)
        except ConstructionError:  # what only decoders have
            continue
        yield ".".join(place), first, second


@pytest.mark.parametrize("place", sorted(UNKNOWN))
def test_what_the_definition_does_not_know_is_refused(place: tuple[str, str]) -> None:
    both = map(construction, ENCODERS[place])
    with pytest.raises(Unwritten):
        [*map(weights, both)]


def proved(coq: Library, agreements: Sequence[Agreement]) -> list[list[str]]:
    """No claim is false, and those that can be decided are proved."""
    found = held.decided(coq, agreements)
    for each, answers in zip(agreements, found, strict=True):
        assert len(answers) == len(each.claims)
        assert "false" not in answers, held.asked([each])
    true = [
        replace(each, claims=[x for x, answer in zip(each.claims, answers, strict=True) if answer == "true"])
        for each, answers in zip(agreements, found, strict=True)
    ]
    coq.compile("Proved", held.proved(true))
    return found


def test_every_field_means_what_it_means_to_the_interpreter(coq: Library) -> None:
    """But for the output behind the norm of a vector that attention by exp(1) has made: of roots of sums with it there
    are bounds in Coq, and they prove no equation."""
    agreements = {f"{place}, {number}": each for place, *pair in differing(1) for number, each in enumerate(pair)}
    for (place, each), answers in zip(agreements.items(), proved(coq, list(agreements.values())), strict=True):
        [layer, *_] = each.construction.encoder.layers
        normed = layer.attention_norm is not None or layer.feed_forward_norm is not None
        assert answers.count("true") == (5 if normed else 3), place


FEED_FORWARD = FeedForward(Linear({"h": {"a": 1}}), Linear({"b": {"h": 1}}))
HEAD, NORM = Head(W_V={"b": {"a": 1}}, scale=1), LayerNorm(0)
NORMED: dict[str, tuple[Layer, ...]] = {
    "at the end": (Layer(attention_norm=NORM),),
    "before a feed-forward network": (Layer(attention_norm=NORM, feed_forward=FEED_FORWARD),),
    "behind a feed-forward network": (Layer(feed_forward=FEED_FORWARD, feed_forward_norm=NORM),),
    "behind a head": (Layer((HEAD,), attention_norm=NORM),),
    "before a layer with a head": (Layer(attention_norm=NORM), Layer((HEAD,))),
    "twice": (Layer((HEAD,), FEED_FORWARD, attention_norm=NORM, feed_forward_norm=NORM), Layer((HEAD,))),
}


def normed(layers: tuple[Layer, ...], position: Place) -> Agreement:
    """On words whose symbol 0 is the vector 0, which has no norm."""
    network = Encoder(
        coordinates=("a", "b"),
        embedding=Embedding({"0": {}, "1": {"a": 1}, "CLS": {"a": 1}}),
        layers=layers,
        readout=Readout(Linear({"logit": {"b": 1}}), position),
    )
    return agreement(construction(network), words("01", 2))


def test_a_norm_has_a_value_where_the_interpreter_has_one(coq: Library) -> None:
    agreements = [normed(layers, position) for layers in NORMED.values() for position in PLACES]
    answers = proved(coq, agreements)
    assert all(set(each) == {"true"} for each in answers)
    truths = [claim.truth for each in agreements for claim in each.claims if isinstance(claim, HasValue)]
    assert {True, False} == set(truths)


def test_a_later_layer_without_heads_needs_no_value_in_coq_where_nothing_is_read(coq: Library) -> None:
    """The interpreter asks for one at all positions of every layer but the last: there the two differ."""
    [answers] = held.decided(coq, [normed((Layer(attention_norm=NORM), Layer(feed_forward=FEED_FORWARD)), "first")])
    said = normed((Layer(attention_norm=NORM), Layer(feed_forward=FEED_FORWARD)), "first").claims
    differ = [claim for claim, answer in zip(said, answers, strict=True) if answer != "true"]
    assert differ == [HasValue(word, False) for word in ("0", "00", "01", "10")]


SEEN_NOT = ("Readout.accept", "Encoder.coordinates")
"""What is done with an output is no part of it; and a coordinate that nothing reads changes the width alone."""


@pytest.mark.controls
def test_a_field_that_is_another_one_is_seen(coq: Library) -> None:
    """The outputs of a network are not those of another one that differs in a field."""
    crossed = {place: replace(first, claims=second.claims) for place, first, second in differing(2)}
    for place, answers in zip(crossed, held.decided(coq, list(crossed.values())), strict=True):
        assert ("false" in answers) == (place not in SEEN_NOT), place


DRAWN, TRIED, PROVED, CHUNKS = 60, 12, 10, 10
"""Of each of so many chunks: how many are drawn, of which some are the same; and how many of those that are
written in Coq are tried, and are proved on all words at least."""
LONGEST_EQUATION = 2_000
"""Characters; of longer ones the numbers are too large to compute with for long."""
HEADER = "\t".join(("random networks in Coq", "tried", "not written", "too long", "not all decided", "proved"))


def random_networks(number: int) -> list[Agreement]:
    """Networks that differ in what they compute."""
    found: dict[str, Agreement] = {}

    @seed(number)
    @settings(max_examples=DRAWN, suppress_health_check=list(HealthCheck), database=None)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        try:
            drawn = data.draw(constructions(ranked=False))
        except ConstructionError:
            return
        said = agreement(drawn, words(drawn.alphabet, 4 if len(drawn.alphabet) < 3 else 3))
        if said.claims:
            found.setdefault("; ".join(claim.statement("network") for claim in said.claims), said)

    draw()
    return list(found.values())


@pytest.mark.controls
@pytest.mark.parametrize("number", range(CHUNKS))
def test_outputs_of_random_networks(
    number: int, coq: Library, count_row: Callable[[str, str, Sequence[int]], None]
) -> None:
    """No claim is false; and there are ten networks of which every one is proved."""
    drawn = random_networks(number)
    unwritten = too_long = 0
    agreements: list[Agreement] = []
    for each in drawn:
        if len(agreements) == TRIED:
            break
        try:
            longest = max(map(len, held.asked([each]).splitlines()))
        except Unwritten:
            unwritten += 1
            continue
        if longest > LONGEST_EQUATION:
            too_long += 1
        else:
            agreements.append(each)
    answers = proved(coq, agreements)
    whole = sum(set(each) == {"true"} for each in answers)
    count_row(HEADER, "", (len(agreements), unwritten, too_long, len(agreements) - whole, whole))
    assert whole >= PROVED


# That it can fail.


def test_another_value_does_not_compile(coq: Library) -> None:
    found = built_in("one", 2)
    wrong = [replace(each, value=each.value + 1) if each.word == "01" else each for each in found.claims]
    assert held.decided(coq, [replace(found, claims=wrong)]) == [["true"] * 4 + ["false"] + ["true"] * 2]
    with pytest.raises(Refused):
        coq.compile("Wrong", held.proved([replace(found, claims=wrong)]))


PLANTED = {
    "causal heads do not see their own position": ("Causal => S i", "Causal => i"),
    "a norm forgets its epsilon": ("(x name - average names x)) + epsilon)", "(x name - average names x)))"),
    "the greatest of a negative number and none": ("| 1%nat => f O ", ""),
    "hardmax takes all": ("is_at_most (maximum count scores) (scores j)", "1"),
    "-|q.k| is |q.k|": ("- Rabs product", "Rabs product"),
    "no W_O": ("Some W => apply W (apply (W_V h) x)", "Some _ => apply (W_V h) x"),
    "a cut residual is kept": ("(if residual s then x i name else 0)", "x i name"),
    "the last position is the first one": ("(List.length tokens - 1)%nat", "O"),
    "a step at 0": ("Definition step (x : R) : R := is_less 0 x", "Definition step (x : R) : R := is_at_most 0 x"),
    "positions count from 1": ("net (IZR (Z.of_nat i))", "net (IZR (Z.of_nat (S i)))"),
    "x mod y is the quotient": ("Int_part x mod Int_part y", "Int_part x / Int_part y"),
}  # fmt: skip
QUICKLY = "causal heads do not see their own position"


@pytest.mark.parametrize(
    "mistake",
    [mistake if mistake == QUICKLY else pytest.param(mistake, marks=pytest.mark.controls) for mistake in PLANTED],
)
def test_a_mistake_in_the_definition_is_seen(mistake: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What computes by it is not proved any more, or some output is another one."""
    right = held.DEFINITION.read_text()
    old, new = PLANTED[mistake]
    assert right.count(old) == 1
    assert not agrees(tmp_path_factory.mktemp("coq"), right.replace(old, new))


def agrees(folder: Path, definition: str) -> bool:
    """Whether with that definition all is proved that is computed by it, and outputs are what they are."""
    try:
        held.library(folder, definition).compile("Built_in", held.proved([built_in("dyck1", 2)]))
    except Refused:
        return False
    return True
