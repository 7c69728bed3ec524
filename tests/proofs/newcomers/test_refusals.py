"""What no rule derives is refused soon, in one line: little time is left for words that refute it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proofs.newcomers.cases import newcomer
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, Head, Layer
from weightproof.proofs import deciding
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Decides
from weightproof.proofs.verdict import Unknown


def with_head(construction: Construction, head: Head) -> Construction:
    assert isinstance(construction.network, Encoder)
    return replace(construction, network=replace(construction.network, layers=(Layer(heads=(head,)),)))


REFUSED = {
    "no integer form": (
        "count('b') >= 1",
        Head({"s": {"[w=b]": 1}}, {"q": {"1": 1}}, {"q": {"i": 1}}, scale="1/n"),
    ),
    "depend on the position and on the symbol": (
        "w[n - 1] == 'b'",
        Head({"s": {"[w=b]": 1}}, {"q": {"1": 1}}, {"q": {"i": 1, "[w=b]": "1/2"}}, normaliser="hardmax"),
    ),
}


@pytest.mark.parametrize("says", REFUSED)
def test_a_refusal_comes_soon(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    monkeypatch.setattr(deciding, "late", lambda *arguments: steps.append(arguments[3]) or iter(()))
    accepts, head = REFUSED[says]
    construction = with_head(newcomer("hard_last").construction, head)
    [result] = prove(construction, [Decides("right", "a test", accepts=accepts)], timeout=30.0)
    assert isinstance(result.verdict, Unknown)
    assert says in result.verdict.reason
    assert "\n" not in result.verdict.reason
    assert steps == [deciding.REFUSED]
