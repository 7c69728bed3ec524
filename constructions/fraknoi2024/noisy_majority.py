"""Noisy majority with one dimension and one head: Fraknoi (2024), sections 5.1 and 5.3.

A word of digits is followed by '='. The first task is to predict '4' after '=' where there are as many 0s as 1s or
more, and '5' where there are fewer; the 2s are noise. The second is to predict [EOS] after that '4' or '5'.

At '=' the query is 1, so that a token x has the weight e^x: a 0 counts e^N, a 1 counts e^(N+1), all others next to
nothing. The head averages the tokens themselves; with as many 0s as 1s, and nothing else, it finds

    a = (e^N N + e^(N+1) (N+1))/(e^N + e^(N+1)) = (e (N+1) + N)/(1 + e),

and more than that with more 1s, as a 1 is the greater number. So the output of '5' has to grow with what the head
finds, and that of '4' to fall: in print it is the other way round. At '4' and '5' the query is N^2, and the head finds
their own N^2.

Nothing here depends on positions, and the last position sees them all. The residual connection adds 1 at '=', and N^2
at '4' and '5'. Layer normalisation is left out, as in section 5.3: of one coordinate it would leave nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from weightproof.constructions.languages.families import spread
from weightproof.constructions.meaning.construction import Construction, Language, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

DIGITS = ("0", "1", "2")
a = "(exp(1)*(N + 1) + N)/(1 + exp(1))"

N = Parameter("N", domain="N > 0", default=5)
"""\"A large number\"; nothing asks for a whole one. 5 is the least whole one at which [EOS] comes after all words."""


def answer(word: str) -> str:
    """The right token after the digits and '='."""
    return "4" if word.count("0") >= word.count("1") else "5"


def noisy_ties(length: int, most: int) -> Iterator[str]:
    """One 1 more than 0s, or as many, and all others 2s: no words are closer."""
    for noise in spread(length, most // 2):
        zeros = (length - noise) // 2
        yield "0" * zeros + "1" * (length - noise - zeros) + "2" * noise


first_task = Language(
    name="NOISY MAJORITY",
    alphabet=DIGITS,
    member=lambda word: True,
    characterisation="n >= 2",
    families={"noisy ties": noisy_ties},
    description="after '=' comes 4 if there are at least as many 0s as 1s, else 5",
    labels={"4": "count('0') >= count('1')", "5": "count('0') < count('1')"},
    label=answer,
)


def is_asked(word: str) -> bool:
    """Digits, and then the one '='."""
    return word.find("=") == len(word) - 1 and bool(word)


def sample_asked(random: Random, length: int) -> str:
    """A word of digits that ends in '='."""
    return "".join((*random.choices(DIGITS, k=length - 1), "=")) if length else ""


second_task = Language(
    name="END",
    alphabet=(*DIGITS, "="),
    member=is_asked,
    characterisation="count('=') == 1 and w[n - 2] == '='",
    sample=sample_asked,
    description="after digits, '=', and the answer comes [EOS]",
    labels={"[EOS]": "count('=') == 1 and w[n - 2] == '='"},
    label=lambda word: "[EOS]" if is_asked(word) else None,
)


def embedding(of_2: str) -> Embedding:
    numbers = {
        "[BOS]": "0",
        "0": "N",
        "1": "N + 1",
        "2": of_2,
        "=": "1",
        "4": "N**2",
        "5": "N**2",
        "[EOS]": "0",
    }
    return Embedding({token: {} if number == "0" else {"x": number} for token, number in numbers.items()})


attention = Head(W_V={"x": {"x": 1}}, W_Q={"x": {"x": 1}}, W_K={"x": {"x": 1}}, mask="causal")


def readout(of_4: int) -> Readout:
    """of_4: the sign with which the output of 4 grows, that of 5 having the other one."""
    grows, falls = {"x": 1}, {"x": -1}
    threshold, opposite = f"{a} + 1", f"-{a} - 1"
    weights = {"4": grows, "5": falls, "[EOS]": {"x": 4}} if of_4 > 0 else {"4": falls, "5": grows, "[EOS]": {"x": 4}}
    bias = {"4": opposite, "5": threshold} if of_4 > 0 else {"4": threshold, "5": opposite}
    none: dict[str, dict[str, int]] = {token: {} for token in ("[BOS]", "0", "1", "2", "=")}
    return Readout(Linear(none | weights, bias | {"[EOS]": "-12*(N + 1)"}), position="last", accept="argmax")


def network(after: str, of_4: int = -1, of_2: str = "0") -> Encoder:
    """after: the last token, at which it is read."""
    return Encoder(
        coordinates=("x",),
        embedding=embedding(of_2),
        layers=(Layer(heads=(attention,)),),
        readout=readout(of_4),
        begin="[BOS]",
        end=after,
    )


def _both(name: str, title: str, source: str, of_4: int, of_2: str) -> tuple[Construction, Construction]:
    """A network at its two tasks."""
    return (
        Construction(name, title, source, first_task, network("=", of_4, of_2), (N,)),
        Construction(
            name.replace("noisy-majority", "noisy-majority-end"),
            f"{title}: its end",
            source,
            second_task,
            network("4", of_4, of_2),
            (N,),
        ),
    )


SECTION = "Fraknoi (2024), section 5.3"

as_printed, end_as_printed = _both(
    "noisy-majority-as-printed", "Noisy majority by one number, as printed", SECTION, 1, "0"
)

# The outputs of 4 and 5 have each other's weights: the least change that tells them apart at all. That 0 and 1 have
# each other's embeddings turns the decision round, too, but gives every tie to 5.
construction, end = _both("noisy-majority", "Noisy majority by one number", f"after {SECTION}", -1, "0")

# A 2 has the weight e^x, and moves what the head finds from a by e^x (x - a), over the same positive sum for all
# tokens: by nothing where x = a. With it no number of 2s changes a decision.
with_silent_2, end_with_silent_2 = _both(
    "noisy-majority-silent-2",
    "Noisy majority by one number, in which a 2 counts for nothing",
    f"after {SECTION}",
    -1,
    a,
)
