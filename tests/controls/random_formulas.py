"""Random expressions in the language of the data, as text: weights, position encodings, scales, formulas over words.

Numbers are small, so that brute force is cheap, but for some that are longer than a word which anybody enumerates: 20
and 9 hide a mistake from all words of 8 symbols. Divisions by zero and powers without a value are drawn on purpose.
"""

from __future__ import annotations

import functools

from hypothesis import strategies as st

Text = st.SearchStrategy[str]

SIMPLE = ("1", "1", "1", "-1", "2", "-2", "1/2", "-1/2", "3", "0", "3/4")
PLACES = ("0", "1", "1", "2", "3", "5", "9", "20")


@st.composite
def of(draw: st.DrawFn, *shapes: str, **parts: Text) -> str:
    """One of the shapes, its braces filled with draws: of("({a} + {a})", a=...) draws twice."""
    shape = draw(st.sampled_from(shapes))
    for name, strategy in parts.items():
        while "{" + name + "}" in shape:
            shape = shape.replace("{" + name + "}", draw(strategy), 1)
    return shape


def often(common: Text, rare: Text, once_in: int = 6) -> Text:
    return st.integers(1, once_in).flatmap(lambda drawn: rare if drawn == once_in else common)


simple, places = st.sampled_from(SIMPLE), st.sampled_from(PLACES)


@functools.cache
def weights(parameters: tuple[str, ...]) -> Text:
    """Scalars that may use d and the parameters."""
    constants = of("sqrt(2)", "log(2)", "exp(1)", "sqrt(d)", "1/d", "d - {k}", "tanh(1)", "5", "(1/2)**{k}", k=places)
    if not parameters:
        return often(simple, constants, 12)
    shapes = (
        "{p}",
        "{p}",
        "{a}*{p}",
        "{p} - {k}",
        "1/{p}",
        "{a}/({p} - {k})",
        "{p}*sqrt(d)",
        "({p} > {k})",
        "exp({p})",
    )
    rare = ("sqrt({p})", "log({p})", "{p}**2", "({a})**{p}", "{p}**(0 - 1)", "tanh({p})", "({p} == {k})/({p} - {k})")
    spoken = of(*shapes, *shapes, *rare, p=st.sampled_from(list(parameters)), a=simple, k=places)
    return often(simple, often(spoken, constants))


POSITIONS = (
    "1", "i", "n", "1/n", "i/n", "n - {k}", "i - {k}", "(i == {k})", "(i == n - {k})", "(i < {k})", "(i >= {k})",
    "(i != {k})", "(2*i == n)", "(2*i < n)", "i*(n - 1 - i)", "cos(pi*i)", "cos(pi*(i + n))", "i % 2", "(i + n) % 3",
    "(i % 3 != 0)", "n % 2", "(n == {k})", "(n > {k} and i == 1)", "(not (i == {k}))",
)  # fmt: skip
CURVED = (
    "1/(n - {k})", "(n - {k})**(0 - 1)", "1/(i + 1)", "1/(i - {k})", "1/i", "(i == {k})/(i - {k})", "2**i", "(1/2)**i",
    "(-1)**i", "(-1/2)**i", "2**(0 - i)", "2**(n - i)", "i**2", "(i - {k})**2", "(1/2)**(n - 2*i)", "{k}**i",
    "(n - {k})**i", "sqrt(i)", "sqrt(n)", "log(n)", "log(i + 1)", "log(i)", "exp(i)", "1/(2*i - n)", "i % (n - {k})",
    "(n - {k})/(n - {k})", "n**(0 - 2)", "(i - {k})**(0 - 1)", "2**(i/2)", "i % 1", "tanh(i)", "(i + 1)**(0 - i)",
)  # fmt: skip


