"""Letters that a program has read in a wrong encoding: UTF-8 as Windows-1252 or Latin-1, once or twice,
or as signs of percent.

"Zoë" stands there as "ZoÃ«", "van ’t Hoff" as "van â€™t Hoff"; in addresses as "Zo%C3%AB".
Only sequences that are one letter or one mark of a language with Latin letters are taken for that; all
others stay as they are.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

# Letters and marks that are looked for: Latin-1 and Latin Extended-A, four of Romanian, and the quotes,
# dashes and signs that word processors put in.
_MEANT: Final = (
    "".join(map(chr, (*range(0xA0, 0x180), 0x218, 0x219, 0x21A, 0x21B))) + "‘’\u201a“”„–—…•€™\u2039\u203a†‡‰"
)
_FIRST: Final = re.compile("[ÂÃÄÅÈâ]|%[CcEe]")
# A vowel before a closing mark is no broken letter, unless a word goes on behind it: „KAFÄ“, but KovaÄ“ek.
_MARKS: Final = "’“”"
_AFTER_MARK: Final = r"(?=[^\W\d_])"


class Broken(NamedTuple):
    """Where characters stand that mean one letter."""

    start: int
    end: int
    letter: str


def is_broken(text: str) -> bool:
    """Whether something in a text was read in a wrong encoding."""
    if text.isascii():
        return ("%C" in text or "%c" in text) and _pattern().search(text) is not None
    return _FIRST.search(text) is not None and _pattern().search(text) is not None


def broken(text: str) -> Iterator[Broken]:
    """What in a text was read in a wrong encoding, in order and without overlap."""
    meanings = _meanings()
    for found in _pattern().finditer(text):
        yield Broken(*found.span(), meanings[found[0]])


def mended(text: str) -> str:
    """The text as it was meant."""
    return _pattern().sub(lambda found: _meanings()[found[0]], text) if is_broken(text) else text


def _windows(raw: bytes) -> str:
    """Windows-1252 as browsers have it: its five free places are control characters."""
    return "".join(_of_byte(byte) for byte in raw)


def _of_byte(byte: int) -> str:
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def _latin(raw: bytes) -> str:
    return raw.decode("latin-1")


_READINGS: Final[tuple[Callable[[bytes], str], ...]] = (_windows, _latin)


@cache
def _meanings() -> dict[str, str]:
    """By what stands there, the letter that is meant."""
    once = {read(letter.encode()): letter for letter in _MEANT for read in _READINGS}
    twice = {read(written.encode()): letter for written, letter in once.items() for read in _READINGS}
    letters = [letter for letter in _MEANT if letter.isalpha()]
    percent = {"".join(f"%{byte:02X}" for byte in letter.encode()): letter for letter in letters}
    return percent | {written.lower(): letter for written, letter in percent.items()} | twice | once


@cache
def _pattern() -> re.Pattern[str]:
    ways = sorted(_meanings(), key=lambda written: (-len(written), written))
    return re.compile(
        "|".join(
            re.escape(way) + (_AFTER_MARK if way[0] in "ÄÅÈ" and way[1:] in set(_MARKS) else "")
            for way in ways
        )
    )
