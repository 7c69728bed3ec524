"""Which proofs the kernel of Coq has checked, as `make kernel` wrote down: what is said of them needs no Coq then.

A proof counts as checked as long as it is that one: the hash is of the text of all its files. One that is written
otherwise by now, or rests on weights that were changed, has another hash, and is not counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from weightproof.constructions.meaning.construction import Construction
from weightproof.proofs.kernel.coq import written
from weightproof.proofs.kernel.development import Development
from weightproof.proofs.kernel.settling import settled
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.theorem import AboutLogits, Theorem
from weightproof.proofs.verdict import Evidence, Proved, Refuted, Verdict

RECORD = Path(__file__).with_name("checked.json")


@dataclass(frozen=True)
class Record:
    """coq: the version that checked them; proofs: construction -> theorem -> the hash of its proof."""

    coq: str
    proofs: Mapping[str, Mapping[str, str]]

    @classmethod
    def read(cls) -> Record:
        return cls(**json.loads(RECORD.read_text(encoding="utf-8")))

    def text(self) -> str:
        return json.dumps({"coq": self.coq, "proofs": self.proofs}, indent=2, ensure_ascii=False) + "\n"

    def holds(self, construction: Construction, theorem: Theorem, verdict: Verdict) -> bool:
        """Whether the proof of a theorem, or its refutation, as it is written now, was checked."""
        known = self.proofs.get(construction.name, {}).get(str(theorem.name))
        if known is None or not isinstance(theorem, AboutLogits):
            return False
        try:
            return hash_of(settled(construction, theorem, verdict)) == known
        except Unwritten:
            return False


def hash_of(proof: Development) -> str:
    """That of the text of all files that Coq checks."""
    return sha256(json.dumps(written(proof)).encode()).hexdigest()


def strengthened(record: Record, construction: Construction, theorem: Theorem, verdict: Verdict) -> Verdict:
    """A verdict that rests on the kernel, where its proof or refutation was checked; else as it is."""
    if isinstance(verdict, Proved | Refuted) and record.holds(construction, theorem, verdict):
        return replace(verdict, evidence=Evidence.KERNEL)
    return verdict


def with_kernel(construction: Construction, theorem: Theorem, verdict: Verdict) -> Verdict:
    """The verdict with the evidence that all who write down what is known say it has: the manifest, the judges of what
    is printed, documents and pages. theorem: as it is stated, by its name."""
    return strengthened(Record.read(), construction, theorem, verdict)
