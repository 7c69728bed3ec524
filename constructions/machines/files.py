"""Turing machines as people write them: the YAML of turingmachine.io, and the line of the busy-beaver community.

blank: ' '                          a machine of turingmachine.io: a mapping from states to symbols to instructions,
start state: right                  each a direction, or {write: SYMBOL, DIRECTION: NEXT STATE} with what changes;
table: {right: {[0,1]: R}, ...}     [0,1] stands for both; synonyms name instructions; a state of no entry halts

1RB1LC_1LA1RB_1LB1RZ                a row for each of the states A, B, ...; in it what is written, the direction and
                                    the next state, for 0, for 1, ...; --- and states without a row halt
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from weightproof.constructions.machines.turing import Transition, TuringMachine
from weightproof.constructions.meaning.inputs import InputError

SHIPPED = ("increment", "palindrome-machine", "busy-beaver-3", "unary-to-binary")
LINE = re.compile(r"(?:[0-9][LR][A-Z]|---)+(?:_(?:[0-9][LR][A-Z]|---)+)*")
SUFFIXES = (".yaml", ".yml")
ENTRY = 3
"""Characters of an instruction on a line."""
NULL = ("", "~", "null")


def find_machine(argument: str) -> TuringMachine | None:
    """The shipped machine of that name, or the one of that file or line; None where the argument names no machine.
    InputError for a malformed one."""
    if argument in SHIPPED:
        return read_machine(Path(__file__).parent / "shipped" / f"{argument}.yaml")
    if argument.endswith(SUFFIXES):
        return read_machine(Path(argument))
    return read_line(argument) if LINE.fullmatch(argument) else None


def read_line(line: str) -> TuringMachine:
    """A machine in the form of the busy-beaver community, named by its line; InputError for a malformed one."""
    rows = line.split("_")
    if not LINE.fullmatch(line) or len({len(row) for row in rows}) != 1 or len(rows) > 26:
        raise InputError(f"{line}: no machine; write a row of instructions like 1RB for each state, rows joined by _")
    states = [chr(ord("A") + number) for number in range(len(rows))]
    entries = [[row[k : k + ENTRY] for k in range(0, len(row), ENTRY)] for row in rows]
    table: dict[str, dict[str, Transition]] = {
        state: {
            str(symbol): Transition(entry[0], "L" if entry[1] == "L" else "R", entry[2])
            for symbol, entry in enumerate(row)
            if entry != "---"
        }
        for state, row in zip(states, entries, strict=True)
    }
    for transition in [transition for row in table.values() for transition in row.values()]:
        table.setdefault(transition.state, {})
        if int(transition.write) >= len(entries[0]):
            most = len(entries[0]) - 1
            raise InputError(f"{line}: writes {transition.write}, but has no column for it; it reads 0 to {most}")
    return TuringMachine(line, blank="0", start="A", table=table)


def read_machine(path: Path) -> TuringMachine:
    """The machine of a YAML file, named like the file; InputError with the line of what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else " ".join(str(error).split())
        raise InputError(f"{path}: {reason}; name a machine's YAML file") from error
    try:
        return _Reader(path).machine(text)
    except RecursionError as error:
        raise InputError(f"{path}: its parts stand too deep inside one another; a machine's are three deep") from error


