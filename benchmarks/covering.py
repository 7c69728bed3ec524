"""What covering costs as words and networks grow: `make curves`.

Writes benchmarks/results/covering-cpu.json, from which `pictures` draws. Networks of random weights, without structure,
are covered on all words of one length, in sets, as a theorem up to a length has it done for each. They accept every
word, and hardly: the bias of the readout leaves the least logit of many words above 0 by a part of what their
logits differ by. Each figure is of a process of its own, in processor time.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from weightproof.constructions.files import write
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import (
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Layer,
    Linear,
    Readout,
)

RESULTS = Path(__file__).parent / "results" / "covering-cpu.json"
LENGTHS = (4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
WIDTHS = (4, 8, 16, 32, 64)
SERIES = ((1, 4), (1, 16), (1, 64), (2, 4), (2, 16))
"""Layers and width of the networks whose words grow."""
LONGEST, MOST = 60, 120
"""After how many seconds no longer words are tried, and after how many it is given up."""
LENGTH = 12
"""Positions, where networks grow."""
SAMPLE, ABOVE = 1_000, Fraction(1, 8)
"""Random words, with each share of 1s, from the least of which one symbol after the other is changed; and how far above
0 the least logit of all these is, as a part of the difference between that and the greatest."""

Row = dict[str, Any]


def network(layers: int, width: int, length: int) -> Construction:
    """The same every time: what it embeds is of size 1, about, and what each row makes of a vector as large as that."""
    random, names = Random(f"{layers} {width}"), tuple(f"x{k}" for k in range(width))

    def rows(outputs: Sequence[str], inputs: Sequence[str], size: float) -> dict[str, dict[str, Fraction]]:
        return {
            row: {column: Fraction(round(random.gauss(0, size) * 256), 256) for column in inputs} for row in outputs
        }

    units, values, scored = ([f"{name}{k}" for k in range(width)] for name in "hvq")
    each = 1 / width**0.5

    def layer() -> Layer:
        head = Head(*(rows(out, names, each) for out in (values, scored, scored)), rows(names, values, each))
        return Layer((head,), FeedForward(Linear(rows(units, names, each)), Linear(rows(names, units, each))))

    waves = {name: f"cos({place + 1}*i)" for place, name in enumerate(names[: width // 2])}
    encoder = Encoder(
        names,
        Embedding(rows(("0", "1", "CLS"), names, 1), waves),
        tuple(layer() for _ in range(layers)),
        Readout(Linear(rows(("logit",), names, each))),
    )
    language = Language("ALL", ("0", "1"), lambda word: True, "n >= 1")
    lifted = replace(encoder, readout=Readout(Linear(encoder.readout.W.weights, {"logit": _bias(encoder, length)})))
    return Construction(f"{layers} layers of {width}", "accepts every word", "random", language, lifted)


def _bias(network: Encoder, length: int) -> Fraction:
    """By which it hardly accepts every word of so many positions."""
    random, symbols = Random(length), length - len(network.markers)
    shares = [random.random() for _ in range(SAMPLE)]
    words = ["".join("01"[random.random() < share] for _ in range(symbols)) for share in shares]
    logits = _logits(network, words)
    most, least = max(logits), min(logits)
    word = words[logits.index(least)]
    while True:
        words = [f"{word[:k]}{'10'[int(word[k])]}{word[k + 1 :]}" for k in range(symbols)]
        logits = _logits(network, words)
        if min(logits) >= least:
            return round((ABOVE * (most - least) - least) * 4096) / Fraction(4096)
        least = min(logits)
        word = words[logits.index(least)]


def _logits(network: Encoder, words: Sequence[str]) -> list[Fraction]:
    from weightproof.proofs.running.forward import outputs

    return [Fraction(float(middle)) for middle in outputs(network, words, {}).values.middle[:, 0]]


def measured(layers: int, width: int, length: int) -> Row:
    """In this process, which numpy leaves with one thread: no product here is large."""
    from weightproof.proofs.covering.asking import asked
    from weightproof.proofs.covering.certificate import number_of
    from weightproof.proofs.covering.deciding import of_length
    from weightproof.proofs.quantities.analysis import Analysis
    from weightproof.proofs.running.every import Decided
    from weightproof.proofs.theorem import Decides

    construction = network(layers, width, length)
    theorem = Decides("all", "accepts every word", up_to=length)
    check = Decided(Analysis(construction), theorem)
    start = process_time()
    found = of_length(check, asked(construction, theorem), construction.encoder, length)
    seconds = process_time() - start
    row: Row = {"layers": layers, "width": width, "n": length, "verdict": "open" if found is None else "proved"}
    if not isinstance(found, tuple):
        return row | {"verdict": "open" if found is None else found.name, "seconds": round(seconds, 2)}
    covered, positions = found
    looked_at = sum(2 * number_of(sets) - 1 for _, sets in positions.parts)  # each that is split is split in two
    return row | {
        "seconds": round(seconds, 2),
        "words": covered.words,
        "looked at": looked_at,
        "sets": covered.sets,
        "run": covered.run,
        "margin": covered.margin,
        "sets a second": round(looked_at / seconds, 1),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def points() -> Iterator[tuple[str, tuple[tuple[int, int, int], ...]]]:
    """What is measured, a series after the other: by what grows in it."""
    for layers, width in SERIES:
        yield "n", tuple((layers, width, length) for length in LENGTHS)
    for layers in (1, 2):
        yield "width", tuple((layers, width, LENGTH) for width in WIDTHS)


def payload(tell: Callable[[str], None]) -> Row:
    """Machine, its load when that began, and all rows."""
    from weightproof.measuring.machine import machine

    load, rows = os.getloadavg()[0], []
    for grows, series in points():
        for point in series:
            command = [sys.executable, __file__, *map(str, point)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == -signal.SIGXCPU:
                tell(f"{point}: more than {MOST} seconds")
                break
            done.check_returncode()
            rows.append({"grows": grows, **json.loads(done.stdout)})
            tell(str(rows[-1]))
            if rows[-1]["verdict"] != "proved" or rows[-1]["seconds"] > LONGEST:
                break
    return {"machine": machine(), "load": round(load, 1), "rows": rows}


def main() -> None:
    if len(sys.argv) == 4:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST + 1))
        print(json.dumps(measured(*map(int, sys.argv[1:]))))
        return
    found = payload(lambda line: print(line, file=sys.stderr, flush=True))
    rows = ",\n".join(json.dumps(row) for row in found["rows"])
    head = json.dumps(found["machine"], indent=1)
    write(RESULTS, f'{{"machine": {head},\n"load": {found["load"]},\n"rows": [\n{rows}\n]}}\n')


if __name__ == "__main__":
    main()
