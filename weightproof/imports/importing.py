"""A construction of a torch module, of its state dictionary, or of a safetensors file.

Weights are taken exactly: every floating-point number is a dyadic rational. What no tensor says is said by the user:
the language, the tokens, the markers, the position encodings as expressions in i and n, what is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import torch
from flint import fmpq

from weightproof.constructions.files import write
from weightproof.constructions.languages import languages
from weightproof.constructions.library import load_language
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.schema import (
    Acceptance,
    Activation,
    Decoder,
    Embedding,
    Encoder,
    EncoderDecoder,
    Place,
    Readout,
)
from weightproof.constructions.scalars.exact import ball
from weightproof.constructions.scalars.expressions import Expression, ExpressionError
from weightproof.constructions.scalars.grammar import expression
from weightproof.constructions.scalars.values import evaluate
from weightproof.document.blocks import Heading, Paragraph, Plain, Table
from weightproof.imports.comparing import Call, Compared, compare, compare_outputs
from weightproof.imports.dense import Dense, Tensor
from weightproof.imports.families import family_of, settings_of
from weightproof.imports.modules import described, refuse_dropout
from weightproof.imports.outputs import outputs_of
from weightproof.imports.reading import predicts_tokens, read_dense
from weightproof.imports.recognising import Recognised
from weightproof.imports.saying import Missaid, Saying
from weightproof.imports.settings import Norms, OfModules, Settings, checked, joined, require_known
from weightproof.imports.sparse import MEAN, ONE, Exactly, Reading, decoder_of, layers_of
from weightproof.imports.tensors import GivenTensor, Tensors, load_tensors, renamed
from weightproof.imports.writing import python
from weightproof.reported import Reported

NEAR = 1e-6
"""How far a table of position encodings and an expression may be apart, relatively."""
Given = torch.nn.Module | Mapping[str, GivenTensor] | str | Path


@dataclass(frozen=True, repr=False)
class Imported(Reported):
    """A construction and how it came about.

    recognised: the numbers that an expression stands for. compared: with the module on words; None where there is none,
    but only its tensors. table_of: where position encodings depend on the number of positions, that of the words which
    the table among the tensors is for; it says nothing of others.
    """

    construction: Construction
    recognised: tuple[Recognised, ...] = ()
    compared: Compared | None = None
    table_of: int | None = None

    @property
    def data(self) -> dict[str, Any]:
        return {
            "construction": self.construction.name,
            "recognised": [vars(each) for each in self.recognised],
            "compared": None if self.compared is None else vars(self.compared),
            "table_of": self.table_of,
            "warnings": list(self.warnings),
        }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What nothing has shown to be so."""
        found = []
        if self.compared is None:
            found.append(
                "compared with nothing: there are tensors alone, and no module to run; it is said, and not shown, that "
                f"the network has {', '.join(self._choices())}"
            )
        if self.table_of is not None:
            found.append(
                f"position encodings depend on the number of positions: they are those of the table at {self.table_of} "
                "positions, and for other words the tensors have none"
            )
        return tuple(found)

    def _choices(self) -> Iterator[str]:
        """What no tensor says, as it is in the construction."""
        network = self.construction.network
        assert not isinstance(network, EncoderDecoder)
        heads = [head for layer in network.layers for head in layer.heads]
        units = [layer.feed_forward for layer in network.layers if layer.feed_forward is not None]
        for activation in dict.fromkeys(each.activation for each in units if each.first.weights or each.first.bias):
            yield f"the activation {activation}"
        places = {
            "norms before attention and feed-forward network": any(
                layer.attention_norm_before or layer.feed_forward_norm_before for layer in network.layers
            ),
            "norms after each residual connection": any(
                layer.attention_norm or layer.feed_forward_norm for layer in network.layers
            ),
            "a norm before the readout": network.final_norm is not None,
        }
        yield from [place for place, is_there in places.items() if is_there] or ["no norms"]
        for mask in dict.fromkeys(head.mask for head in heads):
            yield f"the mask {mask}"
        for scale in dict.fromkeys(head.scale.source for head in heads if head.W_Q):
            yield f"scores times {scale}"
        yield "positions added to the embedding alone"

    def summary(self) -> Iterator[Plain]:
        """All but the warnings."""
        network = self.construction.network
        assert not isinstance(network, EncoderDecoder)
        heads = sum(len(layer.heads) for layer in network.layers)
        sizes = {"layer": len(network.layers), "head": heads, "coordinate": len(network.coordinates)}
        counts = ", ".join(f"{size} {what}{'' if size == 1 else 's'}" for what, size in sizes.items())
        yield Paragraph(f"{self.construction.name}: {counts}")
        if self.compared is not None:
            how = "" if isinstance(network, Decoder) else ", position by position and layer by layer"
            yield Paragraph(
                f"compared with the module on {self.compared.words} words of up to {self.compared.longest} symbols"
                f"{how}; logits differ by at most {self.compared.difference:.1e}"
            )
        if self.recognised:
            yield Heading(3, "Recognised")
            rows = [
                (each.place, repr(each.value), each.expression, f"{each.difference:.1e}") for each in self.recognised
            ]
            yield Table(("where", "value", "taken as", "difference"), rows, right=frozenset({"value", "difference"}))

    def report(self) -> Iterator[Plain]:
        yield from self.summary()
        for warning in self.warnings:
            yield Paragraph(f"warning: {warning}")


