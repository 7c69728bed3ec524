"""Every theorem about a network that stands apart is proved or refuted as it says, the manifest has it, and weights
that are changed are refuted with a word: `pytest -m proofs`."""

from __future__ import annotations

import itertools

import pytest

from tests.support.printed import section_of, told
from weightproof.constructions.library import apart, load
from weightproof.constructions.meaning.running import run
from weightproof.constructions.transforms.by_name import transformed
from weightproof.manifest.constructions import of_construction
from weightproof.manifest.pages import name_of
from weightproof.proofs.deadline import PATIENT
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import apart_by_file, most_positions, said_scope
from weightproof.proofs.verdict import Proved, Refuted

pytestmark = pytest.mark.proofs
STATED = {name: (file, *each) for file, found in apart_by_file().items() for name, each in found.items()}


def test_each_of_them_has_theorems() -> None:
    assert tuple(STATED) == apart()


@pytest.mark.parametrize("name", STATED)
def test_each_verdict_is_the_expected_one_and_the_manifest_has_it(name: str) -> None:
    file, construction, theorems = STATED[name]
    results = list(prove(construction, theorems, timeout=PATIENT))
    for theorem, result in zip(theorems, results, strict=True):
        assert result.verdict.name == theorem.expected, result.verdict
        if isinstance(result.verdict, Proved):
            assert result.verdict.scope == said_scope(theorem)
    written = of_construction(construction, results, theorems)
    if (difference := told(section_of(name, name_of(file)), written)) is not None:
        pytest.fail(difference, pytrace=False)


CHANGED: dict[str, tuple[str, str]] = {
    "no correction where there is no 1": ("parity-uniform", "layer=3,head=2,part=W_V,row=s,column=[i=1],to=0"),
    "a position weighs as the first one does": ("parity-uniform", "layer=2,head=1,part=W_Q,row=q,column=log(i),to=0"),
    "the position behind": ("parity-uniform-hard", "layer=1,head=1,part=W_V,row=1/n,column=[w=CLS],to=2"),
    "another symbol is counted": ("parity-uniform-hard", "layer=2,head=1,part=W_V,row=s,column=(-1)^i,to=1"),
    "a 1 that looks at all positions": ("parity-causal", "layer=1,head=1,part=W_Q,row=q,column=[w=1],to=0"),
    "a score that is flat": ("parity-causal", "layer=3,head=1,part=W_Q,row=i^2,column=1/Z,to=0"),
    "a last 0 as far as a first 1": ("ordered", "layer=1,head=1,part=W_K,row=n^2,column=x,to=1"),
    "positions that do not count": ("ordered", "layer=1,head=2,part=W_K,row=n,column=i,to=0"),
    "a fraction with another numerator": ("parity-2-heads", "layer=1,head=1,part=W_V,row=Z0,column=[w=0],to=2"),
    "a 1 that one head does not find": ("parity-2-heads", "layer=1,head=2,part=W_V,row=Z1,column=[w=1],to=0"),
}


@pytest.mark.parametrize("mistake", CHANGED)
def test_a_changed_weight_is_refuted_with_a_word(mistake: str) -> None:
    name, change = CHANGED[mistake]
    changed = transformed(load(name), (f"set-weight:{change}",))
    theorem = STATED[name][2][0]
    [result] = prove(changed, [theorem], timeout=60)
    assert isinstance(result.verdict, Refuted)
    assert most_positions(theorem) is None or len(result.verdict.counterexample.word) <= (most_positions(theorem) or 0)


RIGHT = {
    "parity-uniform": range(1, 7),
    "parity-uniform-hard": range(7),
    "parity-uniform-scaled": range(5),
    "parity-causal": range(7),
    "ordered": range(1, 7),
    "ordered-as-printed": range(1, 2),
    "ordered-exchanged": range(3, 7),
    "parity-2-heads": range(2, 3),
    "parity-3-heads": range(3, 4),
}
"""How many symbols the words have on which each is to be right."""
WRONG = {
    "ordered-as-printed": ("00", "01", "11", "000", "111"),
    "ordered-exchanged": ("00", "01", "11"),
    "parity-2-heads": ("1",),
    "parity-3-heads": ("01",),
}


def agrees(name: str, word: str) -> bool:
    construction = load(name)
    return run(construction, word).accepts is construction.language.member(word)


@pytest.mark.parametrize("name", STATED)
def test_the_interpreter_decides_so_word_by_word(name: str) -> None:
    every = ["".join(word) for length in RIGHT[name] for word in itertools.product("01", repeat=length)]
    assert [word for word in every if not agrees(name, word)] == []
    assert [word for word in WRONG.get(name, ()) if agrees(name, word)] == []
