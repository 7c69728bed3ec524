"""A program as a network: a layer for each depth of counting, and one for each depth of truth values joined.

- Every truth value is a row of coordinates, which gives 1 or 0 at each position that holds a symbol, and 0 at the
  marker before the word. Symbols have a coordinate each; what is not so is [symbol] less what is; what is 0 is [symbol]
  less what is above 0 and what is below.
- How many positions j <= i have it is i + 1 times what a head with causal, even attention finds there, since the marker
  has a 0. It finds 1/(i + 1) of the marker itself. So a sum t of counts and a constant is above 0 exactly where a step
  of (t - 1/2)/(i + 1) is 1; at the marker, where the counts are 0, the constant is taken off again. QED
- All of some truth values hold where their sum less all but one [symbol] is above 0, and one of them where the sum is:
  a step of it, which is 0 at the marker.
- What is so many positions before is seen by -|i - j - distance| under hardmax: where there is no such position, that
  is the marker, which has a 0.

The last position is read: its row less 1/2 is above 0 exactly where the program accepts. For the empty word that is the
marker, and 0 is not accepted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weightproof.constructions.crasp.plain import (
    Above0,
    Among,
    At,
    Before,
    Every,
    Is0,
    Named,
    Other,
    Plain,
    PlainProgram,
    Some,
    Total,
)
from weightproof.constructions.meaning.schema import Embedding, Encoder, FeedForward, Head, Layer, Linear, Readout

MARKER = "CLS"
SYMBOL, INVERSE, OWN, ONE = "[symbol]", "1/(i+1)", "[i]", "[1]"
"""1 at each symbol; what the marker is of all positions so far; a position and 1, by which distances are seen."""
LONGEST_NAME = 40
Row = dict[str, int]


def coordinate(token: str) -> str:
    return f"[w={token}]"


def looking_back(values: Mapping[str, Mapping[str, object]], distance: int, own: str, one: str) -> Head:
    """What is so many positions before, and at the first position where there is none, by -|i - j - distance|; `own` is
    a coordinate that is the position, and `one` one that is always 1."""
    return Head(
        W_V=values,
        W_Q={"own": {own: 1}, "one": {one: 1}},
        W_K={"own": {one: 1}, "one": {own: -1} | ({one: -distance} if distance else {})},
        score="-|dot|",
        normaliser="hardmax",
        scale=1,
    )


def network(program: PlainProgram) -> Encoder:
    """The encoder that accepts what the program accepts."""
    made = _Layers(program)
    accepted = made.row(Named(program.accepted))
    layers, coordinates = [], dict.fromkeys(map(coordinate, (*program.alphabet, MARKER)))
    places, markers = dict[str, str](), {coordinate(MARKER): 1}
    if made.uses_symbol:
        coordinates[SYMBOL] = None
    for plain in made.residues:
        places[_residue(plain)] = f"(i % {plain.modulus} == {(plain.remainder + 1) % plain.modulus})"
        if (plain.remainder + 1) % plain.modulus == 0:
            markers[_residue(plain)] = -1
    if any(looked for each in made.layers for looked in each.looked):
        places |= {OWN: "i", ONE: "1"}
    coordinates |= dict.fromkeys(places)
    for each in made.layers:
        layers.append(each.layer())
        coordinates |= dict.fromkeys(each.coordinates)
    WE = {a: {coordinate(a): 1} | ({SYMBOL: 1} if made.uses_symbol else {}) for a in program.alphabet}
    return Encoder(
        coordinates=tuple(coordinates),
        embedding=Embedding(WE=WE | {MARKER: markers}, PE=places),
        layers=tuple(layers),
        readout=Readout(Linear({"logit": accepted}, {"logit": "-1/2"}), position="last"),
        begin=MARKER,
    )


@dataclass
class _Layer:
    """counted: what the head with even attention finds, by its coordinate; looked: the same of what is at a distance;
    units: their rows by their coordinates."""

    counted: dict[str, Row] = field(default_factory=dict)
    looked: dict[int, dict[str, Row]] = field(default_factory=dict)
    units: dict[str, dict[str, object]] = field(default_factory=dict)

    @property
    def coordinates(self) -> tuple[str, ...]:
        looked = (name for rows in self.looked.values() for name in rows)
        return (*self.counted, *looked, *self.units)

    def layer(self) -> Layer:
        heads = [Head(W_V=self.counted, mask="causal")] if self.counted else []
        heads += [looking_back(values, distance, OWN, ONE) for distance, values in self.looked.items()]
        second = {unit: {unit: 1} for unit in self.units}
        steps = FeedForward(Linear(self.units), Linear(second), activation="step") if self.units else None
        return Layer(heads=tuple(heads), feed_forward=steps)


class _Layers:
    """Each truth value is made once, as early as what it is made of allows. The time of a coordinate: 2 t - 1 where the
    heads of layer t make it, 2 t where its units do, and 0 where it is embedded."""

    def __init__(self, program: PlainProgram) -> None:
        self.program = program
        self.layers: list[_Layer] = []
        self.residues: list[At] = []
        self.times: dict[str, int] = {}
        self.made: dict[object, str] = {}
        self.uses_symbol = False

    def row(self, plain: Plain) -> Row:
        match plain:
            case Among(symbols=symbols):
                return self.among(symbols)
            case At():
                if plain not in self.residues:
                    self.residues.append(plain)
                return {_residue(plain): 1}
            case Named(name=name):
                return self.row(self.program.values[name])
            case Other(part=part):
                return self.sum(self.among(frozenset(self.program.alphabet)), self.row(part), -1)
            case Is0(total=total):
                sides = (Above0(total), Above0(Total().plus(total, -1)))
                return self.neither(sides)
            case Before(part=part, distance=distance):
                return {self.looked(plain, part, distance): 1}
            case Above0(total=total):
                return {self.above_0(plain, total): 1}
            case Every(parts=parts):
                return {self.joined(plain, parts, len(parts) - 1): 1}
            case Some(parts=parts):
                return {self.joined(plain, parts, 0): 1}

    def neither(self, sides: tuple[Plain, ...]) -> Row:
        found = self.among(frozenset(self.program.alphabet))
        for side in sides:
            found = self.sum(found, self.row(side), -1)
        return found

    def among(self, symbols: frozenset[str]) -> Row:
        if symbols == {*self.program.alphabet}:
            self.uses_symbol = True
            return {SYMBOL: 1}
        return {coordinate(a): 1 for a in self.program.alphabet if a in symbols}

    def sum(self, row: Row, other: Row, factor: int = 1) -> Row:
        found = {name: row.get(name, 0) + factor * other.get(name, 0) for name in (*row, *other)}
        return {name: weight for name, weight in found.items() if weight}

    def time(self, row: Mapping[str, object]) -> int:
        return max((self.times.get(name, 0) for name in row), default=0)

    def layer(self, number: int) -> _Layer:
        while len(self.layers) < number:
            self.layers.append(_Layer())
        return self.layers[number - 1]

    def unit(self, plain: Plain, row: dict[str, object]) -> str:
        number = self.time(row) // 2 + 1
        name = self.called(plain)
        self.layer(number).units[name] = row
        self.times[name] = 2 * number
        self.made[plain] = name
        return name

    def looked(self, plain: Plain, part: Plain, distance: int) -> str:
        if plain in self.made:
            return self.made[plain]
        row = self.row(part)
        number = (self.time(row) + 1) // 2 + 1
        name = self.called(plain)
        self.layer(number).looked.setdefault(distance, {})[name] = row
        self.times[name] = 2 * number - 1
        self.made[plain] = name
        return name

    def counted(self, value: Plain) -> str:
        row = self.row(value)
        return self.mean(("mean", value), row, f"{self.number(value)}/(i+1)")

    def mean(self, key: object, row: Row, name: str) -> str:
        """The coordinate of what is found of a row by even attention."""
        if key not in self.made:
            number = (self.time(row) + 1) // 2 + 1
            name = self.free(name)
            self.layer(number).counted[name] = row
            self.times[name] = 2 * number - 1
            self.made[key] = name
        return self.made[key]

    def above_0(self, plain: Plain, total: Total) -> str:
        if plain in self.made:
            return self.made[plain]
        counts: Row = {}
        for part, factor in total.counts:
            counts = self.sum(counts, {self.counted(self.program.value(part)): factor})
        row: dict[str, object] = {**counts}
        row[self.mean(INVERSE, {coordinate(MARKER): 1}, INVERSE)] = f"{2 * total.constant - 1}/2"
        if total.constant > 0:
            row[coordinate(MARKER)] = -total.constant
        return self.unit(plain, row)

    def joined(self, plain: Plain, parts: tuple[Plain, ...], less: int) -> str:
        if plain in self.made:
            return self.made[plain]
        row: Row = {}
        for part in parts:
            row = self.sum(row, self.row(part))
        if less:
            row = self.sum(row, self.among(frozenset(self.program.alphabet)), -less)
        return self.unit(plain, dict(row))

    def called(self, plain: Plain) -> str:
        """The name of its line, or what it says; a number where that is long, or is called so already."""
        return self.free(self.said(plain))

    def free(self, name: str) -> str:
        return name if name not in self.times else f"{name} ({len(self.times)})"

    def said(self, plain: Plain) -> str:
        """As short as it is clear."""
        if plain in self.made or plain in self.program.names:
            return self.made.get(plain) or self.program.names[plain]
        text = self.text(plain)
        return text if len(text) <= LONGEST_NAME else f"[{len(self.times) + 1}]"

    def number(self, value: Plain) -> str:
        """What a count is called."""
        return self.program.names.get(Total(((value, 1),))) or f"#{self.said(value)}"

    def text(self, plain: Plain) -> str:
        match plain:
            case Among(symbols=symbols):
                if len(symbols) in (0, len(self.program.alphabet)):
                    return "true" if symbols else "false"
                among = "|".join(f"'{a}'" for a in self.program.alphabet if a in symbols)
                return among if len(symbols) == 1 else f"({among})"
            case At():
                return _residue(plain)
            case Named(name=name):
                return name
            case Other(part=part):
                return f"!{self.said(part)}"
            case Before(part=part, distance=distance):
                return f"{self.said(part)}@-{distance}"
            case Every(parts=parts):
                return f"({' && '.join(map(self.said, parts))})"
            case Some(parts=parts):
                return f"({' || '.join(map(self.said, parts))})"
            case Above0(total=total):
                return self.compared(total, ">")
            case Is0(total=total):
                return self.compared(total, "==")

    def compared(self, total: Total, sign: str) -> str:
        sides: dict[bool, list[str]] = {True: [], False: []}
        for part, factor in total.counts:
            size = f"{abs(factor)}*" if abs(factor) != 1 else ""
            sides[factor > 0].append(f"{size}{self.number(self.program.value(part))}")
        if total.constant:
            sides[total.constant > 0].append(str(abs(total.constant)))
        return f"({' + '.join(sides[True]) or '0'} {sign} {' + '.join(sides[False]) or '0'})"


def _residue(plain: At) -> str:
    return f"[i%{plain.modulus}={plain.remainder}]"
