"""Pieces of long work, done by the workers of a Dask cluster that is there already.

Whoever runs the scheduler decides what its workers compute, and what comes back is trusted as it comes; the workers
have to have the same program, which each says before it begins.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import cloudpickle

from weightproof.constructions.meaning.inputs import InputError
from weightproof.extras import require
from weightproof.parallel.pieces import Gone, Pieces, here
from weightproof.parallel.program import difference, program

if TYPE_CHECKING:
    from distributed import Client

T = TypeVar("T")
ANSWERS = 10.0
"""Seconds in which a scheduler has to answer, and a first worker to be there."""
_one_at_a_time = threading.Lock()
"""Solvers, and the count of work, are those of a process: what threads of one worker are given waits in line."""


@dataclass(frozen=True)
class Cluster:
    """The workers that a scheduler knows, by its address, as tcp://host:8786."""

    address: str

    def spread(self, pieces: Pieces[T], order: Sequence[int]) -> Iterator[tuple[int, int, T]]:
        """As `Workers` has it; what a worker does that is killed is done by another one. The results of a piece come
        together, when all of it is done.

        InputError where there is no scheduler, or no worker, or one with another program; Gone where the scheduler goes
        away.
        """
        sent, failed, name = cloudpickle.dumps(pieces), list[int](), f"weightproof-{uuid.uuid4().hex}"
        with self._client() as client:
            from distributed import as_completed

            ours = dict(program())
            futures = {
                client.submit(_done, ours, sent, number, key=f"{name}-{number}", pure=False, priority=-place): number
                for place, number in enumerate(order)
            }
            try:
                for future, found in as_completed(futures, loop=client.loop, with_results=True, raise_errors=False):
                    match future.status:
                        case "finished":
                            yield from ((futures[future], place, each) for place, each in pickle.loads(found))
                        case "error":
                            if isinstance(error := future.exception(), Different):
                                raise InputError(f"--scheduler {self.address}: {error}")
                            failed.append(futures[future])
                        case _:
                            raise Gone(f"the scheduler at {self.address} went away")
            finally:
                with contextlib.suppress(Exception):  # whether it is still there is another matter
                    client.cancel([*futures])
        yield from here(pieces, failed) if failed else ()

    @contextlib.contextmanager
    def _client(self) -> Iterator[Client]:
        """Connected, with workers that have this program."""
        require("distributed")
        from distributed import Client
        from distributed.comm import get_address_host_port

        for name in [
            *logging.root.manager.loggerDict
        ]:  # what is logged when a connection is lost is told in a line here
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            get_address_host_port(self.address)  # a client that cannot read it is not made, and complains when it goes
            client = Client(self.address, timeout=ANSWERS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(
                f"--scheduler {self.address}: no scheduler of Dask answers there; begin one with: dask scheduler"
            ) from error
        try:
            self._require_workers(client)
            yield client
        finally:
            client.close(timeout=1)

    def _require_workers(self, client: Client) -> None:
        try:
            client.wait_for_workers(1, timeout=ANSWERS)
        except TimeoutError as error:
            raise InputError(
                f"--scheduler {self.address}: it has no workers; begin some with: dask worker {self.address}"
            ) from error
        for worker, found in client.run(_program, on_error="return").items():
            if isinstance(found, BaseException):
                raise InputError(f"--scheduler {self.address}: on the worker {worker} weightproof is not installed")
            _require_same(program(), found, f"--scheduler {self.address}: on the worker {worker} ", InputError)


class Different(Exception):
    """A worker has another program."""


def _program() -> dict[str, str]:
    return dict(program())


def _require_same(ours: Mapping[str, str], theirs: Mapping[str, str], where: str, error: type[Exception]) -> None:
    if (told := difference(ours, theirs)) is not None:
        raise error(f"{where}{told}; install the same on both")


def _done(wanted: Mapping[str, str], sent: bytes, number: int) -> bytes:
    """On a worker, which may have come late: what comes of a piece, with the places."""
    with _one_at_a_time:
        _require_same(wanted, program(), "on a worker ", Different)
        return cloudpickle.dumps([*enumerate(_pieces(sent)[number]())])


@lru_cache(maxsize=1)
def _pieces(sent: bytes) -> Sequence[Callable[[], Iterable[Any]]]:
    """The list is made once on each worker."""
    made: Pieces[Any] = pickle.loads(sent)
    return made()
