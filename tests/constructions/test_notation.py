"""Long words in short: what is written short reads as the same word, and what is written badly is refused."""

from __future__ import annotations

import re
import shlex

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from weightproof.cli import main
from weightproof.constructions.languages import notation
from weightproof.constructions.languages.notation import (
    LONGEST_UNIT,
    LONGEST_WORD,
    compact,
    expand,
    quoted,
    run_command,
)
from weightproof.constructions.meaning.inputs import InputError
from weightproof.proofs.refuting.long import spelled, written

SYMBOLS = st.text(st.characters(exclude_characters="(){}"), max_size=40)
BLOCKS = st.lists(st.tuples(st.text("01ab", min_size=1, max_size=10), st.integers(0, 60)), max_size=6)


def naive(text: str) -> str:
    """The word of a well-formed notation, its repeated parts written out one after the other by replacement."""
    while (found := re.search(r"\(([^(){}]*)\)\{(\d+)\}|([^(){}])\{(\d+)\}", text)) is not None:
        unit, times = (found[1], found[2]) if found[3] is None else (found[3], found[4])
        text = text[: found.start()] + unit * int(times) + text[found.end() :]
    return text


@settings(max_examples=100)
@given(BLOCKS)
@example([("1", 5858), ("0", 3), ("01", 40)])
def test_what_is_written_short_reads_as_the_same_word(blocks: list[tuple[str, int]]) -> None:
    word = "".join(unit * times for unit, times in blocks)
    short = compact(word)
    assert len(short) <= len(word)
    assert expand(short) == word
    assert naive(short) == word


@settings(max_examples=200)
@given(st.text("01(){}*+?.\\", max_size=60))
@example("(" * 30)
@example("(1" + "0" * 30 + ")")
def test_symbols_that_the_notation_uses_itself_are_left_as_they_are(word: str) -> None:
    if "{" not in word:
        assert expand(compact(word)) == word
    elif compact(word) != word:
        pytest.fail(f"{compact(word)!r} cannot be read again")


@given(SYMBOLS)
def test_any_other_symbols_pass_both_ways(word: str) -> None:
    assert expand(word) == word
    assert expand(compact(word)) == word


@pytest.mark.parametrize("unit", ["1", "01", "0011", "00010111"])
def test_a_repeated_part_is_written_once(unit: str) -> None:
    assert len(unit) <= LONGEST_UNIT
    written = unit if len(unit) == 1 else f"({unit})"
    assert compact(unit * 1000) == f"{written}{{1000}}"


def test_parts_are_written_in_their_order() -> None:
    assert compact("1" * 23 + "0" * 6) == "1{23}0{6}"
    assert expand("1{5858}0{3}(01){40}") == "1" * 5858 + "000" + "01" * 40
    assert expand("a(bc){2}d{0}e") == "abcbce"
    assert compact("") == expand("") == ""
    assert compact("0110") == "0110"


BAD = [
    ("1{", "not understood at '{'"),
    ("1{}", "not understood at '{}'"),
    ("1{x}", "not understood at '{x}'"),
    ("1{-1}", "not understood at '{-1}'"),
    ("{3}", "not understood at '{3}'"),
    ("01{3}}", "not understood at '}'"),
    ("(01{3}", "not understood at '(01{3}'"),
    ("()01{3}", "not understood at '()01{3}'"),
    ("((01){2}){2}", "not understood at '((01){2}){2}'"),
    ("1{3}{2}", "not understood at '{2}'"),
    ("1{" + "9" * 12 + "}", "do not fit into memory"),
    ("1{" + "9" * 5000 + "}", "do not fit into memory"),
]


@pytest.mark.parametrize(("text", "says"), BAD, ids=[text[:16] for text, _ in BAD])
def test_bad_notation_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        expand(text)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["1{", "1{999999999999}", "1{" + "9" * 5000 + "}"])
def test_the_command_line_passes_the_refusal_on(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["run", "parity", text]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("weightproof: word ")
    assert captured.err.count("\n") == 1


def test_the_longest_word_is_still_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "LONGEST_WORD", 6)
    assert expand("(01){3}") == "010101"
    with pytest.raises(InputError, match="more than 6 symbols"):
        expand("(01){3}1")
    with pytest.raises(InputError, match="more than 6 symbols"):
        expand("1{6}0{1}")
    assert LONGEST_WORD > 10**9


def test_a_mistake_in_the_notation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One repetition too many: the round trip above would fail."""
    original = notation._repeats
    monkeypatch.setattr(notation, "_repeats", lambda word, place, size: original(word, place, size) + (size == 1))
    assert expand(compact("1" * 30)) != "1" * 30


def test_run_takes_and_gives_the_notation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "first", "1{190}(01){30}"]) == 0
    assert "first on '1{190}(01){30}'" in capsys.readouterr().out


def test_a_word_of_symbols_alone_is_itself() -> None:
    assert expand("{{", "{") == "{{"
    assert expand("a{2}", "a{}") == "aa"
    with pytest.raises(InputError, match="not understood"):
        expand("{{", "a")


def test_brackets_of_an_alphabet_are_repeated_as_other_symbols_are() -> None:
    assert expand("({1000}){1001}", "()") == "(" * 1000 + ")" * 1001
    assert expand("(0){3}", "()0") == "(0)))"
    assert expand("{{1000}}{2}", "{}") == "{" * 1000 + "}}"
    for runs in ((("(", 1000), (")", 1001)), (("{", 700), ("}", 2), ("(", 5))):
        assert expand(written(runs), "(){}") == "".join(spelled(runs))
    with pytest.raises(InputError, match="do not fit"):
        expand("({99999999999}", "()")


@pytest.mark.parametrize("word", ["01", "", "-1", "--json", "it's", "a\\b", "$x", '"', "a b"])
def test_a_shell_hands_on_the_word_of_a_command(word: str) -> None:
    program, run, name, *rest = shlex.split(run_command("mine.py", word, " --param c=1"))
    assert (program, run, name) == ("weightproof", "run", "mine.py")
    assert rest == (["--param", "c=1", "--", word] if word.startswith("-") else [word, "--param", "c=1"])


def test_in_a_sentence_only_long_words_are_short() -> None:
    assert quoted("0" * 40) == repr("0" * 40)
    assert quoted("0" * 41) == "'0{41}'"
    assert quoted("") == "''"
    assert expand(quoted("01" * 90)[1:-1]) == "01" * 90
