"""The transformations by name, as they are written on the command line: NAME, or NAME:key=value,key=value."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from weightproof.constructions.meaning.construction import Construction, after
from weightproof.constructions.meaning.inputs import ConstructionError, InputError
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.transforms.circuits import circuits
from weightproof.constructions.transforms.fix import fix
from weightproof.constructions.transforms.layer_norm import layer_norm
from weightproof.constructions.transforms.remove_centering import remove_centering
from weightproof.constructions.transforms.rewriting import Refused
from weightproof.constructions.transforms.scale_activations import scale_activations
from weightproof.constructions.transforms.scale_attention_by_log_length import scale_attention_by_log_length
from weightproof.constructions.transforms.set_weight import set_weight
from weightproof.constructions.transforms.sharpen import sharpen
from weightproof.constructions.transforms.snap import snap


@dataclass(frozen=True)
class Transform:
    """keys: what it takes, and whether it must be given; None takes the names of parameters. words: the keys whose
    values are words, and not numbers."""

    apply: Callable[..., Construction]
    keys: dict[str, bool] | None
    usage: str
    words: tuple[str, ...] = ()


TRANSFORMS: dict[str, Transform] = {
    "remove-centering": Transform(remove_centering, {}, "remove-centering"),
    "layer-norm": Transform(layer_norm, {"epsilon": False}, "layer-norm, or layer-norm:epsilon=0"),
    "sharpen": Transform(sharpen, {"eta": False, "epsilon": False}, "sharpen, or sharpen:eta=1/100"),
    "scale-activations": Transform(scale_activations, {}, "scale-activations"),
    "scale-attention-by-log-length": Transform(scale_attention_by_log_length, {}, "scale-attention-by-log-length"),
    "circuits": Transform(circuits, {}, "circuits"),
    "snap": Transform(snap, {"bits": True}, "snap:bits=4"),
    "set-weight": Transform(
        set_weight,
        {"layer": False, "head": False, "part": True, "row": True, "column": True, "to": True},
        "set-weight:layer=1,head=1,part=W_V,row=s,column=[w=1],to=1/2",
        ("layer", "head", "part", "row", "column"),
    ),
    "fix": Transform(lambda construction, **values: fix(construction, values), None, "fix:c=1"),
}


def transformed(construction: Construction, transforms: Sequence[str]) -> Construction:
    """The construction after the transformations, in order, named after them; InputError where one cannot be made."""
    for item in transforms:
        construction = _transformed(construction, item)
    return construction


def read(item: str) -> tuple[Transform, dict[str, Expression | str]]:
    """A transformation as it is written, and the values that it is given; InputError where it is none."""
    name, _, rest = item.strip().partition(":")
    if name not in TRANSFORMS:
        raise InputError(f"unknown transformation {name!r}; there are {', '.join(TRANSFORMS)}")
    return TRANSFORMS[name], _values(item, rest, TRANSFORMS[name])


def _transformed(construction: Construction, item: str) -> Construction:
    transform, values = read(item)
    try:
        result = transform.apply(construction, **values)
    except (Refused, ConstructionError, ArithmeticError) as error:
        raise InputError(f"--with {shlex.quote(item)}: {construction.name}: {error}") from error
    return replace(result, name=after(construction.name, (item,)), title=f"{construction.title}; {item.strip()}")


def _values(item: str, rest: str, transform: Transform) -> dict[str, Expression | str]:
    values: dict[str, Expression | str] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or (transform.keys is not None and key not in transform.keys) or key in values:
            raise InputError(f"cannot read --with {shlex.quote(item)}: write {transform.usage}")
        try:
            values[key] = value if key in transform.words else expression(value)
        except ExpressionError as error:
            raise InputError(f"--with {shlex.quote(item)}: {error}") from error
    needed = [key for key, must in transform.keys.items() if must] if transform.keys is not None else []
    if any(key not in values for key in needed) or (transform.keys is None and not values):
        raise InputError(f"cannot read --with {shlex.quote(item)}: write {transform.usage}")
    return values
