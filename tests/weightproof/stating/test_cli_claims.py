"""`claims` of a user's file: true and false ones, and what the time was too short for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import weightproof as wp
from tests.support.places import ROOT
from weightproof.cli import main
from weightproof.proofs.claims import judging
from weightproof.proofs.deadline import TimeUp
from weightproof.proofs.quantities.outcome import Outcome

CLAIMED = """
from weightproof import *
claims = Claims(
    "last-is-one",
    Published("least", "line 1", "the logit is at least $-5$", statements.Compares(">=", -5, "n >= 1")),
    Published("most", "line 2", "the logit is below $-5$", statements.Compares("<", -5, "n >= 1")),
)
"""


@pytest.fixture
def claimed(tmp_path: Path) -> str:
    path = tmp_path / "claimed.py"
    own = (ROOT / "tests" / "examples" / "last_is_one.py").read_text()
    name = re.search(r'name="(.*?)",\n\s*title', own)
    assert name is not None
    path.write_text(own + CLAIMED.replace("last-is-one", name[1]))
    return str(path)


def test_a_file_of_ones_own_has_true_and_false_claims(claimed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", claimed]) == 0
    assert "1 true, 1 false" in capsys.readouterr().out
    judged = wp.claims(claimed)
    assert {judgement.claim.id: judgement.verdict for judgement in judged} == {"least": "true", "most": "false"}


def test_what_the_time_was_too_short_for_is_unknown_and_says_so(
    claimed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> Outcome:
        raise TimeUp("given up after 7 s of counted work, in the judgement")

    monkeypatch.setattr(judging, "_judged", late)
    assert main(["claims", claimed, "--timeout", "7", "--json"]) == 2
    out, err = capsys.readouterr()
    assert err == "weightproof: given up after 7 s, open: least; most; give more with --timeout SECONDS\n"
    for claim in json.loads(out)["claims"]:
        assert (claim["verdict"], claim["timed_out"]) == ("unknown", True)
        assert claim["note"] == "given up after 7 s of counted work, in the judgement"
        assert all(reading["timed_out"] for reading in claim["readings"])


@pytest.mark.parametrize(
    "argument", ["fraknoi2024-formulas", "circuit-by-decoder-as-printed", "rnn-by-directional-as-printed"]
)
def test_claims_about_families_are_stopped_too(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By the clock, the whole call; by counted work, each reading."""
    assert main(["claims", argument, "--timeout", "1e-6"]) == 2
    assert capsys.readouterr().err == "weightproof: time-out of 1e-06 s in the whole call\n"


@pytest.mark.parametrize("timeout", [0.0, float("nan")])
def test_the_interface_refuses_what_is_no_time_limit(claimed: str, timeout: float) -> None:
    with pytest.raises(wp.InputError, match="no time limit"):
        wp.claims(claimed, timeout=timeout)
