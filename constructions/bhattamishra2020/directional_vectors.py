"""What Bhattamishra et al. (2020), appendix D, print of the vectors of a step, as rows of what is known then."""

from __future__ import annotations

from dataclasses import dataclass

from weightproof.constructions.claims.published import Convention
from weightproof.constructions.claims.stepwise import GROWTH, INPUT, IS, MEAN, NEXT, NOW, SHARE, Row, Token
from weightproof.constructions.machines.rnn import BEGIN, END, RNN

Rows = dict[str, Row]
HALF: Row = {"2^-t": "1/2"}
WIDTH = "2*d_h + d_b + 4*m + 1"
FRACTIONS: tuple[tuple[Convention, ...], ...] = (("fractions",),)
TOKEN: Token = "the token at t'"
OTHER: Token = "another token"


@dataclass(frozen=True)
class Vectors:
    """Of the transformer for a recurrent network."""

    rnn: RNN

    @property
    def grows(self) -> tuple[str, ...]:
        """The tokens whose growth counts."""
        return (BEGIN, *self.rnn.alphabet)

    def x(self, of: str, sign: int = 1) -> Rows:
        """An embedding."""
        return {f"x {name}": {of + name: sign} for name in self.rnn.inputs}

    def omega(self, block: str, of: str, sign: int = 1) -> Rows:
        """Shares, or marks of a token, in one of the blocks for tokens."""
        return {f"{block} {token}": {of + token: sign} for token in self.rnn.tokens}

    def delta(self, last: str = "2^-t", sign: int = 1) -> Rows:
        """The growth of all shares but that of "$", which has half of `last` in its place."""
        shown = f"{'-' if sign < 0 else ''}1/2"
        return {**{f"delta {token}": {GROWTH + token: sign} for token in self.grows}, f"delta {END}": {last: shown}}

    @property
    def h(self) -> Rows:
        """h_(t-1)."""
        return {unit: {unit: 1} for unit in self.rnn.units}

    @property
    def after(self) -> Rows:
        """h_t."""
        return {unit: {NEXT + unit: 1} for unit in self.rnn.units}

    @property
    def change(self) -> Rows:
        """h_t - h_(t-1)."""
        return {unit: {NEXT + unit: 1, unit: -1} for unit in self.rnn.units}

    @property
    def halved(self) -> Rows:
        """2^-(t+1)."""
        return {"2^-t": HALF}

    @property
    def falls(self) -> Rows:
        """2^-(t+1) - 2^-t."""
        return {"2^-t": {"2^-t": "-1/2"}}

    @property
    def kept(self) -> Rows:
        """2^-t."""
        return {"2^-t": {"2^-t": 1}}

    @property
    def moves(self) -> Rows:
        """The shares in the place of those a step earlier."""
        return {f"w before {token}": {NOW + token: 1, SHARE + token: -1} for token in self.rnn.tokens}

    @property
    def y(self) -> Rows:
        """y_t, (14)."""
        return {**self.h, **self.kept, **self.omega("w before", SHARE)}

    @property
    def first(self) -> Rows:
        """Behind the first cross head."""
        return {**self.h, **self.x(MEAN), **self.kept, **self.omega("w", NOW), **self.omega("w before", SHARE)}

    @property
    def second(self) -> Rows:
        """Behind the first layer, (15)."""
        return {**self.h, **self.delta(), **self.halved, **self.omega("w before", NOW)}

    @property
    def update(self) -> Rows:
        """What the first feed-forward network adds."""
        return {**self.x(MEAN, -1), **self.delta(), **self.falls, **self.omega("w", NOW, -1), **self.moves}

    @property
    def hidden(self) -> Rows:
        """Its units."""
        return {
            **{f"gone x {name}": {MEAN + name: 1} for name in self.rnn.inputs},
            **{f"grown {token}": {GROWTH + token: 1} for token in self.grows},
            "half": HALF,
            **{f"w {token}": {NOW + token: 1} for token in self.rnn.tokens},
            **{f"w before {token}": {SHARE + token: 1} for token in self.rnn.tokens},
        }

    @property
    def looked(self) -> Rows:
        """What the second cross head adds."""
        return {**self.x(INPUT), **self.omega("w", IS)}

    @property
    def second_update(self) -> Rows:
        """What the second feed-forward network adds."""
        return {**self.change, **self.x(INPUT, -1), **self.delta(sign=-1), **self.omega("w", IS, -1)}

    @property
    def late(self) -> Rows:
        """What differs if the last coordinate of delta stops at n."""
        return {**self.delta("2^-t'"), **self.halved}
