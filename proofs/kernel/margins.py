"""The least |logit| of the words on a side, in Coq: that it is 0 or more, and that of each length a word attains it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.equations import in_each_case
from weightproof.proofs.kernel.formulas import everywhere, integer
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.signs import Signs
from weightproof.proofs.kernel.statement import INTEGERS, OVER_THE_ALPHABET, Part, hypothesis, on_side
from weightproof.proofs.kernel.subjects import Subject
from weightproof.proofs.kernel.terms import ATOM, factored
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import text, texts
from weightproof.proofs.strategies.goals import value_of
from weightproof.proofs.theorem import Margin


def none_on_side(subject: Subject) -> Iterator[str]:
    """That no word is on the side of the theorem."""
    yield f"Theorem decides : {subject.conclusion}.\nProof using All."
    yield "  facts. settled. intros; given_apart. first [lia | nia].\nQed."


def attained(subject: Subject, theorem: Margin) -> Iterator[str]:
    """That the value is 0 or more, and that words of which the counts and tokens are those of the theorem attain it."""
    assert subject.value is not None
    assert subject.words is not None
    if subject.derivation.sums or any(everywhere(formula, subject.construction) for formula in subject.formulas):
        raise Unwritten("that a margin is attained, where a logit or a language speaks of all positions")
    yield from _not_negative(subject)
    known = yield from _of_family(subject, theorem)
    yield from in_each_case(subject, subject.value.formula, known, "split; [given_apart; stated|same_value]")
    yield "Qed."


def attained_by_sign(subject: Subject, theorem: Margin) -> Iterator[str]:
    """The same of a logit of which `logit_on_side` says what it is on the side of the theorem."""
    assert subject.words is not None
    if theorem.of_accepted and any(everywhere(formula, subject.construction) for formula in subject.formulas):
        raise Unwritten("that a margin is attained, where a language speaks of all positions")
    yield from _not_negative(subject)
    known = yield from _of_family(subject, theorem)
    yield f"  assert (A : {on_side(theorem, subject.words.of_integers)}) by ({known}; settled; given_apart; stated)."
    yield "  exact (conj A (logit_on_side A)).\nQed."


def _not_negative(subject: Subject) -> Iterator[str]:
    """That the value is 0 or more."""
    assert subject.value is not None
    value, words = subject.value.of_integers, subject.vocabulary.words()
    least = factored(value_of(subject.value.formula, words, subject.vocabulary))
    quotient = Signs(subject.terms, words, subject.told).quotient(least)
    positive, left = quotient.positive, subject.terms.real(quotient.left, ATOM)
    yield f"Theorem not_negative : 0 <= {value}.\nProof using All.\n  facts. settled."
    yield from (f"  {line}" for line in quotient.proof)
    yield f"  apply (at_least_0_by ({positive}) ({left})); [positive|given_apart; stated|same_value].\nQed."


def _of_family(subject: Subject, theorem: Margin) -> Generator[str, None, str]:
    """What is supposed of the words that attain the value, and the theorem that they do, as far as its proof. Returns
    the tactic that says what is known of them."""
    assert subject.value is not None
    assert subject.words is not None
    facts = list(known_of_family(subject, theorem))
    for number, fact in enumerate(facts):
        yield f"Hypothesis family_{number} : ({fact.stated})%Z."
    value = f"{subject.minus}{subject.value.of_integers}"
    yield f"Theorem attained : {on_side(theorem, subject.words.of_integers)} /\\ {subject.called} = {value}."
    yield "Proof using All."
    return "; ".join(("facts", *(f"pose proof family_{number}" for number in range(len(facts)))))


@dataclass(frozen=True)
class Fact:
    """What is known of the words that attain a margin: of the integers of `Words.v`, and a tactic of `Families.v` that
    shows it of `family`."""

    stated: str
    proof: str


def known_of_family(subject: Subject, theorem: Margin) -> Iterator[Fact]:
    """The counts of the words that attain a margin; and their tokens, in blocks of one symbol, at the places that are
    spoken of."""
    construction, blocks = subject.construction, _blocks(theorem, subject.construction)
    before, behind = _markers(construction)
    for index, symbol in enumerate(construction.alphabet):
        counted = " + ".join(f"({block.times}) * {block.symbols.count(symbol)}" for block in blocks) or "0"
        yield Fact(f"count {index} = {counted}", f"counted alphabet {text(symbol)}")
    for place in subject.tokens:
        begin = str(int(construction.encoder.begin is not None))
        for number, block in enumerate(blocks):
            length = f"{len(block.symbols)} * ({block.times})"
            if len(block.symbols) == 1:
                left, right = ([each.written for each in part] for part in (blocks[:number], blocks[number + 1 :]))
                parts = (
                    f"{_joined([before, *left])} {text(block.symbols)} ({block.times})%Z {_joined([*right, behind])}"
                )
                index = construction.alphabet.index(block.symbols)
                held = f"{begin} <= {place} < {begin} + {length} -> token ({place}) = {index}"
                yield Fact(held, f"token_of_block alphabet {parts}")
            begin = f"{begin} + {length}"


@dataclass(frozen=True)
class _Block:
    """A word that is repeated, and how often, in the scope of Z."""

    symbols: str
    times: str

    @property
    def written(self) -> str:
        return f"times {texts(self.symbols)} ({self.times})%Z"


def _blocks(theorem: Margin, construction: Construction) -> tuple[_Block, ...]:
    if theorem.attained is None:
        raise Unwritten("by which words a margin is attained")
    return tuple(_Block(symbols, integer(times, construction)) for symbols, times in theorem.attained)


def _markers(construction: Construction) -> tuple[str, str]:
    network = construction.encoder
    before, behind = (texts(() if marker is None else (marker,)) for marker in (network.begin, network.end))
    return before, behind


def _joined(words: Sequence[str]) -> str:
    return f"({' ++ '.join(words) or '[]'} : list string)%list"


def family(subject: Subject, theorem: Margin) -> Iterator[str]:
    """The words that attain a margin, of each length that is asked for: that they are words of the alphabet, of that
    length, with the counts and tokens that they are known by."""
    construction, blocks = subject.construction, _blocks(theorem, subject.construction)
    parameters = construction.parameters
    natural = "".join(f" ({parameter_name(each)} : Z)" for each in parameters if each.is_natural)
    asked, markers = hypothesis(construction, theorem), len(construction.encoder.markers)
    yield f"Definition family{natural} (n : Z) : list string := {_joined([block.written for block in blocks])}."
    yield "Section Family."
    for each in parameters:
        yield f"Variable {parameter_name(each)} : {'Z' if each.is_natural else 'R'}."
        yield f"Hypothesis domain_{parameter_name(each)} : {Part('', each.domain, construction).of_integers}."
    yield f"Variables {INTEGERS}."
    yield f"Hypothesis room : ({max(markers, 1)} <= n)%Z."
    if asked is not None:
        yield f"Hypothesis given : {asked.of_integers}."
    word = f"(family{''.join(f' {parameter_name(each)}' for each in parameters if each.is_natural)} n)"
    for number, block in enumerate(blocks):
        yield f"Lemma times_{number} : (0 <= {block.times})%Z.\nProof using All. lia. Qed."
    times = " ".join(f"pose proof times_{number}." for number in range(len(blocks)))
    over = OVER_THE_ALPHABET.removesuffix(" w")
    yield f"Lemma over_alphabet : {over} {word}."
    yield "Proof using All. unfold family. repeat apply over_both; try apply over_times; unfold alphabet; listed. Qed."
    yield f"Lemma length_is : length_of (marked {word}) = n."
    yield f"Proof using All. {times} unfold family, marked. lengths. lia. Qed."
    of_family = [f"({f} alphabet (marked {word}))" for f in ("Words.token", "Words.count")]
    for number, fact in enumerate(known_of_family(subject, theorem)):
        of_word = f"let token := {of_family[0]} in let count := {of_family[1]} in"
        yield f"Lemma family_{number} : ({of_word}\n  {fact.stated})%Z."
        yield f"Proof using All. {times} unfold family, marked. cbv zeta. {fact.proof}. Qed."
    yield "End Family."
