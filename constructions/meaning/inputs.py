"""What is run, and on what: values of its parameters, which are admissible or refused."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Protocol

from flint import fmpq

from weightproof.constructions.meaning.schema import Network, Parameter
from weightproof.constructions.scalars.exact import Real, sign
from weightproof.constructions.scalars.expressions import Expression, ExpressionError, expression
from weightproof.constructions.scalars.values import evaluate


class InputError(ValueError):
    """A word, a parameter value or a file that cannot be used; one line that says what to mend."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the line, as where it was raised tells its reader nothing."""
        return [f"{type(self).__name__}: {self}"]


class ConstructionError(ValueError):
    """A malformed construction; one line that says what is wrong, where, and what to mend."""


class Runs(Protocol):
    """A network that has a name, symbols that its words are made of, and parameters: what a construction says of it
    beside this, and whether it is well formed, does not bear on what it computes."""

    @property
    def name(self) -> str: ...
    @property
    def alphabet(self) -> tuple[str, ...]: ...
    @property
    def network(self) -> Network: ...
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...


def said(error: BaseException) -> str:
    """What an exception says, in one line; the name of its type where it says nothing, or where it cannot be asked, as
    one of a user's own."""
    try:
        return " ".join(str(error).split()) or type(error).__name__
    except Exception:
        return type(error).__name__


def refuse_foreign(name: str, alphabet: Sequence[str], word: Sequence[str]) -> None:
    """InputError for a symbol of a word that is not in the alphabet."""
    for index, symbol in enumerate(word):
        if symbol not in alphabet:
            known = f"{{{', '.join(alphabet)}}}"
            raise InputError(f"{name}: symbol {symbol!r} at index {index} of the word is not in the alphabet {known}")


def value_of(parameter: Parameter, said: object) -> Real:
    """The exact value of a parameter; InputError where it has none, or one outside the domain."""
    try:
        return _value_of(parameter, expression(said))
    except (ExpressionError, ArithmeticError) as error:
        raise InputError(f"parameter {parameter.name}: {error}") from error
    except KeyError as error:
        raise InputError(f"parameter {parameter.name}: unknown name {error}") from error


@functools.lru_cache(1 << 12)
def _value_of(parameter: Parameter, said: Expression) -> Real:
    value = evaluate(said, {})
    inside = sign(evaluate(parameter.domain, {parameter.name: value})) > 0
    if parameter.is_natural and not (isinstance(value, fmpq) and value.q == 1 and value >= 0):
        raise InputError(f"parameter {parameter.name} = {said} is no natural number")
    if not inside:
        raise InputError(f"parameter {parameter.name} = {said} is outside its domain {parameter.domain}")
    return value