@dataclass(frozen=True)
class _Reader:
    """before: lines of the file before the text that is read."""

    path: Path
    before: int = 0

    def refuse(self, node: Any, message: str) -> NoReturn:
        raise InputError(f"{self.path}:{self.before + (1 if node is None else node.start_mark.line + 1)}: {message}")

    def composed(self, text: str) -> Any:
        import yaml

        try:
            return yaml.compose(text)
        except yaml.MarkedYAMLError as error:
            line = 1 if error.problem_mark is None else error.problem_mark.line + 1
            raise InputError(f"{self.path}:{self.before + line}: {error.problem or 'is no YAML'}") from error
        except yaml.YAMLError as error:
            raise InputError(f"{self.path}: {' '.join(str(error).split())}") from error

    def machine(self, text: str) -> TuringMachine:
        """That of a text, or of the source code in it, as turingmachine.io exports it."""
        node = self.composed(text)
        parts = {name: value for name, _, value in self.entries(node, "a machine")}
        if "source code" in parts:
            source = parts["source code"]
            return _Reader(self.path, self.before + source.start_mark.line + 1).machine(self.text(source, "a source"))
        for name in ("blank", "start state", "table"):
            if name not in parts:
                self.refuse(node, f"no {name!r}; a machine has a blank, a start state and a table")
        rows = list(self.entries(parts["table"], "the table"))
        states = tuple(state for state, _, _ in rows)
        synonyms = {
            name: self.instruction(value, states, {})
            for name, _, value in (self.entries(parts["synonyms"], "synonyms") if "synonyms" in parts else ())
        }
        table = {state: dict(self.row(value, state, states, synonyms)) for state, _, value in rows}
        start = self.text(parts["start state"], "the start state")
        if start not in states:
            self.refuse(parts["start state"], f"start state {start!r} is not in the table")
        return TuringMachine(
            name=self.path.stem,
            blank=self.symbol(parts["blank"]),
            start=start,
            table=table,
            title=self.text(parts["name"], "the name") if "name" in parts else "",
            example=self.text(parts["input"], "the input") if "input" in parts else "",
        )

    def entries(self, node: Any, what: str) -> Iterator[tuple[str, Any, Any]]:
        """Name, its node and the value's, each name once."""
        if node is None or node.id != "mapping":
            self.refuse(node, f"{what} is no mapping")
        seen: set[str] = set()
        for key, value in node.value:
            name = self.text(key, f"a name in {what}")
            if name in seen:
                self.refuse(key, f"{name!r} stands twice in {what}")
            seen.add(name)
            yield name, key, value

    def text(self, node: Any, what: str) -> str:
        if node.id != "scalar":
            self.refuse(node, f"{what} is no text")
        return str(node.value)

    def symbol(self, node: Any) -> str:
        text = self.text(node, "a symbol")
        if len(text) != 1:
            self.refuse(node, f"symbol {text!r} is no single character; a blank is written as ' '")
        return text

    def row(
        self, node: Any, state: str, states: tuple[str, ...], synonyms: Mapping[str, Transition]
    ) -> Iterator[tuple[str, Transition]]:
        if _is_null(node):
            return
        if node.id != "mapping":
            self.refuse(node, f"state {state!r} is no mapping from symbols to instructions")
        seen: set[str] = set()
        for key, value in node.value:
            found = self.instruction(value, states, synonyms)
            for symbol in [self.symbol(each) for each in (key.value if key.id == "sequence" else [key])]:
                if symbol in seen:
                    self.refuse(key, f"state {state!r} has two instructions for {symbol!r}")
                seen.add(symbol)
                yield symbol, replace(found, write=found.write or symbol, state=found.state or state)

    def instruction(self, node: Any, states: tuple[str, ...], synonyms: Mapping[str, Transition]) -> Transition:
        """What is written and the next state are "" where they stay."""
        if _is_null(node):
            self.refuse(node, "missing instruction; write L, R, or {write: SYMBOL, L: NEXT STATE}")
        if node.id == "scalar":
            if node.value in ("L", "R"):
                return Transition("", node.value, "")
            if node.value in synonyms:
                return synonyms[node.value]
            self.refuse(node, f"{node.value!r} is no instruction; write L, R, a synonym, or a mapping")
        parts = {name: value for name, _, value in self.entries(node, "an instruction")}
        for name in parts:
            if name not in ("write", "L", "R"):
                self.refuse(node, f"{name!r} is no part of an instruction; there are write, L and R")
        moves = [name for name in ("L", "R") if name in parts]
        if len(moves) != 1:
            self.refuse(node, f"an instruction moves once, L or R, not {' and '.join(moves) or 'nowhere'}")
        [move] = moves
        state = "" if _is_null(parts[move]) else self.text(parts[move], "the next state")
        if state and state not in states:
            self.refuse(parts[move], f"state {state!r} is not in the table")
        return Transition(self.symbol(parts["write"]) if "write" in parts else "", "L" if move == "L" else "R", state)


def _is_null(node: Any) -> bool:
    return bool(node.id == "scalar" and node.style is None and node.value in NULL)
