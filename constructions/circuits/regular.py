"""Regular languages as circuits of linear size, one for each length: Fraknoi (2024), corollary 3.5.

A finite automaton is run gate by gate. Its state is one wire a state, of which one carries 1 (one-hot): a prologue
makes that of the start; a block for each symbol makes the next from the last; an epilogue tells whether the last is
accepting. Symbols are in binary: the number of a symbol in the alphabet, in as few bits as there is need of, at least
one, the most significant one first. So a word over two symbols is itself the input; and of inputs that encode no word,
which there are where the number of symbols is no power of 2, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from weightproof.constructions.circuits.circuit import Circuit, Gate, Kind
from weightproof.constructions.meaning.inputs import InputError, refuse_foreign

if TYPE_CHECKING:
    from automata.fa.dfa import DFA


@dataclass(frozen=True)
class Automaton:
    """A complete finite automaton, which begins in state 0.

    alphabet: single characters. table: for each state, the next one for each symbol. Raises InputError for what is no
    automaton.
    """

    name: str
    alphabet: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    accepting: frozenset[int]

    def __post_init__(self) -> None:
        refuse_no_alphabet(self.alphabet)
        states = range(len(self.table))
        complete = all(len(row) == len(self.alphabet) and all(state in states for state in row) for row in self.table)
        if not states or not complete or not self.accepting <= set(states):
            raise InputError(f"{self.name}: no automaton; give each state a next state for each symbol")

    @property
    def bits(self) -> int:
        """Of a symbol."""
        return max(1, (len(self.alphabet) - 1).bit_length())


def refuse_no_alphabet(alphabet: Sequence[str]) -> None:
    if not alphabet or len(set(alphabet)) != len(alphabet) or any(len(symbol) != 1 for symbol in alphabet):
        raise InputError(f"{', '.join(map(repr, alphabet))}: no alphabet; give single characters, each once")


def automaton_of(regex: str, alphabet: Sequence[str] = ("0", "1")) -> Automaton:
    """The least complete automaton of a regular expression, as automata-lib writes them: | for union, & for
    intersection, ^ for shuffle, *, +, ?, {m,n}, a dot for any symbol; of classes like [...] or \\d, what is in the
    alphabet. InputError for others."""
    from automata.base.exceptions import AutomatonException, RegexException
    from automata.fa.dfa import DFA
    from automata.fa.nfa import NFA

    refuse_no_alphabet(alphabet)
    try:
        read = NFA.from_regex(regex, input_symbols=set(alphabet))
    except (AutomatonException, RegexException) as error:
        raise InputError(f"regular expression {regex!r}: {' '.join(str(error).split())}") from error
    found = NFA(
        states=read.states,
        input_symbols=set(alphabet),
        transitions={
            state: {symbol: into for symbol, into in row.items() if symbol in ("", *alphabet)}
            for state, row in read.transitions.items()
        },
        initial_state=read.initial_state,
        final_states=read.final_states,
    )
    return automaton_from(regex, DFA.from_nfa(found, minify=True), alphabet)


def automaton_from(name: str, found: DFA, alphabet: Sequence[str]) -> Automaton:
    """The least complete automaton that accepts what an automaton of automata-lib does; its states are numbered in the
    order in which they are reached. InputError where its alphabet is another one."""
    refuse_no_alphabet(alphabet)
    if set(found.input_symbols) != set(alphabet):
        raise InputError(f"{name}: an automaton over {{{', '.join(sorted(found.input_symbols))}}}, not {alphabet!r}")
    least = found.to_complete().minify().to_complete()
    numbers, order = {least.initial_state: 0}, [least.initial_state]
    for state in order:
        for symbol in alphabet:
            following = least.transitions[state][symbol]
            if following not in numbers:
                numbers[following] = len(order)
                order.append(following)
    table = tuple(tuple(numbers[least.transitions[state][symbol]] for symbol in alphabet) for state in order)
    accepting = frozenset(numbers[state] for state in least.final_states if state in numbers)
    return Automaton(name, tuple(alphabet), table, accepting)


def accepts(automaton: Automaton, word: Sequence[str]) -> bool:
    """InputError for a symbol outside the alphabet."""
    refuse_foreign(automaton.name, automaton.alphabet, word)
    state = 0
    for symbol in word:
        state = automaton.table[state][automaton.alphabet.index(symbol)]
    return state in automaton.accepting


def code(automaton: Automaton, symbol: str) -> str:
    return f"{automaton.alphabet.index(symbol):0{automaton.bits}b}"


def encoded(automaton: Automaton, word: Sequence[str]) -> str:
    """The input that a word is; InputError for a symbol outside the alphabet."""
    refuse_foreign(automaton.name, automaton.alphabet, word)
    return "".join(code(automaton, symbol) for symbol in word)


@dataclass(frozen=True)
class Wire:
    """Seen from a block, counted from 0: a bit of the state, a bit of the symbol, or a gate of its own."""

    of: Literal["state", "symbol", "gate"]
    number: int


@dataclass(frozen=True)
class BlockGate:
    """As a gate of a circuit; a NOT reads its wire twice."""

    kind: Kind
    a: Wire
    b: Wire


@dataclass(frozen=True)
class Block:
    """Gates that are put down somewhere in a circuit, and the wires in which their results are."""

    gates: tuple[BlockGate, ...]
    results: tuple[Wire, ...]


@dataclass(frozen=True)
class Parts:
    """Of the circuits of an automaton. The prologue reads the first symbol, whatever it is, as a circuit has no
    constants, and results in a state; the epilogue reads a state, and its result is its last gate."""

    prologue: Block
    block: Block
    epilogue: Block


class _Gates:
    """A block in the making."""

    def __init__(self) -> None:
        self.made: dict[BlockGate, Wire] = {}

    def negated(self, a: Wire) -> Wire:
        return self._gate(BlockGate("NOT", a, a))

    def both(self, a: Wire, b: Wire) -> Wire:
        return self._gate(BlockGate("AND", a, b))

    def zero(self, a: Wire) -> Wire:
        return self.both(a, self.negated(a))

    def all(self, first: Wire, *others: Wire) -> Wire:
        for other in others:
            first = self.both(first, other)
        return first

    def some(self, wires: Sequence[Wire], any_wire: Wire) -> Wire:
        """Whether one of them is 1; 0 where there are none."""
        match wires:
            case []:
                return self.zero(any_wire)
            case [wire]:
                return wire
        return self.negated(self.all(*map(self.negated, wires)))

    def _gate(self, gate: BlockGate) -> Wire:
        return self.made.setdefault(gate, Wire("gate", len(self.made)))

    def block(self, *results: Wire) -> Block:
        return Block(tuple(self.made), results)


def parts_of(automaton: Automaton) -> Parts:
    states = [Wire("state", number) for number in range(len(automaton.table))]
    bits = [Wire("symbol", number) for number in range(automaton.bits)]
    first = _Gates()
    zero = first.zero(bits[0])
    prologue = first.block(*(first.negated(zero) if state == states[0] else zero for state in states))
    step = _Gates()
    symbols = []
    for symbol in automaton.alphabet:
        digits = zip(bits, code(automaton, symbol), strict=True)
        symbols.append(step.all(*(bit if digit == "1" else step.negated(bit) for bit, digit in digits)))
    moves: list[list[Wire]] = [[] for _ in states]
    for state, row in zip(states, automaton.table, strict=True):
        for read, following in zip(symbols, row, strict=True):
            moves[following].append(step.both(state, read))
    block = step.block(*(step.some(into, states[0]) for into in moves))
    last = _Gates()
    accepted = last.some([states[number] for number in sorted(automaton.accepting)], states[0])
    if accepted.of == "state":
        accepted = last.negated(last.negated(accepted))
    return Parts(prologue, block, last.block(accepted))


def circuit_of(automaton: Automaton, n: int) -> Circuit:
    """The circuit that tells whether a word of n symbols is accepted, by its last gate; InputError for n = 0."""
    return assembled(automaton, parts_of(automaton), n)


def put(block: Block, state: Sequence[int], symbol: Sequence[int], first: int) -> tuple[list[Gate], list[int]]:
    """The gates of a block that reads these wires, and the wires of its results; first: the wire of its first gate."""

    def at(wire: Wire) -> int:
        return first + wire.number if wire.of == "gate" else {"state": state, "symbol": symbol}[wire.of][wire.number]

    gates = [Gate(gate.kind, at(gate.a), at(gate.b)) for gate in block.gates]
    return gates, [at(wire) for wire in block.results]


def assembled(automaton: Automaton, parts: Parts, n: int) -> Circuit:
    """The prologue, n blocks, the epilogue, each `put` behind the one before, whose results are its state: nothing else
    makes a circuit of an automaton."""
    if n < 1:
        raise InputError(f"{automaton.name}: a circuit reads at least one symbol, not {n}")
    symbols = [range(i * automaton.bits + 1, (i + 1) * automaton.bits + 1) for i in range(n)]
    gates: list[Gate] = []
    state: Sequence[int] = ()
    for block, symbol in [(parts.prologue, symbols[0]), *((parts.block, s) for s in symbols), (parts.epilogue, ())]:
        more, state = put(block, state, symbol, n * automaton.bits + len(gates) + 1)
        gates += more
    name = f"{automaton.name} on {n} symbol{'s' * (n > 1)}"
    return Circuit(name, n * automaton.bits, tuple(gates), tuple(state), f"Whether {n} symbols are in {automaton.name}")
