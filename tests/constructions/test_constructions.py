"""The built-in constructions: their matrices against the papers, number by number, and their decisions on all words."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq

from tests.support.places import EXAMPLES
from weightproof.constructions.claims.statements import Logit
from weightproof.constructions.library import BUILT_IN, load, load_file
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Layer, Rows
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.formulas import holds, value_on
from weightproof.proofs.theorem import ClosedForm, theorems_of

WIDTHS = {
    "parity": 9,
    "first": 6,
    "first-one-layer": 5,
    "one": 7,
    "palindrome": 11,
    "palindrome-as-printed": 11,
    "palindrome-margin": 12,
    "palindrome-isometric": 8,
    "dyck1": 9,
    "dyck1-margin": 10,
    "dyck1-depth": 11,
    "dyck1-depth-margin": 12,
}

# One layer a line: the matrices of its heads, then of its feed-forward network, as printed; "0{4x5}" is a zero block,
# and what the papers do not show is 0. A head without W_Q and W_K is printed with W_Q = W_K = 0.
PRINTED: dict[str, list[dict[str, str]]] = {
    "parity": [  # Chiang and Cholak (2022), section 3.2
        {
            "1 W_V": "0{5x5}; 0 1 0 0 0; 0 0 1 0 0",
            "first": "0 0 0 -1 0 1 -1; 0 0 0 -1 0 1 0; 0 0 0 -1 0 1 1",
            "second": "0{7x3}; 1 -2 1",
        },
        {
            "1 W_Q": "0 0 c*sqrt(d) 0 0 0 0 0",
            "1 W_K": "0 0 0 0 -1 0 0 0",
            "1 W_V": "0{8x8}; 0 0 0 0 0 0 0 1",
            "2 W_Q": "0 0 c*sqrt(d) 0 0 0 0 0",
            "2 W_K": "0 0 0 0 1 0 0 0",
            "2 W_V": "0{8x8}; 0 0 0 0 0 0 0 -1",
        },
        {"W": "0 0 0 0 0 0 0 0 1"},
    ],
    "first": [  # section 3.3
        {"first": "-1 0 -1 1", "second": "0{4x1}; 1"},
        {"1 W_Q": "0 0 c*sqrt(d) 0 0", "1 W_K": "0 0 0 1 0", "1 W_V": "0{5x5}; 0 0 0 -1/2 1"},
        {"W": "0 0 0 0 0 1"},
    ],
    "first-one-layer": [  # section 5.2
        {"1 W_Q": "0 0 c*sqrt(d) 0", "1 W_K": "0 0 0 1", "1 W_V": "0{4x4}; -1/2 1/2 -1/2 0"},
        {"W": "0 0 0 0 1"},
    ],
    "one": [  # Nowak et al. (2022), section 3.1
        {
            "1 W_V": "0{4x4}; 0 1 0 0; 0 0 1 0",
            "first": "0 0 0 0 1 -2; 0 0 0 0 1 -1; 0 0 0 0 1 0; 0 0 0 0 0 1",
            "second": "0{6x4}; 1 -2 1 -1/2",
        },
        {"W": "0 0 0 0 0 0 1"},
    ],
    "palindrome-as-printed": [  # section 3.2
        {"first": "-1 0 -1 -1 0 0 1 0; -1 0 -1 -1 0 0 0 1", "second": "0{8x2}; 1 0; 0 1"},
        {
            "1 W_Q": "0 0 c*sqrt(d) 0 0 0 0 0 0 0",
            "1 W_K": "0 0 0 0 1 0 0 0 0 0",
            "1 W_V": "0{10x10}; 0 0 0 0 0 0 0 0 0 1",
            "2 W_Q": "0 0 c*sqrt(d) 0 0 0 0 0 0 0",
            "2 W_K": "0 0 0 0 0 1 0 0 0 0",
            "2 W_V": "0{10x10}; 0 0 0 0 0 0 0 0 0 -1",
        },
        {"W": "0 0 0 0 0 0 0 0 0 0 1"},
    ],
    "dyck1": [  # Steffen et al. (2022), section 4.1; the readout is a formula
        {
            "1 W_V": "0{4x4}; -1 1 0 0; 0 0 1 0",
            "first": "0 0 0 0 1 1; 0 0 0 0 1 0; 0 0 0 0 1 -1",
            "second": "0{6x3}; 0 1 -1; 1 -2 1",
        },
        {"first": "-1 -1 -1 1 0 0 0 1", "second": "0{8x1}; 1"},
        {"W": "0 0 0 0 0 0 -1 0 1"},
    ],
    "dyck1-depth": [  # section 4.2
        {
            "1 W_V": "0{5x5}; 0 0 1 0 0; -1 1 0 0 0",
            "first": "0 0 0 0 0 1 1; 0 0 0 0 0 0 1; 0 0 0 0 0 -1 1; 0 0 0 0 -1 0 -1; 0 0 0 0 -1 -1 -1",
            "second": "0{7x5}; 1 -2 1 0 0; 0 1 -1 0 0; 0 0 0 1 -1",
        },
        {"first": "-1 -1 -1 1 0 0 0 1 0 0", "second": "0{10x1}; 1"},
        {"W": "0 0 0 0 0 0 0 0 -1 -1 1"},
    ],
}

POSITIONS = {  # what the position encoding adds after the word's own dimensions
    "parity": ["i/n", "cos(pi*i)"],
    "first": ["(i == 1)"],
    "first-one-layer": ["(i == 1)"],
    "one": ["i/n"],
    "palindrome-as-printed": ["i", "n - i - 1", "(i <= (n - 1)/2)", "(i >= (n - 1)/2)"],
    "dyck1": ["(i == n - 1)"],  # printed [i = n] where n is the last position
    "dyck1-depth": ["(i == n - 1)", "D/(i + 1)"],  # printed D/i
}


def dense(rows: Rows, outputs: list[str], inputs: tuple[str, ...]) -> list[list[str]]:
    return [[str(rows.get(row, {}).get(column, 0)) for column in inputs] for row in outputs]


def printed(text: str, height: int, width: int) -> list[list[str]]:
    """The printed matrix, padded with zeros; its own rows are equally long."""
    rows: list[list[str]] = []
    for part in text.split("; "):
        block = re.fullmatch(r"0\{(\d+)x(\d+)\}", part)
        rows += [["0"] * int(block[2])] * int(block[1]) if block else [part.split()]
    assert len({len(row) for row in rows}) == 1
    padded = [row + ["0"] * (width - len(row)) for row in rows]
    return padded + [["0"] * width] * (height - len(rows))


def matrices(layer: Layer) -> Iterator[tuple[str, Rows]]:
    for number, head in enumerate(layer.heads, start=1):
        yield from ((f"{number} {name}", getattr(head, name)) for name in ("W_Q", "W_K", "W_V") if getattr(head, name))
    if layer.feed_forward is not None:
        yield from (("first", layer.feed_forward.first.weights), ("second", layer.feed_forward.second.weights))


def encoder(name: str) -> Encoder:
    network = load(name).network
    assert isinstance(network, Encoder)
    return network


@pytest.mark.parametrize("name", PRINTED)
def test_the_matrices_are_the_printed_ones(name: str) -> None:
    network = encoder(name)
    coordinates, width = network.coordinates, len(network.coordinates)
    *layers, readout = PRINTED[name]
    assert len(network.layers) == len(layers)
    for layer, paper in zip(network.layers, layers, strict=True):
        hidden: tuple[str, ...] = () if layer.feed_forward is None else tuple(layer.feed_forward.first.weights)
        assert [place for place, _ in matrices(layer)] == list(paper)
        for place, rows in matrices(layer):
            outputs = list(coordinates if place == "second" or "W_V" in place else rows)
            inputs = hidden if place == "second" else coordinates
            assert dense(rows, outputs, inputs) == printed(paper[place], len(outputs), len(inputs)), place
    assert dense(network.readout.W.weights, ["logit"], coordinates) == printed(readout["W"], 1, width)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_embeddings_are_the_printed_ones(name: str) -> None:
    """Each token has a dimension of its own, in the order 0, 1, CLS, EOS; the position encoding follows."""
    network = encoder(name)
    tokens = ["0", "1", *(marker for marker in (network.begin, network.end) if marker)]
    one_hot = [["1" if row == column else "0" for column in range(len(tokens))] for row in range(len(tokens))]
    assert dense(network.embedding.WE, tokens, network.coordinates[: len(tokens)]) == one_hot
    assert all(len(row) == 1 for row in network.embedding.WE.values())
    following = network.coordinates[len(tokens) : len(tokens) + len(POSITIONS[name])]
    assert {name: str(value) for name, value in network.embedding.PE.items()} == dict(
        zip(following, POSITIONS[name], strict=True)
    )


@pytest.mark.parametrize("name", WIDTHS)
def test_what_three_papers_have_in_common(name: str) -> None:
    """The width; no bias, no norm, no cut; ReLU, softmax and 1/sqrt(d); masked iff from Steffen et al."""
    network = encoder(name)
    assert len(network.coordinates) == WIDTHS[name]
    assert not network.readout.W.bias
    for layer in network.layers:
        assert layer == Layer(layer.heads, layer.feed_forward)
        for head in layer.heads:
            masked = "causal" if name.startswith("dyck1") else "none"
            assert (head.score, head.normaliser, str(head.scale), head.mask) == ("dot", "softmax", "1/sqrt(d)", masked)
        if layer.feed_forward is not None:
            assert layer.feed_forward.activation == "relu"
            assert not layer.feed_forward.first.bias
            assert not layer.feed_forward.second.bias


def test_the_repair_of_palindrome_is_one_weight() -> None:
    repaired, as_printed = encoder("palindrome"), encoder("palindrome-as-printed")
    [layer, second], [_, original] = repaired.layers, as_printed.layers
    moved = dataclasses.replace(original.heads[0], W_V={"s": {"[left and w=1]": 1}})
    assert second == Layer((moved, original.heads[1]))
    assert repaired == dataclasses.replace(as_printed, layers=(layer, second))
    assert as_printed.layers[0] == layer


def words(construction: Construction, longest: int, shortest: int = 0) -> Iterator[str]:
    alphabet = construction.language.alphabet
    return ("".join(w) for length in range(shortest, longest + 1) for w in product(alphabet, repeat=length))


def is_right(construction: Construction, word: str, parameters: dict[str, Any]) -> bool:
    wanted = {name: value for name, value in parameters.items() if name in construction.language.characterisation.names}
    return run(construction, word, parameters).accepts is construction.language.member(word, **wanted)


def shortest_wrong(construction: Construction, longest: int, parameters: dict[str, Any]) -> set[str]:
    """All words of the least length at which the network errs."""
    for length in range(longest + 1):
        wrong = {w for w in words(construction, length, length) if not is_right(construction, w, parameters)}
        if wrong:
            return wrong
    return set()


DECIDES: list[tuple[str, dict[str, Any]]] = [
    *(("parity", {"c": c}) for c in ("log(2)", "1/100")),
    *(("first", {"c": c}) for c in ("1/100", "9")),
    ("one", {}),
    *(("palindrome", {"c": c}) for c in ("log(2)", "1")),
    ("dyck1", {}),
    *(("dyck1-depth", {"D": D}) for D in range(5)),
    *(("palindrome-margin", {"c": c}) for c in ("log(2)", "1")),
    ("dyck1-margin", {}),
    *(("dyck1-depth-margin", {"D": D}) for D in range(5)),
]


@pytest.mark.parametrize("longest", [6, pytest.param(8, marks=pytest.mark.controls)])
@pytest.mark.parametrize(("name", "parameters"), DECIDES)
def test_recognises_its_language(name: str, parameters: dict[str, Any], longest: int) -> None:
    assert shortest_wrong(load(name), longest, parameters) == set()


@pytest.mark.parametrize("base", [2, 3, 4, 5])
def test_first_by_one_layer_errs_where_c_is_log_of_n_minus_1(base: int) -> None:
    """Section 5.2 promises c > log(n - 1) and no more: at equality the word 1 0 ... 0 has logit 0 and is rejected."""
    construction, parameters = load("first-one-layer"), {"c": f"log({base})"}
    assert shortest_wrong(construction, 6, parameters) == {"1" + "0" * (base - 1)}
    assert not run(construction, "1" + "0" * (base - 1), parameters).decided


def test_first_by_one_layer_errs_with_a_sign_beyond() -> None:
    """e^1 lies between 2 and 3: length 2 is right, at length 3 the logit of 100 is negative."""
    assert shortest_wrong(load("first-one-layer"), 6, {"c": 1}) == {"100"}
    assert sign(run(load("first-one-layer"), "100", {"c": 1}).logit) == -1


def test_palindrome_as_printed_errs_both_ways() -> None:
    """10 is accepted and 11 rejected: only the right half is read."""
    assert shortest_wrong(load("palindrome-as-printed"), 6, {}) == {"10", "11"}
    assert shortest_wrong(load("palindrome-as-printed"), 6, {"c": 1}) == {"10", "11"}


@pytest.mark.parametrize("name", BUILT_IN)
def test_only_a_zero_logit_is_undecided(name: str) -> None:
    for word in words(load(name), 6):
        result = run(load(name), word)
        assert result.decided is (sign(result.logit) != 0 or encoder(name).readout.accept == "logit = 0")


MISTAKES = {"planted-mistake": (3, 2), "planted-late-mistake": (7, 4)}
"""The length of the shortest wrong words, and how many 1s they have."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_decide_their_language_unless_a_mistake_is_planted(path: Path) -> None:
    construction = load_file(path).construction
    assert construction.name == path.stem.replace("_", "-")
    assert (construction.name in MISTAKES) is construction.name.startswith("planted")
    length, ones = MISTAKES.get(construction.name, (0, 99))
    wrong = {word for word in words(construction, length, length) if word.count("1") == ones}
    assert shortest_wrong(construction, 8 if len(construction.language.alphabet) == 2 else 6, {}) == wrong


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_say_their_language_twice(path: Path) -> None:
    construction = load_file(path).construction
    language = construction.language
    for word in words(construction, 7):
        tokens = add_markers(construction.network, word)  # type: ignore[arg-type]
        assert holds(language.characterisation, {}, tokens, language.alphabet) is language.member(word), word


