"""Languages of brackets that networks are trained on, and that no construction here decides: Steffen et al. (2022),
sections 2.2 and 5."""

from functools import partial

from weightproof.constructions.languages.languages import BITS, balanced_within, is_balanced_within, sample_dyck
from weightproof.constructions.meaning.construction import Language

KINDS = (("(", ")"), ("[", "]"))
BRACKETS = tuple(bracket for kind in KINDS for bracket in kind)


def is_nested(word: str, most: int | None = None) -> bool:
    """Whether each bracket that closes is of the kind of the last open one, and none is left open; most: how many may
    be open at once."""
    closing, stack = dict(KINDS), list[str]()
    for symbol in word:
        if symbol in closing:
            stack.append(closing[symbol])
        elif not stack or stack.pop() != symbol:
            return False
        if most is not None and len(stack) > most:
            return False
    return not stack


def depth(position: str) -> str:
    """How many more brackets are opened than closed up to a position, in a formula."""
    opened, closed = (" + ".join(f"count('{kind[side]}', {position})" for kind in KINDS) for side in (0, 1))
    return f"({opened} - ({closed}))"


def nested() -> str:
    """The formula of `is_nested`.

    Brackets between depths d and d + 1 open and close in turn. So all pairs of them are of one kind exactly if, at each
    that closes, as many of its kind have opened there as have closed: in the first pair of two kinds, one fewer has.
    """
    before, here = depth("j"), depth("k")
    kinds = [
        f"(w[k] != '{closing}' or sum((w[j] == '{opening}' and j < k and {before} == {here} + 1) "
        f"- (w[j] == '{closing}' and j <= k and {before} == {here}) for j in positions) == 0)"
        for opening, closing in KINDS
    ]
    balanced = " and ".join(f"count('{opening}') == count('{closing}')" for opening, closing in KINDS)
    return f"{balanced} and all({' and '.join((f'{here} >= 0', *kinds))} for k in positions)"


def dyck1_within(D: int) -> Language:
    """DYCK-(1,D)."""
    return Language(
        name=f"DYCK-(1,{D})",
        alphabet=BITS,
        member=partial(is_balanced_within, D=D),
        characterisation=balanced_within(str(D)),
        sample=sample_dyck(D),
        description=f"balanced brackets nested at most {D} deep, 0 opening and 1 closing",
    )


DYCK1_2, DYCK1_3 = dyck1_within(2), dyck1_within(3)
DYCK2 = Language(
    name="2-DYCK",
    alphabet=BRACKETS,
    member=is_nested,
    characterisation=nested(),
    sample=sample_dyck(None, KINDS),
    description="well-nested brackets of two kinds",
)
