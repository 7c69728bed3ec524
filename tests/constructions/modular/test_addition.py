"""Networks that add modulo p, run exactly on all residues; and what is refused."""

from __future__ import annotations

from dataclasses import replace
from math import gcd

import pytest

from weightproof.constructions.fraknoi2024.modular_addition import any_frequency, modular_addition, uncorrected
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.meaning.running import predicted
from weightproof.constructions.meaning.schema import Embedding, Readout
from weightproof.constructions.modular.addition import Adder, Modulus, added
from weightproof.constructions.modular.family import all_frequencies, every_modulus, modulus
from weightproof.constructions.scalars.exact import sign


def sums(adder: Adder) -> dict[tuple[int, int], tuple[str, bool]]:
    """The argmax of all pairs, and whether it is alone."""
    p = int(adder.modulus.p)
    found = {}
    for a in range(p):
        for b in range(p):
            made = predicted(adder.name, adder.network, (str(a), str(b)))
            found[a, b] = made.token, made.decided
    return found


def right(p: int) -> dict[tuple[int, int], tuple[str, bool]]:
    return {(a, b): (str((a + b) % p), True) for a in range(p) for b in range(p)}


@pytest.mark.parametrize(("p", "k"), [(p, k) for p in range(2, 8) for k in range(1, p) if gcd(k, p) == 1])
def test_every_sum_is_the_argmax(p: int, k: int) -> None:
    assert sums(modular_addition(modulus(p, (k,)))) == right(p)


@pytest.mark.parametrize("p", [2, 3, 4, 6])
def test_with_all_frequencies_too(p: int) -> None:
    adder = modular_addition(modulus(p, all_frequencies(p)))
    assert sums(adder) == right(p)
    made = predicted(adder.name, adder.network, ("1", "1"))
    assert {row: sign(x + 2) for row, x in made.outputs.items() if row != str(2 % p)} == {
        str(c): 0 for c in range(p) if c != 2 % p
    }
    assert made.outputs[str(2 % p)] == 2 * (p - 1)


@pytest.mark.parametrize("p", range(2, 8))
def test_without_the_correction_all_outputs_tie_where_p_is_even_and_a_is_opposite_to_b(p: int) -> None:
    found = sums(uncorrected(modulus(p, (1,))))
    wrong = {pair for pair, (token, alone) in found.items() if (token, alone) != right(p)[pair]}
    assert wrong == {(a, b) for a in range(p) for b in range(p) if 2 * (a - b) % (2 * p) == p}


def test_the_modulus_of_the_source_is_quick() -> None:
    adder = modular_addition(modulus(113, (17,)))
    made = predicted(adder.name, adder.network, ("100", "14"))
    assert (made.token, made.decided) == ("1", True)
    assert made.outputs["1"] == 2


def test_a_frequency_that_is_not_coprime_ties() -> None:
    adder = any_frequency(modulus(6, (4,)))
    for a, b in ((0, 0), (1, 2), (5, 5)):
        outputs = predicted(adder.name, adder.network, (str(a), str(b))).outputs
        assert all(sign(outputs[str(c)] - outputs[str(c + 3)]) == 0 for c in range(3))


@pytest.mark.parametrize(
    ("p", "frequencies", "says"),
    [
        (6, (3,), "frequency 3 is not coprime to 6: the outputs 0 and 2 always tie"),
        (4, (2,), "frequency 2 is not coprime to 4: the outputs 0 and 2 always tie"),
        (6, (2, 4), "frequencies 2, 4 have the divisor 2 in common with 6: the outputs 0 and 3 always tie"),
        (2, (2,), "frequency 2 is not coprime to 2: the outputs 0 and 1 always tie"),
    ],
)
def test_frequencies_that_tie_are_refused(p: int, frequencies: tuple[int, ...], says: str) -> None:
    for family in (modular_addition, uncorrected):
        with pytest.raises(InputError, match=says) as error:
            family(modulus(p, frequencies))
        assert "\n" not in str(error.value)
    tokens = says.split("outputs ")[1].split(" always")[0].split(" and ")
    adder = any_frequency(modulus(p, frequencies))
    for a in range(p):
        outputs = predicted(adder.name, adder.network, (str(a), "0")).outputs
        assert sign(outputs[tokens[0]] - outputs[tokens[1]]) == 0


def test_frequencies_that_tie_alone_do_not_tie_together() -> None:
    assert sums(modular_addition(modulus(6, (2, 3)))) == right(6)


@pytest.mark.parametrize(
    ("p", "frequencies", "says"),
    [
        (1, (1,), "the modulus p = 1"),
        (5, (0,), "the frequency k = 0"),
        (5, (), "none: give one or more"),
        (5, (2, 2), "2, 2: give one or more, each once"),
    ],
)
def test_what_is_no_modulus_is_refused(p: int, frequencies: tuple[int, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        modulus(p, frequencies)


@pytest.mark.parametrize("residues", [(1, 1), (5,), (-1, 2)])
def test_residues_are_numbers_below_the_modulus_each_once(residues: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"give some from 0 to 4, each once"):
        modulus(5, (1,), residues)


def test_words_are_two_residues() -> None:
    adder = modular_addition(modulus(5, (1,)))
    assert adder.read(" 3  4 ") == ("3", "4")
    assert added(adder.modulus, ("3", "4")) == "2"
    for word, says in (("3", "not two residues"), ("3 5", "'5' is no residue modulo 5"), ("1 2 3", "not two")):
        with pytest.raises(InputError, match=says):
            adder.read(word)


def test_names_stand_for_numbers() -> None:
    named = every_modulus()
    adder = modular_addition(named)
    assert set(named.names) == {"p", "k", "a", "b", "c"}
    assert adder.network.embedding.WE["a"]["cos k"].source == "cos(2*pi*k*a/p)"


def test_an_adder_reads_the_argmax() -> None:
    adder = modular_addition(modulus(3, (1,)))
    readout = Readout(adder.network.readout.W, "last", "logit > 0")
    with pytest.raises(ConstructionError):
        replace(adder, network=replace(adder.network, readout=readout))
    embedding = Embedding({**adder.network.embedding.WE, "<": {}})
    with pytest.raises(ConstructionError, match="two residues stand before"):
        replace(adder, network=replace(adder.network, begin="<", embedding=embedding))


def test_a_part_of_a_network_has_the_outputs_that_it_knows() -> None:
    whole = modular_addition(modulus(7, (2,)))
    part = modular_addition(Modulus(7, (2,), (3, 5, 1)))
    outputs = predicted(whole.name, whole.network, ("3", "5")).outputs
    assert predicted(part.name, part.network, ("3", "5")).outputs == {c: outputs[c] for c in ("3", "5", "1")}
