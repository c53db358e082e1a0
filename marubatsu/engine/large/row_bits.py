"""The rows of a ply that play reaches, as bits of words, compiled.

A run has less than two words of rows.
"""

from marubatsu.engine.large.choices import COUNT, CUT, ROW
from marubatsu.engine.large.compiled import inlined, shifted
from marubatsu.engine.large.tables import WORD, Ints, Words


@inlined
def bits_of(words: Words, first: int, count: int) -> int:
    """Return some bits, 64 at most, as a word."""
    word, place = first >> 6, first & 63
    bits = shifted(words[word], place)
    if place + count > 64:
        bits |= words[word + 1] << 64 - place
    return bits if count >= 64 else bits & (1 << count) - 1


@inlined
def read_bits(words: Words, first: int, count: int, bits: Words) -> None:
    """Write some bits, 128 at most, as two words."""
    bits[0] = bits_of(words, first, min(count, WORD))
    bits[1] = bits_of(words, first + WORD, count - WORD) if count > WORD else 0


@inlined
def rows_of_run(words: Words, begin: int, run: Ints, bits: Words) -> None:
    """Write the bits of the rows of a run that are asked for; ``begin`` is the one of its block."""
    cut = run[CUT]
    read_bits(words, begin + run[ROW] + cut, run[COUNT], bits)
    if cut >= WORD:
        bits[0], bits[1] = 0, bits[0] << cut - WORD
    elif cut:
        bits[0], bits[1] = bits[0] << cut, bits[1] << cut | shifted(bits[0], WORD - cut)


@inlined
def add_rows(words: Words, begin: int, run: Ints, bits: Words) -> None:
    """Set the bits of the rows of a run that are asked for, where those of two words are set."""
    for part in range(2):
        low = max(run[CUT] - part * WORD, 0)
        count = min(run[CUT] + run[COUNT] - part * WORD, WORD) - low
        if low < WORD and count > 0:
            some = shifted(bits[part], low)
            some = some if count == WORD else some & (1 << count) - 1
            first = begin + run[ROW] + part * WORD + low
            word, place = first >> 6, first & 63
            words[word] |= some << place
            if place + count > WORD:
                words[word + 1] |= shifted(some, WORD - place)
