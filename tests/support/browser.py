"""A headless Chromium, told what to do through a pipe in its own protocol: no library, no port that could be taken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-extensions",
)  # fmt: skip


class Browser:
    """One page of one browser. requests: what the page has asked for since it was opened, itself included; complaints:
    errors of its scripts, and what its console was told."""

    def __init__(self, to: int, back: Any) -> None:
        self._to, self._from, self._number = to, back, 0
        self.requests: list[str] = []
        self.complaints: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self._ask(f"{domain}.enable")

    def _call(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        os.write(self._to, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while (heard := self._hear()).get("id") != self._number:
            pass
        assert "error" not in heard, heard
        result: dict[str, Any] = heard["result"]
        return result

    def _ask(self, method: str, **given: Any) -> dict[str, Any]:
        return self._call(method, self._session, **given)

    def _hear(self) -> dict[str, Any]:
        read = bytearray()
        while (byte := self._from.read(1)) != b"\0":
            assert byte, "the browser has ended"
            read += byte
        heard: dict[str, Any] = json.loads(read)
        match heard.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(heard["params"]["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(heard["params"]["exceptionDetails"]))
        return heard

    def open(self, page: Path, width: int = 1440, height: int = 900, dark: bool = False, query: str = "") -> None:
        """A page from the disk, in a window of this size, in light or dark colours; query: what it is asked."""
        self.requests, self.complaints = [], []
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])
        self._ask("Page.navigate", url=f"{page.resolve().as_uri()}{query and '?'}{query}")
        while self._hear().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, script: str) -> Any:
        """What a script comes to in the page, of plain data; what it promises is waited for."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")


@contextmanager
def browser() -> Iterator[Browser]:
    """It ends with the block."""
    assert PROGRAM is not None
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()

    def as_3_and_4() -> None:
        """Where it looks for its pipe; copies first, as either may be 3 or 4 already."""
        first, second = os.dup(theirs_in), os.dup(theirs_out)
        os.dup2(first, 3)
        os.dup2(second, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, open(ours_in, "rb") as back:
        process = subprocess.Popen(
            [PROGRAM, *OPTIONS, f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=as_3_and_4,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            yield Browser(ours_out, back)
        finally:
            os.close(ours_out)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
