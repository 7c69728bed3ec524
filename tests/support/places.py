"""Where the tests and the files of the project are."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
EXAMPLES = sorted((TESTS / "examples").glob("*.py"))
"""Files as users write them."""
