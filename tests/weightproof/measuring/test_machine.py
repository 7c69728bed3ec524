"""What is recorded of the computer that rows were measured on."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.support.schemas import faults
from weightproof.measuring import machine
from weightproof.measuring.kept import Rows

X86 = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: no\n"
ARM = "processor\t: 0\nBogoMIPS\t: 2.0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
SHOWN = """\
PyTorch built with:
  - GCC 13.3
  - CPU capability usage: AVX2
  - Build settings: BLAS_INFO=open, CXX_FLAGS= -O2, LAPACK_INFO=mkl, USE_CUDA=0,
"""


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        (X86, "AMD EPYC (cpu family 25, model 17)"),
        (ARM, "CPU implementer 0x41, CPU part 0xd0c"),
        ("", "said by Python"),
        (None, "said by Python"),
    ],
)
def test_the_cpu_is_named_with_its_numbers(
    listed: str | None, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cpuinfo"
    if listed is not None:
        file.write_text(listed)
    monkeypatch.setattr(machine, "CPUS", file)
    monkeypatch.setattr("platform.processor", lambda: "" if listed == ARM else "said by Python")
    assert machine._model() == name


def test_the_build_of_torch_is_short_and_names_its_libraries() -> None:
    build, algebra = machine._torch_build(SHOWN)
    assert build == "GCC 13.3; CPU capability usage: AVX2"
    assert algebra == {"blas": "open", "lapack": "mkl"}
    assert machine._torch_build("PyTorch built with:\n") == ("", {"blas": None, "lapack": None})


def test_a_machine_is_recorded_as_the_schema_says_and_shown() -> None:
    here = machine.machine()
    assert faults("precision", Rows(machines=(here,)).data) == []
    assert faults("precision", Rows(machines=(here | {"capability": 2},)).data) != []
    assert here["capability"] == torch.backends.cpu.get_cpu_capability()
    assert here["flags"]["allow_tf32"] is False
    assert here["flags"]["flush_denormal"] is False
    assert here["torch"]["git"] == torch.version.git_version
    said = machine.said(here)
    assert "not recorded" not in said.replace("CPU: not recorded", "")
    for part in (here["capability"], here["torch"]["build"], f"{here['blas']['torch']} of torch"):
        assert part in said
    older = {name: here[name] for name in ("processor", "threads", "libraries", "date")}
    assert machine.said(older).count("not recorded") == 4
