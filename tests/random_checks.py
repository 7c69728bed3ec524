"""What must be true of every construction: derived = interpreted, `proved` = brute force finds nothing, and refusals.

A failed check is an AssertionError whose first words say which property broke.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from constructions.exact import Undecided, holds, sign, value_on
from constructions.interpreter import InputError, mark, parameter_values, run
from constructions.schema import Claim, Construction, Encoder
from proofs.prove import default_theorems, prove
from proofs.refute import words
from proofs.theorem import ClosedForm, Decides, Theorem
from proofs.verdict import Counterexample, Proved, Refuted
from symbolic.derivation import Derivation
from symbolic.evaluate import evaluate_logit
from symbolic.forward import derive
from symbolic.vocabulary import Underivable
from tests.random_constructions import admissible

SECONDS = 1.0
LONG = (10, 25, 41)


def check(construction: Construction, drawn: Sequence[Decides], tally: Counter[str]) -> None:
    """Counts what became of the construction and of its theorems in `tally`."""
    try:
        derivation: Derivation | None = derive(construction)
    except Underivable:
        derivation = None
    tally["derived" if derivation is not None else "underivable"] += 1
    if derivation is not None:
        check_closed_form(construction, derivation)
    theorems = (*default_theorems(construction), *drawn)
    try:
        results = list(prove(construction, theorems, timeout=SECONDS))
    except InputError:
        tally["refused"] += 1
        return
    for theorem, result in zip(theorems, results, strict=True):
        tally[result.verdict.name] += 1
        match result.verdict:
            case Refuted(counterexample=found):
                check_refuted(construction, theorem, found)
            case Proved():
                check_proved(construction, theorem)


def trials(construction: Construction) -> Iterator[tuple[str, dict[str, str]]]:
    """Words with parameters: all words of a few symbols, then a few long ones; at few parameters, the first ones at all."""
    alphabet, options = construction.language.alphabet, admissible(construction)
    longest = {1: 12, 2: 5}.get(len(alphabet), 3)
    for given in options[:3]:
        for word in words(alphabet, longest):
            yield word, given
    random = Random(0)
    for number, length in enumerate(LONG):
        for given in options[:6] if number < 2 else options[:1]:
            yield "".join(random.choices(alphabet, k=length)), given


def check_closed_form(construction: Construction, derivation: Derivation) -> None:
    network = construction.network
    assert isinstance(network, Encoder)
    for word, given in trials(construction):
        tokens = mark(network, word)
        if not tokens:
            continue
        try:
            interpreted = run(construction, word, given).logit
        except Undecided:
            continue
        except ArithmeticError as error:
            raise AssertionError(f"no value, but derived: {word!r} {given}: {error}") from error
        derived = evaluate_logit(derivation, tokens, parameter_values(construction, given))
        try:
            assert sign(derived - interpreted) == 0, f"closed form: {word!r} {given}: {derived} and not {interpreted}"
        except Undecided:
            continue  # two forms of one number, as far as is known


def check_refuted(construction: Construction, theorem: Theorem, found: Counterexample) -> None:
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    values, tokens = parameter_values(construction, found.parameters), mark(network, found.word)
    result = run(construction, found.word, found.parameters)
    if isinstance(theorem, ClosedForm):
        broken = not _claim_holds(construction, theorem.claim, found.word, found.parameters)
        assert broken, f"refuted claim holds: {found}"
        return
    assert isinstance(theorem, Decides)
    wanted = holds(theorem.accepts or construction.language.characterisation, values, tokens, alphabet)
    in_scope = holds(theorem.given, values, tokens, alphabet) and len(tokens) <= (theorem.up_to or len(tokens))
    assert in_scope, f"refuted out of scope: {found}"
    assert result.accepts != wanted, f"refutation does not replay: {found}"


def _claim_holds(construction: Construction, claim: Claim, word: str, given: dict[str, str]) -> bool:
    """Whether a claim's formula has the value of its quantity on a word; true outside its case."""
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    tokens = mark(network, word)
    result = run(construction, word, given)
    place = {"first": 0, "last": len(tokens) - 1}.get(network.readout.position, 0)
    values = parameter_values(construction, given)
    if claim.quantity != "logit":
        values = {**values, "i": values.get("i", 0) * 0 + place}  # type: ignore[dict-item]
    if not holds(claim.when, values, tokens, alphabet):
        return True
    quantity = result.logit if claim.quantity == "logit" else result.streams[-1][place][claim.quantity]
    return sign(quantity - value_on(claim.value, values, tokens, alphabet)) == 0


def check_proved(construction: Construction, theorem: Theorem) -> None:
    """Brute force: all words of up to 7 symbols (of two), then words of random lengths up to 40."""
    network, alphabet = construction.network, construction.language.alphabet
    assert isinstance(network, Encoder)
    options = admissible(construction)
    random = Random(1)
    longest = {1: 25, 2: 7}.get(len(alphabet), 4)
    cases = [(word, given) for word in words(alphabet, longest) for given in options[: 2 if len(word) > 4 else 6]]
    for length in (9, 12, 19, 20, 21, 30, 40, *(random.randint(8, 40) for _ in range(3))):
        common = random.choice(alphabet)
        cases.append(("".join(random.choices(alphabet, k=length)), random.choice(options)))
        cases.append((common * length, random.choice(options)))
    for word, given in cases:
        tokens = mark(network, word)
        if not tokens:
            continue
        values = parameter_values(construction, given)
        try:
            if isinstance(theorem, ClosedForm):
                right = _claim_holds(construction, theorem.claim, word, given)
            else:
                assert isinstance(theorem, Decides)
                right = (
                    not holds(theorem.given, values, tokens, alphabet)
                    or len(tokens) > (theorem.up_to or len(tokens))
                    or run(construction, word, given).accepts
                    == holds(theorem.accepts or construction.language.characterisation, values, tokens, alphabet)
                )
        except Undecided:
            continue
        except ArithmeticError as error:
            raise AssertionError(f"proved without a value: {theorem.name}: {word!r} {given}: {error}") from error
        assert right, f"FALSE PROOF: {theorem.name}: {word!r} {given}"
