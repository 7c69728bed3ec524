"""A false statement names its mistake, a true one none, and a correction is true: each fault is found where planted."""

from __future__ import annotations

import pytest

from tests.proofs.claims.test_claims import EXAMPLE
from weightproof.appendix.published import as_markdown
from weightproof.constructions.claims.published import Claims, Published, Slip
from weightproof.constructions.claims.statements import Count, Logit, Output, Statement, Value
from weightproof.constructions.library import load, load_file
from weightproof.named import Named
from weightproof.proofs.claims.judging import judge_claims
from weightproof.reports.claiming import (
    ODD,
    Section,
    by_construction,
    differences,
    judged,
    mistakes,
    repairs,
    sections,
    settled,
    statements,
    summary,
    unexplained,
)
from weightproof.reports.claims_data import as_data
from weightproof.subjects.registry import subject_of

RIGHT, WRONG = Count("width", 7), Count("width", 8)
OPEN = Value(Logit(), "17", "n < 0")


def faults(found: list[Section]) -> list[str]:
    """What is wrong with the slips of judged claims."""
    wrong = []
    for section in found:
        for judgement in section.judgements:
            odd, named = judgement.verdict in ODD, bool(judgement.claim.slips)
            if odd and not named:
                wrong.append(f"{judgement.claim.id}: {judgement.verdict} without a slip")
            if named and not odd:
                wrong.append(f"{judgement.claim.id}: {judgement.verdict} with a slip")
    for mistake in mistakes(found):
        if mistake.correction.verdict != "true":
            wrong.append(f"{mistake.slip.id}: its correction is {mistake.correction.verdict}")
        others = [s for each in mistake.affected for s in each.judgement.claim.slips if s.id == mistake.slip.id]
        if any(other != mistake.slip for other in others):
            wrong.append(f"{mistake.slip.id}: two slips of that id")
    return wrong


def slip(id: str = "width", statement: Statement = RIGHT, about: str = "one") -> Slip:
    return Slip(id, about, "One coordinate is counted twice.", "here", "$d = 7$", statement)


def section(*claims: Published, repair: str = "") -> Section:
    source = Named("one.py", load("one"), True, None, Claims("one", *claims, repair=repair))
    result = judged(source)
    assert result is not None
    return result


TRUE = Published("width", "here", "$d = 7$", RIGHT)
FALSE = Published("width", "here", "$d = 8$", WRONG, slip=slip())
PLANTED = [
    ((TRUE, Published("more", "here", "$d = 8$", WRONG, slip=slip())), []),
    ((Published("more", "here", "$d = 8$", WRONG),), ["more: false without a slip"]),
    ((Published("more", "here", "$d = 7$", RIGHT, slip=slip()),), ["more: true with a slip"]),
    ((Published("more", "here", "$d = 8$", WRONG, slip=slip("s", WRONG)),), ["s: its correction is false"]),
    ((Published("more", "here", "$d = 8$", WRONG, slip=slip("s", OPEN)),), ["s: its correction is unknown"]),
    (
        (FALSE, Published("more", "here", "$d = 8$", WRONG, slip=slip(statement=Count("layers", 1)))),
        ["width: two slips of that id"],
    ),
]


@pytest.mark.parametrize(("claims", "expected"), PLANTED, ids=[" ".join(expected) or "none" for _, expected in PLANTED])
def test_planted_faults_are_found(claims: tuple[Published, ...], expected: list[str]) -> None:
    assert faults([section(*claims)]) == expected


def test_statements_share_a_slip_and_a_statement_has_several() -> None:
    both = Published("both", "here", "$d = 9$", Count("width", 9), slip=(slip(), slip("other")))
    first, second = mistakes([section(FALSE, both)])
    assert (first.slip.id, second.slip.id) == ("width", "other")
    assert [(each.judgement.claim.id, each.told) for each in first.affected] == [("width", None), ("both", None)]
    assert [(each.judgement.claim.id, each.told) for each in second.affected] == [("both", "width")]


def test_a_correction_about_another_construction_is_judged_there() -> None:
    elsewhere = slip("layers", Count("layers", 2), about="parity")
    [mistake] = mistakes([section(Published("more", "here", "$d = 8$", WRONG, slip=elsewhere))])
    assert mistake.correction.verdict == "true"


