"""DYCK-(1,2), learned for short words alone: Steffen et al. (2022), section 5, figures 2b and 5b."""

from weightproof.constructions.languages.brackets import DYCK1_2
from weightproof.numeric.learning.experiment import Experiment
from weightproof.numeric.learning.steffen2022 import (
    APART,
    DETERIORATES,
    EPOCHS,
    NOT_LONG,
    POINTS,
    SHORT_EASIER,
    SHORT_WELL,
    curves,
    standard,
)

dyck1_depth = Experiment(
    name="steffen2022-dyck1-depth",
    title="DYCK-(1,2), tested on words as long as those that it is trained on",
    source="Steffen et al. (2022), section 5",
    figure="figures 5b and 2b",
    language=DYCK1_2,
    curves=curves(standard(DYCK1_2), {10: 1, 25: 1, 50: 0.54, 100: 0.49}),
    said=(SHORT_WELL, SHORT_EASIER, *DETERIORATES, NOT_LONG),
    epochs=EPOCHS,
    steps=100,
    words=1,
    rate=3e-4,
    points=POINTS,
    test_words=100,
    seeds=10,
    printed_seeds=0,
    sampled=True,
    apart=APART,
)

experiments = (dyck1_depth,)