def test_the_vectors_are_as_printed() -> None:
    """The residual stream: Chiang and Cholak (2022), sections 3.2 and 3.3; Nowak et al. (2022), section 3.1.2."""
    for word in words(load("one"), 5):
        n, k = fmpq(len(word) + 1), word.count("1")
        parity, first, one = (run(load(name), word) for name in ("parity", "first", "one"))
        assert list(parity.streams[2][0].values()) == [0, 0, 1, 0, 1, k / n, 1 / n, int(k == 0) / n, parity.logit]
        assert list(first.streams[2][0].values()) == [0, 0, 1, 0, 0, first.logit]
        assert list(one.streams[1][0].values()) == [0, 0, 1, 0, k / n, 1 / n, one.logit]
        for i, vector in enumerate(parity.streams[1]):
            assert vector["[i=k]/n"] == int(i == k) / n
            assert (vector["i/n"], vector["cos(i*pi)"]) == (i / n, (-1) ** i)
        for i, vector in enumerate(first.streams[1]):
            assert vector["[w=1 and i=1]"] == int(i == 1 and word[0] == "1")


def test_the_claimed_logits_that_are_wrong() -> None:
    """All claimed logits are those of the network on every word of their case, but for those that are expected to be
    refuted, as the cosh of appendix A, and those that the weights for PALINDROME as printed are said to have."""
    wrong, refuted = set(), set()
    for name in BUILT_IN:
        construction = load(name)
        alphabet = construction.language.alphabet
        forms = (theorem for theorem in theorems_of(name) if isinstance(theorem, ClosedForm))
        for theorem in (theorem for theorem in forms if isinstance(theorem.stated.of, Logit)):
            claim, names = theorem.stated, parameter_values(construction)
            if theorem.expected == "refuted":
                refuted.add(f"{name}: {theorem.name}")
            marked = {word: add_markers(encoder(name), word) for word in words(construction, 5)}
            case = {word: tokens for word, tokens in marked.items() if holds(claim.when, names, tokens, alphabet)}
            assert case
            for word, tokens in case.items():
                if sign(value_on(claim.equals, names, tokens, alphabet) - run(construction, word).logit) != 0:
                    wrong.add(f"{name}: {theorem.name}")
    printed = {f"palindrome-as-printed: logit, {place}" for place in ("section 3.2.3", "appendix A")}
    assert wrong == refuted >= {"parity: logit, appendix A, n odd, k odd"} | printed