def from_torch(
    given: Given,
    *,
    language: Language,
    tokens: Sequence[str],
    begin: str | None = None,
    end: str | None = None,
    position: Mapping[int, object] | None = None,
    embedding: str | GivenTensor | None = None,
    readout: str | None = None,
    read: Place | None = None,
    classes: Sequence[str] | None = None,
    member: str | None = None,
    accept: Acceptance | None = None,
    stop: str | None = None,
    heads: int | None = None,
    activation: Activation | None = None,
    norms: Norms | None = None,
    epsilon: float | None = None,
    scale: str | None = None,
    mask: OfModules | None = None,
    theta: float | None = None,
    config: Mapping[str, Any] | str | Path | None = None,
    coordinates: Sequence[str] | None = None,
    ignore: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    recognise: bool = False,
    call: Call | None = None,
    name: str = "imported",
    title: str = "",
    source: str = "",
) -> Imported:
    """Read a hand-set encoder as it is published, and compare it with the module on words.

    given: a module with layers of torch.nn.TransformerEncoderLayer (in_proj packed, out_proj, linear1, linear2, norms);
        or with the names of a family that predicts the next token (see `gpt`, `llama`); or its state dictionary; or
        named tensors of TransformerLens, or plain matrices (see `reading`); or the path of a .safetensors file of
        one of these. Numpy arrays count as tensors. Pickle files are refused, as loading one executes code.
    tokens: in the order of the rows of the embedding. begin, end: the markers among them.
    position: of each coordinate, counted from 0, that has a position encoding: an expression in i and n.
    embedding: the tensor, [tokens, d], or its name; readout: the name of the linear map. Both are found where there is
        only one that may be meant.
    read, accept: as in `Readout`; "first", and "logit > 0" where there is one output, and "argmax" of classes.
    classes: what each of several outputs is for, in their order: labels of the language, which say of which words each
        is right. member: the one of two classes that is membership; so the construction is a recogniser, whose logit is
        the output of that class less the other one's.
    stop: the token behind which a network that predicts tokens says no more.
    heads, activation, norms, epsilon, mask, scale: what a module says, or shows where it is run, and tensors do not: of
        them, all that matters is asked for but the scale of the scores, which is 1/sqrt(d_head) where none is given.
        norms: "post" where the layers normalise after each residual connection, "pre" where they do so before attention
        and feed-forward network, or "none".
        theta: the base of rotary positions.
    config: what TransformerLens says of them (`cfg.to_dict()`), or transformers (`config.to_dict()`), a mapping or a
        JSON file; a field by which a network computes as none here does is refused by its name.
    coordinates: names of the coordinates, in their order. ignore: tensors that are no weights, by (the beginnings of)
        their names. recognise: take short expressions for numbers that are near to one; see `recognised`.
    mapping: of (beginnings of) names of tensors, where the module is one of your own, to names that are read.
    call: runs the module on the token ids of one word, markers included; module(torch.tensor(ids)) where none is given.

    A module is run on all words of up to two symbols and a random one of each length up to 12: the residual stream
    before the first layer and after each, and the logit, are held against the construction's; of a network that
    predicts tokens its outputs behind the word.

    Raises InputError in one line for what cannot be read, does not fit, or differs; ConstructionError for what is no
    construction.
    """
    if not isinstance(language, Language):
        raise InputError(f"language is {language!r}; give a Language")
    require_known("read", read, get_args(Place))
    require_known("accept", accept, get_args(Acceptance))
    settings = checked(Settings(heads, activation, norms, epsilon, mask, scale, theta=theta))
    if config is not None:
        settings = joined(settings, settings_of(config))
    if call is not None and not isinstance(given, torch.nn.Module):
        raise InputError("call runs a module, and there are tensors alone; leave it out, or give the module")
    _require_tokens(tokens, language, begin, end, stop)
    module = given if isinstance(given, torch.nn.Module) else None
    said = None
    if module is not None:
        refuse_dropout(module)
    named = renamed(_named(given), mapping or {})
    if module is not None and not predicts_tokens(Tensors(named), len(tokens), classes is not None):
        said = described(module, embedding, readout, settings)
        named = renamed(said.tensors, mapping or {})
    tensors = Tensors(named, ignore)
    dense = read_dense(tensors, said, embedding, readout, settings, len(tokens), classes is not None)
    tensors.require_read()
    PE = _position(position or {}, dense.width)
    names = _names(dense.W_E, tokens, PE, coordinates)
    added = _added(dense, names)
    exactly = Exactly(tensors.precision() if recognise else None)
    reading = Reading(
        names,
        exactly,
        settings.scale,
        "causal" if dense.predicts else settings.mask or "none",
        has_mean=added == MEAN,
    )
    layers = [layers_of(layer, reading) for layer in dense.layers]
    split = tuple(layer for made in layers for layer in made)
    network: Encoder | Decoder
    if dense.predicts:
        said_in_vain: dict[str, object] = {"begin": begin, "end": end, "position": position or None}
        said_in_vain |= {"read": read, "classes": classes, "member": member, "accept": accept}
        said_in_vain |= {} if family_of(tensors) is None else {"norms": norms, "mask": mask}
        _refuse_of_recognisers(said_in_vain)
        network = decoder_of(dense, tokens, split, reading, added, stop)
    else:
        if stop is not None:
            problem = " is of what predicts tokens, and this network recognises words; leave it out"
            raise Missaid(Saying("stop"), problem)
        outputs = outputs_of(len(dense.W_U), classes, member, language, tokens)
        network = Encoder(
            coordinates=names if added is None else (*names, added),
            embedding=Embedding(
                {
                    token: reading.vector(exactly.row(row, names, f"embedding, token {token}"))
                    for token, row in zip(tokens, dense.W_E, strict=True)
                },
                _encoding({names[column]: text for column, text in PE.items()}, added, len(names)),
            ),
            layers=split,
            readout=Readout(
                outputs.map(dense, names, exactly), position=read or "first", accept=outputs.accepting(accept)
            ),
            begin=begin,
            end=end,
            final_norm=reading.norm(dense.final_norm, "final norm"),
        )
    construction = Construction(
        name=name,
        title=title or f"{language.name}, imported",
        source=source or "weights as they were given",
        language=language,
        network=network,
    )
    if dense.predicts:
        compared = None if module is None else compare_outputs(construction, module, tokens, call)
        return Imported(construction, tuple(dict.fromkeys(exactly.found)), compared)
    table_of = None if dense.table is None else _compare_table(construction, dense.table)
    compared = None
    if module is not None and said is not None:
        compared = compare(construction, module, tokens, said.readout, outputs, call, list(map(len, layers)))
    return Imported(construction, tuple(dict.fromkeys(exactly.found)), compared, table_of)


