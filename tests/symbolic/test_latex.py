"""Expressions as LaTeX: what is written is read back by a reader of its own, and evaluated."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest
import sympy
from flint import fmpq

from tests.support.derived import ALL_STATED, derivation_of
from tests.support.expressions import drawn
from tests.support.latex_reader import Reader, Unread
from tests.support.read_back.points import Point
from weightproof.constructions.languages.membership import is_member
from weightproof.constructions.library import load, load_claims, names
from weightproof.constructions.meaning.interpreter import add_markers
from weightproof.constructions.meaning.running import parameter_values, run
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.exact import Real, log, sign
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.formulas import holds
from weightproof.proofs.solving.latex import conditions
from weightproof.symbolic.algebra.linear import linear_form
from weightproof.symbolic.algebra.vocabulary import n
from weightproof.symbolic.derivation import Applied, DotProduct, OverPositions, Quotient
from weightproof.symbolic.writing import latex, latex_source
from weightproof.symbolic.writing.breakable import Terms, Written
from weightproof.symbolic.writing.presentation import logit

LONGEST = 4
DEFAULTS: dict[str, Real] = {"c": log(fmpq(2)), "D": fmpq(3)}


def words(name: str) -> list[str]:
    alphabet = load(name).language.alphabet
    return ["".join(w) for length in range(LONGEST + 1) for w in itertools.product(alphabet, repeat=length)]


def marked(name: str, word: str) -> tuple[str, ...]:
    network = load(name).network
    assert isinstance(network, Encoder)
    return add_markers(network, word)


def reader(name: str, word: str, text: str, more: dict[str, Real] | None = None) -> Reader:
    tokens = marked(name, word)
    known: dict[str, Real] = {"n": fmpq(len(tokens)), "d": fmpq(len(load(name).network.coordinates))}
    return Reader(text, tokens, load(name).language.alphabet, {**DEFAULTS, **known, **(more or {})})


def evaluated(name: str, word: str, written: Written, more: dict[str, Real] | None = None) -> Real:
    if isinstance(written, Terms):
        return reader(name, word, str(written), more).value()
    for value, condition in written.rows:
        if condition == r"\text{otherwise}" or reader(name, word, condition, more).truth():
            return reader(name, word, value, more).value()
    return fmpq(0)


@pytest.mark.parametrize("name", names())
def test_the_printed_closed_form_has_the_logit_of_the_exact_run(name: str) -> None:
    derived = derivation_of(name)
    vocabulary = derived.vocabulary
    totals = {str(symbol): latex.explicit_sum(total, vocabulary) for symbol, total in derived.sums.items()}
    forms = (latex.written(logit(derived), vocabulary), latex.terms(logit(derived), vocabulary))
    for word in words(name):
        sums: dict[str, Real] = {}
        for symbol, written in totals.items():
            sums[symbol] = evaluated(name, word, written, sums)
        for form in forms:
            assert sign(evaluated(name, word, form, sums) - run(load(name), word).logit) == 0, (word, str(form))


@pytest.mark.parametrize("name", names())
def test_the_printed_language_is_the_language(name: str) -> None:
    construction = load(name)
    text = latex_source.source(construction.language.characterisation)
    assert text == " ".join(latex_source.pieces(construction.language.characterisation))
    values = parameter_values(construction)
    for word in words(name):
        assert reader(name, word, text).truth() == is_member(construction, word, values), word


@pytest.mark.parametrize("name", names())
def test_every_printed_weight_has_the_value_of_the_data(name: str) -> None:
    from weightproof.constructions.meaning.record import record
    from weightproof.constructions.scalars.values import evaluate

    construction = load(name)
    tokens = marked(name, "01")
    exact = {**parameter_values(construction), "n": fmpq(len(tokens)), "i": fmpq(1)}
    exact["d"] = fmpq(len(construction.network.coordinates))

    def scalars(data: Any) -> Any:
        match data:
            case dict():
                return itertools.chain.from_iterable(map(scalars, data.values()))
            case list() | tuple():
                return itertools.chain.from_iterable(map(scalars, data))
        return [data] if isinstance(data, str) else []

    network = record(construction)["network"]
    read = 0
    for source in set(scalars([network["embedding"], network["layers"], network["readout"]["W"]])):
        try:
            value = evaluate(Expression(source), exact)
        except (ValueError, KeyError, ArithmeticError):  # a name, not a number
            continue
        text = latex_source.scalar(Expression(source))
        found = reader(name, "01", text, {"i": fmpq(1)}).value()
        assert sign(found - value) == 0, (source, text)
        read += 1
    assert read > 2


def expressions(data: Any) -> Iterator[Expression]:
    """All that a theorem or a claim says in the language of the data."""
    match data:
        case Expression():
            yield data
        case tuple() | list():
            for part in data:
                yield from expressions(part)
        case Mapping():
            yield from expressions(tuple(data.values()))
        case _ if is_dataclass(data):
            yield from expressions([getattr(data, field.name) for field in fields(data)])


def test_all_that_is_stated_reads_back() -> None:
    """Theorems, their invariants and claims, of words and at places of them, whatever the names are."""
    compared = 0
    for name, (construction, theorems) in ALL_STATED.items():
        alphabet, network = construction.language.alphabet, construction.network
        claims = load_claims(name) if name in names() else None
        stated = dict.fromkeys(expressions((theorems, () if claims is None else claims.claims)))
        for expression in stated if isinstance(network, Encoder) else ():
            for word in ("", alphabet[0] + alphabet[-1], alphabet[-1] * 2 + alphabet[0]):
                tokens = add_markers(network, word)
                values = {name: fmpq(2 + place) for place, name in enumerate(sorted(expression.names))}
                point = Point(tokens, alphabet, values | {"n": fmpq(len(tokens))})
                read = Reader(latex_source.scalar(expression), tokens, alphabet, point.names)
                try:
                    wanted = point.value(expression.source)
                except (ArithmeticError, TypeError):  # a logarithm of 0; a name that is a symbol
                    continue
                assert sign(read.value() - wanted) == 0, (name, expression, read.text)
                compared += 1
    assert compared > 500


@pytest.mark.parametrize("name", names())
def test_every_value_is_balanced(name: str) -> None:
    derived = derivation_of(name)
    values = [step.after for step in derived.steps]
    for step in derived.steps:
        match step.before:
            case OverPositions(summands=summands):
                values += [value for _, value in summands]
            case Quotient(numerator=above, denominator=below):
                values += [above, below]
            case DotProduct(scale=scale, factors=factors):
                values += [scale, *(value for pair in factors for value in pair)]
            case Applied(argument=argument, scale=scale):
                values += [argument, scale]
            case before:
                values.append(before)
    for value in values:
        for text in map(str, (latex.written(value, derived.vocabulary), latex.terms(value, derived.vocabulary))):
            assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}"), text
            assert text.count("(") == text.count(")"), text
            assert re.findall(r"\\begin", text) == [r"\begin"] * len(re.findall(r"\\end", text))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("c*sqrt(d)", r"c\,\sqrt{d}"),
        ("-1/2", r"-\frac{1}{2}"),
        ("-(n - 1)*i/2", r"-\frac{(n - 1)\,i}{2}"),
        ("(i == n - 1)", r"i = n - 1"),
        ("1*(i == n - 1)", r"1\,\mathbb{I}[i = n - 1]"),
        ("cos(pi*i)", r"\cos(\pi\,i)"),
        ("sin(i*pi)", r"\sin(i\,\pi)"),
        ("cos(2*pi*k/p)", r"\cos\left(\frac{2\,\pi\,k}{p}\right)"),
        ("W_h1_x + f_begin", r"W_{\texttt{h1}, \texttt{x}} + f_{\texttt{begin}}"),
        ("2*(n - 1)/3", r"\frac{2 (n - 1)}{3}"),
        ("2*3", r"2 \cdot 3"),
        ("count('a')*(n - 1)", r"k_{\texttt{a}} \cdot (n - 1)"),
        ("count('(')*(n - 1)", r"k_{\texttt{(}} \cdot (n - 1)"),
        ("count(' ')*R1*(n - 1)", r"k_{\sqcup}\,R_{1} \cdot (n - 1)"),
        ("count('_', n - 1)", r"k_{\texttt{\_}}(n - 1)"),
        ("S1*j*n", r"S_{1}\,j\,n"),
        ("2*n*(n - 1)", r"2 n\,(n - 1)"),
        ("n - (i - 1)", "n - (i - 1)"),
        ("n*(-i)", r"n\,(-i)"),
        ("-(n - 1)*i", "-(n - 1)\\,i"),
        ("exp(-c)**2", "(e^{-c})^{2}"),
        ("(-1)**(i + 1)", "(-1)^{i + 1}"),
        ("not (n > 1 and n < 3) or n % 3 == 1", r"\lnot (n > 1 \land n < 3) \lor n \equiv 1 \ (\mathrm{mod}\ 3)"),
        ("all(w[j] == 'a' or j > 2 for j in positions)", r"\forall j\colon (w_{j} = \texttt{a} \lor j > 2)"),
        ("n % 3 == 4 and n % 2 == i", r"n \bmod 3 = 4 \land n \bmod 2 = i"),
        ("all(j > 2 for j in positions) and n > 2", r"(\forall j\colon j > 2) \land n > 2"),
        ("sum(i*j for j in positions)", r"\sum_{j} i\,j"),
        ("sum(i*j for j in indices)", r"\sum_{j=0}^{n-1} i\,j"),
        ("any(j > 2 for j in indices)", r"\exists j \in \{0, \dots, n-1\}\colon j > 2"),
        ("a*d_h - W_Q", r"a\,d_{h} - W_{Q}"),
        ("x2*x_2*w_*w2*k3*e*exp(1)", r"x_{2}\,\text{x\_2}\,\text{w\_}\,\mathtt{w2}\,\mathtt{k3}\,\mathtt{e}\,e^{1}"),
        ("matches('(a_b)*') and n > 1", r"w \text{ matches } \texttt{(a\_b)*} \land n > 1"),
        (r"not matches('\\[a|b{2}')", r"\lnot w \text{ matches } \texttt{\textbackslash{}[a|b\{2\}}"),
        ("matches('')", r"w \text{ matches } \varepsilon"),
        (
            "count('ab', j) > 1",
            r"\sum_{k} \mathbb{I}[w_{k - 1} = \texttt{a} \land w_{k} = \texttt{b} \land k \le j] > 1",
        ),
        ("so_far and S1 < S2_next", r"\text{so far} \land S_{1} < S_{2}^{\text{next}}"),
    ],
)
def test_what_is_written_in_the_data_is_printed_as_it_stands(text: str, written: str) -> None:
    assert latex_source.source(Expression(text)) == written


def test_conditions_are_joined_on_their_axes_and_ranges_left_out() -> None:
    residue = sympy.Mod(n, 2, evaluate=False)
    forms = [linear_form(form) for form in (n - 3, 3 - n, residue, 1 - residue, sympy.Symbol("D", integer=True) - 1)]
    found = conditions([form for form in forms if form is not None], symbols=2)
    assert sorted((str(one.axis.expression()), one.lo, one.hi) for one in found) == [("D", 1, None), ("n", 3, 3)]


def test_the_reader_refuses_what_it_does_not_know() -> None:
    for text in (r"\unknown", "k_{1", "n n )", "x"):
        with pytest.raises((Unread, KeyError)):
            Reader(text, ("a",), ("a",), {"n": fmpq(1)}).value()


@pytest.mark.parametrize("seed", range(20))
def test_expressions_and_counts_of_several_symbols_read_back(seed: int) -> None:
    """Over an alphabet of signs that LaTeX or regular expressions have their own meaning for."""
    symbols, random = "\\^{", Random(seed)
    pattern = drawn(seed, symbols)
    counted = "".join(random.choices(symbols, k=random.randint(2, 3)))
    text = f"matches({pattern!r}) or count({counted!r}, n - 2) > count({counted[::-1]!r})"
    printed = latex_source.source(Expression(text))
    for word in itertools.product(symbols, repeat=4):
        tokens = ("CLS", *word)
        read = Reader(printed, tokens, tuple(symbols), {"n": fmpq(len(tokens))})
        assert read.truth() == holds(Expression(text), {}, tokens, tuple(symbols)), (printed, word)
