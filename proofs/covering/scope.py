"""What covering reads of a network, and what it refuses by name."""

from __future__ import annotations

from flint import fmpq

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.schema import Decoder, Encoder, Linear, Norm
from weightproof.constructions.scalars.exact import sign
from weightproof.constructions.scalars.values import evaluate


class NotCovered(Exception):
    """A choice that covering does not read; one line that names it."""


COVERING = Choices("covering", NotCovered)


def require_readable(network: Encoder | Decoder, length: int) -> None:
    """NotCovered for a decoder whose numbers are rounded, that has fewer positions than `length`, whose weights depend
    on the position, or whose norms may have no value."""
    if isinstance(network, Encoder):
        return
    if network.arithmetic is not None:
        raise NotCovered(f"covering does not round, and this decoder computes in {network.arithmetic.name}")
    if network.table is not None and length > len(network.table):
        raise NotCovered(f"the decoder has {len(network.table)} positions, and {length} are spoken of")
    linears = [network.readout.W, *map(_of_norm, _norms(network))]
    for layer in network.layers:
        if layer.feed_forward is not None:
            network_parts = (layer.feed_forward.first, layer.feed_forward.second, layer.feed_forward.gate)
            linears += [each for each in network_parts if each is not None]
        linears += [Linear(rows) for head in layer.heads for rows in (head.W_V, head.W_Q, head.W_K, head.W_O or {})]
    weights = [each for linear in linears for row in (*linear.weights.values(), linear.bias) for each in row.values()]
    if any({"i", "n"} & weight.names for weight in weights):
        raise NotCovered("covering does not read weights of a decoder that depend on the position")
    require_values(network, "covering does not read a decoder")


def require_values(network: Encoder | Decoder, refused: str) -> None:
    """NotCovered where a norm may have no value, as what is refused with it."""
    if any(sign(evaluate(norm.epsilon, {"d": fmpq(len(network.coordinates))})) <= 0 for norm in _norms(network)):
        raise NotCovered(f"{refused} with a norm whose epsilon is 0, which may have no value")


def _norms(network: Encoder | Decoder) -> list[Norm]:
    """All of them."""
    final = [] if network.final_norm is None else [network.final_norm]
    return [*(norm for layer in network.layers for norm in layer.norms), *final]


def _of_norm(norm: Norm) -> Linear:
    """All its weights."""
    return Linear({"epsilon": {"1": norm.epsilon}, "gain": norm.gain or {}}, norm.bias)
