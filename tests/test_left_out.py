"""What a run without time leaves out: long suites alone, and never silently."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest

from tests.support.places import ROOT

LONG, SHORT = "tests/weightproof/test_printed_proofs.py", "tests/weightproof/test_layout.py"


@pytest.mark.parametrize("late", [True, False])
def test_only_long_suites_are_left_out_and_each_is_told(late: bool) -> None:
    until = time.time() + (-1 if late else 3600)
    chosen = [f"{LONG}::test_every_printed_identity_is_one[noisy-majority]", f"{SHORT}"] if late else [SHORT]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, "--until", str(until)]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert ("1 tests were NOT run" in said) == late
    assert (f"1 of {LONG}" in said) == late
    assert re.search(r"[1-9]\d* passed", said)  # those of make test have run, however late it is
