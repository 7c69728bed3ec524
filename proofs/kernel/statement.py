"""What a theorem says, as a definition of Coq that can be read beside the paper."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from weightproof.constructions.claims.statements import Logit
from weightproof.constructions.meaning.choices import Choices
from weightproof.constructions.meaning.construction import Construction, Parameter
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.scalars.grammar import symbols_of
from weightproof.proofs.kernel.formulas import RELATIONS, OfIntegers, OfTokens, Vocabulary, number, proposition
from weightproof.proofs.kernel.plain import plain
from weightproof.proofs.kernel.scalars import parameter_name
from weightproof.proofs.kernel.unwritten import Unwritten
from weightproof.proofs.kernel.weights import arguments, texts
from weightproof.proofs.theorem import EVERYTHING, AboutLogits, ClosedForm, Compares, Decides, Margin

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
OWN = "alphabet given in_language in_language_is_plain marked network value"
RESERVED = frozenset(f"{KEYWORDS} {OWN}".split())
"""What Coq, or a statement, means by a name."""


def identifier(name: str) -> str:
    """A name as one of Coq's: what no identifier has is an underscore."""
    made = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    if not made or made[0].isdigit():
        made = f"named_{made}".rstrip("_")
    return f"{made}_" if made in RESERVED else made


def module_of(construction: Construction, theorem: AboutLogits) -> str:
    """What stands behind `Statement_` and `Proof_` in the names of a theorem's modules."""
    return f"{identifier(construction.name)}__{identifier(theorem.name)}"


@dataclass(frozen=True)
class Part:
    """A formula of a theorem: what it is called in Coq, which parameters it speaks of, and whether it is a number, or
    else a proposition."""

    name: str
    formula: Expression
    construction: Construction
    is_number: bool = False

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

    @property
    def kind(self) -> str:
        return "R" if self.is_number else "Prop"

    def text(self, vocabulary: Vocabulary) -> str:
        """In the scope of Z, or if it is a number, in that of R."""
        return (number if self.is_number else proposition)(self.formula, self.construction, vocabulary)

    @property
    def of_integers(self) -> str:
        """About the integers of `Words.v`, in whatever scope."""
        return f"({self.text(OfIntegers(self.construction))})%{'R' if self.is_number else 'Z'}"


def language(construction: Construction, theorem: AboutLogits) -> Part | None:
    """The words that a theorem speaks of, which are those that are to be accepted if it says nothing else; None where
    it speaks of all of them."""
    if isinstance(theorem, ClosedForm):
        return None
    accepted = construction.language.characterisation if theorem.accepts is None else theorem.accepts
    return Part("in_language", accepted, construction)


def hypothesis(construction: Construction, theorem: AboutLogits) -> Part | None:
    """What is asked of words and parameters; None where the theorem speaks of all of them."""
    if theorem.hypothesis.source == EVERYTHING:
        return None
    return Part("given", theorem.hypothesis, construction)


def value(construction: Construction, theorem: AboutLogits) -> Part | None:
    """What the logit is compared with; None where that is 0, by which the network decides."""
    match theorem:
        case ClosedForm(stated=stated):
            if stated.of != Logit() or stated.tends is not None:
                raise Unwritten("a closed form of something else than the logit")
            if stated.at:
                raise Unwritten("a closed form at given values of parameters")
            return Part("value", stated.equals, construction, is_number=True)
        case Compares(value=compared) | Margin(value=Expression() as compared):
            return Part("value", compared, construction, is_number=True)
    return None


def parts(construction: Construction, theorem: AboutLogits) -> list[Part]:
    """The formulas of a theorem."""
    every = (each(construction, theorem) for each in (language, hypothesis, value))
    return [part for part in every if part is not None]


def is_strict(construction: Construction, theorem: AboutLogits) -> bool:
    """Whether a theorem says that no logit is 0, beside which words are accepted."""
    if not isinstance(theorem, Decides) or not theorem.strict:
        return False
    rule = construction.encoder.readout.accept
    return CHOICES.of("acceptance rule", rule, {"logit > 0": True, "logit = 0": False})


def conclusion(theorem: ClosedForm | Compares | Margin, logit: str, words: str, compared: str) -> str:
    """What a theorem says of a word, in the scope of R, by the texts of its logit, of whether it is one of the words
    that the theorem speaks of, and of what the logit is compared with."""
    match theorem:
        case ClosedForm():
            return f"{logit} = {compared}"
        case Compares(op=op, only=only):
            return f"{words} {'<->' if only else '->'} {logit} {RELATIONS[op]} {compared}"
        case Margin(value=None):
            return f"~ {on_side(theorem, words)}"
        case Margin(of_accepted=accepted):
            return f"{on_side(theorem, words)} -> {logit} {'>= ' if accepted else '<= - '}{compared}"


def on_side(theorem: Margin, words: str) -> str:
    """That a word is on the side of a margin, by the text of whether it is one of the language."""
    return words if theorem.of_accepted else f"~ {words}"


def statement(construction: Construction, theorem: AboutLogits) -> str:
    """The text of `Statement_NAME.v`: the formulas of the theorem, `in_language`, `given` and `value`, and what it says
    by them under its own name."""
    title = comment(f"{construction.name}: {construction.title}. {construction.source}.")
    texts = [PREAMBLE.format(title=title, weights=f"Weights_{identifier(construction.name)}")]
    of_words = language(construction, theorem)
    for part in parts(construction, theorem):
        texts.append(definition(part, _described(part, theorem)))
        if part == of_words:
            texts += plain_theorem(construction, part)
    texts.append(
        f"{comment(theorem.statement)}\n"
        f"Definition {identifier(theorem.name)} : Prop :=\n{_claim(construction, theorem)}.\n"
    )
    return "\n".join(texts)


