"""Random Turing machines of two to four states, and random recurrent networks with rational weights."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from weightproof.constructions.machines.rnn import BEGIN, END, RNN
from weightproof.constructions.machines.turing import Transition, TuringMachine
from weightproof.constructions.meaning.schema import Embedding, Linear

TAPES = (" 0", "_01", "0123")
"""The blank first."""


@st.composite
def machines(draw: st.DrawFn) -> TuringMachine:
    """Of three instructions out of four, so that most machines halt somewhere."""
    symbols = draw(st.sampled_from(TAPES))
    states = [f"q{number}" for number in range(draw(st.integers(2, 4)))]
    instructions = st.builds(Transition, st.sampled_from(symbols), st.sampled_from(("L", "R")), st.sampled_from(states))
    table = {
        state: {symbol: draw(instructions) for symbol in symbols if draw(st.integers(1, 4)) > 1} for state in states
    }
    return TuringMachine("random", symbols[0], states[0], table, example=symbols[1:])


@st.composite
def networks(draw: st.DrawFn) -> RNN:
    """Of one to three units and inputs; the markers embed as 0, most often."""
    alphabet = draw(st.sampled_from((("0", "1"), ("a",), ("a", "b", "c"))))
    units = tuple(f"h{number}" for number in range(1, draw(st.integers(1, 3)) + 1))
    inputs = tuple(f"x{number}" for number in range(1, draw(st.integers(1, 3)) + 1))
    weights = st.one_of(st.sampled_from((0, 0, 1, -1)), st.fractions(Fraction(-3), Fraction(3), max_denominator=12))

    def rows(names: tuple[str, ...], columns: tuple[str, ...]) -> dict[str, dict[str, Fraction | int]]:
        return {name: {column: draw(weights) for column in columns} for name in names}

    marked = draw(st.sampled_from(((), (), (BEGIN,), (BEGIN, END))))
    return RNN(
        name="random",
        alphabet=alphabet,
        units=units,
        inputs=inputs,
        embedding=Embedding(WE=rows((*alphabet, *marked), inputs)),
        W_h=Linear(rows(units, units)),
        W_x=Linear(rows(units, inputs), bias={unit: draw(weights) for unit in units}),
    )