@functools.cache
def position_encodings(parameters: tuple[str, ...]) -> Text:
    """Functions of i, n, d and the parameters."""
    names = st.sampled_from([*parameters, "d"])
    spoken = (
        "(i == {p})",
        "(i > {p})",
        "{p}*i",
        "{p}/n",
        "(i % 2)*{p}",
        "{p}**i",
        "i/({p} + 1)",
        "1/({p} - i)",
        "n - {p}",
    )
    atoms = often(of(*POSITIONS, k=places), of(*CURVED, k=places), 3)
    atoms = often(atoms, of(*spoken, p=names), 4 if parameters else 20)
    joined = of("{a}*({b})", "{a} + {b}", "{a} - ({b})", "({a})*({b})", a=atoms, b=atoms)
    return often(atoms, joined)


@functools.cache
def scales(parameters: tuple[str, ...]) -> Text:
    rare = of("log(n)", "n", "1/(n - {k})", "1/sqrt(n)", "log(n)/sqrt(d)", "(n > {k})", "n**(0 - 1)", "0", k=places)
    return often(st.sampled_from(("1/sqrt(d)", "1/sqrt(d)", "1", "1", "2")), often(rare, weights(parameters), 3), 4)


INSIDE = st.sampled_from(
    ("0", "1", "2", "n - 1", "n - 2", "n/2", "n/2", "n", "n - 1 - 1/2", "-1", "20", "count({s})")
)  # fmt: skip
"""What a position is given by; some are no position, and hold no symbol."""


def some_symbol(alphabet: tuple[str, ...]) -> Text:
    """That a place holds a symbol: true of all long words, but for markers and for what is no position."""
    places = often(INSIDE, st.just("n/2"), 3).filter(lambda inside: "{" not in inside)
    return of(" or ".join(f"w[{{x}}] == {symbol!r}" for symbol in alphabet), x=places)


@functools.cache
def characterisations(alphabet: tuple[str, ...], parameters: tuple[str, ...]) -> Text:
    """Formulas over a word: counts, residues, tokens at fixed places, prefix counts, n, parameters, truth constants."""
    symbols = st.sampled_from([repr(symbol) for symbol in alphabet])
    numbers = often(places, st.sampled_from([*parameters, "n"]))
    compare = st.sampled_from((">", ">=", "==", "<", "!=", "<="))
    counting = (
        "count({s}) {r} {k}", "count({s}) {r} {k}", "count({s}) {r} count({s})", "count({s}) {r} {k}*count({s}) + {k}",
        "count({s}) % {m} == {k}", "n {r} {k}", "n % 2 == {k}", "count({s}, {x}) {r} {k}", "count({s}) > n/2",
        "count({s}) - count({s}) {r} {k}", "count({s})/n {r} 1/2",
    )  # fmt: skip
    placed = ("w[{x}] == {s}", "w[{x}] == {s}", "w[{x}] != {s}", "w[{x}] == w[{x}]", "w[{x}] != w[{x}]")
    quantified = (
        "all(count({s}, j) {r} count({s}, j) for j in positions)", "all(count({s}, j) {r} {k} for j in positions)",
        "all(w[j] == {s} for j in positions)", "any(w[j] == {s} and j {r} {k} for j in positions)",
        "all(w[j] == w[n - 1 - j] for j in positions)", "all(w[j/2] != {s} for j in positions)",
        "count({s}) == count({s}) and all(count({s}, j) <= count({s}, j) for j in positions)",
        "sum((w[j] == {s}) for j in positions) {r} {k}", "sum(j for j in positions) {r} {k}",
    )  # fmt: skip
    constant = ("n >= 1", "n >= 0", "0 == 1", "n < 1", "(n - {k})/(n - {k}) == 1", "1/(n - {k}) > 0", "2**n > {k}")
    shapes = (*counting, *counting, *placed, *quantified, *constant)
    moduli = st.sampled_from(("2", "2", "3", "5", "1"))
    # {x} may itself name a symbol, so that it is filled before {s}
    atoms = of(*shapes, x=INSIDE, s=symbols, k=numbers, r=compare, m=moduli)
    return often(atoms, of("({a}) and ({b})", "({a}) or ({b})", "not ({a})", a=atoms, b=atoms), 5)
