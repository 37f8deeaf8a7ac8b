"""Two mentions that are one person because the text says so: "X, roepnaam Y", the lines of a form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz

from linkage.context.attributes import label_between, name_label
from linkage.context.letters import letter_pairs
from linkage.context.rows import is_one, row_phrases
from linkage.language import Language, Meaning, Place
from linkage.records import Mention, PersonName, fold

_LONGEST_GAP = 80  # characters between the two names
_BEHIND = 30  # characters behind a name in which "is dezelfde" is looked for
_FORM_GAP = 60  # characters from one name of a form to that in the next line
_LIKENESS = 55.0  # partial ratio from which two surfaces can be forms of one name


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Expressions for what says that two names are one person's.

    named, formerly and signs_as stand between the two; signs: a sentence behind the one of the first name.
    """

    named: re.Pattern[str]
    formerly: re.Pattern[str]
    signs_as: re.Pattern[str]
    signs: re.Pattern[str]
    same: re.Pattern[str]


@cache
def _phrases(language: Language) -> _Phrases:
    named = language.phrases(Meaning.NAMED, Place.BETWEEN)
    formerly = language.phrases(Meaning.FORMERLY, Place.BETWEEN)
    signs_as = language.phrases(Meaning.SIGNS_AS, Place.BETWEEN)
    signs = language.phrases(Meaning.SIGNS_AS, Place.BEFORE)
    same = language.phrases(Meaning.SAME, Place.AFTER)
    title = language.slots["TITLE"]
    opening, closing = (
        r"\s*\)?\s*[,(]?\s*[\"'\u201c\u2018]?",
        rf"\s*:?\s*[\"'\u201c\u2018(]*\s*(?:{title}\s+)?",
    )
    return _Phrases(
        re.compile(rf"{opening}{named}{closing}", re.IGNORECASE),
        re.compile(rf"{opening}{formerly}{closing}", re.IGNORECASE),
        re.compile(rf"\s*[,(]?\s*{signs_as}\s+(?:{title}\s+)?", re.IGNORECASE),
        re.compile(rf"[^\n]*[.;,]\s+{signs}\s+(?:{title}\s+)?", re.IGNORECASE),
        re.compile(rf"\s+{same}\b", re.IGNORECASE),
    )


def same_person_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName], language: Language
) -> set[tuple[int, int]]:
    """Index pairs (smaller first) of mentions of which the text says that they are one person."""
    phrases, rows = _phrases(language), row_phrases(language)
    pairs: set[tuple[int, int]] = set()
    for index in range(1, len(mentions)):
        gap = text[mentions[index - 1].span.end : mentions[index].span.start]
        if len(gap) > _LONGEST_GAP:
            continue
        like = _alike(mentions[index - 1].surface, mentions[index].surface)
        says_one = is_one(text, mentions[index], rows)
        if (
            phrases.named.fullmatch(gap)
            or (phrases.formerly.fullmatch(gap) and _share_a_part(names[index - 1], names[index]))
            or (like and phrases.signs_as.fullmatch(rows.aside.sub("", gap)))
            or (phrases.signs.fullmatch(gap) and _share_a_part(names[index - 1], names[index]))
            or _is_call_name(text, mentions, names, index)
            or (says_one and rows.joined_and.fullmatch(rows.aside.sub("", gap)))
        ):
            pairs.add((index - 1, index))
        elif phrases.same.match(text[mentions[index].span.end : mentions[index].span.end + _BEHIND]):
            fitting = [i for i in range(max(0, index - 6), index) if _shares_surname(names[i], names[index])]
            if fitting:  # "De heer El Amrani is dezelfde": the last full name before that fits
                pairs.add((max(fitting, key=lambda i: (names[i].is_full, i)), index))
    letters = letter_pairs(text, mentions, names, language)
    return pairs | letters | _form_pairs(text, mentions, names, language)


def _is_call_name(text: str, mentions: Sequence[Mention], names: Sequence[PersonName], index: int) -> bool:
    """Whether a given name alone stands in parentheses right behind a full name: "Lau Mei Ling (Linda)"."""
    name, before = names[index], names[index - 1]
    is_lone = name.given is not None and name.family is None and name.initials is None
    if not is_lone or not before.is_full:
        return False
    gap = text[mentions[index - 1].span.end : mentions[index].span.start]
    return gap.strip() == "(" and text[mentions[index].span.end :][:1] == ")"


def _form_pairs(
    text: str, mentions: Sequence[Mention], names: Sequence[PersonName], language: Language
) -> set[tuple[int, int]]:
    """Fields of a form that each hold a part of one name: "Achternaam: BOS", then "Voorletters: J." in the
    next line or behind it.

    A field with the whole name of somebody with another first letter is of another person: the partner.
    """
    pairs: set[tuple[int, int]] = set()
    first, labels = 0, set[str]()
    for index, mention in enumerate(mentions):
        gap = text[mentions[index - 1].span.end : mention.span.start] if index else ""
        label = name_label(text, mention, language) or label_between(gap, language)
        if label is None:
            labels = set()
            continue
        is_apart = bool(labels) and _are_two_whole(names[first], names[index])
        if not labels or label in labels or is_apart or gap.count("\n") > 1 or len(gap) > _FORM_GAP:
            first, labels = index, {label}
        else:
            labels.add(label)
            pairs.add((first, index))
    return pairs


def _share_a_part(left: PersonName, right: PersonName) -> bool:
    """Whether two names have a surname in common, or the first letter or name while neither is a surname
    alone.
    """
    if _shares_surname(left, right):
        return True
    mine, theirs = fold(left.given or ""), fold(right.given or "")
    return mine == theirs if mine and theirs else bool(letter := _letter(left)) and letter == _letter(right)


def _are_two_whole(left: PersonName, right: PersonName) -> bool:
    """Whether both names have a surname and forenames, of other first letters."""
    mine, theirs = _letter(left), _letter(right)
    return bool(left.family and right.family and mine and theirs) and mine != theirs


def _letter(name: PersonName) -> str:
    """The first letter of the forenames; "" where they are not told."""
    return fold(name.given or name.initials or "")[:1]


def _shares_surname(left: PersonName, right: PersonName) -> bool:
    families = [{fold(part) for part in (n.family, n.partner_family) if part} for n in (left, right)]
    return bool(families[0] & families[1])


def _alike(left: str, right: str) -> bool:
    return fuzz.partial_ratio(fold(left), fold(right)) >= _LIKENESS
