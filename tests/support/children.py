"""How a test begins another process."""

from __future__ import annotations

import signal


def heed_interruptions() -> None:
    """As from a terminal: a shell that runs the tests in the background has its children ignore interruptions."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
