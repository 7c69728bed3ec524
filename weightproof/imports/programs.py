"""A C-RASP program as a Python file that defines the construction which it is compiled to: the program as a function,
the formula of its language, and every weight.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weightproof.constructions.crasp.compiling import compiled_file
from weightproof.constructions.crasp.program import (
    And,
    Back,
    Boolean,
    Comparison,
    Conditional,
    Count,
    Difference,
    Extreme,
    Line,
    Multiple,
    Not,
    Number,
    Or,
    Program,
    Residue,
    Sum,
    Symbol,
    Truth,
    UpTo,
)
from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Paragraph, Plain, pairs
from weightproof.imports.writing import Nested, laid_out, python, written
from weightproof.reported import Reported

TAKEN = ("word", "i", "sum", "min", "max", "len", "range")
"""What the function itself uses."""


@dataclass(frozen=True, repr=False)
class Compiled(Reported):
    """file: where it was written, None where it was not; text: what was, or would be."""

    construction: Construction
    text: str
    file: Path | None

    def report(self) -> Iterator[Plain]:
        sizes = [f"{size} {what}{'' if size == 1 else 's'}" for what, size in self._sizes.items()]
        yield Paragraph(f"{self.construction.name}: {', '.join(sizes)}")
        yield pairs([("accepts", str(self.construction.language.characterisation))])
        if self.file is not None:
            yield Paragraph(f"written to {self.file}; prove it with: weightproof prove {self.file}")

    @property
    def _sizes(self) -> dict[str, int]:
        layers = self.construction.encoder.layers
        heads = sum(len(layer.heads) for layer in layers)
        return {"layer": len(layers), "head": heads, "coordinate": len(self.construction.encoder.coordinates)}

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.construction.name,
            "file": None if self.file is None else str(self.file),
            "alphabet": list(self.construction.alphabet),
            "characterisation": str(self.construction.language.characterisation),
            **{f"{what}s": size for what, size in self._sizes.items()},
            "python": self.text,
        }


def compiled(given: Path, to: Path | None = None) -> Compiled:
    """Compile a program, and write it to a Python file that is not there yet, where one is named; InputError in one
    line where that cannot be done."""
    if to is not None and to.suffix != ".py":
        raise InputError(f"-o {to}: the construction is written as Python; name a FILE.py")
    if to is not None and to.exists():
        raise InputError(f"-o {to}: the file is there already; name another one, or remove it")
    program, construction = compiled_file(given)
    text = python(construction, _head(given, program, construction))
    if to is not None:
        try:
            write(to, text)
        except OSError as error:
            raise InputError(f"-o {to}: {error.strerror}; name a file that can be written") from error
    return Compiled(construction, text, to)


def _head(given: Path, program: Program, construction: Construction) -> str:
    """Python that defines `language`."""
    language = construction.language
    made = Nested(
        "Language(",
        (
            ("name=", written(language.name)),
            ("alphabet=", written(language.alphabet)),
            ("member=", "accepts"),
            ("characterisation=", written(language.characterisation)),
            ("description=", written(language.description)),
        ),
        ")",
    )
    lines = [f"    {line}" for line in _Function(program).lines()]
    source = given.read_text(encoding="utf-8").rstrip().splitlines()
    quoted = "\n".join(f"#     {line}".rstrip() for line in source)
    return (
        f"# Compiled from {given.name}:\n#\n{quoted}\n\nfrom weightproof import Language\n\n\n"
        "def accepts(word: str) -> bool:\n"
        '    """Whether the last line of the program is true at the last position of the word."""\n'
        + "\n".join(lines)
        + f"\n\n\nlanguage = {laid_out(made, 0, len('language = '))}\n"
    )


class _Function:
    """The lines of a function of a word that computes, for each line of a program, its values at all positions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: dict[str, str] = {}
        self.written: list[str] = []

    def lines(self) -> list[str]:
        for definition in self.program.definitions:
            self.add(definition.name, self.at(definition.value))
        last = self.names[self.program.definitions[-1].name]
        return [*self.written, f'return word != "" and {last}[-1]']

    def add(self, name: str, value: str) -> str:
        """A list of the values of an expression in i; what it is called."""
        called = name
        while called in (*TAKEN, *self.names.values()) or keyword.iskeyword(called):
            called += "_"
        self.names[name] = called
        self.written.append(f"{called} = [{_bare(value)} for i in range(len(word))]")
        return called

    def at(self, value: Boolean | Count) -> str:
        """Its value at position i; in brackets, where it needs them inside of another one."""
        match value:
            case Symbol(symbol=symbol):
                return f"(word[i] == {written(symbol)})"
            case Truth(value=truth):
                return str(truth)
            case Residue(modulus=modulus, remainder=remainder):
                return f"(i % {modulus} == {remainder})"
            case Line(name=name):
                return f"{self.names[name]}[i]"
            case Not(part=part):
                return f"(not {self.at(part)})"
            case And(left=left, right=right):
                return f"({self.at(left)} and {self.at(right)})"
            case Or(left=left, right=right):
                return f"({self.at(left)} or {self.at(right)})"
            case Comparison(left=left, comparator=comparator, right=right):
                return f"({self.at(left)} {comparator} {self.at(right)})"
            case Number(value=number):
                return str(number)
            case UpTo(part=part, strict=strict):
                up_to = "[:i]" if strict else "[: i + 1]"
                if part == Truth(True):
                    return "i" if strict else "(i + 1)"
                if isinstance(part, Symbol):
                    return f"word{up_to}.count({written(part.symbol)})"
                return f"sum({self.all(part)}{up_to})"
            case Back(part=part, distance=distance):
                if isinstance(part, Symbol):
                    return f"(1 if i >= {distance} and word[i - {distance}] == {written(part.symbol)} else 0)"
                return f"(1 if i >= {distance} and {self.all(part)}[i - {distance}] else 0)"
            case Conditional(then=then, condition=condition, otherwise=otherwise):
                return f"({self.at(then)} if {self.at(condition)} else {self.at(otherwise)})"
            case Sum(left=left, right=right):
                return f"({self.at(left)} + {self.at(right)})"
            case Difference(left=left, right=right):
                return f"({self.at(left)} - {self.at(right)})"
            case Multiple(factor=factor, part=part):
                return f"{factor} * {self.at(part)}"
            case Extreme(which=which, left=left, right=right):
                return f"{which}({self.at(left)}, {self.at(right)})"

    def all(self, part: Boolean) -> str:
        """The name of the list of its values."""
        if isinstance(part, Line):
            return self.names[part.name]
        return self.add(f"part_{len(self.written)}", self.at(part))


def _bare(text: str) -> str:
    """Without brackets around all of it."""
    try:
        inside = ast.parse(text[1:-1], mode="eval").body if text.startswith("(") else None
    except SyntaxError:
        return text
    return text if inside is None or ast.dump(inside) != ast.dump(ast.parse(text, mode="eval").body) else text[1:-1]
