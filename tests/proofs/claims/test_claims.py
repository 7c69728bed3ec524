"""Claims are judged by what is derived: what is right is true, what is wrong is false, with a place where it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.changes import changes
from tests.support.places import ROOT, TESTS
from tests.support.replays import breaks
from weightproof.cli import main
from weightproof.constructions.claims.circuits import Circuital
from weightproof.constructions.claims.formulas import Formulaic
from weightproof.constructions.claims.problems import check_claims
from weightproof.constructions.claims.published import Claims, Convention, Published, Reading, Slip, Under, slips
from weightproof.constructions.claims.statement import Topic, with_fields
from weightproof.constructions.claims.statements import (
    Accepts,
    Attention,
    Compares,
    Count,
    Logit,
    Matrix,
    OfNetwork,
    Order,
    Prefers,
    Projected,
    Rows,
    Shape,
    Stack,
    Statement,
    Stream,
    Value,
    Vector,
    Weights,
    Writes,
    matrix,
    relu,
    zeros,
)
from weightproof.constructions.claims.stepwise import Blocks, OfEvery, of_every
from weightproof.constructions.library import load, load_claims, load_file
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.meaning.inputs import ConstructionError
from weightproof.proofs.claims.judging import ALONE, OF_NETWORKS, Judgement, judge_claims, judge_statement
from weightproof.proofs.kernel.checked import Record
from weightproof.proofs.prove import proofs
from weightproof.proofs.quantities.outcome import Fails, Holds, Open
from weightproof.proofs.theorem import ClosedForm, Decides, theorems_of
from weightproof.proofs.verdict import Result, Unknown

EVEN, ODD = "n % 2 == 0", "n % 2 == 1"
K = "count('1')"
K_ODD = f"{K} % 2 == 1"
BOTH = "((n - 1)/2*exp(c) + (n + 1)/2*exp(-c))*((n + 1)/2*exp(c) + (n - 1)/2*exp(-c))"
CLOSED = "(count('1', i) - count('0', i))"
EXAMPLE = TESTS / "examples" / "more_b.py"


Combinations = tuple[tuple[Convention, ...], ...]
GOOD = Count("width", 7)


def judged(name: str, *senses: Reading | Statement, under: Combinations = ()) -> Judgement:
    claims = Claims(name, Published("claim", "here", "as stated", *senses, under=under))
    [judgement] = judge_claims(load(name), claims, theorems_of(name))
    return judgement


NOISY, SQUARES = "noisy-majority-as-printed", ("N**2", "N**2", "0")
THRESHOLD = "(exp(1)*(N+1)+N)/(1+exp(1))"
RIGHT: list[tuple[str, str, Statement]] = [
    ("sinh", "parity", Value(Logit(), f"(n + 1)*sinh(2*c)/(n*{BOTH})", f"{ODD} and {K_ODD}")),
    ("attention", "parity", Value(Attention(2, 1), "exp((-1)**(p + 1)*c)/(n/2*(exp(c) + exp(-c)))", EVEN)),
    ("key", "parity", Value(Projected("W_K", 2, 1, "q"), "(-1)**(i + 1)")),
    ("hidden", "one", Value(Stream("h1", 1, "activation"), relu(f"{K} - 2", "1/n"))),
    ("vector", "parity", Vector(0, "0", "0", "0", "i/n", "cos(pi*i)", stage="position")),
    ("matrix", "one", Matrix(Weights("W_V", 1, 1), *zeros(4, 4), "0 1 0 0", "0 0 1 0")),
    ("equal entry", "parity", Matrix(Weights("W_Q", 2, 1), "0 0 (c+c)*sqrt(d)/2 0 0")),
    ("absent head", "parity", Matrix(Weights("W_V", 1, 2))),
    ("embedding of all tokens", NOISY, Matrix(Weights("WE"), "0", "N", "N+1", "0", "1", *SQUARES)),
    ("one bias a token", NOISY, Matrix(Weights("b"), *"00000", f"-({THRESHOLD})-1", f"{THRESHOLD}+1", "-12*(N+1)")),
    ("shape", "parity", Shape(Weights("W_F2", 1), 8, 3)),
    ("shape of all embeddings", NOISY, Shape(Weights("WE"), 8, 1)),
    ("units", "one", Count("units", 4)),
    ("threshold", "first-one-layer", Compares(">", 0, "w[1] == '1'", "exp(c) > n - 1", only=True)),
    ("at a formula in n", "first", Value(Logit(), "n/(2*n - 1)*((w[1] == '1') - 1/2)", "n >= 2", at={"c": "log(n)"})),
    ("empty word", "first-one-layer", Value(Logit(), "-1/2", "n == 1")),
    ("by induction", "dyck1", Compares("==", "1/n", None, only=True)),
    ("tight", "first", Order("Theta", "1/n", "n >= 2")),
    ("least of a side", "palindrome", Order("Theta", "1/2**n", side="rejected", at={"c": "log(2)"})),
    ("more weight behind", "palindrome", Prefers(2, 1, "q < p and p < n")),
    ("more weight than nothing", "one", Prefers(1, 1, "p < n and q >= n")),
]
WRONG: list[tuple[str, str, Statement]] = [
    ("flipped sign", "parity", Value(Logit(), f"(-1)**{K}*2*tanh(c)/n**2", EVEN)),
    ("cosh for sinh", "parity", Value(Logit(), f"(n + 1)*cosh(2*c)/(n*{BOTH})", f"{ODD} and {K_ODD}")),
    ("off-by-one denominator", "one", Value(Logit(), f"(({K} == 1) - 1/2)/(n + 1)")),
    ("wrong case", "parity", Value(Logit(), f"(-1)**({K} + 1)*2*tanh(c)/n**2")),
    ("wrong convention", "dyck1", Value(Stream("k/i", 1, "attention"), f"{CLOSED}/i", "i >= 1")),
    ("wrong parameter", "first", Value(Logit(), "n/(2*n - 1)*((w[1] == '1') - 1/2)", "n >= 2", at={"c": "log(n + 1)"})),
    ("wrong position", "first", Value(Stream("[w=1 and i=1]", 1), "(w[i] == '1' and i == 2)")),
    ("wrong stage", "one", Vector(1, "0", "0", "1", "0", f"{K}/n", stage="attention", when="i == 0")),
    ("wrong hidden unit", "one", Value(Stream("h1", 1, "activation"), relu(f"{K} - 1", "1/n"))),
    ("wrong sign in a ReLU", "dyck1", Value(Stream("h", 2, "activation"), relu(f"1/(i + 1) - ({CLOSED} == 0)"))),
    ("wrong key", "parity", Value(Projected("W_K", 2, 1, "q"), "(-1)**i")),
    ("wrong attention", "parity", Value(Attention(2, 1), "exp((-1)**p*c)/(n/2*(exp(c) + exp(-c)))", EVEN)),
    ("swapped rows", "parity", Vector(0, "(w[i] == '1')", "(w[i] == '0')", "(i == 0)", "i/n", stage="embedding")),
    ("one row too many", "one", Vector(1, *["0"] * 8)),
    ("swapped entry", "one", Matrix(Weights("W_V", 1, 1), *zeros(4, 4), "1 0 0 0", "0 0 1 0")),
    ("entry left out", "one", Matrix(Weights("W_V", 1, 1))),
    ("one column too many", "one", Matrix(Weights("W_V", 1, 1), "0 0 0 0 0 0 0 0")),
    ("wrong bias", "one", Matrix(Weights("b_F1", 1), "1")),
    ("wrong embedding", "one", Matrix(Weights("WE", token="0"), *"0100")),
    ("embedding of one token more", NOISY, Matrix(Weights("WE"), "0", "N", "N", "N+1", "0", "1", *SQUARES)),
    ("embeddings exchanged", NOISY, Matrix(Weights("WE"), "0", "N+1", "N", "0", "1", *SQUARES)),
    ("token left out", NOISY, Matrix(Weights("WE"), "0", "N", "N+1", "0", "1", "N**2")),
    ("one bias more", NOISY, Matrix(Weights("b"), *"000000", f"-({THRESHOLD})-1", f"{THRESHOLD}+1", "-12*(N+1)")),
    ("wrong shape of all embeddings", NOISY, Shape(Weights("WE"), 9, 1)),
    ("wrong shape", "parity", Shape(Weights("W_F2", 1), 3, 8)),
    ("wrong rows", "dyck1", Shape(Rows(1), 7)),
    ("wrong width", "one", Count("width", 8)),
    ("wrong number of layers", "palindrome", Count("layers", 1)),
    ("wrong number of heads", "palindrome", Count("heads", 1, layer=2)),
    ("wrong positions", "palindrome", Count("positions", "m + 1")),
    ("wrong threshold", "first-one-layer", Compares(">", 0, "w[1] == '1'", "exp(c) > n - 2", only=True)),
    ("wrong words", "parity", Accepts("count('1') % 2 == 0")),
    ("wrong language", "first-one-layer", Accepts()),
    ("empty word", "parity", Compares("<", 0, "count('1') % 2 == 0", ODD)),
    ("not only", "first", Compares(">", 0, "w[1] == '1' and count('1') == 1", only=True)),
    ("wrong value", "dyck1", Compares("==", "1/(n - 1)", None, "n >= 2", only=True)),
    ("O too small", "first", Order("O", "1/n**2")),
    ("O too small for n even", "parity", Order("O", "1/n**3", EVEN)),
    ("o for O", "first", Order("o", "1/n")),
    ("not tight", "parity", Order("Theta", "1/n")),
    ("least of a side", "palindrome", Order("O", "1/4**n", side="rejected", at={"c": "log(2)"})),
    ("every word", "palindrome", Order("O", "1/2**n", at={"c": "log(2)"})),
    ("more weight in front", "palindrome", Prefers(2, 2, "q < p and p < n")),
    ("the same weight", "one", Prefers(1, 1, "q < p and p < n")),
    ("beyond the word", "palindrome", Prefers(2, 1, "q < p and p <= n")),
    ("by the other parity", "parity", Prefers(2, 2, "p % 2 == 1 and q % 2 == 0 and p < n")),
]


def test_what_the_kernel_has_checked_of_a_theorem_is_the_evidence_of_what_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = next(t.stated for t in theorems_of("one") if isinstance(t, ClosedForm))

    def evidence(said: Statement) -> str:
        outcome = judged("one", said).deciding.outcome
        assert isinstance(outcome, Holds)
        return outcome.evidence

    assert [evidence(said) for said in (Accepts(), printed)] == ["kernel", "kernel"]
    assert evidence(replace(printed, when=f"{K} == 1")) == "certificate"  # which no theorem says
    monkeypatch.setattr(Record, "read", lambda: Record("8.16.1", {}))
    assert [evidence(said) for said in (Accepts(), printed)] == ["certificate", "certificate"]


@pytest.mark.parametrize(("name", "statement"), [case[1:] for case in RIGHT], ids=[case[0] for case in RIGHT])
def test_what_is_right_is_true_for_all_lengths(name: str, statement: Statement) -> None:
    judgement = judged(name, statement)
    assert judgement.verdict == "true"
    assert isinstance(judgement.deciding.outcome, Holds)
    assert judgement.deciding.outcome.scope in ("all lengths", "the weights")
    assert judgement.difference is None


@pytest.mark.parametrize(("name", "statement"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_what_is_wrong_is_false_with_a_counterexample(name: str, statement: Statement) -> None:
    judgement = judged(name, statement)
    assert judgement.verdict == "false"
    assert judgement.difference is not None
    assert judgement.derived
    assert breaks(load(name), statement, judgement.difference)


def test_a_right_statement_is_not_broken_where_a_wrong_one_is() -> None:
    """The replay itself can fail."""
    wrong = judged("one", Value(Logit(), f"(({K} == 1) - 1/2)/(n + 1)")).difference
    assert wrong is not None
    assert not breaks(load("one"), Value(Logit(), f"(({K} == 1) - 1/2)/n"), wrong)


TRUE, FALSE = Count("width", 7), Count("width", 8)
WIDE, PADDED = Shape(Weights("W_V", 1, 1), 6, 5), Shape(Weights("W_V", 1, 1), 7, 7)
"""A shape that is false also with padding, and one that is true with padding only."""
OPEN = Order("O", "1/n")
PADDING: Combinations = (("padding",),)
NOWHERE = Prefers(1, 1, "p < 0")


@pytest.mark.parametrize(
    ("senses", "under", "verdict"),
    [
        ((TRUE,), (), "true"),
        ((FALSE,), (), "false"),
        ((Shape(Weights("W_V", 1, 1), 6, 4),), PADDING, "true"),
        ((PADDED,), PADDING, "true-under"),
        ((PADDED,), (), "false"),
        ((Shape(Weights("W_V", 1, 1), 5, 4),), PADDING, "false"),
        ((Shape(Weights("W_V", 1, 1), 7, 6),), (("transposition",), ("padding",)), "true-under"),
        ((Reading(TRUE, sense="one"), Reading(FALSE, sense="another")), (), "ambiguous"),
        ((Reading(TRUE, sense="one"), Reading(TRUE, sense="another")), (), "true"),
        ((Reading(FALSE, sense="one"), Reading(FALSE, sense="another")), (), "false"),
        ((Reading(FALSE, sense="one"), Reading(PADDED, sense="another")), PADDING, "true-under"),
        ((Reading(TRUE, sense="one"), Reading(PADDED, sense="another")), PADDING, "ambiguous"),
    ],
)
def test_readings_combine_by_the_rule(
    senses: tuple[Reading | Statement, ...], under: Combinations, verdict: str
) -> None:
    assert judged("one", *senses, under=under).verdict == verdict


def test_what_holds_under_a_convention_shows_where_it_fails_literally() -> None:
    judgement = judged(
        "first", Value(Logit(), "exp(c)/(exp(c) + n - 1)*((w[1] == '1') - 1/2)"), under=(("empty word",),)
    )
    assert judgement.verdict == "true-under"
    assert judgement.deciding.name == "empty word"
    assert judgement.difference is not None
    assert judgement.difference.word == ""


def test_what_is_open_literally_is_not_true_under_a_convention() -> None:
    """Without a theorem about the margin the order of a side stays open, whatever the convention."""
    claims = Claims(
        "one", Published("claim", "here", "as stated", Order("O", "1", side="accepted"), under=(("empty word",),))
    )
    [judgement] = judge_claims(load("one"), claims)
    assert judgement.verdict == "unknown"


def test_the_most_charitable_reading_of_a_false_claim_is_reported() -> None:
    judgement = judged("one", Reading(Count("width", 9), sense="one"), Reading(Count("width", 8), sense="another"))
    assert judgement.difference is not None
    assert judgement.difference.printed == "8"


def test_what_is_open_is_neither_true_nor_false() -> None:
    judgement = judged("first-one-layer", OPEN)
    assert judgement.verdict == "unknown"
    assert isinstance(judgement.deciding.outcome, Open)
    assert judgement.difference is None


def test_a_case_that_never_occurs_is_open() -> None:
    for statement in (Value(Logit(), "17", "n < 0"), Compares(">", 0, "n < 0"), Order("O", "1", "n % 1 == 1"), NOWHERE):
        assert judged("one", statement).verdict == "unknown"


def test_a_number_that_is_another_one_on_long_words_alone_is_open() -> None:
    assert judged("dyck1", Count("layers", "2 + (n > 20)")).verdict == "unknown"


ROOTS = "sqrt(3+2*sqrt(2))-sqrt(2)"
"""1, in another normal form."""


@pytest.mark.parametrize(("one", "verdict"), [("1", "true"), (ROOTS, "unknown"), (f"{ROOTS}+1", "false")])
def test_what_is_not_seen_to_be_another_number_refutes_nothing(one: str, verdict: str) -> None:
    assert judged("one", Matrix(Weights("WE", token="0"), one, "0", "0", "0")).verdict == verdict
    assert judged("one", Count("width", f"6 + {one}")).verdict == verdict
    assert judged("dyck1", Stack("W_V", 1, 1, "rows", f"n*({one})", "6")).verdict == verdict


def test_a_row_is_written_where_an_entry_is_seen_to_be_no_0() -> None:
    right = load("one")
    network: Any = right.network
    [layer], first = network.layers, network.coordinates[0]
    for entry, verdict in (("1 - 1", "true"), (f"{ROOTS}-1", "unknown"), ("1/1000", "false")):
        head = replace(layer.heads[0], W_V={**layer.heads[0].W_V, first: {first: entry}})
        wrong = replace(right, network=replace(network, layers=(replace(layer, heads=(head,)),)))
        said = Published("a", "p", "c", Writes(Weights("W_V", 1, 1), 5, 6))
        assert [found.verdict for found in judge_claims(wrong, Claims("one", said))] == [verdict]


def test_short_words_alone_make_nothing_true() -> None:
    """A root of a count is not read symbolically; on all words up to 7 symbols the formula is right."""
    judgement = judged("one", Value(Logit(), f"(({K} == 1) - 1/2)/sqrt(n*n*({K} + 1))*sqrt({K} + 1)"))
    assert judgement.verdict == "unknown"
    assert isinstance(judgement.deciding.outcome, Open)
    assert "sqrt" in judgement.deciding.outcome.reason


@pytest.mark.parametrize("name", ["one", pytest.param("parity", marks=pytest.mark.controls)])
def test_every_weight_is_pinned_by_what_is_printed(name: str) -> None:
    """A construction with any one weight changed is not the printed one, and a printed matrix or encoding says so."""
    known = load_claims(name)
    assert known is not None
    kinds = {claim.id: type(claim.senses[0].statement) for claim in known.claims}
    printed = [claim for claim in known.claims if kinds[claim.id] is Matrix or claim.id.endswith("/PE")]
    changed = [change for change in changes(load(name)) if change.what not in ("halved", "minus 1")]
    assert len(changed) > 50
    for change in changed:
        judgements = (judge_claims(change.construction, Claims(name, claim)) for claim in printed)
        assert any(judgement.verdict == "false" for [judgement] in judgements), (change.place, change.what)


def test_what_is_proved_already_is_not_proved_again_and_of_another_network_not_believed() -> None:
    claims = Claims("one", Published("claim", "here", "recognises ONE", Accepts()))
    construction, theorems = load("one"), theorems_of("one")
    [recognises] = [proof for proof in proofs(construction, theorems) if isinstance(proof.theorem, Decides)]

    def verdict(result: Result) -> str:
        known = replace(recognises, result=result)
        [judgement] = judge_claims(construction, claims, theorems, [known])
        return judgement.verdict

    planted = replace(recognises.result, verdict=Unknown("planted"))
    assert verdict(recognises.result) == "true"
    assert verdict(planted) == "unknown"
    assert verdict(replace(planted, construction="another")) == "true"


def test_outcomes_have_no_truth_value() -> None:
    for outcome in (Holds("", ""), Open(""), judged("one", FALSE).deciding.outcome):
        with pytest.raises(TypeError, match="no truth value"):
            bool(outcome)


def test_claims_about_a_construction_never_seen_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    file = load_file(EXAMPLE)
    assert file.claims is not None
    verdicts = {j.claim.id: j for j in judge_claims(file.construction, file.claims)}
    false = {id for id, judgement in verdicts.items() if judgement.verdict == "false"}
    assert false == {"d-length", "W_V-wrong"}
    assert {id for id, judgement in verdicts.items() if judgement.verdict == "true-under"} == {"positive"}
    assert {id for id, judgement in verdicts.items() if judgement.verdict == "ambiguous"} == {"rows"}
    for id in false:
        failure = verdicts[id].deciding
        assert isinstance(failure.outcome, Fails)
        assert breaks(file.construction, failure.reading.statement, failure.outcome.difference)
    assert {id for id, judgement in verdicts.items() if judgement.verdict == "unknown"} == set()
    assert main(["claims", str(EXAMPLE), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["claims"]
    assert [claim["verdict"] for claim in printed] == [judgement.verdict for judgement in verdicts.values()]
    command = next(claim for claim in printed if claim["id"] == "d-length")["counterexample"]["command"]
    assert command == f"weightproof run {EXAMPLE} '' --trace"


def test_every_kind_of_statement_has_a_judge_and_one_without_is_refused_by_its_name() -> None:
    assert {*OF_NETWORKS} == {*OfNetwork.__subclasses__()}
    assert {*ALONE} == {*Formulaic.__subclasses__(), *Circuital.__subclasses__(), OfEvery}
    with pytest.raises(TypeError, match="Statement: no judge of such a statement"):
        judge_statement(Statement())
    with pytest.raises(TypeError, match="Count: no judge of such a statement without a construction"):
        judge_statement(GOOD)


def test_a_list_of_claims_reads_as_print_does() -> None:
    """A claim stands at the place of the heading above it, with what stands below it; one that is made keeps its own
    place, and a name with a slash is the whole id."""
    own, mistakes = Published("own", "appendix A", "c", GOOD), slips("paper", "one", "w: why", "here: $d = 7$", GOOD)
    second = Reading(Count("width", 8), "padded")
    listed = Claims(
        "one", "section 1", "a: of $d$: c", GOOD, second, Under("padding"), mistakes["w"], own, "other/b: c", GOOD,
        "section 2", own,
    )  # fmt: skip
    assert listed.claims == (
        Published("one/a", "section 1", "of $d$: c", GOOD, second, under=(("padding",),), slip=mistakes["w"]),
        own,
        Published("other/b", "section 1", "c", GOOD),
        own,
    )
    assert mistakes == {"w": Slip("paper/w", "one", "why", "here", "$d = 7$", GOOD)}


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ((GOOD, "w: why", "here: c", GOOD), "begins with no"),
        (("w: why", GOOD, "here: c", GOOD), "begins with no"),
        (("w: why", "here: c", GOOD, "v: why"), "paper: ('v: why',) begins with no"),
        (("w: why", "here, without a colon", GOOD), "begins with no 'name: cause', 'place: printed'"),
        (("w: why", "here: c", GOOD, "w: another", "here: d", GOOD), "paper: there are two slips 'w'"),
    ],
)
def test_a_list_of_slips_drops_nothing(items: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ConstructionError) as refused:
        slips("paper", "one", *items)
    assert message in str(refused.value)


@pytest.mark.parametrize("name", ["one", "palindrome"])
def test_claims_about_what_is_not_there_are_refused_where_they_stand(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where those of others stand in the same file; and so are two lists about one construction."""
    file = f"weightproof.constructions.nowak2022.{name}_claims.claims"
    listed = load_claims(name)
    assert listed is not None
    monkeypatch.setattr(file, (listed, with_fields(listed, construction="misspelt")))
    with pytest.raises(ConstructionError, match=f"{name}: its claims are about 'misspelt'"):
        load_claims(name)
    monkeypatch.setattr(file, (listed, listed))
    with pytest.raises(ConstructionError, match="stands in more than one list"):
        load_claims(name)


