"""How a written name is cleaned and brought to one case, before and after it is taken apart."""

import re
import unicodedata
from collections.abc import Collection, Iterator

from linkage.language import Language

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"))
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u02b9\u2032`\u00b4"), "'")
_QUOTES = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"), '"')
_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"), "-")
_MARKS = _INVISIBLE | _APOSTROPHES | _QUOTES | _HYPHENS

# A line end inside a name, with the "> " of a quoted mail that may open the next line.
_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)-[ \t]*[\r\n]+(?:[ \t]*>)*[ \t]*(?=[^\W\d_])")
_LINE_END = re.compile(r"[\r\n]+(?:[ \t]*>)*")
_SPACED = re.compile(r"[A-Z\u00c0-\u00de](?: +[A-Z\u00c0-\u00de]){4,}")


def readable(surface: str, *, keep_hyphen_before: Collection[str] = ()) -> str:
    """One line without invisible characters, with plain apostrophes, quotes and hyphens, composed letters.

    A hyphen at a line end goes when a small letter follows ("Jan-/sen"), unless the next word is one of
    keep_hyphen_before: particles, as in "Jansen-/de Boer".
    """
    text = unicodedata.normalize("NFKC", surface.translate(_MARKS)).translate(_MARKS)

    def join(found: re.Match[str]) -> str:
        next_word = re.match(r"[^\W\d_']+", text[found.end() :])
        is_name_part = next_word is None or next_word[0] in keep_hyphen_before or next_word[0][0].isupper()
        return "-" if is_name_part else ""

    return " ".join(_unspaced(_LINE_END.sub(" ", _HYPHEN_AT_LINE_END.sub(join, text))).split())


def _unspaced(text: str) -> str:
    """Words whose letters stand apart, "K I N G M A", made whole; between such words are wider spaces.

    From five capitals on: shorter rows are initials.
    """
    if not _SPACED.fullmatch(text.strip()):
        return text
    return " ".join(word.replace(" ", "") for word in re.split(r" {2,}", text.strip()))


def in_normal_case(word: str) -> str:
    """One word of a name in the one case all writings get: Jan-Pieter, d'Hondt, 't, IJsbrand, McKay."""
    return "".join(_part_in_normal_case(part) for part in re.split(r"(-)", word))


def _part_in_normal_case(part: str) -> str:
    lower = _lower(part)
    head, apostrophe, tail = lower.partition("'")
    if apostrophe and len(head) == 1 and tail:
        return f"{head if head == 'd' else head.upper()}'{_capitalized(tail)}"
    if apostrophe and not head:
        return lower
    return _capitalized(lower)


def _capitalized(lower: str) -> str:
    if lower.startswith("ij"):
        return "IJ" + lower[2:]
    if lower.startswith("mc") and len(lower) > 4:
        return "Mc" + lower[2].upper() + lower[3:]
    return unicodedata.normalize("NFC", lower[:1].upper() + lower[1:])


def _lower(text: str) -> str:
    # Turkish: str.lower keeps a dot of its own under the I with a dot, and the dotless one is a plain i here.
    plain = text.replace("\u0130", "I").replace("\u0131", "i")
    return unicodedata.normalize("NFC", plain.lower())


def dotted(initial: str) -> str:
    """Initials written in any way ("jp", "J. P.", "TH") as "J.P." or "Th.", one dot after each."""
    pieces = [piece for piece in re.split(r"[.\s-]+", initial) if piece]
    return "".join(f"{'IJ' if _lower(piece) == 'ij' else _lower(piece).capitalize()}." for piece in pieces)


def pet_stems(word: str, language: Language) -> Iterator[str]:
    """What a diminutive may be made of, one for each ending that fits: Teuntje -> Teunt, Teun."""
    lower, endings = word.lower(), language.grammar.diminutive_endings
    return (word[: -len(ending)] for ending in endings if lower.endswith(ending) and lower != ending)
