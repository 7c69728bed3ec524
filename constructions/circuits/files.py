"""Circuits as people write them: the ASCII form of AIGER (http://fmv.jku.at/aiger), and gates on a line.

aag 3 2 0 1 1     the greatest variable, and how many inputs, latches, outputs and ANDs there are
2                 a line for each input, a variable: its number, doubled
4
7                 a line for each output, a literal: a variable, doubled, and 1 more where it is inverted; or 0, or 1
6 2 5             a line for each AND, in any order: its variable, doubled, and the two literals that it reads
i0 first          names, which are not used here
c
title             comments

NOT(1) AND(1,3)   gates, numbered behind the inputs

A circuit of ours has AND and NOT alone: an inverted variable is one NOT, wherever it is read; 0 is AND(x, NOT x) of the
first input, and 1 is its NOT.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NoReturn

from weightproof.constructions.circuits.circuit import Circuit, Gate, conjunction, negation
from weightproof.constructions.meaning.inputs import InputError

SHIPPED = ("full-adder", "majority-of-3", "parity-of-4", "two-bit-multiplier", "two-bit-comparator")
SUFFIXES = (".aag", ".aig")
HEADER = ("variables", "inputs", "latches", "outputs", "ANDs")
NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
"""More digits than that name no wire of any circuit that fits in memory."""
SYMBOL = re.compile(r"([ilobcjf])(0|[1-9][0-9]{0,8}) .+", re.ASCII)
GATE = re.compile(r"NOT\((?P<not>[1-9][0-9]{0,8})\)|AND\((?P<a>[1-9][0-9]{0,8}),(?P<b>[1-9][0-9]{0,8})\)", re.ASCII)


def find_circuit(argument: str) -> Circuit | None:
    """The shipped circuit of that name, or the one of that file; None where the argument names no circuit. InputError
    for a malformed one."""
    if argument in SHIPPED:
        return read_circuit(Path(__file__).parent / "shipped" / f"{argument}.aag")
    return read_circuit(Path(argument)) if argument.endswith(SUFFIXES) else None


def written(text: str, inputs: int) -> Circuit:
    """The circuit that a line like "NOT(1) AND(1,2)" writes, named by it; InputError for any other line, and for a gate
    that reads what does not stand before it."""
    gates, words = [], [] if text.split() == NO_GATE.split() else text.split()
    for word in words:
        found = GATE.fullmatch(word)
        if found is None:
            raise InputError(f"{word!r} is no gate; write gates like NOT(1) AND(1,2), with one space between them")
        parts = found.groupdict()
        gates.append(negation(int(parts["not"])) if parts["not"] else conjunction(int(parts["a"]), int(parts["b"])))
    return Circuit(" ".join(words) or NO_GATE, inputs, tuple(gates))


def read_circuit(path: Path) -> Circuit:
    """The circuit of an AIGER file, named like the file, and titled by its first comment; InputError with the line of
    what is wrong."""
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else " ".join(str(error).split())
        raise InputError(f"{path}: {reason}; name a circuit's AIGER file") from error
    if content.startswith(b"aig"):
        raise InputError(f"{path}:1: binary AIGER; convert it by `aigtoaig {path.stem}.aig {path.stem}.aag`")
    try:
        return _Reader(path, content.decode("utf-8").rstrip().split("\n")).circuit()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is no text: {error.reason}; name a circuit's AIGER file") from error


@dataclass(frozen=True)
class _And:
    """A gate of the file: its variable, the two literals that it reads, and where it stands."""

    variable: int
    reads: tuple[int, int]
    line: int


@dataclass(frozen=True)
class _Reader:
    path: Path
    lines: Sequence[str]

    def refuse(self, line: int, message: str) -> NoReturn:
        raise InputError(f"{self.path}:{line}: {message}")

    def circuit(self) -> Circuit:
        greatest, inputs, outputs, ands = self.header()
        most, first = 2 * greatest + 1, 2
        defined: dict[int, int] = {}
        for line in range(first, first + inputs):
            [literal] = self.literals(line, 1, "an input", most)
            self.define(defined, literal, line, "an input")
        first += inputs
        read = {line: self.literals(line, 1, "an output", most)[0] for line in range(first, first + outputs)}
        first += outputs
        gates: dict[int, _And] = {}
        for line in range(first, first + ands):
            literal, a, b = self.literals(line, 3, "an AND", most)
            self.define(defined, literal, line, "an AND")
            gates[literal // 2] = _And(literal // 2, (a, b), line)
        title = self.title(first + ands, inputs, outputs)
        for line, literals in [
            *((gate.line, gate.reads) for gate in gates.values()),
            *((n, (x,)) for n, x in read.items()),
        ]:
            for literal in literals:
                if literal > 1 and literal // 2 not in defined:
                    self.refuse(line, f"literal {literal} is read, but no input and no AND is variable {literal // 2}")
        made = _Wires([variable for variable, line in defined.items() if line < 2 + inputs])
        for gate in self.sorted(gates):
            made.add(gate.variable, *gate.reads)
        wires = tuple(map(made, read.values()))
        return Circuit(self.path.stem, inputs, tuple(made.gates), wires, title)

    def header(self) -> tuple[int, int, int, int]:
        """The greatest variable, and how many inputs, outputs and ANDs there are."""
        name, *fields = self.lines[0].split() if self.lines and self.lines[0].strip() else [""]
        if name != "aag":
            self.refuse(1, "an ASCII AIGER file begins with 'aag' and its five numbers")
        if len(fields) != len(HEADER) or not all(map(NUMBER.fullmatch, fields)):
            self.refuse(1, f"write 'aag' and five numbers: the greatest variable, {', '.join(HEADER[1:])}")
        greatest, inputs, latches, outputs, ands = map(int, fields)
        if latches:
            self.refuse(1, f"it has latches, {latches} of them; a circuit remembers nothing, give one without")
        if not inputs:
            self.refuse(1, "a circuit without inputs gives the network nothing to begin with; give it one")
        if greatest < inputs + ands:
            self.refuse(1, f"the greatest variable is {greatest}, but {inputs} inputs and {ands} ANDs have one each")
        return greatest, inputs, outputs, ands

    def literals(self, line: int, count: int, what: str, most: int) -> list[int]:
        """Those of a line, which is said to be that of an input, of an output or of an AND."""
        if line > len(self.lines):
            self.refuse(len(self.lines), f"the file ends here, where the header in line 1 promises {what}")
        fields = self.lines[line - 1].split()
        if len(fields) != count or not all(map(NUMBER.fullmatch, fields)):
            wanted = "one literal" if count == 1 else "its literal and the two that it reads"
            self.refuse(line, f"{self.lines[line - 1]!r} is not {what}; write {wanted}")
        found = [int(field) for field in fields]
        for literal in found:
            if literal > most:
                self.refuse(line, f"literal {literal} is beyond {most}, of the greatest variable of the header")
        return found

    def define(self, defined: dict[int, int], literal: int, line: int, what: str) -> None:
        """From now on, the line of a variable is known."""
        if literal < 2:
            self.refuse(line, f"literal {literal} is a constant, not {what}")
        if literal % 2:
            self.refuse(line, f"literal {literal} is inverted; {what} has an even one")
        if literal // 2 in defined:
            self.refuse(line, f"literal {literal} is defined again; line {defined[literal // 2]} defines it")
        defined[literal // 2] = line

    def title(self, first: int, inputs: int, outputs: int) -> str:
        """The first line of the comments, behind the names."""
        for line in range(first, len(self.lines) + 1):
            text = self.lines[line - 1]
            if text.rstrip() == "c":
                return "".join(filter(str.isprintable, "".join(self.lines[line : line + 1]).strip()))
            symbol = SYMBOL.fullmatch(text)
            if symbol is None:
                self.refuse(line, f"{text!r} is no name like 'i0 x', and no comment has begun, by a line 'c'")
            if int(symbol[2]) >= {"i": inputs, "o": outputs}.get(symbol[1], 0):
                self.refuse(line, f"a name for {symbol[1]}{symbol[2]}; there are {inputs} inputs and {outputs} outputs")
        return ""

    def sorted(self, gates: Mapping[int, _And]) -> Iterator[_And]:
        """Each behind those that it reads, and otherwise as they stand."""
        behind = {gate.variable: [x // 2 for x in gate.reads if x // 2 in gates] for gate in gates.values()}
        try:
            TopologicalSorter(behind).prepare()
        except CycleError as error:
            circle = error.args[1]
            names = " -> ".join(map(str, circle))
            self.refuse(min(gates[variable].line for variable in circle), f"a cycle of the variables {names}")
        done: set[int] = set()
        for variable in gates:
            waiting = [variable]
            while waiting:
                missing = [x for x in behind[waiting[-1]] if x not in done]
                if missing:
                    waiting.extend(reversed(missing))
                    continue
                last = waiting.pop()
                if last not in done:
                    done.add(last)
                    yield gates[last]


class _Wires:
    """The wires of literals; what is missing for one becomes gates."""

    def __init__(self, inputs: Sequence[int]) -> None:
        self.inputs, self._first = len(inputs), 2 * inputs[0]
        self.gates: list[Gate] = []
        self._known = {2 * variable: number for number, variable in enumerate(inputs, start=1)}

    def add(self, variable: int, a: int, b: int) -> None:
        self._known[2 * variable] = self._gate(conjunction(self(a), self(b)))

    def __call__(self, literal: int) -> int:
        if literal == 0:
            return self._made(0, lambda: conjunction(1, self(self._first + 1)))
        return self._made(literal, lambda: negation(self(literal - 1))) if literal % 2 else self._known[literal]

    def _made(self, literal: int, gate: Callable[[], Gate]) -> int:
        if literal not in self._known:
            self._known[literal] = self._gate(gate())
        return self._known[literal]

    def _gate(self, gate: Gate) -> int:
        self.gates.append(gate)
        return self.inputs + len(self.gates)


def listed(gates: Sequence[Gate]) -> str:
    """The gates in a line, as in "AND(1,2) NOT(3)"; NO_GATE where there is none."""
    return " ".join(f"{gate.kind}({','.join(map(str, gate.reads))})" for gate in gates) or NO_GATE


NO_GATE = "-"
"""What is written where there is no gate."""
