"""Files in which bytes are changed, cut out, or doubled."""

from random import Random


def damaged(content: bytes, random: Random, least: int = 1) -> bytes:
    """Return a file with at most three damages, and at least so many."""
    found = bytearray(content)
    for _ in range(random.randint(least, 3)):
        at, size = random.randrange(len(found)), random.randint(0, 20)
        noise = random.choice([b"", bytes([random.randrange(256)]), found[at : at + size]])
        found[at : at + random.choice([0, 1, size])] = noise
    return bytes(found)
