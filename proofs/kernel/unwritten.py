"""What is refused where a proof cannot be written for the kernel."""

from __future__ import annotations


class Unwritten(Exception):
    """A proof that cannot be written for the kernel yet; one line that names the step that is missing."""
