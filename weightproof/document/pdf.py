"""pdflatex, as a process of its own: from a .tex file to a .pdf beside it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError

PROGRAM = "pdflatex"
INSTALL = "on Debian and Ubuntu: apt-get install texlive-latex-base"
MOST_RUNS = 5
SECONDS = 300
"""For one run."""


def require() -> None:
    """InputError where there is no pdflatex."""
    if shutil.which(PROGRAM) is None:
        raise InputError(f"--pdf needs {PROGRAM}, which is not installed; {INSTALL}")


def build(source: Path) -> None:
    """Write the PDF of a file of LaTeX beside it; the same bytes for the same file.

    It is run until the references stand; what else it writes goes to a temporary directory, but for the log, which is
    kept. Raises InputError with the first complaint of LaTeX, which leaves no PDF.
    """
    require()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copy(source, work / source.name)
        environment = os.environ | {"SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "max_print_line": "10000"}
        command = [PROGRAM, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", source.name]
        for _ in range(MOST_RUNS):
            try:
                ended = subprocess.run(command, cwd=work, env=environment, capture_output=True, timeout=SECONDS)
            except subprocess.TimeoutExpired as error:
                raise InputError(f"{PROGRAM} did not end within {SECONDS} s on {source}") from error
            log = (work / source.with_suffix(".log").name).read_text(encoding="utf-8", errors="replace")
            if ended.returncode != 0:
                complaint = next((line for line in log.splitlines() if line.startswith("! ")), "! no reason given")
                raise InputError(f"{PROGRAM} failed on {source}: {complaint[2:]}")
            if not re.search(r"Rerun to get|Rerun LaTeX|Table widths have changed|There were undefined", log):
                break
        for ending in (".log", ".pdf"):
            write(source.with_suffix(ending), (work / source.with_suffix(ending).name).read_bytes())
