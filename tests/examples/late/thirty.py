"""1-DYCK as in Steffen et al., with a bias of -1/961 at each position: n of them outweigh 1/n at n = 31.

The closed form keeps a sum over the prefixes. All words up to 29 symbols are decided rightly.
"""

from weightproof import Construction, Encoder, Linear, Readout, load

dyck1 = load("dyck1")

assert isinstance(dyck1.network, Encoder)
right = dyck1.network

construction = Construction(
    name="thirty",
    title="1-DYCK with a bias in the readout",
    source="an example",
    language=dyck1.language,
    network=Encoder(
        coordinates=right.coordinates,
        embedding=right.embedding,
        layers=right.layers,
        readout=Readout(Linear(right.readout.W.weights, {"logit": "-1/961"}), position="sum"),
    ),
)
