"""The parts of a construction: frozen data, nothing computed.

A residual stream is an ordered list of named coordinates, and every weight is a sparse linear map between names:
``{"k/n": {"1": 1}}`` adds coordinate "1" into row "k/n". Scalars are exact (see `expressions`). The parts (heads,
feed-forward networks, layer norms, readout) are shared by the three arrangements `Encoder`, `Decoder` and
`EncoderDecoder`. What they make together is a `construction.Construction`.

Positions count from 0; n is the number of positions, markers included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Literal

from weightproof.constructions.choices import Choices
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.frozen import entries, exact, freeze

Rows = Mapping[str, Mapping[str, Expression]]
"""Output name -> input name -> weight."""


def _rows(values: Mapping[str, Mapping[str, object]]) -> Rows:
    if not isinstance(values, Mapping):
        return values
    return MappingProxyType({name: entries(row) for name, row in values.items()})


def _or_empty(values: Any) -> Any:
    return MappingProxyType({}) if values is None else values


@dataclass(frozen=True)
class Linear:
    """A sparse linear map with bias: row name -> column name -> weight; what is absent is 0."""

    weights: Rows = field(default_factory=dict)
    bias: Mapping[str, Expression] = field(default_factory=dict)

    def __init__(
        self, weights: Mapping[str, Mapping[str, object]] | None = None, bias: Mapping[str, object] | None = None
    ) -> None:
        freeze(self, weights=_rows(_or_empty(weights)), bias=entries(_or_empty(bias)))


Score = Literal["dot", "-|dot|"]
"""q·k; -|q·k| (Pérez et al.)."""
Normaliser = Literal["softmax", "hardmax"]
"""exp of the scores over their sum; even over the positions that attain the maximum."""
Mask = Literal["none", "causal"]
"""All positions are seen; those up to the own one."""


@dataclass(frozen=True)
class Head:
    """One attention head. W_Q and W_K map the residual stream to the same named score coordinates.

    scale multiplies the score and may use d and n. W_V maps into the residual stream, or into value coordinates which
    W_O maps back where the source has a W_O. No W_Q or no W_K means every score is 0.
    """

    W_V: Rows
    W_Q: Rows = field(default_factory=dict)
    W_K: Rows = field(default_factory=dict)
    W_O: Rows | None = None
    score: Score = "dot"
    scale: Expression = field(default=Expression("1/sqrt(d)"))
    normaliser: Normaliser = "softmax"
    mask: Mask = "none"

    def __init__(
        self,
        W_V: Mapping[str, Mapping[str, object]],
        W_Q: Mapping[str, Mapping[str, object]] | None = None,
        W_K: Mapping[str, Mapping[str, object]] | None = None,
        W_O: Mapping[str, Mapping[str, object]] | None = None,
        *,
        score: Score = "dot",
        scale: object = "1/sqrt(d)",
        normaliser: Normaliser = "softmax",
        mask: Mask = "none",
    ) -> None:
        freeze(
            self,
            W_V=_rows(W_V),
            W_Q=_rows(_or_empty(W_Q)),
            W_K=_rows(_or_empty(W_K)),
            W_O=None if W_O is None else _rows(W_O),
            score=score,
            scale=exact(scale),
            normaliser=normaliser,
            mask=mask,
        )


Activation = Literal["relu", "saturated-linear", "step", "square"]
"""max(0, x); min(1, max(0, x)); 1 if x > 0 else 0; x*x."""


@dataclass(frozen=True)
class FeedForward:
    """second(activation(first(x))): `first` maps the residual stream to hidden units, `second` maps them back."""

    first: Linear
    second: Linear
    activation: Activation = "relu"


@dataclass(frozen=True)
class LayerNorm:
    """Post-norm with gain 1 and bias 0: (x - mean(x)) / sqrt(var(x) + epsilon), var the population variance.

    At epsilon = 0 a vector of variance 0 has no image; the interpreter refuses it.
    """

    epsilon: Expression = field(default=Expression("0"))

    def __init__(self, epsilon: object = 0) -> None:
        freeze(self, epsilon=exact(epsilon))


@dataclass(frozen=True)
class Layer:
    """Attention, then the feed-forward network, each followed by its residual connection and then its norm.

    `cross_heads` attend from a decoder's position to the encoder's output, between the two; encoders have none.
    A residual connection that the source cuts is False.
    """

    heads: tuple[Head, ...] = ()
    feed_forward: FeedForward | None = None
    cross_heads: tuple[Head, ...] = ()
    attention_residual: bool = True
    cross_residual: bool = True
    feed_forward_residual: bool = True
    attention_norm: LayerNorm | None = None
    cross_norm: LayerNorm | None = None
    feed_forward_norm: LayerNorm | None = None


Place = Literal["first", "last", "sum"]
"""Where the residual stream is read: at the first position (where CLS stands), at the last one, or over all, summed."""
Acceptance = Literal["logit > 0", "logit = 0", "argmax"]
"""When a recogniser accepts; a logit of 0 under "logit > 0" rejects and is reported as undecided. Or no recogniser: the
token of the greatest output."""


@dataclass(frozen=True)
class Readout:
    """Linear read of the residual stream after the last layer.

    W maps the residual stream to outputs: one row "logit" for a recogniser, one row a token for "argmax", where a row
    that stands in neither weights nor bias is no output.
    """

    W: Linear
    position: Place = "first"
    accept: Acceptance = "logit > 0"

    @property
    def predicts_tokens(self) -> bool:
        """Whether the argmax over tokens is taken, and no logit is read."""
        return self.accept == "argmax"


@dataclass(frozen=True)
class Embedding:
    """WE: token -> coordinate -> weight. PE: coordinate -> function of i and n. The input vector is their sum."""

    WE: Rows
    PE: Mapping[str, Expression] = field(default_factory=dict)

    def __init__(self, WE: Mapping[str, Mapping[str, object]], PE: Mapping[str, object] | None = None) -> None:
        freeze(self, WE=_rows(WE), PE=entries(_or_empty(PE)))


@dataclass(frozen=True)
class Encoder:
    """Markers `begin` and `end`, where there are any, enclose the word; then layers; then the readout."""

    coordinates: tuple[str, ...]
    embedding: Embedding
    layers: tuple[Layer, ...]
    readout: Readout
    begin: str | None = "CLS"
    end: str | None = None

    @property
    def markers(self) -> tuple[str, ...]:
        """The markers that enclose every word."""
        return tuple(marker for marker in (self.begin, self.end) if marker is not None)

    @property
    def causal(self) -> bool:
        """Whether some head does not see all positions, so that what it sees depends on its own."""
        return any(head.mask != "none" for layer in self.layers for head in layer.heads)

    @property
    def normed(self) -> bool:
        """Whether there is a layer normalisation, behind which exact numbers are roots of roots."""
        return any(layer.attention_norm or layer.feed_forward_norm for layer in self.layers)


@dataclass(frozen=True)
class Decoder:
    """Autoregressive: causal layers over the word and the tokens produced so far; the argmax token is appended.

    It stops at the token `stop`, if there is one; ties of the argmax are broken by the order of the readout's rows. At
    position i, n is i + 1, the number of positions that it sees: so it never changes when more is appended.

    table: a row for each position, which is added to what is embedded there; where it ends, positions end. Without one
    they do not. arithmetic: the format of all numbers, in which each operation is rounded; None is exact arithmetic.
    """

    coordinates: tuple[str, ...]
    embedding: Embedding
    layers: tuple[Layer, ...]
    readout: Readout
    stop: str | None
    begin: str | None
    table: tuple[Mapping[str, Expression], ...] | None
    arithmetic: FixedPoint | None

    def __init__(
        self,
        coordinates: tuple[str, ...],
        embedding: Embedding,
        layers: tuple[Layer, ...],
        readout: Readout,
        stop: str | None = None,
        begin: str | None = None,
        table: Iterable[Mapping[str, object]] | None = None,
        arithmetic: FixedPoint | None = None,
    ) -> None:
        freeze(
            self,
            coordinates=coordinates,
            embedding=embedding,
            layers=layers,
            readout=readout,
            stop=stop,
            begin=begin,
            table=tuple(map(entries, table)) if isinstance(table, Iterable) else table,
            arithmetic=arithmetic,
        )


@dataclass(frozen=True)
class EncoderDecoder:
    """A decoder that attends to an encoder's output and is fed back its own output vector (Pérez et al., section 2).

    Step t has the input y_t: the `seed` plus `PE` at 0, later `feedback` applied to the last output vector plus `PE` at
    t. Its heads see y_0 ... y_t, which is all there is, under either mask; its cross heads the encoder's output, up to
    position t where they are causal. The encoder's own readout is not used.
    """

    encoder: Encoder
    coordinates: tuple[str, ...]
    seed: Mapping[str, Expression]
    PE: Mapping[str, Expression]
    layers: tuple[Layer, ...]
    feedback: Linear
    readout: Readout

    def __init__(
        self,
        encoder: Encoder,
        coordinates: tuple[str, ...],
        seed: Mapping[str, object],
        PE: Mapping[str, object],
        layers: tuple[Layer, ...],
        feedback: Linear,
        readout: Readout,
    ) -> None:
        freeze(
            self,
            encoder=encoder,
            coordinates=coordinates,
            seed=entries(seed),
            PE=entries(PE),
            layers=layers,
            feedback=feedback,
            readout=readout,
        )


Network = Encoder | Decoder | EncoderDecoder


@dataclass(frozen=True)
class Language:
    """A set of words over `alphabet`, said twice: as a plain function and as a formula; tests hold them together.

    characterisation is in the vocabulary of `expressions`, over the marked word. It may use parameters.
    member(word, **parameters) gets the bare word, markers excluded, and the parameters that the formula names.
    labels: of a network that takes the argmax over tokens: token -> the words after which it is the right one. label
    says it again: label(word) is that token, and None where there is none, as after no word outside the language.
    sample(random, length) draws a word of that length as the source draws its test words.
    families maps a name to a function of a length that yields words of it that are hard for finite precision, about as
    many as its second argument says.
    """

    name: str
    alphabet: tuple[str, ...]
    member: Callable[..., bool]
    characterisation: Expression
    sample: Callable[[Random, int], str]
    families: Mapping[str, Callable[[int, int], Iterator[str]]]
    description: str = ""
    labels: Mapping[str, Expression] = field(default_factory=dict)
    label: Callable[[str], str | None] | None = None

    def __init__(
        self,
        name: str,
        alphabet: tuple[str, ...],
        member: Callable[..., bool],
        characterisation: object,
        sample: Callable[[Random, int], str] | None = None,
        families: Mapping[str, Callable[[int, int], Iterator[str]]] | None = None,
        description: str = "",
        labels: Mapping[str, object] | None = None,
        label: Callable[[str], str | None] | None = None,
    ) -> None:
        def uniform(random: Random, length: int) -> str:
            return "".join(random.choices(alphabet, k=length))

        freeze(
            self,
            name=name,
            alphabet=tuple(alphabet) if isinstance(alphabet, Iterable) else alphabet,
            member=member,
            characterisation=exact(characterisation),
            sample=uniform if sample is None else sample,
            families=MappingProxyType(dict(families)) if isinstance(families, Mapping) else _or_empty(families),
            description=description,
            labels=entries(_or_empty(labels)),
            label=label,
        )

    @property
    def complement(self) -> Expression:
        """What characterises the words that are not in it."""
        return Expression(f"not ({self.characterisation})")


Numbers = Literal["real", "natural"]


@dataclass(frozen=True)
class Parameter:
    """A parameter with its domain, one comparison of its name with a constant: "c > 0", "c >= log(2)", "D >= 0".

    `default` is the exact value taken where none is given.
    """

    name: str
    domain: Expression
    default: Expression
    kind: Numbers = "real"

    def __init__(self, name: str, domain: object, default: object, kind: Numbers = "real") -> None:
        freeze(self, name=name, domain=exact(domain), default=exact(default), kind=kind)

    @property
    def is_natural(self) -> bool:
        """Whether its values are natural numbers, and not all real ones."""
        return Choices("a parameter").of("kind", self.kind, {"real": False, "natural": True})
