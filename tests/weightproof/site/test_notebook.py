"""The notebook of the manual is run from its first cell to its last, and has the outputs that it is kept with.

``python -m tests.weightproof.site.test_notebook`` writes the current outputs into it.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from typing import Any

import pytest

from tests.support.places import ROOT
from weightproof.website.manual.notebook import as_markdown

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
SECONDS = re.compile(r"\d+\.\d+ s\b *")


def run(notebook: Any) -> Any:
    """The notebook as a kernel of its own has run it, in a folder of its own, reached by files there and no ports.
    CellExecutionError where a cell fails."""
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    with tempfile.TemporaryDirectory() as folder:
        kernel = AsyncKernelManager(transport="ipc", ip=f"{folder}/kernel")
        place = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, km=kernel, timeout=100, record_timing=False, resources=place)
        return client.execute(env=os.environ | {"PYTHONPATH": str(ROOT), "IPYTHONDIR": folder})


def kept() -> Any:
    import nbformat

    return nbformat.read(NOTEBOOK, as_version=4)


def outputs(notebook: Any) -> list[str]:
    """Of every cell, as text without durations; of a picture what is written in it."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if svg := output.get("data", {}).pop("image/svg+xml", ""):
                found.append(" ".join(re.findall(r"<!-- (.*?) -->", svg)))
            said = {key: value for key, value in output.items() if key in ("output_type", "data", "text", "name")}
            found.append(re.sub(r"-{3,}|  +", " ", SECONDS.sub("TIME ", json.dumps(said, sort_keys=True))))
    return found


def test_it_has_the_outputs_that_it_is_kept_with() -> None:
    expected = outputs(kept())
    assert len(expected) > 5
    assert outputs(run(kept())) == expected


def test_a_cell_that_fails_is_found() -> None:
    from nbclient.exceptions import CellExecutionError

    notebook = kept()
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:1]
    notebook.cells[0].source = "import weightproof as wp\nassert wp is None"
    with pytest.raises(CellExecutionError):
        run(notebook)


def test_an_output_that_no_page_can_show_is_an_error() -> None:
    cell = {"cell_type": "code", "source": "x", "metadata": {}}
    shown = {**cell, "outputs": [{"output_type": "stream", "text": ["a\n", "b\n"]}]}
    assert as_markdown(json.dumps({"cells": [shown]}).encode()) == "```python\nx\n```\n\n```text\na\nb\n```\n"
    failed = {**cell, "outputs": [{"output_type": "error", "ename": "E", "evalue": "", "traceback": []}]}
    with pytest.raises(TypeError, match="an output of the kind error"):
        as_markdown(json.dumps({"cells": [failed]}).encode())


if __name__ == "__main__":
    import nbformat

    nbformat.write(run(kept()), NOTEBOOK)
