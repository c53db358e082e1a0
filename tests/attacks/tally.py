"""The numbers of attacks of a family, and their outcomes."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

Attack = TypeVar("Attack")

ATTEMPTS = int(os.environ.get("MARUBATSU_ATTEMPTS", "10"))
"""Number of attempts of each kind; the same number makes the same attempts."""


def some(attacks: Sequence[Attack], cost: int = 4) -> Sequence[Attack]:
    """Return attacks from all of a list, as many as there are attempts for what one costs."""
    step = min(max(1, cost * len(attacks) // ATTEMPTS), len(attacks))
    return attacks[step // 2 :: step]


class Refused(Exception):  # noqa: N818, it is no error
    """There is no answer, but a sentence."""


class Tally:
    """Counts attempts by outcome, and keeps those that came through."""

    def __init__(self, family: str) -> None:
        self._family, self._survived = family, Counter[str]()
        self._through: list[str] = []

    def add(self, what: str, ask: Callable[[], str], right: str) -> None:
        """Ask for an answer; it must be right, or refused with a sentence."""
        try:
            answer = ask()
        except Refused as refused:
            answer = str(refused)
            lines = answer.strip().splitlines()
            is_sentence = bool(lines) and not any("Traceback" in line for line in lines)
            self._note(what, "refused", answer, is_survived=is_sentence)
        except Exception as error:  # noqa: BLE001, that is what must not happen
            self._note(what, "", repr(error), is_survived=False)
        else:
            self._note(what, "right", answer, is_survived=answer == right)

    def _note(self, what: str, how: str, message: str, *, is_survived: bool) -> None:
        if is_survived:
            self._survived[how] += 1
        else:
            self._through.append(f"{what}: {message[:300]}")

    def report(self) -> None:
        survived = self._survived.total()
        tried = survived + len(self._through)
        print(f"{self._family}: {tried} tried, {survived} survived {dict(self._survived)}")
        assert not self._through, "\n".join(self._through)
        assert tried > 0
