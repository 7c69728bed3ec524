"""Where the tests and the files of the project are."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
EXAMPLES = sorted((TESTS / "examples").glob("*.py"))
"""Files as users write them."""
NEWCOMERS = sorted(path for path in (TESTS / "examples").glob("*/*.py") if path.parent.name != "late")
"""Files of the kind that newcomers write, by theme; each has `mistakes` too: what is wrong -> the network with it."""
