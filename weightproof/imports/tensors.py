"""Named tensors, read one by one: what does not fit is refused with its name, and what nothing has read is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch

from weightproof.constructions.meaning.inputs import InputError
from weightproof.imports.saying import Missaid, Saying

Tensor = torch.Tensor
GivenTensor: TypeAlias = torch.Tensor | np.ndarray[Any, Any]
FEWEST_BITS = 8
"""Of the significands of what is read: those of bfloat16."""


class Tensors:
    """The tensors of a network by their names, numpy arrays among them; `take` reads one, exactly, as float64 on the
    cpu."""

    def __init__(self, named: Mapping[str, GivenTensor], ignored: Sequence[str] = ()) -> None:
        """ignored: names, or beginnings of names up to a dot, that are left out; InputError where one fits nothing."""
        for start in ignored:
            if not any(_begins(name, start) for name in named):
                raise Missaid(Saying("ignore"), f": no tensor is called {start!r}; there are {listed(named)}")
        self.named = {
            name: as_tensor(tensor, name)
            for name, tensor in named.items()
            if not any(_begins(name, start) for start in ignored)
        }
        self.read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.named

    def __iter__(self) -> Iterable[str]:
        return iter(self.named)

    def take(self, name: str, *shape: int | None) -> Tensor:
        """The tensor of that name; InputError where there is none, where a number is not finite, or where its shape is
        another one (None: any size)."""
        if name not in self.named:
            raise InputError(f"no tensor is called {name!r}; there are {listed(self.named)}")
        self.read.add(name)
        tensor = self.named[name]
        found = tuple(tensor.shape)
        if len(found) != len(shape) or any(size not in (None, there) for size, there in zip(shape, found, strict=True)):
            wanted = ", ".join("any" if size is None else str(size) for size in shape)
            raise InputError(f"{name} has the shape [{', '.join(map(str, found))}]; to fit it would be [{wanted}]")
        if tensor.is_complex() or not (tensor.is_floating_point() or tensor.dtype in WHOLE):
            raise InputError(f"{name} is of {tensor.dtype}; weights are floating-point numbers or integers")
        exact = tensor.detach().to("cpu", torch.float64)
        if not bool(torch.isfinite(exact).all()):
            where = ", ".join(map(str, (~torch.isfinite(exact)).nonzero()[0].tolist()))
            raise InputError(f"{name}[{where}] is {exact[~torch.isfinite(exact)][0].item()}; weights are finite")
        return exact

    def bias(self, name: str, size: int) -> Tensor | None:
        """A bias that may be missing. [1, size] is the same as [size] to torch, and published."""
        if name not in self.named:
            return None
        shape = tuple(self.named[name].shape)
        return self.take(name, 1, size)[0] if shape == (1, size) else self.take(name, size)

    def skip(self, name: str) -> None:
        """If it is there, it is no weight."""
        self.named.pop(name, None)

    def require_read(self) -> None:
        """InputError where there is a tensor that nothing has read."""
        unread = [name for name in self.named if name not in self.read]
        if unread:
            raise Missaid(
                f"unknown {'tensor' if len(unread) == 1 else 'tensors'} {listed(unread)}; rename what is a weight, and "
                "leave the others out: ",
                Saying("ignore", [unread[0]]),
            )

    def precision(self) -> float:
        """The relative distance of neighbouring numbers in the coarsest format of the weights that were read."""
        kinds = {self.named[name].dtype for name in self.read if self.named[name].is_floating_point()}
        return max((torch.finfo(kind).eps for kind in kinds), default=torch.finfo(torch.float64).eps)


def layer_numbers(tensors: Tensors, pattern: str) -> list[int]:
    """The numbers of the layers that have names of this kind; InputError where one is missing."""
    numbers = sorted({int(found[1]) for name in tensors.named if (found := re.match(pattern, name))})
    if numbers != list(range(len(numbers))):
        raise InputError(f"the layers are numbered {', '.join(map(str, numbers))}; number them 0, 1, 2 and so on")
    return numbers


def as_tensor(given: object, name: str) -> Tensor:
    """A tensor, or the same numbers as a numpy array; InputError for anything else."""
    if isinstance(given, Tensor):
        return given
    if not isinstance(given, np.ndarray):
        raise InputError(f"{name} is a {type(given).__name__}, not a tensor")
    try:
        return torch.tensor(given)
    except TypeError as error:
        raise InputError(f"{name} is an array of {given.dtype}, which no tensor holds; give one of float64") from error


def renamed(named: Mapping[str, GivenTensor], names: Mapping[str, str]) -> dict[str, GivenTensor]:
    """By the names of a kind that is read, where (beginnings of) names, up to a dot, are mapped to those; the longest
    one that fits counts. InputError where one fits nothing, and where two tensors come to have one name."""
    result: dict[str, GivenTensor] = {}
    for start in names:
        if not any(_begins(name, start) for name in named):
            raise InputError(
                f"no tensor is called {start!r}, which is mapped to {names[start]!r}; there are {listed(named)}"
            )
    for name, tensor in named.items():
        longest = max((start for start in names if _begins(name, start)), key=len, default=None)
        to = name if longest is None else names[longest] + name.removeprefix(longest)
        if to in result:
            raise InputError(f"{name} is mapped to {to}, as another one is; map it to another name")
        result[to] = tensor
    return result


WHOLE = (torch.int8, torch.int16, torch.int32, torch.uint8, torch.bool)


def listed(names: Iterable[str]) -> str:
    """A few of the names."""
    known = list(names)
    return ", ".join(known[:6]) + (f" and {len(known) - 6} more" if len(known) > 6 else "") if known else "none"


def _begins(name: str, start: str) -> bool:
    return name == start or name.startswith(f"{start}.")


def load_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, which is data and executes nothing; InputError for any other file."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if path.suffix != ".safetensors":
        raise InputError(
            f"{path}: only .safetensors is read, as loading a pickle executes code that is in it; "
            "write one with safetensors.torch.save_file(module.state_dict(), ...)"
        )
    try:
        return load_file(path)
    except FileNotFoundError as error:
        raise InputError(f"{path}: no such file; name a .safetensors file") from error
    except (SafetensorError, OSError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}; write it anew with safetensors") from error
