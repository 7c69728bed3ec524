"""Regular expressions that are drawn, of which Python's `re` says the same."""

from __future__ import annotations

from random import Random

REPEATS = ("*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{0}", "{0,}", "{3}")


def drawn(seed: int, symbols: str = "01", depth: int = 4) -> str:
    """Over these symbols, of so many pieces inside of one another at most."""
    random = Random(seed)
    escaped = [f"\\{symbol}" if symbol in ".[]()|*+?{}^$\\-" else symbol for symbol in symbols]

    def made(left: int) -> str:
        if left == 0:
            one, other = random.choice(escaped), random.choice(escaped)
            return random.choice((one, one, one, ".", f"[{one}{other}]", f"[^{one}]", f"[^{one}{other}]", ""))
        match random.randrange(5):
            case 0 | 1:
                return made(left - 1) + made(left - 1)
            case 2:
                return f"({made(left - 1)}|{made(left - 1)})"
            case 3:
                return f"({made(left - 1)})" + random.choice(REPEATS)
        return made(left - 1)

    return made(depth)
