"""The weights of an encoder as definitions of Coq, from the data and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder, FeedForward, Head, Linear, Norm, Rows
from weightproof.constructions.scalars.expressions import Expression
from weightproof.proofs.kernel.scalars import parameter_name, scalar
from weightproof.proofs.kernel.unwritten import Unwritten

SCORES = {"dot": "Dot", "-|dot|": "Less_size"}
NORMALISERS = {"softmax": "Softmax", "hardmax": "Hardmax"}
MASKS = {"none": "Unmasked", "causal": "Causal"}
ACTIVATIONS = {"relu": "relu", "saturated-linear": "saturated_linear", "step": "step", "square": "square"}
PLACES = {"first": "First", "last": "Last", "sum": "Sum"}
NEW_LINE = "\n    "
CHOICES = Choices("the definition in Coq", Unwritten)

PREAMBLE = """\
(* The weights, as they stand in the data. *)
Require Import Reals ZArith List String.
From Weightproof Require Import Transformer.
Import ListNotations.
Open Scope string_scope.
Open Scope R_scope.
"""


def text(name: str) -> str:
    """A name as a string of Coq."""
    if not name.isprintable():
        raise Unwritten(f"a string of Coq for {name!r}, which cannot be printed")
    return '"' + name.replace('"', '""') + '"'


def texts(names: Iterable[str]) -> str:
    """Names as a list of strings of Coq."""
    return f"[{'; '.join(map(text, names))}]"


def binders(construction: Construction) -> str:
    """The parameters as arguments of a definition: real numbers, or integers where they are natural."""
    return "".join(f" ({parameter_name(p)} : {'Z' if p.is_natural else 'R'})" for p in construction.parameters)


def arguments(construction: Construction) -> str:
    """The parameters, as what is defined by `binders` is applied to them."""
    return "".join(f" {parameter_name(parameter)}" for parameter in construction.parameters)


def weights(construction: Construction) -> str:
    """A file of Coq that defines the network of a construction, each part by its name: heads `head_L_H`, feed-forward
    networks `feed_forward_L`, the sublayers `attention_L` and `feed_L` that hold them, `network`; then the word between
    its markers, `marked`, and the `alphabet`. Unwritten where it has what `Transformer.v` does not define."""
    network = construction.network
    if not isinstance(network, Encoder):
        raise Unwritten(f"a definition in Coq of what a network of the kind {type(network).__name__} computes")
    CHOICES.require_norms_behind(network)
    CHOICES.require_plain_heads(network)
    sublayers, definitions = list[str](), list[str]()
    for number, layer in enumerate(network.layers, start=1):
        if layer.cross_heads:
            raise Unwritten(f"a definition in Coq of cross heads, in layer {number}")
        heads = [f"head_{number}_{place}" for place, _ in enumerate(layer.heads, start=1)]
        for name, head in zip(heads, layer.heads, strict=True):
            definitions.append(_part(name, "head", _head(head, construction), construction))
        # Without heads what is added is 0.
        if layer.heads or not layer.attention_residual or layer.attention_norm is not None:
            computed = f"Attention [{'; '.join(name + _applied(construction) for name in heads)}]"
            body = _sublayer(computed, layer.attention_residual, layer.attention_norm, construction)
            sublayers.append(f"attention_{number}")
            definitions.append(_part(sublayers[-1], "sublayer", body, construction))
        if layer.feed_forward is not None:
            name = f"feed_forward_{number}"
            definitions.append(
                _part(name, "feed_forward", _feed_forward(layer.feed_forward, construction), construction)
            )
            computed = f"FeedForward ({name}{_applied(construction)})"
            body = _sublayer(computed, layer.feed_forward_residual, layer.feed_forward_norm, construction)
            sublayers.append(f"feed_{number}")
            definitions.append(_part(sublayers[-1], "sublayer", body, construction))
    before, behind = (texts(() if marker is None else (marker,)) for marker in (network.begin, network.end))
    parts = (
        PREAMBLE,
        *definitions,
        _network(network, sublayers, construction),
        f"Definition marked (w : list string) : list string := ({before} ++ w ++ {behind})%list.",
        f"Definition alphabet : list string := {texts(construction.alphabet)}.",
    )
    return "\n".join(parts) + "\n"


def _part(name: str, kind: str, body: str, construction: Construction) -> str:
    """A definition of a part, which depends on the parameters and on the number of positions."""
    return f"Definition {name}{binders(construction)} (n : R) : {kind} := {body}.\n"


def _applied(construction: Construction) -> str:
    """What such a part is applied to inside of another one."""
    return f"{arguments(construction)} n"


def _record(fields: Mapping[str, str]) -> str:
    return "{|\n" + ";\n".join(f"  {name} := {value}" for name, value in fields.items()) + " |}"


def _sparse(row: Mapping[str, Expression], construction: Construction, between: str = " ") -> str:
    entries = (f"({text(name)}, {scalar(weight, construction)})" for name, weight in row.items())
    return f"[{f';{between}'.join(entries)}]"


def _matrix(rows: Rows, construction: Construction) -> str:
    entries = (f"({text(name)}, {_sparse(row, construction)})" for name, row in rows.items())
    return f"[{f';{NEW_LINE}'.join(entries)}]"


def _linear(linear: Linear, construction: Construction) -> str:
    weights, bias = _matrix(linear.weights, construction), _sparse(linear.bias, construction)
    return f"{{| weights := {weights};{NEW_LINE}bias := {bias} |}}"


def _head(head: Head, construction: Construction) -> str:
    return _record(
        {
            "W_Q": _matrix(head.W_Q, construction),
            "W_K": _matrix(head.W_K, construction),
            "W_V": _matrix(head.W_V, construction),
            "W_O": "None" if head.W_O is None else f"Some {_matrix(head.W_O, construction)}",
            "scored": CHOICES.of("score", head.score, SCORES),
            "scale": scalar(head.scale, construction),
            "normalise": CHOICES.of("normaliser", head.normaliser, NORMALISERS),
            "masked": CHOICES.of("mask", head.mask, MASKS),
        }
    )


def _feed_forward(network: FeedForward, construction: Construction) -> str:
    CHOICES.require_ungated(network)
    return _record(
        {
            "first": _linear(network.first, construction),
            "second": _linear(network.second, construction),
            "activation": CHOICES.of("activation", network.activation, ACTIVATIONS),
        }
    )


def _sublayer(computed: str, residual: bool, norm: Norm | None, construction: Construction) -> str:
    epsilon = "None" if norm is None else f"Some ({scalar(norm.epsilon, construction)})"
    return _record({"computes": computed, "residual": str(residual).lower(), "norm": epsilon})


def _network(network: Encoder, sublayers: Iterable[str], construction: Construction) -> str:
    body = _record(
        {
            "coordinates": texts(network.coordinates),
            "word_embedding": _matrix(network.embedding.WE, construction),
            "position_encoding": f"fun i => {_sparse(network.embedding.PE, construction, NEW_LINE)}",
            "sublayers": f"[{'; '.join(name + _applied(construction) for name in sublayers)}]",
            "readout": _linear(network.readout.W, construction),
            "read_at": CHOICES.of("readout position", network.readout.position, PLACES),
        }
    )
    return f"Definition network{binders(construction)} : network := fun n => {body}.\n"
