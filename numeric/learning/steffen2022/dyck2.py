"""2-DYCK with soft and with hard attention: Steffen et al. (2022), section 5, figures 2c, 2d, 5c and 5d."""

from weightproof.constructions.languages.brackets import DYCK2
from weightproof.numeric.learning.architecture import with_normaliser
from weightproof.numeric.learning.experiment import Experiment, Said
from weightproof.numeric.learning.steffen2022 import (
    APART,
    DETERIORATES,
    EPOCHS,
    LONG,
    NOT_LONG,
    POINTS,
    SHORT_WELL,
    curves,
    standard,
)

soft = standard(DYCK2)
hard = with_normaliser(soft, "hardmax")
HARD = Said(
    "section 5",
    "when the transformer isn't able to generalize on soft attention, then the same follows for hard attention",
    (f"{LONG} hard",),
    "greatest",
    "accuracy",
    "<=",
    0.7,
)

dyck2 = Experiment(
    name="steffen2022-dyck2",
    title="2-DYCK, with soft and with hard attention",
    source="Steffen et al. (2022), section 5",
    figure="figures 5c, 5d, 2c and 2d",
    language=DYCK2,
    curves=(*curves(soft, {10: 0.98, 25: 0.48, 50: 0.48, 100: 0.58}), *curves(hard, {10: 0.51, 100: 0.5}, " hard")),
    said=(SHORT_WELL, *DETERIORATES, NOT_LONG, HARD),
    epochs=EPOCHS,
    steps=100,
    words=1,
    rate=3e-4,
    points=POINTS,
    test_words=100,
    seeds=10,
    printed_seeds=0,
    sampled=True,
    apart=(
        *APART,
        "Hard attention takes the mean over all positions with the greatest score, as in Pérez et al. (2019), whom the "
        "paper names; the authors' code takes one of these positions. Scores have no gradient, there as here, so that "
        "queries and keys stay as they begin: as with soft attention here, as torch.nn.Linear there.",
    ),
)

experiments = (dyck2,)