def _claim(construction: Construction, theorem: AboutLogits) -> str:
    """What a theorem says of all words and parameters; that the network has a value on all of these words, where there
    are norms; and that no logit is 0, where the theorem is strict."""
    network, asked = construction.encoder, hypothesis(construction, theorem)
    lines = [
        f"forall {parameter_name(each)} : {_kind(each)}, {_domain(each, construction)} ->"
        for each in construction.parameters
    ]
    lines.append(f"forall w, {OVER_THE_ALPHABET} ->")
    if network.begin is None and network.end is None:
        lines.append("w <> [] ->")  # without a position there is nothing to be read
    if isinstance(theorem, Decides) and theorem.up_to is not None:
        lines.append(f"length_of (marked w) <= {theorem.up_to} ->")
    if asked is not None:
        lines.append(f"{asked.applied} w ->")
    applied = f"(network{arguments(construction)})" if construction.parameters else "network"
    on = f"{applied} (marked w)"
    words, compared = (
        "" if part is None else f"{part.applied} w"
        for part in (language(construction, theorem), value(construction, theorem))
    )
    logit = f'output {on} "logit"'
    if isinstance(theorem, Decides):
        accepts = CHOICES.of("acceptance rule", network.readout.accept, ACCEPTS)
        claims = [f"({accepts} {on} <-> {words})"]
        if is_strict(construction, theorem):
            claims.insert(0, f"{logit} <> 0%R")
    else:
        claims = [f"({conclusion(theorem, logit, words, compared)})%R"]
    if isinstance(theorem, Margin) and theorem.value is not None:
        claims += [f"(0 <= {compared})%R", _attained(theorem, applied, words, compared)]
    if network.normed:
        claims.insert(0, f"has_value {on}")
    return "\n".join(f"  {line}" for line in lines) + "\n  " + " /\\\n  ".join(claims)


def _attained(theorem: Margin, network: str, words: str, compared: str) -> str:
    """That of the words of the same length on its side one has the logit of a margin."""
    side = on_side(theorem, words.removesuffix(" w") + " v")
    logit = f'output {network} (marked v) "logit" = {"" if theorem.of_accepted else "- "}{compared}'
    return (
        f"(exists v, {OVER_THE_ALPHABET.replace(' w', ' v')} /\\ length_of (marked v) = length_of (marked w) /\\\n"
        f"    {side} /\\ ({logit})%R)"
    )


def _kind(parameter: Parameter) -> str:
    return "Z" if parameter.is_natural else "R"


def _domain(parameter: Parameter, construction: Construction) -> str:
    domain = proposition(parameter.domain, construction, OfTokens())
    least = f"{parameter_name(parameter)} >= 0"
    return domain if not parameter.is_natural or domain == least else f"{least} -> {domain}"


def _described(part: Part, theorem: AboutLogits) -> str:
    """What the formula of a theorem is, in words."""
    described = part.construction.language
    match part.name, theorem:
        case "given", _:
            return "What is asked of words and parameters"
        case "value", _:
            return "What the logit is compared with"
        case _, Decides(accepts=None) | Compares(where=None) | Margin():
            return f"The language {described.name}" + f", {described.description}" * bool(described.description)
        case _, Decides():
            return "The words that are to be accepted"
    return "The words that are spoken of"


def definition(part: Part, said: str) -> str:
    """A formula of a theorem as a definition about a word."""
    formula = part.text(OfTokens())
    n = "  let n := length_of tokens in\n" * ("n" in part.formula.names)
    tokens = "  let tokens := marked w in\n" * (symbols_of(part.formula.tree) is not None or bool(n))
    body = f"({formula})%R" if part.is_number else formula
    return (
        f"{comment(f'{said}: {part.formula.source}')}\n"
        f"Definition {part.name}{part.binders} (w : list string) : {part.kind} :=\n{tokens}{n}  {body}.\n"
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


def on_integers(construction: Construction, theorem: AboutLogits) -> str:
    """Of each formula of the statement: the same of the integers of any word, under its name with `_of_integers` behind
    it, and the lemma that it is the same of a word, with `_on_integers` behind it."""
    return "\n".join(map(of_integers, parts(construction, theorem)))


INTEGERS = "(n : Z) (token : Z -> Z) (prefix : Z -> Z -> Z) (count : Z -> Z)"
OF_WORD = "(length_of {0}) (token alphabet {0}) (prefix alphabet {0}) (count alphabet {0})".format("(marked w)")


def of_integers(part: Part) -> str:
    """One of them, with its lemma."""
    name, alphabet = f"{part.name}_of_integers", texts(part.construction.alphabet)
    same = "=" if part.is_number else "<->"
    tactic = "same_number" if part.is_number else "same_formula"
    return (
        f"Definition {name}{part.binders} {INTEGERS} : {part.kind} :=\n  {part.of_integers}.\n"
        f"Lemma {part.name}_on_integers{part.binders} (w : list string) : {OVER_THE_ALPHABET} ->\n"
        f"  {part.applied} w {same} {name}{part.arguments}\n    {OF_WORD}.\n"
        f"Proof.\n  intros W. unfold {part.name}, {name}, marked, alphabet in *. cbv zeta.\n"
        f"  {tactic} {alphabet}.\nQed.\n"
    )
