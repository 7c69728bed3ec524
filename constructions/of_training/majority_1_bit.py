"""NOISY MAJORITY by the same head, of which what it scores and what it carries is rounded to one bit behind the point:
`weightproof learn fraknoi2024-noisy-majority --curve 'd=32 a=16 svc' --seed 0 --snap`.

A 0 speaks for 4 and a 1 for 5, by as much; a 2 and '=' speak for both alike; [BOS] decides ties, as the smallest vote.
"""

from weightproof.constructions.fraknoi2024.noisy_majority import first_task as language
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={
        "0": {"[w=0]": 1},
        "1": {"[w=1]": 1},
        "2": {"[w=2]": 1},
        "[BOS]": {"[w=[BOS]]": 1},
        "=": {"[w==]": 1},
        "4": {},
        "5": {},
        "[EOS]": {},
    },
)

layer_1 = Layer(
    heads=(
        Head(
            W_V={
                "to 4": {"[w=0]": 1, "[w=1]": 0, "[w=2]": "1/2", "[w=[BOS]]": 1, "[w==]": "1/2"},
                "to 5": {"[w=0]": 0, "[w=1]": 1, "[w=2]": "1/2", "[w=[BOS]]": 0, "[w==]": "1/2"},
                "to [BOS]": {"[w=0]": 0, "[w=1]": 0, "[w=2]": 0, "[w=[BOS]]": 0, "[w==]": 0},
                "to 0": {"[w=0]": 0, "[w=1]": "-1/2", "[w=2]": 0, "[w=[BOS]]": 0, "[w==]": 0},
                "to 1": {"[w=0]": 0, "[w=1]": "-1/2", "[w=2]": 0, "[w=[BOS]]": 0, "[w==]": 0},
                "to 2": {"[w=0]": 0, "[w=1]": "-1/2", "[w=2]": 0, "[w=[BOS]]": 0, "[w==]": 0},
                "to =": {"[w=0]": 0, "[w=1]": "-1/2", "[w=2]": 0, "[w=[BOS]]": 0, "[w==]": 0},
                "to [EOS]": {"[w=0]": "-1/2", "[w=1]": "1/2", "[w=2]": 0, "[w=[BOS]]": "-1/2", "[w==]": 0},
            },
            W_Q={"q": {"[w==]": 1}},
            W_K={"q": {"[w=0]": "5/2", "[w=1]": "5/2", "[w=2]": -3, "[w=[BOS]]": "-1/2", "[w==]": -2}},
            scale="1/sqrt(2)",
            mask="causal",
        ),
    ),
)

construction = Construction(
    name="trained-majority-1-bit",
    title="NOISY MAJORITY, trained, its circuits rounded to one bit",
    source="fraknoi2024-noisy-majority, d=32 a=16 svc, seed 0, after 200 epochs",
    language=language,
    network=Encoder(
        coordinates=(
            "[w=0]",
            "[w=1]",
            "[w=2]",
            "[w=[BOS]]",
            "[w==]",
            "to 4",
            "to 5",
            "to [BOS]",
            "to 0",
            "to 1",
            "to 2",
            "to =",
            "to [EOS]",
        ),
        embedding=embedding,
        layers=(layer_1,),
        readout=Readout(
            W=Linear(
                weights={
                    "4": {"to 4": 1},
                    "5": {"to 5": 1},
                    "[BOS]": {"to [BOS]": 1},
                    "0": {"to 0": 1},
                    "1": {"to 1": 1},
                    "2": {"to 2": 1},
                    "=": {"to =": 1},
                    "[EOS]": {"to [EOS]": 1},
                },
            ),
            position="last",
            accept="argmax",
        ),
        begin="[BOS]",
        end="=",
    ),
)
