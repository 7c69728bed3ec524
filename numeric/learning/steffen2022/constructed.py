"""The exact solutions of 1-DYCK and DYCK-(1,3), trained further, with and without layer normalisation: Steffen et al.
(2022), section 5, figures 3, 4, 6 and 7."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from weightproof.constructions.languages.brackets import DYCK1_3
from weightproof.constructions.languages.languages import DYCK1
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.schema import Head
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.steffen2022 import dyck1, dyck1_depth
from weightproof.constructions.transforms.by_name import transformed
from weightproof.constructions.transforms.rewriting import put, rewritten
from weightproof.numeric.learning.architecture import Architecture, opened
from weightproof.numeric.learning.experiment import LEARNED, Curve, Experiment, Said
from weightproof.numeric.learning.steffen2022 import EPOCHS, LONG, POINTS

NORMS = ("remove-centering", "layer-norm:epsilon=1/100000")
"""Every coordinate is joined by its opposite, so that norms do not shift it, as in the authors' code."""
SUFFIX = " norms"
APART = (
    "Attention has no biases, as in the paper's section 2.1; those of PyTorch's, which the authors' code has, begin at "
    "0.",
    "There is one head in the first layer, and none in the second: the others of the authors' code begin with weights "
    "that are all 0, and stay so, as every gradient of them is 0.",
    "The output begins with the weights of sections 4.1 and 4.2; the authors' code has -2 where these have -1.",
    "Width, one word for each step of Adam with rate 0.0003, and that word embeddings stay as they are, is not in "
    "print, but in the authors' code; so are half the words with a letter changed.",
    "A logit of 0 rejects, as in section 4; the authors' code counts it as right on either side.",
    "Figures have no numbers; these are from the authors' files, which have one run of each.",
)


def with_output_matrix(head: Head) -> Head:
    """The same head, which writes by a W_O: two matrices are trained, as in print, where one is enough."""
    names = {f"v{place}": row for place, row in enumerate(head.W_V, start=1)}
    return replace(
        head,
        W_V={name: head.W_V[row] for name, row in names.items()},
        W_O={row: {name: 1} for name, row in names.items()},
    )


def exact(construction: Construction, language: Language, norms: bool) -> Architecture:
    """An exact solution, D being 3."""
    network = rewritten(construction.encoder, partial(put, name="D", value=Expression("3")))
    layers = tuple(replace(layer, heads=tuple(map(with_output_matrix, layer.heads))) for layer in network.layers)
    written = replace(construction, language=language, network=replace(network, layers=layers), parameters=())
    return opened(transformed(written, NORMS if norms else ()).encoder, fixed=("W_E",))


def constructed(
    name: str, construction: Construction, language: Language, figures: str, printed: Mapping[str, float]
) -> Experiment:
    """printed: accuracies at the end of the authors' runs, by curve."""
    lengths = {name: int(name.removeprefix("n=").removesuffix(SUFFIX)) for name in printed}
    return Experiment(
        name=f"steffen2022-constructed-{name}",
        title=f"{language.name}, beginning with the exact solution, with and without layer normalisation",
        source="Steffen et al. (2022), section 5",
        figure=figures,
        language=language,
        curves=tuple(
            Curve(
                curve,
                exact(construction, language, curve.endswith(SUFFIX)),
                lengths[curve],
                lengths[curve],
                printed=accuracy,
            )
            for curve, accuracy in printed.items()
        ),
        said=(
            Said(
                "section 5",
                "our constructed transformer already learns much better than the standard transformer",
                (LONG,),
                "mean",
                "accuracy",
                ">=",
                0.7,
            ),
            Said(
                "section 5",
                "adding layer normalization helps the learnability of the transformers even more",
                (f"{LONG}{SUFFIX}",),
                "mean",
                "accuracy",
                ">=",
                0.95,
            ),
            Said(
                "section 6",
                "the learnability improved and cross entropy decreased by further adding layer normalization",
                (f"{LONG}{SUFFIX}",),
                "mean",
                "cross-entropy",
                "<=",
                0.1,
            ),
        ),
        epochs=EPOCHS,
        steps=100,
        words=1,
        rate=3e-4,
        points=(0, *POINTS),
        test_words=100,
        seeds=10,
        printed_seeds=0,
        sampled=True,
        measures=LEARNED,
        apart=APART,
    )


experiments = (
    constructed(
        "dyck1",
        dyck1.construction,
        DYCK1,
        "figures 3 and 6",
        {"n=10": 1, "n=100": 1, "n=10 norms": 1, "n=100 norms": 1},
    ),
    constructed(
        "dyck1-depth",
        dyck1_depth.construction,
        DYCK1_3,
        "figures 4 and 7",
        {"n=10": 1, "n=100": 0.72, "n=10 norms": 1, "n=100 norms": 1},
    ),
)