@pytest.mark.parametrize(("count", "message"), [(0, "it has no reading"), (2, "more than one literal reading")])
def test_of_every_network_no_statement_is_dropped(count: int, message: str) -> None:
    family = "rnn-by-encoder-decoder-as-printed"

    def claims(rnn: RNN) -> Claims:
        return Claims(family, "section 1", "a: c", *(Blocks("output", ("h",)) for _ in range(count)))

    with pytest.raises(ConstructionError, match=f"claim {family}/a: .*{message}"):
        check_claims(of_every(claims), Topic("transformers", OfEvery, (family,)))
    with pytest.raises(ConstructionError, match="its claims are about none of another"):
        check_claims(of_every(claims), Topic("transformers", OfEvery, ("another",)))


def test_a_printed_matrix_is_said_once() -> None:
    of = Weights("W_V", 1, 1)
    assert matrix("v", "V", of, *zeros(2, 3), "1 -1/2 c*sqrt(d)", "0 1 0", shape=(4, 3)) == (
        r"v: $V$: $0^{2 \times 3}$ above $(1, -\frac{1}{2}, c\sqrt{d})$ and $(0, 1, 0)$",
        Matrix(of, "0 0 0", "0 0 0", "1 -1/2 c*sqrt(d)", "0 1 0"),
        r"v-shape: $V$ is $4 \times 3$",
        Shape(of, 4, 3),
    )
    printed = [("0 1",), ("0", "1"), ("2",), (), ("1 0", "0 0", "0 1")]
    assert [matrix("v", "V", of, *rows)[0] for rows in printed] == [
        *("v: $V = (0, 1)$", "v: $V = (0, 1)$", "v: $V = 2$", "v: $V = 0$", "v: $V$: $(1, 0)$, $(0, 0)$, $(0, 1)$")
    ]


