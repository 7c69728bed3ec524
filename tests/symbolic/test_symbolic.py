"""The closed form is the forward pass: held against the exact interpreter on every short word and on random long ones,
vector by vector, and against sums taken by hand at lengths that no interpreter reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.derived import NAMES, construction_of, derivation_of, vector_of
from tests.support.suites import CLOSED_FORMS
from weightproof.constructions.library import BUILT_IN
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder, Head, Linear
from weightproof.constructions.scalars.exact import Real
from weightproof.symbolic.derivation import Derivation
from weightproof.symbolic.evaluate import evaluate_logit, specialised_logit
from weightproof.symbolic.forward import derive

OTHERWISE = {"c": "1", "D": "1"}
"""A second value for every parameter: e^1 keeps the exact reals irrational."""


def network(of: Construction) -> Encoder:
    assert isinstance(of.network, Encoder)
    return of.network


def words(alphabet: Sequence[str], longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        yield from map("".join, product(alphabet, repeat=length))


def second(of: Construction) -> dict[str, str]:
    return {parameter.name: OTHERWISE[parameter.name] for parameter in of.parameters}


def disagreement(derived: Derivation, word: str, parameters: Mapping[str, object] | None = None) -> Real:
    """Derived minus exact logit."""
    of = derived.construction
    values = parameter_values(of, parameters)
    return evaluate_logit(derived, add_markers(network(of), word), values) - run(of, word, parameters).logit


@pytest.mark.parametrize("shorter", [True, pytest.param(False, marks=pytest.mark.controls)])
@pytest.mark.parametrize("name", NAMES)
def test_the_closed_form_is_the_logit_of_every_short_word(name: str, shorter: bool) -> None:
    alphabet = construction_of(name).language.alphabet
    few, many = CLOSED_FORMS[len(alphabet)]
    for word in words(alphabet, few if shorter else many):
        assert disagreement(derivation_of(name), word) == 0, word


@pytest.mark.parametrize("name", [name for name in NAMES if construction_of(name).parameters])
def test_the_closed_form_is_the_logit_at_other_parameters(name: str) -> None:
    for word in words(construction_of(name).language.alphabet, 6):
        assert disagreement(derivation_of(name), word, second(construction_of(name))) == 0, word


@pytest.mark.parametrize("name", NAMES)
def test_with_open_real_parameters_the_closed_form_specialises_to_the_logit(name: str) -> None:
    """As a function of u_c = e^c alone, which is 2 at c = log(2)."""
    of, derived = construction_of(name), derivation_of(name)
    units = [derived.vocabulary.unit(real) for real in derived.vocabulary.real]
    naturals = {key: value for key, value in parameter_values(of).items() if key in derived.vocabulary.natural}
    for word in words(of.language.alphabet, 4):
        logit = specialised_logit(derived, add_markers(network(of), word), naturals)
        assert logit.free_symbols <= set(units)
        value = logit.subs(dict.fromkeys(units, 2))
        assert fmpq(int(value.p), int(value.q)) == run(of, word).logit, word


@pytest.mark.parametrize("name", NAMES)
def test_every_derived_vector_is_the_vector_of_the_interpreter(name: str) -> None:
    """After every layer, at every position that the readout sees, coordinate by coordinate."""
    of, derived = construction_of(name), derivation_of(name)
    for word in words(of.language.alphabet, 4):
        exact, compared = run(of, word), 0
        for layer, vectors in enumerate(exact.streams):
            for place, wanted in enumerate(vectors):
                got = vector_of(derived, layer, place, exact.tokens, parameter_values(of))
                if got is not None:
                    assert wanted == {coordinate: got.get(coordinate, fmpq(0)) for coordinate in wanted}, (word, place)
                    compared += 1
        assert compared > len(exact.tokens) * (len(exact.streams) - 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_closed_form_is_the_logit_of_random_long_words(name: str) -> None:
    of, derived = construction_of(name), derivation_of(name)
    real = st.integers(1, 30).flatmap(lambda q: st.integers(q + 1, 40 * q).map(lambda p: f"log({Fraction(p, q)})"))
    kinds = {"real": real, "natural": st.integers(0, 12)}

    @settings(max_examples=12)
    @given(
        st.text(st.sampled_from(of.language.alphabet), min_size=11, max_size=40),
        st.fixed_dictionaries({parameter.name: kinds[parameter.kind] for parameter in of.parameters}),
    )
    def compare(word: str, parameters: dict[str, object]) -> None:
        assert disagreement(derived, word, parameters) == 0

    compare()


def with_one_value_tripled(of: Construction) -> Construction:
    """The last head's first value weight times 3."""
    before = network(of)
    *layers, last = before.layers
    while not last.heads:
        *layers, last = layers
    head = last.heads[-1]
    (row, columns), *others = head.W_V.items()
    (column, weight), *rest = columns.items()
    W_V = {row: {column: f"3*({weight})", **dict(rest)}, **dict(others)}
    changed = Head(W_V, head.W_Q, head.W_K, head.W_O, scale=head.scale, mask=head.mask)
    tail = before.layers[len(layers) + 1 :]
    new = (*layers, replace(last, heads=(*last.heads[:-1], changed)), *tail)
    return replace(of, network=replace(before, layers=new))


def with_readout_bias(of: Construction) -> Construction:
    before = network(of)
    W = Linear(before.readout.W.weights, {"logit": "1/1000"})
    return replace(of, network=replace(before, readout=replace(before.readout, W=W)))


@pytest.mark.parametrize("change", [with_one_value_tripled, with_readout_bias], ids=lambda change: change.__name__)
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_changed_weight_changes_the_closed_form(name: str, change: Callable[[Construction], Construction]) -> None:
    """The old closed form does not pass for the changed network, the new one does."""
    changed = change(construction_of(name))
    stale, fresh = replace(derivation_of(name), construction=changed), derive(changed)
    assert any(disagreement(stale, word) != 0 for word in words("01", 4))
    assert all(disagreement(fresh, word) == 0 for word in words("01", 5))
