"""`precision` of a decoder of which a theorem says what it computes: a prompt to which rounding appends another token.

Prompts are drawn, half of them so that what is written depends on many slots. A prompt counts where exact arithmetic
appends the right tokens and the format does not. From below all prompts are certified at once: where no two outputs,
behind whatever prompt, are together off by as much as the right one is proved to be ahead of each other one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING

from flint import arb, ctx

from weightproof.constructions.languages.transducers import Item, laid_out
from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.inputs import InputError
from weightproof.constructions.meaning.interpreter import NoValue, appended
from weightproof.constructions.meaning.record import digest
from weightproof.constructions.meaning.schema import Decoder
from weightproof.constructions.scalars.exact import Undecided
from weightproof.constructions.scalars.values import in_balls
from weightproof.kinds import Measuring
from weightproof.measuring.kept import COMPUTING, NOT_LOST, UNCERTIFIED, Row, require_kind
from weightproof.measuring.session import Again, Place, RowSearch, places
from weightproof.named import Named
from weightproof.proofs.prove import prove
from weightproof.proofs.theorem import Computes, Theorem
from weightproof.proofs.verdict import Proved, Verdict

if TYPE_CHECKING:
    from weightproof.numeric.decoding.networks import DecoderTransformer

RULE = "all tokens"
DRAWN = {"explicit": 10_000, "strict": 100}
"""How many prompts are run, by the kind of attention: strict arithmetic takes a second for some of them."""
TOGETHER = 1_000
LIMIT = 600.0
"""Seconds of counted work that a proof over the reals may take."""
PRECISION = 2048
"""Bits of the balls in which a prompt is run again."""

Word = tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """The prompts that a theorem speaks of. items: what stands at each position, from the marker on, if there is one,
    to the last token that is appended; prompt: how many of these positions a prompt has."""

    network: Decoder
    theorem: Computes
    items: tuple[Item, ...]
    prompt: int

    @classmethod
    def of(cls, construction: Construction, theorem: Computes) -> Form:
        network = construction.network
        assert isinstance(network, Decoder)
        items, prompt = laid_out(theorem.transducer, theorem.prompt, theorem.backward)
        begin = () if network.begin is None else (network.begin,)
        return cls(network, theorem, (*begin, *items), len(begin) + prompt)

    @property
    def choices(self) -> list[tuple[str, ...]]:
        """At each position the tokens that may stand there, whatever is appended."""
        tracks = {**self.theorem.transducer.tracks, "": self.network.readout.W.rows}
        return [(item,) if isinstance(item, str) else tracks[item[0]] for item in self.items]

    def drawn(self, count: int) -> Iterator[tuple[Word, Word]]:
        """Prompts, the same ones each time, without the marker, each with what is to be appended. In every other one
        all slots but one have letters that mirror that of the first track, where tracks have as many: of digits such as
        add up to 9, over which a carry goes far."""
        transducer, random = self.theorem.transducer, Random(0)
        names, (one, *others) = [*transducer.tracks], transducer.tracks.values()
        mirrored = all(len(letters) == len(one) for letters in others)
        of_slots = [[*transducer.choices(slot)] for slot in range(transducer.count)]
        marker = 0 if self.network.begin is None else 1
        for number in range(count):
            other = random.randrange(transducer.slots)
            state, there = transducer.start, list[dict[str, str]]()
            for slot, choices in enumerate(of_slots):
                letters = random.choice(choices)
                if mirrored and number % 2 and slot < transducer.slots and slot != other:
                    letters = (letters[0], *(each[-1 - one.index(letters[0])] for each in others))
                state, written = transducer.written(state, letters)
                there.append({"": written, **dict(zip(names, letters, strict=True))})
            word = tuple(item if isinstance(item, str) else there[item[1]][item[0]] for item in self.items)
            yield word[marker : self.prompt], word[self.prompt :]


@dataclass(frozen=True)
class Wrong:
    """A prompt, what is appended to it, and what is right."""

    prompt: Word
    appended: Word
    right: Word

    @property
    def said(self) -> str:
        return f"{''.join(self.prompt)} {''.join(self.appended)}, not {''.join(self.right)}"


def searches(source: Named, theorems: Sequence[Theorem], how: Measuring) -> list[RowSearch]:
    """In all places, for each theorem about what it computes; InputError where there is none, and for what cannot be
    run."""
    construction, found = source.construction, []
    stated = [theorem for theorem in theorems if isinstance(theorem, Computes)]
    if not stated:
        raise InputError(f"{source.argument}: no theorem says what it computes; state one by Computes(NAME, ...)")
    for theorem in stated:
        margin = cache(partial(_margin, construction, theorem))  # one proof is for all places
        rule = RULE if len(stated) == 1 else f"{RULE}: {theorem.name}"
        for place in places(how, "explicit"):
            _model(construction, place)  # refused now, not after the first search
            key = place.key(source.argument, digest(construction), parameters={})
            row, once_more = partial(_found, construction, theorem, margin, place), partial(_again, construction, place)
            found.append(RowSearch(f"{source.argument} {place.dtype}", key, rule, row, once_more, {COMPUTING: 0}))
    return found


def _model(construction: Construction, place: Place) -> DecoderTransformer:
    from weightproof.numeric.decoding.networks import DecoderTransformer

    return DecoderTransformer(construction, {}, place.dtype, place.device, place.attention)


def _found(construction: Construction, theorem: Computes, proved: Callable[[], arb | None], place: Place) -> Row:
    """proved: the margin over the reals."""
    form, count, margin = Form.of(construction, theorem), DRAWN[place.attention], proved()
    wrong = next((each for each in executed(construction, form, place, count) if _is_rounded(form, margin, each)), None)
    length, open_ = form.prompt - (form.network.begin is not None), uncertified(construction, form, place, margin)
    known: Row = {
        "certified_safe_length": 0 if open_ else length,
        UNCERTIFIED: open_,
        "searched": "sampled",
        "searched_to": length,
        COMPUTING: count,
        **NOT_LOST,
    }
    if wrong is None:
        return known
    witness = {"word": "".join(wrong.prompt), "right": " ".join(wrong.right), "appended": " ".join(wrong.appended)}
    mechanism = f"{witness['appended']} is appended, and not {witness['right']}"
    return known | {"first_failing_length": length, "least": True, "witness": witness, "mechanism": mechanism}


def executed(construction: Construction, form: Form, place: Place, count: int) -> Iterator[Wrong]:
    """Of so many prompts that are drawn, those to which another token is appended."""
    model, left = _model(construction, place), form.drawn(count)
    while some := [*itertools.islice(left, TOGETHER)]:
        steps = [each.tokens for each in itertools.islice(model.generate([word for word, _ in some]), len(some[0][1]))]
        for (prompt, right), found in zip(some, zip(*steps, strict=True), strict=True):
            if found != right:
                yield Wrong(prompt, found, right)


def _is_rounded(form: Form, margin: arb | None, wrong: Wrong) -> bool:
    """Whether exact arithmetic appends the right tokens, as far as that is known."""
    if margin is not None:
        return True
    try:
        with ctx.workprec(PRECISION):
            made = itertools.islice(appended(form.network, wrong.prompt, {}, in_balls), len(wrong.right))
            return tuple(each.token for each in made) == wrong.right
    except (Undecided, NoValue):
        return False


def _again(construction: Construction, place: Place, row: Row) -> Again:
    require_kind(row, COMPUTING)
    word, right, appended = (row["witness"][name] for name in ("word", "right", "appended"))
    steps = itertools.islice(_model(construction, place).generate([tuple(word)]), len(right.split()))
    found = " ".join(each.tokens[0] for each in steps)
    return Again(found != right, found == appended, f"{found} is appended, and {right} is right")


def uncertified(construction: Construction, form: Form, place: Place, margin: arb | None) -> str | None:
    """Why it is not certified that the right token is appended after every prompt and the right tokens behind it, as it
    is computed in that place; None where it is. margin: by how much it is ahead, at least, over the reals; None where
    that is not known."""
    from weightproof.numeric.rounding.model import is_modelled

    if not is_modelled(place.device, place.attention):
        return f"no rounding model is of {place.attention} attention on {place.device}"
    if margin is None:
        return "over the reals it is not proved, or not by sets of prompts alone"
    try:
        errors = _errors(construction, form, place.dtype, place.attention == "strict")
    except InputError as error:
        return str(error)
    if not errors.is_finite():
        return "nothing is known of how far outputs may be off"
    if errors < margin:
        return None
    return f"two outputs may be off by {_shown(errors)} together, and the right one is ahead by {_shown(margin)}"


def _shown(x: arb) -> str:
    return f"{float(x):.3g}"


def _errors(construction: Construction, form: Form, dtype: str, is_strict: bool) -> arb:
    """At least what two outputs are off by together, behind any prompt; infinite where nothing is known of one."""
    from weightproof.numeric.certificate.prompts import outputs
    from weightproof.numeric.rounding.model import greatest

    worst = arb(0)
    for by_token in outputs(construction, form.choices[:-1], form.prompt - 1, dtype, is_strict):
        errors = [each.error for found in by_token.values() for each in found.values()]
        if not all(error.is_finite() for error in errors):
            return arb("inf")
        worst = greatest([worst, *(2 * error for error in errors)])
    return worst


def _margin(construction: Construction, theorem: Computes) -> arb | None:
    """By how much the right token is at least ahead of each other one, over the reals; None where that is not
    proved."""
    [result] = prove(construction, [theorem], timeout=LIMIT)
    return margin_of(result.verdict)


def margin_of(verdict: Verdict) -> arb | None:
    """Of a proof in which no word had to be run, which has none."""
    covered = verdict.covered if isinstance(verdict, Proved) else None
    if covered is None or covered.margin is None or covered.run:
        return None
    return arb(covered.margin).lower()
