"""Small networks of the kind whose closed form keeps a sum over part of the word, made from a few words each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weightproof import (
    Construction,
    Embedding,
    Encoder,
    FeedForward,
    Head,
    Language,
    Layer,
    Linear,
    Parameter,
    Readout,
)


def language(name: str, member: Callable[[str], bool], characterisation: str) -> Language:
    return Language(name=name, alphabet=("0", "1"), member=member, characterisation=characterisation, description=name)


def marked(
    of: Language, marks: Mapping[str, tuple[str, str, object]], marker: object = 0, accept: str = "logit > 0"
) -> Construction:
    """Uniform attention from CLS to marked positions. marks: name -> (where a position is marked, the symbol that it
    has to hold, how much it weighs); marker: what CLS weighs."""
    embedded = {token: {f"[w={token}]": 1} for token in ("0", "1", "CLS")}
    units = {f"h{name}": {f"[w={symbol}]": 1, f"[{name}]": 1} for name, (_, symbol, _) in marks.items()}
    mark = FeedForward(
        first=Linear(units, dict.fromkeys(units, -1)),
        second=Linear({name: {f"h{name}": 1} for name in marks}),
    )
    weights = {name: weight for name, (_, _, weight) in marks.items()} | {"[w=CLS]": marker}
    return Construction(
        name=of.name,
        title=of.description,
        source="a test",
        language=of,
        network=Encoder(
            coordinates=("[w=0]", "[w=1]", "[w=CLS]", *(f"[{name}]" for name in marks), *marks, "s"),
            embedding=Embedding(WE=embedded, PE={f"[{name}]": where for name, (where, _, _) in marks.items()}),
            layers=(Layer(feed_forward=mark), Layer(heads=(Head(W_V={"s": weights}),))),
            readout=Readout(Linear({"logit": {"s": 1}}), accept=accept),
        ),
    )


def mirrored(of: Language, left: str, right: str, base: str = "c >= 1", middle: str = "<") -> Construction:
    """The positions of the left half that hold one symbol, and those of the right half that hold another one, as two
    numbers in base e^c, the mirrored positions alike; accepted where they are the same."""
    tokens = ("0", "1", "CLS", "EOS")
    halves = {"left": (left, "i", 1, middle), "right": (right, "n - i - 1", -1, ">")}
    mark = FeedForward(
        first=Linear(
            {
                f"h_{half}": {f"[w={token}]": -1 for token in tokens if token != symbol} | {f"[{half}]": 1}
                for half, (symbol, *_) in halves.items()
            }
        ),
        second=Linear({half: {f"h_{half}": 1} for half in halves}),
    )
    heads = tuple(
        Head(W_Q={"q": {"[w=CLS]": "c*sqrt(d)"}}, W_K={"q": {f"at {half}": 1}}, W_V={"s": {half: sign}})
        for half, (_, _, sign, _) in halves.items()
    )
    places = {f"at {half}": place for half, (_, place, _, _) in halves.items()}
    places |= {f"[{half}]": f"(2*i {side} n - 1)" for half, (_, _, _, side) in halves.items()}
    return Construction(
        name=of.name,
        title=of.description,
        source="a test",
        language=of,
        parameters=(Parameter("c", domain=base, default="2"),),
        network=Encoder(
            coordinates=(*(f"[w={token}]" for token in tokens), *places, *halves, "s"),
            embedding=Embedding(WE={token: {f"[w={token}]": 1} for token in tokens}, PE=places),
            layers=(Layer(feed_forward=mark), Layer(heads=heads)),
            readout=Readout(Linear({"logit": {"s": 1}}), accept="logit = 0"),
            end="EOS",
        ),
    )
