"""How identifiers spell names: letters alone, put together in the ways of addresses and user names."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from linkage.pieces import letters_between
from linkage.records import PersonName

MIN_ALONE = 4  # letters of a family name that counts by itself
_CAMEL = re.compile(
    r"[A-Z\u00c0-\u00de]?[^\W\d_A-Z\u00c0-\u00de]+|[A-Z\u00c0-\u00de]+(?![^\W\d_A-Z\u00c0-\u00de])"
)


class LetterRun(NamedTuple):
    """Letters of an identifier that belong together, and how look-ups spell them."""

    start: int
    end: int
    folded: str

    def __repr__(self) -> str:
        return f"LetterRun({self.start}, {self.end})"


def fold(text: str) -> str:
    """Letters alone, in lower case and without accents: how identifiers spell."""
    if text.isascii():  # most words
        lower = text.lower()
        return lower if lower.isalpha() else "".join(c for c in lower if c.isalpha())
    bare = unicodedata.normalize(
        "NFKD", text.casefold().replace("ß", "ss").replace("ø", "o").replace("æ", "ae")
    )
    return "".join(c for c in bare if c.isalpha())


def letter_runs(text: str, start: int, end: int) -> Iterator[LetterRun]:
    """Runs of letters, cut where a capital begins a word inside; numbers are no tokens and part nothing."""
    for whole in letters_between(text, start, end):
        words = [found.span() for found in _CAMEL.finditer(text, *whole)]
        for first, behind in words if len(words) > 1 else [whole]:
            yield LetterRun(first, behind, fold(text[first:behind]))


_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def name_spellings(name: PersonName) -> Iterator[tuple[str, str]]:
    """(letters, components) of the ways to put a name together; a leading "=" marks a lone given name."""
    yield from _spellings_of(name)
    given, family = (name.given or "").translate(_SPELLED_OUT), (name.family or "").translate(_SPELLED_OUT)
    if (given, family) != (name.given or "", name.family or ""):
        yield from _spellings_of(replace(name, given=given or None, family=family or None))


def _spellings_of(name: PersonName) -> Iterator[tuple[str, str]]:
    given = [fold(word) for word in (name.given or "").split()]
    initials = list(fold(name.initials or "")) or [word[0] for word in given if word]
    for particle, family in ((name.particle, name.family), (name.partner_particle, name.partner_family)):
        words = [fold(word) for word in re.split(r"[\s-]+", family or "") if word]
        if not words:
            continue
        core = "".join(words)
        before = [fold(word) for word in (particle or "").split()]
        families = {core: "f"}
        if before:
            families["".join(before) + core] = "pf"
            families["".join(word[0] for word in before if word) + core] = "pf"
        for spelled, components in families.items():
            if len(spelled) >= MIN_ALONE:
                yield spelled, components
            for first in [given[0], "".join(given)] if given else []:
                if first:
                    yield first + spelled, f"g{components}"
                    yield spelled + first, f"{components}g"
            for some in {"".join(initials), *initials[:1]}:
                if some and len(some) + len(spelled) >= MIN_ALONE:
                    yield some + spelled, f"i{components}"
                    yield spelled + some, f"{components}i"
        if given and given[0]:
            yield f"={given[0]}", "g"
    if given and not (name.family or name.partner_family):
        yield f"={given[0]}", "g"
