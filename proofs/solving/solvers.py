"""Two solvers, each in a process that is killed at the deadline and started again."""

from __future__ import annotations

import atexit
import json
import select
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace

from weightproof.proofs.deadline import LONGEST
from weightproof.proofs.solving import solver_process

SOLVERS = ("z3", "cvc5")


@dataclass(frozen=True)
class Answer:
    """status: sat, unsat, unknown or timeout; model: variable -> value as text, from Z3 only. seconds: wall clock."""

    solver: str
    status: str
    model: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""


class Process:
    """One solver process; `ask` kills it when the deadline passes.

    questions: how many were asked; each answer bears the number of its question.
    """

    def __init__(self, solver: str) -> None:
        self.solver = solver
        self.child: subprocess.Popen[str] | None = None
        self.questions = 0

    def _start(self) -> subprocess.Popen[str]:
        if self.child is None or self.child.poll() is not None:
            self.child = subprocess.Popen(
                # -P: nothing in the user's folder is imported, whatever it is called
                [sys.executable, "-P", solver_process.__file__, self.solver],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                process_group=0,  # Ctrl-C is for the parent, which decides what becomes of this process
            )
        return self.child

    def ask(self, script: str, timeout: float) -> Answer:
        """The solver's answer to a script with one check-sat; status "timeout" after `timeout` seconds."""
        try:
            return self._ask(script, timeout)
        except (
            BaseException
        ):  # an answer that nobody waits for any more is not to be taken for that to another question
            self.stop()
            raise

    def _ask(self, script: str, timeout: float) -> Answer:
        begin = time.monotonic()
        child = self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        self.questions += 1
        try:
            child.stdin.write(json.dumps({"number": self.questions, "script": script}) + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            self.stop()
            return Answer(self.solver, "unknown", error="the solver process died")
        ready, _, _ = select.select([child.stdout], [], [], min(timeout, LONGEST))
        if not ready:
            self.stop()
            return Answer(self.solver, "timeout", seconds=time.monotonic() - begin)
        line = child.stdout.readline()
        seconds = time.monotonic() - begin
        if not line:
            self.stop()
            return Answer(self.solver, "unknown", seconds=seconds, error="the solver process died")
        answer = json.loads(line)
        if answer["number"] != self.questions:
            self.stop()
            return Answer(self.solver, "unknown", seconds=seconds, error="the solver answered another question")
        return Answer(self.solver, answer["status"], answer["model"], seconds, answer.get("error", ""))

    def stop(self) -> None:
        child, self.child = self.child, None
        if child is not None:
            child.kill()
            child.wait()


_processes: dict[str, Process] = {}
_answered: dict[tuple[str, str], Answer] = {}
MOST_ANSWERED = 10_000


def ask(solver: str, script: str, timeout: float) -> Answer:
    """Ask z3 or cvc5; the process is kept for the next question.

    A script that was settled before, comments apart, is not asked again: the answer, sat or unsat, took no time then.
    """
    question = solver, "".join(line for line in script.splitlines(keepends=True) if not line.startswith(";"))
    if question in _answered:
        return replace(_answered[question], seconds=0.0)
    if solver not in _processes:
        _processes[solver] = Process(solver)
        atexit.register(_processes[solver].stop)
    answer = _processes[solver].ask(script, timeout)
    if answer.status in ("sat", "unsat"):
        if len(_answered) == MOST_ANSWERED:
            _answered.clear()
        _answered[question] = answer
    return answer
