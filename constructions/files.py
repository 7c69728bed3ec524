"""Files that are written whole or left as they were: written beside their place first, and renamed when all of it is on
the disk."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    """Put the content in the place of what is there, if anything is; text as UTF-8.

    Whatever happens on the way, a full disk or an interruption, the old file is still there, or the new one is, whole.
    A link is followed; what is no ordinary file, as a pipe, is written to as it is. OSError, with the name of the file,
    where it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    with _naming(path):
        place = _place(path)
        there = _status(place)
        if there is not None and not stat.S_ISREG(there.st_mode):
            place.write_bytes(data)
            return
        with _beside(place) as (new, descriptor):
            with os.fdopen(descriptor, "wb", closefd=False) as file:
                file.write(data)
                file.flush()
            if there is not None:
                os.fchmod(descriptor, stat.S_IMODE(there.st_mode))
            os.fsync(descriptor)
            os.replace(new, place)


def require_place(path: Path) -> None:
    """OSError, with the name of the file, where `write` could not even begin: found out before any long work."""
    with _naming(path):
        place = _place(path)
        there = _status(place)
        if there is not None and stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if there is None or stat.S_ISREG(there.st_mode):
            with _beside(place):
                pass


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """While nobody else holds the file locked: what is read there is what stands there when it is written.

    The lock is a file beside it, which goes when it is released. OSError, with the name of the file, where there can be
    none.
    """
    with _naming(path):
        place = _place(path)
        lock = place.with_name(f".{place.name}.lock")
        descriptor = _held(lock)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _held(lock: Path) -> int:
    """The descriptor of a lock that is held. One that was removed while it was waited for is the lock of nobody."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            there = _status(lock)
            if there is not None and os.path.samestat(os.fstat(descriptor), there):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _status(path: Path) -> os.stat_result | None:
    """None where there is nothing. Asked once: whether it is there, and then what it is, are two moments, and another
    process may take it away between them."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _place(path: Path) -> Path:
    return Path(os.path.realpath(path))


@contextmanager
def _beside(place: Path) -> Iterator[tuple[Path, int]]:
    """A new file in the same folder, open; it is removed if it is still there in the end."""
    new = place.with_name(f".{secrets.token_hex(8)}.new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        yield new, descriptor
    finally:
        os.close(descriptor)
        new.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Errors with the name of the file that was asked for; those of a write have none, others that of a file beside."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
