"""What a theorem says, as a definition of Coq that can be read beside the paper."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.proofs.kernel.formulas import OfIntegers, OfTokens, proposition
from weightproof.proofs.kernel.plain import plain
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import arguments, texts
from weightproof.proofs.theorem import EVERYTHING, Decides

ACCEPTS = {"logit > 0": "accepts_above_0", "logit = 0": "accepts_at_0"}
CHOICES = Choices("a statement in Coq", Unwritten)
PREAMBLE = """\
{title}
Require Import Reals ZArith List String.
From Weightproof Require Import Transformer Words Languages Plain {weights}.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
"""
OVER_THE_ALPHABET = "Forall (fun symbol => In symbol alphabet) w"
KEYWORDS = (
    "as at cofix else end exists exists2 fix for forall fun if IF in let match mod return then using where with "
    "Prop Set SProp Type"
)
OWN = "alphabet given in_language in_language_is_plain marked network"
RESERVED = frozenset(f"{KEYWORDS} {OWN}".split())
"""What Coq, or a statement, means by a name."""


def identifier(name: str) -> str:
    """A name as one of Coq's: what no identifier has is an underscore."""
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    if not made or made[0].isdigit():
        made = f"named_{made}".rstrip("_")
    return f"{made}_" if made in RESERVED else made


def module_of(construction: Construction, theorem: Decides) -> str:
    """What stands behind `Statement_` and `Proof_` in the names of a theorem's modules."""
    return f"{identifier(construction.name)}__{identifier(theorem.name)}"


@dataclass(frozen=True)
class Part:
    """A formula of a theorem: what it is called in Coq, and which parameters it is a proposition about."""

    name: str
    formula: Expression
    construction: Construction

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return tuple(each for each in self.construction.parameters if each.name in self.formula.names)

    @property
    def binders(self) -> str:
        return "".join(f" ({parameter_name(each)} : {_kind(each)})" for each in self.parameters)

    @property
    def arguments(self) -> str:
        return "".join(f" {parameter_name(parameter)}" for parameter in self.parameters)

    @property
    def applied(self) -> str:
        return self.name + self.arguments


def language(construction: Construction, theorem: Decides) -> Part:
    """The words that are to be accepted."""
    accepted = construction.language.characterisation if theorem.accepts is None else theorem.accepts
    return Part("in_language", accepted, construction)


def hypothesis(construction: Construction, theorem: Decides) -> Part | None:
    """What is asked of words and parameters; None where the theorem speaks of all of them."""
    if theorem.given.source == EVERYTHING:
        return None
    return Part("given", theorem.given, construction)


def statement(construction: Construction, theorem: Decides) -> str:
    """The text of `Statement_NAME.v`: the words that are to be accepted, `in_language`; what is asked of them, `given`;
    and that the network accepts exactly these words, under the name of the theorem."""
    of_words, asked = language(construction, theorem), hypothesis(construction, theorem)
    title = comment(f"{construction.name}: {construction.title}. {construction.source}.")
    parts = [
        PREAMBLE.format(title=title, weights=f"Weights_{identifier(construction.name)}"),
        definition(of_words, _said_of_language(construction, theorem)),
        *plain_theorem(construction, of_words),
    ]
    if asked is not None:
        parts.append(definition(asked, "What is asked of words and parameters"))
    parts.append(
        f"{comment(theorem.statement)}\n"
        f"Definition {identifier(theorem.name)} : Prop :=\n{_claim(construction, theorem)}.\n"
    )
    return "\n".join(parts)


def _claim(construction: Construction, theorem: Decides) -> str:
    """That the network accepts exactly the words of the language; that it has a value on all of them, where there are
    norms; and that no logit is 0, where the theorem is strict."""
    network, asked = construction.encoder, hypothesis(construction, theorem)
    of_words = language(construction, theorem)
    lines = [
        f"forall {parameter_name(each)} : {_kind(each)}, {_domain(each, construction)} ->"
        for each in construction.parameters
    ]
    lines.append(f"forall w, {OVER_THE_ALPHABET} ->")
    if network.begin is None and network.end is None:
        lines.append("w <> [] ->")  # without a position there is nothing to be read
    if theorem.up_to is not None:
        lines.append(f"length_of (marked w) <= {theorem.up_to} ->")
    if asked is not None:
        lines.append(f"{asked.applied} w ->")
    accepts = CHOICES.of("acceptance rule", network.readout.accept, ACCEPTS)
    parameters = arguments(construction)
    on = f"(network{parameters}) (marked w)" if parameters else "network (marked w)"
    said = [f"({accepts} {on} <-> {of_words.applied} w)"]
    above = CHOICES.of("acceptance rule", network.readout.accept, {"logit > 0": True, "logit = 0": False})
    if theorem.strict and above:
        said.insert(0, f'output {on} "logit" <> 0%R')
    if network.normed:
        said.insert(0, f"has_value {on}")
    return "\n".join(f"  {line}" for line in lines) + "\n  " + " /\\\n  ".join(said)


