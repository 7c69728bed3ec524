"""A network of three coordinates that was trained for a minute to tell whether a word has more 1s than 0s: weights that
are exact, without any structure, and right on every word of up to 40 symbols."""

from __future__ import annotations

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

MAJ = Language("MAJ", ("0", "1"), lambda word: word.count("1") > word.count("0"), "count('1') > count('0')")
EMBEDDING = Embedding(
    WE={
        "0": {"x0": "8808117/4194304", "x1": "-10095577/8388608"},
        "1": {"x0": "-5916255/2097152", "x1": "15242901/16777216"},
        "CLS": {"x0": "-7402657/33554432", "x1": "-8411099/8388608"},
    },
    PE={"1": 1},
)

LAYER = Layer(
    heads=(
        Head(
            W_V={
                "v1": {"x0": "4245653/2097152", "x1": "-2693653/1048576"},
                "v2": {"x0": "-12124981/16777216", "x1": "10932917/33554432"},
            },
            W_Q={
                "q1": {"x0": "-3831433/8388608", "x1": "-4680179/16777216", "1": "-1976201/16777216"},
                "q2": {"x0": "16485141/67108864", "x1": "9919649/16777216", "1": "7566989/67108864"},
            },
            W_K={
                "q1": {"x0": "14298183/1073741824", "x1": "9620403/16777216"},
                "q2": {"x0": "-4936819/33554432", "x1": "-6543505/268435456"},
            },
            W_O={
                "x0": {"v1": "-8455931/4194304", "v2": "10778253/33554432"},
                "x1": {"v1": "-7428661/4194304", "v2": "15369181/16777216"},
            },
            scale="1/sqrt(2)",
        ),
    ),
    feed_forward=FeedForward(
        first=Linear(
            weights={"h1": {"x0": "-3108305/8388608", "x1": "8659383/16777216"}},
            bias={"h1": "-5419335424582150668369/9444732965739290427392"},
        ),
        second=Linear(
            weights={"x0": {"h1": "-6307863/16777216"}, "x1": {"h1": "-5215799/8388608"}},
            bias={"x0": "-1022329560278515/2251799813685248", "x1": "-262782921597219/1125899906842624"},
        ),
    ),
)

TRAINED = Construction(
    name="trained",
    title="MAJ, trained",
    source="a minute of training",
    language=MAJ,
    network=Encoder(
        coordinates=("x0", "x1", "1"),
        embedding=EMBEDDING,
        layers=(LAYER,),
        readout=Readout(
            W=Linear(
                weights={"logit": {"x0": "16478401/8388608", "x1": "2780977/2097152"}},
                bias={"logit": "4043497/8388608"},
            ),
        ),
        begin="CLS",
        end=None,
    ),
)