MALFORMED: list[tuple[Claims | Published, str]] = [
    (Claims("parity", Published("a", "p", "c", GOOD)), "its claims are about 'parity'"),
    (Claims("one", Published("a", "p", "c", GOOD), Published("a", "p", "c", GOOD)), "two claims of that id"),
    (Published("", "p", "c", GOOD), "is no line of text"),
    (Published("a", "", "c", GOOD), "place '' is no line of text"),
    (Published("a", "p", "two\nlines", GOOD), "printed 'two\\nlines' is no line of text"),
    (Claims("one", "a: c", GOOD), "place '' is no line of text"),
    (Claims("one", GOOD), "claims[0] is Count("),
    (Claims("one", "a claim: without a name", GOOD), "claims[0] is Count("),
    (Claims("one", "section 1", "a claim: without a name", GOOD), "claims[0] is the heading 'section 1', below which"),
    (Claims("one", "section 1", "a: c", "section 2"), "it has no reading"),
    (Claims("one", "section 1", "section 2", "a: c", GOOD), "claims[0] is the heading 'section 1', below"),
    (Claims("one", "section 1", "a: c", GOOD, "section 2"), "claims[1] is the heading 'section 2', below"),
    (Published("a", "p", "$s", GOOD), "not closed by a dollar sign"),
    (Published("a", "p", "c"), "it has no reading"),
    (Published("a", "p", "c", GOOD, under=(("padding",),)), "padding leaves the statement what it is"),
    (Published("a", "p", "c", GOOD, under=(("rounding",),)), "none of the conventions"),  # type: ignore[arg-type]
    (Published("a", "p", "c", GOOD, under=("padding",)), "no combination of conventions"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Shape(Weights("W_V", 1, 1), 7, 7, padded=True)), "a literal reading is padded"),
    (Published("a", "p", "c", GOOD, slip=Slip("", "one", "why", "p", "c", GOOD)), "slip: id '' is no line of text"),
    (
        Published("a", "p", "c", GOOD, slip=Slip("s", "one", "why", "p", "c", Value(Logit(), "K"))),
        "slip s, correction: value: K uses K",
    ),
    (Published("a", "p", "c", GOOD, GOOD), "tell them apart by their sense"),
    (Published("a", "p", "c", Reading(GOOD, conventions=("padding",))), "is no literal reading"),
    (Published("a", "p", "c", "true"), "is no reading"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Reading("true")), "which is no statement"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Value(Logit(), "K")), "uses K, but may use only"),
    (Published("a", "p", "c", Value(Logit(), "1 +")), "cannot read '1 +'"),
    (Published("a", "p", "c", Value(Logit(), "i")), "uses i, but may use only"),
    (Published("a", "p", "c", Prefers(1, 2, "p < q")), "layer 1 has no head 2"),
    (Published("a", "p", "c", Prefers(1, 1, "i < q")), "uses i, but may use only"),
    (Published("a", "p", "c", Value(Logit(), "count('2')")), "no symbol of the alphabet"),
    (Published("a", "p", "c", Value(Logit(), 1, "n + 1")), "neither true nor false"),
    (Published("a", "p", "c", Value(Logit(), 1, at={"c": 1})), "there is no parameter 'c'"),
    (Published("a", "p", "c", Value(Stream("t", 1), 1)), "'t' is none of"),
    (Published("a", "p", "c", Value(Stream("s", 2), 1)), "there is no layer 2"),
    (Published("a", "p", "c", Value(Stream("s", 1, "middle"), 1)), "stage: 'middle' is none of"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Value(Stream("s", 1, "embedding"), 1)), "write layer 0"),
    (Published("a", "p", "c", Value(Attention(1, 2), 1)), "layer 1 has no head 2"),
    (Published("a", "p", "c", Value(Projected("W_V", 1, 1, "t"), 1)), "W_V has no row 't'"),
    (Published("a", "p", "c", Vector(1, "0", "x")), "entry 2: x uses x"),
    (Published("a", "p", "c", Matrix(Weights("W_X", 1, 1), "0")), "part: 'W_X' is none of"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Matrix(Weights("W_V", 1), "0")), "write the number of the head"),
    (Published("a", "p", "c", Matrix(Weights("WE", token="2"), "0")), "there is no token '2'"),
    (Published("a", "p", "c", Matrix(Weights("W_V", 1, 1), "0 1", "0")), "row 2 has 1 entries, row 1 has 2"),
    (Published("a", "p", "c", Matrix(Weights("W_V", 1, 1), "0.5")), "write a fraction such as 1/2"),
    (Published("a", "p", "c", Shape(Weights("W_V", 1, 1), 0, 4)), "is no shape"),
    (Published("a", "p", "c", Count("biases", 1)), "of: 'biases' is none of"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Count("heads", 1, layer=3)), "there is no layer 3"),
    (Published("a", "p", "c", Accepts("n")), "neither true nor false"),
    (Published("a", "p", "c", Compares("=", 0)), "op: '=' is none of"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Order("Omega", "1/n")), "none of O, o, Theta"),  # type: ignore[arg-type]
    (Published("a", "p", "c", Order("O", "1/k")), "uses k, but may use only n"),
    (Published("a", "p", "c", Order("O", "1/n", side="left")), "side: 'left' is none of accepted, rejected"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("claim", "message"), MALFORMED, ids=[message for _, message in MALFORMED])
