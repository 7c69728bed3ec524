"""The word box in a real browser: what its script computes lies in the balls that bound rounding, and its exact
verdicts are the interpreter's."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import pytest
from flint import arb

from tests.constructions.predicting.ranking import ranking
from tests.support.browser import Browser, browser, needs_browser
from tests.weightproof.subjects.test_contract import DECODER
from weightproof.constructions.languages.membership import is_member, right_token
from weightproof.constructions.library import ADDERS, adder_of
from weightproof.constructions.meaning import schema
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.outputs import predicts
from weightproof.constructions.meaning.running import parameter_values, predict, run
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    LayerNorm,
    Linear,
    Readout,
    RootMeanSquare,
)
from weightproof.constructions.scalars.exact import Undecided, ball
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.named import Named, resolve
from weightproof.numeric.certificate.bound import output_balls
from weightproof.proofs.modular.instances import run as run_adder
from weightproof.proofs.modular.instances import words as words_of_residues
from weightproof.proofs.theorem import Decides, Predicts
from weightproof.proofs.verdict import Evidence, Proved, Result
from weightproof.stating import theorems_about
from weightproof.website import boxed
from weightproof.website.building import Site
from weightproof.website.networks import CLOCK
from weightproof.website.trees import NotWhole, formula

pytestmark = [pytest.mark.xdist_group("site"), needs_browser]
NORMED = ("remove-centering", "layer-norm:epsilon=1/100000")
NAMED = (
    ("parity", ()),
    ("first", ()),
    ("one", ()),
    ("palindrome", ()),
    ("palindrome-margin", ()),
    ("dyck1-margin", ()),
    ("dyck1-depth-margin", ()),
    ("noisy-majority-silent-2", ()),
    ("parity", NORMED),
    ("first-one-layer", ("scale-attention-by-log-length",)),
)
WORDS, LONGEST, TABLED = 102, 6, 20
"""Words of each network, symbols of the longest, and how many short ones have their verdict in the page's data."""


def own(**choices: Any) -> Construction:
    """A network with what no built-in one has: each kind of activation, cut residuals, W_O, a sum over positions."""
    activation, position = choices.pop("activation", "relu"), choices.pop("position", "sum")
    accept = choices.pop("accept", "logit > 0")
    gate, of_layer, final = (
        choices.pop(name, empty) for name, empty in (("gate", None), ("norms", {}), ("final", None))
    )
    head = Head(
        W_Q={"q": {"a": 1, "one": "1/2"}},
        W_K={"q": {"b": 1, "i": "-1/3"}},
        W_V={"v": {"a": "2/3", "i": 1}},
        W_O={"out": {"v": "3/7"}},
        **choices,
    )
    first = Linear({"u": {"out": 1, "a": "1/3"}, "v": {"out": -1}}, {"v": "1/5"})
    units = FeedForward(first, Linear({"out": {"u": 1, "v": -2}}), activation, gate=gate)
    return Construction(
        name="made up",
        title="every choice",
        source="a test",
        language=Language("ALL", ("a", "b"), lambda word: True, "n >= 1"),
        network=Encoder(
            coordinates=("a", "b", "one", "i", "out"),
            embedding=Embedding(
                WE={"a": {"a": 1, "one": 1}, "b": {"b": 1, "one": 1}, "CLS": {"one": 1}}, PE={"i": "(i + 1)/n"}
            ),
            layers=(
                Layer(heads=(head,), feed_forward=units, **of_layer),
                Layer(heads=(head,), attention_residual=False),
            ),
            readout=Readout(Linear({"logit": {"out": 1}}, {"logit": "-1/9"}), position, accept),
            final_norm=final,
        ),
    )


UNBOUNDED = ("tanh", "sigmoid", "silu", "gelu", "gelu-tanh")
CHOICES = {
    "activation": get_args(schema.Activation),
    "normaliser": get_args(schema.Normaliser),
    "mask": get_args(schema.Mask),
    "score": get_args(schema.Score),
    "position": get_args(schema.Place),
    "accept": [rule for rule in get_args(schema.Acceptance) if rule not in get_args(schema.Extreme)],
}