def test_what_is_false_without_a_cause_is_told_all_the_same() -> None:
    found = [section(Published("more", "here", "$d = 8$", WRONG))]
    assert [affected.judgement.claim.id for affected in unexplained(found)] == ["more"]
    told = as_markdown(found)
    assert "### Without a known cause" in told
    assert "- `more`, here, **false**: $`d = 8`$; derived: $`7`$" in told


def test_the_data_name_slip_and_kind() -> None:
    derived = Published("s", "here", "the output is read at CLS", Output("first"))
    data = as_data([section(FALSE, derived, repair="One unit more.")])
    assert [(claim["kind"], claim["slip"]) for claim in data["claims"]] == [
        ("transcription", "width"),
        ("derived", None),
    ]
    [told] = data["slips"]
    assert told["cause"] == "One coordinate is counted twice."
    assert (told["correction"]["claim"], told["correction"]["verdict"], told["claims"]) == ("d = 7", "true", ["width"])
    assert data["repairs"] == [{"construction": "one", "repair": "One unit more.", "weights": []}]


def test_counts_keep_transcriptions_apart() -> None:
    found = [section(FALSE, Published("layers", "here", "$L = 1$", Count("layers", 1)))]
    whole, apart, slips = summary(found)
    assert whole.startswith("0 statements, ")
    assert whole.endswith(": none.")
    assert "Not counted there are 2 transcription checks" in apart
    assert apart.endswith(": 1 true, 1 false.")
    assert slips == "False or ambiguous are 1 of both; the number of distinct slips behind them is 1."
    header, (one, total) = by_construction(found)
    assert header == ("construction", "statements", "true", "true-under", "false", "ambiguous", "transcribed", "slips")
    assert one == ("one", "0", "0", "0", "0", "0", "2", "1")
    assert total == ("all", *one[1:])


def test_a_sentence_about_several_constructions_is_one_statement() -> None:
    """And as true as it is of the one of which it is least so; another place is another statement."""
    here = Published("read", "here", "it is read at CLS", Output("first"))
    wrong = Published("again", "here", "it is read at CLS", Output("sum"), slip=slip())
    there = Published("there", "there", "it is read at CLS", Output("first"))
    found = [section(here), section(wrong), section(there)]
    assert [(each.verdict, len(each.judgements)) for each in statements(found)] == [("false", 2), ("true", 1)]
    _, rows = by_construction(found)
    assert [row[1:4] for row in rows] == [("1", "1", "0"), ("1", "0", "0"), ("1", "1", "0"), ("2", "1", "0")]
    assert summary(found)[0].startswith("2 statements, ")


def test_an_open_verdict_is_not_settled() -> None:
    assert settled([section(TRUE)])
    assert not settled([section(Published("more", "here", "never", OPEN))])
    assert not settled([section(Published("more", "here", "$d = 8$", WRONG, slip=slip("s", OPEN)))])


def test_the_difference_from_the_printed_weights_is_computed() -> None:
    palindrome, printed = load("palindrome"), load("palindrome-as-printed")
    assert differences(palindrome, printed) == (
        ("layer 2, head 1, W_V 's' from '[left and w=1]'", "1", "0"),
        ("layer 2, head 1, W_V 's' from '[right and w=1]'", "0", "1"),
    )
    assert differences(palindrome, palindrome) == ()


def test_repairs_are_told_of_constructions_that_are_repaired_only() -> None:
    file = load_file(EXAMPLE)
    source = Named(str(EXAMPLE), file.construction, True, file.theorems, file.claims)
    example = judged(source)
    assert example is not None
    assert repairs([example, *sections(lambda: [subject_of("one").claims()]).found]) == ()
    [repair] = repairs(
        [*sections(lambda: [subject_of("palindrome-as-printed").claims()]).found, section(repair="Here.")]
    )
    assert (repair.construction, repair.said, repair.weights) == ("one", "Here.", ())


def test_claims_are_judged_as_by_themselves() -> None:
    """That corrections are judged along with them changes nothing."""
    together = section(FALSE, Published("layers", "here", "$L = 1$", Count("layers", 1)))
    alone = tuple(judge_claims(load("one"), together.claims))
    assert together.judgements == alone
