"""The computer that rows were measured on, and what on it decides how kernels add up."""

from __future__ import annotations

import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from weightproof.measuring.kept import Row

LIBRARIES = ("torch", "numpy", "ml-dtypes", "python-flint")
CPUS, DRIVER = Path("/proc/cpuinfo"), Path("/proc/driver/nvidia/version")
ALGEBRA = ("blas", "lapack")
UNRECORDED = "not recorded"
"""Said of what older rows do not tell."""


def machine() -> Row:
    """What the rows were measured on, and when: all but `strict` is about such a machine alone. What cannot be found
    out is None."""
    import torch

    from weightproof.numeric.model.flags import numeric_flags

    build, algebra = _torch_build(torch.__config__.show())
    numpy = _numpy_algebra()
    accelerated = torch.cuda.is_available()
    return {
        "processor": platform.processor() or platform.machine(),
        "cpu": _model(),
        "capability": torch.backends.cpu.get_cpu_capability(),
        "system": platform.system(),
        "python": platform.python_version(),
        "threads": torch.get_num_threads(),
        **{name: {"torch": algebra[name], "numpy": numpy[name]} for name in ALGEBRA},
        "torch": {"git": torch.version.git_version, "build": build},
        "accelerator": torch.cuda.get_device_name() if accelerated else None,
        "driver": _driver() if accelerated else None,
        "cuda": torch.version.cuda,
        "cudnn": _cudnn() if accelerated else None,
        "flags": numeric_flags(),
        "libraries": {name: version(name) for name in LIBRARIES},
        "date": datetime.now(UTC).date().isoformat(),
    }


def said(machine: Row) -> str:
    """In a line: what decides how kernels add up, as far as it was recorded."""
    libraries = ", ".join(f"{name} {version}" for name, version in machine["libraries"].items())
    algebra = ", ".join(f"{name or UNRECORDED} of {library}" for library, name in (machine.get("blas") or {}).items())
    threads = f"{machine['threads']} thread{'' if machine['threads'] == 1 else 's'}"
    parts = [
        f"{machine['processor']}, {threads}, {libraries}",
        f"CPU: {machine.get('cpu') or UNRECORDED}",
        f"capability: {machine.get('capability') or UNRECORDED}",
        f"BLAS: {algebra or UNRECORDED}",
        f"build of torch: {(machine.get('torch') or {}).get('build') or UNRECORDED}",
    ]
    if machine.get("accelerator"):
        versions = ((name, machine.get(name.lower()) or UNRECORDED) for name in ("driver", "CUDA"))
        parts.append(", ".join((machine["accelerator"], *(f"{name} {found}" for name, found in versions))))
    return f"{machine['date']}: {'; '.join(parts)}"


def _model() -> str | None:
    """The CPU as Linux names it, with the numbers by which libraries choose their kernels, as virtual machines hide the
    name; elsewhere as Python names it."""
    try:
        listed = CPUS.read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or None
    first = dict(re.findall(r"^(\S[^:\t]*)[\t ]*: *(.*)$", listed.partition("\n\n")[0], re.MULTILINE))
    names = ("cpu family", "model", "stepping", "CPU implementer", "CPU part", "CPU revision")
    numbers = ", ".join(f"{name} {first[name]}" for name in names if name in first)
    name = first.get("model name") or platform.processor()
    return f"{name} ({numbers})" if name and numbers else name or numbers or None


def _driver() -> str | None:
    """The version of the kernel module of NVIDIA, of which torch itself does not know."""
    try:
        found = re.search(r"\d+(?:\.\d+)+", DRIVER.read_text(encoding="utf-8").partition("\n")[0])
    except OSError:
        return None
    return None if found is None else found[0]


def _cudnn() -> int | None:
    import torch

    found: int | None = torch.backends.cudnn.version()  # type: ignore[no-untyped-call]
    return found


def _torch_build(shown: str) -> tuple[str, dict[str, str | None]]:
    """What torch was built with, as torch shows it, without the flags of compilers, and its BLAS and LAPACK."""
    lines = [line.removeprefix("  - ").strip() for line in shown.splitlines()[1:]]
    settings = dict(re.findall(r"\b(\w+)_INFO=([^\s,]+)", shown))
    build = "; ".join(line for line in lines if line and not line.startswith("Build settings"))
    return build, {name: settings.get(name.upper()) for name in ALGEBRA}


def _numpy_algebra() -> dict[str, str | None]:
    """Its BLAS and LAPACK with their versions."""
    import numpy

    named: Any = numpy.show_config(mode="dicts").get("Build Dependencies", {})
    found = {name: named.get(name, {}) for name in ALGEBRA}
    return {
        name: " ".join(str(each[part]) for part in ("name", "version") if part in each) or None
        for name, each in found.items()
    }
