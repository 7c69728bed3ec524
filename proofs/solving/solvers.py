"""Two solvers, each in a process of its own, which answer after a number of their own steps, not of seconds."""

from __future__ import annotations

import atexit
import json
import math
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace

from weightproof.constructions.scalars import work
from weightproof.proofs.solving import solver_process

STEPS_A_SECOND = {"z3": 600_000, "cvc5": 300_000}
"""How many of its own steps, as each solver counts them, are told as a second of counted work."""
SOLVERS = tuple(STEPS_A_SECOND)
FEWEST, TIMES = 2.0, 4.0
"""A question ends its process after so many seconds of processor time, and so many for each second of counted work that
it is given: what hangs counts no steps. What is settled takes less than a tenth of that."""


@dataclass(frozen=True)
class Answer:
    """status: sat, unsat, unknown; "given up" where its steps were used up, "hung" where it counted none any more.
    model: variable -> value as text, from Z3 only. seconds: wall clock; steps: as the solver counts them."""

    solver: str
    status: str
    model: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""
    steps: int = 0


class Process:
    """One solver process. questions: how many were asked; each answer bears the number of its question."""

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

    def ask(self, script: str, steps: int) -> Answer:
        """The solver's answer to a script with one check-sat, after so many of its steps at most."""
        try:
            return self._ask(script, steps)
        except (
            BaseException
        ):  # an answer that nobody waits for any more is not to be taken for that to another question
            self.stop()
            raise

    def _ask(self, script: str, steps: int) -> Answer:
        begin = time.monotonic()
        child = self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        self.questions += 1
        processor = FEWEST + TIMES * steps / STEPS_A_SECOND[self.solver]
        question = {"number": self.questions, "script": script, "steps": steps, "processor": processor}
        try:
            child.stdin.write(json.dumps(question) + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            self.stop()
            return Answer(self.solver, "unknown", error="the solver process died")
        line = child.stdout.readline()
        seconds = time.monotonic() - begin
        if not line:
            hung = child.wait() == -signal.SIGXCPU
            self.stop()
            if hung:
                return Answer(self.solver, "hung", seconds=seconds, steps=steps)
            return Answer(self.solver, "unknown", seconds=seconds, error="the solver process died")
        answer = json.loads(line)
        if answer["number"] != self.questions:
            self.stop()
            return Answer(self.solver, "unknown", seconds=seconds, error="the solver answered another question")
        return Answer(
            self.solver, answer["status"], answer["model"], seconds, answer.get("error", ""), answer.get("steps", 0)
        )

    def stop(self) -> None:
        child, self.child = self.child, None
        if child is not None:
            child.kill()
            child.wait()


_processes: dict[str, Process] = {}
_answered: dict[tuple[str, str], Answer] = {}
MOST_ANSWERED = 10_000


def ask(solver: str, script: str, seconds: float) -> Answer:
    """Ask z3 or cvc5, for so many seconds of counted work at most; the process is kept for the next question.

    A script that was settled before, comments apart, is not asked again: the answer, sat or unsat, took no time then,
    but counts as much work.
    """
    steps = max(math.ceil(seconds * STEPS_A_SECOND[solver]), 1)  # 0 would be no limit to them
    question = solver, "".join(line for line in script.splitlines(keepends=True) if not line.startswith(";"))
    if question in _answered and _answered[question].steps <= steps:
        answer = replace(_answered[question], seconds=0.0)
    else:
        if solver not in _processes:
            _processes[solver] = Process(solver)
            atexit.register(_processes[solver].stop)
        answer = _processes[solver].ask(script, steps)
        if answer.status in ("sat", "unsat"):
            if len(_answered) == MOST_ANSWERED:
                _answered.clear()
            _answered[question] = answer
    work.spend(answer.steps * work.STEPS_A_SECOND // STEPS_A_SECOND[solver])
    return answer
