"""Formulas as automata, and as numbers of positions, against what they mean, on every short word."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random

import pytest

from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.constructions.scalars.values import COMPARISONS
from weightproof.proofs.automata.acceptors import automaton
from weightproof.proofs.automata.dfa import DFA, Shown
from weightproof.proofs.automata.formulas import read
from weightproof.proofs.automata.sentences import And, Compared, Congruent, Not, Number, Sentence, is_regular
from weightproof.symbolic.algebra.vocabulary import Underivable

ALPHABET = ("0", "1")
MARKERS = ((None, None), ("C", None), (None, "E"), ("C", "E"))
LONGEST = 7
Tokens = tuple[str, ...]

REGULAR = (
    "any(w[j] == '0' and w[j-1] == '1' for j in positions)",
    "all(w[j] != '0' or w[j+1] == '1' for j in positions)",
    "all(w[j+2] != '1' or w[j] != '0' for j in positions)",
    "any(w[j-2] == '1' and w[j+3] == '0' for j in positions)",
    "any(w[j-3] == '0' for j in indices)",
    "any(w[j+1] == '0' for j in indices)",
    "all(w[j] == '1' for j in indices)",
    "any(w[j] == '1' and j % 2 == 0 and all(m <= j or w[m] == '0' for m in positions) for j in positions)",
    "any(all(m >= j or w[m] == '0' for m in positions) and w[j] == '1' and j % 3 == 1 for j in positions)",
    "any(any(all(l <= k or w[l] == '0' for l in positions) and k == j + 2 for k in positions) for j in positions)",
    "all(any(k > j and w[k] == '1' for k in indices) or w[j] == '0' for j in positions)",
    "all(w[j] == '1' or w[j-1] != '1' or all(k <= j or w[k] == '1' or w[k-1] != '1' for k in positions)"
    " for j in positions)",
    "all(all(not (w[j] == '1' and w[k] == '0' and j < k) for k in positions) for j in positions)",
    "n >= 2 and w[n-1] == '1'",
    "w[2] == '1' or w[n-2] == '0'",
    "w[0] == '1' and w[n] != '1'",
    "all(n - j > 2 or w[j] == '1' for j in positions)",
    "any(j == n - 3 and w[j] == '1' for j in positions)",
    "any(2*j == 4 and w[j] == '1' for j in indices)",
    "any(2*j < 5 and w[j] == '1' for j in indices)",
    "any(j >= 3/2 and n - j >= 2 and w[j] == '1' for j in positions)",
    "any(j == 5/2 for j in indices) or all(j != 5/2 for j in indices) and n > 3",
    "any(-j <= -7/3 and -2*j > -9 and w[j] == '0' for j in positions)",
    "n % 3 == 1",
    "(n + 2) % 3 != 1 and (2*n) % 4 == 2",
    "n % 2 == 0 and n > 2 or n == 1",
    "any((2*j + 1) % 3 == 2 and w[j] == '1' for j in positions)",
    "any((-j) % 3 == 1 and w[j] == '1' for j in positions)",
    "any(j % 3 >= 1 and w[j] == '1' for j in indices)",
    "all(w[j] == '0' or (w[j-1] == '0') == (w[j+1] == '1') for j in positions)",
    "all((w[j] == '0') + (w[j-1] == '1') <= 1 for j in positions)",
    "all(3*(w[j] == '0') - 2*(w[j-1] == '1') + 1/2 > 0 for j in positions)",
    "all((w[j] == '0')*(w[j-1] == '1')*(w[j-2] == '0') == 0 for j in positions)",
    "any(w[j] != '0' and w[j] != '1' for j in indices)",
    "n < 4 or n > 5",
    "matches('(01)*')",
    "not matches('(0|10)*1?') or n < 4",
    "any(w[j] == '1' and matches('0.*') and w[j+1] == '0' for j in positions)",
    "(matches('[^1]{2,}')) + (w[1] == '1') == 1",
)
COUNTING = (
    "count('1') > count('0')",
    "2*count('1') - 3*count('0') >= n/2 - 1",
    "count('1') == count('0') or n == 3",
    "count('1') % 2 == 0",
    "(count('1') + 2*count('0') + n) % 3 == 1",
    "(count('1') - count('0')) % 3 != 0 and w[n-1] != '1'",
    "count('1', n - 2) >= 2",
    "count('1', 2) == count('0', 3)",
    "sum((w[j] == '0')*(w[j-1] == '1') for j in positions) <= 1",
    "sum((w[j] == '0')*(w[j+1] == '0') for j in positions) > sum((w[j] == '1')*(w[j-1] == '1') for j in positions)",
    "sum(2*(w[j] == '0') - (w[j-1] != '1')/2 + 1 for j in positions) > n",
    "sum((w[j] == '1') for j in indices) + sum(1 for j in indices) == 6",
    "sum(1 for j in positions) == 3",
    "sum((w[j] != '1') for j in indices) == 3",
    "sum((j % 2 == 0)*(w[j] == '1') for j in positions) >= sum((j % 2 == 1)*(w[j] == '1') for j in positions)",
    "sum((all(k <= j or w[k] == '1' for k in positions)) for j in positions) >= 2",
    "sum((any(k < j and w[k] == '1' for k in positions))*(w[j] == '0') for j in positions) % 2 == 1",
    "not (count('1') > 1 and count('0') > 1) and any(w[j] == '1' for j in positions)",
    "(count('1') > 2) + (count('0') > 2) >= 1",
    "count('1')*2 > 3 or 5 > 4*count('0')",
    "count('10') > count('11')",
    "count('101') == 1 or 2*count('00') >= n",
    "count('01', n - 3) >= 1 and count('11', 4) == 0",
    "matches('(01)*.') == (count('1') > count('0'))",
    "sum((w[j] == '1' and matches('0.*')) for j in positions) > 2",
    "count('010') % 2 == 1",
)


def words(begin: str | None, end: str | None) -> Iterator[Tokens]:
    for length in range(LONGEST + 1):
        for word in itertools.product(ALPHABET, repeat=length):
            yield (*((begin,) if begin else ()), *word, *((end,) if end else ()))


def accepts(told: DFA, tokens: Tokens, place: int | None = None, name: str = "") -> bool:
    """Whether it does where a name is that of one position."""
    state = 0
    for position, token in enumerate(tokens):
        state = told.after(state, (token, frozenset((name,) if position == place else ())))
    return state in told.accepting


def shown(tokens: Tokens) -> tuple[Shown, ...]:
    """Letters of tokens without properties."""
    return tuple((token, frozenset()) for token in tokens)


def said(sentence: Sentence, tokens: Tokens, of: Tokens) -> bool:
    """What a sentence says of a word, its largest parts that count nothing by their automata."""

    def number(each: Number) -> int:
        body = automaton(each.body, shown(of), frozenset(ALPHABET))
        return sum(
            accepts(body, tokens, place, each.name)
            for place, token in enumerate(tokens)
            if each.markers or token in ALPHABET
        )

    if is_regular(sentence):
        return accepts(automaton(sentence, shown(of), frozenset(ALPHABET)), tokens)
    match sentence:
        case Not(part=part):
            return not said(part, tokens, of)
        case And(parts=parts):
            return all(said(part, tokens, of) for part in parts)
    assert isinstance(sentence, Compared | Congruent)
    total = sentence.constant + sentence.length * len(tokens)
    total += sum(factor * number(each) for each, factor in sentence.numbers)
    if isinstance(sentence, Congruent):
        return int(total.p) % sentence.modulus in sentence.allowed
    return bool(COMPARISONS[sentence.op](int(total > 0) - int(total < 0)))


def wrong(formula: str, begin: str | None, end: str | None) -> Tokens | None:
    """The first word of which the sentence and the formula say something different."""
    expression = Expression(formula)
    sentence, of = read(expression), (*ALPHABET, *(marker for marker in (begin, end) if marker))
    for tokens in words(begin, end):
        if said(sentence, tokens, of) != holds(expression, {}, tokens, ALPHABET):
            return tokens
    return None


@pytest.mark.parametrize("formula", [*REGULAR, *COUNTING])
def test_a_sentence_says_of_every_word_what_its_formula_does(formula: str) -> None:
    assert is_regular(read(Expression(formula))) == (formula in REGULAR)
    assert [wrong(formula, begin, end) for begin, end in MARKERS] == [None] * len(MARKERS)


def drawn(seed: int) -> str:
    """A formula: quantifiers inside of one another, over comparisons of places and of what is there."""
    random, names = Random(seed), "jkl"

    def atom(known: str) -> str:
        one, other = random.choice(known), random.choice((*known, "n", "0", "n - 2"))
        offset, op = random.randint(-3, 3), random.choice(("==", "!=", "<", "<=", ">", ">="))
        return random.choice(
            (
                f"w[{one} + {offset}] {random.choice(('==', '!='))} '{random.choice(ALPHABET)}'",
                f"w[{one}] == '{random.choice(ALPHABET)}'",
                f"{one} {op} {other} + {offset}",
                f"2*{one} {op} 2*({other}) + {offset}",
                f"({random.choice((1, 2, -1))}*{one} + {offset}) % {random.randint(2, 3)} {op} {random.randint(0, 2)}",
            )
        )

    def formula(depth: int, known: str) -> str:
        if not known or (depth and random.random() < 0.6 and len(known) < len(names)):
            name, domain = names[len(known)], random.choice(("positions", "indices"))
            return f"{random.choice(('any', 'all'))}({formula(depth - 1, known + name)} for {name} in {domain})"
        if depth <= 0:
            return random.choice(("{}", "{}", "not {}")).format(f"({atom(known)})")
        return f"({formula(depth - 1, known)} {random.choice(('and', 'or'))} {formula(depth - 1, known)})"

    return formula(3, "")


@pytest.mark.parametrize("seed", range(12))
def test_so_do_sentences_of_drawn_formulas(seed: int) -> None:
    begin, end = MARKERS[seed % len(MARKERS)]
    assert wrong(drawn(seed), begin, end) is None, drawn(seed)


@pytest.mark.controls
@pytest.mark.parametrize("seed", range(100, 400))
def test_so_do_sentences_of_many_drawn_formulas(seed: int) -> None:
    begin, end = MARKERS[seed % len(MARKERS)]
    assert wrong(drawn(seed), begin, end) is None, drawn(seed)


REFUSED = {
    "log(n) > 2": "functions or parameters",
    "any(w[j + count('1')] == '1' for j in positions)": "compared with two of them",
    "any(j + k == n for k in positions)": "functions or parameters",
    "any(any(j + k == n for k in positions) for j in positions)": "positions with factors",
    "any(any(2*j == k for k in positions) for j in positions)": "positions with factors",
    "count('1', n/2) > 1": "up to what is no whole position",
    "n*n > 3": "a product of two numbers",
    "count('1')*count('0') > 3": "a product of two numbers",
    "any(any(count('1') > j - k for k in positions) for j in positions)": "compared with two of them",
    "any((count('1') + j) % 2 == 0 for j in positions)": "neither a position nor a number",
    "count('1') / n > 1/2": "a division",
    "sum(j for j in positions) > 3": "no truth value",
    "any(count('1') > 1 and w[j] == '1' for j in positions)": "of the whole word inside of a statement",
    "w[1] == w[2]": "two tokens that are not known",
    "n % 2 == count('1') % 2": "a remainder",
    "sum((sum((w[k] == '1') for k in positions) > 1) for j in positions) > 0": "a number of positions inside",
}


@pytest.mark.parametrize("formula", REFUSED)
def test_what_no_sentence_says_is_refused_in_one_line(formula: str) -> None:
    with pytest.raises(Underivable, match=REFUSED[formula]) as refused:
        read(Expression(formula))
    assert "\n" not in str(refused.value)