def test_malformed_claims_are_refused_in_one_line(claim: Claims | Published, message: str) -> None:
    claims = claim if isinstance(claim, Claims) else Claims("one", claim)
    with pytest.raises(ConstructionError) as refused:
        list(judge_claims(load("one"), claims))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


BAD_INPUT = [
    (("claims", "nothing"), "unknown construction 'nothing'"),
    (("claims", "palindrome-margin"), "palindrome-margin: no claims are known about it; it is in no paper"),
    (("claims", "cookbook-min"), "cookbook-min: no claims are known about it; its theorems say what is printed of it"),
    (("claims", "tests/examples/more_ones.py"), "define claims = Claims(NAME, ...)"),
    (("claims", "one", "--format", "pdf"), "--format pdf: write text, md, tex or json"),
    (("claims", "one", "--json", "--format", "md"), "two formats: give one"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT, ids=[message for _, message in BAD_INPUT])
def test_bad_input_ends_in_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


PRINTED = "claims = Claims('more-b', Published('a', 'p', '{}', statements.Compares('>=', '-5')))"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("claims = 3", "'claims' is of type int; write claims = Claims(NAME, ...)"),
        ("claims = Claims('more-b', Published('a', 'p', 'c'))", "more-b: claim a: it has no reading"),
        (PRINTED.format(r"$\\foo$"), "claim a, printed: \\foo has no plain text; write it otherwise"),
        (PRINTED.format("$x^$"), "claim a, printed: nothing stands behind ^; write it otherwise"),
        (PRINTED.format(r"$\\frac{1}$"), "claim a, printed: nothing stands behind }; write it otherwise"),
    ],
)
def test_a_file_with_malformed_claims_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, message: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(EXAMPLE.read_text() + body)
    assert main(["claims", str(path)]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_the_exit_status_is_1_where_a_verdict_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    claim = "Published('a', 'p', 'c', statements.Value(statements.Logit(), '0', 'sqrt(count(\"a\")) < 0'))"
    path.write_text(EXAMPLE.read_text() + f"\nclaims = Claims('more-b', {claim})\n")
    assert main(["claims", str(path)]) == 1
    assert "unknown" in capsys.readouterr().out
