"""What result files say about the machine beyond pytest-benchmark's own machine_info.

To compare two commits, keep the first one's benchmarks/results/latest.json under another name beside it, and then
`pytest-benchmark compare benchmarks/results/NAME.json benchmarks/results/latest.json --group-by=name`.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import weightproof.numeric  # noqa: F401 - before any benchmark loads torch


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    import torch

    machine_info["libraries"] = {name: version(name) for name in ("torch", "numpy", "python-flint")}
    machine_info["threads"] = torch.get_num_threads()
    machine_info["gpu"] = torch.cuda.get_device_name() if torch.cuda.is_available() else None
