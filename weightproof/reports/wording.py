"""Words in which formulas stand as they are typed, as 2^24, h_t or exp(-B), in pieces: what is a formula is set as one,
what stands between quotes is code. Terminals have the words as they are.

A formula is read from the left as far as it goes, by the grammar below, and written sign by sign; nothing is
rearranged. One letter is a symbol, unless it is the article; a number alone stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from weightproof.document.blocks import Code, Math, Span, Spans, Styled
from weightproof.symbolic.writing.latex import identifier, indicator

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?=[a-rt-z]\b|(?![\w.]*[A-Za-z])))|(?P<name>[A-Za-z]\w*)|(?P<dots>\.\.\.)"
    r"|(?P<sign>\*\*|[<>!]=|[-+*/^=<>(),\[\]]))"
)
QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
TYPED = re.compile(r"""(?<!\w)('[^']+'|"'"|#+)(?!\w)""")
"""A symbol or a word in the name of a case, as programs type it; and the marker before a word."""
BEGINS = re.compile(r"(?<![\w./'-])(?<!appendix )(?=[-\w(\[])")
"""Where a formula may begin: not within a word, a number or a name with points."""
ARTICLE = re.compile(r"[aA](?= (?!and [a-z]\b)\w\w)|[aA](?= \w-)|I(?= )")
"""What is one letter and no symbol."""
RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "!=": r"\ne"}
FUNCTIONS = {name: rf"\{name}" for name in ("exp", "cos", "sin", "log", "min", "max", "gcd")}
SYMBOL = re.compile(r"[A-Za-z]\d*(?:_[A-Za-z0-9]+)*_?|pi")
"""A name in a formula; with _ at its end, what stands behind it in brackets is its index."""
FACTOR = re.compile(r"[a-rt-z]\b")
"""What a number is multiplied by, as in 2k; the s of 1s is none."""
NUMBERED = re.compile(r"([A-Za-z])_(\d+)")
DOTTED = re.compile(r", \.\.\.,(?= )")
GOES_ON = re.compile(r"[\w']|-\w\w|[./]\w")
"""What stands behind the first letters of a longer word, or of a number with points."""
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Read:
    """A part of a formula; end: where it ends in the text; of_signs: it is more than a letter or a number."""

    tex: str
    end: int
    of_signs: bool = False


def worded(text: str) -> Spans:
    """The pieces of a text."""
    return tuple(_pieces(text))


def case(name: str) -> Spans:
    """The name of a case of a proof or a derivation, as load, '0' first: symbols are code, with their quotes, as one
    may be a blank."""
    return tuple(Code(part) if place % 2 else part for place, part in enumerate(TYPED.split(name)) if part)


def headed(name: str) -> Spans:
    """The same where it begins a line."""
    return case(f"{name[:1].upper()}{name[1:]}")


def leading(name: str) -> Spans:
    """The same where it stands before its paragraph, as a sentence."""
    return tuple(Styled(part) if isinstance(part, str) else part for part in headed(f"{name}."))


def _pieces(text: str) -> Iterator[Span]:
    place = 0
    for quoted in QUOTED.finditer(text):
        yield from _formulas(text[place : quoted.start()])
        yield Code(quoted[1])
        place = quoted.end()
    yield from _formulas(text[place:])


def _formulas(text: str) -> Iterator[Span]:
    place = begun = 0
    while (begins := BEGINS.search(text, begun)) is not None:
        start = begins.start()
        found = _formula(text, start)
        if found is None:
            begun = _behind_word(text, start)
            continue
        if text[place:start]:
            yield text[place:start]
        yield Math(found.tex, text[start : found.end])
        place = begun = found.end
    if text[place:]:
        yield text[place:]


def _behind_word(text: str, start: int) -> int:
    word = WORD.match(text, start)
    return word.end() if word else start + 1


def _formula(text: str, start: int) -> Read | None:
    """What begins there, if it is a formula: nothing that a word goes on behind, and no number alone."""
    if ARTICLE.match(text, start) and (_relation(text, start) or Read("", 0)).end <= start + 1:
        return None
    found = _relation(text, start)
    if found is None or GOES_ON.match(text, found.end):
        return None
    return found if found.of_signs or found.tex[-1:].isalpha() or "_" in found.tex else None


def _next(text: str, place: int) -> tuple[str, str, int]:
    """Kind and text of the next sign, and where it ends."""
    found = TOKEN.match(text, place)
    return ("", "", place) if found is None else (str(found.lastgroup), found[str(found.lastgroup)], found.end())


