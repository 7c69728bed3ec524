"""A solver in a process of its own: reads numbered SMT-LIB 2 scripts, one JSON line each, and answers each
with one JSON line that bears its number.

Run as ``python -P proofs/solving/solver_process.py z3``; it imports nothing of ours. What it answers depends on the
script and on how many steps it is given alone: nothing of one question is left for the next. Some of what solvers do
counts no steps, and may never end: a question that takes far more processor time than its steps are worth ends the
process.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
from collections.abc import Callable

RESOURCES = "resource::resourceUnitsUsed"
"""What cvc5 calls its steps."""
GIVEN_UP = "given up"
"""The status where the steps were used up."""


def ask_z3(script: str, steps: int) -> dict[str, object]:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", steps)
    solver.from_string(script)
    status = str(solver.check())
    model = {}
    if status == "sat":
        found = solver.model()
        model = {str(variable): str(found[variable]) for variable in found.decls()}
    spent = next((value for key, value in solver.statistics() if key == "rlimit count"), 0)
    if status == "unknown" and spent >= steps:
        status = GIVEN_UP
    return {"status": status, "model": model, "steps": int(spent)}


def ask_cvc5(script: str, steps: int) -> dict[str, object]:
    """As it is: its coverings (nl-cov) settle many questions sooner, but count no steps, and some never end."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit", str(steps))
    parser = cvc5.InputParser(solver)
    # cvc5 refuses to answer otherwise than the status announces; here its own answer is wanted.
    lines = (line for line in script.splitlines() if not line.startswith("(set-info :status"))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(lines), "obligation")
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        output = command.invoke(solver, parser.getSymbolManager()).strip()
        if output:
            answer = output
    spent = int(solver.getStatistics().get(internal=True)[RESOURCES]["value"])
    if answer not in ("sat", "unsat"):
        answer = GIVEN_UP if spent >= steps else "unknown"
    return {"status": answer, "model": {}, "steps": spent}


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {"z3": version("z3-solver"), "cvc5": version("cvc5")}


def main() -> None:
    ask: Callable[[str, int], dict[str, object]] = {"z3": ask_z3, "cvc5": ask_cvc5}[sys.argv[1]]
    for line in sys.stdin:
        question = json.loads(line)
        used = resource.getrusage(resource.RUSAGE_SELF)
        limit = math.ceil(used.ru_utime + used.ru_stime + question["processor"])
        _, most = resource.getrlimit(resource.RLIMIT_CPU)  # the machine may have one of its own
        resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
        try:
            answer = ask(question["script"], question["steps"])
        except Exception as error:  # whatever a solver throws is an answer that proves nothing
            answer = {"status": "unknown", "model": {}, "error": " ".join(str(error).split())}
        try:
            print(json.dumps(answer | {"number": question["number"]}), flush=True)
        except BrokenPipeError:  # whoever asked is gone
            os._exit(1)


if __name__ == "__main__":
    main()
