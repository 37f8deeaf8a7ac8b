"""Names in a row, "X, Y en Z": different people, unless two forms may be one name."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz.distance import OSA

from linkage.language import Language, Meaning, Place
from linkage.records import Mention, PersonName, fold

_MOST_PAIRS = 90_000  # of a row: all of those up to 300 names
_LONGEST_GAP = 80  # characters between two names of a row
_BEHIND = 80  # characters behind a name in which the text says that it and the one before are one


@dataclass(frozen=True, slots=True)
class RowPhrases:
    """Expressions for what stands between and behind the names of a row."""

    joined_and: re.Pattern[str]
    comma: re.Pattern[str]
    aside: re.Pattern[str]
    one_person_after: re.Pattern[str]


@cache
def row_phrases(language: Language) -> RowPhrases:
    """The expressions of a language."""
    joint = language.phrases(Meaning.AND, Place.BETWEEN)
    title, somebody = language.slots["TITLE"], language.slots["SOMEBODY"]
    suffix = language.phrases(Meaning.SUFFIX, Place.AFTER)
    one = language.phrases(Meaning.ONE, Place.AFTER)
    they = language.phrases(Meaning.ONE_THEY, Place.AFTER)
    return RowPhrases(
        re.compile(rf"\s*,?\s*(?:{joint}|&|\+)\s+(?:{title}\s+|{somebody}\s+){{0,2}}", re.IGNORECASE),
        re.compile(rf"\s*(?P<mark>[,;])\s*(?:{title}\s+){{0,2}}", re.IGNORECASE),
        re.compile(rf"\s*\([^()\n]{{0,40}}\)|\s*,?\s*\b{suffix}\b\.?", re.IGNORECASE),
        re.compile(rf"^[^.!?\n]{{0,25}}?\b{one}\b|^\s+{they}\b", re.IGNORECASE),
    )


def joined_pairs(
    text: str,
    mentions: Sequence[Mention],
    names: Sequence[PersonName],
    is_surname: Callable[[str], bool],
    language: Language,
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions in a row such as "X, Y en Z", which are different people.

    A row of commas alone counts from three names on: two with a comma may be one person, turned round.
    Two forms that may be one name ("Marijke Tol en Tol (Van Dorp), Marijke") are no evidence of two people;
    two names that is_surname knows are two, however alike: "Jan Smit en Jan Smits".
    """
    pairs: set[tuple[int, int]] = set()
    for row in _rows(text, mentions, row_phrases(language)):
        for left, right in _near(row):
            if names[left] != names[right] and _covers(names[left], names[right], is_surname):
                continue
            if names[left] == names[right] and _aside(text, mentions[left]) == _aside(text, mentions[right]):
                continue
            pairs.add((left, right))
    return pairs


def _near(row: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of a row; of one of thousands, as lists of members are, those that stand near each other."""
    farthest = max(1, _MOST_PAIRS // len(row))
    for at, left in enumerate(row):
        for right in row[at + 1 : at + 1 + farthest]:
            yield left, right


def _covers(left: PersonName, right: PersonName, is_surname: Callable[[str], bool]) -> bool:
    """Whether both have the same given name, share a surname up to one error, and differ in no suffix."""
    if left.given is None or right.given is None or left.suffix != right.suffix:
        return False
    if fold(left.given) != fold(right.given):
        return False
    families = [[part for part in (n.family, n.partner_family) if part] for n in (left, right)]
    return any(
        fold(a) == fold(b) or (OSA.distance(fold(a), fold(b)) <= 1 and not (is_surname(a) and is_surname(b)))
        for a in families[0]
        for b in families[1]
    )


def _aside(text: str, mention: Mention) -> str:
    """What stands in parentheses right after a mention."""
    found = re.match(r"\s*\(([^()\n]{0,40})\)", text[mention.span.end : mention.span.end + 44])
    return found[1] if found else ""


def _rows(text: str, mentions: Sequence[Mention], phrases: RowPhrases) -> list[list[int]]:
    rows: list[list[int]] = []
    row: list[int] = []
    joints: set[str] = set()
    for index in range(len(mentions)):
        joined = joint(text, mentions, index, phrases)
        if joined == "and" and is_one(text, mentions[index], phrases):
            joined = None
        if joined is None or (joined == "and" and ";" in joints):
            if joined == "and":  # "A; B en C": the semicolon parts the sentence, B and C stand together
                _close(rows, row[:-1], joints)
                row, joints = [row[-1], index], {"and"}
                continue
            _close(rows, row, joints)
            row, joints = [index], set()
        else:
            row.append(index)
            joints.add(joined)
    _close(rows, row, joints)
    return rows


def _close(rows: list[list[int]], row: list[int], joints: set[str]) -> None:
    if len(row) > 2 or (len(row) == 2 and "and" in joints):
        rows.append(row)


def joint(text: str, mentions: Sequence[Mention], index: int, phrases: RowPhrases) -> str | None:
    """How a mention is joined to the one before it: "and", "," or ";"; None if it is not."""
    if index == 0:
        return None
    gap = text[mentions[index - 1].span.end : mentions[index].span.start]
    if len(gap) > _LONGEST_GAP or "\n\n" in gap:
        return None
    bare = phrases.aside.sub("", gap)
    if phrases.joined_and.fullmatch(bare):
        return "and"
    comma = phrases.comma.fullmatch(bare)
    return comma["mark"] if comma else None


def is_one(text: str, mention: Mention, phrases: RowPhrases) -> bool:
    """Whether the words after a mention say that it and the one before it are one person."""
    behind = phrases.aside.sub("", text[mention.span.end : mention.span.end + _BEHIND])
    return phrases.one_person_after.match(behind) is not None
