"""A solver in a process of its own: reads numbered SMT-LIB 2 scripts, one JSON line each, and answers each
with one JSON line that bears its number.

Run as ``python -P proofs/solving/solver_process.py z3``; it imports nothing of ours. The parent kills it at the
deadline; no solver's own limit is relied on.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable


def ask_z3(script: str) -> dict[str, object]:
    import z3

    solver = z3.Solver()
    solver.from_string(script)
    status = str(solver.check())
    model = {}
    if status == "sat":
        found = solver.model()
        model = {str(variable): str(found[variable]) for variable in found.decls()}
    return {"status": status, "model": model}


def ask_cvc5(script: str) -> dict[str, object]:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    # cvc5 refuses to answer otherwise than the status announces; here its own answer is wanted.
    lines = (line for line in script.splitlines() if not line.startswith("(set-info :status"))
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "\n".join(lines), "obligation")
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        output = command.invoke(solver, parser.getSymbolManager()).strip()
        if output:
            answer = output
    return {"status": answer if answer in ("sat", "unsat") else "unknown", "model": {}}


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {"z3": version("z3-solver"), "cvc5": version("cvc5")}


def main() -> None:
    ask: Callable[[str], dict[str, object]] = {"z3": ask_z3, "cvc5": ask_cvc5}[sys.argv[1]]
    for line in sys.stdin:
        question = json.loads(line)
        try:
            answer = ask(question["script"])
        except Exception as error:  # whatever a solver throws is an answer that proves nothing
            answer = {"status": "unknown", "model": {}, "error": " ".join(str(error).split())}
        print(json.dumps(answer | {"number": question["number"]}), flush=True)


if __name__ == "__main__":
    main()