def _relation(text: str, place: int) -> Read | None:
    """Sums between signs of relation; the last one may be the beginning and the end of a list, as 1, ..., n."""
    found = _sum(text, place)
    while found is not None:
        _, sign, after = _next(text, found.end)
        dots = DOTTED.match(text, found.end)
        if dots is not None and (more := _sum(text, dots.end())) is not None:
            return Read(rf"{found.tex}, \dots, {more.tex}", more.end, True)
        right = _sum(text, after) if sign in RELATIONS else None
        if right is None:
            return found
        found = Read(f"{found.tex} {RELATIONS[sign]} {right.tex}", right.end, True)
    return None


def _sum(text: str, place: int) -> Read | None:
    _, sign, after = _next(text, place)
    minus = sign == "-" and not text[after : after + 1].isspace()
    found = _product(text, after if minus else place)
    if found is not None and minus:
        found = Read(f"-{found.tex}", found.end, True)
    while found is not None:
        _, sign, after = _next(text, found.end)
        right = _product(text, after) if sign in ("+", "-") else None
        if right is None:
            return found
        found = Read(f"{found.tex} {sign} {right.tex}", right.end, True)
    return None


def _product(text: str, place: int) -> Read | None:
    found = _power(text, place)
    while found is not None:
        _, sign, after = _next(text, found.end)
        if FACTOR.match(text, found.end) and found.tex.isdigit():
            sign, after = "*", found.end
        right = _power(text, after) if sign in ("*", "/", "mod") else None
        if right is None or (sign == "/" and found.tex.isdigit() and right.tex.isdigit()):  # sizes, as 1/2/2
            return found
        between = {"/": "/", "mod": r" \bmod "}.get(sign, r" \cdot " if right.tex[:1].isdigit() else r"\,")
        found = Read(f"{found.tex}{between}{right.tex}", right.end, True)
    return None


def _power(text: str, place: int) -> Read | None:
    found = _atom(text, place)
    if found is None:
        return None
    _, sign, after = _next(text, found.end)
    if sign not in ("**", "^"):
        return found
    _, minus, behind = _next(text, after)
    exponent = _atom(text, behind if minus == "-" else after)
    if exponent is None:
        return None
    return Read(f"{found.tex}^{{{minus if minus == '-' else ''}{exponent.tex}}}", exponent.end, True)


def _atom(text: str, place: int) -> Read | None:
    kind, sign, after = _next(text, place)
    if kind == "number":
        return Read(sign, after)
    if sign in FUNCTIONS and text[after : after + 1] == "(":
        inner = _list(text, after + 1, ")")
        return None if inner is None else Read(rf"{FUNCTIONS[sign]}({inner.tex})", inner.end, True)
    if kind == "name" and SYMBOL.fullmatch(sign):
        return _symbol(text, sign, after)
    if sign in ("(", "["):
        inner = _list(text, after, {"(": ")", "[": "]"}[sign])
        if inner is None:
            return None
        compares = any(f" {relation} " in inner.tex for relation in RELATIONS.values())
        if sign == "[":
            return Read(indicator(inner.tex) if compares else f"[{inner.tex}]", inner.end, True)
        return Read(f"({inner.tex})", inner.end, inner.of_signs)
    return None


def _symbol(text: str, name: str, after: int) -> Read | None:
    if (numbered := NUMBERED.fullmatch(name)) is not None:
        return Read(f"{numbered[1]}_{{{numbered[2]}}}", after, True)
    if not name.endswith("_"):
        return Read("e" if name == "e" else identifier(name), after, "_" in name)
    if text[after : after + 1] != "(":
        return None
    inner = _list(text, after + 1, ")")
    return None if inner is None else Read(f"{identifier(name[:-1])}_{{{inner.tex}}}", inner.end, True)


def _list(text: str, place: int, closing: str) -> Read | None:
    """Up to a bracket that closes it, which is read, too."""
    parts: list[str] = []
    of_signs = False
    while True:
        kind, _, after = _next(text, place)
        found = Read(r"\dots", after) if kind == "dots" else _relation(text, place)
        if found is None:
            return None
        parts.append(found.tex)
        of_signs |= found.of_signs or len(parts) > 1
        _, sign, place = _next(text, found.end)
        if sign == closing:
            return Read(", ".join(parts), place, of_signs)
        if sign != ",":
            return None