def _named(given: object) -> Mapping[str, GivenTensor]:
    """The tensors that are given, or those of a file."""
    if isinstance(given, torch.nn.Module):
        return given.state_dict()
    if isinstance(given, Mapping):
        return given
    if isinstance(given, str | Path):
        return load_tensors(Path(given))
    raise InputError(f"{type(given).__name__}: give a torch.nn.Module, a mapping of tensors or a .safetensors file")


def _refuse_of_recognisers(given: Mapping[str, object]) -> None:
    for what, value in given.items():
        if value is not None:
            raise Missaid(Saying(what), " has no place: by its names this network predicts tokens; leave it out")


def _require_tokens(tokens: Sequence[str], language: Language, *marked: str | None) -> None:
    """InputError unless the tokens are the symbols of the language and the markers."""
    markers = [token for token in marked if token is not None]
    for token in (*markers, *language.alphabet):
        if token not in tokens:
            raise Missaid(Saying("tokens"), f": {token!r} is none of {', '.join(map(repr, tokens))}")
    for token in tokens:
        if token not in (*markers, *language.alphabet):
            problem = f"token {token!r} is no symbol of {language.name}; say what it is: "
            raise Missaid(problem, Saying("begin", token), ", ", Saying("end", token), " or ", Saying("stop", token))


def _added(dense: Dense, names: Sequence[str]) -> str | None:
    """The coordinate that is added where queries have a bias: one that is 1, or that is so behind the norms before."""
    biased = [layer for layer in dense.layers if any(head.b_Q is not None and head.b_Q.any() for head in layer.heads)]
    if not biased:
        return None
    normed = dense.final_norm is not None or any(tuple(layer.norms) for layer in dense.layers)
    added = MEAN if normed else ONE
    norms = [norm for layer in dense.layers for norm in layer.norms] + [dense.final_norm]
    if any(norm is not None and not norm.is_centred for norm in norms):
        raise InputError(f"{biased[0].name}: a bias of queries takes a coordinate, and a root mean square would see it")
    if added in names:
        problem = f"queries have a bias, which takes a coordinate {added!r}; leave that name out of "
        raise Missaid(problem, Saying("coordinates"))
    for layer in dense.layers:
        if layer.norms.after_attention or layer.norms.after_feed_forward:
            raise InputError(f"{layer.name}: a bias of queries takes a coordinate, and a norm behind would see it")
    for layer in biased:
        if normed and layer.norms.before_attention is None:
            raise InputError(f"{layer.name}: a bias of queries takes a coordinate, and a later norm would see it")
    return added