def as_expected(source: Named, theorem: Any) -> Result:
    """What the proofs come to, which other tests prove."""
    verdict = Proved("all lengths", Evidence.CERTIFICATE)
    name = source.construction.name
    return Result(name, theorem.name, theorem.statement, (), None, verdict, "proved", (), {}, 0.0, 0.0)


@dataclass(frozen=True)
class Box:
    construction: Construction
    data: dict[str, Any]


def box(construction: Construction, source: Named | None = None) -> Box:
    stated = () if source is None else theorems_about(source)
    said = [each for each in stated if isinstance(each, Decides | Predicts)]
    said = [each for each in said if each.expected == "proved" and each.up_to is None]
    results = [as_expected(source, each) for each in said] if source is not None else []
    return Box(construction, boxed.boxed(construction, said, results, boxed.exact_verdicts(construction)))


@pytest.fixture(scope="module")
def page(site: Site) -> Iterator[Browser]:
    with browser() as opened:
        opened.open(site.folder / "one.html")
        yield opened


@pytest.fixture(autouse=True)
def few_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxed, "MOST_WORDS", TABLED)


def words(construction: Construction, number: int = WORDS) -> list[str]:
    """Short ones and long ones, members among them as the language's source draws them."""
    drawing = random.Random(construction.name)
    language = construction.language
    found = [language.sample(drawing, drawing.randrange(LONGEST + 1)) for _ in range(number // 2)]
    found += ["".join(drawing.choices(construction.alphabet, k=drawing.randrange(LONGEST + 1))) for _ in found]
    return found


SCRIPT = """
((network, words) => words.map((word) => {
  const found = wordBox.answer(network, word);
  return { outputs: found.ran.outputs, floats: found.ran.accepts ?? found.ran.token,
    exact: found.exact.accepts ?? found.exact.token ?? null, from: found.exact.from, differs: found.differs };
}))
"""


def answers(page: Browser, data: dict[str, Any], asked: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(f"{SCRIPT}({json.dumps(data)}, {json.dumps(asked)})")
    return found


def astray(construction: Construction, word: str, outputs: dict[str, float]) -> float | None:
    """How far floats are off the exact outputs at most; None where they are where no rounding leads, or, of a network
    that has no bound on rounding, further off than those of this size could be."""
    exact = precise(construction, word)
    off = max(float(abs(arb(value) - narrow(exact[name])).upper()) for name, value in outputs.items())
    if any(layer.feed_forward and layer.feed_forward.activation in UNBOUNDED for layer in construction.encoder.layers):
        return off if off < 1e-14 else None
    certified = output_balls(construction, word)
    return off if all(certified[name].contains(arb(value)) for name, value in outputs.items()) else None


def narrow(value: Any) -> arb:
    return value if isinstance(value, arb) else ball(value, 128)


def interpreted(construction: Construction, word: str) -> Any:
    """The interpreter's run, in balls where these decide it, and else in exact numbers."""
    running = predict if predicts(construction) else run
    try:
        return running(construction, word, bits=128, unread=False)
    except Undecided:
        return running(construction, word, unread=False)


def precise(construction: Construction, word: str) -> dict[str, Any]:
    """The outputs, exactly or in narrow balls."""
    found = interpreted(construction, word)
    return dict(found.outputs) if predicts(construction) else {"logit": found.logit}


def decided(construction: Construction, word: str) -> Any:
    """The interpreter's decision."""
    found = interpreted(construction, word)
    return found.token if predicts(construction) else found.accepts


def test_a_thousand_words_against_the_exact_interpreter(page: Browser) -> None:
    compared, known, most = 0, 0, 0.0
    for named, transforms in NAMED:
        source = resolve(named, transforms)
        construction = source.construction
        made, asked = box(construction, source), words(construction)
        for word, found in zip(asked, answers(page, made.data, asked), strict=True):
            off = astray(construction, word, found["outputs"])
            assert off is not None, (source.argument, word, found)
            exact = decided(construction, word)
            assert found["exact"] in (exact, None), (source.argument, word, found)
            if found["exact"] is not None:
                assert found["differs"] is (found["floats"] != exact)
                known += 1
            compared, most = compared + 1, max(most, off)
    print(f"{compared} words compared, {known} with an exact verdict; the largest difference of outputs is {most:.3g}")
    assert compared >= 1000
    assert known > 0.9 * compared
    assert most < 1e-9
    assert all(request.startswith("file://") for request in page.requests)


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_of_the_schema_is_computed_and_no_other(
    page: Browser, choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxed, "MOST_WORDS", 1)
    asked = ["", "a", "ba", "abb"]
    for name in CHOICES[choice]:
        construction = own(**{"normaliser": "rightmost" if "strict" in name else "softmax"} | {choice: name})
        for word, found in zip(asked, answers(page, box(construction).data, asked), strict=True):
            assert astray(construction, word, found["outputs"]) is not None, (name, word, found)
            assert found["floats"] is decided(construction, word), (name, word, found)
    written = json.dumps(box(own(**{choice: name})).data)
    unheard = written.replace(json.dumps({choice: name})[1:-1], json.dumps({choice: "unheard-of"})[1:-1])
    assert unheard != written
    asking = "((network) => { try { wordBox.answer(network, 'ab') } catch (error) { return error.message } })"
    said = page.evaluate(f"{asking}({unheard})")
    assert said.startswith("the word box does not know the ")
    assert said.endswith('"unheard-of"')


@pytest.mark.parametrize(("mask", "position"), [("strictly-causal", 0), ("strictly-future", 2)])
def test_a_mean_over_nothing_is_refused(page: Browser, mask: str, position: int) -> None:
    asking = "((network) => { try { wordBox.answer(network, 'ab') } catch (error) { return error.message } })"
    said = page.evaluate(f"{asking}({json.dumps(box(own(mask=mask)).data)})")
    assert said == f"position {position} sees nothing in some head"


@pytest.mark.parametrize("accept", get_args(schema.Extreme))
def test_the_predicted_token(page: Browser, accept: str) -> None:
    construction = ranking(accept=accept)
    asked = ["", "0", "1", "10", "110", "0001"]
    for word, found in zip(asked, answers(page, box(construction).data, asked), strict=True):
        assert found["floats"] == decided(construction, word), (word, found)
        assert found["exact"] == (decided(construction, word) if len(word) < 4 else None), (word, found)


@pytest.mark.parametrize("family", ADDERS)
def test_all_sums_of_two_residues_against_the_exact_interpreter(page: Browser, family: str) -> None:
    adder = adder_of(family, CLOCK)
    made, asked = boxed.boxed_adder(adder), [*words_of_residues(12)]
    compared, most = 0, 0.0
    for word, found in zip(asked, answers(page, made, asked), strict=True):
        exact = run_adder(adder, word).prediction
        assert found["exact"] == exact.token, word
        assert ("several outputs are equal" in found["from"]) is not exact.decided
        assert found["differs"] is (found["floats"] != exact.token)
        assert not (exact.decided and found["differs"])
        most = max(most, *(float(abs(arb(x) - narrow(exact.outputs[c])).upper()) for c, x in found["outputs"].items()))
        compared += 1
    assert compared == 144
    assert most < 1e-13
    coordinate, weight = next(iter(made["readout"]["weights"]["5"].items()))
    made["readout"]["weights"]["5"][coordinate] = weight + 3
    assert any(each["differs"] for each in answers(page, made, asked))


def test_a_word_of_residues_is_written_with_spaces(page: Browser) -> None:
    made = boxed.boxed_adder(adder_of("modular-addition", CLOCK))
    found = "wordBox.answer(network, word).exact.token"
    asking = f"((network, word) => {{ try {{ return {found} }} catch (error) {{ return error.message }} }})"
    for word, expected in (
        (" 3  11 ", "2"),
        ("311", '"311" is no symbol; there are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11'),
        ("3", 'a word has 2 symbols, not 1: write them as "10 11"'),
        ("", 'a word has 2 symbols, not 0: write them as "10 11"'),
        ("3 4 5", 'a word has 2 symbols, not 3: write them as "10 11"'),
    ):
        assert page.evaluate(f"{asking}({json.dumps(made)}, {json.dumps(word)})") == expected


SHIFTED = LayerNorm("1/3", gain={"a": 2, "out": "1/3", "i": 1}, bias={"out": 1, "b": "-1/2"})
SCALED = RootMeanSquare("1/5", gain={"a": 1, "one": "1/2", "out": 3})
PLACES = ("attention_norm", "feed_forward_norm", "attention_norm_before", "feed_forward_norm_before")


@pytest.mark.parametrize("norm", [SHIFTED, SCALED])
def test_norms_stand_where_they_are_said_to(page: Browser, norm: schema.Norm) -> None:
    asked = ["", "a", "ba", "abb"]
    of_scores = replace(norm, gain={"q": 2}, **({"bias": {"q": 1}} if isinstance(norm, LayerNorm) else {}))
    tried = [own(norms={place: norm}) for place in PLACES]
    tried += [own(final=norm), own(query_norm=of_scores), own(key_norm=of_scores)]
    for construction in tried:
        for word, found in zip(asked, answers(page, box(construction).data, asked), strict=True):
            assert astray(construction, word, found["outputs"]) is not None, (word, found)


def test_gates_multiply(page: Browser) -> None:
    construction = own(gate=Linear({"u": {"a": 1, "out": "1/2"}, "v": {"one": 1}}))
    asked = ["", "a", "ba", "abb"]
    for word, found in zip(asked, answers(page, box(construction).data, asked), strict=True):
        assert astray(construction, word, found["outputs"]) is not None, (word, found)


def test_encodings_of_several_operations_are_rounded_more_than_once(page: Browser) -> None:
    """No ball is of them: in the network's own arithmetic each encoding is rounded once."""
    source = resolve("palindrome-isometric")
    made, asked = box(source.construction, source), words(source.construction, 20)
    for word, found in zip(asked, answers(page, made.data, asked), strict=True):
        assert abs(arb(found["outputs"]["logit"]) - narrow(precise(source.construction, word)["logit"])) < 1e-12
        assert found["exact"] is decided(source.construction, word)


def test_a_changed_weight_is_found(page: Browser) -> None:
    source = resolve("parity")
    made, asked = box(source.construction, source), words(source.construction, 10)
    changed = copy.deepcopy(made.data)
    changed["readout"]["weights"]["logit"]["s"] *= 1 + 1e-12
    found = answers(page, changed, asked)
    pairs = list(zip(asked, found, strict=True))
    assert any(astray(source.construction, word, each["outputs"]) is None for word, each in pairs)
    changed["readout"]["weights"]["logit"]["s"] *= -1
    assert any(each["differs"] for each in answers(page, changed, asked))


@pytest.mark.parametrize("name", ["dyck1-depth-margin", "palindrome", "noisy-majority-silent-2"])
def test_longer_words_are_decided_by_what_is_proved(page: Browser, name: str) -> None:
    source = resolve(name)
    construction, values = source.construction, parameter_values(source.construction)
    made, drawing = box(construction, source), random.Random(name)
    asked = [construction.language.sample(drawing, drawing.randrange(20, 60)) for _ in range(40)]
    for word, found in zip(asked, answers(page, made.data, asked), strict=True):
        assert "proved for all lengths" in found["from"]
        expected = right_token(construction, word) if predicts(construction) else is_member(construction, word, values)
        assert found["exact"] == expected
    silent = {**made.data, "longer": None}
    assert answers(page, silent, asked[:1])[0]["from"].startswith("not known here")


SAID = (
    "matches('(10|0)*1?')",
    "not matches('.*00.*') or count('11', n - 3) > count('01')",
    "matches('[^0]+(0.{2})*') or matches('')",
    "all(count('10', j) <= 3 for j in positions) and (matches('1.*') + matches('.*1')) == 1",
)


def test_formulas_of_words_are_read_as_the_interpreter_reads_them(page: Browser) -> None:
    """And an automaton with a wrong state is seen."""
    source, drawing = resolve("parity"), random.Random(0)
    made = box(source.construction, source)
    asked = ["".join(drawing.choices("01", k=drawing.randrange(6, 16))) for _ in range(60)]
    asked += ["10" * 5, "100" * 4, "1" * 12, "0" * 9]

    def said(tree: Any) -> list[bool]:
        longer = {"theorem": "said", "evidence": "a test", "accepts": tree}
        return [each["exact"] for each in answers(page, {**made.data, "longer": longer}, asked)]

    for text in SAID:
        right = [holds(Expression(text), {}, ("CLS", *word), ("0", "1")) for word in asked]
        assert {*right} == {True, False}
        assert said(formula(Expression(text), {})) == right, text
    tree = formula(Expression(SAID[0]), {})
    tree[1]["accepting"] = [state for state in range(len(tree[1]["rows"])) if state not in tree[1]["accepting"]]
    assert said(tree) == [not holds(Expression(SAID[0]), {}, ("CLS", *word), ("0", "1")) for word in asked]
    with pytest.raises(NotWhole, match="more than 2000 states"):
        formula(Expression("matches('(0|1)*1(0|1){12}')"), {})


def test_the_form_runs_a_word_and_says_what_is_no_word(page: Browser) -> None:
    submit = """((word) => {
      document.getElementById("word").value = word;
      document.getElementById("word-form").requestSubmit();
      return [document.getElementById("answer").innerText, document.querySelectorAll("#drawn table").length];
    })"""
    said, tables = page.evaluate(f"{submit}('0100')")
    assert "accepts, by the exact interpreter" in said
    assert tables == 3  # one head, and the stream before and behind the layer
    said, tables = page.evaluate(f"{submit}('01x')")
    assert said == '"x" is no symbol; there are 0, 1.'
    assert tables == 0
    said, _ = page.evaluate(f"{submit}('{'0' * 50}1')")
    assert 'by theorem "recognises", proved for all lengths' in said
    assert page.complaints == []


def test_a_link_asks_for_a_word(site: Site) -> None:
    with browser() as opened:
        for word, query in (("0110", "word=0110"), ("", "word="), ("01", "")):
            opened.open(site.folder / "one.html", query=query)
            assert opened.evaluate("document.getElementById('word').value") == word
            said = opened.evaluate("document.getElementById('answer').innerText")
            assert f"{'accepts' if word == '01' else 'rejects'}, by the exact interpreter" in said


def test_a_decoder_is_refused() -> None:
    scope: dict[str, Any] = {}
    exec(DECODER, scope)
    with pytest.raises(InputError, match="only encoders are run in a page"):
        boxed.boxed(scope["construction"], (), (), ())


@pytest.mark.parametrize(
    ("parts", "called"),
    [
        ({"bias": "i - j"}, "a bias of scores"),
        ({"sees": "i == j"}, "a formula of what is seen"),
        ({"sink": 0}, "a sink"),
    ],
)
def test_what_heads_make_of_positions_is_refused_by_name(parts: dict[str, Any], called: str) -> None:
    construction = resolve("parity").construction
    first, *others = construction.encoder.layers
    heads = tuple(replace(head, **parts) for head in others[0].heads)
    network = replace(construction.encoder, layers=(first, replace(others[0], heads=heads), *others[1:]))
    with pytest.raises(InputError, match=f"the word box does not know heads with {called}"):
        boxed.boxed(replace(construction, network=network), (), (), ())
