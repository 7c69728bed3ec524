"""Weight against training, which no paper has: exact solutions, as they are or moved a little, from which gradient
descent goes on. Does it stay, leave, come back?"""

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.transforms.by_name import transformed
from weightproof.numeric.learning.architecture import opened
from weightproof.numeric.learning.experiment import LEARNED, Curve, Experiment

POINTS = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300)
SHORT, LONG = 10, 100
DEVIATIONS = (0, 0.01, 0.1)
"""Of what is added to each weight, where words are short."""
APART = (
    "No paper has it: rate, steps and words are those with which the papers train networks whose weights are drawn.",
    "All weights are trained, in every place where one could be, but for word and position embeddings.",
)


def onwards(name: str, construction: Construction, transforms: tuple[str, ...] = ()) -> Experiment:
    """Training that begins with a construction, all of whose parameters transforms have given a value."""
    begun = transformed(construction, transforms)

    def curve(length: int, deviation: float) -> Curve:
        moved = f" moved {deviation:g}" if deviation else ""
        architecture = opened(begun.encoder, deviation, fixed=("W_E",))
        return Curve(f"n={length}{moved}", architecture, length, length)

    return Experiment(
        name=f"exact-{name}",
        title=f"{construction.language.name}, beginning with the exact solution, as it is or moved",
        source=construction.source,
        figure="whose exact solution it is; the training is ours",
        language=construction.language,
        curves=(*(curve(SHORT, deviation) for deviation in DEVIATIONS), curve(LONG, 0)),
        said=(),
        epochs=POINTS[-1],
        steps=100,
        words=1,
        rate=3e-4,
        points=POINTS,
        test_words=100,
        seeds=10,
        printed_seeds=0,
        sampled=True,
        measures=LEARNED,
        apart=APART,
    )