def _encoding(PE: dict[str, Expression], added: str | None, d: int) -> dict[str, Expression]:
    """With that of the coordinate that is added."""
    if added == ONE:
        return PE | {ONE: Expression("1")}
    if added == MEAN and PE:
        return PE | {MEAN: Expression(f"({' + '.join(f'({text})' for text in PE.values())})/{d}")}
    return PE


def _position(position: Mapping[int, object], width: int) -> dict[int, Expression]:
    result = {}
    for column, text in sorted(position.items()):
        if not 0 <= column < width:
            raise Missaid(Saying("position", key=column), f": coordinates are numbered 0 to {width - 1}")
        try:
            result[column] = expression(text)
        except ExpressionError as error:
            raise Missaid(Saying("position", key=column), f": {error}") from error
    return result


def _names(
    W_E: Tensor, tokens: Sequence[str], PE: Mapping[int, Expression], given: Sequence[str] | None
) -> tuple[str, ...]:
    """Those that are given; or [w=a] of the coordinate that token a alone has, a position encoding's text, or x7."""
    width = int(W_E.shape[1])
    if given is not None:
        if len(given) != width:
            raise Missaid(Saying("coordinates"), f": {len(given)} names for {width} coordinates; give one for each")
        return tuple(given)
    names: list[str] = []
    for column in range(width):
        here = [token for token, row in zip(tokens, W_E, strict=True) if row[column] != 0]
        text = str(PE[column]) if column in PE else f"[w={here[0]}]" if len(here) == 1 else f"x{column}"
        names.append(f"x{column}" if text in (*names, ONE) else text)
    return tuple(names)


def _compare_table(construction: Construction, table: Tensor) -> int | None:
    """InputError where a table of position encodings has another value than the expressions, at one of its positions.

    None where that settles it: they do not speak of n. Else the table can be right for words of one length alone, those
    that fill it; their number of positions."""
    network = construction.encoder
    n = int(table.shape[0])
    for i in range(n):
        names = {"i": fmpq(i), "n": fmpq(n), "d": fmpq(len(network.coordinates))}
        for column, coordinate in enumerate(network.coordinates[: table.shape[1]]):
            said = network.embedding.PE.get(coordinate, Expression("0"))
            wanted, value = float(ball(evaluate(said, names)).mid()), float(table[i, column])
            if not abs(value - wanted) <= NEAR * max(1.0, abs(wanted)):
                raise Missaid(
                    f"position encodings: coordinate {column} at position {i} of {n} is {value:.9g} in the table, "
                    f"and {str(said)!r} is {wanted:.9g} there; mend ",
                    Saying("position", key=column),
                )
    return n if any("n" in each.names for each in network.embedding.PE.values()) else None


def convert(given: Path, to: Path, language: str, options: Mapping[str, Any]) -> Imported:
    """Read tensors, and write a Python file that is not there yet; InputError in one line where that cannot be done.

    language: the name of one of ours, or a Python file that defines `language`, whose text the file begins with.
    options: as `from_torch` takes them.
    """
    if to.suffix != ".py":
        raise InputError(f"--as {to}: the construction is written as Python; name a FILE.py")
    if to.exists():
        raise InputError(f"--as {to}: the file is there already; name another one, or remove it")
    of, text = language_of(language)
    name = to.stem.replace("_", "-")
    imported = from_torch(given, language=of, name=name, source=f"weights of {given.name}", **options)
    try:
        write(to, python(imported.construction, text))
    except OSError as error:
        raise InputError(f"--as {to}: {error.strerror}; name a file that can be written") from error
    return imported


def language_of(named: str) -> tuple[Language, str]:
    """The language of that name, or the one that a file defines, and Python that defines it."""
    if named.endswith(".py"):
        path = Path(named)
        return load_language(path), path.read_text(encoding="utf-8")
    known = {name: value for name, value in vars(languages).items() if isinstance(value, Language)}
    for name, language in known.items():
        if named.upper() in (name, language.name):
            return language, f"from {languages.__name__} import {name} as language"
    raise InputError(
        f"no language is called {named!r}; there are {', '.join(known)}, or name a FILE.py that defines one"
    )
