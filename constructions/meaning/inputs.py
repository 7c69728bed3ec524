"""What cannot be used, and is refused: a malformed construction, a word, a value, a file."""

from __future__ import annotations

from collections.abc import Sequence


class InputError(ValueError):
    """A word, a parameter value or a file that cannot be used; one line that says what to mend."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the line, as where it was raised tells its reader nothing."""
        return [f"{type(self).__name__}: {self}"]


class ConstructionError(ValueError):
    """A malformed construction; one line that says what is wrong, where, and what to mend."""


def said(error: BaseException) -> str:
    """What an exception says, in one line; the name of its type where it says nothing, or where it cannot be asked, as
    one of a user's own."""
    try:
        return " ".join(str(error).split()) or type(error).__name__
    except Exception:
        return type(error).__name__


def refuse_foreign(name: str, alphabet: Sequence[str], word: Sequence[str]) -> None:
    """InputError for a symbol of a word that is not in the alphabet."""
    foreign = {*word} - {*alphabet}
    for index, symbol in enumerate(word if foreign else ()):
        if symbol in foreign:
            known = f"{{{', '.join(alphabet)}}}"
            raise InputError(f"{name}: symbol {symbol!r} at index {index} of the word is not in the alphabet {known}")
