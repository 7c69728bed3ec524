"""Cross-entropy eta for every word of every length: Chiang and Cholak (2022), proposition 2, on the network for ONE.

A logit s costs log(1 + e^-s) nats where the word is accepted rightly, and log(1 + e^s) where it is rejected rightly.
That is eta for |s| = -log(e^eta - 1), which is what the margins say. The proposition is stated for any eta > 0; above
log 2 its factor c is negative, which turns every decision round, as is shown for eta = 1.
"""

from weightproof.proofs.theorem import Decides, Margin, Transformed

EXACTLY = ("remove-centering", "layer-norm:epsilon=0")
ETA = "1/100"
LEAST = f"-log(exp({ETA}) - 1)"

recognises = Decides("recognises", "accepts exactly the words with exactly one 1")
sharp = (
    recognises,
    Margin("accepted", LEAST, when="n >= 2", attained=(("1", 1), ("0", "n - 2"))),
    Margin("rejected", LEAST, attained=(("0", "n - 1"),)),
)

theorems = (
    Transformed("one", (f"sharpen:eta={ETA}",), sharp),
    Transformed("one", (*EXACTLY, f"sharpen:eta={ETA}"), sharp),
    Transformed(
        "one",
        ("sharpen:eta=1",),
        (Decides("recognises", recognises.statement, expected="refuted"),),
    ),
)
