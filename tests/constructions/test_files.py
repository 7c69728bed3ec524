"""Files are written whole or left as they were, whatever happens on the way."""

from __future__ import annotations

import errno
import multiprocessing
import os
import resource
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from weightproof.constructions.files import locked, require_place, write

ROWS = "rows\n" * 3


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    path = tmp_path / "rows.json"
    path.write_text(ROWS)
    return path


def test_a_file_takes_the_place_of_the_last_one(kept: Path) -> None:
    kept.chmod(0o640)
    write(kept, "ä\n")
    assert kept.read_bytes() == "ä\n".encode()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    write(kept, b"\xff")
    assert kept.read_bytes() == b"\xff"
    assert [*kept.parent.iterdir()] == [kept]


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    write(tmp_path / "new", "")
    (tmp_path / "other").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_is_followed(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(kept)
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert kept.read_text() == "new"


def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    pipe, found = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    require_place(pipe)
    write(pipe, ROWS)
    reader.join()
    assert found == [ROWS]
    assert pipe.is_fifo()


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("step", ["fsync", "replace", "fchmod"])
@pytest.mark.parametrize(("happens", "raised"), [(full, OSError), (interrupted, KeyboardInterrupt)])
def test_whatever_happens_on_the_way_the_old_file_is_left(
    monkeypatch: pytest.MonkeyPatch, kept: Path, step: str, happens: Callable[..., None], raised: type[BaseException]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, step, happens)
        with pytest.raises(raised) as caught:
            write(kept, "new")
    assert kept.read_text() == ROWS
    assert [*kept.parent.iterdir()] == [kept]
    if isinstance(caught.value, OSError):
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(kept))


def in_a_process(work: Callable[[], None]) -> int:
    """The exit status."""
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def test_a_disk_without_room_is_told_by_the_name_of_the_file(kept: Path) -> None:
    """A process of which no file may have more than so many bytes fails as on a full disk, in the middle of a write."""

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with pytest.raises(OSError, match="File too large") as caught:
            write(kept, "x" * 2000)
        assert caught.value.filename == str(kept)

    assert in_a_process(work) == 0
    assert kept.read_text() == ROWS
    assert [*kept.parent.iterdir()] == [kept]


@pytest.mark.parametrize("place", ["nowhere/file", "/dev/null/file", "", "x" * 300])
def test_where_nothing_can_be_written_is_found_out_before(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    for ask in (require_place, lambda path: write(path, ROWS)):
        with pytest.raises(OSError, match=r".") as caught:
            ask(path)
        assert caught.value.filename == str(path)


def test_a_place_is_left_as_it_is(kept: Path) -> None:
    require_place(kept)
    require_place(kept.with_name("another"))
    assert [*kept.parent.iterdir()] == [kept]


def test_nobody_writes_between_what_another_reads_and_writes(tmp_path: Path) -> None:
    count, times = tmp_path / "count", 40
    write(count, "0")

    def add() -> None:
        for _ in range(times):
            with locked(count):
                write(count, str(int(count.read_text()) + 1))

    processes = [multiprocessing.get_context("fork").Process(target=add) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert count.read_text() == str(3 * times)
    assert [*tmp_path.iterdir()] == [count]


def test_a_lock_that_goes_while_it_is_looked_at_is_waited_for_again(tmp_path: Path) -> None:
    """With nothing to do under the lock, another process removes it between any two looks."""

    def hold() -> None:
        for _ in range(2000):
            with locked(tmp_path / "file"):
                pass

    processes = [multiprocessing.get_context("fork").Process(target=hold) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0, 0]
    assert [*tmp_path.iterdir()] == []


def test_a_lock_that_was_left_is_no_lock(kept: Path) -> None:
    """Of a process that was killed, say."""
    kept.with_name(f".{kept.name}.lock").touch()
    with locked(kept):
        pass
    assert [*kept.parent.iterdir()] == [kept]


def test_where_nothing_can_be_locked_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file") as caught, locked(tmp_path / "nowhere" / "file"):
        pytest.fail("locked")
    assert caught.value.filename == str(tmp_path / "nowhere" / "file")