def _kind(parameter: Parameter) -> str:
    return "Z" if parameter.is_natural else "R"


def _domain(parameter: Parameter, construction: Construction) -> str:
    domain = proposition(parameter.domain, construction, OfTokens())
    least = f"{parameter_name(parameter)} >= 0"
    return domain if not parameter.is_natural or domain == least else f"{least} -> {domain}"


def _said_of_language(construction: Construction, theorem: Decides) -> str:
    if theorem.accepts is not None:
        return "The words that are to be accepted"
    described = construction.language
    return f"The language {described.name}" + f", {described.description}" * bool(described.description)


def definition(part: Part, said: str) -> str:
    """A formula of a theorem as a definition about a word."""
    formula = proposition(part.formula, part.construction, OfTokens())
    n = "  let n := length_of tokens in\n" * ("n" in part.formula.names)
    tokens = "  let tokens := marked w in\n" * (symbols_of(part.formula.tree) is not None or bool(n))
    return (
        f"{comment(f'{said}: {part.formula.source}')}\n"
        f"Definition {part.name}{part.binders} (w : list string) : Prop :=\n{tokens}{n}  {formula}.\n"
    )


def comment(said: str) -> str:
    """A comment of Coq, in which no text ends it, nor opens another one, nor a string."""
    safe = said.replace('"', "'").replace("(*", "( *").replace("*)", "* )")
    return textwrap.fill(f"(* {safe} *)", 120, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)


def plain_theorem(construction: Construction, part: Part) -> tuple[str, ...]:
    """That the language is a plain definition, where `Plain.v` has it."""
    found = plain(part.formula, construction)
    if found is None:
        return ()
    network = construction.encoder
    before, behind = (texts(() if marker is None else (marker,)) for marker in (network.begin, network.end))
    return (
        "(* The same without markers and positions. *)\n"
        f"Theorem {part.name}_is_plain{part.binders} (w : list string) :\n"
        f"  {OVER_THE_ALPHABET} -> ({part.applied} w <-> {found.says}).\n"
        f"Proof.\n  intros W. unfold {part.name}, marked, alphabet in *. cbv zeta.\n"
        f"  apply ({found.lemma} {texts(construction.alphabet)} {before} w {behind}); listed.\nQed.\n",
    )


def formula_on_integers(construction: Construction, theorem: Decides) -> str:
    """The words that are to be accepted, by the integers of `Words.v`: n, and the functions token, prefix and count."""
    return proposition(language(construction, theorem).formula, construction, OfIntegers(construction))


def on_integers(construction: Construction, theorem: Decides) -> str:
    """Of each formula of the statement, `in_language` and `given`: the same of the integers of any word, under its name
    with `_of_integers` behind it, and the lemma that it is the same of a word, with `_on_integers` behind it."""
    asked = hypothesis(construction, theorem)
    parts = [language(construction, theorem), *([] if asked is None else [asked])]
    return "\n".join(of_integers(part) for part in parts)


INTEGERS = "(n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)"
OF_WORD = "(length_of {0}) (token alphabet {0}) (prefix alphabet {0}) (count alphabet {0})".format("(marked w)")


def of_integers(part: Part) -> str:
    """One of them, with its lemma."""
    formula = proposition(part.formula, part.construction, OfIntegers(part.construction))
    name = f"{part.name}_of_integers"
    return (
        f"Definition {name}{part.binders} {INTEGERS} : Prop :=\n  ({formula})%Z.\n"
        f"Lemma {part.name}_on_integers{part.binders} (w : list string) : {OVER_THE_ALPHABET} ->\n"
        f"  {part.applied} w <-> {name}{part.arguments}\n    {OF_WORD}.\n"
        f"Proof.\n  intros W. unfold {part.name}, {name}, marked, alphabet in *. cbv zeta.\n"
        f"  same_formula {texts(part.construction.alphabet)}.\nQed.\n"
    )
