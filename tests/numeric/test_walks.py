"""Words as walks: what strict arithmetic computes lies in the bounds, and no certified length is known to fail."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from flint import arb, fmpq

from tests.support.streams import names_of
from weightproof.constructions.library import load, names
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Linear, Readout
from weightproof.constructions.scalars.exact import enclosure
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.numeric.certificate.certificate import Margin, certified_from_left_to_right, certifier
from weightproof.numeric.certificate.uniform.positions import NotUnderstood
from weightproof.numeric.certificate.walks import walks as module
from weightproof.numeric.certificate.walks.affine import Affine, Bounds
from weightproof.numeric.certificate.walks.attention import settled
from weightproof.numeric.certificate.walks.reach import Reach
from weightproof.numeric.certificate.walks.walks import NEAR, Collected, Walks
from weightproof.numeric.model.strict import Pass, exact_pass
from weightproof.numeric.model.transformer import Transformer, encode, token_names
from weightproof.numeric.rounding.arithmetic import Array, Rounded
from weightproof.numeric.rounding.formats import FORMATS
from weightproof.numeric.rounding.model import BY_SIGN

WITH_MARGIN = ["dyck1-margin", "dyck1-depth-margin"]
MARGINS = (
    Margin("accepted", "1/(2*n)", "n % 2 == 1"),
    Margin("accepted", None, "n % 2 == 0"),
    Margin("rejected", "1/(2*n)"),
)
"""As is proved of both; of the second one for D >= 2."""


def walks_of(construction: Construction, dtype: str) -> Walks:
    return Walks(construction.encoder, construction.language.alphabet, names_of(construction), FORMATS[dtype])


def certified(name: str, dtype: str, by_probability: bool = False) -> int:
    """Symbols, where those of one symbol are known to be right."""
    return certified_from_left_to_right(load(name), MARGINS, None, dtype, 500, by_probability=by_probability, known=1)


def words_of(length: int) -> list[str]:
    """Balanced words, low and high, and some that are lost at their start, in the middle, or at the end."""
    random, half = Random(length), length // 2
    found = ["0" * h + "1" * h + "01" * (half - h) for h in (1, half // 4, half // 2, half)]
    found += ["01" * (half - 1) + "00", "10" * half, "01" * (half // 2) + "10" * (half - half // 2), "0" * length]
    for most in (3, length):
        word, level = "", 0
        for left in range(length, 0, -1):
            down = level == min(most, left) or (level > 0 and random.random() < 0.5)
            word, level = word + "01"[down], level + 1 - 2 * down
        found.append(word)
    return found


def terms(forward: Pass) -> Array:
    """Of the logit, one for each position; shape [words, n]."""
    return forward._linear(forward.network.readout.W, forward.stream(forward.stages, 0, forward.n))["logit"]


def escapes(construction: Construction, dtype: str, length: int) -> list[str]:
    """What is computed of words of an even length, or is so exactly, and no bound allows."""
    words, known, walks = words_of(length), names_of(construction), walks_of(construction, dtype)
    ids, environment = encode(construction, words).numpy(), {**known, "n": fmpq(length + 1)}
    strict = Pass(construction.encoder, token_names(construction), ids, Rounded(FORMATS[dtype]), environment)
    computed = terms(strict)
    sums = np.add.accumulate(computed, axis=1).astype(np.float64)
    exact = [terms(exact_pass(construction, word, known))[0] for word in words]
    found, level, kept, told = [], [0] * len(words), [True] * len(words), Collected(walks, BY_SIGN)
    rows = ((piece, row) for piece in walks.pieces(length + 1) for row in range(len(piece.positions)))
    for i, (piece, row) in enumerate(itertools.islice(rows, length), start=1):
        last = i == length
        if not last:
            told.add(piece, row)
        for k, word in enumerate(words):
            level[k] += walks.walk.steps[word[i - 1]]
            place = int(np.clip(level[k], -NEAR - 1, NEAR + 1)) + NEAR + 1
            term, total, here = float(computed[k, i]), sums[k, i], f"{construction.name} {dtype} {word} {i}"
            low, high = (each[place, row] for each in (piece.exact_last if last else piece.exact))
            if not (enclosure(exact[k][i]) >= low and enclosure(exact[k][i]) <= high):
                found.append(f"{here}: the exact term")
            if term > (piece.greatest_last[row] if last else 0):
                found.append(f"{here}: no term is so large")
            low, high = (each[place, row] for each in (piece.computed_last if last else piece.computed))
            if kept[k] and not low <= term <= high:
                found.append(f"{here}: the computed term {term} is not in [{low}, {high}]")
            kept[k] = kept[k] and bool(piece.kept[place, row])
            if not last and kept[k] and total < -told.below[place] * (1 + walks.u) ** i:
                found.append(f"{here}: a sum of {total}")
            if not last and not kept[k] and total > -told.lost:
                found.append(f"{here}: lost, and a sum of {total}")
    return found


def rough() -> Construction:
    """A network that computes in thirds, so that what others leave exact is rounded."""
    original = load("dyck1-margin")
    thirds = Linear({"logit": {"[k>0]/i": "-1/3", "[k=0 and last]/i": "1/3", "[last]/i": "-1/6"}})
    network = replace(original.encoder, readout=Readout(thirds, "sum"))
    return replace(original, name="rough", network=network)


def with_head(**changes: object) -> Construction:
    original = load("dyck1-margin")
    first, *later = original.encoder.layers
    head = replace(first.heads[0], **changes)
    return replace(original, network=replace(original.encoder, layers=(replace(first, heads=(head,)), *later)))


def with_second_layer(**changes: object) -> Construction:
    original = load("dyck1-margin")
    first, second = original.encoder.layers
    return replace(original, network=replace(original.encoder, layers=(first, replace(second, **changes))))


def faint() -> Construction:
    """A network whose shares of the begin marker fall below the normal numbers of float16."""
    return with_head(W_V={"k/i": {"[w=1]": 1, "[w=0]": -1}, "1/i": {"[w=CLS]": "2**(-14)"}})


CASES = [
    pytest.param(load("dyck1-margin"), "bfloat16", 40, id="dyck1-margin in bfloat16"),
    pytest.param(load("dyck1-depth-margin"), "float16", 30, id="dyck1-depth-margin in float16"),
    pytest.param(load("dyck1-depth-margin"), "float32", 16, id="dyck1-depth-margin in float32"),
    pytest.param(load("dyck1-margin"), "float64", 16, id="dyck1-margin in float64"),
    pytest.param(rough(), "bfloat16", 16, id="rough in bfloat16"),
    pytest.param(faint(), "float16", 12, id="faint in float16"),
]


@pytest.mark.parametrize(("construction", "dtype", "length"), CASES)
def test_no_bound_of_a_term_is_missed(construction: Construction, dtype: str, length: int) -> None:
    assert escapes(construction, dtype, length) == []


def exactly_a_level(step: Array, bottoms: Array, tops: Array) -> Reach:
    """As if sums were not rounded."""
    levels = np.arange(bottoms[-1], tops[-1] + 1)[:, None].astype(step.dtype)
    return Reach(int(bottoms[-1]), step, levels * step, levels * step)


PLANTED: dict[str, tuple[object, str, object]] = {
    "sums are exact": (module, "reach", exactly_a_level),
    "operations are exact": (Bounds, "rounded", lambda self, x, exactly=False, spread=0.0: x),
    "units that may be off are off": (Bounds, "relu", lambda self, x: halved(self, x)),
    "no walk costs anything": (Collected, "_stepped", lambda self, piece, row: free(self, piece, row)),
    "terms are never large": (Walks, "_cells", lambda self, positions, last: np.full(len(positions), -np.inf)),
}
"""What is broken: an attribute, and what it is replaced by."""
STEPPED = Collected._stepped


def halved(self: Bounds, x: Affine) -> Affine:
    on = self.range(x)[0] > 0
    return Affine(np.where(on, x.slope, 0), np.where(on, x.low, 0), np.where(on, x.high, 0))


def free(self: Collected, piece: module.Piece, row: int) -> tuple[Array, Array, Array]:
    below, here, lost = STEPPED(self, piece, row)
    return np.minimum(below, 0), here, lost


@pytest.mark.parametrize("which", PLANTED)
def test_a_planted_mistake_is_found(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    monkeypatch.setattr(*PLANTED[which])
    assert escapes(rough(), "bfloat16", 16) or escapes(load("dyck1-margin"), "bfloat16", 40)


# Certified lengths

FAILING = "0" * 16 + "1" * 16 + "01" * 14
"""A word that dyck1-margin loses in bfloat16."""


@pytest.mark.parametrize(
    ("name", "dtype", "by_probability", "fails"),
    [
        ("dyck1-margin", "bfloat16", False, len(FAILING)),
        ("dyck1-margin", "bfloat16", True, 50),
        ("dyck1-depth-margin", "bfloat16", False, 778),
        ("dyck1-depth-margin", "bfloat16", True, 58),
        ("dyck1-margin", "float16", False, 212),
    ],
)
def test_a_certified_length_lies_below_one_that_fails(name: str, dtype: str, by_probability: bool, fails: int) -> None:
    reached = certified(name, dtype, by_probability)
    assert 6 < reached < fails


def test_the_word_that_fails_does() -> None:
    model = Transformer(load("dyck1-margin"), dtype="bfloat16", attention="strict")
    assert model.logits([FAILING]).item() < 0


def test_in_another_order_a_word_is_lost_that_is_certified_here() -> None:
    """So that no certificate for every order goes as far: of the steps up and the steps down of each position, those of
    one kind are added one after the other, and those of the other in pairs, which are rounded less."""
    construction, length = load("dyck1-margin"), 1_100
    names = {**names_of(construction), "n": fmpq(length + 1)}
    ids = encode(construction, ["01" * (length // 2)]).numpy()
    forward = Pass(construction.encoder, token_names(construction), ids, Rounded(FORMATS["float32"]), names)
    stream = {name: x.copy() for name, x in forward.stream(1, 0, length + 1).items()}
    for i in range(2, length + 1, 2):
        steps = np.full(i // 2, 1 / np.float32(i + 1))
        one_by_one, pairs = np.add.accumulate(steps)[-1], steps
        while len(pairs) > 1:
            pairs = np.append(pairs[: len(pairs) // 2 * 2 : 2] + pairs[1::2], pairs[len(pairs) // 2 * 2 :])
        stream["k/i"][0, i] = abs(one_by_one - pairs[0])
    assert forward.logits().item() > 0
    assert forward.resumed(1, 0, length + 1, stream).logits().item() < 0
    assert certified_from_left_to_right(construction, MARGINS, None, "float32", length, known=length - 9) == length


def test_what_is_forgotten_certifies_a_length_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the roundings of the sums the certificate goes beyond a word that is lost: it does rest on them."""
    monkeypatch.setattr(module, "reach", exactly_a_level)
    assert certified("dyck1-margin", "bfloat16") >= len(FAILING)


