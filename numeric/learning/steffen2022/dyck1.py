"""1-DYCK, learned for short words alone: Steffen et al. (2022), section 5, figures 2a and 5a."""

from weightproof.constructions.languages.languages import DYCK1
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

dyck1 = Experiment(
    name="steffen2022-dyck1",
    title="1-DYCK, tested on words as long as those that it is trained on",
    source="Steffen et al. (2022), section 5",
    figure="figures 5a and 2a",
    language=DYCK1,
    curves=curves(standard(DYCK1), {10: 1, 25: 1, 50: 0.48, 100: 0.45}),
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

experiments = (dyck1,)
