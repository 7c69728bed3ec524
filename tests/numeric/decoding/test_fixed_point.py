"""Decoders in numbers of s bits: PyTorch and the interpreter agree to the bit, and circuits are computed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest
import torch
from flint import fmpq
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from tests.numeric.decoding.fixed_point import FixedPointDecoder
from tests.numeric.decoding.fixed_point_numbers import Numbers
from tests.numeric.decoding.random_decoders import ANY, ANYTHING, OUTER, decoders, row
from weightproof.constructions.circuits.circuit import ALPHABET, Circuit, Gate, conjunction, inputs_of, negation, values
from weightproof.constructions.circuits.family import every_circuit
from weightproof.constructions.circuits.regular import accepts, automaton_of, circuit_of
from weightproof.constructions.fraknoi2024 import circuit_by_decoder as circuits
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.running import generate
from weightproof.constructions.meaning.schema import Decoder, Embedding, Head, Layer, LayerNorm, Linear, Readout
from weightproof.constructions.scalars.exact import exp
from weightproof.constructions.scalars.expressions import entries
from weightproof.constructions.scalars.fixed_point import Fixed, FixedPoint, rounded

LONGEST = 6
"""Tokens that are compared of those that are appended; some decoders never stop."""
FORMATS = [FixedPoint(*format) for format in ((2, 0), (3, 0), (3, 2), (4, 1), (6, 3), (8, 7), (13, 6), (31, 20))]
NORMS = ("attention_norm", "feed_forward_norm", "attention_norm_before", "feed_forward_norm_before")
formats = st.builds(
    lambda bits, fraction: FixedPoint(bits, fraction % bits), st.integers(2, 31), st.integers(0, 30)
) | st.sampled_from(FORMATS)


@st.composite
def rounding(draw: st.DrawFn) -> Construction:
    """A decoder of the whole schema but for norms, in a format, with a table of positions or without one."""
    construction = draw(decoders(ANY))
    network = construction.network
    assert isinstance(network, Decoder)
    layers = tuple(
        replace(
            layer,
            **dict.fromkeys(NORMS),
            heads=tuple(replace(head, query_norm=None, key_norm=None) for head in layer.heads),
        )
        for layer in network.layers
    )
    table = draw(st.none() | st.lists(row(OUTER, (*ANY, "sqrt(2)", "exp(3)")), max_size=5))
    return replace(
        construction, network=replace(network, layers=layers, table=table, arithmetic=draw(formats), final_norm=None)
    )


def of(construction: Construction) -> FixedPointDecoder:
    assert isinstance(construction.network, Decoder)
    return FixedPointDecoder(construction.network, construction.language.alphabet)


Rows = list[tuple[str, list[int]]]


def exactly(construction: Construction, word: str) -> Rows | str:
    """Tokens and numerators, or the position at which there is no value."""
    try:
        return [
            (produced.token, [int((x.value if isinstance(x, Fixed) else x) * scale) for x in produced.outputs.values()])
            for scale in [2**construction.network.arithmetic.fraction]  # type: ignore[union-attr]
            for produced in itertools.islice(generate(construction, word), LONGEST)
        ]
    except NoValue as error:
        return str(error).split(",")[0]


def in_torch(construction: Construction, word: str) -> Rows | str:
    try:
        return [
            (produced.tokens[0], produced.logits[0].tolist())
            for produced in itertools.islice(of(construction).generate([word]), LONGEST)
        ]
    except InputError as error:
        return str(error).split(",")[0]


@pytest.mark.controls
@settings(max_examples=300, phases=[Phase.generate], deadline=None)
@given(rounding(), st.text(("0", "1"), max_size=4))
def test_the_interpreter_and_torch_agree_to_the_bit(construction: Construction, word: str) -> None:
    network = construction.network
    assert isinstance(network, Decoder)
    assume(word or network.begin)
    assert in_torch(construction, word) == exactly(construction, word)


@pytest.mark.controls
@settings(max_examples=60, phases=[Phase.generate], deadline=None)
@given(rounding(), st.integers(1, 3))
def test_a_batch_is_its_words(construction: Construction, length: int) -> None:
    words = ["".join(word) for word in itertools.product("01", repeat=length)]
    alone = [in_torch(construction, word) for word in words]
    assume(not any(isinstance(rows, str) for rows in alone))
    stop = construction.network.stop  # type: ignore[union-attr]
    for number, produced in enumerate(itertools.islice(of(construction).generate(words), LONGEST)):
        for rows, token, logits in zip(alone, produced.tokens, produced.logits.tolist(), strict=True):
            assert (token, logits) == rows[number] if number < len(rows) else token == stop


@pytest.mark.parametrize("format", FORMATS, ids=str)
@given(data=st.data())
def test_operations_are_those_of_the_format(format: FixedPoint, data: st.DataObject) -> None:
    numbers, drawn = Numbers(format), st.integers(-(2 ** (format.bits - 1)) + 1, 2 ** (format.bits - 1) - 1)
    terms = data.draw(st.lists(drawn, min_size=1, max_size=9))
    fixed = [rounded(fmpq(x, 2**format.fraction), format) for x in terms]
    assert int(numbers.total(torch.tensor([terms]))) == functools.reduce(lambda a, b: a + b, fixed).numerator
    x, y = terms[0], terms[-1]
    assert int(numbers.product(torch.tensor(x), torch.tensor(y))) == (fixed[0] * fixed[-1]).numerator
    if y:
        quotient = numbers.quotient(torch.tensor(abs(x)), torch.tensor(abs(y)))
        assert int(quotient) == abs((fixed[0] / fixed[-1]).numerator)
    assert numbers.exponential(torch.tensor(terms)).tolist() == [number.exp().numerator for number in fixed]
    exact = fmpq(data.draw(st.integers(-99, 99)), data.draw(st.integers(1, 99)))
    for constant in (exact, exp(exact), -exp(exact)):
        assert numbers.constant(constant) == rounded(constant, format).numerator


def random_circuit(random: Random, inputs: int, gates: int) -> Circuit:
    made: list[Gate] = []
    for wires in range(inputs, inputs + gates):
        a, b = (random.randint(1, wires) for _ in range(2))
        made.append(random.choice((negation(a), conjunction(a, b))))
    return Circuit("random", inputs, tuple(made))


def appended_by(circuit: Circuit, network: Decoder, words: Sequence[str]) -> list[list[str]]:
    """What each word gets appended."""
    rows = [produced.tokens for produced in FixedPointDecoder(network, ALPHABET).generate(words)]
    return [list(column) for column in zip(*rows, strict=True)]


def gates_of(circuit: Circuit, words: Sequence[str]) -> list[list[str]]:
    return [["01"[value] for value in values(circuit, word)[circuit.inputs :]] for word in words]


@pytest.mark.parametrize("format", [circuits.FEWEST_BITS, FixedPoint(4, 0), FixedPoint(9, 4)], ids=str)
def test_random_circuits_are_computed(format: FixedPoint) -> None:
    random = Random(5)
    for inputs, gates in ((1, 1), (2, 9), (5, 40), (7, 90)):
        circuit = random_circuit(random, inputs, gates)
        words = ["".join(random.choices("01", k=inputs)) for _ in range(20)]
        network = circuits.circuit_by_decoder(circuit, format).network
        assert appended_by(circuit, network, words) == gates_of(circuit, words)


@pytest.mark.parametrize("format", [FixedPoint(2, 0), FixedPoint(3, 2), FixedPoint(5, 4), FixedPoint(8, 6)], ids=str)
def test_where_a_format_is_too_small_both_are_wrong_alike(format: FixedPoint) -> None:
    random, wrong = Random(3), 0
    for _ in range(12):
        circuit = random_circuit(random, 3, 6)
        network = circuits.circuit_by_decoder(circuit, format).network
        for word in inputs_of(circuit):
            found: object
            try:
                found = appended_by(circuit, network, [word])[0]
            except InputError as error:
                found = str(error).split(",")[0]
            try:
                wanted: object = [produced.token for produced in appended(network, word, {})]
            except NoValue as error:
                wanted = str(error).split(",")[0]
            assert found == wanted
            wrong += found != gates_of(circuit, [word])[0]
    assert wrong


def test_as_printed_there_is_no_value_and_the_position_is_named() -> None:
    circuit = Circuit("not", 2, (negation(2), negation(1)))
    network = circuits.as_printed(circuit).network
    with pytest.raises(InputError, match=r"^position \d+, layer \d, word 0: a quotient by 0 has no value$"):
        appended_by(circuit, network, ["01", "11"])


@pytest.mark.parametrize("regex", ["(0|1)*11", "0*(10*10*)*", "(00|11)*"])
def test_the_last_token_tells_whether_a_word_is_in_a_regular_language(regex: str) -> None:
    """Corollary 3.5."""
    automaton = automaton_of(regex)
    for n in range(1, 6):
        circuit, words = circuit_of(automaton, n), list(map("".join, itertools.product("01", repeat=n)))
        found = appended_by(circuit, circuits.circuit_by_decoder(circuit).network, words)
        assert [tokens[-1] for tokens in found] == ["01"[accepts(automaton, word)] for word in words]


def table_rows(
    circuit: Circuit, made: dict[tuple[int, Gate | None], torch.Tensor], model: FixedPointDecoder
) -> Iterator[torch.Tensor]:
    family, inputs = circuits.circuit_by_decoder, circuit.inputs
    for number in range(1, circuit.wires):
        key = (number, None if number < inputs else circuit.gates[number - inputs])
        if key not in made:
            made[key] = model.row(entries(family.row(family.layout_of(circuit), *key)))
        yield made[key]


def differing(inputs: int, gates: int, harm: float = 0) -> tuple[int, int]:
    """How many circuits there are, and how many of them are not computed on some input, all of them at once; harm: what
    is added to a weight."""
    chosen = list(every_circuit(inputs, gates))
    model = FixedPointDecoder(circuits.circuit_by_decoder(chosen[0]).network, ALPHABET)
    made: dict[tuple[int, Gate | None], torch.Tensor] = {}
    tables = torch.stack([torch.stack([*table_rows(circuit, made, model)]) for circuit in chosen])
    kinds = torch.tensor([[gate.kind == "AND" for gate in circuit.gates] for circuit in chosen])
    read = torch.tensor([[[gate.a - 1, gate.b - 1] for gate in circuit.gates] for circuit in chosen])
    model.unembed.b[0] += harm
    wrong = torch.zeros(len(chosen), dtype=torch.bool)
    for word in inputs_of(chosen[0]):
        carried = torch.tensor([symbol == "1" for symbol in word]).expand(len(chosen), -1)
        for number, produced in enumerate(model.generate([word] * len(chosen), tables)):
            a, b = (carried.gather(1, read[:, number, which, None])[:, 0] for which in (0, 1))
            wanted = torch.where(kinds[:, number], a & b, ~a)
            carried = torch.cat([carried, wanted[:, None]], 1)
            wrong |= (produced.logits.argmax(1) == 1) != wanted
    return len(chosen), int(wrong.sum())


@pytest.mark.controls
def test_all_circuits_of_up_to_four_gates_over_three_inputs_on_all_inputs() -> None:
    assert [differing(3, gates) for gates in range(1, 5)] == [(9, 0), (126, 0), (2520, 0), (68040, 0)]
    assert differing(3, 2, harm=2)[1] > 0


def test_a_changed_weight_is_noticed() -> None:
    """Every nonzero weight, negated: some row of logits changes, or there is none. A bit of a number in the table of
    positions may lead to another wire that has the same value."""
    circuit = random_circuit(Random(1), 3, 28)
    network = circuits.circuit_by_decoder(circuit, FixedPoint(6, 2)).network
    words = list(inputs_of(circuit))

    def logits(model: FixedPointDecoder) -> list[list[list[int]]]:
        return [produced.logits.tolist() for produced in model.generate(words)]

    wanted = logits(FixedPointDecoder(network, ALPHABET))
    kept = []
    for name, parameter in FixedPointDecoder(network, ALPHABET).named_parameters():
        if name == "W_pos":
            continue
        for place in parameter.nonzero().tolist():
            model = FixedPointDecoder(network, ALPHABET)
            model.get_parameter(name)[tuple(place)] *= -1
            try:
                if logits(model) == wanted:
                    kept.append((name, place))
            except InputError:
                continue
    assert kept == []


def dot(score: str, normaliser: str, scale: str = "1") -> Construction:
    head = Head(
        W_V={"y": {"x": 1}}, W_Q={"q": {"x": 1}}, W_K={"q": {"x": 1}}, score=score, normaliser=normaliser, scale=scale,
        mask="causal",
    )  # type: ignore[arg-type]  # fmt: skip
    network = Decoder(
        ("x", "y"), Embedding({"0": {"x": 1}, "1": {"x": 3}}), (Layer((head,)),),
        Readout(Linear({"0": {"x": 1}, "1": {"y": 1}}), "last", "argmax"), arithmetic=FixedPoint(5, 2),
    )  # fmt: skip
    return Construction("dot", "dot", "none", ANYTHING, network)


@pytest.mark.parametrize("normaliser", ["softmax", "hardmax"])
@pytest.mark.parametrize("score", ["dot", "-|dot|"])
@pytest.mark.parametrize("scale", ["1", "1/n", "-1/sqrt(d)"])
def test_heads_by_hand(score: str, normaliser: str, scale: str) -> None:
    """A product that saturates, whose absolute value is still what it was."""
    for word in ("0", "1", "01", "110", "0111"):
        assert in_torch(dot(score, normaliser, scale), word) == exactly(dot(score, normaliser, scale), word)


def test_minus_the_absolute_value_of_the_greatest_number_is_the_least() -> None:
    """3 * 3 saturates at 15/4, and so does its double; the key of the 0 is nearer to 0 than that of the 1."""
    [(_, logits), *_] = exactly(dot("-|dot|", "hardmax"), "01")
    assert logits == [12, 4]


def test_what_cannot_be_run_is_refused() -> None:
    network = dot("dot", "softmax").network
    assert isinstance(network, Decoder)
    normed = replace(network, layers=(Layer(attention_norm=LayerNorm(1)),))
    for changed, says in (
        (replace(network, arithmetic=None), "exact numbers"),
        (replace(network, arithmetic=FixedPoint(32, 3)), "at most 31 bits"),
        (normed, "layer normalisation"),
    ):
        with pytest.raises(InputError, match=says):
            FixedPointDecoder(changed, ("0", "1"))
    model = FixedPointDecoder(network, ("0", "1"))
    for words, says in (([""], "no position"), (["0", "11"], "of one length"), (["2"], "not in the alphabet")):
        with pytest.raises(InputError, match=says):
            next(model.generate(words))
    with pytest.raises(InputError, match="give one for each"):
        next(model.generate(["0"], torch.zeros((2, 3, 2), dtype=torch.int64)))
