"""Patterns that a user writes: compiled, run with a limit of time, and tried out before any text is read."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from linkage.errors import KindsError, SettingsError

if TYPE_CHECKING:
    import regex

# Seconds that one pattern may take in one text. A pattern of linear time takes less than one in a text of a
# million characters.
TIME_LIMIT: Final = 10.0
# The trial of a pattern: characters of a line, seconds for one line, and seconds after which no further line
# is tried. A pattern of linear time takes a line in a millisecond, one of quadratic time in some ten.
_LINE: Final = 1_000
_SECONDS_A_LINE: Final = 0.25
_SECONDS_IN_ALL: Final = 2.0
_MOST_PIECES: Final = 12  # characters of which lines are made
_USUAL: Final = "1aA -."  # stand for the classes of figures, letters, blanks and marks
_LITERAL: Final = re.compile(r"\\[dDwWsSbBAZ]|\\(?P<escaped>[^\w])|(?P<plain>[\w@#%&/:;,=<>!_~ '\"-])")


class SlowPatternError(KindsError, TimeoutError):
    """A pattern of a user's kind takes too long in one text."""


@dataclass(frozen=True)
class OwnPattern:
    """A pattern of a user's kind. It has the methods of a compiled pattern that a search of a text needs.

    opening: how an error about its kind opens.
    """

    expression: str = field(repr=False)
    opening: str

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches in a text, in its order.

        Raises:
            SlowPatternError: they take longer than TIME_LIMIT.
        """
        try:
            # All at once: the limit counts the time of whoever asks for the next match, too.
            return iter(list(self.compiled.finditer(text, timeout=TIME_LIMIT)))
        except TimeoutError:
            raise SlowPatternError(
                f"{self.opening}: a pattern takes longer than {TIME_LIMIT:g} seconds in this text; write it "
                "without repetitions inside repetitions"
            ) from None

    @cached_property
    def compiled(self) -> "regex.Pattern[str]":
        """The compiled expression.

        Raises:
            SettingsError: it is no regular expression.
        """
        import regex  # here, for whoever has no kind of his own: it takes a tenth of a second

        try:
            return regex.compile(self.expression)
        except regex.error as error:
            raise SettingsError(f"{self.opening}: a pattern is no regular expression: {error}") from None

    def refuse_wrong(self) -> None:
        """Nothing where the pattern compiles, and needs at least one character to match.

        Raises:
            SettingsError: it does not.
        """
        if self.compiled.search("", timeout=_SECONDS_A_LINE) is not None:
            raise SettingsError(f"{self.opening}: a pattern matches the empty text; it must match something")

    def refuse_slow(self) -> None:
        """Nothing where the pattern is quick on lines that are made to be slow for it.

        Raises:
            SettingsError: it is slow, or see compiled.
        """
        end = time.monotonic() + _SECONDS_IN_ALL
        for line in trial_lines(self.expression):
            if time.monotonic() > end:
                return
            try:
                list(self.compiled.finditer(line, timeout=_SECONDS_A_LINE))
            except TimeoutError:
                raise SettingsError(
                    f"{self.opening}: a pattern is slow: on a line of {_LINE:,} characters it takes longer "
                    f"than {_SECONDS_A_LINE:g} seconds; write it without repetitions inside repetitions, as "
                    r"'\d+(?:-\d+)*' in place of '(\d+-?)+'"
                ) from None


def trial_lines(expression: str) -> Iterator[str]:
    """Lines that nearly match an expression many times over: its own characters, repeated alone and in pairs.

    Each has all of the characters before or behind the repeated ones, so that no match is ruled out for the
    lack of one of them, and right behind the repeated ones a character of no pattern.
    """
    found = (match["escaped"] or match["plain"] for match in _LITERAL.finditer(expression))
    own = list(dict.fromkeys(letter for letter in found if letter))
    pieces = list(dict.fromkeys([*islice(own, _MOST_PIECES - len(_USUAL)), *_USUAL]))
    others = "".join(letter for letter in _USUAL if letter not in own)
    every = others + "".join(own)
    for piece in (*pieces, *map("".join, product(pieces, repeat=2)), "".join(own)):
        if piece:
            repeated = piece * (_LINE // len(piece))
            yield f"{every}\n{repeated}\x00"
            yield f"{repeated}\x00{every}"
