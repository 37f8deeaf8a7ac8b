"""Blocking keys of single name parts: values that two spellings of one name are likely to share."""

import re
from collections.abc import Iterator, Sequence

from linkage.kept_words import remembered

# Dutch and German spellings of one sound, longest first: the key that they share.
_SOUNDS = (
    ("tsch", "s"), ("sch", "s"), ("tch", "s"),
    ("ch", "g"), ("gh", "g"), ("ph", "f"), ("th", "t"), ("dt", "t"),
    ("ck", "k"), ("qu", "k"), ("cq", "k"), ("sz", "s"), ("cz", "s"), ("zs", "s"), ("ks", "x"), ("cks", "x"),
    ("rn", "m"), ("ce", "se"), ("ci", "si"), ("cy", "si"), ("ij", "i"), ("dj", "j"), ("tj", "j"),
    ("v", "f"), ("w", "f"), ("z", "s"), ("c", "k"), ("q", "k"), ("d", "t"), ("b", "p"), ("y", "i"), ("h", ""),
    ("x", "ks"), ("0", "o"), ("1", "l"),
)  # fmt: skip
_VOWELS = re.compile(r"[aeiou]+")
_DOUBLED = re.compile(r"(.)\1+")
# The same over many parts, one a line: a first letter is one that no letter of its line stands before.
_FIRST_VOWELS = re.compile(r"^[eiou]", re.MULTILINE)
_LATER_VOWELS = re.compile(r"(?<=.)[aeiou]+")
_LATER_DOUBLED = re.compile(r"(?<=.)(.)\1+")
SHORTEST_FOR_DELETIONS = 4
LONGEST_FOR_DELETIONS = 18


@remembered(500_000)
def sound_key(part: str) -> str:
    """Consonants of a folded name part as they sound in Dutch, after its first letter's class.

    Names that differ in vowels, doubled letters or spellings of one sound (ij/y, ph/f, c/k, dt/t) share it.
    """
    text = part.replace(" ", "")
    for written, sound in _SOUNDS:
        text = text.replace(written, sound)
    first = "a" if text[:1] in set("aeiou") else text[:1]
    rest = _DOUBLED.sub(r"\1", _VOWELS.sub("", text[1:]))
    return first + rest


def sound_keys(parts: Sequence[str]) -> list[str]:
    """The sound_key of each part, much quicker than one by one, and remembered nowhere.

    A part has no line break.
    """
    if not parts:
        return []
    text = "\n".join(parts).replace(" ", "")
    for written, sound in _SOUNDS:
        text = text.replace(written, sound)
    text = _LATER_DOUBLED.sub(r"\1", _LATER_VOWELS.sub("", text))
    return _FIRST_VOWELS.sub("a", text).split("\n")


def deletion_keys(part: str) -> Iterator[str]:
    """The part and what is left when one letter is left out: parts one edit apart share a key.

    Short parts give only themselves: among them one letter makes another name.
    """
    text = part.replace(" ", "")
    yield text
    if SHORTEST_FOR_DELETIONS <= len(text) <= LONGEST_FOR_DELETIONS:
        for n in range(len(text)):
            yield text[:n] + text[n + 1 :]


def gram_keys(part: str) -> tuple[str, ...]:
    """Character trigrams with the ends marked; parts with several errors still share a rare one."""
    text = f"^{part.replace(' ', '')}$"
    return tuple(dict.fromkeys(text[n : n + 3] for n in range(len(text) - 2)))