OTHERS = [name for name in names() if isinstance(load(name).network, Encoder) and name not in WITH_MARGIN]


@pytest.mark.parametrize("name", OTHERS)
def test_other_networks_are_refused(name: str) -> None:
    """Those of Dyck languages without a margin count, too, and nothing is certified of them; the rest does not."""
    construction = load(name)
    if name in ("dyck1", "dyck1-depth"):
        assert walks_of(construction, "float32").right_up_to(lambda side, n: arb(0), BY_SIGN, 9, 99) == 8
        return
    with pytest.raises(NotUnderstood):
        Walks(construction.encoder, construction.language.alphabet, names_of(construction), FORMATS["float32"])


def begun() -> Construction:
    """The begin marker has a term of its own."""
    original = load("dyck1-margin")
    embedding = original.encoder.embedding
    begin = {**embedding.WE["CLS"], "[last]/i": 1}
    embedding = replace(embedding, WE={**embedding.WE, "CLS": begin})
    return replace(original, network=replace(original.encoder, embedding=embedding))


def layerless() -> Construction:
    original = load("dyck1-margin")
    return replace(original, network=replace(original.encoder, layers=()))


def stepping() -> Construction:
    network = load("dyck1-margin").encoder.layers[1].feed_forward
    assert network is not None
    return with_second_layer(feed_forward=replace(network, activation="step"))


