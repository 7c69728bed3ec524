"""One weight set to another value: a repair of one line, or a weight that is moved to see what it does."""

from __future__ import annotations

from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.schema import Encoder
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.places import Path, Place, put_at
from weightproof.constructions.transforms.rewriting import Refused, encoder_of

OF_A_HEAD = ("W_Q", "W_K", "W_V", "W_O")
OF_A_FEED_FORWARD_NETWORK = {"W_F1": "first", "W_F2": "second"}


def set_weight(
    construction: Construction, part: str, row: str, column: str, to: Expression, layer: str = "", head: str = ""
) -> Construction:
    """part: a matrix of a head (W_Q, W_K, W_V, W_O), of a feed-forward network (W_F1, W_F2), or the readout W; layer
    and head are counted from 1. row and column: by name; what is not named in the data is 0. Refused where there is no
    such layer, head or network; ConstructionError where there is no such row or column."""
    network = encoder_of(construction)
    place = Place(part, (*_path(network, part, layer, head), row, column))
    return replace(construction, network=put_at(network, place, to))


def _path(network: Encoder, part: str, layer: str, head: str) -> Path:
    """That leads to a matrix."""
    if part == "W":
        return "readout", "W", "weights"
    number = _number("layer", layer, len(network.layers))
    found = network.layers[number]
    if part in OF_A_FEED_FORWARD_NETWORK:
        if found.feed_forward is None:
            raise Refused(f"the layer has no feed-forward network, and so no {part}")
        return "layers", number, "feed_forward", OF_A_FEED_FORWARD_NETWORK[part], "weights"
    if part not in OF_A_HEAD:
        raise Refused(f"part={part} is none of {', '.join((*OF_A_HEAD, *OF_A_FEED_FORWARD_NETWORK, 'W'))}")
    index = _number("head", head, len(found.heads))
    if getattr(found.heads[index], part) is None:
        raise Refused(f"the head has no {part}")
    return "layers", number, "heads", index, part


def _number(what: str, given: str, most: int) -> int:
    """The index, from 0, of a layer or head that is counted from 1."""
    if not given.isdecimal() or not 1 <= int(given) <= most:
        raise Refused(f"there is no {what} {given or '(write its number)'}; there are {most}")
    return int(given) - 1
