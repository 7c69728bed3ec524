"""FIRST by one layer, which errs on long words: Chiang and Cholak (2022), section 5.2, "Flawed transformer for FIRST".

The values of the other positions are not zeroed out; for c <= log(n-1) they can outweigh position 1. The parameter c is
one number for words of all lengths, so the network recognises FIRST for no c: its theorems are about the threshold.
"""

from weightproof.constructions.languages.languages import FIRST
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.meaning.schema import Embedding, Encoder, Head, Layer, Linear, Readout

embedding = Embedding(
    WE={"0": {"[w=0]": 1}, "1": {"[w=1]": 1}, "CLS": {"[w=CLS]": 1}},
    PE={"[i=1]": "(i == 1)"},
)

lean_to_first = Head(
    W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}},
    W_K={"q": {"[i=1]": 1}},
    W_V={"s": {"[w=0]": "-1/2", "[w=1]": "1/2", "[w=CLS]": "-1/2"}},
)

construction = Construction(
    name="first-one-layer",
    title="FIRST by one layer, wrong on long words",
    source="Chiang and Cholak (2022), section 5.2",
    language=FIRST,
    parameters=(Parameter("c", domain="c > 0", default="log(2)"),),
    network=Encoder(
        coordinates=("[w=0]", "[w=1]", "[w=CLS]", "[i=1]", "s"),
        embedding=embedding,
        layers=(Layer(heads=(lean_to_first,)),),
        readout=Readout(Linear({"logit": {"s": 1}})),
    ),
)