def weighed(inner: str, outer: str) -> Construction:
    """What the head averages, as products whose factors the format may not hold."""
    original = load("dyck1-margin")
    network, WE = original.encoder, original.encoder.embedding.WE
    WE = {**WE, "0": {**WE["0"], "step": f"-({inner})"}, "1": {**WE["1"], "step": inner}}
    first, second = network.layers
    head = replace(first.heads[0], W_V={"k/i": {"step": outer}, "1/i": {"[w=CLS]": 1}})
    network = replace(
        network,
        coordinates=(*network.coordinates, "step"),
        embedding=replace(network.embedding, WE=WE),
        layers=(replace(first, heads=(head,)), second),
    )
    return replace(original, network=network)


ALTERED = {
    "a layer that takes nothing over": with_second_layer(attention_residual=False),
    "no layers": layerless(),
    "an activation with steps": stepping(),
    "a term of the begin marker": begun(),
    "a scale that overflows": with_head(scale=70_000),
    "a scale that grows": with_head(scale="3000*n"),
    "a weight that overflows": weighed("2**(-20)", "2**20"),
    "a weight that underflows": weighed("2**20", "2**(-40)"),
}


@pytest.mark.parametrize("which", ALTERED)
def test_of_an_altered_network_nothing_is_certified_as_of_a_walk(which: str) -> None:
    altered, original = (
        certifier(each, MARGINS, None, FORMATS["float16"]) for each in (ALTERED[which], load("dyck1-margin"))
    )
    assert altered.counted(8, 40) == 7
    assert original.counted(8, 40) == 40


SETTLED = (
    "1", "i/(i + 1)", "(i == n - 1)", "(n - 1 == i)", "(i < n)", "(i >= n - 1)/(i + 1)", "(i + 1 + n == n + n)",
)  # fmt: skip
UNSETTLED = ("i/n", "(i == n - 2)", "(i == n/2)", "(i <= 3*n)", "(2*i == n)", "(n == 3)", "(i <= n - 1)*n")


@pytest.mark.parametrize("text", [*SETTLED, *UNSETTLED])
def test_encodings_that_are_settled_are_told(text: str) -> None:
    """By their values in words of a few lengths, at all positions but the last, too."""
    scalar = expression(text)
    assert settled(scalar.tree) == (text in SETTLED)
    values = [[evaluate(scalar, {"i": fmpq(i), "n": fmpq(n)}) for i in range(5)] for n in range(6, 14)]
    assert all(each == values[0] for each in values) or text in UNSETTLED
