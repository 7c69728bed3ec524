"""Words that are hard for finite precision, by length.

A family yields about `most` words of a length, all of its words where there are no more: rounding errors hide near its
ends (few 1s, nearly all 1s, the outermost symbols), which are therefore always among them.
"""

from collections.abc import Iterator


def spread(count: int, most: int) -> list[int]:
    """The numbers 0..count-1, or about `most` of them: the first, the last, and evenly between."""
    if count <= max(most, 1):
        return list(range(count))
    edge = max(1, most // 4)
    middle = max(1, most - 2 * edge)
    between = (edge + (count - 2 * edge) * j // middle for j in range(middle))
    return sorted({*range(edge), *between, *range(count - edge, count)})


def each_count(length: int, most: int) -> Iterator[str]:
    """Every number of 1s, arranged first, last and evenly: rounding sees only the count and the order."""
    for ones in spread(length + 1, most // 3):
        zeros = length - ones
        yield "1" * ones + "0" * zeros
        yield "0" * zeros + "1" * ones
        yield evenly(ones, length)


def evenly(ones: int, length: int) -> str:
    """`ones` 1s among 0s, as evenly as can be: Euclid's algorithm on blocks of symbols."""
    (block, many), (other, few) = ("0", length - ones), ("1", ones)
    while few:
        times, rest = divmod(many, few)
        (block, many), (other, few) = (block * times + other, few), (block, rest)
    return block * many


def lone_first(length: int, most: int) -> Iterator[str]:
    """The first symbol against every number of others."""
    if not length:
        yield ""
        return
    for ones in spread(length, most // 2):
        rest = "0" * (length - 1 - ones) + "1" * ones
        yield "1" + rest
        yield "0" + rest


def few_ones(length: int, most: int) -> Iterator[str]:
    """No 1, one 1 at each place, two adjacent 1s at each place."""
    yield "0" * length
    for ones in (1, 2):
        for start in spread(length - ones + 1, most // 2):
            yield "0" * start + "1" * ones + "0" * (length - start - ones)


def single_flips(length: int, most: int) -> Iterator[str]:
    """Palindromes and the words with one symbol flipped, the outermost and least significant position first."""
    half = (length + 1) // 2
    for left in ("0" * half, "1" * half, ("01" * half)[:half]):
        word = left + left[: length // 2][::-1]
        yield word
        for position in spread(length // 2, most // 3):
            flipped = "1" if word[position] == "0" else "0"
            yield word[:position] + flipped + word[position + 1 :]


def late_violations(length: int, most: int) -> Iterator[str]:
    """Balanced words, and words whose only violation stands as late as possible, deep and flat."""
    pairs, odd = length // 2, "0" * (length % 2)
    for depth in spread(pairs + 1, most // 5):
        flat = "01" * (pairs - depth)
        yield "0" * depth + flat + "1" * depth + odd
        yield flat + "0" * depth + "1" * depth + odd
    for tail in ("10", "1100", "1"):
        rest = length - len(tail)
        for depth in spread(rest // 2 + 1, most // 5) if rest >= 0 and rest % 2 == 0 else ():
            yield "0" * depth + "01" * (rest // 2 - depth) + "1" * depth + tail


def mountains(length: int, most: int) -> Iterator[str]:
    """Brackets that rise to a depth and come back to 0, again and again, also with the last one turned; or once, at the
    end or at the start of a flat word. Whatever was lost on the way counts at every return to 0 after that."""
    yield ("01" * length)[:length]
    for depth in spread(length // 2, most // 4):
        rise = "0" * (depth + 1) + "1" * (depth + 1)
        word = (rise * (length // len(rise) + 1))[:length]
        yield word
        yield word[:-1] + ("0" if word[-1] == "1" else "1")
        flat, odd = "01" * ((length - len(rise)) // 2), "1" * (length % 2)
        yield flat + rise + odd
        yield rise + flat + odd
